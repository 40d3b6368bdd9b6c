#!/bin/bash
# cgview diff --fail-if: what a build is failed by. Counts are worked out by hand, times are set in the database, so that
# nothing depends on how long anything takes.
. tests/e2e/lib.sh
need_collection
need sqlite3
need python3
cd "$TMP_DIR" || exit 1
verdict() # verdict STATUS NAME
{
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; fi
}
# 100 times: middle() has a loop of 2,000, calls leaf() with one of 2,000, and other() with one of 2,000.
mkdir old moved more worse slow-fresh stranger
cat > old/prog.c <<'END'
static volatile long sum;

__attribute__((noinline)) static void leaf(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}

__attribute__((noinline)) static void other(int n)
{
	for (int i = 0; i < n; i++)
		sum ^= i;
}

__attribute__((noinline)) static void middle(int n)
{
	for (int i = 0; i < n; i++)
		sum = sum * 2 + 1;
	leaf(n);
	other(n);
}

int main(void)
{
	for (int i = 0; i < 100; i++)
		middle(2000);
	return 0;
}
END
# The loop of middle() moves into a new procedure, and that of other() into leaf().
cat > moved/prog.c <<'END'
static volatile long sum;

__attribute__((noinline)) static void leaf(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
	for (int i = 0; i < n; i++)
		sum ^= i;
}

__attribute__((noinline)) static void other(int n)
{
	sum ^= n;
}

__attribute__((noinline)) static void fresh(int n)
{
	for (int i = 0; i < n; i++)
		sum = sum * 2 + 1;
}

__attribute__((noinline)) static void middle(int n)
{
	fresh(n);
	leaf(n);
	other(n);
}

int main(void)
{
	for (int i = 0; i < 100; i++)
		middle(2000);
	return 0;
}
END
sed '/void leaf/,/^}/s/i < n/i < n + n \/ 10/' old/prog.c > more/prog.c
sed '/void leaf/,/^}/s/i < n/i < 2 * n/' moved/prog.c > worse/prog.c
sed '/void fresh/,/^}/s/i < n/i < 3 * n/' moved/prog.c > slow-fresh/prog.c
cat > stranger/prog.c <<'END'
static volatile double x;
__attribute__((noinline)) static void start(int n) { while (n-- > 0) x = x / 2 + n; }
__attribute__((noinline)) static void go(int n) { do x = x * n + x; while (--n > 0); }
__attribute__((noinline)) static void stop(int n) { for (; n != 3; n += n > 3 ? -1 : 1) x -= n; }
__attribute__((noinline)) static void all(int n) { start(n); go(n + 1); stop(n); }
int main(void) { all(1000); all(2000); return 0; }
END
for name in old moved more worse slow-fresh stranger; do
	(cd $name && "$cgcc" -O1 -g -o prog prog.c) && "$cgview" record -F 0 -o $name.db -- $name/prog > record.out 2>&1 ||
		cat record.out
done

