#!/usr/bin/env python3
"""Compare cgview's counts with gcov's.

compare.py --root DIR --truth RUN.json... --db DB... [--cgview PROGRAM] [--other NAME=RUN.json...]
           [--blocks RUN.txt] [--unoptimised DB...] [--allow NAME=N]... [--least N]
           [--paths] [--sources DIR] [--summary FILE]

Procedure entry counts and line counts of every file below DIR must be equal to those of the first
--truth (gcov --json-format --stdout). A difference must have one of the reasons in the table
REASONS, each of which is checked against something that was measured, and there may be no more of
them than --allow says (with GCC 14 or older: how many differ is a matter of what the compiler makes
of jumps, and these maxima were found with those). Several DBs are added up. What the reasons need: several --truth are runs of
one build with the same input; --other are runs of another build; --blocks is what
gcov --all-blocks --stdout prints; --unoptimised are profiles of the same runs compiled by cgcc -O0.
Prints "ok - " and "not ok - " lines; status 1 when something differs.
"""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
from collections import defaultdict


MAXIMA_UNTIL = 14       # the newest GCC that the maxima of --allow were found with


class Counts:
    """procedures: (file, name) -> count; lines: (file, line) -> count; files by base name."""

    def __init__(self):
        self.procedures = defaultdict(int)
        self.lines = defaultdict(int)
        self.starts = {}        # procedure -> (line of its name, its last line, count)
        self.compiler = 0       # gcov's: the first number of GCC's version


class Naming:
    """How a file is called: its base name, or with --paths its path below the root."""

    def __init__(self, root, paths):
        self.root, self.paths = root, paths

    def __call__(self, path, directory=""):
        """None: the file is none of the program's."""
        full = os.path.normpath(os.path.join(directory, path))
        if self.paths:
            return full[len(self.root) + 1:] if full.startswith(self.root + "/") else None
        return None if path.startswith("/usr/") else os.path.basename(path)


def read_gcov(path, naming):
    """A stream of gcov's JSON documents, one a line (gcov --json-format --stdout)."""
    counts = Counts()
    for document in open(path, encoding="utf-8", errors="replace"):
        if not document.strip():
            continue
        unit = json.loads(document)
        counts.compiler = int(unit["gcc_version"].split(".")[0])
        for source in unit["files"]:
            name = naming(source["file"], unit["current_working_directory"])
            if name is None:
                continue
            for f in source["functions"]:
                counts.procedures[name, f["name"]] += f["execution_count"]
                counts.starts[name, f["name"]] = (f["start_line"], f["end_line"],
                                                  counts.procedures[name, f["name"]])
            for line in source["lines"]:
                counts.lines[name, line["line_number"]] += line["count"]
    return counts


def read_blocks(path, naming):
    """(file, line) -> counts of its blocks, from gcov --all-blocks --stdout. A line "Directory:..." tells
    where it was run, if not in the root."""
    blocks = defaultdict(list)
    name, directory = None, naming.root
    for text in open(path, encoding="utf-8", errors="replace"):
        source = re.match(r"\s*-:\s*0:Source:(.*)", text)
        block = re.match(r"\s*([0-9]+|[%$]+)\*?:\s*([0-9]+)-block", text)
        if text.startswith("Directory:"):
            directory = text[len("Directory:"):].rstrip("\n")
        elif source:
            name = naming(source.group(1), directory) or "?"
        elif block:
            count = block.group(1)
            blocks[name, int(block.group(2))].append(int(count) if count.isdigit() else 0)
    return blocks


def report(cgview, db, kind):
    text = subprocess.run([cgview, "report", "--by", kind, "--format", "csv", db], check=True,
                          stdout=subprocess.PIPE, encoding="utf-8", errors="replace").stdout
    return list(csv.DictReader(text.splitlines()))


def read_ours(cgview, databases, root, naming=None):
    naming = naming or Naming(root, False)
    procedure = "linkage_name" if naming.paths else "procedure"
    counts = Counts()
    for db in databases:
        for row in report(cgview, db, "procedure"):
            if (name := ours_name(row["file"], root, naming)):
                counts.procedures[name, row[procedure]] += int(row["calls"])
        for row in report(cgview, db, "line"):
            if (name := ours_name(row["file"], root, naming)):
                counts.lines[name, int(row["line"])] += int(row["count"])
    return counts


def ours_name(path, root, naming):
    if not path or naming.paths:
        return naming(path) if path else None
    if os.path.isabs(path) and (path.startswith("/usr/") if root is None else
                                not os.path.realpath(path).startswith(root + "/")):
        return None
    return os.path.basename(path)


