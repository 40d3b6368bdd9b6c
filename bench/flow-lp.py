#!/usr/bin/env python3
"""Turn an instance of the flow problem into a linear program: flow-lp.py < INSTANCE > PROGRAM.mps

Free MPS; the program asks for the most that the first arc to a procedure that several sites can call
may carry: one half of one interval. What flow-solve answers for every arc."""
import collections
import sys


def main():
    words = iter(sys.stdin.read().split())
    nr_sites, nr_procedures, nr_arcs = int(next(words)), int(next(words)), int(next(words))
    sites = [next(words) for _ in range(nr_sites)]
    procedures = [next(words) for _ in range(nr_procedures)]
    arcs = [(int(next(words)), int(next(words))) for _ in range(nr_arcs)]
    callers = collections.Counter(j for _, j in arcs)
    asked = max(range(nr_arcs), key=lambda k: (arcs[k][0] >= 0, callers[arcs[k][1]], -k))
    out = sys.stdout
    out.write("NAME flow\nROWS\n N cost\n")
    out.writelines(" E s%d\n" % i for i in range(nr_sites))
    out.writelines(" E p%d\n" % j for j in range(nr_procedures))
    out.write("COLUMNS\n")
    for k, (i, j) in enumerate(arcs):
        if k == asked:
            out.write(" x%d cost -1\n" % k)
        if i >= 0:
            out.write(" x%d s%d 1\n" % (k, i))
        if j >= 0:
            out.write(" x%d p%d 1\n" % (k, j))
    out.write("RHS\n")
    out.writelines(" rhs s%d %s\n" % (i, n) for i, n in enumerate(sites) if n != "0")
    out.writelines(" rhs p%d %s\n" % (j, n) for j, n in enumerate(procedures) if n != "0")
    out.write("ENDATA\n")


main()
