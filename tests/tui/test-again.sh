#!/bin/bash
# R: the recorded command is run again as it was, the new profile is looked at in the same place, the
# old one stays; and what is in the way is told.
. tests/tui/lib.sh

cat > work.c << 'END'
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int twice(int n) { return 2 * n; }
static int often(int n)
{
	int i, sum = 0;

	for (i = 0; i < n; i++)
		sum += twice(i);
	return sum;
}
int main(int argc, char **argv)
{
	FILE *f = fopen("count", "r+");
	int i, n = 0;

	for (i = 1; i < argc; i++)
		printf("[%s]", argv[i]);
	printf("\n");
	if (f && fscanf(f, "%d", &n) == 1)
		n = n < 0 ? 0 : n;
	if (getenv("WAITS"))
		sleep(100);
	return often(n) < 0 ? 3 : n == 7;
}
END
mkdir there
"$BUILD/cgcc" -O0 -g -o there/work work.c || { echo 'not ok - the program'; exit 1; }
odd="it's \$(touch pwned) \"; #"
(cd there && echo 10 > count && "$cgview" record -F 0 -o "$TMP_DIR/work.db" -- ./work 'a b' "$odd" '' > "$TMP_DIR/first" 2> /dev/null)
calls() { "$cgview" report --sql "select calls from procedure where name = '$2'" --format csv "$1" | tr -d '\r' | tail -1; }
[ "$(calls work.db twice)" = 10 ]
verdict $? 'the first run'

DB=work.db
shows 'it asks, and tells what, where and what becomes of the old one' '^─ run again?' \
	"^  *./work 'a b' 'it'.*s \$(touch pwned) \"; #' ''" "directory  *$TMP_DIR/there" \
	'old profile .*/work.db.old' <<< R
shows 'q leaves it' '^─ procedures' <<< $'R\nq'
[ ! -e work.db.old ] && [ "$(calls work.db twice)" = 10 ]
verdict $? '... and nothing was run'
echo 20 > there/count
shows 'Enter runs it' 'run again: .* cpu, before ' 'work.db.old' ' 20 .* twice' 'callers of twice .* 20 calls' ' 20 .* often' <<< $'R\nEnter'
[ "$(calls work.db twice)" = 20 ] && [ "$(calls work.db.old twice)" = 10 ] && [ ! -e there/pwned ] && [ ! -e pwned ]
verdict $? '... the new profile is in its place, the old one beside'
cmp <(head -1 first) <(grep -a -m 1 '^\[' shows.out)
verdict $? '... with the same arguments'
"$cgview" report --sql 'select directory, asked_interval_ns from run' --format csv work.db | grep -q "there,0"
verdict $? '... in the same directory, with the same options'

# The place: row, pane, source line, history and marks.
echo 30 > there/count
shows 'the place is kept' '^▌ .* twice ' '30 ' '── twice ─' <<< $'text:/twice\nEnter\nR\nEnter'
shows 'in the source' '^▌.* 9 *for (i' '^─ .*work.c ' <<< $'text:/often\nEnter\nEnter\ntext:9g\nR\nEnter'
shows 'so is the way back' '^▌ .* often ' <<< $'text:/often\nEnter\nEnter\ntext:9g\nR\nEnter\nBackspace'
shows 'and a mark' '^▌.* 9 *for (i' <<< $'x\ntext:9g\n`\na\nu\nR\nEnter\n\'\na'
echo 7 > there/count
shows 'an exit status' 'run again: exit status 1: ' <<< $'R\nEnter'

# The program is another one now: procedures by name.
sed -i '/^static int twice/i static int never(int n) { return n; }' work.c
sed -i 's/sum += twice(i)/sum += twice(never(i))/' work.c
"$BUILD/cgcc" -O0 -g -o there/work work.c
shows 'a program that was rebuilt is told before' 'was rebuilt since' <<< R
shows '... and looked at by the names of its procedures' '^▌ .* often ' ' 7 .* never' 'run again' \
	<<< $'text:/often\nEnter\nR\nEnter'
sed -i 's/often/seldom/' work.c
"$BUILD/cgcc" -O0 -g -o there/work work.c
shows '... of which one may be gone' ' seldom ' '! often ' 'run again' <<< $'text:/often\nEnter\nR\nEnter'

