export LD_LIBRARY_PATH=.
set -e
python3 "$DATA/../../tests/e2e/make-text.py" 3000000 > text
./bzip2 -9 -k -c text > "$OUT/text.bz2"
./bzip2 -d -c "$OUT/text.bz2" > again
cmp text again
for n in 1 2 3; do
	./bzip2 -$n < sample$n.ref > "$OUT/sample$n.bz2"
	./bzip2 -d < "$OUT/sample$n.bz2" | cmp - sample$n.ref
	./bzip2 -ds < "$OUT/sample$n.bz2" > again
done
./bzip2 -tv "$OUT"/*.bz2 > "$OUT/test" 2>&1
head -c 50000 /dev/zero | ./bzip2 -c > "$OUT/zeros.bz2"
head -c 1000 "$OUT/text.bz2" | ./bzip2 -dc > "$OUT/damaged" 2>&1 || true
./bzip2 --help > "$OUT/help" 2>&1
