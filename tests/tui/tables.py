#!/usr/bin/env python3
"""tables.py CGVIEW HOW PROFILE...: each table of a genuine profile emptied, halved and filled with values
of wrong types in turn, and each view of the browser on that with each action in it. Tables are those that the
profiles have, views and actions those that the browser has, so that new ones are tried by themselves. The
browser shows such a profile or refuses it; it does not crash or hang. HOW: "some", or "all": each column with
each wrong value alone."""
import os
import shutil
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

cgview, how, profiles = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
WRONG = ["'many'", "x'00ff'", "-1", "9223372036854775807", "1e300", "0", "zeroblob(100000)"]
# What leaves, begins other programs or wants a letter; and what stands in the way while a prompt is open.
NOT = {"quit", "quit-all", "edit", "run-again", "mark-set", "mark-go", "command", "cancel", "back"}
PROMPTS = {"search", "search-back", "filter", "goto-line", "set-calls", "compare"}
# Views that are opened from others.
WAYS = [["disposals", "matrix"], ["errors", "stacks"], ["tree", "tree-icicle"], ["source", "macro"], ["source", "copies"],
        ["source", "columns"], ["source", "legend"], ["summary", "beside"], ["summary", "expressions"],
        ["sql select * from procedure"]]


def run(args, script, cwd="."):
    return subprocess.run([cgview, *args], cwd=cwd, env=dict(os.environ, CGVIEW_SCRIPT=script, VISUAL="true"),
                          capture_output=True, timeout=900, check=False)


def actions():
    """The names of actions, and those of them that open a view, as titles on the screen tell, or go to a pane."""
    with open("list", "w", encoding="utf-8") as f:
        f.write(":list-actions actions\n")
    run([profiles[0]], "list")
    with open("actions", encoding="utf-8") as f:
        names = [line.split("\t")[0] for line in f]
    names = [name for name in names if name not in NOT and not name.startswith("prompt-")]
    with open("probe", "w", encoding="utf-8") as f:
        for i, name in enumerate(names):
            f.write("\n".join(["size:100x16", *ask("summary"), f":save-screen {i}.before", *ask(name),
                               f":save-screen {i}.after", "Esc", "Esc", "Esc"]) + "\n")
    run([profiles[0]], "probe")
    views = ["summary", "source", "callers", "callees"]
    for i, name in enumerate(names):
        heads = []
        for when in "before", "after":
            with open(f"{i}.{when}", encoding="utf-8") as f:
                lines = f.read().splitlines()
            heads.append([line.split()[1:2] for line in lines if line.startswith("─ ")])
            os.remove(f"{i}.{when}")
        if heads[0] != heads[1] and name not in views:
            views.append(name)
    return names, views


def ask(name):
    """Steps that do an action by its name."""
    return [":", "paste:" + name, "Enter"]


def make_tours():
    """Steps in three files: each view with the keys that take its row at once, and a third of them, in "all" all
    of them, with each action."""
    names, views = actions()
    steps = [["size:50x10"] for _ in range(3)]
    for i, way in enumerate([[view] for view in views] + WAYS):
        there = ["Esc"] + ask("summary") + [step for name in way for step in ask(name)]
        first, each = [], []
        for key in "Enter", "a", "Space": # before the cursor has moved
            first += there + [key]
        each += there
        for name in names:
            if name not in views:
                each += ask(name) + ["Esc"] * (name in PROMPTS)
        for name in views if how == "all" else []:
            each += there + ask(name)
        for turn in "v", "s": # what they turn to in it
            each += there + [turn, "Enter", *there[1:]] * (2 if how == "some" else 12)
        for k in range(3):
            steps[k] += first + each * (how == "all" or i % 3 == k)
    for k in range(3):
        with open(f"tour{k}", "w", encoding="utf-8") as f:
            f.write("\n".join(steps[k]) + "\n")
    return sum(map(len, steps)), views


def damages():
    """What is done to which profile."""
    for profile in profiles:
        db = sqlite3.connect(profile)
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        for table in tables:
            if not db.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0] or (table, how) in seen:
                continue
            seen.add((table, how))
            columns = [row[1] for row in db.execute(f'PRAGMA table_info("{table}")') if row[1] != "id"]
            yield profile, table, "emptied", [f'DELETE FROM "{table}"']
            yield profile, table, "halved", [f'DELETE FROM "{table}" WHERE rowid % 2']
            for value in WRONG if how == "all" else []:
                yield profile, table, f"all {value}", [
                    f'UPDATE OR IGNORE "{table}" SET "{c}" = {value}' for c in columns]
            yield profile, table, "mixed", [
                f'UPDATE OR IGNORE "{table}" SET "{c}" = {WRONG[i % len(WRONG)]} WHERE rowid % {len(columns)} = {i}'
                for i, c in enumerate(columns)]
            for c in columns if how == "all" else []:
                for value in WRONG:
                    yield profile, table, f"{c} = {value}", [f'UPDATE OR IGNORE "{table}" SET "{c}" = {value}']


def complaint(case):
    number, (profile, table, what, sql) = case
    name = f"h{number}.db"
    shutil.copy(profile, name)
    db = sqlite3.connect(name, isolation_level=None)
    db.execute("PRAGMA synchronous = off")
    for statement in sql:
        try:
            db.execute(statement)
        except sqlite3.Error:
            pass # NULL where none may be
    db.close()
    # Alone, and some of them beside the good one in a comparison.
    for args in [[name]] + [[profile, name]] * (how == "all" or number % 4 == 0):
        try:
            done = run(args, f"tour{number % 3}")
        except subprocess.TimeoutExpired:
            return f"{table} {what}: {args} hangs"
        refused.append(done.returncode)
        text = done.stderr.decode(errors="replace")
        if done.returncode not in (0, 1) or "runtime error" in text or "Sanitizer" in text:
            return f"{table} {what}, cgview {' '.join(args)} (kept): status {done.returncode}: {text[:2000]}"
    os.remove(name)
    return None


seen: set = set()
refused: list = []
count, openers = make_tours()
print(f"# {count} steps; {' '.join(openers)}")
good = run([profiles[0]], "tour0")
print("ok - the tour of a good profile" if good.returncode == 0 else
      f"not ok - the tour: {good.returncode} {good.stderr.decode()[:1000]}")
cases = list(enumerate(damages()))
with ThreadPoolExecutor(int(os.environ.get("TABLES_JOBS", "1"))) as pool:
    failed = 0
    for c in pool.map(complaint, cases):
        if c:
            failed += 1
            print("# " + c.replace("\n", "\n# "), flush=True)
db_tables = sorted(t for t, _ in seen)
print(f"# {len(cases)} damaged profiles, {sum(refused)} of {len(refused)} refused; tables: {' '.join(db_tables)}")
print(f"{'not ok' if failed else 'ok'} - each table emptied, halved, of wrong types: each view on it")
