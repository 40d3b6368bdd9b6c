"""stacks.py DB SHARE[,STRAY] CHAIN...: each sampled context (all but STRAY percent of the samples) must be
one of the chains or a begin of one, and at least SHARE percent of the samples at their ends. A chain is main>caller>callee; () stands for code that
is not profiled and was called back through; what foreign code did at the end of a chain is the chain's own. Samples
from before main do not matter, if they are few; nor does the clock that a chain's end looks at (cpu_ms)."""
import sqlite3
import sys


def main(path, limits, *chains):
    share, stray = (int(n) for n in (limits + ",0").split(",")[:2])
    chains = {tuple(c.split(">")) for c in chains}
    begins = {c[:n] for c in chains for n in range(1, len(c) + 1)}
    db = sqlite3.connect(path)
    names = dict(db.execute("SELECT id, name FROM procedure"))
    paths, at_end, total, wrong = {}, 0, 0, []
    ends = chains | {c + ("cpu_ms",) for c in chains}
    begins |= ends
    foreign = {i for i, in db.execute("SELECT id FROM procedure WHERE is_foreign")}
    for id, parent, procedure, n in db.execute(
            "SELECT id, parent, procedure, self_samples FROM context ORDER BY id"):
        paths[id] = paths.get(parent, ()) + ("()" if procedure in foreign else names.get(procedure, "()"),)
        if paths[id] == ("(cgview)",): # the runtime's own, whatever was below it
            continue
        total += n
        if procedure in foreign: # a leaf, or called back from
            bare = paths[id][:-1]
            while bare and bare[-1] == "()" and bare not in begins: # the kernel, by way of a library
                bare = bare[:-1]
            at_end += n if bare in ends else 0
            if n and bare not in begins:
                wrong.append((n, ">".join(paths[id])))
            continue
        at_end += n if paths[id] in ends else 0
        if n and paths[id] not in begins and paths[id] != ("()",):
            wrong.append((n, ">".join(paths[id])))
    print(f"{total} samples, {at_end} at the end of a chain")
    for n, p in wrong:
        print(f"not expected: {n} in {p[:300]}")
    return (total < 5 or sum(n for n, p in wrong) * 100 > total * stray or
            at_end * 100 < total * share)


sys.exit(bool(main(*sys.argv[1:])))
