#!/usr/bin/env python3
"""random-keys.py CGVIEW KEYS SEED PROFILE...: random keys and commands in the browser, on a terminal of
its own that changes its size, on profiles in which somebody has put what no writer stores. Nothing may
crash, hang, or reach the terminal as an escape sequence. PROFILE: good ones, of which copies are made."""
import fcntl
import os
import pty
import random
import re
import select
import shutil
import signal
import sqlite3
import struct
import sys
import termios
import time

cgview, wanted, seed, good = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:]
PATIENCE = int(os.environ.get('PATIENCE', '120')) # seconds, for what hangs, on a machine that has other things to do
rng = random.Random(seed)
NUMBERS = [0, 1, -1, 2, 3, 2**63 - 1, -2**63, 2**31 - 1, -2**31, 2**31, 2**32 - 1, 2**32, 10**6, -1000, 65536]
TEXTS = ["", "\033]0;title\007\033[2J", "\u202e evil \u2066", "\u200b\ufeff", "a\nb\r\t\001", "%s%n", "main",
         "/etc/passwd", "\U0001f4a9é" * 30, "x" * 70000, "-c:!id", "+1", "'; rm -rf x"]
BYTES = [b"\x9b31m", b"\xff\xfe\x80", b"\xc2\x9b31m", b"\0\0"]
LIKELY = ["procedure", "file", "call_site", "arc", "block", "range", "line", "context", "note", "run", "thread",
          "part", "comparison", "totals"]
# Not R: that would run what stands in the profile.
KEYS = list("jjjjkkllhhgGcdutTxOXCzvVsSmLKfBDHIaiw*%.nN/&`'[]{}+-<>=pPEFZ~|?: Q") + [
    "\r", "\r", "\r", "\x7f", "\033", "\t", "\x06", "\x02", "\x0c", "\x03", "\033[A", "\033[B", "\033[5~", "\033[6~",
    "\033[<0;10;10M", "\033[Z", "\033[200~pasted q\033[201~"]
COMMANDS = [":sql select * from procedure\r", ":sort count\r", ":file *.c\r", ":min 1\r",
            ":compare b.count*a.count\r", ":self centre\r", ":estimate even\r", ":normalise total\r", ":pin x\r",
            ":99999999999\r", "/main\r", "&[a-z]+\r", "99999999999999999999j", "5%", "200G", ":column spread\r",
            ":w! out.txt\r"]
ESCAPES = re.compile(rb"\033\]0;title|\xe2\x80\xae evil|\xe2\x81\xa6|\xe2\x80\x8b|\xc2\x9b")


def value():
    kind = rng.randrange(7)
    if kind < 3:
        return rng.choice(NUMBERS), "?1"
    if kind < 5:
        return rng.choice(TEXTS), "?1"
    if kind == 5:
        return rng.choice(BYTES), rng.choice(["?1", "cast(?1 as text)"])
    return rng.choice([None, rng.randint(0, 50), 1e300, rng.randbytes(20)]), "?1"


def spoil(path, source):
    """A copy with up to eight changes, which are told."""
    shutil.copy(source, path)
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma journal_mode = off")
    schema = [row for row in db.execute("select name, sql from sqlite_schema where type = 'table'")
              if not row[0].startswith("sqlite")]
    columns = {name: [row[1] for row in db.execute(f'pragma table_info("{name}")')] for name, _ in schema}
    db.execute("pragma writable_schema = on") # NULL where none may be
    db.execute("update sqlite_schema set sql = replace(sql, ' NOT NULL', '') where type = 'table'")
    db.close()
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma journal_mode = off")
    done = []
    for _ in range(rng.randint(1, 8)):
        table = rng.choice(LIKELY) if rng.random() < .7 else rng.choice(sorted(columns))
        column = rng.choice(columns[table])
        what, how = value()
        where = rng.choice(["", f" where rowid = {rng.randint(1, 20)}", " where rowid % 3 = 0"])
        sql = f'update or ignore "{table}" set "{column}" = {how}{where}'
        try:
            db.execute(sql, (what,))
            done.append((sql, what if not isinstance(what, (str, bytes)) else what[:20]))
        except (sqlite3.Error, UnicodeEncodeError):
            pass
    db.execute("pragma writable_schema = on")
    for name, sql in schema:
        db.execute("update sqlite_schema set sql = ? where name = ?", (sql, name))
    db.close()
    return done


