#!/bin/bash
# Live memory over time in the browser. The profile is one of the samples, with moments whose figures
# stand here.
. tests/tui/lib.sh
command -v sqlite3 > /dev/null || { echo "skip - sqlite3 is not installed"; exit 0; }
if ! [ -x "$BUILD/cgcc" ] || ! [ -e "$BUILD/lib/cgview/libcgview_space.so" ]; then
	echo "skip - the collection is not built"
	exit 0
fi
"$BUILD/cgcc" -O1 -w "$top/tests/collect/programs/moments.c" -o moments -pthread || exit 1
"$cgview" record -F 0 --space -o prof.db ./moments spike > out 2>&1 || { cat out; exit 1; }
# Ten moments of 1 ms: the staircase of fill up to 100 kB, and at the sixth 900 kB of more. In the
# eighth 5 kB of fill were given back, and made anew.
sqlite3 prof.db "DELETE FROM band; DELETE FROM size_band; DELETE FROM moment;
	UPDATE heap SET peak_bytes = 960000, peak_lo_bytes = 950000, peak_hi_bytes = 970000;
	WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10)
	INSERT INTO moment(id, heap, at_ns, cpu_ns, clock_bytes, live_bytes, inherited_bytes, resident_bytes, peak)
		SELECT i, 1, i * 1000000, 0, i * 10000, i * 10000, 0, 2000000, i = 6 FROM n;
	INSERT INTO band(moment, producer, live_bytes, made_bytes)
		SELECT m.id, p.id, m.id * 10000, m.id * 10000 + 5000 * (m.id > 7) FROM moment m, producer p
		JOIN procedure r ON r.id = p.procedure WHERE r.name = 'fill';
	INSERT INTO band(moment, producer, live_bytes, made_bytes) SELECT 6, p.id, 900000, 900000 FROM producer p
		JOIN procedure r ON r.id = p.procedure WHERE r.name = 'more';
	INSERT INTO size_band(moment, size_class, live_bytes, made_bytes) SELECT moment,
		iif(live_bytes < 900000, 65536, 1048576), live_bytes, made_bytes FROM band;
	UPDATE moment SET live_bytes = (SELECT sum(live_bytes) FROM band WHERE moment = moment.id)"

shows() # shows NAME PATTERN... < STEPS
{
	local name=$1
	shift
	{ echo "size:${size:-100x30}"; cat; echo ":save-screen shows"; } | play prof.db
	verdict_shows $? "$name" "$@"
}

# A profile in which nothing was live, or of which the bands are lost: nothing to go to.
for change in 'DELETE FROM band; DELETE FROM size_band' 'UPDATE band SET live_bytes = 0; UPDATE size_band SET live_bytes = 0'; do
	cp prof.db empty.db
	sqlite3 empty.db "$change"
	for keys in $'H\nEnter' $'H\ns\nEnter' $'H\ns\ns\ns\ns\ns\nEnter'; do
		{ echo "size:100x30"; echo "$keys"; echo ":save-screen shows"; } | play empty.db
		verdict_shows $? "no bands ($change): ${keys//$'\n'/ }" 'Nothing was live at any moment' 'there is nothing to choose from'
	done
done

# Values of 30 MB, and names as long as there are, are not read once for each band. The sanitizer wants terabytes.
for change in 'UPDATE producer SET end_column = zeroblob(30000000)' 'UPDATE band SET live_bytes = zeroblob(30000000) WHERE id = 3' \
	'UPDATE procedure SET name = hex(zeroblob(520000))'; do
	cp prof.db long.db
	sqlite3 long.db "$change"
	printf '%s\n' size:100x30 H s s Enter ':save-screen shows' > steps
	(case $BUILD in *asan*) ;; *) ulimit -v 300000 ;; esac; CGVIEW_SCRIPT=steps timeout 100 "$cgview" long.db > out 2>&1)
	verdict_shows $? "no memory for $change" 'memory by\|callers of\|damaged'
done

shows 'the peak first: what is known of it, what was live then' 'memory by producer' '960 kB at most (950kB..970kB), at 6.00 ms of 10.0 ms' \
	'at 6.00 ms: 960 kB live, 60.0 kB allocated until then, 2.00 MB resident' \
	'900 kB *93.8  more moments.c:25' '60.0 kB *6.2  fill moments.c:18' '\^' <<< H
shows 'one moment earlier and later' 'at 5.00 ms: 50.0 kB live' '50.0 kB *100  fill' '0 B *0.0  more' <<< $'H\nh'
shows 'a count, and back to the peak' 'at 6.00 ms' <<< $'H\n3\nh\np'
shows 'not beyond the ends' 'at 1.00 ms' <<< $'H\n9\n9\nh'
shows 'a span from a mark to the cursor' 'from 5.00 ms to 6.00 ms: 910 kB allocated, 910 kB of it not freed by then' \
	'not freed  *allocated  *more live  *producer' '900 kB  *900 kB  *+900 kB  *more moments' '10.0 kB  *10.0 kB  *+10.0 kB  *fill' \
	'─\[─*^' <<< $'H\nh\na\nl'
shows 'backwards as well' 'from 5.00 ms to 6.00 ms' '─^─*\]' <<< $'H\na\nh'
shows 'a range where old blocks may be among those freed' '10.0kB..15.0kB  *15.0 kB  *+10.0 kB  *fill' \
	<<< $'H\nl\na\nl'
