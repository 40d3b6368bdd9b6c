#!/bin/bash
# Blocks that only count, and go to one place, follow on each other (plugin/chains.c): the counts stay
# those of the source, and jumps are saved.
. tests/e2e/lib.sh
need_collection
need objdump

source=tests/e2e/programs/chains.c

# counts NAME FLAGS...: calls and lines, as the profile has them, in $TMP_DIR/NAME
counts()
{
	local name=$1
	shift
	must "compile $*" "$cgcc" "$@" -fchecking -o "$TMP_DIR/program" $source
	"$cgview" record -o "$TMP_DIR/program.db" -- "$TMP_DIR/program" > "$TMP_DIR/output" 2> /dev/null
	report "$TMP_DIR/program.db" line | cut -d, -f2,3 | sort -n > "$TMP_DIR/$name"
	cat "$TMP_DIR/output" >> "$TMP_DIR/$name"
}

counts expected --cgview-flags=mode=block -O0
check "there is something to compare" test "$(wc -l < "$TMP_DIR/expected")" -gt 40
for flags in -O1 -Og -Os -O2 -O3 "-O2 -g0" "-O2 -flto" "-O2 -freorder-blocks-algorithm=stc"; do
	counts got $flags
	check "$flags: calls and lines" diff "$TMP_DIR/expected" "$TMP_DIR/got"
done

# jumps FLAG: how many stand right behind an increment
jumps()
{
	"$cgcc" --cgview-flags=joint="$1" -O2 -c -o "$TMP_DIR/o.o" $source
	objdump -d --no-show-raw-insn "$TMP_DIR/o.o" | grep -A1 'incq .*%gs:' | grep -c '[[:space:]]jmp '
}
with=$(jumps both) without=$(jumps early)
echo "# jumps behind increments: $with, without chains $without"
check "chains save jumps" test "$with" -lt "$without"
