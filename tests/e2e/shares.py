#!/usr/bin/env python3
"""Do procedures have the shares of the time that they must have, by both chargings?

shares.py DB EXPECTED GROUP: prints an "ok - " or "not ok - " line; status 1: not ok; status 3: too few samples.
EXPECTED: lines of group, procedure, units. A share may be off by five standard errors of its samples and one
percent. Status 3 also where the kernel's ticks missed the program, as others had the processor: what they missed
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

asked, cpu, taken = db.execute("SELECT max(asked_interval_ns), sum(cpu_ns), sum(samples) FROM run").fetchone()
if taken < 0.85 * cpu / max(asked, TICK_NS):
    sys.exit(3)

bad = []
for column, samples in (("self", "samples"), ("centre", "centre_samples")):
    n, = db.execute(f"SELECT {samples} FROM run").fetchone()
    got = dict(db.execute(f"SELECT replace(name, '()', ''), sum({column}_samples) FROM procedure GROUP BY 1"))
    named = {name.split("::")[-1]: count for name, count in got.items()}
    if n < 60:
        sys.exit(3)  # a busy machine: more time
    if sum(got.values()) != n:
        bad.append(f"{column}: the rows have {sum(got.values())} of {n} samples")
    for name, unit in units.items():
        share = unit / whole
        error = math.sqrt(n * share * (1 - share))
        if abs(named.get(name, 0) - n * share) > 5 * error + 0.01 * n:
            bad.append(f"{column}: {name} has {named.get(name, 0)} samples, {n * share:.0f} +- {error:.0f} expected")
    other = n - sum(named.get(name, 0) for name in units)
    if other > 0.05 * n + 5:
        bad.append(f"{column}: {other} of {n} samples are elsewhere: {got}")
for b in bad:
    print("#", b)
print("not ok -" if bad else "ok -", f"shares of {group}")
sys.exit(bool(bad))
