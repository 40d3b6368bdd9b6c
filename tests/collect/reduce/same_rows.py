#!/usr/bin/env python3
"""same_rows.py A.db B.db [space]: are two profiles equal, row by row, in all that does not tell of runs?

Times are rounded to ns for each stack of each run in one of them, and for all runs together in the
other: they may differ by half a ns for each sample in the row. Columns that say how a figure varies
over the runs are left out. Prints the first differences; status 1 if there are any.

space: the tables of allocations, too; without peaks, and the figures of call paths, which no sum has."""
import sqlite3, sys

TABLES = ('procedure', 'block', 'branch', 'range', 'line', 'call_site', 'arc', 'context', 'module',
          'file', 'measure')

def rows(path, table):
    db = sqlite3.connect(path)
    db.text_factory = bytes
    cursor = db.execute(f'SELECT * FROM {table} ORDER BY 1, 2, 3')
    names = [c[0] for c in cursor.description]
    return names, cursor.fetchall(), db.execute('SELECT sum(samples) + sum(processes) FROM run').fetchone()[0]

def without_peaks(table, names, found):
    left_out = ('total_bytes', 'total_live', 'self_bytes', 'self_live') if table == 'context' else ('id', 'period')
    columns = [i for i, name in enumerate(names) if 'peak' not in name and name not in left_out]
    found = [tuple(row[i] for i in columns) for row in found if b'peak' not in row]
    return [names[i] for i in columns], found if table != 'measure' else sorted(found, key=repr)

def main():
    bad, compared, space = 0, 0, 'space' in sys.argv
    for table in TABLES + ('allocation', 'disposal') * space:
        names, a, slack = rows(sys.argv[1], table)
        others, b, _ = rows(sys.argv[2], table)
        if space:
            names, a = without_peaks(table, names, a)
            others, b = without_peaks(table, others, b)
        if names != others:
            print(f'{table}: other columns: {set(names) ^ set(others)}')
            bad += 1
        if len(a) != len(b):
            print(f'{table}: {len(a)} rows and {len(b)}')
            bad += 1
            continue
        for i, (x, y) in enumerate(zip(a, b)):
            for name, v, w in zip(names, x, y):
                if name.endswith('spread') or name.endswith('_sd'):
                    continue
                compared += 1
                near = (name.endswith('_ns') or table == 'measure') and v is not None and \
                    w is not None and isinstance(v, int) and abs(v - w) <= slack
                if v != w and not near:
                    bad += 1
                    if bad < 10:
                        print(f'{table} row {i + 1} {name}: {v} and {w}')
    if not compared:
        print('nothing to compare')
    return bad > 0 or not compared

sys.exit(main())
