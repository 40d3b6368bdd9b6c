#!/bin/bash
# record --space=drag: some blocks lie where it can be seen when they are used. The program must not notice, and
# what is told of its blocks is compared with what it wrote down itself.
. tests/collect/space-lib.sh
source=$top/tests/collect/programs/drag.c
must "compile" "$cgcc" -O2 -w "$source" -o drag -pthread
must "compile without cgcc" gcc -O2 -w "$source" -o drag.plain -pthread

# raw_run ARGUMENT...: a run of the program, with its raw profile in raw/
raw_run()
{
	rm -rf raw
	mkdir raw
	CGVIEW_HZ=0 CGVIEW_SPACE=drag CGVIEW_OUT=$TMP_DIR/raw/r LD_PRELOAD=$build/lib/cgview/libcgview_space.so \
		./drag "$@" > out 2>&1 < /dev/null
	status=$?
}

# ---- data stay what they are ----

# Some must have been watched, or nothing was tested.
lives() { python3 "$top/tests/collect/lives.py" raw/r* "$@"; }
for run in "integrity 1" "integrity 2" "forks 3" "forks 4" "threads" "threads_fork" "threads_fork"; do
	./drag.plain $run > plain.out 2>&1
	raw_run $run
	equal "$run: as without us, with blocks watched" "0 whole whole yes yes" \
		"$status $(cat plain.out out | xargs) $(lives '"yes" if lives else "none"' '"yes" if used else "none"')"
done

# What realloc makes of nothing is a block as any other is (that is how Lua gets all of its own).
cat > nothing.c <<'END'
#define _GNU_SOURCE
#include <stdlib.h>
#include <unistd.h>
static void *volatile kept[4000];
int main(void)
{
	for (int i = 0; i < 4000; i += 2) {
		kept[i] = realloc(NULL, 100);
		kept[i + 1] = reallocarray(NULL, 10, 10);
		if (i % 20 == 0) /* who looks at blocks must have begun before some are drawn */
			usleep(5000);
	}
	for (int i = 0; i < 4000; i++)
		free(kept[i]);
	return 0;
}
END
must "compile" "$cgcc" -O2 -w nothing.c -o nothing
must "record" "$cgview" record -F 0 --space=drag -o run.db ./nothing
equal "realloc and reallocarray of no block: some of them are watched" "2|1" "$(value "SELECT count(*), min(samples + cut > 0)
	FROM biography")"
equal "... and all are counted" "4000|400000|0" "$(value "SELECT sum(blocks), sum(bytes), sum(live_blocks) FROM allocation")"

# So is what it makes of one: of those that were watched, and of the others.
cat > resized.c <<'END'
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char *volatile kept[4000];
int main(void)
{
	int good = 0;
	for (int i = 0; i < 4000; i++) {
		kept[i] = malloc(100);
		memset(kept[i], i, 100);
		kept[i] = realloc(kept[i], 3000);
		for (int k = 0; k < 100; k++)
			good += kept[i][k] == (char)i;
		kept[i][2999] = 1;
		if (i % 20 == 0)
			usleep(5000);
		free(kept[i]);
	}
	return good != 400000;
}
END
must "compile" "$cgcc" -O2 -w resized.c -o resized
must "record" "$cgview" record -F 0 --space=drag -o run.db ./resized
equal "realloc of blocks: as many are watched as it makes, within 5 standard errors" "2|1" "$(value "SELECT
	count(*), min(abs(b.bytes - 4000 * (CASE s.target WHEN 'malloc' THEN 100 ELSE 3000 END)) <
		5 * b.bytes / sqrt(b.samples)) FROM biography b JOIN call_site s ON s.id = b.site")"
equal "... and all are counted" "4000|12000000|0 4000|400000|0" "$(value "SELECT sum(blocks), sum(bytes), sum(live_blocks)
	FROM allocation GROUP BY site ORDER BY 2 DESC" | xargs)"
equal "... and the peak" 3000 "$(value "SELECT total FROM measure WHERE name = 'peak'")"

# ---- when blocks were used ----

space=--space=drag # of all runs from here on

# like_truth NAME: what was estimated is what the program wrote down. The sums of each kind of blocks are, within 5
# standard errors, by which one of two million good runs fails; and since all blocks of a kind do the same, the
# shares of its life are, within what nobody saw and 4 % for the time that it takes to write down when.
like_truth()
{
	python3 "$top/tests/collect/drag.py" "$1" "$(for k in 0 1 2 3; do line_of KIND$k; done | xargs)"
}

shares() { value "SELECT $2 FROM biography b JOIN call_site s ON s.id = b.site WHERE s.line = $(line_of "$1")"; }
spaced drag truth
equal "the program" 0 "$status"
like_truth "to its end"
equal "blocks that are filled by calloc and never used: none is told of as used" "1|0|0|0|0" \
	"$(shares KIND2 'samples > 0 AND unused = samples AND void = life, lag, use, drag, unseen')"
