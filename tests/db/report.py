#!/usr/bin/env python3
"""Compare what `cgview report` prints with the tables, asked by Python's own SQLite.

report.py CGVIEW DB: prints "ok - " and "not ok - " lines.
"""
import csv
import io
import json
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

cgview, path = sys.argv[1:]
db = sqlite3.connect(path)
db.text_factory = bytes

# The columns that are promised, and where they are in the tables; the order of the rows.
VIEWS = {
    "procedure": ("procedure,file,line,calls,self_ns,self_samples,total_ns", """
        SELECT p.name, f.path, p.line, p.calls, p.self_ns, p.self_samples, p.total_ns
        FROM procedure p LEFT JOIN file f ON f.id = p.file
        ORDER BY p.self_ns DESC, p.calls DESC, p.id"""),
    "block": ("file,line,column,end_line,end_column,procedure,count", """
        SELECT f.path, coalesce(r.line, b.line), coalesce(r.column, b.column),
        coalesce(r.end_line, b.end_line), coalesce(r.end_column, b.end_column), p.name, b.count
        FROM block b LEFT JOIN (SELECT h.*, row_number() OVER
            (PARTITION BY h.block ORDER BY h.self_ns DESC, h.id) AS nth FROM range h
            JOIN block o ON o.id = h.block AND o.file = h.file WHERE h.self_ns > 0) r
        ON r.block = b.id AND r.nth = 1 AND b.self_ns > 0
        LEFT JOIN file f ON f.id = b.file JOIN procedure p ON p.id = b.procedure
        ORDER BY b.count DESC, b.id"""),
    "site": ("file,line,column,end_line,end_column,procedure,kind,count", """
        SELECT f.path, s.line, s.column, s.end_line, s.end_column, p.name, s.kind, s.count
        FROM call_site s LEFT JOIN file f ON f.id = s.file JOIN procedure p ON p.id = s.procedure
        ORDER BY s.count DESC, s.id"""),
    "line": ("file,line,count,self_ns", """
        SELECT f.path, l.line, l.count, l.self_ns FROM line l JOIN file f ON f.id = l.file
        ORDER BY f.path, l.line"""),
    "file": ("file,lines,executed,self_ns", """
        SELECT f.path, (SELECT count(*) FROM line l WHERE l.file = f.id),
        (SELECT count(*) FROM line l WHERE l.file = f.id AND l.count > 0),
        (SELECT coalesce(sum(l.self_ns), 0) FROM line l WHERE l.file = f.id) AS ns
        FROM file f ORDER BY ns DESC,
        (SELECT coalesce(sum(count), 0) FROM block b WHERE b.file = f.id) DESC, f.id"""),
    "arc": ("caller,file,line,column,callee,count,lo,hi,how", """
        SELECT coalesce(r.name, 'outside'), f.path, s.line, s.column, coalesce(e.name, 'outside'),
        a.count, a.lo, a.hi, a.how
        FROM arc a LEFT JOIN call_site s ON s.id = a.site
        LEFT JOIN procedure r ON r.id = s.procedure LEFT JOIN procedure e ON e.id = a.callee
        LEFT JOIN file f ON f.id = s.file ORDER BY a.count DESC, a.id"""),
}


def run(*arguments, env=None, db=path):
    return subprocess.run([cgview, "report", *arguments, db], check=True,
                          stdout=subprocess.PIPE, env=env).stdout


def verdict(good, name, *why):
    if not good:
        print("#", *why)
    print("ok -" if good else "not ok -", name)


def escape(value, controls):
    """Bytes as the reports print them; CONTROLS tells how a character to escape looks."""
    if not isinstance(value, bytes):
        return value
    out = ""
    for c in value.decode("utf-8", "surrogateescape"):
        out += "<%02X>" % (ord(c) - 0xdc00) if 0xdc80 <= ord(c) < 0xdd00 else controls(c)
    return out


def visible(c):
    if ord(c) < 0x20 or ord(c) == 0x7f:
        return "^" + chr(ord(c) ^ 0x40)
    return "<U+%04X>" % ord(c) if c in "\u202e\u200b\ufeff" else c


