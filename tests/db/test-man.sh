#!/bin/bash
# cgview-db(5) says what is in the database, and its examples run.
set -u
. tests/db/lib.sh
need python3 sqlite3
page=$top/man/cgview-db.5
here=$top/tests/db
cd "$TMP_DIR" || exit 1
"$make_profile" prof.db || exit 1
python3 "$here/man.py" "$page" prof.db || echo "not ok - man.py"
# The columns of the reports are described too.
for by in procedure block site line file never arc error frame note run thread; do
	"$cgview" report --by $by --format csv --limit 0 prof.db | tr -d '\r' | tr , '\n' > columns
	sed -n '/^\.Sh OUTPUT/,/^\.Pp/p' "$page" | sed -n "/^\.It Cm $by\$/,/^\.It/p" |
		sed -n 's/^\.Va //p' | tr -c 'a-z_\n' ' ' | tr -s ' ' '\n' | sed '/^$/d' > described
	check "columns of report --by $by" diff columns described
done
if command -v mandoc > /dev/null; then
	check "mandoc has nothing to say" sh -c \
		'! mandoc -T lint -W warning "$1" | grep .' sh "$page"
else
	echo "skip - mandoc is not installed"
fi
