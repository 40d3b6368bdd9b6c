#!/usr/bin/env python3
"""Do procedures have the shares of the time that they must have, by both chargings?

shares.py DB EXPECTED GROUP: prints an "ok - " or "not ok - " line; status 1: not ok; status 3: too few samples.
EXPECTED: lines of group, procedure, units. A share may be off by five standard errors of as many samples as run.sample_ns
says that there are, and one percent; samples do not all stand for as much time. Status 3 also where the kernel's ticks missed the program, as others had the processor: what they missed
is not missed at random.
"""
import math
import sqlite3
import sys
import time

TICK_NS = time.clock_getres(6) * 1e9  # CLOCK_MONOTONIC_COARSE

path, expected, group = sys.argv[1:]
db = sqlite3.connect(path)
units = {}
for line in open(expected):
    word = line.split()
    if word[0] == group:
        units[word[1]] = int(word[2])
whole = sum(units.values())

asked, cpu, taken, each = db.execute(
    "SELECT max(asked_interval_ns), sum(cpu_ns), sum(samples), max(sample_ns) FROM run").fetchone()
if taken < 0.85 * cpu / max(asked, TICK_NS):
    sys.exit(3)

bad = []
for column, samples in (("self", "samples"), ("centre", "centre_samples")):
    n, = db.execute(f"SELECT {samples} FROM run").fetchone()
    counted, ns = db.execute(f"SELECT sum({column}_samples), sum({column}_ns) FROM procedure").fetchone()
    got = dict(db.execute(f"SELECT replace(name, '()', ''), sum({column}_ns) FROM procedure GROUP BY 1"))
    named = {name.split("::")[-1]: time_ns / ns for name, time_ns in got.items()}
    equal = ns / each
    if n < 60 or equal < 60:
        sys.exit(3)  # a busy machine: more time
    if counted != n:
        bad.append(f"{column}: the rows have {counted} of {n} samples")
    for name, unit in units.items():
        share = unit / whole
        error = math.sqrt(share * (1 - share) / equal)
        if abs(named.get(name, 0) - share) > 5 * error + 0.01:
            bad.append(f"{column}: {name} has {named.get(name, 0):.2%} of the time, {share:.2%} +- {error:.2%} expected")
    other = 1 - sum(named.get(name, 0) for name in units)
    if other > 0.05 + 5 / n:
        bad.append(f"{column}: {other:.1%} of the time are elsewhere: {got}")
for b in bad:
    print("#", b)
print("not ok -" if bad else "ok -", f"shares of {group}")
sys.exit(bool(bad))
