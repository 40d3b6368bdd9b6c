#!/bin/bash
# The summary: columns, orders, restrictions, and the line at the foot against the sqlite3 shell.
. tests/tui/lib.sh
command -v sqlite3 > /dev/null || { echo "skip - summary: sqlite3 is not installed"; exit 0; }

SIZE=160x36
ask() { sqlite3 "$DB" "$1"; }
comma() { sed -e ':a' -e 's/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/' -e 'ta'; }

# The line at the foot of every summary, of all rows and of those that restrictions leave.
DB=made.db
"$BUILD/tests/make-profile" made.db --procedures 300 --ranges 4000 --lines 4000 --files 6 || exit 1
# Times as counts, so that each digit is seen: written to a file, the cells are as wide as they need.
sums() # sums STEPS: the last line of what :w writes
{
	rm -f out
	play made.db <<< "$1"$'\ntext::w out\nEnter'
	tail -1 out
}
wanted() # wanted NAME LINE WORD...: the line has all of these
{
	local name=$1 line=$2 status=0 word
	shift 2
	for word; do
		grep -qE -- "(^| )$word( |\$)" <<< "$line" || { echo "# no $word in: $line"; status=1; }
	done
	verdict $status "$name"
}
of() { ask "SELECT coalesce(sum($1), 0) FROM $2" | comma; }
percent() # percent SQL: as the browser writes shares
{
	ask "SELECT CASE WHEN x = 100 THEN '100' ELSE printf('%.1f', x) END FROM (SELECT $1 AS x)"
}
nr=$(ask 'SELECT count(*) FROM procedure')
wanted 'procedures add up' "$(sums '')" 100 "$(of calls procedure)" "$nr procedures"
wanted 'expressions add up' "$(sums v)" "$(of count block)" \
	"$(ask 'SELECT count(*) FROM block' | comma) expressions"
wanted 'call sites add up' "$(sums $'v\nv')" "$(of count call_site)" \
	"$(ask 'SELECT count(*) FROM call_site' | comma) call sites"
wanted 'lines add up' "$(sums $'v\nv\nv')" "$(of count line)" \
	"$(ask 'SELECT count(*) FROM line' | comma) lines"
wanted 'files add up' "$(sums $'v\nv\nv\nv')" "$(of code_lines file)" "$(of executed_lines file)" \
	"$(ask 'SELECT count(*) FROM file') files"
wanted 'directories add up' "$(sums V)" "$(of executed_lines file)"
# Of a procedure: all its calls. One that no arc is known for is told.
called=$(ask 'SELECT id FROM procedure ORDER BY calls DESC, id LIMIT 1')
callers="$(ask "SELECT count(*) FROM arc WHERE callee = $called AND hi > 0") callers?"
wanted 'callers add up' "$(sums $'text::sort calls\nEnter\ng\nc')" \
	"$(of count "arc WHERE callee = $called AND hi > 0")" "$callers"
wanted 'callees add up' "$(sums $'text::sort calls\nEnter\ng\nd')" \
	"$(of count "arc WHERE caller = $called AND hi > 0")" \
	"$(ask "SELECT count(*) FROM arc WHERE caller = $called AND hi > 0") callees?"
cp sample.db unknown.db
sqlite3 unknown.db "UPDATE procedure SET calls = calls + 12 WHERE name = 'lookup'"
SIZE=160x50 DB=unknown.db
shows 'calls that nobody is known to make' '1,204,331 .* 1 caller, 12 calls from nobody known' \
	<<< $'j\nc\nz'
SIZE=160x36 DB=made.db

where="name LIKE '%1%'"
steps=$'text:&_[^x]*1\nEnter'
wanted 'a filter: shown of all' "$(sums "$steps")" "$(of calls "procedure WHERE $where")" \
	"$(ask "SELECT count(*) FROM procedure WHERE $where") of $nr procedures" \
	"$(percent "100.0 * sum(self_ns) / (SELECT self_ns FROM totals) FROM procedure WHERE $where")"
# in-text.py VIEW REGEX: how many rows have it in their text, and the sum of their counts. Callers and
# callees are rows of all their calls.
cat > in-text.py << 'END'
import re, sqlite3, sys, zlib
view, pattern, subject = sys.argv[1], re.compile(sys.argv[2].encode()), sys.argv[3]
db = sqlite3.connect("made.db")
lines = {}
for file, size, packed in db.execute("SELECT id, size_bytes, text_zlib FROM file"):
    if packed:
        lines[file] = (packed if len(packed) == size else zlib.decompress(packed)).split(b"\n")
