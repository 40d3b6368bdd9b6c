#!/bin/bash
# How much stack was in use at samples, against the sizes of frames that GCC tells.
. tests/collect/rows/lib.sh
source=$top/tests/collect/programs/depth.c
value() { sqlite3 "${2:-run.db}" "$1"; }
# stack self|total PROCEDURE [DB]
stack() { value "SELECT $1_stack FROM procedure WHERE name = '$2'" "${3:-run.db}"; }
# frame PROCEDURE: its size, with the return address
frame() { awk -F'[:\t]' -v name="$1" '$4 == name { print $5 }' depth.su; }
import()
{
	rm -f run.db
	"$cgview" import -o run.db raw/*.raw > import.out 2> import.err
}

for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level -fstack-usage -c "$source" -o depth.o
	must "link" "$cgcc" depth.o -o depth -pthread
	equal "-$level: GCC tells the sizes" 0 "$(grep -cv 'static$' depth.su)"
	run depth 30 7
	import
	above=$(($(cat out) + $(frame main)))
	deepest=$((above + 30 * $(frame recurse) + $(frame leaf)))
	equal "-$level: 30 frames, though 7 came later" "$deepest" "$(stack self leaf)"
	equal "-$level: ... and for who called" "$deepest $deepest $deepest" \
		"$(stack total leaf) $(stack total recurse) $(stack total main)"
	equal "-$level: ... where no time was spent itself nothing is known" 0 \
		"$(value "SELECT count(*) FROM procedure
		WHERE name NOT IN ('(cgview)', '(unprofiled)') AND (self_samples > 0) <> (ifnull(self_stack, 0) > 0)")"
	equal "-$level: ... lines, blocks and calls" "$deepest|$deepest|$deepest" \
		"$(value "SELECT (SELECT max(self_stack) FROM line), (SELECT max(self_stack) FROM block),
		(SELECT max(total_stack) FROM call_site)")"
	run depth 7 30
	import
	equal "-$level: the other way round" "$deepest" "$(stack self leaf)"
	cp run.db deep-$level.db
	run depth 7 7
	import
	equal "-$level: 7 frames" $((deepest - 23 * $(frame recurse))) "$(stack self leaf)"
	cp run.db flat-$level.db

	must "merge" "$cgview" merge -o both.db flat-$level.db deep-$level.db
	equal "-$level: two runs have the deeper one, not the sum" "$deepest $deepest" \
		"$(stack self leaf both.db) $(stack total main both.db)"
	equal "-$level: ... of one of them its own" $((deepest - 23 * $(frame recurse))) \
		"$("$cgview" report --runs 2 --format csv --columns procedure,self_stack both.db |
		sed -n 's/\r$//; s/^leaf,//p')"
	equal "-$level: ... a difference" "$((23 * $(frame recurse)))" \
		"$("$cgview" diff --expression 'b.stack - a.stack' --format csv flat-$level.db deep-$level.db |
		grep '^leaf,' | cut -d, -f10)"

	run depth threads
	import
	least=$(($(frame large) + $(frame itself)))
	got=$(stack self itself)
	check "-$level: threads: $got for $least, from each one's own first frame" \
		[ "$got" -ge $least -a "$got" -le $((least + 256)) ]
	equal "-$level: ... the whole of the larger one" "$got" "$(stack total large)"
	least=$(($(frame small) + $(frame itself)))
	got=$(stack total small)
	check "-$level: ... $got for $least of the smaller one" \
		[ "$got" -ge $least -a "$got" -le $((least + 256)) ]

	run depth elsewhere
	import
	equal "-$level: on other stacks it is not known" "1|0|1|0" \
		"$(value "SELECT self_samples > 0, ifnull(self_stack, 0) FROM procedure
		WHERE name IN ('on_signal', 'on_own')" | xargs | tr ' ' '|')"
	equal "-$level: ... where the stack is its own again, it is" \
		"$(($(cat out) + $(frame main) + $(frame elsewhere) + $(frame leaf)))" \
		"$(stack self leaf)"
	run depth handler
	import
	least=$(($(cat out) + $(frame main) + $(frame elsewhere) + $(frame on_signal)))
	got=$(stack self on_signal)
	check "-$level: a handler: $got, with what the kernel stored above $least" \
		[ "$got" -ge $((least + 500)) -a "$got" -le $((least + 20000)) ]
done

equal "the measure" "bytes|max|stacks|0|1" "$(value "SELECT unit, combine, inclusive, exact, detail
	FROM measure WHERE name = 'stack'")"
"$cgview" report --columns stack,procedure deep-O2.db > text
equal "in text it is told as a lower bound" 1 "$(grep -c '^ *≥[0-9.]* kB  leaf$' text)"
equal "... and not where nothing is known" 1 "$(grep -c '^ *-  threads$' text)"
"$cgview" annotate --procedure leaf --columns count,stack deep-O2.db > text
check "... in the source, too" grep -q '≥[0-9.]* kB' text
"$cgview" report deep-O2.db > text
equal "... where nobody asks there is no column" 0 "$(head -3 text | grep -c stack)"
CGVIEW_HZ=0 run depth 7 7
import
equal "without samples there is no such measure" 0 \
	"$(value "SELECT count(*) FROM measure WHERE name = 'stack'")"
