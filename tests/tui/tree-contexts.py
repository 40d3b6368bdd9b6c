"""Sampled stacks for the made-up profile: tree-contexts.py DB. 1,911 samples, as its totals say;
hash calls itself three deep, each and by_count call each other."""
import sys

from contexts import write

SITES = {"read_all": 8, "each": 9, "lookup": 7, "hash": 5, "by_count": 4, "by_name": 4}
STACKS = [
    ("main", 2), ("main read_all", 100), ("main read_all lookup", 260),
    ("main read_all lookup hash", 1000), ("main read_all lookup hash hash", 200),
    ("main read_all lookup hash hash hash", 123), ("main each", 90), ("main each by_count", 30),
    ("main each by_count each", 30), ("main each by_count each by_count", 10),
    ("main each by_name", 60), ("日本語", 3), ("cafe\u0301", 3),
]
write(sys.argv[1], STACKS, SITES)
