#!/bin/bash
# :ranks and :imbalance: rows are those of report --by rank and --by imbalance, which test-imbalance.sh counts by hand.
. tests/tui/lib.sh
[ -x "$BUILD/cgcc" ] || { echo "skip - cgcc is not built"; exit 0; }
cat > ranks.c <<'END'
#include <stdlib.h>
static volatile long sink;
__attribute__((noinline)) static void uneven(void)
{
	sink++;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < argc * 10 * atoi(argv[1]); i++)
		uneven();
	return 0;
}
END
"$BUILD/cgcc" -O1 -g -o ranks ranks.c || { echo "not ok - compile"; exit 1; }
for k in 1 2 3; do
	CGVIEW_RANK=$k CGVIEW_OUT=raw ./ranks $k
done
"$cgview" import -o ranks.db raw*.raw 2> /dev/null
# ranks NAME PATTERN... < STEPS: of a screen with 150 columns
ranks()
{
	local name=$1 status=0
	shift
	rm -f shows
	{ echo size:150x24; cat; echo ":save-screen shows"; } | play ranks.db || status=1
	verdict_shows $status "$name" "$@"
}
ranks 'the ranks: calls of each' '^.* 3 .* 60 ' '^.* 2 .* 40 ' '^.* 1 .* 20 ' <<< $'text::ranks uneven\nEnter'
SIZE=120x24 DB=ranks.db shows 'they are there at 120 columns, too, and the title says of what' '─ ranks: what each did in uneven ─' \
	'rank.*its self.*its calls' '^.* 3 .* 60 ' <<< $'text::ranks uneven\nEnter'
ranks '... without a procedure no calls' '─ ranks ─' 'rank.*wall.*blocks' '!its calls' <<< $'text::ranks\nEnter'
ranks '... one that is not there' 'there is no procedure other' <<< $'text::ranks other\nEnter'
ranks 'Enter: only that rank' 'only thread 3 of 3' ' 60 .* uneven' '!40 .* uneven' <<< $'text::ranks uneven\nEnter\nEnter'
ranks 'what is uneven: 100 (60 - 40) / 60' '33.33.* rank .*uneven' <<< $'text::imbalance\nEnter'
ranks '... Enter: its source' 'sink++' '!imbalance over' <<< $'text::imbalance\nEnter\ntext::sort calls_imbalance\nEnter\ng\nEnter'

# The columns of imbalance in the summary are those of report --by procedure, which test-imbalance.sh reckons.
ranks 'a column of imbalance in the summary: 100 (60 - 40) / 60' 'calls imbalance%' '^.* uneven .* 33.33 *$' <<< $'text::column calls_imbalance\nEnter'
ranks '... sorted by one that is not shown otherwise' 'calls most▼' '^.* uneven .* 60 *$' <<< $'text::sort calls_most\nEnter'
ranks '... in the list of columns' '\[x\] calls least  *The least that a rank' <<< $'f\ntext:/calls least\nEnter\nSpace'
ranks '... which shows it behind' 'calls least$' '^.* uneven .* 20 *$' <<< $'f\ntext:/calls least\nEnter\nSpace\nf'
rm -f shows
printf '%s\n' size:150x24 'text::column calls_imbalance' Enter ':save-screen shows' | WHY=1 play ranks.db ranks.db
verdict_shows $? '... not in a comparison' 'there is no column calls_imbalance here'
"$cgview" import -o one.db "$(ls raw*.raw | head -1)" 2> /dev/null
DB=one.db SIZE=150x24 shows '... one rank has nothing to show' 'this profile has nothing to show under calls imbalance%' <<< \
	$'text::column calls_imbalance\nEnter'

# In the tree of calls the same command shows the figures by call path: those of report --by tree --imbalance, which
# test-imbalance.sh reckons.
cat > paths.c <<'END'
#include <stdlib.h>
#include <time.h>
static volatile long sink;
__attribute__((noinline)) static void work(long ms)
{
	clock_t end = clock() + ms * CLOCKS_PER_SEC / 1000;

	while (clock() < end)
		sink++;
}
__attribute__((noinline)) static void most(long rank)
{
	work(20 + 40 * rank);
	sink++;
}
__attribute__((noinline)) static void least(long rank)
{
	work(100 - 30 * rank);
	sink++;
}
int main(int argc, char **argv)
{
	most(atol(argv[argc - 1]));
	least(atol(argv[argc - 1]));
	return 0;
}
END
"$BUILD/cgcc" -O1 -g -o paths paths.c || { echo "not ok - compile"; exit 1; }
for k in 1 2 3; do
	CGVIEW_RANK=$k CGVIEW_OUT=path ./paths $k
