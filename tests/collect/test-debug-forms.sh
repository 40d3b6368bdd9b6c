#!/bin/bash
# The forms that debug information comes in: what we say of addresses is what addr2line says, which
# reads it with code of its own, and which file that is what objdump says.
set -u
. tests/db/lib.sh
need addr2line objcopy python3
export TOP=$top
unit=$build/tests/collect/unit-dwarf
cgcc=$build/cgcc
cd "$TMP_DIR" || exit 1
mkdir -p sub/deep
cat > one.c <<'END'
#include "sub/deep/../with.h"
__attribute__((noinline)) unsigned one(unsigned x)
{
	if (__builtin_expect(x == 12345, 0))
		return fails(x);
	return outer(x) + outer(x + 7);
}
__attribute__((noinline, cold)) unsigned fails(unsigned x)
{
	return outer(x) * 3;
}
END
cat > sub/with.h <<'END'
unsigned fails(unsigned x);
static inline __attribute__((always_inline)) unsigned inner(unsigned x)
{
	for (unsigned i = 0; i < x % 7; i++)
		x = x * 31 + i;
	return x;
}
static inline __attribute__((always_inline)) unsigned outer(unsigned x)
{
	return inner(x + 1) ^ inner(x * 3);
}
END
cat > sub/two.c <<'END'
#include "with.h"
unsigned one(unsigned x);
static __attribute__((noinline)) unsigned two(unsigned x) { return outer(x) + one(x); }
static __attribute__((noinline)) unsigned three(unsigned x)
{
	unsigned sum = 0;
	for (unsigned i = 0; i < x; i++) {
		unsigned k = i * x;
		sum += two(k) + outer(k);
	}
	return sum;
}
int main(int argc, char **argv) { (void)argv; return three((unsigned)argc) == 1; }
END

# says NAME PROGRAM REFERENCE: and it is read without a word
says()
{
	local line
	"$unit" "$2" "$3" "$1" > said 2>&1
	[ "$(grep -c '^ok - ' said)" = 3 ] || cat said
	while read -r line; do
		echo "${line/ - / - $1: }"
	done < <(grep -E '^(ok|not ok) - ' said)
	grep -qE '^(ok|not ok) - ' said || echo "not ok - $1: no verdict"
}

for options in '-O2 -gdwarf-5' '-O2 -gdwarf-4' '-O0 -gdwarf-4' '-O1 -gdwarf-3 -gstrict-dwarf' \
	'-O2 -gdwarf-5 -gz=zlib' '-O2 -gdwarf-4 -gz=zlib' \
	'-O3 -gdwarf-4 -ffunction-sections' '-O2 -g -flto' '-O2 -g -fdebug-types-section'; do
	# Chains of inlined calls and positions are asked of what gcc wrote, whatever it wrote.
	gcc $options -o program one.c sub/two.c || { echo "skip - $options: gcc does not know it"; continue; }
	says "$options" program program
done
gcc -O2 -g -o plain one.c sub/two.c
objcopy --compress-debug-sections=zlib-gnu plain program
check "there is a section .zdebug_info" grep -q ' \.zdebug_info ' <(readelf -SW program)
says "zlib as in .zdebug" program plain

# In files beside it: by the build id both have, by the checksum if they have none.
for id in none sha1; do
	gcc -O2 -g -Wl,--build-id=$id -o whole one.c sub/two.c
	objcopy --only-keep-debug whole whole.debug
	objcopy --add-gnu-debuglink=whole.debug whole program && strip program
	says "a file beside it, build id $id" program whole
	mkdir -p .debug
	mv whole.debug .debug/
	says "a file in .debug, build id $id" program whole
	# Another build's is none of it: damaged by a byte, or with another id.
	if [ $id = none ]; then
		printf x >> .debug/whole.debug
	else
		gcc -O1 -g -Wl,--build-id=$id -o other one.c sub/two.c
		objcopy --only-keep-debug other .debug/whole.debug
	fi
	"$unit" program whole x > said 2>&1
	check "... of another build: not taken (build id $id)" grep -q '^# 0 of' said
	rm -r .debug
done

# What was inlined where is in .dwo files then, which we do not read: so it is said, and not with the times of others.
cat > split.c <<'END'
static unsigned long steps(unsigned long n)
{
	unsigned long k = 0;
	for (; n != 1; k++)
		n = n & 1 ? 3 * n + 1 : n / 2;
	return k;
}
int main(void)
{
	unsigned long sum = 0;
	for (unsigned long i = 1; i < 600000; i++)
		sum += steps(i);
	return sum == 0;
}
END
for options in '' -gsplit-dwarf '-gsplit-dwarf -gdwarf-4'; do
	$cgcc -O2 $options -o split split.c || { echo "not ok - split.c is compiled $options"; continue; }
	"$cgview" record -o split.db ./split > said 2>&1
	"$cgview" report --by note --format csv split.db >> said
	if [ "$options" ]; then
		check "$options: it is said" grep -q 'split: what was inlined is told in [.]dwo files' said
	else
		check "whole: nothing is said" test "$(grep -c '[.]dwo' said)" = 0
	fi
done
