#!/bin/bash
# :ranks and :imbalance: rows are those of report --by rank and --by imbalance, which test-imbalance.sh counts by hand.
. tests/tui/lib.sh
[ -x "$BUILD/cgcc" ] || { echo "skip - cgcc is not built"; exit 0; }
cat > ranks.c <<'END'
#include <stdlib.h>
static volatile long sink;
__attribute__((noinline)) static void uneven(void)
{
	sink++;
}
int main(int argc, char **argv)
{
	for (int i = 0; i < argc * 10 * atoi(argv[1]); i++)
		uneven();
	return 0;
}
END
"$BUILD/cgcc" -O1 -g -o ranks ranks.c || { echo "not ok - compile"; exit 1; }
for k in 1 2 3; do
	CGVIEW_RANK=$k CGVIEW_OUT=raw ./ranks $k
done
"$cgview" import -o ranks.db raw*.raw 2> /dev/null
# ranks NAME PATTERN... < STEPS: of a screen with 150 columns
ranks()
{
	local name=$1 status=0
	shift
	rm -f shows
	{ echo size:150x24; cat; echo ":save-screen shows"; } | play ranks.db || status=1
	verdict_shows $status "$name" "$@"
}
ranks 'the ranks: calls of each' '^.* 3 .* 60 ' '^.* 2 .* 40 ' '^.* 1 .* 20 ' <<< $'text::ranks uneven\nEnter'
SIZE=120x24 DB=ranks.db shows 'they are there at 120 columns, too, and the title says of what' '─ ranks: what each did in uneven ─' \
	'rank.*its self.*its calls' '^.* 3 .* 60 ' <<< $'text::ranks uneven\nEnter'
ranks '... without a procedure no calls' '─ ranks ─' 'rank.*its calls.*blocks' <<< $'text::ranks\nEnter'
ranks '... one that is not there' 'there is no procedure other' <<< $'text::ranks other\nEnter'
ranks 'Enter: only that rank' 'only thread 3 of 3' ' 60 .* uneven' '!40 .* uneven' <<< $'text::ranks uneven\nEnter\nEnter'
ranks 'what is uneven: 100 (60 - 40) / 60' '33.33.* rank .*uneven' <<< $'text::imbalance\nEnter'
ranks '... Enter: its source' 'sink++' '!imbalance over' <<< $'text::imbalance\nEnter\nEnter'