nr = total = 0
rows, found = {}, set()
calls = """SELECT s.file, s.line, s.column, s.end_line, s.end_column, a.count, coalesce(%s, s.target, -a.id)
    FROM arc a JOIN call_site s ON s.id = coalesce(a.site, a.through) WHERE a.hi > 0 AND """
for file, line, column, end_line, end_column, count, *row in db.execute({
        "expressions": """SELECT b.file, ifnull(r.line, b.line), ifnull(r.column, b.column),
            ifnull(r.end_line, b.end_line), ifnull(r.end_column, b.end_column), b.count
            FROM block b LEFT JOIN range r ON r.id = b.hottest""",
        "sites": "SELECT file, line, column, end_line, end_column, count FROM call_site",
        "lines": "SELECT file, line, 1, line, 1000000, count FROM line",
        "callers": calls % "a.caller" + "a.callee = " + subject,
        "callees": calls % "a.callee" + "a.caller = " + subject,
        }[view]):
    text = lines.get(file, [])[line - 1:end_line]
    if text:
        text[-1] = text[-1][:end_column]
        text[0] = text[0][column - 1:]
    text = re.sub(rb"\s+", b" ", b"\n".join(text)).strip()[:16384]
    if row:
        rows[row[0]] = rows.get(row[0], 0) + count
    if pattern.search(text):
        found.update(row)
        nr += 1
        total += count
if rows:
    nr, total = len(found), sum(rows[row] for row in found)
print(f"{nr:,} {total:,}")
END
while read -r view keys pattern; do
	read -r found counts <<< "$(python3 in-text.py "$view" "$pattern" 0)"
	[ "$found" != 0 ]
	verdict $? "$view with $pattern are there"
	wanted "a filter of source text: $view with $pattern" \
		"$(sums "text:$keys"$'\ntext:&'"$pattern"$'\nEnter')" "$found of [0-9,]+ (call )?$view" \
		"$counts"
