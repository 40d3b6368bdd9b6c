#!/bin/bash
# Methods of extern templates: those of the library are left out and listed, at each level, as they run
# the library's body where they are not inlined; those of the program count the same at each level,
# as their bodies are counted wherever they are. In C++20 the strings' methods are constexpr, and with
# assertions they are inline: then the program has bodies of its own.
. tests/e2e/lib.sh
need_collection
need g++
cd "$TMP_DIR" || exit

cat > box.h << 'END'
template <typename T> struct Box {
	T kept;
	void put(T t) { kept = t; }
	T get() const;
	T twice() const { return get() + get(); }
};
template <typename T> T Box<T>::get() const
{
	return kept;
}
extern template struct Box<int>;
END
cat > box.cc << 'END'
#include "box.h"
template struct Box<int>;
END
cat > use.cc << 'END'
#include <cstdlib>
#include <string>
#include <vector>
#include "box.h"
static volatile int sink;
static std::string __attribute__((noinline)) longer(const std::string &s) { return s + "ab"; }
int main()
{
	Box<int> box;
	std::string s("x");
	std::vector<int> all;

	for (int i = 0; i < 30; i++) {
		box.put(i);
		sink = box.twice();
		if (i % 3 == 0)
			sink = box.get();
	}
	for (int i = 0; i < 7; i++) {
		s = longer(s);
		s.push_back('c');
		all.push_back(atoi(s.c_str() + 1));
	}
	return s.size() == 22 && all.size() == 7 ? 0 : 1;
}
END
printf '%s\n' 'Box<int>::get 70' 'Box<int>::put 30' 'Box<int>::twice 30' 'longer 7' 'main 1' > expected

library="-std=gnu++17 -D_GLIBCXX_NO_ASSERTIONS"
for level in -O0 -O1 -O2 -O3 "-O2 -flto" "-O3 -fno-inline"; do
	must "compile $level" "$build/cgg++" $library $level use.cc box.cc -o use
	record_counts use.db ./use
	report use.db procedure | python3 -c '
import csv, os, sys
for r in csv.DictReader(sys.stdin):
    if os.path.basename(r["file"]) in ("use.cc", "box.h"):
        print(r["procedure"], r["calls"])' | sort > got
	check "$level: the program's own methods" diff expected got
	report use.db procedure | grep -E '^.?std::__cxx11::basic_string<char>::(push_back|size|c_str|append|operator)|^atoi,' > got
	check "$level: the library's are not shown" diff /dev/null got
done
must "compile -O2" "$build/cgg++" $library -O2 use.cc box.cc -o use
record_counts use.db ./use
report use.db note > notes
check "they are listed" grep -q "not counted: a library's body runs, where it is not inlined: .*basic_string" notes
check "their calls are counted where they stand" [ "$(report use.db site | grep -c 'push_back')" -ge 2 ]
