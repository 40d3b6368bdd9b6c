#!/bin/bash
# Each kind of bad input gets its one line that says what and what to do, and status 1.
. tests/e2e/lib.sh
[ -x "$cgview" ] || skip_all "$cgview was not built"
need sqlite3 script setpriv
cd "$TMP_DIR" || exit
chmod 777 .

# fails [-s STATUS] NAME PATTERN COMMAND...: that status (1) and one line on stderr that matches.
fails()
{
	local expected=1
	[ "$1" = -s ] && { expected=$2; shift 2; }
	local name=$1 pattern=$2 status
	shift 2
	timeout 300 "$@" > fails.out 2> fails.err < /dev/null
	status=$?
	if [ "$status" = "$expected" ] && [ "$(wc -l < fails.err)" = 1 ] &&
	   grep -qE "^cgview: .*($pattern)" fails.err; then
		ok "$name: $(sed "s|$TMP_DIR/||g" fails.err)"
	else
		echo "# status $status; stderr:"
		head -5 fails.err | cut -c1-300
		not_ok "$name"
	fi
}

echo "just text, and more of it than a header has ......................................." > text.db
seq 100000 > long.db
: > empty.db
mkdir directory.db
mkfifo pipe.db
sqlite3 other.db 'create table t(a); insert into t values (1);'
printf 'SQLite format 3\0' > head.db
for open in report check; do
	case $open in check) "$cgview" check --help > /dev/null 2>&1 || continue ;; esac
	fails "$open: no such file" 'No such file|does not exist|not there' "$cgview" $open nope.db
	fails "$open: not a database" 'not a (profile|database)|no profile|not.*cgview' "$cgview" $open text.db
	fails "$open: long file that is no database" 'not a (profile|database)|not.*cgview' "$cgview" $open long.db
	fails "$open: empty file" 'empty' "$cgview" $open empty.db
	fails "$open: directory" 'directory|not a (regular )?file' "$cgview" $open directory.db
	fails "$open: named pipe" 'not a (regular )?file|regular' "$cgview" $open pipe.db
	fails "$open: another program's database" 'not.*(profile|cgview)|another' "$cgview" $open other.db
	fails "$open: the first 16 bytes of a database" '.' "$cgview" $open head.db
done
printf PERFILE2 > cut.data
fails "import: a perf.data that is cut" 'cut.data is perf.data that ends within its head: .*again' "$cgview" import -o x.db cut.data
fails "import: no such raw file" 'No such file|does not exist|not there' "$cgview" import -o x.db nope.raw
fails "import: empty raw file" 'empty' "$cgview" import -o x.db empty.db
fails "import: text" 'not a raw profile|not.*raw' "$cgview" import -o x.db long.db
# Files of other tools are named for what they are, with what opens them.
kind() { # kind NAME BYTES PATTERN: printf's text
	printf "$2" > kind.file
	fails "$1 is named" "kind.file is .*$3" "$cgview" report kind.file
	fails "... by import" "kind.file is .*$3" "$cgview" import -o x.db kind.file
}
printf 'desc: --x\ncmd: y\ntime_unit: i\n' > massif.kind
fails 'massif without a snapshot' 'no snapshot' "$cgview" import -o x.db massif.kind
printf 'gmon\1\0\0\0' > gmon.kind
fails 'gmon.out, cut' 'cut within its head' "$cgview" import -o x.db gmon.kind
kind 'gmon.out of another version' 'gmon\2\0\0\0' 'gprof PROGRAM kind.file'
kind 'what is packed' '\037\213\010' 'gzip -dc kind.file'
kind 'a script' '#!/bin/sh\n' "cgview record -- ./kind.file"
cp /bin/true a-program
fails 'a program is named' "a-program is a program: record it with 'cgview record -- ./a-program'" "$cgview" a-program
fails '... by its path' "record -- /bin/true'" "$cgview" /bin/true
head -c 200 /bin/true > cut-program
fails 'a program that is cut' 'cut-program is a' "$cgview" cut-program
printf '\177ELF\2\1\1\0' > cut-program
fails '... in its first bytes' 'not a profile' "$cgview" cut-program
# As a shell would say it.
fails -s 127 "record: no such program" 'nope' "$cgview" record -o x.db -- ./nope
cp text.db not-executable
fails -s 126 "record: file that is no program" 'not-executable' "$cgview" record -o x.db -- ./not-executable
printf '#!/bin/sh\n' > script.sh
fails -s 127 "record: a file that is not in PATH" 'the file of this name is ./script.sh: cgview record ./script.sh' \
	"$cgview" record -o x.db -- script.sh
fails -s 126 "record: a script that may not be executed" 'chmod' "$cgview" record -o x.db -- ./script.sh
printf '#!/no/such/interpreter\n' > no-interpreter.sh
chmod +x no-interpreter.sh
fails -s 127 "record: a script without its interpreter" 'its interpreter is not there' \
	"$cgview" record -o x.db -- ./no-interpreter.sh
fails "record: an installed program" 'true was not built with cgcc, and ' \
	"$cgview" record -F 1 -o x.db -- true
