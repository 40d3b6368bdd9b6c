"""times.py CGVIEW A.db NAME: formats with the time of each sample, read as their documentation says, by hand.

Firefox: src/types/profile.ts of firefox-devtools/profiler at version 61 of the processed format. The others: the type
Profile of V8's inspector protocol; a sample lasts until the next one.
"""
import collections, json, sqlite3, subprocess, sys, urllib.parse

cgview, path, called = sys.argv[1:4]
A = sqlite3.connect('file:%s?mode=ro' % path, uri=True)
failed = False


def verdict(name, wanted, got):
    global failed
    good = wanted == got and bool(wanted)
    failed |= not good
    if not good and isinstance(wanted, dict):
        for key in [k for k in sorted(set(wanted) | set(got), key=repr) if wanted.get(k) != got.get(k)][:5]:
            print('# %r: wanted %r, got %r' % (key, wanted.get(key), got.get(key)))
    elif not good:
        print('# wanted %r, got %r' % (wanted, got))
    print('%s - %s: %s' % ('ok' if good else 'not ok', called, name))


def export(fmt, *options):
    out = subprocess.run([cgview, 'export', '--format', fmt, *options, path], check=True, stdout=subprocess.PIPE).stdout
    return json.loads(out.decode('ascii'))


def ns(ms):
    return round(ms * 1000000)


def paths(column):
    """Figures of the paths of names, as the profile has them."""
    sums, at = collections.Counter(), {}
    for i, parent, name, value in A.execute('SELECT c.id, c.parent, coalesce(p.name, "(unprofiled)"), c.%s FROM context c '
                                            'LEFT JOIN procedure p ON p.id = c.procedure ORDER BY c.id' % column):
        at[i] = at.get(parent, ()) + (name,)
        sums[at[i]] += value
    return {k: v for k, v in sums.items() if v}


# ---- Firefox ----

TABLES = {
    'stackTable': 'frame prefix', 'resourceTable': 'name lib host type',
    'frameTable': 'address inlineDepth category subcategory func nativeSymbol innerWindowID line column',
    'funcTable': 'name isJS relevantForJS resource source lineNumber columnNumber',
    'nativeSymbols': 'libIndex address name functionSize', 'sources': 'id filename startLine startColumn sourceMapURL'}
SAMPLES = {'stack', 'time', 'weight', 'threadCPUDelta'}
MARKERS = {'data', 'name', 'startTime', 'endTime', 'phase', 'category'}


def table(t, columns, more=()):
    assert set(t) == set(columns) | set(more) | {'length'}, sorted(t)
    assert all(len(t[c]) == t['length'] for c in columns), {c: len(t[c]) for c in columns}


def within(values, nr, *not_there):
    assert all(v in not_there or (isinstance(v, int) and 0 <= v < nr) for v in values), nr


def check_firefox(p):
    """Is it what the documentation says?"""
    meta, shared = p['meta'], p['shared']
    assert meta['preprocessedProfileVersion'] == 61 and meta['interval'] > 0 and meta['startTime'] >= 0
    assert meta['processType'] == 0 and meta['stackwalk'] == 1 and isinstance(meta['product'], str)
    assert any(c['color'] == 'grey' for c in meta['categories'])
    assert all(c['subcategories'][0] == 'Other' for c in meta['categories'])
    for name, columns in TABLES.items():
        table(shared[name], columns.split())
    texts = shared['stringArray']
    assert len(texts) == len(set(texts)) and all(isinstance(t, str) for t in texts)
    stacks, frames, funcs = shared['stackTable'], shared['frameTable'], shared['funcTable']
    within(stacks['frame'], frames['length'])
    assert all(prefix is None or 0 <= prefix < i for i, prefix in enumerate(stacks['prefix']))
    assert len(set(zip(stacks['frame'], stacks['prefix']))) == stacks['length']
    within(frames['func'], funcs['length'])
    within(frames['category'], len(meta['categories']))
    assert all(line is None or line > 0 for line in frames['line'] + funcs['lineNumber'] + funcs['columnNumber'])
    within(funcs['name'], len(texts))
    within(funcs['resource'], shared['resourceTable']['length'], -1)
    within(funcs['source'], shared['sources']['length'], None)
    within(shared['resourceTable']['name'] + shared['sources']['filename'], len(texts))
    within(shared['resourceTable']['lib'], len(p['libs']))
    assert all({'arch', 'name', 'path', 'debugName', 'debugPath', 'breakpadId', 'codeId'} == set(l) for l in p['libs'])
    for t in p['threads']:
        s, m = t['samples'], t['markers']
        assert isinstance(t['pid'], str) and isinstance(t['tid'], int) and isinstance(t['name'], str) and t['name']
        table(s, SAMPLES, ['weightType'])
        table(m, MARKERS)
        assert s['weightType'] == 'tracing-ms' and s['time'] == sorted(s['time'])
        within(s['stack'], stacks['length'], None)
        within(m['name'], len(texts))
        assert set(m['phase']) <= {1} and all(a <= b for a, b in zip(m['startTime'], m['endTime']))
        for d in m['data']:
            within([d['cause']['stack']] if 'cause' in d else [], stacks['length'])
    return p


