"""Building the programs in all variants and running them, variant and base side by side."""
import atexit
import collections
import functools
import hashlib
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile

from variants import TOP

SLOW_SCALE, SLOW_ROUNDS = 0.2, 3
COUNTED_SCALE = 0.05
MOST_SECONDS = 60  # of CPU; some tools never come to an end with some programs


class Results:
    """By (program, variant): ratios of user CPU (a list), the least user CPU seconds by place, seconds to compile (the
    least of each file, and their sum), and text, memory of one build or run; by program: seconds of the plain runs."""

    def __init__(self):
        self.ratios = collections.defaultdict(list)
        self.least = collections.defaultdict(dict)
        self.of_files = collections.defaultdict(dict)
        self.compiling, self.text, self.instructions = {}, {}, {}
        self.memory = collections.defaultdict(int)
        self.plain = collections.defaultdict(list)
        self.failed = {}  # (program, variant): why it could not be measured


class Failed(Exception):
    pass


def limit_cpu():
    resource.setrlimit(resource.RLIMIT_CPU, (MOST_SECONDS, MOST_SECONDS))


def wait_for(arguments, **more):
    """Run to the end: user CPU seconds and largest resident set (kB) of the process and of those it
    waited for."""
    with tempfile.TemporaryDirectory() as directory:
        noted = pathlib.Path(directory) / "usage"
        done = subprocess.run([usage_program(), str(noted), *arguments], preexec_fn=limit_cpu, **more)
        if done.returncode:
            raise Failed(f"{pathlib.Path(arguments[0]).name} ended with status {done.returncode}")
        microseconds, kilobytes = map(int, noted.read_text().split())
    return microseconds / 1e6, kilobytes


@functools.cache
def usage_program():
    program = pathlib.Path(tempfile.mkdtemp(prefix="cgview-bench-usage.")) / "usage"
    atexit.register(shutil.rmtree, program.parent)
    subprocess.run(["gcc", "-O2", str(TOP / "bench/programs/usage.c"), "-o", str(program)], check=True)
    return str(program)


def text_bytes(path):
    sizes = subprocess.run(["size", "-A", "-d", str(path)], check=True, stdout=subprocess.PIPE,
                           text=True).stdout
    return int(re.search(r"^\.text\s+(\d+)", sizes, re.M).group(1))


def padding(directory, place):
    """An object that moves the text of all others by 16 PLACE bytes, as where code lies counts for more than what is in it."""
    source = directory / f"place{place}.s"
    source.write_text(f'.text\n.p2align 6\n.fill {16 * place},1,0xcc\n.section .note.GNU-stack,"",@progbits\n')
    subprocess.run(["as", source.name, "-o", f"place{place}.o"], cwd=directory, check=True)
    return f"place{place}.o"


def name_at(program, place):
    return f"{program.name}.{place}" if place else program.name


def build(program, variant, results, places=1):
    directory = program.work / f"{program.name}-{variant.name}"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    compiler = variant.command(program.cxx) + [variant.level, *program.defines]
    objects, least = [], results.of_files[program.name, variant.name]
    for i, source in enumerate(program.sources()):
        objects.append(f"{i}-{source.stem}.o")
        seconds = wait_for(compiler + ["-c", str(source), "-o", objects[-1]], cwd=directory,
                           stderr=subprocess.DEVNULL)[0]
        least[i] = min(seconds, least.get(i, seconds))
    for place in range(places):
        first = [padding(directory, place)] if place else []
        wait_for(compiler + first + objects + ["-o", name_at(program, place)] + program.libraries, cwd=directory)
    results.compiling[program.name, variant.name] = sum(least.values())
    results.text[program.name, variant.name] = text_bytes(directory / program.name)
    return directory


