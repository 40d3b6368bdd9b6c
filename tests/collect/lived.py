#!/usr/bin/env python3
# lived.py PROFILE TOLD: lifetimes in time of a run of programs/lived.c against what it told itself.
import sqlite3
import sys

OFF = 2 * (10_000_000 + (1 << 20))  # two ends, each a tick and a unit at the most
db = sqlite3.connect(sys.argv[1])
for line in open(sys.argv[2]):
    name, *numbers = line.split()
    nr, least, most, oldest = map(int, numbers)
    row = db.execute("SELECT sum(d.blocks), sum(d.timed), sum(d.least_ns), sum(d.most_ns) FROM "
                     "disposal d JOIN procedure p ON p.id = d.procedure WHERE p.name = ? AND "
                     "d.how <> 'never'", (name,)).fetchone()
    blocks, timed, lo, hi = (x or 0 for x in row)
    if (blocks, timed) != (nr, nr):
        print(f"{name}: {blocks} blocks, {timed} with a time; there were {nr}")
    if lo > most or hi < least or hi < lo:
        print(f"{name}: {lo}..{hi} ns, it is {least}..{most}")
    if hi > oldest + nr * OFF:
        print(f"{name}: {hi} ns at most, {oldest} since its begin")
    if nr == 1 and lo < least - OFF:
        print(f"{name}: {lo} ns at least, of {least}")
