/* handlers CALL ACTION TIMES SEED: makes CALL again and again while a timer interrupts it, at
 * random moments, by a handler that does ACTION; then whatever takes a lock once more, and prints
 * how often the handler came. handlers list: the pairs that are right in a program of gcc's. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef LIBRARY
#define LIBRARY "./libhandlers.so"
#endif
#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

extern char **environ;
static void (*action)(void);
static volatile int acted, wanted;
static unsigned seed;
static timer_t timer;
static sigjmp_buf out;
static volatile sig_atomic_t may_jump;
static char *self;

static void
fail(const char *what)
{
	fprintf(stderr, "%s: %s\n", what, strerror(errno));
	_exit(3);
}

static unsigned
draw(void)
{
	seed = seed * 1664525 + 1013904223;
	return seed >> 8;
}

static void
arm(void)
{
	unsigned most = draw() % 4 ? 20000 : 200000;
	struct itimerspec when = {.it_value.tv_nsec = 1000 + draw() % most};

	timer_settime(timer, 0, &when, NULL);
}

static void
ended(pid_t pid)
{
	int status;

	if (pid < 0)
		fail("no child");
	while (waitpid(pid, &status, __WALL) < 0)
		if (errno != EINTR)
			fail("waitpid");
	if (status && WTERMSIG(status) != SIGALRM) /* which may be pending where exec resets it */
		_exit(4);
}

/* ---- what a handler does, and what it interrupts ---- */

static void
nothing(void)
{
}

static void
do_fork(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	ended(pid);
}

static void
do_bare_fork(void)
{
	pid_t pid = _Fork();

	if (!pid)
		_exit(0);
	ended(pid);
}

static void
do_number_fork(void)
{
	pid_t pid = (pid_t)syscall(SYS_fork);

	if (!pid)
		_exit(0);
	ended(pid);
}

static void
do_vfork(void)
{
	pid_t pid = vfork();

	if (!pid)
		_exit(0);
	ended(pid);
}

static int
child(void *none)
{
	(void)none;
	_exit(0);
}

static void
do_clone(void)
{
	char stack[16384] __attribute__((aligned(16)));

	ended(clone(child, stack + sizeof(stack), SIGCHLD, NULL));
}

static void
do_spawn(void)
{
	char *argv[] = {"true", NULL};
	pid_t pid;

	if (posix_spawn(&pid, "/bin/true", NULL, NULL, argv, environ))
		fail("posix_spawn");
	ended(pid);
}

static void
do_sigaction(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN}, old;

	if (sigaction(SIGURG, &ignore, &old) || sigaction(SIGSEGV, NULL, &old) ||
	    sigaction(SIGUSR2, &ignore, NULL))
		fail("sigaction");
	signal(SIGURG, SIG_DFL);
}

static void
do_mask(void)
{
	sigset_t some, before;

	sigemptyset(&some);
	sigaddset(&some, SIGURG);
	sigaddset(&some, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &some, &before);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static void
do_altstack(void)
{
	static char memory[8192];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	stack_t off = {.ss_flags = SS_DISABLE};

	if (sigaltstack(&stack, NULL) || sigaltstack(&off, NULL))
		fail("sigaltstack");
}

static void
do_jump(void)
{
	if (may_jump)
		siglongjmp(out, 1);
}

static void *
thread(void *none)
{
	return none;
}

static void
do_create(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, thread, NULL) || pthread_join(t, NULL))
		fail("pthread_create");
}

static void
do_create_masked(void)
{
	static pthread_attr_t attr;
	static bool made;
	sigset_t all;
	pthread_t t;

	/* Once, before signals come: it takes memory, and fork() hangs in a handler that
	 * interrupts malloc(). */
	if (!made) {
		sigfillset(&all);
		pthread_attr_init(&attr);
		pthread_attr_setsigmask_np(&attr, &all);
		made = true;
	}
	if (pthread_create(&t, &attr, thread, NULL) || pthread_join(t, NULL))
		fail("pthread_create");
}

static int tid;

static void
bare_thread_ended(void)
{
	int left;

	while ((left = *(volatile int *)&tid))
		syscall(SYS_futex, &tid, FUTEX_WAIT, left, NULL, NULL, 0);
}

static int
bare_thread(void *none)
{
	(void)none;
	syscall(SYS_exit, 0);
	return 0;
}

