#!/bin/bash
# Verdicts of compared rows: a table of pairs whose counts are known by hand and whose times are set in the database, judged
# again in Python by Welch's test and the false discovery rate.
. tests/e2e/lib.sh
need_collection
need sqlite3
need python3
cd "$TMP_DIR" || exit 1
cat > prog.c <<'END_OF_C'
static volatile long sum;
#define WORK(name, what) __attribute__((noinline)) static void name(int n) { while (n-- > 0) sum = sum what n; }
WORK(first, +) WORK(second, ^) WORK(third, |) WORK(fourth, -) WORK(fifth, *)
#ifdef NEWER
WORK(fresh, &)
#endif
int main(int argc, char **argv)
{
	for (int i = 0; i < 100; i++) {
		first(MORE); second(100); third(100); fourth(100); fifth(100);
#ifdef NEWER
		fresh(10);
#endif
	}
	return 0;
}
END_OF_C
for n in "old -DMORE=100" "equal -DMORE=100" "more -DMORE=101 -DNEWER"; do
	set -- $n
	"$cgcc" -O1 -g -o ${1} "${@:2}" prog.c && "$cgview" record -F 0 -o $1.db -- ./$1 > record.out 2>&1 || cat record.out
done
# A build of its own: what has equal counts is not the same work.
sqlite3 equal.db "UPDATE run SET build_id = 'another'"
python3 - "$cgview" > out 2>&1 <<'END'
import csv, io, json, math, shutil, sqlite3, subprocess, sys

cgview = sys.argv[1]
NAMES = "first second third fourth fifth".split()
MS = 10 ** 6

def make(name, base, runs, times, deviations):
    """A profile of so many runs; own times in ms a run, and the standard deviation of a run."""
    shutil.copy(base, name)
    db = sqlite3.connect(name)
    db.execute("UPDATE procedure SET self_ns = 0, self_samples = 0, self_sd_ns = NULL, calls = calls * ?", (runs,))
    db.execute("UPDATE block SET count = count * ?", (runs,))
    for of, time, deviation in zip(NAMES, times, deviations):
        db.execute("UPDATE procedure SET self_ns = ?, self_samples = ?, self_sd_ns = ? WHERE name = ?",
                   (time * runs * MS, time * runs, deviation * MS if runs > 1 else None, of))
    whole = sum(times)
    db.execute("UPDATE totals SET self_samples = ?, self_ns = ?, runs = ?", (whole * runs, whole * runs * MS, runs))
    db.execute("UPDATE run SET samples = ?, cpu_ns = ?, interval_ns = ?, sample_ns = ?", (whole, whole * MS, MS, MS))
    columns = [r[0] for r in db.execute("SELECT name FROM pragma_table_info('run') WHERE name <> 'id'")]
    for i in range(2, runs + 1):
        db.execute("INSERT INTO run(id, %s) SELECT %d, %s FROM run WHERE id = 1" % (", ".join(columns), i, ", ".join(columns)))
    db.commit()

def rows(*arguments):
    out = subprocess.run([cgview, "diff", "--format", "csv", *arguments], capture_output=True, text=True, check=True).stdout
    return {r["procedure"]: r for r in csv.DictReader(io.StringIO(out))}

def beyond(t, n): # both sides of Student's distribution
    parts, area = 20000, 0
    h = t / parts
    for i in range(parts + 1):
        density = math.exp(math.lgamma((n + 1) / 2) - math.lgamma(n / 2) - (n + 1) / 2 * math.log1p((i * h) ** 2 / n))
        area += (1 if i in (0, parts) else 4 if i % 2 else 2) * density / math.sqrt(n * math.pi)
    return 1 - 2 * area * h / 3

def welch(a, b, runs):
    """p, and the standard error of the difference of the sums, ms."""
    (x, s), (y, r) = a, b
    u, v = runs[0] * s * s, runs[1] * r * r
    freedom = (u + v) ** 2 / (u * u / (runs[0] - 1) + v * v / (runs[1] - 1))
    return beyond(abs(y * runs[1] - x * runs[0]) / math.sqrt(u + v), freedom), math.sqrt(u + v)

def discovered(ps):
    order = sorted(ps, key=ps.get)
    n = max([i + 1 for i, name in enumerate(order) if ps[name] <= 0.05 * (i + 1) / len(order)], default=0)
    return set(order[:n])

def check(name, good, *told):
    print(("ok - " if good else "not ok - ") + name)
    if not good:
        print("#", *told)

