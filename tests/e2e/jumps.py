#!/usr/bin/env python3
"""jumps.py SEED [c++]: a random program of loops, arms, and jumps out of them and into them, in two files: jumps.c
(jumps.cc), which has one statement a line, and truth.c (.cc), which is the same, line by line, but counts its lines
itself and prints "LINE COUNT" of each that was executed. The file "counted" names all lines with a statement. C++ has
variables with destructors, whose place is a closing brace, and no goto."""
import random
import sys

DEPTH = 4
HEAD = """#include <stdio.h>
#include <stdlib.h>
static unsigned long n[9999], state = 1;
static int fuel;
#define N(line) (n[line]++)
__attribute__((noinline)) static int pick(int of) { return --fuel < -5000 ? exit(0), 0 : fuel < 0 ? 99 : \
(state = state * 6364136223846793005 + 1) >> 40) % of; }
__attribute__((noinline)) static int half(int x) { return x / 2; }
static int more(int c) { return --fuel > 0 && c; }
static int next(int of) { return pick(of) == 0; }
""".replace("(state = ", "((state = ")
CLASS = """struct Guard { int *p; explicit Guard(int *q) : p(q) {} ~Guard() { ++*p; } };
"""
TAIL = """static void tell(void) { for (int i = 0; i < LAST; i++) if (n[i]) printf("%d %lu\\n", i, n[i]); }
int main(void) { atexit(tell); for (int i = 0; i < 40; i++) { fuel = 60; CALLS } return 0; }
"""


class Program:
    def __init__(self, seed, cxx):
        self.random = random.Random(seed)
        self.cxx = cxx
        self.plain = HEAD.split("\n")[:-1]
        if cxx:
            self.plain += CLASS.split("\n")[:-1]
        self.truth = list(self.plain)
        self.labels = self.guards = 0
        self.counted = []

    def put(self, depth, plain, truth=None):
        number = len(self.plain) + 1
        if truth:
            self.counted.append(number)
        self.plain.append("\t" * depth + plain)
        self.truth.append("\t" * depth + (truth or plain).replace("@", f"N({number})"))

    def statement(self, depth, text):
        self.put(depth, text, "{ @; " + text + " }")

    def head(self, depth, before, condition, behind):
        self.put(depth, before + condition + behind, before + "(@, " + condition + ")" + behind)

    def condition(self):
        r = self.random
        of = r.randint(2, 4)
        return r.choice([f"next({of})", f"more((x ^ y) % {of})", "more(x & y)", f"more(x > {of})",
                         f"next(2) && x != {of}", "next(3) || x < y"])

    def simple(self, depth):
        self.statement(depth, self.random.choice(["x += y;", "y = x * 3 + 1;", "x = half(x);", "y ^= half(x + 1);"]))

    def jump(self, depth, loop):
        r = self.random
        kind = r.choice(["continue;", "continue;", "break;", "goto"]) if loop else r.choice(["goto", "goto", "return x;"])
        if kind != "goto":
            return self.statement(depth, kind)
        if not self.targets:
            return self.simple(depth)
        self.statement(depth, f"goto {r.choice(self.targets)};")

    def label(self, depth):
        if self.random.random() < 0.2 and not self.cxx:
            self.targets.append(f"l{self.labels}")
            self.put(depth, f"l{self.labels}: if (--fuel < -99) return x;")
            self.labels += 1

    def body(self, depth, loop):
        guard = self.cxx and self.random.random() < 0.3
        self.guarded += guard
        if guard:
            self.put(depth, f"Guard g{self.guards}(&x);", f"Guard g{self.guards}((@, &x));")
            self.guards += 1
        for _ in range(self.random.randint(1, 3)):
            self.label(depth)
            self.one(depth, loop)
        self.guarded -= guard

    def arms(self, depth, loop, many):
        self.head(depth, "if (", self.condition(), ") {")
        self.body(depth + 1, loop)
        if many > 2:
            self.put(depth, "}")
            self.head(depth, "else if (", self.condition(), ") {")
            self.body(depth + 1, loop)
        if many > 1:
            self.put(depth, "}")
            self.put(depth, "else {")
            self.body(depth + 1, loop)
        self.put(depth, "}")

    def switch(self, depth, loop):
        r = self.random
        self.head(depth, "switch (", "pick(4)", ") {")
        for n in range(r.randint(1, 3)):
            self.put(depth, f"case {n}: {{")
            self.body(depth + 1, loop)
            self.put(depth, "}")
            if r.random() < 0.6:
                self.statement(depth + 1, "break;")
        if r.random() < 0.5:
            self.put(depth, "default: {")
            self.body(depth + 1, loop)
            self.put(depth, "}")
        self.put(depth, "}")

    def one(self, depth, loop):
        r = self.random
        kinds = ["statement"] * 2 + ["jump"]
        if depth < DEPTH:
            kinds += ["arms", "arms", "loop", "loop", "do", "switch", "jump", "if jump", "loop jump", "one line"]
        kind = r.choice(kinds)
        loops = [("while (", ") "), ("for (; ", ";) "), ("for (; ", "; y++) "), ("for (y = 1; ", "; y++) ")]
        if kind == "statement":
            self.simple(depth)
        elif kind == "jump":
            self.head(depth, "if (", "next(2)", ")")
            self.jump(depth + 1, loop)
        elif kind == "if jump":
            self.head(depth, "if (", self.condition(), ") {")
            self.body(depth + 1, loop)
            self.jump(depth + 1, loop)
            self.put(depth, "}")
        elif kind == "loop jump":
            before, behind = r.choice(loops)
            self.head(depth, before, f"more({self.condition()})", behind)
            self.statement(depth + 1, r.choice(["continue;", "continue;", "break;"]))
        elif kind == "one line":
            before, behind = r.choice(loops)
            self.head(depth, before, f"more({self.condition()})", behind + "continue;")
        elif kind == "arms":
            self.arms(depth, loop, r.randint(1, 3))
        elif kind == "loop":
            before, behind = r.choice(loops)
            self.head(depth, before, f"more({self.condition()})", behind + "{")
            self.body(depth + 1, True)
            self.put(depth, "}")
        elif kind == "do":
            self.put(depth, "do {")
            self.body(depth + 1, True)
            self.put(depth, "}")
            self.head(depth, "while (", f"more({self.condition()})", ");")
        else:
            self.switch(depth, loop)

    def procedure(self, number):
        self.targets, self.guarded = [], 0
        self.put(0, f"__attribute__((noinline)) static int p{number}(int x) {{",
                 f"static int p{number}(int x) {{ @;")
        self.put(1, "int y = x;", "int y = (@, x);")
        for _ in range(3):
            self.body(1, False)
        self.statement(1, "return x + y;")
        self.put(0, "}")

    def write(self, suffix):
        for i in range(4):
            self.procedure(i)
        tail = TAIL.replace("LAST", str(len(self.plain) + 1))
        tail = tail.replace("CALLS", " ".join(f"x += p{i}(i);" for i in range(4)).replace("x +=", "(void)"))
        open("jumps" + suffix, "w").write("\n".join(self.plain) + "\n" + tail)
        open("truth" + suffix, "w").write("\n".join(self.truth) + "\n" + tail)
        open("counted", "w").write("".join(f"{n}\n" for n in self.counted))


cxx = len(sys.argv) > 2
Program(int(sys.argv[1]), cxx).write(".cc" if cxx else ".c")
