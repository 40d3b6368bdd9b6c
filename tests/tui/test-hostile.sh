#!/bin/bash
# Profiles from somebody else who means harm, or from a broken disk.
. tests/tui/lib.sh
python3 "$top/tests/tui/hostile.py" "$cgview" sample.db 60

"$BUILD/tests/tui/unit-sample" threads.db threads
# Ids of threads and runs that no profile has: the list of threads marks them by their number.
cat > steps <<'END'
T
Space
j
Space
j
j
Space
Enter
q
END
for change in 'UPDATE part SET id = -1 WHERE id = 3' 'UPDATE part SET id = 100000000 WHERE id = 3' \
	'UPDATE part SET id = 0 WHERE id = 1' 'UPDATE run SET id = -9223372036854775808 WHERE id = 2'; do
	cp threads.db h.db
	python3 -c 'import sqlite3, sys; db = sqlite3.connect("h.db"); db.execute(sys.argv[1]); db.commit()' "$change"
	CGVIEW_SCRIPT=steps "$cgview" h.db > out 2> err
	[ $? = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'h.db is damaged' err
	verdict $? "refused: $change"
done
for change in 'UPDATE part SET run = -1' 'UPDATE part SET run = 77' 'DELETE FROM part WHERE id = 2' \
	'DELETE FROM run' 'DELETE FROM run WHERE id = 1' \
	"UPDATE part SET threads = -9, pid = 1 << 40, samples = 'x'" 'UPDATE run SET processes = -1'; do
	cp threads.db h.db
	python3 -c 'import sqlite3, sys; db = sqlite3.connect("h.db"); db.execute(sys.argv[1]); db.commit()' "$change"
	CGVIEW_SCRIPT=steps "$cgview" h.db > out 2> err
	[ $? -le 1 ] && ! grep -q 'Sanitizer\|runtime error' err
	verdict $? "survived: $change"
done
