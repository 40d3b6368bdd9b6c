#!/bin/bash
# record --space: who allocates. What is expected stands in the programs (programs/space.c, space.cc): numbers,
# bytes and what is never freed, at marked lines. No sample of time is taken.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/space.c
for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level -w "$source" -o "space-$level" -pthread
done
must "compile without cgcc" gcc -O2 -w "$source" -o space.plain -pthread

# at MARK [COLUMNS]: figures of the line with this mark
columns=self_allocs,self_bytes,self_live,self_live_blocks
at() { value "SELECT ${2:-$columns} FROM line WHERE line = $(line_of "$1") AND $(of_source)"; }
notes() { value "SELECT count(*) FROM note WHERE kind IN ('space', 'heap')"; }
note_like() { value "SELECT count(*) FROM note WHERE kind IN ('space', 'heap') AND text LIKE '$1'"; }

# errors MARK: kind, how often, and the expression of those at the line with this mark
errors()
{
	value "SELECT kind, count, line, column, end_column FROM defect WHERE tool = 'cgview' AND line = $(line_of "$1")" |
		while IFS='|' read -r kind count line column end; do
			echo "$kind|$count|$(sed -n "${line}p" "$source" | expand -t 1 | cut -c"$column-$end")"
		done
}
# made_at: how many stacks tell where blocks are from, and the expression of the last
made_at()
{
	value "SELECT count(*), line, column, end_column FROM defect_frame WHERE role = 'allocated'" |
		while IFS='|' read -r nr line column end; do
			echo "$nr:$(sed -n "${line}p" "$source" | expand -t 1 | cut -c"$column-$end")"
		done
}

# known NAME STATUS: of the program's mode "known"
known()
{
	equal "$1" "$2|100|104950|43180|40|2000|20010000|20000|1|50|350|0|0|0|0" \
		"$status|$(at BLOCKS)|$(at GROWS)|$(at TEMPORARY)|$(notes)|$(value 'SELECT count(*) FROM defect')"
}

for program in space-O0 space-O2; do
	spaced $program known
	known "$program: numbers, bytes, what is live" 0
	equal "$program: of the procedure, its ranges, its blocks, and all" "2150|20115300|63180|41