def run(program, directory, variant, place, scale, results):
    """One run: (user CPU seconds, digest of the output)."""
    scratch = pathlib.Path(tempfile.mkdtemp(dir=program.work))
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("CGVIEW_", "GCOV_", "LLVM_"))}
    environment.update(CGVIEW_OUT=str(scratch / "raw"), GMON_OUT_PREFIX=str(scratch / "gmon"),
                       LLVM_PROFILE_FILE=str(scratch / "clang.profraw"), **variant.environment)
    arguments, stdin = program.command(scale)
    tool = [word.format(scratch=scratch) for word in variant.tool]
    output = scratch / "output"
    with open(output, "wb") as out, open(stdin or os.devnull, "rb") as given:
        seconds, kilobytes = wait_for([*tool, str(directory / name_at(program, place)), *arguments], stdin=given,
                                      stdout=out, cwd=scratch, env=environment)
    digest = hashlib.md5(output.read_bytes()).hexdigest() if program.output_is_fixed else ""
    shutil.rmtree(scratch)
    for counts in directory.glob("*.gcda"):  # else the next run merges into them
        counts.unlink()
    if scale == program.scale:
        key = program.name, variant.name
        results.memory[key] = max(results.memory[key], kilobytes)
        results.least[key][place] = min(seconds, results.least[key].get(place, seconds))
    return seconds, digest


def count_instructions(program, directory, variant, scale, results):
    """What a busy machine does not change; without samples, whose number depends on it."""
    arguments, stdin = program.command(scale)
    with tempfile.TemporaryDirectory(dir=program.work) as scratch, open(stdin or os.devnull, "rb") as given:
        done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                               str(directory / program.name), *arguments], stdin=given, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, cwd=scratch,
                              env=dict(os.environ, CGVIEW_OUT=f"{scratch}/raw", CGVIEW_HZ="0"))
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        raise Failed(f"{program.name} ended with status {done.returncode} in valgrind")
    results.instructions[program.name, variant.name] = int(found.group(1).replace(",", ""))
    for counts in directory.glob("*.gcda"):
        counts.unlink()


def in_pairs(variants):
    """Two variants of one base at a time: both run beside it."""
    by_base = collections.defaultdict(list)
    for variant in variants:
        by_base[variant.base].append(variant)
    for base, group in by_base.items():
        for i in range(0, len(group), 2):
            yield base, group[i:i + 2]


def one_round(program, built, variants, by_name, place, scale, results):
    digests = set()
    for base, pair in in_pairs(variants):
        order = [pair[0], by_name[base], *pair[1:]]
        seconds = {}
        for variant in order:
            if (program.name, variant.name) in results.failed:
                continue
            try:
                seconds[variant.name], digest = run(program, built[variant.name], variant, place, scale, results)
                digests.add(digest)
            except Failed as why:
                if not variant.tool:
                    raise
                results.failed[program.name, variant.name] = str(why)
        for variant in pair:
            if variant.name in seconds:
                results.ratios[program.name, variant.name].append(
                    seconds[variant.name] / max(seconds[base], 1e-3))
        if base == "gcc" and scale == program.scale:
            results.plain[program.name].append(seconds[base])
    if len(digests) > 1:
        sys.exit(f"bench: {program.name} does not give the same output in all variants")


def measure(program, variants, rounds, places, scale, results, compilings=1):
    """Variants are compiled in turn, so that a busy machine is so for all; without rounds nothing else is measured."""
    program.scale = scale
    variants = [v for v in variants if not program.threads or v.threads]
    by_name, built = {v.name: v for v in variants}, {}
    for variant in variants * compilings:
        print(f"bench: building {program.name} with {variant.name}", file=sys.stderr)
        built[variant.name] = build(program, variant, results, places)
    for variant in variants if rounds and shutil.which("valgrind") and not program.threads else []:
        if variant.counted:
            print(f"bench: {program.name}: instructions of {variant.name}", file=sys.stderr)
            count_instructions(program, built[variant.name], variant, scale * COUNTED_SCALE, results)
    quick = [v for v in variants if v.base and not v.slow]
    slow = [v for v in variants if v.base and v.slow]
    for n in range(rounds if quick else 0):
        print(f"bench: {program.name}: round {n + 1} of {rounds}", file=sys.stderr)
        one_round(program, built, quick, by_name, n % places, scale, results)
    for n in range(min(rounds, SLOW_ROUNDS)):
        todo = [v for v in slow if not v.once or n == 0]
        if todo:
            print(f"bench: {program.name}: slow ones, round {n + 1}", file=sys.stderr)
            one_round(program, built, todo, by_name, 0, round(scale * SLOW_SCALE, 4), results)
    return results
