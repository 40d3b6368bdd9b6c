#!/bin/bash
# A profile with cost centres, and with a row for what no profiled procedure called.
. tests/tui/lib.sh
command -v sqlite3 > /dev/null || { echo "skip - charging: sqlite3 is not installed"; exit 0; }

# Every procedure has its time by pc, but each and hash have changed places.
cp sample.db centres.db
sqlite3 centres.db "
	UPDATE run SET centre_samples = samples, centre_unprofiled_samples = 1;
	UPDATE procedure SET centre_ns = self_ns, centre_samples = self_samples,
		centre_total_ns = propagated_ns;
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

SIZE=120x30
first=$(sqlite3 centres.db "SELECT name FROM procedure ORDER BY centre_ns DESC LIMIT 1")
DB=sample.db shows 'without centres there is no column' '!centre' < /dev/null
DB=centres.db shows 'a column with centres' 'self .*centre .*procedure' < /dev/null
DB=centres.db shows 'it can be sorted by' 'centre▼' <<< $'text::sort centre\nEnter'
DB=centres.db shows 'time by centres' 'time by cost centre' 'by pc' \
	<<< $'text::self centre\nEnter'
DB=centres.db shows '... by the command that it was' 'time by cost centre' 'by pc' <<< $'text::charge centre\nEnter'
DB=centres.db shows '... in their order' "^▌ .* $first " <<< $'text::self centre\nEnter\ng'
DB=centres.db shows '... and back' '!time by' 'self%▼' \
	<<< $'text::self centre\nEnter\ntext::self pc\nEnter'
DB=centres.db shows 'the cursor stays on its row' '^▌ .* lookup ' \
	<<< $'text:/lookup\nEnter\ntext::self centre\nEnter'
DB=sample.db shows 'no centres: told' 'cgview-flags=cost-centres' <<< $'text::self centre\nEnter'
DB=sample.db shows 'neither: told' 'by pc, by centre, or own' <<< $'text::self more\nEnter'
DB=centres.db shows 'what is not profiled is a row' '2.000 s .* (unprofiled)' < /dev/null
DB=centres.db shows '... without a place' 'no place in a source' \
	<<< $'text:/unprof\nEnter\nEnter'
DB=centres.db shows '... without callers' '^▌ .*(unprofiled)' <<< $'text:/unprof\nEnter\nc\nEnter\nu'

# Foreign code: time that was the procedure's becomes that of what it called.
cp sample.db foreign.db
sqlite3 foreign.db "CREATE TEMP TABLE row AS SELECT * FROM procedure WHERE name = 'lookup';
	UPDATE procedure SET own_ns = self_ns / 4, own_samples = self_samples / 4;
	UPDATE row SET id = (SELECT max(id) FROM procedure) + 1, name = 'memcmp (libc)', is_foreign = 1,
		file = NULL, line = NULL, column = NULL, end_line = NULL, end_column = NULL, calls = 0,
		self_ns = 0, self_samples = 0, own_ns = 3000000000, own_samples = 3000, total_ns = 3000000000;
	INSERT INTO procedure SELECT * FROM row" || exit 1
DB=sample.db shows 'without foreign code there is no column' '!own' < /dev/null
SIZE=200x30
DB=foreign.db shows 'a column with foreign code' ' self .* own .*procedure' < /dev/null
DB=foreign.db shows 'own time, the most first' ', own time' 'own%▼.* own .* self ' '▌.*3.000 s .* - .*memcmp (libc)' \
	<<< $'text::self own\nEnter\ng'
DB=foreign.db shows '... and back' '!, own time' 'self%▼' \
	<<< $'text::self own\nEnter\ntext::self pc\nEnter'
