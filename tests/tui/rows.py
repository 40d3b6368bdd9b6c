#!/usr/bin/env python3
"""rows.py CGVIEW: what a terminal, a hostile profile and a hostile environment can do to the browser.
In the current directory: hostile.db (a profile of hostile/*.c, see test-rows-terminal.sh) and
sample.db. Everything is looked at in the bytes that reach the terminal, and in its modes."""
import os
import pty
import random
import re
import resource
import signal
import stat
import subprocess
import sys
import termios
import time

from terminal import PATIENCE, Terminal, verdict, verdicts

cgview = sys.argv[1]


# ---- 53 to 59: text that means harm ----

HARM = {
    "row 53: ESC in the source": (b"\033]0;PWNED", b"^[]0;PWNED"),
    "row 53: ... a colour": (b"\033[31mRED", b"^[[31mRED"),
    "row 54: ESC in a symbol": (b"\033]0;SYMBOL", b"^[]0;SYMBOL"),
    "row 55: ESC in a file name": (b"\033]0;NAME", b"^[]0;NAME"),
    "row 56: C1 as UTF-8": (b"\302\23331mC1U", b"<9B>31mC1U"),
    "row 56: C1 as a byte": (b"\23331mC1B", b"<9B>31mC1B"),
    "row 57: bidi": (b"\342\200\256BIDI", b"<U+202E>BIDI"),
    "row 57: zero width": (b"\342\200\213ZERO", b"<U+200B>ZERO"),
    "row 58: no colour of the text's own passes": (b"\033[7mCOLOUR", b"^[[7mCOLOUR"),
    "row 59: invalid UTF-8": (b"\377\300\200BAD", b"<FF><C0><80>BAD"),
}


def without_sequences(data):
    """The text that a terminal shows, with no regard to places."""
    return re.sub(rb"\033(\[[0-9;?>]*[ -/]*[@-~]|\([0B]|[=>78M])", b"", data)


def hostile_text():
    t = Terminal(cgview, "hostile.db", rows=60, columns=200)
    t.settle()
    for keys in ("D", "q", "o", "q", "v", "v", "v", "V", "V", "V", "z", "G", "x", "z", "g1\r", "c", "d",
                 ":sql select name, path from procedure join file on file.id = file\r", "q",
                 "/NAME\r", "n", "\033", "&SYMBOL\r", "\r", "u", "\033"):
        t.keys(keys)
    t.keys("x\rzz")
    t.keys("Q")
    status = t.wait()
    text = without_sequences(t.bytes)
    for name, (harm, shown) in HARM.items():
        verdict(status == 0 and harm not in t.bytes and shown in text, name,
                f"{status} {harm in t.bytes} {shown in text}\n{text[-3000:]}")
    t.close()
    odd = [b"\033", b"\302\233", b"\342\200\256", b"\x07"]
    for command in (["report"], ["report", "--by", "file"], ["report", "--by", "line"],
                    ["report", "--by", "note"], ["annotate"],
                    ["report", "--format", "csv", "--by", "site"],
                    ["report", "--format", "json", "--by", "file"],
                    ["report", "--sql", "select * from procedure, file"]):
        done = subprocess.run([cgview, *command, "hostile.db"], capture_output=True, check=False)
        out = done.stdout + done.stderr
        verdict(done.returncode == 0 and not any(o in out for o in odd) and
                (len(out) > 50 or "note" in command),
                f"row 53: {' '.join(command)[:40]}: none in a pipe", out[-500:])
    name = "\033]0;FILE\a\u202e.db"
    done = subprocess.run([cgview, name], capture_output=True, check=False)
    verdict(done.returncode == 1 and b"^[]0;FILE^G<U+202E>.db" in done.stderr and
            done.stderr.count(b"\n") == 1 and not any(o in done.stderr for o in odd),
            "row 55: ... in an error message", done.stderr)


def cells_are_aligned():
    """Right of wide, combining, tab and CR characters the margin's bar stands where it does elsewhere."""
    with open("script", "w", encoding="utf-8") as f:
        f.write("size:100x30\ntext::sql select path, 1 as line from file where path like '%odd.c'\n"
                "Enter\nEnter\nz\n:save-screen odd\n")
    done = subprocess.run([cgview, "hostile.db"], env=dict(os.environ, CGVIEW_SCRIPT="script"),
                          capture_output=True, check=False)
    with open("odd", encoding="utf-8") as f:
        lines = f.read().split("\n")
    at = {line.index("│") for line in lines[3:20] if "│" in line}
    text = "\n".join(lines)
    verdict(done.returncode == 0 and len(at) == 1 and "日本語" in text and "*/   TAB" not in text and "/*   TAB" in text and
            "café" in text.replace("é", "é") and "CRLF^M" not in text and "CRLF" in text,
            "row 59: wide, combining, tab, CRLF: aligned", text)


