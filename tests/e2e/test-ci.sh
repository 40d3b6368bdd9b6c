#!/bin/bash
# The scripts of docs/ci.md, as they stand there but for the question about time, whose answer is the machine's: the
# base, then a change that changes nothing, one that moves code, one that makes more work, and bases that are none.
. tests/e2e/lib.sh
need_collection
export PATH=$build:$PATH
cd "$TMP_DIR" || exit 1
block() # block N: the N-th of the scripts, with three runs
{
	awk -v n="$1" '/^```sh$/ { at++; inside = 1; next } /^```/ { inside = 0 } inside && at == n' "$top/docs/ci.md" |
		sed "s/-n 10/-n 3/; s/'slower(5%, 1ms) or more_work(2%)'/'more_work(2%)'/"
}
check "there are three scripts" [ "$(block 1 | grep -c base.db) $(block 2 | grep -c base.db) $(block 3 | grep -c base.db) $(
	block 4 | wc -l)" = "1 1 1 0" ]
check "the third asks for work here" grep -q "if 'more_work(2%)' " <(block 3)
cp "$top/examples/words.c" .
for i in 1 2 3 4 5; do cat "$top/examples/words.c" "$top/README.md"; done > text
mkdir base
sed 's/BUCKETS = 1024/BUCKETS = 16/' words.c > base/words.c
block 1 > both.sh
must "both are recorded by turns" bash both.sh
equal() { check "$1" [ "$2" = "$3" ]; }
equal "... three runs each" "3 3" "$(sqlite3 both.base.db 'SELECT runs FROM totals') $(sqlite3 both.db 'SELECT runs FROM totals')"
bash both.sh > out 2>&1
check "... and the longer chains of the base are less work now" grep -qE \
	'(LESS WORK \| |Work changed, time not beyond chance: )`count_word` .*`calls strcmp` [0-9,.]+ [kM] → [0-9,]+' out
block 2 > base.sh
block 3 > change.sh
must "the base is recorded" bash base.sh
# change STATUS NAME PATTERN: the second script
change()
{
	rm -f new.db
	bash change.sh > out 2> err
	local status=$?
	[ $status = "$1" ] && { [ -z "$3" ] || cat out err | grep -q -- "$3"; } && ok "$2: status $1" && return
	cat out err
	not_ok "$2: status $status, not $1"
}
change 0 "nothing has changed" '^Nothing fails `more_work(2%)`'
check "... the comment is what was printed" cmp <(tail -c "$(wc -c < comment.md)" out) comment.md
sed 's/^is_letter(int c)/letter(int c)/; s/if (is_letter(c))/if (letter(c))/' "$top/examples/words.c" > words.c
change 0 "a name" 'Nothing fails'
# What makes a word goes into a procedure of its own, which is called 600 times.
python3 - "$top/examples/words.c" > words.c <<'END'
import sys
text = open(sys.argv[1]).read()
body = text[text.index("		w = malloc"):text.index("		nr_words++;")]
made = "\n".join(line[1:] for line in body.splitlines())
text = text.replace(body, "		w = make_word(text, place);\n")
print(text.replace("static void\ncount_word(", "static struct word *\nmake_word(const char *text, struct word **place)\n"
                   "{\n	struct word *w;\n\n%s\n	return w;\n}\n\nstatic void\ncount_word(" % made), end="")
END
change 0 "code that moves" 'Nothing fails'
check "... into something new" grep -q '^make_word,.*,b,' <("$cgview" diff --format csv -e count base.db new.db)
sed 's/BUCKETS = 1024/BUCKETS = 16/' "$top/examples/words.c" > words.c
change 1 "long chains" '^| `count_word` `words.c:[0-9]*` | [0-9,]* | [0-9,]* | +[0-9.]*% | more work |$'
check "... the whole program fails" grep -q '^| \*\*total\*\* | .* | fails |$' comment.md
echo 'int main(void) { return 0; }' > words.c
mv base.db kept.db
change 2 "no base" 'base.db'
"$cgcc" -O1 -o other "$top/examples/queens.c" > cc.out 2>&1
"$cgview" record -o base.db -- ./other > record.out 2>&1
cp "$top/examples/words.c" .
change 2 "the base is another program" 'nothing is judged: less than half'
