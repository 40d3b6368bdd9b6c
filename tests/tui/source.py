"""The source of the sample profile against its tables.
source.py margins FILE  < `cgview annotate --file FILE --columns count,samples,below sample.db`
source.py marks NAME    < a saved screen of the source, the cursor in procedure NAME"""
import re, sqlite3, sys

db = sqlite3.connect('sample.db')
screen = sys.stdin.read().splitlines()


def margins(name):
    """Each line's count and samples, and the time below the costliest call that begins on it."""
    expected = {line: (count, samples or None, below or None) for line, count, samples, below in
                db.execute('SELECT l.line, l.count, l.self_samples, (SELECT max(s.total_ns) FROM '
                           'call_site s WHERE s.file = l.file AND s.line = l.line) FROM line l '
                           'JOIN file f ON f.id = l.file WHERE f.path LIKE ?', ('%' + name,))}
    found = {}
    for text in screen:
        m = re.match(r'[ x] ([0-9, ]{10}) ([0-9, ]{8}) ([0-9.a-z ]{8}) \| *([0-9]+)(  |$)', text)
        if m and m.group(1).strip():
            count, samples, below = (g.strip().replace(',', '') for g in m.groups()[:3])
            if below:
                number, unit = below.split()
                below = round(float(number) * {'s': 1e9, 'ms': 1e6}[unit])
            found[int(m.group(4))] = (int(count), int(samples) if samples else None, below or None)
    return expected, found


def marks(name):
    """The lines that call NAME: directly, or through a pointer when that is possible."""
    expected = {line for line, in
                db.execute("SELECT s.line FROM arc a JOIN call_site s ON s.id = a.site "
                           "JOIN procedure p ON p.id = a.callee JOIN file f ON f.id = s.file "
                           "WHERE p.name = ? AND f.path LIKE '%/words.c' AND "
                           "(s.kind = 'direct' OR a.hi > 0)", (name,))}
    return expected, {int(m.group(1)) for m in (re.search(r'│→ *([0-9]+)', t) for t in screen) if m}


expected, found = {'margins': margins, 'marks': marks}[sys.argv[1]](sys.argv[2])
if expected != found or (sys.argv[1] == 'margins' and len(found) < 10):
    print('expected', expected, 'found', found)
    sys.exit(1)
