#!/bin/bash
# What several calls hand to libc: the intervals of how often it was called through each.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
[ -x "$BUILD/cgcc" ] && ls "$BUILD"/lib/cgview/cgview*.so > /dev/null 2>&1 || {
	echo "skip - handed: cgcc or its plugin was not built"
	exit 0
}
export BUILD
python3 tests/truth/handed.py "$BUILD/cgcc" "$BUILD/cgview" "$TMP_DIR" || echo "not ok - handed.py"
# A comparison that reaches one call in a way that is not noted, and another one in a way that is: all stacks stand below
# the first, and so do the calls. The program counts by itself.
cd "$TMP_DIR" || exit 1
cat > way.c <<'ENDS'
#include <stdio.h>
#include <stdlib.h>
static unsigned long calls[3];
static int at;
static int inner[8];
static int by_inner(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int by_a(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;

	calls[at]++;
#ifdef RECURSE /* the same comparison, below another search in it */
	if (at == 0 && calls[0] % 64 == 0) {
		at = 2;
		bsearch(&x, inner, 8, sizeof(int), by_a);
		at = 0;
	}
#endif
	return x < y ? -1 : x > y;
}
static int by_b(const void *a, const void *b) { return by_a(b, a); }
#ifdef LIBRARY
void sort_for(void *v, size_t n, size_t size, int (*f)(const void *, const void *));
#ifdef __cplusplus
#error only in C
#endif
#define qsort sort_for
#endif
enum { N = 20000 };
static int v[N];
static unsigned state = 1;
static int next(void) { state = state * 1664525u + 1013904223u; return (int)(state >> 8); }
int main(void)
{
	long found = 0;

	for (int r = 0; r < ROUNDS; r++) {
		for (int i = 0; i < N; i++)
			v[i] = next();
		at = 0;
		qsort(v, N, sizeof(*v), r % 30 < 29 ? by_a : by_b); /* QSORT */
		if (r % 30 < 29)
			qsort(v, N, sizeof(*v), by_a); /* sorted, for bsearch() */
		at = 1;
		for (int k = 0; r % 30 < 29 && k < 50; k++) {
			int key = next();

			found += bsearch(&key, v, N, sizeof(*v), by_a) != NULL; /* BSEARCH */
		}
	}
	printf("%lu %lu %lu\n", calls[0], calls[1], calls[2]);
	return found + by_inner(v, v) == 12345;
}
ENDS
cp way.c way.cc
cat > two.c <<'ENDS'
#include <stdlib.h>
static void deeper(void *v, size_t n, size_t size, int (*f)(const void *, const void *)) { qsort(v, n, size, f); __asm__ volatile(""); }
void sort_for(void *v, size_t n, size_t size, int (*f)(const void *, const void *)) { deeper(v, n, size, f); __asm__ volatile(""); }
ENDS
gcc -O2 -fno-inline -fPIC -shared two.c -o libtwo.so || echo "not ok - libtwo.so"
way() # way NAME COMPILER SOURCE FLAGS..: the truth is in what is told, or the row says that it is not
{
	local name=$1 compiler=$2
	shift 2
	"$BUILD/$compiler" -O2 -DROUNDS=120 "$@" -o way -L. -ltwo -Wl,-rpath,"$PWD" &&
		"$BUILD/cgview" record -o way.db -- sh -c './way > truth' 2> said ||
		{ sed 's/^/# /' said; echo "not ok - $name"; return; }
	"$BUILD/cgview" report --by arc --format csv --limit 1000 way.db > arcs
	python3 - "$name" "$(grep -n 'BSEARCH' "$name_of" | cut -d: -f1)" <<'ENDS'
import csv, sys
name, line = sys.argv[1], int(sys.argv[2])
sort, search, inner = map(int, open("truth").read().split())
rows = [a for a in csv.DictReader(open("arcs")) if a["callee"].split("(")[0] == "by_a" and a["caller"] not in ("by_b",)]
searched = [a for a in rows if a["line"] == str(line)]
sorted_ = [a for a in rows if a not in searched and a["caller"] != "by_a"]
good = len(searched) == 1 and bool(sorted_)
for row in searched:
    if row["differs"] != "1":
        good &= bool(row["likely_lo"]) and int(row["likely_lo"]) <= search <= int(row["likely_hi"])
told = sum(int(a["count"]) for a in sorted_)
good &= sort - told < 0.05 * sort or any(a["differs"] == "1" for a in sorted_)
# No row has stacks and no calls.
silent = [a for a in rows if int(a["count"]) == 0 and int(a["total_samples"]) > 3 and a["differs"] != "1"]
if not good or silent:
    for a in rows:
        print("#", {k: a[k] for k in ("caller", "line", "callee", "count", "likely_lo", "likely_hi", "total_samples", "through", "differs")})
    print("# truth:", sort, search, inner)
print("ok" if good and not silent else "not ok", "-", name)
ENDS
}
name_of=way.cc way "C++: stacks below another call count" cgg++ way.cc
name_of=way.c way "C without noted targets" cgcc way.c --cgview-flags=notargets
name_of=way.c way "... in a recursion" cgcc way.c --cgview-flags=notargets -DRECURSE
name_of=way.c way "... below two levels of a library" cgcc way.c --cgview-flags=notargets -DLIBRARY
# A row that the stacks contradict says so (which rows do: flow/unit-through.c).
python3 -c 'import sqlite3; d = sqlite3.connect("way.db"); d.execute("UPDATE arc SET differs = through IS NOT NULL"); d.commit()'
if "$BUILD/cgview" report --by arc way.db | grep -q '^ *≠ [0-9,]* *0\.\.[0-9,]*, the stacks say otherwise .*(through bsearch)' &&
	"$BUILD/cgview" report --by arc way.db | grep -q '^ *≈ [0-9,]* *0\.\.[0-9,]*  .* (outside)'; then
	echo "ok - a contradicted estimate is marked, others are not"
else
	"$BUILD/cgview" report --by arc way.db | sed 's/^/# /'
	echo "not ok - a contradicted estimate is marked, others are not"
fi
