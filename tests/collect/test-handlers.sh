#!/bin/bash
# Whatever a handler interrupts, and whatever it does there or jumps away from: it never waits for what
# the runtime holds, and nobody does who comes later. Each pair of calls that is right in a program of
# gcc's is tried in a process with a deadline, with a signal at random moments of each call.
. tests/collect/rows/lib.sh
need timeout
handlers=$rows/handlers.c
echo 'int in_library(int n) { return n; }' > library.c
must "compile" "$cgcc" -O1 -pthread "$handlers" -o handlers
must "compile a static program" "$cgcc" -O1 -pthread -static -DSTATIC "$handlers" -o handlers-static
must "compile with gcc" gcc -O1 -pthread '-DLIBRARY="./libplain.so"' "$handlers" -o plain
must "compile the library with gcc" gcc -shared -fPIC library.c -o libplain.so
must "compile the library" "$cgcc" -shared -fPIC library.c -o libhandlers.so
./plain list > pairs

# as_gcc NAME PROGRAM TIMES PATTERN [COMMAND...]: each pair that matches ends as gcc's program does, and prints
# the same, how often the handler came (the file came).
as_gcc()
{
	local name=$1 program=$2 times=$3 pattern=$4 call action expected got
	shift 4
	: > came
	while read -r call action; do
		expected=$(timeout -s KILL 60 ./plain "$call" "$action" "$times" 1 < /dev/null) || continue
		got=$(timeout -s KILL 60 "$@" "./$program" "$call" "$action" "$times" 1 2> err < /dev/null) ||
			got="status $?"
		# Where a sample falls into clone(2), libc says nothing of the callers.
		! grep ^cgview err | grep -qv 'sampled stack' || got="$got, $(grep ^cgview err | head -c 200)"
		echo "$got" >> came
		[ "$expected" = "$got" ] || echo "$call, $action: $got; gcc's: $expected"
	done < <(grep -E "$pattern" pairs) > differ
	equal "$name ($(wc -l < came) pairs)" "" "$(cat differ)"
} 2> /dev/null

# Where main itself is interrupted, the handler comes as often as it is asked to.
ends='^(thread_end|exit|exec) '
hard='^(fork|SYS_fork|clone|clone_thread) (fork|_Fork|SYS_fork|clone|jump)$|^create fork$'
mkdir raw raw2
export CGVIEW_OUT=$PWD/raw/p
as_gcc "each call, interrupted by each that a handler may make: as gcc's" handlers 60 "^(f|_|S|v|c|s|m|a|l|u)"
counted=$(awk '{ n += $1 } END { print n }' came)
equal "... and the handler's calls are all there" "$counted" "$(calls count)"
export CGVIEW_OUT=$PWD/raw2/p
as_gcc "the ends of threads and processes, interrupted: as gcc's" handlers 60 "$ends"
as_gcc "forks and threads, interrupted often: as gcc's" handlers 500 "$hard"
as_gcc "... in a static program" handlers-static 200 "$hard"
unset CGVIEW_OUT
as_gcc "... with --wall" handlers 100 "$hard" "$cgview" record --wall -o wall.db --
as_gcc "... with --space" handlers 100 "$hard" "$cgview" record --space -o space.db --

# --space: whoever asks for memory or gives it back is interrupted by one that does so, too, that forks, or that
# leaves it by a jump. All that is asked for is counted, what comes after a jump too. The program counts by hand.
allocating=$rows/allocating.c flags=alloc=pool_get:1,free=pool_put
must "compile" "$cgcc" -O1 -pthread --cgview-flags=$flags "$allocating" -o allocating -lstdc++
must "compile with gcc" gcc -O1 -pthread "$allocating" -o allocating-plain -lstdc++
# not_counted: of the lines NAME LEAST MOST of the file out those whose procedure has other figures in the profile
not_counted()
{
	sqlite3 -separator ' ' space.db "SELECT name, self_allocs + self_pool_allocs FROM procedure" |
		awk 'NR == FNR { n[$1] = $2; next } NF == 3 && (n[$1] + 0 < $2 || n[$1] + 0 > $3) {
			print $1 ": " n[$1] + 0 ", not " $2 " to " $3 }' - out
	sqlite3 space.db "SELECT text FROM note WHERE text LIKE '%could not be noted%'"
}
must "compile an allocator" gcc -O1 -w -fno-builtin -shared -fPIC "$rows/reentrant.c" -o libreentrant.so
./allocating-plain list > pairs
while read -r call action; do
	for how in here own other; do # the handler's stack; or with another allocator than libc's
		unset LD_PRELOAD
		[ $how != other ] || export LD_PRELOAD=$PWD/libreentrant.so
		arguments=("$call" "$action" 200 "${how/other/here}")
		expected=$(timeout -s KILL 60 ./allocating-plain "${arguments[@]}" | head -1)
		rm -f space.db*
		timeout -s KILL 60 "$cgview" record -F 0 --space -o space.db ./allocating "${arguments[@]}" > out 2> err ||
			echo "status $?" > out
		unset LD_PRELOAD
		got=$(head -1 out)
		[ "$expected" = "$got" ] || echo "$call, $action, $how: $got; gcc's: $expected"
		not_counted | sed "s/^/$call, $action, $how: /"
	done
done < pairs > differ 2> /dev/null
equal "--space: what was interrupted, and what the handler did, ends as gcc's, and is counted (3 x $(wc -l < pairs))" \
	"" "$(cat differ)"
