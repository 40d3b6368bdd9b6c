#!/bin/bash
# cgview export --format html. Without a browser: its elements, its policy, its data against what report says
# (page.py). With Chromium, if it and node's playwright-core are there: clicks, keys, search, links to lines, no
# complaint, no request, hostile names, a page without a script (page-browser.js).
. tests/db/lib.sh
need python3 sqlite3
cd "$TMP_DIR" || exit 1
export CGVIEW=$cgview
page() # page NAME DB SOURCES OPTIONS...
{
	local name=$1 db=$2 sources=$3
	shift 3
	"$cgview" export --format html "$@" -o "$name.html" "$db" || verdict 1 "a page of $db"
	check "$name: elements, policy, data" python3 "$top/tests/export/page.py" "$name.html" "$db" "$sources"
}

"$make_profile" prof.db --procedures 300 --ranges 6000 --lines 6000 --files 5 || exit 1
"$make_profile" odd.db --odd --procedures 60 --ranges 1000 --lines 1000 || exit 1
page prof prof.db ran
page all prof.db all --all
page none prof.db none --sources none
page odd odd.db ran
check 'without sources none of them is there' python3 - none.html prof.db <<- 'PYTHON'
	import sqlite3, subprocess, sys, os
	page = open(sys.argv[1]).read()
	out = subprocess.run([os.environ['CGVIEW'], 'annotate', sys.argv[2]], stdout=subprocess.PIPE).stdout.decode()
	lines = {l.split(' |', 1)[1][6:].strip() for l in out.splitlines() if ' |' in l}
	lines = {l for l in lines if len(l) > 12}
	assert len(lines) > 100, len(lines)
	found = [l for l in lines if l in page]
	assert not found, found[:3]
PYTHON

# Names and texts that would end what they stand in.
"$cgview" report --sql 'SELECT 1' prof.db > /dev/null || exit 1
cp prof.db hostile.db
sqlite3 hostile.db "UPDATE procedure SET name = '</script><script>alert(1)</script><!--' WHERE id = 2;
	UPDATE procedure SET name = '<img src=x onerror=alert(2)>' || char(8232) || '&lt;' WHERE id = 3;
	UPDATE file SET path = '/tmp/a\"b<i>''&amp;#:1/' || char(8238) || 'x.c' WHERE id = 1;
	UPDATE run SET command = '</title><script>alert(3)</script>', clock = '<b>' || char(27) || '[31m;x'"
page hostile hostile.db ran
check 'a hostile name begins no element' python3 - hostile.html <<- 'PYTHON'
	import sys
	page = open(sys.argv[1]).read()
	assert '<script>alert' not in page and '<img' not in page and '<i>\'' not in page
	assert page.count('<script') == page.count('</script>')
PYTHON
"$cgview" report hostile.db > out.txt
check '... and the clock writes no escape to a terminal' python3 -c 'assert b"\x1b" not in open("out.txt", "rb").read()'

# Two profiles: the ledger, verdicts.
cp prof.db after.db
sqlite3 after.db 'UPDATE block SET count = count * 3 WHERE procedure = 5; UPDATE procedure SET calls = calls * 3 WHERE id = 5'
"$cgview" export --format html -o changed.html prof.db after.db
check 'two profiles: elements, policy, data' python3 "$top/tests/export/page.py" changed.html after.db
"$cgview" diff --by cause prof.db after.db > cause.txt
"$cgview" diff --format csv prof.db after.db > diff.csv
check 'its ledger and its rows are those of diff' python3 - changed.html cause.txt diff.csv <<- 'PYTHON'
	import csv, html, json, re, sys
	page, cause = open(sys.argv[1]).read(), open(sys.argv[2]).read()
	ledger = html.unescape(re.sub('<[^>]*>', ' ', re.search('<section id=ledger>.*?</section>', page, re.S)[0]))
	words = ' '.join(ledger.split())
	total = [l for l in cause.splitlines() if 'a run' in l][0]
	assert ' '.join(total.split()) in words, (total, words[:300])
	for line in re.findall(r'(?:MORE WORK|LESS WORK|DEARER EACH|CHEAPER EACH|NEW|GONE) +(\S+)', cause):
	    assert line in words, line
	data = json.loads(re.search('<script type="application/json" id=data>(.*?)</script>', page, re.S)[1])
	table = data['compared']
	heads = [h[0] for h in table['heads']]
	rows = list(csv.DictReader(open(sys.argv[3], newline='')))
	assert len(rows) == len(table['rows']) == table['all']
	at = 3 + heads.index('procedure')
	value = 3 + heads.index('result')
	key = lambda c: c[0] if isinstance(c, list) else c or 0
	shown = sorted((r[at], round(key(r[value]), 3)) for r in table['rows'])
	wanted = sorted((r['procedure'], round(float(r['value'] or 0), 3)) for r in rows)
	assert shown == wanted, [x for x in zip(shown, wanted) if x[0] != x[1]][:3]
	assert any(r[value] != 0 for r in table['rows'])
PYTHON
"$cgview" export --format folded prof.db after.db > out 2> err < /dev/null
[ $? = 2 ] && grep -q 'one profile at a time' err
verdict $? 'another format takes one profile'

# The same bytes each time, and the script is one that a program can read.
"$cgview" export --format html -o again.html prof.db
check 'the same profile, the same bytes' cmp prof.html again.html
size=$(stat -c %s prof.html)
check 'it is not large' [ "$size" -lt 3000000 ]

if ! command -v node > /dev/null; then
	echo 'skip - the script: node is not installed'
	exit 0
fi
check 'node reads the script' node --check "$top/src/print/export/html/page.js"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
modules=$build/viewers/node_modules
if [ -z "$chromium" ]; then
	echo 'skip - in a browser: chromium is not installed (make viewers)'
elif ! [ -e "$modules/playwright-core" ]; then
	echo 'skip - in a browser: playwright-core is not installed (make viewers)'
else
	# As root it would make the folder that is nowhere for the tests.
	HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_CACHE_HOME=$PWD NODE_PATH=$modules node "$top/tests/export/page-browser.js" "$chromium" "$PWD"
fi
