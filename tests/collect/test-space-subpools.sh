#!/bin/bash
# record --space: pools that end with others (pool= of cgcc), stacks (free= with two arguments), what there was at the peak,
# report --by pool, patterns that name nothing. What is expected is counted by hand in programs/subpools.c and pools.c. No
# sample of time is taken.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/subpools.c
line_of() { grep -nE "/\* $1(:.*)? \*/$" "$source" | cut -d: -f1; }

# lines NAME < MARKS AND FIGURES: blocks, bytes, bytes left, bytes at the peak
lines()
{
	local mark figures
	while read -r mark figures; do
		equal "$1: $mark" "$figures" "$(value "SELECT self_pool_allocs, self_pool_bytes, self_pool_left,
			self_pool_peak FROM line WHERE line = $(line_of "$mark")")"
	done
	equal "$1: nothing to note" "" "$(notes)"
}

# adds_up NAME: what stands twice in a profile
adds_up()
{
	equal "$1: rows of pools add up to procedures" 0 "$(value "SELECT count(*) FROM procedure p LEFT JOIN (SELECT procedure,
		sum(blocks) AS b, sum(bytes) AS n, sum(live_bytes) AS l, sum(peak_bytes) AS k, sum(freed_bytes) AS f FROM
		allocation WHERE pool IS NOT NULL GROUP BY 1) a ON a.procedure = p.id WHERE (self_pool_allocs, self_pool_bytes,
		self_pool_left, self_pool_peak, self_pool_freed) IS NOT (ifnull(b, 0), ifnull(n, 0), ifnull(l, 0), ifnull(k, 0),
		ifnull(f, 0))")"
	equal "$1: what was given out was given back, or is left" 0 "$(value "SELECT count(*) FROM (SELECT sum(blocks -
		freed_blocks - live_blocks) AS b, sum(bytes - freed_bytes - live_bytes) AS n FROM allocation WHERE pool IS NOT
		NULL GROUP BY site, procedure) WHERE b <> 0 OR n <> 0")"
	[ "$(value 'SELECT count(*) FROM part')" = 1 ] || python3 "$top/tests/e2e/parts.py" run.db
}

peaks()
{
	lines "$1" <<- END
		EARLY $((10 * $2))|$((1000 * $2))|0|0
		STAYS $((5 * $2))|$((500 * $2))|$((500 * $2))|$((500 * $2))
		PEAK $((7 * $2))|$((700 * $2))|0|$((700 * $2))
		LESS $((6 * $2))|$((600 * $2))|$((600 * $2))|0
		MORE $((9 * $2))|$((9 * $2))|$((9 * $2))|0
	END
}

