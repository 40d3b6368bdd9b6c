#!/bin/bash
# What cannot be read is never taken for the end of it: at each read of each command an error, a short
# read, an interrupted one, and a file that is cut. Either all is as without it, or the status is not
# 0, a line says why, and the old profile is as it was.
set -u
. tests/db/lib.sh
need sqlite3
faults=$PWD/tests/collect/read-faults.c
case $(nm -D "$cgview" 2> /dev/null) in
*__asan_init*) echo "skip - read failures: the sanitizer wants to be the first library"; exit 0 ;;
esac
cd "$TMP_DIR" || exit 1
cat > work.c <<'END'
static volatile long sink;
static long step(long n) { sink += n; return n & 1 ? n * 3 : n / 2; }
int main(void)
{
	long s = 0;
	for (int k = 0; k < 300; k++)
		for (int i = 0; i < 20000; i++)
			s += step(i);
	return s == 1;
}
END
gcc -O1 -shared -fPIC -o faults.so "$faults" -ldl || exit 1
"$build/cgcc" -O1 -g -o work work.c || exit 1
mkdir raw
CGVIEW_OUT=$PWD/raw/work CGVIEW_HZ=1000 ./work
cp raw/work.*.raw work.raw
cp work program

# with FAULT N COMMAND...
with() { LD_PRELOAD=$PWD/faults.so FAULT=$1 FAULT_AT=$2 FAULT_HIT=$PWD/hit "${@:3}"; }
has_hit() { local byte; IFS= read -rd '' -n 1 byte < hit && [ "$byte" = 1 ]; }

# What of a profile is the program's doing and not the time's: all of it but notes and texts.
figures()
{
	sqlite3 "$1" .dump | grep -vE '^INSERT INTO (note|source_text|file|text|totals|run) ' | sha256sum
}
texts() { sqlite3 "$1" "SELECT group_concat(state) FROM file"; }

tell() { [ "$2" = 0 ] || { echo "# $3: $4"; head -3 err; }; verdict "$2" "$1"; }

# ---- import ----

"$cgview" import -o whole.db work.raw 2> err || exit 1
wanted=$(figures whole.db) states=$(texts whole.db)
check "there are samples" [ "$(sqlite3 whole.db 'SELECT sum(samples) > 0 FROM run')" = 1 ]
step=$(sqlite3 whole.db "SELECT calls FROM procedure WHERE name = 'step'")
check "step was called 300 times 20,000" [ "$step" = 6000000 ]

old=$(sha256sum < whole.db)
bad=0 lost=0 all=0 failed=0 childs=0
for FAULT_WHO in parent child; do
	export FAULT_WHO
	for ((n = 1; n < 500; n++)); do
		rm -f hit old.db.old
		cp whole.db old.db
		with error $n "$cgview" import -o old.db work.raw > out 2> err
		status=$?
		has_hit || break
		all=$((all + 1))
		[ $FAULT_WHO = parent ] || childs=$((childs + 1))
		if [ $status != 0 ]; then
			failed=$((failed + 1))
			[ "$(sha256sum < old.db)" = "$old" ] && [ ! -e old.db.old ] &&
				[ "$(wc -l < err)" = 1 ] &&
				grep -qE '(cannot be read|I/O error|malformed)' err && continue
			bad=1
		else
			[ "$(figures old.db)" = "$wanted" ] && { [ "$(texts old.db)" = "$states" ] ||
				grep -q 'no source text' err; } && continue
			lost=1
		fi
		echo "# $FAULT_WHO, read $n: status $status"; head -3 err
	done
done
unset FAULT_WHO
verdict $bad "import: an error at each read: status 1, one line, the old profile as it was"
verdict $lost "... or nothing but a source text is missing, and a line says so"
check "... $failed of $all reads" [ $failed -ge 25 ]
check "... $childs of them by the reader of debug information" [ $childs -ge 5 ]
rm -f old.db.old
check "... no temporary files" [ -z "$(ls -A | grep -E 'tmp|lock')" ]

for fault in short interrupted; do
	bad=0
	if [ $fault = short ]; then
		with short 0 "$cgview" import -o other.db work.raw 2> err || bad=1
		cmp other.db whole.db || bad=1
	fi
	for ((n = 1; n < 500; n++)); do
		rm -f hit other.db*
		with $fault $n "$cgview" import -o other.db work.raw 2> err || bad=1
		has_hit || break
		cmp -s other.db whole.db || { echo "# $fault read $n"; head -2 err; bad=1; }
	done
	verdict $bad "import: $fault reads change nothing"
done

# The raw file, and the program, lose their second half before each read. Before the raw file is opened
# that is a file that was cut: what is left of it counts, and a line says what is missing.
head -c $(($(stat -c %s work.raw) / 2)) work.raw > half.raw
"$cgview" import -o half.db half.raw 2> err || exit 1
half=$(figures half.db)
told_half() { [ "$(figures old.db)" = "$half" ] && grep -q 'was cut off: [0-9]* bytes are missing' err; }
for file in work.raw work; do
	bad=0 failed=0
	for ((n = 1; n < 500; n++)); do
		rm -f hit
		cp whole.db old.db
		FAULT_FILE=$file with cut $n "$cgview" import -o old.db work.raw > out 2> err
		status=$?
		if [ $file = work ]; then cp program work; else cp raw/work.*.raw work.raw; fi
		has_hit || break
		rm -f old.db.old
		[ $status = 0 ] || failed=$((failed + 1))
		if [ $status = 0 ] && [ "$(figures old.db)" != "$wanted" ] && ! told_half ||
		   { [ $status != 0 ] && [ "$(sha256sum < old.db)" != "$old" ]; }; then
			bad=1; echo "# read $n: status $status"; head -3 err
		fi
	done
	verdict $bad "import: $file is cut between two reads: an error, or all had been read"
	check "... an error $failed times" [ $failed -ge 5 ]
