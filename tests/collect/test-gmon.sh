#!/bin/bash
# gmon.out: calls by hand and as gprof prints them; times as gprof's; files made by hand, with counts and times by hand.
set -u
. tests/db/lib.sh
need sqlite3 python3 gcc gprof nm addr2line
cd "$TMP_DIR" || exit 1

rows() { sqlite3 -separator ' ' "$@"; }
same()
{
	printf '%s\n' "$2" > expected
	shift_name=$1
	shift 2
	"$@" > got 2>&1
	check "$shift_name" diff expected got
}

mkdir prog && cd prog || exit 1
cat > p.c <<'EOF2'
#include <stdlib.h>
static volatile unsigned sink;
static void spin(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i * i;
}
static int deep(int n)
{
	spin(1000);
	return n ? deep(n - 1) + 1 : 0;
}
static int order(const void *a, const void *b)
{
	spin(10);
	return *(const int *)a - *(const int *)b;
}
static int once(int (*next)(int))
{
	spin(400000);
	spin(100000);
	return next(4);
}
int main(void)
{
	int a[2] = { 2, 1 }, sum = 0;
	qsort(a, 2, sizeof(*a), order);
	for (int i = 0; i < 100; i++)
		sum += once(deep);
	return sum != 400;
}
EOF2
gcc -O0 -g -pg -no-pie -o p p.c || { echo "skip - gcc cannot build with -pg here"; exit 0; }
./p
gprof -b -p p gmon.out > flat 2> /dev/null
cd .. || exit 1

# By hand: qsort compares once.
"$cgview" import -o p.db prog/gmon.out > out 2>&1
check "the program is found beside it; one line" test "$(wc -l < out)" -eq 1
same "entries by hand; who called others was called" \
'deep 500 0
main 1 1
once 100 0
order 1 1
spin 701 0' rows p.db "SELECT name, calls, lacking FROM procedure ORDER BY name"
same "calls by their lines" \
'deep 11 deep 400
deep 10 spin 500
main 29 once 100
once 22 deep 100
once 20 spin 100
once 21 spin 100
order 15 spin 1' rows p.db "SELECT p.name, s.line, q.name, a.count FROM arc a JOIN call_site s ON s.id = a.site
	JOIN procedure p ON p.id = s.procedure JOIN procedure q ON q.id = a.callee ORDER BY 1, 3, 2"
awk '$1 ~ /^[0-9.]+$/ { time += $3 } END { printf "%d\n", time * 100 + 0.5 }' prog/flat > expected
sqlite3 p.db 'SELECT sum(self_ns) / 10000000 FROM procedure' > got
check "the time is gprof's" diff expected got
same "... it is that of its samples" 0 sqlite3 p.db 'SELECT (SELECT cpu_ns FROM run) - (SELECT samples FROM run) * 10000000'
same "... all of it comes to who began" 1 sqlite3 p.db "SELECT sum(propagated_ns) BETWEEN (SELECT cpu_ns FROM run) - 3 AND
	(SELECT cpu_ns FROM run) FROM procedure WHERE name IN ('main', 'order')"
same "... to the lines of the loop" 1 sqlite3 p.db "SELECT (SELECT sum(self_ns) FROM line WHERE line IN (5, 6)) * 10 >
	(SELECT cpu_ns FROM run) * 9"

# ---- by hand ----

cat > make.py <<'EOF2'
import struct, subprocess, sys
symbols = {}
for l in subprocess.run(["nm", "-S", "prog/p"], capture_output=True, text=True).stdout.splitlines():
    w = l.split()
    if len(w) == 4 and w[2] in "tT":
        symbols[w[3]] = int(w[0], 16), int(w[1], 16)
spin, deep, once = symbols["spin"], symbols["deep"], symbols["once"]
head = b"gmon" + struct.pack("<I12x", 1)

def histogram(low, samples, hz=100):
    return struct.pack("<BQQII15sc", 0, low, low + 4 * len(samples), len(samples), hz, b"seconds", b"s") + \
        struct.pack("<%dH" % len(samples), *samples)

# 6 samples begin two bytes before the end of spin(): 3 of 4 bytes' halves are of it, the others of deep() behind it.
low = spin[0] + spin[1] - 2
bins = histogram(low, [6, 0, 10])
arcs = b"".join(struct.pack("<BQQI", 1, f, t, n) for f, t, n in [
    (deep[0] + 15, spin[0] + 4, 7), (deep[0] + 15, spin[0] + 4, 5), (1 << 40, once[0] + 4, 3)])
