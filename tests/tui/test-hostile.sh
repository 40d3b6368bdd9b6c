#!/bin/bash
# Profiles from somebody else who means harm, or from a broken disk.
. tests/tui/lib.sh
python3 "$top/tests/tui/hostile.py" "$cgview" sample.db 60
