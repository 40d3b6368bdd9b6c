# Sourced by the tests of comparisons in the browser, behind lib.sh: two versions of a made-up program,
# old.db and new.db, and runs of growing size, whose figures unit-versions.c has.
"$BUILD/tests/tui/unit-versions" . || exit 1
# Of four runs each: times of one run a side are not judged.
for p in old.db new.db; do
	columns=$(sqlite3 $p "SELECT group_concat(name) FROM pragma_table_info('run') WHERE name <> 'id'")
	sqlite3 $p "WITH RECURSIVE n(i) AS (VALUES(2) UNION ALL SELECT i + 1 FROM n WHERE i < 4)
			INSERT INTO run(id, $columns) SELECT i, $columns FROM run, n WHERE id = 1;
		UPDATE run SET cpu_ns = 0, user_ns = 0, system_ns = 0, wall_ns = 0, wait_ns = 0, samples = 0 WHERE id > 1;
		UPDATE totals SET runs = 4"
done

# As in lib.sh, on several profiles; ARGUMENTS are those of cgview.
shows() # shows NAME 'ARGUMENTS' PATTERN... < STEPS
{
	local name=$1 arguments=$2 status=0
	shift 2
	rm -f shows
	{ echo "size:$SIZE"; cat; echo ':save-screen shows'; } | play $arguments || status=1
	verdict_shows $status "$name" "$@"
}
