#!/bin/bash
# How things grow: the models that a series finds, against programs whose growth is known and counts that can
# be worked out by hand; its least squares, errors and intervals against those of growth.py.
. tests/e2e/lib.sh
need_collection
cp tests/compare/growth.c "$TMP_DIR"
cd "$TMP_DIR" || exit 1
must "build" "$cgcc" -O2 -o growth growth.c
sizes='16 32 64 128 200 256'
for n in $sizes; do record "n$n.db" ./growth $n; done
for n in 6 8 10 12 14 16 18; do record "small$n.db" ./growth $n small; done
printf '%s\n' $sizes > sizes
printf '%s\n' 6 8 10 12 14 16 18 > small
# shellcheck disable=SC2086
series() { "$cgview" diff --series sizes "$@" $(printf 'n%s.db ' $sizes); }
small() { "$cgview" diff --series small "$@" small{6,8,10,12,14,16,18}.db; }
# column NAME...: these columns of csv on the standard input, whatever their places
column() { python3 -c 'import csv, sys
for r in csv.DictReader(sys.stdin): print(*(r[c] for c in sys.argv[1:]), sep=":")' "$@"; }

# By procedure it is of all that they executed, not of calls, which are one each.
series --by procedure --format csv > rows.csv
column procedure model < rows.csv > models
expected() # expected PROCEDURE MODEL
{
	check "$1 grows as $2" grep -qxF "$1:$2" models
}
expected cube n^3
expected square n^2
expected sort 'n log n'
expected divide 'log n'
expected root 'sqrt n'
expected both n
expected same 1
expected table n
check "... all of them" [ "$(grep -c . models)" -ge 9 ]
check "the fastest first, of equal ones the largest" bash -c '
	[ "$(cut -d: -f1 models | grep -xE "cube|square|sort|both|root|divide|same" | tr "\n" " ")" = \
	"cube square sort both root divide same " ]'
small --by procedure --format csv | column procedure model > models
expected subsets 2^n
check "fibonacci grows as its golden ratio" grep -qxE 'fibonacci:1\.6[12]\^n' models

# Blocks: in cube() the loops are entered 1, n and n^2 times, and their steps executed n, n^2, n^3 times.
series --by range --format csv | column procedure line model coefficient constant | sort -u > ranges
check "the innermost step of three loops: n^3, once each" bash -c '
	awk -F: "\$1 == \"cube\" && \$2 == 14 && \$3 == \"n^3\" && \$4 > 0.999999 && \$4 < 1.000001 &&
		\$5 > -0.001 && \$5 < 0.001 { found = 1 } END { exit !found }" ranges'
check "what has a constant beside it: n + 5000" bash -c '
	awk -F: "\$1 == \"both\" && \$3 == \"n\" && \$4 > 0.999999 && \$4 < 1.000001 && \$5 > 4999.99 &&
		\$5 < 5000.01 { found = 1 } END { exit !found }" ranges'
# With callees main() is what it calls.
check "with what is called" bash -c '[ "$1" = "main:n^3" ]' sh \
	"$(series --by procedure -e a.total_work --format csv | column procedure model | grep ^main)"
# What is only there at larger sizes stands first when it is a hundredth of all there.
check "only at larger sizes, first" [ "$(series --by procedure --format csv -e 'min(a.work, 200000)' |
	column procedure from | sed -n 1p)" = late:128 ]
check "... where it is less than a hundredth, as all others" [ "$(column procedure from < rows.csv |
	grep -n ^late)" = 3:late:128 ]
check "foretold: counted at that size" bash -c '
	"$1" record -o at.db -- ./growth 400 > /dev/null 2>&1 &&
	"$1" report --sql "SELECT name, self_work FROM procedure" --format csv at.db > at.csv' sh "$cgview"
series --by procedure --at 400 --format csv > foretold.csv
check "... is in the intervals" python3 - <<'END_OF_PYTHON'
import csv
truth = {r["name"]: float(r["self_work"]) for r in csv.DictReader(open("at.csv"))}
rows = [r for r in csv.DictReader(open("foretold.csv")) if r["at"]]
outside = [(r["procedure"], truth[r["procedure"]], r["at_lo"], r["at_hi"]) for r in rows
           if not float(r["at_lo"]) * (1 - 1e-9) <= truth[r["procedure"]] <= float(r["at_hi"]) * (1 + 1e-9)]
assert len(rows) >= 9 and not outside, outside
END_OF_PYTHON
# Sizes that the profiles tell: the loop of table() is executed n times, and subsets() called 2^(n + 1) - 1 times.
rows="$(series --by procedure --format csv)"
same() # same NAME RULE
{
	check "sizes out of $1" [ "$(series --series "$2" --by procedure --format csv)" = "$rows" ]
}
same 'an argument' arg:1
line=$(grep -n 'int at = (int)(key' growth.c | cut -d: -f1)
same 'the count of a line' "line:growth.c:$line"
small --series calls:subsets --by procedure --format csv | column procedure model > models
check "sizes out of calls" grep -qx 'subsets:n' models
check "sizes out of a procedure" bash -c '[ "$1" = "$2" ]' sh \
	"$(small --series subsets.n --by procedure --format csv)" "$(small --series calls:subsets --by procedure --format csv)"
# square() executes a block more for each step, and some more: n^2 + 2 n + 3 of them, by the counts of all its blocks.
series --series square.work --by procedure --format csv | column procedure model > models
check "... and out of its work" grep -qx 'square:n' models
for n in 16 32 64; do
	SIZE=$n OTHER="it's other" SECRET=mum"bo"jumbo record_options='-F 0 --keep-env SIZE --keep-env OTHER' record "env$n.db" ./growth $n
done
record_counts set.db env SIZE=128 ./growth 128
check "sizes out of the environment" bash -c '
	"$1" diff -e "b.run.size - a.run.size" --size env:SIZE --format csv env16.db set.db > env.csv && grep -q "^cube,.*,112,both" env.csv &&
	"$1" diff --series env:SIZE --by procedure --format csv env16.db env32.db env64.db set.db > of-env.csv &&
	"$1" diff --series arg:1 --by procedure --format csv env16.db env32.db env64.db set.db | cmp - of-env.csv' sh "$cgview"
check "... which is told with the command" grep -qF "env SIZE=32 'OTHER=it'\\''s other' ./growth 32" \
	<("$cgview" report --sql 'SELECT command FROM run' --format csv env32.db)
check "... and no other variable is" bash -c '! grep -q mumbojumbo env*.db'
check "a variable that is not there is told, and the program recorded" bash -c '"$1" record --keep-env NOBODY -o x.db -- ./growth 5 2> err; [ -e x.db ] &&
	grep -q "keep-env NOBODY: there is no such variable" err && [ "$("$1" report --sql "select command from run" --format csv x.db | tail -1 | tr -d "\r")" = "./growth 5" ]' sh "$cgview"
check "... and what is none" bash -c '"$1" record --keep-env A=b -o x.db -- ./growth 5 2> err; [ $? = 2 ] &&
	grep -q "it is the name of a variable" err' sh "$cgview"
# A sweep: the same in one profile, whatever the order of the sizes, as often as wanted.
must() { "$@" > out 2> err || { cat out err; echo "not ok - $*"; }; }
must "$cgview" record -F 0 --sweep SIZE=64,16,32 -o sweep.db -- ./growth {SIZE}
for n in 16 32 64; do
	record_counts alone$n.db env SIZE=$n ./growth $n
done
check "a sweep has the runs of all sizes, each with its command" [ "$("$cgview" report --sql \
	'SELECT command FROM run ORDER BY id' --format csv sweep.db | tr -d '\r' | tail -3 | tr '\n' ';')" = \
	"env SIZE=64 ./growth 64;env SIZE=16 ./growth 16;env SIZE=32 ./growth 32;" ]
alone() { "$cgview" diff --series env:SIZE --by procedure --format csv alone16.db alone32.db alone64.db; }
for way in "diff" "diff --series" "diff --series env:SIZE" "diff --series arg:1"; do
	check "cgview $way has the series of it" cmp <(alone | sort) <("$cgview" $way sweep.db --by procedure --format csv | sort)
done
must "$cgview" record -F 0 -n 2 --sweep SIZE=16,32,64 -o twice.db -- ./growth {SIZE}
check "each size twice, in turn" [ "$("$cgview" report --by run --format csv --columns command twice.db | tr -d '\r' | tail -6 | tr '\n' ';')" = \
	"env SIZE=16 ./growth 16;env SIZE=32 ./growth 32;env SIZE=64 ./growth 64;env SIZE=16 ./growth 16;env SIZE=32 ./growth 32;env SIZE=64 ./growth 64;" ]
models() { "$cgview" diff --by procedure --format csv "$1" | column procedure model; }
check "... grows alike" cmp <(models sweep.db) <(models twice.db)
check "the text tells what n is" grep -qx 'n: SIZE' <("$cgview" diff sweep.db)
check "the axis, too" grep -q ' SIZE = 64$' <("$cgview" diff --plot --limit 1 --by procedure --series env:SIZE sweep.db)
check "... of bytes" grep -q 'argument 1 = 64$' <("$cgview" diff --plot --limit 1 --by procedure --series arg:1 sweep.db)
printf 'size:120x40\n:save-screen browsed\nEnter\n:save-screen axis\n' > sweep.script
CGVIEW_SCRIPT=sweep.script TERM=xterm-256color "$cgview" sweep.db > /dev/null
check "the browser opens it as a series" grep -q 'growth of' browsed
check "... with its axis" grep -q ' SIZE = 64 *$' axis
check "the variable is set, too" bash -c '"$1" record -F 0 --sweep SIZE=16,32 -o v.db -- sh -c "echo {SIZE} \$SIZE; exec ./growth {SIZE}" 2> err | grep -c "^\(16 16\|32 32\)$" | grep -qx 2' sh "$cgview"
refuses() { local name=$1 pattern=$2; shift 2; "$cgview" record -o no.db "$@" 2> err; [ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q -- "$pattern" err && [ ! -e no.db ]; verdict $? "$name"; }
refuses "a sweep without a place for the sizes" 'no argument has {SIZE}' --sweep SIZE=1,2 -- ./growth 5
refuses "... of one size" 'two sizes at least' --sweep SIZE=1 -- ./growth {SIZE}
refuses "... of none" 'two sizes at least' --sweep SIZE= -- ./growth {SIZE}
refuses "... of words" 'small is no size' --sweep SIZE=small,2 -- ./growth {SIZE}
refuses "... of less than nothing" '-1 is no size' --sweep SIZE=-1,2 -- ./growth {SIZE}
refuses "... without a name" 'NAME=VALUE' --sweep 1,2 -- ./growth {SIZE}
printf '#!/bin/sh\n./growth $1\n[ $1 != 32 ]\n' > fails.sh
chmod +x fails.sh
"$cgview" record -F 0 --sweep SIZE=16,32,64 -o failed.db -- ./fails.sh {SIZE} > out 2> err
check "a run that fails is told, the others are there" bash -c "[ $? = 1 ] && grep -q '1 of 3 runs failed' err && [ -e failed.db ]"
for n in 100 200 400; do
	head -c $n /dev/zero > "a file of $n"
	record_counts "file$n.db" ./growth 5 "a file of $n"
done
# diff -e growth by calls of main, which are the same, gives nothing; by bytes the exponent of nothing is 0.
check "sizes out of files" bash -c '[ "$("$1" diff -e b.run.size --size bytes:2 --format csv file100.db file400.db |
	grep ^fibonacci | cut -d, -f10)" = 400 ]' sh "$cgview"
check "the browser takes them, too" bash -c 'CGVIEW_SCRIPT=<(printf "size:120x36\n:save-screen screen\n") "$1" \
	--series arg:1 n16.db n32.db n64.db && grep -q "n^3 .* cube " screen' sh "$cgview"
# Colours are those of the model: n + 5000 is no less than n, though its exponent is near 0, and n log n no more.
printf 'size:120x60\n:save-screen screen\n:save-roles roles\n' > script
# shellcheck disable=SC2046
CGVIEW_SCRIPT=script "$cgview" --series arg:1 $(printf 'n%s.db ' $sizes)
# shellcheck disable=SC2046
cat screen roles
check "colours of the growth" python3 - <<'END_OF_PYTHON'
import re
lines = dict()
for text, roles in zip(open("screen"), open("roles")):
    m = re.search(r"(n\^[-0-9.]+)( [▲▼])? +(\S+( log n| n)?) +[▁-█]+ +(\w+) ", text)
    if m:
        lines[m.group(5)] = (m.group(3), set(roles[m.start(1):m.end(1)]), (m.group(2) or "").strip())
wanted = dict(cube=("n^3", {"J"}, "▲"), square=("n^2", {"J"}, "▲"), sort=("n log n", {"d"}, ""), both=("n", {"d"}, ""),
              table=("n", {"d"}, ""), root=("sqrt n", {"g"}, "▼"))
for name, what in wanted.items():
    assert lines.get(name) == what, (name, lines)
END_OF_PYTHON
refused() # refused RULE PATTERN
{
	check "usage: $1" bash -c '! "$1" diff --series "$2" n16.db n32.db 2> err && grep -q "$3" err' sh "$cgview" "$@"
}
refused calls:nobody 'n16.db: there is no procedure nobody'
refused line:growth.c:1 'no code in growth.c:1'
refused arg:2 'no argument 2'
refused arg:0 'is no number of an argument'
refused bytes:1 '/16, which is no file'
refused calls:subsets '0 is no size'
refused nobody.n 'n16.db: there is no procedure nobody'
refused env: 'env: names no variable: env:NAME'
refused env:SIZE 'the variable SIZE was not kept: record --keep-env SIZE'
for kind in procedure range; do
	series --by $kind --at 1e6 --format json > rows.json
	check "the least squares of ${kind}s" python3 "$top/tests/compare/growth.py" rows.json 1e6
	small --by $kind --at 20 --format json > rows.json
	check "... of small sizes" python3 "$top/tests/compare/growth.py" rows.json 20
done
# A picture: where its points stand, worked out for n^2 from 16 to 256.
series --by range --plot > plots
check "a picture of the points" python3 - <<'END_OF_PYTHON'
import math, re
text = open("plots").read()
head = next(m for m in re.finditer(r"^square  growth\.c:22:\S+  steps\+\+: n\^2\n", text, re.M))
rows = text[head.end():].splitlines()[:12]
found = {(c - 10, 11 - r) for r, row in enumerate(rows) for c, mark in enumerate(row) if mark == "●"}
wanted = {(math.floor(math.log(n / 16) / math.log(16) * 61 + .5), math.floor(math.log(n / 16) / math.log(16) * 11 + .5))
          for n in (16, 32, 128, 200, 256)}  # 64 is just between two cells
assert len(found) == 6 and found > wanted, (found, wanted, rows)
assert sum(row.count("·") for row in rows) == 62 - 6, rows
assert rows[0].startswith("  65,536 ┤") and rows[-1].startswith("     256 ┤"), rows
END_OF_PYTHON
series --at 1e6 --by procedure > text
cat text
check "as text" grep -Eq '^n\^3 +2\.[0-9]+ ±0\.[0-9]+ +[01]\.[0-9]{3} .* cube ' text
check "... foretold" grep -Eq '^growth .* at 1e\+06 +95% interval ' text
check "... no column without" bash -c '! series --by procedure | grep -q between'
check "usage: no size" bash -c '! "$1" diff --series small --at 0 small6.db small8.db 2> err && grep -q "greater than 0" err' \
	sh "$cgview"
check "usage: no series" bash -c '! "$1" diff --at 5 small6.db small8.db 2> err && grep -q "go with --series" err' sh "$cgview"
