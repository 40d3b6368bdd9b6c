#!/bin/bash
# The first screen of two profiles: what makes their difference, and the ways from there. unit-versions.c has the
# figures.
. tests/tui/lib.sh
. "$top/tests/tui/compare-lib.sh"
export WHY=1
for size in 80x24 120x36; do
	golden why $size old.db new.db < /dev/null
done

# By hand, a run: sort's own blocks go from 2,550 to 131,250, which take 500 ms; it calls less 1,250 times and then 125,000
# times, which take 225 ms. 500 * 128,700 / 131,250 + 225 * 123,750 / 125,000 = 490.3 + 222.75.
shows 'the cause is the one that changed, with what it calls' 'old.db new.db' \
	'^ CPU a run 27.5 → 726 ms, +698 ±30 (4+4 runs)' '^▌ *+713 ±29 *MORE WORK *sort (changed) ' \
	'^ *+490 *own blocks *2,550 → 131 k' '^ *+223 *calls less *1,250 → 125 k' '^ *-2.2 *±1.5 *GONE *main (changed)' \
	' 2 causes beyond chance ' '^ *-12.8 *±5.0 *unresolved, 4 rows: 7.2 ms would have been seen' < /dev/null
shows 'Enter goes to its line' 'old.db new.db' '^▌.*│~ 13 .*k = n - 1' ' sort ─' <<< Enter
shows '... and to what it calls' 'old.db new.db' '^▌.*│. *3 .*less' <<< $'j\nj\nEnter'
shows '... and back' 'old.db new.db' '^▌ *+223 *calls less' <<< $'j\nj\nEnter\nBackspace'
shows 'both texts of the cause' 'old.db new.db' '─ side by side ' '~ .*13 .*k = n - 1' <<< '|'
shows 'its callers' 'old.db new.db' '─ callers of sort' <<< c
shows 'less of a cause' 'old.db new.db' '!own blocks' '+713 ±29' <<< h
shows '... and all of it' 'old.db new.db' 'calls gone *0.25 → 0' 'calls fresh *0 → 0.25' <<< $'j\nj\nj\nl'
shows 'what may be chance' 'old.db new.db' 'CHEAPER EACH *less' 'DEARER EACH *main' <<< $'G\nEnter'
shows 'it is found' 'old.db new.db' '^▌ *+223 *calls less' <<< $'text:/calls less\nEnter'
shows 'the tables are below it' 'old.db new.db' '─ compared procedures' '!MORE WORK' <<< q
shows '... and it is a key away' 'old.db new.db' '+713 ±29' <<< $'q\nY'
shows 'with an expression the tables come first' 'old.db new.db -e count' '─ compared procedures' '!MORE WORK' < /dev/null
shows 'from a view above it one comes to the source' 'old.db new.db' '^▌.*│~ 13 .*k = n - 1' '!MORE WORK' <<< $'|\n]\nEnter'
cp new.db one.db && sqlite3 one.db 'UPDATE totals SET runs = 1; DELETE FROM run WHERE id > 1' && cp one.db same.db
shows 'where nothing is beyond chance, what may be is shown' 'same.db one.db' ' 0 causes beyond chance ' '^▌ *0 ±.*unresolved, 4 rows' \
	'CHEAPER EACH\|DEARER EACH\|BEYOND THE SAMPLES\|same work' < /dev/null
shows 'of three profiles there is none' 'old.db new.db old.db' '─ compared procedures' 'causes are told of two profiles' <<< Y
shows 'of one neither' 'old.db' 'nothing is compared' <<< Y
shows 'the words are explained' 'old.db new.db' 'MORE, LESS WORK' 'DEARER, CHEAPER' <<< K
shows 'what is not there is told' 'old.db new.db' "the machine's speed is not taken out" < /dev/null
play old.db new.db <<< $'text::w written\nEnter'
check_written() { grep -q '^+713 ±29  MORE WORK  sort (changed)' written && grep -q 'unresolved, 4 rows' written; }
check_written
verdict $? ':w writes it'
for slices in 1000000 2; do
	printf '%s\n' size:100x30 ":slices $slices" j j ":save-screen slices-$slices" | play old.db new.db
done
cmp slices-1000000 slices-2 && grep -q 'calls less' slices-2
verdict $? 'in slices it is the same as at once'
