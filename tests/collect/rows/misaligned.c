/* misaligned: an emulator calls handlers of signals with a stack that is not aligned as the ABI
 * wants it. Here a piece of assembly stands before each handler that is not the program's, and
 * does so. Prints how many it found, and whether each was called: one has samples to take, the
 * other mends the fault when the profile (MISALIGNED_RAW) is cut. */
#define _GNU_SOURCE
#include <glob.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "step.h"

struct action { /* the kernel's */
	void *handler;
	unsigned long flags;
	void *restorer;
	uint64_t mask;
};

/* At its first instruction a handler's stack pointer is 8 below a multiple of 16; behind one more
 * call it is a multiple of 16. */
void *behind[3];
unsigned long times[3];
void before_0(void), before_1(void), before_2(void);
#define BEFORE(n)                                                                                  \
	__asm__("before_" #n ": incq times+8*" #n "(%rip); call *behind+8*" #n "(%rip); ret")
BEFORE(0);
BEFORE(1);
BEFORE(2);

/* Not libc's procedure, nor its syscall(), of which the runtime hears. */
static long
set(int signal, const struct action *action, struct action *old)
{
	register long size __asm__("r10") = 8;
	long result = SYS_rt_sigaction;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"((long)signal), "S"(action), "d"(old), "r"(size)
			 : "rcx", "r11", "memory");
	return result;
}

static void
burn(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 4;

	while (clock() < end)
		steps(1000);
}

int
main(void)
{
	void (*const stubs[])(void) = { before_0, before_1, before_2 };
	const char *prefix = getenv("MISALIGNED_RAW");
	struct action a;
	int found = 0;
	glob_t files;

	for (int i = 1; i <= 64; i++) {
		if (set(i, NULL, &a) != 0 || (uintptr_t)a.handler < 2 || found == 3)
			continue;
		behind[found] = a.handler;
		a.handler = (void *)(uintptr_t)stubs[found++];
		set(i, &a, NULL);
	}
	burn();
	if (prefix && glob(prefix, 0, NULL, &files) == 0 && truncate(files.gl_pathv[0], 4096) != 0)
		return 1;
	burn();
	printf("%d handlers, called: %d %d\n", found, times[0] != 0, times[1] != 0);
	return 7;
}
