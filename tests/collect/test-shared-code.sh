#!/bin/bash
# The time of an instruction that two arms share is not that of an inlined procedure that never ran, though debug
# information has its place.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
source=$top/tests/collect/programs/shared-code.c

must "compile shared-code.c" "$cgcc" -O2 -g "$source" -o shared
record shared.db ./shared 60000000
ask() { sqlite3 shared.db "SELECT total($1) FROM procedure WHERE name $2"; }
if [ "$(ask self_samples "IS NOT NULL" | cut -d. -f1)" -lt 40 ]; then
	echo "skip - time is that of procedures that ran: too few samples"
	exit 0
fi
# Else it had all of the division's: 60 of 100.
check "a procedure that never ran took no time" [ "$(ask self_ns "= 'never'"; ask total_ns "= 'never'")" = $'0.0\n0.0' ]
share=$(sqlite3 shared.db "SELECT 100 * often.self_ns / (SELECT sum(self_ns) FROM procedure) FROM procedure often
	WHERE name = 'often'")
echo "# $share of 100"
check "that around it has it" [ "$share" -ge 15 ]
check "the times of the roots are all there is" conserved shared.db
# Of equal calls, of which the compiler made one, the only one that was executed has the time below it.
site() { sqlite3 shared.db "SELECT count, total_ns > 0 FROM call_site WHERE line = $(grep -n "// $1" "$source" | cut -d: -f1)"; }
check "a call that was never executed took no time" [ "$(site "the one that is never executed")" = "0|0" ]
check "that like it has it" [ "$(site "the one that is$")" = "300000|1" ]
check "so its arcs" [ "$(sqlite3 shared.db "SELECT count(*) FROM arc WHERE count = 0 AND total_ns > 0 AND site IS NOT NULL")" = 0 ]
# A jump has no frame: which call became one is in the tables.
# Three quarters, within four standard deviations of what so many samples can tell.
read -r share samples <<< "$(sqlite3 -separator ' ' shared.db "SELECT
	100 * (SELECT total_ns FROM call_site WHERE line = $(grep -n '// three q' "$source" | cut -d: -f1)) / total_ns, total_samples
	FROM procedure WHERE name = 'burn'")"
echo "# $share of 100, of $samples samples"
check "a call that became a jump has the time below it" [ "$(awk -v s="$share" -v n="$samples" \
	'BEGIN { print ((s - 75) ^ 2 <= (4 * 100) ^ 2 * 0.75 * 0.25 / n) }')" = 1 ]
check "all of it is in the arcs" [ "$(sqlite3 shared.db "SELECT (SELECT sum(pair_ns) FROM arc JOIN procedure p ON p.id = callee
	WHERE p.name = 'burn') = (SELECT total_ns FROM procedure WHERE name = 'burn')")" = 1 ]
# With so many arguments it is the one that runs.
must "build a copy with counts of both" "$cgcc" -O2 -g "$source" -o both
record both.db ./both 20000000 both of them are run
check "what ran keeps its times" [ "$(sqlite3 both.db "SELECT self_ns > 0 FROM procedure WHERE name = 'never'")" = 1 ]
# Tables of jumps as the release before wrote them, without places: less is known of calls that are jumps.
must "take the places out of the tables of jumps" python3 - shared <<'END'
import struct
import sys

data = bytearray(open(sys.argv[1], "rb").read())
at = data.index(b"CGVS")
_, version, _, size, number = struct.unpack_from("<4sHHII", data, at)
assert version == 2 and number
stream, out, i = data[at + 16:at + size], bytearray(), 0


def take():
    """A number, and its bytes."""
    global i
    first, value = i, 0
    while True:
        value |= (stream[i] & 127) << 7 * (i - first)
        i += 1
        if stream[i - 1] < 128:
            return value, stream[first:i]


def take_text():
    global i
    n, head = take()
    i += n
    return head + stream[i - n:i]


for _ in range(number):
    out += take_text() + take()[1] + take_text()
    take(), take()
data[at + 4] = 1
data[at + 16:at + size] = out.ljust(size - 16, b"\0")
open(sys.argv[1], "wb").write(data)
END
record old.db ./shared 2000000
check "tables of jumps without places are read" [ "$(sqlite3 old.db "SELECT sum(pair_ns) > 0 FROM arc JOIN procedure p ON p.id = callee
	WHERE p.name = 'burn'")" = 1 ]
