"""Checks a page of `cgview export --format html` without a browser: page.py PAGE DB [ran|all|none]. What it shows is
compared with what `cgview report --format csv` and sqlite3 say of the same profile."""
import base64
import csv
import hashlib
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import zlib

page, db, sources = sys.argv[1], sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else 'ran'
cgview = os.environ['CGVIEW']
text = open(page, encoding='utf-8').read()


class Reader(html.parser.HTMLParser):
    """Collects elements, and complains about attributes that the policy would not let work."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements, self.inside, self.texts, self.policy, self.scripts, self.styles = [], [], [], None, [], []

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        self.elements.append((tag, a))
        for name, value in a.items():
            assert not name.startswith('on') and name != 'style', (tag, a)
            if name in ('src', 'action', 'xlink:href', 'data', 'poster', 'srcset'):
                raise AssertionError((tag, a))
            if name == 'href':
                assert value.startswith('#'), value
        if tag == 'meta' and a.get('http-equiv', '').lower() == 'content-security-policy':
            self.policy = a['content']
        self.inside.append((tag, a))

    def handle_endtag(self, tag):
        while self.inside and self.inside.pop()[0] != tag:
            pass

    def handle_data(self, data):
        tag, a = self.inside[-1] if self.inside else ('', {})
        if tag == 'script':
            self.scripts.append((a, data))
        elif tag == 'style':
            self.styles.append(data)
        else:
            self.texts.append(data)


reader = Reader()
reader.feed(text)
reader.close()
tags = {tag for tag, _ in reader.elements}
known = set('html head meta title style script body header p br main div section h1 h2 h3 small table tr th td pre b i '
            'ul li a svg rect text path'.split())
assert tags <= known, 'elements that nobody wrote: %s' % (tags - known)
assert tags >= {'html', 'table', 'main'}
assert not re.search(r'https?://', text), 'a reference to elsewhere'
for c in text:
    assert c >= ' ' and not '\x7f' <= c < '\xa0' or c in '\n\t', 'a control character: %r' % c

# The policy allows this script and this style, and nothing else.
run = [data for a, data in reader.scripts if a.get('type', '') not in ('application/json', 'application/x-cgview-source')]
assert len(run) == 1 and len(reader.styles) == 1
policy = dict(part.strip().split(None, 1) for part in reader.policy.split(';'))
assert policy['default-src'] == "'none'" and policy['base-uri'] == "'none'" and policy['form-action'] == "'none'"
for directive, what in ('script-src', run[0]), ('style-src', reader.styles[0]):
    digest = base64.b64encode(hashlib.sha256(what.encode()).digest()).decode()
    assert policy.pop(directive) == "'sha256-%s'" % digest, directive
assert set(policy) == {'default-src', 'base-uri', 'form-action'}, policy

# The data: no sign of it can end its element or begin another.
raw = [data for a, data in reader.scripts if a.get('id') == 'data']
assert len(raw) == 1 and not set(raw[0]) & set('<>&\u2028\u2029')
data = json.loads(raw[0])
assert data['version'] == 1 and data['sources'] == sources


def report(*options):
    out = subprocess.run([cgview, 'report', '--format', 'csv', *options, db], stdout=subprocess.PIPE, check=True)
    return list(csv.DictReader(io.StringIO(out.stdout.decode(), newline='')))


def key(cell):
    return 0 if cell is None else cell[0] if isinstance(cell, list) else cell


tables = {t['name']: t for t in data['tables']}
names = [p and p[0] for p in data['procedures']]
procedures, rows = report(), tables['procedure']['rows']
assert len(rows) == len(procedures) == tables['procedure']['all']
heads = [h[0] for h in tables['procedure']['heads']]
for head, column in ('self', 'self_ns'), ('total', 'total_ns'), ('calls', 'calls'):
    if head in heads:
        i = 3 + heads.index(head)
        shown = sorted((names[r[0]], key(r[i])) for r in rows)
        wanted = sorted((p['procedure'], int(p[column] or 0)) for p in procedures)
        assert shown == wanted, (head, [x for x in zip(shown, wanted) if x[0] != x[1]][:3])

# Calls: those with a count or a time, each once.
arcs = [(a['caller'], a['callee'], int(a['count'] or 0), int(a['line'] or 0)) for a in report('--by', 'arc')
        if int(a['count'] or 0) or int(a['total_ns'] or 0) or int(a['propagated_ns'] or 0)]
width = 3 + len(data['calls']['heads'])
heads = [h[0] for h in data['calls']['heads']]
if 'calls' in heads:
    count = 3 + heads.index('calls')
    shown = [(names[r[width]] or 'outside', names[r[width + 2]] or 'outside', key(r[count]), r[2])
             for r in data['calls']['rows']]
    assert sorted(shown) == sorted(arcs), [x for x in zip(sorted(shown), sorted(arcs)) if x[0] != x[1]][:3]

# Sources: the lines that are shown are those of the file; procedures that ran are among them.
packed = {int(a['id'][7:]): json.loads(zlib.decompress(base64.b64decode(data)))
          for a, data in reader.scripts if a.get('type') == 'application/x-cgview-source'}
stored = {}
for i, f in enumerate(data['files']):
    if f and f[2]:
        stored[i] = f
        assert [s[0] for s in f[2]] == [1] + [s[1] + 1 for s in f[2]][:-1], 'stretches do not follow each other'
        assert sum(s[2] for s in f[2]) == len(packed[i]['lines']) if i in packed else not any(s[2] for s in f[2])
assert not packed or sources != 'none'
lines = 0
counts = {(l['file'], int(l['line'])): l for l in report('--by', 'line')}
paths = {int(f['id']): f['path'] for f in report('--sql', 'SELECT id, path FROM file')}
margins = [m[0] for m in data['margins']]
for i, source in packed.items():
    shown = [s for s in data['files'][i][2] if s[2]]
    for stretch, content in zip(shown, source['lines']):
        assert len(content) == stretch[1] - stretch[0] + 1
        for number, line in enumerate(content, stretch[0]):
            lines += 1
            words, runs, margin, calls = line if isinstance(line, list) else [line, '', '', []]
            assert re.fullmatch(r'([-.+A-H](\d+)?(,\d+)?)*', runs), runs
            length = len(words.encode('utf-16-le')) // 2
            assert sum(int(n or 0) for _, n in re.findall(r'([-.+A-H])(\d*)', runs)) <= length
            for figure in re.findall(r',(\d+)', runs):
                assert int(figure) < len(source['figures'])
            for k in range(0, len(calls), 3):
                assert calls[k] + calls[k + 1] <= length and names[calls[k + 2]]
            of = counts.get((paths[i], number))
            cells = margin.split('\t')
            if of and margin == '×':
                assert of['count'] in ('', '0'), (number, of)
            elif of and 'count' in margins and len(cells) > margins.index('count'):
                cell = cells[margins.index('count')].lstrip('≥')
                if re.fullmatch(r'[\d,]+', cell):
                    assert int(cell.replace(',', '')) == int(of['count'] or 0), (number, of, cell)
            else:
                assert of or not margin, (number, margin)
ran = [p for p in data['procedures'] if p and p[4] and stored.get(p[1])]
for p in ran if sources != 'none' else []:
    assert any(s[2] and s[0] <= p[2] <= s[1] for s in stored[p[1]][2]), p
if sources == 'all':
    for i, f in stored.items():
        assert len(f[2]) == 1 and f[2][0][2], f[:2]

# The tree: parents stand before their nodes, which are no larger, and have names.
if 'tree' in data:
    nodes = data['tree']['nodes']
    sums = [0] * len(nodes)
    for k, node in enumerate(nodes[1:], 1):
        assert 0 <= node[0] < k and (names[node[1]] if node[1] else node[7])
        sums[node[0]] += node[2]
    for k, node in enumerate(nodes[1:], 1):
        assert sums[k] <= node[2] * 1.0001 + len(nodes), (k, node, sums[k])

# Without a script the summary and the hottest sources are there.
plain = ''.join(reader.texts)
for r in rows[:20]:
    assert names[r[0]] in plain, names[r[0]]
nr = len([1 for tag, _ in reader.elements if tag == 'pre'])
assert nr == (0 if sources == 'none' else min(20, len(ran))) or (nr < 20 and nr <= len(ran)), (nr, len(ran))
assert nr or not ran or sources == 'none'
print('%d procedures, %d calls, %d lines, %d sources without a script' % (len(rows), len(arcs), lines, nr))
