#!/usr/bin/env python3
"""bytes.py LIMIT COMMAND...: no key makes the browser send more than LIMIT bytes."""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

limit, command = int(sys.argv[1]), sys.argv[2:]
pid, fd = pty.fork()
if pid == 0:
    time.sleep(0.1)  # until the terminal has its size
    os.execv(command[0], command)
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))


def sent(seconds):
    """Bytes until nothing has come for SECONDS."""
    n = 0
    while select.select([fd], [], [], seconds)[0]:
        data = os.read(fd, 65536)
        n += len(data)
    return n


first = sent(1.0)
worst = []
for key in ["j", "j", "k", "\r", "j", "j", "\004", "\006", "]", "m", "\t", "j", "/", "p", "r",
            "\033", "v", "s", "z", "z", "D", "q", "\177"]:
    os.write(fd, key.encode())
    worst.append((key, sent(0.3)))
os.write(fd, b"Q")
most = max(n for key, n in worst)
print(f"# first screen {first} bytes; keys: " +
      ", ".join(f"{k!r} {n}" for k, n in worst))
ok = 0 < most <= limit and worst[0][1] > 0
print(f"{'ok' if ok else 'not ok'} - no key sends more than {limit} bytes")
os.close(fd)
os.waitpid(pid, 0)
sys.exit(not ok)
