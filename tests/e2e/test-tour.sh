#!/bin/bash
# What docs/tour.md says holds: its commands are run in order in a copy of the examples, each printed line is found, and
# what the tables of keys say is on the screen then.
. tests/e2e/lib.sh
[ -x "$cgcc" ] && ls "$build"/lib/cgview/cgview*.so > /dev/null 2>&1 || skip_all "needs cgcc and its plugin"
need python3 gcc
[ -e /usr/share/common-licenses/GPL-3 ] || skip_all "/usr/share/common-licenses is not there"
export PATH=$build:$PATH
cp "$top"/examples/*.c "$TMP_DIR" && cd "$TMP_DIR" || exit
exec python3 "$top/tests/e2e/tour.py" "$top/docs/tour.md"
