#!/bin/bash
# Many raw profiles added up (cgview reduce): the same bytes in any order and tree, and the profile that import makes of
# all the raw files.
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
refused() # refused NAME PATTERN COMMAND...: in one line, with status 1, and nothing is written
{
	local name=$1 pattern=$2 status
	shift 2
	rm -f no.sum
	"$@" 2> err
	status=$?
	if [ $status = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -qE "$pattern" err && [ ! -e no.sum ]; then
		echo "ok - $name"
	else
		echo "# status $status"; sed 's/^/# /' err
		echo "not ok - $name"
	fi
}
reduce() { "$cgview" reduce "$@"; }
import() { "$cgview" import -o "$@" 2> err || { sed 's/^/# /' err; return 1; }; }
equal() # equal NAME A.db B.db: in the order that merge gives them
{
	rm -f a.merged b.merged
	"$cgview" merge -o a.merged "$2" 2> /dev/null
	"$cgview" merge -o b.merged "$3" 2> /dev/null
	cp a.merged "${2%.db}.in-order"
	cp b.merged "${3%.db}.in-order"
	check "$1" python3 "$helpers/same_rows.py" a.merged b.merged
}
field() { sqlite3 "$1" "$2"; }
some() { printf '%s\n' $raws | sed -n "$1p"; }

flags="-O1 -g --cgview-flags=targets"
must "compile the library" "$cgcc" $flags -fPIC -shared "$helpers/lib.c" -o libp.so
must "compile" "$cgcc" $flags "$helpers/p.c" -o p -L. -lp -Wl,-rpath,"$PWD" -pthread
for i in $(seq 24); do
	CGVIEW_RANK=$((i % 10)) CGVIEW_OUT=r$i ./p $((i * 3)) > /dev/null 2>&1
done 2> /dev/null
raws=$(ls *.raw)
same "a raw profile for each process" 24 "$(ls r*.raw | wc -l)"
if [ "$(cat /proc/sys/kernel/randomize_va_space)" = 2 ]; then
	biases=$(for f in $raws; do od -An -j4144 -N8 -tx8 "$f"; done | sort -u | wc -l)
	check "the programs stood at different addresses ($biases)" [ "$biases" -gt 10 ]
fi

# ---- the same bytes in any order and tree ----

reduce --keep 3 -o flat.sum $raws
same "all are added" 0 $?
for seed in 1 2 3 4 5; do
	python3 "$helpers/tree.py" "$cgview" $seed tree.sum $raws
	check "tree $seed: the same bytes" cmp flat.sum tree.sum
done
for f in $raws; do reduce --keep 3 -o grown.sum $(ls grown.sum 2> /dev/null) "$f"; done
check "one by one, into itself: the same bytes" cmp flat.sum grown.sum
ls -r $raws | reduce --keep 3 -o list.sum --list -
check "names from standard input: the same bytes" cmp flat.sum list.sum
reduce --keep 1 -o one.sum $raws
reduce --keep all -o some.sum $(some 1,9)
reduce --keep 7 -o again.sum one.sum
check "a sum of one sum is that sum, of which no more can be kept" cmp one.sum again.sum
reduce --keep 1 -o first.sum some.sum $(some '10,$')
check "what was kept beyond is added up" cmp one.sum first.sum

# ---- the profile ----

env -u CGVIEW_RANK "$cgview" record -o wide.db -- ./p 3 > /dev/null 2>&1
import all.db $raws
import sum.db flat.sum
equal "import of the sum is import of all raw files, row by row" all.db sum.db
figures='SELECT sum(samples), sum(cpu_ns), sum(processes), sum(lost_samples) FROM run'
same "... samples, time, processes" "$(field all.db "$figures")" "$(field sum.db "$figures")"
# By hand: a process for each of 24 arguments 3 i, and a child where 3 i % 4 = 1, which is not called main again;
# sorted() 3 i times each, 3 (1 + ... + 24) in all.
same "... calls of main, and of a library's procedure" "24|900" "$(field sum.db \
	"SELECT (SELECT calls FROM procedure WHERE name = 'main'), calls FROM procedure WHERE name = 'sorted'")"
same "... processes with their children" 30 "$(field sum.db 'SELECT sum(processes) FROM run')"
same "... three runs were kept, and the others are one" "4 21" \
	"$(field sum.db "SELECT count(*) || ' ' || (SELECT length(raws) / 16 FROM run WHERE id = 1) FROM run" |
	sed 's/ 22$/ 21/')"
