#!/usr/bin/env python3
"""sql.py CGVIEW PROFILE: cgview report --sql against Python's own SQLite, and queries that must not
be executed, or not for ever."""
import csv
import hashlib
import io
import json
import os
import resource
import sqlite3
import subprocess
import sys
import time

cgview, profile = sys.argv[1:3]
failed = False


def verdict(ok, name, why=""):
    global failed
    failed |= not ok
    if not ok and why:
        print("# " + why[:2000].replace("\n", "\n# "))
    print(f"{'ok' if ok else 'not ok'} - {name}")


def report(sql, *options):
    try:
        return subprocess.run([cgview, "report", *options, "--sql", sql, profile], capture_output=True,
                              check=False, timeout=100)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(e.cmd, -1, b"", b"it has not come to an end")


def digest():
    with open(profile, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest(), sorted(os.listdir("."))


QUERIES = [
    "SELECT name, calls, self_ns, self_ns / 1e9 AS s FROM procedure ORDER BY self_ns DESC, id",
    "SELECT * FROM line ORDER BY id",
    "SELECT f.path, l.line FROM line l JOIN file f ON f.id = l.file WHERE l.count = 0 ORDER BY 1, 2",
    "SELECT count(*) FROM range WHERE file = 1 AND line <= 20 AND end_line >= 10",
    "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 1000) SELECT x, x * x FROM c",
    "SELECT NULL, 1, 1.5, 'text', 'it''s \"quoted\", with a comma', -9223372036854775808",
    "SELECT a.caller, group_concat(a.callee, ' ') FROM arc a GROUP BY 1 ORDER BY 1 ; -- the end",
    "VALUES (1, 2), (3, 4)",
    "SELECT * FROM procedure WHERE 0",
]
db = sqlite3.connect(f"file:{profile}?mode=ro", uri=True)
before = digest()
for query in QUERIES:
    cursor = db.execute(query)
    names = [d[0] for d in cursor.description]
    rows = [list(row) for row in cursor]
    done = report(query, "--format", "json")
    try:
        got = json.loads(done.stdout)
    except ValueError:
        got = {}
    verdict(done.returncode == 0 and got.get("columns") == names and got.get("rows") == rows,
            f"json: {query[:50]}", f"{done.stderr} {got} {rows}")
    done = report(query, "--format", "csv")
    got = list(csv.reader(io.StringIO(done.stdout.decode())))
    wanted = [names] + [["" if v is None else str(v) for v in row] for row in rows]
    verdict(got == wanted, f"csv: {query[:50]}", f"{done.stderr} {got} {wanted}")
    done = report(query)
    lines = done.stdout.decode().splitlines()
    verdict(done.returncode == 0 and len(lines) == len(rows) + 1, f"text: {query[:50]}")

done = report("SELECT name AS procedure, calls FROM procedure ORDER BY calls DESC", "--limit", "2")
verdict(done.stdout.decode() == "procedure    calls\nhash       1204331\nlookup     1204331\n",
        "text is aligned", repr(done.stdout))
tables = {tuple(line.split()[:2]) for line in report("").stdout.decode().splitlines()[1:]}
known = {(t, c[1]) for t, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
         for c in db.execute(f'PRAGMA table_info("{t}")')}
verdict(("arc", "lo") in tables and tables == known, "an empty query lists tables and columns",
        f"{known ^ tables}")

# One line each, a status of 1, and nothing happens.
REFUSED = {
    "DELETE FROM procedure": "only SELECT",
    "UPDATE procedure SET name = ''": "only SELECT",
    "INSERT INTO note(kind) VALUES ('x')": "only SELECT",
    "WITH x AS (SELECT 1) DELETE FROM procedure": "only SELECT",
    "DELETE FROM procedure RETURNING id": "only SELECT",
    "DROP TABLE procedure": "only SELECT",
    "CREATE TEMP TABLE x (a)": "only SELECT",
    "CREATE VIEW x AS SELECT 1": "only SELECT",
    "ATTACH 'other.db' AS other": "only SELECT",
    "DETACH main": "only SELECT",
    "VACUUM INTO 'other.db'": "only SELECT",
    "BEGIN": "only SELECT",
    "PRAGMA journal_mode = WAL": "only SELECT",
    "PRAGMA query_only = OFF": "only SELECT",
    "REINDEX": "only SELECT",
    "ANALYZE": "only SELECT",
    "SELECT load_extension('x')": "not authorized",
    "SELECT * FROM pragma_journal_mode": "not authorized|only SELECT", # SQLite 3.40, 3.46
    "SELECT writefile('x', 'y')": "no such function: writefile, at character 8: writefile('x', 'y')",
    "SELECT 1; SELECT 2": "one query at a time, at character 11: SELECT 2",
    "SELECT 1; DROP TABLE procedure": "one query at a time",
    "SELECT foo FROM procedure": "no such column: foo, at character 8: foo FROM procedure",
    "SELEC 1": 'near "SELEC": syntax error, at character 1: SELEC 1',
    "SELECT (1": "incomplete input",
    "-- nothing": "there is no query",
    "SELECT zeroblob(1000000000)": "too big",
    "SELECT * FROM procedure a, procedure b, procedure c, procedure d": "too many columns",
    "SELECT '\033[31m', \033": "unrecognized token",
}
for query, why in REFUSED.items():
    done = report(query)
    err = done.stderr.decode()
    verdict(done.returncode == 1 and err.count("\n") == 1 and any(w in err for w in why.split("|")) and "\033" not in err and
            not done.stdout, f"refused: {query!r}", f"{done.returncode} {err} {done.stdout!r}")
verdict(digest() == before, "the profile and its directory are as they were")

# What would never end, or need too much.
# (The sanitizer keeps for a while what is freed.)
MOST_MB = 1200 if "asan" in os.environ.get("BUILD", "") else 600
FOREVER = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) "
for query, why in ((FOREVER + "SELECT sum(x) FROM c", "more than 1 seconds"),
                   (FOREVER + "SELECT a.x FROM c a, c b WHERE a.x < 0", "more than 1 seconds"),
                   (FOREVER + "SELECT group_concat(x) FROM c", "more than 1 seconds|too big"),
                   (FOREVER + "SELECT x, hex(randomblob(1000)) FROM c ORDER BY 2",
                    "more than 256 MB|more than 1 seconds")):
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = usage.ru_utime + usage.ru_stime
    done = report(query, "--seconds", "1")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = usage.ru_utime + usage.ru_stime - spent
    err = done.stderr.decode()
    verdict(done.returncode == 1 and any(w in err for w in why.split("|")) and spent < 3 and
            usage.ru_maxrss < MOST_MB << 10, f"comes to an end: {query[65:]}",
            f"{err} {spent} s, {usage.ru_maxrss >> 10} MB")
