#!/usr/bin/env python3
"""The flow solver against trying out everything: brute.py FLOW-SOLVE [NUMBER].

Tiny random instances go through the filter in one stream. For each, all assignments of counts to arcs
are listed; from the list follow the least residual, the interval of every arc, what is determined and the
least calls from and to outside, which the estimates must have."""
import itertools
import random
import subprocess
import sys


def make(rng):
    nr_sites, nr_procedures = rng.randint(1, 3), rng.randint(1, 3)
    pairs = [(i, j) for i in range(-1, nr_sites) for j in range(-1, nr_procedures) if i >= 0 or j >= 0]
    rng.shuffle(pairs)
    arcs = pairs[:rng.randint(0, 6)]
    sites, procedures = [0] * nr_sites, [0] * nr_procedures
    for i, j in arcs:
        n = rng.choice((0, 0, 1, 1, 2, 3))
        if i >= 0:
            sites[i] += n
        if j >= 0:
            procedures[j] += n
    for counts in sites, procedures:
        for k in range(len(counts)):
            counts[k] = min(counts[k], 5)
            if rng.random() < 0.1:
                counts[k] = rng.randint(0, 5)
    return sites, procedures, arcs


def solutions(sites, procedures, arcs):
    """All counts of the arcs that exceed no sum."""
    ranges = [range(min([sites[i]] * (i >= 0) + [procedures[j]] * (j >= 0)) + 1) for i, j in arcs]
    for x in itertools.product(*ranges):
        r, c = list(sites), list(procedures)
        for (i, j), n in zip(arcs, x):
            if i >= 0:
                r[i] -= n
            if j >= 0:
                c[j] -= n
        if min(r + c) >= 0:
            yield x, tuple(r), tuple(c)


def check(instance, lines):
    sites, procedures, arcs = instance
    site_rest, procedure_rest = [0] * len(sites), [0] * len(procedures)
    got = []
    for line in lines:
        w = line.split()
        if w[0] == "residual":
            (site_rest if w[1] == "site" else procedure_rest)[int(w[2])] = int(w[3])
        else:
            got.append((int(w[0]), int(w[1]), int(w[2]), int(w[3]), int(w[4]), w[5]))
    if [g[:2] for g in got] != arcs:
        return "arcs are not those of the input"
    everything = list(solutions(sites, procedures, arcs))
    least = min(sum(r) + sum(c) for _, r, c in everything)
    if sum(site_rest) + sum(procedure_rest) != least:
        return "residual is not the least possible, %d" % least
    same = [x for x, r, c in everything if r == tuple(site_rest) and c == tuple(procedure_rest)]
    if tuple(g[2] for g in got) not in same:
        return "counts are no solution"
    outside = [k for k, (i, j) in enumerate(arcs) if i < 0 or j < 0]
    if sum(got[k][2] for k in outside) != min(sum(x[k] for k in outside) for x in same):
        return "more calls from and to outside than need be"
    for k, g in enumerate(got):
        lo, hi = min(x[k] for x in same), max(x[k] for x in same)
        if g[3:] != (lo, hi, "solved" if lo == hi else "estimated"):
            return "arc %d should be %d..%d" % (k, lo, hi)
    return None


def main():
    rng = random.Random(1999)
    instances = [make(rng) for _ in range(int(sys.argv[2]) if len(sys.argv) > 2 else 1500)]
    wrong = undetermined = 0
    for estimator in "even", "entropy":
        text = "".join("%d %d %d\n%s\n%s\n%s" % (
            len(s), len(p), len(a), " ".join(map(str, s)), " ".join(map(str, p)),
            "".join("%d %d\n" % arc for arc in a)) for s, p, a in instances)
        out = subprocess.run([sys.argv[1], "--estimator", estimator], input=text, text=True, check=True,
                             stdout=subprocess.PIPE).stdout
        answers = [[]]
        for line in out.splitlines():
            if line:
                answers[-1].append(line)
            else:
                answers.append([])
        if len(answers) != len(instances) + 1 or answers[-1]:
            print("not ok - %d answers to %d instances" % (len(answers) - 1, len(instances)))
        for instance, lines in zip(instances, answers):
            why = check(instance, lines)
            undetermined += sum(line.endswith("estimated") for line in lines)
            if why:
                wrong += 1
                print("# %s: %s: %s" % (estimator, instance, why))
    print("# %d instances, %d undetermined arcs" % (len(instances), undetermined // 3))
    print("%s - tiny instances, everything tried out" % ("not ok" if wrong or not undetermined else "ok"))


main()
