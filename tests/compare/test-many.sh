#!/bin/bash
# Forty profiles, more than there are letters: their names, figures and growth, which are known by hand.
. tests/e2e/lib.sh
need_collection
cp tests/compare/growth.c "$TMP_DIR"
cd "$TMP_DIR" || exit 1
# The 27th is of a program with another procedure.
cat >> growth.c << 'END_OF_C'
#ifdef OTHER
__attribute__((constructor)) static void only_here(void) { for (volatile int i = 0; i < 7; i++); }
#else
__attribute__((constructor)) static void elsewhere(void) { volatile double d = 1; while (d < 1000) d = d * 2 + 0.5; }
#endif
END_OF_C
must "build" "$cgcc" -O2 -o growth growth.c
must "build another" "$cgcc" -O2 -DOTHER -o other growth.c
all= back=
for k in $(seq 40); do
	record_counts "n$k.db" "./$([ "$k" = 27 ] && echo other || echo growth)" $((4 * k))
	all="$all n$k.db"
	back="n$k.db $back"
done
series() { "$cgview" diff --series arg:1 "$@"; }

# shellcheck disable=SC2086
{
series --by procedure --format csv $all > rows.csv
series --by procedure --format csv $back > back.csv
"$cgview" diff --by range -e 'p40.count - 2 * p39.count + a.count' --format json $all > ranges.json
"$cgview" diff -e 'growth(p20.work, p40.work) + 0 * p27.run.size' --format csv --size arg:1 $all > refused 2>&1
"$cgview" diff -e 'growth(t.work, p40.work) + 0 * p27.run.size' --format csv --size arg:1 $all > exponents.csv
for side in a p27 both; do "$cgview" diff -e count --only $side --format csv $all > only-$side.csv; done
"$cgview" diff -e count --format csv $all > sides.csv
"$cgview" diff -e 'p31.work - c.work' $all > text
"$cgview" diff -o kept.db -e 'p40.work - a.work' $all
}
check "names, figures, sides and growth of all" python3 - <<'END_OF_PYTHON'
import csv, json
names = [chr(97 + k) for k in range(26)] + ["p%d" % (k + 1) for k in range(26, 40)]
rows = list(csv.DictReader(open("rows.csv")))
heads = list(rows[0])
assert heads[heads.index("points") + 1:heads.index("exponent_error")] == names, heads
by = {r["procedure"]: r for r in rows}
for procedure, model in (("cube", "n^3"), ("square", "n^2"), ("both", "n"), ("table", "n"), ("same", "1"),
                         ("root", "sqrt n"), ("sort", "n log n")):
    assert by[procedure]["model"] == model, by[procedure]
# The other way round the models are the same, and so is each profile's figure.
for r in csv.DictReader(open("back.csv")):
    other = by[r["procedure"]]
    assert r["model"] == other["model"] and r["from"] == other["from"], (r, other)
    assert [r[n] for n in names] == [other[n] for n in reversed(names)], (r, other)
# Each loop's innermost step is executed n^3 and n^2 times.
data = json.load(open("ranges.json"))
assert [p["name"] for p in data["profiles"]] == names
steps = {}
for r in data["rows"]:
    if r["procedure"] in ("cube", "square"):
        steps.setdefault(r["procedure"], []).append([r[n] for n in names])
    assert r["value"] == (r["p40"] or 0) - 2 * (r["p39"] or 0) + (r["a"] or 0), r
assert data["total_p40"] > 160 ** 3 > data["total_a"] > 4 ** 3, data
assert [(4 * k) ** 3 for k in range(1, 41)] in steps["cube"], steps["cube"]
assert [(4 * k) ** 2 for k in range(1, 41)] in steps["square"], steps["square"]
# t is the 20th: half the input.
exponents = {r["procedure"]: float(r["value"]) for r in csv.DictReader(open("exponents.csv")) if r["value"]}
assert abs(exponents["cube"] - 3) < 0.1 and abs(exponents["square"] - 2) < 0.1, exponents
sides = {r["procedure"]: r["sides"] for r in csv.DictReader(open("sides.csv"))}
assert sides.pop("only_here") == "p27" and sides.pop("elsewhere") == "a-z,p28-p40", sides
assert set(sides.values()) == {"all"}, sides
only = {w: {r["procedure"] for r in csv.DictReader(open("only-%s.csv" % w))} for w in ("a", "p27", "both")}
assert not only["a"] and only["p27"] == {"only_here"} and only["both"] == set(sides), only
END_OF_PYTHON
check "there is no profile p20, which is t" grep -q 'profiles are called a to z and p27 to p40' refused
check "text has columns of the first, the last, and those asked for" grep -Eq '^ *a\.work +c\.work +p31\.work +p40\.work +result' text
check "... and tells alike ones together" bash -c 'grep -q "^matched of a to z: " text && grep -q "^matched of p27: " text &&
	grep -q "^matched of p28 to p40: " text'
check "what is kept" bash -c '"$1" report --by comparison --format csv kept.db | tr -d "\r" > kept.csv &&
	"$1" report --sql "SELECT group_concat(name) FROM compared" --format csv kept.db > names &&
	grep -q "x,y,z,p27,p28,.*,p40" names && grep -q "a-z,p28-p40" kept.csv' sh "$cgview"

# Each of 400 profiles takes 0.25 MB, so that many fit.
check "four hundred" python3 - "$cgview" "$build" <<'END_OF_PYTHON'
import csv, resource, subprocess, sys
names = ["n%d.db" % (k % 40 + 1) for k in range(400)]
out = subprocess.run([sys.argv[1], "diff", "--series", "arg:1", "--by", "procedure", "--format", "csv"] + names,
                     stdout=subprocess.PIPE, check=True, universal_newlines=True).stdout
rows = {r["procedure"]: r for r in csv.DictReader(out.splitlines())}
assert rows["cube"]["model"] == "n^3" and rows["cube"]["p400"] == rows["cube"]["p40"], rows["cube"]
used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
assert used < 300 << 10 or "asan" in sys.argv[2], used
END_OF_PYTHON
# shellcheck disable=SC2046
check "no more than have names" bash -c '! "$@" 2> err && grep -q "at most 999 profiles" err' sh \
	"$cgview" diff $(yes n1.db | head -1000)

# In the browser: the first, some between, the last; and all of them in a tree of calls.
cat > script <<'END_OF_SCRIPT'
size:160x40
:save-screen screen
t
a
:save-screen tree
END_OF_SCRIPT
# shellcheck disable=SC2086
check "the browser" env CGVIEW_SCRIPT=script "$cgview" --series arg:1 $all
cat screen tree
check "... names the last" grep -q '^ a n1.db.* \.\. .*p40 n40.db' screen
check "... tells the growth" grep -Eq 'n\^3 .*cube ' screen
check "... and that of paths" grep -Eq 'p40 .*result' tree
