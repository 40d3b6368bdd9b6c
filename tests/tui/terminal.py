"""A program on a terminal of its own, for the tests."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

verdicts = {"ok": 0, "not ok": 0}


def verdict(ok, name, why=""):
    if not ok:
        print("# " + str(why)[-1500:].replace("\n", "\n# "))
    what = "ok" if ok else "not ok"
    verdicts[what] += 1
    print(f"{what} - {name}", flush=True)


class Terminal:
    """COMMAND on a terminal of its own."""

    def __init__(self, *command, rows=30, columns=100, **environment):
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)
        self.fd, self.slave, self.bytes = master, slave, b""
        env = dict(os.environ, TERM="xterm-256color", COLORFGBG="15;0")
        env.update(environment)
        env = {k: v for k, v in env.items() if v is not None}

        def own():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env,
                                        preexec_fn=own)

    def read(self, quiet=0.3, limit=10.0, until=None):
        """What comes until nothing has come for QUIET seconds, or UNTIL has."""
        start, got = time.monotonic(), b""
        while time.monotonic() - start < limit:
            ready = select.select([self.fd], [], [], limit if until else quiet)[0]
            if not ready:
                break
            try:
                data = os.read(self.fd, 65536)
            except OSError:
                break
            if not data:
                break
            got += data
            self.bytes += data
            if until and until in self.bytes:
                break
        return got

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def keys(self, text, quiet=0.2):
        os.write(self.fd, text.encode())
        return self.read(quiet)

    def wait(self, seconds=10):
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            if select.select([self.fd], [], [], 0.05)[0]:
                self.read(0.05, 1)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            return None
        self.read(0.05, 1)
        return self.process.returncode

    def given_back(self):
        """Modes as before, the first screen again, the cursor visible, colours and mouse off."""
        now = termios.tcgetattr(self.slave)
        last = self.bytes.rfind(b"\033[?1049h"), self.bytes.rfind(b"\033[?1049l")
        cursor = self.bytes.rfind(b"\033[?25l"), max(self.bytes.rfind(b"\033[?25h"),
                                                    self.bytes.rfind(b"\033[?12l\033[?25h"))
        return now == self.before and last[0] < last[1] and cursor[0] < cursor[1]

    def close(self):
        os.close(self.fd)
        os.close(self.slave)
