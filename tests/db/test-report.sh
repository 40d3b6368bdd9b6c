#!/bin/bash
# cgview report: every format of every view against the tables; options; output that fails.
set -u
. tests/db/lib.sh
need python3 sqlite3
here=$top/tests/db
cd "$TMP_DIR" || exit 1
"$make_profile" prof.db --odd --procedures 60 --ranges 1000 --lines 1000 || exit 1
python3 "$here/report.py" "$cgview" prof.db || echo "not ok - report.py"
python3 "$here/report_source.py" "$cgview" prof.db || echo "not ok - report_source.py"

# usage NAME PATTERN ARGUMENTS...: status 2, one line.
usage()
{
	local name=$1 pattern=$2 status
	shift 2
	"$cgview" report "$@" > out 2> err
	status=$?
	[ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -qE -e "$pattern" err
	verdict $? "usage: $name"
}
for sort in self total self%; do
	cmp -s <("$cgview" report --sort $sort prof.db) <("$cgview" report --sort \
		"$(case $sort in total) echo total_ns ;; *) echo self_ns ;; esac)" prof.db)
	verdict $? "--sort takes the heading $sort"
done
usage "two profiles" 'one profile' prof.db prof.db
usage "unknown option" 'unknown option --nope' --nope prof.db
usage "unknown letter" 'unknown option -x' -x prof.db
usage "unknown letters" 'unknown option -x' -xyz prof.db
usage "option without its value" '--by wants' prof.db --by
usage "unknown view" 'procedure, block' --by xyzzy prof.db
usage "a view that is near" 'did you mean note\?' --by nope prof.db
usage "unknown format" 'csv' --format xml prof.db
usage "unknown column" 'self_ns' --sort nope prof.db
usage "hidden column" 'self_ns' --sort id prof.db
for limit in -1 x 3x '' 99999999999999999999999; do
	usage "limit '$limit'" 'number' --limit "$limit" prof.db
done
usage "caller of blocks" 'arc' --by block --caller main prof.db
usage "file of notes" 'does not go' --by note --file x prof.db
usage "no regular expression" 'filter .*:' --filter '(' prof.db
for percent in -1 x '' 101 1.00001 5x; do
	usage "percent '$percent'" 'percent' --min "$percent" prof.db
done
usage "column that is not there" 'procedure, file' --columns self_ns,nope prof.db
for format in csv json; do
	usage "source text in $format" 'only --format text' --format $format --by line \
		--columns count,source prof.db
done
usage "source text of procedures" 'procedure, file' --columns source prof.db
check "a source text sorts as the source" cmp <("$cgview" report --by line --sort source prof.db) \
	<("$cgview" report --by line --sort file prof.db)
usage "no column" 'procedure, file' --columns '' prof.db
for by in procedure block site line file arc never; do
	usage "the columns by $by without a profile" 'is one of' --by $by --columns '' nothing.db
done
usage "too many columns" 'at most' --columns "$(printf 'calls,%.0s' {1..150})calls" prof.db
fails_usage=$("$cgview" report --sort line --min 1 prof.db 2>&1)
[ $? = 2 ] && [[ $fails_usage = *'no shares of line'* ]]
verdict $? "shares of line numbers"
check "help" sh -c '"$1" report --help | grep -q -e "--by WHAT"' sh "$cgview"
check "every option is in the help" sh -c 'for o in by sort reverse limit format caller callee file \
		columns filter min self
	do "$1" report --help | grep -q -e "  --$o" || exit 1; done' sh "$cgview"
check "limit 0 is only the totals" [ "$("$cgview" report --limit 0 prof.db | wc -l)" = 5 ]
fails "unknown procedure" 'has no procedure nope' "$cgview" report --caller nope prof.db
fails "a name is data, not SQL" 'has no procedure' "$cgview" report --callee "x' OR 1; --" prof.db

for format in text csv json; do
	"$cgview" report --format $format --by block prof.db > /dev/full 2> err
	[ $? = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'No space' err
	verdict $? "$format to a full disk is told"
	"$cgview" report --format $format --by block prof.db 2> err | head -1 > /dev/null
	[ ! -s err ]
	verdict $? "$format to a reader that goes away is quiet"
done
# One rule: 1 is what went wrong, and 2 in diff, where 1 says that the condition holds.
check "the status where nobody reads" python3 - "$cgview" <<'END'
import os, subprocess, sys
helps = [[c, "--help"] for c in ("browse", "record", "import", "report", "annotate", "diff", "merge", "pin", "help")]
for words in helps + [["--help"], ["--version"], ["record", "-e", "list"], ["report", "prof.db"], ["annotate", "prof.db"],
                      ["report", "--by", "tree", "prof.db"], ["report", "--sql", "SELECT 1", "prof.db"],
                      ["diff", "prof.db", "prof.db"], ["diff", "--format", "json", "prof.db", "prof.db"]]:
    r, w = os.pipe()
    os.close(r)
    p = subprocess.run([sys.argv[1]] + words, stdout=w, stderr=subprocess.PIPE)
    os.close(w)
    assert (p.returncode, p.stderr) == (2 if words[0] == "diff" else 1, b""), (words, p)
END
"$cgview" report --help > /dev/full 2> err
[ $? = 1 ] && [ "$(wc -l < err)" = 1 ]
verdict $? "help to a full disk is told"
"$cgview" report prof.db >&- 2> err
[ $? = 1 ]
verdict $? "closed output is told"

# No rows at all.
cp prof.db bare.db
sqlite3 bare.db 'DELETE FROM arc; DELETE FROM call_site; DELETE FROM note;
	UPDATE totals SET arcs = 0, call_sites = 0, notes = 0'
check "no rows: json" sh -c '"$1" report --by arc --format json bare.db | python3 -c "
import json, sys
assert json.load(sys.stdin)[\"rows\"] == []"' sh "$cgview"
check "no rows: csv is its header" \
	[ "$("$cgview" report --by site --format csv bare.db | wc -l)" = 1 ]
check "no rows: text says 0" sh -c '"$1" report --by note bare.db | grep -q "0 notes"' sh "$cgview"
