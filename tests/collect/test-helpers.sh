#!/bin/bash
# Threads of a library that never executed anything that is profiled are in no total of waiting, but in the list of
# threads. Compared with how long they sleep.
. tests/e2e/lib.sh
need_collection
need sqlite3
programs=$top/tests/collect/programs
cd "$TMP_DIR" || exit 1

near() # near NAME MS NS: NS is MS, or some more
{
	if [ "$3" -ge $(($2 * 1000000 - 40000000)) ] && [ "$3" -le $(($2 * 1000000 + 250000000)) ]; then
		ok "$1"
	else
		echo "# $2 ms, but $3 ns"
		not_ok "$1"
	fi
}
value() { sqlite3 "$1" "$2"; }

must "compile the library" gcc -O1 -fPIC -shared "$programs/helper_lib.c" -o libhelper.so -pthread
must "compile the program" "$cgcc" -O1 "$programs/helper.c" -o helper -L. -lhelper -Wl,-rpath,"$PWD"
CGVIEW_OUT=raw CGVIEW_WALL=1 must "run" ./helper
must "import" "$cgview" import -o one.db raw.*.raw

# The first thread waits until the helper has ended: 1,500 ms; the program's own for 300.
near "what all wait" 1800 "$(value one.db 'SELECT wait_ns FROM run')"
near "... is what procedures wait" 1800 "$(value one.db 'SELECT sum(self_wait_ns) FROM procedure')"
near "... in main" 1500 "$(value one.db "SELECT total_wait_ns FROM procedure WHERE name = 'main'")"
near "... in the program's thread" 300 "$(value one.db "SELECT total_wait_ns FROM procedure WHERE name = 'work'")"
check "... nothing is nobody's" [ "$(value one.db 'SELECT unprofiled_wait_ns FROM run')" -lt 40000000 ]
check "three threads" [ "$(value one.db 'SELECT count(*) FROM thread')" = 3 ]
near "the list of threads has the helper's" 1500 \
	"$(value one.db "SELECT max(wait_ns) FROM thread WHERE tid <> pid")"
check "a note says so" [ "$("$cgview" report --by note one.db | tr '\n' ' ' | tr -s ' ' |
	grep -c '1 threads\? that executed nothing that is profiled waited for 1[45]..')" = 1 ]

# A sum has the same.
"$cgview" reduce -o one.sum raw.*.raw && "$cgview" import -o sum.db one.sum > /dev/null 2>&1
check "a sum has the same" [ "$(value one.db 'SELECT wait_ns FROM run')" = "$(value sum.db 'SELECT wait_ns FROM run')" ]
