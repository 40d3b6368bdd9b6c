#!/bin/bash
# Work that takes longer than a key: begun, seen going on, stopped, overtaken by another key, and in
# the end the same as done at once. Slices are counted here, not timed.
. tests/tui/lib.sh

"$BUILD/tests/make-profile" many.db --procedures 3000 --lines 20000 --ranges 20000 --files 3 ||
	exit 1

# play NAME: the steps on standard input; what was saved is in NAME.*
play()
{
	{ echo size:120x36; cat; } > "$1.script"
	CGVIEW_SCRIPT=$1.script "$cgview" many.db > /dev/null
}

play patient << 'END'
:save-screen first
text:v
text::sort self_each_ns
Enter
text:jjj
text:kkk
:save-screen sorted
text::sort self_ns
Enter
text:&re_77
Enter
:save-screen filtered
text::w written
Enter
text:/procedure_778
Enter
:save-screen searched
Esc
Esc
text:&re_77zzz
Enter
:save-screen none
Esc
text:&b -= .
Enter
text:g
:save-screen by-text
END
play sliced << 'END'
:slices 3
text:v
text::sort self_each_ns
Enter
:save-at-once begun
text:jjj
text:kkk
:save-screen sorted-in-slices
text::sort self_ns
Enter
text:&re_77
Enter
:save-at-once some
:save-screen filtered-in-slices
Esc
text:&re_77
Enter
text::w written-in-slices
Enter
Esc
text:&re_77
Enter
text:/procedure_778
Enter
:save-screen searched-in-slices
Esc
Esc
text:&re_77zzz
Enter
:save-at-once none-yet
:save-screen none-in-slices
Esc
text:&b -= .
Enter
:save-at-once by-text-begun
text:g
:save-screen by-text-in-slices
END

grep -q 'sorting [0-9]*%' begun
verdict $? 'a title tells how far sorting is'
# Rows below the heads.
rows() { sed -n '4,9p' "$1"; }
! cmp -s <(rows begun) <(rows sorted) && [ "$(rows begun | grep -c .)" = 6 ]
verdict $? 'meanwhile the rows are the old ones'
for pair in sorted filtered searched by-text; do
	cmp <(sed '$d' $pair) <(sed '$d' $pair-in-slices)
	verdict $? "$pair: the same in slices as at once"
done
# The panes below still show what the last row was that there was.
cmp <(head -11 none) <(head -11 none-in-slices)
verdict $? 'none: the same in slices as at once'
cmp written written-in-slices && [ "$(wc -l < written)" -gt 10 ]
verdict $? 'all rows are written, also those not yet found'
grep -q 'looking for more [0-9]*%' some && ! grep -q 'looking for more' filtered
verdict $? 'a title tells that there may be more rows'
grep -q 'Not found yet' none-yet && ! grep -q 'Not found yet' none
verdict $? 'nothing found yet is not nothing found'
grep -q 'looking for more [0-9]*%' by-text-begun && grep -q '  b -= a' by-text
verdict $? 'source texts are looked at in slices, too'


play stopped << 'END'
:save-screen before
:slices 3
text::sort self_each_ns
Enter
:save-at-once going-on
Esc
:save-screen stopped
text::sort self_each_ns
Enter
text::sort procedure
Enter
:save-screen overtaken
END
play named << 'END'
text::sort procedure
Enter
:save-screen named
END
grep -q 'sorting' going-on && ! grep -q 'sorting' stopped &&
	cmp <(sed '$d' before) <(sed '$d' stopped)
verdict $? 'Esc stops sorting: the screen is as before'
cmp <(sed '$d' named) <(sed '$d' overtaken)
verdict $? 'another order overtakes one that is not ready'

# The tree of calls from stacks, in which nothing is known before all of them were read.
play tree << 'END'
text:jjt
:save-screen tree
text:I
:save-screen inverted
text:Ia
:save-screen arcs
text:A
:save-screen arcs-up
text:a
:save-screen stacks-up
END
play tree-sliced << 'END'
:slices 3
text:jjt
:save-at-once tree-begun
:save-screen tree-in-slices
text:I
:save-at-once inverted-begun
:save-screen inverted-in-slices
text:I
:save-screen back
text:a
:save-at-once arcs-begun
:save-screen arcs-in-slices
text:A
:save-at-once arcs-up-begun
:save-screen arcs-up-in-slices
text:a
:save-at-once stacks-up-begun
:save-screen stacks-up-in-slices
Esc
Esc
Esc
text:jt
text:I
:save-at-once to-give-up
Esc
:save-screen given-up
END
play tree-left << 'END'
:slices 3
:save-screen before-tree
text:t
Esc
:save-at-once left
text:jjt
:save-screen again
END
for name in tree inverted arcs arcs-up stacks-up; do
	grep -q 'reading the \(stacks\|calls\) [0-9]*%' $name-begun && ! grep -q 'reading' $name
	verdict $? "$name: a title tells how far reading is"
	cmp <(sed '$d' $name) <(sed '$d' $name-in-slices)
	verdict $? "$name: the same in slices as at once"
