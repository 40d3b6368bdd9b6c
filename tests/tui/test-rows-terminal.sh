#!/bin/bash
# What terminals, texts and environments can do to the browser.
. tests/tui/lib.sh
case $BUILD in *asan*|*debug*|*coverage*) slow=1 ;; *) slow= ;; esac

# A real profile of a source that means harm, in files whose names do.
mkdir hostile
python3 - << 'END'
import os
text = (b"/* \033]0;PWNED\a \033[31mRED \033[0m */\n"
        b"/* \302\23331mC1U \23331mC1B \342\200\256BIDI \342\200\213ZERO */\n"
        b"/* \033[7mCOLOUR \377\300\200BAD \0 NUL */\n"
        b"static int f(int n) { return n * 2; }\n"
        b"int symbol(int n) { int i, s = 0; for (i = 0; i < n; i++) s += f(i); return s; }\n")
odd = (b"/* odd */\n"
       b"int\todd(int n) /*\tTAB */\n"
       b"{ /* \346\227\245\346\234\254\350\252\236 */\n"
       b"\treturn n; /* caf\xc3\xa9 cafe\xcc\x81 */\n"
       b"} /* CRLF */\r\n")
with open(b"hostile/\033]0;NAME\a.c", "wb") as f:
    f.write(text)
with open("hostile/odd.c", "wb") as f:
    f.write(odd)
with open("hostile/main.c", "w") as f:
    f.write("int symbol(int);\nint odd(int);\nint main(void) { return symbol(10) < odd(1); }\n")
END
"$BUILD/cgcc" -O0 -g -w -o harm hostile/*.c && "$cgview" record -F 0 -o hostile.db -- ./harm > out 2>&1 ||
	{ cat out; echo 'not ok - the profile'; exit 1; }
# No assembler takes such a symbol; a profile may have it.
python3 -c 'import sqlite3; db = sqlite3.connect("hostile.db")
db.execute("UPDATE procedure SET name = ? WHERE name = ?", ("\033]0;SYMBOL\a", "symbol")); db.commit()'
"$BUILD/tests/tui/unit-sample" long.db long
"$BUILD/tests/make-profile" lines.db --procedures 2000 --lines 1000000 --ranges 20000 --files 1 || exit 1
python3 "$top/tests/tui/rows.py" "$cgview"

# 61: the file is another one than the one that was profiled.
seen() # seen NAME PATTERN: on the screen of odd()
{
	play hostile.db <<< $'size:100x30\ntext:&odd\nEnter\nEnter\n:save-screen seen'
	grep -q -e "$2" seen
	verdict $? "$1"
}
seen 'row 61: the source as it was: no banner' 'CRLF'
! grep -q 'differs' seen
verdict $? 'row 61: ... really none'
sed -i '1i int inserted;' hostile/odd.c
seen 'row 61: a line was inserted: a banner, and the text that was profiled' 'The file on disk differs'
grep -q 'odd(int n)' seen && ! grep -q inserted seen
verdict $? 'row 61: ... the text is the stored one'
rm hostile/odd.c
seen 'row 61: the file has gone: the stored text' 'odd(int n)'

# 68: a slow line.
[ -n "$slow" ] || python3 "$top/tests/tui/bytes.py" 6000 "$cgview" sample.db | sed 's/^\(not \)*ok - /&row 68: /'
