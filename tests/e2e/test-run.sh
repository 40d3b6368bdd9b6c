#!/bin/bash
# cgview run: from sources, or a directory, to a profile in one go. Counts are counted by hand. Nothing else is left
# behind, whatever happens, and the directory stays as it was.
set -u
. tests/db/lib.sh
need sqlite3 make
mkdir "$TMP_DIR/home" "$TMP_DIR/temporary"
cd "$TMP_DIR/home" || exit 1
export TMPDIR=$TMP_DIR/temporary
nothing_left() { check "$1" test -z "$(ls "$TMPDIR")"; }
calls() { sqlite3 -separator ' ' "$1" "SELECT name, calls FROM procedure WHERE NOT is_foreign AND name NOT LIKE '(%' ORDER BY name"; }
is() # is NAME EXPECTED GOT
{
	[ "$2" = "$3" ] || echo "# $3"
	check "$1" test "$2" = "$3"
}

cat > w.c <<'EOF'
#include <math.h>
#include <stdio.h>
double twice(double x);
int main(int argc, char **argv)
{
	int c, n = 0;
	double sum = 0;
	while ((c = getchar()) != EOF)
		n++;
	for (int i = 0; i < 100; i++)
		sum += twice(sin(i));
	printf("%d %d %s %d\n", n, argc, argc > 1 ? argv[argc - 1] : "", sum < 1e9);
	return argc > 2 ? 3 : 0;
}
EOF
echo 'double twice(double x) { return 2 * x; }' > t.c
printf '12345' | "$cgview" run w.c t.c > out 2> err
is "two files: the program's output" "5 1  1" "$(cat out)"
is "... the counts" "main 1
twice 100" "$(calls prof.db)"
nothing_left "... and nothing else is left"
is "... neither here" "err out prof.db t.c w.c" "$(echo *)"
rm prof.db
"$cgview" run -o x.db -f '-O0 -DUNUSED=1' w.c t.c -- a b.c < /dev/null > out 2> err
is "arguments, and the exit status" "3 0 3 b.c 1" "$? $(cat out)"
check "... the profile where it is wanted" test -s x.db -a ! -e prof.db
cat > v.cc <<'EOF'
template <class T> T twice(T x) { return x + x; }
int main() { int n = 0; for (int i = 0; i < 7; i++) n += twice(i); return n != 42; }
EOF
"$cgview" run -o cxx.db v.cc > out 2> err
is "C++" "0 main 1
twice<int> 7" "$? $(calls cxx.db)"

# What goes wrong: nothing is left of it.
echo 'int main(void) { return x; }' > bad.c
"$cgview" run -o bad.db bad.c > out 2> err
is "no C: the compiler's status" 1 $?
check "... it says why, and what that means" grep -q "run: compiling failed" err
check "... no profile" test ! -e bad.db
nothing_left "... and nothing is left"
"$cgview" run > out 2> err
is "no operand: one line, status 2" "2 1" "$? $(grep -c 'which source files' err)"
echo 'int main(void) { int *p = 0; return *p; }' > crash.c
"$cgview" run -o crash.db crash.c > out 2> err
is "killed by a signal: as a shell says it" 139 $?
is "... its counts are there" "main 1" "$(calls crash.db)"
nothing_left "... and nothing is left"
echo '#include <unistd.h>
int main(void) { write(1, "x", 1); pause(); return 0; }' > wait.c
"$cgview" run -o wait.db wait.c > out 2> err &
pid=$!
for i in $(seq 600); do
	[ ! -s out ] || break
	sleep 0.1
done
kill -TERM $pid
wait $pid
nothing_left "ended by SIGTERM: nothing is left"

# A directory that was built already: all is built anew, in a copy.
mkdir -p project/src
cat > project/src/p.c <<'EOF'
#include <stdio.h>
static int half(int n) { return n / 2; }
int main(void)
{
	FILE *f = fopen("left.txt", "w");
	long sum = 0;
	for (int i = 0; i < 50; i++)
		sum += half(i);
	fprintf(f, "%ld\n", sum);
	return fclose(f);
}
EOF
printf 'prog: src/p.o\n\t$(CC) -o $@ $^\nsrc/p.o: src/p.c\n\t$(CC) -O2 -c -o $@ $<\ncheck: prog\n\t./prog\n\t./prog\n' > project/Makefile
make -s -C project CC=gcc prog
state() { find project -type f -printf '%p %T@ ' -exec md5sum {} + | sort; }
state > before
"$cgview" run -o dir.db project check > out 2> err
is "a directory: the counts of both runs" "0 half 100
main 2" "$? $(calls dir.db)"
state > after
check "... nothing is changed in it" diff before after
if grep -q 'no private mounts' err; then
	echo "skip - paths of a copy: this system allows no private mounts"
else
	is "... paths are its own" "$PWD/project/src/p.c" "$(sqlite3 dir.db "SELECT path FROM file WHERE path LIKE '%p.c'")"
fi
check "... it is told where the profile is" grep -q 'dir.db' err
nothing_left "... and nothing is left"
(cd project && "$cgview" run -o ../command.db -- sh -c '$CC -O2 -o other src/p.c && ./other') > out 2> err
is "another command: \$CC is cgcc" "0 half 50
main 1" "$? $(calls command.db)"
state > after
check "... nothing is changed" diff before after
"$cgview" run -o none.db project nonsense > out 2> err
check "make fails: so do we" test $? -ne 0 -a ! -e none.db
nothing_left "... and nothing is left"
TMPDIR=$PWD "$cgview" run -- true > out 2> err
is "a directory that holds the temporary ones: one line" "2 1" "$? $(grep -c 'cannot be copied' err)"
