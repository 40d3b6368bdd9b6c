#!/bin/bash
# The filter flow-solve: against brute force; its options; bad input.
set -u
solve=$BUILD/flow-solve

verdict()
{
	if [ "$2" = 0 ]; then echo "ok - $1"; else echo "not ok - $1"; fi
}

# expect NAME EXPECTED ARGUMENTS...: standard input is the instance
expect()
{
	local name=$1 expected=$2 got
	shift 2
	got=$("$solve" "$@" 2>&1)
	[ "$got" = "$expected" ]
	verdict "$name" $?
	[ "$got" = "$expected" ] || echo "$got" | sed 's/^/# /'
}

# refuse NAME STATUS ARGUMENTS...
refuse()
{
	local name=$1 status=$2
	shift 2
	"$solve" "$@" > "$TMP_DIR/out" 2> "$TMP_DIR/err"
	[ $? = "$status" ] && [ -s "$TMP_DIR/err" ] && [ ! -s "$TMP_DIR/out" ]
	verdict "$name" $?
}

python3 tests/flow/brute.py "$solve"
python3 tests/flow/likely.py "$solve"

square='2 2 4  10 20  15 15  0 0  0 1  1 0  1 1'
expect 'even' '0 0 5 0 10 estimated
0 1 5 0 10 estimated
1 0 10 5 15 estimated
1 1 10 5 15 estimated' --estimator even <<< "$square"
expect 'a pin determines the rest' '0 0 9 9 9 solved
0 1 1 1 1 solved
1 0 6 6 6 solved
1 1 14 14 14 solved' --pin 0=9 <<< "$square"
expect 'residuals, outside, several instances' '0 0 3 3 3 solved
-1 1 4 4 4 solved
residual site 0 2

0 0 1 1 1 solved
residual procedure 0 6' <<< '1 2 2  5  3 4  0 0  -1 1   1 1 1  1  7  0 0'
for n in 1000 3000000 1000000000 1000000000000; do
	for rule in even entropy; do
		expect "no call of outside that need not be: $rule, $n calls elsewhere" "0 0 10 0 10 estimated
0 -1 0 0 10 estimated
1 0 0 0 10 estimated
1 1 $n 0 $n estimated
1 -1 0 0 $n estimated
-1 0 0 0 10 estimated
-1 1 0 0 $n estimated" --estimator $rule <<< "2 2 7  10 $n  10 $n  0 0  0 -1  1 0  1 1  1 -1  -1 0  -1 1"
	done
done
expect 'no instance' '' < /dev/null
refuse 'a pin that is not possible' 1 --pin 0=11 <<< "$square"
refuse 'a pin of no arc' 1 --pin 4=0 <<< "$square"
refuse 'a pin that is none' 2 --pin 0=x <<< "$square"
refuse 'an unknown estimator' 2 --estimator odd <<< "$square"
refuse 'a node that is not there' 1 <<< '1 1 1  1  1  0 1'
refuse 'not a number' 1 <<< '1 1 1  1  x  0 0'
refuse 'input cut off' 1 <<< '1 1 1  1'
refuse 'a count that is too large' 1 <<< '1 1 1  18446744073709551616  1  0 0'
refuse 'a size that is too large' 1 <<< '1 1 99999999999  1  1  0 0'
