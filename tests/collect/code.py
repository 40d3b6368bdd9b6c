#!/usr/bin/env python3
"""The machine code of each line, counted from what objdump prints of it.

code.py DB OBJECT [lto]: prints "ok - " and "not ok - " lines.
"""
import bisect
import collections
import os
import re
import sqlite3
import subprocess
import sys

import line_rows

INSTRUCTION = re.compile(r"^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+)")


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def ends_of_symbols(path):
    """{address of a procedure: where it ends}"""
    ends = {}
    for fields in (line.split() for line in output("nm", "-S", path).splitlines()):
        if len(fields) == 4 and fields[2] in "tTwWuV":
            ends[int(fields[0], 16)] = int(fields[0], 16) + int(fields[1], 16)
    return ends


def code_of(path, sums):
    """Adds the bytes of each line; what pads the space behind a procedure is of none."""
    ends = ends_of_symbols(path)
    end = 0
    rows = sorted(line_rows.rows(path))
    for line in output("objdump", "-d", path).splitlines():
        found = INSTRUCTION.match(line)
        if not found:
            continue
        address = int(found[1], 16)
        end = ends.get(address, end)
        row = bisect.bisect(rows, address, key=lambda row: row[0]) - 1
        if row >= 0 and address < rows[row][1] and address < end:
            sums[os.path.basename(rows[row][3]), rows[row][2]] += len(found[2].split())


def main():
    db = sqlite3.connect(sys.argv[1])
    sums = collections.Counter()
    code_of(sys.argv[2], sums)
    lines = {(os.path.basename(path), line): code for path, line, code in db.execute(
        "SELECT f.path, l.line, l.code_bytes FROM line l JOIN file f ON f.id = l.file")}
    bad = [(at, code, sums.get(at)) for at, code in lines.items() if code != sums.get(at)]
    for b in sorted(bad)[:10]:
        print("#", b)
    print("not ok -" if bad or not lines else "ok -", f"{len(lines)} lines, as objdump has them")
    files = {file for file, line in lines}
    all_lines = sum(n for (file, line), n in sums.items() if file in files)
    procedures, = db.execute("SELECT sum(code_bytes) FROM procedure").fetchone()
    # With -flto there is code of which the symbol does not tell whose it is.
    good = all_lines > procedures if len(sys.argv) > 3 else all_lines == procedures
    print("ok -" if good else f"# {all_lines} {procedures}\nnot ok -",
          "all lines have the code of all procedures, if that where nothing is counted is added")


if __name__ == "__main__":
    main()
