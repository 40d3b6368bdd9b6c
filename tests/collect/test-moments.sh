#!/bin/bash
# record --space: live memory over time. What is expected stands in programs/moments.c; no clock is asked.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/moments.c
must "compile" "$cgcc" -O1 -w "$source" -o moments -pthread

# within NAME EXPECTED GOT SHARE: GOT differs by EXPECTED / SHARE at the most
within()
{
	local off=$(($3 > $2 ? $3 - $2 : $2 - $3))
	if [ $((off * $4)) -le "$2" ]; then
		ok "$1"
	else
		echo "# expected: $2, within 1/$4"
		echo "# got:      $3"
		not_ok "$1"
	fi
}

heap() { value "SELECT peak_lo_bytes, peak_bytes, peak_hi_bytes FROM heap WHERE pid = (SELECT pid FROM thread LIMIT 1)"; }
top() { value "SELECT live_bytes FROM moment WHERE peak"; }
# band MARK: what was live of the line with the mark at the peak
band()
{
	value "SELECT sum(live_bytes) FROM band JOIN producer ON producer.id = band.producer
		WHERE line = $(line_of "$1") AND moment = (SELECT id FROM moment WHERE peak)"
}
last() { value "SELECT live_bytes FROM moment ORDER BY id DESC LIMIT 1"; }

spaced moments stairs
equal "a staircase: the peak is exact" "0|1000000|1000000|1000000" "$status|$(heap)"
equal "its end is the peak, and what it is made of" "1000000|1000000|1000000" "$(top)|$(last)|$(band FILL)"
equal "the figure of the procedure and of the line" "1000000|1000000" "$(value "SELECT
	(SELECT self_peak FROM procedure WHERE name = 'fill'),
	(SELECT self_peak FROM line WHERE line = $(line_of FILL))")"
# steps SHARE: how often live falls, and how often it rises by more than this share of the most that is live
steps()
{
	value "SELECT count(*) FILTER (WHERE b.live_bytes < a.live_bytes), count(*) FILTER (WHERE
		b.live_bytes - a.live_bytes > (SELECT max(live_bytes) FROM moment) / $1 AND b.live_bytes > 0)
		FROM moment a JOIN moment b ON b.id = a.id + 1"
}
# Of 528 moments 400 at the most are kept, as it suits the shape: where live grew as evenly as time went by, few; but
# one of six in any case, of which each is less than 1/64 and about 1/128 of the peak.
equal "live does not fall, and no step that is kept is greater than 1/16" "0|0" "$(steps 16)"
most "it is made of so many moments" 600 "$(value "SELECT moments FROM heap")"
equal "time, processor time and the heap's clock do not go back" 0 "$(value "SELECT count(*) FROM moment a
	JOIN moment b ON b.id = a.id + 1
	WHERE b.at_ns < a.at_ns OR b.cpu_ns < a.cpu_ns OR b.clock_bytes < a.clock_bytes")"
equal "bands add up to what is live" 0 "$(value "SELECT count(*) FROM moment WHERE live_bytes != inherited_bytes +
	(SELECT coalesce(sum(live_bytes), 0) FROM band WHERE moment = moment.id)")"

spaced moments few_stairs
equal "a staircase of which all moments are kept, and its end" "1|1" "$(value "SELECT count(*) = moments + 1, moments > 100
	FROM moment, heap")"
equal "live does not fall, and no step is greater than 1/64" "0|0" "$(steps 64)"

spaced moments spike
equal "a spike: the peak is exact" "1300000|1300000|1300000" "$(heap)"
within "the moment of the peak" 1300000 "$(top)" 64
within "what it is made of: the spike" 1000000 "$(band MORE)" 64
equal "what it is made of: the rest" 300000 "$(band FILL)"
equal "the end" 0 "$(last)"

spaced moments saw
equal "a saw: the peak is exact" "1000000|1000000|1000000" "$(heap)"
within "the moment of the peak" 1000000 "$(top)" 64
# Teeth: how often live comes above 3/4 from below 5/8.
python3 - > teeth <<-'END'
	import sqlite3
	up = teeth = 0
	for (live,) in sqlite3.connect("run.db").execute("SELECT live_bytes FROM moment ORDER BY id"):
	    if live > 750000 and not up:
	        teeth, up = teeth + 1, 1
	    elif live < 625000:
	        up = 0
	print(teeth)
END
equal "its ten teeth" 10 "$(cat teeth)"

