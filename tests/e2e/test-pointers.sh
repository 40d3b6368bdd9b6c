#!/bin/bash
# What narrows down whom calls through pointers reach (addresses that are only handed out, constant
# tables, types) never excludes the truth: programs note it themselves, with code that is not
# profiled, and as targets do.
. tests/e2e/lib.sh
need_collection
need python3 sqlite3
cd "$TMP_DIR" || exit
cp "$here"/programs/pointers/* .
cp main.c main.cc
# What is not noted is solved, which is tested here.
export CGVIEW_FLAGS=notargets
gcc -O2 -c note.c || exit

inside() # inside NAME DB TRUTH
{
	check "$1: the truth is within the intervals" python3 "$here/pointers.py" "$2" "$3"
}
# build NAME COMPILER MAIN OPTION...: an executable NAME
build()
{
	local name=$1 compiler=$2 main=$3
	shift 3
	must "$name compiles" "$build/$compiler" "$@" -c "$main" -o main.o
	must "$name compiles" "$cgcc" "$@" -c other.c -o other.o
	must "$name links" "$build/$compiler" "$@" -o "$name" main.o other.o note.o -pthread
}
# run NAME: NAME.db, NAME.truth; the program's own truth
run()
{
	must "$1 runs" "$cgview" record -o "$1.db" -- sh -c "./$1 > $1.truth"
	inside "$1" "$1.db" "$1.truth"
}
# noted NAME ...: as build; the truth noted by the runtime
noted()
{
	build "$@" --cgview-flags=targets
	must "$1 runs" env CGVIEW_OUT=raw "./$1"
	check "$1: what targets note is within the intervals" judge
	rm -f raw.*
}
judge() # the last column is the number of arcs whose truth is outside
{
	"$build/truth" raw.*.raw > judged || return 1
	cat judged
	awk '{ arcs += $2; wrong += $6 } END { exit !arcs || wrong }' judged
}

build plain cgcc main.c -O2
run plain
build unoptimised cgcc main.c -O0
run unoptimised
build linked cgcc main.c -O3 -flto
run linked
build unprototyped cgcc main.c -O1 -std=gnu17 -DUNPROTOTYPED
run unprototyped
build cxx cgg++ main.cc -O2
run cxx
if [ -x "$build/truth" ]; then
	noted noted cgcc main.c -O2
	noted noted-lto cgcc main.c -O2 -flto
	noted noted-unprototyped cgcc main.c -O0 -std=gnu17 -DUNPROTOTYPED
	noted noted-cxx cgg++ main.cc -O2
else
	echo "skip - what targets note: build/truth was not built"
fi

# That it does narrow down.
line() { grep -n "$1" main.c | cut -d: -f1; }
python3 "$here/pointers.py" plain.db plain.truth --arcs > arcs
has() # has NAME LINE-OF-ARCS
{
	check "$1" grep -qx "$2 *" arcs
}
candidates() # candidates NAME LINE CALLEES
{
	check "$1" test "$(awk -v line="$2" '$2 == line { print $1 }' arcs | xargs)" = "$3"
}
has "a static procedure that atexit() is given once" "at_end $(line 'atexit(at_end);') solved 1 1 through"
# A pointer of the type is called once, and can have reached it.
has "a start routine of one of two calls: no more threads than it was executed" \
	"in_threads $(line 'pthread_create(&t, NULL, in_threads' | head -1) estimated 2 3 through"
has "... and the other one's" "in_threads $(line 'pthread_create(&t, NULL, in_threads' | tail -1) estimated 0 1 through"
candidates "a constant table" "$(line 'constant\[i % 3')" "one two"
candidates "a constant table of aliases" "$(line 'aliased\[i % 2')" "five four"
candidates "a table that changes: all of the type" "$(line 'changing\[i % 2')" \
	"eight far_one far_two five four many nothing on_action on_first on_second one three two"
for level in plain unoptimised linked cxx; do
	source=main.c
	[ $level != cxx ] || source=main.cc
	python3 "$here/pointers.py" $level.db $level.truth --arcs > arcs
	candidates "$level: a variable that is stored once" "$(line 'next_six(n)')" "one"
	candidates "$level: ... the value of another one" "$(line 'next_seven(n)')" "six"
	candidates "$level: a variable with two values" "$(line 'either(i)')" "far_two two"
	candidates "$level: a variable that is never stored" "$(line 'from_begin(i)')" "one"
	candidates "$level: a library's procedure, and no other" "$(line 'from_library(i)')" ""
	candidates "$level: a variable in a procedure" "$(line 'inside(3)')" "two"
	candidates "$level: what a procedure that is not counted stores by its name" "$(line 'named_there(5)')" "three"
	candidates "$level: NULL or a procedure" "$(line 'kept_local(4)')" "two"
	candidates "$level: a thread's variable" "$(line 'by_thread(2)')" "far_one two"
	for open in 'escaped(i)' 'forgotten(i)' 'by_assembly(4)' 'sink += top(i)'; do
		check "$level: what else is stored in a variable is not overlooked: $open" \
			test "$(awk -v line="$(line "$open")" '$2 == line' arcs | wc -l)" -gt 7
	done
done
check "what was handed out at a call that was not executed does not come through it" \
	test "$(awk '$1 == "by_idle" && $6 == "through"' arcs | wc -l)" = 1

# A program has its own table in the place of a library's.
cat > library.c << 'EOF'
#include "note.h"
typedef int (*fn)(int);
static int lib_one(int n) { CALLED; return n + 1; }
static int lib_two(int n) { CALLED; return n + 2; }
extern const fn table[2];
const fn table[2] = { lib_one, lib_two };
int use(int n);
int use(int n) { HERE; return table[n & 1](n); }
EOF
cat > program.c << 'EOF'
#include "note.h"
typedef int (*fn)(int);
static int own_one(int n) { CALLED; return n + 1; }
static int own_two(int n) { CALLED; return n + 2; }
extern const fn table[2];
const fn table[2] = { own_one, own_two };
int use(int n);
int main(void) { int n = use(1) + use(2) + use(4); note_print(); return !n; }
EOF
must "a library compiles" "$cgcc" -O2 -fPIC -shared -o libtable.so library.c
must "its program compiles" "$cgcc" -O2 -rdynamic -o replaced program.c note.o -L. -ltable -Wl,-rpath,"$PWD"
run replaced
check "the program's table is used" grep -q own_two replaced.truth

# What a stack proves: a frame right below a call through a pointer is that of a call, unless another
# procedure jumped there.
bounds() # bounds DB CALLEE: how often call_first() called it, from the arcs
{
	"$cgview" report --by arc --columns caller,callee,count,lo,hi --format csv "$1" | tr -d '\r' |
		sed -n "s/^call_first,$2,//p"
}
for flags in -O2 "-O2 -flto" -O0; do
	must "seen $flags" "$cgcc" $flags -DJUMP=0 -o seen "$here/programs/seen-calls.c"
	must "seen $flags" "$cgview" record -o seen.db -- ./seen
	check "$flags: a stack proves a call" test "$(bounds seen.db slow)" = 1,1,1
	must "jump $flags" "$cgcc" $flags -DJUMP=1 -o jump "$here/programs/seen-calls.c"
	must "jump $flags" "$cgview" record -o jump.db -- ./jump
	check "$flags: ... and not one of what was jumped to" sh -c "
		case '$(bounds jump.db slow)' in '' | 0,0,*) ;; *) exit 1 ;; esac"
done

# A unit of nothing but data takes addresses, too.
echo 'int one(int), two(int); int (*table[])(int) = { one, two };' > data.c
cat > user.c << 'END'
extern int (*table[])(int);
int one(int n) { return n + 1; }
int two(int n) { return n + 2; }
int main(void) { int n = 0; for (int i = 0; i < 30; i++) n += table[i % 2](i); return n == 0; }
END
must "a table of its own" "$cgcc" -O2 -o data data.c user.c
must "a table of its own" "$cgview" record -F 0 -o data.db -- ./data
"$cgview" report --by arc --columns caller,callee,count --format csv data.db | tr -d '\r' | sort > data.arcs
printf '%s\n' main,one,15 main,two,15 > expected
check "procedures named in a unit without code can be called" \
	sh -c 'grep ^main data.arcs | grep -v outside | diff - expected'

# A public procedure is handed out at one place: so all calls from outside came through it, if nobody else can name it.
cat > public.c << 'EOF'
#include <pthread.h>
#include <stdlib.h>
void *worker(void *n);
int by_value(const void *a, const void *b);
int by_other(const void *a, const void *b);
extern int (*const kept)(const void *, const void *);
void *worker(void *n) { ++*(int *)n; return n; }
int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int by_other(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
int main(void)
{
	int v[5] = { 3, 1, 5, 4, 2 }, key = 7;
	size_t nr = 5;
	pthread_t t;
	for (int i = 0; i < 3; i++) {
		pthread_create(&t, NULL, worker, &v[i]);
		pthread_join(t, NULL);
	}
	lfind(&key, v, &nr, sizeof(*v), by_value);
	lfind(&key, v, &nr, sizeof(*v), by_other);
	return !kept;
}
EOF
sed -i '1i #include <search.h>' public.c
echo 'int by_other(const void *, const void *);
extern int (*const kept)(const void *, const void *);
int (*const kept)(const void *, const void *) = by_other;' > kept.c
echo 'int foreign(void); int foreign(void) { return 1; }' > foreign.c
gcc -c foreign.c || exit
through() # through NAME WANTED OPTION...: how the calls of worker, by_value and by_other by code outside are known
{
	local name=$1 wanted=$2
	shift 2
	must "$name compiles" "$cgcc" -O2 public.c kept.c "$@" -o public -pthread
	must "$name runs" "$cgview" record -F 0 -o public.db -- ./public	# a sample in the kernel would be a row, too
	tr ' ' '\n' <<< "$wanted" > public.wanted
	sqlite3 -separator : public.db "SELECT p.name, a.how, a.count, a.lo, a.hi FROM arc a
		JOIN procedure p ON p.id = a.callee WHERE a.through IS NOT NULL ORDER BY p.id" > public.arcs 2>&1
	check "$name" diff public.wanted public.arcs
}
exact="worker:solved:3:3:3 by_value:solved:5:5:5 by_other:estimated:5:0:5"
open="worker:estimated:3:0:3 by_value:estimated:5:0:5 by_other:estimated:5:0:5"
through "public procedures that are handed out are exact, but one whose address is kept" "$exact"
through "... with targets" "$exact" --cgview-flags=targets
through "... with -flto" "$exact" -flto
through "not if libraries may name them" "$open" -rdynamic
through "not if there is code that was not compiled by cgcc" "$open" foreign.o
