#!/bin/bash
# Names of sources with "." and "..": shortened where that leads to the same file, and left as they are where
# a symbolic link is in the way. What each name leads to is asked of realpath.
set -u
. tests/db/lib.sh
need sqlite3 realpath
cgcc=$build/cgcc
cd "$TMP_DIR" || exit 1
mkdir -p here/sub/deep there/below
ln -s ../there/below here/link # here/link/.. is there
for where in here here/sub there; do
	echo "static __attribute__((noinline)) int in_${where##*/}(int n) { return n + ${#where}; }" > $where/name.h
done
cat > here/main.c <<'END'
#include "sub/../name.h"
#include "./sub/deep/.././name.h"
#include "link/../name.h"
int main(void) { return in_here(1) + in_sub(2) + in_there(3) == 0; }
END
# paths NAME: of each procedure, its file, and what it leads to.
paths()
{
	local name=$1 procedure file
	CGVIEW_OUT=$PWD/raw-$name ./program
	"$cgview" import -o "$name.db" raw-"$name".*.raw 2> err || { cat err; verdict 1 "$name"; return; }
	while IFS='|' read -r procedure file; do
		check "$name: $procedure is of its file" [ "$(realpath "$file")" = "$PWD/$procedure/name.h" ]
		case $procedure in
		there) check "... by the link" grep -q '/link/\.\./name\.h$' <<< "$file" ;;
		*) check "... without . and .." [ "$file" = "$PWD/$procedure/name.h" ] ;;
		esac
		text=$(sqlite3 "$name.db" "SELECT state FROM file WHERE path = '$file'")
		check "... with its text ($text)" grep -qv 'unread\|absent\|changed' <<< "$text"
	done < <(sqlite3 "$name.db" "SELECT replace(replace(substr(p.name, 4), 'sub', 'here/sub'), 'here/here', 'here'), f.path
		FROM procedure p JOIN file f ON f.id = p.file WHERE p.name LIKE 'in~_%' ESCAPE '~' ORDER BY 1")
	check "$name: three of them" [ "$(sqlite3 "$name.db" \
		"SELECT count(*) FROM procedure WHERE name LIKE 'in~_%' ESCAPE '~' AND calls = 1")" = 3 ]
}
"$cgcc" -O1 -g -o program here/main.c && paths from-above
(cd here && "$cgcc" -O1 -g -o ../program main.c) && paths from-inside
(cd there/below && "$cgcc" -O1 -g -o ../../program ../../here/./main.c) && paths from-beside
(cd here/sub && "$cgcc" -O1 -g -o ../../program "$PWD/../main.c") && paths absolute
