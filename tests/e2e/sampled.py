"""What cgview watch shows of a program by samples, compared with the program's own clock, which
tests/e2e/test-watch-sampled.sh has it write into a map, and with profiles."""
import math
import re
import sqlite3
import struct
import sys

from watch import watch

PERIOD_NS = 1e7


def own(path):
    """What three() and one() had, in ns."""
    with open(path, "rb") as f:
        words = struct.unpack("512Q", f.read(4096))
    return sum(words[0:64:2]), sum(words[1:64:2])


def looks(text):
    """For each look (self, total) in ms by procedure, with "cpu" of all and how many threads."""
    found = []
    for line in text.splitlines():
        head = re.search(r"watched .*cpu ~([\d.]+) (ms|s), (\d+) thread", line)
        row = re.match(r"^ *(-|[\d.]+) +[\d.]+ +(-|[\d.]+)  (\S.*?)(  |$)", line)
        if head:
            found.append({"cpu": float(head[1]) * (1000 if head[2] == "s" else 1), "threads": int(head[3])})
        elif row and found:
            of = found[-1].setdefault(row[3], [0, 0])
            for i in (0, 1):
                of[i] += 0 if row[i + 1] == "-" else float(row[i + 1])
    return found


def fail(condition, text):
    print(text)
    if condition:
        sys.exit(text)


def errors(seen, whole, share):
    """By how many standard errors SEEN ns of WHOLE ns differ from a share."""
    n = whole / PERIOD_NS
    return (seen / PERIOD_NS - n * share) / math.sqrt(n * share * (1 - share))


def shares(cgview, pid, path, threads):
    before = own(path)
    text, _ = watch(cgview, pid, 4, "--limit", "100")
    after = own(path)
    last = looks(text)[-1]
    took = [a - b for a, b in zip(after, before)]
    share = took[0] / sum(took)
    three, one = (1e6 * last[name][1] for name in ("three", "one"))
    off = errors(three, three + one, share)
    print(f"own {took}, seen {three} {one}, {off:+.2f} standard errors")
    # All of its time is in both. Watching begins behind the first reading of the clock, and ends before the second one.
    fail(abs(off) > 5 or not 0.5 * sum(took) < three + one < 1.03 * sum(took) + 4 * PERIOD_NS or
         three + one < 0.97e6 * last["cpu"] - 4 * PERIOD_NS, f"{share:.3f} by its clock, {three / (three + one):.3f} by samples")
    fail(last["threads"] != int(threads), f"{last['threads']} threads")


def profile(path):
    return {name: (own_ns, total) for name, own_ns, total in
            sqlite3.connect(path).execute("SELECT name, sum(self_ns), sum(total_ns) FROM procedure GROUP BY name")}


def same(path, db):
    """Two samplings of the same seconds, each with its chance."""
    with open(path, encoding="utf-8") as f:
        last = looks(f.read())[-1]
    beside = profile(db)
    a = [1e6 * last[name][1] for name in ("three", "one")]
    b = [beside[name][1] for name in ("three", "one")]
    n, m = sum(a) / PERIOD_NS, sum(b) / PERIOD_NS
    share = (a[0] + b[0]) / (sum(a) + sum(b))
    off = (a[0] / sum(a) - b[0] / sum(b)) / math.sqrt(share * (1 - share) * (1 / n + 1 / m))
    fail(abs(off) > 5 or min(n, m) < 30, f"{a} and {b}: {off:+.2f} standard errors")


def grow(path):
    with open(path, encoding="utf-8") as f:
        times = [look["three"][0] for look in looks(f.read())]
    fail(len(times) < 3 or times != sorted(times) or times[0] == times[-1], f"{times}")


def rates(path):
    """One busy thread has no more than a second a second; the processor may be others', too."""
    with open(path, encoding="utf-8") as f:
        each = [look.get("main", [0, 0])[1] for look in looks(f.read())]
    fail(len(each) < 4 or max(each) > 1150 or sum(each) / len(each) < 100, f"{each}")


def waits(path, threads):
    with open(path, "rb") as f:
        words = struct.unpack("512Q", f.read(4096))
    sys.exit(words[511] != int(threads))


def all_(path, db):
    """What is below a procedure of the program's own is the same for both, to the sample; the profile tells apart what
    was inlined, and names some procedures of libraries in other words."""
    with open(path, encoding="utf-8") as f:
        last = looks(f.read())[-1]
    saved = profile(db)
    names = [n for n in last if n in saved and n not in ("cpu", "threads")]
    for name in names:
        fail(round(1e6 * last[name][1]) != saved[name][1], f"{name}: {last[name]} {saved[name]}")
    cpu, = sqlite3.connect(db).execute("SELECT cpu_ns FROM run").fetchone()
    fail(len(names) < 3 or abs(1e6 * last["cpu"] - cpu) > PERIOD_NS / 2, f"{len(names)} procedures, cpu {last['cpu']} {cpu}")


def child(db, path):
    """A profile has the program's own time, but for its beginning and end."""
    took, saved = own(path), profile(db)
    for name, ns in zip(("three", "one"), took):
        slack = 5 * math.sqrt(ns * PERIOD_NS) + 3e7
        fail(abs(saved[name][1] - ns) > slack, f"{name}: {saved[name][1]}, by its clock {ns}")


def changes(path):
    with open(path, encoding="utf-8") as f:
        heads = [line for line in f if "watched" in line]
    kinds = ["calls" if re.search(r" calls$", head) else "no counts" for head in heads]
    fail(kinds != sorted(kinds, reverse=True) or len(set(kinds)) != 2, f"{kinds}")


{f.__name__: f for f in (shares, same, grow, rates, waits, child, changes)}.get(sys.argv[1], all_)(*sys.argv[2:])