done

# ---- record ----

bad=0 failed=0
for ((n = 1; n < 500; n++)); do
	rm -f hit
	cp whole.db old.db
	rm -rf old.db.*
	with error $n "$cgview" record -o old.db -- ./work > out 2> err
	status=$?
	has_hit || break
	count=$(sqlite3 old.db "SELECT calls FROM procedure WHERE name = 'step'")
	if [ $status = 0 ]; then
		[ "$count" = 6000000 ] && continue
	elif [ "$(sha256sum < old.db)" = "$old" ]; then
		failed=$((failed + 1))
		# Either it did not begin, or nothing is lost.
		raw=$(echo old.db.raw-*/*.raw)
		[ ! -e "$raw" ] || { grep -q 'raw data is kept in' err && "$cgview" import -o kept.db \
			"$raw" 2>> err && [ "$(sqlite3 kept.db \
			"SELECT calls FROM procedure WHERE name = 'step'")" = 6000000 ]; } && continue
	fi
	bad=1; echo "# read $n: status $status"; head -3 err
done
rm -rf old.db.*
verdict $bad "record: an error at each read: the old profile as it was, the raw data is kept"
check "... $failed of $((n - 1)) reads" [ $failed -ge 20 ]

# ---- what reads profiles ----

"$make_profile" a.db --procedures 12 --lines 60 --ranges 80 || exit 1
"$make_profile" b.db --procedures 12 --lines 60 --ranges 80 || exit 1
cat > script <<'END'
Enter
t
:save-screen screen
END

# reader NAME COMMAND...: at each read, what is printed is all of it, and what is to be made is, or the status is not 0.
# The command runs once, with a child of it at each read (read-faults.c): it need not begin anew hundreds of times.
reader()
{
	local name=$1 n status how rest bad=0 failed=0 fault made=
	shift
	rm -rf screen made.db*; "$@" > plain 2> err || { head -3 err; verdict 1 "$name"; return; }
	[ ! -e screen ] || cp screen plain
	[ ! -e made.db ] || made=made
	for fault in error short; do
		rm -f screen made.db* each
		FAULT_EACH=$PWD/each FAULT_MADE=made.db FAULT_PLAIN=plain with $fault 0 "$@" > out 2> err
		status=$?
		[ ! -e screen ] || cp screen out
		[ $status = 0 ] && cmp out plain || { bad=1; echo "# $fault: status $status, and nothing failed"; }
		while read -r n status how rest; do
			[ $status = 0 ] || failed=$((failed + 1))
			case $fault,$status,$how,$rest in
			*,0,same,*$made | *,0,told,*) continue ;;
			*,0,*) ;;
			error,*,err) continue ;;
			esac
			bad=1; echo "# $fault $n: status $status, output: $how, $rest"
			rm -f screen made.db*
			with $fault $n timeout 60 "$@" > out 2> err
			head -3 err; diff out plain | head -5
		done < each
	done
	verdict $bad "$name: errors and short reads"
	check "... $failed errors" [ $failed -ge 3 ]
}

# reader_anew NAME COMMAND...: the same of a command of several processes, which begins anew for each read.
reader_anew()
{
	local name=$1 n status bad=0 failed=0 fault
	shift
	rm -rf screen; "$@" > plain 2> err || { head -3 err; verdict 1 "$name"; return; }
	[ ! -e screen ] || cp screen plain
	for fault in error short; do
		for ((n = 1; n < 1000; n++)); do
			rm -f hit screen made.db*
			with $fault $n timeout 60 "$@" > out 2> err
			status=$?
			has_hit || break
			[ ! -e screen ] || cp screen out
			if [ $status != 0 ]; then
				failed=$((failed + 1))
				[ $fault = error ] && [ -s err ] && [ ! -e made.db ] && continue
			else
				cmp -s out plain && continue
				# A source on the disk; the browser, which goes on, says what it has.
				grep -qE 'cannot be read|is damaged' out && continue
			fi
			bad=1; echo "# $fault $n: status $status"; head -3 err; diff out plain | head -5
		done
	done
	verdict $bad "$name: errors and short reads"
	check "... $failed errors" [ $failed -ge 3 ]
}

reader "report" "$cgview" report --format csv a.db
reader "report --by line" "$cgview" report --by line --format csv a.db
reader "report --by tree" "$cgview" report --by tree a.db
reader_anew "report --sql" "$cgview" report --sql 'SELECT count(*), sum(block.count), max(path) FROM block, file' a.db
reader "annotate" "$cgview" annotate whole.db
reader "diff" "$cgview" diff a.db b.db
reader "diff -o" "$cgview" diff -o made.db a.db b.db
reader "merge" "$cgview" merge -o made.db whole.db
reader "the browser" env CGVIEW_SCRIPT=script "$cgview" whole.db
