#!/bin/bash
# Text that several procedures share (instances of a template, statics of a header, a file that is
# included twice): the panes show the copy that one came from, and all of them can be listed.
. tests/tui/lib.sh

program() # program TYPE: a template whose instance of that type is the only one called, 60 times
{
	cat > $1.cc <<-END2
	template <class T> struct H {
	  T v;
	  long hot(long n) { long s = 0; for (long i = 0; i < n; i++) s += (v ^ i) % 7; return s; }
	};
	int main(int argc, char **) {
	  H<char> c{1}; H<int> i{2}; H<long> l{3};
	  long s = 0;
	  if (argc > 5) s += c.hot(1) + i.hot(2) + l.hot(5);
	  for (int n = 0; n < 60; n++) s += H<$1>{1}.hot(10);
	  return s == 1;
	}
	END2
	"$BUILD/cgg++" -O0 -g -o $1 $1.cc && "$cgview" record -F 0 -o $1.db -- ./$1 2> /dev/null || exit 1
}

SIZE=120x40
by_calls=$'text::sort calls\nEnter\n'
for type in char int long; do
	program $type
	name="H<$type[ int]*>::hot"
	DB=$type.db
	for way in 'text:&hot\nEnter\ng\nEnter' 'text:&hot\nEnter\ng\nEnter\n]' 'o\nEnter\ntext:3g' 'O\ntext:/hot\nEnter\nEnter\ntext:1g3g'; do
		[ "${way#*&}" != "$way" ] && way="text::sort calls\\nEnter\\nS\\n$way"
		shows "$type: the copy that is called, by ${way//\\n/ }" "$name (\(copy 1 of 3\|hottest of 3 copies\); counts here: sum)" \
			"callers of $name .* 60 calls" ' 60  .*main' '! This copy of it' <<< "$(printf '%b' "$way")"
	done
	shows "$type: from the callee" "$name (copy 1 of 3" "callers of $name .* 60 calls" \
		<<< $'text:&main\nEnter\nEnter\nd\ntext:/hot\nEnter\nEnter\nx'
done
DB=long.db
shows 'a copy that was not called says so' 'H<char>::hot (copy [23] of 3; counts here: sum)' \
	'This copy of it was not called: H<char>::hot' 'I lists all 3 copies' '! Nobody called' \
	<<< $'text:&<char>\nEnter\nEnter'
shows 'all copies in a list, each with its calls' 'copies in .*long.cc' ' 60  .*H<long' ' 0  .*H<int>::hot' \
	' 0  .*H<char>::hot' '! main$' <<< $'o\nEnter\ntext:3g\nI'
shows '... the cursor on the one that is looked at' '^▌ .*H<char>' <<< $'text:&<char>\nEnter\nEnter\nI'
shows '... of which one is chosen' 'H<char>::hot (copy [23] of 3' <<< $'o\nEnter\ntext:3g\nI\ntext:/<char>\nEnter\nEnter'
shows 'Backspace brings the copy back' 'H<char>::hot (copy [23] of 3' \
	<<< $'text:&<char>\nEnter\nEnter\nI\ntext:/<long\nEnter\nEnter\nBackspace'
shows 'where there is one, there is no choice' 'this code is in the program once' <<< $'o\nEnter\ntext:6g\nI'

# A static of a header in two units, which do other things with it; a file that is included twice.
printf 'static int once(int n) {\n#if K > 5\n\tif (n) return 2;\n#endif\n\treturn 1;\n}\n' > h.h
printf '#define K 5\n#include "h.h"\nint one(int n) { return n ? once(n) : 0; }\n' > one.c
printf '#define K 7\n#include "h.h"\nint one(int n);\nint two(void) { int s = 0; for (int i = 0; i < 990; i++) s += once(i); return s; }\nint main(void) { return two() + one(0) == 0; }\n' > two.c
"$BUILD/cgcc" -O0 -g -o units one.c two.c && "$cgview" record -F 0 -o units.db -- ./units 2> /dev/null || exit 1
DB=units.db
shows 'statics of a header' '!This copy of it' 'callers of once .* 990 calls' ' 990  .*two' \
	<<< $'text::sort calls\nEnter\nS\ntext:&once\nEnter\ng\nEnter'
printf 'static long NAME(int n) { long s = 0; while (n--) s++; return s; }\n' > body.inc
printf '#define NAME first\n#include "body.inc"\n#undef NAME\n#define NAME second\n#include "body.inc"\nint main(int c, char **v) { (void)v; long s = c > 5 ? first(3) : 0; for (int i = 0; i < 99; i++) s += second(10); return s == 1; }\n' > twice.c
"$BUILD/cgcc" -O0 -g -o twice twice.c && "$cgview" record -F 0 -o twice.db -- ./twice 2> /dev/null || exit 1
DB=twice.db
for name in first second; do
	shows "a file that is included twice: $name" "$name (copy [12] of 2; counts here: sum)" <<< $'text:&'$name$'\nEnter\nEnter'
done
shows '... with its own callers' 'callers of second .* 99 calls' ' 99  .*main' <<< $'text:&second\nEnter\nEnter\n]'
