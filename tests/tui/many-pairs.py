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
# SQLite makes the million by itself, four times as fast as rows can be handed to it.
made = {"id": "1 + i.n * :many + j.n", "site": ":site + i.n", "procedure": ":first + i.n",
        "by_site": ":site + :many + j.n", "by": ":first + :many + j.n", "how": "'free'",
        "blocks": "i.n + 1", "bytes": "(i.n + 1) * (j.n + 1)", "under_4k": "i.n + 1"}
db.execute(f"""WITH RECURSIVE number(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM number WHERE n + 1 < :many)
    INSERT INTO disposal SELECT {", ".join(made.get(name, "0") for name in columns("disposal"))}
    FROM number i CROSS JOIN number j ORDER BY i.n, j.n""", {"many": many, "site": first_site, "first": first})
db.commit()
