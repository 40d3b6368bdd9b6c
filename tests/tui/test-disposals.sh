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

DB=sample.db shows 'without allocations there is none' 'the profile has no allocations: cgview record --space' <<< 'W'
DB=pairs.db
# 4 of 11 blocks are given back where they were made, 3 by way of give_back(), 2 at exit, 1 by a handler, 1 never.
shows 'pairs, most bytes first' 'who made and who freed.* 1/5 ' \
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
shows 'sizes tell their unit' ' size B▼' '^▌ *64  *11  *100 ████████ ' <<< $'W\nV\nV'
shows '... and round' 'who made and who freed' <<< $'W\nv\nv\nv\nv\nv\nv\nv'
shows '... and back' 'who frees ─' <<< $'W\nV\nV\nV\nV\nV\nV'
shows 'no pools: a line says how' 'No block of a pool was counted: cgcc --cgview-flags=alloc=GLOB' <<< $'W\nV'
shows 'Enter goes to where they were made' "^▌.*│.* $(line_of MADE) .*kept\[i\] = malloc(50);" <<< $'W\nj\nEnter'
shows 'a to where they were given back' "^▌.*│.* $(line_of GIVES) .*give_back(kept\[i\]);" <<< $'W\nj\na'
shows 'Enter on a disposer, too' "^▌.*│.* $(line_of GIVES) .*give_back(kept\[i\]);" <<< $'W\nv\nj\nEnter'
shows 'nobody gave it back: told' 'not known where these were given back' <<< $'W\ntext:/never\nEnter\na'
shows 'a lifetime has no one place of an end' 'not known where these were given back' <<< $'W\nv\nv\na'
shows 'rows are filtered by both names' ' 1/1 ' '^▌.* on_signal ' '!at_exit' <<< $'W\ntext:&on_signal\nEnter'
shows '... and by how' ' 1/1 ' '^▌.* exit ' '!never' <<< $'W\ntext:&exit\nEnter'
shows 'sorted by another column' 'blocks▼' <<< $'W\nv\nv\ntext::sort blocks\nEnter'
shows 'a closes nothing elsewhere' 'a does nothing here' <<< 'a'


# ---- as a matrix ----

shows 'the matrix' 'who made and who freed: bytes ─.* 1/1 × 1/5 ─' \
	"^ made by pairs .*:$(line_of MADE), freed by pairs .*:$(line_of HERE) *$" \
	'^ 4 blocks (36.4%), 200 B (36.4%), lived 0 B on average (4 <4kB) *$' \
	'^  made by  *all  *pairs  *pairs  *at_exit  *never  *on_s…nal *$' \
	"^  *:$(line_of HERE)  *:$(line_of GIVES)  *exit:$(line_of AT_EXIT)  *:$(line_of IN_HANDLER) *$" \
	'^▌ pairs .* 550 B  *200 B  *150 B  *100 B  *50 B  *50 B *$' \
	'^  all  *550 B  *200 B  *150 B  *100 B  *50 B  *50 B *$' <<< $'W\ni'
shows '... of blocks' 'freed: blocks ─' '^▌ pairs .* 11  *4  *3  *2  *1  *1 *$' <<< $'W\ni\nm'
shows '... and of bytes again' 'freed: bytes ─' <<< $'W\ni\nm\nm'
shows 'it begins on the pair of the list' '× 3/5 ─' 'freed at exit by at_exit' <<< $'W\n2\nj\ni'
shows '... and goes back to the present one' '3/5 ─' '^▌ *2 .* exit  *at_exit' <<< $'W\ni\n2\nl\ni'
shows '... also from another list' 'who made and who freed .* 2/5 ─' <<< $'W\nv\ni\nl\ni'
# A filter of the list is one of the matrix: with that one pair its sums are those of the pair.
shows 'a filter restricts the matrix' 'freed: bytes ─.* /on_signal/ .* 1/1 × 1/1 ─' '^▌ pairs .* 50 B  *50 B *$' \
	'^  all  *50 B  *50 B *$' '!at_exit' <<< $'W\ntext:&on_signal\nEnter\ni'
shows '... also one that another table had' '/at_exit/ .* 1/1 × 1/1 ─' '^▌ pairs .* 100 B  *100 B *$' \
	<<< $'W\nv\ntext:&at_exit\nEnter\ni'
