#!/bin/bash
# Where there are thousands of what is few in most programs: callers, callees, children of a node of
# the call tree. What is done about them in slices ends as what is done at once; it tells how far it
# is; Esc or another key stops it.
. tests/tui/lib.sh

"$BUILD/tests/make-wide" wide.db || exit 1

# play_wide NAME: the steps on standard input
play_wide()
{
	{ echo size:120x36; cat; } > "$1.script"
	CGVIEW_SCRIPT=$1.script "$cgview" wide.db > /dev/null || verdict 1 "playing $1"
}

play_wide wide << 'END'
text:/hub
Enter
Esc
:save-screen wide
text:djjj
:save-screen wide-callees
Enter
Backspace
:save-screen wide-back
text:s
:save-screen wide-sorted
text:ug/^to_1007
Enter
:save-screen wide-found
text:/^to_1008x
Enter
:save-screen wide-none
END
play_wide wide-sliced << 'END'
:slices 3
text:/hub
Enter
:save-screen wide-hub
Esc
:save-screen wide-in-slices
text:kj
:save-at-once wide-begun
text:u
text:kj
:save-screen wide-again
text:djjj
:save-screen wide-callees-in-slices
Enter
Backspace
:save-at-once wide-back-begun
:save-screen wide-back-in-slices
text:s
:save-screen wide-sorted-in-slices
text:ug/^to_1007
Enter
:save-at-once wide-searching
:save-screen wide-found-in-slices
text:/^to_1008x
Enter
:save-screen wide-none-in-slices
text:/^to_1009
Enter
Esc
:save-screen wide-stopped
text:n
text:j
:save-screen wide-moved
END
grep -q 'callees.*\(sorting\|looking for more\) [0-9]*%' wide-begun &&
	grep -q 'Not found yet' wide-begun && ! grep -q 'Not found yet' wide
verdict $? 'thousands of callees: a title tells how far they are'
for name in wide wide-callees wide-back wide-sorted wide-found wide-none; do
	cmp <(sed '$d' $name) <(sed '$d' $name-in-slices)
	verdict $? "$name: the same in slices as at once"
done
cmp <(sed '$d' wide) <(sed '$d' wide-again)
verdict $? 'thousands of callees: who goes away and comes back sees the same'
grep -q 'searching [0-9]*%' wide-searching && ! grep -q 'searching' wide-found &&
	grep -q '▌.* to_1007 ' wide-found
verdict $? 'search among many rows: a title tells how far it is'
grep -q 'not found: ^to_1008x' wide-none-in-slices && grep -q 'not found: ^to_1008x' wide-none
verdict $? 'search among many rows: that there is none is said when it is known'
grep -q 'stopped searching: n goes on' wide-stopped && ! grep -q '▌.* to_1009 ' wide-stopped &&
	! grep -q '▌.* to_1009 ' wide-moved