# ---- reasons: each proves that one difference is not an error of ours, or says nothing ----

class Evidence:
    """All that was measured: gcov's runs, other builds, gcov's blocks, cgcc -O0, the sources."""

    def __init__(self, truths, others, blocks, unoptimised, sources, paths):
        self.truths, self.others, self.blocks = truths, others, blocks
        self.unoptimised = unoptimised
        self.entries = defaultdict(set)     # (file, line) of a procedure's name -> its entry counts
        self.ends = {}                      # (file, last line of a procedure) -> its entry count
        for (name, _), (line, last, count) in truths[0].starts.items():
            self.entries[name, line].add(count)
            self.ends[name, last] = count
        self.sources = {}
        for directory, _, names in os.walk(sources):
            for name in names:
                if name.endswith((".c", ".h", ".cc", ".y")):
                    path = os.path.join(directory, name)
                    key = os.path.relpath(path, sources) if paths else name
                    self.sources.setdefault(key, path)

    def text(self, key):
        """The line without comments and blanks."""
        if isinstance(self.sources.get(key[0]), str):
            with open(self.sources[key[0]], encoding="utf-8", errors="replace") as source:
                self.sources[key[0]] = source.read().split("\n")
        lines = self.sources.get(key[0], [])
        text = lines[key[1] - 1] if key[1] <= len(lines) else ""
        return re.sub(r"/\*.*?(\*/|$)|//.*", "", text).strip()

    def statement(self, key):
        """The lines of the statement that this line is part of, as far as semicolons and braces tell."""
        first = last = key[1]
        while key[1] - first < 12 and first > 1 and not self.text((key[0], first - 1)).endswith((";", "{", "}")):
            first -= 1
        while last - key[1] < 12 and not self.text((key[0], last)).endswith((";", "{", "}")):
            last += 1
        return [(key[0], n) for n in range(first, last + 1)]

    def near(self, key, offsets):
        """gcov's counts of the lines that are so far from this one, of those that have one."""
        lines = self.truths[0].lines
        return [lines[key[0], key[1] + n] for n in offsets if (key[0], key[1] + n) in lines]


def spread_in_runs(what, places, evidence):
    """The most that gcov's runs differ at one of the places."""
    counts = ([c for c in (getattr(t, what).get(k) for t in evidence.truths) if c is not None] for k in places)
    return max((max(c) - min(c) for c in counts if c), default=0)


def varies_between_runs(what, key, gcov, ours, evidence):
    """The program itself does not do the same twice: addresses are keys of its hash tables. Or it is
    next to such a place, and no farther off than those are in gcov's runs; or in the same file, and
    then by no more than a hundred thousandth: a place that varies seldom."""
    if len({getattr(t, what).get(key) for t in evidence.truths}) > 1:
        return True
    if gcov is None or ours is None:
        return False
    near = {(key[0], key[1] + n) for n in range(-8, 9)} if what == "lines" else {key}
    same_file = {k for k in getattr(evidence.truths[0], what) if k[0] == key[0]}
    return (abs(ours - gcov) <= spread_in_runs(what, near, evidence) or
            abs(ours - gcov) <= min(spread_in_runs(what, same_file, evidence), gcov / 100000))


def computed_goto(what, key, gcov, ours, evidence):
    """gcov gives our number too when the program is built without computed goto."""
    return any(ours == getattr(o, what).get(key) for o in evidence.others["computed-goto"])


def several_blocks(what, key, gcov, ours, evidence):
    """gcov adds up several blocks of the line; ours is the count of one of them, in gcov's own list."""
    counts = evidence.blocks.get(key, ())
    return what == "lines" and len(counts) > 1 and ours in counts


def first_line(what, key, gcov, ours, evidence):
    """gcov's count of a procedure's first line is not its own entry count of that procedure; ours is."""
    return what == "lines" and gcov is not None and {ours} == evidence.entries.get(key)


def must_inline(what, key, gcov, ours, evidence):
    """The procedure has the attribute always_inline: gcov has no record of it, nor of its first line."""
    evidence.text((key[0], 1))
    source = evidence.sources.get(key[0], [])
    number = key[1] if what == "lines" else next(
        (n for n, text in enumerate(source, 1) if re.match(rf"{re.escape(key[1])}\s*\(", text)), 0)
    return gcov is None and any("always_inline" in t for t in source[max(number - 4, 0):number])


