#!/bin/bash
# Profiles of other tools that are made of stacks: folded stacks. Figures are counted by hand in the texts below; of
# larger ones they are those of the tools' own printers, or sums by awk. What was not counted is nowhere shown as 0.
set -u
. tests/db/lib.sh
need sqlite3
samples=$PWD/tests/collect/foreign
cd "$TMP_DIR" || exit 1

# check_output NAME EXPECTED COMMAND...
check_output()
{
	local name=$1 expected=$2
	shift 2
	printf '%s\n' "$expected" > expected
	{ "$@" 2>&1; } | tr -d '\r' > got
	check "$name" diff expected got
}

# rows FILE.db COLUMNS [OPTION...]: a list as CSV, its rows sorted
rows()
{
	local db=$1 columns=$2
	shift 2
	"$cgview" report --format csv --columns "$columns" "$@" "$db" | { IFS= read -r head; echo "$head"; LC_ALL=C sort; }
}

import() # DB FILE
{
	rm -f "$1"
	"$cgview" import -o "$1" "$2" > out 2>&1
}

# refused NAME PATTERN FILE: bad input has one clear line, nothing is made.
refused()
{
	rm -f none.db
	"$cgview" import -o none.db "$3" > out 2>&1
	check "refused: $1" test $? -ne 0
	check "... in one line" test "$(wc -l < out)" -eq 1
	check "... that says why" grep -qE "$2" out
	check "... nothing is left" test ! -e none.db
}

# survives NAME FILE: cut at each 64th byte it is read as far as it goes, or refused in one line.
survives()
{
	local size at status=0 bad=0
	size=$(wc -c < "$2")
	for ((at = 0; at < size; at += 64)); do
		head -c "$at" "$2" > cut
		rm -f none.db
		"$cgview" import -o none.db cut > out 2>&1
		status=$?
		{ [ $status -le 1 ] && { [ -e none.db ] || [ "$(wc -l < out)" -eq 1 ]; }; } ||
			{ bad=1; echo "cut at $at: status $status"; cat out; }
	done
	check "$1: cut at each 64th byte" test $bad -eq 0
}

# ---- folded stacks ----

# By hand: 24 samples, all in app and main; fact() calls itself.
cat > all.folded <<'END'
app;main;fact;fact;leaf 3
app;main;fact 2
# a remark
app;main;read_[k] 4
app;main;tiny_[i] 1
app;main;libz.so.1`inflate 5
app;main;run (job.py:12) 6
app;main;step - /srv/x.rb:7 2
app;main; 1
END
import all.db all.folded
check "folded: it is read" grep -q '24 samples' out
check_output "folded: self and total by procedure" \
'procedure,calls,self_event_samples,total_event_samples
app,,0,24
fact,,2,5
inflate (libz),,5,5
leaf,,3,3
main,,1,24
read (kernel),,4,4
run,,6,6
step,,2,2
tiny,,1,1' \
rows all.db procedure,calls,self_event_samples,total_event_samples
check_output "folded: who called what" \
'caller,callee,count,how,total_event_samples
app,main,,sampled,24
fact,fact,,sampled,3
fact,leaf,,sampled,3
main,fact,,sampled,5
main,inflate (libz),,sampled,5
main,read (kernel),,sampled,4
main,run,,sampled,6
main,step,,sampled,2
main,tiny,,sampled,1
outside,app,,sampled,24' \
rows all.db caller,callee,count,how,total_event_samples --by arc
check_output "folded: places that are told" \
'line,path
7,/srv/x.rb
12,job.py' \
"$cgview" report --format csv --sql "SELECT p.line, f.path FROM procedure p JOIN file f ON f.id = p.file ORDER BY 1" all.db
check_output "folded: an inlined frame is no call" 'kind
inlined' \
"$cgview" report --format csv --sql "SELECT s.kind FROM arc a JOIN call_site s ON s.id = a.site
	JOIN procedure p ON p.id = a.callee WHERE p.name = 'tiny'" all.db
"$cgview" report all.db > text
check "folded: no column of counts in the text" grep -qvE 'calls' text

# Where only the file is told, its text has the place; a declaration is none.
cat > deep.c <<'END'
/* low() is called by top() */
static int low(int n);
int top(int n)
{
	return low(n) + low(n + 1);
}
static int
low(int n)
{
	return n;
}
END
printf 'main (gone.c);top (%s);low (%s) 4\nmain (gone.c);top (%s) 1\n' "$PWD/deep.c" "$PWD/deep.c" "$PWD/deep.c" > places.folded
import places.db places.folded
check_output "folded: the text tells where a procedure is" \
'name,line
low,8
main (gone.c),
top,3' \
"$cgview" report --format csv --sql "SELECT name, line FROM procedure ORDER BY 1" places.db

# Two numbers are those of two profiles; fractions are rounded, and both are told.
printf 'a;b 3 5\na;c 0 7\na 1 1\n' > two.folded
import two.db two.folded
check_output "folded: two numbers" \
'procedure,self_samples_a,total_samples_a,self_samples_b,total_samples_b
a,1,4,1,13
b,3,3,5,5
c,0,0,7,7' \
rows two.db procedure,self_samples_a,total_samples_a,self_samples_b,total_samples_b
printf 'a;b 2.5\na;c 1\na;c -3\na;d 99999999999999999999999999\n' > odd.folded
import odd.db odd.folded
check_output "folded: odd numbers" \
'procedure,self_event_samples
a,0
b,3
c,1
d,9223372036854775807' \
rows odd.db procedure,self_event_samples
check_output "folded: ... are told" \
'text
1 numbers are below 0: they are taken as 0
1 numbers have a fraction: they were rounded' \
"$cgview" report --format csv --sql "SELECT replace(text, '\"', '') AS text FROM note WHERE text LIKE '%numbers%' ORDER BY 1" odd.db

# Hostile input: what is bad is counted and told.
{ for i in $(seq 12); do echo "a;b$i 1"; done; echo 'no number'; printf 'x\0y;z 3\n'; echo 12; } > bad.folded
import bad.db bad.folded
check_output "folded: bad lines are counted" \
'text
"2 lines were not understood, the first is 13"' \
"$cgview" report --format csv --sql "SELECT text FROM note WHERE text LIKE '%understood%'" bad.db
{ for i in $(seq 12); do echo "a;b$i 1"; done; for i in $(seq 20); do echo "other text"; done; } > mostly.folded
refused "folded, mostly something else" 'most of its lines' mostly.folded
python3 -c 'print("a;b 1"); print("a;" * 30000 + "b 1"); print("x;" + "y" * 2000000 + " 1"); print("z;" + "n" * 100000 + " 1")' > deep.folded
import deep.db deep.folded
check "folded: deep, and long" grep -q '3 samples' out
check_output "folded: ... told" \
'text
"1 lines were not understood, the first is 3"
1 of 3 stacks end where their callers could not be found: what called is missing there' \
"$cgview" report --format csv --sql "SELECT text FROM note ORDER BY 1" deep.db
survives "folded" all.folded
