"""Sampled stacks in place of those of a profile."""
import sqlite3


def write(path, stacks, sites={}):
    """STACKS: names of procedures, the outermost first, and how many samples; each stack once.
    SITES: where a procedure is called, unless nobody calls it."""
    db = sqlite3.connect(path)
    ids = dict(db.execute("SELECT name, id FROM procedure"))
    db.execute("DELETE FROM context")
    contexts = {}
    for stack, samples in stacks:
        names = stack.split()
        for i in range(1, len(names) + 1):
            key = tuple(names[:i])
            if key not in contexts:
                contexts[key] = len(contexts) + 1
                db.execute("INSERT INTO context VALUES (?, ?, ?, ?, NULL, 0, 0, 0, 0, 0, 0)",
                           (contexts[key], contexts.get(key[:-1]), ids[key[-1]],
                            sites.get(key[-1]) if i > 1 else None))
            db.execute("UPDATE context SET total_samples = total_samples + ? WHERE id = ?",
                       (samples, contexts[key]))
        db.execute("UPDATE context SET self_samples = ? WHERE id = ?",
                   (samples, contexts[tuple(names)]))
    for which in "self", "total":
        db.execute(f"UPDATE context SET {which}_ns = {which}_samples * "
                   "(SELECT self_ns FROM totals) / (SELECT self_samples FROM totals)")
    db.commit()
