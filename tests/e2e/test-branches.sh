#!/bin/bash
# Branches: how often each condition was true and false, by hand, the same at each level, and as clang counts them;
# coverage of files and directories, what to fail by; parts add up; other tools' branches.
. tests/e2e/lib.sh
need_collection
sources=$here/programs/branches
cp "$sources"/* "$TMP_DIR"
cd "$TMP_DIR" || exit
cgxx=$build/cgg++

# counts LEVEL COMPILER SOURCE
counts()
{
	must "compile $3 with $1" "$2" $1 -w -o program "$3"
	record program.db ./program
	check "$1: $3: each condition as counted by hand" python3 "$here/branches.py" "$3" "$cgview" program.db
}

value() { "$cgview" report --format csv --sql "$1" "$2" | tr -d '\r' | sed 1d; }

for level in -O0 "-O2 -flto" --cgview-flags=mode=block -O2; do
	counts "$level" "$cgcc" odd.c
	counts "$level -x c++" "$cgxx" odd.c
	counts "$level -std=gnu++17" "$cgxx" copies.cc
done
must "compile odd.c" "$cgcc" -O2 -w -o program odd.c
record odd.db ./program

# ---- one way only, coverage ----

"$cgview" report --by branch --format csv odd.db | tr -d '\r' > rows
check "what went one way only" diff <(sed 1d rows | cut -d, -f2,7-11 | sort -n) - <<'END'
37,operand,1,2,1,false
50,if,10,2,1,true
90,loop,10,2,1,true
120,switch,10,5,4,case of line 130
179,loop,10,2,1,false
END
ways=$(value "SELECT count(*) || ' ' || sum(count > 0) FROM branch" odd.db)
row=$("$cgview" report --by coverage --format csv odd.db | tr -d '\r' | sed -n 2p)
check "branches of all files: $ways" [ "${ways/ /,}" = "$(cut -d, -f12,13 <<< "$row")" ]
lines=$(value "SELECT code_lines || ' ' || executed_lines FROM file WHERE path LIKE '%/odd.c'" odd.db)
check "lines of all files: $lines" [ "${lines/ /,}" = "$(cut -d, -f4,5 <<< "$row")" ]

# exits STATUS WORDS...: of report on odd.db; what it says is in the file said.
exits()
{
	local status=$1
	shift
	"$cgview" report "$@" odd.db > /dev/null 2> said
	[ $? = "$status" ]
}
share=$(value "SELECT 100 * sum(count > 0) / count(*) FROM branch" odd.db)
check "--fail-under: as many branches as were taken are enough" exits 0 --fail-under "branches=$share"
check "and say nothing" [ ! -s said ]
check "more are not" exits 1 --fail-under "lines=1,branches=$((share + 1))"
check "which one line says" grep -q "^cgview: report: ${ways#* } of ${ways% *} branches were executed" said
check "one line" [ "$(wc -l < said)" = 1 ]
check "--file: of no file nothing is known" exits 1 --fail-under 1 --file nowhere.c
check "--fail-under 101 is refused" exits 2 --fail-under 101
check "--fail-under words=1 is refused" exits 2 --fail-under words=1
check "--fail-under with other rows is refused" exits 2 --fail-under 1 --by file

# ---- procedures ----

# rows WORDS...: of report, without its head
rows() { "$cgview" report "$@" --format csv | tr -d '\r' | sed 1d; }
cp "$here/programs/shapes.c" .
for source in odd shapes; do
	[ "$source" = odd ] || { must "compile $source.c" "$cgcc" -O2 -w -o $source $source.c && record $source.db ./$source; }
	must "compile $source.c for gcov" "${CC:-gcc}" -O0 --coverage -w -o $source.gcov $source.c
	./$source.gcov > /dev/null 2>&1
	check "$source: lines and branches of each procedure are gcov's" \
		python3 "$here/covered.py" "$cgview" $source.db ./$source.gcov-$source.gcda
done
rows --by covered odd.db > covered
sum() { awk -F, "{ n += \$$1 } END { print n }" covered; }
check "blocks of all procedures are those of all files" [ "$(sum 9),$(sum 10)" = "$(cut -d, -f8,9 <<< "$row")" ]
blocks=$(value "SELECT count(*) || ' ' || sum(b.count > 0) FROM block b JOIN procedure p ON p.id = b.procedure
	WHERE p.name = 'loops' AND b.file" odd.db)
check "blocks of one: $blocks" [ "${blocks/ /,}" = "$(sed -n 's/^loops,//p' covered | cut -d, -f8,9)" ]
check "the least covered first" [ "$(rows --by covered --sort branch% --reverse --filter 'main|loops|arms' odd.db |
	cut -d, -f1 | tr '\n' ' ')" = "main loops arms " ]
check "in lines, for editors" grep -q "/odd.c:177:1: main: line% 80.0, lines 4/5, " <("$cgview" report --by covered --format lines odd.db)
check "in text" grep -Eq "^ *80\.0 +4/5 +[0-9.]+ +[0-9]+/[0-9]+ +50\.0 +1/2 +main" \
	<("$cgview" report --by covered odd.db)
must "compile copies.cc" "$cgxx" -O2 -std=gnu++17 -w -o copies copies.cc
record copies.db ./copies
rows --by covered --columns file,line,lines copies.db > texts
check "copies of one text are one" [ -s texts -a -z "$(cut -d, -f1,2 texts | sort | uniq -d)" ]
check "... whose lines are counted once" [ "$(awk -F, '{ n += $3 } END { print n }' texts)" = \
	"$(rows --by coverage --columns lines copies.db | head -1)" ]

# ---- one way only, in the source ----

sed -n 's/^\([0-9]*\),[a-z]*,.*/\1/p' <(sed 1d rows | cut -d, -f2,7-11) | sort -n > expected
"$cgview" annotate --columns count --expressions odd.db > annotated
sed -n 's/^%[ 0-9,]*| *\([0-9]*\) .*/\1/p' annotated > ours
check "annotate marks these lines" diff expected ours
check "... and their conditions" [ "$(sed -n 's/^%.*: *[0-9:-]* .*(\(never [a-z 0-9]*\))$/\1/p' annotated | tr '\n' ,)" = \
	"never false,never true,never true,never case of line 130,never false," ]
