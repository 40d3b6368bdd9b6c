#!/bin/bash
# cgview import: a run is in a profile once, all are of one build, and what cannot be imported stops
# it or is left out.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1
same() # same NAME EXPECTED GOT
{
	if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "# expected $2, got $3"; echo "not ok - $1"; fi
}
runs() { sqlite3 "$1" "SELECT (SELECT count(*) FROM run) || ' ' || sum(calls) FROM procedure WHERE name = 'step'"; }

# step() is called seven times in each process.
cat > p.c <<'END'
#include <string.h>
#include <unistd.h>
#include <sys/wait.h>
static void __attribute__((noinline)) step(void) { __asm__ volatile(""); }
int main(int argc, char **argv)
{
	for (int i = 0; i < 7; i++)
		step();
	if (argc > 1 && !strcmp(argv[1], "exec"))
		execl(argv[0], argv[0], NULL);
	if (argc > 1 && !strcmp(argv[1], "fork") && !fork()) {
		execl(argv[0], argv[0], NULL);
		_exit(1);
	}
	if (argc > 1 && !strcmp(argv[1], "wait"))
		while (access("go", F_OK))
			usleep(2000);
	wait(NULL);
	return 0;
}
END
must "compile" "$cgcc" -O1 p.c -o p
for i in 1 2 3; do CGVIEW_OUT=r$i ./p; done
for i in 1 2 3; do mv r$i.*.raw r$i.raw; done

refused() # refused NAME WORDS ARGUMENTS...: in one line, and x.db stays what it is
{
	local name=$1 words=$2
	shift 2
	cp x.db before.db
	"$cgview" import -o x.db "$@" > out 2> err
	same "refused: $name" "1 1" "$? $(wc -l < err)"
	check "... says why" grep -qE "^cgview: $words" err
	check "... nothing is written" cmp x.db before.db
}
must "import" "$cgview" import -o x.db r1.raw r2.raw
same "two runs" "2 14" "$(runs x.db)"
refused "a run that is in the profile" "r1.raw has a run that x.db has, too: it would count twice" -a r1.raw
refused "one of two" "r2.raw has a run that x.db has, too" -a r3.raw r2.raw
refused "the same twice" "r3.raw has a run that r3.raw has, too" r3.raw r3.raw
cp r3.raw copy.raw
refused "a copy" "copy.raw has a run that r3.raw has, too" -a r3.raw copy.raw
must "the third" "$cgview" import -a -o x.db r3.raw
same "three runs" "3 21" "$(runs x.db)"
for i in 1 2 3 4; do "$cgview" import -a -o together.db r1.raw > out.$i 2> err.$i & done
wait
same "four import one file at the same time: it is there once" "1 7" "$(runs together.db)"
same "... the others are refused" 3 "$(cat err.* | grep -c 'it would count twice')"

"$cgview" import -o one.db r1.raw 2> err
"$cgview" merge -o m.db one.db x.db 2> err
same "merge: likewise" "1 1" "$? $(grep -c 'x.db has a run that one.db has, too' err)"
# A program that still runs: what it has done so far is there; all of it is the same run.
CGVIEW_OUT=w ./p wait &
wait_until test -s w.$!.raw
must "while it runs" "$cgview" import -o w.db w.*.raw
touch go
wait
cp x.db x.bak && cp w.db x.db
refused "the same run, which went on meanwhile" "w.*.raw has a run that x.db has, too" -a w.*.raw
cp x.bak x.db
# Processes of one command have files of their own, which are runs of their own: one id is a process's, and
# exec makes another one of it.
for how in exec fork; do
	CGVIEW_OUT=$how ./p $how
	must "$how" "$cgview" import -o $how.db $how.*.raw
	same "$how: two files, two runs" "2 14" "$(runs $how.db)"
done
# What record has made is in no file any more, but where processes went on.
"$cgview" record -o rec.db -- ./p fork 2> err
same "record: one run of two files" "1 14 33" "$(runs rec.db) $(sqlite3 rec.db 'SELECT length(raws) FROM run')"

