#!/bin/bash
# What :w writes of macros, threads, pins and waiting times, against the program's own text, the tables
# of the profile and other commands; and what Enter and the arrows do there.
. tests/tui/lib.sh
command -v sqlite3 > /dev/null || { echo "skip - written: sqlite3 is not installed"; exit 0; }
ask() { sqlite3 "$DB" "$1"; }
same() # same NAME WANTED GOT
{
	[ "$2" = "$3" ] || diff <(echo "$2") <(echo "$3") | sed 's/^/# /'
	[ "$2" = "$3" ]
	verdict $? "$1"
}
comma() { sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/' -e 'ta'; }
record() # record DB [OPTION...] -- PROGRAM
{
	"$cgview" record -o "$@" > /dev/null 2> record.log && return
	cat record.log
	echo "not ok - record $*"
	exit 1
}

# ---- macros: MAX and SWAP are used as often as the loops of main.c and other.c say ----

cp "$top"/tests/e2e/programs/macros/* .
"$BUILD/cgcc" -O0 -g -w main.c other.c -o macros || { echo 'not ok - the program'; exit 1; }
record macros.db -F 0 -- ./macros
DB=macros.db
# macro LINE STEP...: X on this line of main.c
macro()
{
	local line=$1
	shift
	printf '%s\n' 'text:/main\>' Enter Enter "text:${line}g" X "$@"
}
place() { grep -nF "$2" "$1" | head -1 | awk -F: -v f="$1" -v t="$2" '{ print f ":" $1 ":" index(substr($0, length($1) + 2), t) }'; }
play macros.db < <(macro 17 'text::w max' Enter)
definition=$(grep '#define MAX' macros.h)
same 'a macro: its definition, the piece, all uses with their counts' "$definition
The pieces of its definition, with the sum of all uses
           1301  $(place macros.h '((a) > (b)') ((a) > (b) ? (a) : (b))
All its uses   (Enter: its source)
           1000  $(place main.c 'MAX(i, 500)') MAX(i, 500) main
              0  $(place main.c 'MAX(s, argc)') MAX(s, argc) main
              1  $(place main.c 'MAX(s, 5)') MAX(s, 5) main
            300  $(place other.c 'MAX(i, 100)') MAX(i, 100) other" "$(cat max)"
play macros.db < <(macro 20 'text::w swap' Enter)
same 'a macro of several lines: as it stands in the source' \
	"$(sed -n '/#define SWAP/,/while (0)/p' macros.h)" "$(sed '/^The pieces/,$d' swap)"
same '... statement by statement' '200 200 200 100 100' "$(echo $(sed -n '/^The pieces/,$p' swap |
	awk '/^ +[0-9]+ / { print $1 }'))"
shows 'Enter on the definition goes there' '^▌.* 4 #define MAX' <<< "$(macro 17 g Enter)"
shows 'Enter on a piece goes to it' '^▌.* 4 #define MAX' 'macros\.h .* 4:19' <<< "$(macro 17 g j j Enter)"
shows 'Enter on a heading stays' '^─ macro MAX' <<< "$(macro 17 g j Enter)"
shows 'Enter on a use goes to it' '^▌.* 6 .*s += sq(i) + MAX' '─ other ─.* 6:16  300×' \
	'callers of other' <<< "$(macro 17 G Enter)"
shows 'a search in it' '^▌ .* 300 .* other\.c:6:16' <<< "$(macro 17 g 'text:/i, 100' Enter)"
# One whose file has changed since is known by what the profile holds.
sed -i '1,6d' macros.h
play macros.db < <(macro 17 'text::w again' Enter)
same 'the profile has the text as it was' "$(cat max)" "$(cat again)"

# ---- threads that wait ----

cat > naps.c <<'END'
#include <pthread.h>
#include <time.h>
static volatile long sum;
static __attribute__((noinline)) void nap(long ms)
{
	struct timespec t = { 0, ms * 1000000 };
	nanosleep(&t, 0);
}
static __attribute__((noinline)) void work(long n) { while (n--) sum += n; }
static void *run(void *p)
{
	nap(p ? 400 : 100);
	work(p ? 1000 : 2000);
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, run, &a);
	pthread_create(&b, 0, run, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	return 0;
}
END
"$BUILD/cgcc" -O1 -g -pthread naps.c -o naps || { echo 'not ok - the program'; exit 1; }
record naps.db -F 0 --wall -- ./naps
DB=naps.db SIZE=120x60
play naps.db <<< $'T\ntext::w threads\nEnter'
same 'threads: what they executed' "$(ask 'SELECT blocks_executed FROM part' | comma | sort)" \
	"$(awk -F'   *' 'NF > 5 && $(NF - 1) != "blocks" { print $(NF - 1) }' threads | sort)"
# As the browser writes times of a second and less: three digits.
ms() { awk -v ns="$1" 'BEGIN { u = ns < 1000 ? "ns" : ns < 1e6 ? "us" : ns < 1e9 ? "ms" : "s"
	x = ns / (u == "ns" ? 1 : u == "us" ? 1e3 : u == "ms" ? 1e6 : 1e9)
	printf (u == "ns" ? "%d %s\n" : x < 9.995 ? "%.2f %s\n" : x < 99.95 ? "%.1f %s\n" : "%.0f %s\n"), x, u }'; }
for id in 2 3; do
	waited=$(ms "$(ask "SELECT wait_ns FROM part WHERE id = $id")")
	check=$(grep -c "  $waited  " threads)
	[ "$check" -ge 1 ]
	verdict $? "threads: $id waited $waited"
done
total=$(ms "$(ask 'SELECT sum(wait_ns) FROM run')")
shows 'diagnostics: who waited' '^ *Waiting' "waited  *$total in all threads" <<< D
slept=$(ms "$(ask "SELECT total_wait_ns FROM procedure WHERE name = 'nap'")")
shows 'the tree of waiting' 'waiting, from the stacks of those that waited' "$slept .* nap" \
	'!work' <<< $'t\nw\nf\ng\n*'
shows '... and back to time' '!waiting, from the stacks' <<< $'t\nw\nw'
shows '... not of one who did not wait' '!work' <<< $'text:/work\nEnter\nt\nw\ng\n*'
shows '... bottom-up' 'callers of all' "$slept .* nap" <<< $'t\nw\nA'
shows 'the icicle of waiting: up and down' ' nap  *total '"$slept"' ' <<< $'t\nw\ng\ntext:/nap\nEnter\ni\nk\nk\nj\nj'
shows '... to the top' '^ all  *total .* 100%' <<< $'t\nw\ng\ntext:/nap\nEnter\ni\nk\nk\nk'
LC_ALL=C "$cgview" report --by tree naps.db > tree
grep -q 'from arcs' tree && grep -q ' 2  .*nap ' tree || { cat tree; false; }
verdict $? 'report has the calls of a program that only waited'
shows 'one thread alone waits as long as it waited' "only thread 3 of 3" \
	" $(ms "$(ask 'SELECT wait_ns FROM part WHERE id = 3')") .* nap " <<< $'T\ntext:/'"$(ask 'SELECT tid FROM thread WHERE part = 3')"$'\nEnter\nEnter'

# Two programs that only wait: compared by what they waited.
for n in 1 4; do
	sed "s/p ? 400 : 100/$n * 100/; s/work(p/work(0 \&\& p/" naps.c > waits.c
	"$BUILD/cgcc" -O1 -g -pthread waits.c -o waits || { echo 'not ok - the program'; exit 1; }
	record waits$n.db -F 0 --wall -- ./waits
done
waited() { sqlite3 "waits$1.db" "SELECT total_wait_ns FROM procedure WHERE name = 'nap'"; }
{ echo size:150x30; printf '%s\n' t w g '*' ':save-screen shows' i ':save-screen icicle' a ':save-screen arcs'; } |
	play waits1.db waits4.db
one=$(waited 1) four=$(waited 4)
verdict_shows $? 'the trees of waiting are compared' 'b\.total_wait_ns - a\.total_wait_ns' \
	"$(ms "$one") .* $(ms "$four") .*+$(ms $((four - one))) .* run → .*clock_nanosleep"
mv icicle shows
verdict_shows 0 '... as an icicle' "a $(ms "$one")  *b $(ms "$four")  *result +$(ms $((four - one)))"
mv arcs shows
verdict_shows 0 '... and the calls' 'b\.calls - a\.calls' 'from arcs'

# ---- pins ----

# What is pinned is what was not noted.
CGVIEW_FLAGS=notargets "$BUILD/cgcc" -O0 -g -w -o dial "$top/tests/tui/dial.c" || { echo 'not ok - the program'; exit 1; }
record dial.db -F 0 -- ./dial
DB=dial.db SIZE=100x40
set_to() { printf '%s\n' 'text:&first' Enter d 'text:/two' Enter = "text:$1" Enter; }
play dial.db < <(set_to 500; printf '%s\n' 'text::pin errors' Enter P 'text::w pins' Enter)
same 'what is pinned is what cgview pin tells' "$("$cgview" pin dial.db |
	sed -n 's/^errors: \(.*\)->\(.*\)=\(.*\)/\1 → \2 = \3/p')" "$(awk -F'   *' 'NR > 1 { sub(".* ", "", $2); print $NF " = " $2 }' pins)"
shows 'a search among pins' '^▌.* 500 .* errors ' <<< $'P\ntext:/two\nEnter'
shows 'several are released' '1 pin released\|pins\? released' 'Nothing is pinned' <<< $'P\ntext::unpin\nEnter'
shows '... of a name that none has' 'nothing is pinned as others' <<< $'text::unpin others\nEnter'

# Of procedures that call each other, and another: counts of the cycle follow what is changed.
cat > cycle.c <<'END'
static volatile int sum;
int odd(int n);
__attribute__((noinline)) int even(int n) { sum += n; return n ? odd(n - 1) : 1; }
__attribute__((noinline)) int odd(int n) { sum += n; return n ? even(n - 1) : 0; }
__attribute__((noinline)) int other(int n) { sum += n; return n; }
int (*which[2])(int) = { even, other };
static __attribute__((noinline)) int first(int n) { return which[n & 1](3); }
static __attribute__((noinline)) int second(int n) { return which[n & 1](3); }
int main(void)
{
	for (int i = 0; i < 100; i++)
		first(i);
	for (int i = 0; i < 60; i++)
		second(i);
	return 0;
}
END
CGVIEW_FLAGS=notargets "$BUILD/cgcc" -O1 -g cycle.c -o cycle || { echo 'not ok - the program'; exit 1; }
record cycle.db -F 0 -- ./cycle
DB=cycle.db SIZE=120x40
shows 'a cycle is entered as often as it was' ' 80 .* even' <<< $'C'
shows '... also when the calls of it are changed' 'changed, not saved' ' 80 .* even' \
	<<< $'text:&first\nEnter\nd\ntext:/even\nEnter\n=\ntext:40\nEnter\nu\nEsc\nEsc\nC'

# Rows that are damaged are written as rows of which nothing is known.
cp sample.db damaged.db
python3 - << 'PYTHON'
import sqlite3
db = sqlite3.connect("damaged.db")
db.execute("PRAGMA writable_schema = ON")
db.execute("UPDATE block SET self_wait_ns = 'x' WHERE id % 3 = 0")
db.commit()
PYTHON
CGVIEW_SCRIPT=/dev/stdin "$cgview" damaged.db <<< $'v\ntext::w! rows.txt\nEnter' > /dev/null 2> damaged.err
[ $? -le 1 ] && [ "$(grep -c '^ *-  *-  *-  *-$' rows.txt)" -gt 0 ]
verdict $? 'rows that are damaged'
