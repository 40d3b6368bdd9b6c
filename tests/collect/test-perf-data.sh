#!/bin/bash
# Profiles of other tools: perf.data. Figures of files that are made by hand (perf_data.py) are counted by hand; of
# programs that perf records here they are those of perf report. Files that lie are refused, or read as far as they go.
set -u
. tests/db/lib.sh
need sqlite3
need python3
top=$PWD
cd "$TMP_DIR" || exit 1
export HOME=/dev/null # where perf keeps copies of programs: not even root can

# check_output NAME EXPECTED COMMAND...
check_output()
{
	local name=$1 expected=$2
	shift 2
	printf '%s\n' "$expected" > expected
	{ "$@" 2>&1; } | tr -d '\r' > got
	check "$name" diff expected got
}

csv()
{
	"$cgview" report --format csv "$@"
}

cat > m.c <<'EOF2'
#define NOPS __asm__("nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop")
void two(void) { NOPS; }
void one(void) { NOPS; }
int main(void) { NOPS; return 0; }
EOF2
gcc -O1 -o m m.c || exit 1

# By hand, see stream() in perf_data.py. Half of the records stand behind others that are later.
for kind in plain pipe; do
	python3 "$top/tests/collect/perf_data.py" $kind "$PWD/m" $kind.data || exit 1
	"$cgview" import -o $kind.db $kind.data > out 2>&1
	check_output "$kind: self and total" \
'procedure,self_ns,self_samples,total_ns,total_samples,self_page_faults_u,total_page_faults_u
(kernel),1000,1,1000,1,0,0
(other),16000,1,16000,1,0,0
main,0,0,16000,5,0,3
one,3000,2,12000,4,0,0
two,12000,2,13000,3,3,3' \
	csv --sort procedure --columns procedure,self_ns,self_samples,total_ns,total_samples,self_page_faults_u,total_page_faults_u $kind.db
	check_output "$kind: who called what" \
'caller,callee,total_ns,count
(other),(other),16000,
main,one,12000,
main,two,4000,
one,two,9000,
outside,(other),16000,
outside,main,16000,
two,(kernel),1000,' \
	csv --by arc --sort caller --columns caller,callee,total_ns,count $kind.db
	check_output "$kind: threads" \
'pid,tid,name,cpu_ns,samples
10,10,parent,4000,3
10,11,worker: 7,8000,1
20,20,parent,20000,2' \
	csv --sql 'SELECT pid, tid, name, cpu_ns, samples FROM thread ORDER BY tid' $kind.db
	check "$kind: a sample of no known event is told" grep -q '1 samples are of events' out
	check "$kind: a damaged one, too" grep -q '1 records are damaged' out
	"$cgview" report --by never $kind.db > never
	check "$kind: nothing is told to be never executed" grep -qE '(^| )0 ' never
done
check_output "what is known of the run" \
'tool,host,command,processes
perf 9.9,tower,perf record ./a b,2' \
csv --sql 'SELECT tool, host, command, processes FROM run' plain.db
gzip -k plain.data
"$cgview" import -o packed.db plain.data.gz > out 2>&1
csv --columns procedure,self_ns,total_ns plain.db > a
csv --columns procedure,self_ns,total_ns packed.db > b
check "packed, it is the same" cmp -s a b

# Code that was made at run time: its compiler's map has the names. (No process has this number: it is the greatest.)
map=/tmp/perf-4194303.map
python3 "$top/tests/collect/perf_data.py" jit "$PWD/m" jit.data
printf '7000000010 10 LFoo;::bar x\n7000000020 8 inner\n' > $map
"$cgview" import -o jit.db jit.data > out 2>&1
rm -f $map
check_output "code that was made at run time has its names" \
'procedure,self_samples,total_samples
(anon),1,1
LFoo;::bar x,1,2
inner,1,1
main,0,3' \
	csv --sort procedure --columns procedure,self_samples,total_samples jit.db

# A copy that perf or debuginfod keeps takes the place of what is another build by now.
if command -v readelf > /dev/null && [ -n "$(readelf -n m 2> /dev/null | grep 'Build ID')" ]; then
	id=$(readelf -n m | sed -n 's/.*Build ID: //p')
	mkdir -p home/.cache/debuginfod_client/$id
	cp m home/.cache/debuginfod_client/$id/executable
	python3 "$top/tests/collect/perf_data.py" known "$PWD/m" known.data
	printf 'int main(void) { return 1; }\n' > other.c
	cp m m.kept && gcc -o m other.c
	HOME=$PWD/home "$cgview" import -o known.db known.data > out 2>&1
	check "a copy by build id is taken" test "$(csv --columns procedure known.db | tr -d '\r' | grep -cE '^(one|two|main)$')" -eq 3
	HOME=/dev/null "$cgview" import -o unknown.db known.data > out 2>&1
	check "... without it nothing is known" test "$(csv --columns procedure unknown.db | tr -d '\r' | grep -cE '^(one|two|main)$')" -eq 0
	check "... and this is told" grep -q 'another build than the one that ran' out
	mv m.kept m
fi

# Files that lie.
nr=$(python3 "$top/tests/collect/perf_data.py" hostile "$PWD/m" lie)
bad=0
for ((i = 0; i < nr; i++)); do
	timeout 60 "$cgview" import -o lie.db lie.$i > out 2>&1
	status=$?
	if [ $status -gt 1 ] || [ "$(wc -l < out)" -gt 12 ] || [ ! -s out ]; then
		echo "lie.$i: status $status"
		head -3 out
		bad=$((bad + 1))
	fi
