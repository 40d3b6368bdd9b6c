"""Sampled stacks for two made-up profiles: tree-compared.py OLD NEW, whose samples are those of the
profiles' procedures; tree-compared.py --random SEED OLD NEW: any, and what a comparison of them
must show, a line for each path: depth, path, a, b, b - a, "only" and whose.
tree-compared.py --rows FILE: the same of what the browser wrote."""
import random, sys

from contexts import write

OLD = [("main", 1), ("main sort", 70), ("main sort sort", 5), ("main sort less", 20),
       ("main gone", 9), ("main gone sort", 5)]
NEW = [("main", 2), ("main sort", 1990), ("main sort sort", 5), ("main sort less", 890),
       ("main fresh sort", 5), ("main fresh sort less", 10)]


def any_stacks(names):
    """Nobody stands on a stack twice."""
    stacks = {}
    for _ in range(random.randint(3, 14)):
        stack = ["main"] + random.sample(names, random.randint(0, len(names)))
        stacks[" ".join(stack)] = random.randint(1, 400)
    return sorted(stacks.items())


def totals(stacks):
    sums = {}
    for stack, samples in stacks:
        names = stack.split()
        for i in range(1, len(names) + 1):
            sums[" ".join(names[:i])] = sums.get(" ".join(names[:i]), 0) + samples
    return sums


def number(text):
    return "-" if text == "-" else str(int(text.replace(",", "").replace("+", "")))


def rows(path):
    lines = [line.rstrip("\n") for line in open(path, encoding="utf-8")]
    start = lines[0].index("main")
    above = []
    last = {}
    for line in lines:
        words = line[:start].split()
        name = line[start:].lstrip(" │├└")
        depth = (len(line) - start - len(name)) // 2
        above[depth:] = [name]
        only = "only " + words[-1] if "only" in words else ""
        parent = " ".join(above[:-1])
        size = abs(int(number(words[2]))), number(words[2])
        if parent in last and size[0] > last[parent]:
            print("not in order:", " ".join(above))
        last[parent] = size[0]
        print(depth, " ".join(above), number(words[0]), number(words[1]), size[1], only)


if sys.argv[1] == "--rows":
    rows(sys.argv[2])
elif sys.argv[1] == "--random":
    random.seed(int(sys.argv[2]))
    old, new = any_stacks(["sort", "less", "gone"]), any_stacks(["sort", "less", "fresh"])
    write(sys.argv[3], old)
    write(sys.argv[4], new)
    a, b = totals(old), totals(new)
    for path in set(a) | set(b):
        print(path.count(" "), path, a.get(path, "-"), b.get(path, "-"),
              b.get(path, 0) - a.get(path, 0),
              "only b" if path not in a else "only a" if path not in b else "")
else:
    write(sys.argv[1], OLD)
    write(sys.argv[2], NEW)