spaced moments long_saw
equal "a saw of 2,000 teeth: the peak is exact" "1000000|1000000|1000000" "$(heap)"
within "the moment of the peak behind them" 1000000 "$(top)" 64
# 2,000 x 2 x 200,000 bytes in steps of 1/128 of 700,000 would be 146,000 moments.
most "the threshold has grown" 40000 "$(value "SELECT moments FROM heap")"
most "what is kept" 401 "$(value "SELECT count(*) FROM moment")"

spaced moments die
equal "killed: what was live in the end" "137|1000000|1000000" "$status|$(last)|$(band FILL)"
IFS='|' read -r lo peak hi <<< "$(heap)"
equal "killed: the true peak is within what is told" 1 "$((lo <= 1000000 && hi >= 1000000 && hi - lo <= 65536))"

spaced moments child
equal "fork: the parent's peak" "500000|500000|500000" "$(heap)"
children="heap WHERE pid != (SELECT pid FROM thread LIMIT 1)"
IFS='|' read -r lo hi <<< "$(value "SELECT peak_lo_bytes, peak_hi_bytes FROM $children")"
equal "fork: what the child has inherited and made" 1 "$((lo <= 1050000 && hi >= 1050000 && hi - lo <= 65536))"
equal "fork: what it has given back of the inherited" "500000|250000" "$(value "SELECT max(inherited_bytes),
	min(inherited_bytes) FROM moment WHERE heap = (SELECT id FROM $children)")"
within "fork: at its peak" 1050000 "$(value "SELECT max(live_bytes) FROM moment WHERE heap = (SELECT id FROM $children)")" 64
equal "fork: of the run's greatest process alone" 1 "$(value "SELECT total BETWEEN 780000 AND 800000 FROM measure
	WHERE name = 'peak'")"

spaced moments threads
IFS='|' read -r lo peak hi <<< "$(heap)"
true_peak=$(value "SELECT 4000000 + coalesce((SELECT sum(self_bytes) FROM procedure WHERE name != 'work'), 0)")
equal "threads: the true peak is within what is told" 1 "$((lo <= true_peak && hi >= 4000000))"
most "threads: so much is not known" $((11 * 65536)) $((hi - lo))
within "threads: the moment of the peak" 4000000 "$(top)" 16

# ---- reports ----

man=$(python3 "$top/tests/db/man.py" "$top/man/cgview-db.5" run.db)
equal "cgview-db(5) describes the tables" 4 "$(grep -cE '^ok - columns of (producer|heap|moment|band)$' <<< "$man")"

spaced moments spike
equal "report --by moment" "$(value "SELECT count(*) FROM moment")|1300000|$(top)" \
	"$("$cgview" report --by moment --format csv run.db | tr -d '\r' | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
top = [r for r in rows if r["peak"] == "1"]
print(len(rows), top[0]["peak_hi_bytes"], top[0]["live_bytes"], sep="|")')"
equal "report --by band" "more|$(band MORE)" "$("$cgview" report --by band --sort live_bytes --limit 1 --format json \
	run.db | python3 -c 'import json, sys
r = json.load(sys.stdin)["rows"][0]
print(r["procedure"], r["live_bytes"], sep="|")')"
equal "report in text" 2 "$("$cgview" report --by moment run.db | grep -cE 'allocated|moments$')"
cp run.db one.db
spaced moments stairs
must "merge" "$cgview" merge -o both.db one.db run.db
db=both.db
equal "merged: each run keeps its own" "1|1300000 2|1000000" \
	"$(value "SELECT run, peak_bytes FROM heap ORDER BY run" | xargs)"
equal "merged: peaks add up" "1300000" "$(value "SELECT self_peak FROM procedure WHERE name = 'fill'")"
equal "merged: bands lead to their producers" 0 "$(value "SELECT count(*) FROM moment WHERE live_bytes !=
	inherited_bytes + (SELECT coalesce(sum(live_bytes), 0) FROM band WHERE moment = moment.id)")"
equal "merged: one row for each producer" "$(value "SELECT count(DISTINCT line) FROM producer")" \
	"$(value "SELECT count(*) FROM producer")"
db=run.db
for i in 1 2 3 4 5 6 7 8 9 10; do
	"$cgview" record -a -F 0 --space -o one.db ./moments stairs > out 2>&1 || not_ok "record -a"
