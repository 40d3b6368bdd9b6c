#!/bin/bash
# How evenly all processes of a sum have what each procedure did (cgview reduce --spread): as importing each of them alone
# tells; the same bytes in any order and tree; and what report --by imbalance makes of it.
. tests/e2e/lib.sh
need_collection
need sqlite3 python3
helpers=$top/tests/collect/spread
cd "$TMP_DIR" || exit 1
# What binds a call to the library when it is first called is the caller's here, and that of the library's procedure in import.
export LD_BIND_NOW=1
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
	if [ $status = 1 ] && [ "$(wc -l < err)" = 1 ] && grep -qE -e "$pattern" err && [ -z "$(ls no.sum* 2> /dev/null)" ]; then
		echo "ok - $name"
	else
		echo "# status $status"; sed 's/^/# /' err
		echo "not ok - $name"
	fi
}
reduce() { "$cgview" reduce "$@"; }
import() { "$cgview" import -o "$@" 2> err || { sed 's/^/# /' err; return 1; }; }
field() { sqlite3 "$1" "$2"; }
some() { printf '%s\n' $raws | sed -n "$1p"; }
imbalance() { "$cgview" report --by imbalance --format csv --columns "$2" "$1" | tr -d '\r' | sed 1d; }

build() # build NAME FLAGS: p of these, and its library
{
	local name=$1
	shift
	must "compile $name" "$cgcc" "$@" -g -o "$name" "$helpers/p.c" "$helpers/other.c" -L. -lp -Wl,-rpath,"$PWD"
}
must "compile the library" "$cgcc" -O1 -g -fPIC -shared "$helpers/lib.c" -o libp.so
build p -O2
for i in $(seq 14); do
	CGVIEW_HZ=2000 CGVIEW_RANK=$((i % 6)) CGVIEW_OUT=r$i ./p $i
done
raws=$(ls r*.raw)

# ---- against import of each alone ----

reduce --keep 3 --spread p --spread libp.so -o flat.sum $raws
same "all are added" 0 $?
import flat.db flat.sum
check "each procedure of program and library, as each process alone has it" \
	python3 "$helpers/brute.py" "$cgview" flat.db $raws
# By hand: 3, 7 and 11 call rare(), which rank 1, 3 and 5 are; 1 + ... + 14 calls of sorted() 1 each.
same "what few processes do" "14 3|0 0|1 1" "$(field flat.db "SELECT processes || ' ' || some, least || ' ' || least_rank,
	most || ' ' || most_rank FROM spread s JOIN procedure p ON p.id = s.procedure WHERE name = 'rare' AND figure = 'calls'")"
same "... the mean and its deviation" "0.2143 0.4258" "$(field flat.db "SELECT round(mean, 4) || ' ' || round(sd, 4) FROM spread s
	JOIN procedure p ON p.id = s.procedure WHERE name = 'rare' AND figure = 'calls'")"
for flags in -O0 "-O2 --cgview-flags=targets" "-O3 -flto" "-O2 --cgview-flags=counters=plain"; do
	build q $flags
	rm -f q*.raw
	for i in 1 2 5 11; do
		CGVIEW_HZ=2000 CGVIEW_OUT=q$i ./q $i
	done
	reduce --spread q -o q.sum q*.raw && import q.db q.sum
	check "... with $flags" python3 "$helpers/brute.py" "$cgview" q.db q*.raw
done

# ---- the same bytes in any order and tree ----

for seed in 1 2 3 4; do
	python3 "$helpers/../reduce/tree.py" "$cgview" $seed tree.sum $raws -- --spread p --spread libp.so
	check "tree $seed: the same bytes" cmp flat.sum tree.sum
done
rm -f grown.sum
for f in $(printf '%s\n' $raws | tac); do
	reduce --keep 3 --spread libp.so --spread p -o grown.sum $(ls grown.sum 2> /dev/null) "$f"
