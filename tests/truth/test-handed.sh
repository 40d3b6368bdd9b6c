#!/bin/bash
# What several calls hand to libc: the intervals of how often it was called through each.
set -u
BUILD=$(cd "${BUILD:-build}" && pwd)
[ -x "$BUILD/cgcc" ] && ls "$BUILD"/lib/cgview/cgview*.so > /dev/null 2>&1 || {
	echo "skip - handed: cgcc or its plugin was not built"
	exit 0
}
export BUILD
python3 tests/truth/handed.py "$BUILD/cgcc" "$BUILD/cgview" "$TMP_DIR" || echo "not ok - handed.py"
