"""arcs.py DB: the arcs of calls through pointers: caller, callee, how, count. Of a static procedure in
unit.c also the directory; what is not profiled is outside, also where a sample has given it a name.
arcs.py DB CALLER: those of one caller only."""
import os
import sqlite3
import sys

db = sqlite3.connect(sys.argv[1])
rows = db.execute("""
    SELECT q.name, iif(p.is_foreign, 'outside', ifnull(p.name, 'outside')), ifnull(f.path, ''), a.how, a.count
    FROM arc a JOIN call_site s ON a.site = s.id JOIN procedure q ON s.procedure = q.id
    LEFT JOIN procedure p ON a.callee = p.id LEFT JOIN file f ON p.file = f.id
    WHERE s.kind = 'indirect' AND a.count > 0""")
lines = []
for caller, callee, path, how, count in rows:
    if os.path.basename(path) == "unit.c":
        callee = os.path.basename(os.path.dirname(path)) + "/" + callee
    if len(sys.argv) < 3 or caller == sys.argv[2]:
        lines.append(f"{caller} {callee} {how} {count}")
print("\n".join(sorted(lines)))
