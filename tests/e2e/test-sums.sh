#!/bin/bash
# Innermost loops whose counts are stored behind them count as gcov does at -O0; what a thread loses
# that dies in one is told. A program that is killed behind each of its instructions has either
# counted what it did, or a note.
. tests/e2e/lib.sh
need_collection
need objdump
cd "$TMP_DIR" || exit
cp "$here/programs/sums.c" "$here/programs/sums-end.c" .

expect_of_gcov sums.c
check "gcov counts more than 50 lines" [ "$(wc -l < expected)" -gt 50 ]

not_left() { report "$1" note | grep -c 'a loop was not left'; }
adds() { objdump -d "$1" | grep -cE 'addq? .*%gs:'; }

# counts COMPILER FLAGS...: the program, compiled with these.
counts()
{
	counts_as_expected sums.c "$@"
	shift
	check "$*: all loops are left" [ "$(not_left program.db)" = 0 ]
}
for level in -O1 -O2 -O3 "-O3 -flto" "-O3 -funroll-all-loops"; do
	counts "$cgcc" $level
	check "$level: some counts are sums" [ "$(adds program)" -gt 0 ]
	some=$(adds program)
	counts "$cgcc" $level --cgview-flags=sums=all
	check "$level: of more loops without a bound" [ "$(adds program)" -gt "$some" ]
done
for flags in --cgview-flags=strict --cgview-flags=sums=none --cgview-flags=mode=block \
	-fnon-call-exceptions -O0; do
	counts "$cgcc" -O2 $flags
	check "$flags: no counts are sums" [ "$(adds program)" = 0 ]
done
counts "$build/cgg++" -O2 -x c++ -w

# What GCC makes vectors of stays vectors: a counter would have kept it from that.
vectors() { objdump -d vector.o | grep -c addps; }
vectors_of() # vectors_of FLAGS ROUNDS WHAT
{
	echo "void add(float *restrict y, const float *restrict x, int n) { for (int i = 0; i < $2; i++) y[i] += x[i]; }" > vector.c
	must "compile vector.c" "$cgcc" $1 -c vector.c
	check "$1: a loop of $3 stays one of vectors" [ "$(vectors)" -gt 0 ]
	must "compile vector.c" "$cgcc" $1 --cgview-flags=strict -c vector.c
	check "$1, strict: it does not" [ "$(vectors)" = 0 ]
}
vectors_of -O3 1024 "few rounds"
vectors_of -O3 n "any number of rounds"
vectors_of -O3 100003 "strips and a rest"
vectors_of -O2 10000 "strips alike"
# A filter: vectors hold what several runs of the inner loop do, in the loop around it.
cat > vector.c <<'END'
#include <stdio.h>
static const float c[10] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
__attribute__((noinline)) void filter(float *restrict y, const float *restrict x)
{
	for (int i = 0; i < 576; i++) {
		float s = x[i + 10], t = 0;
		for (int j = 0; j < 9; j += 2) {
			s += c[j] * (x[i + j] + x[i + 21 - j]);
			t += c[j + 1] * (x[i + j + 1] + x[i + 20 - j]); /* WITHIN */
		}
		y[i] = s + t; /* AROUND */
	}
}
int main(void)
{
	static float x[600], y[576];
	for (int i = 0; i < 100; i++)
		filter(y, x);
	return y[3] != 0;
}
END
must "compile the filter by gcc" gcc -O2 -c vector.c
plain=$(vectors)
must "compile the filter" "$cgcc" -O2 -c vector.c
check "-O2: a loop around an inner one stays one of vectors" [ "$(vectors)" = "$plain" ]
must "compile the filter, strict" "$cgcc" -O2 --cgview-flags=strict -c vector.c
check "-O2, strict: it does not, but where gcc makes none" [ "$(vectors)" -lt $((plain + (plain == 0))) ]
must "link the filter" "$cgcc" -O2 vector.c -o filter
"$cgview" record -o filter.db -- ./filter > filter.out 2>&1
check "... and the counts of both are right" [ "$(sqlite3 filter.db "SELECT group_concat(count) FROM (SELECT l.count FROM line l
	JOIN file f ON f.id = l.file WHERE f.path LIKE '%vector.c' AND l.line IN (9, 11) ORDER BY l.line)")" = 288000,57600 ]

