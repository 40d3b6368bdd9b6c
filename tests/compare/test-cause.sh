#!/bin/bash
# cgview diff --by cause: changes whose counts are known by hand, in executions of blocks (profiles without times);
# sums, and the other way round, of profiles with times; what cannot be had; the printed text.
. tests/e2e/lib.sh
need_collection
need python3
cd "$TMP_DIR" || exit 1
cat > base.c <<'END'
#include <stdlib.h>
#include <string.h>

static volatile int sink;
static char from[64], to[64];

__attribute__((noinline)) static void
step(int i)
{
	sink += i;
}

__attribute__((noinline)) static void
copy(int i)
{
	sink += to[i & 63];
}

__attribute__((noinline)) static void
many(int n)
{
	for (int i = 0; i < n; i++)
		step(i);
}

__attribute__((noinline)) static int
fib(int n)
{
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

static int is_odd(int n);

__attribute__((noinline)) static int
is_even(int n)
{
	return n == 0 ? 1 : is_odd(n - 1);
}

__attribute__((noinline)) static int
is_odd(int n)
{
	return n == 0 ? 0 : is_even(n - 1);
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1000;

	for (int i = 0; i < 50; i++)
		copy(i);
	many(n);
	sink += fib(argc > 2 ? atoi(argv[2]) : 10);
	sink += is_even(argc > 3 ? atoi(argv[3]) : 100);
	return 0;
}
END
sed 's/^\t\tstep(i);/\t\tstep(i), step(i + 1);/' base.c > twice.c
sed 's/^\tsink += to\[i & 63\];/&\n\tmemcpy(to, from, (size_t)i);/' base.c > library.c
sed 's/^\tmany(n);/&\n\tmany(3 * n);/' base.c > again.c
build() # build NAME
{
	"$cgcc" -O1 -g -fno-builtin -fno-optimize-sibling-calls -o "$1" "$1.c" || exit 1
}
counted() # counted PROFILE PROGRAM [ARGUMENT...]: without samples
{
	"$cgview" record -F 0 -o "$1.db" -- "./$2" "${@:3}" > record.out 2>&1 || cat record.out
}
for program in base twice library again; do
	build $program
	counted $program $program
done
counted larger base 3000
counted deeper base 1000 12
counted even base 1000 10 300
cat > cause.py <<'END'
"""Rows of a ledger, told by their terms, against what is expected: [A, B, procedure, kind, term, callee, a, b]."""
import json
import math
import os
import subprocess
import sys

CGVIEW = sys.argv[1]
CASES = [
    ("one call more in a loop", "base", "twice", "many", "more_work", "calls", "step", 1000, 2000),
    ("a loop with more rounds begins in it, not in its caller", "base", "larger", "many", "more_work", "calls", "step",
     1000, 3000),
    ("one call more is its caller's", "base", "again", "main", "more_work", "calls", "many", 1, 2),
    ("a call of a library", "base", "library", "copy", None, "library", "memcpy", 0, 50),
    ("recursion goes deeper", "base", "deeper", "fib", "more_work", "deeper", "fib", 176, 464),
    ("... of two procedures together", "base", "even", "is_even and 1 in a cycle with it", "more_work", "deeper",
     "is_odd", 50, 150),
    ("the other way round", "larger", "base", "many", "less_work", "calls", "step", 3000, 1000),
]


def ledger(a, b):
    out = subprocess.run([CGVIEW, "diff", "--by", "cause", "--format", "json", a + ".db", b + ".db"], text=True,
                         stdout=subprocess.PIPE, check=True)
    return json.loads(out.stdout)


def told(good, name):
    print(f"{'ok' if good else 'not ok'} - {name}")


def near(x, y, what):
    if abs(x - y) > 1000:
        print(f"# {what}: {x}, not {y}")
    return abs(x - y) <= 1000


for name, a, b, procedure, kind, term, callee, n, m in CASES:
    found = [r for r in ledger(a, b)["rows"] if r["procedure"] == procedure and r["term"] == term and r["callee"] == callee]
    good = len(found) == 1 and (found[0]["a"], found[0]["b"]) == (n, m) and kind in (None, found[0]["kind"])
    if not good:
        print("#", [(r["kind"], r["a"], r["b"]) for r in found])
    told(good, name)
rows = ledger("base", "larger")["rows"]
told(rows[0]["procedure"] == "many" and sum(r["amount"] for r in rows) == ledger("base", "larger")["ledgers"][0]["amount"] == 8000,
     "2,000 rounds of three blocks, and one in step(): all 8,000 begin in many()")
told(not any(r["claimed"] or r["amount"] for r in ledger("base", "base")["rows"]), "of the same profile twice nothing differs")
# With times.
for a, b in (("timed", "timed-larger"), ("timed", "timed-twice"), ("timed", "timed-deeper"), ("timed", "timed")):
    there, back = ledger(a, b), ledger(b, a)
    head, mirror = there["ledgers"][0], back["ledgers"][0]
    good = near(sum(r["amount"] for r in there["rows"]), head["amount"], "terms")
    good &= near(sum(r["raw"] for r in there["rows"]), head["measured_amount"], "terms as measured")
    good &= near(head["b"] - head["a"], head["measured_amount"], "the runs")
    told(good, f"{a} and {b}: terms add up to the difference")
    mirrored = [(r["procedure"], r["term"], r["callee"], r["b"], r["a"], -r["amount"], -r["raw"]) for r in back["rows"]]
    told(head["amount"] == -mirror["amount"] and a == b or
         [(r["procedure"], r["term"], r["callee"], r["a"], r["b"], r["amount"], r["raw"]) for r in there["rows"]] == mirrored,
         "... and the other way round it is the same with the other sign")
told(ledger("timed", "timed")["ledgers"][0]["same_work"] and not any(r["claimed"] for r in ledger("timed", "timed")["rows"]),
     "one build and equal counts: the same work, and nothing is claimed")
one = ledger("timed", "timed-one")
told(not one["ledgers"][0]["prices_judged"] and not any(r["claimed"] for r in one["rows"] if r["kind"] in ("dearer", "cheaper")),
     "a single run claims no price")
told(any("have 3 and 1" in n["note"] for n in one["notes"]), "... and it is told")
told(any("no counts" in n["note"] for n in ledger("timed", "stacks")["notes"]) and
     near(sum(r["amount"] for r in ledger("timed", "stacks")["rows"]), ledger("timed", "stacks")["ledgers"][0]["amount"], "times"),
     "an imported profile has no counts: its times are there")
told(any("b has no times" in n["note"] for n in ledger("timed", "base")["notes"]) and ledger("timed", "base")["ledgers"][0]["unit"] == "blocks",
     "without times on one side there are counts")
found = [r for r in ledger("memory-1000", "memory-more")["rows"] if r["term"] == "bytes"]
told([(r["procedure"], r["a"], r["b"], r["amount"]) for r in found] == [("main", 40000, 50000, 0)], "bytes that a procedure gets")
head = ledger("memory-1000", "memory-3000")["ledgers"][0]
told((head["a_bytes"], head["b_bytes"]) == (40000, 120000), "... and of the whole run, also with equal counts")
for a, b, kind, n in (("1000", "3000", "more_bytes", [40000, 120000]), ("3000", "1000", "less_bytes", [120000, 40000])):
    of = ledger("memory-" + a, "memory-" + b)
    found = [r for r in of["rows"] if r["term"] == "bytes"]
    told([(r["procedure"], r["kind"], r["claimed"], [r["a"], r["b"]], r["row_amount"]) for r in found] ==
         [("main", kind, True, n, 0)], "bytes alone are a row of their own: " + kind)
    told(of["ledgers"][0]["claimed"] == sum(1 for i in {r["row"]: r for r in of["rows"]}.values() if i["claimed"]) and
         sum(r["amount"] for r in of["rows"]) == of["ledgers"][0]["amount"], "... which changes no sum")
waits = ledger("wait-1000", "wait-3000")
rows = [r for r in waits["rows"] if r["of"] == "wait"]
told([h["of"] for h in waits["ledgers"]] == ["cpu", "wait"] and
     near(sum(r["amount"] for r in rows), waits["ledgers"][1]["amount"], "waiting"), "waiting has a ledger of its own")
told(not waits["ledgers"][1]["at_equal_speed"], "... without a speed")
told([n["note"] for n in ledger("threads-1", "threads-3")["notes"] if "thread" in n["note"]] ==
     ["threads a run: 2 in a, 4 in b; times are those of all together"] and
     not any("threads a run" in n["note"] for n in ledger("threads-3", "threads-3")["notes"]), "how many threads, if that differs")
told(any("another program" in n["note"] for n in ledger("timed", "other")["notes"]), "of another program it is told")
END
cat > memory.c <<'END'
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	for (int i = 0; i < atoi(argv[2]); i++)
		free(malloc((size_t)atoi(argv[1])));
	usleep((unsigned)atoi(argv[1]) * 20);
	return argc > 9;
}
END
build memory
for size in 1000 3000; do
	"$cgview" record -F 0 --space -o memory-$size.db -- ./memory $size 40 > record.out 2>&1 || cat record.out
	"$cgview" record --wall -o wait-$size.db -- ./memory $size 40 > record.out 2>&1 || cat record.out