def bare_jump(what, key, gcov, ours, evidence):
    """gcov has no record of the line, which is nothing but a jump; ours says how often it jumped."""
    return (what == "lines" and gcov is None and
            re.fullmatch(r"(\}?\s*else\s*)?(default:)?\s*(break|continue|goto \w+|\w*assert\(0\))?;(\s*\})?",
                         evidence.text(key)) is not None)


def bare_label(what, key, gcov, ours, evidence):
    """The line is only a label. gcov counts some of the ways to it; ours is gcov's count of the next
    lines, or of the one before it from which control falls into it."""
    if what != "lines" or not re.fullmatch(r"(case )?'?\w+'?:", evidence.text(key)):
        return False
    return ours in (evidence.near(key, range(1, 16))[:2] + evidence.near(key, range(-1, -5, -1))[:2])


LOOP = r"(\}?\s*else\s+)?(while|for)\b"
ENDLESS = r"(while\s*\(\s*1\s*\)|for\s*\(\s*;\s*(;\s*\))?|for\s*\([^;]*;\s*;[^;]*\))\s*\{?"


def jump_in_arm(what, key, gcov, ours, evidence):
    """A condition or the head of a loop. A jump that the compiler makes has its place: over the else
    part at the end of an arm, or to the condition at the loop's begin. gcov counts the jump as the line
    once more: what gcov has too much is its own count of the arm; or, of a loop, it is its own count of
    the line before, or ours is it plus gcov's count of the turns."""
    if what != "lines" or gcov is None or ours is None or gcov <= ours:
        return False
    text = evidence.text(key)
    arm = evidence.near(key, range(1, 20))[:3]
    before = evidence.near(key, range(-1, -4, -1))[:1]
    if re.match(LOOP, text) and (2 * ours - gcov in arm or gcov - ours in before):
        return True
    return (re.match(r"\}?\s*(else\s+)?(if|while|for|switch)\b|&&|\|\|", text) is not None and
            gcov - ours in arm)


def loop_condition(what, key, gcov, ours, evidence):
    """The condition of a loop that goes on on the next line. gcov counts only the loop's begins here,
    as often as the line before; ours is how often the condition was tested, gcov's own count of the
    next line."""
    if what != "lines" or gcov is None or ours is None or not re.match(LOOP, evidence.text(key)):
        return False
    return (evidence.near(key, range(1, 2)) == [ours] and
            evidence.near(key, range(-1, -6, -1))[:1] == [gcov])


def only_jump(what, key, gcov, ours, evidence):
    """Only a jump that the compiler makes stands on the line, and we have no record of it: the end of a
    condition, where gcov's count is its own of the next line; the begin of a conditional expression,
    where it is its own of the arm that the jump ends; or the head of a loop without a condition there,
    where it is its own of the turns: of a line of the body, or what the first line of the body has
    more than the line before the loop."""
    if what != "lines" or gcov is None or ours is not None:
        return False
    text = evidence.text(key)
    body = evidence.near(key, range(1, 20))[:4]
    if re.fullmatch(r"\)*\s*\{", text) and body[:1] == [gcov]:
        return True
    if re.search(r"[^=!<>]=\s*\(", text) and not text.endswith(";"):
        return gcov in body
    before = evidence.near(key, range(-1, -12, -1))[:1]
    return (re.fullmatch(ENDLESS, text) is not None and
            (gcov in body or [gcov] == [first - b for first, b in zip(body, before)]))


def endless_head(what, key, gcov, ours, evidence):
    """The head of a loop without a condition, or the brace behind it. gcov counts the jumps back to it,
    ours is how often a turn began: gcov's own count of the first line of the body, or what gcov counts
    and the line before the loop together."""
    if what != "lines" or gcov is None or ours is None or gcov >= ours:
        return False
    if re.fullmatch(ENDLESS + r"|\{", evidence.text(key)) is None:
        return False
    lines = evidence.truths[0].lines
    body = [lines[k] for k in ((key[0], key[1] + n) for n in range(1, 20))
            if k in lines and evidence.text(k) != "{"]
    before = evidence.near(key, range(-1, -8, -1))[:1]
    return body[:1] == [ours] or before == [ours - gcov]


def nested_head(what, key, gcov, ours, evidence):
    """The head of a loop without a condition whose body begins with another one, or with a do loop: no block
    begins with its turns alone. gcov counts the jumps back to it."""
    if what != "lines" or gcov is None or ours is not None:
        return False
    body = next((t for t in (evidence.text((key[0], key[1] + n)) for n in range(1, 20)) if t not in ("", "{")), "")
    return (re.fullmatch(ENDLESS, evidence.text(key)) is not None and
            re.fullmatch(ENDLESS + r"|do\s*\{?", body) is not None)


