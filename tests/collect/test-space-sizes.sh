#!/bin/bash
# record --space: size classes. The sizes stand in the program (programs/sizes.c); their classes are computed here. No
# sample of time is taken.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/sizes.c

# by_size MARK: class, blocks, bytes, live blocks and bytes of the call with the mark
by_size()
{
	value "SELECT size_class, sum(blocks), sum(bytes), sum(live_blocks), sum(live_bytes) FROM allocation a JOIN
		call_site s ON s.id = a.site WHERE s.line = $(line_of "$1") GROUP BY 1 ORDER BY 1" | xargs
}

# classes TIMES: likewise what the table in the source gives, for work() so many times
classes()
{
	python3 - "$source" "$1" <<-'END'
		import collections, re, sys
		sizes = re.search(r"sizes\[\] = {(.*?)}", open(sys.argv[1]).read(), re.S).group(1).split(",")
		rows = collections.defaultdict(lambda: [0, 0, 0, 0])
		for i, size in enumerate(map(int, sizes)):
		    of = max(16, 1 << (size - 1).bit_length() if size else 0)
		    for k, n in enumerate((i + 1, (i + 1) * size, i // 2, i // 2 * size)):
		        rows[of][k] += n * int(sys.argv[2])
		print(*("|".join(map(str, (of, *row))) for of, row in sorted(rows.items())))
	END
}

# adds_up NAME: what stands twice in a profile
adds_up()
{
	# Of procedures and not of calls: what a call has itself is none of its measures.
	equal "$1: classes add up to what producers have" "" "$(value "SELECT p.name FROM procedure p LEFT JOIN (SELECT procedure,
		sum(blocks) AS b, sum(bytes) AS n, sum(live_blocks) AS lb, sum(live_bytes) AS l, sum(peak_bytes) AS k,
		sum(slack_bytes) AS s, sum(temporary) AS t FROM allocation GROUP BY procedure) a ON a.procedure IS p.id OR
		(a.procedure IS NULL AND p.name = '(unprofiled)') WHERE (self_allocs, self_bytes, self_live_blocks, self_live,
		self_peak, self_slack, self_temporaries) IS NOT (ifnull(b, 0), ifnull(n, 0), ifnull(lb, 0), ifnull(l, 0),
		ifnull(k, 0), ifnull(s, 0), ifnull(t, 0))")"
	equal "$1: ... and to what became of them" 0 "$(value "SELECT count(*) FROM (SELECT site, procedure,
		sum(freed_blocks) AS b, sum(freed_bytes) AS n, sum(life_bytes) AS l, sum(live_bytes) AS v FROM allocation
		GROUP BY 1, 2) a LEFT JOIN (SELECT site, procedure, sum(iif(how = 'never', 0, blocks)) AS b, sum(iif(how =
		'never', 0, bytes)) AS n, sum(life_bytes) AS l, sum(iif(how = 'never', bytes, 0)) AS v FROM disposal GROUP BY
		1, 2) d ON a.site IS d.site AND a.procedure IS d.procedure
		WHERE (a.b, a.n, a.l, a.v) IS NOT (d.b, d.n, d.l, d.v)")"
	equal "$1: each moment is what is live of all classes" 0 "$(value "SELECT count(*) FROM moment WHERE live_bytes <>
		inherited_bytes + (SELECT ifnull(sum(live_bytes), 0) FROM size_band WHERE moment = moment.id)")"
	equal "$1: each class is known" 0 "$(value "SELECT (SELECT count(*) FROM size_band WHERE size_class IS NULL) +
		(SELECT count(*) FROM allocation WHERE size_class IS NULL)")"
	[ "$(value 'SELECT count(*) FROM part')" = 1 ] || python3 "$here/parts.py" "${db:-run.db}"
}

for level in O0 O2 'O3 -flto'; do
	must "compile at -$level" "$cgcc" -$level -w "$source" -o sizes -pthread
	spaced sizes
	equal "-$level: by malloc" "$(classes 1)" "$(by_size MALLOC)"
	equal "-$level: by a wrapper" "$(classes 1)" "$(by_size XMALLOC)"
	equal "-$level: by realloc, one by one" "16|16|136|0|0 32|16|392|0|0 64|32|1552|0|0 128|36|2970|1|100" \
		"$(by_size REALLOC)"
	equal "-$level: by strdup" "32|5|90|5|90" "$(by_size STRDUP)"
	equal "-$level: by calloc" "64|1|50|1|50" "$(by_size CALLOC)"
	adds_up "-$level"
	equal "-$level: what is live at the end is the peak's" "$(value 'SELECT sum(live_bytes) FROM allocation WHERE
		size_class > 1000')" "$(value 'SELECT sum(live_bytes) FROM size_band WHERE moment = (SELECT max(id) FROM
		moment) AND size_class > 1000')"
	spaced sizes 4
	equal "-$level: 4 threads" "$(classes 5)" "$(by_size MALLOC)"
	adds_up "-$level, threads"
	spaced sizes 0 3
	equal "-$level: children" "$(classes 4)|$(classes 4)" "$(by_size MALLOC)|$(by_size XMALLOC)"
	adds_up "-$level, children"
	spaced sizes 2 1 die
	equal "-$level: killed" "137 $(classes 4)" "$status $(by_size MALLOC)"
done

# ---- adding up, reports, pictures ----

spaced sizes 3
cp run.db one.db
must "record -a" "$cgview" record -F 0 --space -a -o one.db ./sizes 2
spaced sizes
must "merge" "$cgview" merge -o all.db one.db run.db
db=all.db
equal "merged" "$(classes 8)" "$(by_size MALLOC)"
adds_up merged
equal "report --by size: of one run" "$("$cgview" report --by size --format csv run.db)" \
	"$("$cgview" report --runs 3 --by size --format csv all.db)"
csv() { "$cgview" report --by "$1" --format csv --columns "$2" "${@:3}" all.db | tr -d '\r' | tail -n +2 | xargs; }
equal "report --by size" "$(value 'SELECT size_class, sum(blocks), sum(bytes), sum(live_bytes), sum(peak_bytes) FROM
	allocation GROUP BY 1 ORDER BY 1' | tr '|' , | xargs)" "$(csv size size_class,blocks,bytes,live,peak)"
equal "report --by producer" "$(value "SELECT size_class, sum(blocks), sum(freed) FROM (SELECT size_class, blocks,
	freed_bytes AS freed FROM allocation a JOIN call_site s ON s.id = a.site WHERE s.line = $(line_of REALLOC)) GROUP BY 1
	ORDER BY 1" | tr '|' , | xargs)" "$(csv producer line,size_class,blocks,freed --sort size_class | tr ' ' '\n' |
	sed -n "s/^$(line_of REALLOC),//p" | xargs)"
equal "report --by size, as text" "$(value 'SELECT count(DISTINCT size_class) FROM allocation')" \
	"$("$cgview" report --by size all.db | sed -n 's/.* \([0-9]*\) sizes$/\1/p')"
equal "json has the same" "$(csv size size_class,bytes)" "$("$cgview" report --by size --format json --columns \
	size_class,bytes all.db | python3 -c 'import json, sys
print(*("%d,%d" % (r["size_class"], r["bytes"]) for r in json.load(sys.stdin)["rows"]))' 2>&1)"
"$cgview" bands --by size run.db > text
equal "bands --by size: the greatest class" "1" "$(grep -c ' up to 524 kB$' text)"
must "an SVG" "$cgview" bands --by size -o bands.svg run.db
equal "... has its classes" 1 "$(grep -c 'up to 524 kB</t' bands.svg | sed 's/[1-9].*/1/')"
man=$(python3 "$top/tests/db/man.py" "$top/man/cgview-db.5" run.db)
equal "cgview-db(5) describes the tables" 2 "$(grep -cE '^ok - columns of (allocation|size_band)$' <<< "$man")"
for by in producer type size; do
	"$cgview" report --by $by --format csv --limit 0 run.db | tr -d '\r' | tr , '\n' > columns
	sed -n '/^\.Sh OUTPUT/,/^\.Pp/p' "$top/man/cgview-db.5" | sed -n "/^\.It Cm $by\$/,/^\.It/p" |
		sed -n 's/^\.Va //p' | tr -c 'a-z0-9_\n' ' ' | tr -s ' ' '\n' | sed '/^$/d' > described
	equal "cgview-db(5) has the columns of report --by $by" "$(cat columns)" "$(cat described)"
done
