#!/bin/bash
# Any query on a profile: the same rows as SQLite's own, and no harm.
. tests/tui/lib.sh
python3 "$top/tests/db/sql.py" "$cgview" sample.db

# Each of few operations may take long: the limit is one of CPU time, whatever they are.
echo 'set sql-seconds 1' > config
printf 'size:120x24\ntext::sql SELECT sum(length(randomblob(1000000))) FROM range, range\nEnter\n:save-screen shows\n' > steps
(ulimit -t 12; CGVIEW_SCRIPT=steps "$cgview" --config config sample.db)
verdict_shows $? "operations that take long" 'more than 1 seconds'
