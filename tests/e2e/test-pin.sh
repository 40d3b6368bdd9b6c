#!/bin/bash
# Pins: a count that the program's counts leave open is set, the rest follows. f and g call a or b
# through a pointer 10 times each, a is entered 12 times, b 8 times. Code outside could call a and b
# and be called, but what others can take is not given to it: so each estimate has f->a + f->b = 10
# and f->a + g->a = 12.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit
# What is not noted is solved, which is tested here.
export CGVIEW_FLAGS=notargets

cat > pin.c <<'END_OF_C'
static volatile int sink;
static void a(int n) { for (int i = 0; i < n; i++) sink += i; }
static void b(int n) { for (int i = 0; i < n; i++) sink -= i; }
static void (*volatile pick[20])(int);
__attribute__((noinline)) static void f(int i)
{
	pick[i](1000);
}
__attribute__((noinline)) static void g(int i)
{
	pick[i](1000);
}
int main(void)
{
	for (int i = 0; i < 20; i++)
		pick[i] = i < 7 || (i >= 10 && i < 15) ? a : b;
	for (int i = 0; i < 20; i++)
		if (i < 10)
			f(i);
		else
			g(i);
	return 0;
}
END_OF_C
must "pin.c compiles" "$cgcc" -O1 -o pin pin.c
# Without samples, which prove calls, and which estimates go by.
must "a profile" "$cgview" record -F 0 -o pin.db -- ./pin

arcs() # arcs [DB]: the four arcs of f and g
{
	sqlite3 "${1:-pin.db}" "SELECT caller.name || '->' || callee.name, arc.count, arc.lo, arc.hi,
		arc.how FROM arc JOIN procedure AS caller ON caller.id = arc.caller
		JOIN procedure AS callee ON callee.id = arc.callee
		WHERE caller.name IN ('f', 'g') ORDER BY 1"
}

same() # same NAME TEXT COMMAND...: the command prints just that
{
	local name=$1 want=$2 got
	shift 2
	got=$("$@" 2>&1)
	if [ "$got" = "$want" ]; then
		ok "$name"
	else
		diff <(echo "$want") <(echo "$got") | sed 's/^/# /'
		not_ok "$name"
	fi
}

fails() # fails NAME MESSAGE COMMAND...: exits with a status other than 0 and says so in one line
{
	local name=$1 message=$2 got
	shift 2
	if got=$("$@" 2>&1) || [[ $got != *"$message"* ]] || [ "$(wc -l <<< "$got")" -ne 1 ]; then
		echo "# $got"
		not_ok "$name"
	else
		ok "$name"
	fi
}

arcs | cut -d'|' -f1,3,4 > open
same "what the counts leave open" "f->a|0|10
f->b|0|8
g->a|0|10
g->b|0|8" cat open
arcs > before

must "f->a=7" "$cgview" pin --name seven pin.db 'f->a=7'
same "the rest follows, the intervals stay" "f->a|7|0|10|pinned
f->b|3|0|8|pinned
g->a|5|0|10|pinned
g->b|5|0|8|pinned" arcs
same "it is listed" "seven: f:7->a=7" "$cgview" pin pin.db
same "the profile is whole" ok sqlite3 pin.db 'PRAGMA integrity_check'
fails "two arcs and a number" "means 3 arcs" "$cgview" pin pin.db '->a=3'
fails "what another pin decides" "leave 0 to 5" "$cgview" pin pin.db 'g->a=6'
fails "no such arc" "there is no arc 'f->main=3'" "$cgview" pin pin.db 'f->main=3'
fails "an exact arc" "leave 1 to 1" "$cgview" pin pin.db 'outside->main=3'
fails "no arc" "is no arc with a count" "$cgview" pin pin.db 'f=3'
fails "no number" "is no arc with a count" "$cgview" pin pin.db 'f->a=-3'
fails "an option too late" "options of pin come before it" "$cgview" pin pin.db --remove
fails "no such name" "nothing is pinned as 'eight'" "$cgview" pin --name eight --remove pin.db
same "nothing of that changed anything" 7 sqlite3 pin.db \
	"SELECT count FROM pin WHERE name = 'seven'"

must "one released" "$cgview" pin --name seven --remove pin.db
fails "beyond the interval of all" "leave 0 to 8" "$cgview" pin pin.db 'g->b=9'
must "another" "$cgview" pin --name most pin.db 'g->b=8'
same "the end of an interval" "f->a|10|0|10|pinned
f->b|0|0|8|pinned
g->a|2|0|10|pinned
g->b|8|0|8|pinned" arcs
must "all released" "$cgview" pin --remove pin.db
same "all is as it was" "$(cat before)" arcs
same "nothing is left" "nothing is pinned" "$cgview" pin pin.db

# Held where it was estimated: nothing moves, and yet it is held.
there=$(sed -n 's/^f->a|\([0-9]*\)|.*/\1/p' before)
must "held where it is" "$cgview" pin pin.db "f->a=$there"
same "... is pinned, what has not moved is not" "$(sed '/^f->a/s/estimated/pinned/' before)" arcs
must "... and released" "$cgview" pin --remove pin.db
same "... estimated" "$(cat before)" arcs

must "f->b=0 by its line" "$cgview" pin --name 'only a' pin.db 'f:7->b=0'
must "one more run" "$cgview" record -F 0 -a -o pin.db -- ./pin
same "pins stay when a run is added" "only a: f:7->b=0" "$cgview" pin pin.db
same "... and decide its counts" "f->a|20|0|20|pinned
f->b|0|0|16|pinned
g->a|4|0|20|pinned
g->b|16|0|16|pinned" arcs

# Several at once: each either has its pin in the profile, or says that it was late.
must "nothing pinned" "$cgview" pin --remove pin.db
for n in 1 2 3 4 5 6; do
	{ "$cgview" pin --name "name $n" pin.db 'f->a=0' > /dev/null 2> late.$n; echo $? > status.$n; } &
done
wait
saved=$(grep -lx 0 status.? | wc -l)
late=$(grep -l 'was written by another program meanwhile' late.? | wc -l)
same "six at once: none is lost unsaid" "6" echo $((saved + late))
check "... and the profile is whole" [ "$(sqlite3 pin.db 'PRAGMA integrity_check')" = ok ]
