#!/bin/bash
# cgview diff: random pairs against the sqlite3 shell; options; output; hostile expressions leave the
# profiles alone.
set -u
. tests/db/lib.sh
need python3 sqlite3
here=$top/tests/compare
cd "$TMP_DIR" || exit 1
python3 "$here/pairs.py" "$cgview" "$make_profile" "$TMP_DIR" || echo "not ok - pairs.py"
"$make_profile" a.db --odd --procedures 30 --ranges 500 --lines 500 || exit 1
cp a.db b.db
sqlite3 b.db 'UPDATE procedure SET calls = calls + id, self_ns = self_ns + 1000 * id'

# usage NAME PATTERN ARGUMENTS...: status 2, nothing on stdout.
usage()
{
	local name=$1 pattern=$2 status
	shift 2
	"$cgview" diff "$@" > out 2> err
	status=$?
	[ $status = 2 ] && [ ! -s out ] && head -1 err | grep -qE -e "$pattern"
	verdict $? "usage: $name"
}
usage "no profile" 'which profiles'
usage "one profile" 'which profiles' a.db
usage "unknown option" 'unknown option --nope' --nope a.db b.db
usage "unknown kind" 'procedure, block' --by nope a.db b.db
usage "unknown format" 'csv' --format xml a.db b.db
usage "unknown side" 'a, b, both' --only c a.db b.db
usage "limit" 'number' --limit x a.db b.db
usage "sizes" 'for each profile' --size 1,x a.db b.db
usage "too few sizes" '1 sizes for 2' --size 1 a.db b.db
usage "a rule without =" 'REGEX=NEW' --rename x a.db b.db
usage "option without its value" '--by wants' a.db b.db --by
usage "an expression that is none" 'syntax' -e 'a.count +' a.db b.db
usage "a measure that was not recorded" 'no profile has live: cgview record --space' -e 'b.live - a.live' a.db b.db
usage "... nor events" 'no profile has total_minor_faults: cgview record -e page-faults' -e b.total_minor_faults a.db b.db
usage "a condition that is none" 'which profile' --fail-if 'count > 1' a.db b.db
usage "series and a condition" 'goes with' --series x --fail-if 1 a.db b.db
fails "no such profile" 'does not exist' "$cgview" diff a.db nope.db
fails "normalise by nobody" 'no procedure nope' "$cgview" diff --normalise nope a.db b.db
fails "no sizes" 'cannot open' "$cgview" diff --series nope a.db b.db
printf '1\n' > few; printf '1\n2\n3\n' > many; printf '1\nx\n' > bad; printf 'c.db 1\n' > other
usage "a size is missing" 'no size for b.db' --series few a.db b.db
usage "a size too many" 'more sizes' --series many a.db b.db
usage "no number" "bad:2: 'x'" --series bad a.db b.db
usage "a profile that is not there" 'other:1: c.db' --series other a.db b.db
printf 'a.db 1\na.db 2\nb.db 3\n' > twice; printf '1\0000\n2\n' > zero
usage "two sizes for one profile" 'twice:2: a.db has a size' --series twice a.db b.db
usage "a list with a zero byte" 'zero byte' --series zero a.db b.db
usage "a list without end" 'larger than' --series /dev/zero a.db b.db
mkdir -p sub && cp b.db sub/a.db
printf 'a.db 1\nsub/a.db 2\n' > both
printf '# %06000d\n1 # a\n\n  2\r\n' 7 > long
for list in both long; do
	check "a list with $([ $list = both ] && echo names that begin alike || echo a long line)" cmp \
		<("$cgview" diff --format csv --series $list sub/a.db a.db) \
		<("$cgview" diff --format csv --series <(if [ $list = both ]; then printf '2\n1\n'; else
			printf '1\n2\n'; fi) sub/a.db a.db)
done
check "every option is in the help" bash -c 'for o in expression output by only limit format size \
	normalise rename fail-if series help; do "$1" diff --help | grep -qe "--$o" || exit 1; done' sh "$cgview"
