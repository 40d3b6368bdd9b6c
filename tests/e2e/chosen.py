#!/usr/bin/env python3
"""What reports say of one thread is what its part says, which is unpacked here (parts.py).

chosen.py CGVIEW DB: prints "ok - " and "not ok - " lines.
"""
import collections
import csv
import io
import os
import subprocess
import sqlite3
import sys

sys.path.insert(0, os.path.dirname(__file__))
from parts import COLUMNS, unpack

cgview, path = sys.argv[1:]
db = sqlite3.connect(path)
FILE = "(SELECT f.path FROM file f WHERE f.id = t.file)"
OWNER = "(SELECT p.name FROM procedure p WHERE p.id = t.procedure)"
# The report, the numbers of its columns in a part, and what its rows are known by here and there.
REPORTS = {
    "procedure": ((6, 7, 8, 9, 10), f"t.name, {FILE}, t.line", ("procedure", "file", "line")),
    "line": ((13, 14), f"{FILE}, t.line", ("file", "line")),
    "site": ((15, 16), f"{OWNER}, {FILE}, t.line, t.column", ("procedure", "file", "line", "column")),
}


def report(*arguments):
    done = subprocess.run([cgview, "report", "--format", "csv", *arguments, path], capture_output=True,
                          check=True, text=True)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def told(rows, columns, names):
    """{(column, key): sum} of rows of a report."""
    out = collections.Counter()
    for row in rows:
        key = tuple(row[name] for name in names)
        for column in columns:
            out[column, key] += int(row[COLUMNS[column][1]] or 0)
    return +out


def stored(entries, columns, key):
    out = collections.Counter()
    keys = {column: {row[0]: tuple("" if v is None else str(v) for v in row[1:]) for row in
                     db.execute(f'SELECT t.id, {key} FROM "{COLUMNS[column][0]}" t')}
            for column in columns}
    for column, row, _, value in entries:
        if column in columns:
            out[column, keys[column][row]] += value
    return +out


wrong, seen = [], collections.Counter()
for number, size, data in db.execute("SELECT id, size_bytes, data_zlib FROM part").fetchall():
    entries = list(unpack(size, data))
    for by, (columns, key, names) in REPORTS.items():
        here = stored(entries, columns, key)
        there = told(report("--by", by, "--threads", str(number)), columns, names)
        wrong += [(number, by, k, here[k], there[k]) for k in here.keys() | there.keys()
                  if here[k] != there[k]]
        for column, _ in here:
            seen[column] += 1
    # Of the whole: what waits, and what is in expressions and stacks.
    run = report("--by", "run", "--threads", str(number))[0]
    sums = collections.Counter()
    for column, _, _, value in entries:
        sums[column] += value
    blocks = report("--by", "block", "--threads", str(number))
    tree = report("--by", "tree", "--wait", "--min", "0", "--threads", str(number)) if sums[18] else []
    for what, is_, should in (
            ("samples", int(run["samples"]), sums[6]), ("wait", int(run["wait_ns"]), sums[9]),
            ("wait of expressions", sum(int(b["self_wait_ns"]) for b in blocks), sums[12]),
            ("samples of expressions", sum(int(b["self_samples"]) for b in blocks), sums[11]),
            ("wait of stacks", sum(int(t["self_wait_ns"] or 0) for t in tree), sums[18])):
        if is_ != should:
            wrong.append((number, what, should, is_))
for w in wrong[:10]:
    print("#", w)
print("not ok -" if wrong else "ok -", "what is told of each thread is what its part says")
missing = [COLUMNS[c] for (cs, _, _) in REPORTS.values() for c in cs if not seen[c]]
print("not ok -" if missing else "ok -", "... of each kind there is something", *missing)
