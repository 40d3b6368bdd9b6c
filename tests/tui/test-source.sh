#!/bin/bash
# The source view: legend, outline, margins, macros, marks. Screens are compared as in
# test-screens.sh (GENERATE=1 writes them anew).
. tests/tui/lib.sh

# Beside the summary: the hottest line of the procedure, with its head where both fit.
SIZE=80x24
shows 'the head and the hottest line' '│   5 hash(const' '█  9,633,318 .*│  10 ' '!│   4 static' <<< ''
SIZE=80x18
shows 'the hottest line alone' '─ .*words.c ──.* hash ──' '█  9,633,318 .*│  10 ' '!│   5 hash' <<< ''
shows '... also with Enter' ' hash ─.*10/52 ─' '█  9,633,318 .*│  10 ' '!│   5 hash' <<< Enter
shows '... of another metric' ' hash ─.*9/52 ─' '█ 10,837,649 .*│   9 ' <<< m
SIZE=100x30

for size in 80x24 120x36 200x60; do
	golden legend "$size" <<< $'x\nz\nK'
	golden outline "$size" <<< $'j\nj\nx\nO'
done
golden margin 120x36 <<< $'x\nf\nj\nj\nEnter\nj\nEnter\nj\nj\nEnter\nq'
golden choose-margin 80x24 <<< $'x\nf\nj\nj\nEnter'
golden legend-count 80x24 <<< $'x\nz\nK\nm\nL'

"$BUILD/tests/tui/unit-sample" macros.db macros
for size in 80x24 120x36 200x60; do
	golden macro "$size" macros.db <<< $'o\ng\nEnter\nx\ntext:5g\nX'
done
golden macro-definition 80x24 macros.db <<< $'o\ng\nj\nEnter\ntext:2g\nX'
golden header 120x36 macros.db <<< $'o\ng\nj\nEnter\ntext:7g\nl'

# A profile without any code has no outline.
cp sample.db bare.db
python3 -c 'import sqlite3; db = sqlite3.connect("bare.db")
for table in "procedure", "block", "range", "line", "call_site", "arc": db.execute("DELETE FROM " + table)
db.commit()'
{ echo O; echo ':save-screen bare'; } | play bare.db
grep -q 'no source is shown: o chooses a file' bare
verdict $? 'no outline without a source'

"$cgview" annotate --file words.c --columns count,samples,below sample.db > text
python3 "$top/tests/tui/source.py" margins words.c < text
verdict $? 'the margin has what the tables have'
status=0
while read -r name line; do
	printf '%s\n' size:100x60 x z "text:${line}g" ':save-screen marked' | play || status=1
	python3 "$top/tests/tui/source.py" marks "$name" < marked || { echo "# $name"; status=1; }
done <<< $'hash 5\nby_count 15\ncomplain 21\neach 27\nlookup 35\nmain 45'
verdict $status 'where a procedure is called from is marked'

# What is on disk: the same, other text of the same length, of another length, nothing.
mkdir disk
printf 'int\nchanged(int x)\n{\n\treturn x + 1;\n}\n' > disk/same.c
on_disk() # on_disk NAME PATTERN SHELL-COMMAND
{
	cp disk/same.c changed.c
	eval "$3"
	printf '%s\n' size:100x40 'text:&by_n' Enter Enter K ':save-screen screen' | play
	grep -q -e "$2" screen && grep -q '│   4 .*return x + 1;' screen
	verdict $? "$1"
}
on_disk 'the file on disk is the same' ' the file on disk is the same' true
! grep -q 'was profiled' screen
verdict $? 'then there is no banner'
on_disk 'a file of another length has a banner' '^ The file on disk differs: this is the text that was profiled' \
	'echo "/* */" >> changed.c'
on_disk 'so has one of other text' '^ The file on disk differs' 'sed -i "s/1/2/" changed.c'
on_disk 'a file that vanished is only told in the legend' 'text of the profile: no such file here' 'rm changed.c'
on_disk 'so is a directory in its place' 'text of the profile: no such file here' 'rm changed.c; mkdir changed.c'
rmdir changed.c

# Texts of strangers, and lines of a megabyte.
for colour in never always; do
	"$cgview" annotate --color $colour --expressions sample.db > text
	sed 's/\x1b\[[0-9;]*m//g' text | LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' && break
done
[ $colour = always ] && ! sed 's/\x1b\[[0-9;]*m//g' text | LC_ALL=C grep -q $'[\x01-\x08\x0b-\x1f\x7f]' &&
	! grep -q $'[\u202e\u200b]' text && grep -q '<U+202E>' text && grep -q '\^\[\[31m' text