equal "blocks that are used are not told of as unused" "1|0|0" "$(shares KIND1 'samples > 0, unused, void')"
equal "all was watched" 0 "$(value "SELECT count(*) FROM note WHERE kind IN ('space', 'heap')")"
equal "the measures are the sums of the table" "1 1 1 1" "$(for m in lag use drag void; do
	value "SELECT abs(m.total - (SELECT sum($m) FROM biography)) <= 2 FROM measure m WHERE m.name = '$m'"
done | xargs)"
equal "estimates, in bytes times seconds" "lag|0|byte-s use|0|byte-s drag|0|byte-s void|0|byte-s" "$(value \
	"SELECT name, exact, unit FROM measure WHERE name IN ('lag', 'use', 'drag', 'void') ORDER BY id" | xargs)"
equal "of the line, too" 1 "$(value "SELECT abs(sum(l.self_drag) - (SELECT total FROM measure WHERE name = 'drag')) <= 2
	FROM line l WHERE line IN ($(line_of KIND0), $(line_of KIND1), $(line_of KIND3))")"
man=$(python3 "$top/tests/db/man.py" "$top/man/cgview-db.5" run.db)
equal "cgview-db(5) describes the table of biographies" 1 "$(grep -c '^ok - columns of biography$' <<< "$man")"
equal "report: the greatest drag first, as in the table" "$(value "SELECT drag FROM biography ORDER BY drag DESC" |
	xargs)" "$("$cgview" report --by biography --format csv run.db | tr -d '\r' | python3 -c '
import csv, sys
print(*(r["drag"] for r in csv.DictReader(sys.stdin)))')"
cp run.db one.db
spaced drag killed
equal "killed: the program" 137 "$status"
like_truth "killed"
# Nothing of the program goes on before blocks are watched, at its begin and behind a fork: all of its blocks can be
# drawn. With one processor what another thread has to do for that comes late. Of a thousand blocks 217 are drawn, with
# a standard error of 60; here are five times as many, and ten times: 5 standard errors.
cpu=$(taskset -pc $$ | sed 's/.*: //; s/[-,].*//')
for how in "1 5000 671" "2 10000 949"; do
	read -r how blocks slack <<< "$how"
	got=0
	for _ in 1 2 3 4 5; do
		rm -f once.db*
		taskset -c "$cpu" "$cgview" record -F 0 --space=drag -o once.db ./drag once "$how" > out 2> err < /dev/null
		got=$((got + $(sqlite3 once.db "SELECT coalesce(sum(b.blocks), 0) FROM biography b
			JOIN call_site s ON s.id = b.site WHERE s.line = $(line_of ONCE)")))
	done
	echo "# $blocks blocks, of which the profiles say $got"
	equal "the first $blocks blocks of processes, from the very first on" 1 \
		$((got >= blocks - slack && got <= blocks + slack))
done
both=$(for db in one.db run.db; do sqlite3 $db "SELECT sum(drag), sum(samples) FROM biography"; done)
must "merge" "$cgview" merge -o both.db one.db run.db
equal "profiles that are added: their sums" "$(awk -F '|' '{ a += $1; b += $2 } END { printf "%.0f|%d\n", a, b }' \
	<<< "$both")" "$(sqlite3 both.db "SELECT sum(drag), sum(samples) FROM biography")"

# ---- where it cannot be ----

(ulimit -f 100000; exec "$cgview" record -F 0 --space=drag -o limited.db ./drag integrity 5) > out 2> err
equal "no memory file may be as large: all else is as ever, and a note says so" "whole|1|0|1" "$(cat out)|$(sqlite3 \
	limited.db "SELECT (SELECT count(*) FROM note WHERE text LIKE 'blocks of %drag could not be watched:%'),
	(SELECT count(*) FROM biography), (SELECT total > 1000 FROM measure WHERE name = 'allocs')")"
spaced drag forks 6
equal "blocks that live at a fork are watched to then only" "0|1|1" "$status|$(value "SELECT sum(cut) > 0,
	sum(samples) > 0 FROM biography")"
"$cgview" record -F 0 --space -o plain.db ./drag integrity 5 > out 2>&1
equal "--space alone watches none" "0|not there" "$(sqlite3 plain.db "SELECT count(*) FROM measure
	WHERE name = 'drag'")|$(sqlite3 plain.db "SELECT count(*) FROM biography" 2>&1 | sed -n 's/.*no such table.*/not there/p')"
equal "... and report says what would" "cgview: plain.db has no blocks that were watched: record with --space=drag" \
	"$("$cgview" report --by biography plain.db 2>&1)"
equal "an option that is none" "2 cgview: --space=dra: it is drag, times, or nothing" "$("$cgview" record --space=dra ./drag \
	2> err; echo "$? $(cat err)")"
