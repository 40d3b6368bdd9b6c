#!/bin/bash
# Lua 5.4, built by its own makefile with CC=cgcc at -O2: counts equal gcov's at -O0.
. tests/e2e/lib.sh
need_collection
# Debian's patches replace the makefile; Lua's own is what its users have.
fetch_source lua5.4 "$TMP_DIR/lua" unpatched
cd "$TMP_DIR" || exit
cp "$here/workload.lua" .

# Lua seeds its string hashes with an address and the time, finds cached strings by address, and
# hashes addresses where they are keys. All fixed, so that runs are alike.
fixed='-D"luai_makeseed(L)=1999" -DSTRCACHE_N=1 -DSTRCACHE_M=1'
must "fix the hash of addresses" sed -i 's/^#define point2uint(p).*/#define point2uint(p) 0u/' lua/src/llimits.h
must "it is fixed" grep -q '^#define point2uint(p) 0u$' lua/src/llimits.h
cp -r lua truth
cp -r lua unoptimised
must "build lua with cgcc" make -C lua/src linux CC="$cgcc" MYCFLAGS="$fixed"
ok "lua builds by its own makefile with CC=cgcc"

# The program alone, where it is not the build that is tried: the options are those of Lua's target "linux", which makes
# its compiler, too.
program() # program DIRECTORY CC MYCFLAGS [MYLDFLAGS]
{
	make -C "$1/src" lua CC="$2" CMCFLAGS= MYCFLAGS="$3" MYLDFLAGS="${4-}" SYSCFLAGS=-DLUA_USE_LINUX SYSLIBS="-Wl,-E -ldl"
}
truth() # truth RESULT
{
	(
		cd truth/src && rm -f ./*.gcda
		./lua ../../workload.lua 2 > ../../expected.out
		gcov --json-format --stdout ./*.gcda > "../../$1.json" 2> /dev/null
		gcov --all-blocks --stdout ./*.gcda > "../../$1.txt" 2> /dev/null
	)
}
must "build lua with gcov" program truth "gcc -std=gnu99" "-O0 --coverage $fixed" --coverage
truth truth
# The same without computed goto, which is in one file.
must "there is one file with gotos" [ "$(grep -l LUA_USE_JUMPTABLE lua/src/*.c)" = lua/src/lvm.c ]
rm truth/src/lvm.o truth/src/lvm.gcno
must "build lua with gcov, without computed goto" program truth "gcc -std=gnu99" \
	"-O0 --coverage $fixed -DLUA_USE_JUMPTABLE=0" --coverage
truth other

# The same unoptimised, where no call is a jump: what tail calls do at -O2.
must "build lua with cgcc -O0" program unoptimised "$cgcc" "-O0 $fixed"
for build in unoptimised lua; do
	cd "$TMP_DIR/$build/src" || exit
	record "$TMP_DIR/$build.db" ./lua ../../workload.lua 2
done
cd "$TMP_DIR" || exit
check "the program's output is unchanged" cmp expected.out record.out
python3 "$here/compare.py" --cgview "$cgview" --root lua --truth truth.json \
	--other computed-goto=other.json --blocks truth.txt --unoptimised unoptimised.db --db lua.db --least 1000 \
	--allow computed-goto=20 --allow several-blocks=10 \
	--allow bare-jump=5 --allow bare-label=2 --allow jump-in-arm=7 --allow operand-on-line=10 --allow call-on-lines=5 \
	--allow tail-call=5 --allow only-jump=4 --allow endless-head=5 --allow arms-on-lines=20
check "the times of the roots are all there is" conserved "$TMP_DIR/lua.db"
