#!/bin/bash
# The path that is walked along from call to call: recursion, and long ones.
. tests/tui/lib.sh
if ! [ -x "$BUILD/cgcc" ]; then
	echo "skip - the collection is not built"
	exit 0
fi
{
	echo 'static int odd(int n);
	static int even(int n) { return n ? odd(n - 1) : 1; }
	static int odd(int n) { return n ? even(n - 1) : 0; }
	static int fac(int n) { return n < 2 ? 1 : n * fac(n - 1); }
	static int s60(int n) { return n; }'
	for i in $(seq 59 -1 1); do
		echo "static int s$i(int n) { return s$((i + 1))(n) + 1; }"
	done
	echo 'int main(void) { return even(9) + fac(5) + s1(3) == 7; }'
} > trail.c
"$BUILD/cgcc" -O0 -o trail trail.c || exit 1
"$cgview" record -F 0 -o trail.db -- ./trail > out 2>&1 || { cat out; exit 1; }
DB=trail.db SIZE=120x36

shows 'climbing out of recursion: the cursor is on who is not on the path yet' \
	'^─ callers of main → fac ' <<< $'text:&fac\nEnter\nc\ntext:/main\nEnter\nc'
shows 'a step to itself is told, and counted' '^─ callers of fac ×2 ' 'recursion: fac is on the path already' \
	'^▌ .* main ' <<< $'text:&fac\nEnter\nc\ntext:/fac\nEnter\nc'
shows '... as often as it is done' '^─ callers of fac ×4 ' \
	<<< $'text:&fac\nEnter\nc\ng\nc\ng\nc\ng\nc'
shows 'procedures that call each other: the path tells the round' '^─ callers of even → odd → even ' \
	'recursion: even is on the path already' \
	<<< $'text:&even\nEnter\nc\ntext:/odd\nEnter\nc\ntext:/even\nEnter\nc'
shows '... and the way out is the next step' '^─ callers of main → even ' '!recursion' \
	<<< $'text:&even\nEnter\nc\ntext:/main\nEnter\nc'
shows '... downwards as well' '│* callees of even → odd → even ' 'recursion: even is on the path already' \
	<<< $'text:&even\nEnter\nd\ntext:/odd\nEnter\nd\ntext:/even\nEnter\nd'

# What is shown and what is left out is together what was done.
whole_path() # whole_path NAME FIRST LAST STEPS: of the title in `shows`
{
	sed -n 's/^.*calle[re][se] of \([^─]*→[^─]*\) ─.*$/\1/p' shows | tail -n 1 > path
	awk -v first="$2" -v last="$3" -v steps="$4" '{
		n = split($0, part, / *→ */)
		for (i = 1; i <= n; i++) sum += gsub(/…/, "", part[i]) ? part[i] : 1
		gsub(/ /, "", part[n])
		ok = part[1] == first && part[n] == last && sum == steps
	} END { exit !ok }' path
	local status=$?
	[ $status -eq 0 ] || cat path
	verdict $status "$1"
}
for size in 40x24 80x24 120x36 200x60; do
	SIZE=$size shows "a long path in $size" '^─ callers of main → ' <<< $'text:&^s60\nEnter\nc\ntext:60c'
	whole_path "... has all of its steps" main s60 61
	SIZE=$size shows "... and half of it" '^─ callers of s30 → ' <<< $'text:&^s60\nEnter\nc\ntext:30c'
	whole_path "... likewise" s30 s60 31
	SIZE=$size shows "down in $size" 'callees of main → ' <<< $'text:&main\nEnter\nd\ntext:/s1\nEnter\nd\ntext:59d'
	whole_path "... likewise" main s60 61
done
SIZE=120x36 shows 'no more steps than there are' '^─ callers of main → s1 → ' 'outside of the profile' \
	<<< $'text:&^s60\nEnter\nc\ntext:99c'
