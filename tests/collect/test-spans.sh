#!/bin/bash
# What was made in a span of time and is live in its end, and who will give back what is live:
# bounds that hold, and are one figure where they must be. The truth is what programs/spans.c prints.
. tests/collect/rows/lib.sh
must "compile" "$cgcc" -O1 -w "$top/tests/collect/programs/spans.c" -o spans
"$cgview" record -F 0 --space -o run.db ./spans > truth 2> err
equal "it ends well" 0 $?
value() { sqlite3 run.db "$1"; }
# The moments of the marks.
marks=$(value "SELECT b.moment FROM band b JOIN producer o ON o.id = b.producer JOIN procedure p ON p.id = o.procedure
	WHERE p.name = 'mark' AND b.live_bytes > 0 ORDER BY b.moment" | xargs)
equal "a moment for each mark" 8 "$(wc -w <<< "$marks")"

# rows OF: all spans from a mark, or the begin, to a later one, as FROM|TO|csv
rows()
{
	local from=-1 to a b
	for a in begin $marks; do
		to=-1
		for b in $marks; do
			to=$((to + 1))
			[ $to -le $from ] || "$cgview" report --by span --span "$a,$b" --of "$1" --format csv run.db |
				tr -d '\r' | tail -n +2 | sed "s/^/$from,$to,/"
		done
		from=$((from + 1))
	done
}
head=from,to,$("$cgview" report --by span --format csv run.db | tr -d '\r' | head -1)
for of in producer disposer; do
	{ echo "$head"; rows $of; } > "$of.csv"
done
cat > compare.py <<-'END'
	import collections, csv, sys
	truth = collections.defaultdict(dict)
	for line in open("truth"):
	    kind, *key, figure = line.strip().split("|")
	    truth[kind][tuple(key)] = int(figure)
	def rows(of):
	    with open(of + ".csv", newline="") as f:
	        for row in csv.DictReader(f):
	            figures = {k: int(v) for k, v in row.items() if k.endswith("_bytes")}
	            yield row, figures
	seen, wrong, exact, loose = set(), [], collections.Counter(), collections.Counter()
	for row, f in rows("producer"):
	    key = row["from"], row["to"], row["name"]
	    if row["name"] == "mark" or row["name"] == "main":
	        continue
	    seen.add(key)
	    true = truth["kept"][key]
	    same = f["kept_lo_bytes"] == f["kept_hi_bytes"]
	    (exact if same else loose)[row["name"]] += 1
	    if not f["kept_lo_bytes"] <= true <= f["kept_hi_bytes"] <= f["made_lo_bytes"] == f["made_hi_bytes"]:
	        wrong.append((key, true, f))
	    # Of these nothing was there before, or nothing was given back.
	    given = f["before_lo_bytes"] + f["made_lo_bytes"] - f["after_lo_bytes"]
	    if (not f["before_lo_bytes"] or not given) and not same:
	        wrong.append((key, "not exact", f))
	for key, true in truth["kept"].items():
	    if true and key not in seen:
	        wrong.append((key, "no row"))
	print("kept:", wrong[:3] or "within")
	print("exact:", int(exact["kept"] == 36), int(exact["one"] >= 8), int(loose["one"] > 8))
	wrong, shares, several = [], collections.Counter(), 0
	for row, f in rows("disposer"):
	    if row["from"] != "-1" or row["name"] in ("mark", "main"):
	        continue
	    name = row["name"]
	    true = truth["live"][row["to"], name]
	    shares[name] += f["after_lo_bytes"] > 0
	    several += f["after_lo_bytes"] < f["after_hi_bytes"]
	    if not f["after_lo_bytes"] <= true <= f["after_hi_bytes"]:
	        wrong.append((row["to"], name, true, f))
	    if row["what"] != ("(realloc)" if name == "resize" else ""):
	        wrong.append((name, row["what"]))
	print("by disposer:", wrong[:3] or "within")
	print("certain:", *sorted(n for n in shares if shares[n]), int(several > 8))
END
python3 compare.py > compared
equal "what was kept is within the bounds" "kept: within" "$(grep kept: compared)"
equal "exact of what is never freed, and from the begin; else a range" "exact: 1 1 1" "$(grep exact: compared)"
equal "what disposers will free is within the bounds" "by disposer: within" "$(grep 'by disposer:' compared)"
equal "... and more than nothing is certain of each" \
	"certain: first freed at exit never freed resize second 1" "$(grep certain: compared)"

# The time of a moment is one of its names; the peak is in the mark of the last phase.
last=${marks##* }
fields=kept_lo_bytes,kept_hi_bytes,made_lo_bytes,name
span() { "$cgview" report --by span --span "$1" --columns $fields --format csv run.db | tr -d '\r' | tail -n +2; }
at=$(value "SELECT at_ns FROM moment WHERE id = $last")
equal "an end by its time" "$(span "begin,$last")" "$(span "begin,${at}ns")"
equal "... and by another unit" "$(span "begin,$last")" "$(span "begin,$(python3 -c "print(($at + 0.5) / 1e6)")ms")"
equal "without --span it is the whole of the run" "$(span begin,end)" \
	"$("$cgview" report --by span --columns $fields --format csv run.db | tr -d '\r' | tail -n +2)"
equal "what was made in it is what the heap's clock says" "$(value "SELECT max(clock_bytes) FROM moment")" \
	"$(span begin,end | awk -F, '{ sum += $3 } END { print sum }')"
equal "at the end of the run all that is live is never freed" "1" "$("$cgview" report --span begin,end --of disposer \
	--columns kept_lo_bytes,kept_hi_bytes,name --format csv run.db | grep -c "^\([0-9]*\),\1,never freed")"
equal "the text has the facts" 1 "$("$cgview" report --span "begin,$last" run.db |
	grep -c '^from 0 ns to .* allocated, .* of it not freed by then$')"
i=0
for bad in begin, ,end 5 begin,x "end,begin" "$last,${marks%% *}" "begin,999999" "begin,-1s" "begin,nans" "begin,0ns" peak,begin; do
	"$cgview" report --by span --span "$bad" run.db > out 2> err
	[ "$?,$(wc -l < err),$(wc -c < out)" = 2,1,0 ] && i=$((i + 1)) || echo "# --span $bad: $(cat err)"
done
equal "what is no span: one line each" 11 $i
for bad in "--by line --process 1" "--by span --of arc" "--by line --of producer"; do
	"$cgview" report $bad run.db > out 2> err
	equal "$bad: one line" "2,1" "$?,$(wc -l < err)"
done
"$cgview" report --by line --span begin,end run.db > out 2> err
equal "a span of samples, where none were taken" "1|1" "$?|$(grep -c 'does not tell when its samples were taken' err)"
"$cgview" report --by span --process 9 run.db > out 2> err
equal "a process that is not there" "1|1" "$?|$(grep -c 'has moments of 1' err)"

"$cgview" bands --by disposer run.db > text
equal "bands by disposer" "1|1|1|1" "$(for name in 'first spans.c:[0-9:]*' 'never freed' 'freed at exit' 'one of several'; do
	grep -c "^ [^ ] .*B  $name$" text
done | paste -sd'|')"
equal "bands by site" 1 "$("$cgview" bands --by site run.db | grep -c '  kept spans.c:[0-9:]* malloc$')"
# Bands are as high as what is live, by whatever they are.
for by in producer site disposer; do
	must "a picture by $by" "$cgview" bands --by $by -o $by.svg run.db
