#!/bin/bash
# A line is counted as often as control comes to it, whatever part of a condition on it is evaluated;
# also when the compiler folds an operand, or a header makes code of it.
. tests/e2e/lib.sh
need_collection
printf '%s\n' '10 10' '16 10' '17 7' '19 3' '28 10' '29 10' '30 10' '37 10' > "$TMP_DIR/expected"

for flags in -O0 -O1 -O2 "-O3 -flto"; do
	must "compile $flags" "$cgcc" $flags -o "$TMP_DIR/program" tests/e2e/programs/one-line.c
	record "$TMP_DIR/program.db" "$TMP_DIR/program"
	report "$TMP_DIR/program.db" line | cut -d, -f2,3 | tr ',' ' ' | sort -n |
		grep -E '^(10|16|17|19|28|29|30|37) ' > "$TMP_DIR/counts"
	check "$flags: each line once" diff "$TMP_DIR/expected" "$TMP_DIR/counts"
done

# GCC counts no columns behind the 4,096th: what ends there ends with its line. Nothing calls the profile damaged.
cd "$TMP_DIR" || exit
python3 - > long.c <<'END'
pad = " " * 4300
print(f"""static int add(int a, int b) {{ return a + b; }}
int main(int argc, char **argv)
{{
	(void)argv;
	int x = add(argc,
{pad}argc + 3);
	if (x > 2 &&
{pad}x < 100)
		x++;
	return x == 0; {pad} }}""")
END
for level in -O0 -O2; do
	must "compile long.c" "$cgcc" $level long.c -o long
	record long.db ./long
	for by in procedure block site line arc; do
		check "$level: lines of 4,300 columns: by $by" "$cgview" report --by $by --format csv long.db
	done
	check "$level: ... annotated" "$cgview" annotate --procedure main long.db
	check "$level: ... main ends where its line does" [ "10 $(sed -n 10p long.c | tr -d '\n' | wc -c)" = \
		"$(sqlite3 -separator ' ' long.db "SELECT end_line, end_column FROM procedure WHERE name = 'main'")" ]
done
