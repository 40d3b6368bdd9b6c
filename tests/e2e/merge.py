"""The sum of profiles against their own rows, as the sqlite3 module reads them: merge.py SUM PROFILE...
Rows are told apart by what they are of, never by ids; several that are the same are taken together."""
import collections
import sqlite3
import sys

MOST = 2 ** 63 - 1

PLACE = "coalesce(f.path, '') || ':' || coalesce(x.line || ':' || x.column || ':' || x.end_line || ':' || x.end_column, '')"
PROCEDURE = "p.linkage_name || ' ' || coalesce((SELECT path FROM file WHERE id = p.file), '') || ':' || coalesce(p.line, 0)"
TABLES = {
    # Those of foreign code follow from the sites, also in runs in which it was not seen.
    "procedure": ("SELECT %s, iif(x.is_foreign, 0, x.calls), x.self_samples, x.self_ns, x.total_samples, x.total_ns, x.centre_ns, "
                  "x.self_wait_ns, x.total_wait_ns FROM procedure x JOIN procedure p ON p.id = x.id") % PROCEDURE,
    "block": ("SELECT %s || ' ' || x.number || %s, x.count, x.self_samples, x.self_ns, x.self_wait_ns FROM block x "
              "JOIN procedure p ON p.id = x.procedure LEFT JOIN file f ON f.id = x.file") % (PROCEDURE, PLACE),
    "range": ("SELECT %s || ' ' || b.number || x.kind || %s, x.self_samples, x.self_ns, x.self_wait_ns FROM range x "
              "JOIN block b ON b.id = x.block JOIN procedure p ON p.id = b.procedure "
              "LEFT JOIN file f ON f.id = x.file") % (PROCEDURE, PLACE),
    "line": "SELECT f.path || x.line, x.count, x.self_samples, x.self_ns FROM line x JOIN file f ON f.id = x.file",
    "call_site": ("SELECT %s || ' ' || x.target || %s, x.count, x.total_samples, x.total_ns FROM call_site x "
                  "JOIN procedure p ON p.id = x.procedure LEFT JOIN file f ON f.id = x.file") % (PROCEDURE, PLACE),
    "measured": ("SELECT coalesce(p.name, '') || coalesce(s.line || ':' || s.column, '') || coalesce(c.name, ''), a.measured "
                 "FROM arc a LEFT JOIN call_site s ON s.id = a.site LEFT JOIN procedure p ON p.id = s.procedure "
                 "LEFT JOIN procedure c ON c.id = a.callee"),
    "context": ("WITH RECURSIVE path(id, text) AS (SELECT c.id, coalesce(p.name, '?') FROM context c LEFT JOIN procedure p "
                "ON p.id = c.procedure WHERE parent IS NULL UNION ALL SELECT c.id, path.text || '>' || coalesce(s.line "
                "|| ':' || s.column, '') || coalesce(p.name, '?') FROM context c JOIN path ON path.id = c.parent "
                "LEFT JOIN procedure p ON p.id = c.procedure LEFT JOIN call_site s ON s.id = c.site) "
                "SELECT path.text, x.self_samples, x.total_samples, x.self_wait_ns, x.total_wait_ns FROM context x "
                "JOIN path ON path.id = x.id"),
    "run": "SELECT started_ns || host || command, wall_ns, cpu_ns, samples, exit_status FROM run",
    "thread": "SELECT r.started_ns || ' ' || t.pid || ' ' || t.tid, t.cpu_ns, t.samples FROM thread t "
              "JOIN run r ON r.id = t.run",
    "part": "SELECT r.started_ns || ' ' || x.pid || ' ' || x.tid, x.blocks_executed, x.samples, x.cpu_ns FROM part x "
            "JOIN run r ON r.id = x.run",
}


def sums(paths, query):
    total = collections.defaultdict(lambda: None)
    for path in paths:
        db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)
        for key, *figures in db.execute(query):
            old = total[key] or [0] * len(figures)
            total[key] = [min(a + b, MOST) for a, b in zip(old, figures)]
    return total


def without_zeroes(rows):
    return {key: figures for key, figures in rows.items() if any(figures)}


for name, query in TABLES.items():
    got, wanted = sums(sys.argv[1:2], query), sums(sys.argv[2:], query)
    zero = name == "context" or name == "measured"  # an arc that was not taken may be gone
    if zero:
        got, wanted = without_zeroes(got), without_zeroes(wanted)
    different = [key for key in set(got) | set(wanted) if got.get(key) != wanted.get(key)]
    for key in different[:5]:
        print("# %s %s: %s, not %s" % (name, key, got.get(key), wanted.get(key)))
    print("%s - %s rows are the sums (%d)" % ("not ok" if different or not wanted and name != "measured" else "ok",
                                                name, len(wanted)))
