#!/bin/bash
# Started with standard descriptors closed: what was closed is not there, and nothing else takes its
# place. That no message gets into a file: tests/e2e/test-merge.sh.
set -u
. tests/db/lib.sh
need sqlite3
cd "$TMP_DIR" || exit 1
"$make_profile" a.db --procedures 30 --ranges 500 --lines 500 || exit 1
cp a.db b.db

"$cgview" diff -o open.db a.db b.db || exit 1
"$cgview" diff -o none.db a.db b.db <&- >&- 2>&-
check "diff -o with none of them" [ "$? $(sqlite3 none.db 'PRAGMA integrity_check')" = '0 ok' ]
check "... the same profile" cmp open.db none.db
"$cgview" report a.db >&- 2> err
check "report without standard output fails" [ $? = 1 ]
check "... and says so in one line" [ "$(wc -l < err)" = 1 ]
"$cgview" report nope.db <&- >&- 2>&-
check "a failure that nobody hears of" [ $? = 1 ]
