#!/bin/bash
# Time in libraries and in the kernel has rows of its own: compared with what the program reads from its
# own clock around each phase, of which it is known by construction whose code takes the time.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit
programs=$top/tests/collect/programs

must "the library" gcc -O1 -fno-optimize-sibling-calls -shared -fPIC "$programs/foreign-library.c" \
	-o libplain-2.1.so
must "the program" "$cgcc" -O2 "$programs/foreign.c" -o foreign ./libplain-2.1.so -Wl,-rpath,"$PWD"

value() { sqlite3 "$1" "$2"; }
# own NAME: in ms; the whole in self and in own times.
whole() { value "$1" "SELECT sum(self_ns) = sum(own_ns) AND sum(self_samples) = sum(own_samples)
	AND sum(self_wait_ns) = sum(own_wait_ns) AND sum(self_ns) > 0 AND NOT EXISTS
	(SELECT 1 FROM procedure WHERE is_foreign AND self_ns > 0) FROM procedure"; }

# The shares that the program tells, and those of rows: each phase's time is by construction in one of
# them, or in two.
cat > shares.py <<'X2'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
told = {n: float(s) for n, s in (l.split() for l in open(sys.argv[2]))}
all_ns = db.execute("SELECT sum(self_ns) FROM procedure").fetchone()[0]
own = dict(db.execute("SELECT name, sum(own_ns) FROM procedure GROUP BY name"))
total = dict(db.execute("SELECT name, sum(total_ns) FROM procedure GROUP BY name"))
whole = sum(told.values())
samples = db.execute("SELECT sum(self_samples) FROM procedure").fetchone()[0]
bad = False
def compare(what, got, phases):
    global bad
    want = sum(told[p] for p in phases) / whole
    got = got / all_ns
    chance = 4 * (want * (1 - want) / samples) ** .5 + 0.02
    far = abs(got - want) > chance
    bad |= far
    print(f"{'far off: ' if far else ''}{what} {100 * got:.1f} % instead of {100 * want:.1f} %")
compare("memcmp", own.get("memcmp (libc)", 0), ["in_memcmp"])
compare("read", own.get("read (kernel)", 0), ["in_read", "in_library_read"])
compare("plain_work", own.get("plain_work (libplain)", 0), ["in_library", "in_pointer"])
compare("itself", own.get("in_itself", 0), ["in_itself"])
compare("callbacks", own.get("plain_each (libplain)", 0) + own.get("step", 0), ["in_callback"])
compare("plain_each", total.get("plain_each (libplain)", 0), ["in_callback"])
compare("qsort", total.get("qsort (libc)", 0), ["in_qsort"])
compare("plain_read", total.get("plain_read (libplain)", 0), ["in_library_read"])
compare("qsort and compare", own.get("qsort (libc)", 0) + own.get("compare", 0), ["in_qsort"])
sys.exit(bad)
X2
for try in 1 2 3 4; do
	record foreign.db ./foreign 0.3
	python3 shares.py foreign.db record.out > table && break
done
sed 's/^/# /' table
check "own times are where the program spent them" python3 shares.py foreign.db record.out
check "own times make the whole, as self times do" [ "$(whole foreign.db)" = 1 ]

# Who called: exact where a name says it, and its time.
arc() { value foreign.db "SELECT how, count, arc.total_ns > 0 FROM arc
	JOIN procedure e ON e.id = callee JOIN procedure r ON r.id = caller
	WHERE r.name = '$1' AND e.name = '$2'"; }
executed() { value foreign.db "SELECT calls FROM procedure WHERE name = '$1'"; }
is() { [ "$2" = "$3" ] && ok "$1" || { echo "$2 instead of $3"; not_ok "$1"; }; }
is "calls of memcmp" "$(arc in_memcmp 'memcmp (libc)')" "solved|$(executed in_memcmp)|1"
is "calls of memcmp, the row" "$(executed 'memcmp (libc)')" "$(executed in_memcmp)"
# The C library's read() may leave it to another function of its own to enter the kernel.
case $(arc in_read 'read (kernel)') in
sampled*) reads=$(arc in_read 'read (libc)' | sed 's/|[01]$/|1/') ;;
*) reads=$(arc in_read 'read (kernel)') ;;
esac
is "calls of read" "${reads:-none}" "solved|$((20 * $(executed in_read)))|1"
is "calls of the library" "$(arc in_library 'plain_work (libplain)')" \
	"solved|$(executed in_library)|1"
