#!/bin/bash
# Remarks: written beside the source, shown there, listed, exported, kept when profiles are added up; old profiles.
. tests/tui/lib.sh
if ! command -v sqlite3 > /dev/null; then
	echo "skip - remarks: sqlite3 is not installed"
	exit 0
fi
SIZE=110x36
cp sample.db plain.db
cp sample.db r.db
DB=r.db
file=$(sqlite3 r.db "SELECT id FROM file WHERE path LIKE '%/words.c'")
hash=$(sqlite3 r.db "SELECT id FROM procedure WHERE name = 'hash'")
head=$(sqlite3 r.db "SELECT line FROM procedure WHERE id = $hash")
path=$(sqlite3 r.db "SELECT path FROM file WHERE id = $file")
rows() { sqlite3 "${1:-r.db}" "SELECT text, file, line, coalesce(column, ''), coalesce(procedure, '') FROM remark ORDER BY line, text"; }
is() { verdict "$([ "$2" = "$3" ]; echo $?)" "$1"; [ "$2" = "$3" ] || printf '# %s\n' "$2"; } # is NAME GOT WANTED

shows 'there are none' '^─ remarks ' 'There are no remarks' <<< 'J'
go="text:/^hash
Enter
x
text:$((head + 4))g"
shows 'a line' 'written in r.db' "│\" *$((head + 4)) .*\" why so slow <b>?" <<< "$go
text:\"why so slow <b>?
Enter"
is '... is in the table' "$(rows)" "why so slow <b>?|$file|$((head + 4))||"
shows 'the key on it asks with it, and changes it' "\" why so slow <b>? still" <<< "$go
text:\" still
Enter"
shows 'a procedure, from the summary' "│\" *$head .*\" of all" <<< $'text:/^hash\nEnter\nu\ntext:"of all\nEnter'
is '... is of the procedure' "$(rows | head -1)" "of all|$file|$head||$hash"
shows 'an expression, by a command' "\" in words" <<< "text:/^hash
Enter
x
text:$((head + 4))g
l
text::remark in words
Enter"
is '... is of it' "$(rows | grep -c "^in words|$file|$((head + 4))|[0-9][0-9]*|$")" 1
shows 'both stand on one line' '" why so slow <b>? still  " in words' <<< "$go"
shows 'the list' '^─ remarks .*/3' "words.c:$head  *hash  *of all" "words.c:$((head + 4)) .*in words" <<< 'J'
shows 'Enter: to the line' "▌.*│\" *$((head + 4)) " <<< $'J\n&\ntext:slow\nEnter\nEnter'
shows 'the legend explains the sign' '" a remark' <<< $'x\nK'
DB=plain.db shows 'and not where there is none' '!" a remark' <<< $'x\nK'
SIZE=50x20 shows 'without room only the sign' "│\" *$((head + 4)) " <<< "$go"

"$cgview" report --by remark r.db > out
verdict "$(grep -q "words.c:$head  *hash  *of all " out && grep -q '^3 remarks' out; echo $?)" 'report --by remark'
"$cgview" report --by remark --format csv r.db > out
verdict "$(grep -q "^,$path,$((head + 4)),,$((head + 4)),,why so slow <b>? still," out; echo $?)" '... as csv'
"$cgview" annotate --procedure hash r.db > out
verdict "$(grep -q "|  *$head  .*   \" of all$" out; echo $?)" 'annotate'
if "$cgview" export --format html -o r.html r.db 2> err; then
	verdict "$(grep -q 'why so slow &lt;b&gt;? still' r.html && ! grep -q 'slow <b>' r.html; echo $?)" 'the page for a browser has it as text'
fi
cp r.db odd.db
sqlite3 odd.db "UPDATE remark SET text = char(27) || '[31mred' || char(10) || 'x' WHERE line = $head"
"$cgview" annotate --procedure hash odd.db > out
verdict "$(grep -q '" .*\[31mred' out && ! grep -q $'\033' out; echo $?)" 'what somebody else wrote cannot command the terminal'

# Adding up: two with other remarks and one that both have.
cp r.db s.db
DB=s.db shows 'of the other one' '" only s' <<< $'text:/^lookup\nEnter\nu\ntext:"only s\nEnter'
sqlite3 s.db "UPDATE run SET started_ns = started_ns + 1000000007, raws = 'other'"
"$cgview" merge -o rs.db r.db s.db > out 2>&1 && "$cgview" merge -o sr.db s.db r.db >> out 2>&1
verdict $? 'merge'
is '... has the remarks of both' "$(rows rs.db | cut -d'|' -f1 | sort | tr '\n' ,)" 'in words,of all,only s,why so slow <b>? still,'
cmp -s rs.db sr.db
verdict $? '... in any order the same bytes'

# Removing, and what cannot be written.
shows 'an empty text removes it' 'removed from r.db' "!\" of all" <<< $'text:/^hash\nEnter\nu\n"\nC-u\nEnter'
is '... from the table' "$(rows | grep -c 'of all')" 0
shows 'Esc leaves all as it was' '!written' <<< $'text:/^hash\nEnter\nu\ntext:"not this\nEsc'
is '... in the file, too' "$(rows | grep -c 'not this')" 0
cp plain.db t.db
{ echo 'size:110x36'; echo '"'; echo ':save-screen shows'; } | play r.db t.db
verdict_shows $? 'in a comparison there is none' 'remarks are of one profile'
if [ "$(id -u)" -ne 0 ]; then
	chmod a-w t.db
	DB=t.db shows 'a file that cannot be written: one line' 't.db cannot be written: Permission denied' <<< $'text:"no\nEnter'
	chmod u+w t.db
fi
rm -rf closed; mkdir closed; cp plain.db closed/c.db
if [ "$(id -u)" -eq 0 ] && chattr +i closed 2> /dev/null; then
	DB=closed/c.db shows 'a folder that cannot be written: one line' 'cannot lock .*c.db' <<< $'text:"no\nEnter'
	chattr -i closed
fi
is 'nothing is left beside' "$(ls | grep -c 'tmp$\|lock$\|journal$')" 0

# Profiles of before become ones of this version by their first remark.
for version in 1 2 3; do
	cp plain.db before.db
	sqlite3 before.db "DROP TABLE spread; PRAGMA user_version = $version"
	[ $version = 3 ] || sqlite3 before.db 'DROP TABLE remark'
	[ $version != 1 ] || sqlite3 before.db 'DROP TABLE instruction'
	verdict "$("$cgview" report --by remark before.db > out 2>&1; grep -q '^0 remarks\|no remarks' out; echo $?)" "version $version has none"
	DB=before.db shows "... and takes one" '" the first' <<< $'text:/^hash\nEnter\nu\ntext:"the first\nEnter'
	is '... then it is one of this version' "$(sqlite3 before.db 'PRAGMA user_version; PRAGMA integrity_check')" "$(sqlite3 plain.db 'PRAGMA user_version')
ok"
	"$cgview" report before.db > out && "$cgview" report plain.db | sed 's/plain.db/before.db/' | diff - out
	verdict $? '... with the same figures'
done
