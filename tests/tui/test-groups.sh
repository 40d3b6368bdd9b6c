#!/bin/bash
# Callers and callees: one row a procedure, which opens to its call sites. The counts of groups.c are
# known by hand; its times are set here, to what the stacks of its calls would be.
. tests/tui/lib.sh

"$BUILD/cgcc" -O1 -g -fno-inline -w -o groups "$top/tests/tui/groups.c" &&
	"$cgview" record -F 0 -o groups.db -- ./groups > /dev/null 2> record.log ||
	{ cat record.log; echo 'not ok - the profile'; exit 1; }
# Milliseconds of each call of work(), in the order of the lines. All stacks below deep() pass both
# places where it calls itself; they get from deep() to deep() first by one of them.
python3 - << 'EOF'
import sqlite3
db = sqlite3.connect("groups.db")
def arcs(caller, callee):
    return [a for a, in db.execute("SELECT a.id FROM arc a JOIN procedure r ON r.id = a.caller "
            "JOIN procedure e ON e.id = a.callee JOIN call_site s ON s.id = a.site "
            "WHERE r.name = ? AND e.name = ? ORDER BY s.line", (caller, callee))]
def put(caller, callee, times, pairs=None):
    ids = arcs(caller, callee)
    assert len(ids) == len(times), (caller, callee, ids)
    for a, ms, pair in zip(ids, times, pairs or times):
        db.execute("UPDATE arc SET total_samples = ?1, total_ns = ?1 * 1000000, pair_samples = ?2, "
                   "pair_ns = ?2 * 1000000 WHERE id = ?3", (ms, pair, a))
put("three", "work", [80, 400, 120])
put("two", "work", [50, 60])
put("one", "work", [40])
put("deep", "work", [250])
put("deep", "deep", [250, 250], [250, 0])
put("main", "deep", [250])
db.execute("UPDATE totals SET self_ns = 1000000000, self_samples = 1000")
db.execute("UPDATE run SET samples = 1000")
db.commit()
EOF

mkdir -p config/cgview
cat > config/cgview/config << 'END'
columns callers calls calls% time caller line call
columns callees calls calls% time callee line call
END
export XDG_CONFIG_HOME=$TMP_DIR/config
DB=groups.db SIZE=120x36
work=$'text:&^work$\nEnter\nc\nz\n' deep=$'text:&^deep$\nEnter\nc\nz\n'
shows 'one row a caller, by time' '^▌ *48  *92.3 .*600 ms  *▸ three (3 call sites)' \
	'^ *1  *1.9 .*250 ms  *deep  *42 ' '^ *2  *3.8 .*110 ms  *▸ two (2 call sites)' \
	'^ *1  *1.9 .*40.0 ms  *one  *31 ' ' 4 callers$' '!    three' <<< "$work"
play groups.db <<< "$work"$'text::w order\nEnter'
awk '/ms/ { for (i = 1; i <= NF; i++) if ($i ~ /^(three|deep|two|one)$/) printf "%s ", $i }
	END { print "" }' order | grep -qx 'three deep two one '
verdict $? '... in that order'
shows 'it opens to its call sites, by time' '▌ *48 .*600 ms  *▾ three (3 call sites)' \
	' 40  *76.9 .*400 ms    three  *19  *work(1000000)' ' 4  *7.7 .*120 ms  *three  *20 ' \
	' 4  *7.7 .*80.0 ms  *three  *17 ' ' 52  *100  *4 callers' <<< "$work"l
shows '... l goes into it' '^▌ *40 .* three  *19' <<< "$work"$'l\nl'
shows '... h out of it' '^▌ *48 .* ▾ three' <<< "$work"$'l\nl\nj\nh'
shows '... and closes it' '^▌ *48 .* ▸ three' <<< "$work"$'l\nl\nj\nh\nh'
shows '... the arrows likewise' '^▌ *48 .* ▸ three' <<< "$work"$'Right\nRight\nLeft\nLeft'
shows 'two are open' ' 60.0 ms  *two  *26 ' <<< "$work"$'text:jjlkk\nl\nl\nj'
shows 'one call site does not open' 'this is one call site' '^▌.* deep' <<< "$work"$'j\nl'
shows 'what is open stays so, sorted' '^▌ *4  *7.7 .* three  *20 ' '^ *48 .*▾ three' 'calls▼' \
	<<< "$work"$'text:lljs\ntext::sort calls\nEnter'
shows '... and when one comes back' ' ▾ three' ' 4 callers' <<< "$work"$'text:lz\nEnter\nc\n2\nBackspace'

shows 'a stack counts once, whatever it passes' '^▌ *1 .*250 ms  *main ' \
	'^ *6  *85.7 .*250 ms  *▸ deep (2 call sites)' ' 2 callers' <<< "$deep"
shows '... at each call site, too' '250 ms  *deep  *38 ' '250 ms  *deep  *40 ' <<< "$deep"$'j\nl'
shows 'callees likewise' '6  *85.7 .*250 ms  *▸ deep (2 call sites)' ' 2 callees' \
	<<< $'text:&^deep$\nEnter\nd\nz'
