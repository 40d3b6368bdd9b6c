#!/bin/bash
# cgview diff --fail-if: slower(), dearer(), more_work(), more_bytes(), unresolved(), and --except. Counts and bytes are
# worked out by hand, times are set in the database; dearer() is compared with the ledger's rows.
. tests/e2e/lib.sh
need_collection
need sqlite3
need python3
cd "$TMP_DIR" || exit 1
verdict() # verdict STATUS NAME
{
	if [ "$1" = 0 ]; then echo "ok - $2"; else echo "not ok - $2"; fi
}
gate() # gate STATUS ROWS CONDITION [OPTION...] A B
{
	local wanted=$1 rows=$2 condition=$3 status
	shift 3
	"$cgview" diff --fail-if "$condition" --format csv "$@" > csv 2> err
	status=$?
	tr -d '\r' < csv | sed 1d | cut -d, -f1 | sort | xargs > rows
	[ "$status $(cat rows)" = "$wanted $rows" ] || { echo "# $status: $(cat rows)"; cat err; false; }
	verdict $? "$condition of ${*}: $wanted $rows"
}
refused() # refused PATTERN CONDITION [OPTION...] A B: status 2
{
	local pattern=$1
	shift
	"$cgview" diff --fail-if "$@" > out 2> err
	[ $? = 2 ] && [ ! -s out ] && head -1 err | grep -qe "$pattern" || { cat err; false; }
	verdict $? "refused: $*"
}
cat > prog.c <<'END'
#include <stdlib.h>
static volatile long sum;
__attribute__((noinline)) static void leaf(int n) { for (int i = 0; i < n; i++) sum += i; }
__attribute__((noinline)) static void other(int n) { for (int i = 0; i < n; i++) sum ^= i; }
__attribute__((noinline)) static void get(int n) { for (int i = 0; i < n; i++) free(malloc(100)); }
__attribute__((noinline)) static void middle(void) { leaf(LEAF); other(1000); get(GET); }
int main(void) { for (int i = 0; i < 10; i++) middle(); return 0; }
END
# "more" has 10,000 rounds more in leaf() and 100 in get(); "bytes" 2,000 in get() alone.
for n in "old 1000 10" "more 2000 20" "bytes 1000 210"; do
	set -- $n
	"$cgcc" -O1 -g -fno-builtin -DLEAF=$2 -DGET=$3 -o $1 prog.c && "$cgview" record -F 0 --space -o $1.db -- ./$1 > said 2>&1 || cat said
