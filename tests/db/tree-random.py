"""A profile with other contexts: tree-random.py FROM TO NUMBER wide|deep|mutual|evil"""
import random, shutil, sqlite3, sys

source, to, nr, kind = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
shutil.copy(source, to)
db = sqlite3.connect(to)
procedures = [r[0] for r in db.execute("SELECT id FROM procedure")]
sites = [r[0] for r in db.execute("SELECT id FROM call_site")]
random.seed(nr)


def row(i):
    site, samples = random.choice(sites + [None]), random.randint(0, 3)
    ns = samples and random.choice((0, random.randint(0, 9999999))) # a sample may stand for no time
    if kind == "deep":
        return i, i - 1 or None, procedures[0], site, samples, ns, 0, 0, 0, 0
    if kind == "mutual":
        return i, i - 1 or None, procedures[i % 5 % len(procedures)], site, samples, ns, 0, 0, 0, 0
    if kind == "wide":
        parent = random.randint(max(1, i - nr // 20), i - 1) if i > 1 else None
        procedure = random.choice(procedures) if random.random() > .05 else None
        return i, parent, procedure, site, samples, ns, 0, 0, 0, 0
    parent = random.choice([None, i, i + 5, 2**40, -3, random.randint(1, nr)])
    procedure = random.choice([None, 0, -1, 2**33, 10**9, random.choice(procedures)])
    return (i, parent, procedure, site, random.choice([-5, 1, 2**62, 2**63 - 1]),
            random.choice([-5, 1, 2**62, 2**63 - 1]), -1, 7, 7, 2**63 - 1)


# Behind the columns that each profile has stand those of its measures.
more = len(db.execute("PRAGMA table_info(context)").fetchall()) - len(row(1)) - 1 # the block
db.execute("DELETE FROM context")
db.executemany(f"INSERT INTO context VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, ?, ?{', 0' * more})", [row(i) for i in range(1, nr + 1)])
if kind != "evil":
    db.execute("UPDATE totals SET self_samples = (SELECT sum(self_samples) FROM context)")
db.commit()