# gate STATUS ROWS CONDITION [OPTION...] A B: the exit status, and the procedures that met it, in any order.
gate()
{
	local wanted=$1 rows=$2 condition=$3 status
	shift 3
	"$cgview" diff --fail-if "$condition" --format csv "$@" > csv 2> err
	status=$?
	tr -d '\r' < csv | sed 1d | cut -d, -f1 | sort | xargs > rows
	[ "$status $(cat rows)" = "$wanted $rows" ] || { echo "# $status: $(cat rows)"; cat err; false; }
	verdict $? "$condition of ${*: -1}: $wanted $rows"
}
gate 0 '' 'more_work(2%)' old.db old.db
# 40,000 executions of the loop more than 1.2 million: 3.3 % of all, 10 % of leaf().
gate 1 'leaf main middle' 'more_work(2%)' old.db more.db
gate 1 'leaf' 'more_work(5%)' old.db more.db
gate 0 '' 'more_work(11%)' old.db more.db
gate 1 'leaf main middle' 'more_work(2%, 39999)' old.db more.db
gate 0 '' 'more_work(2%, 40001)' old.db more.db
gate 1 'leaf main middle' 'more_work(39999)' old.db more.db
gate 1 'leaf main middle' 'more_work()' old.db more.db
gate 0 '' 'more_work()' more.db old.db
gate 1 'leaf' "more_work(2%) and sides = 'changed'" old.db more.db
gate 1 'leaf' 'more_work(2%) and not more_work(2%, 500000) and b.total_work < 500000' old.db more.db
# What moved is no regression, nor is a new procedure: expressions would say so.
gate 0 '' 'more_work(1%)' old.db moved.db
gate 1 'fresh leaf' "b.total_work > 1.05 * ifnull(a.total_work, 0) and sides <> 'both'" old.db moved.db
# ... but what is more in it is, in the figures of its callers too.
gate 1 'leaf main middle' 'more_work(1%)' old.db worse.db
gate 1 'leaf main middle' 'more_work(1%)' old.db slow-fresh.db
# Whole numbers are divided as real ones: 110,100 of 100,100 (other() has 100 executions outside of its loop) are not 1.
gate 1 'leaf' 'b.work / a.work > 1.02' old.db more.db
gate 1 'leaf' 'b.work / a.work - 1 > 2 / 100' old.db more.db
gate 1 'leaf' '(b.work - a.work) / a.work > 0.09 and b.total_work / b.calls > 4400' old.db more.db
gate 0 '' '(b.work - a.work) / a.work > 0.11' old.db more.db
gate 1 'leaf main middle other' 'cast(b.work / a.work as integer) = 1' old.db more.db
"$cgview" diff --fail-if 'more_work(2%)' old.db more.db > text
check "the condition is told" grep -q '^result = b.total_work - a.total_work   fails if more_work(2%)$' text
check "both figures, the change" grep -qE '^ *400,300 +440,300 +\+40,000 +\+9\.99% +more work +changed +leaf ' text
check "a total row" grep -qE '^ *1,201,403 +1,241,403 +\+40,000 +\+3\.33% +more work +fails +total$' text
"$cgview" diff --fail-if 'b.calls > 1 and more_work(2%)' -e 'b.count - a.count' old.db more.db > text
check "figures of the condition stand beside the others" grep -qE \
	'^ *a.count +b.count +result +change +a.total_work +b.total_work +change +a.calls +b.calls +change +verdict +in ' text
check "... with their own change" grep -qE '^ *100 +100 += +0% +400,300 +440,300 +\+9.99% +100 +100 +0% +same +changed +leaf ' text

