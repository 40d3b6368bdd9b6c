#!/bin/bash
# C++: how often each procedure, each instance of a template and each lambda is entered, under its name
# in the source, and how often each line is executed; with exceptions and static initialisers. All
# counts are by hand.
. tests/e2e/lib.sh
need_collection
need g++
cd "$TMP_DIR" || exit
cp "$here/programs/classes.cc" .

cat > expected <<'END'
Both::area 2
Both::name 3
Circle::area 10
Circle::~Circle 10
Circle::~Circle (deleting) 10
Global::Global 1
Global::~Global 1
Guard::Guard 9
Guard::~Guard 9
Named::~Named 1
Number::Number 4
Number::operator int 1
Number::operator+ 2
Number::operator< 1
Power<0>::of 10
Power<1>::of 10
Power<2>::of 10
Power<3>::of 10
Shape::sides 10
Shape::~Shape 21
Square::Square 10
Square::area 10
Square::sides 10
Square::~Square 10
Square::~Square (deleting) 10
Stack<int>::empty 2
Stack<int>::pop 5
Stack<int>::push 10
Stack<std::__cxx11::basic_string<char> >::empty 1
Stack<std::__cxx11::basic_string<char> >::push 2
between 9
catches 9
count_all<> 1
count_all<int> 1
count_all<int, double> 1
initial 4
larger<double> 5
larger<int> 20
local_static 5
main 1
main()::<lambda(auto:1)>::operator()<double> 3
main()::<lambda(auto:1)>::operator()<int> 3
main()::<lambda(int)>::operator() line 1 8
main()::<lambda(int)>::operator() line 5 7
main()::<lambda(int)>::operator() line 16 6
may_throw 9
quiet 4
rethrows 4
space::{anonymous}::inside 2
END
sort -o expected expected

parts="--param lto-partitions=4 --param lto-min-partition=50"
for level in -O0 -O2 "-O3 -flto" "-O3 -flto $parts" "-O2 -static" "-O2 -fno-inline"; do
	must "compile with $level" "$build/cgg++" -std=c++17 $level classes.cc -o classes
	record classes.db ./classes
	check "$level: lines" python3 "$here/expected.py" classes.cc "$cgview" classes.db
	# Lambdas of one type are told apart by their line, counted from the first of them.
	report classes.db procedure | python3 -c '
import csv, sys
wanted = [l.rsplit(" ", 1)[0] for l in open("expected").read().splitlines()]
first = next(n for n, t in enumerate(open("classes.cc"), 1) if "auto add =" in t)
for r in csv.DictReader(sys.stdin):
    name = r["procedure"]
    if "<lambda(int)>" in name:
        name += " line %d" % (int(r["line"]) - first + 1)
    if name in wanted and r["file"].endswith("classes.cc"):
        print(name, r["calls"])
' | sort > counted
	check "$level: procedures" diff expected counted
done
exit 0
