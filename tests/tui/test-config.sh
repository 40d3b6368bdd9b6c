#!/bin/bash
# The user's own keys, colours and options: what they do, where they are told, and files that are
# wrong in every way.
. tests/tui/lib.sh

# with NAME PATTERN... : the screen after the steps in the file `given`, with the file `config`.
with()
{
	local status=0
	{ echo size:100x30; cat given; echo ':save-screen shows'; echo ':save-roles roles'; } > script
	CGVIEW_SCRIPT=script "$cgview" --config config sample.db || status=1
	verdict_shows $status "$@"
}

equal() # equal NAME WANTED GOT
{
	[ "$2" = "$3" ] || printf '# wanted: %s\n# got: %s\n' "$2" "$3"
	[ "$2" = "$3" ]
	verdict $? "$1"
}

# Where it is looked for.
mkdir -p .config/cgview elsewhere/cgview
echo 'bind generic p help' > .config/cgview/config
printf 'size:100x30\np\n:save-screen found\n' > script
CGVIEW_SCRIPT=script "$cgview" sample.db; grep -q '^─ help' found
verdict $? 'in ~/.config/cgview/config'
XDG_CONFIG_HOME=$TMP_DIR/elsewhere CGVIEW_SCRIPT=script "$cgview" sample.db; grep -q '^─ procedures' found
verdict $? 'not there if XDG_CONFIG_HOME is another place'
echo 'bind generic p diagnostics' > elsewhere/cgview/config
XDG_CONFIG_HOME=$TMP_DIR/elsewhere CGVIEW_SCRIPT=script "$cgview" sample.db; grep -q '^─ diagnostics' found
verdict $? 'but in $XDG_CONFIG_HOME/cgview/config'
XDG_CONFIG_HOME=elsewhere CGVIEW_SCRIPT=script "$cgview" sample.db; grep -q '^─ help' found
verdict $? 'a relative XDG_CONFIG_HOME does not count'
CGVIEW_SCRIPT=script "$cgview" --config /dev/null sample.db; grep -q 'p does nothing here' found
verdict $? '--config /dev/null: as built in'
env -u HOME CGVIEW_SCRIPT=script "$cgview" sample.db; grep -q 'p does nothing here' found
verdict $? 'without HOME: as built in'
rm -r .config

# Keys.
printf 'bind generic p metric\nbind table p sort-reverse\nbind source j search\nunbind generic G\n' > config
printf 'bind generic F2 help\nbind table & none\nbind prompt C-k prompt-erase-all\n' >> config
printf 'text:p\n' > given; with 'a key of one keymap' 'self%▲'
printf 'x\ntext:p\n' > given; with 'a generic key in another' 'heat: count'
printf 'x\ntext:j\n' > given; with 'a key that meant something else' 'search: '
printf 'text:G\n' > given; with 'a key that was unbound' 'G does nothing here; F2 shows all keys'
printf 'text:&\n' > given; with 'a key that means nothing in one keymap' '& does nothing here'
printf 'x\ntext:&\n' > given; with '... means what it did elsewhere' 'only lists can be filtered: j searches'
printf 'size:100x160\nF2\n' > given; with 'help shows the keys of the user' '^  F2 ? F1 .*This list' '^  End  *To the last row'
: > given; with 'so do the hints at the bottom' '   *F2 help\|F2: all keys'
printf 'text:$\n' > given; with 'and the message about unknown keys' '$ does nothing here; F2 shows'
printf 'x\ntext:jabc\nC-k\n' > given; with 'keys of prompts' 'search:  *' '!abc'
"$cgview" browse --print-keys --config config > keys
verdict $? '--print-keys'
"$cgview" browse --print-keys --config keys | sort > again
sort keys | cmp - again
verdict $? '... is a configuration file itself'
"$cgview" browse --print-keys --config /dev/null > builtin
equal '... that says what has changed' \
	"$(printf '%s\n' '< bind generic G last' '> unbind generic G' '> bind generic p metric' '> bind table p sort-reverse' \
	'> bind source j search' '> bind generic F2 help' '> bind table & none' \
	'> bind prompt C-k prompt-erase-all' | sort)" \
	"$(diff <(sort builtin) <(sort keys) | grep '^[<>]' | sort)"

