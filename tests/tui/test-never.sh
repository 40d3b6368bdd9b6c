#!/bin/bash
# What was never executed: the lines are those that gcov names at -O0, by procedure and by file; the way from one stretch
# to the next; nothing is said of what was not counted.
. tests/tui/lib.sh
for tool in gcc gcov sqlite3; do
	command -v $tool > /dev/null || { echo "skip - $tool is not installed"; exit 0; }
done
cat > part.h <<'E'
static inline int part(int n)
{
	if (n > 1000)
		return 1000;
	return n;
}
E
cat > never.c <<'E'
#include <stdio.h>
#include <stdlib.h>
#include "part.h"

static int never_called(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += i;
	return sum;
}

static int also_not(int n)
{
	return n + 1;
}

static int partly(int n)
{
	if (n < 0) {
		puts("negative");
		n = -n;
	}
	n = part(n);
	switch (n % 3) {
	case 0:
		return n;
	case 1:
		n++;
		break;
	default:
		abort();
	}
	return n;
}

int main(int argc, char **argv)
{
	int sum = partly(3) + partly(4);

	(void)argv;
	if (argc > 5)
		sum += never_called(argc) + also_not(argc);
	printf("%d\n", sum);
	return 0;
}
E
mkdir gcov && (cd gcov && gcc -O0 --coverage ../never.c -o never && ./never > /dev/null && gcov -o . never-never.gcda > /dev/null 2>&1 || gcov -o . never.gcda > /dev/null 2>&1)
for file in never.c part.h; do
	sed -n "s/^ *#####: *\([0-9]*\):.*/$file \1/p" gcov/$file.gcov
done | sort > expected
verdict "$([ "$(wc -l < expected)" -gt 10 ]; echo $?)" "gcov names some lines"
for options in -O0 -O2 "-O2 -flto" -O3; do
	"$BUILD/cgcc" $options never.c -o never && "$cgview" record -F 0 -o never.db -- ./never > out 2>&1 || { cat out; exit 1; }
	sqlite3 never.db "select replace(f.path, rtrim(f.path, replace(f.path, '/', '')), '') || ' ' || l.line from line l
		join file f on f.id = l.file where l.count = 0" | sort > ours
	# gcov has no row for a brace, and the line of a case where its body is.
	comm -23 expected ours > missing
	verdict "$([ ! -s missing ]; echo $?)" "$options: all lines that gcov names"
	[ ! -s missing ] || sed 's/^/# /' missing
	sum=$("$cgview" report --by never --format csv never.db | awk -F, 'NR > 1 { n += $5 } END { print n }')
	verdict "$([ "$sum" = "$(wc -l < ours)" ]; echo $?)" "$options: the rows add up to the lines"
	sum=$("$cgview" report --by file --columns never --format csv never.db | awk 'NR > 1 { n += $1 } END { print n }')
	verdict "$([ "$sum" = "$(wc -l < ours)" ]; echo $?)" "$options: those of files, too"
done
# By hand: all five lines with code of never_called() at its for, and its head.
row=$("$cgview" report --by never --format csv never.db | tr -d '\r' | grep '^never_called,')
verdict "$(grep -q '^never_called,.*never.c,5,\([0-9]*\),\1,100,0$' <<< "$row"; echo $?)" "a procedure that was never called: $row"
row=$("$cgview" report --by never --format csv never.db | tr -d '\r' | grep '^main,')
verdict "$(grep -q "^main,.*never.c,$(grep -n 'sum += never' never.c | cut -d: -f1),[0-9]*,1,[0-9]*,1\$" <<< "$row"; echo $?)" "one line of main: $row"

# Lines with a condition that went one way only: all lines with a branch that gcov has "taken 0%" of, and one that was taken.
(cd gcov && gcov -t -b -o . never-never.gcda 2> /dev/null || gcov -t -b -o . never.gcda) | awk -F: '
	/^ *branch/ { if (!/never executed/) seen[line] = seen[line] (/taken 0%/ ? "-" : "+"); next }
	$2 ~ /^ *[0-9]+$/ { sub(/^ */, "", $2); line = $2 }
	/0:Source:/ { file = $4; sub(".*/", "", file) }
	END { for (l in seen) if (seen[l] ~ /-/ && seen[l] ~ /[+]/) print l }' | sort -n > expected
verdict "$([ "$(wc -l < expected)" -gt 2 ]; echo $?)" "gcov has branches that went one way: lines $(tr '\n' ' ' < expected)"
"$cgview" annotate --columns count never.db | sed -n 's/^%[ 0-9,]*|  *\([0-9]*\) .*/\1/p' | sort -n > ours
verdict "$(diff expected ours > missing; echo $?)" "annotate marks these"
sed 's/^/# /' missing
line=$(grep -n 'argc > 5' never.c | cut -d: -f1)
DB=never.db SIZE=120x36 shows "the browser marks the line, and says which way" "^.[^ ]◐ .* $line .*argc > 5" '6: never true' \
	<<< $'text:2g\nEnter\nx\n'"text:${line}g"
