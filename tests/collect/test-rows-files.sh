#!/bin/bash
# What becomes of profiles, and of counts that are large, early or late.
. tests/collect/rows/lib.sh
build processes

# Killed while it makes the profile, or adds to one: there is the old one or the new one.
for i in 1 2 3; do CGVIEW_OUT=$TMP_DIR/one ./processes return; done
"$cgview" import -o sum.db one.*.raw > /dev/null 2>&1
cp sum.db first.db
before=$(calls_in sum.db step) wrong=0 killed=0
for i in $(seq 60); do
	CGVIEW_OUT=$TMP_DIR/more.$i ./processes return
	"$cgview" import -a -o sum.db more.$i.*.raw > /dev/null 2>&1 &
	sleep 0.0$((i % 6))$((i * 7 % 10))
	kill -KILL $! 2> /dev/null && killed=$((killed + 1))
	wait $! 2> /dev/null
	now=$(calls_in sum.db step)
	[ "$now" = "$before" ] || [ "$now" = $((before + 1000)) ] || wrong=$((wrong + 1))
	before=$now
done 2> /dev/null
equal "row 26: import -a is killed $killed times: the profile is the old one or the new one" 0 $wrong
wrong=0
for i in $(seq 20); do
	"$cgview" record -a -o first.db -- ./processes return > /dev/null 2>&1 &
	sleep 0.0$((i % 5))$((i * 7 % 10))
	kill -KILL $! 2> /dev/null
	wait $! 2> /dev/null
	now=$(calls_in first.db step)
	[ $((now % 1000)) = 0 ] && [ "$now" -ge 3000 ] || wrong=$((wrong + 1))
done 2> /dev/null
equal "row 26: record -a is killed 20 times: likewise" 0 $wrong

rm -rf raw; mkdir raw; mv one.*.raw raw
must "compile it again" "$cgcc" -O1 "$rows/processes.c" -o processes
cp sum.db before.db
"$cgview" import -o rebuilt.db raw/*.raw > out 2> err
status=$?
check "row 27: rebuilt since: refused by its build-id" \
	[ $status = 1 -a ! -e rebuilt.db -a "$(grep -c build-id err)" = 1 ]
CGVIEW_OUT=$TMP_DIR/two ./processes return
"$cgview" import -a -o sum.db two.*.raw > out 2> err
status=$?
check "row 27: ... counts of two builds are not added" [ $status = 1 ]
check "row 27: ... and the profile is as it was" cmp sum.db before.db

must "compile early_library" "$cgcc" -O2 -fPIC -shared "$rows/early_library.c" -o libearly.so
build early -L. -learly "-Wl,-rpath,$TMP_DIR"
run early
equal "row 30: preinit, constructors, atexit, destructors: 111111" 111111 "$(calls step)"
equal "row 30: ... of a library: 11111" 11111 "$(calls_in run.db library_step)"

build large
run large
equal "row 28: 2^32 + 5 calls: 4294967301" 4294967301 "$(calls tick)"