done
"$cgview" import -o paths.db path*.raw 2> /dev/null
cell() # cell PROCEDURE COLUMN: of the tree
{
	"$cgview" report --by tree --imbalance --format csv paths.db | tr -d '\r' | awk -F, -v name="$1" -v column="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == column) at = i }
		$5 == name { print $at; exit }'
}
"$cgview" report --by rank --procedure work --sort it_ns --format csv --columns rank,it_ns paths.db | tr -d '\r' | sed 1d > of-ranks
DB=paths.db SIZE=150x24 shows 'a procedure over the ranks: the bar of the one with most is full' \
	"^.* $(sed -n '1s/,.*//p' of-ranks) .* ██████*  *[0-9]" <<< $'text::ranks work\nEnter'
python3 - << 'END'
import re
times = [int(line.split(',')[1]) for line in open('of-ranks')]
bars = [len(b) for b in re.findall('[█▏▎▍▌▋▊▉]{2,}', open('shows', encoding='utf-8').read())]
good = len(times) == 3 and max(bars) >= 8 and \
    all(abs(b - max(bars) * t / times[0]) <= 1 for b, t in zip(sorted(bars, reverse=True), times))
print('ok -' if good and len(bars) == 3 else f'# {times} {bars}\nnot ok -', '... the others are so much shorter')
END
DB=paths.db SIZE=150x24 shows '... of another procedure, after that' 'what each did in least' <<< $'text::ranks most\nEnter\nq\ntext::ranks least\nEnter'
sum=$("$cgview" report --by rank --procedure least --format csv --columns it_calls paths.db | tr -d '\r' | awk '{ sum += $1 } END { print sum }')
grep -q "^ .* $sum  *[0-9]* .* 3 ranks" shows
verdict $? '... with its sums at the foot'
DB=paths.db SIZE=150x24 shows 'the tree: which rank has most, by call path' 'over imbalance% most at self over self imb.% self at' \
	" $(cell main total_imbalance)  *$(cell main total_most_at) .* main" " $(cell most total_imbalance)  *$(cell most total_most_at) .* most" \
	" $(cell least total_imbalance)  *$(cell least total_most_at) .* least" <<< $'t\ntext::imbalance\nEnter\n*'
[[ $(cell most total_imbalance),$(cell least total_imbalance) =~ ^[0-9.]+,[0-9.]+$ ]]
verdict $? '... as the report tells'
DB=paths.db SIZE=150x24 shows '... the second time no longer' '!imbalance%' 'samples' ' least' <<< $'t\n*\ntext::imbalance\nEnter\ntext::imbalance\nEnter'
DB=paths.db SIZE=150x24 shows '... callers have none, and the tree still has it' 'imbalance%' <<< $'t\ntext::imbalance\nEnter\nA\nA'
DB=paths.db SIZE=150x24 shows '... so it is told' 'imbalance is told of several ranks' '!imbalance%' <<< $'t\nA\ntext::imbalance\nEnter'
DB=one.db SIZE=150x24 shows '... and of one rank' 'imbalance is told of several ranks' <<< $'t\ntext::imbalance\nEnter'
for slices in 1 3; do
	DB=paths.db SIZE=150x24 shows "... in slices ($slices)" " $(cell most total_imbalance)  *[123] .* most" <<< \
		":slices $slices"$'\nt\ntext::imbalance\nEnter\n*'
done
for columns in 80 100 120 200; do
	DB=paths.db SIZE=${columns}x24 shows "... with $columns columns names have room" ' most at ' '[├└] .* most ' '[├└] .* least ' <<< \
		$'t\ntext::imbalance\nEnter\n*'
done

# T is a tree of jobs, hosts and ranks: what each has is added up here of the runs, one a rank; a second of rank 3 of job 9.
rm -f raw*
for j in 8 9; do
	for k in 0 1 2 3; do
		CGVIEW_JOB=$j CGVIEW_RANK=$k CGVIEW_OUT=tree ./ranks $((k + j))
	done
