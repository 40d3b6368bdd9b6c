#!/bin/bash
# A profile of the version before is read as if it were of this one, and is of this one when it is
# written. tests/db/version-10 has one, and what that version printed of it.
. tests/db/lib.sh
given=$top/tests/db/version-10
cd "$TMP_DIR" || exit
mkdir tmp
export TMPDIR=$TMP_DIR/tmp
gunzip -c "$given/profile.db.gz" > 1.db
sha256sum 1.db > sum
check "it is of that version" [ "$(sqlite3 1.db 'PRAGMA user_version')" = 10 ]

reports() # reports DB: all that can be seen of its tables
{
	local kind
	for kind in procedure block site line file arc run thread note; do
		echo "== $kind"
		"$cgview" report --by $kind --format csv "$1"
	done
}
# The columns that it had, by the names that they have now; what is new is not looked at, nor are
# the KIND.COLUMNs given, which are found anew by other rules.
same_reports() # same_reports FILE [KIND.COLUMN ...]
{
	python3 - "$given/report" "$@" << 'END'
import csv, sys
NOW = {"procedure": {"total_ns": "propagated_ns", "total_sampled_ns": "total_ns",
                     "total_lo_ns": "propagated_lo_ns", "total_hi_ns": "propagated_hi_ns"},
       "arc": {"time_ns": "propagated_ns"}}
GONE = ["procedure.root_total_ns"]
def sections(path):
    of, name = {}, None
    for row in csv.reader(open(path)):
        if len(row) == 1 and row[0].startswith("== "):
            name = row[0][3:]
            of[name] = []
        else:
            of[name].append(row)
    return of
then, now = sections(sys.argv[1]), sections(sys.argv[2])
bad = then.keys() != now.keys()
for kind in then:
    same = [c for c in then[kind][0] if kind + "." + c not in sys.argv[3:] + GONE]
    names = [NOW.get(kind, {}).get(c, c) for c in same]
    before = [[row[then[kind][0].index(c)] for c in same] for row in then[kind][1:]]
    rows = [[row[now[kind][0].index(c)] for c in names] for row in now[kind][1:]]
    if rows != before:
        print("#", kind, [(a, b) for a, b in zip(before, rows) if a != b][:2])
        bad = True
sys.exit(bad)
END
}
reports 1.db > reports.txt
check "reports print what that version printed" same_reports reports.txt
check "so does annotate" cmp <("$cgview" annotate 1.db) "$given/annotate"
check "its tree of calls" sh -c "'$cgview' report --by tree 1.db | grep -q 'work .* fib'"
check "SQL sees this version's tables" [ "$("$cgview" report --sql 'SELECT total FROM measure WHERE id = 1' --format csv 1.db |
	tail -1 | tr -d '\r')" = "$(sqlite3 1.db 'SELECT blocks_executed FROM totals')" ]
check "one of its threads" sh -c "'$cgview' report --threads 1 1.db | grep -q 'only thread 1'"
check "compared with itself" sh -c "'$cgview' diff 1.db 1.db | grep -q 'procedure'"
cp 1.db compared.db
sqlite3 compared.db "INSERT INTO metric VALUES (1, 'more', 'b.total_sampled_ns - a.total_ns', 'procedure', 'total_ns')"
check "expressions name the figures as they are called now" [ "$("$cgview" report --sql \
	"SELECT expression || ' ' || figure FROM metric" --format csv compared.db | tail -1 | tr -d '\r')" = \
	"b.total_ns - a.propagated_ns propagated_ns" ]
check "the greatest total" [ "$("$cgview" report --sql 'SELECT max_procedure_total_ns FROM totals' --format csv 1.db |
	tail -1 | tr -d '\r')" = "$(sqlite3 1.db 'SELECT max(total_sampled_ns) FROM procedure')" ]
check "it stays as it was" sha256sum --quiet -c sum

check "merge" "$cgview" merge -o new.db 1.db
check "... writes this version" [ "$(sqlite3 new.db 'PRAGMA user_version')" = 17 ]
reports new.db > reports.txt
check "... with the same figures" same_reports reports.txt arc.samples
check "... and the stack of a thread came by the call that started it" [ "$("$cgview" report --sql \
	"SELECT samples FROM arc WHERE through IS NOT NULL" --format csv new.db | tail -1 | tr -d '\r')" = 1 ]
cp 1.db pinned.db
"$cgview" pin pinned.db > /dev/null
check "what only reads does not convert" cmp 1.db pinned.db

# Damage is told in one line, and nothing is left behind.
refused() # refused NAME PATTERN DB
{
	"$cgview" report "$3" > out 2> err
	[ $? = 1 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q "$2" err
	verdict $? "$1"
}
sqlite3 1.db '.backup older.db'
sqlite3 older.db 'PRAGMA user_version = 9'
refused "an older version" 'older cgview (format 9' older.db
cp 1.db table.db
sqlite3 table.db 'CREATE TABLE more(x)'
refused "a table more" 'does not have the tables' table.db
cp 1.db trigger.db
sqlite3 trigger.db 'CREATE TRIGGER t AFTER INSERT ON run BEGIN SELECT 1; END'
refused "a trigger" 'does not have the tables' trigger.db
cp 1.db ids.db
sqlite3 ids.db 'UPDATE block SET procedure = 99 WHERE id = 1'
"$cgview" report --by block ids.db > out 2> err
check "an id that cannot be" grep -q damaged err
# A table whose interior page is its own child: rows without end.
python3 - << 'END'
import shutil, sqlite3, struct
shutil.copy("1.db", "endless.db")
db = sqlite3.connect("endless.db")
root, = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'line'").fetchone()
size, = db.execute("PRAGMA page_size").fetchone()
db.close()
page = bytearray(size)
n = 100
page[0:12] = struct.pack(">BHHHBI", 5, 0, n, size - 5 * n, 0, root)
for i in range(n):
    at = size - 5 * (n - i)
    struct.pack_into(">H", page, 12 + 2 * i, at)
    page[at:at + 5] = struct.pack(">IB", root, 1 + i)
with open("endless.db", "r+b") as f:
    f.seek((root - 1) * size)
    f.write(page)
END
refused "pages that contain themselves" 'damaged\|cannot be converted' endless.db
(TMPDIR=/nonexistent "$cgview" report 1.db > out 2> err)
check "no room for it" grep -q 'cannot create /nonexistent/.*TMPDIR' err
check "nothing is left behind" [ -z "$(ls tmp)" ]

# So many notes that the copy takes a while.
cp 1.db long.db
sqlite3 long.db "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 500000)
	INSERT INTO note SELECT i, 'samples', i || hex(zeroblob(40)) FROM n;
	UPDATE totals SET notes = (SELECT count(*) FROM note)"
"$cgview" report long.db > out 2> err &
pid=$!
until ls -l "/proc/$pid/fd" 2> out | grep -q "$TMPDIR/cgview.*(deleted)" || ! kill -0 $pid; do
	sleep 0.01
done
kill -KILL $pid
wait $pid 2> err
check "it was killed while it converted" [ $? = 137 ]
check "nothing is left behind of what is killed" [ -z "$(ls tmp)" ]
