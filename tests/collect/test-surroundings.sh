#!/bin/bash
# What a program that is recorded sees of it, and programs that lose what they were told: cleared
# environments, other users, other names for the profile.
. tests/collect/rows/lib.sh
need env setsid nohup timeout
chmod 755 .
build processes
root=$([ "$(id -u)" = 0 ] && command -v setpriv > /dev/null && echo yes)
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

# recorded NAME EXPECTED COMMAND...: calls of step() in all that the command runs
recorded()
{
	local name=$1 expected=$2
	shift 2
	rm -f out.db
	"$cgview" record -o out.db -- "$@" > out 2> err < /dev/null || sed 's/^/# /' err
	equal "$name" "$expected" "$([ -e out.db ] && calls_in out.db step)"
	[ -z "$(ls -d cgview.*.raw 2> /dev/null)" ] || { ls cgview.*.raw; not_ok "... nothing is left here"; }
}

# ---- what is seen ----

cat > walk.c <<'E'
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv, char **envp)
{
	int n = 0;
	for (char **e = envp; *e; e++, n++)
		if (!strncmp(*e, "CGVIEW", 6))
			puts(*e);
	for (char **e = environ; *e; e++)
		n--;
	printf("%s%s%s\n", getenv("CGVIEW_OUT") ? "out" : "", getenv("CGVIEW_HZ") ? "hz" : "",
	       getenv("CGVIEW_WALL") ? "wall" : "");
	return n;
}
E
must "compile walk" "$cgcc" -O2 walk.c -o walk
CGVIEW_HZ=10 CGVIEW_OUT=x "$cgview" record --wall -o walk.db -- ./walk > out 2> err
equal "a recorded program sees: status" 0 $?
equal "... one variable of ours" 1 "$(grep -c '^CGVIEW' out)"
equal "... and none that a user sets" "" "$(tail -n 1 out)"
env | sort > plain.env
"$cgview" record -o e.db -- env 2> /dev/null | sort | grep -v '^_=' > recorded.env
equal "what it runs sees one line more" 1 "$(comm -13 plain.env recorded.env | wc -l)"
CGVIEW_OUT=own "$cgview" record -o x.db -- sh -c 'CGVIEW_OUT=mine ./processes return; ./processes return' 2> err
equal "a program that is told otherwise within does that" "1 1000" \
	"$(ls mine.*.raw own.*.raw 2> /dev/null | wc -l) $(calls_in x.db step)"
rm -f mine.*

# ---- what loses it ----

cat > bare.c <<'E'
#define _GNU_SOURCE
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char *none[] = { "A=B", NULL };
	pid_t pid;
	if (!strcmp(argv[1], "clearenv")) {
		clearenv();
		execv(argv[2], argv + 2);
	}
	if (!strcmp(argv[1], "execve"))
		execve(argv[2], argv + 2, none);
	if (!strcmp(argv[1], "spawn") && !posix_spawn(&pid, argv[2], NULL, NULL, argv + 2, none)) {
		waitpid(pid, NULL, 0);
		return 0;
	}
	return 9;
}
E
must "compile bare" gcc bare.c -o bare
recorded "env -i" 1000 env -i ./processes return
recorded "env -i, below others" 1000 env -i nice env -i timeout 60 sh -c './processes return; exit 0'
recorded "a new session" 1000 setsid -w env -i ./processes return
recorded "nohup" 1000 nohup env -u CGVIEW_RUN ./processes return
for how in clearenv execve spawn; do
	recorded "a program that gives its children its own environment ($how)" 1000 ./bare $how ./processes return
done
recorded "programs with and without" 3000 sh -c './processes return; env -i ./processes return; ./processes return'
recorded "children of what was cleared" 4000 env -i ./processes spawn
must "compile static" "$cgcc" -O2 -static "$rows/processes.c" -o static
recorded "a static program" 1000 env -i ./static return
recorded "the nearest of two recorders" "" env -i "$cgview" record -o inner.db -- env -i ./processes return
equal "... has it" 1000 "$(calls_in inner.db step)"
"$cgview" record -F 0 -n 3 -o three.db -- env -i ./processes return > /dev/null 2> err
equal "rates and runs arrive, too" "3|0" "$(sqlite3 three.db 'SELECT COUNT(*), SUM(asked_interval_ns) FROM run')"
"$cgview" record -o off.db -- env -i CGVIEW_OUT=off ./processes return 2> err
check "off is off" [ ! -e off.db ]
# A recorder whose numbers are taken has the next ones, or none.
recorded "number 59 is taken" 1000 env -i ./processes return 59< /dev/null
(exec 59< /dev/null 60< /dev/null; recorded "... and number 60" 1000 env -i ./processes return)
(ulimit -n 40; recorded "few descriptors" 1000 ./processes return)
(ulimit -v 8000; CGVIEW_OUT=$TMP_DIR/none ./processes return > out 2> err)
check "little memory: the program goes on, and it is told" test $? = 0 -a "$(cat err)" = \
	"cgview: there is no memory to profile in: Cannot allocate memory; the program goes on without being profiled further"
