#!/bin/bash
# A compiler that no plugin fits: one line says what to do, that is done, and what is compiled then counts. The plugin
# that does not fit is one for another day, as after an update of the system.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
export XDG_CACHE_HOME=$TMP_DIR/cache
usual=$(gcc -dumpversion | cut -d. -f1)
headers=$(gcc -print-file-name=plugin)/include
[ -e "$build/obj/plugin-$usual/plugin.o" ] || skip_all "the plugin here is not that of gcc"
[ -d "$build/share/cgview/plugin" ] || skip_all "no sources of the plugin are in the build"

# An installation of our own, with a plugin for a compiler of 2001.
mkdir -p inc inst/bin inst/lib inst/share
cp -r "$build/lib/cgview" inst/lib
cp -r "$build/share/cgview" inst/share
cp "$build/cgcc" inst/bin
sed 's/datestamp\[\] = "[0-9]*/datestamp[] = "20010203/' "$headers/plugin-version.h" > inc/plugin-version.h
cp "$headers/configargs.h" inc
must "build the plugin's main file" g++ $(cat "$build/share/cgview/plugin/flags") -w -O0 -I inc \
	-I"$top/src/collect/plugin" -isystem "$headers" -c -o plugin.o "$top/src/collect/plugin/plugin.c"
must "link it" gcc -shared -Wl,-Bsymbolic -o "inst/lib/cgview/cgview$usual.so" plugin.o \
	$(ls "$build/obj/plugin-$usual"/*.o | grep -v '/plugin\.o$')
echo 'int main(void) { return 0; }' > small.c
mine=inst/bin/cgcc

refused() # refused NAME PATTERN COMMAND...: status 1, and its last line is this
{
	local name=$1 pattern=$2
	shift 2
	"$@" > out 2>&1
	check "$name: status 1" [ $? = 1 ]
	check "... says why" grep -q "$pattern" <(tail -1 out)
}

refused "after an update" "this plugin was built for GCC .*(20010203).*: the date differs; build one for it: .*gcc" "$mine" -c small.c
check "... in one line" [ "$(wc -l < out)" = 1 ]
command=$(grep -o 'cgcc --cgview-build-plugin [^ ’'\'']*' out)
check "... with a command" [ -n "$command" ]

# What it can lack.
mkdir bin
cat > bin/bare-gcc <<'E2'
#!/bin/sh
case $1 in -print-file-name=*) echo plugin ;; *) exec gcc "$@" ;; esac
E2
printf '#!/bin/sh\nexec gcc "$@"\n' > bin/lonely-gcc
chmod +x bin/*
refused "without plugin headers" "the plugin headers of bin/bare-gcc are missing: apt-get install gcc-$usual-plugin-dev" \
	"$mine" --cgview-build-plugin bin/bare-gcc
refused "without g++" "bin/lonely-g++, which .* is missing: apt-get install g++-$usual" "$mine" --cgview-build-plugin bin/lonely-gcc
refused "without a compiler" 'cannot run the compiler nowhere-gcc' "$mine" --cgview-build-plugin nowhere-gcc
"$mine" --cgview-build-plugin gcc g++ > out 2>&1
check "two compilers: status 2" [ $? = 2 ]
mv inst/share kept
refused "without sources" 'the sources of the plugin, is not there' "$mine" --cgview-build-plugin
mv kept inst/share
check "... nothing was left" [ -z "$(find . -name 'built-*')" ]

# A g++ that compiles only the main file, and has of the others what make has compiled of the same. The library cannot
# be written to: it goes to the user's cache.
mkdir quick
cat > quick/g++ <<E2
#!/bin/bash
for word; do
	[ "\$before" != -o ] || out=\$word
	before=\$word
done
[ -e "$build/obj/plugin-$usual/\${out##*/}" ] && [ "\${out##*/}" != plugin.o ] &&
	exec cp "$build/obj/plugin-$usual/\${out##*/}" "\$out"
exec $(type -ap g++ | grep -v ccache | head -1) "\$@"
E2
chmod +x quick/g++
key=$(strings -a "$mine" | sed -n 's|^%s/\(built-[0-9.]*-[0-9]*\)$|\1|p' | head -1)
check "it has a folder for this cgview alone" [ -n "$key" ]
touch "inst/lib/cgview/$key" "inst/lib/cgview/x"
cp inst/share/cgview/plugin/plugin.c kept.c
echo '#error broken' >> inst/share/cgview/plugin/plugin.c
PATH=$PWD/quick:$PATH
refused "sources that do not compile" 'the plugin for gcc could not be built' "$mine" --cgview-build-plugin
check "... nothing is left but a folder" [ -z "$(find cache ! -type d)" ]
mv kept.c inst/share/cgview/plugin/plugin.c
PATH=$PWD/inst/bin:$PATH $command > out 2>&1
check "the command that was told builds it" [ $? = 0 ]
check "... in the user's cache" [ "$(ls -d cache/cgview/built-*/"$(gcc -dumpfullversion)"-*.so 2> /dev/null | wc -l)" = 1 ]
check "... and leaves nothing else" [ "$(find cache -type f | wc -l)" = 1 ]
cat > calls.c <<'E2'
int twice(int i) { return 2 * i; }
int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += twice(i); return s != 999000; }
E2
for how in "" "for a compiler that has no other"; do
	[ -z "$how" ] || rm "inst/lib/cgview/cgview$usual.so"
	for level in -O0 -O2; do
		rm -f calls
		"$mine" $level calls.c -o calls > out 2>&1
		check "then it compiles, $level $how" [ "$?$(wc -l < out)" = 00 ]
		record calls.db ./calls
		check "... and counts" [ "$(count_of calls.db twice) $(count_of calls.db main)" = "1000 1" ]
	done
	"$mine" -O2 -c calls.c -o mine.o
	"$cgcc" -O2 -c calls.c -o usual.o
	for o in mine usual; do objdump -d $o.o | tail -n +4 > $o.s; done
	check "... the same code as any" cmp mine.s usual.s
done
check "a folder that others can write to is not looked into" sh -c \
	'chmod o+w cache/cgview/built-* && ! "$1" -c small.c > out 2>&1 && grep -q "no plugin for GCC" out' sh "$mine"

# Where the library can be written to, it is built for all.
rm "inst/lib/cgview/$key"
mkdir "inst/lib/cgview/$key"
cp cache/cgview/built-*/*.so "inst/lib/cgview/$key"
check "... one in the library is" "$mine" -O2 calls.c -o calls
