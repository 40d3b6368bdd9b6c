#!/bin/bash
# Instances of templates: each is a row of its own, with a name and a place that no other has, and one
# row in all units that have it; it has the calls that gcov counts at -O0, also where an optimising
# compiler would work them out by itself (constexpr). Names and counts below are by hand.
. tests/e2e/lib.sh
need_collection
need gcov
cd "$TMP_DIR" || exit
cp "$here"/programs/instances/* .

cat > expected << 'END'
11 friendly(It<A>, int)
101 friendly(It<B>, int)
19 operator==(const It<A>&, const It<A>&)
106 operator==(const It<B>&, const It<B>&)
101 mix<int>(const It<B>&, int)
5 mix<long int>(const It<A>&, long int)
18 sum<A, int>
9 sum<A, int, int>
2 sum<B, int>
3 call_twice<main()::<lambda(int)> > @first.cc:47:23
7 call_twice<main()::<lambda(int)> > @first.cc:49:23
1 call_twice<main()::<lambda(int)> > @first.cc:50:22
1 call_twice<main()::<lambda(int)> > @first.cc:50:68
8 call<<lambda(int)> > @instances.h:35:24
8 call<of_header(int)::<lambda(int)> > @instances.h:37:45
8 call<{anonymous}::Hidden> @instances.h:39:20
3 call<{anonymous}::Same> @first.cc:5:20
5 call<{anonymous}::Same> @second.cc:5:20
5 call<main::{lambda(int)#5}>
6 call<main::{lambda(int)#7}>
3 by_pointer<int, step> @first.cc:6:12
5 by_pointer<int, step> @second.cc:6:12
1 valued<main()::Local> @first.cc:73:10
2 valued<main()::Local> @first.cc:77:10
3 valued<main()::<unnamed struct> > @first.cc:80:9
2 main::{lambda(int)#3}::operator()
2 main::{lambda(int)#4}::operator()
1 load(int)
2 load(char const*)
6 in_lambda<int>(int)::<lambda(int)>::operator()
8 helper
29 cube
END

# instances.py CALLS FILES: rows of the report are one procedure each, and all of gcov's
cat > instances.py << 'END'
import collections, csv, glob, gzip, json, re, sys

def same(symbol):  # a constructor for a whole object and for a part of one are one procedure
    return re.sub(r"(?<=[CD])[12](?=E)", "", symbol)

truth, got, names = collections.Counter(), collections.Counter(), collections.Counter()
for name in glob.glob("*.gcov.json.gz"):
    for f in json.load(gzip.open(name))["files"]:
        if f["file"] in ("first.cc", "second.cc", "instances.h"):
            for g in f["functions"]:
                truth[same(g["name"])] += g["execution_count"]
for r in csv.DictReader(open(sys.argv[1])):
    if r["file"].rsplit("/")[-1] in ("first.cc", "second.cc", "instances.h"):
        got[same(r["linkage_name"])] += int(r["calls"])
        names[r["procedure"], r["file"], r["line"]] += 1
wrong = [f"# {s}: {n} calls, counted {got[s]}" for s, n in truth.items() if n != got[s]]
wrong += [f"# {n} rows are called {k}" for k, n in names.items() if n > 1]
print(len(truth), "procedures", *wrong, sep="\n")
sys.exit(len(truth) < 90 or len(wrong) > 0)
END

must "compile for gcov" g++ -std=c++17 -O0 --coverage -o truth first.cc second.cc
must "run it" ./truth
must "gcov" sh -c 'gcov -j truth-*.gcda'

for level in -O0 -O1 -O2 -O3 "-O2 -flto"; do
	must "compile with $level" "$build/cgg++" -std=c++17 $level -o program first.cc second.cc
	record program.db ./program
	"$cgview" report --by procedure --format csv --columns procedure,calls,file,line,linkage_name program.db > rows
	check "$level: each instance has a row, a name and gcov's calls" python3 instances.py rows
	python3 -c 'import csv; [print(r["calls"], r["procedure"]) for r in csv.DictReader(open("rows"))]' > named
	while read -r calls name; do
		check "$level: $name: $calls calls" [ "$(grep -cFx "$calls $name" named)" = 1 ]
	done < expected
done

# What two profiles have in common stays one row when they are merged, and compared.
cat > sums.py << 'END'
import collections, csv, sys
def rows(name, column, of=lambda r: True):
    return collections.Counter({(r["procedure"], r["file"], r["line"]): int(r[column])
                                for r in csv.DictReader(open(name)) if r["file"] and of(r)})
one, both, compared = rows("rows", "calls"), rows("merged", "calls"), rows("compared", "a")
print(len(one), len(both), len(compared))
sys.exit(both != one + one or compared != rows("compared", "b") or
         any(compared[k] != n for k, n in one.items()))
END
record again.db ./program
must "merge" "$cgview" merge -o both.db program.db again.db
"$cgview" report --by procedure --format csv --columns procedure,calls,file,line both.db > merged
"$cgview" diff -e 'b.calls - a.calls' --format csv program.db again.db > compared
check "merged and compared profiles have the same rows" python3 sums.py
exit 0
