#!/bin/bash
# How often cgview diff claims what is not there, and finds what is, of times that are drawn: see significance.py.
. tests/e2e/lib.sh
need_collection
need sqlite3
need python3
cd "$TMP_DIR" || exit 1
cat > prog.c <<'END'
int main(void)
{
	return 0;
}
END
"$cgcc" -O1 -g -o prog prog.c && "$cgview" record -F 0 -o prog.db -- ./prog > record.out 2>&1 || cat record.out
python3 "$top/tests/compare/significance.py" "$cgview" prog.db
