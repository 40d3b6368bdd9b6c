#!/bin/bash
# record --space: of which types blocks are. The types stand behind the marks in the programs (programs/types.c, types.cc);
# numbers and bytes by type are added up here from the calls. No sample of time is taken.
. tests/collect/space-lib.sh

# marks FILE: line and type of each mark, as the source says
marks()
{
	grep -nE "/[*/] [A-Z_]+:" "$1" | sed -E 's#^([0-9]+):.*/[*/] [A-Z_]+: *(.*)#\1 \2#; s# \*/$##; s# +$##'
}
# told FILE: likewise as the profile has it
told()
{
	for line in $(marks "$1" | cut -d' ' -f1); do
		echo "$line $(value "SELECT DISTINCT coalesce(s.type, '') FROM allocation a JOIN call_site s ON s.id = a.site
			WHERE s.line = $line")"
	done | sed 's/ *$//'
}

# by_type: name, calls, blocks, bytes, live and peak of each, from the calls
by_type()
{
	value "SELECT coalesce(s.type, ''), count(DISTINCT ifnull(a.site, -a.procedure)), sum(a.blocks), sum(a.bytes),
		sum(a.live_bytes), sum(a.peak_bytes), sum(a.freed_bytes) FROM allocation a LEFT JOIN call_site s ON
		s.id = a.site GROUP BY s.type ORDER BY 4 DESC, 1" | tr '|' ,
}
csv() { "$cgview" report --by "$1" --format csv --columns "$2" "${@:3}" "${db:-run.db}" | tr -d '\r' | tail -n +2; }

source=$top/tests/collect/programs/types.c
for level in O0 O2 'O3 -flto'; do
	must "compile at -$level" "$cgcc" -$level -w "$source" -o types -pthread
	spaced types
	equal "-$level: each call" "$(marks "$source")" "$(told "$source")"
	equal "-$level: struct node: 4 blocks of 16" "4|64" "$(value "SELECT sum(blocks), sum(bytes) FROM allocation a JOIN
		call_site s ON s.id = a.site WHERE s.type = 'struct node'")"
	equal "-$level: point: 1 of 1, of 7, of 1, of 2" "4|$((16 * 11))" "$(value "SELECT sum(blocks), sum(bytes) FROM
		allocation a JOIN call_site s ON s.id = a.site WHERE s.type = 'point'")"
	equal "-$level: report --by type" "$(by_type)" "$(csv type type,makers,blocks,bytes,live,peak,freed |
		sort -t, -k4,4nr -k1,1)"
	spaced types 3 2
	equal "-$level: threads and children: each call" "$(marks "$source")" "$(told "$source")"
	equal "-$level: threads and children: struct node" "24|384" "$(value "SELECT sum(blocks), sum(bytes) FROM allocation a
		JOIN call_site s ON s.id = a.site WHERE s.type = 'struct node'")"
done

# ---- adding up, reports, pictures ----

spaced types
cp run.db one.db
must "record -a" "$cgview" record -F 0 --space -a -o one.db ./types 1
spaced types
must "merge" "$cgview" merge -o all.db one.db run.db
db=all.db
equal "merged: each call" "$(marks "$source")" "$(told "$source")"
equal "merged: struct node" "struct node,16,256" "$(csv type type,blocks,bytes | grep '^struct node,')"
equal "of one run" "struct node,4,64" "$(csv type type,blocks,bytes --runs 1 | grep '^struct node,')"
line=$(marks "$source" | sed -n 's/ struct tail$//p')
equal "report --by producer" "$line,struct tail,4,$((4 * 11))" "$(csv producer line,type,blocks,bytes | grep "^$line,")"
equal "report --by lifetime" "$line,struct tail" "$(csv lifetime line,type | grep "^$line,")"
equal "report --by pair" "$line,struct tail,never" "$(csv pair line,type,how | grep "^$line,")"
equal "a filter" 1 "$(csv type type --filter 'struct tail' | wc -l)"
"$cgview" bands --by type run.db > text
equal "bands --by type: what is live of the greatest" 1 "$(grep -c ' 400 B  int$' text)"
# 33 bytes in a run beside 44 in two: of unequal numbers of runs figures are those of a run.
equal "diff: what was allocated more there" "$line,$(python3 -c 'print(round((33 + 44) / 3 - 44 / 2, 6))')" "$("$cgview" diff --format csv --by line -e \
	'b.bytes - a.bytes' run.db all.db 2> err | tr -d '\r' | python3 -c '
import csv, sys
for r in csv.DictReader(sys.stdin):
    if r["line"] == sys.argv[1]: print(r["line"], round(float(r["value"]), 6), sep=",")' "$line")"
db=run.db

# ---- C++ ----

source=$top/tests/collect/programs/types.cc
for level in O0 O2 'O3 -flto'; do
	must "compile C++ at -$level" "$build/cgg++" -$level -w "$source" -o objects
	spaced objects
	equal "C++ -$level: each call" "$(marks "$source")" "$(told "$source")"
	equal "C++ -$level: an instance of a template has its own" "shapes::cell<char>|1|16 shapes::cell<double>|1|16" \
		"$(value "SELECT s.type, sum(blocks), sum(bytes) FROM allocation a JOIN call_site s ON s.id = a.site WHERE
		s.line = $(grep -n '// TEMPLATE' "$source" | cut -d: -f1) GROUP BY 1 ORDER BY 1" | xargs)"
	equal "C++ -$level: what a vector has" "5|248" "$(value "SELECT sum(blocks), sum(bytes) FROM allocation a JOIN
		call_site s ON s.id = a.site JOIN procedure p ON p.id = a.procedure WHERE s.type = 'shapes::plain' AND
		p.name LIKE 'std::vector%'")"
	[ "$level" = O0 ] || equal "C++ -$level: the nodes of a list" "5|120" "$(value "SELECT sum(blocks), sum(bytes) FROM
		allocation a JOIN call_site s ON s.id = a.site WHERE s.type = 'std::_List_node<long int>'")"
done
