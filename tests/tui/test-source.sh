#!/bin/bash
# The source view: legend, outline, margins, macros, marks. Screens are compared as in
# test-screens.sh (GENERATE=1 writes them anew).
. tests/tui/lib.sh

for size in 80x24 120x36 200x60; do
	golden legend "$size" <<< $'x\nz\nK'
	golden outline "$size" <<< $'j\nj\nx\nO'
done
golden legend-count 80x24 <<< $'x\nz\nK\nm\nL'

"$BUILD/tests/tui/unit-sample" macros.db macros
for size in 80x24 120x36 200x60; do
	golden macro "$size" macros.db <<< $'o\nEnter\nx\ntext:5g\nX'
done
golden macro-definition 80x24 macros.db <<< $'o\nj\nEnter\ntext:2g\nX'
golden header 120x36 macros.db <<< $'o\nj\nEnter\ntext:7g\nl'

# A profile without any code has no outline.
cp sample.db bare.db
python3 -c 'import sqlite3; db = sqlite3.connect("bare.db")
for table in "procedure", "block", "range", "line", "call_site", "arc": db.execute("DELETE FROM " + table)
db.commit()'
{ echo O; echo ':save-screen bare'; } | play bare.db
grep -q 'no source is shown: o chooses a file' bare
verdict $? 'no outline without a source'
