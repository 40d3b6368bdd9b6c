#!/bin/bash
# cgview annotate: the counts of the lines are gcov's, those of expressions as counted by hand.
. tests/e2e/lib.sh
need_collection
need gcov python3
cp tests/e2e/programs/macros/* "$TMP_DIR"
cd "$TMP_DIR" || exit 1

must "compile for gcov" gcc -O0 --coverage -o reference main.c other.c
must "run for gcov" ./reference
must "ask gcov" bash -c 'for f in *.gcda; do gcov --json-format --stdout "$f" > "$f.json"; done'
for flags in -O0 -O2; do
	must "compile $flags" "$cgcc" $flags -o program main.c other.c
	record_counts "$TMP_DIR/program.db" ./program
	"$cgview" annotate --columns count program.db > "annotated$flags"
	check "$flags: each line as gcov counts it, header included" \
		python3 "$here/annotate.py" ./*.json < "annotated$flags"
done

# has NAME FILE PATTERN...: a line for each.
has()
{
	local name=$1 file=$2 status=0 pattern
	shift 2
	for pattern; do
		grep -qE -e "$pattern" "$file" || { echo "# there is no: $pattern"; status=1; }
	done
	[ $status -eq 0 ] && ok "$name" || { cat "$file"; not_ok "$name"; }
}

# 1000 + 300 calls of MAX that are executed and one in printf(); 100 times two of SWAP.
"$cgview" annotate --columns count --expressions program.db > expressions
has "pieces of macros have the sum of all uses" expressions \
	'^ +1,301 :  +4:19-41 +\(all uses\) \(\(a\) > \(b\) \? \(a\) : \(b\)\)' \
	'^ +200 :  +10:3-11 +\(all uses\) \(a\) = \(b\)' \
	'^ +10 :  +6:16-19 +\(all uses\) \(lo\)' '^ +990 :  +7:3-25 +\(all uses\)'
has "uses of macros have their own" expressions \
	'^ +1,000 :  +17:8-18 +\(macro\) MAX\(i, 500\)' '^ +100 :  +21:4-13 +\(macro\) SWAP\(b, a\)'
has "what was never executed is marked" expressions '^x +0 :  +26:18-29 +\(macro\) MAX\(s, argc\)' \
	'^x +0 \|  +8 +return x \+ 1;'
"$cgview" annotate --procedure sq program.db > sq
has "a procedure alone, of both units" sq '^sq .*macros.h:15-20$' '^% +1,300 .*\|  +17 ' \
	'^x +0 .*\|  +18 ' '^4 lines with code, 3 executed'
[ "$(grep -c '|' sq)" -eq 7 ] && ok "and nothing else" || not_ok "and nothing else"

# A macro with its uses: 1000 + 300 + 1 that are executed, and one that is not.
"$cgview" annotate --macro MAX --columns count program.db > macro
has "the pieces and uses of a macro" macro '^MAX   .*/macros.h:4-4$' \
	'^ +1,301 \|  .*/macros.h:4:19-41  \(\(a\) >' '^ +1,000 \|  .*/main.c:17:8-18  MAX\(i, 500\)$' \
	'^ +300 \|  .*/other.c:6:16-26  MAX\(i, 100\)$' '^ +1 \|  .*/main.c:27:36-44  MAX\(s, 5\)$' \
	'^x +0 \|  .*/main.c:26:18-29  MAX\(s, argc\)$'
check "each once, and no other" test "$(grep -c '|' macro)" -eq 6
"$cgview" annotate --macro UP --columns count program.db > macro
has "a macro that is folded away" macro '^UP   .*/macros.h:13-13$' 'none has code of its own'
cat > nested.c <<'EOF'
#define INC(x) ((x) += 1)
#define TWO(x) do { INC(x); INC(x); } while (0)
int main(void)
{
	volatile int a = 1;

	INC(a);
	TWO(a); INC(a);
	return a != 5;
}
EOF
must "compile nested.c" "$cgcc" -o nested nested.c
record_counts "$TMP_DIR/nested.db" ./nested
"$cgview" annotate --macro INC --columns count nested.db > macro
has "macros in macros" macro '^ +4 \| .*:1:16-25 ' '^ +1 \| .*:7:2-7  INC\(a\)$' \
	'^ +1 \| .*:8:2-7  TWO\(a\)  \(by way of TWO\)$' '^ +1 \| .*:8:10-15  INC\(a\)$'
cat > arguments.c <<'EOF'
#include <stdio.h>
#define SQ(x) ((x) * (x))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define SUM(a, b) ((a) + (b))
#define CALL(n) f(n)
#define INC(v) (v)++
#define IF(c, a) do { if (c) { a; } } while (0)
static int f(int n) { return n; }
int main(void)
{
	int r = 0, k = 0;
	for (int i = 0; i < 10; i++)
		r += MAX(CALL(i), 6);
	for (int i = 0; i < 7; i++)
		r += SUM(SQ(i + 1), 3);
	for (int i = 0; i < 5; i++)
		r += SUM(SUM(SQ(i), SQ(k)), CALL(MAX(f(i), 2)));
	for (int i = 0; i < 9; i++)
		IF(i > 6, INC(k));
	printf("%d\n", r);
	return 0;
}
EOF
for flags in -O0 -O2; do
	must "compile arguments.c" "$cgcc" $flags -o arguments arguments.c
	record_counts "$TMP_DIR/arguments.db" ./arguments
	for name in SQ MAX SUM CALL INC; do
		"$cgview" annotate --macro $name --columns count arguments.db
	done | sed -n 's/^ *\([0-9]*\) |.*arguments.c:/\1 /p' > macro
	# 10 tests and 3 arms of line 13 call f(), and once each of five on line 17.
	check "$flags: macros in arguments of macros, by hand" diff - macro <<-'EOF'
		17 2:15-25  ((x) * (x))
		7 15:12-20  SQ(i + 1)
		5 17:16-20  SQ(i)
		5 17:23-27  SQ(k)
		15 3:20-28  (a) > (b)
		5 3:32-34  (a)
		10 3:38-40  (b)
		10 13:8-22  MAX(CALL(i), 6)
		5 17:36-47  MAX(f(i), 2)
		17 4:19-29  ((a) + (b))
		7 15:8-24  SUM(SQ(i + 1), 3)
		5 17:8-49  SUM(SUM(SQ(i), SQ(k)), CALL(MAX(f(i), 2)))
		5 17:12-28  SUM(SQ(i), SQ(k))
		18 5:17-20  f(n)
		10 13:12-18  CALL(i)
		5 17:31-48  CALL(MAX(f(i), 2))
		2 6:16-20  (v)++
		2 19:13-18  INC(k)
	EOF
done

# The columns: what was asked for, in that order.
"$cgview" annotate --file 'other.*' --columns 'self/x,count,count' program.db > columns
has "columns and file are chosen" columns '^ +self/x +count \|  line$' '^[^ ]*/other.c$'
[ "$(grep -c '^/' columns)" -eq 1 ] && ok "one file" || not_ok "one file"

# Colour is nothing but escapes around the same text.
"$cgview" annotate --color always program.db > colour
"$cgview" annotate --color never program.db > plain
sed 's/\x1b\[[0-9;]*m//g; s/ *$//' colour | tail -n +2 | diff - <(tail -n +2 plain) > /dev/null &&
	! grep -q $'\x1b' plain && grep -q $'\x1b\[0;.*48;5;' colour
check "colour changes nothing else" test $? -eq 0
check "no colour into a pipe" cmp plain <("$cgview" annotate program.db)

# The text is the profile's, whatever is on disk.
echo '/* changed */' >> other.c
rm macros.h
"$cgview" annotate --columns count program.db > stored
has "a file that differs is told" stored '/other.c   \(the file on disk differs'
sed 's/   (the file on disk.*//' stored | diff - annotated-O2 > /dev/null
check "the stored text is shown" test $? -eq 0

# refuses STATUS PATTERN ARGUMENT...
refuses()
{
	local status=$1 pattern=$2
	shift 2
	"$cgview" annotate "$@" > out 2> err
	[ $? -eq "$status" ] && grep -q -e "$pattern" err && [ "$(wc -l < err)" -eq 1 ] && [ ! -s out ]
	check "refused: $*" test $? -eq 0
}
refuses 2 'there is no column nonsense' --columns count,nonsense program.db
refuses 2 'auto, always or never' --color perhaps program.db
refuses 2 'it is self, count, total.* or ' --heat cold program.db
refuses 2 'which profile'
refuses 2 'unknown option --frobnicate' --frobnicate program.db
refuses 2 'one profile at a time' program.db program.db
refuses 1 'has no procedure xyzzy' --procedure xyzzy program.db
refuses 1 'has no procedure xyzzy' --color always --procedure xyzzy program.db
refuses 2 'threads 1,: it is a list of numbers' --threads 1, program.db
refuses 1 'threads 2: program.db has threads 1 to 1 only' --threads 2 program.db
refuses 1 'runs 0: program.db has runs 1 to 1 only' --runs 0 program.db
refuses 1 'no definition of a macro xyzzy' --macro xyzzy program.db
refuses 2 'not both' --macro MAX --procedure sq program.db
refuses 1 'has no source xyzzy.c' --file xyzzy.c program.db
refuses 1 'does not exist' none.db
