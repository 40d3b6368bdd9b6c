#!/bin/bash
# Debug information that is not in the program: in a file that it names, below --debug-dir, in a copy of another system
# (--symfs), in what dwz made common. All have the figures of the whole program; where they stand addr2line knows, too.
set -u
. tests/db/lib.sh
need sqlite3
need python3
cd "$TMP_DIR" || exit 1
export HOME=/dev/null

# equal NAME EXPECTED GOT
equal()
{
	check "$1" diff <(printf '%s\n' "$2") <(printf '%s\n' "$3")
}

mkdir source away debug copy
# As much as it takes for dwz to find it worth a common file.
{
	echo 'struct common_thing { int first_member, second_member; struct common_thing *next_of_them; };'
	for i in 1 2 3 4 5 6 7 8; do
		echo "struct common_$i { struct common_thing thing_of_$i; char name_of_$i[$i]; long long number_of_$i; };"
		echo "extern struct common_$i *common_variable_$i;"
	done
	echo 'static inline __attribute__((always_inline)) void inner_procedure(struct common_thing *that_one)'
	echo '{'
	echo '	__asm__ volatile("nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop;nop" : : "r"(that_one));'
	echo '}'
} > source/common.h
for name in m other; do
	cat > source/$name.c <<'END'
#include "common.h"
struct common_1 *use_1; struct common_2 *use_2; struct common_3 *use_3; struct common_4 *use_4;
struct common_5 *use_5; struct common_6 *use_6; struct common_7 *use_7; struct common_8 *use_8;
void two(void) { inner_procedure(0); }
void one(void) { inner_procedure(0); }
int main(void) { inner_procedure(0); return 0; }
END
	(cd source && gcc -O1 -g -Wl,--build-id -o ../$name.whole $name.c) || exit 1
	objcopy --only-keep-debug $name.whole $name.debug || exit 1
done
cp m.whole m
python3 "$top/tests/collect/perf_data.py" plain "$PWD/m" m.data || exit 1
objcopy --strip-debug --add-gnu-debuglink=m.debug m.whole m.stripped || exit 1
id=$(readelf -n m | sed -n 's/.*Build ID: //p')

# figures OPTION...: of m.data
figures()
{
	rm -f m.db
	"$cgview" import "$@" -o m.db m.data > out 2>&1 || { cat out; return; }
	sqlite3 m.db "SELECT p.name, f.path, p.line, p.self_samples, p.total_samples FROM procedure p
		LEFT JOIN file f ON f.id = p.file ORDER BY 1, 2"
	sqlite3 m.db "SELECT f.path, l.line, l.self_samples FROM line l JOIN file f ON f.id = l.file
		WHERE l.self_samples ORDER BY 1, 2"
}