shows 'what went in it is nothing that came' '10.0 kB .*fill' '─\[─*^' <<< $'H\na\nl'
shows 'its end is marked, and the cursor leaves it' 'from 5.00 ms to 6.00 ms' '─\[─*\]─*^' <<< $'H\nh\na\nl\na\n2\nl'
shows 'a third mark takes them away' 'at 6.00 ms: 960 kB live' <<< $'H\nh\na\nl\na\na'
shows 'a mark upon the mark takes it away' 'at 6.00 ms: 960 kB live' <<< $'H\na\na'
shows 'a span by size' '900 kB .*up to 1.05 MB' <<< $'H\nh\na\nl\ns\ns\ns\ns\ns'
shows 'nothing came in a span of one moment' 'Nothing was allocated' <<< $'H\na'
shows 'Enter in a span: the source of the producer with most' 'moments.c ─.* more ' <<< $'H\nh\na\nl\nEnter'
shows 'the next process is the only one' 'at 6.00 ms' <<< $'H\nA'
shows 'by procedure' 'memory by procedure' '900 kB *93.8  more *$' <<< $'H\ns'
shows 'by file' 'memory by file' '960 kB *100  .*moments.c' <<< $'H\ns\ns'
shows 'by module' 'memory by module' '960 kB *100  .*moments' <<< $'H\ns\ns\ns'
shows 'by type' 'memory by type' '960 kB *100  .*not known' <<< $'H\ns\ns\ns\ns'
shows 'by size' 'memory by size' '900 kB *93.8  up to 1.05 MB' '60.0 kB *6.2  up to 65.5 kB' <<< $'H\ns\ns\ns\ns\ns'
shows 'by site' 'memory by site' '900 kB *93.8  more moments.c:25:[0-9]* malloc' <<< $'H\n6\ns'
shows 'by disposer' 'memory by disposer' '960 kB *100  drop moments.c:' <<< $'H\n7\ns'
shows 'a span by disposer' '910 kB .*drop moments.c:' <<< $'H\nh\na\nl\n7\ns'
shows 'Enter goes to the source of the disposer' 'moments.c ─.* drop ' <<< $'H\n7\ns\nEnter'
shows 'Enter goes to the source of the producer' 'moments.c ─.* more ' '25…\|25 ' <<< $'H\nEnter'
# The axis of time: its begin, and its end.
shows 'the axis has its begin at the left and its end at the right' '^ *1.00 ms─.*10.0 ms$' '!^ *10.0 ms─' <<< H
shows '... and the sign of the moment in place of the end' '^ *1.00 ms─*^$' <<< $'H\n9\nl'
# What is resident must not squash the bands.
shows 'much more resident than live is told, and not drawn' '2.00 MB resident$' '^ *960 kB *│' <<< H
sqlite3 prof.db "UPDATE moment SET resident_bytes = 1300000"
shows 'a little more is drawn' '1.30 MB resident (line)' '^ *1.30 MB *│' <<< H
sqlite3 prof.db "UPDATE moment SET resident_bytes = 1450000"
shows '... but no more than half as much again' '1.45 MB resident$' '^ *960 kB *│' <<< H
sqlite3 prof.db "UPDATE moment SET resident_bytes = 2000000"
# Names that have no room differ where others do, and what is cut has an ellipsis.
cp prof.db names.db
sqlite3 names.db "UPDATE procedure SET name = 'std::_Rb_tree<int, std::pair<int const, Alpha>, std::_Select1st<Alpha>, std::less<int> >::_M_create_node'
	WHERE name = 'fill'; UPDATE procedure SET
	name = 'std::_Rb_tree<int, std::pair<int const, Omega>, std::_Select1st<Omega>, std::less<int> >::_M_create_node' WHERE name = 'more'"
differ() # differ SIZE KEYS...
{
	{ echo "size:$1"; printf '%s\n' "${@:2}"; echo ':save-screen shows'; } | play names.db
	grep 'kB .*std:' shows | sed 's/^[^s]*std:/std:/' > named
	[ "$(sort -u named | wc -l)" -eq 2 ] && grep -q 'A[l…]' named && grep -q 'O[m…]' named &&
		{ [ "${1%x*}" -gt 199 ] || [ "$(grep -c '…' named)" -eq 2 ]; }
	status=$?
	[ $status -eq 0 ] || sed 's/^/# /' shows
	verdict $status "two names can be told apart in $1, $2 ${3:-} ${4:-} ${5:-}"
}
for size in 50x20 60x12 80x24 120x40 200x60; do
	differ $size H
	differ $size H s
	differ $size H h a l
done
"$cgview" bands -o names.svg names.db > out 2>&1 || cat out
grep -o '>[0-9.]* kB .*std::.*</text>' names.svg > named
[ "$(sort -u named | wc -l)" -eq 2 ] && grep -q Alpha named && grep -q Omega named && [ "$(grep -c '…' named)" -eq 2 ]
verdict $? 'and beside a picture'
for size in 40x10 30x8 60x12 200x60; do
	shows "in $size" 'memory by producer' <<< $'H\nh\nl\np'
	shows "a span in $size" '900 kB .*more' <<< $'H\nh\na\nl'
done
size=100x30
sqlite3 prof.db "UPDATE moment SET at_ns = 9223372036854775807 WHERE id = 3;
	UPDATE band SET live_bytes = 9223372036854775807 WHERE id < 5; UPDATE heap SET peak_bytes = 9223372036854775807"
shows 'figures that cannot be' 'memory by producer' <<< $'H\nh\nl\np\na\nh\ns\ns\ns\ns\ns\ns\ns\ns'
play > out 2>&1 <<< $'H\n:save-screen shows'
verdict_shows $? 'a profile without' 'the profile has no memory over time: cgview record --space$' '^─ procedures'
