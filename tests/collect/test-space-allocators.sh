#!/bin/bash
# record --space of static programs, which are linked with the flag space, and of programs whose allocator is another one
# than libc's. What is expected stands in the programs (programs/space.c, space.cc), as in test-space.sh, and is the
# same for all. No sample of time is taken.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/space.c
must "compile without cgcc" gcc -O2 -w "$source" -o space.plain -pthread

columns=self_allocs,self_bytes,self_live,self_live_blocks
at() { value "SELECT ${2:-$columns} FROM line WHERE line = $(line_of "$1") AND $(of_source)"; }

# all_of NAME PROGRAM...: each mode of the program, started by PROGRAM
all_of()
{
	local name=$1 seed
	shift
	spaced "$@" known
	equal "$name: numbers, bytes, what is live" "0|100|104950|43180|40|2000|20010000|20000|1|50|350|0|0|" \
		"$status|$(at BLOCKS)|$(at GROWS)|$(at TEMPORARY)|$(notes)"
	spaced "$@" die
	equal "$name: killed" "137|100|104950|43180|40|2000|20010000|20000|1|50|350|0|0" \
		"$status|$(at BLOCKS)|$(at GROWS)|$(at TEMPORARY)"
	spaced "$@" kinds
	for place in CALLOC:1:300 ARRAY:1:40 ARRAY2:1:4000 MEMALIGN:1:100 ALIGNED:1:8192 POSIX:1:77 VALLOC:1:11 \
		PVALLOC:1:12 EMPTY:1:0 MAPPED:1:400000 MAPPED2:1:900000 SHRUNK:1:20 TOO_MUCH:0:0 \
		OVERFLOW:0:0 LIVES_ON:1:24 FAILS:0:0 ERRNO:1:33 SIZES:100:104950 SIZES2:100:105050; do
		IFS=: read -r mark nr bytes <<< "$place"
		[ "$nr|$bytes|0|0" = "$(at "$mark")" ] || equal "$name: $mark" "$nr|$bytes|0|0" "$(at "$mark")"
	done
	equal "$name: each of the allocators, and what goes wrong" "0 " "$status $(notes)"
	spaced "$@" library
	equal "$name: strdup" "${strdups:-20|120|30|5}" "$(at STRDUP)"
	equal "$name: asprintf and getline" "1|0|1|0" \
		"$(at ASPRINTF 'self_allocs > 0, self_live')|$(at GETLINE 'self_allocs > 0, self_live')"
	spaced "$@" wrappers
	equal "$name: wrappers" "10|100|100|10 10|200|200|10 10|300|300|10 " \
		"$(at JUMPS) $(at CHECKS) $(at INLINED) $(notes)"
	spaced "$@" threads
	equal "$name: 4 threads give back what others have got" "80000|2240000|256|" \
		"$(at HANDED self_allocs,self_bytes,self_live_blocks)|$(notes)"
	spaced "$@" churn
	equal "$name: 200 threads, one after the other" "200|1000|0|0" "$(at CHURN)"
	spaced "$@" processes 3
	equal "$name: children" "16|1600|1000|10 12|600|450|9" "$(at BOTH) $(at CHILD)"
	for seed in 1 2; do
		spaced "$@" random $seed
		equal "$name: at random, $seed" "$(cat out)" "$(for i in 0 1 2 3; do at RANDOM$i; done | tr '|' ',')"
	done
}

# objects_of NAME PROGRAM...: likewise of space.cc. In a static one the first exception may have made tables, which stay.
tables=0
objects_of()
{
	local name=$1 source=$top/tests/collect/programs/space.cc
	shift
	spaced "$@"
	equal "$name: the program" "0 550 20 1" "$status $(cat out)"
	equal "$name: new, new[], nothrow, and the exception of what fails" \
		"40|960|240|10 7|3500|0|0 1|24|24|1 1|1|" \
		"$(at NEW) $(at ARRAY) $(at NOTHROW) $(at FAILS "self_allocs > 0, self_live <= $tables")|$(notes)"
	equal "$name: the nodes of a map: 40 bytes each" "20|800|0" "$(value "SELECT self_allocs, self_bytes,
		self_live FROM procedure WHERE name LIKE 'std::%' AND self_bytes = 800")"
}

# like_plain NAME PROGRAM ARGUMENT...: what PROGRAM recorded with --space says and how it ends is what space.plain does
like_plain_spaced()
{
	local name=$1 program=$2 plain
	shift 2
	./space.plain "$@" > plain.out 2> plain.err < /dev/null
	plain=$?
	if [ $plain -ge 128 ]; then # its heap is broken: there is nothing to compare
		echo "# $name: without us it ends with status $plain"
		return
	fi
	spaced "$program" "$@"
	equal "$name" "$plain|$(cat plain.out)" "$status|$(cat out)"
} 2> /dev/null

# ---- linked into the program ----

