#!/usr/bin/env python3
"""Claims of `cgview diff` about times that are drawn here, always the same ones.

significance.py CGVIEW DB: prints "ok - " and "not ok - " lines. DB is a profile that procedures are put into.
"""
import csv
import math
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys

cgview, base = sys.argv[1:]
SAMPLE, SURE = 1000000, 1.96
random.seed(16)


def events(mean):
    """Poisson: events of which one comes after 1 on average, until MEAN."""
    n, left = -1, mean
    while left >= 0:
        left -= random.expovariate(1)
        n += 1
    return n


def varied(mean, spread):
    return mean * math.exp(random.gauss(0, spread))


def write(path, times, runs=1, deviations=None):
    """A profile with a procedure for each of TIMES, in nanoseconds."""
    shutil.copy(base, path)
    db = sqlite3.connect(path)
    db.execute("CREATE TEMP TABLE one AS SELECT * FROM procedure WHERE name = 'main'")
    first = db.execute("SELECT max(id) FROM procedure").fetchone()[0] + 1
    for i, ns in enumerate(times):
        db.execute("UPDATE one SET id = ?, name = ?, linkage_name = ?, self_ns = ?, total_ns = ?, self_samples = ?, "
                   "total_samples = ?, self_sd_ns = ?, calls = 1", (first + i, f"p{i}", f"p{i}", ns, ns, ns // SAMPLE,
                   ns // SAMPLE, round(deviations[i]) if deviations else None))
        db.execute("INSERT INTO procedure SELECT * FROM one")
    db.execute("UPDATE totals SET self_ns = ?, self_samples = ?, runs = ?", (sum(times), sum(times) // SAMPLE, runs))
    db.execute("UPDATE run SET cpu_ns = ?, samples = ?, interval_ns = ?, sample_ns = ?",
               (sum(times), sum(times) // SAMPLE, SAMPLE, SAMPLE))
    db.commit()
    db.close()


def claimed(*options):
    """{number of a procedure: its significance}"""
    out = subprocess.run([cgview, "diff", "-e", "time", "--format", "csv", *options, "a.db", "b.db"], check=True,
                         text=True, stdout=subprocess.PIPE).stdout
    return {int(r["procedure"][1:]): float(r["significance"] or 0) for r in csv.DictReader(out.splitlines())
            if r["procedure"].startswith("p") and r["procedure"][1:].isdigit()}


def share(found):
    return 100 * statistics.fmean(abs(z) > SURE for z in found)


def verdict(good, name, *figures):
    print("ok -" if good else "not ok -", name)
    print("#", *(f"{f:.1f}" for f in figures))


# Single runs: nothing tells how these differ, so nothing is claimed, however slow they are.
write("a.db", [SAMPLE * 1000] * 20)
write("b.db", [SAMPLE * 4000] * 20)
verdict(set(claimed().values()) == {0}, "single runs claim nothing", max(map(abs, claimed().values())))

# Three runs whose spread is not known: their samples, and 2 % of a run besides. Every tenth is slower by half.
FEW = 3
means = [random.choice((5, 30, 200, 1000)) for _ in range(400)]
same, slower = [], []
for _ in range(3):
    write("a.db", [SAMPLE * events(varied(m, 0.02 / FEW ** 0.5)) for m in means], FEW)
    write("b.db", [SAMPLE * events(varied(m * (1 if i % 10 else 1.5), 0.02 / FEW ** 0.5)) for i, m in enumerate(means)],
          FEW)
    for i, z in claimed().items():
        if i % 10:
            same.append(z)
        elif means[i] >= 200:
            slower.append(z)
verdict(2 < share(same) < 6 and share(slower) > 90, "runs by their samples", share(same), share(slower))

# The second is ten times as long. All is divided by p0, which has 30 samples in the first: this error is that of all.
same, alone = [], []
for _ in range(40):
    times = [events(30)] + [events(300) for _ in range(19)], [events(300)] + [events(3000) for _ in range(19)]
    for path, samples in zip(("a.db", "b.db"), times):
        write(path, [SAMPLE * n for n in samples], FEW)
    same += [z for i, z in claimed("--normalise", "p0").items() if i]
    alone += claimed("--normalise", "total").values()
verdict(share(same) < 8 and share(alone) < 6, "other lengths, by what has few samples, and by the total", share(same),
        share(alone))

# Ten runs and ten others, of which the last hundred procedures are slower by 15 %. One standard error of the claims
# among 900 rows is 0.7 %.
runs, rows = 10, 1000
samples = [[[events(varied(120 * (1.15 if side and i >= rows - 100 else 1), 0.05)) * SAMPLE for _ in range(runs)]
            for i in range(rows)] for side in range(2)]
for path, side in zip(("a.db", "b.db"), samples):
    write(path, [sum(of) for of in side], runs, [statistics.stdev(of) for of in side])
found = claimed()
same, slower = ([z for i, z in found.items() if (i >= rows - 100) == which] for which in (False, True))
verdict(3 < share(same) < 7 and share(slower) > 80, "ten runs and ten others", share(same), share(slower))


def welch(x, y):
    """Student's t and its degrees of freedom."""
    u, v = statistics.variance(x) / len(x), statistics.variance(y) / len(y)
    return ((statistics.fmean(y) - statistics.fmean(x)) / math.sqrt(u + v),
            (u + v) ** 2 / (u * u / (len(x) - 1) + v * v / (len(y) - 1)))


def beyond(t, n):
    """Both sides of Student's distribution, by Simpson's rule."""
    parts = 2000
    h = abs(t) / parts
    scale = math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2)) / math.sqrt(n * math.pi)
    return 1 - 2 * scale * h / 3 * sum((1 if i in (0, parts) else 4 if i % 2 else 2) * (1 + (i * h) ** 2 / n) **
                                       (-(n + 1) / 2) for i in range(parts + 1))


worst = max(abs(math.erfc(abs(found[i]) / math.sqrt(2)) - beyond(*welch(samples[0][i], samples[1][i])))
            for i in range(0, rows, 3))
verdict(worst < 1e-5, "... as Welch's test has it")
