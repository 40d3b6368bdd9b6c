#!/usr/bin/env python3
"""Compare the column "source" of `cgview report`, and what --filter finds in it, with the texts in
the profile, by Python's zlib.

report_source.py CGVIEW DB: prints "ok - " and "not ok - " lines.
"""
import functools
import json
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unicodedata
import zlib

cgview, path = sys.argv[1:]
NAMES = "procedure", "kind", "target", "file", "caller", "callee", "how"
ROOM = 40
LOOKED_AT = 16384  # bytes, by a filter
# What no source should hold, in the place of some of its words.
ODD = [b"\x1b]0;x\x07", b"\t \t  ", b"\xff\xfe", "\u202e".encode(), "漢字".encode() * 30,
       "e\u0301".encode() * 20, b"\r", b"\x9b31m", b"long_" * 300]
PATTERNS = ["no such text", "B [+]=", "b != 7", "MAX", "max[(]a", "^int i = 0;?$", "\\) [{] if \\(a",
            "procedure_1[0-9]*[(]i, b[)]$", "^procedure_1[0-9]*[(]"]
# Of which something is found.
SOME = {"block": range(2, len(PATTERNS)), "line": [2, 3, 4, 8], "site": [7, 8], "arc": [7, 8]}
KINDS = "block", "site", "line", "arc"
HEADS = {"block": "expression", "site": "call", "line": "source", "arc": "call"}
THINGS = {"block": "expressions?", "site": "call sites?", "line": "lines?", "arc": "arcs?"}


def verdict(good, name, *why):
    if not good:
        print("#", *why)
    print("ok -" if good else "not ok -", name)


def run(db, *arguments, locale="C.UTF-8"):
    return subprocess.run([cgview, "report", *arguments, db], check=True, stdout=subprocess.PIPE,
                          env={"LC_ALL": locale}).stdout.decode("utf-8")


@functools.lru_cache(maxsize=None)
def shown(c, ascii_only):
    """What stands for a character, and how many columns it takes."""
    if 0xdc80 <= ord(c) < 0xdd00:
        return "<%02X>" % (ord(c) - 0xdc00), 4
    if ord(c) < 0x20 or ord(c) == 0x7f:
        return "^" + chr(ord(c) ^ 0x40), 2
    if c == "\u202e" or ascii_only and ord(c) > 0x7f:
        escape = "<U+%04X>" % ord(c)
        return escape, len(escape)
    if unicodedata.combining(c):
        return c, 0
    return c, 2 if unicodedata.east_asian_width(c) in "WF" else 1


def source(lines, row, by):
    """The text of a row, in one line; LINES are those of its file."""
    if lines is None or not row["line"]:
        return b""
    if by == "line":
        part = lines[row["line"] - 1]
    else:
        part = lines[row["line"] - 1:row["end_line"]]
        part[-1] = part[-1][:row["end_column"]]
        part[0] = part[0][row["column"] - 1:]
        part = b"\n".join(part)
    return re.sub(b"[ \t\n]+", b" ", part).strip(b" ")


def cell(lines, row, by, ascii_only):
    """The same as it should be shown."""
    pieces = []
    for c in source(lines, row, by).decode("utf-8", "surrogateescape"):
        piece, width = shown(c, ascii_only)
        # Within an escape, too, the end may be cut off.
        pieces += [(p, 1) for p in piece] if len(piece) > 1 else [(piece, width)]
    # Where there is no text of a call, what it calls stands.
    if not pieces and by == "site" and row["target"]:
        pieces = [(c, 1) for c in row["target"]]
    if sum(width for _, width in pieces) <= ROOM:
        return "".join(piece for piece, _ in pieces)
    dots = "~" if ascii_only else "\u2026"
    out, used = "", 0
    for piece, width in pieces:
        used += width
        if used > ROOM - len(dots):
            break
        out += piece
    return out + dots


def texts_of(db):
    texts = {}
    for name, size, packed in db.execute("SELECT path, size_bytes, text_zlib FROM file"):
        if packed is not None and len(packed) != size:
            packed = zlib.decompress(packed)
        assert name not in texts
        texts[name] = packed
    return texts


def lines_of(db):
    return {name: text and text.replace(b"\r\n", b"\n").split(b"\n")
            for name, text in texts_of(sqlite3.connect(db)).items()}


def compare(name, db, by, locale, *arguments):
    texts = lines_of(db)
    rows = json.loads(run(db, "--by", by, "--format", "json", *arguments))["rows"]
    got = run(db, "--by", by, "--columns", HEADS[by], *arguments, locale=locale).split("\n")
    # Title, an empty line, the heading; the totals, and what is behind the last line end.
    got = got[3:3 + len(rows)]
    want = [cell(texts.get(r["file"]), r, by, locale == "C") for r in rows]
    verdict(got == want, f"{name}: source of {len(rows)} rows of {by} in {locale}",
            next((p for p in zip(got, want) if p[0] != p[1]), (len(got), len(want))))
    return want


