#!/bin/bash
# The tables of bench/run, of figures whose ratios and means are known, and what stands beside them in a file.
set -u
python3 -B - "$TMP_DIR/results.md" <<'EOF'
import pathlib, sys, types
sys.path.insert(0, "bench")
import measure, tables, variants

path = pathlib.Path(sys.argv[1])
results = measure.Results()
# name: times the plain, of cgcc and of gcov
for name, ours, gcov in (("a", 2, 1), ("b", 8, 4), ("threads", 100, None)):
    for variant, factor in (("gcc", 1), ("cgcc", ours), ("gcov", gcov)):
        if factor is None:
            continue
        results.text[name, variant] = 1000 * factor
        results.compiling[name, variant] = 0.5 * factor
        results.instructions[name, variant] = 10 * factor
        results.least[name, variant] = {0: factor, 1: 3 * factor}
        if variant != "gcc":
            results.ratios[name, variant] = [factor, factor / 2, factor * 4]
programs = [types.SimpleNamespace(name=n, threads=n == "threads") for n in ("threads", "a", "b")]
found = [variants.BY_NAME[n] for n in ("gcc", "cgcc", "gcov")]
made = tables.Measured(["--rounds", "3"], programs, found, [], 3, 2, 1, results)


def check(what, seen, expected):
    print("ok" if seen == expected else f"{seen}\nnot {expected}\nnot ok", "-", what)


def rows(name):
    return [line for line in made.table(name).splitlines() if line.startswith("| ")]


check("time, instructions and text by gcc's; threads are not in the mean", rows("O2"), [
    "| program | time: cgcc | gcov | least: cgcc | gcov | instructions: cgcc | gcov | text: cgcc | gcov |",
    "| a | 2.00 (1.00–8.00) | 1.00 (0.50–4.00) | 2.00 | 1.00 | 2.000 | 1.000 | 2.00 | 1.00 |",
    "| b | 8.00 (4.00–32.00) | 4.00 (2.00–16.00) | 8.00 | 4.00 | 8.000 | 4.000 | 8.00 | 4.00 |",
    "| threads (not in the mean) | 100.00 (50.00–400.00) |  | 100.00 |  | 100.000 |  | 100.00 |  |",
    "| **all** (geometric mean) | 4.000 | 2.000 | 4.000 | 2.000 | 4.000 | 2.000 | 4.00 | 2.00 |"])
check("sizes", rows("text"), [
    "| program | bytes: gcc | by gcc's: cgcc | gcov |", "| a | 1,000 | 2.00 | 1.00 |", "| b | 1,000 | 8.00 | 4.00 |",
    "| threads (not in the mean) | 1,000 | 100.00 |  |", "| **all** (geometric mean) |  | 4.00 | 2.00 |"])
check("means of each variant", [row.rsplit(" | ", 1)[0] for row in rows("others")[1:]], [
    "| cgcc | 4.00 | 4.00 | 4.00 | 4.00 |  | 100.00", "| gcov | 2.00 | 2.00 | 2.00 | 2.00 |  | "])

check("no times without runs", tables.possible(["cgcc", "gcov"], 0), ["text", "compiling"])
check("no table of variants that are not there", tables.possible(["cgcc"], 7), ["others"])

path.write_text("by hand, `<!-- O2 -->`\n<!-- text -->\nold\n<!-- text -->\nbetween\n<!-- O2 -->\nkept\n<!-- O2 -->\nend\n")
tables.put(path, "text", "new\n")
check("a table that is made anew changes nothing beside it", path.read_text(),
      "by hand, `<!-- O2 -->`\n<!-- text -->\nnew\n<!-- text -->\nbetween\n<!-- O2 -->\nkept\n<!-- O2 -->\nend\n")
real = pathlib.Path("bench/RESULTS.md").read_text()
check("RESULTS.md has two marks of each table", [real.count(f"<!-- {t} -->\n") for t in tables.TABLES], [2] * 5)
EOF
