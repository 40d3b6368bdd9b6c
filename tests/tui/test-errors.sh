#!/bin/bash
# Errors that other tools found, in the browser: their list, the stacks of one, marks, the way to the next.
. tests/tui/lib.sh
if ! command -v sqlite3 > /dev/null; then
	echo "skip - errors: sqlite3 is not installed"
	exit 0
fi
SIZE=160x36
DB=sample.db shows 'without errors there is none' 'the profile has no errors: cgview record --memcheck' <<< '!'
cp sample.db errors.db
# At an expression of hash() (line 14), at a line of lookup() (37), and in no source.
file=$(sqlite3 errors.db "SELECT id FROM file WHERE path LIKE '%/words.c'")
procedure() { sqlite3 errors.db "SELECT id FROM procedure WHERE name = '$1'"; }
hash=$(procedure hash) lookup=$(procedure lookup)
read -r line column end <<< "$(sqlite3 -separator ' ' errors.db "SELECT line, column, end_column FROM call_site
	WHERE procedure = $lookup AND target = 'hash' LIMIT 1")"
first=$(sqlite3 errors.db "SELECT line FROM procedure WHERE id = $hash")
sqlite3 errors.db "INSERT INTO defect VALUES
	(1, 'memcheck', 'InvalidRead', 'Invalid read of size 4', 3, 0, 0, $lookup, $file, $line, $column, $line, $end),
	(2, 'memcheck', 'Leak_DefinitelyLost', '80 bytes in 2 blocks are lost', 1, 80, 2, $hash, $file, $first, NULL, $first, NULL),
	(3, 'tsan', 'data race', 'elsewhere' || char(27) || '[31m', 1, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL);
INSERT INTO defect_frame VALUES
	(1, 1, 1, 'error', 1, 'lookup', '/x/words', NULL, NULL, $lookup, $file, $line, $column, $line, $end),
	(2, 1, 2, 'freed', 1, 'free', '/lib/libc.so', '/y/malloc.c', 7, NULL, NULL, NULL, NULL, NULL, NULL),
	(3, 1, 2, 'freed', 2, 'hash', '/x/words', NULL, NULL, $hash, $file, $first, NULL, $first, NULL)" || exit 1
DB=errors.db
shows 'the list' '^─ errors .* 1/3' '1  InvalidRead  *3 .*lookup.*words.c:'$line 'Leak_DefinitelyLost .*80 B' <<< '!'
shows 'what a tool says cannot command the terminal' 'elsewhere\\\?.*\[31m\|elsewhere' <<< '!'
shows 'Enter: to its expression' " $line:$column  " '│! *'$line <<< $'!\nEnter'
shows 'without a place' 'this is in no source of the profile' <<< $'!\nG\nEnter'
shows 'its stacks' '^─ stacks of error 1 .* 1/3' 'freed  *1  free .*malloc.c:7' 'freed  *2  hash .*words.c:'$first <<< $'!\nl'
shows 'Enter: to the frame' '│! *'$first <<< $'!\nl\nG\nEnter'
shows 'q: back to the errors' '^─ errors ' <<< $'!\nl\nq'
shows 'the next one' 'are lost' '│! *'$first <<< $'!\nEnter\n)'
shows 'and around the end' 'Invalid read of size 4' '│! *'$line <<< $'!\nEnter\n)\n)'
shows 'the one before' 'are lost' <<< $'!\nEnter\n('
shows 'the legend explains the mark' '[!] an error that a tool found' <<< $'!\nEnter\nK'
shows 'some can be searched for' '1/1\|1 of 3' <<< $'!\n&\ntext:leak\nEnter'
DB=sample.db shows 'no mark and no word of it without errors' '!an error that a tool' <<< $'x\nK'

# `]` and `[`: in the list, in the stacks, in the source that was opened from them.
shows '] in the list' '^─ errors .* 2/3' '^▌ *2 ' <<< $'!\n]'
shows '[ around the begin' '^─ errors .* 3/3' <<< $'!\n['
shows '] around the end' '^─ errors .* 1/3' <<< $'!\n]\n]\n]'
shows '] in the stacks' '^─ stacks of error 2 ' 'Nothing is known of its stacks' <<< $'!\nl\n]'
shows '... and back' '^─ stacks of error 1 .* 1/3' <<< $'!\nl\n]\n['
shows '... the list goes along' '^─ errors .* 2/3' <<< $'!\nl\n]\nq'
shows '] in the source' 'error 1 of 2: 80 bytes .* are lost' '│! *'$first <<< $'!\nEnter\n]'
shows '] and ]' 'error 2 of 2: Invalid read' '│! *'$line <<< $'!\nEnter\n]\n]'
shows '[ in the source' 'error 1 of 2: 80 bytes' <<< $'!\nEnter\n['
shows 'the hint says so' '\] next error' <<< $'!\nEnter'
shows '] after a frame of the stacks: the next error' 'error 1 of 2: 80 bytes' <<< $'!\nl\nG\nEnter\n]'
shows 'elsewhere it goes to hot spots' '!error [12] of' '\] hot spots' <<< $'x\n]\nk'
shows '... also after a measure was chosen' '!error [12] of' '\] hot spots' <<< $'!\nEnter\nm\n]\nj'
shows '... and elsewhere in the source' '\] hot spots' <<< $'!\nEnter\nu\nj\nx'
shows 'back in it they are errors' 'error 1 of 2: 80 bytes' <<< $'!\nEnter\nc\nEnter\nBackspace\n]'
shows ') does not change that' '!error 1 of' '\] hot spots' <<< $'x\n)\n]\nk'
# Two at one place: one after the other.
sqlite3 errors.db "INSERT INTO defect SELECT 4, tool, kind, 'the same place', 1, 0, 0, procedure, file, line, column, end_line, end_column
	FROM defect WHERE id = 1"
shows 'two at one place' 'error 3 of 3: the same place' <<< $'!\nEnter\n]'
shows '... and the other way' 'error 2 of 3: Invalid read' <<< $'!\nEnter\n]\n['
shows '... with ), too' 'error 3 of 3: the same place' <<< $'!\nEnter\n)'
