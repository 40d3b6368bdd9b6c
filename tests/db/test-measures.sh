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
