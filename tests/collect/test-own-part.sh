#!/bin/bash
# The tree of calls has a procedure below itself only where it called itself, though debug information has a part of it,
# which was split off and brought back, as inlined into it.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

must "compile own-part.c" "$cgcc" -O2 -g "$top/tests/collect/programs/own-part.c" -o parts
record parts.db ./parts
below_itself()
{
	sqlite3 parts.db "SELECT count(*) FROM context c JOIN context u ON u.id = c.parent AND u.procedure = c.procedure
		JOIN procedure p ON p.id = c.procedure WHERE p.name = '$1'"
}
if [ "$(sqlite3 parts.db "SELECT count(*) FROM procedure WHERE name IN ('put', 'sum') AND total_samples > 5")" != 2 ]; then
	echo "skip - who is below whom in the tree: too few samples"
	exit 0
fi
check "a procedure that never calls itself is not below itself" [ "$(below_itself put)" = 0 ]
check "one that does, is" [ "$(below_itself sum)" -gt 0 ]
check "its line has the time of no call" [ "$(sqlite3 parts.db "SELECT l.total_ns - l.self_ns FROM line l
	JOIN procedure p ON p.file = l.file AND p.line = l.line WHERE p.name = 'put'")" = 0 ]
check "the times of the roots are all there is" conserved parts.db