def names(p, stack):
    shared, path = p['shared'], []
    while stack is not None:
        func = shared['frameTable']['func'][shared['stackTable']['frame'][stack]]
        path.insert(0, shared['stringArray'][shared['funcTable']['name'][func]])
        stack = shared['stackTable']['prefix'][stack]
    return tuple(path)


def thread_rows(p):
    """Each sample and each wait: thread, begin and length in ns, path, category of the leaf."""
    samples, waits = [], []
    for t in p['threads']:
        s, m, of = t['samples'], t['markers'], (t['pid'], t['tid'])
        for stack, time, weight, cpu in zip(s['stack'], s['time'], s['weight'], s['threadCPUDelta']):
            frame = stack is not None and p['shared']['stackTable']['frame'][stack]
            kind = p['meta']['categories'][p['shared']['frameTable']['category'][frame]]['name'] if stack is not None else ''
            assert cpu == ns(weight)
            samples.append((of, ns(time), ns(weight), names(p, stack), kind))
        for data, begin, end in zip(m['data'], m['startTime'], m['endTime']):
            waits.append((of, ns(begin), ns(end), names(p, data['cause']['stack'] if 'cause' in data else None)))
    return samples, waits


firefox = check_firefox(export('firefox'))
samples, waits = thread_rows(firefox)
verdict('firefox: samples of each path', paths('self_samples'), dict(collections.Counter(s[3] for s in samples)))
sums = collections.Counter()
for s in samples:
    sums[s[3]] += s[2]
verdict('firefox: time of each path', paths('self_ns'), {k: v for k, v in sums.items() if v})
if paths('self_wait_ns'):
    sums = collections.Counter()
    for of, begin, end, names_ in waits:
        sums[names_] += end - begin
    verdict('firefox: waiting of each path', paths('self_wait_ns'), {k: v for k, v in sums.items() if v})
verdict('firefox: threads', {(str(pid), tid): (n, w) for pid, tid, n, w in A.execute('SELECT pid, tid, samples, waits FROM track')},
        {(t['pid'], t['tid']): (t['samples']['length'], t['markers']['length']) for t in firefox['threads']})

# A span is what has its time in it; of a wait, the part that lies in it.
last = max(s[1] for s in samples) // 1000
a, b = last // 4, last // 4 * 3
part, part_waits = thread_rows(check_firefox(export('firefox', '--span', '%dus,%dus' % (a, b))))
verdict('firefox: a span of the samples', sorted(s for s in samples if a * 1000 <= s[1] < b * 1000), sorted(part))
cut = sorted((of, max(begin, a * 1000), min(end, b * 1000), n) for of, begin, end, n in waits
             if min(end, b * 1000) > max(begin, a * 1000))
if cut:
    verdict('firefox: a span of the waits', cut, sorted(part_waits))

# ---- V8 ----


def check_v8(nodes, samples, deltas):
    """Returns for each node its path of names; how long it was in each path, in us."""
    path, us = {}, collections.Counter()
    assert len(samples) == len(deltas) and all(isinstance(d, int) and d >= 0 for d in deltas) and deltas[0] == 0
    for n in nodes:
        name = n['callFrame']['functionName']
        path[n['id']] = path[n['parent']] + (name,) if 'parent' in n else ()
    assert len(path) == len(nodes)
    for node, length in zip(samples, deltas[1:]):
        us[path[node]] += length
    assert path[samples[-1]] == ('(idle)',)
    return path, us


def near(wanted, got, hits):
    """Each sample may be cut by less than a microsecond at both ends."""
    return {k: wanted[k] for k in wanted if abs(wanted[k] - got[k] * 1000) > hits[k] * 1000}