# Four runs of 1 s each, by samples of 3 ms: main 1000 ms, middle 900, leaf 400, other 300.
# times FILE MAIN MIDDLE LEAF OTHER [RUNS]: a run's
times()
{
	local columns runs=${6:-4}
	columns=$(sqlite3 old.db "SELECT group_concat(name) FROM pragma_table_info('run') WHERE name <> 'id'")
	cp old.db "$1"
	sqlite3 "$1" "UPDATE procedure SET total_ns = 0, self_ns = 0, total_samples = 0, self_samples = 0, self_sd_ns = NULL,
			calls = calls * $runs;
		UPDATE procedure SET total_ns = $2 * $runs * 1000000, total_samples = $2 * $runs / 3 WHERE name = 'main';
		UPDATE procedure SET total_ns = $3 * $runs * 1000000, total_samples = $3 * $runs / 3 WHERE name = 'middle';
		UPDATE procedure SET total_ns = $4 * $runs * 1000000, total_samples = $4 * $runs / 3 WHERE name = 'leaf';
		UPDATE procedure SET total_ns = $5 * $runs * 1000000, total_samples = $5 * $runs / 3 WHERE name = 'other';
		UPDATE totals SET self_samples = $2 * $runs / 3, self_ns = $2 * $runs * 1000000, runs = $runs;
		UPDATE run SET build_id = '$1', samples = $2 / 3, cpu_ns = $2 * 1000000, interval_ns = 3000000, sample_ns = 3000000;
		WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < $runs)
			INSERT INTO run(id, $columns) SELECT i, $columns FROM run, n WHERE id = 1 AND i <= $runs"
}
times a.db 1000 900 400 300
times slower.db 1100 1000 500 300
gate 1 'leaf main middle' 'slower(5%)' a.db slower.db
gate 1 'leaf main middle' 'slower(5%, 99ms)' a.db slower.db
gate 0 '' 'slower(5%, 101ms)' a.db slower.db
gate 0 '' 'slower(5%, 0.2s)' a.db slower.db
gate 1 'leaf' 'slower(12%, 1000us)' a.db slower.db
gate 0 '' 'slower(5%)' slower.db a.db
gate 0 '' 'slower(5%) or more_work(1%)' a.db a.db
"$cgview" diff --fail-if 'slower(5%)' a.db slower.db > text
# Of 3.7, 2.5 and 2.4 all three (other() took as long as before): p of the third is 0.018. The third is
# 400 ms by what 2,800 samples of 3 ms (159 ms) and 2 % of each run besides (59 ms) come to.
check "how many differ is told" grep -q '^3 of 3 sampled procedures differ beyond chance (diff/noise from 2.[34] on); expect 1 false of 20$' text
check "the total of times" grep -qE '^ *4.000 s +4.400 s +\+400 ms +\+10.0% +\+2.[34] +slower +fails +total$' text
times noise.db 1025 925 425 300
gate 0 '' 'slower(5%)' a.db noise.db # 6 % of leaf, but its standard error
gate 0 '' 'slower()' a.db noise.db
times shift.db 1000 900 500 200
gate 0 '' 'slower(5%)' a.db shift.db # of other() into leaf()
times both.db 1010 910 510 200
gate 1 'leaf' 'slower(2%)' a.db both.db # 110 ms more, of which 100 were elsewhere
gate 0 '' 'slower(3%)' a.db both.db
times none.db 0 0 0 0
# Fewer than three runs on a side: a time is not judged, which is no pass; what is exact is.
times one.db 1000 900 400 300 1
times one-slower.db 2000 1800 800 600 1
times two-slower.db 2000 1800 800 600 2
cp more.db one-more.db
sqlite3 one-more.db "UPDATE totals SET self_samples = 400, self_ns = 1200000000"
sqlite3 one-more.db "UPDATE run SET samples = 400, cpu_ns = 1200000000, interval_ns = 3000000, sample_ns = 3000000"
refused() # refused NAME PATTERN CONDITION [OPTION...] A B: status 2
{
	local name=$1 pattern=$2
	shift 2
	"$cgview" diff --fail-if "$@" > out 2> err
	[ $? = 2 ] && [ ! -s out ] && head -1 err | grep -qe "$pattern" || { cat err; false; }
	verdict $? "refused: $name"
}
refused "no times" 'none.db has no samples of time' 'slower(5%)' a.db none.db
refused "of ranges" 'slower() judges procedures: no --by range' 'slower(5%)' --by range a.db a.db
refused "no unit" 'slower() takes a share and a time' 'slower(5)' a.db a.db
refused "two shares" 'more_work() takes a share and a number' 'more_work(5%, 6%)' a.db a.db
refused "less than nothing" 'takes a share' 'slower(-5%)' a.db a.db
refused "no end" "a ')' is missing" 'more_work(5%' a.db a.db
few='slower() cannot be told by one.db (1 run) and one-slower.db (1 run): .* it needs 3 of each, as by record -n 10$'
refused "one run a side: slower()" "$few" 'slower(5%, 1ms)' one.db one-slower.db
refused "... or what is no more" "$few" 'slower(5%) or more_work(1%)' one.db one-slower.db
gate 0 '' 'slower()' one.db one.db # the same work: what differs is the machine
refused "one run against four" 'told by a.db (4 runs) and one-slower.db (1 run)' 'slower()' a.db one-slower.db
refused "two runs against four" 'told by a.db (4 runs) and two-slower.db (2 runs)' 'slower()' a.db two-slower.db
refused "a significance of times of one run" 'none has a significance, as for times it needs 3 runs of each profile' \
	'significance > 3' -e total one.db one-slower.db
gate 1 'leaf main middle' 'slower(5%) or more_work(2%)' one.db one-more.db
gate 0 '' 'slower(5%) and more_work(20%)' one.db one-more.db
for e in total time 'significance(a.total_ns, b.total_ns)' 'share(b.total_ns, b.run.self_ns) - share(a.total_ns, a.run.self_ns)'; do
	"$cgview" diff -e "$e" --format json one.db one-slower.db > json
	check "one run a side has no significance: $e" python3 -c '
