#!/bin/bash
# In a real terminal (tmux): the screen follows the terminal's size, and the terminal is given back
# whatever ends or stops the browser.
. tests/tui/lib.sh
command -v tmux > /dev/null || { echo 'skip - terminal: no tmux'; exit 0; }

trap 'tm kill-server' EXIT

await_file() { wait_until test -s "$1"; }

# What runs in the terminal: its modes before and after, the browser's pid and status.
cat > session <<'END'
stty -a > before
sh -c 'echo $$ > pid; exec "$@"' sh "$@"
echo "status $?" > status
stty -a > after
echo the shell is back
exec cat
END

start() # start SIZE COMMAND...
{
	local size=$1
	shift
	rm -f before after pid status
	tm kill-server
	session=$((session + 1))
	tm new-session -d -s t -x "${size%x*}" -y "${size#*x}" -- bash session "$@" \; \
		set -g status off \; setw -g window-size manual
}

given_back() # given_back NAME
{
	local status=0
	await 'the shell is back' || status=1
	await_file after || status=1
	cmp -s before after || { diff before after | sed 's/^/# /'; status=1; }
	[ "$(tm display -p -t t '#{alternate_on}#{cursor_flag}#{mouse_any_flag}')" = 010 ] || {
		echo "# screen, cursor or mouse is not as it was"; status=1; }
	verdict $status "$1"
}

start 80x24 "$cgview" sample.db
await '^─ procedures' && await 'Enter'
tm send-keys -t t q
given_back 'the terminal is given back: q'
grep -q '^status 0$' status
verdict $? 'q leaves with status 0'

for signal in TERM HUP INT QUIT SEGV ABRT BUS FPE; do
	start 80x24 "$cgview" sample.db
	await '^─ procedures'
	kill -s "$signal" "$(cat pid)"
	given_back "the terminal is given back: SIG$signal"
	grep -q "^status $((128 + $(kill -l "$signal")))$" status
	verdict $? "the shell hears of SIG$signal"
done

