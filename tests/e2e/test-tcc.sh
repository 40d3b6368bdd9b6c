#!/bin/bash
# The Tiny C Compiler, built by its own configure script and makefile with CC=cgcc at -O2, compiles
# itself: counts equal gcov's at -O0. bench/gcov/compare does more with it, at more levels.
. tests/e2e/lib.sh
. bench/gcov/programs.sh
need_collection
fetch_tcc "$TMP_DIR/tcc"
cd "$TMP_DIR" || exit
cp -r tcc truth

build() # build DIRECTORY CC CFLAGS LDFLAGS
(
	cd "$1" && shift && build_tcc "$@"
)
must "build tcc with gcov" build truth gcc "-O0 --coverage" --coverage
must "build tcc with cgcc" build tcc "$cgcc" -O2 -O2
ok "tcc configures and builds with CC=cgcc"

# The program is small, its options and its own preprocessor tests reach what it does not use.
cat > work <<'END'
options="-B. -Iinclude -I. -DONE_SOURCE=1 -DTCC_TARGET_X86_64=1"
./tcc $options -c tcc.c -o "$1.o"
./tcc $options -nostdlib -shared -o "$1.so" tcc.c
./tcc $options -E tcc.c > "$1.i"
for t in tests/pp/*.c; do
	./tcc -E -P "$t" >> "$1.i"
done
END
check "tcc with gcov compiles itself" sh -c 'cd truth && sh ../work ../expected > ../truth.log 2>&1;
	test -s ../expected.so'
(cd truth && gcov --json-format --stdout ./*.gcda) > truth.json 2> /dev/null
(cd truth && gcov --all-blocks --stdout ./*.gcda) > blocks.txt 2> /dev/null
cd tcc || exit
record "$TMP_DIR/tcc.db" sh ../work ../measured
cd .. || exit
for what in o so i; do
	check "what tcc makes is unchanged: $what" cmp expected.$what measured.$what
done
python3 "$here/compare.py" --cgview "$cgview" --root tcc --truth truth.json --db tcc.db \
	--blocks blocks.txt --least 500 --allow endless-head=3 --allow nested-head=2 --allow first-line=8 --allow bare-jump=16 \
	--allow jump-in-arm=4 --allow only-jump=4 --allow several-blocks=4 --allow arms-on-lines=28 \
	--allow operand-on-line=40 --allow bare-label=20 --allow call-on-lines=3 --allow parts-of-head=1
check "the times of the roots are all there is" conserved "$TMP_DIR/tcc.db"
