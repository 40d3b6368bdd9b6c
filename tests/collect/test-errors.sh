#!/bin/bash
# Errors that memcheck and the sanitizers find in programs/errors.c and race.c: each at the expression that is marked
# there, its stacks, and as many as the tool's own summary says.
. tests/collect/rows/lib.sh
sources=$top/tests/collect/programs
source=$sources/errors.c
line_of() { grep -n "/\* $1\( [^*]*\)\?\*/" "$source" | cut -d: -f1; }
errors() { "$cgview" report --by error --columns "$1" --format csv "$2" | tail -n +2 | tr -d '\r'; }
value() { sqlite3 "$1" "$2"; }

# text DB TABLE-ROW...: the source text of places LINE:COLUMN:END_COLUMN, one a line
text()
{
	while IFS=, read -r line column end; do
		sed -n "${line}p" "$source" | expand -t 1 | cut -c"$column-$end"
	done
}
# where DB QUERY: the marks' lines and the text of each place
places() { sqlite3 -separator , "$1" "SELECT line, column, end_column FROM $2" | text; }
frames() # frames DB DEFECT ROLE: functions and lines of a stack in profiled code
{
	sqlite3 -separator : "$1" "SELECT name, line FROM defect_frame WHERE defect = $2 AND role = '$3'
		AND line ORDER BY stack, depth" | paste -sd ' '
}

wrapped() # wrapped DB: kinds, procedures and texts of the errors of wrapped.c
{
	sqlite3 -separator ' ' "$1" "SELECT d.kind, p.name, d.line, d.column, d.end_column FROM defect d
		JOIN procedure p ON p.id = d.procedure WHERE d.kind NOT LIKE '%eak%' ORDER BY 1" |
		while read -r kind name line column end; do
			echo "$kind $name $(echo "$line,$column,$end" | text | sed 's/^return //')"
		done
}

# ---- memcheck ----

if command -v valgrind > /dev/null; then
	must "compile" "$cgcc" -g -O0 -w "$source" -o errors
	"$cgview" record -F 0 --memcheck -o run.db ./errors 2> err || not_ok "record --memcheck"
	equal "all are at expressions" "cgview: 3 errors, seen 5 times, 3 at an expression  ->  run.db" "$(tail -1 err)"
	equal "kinds and counts" "InvalidWrite|3 Leak_DefinitelyLost|1 UninitCondition|1" \
		"$(value run.db "SELECT kind, sum(count) FROM defect GROUP BY kind ORDER BY kind" | paste -sd ' ')"
	equal "their lines" "$(line_of WRITTEN) $(line_of UNSET) $(line_of LOST)" \
		"$(value run.db "SELECT DISTINCT line FROM defect ORDER BY kind <> 'InvalidWrite', kind <> 'UninitCondition'" |
			paste -sd ' ')"
	equal "their texts" "malloc(sizeof(*n))
