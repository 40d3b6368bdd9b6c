#!/bin/bash
# C-c cancels what is under way and leaves only where nothing is; pasted text is no keys; whatever ends
# or stops the browser gives the terminal back.
. tests/tui/lib.sh

cat > hang.c << 'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>
int sqlite3_prepare_v2(void *db, const char *sql, int n, void **st, const char **tail)
{
	int (*real)(void *, const char *, int, void **, const char **) = dlsym(RTLD_NEXT, "sqlite3_prepare_v2");

	while (!access("hang", F_OK)) {
		close(open("hangs", O_CREAT | O_WRONLY, 0600));
		usleep(1000);
	}
	return real(db, sql, n, st, tail);
}
END
gcc -shared -fPIC -o hang.so hang.c -ldl || exit 1
python3 "$top/tests/tui/interrupt.py" "$cgview" sample.db ./hang.so

# Without a terminal: the same key in a script.
shows 'C-c in a prompt goes back' '!^only rows' '^▌ .* hash' <<< $'text:&look\nC-c'
shows 'C-c forgets a count' '^▌ .* lookup' <<< $'text:5\nC-c\nj'
shows 'pasted text goes into a prompt' '^ search: look up' <<< $'/\npaste:look\\nup'
shows 'as far as it can be shown as it is' '^ search: über  \[31m X ' <<< $'/\npaste:\u00fcber\u202e\e[31m\u009b\\n\\n\ntext:X'
shows 'at the cursor' '^ search: abc' <<< $'text:/ac\nLeft\npaste:b'
shows 'elsewhere it is ignored, and so is a count' 'pasted text (1 byte) is ignored here' <<< $'text:3\npaste:Q'
