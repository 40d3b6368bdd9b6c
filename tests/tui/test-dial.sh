#!/bin/bash
# Turning arcs in the browser: what follows, what is asked, what is saved. The counts of dial.c are
# known: first() and second() make 3,000 and 6,000 calls, which reach one() 4,000 times, two()
# 4,000 times and three() 1,000 times; which of them, the counts do not tell.
. tests/tui/lib.sh

# What is not noted is solved, which is tested here.
export CGVIEW_FLAGS=notargets
"$BUILD/cgcc" -O0 -g -w -o dial "$top/tests/tui/dial.c" &&
	"$cgview" record -F 0 -o dial.db -- ./dial > /dev/null 2> record.log ||
	{ cat record.log; echo 'not ok - the profile'; exit 1; }
# Self times that nobody has to wait for: 10 ms a call of two().
python3 - << 'EOF'
import sqlite3
db = sqlite3.connect('dial.db')
db.execute("UPDATE procedure SET self_ns = 0")
db.execute("UPDATE procedure SET self_ns = 40000000000 WHERE name = 'two'")
db.execute("UPDATE totals SET self_ns = 40000000000")
db.commit()
EOF
"$cgview" pin --name none dial.db '->three=0' > /dev/null 2>&1 &&
	echo 'not ok - three() was called by somebody'

DB=turned.db SIZE=140x40
# What follows from changed arcs are the propagated times.
mkdir -p config/cgview
cat > config/cgview/config << 'END'
columns procedures self% self propagated% propagated calls procedure where
columns callers calls calls% propagated caller line interval
columns callees calls calls% propagated callee line interval
END
export XDG_CONFIG_HOME=$TMP_DIR/config
copy_shows() # copy_shows NAME PATTERN... < STEPS, on a copy of the profile
{
	cp dial.db turned.db
	shows "$@"
}

# The callees of first() with the cursor on the arc to two().
callees=$'text:&first\nEnter\nd\ntext:/two\nEnter'
set_to() # set_to COUNT
{
	printf '%s\n=\ntext:%s\nEnter' "$callees" "$1"
}

copy_shows 'before' '≈ [0-9,]*  *[0-9.m s-]* *two .*0\.\.3,000' '!not saved' <<< "$callees"
# 500 of 4,000 calls of two() take 5 of its 40 s.
copy_shows 'a typed count' '• 500 .* two .*0\.\.3,000' 'first:7 → two: 500 of 0\.\.3,000' \
	'changed, not saved' <<< "$(set_to 500)"
copy_shows 'total times follow' '12\.5  *5\.000 s  *3,000  *first ' 'callers of first' ' 5\.000 s  main' \
	<<< "$(set_to 500)"
copy_shows 'and what comes from the other side' '• 3,500 .* two .* 0\.\.4,000' '35\.00 s  main' \
	<<< "$(set_to 500)"$'\nu\nEsc\nEsc\ntext:&second\nEnter\nd'
copy_shows 'a count before the key' ': 700 of 0\.\.3,000' <<< "$callees"$'\ntext:700='
copy_shows 'more and fewer, in twentieths' ': 900 of 0\.\.3,000' <<< "$(set_to 1200)"$'\n-\n+\n+\ntext:3-'
copy_shows 'angle brackets do the same' ': 1,200 of 0\.\.3,000' <<< "$(set_to 1200)"$'\n<\n>'
copy_shows 'it stops at the ends' ': 3,000 of 0\.\.3,000' <<< "$(set_to 1200)"$'\ntext:999+'
copy_shows 'at both' ': 0 of 0\.\.3,000' <<< "$(set_to 1200)"$'\ntext:999-'
copy_shows 'what is not possible is told' 'leave 0\.\.3,000' '!: 3,001' <<< "$(set_to 3001)"
copy_shows 'what is no number' 'not a count: many' <<< "$(set_to many)"
copy_shows 'other pins narrow it' ': 0\.\.1,000\|leave 0\.\.1,000\|of 0\.\.1,000' \
	<<< "$(set_to 2000)"$'\ntext:/one\nEnter\ntext:9999='
copy_shows 'C-c asks before it leaves what is not saved' 'the same key again leaves' \
	<<< "$(set_to 500)"$'\nC-c'
{ echo size:100x30; set_to 500; printf '\nC-c\n:save-screen asked\nC-c\n:save-screen left\n'; } | play dial.db
[ -e asked ] && [ ! -e left ]
verdict $? '... and then leaves'
copy_shows 'exact arcs cannot be changed' 'is exact: the counts leave no choice' <<< $'text:&first\nEnter\nc\n+'
copy_shows 'p releases' 'released' '≈ [0-9,]* .* two ' <<< "$(set_to 500)"$'\np'
copy_shows 'p holds' 'held' 'changed, not saved' '• [0-9,]* .* two ' '≈ [0-9,]* .* one ' \
	<<< "$callees"$'\np'

