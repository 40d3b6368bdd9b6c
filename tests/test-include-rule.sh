#!/bin/bash
# The rooms: util < db < flow, collect, compare < solve < show < print, tui < cmd, main.c, mpi; cgcc stands beside them
# on util. Includes go only downward; curses, SQLite, Expat, libiberty, ELF and DWARF each have one home; SQL is
# never made by formatting; what a profile says is read by db/store/column.c; nothing but main.c lies in src/ itself.
# Within rooms: what db/model, tui/screen and compare/match are made of is nothing of the rooms beside them, and the
# model knows no SQLite. No folder has more than 40 files.
# The checker is first run on a tree that breaks every rule, so that it cannot fall asleep.
set -u

# layer_of FILE: $rank and $layer. (No process for each: there are thousands of includes.)
layer_of()
{
	case $1 in
	src/util/*|util/*) rank=0 layer=util ;;
	src/db/*|db/*) rank=1 layer=db ;;
	src/flow/*|flow/*) rank=2 layer=flow ;;
	src/compare/*|compare/*) rank=2 layer=compare ;;
	src/collect/plugin/*) rank=2 layer=plugin ;;
	src/collect/runtime/*) rank=2 layer=runtime ;;
	src/collect/*|collect/*) rank=2 layer=collect ;;
	src/cgcc/*|cgcc/*) rank=1 layer=cgcc ;;
	src/solve/*|solve/*) rank=3 layer=solve ;;
	src/show/*|show/*) rank=4 layer=show ;;
	src/print/*|print/*) rank=5 layer=print ;;
	src/tui/*|tui/*) rank=5 layer=tui ;;
	src/cmd/*|cmd/*) rank=6 layer=cmd ;;
	src/main.c) rank=7 layer=main ;;
	src/mpi/*|mpi/*) rank=7 layer=mpi ;;
	*) rank=8 layer='no room' ;;
	esac
}

# included FILE HEADER, by its name in quotes
included()
{
	local file=$1 header=$2 from_rank from
	case $file:$header in
	src/db/model/*:db/model/*|src/tui/screen/*:tui/screen/*|src/compare/match/*:compare/match/*) ;;
	src/db/model/*:db/*|src/tui/screen/*:tui/*|src/compare/match/*:compare/*) echo "$file: includes $header" ;;
	esac
	layer_of "$file"
	from_rank=$rank from=$layer
	case $from in
	plugin) [ -e "src/$header" ] || return ;; # GCC's own headers
	esac
	layer_of "$header"
	# The runtime and the plugin stand alone but for the formats they write.
	case $from:$header in
	runtime:collect/raw.h|runtime:collect/events.h|runtime:collect/dwarf_cfi.h|runtime:collect/recorder.h|runtime:collect/pattern.h|runtime:collect/runtime/*) return ;;
	plugin:collect/*.h|plugin:collect/plugin/*) return ;;
	runtime:*/*|plugin:*/*) echo "$file: $from includes $header" ; return ;;
	esac
	case $header in */*) ;; *) [ -e "src/$header" ] || return ;; esac
	if [ "$rank" -gt "$from_rank" ] || { [ "$rank" -eq "$from_rank" ] && [ "$layer" != "$from" ]; }; then
		echo "$file: $from includes $header"
	fi
}

