#!/bin/bash
# Any query on a profile: the same rows as SQLite's own, and no harm.
. tests/tui/lib.sh
python3 "$top/tests/db/sql.py" "$cgview" sample.db
