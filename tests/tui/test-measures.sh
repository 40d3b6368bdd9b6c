#!/bin/bash
# Measures without columns of their own in the source, its margin, its colours and the tree: those
# that build/tests/make-measures adds, worked out once more by SQL.
. tests/tui/lib.sh

"$BUILD/tests/make-measures" sample.db m.db 2
"$BUILD/tests/tui/unit-sample" macros.db macros
"$BUILD/tests/make-measures" macros.db mm.db
python3() { command python3 "$top/tests/tui/measures.py" "$@"; }

same() # same NAME WANTED GOT
{
	[ -s "$2" ] && diff "$2" "$3"
	verdict $? "$1"
}

# ---- figures ----
for file in words.c odd.c; do
	columns=(bytes faults depth extra1 extra2 total_bytes total_extra1)
	list=$(IFS=,; echo "${columns[*]}")
	"$cgview" annotate --file "*$file" --columns "$list" m.db > text
	python3 got < text > got
	python3 m.db lines "$file" "${columns[@]}" > wanted
	same "figures of lines: $file" wanted got
done
"$cgview" annotate --columns depth,bytes --expressions mm.db > text
python3 got < text | grep : > got
for file in $(sqlite3 mm.db 'SELECT path FROM file ORDER BY path'); do
	python3 mm.db expressions "$file" depth bytes