2150|20115300|63180|41
2150|20115300|63180|41
2150|20115300|63180|41" "$(value "SELECT $columns FROM procedure WHERE name = 'known'
		UNION ALL SELECT sum(self_allocs), sum(self_bytes), sum(self_live), sum(self_live_blocks) FROM range
		UNION ALL SELECT sum(self_allocs), sum(self_bytes), sum(self_live), sum(self_live_blocks) FROM block
		UNION ALL SELECT a.total, b.total, l.total, k.total FROM measure a, measure b, measure l, measure k
			WHERE a.name = 'allocs' AND b.name = 'bytes' AND l.name = 'live' AND k.name = 'live_blocks'")"
	spaced $program die
	known "$program: killed" 137
	spaced $program exec
	known "$program: after exec" 0

	spaced $program kinds
	equal "$program: all is as without" "0 0 bad" "$status $(cat out)"
	for place in CALLOC:1:300 ARRAY:1:40 ARRAY2:1:4000 MEMALIGN:1:100 ALIGNED:1:8192 POSIX:1:77 VALLOC:1:11 \
		PVALLOC:1:12 EMPTY:1:0 MAPPED:1:400000 MAPPED2:1:900000 SHRUNK:1:20 GONE:0:0 TOO_MUCH:0:0 \
		OVERFLOW:0:0 LIVES_ON:1:24 FAILS:0:0 ERRNO:1:33 SIZES:100:104950 SIZES2:100:105050; do
		IFS=: read -r mark nr bytes <<< "$place"
		equal "$program: $mark" "$nr|$bytes|0|0" "$(at $mark)"
	done
	equal "$program: each call of an allocator was seen" 0 "$(notes)"

	spaced $program library
	equal "$program: strdup" "20|120|30|5" "$(at STRDUP)"
	equal "$program: asprintf and getline" "1|0|1|0" \
		"$(at ASPRINTF 'self_allocs > 0, self_live')|$(at GETLINE 'self_allocs > 0, self_live')"
	spaced $program wrappers
	equal "$program: a call that could be a jump, one that is none, one that is inlined" \
		"10|100|100|10 10|200|200|10 10|300|300|10 0" "$(at JUMPS) $(at CHECKS) $(at INLINED) $(notes)"
	spaced $program threads
	equal "$program: 4 threads give back what others have got" "80000|2240000|256|0" \
		"$(at HANDED self_allocs,self_bytes,self_live_blocks)|$(notes)"
	python3 "$here/parts.py" run.db
	spaced $program churn
	equal "$program: 200 threads, one after the other" "200|1000|0|0" "$(at CHURN)"
	spaced $program processes 3
	equal "$program: children" "16|1600|1000|10 12|600|450|9" "$(at BOTH) $(at CHILD)"
	spaced $program processes 100
	equal "$program: children that go on in what others have left" "210|21000|20400|204 400|20000|15000|300" \
		"$(at BOTH) $(at CHILD)"
	for seed in 1 2 3; do
		spaced $program random $seed
		equal "$program: at random, $seed" "$(cat out)" "$(for i in 0 1 2 3; do at RANDOM$i; done | tr '|' ',')"
	done
	spaced $program sandbox
	equal "$program: a sandbox in which every call kills" "0|10|600|360|6|1|5|5|1" \
		"$status|$(at SHUT_IN)|$(at SHUT_IN2)"
done
ln -sf space-O2 space

# ---- what a program must not do ----

# like_plain_spaced NAME ARGUMENT...: output and status are those without us
like_plain_spaced()
{
	local name=$1 plain
	shift
	./space.plain "$@" > plain.out 2> plain.err < /dev/null
	plain=$?
	rm -rf raw
	mkdir raw
	CGVIEW_HZ=0 CGVIEW_SPACE=1 CGVIEW_OUT=$TMP_DIR/raw/r LD_PRELOAD=$build/lib/cgview/libcgview_space.so \
		./space "$@" > out 2> err < /dev/null
	status=$?
	if [ $status = $plain ] && cmp plain.out out && cmp plain.err err; then
		ok "$name"
	else
		echo "# plain: status $plain, $(head -c 300 plain.out plain.err)"
		echo "# with --space: status $status, $(head -c 300 out err)"
		not_ok "$name"
	fi
} 2> /dev/null

for behind in 1 8; do
	like_plain_spaced "$behind bytes written behind a block" writes $behind
	spaced space writes $behind
	equal "... is an error where the block is given back" "10|160|160|10|overwritten|10|free(p)|1" \
		"$(at OVERWRITTEN)|$(errors GIVEN)|$(note_like '10 of the pointers %')"
done
# overwrites NAME ARGUMENT...: like_plain_spaced, where libc does not notice it; glibc 2.43 ends such a program.
overwrites()
{
	local name=$1
	shift
	./space.plain "$@" > plain.out 2> plain.err < /dev/null
	if [ $? = 134 ]; then
		echo "skip - $name: libc ends the program ($(head -c 100 plain.err))"
		return 1
	fi
	like_plain_spaced "$name" "$@"
} 2> /dev/null
overwrites "24 bytes written, over what libc has there" writes 24
libc=$?
spaced space writes 24
equal "... nobody knows if that is a block" "no-record|$((libc ? 1 : 10))|free(p)" "$(errors GIVEN)"
overwrites "written behind a large block" writes_long
spaced space writes_long
equal "... of which the record still tells whose it is" "overwritten|1|realloc(p, 1)|1:malloc(2008)" \
	"$(errors RESIZED)|$(made_at)"
like_plain_spaced "a block given back twice" twice
spaced space twice
equal "... and whose it was" "double-free|1|free(p)|1:malloc(40)" "$(errors TWICE)|$(made_at)"
like_plain_spaced "a large block given back twice" twice_mapped
spaced space twice_mapped
equal "... is counted before the program ends" "double-free|1|free(p)" "$(errors UNMAPPED)"
for no_address in 0 1; do
	for handled in 0 1; do
		for call in WILD WILD_RESIZED; do
			how="$no_address $([ $call = WILD ] && echo 0 || echo 1) $handled"
			like_plain_spaced "what is nowhere given to free or realloc ($how)" wild $how
			spaced space wild $how
			equal "... is counted before the program gets the signal ($how)" "invalid-free|1" \
				"$(errors $call | cut -d'|' -f 1,2)"
		done
	done
done
like_plain_spaced "blocks that a handler lets be used" barriers
spaced space barriers
equal "... are blocks; what the handler does to errno lasts" "3 1|41|0|0" "$(cat out)|$(value "SELECT (SELECT total FROM measure
	WHERE name = 'allocs'), (SELECT total FROM measure WHERE name = 'live'), (SELECT count(*) FROM defect)")"
like_plain_spaced "a block at the end of libc's heap given back twice" twice_at_end
spaced space twice_at_end
equal "... is counted, and nothing is read where nothing is" "no-record|1|free(p)" "$(errors AT_END)"
like_plain_spaced "all of the pages of pvalloc() written" fills_pages
spaced space fills_pages
equal "... is no error" "9|45000|0|0|0" "$(at PAGES)|$(value "SELECT count(*) FROM defect")"
like_plain_spaced "by a child for the second time" twice_in_child
spaced space twice_in_child
equal "... and whose that was" "double-free|1|free(p)|1:malloc(100)" "$(errors CHILDS)|$(made_at)"
# What is handed out before anything is counted has no record, and is no error, as long as it is known.
cat > early.c <<-'END'
	#include <malloc.h>
	#include <stdlib.h>
	static void *ones[NR];
	static void make(void)
	{
		free(malloc(100));
		for (int i = 0; i < NR; i++)
			ones[i] = realloc(malloc(10), 16 + i * 40);
	}
	__attribute__((section(".preinit_array"), used)) static void (*before)(void) = make;
	int main(void)
	{
		volatile char *p = malloc(16);

		for (int i = 0; i < NR; i++) {
			if (malloc_usable_size(ones[i]) < 16 + i * 40)
				return 1;
			free(i % 2 ? ones[i] : realloc(ones[i], 9));
		}
		p[16]++;
		free((void *)p);
		return 0;
	}
END
for nr in 200 400; do
	must "compile a program with $nr blocks before all else" "$cgcc" -DNR=$nr -O1 -w early.c -o early
	spaced early
	equal "$nr blocks of before the counting" "0|$((nr / 2 + 1))|$([ $nr = 200 ] && echo "1|1|21" || echo "0||")" \
		"$status|$(value "SELECT sum(self_allocs) FROM procedure")|$(value "SELECT count(*), sum(count), min(line)
			FROM defect")"
done
# One of 4,096 words of 0 has a record's checksum: with 200 of them at other addresses in each run that was one of 20 runs.
must "compile a program with 200 blocks before all else" "$cgcc" -DNR=200 -O1 -w early.c -o early
runs=0
while [ $runs -lt 200 ] && CGVIEW_HZ=0 CGVIEW_SPACE=1 CGVIEW_OUT=$TMP_DIR/early.raw \
	LD_PRELOAD=$build/lib/cgview/libcgview_space.so ./early; do
	runs=$((runs + 1))
	rm -f early.raw*
done
equal "... two hundred times" 200 $runs
for what in full large zero middle odd; do
	like_plain_spaced "what is no block is given back: $what" no_block $what
	spaced space no_block $what
	kind=no-record
	[ $what = odd ] && kind=invalid-free
	equal "... is an error there" "$kind|1|free(p)" "$(errors NO_BLOCK)"
done

# ---- the law ----

cat > unused.cc <<-'END'
	#include <cstdlib>
	int main()
	{
		for (int i = 0; i < 20; i++)
			free(malloc(33));
		char *p = new char[7];
		delete[] p;
	}
END
must "compile blocks that are not needed" "$build/cgg++" -O2 unused.cc -o unused
spaced unused
leaves="allocations and failures were seen there; gcc leaves out a block that the program can do without"
equal "calls of which gcc has made nothing are told of" \
	"unused.cc:5: 20 calls of malloc are counted, 0 $leaves|unused.cc:6: 1 call of operator new[] is counted, 0 $leaves" \
	"$(value "SELECT text FROM note WHERE kind = 'space'" | sed -E 's|.*/unused|unused|; s/:[0-9]+: /: /' | paste -sd '|')"

# ---- totals of call sites ----

cat > sites.c <<-'END'
	#include <stdlib.h>
	#include <string.h>
	static void *keep[1000];
	static int n;
	static void *xmalloc(size_t s)
	{
		void *p = malloc(s);
		if (!p)
			abort();
		return p;
	}
	static void *inner(int k) { return keep[n++] = xmalloc(10 + k); }
	static void work(int k)
	{
		inner(k);
		inner(k);
		keep[n++] = strdup("abc");
		keep[n++] = malloc(100);
	}
	int main(void)
	{
		for (int i = 0; i < 10; i++)
			work(i);
		for (int i = 0; i < 5; i++)
			free(keep[i]);
		return 0;
	}
END
sites()
{
	sqlite3 -separator : "$1" "SELECT s.line, s.target, s.total_allocs, s.total_bytes, s.total_freed FROM call_site s
		ORDER BY s.line, s.column" | xargs
}
# Their own blocks, too: 2 times 10 + ... + 19 bytes below inner(), 4 and 100 of strdup and malloc.
expected="7:malloc:0:0:0 9:abort:0:0:0 12:xmalloc:20:290:0 15:inner:10:145:0 16:inner:10:145:0 17:strdup:10:40:0"
expected="$expected 18:malloc:10:1000:0 23:work:40:1330:0 25:free:0:0:135"
law="SELECT count(*) FROM procedure p WHERE total_bytes <> self_bytes +
	(SELECT sum(total_bytes - self_bytes) FROM call_site WHERE procedure = p.id)"
for level in O0 O2; do
	must "compile calls of allocators at -$level" "$cgcc" -$level -w sites.c -o sites
	spaced sites
	equal "-$level: a call's total has its own blocks" "$expected" "$(sites run.db)"
	equal "-$level: of a procedure: its own and those below its calls" 0 "$(value "$law")"
done
cp run.db one.db
must "record -a of it" "$cgview" record -F 0 --space -a -o one.db ./sites
equal "two runs" "$(python3 -c "
import sys
print(*(':'.join(s.split(':')[:2] + [str(2 * int(n)) for n in s.split(':')[2:]]) for s in sys.argv[1].split()))
" "$expected")" "$(sites one.db)"
equal "one of them" "$(value "SELECT total_bytes FROM call_site ORDER BY id" | xargs)" "$("$cgview" report --by site --runs 2 \
	--format csv --columns line,total_bytes --sort file one.db | tr -d '\r' | tail -n +2 | cut -d, -f2 | xargs)"

# ---- C++ ----

source=$top/tests/collect/programs/space.cc
for level in O0 O2; do
	must "compile C++ at -$level" "$build/cgg++" -$level -w "$source" -o "objects-$level"
	spaced "objects-$level"
	equal "C++ -$level: the program" "0 550 20 1" "$status $(cat out)"
	equal "C++ -$level: new, new[], nothrow, and the exception of what fails" \
		"40|960|240|10 7|3500|0|0 1|24|24|1 1|0" \
		"$(at NEW) $(at ARRAY) $(at NOTHROW) $(at FAILS self_allocs,self_live)"
	equal "C++ -$level: each call of operator new was seen" 0 "$(notes)"
	equal "C++ -$level: the nodes of a map: 40 bytes each" "20|800|0" "$(value "SELECT self_allocs, self_bytes,
		self_live FROM procedure WHERE name LIKE 'std::%' AND self_bytes = 800")"
done
must "compile C++ with an operator new" "$build/cgg++" -O1 -w -DOWN "$source" -o objects-own
spaced objects-own
equal "the program's own operator new is called, for whoever says new" "0 550 20 1|0|40|4960" \
	"$status $(cat out)|$(at OWN self_allocs)|$(at NEW self_allocs,self_bytes)"

# ---- libraries that come and go ----

for which in 1 2; do
	cat > library$which.c <<-END
		#include <stdlib.h>
		void *volatile kept[100];
		void work(int n) {
			for (int i = 0; i < n; i++) kept[i] = malloc(10 * $which + i);
			free(kept[0]);
		}
	END
	must "compile a library" "$cgcc" -O2 -fPIC -shared library$which.c -o library$which.so
done
cat > opens.c <<-'END'
	#include <dlfcn.h>
	int main(int argc, char **argv) {
		for (int k = 1; k < argc; k++) {
			void *h = dlopen(argv[k], RTLD_NOW);
			((void (*)(int))dlsym(h, "work"))(10 + k);
			dlclose(h);
		}
		return 0;
	}
END
must "compile what opens them" gcc -O1 opens.c -o opens -ldl
spaced opens ./library1.so ./library2.so ./library1.so ./library2.so
# 11 and 13 blocks from 10 on, 12 and 14 from 20 on; the first of each is given back.
equal "libraries that stand where another one stood" "0|24|373|353|22 26|677|637|24" "$status|$(value "SELECT $columns
	FROM line WHERE self_allocs AND file IN (SELECT id FROM file WHERE path LIKE '%/library_.c') ORDER BY self_allocs" |
	xargs)"

