#!/usr/bin/env python3
"""Compare `cgview report --by comparison` with the tables, asked by Python's own SQLite.

stored.py CGVIEW DB: prints "ok - " and "not ok - " lines.
"""
import csv
import io
import json
import sqlite3
import subprocess
import sys

cgview, path = sys.argv[1:]
db = sqlite3.connect(path)
db.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
COLUMNS = ("procedure,file,line,column,end_line,end_column,kind,a,b,value,sides,significance,"
           "callee").split(",")
NUMBERS = set("line column end_line end_column a b value significance".split())


def report(*arguments):
    return subprocess.run([cgview, "report", "--by", "comparison", *arguments, path], check=True,
                          stdout=subprocess.PIPE).stdout.decode()


def verdict(good, name):
    print("ok -" if good else "not ok -", name)


def wanted(things):
    """As the tables have it: calls come from and go to outside, other rows have no end there."""
    rows = []
    for row in db.execute("SELECT " + ",".join(COLUMNS) + " FROM difference WHERE things = ?",
                          (things,)):
        row = dict(zip(COLUMNS, row))
        for end in "procedure", "callee":
            if row[end] is None and things in ("site", "arc", "pair"):
                row[end] = "outside"
        rows.append(row)
    return rows


def read(row):
    return {name: None if text == "" else float(text) if name in NUMBERS else text
            for name, text in row.items()}


def is_plain(row):
    return all(text is None or str(text).isprintable() for text in row.values())


kinds = [things for things, in db.execute("SELECT things FROM metric ORDER BY id")]
for things in kinds:
    rows = wanted(things)
    got = [read(row) for row in csv.DictReader(io.StringIO(report("--of", things, "--format", "csv"),
                                                           newline=""))]
    same = len(rows) == len(got) > 0
    for row, mine in zip(rows, got):
        same = same and (row == mine or not is_plain(row))
    verdict(same, "csv of %s: %d rows as stored" % (things, len(rows)))
    verdict(list(got[0]) == COLUMNS, "... the columns")
    parsed = json.loads(report("--of", things, "--format", "json"))
    same = parsed["version"] == 1 and parsed["by"] == "comparison" and len(parsed["rows"]) == len(rows)
    for row, mine in zip(rows, parsed["rows"]):
        same = same and (row == mine or not is_plain(row))
    verdict(same, "json of %s" % things)
    text = report("--of", things).splitlines()
    names = {"site": "call sites", "pair": "pairs of caller and callee"}.get(things, things + "s")
    verdict(text[-1].strip().endswith("%s %s" % (format(len(rows), ","), names)),
            "text of %s tells how many" % things)
verdict(report("--format", "csv") == report("--of", kinds[0], "--format", "csv"),
        "the first kind without --of")
