#!/usr/bin/env python3
"""hostile.py CGVIEW PROFILE ROUNDS: a tour through profiles with nonsense in their columns and through
ones with bytes changed. The browser shows them or refuses them; it does not crash, hang, or let a
control character through to the screen."""
import os
import random
import shutil
import sqlite3
import subprocess
import sys

cgview, profile, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
NONSENSE = [0, 1, -1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, -2**63, "", "x" * 5000,
            "\033[31m\u202e\u009b", "%s%n", None, 3.5, b"\xff\xfe\0zz"]
TOUR = """size:120x36 j j Enter ] ] l l Enter Backspace c j Enter Enter d Enter v G Enter v j Enter
:save-screen hostile.1 v G Enter v Enter m m z C-d G ? q D :save-screen hostile.2 q o j Enter text:/a
Enter n n N :save-screen hostile.3 Esc text:&a Enter S s s s C Enter Enter d + + =
text:5 Enter p P + p q text::estimate\0spread Enter u j d > text::pin Enter
text::sql\0select\0*\0from\0procedure Enter s S j l Enter text::sql Enter q y R q size:40x12 Tab Tab Tab c j d
:save-screen hostile.4""".replace(":save-screen ", ":save-screen\0").split()


def columns():
    """Tables of the profile and their columns."""
    db = sqlite3.connect(profile)
    names = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {name: [row[1] for row in db.execute(f'PRAGMA table_info("{name}")')] for name in names
            if not name.startswith("sqlite")}


def spoil_columns(rng, tables):
    shutil.copy(profile, "hostile.db")
    db = sqlite3.connect("hostile.db")
    for _ in range(rng.randint(1, 4)):
        table = rng.choice(sorted(tables))
        column = rng.choice(tables[table])
        where = rng.choice(["", f" WHERE rowid % {rng.randint(2, 9)} = 0"])
        try:
            db.execute(f'UPDATE "{table}" SET "{column}" = ?{where}', (rng.choice(NONSENSE),))
        except sqlite3.Error:
            pass
    db.commit()
    db.close()


def spoil_bytes(rng, _tables):
    with open(profile, "rb") as f:
        data = bytearray(f.read())
    for _ in range(rng.randint(1, 40)):
        data[rng.randrange(4096, len(data))] = rng.randrange(256)
    with open("hostile.db", "wb") as f:
        f.write(data)


def complaint():
    """What went wrong on the tour, or None."""
    try:
        done = subprocess.run([cgview, "hostile.db"], capture_output=True, timeout=600, check=False)
    except subprocess.TimeoutExpired:
        return "hangs"
    text = done.stderr.decode(errors="replace")
    if done.returncode not in (0, 1) or "runtime error" in text or "Sanitizer" in text:
        return f"status {done.returncode}: {text[:2000]}"
    for i in range(1, 5):
        if not os.path.exists(f"hostile.{i}"):
            continue
        with open(f"hostile.{i}", encoding="utf-8") as f:
            if any(c != "\n" and not c.isprintable() for c in f.read()):
                return f"a control character on screen {i}"
        os.remove(f"hostile.{i}")
    return None


with open("tour", "w", encoding="utf-8") as out:
    out.write("\n".join(step.replace("\0", " ") for step in TOUR) + "\n")
os.environ.update(CGVIEW_SCRIPT="tour", VISUAL="true")
known, failed = columns(), False
for name, spoil in (("nonsense in columns", spoil_columns), ("changed bytes", spoil_bytes)):
    found = None
    for seed in range(rounds):
        spoil(random.Random(seed), known)
        found = complaint()
        if found:
            shutil.copy("hostile.db", f"/tmp/cgview-hostile-{seed}.db")
            print(f"# seed {seed} (kept as /tmp/cgview-hostile-{seed}.db): {found}")
            break
    failed |= bool(found)
    print(f"{'not ok' if found else 'ok'} - {rounds} profiles with {name}")
sys.exit(failed)
