#!/bin/bash
# Which compiler is called, and that there is one clear line when none of the plugins fits it. That the
# counts are the same with all of them: test-matrix.sh.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
echo 'int main(void) { return 0; }' > small.c

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

# A compiler for which there is no plugin.
mkdir bin
printf '#!/bin/sh\necho 99\n' > bin/gcc-99
chmod +x bin/gcc-99
PATH=$PWD/bin:$PATH CGVIEW_CC=gcc-99 "$cgcc" -c small.c > out 2>&1
check "no plugin: status 1" [ $? = 1 ]
check "... and one line" [ "$(wc -l < out)" = 1 ]
for word in "no plugin for GCC 99" "$build/lib/cgview" gcc-99-plugin-dev "make plugin PLUGIN_CC=gcc-99"; do
	check "... that says '${word##*/}'" grep -qF "$word" out
done
CGVIEW_CC=clang "$cgcc" -c small.c > out 2>&1
check "clang: one line that tells why not" grep -q '^cgcc: clang is not GCC' out
exit 0
