"""The tree of calls worked out another way: tree.py DB CGVIEW contexts|arcs down|up|PROCEDURE

From contexts: each stack alone, its loops cut out, then summed up by path. From arcs: every path
expanded with exact fractions. Compared with `cgview report --by tree --format csv`, row by row."""
import csv, io, sqlite3, subprocess, sys
from collections import defaultdict
from fractions import Fraction

path, cgview, source, way = sys.argv[1:5]
db = sqlite3.connect(path)
names = dict(db.execute("SELECT id, name FROM procedure"))


def plus(a, b):
    return a[0] + b[0], a[1] + b[1]


def cut_loops(stack):
    """[a, b, a, c] -> (a, c), and the steps back: ((a, b), a). 0 is code without a procedure."""
    out, back = [], set()
    for p in stack:
        if p and p in out:
            back.add((tuple(out), p))
            del out[out.index(p) + 1:]
        else:
            out.append(p)
    return tuple(out), back


def from_contexts():
    parent, procedure, samples = {}, {}, {}
    for i, up, p, n, ns in db.execute("SELECT id, parent, procedure, self_samples, self_ns FROM context"):
        parent[i], procedure[i], samples[i] = up, p or 0, (n, ns)
    none = 0, 0
    rows = defaultdict(lambda: [none, none])

    def add(row, which, what):
        rows[row][which] = plus(rows[row][which], what)

    for i, n in samples.items():
        stack = []
        while i:
            stack.append(procedure[i])
            i = parent[i]
        stack.reverse()
        if n == none:
            continue
        if way == "down":
            cut, back = cut_loops(stack)
            for k in range(1, len(cut) + 1):
                add(cut[:k], 0, n)
            add(cut, 1, n)
            for b in back:
                add(b, 0, n)
                for k in range(1, len(b[0]) + 1):
                    add(b[0][:k], 0, none)
            continue
        for p in set(stack) - {0} if way == "up" else {x for x in stack if names.get(x) == way}:
            up = cut_loops(stack[:stack.index(p) + 1])[0][::-1]
            for k in range(1, len(up) + 1):
                add(up[:k], 0, n)
                add(up[:k], 1, n if stack[-1] == p else none)
        if way == "up" and 0 in stack:
            # Each place without a procedure stands alone.
            for at in [k for k, x in enumerate(stack) if not x]:
                up = cut_loops(stack[:at + 1])[0][::-1]
                for k in range(1, len(up) + 1):
                    add(up[:k], 0, n)
                    add(up[:k], 1, n if at == len(stack) - 1 else none)
    # Samples that stand for no time are in the numbers of who called, and have no row of their own.
    told = set()
    for k, (t, s) in rows.items():
        if t[1] or s[1]:
            path = k[0] if isinstance(k[0], tuple) else k
            told |= {k, *(path[:n] for n in range(1, len(path) + 1))}
    return {k: (t[1], s[1] if not isinstance(k[0], tuple) else None, t[0])
            for k, (t, s) in rows.items() if k in told}


def from_arcs():
    procedures = {i: (Fraction(t), Fraction(s), calls, own, cycle) for i, t, s, calls, own, cycle in
                  db.execute("SELECT id, propagated_ns, self_ns, calls, self_calls, cycle FROM procedure")}
    cycles = {i: (Fraction(t), entries) for i, t, entries in
              db.execute("SELECT id, propagated_ns, outer_calls FROM cycle")}
    out, into = defaultdict(lambda: [0, 0]), defaultdict(int)
    for caller, callee, count, time in db.execute(
            "SELECT caller, callee, count, propagated_ns FROM arc WHERE callee IS NOT NULL"):
        if caller:
            out[caller, callee][0] += count
            out[caller, callee][1] += time
            into[callee] += time
    callees = defaultdict(list)
    for (a, b), (count, time) in out.items():
        if count or time:
            callees[a].append((b, count, time))
    rows = {}

    def cycle_of(p):
        return procedures[p][4]

    def expand_member(key, p, total, member):
        whole, own = procedures[p][:2]
        share = total / whole if whole else Fraction(0)
        for q, count, time in callees[p]:
            if q == p or (member and cycle_of(q) == cycle_of(p)):
                continue
            expand(key, q, time * share, cycle_of(q))

    def expand(key, p, total, k):
        whole = cycles[k][0] if k else procedures[p][0]
        name = ("cycle", p) if k else p
        rows[key + (name,)] = (total, Fraction(0) if k else
                               procedures[p][1] * total / whole if whole else Fraction(0))
        if not k:
            expand_member(key + (name,), p, total, False)
            return
        for m in [i for i in procedures if cycle_of(i) == k]:
            t = procedures[m][0] * total / whole if whole else Fraction(0)
            if t:
                rows[key + (name, m)] = (t, procedures[m][1] * t / procedures[m][0])
                expand_member(key + (name, m), m, t, True)

    done = set()
    for p in procedures:
        k = cycle_of(p)
        if k and k in done:
            continue
        done.add(k)
        members = [i for i in procedures if cycle_of(i) == k] if k else [p]
        root = sum(procedures[i][0] for i in members) - sum(into[i] for i in members)
        if root > 0:
            calls = {i: db.execute("SELECT coalesce(max(count), 0) FROM arc WHERE callee = ? "
                                   "AND caller IS NULL", (i,)).fetchone()[0] for i in members}
            entry = max(members, key=lambda i: calls[i])
            expand((), entry if calls[entry] or not k else 0, root, k)
    return rows


