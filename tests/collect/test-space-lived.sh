#!/bin/bash
# record --space=times: lifetimes in time, against what the program says of itself (programs/lived.c, lived.py). Bounds
# of the profile hold on any machine, however busy it is.
. tests/collect/rows/lib.sh
here=$top/tests/collect

for level in O0 O2 'O2 -static --cgview-flags=space'; do
	name=lived-${level//[ =]/}
	must "compile at -$level" "$cgcc" -$level -w "$here/programs/lived.c" -o "$name" -pthread
	"$cgview" record -F 0 --space=times -o run.db "./$name" > told 2> err < /dev/null
	equal "-$level: status" 0 $?
	equal "-$level: kinds of blocks" 5 "$(wc -l < told)"
	equal "-$level: within the bounds" "" "$(python3 "$here/lived.py" run.db told)"
done
equal "the report: of one block the mean is the sum" "$(sqlite3 run.db "SELECT d.timed, d.least_ns, d.most_ns FROM disposal d
	JOIN procedure p ON p.id = d.procedure WHERE p.name = 'keep_one'" | tr '|' ,)" "$("$cgview" report --by lifetime \
	--format csv --columns procedure,timed,least_ns,most_ns run.db | tr -d '\r' | grep ^keep_one | cut -d, -f2-)"
equal "the report, of pairs" 5 "$("$cgview" report --by pair --format csv --columns procedure,by,least_ns,most_ns run.db |
	tr -d '\r' | grep -cE '^(keep_one|keep_some|keep_none|hand_over|grow),[a-z_]+,[0-9]+,[0-9]+$')"
equal "the report, as text" 1 "$("$cgview" report --by pair --columns least_ns,most_ns,procedure run.db |
	grep -cE ' ms +[0-9.]+ ms +keep_one')"

"$cgview" record -F 0 --space -o none.db "./$name" > told 2> err < /dev/null
equal "without times: none" "0|0" "$(sqlite3 none.db "SELECT sum(timed), sum(most_ns) FROM disposal")"
"$cgview" report --by lifetime --format csv --columns procedure,timed,least_ns,most_ns none.db | tr -d '\r' > report
equal "-, nor in the report" "keep_one,0,," "$(grep ^keep_one report)"
CGVIEW_SPACE=times CGVIEW_OUT=raw LD_PRELOAD=$top/build/lib/cgview/libcgview_space.so ./lived-O2 > told 2> err
"$cgview" import -o import.db raw.*.raw > out 2>&1
equal "by the environment" "" "$(python3 "$here/lived.py" import.db told)"
equal "what else --space= may be" "2|cgview: --space=drag: it is times, or nothing" \
	"$("$cgview" record --space=drag true > out 2> err; echo "$?|$(cat err)")"