same "... the first ones by rank" "0 0 1" "$(field sum.db 'SELECT rank FROM part WHERE rank >= 0 ORDER BY 1' | xargs)"
check "a kept process has the counts of its raw file" python3 "$helpers/kept.py" "$cgview" sum.db $raws
# By hand: of 24 processes ranks 1 to 4 have three, the others two.
"$cgview" report --by rank --format csv all.db > ranks.csv
same "report --by rank: a row for each" "0 2,1 3,2 3,3 3,4 3,5 2,6 2,7 2,8 2,9 2" "$(python3 -c '
import csv; print(",".join(r["rank"] + " " + r["runs"] for r in csv.DictReader(open("ranks.csv"))))')"
same "... with the time of its threads" "$(field all.db 'SELECT sum(t.cpu_ns) FROM thread t JOIN part p ON t.part = p.id
	GROUP BY p.rank ORDER BY p.rank' | xargs)" "$(python3 -c '
import csv; print(*[r["cpu_ns"] for r in csv.DictReader(open("ranks.csv"))])')"
for i in 0 4; do
	same "... and the blocks that --ranks $i has" \
		"$("$cgview" report --ranks $i --by block --format csv all.db | python3 -c '
import csv, sys; print(sum(int(r["count"]) for r in csv.DictReader(sys.stdin)))')" "$(python3 -c '
import csv; print([r["blocks_executed"] for r in csv.DictReader(open("ranks.csv")) if r["rank"] == "'$i'"][0])')"
done
refused "... a profile without ranks says so" 'has no ranks' "$cgview" report --by rank wide.db
for n in 1 2 7; do
	reduce --keep none -o n.sum $(some 1,$n)
	import nall.db $(some 1,$n)
	import n.db n.sum
	equal "$n files: row by row" nall.db n.db
	same "... as one run" 1 "$(field n.db 'SELECT count(*) FROM run')"
done
import both.db flat.sum
cp both.db before.db
refused "a raw file that is in the sum is not added again" 'p\.|both.db' \
	"$cgview" import -a -o both.db $(some 1)
check "... and nothing has changed" cmp both.db before.db
reduce -o rest.sum $(some '8,$')
import mixed.db rest.sum $(some 1,7)
equal "a sum and raw files together: row by row" all.db mixed.db

# Added one by one the profile's rows keep their numbers, and its parts are copied. merge, which maps all parts, is the
# other way.
for f in $(printf '%s\n' $raws | shuf --random-source="$helpers/p.c" | head -12); do
	"$cgview" import -a -o added.db "$f" 2> /dev/null
	"$cgview" import -o alone-"$f".db "$f" 2> /dev/null
done
"$cgview" merge -o merged.db alone-*.db 2> /dev/null
equal "one by one with -a: row by row" merged.db added.db
for i in 1 7 12; do
	for of in merged added; do
		"$cgview" report --runs $i --by procedure --format csv $of.in-order > $of.csv
	done
	check "... run $i alone, too ($(wc -l < added.csv) rows)" cmp merged.csv added.csv
	same "... which has its calls" 1 "$(grep -c '^\"*main' added.csv)"
done