# ---- columns, adding up, comparing ----

source=$top/tests/collect/programs/space.c
spaced space known
man=$(python3 "$top/tests/db/man.py" "$top/man/cgview-db.5" run.db)
equal "cgview-db(5) describes the table of disposals" 1 "$(grep -c '^ok - columns of disposal$' <<< "$man")"
equal "exact, in bytes" "allocs|1|count|sum bytes|1|bytes|sum live|1|bytes|sum live_blocks|1|count|sum slack|1|bytes|sum peak|1|bytes|sum freed|1|bytes|sum temporaries|1|count|sum copied|1|bytes|sum at_exit|1|bytes|sum" \
	"$(value "SELECT name, exact, unit, combine FROM measure
		WHERE id > 6" | xargs)"
equal "report" "known,2150,20115300,63180,41" "$("$cgview" report --format csv --sort self_bytes \
	--columns procedure,$columns run.db | tr -d '\r' | sed -n 2p)"
cp run.db one.db
spaced space processes 3
"$cgview" diff --format csv --by procedure -e 'b.live - a.live' one.db run.db | tr -d '\r' > diff.csv
equal "diff" "get 1000 known -63180 processes 450" "$(python3 -c '
import csv, sys
rows = csv.DictReader(open("diff.csv"))
print(*sorted("%s %s" % (r["procedure"], r["value"]) for r in rows if r["value"] != "0"))' 2>&1)"
must "record -a" "$cgview" record -F 0 --space -a -o one.db ./space known
equal "record -a adds up" "4300|40230600|126360|82" \
	"$(sqlite3 one.db "SELECT $columns FROM procedure WHERE name = 'known'")"