for view, (columns, sql) in VIEWS.items():
    columns = columns.split(",")
    rows = db.execute(sql).fetchall()
    # CSV
    raw = run("--by", view, "--format", "csv")
    text = raw.decode("utf-8")
    lines = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    verdict(lines[0][:len(columns)] == columns, f"csv: header of {view}", lines[0])
    expected = [["" if v is None else str(escape(v, visible)) for v in row] for row in rows]
    got = [line[:len(columns)] for line in lines[1:]]
    verdict(got == expected, f"csv: {len(rows)} rows of {view}",
            next((p for p in zip(got, expected) if p[0] != p[1]), (len(got), len(expected))))
    verdict(all(len(line) == len(lines[0]) for line in lines) and raw.endswith(b"\r\n") and
            raw.count(b"\n") == raw.count(b"\r\n") == len(lines), f"csv: form of {view}")
    # JSON
    raw = run("--by", view, "--format", "json")
    data = json.loads(raw)
    verdict(list(data) == ["schema", "version", "document", "by", "rows"] and
            (data["schema"], data["version"], data["document"]) == ("cgview", 1, "report") and
            data["by"] == view and raw.isascii(), f"json: head of {view}", list(data))
    expected = [[escape(v, str) for v in row] for row in rows]
    got = [[row[c] for c in columns] for row in data["rows"]]
    verdict(got == expected, f"json: {len(rows)} rows of {view}",
            next((p for p in zip(got, expected) if p[0] != p[1]), (len(got), len(expected))))
    # The columns behind the promised ones are the same in both.
    verdict(not data["rows"] or list(data["rows"][0]) == lines[0], f"csv and json of {view} agree")
    # Limit
    raw = run("--by", view, "--format", "csv", "--limit", "3")
    short = list(csv.reader(io.StringIO(raw.decode(), newline="")))
    verdict(short == lines[:4], f"limit of {view}")
    # Every column sorts, both ways.
    bad = []
    for i, column in enumerate(lines[0]):
        for reverse in [], ["--reverse"]:
            out = list(csv.reader(io.StringIO(run("--by", view, "--format", "csv", "--sort", column,
                                                  *reverse).decode(), newline="")))[1:]
            if sorted(out) != sorted(lines[1:]):
                bad.append((column, "rows"))
            if column in ("procedure", "file", "caller", "callee", "kind", "how", "target",
                          "linkage_name", "state", "measured"):
                values = [row[i] for row in out]
                # Escapes change the order of a few odd names.
                values = [v for v in values if v and v[0].isalpha() or v.startswith("/")]
                want = sorted(values, reverse=bool(reverse))
            else:
                values = [int(row[i] or 0) for row in out]
                place = column in ("line", "column", "end_line", "end_column", "cycle")
                want = sorted(values, reverse=place == bool(reverse))
            if values != want:
                bad.append((column, reverse))
    verdict(not bad, f"sort by every column of {view}", bad)
    # Text: the last line adds up, the one before is what was left out.
    out = run("--by", view, "--limit", "4", env={"LC_ALL": "C.UTF-8"}).decode("utf-8")
    body = out.split("\n")[3:-1]
    total = body[-1]
    numbers = [int(n.replace(",", "")) for n in
               re.findall(r"(?<![\d.])\d[\d,]*(?![\d,.%]| [mnµs])", total)]
    sums = {"procedure": 3, "block": 6, "site": 7, "line": 2, "arc": 5}
    if view in sums:
        whole = sum(row[sums[view]] for row in rows)
        verdict(whole in numbers and len(rows) in numbers, f"text: totals of {view}", total, whole)
    if view in ("block", "site", "arc", "line"):
        out = run("--by", view, "--limit", "4", "--columns", "calls" if view == "arc" else "count",
                  env={"LC_ALL": "C.UTF-8"}).decode("utf-8")
        counts = [re.fullmatch(r" *(?:≈ )?([\d,]+)", line).group(1) for line in out.split("\n")[3:-1]]
        counts = [int(c.replace(",", "")) for c in counts]
        verdict(len(counts) == 6 and sum(counts[:-1]) == counts[-1], f"text: the counts of {view} add up", counts)

