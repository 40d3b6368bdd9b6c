#!/bin/bash
# A call in tail position stays a jump, and is counted also when what it calls never comes back.
. tests/e2e/lib.sh
need_collection
need objdump

# counts DB: what each procedure was called, how often the last statement of either arm ran, the
# lines of a call in tail position that stands on two, of one that ?: chooses, and of one whose value
# goes into a variable.
counts()
{
	local procedure
	for procedure in resume leave unroll choose keep give count_down; do
		echo "$procedure $(count_of "$1" "$procedure")"
	done
	report "$1" line | awk -F, '$2 ~ /^(30|34|58|59|79|86|88)$/ { print $2, $3 }' | sort
}
# expected DEPTH
expected()
{
	printf '%s\n' 'resume 10' 'leave 31' 'unroll 10' 'choose 10' 'keep 10' 'give 20' \
		"count_down $(($1 + 1))" '30 1' '34 9' '58 1' '59 1' '79 10' '86 10' '88 9'
}

for flags in -O0 -O1 -O2 -O3 "-O2 -flto" "-O2 -fPIC"; do
	must "compile $flags" "$cgcc" $flags -o "$TMP_DIR/program" tests/e2e/programs/tail-calls.c
	# Where calls do not become jumps the stack must hold them.
	case $flags in -O[01]) depth=10000 ;; *) depth=10000000 ;; esac
	record "$TMP_DIR/program.db" "$TMP_DIR/program" $depth
	expected $depth > "$TMP_DIR/expected"
	counts "$TMP_DIR/program.db" > "$TMP_DIR/counts"
	check "$flags: each call is counted" diff "$TMP_DIR/expected" "$TMP_DIR/counts"
done

must "compile" "$cgcc" -O2 -c -o "$TMP_DIR/program.o" tests/e2e/programs/tail-calls.c
objdump -dr --no-show-raw-insn "$TMP_DIR/program.o" |
	awk '/^[0-9a-f]+ <resume/ { inside = 1 } /^$/ { inside = 0 } inside' > "$TMP_DIR/resume"
check "calls in tail position are jumps" sh -c '
	test "$(grep -c "jmp.*<\(unroll\|leave\)" "$1")" -ge 2' sh "$TMP_DIR/resume"