# ---- 60: size ----

def large():
    def cpu(db, keys):
        with open("script", "w", encoding="utf-8") as f:
            f.write("size:120x36\n" + "\n".join(keys) + "\n")
        spent = []
        for _ in range(3):  # what a shared machine takes away for a while may be counted, too
            a = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([cgview, db], env=dict(os.environ, CGVIEW_SCRIPT="script"), check=True)
            b = resource.getrusage(resource.RUSAGE_CHILDREN)
            spent.append(b.ru_utime + b.ru_stime - a.ru_utime - a.ru_stime)
        return min(spent)

    for db, name, start, keys in (
            ("long.db", "lines of 1 MB", ["V", "Enter", "text:2g", "text:400000", "Right"],
             ["j", "k", "C-d", "C-u"]),
            ("lines.db", "a million lines", ["x"], ["G", "g", "text:1", "PgDn", "]", "C-u"])):
        base = cpu(db, start)
        spent = (cpu(db, start + keys * 20) - base) / (20 * len(keys))
        verdict(spent < 0.1, f"row 60: {name}: a key takes less than 100 ms", f"{spent} s")
        verdict(base < 2.5, f"row 60: {name}: they are there at once", f"{base} s")


# ---- 61 is in the shell ----

# ---- 62: sizes ----

def sizes():
    rng = random.Random(1)
    t = Terminal(cgview, "sample.db")
    t.settle()
    for rows, columns in [(1, 1), (2, 2), (1, 200), (200, 1), (5, 24), (4, 23), (3, 300)]:
        t.resize(rows, columns)
        t.keys("jx\r?qdcz")
    for _ in range(400):
        t.resize(rng.randint(1, 60), rng.randint(1, 200))
        if rng.random() < 0.2:
            os.write(t.fd, b"j\t")
        t.read(0.001)
    t.resize(30, 100)
    t.keys("u\033\033g")
    t.bytes = b""
    t.keys("\014")
    shown = without_sequences(t.bytes)
    alive = t.process.poll() is None
    t.keys("Q")
    verdict(alive and b"procedures" in shown and b"hash" in shown and t.wait() == 0,
            "row 62: 1x1 and 400 sizes: it lives, and draws", f"{alive} {shown}")
    t.close()


# ---- 63, 64: no terminal to speak of ----

def no_terminal():
    for name, value in (("unset", None), ("dumb", "dumb"), ("unknown", "xyzzy"), ("empty", ""),
                        ("a path", "../../../../etc/passwd"), ("long", "x" * 5000),
                        ("hostile", "\033[31m")):
        t = Terminal(cgview, "sample.db", TERM=value)
        status = t.wait()
        out = t.bytes
        verdict(status == 1 and out.count(b"\n") == 1 and b"cgview report" in out and
                b"\033" not in out and termios.tcgetattr(t.slave) == t.before,
                f"row 63: TERM {name}: one line that says what to do", f"{status} {out[:500]}")
        t.close()
    null = subprocess.DEVNULL
    for name, streams in (("stdin", {"stdin": null}), ("stdout", {"stdout": null}),
                          ("any", {"stdin": null, "stdout": null})):
        master, slave = pty.openpty()
        streams = {"stdin": slave, "stdout": slave, **streams}
        try:
            done = subprocess.run([cgview, "sample.db"], stderr=subprocess.PIPE,
                                  timeout=PATIENCE, check=False, **streams)
            ok = done.returncode == 1 and b"needs a terminal" in done.stderr
        except subprocess.TimeoutExpired:
            ok = False
        verdict(ok, f"row 64: no {name}: it ends at once")
        os.close(master)
        os.close(slave)


# ---- 65, 66: signals ----

