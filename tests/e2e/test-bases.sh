#!/bin/bash
# Counters of innermost loops are addressed by a register, of which several share one where there are few
# calls (plugin/bases.c); the counts are gcov's. Procedures with a large switch have an order of blocks of their own (plugin/order.c).
. tests/e2e/lib.sh
need_collection
need objdump objcopy
cd "$TMP_DIR" || exit
cp "$here/programs/bases.c" .

expect_of_gcov bases.c
check "gcov counts more than 10 lines" [ "$(wc -l < expected)" -gt 10 ]

# based FILE [PROCEDURE]: increments that are addressed by a register
based() { objdump -d --no-show-raw-insn ${2:+--disassemble=$2} "$1" | grep -cE 'incq .*%gs:(0x[0-9a-f]+)?\(%r([^i]|i[^p])'; }

for flags in -O1 -O2 -O3 -Ofast "-O2 -flto" "-O2 -fPIC -shared-libgcc" "-O2 -fno-pie -no-pie" "-O2 -masm=intel" "-O3 -funroll-all-loops" \
	"-O2 -march=native" "-O2 -g0" "-O2 --cgview-flags=strict" "-O2 -fno-omit-frame-pointer" \
	"-O2 -fnon-call-exceptions" "-O2 -mcmodel=medium"; do
	counts_as_expected bases.c "$cgcc" $flags
	check "$flags: registers address counters" [ "$(based program)" -gt 5 ]
done
for flags in -O0 "-O2 -mcmodel=large" "-O2 -fsanitize=undefined" "-O2 --cgview-flags=counters=atomic"; do
	counts_as_expected bases.c "$cgcc" $flags
done
counts_as_expected bases.c "$build/cgg++" -O2 -x c++ -w

# loads PROCEDURE: how often it loads the address of a counter
loads() { objdump -d --no-show-raw-insn --disassemble=$1 o.o | grep -c 'lea .*(%rip)'; }

must "compile calls()" "$cgcc" -O2 -fno-inline -fno-ipa-cp -c -o o.o bases.c
check "a small loop with a call in each round counts by a register" [ "$(based o.o calls)" -gt 0 ]
check "... that each increment loads" [ "$(based o.o calls)" = "$(loads calls)" ]
check "a larger one by none" [ "$(based o.o calls_among)/$(loads calls_among)" = 0/0 ]
check "... but it counts" eval 'objdump -d --disassemble=calls_among o.o | grep -q "incq.*%gs:"'
check "one with few calls by a register" [ "$(based o.o seldom_calls)" -gt 1 ]
check "... that is loaded once" [ "$(loads seldom_calls)" = 1 ]
check "a search: some do" [ "$(based o.o search)" -gt 0 ]
must "compile for size" "$cgcc" -Os -fno-inline -c -o o.o bases.c
check "for size none does" [ "$(based o.o)" = 0 ]

# ---- the order of blocks ----

{
	echo 'extern int p[]; int large(int n) { int r = 0; while (n > 0) switch (p[--n]) {'
	for ((i = 0; i < 40; i++)); do echo "case $i: r += p[r & $i] ^ $((i * i)); if (r > $i) n--; else if (r == p[$i]) return r; break;"; done
	echo '} return r; }'
	echo 'int small(int n) { int r = 0; while (n > 0) { if (p[n] > 3) { if (p[r] == 2) r++; else if (p[r] > 9) r ^= n; else return r; } if (r > n) n--; else n -= 2; } return r; }'
} > order.c
code() { objcopy -O binary -j ".text.$1" o.o "$1.$2"; }
orders() # orders FLAGS NAME: the code of both procedures, in PROCEDURE.NAME
{
	must "compile order.c $1" "$cgcc" -O2 -ffunction-sections $1 -c -o o.o order.c
	code large "$2"
	code small "$2"
}
orders "" ours
orders -freorder-blocks-algorithm=stc stc
check "a large switch is ordered by traces" cmp large.ours large.stc
check "what stands behind it is not" eval '! cmp -s small.ours small.stc'
