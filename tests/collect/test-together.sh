#!/bin/bash
# Several recorders, importers and mergers with one output: nothing is lost, nothing is replaced that
# another one wrote meanwhile, and nothing that is no profile of ours.
. tests/e2e/lib.sh
need_collection
need sqlite3 python3
cd "$TMP_DIR" || exit 1
unset CGVIEW_RANK PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID MV2_COMM_WORLD_RANK
same() # same NAME EXPECTED GOT
{
	if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "# expected $2, got $3"; echo "not ok - $1"; fi
}
runs() { sqlite3 "$1" "SELECT (SELECT count(*) FROM run) || ' ' || calls FROM procedure WHERE name = 'step'"; }

# step() is called seven times in a run; a run with an argument waits for that file.
cat > p.c <<'END'
#include <unistd.h>
static void __attribute__((noinline)) step(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 7; i++)
		step();
	if (argc > 1)
		write(1, "ready\n", 6);
	while (argc > 1 && access(argv[1], F_OK))
		usleep(2000);
	return 0;
}
END
must "compile" "$cgcc" -O1 p.c -o p

mkdir add && cd add || exit 1
"$cgview" record -a -o x.db -- ../p 2> err
for i in $(seq 64); do
	( "$cgview" record -a -o x.db -- ../p 2> err.$i; echo $? > status.$i ) &
done
wait
same "record -a: 64 at once and the first: 65 runs" "65 $((65 * 7))" "$(runs x.db)"
same "... all with status 0" "64" "$(cat status.* | grep -cx 0)"
same "... each says so once" 64 "$(cat err.* | grep -c '^p: ')"
grep -hv '^p: ' err.* | sed 's/^/# besides: /' # a note about a sample, rarely
rm -f err* status*
same "... nothing is left behind" "x.db x.db.old" "$(echo $(ls -A))"
same "... what is kept is one run less" "64 $((64 * 7))" "$(runs x.db.old)"

rm -f x.db*
for i in 1 2 3 4 5 6 7 8; do
	CGVIEW_OUT=r$i ../p
	"$cgview" import -o one$i.db r$i.*.raw 2> /dev/null
done
for i in 1 2 3 4 5 6 7 8; do "$cgview" import -a -o x.db r$i.*.raw 2> err.$i & done
wait
same "import -a: 8 at once" "8 56" "$(runs x.db)"
cp one1.db sum.db
for i in 2 3 4 5 6 7 8; do "$cgview" merge -o sum.db sum.db one$i.db 2> err.$i & done
wait
same "merge into one of its own: 7 at once" "8 56" "$(runs sum.db)"
same "... nothing is left behind" "" "$(ls -A | grep -E 'lock|tmp|XXXX')"

# Another one has the lock: they wait. It is killed: they go on.
cat > hold.py <<'END'
import fcntl, os, sys, time
f = open(sys.argv[1], "w")
fcntl.lockf(f, fcntl.LOCK_EX)
open("held", "w")
time.sleep(1000)
END
rm -f x.db*
"$cgview" record -a -o x.db -- ../p 2> err
python3 hold.py x.db.cgview-lock &
holder=$!
wait_until test -e held
pids=
for i in 1 2 3; do "$cgview" record -a -o x.db -- ../p 2> err.$i & pids="$pids $!"; done
asleep() { [ "$(ls -d x.db.raw-* 2> /dev/null | wc -l)" = 3 ] && [ "$(ls x.db.raw-*/*.raw 2> /dev/null | wc -l)" = 3 ]; }
wait_until asleep
sleep 1
same "a lock that another one holds: they wait" "1 7" "$(runs x.db)"
kill -KILL $holder
wait $pids
same "... it was killed: they go on" "4 28" "$(runs x.db)"
wait
same "... its lock is gone" "" "$(ls -A | grep lock)"
# Recorders themselves are killed, at any time, while others wait: who ends well is counted.
rm -f x.db* status*
for i in $(seq 20); do
	( "$cgview" record -a -o x.db -- ../p 2> /dev/null; echo $? > status.$i ) &
	"$cgview" record -a -o x.db -- ../p 2> /dev/null &
	victim=$!
	sleep 0.0$((i * 7 % 10))
	kill -KILL $victim