done > wanted
same 'of several at one place the greatest depth counts, and the sum of bytes' wanted got
[ "$(sqlite3 mm.db "SELECT count(*) FROM (SELECT 1 FROM range WHERE kind <> 'procedure' AND self_depth
	GROUP BY file, line, \"column\", end_line, end_column HAVING count(*) > 1)")" -gt 0 ]
verdict $? '... there are several'

# ---- formulas: what SQL computes of the tables ----
# formula NAME FORMULA UNIT SQL SQL-OF-PLACES: in the margin at lines and expressions
formula()
{
	local name=$1 sql=$4 places=$5 file
	sqlite3 mm.db "UPDATE measure SET formula = '$2', unit = '$3' WHERE name = 'each'"
	"$cgview" merge -o f.db mm.db > /dev/null
	"$cgview" annotate --columns each f.db > text
	for file in $(sqlite3 f.db 'SELECT path FROM file ORDER BY path'); do
		python3 f.db formula "$file" each "$sql" lines
	done > wanted
	python3 got < text > got
	same "a formula at lines: $name" wanted got
	[ -z "$places" ] && return
	"$cgview" annotate --columns each --expressions f.db > text
	for file in $(sqlite3 f.db 'SELECT path FROM file ORDER BY path'); do
		python3 f.db formula "$file" each "$places" expressions
	done > wanted
	python3 got < text | grep : > got
	same "... at expressions" wanted got
	sqlite3 f.db "SELECT abs(m.max_value - (SELECT max($sql) FROM line)) <= 1e-12 * m.max_value
		FROM measure m WHERE name = 'each'" > got
	echo 1 > wanted
	same '... the greatest of a line is stored' wanted got
}
formula 'a ratio' 'bytes / count' bytes '1.0 * self_bytes / count'
formula 'divided by 0 in many places' 'bytes / faults' frames '1.0 * self_bytes / self_faults' \
	'1.0 * sum(self_bytes) / sum(self_faults)'
formula 'small' 'ratio(faults, bytes)' parts '1.0 * self_faults / self_bytes' \
	'1.0 * sum(self_faults) / sum(self_bytes)'
formula 'times, a constant' '3 * time + max(depth, 0.5)' ns '3.0 * self_ns + max(self_depth, 0.5)' \
	'3.0 * sum(self_ns) + max(max(self_depth), 0.5)'
formula 'below 0 in places' 'bytes - 20 * count' count '1.0 * self_bytes - 20 * count'
formula 'a column of lines' 'self_samples + total_ns' count '1.0 * self_samples + total_ns'
sqlite3 mm.db "UPDATE measure SET formula = 'bytes / count', unit = 'bytes' WHERE name = 'each'"
cp m.db never.db
sqlite3 never.db "UPDATE measure SET formula = 'code_bytes / calls' WHERE name = 'each'"
"$cgview" merge -o none.db never.db > /dev/null
[ "$(sqlite3 none.db "SELECT count(*) FROM measure WHERE name = 'each' AND max_value IS NULL")" = 1 ]
verdict $? 'a formula of procedures alone has no greatest line'

# ---- choosing ----
rounds=('count' 'total time' 'total executed blocks' 'bytes asked for' 'total bytes asked for' 'page faults' 'total page faults'
	'stack depth (frames)' 'bytes of each execution' 'extra number 1' 'total extra number 1' 'extra number 2'
	'total extra number 2' 'self time')
{
	echo size:120x36
	for i in "${!rounds[@]}"; do printf 'm\n:save-screen round%d\n' "$i"; done
} | play m.db
status=0
for i in "${!rounds[@]}"; do
	head -1 "round$i" | grep -qF "heat: ${rounds[$i]}, log" || { head -1 "round$i"; status=1; }
done
verdict $status 'm goes round all that there are'

DB=m.db SIZE=120x36
greatest=$(python3 m.db greatest bytes)
shows 'its column, its legend to the greatest' 'heat: bytes asked for, log' "\.\.$greatest " 'count  *self  *bytes │' \
	'executed, has none' <<< $':\ntext:measure bytes\nEnter\nx\nz\nK'
shows 'a unit of its own is told' 'colours show stack depth (frames)' '█ 28..45' <<< $'x\nz\nK\n:\ntext:measure depth\nEnter'
shows 'a number chooses one' 'heat: stack depth (frames), log' <<< $'9\nm'
shows 'what there is not' 'this profile has no measure nothing' <<< $':\ntext:measure nothing\nEnter'
DB=none.db shows '... nor a formula that lines have no values of' 'this profile has no measure each' \
	<<< $':\ntext:measure each\nEnter'
shows '... nor waiting, where nobody looked' 'this profile has no measure wait' <<< $':\ntext:measure wait\nEnter'
shows 'completion' ':measure total_  *total_work  total_bytes  total_faults  total_extra1  total_extra2' \
	<<< $':\ntext:measure total_\nTab'
shows 'the choice of columns' '\[ \] bytes  *bytes asked for' '\[x\] total_faults  *total page faults' \
	'total_faults │' <<< $'x\nf\ntext:jjjjjjjjjjj\nEnter'
shows 'the figure of what is selected' '10:3  9,633,318×  self 410 ms ±9%  bytes 154 MB' \
	<<< $'x\n:\ntext:measure bytes\nEnter\ntext:10g\nl'
hottest() # hottest COLUMN WHAT TABLE NUMBER
{
	sqlite3 m.db "SELECT $2 FROM $3 WHERE file = (SELECT id FROM file WHERE path LIKE '%words.c')
		ORDER BY $1 DESC, id LIMIT 1 OFFSET $4"
}
for metric in bytes depth; do
	greatest=$(command python3 -c 'import sys; sys.path.insert(0, sys.argv[1]); import measures
print(measures.printed(sys.argv[2], int(sys.argv[3])))' "$top/tests/tui" "${metric/depth/frames}" \
		"$(hottest self_$metric self_$metric line 1)")
	shows "the second hottest spot: $metric" "hot spot 2 of this file: $greatest " \
		"^▌.*│ *$(hottest self_$metric line line 1) " <<< $'x\ntext:1g\n:\ntext:measure '$metric$'\nEnter\n]\n]'
done
golden source-formula 120x36 m.db <<< $'x\nK\n:\ntext:measure each\nEnter\ntext:17g\nl'
# 32 B on three lines: the one that was executed most is first.
shows 'of a formula' 'hot spot 2 of this file: 32 B bytes of each execution' \
	"^▌█.*│ *$(sqlite3 m.db "SELECT line FROM line WHERE file = (SELECT id FROM file WHERE path LIKE '%words.c')
		ORDER BY 1.0 * self_bytes / count DESC, count DESC LIMIT 1 OFFSET 1") " \
	<<< $'x\ntext:1g\n:\ntext:measure each\nEnter\n]\n]'
shows '... until there is none' 'no further spot with bytes of each execution' \
	<<< "$(printf '%s\n' x text:1g : 'text:measure each' Enter; for _ in {1..60}; do echo ']'; done)"
shows 'of a total: calls' 'hot spot 1 of this file: 366 MB total bytes asked for' \
	"^▌.*│ *$(hottest total_bytes line call_site 0) " \
	<<< $'x\ntext:1g\n:\ntext:measure total_bytes\nEnter\n]'
shows 'beside the summary: the hottest line of a measure' '─ .*words.c ──.* hash ──.*' \
	"^.█ 10,837,649 .*│ *9 " <<< $':\ntext:measure bytes\nEnter'
echo 'set metric faults' > config
printf '%s\n' size:120x36 ':save-screen shows' > script
CGVIEW_SCRIPT=script "$cgview" --config config m.db
verdict_shows $? 'configured' 'heat: page faults, log'
CGVIEW_SCRIPT=script "$cgview" --config config sample.db
verdict_shows $? '... of a profile without it' 'heat: self time, log'
echo 'set metric Faults' > config
CGVIEW_SCRIPT=script "$cgview" --config config m.db
verdict_shows $? 'a name that none can have' 'config:1: set metric Faults: it is self'

# The title and the unit of a stranger.
cp m.db hostile.db
sqlite3 hostile.db "UPDATE measure SET title = char(27) || '[2Jgone' || char(10) || printf('%.3000c', 'x'),
	unit = char(27) || ']0;t' || char(7) WHERE name = 'bytes'"
DB=hostile.db shows 'its title is cut and shows what is in it' 'colours show ^\[\[2Jgone^Jx*…' \
	<<< $'x\n:\ntext:measure bytes\nEnter'
"$cgview" annotate --file '*words.c' --heat bytes --color always hostile.db > text
! sed 's/\x1b\[[0-9;]*m//g' text | LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' && grep -q '\^\[\[2Jgone' text
verdict $? '... in the legend of annotate, too'
"$cgview" report --by tree --measure bytes hostile.db | LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]'
[ $? = 1 ]
verdict $? '... and above the tree'

# Written: the same as annotate prints.
printf '%s\n' size:120x36 : 'text:measure bytes' Enter x : 'text:w written' Enter | play m.db
"$cgview" annotate --file '*words.c' --heat bytes --color never m.db | sed '1,3d; $d' | sed '$d' > text
diff <(python3 got < written) <(sed '1i\' text | python3 got)
verdict $? 'written as annotate prints it'

# ---- the tree ----
cp sample.db stacks.db
command python3 "$top/tests/tui/tree-contexts.py" stacks.db
"$BUILD/tests/make-measures" stacks.db t.db 2
"$cgview" report --by tree --from contexts --format csv t.db > times
"$cgview" report --by tree --measure bytes --format csv t.db > bytes
python3 times tree bytes bytes
verdict $? 'each row of the tree has its bytes, 16 for a sample'
all=$(sqlite3 t.db 'SELECT sum(self_bytes) FROM context')
[ "$(awk -F, 'NR > 1 && $3 == 1 { n += $10 } END { print n }' bytes)" = "$all" ]
verdict $? 'all roots together have all of them'
"$cgview" report --by tree --measure bytes t.db > text
grep -q 'calls, bytes asked for, from the stacks' text && grep -q '30.5 kB  *32 B  *main' text
verdict $? 'as text'
for wrong in each depth nonsense; do
	! "$cgview" report --by tree --measure $wrong t.db 2> text && grep -q 'it is time, bytes, faults, extra1 or extra2' text
	verdict $? "no stack has $wrong"
done
! "$cgview" report --by tree --measure bytes --from arcs t.db 2> text && grep -q 'arcs know nothing' text
verdict $? 'nor has an arc any'
{
	printf '%s\n' size:120x30 t
	for i in 1 2 3 4 5; do printf 'w\n:save-screen tree%d\n' "$i"; done
} | play t.db
status=0 i=0
for origin in 'bytes asked for, from the stacks' 'page faults, from the stacks' 'extra number 1, from the stacks' \
	'extra number 2, from the stacks' 'from 1,911 sampled stacks'; do
	i=$((i + 1))
	grep -qF "$origin" tree$i || { cat tree$i; status=1; }
done
verdict $status 'w goes round all that stacks have'
DB=t.db SIZE=120x30
shows 'its figures, in its unit' 'total%  *total bytes  *bytes ' '82.8 .* 25.3 kB  *4.16 kB .* lookup' <<< $'t\nw'
shows 'the icicle' 'hash   total 21.2 kB  69.2%   self 21.2 kB' <<< $'t\nw\ni'
shows 'the tree of what colours show' 'page faults, from the stacks' <<< $':\ntext:measure total_faults\nEnter\nt'
shows 'chosen in the tree' 'bytes asked for, from the stacks' <<< $'t\n:\ntext:measure bytes\nEnter'

# ---- in a comparison: measures are known by their names, whatever their numbers are ----
cp t.db u.db
sqlite3 u.db 'UPDATE context SET self_bytes = 2 * self_bytes, self_faults = 3 * self_faults'
# Bytes and faults change their places.
command python3 - u.db << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
for table, in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall():
    for part in "self", "total", "pair":
        if any(row[1] == part + "_bytes" for row in db.execute("PRAGMA table_info(%s)" % table)):
            for old, new in ("bytes", "other"), ("faults", "bytes"), ("other", "faults"):
                db.execute("ALTER TABLE %s RENAME COLUMN %s_%s TO %s_%s" % (table, part, old, part, new))
            db.execute("UPDATE %s SET %s_bytes = %s_faults, %s_faults = %s_bytes" % ((table,) + (part,) * 4))
ids = [db.execute("SELECT id FROM measure WHERE name = ?", (name,)).fetchone()[0] for name in ("bytes", "faults")]
for old, new in (ids[0], 1000), (ids[1], ids[0]), (1000, ids[1]):
    db.execute("UPDATE measure SET id = ? WHERE id = ?", (new, old))
db.commit()
END
[ "$(sqlite3 t.db "SELECT id FROM measure WHERE name = 'bytes'")" = \
	"$(sqlite3 u.db "SELECT id FROM measure WHERE name = 'faults'")" ]
verdict $? 'two profiles number their measures differently'
compared() # compared NAME PATTERN... < STEPS
{
	{ echo size:120x30; cat; echo ':save-screen shows'; } | play t.db u.db
	verdict_shows $? "$@"
}
whole=$(sqlite3 t.db "SELECT printf('%,d  *%,d  *+%,d', total_faults, 3 * total_faults, 2 * total_faults) FROM context WHERE parent IS NULL
	AND procedure = (SELECT id FROM procedure WHERE name = 'main')") part=$(sqlite3 t.db "SELECT sum(self_faults) FROM context
	WHERE procedure = (SELECT id FROM procedure WHERE name = 'read_all')")
compared 'the compared tree of page faults' 'compared call tree: b.total_faults - a.total_faults' \
	'page faults, from the stacks' " $whole .* main" \
	<<< $'t\n:\ntext:measure faults\nEnter\ng\n-'
compared '... from the callees up the part of each is its own' 'compared callers of all: b.faults - a.faults' \
	" $part  *$((3 * part))  *+$((2 * part)) .* read_all" <<< $'t\n:\ntext:measure faults\nEnter\nA'
compared 'm goes on to bytes, in their unit' 'b.total_bytes - a.total_bytes' ' 30.5 kB  *61.0 kB  *+30.5 kB .* main' \
	<<< $'t\nm\nm\ng\n-'
compared 'an expression over it' 'ratio(b.total_bytes, a.total_bytes)' ' 30.5 kB  *61.0 kB  *×2.00 .* main' \
	<<< $'=\nC-u\ntext:ratio(b.total_bytes, a.total_bytes)\nEnter\nt\n:\ntext:measure bytes\nEnter\ng\n-'
compared 'time again' 'b.total_ns - a.total_ns' <<< $'t\nm\nm\nm\nm\nm'
{ printf '%s\n' size:120x30 t m ':save-screen shows'; } | play t.db stacks.db
verdict_shows $? 'what one of them does not have cannot be compared' 'no other measure in common'

# ---- waiting, which is a measure as any other ----
cp stacks.db waited.db
sqlite3 waited.db 'UPDATE run SET wall_interval_ns = 1000000; UPDATE line SET self_wait_ns = 1000 * count;
	UPDATE call_site SET total_wait_ns = 7000 * count; UPDATE context SET self_wait_ns = 5000 * self_samples'
"$cgview" annotate --file '*words.c' --columns wait,total_wait waited.db > text
python3 got < text > got
python3 waited.db lines words.c wait total_wait > wanted
same 'waiting on lines, and below their calls' wanted got
DB=waited.db
shows 'm goes on to it' 'heat: waiting time, log' 'count  *self  *wait │' 'executed, never waited' <<< $'x\nz\nK\n4\nm'
shows '... then to that below calls' 'heat: total waiting time, log' ' total_wait │' <<< $'x\nz\n4\nm\nm'
shows '... and round' 'heat: self time, log' <<< $'x\nz\n4\nm\nm\nm'
shows 'the tree of it' 'waiting, from the stacks of those that waited' ' total wait  *wait ' '82.8 .* 7.92 ms  *1.30 ms .* lookup' \
	<<< $'t\nw'
shows '... and of time again' 'from 1,911 sampled stacks' <<< $'t\nw\nw'
shows '... which is first when colours show it' 'waiting, from the stacks' <<< $'4\nm\nt'
"$cgview" report --by tree --wait waited.db > text
"$cgview" report --by tree --measure wait waited.db | diff text - && grep -q ' 7.92 ms  *1.30 ms  .*lookup' text
verdict $? '--wait is --measure wait'
"$cgview" report --by tree --wait --format csv waited.db | sed -n 3p | grep -q 'read_all,.*,8415000,500000,'
verdict $? '... in csv'

# ---- one with signs: the difference of two heap profiles ----
command python3 "$top/tests/collect/pprof.py" diff diff.pb
"$cgview" import -o signed.db diff.pb > out 2>&1
golden signed 100x14 signed.db <<< ''
golden signed-tree 100x14 signed.db <<< t