# One violation a line, for the tree in directory $1.
violations()
{
	local include='^[[:space:]]*#[[:space:]]*include[[:space:]]*'
	cd "$1" || return
	find src -name '*.[ch]' | sort | while read -r file; do
		layer_of "$file"
		[ "$rank" -lt 8 ] || echo "$file: lies in no room"
	done
	grep -roE --include='*.[ch]' "$include\"[^\"]+\"" src | while IFS= read -r line; do
		line=${line%\"}
		included "${line%%:*}" "${line##*\"}"
	done
	home() # home PATTERN LAYER NAME
	{
		grep -rlE --include='*.[ch]' "$include[<\"]($1)[>\"]" src | while read -r file; do
			layer_of "$file"
			[ "$layer" = "$2" ] || { [ "$layer" = runtime ] && [ "$2" = collect ] && [ "$3" != Expat ]; } ||
				echo "$file: $3 outside of src/$2"
		done
	}
	home '(ncursesw?/)?n?curses\.h|term\.h|panel\.h' tui curses
	home 'sqlite3\.h' db SQLite
	grep -rlE --include='*.[ch]' "$include[<\"]sqlite3\.h[>\"]|\<sqlite3_" src/db/model 2> /dev/null |
		sed 's/$/: the model and SQLite/'
	find src -type f | sed 's,/[^/]*$,,' | sort | uniq -c | while read -r nr folder; do
		[ "$nr" -le 40 ] || echo "$folder: $nr files"
	done
	home 'expat\.h' collect Expat
	home 'mpi\.h' mpi MPI
	home 'libiberty/.*|demangle\.h' collect libiberty
	home '(libdwarf/)?(lib)?dwarf\.h|libelf\.h|gelf\.h|elfutils/.*|(sys/)?elf\.h' collect 'ELF or DWARF'
	# A conversion in a string that looks like SQL, or SQLite's own formatting.
	grep -rnE --include='*.[ch]' \
	    -e '"[^"]*\b(SELECT|INSERT INTO|REPLACE INTO|UPDATE|DELETE FROM|CREATE (TABLE|VIEW|INDEX|TEMP|VIRTUAL)|DROP|PRAGMA|WHERE|ORDER BY|GROUP BY|ATTACH|VALUES)\b[^"]*%[-0-9.*lhzjt]*[a-zA-Z]' \
	    -e 'sqlite3_(v?mprintf|v?snprintf|str_v?appendf)' src |
		grep -vE "LIKE '[^']*%" | sed 's/:\([0-9]*\):.*/:\1: SQL by formatting/'
	# What a profile says: its type is asked before it is read. Others read schemas, and what the user asks for.
	grep -rnE --include='*.c' 'sqlite3_column_(int|int64|double|text|text16|blob|bytes)\(' src/db |
		grep -vE '^src/db/(store/(column|open|scalar|sql_child)|lists/sorter)\.c:' |
		sed 's/:\([0-9]*\):.*/:\1: a value past db\/store\/column.h/'
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
mkdir -p "$bad"/src/{util,db/{model,store},flow,compare/match,collect/runtime,solve,show,print,tui/{screen,views},cmd,cgcc}
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
printf '#include <ncursesw/curses.h>\n#include <sqlite3.h>\n#include <libdwarf/libdwarf.h>\n#include <expat.h>\n#include <libiberty/demangle.h>\n#include <mpi.h>\n' > "$bad/src/f.c"
printf 'x("SELECT a FROM %%s", t);\ny(sqlite3_mprintf("x"));\n' > "$bad/src/db/g.c"
printf 'n = sqlite3_column_int64(st, 0);\nt = sqlite3_column_type(st, 0);\n' > "$bad/src/db/m.c"
printf '#include "cmd/merge.h"\n' > "$bad/src/main.c"
printf '#include "db/model/model.h"\n#include "db/store/open.h"\n#include <sqlite3.h>\n' > "$bad/src/db/model/n.c"
printf '#include "tui/screen/term.h"\n#include "tui/view.h"\n' > "$bad/src/tui/screen/o.c"
printf '#include "tui/screen/term.h"\n#include "tui/view.h"\n' > "$bad/src/tui/views/good.c"
printf '#include "compare/comparison.h"\n#include "compare/match/side.h"\n' > "$bad/src/compare/match/p.c"
touch "$bad"/src/flow/many-{01..40}.h
printf '#include "util/mem.h"\n#include "db/model.h"\nz("SELECT a FROM b WHERE c = ?");\n' > "$bad/src/db/good.c"
found=$(violations "$bad" | sort)
expected="src/compare/h.c: SQLite outside of src/db
src/compare/h.c: compare includes flow/flow.h
src/compare/h.c: compare includes tui/view.h
src/compare/match/p.c: includes compare/comparison.h
src/db/b.c: db includes flow/flow.h
src/db/g.c:1: SQL by formatting
src/db/g.c:2: SQL by formatting
src/db/m.c:1: a value past db/store/column.h
src/db/model/n.c: includes db/store/open.h
src/db/model/n.c: the model and SQLite
src/f.c: ELF or DWARF outside of src/collect
src/f.c: Expat outside of src/collect
src/f.c: MPI outside of src/mpi
src/f.c: SQLite outside of src/db
src/f.c: curses outside of src/tui
src/f.c: libiberty outside of src/collect
src/flow: 42 files
src/flow/c.c: flow includes collect/elf.h
src/tui/d.c: tui includes cmd/merge.h
src/tui/d.c: tui includes print/sheet.h
src/tui/screen/o.c: includes tui/view.h
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