is "calls through a pointer are not known by name" "$(arc in_pointer 'plain_work (libplain)')" \
	"sampled|0|1"
is "a read within the library" "$(arc in_library_read 'read (kernel)')" "sampled|0|1"
is "... leads through the library, below it in stacks" "$(value foreign.db "SELECT group_concat(DISTINCT p.name), (SELECT
	group_concat(s.target) FROM arc a JOIN call_site s ON s.id = a.through WHERE a.callee = k.id AND s.target LIKE 'plain%')
	FROM context c JOIN procedure k ON k.id = c.procedure JOIN context u ON u.id = c.parent
	JOIN procedure p ON p.id = u.procedure WHERE k.name = 'read (kernel)' AND p.name LIKE 'plain%'")" \
	"plain_read (libplain)|plain_read"
is "... and callees of its caller have the time once" "$(value foreign.db "SELECT count(*) FROM arc a
	JOIN procedure e ON e.id = a.callee JOIN procedure r ON r.id = a.caller
	WHERE r.name = 'in_library_read' AND e.name LIKE '%(kernel)' AND a.site IS NOT NULL")" 0
is "calls from several ways" "$(executed 'plain_work (libplain)')" 0
is "callbacks are called through the library" "$(value foreign.db "SELECT arc.count > 0, arc.total_ns > 0
	FROM arc JOIN procedure e ON e.id = callee JOIN call_site s ON s.id = through
	WHERE e.name = 'step' AND s.target = 'plain_each'")" "1|1"
is "calls that are not known have no text" "$("$cgview" report --by arc --format csv \
	--columns count,lo,hi,how --caller in_pointer --callee 'plain_work (libplain)' foreign.db |
	tail -n 1 | tr -d '\r')" ",,,sampled"
"$cgview" report --format text --columns procedure,calls foreign.db > text
check "nor on the screen" grep -q '^plain_work (libplain) *-$' text
is "the sum of calls is that of profiled code" "$(value foreign.db "SELECT sum(calls) FROM procedure
	WHERE NOT is_foreign")" "$(tail -n 1 text | awk '{ print $NF }' | tr -d ,)"
# For each limit: the rows above it, without those of libraries, and the line "(N more)" add up to the last line.
# What was seen in the dynamic linker only has no library in its name.
nameless=$(value foreign.db "SELECT name FROM procedure WHERE is_foreign AND name NOT LIKE '%)'")
for limit in $(seq $(($(value foreign.db "SELECT count(*) FROM procedure") - 1))); do
	"$cgview" report --columns procedure,calls --limit "$limit" foreign.db | tr -d , |
		awk -v limit="$limit" -v names="$nameless" '
		BEGIN { split(names, list); for (i in list) foreign[list[i]] = 1 }
		$NF ~ /^[0-9]+$/ && !/^[^ ]+ \(/ && !($1 in foreign) { last = $NF; sum += $NF }
		END { if (sum != 2 * last) print limit ": " sum - last " of " last }'
done > unlike
is "the calls of rows that are left out, likewise" "" "$(cat unlike)"
is "by own time" "$("$cgview" report --self own --format csv --columns procedure,own_ns foreign.db |
	sed -n 2p | tr -d '\r')" "$(value foreign.db "SELECT name || ',' || own_ns FROM procedure
	ORDER BY own_ns DESC LIMIT 1")"
check "in the tree" sh -c "'$cgview' report --by tree foreign.db | grep -q 'plain_each (libplain)'"
is "operators are no callees" "$(value foreign.db "SELECT count(*) FROM call_site
	WHERE target LIKE '\\_\\_atomic%' ESCAPE '\\'")" 0

# When the library is another file by now, its symbols and code are not believed: what call sites name
# stays, the rest is the library's.
CGVIEW_OUT=$PWD/raw ./foreign 0.1 > /dev/null
must "import" "$cgview" import -o before.db raw*.raw
mv libplain-2.1.so away.so && cp away.so libplain-2.1.so
must "import" "$cgview" import -o behind.db raw*.raw
mv away.so libplain-2.1.so
# (A sample in the stub that jumps to the library is of no library.)
names() { value "$1" "SELECT group_concat(name, ' and ') FROM (SELECT name FROM procedure
	WHERE is_foreign AND name LIKE '%(libplain)' AND name NOT LIKE 'plain_read %' ORDER BY name)"; }
is "names in a library" "$(names before.db)" "plain_each (libplain) and plain_work (libplain)"
is "names in another library" "$(names behind.db)" \
	"(libplain) and plain_each (libplain) and plain_work (libplain)"
check "they lose no time" [ "$(whole behind.db)" = 1 ]
# Waiting.
for try in 1 2 3; do
	record_options=--wall record wait.db ./foreign 0.01 300
	[ "$(value wait.db "SELECT own_wait_ns > 200000000 AND self_wait_ns = 0 FROM procedure
		WHERE name = 'poll (kernel)'")" = 1 ] && break
done
is "waiting is the kernel's" "$(value wait.db "SELECT own_wait_ns > 200000000, self_wait_ns FROM procedure
	WHERE name = 'poll (kernel)'")" "1|0"
is "and in the self time of its caller" "$(value wait.db "SELECT self_wait_ns > 200000000,
	own_wait_ns < 20000000 FROM procedure WHERE name = 'main'")" "1|1"
check "own waiting makes the whole" [ "$(whole wait.db)" = 1 ]

# Adding up, parts of it, and comparing.
record other.db ./foreign 0.1
must "merge" "$cgview" merge -o merged.db foreign.db other.db
is "merged rows" "$(value merged.db "SELECT own_ns FROM procedure WHERE name = 'memcmp (libc)'")" \
	"$(($(value foreign.db "SELECT own_ns FROM procedure WHERE name = 'memcmp (libc)'") +
	$(value other.db "SELECT own_ns FROM procedure WHERE name = 'memcmp (libc)'")))"