# ---- without, and where it cannot be ----

rm -f run.db*
"$cgview" record -F 0 -o run.db ./space maps > out 2> err
equal "without --space: no library, no table" "not there not set|0" \
	"$(cat out)|$(value "SELECT count(*) FROM measure WHERE name = 'allocs'")"
spaced space maps
equal "with it" "there set" "$(cat out)"
if gcc -w "$source" -o sanitized -fsanitize=address -pthread 2> sanitized.err; then
	"$cgview" record --space -o no.db ./sanitized > out 2> err
	equal "a sanitizer is refused" "2|1" "$?|$(grep -c 'sanitizer, whose allocator must come first' err)"
else
	echo "skip - a sanitizer: $(head -1 sanitized.err)"
fi
mkdir alone
cp "$cgview" alone/
alone/cgview record --space -o no.db ./space > out 2> err
equal "no library" "1|1" "$?|$(grep -c 'libcgview_space.so is not beside' err)"
rm -f run.db*
"$cgview" record -F 0 --space -o run.db env -u LD_PRELOAD ./space known > out 2> err
equal "LD_PRELOAD gets lost: a note says so" "1|0" "$(note_like 'allocations of %space-O2 are not counted%')|$(
	value "SELECT count(*) FROM measure WHERE name = 'allocs'")"
