"""Profiles of memory beside what their own tools print: heaps.py TOOL FILE DB. Prints how many figures there are, how many
differ, and the first of them. What DHAT's file says is added up here, as its viewer is a web page."""
import collections
import json
import re
import sqlite3
import subprocess
import sys

ALLOCATORS = re.compile(r"(malloc|calloc|realloc|reallocarray|memalign|aligned_alloc|posix_memalign|valloc|pvalloc|"
                        r"operator new(\[\])?\(.*\))$")


def dhat(path):
    """Self and total of each function: bytes, blocks, at the peak, at the end, read, written."""
    with open(path, encoding="utf-8") as f:
        d = json.load(f)
    names = [re.sub(r"^0x[0-9A-F]+: (.*?)( \([^()]*\))?$", r"\1", t) for t in d["ftbl"]]
    out = collections.Counter()
    keys = dict(bytes="tb", allocs="tbk", peak="gb", peak_blocks="gbk", live="eb", live_blocks="ebk", read="rb", written="wb")
    for p in d["pps"]:
        fs = p["fs"]
        while len(fs) > 1 and ALLOCATORS.match(names[fs[0]]):
            fs = fs[1:]
        for measure, key in keys.items():
            for f in {names[f] for f in fs if names[f] != "???"}:
                out[measure, "total", f] += p.get(key, 0)
            if names[fs[0]] != "???":
                out[measure, "self", names[fs[0]]] += p.get(key, 0)
    return out


def massif(path):
    """Totals of functions at the peak, and what was live at each moment."""
    text = subprocess.run(["ms_print", "--threshold=0.001", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    out, stack, number = collections.Counter(), [], None
    peak = re.search(r"(\d+) \(peak\)", text)
    for line in text.splitlines():
        m = re.match(r"\s+(\d+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)$", line)
        if m:
            number = m.group(1)
            out["moment", number] = int(m.group(4).replace(",", ""))
        # "| | ->12.3% (4,567B) 0x123: name (file.c:1)"
        m = re.match(r"([| ]*)->[\d.]+% \(([\d,]+)B\) (.*)$", line)
        if m and peak and number == peak.group(1):
            depth, count = len(m.group(1)) // 2, int(m.group(2).replace(",", ""))
            del stack[depth:]
            name = re.match(r"0x[0-9A-F]+: (.*?)( \([^()]*\))?$", m.group(3))
            if name and name.group(1) != "???":
                if name.group(1) not in stack:
                    out["total", name.group(1)] += count
                stack.append(name.group(1))
            else:
                stack.append("")
    return out


def heaptrack(path):
    """Totals of each function by its four sorts of folded stacks; what was inlined stands in the wrong order there."""
    out = collections.Counter()
    kinds = dict(allocations="allocs", temporary="temporaries", leaked="live", peak="peak")
    for kind, measure in kinds.items():
        text = subprocess.run(["heaptrack_print", "-f", path, "-F", "/dev/stdout", "--flamegraph-cost-type", kind, "-p", "0",
                               "-a", "0", "-T", "0", "-l", "0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                              check=True).stdout
        for line in text.splitlines():
            m = re.match(r"(.*;) (\d+)$", line)
            if not m:
                continue
            frames = [re.sub(r" \([^()]*\)$", "", f) for f in m.group(1).split(";") if f]
            for f in set(frames):
                out[measure, "total", f] += int(m.group(2))
            out[measure, "all"] += int(m.group(2))
    return out


def ours(tool, db):
    out = collections.Counter()
    name = "CASE WHEN linkage_name = '' THEN name ELSE linkage_name END"
    if tool == "massif":
        for f, n in db.execute(f"SELECT {name}, total_peak FROM procedure"):
            out["total", f] += n
        for i, n in db.execute("SELECT id, live_bytes FROM moment"):
            out["moment", str(i - 1)] = n
        return out
    for (measure,) in db.execute("SELECT name FROM measure").fetchall():
        try:
            for f, a, b in db.execute(f"SELECT {name}, self_{measure}, total_{measure} FROM procedure"):
                out[measure, "self", f] += a
                out[measure, "total", f] += b
                out[measure, "all"] += a
        except sqlite3.OperationalError:
            continue
    return out


def main():
    tool, path, db = sys.argv[1:4]
    said = {"dhat": dhat, "massif": massif, "heaptrack": heaptrack}[tool](path)
    got = ours(tool, sqlite3.connect(db))
    differ = sorted((k for k in said if said[k] != got.get(k, 0)), key=str)
    print(f"{len(said)} figures, {len(differ)} differ")
    for k in differ[:12]:
        print("    ", k, "tool", said[k], "profile", got.get(k))


main()
