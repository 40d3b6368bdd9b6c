/* hostile CASE: surroundings that leave no room for a profiler. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "step.h"

static void *
count(void *nr)
{
	steps((long)nr);
	return NULL;
}

static void
threads(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, count, (void *)1000L);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void
forks(void)
{
	int status = 0;

	if (fork() == 0) {
		steps(1000);
		exit(9);
	}
	wait(&status);
	printf("child %d\n", WEXITSTATUS(status));
}

static int plain(void) { return 5; }

static int
moved(void)
{
	if (chdir("/") != 0)
		return 1;
	steps(1000);
	return 5;
}

static int
jailed(void)
{
	mkdir("jail", 0755);
	if (chroot("jail") != 0 || chdir("/") != 0)
		return 77;
	steps(1000);
	threads();
	forks();
	return 5;
}

static int
privileged(void)
{
	printf("%d %d\n", (int)getuid(), (int)geteuid());
	return 5;
}

/* All that wants room, one after the other. */
static int
busy(void)
{
	clock_t end = clock() + CLOCKS_PER_SEC / 20;

	while (clock() < end)
		steps(1000);
	threads();
	forks();
	return 5;
}

static int
cut(void)
{
	char line[8];

	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	return busy();
}

/* ---- SIGBUS of its own ---- */

static sigjmp_buf back;
static volatile int faults;

static void
own_handler(int signal, siginfo_t *info, void *context)
{
	(void)signal, (void)context;
	faults += info->si_addr != NULL;
	siglongjmp(back, 1);
}

static char *
cut_mapping(void)
{
	int fd = memfd_create("own", 0);
	char *p;

	if (ftruncate(fd, 4096) != 0)
		abort();
	p = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (p == MAP_FAILED || ftruncate(fd, 0) != 0)
		abort();
	return p;
}

static int
own_bus(void)
{
	struct sigaction action = { .sa_sigaction = own_handler, .sa_flags = SA_SIGINFO }, old;
	volatile char *p = cut_mapping();
	volatile int i;

	sigaction(SIGBUS, NULL, &old);
	printf("before: %d\n", old.sa_handler == SIG_DFL);
	sigaction(SIGBUS, &action, &old);
	for (i = 0; i < 10; i++)
		if (sigsetjmp(back, 1) == 0)
			*p = 1;
	printf("%d faults\n", faults);
	sigaction(SIGBUS, &old, NULL);
	signal(SIGBUS, SIG_IGN);
	kill(getpid(), SIGBUS);
	return 5;
}

static int
die_of_bus(void)
{
	volatile char *p = cut_mapping();

	*p = 1;
	return 5;
}

static int
sent_bus(void)
{
	kill(getpid(), SIGBUS);
	return 5;
}

/* ---- seccomp ---- */

static int
strict(void)
{
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT) != 0)
		return 77;
	for (int i = 0; i < 100; i++)
		steps(1000000);
	syscall(SYS_exit, 5);
	return 1;
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define GIVE(what) BPF_STMT(BPF_RET | BPF_K, what)
#define ON(number, what)                                                                           \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1), GIVE(what)

/* Only what a program that counts and prints needs. */
static struct sock_filter kills[] = {
	LOAD(nr), ON(SYS_write, SECCOMP_RET_ALLOW), ON(SYS_exit_group, SECCOMP_RET_ALLOW),
	ON(SYS_exit, SECCOMP_RET_ALLOW), ON(SYS_newfstatat, SECCOMP_RET_ALLOW),
	GIVE(SECCOMP_RET_KILL_PROCESS),
};

