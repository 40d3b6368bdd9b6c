"""kept.py CGVIEW SUM.db RAW...: has each run of one raw file the calls that its raw file alone has?"""
import sqlite3, subprocess, sys

OWN = ('main', 'one', 'two', 'thread', 'sorted', 'by_size')
cgview, profile, raws = sys.argv[1], sys.argv[2], sys.argv[3:]

def calls(db, runs=()):
    out = subprocess.run([cgview, 'report', '--format', 'csv', *runs, db], capture_output=True, text=True, check=True).stdout
    rows = [line.split(',') for line in out.splitlines()]
    name, count = rows[0].index('procedure'), rows[0].index('calls')
    return sorted((r[name], r[count]) for r in rows[1:] if r[count] not in ('', '0') and r[name] in OWN)

alone = {}
for raw in raws:
    subprocess.run([cgview, 'import', '-o', 'alone.db', raw], check=True, capture_output=True)
    alone[sqlite3.connect('alone.db').execute('SELECT raws FROM run').fetchone()[0]] = calls('alone.db')
compared = 0
for run, ids in sqlite3.connect(profile).execute('SELECT id, raws FROM run').fetchall():
    if ids in alone:
        got = calls(profile, ('--runs', str(run)))
        assert got == alone[ids] and len(got) > 3, (run, got, alone[ids])
        compared += 1
assert compared == 3, compared