# What is in the way.
cp work.db good.db
mv there/work there/hidden
shows 'no program' 'there/\./work cannot be run again: No such file' <<< R
printf '#!/bin/sh\necho no profile here\nexit 5\n' > there/work; chmod +x there/work
shows 'a program without profile' 'status 5, and no new profile' <<< $'R\nEnter'
cmp work.db good.db
verdict $? '... the profile is the same'
chmod -x there/work
shows 'a program that cannot be run' 'cannot be run again: Permission denied' <<< R
rm there/work; mv there/hidden there/work
mv there elsewhere
shows 'no directory' 'there, where it was run: No such file' <<< R
mv elsewhere there
change() { cp good.db work.db; python3 -c 'import sqlite3, sys; db = sqlite3.connect("work.db"); db.execute(sys.argv[1]); db.commit()' "$1"; }
change "UPDATE run SET command = NULL"; shows 'a command that is not known' 'does not tell which command' <<< R
change "UPDATE run SET command = './work ''open'"; shows 'a damaged one' 'command is damaged' <<< R
change "UPDATE run SET command = replace(hex(zeroblob(3000)), '00', 'ab')"; shows 'a long one' 'longer than 4000 bytes' <<< R
change "UPDATE run SET command = './work ' || char(27) || '[31m' || char(8238)"
shows 'one with control characters' '^  *./work ^\[\[31m<U+202E>' <<< R
# A command that hides something: it is not run before all of it was on the screen.
hiding() # hiding NAME FILLER
{
	local name=$1 steps=$'size:60x14\nR' i
	cp good.db work.db
	python3 -c 'import sqlite3, sys; db = sqlite3.connect("work.db")
db.execute("UPDATE run SET command = ?", ("sh -c \x27: " + eval(sys.argv[1]) + ";touch PWNED\x27",)); db.commit()' "$2"
	play work.db <<< "$steps"$'\n:save-screen first\nEnter\n:save-screen early\nG\nEnter\n:save-screen jumped\nq'
	grep -q 'Space and PgUp scroll\|PgDn and PgUp scroll' first && ! grep -q PWNED first &&
		grep -q 'read on: rows 1[0-9] to ' early && grep -q 'read on' jumped && [ ! -e there/PWNED ]
	verdict $? "$name: Enter does not run what was not read to its end"
	for i in $(seq 60); do steps+=$'\nSpace'; done
	play work.db <<< "$steps"$'\n:save-screen last\nEnter'
	grep -q 'touch PWNED' last && grep -q 'That is all of it' last && [ -e there/PWNED ]
	verdict $? "... its end is shown, and it can be run then"
	rm -f there/PWNED
}
hiding '780 words' '"word " * 780'
hiding 'one long word' '"w" * 3900'
hiding 'control bytes and newlines' '"\n\x1b[2K" * 700'
hiding 'wide characters' '"\u4e16" * 1300'
cp good.db work.db
change "UPDATE run SET command = 'sh -c '': ' || replace(hex(zeroblob(1900)), '00', '  ') || ';touch PWNED'''"
SIZE=80x24 shows 'blanks push nothing out of sight' "^ *sh -c ': *<380[0-9] blanks>;touch PWNED'" \
	'3 words, 3,8[0-9]* bytes' <<< R

# From elsewhere: told so, and Enter is no.
cp good.db work.db
change "UPDATE run SET host = 'elsewhere'"
echo 41 > there/count
shows 'a profile from elsewhere is told' 'on host  *elsewhere' "recorded on elsewhere; this is $(uname -n)" \
	'^  y runs .* Enter leaves it' 'recorded  *20[0-9-]* [0-9:]* UTC' <<< R
shows '... Enter leaves it' 'not done: y' '^─ procedures' <<< $'R\nEnter'
shows '... and so does n' '^─ procedures' <<< $'R\nn'
[ ! "$(calls work.db twice)" = 41 ]
verdict $? '... it was not run'
shows '... y runs it' 'run again: ' ' 41 .*' <<< $'R\ny'
cp good.db work.db
change "UPDATE run SET host = NULL"
shows 'one that does not tell where' 'does not tell where it was recorded' <<< R
change "UPDATE run SET host = '$(uname -n)', program = '/nowhere/work'"
shows 'one of a program that is not here' '/nowhere/work, which was profiled, is not here' <<< R
cp good.db work.db
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w work.db
	shows 'a profile that cannot be written' 'work.db cannot be written' <<< R
	chmod u+w work.db
fi

# On a terminal: its output is seen, ^C ends the program and not us.
command -v tmux > /dev/null || { echo 'skip - on a terminal: no tmux'; exit 0; }
trap 'tm kill-server' EXIT
cp good.db work.db
tm new-session -d -s t -x 100 -y 30 -- bash -c "stty -a > before; WAITS=1 '$cgview' work.db; stty -a > after; exec cat" \; set -g status off
await '^▌' && tm send-keys -t t R && await 'run again?' && tm send-keys -t t Enter
await '^\[a b\]' && [ "$(tm display -p -t t '#{alternate_on}')" = 0 ]
verdict $? 'its output is on the terminal as it was'
tm send-keys -t t C-c
await 'Enter goes back' && tm send-keys -t t C-c && tm send-keys -t t Enter && await 'killed by signal 2' &&
	[ "$(tm display -p -t t '#{alternate_on}')" = 1 ]
verdict $? '^C ends the program, and the browser comes back'
tm send-keys -t t q
wait_until test -s after
cmp -s before after && [ "$(tm display -p -t t '#{alternate_on}#{cursor_flag}')" = 01 ]
verdict $? 'the terminal is given back'

# record --open of a program that reads a file: the browser reads the terminal all the same.
cat > reads.c << 'END'
#include <stdio.h>
int main(void)
{
	int c, lines = 0;

	while ((c = getchar()) != EOF)
		lines += c == '\n';
	return lines;
}
END
"$BUILD/cgcc" -O2 reads.c -o reads || { echo 'not ok - reads.c'; exit 1; }
printf 'a\nb\nc\n' > input
for input in '< input' '<&-'; do
	PYTHONPATH=$top/tests/tui python3 - "$BUILD/cgview" "$input" <<'END'
import sys
from terminal import Terminal, verdict
program, how = sys.argv[1:]
t = Terminal("sh", "-c", f"exec {program} record --open -o opened.db -- ./reads {how}")
t.until(b"\033[?1049h")
t.settle()
t.keys("q")
status = t.wait()
verdict(status == (3 if "input" in how else 0) and t.given_back(),
        f"record --open with {how}: the browser is there, takes keys, and the program's status is kept",
        f"{status}: {t.bytes[-600:]}")
END
done
