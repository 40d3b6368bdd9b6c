#!/bin/bash
# Profiles compared in the browser: two versions of a made-up program, and runs of growing size, whose
# figures unit-versions.c has.
. tests/tui/lib.sh
. "$top/tests/tui/compare-lib.sh"
printf '100\n200\n400\n800\n' > sizes
runs='n100.db n200.db n400.db n800.db'

for size in 80x24 120x36 200x60; do
	golden compare $size old.db new.db < /dev/null
	golden compare-beside $size old.db new.db <<< '|'
done
golden compare-first 120x36 old.db new.db <<< $'F\nF\nx'
golden compare-lines 120x36 old.db new.db -e count <<< $'v\nv\nv'
golden compare-menu 120x36 old.db new.db <<< E
golden compare-wrong 120x36 old.db new.db <<< $'=\nC-u\ntext:b.count - a.cuont'
golden compare-series 120x36 --series sizes $runs < /dev/null

# What a row says, against the table at the top of unit-versions.c.
shows 'the greatest difference is first' 'old.db new.db' \
	'^▌ *80.0 ms *2.000 s *+1.920 s ▲ *+2400% *+[0-9.]* *slower *changed *sort ' \
	'20.0 ms *900 ms *+880 ms ▲ *+4400% *+[0-9.]* *slower *less ' <<< size:120x30
shows 'what is only in one is told' 'old.db new.db' \
	'9.00 ms *- *-9.00 ms ▼ *-[0-9.]* *gone *only a *gone ' '^ *- *0 ns *= *new *only b *fresh ' \
	'^ *110 ms *2.902 s *+2.792 s *+2538% *5 procedures' <<< size:120x30
shows 'both files are in the title' 'old.db new.db' '^ a old.db, 110 ms in 4 runs   b new.db, 2.902 s in 4 runs' < /dev/null
shows 'callees are compared' 'old.db new.db' '5,000 *500,000 *+495,000 ▲ *less' <<< size:120x30
shows 'callers are compared, of what is only in the first, too' 'old.db new.db' \
	'─ callers of gone' '│ *$' ' 1 *- *-1 ▼ *main' <<< $'size:120x30\ntext:&gone\nEnter'
shows 'the lines have both figures' 'old.db new.db' \
	'40.0 ms *1.400 s *+1.360 s │~ 13 .*k = n - 1' '▲ *30.0 ms *588 ms *+558 ms │  14 ' < /dev/null
# 13: 1,360 ms more; 5: 880 ms; 14: 558 ms.
shows 'the next difference is that of the most' 'old.db new.db' '^▌.*│. 13 ' '1 of 3 lines of this file that differ' \
	<<< $'Enter\n]'
shows '... and the next' 'old.db new.db' '^▌.*│. *5 ' '2 of 3 lines' <<< $'Enter\n]\n]'
shows '... and the last' 'old.db new.db' '^▌.*│. 14 ' 'no further line of this file differs' <<< $'Enter\n]\n]\n]\n]'
shows '... and back' 'old.db new.db' '^▌.*│. *5 ' <<< $'Enter\n]\n]\n]\n['
shows 'another expression' 'old.db new.db -e ratio(b.count,a.count)' 'result▼' '5,000 *500,000 *×100 ▲ .*less' < /dev/null