env -i ./processes return
equal "without a recorder it is as ever" 1 "$(ls cgview.*.raw | wc -l)"
rm -f cgview.*.raw
if [ "$root" ] && command -v su > /dev/null; then
	recorded "su -" 1000 su - -c "$PWD/processes return"
	recorded "su" 1000 su -c "./processes return"
	! command -v sudo > /dev/null || for how in "" -E; do
		recorded "sudo $how" 1000 sudo $how ./processes return
	done
fi

# ---- other users ----

cat > become.c <<'E'
/* become [-E] COMMAND...: as root, without or with the environment; what sudo does */
#define _GNU_SOURCE
#include <grp.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char *none[] = { "PATH=/usr/bin:/bin", NULL };
	int with = !strcmp(argv[1], "-E"), status;
	if (setgroups(0, NULL) || setresgid(0, 0, 0) || setresuid(0, 0, 0))
		return 125;
	if (!fork())
		return execve(argv[1 + with], argv + 1 + with, with ? environ : none);
	wait(&status);
	return WEXITSTATUS(status);
}
E
cat > plant.c <<'E'
/* plant FILE COMMAND...: under a recorder's number something that looks like it */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char text[4000] = ""; /* and an empty label behind it */
	int fd = memfd_create("cgview-recorder", MFD_ALLOW_SEALING);
	snprintf(text, sizeof(text), "1000:0:0:0:0:0:%s", argv[1]);
	if (write(fd, text, strlen(text) + 2) < 0 || fcntl(fd, F_ADD_SEALS, 15) || dup2(fd, 59) < 0)
		return 9;
	return execv(argv[2], argv + 2);
}
E
must "compile become" gcc -w become.c -o become
must "compile plant" gcc plant.c -o plant
# As any user: what is planted is followed by that user's own programs, so this plants well.
mkdir planted
./plant "$PWD/planted/x" ./bare spawn ./processes return
equal "a memory file of the same user is believed" 1 "$(ls planted | wc -l)"
rm -f planted/* cgview.*.raw
others=
if [ "$root" ]; then
	chmod 4755 become
	mkdir theirs && chown 65534:65534 theirs
	[ "$("${nobody[@]}" ./become /usr/bin/id -u 2> /dev/null)" = 0 ] &&
		"${nobody[@]}" "$cgview" version > /dev/null 2>&1 && others=yes
fi
if [ "$others" ]; then
	cd theirs || exit
	chmod 777 ../planted
	"${nobody[@]}" ../plant "$TMP_DIR/planted/x" ../become "$TMP_DIR/processes" return
	equal "one of another user is not" "0 1" "$(ls ../planted | wc -l) $(ls cgview.*.raw | wc -l)"
	rm -f cgview.*.raw
	"${nobody[@]}" "$cgview" record -o sudo.db -- ../become -E "$TMP_DIR/processes" return > out 2> err
	equal "as root, with the environment: a user reads the profile" "0 1000" "$? $(calls_in sudo.db step)"
	"${nobody[@]}" "$cgview" record -o reset.db -- ../become "$TMP_DIR/processes" return > out 2> err
	equal "as root, without it: no profile" 1 $?
	raw=$(ls cgview.*.raw)
	check "... but it is told where it is" grep -q "$raw appeared in this directory" err
	check "... and by which command it becomes one" grep -q \
		"sudo chown 65534 $raw && cgview import -o reset.db $raw\$" err
	chown 65534 "$raw"
	"${nobody[@]}" "$cgview" import -o reset.db "$raw" 2> err
	equal "... which does it" 1000 "$(calls_in reset.db step)"
	rm -f cgview.*.raw
	"${nobody[@]}" "$cgview" record -o both.db -- sh -c "$TMP_DIR/processes return;
		../become $TMP_DIR/processes return" > out 2> err
	equal "some of it as root: the profile has the others" "0 1000" "$? $(calls_in both.db step)"
	check "... and it is told what is missing" grep -q \
		'raw appeared .*: sudo chown 65534 cgview.*raw && cgview import -a -o both.db cgview' err
	rm -f cgview.*.raw
	cp ../processes suid && chmod 4755 suid
	"${nobody[@]}" "$cgview" record -o suid.db -- ./suid return > out 2> err
	equal "set-uid: nothing, and why" "1 1" "$? $(grep -c 'rights of another user' err)"
	cd ..
	chmod 777 .
	"$cgview" record -o less.db -- setpriv --reuid=65534 --clear-groups ./processes return > out 2> err
	equal "with fewer rights than record: no profile" 1 $?
	raw=$(ls cgview.*.raw)
	check "... but it is told where it is" grep -q "with: cgview import -o less.db $raw\$" err
	rm -f cgview.*.raw
	chmod 755 .
else
	echo "skip - other users: not root, or set-uid programs have no effect here"
fi
"$cgview" record -o none.db -- env true 2> err
check "nothing profiled: nobody is said to be what it may not be" \
	[ "$(grep -c 'env was not built with cgcc[,:]' err)" = 1 ]

# ---- linked by others ----

must "compile an object" "$cgcc" -O2 -c "$rows/processes.c" -o processes.o
must "link it with gcc" gcc processes.o -o linked
for before in "" "env -i nice"; do
	"$cgview" record -o linked.db -- $before ./linked return > out 2> err
	equal "linked without the runtime${before:+, run by $before}: status" 1 $?
	check "... it is told" grep -q '^cgview: ./linked was compiled with cgcc but linked without the runtime: link it with cgcc ' err
done

# What gcc compiled and cgcc linked has the runtime, and nothing that counts.
must "compile an object with gcc" gcc -O2 -c "$rows/processes.c" -o plain.o
must "link it with cgcc" "$cgcc" plain.o -o only-linked
mkdir only && cd only || exit
"$cgview" record -o only.db -- ../only-linked fork > out 2> err
equal "compiled with gcc, linked with cgcc: status" 1 $?
equal "... one line tells what to do" "1 1" \
	"$(wc -l < err) $(grep -c 'only-linked: nothing of it was compiled with cgcc, it was only linked with it: compile with it, too' err)"
equal "... and nothing is left behind" "err out" "$(ls -A | tr '\n' ' ' | sed 's/ $//')"
cd ..
cat > bare.c <<'END'
#include <stdlib.h>
__attribute__((noinline)) int f(int n) { return n + 1; }
__attribute__((force_align_arg_pointer)) void _start(void) { exit(f(3)); }
END
must "compile a program that has no start files" "$cgcc" -O1 -nostartfiles bare.c -o bare
"$cgview" record -o bare.db -- ./bare 2> err
equal "linked with -nostartfiles: its own status" 4 $?
equal "... one line tells what it lacks" "1 1" \
	"$(wc -l < err) $(grep -c 'link it with cgcc .*without -nostartfiles' err)"

# ---- who may read it, and its name ----

for mask in 0 022 077 0377; do
	rm -rf raw; mkdir raw # with all rights, as only root could use it without
	(umask $mask; CGVIEW_OUT=$TMP_DIR/raw/r exec ./processes return) > out 2>&1 < /dev/null
	stat -c %a raw/*.raw > modes
	equal "umask $mask: nobody else reads the raw profile" "$(printf %o $((0600 & ~mask)))" "$(cat modes)"
done

# What a build runs leaves nothing among the sources, unless somebody says where.
left() { rm -rf built; mkdir built; (cd built && env "$@" return > /dev/null 2> ../err); ls -A built | wc -l; }
for name in conftest cmTC_12ab3 sanitycheckc.exe; do
	cp processes $name
	equal "what configure tries leaves nothing: $name" 0 "$(left "$PWD/$name")"
	equal "... but where it is told to" 1 "$(left CGVIEW_OUT=here "$PWD/$name")"
done
equal "a step of a make leaves nothing" 0 "$(left MAKELEVEL=1 "$PWD/processes")"
equal "... but where it is told to" 1 "$(left MAKELEVEL=1 CGVIEW_OUT=here "$PWD/processes")"
equal "... and below no make it does" 1 "$(left "$PWD/processes")"
printf 'all:\n\t./processes return\n' > run.mk
check "record has what a make runs" bash -c '"$1" record -o made.db -- make -f run.mk 2> err > out && "$1" report made.db | grep -q step' bash "$cgview"

# named PATTERN: names of the raw profiles of one run, without the number of the process
named() { rm -rf raw; mkdir raw; (cd raw && CGVIEW_OUT=$1 ../processes return 2> ../err); ls -A raw | sed 's/\.[0-9]*\.raw$/.PID.raw/'; }
export A=a/b EMPTY= DOTS=.. NASTY=$'x\e[1m\ny' PMI_RANK=7 SLURM_PROCID=8
host=$(uname -n)
equal "%h" "x-$host.PID.raw" "$(named x-%h)"
equal "%r" "7.PID.raw" "$(named %r)"
equal "%r: CGVIEW_RANK goes before" "3.PID.raw" "$(CGVIEW_RANK=3 named %r)"
equal "%r: none" "0.PID.raw" "$(unset PMI_RANK SLURM_PROCID; named %r)"
equal "%p stands for the number" "p.PID.raw" "$(named p.%p)"
equal "%q{A}, no slash of it" "a_b.PID.raw" "$(named '%q{A}')"
equal "%q of what is empty, or not there" "00.PID.raw" "$(named '%q{EMPTY}%q{NOT_THERE}')"
equal "%q cannot lead upward" "_..PID.raw" "$(named '%q{DOTS}')"
equal "%q cannot lead upward, dot by dot" "._..PID.raw" "$(DOTS=. named '.%q{DOTS}%q{DOTS}')"
equal "%q has no control bytes" "x_[1m_y.PID.raw" "$(named '%q{NASTY}')"
equal "%%" "100%.PID.raw" "$(named 100%%)"
for pattern in %z % %q %q{ '%q{}' 'a%q{A'; do
	equal "$pattern is none: the name is as it stands" "$pattern.PID.raw" "$(named "$pattern")"
	equal "... in one line" "1 1" "$(wc -l < err) $(grep -c '^cgview: CGVIEW_OUT: % begins one of %p %h %r %q{NAME} %%; ' err)"
	"$cgview" record -o "$pattern" -- touch ran 2> err
	equal "record -o $pattern is wrong usage" 2 $?
	check "... told before anything is run" [ ! -e ran -a "$(wc -l < err)" = 1 ]
done
long=$(printf '%04000d' 0)
equal "too long is told" 1 "$(LONG=$long$long named '%q{LONG}' > /dev/null; grep -c 'gets too long' err)"
rm -rf names; mkdir names
"$cgview" record -o 'names/%h.%r.%q{A}.%%.db' -- ./processes return 2> err
equal "record -o with all of them" "$host.7.a_b.%.db" "$(ls names)"
"$cgview" record -o 'names/%p.db' -- ./processes return 2> err &
recorder=$!
wait $recorder
check "record -o %p: record's own number" [ -e names/$recorder.db ]

# ---- what a program is larger by ----

printf 'int main(void) { return 0; }\n' > small.c
"$cgcc" -O2 small.c -o small
check "memory that no program gave itself: at most 32 kB" [ "$(size small | awk 'NR == 2 { print $3 }')" -le 32768 ]
rm -rf raw; mkdir raw; (cd raw && CGVIEW_HZ=0 ../small; for i in 1 2 3 4 5 6 7 8 9 10; do ../small; done)
check "the raw file of a short run, with or without samples: at most 64 kB" \
	[ "$(stat -c %s raw/*.raw | sort -n | tail -n 1)" -le 65536 ]
# What notes no addresses need not know where libraries are.
printf 'int one(void) { return 0; }\nint (*volatile f)(void) = one;\nint main(void) { return f(); }\n' > calls.c
"$cgcc" -O2 calls.c -o calls
maps() { # the extents of library places in the newest raw file
	python3 - raw/*.raw << 'END'
import struct, sys
data, at, nr = open(sys.argv[1], "rb").read(), 4096, 0
while at + 4096 <= len(data):
    magic, _, kind, _, length = struct.unpack_from("<4IQ", data, at)
    nr += magic == 0x58454743 and kind == 5
    at += length if magic == 0x58454743 else 4096
print(nr)
END
}
for settings in 'CGVIEW_HZ=0 small 0' 'CGVIEW_HZ=1000 small 1' 'CGVIEW_WALL=1 small 1' 'CGVIEW_HZ=0 calls 1'; do
	set -- $settings
	rm -rf raw; mkdir raw; (cd raw && env CGVIEW_HZ=0 "$1" ../"$2")
	equal "where libraries are, $1 $2: told $3 times" "$3" "$(maps)"
done

# What is told at the start is what the kernel says: ranges, offsets, files by their number and their names.
cat > places.c << 'END'
#include <stdio.h>
#include <string.h>
#ifdef LIBRARY
int number(void) { return 0; }
#else
int number(void);
int main(void)
{
	char line[4096];
	FILE *f = fopen("/proc/self/maps", "r");
	while (f && fgets(line, sizeof(line), f))
		if (strstr(line, " r-xp ") && (strchr(line, '/') || strstr(line, "[vdso]")))
			fputs(line, stdout);
	return number();
}
#endif
END
same_places() # same_places NAME COMMAND...: in raw/, whose output is what the kernel says
{
	local name=$1
	shift
	rm -rf raw; mkdir raw
	(cd raw && "$@") > said
	equal "$name" "$(sort said | wc -l) 0" "$(python3 - said raw/*.raw << 'END'
import os, struct, sys
def lines(text):
    found = set()
    for line in text.splitlines():
        place, mode, offset, device, inode, path = line.split(None, 5)
        begin, end = (int(n, 16) for n in place.split("-"))
        found.add((begin, end, mode, int(offset, 16), int(inode), os.path.realpath(path) if path[0] == "/" else path))
    return found
data, at, told = open(sys.argv[2], "rb").read(), 4096, set()
while at + 4096 <= len(data):
    magic, _, kind, _, length, begin = struct.unpack_from("<4I2Q", data, at)
    if magic == 0x58454743 and kind == 5:
        told |= lines(data[at + begin:at + begin + struct.unpack_from("<Q", data, at + 96)[0]].decode())
    at += length if magic == 0x58454743 else 4096
said = lines(open(sys.argv[1]).read())
print(len(said & told), len(said ^ told))
END
)"
}
gcc -DLIBRARY -fPIC -shared places.c -o libplaces.so
"$cgcc" -O1 places.c -o places -L. -lplaces
LD_LIBRARY_PATH=$PWD same_places "where code is" ../places
LD_LIBRARY_PATH=.. same_places "... a library by a path that is not from the root" ../places
LD_LIBRARY_PATH=$PWD same_places "... the loader called by its name" "$(readelf -l places | sed -n 's/.*interpreter: \(.*\)]/\1/p')" ../places
ln -s places another
LD_LIBRARY_PATH=$PWD same_places "... a program by a symbolic link" ../another
"$cgcc" -O1 -static -DLIBRARY -c places.c -o number.o && "$cgcc" -O1 -static places.c number.o -o still
same_places "... a static program" ../still

# The program's path is what the kernel says, however it was executed.
cat > self.c << 'END'
#include <limits.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));
	return printf("%.*s\n", (int)n, path) < 0;
}
END
deep=a/b/c/d/e/f/g/h/.i
mkdir -p $deep
"$cgcc" -O1 self.c -o self
"$cgcc" -O1 -static self.c -o $deep/self
ln -s self other; ln -s $deep there
printf '#!%s\n' "$PWD/self" > script; printf '#!/usr/bin/env -S %s one\n' "$PWD/self" > second; chmod +x script second
same_path() # same_path NAME COMMAND...
{
	local name=$1
	shift
	rm -rf raw; mkdir raw
	"$@" > said
	equal "the program's path, $name" "$(cat said)" \
		"$(python3 -c 'import sys; print(open(sys.argv[1], "rb").read()[104:4096].split(b"\0")[5].decode())' raw/*.raw)"
}
export CGVIEW_OUT=$PWD/raw/r
same_path "from the root" "$PWD/self"
same_path "from here" ./self
same_path "without a dot" env -C a ../self
same_path "with dots" a/b/../.././self
same_path "with two slashes" "$PWD//self"
same_path "a symbolic link" ./other
same_path "in a directory that is one" there/self
same_path "deep below" ./$deep/self
same_path "near the root" env -C / ".$PWD/self"
same_path "found by the shell" env PATH="$PWD:$PATH" self
same_path "of a script" ./script
same_path "of a script with arguments" ./script a b
same_path "of a script's script" ./second
same_path "that is an argument, too" ./self ./self
same_path "under another name" bash -c 'exec -a ./other ./self'
same_path "by a descriptor" python3 -c 'import os; f = os.open("self", os.O_RDONLY); os.execve(f, ["self"], os.environ)'
same_path "by the loader" "$(readelf -l self | sed -n 's/.*interpreter: \(.*\)]/\1/p')" ./self
unset CGVIEW_OUT
