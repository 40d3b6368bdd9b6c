#!/bin/bash
# Procedures with another name that many are like, or that are short: who calls them, whom they call and what stands
# beside them tells which is which. Each is called another number of times, so that a wrong pair is seen by its counts.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1
mkdir -p old new
cat > old/main.c <<'END'
static volatile int sink;

static int get_one(int n) { return sink + n; }
static int get_two(int n) { return sink + n; }
static int get_three(int n) { return sink + n; }
static int by_one(int n) { int s = 0; while (n-- > 0) s += get_one(n); return s; }
static int by_two(int n) { int s = 1; for (int i = n; i; i--) s ^= get_two(i); return s; }
static int by_three(int n) { if (n < 1) return 0; sink = get_three(n); return by_three(n - 1); }

static void known_above(int n) { sink += n; sink ^= 17; }
static int twin(int n) { return n > 4 ? n - 2 : n; }
static int other_twin(int n) { return n > 4 ? n - 2 : n; }
static void known_below(int n) { sink -= n; sink |= 33; }
static int is_odd(int n) { if (n < 0) n = -n; return n & 1; }
static void known_behind(int n) { sink = sink / 2 + n; }

static int
together(int n)
{
	return is_odd(n) + twin(n) + other_twin(n) + get_one(n) + is_odd(n + 1);
}

static int gone_away(int *v, int n) { while (n-- > 0) v[n] = 0; return *v; }
static void known_last(int n) { sink = n; }

int
main(void)
{
	int v[3];

	known_above(by_one(11));
	known_below(by_two(22) + by_three(33));
	for (int i = 0; i < 44; i++)
		sink = twin(i);
	for (int i = 0; i < 55; i++)
		sink = other_twin(i) + is_odd(i);
	known_behind(together(1));
	known_last(gone_away(v, 3));
	return 0;
}
END
# The texts of the first three, and of the twins, are the same. The three are in another order: only who calls them
# tells; of the twins only where they stand does. Another procedure is where gone_away() was.
cat > new/main.c <<'END'
static volatile int sink;

static int value_c(int n) { return sink + n; }
static int value_a(int n) { return sink + n; }
static int value_b(int n) { return sink + n; }
static int by_one(int n) { int s = 0; while (n-- > 0) s += value_a(n); return s; }
static int by_two(int n) { int s = 1; for (int i = n; i; i--) s ^= value_b(i); return s; }
static int by_three(int n) { if (n < 1) return 0; sink = value_c(n); return by_three(n - 1); }

static void known_above(int n) { sink += n; sink ^= 17; }
static int lower(int n) { return n > 4 ? n - 2 : n; }
static int reduce(int n) { return n > 4 ? n - 2 : n; }
static void known_below(int n) { sink -= n; sink |= 33; }
static int odd(int n) { if (n < 0) n = -n; return (n & 1) != 0; }
static void known_behind(int n) { sink = sink / 2 + n; }

static int
all_of_them(int n)
{
	return odd(n) + lower(n) + reduce(n) + value_a(n) + odd(n + 1);
}

static int brand_new(unsigned u) { return u > 3 ? (int)(u ^ u << 5) : -1; }
static void known_last(int n) { sink = n; }

int
main(void)
{
	known_above(by_one(11));
	known_below(by_two(22) + by_three(33));
	for (int i = 0; i < 44; i++)
		sink = lower(i);
	for (int i = 0; i < 55; i++)
		sink = reduce(i) + odd(i);
	known_behind(all_of_them(1));
	known_last(brand_new(3));
	return 0;
}
END
for version in old new; do
	must "build $version" "$cgcc" -O1 -o $version/prog $version/main.c
	record_counts $version.db ./$version/prog
done
"$cgview" diff --format csv -e count --by procedure old.db new.db | tr -d '\r' | awk -F, '{ print $1, $8, $9, $11 }' > out
counts() { grep "^$1 " out | cut -d' ' -f2,3; }
check "who calls it tells which of three" [ "$(for p in a b c; do counts value_$p; done | tr '\n' ' ')" = "12 12 22 22 33 33 " ]
check "where they stand tells which of two with the same text" [ "$(counts lower) $(counts reduce)" = "45 45 56 56" ]
check "a short one at its place" [ "$(counts odd)" = "57 57" ]
check "who calls them all" [ "$(counts all_of_them)" = "1 1" ]
check "another procedure at the same place, called by the same one, is another one" \
	[ "$(grep -E '^(gone|brand)' out | sort)" = "$(printf 'brand_new  1 b\ngone_away 1  a')" ]
check "nothing else is on one side" [ "$(grep -cE ' [ab]$' out)" = 2 ]
# The tree of calls goes by the same pairs: below a rename it is that of both.
printf 'size:150x50\nt\ng\n*\n:save-screen tree\n' > script
CGVIEW_SCRIPT=script TERM=xterm-256color HOME=$TMP_DIR "$cgview" old.db new.db < /dev/null > /dev/null
check "in the tree nothing else is on one side" [ "$(grep -o 'only [ab].*\(gone_away\|brand_new\) ' tree | wc -l) $(grep -c only tree)" = "2 2" ]
check "... below what was found so" [ "$(sed -n 's/[^0-9]*\([0-9]*\) *\([0-9]*\) *= .*   [├└]   \(odd\|value_a\|lower\|reduce\) .*/\1 \2 \3/p' \
	<(sed -n '/all_of_them/,$p' tree) | tr '\n' ' ')" = "2 2 odd 1 1 value_a 1 1 lower 1 1 reduce " ]