done
"$cgview" record -F 0 -o plain.db -- ./old > said 2>&1 || cat said
# times FILE BUILD MAIN MIDDLE LEAF OTHER RUNS: ms of a run, of the build BUILD (a text)
times()
{
	local columns runs=$7
	columns=$(sqlite3 plain.db "SELECT group_concat(name) FROM pragma_table_info('run') WHERE name <> 'id'")
	cp plain.db "$1"
	sqlite3 "$1" "UPDATE procedure SET total_ns = 0, self_ns = 0, total_samples = 0, self_samples = 0, self_sd_ns = NULL,
			calls = calls * $runs;
		UPDATE block SET count = count * $runs;
		UPDATE procedure SET total_ns = $3 * $runs * 1000000, total_samples = $3 * $runs WHERE name = 'main';
		UPDATE procedure SET total_ns = $4 * $runs * 1000000, total_samples = $4 * $runs WHERE name = 'middle';
		UPDATE procedure SET total_ns = $5 * $runs * 1000000, total_samples = $5 * $runs WHERE name = 'leaf';
		UPDATE procedure SET total_ns = $6 * $runs * 1000000, total_samples = $6 * $runs WHERE name = 'other';
		UPDATE totals SET self_samples = $3 * $runs, self_ns = $3 * $runs * 1000000, runs = $runs,
			blocks_executed = blocks_executed * $runs;
		UPDATE run SET build_id = '$2', samples = $3, cpu_ns = $3 * 1000000, interval_ns = 1000000, sample_ns = 1000000;
		WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < $runs)
			INSERT INTO run(id, $columns) SELECT i, $columns FROM run, n WHERE id = 1 AND i <= $runs"
}
times a.db x 1000 990 400 300 4
times slow.db y 1400 1390 800 300 4
times same-slow.db x 1400 1390 800 300 4
gate 1 'leaf main middle' 'slower(5%)' a.db slow.db
gate 0 '' 'slower(5%)' slow.db a.db
# One build that did the same is never slower, however long it took, and in however few runs.
gate 0 '' 'slower()' a.db same-slow.db
times one.db x 1000 990 400 300 1
times one-same.db x 1400 1390 800 300 1
times one-slow.db y 1400 1390 800 300 1
gate 0 '' 'slower()' one.db one-same.db
gate 0 '' 'slower() or unresolved() or dearer() or more_work()' one.db one-same.db
refused 'slower() cannot be told by one.db (1 run) and one-slow.db (1 run)' 'slower()' one.db one-slow.db
# What is unresolved fails if it is asked for: of too few runs all that takes longer than that.
gate 1 'leaf main middle' 'slower() or unresolved(350ms)' one.db one-slow.db
gate 0 '' 'unresolved(2s)' one.db one-slow.db
# 3 % of a procedure of 400 ms are less than its error: by samples of 1 ms and 2 % of each run in four runs; which is
# that of significance() of the manual, times 2.8.
times noise.db y 1010 1000 410 300 4
gate 0 '' 'slower()' a.db noise.db
"$cgview" diff -e total --format csv a.db noise.db > rows.csv
for limit in 0 5 6 8 20; do
	wanted=$(python3 - $limit <<'END'
import csv, sys
# The least that would have been seen, of a row: 2.8 standard errors, of samples and of the runs.
def least(a, b):
    n, m = 4 * a, 4 * b                       # samples of 1 ms; ms of all runs
    return 2.8 * (n + m + 2 * 0.02 ** 2 / 4 * ((n + m) / 2) ** 2) ** 0.5 / 4
times = {"main": (1000, 1010), "middle": (990, 1000), "leaf": (400, 410), "other": (300, 300)}
got = {r["procedure"]: r for r in csv.DictReader(open("rows.csv"))}
for name, (a, b) in times.items():
    told = float(got[name]["least"]) / 4e6
    assert abs(told - least(a, b)) < 0.02 * told, (name, told, least(a, b))
print(" ".join(sorted(n for n, (a, b) in times.items() if least(a, b) > float(sys.argv[1]) / 100 * a
                      and (least(a, b) > 0.02 * a or abs(b - a) >= least(a, b)))))
END
	)
	gate "$([ -n "$wanted" ] && echo 1 || echo 0)" "$wanted" "unresolved($limit%)" a.db noise.db
done
gate 0 '' 'unresolved()' a.db same-slow.db
# 10 ms of 1 s are a seventh of what would have been seen in four runs: 4 * 7.4 * 7.4 runs would do.
"$cgview" diff -e total a.db noise.db > text
check "how many runs would tell" python3 -c '
import re
least = 2.8 * (8040 + 2 * 0.02 ** 2 / 4 * 4020 ** 2) ** 0.5 / 4
told = re.search("^the total is unresolved: if its difference is there, about ([0-9]+) runs a side would tell$", open("text").read(), re.M)
assert abs(int(told[1]) - 4 * (least / 10) ** 2) < 0.05 * int(told[1]), (told[1], 4 * (least / 10) ** 2)'
check "... nothing of what is slower" [ "$("$cgview" diff -e total a.db slow.db | grep -c 'would tell')" = 0 ]
# Bytes: 10 * 10 * 100 of old, 10,000 of them more in "more", 200,000 in "bytes".
gate 1 'get main middle' 'more_bytes()' old.db more.db
gate 1 'get main middle' 'more_bytes(99%, 9999)' old.db more.db
gate 1 'get main middle' 'more_bytes(9.9kB)' old.db more.db
gate 0 '' 'more_bytes(10kB)' old.db more.db
gate 0 '' 'more_bytes(101%)' old.db more.db
gate 1 'get main middle' 'more_bytes(0.1MB)' old.db bytes.db
gate 0 '' 'more_bytes()' more.db old.db
refused 'more_bytes(): no profile has total_bytes: cgview record --space' 'more_bytes()' plain.db plain.db
refused 'more_bytes(): plain.db has no total_bytes' 'more_bytes()' old.db plain.db
refused 'more_bytes() takes a share and a number of bytes' 'more_bytes(1ms)' old.db more.db
# Work that nobody counted does not pass.
printf 'main;leaf 30\nmain;other 20\n' > folded
"$cgview" import -o stacks.db folded > said 2>&1 || cat said
refused 'more_work(): stacks.db has no counts' 'more_work()' stacks.db stacks.db
refused 'more_work(): stacks.db has no counts' 'more_work() or b.calls > 1' --rename 'x=y' stacks.db stacks.db
refused 'dearer(): old.db has no samples of time' 'dearer()' old.db more.db
refused 'dearer() is judged at equal speed: no --normalise' 'dearer()' --normalise total a.db slow.db

