#!/bin/bash
# Libraries of a program that was not built with cgcc come and go, one where another was: each has the
# counts that are its own.
. tests/collect/rows/lib.sh
must "compile host" gcc -O2 "$rows/plugins.c" -o host -pthread
must "compile host with cgcc" "$cgcc" -O2 "$rows/plugins.c" -o own -pthread
failed=0
for i in {1..50}; do
	"$cgcc" -O2 -g -fPIC -shared -DNAME=part_$i -DSIZE=$((i % 3)) "$rows/plugin.c" -o p$i.so ||
		failed=$((failed + 1))
done
for i in 1 2 3 4; do # the first one stays where it is; of the others two are of one size
	"$cgcc" -O2 -g -fPIC -shared -Wl,--build-id=none -DNAME=part_$i -DSIZE=$((i % 2)) \
		"$rows/plugin.c" -o nameless$i.so || failed=$((failed + 1))
done
equal "compile 54 libraries" 0 $failed

# parts NR: how often each of the first NR libraries was called
parts()
{
	calls none > none
	report run.db procedure | awk -F, -v nr=$1 '$1 ~ /^part_[0-9]+$/ { n[substr($1, 6)] += $4 }
		END { for (i = 1; i <= nr; i++) printf "%s%d", (i > 1 ? " " : ""), n[i] }'
}

# times FACTOR NR: 1 to NR, multiplied
times() { seq $1 $1 $(($1 * $2)) | tr '\n' ' ' | sed 's/ $//'; }

CGVIEW_HZ=0 run host main 1 ./p1.so ./p2.so ./p3.so
equal "three libraries at one address" "3 1 2 3" "$status $(parts 3)"
check "... and nothing is noted" grep -q '^0 notes' <("$cgview" report --by note run.db)
run host main 200 ./p{1..50}.so
equal "200 cycles of 50 libraries" "3 $(times 200 50)" "$status $(parts 50)"
most "... in a raw profile of less than 4 MB" 4000000 "$(raw_bytes)"
run own main 200 ./p{1..50}.so
equal "... of a program that was built with cgcc" "3 $(times 200 50)" "$status $(parts 50)"
most "... in a raw profile of less than 4 MB" 4000000 "$(raw_bytes)"
run host thread 20 ./p{1..50}.so
equal "20 cycles, each library in a thread of its own" "3 $(times 20 50)" "$status $(parts 50)"
run host fork 20 ./p{1..50}.so
equal "20 cycles, four of them also in children of fork" "3 $(times 24 50)" "$status $(parts 50)"
run host main 20 ./nameless{1..4}.so
equal "20 cycles of libraries without build-id" "3 $(times 20 4)" "$status $(parts 4)"

# What is noted of a call through a pointer are addresses: where several libraries stood it is nobody's
# call, which is told.
for i in 1 2; do
	must "compile a call through a pointer" "$cgcc" -O2 -fPIC -shared --cgview-flags=targets -DNAME=part_$i \
		-DBY_POINTER "$rows/plugin.c" -o pointer$i.so
done
note='calls through pointers are those of an unknown procedure: several libraries stood at'
# Without the clock, whose page would come and go between the libraries, so that one stands where parts of it stood.
CGVIEW_HZ=0 run own main 5 ./pointer1.so
equal "one library calls through a pointer: whom is known" "3 5 0" \
	"$status $(parts 1) $(report run.db note | grep -c "$note")"
CGVIEW_HZ=0 run own main 5 ./pointer1.so ./pointer2.so
equal "two do, at one address: both are counted" "3 5 10" "$status $(parts 2)"
# The loader of some systems puts them at two addresses: then it is known. Its own words tell.
rm -f loader.*
LD_DEBUG=files LD_DEBUG_OUTPUT=loader CGVIEW_HZ=0 CGVIEW_OUT=/dev/null ./own main 5 ./pointer1.so ./pointer2.so > loader.out 2>&1
bases=$(cat loader.[0-9]* | awk '/file=.*pointer[12].so.*generating link map/ { next_is = 1 }
	next_is && /base: / { sub(/.*base: /, ""); print $1; next_is = 0 }')
if [ "$(wc -w <<< "$bases")" -ge 2 ] && [ -z "$(sort <<< "$bases" | uniq -d)" ]; then
	echo "skip - a note of calls that are nobody's: no library stood where another did"
else
	check "... and a note tells that it is not known whom the 15 calls reached, nor the 15 of the program" \
		grep -q "^counts,\"30 $note" <(report run.db note)
fi

# Where it cannot be told whose counts they are, they are nobody's.
cp p1.so first.so
cp p2.so second.so
run host rebuilt 1 ./p3.so ./first.so ./second.so
equal "a library is rebuilt while its program runs: only the last one's counts are told" "3 0 3 1" \
	"$status $(parts 3)"
check "... and that another one was there" grep -q 'now.so: the program was rebuilt' import.err

# Time, too: in each the time is nearly all in its own procedure, in proportion to the calls.
run host long 15 ./p{1..6}.so
parts 6 > parts.out
equal "15 cycles of 6 libraries that take their time" "$(times 15 6)" "$(cat parts.out)"
read -r nr top sum <<< "$(report run.db procedure | awk -F, '$1 ~ /^part_/ && $6 > 0 {
		n++; sum += $6; if ($6 > most) most = $6 } END { print n, most, sum }')"
check "... $nr of them have samples, one of them $top of $sum" [ "$nr" -ge 4 -a $((top * 2)) -lt "$sum" ]
