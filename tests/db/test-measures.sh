#!/bin/bash
# Measures without columns of their own, through everything that prints: what build/tests/make-measures
# writes, worked out once more by SQL from counts.
. tests/db/lib.sh
need sqlite3
cd "$TMP_DIR" || exit

"$build/tests/tui/unit-sample" sample.db || exit 1
"$build/tests/make-measures" sample.db m.db 2 || exit 1

# is NAME WANTED COMMAND...
is()
{
	local name=$1 wanted=$2 got
	shift 2
	got=$("$@" 2>&1)
	[ "$got" = "$wanted" ]
	local status=$?
	[ "$status" = 0 ] || printf '# wanted:\n%s\n# got:\n%s\n' "$wanted" "$got" | head -40
	verdict "$status" "$name"
}

FIRST="(SELECT min(r.id) FROM range r WHERE r.block = b.id)"
is "figures of blocks follow from their counts" 0 sqlite3 m.db "
	SELECT count(*) FROM block b WHERE EXISTS (SELECT 1 FROM range r WHERE r.block = b.id) AND
	(self_bytes <> 16 * count OR self_faults <> count / 100 OR self_extra2 <> 2 * count OR
	 self_depth <> (SELECT end_column FROM range WHERE id = $FIRST))"
is "those of procedures are the sums of their blocks', or the greatest" 0 sqlite3 m.db "
	SELECT count(*) FROM procedure p WHERE EXISTS (SELECT 1 FROM block b WHERE b.procedure = p.id)
	AND (self_bytes, self_depth) IS NOT (SELECT sum(self_bytes), max(self_depth) FROM block b
	     WHERE b.procedure = p.id)"
is "total of a procedure: its own and the greatest that it calls" 0 sqlite3 m.db "
	SELECT count(*) FROM procedure p WHERE total_bytes <> self_bytes + coalesce(
		(SELECT max(e.self_bytes) FROM arc a JOIN procedure e ON e.id = a.callee
		 WHERE a.caller = p.id AND a.callee <> p.id AND a.site IS NOT NULL), 0)"
is "a formula is not stored" 0 sqlite3 m.db "
	SELECT count(*) FROM pragma_table_info('procedure') WHERE name LIKE '%each%'"

# ---- reports ----

csv() { "$cgview" report m.db --format csv "$@" | tr -d '\r'; }
sql() { sqlite3 -csv m.db "$1" | tr -d '"\r'; }

is "procedures have the figures of their blocks" \
	"$(sql "SELECT p.name, (SELECT sum(16 * b.count) FROM block b WHERE b.procedure = p.id AND
		EXISTS (SELECT 1 FROM range r WHERE r.block = b.id)) FROM procedure p ORDER BY p.name")" \
	bash -c "'$cgview' report m.db --sort procedure --format csv --columns procedure,self_bytes |
		tr -d '\"\r' | tail -n +2"
is "what is sorted by a measure comes in its order, though no index has it" \
	"$(csv --by block --columns self_extra2 | tail -n +2 | sort -rn)" \
	bash -c "'$cgview' report m.db --by block --sort self_extra2 --format csv --columns self_extra2 |
		tr -d '\r' | tail -n +2"
is "it is sorted by its heading, too, and the other way round" \
	"$(csv --sort self_faults --reverse --columns procedure)" \
	csv --sort faults --reverse --columns procedure
is "rows below a share of all are left out" \
	"$(sql "SELECT name FROM procedure WHERE self_bytes * 20 >= (SELECT sum(self_bytes) FROM procedure)
		ORDER BY self_bytes DESC, calls DESC")" \
	bash -c "'$cgview' report m.db --sort self_bytes --min 5 --format csv --columns procedure |
		tr -d '\"\r' | tail -n +2"
for by in block line file; do
	is "the sum at the foot of text: by $by" \
		"$(csv --by $by --columns self_faults | awk 'NR > 1 { n += $1 } END { print n }')" \
		bash -c "'$cgview' report m.db --by $by --columns file,faults | tail -1 | tr -d , |
			sed 's/.* //; s/[^0-9]//g'"
done
is "what is the greatest has no sum" "10 procedures" \
	bash -c "'$cgview' report m.db --columns procedure,depth | tail -1 | sed 's/ *$//'"