def signals():
    for name in ("TERM", "SEGV", "ABRT", "BUS", "FPE", "ILL", "HUP", "INT", "QUIT", "XCPU"):
        number = getattr(signal, "SIG" + name)
        t = Terminal(cgview, "sample.db")
        t.settle()
        t.keys("M")
        t.process.send_signal(number)
        status = t.wait()
        mouse = t.bytes.rfind(b"\033[?1006;1000h"), t.bytes.rfind(b"1000l")
        verdict(status == -number and t.given_back() and mouse[0] < mouse[1],
                f"row 65: SIG{name}: the terminal is restored, the signal is told",
                f"{status} {t.bytes[-300:]}")
        t.close()
    # Stopped and continued, from a shell with job control.
    t = Terminal("bash", "-c", "set -m; \"$@\"; echo ST''OPPED; read -r; fg; echo EN''DED", "bash",
                 cgview, "sample.db")
    t.until(b"procedures")
    t.settle()
    t.type("\032")
    t.until(b"STOPPED")
    stopped = termios.tcgetattr(t.slave)[3] & (termios.ICANON | termios.ECHO)
    was = t.before[3] & (termios.ICANON | termios.ECHO)
    left = t.bytes.rfind(b"\033[?1049l") > t.bytes.rfind(b"\033[?1049h")
    t.bytes = b""
    t.type("\n")
    t.until(b"\033[?1049h")
    t.settle()
    back = b"procedures" in without_sequences(t.bytes) and b"\033[?1049h" in t.bytes
    t.type("q")
    t.until(b"ENDED")
    verdict(stopped == was and left and back and b"ENDED" in t.bytes,
            "row 66: stopped: given back; continued: drawn anew", f"{stopped} {was} {left} {back}")
    t.wait()
    t.close()
    for ignored in (False, True):
        command = ["bash", "-c", "trap '' HUP; exec \"$@\"", "bash"] if ignored else []
        t = Terminal(*command, cgview, "sample.db")
        t.settle()
        os.close(t.slave)
        os.close(t.fd)
        try:
            status = t.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            t.process.kill()
            status = None
        verdict(status is not None, f"row 66: hangup{', unheard' if ignored else ''}: it ends", status)


# ---- 67: the editor; 69: terminfo ----

def editor():
    with open("editor.py", "w", encoding="utf-8") as f:
        f.write("import sys\nopen('edited', 'wb').write('\\0'.join(sys.argv[1:]).encode('utf-8', "
                "'surrogateescape'))\n")
    names = ["it's $(touch pwned) `touch pwned` \"; touch pwned #.c", "-x.c", "+1.c", "new\nline.c",
             "a b\tc.c", "\033]0;x\a.c", "caf\u00e9 \u202e.c", "*?[.c", "~.c", "!.c", "%s%n.c"]
    for name in names:
        with open(name, "w", encoding="utf-8") as f:
            f.write("int x;\n")
        subprocess.run([sys.executable, "-c", "import shutil, sqlite3, sys\n"
                        "shutil.copy('sample.db', 'named.db')\n"
                        "db = sqlite3.connect('named.db')\n"
                        "db.execute(\"UPDATE file SET path = ? WHERE path LIKE '%/words.c'\", (sys.argv[1],))\n"
                        "db.commit()", name], check=True)
        with open("script", "w", encoding="utf-8") as f:
            f.write("x\ntext:3g\ne\n")
        if os.path.exists("edited"):
            os.remove("edited")
        done = subprocess.run([cgview, "named.db"], check=False, capture_output=True,
                              env=dict(os.environ, CGVIEW_SCRIPT="script",
                                       VISUAL=f"{sys.executable} editor.py"))
        got = open("edited", "rb").read().decode().split("\0") if os.path.exists("edited") else None
        # The file has changed: line 3 is its only one now.
        verdict(done.returncode == 0 and got == ["+1", "./" + name] and not os.path.exists("pwned"),
                f"row 67: the editor gets the name as it is: {name!r}", f"{got} {done.stderr}")


def terminfo():
    verdict(not os.stat(cgview).st_mode & (stat.S_ISUID | stat.S_ISGID),
            "row 69: never set-uid")
    rng = random.Random(2)
    os.makedirs("ti/x", exist_ok=True)
    os.makedirs("ti/78", exist_ok=True)
    good = next((open(d + "/x/xterm-256color", "rb").read() for d in
                 ("/usr/share/terminfo", "/lib/terminfo", "/etc/terminfo")
                 if os.path.exists(d + "/x/xterm-256color")), b"\x1a\x01" + bytes(1000))
    cases = [b"", b"\x1a\x01", bytes(5000), rng.randbytes(4000), good[:200]]
    for _ in range(25):
        data = bytearray(good)
        for _ in range(20):
            data[rng.randrange(len(data))] = rng.randrange(256)
        cases.append(bytes(data))
    bad = []
    for i, data in enumerate(cases):
        for path in ("ti/x/xterm-256color", "ti/78/xterm-256color"):
            with open(path, "wb") as f:
                f.write(data)
        t = Terminal(cgview, "sample.db", TERMINFO=os.path.abspath("ti"))
        t.settle(2)  # with such an entry it may wait in other ways
        if t.process.poll() is None:
            t.process.send_signal(signal.SIGTERM)
        status = t.wait()
        # libtinfo itself may fall over such an entry; that has no rights to gain.
        if status not in (0, 1, -signal.SIGTERM, -signal.SIGSEGV, -signal.SIGBUS) or termios.tcgetattr(t.slave) != t.before:
            bad.append((i, status))
        t.close()
    verdict(not bad, f"row 69: {len(cases)} bad TERMINFO entries: it ends, and the terminal is as it was", bad)


for test in (hostile_text, cells_are_aligned, large, sizes, no_terminal, signals, editor, terminfo):
    test()
sys.exit(verdicts["not ok"] > 0)
