"""Compare `cgview annotate --columns count` on standard input with what gcov says.
annotate.py GCOV.JSON...: a line that several units have (headers) counts once for each."""
import collections, json, os, re, sys

expected = collections.defaultdict(int)
for name in sys.argv[1:]:
    for f in json.load(open(name))['files']:
        for line in f['lines']:
            expected[os.path.basename(f['file']), line['line_number']] += line['count']

found, marked, path = {}, {}, None
for text in sys.stdin.read().splitlines():
    if text.startswith('/'):
        path = os.path.basename(text)
    m = re.match(r'([ x%])  *([0-9,]*) *\| *([0-9]+)(  |$)', text)
    if m and m.group(2):
        found[path, int(m.group(3))] = int(m.group(2).replace(',', ''))
        marked[path, int(m.group(3))] = m.group(1) == 'x'

status = 0
for key in sorted(set(expected) | set(found)):
    if expected.get(key) != found.get(key):
        print('%s:%d: gcov %s, annotate %s' % (*key, expected.get(key), found.get(key)))
        status = 1
    if key in found and marked[key] != (found[key] == 0):
        print('%s:%d: the mark is wrong' % key)
        status = 1
if len(expected) < 15:
    print('gcov knows only %d lines' % len(expected))
    status = 1
sys.exit(status)