shows '... and open' '▾ deep' ' 250 ms  *deep  *38 ' <<< $'text:&^deep$\nEnter\nd\nz\nj\nl'

shows 'a filter leaves procedures' '^▌ *48 .*600 ms  *▸ three' ' 48  *92.3  *1 caller' 'only /three/' \
	<<< "$work"$'text:&three\nEnter'
shows '... and opened the calls that fit' '▾ three (3 call sites)' ' three  *20  *work(3000000)' \
	'! three  *19 ' <<< "$work"$'text:&3000\nEnter\nl'
shows 'a share is that of all call sites together' ' 48 .*▸ three' ' 1 caller$' '! two ' \
	'! one ' <<< "$work"$'text::sort calls\nEnter\ntext:20%'
shows 'several cannot be changed' 'several call sites: l opens them' <<< "$work"+
shows '... one can, if the counts leave it open' 'three:19 → work is exact' <<< "$work"$'l\nl\n+'
shows 'Enter goes to the costliest call' 'called at 19:' <<< $'text:&^work$\nEnter\nc\nEnter'
shows '... or to the one of the row' 'called at 20:' \
	<<< $'text:&^work$\nEnter\nc\nl\nl\nj\nEnter'
XDG_CONFIG_HOME='' shows 'without room the number is left' '▸ three (3)' <<< $'size:80x24\ntext:&^work$\nEnter\nc'
shows ':w writes what is open' 'is written to arcs.txt\|written to arcs.txt' <<< "$work"$'l\ntext::w arcs.txt\nEnter'
[ "$(grep -c three arcs.txt)" -eq 4 ]
verdict $? '... each row'

# All of it against SQL.
for of in caller callee; do
	other=$([ $of = caller ] && echo callee || echo caller)
	sqlite3 groups.db "SELECT p.name, e.name, sum(a.count), count(*) FROM arc a
		JOIN procedure p ON p.id = a.$other JOIN procedure e ON e.id = a.$of
		WHERE a.hi > 0 GROUP BY 1, 2 ORDER BY 1, 2" > expected
	while IFS='|' read -r subject end count sites; do
		pattern="▸ $end ($sites call sites)"
		[ "$sites" -gt 1 ] || pattern="$end  *[0-9]"
		keys=$([ $of = caller ] && echo c || echo d)
		shows "$of $end of $subject: $count calls, $sites sites" "^▌\\? *$count  .*$pattern" \
			<<< $'text:&^'"$subject\$"$'\nEnter\n'"$keys"$'\nz'
	done < expected
done

# So it is in a comparison, whose values are those of the sums.
cp groups.db twice.db
gone=$(sqlite3 twice.db "SELECT a.id FROM arc a JOIN call_site s ON s.id = a.site WHERE s.line = 20")
sqlite3 twice.db "UPDATE arc SET count = 2 * count, lo = 2 * lo, hi = 2 * hi;
	DELETE FROM arc WHERE id = $gone; UPDATE arc SET id = id - 1 WHERE id > $gone"
compared=$'=\nC-u\ntext:b.count - a.count\nEnter\ntext:&^work$\nEnter\nc\nz\n'
compares() # compares NAME PATTERN... < STEPS
{
	{ echo "size:$SIZE"; cat; echo ':save-screen shows'; } | play groups.db twice.db > shows.out
	verdict_shows $? "$@"
}
compares 'compared callers are one row a procedure' '^▌\? *48  *88  *+40 .*▸ three (3 call sites) *$' \
	'^▌\? *2  *4  *+2 .*▸ two (2 call sites)' '^▌\? *1  *2  *+1 .* one  *31 ' ' 4 compared ' <<< "$compared"
compares '... which opens to its call sites, on either side' '▾ three (3 call sites)' \
	' 40  *80  *+40 .* three  *19 ' ' 4  *8  *+4 .* three  *17 ' ' 4  *-  *-4 ▼  *gone  *three  *20 ' \
	' 4 compared ' <<< "$compared"$'text:/three\nEnter\nl'
compares '... and closes' '^▌ *48 .*▸ three' '! three  *19 ' <<< "$compared"$'text:/three\nEnter\nl\nh'
compares '... sorted like the rows' '▾ three' '^▌ .* three  *19 ' \
	<<< "$compared"$'text:/three\nEnter\nl\ntext::sort b\nEnter\ntext:/three\nEnter\nl'
compares 'Enter goes to a call of its own' '^▌ .*│  17 .*work(2000000)' \
	<<< "$compared"$'text:/three\nEnter\nl\nl\nj\nEnter\nz\nz'
compares 'another expression is one of the sums' '^▌\? *48  *88  *×1.83 .*▸ three' \
	<<< "$compared"$'text::compare ratio(b.count, a.count)\nEnter'
for db in groups twice; do
	sqlite3 $db.db "SELECT p.name, e.name, sum(a.count) FROM arc a JOIN procedure p ON p.id = a.caller
		JOIN procedure e ON e.id = a.callee GROUP BY 1, 2 ORDER BY 1, 2" > $db.sums
