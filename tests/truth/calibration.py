#!/usr/bin/env python3
"""Do 95 % intervals of calls hold the truth as often as they say? calibration.py bench/estimates INSTANCE..."""
import gzip
import importlib.machinery
import importlib.util
import pathlib
import sys

FEW = 50  # arcs: one more or less is two in a hundred


def load(path):
    """The program bench/estimates as a module: it has no .py."""
    sys.path.insert(0, str(pathlib.Path(path).resolve().parent))
    loader = importlib.machinery.SourceFileLoader("estimates", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("estimates", loader))
    loader.exec_module(module)
    return module


def main():
    sys.dont_write_bytecode = True
    estimates = load(sys.argv[1])
    arcs = within = width = 0
    for path in sys.argv[2:]:
        text, name = gzip.decompress(pathlib.Path(path).read_bytes()).decode(), pathlib.Path(path).stem
        found = [estimates.held(estimates.thinned(text, rate, f"{name} {rate}")) for rate in (1, 0.1)]
        a, w, share = map(sum, zip(*found))
        arcs, within, width = arcs + a, within + w, width + share
        if a >= FEW:
            print(f"{'ok' if w / a >= 0.9 else 'not ok'} - {name}: {w / a:.1%} of {a} intervals hold the truth")
    good = arcs >= 500 and 0.9 <= within / arcs <= 0.98
    print(f"{'ok' if good else 'not ok'} - all: {within / arcs:.1%} of {arcs}, 90 to 98 % of them")
    print(f"{'ok' if width / arcs < 0.7 else 'not ok'} - they are {width / arcs:.0%} as wide as what is possible")


if __name__ == "__main__":
    main()
