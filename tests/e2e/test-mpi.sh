#!/bin/bash
# MPI programs: all ranks are there, with all counts, however they end. Raw profiles added up by an MPI job
# (cgview-mpi-reduce): the bytes of cgview reduce, with any number of ranks.
. tests/e2e/lib.sh
need_collection
need python3 sqlite3
helpers=$top/tests/collect/reduce
cd "$TMP_DIR" || exit 1
. "$here/mpi/lib.sh"

# ---- MPI programs ----

# By hand, of four ranks: work() is called 10 + 20 + 30 + 40 times by the loop, 4 * 5 times in in_half(), 1 + 2 + 3 + 4
# times by the threads, of which each sends its rank to itself, and by 3 threads of OpenMP in each rank.
by_hand="in_half|20 main|4 thread|4 work|142"
calls="SELECT name, calls FROM procedure WHERE name IN ('main', 'work', 'in_half', 'thread') ORDER BY name"
must "compile an MPI program" env OMPI_CC="$cgcc" MPICH_CC="$cgcc" "$mpicc" -O1 -g -pthread -fopenmp "$here/mpi/ranks.c" -o ranks
for how in end abort kill; do
	"$cgview" record -o $how.db -- "$mpirun" $mpi_options -n 4 ./ranks $how > out 2>&1
	check "$how: all calls of all ranks" [ "$(sqlite3 $how.db "$calls" | xargs)" = "$by_hand" ]
	check "$how: four ranks" [ "$("$cgview" report --by rank $how.db | sed -nE 's/^ +([0-9]) .*/\1/p' | xargs)" = '0 1 2 3' ]
done

# What docs/many.md tells to do.
sed -n '/^## An MPI job/,/^## /{/^```sh/,/^```/p}' "$top/docs/many.md" | grep -v '^```' > job.sh
check "docs/many.md has a job" grep -q cgview-mpi-reduce job.sh
mpi_bin job/bin
cp "$here/mpi/ranks.c" job/solve.c
mpi_reduce=$build/cgview-mpi-reduce
[ -e "$mpi_reduce" ] || skip_all "build/cgview-mpi-reduce is not built"
[ "$(mpi 2 "$mpi_reduce" --help | grep -c '^usage')" = 1 ] ||
	skip_all "build/cgview-mpi-reduce was built with another MPI (make mpi MPICC=$mpicc)"

(cd job && mkdir tmp && MPICH_CC=cgcc TMPDIR=$PWD/tmp PATH=$PWD/bin:$build:$PATH sh -e ../job.sh) > job.out 2>&1 ||
	sed 's/^/# /' job.out
check "an MPI job as docs/many.md has it: all calls" [ "$(sqlite3 job/job.db "$calls" | xargs)" = "$by_hand" ]
check "... all ranks are told apart" [ "$(grep -cE '^ +[0-3] ' job.out)" = 4 ]

# ---- adding up ----

refused() # refused NAME PATTERN COMMAND...: in one line of ours, with status 1, and nothing is written
{
	local name=$1 pattern=$2 status
	shift 2
	rm -f no.sum
	"$@" 2> err
	status=$?
	if [ $status = 1 ] && [ "$(grep -c '^cgview' err)" = 1 ] && grep -qE "^cgview-mpi-reduce: .*$pattern" err &&
		[ -z "$(ls no.sum* 2> /dev/null)" ]; then
		ok "$name"
	else
		echo "# status $status"; sed 's/^/# /' err
		not_ok "$name"
	fi
}

must "compile the library" "$cgcc" -O1 -g -fPIC -shared "$helpers/lib.c" -o libp.so
must "compile" "$cgcc" -O1 -g "$helpers/p.c" -o p -L. -lp -Wl,-rpath,"$PWD" -pthread
for i in $(seq 14); do
	CGVIEW_RANK=$((i % 5)) CGVIEW_OUT=r$i ./p $i > /dev/null 2>&1
done 2> /dev/null
raws=$(ls r*.raw)
"$cgview" reduce --keep 3 -o flat.sum $raws
for n in 1 2 3 4 7 16; do
	mpi $n "$mpi_reduce" --keep 3 -o mpi.sum $raws
	check "$n ranks: the same bytes" cmp flat.sum mpi.sum
	rm -f mpi.sum
done
mpi 4 "$build/tests/mpi-reduce-pieces" --keep 3 -o pieces.sum $raws
check "messages in pieces: the same bytes" cmp flat.sum pieces.sum
ls $raws | mpi 4 "$mpi_reduce" --keep 3 -o list.sum --list -
check "names from standard input: the same bytes" cmp flat.sum list.sum
mpi 3 "$mpi_reduce" --keep 3 -o here.sum --here 'r*.raw'
check "what is found on the host: the same bytes" cmp flat.sum here.sum
"$cgview" reduce --keep 3 -o some.sum $(ls r*.raw | head -5)
mpi 4 "$mpi_reduce" --keep 3 -o some.sum some.sum $(ls r*.raw | tail -n +6)
check "a sum and raw files, into that sum: the same bytes" cmp flat.sum some.sum
"$cgview" reduce --keep all -o all.sum $raws
mpi 4 "$mpi_reduce" --keep all -o mpi.sum $raws
check "all are kept: the same bytes" cmp all.sum mpi.sum
"$cgview" reduce --keep 3 --spread libp.so --spread p -o spread.sum $raws
for n in 1 3 16; do
	rm -f mpi.sum
	mpi $n "$mpi_reduce" --keep 3 --spread p --spread libp.so -o mpi.sum $raws
	check "--spread on $n ranks: the same bytes" cmp spread.sum mpi.sum
