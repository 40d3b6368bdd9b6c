#!/usr/bin/env python3
"""The 95 % intervals of calls that rest on samples: likely.py CGVIEW DB. Arcs of DB get other counts and samples, the same
each time; the bounds are those shares at which a test of the estimated share would just not fail, found by bisection."""
import csv
import io
import math
import random
import sqlite3
import subprocess
import sys

cgview, path = sys.argv[1:]
TWO_SIDED, ONE_SIDED, MOST = 1.96, 1.645, 100
END, FROM_END = 0.03, 0.018


def make_up(db):
    rng = random.Random(5)
    callees = [i for i, in db.execute("SELECT id FROM procedure WHERE NOT is_foreign ORDER BY id LIMIT 6")]
    db.execute("UPDATE procedure SET total_samples = id % 5")
    db.execute("UPDATE call_site SET total_samples = id % 4")
    sites = [i for i, in db.execute("SELECT id FROM call_site ORDER BY id LIMIT 9")]
    for i, in db.execute("SELECT id FROM arc ORDER BY id").fetchall():
        count = rng.choice((0, 0, 1, 17, 10 ** 4, 123456789, 3 * 10 ** 12))
        samples = rng.choice((0, 0, 0, 1, 2, 40, 900))
        db.execute("UPDATE arc SET callee = ?, count = ?, lo = ?, hi = ?, total_samples = ?, how = ? WHERE id = ?",
                   (rng.choice(callees), count, rng.choice((0, count // 3, count)), count + rng.choice((0, 5, 10 ** 13)),
                    samples, rng.choice(("estimated", "estimated", "estimated", "solved", "measured")), i))
    # What was handed out, and what came from nobody knows where.
    for i, in db.execute("SELECT id FROM arc WHERE id % 3 = 0").fetchall():
        db.execute("UPDATE arc SET site = NULL, through = ? WHERE id = ?", (rng.choice((None, *sites)), i))
    db.commit()


def solve(share, n, errors, low):
    """The share furthest below (or above) SHARE from which it is so many standard errors away."""
    near, far = share, 0.0 if low else 1.0
    for _ in range(200):
        p = (near + far) / 2
        if abs(share - p) <= errors * math.sqrt(p * (1 - p) / n):
            near = p
        else:
            far = p
    return near


def likely(arc, group):
    all_calls, of = sum(a["count"] for a in group), sum(a["total_samples"] for a in group)
    if not of:
        return None
    width = min(arc["hi"], all_calls) - arc["lo"]
    # Who hands something out makes calls as a rule: an end is no likelier than what is near it.
    if arc["site"] and min(arc["count"] - arc["lo"], arc["lo"] + width - arc["count"]) <= END * width:
        return (max(arc["lo"], math.floor(arc["count"] - FROM_END * width)),
                min(arc["hi"], math.ceil(arc["count"] + FROM_END * width)))
    n, share = of * MOST / (of + MOST), arc["count"] / all_calls if all_calls else 0
    none, each = arc["total_samples"] == 0, arc["total_samples"] == of
    lo = 0 if none else all_calls * solve(share, n, ONE_SIDED if each else TWO_SIDED, True)
    hi = math.inf if each else all_calls * solve(share, n, ONE_SIDED if none else TWO_SIDED, False)
    return (max(arc["lo"], min(lo, arc["count"])), min(arc["hi"], max(hi, arc["count"])))


def is_near(shown, expected):
    return abs(shown - expected) <= 1 + 1e-6 * expected


def main():
    db = sqlite3.connect(path)
    db.row_factory = sqlite3.Row
    make_up(db)
    arcs = db.execute("""SELECT a.*, s.total_samples AS of_site, p.total_samples AS of_callee FROM arc a
        LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through) LEFT JOIN procedure p ON p.id = a.callee ORDER BY a.id""").fetchall()
    out = subprocess.run([cgview, "report", "--by", "arc", "--format", "csv", "--limit", "1000000", path], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    rows = list(csv.DictReader(io.StringIO(out)))
    # In the order of the list: counts, the greatest first.
    shown = [(r["likely_lo"], r["likely_hi"]) for r in rows]
    some = narrow = handed = plain = wrong = 0
    for arc, (lo, hi) in zip(sorted(arcs, key=lambda a: (-a["count"], a["id"])), shown):
        expected = None
        outside = arc["site"] is None and any(a["callee"] == arc["callee"] and a["through"] for a in arcs)
        told = (arc["of_site"] or (arc["through"] and not arc["count"])) if arc["site"] or arc["through"] else (
            outside and arc["total_samples"])
        if arc["how"] == "estimated" and told and arc["of_callee"]:
            expected = likely(arc, [a for a in arcs if a["callee"] == arc["callee"] and a["how"] == "estimated" and
                                    (a["site"] is None if outside else a["through"] is None)])
        handed += expected is not None and arc["through"] is not None
        plain += expected is not None and arc["through"] is None and arc["site"] is None
        some += expected is not None
        narrow += expected is not None and expected != (arc["lo"], arc["hi"])
        good = (lo, hi) == ("", "") if expected is None else lo and hi and all(map(is_near, (int(lo), int(hi)), expected))
        if not good:
            wrong += 1
            print(f"# arc {arc['id']}: {lo}..{hi}, expected {expected}")
    good = len(shown) == len(arcs) and not wrong and some >= 20 and narrow >= 20 and handed >= 10 and plain
    print(f"{'ok' if good else 'not ok'} - {len(arcs)} arcs, {some} with an interval of samples, {narrow} narrower, "
          f"{handed} of what was handed out, {plain} of what came otherwise")


if __name__ == "__main__":
    main()
