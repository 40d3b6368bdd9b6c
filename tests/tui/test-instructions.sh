#!/bin/bash
# Machine code beside the source: which instructions a procedure has is what objdump prints, where they come from is
# addr2line's; samples add up to those of the procedure.
. tests/tui/lib.sh
for tool in gcc objdump addr2line sqlite3; do
	command -v $tool > /dev/null || { echo "skip - $tool is not installed"; exit 0; }
done
cat > p.c <<'END'
static volatile long x;
static inline long twice(long n)
{
	return n * 2 + x;
}
__attribute__((noinline)) long f(long n)
{
	long s = 0;

	while (n--)
		s += twice(x);
	return s;
}
int main(void)
{
	for (int i = 0; i < 100; i++)
		x = f(300000) * 3 + f(900000);
	return 0;
}
END
loop=$(grep -n 's += twice' p.c | cut -d: -f1) inside=$(grep -n 'n \* 2' p.c | cut -d: -f1) call=$(grep -n 'f(300000)' p.c | cut -d: -f1)

# addresses FILE: of the instructions that annotate printed
addresses() { sed -n 's/^  .\{16\} *\([0-9a-f][0-9a-f]*\)  [a-z].*/\1/p' "$1" | sort -u; }
# of_objdump PROGRAM PROCEDURE: the same
of_objdump() { objdump -d --no-show-raw-insn --disassemble="$2" "$1" | sed -n 's/^ *\([0-9a-f]*\):\t.*/\1/p' | sort -u; }

for how in plain counted; do
	if [ $how = plain ]; then gcc -O1 -g -o p p.c; else "$BUILD/cgcc" -O1 -g -o p p.c; fi
	rm -f p.db
	"$cgview" record -o p.db -- ./p > out 2>&1 || { echo "skip - $how: $(tail -1 out)"; continue; }
	LC_ALL=C "$cgview" annotate --asm --procedure f p.db > f.asm
	of_objdump p f > expected
	addresses f.asm | sort -u > got
	verdict "$(diff expected got > /dev/null; echo $?)" "$how: the instructions are those that objdump prints ($(wc -l < expected))"
	# f() and what is inlined there have all samples of its code.
	sum=$(sed -n 's/^.\{10\}\(.\{8\}\)  *[0-9a-f][0-9a-f]*  [a-z].*/\1/p' f.asm | tr -d ' ,' | awk '{ n += $1 } END { print n + 0 }')
	self=$(sqlite3 p.db "SELECT sum(self_samples) FROM procedure WHERE name IN ('f', 'twice')")
	verdict "$([ "$sum" -gt 20 ] && [ "$sum" -eq "$self" ]; echo $?)" "$how: samples of instructions add up to those of the procedures: $sum, $self"
	# Places, the innermost ones, as addr2line has them.
	awk '/^[a-z.]*c:[0-9]/ { split($1, p, ":"); line = p[2]; next } /^  / { split(substr($0, 19), w, " "); print w[1], line }' f.asm |
		sort > got
	cut -d' ' -f1 got | addr2line -e p | sed 's/.*:\([0-9]*\).*/\1/' | paste -d' ' <(cut -d' ' -f1 got) - > expected
	verdict "$(diff expected got > difference; echo $?)" "$how: lines are addr2line's"
	sed 's/^/# /' difference | head -5
	verdict "$(grep -q "^p.c:$inside.* of twice" f.asm; echo $?)" "$how: what was inlined says so"
	# Inlined alone: only its own instructions.
	"$cgview" annotate --asm --procedure twice p.db > twice.asm 2>&1
	verdict "$(grep -q "^p.c:$inside" twice.asm && ! grep -q "^p.c:$((loop + 1))" twice.asm; echo $?)" "$how: of an inlined procedure its own"
done
"$cgview" annotate --asm --procedure main p.db > main.asm
verdict "$(grep -q "^p.c:$call:[0-9]*  count 100  | f(300000)" main.asm; echo $?)" "counts are those of the source"
DB=p.db SIZE=110x40 shows "the browser: the instructions of a line, with both calls" 'machine code' "p.c:$call:.*f(300000)" "p.c:$call:.*f(900000)" \
	<<< $'x\n'"text:${call}g"$'\na'
DB=p.db SIZE=110x40 shows "... of an expression alone" 'machine code' "p.c:$call:.*f(900000)" \
	<<< $'x\n'"text:${call}g"$'\nl\nl\nl\nl\nl\nl\na'
verdict "$([ "$(grep -c 'f(300000)' shows)" -eq 0 ]; echo $?)" "... without the other call of the line"
DB=p.db SIZE=110x40 shows "... of a whole procedure, on its head" 'machine code' 'f (0x.* bytes) in' 'twice' <<< $'text:/^f\nEnter\nx\na'
sqlite3 p.db "DROP TABLE instruction; DROP TABLE remark; DROP TABLE spread; PRAGMA user_version = 1"
verdict "$("$cgview" annotate --asm --procedure f p.db 2>&1 | grep -q 'does not tell in which instructions'; echo $?)" "a profile of the first version has no samples of instructions"

# fails NAME STATUS TEXT COMMAND...: in one line
fails()
{
	local name=$1 status=$2 text=$3
	shift 3
	"$@" > out 2>&1
	verdict "$([ $? -eq "$status" ] && [ "$(wc -l < out)" -eq 1 ] && grep -q "$text" out; echo $?)" "$name: $(head -1 out)"
}
fails "no procedure" 2 'name the procedure by' "$cgview" annotate --asm p.db
fails "some threads" 2 'leave out' "$cgview" annotate --asm --procedure f --threads 1 p.db
mkdir -p bin
fails "no objdump" 1 'objdump is not installed' env PATH="$PWD/bin" "$cgview" annotate --asm --procedure f p.db
sed -i 's/n \* 2/n * 3/' p.c && "$BUILD/cgcc" -O1 -g -o p p.c
fails "another build" 1 'of another build' "$cgview" annotate --asm --procedure f p.db
rm p
fails "the program is gone" 1 'cannot open\|does not exist' "$cgview" annotate --asm --procedure f p.db
