#!/usr/bin/env python3
"""A terminal that answers, or not, when it is asked for its background (OSC 11)."""
import sys

from terminal import Terminal, verdict, verdicts

LIGHT, DARK = b"48;5;253", b"48;5;236"  # backgrounds of the title bar
QUESTION = b"\033]11;?"


def screen(command, answer, late, environment):
    """The last of LIGHT and DARK in what the browser sends; whether it has asked."""
    t = Terminal(*command, rows=24, columns=80, **environment)
    if answer and not late:
        t.until(QUESTION)
    else:
        t.settle()  # it does not wait for the answer any more
    if answer:
        t.keys(answer)
        t.keys("\014")
    out = t.bytes
    t.keys("Q")
    t.wait()
    t.close()
    if b"does nothing" in out or b"lookup" not in out:
        return "typed", QUESTION in out
    return ("light" if out.rfind(LIGHT) > out.rfind(DARK) else "dark"), QUESTION in out


WHITE, BLACK = "\033]11;rgb:ffff/ffff/ffff\033\\", "\033]11;rgb:00/00/00\a"
for name, answer, late, environment, want, question in [
        ("a light background", WHITE, False, {}, "light", True),
        ("a dark background", BLACK, False, {}, "dark", True),
        ("a light background, late", WHITE, True, {}, "light", True),
        ("no answer", None, False, {}, "dark", True),
        ("COLORFGBG is believed", None, False, {"COLORFGBG": "0;15"}, "light", False)]:
    got, asked = screen(sys.argv[1:], answer, late, {"COLORFGBG": None, **environment})
    verdict(got == want and asked == question, name, f"{got} {asked}")
sys.exit(verdicts["not ok"] > 0)