import json
got = json.load(open("json"))
assert got["total_significance"] is None and not got.get("rows_beyond_chance"), got
assert [r["significance"] for r in got["rows"]] == [None] * 4, got
assert "significance" not in got["expression"] or [r["value"] for r in got["rows"]] == [None] * 4, got'
done
"$cgview" diff -e total one.db one-slower.db > text
check "... which the foot tells" grep -q '^times are not judged: that needs 3 runs of each profile (record -n 10)$' text
check "... and no column" [ "$(grep -cE "significance|diff/noise" text)" = 0 ]
cp one.db same.db
sqlite3 same.db "UPDATE procedure SET total_ns = total_ns * 2"
check "one build, equal counts: the head says so" grep -qx 'same work: one build, equal counts; what differs is the machine' \
	<("$cgview" diff -e total one.db same.db)
"$cgview" diff -e total --format json one.db same.db > json
"$cgview" record -F 0 -n 2 -o twice.db -- old/prog > record.out 2>&1 || cat record.out
check "... of other numbers of runs, too" grep -q '^same work: ' <("$cgview" diff old.db twice.db)
check "... and json" grep -q '"same_work": *true' json
check "... not of another build" [ "$("$cgview" diff one.db one-more.db | grep -c '^same work')" = 0 ]
cp one.db one-call.db
sqlite3 one-call.db "UPDATE procedure SET calls = calls + 1 WHERE name = 'other'"
check "... nor with a call more" [ "$("$cgview" diff one.db one-call.db | grep -c '^same work')" = 0 ]
# A condition that could not be judged does not let everything pass.
refused "no value in any row" 'nothing is judged: the condition has no value in any of 4 procedures$' 'b.work / (a.work - a.work) > 1' old.db more.db
refused "null" 'nothing is judged: the condition has no value' 'null' old.db more.db
refused "no significance in any row" 'the condition has no value in any of 4 procedures: none has a significance$' \
	'significance > 2' -e 'b.count - a.count' old.db more.db
refused "... nor where it is false without one" 'none has a significance$' 'b.calls > 1000 and significance > 2' old.db more.db
refused "a filter that leaves nothing" 'nothing is judged: --filter and --file leave none of the 4 procedures$' \
	'more_work(2%)' --filter 'laef' old.db more.db
refused "... of files" 'leave none of the 4 procedures$' 'b.work > a.work' --file '*/gorp.c' old.db more.db
gate 1 'leaf' "significance > 2 or b.work > a.work" old.db more.db
gate 0 '' "b.work > a.work" --only a old.db more.db
gate 0 '' 'ifnull(b.work / (a.work - a.work), 0) > 1' old.db more.db
refused "not in -e" 'no such function: slower' 0 -e 'slower(1)' a.db a.db
refused "no such profile" 'nope.db' 'more_work(5%)' a.db nope.db
refused "another program" "nothing is judged: less than half of a is in the others: 1 of [0-9]* procedures" \
	'more_work(5%)' old.db stranger.db
check "... is told at the top" grep -q '^less than half of a is in the others: 1 of ' <("$cgview" diff old.db stranger.db | head -1)
"$cgview" diff --format csv old.db stranger.db > out 2> err
[ $? = 0 ] && grep -q '^cgview: diff: less than half of a is in the others' err && grep -q '^procedure,file' out
verdict $? "... and beside data"
check "a reader that is gone: status 2, and no word" python3 - "$cgview" <<'END'
import os, subprocess, sys
r, w = os.pipe()
os.close(r)
p = subprocess.run([sys.argv[1], "diff", "--fail-if", "more_work(2%)", "old.db", "more.db"], stdout=w, stderr=subprocess.PIPE)
assert (p.returncode, p.stderr) == (2, b""), p
END