is "merged calls" "$(value merged.db "SELECT calls FROM procedure WHERE name = 'memcmp (libc)'")" \
	"$(value merged.db "SELECT calls FROM procedure WHERE name = 'in_memcmp'")"
check "merged own times make the whole" [ "$(whole merged.db)" = 1 ]
is "one run of two" "$("$cgview" report --runs 1 --format csv --columns procedure,calls merged.db |
	grep 'memcmp (libc)' | tr -d '\r')" "memcmp (libc),$(executed in_memcmp)"
check "compared" sh -c "'$cgview' diff -e 'b.total_ns - a.total_ns' foreign.db other.db |
	grep -q 'memcmp (libc)'"

# What stands in the program's place of a library's function, and passes the call on, is no row: the
# runtime has to know of each dlclose().
cat > opens.c <<'X'
#include <dlfcn.h>
int main(void)
{
	for (int i = 0; i < 1000; i++)
		dlclose(dlopen("./libplain-2.1.so", RTLD_NOW));
	return 0;
}
X
must "compile opens.c" "$cgcc" -O2 opens.c -o opens -ldl
for try in 1 2 3 4 5; do
	record_options="-F 5000" record opens.db ./opens
	closes=$(value opens.db "SELECT group_concat(name) FROM procedure WHERE name LIKE 'dlclose (%'")
	[ "$closes" ] && break
done
is "a call that is passed on is the library's" "$closes" "dlclose (libc)"

# C++: rows and calls have names as in the source, symbols stay as they are in data.
cat > news.cc <<'X'
#include <cstdlib>
static long *volatile last;
int main(int, char **argv)
{
	for (long i = atol(argv[1]); i > 0; i--) {
		last = new long(i);
		delete last;
	}
}
X
if command -v g++ > /dev/null; then
	must "compile news.cc" "$build/cgg++" -O2 -o news news.cc
	for try in 1 2 3 4 5; do
		record news.db ./news 20000000
		[ "$(value news.db "SELECT count(*) FROM procedure WHERE name LIKE
			'operator new(unsigned long) (%)' AND linkage_name = '_Znwm'")" = 1 ] && break
	done
	check "a row of libstdc++ has its name" [ "$try" -lt 5 ]
	is "no row shows a symbol" "$(value news.db "SELECT count(*) FROM procedure WHERE name LIKE '\\_Z%'
		ESCAPE '\\'")" 0
	record_options="-F 0" record news.db ./news 5
	check "so have calls that were not sampled" sh -c "'$cgview' report --by arc news.db |
		grep -qF 'operator delete(void*, unsigned long) (outside)'"
	check "their symbols are data" sh -c "'$cgview' report --by arc --format csv --columns target news.db | grep -q _ZdlPvm"
fi