expected=$(figures)
at=$(nm m | awk '$3 == "one" { print $1 }')
equal "the whole program: addr2line names the same, inlined" "inner_procedure $PWD/source/common.h:$(grep -n __asm__ source/common.h | cut -d: -f1)" \
	"$(addr2line -i -f -e m "$(printf '%#x' $((16#$at + 5)))" | head -2 | paste -sd' ' | sed 's/ (disc.*//')"
check "... which is in the profile" grep -q "^inner_procedure|.*common.h|" <<< "$expected"
cp m.stripped m
mv m.debug away/m.debug
check "stripped, and its file away: less is known" [ "$(figures | grep -c common.h)" = 0 ]
cp away/m.debug m.debug
equal "the file that it names, beside it" "$expected" "$(figures)"
mkdir .debug
mv m.debug .debug
equal "... in .debug" "$expected" "$(figures)"
rm -r .debug
mkdir -p "debug$PWD" "debug/.build-id/${id:0:2}"
cp away/m.debug "debug$PWD/m.debug"
equal "... below --debug-dir, by its path" "$expected" "$(figures --debug-dir away/../debug/)"
mv "debug$PWD/m.debug" "debug/.build-id/${id:0:2}/${id:2}.debug"
equal "... by its build id" "$expected" "$(figures --debug-dir away --debug-dir debug)"
cp away/m.debug debug/m.debug
rm "debug/.build-id/${id:0:2}/${id:2}.debug"
equal "... by its name" "$expected" "$(figures --debug-dir debug)"
cp other.debug debug/m.debug
objcopy --remove-section=.note.gnu.build-id m.stripped m.plain
equal "one of another build is not taken" 0 "$(figures --debug-dir debug | grep -c common.h)"
rm debug/m.debug

# A copy of the system: what stands at the path here is another program.
cp other.whole m
mkdir -p "copy$PWD" copy/usr/lib/debug/.build-id/"${id:0:2}"
cp m.stripped "copy$PWD/m"
cp away/m.debug "copy/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
equal "a copy of the system" "$expected" "$(figures --symfs copy)"
rm "copy/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
mkdir -p "copy/usr/lib/debug$PWD"
cp away/m.debug "copy/usr/lib/debug$PWD/m.debug"
equal "... the debug file by its path" "$expected" "$(figures --symfs copy/)"
for option in --symfs --debug-dir --programs; do
	"$cgview" import $option /nowhere m.data > out 2>&1
	equal "$option: no such directory" "2|cgview: $option /nowhere: there is no such directory" "$?|$(cat out)"
done
cp m.stripped m

# Raw profiles: the program, its debug file and the libraries are only in the copy.
mkdir raw moved
cat > raw/r.c <<'END'
#include <stdlib.h>
#include <string.h>
static char text[1 << 16];
static volatile size_t sum;
static int compare(const void *a, const void *b) { return *(const char *)a - *(const char *)b; }
int main(void)
{
	for (int i = 0; i < 200; i++) {
		for (size_t k = 0; k < sizeof(text); k++)
			text[k] = (char)(k * 31 + i);
		qsort(text, 20000, 1, compare);
		sum += strlen(text);
	}
	return 0;
}
END
# raw_figures OPTION...: of the one raw profile
raw_figures()
{
	rm -f r.db
	"$cgview" import "$@" -o r.db raw/*.raw > out 2>&1 || { cat out; return; }
	sqlite3 r.db "SELECT name, calls, self_samples, total_samples FROM procedure ORDER BY 1, 2, 3, 4"
	sqlite3 r.db "SELECT f.path, l.line, l.count, l.self_samples FROM line l JOIN file f ON f.id = l.file ORDER BY 1, 2"
}
(cd raw && "$build/cgcc" -g -O1 -Wl,--build-id r.c -o r && CGVIEW_HZ=1000 ./r) > out 2>&1 || cat out
raw_expected=$(raw_figures)
check "raw: the library's procedures are known" grep -q 'sort' <<< "$(grep -v '^main\|^compare' <<< "$raw_expected")"
mkdir -p "moved$PWD/raw"
objcopy --only-keep-debug raw/r raw/r.debug && objcopy --strip-debug --add-gnu-debuglink=raw/r.debug raw/r
mv raw/r raw/r.debug "moved$PWD/raw"
ldd "moved$PWD/raw/r" | grep -o '/[^ ]*' | while read -r library; do cp -L --parents "$library" moved; done
check "raw: not there any more" grep -q 'raw/r' <<< "$(raw_figures)"
equal "raw: a copy of the system" "$raw_expected" "$(raw_figures --symfs moved)"

# Kept by build id or by name; what has another build id is not it, whatever its name.
kept=moved$PWD/raw
id=$(readelf -n "$kept/r" | sed -n 's/ *Build ID: //p')
mkdir -p "store/.build-id/${id:0:2}" names "fetched/$id"
cp "$kept/r" "store/.build-id/${id:0:2}/${id:2}"
cp "$kept/r.debug" "store/.build-id/${id:0:2}/${id:2}.debug"
cp "$kept/r" "$kept/r.debug" names
equal "raw: a program by its build id" "$raw_expected" "$(raw_figures --programs store)"
equal "raw: a program by its name" "$raw_expected" "$(raw_figures --programs names)"
gone=$(raw_figures --programs "$kept/..")
check "raw: what is nowhere is said to be where it was" grep -q "^cgview: .*$PWD/raw/r: " <<< "$gone"
echo 'int main(void) { return 0; }' > raw/other.c
(cd raw && "$build/cgcc" -O1 -Wl,--build-id other.c -o r) 2> /dev/null
check "raw: rebuilt, and nowhere else" grep -q 'its build-id differs' <<< "$(raw_figures)"
equal "raw: rebuilt, the old one in another directory" "$raw_expected" "$(raw_figures --programs store)"
cp raw/r names/r
check "raw: another build of that name is not it" grep -q 'its build-id differs' <<< "$(raw_figures --programs names)"
cp "$kept/r" "fetched/$id/executable"
cp "$kept/r.debug" "fetched/$id/debuginfo"
equal "raw: what the client of debuginfod has kept" "$raw_expected" "$(DEBUGINFOD_CACHE_PATH=$PWD/fetched raw_figures)"
rm raw/r

# Callgrind's files name programs: which build one is of is known from the copy.
printf 'events: Ir\nob=%s/raw/r\nfl=r.c\nfn=main\n8 100\n' "$PWD" > callgrind.out.1
build_of() { rm -f c.db; "$cgview" import "$@" -o c.db callgrind.out.1 > out 2>&1; sqlite3 c.db 'SELECT build_id FROM module'; }
equal "callgrind: not there any more" "" "$(build_of)"
equal "callgrind: a copy of the system" "$(readelf -n "moved$PWD/raw/r" | sed -n 's/ *Build ID: //p')" "$(build_of --symfs moved)"

# dwz moves what both have into a file that both name: procedures and texts are there then.
if command -v dwz > /dev/null; then
	cp away/m.debug debug/m.debug
	cp other.debug debug/other.debug
	mkdir debug/.dwz
	if (cd debug && dwz -m .dwz/common -M ../debug/.dwz/common m.debug other.debug) 2> out &&
		readelf -S debug/m.debug | grep -q gnu_debugaltlink; then
		check "dwz: the name is not in the program's file" test -z "$(strings debug/m.debug | grep inner_procedure)"
		equal "... it is found in the common one" "$expected" "$(figures --debug-dir debug)"
		common=$(readelf -n debug/.dwz/common | sed -n 's/.*Build ID: //p')
		mkdir -p "debug/.build-id/${common:0:2}"
		mv debug/.dwz/common "debug/.build-id/${common:0:2}/${common:2}.debug"
		equal "... by its build id" "$expected" "$(figures --debug-dir debug)"
		cp other.debug "debug/.build-id/${common:0:2}/${common:2}.debug"
		equal "... not in one of another build" 0 "$(figures --debug-dir debug | grep -c inner_procedure)"
		check "... without harm" test -s m.db
	else
		echo "skip - dwz finds nothing in common: $(cat out)"
	fi
else
	echo "skip - no dwz"
fi