# --except: 10,000 rounds more are leaf()'s, of two blocks each at most; get() has 100 more.
gate 1 'get leaf main middle' 'more_work()' old.db more.db
printf '# known\n\nleaf   # since the table grew\n' > except
gate 1 'get main middle' 'more_work()' --except except old.db more.db
gate 0 '' 'more_work(5%, 1000)' --except except old.db more.db
check "... nor the whole program: what it has more is leaf()'s" grep -q '"total_fails": *false' \
	<("$cgview" diff --fail-if 'more_work(5%, 1000)' --except except --format json old.db more.db)
printf 'l?af\ng*\n' > except
gate 0 '' 'more_work()' --except except old.db more.db
printf 'middle\n' > except
gate 1 'get leaf' 'more_work()' --except except old.db more.db
gate 1 'get leaf' 'b.work > 1.5 * a.work and b.calls > 1' --except except -e 'b.work - a.work' old.db more.db
printf 'laef\nleaf\n' > except
"$cgview" diff --fail-if 'more_work(5%, 1000)' --except except old.db more.db > out 2> err
[ $? = 0 ] && grep -qx 'cgview: diff: --except: except:1: no procedure is called laef' err && [ "$(wc -l < err)" = 1 ]
verdict $? "a name that nothing has is told"
refused 'cannot open nothing-there' 'more_work()' --except nothing-there old.db more.db
refused '--except names procedures: no --by file' 'b.count > a.count' --by file --except except old.db more.db
"$cgview" diff --except except old.db more.db 2>&1 | grep -q -- '--except goes with --fail-if'
verdict $? "--except without a condition"

# dearer() is what the ledger claims.
cat > price.c <<'END'
static volatile double x = 3;
static int by = 1;
__attribute__((noinline)) static void costly(int n) { for (int i = 0; i < n; i++) x COST; }
__attribute__((noinline)) static void plain(int n) { for (int i = 0; i < n; i++) x += by; }
int main(void) { costly(3000000); plain(20000000); return 0; }
END
"$cgcc" -O1 -g -DCOST='+= by' -o cheap price.c
"$cgcc" -O1 -g -DCOST='= x / 3.1 / 1.7 / 0.3 / 1.1 / 1.3 + 1 / x' -o dear price.c
for n in cheap dear; do
	"$cgview" record -n 4 -o $n.db -- ./$n > said 2>&1 || cat said
done
for limit in '0 0' '5 1' '60 0' '0 2000'; do
	set -- $limit
	wanted=$("$cgview" diff --by cause --format json cheap.db dear.db | python3 -c '
import json, sys
rows = {}
for r in json.load(sys.stdin)["rows"]:
    if r["of"] == "cpu" and r["kind"] == "dearer" and r["claimed"] and r["under"] is None:
        row = rows.setdefault(r["row"], [r["procedure"], r["row_amount"], 0])
        row[2] += r["a_ns"] if r["price"] else 0
print(" ".join(sorted(p for p, more, before in rows.values()
                      if more > float(sys.argv[1]) / 100 * before and more > float(sys.argv[2]) * 1e6)))' "$1" "$2")
	gate "$([ -n "$wanted" ] && echo 1 || echo 0)" "$wanted" "dearer($1%, $2ms)" cheap.db dear.db
done
gate 0 '' 'dearer()' cheap.db cheap.db
"$cgview" record -o dear-one.db -- ./dear > said 2>&1 || cat said
refused 'dearer() cannot be told by cheap.db (4 runs) and dear-one.db (1 run)' 'dearer()' cheap.db dear-one.db
# Who looked several times while recording is judged by what is left.
cp dear.db looked.db
sqlite3 looked.db "INSERT INTO note(kind, text) VALUES('looks', 'differences are judged at 0.0000000001 in place of 0.05')"
gate 0 '' 'dearer()' cheap.db looked.db
