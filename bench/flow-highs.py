#!/usr/bin/env python3
"""One half of one interval by HiGHS (scipy.optimize.linprog): flow-highs.py < INSTANCE

The program is that of flow-lp.py. Prints the CPU seconds of the solver, without reading."""
import collections
import sys
import time

import numpy
import scipy.optimize
import scipy.sparse


def main():
    numbers = numpy.array(sys.stdin.read().split(), dtype=numpy.int64)
    nr_sites, nr_procedures, nr_arcs = numbers[:3]
    counts = numbers[3:3 + nr_sites + nr_procedures].astype(float)
    arcs = numbers[3 + nr_sites + nr_procedures:][:2 * nr_arcs].reshape(-1, 2)
    sites, procedures = arcs[:, 0], arcs[:, 1]
    callers = collections.Counter(procedures.tolist())
    asked = max(range(nr_arcs), key=lambda k: (sites[k] >= 0, callers[procedures[k]], -k))
    has_site, has_procedure = numpy.flatnonzero(sites >= 0), numpy.flatnonzero(procedures >= 0)
    rows = numpy.concatenate([sites[has_site], procedures[has_procedure] + nr_sites])
    columns = numpy.concatenate([has_site, has_procedure])
    sums = scipy.sparse.csr_matrix((numpy.ones(len(rows)), (rows, columns)),
                                   (nr_sites + nr_procedures, nr_arcs))
    cost = numpy.zeros(nr_arcs)
    cost[asked] = -1
    begin = time.process_time()
    result = scipy.optimize.linprog(cost, A_eq=sums, b_eq=counts, method="highs")
    print(f"{time.process_time() - begin:.2f} s: {result.message.split('.')[0]}, {-result.fun + 0.0:.0f}")


main()
