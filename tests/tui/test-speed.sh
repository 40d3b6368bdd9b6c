#!/bin/bash
# CPU time, bytes and memory: the first screen, a key, on a profile of 20,000 procedures, 200,000 ranges and
# a file of 100,000 lines; lines of a megabyte. What is asked for is several times what is measured.
. tests/tui/lib.sh
case $BUILD in *asan*|*debug*|*coverage*) echo 'skip - speed: this build is slow on purpose'; exit 0 ;; esac

"$BUILD/tests/make-profile" large.db --procedures 20000 --lines 200000 --ranges 200000 --files 2 ||
	exit 1

# CPU milliseconds of playing the steps on standard input, the least of three times: what a machine
# that is shared takes away for a while may be counted, too.
cpu() # cpu DB
{
	cat > script
	local TIMEFORMAT='%U %S' _
	for _ in 1 2 3; do
		{ time CGVIEW_SCRIPT=script "$cgview" "$1" > /dev/null; } 2>&1
	done | awk '{ print int(($1 + $2) * 1000) }' | sort -n | head -1
}

within() # within NAME MILLISECONDS LIMIT
{
	echo "# $1: $2 ms, limit $3 ms"
	[ "$2" -le "$3" ]
	verdict $? "$1"
}

base=$(cpu large.db <<< size:120x36)
within 'the first screen' "$base" 100
repeat() { for ((i = 0; i < $1; i++)); do printf '%s\n' "${@:2}"; done; }
for keys in j C-d 'Enter Backspace' 'x j' 'Tab z' '? q' 'x l j'; do
	# shellcheck disable=SC2086
	spent=$(repeat 100 $keys | cpu large.db)
	set -- $keys
	within "a hundred times $keys" $(((spent - base) / $#)) 1000
done

# A line of a megabyte, of wide characters, with a range on it; scrolled to its end and back.
"$BUILD/tests/tui/unit-sample" long.db long
base=$(cpu long.db <<< size:120x36)
spent=$({ printf '%s\n' V Enter 'text:2g' 'text:400000' Right; repeat 50 j k; } | cpu long.db)
within 'a hundred keys on lines of a megabyte' $((spent - base)) 1000

# What a walk through all of the tree from arcs keeps of callers and callees is little: 4.1 MB here,
# and twice as much while each short list of them had room to grow.
peak() # peak < STEPS: kilobytes
{
	cat > script
	CGVIEW_SCRIPT=script python3 -c 'import os, sys
pid = os.spawnv(os.P_NOWAIT, sys.argv[1], sys.argv[1:])
print(os.wait4(pid, 0)[2].ru_maxrss)' "$cgview" large.db
}
printf '%s\n' size:120x36 t a A ":save-screen tree" > steps
base=$(peak < steps)
grown=$(($(printf '%s\n' / text:procedure_9z Enter ":save-screen found" | cat steps - | peak) - base))
echo "# a search through all callers: $grown kB, limit 6500 kB"
[ "$grown" -le 6500 ] && grep -q 'not found' found
verdict $? 'a search through all callers'

python3 "$top/tests/tui/bytes.py" 12000 "$cgview" large.db
