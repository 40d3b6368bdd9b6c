#!/bin/bash
# How often each line was executed, by hand: jumps over the ends of variables' lives, jumps into and out of
# all that there is, setjmp, labels, operands, templates, files that are included several times, lambdas and
# their captures, structured bindings, returns with destructors, coroutines. The same at each level.
. tests/e2e/lib.sh
need_collection
sources=$here/programs/lines
cp "$sources"/* "$TMP_DIR"
cd "$TMP_DIR" || exit
cgxx=$build/cgg++

# counts LEVEL COMPILER SOURCE [MORE SOURCES...]: the counts that stand in the sources
counts()
{
	local level=$1 compiler=$2 source=$3
	shift 3
	must "compile $source with $level" "$compiler" $level -w -o program "$source"
	record program.db ./program
	check "$level: $source: each line as counted by hand" \
		python3 "$here/expected.py" "$source" "$cgview" program.db "$@"
}

# line FILE LINE: its count
line()
{
	report program.db line | grep "/$1,$2," | cut -d, -f3
}

# mark FILE TEXT: the mark of the line with TEXT, and its count
mark()
{
	"$cgview" annotate --file "$1" program.db | grep -F "$2" | sed -n '1s/^\(.\) *\([0-9,]*\).*/\1\2/p'
}

for level in -O0 -O1 -O2 -O3 "-O2 -flto" --cgview-flags=mode=block; do
	counts "$level" "$cgcc" copies.c copies.h
	check "$level: a jump's expression has its own count" [ "$(report program.db block | python3 -c '
import csv, sys
text = open("copies.c").read().split("\n")
print(*(n for _, n in sorted((int(r["line"]), r["count"]) for r in csv.DictReader(sys.stdin)
        if r["procedure"] == "breaks" and r["line"] and
        text[int(r["line"]) - 1].lstrip().startswith("break;"))))')" = "0 5" ]
	counts "$level" "$cgcc" jumps.c
	counts "$level" "$cgcc" setjmp.c
	counts "$level -x c++" "$cgxx" setjmp.c
	counts "$level" "$cgxx" copies.cc
	counts "$level -x c++" "$cgxx" jumps.c
	counts "$level" "$cgxx" statics.cc
	counts "$level" "$cgxx" elements.cc
	counts "$level -std=gnu++17" "$cgxx" captures.cc
	"$cgxx" -std=gnu++20 -fsyntax-only coroutine.cc 2> /dev/null ||
		{ echo "skip - $level: coroutines: this compiler has none"; continue; }
	counts "-std=gnu++20 $level" "$cgxx" coroutine.cc
	for part in "count 7" "count (resume) 38" "count (destroy) 7"; do
		check "$level: a coroutine's calls, resumptions and destructions: $part" \
			[ "$(count_of program.db "${part% *}")" = "${part##* }" ]
	done
	check "$level: main called it" [ "$(report program.db arc | python3 -c '
import csv, sys
print(sum(int(r["count"]) for r in csv.DictReader(sys.stdin)
          if r["caller"] == "main" and r["callee"] == "count"))')" = 7 ]
	check "$level: nothing was compiled without cgcc" \
		[ "$(report program.db note | grep -c 'without cgcc')" = 0 ]
done

for compiler in "$cgcc"-*; do
	[ -x "$compiler" ] && command -v "gcc${compiler#"$cgcc"}" > /dev/null || continue
	counts "-O2" "$compiler" setjmp.c
	counts "-O2 -std=gnu++17" "$build/cgg++${compiler#"$cgcc"}" captures.cc
done

# Random programs, which count their own lines.
for seed in 1 2 3; do
	for language in c c++; do
		suffix=${language/++/c}
		compiler=$cgcc plain=gcc
		[ $language = c ] || compiler=$cgxx plain=g++
		python3 "$here/jumps.py" $seed ${language#c}
		must "compile random program $seed" $plain -w -o truth truth.$suffix
		must "run random program $seed" timeout 60 ./truth
		./truth | sort > executed
		sort counted | join -a 1 -e 0 -o 0,2.2 - executed > expected
		for level in -O0 -O2; do
			must "compile random program $seed with $level" $compiler $level -w -o program jumps.$suffix
			record_counts program.db ./program
			lines program.db | join -a 1 -e 0 -o 0,2.2 <(sort counted) - > got
			check "$level: random jumps $seed in $language: each line as it counts itself" diff expected got
		done
	done
done

must "compile copies.c" "$cgcc" -O2 -w -o program copies.c
record program.db ./program second
check "both copies of a file add up" [ "$(line copies.h 7)" = 1089 ]
record program.db ./program
check "no mark on what one copy has executed" [ "$(mark copies.h 'TYPE(p, i)')" = " 990" ]
check "a mark on what nobody has" [ "$(mark copies.c 'second_count(v, 99)')" = x0 ]
cat > part.c <<'END'
static int half(int n) { return n / 2; }
int main(int argc, char **argv)
{
	return half(argc +
		    (argc > 100
		     && half(argc)));
}
END
must "compile part.c" "$cgcc" -w -o program part.c
record program.db ./program
check "an operand is not evaluated, but its line is part of what is executed: no mark" \
	[ "$(mark part.c '&& half(argc)')" = " 0" ]
exit 0
