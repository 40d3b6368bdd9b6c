#!/bin/bash
# One program in several files with three libraries, built in every way that people build: the counts
# are those that stand in its sources, whatever the compiler, the linker and their options.
. tests/e2e/lib.sh
need_collection
cp -r "$here/programs/matrix" "$TMP_DIR/matrix"
cd "$TMP_DIR/matrix" || exit
sources=(main.c part.c start.c second.c plug.c matrix.h)
profile=$TMP_DIR/matrix.db

compile() # compile FLAGS FILE...: objects
{
	local flags=$1
	shift
	"$cgcc" $flags -c "$@"
}

# The libraries are shared; the first two are there at the start, the third is opened.
shared() # shared COMPILE LINK
{
	compile "$1 -DPLUG=\"./plug.so\"" main.c part.c && compile "$1 -fPIC" start.c second.c plug.c &&
		"$cgcc" $1 $2 -shared start.o -o libstart.so &&
		"$cgcc" $1 $2 -shared second.o -L. -lstart -o libsecond.so &&
		"$cgcc" $1 $2 -shared plug.o -o plug.so &&
		"$cgcc" $1 $2 main.o part.o -L. -lsecond -lstart -Wl,-rpath,"$PWD" -ldl -o program
}

archive() # archive COMPILE LINK: the libraries are archives
{
	compile "$1" "${sources[@]:0:5}" && rm -f ./*.a && gcc-ar rc libplug.a plug.o &&
		gcc-ar rc libstart.a start.o && gcc-ar rc libsecond.a second.o &&
		"$cgcc" $1 $2 main.o part.o -L. -lplug -lsecond -lstart -o program
}

# Archives; what a first run tells the compiler is used for the second build.
feedback() # feedback COMPILE LINK
{
	rm -f ./*.gcda
	archive "$1 -fprofile-generate -fprofile-update=atomic" "$2" && CGVIEW_OUT=off ./program &&
		ls ./*.gcda && archive "$1 -fprofile-use -Werror=missing-profile" "$2"
}

once() # once COMPILE LINK: all files in one call of the compiler
{
	"$cgcc" $1 $2 "${sources[@]:0:5}" -o program
}

build() # build NAME LAYOUT COMPILE [LINK]: and compare
{
	local name="$1, $2" layout=$2
	if ! "$layout" "$3" "$4 -pthread" > build.log 2>&1; then
		tail -20 build.log
		not_ok "$name: builds"
		return
	fi
	record "$profile" ./program
	check "$name" python3 "$here/expected.py" main.c "$cgview" "$profile" "${sources[@]:1}"
	rm -f program ./*.o ./*.so
}

build -O0 shared -O0
build "-O2 with hidden names" shared "-O2 -fvisibility=hidden"
build "-O3 -flto" shared "-O3 -flto"
build "-O2 -Bsymbolic, bound at the start" shared "-O2 -fno-plt -fno-semantic-interposition" \
	"-Wl,-Bsymbolic -Wl,-z,now"
build "hardened as Debian's packages" shared "-O2 -D_FORTIFY_SOURCE=2 -fstack-protector-strong
	-fstack-clash-protection -fcf-protection -Wformat -Werror=format-security" \
	"-Wl,-z,relro -Wl,-z,now -Wl,--as-needed"
for level in -O1 -Os -Og; do
	build $level archive $level
done
build "-O2 -static" archive -O2 -static
build "-O2 -static-pie" archive "-O2 -fPIE" -static-pie
build "-O2 -no-pie" archive "-O2 -fno-pie" -no-pie
build "-O2 --gc-sections" archive "-O2 -ffunction-sections -fdata-sections" -Wl,--gc-sections
build "-O2 -flto -static" archive "-O2 -flto" -static
build "-O3 -flto --gc-sections" archive "-O3 -flto -ffunction-sections" -Wl,--gc-sections
build "-O3 -flto -fwhole-program" once "-O3 -flto -fwhole-program"
build "-O3 -march=native -funroll-all-loops -ffast-math" once \
	"-O3 -march=native -funroll-all-loops -ffast-math"
build "-O2, stripped" once -O2 -s
build "-O2 -g0" once "-O2 -g0"
build "-O2 -gsplit-dwarf -gdwarf-4" archive "-O2 -gsplit-dwarf -gdwarf-4"
build "-O2 -masm=intel" once "-O2 -masm=intel"
build "-O2 -mcmodel=large" once "-O2 -fno-pie -mcmodel=large" -no-pie
build "-O2 -pg" once "-O2 -pg"
build "-O2 -finstrument-functions" once "-O2 -finstrument-functions"
build "-O2 --coverage" once "-O2 --coverage -fprofile-update=atomic"
build "-O2 -fprofile-use" feedback -O2
build "-O3 -flto -fprofile-use" feedback "-O3 -flto"
for mode in mode=block mode=block,counters=atomic; do
	CGVIEW_FLAGS=$mode build "$mode -O2" shared -O2
done

# What is not installed everywhere.
echo 'int main(void) { return 0; }' > empty.c
works() { gcc $1 empty.c -o empty && ./empty; } > /dev/null 2>&1
optional() # optional OPTION NAME LAYOUT COMPILE [LINK]
{
	if works "$1"; then
		shift
		build "$@"
	else
		echo "skip - $2: $1 does not work here"
	fi
}
for linker in gold lld mold; do
	optional "-fuse-ld=$linker" "$linker" shared -O2 "-fuse-ld=$linker"
	optional "-fuse-ld=$linker" "$linker --gc-sections" archive "-O2 -ffunction-sections" \
		"-fuse-ld=$linker -Wl,--gc-sections"
	for how in -static -static-pie; do
		optional "-fuse-ld=$linker $how -fPIE" "$linker $how" archive "-O2 -fPIE" \
			"-fuse-ld=$linker $how"
	done
done
optional "-fuse-ld=gold" "gold --icf=all" archive "-O2 -ffunction-sections" \
	"-fuse-ld=gold -Wl,--icf=all"
for linker in gold mold; do
	optional "-fuse-ld=$linker -flto" "$linker -flto" archive "-O2 -flto" "-fuse-ld=$linker"
	optional "-fuse-ld=$linker -flto" "$linker -flto, libraries" shared "-O2 -flto" \
		"-fuse-ld=$linker"
done
for sanitizer in address undefined thread leak; do
	optional -fsanitize=$sanitizer "-fsanitize=$sanitizer" shared "-O1 -fsanitize=$sanitizer"
done

# The other compilers of this system, each with its own plugin; objects of both in one program.
for version in 11 12 13 14; do
	if [ ! -e "$build/lib/cgview/cgview$version.so" ] || ! command -v gcc-$version > /dev/null; then
		continue
	fi
	for level in -O0 -O2 "-O3 -flto"; do
		CGVIEW_CC=gcc-$version build "GCC $version $level" once "$level"
	done
done
exit 0
