"""The results as markdown."""
import datetime
import math
import os
import platform
import re
import shlex
import statistics
import subprocess
import textwrap

from measure import SLOW_ROUNDS, SLOW_SCALE


def geomean(values):
    return math.exp(statistics.fmean(math.log(v) for v in values))


def version(command):
    try:
        done = subprocess.run([command, "--version"], stdout=subprocess.PIPE, text=True)
    except FileNotFoundError:
        return f"{command}: not installed"
    return done.stdout.split("\n")[0]


def put(path, name, text):
    """TEXT between the marks of that NAME in PATH; a file that is not there, or has none, gets them at its end."""
    mark = f"<!-- {name} -->\n"
    old = path.read_text() if path.exists() else ""
    before, _, after = (old if mark in old else old + mark + mark).split(mark)
    path.write_text(before + mark + text + mark + after)


def machine():
    model = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    return (f"{model.group(1) if model else platform.machine()}, {os.cpu_count()} CPUs, "
            f"{platform.system()} {platform.release()}")


def row(cells):
    return "| " + " | ".join(cells) + " |\n"


def median_ratio(results):
    def ratio(name, variant):
        ratios = results.ratios.get((name, variant.name))
        return statistics.median(ratios) if ratios else None
    return ratio


def least_ratio(results):
    """Of the means over all places of the least at each."""
    def ratio(name, variant):
        ours, base = results.least.get((name, variant.name)), results.least.get((name, variant.base))
        return statistics.mean(ours.values()) / max(statistics.mean(base.values()), 1e-3) if ours and base else None
    return ratio


def against_base(values):
    def ratio(name, variant):
        if (name, variant.name) not in values:
            return None
        return max(values[name, variant.name], 1e-3) / max(values[name, variant.base], 1e-3)
    return ratio


def plain_name(variant):
    return variant.name.removesuffix(variant.level)


def numbers(cells):
    return [c for c in cells if c is not None]


