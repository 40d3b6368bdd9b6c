#!/bin/bash
# Errors that other tools found, in the browser: their list, the stacks of one, marks, the way to the next.
. tests/tui/lib.sh
if ! command -v sqlite3 > /dev/null; then
	echo "skip - errors: sqlite3 is not installed"
	exit 0
fi
SIZE=160x36
DB=sample.db shows 'without errors there is none' 'no errors are known: record with --memcheck' <<< '!'
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
shows 'the list' '^─ errors .* 1/3' '1  memcheck  InvalidRead  *3 .*lookup.*words.c:'$line 'Leak_DefinitelyLost .*80 B' <<< '!'
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
