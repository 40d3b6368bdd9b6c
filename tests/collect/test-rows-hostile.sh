#!/bin/bash
# Surroundings that leave no room for a profiler, and what becomes of its files. What matters first:
# the program's output and exit status are those without profiling.
. tests/collect/rows/lib.sh
chmod 755 .
build hostile -pthread
build descriptors -pthread
root=$([ "$(id -u)" = 0 ] && echo yes)

# complaints FILE: lines that are ours; they are taken out of the file.
complaints()
{
	grep -c '^cgview: ' "$1"
	sed -i '/^cgview: /d' "$1"
}

for how in low all range; do
	rm -f own result
	./descriptors.plain $how result > plain.out 2>&1
	plain_status=$?
	rm -f own
	mv result plain.result
	run descriptors $how result
	equal "row 18: closes its descriptors ($how): status" $plain_status $status
	check "row 18: ... the numbers and texts of its own files ($how)" cmp plain.result result
	[ $how = low ] || check "row 18: ... nothing else is in them" [ "$(sort -u own)" = own ]
	check "row 18: ... counts go on" [ "$(calls step)" -gt 100000 ]
	equal "row 18: ... threads and children are counted" 4 "$(calls_in run.db count)"
done

# No timers: the limit of pending signals counts them, too.
(ulimit -i 0; like_plain "no timer is to be had" hostile chdir)
equal "... all is counted" 2000 "$(calls step)"
check "... and it is told that there is no time" grep -q 'ulimit -i' \
	<(sqlite3 run.db "SELECT text FROM note WHERE kind = 'samples'")

mkdir start
(cd start && CGVIEW_OUT=here ../hostile chdir)
rm -rf raw; mkdir raw; mv start/here.*.raw raw
equal "row 19: chdir: the raw profile is where the program was started: 2000" 2000 "$(calls step)"
if [ "$root" ]; then
	like_plain "row 19: chroot" hostile chroot
	run hostile chroot
	equal "row 19: ... 7000" 7000 "$(calls step)"
else
	echo "skip - row 19: chroot: not root"
fi

# What the runtime says holds nothing that a terminal obeys, whatever the name of the file.
CGVIEW_OUT=$'/no/\033[31mr\302\233\303\251' ./hostile chdir > out 2> err
check "row 53: a complaint shows an escape sequence, and does not send it" \
	grep -qF $'/no/<1B>[31mr<C2><9B>\303\251' err
check "row 53: ... there is no control character in it" [ -z "$(LC_ALL=C tr -d '\n -~\303\251' < err)" ]