# Which build, how many runs of each; ms and their deviation of the five procedures: first and last.
CASES = [
    ("a change of one", "equal", 5, (100, 50, 40, 30, 20), (3, 2, 2, 1, 1), (100, 70, 41, 30, 20), (3, 2, 2, 1, 1)),
    ("faster, and by chance", "equal", 5, (100, 50, 40, 30, 20), (9, 9, 9, 9, 9), (60, 55, 44, 33, 18), (9, 9, 9, 9, 9)),
    ("a little in many runs", "equal", 20, (100, 50, 40, 30, 20), (1, 4, 4, 1, 1), (100, 52, 41, 33, 20), (1, 4, 4, 1, 1)),
    ("nothing", "equal", 10, (100, 50, 40, 30, 20), (2, 2, 2, 2, 2), (101, 49, 40, 31, 19), (2, 2, 2, 2, 2)),
    ("more work that takes longer", "more", 5, (100, 50, 40, 30, 20), (3, 2, 2, 1, 1), (120, 50, 41, 30, 20), (3, 2, 2, 1, 1)),
    ("more work that does not", "more", 5, (100, 50, 40, 30, 20), (9, 2, 2, 1, 1), (101, 50, 41, 30, 20), (9, 2, 2, 1, 1)),
    ("a run a side", "equal", 1, (100, 50, 40, 30, 20), (0,) * 5, (300, 50, 41, 30, 20), (0,) * 5),
    ("a run a side, more work", "more", 1, (100, 50, 40, 30, 20), (0,) * 5, (300, 50, 41, 30, 20), (0,) * 5),
    ("the same build", "old", 10, (100, 50, 40, 30, 20), (2, 2, 2, 2, 2), (200, 49, 40, 31, 19), (2, 2, 2, 2, 2)),
]
for name, build, runs, before, old_sd, after, new_sd in CASES:
    make("a.db", "old.db", runs, before, old_sd)
    make("b.db", build + ".db", runs, after, new_sd)
    got = rows("-e", "b.self_ns - a.self_ns", "a.db", "b.db")
    judged, errors = {}, {}
    for i, of in enumerate(NAMES):
        if runs >= 3:
            p, errors[of] = welch((before[i], old_sd[i]), (after[i], new_sd[i]), (runs, runs))
            if before[i] != after[i]:
                judged[of] = p
    found = discovered(judged)
    for i, of in enumerate(NAMES):
        wanted = "slower" if after[i] > before[i] else "faster"
        if build == "old":
            wanted = "same"
        elif of not in found:
            wanted = "more work" if build == "more" and of == "first" else "unresolved"
            small = runs >= 3 and 2.8 * errors[of] <= 0.02 * before[i] * runs
            if wanted == "unresolved" and small and abs(after[i] - before[i]) * runs < 2.8 * errors[of]:
                wanted = "same"
        r = got[of]
        check("%s: %s is %s" % (name, of, wanted), r["verdict"] == wanted, r, judged)
        if runs >= 3:
            least = float(r["least"]) / MS
            check("... what would have been seen", abs(least - 2.8 * errors[of]) < 1e-6 * least, least, 2.8 * errors[of])
        else:
            check("... nobody knows what would have been seen", r["least"] == "")
    # Whatever is computed of the times, the verdict is of their difference.
    ratio = rows("-e", "ratio(b.self_ns, a.self_ns)", "a.db", "b.db")
    check("... a ratio has the same verdicts", [ratio[of]["verdict"] for of in NAMES] == [got[of]["verdict"] for of in NAMES],
          ratio)
    if build == "more":
        check("... what is new", got["fresh"]["verdict"] == "new", got["fresh"])
        gone = rows("-e", "b.self_ns - a.self_ns", "b.db", "a.db")
        check("... and the other way round", (gone["fresh"]["verdict"], gone["first"]["verdict"]) ==
              ("gone", {"slower": "faster", "more work": "less work"}[got["first"]["verdict"]]), gone["first"])
        counts = rows("-e", "b.work - a.work", "a.db", "b.db")
        check("... counts", [counts[of]["verdict"] for of in NAMES] == ["more work"] + ["same"] * 4, counts)
    if build == "old":
        text = subprocess.run([cgview, "diff", "a.db", "b.db"], capture_output=True, text=True).stdout
        check("... the text says so", "what differs is the machine" in text, text)
    whole = json.loads(subprocess.run([cgview, "diff", "--format", "json", "-e", "b.self_ns - a.self_ns", "a.db", "b.db"],
                                      capture_output=True, text=True).stdout)
    check("... the total of one run is never told", runs > 1 or whole["total_verdict"] in ("unresolved", "more work"), whole)
END
cat out
