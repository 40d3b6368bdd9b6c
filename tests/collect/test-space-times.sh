#!/bin/bash
# record --space: what allocating and giving back cost their callers. The times are sampled, so they are compared with
# what is known of the same samples otherwise: the time below each call.
. tests/collect/space-lib.sh
must "compile" "$cgcc" -O1 -w "$top/tests/collect/programs/costs.c" -o costs
must "compile without cgcc" gcc -O1 -w "$top/tests/collect/programs/costs.c" -o costs.plain
must "record" "$cgview" record --space -F 1000 -o run.db ./costs
below() { value "SELECT sum(total_ns) FROM call_site WHERE target IN ($1)"; }
equal "all of the time below malloc and realloc, and below free" "$(below "'malloc', 'realloc'")|$(below "'free'")" \
	"$(value "SELECT (SELECT total FROM measure WHERE name = 'alloc_time'), (SELECT total FROM measure WHERE
		name = 'free_time')")"
equal "there is some of both" "1|1" "$(value "SELECT (SELECT total > 0 FROM measure WHERE name = 'alloc_time'),
	(SELECT total > 0 FROM measure WHERE name = 'free_time')")"
spent=$(./costs.plain)
equal "it is at least half of what they take in a plain run ($spent ns)" 1 "$(value "SELECT sum(total) > $spent / 2
	FROM measure WHERE name IN ('alloc_time', 'free_time')")"
equal "it is its callers'" "drop:free grow:alloc make:alloc" "$(value "SELECT name || iif(self_alloc_time, ':alloc', '') ||
	iif(self_free_time, ':free', '') FROM procedure WHERE self_alloc_time + self_free_time > 0 ORDER BY 1" | xargs)"
equal "of lines and ranges, and what calls bring, it is as much" 1 "$(value "SELECT
	(SELECT sum(self_alloc_time) FROM line) = m.total AND (SELECT sum(self_alloc_time) FROM range) = m.total AND
	(SELECT sum(total_alloc_time) FROM context WHERE parent IS NULL) = m.total AND
	(SELECT total_alloc_time FROM procedure WHERE name = 'main') = m.total FROM measure m WHERE name = 'alloc_time'")"
equal "it is an estimate, and a detail" "0|1 0|1" \
	"$(value "SELECT exact, detail FROM measure WHERE name IN ('alloc_time', 'free_time')" | xargs)"
equal "report, tree, diff" "3|main|0" "$("$cgview" report --format csv --columns procedure,self_alloc_time,self_free_time \
	run.db | tr -d '\r' | grep -cE '^(make|grow|drop),')|$("$cgview" report --by tree --measure free_time --format csv run.db |
	tr -d '\r' | sed -n 2p | cut -d, -f5)|$("$cgview" diff --by procedure -e 'b.alloc_time - a.alloc_time' --format csv \
	run.db run.db | tr -d '\r' | python3 -c 'import csv, sys
print(sum(float(r["value"]) for r in csv.DictReader(sys.stdin)))' | sed 's/\.0$//')"
must "record -a" "$cgview" record -a --space -F 1000 -o run.db ./costs
python3 "$here/parts.py" run.db
must "record without samples" "$cgview" record --space -F 0 -o run.db ./costs
none="SELECT count(*) FROM measure WHERE name IN ('alloc_time', 'free_time')"
equal "without samples there is none" 0 "$(value "$none")"
must "record without --space" "$cgview" record -o run.db ./costs
equal "... nor without --space" 0 "$(value "$none")"
