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

# Two threads, of which a sample stands for 10 ms; hostile names.
cat > threads.json <<- 'END'
	{"meta": {"interval": 10, "preprocessedProfileVersion": 47, "startTime": 0}, "libs": [], "threads": [
	 {"name": "ma\u001bin", "pid": "1", "tid": 1, "stringArray": ["r\u0007ed\"", "</script>", "/a \u0001b.c"],
	  "samples": {"stack": [0, 0, 1], "weight": null, "weightType": "samples", "time": [10, 20, 40]},
	  "stackTable": {"prefix": [null, null], "frame": [0, 1]}, "frameTable": {"func": [0, 1], "line": [7, null]},
	  "funcTable": {"name": [0, 1], "fileName": [2, null], "lineNumber": [5, null]}},
	 {"name": "io", "pid": "1", "tid": 2, "stringArray": ["blue"],
	  "samples": {"stack": [0, 0], "weight": null, "weightType": "samples", "time": [50, 60]},
	  "stackTable": {"prefix": [null], "frame": [0]}, "frameTable": {"func": [0], "line": [null]},
	  "funcTable": {"name": [0], "fileName": [null]}}]}
END
"$cgview" import -o threads.db threads.json > out 2>&1 || cat out
sed '/"io"/,$d; $!b' threads.json | sed '$s/,$/]}/' > thread.json
"$cgview" import -o thread.db thread.json > out 2>&1 || cat out
for format in firefox cpuprofile chrome; do
	fails "no times: $format" "stacks.db has no times of samples, which $format is made of; --format can be .*folded" \
		"$cgview" export --format $format stacks.db
done
fails 'a .cpuprofile of several threads' 'has the samples of one thread, and threads.db has those of 2: .*firefox' \
	"$cgview" export --format cpuprofile threads.db
"$cgview" export --format cpuprofile thread.db > out.json && "$cgview" export --format firefox threads.db > firefox.json
python3 "$top/tests/export/times.py" "$cgview" threads.db 'two threads' || echo "not ok - times.py ended with $?"
# By hand: 10 ms each, which end at 0, 10 and 30 ms.
check 'firefox and cpuprofile: of samples that are known' python3 - << 'END'
import json
p = json.load(open('out.json'))
names = {n['id']: n['callFrame']['functionName'] for n in p['nodes']}
red, = (n for n in p['nodes'] if n['callFrame']['functionName'] == 'r^Ged"' or n['callFrame']['functionName'] == 'r\x07ed"')
assert [names[i] for i in p['samples']] == [names[red['id']], names[red['id']], '(idle)', '</script>', '(idle)'], p
assert p['timeDeltas'] == [0, 10000, 10000, 10000, 10000] and (p['startTime'], p['endTime']) == (-10000, 30000)
assert red['hitCount'] == 2 and red['positionTicks'] == [{'line': 7, 'ticks': 2}], red
assert red['callFrame']['url'].startswith('file:///a%20') and red['callFrame']['lineNumber'] == 4, red
f = json.load(open('firefox.json'))
assert [(t['samples']['time'], t['samples']['weight']) for t in f['threads']] == \
    [([0, 10, 30], [10, 10, 10]), ([40, 50], [10, 10])], f['threads']
END