# A static program where there is no /proc: its path is the one by which it was called.
if [ "$root" ]; then
	must "compile hostile as a static program" \
		"$cgcc" -O2 -static "$rows/hostile.c" -o inside -pthread
	mkdir -p "jail$TMP_DIR" raw
	for called in "$TMP_DIR/inside" ./inside; do
		cp inside "jail$TMP_DIR"
		[ $called != ./inside ] || cp inside jail
		rm -f raw/*
		CGVIEW_OUT=/r chroot jail $called chdir > out 2> err
		mv jail/r.*.raw raw
		if [ $called = ./inside ]; then
			check "row 24: ... where it is not found the message says what to do" \
				grep -q ' /inside: cannot open .* a symbolic link to it; in a chroot' \
				<("$cgview" import -o run.db raw/*.raw 2>&1)
		else
			equal "row 24: a static program without /proc: 2000" 2000 "$(calls step)"
		fi
	done
fi

if [ "$root" ] && command -v setpriv > /dev/null; then
	mkdir other own-directory
	chmod 777 other own-directory
	cp hostile suid && chmod 4755 suid
	cd own-directory || exit
	CGVIEW_OUT=$TMP_DIR/other/x setpriv --reuid=65534 --regid=65534 --clear-groups ../suid setuid \
		> ../out 2> ../err
	status=$?
	cd ..
	if [ "$(cat out)" = "65534 0" ]; then
		equal "row 20: set-uid: exit status" 5 $status
		equal "row 20: ... nothing is written, nothing is said" "" \
			"$(ls other own-directory | grep -v :; cat err)"
	else
		echo "skip - row 20: set-uid programs have no effect here: $(cat out)"
	fi
else
	echo "skip - row 20: set-uid: not root, or no setpriv"
fi

# In file systems of its own: full, or read-only.
if [ "$root" ] && unshare -m mount -t tmpfs none /mnt 2> /dev/null; then
	./hostile.plain busy > plain.out 2> plain.err
	plain_status=$?
	wrong=
	for kb in 8 16 24 40 64 100 150 400 800; do
		unshare -m sh -c "mount -t tmpfs -o size=${kb}k none /mnt &&
			CGVIEW_OUT=/mnt/r ./hostile busy" > out 2> err
		status=$?
		said=$(complaints err)
		[ $status = $plain_status ] && cmp -s plain.out out && [ ! -s err ] &&
			[ "$said" -le 2 ] || wrong="$wrong $kb"
		[ $kb != 8 ] || first=$said
	done
	equal "row 21: disk full, after 8 to 800 KiB: the program lives" "" "$wrong"
	equal "row 21: ... 8 KiB: one message" 1 "$first"
	unshare -m sh -c "mount -t tmpfs -o size=300k none /mnt &&
		CGVIEW_OUT=/mnt/r ./hostile plain; mkdir raw.kept; cp /mnt/*.raw raw.kept"
	rm -rf raw; mv raw.kept raw
	equal "row 21: ... what there was room for is kept: 1000" 1000 "$(calls step)"

	unshare -m sh -c "mount -t tmpfs -o ro none /mnt && CGVIEW_OUT=/mnt/r ./hostile busy" > out 2> err
	status=$?
	equal "row 23: read-only file system: status" $plain_status $status
	equal "row 23: ... one message" 1 "$(complaints err)"
	check "row 23: ... output" cmp plain.out out
else
	echo "skip - row 21: disk full: cannot mount"
	echo "skip - row 23: read-only file system: cannot mount"
fi
mkdir locked
chmod 555 locked
as_user=()
[ "$root" ] && as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
CGVIEW_OUT=$TMP_DIR/locked/r "${as_user[@]}" ./hostile plain > out 2> err
status=$?
equal "row 23: read-only directory: status" 5 $status
equal "row 23: ... one message" 1 "$(complaints err)"

# What is said has nobody to hear it, or no room where it goes.
like_plain "row 21: no file may grow, and standard error is one" hostile no_size
like_plain "row 21: no room, and nobody reads standard error" hostile unheard
like_plain "row 21: ... signals that were pending stay" hostile unheard_pending
equal "row 21: ... 2000 at least" yes "$([ "$(calls step)" -ge 2000 ] && echo yes)"

# Cut while the program runs.
for size in 0 4096 12288 16384 100000; do
	rm -rf raw input out; mkdir raw; mkfifo input
	CGVIEW_OUT=$TMP_DIR/raw/r ./hostile cut < input > out 2> err &
	program=$!
	exec 3> input
	wait_for ready out
	truncate -s $size raw/*.raw
	echo go >&3
	exec 3>&-
	wait $program
	status=$?
	equal "row 22: the raw file is cut to $size bytes: the program lives" "5 ready child 9" \
		"$status $(echo $(cat out))"
	most "row 22: ... at most one message" 1 "$(complaints err)"
	check "row 22: ... and no other output" [ ! -s err ]
done
like_plain "row 22: a program's own SIGBUS" hostile own_bus
like_plain "row 22: death by SIGBUS" hostile die_of_bus
like_plain "row 22: death by SIGBUS that was sent" hostile sent_bus

./hostile.plain strict
if [ $? = 5 ]; then
	like_plain "row 24: seccomp, strict" hostile strict
	equal "row 24: ... 100001000" 100001000 "$(calls step)"
	for how in kills kills_2; do
		like_plain "row 24: a filter kills for each other call ($how)" hostile $how
		equal "row 24: ... 100001000" 100001000 "$(calls step)"
	done
	like_plain "row 24: a filter refuses files and timers" hostile refuses
	like_plain "row 24: started under a filter" hostile filtered_start
	check "row 24: ... and counts" [ "$(calls step)" -gt 7000 ]
else
	echo "skip - row 24: no seccomp here"
fi

# No room for the files that making a profile needs: one line with the limit, before anything is made.
mkdir few
CGVIEW_OUT=$PWD/few.raws ./hostile true > /dev/null 2>&1
for n in 4 6 8; do
	for command in "record -o few/x.db -- ./hostile true" "import -o few/x.db $(echo few.raws.*.raw)"; do
		# shellcheck disable=SC2086
		(ulimit -n $n; exec "$cgview" $command) > out 2> err
		equal "${command%% *} with $n files: one line that names the limit, nothing is left" "1|1|1|" \
			"$?|$(wc -l < err)|$(grep -c "may have $n files open.*ulimit -n" err)|$(ls -A few)"
	done
done
