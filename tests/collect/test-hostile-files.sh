#!/bin/bash
# Files of other tools are read by a process with limits: whatever it does by a file's doing is one line, the profile
# that was there stays, and nothing is left behind. What it does is forced by a library, preloaded (reader-hook.c).
# On a terminal the reading of a long file is shown.
set -u
. tests/db/lib.sh
need sqlite3 python3
tests=$PWD/tests/collect
cd "$TMP_DIR" || exit 1
export XDG_CACHE_HOME=$PWD/cache

printf 'app;main;f 3\napp;main;g 5\n' > a.folded
printf '# callgrind format\nevents: Ir\nfn=f\n1 5\n' > a.callgrind
"$cgview" import -o old.db a.folded 2> err || exit 1
old=$(sha256sum < old.db)
stays() { [ "$(sha256sum < old.db)" = "$old" ] && [ -z "$(ls -A | grep -vxE 'a.folded|a.callgrind|old.db|err|out|hook.so|cache|bin|fails.*|long.*|onpty.py|shown')" ]; }
mkdir cache bin
printf '#!/bin/sh\nhook=$1\nshift\nHOOK=$hook LD_PRELOAD=%s exec "$@"\n' "$PWD/hook.so" > bin/with
chmod +x bin/with
PATH=$PWD/bin:$PATH

# The process that reads for process $1; waits until it is there.
reader_of()
{
	local i pid
	for ((i = 0; i < 600; i++)); do
		pid=$(grep -lsE "^PPid:[[:space:]]$1\$" /proc/[0-9]*/status | tr -dc '0-9\n' | head -1)
		[ -z "$pid" ] || { echo "$pid"; return; }
		sleep 0.1
	done
}
# Does process $1 end, within a minute?
ends()
{
	local i state
	for ((i = 0; i < 600; i++)); do
		state=$(sed -n 's/^State:[[:space:]]*\(.\).*/\1/p' "/proc/$1/status" 2> /dev/null)
		case $state in '' | Z) return 0 ;; esac
		sleep 0.1
	done
	return 1
}

hooks()
{
	gcc -O1 -w -shared -fPIC -o hook.so "$tests/reader-hook.c" -ldl || exit 1
	fails "a reader that crashes is told in one line" '^cgview: a.folded is damaged: its reader was ended by signal 11' \
		with crash "$cgview" import -o old.db a.folded
	check "... what was there stays, and nothing is left" stays
	(ulimit -S -t 1; fails "one that comes to no end, too" '^cgview: reading a.folded took more than 1 s of CPU' \
		with loop "$cgview" import -o old.db a.folded)
	check "... what was there stays" stays
	(ulimit -S -v 300000; fails "one that wants too much memory, too" '^cgview: a.callgrind: out of memory' \
		with memory "$cgview" import -o old.db a.callgrind)
	check "... what was there stays" stays
	fails "also where the profile is private" '^cgview: report: a.folded is damaged: its reader was ended by signal 11' \
		with crash "$cgview" report a.folded
	check "... the cache has no file" [ -z "$(find cache -type f)" ]

	# What is killed
	with loop "$cgview" import -o old.db a.folded 2> err &
	import=$!
	reader=$(reader_of $import)
	kill -9 "$reader"
	wait $import
	check "a reader that is killed is told in one line" [ $? -eq 1 ]
	check "... that says so" grep -qx 'cgview: a.folded is damaged: its reader was ended by signal 9 (Killed)' err
	check "... what was there stays" stays
	for private in '' yes; do
		if [ -z "$private" ]; then
			with loop "$cgview" import -o old.db a.folded 2> err &
		else
			with loop "$cgview" report a.folded 2> err &
		fi
		import=$!
		reader=$(reader_of $import)
		kill -9 $import
		wait $import 2> /dev/null
		check "${private:+private: }who is killed leaves no reader" ends "$reader"
		check "... what was there stays, and nothing is left" stays
	done
	check "... the cache has no file" [ -z "$(find cache -type f)" ]

	# What it may not do, once it reads
	if [ "$(uname -m)" = x86_64 ] && grep -q '^Seccomp:' /proc/self/status && [[ $BUILD != *coverage* ]]; then
		with rights "$cgview" import -o out a.folded 2> err
		sed 's/^/# /' err
		check "the reader can do nothing but read" [ "$(grep -c 'was not refused' err)$(sort -u err | grep -cx '15 attempts')" = 01 ]
		check "... and makes the same profile" [ "$(sqlite3 out .dump | sha256sum)" = "$(sqlite3 old.db .dump | sha256sum)" ]
		rm -f out
	else
		echo "skip - what the reader can do: there is no seccomp"
	fi
}
case $(nm -D "$cgview" 2> /dev/null) in
*__asan_init*) echo "skip - readers that are crashed: the sanitizer wants to be the first library" ;;
*) hooks ;;
esac

# On a terminal: 6 MB are shown, each percent that comes once, and the line is gone in the end.
cat > onpty.py <<'END'
import os, pty, re, sys
pid, fd = pty.fork()
if not pid:
    os.execvp(sys.argv[1], sys.argv[1:])
out = b''
while True:
    try:
        more = os.read(fd, 65536)
    except OSError:
        break
    if not more:
        break
    out += more
os.waitpid(pid, 0)
percents = [int(n) for n in re.findall(rb'\r\x1b\[Kcgview: reading +(\d+)%', out)]
print(len(percents), percents == sorted(set(percents)), out.rfind(b'\r\x1b[K') > out.rfind(b'cgview: reading'))
END
for ((i = 0; i < 300; i++)); do printf 'app;main;function_with_a_name_%d 1\n' $i; done > long.part
for ((i = 0; i < 600; i++)); do cat long.part; done > long.folded
python3 onpty.py "$cgview" import -o long.db long.folded > shown
check "the reading of $(($(wc -c < long.folded) >> 20)) MB is shown on a terminal" grep -qxE '[4-9] True True' shown
python3 onpty.py "$cgview" import -o long.db a.folded > shown
check "... that of a short file is not" grep -qx '0 True [FT].*' shown
python3 onpty.py "$cgview" report --limit 1 long.folded > shown
check "... nor is it shown only where a profile is kept" grep -qxE '[4-9] True True' shown
"$cgview" import -o long.db long.folded 2> err
check "... and where there is no terminal there is nothing but the line" [ "$(wc -l < err)$(grep -c '%' err)" = 10 ]
