#!/bin/bash
# Samples of a span of time: a program of phases tells when each of them began and ended, by the clock that
# samples have, too. What is added up over spans that follow one another is the whole.
. tests/collect/rows/lib.sh
source=$top/tests/collect/programs/known-phases.c
must "compile" "$cgcc" -O1 "$source" -o phases -pthread
export CGVIEW_WALL=1

# record NAME [ARGUMENT...]: makes NAME.db; when phases were, in us since the run began, is in $red_begin ...
record()
{
	local name=$1 phase begin end start
	shift
	run phases "$@"
	must "import $name" "$cgview" import -o "$name.db" raw/*.raw
	start=$(python3 -c 'import struct, sys
print(struct.unpack_from("<Q", open(sys.argv[1], "rb").read(64), 32)[0])' raw/*.raw)
	while read -r phase begin end; do
		eval "${phase}_begin=$((begin - start / 1000 - 1)) ${phase}_end=$((end - start / 1000))"
	done < out
}

# rows DB QUERY [OPTION...]: procedures in csv, as a table t, asked by SQL.
rows()
{
	local db=$1 query=$2
	shift 2
	"$cgview" report --by procedure --format csv "$@" "$db" > rows.csv || return
	sqlite3 :memory: '.mode csv' '.import rows.csv t' '.mode list' "$query"
}

samples="SELECT coalesce(sum(self_samples), 0) FROM t WHERE procedure ="

record one
for phase in red green; do
	for other in red green; do
		begin=${phase}_begin end=${phase}_end
		got=$(rows one.db "$samples '$other'" --span "${!begin}us,${!end}us")
		should=0
		[ $other = $phase ] && should=$(rows one.db "$samples '$other'")
		equal "samples of $other in the phase $phase" "$should" "$got"
	done
done
check "some were taken" [ "$(rows one.db "$samples 'red'")" -gt 0 ]
check "and of the other" [ "$(rows one.db "$samples 'green'")" -gt 0 ]

# Counts are those of the whole run, and no time is told of each of them.
calls=$(rows one.db "SELECT calls FROM t WHERE procedure = 'green'")
equal "calls stay" "$calls" "$(rows one.db "SELECT calls FROM t WHERE procedure = 'green'" \
	--span "${red_begin}us,${red_end}us")"
equal "no time of each call" "" \
	"$(rows one.db "SELECT max(self_each_ns) FROM t" --span "${red_begin}us,${red_end}us")"
"$cgview" report --span "${red_begin}us,${red_end}us" --by procedure one.db > text
check "the head tells the span" grep -q '   only .*; counts of the whole run' text
"$cgview" report --span 0.1s,0.2s --by procedure --format json one.db > span.json
check "... and so does json" python3 -c 'import json; assert json.load(open("span.json"))["only"] == "100 ms to 200 ms; counts of the whole run"'
check "there is no self/call" sh -c '! grep -q self/call text'
"$cgview" report --by note --format csv --span begin,end one.db > notes
check "a note tells what it is of" grep -q 'counts, calls, memory and other measures are those of all' notes

# All of the time, and parts of it: samples, CPU time, and waiting, which is cut where the span ends.
all="SELECT sum(self_samples), sum(self_ns), sum(self_wait_ns), sum(total_samples), sum(calls) FROM t"
whole=$(rows one.db "$all")
equal "begin to end" "$whole" "$(rows one.db "$all" --span begin,end)"
middle=$(((red_end + green_begin) / 2))us
parts="SELECT sum(self_samples) || ' ' || sum(self_ns) || ' ' || sum(self_wait_ns) FROM t"
sum=$(for span in "begin,${red_begin}us" "${red_begin}us,$middle" "$middle,${green_end}us" \
	"${green_end}us,end"; do
	rows one.db "$parts" --span "$span" 2> /dev/null
done | awk '{ for (i = 1; i <= 3; i++) sum[i] += $i } END { printf "%d %d %d\n", sum[1], sum[2], sum[3] }')
equal "spans one behind the other" "$(rows one.db "$parts")" "$sum"
check "it waited" [ "$(rows one.db 'SELECT sum(self_wait_ns) FROM t')" -gt 0 ]

# Trees, source, lines, blocks and what is exported have the span, too.
span=(--span "${red_begin}us,${red_end}us")
red=$(rows one.db "$samples 'red'")
equal "tree" "$red" "$("$cgview" report --by tree --format csv "${span[@]}" one.db | python3 -c '
import csv, sys
print(sum(int(r["samples" if "samples" in r else "self_samples"]) for r in csv.DictReader(sys.stdin)
          if r["procedure"] == "red"))')"
for by in line block; do
	"$cgview" report --by $by --format csv "${span[@]}" one.db > "$by.csv"
	check "$by: red was sampled, green was not" python3 - "$by.csv" "$source" <<-'END'
		import csv, sys
		text = open(sys.argv[2]).read().split("\n")
		lines = {"red": [i + 1 for i, l in enumerate(text) if "i * 0.5" in l],
		         "green": [i + 1 for i, l in enumerate(text) if l.startswith("\t\tsink *=")]}
		sums = dict.fromkeys(lines, 0)
		for row in csv.DictReader(open(sys.argv[1])):
		    for name in lines:
		        # The loop is on the line before.
		        if int(row["line"] or 0) in (lines[name][0], lines[name][0] - 1):
		            sums[name] += int(row["self_samples"])
		sys.exit(not sums["red"] or sums["green"])
	END
done
"$cgview" export --format folded "${span[@]}" --measure samples one.db > folded
equal "exported" "$red" "$(awk '$1 ~ /(^|;)red$/ { n += $NF } END { print n + 0 }' folded)"
check "annotated" "$cgview" annotate "${span[@]}" one.db

# Threads, and spans of threads.
record two blue
"$cgview" report --by thread --format csv two.db > threads.csv
equal "threads" 3 "$(wc -l < threads.csv)"
n=0
for thread in 1 2; do
	[ "$(rows two.db "$samples 'blue'" --threads $thread)" -gt 0 ] && n=$((n + 1)) of_blue=$thread
done
equal "one of them is blue" 1 $n
check "a span of that thread" [ "$(rows two.db "$samples 'blue'" \
	--threads "$of_blue" --span "${red_begin}us,${green_end}us")" -gt 0 ]
equal "has nothing of others" 0 "$(rows two.db "$samples 'red'" --threads "$of_blue" \
	--span "${red_begin}us,${red_end}us")"
equal "and all threads have it" "$(rows two.db "$samples 'red'")" \
	"$(rows two.db "$samples 'red'" --span "${red_begin}us,${red_end}us")"

# Runs that are added up keep their times, each since it began itself.
must "merge" "$cgview" merge -o both.db one.db two.db
for from in begin "${red_begin}us" "$middle"; do
	sum=$(for db in one two; do rows $db.db "$parts" --span "$from,end"; done |
		awk '{ for (i = 1; i <= 3; i++) sum[i] += $i } END { printf "%d %d %d\n", sum[1], sum[2], sum[3] }')
	equal "merged, from $from" "$sum" "$(rows both.db "$parts" --span "$from,end")"
done
equal "one run of both" "$(rows one.db "$parts" --span "$middle,end")" \
	"$(rows both.db "$parts" --runs 1 --span "$middle,end")"
must "compare two spans" "$cgview" diff one.db:span=begin,"$middle" one.db:span="$middle",end

# Programs that were not built with cgcc, and perf's own files, whose times are since their first sample: perf script
# tells them, in microseconds, and the procedure of each.
must "compile without cgcc" gcc -g -O1 "$source" -o plain -pthread
must "record it" "$cgview" record -o plain.db -- ./plain
whole=$(rows plain.db "$parts")
check "it has samples" [ "${whole%% *}" -gt 0 ]
equal "begin to end of it" "$whole" "$(rows plain.db "$parts" --span begin,end)"
half=$(rows plain.db "$parts" --span begin,200ms 2> /dev/null || echo 0 0 0)
equal "two spans of it" "$whole" "$({ echo "$half"; rows plain.db "$parts" --span 200ms,end; } |
	awk '{ for (i = 1; i <= 3; i++) sum[i] += $i } END { printf "%d %d %d\n", sum[1], sum[2], sum[3] }')"
if HOME=/dev/null perf record -q -e cpu-clock -F 999 -g -o perf.data ./plain > out 2>&1; then
	must "import perf.data" "$cgview" import -o perf.db perf.data
	HOME=/dev/null perf script -i perf.data -F time,ip,sym --ns --no-inline 2> /dev/null > script
	python3 - script > spans <<-'END'
		import re, sys
		samples, time = [], None
		for line in open(sys.argv[1]):
		    head = re.match(r"\s*(\d+)\.(\d{9}):", line)
		    if head:
		        time = (int(head[1]) * 10**9 + int(head[2])) // 1000
		    elif line.strip() and time is not None:
		        samples.append((time, line.split()[1]))
		        time = None
		first = min(t for t, _ in samples)
		ends = sorted(t - first for t, _ in samples)
		for share in ((0, .3), (.3, .7), (.1, .9), (.5, 1)):
		    begin, end = (ends[int(s * (len(ends) - 1))] for s in share)
		    counts = [sum(begin <= t - first < end and s == name for t, s in samples) for name in ("red", "green")]
		    print(f"{begin}us,{end}us", *counts)
	END
	check "perf script tells samples" [ "$(wc -l < spans)" = 4 ]
	# The same as texts, with microseconds, nanoseconds, and without threads and events.
	HOME=/dev/null perf script -i perf.data --no-inline > us.script 2> /dev/null
	HOME=/dev/null perf script -i perf.data --no-inline --ns > ns.script 2> /dev/null
	HOME=/dev/null perf script -i perf.data --no-inline -F comm,tid,time,period,event,ip,sym > few.script 2> /dev/null
	for text in us ns few; do
		must "import perf script, $text" "$cgview" import -o $text.db $text.script
	done
	for db in perf us ns few; do
		while read -r span red green; do
			equal "perf's samples of $span, $db" "$red $green" \
				"$(rows $db.db "SELECT coalesce((SELECT self_samples FROM t WHERE procedure = 'red'), 0) || ' ' ||
					coalesce((SELECT self_samples FROM t WHERE procedure = 'green'), 0)" --span "$span")"
		done < spans
	done
	equal "begin to end of perf's" "$(rows perf.db "$all")" "$(rows perf.db "$all" --span begin,end)"
else
	echo "skip - perf.data: perf cannot record here"
fi

# The Firefox profiler's samples have times, too: as numbers, or as steps from one to the next.
for times in '"time": [10, 11.5, 13, 15.25]' '"timeDeltas": [10, 1.5, 1.5, 2.25]'; do
	cat > firefox.json <<-END
		{"meta": {"interval": 1, "preprocessedProfileVersion": 47, "startTime": 0}, "libs": [],
		 "threads": [{"name": "main", "pid": 1, "tid": 2, "stringArray": ["red", "green"],
		  "samples": {"stack": [0, 0, 1, 1], "weight": null, "weightType": "samples", $times},
		  "stackTable": {"prefix": [null, null], "frame": [0, 1]}, "frameTable": {"func": [0, 1], "line": [null, null]},
		  "funcTable": {"name": [0, 1], "fileName": [null, null]}}]}
	END
	must "import it" "$cgview" import -o firefox.db firefox.json
	# Since the first: 0, 1.5, 3, 5.25 ms; each stands for 1 ms.
	got=$(for span in begin,1500us 1500us,3ms 1ms,5251us 3ms,end; do
		rows firefox.db "SELECT group_concat(procedure || ' ' || self_samples || ' ' || self_ns) FROM
			(SELECT * FROM t WHERE self_samples > 0 ORDER BY procedure)" --span "$span"
	done)
	equal "Firefox, ${times%%:*}" 'red 1 1000000
red 1 1000000
green 2 2000000,red 1 1000000
green 2 2000000' "$got"
done

# What is no span is refused in a line.
for bad in 1s 2s,1s 1s,1s x,2s 1,2 1s,2s,3s -1s,2s nan,1s 1e400s,2e400s; do
	"$cgview" report --by procedure --span "$bad" one.db > /dev/null 2> err
	status=$?
	check "refused: $bad" [ "$status" -ne 0 -a "$(wc -l < err)" = 1 ]
done
"$cgview" report --by procedure --span 1000s,1001s one.db > /dev/null 2> err
check "nothing was sampled then" grep -q 'nothing was sampled from 1000 s to 1001 s' err
# damaged WHAT SQL: a profile whose times contradict its tables is refused in a line.
damaged()
{
	cp one.db bad.db
	sqlite3 bad.db "$2"
	"$cgview" report --by procedure --span begin,end bad.db > /dev/null 2> err
	status=$?
	check "refused: $1" [ "$status" = 1 -a "$(wc -l < err)" = 1 ]
}
damaged "a track without data" "UPDATE track SET data_zlib = NULL"
damaged "a track that is cut" "UPDATE track SET data_zlib = substr(data_zlib, 1, 20)"
damaged "numbers that do not end" "UPDATE track SET data_zlib = x'ffffffff', size_bytes = 4"
damaged "a row that is not there" "UPDATE track SET data_zlib = x'010106ffff7f0100000000', size_bytes = 11"
damaged "too many samples" "UPDATE track SET data_zlib = x'0100ffffff7f0000', size_bytes = 8"
damaged "a stack that is not there" "UPDATE track SET data_zlib = x'010001080001', size_bytes = 6"
sqlite3 bad.db "DELETE FROM track"
"$cgview" report --by procedure --span begin,end bad.db > /dev/null 2> err
check "no times" grep -q 'does not tell when its samples were taken' err
"$cgview" report --span 1s,2s one.db > /dev/null 2> err
check "a span of memory is not there: how to ask for one of time" grep -q 'the time of a span: --by procedure' err
"$cgview" report --by branch --span 1s,2s one.db > /dev/null 2> err
check "counts have no span" grep -q -- '--span does not go with --by branch' err