def compare_filter(name, db, by, *patterns):
    """Rows of which a name, the path, or the text matches; how many they are of each pattern."""
    texts = lines_of(db)
    rows = json.loads(run(db, "--by", by, "--format", "json"))["rows"]
    found = []
    for pattern in patterns:
        flags = 0 if re.search("[A-Z]", pattern) else re.IGNORECASE
        search = re.compile(pattern.encode(), flags).search
        want = [r for r in rows
                if search(source(texts.get(r["file"]), r, by)[:LOOKED_AT].rstrip(b" "))
                or any(search((r.get(c) or "").encode()) for c in NAMES)]
        got = json.loads(run(db, "--by", by, "--filter", pattern, "--format", "json"))["rows"]
        verdict(got == want, f"{name}: --filter '{pattern}' by {by}: {len(want)} rows",
                len(got), next((p for p in zip(got, want) if p[0] != p[1]), ""))
        totals = run(db, "--by", by, "--filter", pattern).split("\n")[-2]
        verdict(re.search(f" {len(want):,} of {len(rows):,} {THINGS[by]}$", totals) or len(want) in (0, len(rows)),
                f"{name}: --filter '{pattern}' by {by}: totals", totals)
        found.append(len(want))
    return found


def set_text(db, file, text):
    db.execute("UPDATE file SET text_zlib = ?, size_bytes = ? WHERE id = ?",
               (zlib.compress(text), len(text), file))


def spoil(text):
    """Every fifth word or blank is another."""
    number = 0

    def odd(match):
        nonlocal number
        number += 1
        return ODD[number // 5 % len(ODD)] if number % 5 == 0 else match.group()
    return re.sub(b"[a-z]+|[ ]", odd, text).replace(b";\n", b";\r\n")


with tempfile.TemporaryDirectory() as scratch:
    for by in KINDS:
        want = compare("as made", path, by, "C.UTF-8")
        verdict(len(set(want)) > 10, f"there are texts of {by}", set(want))
        found = compare_filter("as made", path, by, *PATTERNS)
        verdict(not any(found[:2]) and all(n < len(want) for n in found) and
                all(found[i] for i in SOME[by]), f"as made: {by}s are found and left out", found)
        head = run(path, "--by", by).split("\n")[2].split()
        verdict(HEADS[by] in head, f"{by} has a column with the source", head)

    odd = shutil.copy(path, scratch + "/odd.db")
    db = sqlite3.connect(odd)
    files = db.execute("""SELECT id, path FROM file WHERE text_zlib IS NOT NULL
        ORDER BY id""").fetchall()
    texts = texts_of(db)
    for file, name in files:
        set_text(db, file, spoil(texts[name]))
    db.execute("UPDATE file SET text_zlib = NULL, size_bytes = 0 WHERE id = ?", files[-1][:1])
    db.commit()
    for by in KINDS:
        for locale in "C.UTF-8", "C":
            want = compare("odd", odd, by, locale)
        verdict(("" in want or by == "site") and any("~" in w for w in want) and any("^[" in w for w in want),
                f"odd: {by} has what to look at", want)
        verdict(all(compare_filter("odd", odd, by, "long_long", "漢字漢字", "\\) [{] if")[:2]),
                f"odd: {by}s are found")
        bad = [c for c in run(odd, "--by", by) if ord(c) < 0x20 and c != "\n" or c in "\x7f\u202e"]
        verdict(not bad, f"odd: nothing of {by} that a terminal obeys", bad)

    # One line is longer than the filter looks, and that is said.
    file, name, line = db.execute("""SELECT file.id, path, line FROM line JOIN file ON file.id =
        line.file WHERE text_zlib IS NOT NULL ORDER BY line.id LIMIT 1""").fetchone()
    lines = texts[name].split(b"\n")
    lines[line - 1] += b" needle_1" + b"x" * LOOKED_AT + b"needle_2 "
    set_text(db, file, b"\n".join(lines))
    db.commit()
    found = compare_filter("long", odd, "line", "needle_1", "needle_2", "no such text")
    verdict(found == [1, 0, 0], "long: found at the begin of a line, not beyond the limit", found)
    for pattern, nr in ("needle_1", 0), ("needle_2", 1), ("no such text", 1):
        told = subprocess.run([cgview, "report", "--by", "line", "--filter", pattern, odd],
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE).stderr.decode()
        verdict((f"first {LOOKED_AT} bytes" in told and told.endswith(f": {nr}\n")) if nr
                else not told, f"long: with {pattern} {nr} longer rows are told", told)

    db.execute("UPDATE file SET text_zlib = NULL, size_bytes = 0")
    db.commit()
    for by in KINDS:
        head = run(odd, "--by", by).split("\n")[2].split()
        verdict((HEADS[by] in head) == (by == "site") and "where" in head, f"no texts: no column by {by}", head)
        verdict(compare_filter("no texts", odd, by, "b != 7", "a")[0] == 0,
                f"no texts: nothing of {by} is found there")

    # More than is kept: 24 MB each, in turns.
    for file, name in files:
        set_text(db, file, texts[name] + b"/*" + b"x" * (24 << 20) + b"*/\n")
    db.commit()
    for by in "block", "line":
        compare_filter("large", odd, by, "b -= a")
        want = compare("large", odd, by, "C.UTF-8", "--sort", "line", "--limit", "20")
        verdict(len(set(want)) > 5, f"large: texts of {by}", want)
    most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
    print(f"# {len(files)} files of 24 MB: at most {most} MB")