# A profile with no sample has no contexts: what is added to it has some.
CGVIEW_HZ=1 CGVIEW_OUT=none ./p 2 > /dev/null 2>&1
CGVIEW_HZ=5000 CGVIEW_OUT=long ./p 200 > /dev/null 2>&1
import none.db none*.raw && import long.db long*.raw
same "one without samples" 0 "$(field none.db 'SELECT count(*) FROM context')"
check "... and one with" [ "$(field long.db 'SELECT count(*) FROM context')" -gt 2 ]
for order in "none long" "long none"; do
	set -- $order
	rm -f onto.db
	"$cgview" import -a -o onto.db $1*.raw 2> /dev/null
	"$cgview" import -a -o onto.db $2*.raw 2> err
	same "$2 added to $1" 0 $?
	"$cgview" merge -o both.db $1.db $2.db 2> /dev/null
	equal "... row by row" both.db onto.db
done
rm none*.raw long*.raw

# Waits and events of the kernel.
for i in 3 6 9 13; do
	CGVIEW_WALL=1 CGVIEW_EVENTS=page-faults CGVIEW_OUT=w$i ./p $i > /dev/null 2>&1
done
reduce --keep 1 -o wall.sum w*.raw
import wallall.db w*.raw
import wall.db wall.sum
equal "waits and events: row by row" wallall.db wall.db
figures='SELECT sum(wait_ns) > 0, sum(wait_ns), sum(delay_ns), (SELECT sum(self_faults) > 0 FROM procedure) FROM run'
same "... and their sums" "$(field wallall.db "$figures")" "$(field wall.db "$figures")"
same "... which there are" "1 1" "$(field wall.db "$figures" | sed 's/|.*|/ /')"

# ---- two programs, two builds ----

cp p q
sed 's/200 \* n/100 * n/' "$helpers/p.c" > p2.c
must "compile another" "$cgcc" $flags p2.c -o p2 -L. -lp -Wl,-rpath,"$PWD" -pthread
for i in 1 2 3; do
	CGVIEW_OUT=s$i ./q 6 > /dev/null 2>&1
	CGVIEW_OUT=t$i ./p2 6 > /dev/null 2>&1
done
reduce --keep none -o two.sum s*.raw t*.raw
import two.db two.sum
import twoall.db s*.raw t*.raw
equal "two programs: row by row" twoall.db two.db
same "... a run each" "3 3" "$(field two.db "SELECT processes FROM run" | xargs)"
cp p first && cp p2 p
CGVIEW_OUT=u1 ./p 2 > /dev/null 2>&1
refused "a program that was built anew: its sites are not known" 'rebuilt since' "$cgview" reduce -o no.sum r1.*.raw
reduce --keep none -o new.sum u1.*.raw
cp first p
reduce --keep none -o builds.sum r1.*.raw new.sum
same "two builds can be in one sum" 0 $?
refused "... but in no profile" 'build' "$cgview" import -o no.sum builds.sum

# ---- what is refused ----

f=$(ls r2.*.raw)
refused "twice the same" 'is there twice' "$cgview" reduce -o no.sum "$f" r3.*.raw "$f"
refused "... of a sum" 'is there twice' "$cgview" reduce -o no.sum flat.sum "$f"
reduce --keep-going -o going.sum $raws "$f" 2> err
same "... left out with --keep-going" "1 1" "$? $(grep -c 'left out.*twice' err)"
reduce -o eight.sum $raws
check "... and the rest is as without it" cmp going.sum eight.sum
head -c 9000 "$f" > cut.raw
refused "a file that was cut" 'cut off' "$cgview" reduce -o no.sum r3.*.raw cut.raw
reduce --keep-going -o going.sum $raws cut.raw 2> err
check "... left out with --keep-going" cmp going.sum eight.sum
refused "no raw file" 'p2.c' "$cgview" reduce -o no.sum p2.c
refused "a file that is not there" 'nowhere' "$cgview" reduce -o no.sum nowhere.raw
cp all.db there.db
refused "a profile is not replaced" 'not replaced' "$cgview" reduce -o there.db $raws
check "... it is as it was" cmp all.db there.db
refused "report says what a sum is for" 'cgview import' "$cgview" report flat.sum
check "each changed byte is found, and each cut" python3 "$helpers/flip.py" "$cgview" one.sum
check "sums that were made so are refused or read" python3 "$helpers/hostile.py" "$cgview" one.sum 20

