set -e
python3 "$DATA/../../tests/e2e/make-text.py" 3000000 > text
for n in 1 3 6 9; do
	./minigzip -$n < text > "$OUT/text$n.gz"
	./minigzip -d < "$OUT/text$n.gz" | cmp - text
done
head -c 300000 /dev/zero | ./minigzip -h > "$OUT/zeros.gz"
./minigzip -f < deflate.c > filtered.gz
./minigzip -r -6 < text > "$OUT/rle.gz"
cp text copy
./minigzip copy
./minigzip -d copy.gz
cmp copy text
./example "$OUT/example.gz" > "$OUT/example"
