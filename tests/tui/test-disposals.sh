#!/bin/bash
# Who gave back what whom made: the view with its three tables, and the ways from it into the source.
. tests/tui/lib.sh
source=$top/tests/collect/programs/disposers.c
if ! "$BUILD/cgcc" -O1 -w "$source" -o disposers -pthread 2> err; then
	echo "skip - disposers: $(head -1 err)"
	exit 0
fi
"$cgview" record -F 0 --space -o pairs.db ./disposers pairs > out 2>&1 || { cat out; exit 1; }
line_of() { grep -nE "/\* $1 \*/" "$source" | cut -d: -f1; }
SIZE=160x36

DB=sample.db shows 'without allocations there is none' 'record with --space' <<< 'W'
DB=pairs.db
# 4 of 11 blocks are given back where they were made, 3 by way of give_back(), 2 at exit, 1 by a handler, 1 never.
shows 'pairs, most bytes first' 'who frees what whom made.* 1/5 ' \
	"^▌ *4  *36.4.* 200 B .* pairs .*:$(line_of MADE) .* free  *pairs .*:$(line_of HERE) *$" \
	"^  *3 .* 150 B .* free  *pairs .*:$(line_of GIVES) *$" \
	"^  *2 .* 100 B .* exit  *at_exit .*:$(line_of AT_EXIT) *$" \
	"^  *1 .* 50 B .* free  *on_signal .*:$(line_of IN_HANDLER) *$" "^  *1 .* 50 B .* never *$" \
	'^  *11  *100 .* 550 B .* 5 pairs' <<< 'W'
shows 'disposers' 'who frees ─.* 1/4 ' "^▌ *4 .* 200 B .* free  *pairs .*:$(line_of HERE) *$" '!never' <<< $'W\nv'
shows 'lifetimes' 'how long blocks live, by who made them.* 1/1 ' "^▌ *11 .* 550 B .* 50 B  *100 B .* pairs .*:$(
	line_of MADE) *$" <<< $'W\nv\nv'
# 36.4 and 27.3 % of eight cells, in eighths.
shows 'a bar is the share of the bytes' '^▌ *4  *36.4 ██▉  ' '^  *3  *27.3 ██▏  ' <<< 'W'
shows 'sizes tell their unit' ' size B▼' '^▌ *64  *11  *100 ████████ ' <<< $'W\nV\nV\nV'
shows '... and round' 'who frees what whom made' <<< $'W\nv\nv\nv\nv\nv\nv\nv\nv'
shows '... and back' 'who frees ─' <<< $'W\nV\nV\nV\nV\nV\nV\nV'
shows 'no pools: a line says how' 'No block of a pool was counted: cgcc --cgview-flags=alloc=GLOB' <<< $'W\nV\nV'
shows 'Enter goes to where they were made' "^▌.*│.* $(line_of MADE) .*kept\[i\] = malloc(50);" <<< $'W\nj\nEnter'
shows 'a to where they were given back' "^▌.*│.* $(line_of GIVES) .*give_back(kept\[i\]);" <<< $'W\nj\na'
shows 'Enter on a disposer, too' "^▌.*│.* $(line_of GIVES) .*give_back(kept\[i\]);" <<< $'W\nv\nj\nEnter'
shows 'nobody gave it back: told' 'not known where these were given back' <<< $'W\ntext:/never\nEnter\na'
shows 'a lifetime has no one place of an end' 'not known where these were given back' <<< $'W\nv\nv\na'
shows 'rows are filtered by both names' ' 1/1 ' '^▌.* on_signal ' '!at_exit' <<< $'W\ntext:&on_signal\nEnter'
shows '... and by how' ' 1/1 ' '^▌.* exit ' '!never' <<< $'W\ntext:&exit\nEnter'
shows 'sorted by another column' 'blocks▼' <<< $'W\nv\nv\ntext::sort blocks\nEnter'
shows 'a closes nothing elsewhere' 'a does nothing here' <<< 'a'

# ---- pools: the example of the README, as it says ----

sed -n 's/^   \$ cgcc \(.*pools\.c\)$/\1/p' "$top/README.md" > arguments
cp "$top/examples/pools.c" .
if ! "$BUILD/cgcc" $(cat arguments) 2> err || ! "$cgview" record -F 0 --space -o pools.db ./pools > out 2>&1; then
	cat err out
	exit 1
fi
source=$PWD/pools.c
got() { grep -n "$1" "$source" | cut -d: -f1; }
# 20 sessions with 50 requests, a page of 4000 bytes and 10 headers of 32 for each; 2 sessions are left, and 3 are there at
# most.
DB=pools.db
shows 'what each call got of pools' 'what each call got of pools.* 1/3 ' \
	"^▌ *1,000 .* 4.00 MB .* 600 kB *400 kB *3.60 MB *pool_get .*answer .*:$(got 'get(request, 4000)') *$" \
	"^ *10,000 .* 320 kB .* 48.0 kB *32.0 kB *288 kB *pool_get *struct header *parse .*:$(got 'sizeof(\*h))') *$" \
	'^ *12,000 .* 3 rows' <<< $'W\nV\nV'
shows 'Enter goes to where they were made' "^▌.*│.* $(got 'sizeof(\*h))') .*pool_get(p" <<< $'W\nV\nV\nj\nEnter'
shows 'rows are filtered by the pool, too' ' 1/3 ' <<< $'W\nV\nV\ntext:&pool_get\nEnter'