done
"$cgview" import -o flat.db tree*.raw 2> /dev/null
CGVIEW_JOB=9 CGVIEW_RANK=3 CGVIEW_OUT=tree ./ranks 7
"$cgview" import -o tree.db tree*.raw 2> /dev/null
python3 - << 'END'
import sqlite3
db = sqlite3.connect('tree.db')
db.execute("UPDATE run SET host = 'node' || ((SELECT min(rank) FROM part WHERE part.run = run.id) / 2)")
db.commit()
END
sum_of() # sum_of CONDITION: blocks of the runs that awk chooses by $1 (run), $2 (job), $3 (host), as they are shown
{
	"$cgview" report --by run --format csv --columns run,job,host,blocks_executed tree.db | tr -d '\r' |
		awk -F, "NR > 1 && $1 { sum += \$4 } END { print sum }" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'
}
DB=tree.db SIZE=80x24 shows 'T: jobs, hosts and ranks with sums' "job 8: 4 ranks .* $(sum_of '$2 == 8')" "job 9: 4 ranks .* $(sum_of '$2 == 9')" \
	"host node1: 2 ranks .* $(sum_of '$2 == 9 && $3 == "node1"')" "host node0: 2 ranks .* $(sum_of '$2 == 8 && $3 == "node0"')" \
	'rank 3  *[0-9.]* .s ' '!run 9' <<< T
[ "$(sum_of '$2 == 9')" != "$(sum_of '$2 == 8')" ]
verdict $? '... which differ'
DB=tree.db shows '... sorted by blocks: what has most first, at each level' <<< $'T\ntext::sort blocks\nEnter'
[ "$(sed -n 's/.*\(job [89]\|host node[01]\|rank [0-3]\).*/\1/p' shows | tr '\n' ' ')" = \
	'job 9 host node1 rank 3 rank 2 host node0 rank 1 rank 0 job 8 host node1 rank 3 rank 2 host node0 rank 1 rank 0 ' ]
verdict $? '... in this order'
DB=tree.db shows '... a host that is closed' '▸ host node1' '▾ host node0' 'rank 0' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nh'
[ "$(grep -c 'rank [23]' shows)" = 2 ]
verdict $? '... has no ranks below it, the other has'
DB=tree.db shows '... stays closed when it is sorted' '▸ host node1' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nh\nS'
DB=tree.db shows '... and opens again' '!▸ host node1' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nh\nl'
DB=tree.db shows 'h on a rank: to its host, and that to its job' '^▌.*job 9' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nj\nh\nh\nh'
DB=tree.db shows 'a rank of two runs opens to these' 'run [0-9]* *./ranks 12' 'run [0-9]* *./ranks 7' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nj\nl'
DB=tree.db shows 'Enter: all views show this rank' 'only threads [0-9]*, [0-9]* of 9' ' 380 .* uneven' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nj\nEnter'
DB=tree.db shows '... a host: what its ranks did' ' 600 .* uneven' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nEnter'
DB=tree.db shows '... a rank and a host that are marked' ' 760 .* uneven' <<< $'T\ntext::sort blocks\nEnter\ng\nj\nj\nSpace\nj\nSpace\nEnter'
DB=flat.db shows 'on one host that level is not there' 'job 8' '!host' <<< T
DB=ranks.db shows '... nor the job, if that is one' '!job' '!host' 'rank 2 ' <<< T
DB=ranks.db shows '... and a rank of one thread has its number' '^▌ *[123] *rank 3' <<< $'T\ntext::sort blocks\nEnter\ng'

# More than 500 ranks are a strip at first. What it says is compared with the report by rank.
mkdir many
for ((k = 0; k < 601; k++)); do
	CGVIEW_RANK=$k CGVIEW_OUT=many/x ./ranks $((k % 7 + 1))
done
find many -name '*.raw' > names
xargs "$cgview" import -o many.db < names 2> /dev/null
DB=many.db SIZE=80x9 shows 'more than 500 ranks: a strip' 'a cell is 3 ranks: the most of them ─* 601 ranks' '^▌  *0$' '^   *192$' <<< $'T\ntext::w written\nEnter'
"$cgview" report --by rank --sort rank --format csv --columns rank,cpu_ns,host many.db | tr -d '\r' | sed 1d | tr , '\t' |
	sort -n | cmp - written