verdict $? 'annotate lets no control characters through'
"$BUILD/tests/tui/unit-sample" long.db long
"$cgview" annotate long.db | grep -c ' end[123]$' | grep -qx 3
verdict $? 'annotate prints lines of a megabyte'
printf '%s\n' size:80x24 x z text:2g '$' ':save-screen screen' | play long.db
grep -q '^▌.* 2….* end2$' screen && grep -q '^  *[▂█].* 3…' screen
verdict $? 'their ends are one key away'
printf '%s\n' size:80x24 x z text:2g '$' '^' ':save-screen screen' | play long.db
grep -q '^▌.* 2 日本\|^▌.* 2 日日' screen
verdict $? 'and their begins'

# A hot expression that is beyond the right edge: counts are known by hand.
if [ -x "$BUILD/cgcc" ]; then
	blanks=$(printf '%130s' '')
	cat > wide.c <<-END
	static int t[9];
	static int f(int n) { int r = 0; for (int i = 0; i < n; i++) { r += i;$blanks for (int k = 0; k < 9; k++) r += t[k] + 77777; } return r; }
	int main(void)
	{
		return f(100) == 1;
	}
	END
	"$BUILD/cgcc" -O0 -o wide wide.c && "$cgview" record -F 0 -o wide.db -- ./wide > out 2>&1 || { cat out; exit 1; }
	for size in 40x24 80x24 120x36; do
		DB=wide.db SIZE=$size shows "a hot spot is seen in a long line in $size" '^▌.* 2.*k < 9;' \
			'hot spot 1' <<< $'text::measure count\nEnter\nx\n]'
	done
	DB=wide.db SIZE=290x30 shows 'a line that fits is not moved' '^▌.* 2 static int f' '77777' <<< $'text::measure count\nEnter\nx\n]'
	DB=wide.db SIZE=80x24 shows 'back where the next one is to the left' '^▌.* 3 int main(void)' ' 1 static int t' \
		<<< $'text::measure count\nEnter\nx\n]\n]'
fi

# Hot spots go on to the next file, and back to the one before.
spots=$(sqlite3 sample.db "SELECT count(*) FROM line JOIN file ON file = file.id WHERE path LIKE '%/words.c' AND line.self_ns > 0")
next=$(sqlite3 sample.db "SELECT path FROM file WHERE state = 0 AND path NOT LIKE '%/words.c' ORDER BY self_ns DESC LIMIT 1")
on() { for _ in $(seq "$spots"); do echo ]; done; }
shows 'behind the last hot spot of a file is the next file' "^─ .*${next##*/} " 'hot spot 1 of' <<< "x
$(on)
]"
shows '... and before its first the file before' '^─ .*/words.c ' 'hot spot 1 of' '^▌.* 10 .*h = h' <<< "x
$(on)
]
["
shows '... before which is none' '^─ .*/words.c ' 'this is the hottest spot of all' <<< $'x\n]\n['

# The strip of a long source, against the lines of the profile: heat where a line of the row has any, most for the most.
"$BUILD/tests/make-profile" long.db --procedures 50 --lines 3000 --ranges 500 --files 1 > long.out || exit 1
printf '%s\n' size:100x40 x z ':save-screen strip' ':save-roles strip.roles' | play long.db
python3 - << 'END'
import sqlite3
db = sqlite3.connect("long.db")
screen = open("strip").read().split("\n")
roles = open("strip.roles").read().split("\n")
first = next(i for i, line in enumerate(screen) if line.startswith("─")) + 2 # below title and head
rows = 38 - first + 1
all_lines = db.execute("SELECT lines FROM file").fetchone()[0]
most = [0] * rows
for line, ns in db.execute("SELECT line, self_ns FROM line"):
    most[(line - 1) * rows // all_lines] = max(most[(line - 1) * rows // all_lines], ns)
levels = []
for i in range(rows):
    role = roles[first + i].ljust(100)[99]
    levels.append(int(role) if role in "12345678" else 0)
hot = [i for i in range(rows) if levels[i]]
ordered = sorted(range(rows), key=lambda i: most[i])
good = (len(hot) > 5 and hot == [i for i in range(rows) if most[i]] and
        all(levels[a] <= levels[b] for a, b in zip(ordered, ordered[1:])) and max(levels) == 8)
if not good:
    print("#", rows, most, levels)
raise SystemExit(not good)
END
verdict $? 'the strip has the heat of all of a long source'
SIZE=100x40 DB=sample.db shows 'a short one has none' '!│$' <<< $'x\nz'
