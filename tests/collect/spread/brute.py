"""brute.py CGVIEW SUM.db RAW...: the table spread of the profile of a sum of all RAW is what importing each of them alone
tells: least, most and where, mean, deviation, how many are not 0. Times are rounded for each sample there, and here."""
import collections, os, sqlite3, statistics, subprocess, sys

cgview, db, raws = sys.argv[1], sys.argv[2], sys.argv[3:]
SELECT = "p.name, p.linkage_name, p.module, coalesce(f.path, ''), coalesce(p.line, 0), coalesce(p.column, 0)"
FROM = "procedure p LEFT JOIN file f ON f.id = p.file"
values = collections.defaultdict(dict)
here, modules = [], collections.defaultdict(set)
for raw in raws:
    subprocess.run([cgview, 'import', '-o', 'alone.db', raw], check=True, capture_output=True)
    c = sqlite3.connect('alone.db')
    host, started, job = c.execute('SELECT host, started_ns, job FROM run').fetchone()
    rank, = c.execute('SELECT max(rank) FROM part').fetchone()
    process = job or '', -1 if rank is None else rank, host, int(raw.split('.')[-2]), started
    here.append(process)
    for row in c.execute(f'SELECT {SELECT}, p.self_ns, p.calls, p.self_work FROM {FROM} WHERE NOT is_foreign'):
        values[row[:6]][process] = row[6:]
        modules[row[2]].add(process)
    os.remove('alone.db')
here.sort()
got = {(row[:6], row[6]): row[7:] for row in sqlite3.connect(db).execute(
    f"SELECT {SELECT}, figure, processes, some, mean, coalesce(sd, 0), least, least_job, least_rank, least_host, least_pid, "
    f"most, most_job, most_rank, most_host, most_pid FROM {FROM} JOIN spread s ON s.procedure = p.id")}
bad, rows = [], collections.Counter()
spread = {module for (_, _, module, *_), _ in got}
for procedure, of in values.items():
    if procedure[2] not in spread:
        continue
    processes = [p for p in here if p in modules[procedure[2]]]
    for i, figure in enumerate(('self', 'calls', 'work')):
        each = [of.get(p, (0, 0, 0))[i] for p in processes]
        row = got.pop((procedure, figure), None)
        if not any(each):
            if row:
                bad.append(('nothing is there', procedure, figure, row))
            continue
        rows[figure] += 1
        if not row:
            bad.append(('missing', procedure, figure, each))
            continue
        some = 500 if figure == 'self' else 0 # half a nanosecond for each sample
        sd = statistics.stdev(each) if len(each) > 1 else 0
        good = row[0] == len(processes) and row[1] == sum(v != 0 for v in each) and \
            abs(row[2] - statistics.mean(each)) <= some + 1e-9 * row[2] and abs(row[3] - sd) <= some + 1e-6 * sd and \
            abs(row[4] - min(each)) <= some and abs(row[9] - max(each)) <= some
        for value, at in (min(each), row[5:9]), (max(each), row[10:14]):
            wanted = [p[:4] for p, v in zip(processes, each) if abs(v - value) <= some]
            good &= tuple(at) in wanted if some else tuple(at) == wanted[0]
        if not good:
            bad.append(('differs', procedure, figure, row, each))
bad += [('too much', row) for row in got.items()]
for row in bad[:10]:
    print('#', row)
print('#', dict(rows), len(here), 'processes')
sys.exit(bool(bad) or not rows['self'] or min(rows['calls'], rows['work']) < 9)
