#!/bin/bash
# Sampled stacks are right: through libc, signal handlers, inlined procedures, exceptions, threads of
# libraries, other stacks, in programs built in several ways. Each program spends its time in a place
# that is reached in one known way.
. tests/e2e/lib.sh
need_collection
need sqlite3
cd "$TMP_DIR" || exit
programs=$top/tests/collect/programs

# stack NAME PROGRAM CASE SHARE CHAIN...: see stacks.py.
stack()
{
	local name=$1 program=$2 case=$3 samples seen= status=
	shift 3
	# A short run on a busy machine may be missed by all ticks of the kernel; and more of them than
	# usual may see the program's begin.
	for _ in 1 2 3 4 5; do
		record "$case.db" "./$program" "$case"
		samples=$(sqlite3 "$case.db" 'SELECT sum(samples) FROM run')
		[ "$samples" -ge 20 ] || continue
		seen=yes
		python3 "$top/tests/collect/stacks.py" "$case.db" "$@" > stack.out
		status=$?
		[ $status = 0 ] && break
	done
	if [ ! "$seen" ]; then
		echo "skip - $name: the machine is too busy, $samples samples in the fifth run"
		return
	fi
	check "$name" sh -c "cat stack.out; exit $status"
}
notes() { sqlite3 "$1" "SELECT text FROM note WHERE kind IN ('samples', 'stacks')"; }

# A library that was not built with cgcc starts threads too.
cat > plain.c <<'PLAIN'
#include <pthread.h>
static void *run(void *p) { (*(void (**)(void))p)(); return 0; }
void run_in_thread(void (*f)(void))
{
	pthread_t thread;
	if (!pthread_create(&thread, 0, run, &f))
		pthread_join(thread, 0);
}
PLAIN
must "compile a plain library" gcc -O2 -shared -fPIC plain.c -o libplain.so
must "compile stacks.c" "$cgcc" -O2 -DWITH_LIBRARY -pthread "$programs/stacks.c" -o stacks -L. -lplain \
	-Wl,-rpath,"$TMP_DIR"
must "compile stacks.cc" "$build/cgg++" -O2 "$programs/stacks.cc" -o stacks-cc

stack "through qsort" stacks qsort 90 'main>sorts>()>compare>burn'
stack "through bsearch" stacks bsearch 90 'main>searches>()>like>burn'
stack "a raised signal's handler" stacks raise 90 'main>raises>()>on_signal>burn'
stack "a signal's handler, at any instruction" stacks interrupt 80 \
	'main>is_interrupted>()>on_signal>burn'
stack "a handler with a stack of its own" stacks sigaltstack 80 \
	'main>is_interrupted_elsewhere>()>on_other_stack>wide>burn'
stack "a tail call" stacks tail 90 'main>calls_what_jumps>jumps>last'
stack "... behind a tail call, and not one that was never executed" stacks tail-never 90 \
	'main>calls_what_could_jump_farther>jumps_to_one>jumps>last'
stack "... of a part that was split off" stacks tail-part 90 'main>calls_what_splits>splits>jumps>last'
check "... with the line of the jump" [ "$(sqlite3 tail-part.db "SELECT call_site.line FROM context
	JOIN procedure ON procedure.id = context.procedure JOIN call_site ON call_site.id = context.site
	WHERE name = 'jumps'" | uniq)" = "$(sed -n '/the part jumps/=' "$programs/stacks.c")" ]
stack "... by one of two jumps" stacks tail-two 90 'main>calls_what_jumps_from_two>jumps_from_two>last'
check "... whose time together is known" [ "$(sqlite3 tail-two.db "SELECT
	(SELECT sum(pair_ns) FROM arc JOIN procedure caller ON caller.id = caller JOIN procedure callee ON callee.id = callee
		WHERE caller.name = 'jumps_from_two' AND callee.name = 'last') = total_ns FROM procedure WHERE name = 'last'")" = 1 ]
stack "a tail call of an inlined procedure" stacks tail-inlined 90 \
	'main>calls_what_has_it>has_what_jumps>jumps_from_within>last'
stack "... of one through a pointer" stacks tail-inlined-pointer 90 \
	'main>calls_what_has_that>has_what_jumps_by_pointer>jumps_by_pointer_from_within>last'
check "... with the line of the jump" [ "$(sqlite3 tail-inlined-pointer.db "SELECT call_site.line FROM context
	JOIN procedure ON procedure.id = context.procedure JOIN call_site ON call_site.id = context.site
	WHERE name = 'last'" | uniq)" = "$(sed -n '/to_call(ms)/=' "$programs/stacks.c")" ]
stack "two tail calls behind a pointer" stacks tail-pointer 90 'main>calls_one_that_jumps>jumps_twice>jumps>last'
stack "two tail calls, or one: nobody knows" stacks tail-pointers 90 'main>calls_two_that_jump>last'
stack "inlined procedures" stacks inline 90 'main>has_inlined>middle>inner>burn'
check "... with the lines of the calls" \
	[ "$(sqlite3 inline.db "SELECT call_site.line FROM context JOIN procedure ON
		procedure.id = context.procedure JOIN call_site ON call_site.id = context.site
		WHERE name IN ('middle', 'inner', 'burn') ORDER BY context.id" | tr '\n' ' ')" = \
	  "$(for what in outer middle inner; do
		sed -n "/$what calls/=" "$programs/stacks.c"; done | tr '\n' ' ')" ]
