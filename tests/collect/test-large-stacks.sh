#!/bin/bash
# Files of stacks that are larger than what is held of them at once: pprof, of which the last stacks are remembered, and
# traces of calls, whose events come in any order. What is in them is added up by brute force.
set -u
. tests/db/lib.sh
tests=$PWD/tests/collect
cd "$TMP_DIR" || exit 1

same() # same NAME COLUMNS FILE
{
	rm -f large.db
	"$cgview" import -o large.db "$3" > out 2>&1 || cat out
	"$cgview" report --format csv --columns "$2" large.db | tr -d '\r' | sed 1d | LC_ALL=C sort > ours
	check "$1" diff rows ours
}

python3 "$tests/large_stacks.py" pprof large.pb rows
same "pprof: many stacks, some of them often" procedure,self_ns,total_ns large.pb
python3 "$tests/large_stacks.py" trace . rows
for order in begin end shuffled; do
	same "trace of calls by $order: calls, self and total" procedure,calls,self_ns,total_ns $order.json
	check "trace of calls by $order: a name that is told last" \
		test "$("$cgview" report --by thread --format csv --columns tid,name large.db | grep -c 'told last')" = 1
done
# Each type of values has its own place, also if many have one name.
python3 - "$tests" <<'END'
import sys
sys.path.insert(0, sys.argv[1])
from pprof import *
open('types.pb', 'wb').write(b''.join(value_type(1, 'cpu', 'nanoseconds') for _ in range(100)) + sample([1], [1] * 100) +
                             location(1, [(1, 5)]) + function(1, 'alone') + strings())
END
echo alone,100,100 > rows
same "pprof: a hundred types of one name add up" procedure,self_ns,total_ns types.pb