s[10 + (i & 1)] = 1" "$(places run.db "defect WHERE kind LIKE 'Leak%' OR kind = 'InvalidWrite'" | sort -u)"
	equal "what is lost" "64|2" "$(value run.db "SELECT bytes, blocks FROM defect WHERE kind LIKE 'Leak%'")"
	leak=$(value run.db "SELECT id FROM defect WHERE kind LIKE 'Leak%'")
	equal "the stack of the leak" "push:$(line_of LOST) leak:$(line_of PUSHED) main:$(grep -n 'leak() != 4' "$source" |
		cut -d: -f1)" "$(frames run.db "$leak" error)"
	write=$(value run.db "SELECT min(id) FROM defect WHERE kind = 'InvalidWrite'")
	equal "where the block is from" "make:$(line_of MADE) main:$(line_of CALLED)" "$(frames run.db "$write" allocated)"
	summary=$(CGVIEW_OUT=off valgrind --leak-check=full ./errors 2>&1 | grep 'ERROR SUMMARY')
	equal "as many as valgrind's summary says" "$(sed 's/.*SUMMARY: \([0-9]*\) errors from \([0-9]*\) .*/\1 \2/' <<< "$summary")" \
		"$(value run.db 'SELECT sum(count), count(*) FROM defect' | tr '|' ' ')"
	equal "beside counts" 5 "$(value run.db "SELECT calls FROM procedure WHERE name = 'push'")"

	# A position-dependent program, optimised: what is inlined has the address of what it is in.
	must "compile at -O2" "$cgcc" -g -O2 -no-pie -w "$source" -o errors-O2
	must "record it" "$cgview" record -F 0 -o o2.db ./errors-O2
	CGVIEW_OUT=off valgrind -q --xml=yes --xml-file=o2.xml --leak-check=full ./errors-O2 > /dev/null 2>&1
	must "import its XML" "$cgview" import -o o2.db o2.xml 2> err
	equal "the leak's expression, inlined" "malloc(sizeof(*n))" "$(places o2.db "defect WHERE kind LIKE 'Leak%'" | sort -u)"
	equal "and the call of the procedure that was inlined" "push(list, i)" "$(places o2.db "defect_frame f WHERE depth = 3
		AND line = $(line_of PUSHED)" | sort -u)"
	equal "nothing else was lost" 5 "$(value o2.db "SELECT calls FROM procedure WHERE name = 'push'")"

	# Signals at random moments are more than valgrind bears: by hand there is no time.
	CGVIEW_OUT=under valgrind -q --log-file=log ./errors-O2 > /dev/null
	equal "under valgrind time is not sampled" "0|5" "$("$cgview" import -o under.db under.*.raw 2> err &&
		value under.db "SELECT (SELECT samples + asked_interval_ns FROM run), calls FROM procedure WHERE name = 'push'")"

	# Another build has the same lines perhaps, and not the same addresses.
	must "record without memcheck" "$cgview" record -F 0 -o other.db ./errors
	CGVIEW_OUT=off valgrind -q --xml=yes --xml-file=run.xml --leak-check=full ./errors > /dev/null 2>&1
	must "build it anew" "$cgcc" -g -O1 -w "$source" -o errors
	must "import of another build" "$cgview" import -o other.db run.xml
	equal "its errors are at lines" "$(value run.db 'SELECT line FROM defect ORDER BY line')|0" \
		"$(value other.db 'SELECT line FROM defect ORDER BY line')|$(value other.db 'SELECT count(column) FROM defect')"
	equal "and a note says why" 1 "$(value other.db "SELECT count(*) FROM note WHERE text LIKE 'errors have lines only: %'")"

	# Of what is never given back some is lost: that of the call that wanted it, as with --space.
	for level in O0 O2; do
		must "compile at -$level" "$cgcc" -$level -g -w "$sources/lost.c" -o lost
		must "record both" "$cgview" record -F 0 --space --memcheck -o lost.db ./lost
		equal "-$level: what is lost, by who wanted it" "leak,200,200,200
direct,90,90,90
main,1010,1000,0" "$("$cgview" report --by lifetime --format csv --columns procedure,bytes,live,lost lost.db |
			tr -d '\r' | tail -n +2 | awk -F, '{ for (i = 2; i < 5; i++) s[$1, i] += $i; n[$1] } END {
				for (k in n) print k "," s[k, 2] "," s[k, 3] "," s[k, 4] }' | sort -t, -k4,4nr)"
		equal "-$level: their errors stand there, too, with the wrapper in the stack" "direct malloc(30) 3