check "the names of expressions are in the help" bash -c 'for n in count time ratio growth share \
	significance excess; do "$1" diff --help | grep -q "^  $n " || exit 1; done' sh "$cgview"

"$cgview" diff -e 'b.count - a.cuont' a.db b.db 2> err
printf '  b.count - a.cuont\n              ^\n' | cmp -s - <(tail -2 err)
verdict $? "a caret stands below the mistake"
! "$cgview" diff -e $'a.count \e[31m' a.db b.db 2>&1 | grep -q $'\e'
verdict $? "an expression is shown with its control characters escaped"

for format in text csv json; do
	"$cgview" diff --format $format --by range a.db b.db > /dev/full 2> err
	[ $? = 2 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'No space' err
	verdict $? "$format to a full disk is told"
	"$cgview" diff --format $format --by range a.db b.db 2> err | head -1 > /dev/null
	[ ! -s err ]
	verdict $? "$format to a reader that goes away is quiet"
	! "$cgview" diff --format $format a.db b.db | grep -q $'\e'
	verdict $? "$format: no control characters of names"
done
check "csv: the columns" bash -c '[ "$("$1" diff --format csv a.db b.db | head -1 | tr -d "\r")" = \
	procedure,file,line,column,end_line,end_column,kind,a,b,value,sides,significance,callee,a_file,a_line,a_column,a_end_line,a_end_column,type,size_class,error,verdict,least ]' sh "$cgview"
check "json is json" bash -c '"$1" diff --format json --by arc a.db b.db | python3 -c "
import json, sys
d = json.load(sys.stdin)
assert d[\"version\"] == 1 and len(d[\"profiles\"]) == 2 and len(d[\"rows\"]) > 10"' sh "$cgview"
check "json has infinite values as numbers" bash -c '"$1" diff --format json -e "ratio(b.count, 0)" \
	--limit 1 a.db b.db | python3 -c "
import json, sys
assert json.load(sys.stdin)[\"rows\"][0][\"value\"] == float(\"inf\")"' sh "$cgview"
sqlite3 b.db 'UPDATE procedure SET calls = id * 7 % 13 WHERE id < 9; UPDATE procedure SET calls = 99 WHERE id = 9'
cp a.db zero.db; sqlite3 zero.db 'UPDATE procedure SET calls = 0 WHERE id < 9'
check "infinite ratios: the heaviest first" [ "$("$cgview" diff -e ratio --format csv zero.db b.db | tr -d '\r' |
	sed -n 's/.*,procedure,0,\([0-9]*\),1e999,.*/\1/p' | xargs)" = "$(sqlite3 b.db 'SELECT calls FROM procedure
	WHERE id < 9 AND calls > 0 ORDER BY calls DESC' | xargs)" ]
# What is new and less than a hundredth of all goes behind all that was there before, here and in what is stored.
sqlite3 b.db 'UPDATE procedure SET calls = 1000000 WHERE id = 1; UPDATE procedure SET calls = 10000 WHERE id = 9'
sqlite3 zero.db 'UPDATE procedure SET calls = 7000 WHERE id = 9'
"$cgview" diff -e ratio --format csv zero.db b.db > ratio.csv
check "... what weighs little behind all finite ones" python3 - <<'END_OF_PYTHON'
import csv
rows = [(float(r["value"] or "nan"), max(float(r["a"]), float(r["b"]))) for r in csv.DictReader(open("ratio.csv"))]
whole = sum(weight for _, weight in rows)
def rank(row):
    value, weight = row
    if value != value:
        return (2, 0, -weight)
    if value == float("inf"):
        return (0 if weight >= whole / 100 else 1.5, 0, -weight)
    return (1, -value, -weight)
ranks = [rank(r) for r in rows]
assert ranks == sorted(ranks), rows
assert {0, 1, 1.5} <= {r[0] for r in ranks}, rows
END_OF_PYTHON
"$cgview" diff -o ratio.db -e ratio zero.db b.db
check "... when they are stored, too" cmp <("$cgview" report --by comparison --columns procedure,value --format csv ratio.db) \
	<("$cgview" diff -e ratio --format csv zero.db b.db | python3 -c 'import csv, sys
out = csv.writer(sys.stdout)
for r in csv.DictReader(sys.stdin): out.writerow([r["procedure"], r["value"]])' | sed '1iprocedure,value\r')
cp a.db b.db; sqlite3 b.db 'UPDATE procedure SET calls = calls + id, self_ns = self_ns + 1000 * id'
check "limit" bash -c '[ "$("$1" diff --format csv --limit 3 a.db b.db | wc -l)" = 4 ]' sh "$cgview"

# Significance by hand: the interval is 1 ms, so these are 9 and 16 samples, of four runs. That of 25 as many or more are on
# one side, or as few or fewer, has p = 0.22952 (binomial), as has a deviation of 1.2016. But runs differ by 2 %,
# four of them by 1 %: 25 say as much as 25 / (1 + 25 / 4 * 2 * 0.01^2). Of 8.9888 and 15.9800 p is 0.22991 (the incomplete beta
# function), which a deviation of 1.2006 has.
# Value, sides and significance go into a condition.
sqlite3 a.db 'UPDATE procedure SET self_ns = 9000000 WHERE id = 4; UPDATE totals SET self_ns = 1000000000, self_samples = 1000, runs = 4'
sqlite3 b.db 'UPDATE procedure SET self_ns = 16000000 WHERE id = 4; UPDATE totals SET self_ns = 1000000000, self_samples = 1000, runs = 4'
check "significance" bash -c '
	"$1" diff -e time --format csv --fail-if "round(significance, 4) = 1.2006 and value = 7000000 and sides = '\''both'\''" \
		a.db b.db > out
	[ $? = 1 ] && [ "$(tr -d "\r" < out | sed "1d; s/.*,procedure,//" | cut -d, -f1-5 | cut -c1-38)" = 9000000,16000000,7000000,both,1.200580 ]' sh "$cgview"
"$cgview" diff -e significance --format csv a.db b.db | tr -d '\r' | grep -q ',9000000,16000000,1.2005[0-9]*,both,'
verdict $? "signif() is the same"
significance_of() # significance_of EXPRESSION [OPTION...]: of the procedure of the two
{
	"$cgview" diff --format csv -e "$@" a.db b.db | tr -d '\r' | sed -n 's|.*,procedure,9000000,16000000,||p' | cut -d, -f3 | cut -c1-8
}
check "that of the shares has the sign of their difference" [ "$(significance_of share)" = 1.200580 ]
check "that of less than twice as much is negative" [ "$(significance_of 'b.self_ns - 2 * a.self_ns' | cut -c1)" = - ]
check "of an expression in another form" [ "$(significance_of 'b.self_ns + abs(a.calls * 0 - 1) * (0 - a.self_ns)')" = 1.200580 ]
for e in time-ratio time-growth a.self_ns 'abs(b.self_ns - a.self_ns)' 'b.self_ns * a.self_ns' count; do
	check "$e is no difference" [ -z "$(significance_of "$e")" ]
done
# Ten runs on either side of which each differs by 0.5 ms: 90 and 103.5 ms are 6.04 of the errors of both, with 18
# degrees of freedom. The samples alone, 90 and 103, would say nothing.
for x in a b; do
	cp $x.db runs_$x.db
	columns=$(sqlite3 $x.db "SELECT group_concat(name) FROM pragma_table_info('run') WHERE name <> 'id'")
	sqlite3 runs_$x.db "WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < 10)
		INSERT INTO run(id, $columns) SELECT i, $columns FROM run, n WHERE id = 1;
		UPDATE totals SET runs = 10;
		UPDATE procedure SET self_sd_ns = 500000, self_ns = $([ $x = a ] && echo 90000000 || echo 103500000)
		WHERE id = 4"
done
check "of several runs: Welch's test" [ "$("$cgview" diff --format csv -e time runs_a.db runs_b.db | tr -d '\r' |
	sed -n 's|.*,procedure,90000000,103500000,13500000,both,||p' | cut -c1-6)" = "$(python3 - << 'END'
from math import exp, lgamma, log1p, pi, sqrt
from statistics import NormalDist
n, t, parts = 18, 13.5 / sqrt(2 * 10 * 0.5 ** 2), 200000
h = (200 - t) / parts
area = sum((1 if i in (0, parts) else 4 if i % 2 else 2) * exp(lgamma((n + 1) / 2) - lgamma(n / 2)
           - (n + 1) / 2 * log1p((t + i * h) ** 2 / n)) / sqrt(n * pi) for i in range(parts + 1)) * h / 3
print(f"{-NormalDist().inv_cdf(area):.10f}"[:6])
END
)" ]

# Normalised: counts of b halved, times of b doubled.
cp a.db c.db
sqlite3 c.db 'UPDATE totals SET blocks_executed = blocks_executed * 2, self_ns = self_ns / 2;
	UPDATE procedure SET calls = calls * 2, self_ns = self_ns / 2'
check "normalised by total nothing differs" bash -c '
	for e in count time; do "$1" diff --normalise total -e $e --format csv a.db c.db; done |
	tr -d "\r" | awk -F, "NR > 1 && \$1 != \"procedure\" && (\$(NF - 13) > 1 || \$(NF - 13) < -1) { exit 1 }"' sh "$cgview"
check "... and the text says so" bash -c '"$1" diff --normalise total a.db c.db | grep -q "normalised by total"' sh "$cgview"
check "... and how" bash -c '"$1" diff --normalise total a.db c.db | grep -q "^c\|^b .*shown ×0.5 (counts), ×2 (times)"' sh "$cgview"
check "normalised by a procedure, its calls are the same" bash -c '
	"$1" diff --normalise procedure_9 -e count --format csv a.db c.db | grep -q "^procedure_9,.*,0,both"' sh "$cgview"

# Three profiles.
check "three profiles" bash -c '[ "$("$1" diff --format csv -e "a.count + b.count + c.count" a.db b.db c.db |
	head -1 | cut -d, -f8-11)" = a,b,c,value ]' sh "$cgview"
check "... are the sum of all" bash -c '
	sum() { sqlite3 $1 "SELECT calls FROM procedure WHERE id = 9"; }
	want=$(($(sum a.db) + $(sum b.db) + $(sum c.db)))
	name=$(sqlite3 a.db "SELECT name FROM procedure WHERE id = 9")
	[ "$("$1" diff --format csv -e "a.count + b.count + c.count" a.db b.db c.db | grep "^$name," |
		cut -d, -f11)" = $want ]' sh "$cgview"
fails "too many profiles are refused before they are read" 'at most 999' bash -c '
	"$1" diff $(yes a.db | head -1000); [ $? = 2 ] && exit 1' sh "$cgview"

# Hostile expressions: status 1 or 2, soon, nothing made, the profiles as they were.
sums=$(sha256sum a.db b.db)
mkdir -p box
before=$(ls -A . box)
bad=0 room=600000
case $BUILD in *asan*) room=unlimited ;; esac # the sanitizer wants terabytes
while IFS= read -r expression; do
	( ulimit -v $room; timeout 300 "$cgview" diff -e "$expression" a.db b.db > /dev/null 2> err )
	status=$?
	[ $status = 1 ] || [ $status = 2 ] || { echo "# status $status: $expression"; bad=1; }
	grep -q '^cgview: diff: ' err || { echo "# not told: $expression"; bad=1; }
done << 'END'
(WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT max(n) FROM r)
zeroblob(100000000)
randomblob(100000000)
hex(zeroblob(100000000))
replace(hex(zeroblob(900)), '0', hex(zeroblob(900)))
1); DELETE FROM procedure; SELECT (1
1; DELETE FROM procedure
(DELETE FROM procedure)
1; ATTACH 'box/x' AS x
ATTACH 'box/x' AS x
1; PRAGMA writable_schema = ON
PRAGMA user_version = 9
load_extension('box/x')
readfile('/etc/passwd')
writefile('box/x', 'y')
fts3_tokenizer('simple')
a.count; VACUUM INTO 'box/x'
(SELECT count(*) FROM a.procedure)
a.procedure
sqlite_schema.sql
printf('%s', a.count)
printf('%.*c', 2000000000, 'x')
length(format('%.*c', 2000000000, 'x'))
END
verdict $bad "hostile expressions end with a message"
[ "$sums" = "$(sha256sum a.db b.db)" ] && [ "$before" = "$(ls -A . box)" ]
verdict $? "... the profiles are as they were, and no file was made"

# Damaged and foreign files.
head -c 20000 a.db > cut.db
fails "a profile that is cut off" 'cut off|damaged' "$cgview" diff a.db cut.db
sqlite3 c.db 'UPDATE range SET block = 99999999 WHERE id % 3 = 0; UPDATE procedure SET file = 777
	WHERE id = 5; UPDATE arc SET callee = 123456'
for by in procedure block range line site arc file; do
	timeout 300 "$cgview" diff --by $by a.db c.db > out 2>&1
	[ $? -le 2 ]
	verdict $? "references that lead nowhere: $by"
done
cp a.db gap.db
sqlite3 gap.db 'DELETE FROM range WHERE id = 7'
fails "ids that are not in their turn" 'not in their turn' "$cgview" diff --by range a.db gap.db
check "a result is written whole or not at all" bash -c '
	"$1" diff -o /nonexistent/x.db a.db b.db 2> err; [ $? = 2 ] && [ "$(wc -l < err)" = 1 ]' sh "$cgview"

# Expressions of the configuration; what is wrong in it is told.
own() { XDG_CONFIG_HOME=$PWD/own "$cgview" diff "$@"; }
mkdir -p own/cgview
printf '%s\n' '# mine' 'expression beyond  b.count -  2 * a.count' 'expression 9 a.count' 'expresion x y' \
	'bind table Q nonsense' 'expression ratio b.count * 1000' 'expression broken a.nonsense' > own/cgview/config
own -e beyond --format csv a.db b.db > got.csv 2> err
check "an expression of the configuration" [ $? = 0 ]
check "... is what it stands for" cmp got.csv <("$cgview" diff -e 'b.count - 2 * a.count' --format csv a.db b.db)
sed "s|^cgview: $PWD/own/cgview/config:||" err | cut -d: -f1 | xargs > lines
check "... lines that are wrong are told with their numbers" [ "$(cat lines) $(wc -l < err)" = "3 4 5 3" ]
check "... one of its own goes before a ready-made one" cmp <(own -e ratio --format csv a.db b.db 2> err) \
	<("$cgview" diff -e 'b.count * 1000' --format csv a.db b.db)
own -e broken a.db b.db > got 2> err
check "... one that is none is refused" [ "$? $(wc -c < got)" = "2 0" ]
check "... with the place in it" grep -q '^  a.nonsense$' err
check "... a name for what is stored" [ "$(own -e beyond --by file -o named.db a.db b.db 2> err;
	sqlite3 named.db 'SELECT name || expression FROM metric')" = 'beyondb.count - 2 * a.count' ]
check "... in the help" grep -q '^  beyond  ' <(own --help 2> err)
usage "... not without it" '^cgview: diff: -e' -e beyond a.db b.db
usage "... nor with another file" '^cgview: diff: -e' --config /dev/null -e beyond a.db b.db
check "another file" cmp <("$cgview" diff --config own/cgview/config -e beyond --format csv a.db b.db 2> err) got.csv
printf '1\n2\n' > sizes
echo 'expression twice 2 * a.count' > twice
check "series" cmp <("$cgview" diff --series sizes -e twice --config twice a.db b.db 2> err) \
	<("$cgview" diff --series sizes -e '2 * a.count' a.db b.db)
check "the browser" bash -c 'echo Q > quit; CGVIEW_SCRIPT=quit "$1" --config own/cgview/config -e beyond a.db b.db' sh "$cgview"

# The place in the first profile is not stored.
fields() # the first 13 columns of csv
{
	python3 -c 'import csv, sys
for row in csv.reader(sys.stdin): print(row[:13])'
}
# What is stored is printed: as the tables have it, and as it was printed when it was compared.
sqlite3 b.db 'UPDATE block SET count = count * 3 WHERE id % 3 = 0; UPDATE call_site SET count = count + 1 WHERE id % 2;
	UPDATE line SET count = count + 5 WHERE line % 2; UPDATE procedure SET name = name || "_new" WHERE id = 12'
"$cgview" diff -o stored.db a.db b.db
python3 "$here/stored.py" "$cgview" stored.db || echo "not ok - stored.py"
sqlite3 stored.db < "$here/stored-pairs.sql" > pairs
sed 's/^/# /' pairs
check "stored arcs know their pair" [ ! -s pairs ]
check "... of some there are several" [ "$(sqlite3 stored.db 'SELECT max(arcs) > 1 FROM comparison')" = 1 ]
for by in procedure block range line site arc file; do
	check "$by: report prints what diff prints" cmp <("$cgview" report --by comparison --of $by --format csv stored.db | fields) \
		<("$cgview" diff --by $by --format csv a.db b.db | fields)
done
"$cgview" diff -o real.db -e 'ratio(b.count, a.count - 4)' --normalise total a.db b.db
check "infinite values, and such that are not whole" cmp <("$cgview" report --by comparison --format csv real.db | fields) \
	<("$cgview" diff -e 'ratio(b.count, a.count - 4)' --normalise total --format csv a.db b.db | fields)
least='iif(b.calls % 3, b.calls, -9223372036854775807 - 1)'
"$cgview" diff -o least.db -e "$least" a.db b.db
"$cgview" diff -e "$least" --format csv a.db b.db > least.csv
check "the least of integers has an amount, too" cmp <("$cgview" report --by comparison --format csv least.db | fields) <(fields < least.csv)
check "... and is there" grep -q ',-9223372036854775808,' least.csv
report() { "$cgview" report --by comparison "$@" stored.db; }
check "sorted by a column, some rows" [ "$(report --sort procedure --file parse.c --columns procedure --format csv | tr -d '\r' | sed 1d)" = \
	"$(sqlite3 stored.db "SELECT procedure FROM difference WHERE things = 'procedure' AND file LIKE '%parse.c' ORDER BY procedure")" ]
check "filtered" [ "$(report --filter _new --columns sides,procedure --format csv | tr -d '\r' | tail -n +2 | sort | xargs)" = \
	"$(sqlite3 stored.db "SELECT sides || ',' || procedure FROM difference WHERE things = 'procedure' AND procedure LIKE '%\_new%' ESCAPE '\' ORDER BY 1" | xargs)" ]
report --limit 2 > text
grep -q '^result = b.self_ns - a.self_ns   a, b: self_ns in both' text && grep -q '^a   a.db$' text &&
	grep -q '^b   b.db   (this profile)$' text && grep -q '(28 more)' text
verdict $? "the text tells what was compared, and which profiles"
check "the other reports tell of it" grep -q '^compared with a.db: see --by comparison$' <("$cgview" report stored.db)
check "... of others do not" bash -c '! "$1" report a.db | grep -q "compared with"' sh "$cgview"
"$cgview" diff -o lines.db --by line a.db b.db
check "the only kind" cmp <("$cgview" report --by comparison --format csv lines.db | fields) <("$cgview" diff --by line --format csv a.db b.db | fields)
fails "a kind that is not stored" 'lines.db has no comparison of procedures, but of lines$' "$cgview" report --by comparison --of procedure lines.db
fails "no comparison" 'a.db has no comparison: cgview diff -o' "$cgview" report --by comparison a.db
told() # told NAME PATTERN ARGUMENTS...: wrong usage of report
{
	"$cgview" report "${@:3}" stored.db > out 2> err
	[ $? = 2 ] && [ ! -s out ] && grep -qE -e "$2" err
	verdict $? "usage: $1"
}
told "a kind that is none" '--of x: it is procedure, block, range, line, site, arc, pair or file' --by comparison --of x
told "--of something else" '--of goes with --by comparison' --of line
told "threads" 'of all threads' --by comparison --threads 1
told "numbers of the database's own" '--columns owner: with --by comparison it is one of procedure, callee, file' \
	--by comparison --columns owner
told "shares" 'no shares of value' --by comparison --min 1
cp stored.db odd.db
sqlite3 odd.db "UPDATE metric SET expression = 'load_extension(' || char(27) || ')'; UPDATE comparison SET value = 'x' || char(27),
	a = zeroblob(9), procedure = 99999, file = 88888, kind = NULL, sides = char(27) WHERE id % 2" 2> /dev/null ||
	sqlite3 odd.db "UPDATE metric SET expression = 'load_extension(' || char(27) || ')'; UPDATE comparison SET value = 'x' || char(27),
	a = zeroblob(9), procedure = 99999, file = 88888, sides = char(27) WHERE id % 2"
for format in text csv json; do
	timeout 300 "$cgview" report --by comparison --format $format odd.db > out 2> err
	[ $? -le 1 ] && ! grep -q $'\e' out err
	verdict $? "$format of damaged rows is harmless"
done

# The output: none of the inputs, whatever its name; what is there is kept as FILE.old.
mkdir outputs && cp a.db b.db outputs && cd outputs || exit 1
ln a.db hard.db; ln -s b.db soft.db; ln -s soft.db softer.db; cp a.db x.db; cp b.db x.db.old; cp a.db c.db
sums=$(sha256sum *.db*)
for output in a.db b.db ./b.db hard.db soft.db softer.db "$PWD/a.db"; do
	usage "-o $output is an input" "^cgview: diff: -o $output is the profile [ab].db, which would be replaced" \
		-o "$output" a.db b.db
done
usage "an input is a link to -o" "profile softer.db, which would be replaced" -o b.db a.db softer.db
usage "an input is -o with .old" "kept in place of the profile x.db.old" -o x.db a.db x.db.old
usage "a third input" "profile c.db, which" -o c.db a.db b.db c.db
echo 'int x;' > x.c
fails "-o is no profile" 'x.c: exists and is no profile' "$cgview" diff -o x.c a.db b.db
check "the text is still there" [ "$(cat x.c)" = 'int x;' ]
[ "$sums" = "$(sha256sum *.db*)" ]
verdict $? "all is as it was"
for file in c.db kept.db; do
	cp x.db $file
	check "$file: the result" "$cgview" diff -o $file a.db b.db
	check "... the old one is kept" cmp $file.old x.db
	check "... the result is there" [ "$(sqlite3 $file 'SELECT count(*) > 0 FROM comparison')" = 1 ]
done
ln -s c.db to-c.db
cp c.db before.db
check "through a link" "$cgview" diff -o to-c.db -e count --by file a.db b.db
[ -L to-c.db ] && [ ! -e to-c.db.old ] && cmp -s c.db.old before.db && ! cmp -s c.db before.db
verdict $? "... it stays, what it leads to is kept beside it"
check "no temporary files" [ -z "$(ls -A | grep -E 'tmp|-0')" ]
cd ..