# Lists are in the order of what is changed, and restricted by it.
order() # order NAME EXPECTED < STEPS: counts of the callees, then the procedures with the greatest totals
{
	local name=$1 status=0
	cp dial.db turned.db
	{
		echo size:120x40
		cat
		printf ':save-screen %s\n' callees
		printf '%s\n' u Esc Esc 'text::sort propagated' Enter ':save-screen procedures'
	} | play turned.db
	{
		sed -n 's/.*[•≈] \([0-9,]*\) .* 7  0\.\..*/\1/p' callees
		sed -n 's/.* \(first\|second\|two\|main\) *dial\.c:.*/\1/p' procedures | head -4
	} | paste -sd ' ' > order
	[ "$(cat order)" = "$2" ] || { status=1; sed 's/^/# /' order callees procedures; }
	verdict $status "$name"
}
# The stored totals of this profile are 0: in the order of the source.
stored='two first second' turned='two main first second'
order 'callees by calls, procedures by time' "1,250 1,250 500 0 $stored" <<< "$callees"
order '... when an arc is changed' "2,900 50 50 0 $turned" <<< "$(set_to 2900)"
order '... twice' "1,500 1,000 500 0 two main second first" <<< "$(set_to 2900)"$'\ntext:1000='
order '... released' "1,250 1,250 500 0 $stored" <<< "$(set_to 2900)"$'\np'
order '... by a command' "1,250 1,250 500 0 $stored" <<< "$(set_to 2900)"$'\ntext::unpin\nEnter'
order '... saved' "2,900 50 50 0 $turned" <<< "$(set_to 2900)"$'\ntext::pin x\nEnter'
# 5 % of all calls are more than 500 and less than 1,250.
order 'a cut sees what is changed' "2,900 $turned" <<< "$(set_to 2900)"$'\ntext:5%'
order '... that is changed afterwards' "2,900 $turned" <<< "$callees"$'\ntext:5%\ntext:2900='
order '... and released' "1,250 1,250 $stored" <<< "$callees"$'\ntext:5%\ntext:2900=\np'
order '... in slices' "2,900 $turned" <<< $':slices 1\n'"$callees"$'\ntext:5%\ntext:2900='

copy_shows 'no other threads while something is changed' 'changed arcs are not saved: ":pin' \
	<<< "$(set_to 500)"$'\nT\nEnter'
# 35 of the 40 s of two() are brought by second() then, as it makes 3,500 of its 4,000 calls.
copy_shows 'the tree from arcs follows, and says so' 'from arcs as changed' \
	' 5\.000 s  *\(5\.000 s\|- *\|0 *\)\?.* first' ' 35\.00 s .* second' '• \?500\|≈ 500 .* two' \
	'≈ 3,500 .* two' <<< "$(set_to 500)"$'\nt\ng\n*'
# Evenly shared out, half of three()'s 1,000 calls are made by first(); and the rest of its 3,000 calls
# goes to one() and two() alike: 1,250. So second() makes 2,750 calls of two(): 27.5 of its 40 s.
copy_shows '... by another rule' '≈ 2,750 .* two ' '!• ' \
	<<< $'text::estimate even\nEnter\ntext:&second\nEnter\nd'
copy_shows '... under which a pin stays' 'estimates: even' '• 500 .* two ' \
	<<< "$(set_to 500)"$'\ntext::estimate even\nEnter'
copy_shows '... also while it is looked at' 'from arcs as changed' '27\.50 s  *27\.50 s  *≈ 2,750 .* two' <<< $'t\ng\n*\ntext::estimate even\nEnter'
copy_shows '... expanded as it was, the cursor where it was' '^▌.* two' ' first$\| first ' \
	<<< $'t\ng\n*\ntext:/two\nEnter\ntext::estimate even\nEnter'
copy_shows '... and back' '!as changed' 'from arcs: time' \
	<<< $'t\ng\n*\ntext::estimate spread\nEnter\ntext::estimate likely\nEnter'
copy_shows 'the list of pins' '^─ pins' '500 *0\.\.3,000 *not saved *first:7 → two' <<< "$(set_to 500)"$'\nP'
copy_shows 'a pin is released from the list' 'Nothing is pinned' <<< "$(set_to 500)"$'\nP\np'
copy_shows 'and changed' '600 *0\.\.3,000 *not saved' <<< "$(set_to 500)"$'\nP\ntext:600='
copy_shows 'Enter there goes to the call' '^▌.* 7 static void first' <<< "$(set_to 500)"$'\nP\nEnter'
copy_shows 'no pins' 'Nothing is pinned' <<< P

