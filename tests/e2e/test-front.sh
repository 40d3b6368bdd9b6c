#!/bin/bash
# cgcc as the compiler's front: which compiler it finds and asks, response files as gcc reads them, flags
# that are none. What is compiled counts, so that the plugin was found; objects are those of gcc.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
echo 'int main(void) { return 0; }' > small.c
mkdir bin

# counts NAME COMMAND...: makes small.s, which counts.
counts()
{
	local name=$1
	shift
	rm -f small.s
	check "$name" "$@"
	check "... and it counts" grep -q '%gs:' small.s
}
# refused STATUS NAME PATTERN COMMAND...: one line, which matches.
refused()
{
	local wanted=$1 name=$2 pattern=$3
	shift 3
	"$@" > out 2>&1
	check "$name: status $wanted" [ $? = "$wanted" ]
	check "... and one line" [ "$(wc -l < out)" = 1 ]
	check "... that tells why" grep -q "$pattern" out
}

# ---- the compiler ----

real=$(readlink -f "$(type -ap gcc | grep -v ccache | head -1)")
counts "a compiler by its path" env CGVIEW_CC="$real" "$cgcc" -S small.c -o small.s
printf '#!/bin/sh\nexec gcc "$@"\n' > bin/mine
chmod +x bin/mine
counts "a script, which is asked for its version" env CGVIEW_CC=bin/mine "$cgcc" -S small.c -o small.s
counts "... found by PATH" env PATH="$PWD/bin::$PATH" CGVIEW_CC=mine "$cgcc" -S small.c -o small.s
mkdir 'with blanks'
cp bin/mine 'with blanks/my gcc'
counts "a path with blanks" env CGVIEW_CC="$PWD/with blanks/my gcc" "$cgcc" -S small.c -o small.s
counts "a launcher, and blanks around it" env CGVIEW_CC=' env  gcc ' "$cgcc" -S small.c -o small.s
counts "a name that only looks like one with a version" bash -c 'exec -a cgcc-mine "$@"' bash \
	"$cgcc" -S small.c -o small.s
refused 1 "one that is not there" 'cannot run the compiler nowhere/gcc' \
	env CGVIEW_CC=nowhere/gcc "$cgcc" -c small.c
refused 1 "... by its name" 'cannot run the compiler nowhere-gcc' \
	env CGVIEW_CC=nowhere-gcc "$cgcc" -c small.c
refused 127 "... where nothing is compiled" 'cannot run nowhere-gcc' \
	env CGVIEW_CC=nowhere-gcc "$cgcc" --version
printf '#!/bin/sh\nexit 3\n' > bin/fails
printf '#!/bin/sh\nkill -9 $$\n' > bin/dies
chmod +x bin/fails bin/dies
refused 1 "one that fails when it is asked" 'cannot run the compiler' env CGVIEW_CC=bin/fails "$cgcc" -c small.c
"$cgcc" -c small.c -o small.o # so that there is one
refused 1 "one that dies when it is asked" 'cannot run the compiler' env CGVIEW_CC=bin/dies "$cgcc" -c small.c
cp bin/mine bin/aarch64-linux-gnu-gcc-12
ln -s aarch64-linux-gnu-gcc-12 bin/other-gcc
refused 1 "one for another machine" 'is not for x86-64, which alone is served' \
	env CGVIEW_CC=bin/other-gcc "$cgcc" -c small.c
cp bin/mine bin/x86_64-linux-gnu-gcc-"$(gcc -dumpversion)"
counts "one for this machine" env CGVIEW_CC="bin/x86_64-linux-gnu-gcc-$(gcc -dumpversion)" \
	"$cgcc" -S small.c -o small.s
for arguments in '-specs=/usr/lib/musl/musl-gcc.specs' '-specs /usr/lib/musl/musl-gcc.specs'; do
	refused 1 "another C library: ${arguments%% *}" 'only glibc is served' "$cgcc" $arguments small.c
done
cp "$build/cgcc" bin/cgcc
refused 1 "cgcc alone, without its parts" 'libcgview_rt.a is not beside' bin/cgcc -c small.c
check "... which behaves as gcc where it compiles nothing" [ "$(bin/cgcc -dumpversion)" = "$(gcc -dumpversion)" ]

# ---- response files: the same words as for gcc, which reads them with code of its own ----

