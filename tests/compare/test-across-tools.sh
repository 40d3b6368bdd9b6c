#!/bin/bash
# Profiles of other tools beside counts of ours: costs of callgrind and samples over executions. Expected values are
# counted by hand, by gcov, and by adding up callgrind's file here.
set -u
. tests/e2e/lib.sh
need_collection
need gcov
cd "$TMP_DIR" || exit 1

same() # NAME EXPECTED COMMAND...
{
	local name=$1
	printf '%s\n' "$2" > expected
	shift 2
	{ "$@" 2>&1; } | tr -d '\r' > got
	check "$name" diff expected got
}
# columns FIELDS DIFF-ARGUMENT...: these fields of the rows, sorted
columns()
{
	local fields=$1
	shift
	"$cgview" diff --format csv "$@" 2> err | python3 -c '
import csv, sys
for row in sorted([r[f] for f in sys.argv[1].split(",")] for r in csv.DictReader(sys.stdin)):
    print(",".join(row))' "$fields"
}

# Eight procedures that execute 2^k * 100 rounds; others that the first argument asks for; one that is inlined.
cat > p.c <<'END'
#include <stdlib.h>
static volatile unsigned x;
static inline unsigned mix(unsigned v)
{
	return v * 3 + 1;
}
#define P(name) __attribute__((noinline)) static void name(int n) \
{                                                                  \
	for (int i = 0; i < n; i++)                                \
		x = mix(x);                                        \
}
P(p0) P(p1) P(p2) P(p3)
P(p4) P(p5) P(p6) P(p7)
P(q0) P(q1) P(q2) P(q3)
P(q4) P(q5) P(q6) P(q7)
__attribute__((noinline)) static int clone(int k)
{
	return x & (1 << k);
}
int main(int argc, char **argv)
{
	static void (*const p[2][8])(int) = {
		{ p0, p1, p2, p3, p4, p5, p6, p7 },
		{ q0, q1, q2, q3, q4, q5, q6, q7 },
	};
	int other = argc > 1 && atoi(argv[1]);

	for (int k = 0; k < 8; k++)
		p[other][k](100 << k);
	return clone(40) > 1;
}
END
must "compile with cgcc" "$cgcc" -O2 -g -o ours p.c
record_counts ours.db ./ours