done
python3 - > heights <<-'END'
	import re, xml.dom.minidom
	def outline(name):
	    paths = xml.dom.minidom.parse(name).getElementsByTagName("path")
	    bands = [p for p in paths if p.getElementsByTagName("title")]
	    return min(float(y) for p in bands for y in re.findall(r",([\d.]+)", p.getAttribute("d")))
	print(*{outline(by + ".svg") for by in ("producer", "site", "disposer")})
END
equal "all of them have the same height" 1 "$(wc -w < heights)"

# A profile of several runs, and one with figures that cannot be.
"$cgview" record -F 0 --space -o again.db ./spans > out 2> err
must "merge" "$cgview" merge -o both.db run.db again.db
equal "of two runs each process has its own span" "$(span begin,end)" \
	"$("$cgview" report --by span --process 2 --columns $fields --format csv both.db | tr -d '\r' | tail -n +2)"
cp run.db odd.db
sqlite3 odd.db "UPDATE band SET live_bytes = 9223372036854775807 WHERE id % 5 = 1;
	UPDATE band SET made_bytes = 9223372036854775807 WHERE id % 7 = 1;
	UPDATE disposal SET bytes = 9223372036854775807 WHERE id % 2;
	INSERT INTO band(moment, producer, live_bytes, made_bytes) SELECT moment, producer, live_bytes, made_bytes FROM band"
for of in producer disposer size; do
	timeout 20 "$cgview" report --span begin,end --of $of odd.db > out 2> err
	equal "odd figures: a span of ${of}s" 1 "$(($? <= 1))"
	timeout 20 "$cgview" bands --by $of odd.db > out 2> err
	equal "odd figures: bands of ${of}s" 1 "$(($? <= 1))"
done
