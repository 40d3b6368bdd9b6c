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
	CGVIEW_SCRIPT=$1.script "$cgview" wide.db > /dev/null
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
