#!/bin/bash
# Going to a procedure, a file or a line by a part of its name, from everywhere, and back.
. tests/tui/lib.sh

golden goto 100x30 <<< $'C-t\ntext:l'
golden goto-narrow 40x24 <<< $'C-t\ntext:l'
SIZE=100x30
shows 'all is listed, the hottest first' 'go to .* 1/[0-9]*' ' self  *calls  *name' <<< $'C-t'
shows 'what does not fit is told' 'No procedure and no file has a name like this' <<< $'C-t\ntext:qqqq'
names=$(sqlite3 sample.db 'select count(*) from procedure')
files=$(sqlite3 sample.db 'select count(*) from file')
shows 'procedures and files are in it' " 1/$((names + files)) " <<< $'C-t'
name=$(sqlite3 sample.db 'select name from procedure where file is not null order by calls desc, name limit 1')
place=$(sqlite3 sample.db "select f.path || ' ' || p.line from procedure p join file f on f.id = p.file where p.name = '$name' limit 1")
shows 'Enter goes to the source' " ${place%% *} .* $name " "^▌.* ${place##* } .*$name" <<< "$(printf 'C-t\ntext:%s\nEnter\n' "$name")"
shows 'Backspace comes back' '▌.*' ' procedures ' <<< "$(printf 'C-t\ntext:%s\nEnter\nBackspace\n' "$name")"
shows 'Esc leaves all as it was' ' procedures ' '! go to ' <<< $'j\nC-t\ntext:l\nEsc'
shows 'a name is a command' " ${place%% *} .* $name " <<< "$(printf 'text::%s\nEnter\n' "$name")"
shows 'a part of one opens the list' ' go to: '"${name%?}" "$name" <<< "$(printf 'text::%s\nEnter\n' "${name%?}")"
shows 'a file and a line' "^▌.*  3$" <<< "$(printf 'text::%s:3\nEnter\n' "$(basename "${place%% *}")")"
shows '... by a part' " ${place%% *} " "^▌.*  3$" <<< "$(printf 'C-t\ntext:%s:3\nEnter\n' "$(basename "${place%% *}" | cut -c1-4)")"
for from in t T H '?' D $'t\ni' x c; do
	shows "from the view of ${from//$'\n'/ }" " ${place%% *} .* $name " <<< "$(printf '%s\nC-t\ntext:%s\nEnter\n' "$from" "$name")"
done
shows 'from the tree and back' ' calls, ' <<< "$(printf 't\nC-t\ntext:%s\nEnter\nBackspace\n' "$name")"
shows 'Down chooses the next' ' go to .* 2/' <<< $'C-t\nDown'
shows 'and Ctrl-N, Ctrl-P' ' go to .* 2/' <<< $'C-t\nC-n\nC-n\nC-p'
shows 'what is no name and no command' 'unknown command: two words' <<< $'text::two words\nEnter'

# A hundred thousand procedures: it is read and sought in slices, and a letter more is answered in between.
"$BUILD/tests/make-wide" wide.db || exit 1
DB=wide.db
wide=$(sqlite3 wide.db 'select name from procedure order by id desc limit 1')
shows 'in a large profile' " $wide " <<< "$(printf 'C-t\ntext:%s\nEnter\n' "$wide")"
shows '... in slices' " $wide " <<< "$(printf ':slices 7\nC-t\ntext:%s\nEnter\n:slices 0\n' "$wide")"