for format in $formats; do
	case $format in firefox | cpuprofile | chrome) of=thread.db ;; *) of=odd.db ;; esac
	"$cgview" export --format "$format" -o out.1 $of && "$cgview" export --format "$format" $of > out.2
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
	"$cgview" export --format "$format" $of > /dev/full 2> err
	[ $? = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -q 'cannot write the output' err
	verdict $? "$format to a full disk"
done
check 'nothing is left behind' [ -z "$(ls | grep tmp)" ]

if command -v script > /dev/null; then
	script -qec "'$cgview' export --format pprof prof.db" /dev/null < /dev/null > out
	[ $? = 2 ] && grep -q 'nothing for a terminal: -o FILE.pb.gz' out
	verdict $? 'no binary format to a terminal'
fi

# Each sample has the labels by which a store of profiles tells them apart: message by message.
"$cgview" export --format pprof -o labels.pb.gz prof.db
sqlite3 prof.db "SELECT 'build_id', build_id FROM run UNION SELECT 'host', host FROM run" | sort > labels.wanted
python3 - labels.pb.gz > labels.got <<- 'END'
	import gzip, sys
	def fields(data):
	    """Yields number and value of each field (profile.proto: varints and bytes)."""
	    at = 0
	    def varint():
	        nonlocal at
	        n = shift = 0
	        while True:
	            n |= (data[at] & 127) << shift
	            shift, at = shift + 7, at + 1
	            if data[at - 1] < 128:
	                return n
	    while at < len(data):
	        key = varint()
	        n = varint()
	        if key & 7 == 2:
	            yield key >> 3, data[at:at + n]
	            at += n
	        else:
	            yield key >> 3, n
	profile = list(fields(gzip.open(sys.argv[1]).read()))
	texts = [v.decode() for k, v in profile if k == 6]
	of_samples = set()
	for k, sample in profile:
	    if k == 2:
	        labels = [dict(fields(v)) for n, v in fields(sample) if n == 3]
	        of_samples.add('\n'.join(sorted(texts[l[1]] + '|' + texts[l[2]] for l in labels if texts[l[1]] in ('build_id', 'host'))))
	print('\n'.join(of_samples))
END
check 'pprof: labels of each sample' diff labels.wanted labels.got
check '... build and host' [ "$(grep -c . labels.got)" = 2 ]

if command -v xmllint > /dev/null; then
	"$cgview" export --format cobertura odd.db | sed '/^<!DOCTYPE/d' > odd.xml
	check 'cobertura: what its DTD demands, of hostile names, too' \
		xmllint --nonet --noout --dtdvalid "$top/tests/export/coverage-04.dtd" odd.xml
fi

# What is not exact is marked, or not there: a line whose count is a lower bound, one of which it is not known whether it
# was ever executed, and one that was not counted; and the same of procedures.
cp prof.db marked.db
python3 - marked.db > marked << 'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
most = 2 ** 63 - 1
for table, count in ('line', 'count'), ('procedure', 'calls'):
    ids = [i for i, in db.execute('SELECT id FROM %s WHERE %s > 1 ORDER BY id LIMIT 3' % (table, count))]
    for i, lacking, keep in zip(ids, (5, 7, most), (1, 0, 0)):
        db.execute('UPDATE %s SET lacking = ?, %s = %s * ? WHERE id = ?' % (table, count, count), (lacking, keep, i))
    what = 'line' if table == 'line' else 'name'
    for i in ids:
        print(table, *db.execute('SELECT f.path, t.%s, t.%s FROM %s t JOIN file f ON f.id = t.file WHERE t.id = ?'
                                 % (what, count, table), (i,)).fetchone())
db.commit()
END
for format in lcov gcov 'cobertura --root /nowhere' csv; do
	"$cgview" export --format $format -o "marked.${format%% *}" marked.db || echo "not ok - $format of a marked profile"
done
check 'estimates and lower bounds are marked, and what is not known is left out' python3 - << 'END'
import csv, json, xml.etree.ElementTree as xml
rows = [line.rsplit(' ', 3) for line in open('marked').read().splitlines()]
rows = [(r[0].split(' ', 1)[0], r[0].split(' ', 1)[1], r[1], r[2]) if len(r) == 3 else
        (r[0], r[1], r[2], r[3]) for r in rows]
(_, file, line, count), (_, _, unknown, _), (_, _, uncounted, _) = rows[:3]
(_, _, name, calls), (_, _, name2, _), (_, _, name3, _) = rows[3:]
traces = open('marked.lcov').read().split('end_of_record\n')
trace = next(t for t in traces if 'SF:%s\n' % file in t)
assert '\n# at least\nDA:%s,%s\n' % (line, count) in trace
assert '\nDA:%s,' % unknown not in trace and '\nDA:%s,' % uncounted not in trace
whole = ''.join(traces)
assert '\n# at least\nFNDA:%s,%s\n' % (calls, name) in whole
assert whole.count('# at least') == 2
assert not any(',%s\n' % n in whole for n in (name2, name3)), 'functions'
files = {f['file']: f for f in json.load(open('marked.gcov'))['files']}
lines = {l['line_number']: l for l in files[file]['lines']}
assert lines[int(line)]['cgview/at_least'] and lines[int(line)]['count'] == int(count)
assert int(unknown) not in lines and int(uncounted) not in lines
assert sum('cgview/at_least' in l for f in files.values() for l in f['lines']) == 1
assert '<!-- 2 hits are lower bounds' in open('marked.cobertura').read()
hits = {(c.get('filename'), l.get('number')) for c in xml.parse('marked.cobertura').getroot().iter('class')
        for l in c.find('lines')}
assert (file, line) in hits and (file, unknown) not in hits and (file, uncounted) not in hits
known = {(r['of'], r['file'], r['line'] if r['of'] == 'line' else r['procedure']): r for r in
         csv.DictReader(open('marked.csv', newline='')) if r['measure'] in ('count', 'calls') and r['of'] in ('line', 'procedure')}
assert known['line', file, line]['how'] == 'at least' == known['procedure', file, name]['how']
assert ('line', file, uncounted) not in known
END
"$cgview" export --format callgrind -o prof.cg prof.db
[ "$(sed -n 's/^desc: Note: \([0-9]*\) counts of calls are estimates$/\1/p' prof.cg)" = \
	"$("$cgview" report --format csv --sql "SELECT count(*) FROM arc a JOIN procedure e ON e.id = a.callee
		WHERE how IN ('estimated', 'pinned') AND NOT e.is_foreign" prof.db | tr -d '\r' | sed 1d)" ]
verdict $? 'callgrind: its head tells how many counts are estimates'

# Folded stacks against the tree of calls that report prints.
"$cgview" export --format folded --measure time prof.db > out.folded
"$cgview" report --sql 'SELECT sum(self_ns) FROM context' --format csv prof.db | tr -d '\r' | sed 1d > sum
check 'folded: the sum of all stacks' [ "$(awk '{ n += $NF } END { printf "%.0f\n", n }' out.folded)" = "$(cat sum)" ]
