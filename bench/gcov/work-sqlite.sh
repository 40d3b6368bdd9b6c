# Tables of every kind, every sort of join, triggers, views, windows, JSON, full text, boxes, dates,
# backups, damage; all modes of output.
rm -f *.db*
./sqlite3 -batch test.db < "$DATA/sqlite.sql" > "$OUT/out" 2> "$OUT/err" || true
for mode in ascii box column csv html insert json line list markdown quote table tabs tcl; do
	./sqlite3 -batch -header test.db ".mode $mode" "SELECT * FROM item LIMIT 40" > "$OUT/$mode"
done
./sqlite3 -batch test.db .dump > "$OUT/dump"
./sqlite3 -batch again.db < "$OUT/dump"
./sqlite3 -batch again.db "PRAGMA integrity_check; PRAGMA quick_check" > "$OUT/check"
./sqlite3 -batch again.db .schema ".indexes" ".dbinfo" ".fullschema" ".lint fkey-indexes" \
	".tables" "VACUUM" > "$OUT/info" 2>&1 || true
./sqlite3 -batch again.db ".backup copy.db" ".clone clone.db" ".recover" > "$OUT/recover" 2>&1 || true
./sqlite3 -batch -csv :memory: "CREATE TABLE t(a, b)" ".import --csv $OUT/csv t2" \
	"SELECT count(*), max(name) FROM t2" > "$OUT/import" 2>&1 || true
head -c 20000 copy.db > damaged.db
./sqlite3 -batch damaged.db "PRAGMA integrity_check; SELECT count(*) FROM item" \
	> "$OUT/damaged" 2>&1 || true
./sqlite3 -help > "$OUT/help" 2>&1 || true
true
