"""A program on a terminal of its own, for the tests.

They wait for what happens, not for a while: what was typed has been done when the program waits for
its terminal again, without a limit of time. That is seen from outside, in /proc."""
import array
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time

PATIENCE = 300 # seconds, for what hangs
PPOLL = "271" # on x86-64
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
            # Whoever started the tests may ignore some, as nohup does.
            for number in (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT):
                signal.signal(number, signal.SIG_DFL)
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        self.switches = None
        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=env,
                                        preexec_fn=own)

    def read(self, seconds):
        """What comes within that time; None: the terminal is closed."""
        if not select.select([self.fd], [], [], seconds)[0]:
            return b""
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            return None
        self.bytes += data
        return data or None

    def waits(self):
        """How often the program in the foreground has waited, if it now waits for its terminal, from
        which there is nothing to be read. None: it does not."""
        try:
            pid = os.tcgetpgrp(self.fd)
            with open(f"/proc/{pid}/syscall", encoding="ascii") as f:
                call = f.read().split()
            with open(f"/proc/{pid}/status", encoding="utf-8", errors="replace") as f:
                switches = [line for line in f if line.startswith("voluntary")][0]
            left = array.array("i", [0])
            fcntl.ioctl(self.slave, termios.FIONREAD, left)
        except (OSError, IndexError):
            return None
        return switches if call[0] == PPOLL and int(call[3], 16) == 0 and not left[0] else None

    def settle(self, patience=PATIENCE):
        """What comes until the program has waited once more since the last time, and waits, or has ended."""
        end, got = time.monotonic() + patience, b""
        while time.monotonic() < end:
            switches = self.waits()
            data = self.read(0 if switches else 0.01)
            if data:
                got += data
            elif data is None or self.process.poll() is not None:
                break
            elif switches and switches != self.switches:
                self.switches = switches
                break
        return got

    def until(self, text):
        """Until that has come, whenever it was."""
        end = time.monotonic() + PATIENCE
        while text not in self.bytes and time.monotonic() < end:
            if self.read(0.1) is None:
                break

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.fd, text.encode())

    def keys(self, text):
        self.type(text)
        return self.settle()

    def wait(self, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < end:
            if self.read(0.02) is None:
                time.sleep(0.02)
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            return None
        while self.read(0):
            pass
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
