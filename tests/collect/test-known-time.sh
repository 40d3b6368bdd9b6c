#!/bin/bash
# Sampled times of a program of known shape: procedures that burn known numbers of cycles, called
# directly, recursively, through pointers, by libc and from threads. What they must be follows from the
# program, not from another profiler. KNOWN_ROUNDS: how long (120, about 4 s); see known.py for the
# statistics.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

must "compile known.c" "$cgcc" -O2 -pthread "$top/tests/collect/programs/known.c" -o known
# The kernel looks at a thread's clock at its own ticks. Where others take the processor between them,
# threads are seen too rarely, and not all of them alike: such a run says nothing, and is repeated.
# So is one that is too far off, as happens by chance, but not four times.
for try in 1 2 3 4; do
	record known.db ./known "${KNOWN_ROUNDS:-120}"
	missed=$(sqlite3 known.db "SELECT max(0, 100 - 100 * samples / max(1, cpu_ns /
		max(asked_interval_ns, $(python3 -c 'import time
print(round(time.clock_getres(6) * 1e9))')))) FROM run") # 6: CLOCK_MONOTONIC_COARSE
	if [ "$missed" -gt 15 ]; then
		echo "# try $try: $missed % of the ticks were missed"
		continue
	fi
	python3 "$top/tests/collect/known.py" known.db record.out > table
	status=$?
	sed 's/^/# /' table
	[ $status = 0 ] && break
done
if [ ! -e table ]; then
	echo "skip - times are what the program did: the machine is too busy, $missed % of the ticks were missed"
	exit 0
fi
check "times are what the program did" [ $status = 0 ]
