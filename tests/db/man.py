#!/usr/bin/env python3
"""cgview-db(5) against a profile: every table and column is described, nothing else is, and the
examples run.

man.py MAN-PAGE DB: prints "ok - " and "not ok - " lines.
"""
import re
import sqlite3
import subprocess
import sys

page, path = sys.argv[1:]
db = sqlite3.connect(path)
text = open(page, encoding="utf-8").read()


def verdict(bad, name):
    for b in bad:
        print("#", b)
    print("not ok -" if bad else "ok -", name)


def section(name):
    return re.search(r"^\.Sh %s\n(.*?)(?=^\.Sh |\Z)" % re.escape(name), text, re.M | re.S).group(1)


def words(line):
    return [w for w in line.split() if re.fullmatch(r"\w+", w)]


# Tables: one subsection each, one item a column.
described, sometimes = {}, set()
for name, body in re.findall(r"^\.Ss (\w+)\n(.*?)(?=^\.Ss |\Z)", section("TABLES"), re.M | re.S):
    described[name] = [w for line in re.findall(r"^\.It Va (.*)", body, re.M) for w in words(line)]
    if body.startswith("Only in profiles with "):
        sometimes.add(name)
real = {}
for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'"):
    real[name] = [c[0] for c in db.execute('SELECT * FROM "%s"' % name).description]
verdict([f"table {t} is not described" for t in real if t not in described] +
        [f"there is no table {t}" for t in described if t not in real and t not in sometimes],
        "tables are described")
for table, columns in real.items():
    have = described.get(table, [])
    verdict([f"{table}.{c} is not described" for c in columns if c not in have] +
            [f"there is no {table}.{c}" for c in have if c not in columns] +
            ([f"order: {columns} {have}"] if columns != have else []), f"columns of {table}")

# Views: an item each; all columns named in it.
items = dict(re.findall(r"^\.It Sy (\w+)\n(.*?)(?=^\.It |^\.El)", section("VIEWS"), re.M | re.S))
bad = []
for name, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'view'"):
    columns = [c[0] for c in db.execute('SELECT * FROM "%s"' % name).description]
    named = words(" ".join(re.findall(r"^\.Va (.*)", items.pop(name, ""), re.M)))
    if columns != named:
        bad.append(f"{name}: {columns}, described: {named}")
verdict(bad + [f"there is no view {v}" for v in items], "views are described")

# Indexes.
items = dict(re.findall(r"^\.It Sy (\w+)\n(.*?)(?=^\.It |^\.El)", section("INDEXES"), re.M | re.S))
bad = []
for name, table, sql in db.execute("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index'"):
    columns = [r[2] for r in db.execute('PRAGMA index_info("%s")' % name) if r[2]]
    entry = items.pop(name, "")
    named = words(" ".join(re.findall(r"^\.Va (.*)", entry, re.M)))
    expressions = re.findall(r"\w+\(.*\)(?=,)", sql.split("(", 1)[1])
    if columns != named or f".Sy {table}\n" not in entry or \
       any(e not in entry.replace(r"\(aq", "'") for e in expressions):
        bad.append(f"{name}: {columns}, described: {named}")
verdict(bad + [f"there is no index {i}" for i in items], "indexes are described")

# The numbers in the text.
version, = db.execute("PRAGMA user_version").fetchone()
application, = db.execute("PRAGMA application_id").fetchone()
verdict([] if re.search(r"user_version\nis %d;" % version, text) and "0x%08x" % application in text
        else ["user_version or application_id"], "version and application id")

# Examples: with the sqlite3 shell, since they use its functions; none may find nothing.
count = 0
for block in re.findall(r"^\.Bd -literal.*?\n(.*?)^\.Ed", section("EXAMPLES"), re.M | re.S):
    sql = re.search(r"sqlite3 -box prof\.db '(.*)'", block)
    sql = sql.group(1) if sql else re.sub(r"^\$.*\n", "", block)
    sql = re.sub(r"ATTACH '\w+\.db'", "ATTACH '%s'" % path, sql).replace("\\&", "")
    shell = [":memory:"] if "ATTACH" in sql else [path]
    r = subprocess.run(["sqlite3", "-bail", *shell, sql], stdout=subprocess.PIPE,
                       stderr=subprocess.STDOUT)
    count += 1
    verdict([] if r.returncode == 0 and r.stdout.strip() else [r.stdout, sql], f"example {count}")
verdict([] if count >= 8 else [count], "there are examples")
