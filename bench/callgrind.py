"""What callgrind says of a program: how often who called whom, and inclusive cost."""
import collections
import os
import re
import subprocess

from perf_stacks import plain_name


# Cycles that an event takes, as KCachegrind estimates them: an instruction, a miss of the first and of the last level of the
# caches, a branch that was not foreseen.
SIMULATED = ["--cache-sim=yes", "--branch-sim=yes"]
CYCLES = {"Ir": 1, **dict.fromkeys(("I1mr", "D1mr", "D1mw", "Bcm", "Bim"), 10), **dict.fromkeys(("ILmr", "DLmr", "DLmw"), 100)}


def run(command, stdin, out, options, environment, cwd):
    with open(stdin or os.devnull, "rb") as given:
        subprocess.run(["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={out}", *options,
                        *map(str, command)], stdin=given, cwd=cwd, env=environment, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)


def arcs(path):
    """(caller, callee, its object, calls, inclusive cost); names as callgrind writes them, with contexts."""
    names, objects, function, callee, calls, here, there = {}, {}, None, None, None, None, None
    cycles = []

    def name(text, of=names):
        number, _, given = text.partition(" ")
        return of.setdefault(number, given)

    for line in open(path, errors="replace"):
        key, _, value = line.rstrip("\n").partition("=")
        if line.startswith("events:"):
            cycles = [CYCLES.get(event, 0) for event in line.split()[1:]]
        elif key == "fn":
            function = name(value)
        elif key == "ob":
            here = there = name(value, objects)
        elif key == "cob":
            there = name(value, objects)
        elif key == "cfn":
            callee = name(value)
        elif key == "calls":
            calls = int(value.split()[0])
        elif calls is not None:
            yield function, callee, there, calls, sum(int(n) * c for n, c in zip(line.split()[1:], cycles))
            calls, there = None, here


def parts(name):
    """The procedure, and those that it was called by; recursion's level is left out."""
    return [plain_name(n) for n in name.split("'") if not re.fullmatch(r"\d+", n)]


def calls_between(path, binary, known):
    """Counter of (caller, callee), both of KNOWN; what other code did is its caller's in KNOWN, else None's."""
    found = collections.Counter()
    for caller, callee, of, calls, _ in arcs(path):
        to = parts(callee)[0]
        if to in known and of == str(binary):
            found[next((n for n in parts(caller) if n in known), None), to] += calls
    return found


def inclusive(path, binary, known):
    """Counter of the cost of procedures with all that they call, recursion counted once (--separate-recs)."""
    found = collections.Counter()
    for _, callee, of, _, cost in arcs(path):
        if of == str(binary) and not re.search(r"'\d+$", callee) and parts(callee)[0] in known:
            found[parts(callee)[0]] += cost
    return found
