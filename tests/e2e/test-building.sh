#!/bin/bash
# docs/building.md: each piece as it stands there, with a small project, where the tool is there. What comes out counts
# what was written: 1,000 calls of one procedure, 500 of another.
. tests/e2e/lib.sh
need_collection
cd "$TMP_DIR" || exit
mkdir bin # so that nothing of the build's is found but what is installed
ln -s "$cgview" "$cgcc" "$build/cgg++" bin
export PATH=$TMP_DIR/bin:$PATH
unset CGVIEW_CC CGVIEW_CXX CGVIEW_FLAGS CC CXX CFLAGS CXXFLAGS
export CCACHE_DIR=$TMP_DIR/.ccache DISTCC_DIR=$TMP_DIR/.distcc HOME=$TMP_DIR
mkdir .distcc

# piece HEADING LANGUAGE N: the N-th (1) piece of the language below the heading
piece()
{
	awk -v heading="## $1" -v language="\`\`\`$2" -v n="${3:-1}" '
		/^## / { here = $0 == heading }
		$0 == "```" { inside = 0 }
		inside { print }
		here && $0 == language && ++at == n { inside = 1 }' "$top/docs/building.md"
}

# project NAME: a folder of it with the sources, where we are then
project()
{
	mkdir "$TMP_DIR/$1" && cd "$TMP_DIR/$1" || exit
	printf 'int half(int i) { return i / 2; }\n' > half.c
	printf '#define VERSION "1"\nint half(int i);\nint twice(int i) { return 2 * i; }\n%s\n' 'int main(void) { int s = 0;
		for (int i = 0; i < 1000; i++) { s += twice(i); if (i % 2) s -= half(i); } return s != 874250; }' > prog.c
	printf 'CFLAGS = -O2\nprog: prog.o half.o\n\t$(CC) -o $@ $^\nclean:\n\trm -f *.o prog\n' > Makefile
}
# runs NAME: the commands of standard input do
runs()
{
	cat > commands
	[ -s commands ] || echo false > commands
	check "$1" bash -e commands
}
# counted PROGRAM
counted()
{
	record p.db "./$1"
	check "... it counts" [ "$(count_of p.db twice) $(count_of p.db half)" = "1000 500" ]
	check "... no raw profile is left" [ -z "$(find . -name '*.raw')" ]
}
have() { command -v "$1" > /dev/null || { echo "skip - $1 is not installed"; return 1; }; }

project make
runs 'make' < <(piece make sh)
counted prog
mkdir names && ln -s "$TMP_DIR/bin/cgcc" names/gcc && make -s clean
runs '... by the name gcc' <<< "CGVIEW_CC=$(type -ap gcc | grep -v ccache | head -1) PATH=\$PWD/names:\$PATH make CC=gcc"
counted prog

if have cmake; then
	project cmake
	printf 'cmake_minimum_required(VERSION 3.18)\nproject(prog C CXX)\nadd_executable(prog prog.c half.c)\n' > CMakeLists.txt
	piece CMake cmake > cgview.cmake
	runs 'CMake, by a toolchain file' < <(piece CMake sh)
	counted build-cgview/prog
	rm -rf build-cgview cgview.cmake
	piece CMake json > CMakeUserPresets.json
	runs '... by a preset' <<< 'cmake --preset cgview && cmake --build build-cgview'
	counted build-cgview/prog
	if command -v ccache > /dev/null; then
		rm -rf build-cgview
		runs '... with ccache as launcher' <<< 'cmake --preset cgview -DCMAKE_C_COMPILER_LAUNCHER=ccache
			cmake --build build-cgview'
		counted build-cgview/prog
		rm -rf build-cgview
		runs '... and without counters then' <<< 'export CGVIEW_FLAGS=off
			cmake --preset cgview -DCMAKE_C_COMPILER_LAUNCHER=ccache && cmake --build build-cgview'
		check '... none come out of the cache' [ -z "$(objdump -d build-cgview/prog | grep %gs:)" ]
	fi
