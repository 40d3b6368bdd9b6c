#!/bin/bash
# The browser line by line: what is read, and what is printed. The figures are those of the stacks, by hand.
. tests/tui/lib.sh
printf 'main;busy;leaf 6\nmain;busy 2\nmain;idle;leaf 1\nmain;\033[31mred 1\n' > stacks.folded
"$cgview" import -o lines.db stacks.folded > import.out 2>&1 || cat import.out

lines() # lines COMMAND...
{
	printf '%s\n' "$@" | "$cgview" browse --lines lines.db > lines.out 2> lines.err
}
says() { grep -Eq -e "$1" lines.out; }

lines
says '^procedures 1/5$' && says '^> .* 7 +70\.0 .* leaf$' && says '^  .* 2 +20\.0 .* busy$'
verdict $? 'the summary is there first, the cursor has a mark'
lines 'down'
says '^procedures 2/5$' && says '^> .* 2 +20\.0 .* busy$'
verdict $? 'an action by its name'
lines '2 down'
says '^procedures 3/5$'
verdict $? '... with a count'
lines j
says '^procedures 2/5$'
verdict $? 'a key'
lines j callers
says '^callers of busy' && says '^> +8  main$'
verdict $? 'a view by the name of its action'
lines ':leaf'
says '^callers of leaf' && says ' 6  busy$' && says ' 1  idle$'
verdict $? 'a command: a name (it has no source)'
lines '/idle'
says '^> .* idle$'
verdict $? 'a search'
lines 'nothing-like-this' 'down'
says '^nothing-like-this is no action and no key; help tells all$' && says '^procedures 2/5$'
verdict $? 'what is no action is said, and it goes on'
lines $'down\033[2J\001'
! LC_ALL=C grep -q $'[\001-\010\013-\037]' lines.out && says 'is no action'
verdict $? '... without the control bytes in it'
lines ':nothing-like-this' 'down'
says '^procedures 2/5$'
verdict $? '... also behind a name that is not there'
lines 'quit-all' 'down'
! says '2/5'
verdict $? 'leaving'
! LC_ALL=C grep -q '[^ -~]' lines.out && says 'red'
verdict $? 'only ASCII, no control bytes'
printf 'down' | "$cgview" browse --lines lines.db > lines.out
says '^procedures 2/5$'
verdict $? 'a last line without an end'
printf 'down\n' | "$cgview" browse --lines --print tree lines.db > lines.out 2> lines.err
[ $? = 2 ] && grep -q 'print or --lines' lines.err
verdict $? '--print and --lines: one of them'
printf 'down\n' | "$cgview" browse --lines lines.db 2> lines.err > /dev/full
[ $? = 1 ] && [ "$(wc -l < lines.err)" = 1 ]
verdict $? 'a full disk is told'
