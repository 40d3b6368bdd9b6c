#!/bin/bash
# zlib, built by its own configure script and makefile with CC=cgcc at -O2: counts equal gcov's
# at -O0.
. tests/e2e/lib.sh
need_collection
fetch_source zlib "$TMP_DIR/zlib"
cd "$TMP_DIR" || exit
# As long as it must be for each line that 12 MB reach: the rest behind the last block matters.
python3 "$here/make-text.py" 3245214 > text

cp -r zlib truth
must "configure zlib for gcov" sh -c 'cd truth && CFLAGS="-O0 --coverage" ./configure --static'
must "build zlib with gcov" make -C truth minigzip
must "configure zlib for cgcc" sh -c 'cd zlib && CC="$1" CFLAGS=-O2 ./configure' sh "$cgcc"
must "build zlib with cgcc" make -C zlib
ok "zlib configures and builds with CC=cgcc, static and shared"
check "zlib passes its own test" make -C zlib test

truth/minigzip -9 < text > expected.gz
truth/minigzip -d < expected.gz > text.again
check "minigzip with gcov works" cmp text text.again
(cd truth && gcov --json-format --stdout $(find . -name '*.gcda')) > truth.json 2> /dev/null
(cd truth && gcov --all-blocks --stdout $(find . -name '*.gcda')) > blocks.txt 2> /dev/null

record "$TMP_DIR/compress.db" sh -c 'exec zlib/minigzip -9 < text'
check "the compressed output is unchanged" cmp expected.gz record.out
record "$TMP_DIR/expand.db" sh -c 'exec zlib/minigzip -d < expected.gz'
check "the expanded output is unchanged" cmp text record.out
python3 "$here/compare.py" --cgview "$cgview" --root zlib --truth truth.json \
	--db compress.db expand.db --blocks blocks.txt --least 140 \
	--allow first-line=3 --allow bare-jump=5 --allow several-blocks=5 --allow arms-on-lines=15 --allow operand-on-line=15
for db in compress expand; do
	check "the times of the roots are all there is: $db" conserved "$TMP_DIR/$db.db"
done
