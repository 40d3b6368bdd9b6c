#!/bin/bash
# Figure 2 of Waddell and Ashley: Fibonacci numbers, doubly recursive and iterative, of 10 and of 20;
# what counts are beyond twice those of 10. All figures below are worked out by hand:
# fib(n) is entered c(n) = 1 + c(n-1) + c(n-2) times, c(0) = c(1) = 1: c(10) = 177, c(20) = 21891;
# it returns n in (c(n) + 1) / 2 of them, and calls itself twice in the others.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit 1
cat > fib.c <<'END'
#include <stdio.h>
#include <stdlib.h>

static int
recursive(int n)
{
	if (n < 2)
		return n;
	return recursive(n - 1) + recursive(n - 2);
}

static int
iterative(int n)
{
	int a = 0, b = 1;

	while (n-- > 0) {
		int c = a + b;

		a = b;
		b = c;
	}
	return a;
}

int
main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1;

	printf("%d %d\n", recursive(n), iterative(n));
	return 0;
}
END
must "build" "$cgcc" -O2 -o fib fib.c
for n in 5 10 20; do
	record_counts "$n.db" ./fib $n
done

# rows OPTION...: line:column a b value of the rows in fib.c, in order
rows()
{
	"$cgview" diff --format csv -e 'b.count - 2 * a.count' "$@" 10.db 20.db | tr -d '\r' |
		awk -F, '$2 ~ /fib.c$/ { print $1, $3 ":" $4, $8, $9, $10 }'
}
expect() # expect NAME, standard input: wanted
{
	if diff - out; then echo "ok - $1"; else echo "not ok - $1"; fi
}
rows --by procedure > out
expect "procedures, counts beyond twice" <<'END'
recursive 5:1 177 21891 21537
iterative 13:1 1 1 -1
main 27:1 1 1 -1
END
# For people each row has its source, cut where it is long.
"$cgview" diff --by range -e 'b.count - 2 * a.count' 10.db 20.db > out
check "the source of a range" grep -Eq ' fib.c:7:[56]-7:1[01] +\(?n < 2\)?$' out
check "the source of ranges that follow" grep -Eq ' fib.c:20:3-20:7 +a = b$' out
"$cgview" diff --by line -e 'b.count - 2 * a.count' 10.db 20.db > out
check "the source of a line" grep -Eq ' fib.c:8 +return n;$' out
"$cgview" diff --series <(printf '5\n10\n20\n') 5.db 10.db 20.db > out
check "the source in a series" grep -Eq 'fib.c:20:3-20:7 +a = b$' out

rows --by line | cut -d' ' -f1- | sed 's/^ //; s/: / /' > out
expect "lines" <<'END'
5 177 21891 21537
7 177 21891 21537
9 88 10945 10769
8 89 10946 10768
17 11 21 -1
13 1 1 -1
15 1 1 -1
23 1 1 -1
27 1 1 -1
29 1 1 -1
31 1 1 -1
32 1 1 -1
18 10 20 0
20 10 20 0
21 10 20 0
END
rows --by range | grep '^recursive' > out
expect "expressions of the recursive one" <<'END'
recursive 7:5 177 21891 21537
recursive 9:9 88 10945 10769
recursive 9:9 88 10945 10769
recursive 9:28 88 10945 10769
recursive 8:10 89 10946 10768
END
rows --by range | grep '^iterative .* 0$' > out
expect "the body of the iterative loop is as predicted: 10, 20, nothing beyond" <<'END'
iterative 18:7 10 20 0
iterative 20:3 10 20 0
iterative 21:3 10 20 0
END
rows --by arc | grep -c '^recursive .* 88 10945 10769$' > out
expect "arcs of the recursion" <<< 2
rows --by site | grep '^main 31' | sort > out
expect "call sites of main" <<'END'
main 31:2 1 1 -1
main 31:2 1 1 -1
main 31:2 1 1 -1
END