must "export a page" "$cgview" export --format html -o page.html odd.db
sed 's/<[^>]*>//g' page.html | sed -nE 's/^ *◐ +10[^0-9]* ([0-9]+)  .*/\1/p' | sort -n > ours
check "a page for a browser marks them" diff expected ours

# ---- exported ----

must "export it" "$cgview" export --format lcov -o odd.info odd.db
check "lcov: all ways, and how many were taken" [ "$(sed -n 's/^BR[FH]://p' odd.info | tr '\n' ' ')" = "$ways " ]
must "import that" "$cgview" import -o info.db odd.info
per_line="SELECT line || ' ' || group_concat(count) FROM (SELECT line, count FROM branch ORDER BY 1, 2) GROUP BY line"
value "$per_line" odd.db > ours
value "$per_line" info.db > theirs
check "the counts of each line, imported again" diff ours theirs
must "export it for lcov 2" "$cgview" export --format lcov2 -o odd2.info odd.db
sed -n 's/^FNL:[0-9]*,//p' odd2.info > ends
gcov --json-format --stdout ./odd.gcov-odd.gcda | python3 -c 'import json, sys
for f in sorted(json.load(sys.stdin)["files"][0]["functions"], key=lambda f: f["start_line"]):
    print(f["start_line"], f["end_line"], sep=",")' > gcovs
