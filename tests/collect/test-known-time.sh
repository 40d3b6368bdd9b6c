#!/bin/bash
# timeout: 300
# Sampled times of a program of known shape: procedures that burn known numbers of cycles, called
# directly, recursively, through pointers, by libc and from threads. What they must be follows from the
# program, not from another profiler. KNOWN_ROUNDS: how long (120, about 4 s); see known.py for the
# statistics.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit

must "compile known.c" "$cgcc" -O2 -pthread "$top/tests/collect/programs/known.c" -o known
record known.db ./known "${KNOWN_ROUNDS:-120}"
python3 "$top/tests/collect/known.py" known.db record.out > table
status=$?
sed 's/^/# /' table
check "times are what the program did" [ $status = 0 ]