shows '... by how' '1/1 × 1/3 ─' '^▌ pairs .* 400 B  *200 B  *150 B  *50 B *$' <<< $'W\ntext:&^free$\nEnter\ni'
shows '... in slices' '/on_signal/ .* 1/1 × 1/1 ─' <<< $':slices 3\nW\ntext:&on_signal\nEnter\ni'
shows '... that leaves nothing: told' '/nobody/' '^ *.*nobody' <<< $'W\ntext:&nobody\nEnter\ni'
shows '... when the list lies over it' 'who made and who freed .* 2/5 ─' <<< $'W\ni\nl\nW\nq\ni'
shows 'q closes it' 'who made and who freed ─' <<< $'W\ni\nq'
shows 'never freed' ', never freed *$' '^ 1 block (9.1%), 50 B (9.1%) *$' <<< $'W\ni\n3\nl'
shows 'not beyond the ends' '× 5/5 ─' <<< $'W\ni\n9\nl'
shows 'to the last' '× 5/5 ─' <<< $'W\ni\n$'
shows '... and the first' '× 1/5 ─' <<< $'W\ni\n$\n^'
shows 'Enter goes to where they were made, too' "^▌.*│.* $(line_of MADE) .*kept\[i\] = malloc(50);" <<< $'W\ni\nEnter'
shows 'a to where they were given back, too' "^▌.*│.* $(line_of AT_EXIT) .*free(kept\[i\]);" <<< $'W\ni\n2\nl\na'
shows 'nobody gave it back: told there' 'not known where these were given back' <<< $'W\ni\n3\nl\na'
shows 'the legend goes to the greatest' '^  bytes  50 B .* 169 B' <<< $'W\ni'
shows '... in even steps' '^  bytes  1 B  25 B  50 B  75 B  100 B  125 B  150 B  175 B *$' <<< $'W\ni\nL'
shows 'it is searched' 'not found: nobody' <<< $'W\ni\ntext:/nobody\nEnter'
# Written as text it is all there.
printf '%s\n' W i 'text::w written' Enter | play pairs.db > out
grep -q '^pairs .* 550 B  *200 B  *150 B  *100 B  *50 B  *50 B *$' written
verdict $? 'written'

# What becomes of a buffer of 100 that is doubled six times, and of six blocks behind it: rows by bytes are LARGER, BEHIND (both of
# 200 + ... + 6400), FIRST, SMALLER; columns the same way.
"$cgview" record -F 0 --space -o grows.db ./disposers grows > out 2>&1 || { cat out; exit 1; }
row() { echo "^[ ▌] grows [^ ]*:$(line_of "$1")  *$2 *$"; }
DB=grows.db
shows 'rows and columns' '1/4 × 1/4 ─' "$(row LARGER '12.6 kB  *6.40 kB  *6.20 kB')" "$(row BEHIND '12.6 kB  *12.6 kB')" \
	"$(row FIRST '100 B  *100 B')" "$(row SMALLER '50 B  *50 B')" \
	"^  *re:$(line_of SMALLER)  *re:$(line_of LARGER)  *:$(line_of LAST) *$" \
	'^  all  *25.4 kB  *12.6 kB  *6.40 kB  *6.30 kB  *50 B *$' <<< $'W\ni'
shows '... by blocks' "$(row LARGER '6  *5  *1')" "$(row FIRST '1  *1')" '^  all  *14  *6  *6  *1  *1 *$' <<< $'W\ni\nm'
# LARGER took five of its own: they have the place of the cell in the row below or above.
shows 'an empty cell' '^ nothing *$' <<< $'W\ni\nG\n^'
shows '... leads to a pair of its row' "^▌ .* free  *grows .*:$(line_of LAST) *$" <<< $'W\ni\nG\n^\ni'
shows 'freed by realloc' "freed by realloc in grows .*:$(line_of LARGER) *$" '^ 5 blocks (35.7%), 6.20 kB (24.5%), lived ' \
	<<< $'W\nj\nj\ni'
for size in 24x5 24x6 30x8 40x10 60x14 80x24 300x80; do
	SIZE=$size shows "in $size" 'who made\|too small' '^▌' <<< $'W\ni\nl\nj\nm\nL\nk\nl'
done
for size in 1x1 5x5 80x3; do
	SIZE=80x24 shows "from $size" 'who made and who freed: blocks' <<< $'W\ni\nsize:'$size$'\nl\nj\nm\nsize:80x24'
done

# ---- many, of hostile names ----

cp pairs.db many.db
many=1000
python3 "$top/tests/tui/many-pairs.py" many.db $many || exit 1
DB=many.db
# Row i has (i + 1) (1 + ... + 1000), column j (j + 1) (1 + ... + 1000), all of it the square of that sum.
# One session: a million pairs are read only once.
rm -f many-*
printf '%s\n' size:$SIZE W i ':save-screen many-first' G '$' ':save-screen many-last' g ^ 'text:/maker_123 ' Enter \
	':save-screen many-found' | play many.db > shows.out
