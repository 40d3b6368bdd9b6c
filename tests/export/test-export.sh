#!/bin/bash
# cgview export: what is refused, where the output goes, what hostile names become.
. tests/db/lib.sh
need python3
cd "$TMP_DIR" || exit 1
"$make_profile" odd.db --odd --procedures 60 --ranges 1000 --lines 1000 || exit 1
"$make_profile" prof.db || exit 1

usage() # usage NAME PATTERN ARGUMENTS...: status 2, one line
{
	local name=$1 pattern=$2 status
	shift 2
	"$cgview" export "$@" > out 2> err < /dev/null
	status=$?
	[ $status = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -qE -e "$pattern" err
	verdict $? "$name"
}

formats=$("$cgview" export --help | sed -n '/^formats:/,/^$/s/^  \([a-z]*\) .*/\1/p')
check 'there are formats' [ -n "$formats" ]
usage 'no format' 'which --format\?' prof.db
usage 'an unknown format' 'it is one of folded' --format nonsense prof.db
usage 'a format that is near' 'did you mean folded\?' --format foldd prof.db
usage 'a profile is not replaced' 'is a profile, which would be replaced' --format folded -o odd.db prof.db
check '... it is as it was' "$cgview" report odd.db
fails 'a measure that is not there' '^cgview: export: --measure bytes: .*it is one of samples' \
	"$cgview" export --format folded --measure bytes prof.db
fails 'a directory as output' 'nowhere' "$cgview" export --format folded -o nowhere/out prof.db

for format in $formats; do
	"$cgview" export --format "$format" -o out.1 odd.db && "$cgview" export --format "$format" odd.db > out.2
	verdict $? "$format of a hostile profile"
	check '... is the same in a file and on a pipe' cmp out.1 out.2
	grep -qF binary <<< "$format" || check '... has no control characters' python3 - out.1 <<- 'END'
		import sys
		data = open(sys.argv[1], 'rb').read()
		if data[:2] != b'\x1f\x8b':
		    text = data.decode('utf-8')
		    bad = sorted({c for c in text if ord(c) < 32 and c not in '\n\t\r' or 0x7f <= ord(c) < 0xa0})
		    assert not bad, bad
	END
	ln -sf /dev/full full
	"$cgview" export --format "$format" odd.db > /dev/full 2> err
	[ $? = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'cannot write the output' err
	verdict $? "$format to a full disk"
done
check 'nothing is left behind' [ -z "$(ls | grep tmp)" ]

# Folded stacks against the tree of calls that report prints.
"$cgview" export --format folded --measure time prof.db > out.folded
"$cgview" report --sql 'SELECT sum(self_ns) FROM context' --format csv prof.db | tr -d '\r' | sed 1d > sum
check 'folded: the sum of all stacks' [ "$(awk '{ n += $NF } END { printf "%.0f\n", n }' out.folded)" = "$(cat sum)" ]
