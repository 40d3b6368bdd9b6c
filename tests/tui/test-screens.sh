#!/bin/bash
# Every view in three sizes, text and meaning of each cell, against stored screens.
# GENERATE=1 writes them anew: look at the difference before you commit it.
. tests/tui/lib.sh

for size in 80x24 120x36 200x60; do
	golden summary "$size" <<< ''
	golden source "$size" <<< $'Enter\n]\nl'
	golden source-count "$size" <<< $'Enter\nm'
	golden source-total "$size" <<< $'j\nEnter\nm\nm\nL'
	golden callees "$size" <<< $'j\nj\nd'
	golden zoomed "$size" <<< $'Enter\nz\nC-d'
	golden expressions "$size" <<< v
	golden sites "$size" <<< $'v\nv\nj'
	golden lines "$size" <<< $'v\nv\nv'
	golden files "$size" <<< $'V\nV'
	golden directories "$size" <<< $'V'
	golden table-columns "$size" <<< $'f\nj\nj\nj\nSpace'
	golden restricted "$size" <<< $'text:&o\nEnter\ntext:2%\ntext::file *.c\nEnter'
	golden odd "$size" <<< $'text:&cafe\nEnter\nEnter\nz'
	golden help "$size" <<< '?'
	golden diagnostics "$size" <<< D
	golden query "$size" <<< $'text::sql select name, calls, procedure.self_ns, path, line from procedure left join file on file.id = procedure.file order by 3 desc\nEnter\nj'
	golden search "$size" <<< $'x\ntext:/slots'
done
"$BUILD/tests/tui/unit-sample" threads.db threads
for size in 80x24 120x36 200x60; do
	golden threads "$size" threads.db <<< $'T\nSpace\nj'
	golden some-threads "$size" threads.db <<< $'j\nT\nEnter'
done
golden query-wrong 80x24 <<< $'text::sql select nane from procedure\nEnter'
golden query-nothing 80x24 <<< $'text::sql select name from procedure where calls < 0\nEnter'
golden no-threads 80x24 <<< T
golden choose-file 80x24 <<< o
golden odd-end 80x24 <<< $'text:&cafe\nEnter\nEnter\ntext:8g\ntext:/END\nEnter'
golden missing 80x24 <<< $'j\nj\nj\nEnter'
golden changed 80x24 <<< $'text:&by_n\nEnter\nEnter'
golden nothing-left 80x24 <<< $'text:&xyzzy\nEnter'
golden one-pane 60x12 <<< $'Enter'
golden narrow 60x30 <<< $'d'
golden too-small 20x4 <<< $'j'

# The directory that all files are in is not told again in every row.
cp sample.db common.db
python3 -c 'import sqlite3; db = sqlite3.connect("common.db")
db.execute("UPDATE file SET path = ? WHERE path = ?", ("/sample/changed.c", "changed.c"))
db.commit()'
golden common-directory 80x24 common.db <<< o

# Names of the hottest procedures, and not of cold ones, have room before the columns that few ask for.
cp sample.db long.db
python3 -c 'import sqlite3; db = sqlite3.connect("long.db")
db.execute("UPDATE procedure SET name = ? || name WHERE name != ?", ("text::many_words::", "main"))
db.commit()'
DB=long.db SIZE=104x36
shows 'long names are whole' ' text::many_words::hash  .*words\.c:5' ' text::many_words::read_all  ' '!±' <<< ''
DB=sample.db
shows 'short ones leave room for others' ' hash  .*words\.c:5' ' ±  total% .* procedure ' <<< ''
