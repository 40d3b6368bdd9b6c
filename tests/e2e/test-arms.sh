#!/bin/bash
# Each operand of && and || and each arm of ?: has a count of its own, at the place where it stands,
# also where the front end exchanges the arms. All counts are by hand: a is true 10 times of 100, b 5
# times, both 5 times.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
cp "$here/programs/arms.c" .

# line:column-end procedure count
cat > expected <<'END'
5:44-44 r 100
5:48-48 r 10
5:52-66 r 90
6:44-44 q 100
6:49-49 q 10
6:53-53 q 5
6:57-71 q 95
7:44-44 m 100
7:49-49 m 10
7:53-53 m 5
7:57-65 m 95
8:30-30 k 100
8:34-34 k 10
8:38-38 k 90
9:30-30 l 100
9:34-34 l 10
9:38-38 l 90
10:30-30 e 100
10:34-34 e 10
10:38-42 e 90
11:30-30 f 100
11:34-38 f 10
11:42-42 f 90
12:30-30 n 100
12:34-34 n 10
12:38-38 n 90
13:30-31 o 100
13:35-39 o 90
13:43-43 o 10
14:31-31 p 100
14:35-35 p 10
14:39-40 p 90
18:9-9 y 100
18:13-20 y 10
19:13-20 y 90
END

for level in -O0 -O2 -O3 "-O2 -flto"; do
	must "compile with $level" "$cgcc" $level arms.c -o arms
	record arms.db ./arms
	report arms.db block | python3 -c '
import csv, sys
for r in csv.DictReader(sys.stdin):
    if r["line"] and 4 < int(r["line"]) < 20 and r["line"] != "15":
        print("%s:%s-%s %s %s" % (r["line"], r["column"], r["end_column"], r["procedure"], r["count"]))
' | sort -t: -k1n -k2n > counted
	check "$level: operands and arms count what they must" diff expected counted
done
