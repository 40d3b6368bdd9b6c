#!/usr/bin/env python3
"""Put the results of bench/gcov/compare together as Markdown.

table.py WORK > gcov-comparison.md
table.py WORK RESULTS.md: put the table alone between the two comments <!-- gcov --> in RESULTS.md
"""
import collections
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tests/e2e"))
import compare  # noqa: E402

LEVELS = ("O0", "O2", "O3-flto")
PROGRAMS = {
    "lua": ("lua5.4", "tests/e2e/workload.lua"),
    "bzip2": ("bzip2", "text, zeros and its samples at four levels, there and back; damage"),
    "zlib": ("zlib", "minigzip at six settings, there and back; zlib's own example"),
    "speedtest": ("sqlite3", "speedtest1: main at size 4 (two encodings), cte, orm"),
    "sqlite": ("sqlite3", "the shell: bench/gcov/sqlite.sql, all output modes, dump, recover, import"),
    "tcc": ("tcc", "compiles itself five times, and all of its own tests; assembles"),
    "gawk": ("gawk", "the awk programs of its own test suite, run and pretty-printed"),
    "zstd": ("libzstd", "fifteen levels, there and back, dictionaries, long distance, damage"),
}


def flags(level):
    return "-" + level.replace("-", " -")


def load(work):
    """{program: {level: summary}}, programs in the order of PROGRAMS."""
    found = collections.OrderedDict()
    for program in PROGRAMS:
        levels = {level: work / program / f"{level}.json" for level in LEVELS}
        if any(path.exists() for path in levels.values()):
            found[program] = {level: json.loads(path.read_text())
                              for level, path in levels.items() if path.exists()}
    return found


def cell(part):
    all_of = part["equal"] + len(part["differ"])
    return f"{part['equal']:,} of {all_of:,}"


def of_differences(summary):
    return [(what, *d) for what in ("procedures", "lines") for d in summary[what]["differ"]]


def print_table(results):
    print("| program | level | procedures equal | lines equal | (executed) | differ | unexplained |")
    print("|---|---|---|---|---|---|---|")
    for program, levels in results.items():
        for level, summary in levels.items():
            differ = of_differences(summary)
            print(f"| {program} | {flags(level)} | {cell(summary['procedures'])} | "
                  f"{cell(summary['lines'])} | {summary['lines']['executed']:,} | {len(differ)} | "
                  f"{sum(d[-1] is None for d in differ)} |")
    print()


def print_reasons(results):
    used = collections.Counter()
    for levels in results.values():
        for summary in levels.values():
            used.update(d[-1] for d in of_differences(summary))
    print("| reason | differences, all levels | what it is |\n|---|---|---|")
    for name, check in compare.REASONS.items():
        if used[name]:
            print(f"| {name} | {used[name]} | {' '.join(check.__doc__.split())} |")
    print()


def by_place(levels):
    """{(what, file, place): [(level, gcov, ours, reason)]}"""
    places = collections.OrderedDict()
    for level, summary in levels.items():
        for what, key, gcov, ours, reason in of_differences(summary):
            places.setdefault((what, *key), []).append((level, gcov, ours, reason))
    return places


def show(count):
    return "none" if count is None else f"{count:,}"


def source_line(sources, name, number):
    if name not in sources:
        path = sources["root"] / name
        text = path.read_text(errors="replace") if path.exists() else ""
        sources[name] = text.split("\n")
    lines = sources[name]
    text = " ".join(lines[number - 1].split()) if number <= len(lines) else ""
    return (text[:46] + "..." if len(text) > 49 else text).replace("|", "\\|").replace("`", "'")


def print_differences(work, program, levels):
    sources = {"root": work / program / "fetched"}
    print(f"### {program}\n")
    print("| where | what stands there | gcov | cgview | at | reason |\n|---|---|---|---|---|---|")
    for (what, name, place), entries in sorted(by_place(levels).items(), key=str):
        text = f"`{source_line(sources, name, place)}`" if what == "lines" else "procedure"
        for gcov, ours, reason in dict.fromkeys(e[1:] for e in entries):
            at = ", ".join(flags(e[0]) for e in entries if e[1:] == (gcov, ours, reason))
            print(f"| {name}:{place} | {text} | {show(gcov)} | {show(ours)} | "
                  f"{at if at.count(',') < 2 else 'all'} | {reason or '**?**'} |")
    print()


def put_table(path, results):
    table = io.StringIO()
    with contextlib.redirect_stdout(table):
        print_table(results)
    before, _, after = path.read_text().split("<!-- gcov -->\n")
    path.write_text("<!-- gcov -->\n".join((before, table.getvalue().rstrip("\n") + "\n", after)))


def main():
    work = pathlib.Path(sys.argv[1])
    results = load(work)
    if len(sys.argv) > 2:
        put_table(pathlib.Path(sys.argv[2]), results)
        return
    gcc = subprocess.run(["gcc", "--version"], stdout=subprocess.PIPE, text=True).stdout.split("\n")[0]
    print("# Counts compared with gcov's\n")
    print(f"Made by `bench/gcov/compare` (`make compare-gcov`); {gcc}.\n")
    print(pathlib.Path(__file__).with_name("preface.md").read_text())
    for program in results:
        package, workload = PROGRAMS[program]
        log = (work / program / "fetched/debian/changelog").read_text(errors="replace")
        version = re.search(r"\((.*?)\)", log).group(1)
        print(f"- **{program}**: {package} {version}, {workload}")
    print("\n## The table\n")
    print_table(results)
    print("## Reasons\n")
    print("Each is checked by `tests/e2e/compare.py` against something measured, place by place.\n")
    print_reasons(results)
    print("## Each difference\n")
    for program, levels in results.items():
        if any(of_differences(s) for s in levels.values()):
            print_differences(work, program, levels)


if __name__ == "__main__":
    main()
