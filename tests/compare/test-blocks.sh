#!/bin/bash
# cgview diff --by producer, type, size, disposer, pool: what a version allocates more. Each block is known by hand
# (blocks.c); sums are those of the tables, by the sqlite3 shell.
set -u
. tests/collect/rows/lib.sh
need python3
source=$top/tests/compare/blocks.c

# record NAME PROGRAM [ARGUMENT...]
record() { must "record $1" "$cgview" record -F 0 --space -o "$1" "./${@:2}"; }
for level in O0 O2; do
	must "compile old -$level" "$cgcc" -g -$level -w -o old "$source"
	must "compile new -$level" "$cgcc" -g -$level -w -DNEW -o new "$source"
	rm -f ./*.db
	record a.db old
	record b.db new

	# rows COLUMNS OPTION...: the rows of csv, sorted
	rows() { "$cgview" diff --format csv "${@:2}" | tr -d '\r' | python3 -c '
import csv, sys
for line in sorted(",".join(r[c] for c in sys.argv[1].split(",")) for r in csv.DictReader(sys.stdin)): print(line)' "$1"; }

	# 100 nodes of 16 bytes become 100 of 56; 1 + .. + 10 points become 1 + .. + 12.
	equal "-$level: types, bytes" ",,5000,5000,b,
point,$((16 * 55)),$((16 * 78)),$((16 * 23)),both,
struct node,1600,5600,4000,both," "$(rows type,a,b,value,sides,significance --by type a.db b.db)"
	equal "-$level: types, what is never freed" ",,5000,5000
point,0,0,0
struct node,$((40 * 16)),$((50 * 56)),$((50 * 56 - 40 * 16))" "$(rows type,a,b,value --by type -e 'b.live - a.live' a.db b.db)"
	equal "-$level: types, blocks, as a ratio" ",,1,1e999
point,10,12,1.2
struct node,100,100,1" "$(rows type,a,b,value --by type -e 'ratio(b.allocs, a.allocs)' a.db b.db)"
	equal "-$level: temporaries: freed before anything else is got" ",,0,0
point,10,12,2
struct node,1,1,0" "$(rows type,a,b,value --by type -e 'b.temporaries - a.temporaries' a.db b.db)"
	# Of points: 16; 32; 48, 64; 80 .. 128; 144 .. 160, .. 192.
	equal "-$level: size classes" "128,416,416,0
16,1616,16,-1600
256,304,672,368
32,32,32,0
64,112,5712,5600
8192,,5000,5000" "$(rows size_class,a,b,value --by size a.db b.db)"
	made() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
	equal "-$level: producers" "add,$(made MADE),16,struct node,1600,,a
add,$(made MADE),64,struct node,,5600,b
main,$(made ROW),128,point,416,416,both
main,$(made ROW),16,point,16,16,both
main,$(made ROW),256,point,304,672,both
main,$(made ROW),32,point,32,32,both
main,$(made ROW),64,point,112,112,both
main,$(made BUFFER),8192,,,5000,b" "$(rows procedure,line,size_class,type,a,b,sides --by producer a.db b.db)"
	equal "-$level: disposers" "drop,$(made FREED),free,960,2800
main,$(($(made ROW) + 3)),free,880,1248" "$(rows procedure,line,kind,a,b --by disposer a.db b.db)"
	for by in producer type size; do
		equal "-$level: all $by rows together have what there is" \
			"$(for db in a b; do sqlite3 $db.db 'SELECT sum(bytes) FROM allocation'; done)" \
			"$("$cgview" diff --by $by --format json a.db b.db | python3 -c '
import json, sys
d = json.load(sys.stdin)
for s in "ab":
    assert d["total_" + s] == sum(r[s] or 0 for r in d["rows"])
    print(d["total_" + s])
assert d["total_significance"] is None')"
	done
done

# ---- what is printed ----

text() { "$cgview" diff "$@" a.db b.db; }
has() # has NAME PATTERN...: in the file out
{
	local name=$1 status=0
	for pattern in "${@:2}"; do grep -qE -e "$pattern" out || { echo "# no $pattern"; status=1; }; done
	[ $status = 0 ] && ok "$name" || { sed 's/^/# /' out; not_ok "$name"; }
}
text --by type > out
has "text: types" '^a\.bytes +b\.bytes +result +change +verdict +in +type$' \
	'^ *- +5\.00 kB +\+5\.00 kB +new +only b +\?$' \
	'^1\.60 kB +5\.60 kB +\+4\.00 kB +\+250% +more +struct node$' '^2\.48 kB +11\.8 kB .* total$' '^3 of 3 types$'
check "... of which none is called sampled" bash -c '! grep -qE "significance|noise|chance" out'
text --by producer > out
has "text: producers" ' in +procedure +where +size B +type$' ' only b +add +blocks\.c:[0-9:-]+ +64 +struct node$'
text --by size > out
has "text: sizes" ' in +size B$' ' 8192$' '^6 of 6 sizes$'
text --by disposer > out
has "text: disposers" ' in +procedure +where +how$' '^ *960 B +2\.80 kB .* drop +blocks\.c:[0-9:-]+ +free$'
text --by producer --format markdown > out
has "markdown" '^bytes of producers: ' '^\| `add` `blocks\.c:[0-9:-]+` `struct node, <= 64 B` \|  \| 5\.60 kB \|  \| new \|$' \
	'^\| \*\*total\*\* \| 2\.48 kB \| 11\.8 kB \| \+378% \| more \|$'
text --by type --filter 'struct n' > out
has "a filter by type" '^1 of 3 types$' 'struct node$'

# ---- conditions ----

text --by type --fail-if 'b.live > 4 * a.live' > out
equal "a condition that holds: status 1" 1 $?
has "... of what" ' struct node$' '^2 of 3 types$'
text --by type --fail-if 'b.bytes > 10000' > out
equal "... that does not: status 0" 0 $?
text --by type --only b > out
has "only in the last one" ' \?$' '^1 of 3 types$'

# ---- stored ----

must "diff -o" "$cgview" diff -o out.db a.db b.db
for by in producer type size disposer; do
	equal "stored: $by" "$(rows a,b,value,type,size_class,kind --by $by a.db b.db)" "$("$cgview" report --by comparison \
		--of $by --format csv out.db | tr -d '\r' | python3 -c '
import csv, sys
for line in sorted(",".join(r[c] for c in "a,b,value,type,size_class,kind".split(",")) for r in csv.DictReader(sys.stdin)): print(line)')"
done
"$cgview" report --by comparison --of type out.db > out
has "as text" '^ *a +b +result +change +in +type$' ' struct node$'
must "diff -o of one kind" "$cgview" diff --by type -o types.db a.db b.db
equal "... has no other" type "$(sqlite3 types.db 'SELECT things FROM metric')"

# ---- pools ----

pools=alloc=arena_get:2,alloc=slab_get:1,free=slab_put:1
must "compile pools" "$cgcc" -g -O2 -w --cgview-flags=$pools -o pools "$top/tests/compare/pools.c"
record p.db pools 10
record q.db pools 20
in_pools() { grep -n "/\* $1 \*/" "$top/tests/compare/pools.c" | cut -d: -f1; }
# 10 blocks of 24 bytes become 20; of 5 blocks of 48 bytes 2 are given back, then 4; one call is of another pool.
equal "pools: bytes" "main,$(in_pools ARENA),arena_get,240,480,240,both
main,$(in_pools SLAB),slab_get,240,240,0,both
main,$(in_pools OTHER),slab_get,,7,7,b" \
	"$(rows procedure,line,type,a,b,value,sides --by pool p.db q.db)"
