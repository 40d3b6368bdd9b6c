#!/bin/bash
# Every action of the browser's table was done by some test of this run.
. tests/tui/lib.sh
for test in "$top"/tests/tui/test-*.sh; do
	name=tui_$(basename "$test").out
	[ -e "$results/$name" ] && continue
	echo "skip - every action was exercised: $(basename "$test") did not run"
	exit 0
done
echo ':list-actions all' > script
CGVIEW_SCRIPT=script "$cgview" sample.db || exit 1
missing=$(cut -f 1 all | sort | comm -23 - <(sort -u "$TEST_ACTIONS"/*.actions))
[ -z "$missing" ] || printf '# never done: %s\n' $missing
[ -z "$missing" ] && [ "$(wc -l < all)" -gt 60 ]
verdict $? 'every action was exercised'
# A name that no action has would be found missing.
[ "$(printf 'down\nfrobnicate\n' | comm -23 - <(sort -u "$TEST_ACTIONS"/*.actions))" = frobnicate ]
verdict $? 'and one that was not is found'
