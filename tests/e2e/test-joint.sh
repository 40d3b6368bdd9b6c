#!/bin/bash
# Counters of inlined procedures that are counted together: the counts stay those of the source, at
# each level and with each stage, and fewer increments are left.
. tests/e2e/lib.sh
need_collection
need objdump

# get: twice 2 each; half 1 if odd (50), else 3 (50). set: main 200, twice 100, half 50, jump 30 and
# the 20 that do not jump, end 1 (the second one is never reached).
printf '%s\n' 'end 1' 'get 400' 'half 100' 'jump 30' 'main 1' 'set 401' 'twice 100' > "$TMP_DIR/expected"
# Of the lines that stand behind a branch, a jump, the end.
printf '%s\n' '34 50' '35 50' '36 50' '44 30' '46 10' '47 20' '53 1' '54 1' '55 0' > "$TMP_DIR/expected-lines"

for flags in -O0 -O1 -Og -Os -O2 -O3 "-O2 -flto" "-O3 -flto"; do
	for joint in none early late both; do
		must "compile $flags" "$cgcc" --cgview-flags=joint=$joint $flags -fchecking \
			-o "$TMP_DIR/program" tests/e2e/programs/joint.c
		"$cgview" record -o "$TMP_DIR/program.db" -- "$TMP_DIR/program" > /dev/null 2>&1
		report "$TMP_DIR/program.db" procedure |
			awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
				$at["procedure"] != "(unprofiled)" && $at["is_foreign"] == 0 {
					print $at["procedure"], $at["calls"] }' | sort > "$TMP_DIR/calls"
		check "$flags, $joint: calls" diff "$TMP_DIR/expected" "$TMP_DIR/calls"
		report "$TMP_DIR/program.db" line | cut -d, -f2,3 | tr ',' ' ' | sort -n |
			grep -E '^(3[456]|4[467]|5[345]) ' > "$TMP_DIR/lines"
		check "$flags, $joint: lines" diff "$TMP_DIR/expected-lines" "$TMP_DIR/lines"
	done
done

increments()
{
	"$cgcc" --cgview-flags=joint="$1" -O2 -c -o "$TMP_DIR/o.o" tests/e2e/programs/joint.c
	objdump -d "$TMP_DIR/o.o" | grep -c 'incq .*%gs:'
}
none=$(increments none)
for joint in early late both; do
	check "$joint: fewer increments than $none" test "$(increments $joint)" -lt "$none"
done

# Each thread's own counts: one calls half() 30 times, one 70 times. Neither ends before the other has
# begun, else it would leave its counters to the other.
cat > "$TMP_DIR/two.c" <<'END'
#include <pthread.h>
#include <stdint.h>

static volatile int sink;
static pthread_barrier_t both_run;

static int get(int v) { return v; }
static void half(int v) { if (get(v) % 2) return; sink = get(v) / 2; }

static void *
run(void *arg)
{
	pthread_barrier_wait(&both_run);
	for (intptr_t i = 0; i < (intptr_t)arg; i++)
		half(2 * (int)i);
	return 0;
}

int
main(void)
{
	pthread_t t[2];

	pthread_barrier_init(&both_run, 0, 2);
	pthread_create(&t[0], 0, run, (void *)30);
	pthread_create(&t[1], 0, run, (void *)70);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
END
must "compile two.c" "$cgcc" -O2 -pthread -o "$TMP_DIR/two" "$TMP_DIR/two.c"
record "$TMP_DIR/two.db" "$TMP_DIR/two"
calls_of_threads()
{
	local n
	for n in 1 2 3; do
		"$cgview" report --threads $n --format csv "$TMP_DIR/two.db" | python3 -c 'import csv, sys
print(*[r["calls"] for r in csv.DictReader(sys.stdin) if r["procedure"] == sys.argv[1]] or [0])' "$1"
	done | sort -n | tr '\n' ' '
}
check "the calls that threads made" test "$(calls_of_threads half)" = "0 30 70 "
check "the calls that they made inlined" test "$(calls_of_threads get)" = "0 60 140 "
