#!/usr/bin/env python3
"""Compare cgview's counts with gcov's.

compare.py --root DIR --truth RUN.json... [--other NAME=RUN.json]... --db CGVIEW DB... [--allow NAME=N]...

Procedure entry counts and line counts of every file below DIR must be equal. A difference must have
one of the reasons below, each of which is checked against something measured, and there may be no
more of them than --allow says. Several --truth files are runs of one build with the same input;
several DBs are added up. Prints "ok - " and "not ok - " lines; status 1 when something differs.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
from collections import defaultdict


class Counts:
    """procedures: (file, name) -> count; lines: (file, line) -> count; files by base name."""

    def __init__(self):
        self.procedures = defaultdict(int)
        self.lines = defaultdict(int)
        self.lines_of = defaultdict(set)


def read_gcov(path):
    """A stream of gcov's JSON documents, one a line (gcov --json-format --stdout)."""
    counts = Counts()
    for document in open(path, encoding="utf-8", errors="replace"):
        if not document.strip():
            continue
        for source in json.loads(document)["files"]:
            name = os.path.basename(source["file"])
            if source["file"].startswith("/usr/"):
                continue
            for f in source["functions"]:
                counts.procedures[name, f["name"]] += f["execution_count"]
            for line in source["lines"]:
                counts.lines[name, line["line_number"]] += line["count"]
                counts.lines_of[name, line.get("function_name")].add(line["line_number"])
    return counts


def report(cgview, db, kind):
    text = subprocess.run([cgview, "report", "--by", kind, "--format", "csv", db], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8", errors="replace").stdout
    return list(csv.DictReader(text.splitlines()))


def read_ours(cgview, databases, root):
    counts = Counts()
    for db in databases:
        for row in report(cgview, db, "procedure"):
            if below(row["file"], root):
                counts.procedures[os.path.basename(row["file"]), row["procedure"]] += int(row["calls"])
        for row in report(cgview, db, "line"):
            if below(row["file"], root):
                counts.lines[os.path.basename(row["file"]), int(row["line"])] += int(row["count"])
    return counts


def below(path, root):
    return path != "" and (not os.path.isabs(path) or os.path.realpath(path).startswith(root + "/"))


# ---- reasons: each proves that one difference is not an error of ours, or says nothing ----

def varies_between_runs(what, key, ours, truths, others):
    """The program itself does not do the same twice (addresses used as hash keys)."""
    seen = {getattr(t, what).get(key) for t in truths}
    return len(seen) > 1


def other_build(name):
    def check(what, key, ours, truths, others):
        return any(ours == getattr(o, what).get(key) for o in others[name])
    check.__doc__ = f"gcov gives our number too when the program is built as '{name}'."
    return check


def compare(what, truths, others, ours, reasons):
    """Returns (number equal, [(key, gcov, ours, reason or None)])."""
    truth = getattr(truths[0], what)
    mine = getattr(ours, what)
    equal, differences = 0, []
    for key in sorted(set(truth) | set(mine), key=str):
        a, b = truth.get(key), mine.get(key)
        if a == b:
            equal += 1
            continue
        reason = next((n for n, check in reasons.items() if check(what, key, b, truths, others)), None)
        differences.append((key, a, b, reason))
    return equal, differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--truth", nargs="+", required=True)
    parser.add_argument("--other", nargs="+", default=[])
    parser.add_argument("--db", nargs="+", required=True)
    parser.add_argument("--allow", action="append", default=[])
    parser.add_argument("--least", type=int, default=1, help="so many procedures must be compared")
    parser.add_argument("--cgview", default="build/cgview")
    o = parser.parse_args()

    root = os.path.realpath(o.root)
    truths = [read_gcov(p) for p in o.truth]
    others = defaultdict(list)
    for item in o.other:
        name, path = item.split("=", 1)
        others[name].append(read_gcov(path))
    allowed = {n: int(c) for n, c in (a.split("=", 1) for a in o.allow)}
    reasons = {"varies-between-runs": varies_between_runs}
    reasons.update({name: other_build(name) for name in others})
    ours = read_ours(o.cgview, o.db, root)

    failed = False
    used = defaultdict(int)
    for what in ("procedures", "lines"):
        equal, differences = compare(what, truths, others, ours, reasons)
        unexplained = [d for d in differences if d[3] is None]
        for key, a, b, reason in differences:
            used[reason] += 1
            print(f"# {what} {key[0]}:{key[1]}: gcov {a}, cgview {b}: {reason or 'NO REASON'}")
        enough = what != "procedures" or equal >= o.least
        verdict = "ok" if not unexplained and enough else "not ok"
        failed = failed or verdict != "ok"
        print(f"{verdict} - {what}: {equal} equal to gcov's, {len(differences)} differ, "
              f"{len(unexplained)} of them without a reason")
    for name, number in sorted((n, c) for n, c in used.items() if n is not None):
        verdict = "ok" if number <= allowed.get(name, 0) else "not ok"
        failed = failed or verdict != "ok"
        print(f"{verdict} - {number} differences because of {name} (at most {allowed.get(name, 0)}): "
              f"{' '.join(reasons[name].__doc__.split())}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
