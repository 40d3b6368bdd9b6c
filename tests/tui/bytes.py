#!/usr/bin/env python3
"""bytes.py LIMIT COMMAND...: no key makes the browser send more than LIMIT bytes."""
import sys

from terminal import Terminal

limit = int(sys.argv[1])
t = Terminal(*sys.argv[2:], rows=36, columns=120)
first = len(t.settle())
sent = [(key, len(t.keys(key)))
        for key in ["j", "j", "k", "\r", "j", "j", "\004", "\006", "]", "m", "\t", "j", "/", "p", "r",
                    "\033", "v", "s", "z", "z", "D", "q", "\177"]]
t.keys("Q")
most = max(n for key, n in sent)
print(f"# first screen {first} bytes; keys: " + ", ".join(f"{k!r} {n}" for k, n in sent))
ok = t.wait() == 0 and 0 < most <= limit and sent[0][1] > 0
print(f"{'ok' if ok else 'not ok'} - no key sends more than {limit} bytes")
t.close()
sys.exit(not ok)
