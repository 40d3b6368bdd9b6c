#!/usr/bin/env python3
"""Compare cgview's counts with gcov's.

compare.py --root DIR --truth RUN.json... --db DB... [--cgview PROGRAM] [--other NAME=RUN.json...]
           [--blocks RUN.txt] [--unoptimised DB...] [--allow NAME=N]... [--least N]

Procedure entry counts and line counts of every file below DIR must be equal to those of the first
--truth (gcov --json-format --stdout). A difference must have one of the reasons in the table
REASONS, each of which is checked against something that was measured, and there may be no more of
them than --allow says. Several DBs are added up. What the reasons need: several --truth are runs of
one build with the same input; --other are runs of another build; --blocks is what
gcov --all-blocks --stdout prints; --unoptimised are profiles of the same runs compiled by cgcc -O0.
Prints "ok - " and "not ok - " lines; status 1 when something differs.
"""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
from collections import defaultdict


class Counts:
    """procedures: (file, name) -> count; lines: (file, line) -> count; files by base name."""

    def __init__(self):
        self.procedures = defaultdict(int)
        self.lines = defaultdict(int)
        self.starts = {}        # procedure -> (line of its name, count)


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
                counts.starts[name, f["name"]] = (f["start_line"], counts.procedures[name, f["name"]])
            for line in source["lines"]:
                counts.lines[name, line["line_number"]] += line["count"]
    return counts


def read_blocks(path):
    """(file, line) -> counts of its blocks, from gcov --all-blocks --stdout."""
    blocks = defaultdict(list)
    name = None
    for text in open(path, encoding="utf-8", errors="replace"):
        source = re.match(r"\s*-:\s*0:Source:(.*)", text)
        block = re.match(r"\s*([0-9]+|[%$]+)\*?:\s*([0-9]+)-block", text)
        if source:
            name = os.path.basename(source.group(1))
        elif block:
            count = block.group(1)
            blocks[name, int(block.group(2))].append(int(count) if count.isdigit() else 0)
    return blocks


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
    return path != "" and (root is None and not path.startswith("/usr/") or
                           not os.path.isabs(path) or root is not None and os.path.realpath(path).startswith(root + "/"))


# ---- reasons: each proves that one difference is not an error of ours, or says nothing ----

class Evidence:
    """All that was measured: gcov's runs, other builds, gcov's blocks, cgcc -O0, the sources."""

    def __init__(self, truths, others, blocks, unoptimised, root):
        self.truths, self.others, self.blocks = truths, others, blocks
        self.unoptimised = unoptimised
        self.entries = defaultdict(set)     # (file, line) of a procedure's name -> its entry counts
        for (name, _), (line, count) in truths[0].starts.items():
            self.entries[name, line].add(count)
        self.sources = {}
        for directory, _, names in os.walk(root):
            for name in names:
                if name.endswith((".c", ".h", ".cc")):
                    self.sources.setdefault(name, os.path.join(directory, name))

    def text(self, key):
        """The line without comments and blanks."""
        if isinstance(self.sources.get(key[0]), str):
            with open(self.sources[key[0]], encoding="utf-8", errors="replace") as source:
                self.sources[key[0]] = source.read().split("\n")
        lines = self.sources.get(key[0], [])
        text = lines[key[1] - 1] if key[1] <= len(lines) else ""
        return re.sub(r"/\*.*?(\*/|$)|//.*", "", text).strip()


def varies_between_runs(what, key, gcov, ours, evidence):
    """The program itself does not do the same twice: addresses are keys of its hash tables."""
    return len({getattr(t, what).get(key) for t in evidence.truths}) > 1


def computed_goto(what, key, gcov, ours, evidence):
    """gcov gives our number too when the program is built without computed goto."""
    return any(ours == getattr(o, what).get(key) for o in evidence.others["computed-goto"])


def several_blocks(what, key, gcov, ours, evidence):
    """gcov adds up several blocks of the line; ours is the count of one of them, in gcov's own list."""
    counts = evidence.blocks.get(key, ())
    return what == "lines" and len(counts) > 1 and ours in counts


def first_line(what, key, gcov, ours, evidence):
    """gcov's count of a procedure's first line is not its own entry count of that procedure; ours is."""
    return what == "lines" and gcov is not None and {ours} == evidence.entries.get(key)


def bare_jump(what, key, gcov, ours, evidence):
    """gcov has no record of the line, which is nothing but a jump; ours says how often it jumped."""
    return (what == "lines" and gcov is None and
            re.fullmatch(r"(\}?\s*else\s*)?(default:)?\s*(break|continue|goto \w+|\w*assert\(0\))?;(\s*\})?",
                         evidence.text(key)) is not None)


def bare_label(what, key, gcov, ours, evidence):
    """The line is only a label; gcov counts some of the ways to it, ours is gcov's count of the next."""
    following = next((n for n in range(key[1] + 1, key[1] + 5)
                      if (key[0], n) in evidence.truths[0].lines), 0) if what == "lines" else 0
    return (following > 0 and re.fullmatch(r"\w+:", evidence.text(key)) is not None and
            ours == evidence.truths[0].lines[key[0], following])


def front_end(what, key, gcov, ours, evidence):
    """cgcc at -O0 counts as gcov at -O0 here: at -O2 the front end has folded a condition, or nothing
    that could be counted stands behind a call in tail position."""
    return (evidence.unoptimised is not None and
            getattr(evidence.unoptimised, what).get(key) == gcov)


REASONS = {
    "varies-between-runs": varies_between_runs,
    "computed-goto": computed_goto,
    "front-end": front_end,
    "first-line": first_line,
    "bare-jump": bare_jump,
    "bare-label": bare_label,
    "several-blocks": several_blocks,
}


def compare(what, evidence, ours):
    """Returns (number equal, [(key, gcov, ours, reason or None)])."""
    truth = getattr(evidence.truths[0], what)
    mine = getattr(ours, what)
    equal, differences = 0, []
    for key in sorted(set(truth) | set(mine), key=str):
        a, b = truth.get(key), mine.get(key)
        if a == b:
            equal += 1
            continue
        reason = next((n for n, check in REASONS.items() if check(what, key, a, b, evidence)), None)
        differences.append((key, a, b, reason))
    return equal, differences


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--truth", nargs="+", required=True)
    parser.add_argument("--other", nargs="+", default=[])
    parser.add_argument("--blocks")
    parser.add_argument("--unoptimised", nargs="+")
    parser.add_argument("--db", nargs="+", required=True)
    parser.add_argument("--allow", action="append", default=[])
    parser.add_argument("--least", type=int, default=1, help="so many procedures must be compared")
    parser.add_argument("--cgview", default="build/cgview")
    return parser.parse_args()


def gather(o):
    root = os.path.realpath(o.root)
    others = defaultdict(list)
    for item in o.other:
        name, path = item.split("=", 1)
        others[name].append(read_gcov(path))
    unoptimised = read_ours(o.cgview, o.unoptimised, None) if o.unoptimised else None
    return Evidence([read_gcov(p) for p in o.truth], others,
                    read_blocks(o.blocks) if o.blocks else {}, unoptimised, root)


def main():
    o = arguments()
    evidence = gather(o)
    ours = read_ours(o.cgview, o.db, os.path.realpath(o.root))
    allowed = {n: int(c) for n, c in (a.split("=", 1) for a in o.allow)}
    failed = False
    used = defaultdict(int)
    for what in ("procedures", "lines"):
        equal, differences = compare(what, evidence, ours)
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
        print(f"{verdict} - {name}: {number} differences (at most {allowed.get(name, 0)}): "
              f"{' '.join(REASONS[name].__doc__.split())}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
