#!/bin/bash
# Terminals in which hardly anything can be drawn: each key in each view, a search, and back to a usual
# size. Whatever it does, nothing falls. Run it with ASAN=1, too.
. tests/tui/lib.sh
"$BUILD/tests/tui/unit-versions" . || exit 1

# From the summary to each view; Q at the end leaves them.
views=("" "Enter" "t" "t i" "t a i" "T" "?" "Enter X" "c" "d" "O" "f" "Enter f" "I t" "C" "text::sql_select_*_from_line Enter")
keys() # every key that says something alone, but those that leave the browser or ask outside
{
	local c
	for c in {a..z} {A..Z} {0..9} Tab S-Tab Enter Esc Space Up Down Left Right PgUp PgDn Home End Backspace \
		'*' '%' '[' ']' '{' '}' '.' ',' '<' '>' '|' '+' '-' '=' '!' '~' '^' '$' C-l C-d C-u; do
		case $c in q|Q|e|R) ;; *) echo "$c" ;; esac
	done
}

steps() # steps SIZE
{
	local view
	for view in "${views[@]}"; do
		echo "size:$1"
		tr ' ' '\n' <<< "$view" | sed 's/_/ /g'
		printf '%s\n' 'text:/e' Enter n N
		keys
		printf '%s\n' Esc 'text:/e' Enter 'text:&e' Enter ':save-screen small' size:80x24 \
			':save-screen usual' \
			Esc Esc Backspace Backspace Backspace
	done
}
for size in 1x1 2x2 5x5 80x1 80x3 80x5 1x24 3x50 300x2; do
	{ steps $size; echo ':save-screen end'; } > steps
	for profiles in sample.db "old.db new.db"; do
		rm -f end
		# shellcheck disable=SC2086
		CGVIEW_SCRIPT=steps "$cgview" $profiles > out 2>&1 && [ -s end ]
		verdict $? "$size: $profiles"
		head -3 out
	done
done

# A size that no terminal has, from the environment.
for size in 99999999 -5 x; do
	echo ':save-screen shows' > steps
	COLUMNS=$size LINES=$size CGVIEW_SCRIPT=steps timeout 300 "$cgview" sample.db < /dev/null > out 2>&1
	verdict_shows $? "COLUMNS=$size" 'hash'
done