done
cmp <(sed '2d;$d' tree) <(sed '2d;$d' inverted-begun)
verdict $? 'meanwhile there is the tree that was shown before'
grep -q 'reading' to-give-up && grep -q 'call tree' given-up && ! grep -q 'reading' given-up
verdict $? 'Esc stops reading for another tree'
cmp <(sed '$d' before-tree) <(sed '$d' left) && cmp tree again
verdict $? 'a tree that is left while it is read goes on later, for where the cursor is then'

# A search in the tree, also in what is collapsed: going on, found, not found, overtaken by a key.
play look << 'END'
text:tag
text:/procedure_2991
Enter
:save-screen look
text:gn
:save-screen look-next
text:/procedure_2991z
Enter
:save-screen look-none
END
# Each letter is looked for to the end: what it finds is expanded, and stays so.
letters=$(printf 'text:%s\n:save-screen look-letter\n' / p r o c e d u r e _ 2 9 9 1)
play look-sliced << END
:slices 3
text:t
:save-screen look-before
text:a
:save-screen look-arcs
text:g
$letters
Enter
:save-screen look-in-slices
text:gn
:save-screen look-next-in-slices
text:/procedure_2991z
Enter
:save-at-once look-none-begun
:save-screen look-none-in-slices
text:gnj
:save-screen look-overtaken
END
grep -q 'searching, [0-9]* rows so far' look-none-begun
verdict $? 'search in the tree: a title tells that it goes on'
cmp look look-in-slices && cmp look-next look-next-in-slices && cmp look-none look-none-in-slices &&
	grep -q '^▌.* procedure_2991' look
verdict $? 'search in the tree: the same in slices as at once'
grep -q 'not found: procedure_2991z' look-none && ! grep -q 'not found' look-none-begun
verdict $? 'search in the tree: that nothing is found is said when it is known'
grep -q ' 2/[0-9,]* ─$' look-overtaken
verdict $? 'search in the tree: who moves the cursor is not moved away'

# Rows of a query: what is typed is in the order of the procedures, which is not that of their names.
sql="select id, name, calls from procedure where id <= 2500 order by calls, id"
play sql << END
text::sql $sql
Enter
:save-screen sql
text:j
text:2s
:save-screen sql-sorted
text::w sql-written
Enter
END
play sql-sliced << END
:slices 3
text::sql $sql
Enter
:save-at-once sql-begun
text:j
text:2s
:save-at-once sql-waits
:save-screen sql-sorted-in-slices
text:1s
:save-at-once sql-sorting
text:2s
text::w sql-written-in-slices
Enter
text::sql $sql
Enter
:save-screen sql-in-slices
text::sql $sql
Enter
Esc
:save-screen sql-stopped
text::w sql-all
Enter
END
grep -q '1/[1-9][0-9]*, reading' sql-begun && ! grep -q reading sql
verdict $? 'sql: the first rows are shown while more are read'
grep -q ', sorting [0-9]*%' sql-sorting && ! grep -q 'name▼' sql-waits
verdict $? 'sql: a title tells how far sorting is'
cmp <(sed '$d' sql) <(sed '$d' sql-in-slices) &&
	cmp <(sed '$d' sql-sorted) <(sed '$d' sql-sorted-in-slices) &&
	cmp sql-written sql-written-in-slices
verdict $? 'sql: the same in slices as at once'
python3 - many.db sql-written sql-all "$sql" << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
rows = [tuple(map(str, row)) for row in db.execute(sys.argv[4])]
read = lambda name: [tuple(line.split()) for line in open(name)][1:]
assert len(rows) == 2500
assert read(sys.argv[2]) == sorted(rows, key=lambda row: row[1]), "sorted by name"
assert read(sys.argv[3]) == rows, "as they came, also those not read"
END
verdict $? 'sql: what is written is what SQLite says'
grep -q 'the first [1-9][0-9]* rows; :w FILE writes all' sql-stopped &&
	grep -q '/[1-9][0-9]*, there are more' sql-stopped
verdict $? 'sql: Esc stops reading, and that rows are missing is told'

many='with recursive c(x) as (select 1 union all select x + 1 from c where x < 100007) select x from c'
play sql-more << END
text::sql $many
Enter
:save-screen sql-more
text:1s
:save-screen sql-more-sorted
text::w sql-more-written
Enter
END
grep -q 'the first 100,000 rows; :w FILE writes all' sql-more &&
	grep -q 'the first 100,000 rows, sorted; :w FILE writes all' sql-more-sorted