# Two loops, of which GCC puts two runs of the inner one together (unroll and jam), stay so: both are
# summed up behind the outer one.
cat > jam.c << 'END'
void product(float (*restrict c)[96], const float (*a)[96], const float (*b)[96])
{
	for (int k = 0; k < 96; k++)
		for (int j = 0; j < 96; j++)
			c[0][j] += a[0][k] * b[k][j];
}
END
shuffles() { objdump -d jam.o | grep -c 'shufps.*\$0x0'; }
must "compile jam.c" gcc -O3 -c jam.c
plain=$(shuffles)
must "compile jam.c" "$cgcc" -O3 -c jam.c
check "loops that are put together stay so: $plain factors" [ "$plain" -gt 1 -a "$(shuffles)" -ge "$plain" ]
must "compile jam.c" "$cgcc" -O3 --cgview-flags=strict -c jam.c
check "strict: they are not" [ "$(shuffles)" -lt "$plain" ]

# Which loops: has BODY, of a procedure, at FLAGS sums?
sums() # sums yes|no FLAGS WHAT BODY
{
	local expected=$1 flags=$2 what=$3 got=no
	printf 'extern int g(int); extern void *label; extern volatile int v;\n#include <setjmp.h>\n%s\n%s\n' \
		'jmp_buf b; int f(int *restrict a, int *restrict c, int n) { int i, k, s = 0;' "$4 return s; }" > which.c
	must "compile $what" "$cgcc" $flags -w -c which.c
	[ "$(adds which.o)" = 0 ] || got=yes
	[ $got = $expected ] || { cat which.c; echo "# sums: $got"; }
	check "$what, $flags: $expected sums" [ $got = $expected ]
}
long='a[i] = c[i] * 3 ^ c[i + 1] >> 2 ^ (c[i + 2] | 5) - (c[i + 3] & 77) + (c[i + 4] ^ n) + c[i + 9] / 3;'
all="--cgview-flags=sums=all"
sums yes "-O2 $all" "a short loop" 'for (i = 0; i < n; i++) s += a[i] ^ i;'
sums yes "-O2 $all" "a search" 'while (a[s]) s++;'
sums yes "-O2 $all" "an inner loop" 'for (k = 0; k < n; k++) { g(k); for (i = 0; i < n; i++) s += a[i] ^ k; }'
sums yes "-O2 $all" "two ways out" 'for (i = 0; i < n && a[i]; i++) if (a[i] == c[i]) return i;'
sums yes "-O2 $all" "goto out" 'for (i = 0; i < n; i++) { if (a[i] == 7) goto out; s ^= a[i]; } out:;'
sums no "-O2 $all" "a loop that calls" 'for (i = 0; i < n; i++) s += g(i);'
sums no "-O2 $all" "goto into a loop" 'if (n > 3) goto in; for (i = 0; i < n; i++) { s ^= a[i]; in: s += c[s]; i = s; }'
sums no "-O2 $all" "a volatile variable" 'for (i = 0; i < n; i++) s += v;'
sums no "-O2 $all" "assembly" 'for (i = 0; i < n; i++) __asm__("" : "+r"(s));'
sums no "-O2 $all" "setjmp" 'setjmp(b); for (i = 0; i < n; i++) s += a[i] ^ i;'
sums no "-O2 $all" "computed goto" 'void *to[] = {&&x, &&y}; goto *to[n]; x: s += a[n]; if (n--) goto *to[s & 1]; y:'
sums no "-O2 $all" "a long loop" "for (i = 0; i < n; i++) { $long }"
sums yes "-O3 $all" "a long loop that can become vectors" "for (i = 0; i < n; i++) { $long }"

