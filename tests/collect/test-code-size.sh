#!/bin/bash
# How much machine code each line has, against objdump.
. tests/collect/rows/lib.sh
need objdump
value() { sqlite3 "${2:-run.db}" "$1"; }
import()
{
	rm -f "${1:-run.db}"
	"$cgview" import -o "${1:-run.db}" raw/*.raw > import.out 2> import.err
}

cat > shared.h <<'END'
static inline int
mix(int a, int b)
{
	if (a > b)
		return a * 7 + b % 13;
	return a ^ b / 3;
}
int other(int n);
END
cat > one.c <<'END'
#include "shared.h"
#include <stdio.h>

static __attribute__((noinline)) int
scaled(int value, int by)
{
	int sum = 0;

	for (int i = 0; i < value; i++)
		sum += i * by % 11;
	return sum;
}

static int
rare(int n)
{
	fprintf(stderr, "this is rare: %d\n", n);
	return n / 5;
}

int
main(int argc, char **argv)
{
	int sum = mix(argc, 5) + mix(3, argc) + scaled(argc, 3) + scaled(argc + 1, 3);

	if (__builtin_expect(argc > 20, 0))
		sum += rare(argc);
	for (int i = 0; i < 1000; i++)
		sum += mix(i, sum) + other(i);
	return sum == 42 && argv[0];
}
END
cat > two.c <<'END'
#include "shared.h"

int
other(int n)
{
	return mix(n, 17) - mix(17, n);
}
END
for flags in -O0 -O2 "-O3 -gdwarf-4" "-O2 -ffunction-sections -fno-reorder-blocks-and-partition" \
	"-O2 -flto" "-O2 -gz"; do
	must "compile $flags" "$cgcc" $flags one.c two.c -o code
	run code
	import
	echo "# $flags"
	case $flags in *flto) lto=lto ;; *) lto= ;; esac
	python3 "$top/tests/collect/code.py" run.db code $lto 2>&1 || not_ok "code.py"
done

must "compile" "$cgcc" -O2 one.c two.c -o code
run code
import
copies=$(value "SELECT sum(code_bytes) FROM line JOIN file f ON f.id = file
	WHERE f.path LIKE '%shared.h' AND line = 5")
check "what is inlined has the code of all copies: $copies bytes" \
	[ "$copies" -gt "$(objdump -d --no-show-raw-insn code | grep -c 'imul.*0x7')" ]
check "never executed code is of its line, too" [ "$(value "SELECT l.code_bytes FROM line l
	WHERE l.count = 0 AND l.line = 18")" -gt 5 ]
equal "the greatest" "$(value "SELECT max(code_bytes) FROM line")" \
	"$(value "SELECT max_line_code_bytes FROM totals")"
cp run.db first.db
run code
import second.db
must "merge" "$cgview" merge -o both.db first.db second.db
equal "two runs have the same code, not twice as much" "$(value "SELECT file, line, code_bytes
	FROM line ORDER BY id" first.db)" "$(value "SELECT file, line, code_bytes FROM line
	ORDER BY id" both.db)"
equal "... so has each of them" "$(value "SELECT sum(code_bytes) FROM line")" \
	"$("$cgview" report --by line --runs 2 --format csv --columns code_bytes both.db |
	tr -d '\r' | awk '{ sum += $1 } END { print sum }')"

equal "csv: the largest first" "$(value "SELECT line, code_bytes FROM line
	ORDER BY code_bytes DESC LIMIT 1" | tr '|' ',')" \
	"$("$cgview" report --by line --sort code_bytes --format csv --columns line,code_bytes run.db |
	tr -d '\r' | sed -n 2p)"
sed 's/i \* by % 11/i * by % 11 + (i ^ by) % 7/' one.c > longer.c
mkdir -p new
cp longer.c new/one.c
cp two.c shared.h new
(cd new && "$cgcc" -O2 one.c two.c -o code) || not_ok "compile the longer one"
mv new/code .
run code
import new.db
equal "a difference is of the line that has more" "$(("$(value "SELECT code_bytes FROM line JOIN file f
	ON f.id = file WHERE path LIKE '%one.c' AND line = 10" new.db)" - "$(value "SELECT code_bytes
	FROM line JOIN file f ON f.id = file WHERE path LIKE '%one.c' AND line = 10" first.db)"))" \
	"$("$cgview" diff --by line -e 'b.code_bytes - a.code_bytes' --format csv first.db new.db |
	awk -F, '$2 ~ /one.c$/ && $3 == 10 { print $10 }')"
"$cgview" annotate --file '*one.c' --heat code first.db > text
check "annotate: the colour's column is there" grep -q '^ *1 .* [0-9]* B | *24 ' text
printf 'size:100x30\ntext::measure code\nEnter\nEnter\n:save-screen screen\nq' > script
CGVIEW_SCRIPT=script TERM=xterm LC_ALL=C.UTF-8 "$cgview" first.db
check "the browser: it is in the colours" grep -q 'machine code' screen

cp code stripped
strip stripped
mv stripped code
run code
import
equal "without debug information it is not known" "|0" \
	"$(value "SELECT max(code_bytes), (SELECT max_line_code_bytes FROM totals) FROM line")"
"$cgview" annotate --columns count,code run.db > text 2>&1
equal "... and annotate has an empty column" 0 "$(grep -c ' B |' text)"
