/* forks HOW: a child that is made in the way HOW makes 1,000,000 calls and works for 0.3 s of its
 * own CPU time, while its parent makes 500,000. Prints the child's CPU time, in ms, as the kernel
 * knows it, and how it ended. */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile long n;

__attribute__((noinline)) static void
step(long i)
{
	n += i;
}

__attribute__((noinline)) static void
spin(void)
{
	for (int i = 0; i < 100000; i++)
		n++;
}

static int
work(void *none)
{
	struct timespec t;

	(void)none;
	for (long i = 0; i < 1000000; i++)
		step(i);
	do {
		spin();
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	} while (!t.tv_sec && t.tv_nsec < 300000000);
	return 3;
}

static char stack[65536] __attribute__((aligned(16)));

/* syscall() returns there, and what it returned is in %eax. */
static void
on_other_stack(void)
{
	_exit(work(NULL));
}

static pid_t
by_clone(void)
{
	return clone(work, stack + sizeof(stack), SIGCHLD, NULL);
}

static pid_t
by_number(void)
{
	return (pid_t)syscall(SYS_fork);
}

static pid_t
by_clone_number(void)
{
	const long flags = CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID | SIGCHLD;
	pid_t id = -1, pid = (pid_t)syscall(SYS_clone, flags, NULL, &id, &id, NULL);

	if (pid > 0 && pid != id)
		exit(5);
	return pid;
}

static pid_t
by_clone_elsewhere(void)
{
	void **top = (void **)(stack + sizeof(stack)) - 2;

	*top = (void *)(uintptr_t)on_other_stack;
	return (pid_t)syscall(SYS_clone, SIGCHLD, top, NULL, NULL, NULL);
}

static pid_t
by_clone3(void)
{
	struct clone_args a = {.exit_signal = SIGCHLD};

	return (pid_t)syscall(SYS_clone3, &a, sizeof(a));
}

/* Nobody sees this one. */
static pid_t
by_assembly(void)
{
	long pid = SYS_fork;

	__asm__ volatile("syscall" : "+a"(pid) : : "rcx", "r11", "memory");
	return (pid_t)pid;
}

static const struct {
	const char *name;
	pid_t (*make)(void);
} ways[] = {
	{ "fork", fork }, { "_Fork", _Fork }, { "clone", by_clone }, { "SYS_fork", by_number },
	{ "SYS_clone", by_clone_number }, { "SYS_clone_stack", by_clone_elsewhere },
	{ "SYS_clone3", by_clone3 }, { "assembly", by_assembly }, { "assembly_exit", by_assembly },
};

int
main(int argc, char **argv)
{
	struct rusage usage;
	int status = 0;
	size_t i;
	pid_t pid;

	for (i = 0; i < sizeof(ways) / sizeof(*ways) - 1 && argc > 1; i++)
		if (!strcmp(ways[i].name, argv[1]))
			break;
	if (syscall(SYS_clone3, NULL, 0) != -1 || syscall(SYS_clone3, NULL, 88) != -1)
		return 6;
	pid = ways[i].make();
	if (pid == 0 && !strcmp(ways[i].name, "assembly_exit"))
		exit(work(NULL));
	if (pid == 0)
		_exit(work(NULL));
	if (pid < 0)
		return 77;
	for (long k = 0; k < 500000; k++)
		step(k);
	waitpid(pid, &status, 0);
	getrusage(RUSAGE_CHILDREN, &usage);
	printf("%ld %d\n", (long)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000 +
	       (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1000, WEXITSTATUS(status));
	return 0;
}
