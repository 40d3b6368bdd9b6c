#!/usr/bin/env python3
"""What interrupts, stops and ends the browser, and what is pasted into it, on a terminal.

interrupt.py CGVIEW SAMPLE HANG: HANG is a library that lets SQLite hang, once a file `hang` is there."""
import os
import re
import signal
import subprocess
import sys
import termios
import time

from terminal import PATIENCE, Terminal, verdict, verdicts

cgview, sample, hang = sys.argv[1:]
BEGIN, END = "\033[200~", "\033[201~"
written = 0


def start(**environment):
    t = Terminal(cgview, sample, **environment)
    t.settle()
    return t


def lives(t):
    """It takes a command: the one that writes what is shown."""
    global written
    written += 1
    t.keys(f":w written{written}\r")
    until = time.monotonic() + PATIENCE
    while not os.path.exists(f"written{written}") and t.process.poll() is None and time.monotonic() < until:
        t.read(0.05)
    return t.process.poll() is None and os.path.exists(f"written{written}")


def since(t, before):
    """What was drawn since then, as text."""
    return re.sub(rb"\033\[[0-9;?]*[a-zA-Z]|\033[()][0B]|\033[=>]", b"", t.bytes[before:]).decode(errors="replace")


def shows(t, before, text):
    """Until that has been drawn since then."""
    until = time.monotonic() + PATIENCE
    while text not in since(t, before) and t.process.poll() is None and time.monotonic() < until:
        t.read(0.05)
    return text in since(t, before)


def end(t):
    t.keys("Q")
    status = t.wait()
    back = t.given_back()
    t.close()
    return status == 0 and back


def switched(t):
    """Are marks around what is pasted asked for, as the terminal was told last?"""
    return t.bytes.rfind(b"\033[?2004h") > t.bytes.rfind(b"\033[?2004l")


# ---- C-c ----

t = start()
verdict(switched(t), "the terminal is asked to mark what is pasted")
for name, before in [("a half-typed search", "/loo"), ("a command", ":q"), ("a filter", "&has"),
                     ("the help", "?"), ("the tree", "t"), ("a count", "12"), ("a mark's letter", "`")]:
    t.keys(before)
    t.keys("\003")
    verdict(lives(t), f"C-c cancels {name}, and does not leave")
t.type("\003")
status = t.wait()
verdict(status == -signal.SIGINT and t.given_back() and not switched(t),
        "C-c leaves where nothing is under way; the shell hears of it", status)
t.close()

t = start()
t.type(":sql WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t\r")
t.until(b"the query is running")
before = len(t.bytes)
t.type("\003")
t.settle()
verdict(shows(t, before, "stopped") and lives(t), "C-c stops a query", since(t, before))
verdict(end(t), "... and all is as after any other")

for times in (1, 2):
    for name in ("hang", "hangs"):
        if os.path.exists(name):
            os.unlink(name)
    t = start(LD_PRELOAD=hang)
    open("hang", "w").close()
    t.type(":sql SELECT 1\r")
    until = time.monotonic() + PATIENCE
    while not os.path.exists("hangs") and time.monotonic() < until:
        t.read(0.02)
    t.type("\003")
    if times == 1:
        # What hangs goes on: it is taken then.
        os.unlink("hang")
        t.settle()
        verdict(lives(t) and end(t), "C-c while something hangs does no harm")
        continue
    while t.process.poll() is None and time.monotonic() < until:
        t.read(0.05)
        t.type("\003")
        time.sleep(0.05)
    status = t.wait()
    verdict(status == -signal.SIGINT and t.given_back(), "twice, it ends us", status)
    t.close()
os.unlink("hang")

# ---- pasting ----

t = start()
for name, text in [("with keys that leave", "q foo Q\rQ\n"), ("of several lines", "one\nQ\r\nQ"),
                   ("with keys of the terminal", "\033[A\033[B\033Q"), ("with signals", "Q\003Q\032Q\034Q\023"),
                   ("with an end of its own", f"a{END}Q\r{BEGIN}Q{END}QQ"), ("that is empty", "")]:
    before = len(t.bytes)
    t.keys(BEGIN + text + END)
    verdict(shows(t, before, "is ignored here") and lives(t), f"pasted text {name} is no keys", since(t, before))
