#!/bin/bash
# bzip2, program and shared library, built by its own makefile with CC=cgcc at -O2: counts equal
# gcov's at -O0.
. tests/e2e/lib.sh
need_collection
fetch_source bzip2 "$TMP_DIR/bzip2"
cd "$TMP_DIR" || exit
python3 "$here/make-text.py" 2500000 > text

cp -r bzip2 truth
must "build bzip2 with gcov" make -C truth bzip2 \
	CFLAGS="-O0 -g -D_FILE_OFFSET_BITS=64 --coverage" LDFLAGS=--coverage
# All of it: the library twice (archive and shared), two programs, and its self-test.
must "build bzip2 with cgcc" make -C bzip2 CC="$cgcc"
ok "bzip2 builds and passes its own test with CC=cgcc"

LD_LIBRARY_PATH=truth truth/bzip2 -9 -k -c text > expected.bz2
LD_LIBRARY_PATH=truth truth/bzip2 -d -c expected.bz2 > text.again
check "bzip2 with gcov works" cmp text text.again
(cd truth && gcov --json-format --stdout ./*.gcda) > truth.json 2> /dev/null
(cd truth && gcov --all-blocks --stdout ./*.gcda) > blocks.txt 2> /dev/null

export LD_LIBRARY_PATH=$TMP_DIR/bzip2
record "$TMP_DIR/compress.db" bzip2/bzip2 -9 -k -c text
check "the compressed output is unchanged" cmp expected.bz2 record.out
record "$TMP_DIR/expand.db" bzip2/bzip2 -d -c expected.bz2
check "the expanded output is unchanged" cmp text record.out

# The same unoptimised, to tell what the front end does at -O2.
cp -r bzip2 unoptimised
must "build bzip2 with cgcc -O0" make -C unoptimised clean bzip2 CC="$cgcc" \
	CFLAGS="-O0 -g -D_FILE_OFFSET_BITS=64"
export LD_LIBRARY_PATH=$TMP_DIR/unoptimised
record "$TMP_DIR/compress0.db" unoptimised/bzip2 -9 -k -c text
record "$TMP_DIR/expand0.db" unoptimised/bzip2 -d -c expected.bz2
unset LD_LIBRARY_PATH
python3 "$here/compare.py" --cgview "$cgview" --root bzip2 --truth truth.json \
	--db compress.db expand.db --unoptimised compress0.db expand0.db --blocks blocks.txt \
	--least 100 --allow several-blocks=5 --allow jump-in-arm=4 --allow operand-on-line=5 --allow arms-on-lines=2 --allow bare-label=2
for db in compress expand; do
	check "the times of the roots are all there is: $db" conserved "$TMP_DIR/$db.db"
done
