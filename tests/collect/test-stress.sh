#!/bin/bash
# A program that mallocs, dlopens, forks, throws and starts threads without pause is not harmed by
# samples at a rate far above the usual one: it ends by itself, with the right results and exact counts.
# STRESS_SECONDS: how long (4); `make check-long` takes 60.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit
seconds=${STRESS_SECONDS:-4}

echo 'int in_library(int n) { return 2 * n + 1; }' > library.c
must "compile the library" "$cgcc" -O2 -shared -fPIC library.c -o libstress.so
must "compile stress.cc" "$build/cgg++" -O2 -pthread "$top/tests/collect/programs/stress.cc" -o stress

mkdir raw
CGVIEW_OUT=raw/r timeout -k 5 $((seconds * 10 + 300)) ./stress "$seconds" > out 2> err < /dev/null
status=$?
check "$seconds s at 4000 samples a second in each of 5 threads: it ends by itself and is right" \
	[ $status = 0 ]
[ $status = 0 ] || { echo "# status $status"; cat err; }
check "... and says nothing" [ ! -s err ]
if ! "$cgview" import -o stress.db raw/* > import.log 2>&1; then
	cat import.log
	not_ok "import"
	exit 1
fi
wrong=$(while read -r procedure calls; do
	[ "$(count_of stress.db "$procedure")" = "$calls" ] ||
		echo "$procedure: $(count_of stress.db "$procedure") for $calls"
done < out)
[ -z "$wrong" ] || echo "$wrong"
check "counts are exact: $(echo $(cat out))" [ -z "$wrong" ]
samples=$(sqlite3 stress.db 'SELECT SUM(samples) FROM run')
echo "# $samples samples, $(sqlite3 stress.db 'SELECT SUM(processes) FROM run') processes"
check "many samples were taken" [ "$samples" -gt $((seconds * 1000)) ]
check "... and none was lost" [ "$(sqlite3 stress.db 'SELECT SUM(lost_samples) FROM run')" = 0 ]