done
db=one.db
equal "eleven runs: a heap each, moments of eight" "11|8" \
	"$(value "SELECT (SELECT count(*) FROM heap), count(DISTINCT heap) FROM moment")"
db=run.db
rm -f plain.db*
"$cgview" record -F 0 -o plain.db ./moments stairs > out 2>&1
equal "without --space: no table" 0 \
	"$(sqlite3 plain.db "SELECT count(*) FROM sqlite_schema WHERE name IN ('heap', 'moment', 'band', 'producer')")"
"$cgview" report --by moment plain.db > out 2> err
equal "without --space: a line says so" "1|1" "$?|$(grep -c 'has no memory over time: cgview record --space' err)"

# ---- pictures ----

spaced moments spike
must "an SVG" "$cgview" bands -o bands.svg run.db
# Each band is a path of steps: its greatest height in pixels is what was live at the peak, of 360.
# The whole height is the most that was live, or resident, if that is at most half as much again.
most=$(value "SELECT max(resident_bytes) FROM moment")
[ "$((most * 2))" -le "$(($(top) * 3))" ] || most=0
python3 - "$(band MORE)" "$(band FILL)" "$(($(top) > most ? $(top) : most))" > heights <<-'END'
	import re, sys
	import xml.dom.minidom
	more, fill, top = (int(x) for x in sys.argv[1:])
	svg = xml.dom.minidom.parse("bands.svg")
	paths = [p for p in svg.getElementsByTagName("path") if p.getElementsByTagName("title")]
	off = 0
	below = 0
	for p in paths:
	    name = p.getElementsByTagName("title")[0].firstChild.data.split(":")[0]
	    live = fill if name.startswith("fill") else more
	    points = [tuple(map(float, q.split(","))) for q in re.findall(r"[\d.]+,[\d.]+", p.getAttribute("d"))]
	    off = max(off, abs(400 - min(y for x, y in points) - 360 * (below + live) / top))
	    straight = all(a[0] == b[0] or a[1] == b[1] for a, b in zip(points, points[1:]))
	    below += live
	    print(name, int(straight))
	print(int(off < 0.1))
END
equal "it is well-formed, and has steps of the right height" "1 fill moments.c 1 more moments.c 1" "$(sort heights | xargs)"
# Of a program whose heap is most of it the resident size is a line; it is what the program itself has read.
cat > grows.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <string.h>
	#include <time.h>
	static void *volatile kept[64];
	static long resident(void)
	{
		char text[100] = "";
		long pages = 0;
		FILE *f = fopen("/proc/self/statm", "r");
		if (f && fgets(text, sizeof(text), f))
			sscanf(text, "%*s %ld", &pages);
		if (f)
			fclose(f);
		return pages * 4096;
	}
	int main(void)
	{
		for (int i = 0; i < 32; i++) {
			kept[i] = malloc(1 << 20);
			memset(kept[i], 1, 1 << 20);
			nanosleep(&(struct timespec){0, 2000000}, NULL); /* more than a ms */
		}
		printf("%ld\n", resident());
		kept[32] = malloc(2 << 20); /* a moment, of what was resident just now */
		return 0;
	}
END
must "compile what grows" "$cgcc" -O1 grows.c -o grows
"$cgview" record -F 0 --space -o grows.db ./grows > out 2> err
equal "the resident size of a moment is what the program has read, within a MB" 1 "$(sqlite3 grows.db \
	"SELECT min(abs(resident_bytes - $(cat out))) < 1 << 20 FROM moment WHERE live_bytes > 34 << 20")"
equal "report --by moment has it" "$(sqlite3 grows.db 'SELECT max(resident_bytes) FROM moment')" \
	"$("$cgview" report --by moment --format csv --columns resident_bytes grows.db | tr -d '\r' | tail -n +2 | sort -n |
		tail -1)"
must "an SVG" "$cgview" bands -o grows.svg grows.db
sqlite3 grows.db "SELECT resident_bytes FROM moment ORDER BY at_ns, id" > resident
equal "a picture has it as a line of the right height" "1|1" "$(python3 - <<-'END'
	import re, xml.dom.minidom
	resident = [int(line) for line in open("resident")]
	svg = xml.dom.minidom.parse("grows.svg")
	line = [p for p in svg.getElementsByTagName("path") if p.getAttribute("class") == "resident"]
	ys = [float(y) for y in re.findall(r"[\d.]+,([\d.]+)", line[0].getAttribute("d"))]
	wanted = [400 - 360 * r / max(resident) for r in resident if r]
	print(len(line), int(max(abs(a - b) for a, b in zip(ys[::2], wanted)) < 0.1), sep="|")