many_status=$?
many_shows() # many_shows WHICH NAME PATTERN...
{
	rm -f shows
	mv "many-$1" shows
	verdict_shows $many_status "${@:2}"
}
many_shows first 'a thousand of each' '1/1,000 × 1/1,000 ─' 'made by maker_999 ' \
	'^▌ maker_999 .*  500 MB  *1.00 MB  *999 kB  *998 kB' '^  maker_998 .*  500 MB  *999 kB  *998 kB  *997 kB' \
	'^  all  *251 GB  *500 MB  *500 MB  *499 MB' '!'$'\033' '!'$'\u202e'
many_shows last '... their last corner' '1,000/1,000 × 1,000/1,000 ─' '^ 1 block (0.0%), 1 B (0.0%)' \
	'^▌ maker_0 .*  500 kB .* 1 B *$' '<0>::~free'
many_shows found '... one is found' '▌ maker_123 ' '877/1,000 × 1/1,000 ─'
printf '%s\n' size:$SIZE ':slices 1' W i ':save-at-once shows' l j Enter a m i q q ':save-at-once left' | play many.db > out
verdict_shows $? 'what is not read yet is told' 'Not read yet' 'reading [0-9]*%'
mv left shows
verdict_shows 0 '... and can be left' '^─ procedures'
case $BUILD in *asan*|*debug*|*coverage*) echo 'skip - the speed of keys: this build is slow on purpose' ;; *)
	# CPU milliseconds; again if they seem to be too many.
	cpu() { cat > script; local TIMEFORMAT='%U %S'; { time CGVIEW_SCRIPT=script "$cgview" many.db > out; } 2>&1 |
		awk '{ print int(($1 + $2) * 1000) }'; }
	for _ in 1 2; do
		base=$(printf '%s\n' size:120x36 W i | cpu)
		spent=$({ printf '%s\n' size:120x36 W i; for ((i = 0; i < 100; i++)); do printf '%s\n' j l m; done; } | cpu)
		[ $((spent - base)) -gt 3000 ] || break
	done
	echo "# 300 keys: $((spent - base)) ms, limit 3000 ms"
	[ $((spent - base)) -le 3000 ]
	verdict $? 'a key takes less than 10 ms' ;;
esac

# ---- compared ----

# The same with blocks of 120: what was of the class up to 64 B is of that up to 128 B; the disposers are the same.
mkdir other
sed 's/malloc(50); \/\* MADE/malloc(120); \/* MADE/' "$source" > other/disposers.c
cmp -s "$source" other/disposers.c && { echo 'not ok - the sizes have not changed'; exit 1; }
"$BUILD/cgcc" -O1 -w other/disposers.c -o other/disposers -pthread || exit 1
"$cgview" record -F 0 --space -o other.db other/disposers pairs > out 2>&1 || { cat out; exit 1; }
compared() # compared NAME PATTERN... < STEPS: of the profiles $DBS
{
	local status=0
	{ echo "size:$SIZE"; cat; echo ':save-screen shows'; } > steps
	# shellcheck disable=SC2086
	printf ':save-actions %s\n' "$actions" | cat - steps > script
	# shellcheck disable=SC2086
	CGVIEW_SCRIPT=script "$cgview" $DBS > shows.out || status=1
	verdict_shows $status "$@"
}
DBS='pairs.db other.db'
compared 'producers' 'what each call got, by size: b.bytes - a.bytes ─.* 1/2 ─' 'a  *b  *result▼  *change  *verdict  *in  *size B  *type  *made by  *made at' \
	"^▌  *-  *1.32 kB  *+1.32 kB ▲  *new  *only b  *128  *pairs .*:$(line_of MADE) *$" \
	"^   *550 B  *-  *-550 B ▼  *gone  *only a  *64  *pairs .*:$(line_of MADE) *$" '  2 producers' <<< W
compared '... as many blocks' ' 11  *-  *-11 ▼  *gone  *only a  *64 ' ' -  *11  *+11 ▲  *new  *only b  *128 ' <<< $'W\ntext::compare b.allocs - a.allocs\nEnter'
compared 'sizes' 'what was got, by size: b.bytes - a.bytes ─.* 1/2 ─' '^▌  *-  *1.32 kB  *+1.32 kB ▲  *new  *only b  *128 *$' \
	'^   *550 B  *-  *-550 B ▼  *gone  *only a  *64 *$' <<< $'W\nv\nv'