is "a directory has the files in it and below" \
	"$(sql "SELECT sum(self_bytes), max(self_depth) FROM file WHERE path GLOB '/sample/*'")" \
	bash -c "'$cgview' report m.db --by directory --format csv --columns directory,total_bytes,self_depth |
		tr -d '\"\r' | awk -F, '\$1 == \"/sample\" { t = \$2 } \$1 ~ \"^/sample/\" && \$3 > d { d = \$3 }
		END { print t \",\" d }'"
is "an arc brings its share of the callee's total" \
	"$(sql "SELECT CAST(1.0 * a.count / e.calls * e.total_bytes AS INTEGER) FROM arc a
		JOIN procedure r ON r.id = a.caller JOIN procedure e ON e.id = a.callee
		WHERE r.name = 'each' ORDER BY e.name")" \
	bash -c "'$cgview' report m.db --by arc --caller each --sort callee --format csv \
		--columns callee,total_bytes | tr -d '\r' | tail -n +2 | grep -v outside | sed 's/.*,//'"
is "units: bytes, ns, samples, any word" "366 MB|22.9 ms|45,759,258|34" \
	bash -c "'$cgview' report m.db --columns procedure,self_bytes,extra1,extra2,depth --limit 1 |
		sed -n 4p | sed 's/^hash *//; s/   */|/g'"
is "json has them" 366074064 bash -c "'$cgview' report m.db --format json --limit 1 |
	grep -o '366074064' | head -1"
is "other profiles have no such column" 2 bash -c "'$cgview' report sample.db --sort self_bytes > out 2>&1
	echo \$?"
"$cgview" merge -o merged.db m.db > /dev/null
is "merging keeps them" "$(csv --sort procedure | cut -d, -f1,37-)" \
	bash -c "'$cgview' report merged.db --sort procedure --format csv | tr -d '\r' | cut -d, -f1,37-"

# ---- formulas ----

# formula TEXT: report m.db with this formula as `each`
formula()
{
	cp m.db f.db
	sqlite3 f.db "UPDATE measure SET formula = '${1//\'/\'\'}' WHERE name = 'each'"
	"$cgview" report f.db --sort procedure --format csv 2> err > out || echo "status $?"
	tr -d '\r' < out
}
# gives NAME FORMULA SQL: of procedures
gives()
{
	local name=$1
	formula "$2" > /dev/null
	"$cgview" report f.db --sort procedure --format csv --columns self_each 2>> err |
		tr -d '\r"' | tail -n +2 | awk '{ print $1 == "" ? "none" : sprintf("%.9g", $1) }' > got
	sqlite3 m.db "SELECT coalesce(1.0 * ($3), 'none') FROM procedure ORDER BY name, id" |
		awk '{ print $1 == "none" ? $1 : sprintf("%.9g", $1) }' > wanted
	cmp -s got wanted && [ ! -s err ]
	local status=$?
	[ $status = 0 ] || { cat err; paste wanted got | sed 's/^/# /'; }
	verdict $status "$name"
}
gives "a formula: a ratio" "bytes / count" "1.0 * self_bytes / calls"
gives "what comes first" "1 + 2 * faults - 6 / 4" "1 + 2 * self_faults - 1.5"
gives "parentheses, signs" "-(bytes - -2) * (.5e1)" "-(self_bytes + 2) * 5"
gives "functions" "max(ratio(bytes, 3), share(time, total_ns)) + abs(min(faults, 2) - 3)" \
	"max(self_bytes / 3.0, coalesce(100.0 * self_ns / nullif(total_ns, 0), NULL)) +
	 abs(min(self_faults, 2) - 3)"
gives "columns of csv" "self_samples + code_bytes" "self_samples + code_bytes"
for bad in "bytes /" "" "(SELECT 1)" "bytes; DROP TABLE run" "'x'" "nothing" "1e999" "load_extension(1)" \
	"procedure" "line" "ratio(1)" "ratio(1,2,3)" "max" "0x10 q" "." "each" "?1" \
	"$(printf '(%.0s' {1..60})1$(printf ')%.0s' {1..60})" "1$(printf '+1%.0s' {1..400})" \
	"$(printf '%.0s ' {1..2000})1"; do
	formula "$bad" | head -1 | grep -q ',self_each$'
	[ $? = 1 ] && grep -q 'not understood are not shown: each$' err && [ "$(wc -l < err)" = 1 ] &&
		[ "$(wc -l < out)" = 11 ]
	verdict $? "a formula that is none: ${bad:0:30}"
done
formula "1$(printf '+bytes%.0s' {1..23})" > /dev/null
[ ! -s err ]
verdict $? "a formula of 24 terms"

# ---- comparisons ----

cp m.db n.db
sqlite3 n.db "UPDATE procedure SET self_bytes = self_bytes + 1000 * id, total_bytes = 2 * total_bytes;
	UPDATE call_site SET total_faults = total_faults + id; UPDATE line SET self_depth = self_depth + line"
# compared EXPRESSION BY NAME SQL [A B]: the values of diff are those of SQL over both profiles
compared()
{
	local a=${5:-m.db} b=${6:-n.db}
	"$cgview" diff -e "$1" --by "$2" --format csv "$a" "$b" | tr -d '\r"' |
		awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "value") v = i; next } { print $v }' |
		sort -n > got
	sqlite3 "$a" "ATTACH '$b' AS n; $4" | sort -n > wanted
	cmp -s got wanted && [ -s got ]
	local status=$?
	[ $status = 0 ] || paste wanted got | head -20 | sed 's/^/# /'
	verdict $status "$3"
}
compared 'b.bytes - a.bytes' procedure 'differences of a measure' \
	"SELECT b.self_bytes - a.self_bytes FROM main.procedure a JOIN n.procedure b USING (id)"