fails -s 2 "record --open without a terminal" 'record --open: .*terminal' "$cgview" record --open -o x.db -- /bin/true
fails "record: not built with cgcc" 'cgcc' "$cgview" record -F 1 -o x.db -- /bin/true
check "nothing is left behind by failures" [ ! -e x.db ]

[ -x "$cgcc" ] && ls "$build"/lib/cgview/cgview*.so > /dev/null 2>&1 ||
	skip_all "the rest needs cgcc and its plugin"
need gcc

cat > prog.c <<'END'
#include <stdio.h>
__attribute__((noinline)) static int twice(int i) { return 2 * i; }
int main(int argc, char **argv) { (void)argv; int n = 0; for (int i = 0; i < 1000; i++) n += twice(i) * argc; printf("%d\n", n); return 0; }
END
must "compile prog.c" "$cgcc" -O2 prog.c -o prog
CGVIEW_OUT=$TMP_DIR/p ./prog > /dev/null
mv p.*.raw good.raw
must "import the good one" "$cgview" import -o good.db good.raw
check "the good one counts" [ "$(count_of good.db twice)" = 1000 ]

# Cut anywhere: the import says so, or what was cut off was not needed and the counts are right.
size=$(stat -c %s good.raw)
said=0 wrong=0
for cut in 1 100 4095 4096 5000 $((size / 4)) $((size / 2)) $((size * 3 / 4)) $((size - 1)); do
	head -c $cut good.raw > cut.raw
	rm -f cut.db
	timeout 300 "$cgview" import -o cut.db cut.raw > cut.out 2> cut.err
	status=$?
	if [ $status = 1 ] && [ "$(wc -l < cut.err)" = 1 ]; then
		said=$((said + 1))
	elif [ $status = 0 ] && grep -qiE 'cut|shorter|incomplete|truncated' cut.err; then
		said=$((said + 1))
	elif [ $status = 0 ] && [ "$(count_of cut.db twice)" = 1000 ]; then
		:
	else
		wrong=$((wrong + 1))
		echo "# cut at $cut of $size: status $status, $(head -c 300 cut.err)"
	fi
done
check "a raw file cut in the middle never gives wrong counts silently ($said of 9 told)" \
	[ "$wrong" = 0 ] && check "most cuts are told" [ "$said" -ge 4 ]

sed 's/2 \* i/2 * i + 1/; s/^#include.*/&\n\nint more(int i) { return i; }/' prog.c > prog2.c
must "compile it again" "$cgcc" -O2 prog2.c -o prog
fails "import: the program was rebuilt since" 'rebuilt|build-id|changed' \
	"$cgview" import -o x.db good.raw
rm prog
fails "import: the program is gone" 'prog' "$cgview" import -o x.db good.raw

cp prog.c gone.c
must "compile gone.c" "$cgcc" -O2 gone.c -o gone
rm gone.c
check "record works without the source" "$cgview" record -o gone.db -- ./gone
check "... and counts" [ "$(count_of gone.db twice)" = 1000 ]
check "... and the profile tells that the source is missing" sh -c \
	'"$1" report --by note --format csv gone.db | grep -q "gone\.c"' sh "$cgview"

# As an ordinary user, where root would be allowed to write. He may not reach the build directory.
must "compile prog.c" "$cgcc" -O2 prog.c -o prog
mkdir locked
chmod 555 locked
cp "$cgview" cgview-copy
cp good.db secret.db
chmod 600 secret.db
as_user=()
[ "$(id -u)" = 0 ] && as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fails "record: no permission to write" 'locked' \
	"${as_user[@]}" ./cgview-copy record -o locked/x.db -- ./prog
fails "import: no permission to write" 'locked' \
	"${as_user[@]}" ./cgview-copy import -o locked/x.db good.raw
[ "$(id -u)" = 0 ] && fails "report: no permission to read" 'secret.db' \
	"${as_user[@]}" ./cgview-copy report secret.db
fails "record: no such directory" 'nowhere' "$cgview" record -o nowhere/x.db -- ./prog

# Terminals.
fails "browse without a terminal" 'terminal|tty' "$cgview" good.db
TERM=dumb timeout 300 script -qec "'$cgview' good.db" /dev/null < /dev/null > dumb.out 2>&1
status=$?
check "TERM=dumb: one line that names the terminal, status 1" sh -c \
	'[ "$1" = 1 ] && [ "$(grep -c . dumb.out)" = 1 ] && grep -qE "terminal|TERM" dumb.out' sh $status
TERM=no-such-terminal timeout 300 script -qec "'$cgview' good.db" /dev/null < /dev/null > bogus.out 2>&1
status=$?
check "TERM=no-such-terminal: one line, status 1" sh -c \
	'[ "$1" = 1 ] && [ "$(grep -c . bogus.out)" = 1 ] && grep -qE "terminal|TERM" bogus.out' sh $status

# The compiler wrapper.
"$cgcc" -O2 no-such-file.c -o x > wrapper.out 2>&1
ours=$?
gcc -O2 no-such-file.c -o x > plain.out 2>&1
check "cgcc fails as gcc does" [ "$ours" = $? ]