flags=alloc=pool_alloc:2,free=pool_clear,pool=pool_create:2:1,pool=pool_new:2
flags+=,alloc=tree_alloc:2,alloc=tree_realloc:3,free=tree_realloc:2,free=tree_free
flags+=,pool=tree_alloc,pool=tree_realloc,pool=tree_steal:1,alloc=stack_push:2,free=stack_pop:2:1
for level in O0 O2 'O3 -flto' 'O2 -static --cgview-flags=space'; do
	name=subpools-${level//[ =]/}
	must "compile at -$level" "$cgcc" -$level -w --cgview-flags=$flags "$source" -o "$name"
	spaced "$name" pools
	lines "-$level, pools in pools" <<- 'END'
		ROOT 10|1000|0|1000
		CHILD 20|200|0|200
		GRANDCHILD 30|210|0|210
		OTHER 5|200|200|200
		AGAIN 3|180|0|0
		LEFT 2|66|66|0
	END
	adds_up "-$level, pools in pools"
	spaced "$name" tree
	lines "-$level, blocks that are pools" <<- 'END'
		TOP 1|1000|1000|1000
		A 1|10|0|0
		B 1|20|0|20
		IN_A 4|400|0|400
		IN_B 4|200|0|200
		IN_LAST 1|5|5|5
		GROWN 1|30|0|30
		KEPT 1|3|3|0
	END
	adds_up "-$level, blocks that are pools"
	spaced "$name" deep
	lines "-$level, a block in a block in a block" <<- 'END'
		TOP2 1|1000|0|1000
		DEEP 2000|16000|0|16000
		APART 1|9|9|9
	END
	spaced "$name" stack
	lines "-$level, stacks" <<- 'END'
		FIRST 3000|30000|20000|30000
		SECOND 3000|3000|0|3000
		LATER 4|400|400|0
		LAST 1|2|2|0
	END
	adds_up "-$level, stacks"
	spaced "$name" peaks
	peaks "-$level, peaks" 1
	spaced "$name" killed
	equal "-$level: killed" 137 "$status"
	peaks "-$level, killed" 1
	spaced "$name" children 300
	peaks "-$level, 300 children" 300
	adds_up "-$level, 300 children"
done

# ---- talloc, apr: as cgcc(1) says, with what they say of themselves ----

# flags_of NAME: the flags that the manual names for it
flags_of() { sed -n "/^For $1/,/^\.Ed/p" "$top/man/cgcc.1" | sed '/^\.Bd/,/^\.Ed/!d; /^\./d' | tr -d '\n'; }
# MARK PROGRAM: as lines(), of a program that is here
here() { source=$TMP_DIR/$2 lines "$1"; }

cat > hierarchy.c <<-'END'
	#include <stdio.h>
	#include <talloc.h>
	struct s { char text[40]; };
	static void *volatile sink;
	int main(void)
	{
		void *top = talloc_new(NULL);
		struct s *a = talloc(top, struct s); /* A */
		struct s *b = talloc_zero(top, struct s); /* B */
		char **v = talloc_array(a, char *, 10); /* V */
		for (int i = 0; i < 10; i++)
			v[i] = talloc_size(v, 7); /* IN_V */
		sink = talloc_size(b, 5); /* STOLEN */
		talloc_steal(top, sink);
		v = talloc_realloc(a, v, char *, 1000); /* GROWN */
		for (int i = 0; i < 3; i++)
			sink = talloc_size(b, 100); /* IN_B */
		talloc_free(b);
		printf("%zu\n", talloc_total_size(top));
		talloc_free(a);
		printf("%zu\n", talloc_total_size(top));
		return 0;
	}
END
# Most is there with all of it but V: 40 + 40 + 70 + 5 + 8000 + 300.
if "$cgcc" -O2 -w --cgview-flags="$(flags_of talloc)" hierarchy.c -o hierarchy -ltalloc 2> err; then
	spaced hierarchy
	here talloc hierarchy.c <<- 'END'
		A 1|40|0|40
		B 1|40|0|40
		V 1|80|0|0
		IN_V 10|70|0|70
		STOLEN 1|5|5|5
		GROWN 1|8000|0|8000
		IN_B 3|300|0|300
	END
	adds_up talloc
	equal "talloc: what it says is there in the end" "$(tail -1 out)" "$(value "SELECT total FROM measure WHERE name = 'pool_left'")"
else
	echo "skip - talloc: $(head -1 err)"
fi
cat > pools-in-pools.c <<-'END'
	#include <apr_general.h>
	#include <apr_pools.h>
	static void *volatile sink;
	int main(void)
	{
		apr_pool_t *root, *sub, *each, *gone;
		apr_initialize();
		apr_pool_create(&root, NULL);
		apr_pool_create(&sub, root);
		apr_pool_create(&each, sub);
		for (int i = 0; i < 100; i++) {
			apr_pool_clear(each);
			sink = apr_palloc(each, 10); /* EACH */
			sink = apr_pcalloc(sub, 20); /* SUB */
		}
		sink = apr_palloc(root, 1000); /* ROOT */
		apr_pool_destroy(sub);
		apr_pool_create(&sub, root);
		sink = apr_palloc(sub, 3); /* ANEW */
		apr_pool_create(&gone, root);
		sink = apr_palloc(gone, 77); /* GONE */
		apr_pool_clear(root);
		sink = apr_palloc(root, 55); /* AFTER */
		return 0;
	}
END
if "$cgcc" -O2 -w -I/usr/include/apr-1.0 --cgview-flags="$(flags_of apr)" pools-in-pools.c -o pools-in-pools -lapr-1 2> err; then
	spaced pools-in-pools
	here apr pools-in-pools.c <<- 'END'
		EACH 100|1000|0|10
		SUB 100|2000|0|2000
		ROOT 1|1000|0|1000
		ANEW 1|3|0|0
		GONE 1|77|0|0
		AFTER 1|55|55|0
	END
	adds_up apr
else
	echo "skip - apr: $(head -1 err)"
fi

# ---- the listing ----

source=$top/tests/collect/programs/subpools.c
must "compile" "$cgcc" -O2 -w --cgview-flags=$flags "$source" -o subpools
spaced subpools peaks
cp run.db one.db
csv() { "$cgview" report --by pool --format csv --columns "$1" "${@:2}" "${db:-one.db}" | tr -d '\r' | tail -n +2 | xargs; }
equal "report --by pool" "pool_alloc,$(line_of EARLY),10,1000,0,0,0,10,1000 pool_alloc,$(line_of PEAK),7,700,0,0,700,7,700 $(
	)pool_alloc,$(line_of LESS),6,600,6,600,0,0,0 pool_alloc,$(line_of STAYS),5,500,5,500,500,0,0 $(
	)pool_alloc,$(line_of MORE),9,9,9,9,0,0,0" \
	"$(csv pool,line,blocks,bytes,left_blocks,left,peak,freed_blocks,freed)"
