#!/usr/bin/env python3
"""Files of stacks that are larger than what is held of them at once, and what is in them, by brute force.
large_stacks.py pprof OUT ROWS: samples of many stacks, most of them more than once.
large_stacks.py trace DIRECTORY ROWS: 560,000 calls, in the order of their begins (begin.json) or ends, or in none.
ROWS gets a line for each procedure: name, calls (of traces), self and total, in ns."""
import collections
import random
import sys

from pprof import function, location, message, strings, value_type, varint

rng = random.Random(7)
NR = 560000


def write_rows(path, figures):
    with open(path, 'w') as f:
        for name in sorted(figures):
            f.write(','.join([name] + [str(v) for v in figures[name]]) + '\n')


def pprof(out, rows):
    """Location 2k + 1 is f(k), location 2k + 2 has g(k) inlined into f(k); 3 of 100 are not told."""
    names = {}
    tables = value_type(1, 'cpu', 'nanoseconds')
    for k in range(100):
        tables += function(2 * k + 1, f'f{k}') + function(2 * k + 2, f'g{k}')
        if k >= 97:
            continue
        tables += location(2 * k + 1, [(2 * k + 1, 5)]) + location(2 * k + 2, [(2 * k + 2, 7), (2 * k + 1, 9)])
        names[2 * k + 1], names[2 * k + 2] = [f'f{k}'], [f'g{k}', f'f{k}']
    stacks = [[rng.randrange(1, 201) for _ in range(rng.choice((0, 1, 3, 10, 62, 63, 64, 200)))] for _ in range(3000)]
    figures = collections.defaultdict(lambda: [0, 0])
    with open(out, 'wb') as f:
        for _ in range(20000):
            stack, ns = rng.choice(stacks), rng.randrange(1, 1000)
            ids = b''.join(map(varint, stack))
            f.write(message(2, (message(1, ids) if stack else b'') + message(2, varint(ns))))
            frames = [n for i in stack for n in names.get(i, [])]
            if frames:
                figures[frames[0]][0] += ns
            for name in set(frames):
                figures[name][1] += ns
        f.write(tables + strings())
    write_rows(rows, figures)


def trace(directory, rows):
    """Each of 3 threads is a tree of calls, whose times are drawn from the inside out."""
    calls, figures = [], collections.defaultdict(lambda: [0, 0, 0])

    def call(thread, at, budget, above):
        """Makes a call that begins at AT with up to BUDGET calls in it. Returns its end and how many it was."""
        name, begin, inner, used = f'f{rng.randrange(30)}', at, 0, 1
        at += rng.randrange(1, 4)
        while used < budget and len(above) < 12 and (not above or rng.random() < .7):
            end, n = call(thread, at, min(budget - used, rng.choice((1, 5, 50, 60000))), above | {name})
            inner, used, at = inner + end - at, used + n, end + rng.randrange(3)
        at += 1
        calls.append((begin, at, thread, name))
        figures[name][0] += 1
        figures[name][1] += 1000 * (at - begin - inner)
        if name not in above:
            figures[name][2] += 1000 * (at - begin)
        return at, used
    sys.setrecursionlimit(10000)
    for thread in range(3):
        call(thread, 0, NR // 3, frozenset())
    keys = {'begin': lambda c: (c[0], -c[1]), 'end': lambda c: c[1], 'shuffled': lambda c: rng.random()}
    for order, key in keys.items():
        with open(f'{directory}/{order}.json', 'w') as f:
            f.write('[' + ''.join(f'{{"ph":"X","ts":{b},"dur":{e - b},"pid":1,"tid":{t},"name":"{n}"}},\n'
                                  for b, e, t, n in sorted(calls, key=key)))
            f.write('{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"told last"}}]')
    write_rows(rows, figures)


{'pprof': pprof, 'trace': trace}[sys.argv[1]](*sys.argv[2:])
