#!/usr/bin/env python3
"""Compare `cgview report --by comparison` with the tables, asked by Python's own SQLite.

stored.py CGVIEW DB: prints "ok - " and "not ok - " lines.
"""
import csv
import io
import json
import math
import os
import random
import shutil
import sqlite3
import subprocess
import sys

cgview, path = sys.argv[1:]
db = sqlite3.connect(path)
db.text_factory = lambda b: b.decode("utf-8", "surrogateescape")
COLUMNS = ("procedure,file,line,column,end_line,end_column,kind,a,b,value,sides,significance,"
           "callee,type,size_class").split(",")
NUMBERS = set("line column end_line end_column a b value significance size_class".split())


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
    text = [line for line in report("--of", things).splitlines() if "beyond chance" not in line]
    names = {"site": "call sites", "pair": "pairs of caller and callee"}.get(things, things + "s")
    verdict(text[-1].strip().endswith("%s %s" % (format(len(rows), ","), names)),
            "text of %s tells how many" % things)
verdict(report("--format", "csv") == report("--of", kinds[0], "--format", "csv"),
        "the first kind without --of")


def beyond_chance(deviations):
    """How many are told when one of twenty of these may be false (Benjamini and Hochberg)."""
    p = sorted(math.erfc(abs(d) / math.sqrt(2)) for d in deviations)
    return max((i for i in range(1, len(p) + 1) if p[i - 1] <= 0.05 * i / len(p)), default=0)


def judged(changed):
    """The last line of a report in which the significance of row ID is changed(ID), and that of our own sums."""
    copy = "judged.db"
    shutil.copy(path, copy)
    own = sqlite3.connect(copy)
    rows = [row for row, in own.execute("SELECT id FROM comparison WHERE metric = (SELECT min(id) FROM metric "
                                        "WHERE things = 'procedure')")]
    own.executemany("UPDATE comparison SET significance = ?, value = ? WHERE id = ?",
                    [(changed(i), i % 5, row) for i, row in enumerate(rows)])
    own.commit()
    tested = [d for d, in own.execute("SELECT significance FROM comparison WHERE value <> 0 AND metric = (SELECT min(id) "
                                      "FROM metric WHERE things = 'procedure') AND significance IS NOT NULL")]
    own.close()
    last = subprocess.run([cgview, "report", "--by", "comparison", "--of", "procedure", copy], check=True,
                          stdout=subprocess.PIPE).stdout.decode().splitlines()[-1]
    os.unlink(copy)
    beyond = beyond_chance(tested)
    return last, (f"{beyond} of {len(tested)} sampled procedures differ beyond chance (diff/noise from " if beyond else
                  f"none of {len(tested)} sampled procedures differs beyond chance" if tested else None)


chance = random.Random(16)
for name, changed in (("some differ", lambda i: None if i % 7 == 3 else chance.gauss(0, 1) + (6 if i % 3 == 0 else 0)),
                      ("none differs", lambda i: 0.3 * (i % 4)), ("nothing is sampled", lambda i: None)):
    last, mine = judged(changed)
    verdict(last.startswith(mine) if mine else "beyond chance" not in last, f"what is stored, {name}: {mine}")
