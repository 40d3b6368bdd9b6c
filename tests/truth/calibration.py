#!/usr/bin/env python3
"""Do intervals of calls hold the truth as often as they say? calibration.py bench/estimates INSTANCE..."""
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


def tell(good, what):
    print(f"{'ok' if good else 'not ok'} - {what}")


def main():
    sys.dont_write_bytecode = True
    estimates = load(sys.argv[1])
    found = {}
    for path in sys.argv[2:]:
        text, name = gzip.decompress(pathlib.Path(path).read_bytes()).decode(), pathlib.Path(path).stem
        found[name] = sum((estimates.intervals(estimates.thinned(text, rate, f"{name} {rate}")) for rate in (1, 0.1)), [])
    every = sum(found.values(), [])
    for level, (percent, least, most, of_each) in enumerate(((95, 0.9, 0.98, 0.85), (90, 0.85, 0.95, 0.8))):
        held = estimates.held_out(found, level)
        tell(len(every) >= 500 and least <= held <= most,
             f"{percent} %: {held:.1%} of {len(every)}, {least:.0%} to {most:.0%} of them, judged by the other programs")
        for name, of in found.items():
            within = sum(i.within[level] for i in of)
            if len(of) >= FEW:
                tell(within / len(of) >= of_each, f"{percent} %, {name}: {within / len(of):.1%} of {len(of)} hold the truth")
        width = sum(i.width[level] for i in every) / len(every)
        tell(width < 0.3, f"{percent} %: they are {width:.0%} as wide as what is possible")


if __name__ == "__main__":
    main()
