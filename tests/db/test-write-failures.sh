#!/bin/bash
# A profile that cannot be written leaves nothing behind, and what was there stays as it was.
set -u
. tests/db/lib.sh
need sqlite3
cd "$TMP_DIR" || exit 1
chmod 711 .
make() { "$make_profile" "$@"; }

# untouched NAME DIR FILES: DIR holds exactly FILES.
untouched() { check "$1: nothing is left behind" [ "$(ls -A "$2" | sort | xargs)" = "$3" ]; }

fails "no such directory" 'nowhere/x.db.*No such file' "$make_profile" nowhere/x.db
mkdir in-the-way fifo
fails "a directory in the way" 'not a regular file' "$make_profile" in-the-way
untouched "a directory in the way" in-the-way ""
mkfifo fifo/pipe
fails "a pipe in the way" 'not a regular file' "$make_profile" fifo/pipe
untouched "a pipe in the way" fifo pipe
fails "a device" 'not a regular file' "$make_profile" /dev/null
fails "an empty name" 'empty' "$make_profile" ''

# A full disk: first by the limit on file sizes, then a real one.
mkdir full
make full/prof.db
sum=$(sha256sum < full/prof.db)
for blocks in 1 4 64 600; do
	fails "file limit of $blocks kB" 'full|disk|large|I/O' bash -c \
		'trap "" XFSZ; ulimit -f '$blocks'; exec "$1" full/prof.db --procedures 500 \
		--ranges 9000 --lines 9000' bash "$make_profile"
done
untouched "file limit" full prof.db
check "file limit: the old profile is whole" [ "$(sha256sum < full/prof.db)" = "$sum" ]
mkdir small
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=700k none small 2> /dev/null; then
	make small/prof.db
	sum=$(sha256sum < small/prof.db)
	fails "full disk" 'full' "$make_profile" small/prof.db --procedures 500 --lines 9000 \
		--ranges 9000
	untouched "full disk" small prof.db
	check "full disk: the old profile is whole" [ "$(sha256sum < small/prof.db)" = "$sum" ]
	mount -o remount,ro small
	fails "read-only disk" 'Read-only' "$make_profile" small/prof.db
	untouched "read-only disk" small prof.db
	umount small
else
	echo "skip - full disk: cannot mount here"
fi

mkdir locked
make locked/prof.db
sum=$(sha256sum < locked/prof.db)
chmod 555 locked
if [ "$(id -u)" != 0 ]; then
	fails "read-only directory" 'Permission denied' "$make_profile" locked/prof.db
elif command -v setpriv > /dev/null &&
     setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$make_profile"; then
	fails "read-only directory" 'Permission denied' setpriv --reuid=65534 --regid=65534 \
		--clear-groups "$make_profile" locked/prof.db
else
	echo "skip - read-only directory: an ordinary user cannot reach $make_profile here"
fi
untouched "read-only directory" locked prof.db
check "read-only directory: the old profile is whole" [ "$(sha256sum < locked/prof.db)" = "$sum" ]
chmod 755 locked

# What a finished file is like.
umask 027
make mode.db
check "permissions follow umask" [ "$(stat -c %a mode.db)" = 640 ]
check "rollback journal" [ "$(sqlite3 mode.db 'PRAGMA journal_mode')" = delete ]
check "page size" [ "$(sqlite3 mode.db 'PRAGMA page_size')" -ge 4096 ]
check "integrity" [ "$(sqlite3 mode.db 'PRAGMA integrity_check')" = ok ]
check "the R*Tree is well-formed" [ "$(sqlite3 mode.db "SELECT rtreecheck('range_index')")" = ok ]
check "references hold" [ -z "$(sqlite3 mode.db 'PRAGMA foreign_key_check')" ]
check "no temporary files" [ -z "$(find . -name '*.tmp' -o -name '*-journal' -o -name '*-wal')" ]
make again.db
check "the same model makes the same file" cmp mode.db again.db
make "file:uri?mode=memory"
check "a name like a URI is a name" [ -s "file:uri?mode=memory" ]
for view in flat call_graph hot_line source_range; do
	check "the view $view answers" [ "$(sqlite3 mode.db "SELECT count(*) > 0 FROM $view")" = 1 ]
done
