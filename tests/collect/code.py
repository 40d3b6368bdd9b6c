#!/usr/bin/env python3
"""The machine code of each line, counted from what objdump -dl prints of it.

code.py DB OBJECT [FILE]: prints "ok - " and "not ok - " lines. FILE: what objdump calls <artificial>
where the assembler has left the number of a file out, which then is the first.
"""
import collections
import os
import re
import sqlite3
import subprocess
import sys

INSTRUCTION = re.compile(r"^ +([0-9a-f]+):\t((?:[0-9a-f]{2} )+)")
LINE = re.compile(r"^(/.*?):(\d+)(?: \(discriminator \d+\))?$")
FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def ends_of_symbols(path):
    """{address of a procedure: where it ends}"""
    ends = {}
    for fields in (line.split() for line in output("nm", "-S", path).splitlines()):
        if len(fields) == 4 and fields[2] in "tTwWuV":
            ends[int(fields[0], 16)] = int(fields[0], 16) + int(fields[1], 16)
    return ends


def code_of(path, first, sums):
    """Adds the bytes of each line; what pads the space behind a procedure is of none."""
    ends = ends_of_symbols(path)
    end = 0
    at = None
    for line in output("objdump", "-dl", path).splitlines():
        if FUNCTION.match(line):
            at = None
        found = LINE.match(line)
        if found:
            at = os.path.basename(found[1]).replace("<artificial>", first), int(found[2])
        found = INSTRUCTION.match(line)
        if not found:
            continue
        address = int(found[1], 16)
        end = ends.get(address, end)
        if at and address < end:
            sums[at] += len(found[2].split())


def main():
    db = sqlite3.connect(sys.argv[1])
    sums = collections.Counter()
    code_of(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else "?", sums)
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
