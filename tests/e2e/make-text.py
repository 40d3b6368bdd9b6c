#!/usr/bin/env python3
"""make-text.py BYTES: text that looks a little like prose and a little like noise, always the same."""
import itertools
import random
import sys

size = int(sys.argv[1])
rng = random.Random(1999)
syllables = [c + v for c in "bcdfghjklmnprstvw" for v in ("a", "e", "i", "o", "u", "ou", "er")]
words = ["".join(rng.choice(syllables) for _ in range(rng.randint(1, 4))) for _ in range(4000)]
cumulative = list(itertools.accumulate(1 / (rank + 1) for rank in range(len(words))))
out = []
length = 0
while length < size:
    line = rng.choices(words, cum_weights=cumulative, k=12)
    if rng.random() < 0.02:
        line = [rng.randbytes(30).hex()]
    text = " ".join(line) + "\n"
    out.append(text)
    length += len(text)
sys.stdout.write("".join(out)[:size])
