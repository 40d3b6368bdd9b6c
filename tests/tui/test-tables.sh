#!/bin/bash
# Damaged profiles: each table of a genuine one emptied, halved and filled with values of wrong types, and each
# view with each action on that. CGVIEW_TABLES=all: each column with each of these values alone (hours).
. tests/tui/lib.sh
if ! CGVIEW_FLAGS=notargets "$BUILD/cgcc" -O1 -g -w "$top/tests/tui/everything.c" -o everything -pthread 2> err; then
	echo "skip - damaged tables: $(head -1 err)"
	exit 0
fi
{
	"$cgview" record --space --wall -o genuine.db ./everything
	"$cgview" pin genuine.db 'main->two=1' &&
		"$cgview" diff -o compared.db genuine.db genuine.db
} > log 2>&1 || { cat log; echo "not ok - the genuine profiles"; exit 1; }
python3 "$top/tests/tui/tables.py" "$cgview" "${CGVIEW_TABLES:-some}" genuine.db compared.db
