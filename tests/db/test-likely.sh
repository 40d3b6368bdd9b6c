#!/bin/bash
# Intervals of calls that rest on samples: of made-up ones, against Python.
set -u
. tests/db/lib.sh
need python3
here=$top/tests/db
cd "$TMP_DIR" || exit 1
"$make_profile" prof.db --odd --procedures 60 || exit 1
python3 "$here/likely.py" "$cgview" prof.db || echo "not ok - likely.py"
