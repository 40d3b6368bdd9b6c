#!/usr/bin/env python3
"""expected.py SOURCE CGVIEW DB [SOURCE...]: compare a profile with the counts written in the sources
themselves.

"//= N" at the end of a line: the line is executed N times; "//: N": the procedure that is named on
the line is entered N times. Prints what differs; status 1 when anything does.
With - for CGVIEW, DB is the output of gcov --json-format --stdout.
"""
import os
import re
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import compare  # noqa: E402


def differences(source, counts):
    """Prints them; returns how much was checked, and how much of it is wrong."""
    name = os.path.basename(source)
    checked = wrong = 0
    for number, text in enumerate(open(source, encoding="utf-8"), 1):
        for kind, value in re.findall(r"//([=:]) (\d+)", text):
            if kind == "=":
                what, got = f"line {number}", counts.lines.get((name, number))
            else:
                procedure = re.search(r"(\w+)\(", text).group(1)
                what, got = procedure, counts.procedures.get((name, procedure))
            checked += 1
            if got != int(value):
                wrong += 1
                print(f"# {name}: {what}: {value} times in truth, counted {got}: {text.strip()}")
    if checked == 0:
        print(f"# {source}: nothing to check")
    return checked, wrong


def main():
    source, cgview, db = sys.argv[1:4]
    root = os.path.realpath(os.path.dirname(source))
    naming = compare.Naming(root, False)
    if cgview == "-":
        counts = compare.read_gcov(db, naming)
    else:
        counts = compare.read_ours(cgview, [db], root, naming)
    results = [differences(s, counts) for s in [source] + sys.argv[4:]]
    return any(checked == 0 or wrong for checked, wrong in results)


if __name__ == "__main__":
    sys.exit(main())