# Data: both places, the manual's names.
line_of() { grep -n "void $1" $2/prog.c | cut -d: -f1; }
"$cgview" diff -e 'b.count - a.count' --format csv old.db moved.db | tr -d '\r' > csv
check "the place in both" grep -q "^middle,.*/moved/prog.c,$(line_of middle moved),.*/old/prog.c,$(line_of middle old),[0-9]*,[0-9]*,[0-9]*,,,,same,$" csv
check "... of what is new only one" grep -q "^fresh,.*/moved/prog.c,$(line_of fresh moved),.*,b,,,,,,,,,,,new,$" csv
"$cgview" diff --fail-if 'slower(5%)' --format json a.db slower.db > json
check "json: what fails, and the manual's names" python3 - "$top/man/cgview-diff.1" <<'END'
import json, re, sys
got = json.load(open("json"))
text = open(sys.argv[1]).read()
text = text[text.index("The columns of csv are\n.Cm procedure"):text.index("is a table for a comment")]
told = set(re.findall(r"[a-z_]+", " ".join(re.findall(r"^\.Cm (.*)$", text, re.M))))
keys = set(got) - {"schema", "document"} | {k for rows in (got["profiles"], got["rows"]) for r in rows for k in r}
assert keys <= told, keys - told # the head of all documents is told elsewhere
assert got["fails"] is True and got["total_fails"] is True and got["fail_if"] == "slower(5%)"
assert (got["rows_sampled"], got["rows_beyond_chance"], got["total_a"], got["total_b"]) == (3, 3, 4 * 10**9, 4400 * 10**6)
assert abs(got["significance_beyond_chance"] - 2.36) < 0.02
assert sorted(r["procedure"] for r in got["rows"]) == ["leaf", "main", "middle"]
END

# Markdown. The error of 533 of 1,333 samples is that of Agresti and Coull. Ten runs of 9 ms that differ by 0.5 ms: 2.262
# of the errors of the mean, 4 %.
markdown() { "$cgview" diff --format markdown "$@"; }
markdown --fail-if 'slower(5%)' a.db slower.db > table
check "markdown: what fails" grep -q '^\*\*3 of [45] procedures fail\*\* `slower(5%)`. total_ns of procedures: `a.db` (4 runs) to `slower.db` (4 runs)$' table
check "... old, new, change, verdict" grep -qE '^\| `leaf` `prog.c:3` \| 400 ms ± 7% \| 500 ms ± 6% \| \+25\.0% \| slower \(p=0\.000\) \|$' table
check "... total" grep -q '^| \*\*total\*\* | 1.000 s | 1.100 s | +10.0% | fails |$' table
check "... 533 of 1,333" [ "$(python3 -c 'n = 1337; p = 535 / n; print(f"{196 * (p * (1 - p) / n) ** 0.5 * 1333 / 533:.0f}")')" = 7 ]
check "... chance" grep -q '^3 of 3 sampled procedures differ beyond chance' table
check "what is new, exact, without a change" [ "$(markdown --fail-if "b.calls >= 0" -e 'b.calls - a.calls' old.db moved.db |
	sed -n 's/^| `\([a-z]*\)`.* |\([^|]*\)|$/\1\2/p' | sort | xargs)" = "fresh new leaf same main same middle same other same" ]
check "nothing fails" grep -q '^Nothing fails `more_work(50%)`' <(markdown --fail-if 'more_work(50%)' old.db more.db)
for x in m n; do
	times $x.db 1000 900 400 300 10
	sqlite3 $x.db "UPDATE procedure SET self_sd_ns = 500000, self_ns = $([ $x = m ] && echo 90000000 || echo 105000000) WHERE name = 'leaf'"
done
check "runs, and what they differ" grep -q '^| `leaf` `prog.c:3` | 9.00 ms ± 4% | 10.5 ms ± 3% | +16.7% | slower (p=0.000) |$' \
	<(markdown -e time m.db n.db)