for how in -static -static-pie '-static -O3 -flto' -O2 '-O3 -flto -fno-pie -no-pie'; do
	name=linked${how// /}
	if ! "$cgcc" -O2 -w --cgview-flags=space $how "$source" -o "$name" -pthread 2> linked.err; then
		echo "skip - $how: $(head -1 linked.err)"
		continue
	fi
	all_of "$how" "./$name"
	like_plain_spaced "$how: 8 bytes written behind a block" "./$name" writes 8
	equal "$how: ... are errors where the block is given back" "10|$(line_of GIVEN)" \
		"$(value "SELECT sum(count), max(line) FROM defect WHERE kind = 'overwritten'")"
	like_plain_spaced "$how: a block given back twice" "./$name" twice
	equal "$how: not recorded, and recorded without --space, it is as without" "0 bad|0|0 bad|0" \
		"$("./$name" kinds; rm -f cgview.*.raw)|$?|$("$cgview" record -F 0 -o no.db "./$name" kinds 2> err)|$(
			sqlite3 no.db "SELECT count(*) FROM measure WHERE name = 'allocs'")"
	rm -f no.db
done
spaced ./linked-O2 maps
equal "what has it needs no LD_PRELOAD" "not there not set" "$(cat out)"
spaced sh -c './linked-O2 known; exit 0'
equal "beside one that is preloaded: counted once" "100|104950|43180|40|2000|20010000|20000|1|" \
	"$(at BLOCKS)|$(at GROWS)|$(notes)"
for how in -static -O2; do
	name=objects$how
	if ! "$build/cgg++" -O2 -w --cgview-flags=space $how "$top/tests/collect/programs/space.cc" -o "$name" \
		2> linked.err; then
		echo "skip - C++ $how: $(head -1 linked.err)"
		continue
	fi
	[ $how = -static ] && tables=65536 || tables=0
	objects_of "C++ $how" "./$name"
	must "compile C++ with an operator new" "$build/cgg++" -O1 -w -DOWN --cgview-flags=space $how \
		"$top/tests/collect/programs/space.cc" -o own
	spaced ./own
	equal "C++ $how: the program's own operator new is called" "0 550 20 1" "$status $(cat out)"
done
cat > allocator.c <<-'END'
	#include <stddef.h>
	static char area[1 << 20];
	static size_t used;
	void *malloc(size_t n) { void *p = area + used; used += (n + 15) & ~(size_t)15; return p; }
	void free(void *p) { (void)p; }
	int main(void) { char *volatile p = malloc(10); *p = 1; return used == 0; }
END
must "compile an allocator with the flag" "$cgcc" -O1 -fno-builtin --cgview-flags=space allocator.c -o allocator
spaced ./allocator
equal "a program with an allocator of its own: a note says so" "0|1" \
	"$status|$(notes | grep -c 'it has an allocator of its own')"
# In the file that defines it calls go past the linker: 10 of malloc, 20 of free; those elsewhere are seen.
sed '/^	*int main/d' allocator.c > together.c
cat >> together.c <<-'END'
	size_t malloc_usable_size(void *p) { return p ? 112 : 0; }
	void *calloc(size_t n, size_t m) { return malloc(n * m); }
	void *realloc(void *p, size_t n) { return p ? NULL : malloc(n); }
	char *elsewhere(void);
	int main(void)
	{
		for (int i = 0; i < 10; i++) {
			char *volatile p = malloc(100), *volatile q = elsewhere();
			free(p);
			free(q);
		}
		free(calloc(1, 1));
		return 0;
	}
END
cat > elsewhere.c <<-'END'
	#include <stdlib.h>
	char *elsewhere(void) { return malloc(33); }
END
if "$cgcc" -O1 -w -fno-builtin -static --cgview-flags=space together.c elsewhere.c -o together 2> static.err; then
	spaced ./together
	equal "an allocator in the file of its callers: what is seen, and what is not is told of" \
		"0|10|330|calloc 1 free 21 malloc 10" \
		"$status|$(value "SELECT self_allocs, self_bytes FROM procedure WHERE name = 'elsewhere'")|$(
		notes | grep -o '[0-9]* calls\? of [a-z]* in the file defining it' | awk '{ print $4, $1 }' | sort | xargs)"
fi
if "$cgcc" -O1 -w -static "$source" -o static -pthread 2> static.err; then
	spaced ./static known
	equal "a static program without the flag is told what to do" "0|1" \
		"$status|$(grep -c '^cgview: --space: ./static is static: link it with cgcc --cgview-flags=space' err)"
	equal "... and a note tells whoever reads the profile" 1 "$(notes | grep -c 'must be linked with')"
fi

must "compile" "$cgcc" -O2 -w "$source" -o stripped -pthread -s
spaced ./stripped known
equal "of a stripped program the sum is known, and no call is said to be missing" "0|2150|20115300|0" \
	"$status|$(value "SELECT total FROM measure WHERE name IN ('allocs', 'bytes') ORDER BY id" | xargs | tr ' ' '|')|$(
		notes | grep -c 'are counted')"

# ---- other allocators ----