copy_shows 'even' 'estimates: even' 'shared out evenly' <<< $'text::estimate even\nEnter'
copy_shows 'likely is the profile'"'"'s own' '!estimates:' \
	<<< $'text::estimate spread\nEnter\ntext::estimate likely\nEnter'
copy_shows 'another rule' 'likely, spread or even' <<< $'text::estimate badly\nEnter'
copy_shows 'nothing to save' 'nothing has been changed' <<< $'text::pin\nEnter'

# Leaving asks once; saving needs no question.
copy_shows 'q asks' '":pin NAME" saves them' <<< "$(set_to 500)"$'\nu\nEsc\nEsc\nq'
copy_shows 'and asks again after something else' '":pin NAME" saves them' \
	<<< "$(set_to 500)"$'\nu\nEsc\nEsc\nq\nj\nQ'
{ set_to 500; printf '\nQ\nQ\n:save-screen left\n'; } | play turned.db
{ set_to 500; printf '\ntext::q!\nEnter\n:save-screen left\n'; } | play turned.db
[ ! -e left ]
verdict $? 'the second time it leaves; so does :q!'

copy_shows 'saved' 'saved in turned.db' '!not saved' '• 500 .* two' 'callees of first' \
	<<< "$(set_to 500)"$'\ntext::pin no errors\nEnter'
"$cgview" pin turned.db | grep -qx 'no errors: first:7->two=500' &&
	"$cgview" report --format csv --by arc --caller first turned.db |
		grep -q ',two,500,0,3000,pinned,'
verdict $? 'the profile has it'
cp turned.db pinned.db
play pinned.db <<< $'P\n:save-screen pins\ntext::unpin no errors\nEnter\ntext::pin\nEnter\nq'
grep -q '500 *0\.\.3,000 *no errors' pins && "$cgview" pin pinned.db | grep -q 'nothing is pinned'
verdict $? 'and releases it again'

if [ "$(id -u)" -ne 0 ]; then
	cp dial.db readonly.db
	chmod a-w readonly.db
	{ set_to 500; printf '\ntext::pin x\nEnter\n:save-screen readonly\n'; } | play readonly.db
	grep -q 'readonly.db cannot be written: Permission denied' readonly
	verdict $? 'a file that cannot be written is told'
else
	echo 'skip - a file that cannot be written is told: root can write every file'
fi

# cgview pin tells which total times have moved: of 40 s, first() has 5 and second() 35 then.
cp dial.db moved.db
"$cgview" pin --name x moved.db 'first:7->two=500' > moved
tail -n +1 moved | grep '^total of' | sed 's/: .* -> / /' | sort > totals
diff - totals <<'END'
total of first 5.000 s
total of second 35.00 s
END
verdict $? 'pin tells what has moved'
awk '/^total of/ { sum += $4; if ($5 != "s") exit 1 } END { exit !(sum > 39.98 && sum < 40.02) }' moved
verdict $? '... from where'
"$cgview" pin --name x moved.db 'first:7->two=500' | grep -q '^total of'
[ $? = 1 ]
verdict $? '... and nothing if nothing has'
while read -r wanted arguments; do
	"$cgview" pin $arguments > out 2> err
	status=$?
	[ "$status $(wc -l < err) $(wc -c < out)" = "$wanted 1 0" ] || { echo "# $status"; head -3 err out; false; }
	verdict $? "pin $arguments: status $wanted, one line"
done << 'END'
2
2 --remove moved.db a=1
2 moved.db first:7->two
1 moved.db first:7->two=9999
END

# The same in the reports.
"$cgview" report --by arc turned.db > arcs
grep -q '^ *• 500  0\.\.3,000 .* first  *two ' arcs && grep -q '^ *• 3,500  0\.\.4,000 .* second  *two ' arcs
verdict $? 'report marks what is held'
LC_ALL=C "$cgview" report --by arc turned.db | grep -q '^ *\* 500  0\.\.3,000'
verdict $? 'and in ASCII'
# 500 calls of 10 ms; its bounds are none of its 3,000 calls, and all of them.
"$cgview" report turned.db > procedures
grep -q ' 5\.000 s  0 ns\.\.30\.00 s .* 3,000 .* first ' procedures &&
	grep -q ' 51  *50 .* down ' procedures && grep -q ' even <cycle 1> ' procedures
verdict $? 'report has bounds, recursion and cycles'
"$cgview" report --by site turned.db | grep -q ' - .* 5\.000 s  *3,000 .* first '
verdict $? 'report has the time of a call by its counts beside the sampled one'
{ set_to 500; printf '\n:save-screen ascii\n'; } | LC_ALL=C play turned.db
grep -q '\* 500  *two \|\* 500 .* two' ascii
verdict $? 'the mark in ASCII'