verdict $? '... written: rank, time and host'
DB=many.db SIZE=80x9 shows '... the cursor goes by cells, and over the end of a line' 'ranks 198 to 200: at most ' <<< $'T\ntext:65\nl\nl'
most=$(awk '$1 >= 198 && $1 <= 200 && $2 > most { most = $2; rank = $1 } END { print rank }' written)
grep -q "^ ranks 198 to 200: at most .*, rank $most, on " shows
verdict $? '... of these it tells the one that took most'
DB=many.db SIZE=80x9 shows '... down: a line of cells' 'ranks 192 to 194' <<< $'T\nj'
DB=many.db SIZE=80x9 shows '... the last one' 'rank 600: ' <<< $'T\ntext:9999\nl'
DB=many.db SIZE=80x9 shows 'Enter: its ranks' 'ranks 198 to 200 ' ' rank 198 ' ' rank 199 ' ' rank 200 ' '!rank 197 ' '!rank 201 ' <<< $'T\ntext:66\nl\nEnter'
DB=many.db SIZE=80x9 shows '... back: the cell' 'ranks 198 to 200: at most ' <<< $'T\ntext:66\nl\nEnter\nq'
DB=many.db SIZE=80x24 shows '... one alone: all views show it' 'only thread [0-9]* of 601' ' 20 .* uneven' <<< $'T\ntext:350\nl\nEnter'
DB=many.db SIZE=80x24 shows '... where it fits a cell is one rank' 'rank 350: ' '!a cell is' <<< $'T\ntext:350\nl'
DB=many.db SIZE=80x9 shows '... a larger terminal: the cursor stays with its ranks' 'rank 198: ' <<< $'T\ntext:66\nl\nsize:80x24'
NO_COLOR=1 DB=many.db SIZE=80x9 shows '... without colours a cell is a figure' '^▌  *0 [1-8]\{64\}$' <<< T

# Comparing many ranks is work that goes on while nobody types: old rows stay, keys are obeyed, Esc ends it.
busy=$':slices 1\ntext::column calls_imbalance\nEnter'
at_once() # at_once NAME PATTERN... < STEPS: as shows(), without waiting for what goes on
{
	local status=0
	rm -f shows
	{ echo size:150x24; cat; echo ':save-at-once shows'; } | play many.db > shows.out || status=1
	verdict_shows $status "$@"
}
at_once 'many ranks: the rows of before, while they are compared' 'comparing ranks [0-9]*%' 'calls imbalance%' '^.* uneven .*/ranks.c:[0-9]* *-*$' <<< "$busy"
at_once '... a key meanwhile' 'comparing ranks' '^▌.* main ' '!^▌.*unprofiled' <<< "$busy"$'\nj'
at_once '... Esc: stopped' 'stopped; the columns are those of before' '!comparing' '!imbalance%' <<< "$busy"$'\nEsc'
at_once '... sorting by one: stopped, too' 'stopped; sorted as before' '!comparing' '!calls most' <<< $':slices 1\ntext::sort calls_most\nEnter\nEsc'
at_once '... the list of them' 'comparing ranks [0-9]*%' 'Not found yet' <<< $':slices 1\ntext::imbalance\nEnter'
at_once '... which is left at once' '─ procedures ─' '!comparing' <<< $':slices 1\ntext::imbalance\nEnter\nEsc'
mean=$(for ((k = 0; k < 601; k++)); do echo $((10 * (k % 7 + 1))); done | awk '{ sum += $1 } END { printf "%.2f", 100 * (70 - sum / NR) / 70 }')
for slices in 1 2 5 0; do
	DB=many.db SIZE=150x24 shows "... in slices ($slices) it is what it is at once" "^.* uneven .* $mean *$" <<< "${busy/1/$slices}"
done
DB=many.db SIZE=150x24 shows '... begun, left and begun again' " $mean  *.* rank  *uneven" <<< \
	$':slices 1\ntext::imbalance\nEnter\nEsc\ntext::imbalance\nEnter\n:slices 0\ntext::sort calls_imbalance\nEnter'
at_once 'the tree of many ranks: the one of before, while they are compared' 'reading the stacks [0-9]*%' '!imbalance%' ' main' <<< \
	$'t\n:slices 1\ntext::imbalance\nEnter'
at_once '... Esc: it stays' '─ call tree ─' '!reading' '!imbalance%' ' main' <<< $'t\n:slices 1\ntext::imbalance\nEnter\nEsc'
