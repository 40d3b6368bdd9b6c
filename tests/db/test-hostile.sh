#!/bin/bash
# Files that are no profile, not whole, or made by somebody who means harm: one line that says what
# to do, status 1, and never a crash.
set -u
. tests/db/lib.sh
need sqlite3 python3 stdbuf
cd "$TMP_DIR" || exit 1
"$make_profile" good.db --procedures 60 --ranges 1500 --lines 1500 || exit 1
check "the good one is read" "$cgview" report good.db

report() { fails "$1" "$2" "$cgview" report "$3"; }

: > empty.db
seq 10000 > text.db
printf 'short' > short.db
mkdir directory.db
mkfifo pipe.db
sqlite3 other.db 'CREATE TABLE run(a)'
report "missing" 'does not exist.*record' missing.db
report "missing directory" 'does not exist' nowhere/missing.db
report "empty" 'empty.*record' empty.db
report "text" 'not a profile.*record' text.db
report "five bytes" 'not a profile' short.db
report "directory" 'is a directory' directory.db
report "named pipe" 'not a regular file' pipe.db
report "device" 'not a regular file' /dev/null
report "another program's database" 'another program' other.db
fails "empty name" 'name .* is empty' "$cgview" report ''
fails "name that is SQLite's own for memory" 'does not exist' "$cgview" report :memory:
cp good.db 'file:x.db?mode=memory'
check "name that looks like a URI is a name" "$cgview" report 'file:x.db?mode=memory'

change() # change NAME SQL: a copy of the good one, changed
{
	cp good.db "$1.db"
	sqlite3 "$1.db" "$2" > change.out
}
change newer 'PRAGMA user_version = 99'
report "newer version" 'newer cgview' newer.db
change older 'PRAGMA user_version = 0'
for change in "formula = '1'" "unit = 'bytes'" "combine = 'max'" "name = 'other'"; do
	change measure "UPDATE measure SET $change WHERE name = 'count'"
	report "count made something else: $change" 'its measures cannot be' measure.db
done
report "older version" 'older cgview' older.db
# Versions 1 to 3 are read as ever: they lack tables.
"$cgview" report good.db > new.out 2>&1
change first 'DROP TABLE instruction; DROP TABLE remark; DROP TABLE spread; PRAGMA user_version = 1; VACUUM'
change second 'DROP TABLE remark; DROP TABLE spread; PRAGMA user_version = 2; VACUUM'
change third 'DROP TABLE spread; PRAGMA user_version = 3; VACUUM'
for version in first second third; do
	"$cgview" report $version.db 2>&1 | sed "s/$version.db/good.db/" > $version.out
	check "the $version version" diff new.out $version.out
done
change mixed 'DROP TABLE remark; DROP TABLE spread; PRAGMA user_version = 1'
report "version 1 with tables of version 2" 'does not have the tables of a profile' mixed.db
change half 'DROP TABLE instruction'
change spread 'PRAGMA user_version = 3'
report "version 3 with the table of version 4" 'does not have the tables of a profile' spread.db
report "a version without its table" 'does not have the tables of a profile' half.db
change before 'PRAGMA application_id = 0x43475657'
report "from before the format began anew" 'older cgview: record again' before.db
change foreign 'PRAGMA application_id = 1'
report "foreign application id" 'another program' foreign.db
change wal 'PRAGMA journal_mode = WAL'
report "write-ahead mode" 'write-ahead' wal.db
report "... stays as it was" 'write-ahead' wal.db

tables='does not have the tables of a profile'
change table 'CREATE TABLE more(a)'
report "one more table" "$tables" table.db
change view 'CREATE VIEW more AS SELECT 1'
report "one more view" "$tables" view.db
change trigger 'CREATE TRIGGER t AFTER INSERT ON line BEGIN DELETE FROM line; END'
report "a trigger" "$tables" trigger.db
change index 'CREATE INDEX more ON line(count)'
report "one more index" "$tables" index.db
change analysed 'ANALYZE'
report "statistics" "$tables" analysed.db
change less 'DROP VIEW flat'
report "one view less" "$tables" less.db
change none 'DROP TABLE arc'
report "one table less" "$tables" none.db
change replaced 'ALTER TABLE line RENAME TO old; DROP TABLE old; CREATE VIEW line AS SELECT 1 AS id'
report "a view in place of a table" "$tables" replaced.db
change column 'ALTER TABLE line ADD COLUMN more DEFAULT 3'
report "one more column" "$tables" column.db
change generated "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql,
	'self_ns INTEGER NOT NULL', 'self_ns INTEGER AS (abs(-9))') WHERE name = 'line'"