equal "-, json has the same" "$(csv line,bytes)" "$("$cgview" report --by pool --format json --columns line,bytes one.db |
	python3 -c 'import json, sys; print(*("%d,%d" % (r["line"], r["bytes"]) for r in json.load(sys.stdin)["rows"]))')"
"$cgview" report --by pool one.db > text
equal "-, as text: rows, sums" "1|1" "$(grep -c ' pool_alloc .*use_peaks ' text | sed 's/^5$/1/')|$(
	grep -c '^ *37 .*5 rows' text)"
must "record -a" "$cgview" record -F 0 --space -a -o one.db ./subpools peaks
db=one.db
equal "record -a: twice as much" "5,1000,1000,1000" "$(value "SELECT count(*), 0 FROM allocation WHERE pool IS NOT NULL" |
	cut -d'|' -f1),$(csv line,bytes,left,peak | tr ' ' '\n' | sed -n "s/^$(line_of STAYS),//p")"
spaced subpools peaks
must "merge" "$cgview" merge -o all.db one.db run.db
db=all.db
equal "merge: thrice" "1500,1500,1500" "$(csv line,bytes,left,peak | tr ' ' '\n' | sed -n "s/^$(line_of STAYS),//p")"
must "merge by source" "$cgview" merge --by-source -o all.db one.db run.db
equal "-, by source" "1500,1500,1500" "$(csv line,bytes,left,peak | tr ' ' '\n' | sed -n "s/^$(line_of STAYS),//p")"
equal "-, one of the runs" "500,500,500" "$(db=one.db csv line,bytes,left,peak --runs 2 | tr ' ' '\n' |
	sed -n "s/^$(line_of STAYS),//p")"
db=run.db
equal "what pools give is not what malloc gives" "0|0" "$("$cgview" report --by producer --format csv run.db |
	grep -c pool_alloc)|$("$cgview" report --by size --format csv --columns bytes run.db | grep -c 2809)"