done 2> /dev/null
wait 2> /dev/null
read -r nr calls < <(runs x.db)
well=$(cat status.* | grep -cx 0)
check "20 of 40 are killed: $well that end well are there, $nr runs" [ "$well" = 20 -a "$nr" -ge 20 -a "$nr" -le 40 -a "$calls" = $((nr * 7)) ]
check "... and the profile is whole" "$cgview" report x.db
cd ..

# Without -a: who comes to write when another has written meanwhile keeps its own.
mkdir own && cd own || exit 1
start() # start N OUTPUT: four recorders, all running before the first one ends
{
	rm -f go
	for i in 0 1 2 3; do
		( eval "$1"; "$cgview" record -o "$2" -- ../p go > out.$i 2> err.$i; echo $? > status.$i ) &
	done
	for i in 0 1 2 3; do wait_for ready out.$i; done
	touch go
	wait
	rm -f out.*
}
start : x.db
same "record -o: four at once: one has it, three say that they have not" "0 1 1 1" "$(echo $(sort status.*))"
same "... and what they have instead" 3 "$(cat err.* | grep -c '^cgview: x.db was written by another program meanwhile: this profile is kept as x\.[0-9]*\.db')"
same "... four profiles" 4 "$(ls x.*db | wc -l)"
for db in x.*db; do same "... each with its run: $(echo $db | tr -d 0-9)" "1 7" "$(runs $db)"; done
same "... nothing was replaced" "" "$(ls | grep old)"
rm -f x.*
"$cgview" record -o x.db -- ../p 2> err
start : x.db
same "one was there before: four more" 5 "$(ls x.*db x.db.old | wc -l)"
same "... it is kept" "1 7" "$(runs x.db.old)"
rm -f x.*
start 'export CGVIEW_RANK=$i' x.db
same "with ranks: status 0" "0 0 0 0" "$(echo $(sort status.*))"
same "... three say where they are" 3 "$(cat err.* | grep -c 'x.db was written by another program meanwhile: this profile, of rank [0-3], is x\.[0-3]\.db')"
same "... each has its file" "x.N.db x.N.db x.N.db x.db" "$(echo $(ls x.*db | sed 's/[0-3]/N/'))"
rm -f x.*
for name in PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID MV2_COMM_WORLD_RANK; do
	rm -f x.*
	sh -c "for i in 0 1; do $name=\$i '$cgview' record -o x.db -- ../p; done" 2> err
	same "$name: one began when the other had ended" "x.1.db x.db" "$(echo $(ls x.*))"
done
rm -f x.*
"$cgview" record -o x.db -- ../p go2 > out 2> err &
wait_for ready out
"$cgview" record -o x.db -- ../p 2> /dev/null
"$cgview" pin x.db > /dev/null
cp x.db before.db
touch go2
wait $!
same "the file of one that has ended: status" 1 $?
check "... it stays" cmp x.db before.db
# They have looked at what is there when they wait for the lock.
rm -f held err.*
python3 ../add/hold.py m.db.cgview-lock &
holder=$!
wait_until test -e held
pids=
for i in 1 2 3; do "$cgview" merge -o m.db ../add/one$i.db 2> err.$i & pids="$pids $!"; done
wait_for_lock() { [ "$(for pid in $pids; do readlink /proc/$pid/fd/*; done 2> /dev/null | grep -c 'm\.db\.cgview-lock')" = 3 ]; }
wait_until wait_for_lock
kill -KILL $holder
wait $pids
same "merge -o: three at once, none is replaced: two say where they are" "3 2" \
	"$(ls m.db m.*.db 2> /dev/null | wc -l) $(cat err.* | grep -c 'm.db was written by another program meanwhile: this profile is kept as m\.[0-9]*\.db')"
wait
cd ..

