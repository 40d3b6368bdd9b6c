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
usage 'an unknown format' 'it is one of callgrind, pprof, folded' --format nonsense prof.db
usage 'a format that needs times' 'firefox: it needs when each sample was taken.* pprof' --format firefox prof.db
usage 'a format that is near' 'did you mean folded\?' --format foldd prof.db
usage 'a profile is not replaced' 'is a profile, which would be replaced' --format folded -o odd.db prof.db
check '... it is as it was' "$cgview" report odd.db
usage 'a measure for all figures' 'lcov has all figures' --format lcov --measure time prof.db
usage 'a root for no names' 'folded has names of files as they are' --format folded --root / prof.db
printf 'main;f 7\nmain;f;g 12\n' > a.folded
"$cgview" import -o stacks.db a.folded > out 2>&1
fails 'no counts' 'stacks.db has no counts of lines, which lcov is made of; --format can be .*folded' \
	"$cgview" export --format lcov stacks.db
printf 'TN:\nSF:/a.c\nFN:1,f\nFNDA:3,f\nDA:1,3\nend_of_record\n' > a.info
"$cgview" import -o counts.db a.info > out 2>&1
fails 'no stacks' 'counts.db has no stacks, which pprof is made of; --format can be .*lcov' \
	"$cgview" export --format pprof counts.db
fails 'a damaged profile' 'is cut off' sh -c 'head -c 30000 prof.db > cut.db; exec "$1" export --format csv cut.db' sh "$cgview"
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

if command -v script > /dev/null; then
	script -qec "'$cgview' export --format pprof prof.db" /dev/null < /dev/null > out
	[ $? = 2 ] && grep -q 'nothing for a terminal: -o FILE.pb.gz' out
	verdict $? 'no binary format to a terminal'
fi

if command -v xmllint > /dev/null; then
	"$cgview" export --format cobertura odd.db | sed '/^<!DOCTYPE/d' > odd.xml
	check 'cobertura: what its DTD demands, of hostile names, too' \
		xmllint --nonet --noout --dtdvalid "$top/tests/export/coverage-04.dtd" odd.xml
fi

# Folded stacks against the tree of calls that report prints.
"$cgview" export --format folded --measure time prof.db > out.folded
"$cgview" report --sql 'SELECT sum(self_ns) FROM context' --format csv prof.db | tr -d '\r' | sed 1d > sum
check 'folded: the sum of all stacks' [ "$(awk '{ n += $NF } END { printf "%.0f\n", n }' out.folded)" = "$(cat sum)" ]