equal "... what is left" "arena_get,240,480,240
slab_get,,7,7
slab_get,144,48,-96" "$(rows type,a,b,value --by pool -e 'b.pool_left - a.pool_left' p.db q.db)"
"$cgview" diff --by pool p.db q.db > out
has "... as text" ' procedure +where +pool$' '^ *240 B +480 B +\+240 B .* main +pools\.c:[0-9:-]+ +arena_get$' \
	'^3 of 3 calls of pools$'
must "... stored" "$cgview" diff --by pool -o pooled.db p.db q.db
equal "... as they are" "$(rows a,b,value,type --by pool p.db q.db)" "$("$cgview" report --by comparison \
	--of pool --format csv pooled.db | tr -d '\r' | python3 -c '
import csv, sys
for line in sorted(",".join(r[c] for c in "a,b,value,type".split(",")) for r in csv.DictReader(sys.stdin)): print(line)')"

# ---- growth ----

for n in 100 200 400 800; do rm -f "n$n.db"; record "n$n.db" old $n; done
equal "series: nodes grow as n, points do not" "point,1
struct node,n" "$("$cgview" diff --series arg:1 --by type --format csv n100.db n200.db n400.db n800.db | tr -d '\r' | python3 -c '
import csv, sys
for line in sorted(r["type"] + "," + r["model"] for r in csv.DictReader(sys.stdin)): print(line)')"

# ---- what there is not ----

must "record without --space" "$cgview" record -F 0 -o plain.db ./old
refused() # refused NAME PATTERN OPTION...
{
	"$cgview" diff "${@:3}" > out 2>&1
	[ $? = 2 ] && [ "$(wc -l < out)" -le 4 ] && grep -qE -e "$2" out && ok "$1" || { sed 's/^/# /' out; not_ok "$1"; }
}
refused "one was recorded without" '^cgview: diff: --by type: plain\.db has no types: cgview record --space' \
	--by type a.db plain.db
refused "a figure that types have not" 'types do not have count: they have allocs, bytes' --by type -e 'b.count - a.count' a.db b.db
refused "neither has pools" '^cgview: diff: --by pool: neither .* has calls of pools: cgcc --cgview-flags=alloc=GLOB' \
	--by pool a.db b.db
refused "a figure that disposers have not" 'disposers do not have live: they have freed, copied' \
	--by disposer -e 'b.live - a.live' a.db b.db
refused "a condition on what one has not" 'nothing is judged: the condition has no value in any of [0-9]* procedures: plain\.db has no live$' \
	--fail-if 'b.live > 1.1 * a.live' plain.db b.db
must "other kinds of rows are compared all the same" "$cgview" diff a.db plain.db
must "... and stored" "$cgview" diff -o mixed.db a.db plain.db
equal "... without those of memory" "" "$(sqlite3 mixed.db "SELECT things FROM metric WHERE things IN ('type', 'producer', 'size',
	'disposer')")"
