#!/bin/bash
# record --space: totals of what is called, producers behind wrappers, size classes, types. What is expected stands in
# the programs (programs/producers.c): numbers and bytes at marked lines. No sample of time is taken.
. tests/collect/rows/lib.sh
source=$top/tests/collect/programs/producers.c
value() { sqlite3 run.db "$1"; }

# spaced PROGRAM [ARGUMENT...]: the profile of a run is run.db; $status is its exit status
spaced()
{
	rm -f run.db*
	"$cgview" record -F 0 --space -o run.db "./$@" > out 2> err < /dev/null
	status=$?
}

# total NAME: what is allocated below a procedure, and whether that is an estimate
total() { value "SELECT total_allocs, total_bytes, shared FROM procedure WHERE name = '$1'"; }
all() { value "SELECT total FROM measure WHERE name = '$1'"; }

for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level -w "$source" -o "producers-$level" -pthread

	spaced producers-$level totals
	equal "-$level: below a procedure that has all of it to itself: exact" "4|28|0 4|28|0 1|50|0 5|230|0" \
		"$(total deep) $(total alone) $(total run_thread) $(total leaf)"
	equal "-$level: below main is all" "$(all allocs)|$(all bytes)|0" "$(total main)"
	equal "-$level: below one of several callers: shares by calls, marked" "3|138|1 2|92|1" \
		"$(total small) $(total large)"
	equal "-$level: the arcs, of several of a caller and a callee the sum" "3|138|1 2|92|1 4|28|0" "$(
		value "SELECT a.total_allocs, a.total_bytes, a.shared FROM arc a JOIN procedure c ON c.id = a.caller
			JOIN procedure p ON p.id = a.callee WHERE p.name IN ('leaf', 'deep') AND
			c.name <> 'deep' ORDER BY c.name DESC" | xargs)"
	equal "-$level: report: callers" "small,138 large,92" "$("$cgview" report --by arc --callee leaf --format csv \
		--columns caller,total_bytes run.db | tr -d '\r' | tail -n +2 | xargs)"
	equal "-$level: report marks them" "1 1 0" "$("$cgview" report run.db > text; for name in small large alone; do
		grep -c "≈ .*$name " text; done | xargs)"
	"$cgview" record -F 0 --space -a -o run.db ./producers-$level totals > out 2> err
	equal "-$level: record -a: twice as much" "8|56|0 6|276|1 $(all bytes)" \
		"$(total alone) $(total small) $(total main | cut -d'|' -f2)"
	equal "-$level: of one run" "4|28 3|138" "$("$cgview" report --runs 1 --format csv --columns \
		procedure,total_allocs,total_bytes run.db | tr -d '\r' | grep -E '^(alone|small),' | sort | cut -d, -f2- |
		tr , '|' | xargs)"
	python3 "$here/parts.py" run.db
	equal "-$level: the source's margin marks them" "1 1 0" "$("$cgview" annotate --columns total_bytes run.db > text
		for call in small large alone; do grep -cE "≈ .*\\s$call\(\);" text; done | xargs)"
done
