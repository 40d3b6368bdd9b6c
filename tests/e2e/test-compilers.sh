#!/bin/bash
# Which compiler is called, and that there is one clear line when none of the plugins fits it. That the
# counts are the same with all of them: test-matrix.sh.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
echo 'int main(void) { return 0; }' > small.c

# same_code ONE OTHER: the same instructions and tables, whatever stands in the debugging information.
same_code()
{
	diff <(objdump -d "$1" | tail -n +4) <(objdump -d "$2" | tail -n +4) &&
		diff <(readelf -SW "$1" | grep -o 'cgview[a-z_]* .*' | awk '{ print $1, $5 }') \
			<(readelf -SW "$2" | grep -o 'cgview[a-z_]* .*' | awk '{ print $1, $5 }')
}

usual=$(gcc -dumpversion | cut -d. -f1)
for plugin in "$build"/lib/cgview/cgview*.so; do
	v=${plugin##*/cgview}
	v=${v%.so}
	[ "$(command -v gcc-"$v" g++-"$v" | wc -l)" = 2 ] || continue
	CGVIEW_CC=gcc-$v "$cgcc" -S small.c -o small.s
	check "CGVIEW_CC=gcc-$v compiles with GCC $v" grep -q "GCC: .* $v\\." small.s
	"$build/cgcc-$v" -S small.c -o small.s
	check "cgcc-$v compiles with GCC $v" grep -q "GCC: .* $v\\." small.s
	"$build/cgg++-$v" -x c++ -S small.c -o small.s
	check "cgg++-$v compiles with GCC $v" grep -q "GCC: .* $v\\." small.s
	check "... and counts" grep -q '%gs:' small.s
done
"$cgcc" -S small.c -o small.s
check "cgcc compiles with GCC $usual" grep -q "GCC: .* $usual\\." small.s

# Response files are looked at: those that exist, and not for ever.
cp small.c 'small one.c'
printf -- '-S "small one.c"\n-o by-file.s' > arguments
check "a response file" "$cgcc" @arguments
check "... what it compiles counts" grep -q '%gs:' by-file.s
"$cgcc" --version @/dev/null > out 2>&1 && ! grep -q plugin out
check "... one that names nothing" [ $? = 0 ]
yes @itself | head -8 > itself
mkfifo pipe
for file in itself pipe /dev/zero "$PWD" nowhere; do
	# What gcc itself waits for or reads to no end is not asked of it.
	compiler=gcc
	case $file in pipe|/dev/zero) compiler=true ;; esac
	(ulimit -t 20; ulimit -v 4000000; CGVIEW_CC=$compiler timeout 300 "$cgcc" -E "@$file") > out 2>&1
	status=$?
	check "response file ${file##*/}: it ends" [ $status -le 4 ]
done

# A compiler that leads back to cgcc, as a link of ccache does behind one of ours in PATH.
mkdir again
ln -s "$cgcc" again/gcc
printf '#!/bin/sh\nexec gcc "$@"\n' > leads
chmod +x leads
PATH=$PWD/again:$PATH CGVIEW_CC=$PWD/leads timeout 300 gcc -c small.c -o again.o > out 2>&1
check "a compiler that is cgcc itself: it ends" [ $? = 1 ]
check "... that says so" grep -q 'leads runs cgcc again.*CGVIEW_CC=/usr/bin/gcc' out

# A compiler for which there is no plugin.
mkdir bin
printf '#!/bin/sh\necho 99\n' > bin/gcc-99
chmod +x bin/gcc-99
PATH=$PWD/bin:$PATH CGVIEW_CC=gcc-99 "$cgcc" -c small.c > out 2>&1
check "no plugin: status 1" [ $? = 1 ]
check "... and one line" [ "$(wc -l < out)" = 1 ]
for word in "no plugin for GCC 99" "$build/lib/cgview" gcc-99-plugin-dev "cgcc --cgview-build-plugin gcc-99"; do
	check "... that says '${word##*/}'" grep -qF "$word" out
done
CGVIEW_CC=clang "$cgcc" -c small.c > out 2>&1
check "clang: one line that tells why not" grep -q '^cgcc: clang is not GCC' out
printf '#!/bin/sh\nexec gcc "$@"\n' > bin/musl-gcc
chmod +x bin/musl-gcc
PATH=$PWD/bin:$PATH CGVIEW_CC=musl-gcc "$cgcc" small.c > out 2>&1
check "musl: status 1" [ $? = 1 ]
check "... and one line that tells why" grep -q '^cgcc: musl-gcc: only glibc is served' out
check "... and no other" [ "$(wc -l < out)" = 1 ]

for bits in -m32 -mx32 -m16; do
	"$cgcc" $bits -c small.c > out 2>&1
	check "$bits: one line that tells why not" [ "$?$(wc -l < out)$(grep -c '^cgcc: only programs of 64 bits' out)" = 111 ]
done
check "-m32 -m64 is -m64" "$cgcc" -m32 -m64 -c small.c -o small64.o