# Text: what is estimated is marked, what is not is not.
text = run("--by", "arc", env={"LC_ALL": "C.UTF-8"}).decode("utf-8")
marked = len([1 for line in text.split("\n") if line.lstrip().startswith("≈")])
wanted, = db.execute("SELECT count(*) FROM arc WHERE how = 'estimated'").fetchone()
verdict(marked == wanted > 0, "text: estimated counts are marked", marked, wanted)
text = run("--by", "arc", env={"LC_ALL": "C"})
verdict(text.isascii(), "text: only ASCII in the C locale")
for by in VIEWS:
    text = run("--by", by, env={"LC_ALL": "C.UTF-8"})
    bad = [b for b in text if b < 0x20 and b != 10 or b == 0x7f]
    try:
        text.decode("utf-8")
    except UnicodeDecodeError as e:
        bad.append(e)
    verdict(not bad and "\u202e" not in text.decode("utf-8", "replace"),
            f"text: no byte of {by} that a terminal obeys", bad)

# Filters.
(name, number_of), = db.execute("""SELECT p.name, count(*)
    FROM arc a JOIN procedure p ON p.id = a.callee GROUP BY p.name ORDER BY count(*) DESC LIMIT 1""")
got = json.loads(run("--callee", name, "--format", "json"))["rows"]
verdict(len(got) == number_of and all(r["callee"] == escape(name, str) for r in got), "callee")
(name, number_of), = db.execute("""SELECT p.name, count(*)
    FROM arc a JOIN procedure p ON p.id = a.caller GROUP BY p.name ORDER BY count(*) DESC LIMIT 1""")
got = json.loads(run("--caller", name, "--by", "arc", "--format", "json"))["rows"]
verdict(len(got) == number_of and all(r["caller"] == escape(name, str) for r in got), "caller")
(number_of,), = db.execute("SELECT count(*) FROM arc WHERE callee IS NULL")
got = json.loads(run("--callee", "outside", "--format", "json"))["rows"]
verdict(len(got) == number_of > 0, "callee outside")
(number_of,), = db.execute("SELECT count(*) FROM arc WHERE caller IS NULL")
got = json.loads(run("--caller", "outside", "--format", "json"))["rows"]
verdict(len(got) == number_of > 0 and got[0]["file"] is None, "caller outside")
# What is called outside: as the call names it.
(arc, site), = db.execute("""SELECT a.id, s.id FROM arc a JOIN call_site s ON s.id = a.site
    WHERE s.kind = 'direct' ORDER BY a.count DESC LIMIT 1""")