# With a bound: few rounds for certain, or strips, if these pay.
sums yes -O2 "a loop of few rounds" 'for (i = 0; i < 4000; i++) s += a[i] ^ i;'
sums no -O2 "a loop of any number" 'for (i = 0; i < n; i++) s += a[i] ^ i;'
sums yes -O3 "a loop of any number" 'for (i = 0; i < n; i++) s += a[i] ^ i;'
sums yes -O2 "a loop of many strips alike" 'for (i = 0; i < 160000; i++) s += a[i] ^ i;'
sums yes -O2 "a loop that becomes memset" 'for (i = 0; i < n; i++) a[i] = 0;'
sums yes -O2 "a loop that becomes memcpy" 'for (i = 0; i < n; i++) a[i] = c[i];'
sums no -O3 "a search" 'while (a[s]) s++;'
sums no -O3 "two ways out" 'for (i = 0; i < n && a[i]; i++) if (a[i] == c[i]) return i;'
sums no -O3 "a division at the entry" 'for (; n > 2; n -= 3) s += *a++ ^ n;'
sums yes -O3 "a loop in one that is short" 'for (k = 0; k < n; k++) { g(k); for (i = 0; i < n; i++) s += a[i] ^ k; }'
cases='case 1: g(4); break; case 2: g(5); break; case 3: g(6); break; case 4: g(7); break; case 5: g(8); break;'
many="switch (g(k)) { $cases } switch (g(k + 1)) { $cases } switch (g(k + 2)) { $cases }"
sums no -O3 "a loop in one that is long" "for (k = 0; k < n; k++) { $many for (i = 0; i < n; i++) s += a[i] ^ k; }"

# ends NAME ROUNDS NOTES [WHICH]: of the loop, which has done 100 rounds. end NAME: into $got.
ulimit -c 0
end()
{
	rm -f e.*.raw
	(CGVIEW_OUT=$TMP_DIR/e CGVIEW_HZ=0 ./ends "$1"; true) > /dev/null 2>&1
	must "$1: import" "$cgview" import -o ends.db e.*.raw
	got="$(lines ends.db | sed -n "s/^$line //p") $(not_left ends.db)"
}
ends()
{
	end "$1"
	[ "$got" = "$2 $3" ] || echo "# $1: expected $2 $3, got $got"
	check "$4$1: $2 rounds, $3 notes" [ "$got" = "$2 $3" ]
}
line=$(sed -n '/\/\/= what/=' sums-end.c)
must "compile sums-end.c" "$cgcc" -O2 $all -pthread -o ends sums-end.c
for way in dies jumps exits; do
	ends $way 0 1
done
ends goes-on 117 0
must "compile sums-end.c" "$cgcc" -O3 -pthread -o ends sums-end.c
line=$(sed -n '/\/\/= of two/=' sums-end.c)
ends two-die 0 1 "-O3, "
ends two-jump 0 1 "-O3, "
ends two-go-on 8192 0 "-O3, "
line=$(sed -n '/\/\/= what/=' sums-end.c)
must "compile sums-end.c" "$cgcc" -O2 $all -pthread -o ends sums-end.c
end thread
check "a thread that is in the loop at the end has counted whole runs" [ $((${got% *} % 100)) = 0 ]
must "compile sums-end.c" "$cgcc" -O2 --cgview-flags=strict -pthread -o strict sums-end.c
cp ends sums && cp strict ends
for way in dies jumps exits; do
	ends $way 100 0 "strict, "
done
ends goes-on 117 0 "strict, "

# From instruction to instruction, until the loop is left for the last time.
cat > steps.py << 'END'
import glob, os, re, subprocess, sys
program, cgview, line, step = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.environ["CGVIEW_HZ"] = "0"
os.environ["CGVIEW_OUT"] = os.getcwd() + "/step"
def call(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True,
                          text=True).stdout
noted = bad = done = steps = 0
while done < 18 or told:
    done = int(call(program, "step", str(steps)))
    call(cgview, "import", "-o", "step.db", *glob.glob("step.*.raw"))
    for raw in glob.glob("step.*.raw"):
        os.unlink(raw)
    rows = call(cgview, "report", "--by", "line", "--format", "csv", "step.db").splitlines()
    count = next(int(r.split(",")[2]) for r in rows if r.split(",")[1] == str(line))
    told = "not left" in call(cgview, "report", "--by", "note", "--format", "csv", "step.db")
    noted += told
    good = count <= done + 1 and done - count <= 6 if told else abs(count - done) <= 1
    if not good:
        bad += 1
        print(f"# behind {steps} instructions: {done} rounds, counted {count}, told {told}")
    steps += step
    if steps > 2000:
        sys.exit("it does not come to its end")
print(f"# {steps} instructions, {noted} ends with a note")
sys.exit(bad > 0 or (noted > 0) != (program == "./sums"))
END
if ./sums step 0 > /dev/null 2>&1; then
	check "killed behind each instruction: counted, or told" \
		python3 steps.py ./sums "$cgview" "$line" 1
	check "strict: killed behind some of them: counted" python3 steps.py ./strict "$cgview" "$line" 5
else
	echo "skip - no ptrace here"
fi
