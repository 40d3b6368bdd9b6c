#!/bin/bash
# An error planted in a real program: Lua's table of strings no longer grows, so its chains do, and what
# should take as many steps as there are strings takes their square. The comparison of two runs has
# the walk along a chain as its first row, and so has a series; without the error they have not.
. tests/e2e/lib.sh
need_collection
fetch_source lua5.4 "$TMP_DIR/lua" unpatched
cd "$TMP_DIR" || exit 1
cat > strings.lua <<'END'
local n, t = tonumber(arg[1]), {}
for i = 1, n do t[i] = "key" .. i end
print(#t)
END
# So that runs are alike, as in tests/e2e/test-lua.sh.
fixed='-D"luai_makeseed(L)=1999" -DSTRCACHE_N=1 -DSTRCACHE_M=1'
must "fix the hash of addresses" sed -i 's/^#define point2uint(p).*/#define point2uint(p) 0u/' lua/src/llimits.h
# The error is in one file: the rest need not be compiled again.
for build in lua bad; do
	if [ $build = bad ]; then
		cp lua/src/lstring.c .
		sed -i 's/^\( *\)if (tb->nuse >= tb->size) {/\1if (0) {/' lua/src/lstring.c
		must "plant the error" bash -c '! cmp -s lstring.c lua/src/lstring.c'
	fi
	must "build $build" make -C lua/src linux CC="$cgcc" MYCFLAGS="-O1 $fixed"
	for n in 4000 8000 16000; do
		record $build-$n.db lua/src/lua strings.lua $n
	done
done
first() { "$cgview" diff --format csv --limit 1 "$@" | sed 1d | tr -d '\r'; }

# The chain is walked by this line of lstring.c, in internshrstr().
line=$(grep -n 'for (ts = \*list; ts != NULL; ts = ts->u.hnext)' lua/src/lstring.c | cut -d: -f1)
first --by range -e 'b.count - 2 * a.count' bad-4000.db bad-8000.db > out
cat out
check "expressions beyond twice: the walk is first" grep -q "^internshrstr,.*lstring.c,$line," out
# What is done at each step stands in the line below.
first --by line -e 'b.count - 2 * a.count' bad-4000.db bad-8000.db > out
cat out
check "lines: the walk, or its step, is first" grep -qE "lstring.c,($line|$((line + 1)))," out
first --by line -e 'b.count - 2 * a.count' lua-4000.db lua-8000.db > out
check "without the error it is not" bash -c "! grep -q 'lstring.c,$line,' out"
first --by line lua-8000.db bad-8000.db -e count > out
check "the two builds: the walk is first" grep -q "lstring.c,$line," out
printf '4000\n8000\n16000\n' > sizes
first --series sizes --by range bad-4000.db bad-8000.db bad-16000.db > out
cat out
check "a series: the walk is first, and quadratic" bash -c "grep -q '^internshrstr,' out &&
	awk -F, '{ exit !(\$8 > 1.8 && \$8 < 2.2 && \$9 > 0.99) }' out"
first --series sizes --by range lua-4000.db lua-8000.db lua-16000.db > out
check "without the error nothing is" bash -c "awk -F, '{ exit !(\$8 < 1.5) }' out"