# What is no profile of ours stays what it is.
mkdir foreign && cd foreign || exit 1
sqlite3 app.sqlite 'CREATE TABLE t(a); INSERT INTO t VALUES (1)'
sqlite3 id.sqlite 'PRAGMA application_id = 7; CREATE TABLE t(a); INSERT INTO t VALUES (2)'
echo precious > text
echo x > short
mkfifo fifo
mkdir directory
ln -s app.sqlite link
cp ../add/one1.db ../add/one2.db .
cp one1.db with-old.db
cp app.sqlite with-old.db.old
sha256sum app.sqlite id.sqlite text short with-old.db with-old.db.old > sums
for to in app.sqlite id.sqlite text short fifo directory link /dev/null with-old.db; do
	for command in "record -o $to -- touch ran" "record -a -o $to -- touch ran" "import -o $to ../add/r1.*.raw" \
		"merge -o $to one1.db one2.db" "diff -o $to one1.db one2.db"; do
		timeout 60 "$cgview" $command > out 2> err
		status=$?
		same "$to: ${command%% *}: refused in one line" "$([[ $command = diff* ]] && echo 2 || echo 1) 1" "$status $(grep -c "^cgview: .*$to" err)"
	done
done
check "what was there is there" sha256sum --quiet -c sums
same "... kept nowhere else" "" "$(ls -d *.old | grep -v '^with-old')"
check "... nothing was run" [ ! -e ran ]
same "... it is told of what" "cgview: with-old.db.old: exists and is no profile of cgview, and what is in with-old.db now would take its place; choose another output with -o" \
	"$("$cgview" merge -o with-old.db one1.db one2.db 2>&1 | sed "s|$PWD/||g")"
check "... it is a database" [ "$(sqlite3 app.sqlite 'SELECT a FROM t')$(sqlite3 id.sqlite 'SELECT a FROM t')" = 12 ]
: > empty
must "an empty file" "$cgview" merge -o empty one1.db one2.db
same "an empty file gives way" "2 14" "$(runs empty)"
ln -s nothing/there.db dangling
mkdir nothing
must "a link to what is not there" "$cgview" merge -o dangling one1.db one2.db
same "... is followed" "2 14 nothing/there.db" "$(runs nothing/there.db) $(readlink dangling)"
cp one1.db real.db && ln -s real.db to-real
must "a link to a profile" "$cgview" merge -o to-real one1.db one2.db
same "... is followed, too" "2 14 real.db" "$(runs real.db) $(readlink to-real)"
cd ..

# What a record that was killed leaves is told by the next one, with a command that adds it.
mkdir killed && cd killed || exit 1
told() { grep -c "^cgview: x.db.raw-[A-Za-z0-9]\{6\} holds what a record that was killed, or interrupted, has left: add it with 'cgview import -a -o x.db x.db.raw-[A-Za-z0-9]\{6\}/\*.raw', then delete it\$" "$1"; }
"$cgview" record -o x.db -- ../p go > out 2> err &
victim=$!
wait_for ready out
"$cgview" record -o x.db -- ../p 2> err2
same "a recorder that lives: nothing is told" "0 1 7" "$(told err2) $(runs x.db)"
kill -KILL $victim
wait $victim 2> /dev/null
touch go
rm x.db
"$cgview" x.db > out 2> err
same "it was killed: the browser tells, as there is no profile" "1 1 2" "$? $(told err) $(wc -l < err)"
ended() { ! pgrep -f -x '../p go' > /dev/null; }
wait_until ended
"$cgview" record -F 0 -a -o x.db -- ../p > out 2> err
same "... so does record" "0 1 2" "$? $(told err) $(wc -l < err)"
command=$(sed -n "s/.*add it with 'cgview \(.*\)', then.*/\1/p" err)
eval "'$cgview' $command" 2> err
same "... its command adds what was left, and does not tell again" "0 0 2 14" "$? $(told err) $(runs x.db)"
"$cgview" import -o other.db x.db.raw-*/*.raw 2> err
same "... other files are another matter" 0 "$(told err)"
eval "'$cgview' $command" > out 2> err
same "... twice is refused" "1 1" "$? $(grep -c 'would count twice' err)"
rm -r x.db.raw-*
mkdir x.db.raw-abcdef x.db.raw-abcdefg x.db.raw-a.cdef y.db.raw-abcdef
touch x.db.raw-abcdefg/a.raw x.db.raw-a.cdef/a.raw y.db.raw-abcdef/a.raw
"$cgview" record -o x.db -- ../p 2> err
same "what has no raw files, or another name, is not told" 0 "$(grep -c left err)"
same "... a record that ends well leaves nothing" "x.db.raw-a.cdef x.db.raw-abcdef x.db.raw-abcdefg" "$(echo $(ls -d x.db.raw-*))"
