#!/bin/bash
# What needs a terminal of its own: the clipboard, a query that is stopped, the mouse.
. tests/tui/lib.sh
python3 "$top/tests/tui/feel.py" "$cgview"