# ---- callgrind, by hand ----
# main() has begun at line 3, in what was inlined; clone() is what GCC has made of it. A line without counts (21), one
# that callgrind has not (26), and a procedure of a library, in a file that ours does not know.
cat > hand.cg <<END
# callgrind format
creator: hand-1
events: Ir L1-dcache:u
ob=ours
fl=$PWD/p.c
fn=main
3 16
21 5 1
28 45 8
29 120 16
cfn=clone.constprop.0
calls=1 16
30 10
fn=clone.constprop.0
16 1
18 9
ob=libc.so
fl=/nowhere/c.c
fn=strlen
5 70
totals: 266 25
END
same "instructions for each execution of a line: by hand" '16,1,1,1
18,1,9,9
21,,5,
26,1,,0
28,9,45,5
29,8,120,15
3,25500,16,0.000627451
5,,70,' sh -c "'$cgview' diff -e 'b.Ir / a.count' --by line --format csv ours.db hand.cg 2> err |
	awk -F, '\$3 == 5 && \$2 ~ /p.c/ || \$3 == 30 || \$3 > 11 && \$3 < 16 || \$3 == 20 || NR == 1 { next }
	{ print \$3 \",\" \$8 \",\" \$9 \",\" (\$10 == \"\" ? \"\" : sprintf(\"%.6g\", \$10)) }' | sort"
"$cgview" diff -e 'b."Ir" / a.count' --by line ours.db hand.cg > text 2> err
check "... the tool's name heads its column, beside counts" grep -qE '^ *a\.count +b\.Ir +result' text
check "... the costliest stands first, without a sign" grep -qE '^ *8 +120 +15 +p\.c:29' text
check "... the total has both" grep -qE '^ *[0-9,]+ +266 +[0-9.]+ +total' text
"$cgview" diff -e 'b."L1-dcache:u" / a.count' --by line ours.db hand.cg > text 2> err
check "... a name that is no word stands in quotes" grep -qE '^ *a\.count +b\."L1-dcache:u" +result' text
same "what one side does not know has no value, and is not 0" 'clone.constprop.0,1,10,9,both
main,1,186,185,both
mix,25500,,,a
strlen,,70,,b' sh -c "'$cgview' diff -e 'b.Ir - a.count' --format csv ours.db hand.cg 2> err |
	awk -F, '/^(main|mix|clone|strlen)/ { print \$1 \",\" \$8 \",\" \$9 \",\" \$10 \",\" \$11 }' | sort"
same "a procedure begins where it is defined, whatever was inlined" 'clone.constprop.0,16,19
main,20,31' sh -c "'$cgview' report --format csv --sql \"SELECT name, line, end_line FROM procedure WHERE line > 5 ORDER BY 1\" \
	hand.cg 2> err | tail -n +2"
same "without an expression: costs over counts, whichever is first" 'result = b.Ir / a.count
result = a.Ir / b.count
result = b.Ir - a.Ir' sh -c "for p in 'ours.db hand.cg' 'hand.cg ours.db' 'hand.cg hand.cg'; do
	'$cgview' diff \$p 2> err | grep '^result'; done"
check "two of callgrind: nothing differs" sh -c "! '$cgview' diff --format csv hand.cg hand.cg 2> err |
	awk -F, 'NR > 1 && \$10 != 0' | grep ."
"$cgview" diff -e 'b.Ir / a.count' --format markdown ours.db hand.cg > text 2> err
check "markdown: both figures, and the cost of one" grep -qF '| `main` `p.c:20` | 1 | 186 | 186 |  |' text

# ---- samples, by hand ----
# Of p7 .. p0 so many samples of 1 ms each, all within main().
samples() # NAME PREFIX NUMBERS
{
	local name=$1 prefix=$2 i=0 time=0
	shift 2
	for n; do
		for ((s = 0; s < n; s++)); do
			time=$((time + 1))
			printf 'ours 7/7 1.%06d: 1000000 cpu-clock:u:\n\t10 %s+0x1 (/x/ours)\n\t20 main+0x2 (/x/ours)\n\n' \
				$time "$prefix$i"
		done
		i=$((i + 1))
	done > "$name"
}
samples alike.txt p 1 2 4 8 16 32 64 128
samples other.txt q 1 2 4 8 16 32 64 128
samples turned.txt p 128 64 32 16 8 4 2 1
samples few.txt p 1 1 1 1 1 1 2 4
# 128 ms in one call; 1.96 standard errors of 128 in 255 (plus four) samples.
same "time for each call, with its error" "1 128 ms 128 ms 12%
1 64.0 ms 64.0 ms 21%" sh -c "'$cgview' diff -e ns-each ours.db alike.txt 2> err | grep -E ' p[67]\$' |
	sed -E 's/ +/ /g; s/^ //; s/ p[67].*//'"
python3 - << 'END' || echo "not ok - the error, by the formula of a share"
from math import sqrt
for n in 128, 64:
    p = (n + 2) / 259
    print("ok - the error is", f"{1.96 * sqrt(p * (1 - p) / 259) * 255 / n:.0%}")
    assert f"{1.96 * sqrt(p * (1 - p) / 259) * 255 / n:.0%}" == {128: "12%", 64: "21%"}[n]
END
for of in 'alike samples go with counts: rank correlation 1.00 over 8' \
	'turned workloads do not match: samples do not go with counts: rank correlation -1.00 over 8' \
	'other workloads do not match: samples do not go with counts: rank correlation 0.00 over 8'; do
	"$cgview" diff ours.db "${of%% *}.txt" > text 2> err
	check "${of%% *} samples: text" grep -qF "${of#* }" text
	"$cgview" diff --format markdown ours.db "${of%% *}.txt" > text 2> err
	check "... markdown" grep -qF "${of#* }" text
	"$cgview" diff --format json ours.db "${of%% *}.txt" > json 2> err
	check "... json" grep -q "\"workloads_match\": *$([ "${of%% *}" = alike ] && echo true || echo false)" json
done
"$cgview" diff ours.db few.txt > text 2> err
check "too few samples tell nothing of that" sh -c '! grep rank text'
"$cgview" diff ours.db ours.db > text 2> err
check "... nor counts alone" sh -c '! grep rank text'

# ---- a program under valgrind ----
if ! command -v valgrind > /dev/null; then
	echo "skip - valgrind is not installed"
	exit 0
fi
must "compile plainly" gcc -O2 -g -o plain p.c
must "run callgrind" valgrind -q --tool=callgrind --callgrind-out-file=real.cg --compress-strings=no --compress-pos=no ./plain
must "compile with gcov" gcc -O0 --coverage -o counted p.c
must "run with gcov" ./counted
gcov -t counted-p.gcda > gcov.txt 2> /dev/null
"$cgview" diff -e 'b.Ir / a.count' --by line --format csv ours.db real.cg > lines.csv 2> err
"$cgview" diff ours.db real.cg > text.real 2> err
python3 - << 'END'
import collections, csv, re
costs, path, skip = collections.Counter(), "", False
for line in open("real.cg"):
    m = re.match(r"(?:fl|fi|fe)=(.*)", line)
    if m:
        path = m.group(1)
    elif line.startswith("calls="):
        skip = True
    elif re.match(r"\d+ \d+$", line):
        if not skip and path.endswith("/p.c"):
            n, cost = line.split()
            costs[int(n)] += int(cost)
        skip = False
counts = {}
for line in open("gcov.txt"):
    m = re.match(r" *([\d#]+)\*?: *(\d+):", line)
    if m and m.group(2) != "0":
        counts[int(m.group(2))] = 0 if m.group(1)[0] == "#" else int(m.group(1))
rows = {int(r["line"]): r for r in csv.DictReader(open("lines.csv")) if r["file"].endswith("/p.c")}
def verdict(good, name, *why):
    print("ok -" if good else "not ok -", name, *([] if good else why))
wrong = [n for n in costs if rows[n]["b"] != str(costs[n])]
verdict(costs and not wrong, "each line's instructions are those of callgrind's file", wrong)
# Of a line with several parts gcov at -O0 has another count than the most frequent one: heads of loops, of procedures.
ours = {n: int(r["a"]) for n, r in rows.items() if r["a"]}
same = [n for n in (5, 16, 18, 20, 28, 29, 30) if ours[n] == counts[n]]
verdict(len(same) >= 5, "counts of lines of one part are gcov's", ours, counts)
wrong = [n for n in costs if n in ours and ours[n] and abs(float(rows[n]["value"]) - costs[n] / ours[n]) > 1e-9]
verdict(not wrong, "... and the value is the quotient", wrong)
report = open("text.real").read()
verdict("less than half" not in report, "libraries of another tool make it no other program", report)
verdict(float(rows[5]["value"]) < 10, "a multiplication and an addition are few instructions", rows[5])
END

# ---- samples of a plain program on the expressions that counts know ----
# perf has the addresses, llvm-symbolizer their columns; the innermost range around each is found here.
cat > e.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define SCALE(v) ((v) * 1.0000001)
static volatile unsigned long sink;
static unsigned long hash(unsigned long x) { return x % 1000003 + x / 7; }
int main(int argc, char **argv)
{
	unsigned long n = argc > 1 ? strtoul(argv[1], NULL, 0) : 1000;
	double f = 1;
	for (unsigned long i = 0; i < n; i++) {
		unsigned long a = i * 3 + hash(i), b = i % 97 && i % 89 ? a / (i | 1) : a ^ i;
		sink += b; f = SCALE(f) / (1 + (double)(b & 3));
	}
	printf("%g\n", f);
	return 0;
}
END
if command -v llvm-symbolizer > /dev/null && command -v perf > /dev/null; then
	must "compile with cgcc" "$cgcc" -O2 -g -o counted e.c
	must "compile with gcc" gcc -O2 -g -no-pie -o plain e.c
	record_counts counted.db ./counted 1000
	perf record -q -e cpu-clock:u -c 500000 -o e.data ./plain 40000000 > /dev/null 2>&1
	"$cgview" import -o e.db e.data > out 2>&1
	cat > oracle.py <<'END'
import collections, sqlite3, subprocess, sys

symbols = {int(line.split()[0], 16) for line in subprocess.run(["nm", "plain"], capture_output=True, text=True).stdout.splitlines()
           if line.split()[0] != "U" and len(line.split()) == 3}
ips = [int(word, 16) for word in subprocess.run(["perf", "script", "-i", "e.data", "-F", "ip"], capture_output=True, text=True)
       .stdout.split()]
# What runs next is told: the instruction before it was running.
ips = [ip if ip in symbols else ip - 1 for ip in ips if ip < 1 << 32]
places = subprocess.run(["llvm-symbolizer", "--obj=plain", "--output-style=LLVM", "--no-inlines", "--functions=none"],
                        input="\n".join(map(hex, ips)), capture_output=True, text=True).stdout
seen = collections.Counter(tuple(map(int, line.split(":")[-2:])) for line in places.splitlines() if "e.c:" in line)
ranges = sqlite3.connect("counted.db").execute("""SELECT r.line, r.column, r.end_line, r.end_column FROM range r JOIN file f
    ON f.id = r.file WHERE f.path LIKE '%e.c' AND r.kind <> 'definition'""").fetchall()
sums = collections.Counter()
for (line, column), n in seen.items():
    around = [r for r in ranges if (r[0], r[1]) <= (line, column) <= (r[2], r[3])]
    if column and around:
        sums[max(around, key=lambda r: (r[0], r[1], -r[2], -r[3]))] += n
print(f"# {len(seen)} places, {sum(seen.values())} samples", file=sys.stderr)
for r, n in sorted(sums.items()):
    print(f"{r[0]}:{r[1]}-{r[2]}:{r[3]} {n}")
END
	python3 oracle.py > expected
	"$cgview" diff -e 'b.self_samples' --by range --format csv counted.db e.db 2> err | python3 -c '
import csv, sys
rows = [r for r in csv.DictReader(sys.stdin) if r["file"].endswith("e.c") and r["sides"] in ("both", "a") and float(r["b"] or 0)]
for r in sorted(rows, key=lambda r: [int(r[c]) for c in ("line", "column", "end_line", "end_column")]):
    print("%s:%s-%s:%s %s" % (r["line"], r["column"], r["end_line"], r["end_column"], r["b"]))' > got
	check "samples of a plain program are those of the innermost expressions" sh -c '[ "$(wc -l < got)" -ge 4 ] && diff expected got'
	"$cgview" report --format csv --by line --columns line,self_samples e.db > lines 2> err
	check "... and each line has all that its points have" [ "$(sqlite3 e.db "SELECT count(*) FROM line l JOIN file f ON f.id = l.file
		WHERE l.self_samples IS NOT (SELECT sum(r.self_samples) FROM range r WHERE r.file = l.file AND r.line = l.line)
		AND l.self_samples > 0")" = 0 ]
else
	echo "skip - samples of a plain program on expressions: no perf, or no llvm-symbolizer"
fi
