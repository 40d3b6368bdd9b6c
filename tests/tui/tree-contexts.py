"""Sampled stacks for the made-up profile: tree-contexts.py DB. 1,911 samples, as its totals say;
hash calls itself three deep, each and by_count call each other."""
import sqlite3, sys

db = sqlite3.connect(sys.argv[1])
ids = dict(db.execute("SELECT name, id FROM procedure"))
sites = {"read_all": 8, "each": 9, "lookup": 7, "hash": 5, "by_count": 4, "by_name": 4}
paths = [
    ("main", 2), ("main read_all", 100), ("main read_all lookup", 260),
    ("main read_all lookup hash", 1000), ("main read_all lookup hash hash", 200),
    ("main read_all lookup hash hash hash", 123), ("main each", 90), ("main each by_count", 30),
    ("main each by_count each", 30), ("main each by_count each by_count", 10),
    ("main each by_name", 60), ("日本語", 3), ("cafe\u0301", 3),
]
contexts = {}
for path, samples in paths:
    names = path.split()
    for i in range(1, len(names) + 1):
        key = tuple(names[:i])
        if key not in contexts:
            contexts[key] = len(contexts) + 1
            db.execute("INSERT INTO context VALUES (?, ?, ?, ?, 0, 0, 0, 0)",
                       (contexts[key], contexts.get(key[:-1]), ids[key[-1]],
                        sites.get(key[-1]) if i > 1 else None))
        db.execute("UPDATE context SET total_samples = total_samples + ? WHERE id = ?",
                   (samples, contexts[key]))
    db.execute("UPDATE context SET self_samples = ? WHERE id = ?", (samples, contexts[tuple(names)]))
db.commit()
