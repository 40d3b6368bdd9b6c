#!/bin/bash
# Every shape of control flow counts as its source says it must: at all optimisation levels, with
# link-time optimisation, static, in C and C++, in all counting modes.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
cp "$here/programs/shapes.c" .
cp shapes.c shapes.cc

counts() # counts NAME SOURCE COMPILER ARGUMENT...
{
	local name=$1 source=$2
	shift 2
	if ! "$@" "$source" -o shapes > compile.log 2>&1; then
		tail -20 compile.log
		not_ok "$name: compiles"
		return
	fi
	record shapes.db ./shapes
	check "$name: counts are those written in $source" \
		python3 "$here/expected.py" "$source" "$cgview" shapes.db
}

for level in -O0 -O1 -O2 -O3 -Os -Og; do
	counts "C $level" shapes.c "$cgcc" $level
done
counts "C -O2 -flto" shapes.c "$cgcc" -O2 -flto
counts "C -O3 -flto -fwhole-program" shapes.c "$cgcc" -O3 -flto -fwhole-program
counts "C -O2 -static" shapes.c "$cgcc" -O2 -static
counts "C -O2 -no-pie" shapes.c "$cgcc" -O2 -fno-pie -no-pie
counts "C -O2 -static-pie" shapes.c "$cgcc" -O2 -static-pie
counts "C -O2 -fPIC" shapes.c "$cgcc" -O2 -fPIC
counts "C -O2 --gc-sections" shapes.c "$cgcc" -O2 -ffunction-sections -Wl,--gc-sections
counts "C -O2 -fsanitize=undefined" shapes.c "$cgcc" -O2 -fsanitize=undefined
counts "C -O2 -fprofile-generate" shapes.c "$cgcc" -O2 -fprofile-generate
counts "C++ -O0" shapes.cc "$build/cgg++" -O0
counts "C++ -O2" shapes.cc "$build/cgg++" -O2
for mode in mode=tree mode=block counters=plain counters=atomic counters=gs \
	    mode=block,counters=plain mode=block,counters=atomic; do
	counts "C -O2 $mode" shapes.c "$cgcc" --cgview-flags=$mode -O2
done

# Block mode and tree mode agree on everything, also where the source says nothing.
for mode in tree block; do
	must "compile in $mode mode" "$cgcc" --cgview-flags=mode=$mode -O2 shapes.c -o shapes
	record_counts $mode.db ./shapes
	for kind in procedure line block site; do
		report $mode.db $kind | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    print({k: v for k, v in row.items() if k != "code_bytes" and not k.endswith(("_ns", "_samples"))})
'
	done > $mode.txt
done
check "block mode and tree mode count the same" diff tree.txt block.txt
check "... and there is something to compare" [ "$(wc -l < tree.txt)" -gt 200 ]
