"""The results as markdown."""
import datetime
import math
import os
import platform
import re
import shlex
import statistics
import subprocess

from measure import COUNTED_SCALE, SLOW_ROUNDS, SLOW_SCALE


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


def table(out, title, names, variants, cell, number, mean_format="**{:.3f}**"):
    """CELL(program, variant): text; NUMBER: what the geometric mean is of, None: not measured."""
    out.write(f"\n## {title}\n\n")
    out.write(row(["", *names, "geometric mean"] if len(names) > 1 else ["", *names]))
    out.write("|" + "---|" * (len(names) + 1 + (len(names) > 1)) + "\n")
    for variant in variants:
        numbers = [number(n, variant) for n in names]
        if all(x is None for x in numbers):
            continue
        cells = [cell(n, variant) if x is not None else "" for n, x in zip(names, numbers)]
        if len(names) > 1:
            there = [x for x in numbers if x is not None]
            cells.append(mean_format.format(geomean(there)) + ("" if len(there) == len(numbers) else " (of those)"))
        out.write(row([variant.name, *cells]))


def median_ratio(results):
    def ratio(name, variant):
        ratios = results.ratios.get((name, variant.name))
        return statistics.median(ratios) if ratios else None
    return ratio


def spread(results):
    def cell(name, variant):
        r = results.ratios[name, variant.name]
        return f"{statistics.median(r):.2f} ({min(r):.2f}–{max(r):.2f})" if len(r) > 1 else f"{r[0]:.2f}"
    return cell


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


def write(out, arguments, programs, variants, missing, rounds, places, results):
    names = [p.name for p in programs if not p.threads]
    threaded = [p.name for p in programs if p.threads]
    measured = [v for v in variants if v.base]
    ratio, cell = median_ratio(results), spread(results)
    out.write("# Run-time overhead\n\n"
              f"Made by `bench/run {shlex.join(arguments)}`".rstrip(" `") + "` "
              f"on {datetime.date.today()}.\n\n"
              f"- Machine: {machine()}\n- {version('gcc')}\n- {version('clang')}\n"
              f"- {rounds} pairs a cell, each run of a variant beside one of its base; of the slow ones "
              f"{min(rounds, SLOW_ROUNDS)}, with workloads of {SLOW_SCALE:.0%}\n"
              "- Medians (smallest to largest)\n")
    out.writelines(f"- {line}\n" for line in missing)
    out.writelines(f"- {variant} of {name} is left out: {why}\n"
                   for (name, variant), why in results.failed.items())
    if names:
        table(out, "User CPU time, ratio to the base", names, [v for v in measured if not v.slow], cell, ratio)
        out.write("\nSeconds of the plain gcc runs, median: " +
                  ", ".join(f"{n} {statistics.median(results.plain[n]):.2f}" for n in names
                            if results.plain[n]) + "\n")
        if places > 1:
            least = least_ratio(results)
            table(out, f"User CPU time, the least at each of {places} places of the text, their mean, ratio to the base", names,
                  [v for v in measured if not v.slow], lambda name, variant: f"{least(name, variant):.3f}", least)
        table(out, "The slow ones", names, [v for v in measured if v.slow], cell, ratio, "**{:.2f}**")
    counted = against_base(results.instructions)
    table(out, f"Executed instructions (valgrind, workloads of {COUNTED_SCALE:.0%}, no samples), ratio to the base", names,
          [v for v in measured if v.counted], lambda name, variant: f"{counted(name, variant):.3f}", counted)
    if threaded:
        table(out, "Four threads that do little but call a small procedure: user CPU time", threaded, measured,
              cell, ratio)
    for title, values, unit in (("Size of the code (.text)", results.text, "bytes"),
                                ("Time to compile (user CPU)", results.compiling, "seconds"),
                                ("Memory (largest resident set)", results.memory, "kB")):
        compare = against_base(values)
        table(out, f"{title}, ratio to the base", names,
              [v for v in measured if not v.slow or values is not results.memory],
              lambda name, variant: f"{compare(name, variant):.2f}", compare, "{:.2f}")
        out.write(f"\nPlain gcc, {unit}: " + ", ".join(
            f"{n} {values[n, 'gcc']:,.{1 if unit == 'seconds' else 0}f}" for n in names
            if (n, "gcc") in values) + "\n")
    out.write("\n## What the rows are\n\n")
    out.writelines(f"- {v.name}: {v.what}\n" for v in measured)


BY_HAND = "<!-- What follows is written by hand"


def by_hand(path):
    """What somebody wrote behind the tables of PATH."""
    text = path.read_text() if path.exists() else ""
    at = text.find(BY_HAND)
    return "\n" + text[at:] if at >= 0 else ""
