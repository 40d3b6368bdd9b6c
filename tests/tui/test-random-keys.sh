#!/bin/bash
# Random keys on profiles with nonsense in them. CGVIEW_KEYS: how many; CGVIEW_SEED: which.
. tests/tui/lib.sh
"$BUILD/tests/tui/unit-sample" threads.db threads
"$BUILD/tests/tui/unit-sample" macros.db macros
"$BUILD/tests/make-measures" macros.db measures.db 12
"$cgview" diff -o compared.db sample.db threads.db > /dev/null || echo "not ok - a stored comparison"
python3 "$top/tests/tui/random-keys.py" "$cgview" "${CGVIEW_KEYS:-400}" "${CGVIEW_SEED:-1}" sample.db threads.db \
	macros.db compared.db measures.db
