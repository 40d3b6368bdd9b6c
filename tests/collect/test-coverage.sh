#!/bin/bash
# Profiles of other tools that count: the JSON of gcov and of llvm-cov, traces of lcov. Figures are those of the tools'
# own printers (gcov's text, llvm-cov export -format=lcov), counts by hand, and, of one program, those of cgcc. Who
# called what is not known, and times are not.
set -u
. tests/db/lib.sh
need sqlite3 python3 gcov
cgcc=$build/cgcc
cd "$TMP_DIR" || exit 1

check_output()
{
	local name=$1 expected=$2
	shift 2
	printf '%s\n' "$expected" > expected
	{ "$@" 2>&1; } | tr -d '\r' > got
	check "$name" diff expected got
}
rows() { sqlite3 -separator ' ' "$@"; }

# A header that two objects include, functions of one name in two files, a loop, code that never runs, a macro.
cat > shared.h <<'EOF'
#define TWICE(x) ((x) + (x))
static inline int half(int n)
{
	return n > 0 ? n / 2 : 0;
}
EOF
cat > one.c <<'EOF'
#include "shared.h"
int other(int n);
static int step(int n)
{
	if (n % 3 == 0)
		return TWICE(n);
	return n + 1;
}
static int never(int n)
{
	return n * n;
}
int main(int argc, char **argv)
{
	int sum = 0;
	(void)argv;
	for (int i = 0; i < 30; i++)
		sum += step(i) + half(i);
	if (argc > 5)
		sum += never(sum);
	return other(sum) < 0;
}
EOF
cat > two.c <<'EOF'
#include "shared.h"
static int step(int n)
{
	return half(n) ? n - 1 : n;
}
int other(int n)
{
	int left = n;
	while (left > 100)
		left = step(left) - 50;
	return left;
}
EOF

# ---- gcov ----

mkdir gcov && cd gcov || exit 1
gcc -O0 --coverage -I.. -c ../one.c ../two.c && gcc --coverage -o prog one.o two.o && ./prog
gcov --json-format -b --stdout ./*.gcda > ../gcov.json 2> /dev/null
gcov --stdout ./*.gcda > ../gcov.text 2> /dev/null
cd .. || exit 1
# The text of gcov has a file once for each object: sums by line, without what has no code.
cat > gcov-lines.py <<'EOF'
import os, re
lines, path = {}, None
for l in open("gcov.text"):
    m = re.match(r"\s*([-#=\d]+)\*?:\s*(\d+):(.*)", l)
    if not m:
        continue
    count, line, text = m.group(1), int(m.group(2)), m.group(3)
    if line == 0:
        if text.startswith("Source:"):
            path = os.path.basename(text[7:])
    elif count != "-":
        lines[path, line] = lines.get((path, line), 0) + (0 if count[0] in "#=" else int(count))
for (path, line), count in sorted(lines.items()):
    print(path, line, count)
EOF
lines_of()
{
	rows "$1" "SELECT path, l.line, l.count FROM line l JOIN file f ON f.id = l.file WHERE NOT l.lacking" |
		sed 's:^[^ ]*/::' | LC_ALL=C sort -k1,1 -k2,2n
}
entries()
{
	rows "$1" "SELECT p.name, f.path, p.calls FROM procedure p JOIN file f ON f.id = p.file" |
		sed 's: [^ ]*/: :' | LC_ALL=C sort
}
# ways_of DB: file, line and count of each branch
ways_of()
{
	rows "$1" "SELECT f.path, b.line, b.count FROM branch b JOIN file f ON f.id = b.file" | sed 's:^[^ ]*/::' |
		LC_ALL=C sort
}
python3 gcov-lines.py > gcov.lines
"$cgview" import -o gcov.db gcov.json > out 2>&1
check "gcov: no time was measured, and none is told of" test "$(grep -c "0 ns\|0 threads" <<< "$(cat out; "$cgview" report gcov.db)")" -eq 0
lines_of gcov.db > got.lines
check "gcov: each line is executed as often as its text says" diff gcov.lines got.lines
stale() { sqlite3 "$1" "SELECT count(*) FROM note WHERE text LIKE '%changed after%'"; }
check_output "... its texts are not said to have changed" 0 stale gcov.db
touch -d '1 hour' one.c
"$cgview" import -o later.db gcov.json > out 2>&1
check_output "... one that did is" 1 stale later.db
touch -r two.c one.c
check "... which are many" test "$(wc -l < gcov.lines)" -gt 20
cat > gcov-ways.py <<'EOF'
import json, os
ways = {}
for text in open("gcov.json"):
    for f in json.loads(text)["files"]:
        for l in f["lines"]:
            for i, b in enumerate(l["branches"]):
                k = os.path.basename(f["file"]), l["line_number"], l.get("function_name"), i
                ways[k] = ways.get(k, 0) + b["count"]