source=$top/tests/collect/programs/pools.c
must "without free=" "$cgcc" -O2 -w --cgview-flags=alloc=arena_alloc:2,alloc=slab_get "$source" -o pools -pthread
spaced pools arena
# The wrapper has the blocks of its callers: they are those of the pool that it calls.
equal "a wrapper's caller is told with the pool; what is left is not known" "arena_alloc,3,153,,," \
	"$("$cgview" report --by pool --format csv --columns line,pool,blocks,bytes,left,peak,freed run.db | tr -d '\r' |
		sed -n "s/^$(grep -n '/\* WRAPPED' "$source" | cut -d: -f1),//p")"
"$cgview" record -F 0 --space -o none.db true > out 2> err
"$cgcc" -O1 -w -x c - -o nothing <<< 'int main(void) { return 0; }'
"$cgview" record -F 0 --space -o none.db ./nothing > out 2> err
"$cgview" report --by pool none.db > out 2> err
equal "without pools: a line says what to do" "1|1" "$?|$(grep -c 'has no blocks of pools: cgcc --cgview-flags=alloc=GLOB names' err)"

# ---- patterns that name nothing ----

cat > first.c <<-'END'
	#include <stdlib.h>
	void *get(int n, void *pool);
	void put(void *p, int n);
	void *volatile sink;
	void *xget(int n) { return malloc(n); }
	int main(void) { sink = get(3, &sink); put(sink, 1); sink = xget(4); return 0; }
END
cat > second.c <<-'END'
	static char room[100];
	void *get(int n, void *pool) { return n < 100 ? room : 0; }
	void put(void *p, int n) {}
	void elsewhere(void) {}
END
# patterns NAME FLAGS NOTES: what a program says that is compiled with the flags
patterns()
{
	must "$1: compile" "$cgcc" -O1 -w --cgview-flags="$2" first.c second.c -o patterns
	spaced patterns
	equal "$1" "0|$3" "$status|$(value "SELECT text FROM note WHERE kind IN ('space', 'heap') ORDER BY id" |
		sed 's/^--cgview-flags=//; s/ has no effect: / /' | paste -sd';')"
}
patterns "what one file names, not the other one" alloc=get:1,free=put,wrapper=xget,no-wrapper=elsewhere ""
patterns "a name that nothing has" alloc=got:1,free=putt,wrapper=xgot,pool=nothing \
	"alloc=got:1 no call of a procedure of that name was compiled with it;free=putt no call of a procedure of that name was $(
	)compiled with it;pool=nothing no call of a procedure of that name was compiled with it;wrapper=xgot no procedure of that $(
	)name was compiled with it"
patterns "an argument that nothing has" 'alloc=get:1,free=*:99' \
	"free=*:99 no procedure of that name has such an argument, or it is no pointer"
patterns "one that is no pointer" alloc=get:1,free=put:2,pool=get:9 \
	"free=put:2 no procedure of that name has such an argument, or it is no pointer;pool=get:9 no procedure of that name $(
	)has such an argument, or it is no pointer"
"$cgview" record -F 0 -o plain.db ./patterns > out 2> err
equal "they are told of with --space only" 0 "$(db=plain.db value "SELECT count(*) FROM note WHERE text LIKE '%no effect%'")"
for wrong in pool= pool=:1 pool=x:0 pool=x:1:2:3 free=x:1:2:3; do
	equal "$wrong: refused" "2|1" "$("$cgcc" --cgview-flags="$wrong" -c first.c > /dev/null 2> err; echo $?)|$(wc -l < err)"
done

# ---- the manual ----

"$cgview" report --by pool --format csv --limit 0 one.db | tr -d '\r' | tr , '\n' > columns
sed -n '/^\.Sh OUTPUT/,/^\.Pp/p' "$top/man/cgview-db.5" | sed -n "/^\.It Cm pool\$/,/^\.It/p" |
	sed -n 's/^\.Va //p' | tr -c 'a-z0-9_\n' ' ' | tr -s ' ' '\n' | sed '/^$/d' > described
equal "cgview-db(5) has the columns of report --by pool" "$(cat columns)" "$(cat described)"