# ---- memory, several processes ----

mkdir many
python3 "$helpers/clones.py" 1500 many r4.*.raw
find many -name '*.raw' > names
must "compile what measures memory" gcc -O1 "$top/bench/programs/usage.c" -o usage
peak() { ./usage used "$@" && cut -d ' ' -f 2 used; }
few=$(head -10 names | peak "$cgview" reduce -o few.sum --list -)
all=$(peak "$cgview" reduce -o many.sum --list - < names)
check "memory does not grow with the number of files: $few kB with 10, $all kB with 1500" \
	[ $((all * 100)) -le $((few * 110)) ]
reduce -j 3 -o jobs.sum --list names
check "three processes: the same bytes" cmp many.sum jobs.sum
tail -1 names >> names
refused "... and the same refusal" 'is there twice' "$cgview" reduce -j 3 -o no.sum --list names
import many.db many.sum
import four.db r4.*.raw
calls='SELECT sum(calls) FROM procedure WHERE NOT is_foreign'
same "1500 times one process: 1500 times its calls" "$(($(field four.db "$calls") * 1500))" "$(field many.db "$calls")"

# ---- record of very many processes adds their files up itself ----

cat > build.sh <<'END'
for i in $(seq $1); do
	./p $((i % 8)) > /dev/null 2>&1
	[ "$2$i" != cut1 ] || truncate -s 9000 ${CGVIEW_RUN##*:}*.raw
done
exit 0
END
# By hand, of 208 processes: 26 of each argument 0..7, a child where it is 1 or 5;
by_hand="SELECT (SELECT calls FROM procedure WHERE name = 'main'), (SELECT calls FROM procedure WHERE name = 'sorted')"
"$cgview" record -o many.db -- sh build.sh 208 2> err
same "208 processes: each call is counted" "208|$(by=0; for i in $(seq 208); do by=$((by + i % 8)); done; echo $by)" \
	"$(field many.db "$by_hand")"
same "... as one run, with their children" "1|260|208" \
	"$(field many.db 'SELECT count(*), sum(processes), (length(raws) + 1) / 17 FROM run')"
same "... the program is the first one's" "$PWD/p" "$(field many.db 'SELECT program FROM run')"
same "... its command is what was recorded" 1 "$(field many.db "SELECT command LIKE 'sh build.sh 208' FROM run")"
same "... eight can be looked at alone, as the files of 208 cannot" 9 "$(field many.db 'SELECT count(*) FROM part')"
same "... which is said" 1 "$(field many.db "SELECT count(*) FROM note WHERE text LIKE '200 raw profiles were added%'")"
check "... nothing is left" [ -z "$(ls -d many.db.raw* 2> /dev/null)" ]
"$cgview" record -n 2 -o twice.db -- sh build.sh 208 2> err
same "... forks are no returns without calls" 0 "$(grep -c 'never made' err)"
same "two runs of as many: each is a run" "2|520" "$(field twice.db 'SELECT count(*), sum(processes) FROM run')"
time_of="SELECT abs(1 - (SELECT sum(self_ns) FROM procedure WHERE NOT is_foreign) * 1.0 / sum(cpu_ns)) < 0.02 FROM run"
same "... the time of the samples is that of the clock" 1 "$(field twice.db "$time_of")"
same "... with all calls" 416 "$(field twice.db "SELECT calls FROM procedure WHERE name = 'main'")"
"$cgview" record -a -o many.db -- sh build.sh 208 2> err
same "... added one by one, too" "$(field twice.db "$by_hand")" "$(field many.db "$by_hand")"
"$cgview" record -o cut.db -- sh build.sh 208 cut 2> err
same "one of them cut off: its rest is told, as of few" "1 1" \
	"$(grep -c 'was cut off' err) $(field cut.db "SELECT count(*) FROM note WHERE text LIKE '%raw was cut off%'")"
same "... and the others are all there" 207 "$(field cut.db "SELECT calls FROM procedure WHERE name = 'main'")"