check "lcov2: functions begin and end where gcov has them" diff gcovs ends
check "... a case that was never taken has its name" grep -qx 'BRDA:120,0,case of line 130,0' odd2.info
check "... the same sums" diff <(grep "^[FLB][NR]*[FH]:" odd.info) <(grep "^[FLB][NR]*[FH]:" odd2.info)
must "import it" "$cgview" import -o info2.db odd2.info
value "$per_line" info2.db > theirs
check "... the same counts of each line" diff ours theirs
must "export it for gcov's readers" "$cgview" export --format gcov -o odd.json odd.db
must "import that, too" "$cgview" import -o json.db odd.json
value "$per_line" json.db > theirs
check "... the same" diff ours theirs
check "Cobertura: the same sums" grep -q "branches-covered=\"${ways#* }\" branches-valid=\"${ways% *}\"" \
	<("$cgview" export --format cobertura odd.db)
check "... of a line" grep -q 'line number="120" hits="10" branch="true" condition-coverage="80% (4/5)"' \
	<("$cgview" export --format cobertura odd.db)
if command -v genhtml > /dev/null; then
	check "genhtml takes it" genhtml --branch-coverage -o html odd.info
	check "lcov adds it up" grep -q "lines\.*: .*(${lines#* } of ${lines% *} lines" <(lcov --summary odd.info 2>&1)
	genhtml --version | grep -Eq 'version 1\.' ||
		check "genhtml 2 takes its own" genhtml --branch-coverage -o html2 odd2.info
fi

# ---- threads ----

cat > threads.c <<'END'
#include <pthread.h>
static volatile int sink;
static void *work(void *limit)
{
	for (long i = 0; i < 100; i++)
		if (i < (long)limit)
			sink++;
	return limit;
}
int main(void)
{
	pthread_t t[2];
	pthread_create(&t[0], 0, work, (void *)100);
	pthread_create(&t[1], 0, work, (void *)0);
	pthread_join(t[0], 0);
	pthread_join(t[1], 0);
	return 0;
}
END
must "compile threads.c" "$cgcc" -O2 -pthread -o threads threads.c
record threads.db ./threads
check "threads add up" [ "$(value "SELECT group_concat(count, '/') FROM (SELECT count FROM branch WHERE kind = 'if'
	ORDER BY way)" threads.db)" = 100/100 ]
for thread in 2 3; do
	"$cgview" report --by branch --threads "$thread" --format csv threads.db | tr -d '\r' | grep ',if,'
done | cut -d, -f8,11 | sort > only
check "each thread went one way" diff only - <<'END'
100,false
100,true
END

# ---- merging ----

record again.db ./program
must "merge" "$cgview" merge -o both.db odd.db again.db
check "two runs have twice the counts" [ "$(value "SELECT sum(count) FROM branch" both.db)" = \
	"$(($(value "SELECT sum(count) FROM branch" odd.db) * 2))" ]

# ---- as clang counts them ----

clang=$(command -v clang) && command -v llvm-cov llvm-profdata > /dev/null ||
	{ echo "skip - branches as clang counts them: clang or its tools are not installed"; exit 0; }
must "compile with clang" "$clang" -w -O1 -g -fprofile-instr-generate -fcoverage-mapping -o by-clang odd.c
LLVM_PROFILE_FILE=clang.profraw ./by-clang
must "merge clang's" llvm-profdata merge -o clang.profdata clang.profraw
llvm-cov export -skip-expansions -instr-profile clang.profdata by-clang > clang.json
must "import it" "$cgview" import -o clang.db clang.json
# All that are in no macro, and not a switch, whose labels clang has one by one. Behind setjmp() that comes back twice
# and a loop that exit() ends clang's counts, which are differences, are wrong.
except=$(grep -nE 'setjmp\(env\) ==|i < 100;' odd.c | cut -d: -f1 | tr '\n' ,)
cat > places.sql <<END
SELECT line || ':' || column || '-' || end_column || ' ' || way || ' ' || sum(count) FROM branch
WHERE kind <> 'switch' AND line NOT IN (${except}0) AND
line NOT IN (SELECT line FROM range WHERE kind = 'macro') GROUP BY line, column, end_column, way
ORDER BY line, column, way
END
value "$(cat places.sql)" odd.db > ours
value "$(cat places.sql)" clang.db > clangs
grep -vxFf clangs ours > differ
check "all $(wc -l < ours) ways are clang's, to the column and the count" [ -s ours -a ! -s differ ]
