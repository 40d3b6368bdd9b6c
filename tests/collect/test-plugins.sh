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
for i in 1 2 3; do
	"$cgcc" -O2 -g -fPIC -shared -Wl,--build-id=none -DNAME=part_$i -DSIZE=$((i % 2)) \
		"$rows/plugin.c" -o nameless$i.so || failed=$((failed + 1))
done
equal "compile 53 libraries" 0 $failed

# parts NR: how often each of the first NR libraries was called
parts()
{
	calls none > none
	report run.db procedure | awk -F, -v nr=$1 '$1 ~ /^part_[0-9]+$/ { n[substr($1, 6)] += $4 }
		END { for (i = 1; i <= nr; i++) printf "%s%d", (i > 1 ? " " : ""), n[i] }'
}

# times FACTOR NR: 1 to NR, multiplied
times() { seq $1 $1 $(($1 * $2)) | tr '\n' ' ' | sed 's/ $//'; }

run host main 1 ./p1.so ./p2.so ./p3.so
equal "three libraries at one address" "3 1 2 3" "$status $(parts 3)"
check "... and nothing is noted" grep -q '^0 notes' <("$cgview" report --by note run.db)
run host main 500 ./p{1..50}.so
equal "500 cycles of 50 libraries" "3 $(times 500 50)" "$status $(parts 50)"
most "... in a raw profile of less than 4 MB" 4000000 "$(raw_bytes)"
run own main 500 ./p{1..50}.so
equal "... of a program that was built with cgcc" "3 $(times 500 50)" "$status $(parts 50)"
most "... in a raw profile of less than 4 MB" 4000000 "$(raw_bytes)"
run host thread 20 ./p{1..50}.so
equal "20 cycles, each library in a thread of its own" "3 $(times 20 50)" "$status $(parts 50)"
run host fork 20 ./p{1..50}.so
equal "20 cycles, four of them also in children of fork" "3 $(times 24 50)" "$status $(parts 50)"
run host main 20 ./nameless{1..3}.so
equal "20 cycles of libraries without build-id" "3 20 40 60" "$status $(parts 3)"

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