class Measured:
    """All that a run of bench/run has found, to make tables of."""

    def __init__(self, arguments, programs, variants, missing, rounds, places, compilings, results):
        self.arguments, self.programs, self.missing, self.results = arguments, programs, missing, results
        self.rounds, self.places, self.compilings = rounds, places, compilings
        self.variants = {v.name: v for v in variants}
        self.of_time = median_ratio(results)

    def made_by(self, how):
        """What stands above a table: the command, the day, the machine, HOW it was measured, what is not there."""
        text = (f"Made by `{shlex.join(['bench/run', *self.arguments])}` on {datetime.date.today()}: {machine()}; "
                f"{version('gcc')}. {how}")
        yield textwrap.fill(text, 119, break_long_words=False, break_on_hyphens=False) + "\n\n"
        yield from (f"- {line}\n" for line in self.missing)
        yield from (f"- {variant} of {name} is left out: {why}\n"
                    for (name, variant), why in self.results.failed.items())
        if self.missing or self.results.failed:
            yield "\n"

    def spread(self, name, variant):
        r = self.results.ratios[name, variant.name]
        return f"{statistics.median(r):.2f} ({min(r):.2f}–{max(r):.2f})" if len(r) > 1 else f"{r[0]:.2f}"

    def by_program(self, variants, columns):
        """A row for each program. COLUMNS: (title, number of a program and a variant, cell of the same, format of the
        mean); each is one column for each of the VARIANTS that has a number."""
        columns = [(c, v) for c in columns for v in variants
                   if any(c[1](p.name, v) is not None for p in self.programs)]
        heads, last = [], None
        for (title, *_), variant in columns:
            heads.append(plain_name(variant) if title == last else f"{title}: {plain_name(variant)}")
            last = title
        yield row(["program", *heads])
        yield "|" + "---|" * (len(columns) + 1) + "\n"
        for p in sorted(self.programs, key=lambda p: p.threads):
            there = [number(p.name, v) for (_, number, _, _), v in columns]
            if numbers(there):
                yield row([p.name + (" (not in the mean)" if p.threads else ""),
                           *("" if n is None else cell(p.name, v) for n, ((_, _, cell, _), v) in zip(there, columns))])
        means = [numbers(number(p.name, v) for p in self.programs if not p.threads)
                 for (_, number, _, _), v in columns]
        yield row(["**all** (geometric mean)",
                   *(style.format(geomean(m)) if m else "" for m, ((*_, style), _) in zip(means, columns))])

    def default(self, *names):
        """What the variants of these NAMES cost: time, instructions, text."""
        variants = [self.variants[n] for n in names]
        counted, text = against_base(self.results.instructions), against_base(self.results.text)
        least = least_ratio(self.results)
        columns = [("time", self.of_time, self.spread, "{:.3f}")]
        if self.places > 1:
            columns.append(("least", least, lambda n, v: f"{least(n, v):.2f}", "{:.3f}"))
        columns += [("instructions", counted, lambda n, v: f"{counted(n, v):.3f}", "{:.3f}"),
                    ("text", text, lambda n, v: f"{text(n, v):.2f}", "{:.2f}")]
        yield from self.made_by(f"{self.rounds} pairs, {self.places} places.")
        yield from self.by_program(variants, columns)

    def built(self, title, values, digits, how):
        """VALUES of gcc, and those of the two by it."""
        ratio = against_base(values)
        yield from self.made_by(how)
        plain = (title, lambda n, v: values.get((n, "gcc")) if v.name == "gcc" else None,
                 lambda n, v: f"{values[n, 'gcc']:,.{digits}f}", "")
        by_plain = ("by gcc's", lambda n, v: None if v.name == "gcc" else ratio(n, v),
                    lambda n, v: f"{ratio(n, v):.2f}", "{:.2f}")
        yield from self.by_program([self.variants[n] for n in ("gcc", "cgcc", "gcov")], [plain, by_plain])

    def text(self):
        return self.built("bytes", self.results.text, 0, "`.text` at -O2.")

    def compiling(self):
        return self.built("seconds", self.results.compiling, 2,
                          "User CPU seconds to compile the files of a program at -O2, the least of "
                          f"{self.compilings} for each file, the compilers in turn.")

    def others(self):
        """The geometric means of all variants."""
        results = self.results
        names = [p.name for p in self.programs if not p.threads]
        columns = {"time": self.of_time, "instructions": against_base(results.instructions),
                   "text": against_base(results.text), "time to compile": against_base(results.compiling),
                   "memory": against_base(results.memory)}
        yield from self.made_by(f"Geometric means over {', '.join(names)}; {self.rounds} pairs, of the slow ones "
                                f"{min(self.rounds, SLOW_ROUNDS)} with workloads of {SLOW_SCALE:.0%}.")
        threaded = [p.name for p in self.programs if p.threads]
        yield row(["", *columns, *(f"time of {n}" for n in threaded), "what it is"])
        yield "|" + "---|" * (len(columns) + len(threaded) + 2) + "\n"
        for v in self.variants.values():
            if not v.base:
                continue
            cells = []
            for number in columns.values():
                there = numbers(number(n, v) for n in names)
                some = f" (of {len(there)})" if len(there) < len(names) else ""
                cells.append(f"{geomean(there):.2f}{some}" if there else "")
            there = [self.of_time(n, v) for n in threaded]
            yield row([v.name, *cells, *("" if n is None else f"{n:.2f}" for n in there), v.what])

    def table(self, name):
        """One of TABLES, as text."""
        return "".join({"O2": lambda: self.default("cgcc", "gcov"), "O3": lambda: self.default("cgcc-O3", "gcov-O3"),
                        "text": self.text, "compiling": self.compiling, "others": self.others}[name]())


# Each stands in RESULTS.md between two marks of its name: the variants that it is made of, and whether they must run.
TABLES = {
    "O2": ({"cgcc", "gcov"}, True),
    "O3": ({"cgcc-O3", "gcov-O3"}, True),
    "text": ({"cgcc", "gcov"}, False),
    "compiling": ({"cgcc", "gcov"}, False),
    "others": (set(), True),
}


def possible(variants, rounds):
    """The names of the TABLES that can be made of VARIANTS (names)."""
    return [name for name, (needed, run) in TABLES.items() if needed <= set(variants) and (rounds or not run)]
