#!/bin/bash
# The table of commands: help, version, typos, output that cannot be written, signals that were ignored.
set -u
. tests/db/lib.sh
version=$(cat VERSION)
synopsis=$(sed -n '/^\.Sh SYNOPSIS/,/^\.Sh DESCRIPTION/s/^\.Cm \([a-z]*\).*/\1/p' man/cgview.1 | sort -u)
cd "$TMP_DIR" || exit 1
"$make_profile" a.db --procedures 3 --ranges 9 --lines 9 || exit 1

# run STATUS NAME COMMAND...: ends with that status; what it says is in out and err.
run()
{
	local wanted=$1 name=$2 status
	shift 2
	"$@" > out 2> err
	status=$?
	[ $status = "$wanted" ] || { echo "# status $status"; head -3 out err; }
	[ $status = "$wanted" ]
	verdict $? "$name"
}
same() { check "$1" cmp "$2" "$3"; }

run 0 'help' "$cgview" help
cp out list
run 0 'help of help' "$cgview" help help
same '... is the list' out list
run 0 'help of version' "$cgview" help version
same '... too' out list
for option in --help -h; do
	run 0 "cgview $option" "$cgview" $option
	same '... is the list' out list
done
run 0 'help with an option' "$cgview" help --all
same '... is the list' out list
# Nothing is named: prof.db is meant; where it is not there, the newest other profile is named.
mkdir nothing
cd nothing || exit
run 2 'no argument and no profile is status 2' "$cgview"
[ "$(head -1 err)" = 'cgview: there is no profile here' ]
verdict $? '... which says that there is none'
tail -n +3 err > shown
same '... and the list, where errors go' shown ../list
check '... nothing else' [ ! -s out ]
for command in report annotate bands pin 'report --by tree'; do
	run 2 "$command without a profile" "$cgview" $command
	check '... says how to make one' grep -q "which profile? There is none here: .*cgview record -- PROGRAM" err
done
cp ../a.db older.db
cp ../a.db newer.db
touch -d '2020-01-01' older.db
seq 1000 > newest.db
for command in '' report annotate bands pin 'report --by tree'; do
	run 2 "${command:-cgview} beside other profiles" "$cgview" $command
	check '... names the newest' grep -qx "cgview: .*which profile? There is no prof.db here; the newest profile is newer.db: cgview ${command:+${command%% *} }newer.db" err
done
cp ../a.db prof.db
for command in report annotate pin 'report --by tree' 'report --format csv'; do
	run 0 "$command without a profile beside prof.db" "$cgview" $command
	check '... says what it took' grep -qx "cgview: ${command%% *}: no profile is named, so this is prof.db" err
	mv out taken
	"$cgview" $command prof.db > out
	same '... which is that' out taken
done
printf ':save-screen screen\nq\n' > script
CGVIEW_SCRIPT=script run 0 'cgview alone browses it' "$cgview"
check '... and shows it' grep -q prof.db screen
cd ..
commands=$(sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' list | sort)
check 'the list has the commands of the synopsis' [ "$(grep -vE '^(help|version)$' <<< "$commands")" = \
	"$(grep -vE '^(help|version)$' <<< "$synopsis")" ]
for command in $(grep -vE '^(help|version)$' <<< "$commands"); do
	run 0 "help $command" "$cgview" help "$command"
	"$cgview" "$command" --help > own
	same '... is its --help' out own
	check '... with its name' grep -q "^usage: cgview \[\?$command" out
done

for word in version --version -V; do
	run 0 "cgview $word" "$cgview" $word
	check "... $version" [ "$(cat out)" = "cgview $version" ]
done
run 2 'help of what is no command' "$cgview" help reprot
check '... names it' grep -qx "cgview: 'reprot' is no command: did you mean report? See cgview help" err
run 2 'a typo' "$cgview" reprot
check '... names it' grep -qx "cgview: 'reprot' is neither a command nor a profile: did you mean report? See cgview help" err
run 2 'what is near to nothing' "$cgview" xyzzy
check '... is told' grep -qx "cgview: 'xyzzy' is neither a command nor a profile; see cgview help" err
run 1 'a name of a file that is not there' "$cgview" ./reprot
check '... is one' grep -q '^cgview: .*\./reprot' err
# A file may be called like anything but a command.
cp a.db reprot
printf ':save-screen screen\nq\n' > script
CGVIEW_SCRIPT=script run 0 'a profile without an ending' "$cgview" reprot
check '... is shown' grep -q reprot screen

# What cannot be written is told, whichever command it is.
for command in version help 'report --help' 'report a.db' 'annotate a.db' 'report --format csv a.db'; do
	$cgview $command > /dev/full 2> err
	check "$command to a full disk is status 1" [ $? = 1 ]
	check '... and one line' [ "$(wc -l < err)" = 1 ]
done

# A limit of the size of files is an error, not a signal. Programs that are started have it as it was;
# one who ignored the signal had it ignored.
if [[ $BUILD = *coverage* ]]; then
	echo "skip - beyond the limit of sizes of files: the counts of gcov are such files"
else
	run 1 'beyond the limit of sizes of files' bash -c 'ulimit -f 1; "$1" merge -o big.db a.db' bash "$cgview"
	check '... is told' grep -q '^cgview: .*big\.db' err
	check '... and leaves nothing' [ ! -e big.db ]
fi
ignored() { "$@" sh -c 'sed -n "s/^SigIgn:.*\(.\{16\}\)$/\1/p" /proc/self/status'; }
# record says where the profile is not; the program's own output is what counts.
bit=$((1 << 24)) # SIGXFSZ is 25
( trap '' XFSZ; ignored "$cgview" record -o none.db -- 2> /dev/null > out )
check 'who ignores SIGXFSZ has it ignored' [ $((0x$(head -1 out) & bit)) -ne 0 ]
ignored "$cgview" record -o none.db -- 2> /dev/null > out
check '... and else it is not' [ $((0x$(head -1 out) & bit)) -eq 0 ]
