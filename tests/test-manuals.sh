#!/bin/bash
# The manual pages: well-formed, and telling what the programs do.
set -u
if ! command -v mandoc > /dev/null; then
	echo "skip - manuals: mandoc is not installed"
	exit 0
fi
cgview=$BUILD/cgview

verdict() # verdict NAME COMPLAINTS
{
	[ -z "$2" ] || echo "$2"
	[ -z "$2" ] && echo "ok - $1" || echo "not ok - $1"
}

# Pages of other packages are not there in a small installation, ours not installed yet; sections of
# our own choosing are no mistake, nor that examples come first.
lint()
{
	mandoc -Tlint "$@" 2> /dev/null |
		grep -vE 'referenced manual not found|possible typo in section name|sections out of conventional order'
}
printf '.Dd January 1, 2020\n.Dt X 1\n.Os\n.Sh NAME\n.Nm x\n.Nd y\n.Bl -tag\n' > "$TMP_DIR/bad.1"
[ -n "$(lint "$TMP_DIR/bad.1")" ] && echo "ok - mandoc finds an unclosed list" ||
	echo "not ok - mandoc finds an unclosed list"
for page in man/*.[157]; do
	verdict "$page is well-formed" "$(lint "$page")"
done

# Pages name each other, and each page that is named is there.
missing=$(sed -n 's/^\.Xr \(cg[a-z-]*\) \([0-9]\).*/man\/\1.\2/p' man/*.[157] | sort -u |
	while read -r page; do [ -e "$page" ] || echo "# $page is referred to and missing"; done)
verdict "every page of ours that is referred to exists" "$missing"

# Every option of every command is in the manual, and every environment variable.
missing=
for command in browse run record watch import report brief guide annotate bands export diff merge reduce pin; do
	text=$(mandoc -Tascii "man/cgview-${command/guide/brief}.1" 2> /dev/null | sed 's/.\x08//g')
	for option in $("$cgview" $command --help | grep -oE '^ +(-[a-zA-Z], )?-(-[a-z-]+|[a-zA-Z]\b)' |
		grep -oE -- '-(-[a-z-]+|[a-zA-Z]\b)'); do
		[ "$option" = --help ] || [ "$option" = -h ] && continue
		grep -qE -- "(^|[ [,|])$option([], |;]|$)" <<< "$text" ||
			missing+="# cgview $command $option is not in its page"$'\n'
	done
done
for option in $(sed -n 's/^\t{ "\([a-z-]*\)",.*/--\1/p' src/mpi/mpi_reduce.c); do
	grep -q "^\.It Fl -${option#--} " man/cgview-reduce.1 || missing+="# cgview-mpi-reduce $option is not in its page"$'\n'
done
verdict "the options of --help are in the manual" "$missing"
missing=$(for command in $("$cgview" help | sed -n '/^commands:/,$s/^  \([a-z]*\) .*/\1/p'); do
	case $command in help|version|guide) continue ;; esac
	[ -e "man/cgview-$command.1" ] || echo "# there is no page for cgview $command"
	grep -qx ".It Xr cgview-$command 1" man/cgview.1 || echo "# cgview(1) does not name that of $command"; done)
verdict "each command has a page" "$missing"
missing=$(for page in man/*.[17]; do
	lines=$(mandoc -Tutf8 "$page" | wc -l)
	case $page in *cgcc.1) continue ;; esac
	[ "$lines" -le 400 ] || echo "# $page has $lines lines"; done)
verdict "no page has more than 400 lines" "$missing"
flags=$("$BUILD/cgcc" --cgview-help | sed -n 's/^  \([a-z-]*\)[= ].*/\1/p' | grep -v '^holds$')
missing=$(for flag in $flags; do
	grep -qE "^\.It Cm $flag" man/cgcc.1 || echo "# cgcc: flag $flag is not in the manual"; done)
verdict "the flags of cgcc are in its manual" "$missing"
missing=$(grep -rhoE '(getenv|environment)\([^)]*"[A-Z_]+"' src --include='*.c' |
	sed 's/.*"\(.*\)"/\1/' | grep -vE '^(PATH|HOME|TMPDIR|COLORTERM|COLORFGBG|COLLECT_GCC|LANG|LC_.*)$' | sort -u |
	while read -r variable; do
		grep -qE "^\.It Ev .*\b$variable\b" man/*.1 ||
			echo "# environment variable $variable is not in a manual"
	done)
verdict "the environment variables are in the manuals" "$missing"

missing=$(for command in browse record watch import report brief guide annotate bands export diff reduce help version; do
	"$cgview" $command --help > /dev/null 2>&1 || echo "# cgview $command --help fails"; done)
verdict "every command has --help" "$missing"

# What a message tells to type exists. (cgcc.c names options of the compiler and the linker, memcheck.c of valgrind, code.c of objdump;
# --build-id is the linker's, too.)
helped=$("$BUILD/cgcc" --cgview-help; for command in '' browse record watch import report brief guide annotate bands export diff merge reduce pin \
	'report --by tree'; do "$cgview" $command --help; done 2> /dev/null)
named=$(grep -rhoE '"[^"]*"' src --include='*.[ch]' --exclude-dir=plugin --exclude=cgcc.c --exclude=memcheck.c --exclude=code.c |
	grep -oE -- '--[a-z][a-z-]+' |
	grep -vxE -- '--(build-id|version|xml)' | sort -u)
missing=$(for option in $named; do
	grep -qE -- "(^|[^a-z-])$option([^a-z-]|$)" <<< "$helped" || echo "# $option is in no --help"; done)
[ -n "$named" ] || missing='# no options were found'
verdict "the options that messages name exist" "$missing"

commands=$(sed -n '/^const struct command_row/,/^};/s/^\t{ "\([a-z!]*\)",.*/\1/p' src/tui/keys/command.c)
missing=$(for command in $commands; do
	sed 's/\\&//' man/cgview-browse.1 | grep -qE "^\.It Cm (q , )?$command( |$)" || echo "# :$command is not in the manual"; done)
[ -n "$commands" ] || missing='# no commands were found'
verdict "the commands of the browser are in the manual" "$missing"

# The keys are those of the browser's own table.
if difference=$(tools/man-keys --check 2>&1); then
	echo "ok - the keys in the manual are those of the browser"
else
	echo "$difference" | head -20
	echo "not ok - the keys in the manual are those of the browser (run tools/man-keys)"
fi
