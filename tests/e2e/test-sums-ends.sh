#!/bin/bash
# Threads that die, or are interrupted, at any moment in a loop whose counts are stored every 4,096 rounds.
# What the loop did stands in memory of its own: no count is above it; what is missing is the last strip of
# each such thread, and that is told and marked; all else is counted. With strict nothing is missing at all.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
cp "$here/programs/sums-random.c" .
ulimit -c 0
for name in round run; do
	eval "$name=$(sed -n "/\/\/= each $name$/=" sums-random.c)"
done

# of LINE COLUMN: what the profile says of it.
of()
{
	"$cgview" report --by line --format csv --columns line,count,lacking ends.db |
		awk -F, -v line="$1" -v column="$2" '$1 == line { print $column }' | tr -d '\r'
}
# ends PROGRAM WAY N: sets ended, done, runs (what it did), counted, lacking, counted_runs.
ends()
{
	rm -f e.*.raw
	(CGVIEW_OUT=$TMP_DIR/e CGVIEW_HZ=0 "./$1" "$2" "$3"; true) > said 2> /dev/null
	read -r ended done runs < said
	must "$2: import" "$cgview" import -o ends.db e.*.raw
	counted=$(of "$round" 2) lacking=$(of "$round" 3) counted_runs=$(of "$run" 2)
	echo "# $1 $2: $ended to $done rounds, counted $counted, $lacking runs lacking; $runs runs, counted $counted_runs"
}
# arc CALLER CALLEE: its calls, and what they lack
arc()
{
	"$cgview" report --by arc --format csv --columns caller,callee,count,lacking ends.db |
		awk -F, -v caller="$1" -v callee="$2" '$1 == caller && $2 == callee { print $3 " " $4 }' | tr -d '\r'
}
marked_arcs() { "$cgview" report --by arc --columns calls,caller,callee ends.db | sed -n 's/^ *≥[0-9.,kMG ]* //p' | tr -s ' '; }
strip=4096 # rounds at most
within() { [ "$2" -ge "$1" ] && [ "$2" -le "$3" ]; } # LEAST N MOST
told() { report ends.db note | grep -c 'a loop was not left'; }
marked() { "$cgview" report --by line --columns count,line ends.db | grep -cE '^ *≥'; }
# work COLUMN: those of three procedures whose work is marked as one that may be more
# Which sums over the whole program are marked.
marked_sums() {
	"$cgview" report ends.db | head -1 | grep -q ' cpu   ≥.* blocks' && echo title
	for by in run thread file directory; do
		"$cgview" report --by $by --columns blocks,$by ends.db | tail -1 | grep -q '^ *≥' && echo $by
	done
}
work() { "$cgview" report --columns "$1,procedure" ends.db | sed -n 's/^ *≥[0-9.,kMG ]* \(fill\|main\|runs\)$/\1/p' | sort | tr '\n' ' '; }

