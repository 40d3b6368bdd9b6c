#!/bin/bash
# Nested procedures, computed goto, asm goto, cleanups, statement expressions, arrays of variable
# length, setjmp in a loop, attributes of all kinds, OpenMP: none of them stops a build, the counts are
# those in the sources, and what is not counted is listed with the reason.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
cp "$here/programs/odd.c" "$here/programs/parallel.c" .

for level in -O0 -O1 -O2 -O3 -Os -Og "-O3 -flto" "-O2 -static" "-O2 -no-pie -fno-pie"; do
	must "odd.c compiles with $level" "$cgcc" --cgview-flags=exclude=excluded -w $level odd.c -o odd
	record odd.db ./odd
	check "odd.c $level" python3 "$here/expected.py" odd.c "$cgview" odd.db
done
must "odd.c compiles in block mode" "$cgcc" --cgview-flags=mode=block,exclude=excluded -w -O2 odd.c -o odd
record odd.db ./odd
check "odd.c -O2 mode=block" python3 "$here/expected.py" odd.c "$cgview" odd.db

at() { grep -n "^$1(" odd.c | cut -d: -f1; }
cat > expected <<END
1 procedure is not counted: attribute naked: naked (odd.c:$(at naked))
1 procedure is not counted: left out by --cgview-flags=exclude: excluded (odd.c:$(at excluded))
2 procedures are not counted: attribute no_instrument_function or no_profile_instrument_function: \
not_instrumented (odd.c:$(at not_instrumented)), not_profiled (odd.c:$(at not_profiled))
END
sort -o expected expected
notes() # notes DB: what is said of procedures that are not counted
{
	report "$1" note | python3 -c '
import csv, sys
for r in csv.DictReader(sys.stdin):
    if r["kind"] == "uncounted":
        print(r["text"])' | sort
}
notes odd.db | grep -v 'compiled without cgcc' > listed
check "what is left out is listed, with the reason" diff expected listed

echo 'int plain(int n) { return n + 1; } int quiet(int n) { return n + 2; }' > plain.c
echo 'int plain(int n), quiet(int n); int main(void) { return plain(1) + quiet(-4); }' > main.c
must "compile without cgcc" gcc -O2 -c plain.c
must "link both" "$cgcc" -O2 main.c plain.o -o both
"$cgview" record -o both.db -- ./both 2> /dev/null
notes both.db > listed
echo '2 procedures are not counted: compiled without cgcc in both: plain, quiet' > expected
check "what was compiled without cgcc is listed" diff expected listed

# The versions of a symbol are other names of procedures that are counted.
cat > versions.c <<'END'
__attribute__((__symver__("twice@@NEW"))) int twice_new(int n) { return 2 * n; }
extern int twice_old(int n) __attribute__((__symver__("twice@OLD"), __alias__("twice_new")));
int plain(int n);
int thrice(int n) { return plain(n) - 1 + 2 * n; }
END
echo 'OLD { global: twice; thrice; local: *; }; NEW { } OLD;' > versions
echo 'int twice(int n), thrice(int n); int main(void) { return twice(-3) + thrice(2); }' > main.c
must "compile a part without cgcc" gcc -O2 -fPIC -c plain.c
must "a library with versions" "$cgcc" -O2 -fPIC -shared -Wl,--version-script=versions versions.c plain.o \
	-o libversions.so
must "what uses it" "$cgcc" -O2 main.c -o uses -L. -lversions -Wl,-rpath,"$TMP_DIR"
record uses.db ./uses
notes uses.db > listed
echo '2 procedures are not counted: compiled without cgcc in libversions.so: plain, quiet' > expected
check "versions of a symbol are not listed" diff expected listed

echo 'int only(int n) { return n; }' > only.c
must "compile without a counter" "$cgcc" --cgview-flags=exclude=only -O2 -c only.c
echo 'int only(int n); int main(void) { return only(0); }' > main.c
must "link" "$cgcc" -O2 main.c only.o -o only
record only.db ./only
notes only.db > listed
echo '1 procedure is not counted: left out by --cgview-flags=exclude: only (only.c:1)' > expected
check "a unit without counters has its list too" diff expected listed

echo 'int main(void) { return 0; }' > main.c
if ! gcc -fopenmp main.c -o main > /dev/null 2>&1; then
	echo "skip - OpenMP: gcc -fopenmp does not work here"
	exit 0
fi
for level in -O0 -O2 -O3 "-O3 -flto" "-O2 -static"; do
	must "parallel.c compiles with $level" "$cgcc" -fopenmp $level parallel.c -o parallel
	record parallel.db ./parallel
	check "OpenMP $level" python3 "$here/expected.py" parallel.c "$cgview" parallel.db
done
exit 0
