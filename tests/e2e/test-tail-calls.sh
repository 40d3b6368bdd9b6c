#!/bin/bash
# A call in tail position stays a jump, and is counted also when what it calls never comes back.
. tests/e2e/lib.sh
need_collection
need objdump

# counts DB: what each procedure was called, how often the last statement of either arm ran, and the
# lines of a call in tail position that stands on two.
counts()
{
	local procedure
	for procedure in resume leave unroll; do
		echo "$procedure $(count_of "$1" "$procedure")"
	done
	report "$1" line | awk -F, '$2 == 29 || $2 == 33 || $2 == 57 || $2 == 58 { print $2, $3 }' | sort
}
printf '%s\n' 'resume 10' 'leave 11' 'unroll 10' '29 1' '33 9' '57 1' '58 1' > "$TMP_DIR/expected"

for flags in -O0 -O1 -O2 -O3 "-O2 -flto" "-O2 -fPIC"; do
	must "compile $flags" "$cgcc" $flags -o "$TMP_DIR/program" tests/e2e/programs/tail-calls.c
	record "$TMP_DIR/program.db" "$TMP_DIR/program"
	counts "$TMP_DIR/program.db" > "$TMP_DIR/counts"
	check "$flags: each call is counted" diff "$TMP_DIR/expected" "$TMP_DIR/counts"
done

must "compile" "$cgcc" -O2 -c -o "$TMP_DIR/program.o" tests/e2e/programs/tail-calls.c
objdump -dr --no-show-raw-insn "$TMP_DIR/program.o" |
	awk '/^[0-9a-f]+ <resume/ { inside = 1 } /^$/ { inside = 0 } inside' > "$TMP_DIR/resume"
check "calls in tail position are jumps" sh -c '
	test "$(grep -c "jmp.*<\(unroll\|leave\)" "$1")" -ge 2' sh "$TMP_DIR/resume"
