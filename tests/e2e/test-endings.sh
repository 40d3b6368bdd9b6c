#!/bin/bash
# Whatever ends the program, its counts are in the profile, and its own exit status is unchanged.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
must "compile endings.c" "$cgcc" -O2 "$here/programs/endings.c" -o endings
must "compile endings.c plainly" gcc -O2 "$here/programs/endings.c" -o plain

ending() # ending HOW COUNT
{
	local how=$1 count=$2 got status plain_status
	./plain "$how" > /dev/null 2>&1
	plain_status=$?
	rm -f e.*.raw
	CGVIEW_OUT=$TMP_DIR/e ./endings "$how" > /dev/null 2>&1
	status=$?
	check "$how: exit status $plain_status is unchanged" [ "$status" = "$plain_status" ]
	if ! "$cgview" import -o "$how.db" e.*.raw > import.log 2>&1; then
		cat import.log
		not_ok "$how: the raw profile can be imported"
		return
	fi
	got=$(count_of "$how.db" step)
	[ "$got" = "$count" ] || echo "# step() was called $count times, counted $got times"
	check "$how: $count calls counted" [ "$got" = "$count" ]
}
for how in return exit _exit abort segv term kill exec longjmp limit; do
	ending "$how" 1000 2> /dev/null
done
ending fork 1750
check "longjmp: a procedure left by a jump was entered 6 times" \
	[ "$(count_of longjmp.db jump)" = 6 ]

# Killed from outside, while cgview records.
"$cgview" record -o outside.db -- ./endings wait > wait.out 2> wait.err &
recorder=$!
wait_for ready wait.out
program=$(pgrep -P "$recorder" -x endings)
kill -KILL "$program"
wait "$recorder"
check "SIGKILL from outside after 1,000 calls shows 1,000" \
	[ "$(count_of outside.db step)" = 1000 ]

# Killed together with its recorder: the raw profile is still there.
mkdir group
cd group || exit
CGVIEW_OUT=$TMP_DIR/group/g setsid ../endings wait > wait.out 2> /dev/null &
wait_for ready wait.out
kill -KILL $!
wait $! 2> /dev/null
"$cgview" import -o group.db g.*.raw > /dev/null 2>&1
check "SIGKILL without a recorder shows 1,000" [ "$(count_of group.db step)" = 1000 ]

# Without record and without CGVIEW_OUT: cgview.PID.raw in the start directory.
mkdir ../alone
cd ../alone || exit
(unset CGVIEW_OUT; ../endings return)
check "a program on its own leaves cgview.PID.raw" sh -c 'ls cgview.*.raw'
