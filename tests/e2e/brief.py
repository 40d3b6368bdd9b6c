#!/usr/bin/env python3
"""Compare what `cgview brief --format json` says with the tables, asked by Python's own SQLite, and its text with that.

brief.py CGVIEW DB: prints "ok - " and "not ok - " lines.
"""
import json
import math
import os
import re
import shlex
import sqlite3
import subprocess
import sys

cgview, path = sys.argv[1:]
db = sqlite3.connect(path)
db.text_factory = lambda b: b.decode("utf-8", "replace")


def verdict(good, name, *why):
    if not good:
        print("#", *why)
    print("ok -" if good else "not ok -", path + ":", name)


def run(*words):
    return subprocess.run(words, capture_output=True, check=True)


def one(sql, *values):
    return db.execute(sql, values).fetchone()


data = json.loads(run(cgview, "brief", "--format", "json", path).stdout)
text = run(cgview, "brief", path).stdout.decode()
rows, facts = {}, {f["fact"]: f for f in data["facts"]}
for row in data["rows"]:
    rows.setdefault(row["fact"], {}).setdefault(row["row"], []).append(row)

lines = text.splitlines()
verdict(len(lines) <= 60, "at most 60 lines", len(lines))
verdict(not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text), "nothing in it controls a terminal")
verdict([int(n) for n in re.findall(r"^ ?(\d+)\. ", text, re.M)] == list(range(1, 11)) and len(facts) == 10, "ten facts")
verdict(all((f["fact"] in rows) != (f["none"] is not None) for f in data["facts"]),
        "each has rows, or says why it has none", data["facts"])
trusts = {r["trust"] for r in data["rows"] if r["figure"]}
verdict(trusts <= {"exact", "at least", "estimated", "sampled"}, "each figure says how sure it is", trusts)
failed = [f["more"] for f in data["facts"] if f["more"] and not f["none"] and
          subprocess.run([cgview, *shlex.split(f["more"])[1:]], capture_output=True).returncode]
verdict(not failed or "odd" in path, "the commands that show more succeed", failed)
marks = re.findall(r"^ ?\d+\. .* \[([a-z, ]+)\]$", text, re.M)
verdict(len(marks) >= 3 and all(w in ("exact", "at least", "estimated", "sampled") for m in marks
                                for w in m.split(", ")), "the titles say so, too", marks)


def figures(fact, row):
    return {r["figure"]: r["value"] for r in rows.get(fact, {}).get(row, [])}


def error_of(samples, ns):
    """Half of the interval that holds the true share with 95 % (Agresti and Coull), as a share of the figure."""
    n, all_ns = one("SELECT self_samples, self_ns FROM totals")
    weights = {w for w, in db.execute("SELECT sample_ns FROM run WHERE sample_ns")}
    if len(weights) != 1 or abs(all_ns / n - min(weights)) > 0.01 * min(weights):
        return None  # samples of unequal weight: see the tests of the error itself
    m = samples
    if m == n and n >= 100:
        return 0
    p = (m + 2) / (n + 4)
    return 1.96 * math.sqrt(p * (1 - p) / (n + 4)) * n / m if m else None


# 1: what was measured as a whole.
cpu, wall, samples, blocks, runs = one(
    "SELECT sum(cpu_ns), sum(wall_ns), self_samples, blocks_executed, runs FROM run, totals")
run_of = {**figures("run", 1), **figures("run", 2)}
verdict((run_of.get("cpu_ns", 0), run_of.get("wall_ns", 0), run_of.get("samples", 0), run_of["runs"]) ==
        (cpu, wall, samples, runs) and run_of.get("blocks_executed", 0) in (0, blocks), "the run", run_of)

# 2, 3: the hottest, by their own time.
wanted = db.execute("SELECT name, self_ns, self_samples, calls, self_ns * 100.0 / (SELECT self_ns FROM totals) "
                    "FROM procedure WHERE self_ns > 0 ORDER BY self_ns DESC, calls DESC, id LIMIT 5").fetchall()