def arms_on_lines(what, key, gcov, ours, evidence):
    """A conditional expression on several lines. gcov has its test, its arms without code of their own, and
    the copy of its value at the place of the colon, and counts the line where it begins again when the value
    comes back to it; ours is how often the line's condition or arm was evaluated: the count of one of the
    expression's blocks, in gcov's own list, or of the line before it. An arm that is folded leaves no code:
    then we have no record."""
    lines = evidence.statement(key) if what == "lines" else []
    if len(lines) < 2 or "?" not in "".join(evidence.text(k) for k in lines):
        return False
    if ours is None:
        return re.match(r"[?:]|.*(\?|:$)", evidence.text(key)) is not None
    return (any(ours in evidence.blocks.get(k, ()) for k in lines) or
            evidence.near(lines[0], range(-1, -8, -1))[:1] == [ours])


def operand_on_line(what, key, gcov, ours, evidence):
    """A condition on several lines. Ours is how often the operand was evaluated that begins on the line.
    gcov has an operand that is a mere variable, or computes nothing, at the operator, so none on this line
    or only that of another one: ours is no less, and no more than the most that gcov has for a line of the
    statement or the one before it, or for both of these together, as of a loop's condition. Or gcov counts
    the line again when the condition comes back to it: then ours is among its blocks, or its count of another
    line of the condition. Or only a constant stands there, and the operator: then we have no record."""
    lines = evidence.statement(key) if what == "lines" else []
    if len(lines) < 2 or not re.search(r"&&|\|\|", "".join(evidence.text(k) for k in lines)):
        return False
    if ours is None:
        return re.search(r"(&&|\|\|)$", evidence.text(key)) is not None
    counts = [evidence.truths[0].lines.get(k, 0) for k in lines]
    before = evidence.near(lines[0], range(-1, -20, -1))[:1]
    if (gcov or 0) > ours:
        return ours in counts + before or any(ours in evidence.blocks.get(k, ()) for k in lines)
    return ours <= max(counts + before) or ours - before[0] <= counts[-1]


def call_on_lines(what, key, gcov, ours, evidence):
    """A call on several lines, whose arguments come first. gcov counts its line once before them and once
    behind; ours is gcov's own count of the line before it, of one of its lines, or of the line behind it."""
    lines = evidence.statement(key) if what == "lines" else []
    if len(lines) < 2 or ours is None or gcov != 2 * ours or "(" not in evidence.text(key):
        return False
    return ours in (evidence.near(lines[0], range(-1, -8, -1))[:1] + evidence.near(lines[-1], range(1, 8))[:1] +
                    [evidence.truths[0].lines.get(k) for k in lines])


def parts_of_head(what, key, gcov, ours, evidence):
    """The head of a loop without a condition, with a first and a third part. gcov adds these up, and so has
    its own count of the first line of the body; ours is the greater of the two."""
    if what != "lines" or gcov is None or ours is None or not gcov / 2 <= ours < gcov:
        return False
    return (re.match(r"for\s*\([^;]+;\s*;[^;]+\)", evidence.text(key)) is not None and
            evidence.near(key, range(1, 8))[:1] == [gcov])


def jump_removed(what, key, gcov, ours, evidence):
    """Nothing but a label, a brace or a return without a value: optimising, the compiler makes no code
    of it that could be counted. At -O0 ours is gcov's count."""
    return (what == "lines" and gcov is not None and ours is None and
            evidence.unoptimised is not None and evidence.unoptimised.lines.get(key) == gcov and
            re.fullmatch(r"(case [^:]+:|default:)?\s*(return;|\{)?", evidence.text(key)) is not None)


def tail_call(what, key, gcov, ours, evidence):
    """Only the return behind calls in tail position stands there, at the procedure's end. They became
    jumps, so nothing can be counted behind them: ours includes those that left by longjmp, and is no
    more than gcov's count of the procedure's calls. At -O0 ours is gcov's count."""
    if what != "lines" or gcov is None or ours is None or evidence.unoptimised is None:
        return False
    return (evidence.text(key) == "}" and gcov < ours <= evidence.ends.get(key, 0) and
            evidence.unoptimised.lines.get(key) == gcov)