DB=never.db SIZE=120x36 shows "the legend explains the mark" '◐ one way only' <<< $'Enter\nx\nK'
DB=never.db SIZE=120x36 shows "a condition that is chosen says it" ' never true' \
	<<< $'text:2g\nEnter\nx\n'"text:${line}g"$'\nl'

# What yacc makes of a grammar: its rules are part of yyparse(), which stands in another file, or below them in the
# same one. Lines 20 to 43 are yyparse's; 50 is of two procedures.
cat > y.tab.c <<'E'
#include <stdio.h>
static int other(int n)
{
	if (n > 7)
#line 50 "gram.y"
		puts("two");
#line 100 "y.tab.c"
	return n;
}
int yyparse(int n)
{
	switch (n) {
	case 1:
#line 20 "gram.y"
		if (n > 5)
			puts("never");
		break;
	case 2:
		n = 2;
		puts("never");
		break;
#line 40 "gram.y"
	case 3:
		n = 3;
		break;
	case 4:
#line 50 "gram.y"
		puts("two");
#line 120 "y.tab.c"
	}
	return n;
}
#line 60 "gram.y"
int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 10)
		puts("never");
	return yyparse(argc) + other(argc) == 9;
}
#line 90 "scan.l"
int scan(int n)
{
#line 10
	if (n)
		puts("never");
#line 95
	return n;
}
E
"$BUILD/cgcc" y.tab.c -o yacc && "$cgview" record -F 0 -o yacc.db -- ./yacc > out 2>&1 || { cat out; exit 1; }
cat > expected <<'E'
(in no procedure),gram.y,50,1,1,100,0
main,gram.y,64,4,1,25,1
scan,scan.l,10,4,4,100,0
yyparse,gram.y,21,15,9,60,1
E
"$cgview" report --by never --format csv yacc.db | tr -d '\r' | sed '1d; s#/[^,]*/##' | LC_ALL=C sort > rows
diff expected rows > out
verdict $? "code that #line has put elsewhere is its procedure's, by hand"
sed 's/^/# /' out

DB=never.db SIZE=110x30
shows 'by procedure, the most first' 'never executed, by procedure .* 1/' '^▌.* never_called ' ' also_not ' <<< 'text:#'
shows 'the row stays chosen' 'never executed, by procedure .* 3/' <<< $'text:#\nj\nj\nEnter\ntext:#'
shows '... by file, too' 'never executed, by file .* 2/2' <<< $'text:#\nv\nj\nEnter\ntext:#'
shows 'v: by file' 'never executed, by file .* 1/2' 'never.c' 'part.h' <<< $'text:#\nv'
shows 'Enter goes to the source' '^▌×.*  5 static int never_called' <<< $'text:#\nEnter'
shows 'Backspace comes back to the list, on the row' 'never executed, by procedure .* 3/' '^▌.* also_not ' <<< $'text:#\nj\nj\nEnter\nBackspace'
shows '... of files' 'never executed, by file .* 2/2' <<< $'text:#\nv\nj\nEnter\nBackspace'
shows '... again, to where it was opened' '^▌.* 38 ' '!never executed' <<< $'text::never.c:38\nEnter\ntext:#\nEnter\nBackspace\nBackspace'
shows '... and forward to the source' '^▌×.*  5 static int never_called' <<< $'text:#\nEnter\nBackspace\nBackspace\n}'
shows '... of a file' '^▌×.*return 1000' <<< $'text:#\nv\nj\nEnter'
# Stretches: part.h, never_called, also_not, two in partly, one in main; the files are in the order of their numbers.
steps=$(for i in 1 2 3 4 5 6; do printf ';\n:save-screen s%d\n' $i; done)
shows 'the next, and the next' 'never executed: ' <<< "o
Enter
text:1g
$steps"
cat s1 s2 s3 s4 s5 s6 | grep '^▌×' | sed 's/.*│ *\([0-9]*\) .*/\1/' | sort -n | tr '\n' ' ' > stops
verdict "$([ "$(cat stops)" = "4 5 14 22 32 44 " ]; echo $?)" "the six stretches: $(cat stops)"
grep -ho '[0-9] of 6$' s1 s2 s3 s4 s5 s6 | sort > numbers
verdict "$([ "$(tr '\n' ' ' < numbers)" = "1 of 6 2 of 6 3 of 6 4 of 6 5 of 6 6 of 6 " ]; echo $?)" "each has its number: $(tr '\n' ' ' < numbers)"
shows 'back' '^▌×.*  5 ' <<< $'text::never.c:16\nEnter\n,\n,'
shows 'from the tree' 'never executed: ' <<< $'t\n;'
shows 'Backspace comes back to the tree' 'H hottest' <<< $'t\n;\nBackspace'
printf 'int main(void) { return 0; }\n' > all.c
"$BUILD/cgcc" all.c -o all && "$cgview" record -F 0 -o all.db -- ./all > out 2>&1
DB=all.db
shows 'all was executed' 'Every line that has code was executed' <<< 'text:#'
shows '... by keys' 'every line that has code was executed' <<< ';'