done
check "one by one, into itself: the same bytes" cmp flat.sum grown.sum
mkdir many
python3 "$helpers/../reduce/clones.py" 150 many r1.*.raw r7.*.raw r14.*.raw
reduce --spread p -o one.sum many/*.raw
reduce -j 4 --spread p -o four.sum many/*.raw
check "on several processors: the same bytes" cmp one.sum four.sum
reduce -o part1.sum --spread p $(ls many/*.raw | head -70)
reduce -o part2.sum --spread p $(ls many/*.raw | tail -80)
reduce -o parts.sum part2.sum part1.sum
check "sums need no program any more: the same bytes" cmp one.sum parts.sum
reduce --keep none --spread p --spread libp.so -o none.sum $raws
import none.db none.sum
spreads="SELECT p.name, s.* FROM spread s JOIN procedure p ON p.id = s.procedure ORDER BY p.name, p.line, s.figure"
same "what is kept makes no difference" "$(field flat.db "$spreads" | cut -d'|' -f1,4-)" "$(field none.db "$spreads" | cut -d'|' -f1,4-)"
same "the profile is the one without spread" 0 "$(reduce --keep 3 -o plain.sum $raws; import plain.db plain.sum
	for db in plain flat; do
		sqlite3 $db.db .dump | grep -v 'INTO spread' > $db.dump
	done
	cmp plain.dump flat.dump; echo $?)"
same "a sum without spread is of version 1, as ever" "1 2" \
	"$(for sum in plain flat; do od -An -j8 -N4 -tu4 $sum.sum; done | xargs)"

# ---- what it covers ----

reduce --spread p -o with.sum $(some 1,9)
reduce -o without.sum $(some '10,$')
reduce -o both.sum without.sum with.sum
import both.db both.sum
check "of those that had --spread" python3 "$helpers/brute.py" "$cgview" both.db $(some 1,9)
same "... which is told" "9 of 14 processes" "$(imbalance both.db of | sort -u)"
same "... and so it is when all had it" "all 14 processes" "$(imbalance flat.db of | sort -u)"
build old -O1
for i in 2 4; do
	CGVIEW_HZ=2000 CGVIEW_OUT=old$i ./old $i
done
reduce --spread p --spread old -o two.sum $raws old*.raw
import two.db two.sum
check "two builds: each has its own" python3 "$helpers/brute.py" "$cgview" two.db $raws old*.raw
same "... of its processes" "2|14" "$(field two.db "SELECT DISTINCT processes FROM spread s JOIN procedure p ON p.id = s.procedure
	ORDER BY 1" | paste -sd'|')"
import mixed.db flat.sum old2*.raw
same "beside other files a spread is left out" "0|1" "$(field mixed.db "SELECT (SELECT count(*) FROM spread),
	(SELECT count(*) FROM note WHERE text LIKE 'spreads%left out%')")"
import other.db old2*.raw
for order in "flat other" "other flat"; do
	set -- $order
	"$cgview" merge -o merged.db $1.db $2.db 2> /dev/null
	same "... and in merge of $order" "0|1" "$(field merged.db "SELECT (SELECT count(*) FROM spread),
		(SELECT count(*) FROM note WHERE text LIKE 'spreads%left out%')")"
done
"$cgview" merge -o alone.db flat.db 2> /dev/null
same "... but not of one" "$(field flat.db "$spreads" | cut -d'|' -f1,4-)" "$(field alone.db "$spreads" | cut -d'|' -f1,4-)"

# ---- report ----

columns=procedure,calls_least,calls_least_at,calls_mean,calls_most,calls_most_at,calls_imbalance
# sorted() is called once by each; recurse() most by the 14th, which is rank 2; once() by the odd ones.
same "report --by imbalance is of all" "sorted,1,0,1,1,0,0" "$(imbalance flat.db $columns | grep ^sorted,)"
import all.db $raws
"$cgview" report --by procedure --format csv --columns procedure,calls all.db | tr -d '\r' | sed -n 's/^recurse,//p' > calls
same "... with the mean of all their calls" "$(python3 -c "print(f'{int(open(\"calls\").read()) / 14:.6g}')")" \
	"$(python3 -c "print(f'{float(\"$(imbalance flat.db procedure,calls_mean | sed -n s/^recurse,//p)\"):.6g}')")"
same "... and tells who has most" "rank 2, process $(basename r14.*.raw .raw | cut -d. -f2)" \
	"$(imbalance flat.db procedure,calls_most_who | sed -n 's/^recurse,"*\(.*\) on .*/\1/p')"
reduce --keep all --spread p -o kept.sum $raws
reduce --keep all -o kept-plain.sum $raws
import kept.db kept.sum
import kept-plain.db kept-plain.sum
same "where all are kept, too" "all 14 processes|rank" "$(imbalance kept.db of | sort -u)|$(imbalance kept-plain.db of | sort -u)"
same "... where none is, there is one run" "all 14 processes" "$(imbalance none.db of | sort -u)"
same "among procedures, too" "0,0.21428571428571427,1" "$("$cgview" report --by procedure --format csv \
	--columns procedure,calls_least,calls_mean,calls_most none.db | tr -d '\r' | sed -n 's/^rare,//p')"
chosen() { "$cgview" report --ranks 0,1 --by imbalance --format csv "$1" | tr -d '\r'; }
same "what is chosen of the profile is told of its own counts" "$(chosen kept-plain.db)" "$(chosen kept.db)"
check "... of ranks" grep -q '^main,.*,rank,' <(chosen kept.db)

# ---- what is wrong ----

"$cgcc" -O2 -g -o stranger "$helpers/lib.c" -x c - <<< 'int main(void) { return 0; }'
gcc -g -o plain-gcc -x c - <<< 'int main(void) { return 0; }'
head -c 20000 p > cut
refused "a program that is not there" 'nothing: .*No such file' reduce --spread nothing -o no.sum $raws
refused "... that was not built with cgcc" 'plain-gcc: has no tables of cgcc' reduce --spread plain-gcc -o no.sum $raws
refused "... of another build" '--spread stranger: none of the processes is of this build' \
	reduce --spread stranger -o no.sum $raws
refused "... that was cut off" 'cut: ' reduce --spread cut -o no.sum $raws
refused "... that is none" 'no.*ELF' reduce --spread "$helpers/p.c" -o no.sum $raws
refused "... with several processors, too" '--spread stranger: none' reduce -j 4 --spread stranger -o no.sum many/*.raw
refused "sums that have none" 'have no spread of it: say --spread where raw' reduce --spread p -o no.sum plain.sum
reduce --spread p --since plain.sum -o no.sum $(some 1) 2> err
same "an interval of one process: status 2" "2 1" "$? $(grep -c 'compares processes' err)"
head -c 3000 r3.*.raw > cut.raw
refused "a raw profile that was cut off" 'cut.raw: ' reduce --spread p -o no.sum $raws cut.raw
reduce --keep 3 --keep-going --spread p --spread libp.so -o going.sum $raws cut.raw 2> err
same "... with --keep-going it is left out: status 1" "1 1" "$? $(wc -l < err)"
check "... and the rest is the same bytes" cmp flat.sum going.sum
reduce --keep 1 --spread p -o small.sum r1.*.raw r2.*.raw r3.*.raw
check "each changed byte is found, and each cut" python3 "$helpers/../reduce/flip.py" "$cgview" small.sum
check "sums that were made so are refused or read" python3 "$helpers/../reduce/hostile.py" "$cgview" small.sum 40