/* Threads and children, but no files and no timers. */
static struct sock_filter refuses[] = {
	LOAD(nr), ON(SYS_openat, SECCOMP_RET_ERRNO | EPERM),
	ON(SYS_fallocate, SECCOMP_RET_ERRNO | ENOSYS), ON(SYS_pwrite64, SECCOMP_RET_ERRNO | EPERM),
	ON(SYS_timer_create, SECCOMP_RET_ERRNO | ENOSYS), ON(SYS_fcntl, SECCOMP_RET_ERRNO | EPERM),
	ON(SYS_timer_settime, SECCOMP_RET_ERRNO | EPERM), ON(SYS_kill, SECCOMP_RET_ERRNO | EPERM),
	ON(SYS_tgkill, SECCOMP_RET_ERRNO | EPERM), ON(SYS_readlink, SECCOMP_RET_ERRNO | EPERM),
	ON(SYS_rt_sigaction, SECCOMP_RET_ERRNO | EPERM), GIVE(SECCOMP_RET_ALLOW),
};

static bool
filter(struct sock_filter *rules, size_t nr, bool by_syscall)
{
	struct sock_fprog program = { (unsigned short)nr, rules };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return false;
	if (by_syscall)
		return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC,
			       &program) == 0;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static int
killing(bool by_syscall)
{
	printf("before\n");
	fflush(stdout);
	if (!filter(kills, sizeof(kills) / sizeof(*kills), by_syscall))
		return 77;
	for (int i = 0; i < 100; i++)
		steps(1000000);
	printf("after\n");
	fflush(stdout);
	return 5;
}

static int filter_kills(void) { return killing(false); }
static int filter_kills_2(void) { return killing(true); }

static int
filter_refuses(void)
{
	if (!filter(refuses, sizeof(refuses) / sizeof(*refuses), true))
		return 77;
	return busy();
}

/* A program that is started under a filter. */
static char *program;

static int
filtered_start(void)
{
	static struct sock_filter start[] = {
		LOAD(nr), ON(SYS_fallocate, SECCOMP_RET_ERRNO | ENOSYS),
		ON(SYS_timer_create, SECCOMP_RET_ERRNO | ENOSYS),
		ON(SYS_rt_sigaction, SECCOMP_RET_ERRNO | EPERM),
		ON(SYS_fcntl, SECCOMP_RET_ERRNO | EPERM), GIVE(SECCOMP_RET_ALLOW),
	};

	if (!filter(start, sizeof(start) / sizeof(*start), true))
		return 77;
	execl(program, program, "busy", (char *)NULL);
	return 1;
}

/* ---- what is said cannot be heard ---- */

static int
limited(rlim_t bytes)
{
	struct rlimit limit = { bytes, bytes };

	if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
		return 77;
	steps(1000);
	threads();
	return 5;
}

static int no_size(void) { return limited(0); }

static int
unheard(void)
{
	int fds[2];

	if (pipe(fds) != 0 || dup2(fds[1], STDERR_FILENO) < 0)
		return 77;
	close(fds[0]);
	close(fds[1]);
	return limited(20000);
}

/* Both signals are pending already, and are to be there afterwards. */
static int
unheard_pending(void)
{
	sigset_t set, pending;

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigaddset(&set, SIGXFSZ);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGPIPE);
	raise(SIGXFSZ);
	unheard();
	sigpending(&pending);
	return 5 + sigismember(&pending, SIGPIPE) + 2 * sigismember(&pending, SIGXFSZ);
}

static const struct {
	const char *name;
	int (*act)(void);
} cases[] = {
	{ "plain", plain }, { "chdir", moved }, { "chroot", jailed }, { "setuid", privileged },
	{ "busy", busy }, { "cut", cut }, { "own_bus", own_bus }, { "die_of_bus", die_of_bus },
	{ "sent_bus", sent_bus }, { "strict", strict }, { "kills", filter_kills },
	{ "kills_2", filter_kills_2 }, { "refuses", filter_refuses },
	{ "filtered_start", filtered_start }, { "no_size", no_size }, { "unheard", unheard },
	{ "unheard_pending", unheard_pending },
};

int
main(int argc, char **argv)
{
	program = argv[0];
	steps(1000);
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(argv[1], cases[i].name) == 0)
			return cases[i].act();
	return 0;
}