# Actions by the names that they had before.
printf 'bind arcs a turn-up\nbind arcs b turn-down\nbind arcs c turn-to\n' > before
"$cgview" browse --print-keys --config before > keys
equal '... under other names than before' "$(printf 'bind arcs %s\n' 'c set-calls' 'b fewer-calls' 'a more-calls')" \
	"$(grep '^bind arcs [abc] ' keys)"

# Colours: what the terminal gets: 38;5;N is the foreground N of 256, 38;2;R;G;B a direct one.
if command -v tmux > /dev/null; then
	cat > direct.ti <<'END'
cgview-direct|direct colour,
	RGB, colors#0x1000000, pairs#0x10000,
	setaf=\E[%?%p1%{8}%<%t3%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
	setab=\E[%?%p1%{8}%<%t4%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
	use=xterm-256color,
cgview-direct256|direct colour, and 256 with a number,
	RGB, colors#0x1000000, pairs#0x10000, CO#256,
	setaf=\E[%?%p1%{8}%<%t3%p1%d%e%p1%{256}%<%t38;5;%p1%d%e38;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
	setab=\E[%?%p1%{8}%<%t4%p1%d%e%p1%{256}%<%t48;5;%p1%d%e48;2;%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d%;m,
	use=xterm-256color,
cgview-16|16 colours,
	colors#16, pairs#256,
	setaf=\E[%?%p1%{8}%<%t%p1%{30}%+%e%p1%{82}%+%;%dm,
	setab=\E[%?%p1%{8}%<%t%p1%{40}%+%e%p1%{92}%+%;%dm,
	use=xterm,
END
	tic -x -o terminfo direct.ti
	trap 'tm kill-server' EXIT
	# looks NAME PATTERN TERM DIRECTIVE: the row of lookup() with this configuration
	looks()
	{
		echo "$4" > config
		tm kill-server
		session=$((session + 1))
		tm new-session -d -s t -x 100 -y 30 -- env TERM="$3" TERMINFO_DIRS="$TMP_DIR/terminfo:/etc/terminfo:/lib/terminfo:/usr/share/terminfo" \
			COLORFGBG='15;0' "$cgview" --config config sample.db \; \
			set -g status off \; set -ga terminal-overrides ',*:RGB'
		await $'\033'"$2" -e || { tm capture-pane -ep -t t | grep lookup | head -1 | cat -v | sed 's/^/# /'; false; }
		verdict $? "$1"
	}
	looks 'a colour of 256, its background, an attribute' '\[4m'$'\033''\[38;5;201m'$'\033''\[48;5;17m *lookup' \
		xterm-256color 'color name 201 17 underline'
	looks 'a direct colour where there are 256: the nearest' '\[38;5;201m\([^m]*m\)* *lookup' \
		xterm-256color 'color name #ff00ff default'
	looks 'that of another palette is not used' '\[38;5;223m\([^m]*m\)* *lookup' \
		xterm-256color 'color light name 201 default'
	looks 'a direct colour where there are eight: the nearest' '\[35m\([^m]*m\)* *lookup' \
		xterm 'color name #cd00cd default'
	looks 'a direct colour where there are such' '\[38;2;18;52;86m\([^m]*m\)* *lookup' \
		cgview-direct 'color name #123456 default'
	looks 'the built-in colours there are those of 256' '\[38;2;255;215;175m\([^m]*m\)* *lookup' \
		cgview-direct 'set mouse off'
	looks 'a number of 256 where there is direct colour only: that colour' \
		'\[38;2;0;0;95m\([^m]*m\)* *lookup' cgview-direct 'color name 17 default'
	looks 'a number of 256 where direct colour has these, too: the number' \
		'\[38;5;17m\([^m]*m\)* *lookup' cgview-direct256 'color name 17 default'
	looks 'a dark blue there is not the number of another colour' \
		'\[38;2;0;1;95m\([^m]*m\)* *lookup' cgview-direct256 'color name #00005f default'
	looks '16 colours on a dark background: the title is white on blue' \
		'\[97m'$'\033''\[44m' cgview-16 'set mouse off'
	looks '... names are bright yellow' '\[93m\([^m]*m\)* *lookup' cgview-16 'set mouse off'
	looks '16 colours on a light background: the cursor is black on bright cyan' \
		'\[30m'$'\033''\[106m' cgview-16 'set background light'
	looks '... and they have a palette of their own' '\[95m\([^m]*m\)* *lookup' \
		cgview-16 'color dark-16 name bright-magenta default'
	looks '... in which that of 256 is not used' '\[93m\([^m]*m\)* *lookup' \
		cgview-16 'color dark name 201 default'
	tm kill-server
	trap - EXIT
else
	echo 'skip - colours: no tmux'
fi

# Options and tables.
: > given
echo 'set scale even' > config; with 'scale' 'heat: self time, even'
echo 'set metric total' > config; with 'metric' 'heat: total time, log'
echo 'set metric wait' > config; with 'a metric that the profile does not have' 'heat: self time'
echo 'set mouse off' > config; printf 'M\n' > given; with 'mouse' 'the mouse is used here now'
: > given
# heads NAME WANTED STEP... < CONFIGURATION: the heads of the table's columns.
heads()
{
	local name=$1 wanted=$2
	shift 2
	cat > config
	printf '%s\n' size:120x30 "$@" ':save-screen heads' > script
	CGVIEW_SCRIPT=script "$cgview" --config config sample.db
	equal "$name" "$wanted" "$(echo $(sed -n 3p heads | tr -d '▼▲'))"
}
heads 'the columns that are named, in this order, and no others' 'calls self procedure' \
	<<< 'columns procedures calls self procedure'
heads '... by the names of the listing, too: figures, not shares' 'total self calls' \
	<<< 'columns procedures total_ns self_ns calls'
heads '... of files' 'self self% executed file' v v v v <<< 'columns files self self% executed file'
heads '... by their names in csv, and as one likes to write them' 'procedure calls self%' \
	<<< 'columns procedures procedure CALLS self%'
heads '... that of the bars' 'self% calls' <<< 'columns procedures self% bar calls'
check_bars=$(sed -n 4p heads)
grep -q '69\.2 █.* 1,204,331' <<< "$check_bars"
verdict $? '... which has bars'
heads '... one named twice stands once' 'self% calls' <<< 'columns procedures self% calls self%'
heads 'another table has its own' "$(: > config; printf '%s\n' size:120x30 ':save-screen heads' > script
	CGVIEW_SCRIPT=script "$cgview" --config config sample.db; echo $(sed -n 3p heads | tr -d '▼▲'))" \
	<<< 'columns files self'
echo 'sort procedures total' > config; with 'a table begins sorted' 'total%▼\|total▼'
echo 'sort procedures self% reverse' > config; with '... the other way round' 'self%▲' '^▌ .* complain '
echo 'sort procedures procedure' > config; with '... by name' 'procedure▲' '^▌ .* by_count '
echo 'sort call-sites count' > config; printf 'v\nv\n' > given; with 'a name with a blank' 'count▼'
printf 'column procedures code\n' > config; : > given; with 'a column that is always shown' 'code'
with 'and no complaint' '!config'

# Wrong lines: each is told with its number, and the others hold.
cat > config << 'END'
# comment
   # comment
bind generic ! help
bind generic !
bind nowhere x help
bind generic Nokey help
bind generic x nothing-of-the-sort
bind generic 5 help
bind prompt x prompt-accept
bind prompt F3 help
bind table F3 prompt-accept
unbind table ~
frobnicate
set mouse perhaps
set nonsense on
color name
color name 256 default
color name red default loud
color nothing red default
color name #12345 default
sort procedures nonsense
sort nothing self
sort procedures self sideways
column procedures nonsense
bind generic Resize help
color name red default bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold bold
END
printf 'set mouse on\033[31m\n' >> config
printf 'set \0mouse on\n' >> config
printf 'set mouse on\r\n' >> config
printf 'set scale even' >> config
: > given
with 'the first wrong line is told' '^ config:4: the line must be: bind KEYMAP KEY ACTION .*(24 more: D)' 'heat: self time, even'
printf 'D\nz\n' > given
sed -i 's/size:100x30/size:100x80/' script
printf 'size:100x80\nD\n:save-screen shows\n' > script
CGVIEW_SCRIPT=script "$cgview" --config config sample.db
equal 'all are told in the diagnostics' "$(seq 4 28)" "$(sed -n 's/^ *config:\([0-9]*\): .*/\1/p' shows)"
"$cgview" browse --print-keys --config config > keys 2> told
equal '--print-keys fails then' 1 $?
equal '... and tells them, too' "$(seq 4 28)" "$(sed -n 's/^cgview: config:\([0-9]*\): .*/\1/p' told)"
! grep -qP '[\x00-\x08\x0b-\x1f]' told
verdict $? '... without their control characters'
grep -q '^bind generic ! help$' keys
verdict $? '... and the right ones hold'

# Files that are no configuration.
harmless() # harmless NAME PATTERN: with the file `config` the browser comes up, and tells PATTERN
{
	printf 'size:200x30\n:save-screen shows\n' > script
	timeout 300 env CGVIEW_SCRIPT=script "$cgview" --config "${3:-config}" sample.db && grep -q '^▌ .* hash ' shows &&
		grep -q -e "$2" shows && ! grep -qP '[\x00-\x08\x0b-\x1f]' shows
	local status=$?
	[ $status -eq 0 ] || sed 's/^/# /' shows
	verdict $status "$1"
}
rm -f config; mkfifo config; harmless 'a FIFO' 'config: not a regular file'
rm -f config; mkdir config; harmless 'a directory' 'config: not a regular file'
rmdir config; harmless 'no file' 'config: No such file'
harmless 'a device' 'not a regular file' /dev/zero
ln -s config config; harmless 'a link to itself' 'Too many levels'
rm config; yes 'bind generic ! help' | head -c 3000000 > config; harmless 'a large file' 'larger than 256 KiB'
head -c 200000 /dev/zero > config; harmless 'zeros' 'control character'
head -c 200000 /dev/zero | tr '\0' x > config; harmless 'one long line' 'no such directive: xxxx'
head -c 300000 /dev/urandom > config; harmless 'noise' 'config'
printf '\302\233\342\200\256bind \377\n' > config; harmless 'C1, bidi and what is no UTF-8' 'no such directive: <U+009B>\|no such directive: <9B><U+202E>'
printf 'bind generic \342\200\256 help\n' > config; harmless 'a key that cannot be seen' 'no such key: <U+202E>'
if [ "$(id -u)" -ne 0 ]; then
	echo > config; chmod 0 config; harmless 'a file that cannot be read' 'Permission denied'
else
	echo 'skip - a file that cannot be read: root can read every file'
fi
mkdir -p .config/cgview && rm -f config && mkfifo .config/cgview/config
printf 'size:100x30\n:save-screen shows\n' > script
timeout 300 env CGVIEW_SCRIPT=script "$cgview" sample.db && grep -q 'config: not a regular file' shows
verdict $? 'a FIFO where it is looked for'
rm -r .config; touch .config
CGVIEW_SCRIPT=script "$cgview" sample.db && ! grep -q 'config' shows
verdict $? 'a file in place of its directory: no configuration'

# The manual: its example holds, and it tells every keymap, role, option and table.
page=$top/man/cgview-config.5
sed -n '/begin example/,/end example/p' "$page" | grep -v '^\.' > example
"$cgview" browse --print-keys --config example > keys 2> told
equal 'the example of the manual has no mistake' '' "$(cat told)"
[ "$(grep -c . example)" -gt 15 ] && grep -q '^bind generic C-j down$' keys
verdict $? '... and is one'
printf ':list-roles all-roles\n' > script
CGVIEW_SCRIPT=script "$cgview" sample.db
missing=$(cut -c 3- all-roles | grep -v '^heat-[2-7]$' | while read -r role; do
	grep -qE "^\.It .*\b$role\b" "$page" || echo "$role"; done)
equal 'every role is in the manual' '' "$missing"
missing=$(cut -d ' ' -f 2 builtin | sort -u | while read -r keymap; do
	grep -q "^\.It Cm $keymap$" "$page" || echo "$keymap"; done)
equal 'every keymap is in the manual' '' "$missing"