# Two that began at the same time, with the same process id, on two hosts.
cat > host.py <<'END'
import struct, sys
raw = bytearray(open(sys.argv[1], "rb").read())
length, = struct.unpack_from("<I", raw, 20)
texts = bytes(raw[104:104 + length]).split(b"\0")
texts[0] = texts[0][:-1] + (b"x" if texts[0][-1:] != b"x" else b"y")
raw[104:104 + length] = b"\0".join(texts)
h = 2166136261
for byte in raw[24:56] + raw[104:104 + length]:
    h = (h ^ byte) * 16777619 & 0xffffffff
struct.pack_into("<I", raw, 16, h)
open(sys.argv[2], "wb").write(raw)
END
python3 host.py r1.raw elsewhere.raw
must "another host" "$cgview" import -o hosts.db r1.raw elsewhere.raw
same "another host, the same time and process id: two runs" "2 14 2" "$(runs hosts.db) $(sqlite3 hosts.db 'SELECT count(DISTINCT host) FROM run')"

# Two builds of one program, wherever they are; other programs may be together.
mkdir v2 && sed 's/i < 7/i < 8/' p.c > v2/p.c
must "compile" "$cgcc" -O1 v2/p.c -o v2/p
CGVIEW_OUT=v2/r v2/p
mv v2/r.*.raw v2/r.raw
refused "another build" "v2/r.raw is of another build of /.*/v2/p \([0-9a-f]+\) than r1.raw \([0-9a-f]+\): leave it out, or" r1.raw v2/r.raw
refused "another build than the profile's" "v2/r.raw is of another build of /.*/v2/p .* than x.db" -a v2/r.raw
cp v2/p other && CGVIEW_OUT=other ./other
must "another program" "$cgview" import -o both.db r1.raw other.*.raw
same "another program: both are there" "2 15" "$(runs both.db)"
mkdir same && cp p same/p && CGVIEW_OUT=same/r same/p
must "a copy of the program" "$cgview" import -o copies.db r1.raw same/r.*.raw
same "a copy of the program: both are there" "2 14" "$(runs copies.db)"

# What is missing or damaged stops it, or is left out.
head -c 100 r1.raw > cut.raw
echo text > text.raw
refused "a missing one" "missing.raw: cannot open" r1.raw missing.raw
refused "a cut one" "cut.raw" r1.raw cut.raw
refused "no raw file" "text.raw" r1.raw text.raw
cp p p.first && cp v2/p p
refused "the program was rebuilt" "r1.raw: /.*/p: the program was rebuilt since .*build-id" v2/r.raw r1.raw
"$cgview" import --keep-going -o kept.db r1.raw missing.raw v2/r.raw > out 2> err
same "--keep-going: the build that is there is in" "1 8" "$(runs kept.db)"
rm p
refused "the program is gone" "r1.raw: /.*/p: " v2/r.raw r1.raw
cp p.first p
"$cgview" import --keep-going -o kept.db r1.raw missing.raw cut.raw v2/r.raw text.raw r1.raw r2.raw > out 2> err
same "--keep-going: status, the others, a line for each" "1 2 14 5" "$? $(runs kept.db) $(grep -c '^cgview: left out: ' err)"
same "... and a note for each" 5 "$(sqlite3 kept.db "SELECT count(*) FROM note WHERE kind = 'merge' AND text LIKE 'left out: %'")"
"$cgview" import --keep-going -a -o kept.db r1.raw r3.raw > out 2> err
same "--keep-going -a: what is there is left out" "1 3 21" "$? $(runs kept.db)"
cp kept.db x.db
refused "nothing remains" "r3.raw has a run that x.db has, too" -a r3.raw
"$cgview" import --keep-going -a -o x.db r3.raw 2> err
same "... and with --keep-going" "1 cgview: none of the raw files can be imported" "$? $(tail -n 1 err)"
check "... nothing is written" cmp x.db kept.db
"$cgview" import --keep-going -o whole.db r1.raw r2.raw 2> err
same "--keep-going with nothing to leave out: 0" 0 $?
same "no temporary files" "" "$(ls -A | grep -E 'tmp|XXXX|lock')"
