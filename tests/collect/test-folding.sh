#!/bin/bash
# record adds up what has ended while others still run: the profile is that of all raw files, none counts twice when it
# is killed, none is taken that somebody still writes, and the disk does not fill.
# What is mounted here, at the end, is seen by nobody else, and goes with this shell.
if [ "$(id -u)" = 0 ] && [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2> /dev/null; then
	OWN_MOUNTS=1 exec unshare -m bash "$0"
fi
. tests/e2e/lib.sh
need_collection
need sqlite3 python3
helpers=$top/tests/collect/reduce
cd "$TMP_DIR" || exit 1
unset CGVIEW_RANK PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID MV2_COMM_WORLD_RANK

same() # same NAME EXPECTED GOT
{
	if [ "$2" = "$3" ]; then echo "ok - $1"; else echo "# expected $2, got $3"; echo "not ok - $1"; fi
}
field() { sqlite3 "$1" "$2"; }
equal() # equal NAME A.db B.db: in the order that merge gives them
{
	rm -f a.merged b.merged
	"$cgview" merge -o a.merged "$2" 2> /dev/null
	"$cgview" merge -o b.merged "$3" 2> /dev/null
	check "$1" python3 "$helpers/same_rows.py" a.merged b.merged
}
calls_of() { field "$1" "SELECT calls FROM procedure WHERE name = '$2'"; }

flags="-O1 -g --cgview-flags=targets"
must "compile the library" "$cgcc" $flags -fPIC -shared "$helpers/lib.c" -o libp.so
gcc -O1 -c "$top/tests/collect/folding/keep.c" -o keep.o || exit 1
must "compile" "$cgcc" $flags "$helpers/p.c" keep.o -o p -L. -lp -Wl,-rpath,"$PWD" -pthread
must "compile a program that goes on" "$cgcc" -O1 -g "$top/tests/collect/folding/daemon.c" -o daemon

# build.sh N [FILE]: N processes. With FILE it waits until most of them are added up, then makes FILE.
cat > build.sh << 'END'
ours=${CGVIEW_RUN##*:}
seq $1 | xargs -P 6 -n 1 sh -c './p $(($1 % 16)) > /dev/null 2>&1; :' sh
if [ "$2" ]; then
	for i in $(seq 200); do
		[ "$(ls $ours.* | wc -l)" -lt 70 ] && [ -e $ours.sum.raw ] && break
		sleep 0.1
	done
	ls $ours.* > left
	touch "$2"
fi
touch done
END
kept() { rm -rf keep done left; mkdir keep; }
export KEEP=$PWD/keep

# ---- the profile is that of all raw files ----

kept
"$cgview" record -o many.db -- sh build.sh 500 go 2> err
same "500 processes" 500 "$(ls keep | wc -l)"
check "most have been added up before the end ($(wc -l < left) files)" [ "$(wc -l < left)" -lt 70 ]
check "... to a sum" grep -q '/run1.sum.raw$' left
check "... nothing is left" [ -z "$(ls -d many.db.raw* 2> /dev/null)" ]
size=$(du -ck keep/*.raw | tail -1 | cut -f 1)
"$cgview" import -o all.db keep/*.raw 2> /dev/null
equal "the profile is that of all of them, row by row" all.db many.db
same "... one run with all processes" "1|$(field all.db 'SELECT sum(processes) FROM run')" \
	"$(field many.db 'SELECT count(*), sum(processes) FROM run')"
# By hand: each process is called with i % 16, and main() is called once in each.
same "... and the calls that follow from the arguments" "500|$(by=0; for i in $(seq 500); do by=$((by + i % 16)); done; echo $by)" \
	"$(calls_of many.db main)|$(calls_of many.db sorted)"
kept
"$cgview" record -n 2 -o twice.db -- sh build.sh 300 go 2> err
same "two runs of 300: each is one" "2|600" "$(field twice.db 'SELECT count(*) FROM run')|$(calls_of twice.db main)"

# ---- it is killed ----

rm -f killed.db
for delay in 0 0.05 0.2 0.4 0.8; do
	kept
	"$cgview" record -o killed.db -- sh build.sh 500 2> err &
	recorder=$!
	for i in $(seq 1000); do ls killed.db.raw-*/run1.sum.raw > /dev/null 2>&1 && break; sleep 0.02; done
	sleep $delay
	kill -9 $recorder
	wait $recorder 2> /dev/null
	for i in $(seq 300); do [ -e done ] && break; sleep 0.1; done
	left=$(ls -d killed.db.raw-*)
	"$cgview" reduce -o all.sum keep/*.raw
	"$cgview" reduce -o left.sum $left/*.raw
	check "killed $delay s after the first sum, $(ls $left/*.raw | wc -l) files: the same bytes as the sum of all" cmp all.sum left.sum
	if [ -e $left/run1.sum.raw ] && [ ! -e again ]; then
		# As if it had been killed behind the writing of the sum.
		for f in keep/*.raw; do
			cp -n $f $left/run1.again$(basename $f)
			[ "$(ls $left/*again* | wc -l)" = 500 ] && break
		done
		rm -f $(ls $left/run1.[0-9]*.raw)
		"$cgview" reduce -o left.sum $left/*.raw
		check "... with the files that are in the sum as well: the same bytes" cmp all.sum left.sum
		"$cgview" import -o left.db $left/*.raw 2> err
		same "... import counts each once, too" 500 "$(calls_of left.db main)"
		touch again
	fi
	rm -rf $left
done
check "one was killed with a sum" [ -e again ]

# ---- who goes on ----

goes_on() # goes_on NAME OUTPUT
{
	kept
	rm -f go
	cat > daemon.sh <<- END
		./daemon $PWD/go
		exec sh build.sh 300 go
	END
	"$cgview" record -o "$2" -- sh daemon.sh 2> err
	check "$1: most were added up meanwhile" grep -q '/run1.sum.raw$' left
	same "... and what a child did afterwards is there" "1000|300" "$(calls_of "$2" work)|$(field "$2" \
		"SELECT calls FROM procedure WHERE name = 'main' AND file = (SELECT id FROM file WHERE path LIKE '%/p.c')")"
}
goes_on "a child lives on" on.db

got="SELECT sum(blocks), sum(bytes), sum(live_bytes) FROM allocation"
kept
"$cgview" record --space -o space.db -- sh build.sh 250 go 2> err
same "allocations of fewer than 2000 are not added up: there is memory over time" "250 0 1" "$(field space.db \
	"SELECT calls FROM procedure WHERE name = 'main'") $(grep -c sum left) $(field space.db \
	"SELECT count(*) FROM measure WHERE name = 'peak'")"

mkdir small over
unset KEEP
if [ -z "${OWN_MOUNTS:-}" ] || ! mount -t tmpfs -o size=20m cgview-test small 2> /dev/null; then
	echo "ok - no right to mount # SKIP"
	exit 0
fi
kept
"$cgview" record -o small/small.db -- sh build.sh 600 2> err
same "600 processes on 20 MB: all are there" 600 "$(calls_of small/small.db main)"
check "... whose files take more ($((size * 6 / 5)) kB)" [ $((size * 6 / 5)) -gt 20480 ]
kept
rm -rf small/*
mount -o remount,size=40m small
"$cgview" record --space -o small/space.db -- sh build.sh 300 2> err
# What one process with each argument gets, as often as it is called with that: 19 times 1 to 12, 18 times the others.
for argument in $(seq 0 15); do
	"$cgview" record --space -o one.db -- ./p $argument > /dev/null 2>&1
	field one.db "$got" | sed "s/^/$((18 + (argument >= 1 && argument <= 12)))|/"
done | awk -F'|' '{ for (i = 1; i < 4; i++) sum[i] += $1 * $(i + 1) } END { print sum[1] "|" sum[2] "|" sum[3] }' > by_hand
same "300 processes on 40 MB, with allocations: what each got" "$(cat by_hand)" "$(field small/space.db "$got")"
same "... and that there is no memory over time" "1 0" "$(field small/space.db \
	"SELECT count(*) FROM note WHERE text LIKE '%were added up: when their memory%'") $(field small/space.db \
	"SELECT count(*) FROM measure WHERE name = 'peak'")"
rm -rf small/*
if mount -t tmpfs cgview-test over && mkdir over/lower over/upper over/work over/merged &&
   mount -t overlay -o lowerdir=over/lower,upperdir=over/upper,workdir=over/work cgview-test over/merged 2> /dev/null; then
	goes_on "on a file system whose leases do not tell" over/merged/on.db
fi
