#!/usr/bin/env python3
"""The parts of a profile: unpacked here, by docs/formats.md alone, they add up to the whole.

parts.py DB: prints "ok - " and "not ok - " lines.
"""
import collections
import sqlite3
import sys
import zlib

COLUMNS = {
    1: ("procedure", "calls"), 2: ("block", "count"), 3: ("line", "count"),
    4: ("call_site", "count"), 6: ("procedure", "self_samples"),
    7: ("procedure", "total_samples"), 8: ("procedure", "centre_samples"),
    9: ("procedure", "self_wait_ns"), 10: ("procedure", "total_wait_ns"),
    11: ("range", "self_samples"), 12: ("range", "self_wait_ns"), 13: ("line", "self_samples"),
    14: ("line", "self_wait_ns"), 15: ("call_site", "total_samples"),
    16: ("call_site", "total_wait_ns"), 17: ("context", "self_samples"),
    19: ("line", "total_samples"),
    18: ("context", "self_wait_ns"),
    20: ("procedure", "self_ns"), 21: ("procedure", "total_ns"), 22: ("procedure", "centre_ns"),
    23: ("range", "self_ns"), 24: ("line", "self_ns"), 25: ("line", "total_ns"),
    26: ("call_site", "total_ns"), 27: ("context", "self_ns"),
    28: ("branch", "count"),
}


# Of the measures without columns of their own, in this order from 32 on; {} is the name.
FIGURES = [("procedure", "self_{}"), ("procedure", "total_{}"), ("range", "self_{}"),
           ("line", "self_{}"), ("call_site", "total_{}"), ("context", "self_{}")]

# Of disposals, in this order from 1024 on, where the profile has them.
DISPOSALS = ["blocks", "bytes", "life_bytes", "temporary", "under_4k", "under_64k", "under_1m",
             "under_16m", "under_256m", "under_4g", "longer", "moved", "copied_bytes",
             "grown_bytes", "timed", "least_ns", "most_ns"]

# Likewise of allocations, from 1088 on.
ALLOCATIONS = ["blocks", "bytes", "slack_bytes", "live_blocks", "live_bytes", "peak_bytes",
               "freed_blocks", "freed_bytes", "temporary", "life_bytes"]


def unpack(size, data):
    plain = data if len(data) == size else zlib.decompress(data)
    at = 0

    def number():
        nonlocal at
        value = shift = 0
        while True:
            byte = plain[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(plain):
        column = number()
        last = 0
        for _ in range(number()):
            last += number()
            callee = number() if column == 5 else 0
            yield column, last, callee, number()


def main():
    db = sqlite3.connect(sys.argv[1])
    sums = collections.Counter()
    greatest = {id - 7 for id, in db.execute("SELECT id FROM measure WHERE combine = 'max'")}
    bad = []
    for number, blocks, samples, size, data in db.execute(
            "SELECT id, blocks_executed, samples, size_bytes, data_zlib FROM part"):
        own = collections.Counter()
        for column, row, callee, value in unpack(size, data):
            key = column, row, callee
            if 32 <= column < 1024 and (column - 32) // len(FIGURES) in greatest:
                sums[key] = max(sums[key], value)
            else:
                sums[key] += value
            own[column] += value
        if own[2] != blocks or own[6] != samples:
            bad.append((number, own, blocks, samples))
    columns = dict(COLUMNS)
    for slot, name, inclusive in db.execute("SELECT id - 7, name, inclusive FROM measure WHERE id > 6"):
        for i, (table, member) in enumerate(FIGURES):
            if inclusive == "arcs" and member.startswith("total"):
                if table != "call_site":
                    continue # those follow from the arcs
                member = "self_{}"
            columns[32 + slot * len(FIGURES) + i] = table, member.format(name)
    if db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'disposal'").fetchone():
        columns.update((1024 + i, ("disposal", name)) for i, name in enumerate(DISPOSALS))
        columns.update((1088 + i, ("allocation", name)) for i, name in enumerate(ALLOCATIONS))
    for column, (table, member) in columns.items():
        where = " WHERE block IS NULL" if column == 4 else ""
        where = " WHERE NOT is_foreign" if column == 1 else where # those follow from the sites
        for row, value in db.execute(f'SELECT id, "{member}" FROM "{table}"{where}'):
            if sums.pop((column, row, 0), 0) != value:
                bad.append((table, member, row, value))
    for site, callee, value in db.execute("SELECT site, coalesce(callee, 0), measured FROM arc "
                                          "WHERE site IS NOT NULL AND measured > 0"):
        if sums.pop((5, site, callee), 0) != value:
            bad.append(("arc", site, callee, value))
    bad += list(sums.items())
    for b in bad[:10]:
        print("#", b)
    print("not ok -" if bad else "ok -", "the parts add up to the whole")


if __name__ == "__main__":
    main()