done << 'END'
expressions v b [+]= p.*[(]i
expressions v [)] [{] if [(]a
expressions v procedure_1[0-9]*[(]i, b[)]$
sites vv procedure_1[0-9]*[(]i, b[)]$
lines vvv b [+]= p.*[(]i
lines vvv ^if
END
# Callers and callees by the text of the call; no name has a parenthesis.
for view in callers callees; do
	end=callee other=caller key=c
	[ $view = callees ] && end=caller other=callee key=d
	read -r id name <<< "$(ask "SELECT p.id, p.name FROM arc a JOIN procedure p ON p.id = a.$end
		JOIN call_site s ON s.id = a.site WHERE a.hi > 0 AND a.$other IS NOT NULL GROUP BY p.id
		HAVING count(DISTINCT s.kind) > 1 ORDER BY count(*) DESC, p.id LIMIT 1" | tr '|' ' ')"
	for pattern in '[(]i, b[)]' '[(]a[)]$' ' & 7'; do
		read -r found counts <<< "$(python3 in-text.py $view "$pattern" "$id")"
		line=$(sums "text:&^$name\$"$'\nEnter\ntext:'$key$'\ntext:&'"$pattern"$'\nEnter')
		case $found in
		0) grep -q "No ${view%s}: only" out; verdict $? "no $view of $name with $pattern" ;;
		*) wanted "a filter of source text: $found $view of $name with $pattern" "$line" \
			"$counts" "$found ${view%s}s?.*" ;;
		esac
	done
done
where="self_ns * 100 >= 2 * (SELECT self_ns FROM totals)"
wanted 'a cut of self time' "$(sums 'text:2%')" "$(of calls "procedure WHERE $where")" \
	"$(ask "SELECT count(*) FROM procedure WHERE $where") of $nr procedures"
where="calls * 1000 >= 5 * (SELECT sum(calls) FROM procedure)"
wanted 'a cut of calls' "$(sums $'text::sort calls\nEnter\ntext::min 0.5\nEnter')" \
	"$(of calls "procedure WHERE $where")" \
	"$(ask "SELECT count(*) FROM procedure WHERE $where") of $nr procedures"
glob=$(ask "SELECT path FROM file ORDER BY self_ns DESC LIMIT 1")
where="file = (SELECT id FROM file WHERE path = '$glob')"
wanted 'a glob' "$(sums $'text::file '"${glob##*/}"$'\nEnter')" \
	"$(of calls "procedure WHERE $where")" \
	"$(ask "SELECT count(*) FROM procedure WHERE $where") of $nr procedures"
wanted 'the file of the row of files' "$(sums $'v\nv\nv\nv\n.')" \
	"$(of calls "procedure WHERE $where")" \
	"$(ask "SELECT count(*) FROM procedure WHERE $where") of $nr procedures"
where="$where AND name LIKE '%2%' AND calls > 100000"
ppm=$(ask "SELECT printf('%.4f', 100.0 * 100001 / sum(calls)) FROM procedure")
least=$(ask "SELECT 100 * 100001 > sum(calls) * $ppm FROM procedure")
wanted 'all of them together' \
	"$(sums $'text::sort calls\nEnter\ntext::min '"$ppm"$'\nEnter\ntext:&_.*2\nEnter\nv\nV\ntext::file '"${glob##*/}"$'\nEnter')" \
	"$(ask "SELECT count(*) FROM procedure WHERE $where") of $nr procedures"
: "$least"
DB=sample.db

# With a row for what no profiled procedure called, the shares still add up.
cp sample.db rest.db
sqlite3 rest.db "
	CREATE TEMP TABLE row AS SELECT * FROM procedure LIMIT 1;
	UPDATE row SET id = (SELECT 1 + max(id) FROM procedure), name = '(unprofiled)',
		linkage_name = '', file = NULL, line = NULL, calls = 0, self_samples = 191,
		self_ns = 191000000, total_ns = 191000000;
	INSERT INTO procedure SELECT * FROM row;
	UPDATE totals SET procedures = 11, self_ns = self_ns + 191000000,
		self_samples = self_samples + 191" || exit 1
DB=rest.db
shows 'self% adds up with what is not profiled' '^ *100 .* 11 procedures' ' 9.1 .*(unprofiled)' <<< ''
DB=sample.db

# Of names that are too long what differs stays, and a search finds what is not to be seen.
cp sample.db names.db
sqlite3 names.db "
	UPDATE procedure SET name = 'std::map<std::string, long, std::less<std::string> >::find_first'
		WHERE name = 'hash';
	UPDATE procedure SET name = 'std::map<std::string, long, std::less<std::string> >::find_last'
		WHERE name = 'lookup'" || exit 1
DB=names.db SIZE=100x30
shows 'names are cut where they are alike' '69.2 .*  std::map<.*…>::find_first ' \
	'13.6 .*  std::map<.*…>::find_last ' '── std::map<std::string.*>::find_first ──' \
	'─ callers of std::map<.*…>::find_first ─.*─ callees of std::map<.*…>::find_first ─' <<< ''
shows '... and found by what is cut' '^▌ *13.6 .*find_last' <<< $'text:/less.*find_last\nEnter'
DB=sample.db SIZE=160x36

# Restrictions are told in the title, and undone one by one, the last one first.
steps=$'text:&o\nEnter\ntext:2%\ntext::file *.c\nEnter'
shows 'all restrictions are told' 'only /o/  self ≥ 2%  in \*.c ' ' of 10 ─' <<< "$steps"
shows 'Esc takes the last one back' 'only /o/  self ≥ 2% ─' <<< "$steps"$'\nEsc'
shows '... and the one before' 'only /o/ ─' '! of 10 pro.*100' <<< "$steps"$'\nEsc\nEsc'
shows '... and the first' '!only' ' 1/10 ─' '[^f] 10 procedures' <<< "$steps"$'\nEsc\nEsc\nEsc'
shows 'the cut again takes it away' '!only' <<< $'text:2%\n%'
shows 'a cut stays with its column' 'only self ≥ 50%' '1 of 10 procedures' \
	<<< $'text:50%\ntext::sort calls\nEnter'
shows '... which another summary may not have' '!only' '^─ expressions' \
	<<< $'text::sort calls\nEnter\ntext:50%\nv'
shows 'no cut of names' 'no shares of procedure: sort by' <<< $'text::sort procedure\nEnter\n%'
shows 'a cut is a number' 'a number of percent' '!only' <<< $'text::min lots\nEnter'
shows 'nothing left is explained' 'No procedure: only /hash/  in \*.h\.' 'Esc takes' \
	<<< $'text:&hash\nEnter\ntext::file *.h\nEnter'
shows 'cycles are in no files' 'cycles are not in files' <<< $'C\ntext::file x\nEnter'
shows 'only what is in the file of the row' 'only in /sample/src/words.c' ' 6 of 10 procedures' <<< .
shows 'from the files' 'only in /sample/include/missing.h' ' 1 of 10 procedures' <<< $'o\ng\n.'
shows 'of a directory' 'only in /sample/src ' ' 8 of 10 procedures' <<< $'V\nj\n.'
shows 'Enter on a directory: its files' '^─ files .*only in /sample/src ' ' of 4 files' <<< $'V\nj\nEnter'
shows 'another file in its place' 'only in /sample/include/missing.h ' '!words.c ──.*words' \
	<<< $'.\no\ng\n.'

# The filter: a regular expression while it is typed, the last good one when it is none.
shows 'a regular expression' ' 2 of 10 procedures' 'by_count' 'by_name' <<< $'text:&^by_(count|name)$'
shows 'none (yet): told, the last good one counts' 'only /by_/ ' 'Unmatched' ' 2 of 10 procedures' \
	<<< 'text:&by_('
shows '... also when it is accepted' 'only /by_/ ' 'by_(: Unmatched' <<< $'text:&by_(\nEnter'
shows '... and forgotten when it is given up' '!only' <<< $'text:&by_(\nEsc'
shows 'capitals matter when there are any' 'only /HASH/' '0/0 of 10' <<< $'text:&HASH\nEnter'
shows 'the filter holds for other summaries' '^─ files .*only /words/ ' <<< $'text:&words\nEnter\nV\nV'

# Every column sorts, both ways, and the cursor stays on its row.
# Where Enter leads tells which row it is on.
where() { grep -E '^(▌|─ )' "$1"; }
for kind in '' v $'v\nv' $'v\nv\nv' $'V\nV' V; do
	play <<< "$kind"$'\nf\ntext::w columns\nEnter'
	columns=$(wc -l < columns) bad=
	rm -f columns
	start=$'size:160x36\n'"$kind"$'\nj\nj\n'
	play <<< "$start"$'Enter\n:save-screen before'
	# One session for a column: Backspace is there again, and the columns are still sorted. What a directory leads to
	# is no other view, and three sessions.
	for ((i = 1; i <= columns; i++)); do
		rm -f after* && turn=0
		for session in $([ "$kind" = V ] && echo s sS sSS || echo s,S,S); do
			for keys in ${session//,/ }; do
				printf '%s\n' f "text:${i}G" $(fold -w1 <<< $keys) f Enter ":save-screen after$((++turn))" Backspace
			done > turns
			play <<< "$start$(< turns)"
		done
		for after in after*; do
			[ "$(where before | tail -n +2)" = "$(where $after | tail -n +2)" ] || bad+=" $i:$after"
		done
		[ "$(ls after* | wc -l)" = 3 ] || bad+=" $i:lost"
	done
	[ -z "$bad" ] && [ "$columns" -gt 5 ]
	verdict $? "the cursor stays on its row whatever column sorts (${kind//$'\n'/})$bad"
done
shows 'by error: the surest last' '^─ proc' '^.*±▼.*$' 'sorted by ±, largest first' <<< $'text::sort ±\nEnter'
shows 'by what it shows' 'sorted by self/call, largest first' 'self/call▼' <<< $'text::sort self/call\nEnter'
shows 'by name' 'sorted by procedure, from the first' <<< $'text::sort procedure\nEnter'
shows 'by source' 'in the order of the source' 'expression▲' <<< $'v\ntext::sort expression\nEnter'

# The choice of columns.
shows 'columns are listed with what they show' '^▌ \[x\] self%' 'Share of all self time' <<< f
shows 'one is hidden' '!self/call *code' 'self/call' <<< $'f\ntext:/machine\nEnter\nSpace\nf'
shows 'one is shown' 'samples' <<< $'f\ntext:/How many samples\nEnter\nEnter\nq'
shows 'that is remembered for another of the kind' 'samples' \
	<<< $'f\ntext:/How many samples\nEnter\nEnter\nq\nv\nV'
shows 'moved to the right' 'self *self%' <<< $'f\nJ\nJ\nq'
shows 'moved back' 'self%▼ *self ' <<< $'f\nJ\nJ\nK\nK\nq'
shows 'all as before' 'self%▼ *self  *±' 'code' 'as they were' <<< $'f\nJ\nJ\ntext:/machine\nEnter\nSpace\nr'
shows 'the one sorted by stays' 'rows are sorted by self%' '\[x\] self%' <<< $'f\nSpace'
shows 'sorted from there' 'code▼' <<< $'f\ntext:/machine\nEnter\ns\nq'
shows 'what there is not is told' 'nothing to show under recursive' <<< $'f\ntext:/by itself\nEnter\nSpace'
shows 'also of callers' '^─ columns of callers' '\[x\] calls' <<< $'c\nf'
shows 'not of a text' 'does nothing here' <<< $'D\nf'
shows 'help over it: it goes' '^─ procedures' '!columns of' <<< $'f\n?\nq'
shows 'files over it: it goes' '^─ choose a file' <<< $'f\no'
shows 'callers from there' '^─ callers of hash' '!columns of' <<< $'f\nc'
shows 'in 20 rows' '^─ columns of' <<< $'f\nsize:80x20'

# Without a line at the foot where there is no room for one.
shows 'no foot in small panes' '!10 procedures' <<< $'x\nsize:80x24'