# Ten runs of 1 s against 20 of 1.052 s: a run takes 5.2 % more, and what is shown says so.
times 10-runs.db 1000 900 400 300 10
times 20-runs.db 1052 900 400 300 20
gate 0 '' 'slower(6%)' 10-runs.db 20-runs.db
gate 0 '' 'b.calls > 1.01 * a.calls or b.total_ns > 1.06 * a.total_ns' 10-runs.db 20-runs.db
gate 1 'main' 'b.total_ns > 1.05 * a.total_ns' 10-runs.db 20-runs.db
"$cgview" diff -e total 10-runs.db 20-runs.db > text
check "unequal numbers of runs: the change is that of a run" grep -qE '^ *1\.000 s +1\.052 s +\+52\.0 ms +\+5\.20% .* main ' text
check "... and in the total" grep -qE '^ *1\.000 s +1\.052 s +\+52\.0 ms +\+5\.20% .* total$' text
check "... and in markdown" grep -qE '^\| `main` .* \| 1\.000 s [^|]* \| 1\.052 s [^|]* \| \+5\.20% ' <(markdown -e total 10-runs.db 20-runs.db)
# The total has the verdict that its significance says, as json has it.
markdown -e time m.db n.db > whole
"$cgview" diff --format json -e time m.db n.db > whole.json
python3 - > wanted << 'END'
import json, math
z = json.load(open("whole.json"))["total_significance"]
p = math.erfc(abs(z) / math.sqrt(2))
print("unresolved <" if p >= 0.05 else "%s (p=%.3f) |" % ("slower" if z > 0 else "faster", p))
END
check "the total has a verdict: $(cat wanted)" grep -qF "| $(cat wanted)" <(grep '^| \*\*total\*\*' whole)
check "ten rows" [ "$(markdown --by range -e count old.db moved.db | grep -c '^| `')" = 10 ]
check "... or as many as wanted" [ "$(markdown --by range --limit 2 -e count old.db moved.db | grep -c '^| `')" = 2 ]
check "... the others are told" grep -q '^[0-9][0-9]* more\. ' <(markdown --by range -e count old.db moved.db)
"$cgview" diff --series x --format markdown a.db b.db 2>&1 | grep -q 'no --format markdown'
verdict $? "no series as markdown"
sqlite3 n.db "UPDATE procedure SET name = 'a|\`b' || char(27) WHERE name = 'leaf'"
check "names cannot end a cell" grep -qF '| `a\|'"'"'b^[' <(markdown -e time m.db n.db | tr -d '\033' ; markdown -e time m.db n.db | grep -q $'\e' && echo escape)

# With three runs or more a total is judged by what these differ among themselves; a normalised time by what they differ
# beyond the same share of what it is normalised by.
for side in c d; do
	"$cgview" record -n 4 -o $side.db -- old/prog > record.out 2>&1
done
check "several runs: Welch's test of totals, and of normalised times" python3 - "$cgview" <<'END'
import csv, io, subprocess, sys
from math import exp, lgamma, log1p, pi, sqrt
from statistics import NormalDist, stdev

def table(*options):
    out = subprocess.run([sys.argv[1], *options, "--format", "csv"], capture_output=True, text=True, check=True).stdout
    return list(csv.DictReader(io.StringIO(out)))

def of_runs(name):
    rows = [table("report", "--runs", str(i), name) for i in range(1, 5)]
    def of(column):
        runs = [{r["procedure"]: int(r[column] or 0) for r in run} for run in rows]
        return {p: [run.get(p, 0) for run in runs] for p in set().union(*runs)}
    return {"total": of("total_ns"), "time": of("self_ns")}

def deviation(times, base): # beyond the same share of the base
    share = sum(times) / sum(base) if base else 0
    return stdev([t - share * b for t, b in zip(times, base)]) if base else stdev(times)

def beyond(t, n): # one side of Student's distribution
    parts = 100000
    h = t / parts
    area = sum((1 if i in (0, parts) else 4 if i % 2 else 2) * exp(lgamma((n + 1) / 2) - lgamma(n / 2)
               - (n + 1) / 2 * log1p((i * h) ** 2 / n)) / sqrt(n * pi) for i in range(parts + 1)) * h / 3
    return 0.5 - area

a, b = of_runs("c.db"), of_runs("d.db")
seen = 0
for expression, normalise in ("total", None), ("total", "total"), ("time", "total"), ("time", "main"), ("total", "middle"):
    bases = [None, None]
    if normalise:
        bases = [[sum(t) for t in zip(*of["time"].values())] if normalise == "total" else of["total"].get(normalise, [0])
                 for of in (a, b)]
        if not all(sum(base) for base in bases): # no sample fell there
            continue
    scale = sum(bases[0]) / sum(bases[1]) if normalise else 1
    for row in table("diff", "-e", expression, *(["--normalise", normalise] if normalise else []), "c.db", "d.db"):
        x, y = (of[expression].get(row["procedure"], [0] * 4) for of in (a, b))
        u = 4 * deviation(x, bases[0]) ** 2
        v = 4 * (scale * deviation(y, bases[1])) ** 2
        difference = scale * sum(y) - sum(x)
        if sqrt(u) < 1e-6 * sum(x) + 1 or sqrt(v) < 1e-6 * sum(x) + 1 or abs(difference) < 1 or row["sides"] != "both":
            continue
        t = abs(difference) / sqrt(u + v)
        n = (u + v) ** 2 / (u * u / 3 + v * v / 3)
        share = beyond(t, n)
        if share < 1e-6: # where Simpson's rule is not good enough
            continue
        z = -NormalDist().inv_cdf(share)
        got = float(row["significance"])
        assert abs(abs(got) - z) < 2e-3 and (got > 0) == (difference > 0), (expression, normalise, row, got, z)
        seen += 1
