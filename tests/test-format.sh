#!/bin/bash
# Whitespace, line length (100 columns, a tab is 8) and file length (1,000 lines) of what we wrote.
# With --plain (make format-check) only the complaints are printed.
set -u

complaints() # complaints FILE...: all at once, as there are hundreds
{
	local file c=()
	grep -nE '[[:space:]]+$' "$@" /dev/null | sed 's/^\([^:]*:[0-9]*\):.*/\1: space at the end/'
	[ -z "$(tail -qc 1 "$@")" ] || for file; do
		[ -z "$(tail -c 1 "$file")" ] || echo "$file: no newline at the end"
	done
	for file; do
		case $file in *.c|*.h) c+=("$file") ;; *.js) awk 'FNR == 1001 { print FILENAME ": more than 1,000 lines" }' "$file" ;; esac
	done
	[ ${#c[@]} -gt 0 ] || return
	awk 'FNR == 1001 { print FILENAME ": more than 1,000 lines" }' "${c[@]}"
	grep -nE '^ {8}' "${c[@]}" /dev/null | sed 's/^\([^:]*:[0-9]*\):.*/\1: spaces for a tab/'
	# A line has no more columns than bytes: the files in which these are too many are looked at.
	awk '{
		width = 0
		pieces = split($0, piece, "\t")
		for (i = 1; i <= pieces; i++)
			width += length(piece[i]) + (i < pieces ? 8 - (width + length(piece[i])) % 8 : 0)
		if (width > 100 && !seen[FILENAME]++)
			print FILENAME
	}' "${c[@]}" | while read -r file; do
		expand "$file" | grep -nE '^.{101,}' |
			sed "s|^\([0-9]*\):.*|$file:\1: more than 100 columns|"
	done
}

sources=$(git ls-files --cached --others --exclude-standard -- '*.c' '*.h' '*.sh' '*.py' '*.js' '*.css' Makefile \
	tests/run tools 2> /dev/null | grep -v '^tests/.*/data/') ||
	sources=$(find src tests tools bench examples -name '*.[ch]')
sources=$(for s in $sources; do [ -f "$s" ] && echo "$s"; done)

if [ "${1:-}" = --plain ]; then
	found=$(complaints $sources)
	[ -z "$found" ] && exit 0
	echo "$found"
	exit 1
fi

mkdir -p "$TMP_DIR/f"
printf 'int a; \n        b;\n' > "$TMP_DIR/f/a.c"
awk 'BEGIN { for (i = 0; i < 1001; i++) print "int x;"; printf "\t%0100d", 1 }' > "$TMP_DIR/f/b.c"
printf '\tok\n' > "$TMP_DIR/f/c.c"
found=$(complaints "$TMP_DIR"/f/*.c | sed "s|$TMP_DIR/f/||")
expected="a.c:1: space at the end
b.c: no newline at the end
b.c: more than 1,000 lines
a.c:2: spaces for a tab
b.c:1002: more than 100 columns"
if [ "$found" = "$expected" ]; then
	echo "ok - the checker finds what is wrong and nothing else"
else
	diff <(echo "$expected") <(echo "$found")
	echo "not ok - the checker finds what is wrong and nothing else"
fi

found=$(complaints $sources)
if [ -z "$found" ]; then
	echo "ok - whitespace and lengths"
else
	echo "$found" | head -40
	echo "not ok - whitespace and lengths"
fi

# What may stand at the root, so that nothing that a test or a tool left there is committed; and no
# file is empty.
root='.ci .clang-format .editorconfig .gitignore CHANGELOG.md CONTRIBUTING.md LICENSE Makefile README.md VERSION bench
completions debian docs examples man packages.txt packaging screenshots src tests tools'
files=$(git ls-files --cached --others --exclude-standard 2> /dev/null) || {
	echo "skip - what stands at the root: not a clone"
	exit 0
}
strangers() { # strangers < FILES
	cut -d/ -f1 | sort -u | grep -vxF -e "$(echo $root | tr ' ' '\n')"
}

if [ "$(printf 'src/main.c\ncounted\n' | strangers)" = counted ] && [ -z "$(echo "$files" | strangers)" ]; then
	echo "ok - nothing stands at the root that has no business there"
else
	echo "$files" | strangers
	echo "not ok - nothing stands at the root that has no business there"
fi
empty=$(echo "$files" | while read -r f; do [ -f "$f" ] && [ ! -s "$f" ] && echo "$f"; done)
if [ -z "$empty" ]; then
	echo "ok - no file is empty"
else
	echo "$empty"
	echo "not ok - no file is empty"
fi

gone=$(while read -r f; do [ -e "$f" ] || echo "$f"; done < tests/longest)
if [ -z "$gone" ]; then
	echo "ok - tests/longest names tests"
else
	echo "$gone"
	echo "not ok - tests/longest names tests that are not there"
fi