# A plugin for another build of the same GCC: what is compared are two headers.
for other in "date s/datestamp\[\] = \"[0-9]*/datestamp[] = \"20010203/" \
	"configuration s/--prefix=/--prefix=x/" "version s/basever\[\] = \"[0-9]*/&9/"; do
	what=${other%% *}
	mkdir -p "$what/inc" "$what/bin" "$what/lib/cgview"
	headers=$(gcc -print-file-name=plugin)/include
	for header in plugin-version.h configargs.h; do
		sed "${other#* }" "$headers/$header" > "$what/inc/$header"
	done
	must "build the plugin's main file" g++ -x c++ -std=gnu++14 -fno-rtti -fno-exceptions -O0 -fPIC \
		-D_GNU_SOURCE -I"$top/src" -isystem "$what/inc" -isystem "$headers" -w -c \
		-o "$what/plugin.o" "$top/src/collect/plugin/plugin.c"
	must "link it" g++ -shared -Wl,-Bsymbolic -o "$what/lib/cgview/cgview$usual.so" "$what/plugin.o" \
		$(ls "$build/obj/plugin-$usual"/*.o | grep -v '/plugin\.o$')
	cp "$build/cgcc" "$what/bin"
	cp "$build/lib/cgview"/*.[ao] "$what/lib/cgview"
	"$what/bin/cgcc" -c small.c -o other.o > out 2>&1
	check "a plugin of another $what: status 1, one line" [ "$?$(wc -l < out)" = 11 ]
	check "... says what differs" grep -q "this plugin was built for GCC .*the $what differs" out
	check "... and a command that exists" grep -q "cgcc --cgview-build-plugin gcc.\?$" out
done

# Headers alone are precompiled, as by gcc.
cat > once.h << 'END'
static inline int twice(int i) { return i > 2 ? 2 * i : i; }
END
cp once.h other.hpp
for arguments in "once.h" "-O2 once.h -o once.h.gch" "-x c-header once.h -o once.h.gch" "-xc-header once.h" \
	"once.h other.hpp" "-x c++-header once.h" "@header"; do
	rm -f ./*.gch
	echo once.h > header
	"$cgcc" $arguments > out 2>&1
	check "cgcc $arguments: status 0" [ $? = 0 ]
	check "... and the precompiled header" [ -s once.h.gch ]
done
check "... of several, each" "$cgcc" once.h other.hpp
check "... by cgg++" "$build/cgg++" other.hpp
check "... which is there" [ -s other.hpp.gch ]
rm -f ./*.gch
must "precompile" "$cgcc" -O2 once.h
mv once.h kept.h # so that only the precompiled one is there
cat > user.c << 'END'
#include "once.h"
int main(void) { int s = 0; for (int i = 0; i < 10; i++) s += twice(i); return s != 87; }
END
must "use it" "$cgcc" -O2 -Winvalid-pch user.c -o user
record_counts user.db ./user
check "counts with a precompiled header" [ "$(count_of user.db twice)" = 10 ]

# Flags in a response file, also in one that another names.
printf -- '--cgview-flags=off -c "small one.c"' > inner
echo '@inner -o off.o' > outer
check "flags in a response file" "$cgcc" @outer
gcc -c 'small one.c' -o plain.o
check "... are obeyed" cmp off.o plain.o

# Objects of other flags, or of another plugin, never come out of a cache.
if command -v ccache > /dev/null; then
	export CCACHE_DIR=$TMP_DIR/ccache
	unset CCACHE_DISABLE CCACHE_DEPEND
	mkdir -p copy/lib
	cp -L "$build/cgcc" copy
	cp -r "$build/lib/cgview" copy/lib
	for mode in CCACHE_DIRECT=1 CCACHE_NODIRECT=1 CCACHE_NOCPP2=1; do
		for round in first second; do
			for flags in "" off targets counters=atomic exclude=main "exclude=a,exclude=b"; do
				CGVIEW_FLAGS=$flags "$cgcc" -MD -O2 -c small.c -o truth.o
				rm -f cached.o cached.d
				env "$mode" CGVIEW_FLAGS="$flags" ccache "$PWD/copy/cgcc" -MD -O2 \
					-c small.c -o cached.o
				check "$mode, $round time, '$flags': as without a cache" \
					same_code truth.o cached.o
			done
		done
		check "... no file of ours among the dependencies" \
			[ "$(grep -c 'proc\|cgview' cached.d)" = 0 ]
	done
	ccache -z > /dev/null
	ccache "$PWD/copy/cgcc" -O2 -MD -c small.c -o cached.o
	check "the same once more is a hit" grep -q "cache_miss	0" <(ccache --print-stats)
	touch "copy/lib/cgview/cgview$usual.so"
	ccache "$PWD/copy/cgcc" -O2 -MD -c small.c -o cached.o
	check "with another plugin it is none" grep -q "cache_miss	1" <(ccache --print-stats)
	CCACHE_DEPEND=1 ccache "$PWD/copy/cgcc" -O2 -MD -c small.c -o cached.o > out 2>&1
	check "depend mode, which cannot be told, is refused" [ $? = 1 ]
	check "... in one line" grep -q '^cgcc: ccache does not see .* in its depend mode' out
	for flags in "" targets off "" targets; do
		CGVIEW_FLAGS=$flags "$cgcc" -O2 -c small.c -o truth.o
		CGVIEW_CC="ccache gcc" CGVIEW_FLAGS=$flags "$cgcc" -O2 -c small.c -o cached.o
		check "CGVIEW_CC='ccache gcc', '$flags'" same_code truth.o cached.o
	done
else
	echo "skip - ccache is not installed"
fi
exit 0
