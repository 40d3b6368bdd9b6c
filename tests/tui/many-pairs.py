#!/usr/bin/env python3
"""many-pairs.py PROFILE N: in place of what was given back N x N pairs. Maker i has i + 1 blocks of j + 1
bytes that disposer j frees, for i and j from 0; names try to command the terminal."""
import sqlite3
import sys

profile, many = sys.argv[1], int(sys.argv[2])
db = sqlite3.connect(profile)


def columns(table):
    return [row[1] for row in db.execute(f"PRAGMA table_info({table})")]


def put(table, rows):
    names = columns(table)
    db.executemany(f"INSERT INTO {table} VALUES({','.join('?' * len(names))})",
                   ([row[name] for name in names] for row in rows))


def row_of(table, where):
    return dict(zip(columns(table), db.execute(f"SELECT * FROM {table} WHERE {where}").fetchone()))


procedure = row_of("procedure", "name = 'pairs'")
site = row_of("call_site", f"procedure = {procedure['id']}")
first = 1 + db.execute("SELECT max(id) FROM procedure").fetchone()[0]
first_site = 1 + db.execute("SELECT max(id) FROM call_site").fetchone()[0]
put("procedure", (procedure | {"id": first + i, "name": f"maker_{i}" if i < many else
                               f"\033[31m\u202e<{i - many}>::~free\u9b5a()"} for i in range(2 * many)))
put("call_site", (site | {"id": first_site + i, "procedure": first + i} for i in range(2 * many)))
db.execute("DELETE FROM disposal")
nothing = dict.fromkeys(columns("disposal"), 0)
put("disposal", (nothing | {"id": 1 + i * many + j, "site": first_site + i, "procedure": first + i,
                            "by_site": first_site + many + j, "by": first + many + j, "how": "free",
                            "blocks": i + 1, "bytes": (i + 1) * (j + 1), "under_4k": i + 1}
                 for i in range(many) for j in range(many)))
db.commit()