verdict $? 'search among many rows: Esc or another key stops it'
calls=$(python3 -c 'import sqlite3
print("{:,}".format(sqlite3.connect("wide.db").execute("SELECT sum(a.count) FROM arc a "
    "JOIN procedure p ON p.id = a.caller WHERE p.name = ?", ("hub",)).fetchone()[0]))')
grep -q "callees of hub.* $calls calls" wide-in-slices
verdict $? 'thousands of callees: their calls are those of the profile'

# The tree of calls: nodes with thousands of children, from stacks and from arcs, both ways.
# tree_steps SUFFIX: each key is waited for, then the screen is saved as the first word says
tree_steps()
{
	local name keys key
	set -f # a star is a key
	while read -r name keys; do
		for key in $keys; do
			echo "$key"
			echo ':save-screen waited'
		done
		echo ":save-screen $name$1"
	done << 'END'
tree-found g text:/main Enter Esc t
tree-open g l
tree-all - *
tree-some - 1 *
tree-hottest g - H
tree-folds f g l j f
tree-callers I
tree-up A g text:/hub Enter l
tree-up-all *
tree-icicle-up i
tree-icicle A i g j i
tree-arcs-callers i a g H I
tree-arcs I g - l
tree-arcs-all g *
tree-arcs-zoomed j j l z
tree-arcs-up z A text:/^hub Enter l
tree-arcs-cycle A g - l j l j
tree-arcs-icicle g z i
END
	set +f
}
tree_steps '' | play_wide tree
{ echo ':slices 3'; tree_steps -in-slices; } | play_wide tree-sliced
# However short a slice is, it gets further.
{ echo ':slices 1'; tree_steps -in-short-slices; } | play_wide tree-short
for name in tree-found tree-open tree-all tree-some tree-hottest tree-folds tree-callers tree-up \
	tree-up-all tree-icicle-up tree-icicle tree-arcs-callers tree-arcs tree-arcs-all \
	tree-arcs-zoomed tree-arcs-up tree-arcs-cycle tree-arcs-icicle; do
	cmp <(sed '$d' $name) <(sed '$d' $name-in-slices) &&
		cmp <(sed '$d' $name) <(sed '$d' $name-in-short-slices)
	verdict $? "$name: the same in slices as at once"
done

play_wide tree-meanwhile << 'END'
text:g/main
Enter
Esc
text:t
:save-screen meanwhile-before
:slices 3
text:g-
:save-screen meanwhile-closed
text:l
:save-at-once meanwhile-begun
text:jk
:save-at-once meanwhile-typing
:save-screen meanwhile-open
text:-
:save-screen meanwhile-closed-again
text:*
:save-at-once meanwhile-all
Esc
:save-at-once meanwhile-stopped
text:-a
:save-screen meanwhile-arcs
text:l
:save-at-once meanwhile-arcs-begun
Esc
:save-screen meanwhile-arcs-stopped
text:l
:save-screen meanwhile-arcs-open
text:q
END
grep -q 'expanding, [0-9,]* rows so far' meanwhile-typing &&
	grep -q 'expanding, [0-9,]* rows so far' meanwhile-all
verdict $? 'a tree is expanded: a title tells how far'
grep -q 'stopped' meanwhile-stopped && ! grep -q 'rows so far' meanwhile-stopped
verdict $? 'a tree is expanded: Esc stops it'
grep -q 'expanding, [0-9,]* rows so far' meanwhile-arcs-begun &&
	grep -q '^▌.*▸ main' meanwhile-arcs-stopped && grep -q '^▌.*▾ main' meanwhile-arcs-open
verdict $? 'a tree from arcs is expanded: Esc stops it, and it can be expanded again'
# main calls each procedure from_N once, one ring, and 200 pairs; all below the ring are its members,
# and so is what is below each pair.
rows=$(python3 -c 'import sqlite3
db = sqlite3.connect("wide.db")
main, = db.execute("SELECT id FROM procedure WHERE name = ?", ("main",)).fetchone()
print("{:,}".format(1 + db.execute("SELECT count(DISTINCT coalesce(-nullif(p.cycle, 0), p.id)) FROM arc a "
    "JOIN procedure p ON p.id = a.callee WHERE a.caller = ?", (main,)).fetchone()[0]),
    "{:,}".format(1 + db.execute("SELECT count(DISTINCT procedure) FROM context WHERE parent = 1 "
    "AND total_samples > 0").fetchone()[0]))')
grep -q " [0-9,]*/${rows% *} ─" meanwhile-arcs-open
verdict $? "a tree from arcs: as many rows as there are callees (${rows% *})"
grep -q " [0-9,]*/${rows#* } ─" meanwhile-open
verdict $? "a tree from stacks: as many rows as there are callees (${rows#* })"

# All uses of a macro, and many notes: as much as can be seen at once, the rest while nobody types.
"$BUILD/tests/make-wide" noted.db --notes 3000 --threads 3000 || exit 1
play_noted() # play_noted NAME: the steps on standard input
{
	{ echo size:120x36; cat; } > "$1.script"
	CGVIEW_SCRIPT=$1.script "$cgview" noted.db > /dev/null || verdict 1 "playing $1"
}
play_noted macro << 'END'
text:/hub
Enter
Esc
text:xj
text:X
:save-screen macro
text::w macro-written
Enter
text:G
:save-screen macro-last
text:q
text:D
:save-screen notes
text::w notes-written
Enter
text:uT
:save-screen threads
text:sjj
:save-screen threads-sorted
text::w threads-written
Enter
END
play_noted macro-sliced << 'END'
:slices 3
text:/hub
Enter
:save-screen noted-hub
Esc
text:xj
text:X
:save-at-once macro-begun
:save-screen macro-in-slices
text:q
text:X
Esc
:save-screen macro-left
text:X
text::w macro-written-in-slices
Enter
text:G
:save-screen macro-last-in-slices
text:q
text:D
:save-at-once notes-begun
text:q
text:D
text::w notes-written-in-slices
Enter
text:q
text:D
size:90x30
size:120x36
:save-screen notes-in-slices
text:u
text:T
:save-at-once threads-begun
:save-screen threads-in-slices
text:s
:save-at-once threads-sorting
:save-screen threads-settled
text:jj
:save-screen threads-sorted-in-slices
text:ss
:save-at-once threads-sorted-again
text:S
text:S
text::w threads-written-in-slices
Enter
END
grep -q 'looking for more [0-9]*%' macro-begun && ! grep -q 'looking for more' macro
verdict $? 'uses of a macro: a title tells how far they are'
for name in macro macro-last notes threads threads-sorted; do
	cmp <(sed '$d' $name) <(sed '$d' $name-in-slices)
	verdict $? "$name: the same in slices as at once"
done
cmp macro-written macro-written-in-slices && [ "$(wc -l < macro-written)" -gt 1000 ]
verdict $? 'all uses of a macro are written, also those not yet found'
cmp notes-written notes-written-in-slices && [ "$(wc -l < notes-written)" -gt 3000 ]
verdict $? 'all notes are written, also those not yet laid out'
first() { sed -n 2,30p "$1"; }
cmp <(first notes | sed 1d) <(first notes-begun | sed 1d) && ! cmp -s <(sed -n 1,2p notes) <(sed -n 1,2p notes-begun)
verdict $? 'notes: those that can be seen are there at once'
grep -q 'reading [0-9]*%' threads-begun && grep -q 'Not found yet' threads-begun &&
	grep -q 'reading [0-9]*%' threads-sorting && ! grep -q 'reading' threads
verdict $? 'threads: a title tells how far they are read'