def printed():
    options = {"down": [], "up": ["--bottom-up"]}.get(way, ["--procedure", way])
    text = subprocess.run([cgview, "report", "--by", "tree", "--from", source, "--format", "csv",
                           "--limit", "200000", *options, path], check=True, capture_output=True, text=True)
    assert not text.stderr, text.stderr
    rows, keys = {}, {0: ()}
    ids = {}
    for i, name in names.items():
        ids.setdefault(name, i)
    for r in csv.DictReader(io.StringIO(text.stdout)):
        up = keys[int(r["parent"] or 0)]
        p = ids[r["procedure"]] if r["procedure"] else 0
        if r["kind"] == "recursion":
            key = (up, p)
        elif r["kind"] == "cycle":
            key = up + (("cycle", p),)
        elif r["kind"] == "outside":
            continue
        else:
            key = up + (p,)
        keys[int(r["row"])] = key
        assert key not in rows, key
        rows[key] = r
    return rows


def compare_contexts(want, got):
    bad = 0
    for key in sorted(set(want) | set(got), key=str):
        if key not in got or key not in want:
            print("#", "missing" if key in want else "too many", key, want.get(key))
            bad += 1
            continue
        total, own, samples = want[key]
        r = got[key]
        have = (int(r["total_ns"]), int(r["self_ns"]) if r["self_ns"] else None, int(r["samples"]))
        if have != (total, own, samples):
            print("#", key, "want", want[key], "have", have)
            bad += 1
    return bad


def compare_arcs(want, got):
    bad = 0
    for key, (total, own) in want.items():
        if key not in got:
            if total > len(key) + 1:
                print("# missing", key, float(total))
                bad += 1
            continue
        r = got[key]
        # A nanosecond may be lost at each level, and its share below.
        slack = 2 * len(key) + 2
        if abs(int(r["total_ns"]) - total) > slack or abs(int(r["self_ns"]) - own) > slack:
            print("#", key, "want", float(total), float(own), "have", r["total_ns"], r["self_ns"])
            bad += 1
    for key in set(got) - set(want):
        if got[key]["kind"] != "recursion" and int(got[key]["total_ns"] or 0) > 2 * len(key) + 2:
            print("# too many", key, got[key])
            bad += 1
    return bad


def adds_up(got):
    """What rows below another have, and its self, make its total, to the nanosecond."""
    bad, sums = 0, defaultdict(int)
    by_row = {r["row"]: r for r in got.values()}
    for r in got.values():
        if r["kind"] != "recursion":
            sums[r["parent"]] += int(r["total_ns"])
    for row, r in by_row.items():
        if r["kind"] == "recursion":
            continue
        have = sums[row] + int(r["self_ns"])
        if have != int(r["total_ns"]):
            print("# does not add up:", r["procedure"], r["total_ns"], have)
            bad += 1
    return bad


got = printed()
if source == "contexts":
    want = from_contexts()
    bad = compare_contexts(want, got)
else:
    want = from_arcs()
    bad = compare_arcs(want, got)
if way == "down":
    bad += adds_up(got)
print(f"# {source} {way}: {len(want)} rows wanted, {len(got)} printed, {bad} wrong")
sys.exit(bad > 0 or len(want) == 0)
