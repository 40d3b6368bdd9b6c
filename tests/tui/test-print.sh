#!/bin/bash
# --print: without its colours it is the screen that a script of keys saves; SVG is read by a parser of XML.
. tests/tui/lib.sh

plain() { sed 's/\x1b\[[0-9;]*m//g; s/ *$//'; }
same() # same SCREEN KEYS
{
	"$cgview" --print "$1" sample.db > printed < /dev/null || echo "# status $?"
	printf '%b' "size:120x40\n$2\n:save-screen saved\n" | play sample.db
	# The last line may have a message of the key.
	cmp <(plain < printed | head -39) <(head -39 saved) && [ "$(wc -l < printed)" = 40 ] && grep -q $'\033\\[0;' printed
	verdict $? "--print $1 is what the keys show"
}
same summary ''
same source 'x'
same tree 't'
same icicle '_'
same never 'text:#'
same callers:lookup ':\ntext:lookup\nEnter\nc'

NO_COLOR=1 "$cgview" --print summary sample.db > mono && ! grep -q $'\033\\[[0-9;]*[34]8;' mono && [ "$(wc -l < mono)" = 40 ]
verdict $? 'NO_COLOR'
"$cgview" --print summary --print-size 60x20 sample.db | plain > small
[ "$(wc -l < small)" = 20 ] && ! grep -qE '^.{61}' small
verdict $? 'its size'
for options in '' --light; do
	"$cgview" --print source --svg $options sample.db > picture.svg && python3 - << 'END'
import xml.etree.ElementTree as tree
root = tree.parse("picture.svg").getroot()
texts = [t for t in root.iter("{http://www.w3.org/2000/svg}text")]
width, height = int(root.get("width")), int(root.get("height"))
inside = all(int(t.get("x")) + int(t.get("textLength")) <= width and int(t.get("y")) <= height for t in texts)
words = "".join(t.text for t in texts).replace("\u00a0", " ")
raise SystemExit(not (root.tag.endswith("}svg") and inside and "h * 31 + (unsigned char)*s++" in words and "hash" in words))
END
	verdict $? "SVG $options"
done
while read -r status words; do
	"$cgview" $words sample.db > out 2> err
	[ $? = "$status" ] && [ "$(wc -l < err)" = 1 ] && [ ! -s out ]
	verdict $? "refused: $words"
done << 'END'
1 --print nothing
1 --print source:no_such_name
1 --print disposals
2 --print summary --print-size 7
2 --print summary --print-size 99999x40
2 --svg
END
