#!/bin/bash
# timeout: 400
# What filters leave of a comparison: `cgview diff` against a look at each row, the browser against
# that, two and three profiles, in one go and in slices, and what diff -o has stored.
. tests/tui/lib.sh
here=$top/tests/compare
for n in 1 2 3; do
	"$BUILD/tests/make-profile" $n.db --procedures ${n}00 --lines 190$n --ranges ${n}300 \
		--files 3 || exit 1
done
python3 "$here/filter.py" "$cgview" found 1.db 2.db || echo 'not ok - filter.py'
python3 "$here/filter.py" "$cgview" found-of-three 1.db 2.db 3.db || echo 'not ok - filter.py'


# browse NAME KEYS PATTERN PROFILE...: the screen NAME after KEYS, its rows filtered.
browse()
{
	local name=$1 keys=$2 pattern=$3
	shift 3
	printf '%s\n' size:140x30 ${slices:+":slices $slices"} "text:$keys" "text:&$pattern" Enter \
		${slices:+":save-at-once $name.begun"} ":save-screen $name" > "$name.script"
	CGVIEW_SCRIPT=$name.script "$cgview" -e 'b.count - a.count' "$@" > /dev/null
}

# The title tells as many rows as --filter has.
check_browser() # check_browser FOUND PROFILE...
{
	local list=$1 kind pattern found all keys
	shift
	while IFS=$'\t' read -r kind pattern found all; do
		case $kind in
		procedure) keys= ;; range) keys=v ;; site) keys=vv ;; line) keys=vvv ;;
		file) keys=vvvv ;; arc) keys=vvvvv ;; *) continue ;;
		esac
		browse screen "$keys" "$pattern" "$@"
		grep -q "^─ compared .*[ /]$found of $all ─$" screen
		verdict $? "browser: $# profiles: $kind with $pattern: $found of $all"
	done < "$list"
}
check_browser found 1.db 2.db
# Of three, what is not in the last is looked at in the first by the browser, which shows that one.
grep -e '^site.*_1' -e '^file' -e 'no such' found-of-three > found
check_browser found 1.db 2.db 3.db

# In slices the same, and it is told meanwhile.
browse at-once v 'b [+]= p.*[(]i' 1.db 2.db
slices=3
browse in-slices v 'b [+]= p.*[(]i' 1.db 2.db
cmp <(sed '$d' at-once) <(sed '$d' in-slices) && grep -q 'looking for more [0-9]*%' in-slices.begun &&
	! grep -q 'looking for more' in-slices
verdict $? 'in slices the same'
slices=

# The rows with the pattern are those that show it.
browse lines vvv 'b [+]= p.*[(]i' 1.db 2.db
[ "$(sed -n '4,9p' lines | grep -c ' b += procedure_[0-9]*(i')" = 6 ]
verdict $? 'rows show the text in which it was found'

# What is stored has the texts of the last profile only.
"$cgview" diff -e 'b.count - a.count' -o stored.db 1.db 2.db || exit 1
for by in procedure range line site arc file; do
	for pattern in 'b [+]= p.*[(]i' 'procedure_1[0-9]*[(]i, b[)]$' 'LIST[.]'; do
		"$cgview" report --by comparison --of $by --filter "$pattern" --format csv stored.db |
			tr -d '\r' | cut -d , -f 1-6,8-10 > stored
		"$cgview" diff --by $by -e 'b.count - a.count' --filter "$pattern" --format csv \
			1.db 2.db | tr -d '\r' | cut -d , -f 1-6,8-10 > both
		"$cgview" diff --by $by -e 'b.count - a.count' --only a --format csv 1.db 2.db |
			tr -d '\r' | cut -d , -f 1-6,8-10 | sed 1d > a-only
		cmp <(grep -vxFf a-only stored) <(grep -vxFf a-only both)
		verdict $? "stored: $by with $pattern: $(($(wc -l < stored) - 1)) rows"
	done
done

# usage NAME PATTERN ARGUMENTS...: status 2, nothing on stdout.
usage()
{
	local name=$1 pattern=$2 status
	shift 2
	"$cgview" diff "$@" > out 2> err
	status=$?
	[ $status = 2 ] && [ ! -s out ] && head -1 err | grep -qE -e "$pattern"
	verdict $? "usage: $name"
}
usage 'no regular expression' 'diff: --filter .*: Unmatched' --filter '(' 1.db 2.db
usage 'a filter of what is stored' 'with --output nothing is' --filter x -o out.db 1.db 2.db
usage 'a file of what is stored' 'with --output nothing is' --file x -o out.db 1.db 2.db
usage 'series and a filter' 'goes with' --series x --filter x 1.db 2.db