blocks = struct.pack("<BI", 2, 3) + struct.pack("<6Q", spin[0], 5, spin[0] + 1, 9, once[0], 4)
open("hand.gmon", "wb").write(head + bins + arcs + blocks)
open("full.gmon", "wb").write(head + histogram(low, [65535, 1]) + struct.pack("<BQQI", 1, deep[0], spin[0], 4294967290))
for name, content in {
    "cut-head": head[:12], "cut-bins": head + bins[:-1], "cut-arc": head + arcs[:-3], "cut-blocks": head + blocks[:-9],
    "tag": head + b"\7", "rates": head + bins + histogram(low, [1], 50), "nothing": head, "zeros": head + histogram(low, [0]),
    "no-rate": head + histogram(low, [1], 0), "other": head + histogram(1 << 41, [1, 2]),
    "backwards": head + struct.pack("<BQQII15sc", 0, 9, 8, 1, 100, b"", b"s") + b"\1\0",
    "many": head + struct.pack("<BQQII15sc", 0, 0, 1 << 30, 0xffffffff, 100, b"", b"s"),
    "version": b"gmon" + struct.pack("<I12x", 2) + bins,
}.items():
    open("bad-" + name, "wb").write(content)
EOF2
python3 make.py
"$cgview" import --program prog/p -o hand.db hand.gmon > out 2>&1
same "by hand: a bin over two procedures is shared by bytes, its samples are whole" \
'deep 13 130000000
spin 3 30000000' rows hand.db "SELECT name, self_ns / 10000000, self_ns FROM procedure WHERE self_ns ORDER BY name"
same "... samples" 16 sqlite3 hand.db "SELECT sum(self_samples) FROM procedure"
same "... the same calls twice add up; from outside" \
'once 3
spin 12' rows hand.db "SELECT name, calls FROM procedure WHERE NOT lacking ORDER BY name"
{
	echo "$(addr2line -e prog/p 0x"$(nm prog/p | awk '$3 == "spin" { print $1 }')" | sed 's/.*://') 9"
	echo "$(addr2line -e prog/p 0x"$(nm prog/p | awk '$3 == "once" { print $1 }')" | sed 's/.*://') 4"
} > expected
rows hand.db "SELECT line, count FROM line WHERE NOT lacking ORDER BY line" > got
check "... lines have the count of the block that ran most" diff expected got
"$cgview" import --program prog/p -o two.db hand.gmon hand.gmon > out 2>&1
same "two files, of two processes, add up" '24 260000000 2' rows two.db "SELECT
	(SELECT calls FROM procedure WHERE name = 'spin'), (SELECT self_ns FROM procedure WHERE name = 'deep'), processes FROM run"
"$cgview" import --program prog/p -o full.db full.gmon > out 2>&1
check "full counters are told" grep -q '1 counters of samples are full' out
check "... and counts that may have begun anew" grep -q '1 counts of calls are near 4294967296' out

# ---- which program ----

cp hand.gmon prog/other.gmon
"$cgview" import -o found.db prog/other.gmon > out 2>&1
same "beside the profile, the only one with -pg" "$PWD/prog/p" sqlite3 found.db 'SELECT program FROM run'
cp prog/p prog/q
fails "several: told what to do" 'are several compiled with -pg: cgview import --program' \
	"$cgview" import -o none.db prog/other.gmon
cp prog/p prog/a.out
"$cgview" import -o found.db prog/other.gmon > out 2>&1
same "... among them a.out" "$PWD/prog/a.out" sqlite3 found.db 'SELECT program FROM run'
fails "none" 'is none compiled with -pg: cgview import --program' "$cgview" import -o none.db hand.gmon
fails "no program" 'true' "$cgview" import --program /nowhere/true -o none.db hand.gmon
touch -d '2 days ago' hand.gmon
"$cgview" import --program prog/p -o newer.db hand.gmon > out 2>&1
check "a program that is newer is told" grep -q 'is newer than hand.gmon' out

# ---- damaged ----

for bad in bad-*; do
	case $bad in
	bad-other) pattern='of another program' ;;
	bad-nothing | bad-zeros) pattern='neither calls nor samples' ;;
	bad-version) pattern='' ;;
	*) pattern='damaged: ' ;;
	esac
	fails "$bad: one line" "$pattern" "$cgview" import --program prog/p -o none.db "$bad"
done
size=$(wc -c < prog/gmon.out)
wrong=
for ((at = 21; at < size; at += size / 30)); do
	head -c $at prog/gmon.out > cut.gmon
	timeout 60 "$cgview" import --program prog/p -o cut.db cut.gmon > out 2>&1
	status=$?
	[ $status -eq 0 ] || { [ $status -eq 1 ] && [ "$(wc -l < out)" -eq 1 ]; } || wrong="$wrong $at"
done
check "cut anywhere: a profile, or one line" test -z "$wrong"
