#!/bin/bash
# Options are read in one way by all commands: what is wrong with them is told in one line, with status 2.
set -u
cgview=$PWD/$BUILD/cgview cgcc=$PWD/$BUILD/cgcc
case $BUILD in /*) cgview=$BUILD/cgview cgcc=$BUILD/cgcc ;; esac
cd "${TMP_DIR:?}" || exit

told() # told NAME LINE COMMAND...: it ends with 2, prints nothing, and complains in this one line
{
	local name=$1 line=$2 status
	shift 2
	"$@" > out 2> err < /dev/null
	status=$?
	if [ $status = 2 ] && [ ! -s out ] && [ "$(cat err)" = "$line" ]; then
		echo "ok - $name"
	else
		echo "# status $status; wanted: $line"
		sed 's/^/# /' out err
		echo "not ok - $name"
	fi
}

for command in browse record import report brief guide annotate export diff merge reduce pin; do
	see="see cgview $command --help"
	told "$command: an unknown option" "cgview: $command: unknown option --nonsense; $see" \
		"$cgview" $command --nonsense x.db
	told "$command: an unknown letter" "cgview: $command: unknown option -Z; $see" "$cgview" $command -Z x.db
done
told 'no value' 'cgview: record: -o wants a value; see cgview record --help' "$cgview" record -o
told 'no value of a long one' 'cgview: pin: --name wants a value; see cgview pin --help' "$cgview" pin --name
told 'no number' 'cgview: record: --frequency fast: it is a number from 0 to 10000' "$cgview" record -F fast -- true
told 'a number out of range' 'cgview: record: --runs 0: it is a number from 1 to 10000' "$cgview" record -n0 true
told 'an abbreviation' 'cgview: report: --format some: it is text, csv, json or lines' "$cgview" report --form=some x.db
told 'no choice' 'cgview: report: --format xml: it is text, csv, json or lines' "$cgview" report --format xml x.db
told 'no program' 'cgview: record: which program? See cgview record --help' "$cgview" record -a
told 'no raw profile' 'cgview: import: which raw profiles? See cgview import --help' "$cgview" import -o x.db
told 'no profile to browse' "cgview: which profile? There is none here: write one with 'cgview record -- PROGRAM', or see cgview browse --help" \
	"$cgview" browse --light
told 'an option that is near' 'cgview: report: unknown option --colums=x: did you mean --columns? See cgview report --help' \
	"$cgview" report --colums=x

# A program's options are its own, without "--", too.
"$cgview" record -ox.db sh -c 'echo "$*" > said' - --help -a -o y.db 2> err < /dev/null
[ "$(cat said)" = '--help -a -o y.db' ] && echo 'ok - a program has its own options' ||
	echo 'not ok - a program has its own options'

see='see cgcc --cgview-help'
told 'cgcc: an unknown flag' "cgcc: unknown flag fast; $see" "$cgcc" --cgview-flags=centres,fast=1 -c x.c
told 'cgcc: no choice' "cgcc: joint=some: it is both, early, late or none; $see" "$cgcc" --cgview-flags=joint=some
told 'cgcc: no value' "cgcc: exclude: it wants a value; $see" env CGVIEW_FLAGS=exclude "$cgcc" -c x.c
told 'cgcc: an empty value' "cgcc: exclude=: which procedures? See cgcc --cgview-help" "$cgcc" --cgview-flags=exclude=
told 'cgcc: a value too many' "cgcc: off=1: it takes no value; $see" "$cgcc" --cgview-flags=off=1

printf 'set mouse perhaps\nset sql-seconds 7\nset background light\n' > config
"$cgview" browse --print-keys --config config 2>&1 > keys | diff - <(printf 'cgview: config:%s\n' \
	'1: set mouse perhaps: it is off or on' '2: set sql-seconds 7: it is 1, 2, 5, 10, 30, 60 or 600') &&
	echo 'ok - a setting of the configuration file' || echo 'not ok - a setting of the configuration file'