whole = BEGIN + "QqQ" + END
for at in range(1, len(whole)):
    seen = len(t.bytes)
    t.type(whole[:at])
    # Long enough for the program to give up on the first one, or not: it makes no difference.
    t.read(0.5 if at % 2 else 0.02)
    t.type(whole[at:])
    shows(t, seen, "is ignored here")
    t.keys("jk")
    if t.process.poll() is not None:
        break
verdict(lives(t), "pasted text in two pieces, wherever it is cut", f"at {at}")
verdict(end(t), "... and the terminal is given back")
t = start()
for byte in whole:
    t.type(byte)
    t.read(0.05)
t.settle()
verdict(lives(t) and end(t), "byte by byte")

t = start()
t.keys("/")
t.keys(BEGIN + "loo\033[31mk\tup\r\n\n" + END)
verdict(shows(t, 0, "loo [31mk up"), "into a prompt it goes as text of one line")
t.keys("\025")
before = len(t.bytes)
t.keys(BEGIN + "lookup\r" + END)
t.keys("\r")
verdict(lives(t), "Enter is the user's")
t.keys(":")
# In a thread of its own nobody is needed: the terminal takes what is read.
data, sent = (BEGIN + "Q\r" * 500000 + END).encode(), 0
os.set_blocking(t.fd, False)
until = time.monotonic() + PATIENCE
while sent < len(data) and time.monotonic() < until and t.process.poll() is None:
    try:
        sent += os.write(t.fd, data[sent:sent + 4000])
    except BlockingIOError:
        t.read(0.01)
os.set_blocking(t.fd, True)
t.settle()
verdict(shows(t, 0, "no more than 1000 bytes fit"), "a megabyte is pasted in part")
t.keys("\003")
verdict(lives(t) and end(t), "... and does no harm")

# ---- what ends and stops it ----

for name in ("USR1", "USR2", "ALRM", "VTALRM", "PROF", "PIPE", "TRAP", "SYS", "IO", "PWR", "STKFLT", "RTMIN",
             "RTMAX"):
    t = start()
    number = getattr(signal, "SIG" + name)
    t.process.send_signal(number)
    status = t.wait()
    verdict(status == -number and t.given_back() and not switched(t), f"SIG{name} gives the terminal back", status)
    t.close()

t = start()
raw = termios.tcgetattr(t.slave)
t.process.send_signal(signal.SIGSTOP)
os.waitpid(t.process.pid, os.WUNTRACED)
subprocess.run(["stty", "sane"], stdin=t.slave, check=True)
sane, before = termios.tcgetattr(t.slave), len(t.bytes)
t.process.send_signal(signal.SIGCONT)
t.settle()
verdict(sane != raw and termios.tcgetattr(t.slave) == raw, "stopped from outside, and continued: its modes again")
verdict(shows(t, before, "procedures") and shows(t, before, "lookup"), "... the screen is drawn anew")
verdict(lives(t) and end(t), "... and it goes on")

# ---- an editor has the terminal as it was ----

with open("modes", "w", encoding="ascii") as f:
    f.write("#!/bin/sh\nstty -a > editing\n")
os.chmod("modes", 0o755)
t = start(VISUAL=os.path.join(os.getcwd(), "modes"))
t.keys("&by_name\r\r")
before = len(t.bytes)
t.keys("e")
off, on = t.bytes.find(b"\033[?2004l", before), t.bytes.find(b"\033[?2004h", before)
text = open("editing", encoding="ascii").read() if os.path.exists("editing") else ""
verdict(0 <= off < on and re.search(r"\sisig\s", text) and re.search(r"\sixon\s", text), "so has an editor", (off, on, text))
verdict(lives(t) and end(t), "... and gives it back")
sys.exit(verdicts["not ok"] > 0)
