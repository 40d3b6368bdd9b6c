"""What cgview watch prints, compared with what the program tests/e2e/test-watch.sh counts itself."""
import os
import re
import signal
import struct
import subprocess
import sys
import time

HOT, RARE, NEVER, END = 0, 1, 2, 504


def own(path, which=HOT):
    """The sum of a counter over all threads."""
    with open(path, "rb") as f:
        words = struct.unpack("512Q", f.read(4096))
    return sum(words[8 * i + which] for i in range(32))


def looks(text):
    """A dictionary for each look: calls by procedure; those of one name are added up."""
    found = []
    for line in text.splitlines():
        if "watched" in line:
            found.append({})
        row = re.match(r"^ *(-|[\d.]+) +[≥>]?([\d,]+)  (\S+) ", line)
        if row and found:
            found[-1][row[3]] = found[-1].get(row[3], 0) + int(row[2].replace(",", ""))
    return found


def watch(cgview, pid, nr, *words):
    """The first NR looks, and then an interrupt."""
    p = subprocess.Popen([cgview, "watch", "-o", "looks.db", *words, pid], stdout=subprocess.PIPE, text=True,
                         stderr=subprocess.PIPE)
    text, ends = "", 0
    while ends < nr:
        line = p.stdout.readline()
        if not line:
            sys.exit(f"ended too soon: {p.stderr.read()}")
        text += line
        ends += line == "\n"
    done = time.monotonic()
    p.send_signal(signal.SIGINT)
    p.communicate()
    if p.returncode:
        sys.exit(f"status {p.returncode}")
    return text, done


def compare(name, before, seen, after, under_way):
    print(name, before, seen, after)
    # The call that each thread is in may have been counted by one of the two only.
    if not before - under_way <= seen <= after + under_way:
        sys.exit(f"{name}: {seen} is not between {before} and {after}, but for {under_way}")


def between(cgview, pid, *words):
    """WORDS: maps, and how often. Each look is the first of its watcher."""
    maps = [w for w in words if not w.isdigit()]
    for _ in range(int([w for w in words if w.isdigit()][0])):
        before = [sum(own(m, which) for m in maps) for which in (HOT, RARE)]
        text, _ = watch(cgview, pid, 1, "--limit", "100")
        after = [sum(own(m, which) for m in maps) for which in (HOT, RARE)]
        seen = looks(text)[0]
        for name, b, a in zip(("hot", "rare"), before, after):
            compare(name, b, seen[name], a, 4)
        if seen.get("never"):
            sys.exit(f"never was called {seen['never']} times")


def once(cgview, pid, path):
    before = own(path)
    out = subprocess.run([cgview, "watch", "--once", pid], capture_output=True, text=True, check=True).stdout
    after = own(path)
    row = [line for line in out.splitlines() if "  hot " in line][0]
    compare("hot", before, int(re.search(r"\d{1,3}(,\d{3})+", row)[0].replace(",", "")), after, 4)
    if os.path.exists("prof.db"):
        sys.exit("--once has left a profile")


def rates(cgview, pid, path):
    """Calls a second, times the seconds, are no more than all that were made, and not much less."""
    before, begun = own(path), time.monotonic()
    text, done = watch(cgview, pid, 4, "--rate", "-d", "0.4")
    after = own(path)
    each = [look["hot"] for look in looks(text)]
    mean = sum(each) / len(each)
    true = (after - before) / (time.monotonic() - begun)
    print(each, true)
    if len(each) != 4 or not true / 3 < mean < true * 3:
        sys.exit(f"a rate of {mean}, by the program's own counters {true}")


def seen(*paths):
    for path in paths:
        with open(path, encoding="utf-8") as f:
            counts = [look["hot"] for look in looks(f.read())]
        print(path, counts)
        if len(counts) < 2 or counts != sorted(counts) or counts[0] == counts[-1]:
            sys.exit(f"{path}: {counts}")


def says(cgview, pid, pattern):
    text, _ = watch(cgview, pid, 1, "--limit", "100")
    print(text)
    if not re.search(pattern, text, re.M):
        sys.exit(f"{pattern} is not there")


def within(before, after, count, under_way):
    with open(before, encoding="ascii") as b, open(after, encoding="ascii") as a:
        compare("hot", int(b.read()), int(count), int(a.read()), int(under_way))


def near(seen_, true, under_way):
    compare("hot", int(true), int(seen_), int(true), int(under_way))


def instructions(alone, watched):
    """Those that callgrind has counted. Numbers of processes, and paths with them, differ in length."""
    found = []
    for path in (alone, watched):
        with open(path, encoding="utf-8") as f:
            found.append(int(re.search(r"Collected : (\d+)", f.read())[1]))
    print(found)
    if abs(found[0] - found[1]) > 1000:
        sys.exit("they differ")


def running(path):
    sys.exit(0 if os.path.exists(path) and os.path.getsize(path) == 4096 and own(path, RARE) else 1)


def end(path):
    with open(path, "r+b") as f:
        f.seek(8 * END)
        f.write(b"\1")


def count(path):
    print(own(path))


if __name__ == "__main__":
    {f.__name__: f for f in (between, once, rates, seen, says, within, near, instructions, running, end, count)}[sys.argv[1]](*sys.argv[2:])
