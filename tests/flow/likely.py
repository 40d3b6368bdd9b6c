#!/usr/bin/env python3
"""What samples make likely, worked out without gamma functions and without fitting: likely.py FLOW-SOLVE [NUMBER].

All sites and procedures have the same count, so nothing but samples tells them apart. Right is a solution whose odds
ratios (x11 x22 / x12 x21, of each two sites and two procedures) are those of what samples and the even split say; there
is but one. The random instances are the same each time."""
import math
import random
import subprocess
import sys

CALLS = 5040000000  # each, so that whole numbers hide nothing


def worth(samples, size):
    """The power of two that makes the samples likeliest, drawn one by one from an urn (Polya)."""
    def likelihood(power):
        k, sum_ = 2.0 ** power, -((power - 3) / 4) ** 2 / 2
        for callee in zip(*samples):
            sum_ -= sum(math.log(k + i) for i in range(sum(callee)))
            sum_ += sum(math.log(k / size + i) for n in callee for i in range(n))
        return sum_
    return 2.0 ** max(range(-4, 25), key=likelihood)


def make(rng):
    size = rng.randint(2, 4)
    scale = rng.choice((3, 30, 300))
    return [[rng.randint(scale > 3, scale) for _ in range(size)] for _ in range(size)]


def text(samples):
    size = len(samples)
    arcs = (f"{i} {j} {samples[i][j]}" for i in range(size) for j in range(size))
    return f"{size} {size} {size * size}  {' '.join([str(CALLS)] * 2 * size)}  {' '.join(arcs)}\n"


def wrong(samples, counts):
    size, k = len(samples), worth(samples, len(samples))
    of = [sum(callee) for callee in zip(*samples)]
    if not any(of):
        return None if all(n == CALLS // size for row in counts for n in row) else "not even"
    likely = [[0.5 + (CALLS * samples[i][j] + k * CALLS / size) / (of[j] + k) for j in range(size)] for i in range(size)]
    if any(sum(row) != CALLS for row in counts) or any(sum(column) != CALLS for column in zip(*counts)):
        return "sums"
    for i in range(1, size):
        for j in range(1, size):
            a, b = (m[0][0] * m[i][j] / (m[0][j] * m[i][0]) for m in (likely, counts))
            if abs(math.log(a / b)) > 1e-3:
                return f"odds of arc {i} {j}: {b}, not {a}, with a worth of {k}"
    return None


def main():
    rng = random.Random(14)
    instances = [make(rng) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 300)]
    out = subprocess.run([sys.argv[1], "--samples"], input="".join(map(text, instances)), stdout=subprocess.PIPE,
                         text=True, check=True).stdout
    solutions, failed = out.strip().split("\n\n"), 0
    for samples, lines in zip(instances, solutions):
        counts = [[0] * len(samples) for _ in samples]
        for line in lines.splitlines():
            site, procedure, count = map(int, line.split()[:3])
            counts[site][procedure] = count
        why = wrong(samples, counts)
        if why:
            failed += 1
            print(f"# {samples}: {why}")
    good = not failed and len(solutions) == len(instances)
    print(f"{'ok' if good else 'not ok'} - {len(instances)} instances: what samples make likely")


if __name__ == "__main__":
    main()