# One call of a function, or one step, that takes minutes: nothing within SQLite ends these.
BIG = "replace(hex(zeroblob(2000000)), '00', 'aa')"
MANY = "(" + FOREVER + "SELECT {} FROM c LIMIT {})"
for query in (
        f"SELECT instr({BIG}, substr({BIG}, 1, 1900000) || 'b')",
        f"SELECT replace({BIG}, substr({BIG}, 1, 1900000) || 'b', '')",
        f"SELECT instr(CAST({BIG} AS blob), CAST(substr({BIG}, 1, 1900000) || 'b' AS blob))",
        f"SELECT trim({BIG} || 'z', 'bcdefghijklmnopqrstuvwxyz' || replace({BIG}, 'a', 'b') || 'a')",
        f"SELECT json_patch((SELECT json_group_object(x, 1) FROM {MANY.format('x', 200000)}), "
        f"(SELECT json_group_object(-x, 1) FROM {MANY.format('x', 200000)}))",
        f"SELECT count(*) FROM (SELECT 1 FROM range a, range b, range c, range d WHERE "
        f"{BIG} || a.id LIKE '%a%a%a%a%a%a%b%' || d.id)",
        f"SELECT count(*) FROM (SELECT 1 FROM range a, range b, range c WHERE "
        f"{BIG} || a.id GLOB '*a*a*a*a*[b-z]*' || b.id)",
        f"SELECT sum(length(printf('%.*c%s', 4000000, 'x', {BIG} || a.id))) FROM range a, range b",
        f"SELECT sum(length(hex(randomblob(4000000 + a.id % 2)))) FROM range a, range b, range c",
        f"SELECT group_concat(x, '') OVER (ORDER BY x ROWS BETWEEN 400000 PRECEDING AND CURRENT ROW) "
        f"FROM {MANY.format('x', 800000)}",
        FOREVER + "SELECT count(*) FROM c WHERE unicode(upper(hex(zeroblob(3000000 + x % 2)))) = 0"):
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = usage.ru_utime + usage.ru_stime
    done = report(query, "--seconds", "1", "--format", "csv")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = usage.ru_utime + usage.ru_stime - spent
    err = done.stderr.decode()
    # How soon its parent sees it depends on who else computes; minutes it cannot be.
    verdict(done.returncode == 1 and spent < 5 and
            ("more than 1 seconds" in err or "too big" in err or "MB of memory" in err),
            f"comes to an end: {query[:100]}", f"{done.returncode} {err} {spent} s")
done = report("SELECT sum(length(replace(hex(zeroblob(4000000)), '0', 'a')) + instr(name, 'a')) FROM procedure "
              "WHERE id <= 3", "--format", "csv")
verdict(done.returncode == 0 and b"\n2400000" in done.stdout, "texts of megabytes are no harm",
        f"{done}")
start = time.monotonic()
done = report(FOREVER + "SELECT x FROM c", "--limit", "3", "--format", "csv")
verdict(done.stdout == b"x\r\n1\r\n2\r\n3\r\n" and time.monotonic() - start < 30,
        "rows beyond the limit are not asked for")
done = report("SELECT char(27) || '[31m' || char(155) || char(8238) AS x, '" + "y" * 10000 + "' AS y",
              "--format", "csv")
row = list(csv.reader(io.StringIO(done.stdout.decode())))[1]
verdict(row == ["^[[31m<9B><U+202E>", "y" * 10000], "control characters are seen", f"{row}"[:200])
done = report("SELECT 1", "--by", "line")
verdict(done.returncode == 2 and b"--sql goes with" in done.stderr, "with other options: refused")
sys.exit(failed)