static void
do_clone_thread(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			  CLONE_SYSVSEM | CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID;

	bare_thread_ended(); /* one that was jumped away from */
	if (clone(bare_thread, stack + sizeof(stack), flags, NULL, &tid, NULL, &tid) < 0)
		fail("clone");
	bare_thread_ended();
}

static void
do_library(void)
{
#ifndef STATIC
	void *library = dlopen(LIBRARY, RTLD_NOW);

	if (!library || dlclose(library))
		fail("dlopen");
#endif
}

static void
set_timer(void)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGALRM};

	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		fail("timer_create");
	arm();
}

static void *
ending(void *none)
{
	set_timer();
	return none;
}

static void
do_thread_end(void)
{
	timer_t mine = timer;
	pthread_t t;

	if (pthread_create(&t, NULL, ending, NULL) || pthread_join(t, NULL))
		fail("pthread_create");
	timer_delete(timer);
	timer = mine;
}

static void
do_exit(void)
{
	pid_t pid = fork();

	if (!pid) {
		set_timer();
		exit(0);
	}
	ended(pid);
}

static void
do_exec(void)
{
	pid_t pid = fork();

	if (!pid) {
		set_timer();
		execl(self, self, "nothing", NULL);
		_exit(1);
	}
	ended(pid);
}

static void
do_unshare(void)
{
	if (unshare(0))
		fail("unshare");
}

/* ---- the pairs ---- */

#define SAFE "fork _Fork SYS_fork vfork clone spawn sigaction mask altstack"
static const struct call {
	const char *name;
	void (*make)(void);
	const char *actions; /* that may interrupt it; NULL: it interrupts only */
	bool sets_timer; /* for whoever is to be interrupted: it is made as often as TIMES says */
} calls[] = {
	{"fork", do_fork, SAFE " jump"},
	{"_Fork", do_bare_fork, SAFE " jump"},
	{"SYS_fork", do_number_fork, SAFE " jump"},
	{"vfork", do_vfork, "_Fork sigaction mask"},
	{"clone", do_clone, SAFE " jump"},
	{"clone_thread", do_clone_thread, SAFE " jump"},
	{"spawn", do_spawn, SAFE},
	{"sigaction", do_sigaction, SAFE " jump create library"},
	{"mask", do_mask, SAFE " jump create library"},
	{"altstack", do_altstack, SAFE " jump create library"},
	{"create", do_create, SAFE},
	{"create_masked", do_create_masked, SAFE},
	{"library", do_library, SAFE},
	{"thread_end", do_thread_end, "_Fork sigaction mask altstack", true},
	{"exit", do_exit, SAFE, true},
	{"exec", do_exec, SAFE, true},
	{"unshare", do_unshare, SAFE " jump"},
	{"jump", do_jump, NULL},
	{"nothing", nothing, NULL},
};

static const struct call *
find(const char *name)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (!strcmp(calls[i].name, name))
			return &calls[i];
	exit(2);
}

static int
list(void)
{
	char actions[200], *action;

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++) {
		if (!calls[i].actions)
			continue;
		strcpy(actions, calls[i].actions);
		for (action = strtok(actions, " "); action; action = strtok(NULL, " "))
			printf("%s %s\n", calls[i].name, action);
	}
	return 0;
}

static __attribute__((noinline)) void
count(void)
{
	acted++;
}

static void
on_alarm(int signal)
{
	int saved = errno;

	(void)signal;
	count();
	if (acted < wanted)
		arm();
	action();
	errno = saved;
}

int
main(int argc, char **argv)
{
	struct sigaction alarm = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
	const struct call *call;
	int made = 0;

	if (argc < 5)
		return argc > 1 && !strcmp(argv[1], "list") ? list() : 0;
	self = argv[0];
	call = find(argv[1]);
	action = find(argv[2])->make;
	wanted = atoi(argv[3]);
	seed = (unsigned)atoi(argv[4]);
	sigaction(SIGALRM, &alarm, NULL);
	call->make(); /* the first time takes memory and binds symbols */
	action();
	call->make();
	if (!call->sets_timer)
		set_timer();
	while ((call->sets_timer ? made++ : acted) < wanted) {
		if (!sigsetjmp(out, 1)) {
			may_jump = 1;
			call->make();
		}
		may_jump = 0;
	}
	do_fork();
	do_create();
	do_library();
	do_sigaction();
	printf("%d\n", call->sets_timer ? 0 : acted);
	return 0;
}