hits, wanted = paths('self_samples'), paths('self_ns')
threads = [t for t in firefox['threads'] if t['samples']['length']]
if len(threads) == 1:
    p = export('cpuprofile')
    ids = {n['id']: n for n in p['nodes']}
    assert len(ids) == len(p['nodes']) and p['nodes'][0]['callFrame']['functionName'] == '(root)'
    for n in p['nodes']:
        for child in n['children']:
            assert 'parent' not in ids[child]
            ids[child]['parent'] = n['id']
    at, us = check_v8(p['nodes'], p['samples'], p['timeDeltas'])
    verdict('cpuprofile: samples of each path', hits, {at[n['id']]: n['hitCount'] for n in p['nodes'] if n['hitCount']})
    verdict('cpuprofile: time of each path, in us', [{}], [near(wanted, us, hits)])
    verdict('cpuprofile: its length', p['endTime'] - p['startTime'], sum(p['timeDeltas']))
    foreign = '' if A.execute('SELECT tool FROM run').fetchone()[0] is None else 'of another tool'
    # What a library did is on the line that called it, too, and has none of its own.
    most = {(f, l): n for f, l, n in A.execute('SELECT f.path, l.line, l.self_samples FROM line l JOIN file f ON f.id = l.file')}
    got = collections.Counter()
    for n in p['nodes']:
        for t in n.get('positionTicks', []):
            got[urllib.parse.unquote(n['callFrame']['url']).replace('file://', '', 1), t['line']] += t['ticks']
    verdict('cpuprofile: samples of each line', {0: 0, **{k: n for k, n in got.items() if n <= most[k]}}, {0: 0, **got})
    own = A.execute('SELECT sum(c.self_samples) FROM context c JOIN procedure p ON p.id = c.procedure %s WHERE p.file AND '
                    'NOT p.is_foreign' % (foreign and 'JOIN block b ON b.id = c.block AND b.file = p.file')).fetchone()[0]
    verdict('cpuprofile: all samples of the program have a line', (own or 0,), (sum(got.values()),))
    leaves = collections.Counter()
    shared = firefox['shared']
    for t in firefox['threads']:
        for stack in t['samples']['stack']:
            frame = shared['stackTable']['frame'][stack] if stack is not None else None
            if frame is not None and shared['frameTable']['line'][frame]:
                source = shared['funcTable']['source'][shared['frameTable']['func'][frame]]
                leaves[shared['stringArray'][shared['sources']['filename'][source]], shared['frameTable']['line'][frame]] += 1
    verdict('firefox: the same lines', {**got, 0: 0}, {**leaves, 0: 0})
    places = {(n, f, l - 1, c - 1) for n, f, l, c in A.execute(
        'SELECT p.name, f.path, p.line, p.column FROM procedure p JOIN file f ON f.id = p.file')}
    got = {(n['callFrame']['functionName'], urllib.parse.unquote(n['callFrame']['url']).replace('file://', '', 1),
            n['callFrame']['lineNumber'], n['callFrame']['columnNumber']) for n in p['nodes'] if n['callFrame']['url']}
    verdict('cpuprofile: where procedures are', {k: 1 for k in got}, {k: 1 for k in got & places})
else:
    out = subprocess.run([cgview, 'export', '--format', 'cpuprofile', path], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    verdict('cpuprofile: several threads are refused in a line', (1, b'', 1),
            (out.returncode, out.stdout, out.stderr.count(b'\n')))

us, dur, ids = collections.Counter(), 0, set()
named = set()
for event in export('chrome')['traceEvents']:
    args = event.get('args', {})
    if event['name'] == 'thread_name':
        named.add((str(event['pid']), event['tid'], args['name']))
    elif event['name'] == 'ProfileChunk':
        assert (event['pid'], event['tid'], event['id']) in ids
        data = args['data']
        at, of = check_v8(data['cpuProfile']['nodes'], data['cpuProfile']['samples'], data['timeDeltas'])
        us.update(of)
    elif event['name'] == 'Profile':
        ids.add((event['pid'], event['tid'], event['id']))
        assert args['data']['startTime'] == event['ts']
    elif event['name'] == 'wait':
        dur += round(event['dur'] * 1000)
verdict('chrome: time of each path, in us', [{}], [near(wanted, us, hits)])
verdict('chrome: its threads', {(t['pid'], t['tid'], t['name']) for t in firefox['threads']}, named)
verdict('chrome: waiting', (sum(end - begin for _, begin, end, _ in waits),), (dur,))
sys.exit(failed)
