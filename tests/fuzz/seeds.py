#!/usr/bin/env python3
"""seeds.py TOP DIRECTORY: what the fuzz targets begin with, in DIRECTORY/seeds-TARGET."""
import os
import random
import re
import struct
import subprocess
import sys

import foreign

top, out = sys.argv[1:3]
random.seed(1)


def seed(target, name, data):
    folder = os.path.join(out, "seeds-" + target)
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name), "wb") as f:
        f.write(data)


EXPRESSIONS = ["b.count - 2 * a.count", "growth", "ratio(b.count, a.count) > 1.05", "a.run.count",
               "significance(a.self_ns, b.self_ns)", "share(a.self_ns, a.run.self_ns)", "growth(a.count, b.count)",
               "CASE WHEN a.count IS NULL THEN b.count ELSE -1 END", "abs(value) > 3 AND sides = 'both'",
               "coalesce(a.calls, 0) || 'x'", "max(a.count, b.count, c.count) % 7", "(((1)))"]
for i, text in enumerate(EXPRESSIONS):
    seed("expression", f"{i}", text.encode())
WORDS = sorted({w for e in EXPRESSIONS for w in e.replace("(", " ").replace(")", " ").replace(",", " ").split()})
with open(os.path.join(out, "expression.dict"), "w", encoding="ascii") as f:
    for word in WORDS:
        f.write('"%s"\n' % word.replace('"', '\\x22'))
for i, text in enumerate([
        "# a comment\nset background dark\nset mouse off\nset sql-seconds 9\n", "bind table x quit\n",
        "bind generic C-x \"quit\"\nbind prompt C-y none\n", "color hot red default bold\n",
        "expression twice 'b.count * 2' 'help'\n", "set heat log\nset metric count\nbind source \\ help\n"]):
    seed("config", f"{i}", text.encode())
for i, text in enumerate(["a.db 1\ndir/b.db 2\nc.db 4\n", "1\n2\n3\n", "# sizes\na.db\t1e3 # first\n2\n3.5\n"]):
    seed("series", f"{i}", text.encode())
for i in range(40):
    seed("contents", f"{i}", random.randbytes(3 * random.randint(1, 4)))
    seed("pages", f"{i}", b"".join(
        struct.pack(">BH", random.randrange(4), random.randrange(65536)) + bytes([random.randrange(16)]) +
        random.randbytes(random.randint(1, 16)) for _ in range(random.randint(1, 4))))

# A raw profile and the tables of a program, as cgcc makes them, if it was built.
cgcc = os.path.join(top, os.environ.get("PLAIN_BUILD", "build"), "cgcc")
source = os.path.join(out, "seed.c")
with open(source, "w", encoding="ascii") as f:
    f.write("#include <stdlib.h>\nstatic int twice(int i) { return i > 3 ? 2 * i : i; }\n"
            "int main(int c, char **v) { int s = 0; (void)v; for (int i = 0; i < 10 * c; i++) s += twice(i);\n"
            "return s == 7 ? abs(s) : 0; }\n")
program = os.path.join(out, "seed")
# Profiles of other tools, small ones of each format.
subprocess.run(["gcc", "-g", "-O1", "-o", program + "-plain", source], check=False)
for name, data in foreign.seeds(program + "-plain", program + ".made").items():
    seed("foreign", name, data)
if os.path.exists(cgcc) and subprocess.run([cgcc, "-O1", "-o", program, source], check=False).returncode == 0:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CGVIEW")}
    subprocess.run([program], cwd=out, env=environment, check=False)
    for raw in (n for n in os.listdir(out) if n.endswith(".raw")):
        with open(os.path.join(out, raw), "rb") as f:
            seed("raw", "program", f.read()[:65536])
        os.remove(os.path.join(out, raw))
    subprocess.run(["objcopy", "-O", "binary", "--only-section=cgview_tab", program, program + ".tab"],
                   check=False)
    if os.path.exists(program + ".tab"):
        with open(program + ".tab", "rb") as f:
            seed("tables", "program", f.read())
# What --space writes: cells, pairs, faults, chains through a wrapper, moments.
library = os.path.join(os.path.dirname(cgcc), "lib/cgview/libcgview_space.so")
with open(source, "w", encoding="ascii") as f:
    f.write("#include <stdlib.h>\n#include <string.h>\nstatic void *volatile kept[64];\n"
            "static void *xmalloc(size_t n) { void *p = malloc(n); if (!p) abort(); return p; }\n"
            "static void *thing(int n) { return xmalloc(100 * n); }\n"
            "int main(void) { for (int i = 0; i < 64; i++) kept[i] = i % 2 ? thing(i) : strdup(\"abc\");\n"
            "for (int i = 0; i < 40; i++) kept[i] = realloc(kept[i], 200000 * (i % 3));\n"
            "char *volatile p = malloc(16); memset(p, 90, 17); free(p);\n"
            "for (int i = 20; i < 60; i++) free(kept[i]); return 0; }\n")
if os.path.exists(library) and subprocess.run([cgcc, "-O1", "-w", "-o", program + "-space", source],
                                              check=False).returncode == 0:
    environment |= {"CGVIEW_SPACE": "1", "CGVIEW_HZ": "0", "LD_PRELOAD": library}
    subprocess.run([program + "-space"], cwd=out, env=environment, check=False)
    for raw in (n for n in os.listdir(out) if n.endswith(".raw")):
        with open(os.path.join(out, raw), "rb") as f:
            seed("raw", "space", f.read())
        os.remove(os.path.join(out, raw))

# Reports of errors: those that the test of their readers has.
with open(os.path.join(top, "tests/collect/unit-defect-log.c"), encoding="utf-8") as f:
    text = f.read()
FRAME = ("<frame><ip>0x109</ip><obj>/x/prog</obj><fn>f</fn><dir>/x</dir><file>a.c</file><line>7</line></frame>")
ERROR = ("<error><unique>0x1</unique><kind>InvalidRead</kind><what>Invalid &lt;read&gt;</what><stack>" + FRAME * 2 +
         "</stack><auxwhat>Address 0x4a is 1 bytes inside a block of size 10 free'd</auxwhat><stack>" + FRAME +
         "</stack></error>")
LEAK = ("<error><unique>0x2</unique><kind>Leak_DefinitelyLost</kind><xwhat><text>8 bytes in 2 blocks</text>"
        "<leakedbytes>8</leakedbytes><leakedblocks>2</leakedblocks></xwhat><stack>" + FRAME + "</stack></error>")
seed("errors", "xml", ("<?xml version=\"1.0\"?><valgrindoutput><protocolversion>4</protocolversion>"
                       "<protocoltool>memcheck</protocoltool>" + ERROR + LEAK + "<errorcounts><pair><count>5</count>"
                       "<unique>0x2</unique></pair></errorcounts></valgrindoutput>").encode())
begin = text.index("static const char sanitizers[] =")
lines = re.findall(r'^\t"(.*)"', text[begin:text.index(";", begin)], re.M)
for i in range(len(lines)):
    if i % 6 == 0:
        seed("errors", f"log-{i}", "".join(lines[i:]).replace("\\n", "\n").encode())

seed("raw", "head", b"cgview-r" + struct.pack("<II", 1, 4096) + bytes(4080))
seed("tables", "zeros", bytes(64))
