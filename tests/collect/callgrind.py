#!/usr/bin/env python3
"""Compares a profile that was made of callgrind's or cachegrind's files with what the tool's own printer says of them.

callgrind.py annotate PROFILE FILE     self by file and function, and calls by pair, of callgrind_annotate
callgrind.py inclusive PROFILE FILE    total by procedure, of callgrind_annotate --inclusive=yes
callgrind.py cachegrind PROFILE FILE   all events by file and function, of cg_annotate

Prints "ROWS rows, N differ", and the first that do."""
import collections
import os
import re
import sqlite3
import subprocess
import sys


def run(*command):
    # They take the directory that they run in off the paths of some rows, but not of others.
    return subprocess.run(command, capture_output=True, text=True, errors='surrogateescape', cwd='/').stdout


def number(text):
    return int(text.replace(',', ''))


def base(name):
    """Without level of recursion."""
    return re.sub(r"(.)'.*", r'\1', name)


def shown(path, name):
    return '%s:%s' % (path or '???', name or '???')


def tell(tool, ours):
    keys = {k for k in set(tool) | set(ours) if tool.get(k, 0) != ours.get(k, 0)}
    print('%d rows, %d differ' % (len(tool), len(keys)))
    for k in sorted(keys, key=str)[:8]:
        print('  %s: tool %s, profile %s' % (k, tool.get(k, 0), ours.get(k, 0)))


ROW = re.compile(r'\s*([\d,]+) \([ \d.]+%\)\s+(\S.*)$')


def rows_of(text):
    for line in text.splitlines():
        m = ROW.match(line)
        if m and 'PROGRAM TOTALS' not in line:
            yield number(m.group(1)), re.sub(r' \[[^\]]*\]$', '', m.group(2))


def annotate(db, path):
    event = db.execute('SELECT label FROM measure ORDER BY id LIMIT 1 OFFSET 6').fetchone()[0]
    column = db.execute('SELECT name FROM measure ORDER BY id LIMIT 1 OFFSET 6').fetchone()[0]
    tool, ours = collections.Counter(), collections.Counter()
    for cost, name in rows_of(run('callgrind_annotate', '--threshold=100', '--auto=no', '--show=' + event, path)):
        file, _, function = name.partition(':')
        tool[file + ':' + base(function)] += cost
    known = collections.Counter()
    for file, name, procedure, cost in db.execute('SELECT f.path, p.linkage_name, p.id, sum(b.self_%s) FROM block b '
            'JOIN procedure p ON p.id = b.procedure JOIN range r ON r.block = b.id JOIN file f ON f.id = r.file '
            'GROUP BY f.path, p.id' % column):
        ours[shown(file, name)] += cost or 0
        known[procedure] += cost or 0
    # What is on no line that is known is the procedure's alone.
    for procedure, file, name, cost in db.execute('SELECT p.id, f.path, p.linkage_name, p.self_%s FROM procedure p '
            'LEFT JOIN file f ON f.id = p.file' % column):
        ours[shown(file, name)] += (cost or 0) - known[procedure]
    tell(+tool, +ours)
    tool, ours = collections.Counter(), collections.Counter()
    current = None
    for line in run('callgrind_annotate', '--threshold=100', '--auto=no', '--tree=calling', '--show=' + event,
                    path).splitlines():
        m = re.match(r'\s*[\d,]+ \([ \d.]+%\)\s+([*<>])\s+(.*)$', line)
        if not m:
            continue
        name = re.sub(r' \[[^\]]*\]$', '', m.group(2))
        if m.group(1) == '*':
            current = base(name.partition(':')[2])
        elif m.group(1) == '>':
            m = re.match(r'(.*) \(([\d,]+)x\)$', name)
            tool[current, base(m.group(1).partition(':')[2])] += number(m.group(2))
    for caller, callee, count in db.execute('SELECT a.linkage_name, b.linkage_name, sum(c.count) FROM arc c '
            'JOIN procedure a ON a.id = c.caller JOIN procedure b ON b.id = c.callee GROUP BY 1, 2'):
        ours[caller or '???', callee or '???'] += count
    tell(+tool, +ours)


def inclusive(db, path):
    event, column = db.execute('SELECT label, name FROM measure ORDER BY id LIMIT 1 OFFSET 6').fetchone()
    tool, ours = collections.Counter(), collections.Counter()
    for cost, name in rows_of(run('callgrind_annotate', '--threshold=100', '--auto=no', '--inclusive=yes',
                                  '--show=' + event, path)):
        function = name.partition(':')[2]
        if base(function) == function:
            tool[name] += cost
    for file, name, cost in db.execute('SELECT f.path, p.linkage_name, p.total_%s FROM procedure p '
            'LEFT JOIN file f ON f.id = p.file' % column):
        ours[shown(file, name)] += cost or 0
    # What is called and begins a thread, too, has no row for the latter: it has what it and its callees cost.
    for file, name, cost in db.execute('SELECT f.path, p.linkage_name, p.total_%s FROM procedure p LEFT JOIN file f '
            'ON f.id = p.file WHERE p.total_%s = p.self_%s' % (column, column, column)):
        if tool[shown(file, name)] < cost:
            tool[shown(file, name)] = cost
    # Its rows are of each file that lines of a function are in; the function's own has all.
    tell(+collections.Counter({k: tool[k] for k in tool if k in ours}), +ours)


def cachegrind(db, path):
    events = db.execute('SELECT label, name FROM measure WHERE formula IS NULL AND id > 6 ORDER BY id').fetchall()
    tool, ours = {}, {}
    # Since 3.21 functions stand below their file, or behind it if there is one, and once more by function.
    file, wanted = None, True
    for line in run('cg_annotate', '--threshold=0', '--auto=no', '--show=' + ','.join(e[0] for e in events),
                    path).splitlines():
        if line.startswith('-- '):
            wanted = 'File:function' in line
        words = re.match(r'([<>]?) *((?:[\d,]+ +\([ \d.,%]+\)\s+|0\s+)+)(\S.*)$', line)
        if not words or not wanted or 'PROGRAM TOTALS' in line:
            continue
        costs = [number(n) for n in re.findall(r'([\d,]+)(?: +\([ \d.,%]+\))?\s', words.group(2))]
        name = words.group(3)
        if words.group(1) == '<':
            file = name[:-1] if name.endswith(':') else None
            if file:
                continue
        elif file:
            name = '%s:%s' % (file, name)
        if len(costs) == len(events) and any(costs):
            tool[name] = tuple(costs)
    columns = ', '.join('coalesce(p.self_%s, 0)' % e[1] for e in events)
    for row in db.execute('SELECT f.path, p.linkage_name, %s FROM procedure p LEFT JOIN file f ON f.id = p.file'
                          % columns):
        if any(row[2:]):
            ours[shown(row[0], row[1])] = row[2:]
    tell(tool, ours)


{'annotate': annotate, 'inclusive': inclusive, 'cachegrind': cachegrind}[sys.argv[1]](
    sqlite3.connect(sys.argv[2]), os.path.abspath(sys.argv[3]))
