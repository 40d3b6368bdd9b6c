# The programs of bench/gcov/compare. For each: fetch_NAME DIRECTORY unpacks its sources and does
# what needs no compiler; build_NAME CC CFLAGS LDFLAGS builds in the current directory;
# work-NAME.sh is what it does there. Results of the work go to $OUT, where they are compared.
PROGRAMS="lua bzip2 zlib speedtest sqlite tcc gawk zstd"

declare -A RUNS OTHER REFERENCE
# How often the reference runs (2); more where the program does not do the same twice.
RUNS=([lua]=3)
# The reference is built once more with these options, where computed goto must be told from it.
OTHER=([lua]=-DLUA_USE_JUMPTABLE=0)
# More options for the reference. gcov has no record of a procedure that must be inlined.
REFERENCE=([zstd]=-Dalways_inline=unused [gawk]=-Dalways_inline=unused)

# Lua seeds its string hashes with an address and the time, and finds cached strings by address.
# Keys that are pointers are hashed by their address: here by its last bits, which are alike in all
# builds, as the heap begins at a page.
fetch_lua()
{
	fetch_source lua5.4 "$1" unpatched
	sed -i "s/(size_t)(p) & UINT_MAX/(size_t)(p) \\& 0xfff/" "$1/src/llimits.h"
}
build_lua()
{
	make -C src linux CC="$1" CMCFLAGS= MYLDFLAGS="$3" \
		MYCFLAGS="$2 -D'luai_makeseed(L)=1999' -DSTRCACHE_N=1 -DSTRCACHE_M=1"
}

fetch_bzip2() { fetch_source bzip2 "$1"; }
build_bzip2() { make bzip2 CC="$1" CFLAGS="$2 -g -D_FILE_OFFSET_BITS=64" LDFLAGS="$3"; }

fetch_zlib() { fetch_source zlib "$1"; }
build_zlib()
{
	CC="$1" CFLAGS="$2" LDFLAGS="$3" ./configure --static && make minigzip example
}

fetch_speedtest()
{
	need tclsh
	fetch_source sqlite3 "$1"
	(cd "$1" && must "configure sqlite" ./configure --disable-tcl --disable-readline &&
		must "make sqlite's one source file" make sqlite3.c shell.c)
}
build_speedtest()
{
	$1 $2 $3 -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I. -o speedtest1 \
		test/speedtest1.c sqlite3.c -lm
}

fetch_sqlite() { fetch_speedtest "$1"; }
build_sqlite()
{
	$1 $2 $3 -DSQLITE_ENABLE_FTS5 -DSQLITE_ENABLE_RTREE -DSQLITE_ENABLE_JSON1 \
		-DSQLITE_ENABLE_EXPLAIN_COMMENTS -I. -o sqlite3 shell.c sqlite3.c -lm -ldl -lpthread
}

fetch_tcc() { fetch_source tcc "$1"; }
build_tcc()
{
	./configure --cc="$1" --extra-cflags="$2 -g" --extra-ldflags="$3" && make tcc
}

fetch_gawk() { fetch_source gawk "$1"; }
build_gawk()
{
	./configure CC="$1" CFLAGS="$2 -g" LDFLAGS="$3" --disable-extensions --disable-nls \
		--without-mpfr --without-readline --disable-pma && make -C support && make gawk
}

fetch_zstd() { fetch_source libzstd "$1"; }
build_zstd()
{
	make -C programs zstd CC="$1" CFLAGS="$2 -g" LDFLAGS="$3" HAVE_ZLIB=0 HAVE_LZMA=0 HAVE_LZ4=0 \
		HAVE_THREAD=0 BACKTRACE=0 V=1
}
