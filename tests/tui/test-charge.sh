#!/bin/bash
# A profile with cost centres, and with a row for what no profiled procedure called.
. tests/tui/lib.sh
command -v sqlite3 > /dev/null || { echo "skip - charging: sqlite3 is not installed"; exit 0; }

# Every procedure has its time by pc, but each and hash have changed places.
cp sample.db centres.db
sqlite3 centres.db "
	UPDATE run SET centre_samples = samples, centre_unprofiled_samples = 1;
	UPDATE procedure SET centre_ns = self_ns, centre_samples = self_samples,
		centre_total_ns = total_ns;
	UPDATE procedure SET centre_ns = (SELECT self_ns FROM procedure WHERE name = 'each')
		WHERE name = 'hash';
	UPDATE procedure SET centre_ns = (SELECT self_ns FROM procedure WHERE name = 'hash')
		WHERE name = 'each';
	CREATE TEMP TABLE row AS SELECT * FROM procedure LIMIT 1;
	UPDATE row SET id = (SELECT 1 + max(id) FROM procedure), name = '(unprofiled)',
		linkage_name = '', module = '', file = NULL, line = NULL, \"column\" = NULL,
		end_line = NULL, end_column = NULL, calls = 0, self_samples = 200,
		self_ns = 2000000000, total_ns = 2000000000, centre_ns = 1000000;
	INSERT INTO procedure SELECT * FROM row" || exit 1

# shows NAME DB PATTERN... < STEPS: as in test-walk.sh.
shows()
{
	local name=$1 db=$2 status=0 pattern
	shift 2
	{ echo size:120x30; cat; echo ':save-screen shows'; } | play "$db" || status=1
	for pattern; do
		case $pattern in
		!*) grep -q -e "${pattern#!}" shows && { echo "# there is: ${pattern#!}"; status=1; } ;;
		*) grep -q -e "$pattern" shows || { echo "# there is no: $pattern"; status=1; } ;;
		esac
	done
	[ $status -eq 0 ] || sed 's/^/# /' shows
	verdict $status "$name"
}

first=$(sqlite3 centres.db "SELECT name FROM procedure ORDER BY centre_ns DESC LIMIT 1")
shows 'without centres there is no column' sample.db '!centre' < /dev/null
shows 'a column with centres' centres.db 'self .*centre .*procedure' < /dev/null
shows 'it can be sorted by' centres.db 'centre▼' <<< $'text::sort centre\nEnter'
shows 'charged by centres' centres.db 'charged by cost centre' 'by pc' \
	<<< $'text::charge centre\nEnter'
shows '... in their order' centres.db "^▌ .* $first " <<< $'text::charge centre\nEnter\ng'
shows '... and back' centres.db '!charged by' 'self%▼' \
	<<< $'text::charge centre\nEnter\ntext::charge pc\nEnter'
shows 'the cursor stays on its row' centres.db '^▌ .* lookup ' \
	<<< $'text:/lookup\nEnter\ntext::charge centre\nEnter'
shows 'no centres: told' sample.db 'cgview-flags=centres' <<< $'text::charge centre\nEnter'
shows 'neither: told' sample.db 'by pc or by centre' <<< $'text::charge more\nEnter'
shows 'what is not profiled is a row' centres.db '2.000 s .* (unprofiled)' < /dev/null
shows '... without a place' centres.db 'no place in a source' \
	<<< $'text:/unprof\nEnter\nEnter'
shows '... without callers' centres.db '^▌ .*(unprofiled)' <<< $'text:/unprof\nEnter\nc\nEnter\nu'