done
check "$nr files that lie end in words" test "$nr" -gt 100 -a $bad -eq 0
"$cgview" import -o none.db lie.$((nr - 2)) > out 2>&1
check "another byte order is refused" grep -q 'another byte order' out

# Programs that perf records: its own printer has the same figures.
cat > p.c <<'EOF2'
#include <pthread.h>
static volatile double x;
__attribute__((noinline)) void hot(int n)
{
	for (int i = 0; i < n; i++)
		x = x * 1.0000001 + 1;
}
__attribute__((noinline)) void cold(int n)
{
	hot(n / 8);
	x++;
}
static void *work(void *a)
{
	for (int i = 0; i < 15; i++) {
		hot(1000000);
		cold(1000000);
	}
	return a;
}
int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	work(0);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	return 0;
}
EOF2
gcc -O2 -fno-omit-frame-pointer -fno-optimize-sibling-calls -pthread -o p p.c || exit 1

# of_perf KIND FILE: "samples period symbol" of the program's procedures, and "share symbol" of their totals, of the
# first event
of_perf()
{
	perf report -i "$2" --stdio --no-children -g none -F sample,period,sym 2> /dev/null |
		awk '/^# Samples/ { n++ } n < 2 && / (main|hot|cold|work)$/ { print $1, $2, $NF }' | sort > "$1.self"
	perf report -i "$2" --stdio --children -g none -F overhead_children,sym 2> /dev/null |
		awk '/ (main|hot|cold|work)$/ { print $1 + 0, $NF }' | sort > "$1.total"
}
if command -v perf > /dev/null && perf record -q -e cpu-clock:u -o try.data true > /dev/null 2>&1; then
	for kind in none fp dwarf dwarf-z two count; do
		rate='-F 499'
		case $kind in
		none) options= ;;
		fp) options='-g' ;;
		dwarf) options='--call-graph dwarf,8192' ;;
		dwarf-z) options='-z --call-graph dwarf,4096' ;;
		two) options='-g -e page-faults' ;;
		count) options='-g' rate='-c 1500000' ;;
		esac
		# shellcheck disable=SC2086
		perf record -q $rate -e cpu-clock:u $options -o $kind.data -- ./p > out 2>&1
		of_perf theirs $kind.data
		"$cgview" import -o $kind.db $kind.data > out 2>&1
		csv --sql "SELECT self_samples || ' ' || self_ns || ' ' || name AS s FROM procedure
			WHERE name IN ('main', 'hot', 'cold', 'work') AND self_samples" $kind.db | tr -d '\r"' | tail -n +2 | sort > ours
		check "$kind: samples and periods are perf report's" test -s ours -a -z "$(diff theirs.self ours)"
		[ $kind != none ] && [ $kind != two ] || continue
		csv --sql "SELECT round(100.0 * total_ns / (SELECT self_ns FROM totals), 2) || ' ' || name AS s FROM procedure
			WHERE name IN ('main', 'hot', 'cold', 'work')" $kind.db | tr -d '\r"' | tail -n +2 | sort > ours
		check "$kind: totals are perf report's" awk 'NR == FNR { t[$2] = $1; n++; next }
			t[$2] - $1 > 0.02 || $1 - t[$2] > 0.02 { bad = 1 } { n-- } END { exit bad || n }' theirs.total ours
	done
	# The kernel's code in each process, which is in no file.
	cat > vdso.c <<'EOF2'
#include <time.h>
__attribute__((noinline)) long asks(long n)
{
	struct timespec t;
	long sum = 0;

	while (n--) {
		clock_gettime(CLOCK_MONOTONIC, &t);
		sum += t.tv_nsec;
	}
	return sum;
}
int main(void) { return asks(3000000) == 1; }
EOF2
	gcc -O1 -g -o vdso vdso.c
	perf record -q -F 999 -e cpu-clock:u --call-graph dwarf,4096 -o vdso.data -- ./vdso > out 2>&1
	"$cgview" import -o vdso.db vdso.data > out 2>&1
	check "the vdso: samples are perf report's" test \
		"$(perf report -i vdso.data --stdio --no-children -g none -F sample,dso 2> /dev/null |
			awk '$2 == "[vdso]" { n += $1 } END { print n + 0 }')" = \
		"$(csv --sql "SELECT sum(self_samples) AS n FROM procedure WHERE name LIKE '%[vdso]%'" vdso.db | tr -d '\r' | tail -1)"
	check "... their caller is known" test 1 = "$(csv --sql "SELECT total_samples * 100 > 90 * (SELECT self_samples FROM totals)
		AS s FROM procedure WHERE name = 'asks'" vdso.db | tr -d '\r' | tail -1)"
	check "three threads" test "$(csv --sql 'SELECT count(*) AS n FROM thread' fp.db | tr -d '\r' | tail -1)" -eq 3
	# The program was built anew since: it is not taken for what ran.
	sed -i 's/hot(n/warm(n/; s/void hot/void warm/; s/hot(1/warm(1/' p.c
	gcc -O1 -fno-omit-frame-pointer -pthread -o p p.c
	"$cgview" import -o other.db fp.data > out 2>&1
	check "another build is told" grep -q 'another build than the one that ran' out
	check "... and gives no names" test "$(csv --columns procedure other.db | grep -cE 'warm|cold|work')" -eq 0
else
	echo "skip - perf records nothing here"
fi