equal "and record prints it" 1 "$(grep -c '^cgview: allocations of .*space-O2 are not counted: ' err)"

# A program whose runtime is of another release than the library: what it says to the library comes by way of this,
# which tells of a version that is the next or the one before.
cat > release.c <<-'END'
	#define _GNU_SOURCE
	#include <dlfcn.h>
	#include <stdint.h>
	#include <string.h>
	#include "collect/runtime/space_host.h"

	__attribute__((visibility("default"))) space_attach_function __cgview_space_attach;
	enum raw_space_state
	__cgview_space_attach(const struct space_host *host, struct space_guest *guest)
	{
		static struct space_host other;
		space_attach_function *next = (space_attach_function *)dlsym(RTLD_NEXT, SPACE_ATTACH);

		memcpy(&other, host, sizeof(other));
		other.version += RELEASE;
		return next(&other, guest);
	}
END
for release in -1 0 1; do
	must "compile what is of release $release" \
		gcc -shared -fPIC -DRELEASE="$release" -I"$top/src" -o release.so release.c
	rm -rf raw run.db*
	mkdir raw
	CGVIEW_HZ=0 CGVIEW_SPACE=1 CGVIEW_OUT=$TMP_DIR/raw/r \
		LD_PRELOAD=$TMP_DIR/release.so:$build/lib/cgview/libcgview_space.so ./space known > out 2> err < /dev/null
	status=$?
	"$cgview" import -o run.db raw/*.raw > out 2> err
	equal "a program of release $release: a line says what to do" "0|$((release != 0))|$((release == 0))" \
		"$status|$(grep -c '^cgview: allocations of .* of another release .*; build it anew' err)|$(
		value "SELECT count(*) FROM measure WHERE name = 'allocs'")"
done
cat > allocator.c <<-'END'
	#include <stddef.h>
	static char area[1 << 20];
	static size_t used;
	void *malloc(size_t n) { void *p = area + used; used += (n + 15) & ~(size_t)15; return p; }
	void free(void *p) { (void)p; }
	int main(void) { char *volatile p = malloc(10); *p = 1; return used == 0; }
END
must "compile an allocator" "$cgcc" -O1 -fno-builtin allocator.c -o allocator
spaced allocator
equal "a program with an allocator of its own: a note says so" "0|1" \
	"$status|$(note_like '%it has an allocator of its own (one in a library, -ljemalloc or LD_PRELOAD, is counted%')"
if "$cgcc" -O1 -w -static "$source" -o space-static -pthread 2> static.err; then
	spaced space-static known
	equal "a static program: a note says so" "0|1" "$status|$(note_like '%libcgview_space.so was not loaded%')"
else
	echo "skip - a static program: $(head -1 static.err)"
fi
