"""Figures of further measures on screens and in texts, worked out once more from the tables.

measures.py DB lines FILE NAME...        expected: what cgview annotate --columns NAME,... has
measures.py DB expressions FILE NAME...  for each line (each expression) of FILE
measures.py DB formula FILE NAME SQL KIND    the value of SQL, for lines over the table line, for
                                         expressions over the ranges at each place
measures.py DB greatest NAME             the greatest figure of a line
measures.py TIMES tree NAME TREE         0 if each row of TREE (csv of --measure NAME) has 16 times the
                                         samples that the same row of TIMES (csv of the tree) has
measures.py got < TEXT                   of a text of cgview annotate: place and figures
"""
import csv
import re
import sqlite3
import sys


def printed(unit, n):
    """As people are told, written anew: three digits."""
    if unit == "ns":
        for factor, word in ((10**9, "s"), (10**6, "ms"), (10**3, "\u00b5s")):
            if n >= factor:
                x = n / factor
                return f"{x:.{3 if x < 9.9995 else 2}f} s" if word == "s" else f"{x:.{2 if x < 9.995 else 1 if x < 99.95 else 0}f} {word}"
        return f"{n} ns"
    if unit == "bytes":
        for factor, word in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
            if n >= factor:
                x = n / factor
                return f"{x:.{2 if x < 9.995 else 1 if x < 99.95 else 0}f} {word}"
        return f"{n} B"
    if len(f"{n:,}") <= 8:
        return f"{n:,}"
    for factor, word in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if n >= factor:
            x = n / factor
            return f"{x:.{2 if x < 9.995 else 1 if x < 99.95 else 0}f} {word}"


def printed_value(unit, v):
    """Bytes and times are whole, other values have six digits."""
    if unit in ("ns", "bytes"):
        return printed(unit, int(v + 0.5))
    return f"{v:,.0f}" if v >= 1e5 or v == int(v) else f"{v:.6g}"


def measure(db, name):
    """(unit, how values become one, is it a total) of a column."""
    total = name.startswith("total_")
    unit, combine = db.execute("SELECT unit, combine FROM measure WHERE name = ?", (name.removeprefix("total_"),)).fetchone()
    return unit, combine, total


def lines(db, path, names):
    file = db.execute("SELECT id FROM file WHERE path LIKE '%' || ?", (path,)).fetchone()[0]
    for (line,) in db.execute("SELECT line FROM line WHERE file = ? ORDER BY line", (file,)).fetchall():
        cells = []
        for name in names:
            unit, _, total = measure(db, name)
            column = name + "_ns" * name.endswith("wait")
            n = db.execute(f"SELECT max({column}) FROM call_site WHERE file = ? AND line = ?" if total else
                           f"SELECT self_{column} FROM line WHERE file = ? AND line = ?", (file, line)).fetchone()[0]
            cells.append(printed(unit, n) if n else "")
        yield [str(line), *cells]


def place_of(line, column, end_line, end_column):
    return f"{line}:{column}-" + (f"{end_line}:" if end_line != line else "") + str(end_column)


def formula(db, path, name, sql, kind):
    unit = measure(db, name)[0]
    where = "WHERE file = (SELECT id FROM file WHERE path LIKE '%' || ?)"
    if kind == "lines":
        rows = db.execute(f"SELECT {sql}, line FROM line {where} ORDER BY line", (path,))
    else:
        rows = db.execute(f'SELECT {sql}, line, "column", end_line, end_column FROM range {where} AND kind <> \'procedure\' '
                          "GROUP BY 2, 3, 4, 5 ORDER BY 2, 3, 4 DESC, 5 DESC", (path,))
    for value, *place in rows.fetchall():
        if value and value > 0:
            yield [str(place[0]) if kind == "lines" else place_of(*place), printed_value(unit, value)]


def expressions(db, path, names):
    file = db.execute("SELECT id FROM file WHERE path LIKE '%' || ?", (path,)).fetchone()[0]
    places = db.execute("SELECT line, \"column\", end_line, end_column FROM range WHERE file = ? AND kind <> 'procedure' "
                        "GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3 DESC, 4 DESC", (file,)).fetchall()
    for place in places:
        cells = []
        for name in names:
            unit, combine, _ = measure(db, name)
            n = db.execute(f"SELECT {combine}(self_{name}) FROM range WHERE file = ? AND line = ? AND \"column\" = ? "
                           "AND end_line = ? AND end_column = ?", (file, *place)).fetchone()[0]
            cells.append(printed(unit, n) if n else "")
        yield [place_of(*place), *cells]


def same_tree(times, name, tree):
    with open(times) as a, open(tree) as b:
        rows = list(zip(csv.DictReader(a), csv.DictReader(b)))
    for time, other in rows:
        assert time["procedure"] == other["procedure"] and time["parent"] == other["parent"], (time, other)
        assert int(other["total_" + name]) == 16 * int(time["samples"]), (time, other)
        below = sum(int(o["total_" + name]) for _, o in rows if o["parent"] == other["row"] and o["kind"] == "procedure")
        assert other["kind"] == "recursion" or int(other["self_" + name]) + below == int(other["total_" + name]), other
    assert len(rows) > 5


def got():
    """Cells stand where the heads end."""
    ends = []
    for text in sys.stdin.read().splitlines():
        bar = re.match(r"(.*) [|:] +(\d+:\S+|\d+)( |$)", text)
        if text.endswith(" |  line"):
            ends = [m.end() for m in re.finditer(r"\S+", text[:-8])]
        elif bar and ends and " " * 3 + bar[2] not in text[:3]:
            begins = [0, *ends[:-1]]
            cells = [bar[1].ljust(ends[-1])[a:b] for a, b in zip(begins, ends)]
            cells[0] = cells[0].removeprefix("x")
            if "".join(cells).strip():
                yield [bar[2], *(c.strip() for c in cells)]


def main():
    if sys.argv[1] == "got":
        rows = got()
    elif sys.argv[2] == "tree":
        return same_tree(sys.argv[1], *sys.argv[3:])
    else:
        db = sqlite3.connect(sys.argv[1])
        what, names = sys.argv[2], sys.argv[3:]
        if what == "greatest":
            rows = [[printed(measure(db, names[0])[0], db.execute(f"SELECT max(self_{names[0]}) FROM line").fetchone()[0])]]
        elif what == "formula":
            rows = formula(db, *names)
        elif what == "lines":
            rows = (r for r in lines(db, names[0], names[1:]) if any(r[1:]))
        else:
            rows = (r for r in expressions(db, names[0], names[1:]) if any(r[1:]))
    for row in rows:
        print("\t".join(row))


if __name__ == "__main__":
    main()