for (file, line, _, _), n in ways.items():
    print(file, line, n)
EOF
python3 gcov-ways.py | LC_ALL=C sort > gcov.ways
ways_of gcov.db > got.ways
check "gcov: each branch is taken as often as its JSON says" diff gcov.ways got.ways
check "... $(wc -l < gcov.ways) of them" [ "$(wc -l < gcov.ways)" -gt 8 ]

# A call that may throw is no condition, nor is the exception.
cat > throws.cc <<'EOF'
#include <string>
int main(int argc, char **argv)
{
	std::string a(argv[0]), b = a + "x";
	if (argc > 5)
		return b.size() > a.size() ? 0 : 2;
	return 0;
}
EOF
if g++ -O0 --coverage -o throws throws.cc && ./throws && gcov --json-format -b --stdout throws*.gcda > throws.json 2> out; then
	"$cgview" import -o throws.db throws.json > out 2>&1
	check_output "... exceptions are no branches" '5 0
5 1
6 0
6 0' rows throws.db "SELECT b.line, b.count FROM branch b JOIN file f ON f.id = b.file WHERE path LIKE '%throws.cc'
		ORDER BY 1, 2"
fi

# A trace by hand: a condition that was not tested, an exception, names in place of numbers (lcov 2).
cat > hand.info <<'EOF'
TN:
SF:/nowhere/hand.c
DA:3,4
DA:4,0
BRDA:3,0,0,4
BRDA:3,0,1,0
BRDA:3,e1,0,7
BRDA:3,1,a > b,3
BRDA:3,1,a <= b,1
BRDA:4,0,0,-
BRDA:4,0,1,-
end_of_record
EOF
"$cgview" import -o hand.db hand.info > out 2>&1
check_output "lcov: branches by hand" '3 0 0 4
3 0 1 0
3 1 0 3
3 1 1 1
4 0 0 0
4 0 1 0' rows hand.db "SELECT line, number, way, count FROM branch ORDER BY 1, 2, 3"
"$cgview" report --by branch --format csv hand.db | tr -d '\r' | cut -d, -f2,7- > one.way
check_output "... the one that went one way" 'line,kind,count,ways,taken,missing
3,line,4,2,1,way 2' cat one.way
check_output "... coverage" '(all files),total,1,2,1,50,0,,,,0,6,3,50,0' \
	sh -c '"$1" report --by coverage --format csv hand.db | sed -n 2p' - "$cgview"
# By hand: 30 rounds. Of 0..29 the ten multiples of 3 are doubled (sum 270), the others have 1 more (300 + 20), their
# halves sum up to 210: other(800) takes step() 14 times, each time 51 less, until 86 are left.
check_output "... entries by hand" \
'half shared.h 44
main one.c 1
never one.c 0
other two.c 1
step one.c 30
step two.c 14' entries gcov.db
check_output "... who called is not known, not even that it was code outside" 0 \
	sqlite3 gcov.db "SELECT count(*) FROM arc"
check_output "... and no entry is told to be without a call" 0 \
	sqlite3 gcov.db "SELECT count(*) FROM note WHERE kind = 'flow'"
check_output "where functions begin and end" \
'main 13 5 22 1
never 9 12 12 1' \
	rows gcov.db "SELECT name, line, column, end_line, end_column FROM procedure
	WHERE name IN ('main', 'never') ORDER BY name"
check_output "the run: no time, the tool" 'gcov|0|0' \
	sqlite3 gcov.db "SELECT substr(tool, 1, 4), cpu_ns, samples FROM run"
"$cgview" report --by never gcov.db > never
check "what was never executed is found" grep -q never never
"$cgview" annotate gcov.db > annotated
check "the source has its counts" grep -qE ' 30 .*step\(i\)' annotated