print(seen, "procedures")
END

# Foreign code has a row where a sample fell into it: that another profile has none says nothing about its calls.
cp old.db sampled.db
sqlite3 sampled.db "CREATE TEMP TABLE row AS SELECT * FROM procedure WHERE name = 'leaf';
	UPDATE row SET id = (SELECT max(id) FROM procedure) + 1, name = 'memcmp (libc)', linkage_name = 'memcmp',
		is_foreign = 1, file = NULL, line = NULL, column = NULL, end_line = NULL, end_column = NULL, calls = 7;
	INSERT INTO procedure SELECT * FROM row"
row=$("$cgview" diff -e 'b.count - a.count' --format csv old.db sampled.db | tr -d '\r' | grep '^[^,]*memcmp\|,memcmp')
check "foreign code in one profile alone: no difference of calls" grep -q 'memcmp' <<< "$row"
check "... no value" [ "$(python3 -c 'import csv, sys; r = next(r for r in csv.DictReader(sys.stdin)
if "memcmp" in r["procedure"]); print(r["value"], r["a"], r["b"])' \
	< <("$cgview" diff -e 'b.count - a.count' --format csv old.db sampled.db))" = "  7" ]
check "... and nothing to fail by" "$cgview" diff --fail-if 'b.count > a.count' old.db sampled.db

# A direct call of foreign code is counted with and without such a row: row.db calls memcmp as often as old.db does,
# which has no row of it; each call stands on its own line, so nothing else is called there.
cat > calls.c <<'END'
#include <string.h>
static char a[64], b[64];
int main(int argc, char **argv)
{
	int n = 0;

	for (int i = 0; i < 70; i++)
		n += memcmp(a, b, sizeof(a) - (size_t)argc) != 0;
	return n;
}
END
"$cgcc" -O1 -fno-builtin -o calls calls.c && "$cgview" record -F 0 -o plain.db -- ./calls > said 2>&1 || cat said
cp plain.db row.db
sqlite3 row.db "CREATE TEMP TABLE row AS SELECT * FROM procedure WHERE name = 'main';
	UPDATE row SET id = (SELECT max(id) FROM procedure) + 1, name = 'memcmp (libc)', linkage_name = 'memcmp',
		is_foreign = 1, file = NULL, line = NULL, column = NULL, end_line = NULL, end_column = NULL, calls = 70;
	INSERT INTO procedure SELECT * FROM row;
	UPDATE arc SET callee = (SELECT id FROM row) WHERE site = (SELECT id FROM call_site WHERE target = 'memcmp')"
# called BY A B: the rows of memcmp in the comparison: figures, value and in which profiles
called()
{
	"$cgview" diff -e 'b.count - a.count' --by "$1" --format csv "$2" "$3" > rows
	python3 -c 'import csv
for r in csv.DictReader(open("rows")):
	if "memcmp" in r["callee"]:
		print(r["callee"], r["a"], r["b"], r["value"], r["sides"])'
}
for by in arc pair site; do
	check "a direct call of foreign code is one $by, whichever profile has a row of it" \
		[ "$(called $by plain.db row.db; called $by row.db plain.db)" = \
		"memcmp (libc) 70 70 0 both
memcmp (libc) 70 70 0 both" ]
done
# Stacks alone tell of an arc: it has no count in either profile.
cp row.db stacks.db
sqlite3 stacks.db "UPDATE arc SET how = 'sampled', count = 0, lo = 0, hi = 0
	WHERE callee = (SELECT id FROM procedure WHERE linkage_name = 'memcmp')"
for by in arc pair; do
	check "an $by that only stacks tell of has no count" \
		[ "$(called $by stacks.db stacks.db)" = "memcmp (libc)    both" ]
done
# Without -e: the work where times are not judged, as it is exact; the own times where they are.
check "one run a side: the work comes first" grep -q '^result = b.work - a.work$' <("$cgview" diff one.db one-more.db)
check "... four runs: the times" grep -q '^result = b.self_ns - a.self_ns ' <("$cgview" diff a.db slower.db)
