# Sourced by the tests of the browser: from the top directory, with BUILD and TMP_DIR.
top=$PWD
: "${TMP_DIR:?}" # a cd to nothing succeeds, and would write into the tree
case $BUILD in /*) ;; *) BUILD=$top/$BUILD ;; esac
cgview=$BUILD/cgview
screens=$top/tests/tui/screens
unset LINES COLUMNS NO_COLOR COLORFGBG VISUAL EDITOR CGVIEW_SCRIPT XDG_CONFIG_HOME
export LC_ALL=C.UTF-8 TZ=UTC TERM=xterm-256color HOME=$TMP_DIR
cd "$TMP_DIR" || exit 1
"$BUILD/tests/tui/unit-sample" sample.db || exit 1
# The file on disk is not the one that was profiled.
printf 'int changed;\n' > changed.c

verdict() # verdict STATUS NAME
{
	if [ "$1" -eq 0 ]; then echo "ok - $2"; else echo "not ok - $2"; fi
}

# Which actions were done: what after-actions.sh looks at.
actions=${TEST_ACTIONS:-$TMP_DIR}/$(basename "$0").actions

# Play the steps on standard input, one a line; the arguments are those of cgview (sample.db).
play() # play [ARGUMENT...]
{
	local arguments=" $*"
	cat > steps
	# Of two profiles the causes of the difference come first; all but test-why.sh look at what is below.
	{ printf ':save-actions %s\n' "$actions"; [[ $arguments != *.db*.db* || ${WHY:-} ]] || echo u
	cat steps; } > script
	CGVIEW_SCRIPT=script "$cgview" "${@:-sample.db}"
}

# Play and compare the screen, and the roles of its cells, with what is stored.
golden() # golden NAME SIZE [ARGUMENT...] < STEPS
{
	local name=$1-$2 size=$2 status=0 what
	shift 2
	{ echo "size:$size"; cat; echo ":save-screen $name.screen"; echo ":save-roles $name.roles"; } |
		play "$@" || status=1
	for what in screen roles; do
		if [ -n "${GENERATE:-}" ]; then
			mkdir -p "$screens"
			cp "$name.$what" "$screens/$name.$what"
		else
			diff "$screens/$name.$what" "$name.$what" || status=1
		fi
	done
	verdict $status "screen $name"
}

# The screen in the file `shows` has a line for each pattern (basic regular expressions; one that
# begins with ! must not be there).
verdict_shows() # verdict_shows STATUS NAME PATTERN...
{
	local status=$1 name=$2 pattern
	shift 2
	for pattern; do
		case $pattern in
		!*) grep -q -e "${pattern#!}" shows && { echo "# there is: ${pattern#!}"; status=1; } ;;
		*) grep -q -e "$pattern" shows || { echo "# there is no: $pattern"; status=1; } ;;
		esac
	done
	[ "$status" -eq 0 ] || sed 's/^/# /' shows
	verdict "$status" "$name"
}

# So has the screen after the steps, on the profile $DB, of the size $SIZE; shows.out gets what else
# was printed.
DB=sample.db SIZE=100x30
shows() # shows NAME PATTERN... < STEPS
{
	local status=0
	rm -f shows
	{ echo "size:$SIZE"; cat; echo ':save-screen shows'; } | play "$DB" > shows.out ||
		status=1
	verdict_shows $status "$@"
}

# A real terminal. A server of its own for each session: a dying one must not take the next with it.
socket=cgview-test.$$ session=0
tm() { tmux -L "$socket.$session" -f /dev/null "$@" 2> /dev/null; }

# wait_until COMMAND...: until it succeeds; what has not come true after two minutes never will.
wait_until()
{
	local end=$((SECONDS + 120))
	until "$@"; do
		[ $SECONDS -lt $end ] || { echo "# waited in vain: $*"; return 1; }
		sleep 0.05
	done
}

# Wait until its screen matches a basic regular expression. A part of the screen may be drawn and the
# rest not yet: all that is asked for is awaited. Of the whole screen, nothing is known.
await() # await PATTERN [OPTION OF CAPTURE-PANE...]
{
	wait_until screen_has "$@" && return 0
	tm capture-pane -p -t t | sed 's/^/# /'
	return 1
}
screen_has() { tm capture-pane -p "${@:2}" -t t | grep -q -e "$1"; }
is_gone() { ! kill -0 "$1" 2> /dev/null; }
