#!/bin/bash
# record --baseline: the same program without profiling is run with the same arguments, directory and
# input, and what it took is told.
. tests/collect/rows/lib.sh
cat > work.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	volatile unsigned long sum = 0;
	char line[80] = "";
	FILE *log = fopen("log", "a");

	if (fgets(line, sizeof(line), stdin))
		fgets(line, sizeof(line), stdin);
	for (long i = 0; i < 300000000; i++)
		sum += i;
	fprintf(log, "%s %d %s", argv[1], argc, line);
	printf("said once\n");
	fprintf(stderr, "complained once\n");
	return argc > 2 && !access(argv[2], F_OK) ? 4 : (fclose(fopen(argv[argc - 1], "w")), 0);
}
END
must "compile" "$cgcc" -O2 work.c -o work
must "compile without cgcc" gcc -O2 work.c -o plain
printf 'first\nsecond\nthird\n' > input
value() { sqlite3 prof.db "$1"; }

exec 5< input
read -r _ <&5 # bash puts the position right behind the line
"$cgview" record --baseline ./plain -- ./work one <&5 > out 2> err
equal "the status is the program's" 0 $?
exec 5<&-
equal "both had the same arguments and the same input" "one 2 third,one 2 third" "$(paste -sd, log)"
equal "what the plain one says is not heard" "said once complained once" \
	"$(cat out) $(grep -c 'complained once' err | sed 's/^1$/complained once/')"
check "the summary names both: $(tail -1 err)" \
	grep -Eq '^cgview: instrumented [0-9.]+ m?s user, plain [0-9.]+ m?s: ×[0-9.]+$' err
equal "it is in the profile" "./plain|1|1" "$(value 'SELECT baseline_program,
	baseline_user_ns > 1000000, baseline_wall_ns >= baseline_user_ns * 9 / 10 FROM run')"
"$cgview" report prof.db > report
check "the report names both" grep -Eq '^instrumented .* user, plain .*: ×[0-9.]+$' report
"$cgview" record -a -o prof.db ./work two < input > out 2> err
check "a further run without one is left out of the comparison" \
	[ "$("$cgview" report prof.db | grep ^instrumented)" = "$(grep ^instrumented report)" ]

rm -f made
"$cgview" record -o other.db --baseline ./plain -- ./work one made < input > out 2> err
equal "another status of the plain one is no matter of the program's" 0 $?
check "... but there is a note, and no comparison" grep -q 'ended in another way (status 4)' err
equal "... also not in the profile" "|0" \
	"$(sqlite3 other.db 'SELECT baseline_program, baseline_user_ns FROM run')"

"$cgview" record --baseline ./work -- ./work one < input > out 2> err
equal "a plain program that was built with cgcc is refused" 2 $?
"$cgview" record --baseline ./none -- ./work one < input > out 2> err
equal "one that is not there, too" 127 $?
cat input | "$cgview" record --baseline ./plain -- ./work one > out 2> err
equal "and a pipe as input" 2 $?
equal "... before anything is run" "" "$(cat out)"