END
)"
equal "... and the text" 1 "$("$cgview" bands grows.db | grep -c '^ [-─] .* resident at most$')"
# Of what was resident nothing, so that the whole height is what was live.
cp run.db pixels.db
sqlite3 pixels.db "UPDATE moment SET resident_bytes = 0"
must "an SVG without it" "$cgview" bands -o pixels.svg pixels.db
# heights.py FILL MORE: has the lowest band one of these shares of the height, and both all of it?
cat > heights.py <<-'END'
	import re, sys, xml.dom.minidom
	def height(colour):
	    path = [p for p in xml.dom.minidom.parse("pixels.svg").getElementsByTagName("path")
	            if p.getAttribute("fill") == colour]
	    return 400 - min(float(y) for y in re.findall(r"[\d.]+,([\d.]+)", path[0].getAttribute("d")))
	# Which band is the lowest, the one with most area, depends on how long each moment lasted.
	most, both = height("#0072b2") / 360, height("#e69f00") / 360
	print(int(any(abs(most - float(s)) < 0.01 for s in sys.argv[1:])) or most, int(abs(both - 1) < 0.01) or both)
END
share() { python3 -c "print($1 / $(top))"; }
heights="$(share "$(band FILL)") $(share "$(band MORE)")"
equal "its bands are as high as what was live at the peak" "1 1" "$(python3 heights.py $heights | xargs)"
"$cgview" bands run.db > text
equal "as text: so many rows, both bands" "16|2" \
	"$(grep -c '[|│]' text)|$(grep -cE '^ [█▓#%] .* (fill|more) moments.c' text)"
for bad in bands.png bands no/bands.svg; do
	"$cgview" bands -o $bad run.db > out 2> err
	equal "-o $bad: one line, and no file" "1|1" "$(($? != 0))|$(wc -l < err)"
done
"$cgview" bands plain.db > out 2> err
equal "of a profile without" "1|1" "$?|$(grep -c 'has no memory over time' err)"
"$cgview" bands --process 9 run.db > out 2> err
equal "of a process that is not there" "1|1" "$?|$(grep -c 'has moments of 1' err)"
# Names from outside, and figures that cannot be.
cp run.db odd.db
sqlite3 odd.db "UPDATE procedure SET name = 'a<b>&\"' || char(27) || '[31m()\\' || char(955) WHERE name = 'more';
	UPDATE moment SET at_ns = 9223372036854775807 WHERE id = 7; UPDATE moment SET at_ns = 0 WHERE id = 9;
	UPDATE band SET live_bytes = 9223372036854775807 WHERE id % 50 = 3;
	INSERT INTO band(moment, producer, live_bytes, made_bytes) SELECT moment, producer, live_bytes, made_bytes FROM band"
timeout 300 "$cgview" bands -o odd.svg odd.db > out 2> err
equal "odd figures and names" 1 "$(($? <= 1))"
equal "the SVG is still one, without control characters" "svg 0" "$(python3 -c '
import xml.dom.minidom
print(xml.dom.minidom.parse("odd.svg").documentElement.tagName)') $(grep -c "$(printf '\033')" odd.svg)"
timeout 300 "$cgview" bands odd.db > text 2> err
equal "and the text has none" 0 "$(grep -c "$(printf '\033')" text)"
sqlite3 odd.db "UPDATE band SET live_bytes = -5, producer = 4000000000 WHERE id = 5; UPDATE moment SET heap = 77 WHERE id = 3"
timeout 300 "$cgview" bands odd.db > text 2> err
equal "damage is told" "1|1" "$(($? != 0))|$(grep -c damaged err)"

# ---- what another tool says ----

if command -v valgrind > /dev/null; then
	must "compile an example" "$cgcc" -O2 -w "$top/examples/heap.c" -o heap
	"$cgview" record -F 0 --space -o heap.db ./heap > out 2>&1
	valgrind -q --tool=massif --peak-inaccuracy=0.0 --massif-out-file=massif ./heap > out 2>&1
	equal "massif has the same peak" "$(sed -n 's/^mem_heap_B=//p' massif | sort -n | tail -1)" \
		"$(sqlite3 heap.db "SELECT peak_bytes FROM heap WHERE peak_lo_bytes = peak_hi_bytes")"
else
	echo "skip - there is no valgrind"
fi
