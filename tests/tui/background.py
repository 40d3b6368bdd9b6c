#!/usr/bin/env python3
"""A terminal that answers, or not, when it is asked for its background (OSC 11)."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

LIGHT, DARK = b"48;5;253", b"48;5;236"  # backgrounds of the title bar


def screen(command, answer, delay, environment):
    """What the browser sends within a while; the last of LIGHT and DARK in it."""
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(environment)
        os.execv(command[0], command)
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    out, begin, asked = b"", time.time(), None
    while time.time() - begin < 10:
        if select.select([fd], [], [], 0.05)[0]:
            out += os.read(fd, 65536)
        if asked is None and b"\033]11;?" in out:
            asked = time.time()
        if asked and answer and time.time() - asked >= delay:
            os.write(fd, answer)
            answer, begin = None, time.time() - 9
        if not answer and b"lookup" in out and begin > time.time() - 9:
            begin = time.time() - 9
    os.write(fd, b"Q")
    os.close(fd)
    os.waitpid(pid, 0)
    if b"does nothing" in out:
        return "typed", asked
    return ("light" if out.rfind(LIGHT) > out.rfind(DARK) else "dark"), asked


failed = False
white, black = b"\033]11;rgb:ffff/ffff/ffff\033\\", b"\033]11;rgb:00/00/00\a"
for name, answer, delay, environment, want, question in [
        ("a light background", white, 0, {}, "light", True),
        ("a dark background", black, 0, {}, "dark", True),
        ("a light background, late", white, 0.5, {}, "light", True),
        ("no answer", None, 0, {}, "dark", True),
        ("COLORFGBG is believed", None, 0, {"COLORFGBG": "0;15"}, "light", False)]:
    got, asked = screen(sys.argv[1:], answer, delay, environment)
    ok = got == want and bool(asked) == question
    failed |= not ok
    print(f"{'ok' if ok else 'not ok'} - {name}" + ("" if ok else f": {got}"))
sys.exit(failed)