done
"$cgview" record -F 0 --space -o memory-more.db -- ./memory 1000 50 > record.out 2>&1 || cat record.out
cat > threads.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static void *nothing(void *p) { return p; }
int main(int argc, char **argv)
{
	pthread_t t;
	for (int i = 0; i < atoi(argv[argc - 1]); i++)
		pthread_create(&t, NULL, nothing, NULL), pthread_join(t, NULL);
	return 0;
}
END
build threads
for n in 1 3; do counted threads-$n threads $n; done
timed() # timed PROFILE PROGRAM [ARGUMENT...]
{
	"$cgview" record -n 3 -o "$1.db" -- "./$2" "${@:3}" > record.out 2>&1 || cat record.out
}
timed timed base 300000 20
timed timed-larger base 500000 20
timed timed-twice twice 300000 20
timed timed-deeper base 300000 22
"$cgview" record -o timed-one.db -- ./base 300000 20 > record.out 2>&1 || cat record.out
printf 'main;many 30\nmain;fib 20\n' > folded
"$cgview" import -o stacks.db folded > import.out 2>&1 || cat import.out
printf '#include <stdio.h>\nstatic void hello(void) { puts("hello"); }\nint main(void) { hello(); return 0; }\n' > other.c
build other
timed other other
python3 cause.py "$cgview"