done
refused "--spread of another program" 'solve: none of the processes is of this build' \
	mpi 3 "$mpi_reduce" --spread job/solve -o no.sum $raws
refused "... of one that is not there" 'nothing: ' mpi 3 "$mpi_reduce" --spread nothing -o no.sum $raws

# ---- two hosts, each with a disk of its own in the same place: what mpirun takes for ssh ----

mkdir -p disks/a disks/b disk
cat > agent <<EOF
#!/bin/sh
host=\$1
shift
exec unshare -um sh -c 'hostname "\$1" && mount --bind "$PWD/disks/\$1" "$PWD/disk" && shift && eval "\$*"' sh "\$host" "\$@"
EOF
chmod +x agent
# on_hosts N OF_A OF_B PROGRAM...
on_hosts()
{
	local n=$1 a=$2 b=$3
	shift 3
	timeout 60 "$mpirun" $mpi_options --mca plm_rsh_agent "$PWD/agent" --host a:"$a",b:"$b" -n "$n" "$@"
}
if [ "$mpi_options" ] && [ "$(on_hosts 4 2 2 hostname 2> /dev/null | sort | xargs)" = 'a a b b' ]; then
	on_hosts 4 2 2 -x CGVIEW_OUT="$PWD/disk/%h.%p" ./ranks end > out 2>&1
	check "two hosts: each has its own raw files" [ "$(cd disks && ls a/a.*.raw b/b.*.raw | wc -l)" = 4 ]
	check "... nothing is elsewhere" [ -z "$(ls disk)" ]
	"$cgview" reduce -o hosts.sum disks/?/*.raw
	on_hosts 4 2 2 "$mpi_reduce" -o here.sum --here "$PWD/disk/*.raw"
	check "... --here adds up those of both: the same bytes" cmp hosts.sum here.sum
	rm -f here.sum
	on_hosts 3 1 2 "$mpi_reduce" -o here.sum --here "$PWD/disk/*.raw"
	check "... as many ranks as you like: the same bytes" cmp hosts.sum here.sum
	"$cgview" import -o hosts.db here.sum > out
	check "... all calls" [ "$(sqlite3 hosts.db "$calls" | xargs)" = "$by_hand" ]
	check "... each rank on its host" [ "$("$cgview" report --by rank hosts.db |
		sed -nE 's/^ +([0-9]) .* ([ab])$/\1\2/p' | xargs)" = '0a 1a 2b 3b' ]
else
	echo "skip - two hosts: mpirun or this user cannot make them here"
fi

# ---- errors: those of cgview reduce ----

f=$(ls r2.*.raw)
CGVIEW_OUT=x ./p 2 > /dev/null 2>&1
head -c 9000 x.*.raw > cut.raw
"$cgview" reduce --keep 3 -o one.sum r3.*.raw
told() { sed -n 's/^cgview[a-z-]*: //p' | sort; }
for n in 1 3 4; do
	refused "$n ranks: a file that was cut" 'cut off' mpi $n "$mpi_reduce" -o no.sum $raws cut.raw
	"$cgview" reduce -o no.sum $raws cut.raw 2>&1 | told | diff - <(told < err) && ok "... the same words" ||
		not_ok "... the same words"
	refused "... the first of three errors" 'nowhere' mpi $n "$mpi_reduce" -o no.sum r1.*.raw nowhere.raw cut.raw $raws
	refused "... a process that is there twice" 'is there twice' mpi $n "$mpi_reduce" -o no.sum $raws "$f"
	"$cgview" reduce -o no.sum $raws "$f" 2>&1 | told | diff - <(told < err) && ok "... the same words" ||
		not_ok "... the same words"
	mpi $n "$mpi_reduce" --keep 3 --keep-going -o going.sum $raws cut.raw "$f" one.sum nowhere.raw 2> err
	check "... left out with --keep-going: status 1" [ $? = 1 ]
	check "... the others are added" cmp flat.sum going.sum
	"$cgview" reduce --keep 3 --keep-going -o going.sum $raws cut.raw "$f" one.sum nowhere.raw 2>&1 | told |
		diff - <(told < err) && ok "... and told as reduce does" || not_ok "... and told as reduce does"
done
refused "nothing to add" 'none of the files' mpi 3 "$mpi_reduce" --keep-going -o no.sum --here 'no*.raw'
refused "a file that is no sum is not replaced" 'not replaced' mpi 3 "$mpi_reduce" -o cut.raw $raws
refused "a directory that is not there" 'nowhere' mpi 3 "$mpi_reduce" -o nowhere/no.sum $raws
mpi 3 "$mpi_reduce" --nonsense 2> err
check "a wrong option: status 2" [ $? = 2 ]
check "... told once" [ "$(grep -c '^cgview' err)" = 1 ]
check "--help is printed once" [ "$(mpi 3 "$mpi_reduce" --help | grep -c '^usage')" = 1 ]