# The mouse: click, double click, wheel, a click on a head.
mouse() { tm send-keys -t t -l $'\033'"[<$1;$2;$3M"$'\033'"[<$1;$2;$3m"; }
start 120x36 env TERM=xterm-256color "$cgview" sample.db
await '^▌ .* hash '
mouse 0 10 6
await '^▌ .* each '
verdict $? 'a click selects a row'
mouse 65 10 6
await '^▌ .* by_count '
verdict $? 'the wheel moves'
mouse 0 60 3
await 'calls▼'
verdict $? 'a click on a head sorts'
mouse 0 30 30
await '^▌ .* each .*│'
verdict $? 'a click gives a pane the keyboard'
# Two clicks are a double one if no more than 0.4 s are between them: again, on a busy machine.
double_click()
{
	local i
	mouse 0 10 4; mouse 0 10 4
	for i in $(seq 200); do
		screen_has '^▌.* hash(const char' && return 0
		sleep 0.05
	done
	return 1
}
wait_until double_click
verdict $? 'a double click opens'
# On a hint: "t tree" is the sixth at the bottom.
tm send-keys -t t u
await '^▌ .* hash '
x=$(tm capture-pane -p -t t | tail -1)
x=${x%%t tree*}
mouse 0 $((${#x} + 3)) 36
await '^─ call tree'
verdict $? 'a click on a hint does what that says'
tm send-keys -t t Q
given_back 'the terminal is given back after the mouse'

# Keys that are sequences.
start 80x24 "$cgview" sample.db
await '^▌ .* hash  '
tm send-keys -t t NPage
await ' [67]/10 \|10/10 '
verdict $? 'PgDn'
tm send-keys -t t Home
await ' 1/10 '
verdict $? 'Home'
tm send-keys -t t Enter
await '^▌.* 5 hash'
tm send-keys -t t M-Left
await '^▌ .* hash  '
verdict $? 'M-Left goes back'
tm send-keys -t t M-Right
await '^▌.* 5 hash'
verdict $? 'M-Right goes forward'
tm send-keys -t t F1
await '^─ help'
verdict $? 'F1'
tm send-keys -t t Escape
await '^▌.* 5 hash'
verdict $? 'Esc alone is a key'

# Stopped: the terminal is as it was; continued: the screen is there again.
start 80x24 bash -c 'set -m; "$@"; echo stopped; stty -a > between; read -r; fg' bash "$cgview" sample.db
await '^─ procedures'
tm send-keys -t t C-z
await stopped && await_file between
cmp -s before between && [ "$(tm display -p -t t '#{alternate_on}')" = 0 ]
verdict $? 'C-z gives the terminal back'
tm send-keys -t t Enter
await '^─ procedures' && [ "$(tm display -p -t t '#{alternate_on}')" = 1 ]
verdict $? 'and the screen comes back with fg'
tm send-keys -t t j
await '^▌ .* lookup  '
verdict $? 'and keys work'
tm send-keys -t t q
given_back 'the terminal is given back after that'

# Sizes.
start 80x24 "$cgview" sample.db
await '^─ procedures'
tm resize-window -t t -x 120 -y 36
await 'self/call'
verdict $? 'a larger terminal is used'
status=0
for size in 1x1 200x60 2x2 40x8 24x5 23x4 300x3 3x90 80x24; do
	tm resize-window -t t -x "${size%x*}" -y "${size#*x}"
done
await '^▌ .* hash  ' || status=1
for i in $(seq 150); do
	tm resize-window -t t -x $((RANDOM % 150 + 1)) -y $((RANDOM % 50 + 1))
done
tm resize-window -t t -x 100 -y 30
await '^▌ .* hash .*words.c:5' || status=1
tm send-keys -t t j
await '^▌ .* lookup ' || status=1
verdict $status 'a storm of sizes does no harm'
tm send-keys -t t q
sed -i 's/rows [0-9]*; columns [0-9]*;//' before
await_file after && sed -i 's/rows [0-9]*; columns [0-9]*;//' after
given_back 'the terminal is given back after the storm'

# An editor in between.
printf '#!/bin/sh\necho "editing $*"\nread -r x\n' > editor
chmod +x editor
start 80x24 env VISUAL="$TMP_DIR/editor" "$cgview" sample.db
await '^─ procedures'
tm send-keys -t t -l '&by_name'
tm send-keys -t t Enter Enter
await 'The file on disk differs'
tm send-keys -t t e
await 'editing +2 ./changed.c' && [ "$(tm display -p -t t '#{alternate_on}')" = 0 ]
verdict $? 'the editor has the terminal as it was'
printf 'int\nchanged(int x)\n{\n\treturn x + 1;\n}\n' > changed.c
tm send-keys -t t Enter
await '^▌.* 2 changed(int x)'
! tm capture-pane -p -t t | grep -q 'The file on disk differs'
verdict $? 'the screen comes back, and the file was looked at again'
tm send-keys -t t Q
given_back 'the terminal is given back after the editor'

# The terminal goes away: so does the browser.
start 80x24 "$cgview" sample.db
await '^─ procedures'
pid=$(cat pid)
tm kill-server
wait_until is_gone "$pid"
verdict $? 'the browser ends with its terminal'
start 80x24 bash -c 'trap "" HUP; exec "$@"' bash "$cgview" sample.db
await '^─ procedures'
pid=$(cat pid)
tm kill-server
wait_until is_gone "$pid"
verdict $? 'even when it cannot hear of it'

# Where there is nothing to browse in: one line, at once.
one_line() # one_line NAME PATTERN COMMAND...
{
	local name=$1 pattern=$2 status=0
	shift 2
	timeout 300 "$@" > out 2>&1 < /dev/null
	[ $? -eq 1 ] || status=1
	[ "$(wc -l < out)" -eq 1 ] && grep -q -e "$pattern" out && grep -q 'cgview report' out ||
		{ sed 's/^/# /' out; status=1; }
	verdict $status "$name"
}
pty() { script -qec "$*" /dev/null; }
export -f pty
one_line 'no terminal' 'needs a terminal' "$cgview" sample.db
one_line 'TERM=dumb' 'TERM=dumb cannot' bash -c 'pty TERM=dumb "$@"' pty "$cgview" sample.db
one_line 'TERM not set' 'TERM is not set' bash -c 'pty env -u TERM "$@"' pty "$cgview" sample.db
one_line 'TERM unknown' 'TERM=xyzzy is not known' bash -c 'pty TERM=xyzzy "$@"' pty "$cgview" sample.db

# What the terminal says about its background, at once or late.
python3 "$top/tests/tui/background.py" "$cgview" sample.db

# Other colours, other character sets: the same text.
start 100x30 env NO_COLOR=1 "$cgview" sample.db
await '^▌ .* hash ' && ! tm capture-pane -ep -t t | grep -q $'\033\[[0-9;]*[34]8;'
verdict $? 'NO_COLOR'
start 100x30 env TERM=linux "$cgview" sample.db
await '^▌ .* hash ' && ! tm capture-pane -ep -t t | grep -q $'\033\[[0-9;]*[34]8;5'
verdict $? 'eight colours'
start 80x24 env TERM=linux "$cgview" sample.db
await '× never  *run .*█ [0-9.]* m*s'
verdict $? 'eight colours, 80 columns: the legend has the hottest step'
start 100x30 env LC_ALL=C "$cgview" sample.db
await '^> .* hash ' && await 'callers of hash' && ! tm capture-pane -p -t t | grep -qP '[^\x00-\x7f]'
verdict $? 'ASCII only'
start 100x30 "$cgview" sample.db
await $'\033\[[0-9;]*48;5;17' -e
verdict $? '256 colours'
