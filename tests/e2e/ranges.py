#!/usr/bin/env python3
"""ranges.py SOURCE DB: compare the ranges of a profile with those written in the source.

A comment "//> KIND COUNT TEXT | ..." stands below a line and tells all ranges that begin on that
line: the text that each covers (#2 behind it: its second occurrence in the line; ... at its end: it
goes on in later lines), how often it was evaluated, and the kind: s statement, o operand or arm,
m use of a macro, d piece of a macro's definition. "//>" alone: no ranges at all. The next comment
line, when it also begins with "//>", goes on with the list. Ranges of the same place and kind count
together. Prints what differs; status 1 when anything does.
"""
import re
import sqlite3
import sys

KINDS = {"statement": "s", "operand": "o", "macro": "m", "definition": "d"}


def ranges_of(db, source):
    """line -> {(column, end, kind): count}; end is 0 when it is on another line."""
    found = {}
    query = """select r.line, r.column, r.end_line, r.end_column, r.kind, b.count
        from range r join block b on b.id = r.block join file f on f.id = r.file
        where f.path like ? and r.kind <> 'procedure'"""
    for line, column, end_line, end, kind, count in sqlite3.connect(db).execute(
            query, ("%/" + source,)):
        key = (column, end if end_line == line else 0, KINDS[kind])
        line = found.setdefault(line, {})
        line[key] = line.get(key, 0) + count
    return found


def wanted(comment, text, where):
    """{(column, end, kind): count} of one comment; TEXT is the line that it is about."""
    result = {}
    for item in filter(None, (i.strip() for i in comment.split(" | "))):
        kind, count, fragment = item.split(None, 2)
        occurrence = 1
        numbered = re.fullmatch(r"(.*)#(\d)", fragment)
        if numbered:
            fragment, occurrence = numbered.group(1), int(numbered.group(2))
        goes_on = fragment.endswith("...")
        fragment = fragment.removesuffix("...")
        at = -1
        for _ in range(occurrence):
            at = text.find(fragment, at + 1)
            if at < 0:
                sys.exit(f"{where}: '{fragment}' is not in the line")
        result[at + 1, 0 if goes_on else at + len(fragment), kind] = int(count)
    return result


def expectations(lines):
    """(number of the line that is spoken of, what is said of it)"""
    number = 0
    said = []
    for at, line in enumerate(lines, 1):
        comment = re.match(r"\s*//>(.*)", line)
        if comment:
            said.append(comment.group(1).strip().removesuffix("|").strip())
            continue
        if said:
            yield number, " | ".join(said)
        number, said = at, []


def show(text, key, count):
    column, end, kind = key
    return f"{kind} {count} {text[column - 1:end] if end else text[column - 1:] + '...'} [{column}-{end}]"


def main():
    source, db = sys.argv[1:3]
    found = ranges_of(db, source)
    lines = open(source, encoding="utf-8").read().split("\n")
    checked = wrong = 0
    for number, comment in expectations(lines):
        text = lines[number - 1]
        expected = wanted(comment, text, f"{source}:{number}")
        got = found.get(number, {})
        checked += 1
        for key in sorted(set(expected) | set(got)):
            if expected.get(key) != got.get(key):
                wrong += 1
                print(f"# {source}:{number}: " + (
                    f"missing: {show(text, key, expected[key])}" if key not in got else
                    f"not expected: {show(text, key, got[key])}" if key not in expected else
                    f"{show(text, key, expected[key])}: counted {got[key]}"))
    if checked == 0:
        print(f"# {source}: nothing to check")
    return wrong > 0 or checked == 0


if __name__ == "__main__":
    sys.exit(main())
