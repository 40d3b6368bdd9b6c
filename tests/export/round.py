"""round.py CGVIEW A.db NAME [FIGURE]: what is exported and imported again is what it was, as far as the format can hold
it. FIGURE: the column of contexts that the stacks have, where that is another one than samples and time.

Both profiles are read with SQLite's own reader; what a format changes on purpose (a semicolon in a name of folded
stacks) is done here by hand.
"""
import collections, csv, os, sqlite3, subprocess, sys, xml.etree.ElementTree

cgview, path, called = sys.argv[1:4]
figure = sys.argv[4] if len(sys.argv) > 4 else None
failed = False


def verdict(name, wanted, got):
    global failed
    if wanted == got and wanted:
        print('ok - %s: %s (%d)' % (called, name, len(wanted)))
        return
    failed = True
    for key in [k for k in sorted(set(wanted) | set(got), key=repr) if wanted.get(k) != got.get(k)][:5]:
        print('# %r: wanted %r, got %r' % (key, wanted.get(key), got.get(key)))
    print('not ok - %s: %s' % (called, name))


def opened(db):
    return sqlite3.connect('file:%s?mode=ro' % db, uri=True)


def there_and_back(fmt, *options):
    subprocess.run([cgview, 'export', '--format', fmt, '-o', 'round.out', *options, path], check=True)
    if os.path.exists('round.db'):
        os.remove('round.db')
    subprocess.run([cgview, 'import', '-o', 'round.db', 'round.out'], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return opened('round.db')


def summed(rows):
    sums = collections.Counter()
    for *key, value in rows:
        sums[tuple(key)] += value or 0
    return {k: v for k, v in sums.items() if v}


def column(db, table, name):
    """The measure NAME, whichever table has it."""
    return next((row[1] for row in db.execute('PRAGMA table_info(%s)' % table) if row[1] == name), None)


A = opened(path)
has_stacks = A.execute('SELECT count(*) FROM context').fetchone()[0]
timed = A.execute("SELECT count(*) FROM sqlite_master WHERE name = 'track'").fetchone()[0] and \
    A.execute('SELECT count(*) FROM track').fetchone()[0]
has_time = A.execute('SELECT sum(self_ns) FROM procedure').fetchone()[0]


def shown(name):
    """As formats of text have a name: what may harm a terminal is visible."""
    out = ''
    for c in name:
        n = ord(c)
        if n < 32 or n == 127:
            out += '^' + chr(n ^ 64)
        elif 128 <= n < 160:
            out += '<%02X>' % n
        elif n in (0x202e, 0x200b):
            out += '<U+%04X>' % n
        else:
            out += c
    return out


def paths(db, column, lines=False, change=lambda name: name, leaves=True):
    """Figures of the paths of names; LINES: with the line of each call, and, LEAVES, of the leaf."""
    sums, at = collections.Counter(), {}
    for i, parent, name, pfile, sfile, line, bfile, bline, value in db.execute(
            'SELECT c.id, c.parent, coalesce(p.name, "(unprofiled)"), p.file, s.file, s.line, b.file, b.line, c.%s '
            'FROM context c LEFT JOIN procedure p ON p.id = c.procedure LEFT JOIN call_site s ON s.id = c.site '
            'LEFT JOIN block b ON b.id = c.block ORDER BY c.id' % column):
        above = at.get(parent, ((), None))
        path, own = above
        if lines and path:
            path = path[:-1] + ((path[-1][0], line if sfile == own and sfile is not None else None),)
        at[i] = (path + ((change(name), None),), pfile)
        leaf = at[i][0]
        if lines and leaves and bline is not None and bfile == pfile:
            leaf = leaf[:-1] + ((leaf[-1][0], bline),)
        sums[leaf] += value
    return {k: v for k, v in sums.items() if v}


if has_stacks:
    B = there_and_back('folded')
    verdict('folded: figures of each path',
            paths(A, figure or 'self_samples', change=lambda n: shown(n).replace(';', ':')),
            paths(B, column(B, 'context', 'self_event_samples') or 'self_samples'))
    B = there_and_back('pprof')
    for of in [figure] if figure else ['self_samples', 'self_ns']:
        verdict('pprof: %s of each path with its lines' % of, paths(A, of, True, shown), paths(B, of, True))
    if not figure:
        places = 'SELECT p.name, f.path, p.line FROM procedure p JOIN file f ON f.id = p.file WHERE p.total_samples > 0'
        verdict('pprof: where procedures are', {(shown(n), shown(f), l): 1 for n, f, l in A.execute(places)},
                {row: 1 for row in B.execute(places)})
        if A.execute('SELECT sum(self_wait_ns) FROM context').fetchone()[0]:
            verdict('pprof: waiting of each path with its lines', paths(A, 'self_wait_ns', True, shown),
                    paths(B, 'self_event_wait', True))
        if timed:
            B = there_and_back('firefox')
            for of in 'self_samples', 'self_ns':
                # Leaves have the lines of the samples.
                verdict('firefox: %s of each path with lines' % of, paths(A, of, True, leaves=False),
                        paths(B, of, True, leaves=False))
            verdict('firefox: where procedures are', {row: 1 for row in A.execute(places)},
                    {row: 1 for row in B.execute(places)})
            verdict('firefox: threads', {row: 1 for row in A.execute('SELECT pid, tid, samples FROM track WHERE samples')},
                    {row: 1 for row in B.execute('SELECT pid, tid, samples FROM track')})
        B = there_and_back('speedscope')
        verdict('speedscope: time of each path', paths(A, 'self_ns'), paths(B, 'self_ns'))

# Lines that are in no file stand at the line of their procedure.
BLOCKS = '''SELECT p.name, coalesce(bf.path, pf.path), iif(b.file IS NULL, p.line, b.line), b.%s FROM block b
    JOIN procedure p ON p.id = b.procedure LEFT JOIN file bf ON bf.id = b.file LEFT JOIN file pf ON pf.id = p.file
    WHERE coalesce(bf.path, pf.path) IS NOT NULL'''
ARCS = '''SELECT coalesce(r.name, '(outside)'), s.line, e.name, a.%s FROM arc a JOIN procedure e ON e.id = a.callee
    LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through) LEFT JOIN procedure r ON r.id = s.procedure
    WHERE NOT e.is_foreign AND NOT coalesce(r.is_foreign, 0)'''


def named(rows):
    return summed(([shown(x) if isinstance(x, str) else x for x in row]) for row in rows)


B = there_and_back('callgrind')
columns = {row[1] for row in B.execute('PRAGMA table_info(block)')}
if 'self_exec' in columns:
    verdict('callgrind: executions of lines', named(A.execute(BLOCKS % 'count')), summed(B.execute(BLOCKS % 'self_exec')))
if has_time:
    # What is in no block is at the line of its procedure.
    wanted = collections.Counter(named(A.execute(BLOCKS % 'self_ns')))
    rest = collections.Counter(named(A.execute('SELECT id, self_ns FROM procedure'))) - \
        collections.Counter(named(A.execute('SELECT procedure, sum(self_ns) FROM block GROUP BY 1')))
    for (i,), n in rest.items():
        for row in A.execute('SELECT p.name, f.path, p.line FROM procedure p JOIN file f ON f.id = p.file '
                             'WHERE p.id = ?', (i,)):
            wanted[tuple(shown(x) if isinstance(x, str) else x for x in row)] += n
    verdict('callgrind: times of lines', dict(wanted), summed(B.execute(BLOCKS % 'self_time__ns')))
    total = 'SELECT "sum", sum(%s) FROM procedure'
    verdict('callgrind: the sum', summed(A.execute(total % 'self_ns')), summed(B.execute(total % 'self_time__ns')))
if not figure:
    verdict('callgrind: counts of calls', named(A.execute(ARCS % 'count')), summed(B.execute(ARCS % 'count')))

counted = A.execute('SELECT count(*) FROM line WHERE count OR lacking = 0').fetchone()[0]
LINES = 'SELECT f.path, l.line, l.count + 1 FROM line l JOIN file f ON f.id = l.file WHERE l.count OR l.lacking = 0'
CALLS = '''SELECT coalesce(nullif(p.linkage_name, ''), p.name), f.path%s, sum(p.calls) + 1 FROM procedure p
    JOIN file f ON f.id = p.file WHERE NOT p.is_foreign AND (p.calls OR p.lacking = 0) GROUP BY p.file, p.line, 1'''
if counted:
    for fmt, place in ('lcov', ''), ('lcov2', ''), ('gcov', ', p.line, p.column, p.end_line, p.end_column'):
        B = there_and_back(fmt)
        text = shown if fmt != 'gcov' else lambda s: s
        read = lambda db, q, t: summed([t(x) if isinstance(x, str) else x for x in row] for row in db.execute(q))
        verdict(fmt + ': counts of lines', read(A, LINES, text), read(B, LINES, str))
        verdict(fmt + ': calls of functions', read(A, CALLS % place, text), read(B, CALLS % place, str))
    subprocess.run([cgview, 'export', '--format', 'cobertura', '--root', '/nowhere', '-o', 'round.out', path], check=True)
    root = xml.etree.ElementTree.parse('round.out').getroot()
    verdict('cobertura: hits of lines', named(A.execute(LINES)), summed(
        (c.get('filename'), int(l.get('number')), int(l.get('hits')) + 1)
        for c in root.iter('class') for l in c.find('lines')))
    hit, valid = A.execute('SELECT count(*) FILTER (WHERE count), count(*) FROM line WHERE count OR lacking = 0').fetchone()
    verdict('cobertura: sums', {1: (str(hit), str(valid))}, {1: (root.get('lines-covered'), root.get('lines-valid'))})

subprocess.run([cgview, 'export', '--format', 'csv', '-o', 'round.out', path], check=True)
rows = list(csv.DictReader(open('round.out', newline='', encoding='utf-8')))
table = lambda of, measure, column: sum(int(r[column] or 0) for r in rows if r['of'] == of and r['measure'] == measure)
verdict('csv: sums', dict(enumerate(A.execute(
    'SELECT (SELECT sum(self_ns) FROM procedure), (SELECT sum(total_ns) FROM procedure), (SELECT coalesce(sum(count), 0) FROM line), '
    '(SELECT sum(calls) FROM procedure), (SELECT coalesce(sum(count), 0) FROM arc)').fetchone())),
    dict(enumerate((table('procedure', 'time', 'self'), table('procedure', 'time', 'total'),
                    table('line', 'count', 'self'), table('procedure', 'calls', 'self'),
                    table('call', 'calls', 'self') + table('call from outside', 'calls', 'self')))))
verdict('csv: estimates have their range', {0: True}, {0: all(
    r['least'] and int(r['least']) <= int(r['self']) <= int(r['most']) for r in rows if r['how'] == 'estimated')})
sys.exit(failed)