stack "a coroutine" stacks coroutine 90 'coroutine>wide>burn'
stack "code without call frame information" stacks code 90 'main>runs_code>()>burn' 'main>runs_code'
check "... is told to be guessed" grep -q 'callers were guessed' <(notes code.db)
stack "... where the runtime has left return addresses" stacks code-runtime 90 \
	'main>runs_code_where_runtime_was>()>burn' 'main>runs_code_where_runtime_was'
# A sample may fall into what the dynamic linker does without such information.
check "... and next to nothing else is" [ -z "$(for db in *.db; do
	[[ $db = code*.db ]] || sqlite3 $db "SELECT text FROM note WHERE text LIKE '%callers were guessed' AND
		20 * CAST(text AS INTEGER) > (SELECT sum(samples) FROM run)"
done)" ]
stack "the kernel's code in the process" stacks vdso 90 'main>asks_time'
# The first thread starts the other and waits; a tick may fall into that too.
stack "a thread" stacks thread 90 'in_own_thread>burn' 'main>starts_thread'
check "... is known to its end" [ -z "$(notes thread.db)" ]
stack "a thread that a library started" stacks library-thread 90 'in_thread>burn' \
	'main>lets_start_thread'
stack "a thread that libc started" stacks timer-thread 90 'on_timer>in_thread>burn' \
	'main>lets_timer_start_thread'
check "... is one of two" [ "$(sqlite3 timer-thread.db 'SELECT COUNT(*) FROM thread')" = 2 ]

# 10,000 calls deep: both ends of the stack are there. There are runs where up to half of the samples lack one.
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
	record deep.db ./stacks deep
	known=$(sqlite3 deep.db "SELECT MIN(total_samples) > 4 AND 3 * MIN(total_samples) >= MAX(total_samples)
		FROM procedure WHERE name IN ('main', 'recurses', 'recurse', 'burn')")
	[ "$known" = 1 ] && break
done
check "10,000 calls deep: the outermost callers are known" [ "$known" = 1 ]
check "... what is missing is told" grep -q 'the middle is missing' <(notes deep.db)

# To walk through a deep stack takes as long as a sample stands for, or longer. That must not be the
# program's time, half of which is spent deep.
must "compile deep.c" "$cgcc" -O2 "$programs/deep.c" -o deep
# too_deep DEPTH [OPTION...]: by how many percent dives() has more than half of the time.
too_deep()
{
	record_options=${*:2} record deep.db ./deep "$1"
	sqlite3 deep.db "SELECT 100 * total_ns / (SELECT sum(self_ns) FROM procedure) - 50
		FROM procedure WHERE name = 'dives'"
}
for depth in 1000 10000 60000 200000; do
	for _ in 1 2 3; do
		more=$(too_deep $depth)
		[ "${more#-}" -le 15 ] && break
	done
	check "$depth calls deep: half of the time is spent there ($more points more)" [ "${more#-}" -le 15 ]
done
check "... all of it is main's" [ "$(sqlite3 deep.db "SELECT total_ns >= 0.9 * (SELECT sum(self_ns)
	FROM procedure) FROM procedure WHERE name = 'main'")" = 1 ]

# Frames that nothing is known about, on a stack full of what may be return addresses: the search
# ends. The program takes two seconds, and was not done after 300.
must "compile searched.c" "$cgcc" -O3 "$programs/searched.c" -o searched
check "a search for callers takes no longer than the program" \
	sh -c 'ulimit -t 30; "$0" record -o searched.db ./searched 1280' "$cgview"

stack "a virtual method" stacks-cc virtual 90 'main>calls_virtual>derived::work>burn'
stack "destructors and handlers of an exception" stacks-cc catch 90 'main>catches>burn' \
	'main>catches>throws>cleanup::~cleanup>burn'
# For its last ten instructions libgcc has overwritten all that tells where it came from.
stack "in the midst of a throw" stacks-cc much 90,6 'main>catches_much>throws_at_once' \
	'main>catches_much'

# The same in other builds.
for flags in -O0 "-O3 -fomit-frame-pointer" "-O2 -static-pie" "-O2 -static" "-O2 -flto"; do
	must "compile stacks.c $flags" "$cgcc" $flags -pthread "$programs/stacks.c" -o other
	stack "$flags: through qsort" other qsort 90 'main>sorts>()>compare>burn'
	stack "$flags: a signal's handler" other interrupt 80 'main>is_interrupted>()>on_signal>burn'
	stack "$flags: inlined procedures" other inline 90 'main>has_inlined>middle>inner>burn'
	stack "$flags: a coroutine" other coroutine 90 'coroutine>wide>burn'
done
