#!/bin/bash
# record --space: blocks of pools (alloc= and free= of cgcc). What is expected is written here by hand, from the numbers
# in programs/pools.c and pools.cc. No sample of time is taken.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/pools.c

# at NAME: blocks and bytes of a pool that are asked for on that line, bytes left, blocks of malloc()
at() { value "SELECT self_pool_allocs, self_pool_bytes, self_pool_left, self_allocs FROM line WHERE line = $(line_of "$1") AND $(of_source)"; }
# lines NAME < MARKS AND FIGURES
lines()
{
	local mark figures
	while read -r mark figures; do
		equal "$1: $mark" "$figures" "$(at "$mark")"
	done
}
# law NAME CALLS: what was seen at calls of pools' procedures is how often they were called; in so many places (those in
# wrappers have none, nor those of which all fail)
law()
{
	equal "$1: each call was seen" "" "$(notes)"
	equal "$1: calls with blocks; of these with others than are counted" "$2|0" "$(value "SELECT count(*), sum(count <>
		self_pool_allocs) FROM call_site WHERE self_pool_allocs > 0 AND target IN ('arena_alloc', 'arena_calloc',
		'arena_grow', 'slab_get', 'stack_copy', '_ZN4pool4takeEm', '_ZN4pool8new_nodeEv')")"
}

flags=alloc=arena_alloc:2,alloc=arena_calloc:2:3,alloc=arena_grow:4,free=arena_grow:2,free=arena_reset
flags+=,alloc=slab_get,free=slab_put:2,alloc=stack_copy:3,free=stack_free,alloc=_obstack_newchunk:2
for level in O0 O2 'O3 -flto' 'O2 -static --cgview-flags=space'; do
	name=pools-${level//[ =]/}
	must "compile at -$level" "$cgcc" -$level -w --cgview-flags=$flags "$source" -o "$name" -pthread
	spaced "$name" arena
	lines "-$level, arena" <<- 'END'
		ARENA 10|55|55|0
		CALLOC 7|2800|2800|0
		WRAPPED 3|153|153|0
		IN_WRAPPER 0|0|0|0
		INSIDE 0|0|0|0
		INLINED 2|200|200|0
		PAIR 5|80|80|0
		LAST 4|192|192|0
		TWO 2|8|8|0
		GROW 6|2100|600|0
		FAILS 0|0|0|0
		CHUNK 0|0|0|2
	END
	law "-$level, arena" 7
	equal "-$level: totals, and of the heap: apart" "39|5588|4088|2|$((2 * (65536 + 8)))|2" "$(value "SELECT (SELECT total
		FROM measure WHERE name = 'pool_allocs'), (SELECT total FROM measure WHERE name = 'pool_bytes'), (SELECT total
		FROM measure WHERE name = 'pool_left'), a.n, a.bytes, (SELECT sum(live_blocks) FROM
		allocation WHERE pool IS NULL) FROM (SELECT sum(self_allocs) AS n, sum(self_bytes) AS bytes FROM procedure
			WHERE name <> '(unprofiled)') a")" # a static libc may want some for itself
	equal "-$level: types" "struct pair" "$(value "SELECT type FROM call_site WHERE line = $(line_of PAIR)")"
	spaced "$name" reset
	lines "-$level, a pool that is emptied" <<- 'END'
		ARENA 10|55|0|0
		CALLOC 7|2800|0|0
		PAIR 5|80|0|0
		TWO 2|8|5|0
		ANEW 3|3000|3000|0
	END
	spaced "$name" slab
	lines "-$level, blocks that are given back" <<- 'END'
		SLAB 20|960|384|0
		AGAIN 5|240|240|0
	END
	law "-$level, slab" 2
	spaced "$name" obstack
	equal "-$level: an obstack: chunks, as the program counts them" "$(cat out)" \
		"$(value "SELECT sum(self_allocs) FROM line WHERE line <> $(line_of SAYS)")"
	lines "-$level, an obstack" <<- 'END'
		COPY 1000|10500|10500|0
		MACRO 9|900|0|9
	END
	spaced "$name" obstack free
	lines "-$level, one that is given back" <<< "COPY 1000|10500|0|0"
	spaced "$name" many
	lines "-$level, many" <<< "MANY 100000|800000|0|0"
	spaced "$name" threads
	lines "-$level, threads and a child of fork" <<- 'END'
		WORK 4000|192000|48000|0
		BEFORE_FORK 1|10|10|0
	END
	equal "-$level, threads: each call was seen" "0|" "$status|$(notes)"
	"$cgview" record -F 0 -o plain.db "./$name" arena > out 2> err
	equal "-$level: without --space: as ever" "0|0" \
		"$?|$(sqlite3 plain.db "SELECT count(*) FROM measure WHERE name LIKE 'pool%'")"
done

must "compile without free=" "$cgcc" -O2 -w --cgview-flags=alloc=arena_alloc:2,alloc=slab_get "$source" -o no-free -pthread
spaced no-free arena
equal "what gives back is not named: what is left is not known" "39|1" "$(value "SELECT (SELECT total FROM measure WHERE
	name = 'pool_allocs'), (SELECT count(*) = 2 FROM measure WHERE name LIKE 'pool%')")"
equal "what only hands on its blocks is a wrapper of it" "7|2800" \
	"$(value "SELECT self_pool_allocs, self_pool_bytes FROM line WHERE line = $(line_of CALLOC)")"
equal "-, in the report" "allocations of pools" "$("$cgview" report --by site --columns procedure,total_pool_allocs \
	--format csv run.db > report; grep -c '^use_arena,10' report > rows; value "SELECT title FROM measure WHERE
	name = 'pool_allocs'")"
equal "-, its rows" 1 "$(cat rows)"

must "C++" "$top/build/cgg++" -O2 -w --cgview-flags=alloc=take:2,alloc=new_node "$top/tests/collect/programs/pools.cc" -o pools-cc
source=$top/tests/collect/programs/pools.cc
spaced pools-cc
equal "C++, a procedure that throws; one that returns objects" "11|264 65|65000" "$(value "SELECT self_pool_allocs,
	self_pool_bytes FROM line WHERE line IN ($(line_of TAKE), $(line_of NODE)) ORDER BY 1" | xargs)"
equal "C++: status; the call that threw was counted, and brought none" "0|66" \
	"$status|$(value "SELECT count FROM call_site WHERE line = $(line_of TAKE) AND target LIKE '%take%'")"

for wrong in alloc= free= alloc=:2 alloc=x:0 alloc=x:y alloc=x:1:2:3 free=x:1:2:3 alloc=x: alloc=x:1000; do
	equal "$wrong: refused" 2 "$("$cgcc" --cgview-flags="$wrong" -c "$source" > /dev/null 2> err; echo $?)"
	equal "$wrong: one line" 1 "$(wc -l < err)"
done
printf 'void *get(int a, int b); void *f(void) { return get(1, 2); }\n' > which.c
equal "which argument it is must be said" 1 "$("$cgcc" -c --cgview-flags=alloc=get which.c 2>&1 | grep -c 'alloc=get:NUMBER')"
equal "-, or is said by an attribute" 0 "$(sed 's/^void/__attribute__((alloc_size(2))) void/' which.c > said.c
	"$cgcc" -Werror -c --cgview-flags=alloc=get said.c > err 2>&1 || cat err | wc -l; wc -l < err)"