class Session:
    """The browser on a terminal."""

    def __init__(self, arguments, rows, columns):
        self.master, self.slave = pty.openpty()
        self.size(rows, columns)
        self.out, self.status = b"", None
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
            for fd in range(3):
                os.dup2(self.slave, fd)
            os.closerange(3, 100)
            os.execvpe(arguments[0], arguments, dict(
                os.environ, TERM=rng.choice(["xterm-256color", "vt100", "linux", "screen"]),
                LC_ALL=rng.choice(["C.UTF-8", "C"]), EDITOR="/bin/true", VISUAL="/bin/true",
                ASAN_OPTIONS="detect_leaks=0:handle_segv=2:log_path=sanitizer",
                UBSAN_OPTIONS="print_stacktrace=1:log_path=sanitizer"))

    def size(self, rows, columns):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        try:
            while select.select([self.master], [], [], seconds)[0]:
                self.out += os.read(self.master, 65536)
                seconds = 0
        except OSError:
            pass

    def ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = status
        return self.status is not None

    def type(self, data):
        """Read while it does not take more: what it shows may fill its terminal."""
        while data and not self.ended():
            self.read(0.005)
            if select.select([], [self.master], [], 0.01)[1]:
                data = data[os.write(self.master, data[:256]):]

    def leave(self):
        end = time.monotonic() + PATIENCE
        while not self.ended() and time.monotonic() < end:
            self.type(b"\033\033\033:q!\r")
            # What is typed right behind what was pasted is taken for more of it: this is not.
            pause = time.monotonic() + 3
            while not self.ended() and time.monotonic() < pause:
                self.read(0.02)
        if self.ended():
            return True
        with open(f"/proc/{self.pid}/status", encoding="utf-8", errors="replace") as f:
            print("# " + f.read(200).replace("\n", "; "), "the last that it wrote:", self.out[-1500:])
        os.kill(self.pid, signal.SIGKILL)
        self.status = os.waitpid(self.pid, 0)[1]
        return False

    def close(self):
        self.read(0)
        os.close(self.master)
        os.close(self.slave)


def session(number):
    """What was wrong, or None; and how many keys were typed."""
    source = rng.choice(good)
    done = spoil("h.db", source)
    arguments = [cgview, "h.db"] if rng.random() < .7 else rng.choice(
        [[cgview, rng.choice(good), "h.db"], [cgview, "h.db", rng.choice(good)],
         [cgview, "-e", "b.self_ns-a.self_ns", "h.db", rng.choice(good)]])
    keys = [rng.choice(COMMANDS) if rng.random() < .12 else rng.choice(KEYS) for _ in range(rng.randint(20, 120))]
    s = Session(arguments, *rng.choice([(40, 120), (24, 80), (3, 10), (100, 300), (1, 1)]))
    s.read(0.3)
    typed = 0
    for key in keys:
        if s.ended():
            break
        s.type(key.encode())
        typed += 1
        if rng.random() < .02:
            s.size(rng.choice([1, 5, 24, 60]), rng.choice([1, 20, 80, 200]))
            os.kill(s.pid, signal.SIGWINCH)
    hung = not s.leave()
    s.close()
    reports = sorted(f for f in os.listdir(".") if f.startswith("sanitizer"))
    why = None
    if hung:
        why = "hangs"
    elif reports:
        with open(reports[0], encoding="utf-8", errors="replace") as f:
            why = f.read()[:3000]
    elif s.status != signal.SIGINT and (not os.WIFEXITED(s.status) or os.WEXITSTATUS(s.status) not in (0, 1, 2)):
        # Before it has its terminal, C-c ends it as it does any program.
        why = f"status {s.status:#x}"
    elif ESCAPES.search(s.out):
        why = "an escape sequence came through"
    if why:
        print(f"# seed {seed}, session {number}: {why}\n# {arguments} of {source}\n# {done}\n# {keys}".replace(
            "\n", "\n# "))
    return why, typed


sessions = total = refused = 0
problem = None
# A profile that is refused at once costs no keys, but counts as some: else there would be no end of them.
while total < wanted and not problem:
    sessions += 1
    problem, keys_typed = session(sessions)
    refused += keys_typed < 5
    total += max(keys_typed, 5)
print(f"# {sessions} sessions, {refused} refused at once")
print(f"{'not ok' if problem else 'ok'} - {wanted} random keys on hostile profiles (seed {seed})")
sys.exit(problem is not None)