compared 'b.total_bytes - a.self_bytes' procedure 'of its totals' \
	"SELECT b.total_bytes - a.self_bytes FROM main.procedure a JOIN n.procedure b USING (id)"
compared 'b.total_faults - a.total_faults' site 'of call sites' \
	"SELECT b.total_faults - a.total_faults FROM main.call_site a JOIN n.call_site b USING (id)"
compared 'b.depth - a.depth' line 'of lines' \
	"SELECT b.self_depth - a.self_depth FROM main.line a JOIN n.line b USING (id)"
# Arcs have the totals of measures, and pairs those of the stacks that come first by them: made profiles get some.
cp sample.db stacks.db
command python3 "$(dirname "$build")/tests/tui/tree-contexts.py" stacks.db
"$build/tests/make-measures" stacks.db s.db 2
cp s.db t.db
sqlite3 t.db "UPDATE arc SET total_bytes = total_bytes + 100 * id, pair_bytes = pair_bytes + 7 * id"
compared 'b.total_bytes - a.total_bytes' arc 'of arcs' \
	"SELECT b.total_bytes - a.total_bytes FROM main.arc a JOIN n.arc b USING (id)" s.db t.db
compared 'b.total_bytes - a.total_bytes' pair 'of pairs of procedures' \
	"SELECT sum(b.pair_bytes - a.pair_bytes) FROM main.arc a JOIN n.arc b USING (id)
	 LEFT JOIN call_site s ON s.id = a.site GROUP BY a.caller, a.callee, iif(a.callee IS NULL, s.target, '')" \
	s.db t.db
compared 'b.total_bytes - a.total_bytes' arc 'of arcs without stacks, nothing is known' \
	"SELECT '' FROM main.arc a JOIN n.arc b USING (id)"
"$cgview" diff -e 'b.bytes - a.bytes' sample.db n.db > out
grep -qE '^ *- +366 MB +- +hash ' out
verdict $? 'a profile without the measure has no value'
"$cgview" diff -e 'b.bytes - a.bytes' -o kept.db m.db n.db > /dev/null
"$cgview" report --by comparison kept.db > out
grep -q 'a, b: bytes in both' out && grep -qE ' 366 MB +366 MB +\+1.00 kB +\+0.00% +hash ' out
verdict $? 'a comparison that is kept has the unit'
"$cgview" diff -e 'b.bytes' --by site m.db n.db > out 2>&1
[ $? = 2 ] && grep -q 'call sites do not have bytes: they have .*total_bytes' out
verdict $? 'rows without the measure: what they have is told'
cp n.db other.db
sqlite3 other.db "UPDATE measure SET unit = 'pages' WHERE name = 'bytes'"
"$cgview" diff -e 'b.bytes - a.bytes' m.db other.db > out
grep -qE '^ *366 MB +- +- +hash ' out
verdict $? 'one of another unit is another measure'
cp m.db other.db
sqlite3 other.db "UPDATE measure SET max_line = -1 WHERE name = 'bytes'"
"$cgview" report other.db > out 2> err
[ $? = 1 ] && grep -q 'damaged (max_line cannot be -1)' err
verdict $? 'a figure that cannot be is named'