# Blocks: c(n) times the entry and the test, then the sum of (c(n) - 1) / 2 calls, twice, or a return: 4 c(n) - 1.
# log2(87563 / 707) = 6.9525..
"$cgview" diff -e growth --size 10,20 --format csv --by procedure 10.db 20.db | tr -d '\r' |
	awk -F, '$1 == "recursive" { printf "%.3f\n", $10 }' > out
expect "growth of the work by the sizes" <<< 6.952

check "the rows that fail are printed, status 1" bash -c '
	"$1" diff -e excess --size 10,20 --fail-if "value > 1000" --format csv 10.db 20.db > out
	[ $? = 1 ] && [ "$(wc -l < out)" = 2 ] && grep -q ^recursive out' sh "$cgview"
check "no row fails, status 0" bash -c '
	"$1" diff --fail-if "value > 1000000" --format csv 10.db 20.db > out &&
	[ "$(wc -l < out)" = 1 ]' sh "$cgview"

# A stored result is a profile.
check "a result is stored" "$cgview" diff -e 'b.count - 2 * a.count' -o result.db 10.db 20.db
check "... and opens" "$cgview" report result.db
sqlite3 -separator ' ' result.db "SELECT line, column, a, b, value, sides FROM difference
	WHERE things = 'range' AND procedure = 'iterative' AND value = 0" > out
expect "... with the rows" <<'END'
18 7 10 20 0 both
20 3 10 20 0 both
21 3 10 20 0 both
END
check "... that a query can ask" bash -c '
	"$1" report --sql "SELECT max(value) FROM comparison WHERE metric = 1" \
		--format csv result.db | grep -q 21537' sh "$cgview"
check "... and it can be compared itself" "$cgview" diff result.db result.db
check "pinning keeps it" bash -c '
	"$1" pin result.db > /dev/null 2>&1
	[ "$(sqlite3 result.db "SELECT count(*) FROM comparison WHERE value = 21537")" -ge 2 ]' sh "$cgview"

# The series: 5, 10, 20; counts of the recursion c(5) = 15.
printf '# sizes\n20.db 20\n5.db 5\n10.db 10\n' > sizes
"$cgview" diff --series sizes --by procedure -e a.calls --format csv 5.db 10.db 20.db | tr -d '\r' |
	awk -F, '$1 == "recursive" || $1 == "iterative" { printf "%s %.3f %.3f %d %d %d %d\n",
	$1, $8, $9, $10, $11, $12, $13 }' > out
# Slope of log c over log n at 5, 10, 20: log(21891 / 15) / log 4 for three evenly spaced points.
python3 - > wanted <<'END'
import math
x = [math.log(n) for n in (5, 10, 20)]
y = [math.log(c) for c in (15, 177, 21891)]
mx, my = sum(x) / 3, sum(y) / 3
xy = sum((a - mx) * (b - my) for a, b in zip(x, y))
xx, yy = sum((a - mx) ** 2 for a in x), sum((b - my) ** 2 for b in y)
assert abs(xy / xx - math.log(21891 / 15) / math.log(4)) < 1e-9
print("recursive %.3f %.3f 3 15 177 21891" % (xy / xx, xy * xy / xx / yy))
print("iterative 0.000 1.000 3 1 1 1")
END
expect "a series: exponent, goodness, points" < wanted
"$cgview" diff --series sizes --by range --format csv 5.db 10.db 20.db > series
check "a series: the fastest first" bash -c '[ "$(sed -n "2,6s/,.*//p" series | uniq)" = recursive ]'
check "a series as text" bash -c '"$1" diff --series sizes 5.db 10.db 20.db | grep -Eq "^n +1 ±0 +1.000 "' sh "$cgview"
check "a series as json" bash -c '"$1" diff --series sizes --format json 5.db 10.db 20.db |
	python3 -c "import json, sys; assert len(json.load(sys.stdin)[\"rows\"]) > 10"' sh "$cgview"