compared 'disposers' 'who frees: b.freed - a.freed ─.* 1/4 ─' "^▌ *200 B  *480 B  *+280 B ▲  *+140%  *more  *free  *pairs .*:$(line_of HERE) *$" \
	"^  *150 B  *360 B  *+210 B ▲  *+140%  *more  *free  *pairs .*:$(line_of GIVES) *$" "^  *100 B  *240 B  *+140 B ▲  *+140%  *more  *exit  *at_exit .*:$(line_of AT_EXIT) *$" \
	"^  *50 B  *120 B  *+70 B ▲  *+140%  *more  *free  *on_signal .*:$(line_of IN_HANDLER) *$" <<< $'W\nv\nv\nv\nv\nv'
compared 'the key is that of one profile' 'how long blocks live, by who made them: only of b ─' <<< $'W\nV'
compared '... around' 'what each call got, by size: b' <<< $'W\nv\nv\nv\nv\nv\nv\nv'
compared 'Enter: the source, in the last profile' "^▌.* $(line_of MADE) .*malloc(120);" <<< $'W\nEnter'
compared '... in the first, where only that has it' "^▌.* $(line_of MADE) .*malloc(50);" <<< $'W\nj\nEnter'
compared 'Enter: a disposer' "^▌.* $(line_of GIVES) .*give_back" <<< $'W\nV\nV\nj\nEnter'
compared 'a type has no place' 'not known where these were made' <<< $'W\nv\nEnter'
compared 'the cursor stays on its row' "^▌  *150 B  *360 B .* free  *pairs .*:$(line_of GIVES)" \
	<<< $'W\nV\nV\nj\ntext::compare a.freed - b.freed\nEnter'
compared 'an expression as it is typed' 'b.freed \* 2' '^▌ *200 B  *480 B  *+960 B' <<< $'W\nV\nV\n=\nC-u\ntext:b.freed * 2'
compared 'only those of one profile' 'only a ─.* 1/1 ─' ' 1 of 2 producers' '^▌  *550 B ' <<< $'W\nF\nF'
compared 'pairs are of the last one' 'who made and who freed: only of b' '480 B' <<< $'W\ntext:\nV\nV\nV'
compared 'and their matrix' 'freed: bytes, only of b ─' '^▌ pairs .* 1.32 kB  *480 B' <<< $'W\ni'
compared 'in slices it is the same' "^▌ *200 B  *480 B  *+280 B ▲  *+140%  *more  *free  *pairs .*:$(line_of HERE) *$" <<< $':slices 3\nW\nV\nV'
DBS='pairs.db pairs.db other.db'
compared 'of three' 'c.freed - a.freed' '^▌ *200 B  *200 B  *480 B  *+280 B' <<< $'W\nV\nV'
DBS='sample.db pairs.db'
compared 'not recorded so: told' 'not compared: sample.db has no producers' '200 B' <<< W
# What was stored of memory alone is shown at once.
"$cgview" diff -o stored.db --by disposer pairs.db other.db > out || exit 1
mv pairs.db away.db
DBS=stored.db
compared 'stored' 'who frees: b.freed - a.freed ─.* 1/4 ─' '^▌ *200 B  *480 B  *+280 B' < /dev/null
compared '... what is not is told' 'The saved comparison has no producers' <<< $'v\nv'
mv away.db pairs.db

# Each of three threads makes what the only one does: three times as much of each type.
"$BUILD/cgcc" -O1 -w "$top/tests/collect/programs/types.c" -o types -pthread || exit 1
for threads in 0 2; do
	"$cgview" record -F 0 --space -o types$threads.db ./types $threads > out 2>&1 || { cat out; exit 1; }
done
DBS='types0.db types2.db'
compared 'types' 'what was got, by type: b.bytes - a.bytes' '^  *64 B  *192 B  *+128 B ▲  *+200%  *more  *struct node *$' '^  *176 B  *528 B  *+352 B ▲  *+200%  *more  *point *$' \
	'^  *11 B  *33 B  *+22 B ▲  *+200%  *more  *struct tail *$' <<< $'W\nv'

# ---- pools: the example of the tour, as it says ----

sed -n 's/^\$ cgcc \(.*pools\.c\)$/\1/p' "$top/docs/tour.md" > arguments
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
	'^ *12,000 .* 3 rows' <<< $'W\nV'
shows 'Enter goes to where they were made' "^▌.*│.* $(got 'sizeof(\*h))') .*pool_get(p" <<< $'W\nV\nj\nEnter'
shows 'rows are filtered by the pool, too' ' 1/3 ' <<< $'W\nV\ntext:&pool_get\nEnter'