mkdir 'a b' && cp small.c 'a b/it'\''s.c' && cp small.c 'q"x.c' && cp small.c 'back\slash.c'
n=0
for words in "'a b/it'\\''s.c'" '"a b/it'\''s.c"' 'a\ b/it\'\''s.c' 'q\"x.c' "'q\"x.c'" '"q\"x.c"' 'back\\slash.c' \
	'"back\\slash.c"' '"a b"/it\'\''s.c'; do
	n=$((n + 1))
	printf -- '-S\t%s\n\n -o\n' "$words" > "words$n"
	printf 'by-gcc.s' >> "words$n"
	rm -f by-gcc.s
	gcc "@words$n" > gcc.out 2>&1
	status=$?
	check "gcc knows what $words is" [ $status = 0 ]
	rm -f by-gcc.s
	check "response file with $words" "$cgcc" "@words$n"
	check "... counts" grep -q '%gs:' by-gcc.s
done
check "an option and its value in one word" "$cgcc" -S small.c -oin-one.s
check "... goes there" grep -q '%gs:' in-one.s

# ---- flags ----

for flag in of off=1 centres=1 targets= notargets=1 mode mode= mode=trees counters counters=GS joint joint=some exclude \
	exclude= =; do
	refused 2 "--cgview-flags=$flag" "unknown flag\|$flag" "$cgcc" "--cgview-flags=$flag" -c small.c
done
for flag in mode=tree mode=block counters=gs counters=plain counters=atomic joint=both joint=early joint=late \
	joint=none centres targets notargets 'targets=x*' 'exclude=x*' ,, ''; do
	check "--cgview-flags=$flag" "$cgcc" "--cgview-flags=$flag" -c small.c
done
# What is counted is the same, not the code: what tells the debugger where a variable is keeps blocks apart
# that only count.
cp "$here/programs/bases.c" .
# places_of FLAGS...: how many lists of places of variables what is compiled so has
places_of()
{
	"$cgcc" -O2 "$@" -c bases.c -o places.o || return
	readelf -WS places.o | grep -c ' \.debug_loc'
}
# lines_of FLAGS...: the count of each of its lines
lines_of()
{
	"$cgcc" -O2 "$@" -c bases.c -o lines.o && "$cgcc" lines.o -o lines && record lines.db ./lines
	report lines.db line | cut -d, -f1-3
}
check "without -g no places of variables" [ "$(places_of)" = 0 ]
lines_of > lines.without
check "... all lines" [ "$(wc -l < lines.without)" -gt 60 ]
for flag in -g -ggdb3 -gdwarf-4; do
	check "with $flag there are" [ "$(places_of $flag)" -gt 0 ]
	lines_of $flag > lines.with
	check "... the same counts" cmp lines.with lines.without
done
echo -g > asks
linked_places() { "$cgcc" -O2 "$@" -o linked && readelf -WS linked | grep -c ' \.debug_loc'; }
check "none in a program that is compiled and linked at once" [ "$(linked_places bases.c)" = 0 ]
check "... with -g there are" [ "$(linked_places -g bases.c)" -gt 0 ]
echo 'int other;' > other.c
gcc -c other.c
check "... and with objects, which may be of -flto" [ "$(linked_places bases.c other.o)" -gt 0 ]
check "... asked for in a response file, too" [ "$(places_of @asks)" -gt 0 ]
check "... and by the option itself" [ "$(places_of -fvar-tracking)" -gt 0 ]

check "off is gcc" sh -c '"$1" --cgview-flags=off -g0 -S small.c -o off.s && gcc -g0 -S small.c -o gcc.s && cmp off.s gcc.s' \
	sh "$cgcc"

# ---- source that is said to be preprocessed ----
# What is not: the errors are those of gcc, all of them, as with other errors.
cat > raw.c <<'END'
int before;
#include <stdio.h>
#define LOOP(i, n) for (int i = 0; i < (n); i++)
int f(int n) { int s = 0; LOOP(k, n) { s += k; } return s; }
int g(struct none n) { return n.x; }
int h(int) { return ZERO; }
END
printf '#define A 1\nint before; int f(int n) { return n + before; }\n' > right.c
for c in raw right; do
	for how in -O0 -O2 -g3; do
		gcc $how -fpreprocessed -x cpp-output -c $c.c > gcc.out 2>&1
		status=$?
		"$cgcc" $how -fpreprocessed -x cpp-output -c $c.c > out 2>&1
		check "$c.c $how as preprocessed source: gcc's status, $status" [ $? = $status ]
		check "... and its messages" cmp gcc.out out
	done
done