leak xmalloc(100) 1
leak xmalloc(100) 1
malloc xmalloc leak main" "$(sqlite3 -separator , lost.db "SELECT p.name, p.file, d.line, d.column, d.end_column, d.blocks
			FROM defect d JOIN procedure p ON p.id = d.procedure ORDER BY d.bytes" |
			while IFS=, read -r name _ line column end blocks; do
				echo "$name $(sed -n "${line}p" "$sources/lost.c" | expand -t 1 | cut -c"$column-$end") $blocks"
			done | sort
			value lost.db "SELECT f.name FROM defect_frame f JOIN defect d ON d.id = f.defect
				WHERE d.id = (SELECT min(id) FROM defect WHERE bytes = 100) AND f.role = 'error' ORDER BY f.depth" | paste -sd ' ')"
	done
	"$cgview" record -F 0 --space -o plain.db ./lost
	equal "without memcheck nothing is said of it" "|0" "$("$cgview" report --by lifetime --format csv --columns lost \
		plain.db | tr -d '\r' | tail -n +2 | xargs)|$("$cgview" report --by lifetime plain.db | grep -c ' lost ')"

	# What a wrapper is asked to do is its caller's, what it does besides its own.
	must "compile" "$cgcc" -g -O0 -w "$sources/wrapped.c" -o wrapped
	"$cgview" record -F 0 --memcheck -o wrapped.db ./wrapped > out 2>&1 # libc ends it
	equal "in a wrapper: where it writes, and who gives back" "InvalidFree main xfree(s)
InvalidWrite copy strcpy(c, s)" "$(source=$sources/wrapped.c wrapped wrapped.db)"

	# Once more: counts add up, rows do not.
	once=$(value o2.db 'SELECT count(*), sum(count) FROM defect')
	must "import it twice" "$cgview" import -o o2.db o2.xml
	equal "imported twice" "${once%|*}|$((2 * ${once#*|}))" "$(value o2.db 'SELECT count(*), sum(count) FROM defect')"
	must "another run" "$cgview" record -F 0 -o two.db ./errors-O2
	must "merge of two runs" "$cgview" merge -o both.db o2.db two.db
	equal "merging keeps errors" "$(value o2.db 'SELECT count(*), sum(count) FROM defect')
$(value o2.db 'SELECT count(*) FROM defect_frame')" "$(value both.db 'SELECT count(*), sum(count) FROM defect')
$(value both.db 'SELECT count(*) FROM defect_frame')"
	must "appending keeps them" "$cgview" record -a -F 0 -o both.db ./errors-O2
	equal "appended" "$(value o2.db 'SELECT count(*) FROM defect')" "$(value both.db 'SELECT count(*) FROM defect')"
else
	echo "skip - memcheck: valgrind is not installed"
fi
mkdir -p bin
ln -sf "$(command -v true)" bin/true
PATH=$PWD/bin "$cgview" record --memcheck -o no.db true 2> err
equal "without valgrind: one line" "127 1 0" "$? $(wc -l < err) $(ls no.db* 2> /dev/null | wc -l)"
equal "that says so" 1 "$(grep -c 'there is no valgrind' err)"

# ---- sanitizers ----

# sanitized NAME FLAG PROGRAM MODE: its log is NAME.log, its profile NAME.db
sanitized()
{
	if ! "$cgcc" -g -O0 -w -pthread "-fsanitize=$2" "$sources/$3.c" -o "$1" 2> err; then
		echo "skip - $1: this compiler has no -fsanitize=$2"
		return 1
	fi
	CGVIEW_OUT=off ASAN_OPTIONS=$5 UBSAN_OPTIONS=print_stacktrace=1 "./$1" $4 > "$1.out" 2> "$1.log"
	if ! grep -q 'Sanitizer\|runtime error' "$1.log"; then
		echo "skip - $1: it has found nothing here: $(head -1 "$1.log")"
		return 1
	fi
	# What an address sanitizer ends leaves its profile, too.
	ASAN_OPTIONS=$5 "$cgview" record -F 0 -o "$1.db" "./$1" $4 > /dev/null 2>&1
	"$cgview" import -o "$1.db" "$1.log" 2> err || { cat err; echo "not ok - $1: import"; return 1; }
}
if sanitized asan address errors freed detect_leaks=0; then
	equal "asan" "asan,heap-use-after-free,1,$(line_of USED)" "$(errors tool,kind,count,line asan.db)"
	equal "asan: its expression" "s[1]" "$(places asan.db defect | sed 's/.*\(s\[1\]\).*/\1/')"
	equal "asan: freed" "give_back:$(line_of FREED) main:$(line_of GIVEN)" "$(frames asan.db 1 freed)"
	equal "asan: allocated" "make:$(line_of MADE) main:$(line_of CALLED)" "$(frames asan.db 1 allocated)"
	equal "asan: as its summary" "SUMMARY: AddressSanitizer: heap-use-after-free $source:$(line_of USED) in main" \
		"$(grep SUMMARY asan.log)"
fi
if sanitized lsan address errors leak detect_leaks=1; then
	equal "lsan: as many bytes as its summary says" "$(sed -n 's/^SUMMARY: [A-Za-z]*: \([0-9]*\) byte.* in \([0-9]*\) .*/\1|\2/p' lsan.log)" \
		"$(value lsan.db 'SELECT sum(bytes), sum(blocks) FROM defect')"
	equal "lsan: where" "malloc(sizeof(*n))" "$(places lsan.db "defect WHERE line = $(line_of LOST)" | sort -u)"
fi
if sanitized ubsan undefined errors overflow ""; then
	equal "ubsan" "ubsan,signed integer overflow,1,$(line_of OVERFLOW)" "$(errors tool,kind,count,line ubsan.db)"
	equal "ubsan: its expression" "big += argc" "$(places ubsan.db defect)"
fi
if sanitized written address wrapped "" detect_leaks=0; then
	equal "asan: a wrapper writes where it should not" "copy,$(grep -n BEYOND "$sources/wrapped.c" | cut -d: -f1)" \
		"$(errors procedure,line written.db)"
fi
source=$sources/race.c
if sanitized tsan thread race ""; then
	equal "tsan" "tsan,data race,$(line_of RACE)" "$(errors tool,kind,line tsan.db | sort -u)"
	equal "tsan: the other access" "add:$(line_of RACE)" "$(frames tsan.db 1 previous)"
	equal "tsan: as many as it says" "$(sed -n 's/.*reported \([0-9]*\) warnings.*/\1/p' tsan.log)" \
		"$(value tsan.db 'SELECT count(*) FROM defect')"
fi

# ---- what is no report ----

refused() # refused NAME TEXT COMMAND...
{
	local name=$1 text=$2 status
	shift 2
	"$@" > out 2> err
	status=$?
	equal "$name" "1 1 1" "$status $(wc -l < err) $(grep -c -- "$text" err)"
}
must "a profile" "$cgcc" -g -w "$sources/race.c" -o plain -pthread
must "of it" "$cgview" record -F 0 -o plain.db ./plain
echo 'int main(void) { return 0; }' > x.c
refused "a text" 'neither a raw profile' "$cgview" import -o plain.db x.c
echo '<a><b/></a>' > x.xml
refused "other XML" 'not what valgrind writes' "$cgview" import -o plain.db x.xml
printf '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>\n<valgrindoutput>&b;</valgrindoutput>\n' > x.xml
refused "entities" 'document type' "$cgview" import -o plain.db x.xml
echo '<valgrindoutput><error></what></error></valgrindoutput>' > x.xml
refused "no XML" 'line 1 is no XML' "$cgview" import -o plain.db x.xml
printf '<valgrindoutput>%s' "$(printf '<x>%.0s' {1..100})" > x.xml
refused "nested deeply" 'nested too deeply' "$cgview" import -o plain.db x.xml
echo '<valgrindoutput></valgrindoutput>' > x.xml
refused "errors alone are no profile" 'is not a raw profile.*there is no none.db' "$cgview" import -o none.db x.xml
"$cgview" import -o plain.db x.xml 2> err || not_ok "no errors"
equal "told" "cgview: 0 errors  ->  plain.db" "$(cat err)"
# What helgrind says of the counting is not the program's.
source=$sources/race.c
printf 'WARNING: ThreadSanitizer: data race (pid=1)\n  Write of size 1 at 0x1 by thread T1:\n    #0 0x1 in %s\n    #1 0x2 in main %s:%s\n' \
	__cgview_rt_slot_take "$source" "$(line_of CREATED)" add "$source" "$(line_of CREATED)" > x.log
"$cgview" import -o plain.db x.log 2> err || not_ok "an error in the runtime"
equal "an error in the runtime is left out, and told" "1|cgview: 1 error, 1 at a line; 1 in the counting itself left out  ->  plain.db" \
	"$(value plain.db "SELECT count(*) FROM defect")|$(cat err)"
# Control characters in names go nowhere.
printf '==1==ERROR: AddressSanitizer: heap-\033[31muse\007 on address 0x1\n    #0 0x1 in a\033b %s:10\n' "$sources/race.c" > x.log
"$cgview" import -o plain.db x.log 2> err || not_ok "control characters"
"$cgview" report --by error plain.db > out
"$cgview" report --by frame plain.db >> out
equal "none comes out" 0 "$(cat out err | tr -d '\n\t' | LC_ALL=C grep -c $'[\001-\037]')"
must "with --keep-going" sh -c '"$@"; [ $? = 1 ]' sh "$cgview" import --keep-going -o plain.db x.log x.c

# A profile that lacks a part of these tables is none.
cp plain.db old.db
sqlite3 old.db 'DROP INDEX defect_by_place'
"$cgview" report old.db > /dev/null 2> err
equal "one that lacks an index of theirs is none" 1 "$(grep -c 'does not have the tables of a profile' err)"
