#!/bin/bash
# The rooms: util < db < flow, collect, compare < solve < show < print, tui < cmd, main.c; cgcc stands beside them
# on util. Includes go only downward; curses, SQLite, Expat, ELF and DWARF each have one home; SQL is never made by
# formatting; nothing but main.c lies in src/ itself.
# The checker is first run on a tree that breaks every rule, so that it cannot fall asleep.
set -u

layer_of()
{
	case $1 in
	src/util/*|util/*) echo 0 util ;;
	src/db/*|db/*) echo 1 db ;;
	src/flow/*|flow/*) echo 2 flow ;;
	src/compare/*|compare/*) echo 2 compare ;;
	src/collect/plugin/*) echo 2 plugin ;;
	src/collect/runtime/*) echo 2 runtime ;;
	src/collect/*|collect/*) echo 2 collect ;;
	src/cgcc/*|cgcc/*) echo 1 cgcc ;;
	src/solve/*|solve/*) echo 3 solve ;;
	src/show/*|show/*) echo 4 show ;;
	src/print/*|print/*) echo 5 print ;;
	src/tui/*|tui/*) echo 5 tui ;;
	src/cmd/*|cmd/*) echo 6 cmd ;;
	src/main.c) echo 7 main ;;
	*) echo 8 'no room' ;;
	esac
}

# One violation a line, for the tree in directory $1.
violations()
{
	cd "$1" || return
	find src -name '*.[ch]' | sort | while read -r file; do
		read -r rank layer <<< "$(layer_of "$file")"
		[ "$rank" -lt 8 ] || echo "$file: lies in no room"
		grep -oE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]+"' "$file" |
			sed 's/.*"\(.*\)"/\1/' | while read -r header; do
			case $layer in
			plugin) [ -e "src/$header" ] || continue ;; # GCC's own headers
			esac
			read -r to_rank to <<< "$(layer_of "$header")"
			# The runtime and the plugin stand alone but for the formats they write.
			case $layer:$header in
			runtime:collect/raw.h|runtime:collect/events.h|runtime:collect/recorder.h|runtime:collect/pattern.h|runtime:collect/runtime/*) continue ;;
			plugin:collect/*.h|plugin:collect/plugin/*) continue ;;
			runtime:*/*|plugin:*/*) echo "$file: $layer includes $header" ; continue ;;
			esac
			case $header in */*) ;; *) [ -e "src/$header" ] || continue ;; esac
			if [ "$to_rank" -gt "$rank" ] ||
			   { [ "$to_rank" -eq "$rank" ] && [ "$to" != "$layer" ]; }; then
				echo "$file: $layer includes $header"
			fi
		done
		home() # home PATTERN LAYER NAME
		{
			[ "$layer" = "$2" ] && return
			grep -qE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($1)[>\"]" "$file" &&
				echo "$file: $3 outside of src/$2"
		}
		home '(ncursesw?/)?n?curses\.h|term\.h|panel\.h' tui curses
		home 'sqlite3\.h' db SQLite
		home 'expat\.h' collect Expat
		home '(libdwarf/)?(lib)?dwarf\.h|libelf\.h|gelf\.h|elfutils/.*|(sys/)?elf\.h' \
			"$(case $layer in runtime) echo runtime ;; *) echo collect ;; esac)" 'ELF or DWARF'
	done
	# A conversion in a string that looks like SQL, or SQLite's own formatting.
	grep -rnE --include='*.[ch]' \
	    -e '"[^"]*\b(SELECT|INSERT INTO|REPLACE INTO|UPDATE|DELETE FROM|CREATE (TABLE|VIEW|INDEX|TEMP|VIRTUAL)|DROP|PRAGMA|WHERE|ORDER BY|GROUP BY|ATTACH|VALUES)\b[^"]*%[-0-9.*lhzjt]*[a-zA-Z]' \
	    -e 'sqlite3_(v?mprintf|v?snprintf|str_v?appendf)' src |
		grep -vE "LIKE '[^']*%" | sed 's/:\([0-9]*\):.*/:\1: SQL by formatting/'
}

verdict() # verdict NAME VIOLATIONS
{
	if [ -z "$2" ]; then
		echo "ok - $1"
	else
		echo "$2"
		echo "not ok - $1"
	fi
}

top=$PWD
bad=$TMP_DIR/bad
mkdir -p "$bad"/src/{util,db,flow,compare,collect/runtime,solve,show,print,tui,cmd,cgcc}
touch "$bad"/src/{main.c,cmd/merge.h,solve/solve.h,show/paint.h,print/sheet.h,db/model.h,util/mem.h,tui/view.h,flow/flow.h,collect/elf.h}
echo '#include "db/model.h"' > "$bad/src/util/a.c"
echo '#include "flow/flow.h"' > "$bad/src/db/b.c"
echo '#include "collect/elf.h"' > "$bad/src/flow/c.c"
printf '#include "flow/flow.h"\n#include "tui/view.h"\n#include <sqlite3.h>\n' > "$bad/src/compare/h.c"
printf '#include "cmd/merge.h"\n#include "print/sheet.h"\n' > "$bad/src/tui/d.c"
echo '#include "show/paint.h"' > "$bad/src/solve/i.c"
echo '#include "tui/view.h"' > "$bad/src/show/j.c"
echo '#include "cmd/merge.h"' > "$bad/src/print/k.c"
echo '#include "db/model.h"' > "$bad/src/cgcc/l.c"
echo '#include "util/mem.h"' > "$bad/src/collect/runtime/e.c"
printf '#include <ncursesw/curses.h>\n#include <sqlite3.h>\n#include <libdwarf/libdwarf.h>\n#include <expat.h>\n' > "$bad/src/f.c"
printf 'x("SELECT a FROM %%s", t);\ny(sqlite3_mprintf("x"));\n' > "$bad/src/db/g.c"
printf '#include "cmd/merge.h"\n' > "$bad/src/main.c"
printf '#include "util/mem.h"\n#include "db/model.h"\nz("SELECT a FROM b WHERE c = ?");\n' > "$bad/src/db/good.c"
found=$(violations "$bad" | sort)
expected="src/compare/h.c: SQLite outside of src/db
src/compare/h.c: compare includes flow/flow.h
src/compare/h.c: compare includes tui/view.h
src/db/b.c: db includes flow/flow.h
src/db/g.c:1: SQL by formatting
src/db/g.c:2: SQL by formatting
src/f.c: ELF or DWARF outside of src/collect
src/f.c: Expat outside of src/collect
src/f.c: SQLite outside of src/db
src/f.c: curses outside of src/tui
src/flow/c.c: flow includes collect/elf.h
src/tui/d.c: tui includes cmd/merge.h
src/tui/d.c: tui includes print/sheet.h
src/cgcc/l.c: cgcc includes db/model.h
src/print/k.c: print includes cmd/merge.h
src/show/j.c: show includes tui/view.h
src/solve/i.c: solve includes show/paint.h
src/f.c: lies in no room
src/util/a.c: util includes db/model.h"
expected=$(printf '%s\nsrc/collect/runtime/e.c: runtime includes util/mem.h\n' "$expected" | sort)
if [ "$found" = "$expected" ]; then
	echo "ok - the checker finds what is wrong and nothing else"
else
	diff <(echo "$expected") <(echo "$found")
	echo "not ok - the checker finds what is wrong and nothing else"
fi

verdict "includes go downward, each library has one home, SQL is not formatted" "$(violations "$top")"