# Nothing differs: the hottest first, and it is said where one looks.
cp old.db same.db
# What may be chance is left out, and comes back; rows as csv tells them.
certain=$("$cgview" diff --format csv old.db new.db | python3 -c 'import csv, sys
rows = list(csv.DictReader(sys.stdin))
left = [r for r in rows if not r["significance"] or abs(float(r["significance"])) >= 2]
assert 0 < len(left) < len(rows)
print(f"1/{len(left)} of {len(rows)}")')
# Of the rows whose p, in their order, is at most 5 % of their share in all, one of twenty is false (Benjamini, Hochberg).
chance=$("$cgview" diff --format csv old.db new.db | python3 -c 'import csv, statistics, sys
normal = statistics.NormalDist()
p = sorted(2 - 2 * normal.cdf(abs(float(r["significance"]))) for r in csv.DictReader(sys.stdin)
           if r["significance"] and float(r["value"]))
beyond = max([k for k in range(1, len(p) + 1) if p[k - 1] <= 0.05 * k / len(p)] + [0])
assert 0 < beyond < len(p), p
print(f"; {beyond} of {len(p)} beyond chance, expect 1 false of 20")')
shows 'how many rows are beyond chance' 'old.db new.db' "5 procedures$chance" <<< size:120x36
shows '... of all, whatever is shown' 'old.db new.db' "2 of 5 procedures$chance" <<< F
shows '... of exact counts nothing' 'old.db new.db -e count' ' 5 procedures$' < /dev/null
shows 'without what may be chance' 'old.db new.db' "compared procedures: .* only beyond chance ─.* $certain ─$" <<< U
shows '... and with it again' 'old.db new.db' '!only beyond chance' "1/${certain##* } ─$" <<< $'U\nU'
shows '... exact counts stay' 'old.db new.db -e count' "1/${certain##* } of ${certain##* } ─$" <<< U
shows '... in a tree there is no such thing' 'old.db new.db' 'a tree of calls has the paths of all' <<< $'t\nU'
"$cgview" diff -o certain.db old.db new.db
shows '... of what is stored, too' certain.db "only beyond chance ─.* $certain ─$" <<< U
read -r value significance interval < <("$cgview" report --by comparison --columns value,significance,interval --sort interval \
	--limit 1 --format csv certain.db | tr -d '\r' | sed -n '2s/,/ /gp')
check_interval() { python3 -c "assert abs($interval - abs($value / $significance) * 1.96) <= 1e-6 * $interval"; }
check_interval
verdict $? "half of the interval is that of the value by its significance"
check_widest() { [ "$interval" = "$("$cgview" report --by comparison --columns interval --format csv certain.db | tr -d '\r' |
	sed 1d | sort -g | tail -1)" ]; }
check_widest
verdict $? "... and sorts"
shows '... is a column' 'old.db new.db' 'interval .*Half of the interval' <<< $'f\nG'
shows 'no difference' 'old.db same.db' 'procedures: b.self_ns - a.self_ns: no difference ─' '│ *no difference *$' \
	'^▌.* =  *same *sort ' 'result▼ *diff/noise' '!may be chance' < /dev/null
head -7 shows | tail -4 | awk '{ print $(NF - 1) }' > order
printf '%s\n' sort less gone main | diff - order
verdict $? 'the hottest of what does not differ is first'
# A column that is empty in all rows takes no room, and is listed.
shows 'exact counts have no significance' 'old.db new.db -e count' 'result▼ *change *in *procedure' \
	'!diff/noise' < /dev/null
shows 'nothing in the columns of the same profiles' 'old.db same.db -e count' \
	'result▼ *verdict *procedure' < /dev/null
shows '... which are listed' 'old.db same.db -e count' 'diff/noise .*  empty in all rows *$' \
	' in .*  empty in all rows *$' '!\[.\] in ' <<< $'size:100x40\nf'
shows '... and stay away' 'old.db same.db -e count' 'these rows have nothing to show under in' \
	<<< $'f\ntext:/Only in one\nEnter\nSpace'
for other in same new; do
	"$cgview" diff -e count -o stored-$other.db old.db $other.db || exit 1
done
mkdir away
mv old.db away
shows 'stored: neither' stored-same.db 'result▼ *procedure' < /dev/null
shows 'stored: only where it is' stored-new.db 'result▼ *change *in *procedure' < /dev/null
mv away/old.db .
shows 'no difference of ratios' 'old.db same.db -e ratio' 'ratio(b.count, a.count): no difference ─' < /dev/null
{ printf 'size:80x24\n:save-screen shows\n'; } | play old.db new.db
grep -q ' 5 procedures; [0-9] of [0-9] beyond chance, expect' shows
verdict $? 'the number of rows has its room'

# Rows of one side, one after the other.
shows 'only changed ones' 'old.db new.db' 'only changed text' '1/2 of 5' '2 of 5 procedures' '!less  ' <<< F
shows 'only those of the first' 'old.db new.db' 'only a ─' '1/1 of 5' '^▌.*gone' <<< $'F\nF'
shows 'only those of the last' 'old.db new.db' 'only b ─' '1/1 of 5' '^▌.*fresh' <<< $'F\nF\nF'
shows 'only those of both' 'old.db new.db' 'only in both ─' '1/3 of 5' '!gone  ' <<< $'F\nF\nF\nF'
shows 'all again' 'old.db new.db' 'all rows' '1/5 ' <<< $'F\nF\nF\nF\nF'
shows 'Esc takes the restriction back' 'old.db new.db' '1/5 ' <<< $'F\nEsc'

# All kinds of rows.
shows 'expressions' 'old.db new.db -e count' 'compared expressions: b.count - a.count' \
	'5,200 *520,000 *+514,800 .*k && less' <<< v
shows 'call sites' 'old.db new.db -e count' 'compared call sites' '5,000 *500,000 *+495,000 .*less' <<< $'v\nv'
shows 'lines' 'old.db new.db -e count' 'compared lines' 'sort.c:13' <<< $'v\nv\nv'
shows 'files' 'old.db new.db -e count' 'compared files' '1 file' 'sort.c' <<< $'v\nv\nv\nv'
shows 'calls' 'old.db new.db -e count' 'compared calls' '+495,000 ▲ *+9900% *sort *less' <<< $'size:120x30\nV'
shows 'what has no such figure shows the default, and says so' 'old.db new.db -e time' \
	'compared calls: b.count - a.count (the other' <<< V

# The other text, and both.
shows 'the other text, at the same place' 'old.db new.db' 'this is the text of old.db' '─ a /sample/src/sort.c' \
	'^▌.*│~* *9 sort(int' '13 .*swap' <<< $'x\nw'
shows 'and back' 'old.db new.db' '─ b /sample/src/sort.c' 'text of new.db' <<< $'x\nw\nw'
shows 'what is only in the first is shown in its text' 'old.db new.db' '─ a /sample' '17 gone(int' \
	<<< $'text:&gone\nEnter\nEnter'
# The files of the two profiles have nothing to do with each other.
shows 'its file is the one that is edited' 'old.db sample.db' '/sample/src/sort.c: No such file' \
	<<< $'text:&gone\nEnter\nEnter\ne'
shows 'it has no outline in the last profile' 'old.db sample.db' 'no source is shown' \
	<<< $'text:&gone\nEnter\nEnter\nO'
shows 'all of the text is written' 'old.db new.db' 'written to text' <<< $'x\ntext::w text\nEnter'
head -1 text | grep -q '^ *a  *b  *result |  line$' &&
	grep -q '^ *40.0 ms  *1.400 s  *+1.360 s |~ *13 .*k = n - 1' text
verdict $? 'a, b and the result before each line'
shows 'side by side' 'old.db new.db' '5 lines differ' \
	'40.0 ms *12 .* for (int k = i.*~ *1.400 s *13 .*k = n - 1' '+ *8 /\* Slower' <<< '|'
shows 'from difference to difference' 'old.db new.db' '^▌.*~.*fresh' <<< $'|\ng\n]\n]\n]'
shows 'back to the difference before' 'old.db new.db' '^▌.*+ *8 ' <<< $'|\ng\n]\n]\n['
shows 'Enter goes to the place' 'old.db new.db' '─ b /sample' '^▌.*│+ *8 ' <<< $'|\ng\n]\nEnter'
shows 'it scrolls' 'old.db new.db' '9…rt(int .*│ *10…rt(int' <<< $'|\nl\nRight\n1\n5\nh\n1\nl'
shows 'all of it is written' 'old.db new.db' 'written to both' <<< $'|\ntext::w both\nEnter'
[ "$(grep -c . both)" = 29 ] && grep -q $'^~\t12\t.*\t13\t.*k = n - 1' both
verdict $? 'with both numbers'
shows 'it is searched' 'old.db new.db' '^▌.*swap' <<< $'|\ng\ntext:/swap\nEnter'

# The expression: typed, completed, wrong, taken back.
shows 'what is typed is seen at once' 'old.db new.db' 'compared procedures: b.calls - a.calls' \
	'5,000 *500,000 *+495,000' <<< $'=\nC-u\ntext:b.calls - a.calls'
shows 'and kept' 'old.db new.db' 'compared procedures: b.calls' '!compare by' <<< $'=\nC-u\ntext:b.calls - a.calls\nEnter'
shows 'Esc goes back' 'old.db new.db' 'compared procedures: b.self_ns - a.self_ns' '!compare by' \
	<<< $'=\nC-u\ntext:b.calls - a.calls\nEsc'
shows 'names are completed' 'old.db new.db' 'compare by: b.self_ns ' 'b.self_samples' 'b.self_wait_ns' \
	<<< $'=\nC-u\ntext:b.self\nTab\ntext:n\nTab\n:save-screen shows2\nC-u\ntext:b.self_ns \ntext:b.self\nTab'
shows 'an error is told' 'old.db new.db' 'compare by: b.count - a.cuont *a figure is one of' <<< $'=\nC-u\ntext:b.count - a.cuont'
shows 'and Enter does not take it' 'old.db new.db' 'compare by: b.count - a.cuont *a figure is one of' <<< $'=\nC-u\ntext:b.count - a.cuont\nEnter'
shows 'nothing typed: the default' 'old.db new.db -e count' 'b.self_ns - a.self_ns' <<< $'=\nC-u\nEnter'
shows 'the menu' 'old.db new.db' 'compared procedures: ratio(b.count, a.count)' <<< $'E\ng\nj\nj\nj\nEnter'
shows 'by command' 'old.db new.db' 'compared procedures: growth(a.work' <<< $'text::compare growth\nEnter'
shows 'a wrong one by command' 'old.db new.db' 'profiles are called a to b' 'b.self_ns - a.self_ns' <<< $'text::compare x.count\nEnter'

printf 'expression beyond  b.count - 2 * a.count\nexpression 9 a.count\n' > own
shows 'one of the configuration' '--config own old.db new.db' 'compared procedures: b.count - 2 \* a.count' \
	<<< $'text::compare beyond\nEnter'
shows 'and in the menu' '--config own old.db new.db' '^▌ *beyond *b.count - 2 \* a.count' <<< $'E\nG'
WHY=1 shows 'a wrong name in the configuration' '--config own old.db new.db' "own:2: '9' is no name" < /dev/null

# Normalised.
shows 'by the total' 'old.db new.db' 'normalised by total: b ×0.0148, its times ×0.0379' \
	'20.0 ms *34.1 ms *+14.1 ms' <<< Z
shows 'by the procedure here' 'old.db new.db' 'normalised by sort: b ×1, its times ×0.0345' <<< $'Z\nZ'
shows 'not any more' 'old.db new.db' 'figures as they are' '+1.920 s' '!normalised' <<< $'Z\nZ\nZ'
shows 'by command' 'old.db new.db' 'normalised by less' <<< $'text::normalise less\nEnter'
shows 'off by command' 'old.db new.db --normalise less' '!normalised by' <<< $'text::normalise off\nEnter'
shows 'by what is not there' 'old.db new.db' 'has no procedure nobody' '+1.920 s' <<< $'text::normalise nobody\nEnter'
shows 'beside both texts' 'old.db new.db' '^─ side by side ─* 5 lines differ' 'normalised by total' \
	'^ *40.0 ms *12  .*~ *53.1 ms *13  ' <<< $'|\nZ'
# A thread that main() is not counted in.
"$BUILD/tests/tui/unit-sample" some.db threads && cp some.db again.db
shows 'by what a thread does not have' 'some.db again.db --normalise main' 'not normalised: nothing of main here' \
	'only thread 3 of 3' '^▌' <<< $'T\nG\nEnter'
shows '... and all threads have' 'some.db again.db --normalise main' 'normalised by main: b ×1' '!not normalised' \
	<<< $'T\nG\nEnter\nT\nA'

shows 'the last profile alone' 'old.db new.db' '^─ procedures ─' '^ new.db' 'heat: self' <<< '~'
shows 'and compared again' 'old.db new.db' '^─ compared procedures' <<< $'~\n~'
shows 'arcs are not changed' 'old.db new.db' 'arcs are changed in one profile' <<< $'c\n+'
shows 'back and forward' 'old.db new.db' '^▌.*fresh' <<< $'G\nEnter\nBackspace'
shows 'one profile alone' sample.db 'nothing to compare with: cgview A.db B.db' <<< =
for key in E F w '|' Z '~'; do
	shows "one profile alone: $key" sample.db 'nothing to compare with' <<< "$key"
done

# Beside the summary: of a procedure the line that differs most, with its head if both fit.
for size in 100x30 100x18; do
	SIZE=$size shows "the line that differs most, $size" 'old.db new.db' '40.0 ms *1.400 s *+1.360 s │[~ ] 13 ' < /dev/null
done

# A stored comparison opens in the same way, with the profiles and without them.
"$cgview" diff -o stored.db old.db new.db || exit 1
shows 'a stored comparison' stored.db '^ a old.db' '^▌ *80.0 ms *2.000 s *+1.920 s ▲ *+2400% *+[0-9.]* *slower *changed *sort ' \
	'40.0 ms *1.400 s *+1.360 s │~ 13 ' <<< size:120x30
shows 'with another expression' stored.db '+495,000' <<< $'text::compare b.calls-a.calls\nEnter'
# The first profile is another run of the same build by now: what is stored counts.
cp old.db kept.db
sqlite3 old.db 'UPDATE run SET started_ns = started_ns + 1'
shows 'the first profile was recorded again' stored.db ' saved ' 'shown: .*old.db has been recorded again since' \
	'^▌ *80.0 ms *2.000 s *+1.920 s ▲' <<< =
sqlite3 old.db 'UPDATE run SET started_ns = started_ns - 1; UPDATE totals SET self_ns = self_ns + 1'
shows '... or other times' stored.db 'shown: .*old.db has been recorded again since' <<< =
cp kept.db old.db
mv old.db away.db
shows 'without the first profile' stored.db '^ a old.db' ' saved ' \
	'^▌ *80.0 ms *2.000 s *+1.920 s ▲ *+2400% *+[0-9.]* *changed *sort ' \
	'40.0 ms *1.400 s *+1.360 s │  13 ' <<< size:120x30
shows 'without it: no other expression' stored.db 'only what was saved can be shown' <<< =
shows 'without it: rows of the first' stored.db 'only a *gone' < /dev/null
shows 'without it: no text of the first' stored.db 'the text of the first profile is not there' <<< '|'
mv away.db old.db
# One that has other rows alone begins with these, by its own expression.
"$cgview" diff -o lines.db --by line -e 'b.count * 3' old.db new.db || exit 1
"$cgview" diff -o arcs.db --by arc -e 'a.count - b.count' old.db new.db || exit 1
for where in 'beside its profiles' alone; do
	shows "stored lines $where" lines.db 'compared lines: b.count \* 3' < /dev/null
	shows "stored calls $where" arcs.db 'compared calls: a.count - b.count' '5,000 *500,000 *-495,000 ▼' < /dev/null
	[ -e away.db ] || mv old.db away.db
done
mv away.db old.db

# A series.
shows 'the exponents of a series' "--series sizes $runs" 'growth of a.work' '10,000 .*640,000 *n^2.00 ▲ *n^2 *▁▁▃█' < /dev/null
shows 'of another figure' "--series sizes $runs -e a.calls" 'growth of a.calls' '10,000 .*640,000 *n^2.00 ▲ .*less' < /dev/null
shows 'of expressions' "--series sizes $runs" '^▌.*n^2.00' '100 *800 *n^1.00' <<< v
shows 'the growth of a row, as large as the screen' "--series sizes $runs" '^─ growth ─' 'less: Enter goes to' \
	'640,000 ┤  *·*●$' ' 10,000 ┤●' ' 100  *n = 800$' 'a.work grows as n^2: 1 · n^2\. ' <<< $'size:100x40\nEnter'
shows '... its source' "--series sizes $runs" '!─ growth ─' '^▌ *│ *3 less(int a' <<< $'Enter\nEnter'
shows '... on a small screen' "--series sizes $runs" 'less: Enter goes to' 'a.work grows as n^2: 1 · n^2\. ' '!●' <<< $'Enter\nsize:80x10'

# Usage.
refused() # refused STATUS NAME PATTERN ARGUMENT...
{
	local expected=$1 name=$2 pattern=$3 status
	shift 3
	: | play "$@" 2> err
	status=$?
	[ $status -eq "$expected" ] && grep -q -e "$pattern" err || { sed 's/^/# /' err; false; }
	verdict $? "$name"
}
refused 2 'a wrong expression' 'browse: -e: a figure is one of' old.db new.db -e a.cuont
refused 2 'one profile with -e' 'one profile alone' old.db -e count
refused 2 'sizes that do not fit' '3 sizes for 2 profiles' old.db new.db --size 1,2,3
refused 1 'normalised by nothing' 'no procedure nobody' old.db new.db --normalise nobody
refused 1 'a profile that is not there' 'no.db' old.db no.db

# More than two: a column for each, headings that tell whose, significance of what is compared.
cp old.db third.db
shows 'three profiles' 'old.db new.db third.db' '  a *b *c *result' 'c.self_ns - a.self_ns: no difference' \
	'80.0 ms *2.000 s *80.0 ms *= ' '9.00 ms *- *9.00 ms *= .*ac *gone' '│ ' '^ *a *c *result │' \
	<<< size:120x36
shows 'the last two of three' 'old.db new.db third.db -e c.self_ns-b.self_ns' \
	'80.0 ms *2.000 s *80.0 ms *-1.920 s ▼ *-[0-9.]* .*changed *sort' <<< size:120x36
shows 'without room the first and the last' 'old.db new.db third.db' '  a *c *result' '!  a *b ' <<< size:80x24
shows 'only one of three' 'old.db new.db third.db' 'only b ─' '1/1 of 5' '- *0 ns *- .*fresh' <<< $'size:120x36\nF\nF\nF'
shows 'in all of three' 'old.db new.db third.db' 'in all ─' '1/3 of 5' '!gone  ' <<< $'size:120x36\nF\nF\nF\nF\nF'
shows 'sorted by the one in the middle' 'old.db new.db third.db' ' b▼' '^▌ *80.0 ms *2.000 s' \
	<<< $'size:120x36\n2\ns'
shows 'four of a series' "--series sizes $runs" '  a *b *c *d *result' '10,000 *40,000 *160,000 *640,000 *n^2.00' <<< size:140x36
golden compare-three 120x36 old.db new.db third.db -e c.self_ns-b.self_ns < /dev/null

# The head of what was never called has no range: the line is coloured from its begin to its end.
cat > head.c <<'END_OF_C'
static int
never(int n)
{
	return n;
}
int (*volatile called)(int) = never;
int main(void)
{
	return 0;
}
END_OF_C
"$BUILD/cgcc" -O0 -w -o head head.c && "$cgview" record -F 0 -o a.db -- ./head 2> record.log &&
	cp a.db b.db || { cat record.log; echo 'not ok - the profile'; }
printf '%s\n' size:80x24 text:/never Enter Enter text:g1 Enter '|' ':save-screen shows' \
	':save-roles head.roles' | play -e count a.db b.db
grep -q '  # x\{12\}  .*  # x\{12\}$' head.roles || { sed 's/^/# /' head.roles; false; }
verdict $? 'side by side: what was never executed is so from the begin of its line to the end'
# So is a line within a procedure that has no range of its own.
python3 -c 'import sqlite3
for name in "old.db", "new.db":
	c = sqlite3.connect(name)
	c.execute("UPDATE range SET kind = \"procedure\", line = 3, column = 1, end_line = 6, end_column = 1 "
		  "WHERE id = 1")
	c.commit()'
printf '%s\n' size:100x30 'text:&less' Enter x ':save-roles line.roles' | play old.db new.db
grep -q ' # \.\{8\}J\{13\}$' line.roles || { sed 's/^/# /' line.roles; false; }
verdict $? 'a line without ranges has the colour of its value from the begin to the end'
# What is new in a line that was there before, and did less, has not the colour of more: 1,000 rounds of old expressions,
# 10 of new ones.
mkdir changed_old changed_new
cat > changed_old/p.c <<'END'
static volatile long s;
int main(void)
{
	for (int i = 0; i < 1000; i++)
		s = s * 3 + i;
	return 0;
}
END
sed 's/1000/10/; s/s \* 3 + i/(s | 7) ? (s % 5) : i/' changed_old/p.c > changed_new/p.c
for side in old new; do
	(cd changed_$side && "$BUILD/cgcc" -O1 -g -o p p.c) && "$BUILD/cgview" record -F 0 -o changed_$side.db -- changed_$side/p > said 2>&1 ||
		cat said
done
printf '%s\n' size:100x30 'text:&main' Enter x ':save-roles changed.roles' ':save-screen changed.screen' | play -e count changed_old.db changed_new.db
python3 - <<'END'
import re
screen, roles = (open("changed." + name).read().splitlines() for name in ("screen", "roles"))
at = next(i for i, line in enumerate(screen) if "(s | 7)" in line)
where = screen[at].index("s = (s")
code = set(roles[at][where:where + len("s = (s | 7) ? (s % 5)")])
number = roles[at][screen[at].index("-990")]
print("#", screen[at], roles[at], sep="\n# ")
print("ok -" if code == {number} else "not ok -", "new code in a line that does less has the colour of its number")
END
