#!/bin/bash
# Whose text is it? File numbers of line tables, as each compiler uses them: file 1 is the primary file, or a header, or
# the primary file is 0, or both. Oracles: the tables as objdump prints them, and what is known of the texts. (addr2line
# and libdwarf of 2021 take what a table of DWARF 5 has not set for file 0, where file 1 is meant.)
set -u
. tests/db/lib.sh
need objdump python3
unit=$build/tests/collect/unit-dwarf
cgcc=$build/cgcc
export TOP=$top
cd "$TMP_DIR" || exit 1
mkdir -p one two

# Procedures of a header come first, then one of a header in another directory, whose name a third has, too; a
# generated file's; the unit's own. Each calls what is inlined from another file.
cat > first.h <<'END'
extern volatile double s;
static inline __attribute__((always_inline)) void in_first(int n)
{
	s = s * 1.5 + n;
	s = s / 1.25;
}
static __attribute__((noinline)) void by_first(int n)
{
	for (int i = 0; i < n; i++) {
		s = s + 1;
		in_first(i);
		s = s * 3;
	}
}
END
for d in one two; do
	cat > $d/same.h <<END
static inline __attribute__((always_inline)) void in_$d(int n)
{
	s = s * 2.5 + n;
	in_first(n + 1);
	s = s / 3.25;
}
static __attribute__((noinline)) void by_$d(int n)
{
	for (int i = 0; i < n; i++) {
		s = s + $((${#d} + 7)) + '${d:1:1}';
		in_$d(i);
	}
}
END
done
cat > main.c <<'END'
#include "first.h"
#include "one/same.h"
#include "two/same.h"
volatile double s;
void other(int n);
static inline __attribute__((always_inline)) void in_main(int n)
{
	in_two(n);
	s = s / 7;
}
#line 20 "made/grammar.y"
static __attribute__((noinline)) void by_grammar(int n)
{
	s = s * n;
	in_first(n);
}
#line 18 "main.c"
__attribute__((noinline)) void by_main(int n)
{
	s = s - n;
	in_main(n);
	in_one(n);
}
int main(void)
{
	by_first(3);
	by_one(3);
	by_two(3);
	by_grammar(3);
	by_main(3);
	other(3);
	return 0;
}
END
# A unit whose first code is its own; and one that has nothing but a header's.
cat > other.c <<'END'
#include "first.h"
void last(int n);
__attribute__((noinline)) void by_other(int n)
{
	s = s + n;
	in_first(n);
}
void other(int n)
{
	by_other(n);
	by_first(n);
	last(n);
}
END
cat > last.c <<'END'
extern volatile double s;
#include "body.h"
END
cat > body.h <<'END'
__attribute__((noinline)) void last(int n)
{
	for (int i = 0; i < n; i++)
		s = s / (i + 2);
}
END
cat > texts <<'END'
in_first first.h
by_first first.h
in_one one/same.h
by_one one/same.h
in_two two/same.h
by_two two/same.h
in_main main.c
by_grammar made/grammar.y
by_main main.c
main main.c
by_other other.c
other other.c
last body.h
END

# told NAME PROGRAM TEXTS
told()
{
	local line
	"$unit" "$2" "$3" > said 2>&1
	[ "$(grep -c '^ok - ' said)" = 3 ] || cat said
	while read -r line; do
		echo "${line/ - / - $1: }"
	done < <(grep -E '^(ok|not ok) - ' said)
	grep -qE '^(ok|not ok) - ' said || echo "not ok - $1: no verdict"
}

# built COMPILER OPTIONS: with all its units
built()
{
	command -v "$1" > /dev/null || { echo "skip - $*: there is no $1"; return; }
	"$@" -o program main.c other.c last.c 2> said || { echo "skip - $*: $(head -1 said | cut -c1-100)"; return; }
	told "$*" program texts
}

seen=
for compiler in gcc gcc-11 gcc-12 gcc-13 gcc-14 gcc-15 gcc-16; do
	version=$($compiler -dumpversion 2> /dev/null) && [[ "$seen" != *" $version "* ]] || continue
	seen+=" $version "
	for options in '-O2 -gdwarf-5' '-O2 -gdwarf-4' '-O0 -gdwarf-5' '-O0 -gdwarf-4' '-O2 -gdwarf-5 -flto' '-O2 -gdwarf-4 -flto' \
		'-O2 -gdwarf-5 -flto -flto-partition=max'; do
		built $compiler $options
	done
	built $compiler -O1 -gdwarf-5 -ffile-prefix-map="$PWD"=/elsewhere
	built $compiler -O1 -gdwarf-5 -ffile-prefix-map="$PWD"=.
	built $compiler -O2 -gdwarf-5 -gz=zlib
	built $compiler -O2 -gdwarf-5 -save-temps=obj
done
for options in '-O1 -gdwarf-5' '-O1 -gdwarf-4' '-O0 -gdwarf-5' '-O2 -g -fdebug-compilation-dir=.'; do
	built clang $options
done

# What the linker has removed has addresses from 0 on in the table: as long as it is, it is none of what is there.
{
	echo 'extern volatile double s;'
	echo 'void gone(int n) {'
	for ((i = 0; i < 3000; i++)); do echo '	s = s + n;'; done
	echo '}'
} > gone.c
gcc -O1 -g -ffunction-sections -no-pie -Wl,--gc-sections,-Ttext-segment=0x1000 -o program main.c other.c last.c gone.c
check "gc-sections: there is such a row" test "$(objdump --dwarf=rawline program | grep -c 'set Address to \(0x\)\?0$')" -gt 0
told "gc-sections" program texts

cat > plain.rs <<'END'
#[inline(always)]
fn in_rust(n: u64) -> u64 { n.rotate_left(3).wrapping_mul(5) }
#[no_mangle] #[inline(never)]
pub fn by_rust(n: u64) -> u64 {
	let mut k = n;
	for i in 0..n {
		k = k.wrapping_add(in_rust(k ^ i)).max(i);
		k ^= in_rust(in_rust(in_rust(k)) + in_rust(i));
		k ^= in_rust(k / (i + 3)) + in_rust(k % (i + 7));
	}
	k
}
fn main() { std::process::exit((by_rust(std::env::args().count() as u64) == 1) as i32) }
END
echo 'in_rust plain.rs
by_rust plain.rs' > texts.rs
for version in 4 5; do
	if ! command -v rustc > /dev/null; then
		echo "skip - rustc, DWARF $version: there is no rustc"
	elif RUSTC_BOOTSTRAP=1 rustc -g -O -Z dwarf-version=$version -o rust plain.rs 2> said; then
		told "rustc, DWARF $version" rust texts.rs
	else
		echo "skip - rustc, DWARF $version: $(head -1 said)"
	fi
done

# From end to end: what a header's procedure asks for is of its line, and of its type.
cat > node.h <<'END'
#include <stdlib.h>
struct node { long a[4]; };
static __attribute__((noinline)) struct node *make(void)
{
	int *number = malloc(sizeof *number);
	struct node *n = malloc(sizeof *n);
	n->a[0] = *(volatile int *)number;
	return n;
}
END
cat > nodes.c <<'END'
#include "node.h"
int main(void)
{
	for (int i = 0; i < 10; i++)
		*(struct node *volatile *)&(struct node *){0} = make();
	return 0;
}
END
for options in '-O2 -gdwarf-5' '-O2 -gdwarf-4' '-O0 -gdwarf-5' '-O2 -gdwarf-5 -flto'; do
	rm -f nodes.db
	$cgcc $options -o nodes nodes.c && "$cgview" record --space -o nodes.db ./nodes > said 2>&1 || cat said
	"$cgview" report --by producer --format csv nodes.db > producers.csv || cat producers.csv
	"$cgview" report --by producer --columns procedure,file,line,type,blocks --format csv nodes.db | tr -d '\r' | sed "s|$PWD/||" | sort > producers
	check "$options: what a header's procedure asks for is at its line" diff - producers <<'END'
make,node.h,5,int,10
make,node.h,6,struct node,10
procedure,file,line,type,blocks
END
done