verdict $? 'sql: that only the first rows are kept is told'
cmp <(sed 1d sql-more-written | tr -d ' ') <(seq 100007)
verdict $? 'sql: all rows are written, also those not kept'

# A comparison: rows of a kind are compared when somebody looks at them.
"$BUILD/tests/make-profile" other.db --procedures 3100 --lines 20100 --ranges 20500 --files 3 ||
	exit 1
play_both() # play_both NAME < STEPS
{
	{ echo size:120x36; echo u; cat; } > "$1.script"
	CGVIEW_SCRIPT=$1.script "$cgview" many.db other.db > /dev/null
}
play_both compared << 'END'
:save-screen compared
text:v
text:jjjkkk
:save-screen compared-ranges
text:x
:save-screen compared-source
text:u
text:=
C-u
text:b.count
Enter
:save-screen compared-counts
text:v
:save-screen compared-sites
END
play_both compared-slices << 'END'
:save-screen compared-in-slices
:slices 2
text:v
text:jjjkkk
:save-screen compared-ranges-in-slices
text:x
:save-screen compared-source-in-slices
text:u
text:=
C-u
text:b.count
Enter
:save-at-once typed
:save-screen compared-counts-in-slices
text:v
:save-at-once comparing
:save-screen compared-sites-in-slices
END
play_both compared-left << 'END'
text:v
:slices 2
text:=
C-u
text:b.count
Enter
Esc
:save-screen stopped-comparing
C-l
:save-screen compared-counts-after-all
text:v
Esc
text:vV
:save-screen compared-sites-after-all
END
grep -q 'comparing call sites [0-9]*%' comparing && grep -q 'Esc stops' comparing
verdict $? 'a title tells how far comparing is'
for name in compared compared-ranges compared-source compared-sites; do
	cmp <(sed '$d' $name) <(sed '$d' $name-in-slices)
	verdict $? "$name: the same in slices as at once"
done
# The source may be scrolled otherwise: the cursor came to its row by way of the first one.
cmp <(head -11 compared-counts) <(head -11 compared-counts-in-slices)
verdict $? 'the cursor is on its row again'
grep -q 'comparing ranges [0-9]*%' typed
verdict $? 'another expression is computed in slices'
grep -q 'stopped comparing ranges [0-9]*%' stopped-comparing &&
	grep -q 'stopped comparing; .* goes on' stopped-comparing
verdict $? 'Esc stops comparing'
cmp <(head -11 compared-counts) <(head -11 compared-counts-after-all) &&
	cmp <(head -11 compared-sites) <(head -11 compared-sites-after-all)
verdict $? 'what was stopped or left goes on'

# However short a slice is, it gets further: here it ends with the first look at the clock.
"$BUILD/tests/tui/unit-versions" . || exit 1
for pair in "sample.db old.db" "old.db new.db"; do
	printf '%s\n' ':slices 1' S PgUp Tab Enter 'text:=ratio(b.count,a.count)' \
		':save-screen shortest' 'text:&a' p ':save-screen shortest' > steps
	# shellcheck disable=SC2086
	(ulimit -t 20; CGVIEW_SCRIPT=steps "$cgview" $pair)
	verdict $? "the shortest slices come to an end: $pair"
done

# Hot spots of a measure that no index has the order of: a formula.
sqlite3 many.db "INSERT INTO measure SELECT 7, 'per', NULL, 'time of each', 'ns', 'none', 'none', 'time / count', 1, 0, 0, 0,
	0, 0, max(1.0 * self_ns / count) FROM line"
play hot << 'END'
text::measure per
Enter
text:x1g
Enter
text:]
:save-screen hot
text:]
:save-screen hot-next
END
play hot-sliced << 'END'
:slices 3
text::measure per
Enter
text:x1g
Enter
:save-at-once hot-before
text:]
:save-at-once hot-begun
:save-screen hot-in-slices
text:]
:save-screen hot-next-in-slices
text:1g
Enter
text::measure count
Enter
text::measure per
Enter
text:]
:save-at-once hot-again
text:j
:save-screen hot-given-up
END
grep -q 'looking for hot spots' hot-begun && cmp <(sed '$d' hot-before) <(sed '$d' hot-begun)
verdict $? 'hot spots that are not found yet: meanwhile the cursor stays'
for pair in hot hot-next; do
	grep -q 'hot spot [12] of this file' $pair && cmp $pair $pair-in-slices
	verdict $? "$pair: the same in slices as at once"
done
grep -q 'looking for hot spots' hot-again && ! grep -q 'hot spot [12]' hot-given-up
verdict $? 'another key is wanted instead'
