#!/usr/bin/env python3
"""cgview diff on random pairs of profiles against plain queries in the sqlite3 shell.

pairs.py CGVIEW MAKE-PROFILE DIRECTORY: prints "ok - " and "not ok - " lines.
"""
import csv
import io
import random
import shutil
import subprocess
import sys

cgview, make_profile, directory = sys.argv[1:]
a, b = directory + "/a.db", directory + "/b.db"
random.seed(20)


def shell(db, sql):
    done = subprocess.run(["sqlite3", "-csv", "-header", db], input=sql, capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit("not ok - sqlite3: " + done.stderr)
    return list(csv.DictReader(io.StringIO(done.stdout)))


def diff(*options):
    done = subprocess.run([cgview, "diff", "--format", "csv", *options, a, b],
                          capture_output=True, text=True)
    if done.returncode or done.stderr:
        print("#", done.stderr)
        return []
    return list(csv.DictReader(io.StringIO(done.stdout)))


# Everything that a profile says of a thing, with what makes it the same thing in two profiles.
PLACE = "coalesce(f.path, '') || ':' || coalesce(x.line, '') || ':' || coalesce(x.column, '') || " \
    "':' || coalesce(x.end_line, '') || ':' || coalesce(x.end_column, '')"
QUERIES = {
    "procedure": "SELECT linkage_name AS k, calls AS count, self_ns, total_ns FROM {0}procedure",
    "block": "SELECT p.linkage_name || ' ' || %s AS k, max(x.count) AS count, "
             "sum(x.self_ns) AS self_ns, 0 AS total_ns FROM {0}block x "
             "JOIN {0}procedure p ON p.id = x.procedure LEFT JOIN {0}file f ON f.id = x.file "
             "GROUP BY 1" % PLACE,
    "range": "SELECT p.linkage_name || ' ' || %s || ' ' || x.kind AS k, max(b.count) AS count, "
             "sum(x.self_ns) AS self_ns, 0 AS total_ns FROM {0}range x "
             "JOIN {0}block b ON b.id = x.block JOIN {0}procedure p ON p.id = b.procedure "
             "LEFT JOIN {0}file f ON f.id = x.file WHERE x.kind <> 'definition' GROUP BY 1" % PLACE,
    # A line of a procedure that is on one side only is another line than one on the other side.
    "line": "SELECT f.path || ':' || x.line || CASE WHEN p.linkage_name LIKE 'only%' THEN ' ' || "
            "p.linkage_name ELSE '' END AS k, sum(x.count) AS count, "
            "sum(x.self_ns) AS self_ns, 0 AS total_ns "
            "FROM {0}line x JOIN {0}file f ON f.id = x.file LEFT JOIN {0}procedure p "
            "ON p.file = x.file AND x.line BETWEEN p.line AND p.end_line GROUP BY 1",
    "file": "SELECT path AS k, count, self_ns, 0 AS total_ns FROM {0}file",
    "arc": "SELECT coalesce(r.linkage_name, 'outside') || ' ' || coalesce(e.linkage_name, "
           "'outside') || ' ' || %s AS k, sum(y.count) AS count, 0 AS self_ns, "
           "sum(y.total_ns) AS total_ns FROM {0}arc y "
           "LEFT JOIN {0}call_site x ON x.id = coalesce(y.site, y.through) "
           "LEFT JOIN {0}procedure r ON r.id = y.caller "
           "LEFT JOIN {0}procedure e ON e.id = y.callee "
           "LEFT JOIN {0}file f ON f.id = x.file GROUP BY 1" % PLACE,
    "site": "SELECT p.linkage_name || ' ' || %s AS k, sum(x.count) AS count, 0 AS self_ns, "
            "sum(x.total_ns) AS total_ns FROM {0}call_site x "
            "JOIN {0}procedure p ON p.id = x.procedure LEFT JOIN {0}file f ON f.id = x.file "
            "GROUP BY 1" % PLACE,
}


def key(by, row, names):
    place = ":".join(row[n] for n in ("file", "line", "column", "end_line", "end_column"))
    name = names.get(row["procedure"], row["procedure"])
    if by == "procedure":
        return name
    if by in ("block", "site"):
        return name + " " + place
    if by == "range":
        return name + " " + place + " " + row["kind"]
    if by == "line":
        line = row["file"] + ":" + row["line"]
        return line + owners.get((row["sides"], line), "")
    if by == "file":
        return row["file"]
    return name + " " + names.get(row["callee"], row["callee"]) + " " + place


def expected(by):
    """Sides, values and differences of each figure, by one query over both profiles."""
    sql = "ATTACH '%s' AS a; ATTACH '%s' AS b;\n" % (a, b)
    sql += "CREATE TEMP TABLE x AS %s;\nCREATE TEMP TABLE y AS %s;\n" % (
        QUERIES[by].format("a."), QUERIES[by].format("b."))
    figures = FIGURES[by]
    sql += "SELECT coalesce(x.k, y.k) AS k, %s FROM x FULL JOIN y ON x.k = y.k;\n" % ", ".join(
        "x.{0} AS a_{0}, y.{0} AS b_{0}, coalesce(y.{0}, 0) - 3 * coalesce(x.{0}, 0) AS value_{0}"
        .format(figure) for figure in figures)
    rows = shell(":memory:", sql)
    return {figure: {r["k"]: {n: r[n + "_" + figure] for n in ("a", "b", "value")} for r in rows}
            for figure in figures}


def compare(by, figure, names, want):
    bad = []
    got = {}
    last = None
    for row in diff("--by", by, "-e", "b.%s - 3 * a.%s" % (figure, figure)):
        if by == "range" and row["kind"] == "definition":
            continue
        k = key(by, row, names)
        if k in got:
            bad.append("twice: " + k)
        got[k] = row
        size = (abs(int(row["value"])), max(int(row["a"] or 0), int(row["b"] or 0)))
        if last is not None and size > last:
            bad.append("not in order: " + k)
        last = size
    for k in set(want) | set(got):
        if k not in want or k not in got:
            bad.append("%s: only %s" % (k, "ours" if k in got else "theirs"))
            continue
        side = "both" if want[k]["a"] and want[k]["b"] else "a" if want[k]["a"] else "b"
        have = {n: got[k][n] for n in ("a", "b", "value", "sides")}
        need = {"a": want[k]["a"], "b": want[k]["b"], "value": want[k]["value"], "sides": side}
        if have != need:
            bad.append("%s: %s, not %s" % (k, have, need))
    if not want:
        bad.append("nothing to compare")
    return bad


def shuffle(db, seed):
    """Other counts and times, in a profile that is otherwise the same."""
    shell(db, "".join(
        "UPDATE {0} SET {1} = (abs(id * {2} * 2654435761) % 10007) * (id % 7);\n".format(
            table, column, seed + 2 * i)
        for i, (table, column) in enumerate((
            ("procedure", "calls"), ("procedure", "self_ns"), ("procedure", "total_ns"),
            ("block", "count"), ("block", "self_ns"), ("range", "self_ns"), ("line", "count"),
            ("line", "self_ns"), ("file", "count"), ("file", "self_ns"), ("call_site", "count"),
            ("call_site", "total_ns"), ("arc", "count"), ("arc", "total_ns")))))


def enlarge(db):
    """What is kept in few bits has to be kept in more: counts and times at and beyond 2^31, columns
    at and beyond 2^16, things of thousands of lines."""
    shell(db, "".join(
        "UPDATE {0} SET {1} = CASE id % 5 WHEN 0 THEN {1} WHEN 1 THEN 2147483647 + id % 3 "
        "ELSE {1} * 3000000019 END;\n".format(table, column)
        for table, column in (("procedure", "calls"), ("procedure", "self_ns"), ("block", "count"),
                              ("range", "self_ns"), ("line", "count"), ("line", "self_ns"),
                              ("call_site", "count"), ("arc", "count"), ("arc", "total_ns"))))


def widen(db):
    shell(db, "".join(
        "UPDATE {0} SET end_column = 65534 + id % 4 WHERE id % 5 = 0;\n"
        "UPDATE {0} SET end_line = line + 4093 + id % 4 WHERE id % 7 = 0;\n"
        "UPDATE {0} SET column = 65534 + id % 4, end_line = line + 1, end_column = 9 "
        "WHERE id % 11 = 0;\n".format(t)
        for t in ("range", "block", "call_site")))


owners = {}
FIGURES = {"procedure": ("count", "self_ns", "total_ns"), "block": ("count", "self_ns"),
           "range": ("count", "self_ns"), "line": ("count", "self_ns"),
           "file": ("count", "self_ns"), "arc": ("count", "total_ns"),
           "site": ("count", "total_ns")}


def verdict(bad, name):
    for line in bad[:5]:
        print("#", line)
    print("not ok -" if bad else "ok -", name)


for round in range(6):
    subprocess.run([make_profile, a, "--procedures", str(20 + 30 * round), "--ranges",
                    str(300 + 500 * round), "--lines", "1500", "--files", str(1 + round)],
                   check=True)
    large = round >= 4
    if large:
        widen(a)
    shutil.copy(a, b)
    for db in (a, b):
        shuffle(db, random.randrange(1000) * 2 + 1)
        if large:
            enlarge(db)
    kind = "the same build, large numbers" if large else "the same build"
    if round % 2:
        # Some procedures are on one side only; without texts nobody can see that they are the
        # same under another name.
        kind = kind.replace("the same build", "some on one side only")
        for db, n in ((a, 5), (b, 7)):
            shell(db, "UPDATE file SET text_zlib = NULL, size_bytes = 0, hash = NULL;\n"
                      "UPDATE procedure SET name = 'only_%d_' || name, linkage_name = 'only_%d_' "
                      "|| linkage_name WHERE id %% %d = 0;\n"
                      "UPDATE call_site SET target = 'x' WHERE kind = 'direct';\n" % (n, n, n))
    names = {r["name"]: r["linkage_name"] for db in (a, b)
             for r in shell(db, "SELECT name, linkage_name FROM procedure")}
    owners = {(side, r["k"]): " " + r["name"] for side, db in (("a", a), ("b", b))
              for r in shell(db, "SELECT f.path || ':' || l.line AS k, p.linkage_name AS name "
                                 "FROM line l JOIN file f ON f.id = l.file JOIN procedure p ON "
                                 "p.file = l.file AND l.line BETWEEN p.line AND p.end_line "
                                 "WHERE p.linkage_name LIKE 'only%'")}
    for by, figures in FIGURES.items():
        wanted = expected(by)
        for figure in figures:
            verdict(compare(by, figure, names, wanted[figure]),
                    "pair %d (%s): %s of each %s" % (round, kind, figure, by))

# A profile compared with itself.
for by, figures in FIGURES.items():
    bad = []
    for figure in figures:
        shutil.copy(a, b)
        rows = diff("--by", by, "-e", "b.%s - a.%s" % (figure, figure))
        bad += ["%s %s" % (figure, r) for r in rows if r["value"] != "0" or r["sides"] != "both"
                or r["a"] != r["b"]]
        if not rows:
            bad.append("no rows")
    verdict(bad, "compared with itself: nothing differs (%s)" % by)
