#!/bin/bash
# The truth, as the program notes it, is within the interval that the solver tells without it, and
# the rules that share calls out misplace few of them.
set -u
top=$PWD BUILD=$(cd "${BUILD:-build}" && pwd)
[ -x "$BUILD/truth" ] && ls "$BUILD"/lib/cgview/cgview*.so > /dev/null 2>&1 || {
	echo "skip - truth: cgcc, its plugin or build/truth was not built"
	exit 0
}
export BUILD
for program in queens callbacks shapes; do
	mkdir "$TMP_DIR/$program"
	if "$top"/bench/estimates --programs $program --keep "$TMP_DIR/$program" \
		--output "$TMP_DIR/$program.md" > "$TMP_DIR/out" 2>&1; then
		echo "ok - $program: the truth is within the intervals of all arcs"
	else
		tail -20 "$TMP_DIR/out"
		echo "not ok - $program: the truth is within the intervals of all arcs"
	fi
done
# What programs counted that are not built here.
for stored in bench/instances/*.gz; do
	name=$(basename "$stored" .gz)
	gzip -dc "$stored" | "$BUILD/truth" > "$TMP_DIR/out" 2> "$TMP_DIR/err"
	awk '{ wrong += $6 } END { exit NR != 3 || wrong }' "$TMP_DIR/out" && echo "ok - $name, stored: likewise" || {
		cat "$TMP_DIR/err"
		echo "not ok - $name, stored: likewise"
	}
	sed "s/^/$name /" "$TMP_DIR/out" >> "$TMP_DIR/all"
done
awk '$2 == "likely" && $3 && $4 { n++ } END { exit n < 11 }' "$TMP_DIR/all"
[ $? = 0 ] && echo "ok - there was something to estimate" || echo "not ok - there was something to estimate"
# mean RULE COLUMN: of its share of calls (6), or of the time (8), over the programs
mean()
{
	awk -v rule=$1 -v column=$2 '$2 == rule { n++; sum += column == 6 ? $6 / $4 : $8 } END { print sum / n }' \
		"$TMP_DIR/all"
}
awk -v calls=$(mean likely 6) 'BEGIN { exit !(calls < 0.05) }'
[ $? = 0 ] && echo "ok - likely misplaces less than 5 % of the calls" || {
	cat "$TMP_DIR/all"
	echo "not ok - likely misplaces less than 5 % of the calls"
}
for rule in even entropy; do
	awk -v a=$(mean likely 6) -v b=$(mean $rule 6) -v c=$(mean likely 8) -v d=$(mean $rule 8) 'BEGIN { exit !(a < b && c < d) }'
	[ $? = 0 ] && echo "ok - likely is better than $rule, in calls and in time" || {
		cat "$TMP_DIR/all"
		echo "not ok - likely is better than $rule, in calls and in time"
	}
done
# Intervals that rest on samples, of all programs together and of each that has many.
python3 tests/truth/calibration.py bench/estimates bench/instances/*.gz || echo "not ok - calibration.py"