report "a computed column" "$tables" generated.db
change nosql "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = NULL WHERE name = 'line'"
report "a table without its text" "$tables|damaged" nosql.db
change expression "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '%x', '%o')
	WHERE name = 'range_by_place'"
report "another expression in an index" "$tables" expression.db
change totals 'DELETE FROM totals'
report "no totals" 'no totals' totals.db

# Regular expressions that a few bytes make huge.
for pattern in '((a{1,255}){1,255}){1,255}' '(([^]]{99}[[:alpha:]]{9}|x\(){9}){40}' \
	'a{1,32767}' 'a{,32767}' '(((a{1999}{32767}' \
	"$(printf '(%.0s' {1..30})a$(printf '+)%.0s' {1..30})" "$(printf '(%.0s' {1..100000})"; do
	(ulimit -t 5; "$cgview" report --filter "$pattern" good.db > out 2> err)
	[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ]
	verdict $? "filter: $(cut -c1-40 <<< "$pattern")"
	(ulimit -t 5; "$cgview" diff --rename "$pattern=x" good.db good.db > out 2> err)
	[ $? = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ]
	verdict $? "... the same as a rule"
done
names() { "$cgview" report --columns procedure --format csv "$@" good.db | tr -d '\r' | sed 1d; }
names > names
for pattern in '^p[ro]{2}c{1,200}e' '^[^]{(]{1,99}(_[0-9]+){1}$' '^procedure_(1{2,}|((((5))))).*$'; do
	names --filter "$pattern" > found
	[ -s found ] && cmp found <(grep -Ei -e "$pattern" names)
	verdict $? "filter: $pattern"
done

# Values that no writer stores: told or shown, never a crash.
survives() # survives NAME DB
{
	local by status lines bad=0
	for by in procedure block site line file arc note; do
		for format in text csv json; do
			timeout 300 "$cgview" report --by $by --format $format "$2" > out 2> err
			status=$?
			lines=$(wc -l < err)
			if [ $status -gt 1 ] || [ "$lines" != $status ]; then
				echo "# $by $format: status $status, $(head -c 200 err)"
				bad=1
			fi
		done
	done
	verdict $bad "$1"
}
change types "UPDATE line SET count = 'many', self_ns = x'00ff', line = -5;
	UPDATE procedure SET name = zeroblob(100000), line = 1e300, calls = -1;
	UPDATE block SET count = NULL WHERE 0; UPDATE arc SET how = x'80', callee = 99999999;
	UPDATE file SET path = char(0) || 'x', hash = 7, state = 3;
	UPDATE call_site SET kind = '', procedure = -1, target = hex(zeroblob(50000))"
