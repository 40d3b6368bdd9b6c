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
# The same as the system does it: it sends SIGXFSZ.
"$make_profile" from.db --procedures 300 --ranges 3000 --lines 3000 || exit 1
limited() { fails "$1" 'File too large|I/O error' bash -c 'ulimit -f 64; exec "$@"' bash "$cgview" "${@:2}"; }
limited "diff -o beyond the limit" diff -o full/other.db from.db from.db
limited "merge beyond the limit" merge -o full/other.db from.db
untouched "... of file sizes" full prof.db
(ulimit -f 4; "$cgview" report --by line --format csv from.db > out 2> err)
check "report beyond the limit: status" [ $? = 1 ]
check "... one line" [ "$(wc -l < err)$(grep -c 'File too large' err)" = 11 ]
# Whoever is killed while it writes leaves nothing, at whatever moment. (A file that is replaced has a temporary name
# for some microseconds, which the next writer would clear away.)
mkdir killed
for s in 0.02 0.04 0.07 0.1 0.2 0.4; do
	for format in html callgrind; do
		rm -f killed/out
		timeout -s KILL $s "$cgview" export --format $format -o killed/out from.db
		ls -A killed | grep -vx out
	done
done > tmp-left 2> err
check "export -o, killed at 12 moments: no temporary file is left" [ ! -s tmp-left ]
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
elif [[ $BUILD = *coverage* ]]; then
	echo "skip - read-only directory: gcov says that this user cannot write its counts"
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
umask 0
make mode.db
check "for its owner alone, whatever umask allows" [ "$(stat -c %a mode.db)" = 600 ]
(umask 0277 && make masked.db)
check "umask takes away" [ "$(stat -c %a masked.db)" = 400 ]
umask 022
check "rollback journal" [ "$(sqlite3 mode.db 'PRAGMA journal_mode')" = delete ]
check "page size" [ "$(sqlite3 mode.db 'PRAGMA page_size')" = 1024 ]
check "integrity" [ "$(sqlite3 mode.db 'PRAGMA integrity_check')" = ok ]
check "references hold" [ -z "$(sqlite3 mode.db 'PRAGMA foreign_key_check')" ]
check "no temporary files" [ -z "$(find . -name '*.tmp' -o -name '*-journal' -o -name '*-wal')" ]
make again.db
check "the same model makes the same file" cmp mode.db again.db
make "file:uri?mode=memory"
check "a name like a URI is a name" [ -s "file:uri?mode=memory" ]
for view in flat call_graph hot_line source_range; do
	check "the view $view answers" [ "$(sqlite3 mode.db "SELECT count(*) > 0 FROM $view")" = 1 ]
done

# What a killed writer leaves, the next one to that file removes; and nothing else.
mkdir left && cd left || exit 1
( ulimit -c 0; ulimit -f 600; exec "$make_profile" x.db --procedures 500 --ranges 9000 ) 2> /dev/null
check "killed while it writes" [ "$?" -gt 128 ]
check "... it leaves a file" [ "$(ls -A | grep -c '^x\.db\.[0-9]*-0\.tmp$')" = 1 ]
mkdir x.db.3-0.tmp
ln -s ../mode.db x.db.4-0.tmp
touch x.db.tmp x.db.12.tmp x.db.12-.tmp x.db.-0.tmp x.db.1-0.tmp.bak x.db.1-0x.tmp y.db.12-0.tmp x.db.1-0.older \
	xx.db.12-0.old x.db.old
kept=$(ls -A | grep -vE '^x.db.[0-9]+-0.tmp$' | sort | xargs)
# A living process has the number of a dead writer: our own.
touch "x.db.$$-7.tmp" x.db.5-0.old x.db.7-0.tmp x.db.7-0.old
# A writer that lives holds a lock.
touch x.db.6-0.tmp x.db.6-0.old
exec 8< x.db.6-0.tmp
flock 8
make x.db
check "leftovers are removed" [ "$(ls -A | sort | xargs)" = \
	"$(echo $kept x.db x.db.3-0.tmp x.db.4-0.tmp x.db.6-0.old x.db.6-0.tmp | tr ' ' '\n' | sort | xargs)" ]
check "... what a link leads to is there" [ -s ../mode.db ]
exec 8<&-
ln -s x.db link
make link
check "... through a link, when the lock is gone" [ -z "$(ls -A | grep '^x\.db\.6-0')" ]
check "... the link stays" [ "$(readlink link)" = x.db ]
rm -rf ./*
if [ "$(id -u)" = 0 ]; then
	touch x.db.1-0.tmp x.db.2-0.old && chown 65534 x.db.1-0.tmp x.db.2-0.old
	make x.db
	untouched "files of another user stay" . "x.db x.db.1-0.tmp x.db.2-0.old"
	rm -f ./*
fi

# Writers of one file do not take each other's for leftovers.
for i in 1 2 3; do
	( for k in 1 2 3 4 5 6 7 8; do make x.db || echo failed; done ) > "../writer.$i" 2>&1 &
done
wait
check "three writers at the same time" cmp <(cat ../writer.[123]) /dev/null
untouched "three writers" . x.db
check "... what they wrote is whole" [ "$(sqlite3 x.db 'PRAGMA integrity_check')" = ok ]
cd ..