with tempfile.TemporaryDirectory() as scratch:
    changed = shutil.copy(path, scratch + "/changed.db")
    other = sqlite3.connect(changed)
    other.execute("UPDATE arc SET callee = NULL WHERE id = ?", (arc,))
    other.execute("UPDATE call_site SET target = 'strcmp@outside' WHERE id = ?", (site,))
    long = "a::" + "very_" * 30 + "long"
    templates = "a::very_<" + "x<int>, " * 30 + "y>::own_name"
    other.execute("UPDATE procedure SET name = ? WHERE id = 1", (long,))
    other.execute("UPDATE procedure SET name = ? WHERE id = 2", (templates,))
    other.commit()
    other.close()
    for locale, dots in ("C.UTF-8", "\u2026"), ("C", "~"):
        out = run(db=changed, env={"LC_ALL": locale}).decode("utf-8").split("\n")
        where = out[2].index("where")
        row, = [line for line in out if "very_very_" in line]
        first, _, last = row[:where - 2].partition(dots)
        verdict(first.endswith("  " + long[3:3 + (61 - len(dots)) // 2]) and
                long.endswith(last) and
                len(first.split("  ")[-1].strip() + dots + last) == 60 and
                row[where - 2:where] == "  " and row[where] != " ", f"text: a long name is cut in {locale}", row)
        verdict(any("  a::very_<x<int>, x<int>" in line[:where] and
                    line[:where - 2].endswith(dots + ">::own_name") for line in out),
                f"text: of templates the arguments are cut in {locale}")
    verdict(long in run("--format", "csv", db=changed).decode("utf-8", "replace"),
            "csv: a long name is whole")
    got = [r for r in json.loads(run("--callee", "outside", "--format", "json", db=changed))["rows"]
           if r["target"] is not None]
    verdict([(r["callee"], r["target"]) for r in got] == [("outside", "strcmp")], "target", got)
    text = run("--callee", "outside", db=changed, env={"LC_ALL": "C.UTF-8"}).decode("utf-8")
    verdict(text.count("strcmp (outside) ") == 1, "text: what is called outside", text)
for glob, like in [("list.c", "%/list.c"), ("util/*", "%/util/%"), ("*.c", "%.c"),
                   ("/tmp/made-up/big.c", "/tmp/made-up/big.c"), ("nope", "nope"),
                   ("ist.c", "%/ist.c")]:
    (number_of,), = db.execute("""SELECT count(*) FROM line l JOIN file f ON f.id = l.file
        WHERE path LIKE ?""", (like,))
    got = json.loads(run("--by", "line", "--file", glob, "--format", "json"))["rows"]
    verdict(len(got) == number_of, f"file {glob}", len(got), number_of)

# Rows that match, rows that weigh enough, and their totals, against the tables.
db.create_function("found", 2, lambda p, t: t is not None and re.search(
    p, t.decode("utf-8", "replace")) is not None)
FOUND = " OR ".join(f"found(:p, CAST({c} AS BLOB))" for c in ("p.name", "p.linkage_name", "f.path"))


def sums_of(text):
    return [int(n.replace(",", "")) for n in
            re.findall(r"(?<![\d.])\d[\d,]*(?![\d,.%]| [mnµs])", text.rstrip("\n").split("\n")[-1])]


whole, everything = db.execute("SELECT sum(self_ns), count(*) FROM procedure").fetchone()
for pattern in "1", "^procedure_[0-9]$", "list[.]c|_5", "(_1|2)$", "no such":
    rows = db.execute(f"""SELECT p.name, p.self_ns, p.calls FROM procedure p
        LEFT JOIN file f ON f.id = p.file WHERE {FOUND}
        ORDER BY p.self_ns DESC, p.calls DESC, p.id""", {"p": pattern}).fetchall()
    got = json.loads(run("--filter", pattern, "--format", "json"))["rows"]
    verdict([(r["procedure"], r["self_ns"]) for r in got] ==
            [(escape(r[0], str), r[1]) for r in rows], f"filter {pattern}", len(got), len(rows))
    sums = sums_of(run("--filter", pattern, env={"LC_ALL": "C.UTF-8"}).decode("utf-8"))
    verdict(sums[-2:] == [len(rows), everything] and sum(r[2] for r in rows) in sums,
            f"text: totals with filter {pattern}", sums)
got = json.loads(run("--filter", "PROCEDURE_1", "--format", "json"))["rows"]
verdict(not got, "filter: capitals matter when there are any")
got = json.loads(run("--filter", "[Pp]ROCEDURE_1|procedure_2", "--format", "json"))["rows"]
(number_of,), = db.execute("""SELECT count(*) FROM procedure
    WHERE 'procedure_2' IN (substr(name, 1, 11), substr(linkage_name, 1, 11))""")
verdict(len(got) == number_of > 0, "filter: a regular expression", len(got), number_of)
for by, table, column, percent in [("procedure", "procedure", "self_ns", 3),
                                   ("procedure", "procedure", "total_ns", 12.5),
                                   ("procedure", "procedure", "calls", 0.01),
                                   ("block", "block", "count", 0.5), ("line", "line", "count", 1),
                                   ("line", "line", "self_ns", 0.2), ("site", "call_site", "count", 2)]:
    total = whole
    if not column.endswith("_ns"):
        (total,), = db.execute(f"SELECT sum({column}) FROM {table}")
    wanted = [n for n, in db.execute(f"SELECT {column} FROM {table} ORDER BY 1 DESC")
              if n * 100 >= total * percent]
    got = json.loads(run("--by", by, "--sort", column, "--min", str(percent), "--format",
                         "json"))["rows"]
    verdict([r[column] for r in got] == wanted, f"--min {percent} of {column} by {by}",
            len(got), len(wanted))

# Directories: each with its own files, and all below.
paths = [(p.decode("utf-8", "surrogateescape"), *rest) for p, *rest in db.execute(
    "SELECT path, self_ns, count, code_lines, executed_lines, procedures FROM file")]
got = json.loads(run("--by", "directory", "--format", "json"))["rows"]
verdict(sum(r["self_ns"] for r in got) == sum(p[1] for p in paths) and
        sum(r["files"] for r in got) == len(paths), "directories add up to the files", got)
for row in got:
    d = row["directory"]
    own = [p for p in paths if p[0].rpartition("/")[0] == d]
    below = [p for p in paths if p[0].startswith(d + "/")]
    verdict([row[c] for c in ("files", "self_ns", "count", "lines", "executed", "procedures")] ==
            [len(own), *(sum(p[i] for p in own) for i in range(1, 6))] and
            [row["total_ns"], row["total_count"]] ==
            [sum(p[i] for p in below) for i in (1, 2)], f"directory {d}", row)

# Which of them are shown: those that have files, and those that have code that was executed in several
# directories; the root of all is none.
PATHS = ["/usr/include/a.h", "/usr/include/bits/b.h", "/usr/lib/gcc/c.h", "/home/me/work/src/one/d.c",
         "/home/me/work/src/two/e.c", "/home/me/work/src/two/deep/below/f.c", "lib/x/g.c", "lib/y/h.c"]
with tempfile.TemporaryDirectory() as scratch:
    changed = shutil.copy(path, scratch + "/changed.db")
    other = sqlite3.connect(changed)
    row = other.execute("SELECT * FROM file LIMIT 1").fetchone()
    names = [d[0] for d in other.execute("SELECT * FROM file LIMIT 1").description]
    other.execute("DELETE FROM file")
    for number, name in enumerate(PATHS):
        new = dict(zip(names, row), id=number + 1, path=name, count=10 ** number if name[1] != "u" else 0,
                   self_ns=0)
        other.execute(f"INSERT INTO file VALUES ({', '.join('?' * len(names))})", list(new.values()))
    other.commit()
    other.close()
    got = {r["directory"]: (r["files"], r["total_count"]) for r in
           json.loads(run("--by", "directory", "--format", "json", db=changed))["rows"]}
    verdict(got == {"/usr/include": (1, 0), "/usr/include/bits": (1, 0), "/usr/lib/gcc": (1, 0),
                    "/home/me/work/src": (0, 111000), "/home/me/work/src/one": (1, 1000),
                    "/home/me/work/src/two": (1, 110000), "/home/me/work/src/two/deep/below": (1, 100000),
                    "lib": (0, 11000000), "lib/x": (1, 1000000), "lib/y": (1, 10000000)},
            "directories that say nothing are folded", got)

# Columns as they are asked for.
text = run("--columns", "calls,procedure,self%,self_each_ns", "--limit", "3", env={"LC_ALL": "C"})
verdict(text.decode().split("\n")[2].split() == ["calls", "procedure", "self%", "self_each_ns"],
        "text: columns in the order asked for", text)
raw = run("--columns", "calls,procedure,self%", "--format", "csv").decode()
lines = list(csv.reader(io.StringIO(raw, newline="")))
rows = db.execute("""SELECT calls, name, self_ns FROM procedure
    ORDER BY self_ns DESC, calls DESC, id""").fetchall()
verdict(lines == [["calls", "procedure", "self_ns"]] +
        [[str(c), escape(n, visible), str(s)] for c, n, s in rows], "csv: columns asked for", lines[:2])