must "compile" "$cgcc" -O2 -w "$source" -o space -pthread
must "compile C++" "$build/cgg++" -O2 -w "$top/tests/collect/programs/space.cc" -o objects
must "compile C++ without cgcc" g++ -O2 -w "$top/tests/collect/programs/space.cc" -o objects.plain

# library NAME: where it is; empty: it is not installed
library() { ldconfig -p | sed -n "s|.*\($1[.0-9]*\) .*x86-64.* => \(.*\)|\2|p" | head -1; }

for allocator in libjemalloc.so:jemalloc libtcmalloc_minimal.so:tcmalloc_minimal libmimalloc.so:mimalloc; do
	path=$(library "${allocator%:*}") name=${allocator#*:}
	if [ ! -e "$path" ]; then
		echo "skip - $name: ${allocator%:*} is not installed"
		continue
	fi
	strdups=$(nm -D "$path" | sed -n 's/.* [TW] strdup$/0|0|0|0/p') # its own, which is not seen
	all_of "$name preloaded" env "LD_PRELOAD=$build/lib/cgview/libcgview_space.so:$path" ./space
	# What fails ends a program with mimalloc, whose operator new does not throw.
	if LD_PRELOAD=$path ./objects.plain > /dev/null 2>&1; then
		objects_of "$name preloaded, C++" env "LD_PRELOAD=$build/lib/cgview/libcgview_space.so:$path" ./objects
	fi
	export LD_PRELOAD=$path
	for arguments in 'writes 1' 'writes 8' 'random 3' 'threads'; do
		like_plain_spaced "$name: $arguments" ./space $arguments
	done
	# jemalloc has no pvalloc(): a program that gives back such a block crashes.
	[ $name = jemalloc ] || like_plain_spaced "$name: usable sizes, errors" ./space kinds
	for what in full zero middle odd; do
		./space.plain no_block $what > plain.out 2> plain.err < /dev/null
		plain=$?
		spaced ./space no_block $what
		equal "$name: what is no block is given back, $what: it ends as it would, and that is an error there" \
			"$plain|1|$(line_of NO_BLOCK)" "$status|$(value "SELECT count, line FROM defect")"
	done 2> /dev/null
	unset LD_PRELOAD
	if "$cgcc" -O2 -w "$source" -o linked -pthread "$path" 2> linked.err; then
		all_of "$name linked" ./linked
	fi
	if "$cgcc" -O2 -w -static --cgview-flags=space "$source" -o linked -pthread -l$name -lstdc++ -lm 2> linked.err; then
		all_of "$name linked statically" ./linked
	else
		echo "# $name is not there for static programs"
	fi
	archive=$(find /usr/lib/x86_64-linux-gnu -name "lib$name.a" 2> /dev/null | head -1)
	for flag in '' --cgview-flags=space; do
		[ -n "$archive" ] || break
		"$cgcc" -O2 -w $flag "$source" -o linked -pthread "$archive" -lstdc++ -lm 2> linked.err || break
		spaced ./linked known
		equal "$name, a part of a dynamic program $flag: told of, with what to do" "0|1" \
			"$status|$(notes | grep -c 'allocator of its own (one in a library.*linked into a program with -static')"
	done
done

# An allocator that calls malloc() and looks for symbols in its first call, and when it ends.
cat > odd.c <<-'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <stddef.h>
	#include <stdint.h>
	#include <stdlib.h>
	#include <string.h>
	static char area[64 << 20];
	static size_t used;
	static int ready;
	static void *first;
	static void begin(void) {
		ready = 1;
		first = malloc(100);
		dlsym(RTLD_DEFAULT, "no such name");
	}
	static void *take(size_t at, size_t n) {
		size_t begin = (used + 16 + at - 1) & ~(at - 1);
		if (n > sizeof(area) - begin) return NULL;
		used = begin + n;
		((size_t *)(area + begin))[-1] = n;
		return area + begin;
	}
	void *malloc(size_t n) { if (!ready) begin(); return take(16, n); }
	void *calloc(size_t n, size_t s) { if (!ready) begin(); return take(16, n * s); }
	void free(void *p) { if (p) ((size_t *)p)[-1] |= (size_t)1 << 62; }
	size_t malloc_usable_size(void *p) { return ((size_t *)p)[-1]; }
	void *realloc(void *p, size_t n) {
		void *q = malloc(n);
		if (p && q) memcpy(q, p, ((size_t *)p)[-1] < n ? ((size_t *)p)[-1] : n);
		return q;
	}
	static void __attribute__((destructor)) end(void) { free(malloc(10)); free(first); }
END
must "compile an odd allocator" gcc -O1 -w -fno-builtin -shared -fPIC odd.c -o odd.so
export LD_PRELOAD=$TMP_DIR/odd.so
spaced ./space known
unset LD_PRELOAD
equal "one that calls malloc and dlsym in its first call and when it ends" \
	"0|100|104950|43180|40|2000|20010000|20000|1|50|350|0|0" \
	"$status|$(at BLOCKS)|$(at GROWS)|$(at TEMPORARY)"
