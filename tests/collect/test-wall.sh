#!/bin/bash
# Where threads wait: compared with what the program itself reads from the clock around each wait. A
# machine that is busy makes waits longer for both.
. tests/collect/rows/lib.sh
export CGVIEW_WALL=1
source=$top/tests/collect/programs/waits.c
for level in O0 O2; do
	must "compile at -$level" "$cgcc" -$level "$source" -o "waits-$level" -pthread
done
must "compile without cgcc" gcc -O2 "$source" -o waits.plain -pthread
must "link statically" "$cgcc" -O2 -static "$source" -o waits-static -pthread
cp waits-O2 waits

# The profile of the last run. $longest: of the times in ns for which nobody could look; as exact are the
# waiting times. On a machine that lets the one who looks wait for long there is nothing to compare.
import()
{
	rm -f run.db
	"$cgview" import -o run.db raw/*.raw > import.out 2> import.err
	longest=$(python3 - raw/*.raw <<-'END'
		import struct, sys
		data, longest = open(sys.argv[1], "rb").read(), 0
		for at in range(4096, len(data), 4096):
		    magic, _, kind = struct.unpack_from("<III", data, at)
		    if magic == 0x58454743 and kind == 8:
		        offset, = struct.unpack_from("<Q", data, at + 24)
		        longest = max(longest, struct.unpack_from("<5Q", data, at + offset)[3])
		print(longest)
	END
	)
}

# busy WHAT: is it too busy for that?
busy()
{
	[ "$longest" -gt 40000000 ] || return 1
	echo "skip - $1: the machine is busy, nobody could look for $((longest / 1000000)) ms"
}

value() { sqlite3 run.db "$1"; }

# near NAME LEAST MOST GOT [WAITS]: in ns; 15 percent, and a look at the begin and the end of each of the
# WAITS (1), below LEAST or above MOST.
near()
{
	local slack=$(($3 * 15 / 100 + 20000000 + 2 * ${5:-1} * longest))
	if [ "$4" -ge $(($2 - slack)) ] && [ "$4" -le $(($3 + slack)) ]; then
		ok "$1"
	else
		echo "# the program: $2 to $3"
		echo "# the profile: $4"
		not_ok "$1"
	fi
}

# Every procedure that waits: in itself, below the one call that waits, and below main's call of it.
sites()
{
	local program=$1 name ns should least total
	for _ in 1 2 3 4; do
		run "$program" sites
		import
		[ "$longest" -gt 40000000 ] || break
	done
	busy "$program" && return
	equal "$program: no wait ended early" "0 ended early" "$(cat err)"
	while read -r name ns should; do
		least=$((should < ns ? should : ns)) # it may have been late, then it waits less
		total=$(value "SELECT total_wait_ns FROM procedure WHERE name = '$name'")
		near "$program: $name, from the stacks" $least "$ns" "$total"
		[ "$name" = in_depth ] && continue
		near "$program: $name, its own" $least "$ns" \
			"$(value "SELECT self_wait_ns FROM procedure WHERE name = '$name'")"
		near "$program: $name, the call that waits" $least "$ns" \
			"$(value "SELECT max(s.total_wait_ns) FROM call_site s
				JOIN procedure p ON p.id = s.procedure WHERE p.name = '$name'")"
		near "$program: $name, its lines" $least "$ns" \
			"$(value "SELECT sum(l.self_wait_ns) FROM line l JOIN procedure p
				ON p.file = l.file AND l.line BETWEEN p.line AND p.end_line
				WHERE p.name = '$name'")"
	done < out
	near "$program: the main thread, all of it" $((150000000 * 10)) \
		"$(awk '{ n += $2 } END { printf "%.0f", n }' out)" \
		"$(value "SELECT wait_ns FROM thread WHERE pid = tid")" 10
	# Nobody waits in it, though what it has left on the stack stands in in_depth's frames.
	equal "$program: now() has no wait" 0 \
		"$(value "SELECT coalesce(sum(total_wait_ns), 0) FROM procedure WHERE name = 'now'")"
	equal "$program: the sum of all is the run's" "$(value 'SELECT wait_ns FROM run')" \
		"$(value 'SELECT sum(self_wait_ns) FROM procedure')"
	equal "$program: ... and that of the roots" "$(value 'SELECT wait_ns FROM run')" \
		"$(value 'SELECT sum(total_wait_ns) FROM context WHERE parent IS NULL')"
	equal "$program: ... and that of the threads" "$(value 'SELECT wait_ns FROM run')" \
		"$(value 'SELECT sum(wait_ns) FROM thread')"
	equal "$program: four threads, none of ours" 4 "$(value 'SELECT count(*) FROM thread')"
	check "$program: all waits are within main or a thread's procedure" \
		[ "$(value 'SELECT unprofiled_wait_ns FROM run')" -lt $((40000000 + 4 * longest)) ]
}
sites waits-O0
sites waits-O2
sites waits-static
CGVIEW_WALL=0 run waits sites
import
equal "nobody asks: no waiting times" "0|0|0" \
	"$(value 'SELECT wall_interval_ns, wait_ns, delay_ns FROM run')"

like_plain "the program's SIGALRM ends its waits, in its thread" waits alarms
like_plain "descriptors have the numbers that they have without us" waits descriptors
like_plain "a name space for processes with one thread" waits unshare
like_plain "the main thread leaves, the last one ends the program" waits leave
grep -q "the end is seen" out || not_ok "... with its exit handlers"
run timeout 300 ./waits raw_exit 2> /dev/null
rm -rf raw; mkdir raw
CGVIEW_OUT=$TMP_DIR/raw/r timeout 300 ./waits raw_exit
equal "the last thread ends by itself: so does the process" 3 $?
statuses=
for i in 0 1 2 3 4 5 7 9 12 20; do
	run waits exit $i
	statuses+=" $status"
done
equal "exit while 8 threads wait" " 7 7 7 7 7 7 7 7 7 7" "$statuses"

run waits fork
import
equal "fork: the child's status" 5 "$status"
near "fork: the child waits" 300000000 900000000 \
	"$(value "SELECT total_wait_ns FROM procedure WHERE name = 'child_waits'")"
near "fork: the parent waits for it" 100000000 900000000 \
	"$(value "SELECT self_wait_ns FROM procedure WHERE name = 'parent_waits'")"

run waits many
import
equal "200 threads" 201 "$(value 'SELECT count(*) FROM thread')"
expected=$((200 * 300000000)) got=$(value "SELECT total_wait_ns FROM procedure
	WHERE name = 'one_of_many'")
busy "200 threads wait" || check "200 threads wait 300 ms each: $((got / 1000000)) of 60000 ms" \
	[ "$got" -gt $((expected * 80 / 100)) ]
check "... and no longer than the program ran" [ "$got" -lt $((201 * $(cat out))) ]

build signals -pthread
like_plain "calls that block are not interrupted" signals blocking
like_plain "nor where signals are let in by the call" signals ppoll

unset CGVIEW_WALL
"$cgview" record --wall -o rec.db ./waits fork 2> rec.err
equal "record --wall: the status is the program's" 5 $?
check "... and it says how long was waited: $(cat rec.err)" \
	grep -Eq 'cpu, ([4-9][0-9][0-9] ms|[1-9].* s) waiting, ' rec.err
hide='mount -t tmpfs none /proc/$$/task'
if unshare -rm sh -c "$hide" 2> /dev/null; then
	rm -rf raw; mkdir raw
	CGVIEW_WALL=1 CGVIEW_OUT=$TMP_DIR/raw/r unshare -rm sh -c "$hide && exec ./waits alarms" \
		> out
	import
	equal "without /proc/PID/task the program does what it does" \
		"5 alarms ended a wait, in the main thread: 1" "$(cat out)"
	equal "... and a note says why there are no waiting times" 1 \
		"$(value "SELECT count(*) FROM note WHERE text LIKE 'waiting times are missing%'")"
else
	echo "skip - without /proc/PID/task: no name spaces here"
fi
