#!/usr/bin/env python3
"""feel.py CGVIEW: what needs a terminal: the clipboard, a query that is stopped, the mouse."""
import base64
import re
import sys
import time

from terminal import Terminal, verdict, verdicts

cgview = sys.argv[1]


def config(text):
    with open("config", "w", encoding="utf-8") as f:
        f.write(text)


def start(text, *options, **more):
    config(text)
    t = Terminal(cgview, "--config", "config", *options, "sample.db", **more)
    t.settle()
    return t


def copied(data):
    found = re.findall(rb"\033\]52;c;([A-Za-z0-9+/=]*)\a", data)
    return [base64.b64decode(s).decode() for s in found]


def shown():
    t.bytes = b""
    t.keys("\014")
    return re.sub(rb"\033(\[[0-9;?>]*[ -/]*[@-~]|\([0B]|[=>78M])", b"", t.bytes).decode(errors="replace")


# The clipboard.
t = start("")
verdict(b"\033]52" not in t.bytes + t.keys("y") and b"not used" in t.bytes, "without being asked for, nothing is copied")
t.keys("Q")
t.wait()
t.close()
t = start("set clipboard on\n")
got = copied(t.keys("y"))
verdict(len(got) == 1 and got[0].split("\t")[0].strip() == "69.2" and "hash" in got[0].split("\t"),
        "y copies the row, fields between tabs", got)
t.keys("j\r")
got = copied(t.keys("jjy"))
verdict(len(got) == 1 and "w = t->slots" in got[0] and "\n" not in got[0], "a line of the source", got)
got = copied(t.keys(":copy place\r"))
verdict(len(got) == 1 and re.fullmatch(r"/\S+/words\.c:\d+", got[0]) is not None, "a place", got)
got = copied(t.keys(":copy name\r"))
verdict(len(got) == 1 and re.fullmatch(r"[a-z_]+", got[0]) is not None, "a name", got)
verdict(b"copy what?" in t.keys(":copy nothing\r"), "not what is neither")
for sql, wanted in (("select char(27)||']52;c;AAAA'||char(7)||char(155)", ["^[]52;c;AAAA^G<9B>"]),
                    ("select 1, 'two', null", ["1\ttwo\t"])):
    t.keys(f":sql {sql}\r")
    data = t.keys("y")
    verdict(copied(data) == wanted, f"... {sql}", copied(data))
t.keys(":sql select replace(hex(zeroblob(5000)), '0', 'x') union all select 2 order by 1 desc\r")
got = copied(t.keys("y"))
verdict(len(got) == 1 and 100 < len(got[0]) <= 4096, "what is copied is bounded", [len(g) for g in got])
t.keys(":sql select 1 where 0\r")
verdict(copied(t.keys("y")) == [], "where there is no row nothing is copied")
t.keys("Q")
t.wait()
t.close()

# A query that would take long is stopped by Esc; other keys do nothing meanwhile.
t = start("set sql-seconds 600\n")
t.type(":sql with recursive c(x) as (select 1 union all select x + 1 from c) select sum(x) from c\r")
t.until(b"stops it")
t.type("jjqQ")
time.sleep(0.3)  # were one of them to end it, it would do so soon
alive = t.process.poll() is None
t.keys("\033")
verdict(alive and "stopped" in shown(), "Esc stops a query, and nothing else does",
        t.bytes)
t.keys("q")
t.keys("Q")
verdict(t.wait() == 0, "and the browser goes on")
t.close()

# The mouse, used from the start.
t = start("set mouse on\n", rows=36, columns=120)
verdict(b"\033[?1000h" in t.bytes or b"1000h" in t.bytes, "the mouse is used from the start")


def clicks(button, column, row):
    return f"\033[<{button};{column};{row}M\033[<{button};{column};{row}m"


def press(*where):
    return t.keys(clicks(*where))


press(0, 10, 6)
verdict("2/10" in shown() or "3/10" in shown(), "a click selects")
row = re.search(r" (\d+)/10 ", shown()).group(1)
press(65, 10, 16)
screen = shown()
verdict(f" {row}/10 " in screen, "the wheel over the source leaves the summary alone", screen[:300])
t.keys("j")
verdict(f" {int(row) + 1}/10 " in shown(), "... and the keyboard where it was", shown()[:300])
t.keys("M")
t.type(clicks(0, 10, 4))  # no terminal would say so now, and curses waits for more of it
verdict(f" {int(row) + 1}/10 " in shown(), "switched off, it is the terminal's")
t.keys("\033")

# Heads of a query's columns, once and once more; boxes of the icicle, which says what they are.
t.keys("M")
t.keys(":sql select column1 as nr, 'w' || column1 || 'x' as word from (values (2), (10), (1), (9))\r")


def words():
    return re.findall(r"w(\d+)x", shown())


verdict(words() == ["2", "10", "1", "9"], "a query in the order of its own", words())
press(0, 3, 3)
verdict(words() == ["10", "9", "2", "1"], "a click on a head sorts by it, numbers from the top", words())
press(0, 3, 3)
verdict(words() == ["1", "2", "9", "10"], "... once more: the other way round", words())
press(0, 8, 3)
verdict(words() == ["10", "1", "2", "9"], "... by another one, texts from the first", words())
t.keys("q")
t.keys("ti")
# main() calls read_all(), of whose time nearly all is that of lookup(), and each(), with 11.5 % of all.
boxes = (3, 5, "all"), (105, 6, "main"), (60, 7, "read_all"), (110, 7, "each"), (60, 8, "lookup")
for column, row, wanted in boxes:
    press(0, column, row)
    found = re.search(r"[\u2500 ](\w+) +\u2248?total ", shown().split("levels", 1)[1])
    verdict(found and found.group(1).lstrip("\u2500") == wanted, f"a click on the box of {wanted} selects it",
            found and found.group())
t.keys("q")
t.keys("Q")
verdict(t.wait() == 0 and t.given_back(), "and the terminal is given back")
t.close()
sys.exit(verdicts["not ok"] > 0)
