#!/bin/bash
# Cost centres, and procedures that are left out: programs in which every procedure has a share of
# the time that is known beforehand, charged by program counter and by cost centre.
set -u
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit 1
from=$here/programs/centres
left_out='--cgview-flags=centres,exclude=left_out_*'

# The code that takes the time is not profiled, and the same for all.
must "build" gcc -O1 -fPIC -shared -o libburn.so "$from/burn.c"
must "build" gcc -O1 -c -o burn.o "$from/burn.c"

# group NAME PROGRAM TENTHS: let it run so long, compare with the shares of that name. A machine that
# is busy takes few samples: then longer. A share may be far off by chance, too, but not three times.
group()
{
	local name=$1 program=$2 tenths=$3 try
	for try in 1 2 3; do
		record s.db "$program" "$name" "$tenths"
		"$here/shares.py" s.db "$from/shares.expected" "$name" > verdict && break
		sed "s/^[^#]/# try $try: &/" verdict
		tenths=$((tenths * 2))
	done
	[ -s verdict ] || echo "skip - shares of $name: the machine takes too few samples" > verdict
	sed "s/^\(ok\|not ok\) - .*/&, $build_name/" verdict
}

build_name="-O2, in a library"
must "build" "$cgcc" "$left_out" -O2 -fPIC -shared -o liblibrary.so "$from/library.c" \
	-L. -lburn -Wl,-rpath,"$PWD"
must "build" "$cgcc" "$left_out" -O2 -o shares "$from/shares.c" -L. -llibrary -lburn -Wl,-rpath,"$PWD"
for name in left jumps outside; do
	group $name ./shares 6
done
group threads ./shares 4

build_name="-O3 -flto -static"
must "build" "$cgcc" "$left_out" -O3 -flto -static -o shares "$from/shares.c" "$from/library.c" burn.o
for name in left outside; do
	group $name ./shares 6
done

build_name="-O0"
must "build" "$cgcc" "$left_out" -O0 -o shares "$from/shares.c" "$from/library.c" burn.o
group jumps ./shares 6

build_name="C++"
must "build" "${cgcc%cgcc}cgg++" --cgview-flags=centres -O2 -o throws "$from/throws.cc" burn.o
group throws ./throws 6

check "samples carry a centre" [ "$(sqlite3 s.db 'SELECT samples = centre_samples FROM run')" = 1 ]
must "build" "$cgcc" -O2 -o plain "$from/shares.c" "$from/library.c" burn.o
record plain.db ./plain left 2
check "without the flag none does" \
	[ "$(sqlite3 plain.db 'SELECT centre_samples FROM run')" = 0 ]
check "report --self centre sorts by it" [ "$("$cgview" report --self centre --format csv s.db |
	sed -n 2p | cut -d, -f1)" = "$(sqlite3 s.db 'SELECT name FROM procedure
	ORDER BY centre_ns DESC, calls DESC, id LIMIT 1')" ]
check "... by the option that it was" cmp <("$cgview" report --charge centre s.db) <("$cgview" report --self centre s.db)
check "... and prints it" grep -q 'by pc' <("$cgview" report --self centre s.db)
check "... and says what to do without" grep -q 'cgview-flags=cost-centres and record again' \
	<("$cgview" report --self centre plain.db 2>&1)
check "... only by procedure" grep -q 'goes with --by procedure' \
	<("$cgview" report --self centre --by line s.db 2>&1)

# Nothing is done for tail calls, and nothing at exit: the procedures keep their jumps.
jumps_of() { awk -v p="$1" '$0 == p ":" { on = 1 } on && /jmp/ { print $2 } /cfi_endproc/ { on = 0 }'; }
for flags in -O2 "-O2 -fPIC" "-O2 -fno-pie"; do
	"$cgcc" $left_out $flags -S -o - "$from/shares.c" > shares.s
	check "a call in tail position stays a jump ($flags)" \
		[ "$(jumps_of jumps < shares.s)$(jumps_of jumps_to_profiled < shares.s)" = \
		  left_out_plainjumped_to ]
	check "what is left out sets nothing without calls of its own" \
		[ -z "$(awk '/^left_out_plain:/ { on = 1 } on && /current/; /cfi_endproc/ { on = 0 }' shares.s)" ]
done
check "one store at entry and behind each call, none at exit" \
	[ "$("$cgcc" --cgview-flags=centres -O2 -fno-pie -fno-inline -S -o - -x c - <<- 'END' |
	void a(void), b(void); int c;
	void f(void) { a(); b(); c++; }
	END
	grep -c 'mov.*__cgview_current')" = 3 ]

echo 'void f(void); void g(void) { f(); f(); }' > free.c
check "none where there is no thread-local storage" \
	[ "$("$cgcc" --cgview-flags=centres -ffreestanding -S -o - free.c | grep -c cgview_current)" = 0 ]

# A library that is loaded late by a program without the runtime has a word of its own.
cat > late.c <<'END'
#include <dlfcn.h>
int main(void)
{
	void *l = dlopen("./liblibrary.so", RTLD_NOW);
	void (*f)(void) = l ? (void (*)(void))dlsym(l, "in_library") : 0;
	for (int i = 0; f && i < 10000; i++)
		f();
	return !f;
}
END
for compiler in gcc "$cgcc --cgview-flags=centres" "$cgcc"; do
	must "build" $compiler -O2 -o late late.c -ldl
	# Some samples are of what comes before; on a busy machine there are few.
	for try in 1 2 3 4 5; do
		rm -f late.raw*
		must "run" env CGVIEW_OUT="$PWD/late.raw" ./late
		must "import" "$cgview" import -o late.db late.raw*
		charged=$(sqlite3 late.db "SELECT centre_samples > 20 AND centre_samples >= 0.9 *
			(SELECT samples FROM run) FROM procedure WHERE name = 'in_library'")
		[ "$charged" = 1 ] && break
	done
	check "library loaded late, program compiled with $(basename "${compiler#*=}")" [ "$charged" = 1 ]
done