"$cgview" diff --by cause base.db larger.db > text
check "the text: the head" grep -qE '^Block executions a run [0-9]+ → [0-9]+ blocks, \+8000 \(1\+1 runs\)$' text
check "... the row, with its line" grep -qE '^ +\+8000 +MORE WORK +many +base\.c:2[0-9]: ' text
check "... what has changed" grep -qE '^ +\+2000  calls step +1,000 → 3,000$' text
check "... also where the times are missing" grep -q 'neither has times' text
"$cgview" diff --by cause memory-1000.db memory-3000.db > text
check "... bytes alone" grep -qE '^ +0 +MORE BYTES +main$' text
check "... how many" grep -qE '^ +bytes that it gets +40\.0 kB → 120 kB$' text
"$cgview" diff --format markdown base.db larger.db > text
check "in Markdown it is the default" grep -qxE '\| \+8000 \| MORE WORK \| `many` `base.c:2[0-9]` \| .*`calls step` 1,000 → 3,000.* \|' text
check "... but for --by procedure" grep -qE '^\| procedure \| old ' <("$cgview" diff --by procedure --format markdown base.db larger.db)
check "not into a file" grep -q '^result = ' <("$cgview" diff base.db larger.db)
check "on a terminal, too" grep -q 'MORE WORK' <(script -qec "\"$cgview\" diff base.db larger.db" /dev/null)
for wrong in '-e b.calls' '--only a' '--fail-if more_work()' '-o x.db'; do
	# shellcheck disable=SC2086
	"$cgview" diff --by cause $wrong base.db larger.db > text 2>&1
	check "--by cause does not go with $wrong" [ "$?" = 2 ]
done
check "of two profiles only" grep -q 'compares two profiles' <("$cgview" diff --by cause base.db larger.db even.db 2>&1)

# A definition that two procedures use has changed: their prices are told together.
mkdir -p before after
cat > before/define.c <<'END'
#define STEP 3
static volatile long sum;
__attribute__((noinline)) static void one(int n) { while (n-- > 0) sum += STEP; }
__attribute__((noinline)) static void two(int n) { while (n-- > 0) sum ^= STEP; }
__attribute__((noinline)) static void third(int n) { while (n-- > 0) sum++; }
int main(void) { one(30000000); two(30000000); third(30000000); return 0; }
END
sed 's/STEP 3/STEP 5/' before/define.c > after/define.c
for side in before after; do
	(cd $side && "$cgcc" -O1 -g -o define define.c && "$cgview" record -n 2 -o ../$side.db -- ./define > record.out 2>&1 || cat record.out)
done
"$cgview" diff --by cause --format json before.db after.db > json
check "a changed definition: its users' prices together" python3 -c '
import json
got = json.load(open("json"))
rows = {r["row"]: r for r in got["rows"] if r["uses"]}.values()
assert sorted(r["procedure"] for r in rows) == ["one", "two"], rows
[d] = got["definitions"]
assert (d["name"], d["procedures"]) == ("STEP (macro, define.c:1)", 2), d
assert abs(d["amount"] - sum(r["row_amount"] for r in rows)) < 1, (d, rows)'