got = [(r[0]["name"], figures("hottest_procedures", i)) for i, r in sorted(rows.get("hottest_procedures", {}).items())]
if samples:
    verdict([(n, f["self_ns"]) for n, f in got] == [w[:2] for w in wanted] and
            all(abs(f["share"] - w[4]) < 1e-6 and f.get("calls", 0) == (w[3] or 0) for (_, f), w in zip(got, wanted)),
            "the hottest procedures", got, wanted)
    errors = [r["error"] for i in sorted(rows["hottest_procedures"]) for r in rows["hottest_procedures"][i]
              if r["figure"] == "self_ns"]
    known = [error_of(w[2], w[1]) for w in wanted]
    verdict(all(e is not None and (k is None or math.isclose(e, k, rel_tol=0.02)) for e, k in zip(errors, known)),
            "their errors", errors, known)
    wanted = db.execute("SELECT path, line, l.self_ns FROM line l JOIN file f ON f.id = l.file WHERE l.self_ns > 0 "
                        "ORDER BY l.self_ns DESC, l.count DESC, l.id LIMIT 4").fetchall()
    got = [(r[0]["file"], r[0]["line"], figures("hottest_lines", i)["self_ns"])
           for i, r in sorted(rows.get("hottest_lines", {}).items())]
    verdict(got == wanted, "the hottest lines", got, wanted)
    hottest = one("SELECT id FROM procedure ORDER BY self_ns DESC, calls DESC, id LIMIT 1")[0]
    wanted = {n for n, in db.execute("SELECT coalesce(name, 'outside') FROM arc a LEFT JOIN procedure p "
                                     "ON p.id = a.caller WHERE a.callee = ? AND (a.hi > 0 OR a.total_ns > 0)", (hottest,))}
    got = {r[0]["name"] for r in rows.get("callers", {}).values()}
    verdict(got <= wanted and (len(got) == min(3, len(wanted)) or len(wanted) > 3 or not got), "who calls it", got, wanted)
else:
    verdict(not got and facts["hottest_procedures"]["none"] and facts["hottest_lines"]["none"], "without samples none is hot")

# 5, 7: counts.
counted = one("SELECT count(*) FROM line WHERE count > 0")[0]
if counted:
    table = "block" if "most_executed" in rows and rows["most_executed"][1][0]["column"] else "line"
    wanted = [n for n, in db.execute("SELECT count FROM %s ORDER BY count DESC LIMIT 3" % table)]
    got = [figures("most_executed", i)["count"] for i in sorted(rows["most_executed"])]
    verdict(got == wanted, "what ran most", got, wanted)
    never, all_lines = one("SELECT sum(count = 0 AND lacking < 9223372036854775807), count(*) FROM line")
    got = figures("never_executed", 1)
    verdict((got["never"], got["lines"]) == (never, all_lines), "what never ran", got, never, all_lines)
    at_least = bool(one("SELECT count(*) FROM block WHERE lacking > 0 AND count > 0")[0])
    verdict(at_least == ("at least" in trusts) or at_least, "counts that are too low say so", at_least, trusts)
else:
    verdict(all(facts[f]["none"] for f in ("most_executed", "never_executed", "dearest_per_call")),
            "without counts nothing is said of them")

# 6: by hand, of those with samples enough.
if counted and samples:
    for i in sorted(rows.get("dearest_per_call", {})):
        name, f = rows["dearest_per_call"][i][0]["name"], figures("dearest_per_call", i)
        ns, calls = one("SELECT self_ns, calls FROM procedure WHERE name = ? AND calls = ? ORDER BY self_ns DESC",
                        name, f["calls"]) or (0, 1)
        verdict(calls > 1 and math.isclose(f["self_each_ns"], ns / calls), "each call of " + repr(name), f, ns, calls)

# 8, 9: what only some recordings have.
tables = {n for n, in db.execute("SELECT name FROM sqlite_master")}
if "disposal" in tables and one("SELECT count(*) FROM disposal")[0]:
    got = figures("memory", 1)
    verdict((got["bytes"], got["blocks"], got["live"]) ==
            one("SELECT sum(bytes), sum(blocks), coalesce(sum(bytes) FILTER (WHERE how = 'never'), 0) FROM disposal"),
            "memory", got)
else:
    verdict("--space" in facts["memory"]["none"] or "none" in facts["memory"]["none"], "no memory", facts["memory"])
waited = one("SELECT sum(wait_ns) FROM run")[0]
if facts["waiting"]["none"] is None:
    verdict(figures("waiting", 1)["wait_ns"] == waited, "waiting", figures("waiting", 1), waited)
else:
    verdict(not waited, "no waiting", waited)

# 10
told = {r[0]["name"]: r[0]["note"] for r in rows["trust"].values()}
verdict(not samples or re.match("{:,}[:,] ".format(samples), told["samples"]), "how many samples", told)
verdict(("compile with cgcc" in told["counts"] or "none" in told["counts"]) == (not counted), "whether it counts", told)
