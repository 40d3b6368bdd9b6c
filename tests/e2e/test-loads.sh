#!/bin/bash
# An arm that loads stays behind its branch, though the other arm has a counter.
. tests/e2e/lib.sh
need_collection

# loads_behind_branches: of an assembler listing, loads from the stack just behind a branch on
# whether two registers are equal. The address of the counters may be computed anywhere.
loads_behind_branches()
{
	grep -vE '^[[:space:]]*[.#]|^\.L[A-Z]|^[[:space:]]*leaq[[:space:]]+__cgview' | awk '
		branch && /^\tmovq\t[0-9]+\(%rsp\), %/ { n++ }
		{ branch = compared && /^\tje\t/
		  compared = /^\tcmpq\t%[a-z0-9]+, %[a-z0-9]+$/ }
		END { print n + 0 }'
}

must "compile, plain" g++ -O2 -S -o "$TMP_DIR/plain.s" tests/e2e/programs/append.cc
must "compile" "$build/cgg++" -O2 -S -o "$TMP_DIR/counted.s" tests/e2e/programs/append.cc
plain=$(loads_behind_branches < "$TMP_DIR/plain.s")
[ "$plain" -gt 0 ] || skip_all "the compiler loads nothing behind a branch there"
check "loads stay behind their branches" test \
	"$(loads_behind_branches < "$TMP_DIR/counted.s")" = "$plain"
check "... with counters in the code" grep -q 'incq.*gs' "$TMP_DIR/counted.s"