done
"$cgview" diff --by pair -e count --format csv groups.db twice.db | tr -d '\r' > pairs.csv
for column in 8 9; do
	awk -F, -v c=$column '$1 != "outside" && $1 != "procedure" { print $1 "|" $13 "|" $c }' pairs.csv | sort > got
	sort "$([ $column = 8 ] && echo groups || echo twice).sums" | cmp - got
	verdict $? "diff --by pair: the sums in column $column are those of SQL"
done
# Each stack counts once for the pair.
"$cgview" diff --by pair -e b.total_samples-a.total_samples --format csv groups.db groups.db | tr -d '\r' |
	awk -F, '$1 == "deep" && $13 == "deep" { print $8 }' > got
sqlite3 groups.db "SELECT sum(pair_samples) FROM arc a JOIN procedure p ON p.id = a.caller
	WHERE p.name = 'deep' AND a.callee = a.caller" | cmp - got
verdict $? '... and a stack that passes both calls counts once'

# What is stored is grouped likewise, without the first profile.
mkdir stored
cp groups.db stored/first.db
"$cgview" diff -e 'b.count - a.count' -o stored/result.db stored/first.db twice.db &&
	"$cgview" diff --by arc -e 'b.count - a.count' -o stored/arcs.db stored/first.db twice.db || exit 1
rm stored/first.db
stores() # stores NAME PROFILE PATTERN... < STEPS
{
	{ echo "size:$SIZE"; cat; echo ':save-screen shows'; } | play "stored/$2.db" > shows.out
	verdict_shows $? "$1" "${@:3}"
}
kept=$'text:&^work$\nEnter\nc\nz\n'
stores 'stored callers are one row a procedure' result ' saved ' '^▌\? *48  *88  *+40 .*▸ three (3 call sites) *$' \
	'^▌\? *2  *4  *+2 .*▸ two (2 call sites)' '^▌\? *1  *2  *+1 .* one  *31 ' ' 4 compared ' <<< "$kept"
stores '... which opens to its call sites, on either side' result '▾ three (3 call sites)' \
	' 40  *80  *+40 .* three  *19 ' ' 4  *8  *+4 .* three  *17 ' ' 4  *-  *-4 ▼  *three$' \
	' 4 compared ' <<< "$kept"$'text:/three\nEnter\nl'
stores '... by Enter, too' result '▾ three (3 call sites)' <<< "$kept"$'text:/three\nEnter\nEnter'
stores '... and closes' result '^▌ *48 .*▸ three' '! three  *19 ' <<< "$kept"$'text:/three\nEnter\nl\nh'
stores 'stored callees likewise' result '▾ work (3 call sites)' ' 40  *80  *+40 .* work  *19 ' \
	<<< $'text:&^three$\nEnter\nd\nz\nl'
stores 'stored arcs alone are not grouped' arcs ' 40  *80  *+40 .* three  *19 ' '!▸ three' <<< "$kept"

# In slices it ends as it does at once.
for slices in 1000000 1 3; do
	printf '%s\n' size:120x36 ":slices $slices" 'text:&^work$' Enter c z ':save-screen shown' l \
		':save-screen opened' j l 'text::sort calls' Enter ":save-screen slices-$slices" > script
	CGVIEW_SCRIPT=script "$cgview" groups.db
done
# A key means the row that is shown: c is typed when the filtered rows are there.
for slices in 1000000 1; do
	printf '%s\n' size:120x36 u ":slices $slices" "${compared/$'\nc\n'/$'\n:save-screen rows\nc\n'}" \
		':save-screen rows' text:/three Enter l ":save-screen compared-$slices" > script
	CGVIEW_SCRIPT=script "$cgview" groups.db twice.db
done
cmp compared-1000000 compared-1 && grep -q '▾ three' compared-1
verdict $? 'in slices a comparison is the same as at once'
cmp slices-1000000 slices-1 && cmp slices-1000000 slices-3 && grep -q '▾ three' slices-1
verdict $? 'in slices the same as at once'

# Two calls of one caller that each can have all calls of a procedure: together they have no more.
unset XDG_CONFIG_HOME
cat > handed.c <<'END'
#include <stdlib.h>
static int up(const void *a, const void *b) { return *(int *)a - *(int *)b; }
int main(int argc, char **argv)
{
	int v[64], x = 5;
	(void)argv;
	for (int i = 0; i < 64; i++)
		v[i] = i * 7 % 64;
	qsort(v, argc * 64, sizeof *v, up);
	return !bsearch(&x, v, 64, sizeof *v, up);
}
END
"$BUILD/cgcc" -O1 -g --cgview-flags=notargets handed.c -o handed && "$cgview" record -F 0 -o handed.db -- ./handed > /dev/null 2>&1
calls=$("$cgview" report --format csv --columns procedure,calls handed.db | tr -d '\r' | sed -n 's/^up,//p')
printf 'size:199x40\n/\ntext:up\nEnter\n:save-screen shows\n' > script
CGVIEW_SCRIPT=script "$cgview" handed.db > /dev/null
grep -q "main (2).* 0\.\.$calls " shows && ! grep -q "0\.\.$((2 * calls))" shows
verdict $? "a group's calls are at most the procedure's ($calls)"
