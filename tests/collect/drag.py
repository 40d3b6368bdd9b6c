"""drag.py NAME LINES: compares the table of biographies of run.db with what the program drag.c wrote to the file
out: a line for each kind of blocks, whose producers are at these LINES of it."""
import sqlite3
import sys

NAMES = ["lag", "use", "drag", "void"]
COLUMNS = NAMES + ["unseen", "life", "samples"] + [n + "_error" for n in NAMES]

db = sqlite3.connect("run.db")
ok = True
for line, text in zip(sys.argv[2].split(), open("out")):
    truth = dict(zip(NAMES, map(float, text.split())))
    all_of_it = sum(truth.values())
    row = db.execute("SELECT " + ", ".join("b." + c for c in COLUMNS) + " FROM biography b "
                     "JOIN call_site s ON s.id = b.site WHERE s.line = ?", (line,)).fetchone()
    got = dict(zip(COLUMNS, row or [0] * len(COLUMNS)))
    if got["samples"] < 10 or sum(row[:5]) != got["life"]:
        print("# line %s: too few samples, or they do not add up: %s" % (line, got))
        ok = False
        continue
    for name in NAMES:
        unseen = got["unseen"] * (name != "void")
        slack = 5 * got[name + "_error"] + .02 * all_of_it
        # What nobody saw was drawn, too: its error is as much of it.
        more = unseen * (1 + 5 * got[name + "_error"] / got[name] if got[name] else 2)
        share, least = truth[name] / all_of_it, got[name] / got["life"]
        if not got[name] - slack <= truth[name] <= got[name] + more + slack or \
                not least - .04 <= share <= least + unseen / got["life"] + .04:
            print("# line %s: %s is %.0f (%.3f), estimated %.0f (%.3f), error %.0f, unseen %.0f" % (
                line, name, truth[name], share, got[name], least, got[name + "_error"], unseen))
            ok = False
print("%sok - %s: lag, use, drag and void are what the program wrote down" % ("" if ok else "not ", sys.argv[1]))