# 9 of 10 samples of two() came by first().
cp turned.db differs.db
python3 - << 'EOF'
import sqlite3
db = sqlite3.connect('differs.db')
to = "callee = (SELECT id FROM procedure WHERE name = 'two') AND caller = " \
     "(SELECT id FROM procedure WHERE name = '%s')"
db.execute("UPDATE arc SET differs = 1, total_ns = 36000000000 WHERE " + to % 'first')
db.execute("UPDATE arc SET differs = 0, total_ns = 4000000000 WHERE " + to % 'second')
db.commit()
EOF
"$cgview" report --by arc differs.db | grep -q '• 500 .*  36\.00 s  *≠5\.000 s .* first  *two '
verdict $? 'report tells where samples contradict calls, not beside what is measured'
XDG_CONFIG_HOME=/nonexistent play differs.db <<< $'size:160x40\ntext:&two\nEnter\nc\n:save-screen differs'
grep -q '• 500 .* 12\.5  *36\.00 s .* first ' differs
verdict $? 'and so does the browser'
! grep -q '≠ *36\.00 s' differs && grep -q ' calls%  *time  *time%' differs && ! grep -q ' % ' differs
verdict $? 'a share is told to be of calls, or of time'
sqlite3 differs.db "UPDATE arc SET differs = 1, total_ns = 0 WHERE callee = (SELECT id FROM procedure WHERE name = 'two')
	AND caller = (SELECT id FROM procedure WHERE name = 'second')"
"$cgview" report --by arc differs.db | grep -q ' -  *≠[0-9.]* s .* second  *two '
verdict $? 'where no sample came by a call, too'

# What code outside calls is told by who gave it away.
cat > sorts.c << 'EOF'
#include <stdlib.h>
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void)
{
	int v[] = { 3, 1, 2 };

	qsort(v, 3, sizeof(*v), compare);
	return v[0] != 1;
}
EOF
"$BUILD/cgcc" -O0 -g -o sorts sorts.c && "$cgview" record -F 0 -o sorts.db -- ./sorts 2> /dev/null
play sorts.db <<< $'size:160x40\ntext:&compare\nEnter\nc\n:save-screen through'
grep -q ' main (\(through \)\?qsort) ' through
verdict $? 'callers through qsort'
play sorts.db <<< $'size:200x40\ntext:&main\nEnter\nd\n:save-screen through'
grep -q ' compare (\(through \)\?qsort) ' through
verdict $? 'callees through qsort'

# In a comparison what is called has its name, too: outside, and by a pointer.
cat > called.c << 'EOF'
#include <string.h>
static int add(int a, int b) { return a + b; }
int main(int argc, char **argv)
{
	int (*volatile f)(int, int) = add;
	char out[80];

	strncpy(out, argv[0], sizeof(out) - 1);
	return f(argc, out[0]) < 0;
}
EOF
"$BUILD/cgcc" -O0 -g -fno-builtin -o called called.c && "$cgview" record -F 0 -o called.db -- ./called 2> /dev/null
cp called.db again.db
"$cgview" diff --by site called.db again.db > sites
grep -q ' main  *strncpy (outside)  *called.c:8' sites && grep -q ' main  *add  *called.c:9' sites
verdict $? 'call sites that are compared tell what they call'
"$cgview" diff --by arc --format csv called.db again.db | grep -q '^main,.*,strncpy@outside'
verdict $? '... in csv with a mark'
play called.db again.db <<< $'size:160x40\ntext:&main\nEnter\nd\nz\n:save-screen called'
grep -q ' 1 .* strncpy (outside) ' called && grep -q ' 1 .* add ' called
verdict $? '... in the browser, too'
"$cgview" diff -o stored.db called.db again.db && "$cgview" report --by comparison --of site stored.db > sites
grep -q 'strncpy (outside)' sites
verdict $? '... and when they are stored'

copy_shows 'cycles' '^─ cycles' ' 2  .*odd, even\|2  .*even, odd' <<< C
copy_shows 'the members of a cycle' 'members of cycle 1 .* 1/2' ' even <cycle 1> ' ' odd <cycle 1> ' <<< $'C\nEnter'
copy_shows 'a member goes to its source' '^▌.*static int \(even\|odd\)' <<< $'C\nEnter\nEnter'
copy_shows 'members are told among callers' ' odd <cycle 1>' <<< $'text:&even\nEnter\nc'
SIZE=100x40 XDG_CONFIG_HOME=/nonexistent copy_shows 'a column of its own choice' ' recursive ' ' 50  *down ' <<< $'text::column recursive\nEnter'