"$cgview" report gcov.db > text
check "no column of time, no 0 ns" test "$(grep -cE 'self|total|ns' text)" -eq 0
check "... calls and names are there" grep -qE '^ +30 +step +one.c:3' text

# Files of their own, as gcov writes them without --stdout.
(cd gcov && gcov --json-format ./*.gcda > /dev/null 2>&1)
"$cgview" import -o files.db gcov/*.gcov.json.gz > out 2>&1
lines_of files.db > got.lines
check "a packed file for each object: they add up" diff gcov.lines got.lines

"$cgview" import -o gcda.db gcov/*.gcda > out 2>&1
lines_of gcda.db > got.lines
check "the counts themselves, by way of gcov: the same" diff gcov.lines got.lines
head -c 200 gcov/one.gcda > cut.gcda
fails "... cut: one line" 'cut.gcda|gcov' "$cgview" import -o none.db cut.gcda
fails "... without gcov: one line" 'gcov is not installed' env PATH=/nowhere "$cgview" import -o none.db gcov/one.gcda

# The same program by cgcc: entries are the same ones.
"$cgcc" -O2 -o prog one.c two.c > out 2>&1 && "$cgview" record -o cgcc.db ./prog > out 2>&1
entries cgcc.db > cgcc.entries
entries gcov.db > gcov.entries
check "the entries are those of cgcc at -O2" diff cgcc.entries gcov.entries
changed_calls() { "$cgview" diff --format csv -e 'b.calls - a.calls' "$@" | grep -cE ',-?[1-9][0-9]*$'; }
check_output "compared with it: nothing differs in calls" 0 changed_calls cgcc.db gcov.db

# C++: a line of a template has code of each instance.
cat > t.cc <<'EOF'
template <class T> T twice(T x) { return x + x; }
int main()
{
	int n = 0;
	for (int i = 0; i < 10; i++) n += twice(i) + (int)twice(1.0 * i);
	return n + (int)twice(5L) < 0;
}
EOF
mkdir cxx && cd cxx && g++ -O0 --coverage ../t.cc -o t && ./t
gcov --json-format --stdout ./*.gcda > ../cxx.json 2> /dev/null
cd .. || exit 1
"$cgview" import -o cxx.db cxx.json > out 2>&1
check_output "C++: names, and entries by hand" \
'main 1
twice<double>(double) 10
twice<int>(int) 10
twice<long>(long) 1' rows cxx.db "SELECT name, calls FROM procedure ORDER BY name"
check_output "... the line has the sum" 21 rows cxx.db "SELECT count FROM line WHERE line = 1"

# ---- lcov ----

# LLVM names what is only known in a file with that file's name before it.
cat > local.info <<'EOF'
SF:/nowhere/a.c
FN:3,a.c:_ZN1x1fEv
FN:10,a.c;g
FN:20,-[A b:c:]
FNDA:5,a.c:_ZN1x1fEv
FNDA:7,a.c;g
FNDA:9,-[A b:c:]
DA:3,5
DA:10,7
DA:20,9
end_of_record
EOF
"$cgview" import -o local.db local.info > out 2>&1
check_output "lcov: names of one file" $'x::f()|5\ng|7\n-[A b:c:]|9' \
	sqlite3 local.db 'SELECT name, calls FROM procedure ORDER BY calls'
cat > hand.info <<'EOF'
TN:first
SF:/nowhere/a.c
FN:3,f
FN:10,20,g
FNDA:5,f
FNDA:0,g
FNF:2
FNH:1
BRDA:4,0,0,3
DA:3,5
DA:4,7
DA:10,0
DA:11,-2
DA:12,0,checksum==
LF:4
LH:2
end_of_record
TN:second
SF:/nowhere/a.c
FN:3,f
FN:10,20,g
FNDA:2,f
DA:3,2
DA:4,1e3
DA:99,6
end_of_record
SF:/nowhere/b.c
FNL:0,1,9
FNA:0,4,_Z3addii
FNL:1,11,19
FNA:1,8,h
DA:1,4
DA:12,8
MCDC:3,1,t,0,0,x
nonsense
end_of_record
EOF
"$cgview" import -o hand.db hand.info > out 2>&1
check_output "lcov, by hand: entries" \
'add(int, int) 1 4
f 3 7
g 10 0
h 11 8' rows hand.db "SELECT name, line, calls FROM procedure ORDER BY name"
check_output "... lines add up; each is in its function" \
'a.c 3 7 f
a.c 4 1007 f
a.c 10 0 g
a.c 11 0 g
a.c 12 0 g
a.c 99 6 f
b.c 1 4 add(int, int)
b.c 12 8 h' rows hand.db "SELECT substr(path, 10), l.line, l.count, p.name FROM line l JOIN file ON file.id = l.file
	LEFT JOIN block b ON b.file = l.file AND b.line = l.line LEFT JOIN procedure p ON p.id = b.procedure ORDER BY 1, 2"
check_output "... a bad line is told by its number" '1 lines were not understood, the first is 35' \
	sqlite3 hand.db "SELECT text FROM note WHERE text LIKE '%understood%'"

# ---- llvm-cov ----

cat > hand.json <<'EOF'
{"data":[{"files":[{"filename":"/nowhere/c.c","segments":[[2,1,3,true,true,false],[4,5,0,true,true,false],
[4,9,3,true,false,false],[6,2,0,false,false,false]]}],"functions":[{"name":"c.c:f","count":3,
"filenames":["/nowhere/c.c"],"regions":[[2,1,6,2,3,0,0,0],[4,5,4,9,0,0,0,0],[4,9,5,1,3,0,0,3],[3,3,3,3,1,0,0,0],
[5,3,5,8,3,0,1,1]],"branches":[[3,7,3,8,2,1,0,0,4]]}],"totals":{}}],"type":"llvm.coverage.json.export","version":"2.0.1"}
EOF
"$cgview" import -o hand-llvm.db hand.json > out 2>&1
check_output "llvm-cov, by hand: ranges, ends included, no empty one and no gap" \
'macro 5 3 5 7 3
operand 3 7 3 7 3
statement 2 1 6 1 3
statement 4 5 4 8 0' rows hand-llvm.db \
	"SELECT r.kind, r.line, r.column, r.end_line, r.end_column, b.count FROM range r JOIN block b ON b.id = r.block
	ORDER BY 1, 2"
check_output "... lines by llvm's rule" \
'2 3
3 3
4 3
5 3
6 3' rows hand-llvm.db "SELECT line, count FROM line ORDER BY 1"
check_output "... the name without its file" 'f 3' rows hand-llvm.db "SELECT name, calls FROM procedure"

if ! command -v clang > /dev/null || ! command -v llvm-cov > /dev/null || ! command -v llvm-profdata > /dev/null; then
	echo "skip - clang, llvm-cov or llvm-profdata is not installed: llvm-cov is tested by hand only"
elif clang -O1 -g -fprofile-instr-generate -fcoverage-mapping -o clang-prog one.c two.c 2> out &&
     LLVM_PROFILE_FILE=x.profraw ./clang-prog && llvm-profdata merge -o x.profdata x.profraw 2> out; then
	llvm-cov export -skip-expansions -instr-profile x.profdata ./clang-prog > llvm.json
	llvm-cov export -format=lcov -instr-profile x.profdata ./clang-prog > llvm.info
	"$cgview" import -o llvm.db llvm.json > out 2>&1
	"$cgview" import -o info.db llvm.info > out 2>&1
	awk -F '[:,]' '/^SF:/ { n = split($2, p, "/"); f = p[n] } /^DA:/ { print f, $2, $3 }' llvm.info |
		LC_ALL=C sort -k1,1 -k2,2n > llvm.lines
	lines_of llvm.db > got.lines
	check "llvm-cov: each line is what its own lcov text says" diff llvm.lines got.lines
	lines_of info.db > got.lines
	check "... and so is that text, imported" diff llvm.lines got.lines
	awk -F '[:,]' '/^SF:/ { n = split($2, p, "/"); f = p[n] } /^BRDA:/ { t[f " " $2] += $5 }
		END { for (k in t) print k, t[k] }' llvm.info | LC_ALL=C sort > llvm.ways
	for db in llvm.db info.db; do
		ways_of $db | awk '{ n[$1 " " $2] += $3 } END { for (k in n) print k, n[k] }' | LC_ALL=C sort > got.ways
		check "... the branches of each line, in $db" diff llvm.ways got.ways
	done
	check "... on $(wc -l < llvm.ways) lines" [ "$(wc -l < llvm.ways)" -gt 5 ]
	for file in x.profraw x.profdata; do
		"$cgview" import --program ./clang-prog -o raw.db $file > out 2>&1
		lines_of raw.db > got.lines
		check "... $file with its program: the same" diff llvm.lines got.lines
	done
	fails "... without it: told what to do" 'import --program PROGRAM x.profraw' "$cgview" import -o none.db x.profraw
	fails "... with another program: one line" 'llvm-cov' "$cgview" import --program /bin/true -o none.db x.profraw

	# ---- record --clang ----
	"$cgview" record --clang -o clang.db -- env A=1 ./clang-prog > out 2>&1
	lines_of clang.db > got.lines
	check "record --clang: the same lines" diff llvm.lines got.lines
	check "... told in one line" test "$(wc -l < out)" -eq 1
	check_output "... its program and its command" "$PWD/clang-prog|env A=1 ./clang-prog|0" \
		sqlite3 clang.db 'SELECT program, command, exit_status FROM run'
	check "... nothing is left" test -z "$(find . -name '*.raw-*')"
	# Three processes, each of which runs the program: counts are three times those of one.
	"$cgview" record --clang -o three.db -- sh -c './clang-prog & ./clang-prog; wait; exec "$0"' ./clang-prog > out 2>&1
	awk '{ print $1, $2, 3 * $3 }' llvm.lines > three.lines
	lines_of three.db > got.lines
	check "... several processes add up" diff three.lines got.lines
	"$cgview" record --clang -n 2 -o two.db -- ./clang-prog > out 2>&1 &&
		"$cgview" record --clang -a -o two.db -- ./clang-prog > out 2>&1
	lines_of two.db > got.lines
	check "... several runs, and one more" diff three.lines got.lines
	check_output "... each is one" 3 sqlite3 two.db 'SELECT count(*) FROM run'
	fails "... not built so: one line" 'left no counts .*-fprofile-instr-generate -fcoverage-mapping' \
		"$cgview" record --clang -o none.db -- /bin/true
	# A library of the program, found by its own path, and one that this one needs; 5 and 15 calls. gcc built the last program.
	mkdir lib '100%m' && flags='-fprofile-instr-generate -fcoverage-mapping -shared -fPIC'
	echo 'int inner(int n) { return n + 1; }' > inner.c
	echo 'int inner(int n); int outer(int n) { int s = 0; for (int i = 0; i < n; i++) s += inner(i); return s; }' > outer.c
	echo 'int outer(int n); int main(void) { int s = 0; for (int i = 0; i < 5; i++) s += outer(3); return s != 30; }' > user.c
	clang $flags inner.c -o lib/libinner.so && clang $flags outer.c -o lib/libouter.so -Llib -linner '-Wl,-rpath,$ORIGIN'
	clang -fprofile-instr-generate -fcoverage-mapping user.c -o user -Llib -louter '-Wl,-rpath,$ORIGIN/lib' -Wl,-rpath-link,lib
	gcc user.c -o plain-user -Llib -louter "-Wl,-rpath,$PWD/lib" -Wl,-rpath-link,lib
	calls_of() { sqlite3 "$1" 'SELECT name, calls FROM procedure ORDER BY 1'; }
	"$cgview" record --clang -o library.db -- ./user > out 2>&1
	check_output "... libraries" $'inner|15\nmain|1\nouter|5' calls_of library.db
	"$cgview" record --clang -o 100%%m/library.db -- ./user > out 2>&1
	check_output "... a directory with a % in its name" $'inner|15\nmain|1\nouter|5' calls_of 100%m/library.db
	check_output "... nothing is left there" library.db ls -A 100%m
	"$cgview" record --clang -o library.db -- ./plain-user > out 2>&1
	check_output "... libraries alone" $'inner|15\nouter|5' calls_of library.db
	# Only tools with the number of a release.
	mkdir named && ln -s "$(command -v llvm-profdata)" named/llvm-profdata-12 && ln -s "$(command -v llvm-cov)" named/llvm-cov-12
	PATH=$PWD/named "$cgview" record --clang -o named.db -- ./clang-prog > out 2>&1
	lines_of named.db > got.lines
	check "... tools of a release by its name" diff llvm.lines got.lines
	PATH=/nowhere "$cgview" record --clang -o none.db -- ./clang-prog > out 2>&1
	check_output "... no tools: told before it runs" "127 1" echo $? "$(grep -c 'there is no llvm-profdata' out)"
	"$cgview" record --clang --wall -o none.db -- ./clang-prog > out 2>&1
	check_output "... with what samples: refused" "2 1" echo $? "$(wc -l < out)"

	# A static function of a header is another one in each object, for llvm.
	entries llvm.db | awk '{ sum[$1 " " $2] += $3 } END { for (k in sum) print k, sum[k] }' | LC_ALL=C sort > llvm.entries
	check "... the entries are those of cgcc" diff cgcc.entries llvm.entries
	places() { sqlite3 "$1" 'SELECT DISTINCT name, line, column FROM procedure ORDER BY 1, 2, 3'; }
	places gcov.db > gcov.places
	places llvm.db > llvm.places
	check "... names are where gcov has them" diff gcov.places llvm.places
	check_output "... compared with it: nothing differs" 0 changed_calls cgcc.db llvm.db
	# What both have at one place was executed as often.
	both="FROM range r JOIN block b ON b.id = r.block JOIN procedure p ON p.id = b.procedure JOIN l.range x
		ON x.line = r.line AND x.column = r.column AND x.end_line = r.end_line AND x.end_column = r.end_column
		JOIN l.block c ON c.id = x.block JOIN l.procedure q ON q.id = c.procedure
		WHERE q.name = p.name AND q.line = p.line AND p.name <> 'half' AND r.kind = 'statement'"
	check "... there are ranges that both have" test \
		"$(sqlite3 cgcc.db "ATTACH 'llvm.db' AS l; SELECT count(*) $both")" -gt 2
	check_output "... and they have the same counts" 0 \
		sqlite3 cgcc.db "ATTACH 'llvm.db' AS l; SELECT count(*) $both AND b.count <> c.count"
else
	cat out
	echo "not ok - a program is built with clang"
fi

# ---- files that are damaged, or made to do harm ----

# Each of them ends in one line, or in a profile; never in anything else.
cat > spoil.py <<'EOF'
import re, sys
name, kind = sys.argv[1:]
text = open(name, "rb").read()
if kind == "cut":
    step = max(64, len(text) // 40)
    for i, at in enumerate(range(1, len(text), step)):
        open("spoilt.%d" % i, "wb").write(text[:at])
else:
    numbers = [m.span() for m in re.finditer(rb"-?\d+", text)]
    for i in range(24):
        a, b = numbers[i * 7919 % len(numbers)]
        new = [b"18446744073709551615", b"-1", b"1" + b"0" * 30, b"\0", b"[" * 100,
               b'"' + b"x" * 2000000 + b'"'][i % 6]
        open("spoilt.%d" % i, "wb").write(text[:a] + new + text[b:])
EOF
for file in gcov.json hand.info hand.json; do
	for kind in cut numbers; do
		rm -f spoilt.*
		python3 spoil.py "$file" "$kind"
		bad=
		for s in spoilt.*; do
			rm -f spoilt.db
			timeout 60 "$cgview" import -o spoilt.db "$s" > out 2>&1
			status=$?
			if [ $status -eq 0 ]; then
				"$cgview" report spoilt.db > out 2>&1 || bad="$bad $s (report)"
			elif [ $status -ne 1 ] || [ "$(wc -l < out)" -ne 1 ] || [ -e spoilt.db ]; then
				bad="$bad $s ($status)"
			fi
		done
		[ -z "$bad" ] || echo "# $bad"
		check "$file, $kind: a profile, or refused in one line" test -z "$bad"
	done
done
export XDG_CACHE_HOME=$TMP_DIR/cache
printf 'SF:/n/\033[31mx.c\nFN:1,e\033[2Jvil\nFNDA:1,e\033[2Jvil\nDA:1,1\nend_of_record\n' > evil.info
"$cgview" report evil.info > out 2>&1
"$cgview" report --by file evil.info >> out 2>&1
check "no escape is printed" test "$(grep -c "$(printf '\033')" out)" -eq 0
fails "two formats at once" 'import each alone' "$cgview" import -o none.db gcov.json hand.info
