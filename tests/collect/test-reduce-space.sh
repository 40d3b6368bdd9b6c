#!/bin/bash
# reduce of processes whose allocations were counted: what each call has got, of which type, who gave it back, is in the
# sum what import of all raw profiles has. Figures by hand are those of test-space-producers and test-space-pools.
. tests/collect/space-lib.sh
helpers=$top/tests/collect/reduce
programs=$top/tests/collect/programs
unset CGVIEW_RANK PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID MV2_COMM_WORLD_RANK

# counted SPACE OUT COMMAND...: a raw profile OUT.*.raw; no time, as it differs by rounding, and no call paths
counted()
{
	local space=$1 out=$2
	shift 2
	CGVIEW_HZ=0 CGVIEW_SPACE=$space CGVIEW_OUT=$out LD_PRELOAD=$build/lib/cgview/libcgview_space.so "$@" > /dev/null 2>&1
}
import() { "$cgview" import -o "$@" 2> err || { sed 's/^/# /' err; return 1; }; }
# same_rows NAME A B: of A.db and B.db, in the order that merge gives them
same_rows()
{
	"$cgview" merge -o "$2.merged" "$2.db" 2> /dev/null
	"$cgview" merge -o "$3.merged" "$3.db" 2> /dev/null
	check "$1" python3 "$helpers/same_rows.py" "$2.merged" "$3.merged" space
	rm -f ./*.merged
}
# added DB: the notes about allocations
added() { sqlite3 "$1" "SELECT text FROM note WHERE kind IN ('space', 'heap')"; }
expected()
{
	echo "allocations of $1 processes were added up: when their memory was live, their peaks, and call paths are in no sum"
}

# ---- wrappers, threads, children, one that is killed ----

source=$programs/producers.c
must "compile" "$cgcc" -O2 -w --cgview-flags=wrapper=by_option "$source" -o p -pthread
number=0
for mode in wrappers dies threads recursion totals wrappers totals other threads wrappers; do
	counted 2 r$((number += 1)) ./p $mode
done 2> /dev/null
equal "a raw profile for each process" 10 "$(ls r*.raw | wc -l)"
import all.db r*.raw
"$cgview" reduce --keep 3 -o flat.sum r*.raw
for seed in 1 2 3; do
	python3 "$helpers/tree.py" "$cgview" $seed tree.sum r*.raw
	check "tree $seed: the same bytes" cmp flat.sum tree.sum
done
import kept.db flat.sum
same_rows "import of the sum is import of all raw files, row by row" all kept
"$cgview" reduce --keep none -o none.sum r*.raw
import none.db none.sum
same_rows "... as one run" all none
"$cgview" reduce -o some.sum $(ls r*.raw | head -4)
import mixed.db some.sum $(ls r*.raw | tail -6)
same_rows "... a sum and raw files together" all mixed
equal "no call was seen another number of times than it was counted" "$(expected 10)" "$(added none.db)"
db=none.db
at() { value "SELECT self_allocs, self_bytes, self_live FROM line WHERE line = $(line_of "$1") AND $(of_source)"; }
# By hand: four of them did what wrappers does, one before it was killed; two the work of 8000 blocks.
equal "four times what one has got" "40|400|240 12|1200|1200 32|1600|1600 8|48|48" \
	"$(at XMALLOC) $(at XMALLOC2) $(at ATTRIBUTE) $(at XSTRDUP)"
equal "... of its type" "12|192" "$(value "SELECT sum(a.blocks), sum(a.bytes) FROM allocation a
	JOIN call_site s ON s.id = a.site WHERE s.type = 'struct node'")"
equal "... by threads and a child of fork, twice" "16000|256000|64000" "$(at WORK)"
equal "... what is below main is all" "$(value "SELECT total FROM measure WHERE name = 'bytes'")" \
	"$(value "SELECT total_bytes FROM procedure WHERE name = 'main'")"
equal "there is no peak" 0 "$(value "SELECT count(*) FROM measure WHERE name = 'peak'")"
"$cgview" report --by producer none.db > report
check "... and no column for it" [ "$(grep -cw peak report)$(grep -cw live report)" = 01 ]
"$cgview" bands none.db > out 2> err
equal "bands says that there are none" "1|1" "$?|$(grep -c 'no memory over time' err)"

# ---- processes of which some were not counted ----

for i in 1 2; do
	CGVIEW_HZ=0 CGVIEW_SPACE=2 CGVIEW_OUT=n$i ./p totals > /dev/null 2>&1
	counted 2 m$i ./p totals
done
"$cgview" reduce --keep none -o less.sum n*.raw m*.raw
import less.db less.sum
import lessall.db n*.raw m*.raw
same_rows "two of four were not counted: row by row" lessall less
equal "... which is said" "$(expected 2)|allocations of 2 processes of $PWD/p are not counted" \
	"$(added less.db | sed -n '/added up/p')|$(added less.db | sed -n 's/: libcgview.*//p')"

# ---- an interval ----

cat > goes_on.c << 'END'
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept;
static void get(int n) { while (n--) kept = malloc(10); }
int main(void)
{
	get(3);
	for (int i = 0; access("go", F_OK) && i < 3000; i++)
		usleep(10000);
	get(4);
	return 0;
}
END
must "compile what goes on" "$cgcc" -O1 -w goes_on.c -o goes_on
counted 2 x ./goes_on &
for i in $(seq 300); do
	"$cgview" reduce -o early.sum x.*.raw 2> /dev/null && import early.db early.sum && db=early.db &&
		[ "$(value "SELECT ifnull(sum(blocks), 0) FROM allocation" 2> /dev/null)" = 3 ] && break
	sleep 0.1
done
: > go
wait
"$cgview" reduce --since early.sum -o interval.sum x.*.raw
import interval.db interval.sum
db=interval.db
equal "an interval has the counts, and says that allocations are left out" "4|1|0" "$(value "SELECT
	(SELECT sum(count) FROM call_site WHERE target = 'malloc'),
	(SELECT count(*) FROM note WHERE text LIKE 'allocations were counted in 1 of%left out%'),
	(SELECT count(*) FROM measure WHERE name = 'allocs')")"

# ---- lifetimes in time, pools ----

source=$programs/pools.c
flags=alloc=arena_alloc:2,alloc=arena_calloc:2:3,alloc=arena_grow:4,free=arena_grow:2,free=arena_reset
flags+=,alloc=slab_get,free=slab_put:2,alloc=stack_copy:3,free=stack_free,alloc=_obstack_newchunk:2
must "compile pools" "$cgcc" -O2 -w --cgview-flags=$flags "$source" -o pools -pthread
for mode in arena reset arena threads slab; do
	CGVIEW_RUN=0:0:0:0:2:2:$PWD/q$((number += 1)) LD_PRELOAD=$build/lib/cgview/libcgview_space.so ./pools $mode > /dev/null
done
import poolall.db q*.raw
"$cgview" reduce --keep 1 -o pool.sum q*.raw
import pool.db pool.sum
same_rows "pools, and lifetimes in time: row by row" poolall pool
db=pool.db
equal "... with their blocks, twice and after a reset" "30|165|110" "$(value "SELECT self_pool_allocs, self_pool_bytes,
	self_pool_left FROM line WHERE line = $(line_of ARENA) AND $(of_source)")"
check "... and the most that was there" [ "$(value "SELECT total FROM measure WHERE name = 'pool_peak'")" -gt 0 ]
equal "... which is that of all raw files" "$(sqlite3 poolall.db "SELECT total FROM measure WHERE name = 'pool_peak'")" \
	"$(value "SELECT total FROM measure WHERE name = 'pool_peak'")"
check "... lifetimes in ns" [ "$(value 'SELECT sum(most_ns) FROM disposal')" -gt 0 ]
"$cgview" reduce --keep none -o one.sum q*.raw
check "sums that were made so are refused or read" python3 "$helpers/hostile.py" "$cgview" one.sum 20
