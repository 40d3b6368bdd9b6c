# tcc compiles itself, with and without checks, then its own tests; nothing is run but tcc.
set -e
options="-B. -Iinclude -I. -DONE_SOURCE=1 -DTCC_TARGET_X86_64=1"
./tcc -v > "$OUT/version"
./tcc $options -c tcc.c -o "$OUT/tcc.o"
./tcc $options -E tcc.c > "$OUT/tcc.i"
./tcc $options -g -c tcc.c -o "$OUT/tcc-g.o"
./tcc $options -b -c tcc.c -o "$OUT/tcc-b.o" || true
./tcc $options -nostdlib -shared -o "$OUT/tcc.so" tcc.c
./tcc $options -nostdlib -r -o "$OUT/tcc-r.o" tcc.c
for t in tests/tests2/*.c tests/pp/*.c; do
	n=$(basename "$t" .c)
	./tcc -B. -Iinclude -Itests/tests2 -P -E "$t" > "$OUT/$n.i" 2>&1 || true
	./tcc -B. -Iinclude -w -c "$t" -o "$OUT/$n.o" > "$OUT/$n.err" 2>&1 || true
done
for t in tests/pp/*.S tests/asmtest.S lib/*.S; do
	n=$(basename "$t" .S)
	./tcc -B. -Iinclude -c "$t" -o "$OUT/$n.asm.o" > "$OUT/$n.asm.err" 2>&1 || true
done