survives "values of wrong types" types.db
change text 'UPDATE file SET size_bytes = size_bytes + 1'
for what in "" "--procedure procedure_5"; do
	# shellcheck disable=SC2086
	"$cgview" annotate $what text.db > out 2> err
	[ $? = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'damaged (the text of file' err
	verdict $? "annotate${what:+ $what}: texts of wrong sizes: one line"
done

# Lines without end in a few kilobytes: what the import would not store is not unpacked.
cat > bomb.py <<'END'
import shutil, sqlite3, zlib
for name, size in ("most", 64 << 20), ("bomb", (64 << 20) + 1):
    shutil.copy("good.db", name + ".db")
    db = sqlite3.connect(name + ".db")
    db.execute("UPDATE file SET text_zlib = ?, size_bytes = ?, state = 'stored'",
               (zlib.compress(b"\n" * size), size))
    db.commit()
END
python3 bomb.py
fails "a text that is too long" 'damaged .the text of file' "$cgview" annotate --procedure procedure_5 bomb.db
check "the longest there may be" "$cgview" annotate --procedure procedure_5 most.db

change claims 'UPDATE totals SET procedures = 9223372036854775807, arcs = -4, lines = 3, files = 0'
survives "totals that lie" claims.db
change cut 'DELETE FROM procedure; DELETE FROM file'
survives "references to nothing" cut.db

# What no row can say, told by whatever reads it: the ids of rows, references, places and counts.
# told SQL COMMAND...: of a copy changed so, h.db.
told()
{
	local sql=$1
	shift
	change h "$sql"
	timeout 300 "$cgview" "$@" > out 2> err
	[ $? = $([ "$1" = diff ] && echo 2 || echo 1) ] && [ "$(wc -l < err)" = 1 ] && grep -q 'h\.db is damaged' err
	verdict $? "damaged by $sql: $*"
}
for id in -1 0 99999999 9223372036854775807; do
	told "UPDATE run SET id = $id WHERE id = (SELECT max(id) FROM run)" report h.db
	told "UPDATE procedure SET id = $id WHERE id = 3" report h.db
	told "UPDATE procedure SET file = $id" report h.db
	told "UPDATE block SET procedure = $id" diff --by block good.db h.db
	told "UPDATE range SET block = $id" diff --by range good.db h.db
	told "UPDATE range SET file = $id" diff --by range h.db good.db
	told "UPDATE call_site SET procedure = $id" report --by site h.db
	told "UPDATE arc SET callee = $id" report --by arc h.db
	told "UPDATE arc SET site = $id" report --by arc h.db
	told "UPDATE line SET file = $id" report --by line h.db
	told "UPDATE context SET procedure = $id" report --by tree h.db
	told "UPDATE context SET site = $id" report --by tree h.db
done
for line in 0 -1 -9223372036854775808 2147483648; do
	told "UPDATE procedure SET line = $line" diff --by line good.db h.db
	told "UPDATE procedure SET line = $line" diff --by range h.db good.db
	told "UPDATE procedure SET line = $line" report h.db
	told "UPDATE procedure SET column = $line" diff --by site good.db h.db
	told "UPDATE call_site SET line = $line" report --by site h.db
	told "UPDATE block SET line = $line, hottest = NULL" report --by block h.db
	told "UPDATE line SET line = $line" report --by line h.db
done
told "UPDATE procedure SET end_line = line - 1" diff --by procedure good.db h.db
told "UPDATE range SET end_line = line, end_column = column - 1" diff --by range good.db h.db
told "UPDATE procedure SET calls = -1" report h.db
told "UPDATE arc SET count = -5" report --by arc h.db
told "UPDATE block SET count = 'many'" report --by block h.db
told "UPDATE call_site SET kind = 'neither'" diff --by site good.db h.db
told "UPDATE range SET kind = ''" annotate --procedure procedure_5 h.db

# Cut anywhere, and single bits turned over: some copies (CGVIEW_FUZZ: so many).
cat > damage.py <<'END'
import os, random, subprocess, sys
cgview, good = sys.argv[1:]
copies = int(os.environ.get("CGVIEW_FUZZ", 120))
data = open(good, "rb").read()
random.seed(7)
views = ["procedure", "block", "site", "line", "file", "arc", "note"]
told = bad = 0
def judge(kind, name):
    global told, bad
    failed = False
    for view in random.sample(views, 4):
        r = subprocess.run([cgview, "report", "--by", view, "--format",
                            random.choice(["text", "csv", "json"]), name],
                           stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300)
        failed |= r.returncode == 1
        if r.returncode not in (0, 1) or r.stderr.count(b"\n") != r.returncode:
            bad += 1
            print("#", kind, view, r.returncode, r.stderr[:300])
    told += failed
for i in range(30):
    size = random.randrange(len(data)) if i > 4 else [0, 1, 99, 100, 8192][i]
    with open("damaged.db", "wb") as f:
        f.write(data[:size])
    judge("cut at %d" % size, "damaged.db")
print("ok - 30 cut copies" if not bad and told == 30 else "not ok - cut copies: %d told" % told)
told = bad = 0
for i in range(copies):
    copy = bytearray(data)
    for _ in range(1 + i % 3):
        # Half of them where it hurts: headers of file and pages, the schema.
        at = random.randrange(len(data)) if i % 2 else (
            random.randrange(len(data) // 8192) * 8192 + random.randrange(64) if i % 4 else
            random.randrange(16384))
        copy[at] ^= 1 << random.randrange(8)
    with open("damaged.db", "wb") as f:
        f.write(copy)
    judge("flip %d" % i, "damaged.db")
print("ok - %d copies with bits turned over" % copies if not bad and told > copies / 12 else
      "not ok - turned bits: %d bad, %d told" % (bad, told))
END
python3 damage.py "$cgview" good.db

# Pages that contain each other: three levels of a thousand times the same page are a billion rows.
cat > endless.py <<'END'
import shutil, sqlite3, struct, sys
good, name, table = sys.argv[1:]
shutil.copy(good, name)
db = sqlite3.connect(name)
root, = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", (table,)).fetchone()
size, = db.execute("PRAGMA page_size").fetchone()
pages, = db.execute("PRAGMA page_count").fetchone()
db.close()
def interior(child):
    n = min(1000, (size - 12) // 7)
    page = bytearray(size)
    page[0:12] = struct.pack(">BHHHBI", 5, 0, n, size - 5 * n, 0, child)
    for i in range(n):
        at = size - 5 * (n - i)
        struct.pack_into(">H", page, 12 + 2 * i, at)
        page[at:at + 5] = struct.pack(">IB", child, 1 + i % 100)
    return page
with open(name, "r+b") as f:
    f.seek((root - 1) * size)
    leaf = f.read(size)
    if leaf[0] == 5:    # an interior page: its rightmost child is a leaf
        child, = struct.unpack(">I", leaf[8:12])
    else:
        child = pages + 3
        f.seek((child - 1) * size)
        f.write(leaf)
    for number, below in (pages + 1, child), (pages + 2, pages + 1), (root, pages + 2):
        f.seek((number - 1) * size)
        f.write(interior(below))
    f.seek(28)
    f.write(struct.pack(">I", pages + 3))
    f.truncate((pages + 3) * size)
END
for table in note arc; do
	python3 endless.py good.db endless-$table.db $table || echo "not ok - endless.py"
done
room=4000000
case $BUILD in *asan*) room=unlimited ;; esac # the sanitizer wants terabytes
endless() # endless NAME ARGUMENTS...
{
	local name=$1
	shift
	(ulimit -v $room; timeout 300 "$cgview" report "$@" --format csv > out 2> err)
	[ $? = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q damaged err
	verdict $? "$name"
}
sqlite3 endless-note.db 'UPDATE totals SET notes = 1 << 60'
endless "a table without end, row by row" --by note endless-note.db
endless "a table without end, sorted" --by arc --sort lo endless-arc.db

# A journal that lies beside a profile was put there: SQLite would do what it says, were it to open
# it for writing, down to removing a file that it names. No advice leads to that.
cat > journal.py <<'END'
import os, struct, sys
victim = os.path.abspath("victim.txt").encode()
magic = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
pages = os.path.getsize(sys.argv[1]) // 4096
head = (magic + struct.pack(">5I", 0, 1234, pages, 512, 4096)).ljust(512, b"\0")
with open(sys.argv[1] + "-journal", "wb") as f:
    f.write(head + struct.pack(">I", 0x40000000 // 4096 + 1) + victim +
            struct.pack(">II", len(victim), sum(victim)) + magic)
END
cp good.db hot.db
echo precious > victim.txt
python3 journal.py hot.db
sha256sum hot.db hot.db-journal victim.txt > before.sum
report "a journal beside it" 'hot.db-journal lies beside .*remove it' hot.db
fails "... diff" 'hot.db-journal lies beside .*remove it' "$cgview" diff good.db hot.db
for what in hot wal; do
	"$cgview" report $what.db 2>&1 | grep -qi sqlite3
	verdict $((! $?)) "... no advice to open $what.db with anything else"
done
check "... all as it was" sha256sum --quiet -c before.sum

# Read-only places: a rollback journal needs nothing written.
mkdir frozen
cp good.db frozen/
chmod 444 frozen/good.db
chmod 555 frozen
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
	chmod 711 "$TMP_DIR"
	if setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$cgview"; then
		check "read-only directory" setpriv --reuid=65534 --regid=65534 --clear-groups \
			"$cgview" report frozen/good.db
		chmod 400 good.db
		fails "no permission" 'Permission denied' setpriv --reuid=65534 --regid=65534 \
			--clear-groups "$cgview" report good.db
		chmod 644 good.db
	else
		echo "skip - read-only directory: an ordinary user cannot reach $cgview here"
	fi
else
	check "read-only directory" "$cgview" report frozen/good.db
fi
chmod 755 frozen
if [ "$(id -u)" = 0 ] && mkdir -p medium && mount -t tmpfs none medium 2> /dev/null; then
	cp good.db medium/
	mount -o remount,ro medium
	check "read-only medium" "$cgview" report medium/good.db
	umount medium
else
	echo "skip - read-only medium: cannot mount here"
fi
stdbuf -oL sqlite3 good.db 'BEGIN EXCLUSIVE' '.print locked' '.system while [ ! -e unlock ]; do sleep 0.1; done' > lock.out 2>&1 &
writer=$!
while [ ! -s lock.out ] && kill -0 $writer 2> /dev/null; do sleep 0.1; done
report "written by another program" 'written by another program' good.db
touch unlock
wait $writer

# Values that are far too long: asked for their length before they are read, wherever they stand.
cat > long.py <<'END'
"""long.py CGVIEW PROFILE: each column of each table with a value of 8 MB in its first row, in turn; what
reads the profile needs no memory for it: it gets 6 MB more than it needs for the good one."""
import os, resource, shutil, sqlite3, subprocess, sys
cgview, good = sys.argv[1:]
sanitized = "asan" in cgview
views = {"producer": ["moment"], "band": ["moment"], "moment": ["moment"], "heap": ["moment"], "context": ["tree"]}
def run(*args, more=0):
    def limit():
        if not sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (most + more, most + more))
    r = subprocess.run([cgview, "report", *args], capture_output=True, timeout=300, preexec_fn=limit)
    return r.returncode, r.stderr.decode(errors="replace")
all_views = ["procedure", "line", "site", "arc", "file", "tree", "thread", "block"]
most = 16 << 20 # bytes of address space
while most < 1 << 30 and any(run("--by", by, good)[0] for by in all_views):
    most += 2 << 20
most += 6 << 20
db = sqlite3.connect(good)
tables = {n: [r[1] for r in db.execute(f'PRAGMA table_info("{n}")')] for n, in
          db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
counts = {n: db.execute(f'SELECT count(*) FROM "{n}"').fetchone()[0] for n in tables}
db.close()
tried = bad = told = keys = 0
for table, columns in tables.items():
    for column in columns:
        if column == "id" or not counts[table]:
            continue
        shutil.copy(good, "long.db")
        db = sqlite3.connect("long.db", isolation_level=None)
        db.execute("PRAGMA synchronous = off")
        db.execute("PRAGMA journal_mode = off")
        db.execute(f'UPDATE "{table}" SET "{column}" = zeroblob(8000000) WHERE rowid = (SELECT min(rowid) FROM "{table}")')
        db.close()
        for by in views.get(table, ["procedure", "line", "site", "arc", "file"][tried % 5:][:1] + [
                {"call_site": "site", "measure": "procedure", "part": "thread"}.get(table, table)]):
            status, err = run("--by", by, "long.db")
            if "--by" in err and "damaged" not in err: # there is no such list
                continue
            if "memory" in err: # SQLite itself reads the whole key of an index, one at a time
                keys += 1
                status, err = run("--by", by, "long.db", more=16 << 20)
            tried += 1
            told += status == 1
            if status not in (0, 1) or err.count("\n") != status or (status and "damaged" not in err) or "memory" in err:
                bad += 1
                print("#", table, column, by, status, err[:300])
print("# %d looks, %d told, in %d MB, %d with more" % (tried, told, most >> 20, keys))
print("ok - values of 8 MB in each column" if not bad and told > 20 and keys <= 20 else "not ok - values of 8 MB")
END
python3 long.py "$cgview" good.db
