"""branches.py SOURCE CGVIEW DB: compares the ways of conditions with the counts that stand behind the lines of SOURCE:
of each condition, by column, how often it was true and false, "7/3"; of a switch its ways, "2 1 3"."""
import csv, re, subprocess, sys

source, cgview, db = sys.argv[1:4]
rows = subprocess.run([cgview, "report", "--format", "csv", "--sql",
                       "SELECT b.line, b.column, b.kind, b.number, b.way, sum(b.count) AS n FROM branch b "
                       "JOIN file f ON f.id = b.file WHERE f.path LIKE '%/" + source + "' "
                       "GROUP BY 1, 2, b.end_line, b.end_column, 3, 4, 5 ORDER BY 1, 2, 4, 5", db],
                      capture_output=True, text=True, check=True).stdout
found = {}
for r in csv.DictReader(rows.splitlines()):
    line = found.setdefault(int(r["line"]), {})
    line.setdefault((int(r["column"]), r["kind"] == "switch", int(r["number"])), []).append(r["n"])
bad = 0
for number, text in enumerate(open(source), 1):
    m = re.search(r"/\* ([0-9/ ]+) \*/", text)
    expected = m.group(1) if m else ""
    got = " ".join((" " if switch else "/").join(ways)
                   for (_, switch, _), ways in sorted(found.get(number, {}).items()))
    if got != expected:
        print(f"{source}:{number}: {text.strip()}: {got or 'none'}")
        bad += 1
sys.exit(bad > 0)
