#!/usr/bin/env python3
"""Write a large instance of the flow problem: flow-instance.py pure|overlap|giant [SCALE].

A program of 200,000 direct and 5,000 indirect call sites, 50,000 procedures and 769 types of 1 to 2,000
procedures whose address is taken; counts up to 10^12. An indirect site can call every procedure of its
type (pure); in `overlap` 35% of the sites are known to call only a part of them; in `giant` 60%, and
15% can call the procedures of a second type as well, so that everything hangs together. SCALE divides
all sizes. The counts are those of random calls along the arcs, so the instance is consistent."""
import random
import sys

KINDS = {"pure": (0.0, 0.0), "overlap": (0.35, 0.0), "giant": (0.60, 0.15)}


def main():
    kind = sys.argv[1]
    scale = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    narrowed, joined = KINDS[kind]
    rng = random.Random("flow " + kind)
    nr_direct, nr_indirect, nr_procedures = 200000 // scale, 5000 // scale, 50000 // scale
    nr_types, largest = 769 // scale, 2000 // scale

    types, first = [], 0
    for k in range(nr_types):
        size = max(1, int(largest / (k + 1) ** 0.95))
        types.append(range(first, first + size))
        first += size
    weights = [len(t) ** 1.2 for t in types]

    arcs = []
    sites = [0] * (nr_direct + nr_indirect)
    procedures = [0] * nr_procedures
    called = [rng.random() < 0.42 for _ in range(nr_procedures)]

    def count():
        return int(10 ** (12 * rng.random() ** 2))

    for i in range(nr_direct):
        j = rng.randrange(nr_procedures)
        n = count() if called[j] and rng.random() < 0.5 else 0
        sites[i] += n
        procedures[j] += n
        arcs.append((i, j))

    for i in range(nr_direct, nr_direct + nr_indirect):
        t = rng.choices(types, weights)[0]
        candidates = list(t)
        if rng.random() < narrowed and len(candidates) > 2:
            candidates = sorted(rng.sample(candidates, rng.randrange(2, len(candidates))))
        elif joined and rng.random() < joined / (1 - narrowed):
            candidates = sorted(set(candidates) | set(rng.choice(types)))
        active = rng.random() < 0.45
        live = [j for j in candidates if called[j]]
        if active and live:
            for _ in range(1 + int(rng.expovariate(0.1))):
                j = live[int(len(live) * rng.random() ** 3)]
                n = count()
                sites[i] += n
                procedures[j] += n
        arcs.extend((i, j) for j in candidates)
        if rng.random() < 0.2:
            arcs.append((i, -1))
            if active:
                sites[i] += int(10 ** (6 * rng.random()))
    for j in range(first):
        if rng.random() < 0.1:
            arcs.append((-1, j))
            if called[j]:
                procedures[j] += int(10 ** (6 * rng.random()))

    out = sys.stdout
    out.write("%d %d %d\n" % (len(sites), len(procedures), len(arcs)))
    out.write(" ".join(map(str, sites)) + "\n")
    out.write(" ".join(map(str, procedures)) + "\n")
    out.writelines("%d %d\n" % a for a in arcs)


main()
