set -e
z=programs/zstd
python3 "$DATA/../../tests/e2e/make-text.py" 1500000 > text
head -c 400000 /dev/zero > zeros
cat lib/compress/*.c > sources
for n in 1 3 5 7 12 16 19 22; do
	$z -q --single-thread --ultra -$n -c sources > "$OUT/sources.$n.zst"
	$z -q --single-thread -d -c "$OUT/sources.$n.zst" | cmp - sources
done
for n in 1 6 13; do
	$z -q --single-thread -$n -c text > "$OUT/text.$n.zst"
	$z -q --single-thread -$n -c zeros > "$OUT/zeros.$n.zst"
	$z -q --single-thread -d -c "$OUT/text.$n.zst" | cmp - text
done
$z -q --single-thread --fast=3 -c text > "$OUT/fast.zst"
$z -q --single-thread --long=24 --check -c sources > "$OUT/long.zst"
$z -q --single-thread -t "$OUT"/*.zst
$z -q --single-thread --train lib/common/*.c lib/compress/*.[ch] lib/decompress/*.[ch] programs/*.[ch] \
	--maxdict=16384 -o "$OUT/dict"
for f in programs/*.c; do
	$z -q --single-thread -D "$OUT/dict" -9 -c "$f" > "$OUT/$(basename $f).zst"
	$z -q --single-thread -D "$OUT/dict" -d -c "$OUT/$(basename $f).zst" | cmp - "$f"
done
$z -l "$OUT"/text.*.zst > "$OUT/list" 2>&1
head -c 9000 "$OUT/text.6.zst" | $z -q --single-thread -d -c > "$OUT/damaged" 2>&1 || true
