#!/usr/bin/env python3
"""Do the intervals of calls that libc makes back to what several calls handed to it hold the truth as often as they say?
handed.py CGCC CGVIEW DIRECTORY. Programs are made up, the same each time: comparisons of unlike cost, each handed out by
several calls with other numbers of elements in other orders. They count themselves who was at work when they were called."""
import csv
import io
import os
import random
import subprocess
import sys

PROGRAMS, COMPARISONS = 3, 12
RATES = (1000, 100)     # of samples; with the second there are few
NUMBERS = "const int x = *(const int *)a, y = *(const int *)b; "
KINDS = {               # what a comparison does
    "number": NUMBERS + "return x < y ? -1 : x > y;",
    "slow": NUMBERS + "unsigned r = (unsigned)(x ^ y); for (int i = 0; i < (x & 7) + 1; i++) r = r * 31 + (unsigned)i; "
                      "work = r; return x < y ? -1 : x > y;",
    "word": "return strcmp(*(char *const *)a, *(char *const *)b);",
}
HEAD = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { MOST = 100000, LINES = 1000 };
static unsigned long calls[64][LINES];
static unsigned state = 7;
static int at, key, numbers[MOST];
static char *words[MOST];
static volatile unsigned work;
static unsigned next(void) { state = state * 1664525u + 1013904223u; return state >> 8; }
static void mix_numbers(int order, int n)
{
	for (int i = 0; i < n; i++)
		numbers[i] = order == 0 ? (int)next() : order == 1 ? i : order == 2 ? (int)(next() % 7) : -i;
}
static void mix_words(int order, int n)
{
	for (int i = 0; i < n; i++) {
		free(words[i]);
		words[i] = malloc(24);
		snprintf(words[i], 24, order == 1 ? "common-begin%u" : "%07u", order == 2 ? (unsigned)i : next());
	}
}
"""


def work_of(rng, kind, number):
    """A line that hands a comparison out."""
    n, order = int(10 ** rng.uniform(2, 5)), rng.randrange(4)
    times = max(1, int(10 ** rng.uniform(4.6, 5.8) / n))
    if kind == "word":
        return (f"\tfor (int i = 0; i < {times}; i++) {{ mix_words({order}, {n}); at = __LINE__; "
                f"qsort(words, {n}, sizeof(*words), by_{number}); }}\n")
    if rng.random() < 0.75:
        return (f"\tfor (int i = 0; i < {times}; i++) {{ mix_numbers({order}, {n}); at = __LINE__; "
                f"qsort(numbers, {n}, sizeof(int), by_{number}); }}\n")
    return (f"\tmix_numbers(1, {n}); for (int i = 0; i < {times * n // 4}; i++) {{ key = (int)(next() % {n}); at = __LINE__; "
            f"work += bsearch(&key, numbers, {n}, sizeof(int), by_{number}) != NULL; }}\n")


def program(seed):
    rng, text, body = random.Random(seed), HEAD, []
    for number in range(COMPARISONS):
        kind = rng.choice(list(KINDS))
        text += (f"static int by_{number}(const void *a, const void *b) "
                 f"{{ calls[{number}][at]++; {KINDS[kind]} }}\n")
        if rng.random() < 0.5:  # others can know it, too
            text += f"int (*kept_{number})(const void *, const void *) = by_{number};\n"
        body += [work_of(rng, kind, number) for _ in range(rng.randint(2, 5))]
    rng.shuffle(body)
    return (text + "int main(void)\n{\n" + "".join(body) + f"\tfor (int k = 0; k < {COMPARISONS}; k++)\n"
            '\t\tfor (int l = 0; l < LINES; l++)\n\t\t\tif (calls[k][l])\n\t\t\t\tprintf("by_%d %d %lu\\n", k, l, calls[k][l]);\n'
            "\treturn 0;\n}\n")


class Found:
    def __init__(self):
        self.arcs = self.outside = self.intervals = self.within = 0
        self.width = 0.0

    def add(self, arc, truth):
        lo, hi = int(arc["lo"]), int(arc["hi"])
        self.arcs += 1
        self.outside += not lo <= truth <= hi
        if arc["likely_lo"]:
            likely_lo, likely_hi = int(arc["likely_lo"]), int(arc["likely_hi"])
            self.intervals += 1
            self.within += likely_lo <= truth <= likely_hi
            self.width += (likely_hi - likely_lo) / (hi - lo)


def tell(good, what):
    print(f"{'ok' if good else 'not ok'} - {what}")


def main():
    cgcc, cgview, directory = sys.argv[1:]
    os.chdir(directory)
    found = {rate: Found() for rate in RATES}
    for seed in range(PROGRAMS):
        with open("handed.c", "w") as out:
            out.write(program(seed))
        subprocess.run([cgcc, "-O2", "handed.c", "-o", "handed"], check=True)
        for rate in RATES:
            subprocess.run([cgview, "record", "-F", str(rate), "-o", "handed.db", "--", "sh", "-c", "./handed > truth"],
                           check=True, stderr=subprocess.DEVNULL)
            with open("truth") as lines:
                truth = {(callee, line): int(n) for callee, line, n in map(str.split, lines)}
            arcs = subprocess.run([cgview, "report", "--by", "arc", "--format", "csv", "--limit", "100000", "handed.db"],
                                  check=True, stdout=subprocess.PIPE, text=True).stdout
            for arc in csv.DictReader(io.StringIO(arcs)):
                if arc["through"] and arc["how"] == "estimated":
                    found[rate].add(arc, truth.get((arc["callee"], arc["line"]), 0))
    for rate, f in found.items():
        tell(f.arcs > 50 and not f.outside, f"{rate} Hz: the truth is where it can be, {f.arcs} arcs through calls")
        share = f.within / max(f.intervals, 1)
        tell(f.intervals > 30 and share >= 0.85, f"... {share:.1%} of {f.intervals} intervals of 95 % hold it")
        width = f.width / max(f.intervals, 1)
        tell(width < 0.85, f"... they are {width:.0%} as wide as what is possible")


if __name__ == "__main__":
    main()
