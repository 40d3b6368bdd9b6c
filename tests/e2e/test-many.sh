#!/bin/bash
# The scripts of docs/many.md, as they stand there. srun is one of our own: eight ranks on two nodes.
. tests/e2e/lib.sh
need_collection
export PATH=$TMP_DIR/bin:$build:$PATH
cd "$TMP_DIR" || exit 1
unset CGVIEW_RANK PMIX_RANK OMPI_COMM_WORLD_RANK PMI_RANK SLURM_PROCID MV2_COMM_WORLD_RANK
block() # block N: the N-th of the scripts
{
	awk -v n="$1" '/^```sh$/ { at++; inside = 1; next } /^```/ { inside = 0 } inside && at == n' "$top/docs/many.md"
}
equal() { [ "$2" = "$3" ] || echo "# expected $2, got $3"; check "$1" [ "$2" = "$3" ]; }
field() { sqlite3 "$1" "$2"; }
calls="SELECT (SELECT calls FROM procedure WHERE name = 'main') || ' ' || (SELECT calls FROM procedure WHERE name = 'work')"

mkdir bin
cat > bin/srun <<'END'
#!/bin/bash
export SLURM_JOB_ID=71 SLURM_NTASKS=8
each=4
[ "$1" = --ntasks-per-node=1 ] && each=1 && shift
for SLURM_NODEID in 0 1; do
	for i in $(seq $each); do
		export SLURM_NODEID SLURM_PROCID=$((SLURM_NODEID * each + i - 1)) TMPDIR=$PWD/node$SLURM_NODEID
		mkdir -p "$TMPDIR"
		"$@" || exit
	done
done
END
chmod +x bin/srun
# Rank r of the job calls work() 20 (r + 1) times.
cat > solve.c <<'END'
#include <stdlib.h>
volatile int sum;
void work(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}
int main(int argc, char **argv)
{
	const char *rank = getenv("SLURM_PROCID");
	int n = atoi(argv[1]) * (rank ? atoi(rank) + 1 : 1);
	while (n-- > 0)
		work(1000);
	return argc != 2;
}
END
must "compile" "$cgcc" -O1 -g -o solve solve.c
# The last two are of MPI: test-mpi.sh.
equal "there are ten scripts" "set set set set set set set set set set 0" "$(for i in 1 2 3 4 5 6 7 8 9 10; do block $i | head -1 |
	cut -c1-3; done | xargs) $(block 11 | wc -l)"

block 1 > job.sh
must "a Slurm job" bash job.sh
equal "... each call of 8 ranks on 2 nodes: 20 (1 + ... + 8)" "8 720" "$(field job.db "$calls")"
equal "... from 2 sums" 2 "$(ls sums | wc -l)"
block 2 > look.sh
must "... and its ranks" bash look.sh
"$cgview" report --by rank --format csv job.db > ranks.csv
equal "... a row for each" "0 1 2 3 4 5 6 7" "$(sed 1d ranks.csv | cut -d, -f1 | sort -n | xargs)"
"$cgview" report --ranks 1 --by procedure --format csv --columns procedure,calls job.db | tr -d "\r" > one.csv
check "... rank 1 alone called work() 40 times" grep -q '^work,40$' one.csv

block 3 > spread.sh
must "... and all of them, whatever is kept" bash spread.sh
equal "... 20 to 160 calls of work(), the mean 90" "all 8 processes,20,0,90,160,7" "$("$cgview" report --by imbalance --format csv \
	--columns procedure,of,calls_least,calls_least_at,calls_mean,calls_most,calls_most_at spread.db | tr -d "\r" | sed -n s/^work,//p)"

printf '#!/bin/sh\nfor i in 1 2 3; do ./solve $1; done\n' > tests-of-shard
chmod +x tests-of-shard
block 4 > shard.sh
for i in 1 2 3; do
	rm -rf raws
	SHARD=$i must "shard $i" bash shard.sh
done
block 5 > after.sh
must "the job after them" bash after.sh
equal "... each call of three shards: 3 (1 + 2 + 3)" "9 18" "$(field all.db "$calls")"
head -c 9000 "$(ls raws/*.raw | head -1)" > raws/cut.raw
check "a file that is cut off is refused" bash -c '! SHARD=3 bash shard.sh 2> err && grep -q "cut off" err'

mkdir store spool
block 6 > host.sh
for day in mon tue; do
	for host in a b; do
		CGVIEW_OUT=spool/$host ./solve $((${#day} + $(find store -name '*.sum' | wc -l)))
		PROGRAM=./solve DAY=$day HOST_NAME=$host must "host $host, $day" bash host.sh
	done
done
block 7 > days.sh
mv solve solve.away
BUILD=$(ls store) must "two days compared, of a program that is not where it ran" bash days.sh
equal "... each call of two hosts: 3 + 4, and 5 + 6" "2 7,2 11" "$(field mon.db "$calls"),$(field tue.db "$calls")"
equal "... the same as rows" 7 "$(grep ',procedure,work,' mon.csv | grep ',calls,' | cut -d, -f14)"

cat > goes-on.c <<'END'
#include <stdio.h>
volatile int sum;
void work(void)
{
	sum++;
}
int main(void)
{
	for (int n; scanf("%d", &n) == 1; fflush(stdout)) {
		while (n-- > 0)
			work();
		puts("done");
	}
	return 0;
}
END
must "compile what goes on" "$cgcc" -O1 -g -o goes-on goes-on.c
block 8 > interval.sh
coproc GOES { CGVIEW_OUT=live exec ./goes-on; }
for n in 3 5 11; do
	echo $n >&${GOES[1]}
	read -r _ <&${GOES[0]}
	RAW=$(ls live*.raw) MINUTE=$n must "an interval of $n calls" bash interval.sh
	must "... its profile" "$cgview" import -o $n.db intervals/$n.sum
done
RAW=$(ls live*.raw) MINUTE=idle must "an interval of nothing" bash interval.sh
check "... is none" [ ! -e intervals/idle.sum ]
exec {GOES[1]}>&-
wait
calls="SELECT calls FROM procedure WHERE name = 'work'"
equal "... each has the calls that were asked for" "3 5 11" "$(for n in 3 5 11; do field $n.db "$calls"; done | xargs)"
must "... and of all of them" "$cgview" import -o hour.db hour.sum
equal "... as many as there were" 19 "$(field hour.db "$calls")"
