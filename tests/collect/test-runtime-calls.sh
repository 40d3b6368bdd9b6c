#!/bin/bash
# What the runtime may use of libc. It works in signal handlers, and at the begin and end of threads:
# nothing there may be a point where a cancelled thread ends, or take a lock that the program may
# hold. What stands here has been looked at; for all else there is src/collect/runtime/kernel.h.
. tests/e2e/lib.sh
need_collection
need nm

# Computes: no lock, no system call (the kernel's page for clocks), no way to end the thread.
pure='__errno_location clock_getres clock_gettime getauxval memcmp memcpy memset pthread_self strerrordesc_np
	sigaddset __libc_single_threaded environ
	_dl_find_object _GLOBAL_OFFSET_TABLE_'
# Called at the start, and where libraries come and go: the loader's own lock, which is not held
# by anybody who waits for us.
loader='dl_iterate_phdr dladdr dlopen dlsym pthread_atfork'
# Called where a thread is created, by its creator (malloc is for thrd_create, which may fail).
creation='pthread_attr_destroy pthread_attr_getsigmask_np pthread_attr_getstacksize
	pthread_getattr_default_np pthread_key_create pthread_once pthread_setspecific malloc free clone
	sigfillset'
# What the linker makes of the program's own calls (--wrap) in static programs.
wrapped='__real_pthread_create __real_sigaction __real_signal __real_prctl __real_clone
	__real__Fork __real__exit __real__Exit'

names=$(nm -u "$build"/lib/cgview/libcgview_rt.a "$build"/lib/cgview/cgview_*.o |
	awk '$1 ~ /^[Uwv]$/ { print $2 }' | grep -v '^__cgview_\|^__\(start\|stop\)_cgview_\(cnt\|open\|rt\|space_reads\)$' | sort -u)
check "there are some" [ "$(wc -w <<< "$names")" -gt 10 ]
others=$(comm -23 <(echo "$names") <(printf '%s\n' $pure $loader $creation $wrapped | sort -u))
if [ -z "$others" ]; then
	ok "the runtime calls nothing of libc but what has been looked at"
else
	printf '# %s\n' $others
	not_ok "the runtime calls nothing of libc but what has been looked at"
fi
calls=$(grep -nE '(^|[^_A-Za-z])(open|close|read|write|pread|pwrite|poll|nanosleep|fallocate|fcntl) ?\(' \
	src/collect/runtime/*.c | grep -v '/\*\|^[^:]*:[0-9]*:[[:space:]]*\*')
equal_calls=${calls:+$'\n'$calls}
check "none of its files calls by name what the kernel is asked directly$equal_calls" [ -z "$calls" ]