fi

if have meson && { have ninja; }; then
	project meson
	printf "project('prog', 'c')\nexecutable('prog', 'prog.c', 'half.c')\n" > meson.build
	piece Meson ini > cgview.ini
	runs 'Meson, by a native file' < <(piece Meson sh)
	counted build-cgview/prog
fi

if have autoreconf && have automake; then
	project autotools
	rm Makefile
	printf 'AC_INIT([prog], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAC_CHECK_SIZEOF([long])\n%s\nAC_OUTPUT\n' \
		'AC_CONFIG_FILES([Makefile])' > configure.ac
	printf 'bin_PROGRAMS = prog\nprog_SOURCES = prog.c half.c\n' > Makefile.am
	must 'autoreconf' autoreconf -i
	runs 'autotools' < <(piece autotools sh)
	counted prog
fi

# same NAME COMMAND...: makes prog.o as cgcc alone does, for several flags, twice
same()
{
	local name=$1 flags round
	shift
	for round in 1 2; do
		for flags in "" off counters=atomic; do
			CGVIEW_FLAGS=$flags CGVIEW_CC='' "$TMP_DIR/bin/cgcc" -O2 -c prog.c -o wanted.o
			rm -f prog.o
			CGVIEW_FLAGS=$flags "$@" -O2 -c prog.c -o prog.o > out 2>&1
			objdump -d prog.o | tail -n +4 > one
			objdump -d wanted.o | tail -n +4 > other
			check "$name, '$flags', time $round: the code of that" cmp one other
		done
	done
}
if have ccache; then
	project ccache
	runs 'ccache before gcc' < <(piece ccache sh; echo 'make CC=cgcc')
	counted prog
	same 'ccache before gcc' env CGVIEW_CC='ccache gcc' cgcc
	mkdir masquerade && ln -s "$(command -v ccache)" masquerade/gcc
	same "ccache in gcc's place" env PATH="$PWD/masquerade:$PATH" cgcc
	same 'ccache before cgcc' ccache cgcc
fi

if have distcc; then
	project distcc
	runs 'distcc' < <(piece distcc sh; echo 'make CC=cgcc')
	counted prog
	same 'distcc' env CGVIEW_CC='distcc gcc' DISTCC_HOSTS=localhost cgcc
	if command -v distccd > /dev/null && [ "$(id -u)" = 0 ]; then
		# A server of our own, on a port that is free. It refuses, and says what.
		port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
		touch log && chmod a+w log
		distccd --daemon --no-detach --allow 127.0.0.1 --listen 127.0.0.1 --port "$port" --user nobody \
			--enable-tcp-insecure --log-file "$PWD/log" -j 1 > /dev/null 2>&1 &
		server=$!
		for i in {1..100}; do
			(: <> "/dev/tcp/127.0.0.1/$port") 2> /dev/null && break
			sleep 0.1
		done
		same 'distcc with a server' env CGVIEW_CC='distcc gcc' DISTCC_HOSTS="127.0.0.1:$port" cgcc
		check '... which takes no plugin' grep -q 'fplugin' log
		kill $server
		wait $server 2> /dev/null
	fi
fi

if have bear; then
	project bear
	piece bear json | sed "s|/usr/bin/cgcc|$TMP_DIR/bin/cgcc|" > bear.json
	runs 'bear' < <(piece bear sh)
	python3 - "$TMP_DIR/bin/cgcc" > out 2>&1 <<-'END'
		import json, os, sys
		rows = json.load(open("compile_commands.json"))
		assert sorted(os.path.basename(r["file"]) for r in rows) == ["half.c", "prog.c"], rows
		assert all(r["arguments"][0] == sys.argv[1] for r in rows), rows
		assert not any("plugin" in a for r in rows for a in r["arguments"]), rows
	END
	check '... tells the commands as they were written' [ $? = 0 ]
	cat out
	counted prog
fi
exit 0
