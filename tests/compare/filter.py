#!/usr/bin/env python3
"""Compare what `cgview diff --filter` and --file leave with all rows looked at one by one: names,
paths, and the texts that the profiles hold.

filter.py CGVIEW OUT DB DB...: prints "ok - " and "not ok - " lines; OUT gets "KIND PATTERN FOUND ALL"
of what was looked for in kinds of rows.
"""
import fnmatch
import json
import re
import sqlite3
import subprocess
import sys
import zlib

cgview, out, *paths = sys.argv[1:]
KINDS = "procedure", "block", "range", "line", "site", "arc", "file"
PATTERNS = "b [+]= p.*[(]i", "procedure_1[0-9]*[(]i, b[)]$", "^if", "\\) [{] if", "LIST[.]", "no such"


def verdict(good, name, *why):
    if not good:
        print("#", *why)
    print("ok -" if good else "not ok -", name)


def rows_of(*arguments):
    ran = subprocess.run([cgview, "diff", "-e", "b.count - a.count", "--format", "json", *arguments,
                          *paths], check=True, stdout=subprocess.PIPE)
    return json.loads(ran.stdout)["rows"]


def lines_of(path):
    """The lines of all files of a profile."""
    lines = {}
    for name, size, packed in sqlite3.connect(path).execute(
            "SELECT path, size_bytes, text_zlib FROM file WHERE text_zlib IS NOT NULL"):
        text = packed if len(packed) == size else zlib.decompress(packed)
        lines[name] = re.split(b"\r?\n", text)
    return lines


texts = [lines_of(path) for path in paths]


def holder(row):
    """The last profile that has the row."""
    if row["sides"] in ("both", "changed", "all"):
        return len(paths) - 1
    return "abcdefgh".index(row["sides"][-1])


def text_of(row, by):
    if by in ("procedure", "file") or not row["file"]:
        return b""
    lines = texts[holder(row)].get(row["file"])
    if lines is None:
        return b""
    if by == "line":
        part = lines[row["line"] - 1]
    else:
        part = lines[row["line"] - 1:row["end_line"]]
        part[-1] = part[-1][:row["end_column"]]
        part[0] = part[0][row["column"] - 1:]
        part = b"\n".join(part)
    return re.sub(b"[ \t\n]+", b" ", part).strip(b" ")


def names_of(row):
    return [row[c] for c in ("procedure", "callee", "file") if row[c] and row[c] != "outside"]


with open(out, "w", encoding="utf-8") as told:
    for kind in KINDS:
        rows = rows_of("--by", kind)
        most = 0
        for pattern in PATTERNS:
            flags = 0 if re.search("[A-Z]", pattern) else re.IGNORECASE
            search = re.compile(pattern.encode(), flags).search
            want = [r for r in rows if search(text_of(r, kind)) or
                    any(search(name.encode()) for name in names_of(r))]
            got = rows_of("--by", kind, "--filter", pattern)
            verdict(got == want, f"--by {kind} --filter '{pattern}': {len(want)} of {len(rows)}",
                    len(got), next((p for p in zip(got, want) if p[0] != p[1]), ""))
            print(f"{kind}\t{pattern}\t{len(want):,}\t{len(rows):,}", file=told)
            most = max(most, len({r["sides"] for r in want}))
        if kind in ("range", "line", "site", "arc"):
            verdict(most > 1, f"some of {kind} are found on each side", most)
        for glob in "*.h", "*/big.c", "/nowhere/*":
            want = [r for r in rows if r["file"] and fnmatch.fnmatchcase(r["file"], glob)]
            got = rows_of("--by", kind, "--file", glob)
            verdict(got == want, f"--by {kind} --file '{glob}': {len(want)} of {len(rows)}",
                    len(got), len(want))
        want = [r for r in rows if r["file"] and r["file"].endswith("/big.c") and
                r["sides"] == "b" and (re.search(b"b [+]=", text_of(r, kind), re.IGNORECASE) or
                                       any("b +=" in name for name in names_of(r)))]
        got = rows_of("--by", kind, "--file", "*/big.c", "--filter", "b [+]=", "--only", "b")
        verdict(got == want, f"all together of {kind}: {len(want)}", len(got))
