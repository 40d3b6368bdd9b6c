"""pointers.py DB TRUTH: is the truth that the program has noted (lines `callee line count`) within the
intervals of the arcs of DB? Arcs that the truth does not name have the truth 0. Then, with --arcs, a
line per arc from or through a site: callee, line, how, lo, hi, through."""
import os
import re
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
text = open(sys.argv[2]).read()
truth = {(callee, int(line)): int(count) for callee, line, count in
         (row.split() for row in text.splitlines())}
named = {callee for callee, line in truth}

arcs, outside = {}, {}
for name, path, site_path, line, kind, how, lo, hi, count, through in db.execute("""
        SELECT p.name, f.path, g.path, s.line, s.kind, a.how, a.lo, a.hi, a.count, a.through
        FROM arc a JOIN procedure p ON a.callee = p.id LEFT JOIN file f ON p.file = f.id
        LEFT JOIN call_site s ON s.id = ifnull(a.site, a.through)
        LEFT JOIN file g ON s.file = g.id"""):
    name = re.sub(r"[.(].*", "", name)
    if os.path.basename(path or "") == "other.c" and name == "by_twin":
        name = "other/" + name
    if name not in named:
        continue
    assert lo <= count <= hi, (name, line, lo, count, hi)
    if line is None:
        outside[name] = (lo, hi)
        continue
    if os.path.basename(site_path) == "other.c":
        line += 1000
    assert (name, line) not in arcs, (name, line)
    arcs[name, line] = (how, lo, hi, through)
pointers = {line for line, in db.execute("SELECT line FROM call_site WHERE kind = 'indirect'")}

wrong, unseen = 0, dict.fromkeys(named, 0)
for (name, line), count in truth.items():
    if (name, line) not in arcs and line not in pointers:
        unseen[name] += count      # a library has the address from elsewhere
    elif (name, line) not in arcs:
        print(f"{name}, line {line}: {count} calls, no arc")
        wrong += 1
for (name, line), (how, lo, hi, through) in arcs.items():
    if not lo <= truth.get((name, line), 0) <= hi:
        print(f"{name}, line {line}: {truth.get((name, line), 0)} calls, but {lo}..{hi} {how}")
        wrong += 1
for name, count in unseen.items():
    lo, hi = outside.get(name, (0, 0))
    if not lo <= count <= hi:
        print(f"{name} from outside: {count} calls, but {lo}..{hi}")
        wrong += 1
if "--arcs" in sys.argv:
    for (name, line), (how, lo, hi, through) in sorted(arcs.items()):
        print(name, line, how, lo, hi, "through" if through else "")
sys.exit(wrong != 0)