for flags in -O2 -O3; do
	must "compile with $flags" "$cgcc" $flags -pthread -o sums sums-random.c

	ends sums kill 1000
	check "$flags, 1,000 kills: no count is too high" [ "$counted" -le $((done + 1000)) ]
	check "$flags, ... all runs that ended are counted" [ "$counted" -ge "$ended" ]
	check "$flags, ... a strip is missing as often as is told, no more" \
		within $((done - strip * lacking - 1000)) "$counted" $((done + 1000))
	check "$flags, ... which is less than what runs did that did not end" \
		[ $((done - ended)) -gt $((strip * lacking)) ]
	check "$flags, ... of $lacking processes" within 1 "$lacking" 1000
	check "$flags, ... what stands outside of the loop is exact" \
		within $((runs - 1000)) "$counted_runs" $((runs + 1000))
	check "$flags, ... and not said to lack anything" [ "$(of "$run" 3)" = 0 ]
	check "$flags, ... a note tells it" [ "$(told)" = 1 ]
	check "$flags, ... and a mark" [ "$(marked)" -gt 0 ]
	check "$flags, ... the calls of what was inlined there lack as much" [ "$(arc fill value_of)" = "$counted $lacking" ]
	check "$flags, ... no other call does" [ "$(arc runs fill | cut -d' ' -f2)" = 0 ]
	check "$flags, ... and so they are marked" [ "$(marked_arcs)" = "fill value_of" ]
	check "$flags, ... work may be more" [ "$(work work)$(work "total work")" = "fill main runs fill main runs " ]
	check "$flags, ... and so may be all sums" [ "$(marked_sums | tr '\n' ' ')" = "title run thread file directory " ]
	check "$flags, ... in the source, too" [ "$("$cgview" annotate --columns total_work ends.db | grep -cE '^ *≥')" -gt 0 ]

	ends sums fault 1000
	check "$flags, 1,000 faults: a strip of each is missing, no more" \
		within $((done - strip * 1000)) "$counted" "$done"
	check "$flags, ... all runs that ended are counted" [ "$counted" -ge "$ended" ]
	check "$flags, ... and all faults are told" [ "$lacking" = 1000 ]
	check "$flags, ... what stands outside is exact" [ "$counted_runs" = "$runs" ]

	ends sums interrupt 3000
	check "$flags, 3,000 handlers that count in the same loop: nothing is lost" \
		[ "$counted $counted_runs $lacking" = "$done $runs 0" ]
	check "$flags, ... nothing is told, nothing marked" [ "$(told) $(marked) $(work work)$(work "total work")" = "0 0 " ]

	ends sums jump 1000
	check "$flags, 1,000 handlers that jump away: no count is too high" \
		[ "$counted" -le $((done + 1000)) ]
	check "$flags, ... all runs that ended are counted" [ "$counted" -ge "$ended" ]
	check "$flags, ... a strip is missing as often as is told, no more" \
		[ "$counted" -ge $((done - strip * lacking - 1000)) ]
	check "$flags, ... of $lacking" within 1 "$lacking" 1000
done

# What was inlined in the loop is called from elsewhere, too: its shares are by counts of which some are missing.
must "compile with another call" "$cgcc" -O2 -DSHARED -pthread -o shared sums-random.c
ends shared kill 300
check "total work of what shares by such counts is an estimate" [ "$("$cgview" report --columns "total work,procedure" ends.db |
	sed -n 's/^ *≈ [0-9.,kMG ]* \(fill\|main\|runs\|value_of\)$/\1/p' | sort | tr '\n' ' ')" = "fill main runs " ]

# Others are waited for by exit, as long as it takes, or for 50 ms.
whole=0
for i in 1 2 3 4 5 6 7 8; do
	ends sums thread 3000000
	case "$counted,$lacking" in
	3000000,0) whole=$((whole + 1)) ;;
	*,1) check "exit: whole strips of another thread's loop are counted" [ $((counted % strip)) = 0 ] ;;
	*) not_ok "exit: another thread's loop is counted whole, or told" ;;
	esac
done
check "exit waits for the loops of others ($whole of 8)" [ "$whole" -gt 0 ]
for way in _exit exec; do
	ends sums $way 30000000
	case "$counted,$lacking" in
	30000000,0) ok "$way: another thread's loop is counted whole" ;;
	*,1) check "$way: whole strips of another thread's loop are counted, and it is told" \
		[ $((counted % strip)) = 0 ] ;;
	*) not_ok "$way: another thread's loop is counted whole, or told" ;;
	esac
done

must "compile with strict" "$cgcc" -O2 --cgview-flags=strict -pthread -o strict sums-random.c
for way in kill fault jump; do
	ends strict $way 1000
	check "strict, 1,000 times $way: every round is counted" \
		within $((done - 1000)) "$counted" $((done + 1000))
	check "strict, ... nothing is told" [ "$(told) $lacking" = "0 0" ]
	check "strict, ... and no sum is marked" [ -z "$(marked_sums)" ]
done