def not_compiled(what, key, gcov, ours, evidence):
    """A static procedure that nobody refers to: optimising, the compiler drops it, and so no build
    has it. gcov at -O0, and ours at -O0, have it with count 0."""
    return (gcov == 0 and ours is None and evidence.unoptimised is not None and
            getattr(evidence.unoptimised, what).get(key) == 0)


REASONS = {
    "varies-between-runs": varies_between_runs,
    "computed-goto": computed_goto,
    "first-line": first_line,
    "must-inline": must_inline,
    "bare-jump": bare_jump,
    "bare-label": bare_label,
    "jump-in-arm": jump_in_arm,
    "loop-condition": loop_condition,
    "only-jump": only_jump,
    "endless-head": endless_head,
    "nested-head": nested_head,
    "arms-on-lines": arms_on_lines,
    "operand-on-line": operand_on_line,
    "call-on-lines": call_on_lines,
    "parts-of-head": parts_of_head,
    "jump-removed": jump_removed,
    "tail-call": tail_call,
    "not-compiled": not_compiled,
    "several-blocks": several_blocks,
}


def compare(what, evidence, ours):
    """Returns (number equal, [(key, gcov, ours, reason or None)])."""
    truth = getattr(evidence.truths[0], what)
    mine = getattr(ours, what)
    equal, differences = 0, []
    for key in sorted(set(truth) | set(mine), key=str):
        a, b = truth.get(key), mine.get(key)
        if a == b:
            equal += 1
            continue
        reason = next((n for n, check in REASONS.items() if check(what, key, a, b, evidence)), None)
        differences.append((key, a, b, reason))
    return equal, differences


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--root", required=True)
    parser.add_argument("--paths", action="store_true", help="files by path below the root")
    parser.add_argument("--sources", help="where the sources are, if not below the root")
    parser.add_argument("--truth", nargs="+", required=True)
    parser.add_argument("--other", nargs="*", default=[])
    parser.add_argument("--blocks")
    parser.add_argument("--unoptimised", nargs="+")
    parser.add_argument("--db", nargs="+", required=True)
    parser.add_argument("--allow", action="append", default=[])
    parser.add_argument("--least", type=int, default=1, help="so many procedures must be compared")
    parser.add_argument("--summary", help="write what was found as JSON")
    parser.add_argument("--cgview", default="build/cgview")
    return parser.parse_args()


def gather(o, root, naming):
    others = defaultdict(list)
    for item in o.other:
        name, path = item.split("=", 1)
        others[name].append(read_gcov(path, naming))
    unoptimised = read_ours(o.cgview, o.unoptimised, None, naming) if o.unoptimised else None
    return Evidence([read_gcov(p, naming) for p in o.truth], others,
                    read_blocks(o.blocks, naming) if o.blocks else {}, unoptimised,
                    os.path.realpath(o.sources) if o.sources else root, o.paths)


def main():
    o = arguments()
    root = os.path.realpath(o.root)
    naming = Naming(root, o.paths)
    evidence = gather(o, root, naming)
    ours = read_ours(o.cgview, o.db, root, naming)
    allowed = {n: int(c) for n, c in (a.split("=", 1) for a in o.allow)}
    failed = False
    used = defaultdict(int)
    summary = {}
    for what in ("procedures", "lines"):
        equal, differences = compare(what, evidence, ours)
        summary[what] = {"equal": equal, "differ": differences,
                         "executed": sum(c > 0 for c in getattr(evidence.truths[0], what).values())}
        unexplained = [d for d in differences if d[3] is None]
        for key, a, b, reason in differences:
            used[reason] += 1
            print(f"# {what} {key[0]}:{key[1]}: gcov {a}, cgview {b}: {reason or 'NO REASON'}")
        enough = what != "procedures" or equal >= o.least
        verdict = "ok" if not unexplained and enough else "not ok"
        failed = failed or verdict != "ok"
        print(f"{verdict} - {what}: {equal} equal to gcov's, {len(differences)} differ, "
              f"{len(unexplained)} of them without a reason")
    for name, number in sorted((n, c) for n, c in used.items() if n is not None):
        limited = evidence.truths[0].compiler <= MAXIMA_UNTIL
        verdict = "ok" if not limited or number <= allowed.get(name, 0) else "not ok"
        failed = failed or verdict != "ok"
        most = f"at most {allowed.get(name, 0)}" if limited else f"no maximum for GCC {evidence.truths[0].compiler}"
        print(f"{verdict} - {name}: {number} differences ({most}): {' '.join(REASONS[name].__doc__.split())}")
    if o.summary:
        with open(o.summary, "w", encoding="utf-8") as out:
            json.dump(summary, out)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
