/* signals CASE: the program's own signals and timers; what it prints must not depend on profiling.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "step.h"

static volatile sig_atomic_t ticks;
static double begun;

static void
tick(int signal)
{
	(void)signal;
	ticks++;
}

static double
cpu(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void
burn(double seconds)
{
	begun = cpu();
	while (cpu() < begun + seconds)
		steps(1000);
}

/* SIGPROF and ITIMER_PROF, as a profiler of the program's own would use them. */
static void
own_profiler(void)
{
	struct itimerval every = { { 0, 10000 }, { 0, 10000 } }, left;
	struct sigaction old;

	sigaction(SIGPROF, NULL, &old);
	getitimer(ITIMER_PROF, &left);
	printf("before: %d %ld %ld\n", old.sa_handler == SIG_DFL, (long)left.it_value.tv_usec,
	       (long)left.it_interval.tv_usec);
	signal(SIGPROF, tick);
	setitimer(ITIMER_PROF, &every, NULL);
	burn(0.5);
	getitimer(ITIMER_PROF, &left);
	printf("after: %s, every %ld us\n", ticks >= 5 && ticks <= 200 ? "its ticks" : "others",
	       (long)left.it_interval.tv_usec);
}

static void
own_timers(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + 1 };
	struct itimerspec when = { { 0, 10000000 }, { 0, 10000000 } };
	struct itimerval real = { { 0, 10000 }, { 0, 10000 } };
	timer_t timer;

	signal(SIGRTMIN + 1, tick);
	signal(SIGALRM, tick);
	signal(SIGVTALRM, tick);
	if (timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) != 0)
		puts("no timer");
	timer_settime(timer, 0, &when, NULL);
	setitimer(ITIMER_REAL, &real, NULL);
	setitimer(ITIMER_VIRTUAL, &real, NULL);
	burn(0.3);
	puts(ticks > 20 ? "ticks" : "no ticks");
	printf("delete: %d\n", timer_delete(timer));
}

/* A daemon's first step: every signal gets its default, none is blocked. */
static void
reset_all(void)
{
	struct sigaction standard = { .sa_handler = SIG_DFL }, old;
	sigset_t all;
	int handled = 0, i;

	for (i = 1; i < NSIG; i++)
		if (sigaction(i, NULL, &old) == 0)
			handled += old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN;
	for (i = 1; i < NSIG; i++)
		sigaction(i, &standard, NULL);
	for (i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	burn(0.2);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	burn(0.1);
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	burn(0.1);
	printf("%d handled\n", handled);
}

/* The same by system calls, past libc's procedures, and by those of libc's that nobody uses. */
struct kernel_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	unsigned long mask;
};

static void
reset_by_number(void)
{
	struct kernel_action standard = { .handler = SIG_DFL, .mask = ~0ul }, old;
	unsigned long all = ~0ul, before = 0;
	int handled = 0, masks = 0, i;

	for (i = 1; i < NSIG; i++)
		if (syscall(SYS_rt_sigaction, i, NULL, &old, 8) == 0)
			handled += old.handler != SIG_DFL && old.handler != SIG_IGN;
	for (i = 1; i < NSIG; i++)
		syscall(SYS_rt_sigaction, i, &standard, NULL, 8);
	for (i = 1; i < NSIG; i++)
		if (syscall(SYS_rt_sigaction, i, NULL, &old, 8) == 0)
			masks += __builtin_popcountl(old.mask);
	burn(0.2);
	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, NULL, 8);
	burn(0.1);
	syscall(SYS_rt_sigprocmask, SIG_UNBLOCK, &all, &before, 8);
	burn(0.1);
	printf("%d handled, %d masked, %d blocked, errors %ld %ld\n", handled, masks,
	       __builtin_popcountl(before), syscall(SYS_rt_sigaction, 10, &standard, NULL, 4),
	       syscall(SYS_rt_sigaction, SIGKILL, &standard, NULL, 8));
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
__sighandler_t bsd_signal(int signal, __sighandler_t handler);

static void
reset_by_old_names(void)
{
	__sighandler_t (*const names[])(int, __sighandler_t) = { bsd_signal, ssignal, sysv_signal,
								 sigset };
	int failed = 0;

	for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
		for (int i = 1; i < NSIG; i++)
			failed += names[k](i, SIG_DFL) == SIG_ERR;
		burn(0.05);
	}
	for (int i = 1; i < NSIG; i++)
		failed += sigignore(i) != 0;
	burn(0.05);
	for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
		failed += sigset(i, SIG_HOLD) != SIG_IGN;
	burn(0.05);
	printf("%d failed\n", failed);
}

/* What is read back is what was written. */
static int
count(const sigset_t *set)
{
	int n = 0;

	for (int i = 1; i < NSIG; i++)
		n += sigismember(set, i) == 1;
	return n;
}

static void *
count_blocked(void *unused)
{
	sigset_t old;

	pthread_sigmask(SIG_BLOCK, NULL, &old);
	printf("a thread has %d blocked\n", count(&old));
	return unused;
}

static void
read_back(void)
{
	struct sigaction action = { .sa_handler = tick }, old;
	sigset_t all, mask;
	pthread_t thread;

	sigfillset(&all);
	action.sa_mask = all;
	sigaction(SIGUSR1, &action, NULL);
	sigaction(SIGUSR1, NULL, &old);
	printf("%d in the mask", count(&old.sa_mask));
	sigemptyset(&action.sa_mask);
	sigaction(SIGUSR1, &action, &old);
	printf(", %d", count(&old.sa_mask));
	sigaction(SIGUSR1, NULL, &old);
	printf(", %d\n", count(&old.sa_mask));
	sigprocmask(SIG_BLOCK, &all, &mask);
	printf("%d blocked", count(&mask));
	pthread_create(&thread, NULL, count_blocked, NULL);
	pthread_join(thread, NULL);
	burn(0.05);
	sigprocmask(SIG_UNBLOCK, &all, &mask);
	printf(", %d", count(&mask));
	sigprocmask(SIG_SETMASK, &all, &mask);
	printf(", %d", count(&mask));
	sigemptyset(&all);
	sigaddset(&all, SIGRTMAX - 3);
	sigprocmask(SIG_UNBLOCK, &all, &mask);
	sigprocmask(SIG_BLOCK, NULL, &mask);
	printf(", %d, %d\n", count(&mask), pthread_sigmask(99, &all, NULL));
}

/* Every signal is the program's. */
static volatile sig_atomic_t seen[NSIG];

static void
see(int signal)
{
	seen[signal]++;
}

static void
take_all(void)
{
	struct sigaction action = { .sa_handler = see }, old;
	int wrong = 0, i;

	for (i = 1; i < NSIG; i++)
		if (i != SIGKILL && i != SIGSTOP && (i < 32 || i >= SIGRTMIN) && i != SIGSEGV) {
			wrong += sigaction(i, &action, NULL) != 0;
			wrong += sigaction(i, NULL, &old) != 0 || old.sa_handler != see;
		}
	burn(0.2);
	for (i = 1; i < NSIG; i++)
		wrong += seen[i] != 0;
	for (i = SIGRTMIN; i <= SIGRTMAX; i++)
		raise(i);
	raise(SIGBUS);
	for (i = SIGRTMIN; i <= SIGRTMAX; i++)
		wrong += seen[i] != 1;
	printf("%d wrong, SIGBUS %d\n", wrong, (int)seen[SIGBUS]);
}

static void
die_of(void)
{
	signal(SIGRTMAX - 3, SIG_DFL);
	raise(SIGRTMAX - 3);
	puts("not reached");
}

/* A thread that waits for all signals, as in many servers. */
static void *
wait_for_all(void *unused)
{
	sigset_t all;
	int got;

	(void)unused;
	sigfillset(&all);
	for (;;) {
		burn(0.01);
		if (sigwait(&all, &got) == 0 && got != SIGTERM)
			printf("got %d\n", got);
		if (got == SIGTERM)
			return NULL;
	}
}

static void
signal_thread(void)
{
	pthread_t thread;
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_create(&thread, NULL, wait_for_all, NULL);
	burn(0.2);
	kill(getpid(), SIGTERM);
	pthread_join(thread, NULL);
	puts("done");
}

/* Calls that block, each a little, while CPU time goes by: how often they were interrupted. */
static int failed_calls;

static void
note(const char *what, long result)
{
	if (result < 0) {
		printf("%s: %s\n", what, strerror(errno));
		failed_calls++;
	}
}

static void
block_once(int pair[2], int epoll, int set, sem_t *sem)
{
	struct timespec ms = { 0, 200000 }, then;
	struct timeval us = { 0, 200 };
	struct pollfd p = { .fd = pair[0], .events = POLLIN };
	struct epoll_event event;
	sigset_t none;
	char c;

	sigemptyset(&none);
	note("poll", poll(&p, 1, 1));
	note("ppoll", ppoll(&p, 1, &ms, &none));
	note("select", select(0, NULL, NULL, NULL, &us));
	note("nanosleep", nanosleep(&ms, NULL));
	note("usleep", usleep(200));
	note("epoll_wait", epoll_wait(epoll, &event, 1, 1));
	clock_gettime(CLOCK_REALTIME, &then);
	then.tv_nsec = then.tv_nsec < 999000000 ? then.tv_nsec + 500000 : then.tv_nsec;
	if (sem_timedwait(sem, &then) < 0 && errno != ETIMEDOUT)
		note("sem_timedwait", -1);
	if (recv(pair[0], &c, 1, 0) < 0 && errno != EAGAIN)
		note("recv", -1);
	if (semtimedop(set, &(struct sembuf){ .sem_op = -1 }, 1, &ms) < 0 && errno != EAGAIN)
		note("semtimedop", -1);
	if (sigtimedwait(&none, NULL, &ms) < 0 && errno != EAGAIN)
		note("sigtimedwait", -1);
}

static void
blocking_calls(void)
{
	struct timeval ms = { 0, 500 };
	int pair[2], epoll = epoll_create1(0), set = semget(IPC_PRIVATE, 1, 0600);
	struct epoll_event event = { .events = EPOLLIN };
	sem_t sem;

	sem_init(&sem, 0, 0);
	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
		abort();
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &ms, sizeof(ms));
	epoll_ctl(epoll, EPOLL_CTL_ADD, pair[0], &event);
	for (int i = 0; i < 150; i++) {
		block_once(pair, epoll, set, &sem);
		steps(20000 * (i % 7));
	}
	semctl(set, 0, IPC_RMID);
	printf("%d failed\n", failed_calls);
}

/* Signals are blocked but while it waits: one that is ours must not end the waiting. */
static void
blocked_but_in_ppoll(void)
{
	struct timespec ms = { 0, 1000000 };
	sigset_t all, none;

	sigfillset(&all);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 0; i < 50; i++) {
		burn(0.003);
		note("ppoll", ppoll(NULL, 0, &ms, &none));
		note("pselect", pselect(0, NULL, NULL, NULL, &ms, &none));
	}
	printf("%d failed\n", failed_calls);
}

/* A handler that interrupts does so under profiling as well. */
static void
interrupted(void)
{
	struct sigaction action = { .sa_handler = tick };
	struct itimerval every = { { 0, 5000 }, { 0, 5000 } };
	int pair[2], interruptions = 0;
	char c;

	sigaction(SIGALRM, &action, NULL);
	if (pipe(pair) != 0)
		abort();
	setitimer(ITIMER_REAL, &every, NULL);
	while (interruptions < 20)
		interruptions += read(pair[0], &c, 1) < 0 && errno == EINTR;
	puts(ticks >= 20 ? "interrupted" : "not by it");
}

static const struct {
	const char *name;
	void (*act)(void);
} cases[] = {
	{ "profiler", own_profiler }, { "timers", own_timers }, { "reset", reset_all },
	{ "number", reset_by_number }, { "names", reset_by_old_names }, { "back", read_back },
	{ "take", take_all }, { "die", die_of }, { "sigwait", signal_thread },
	{ "blocking", blocking_calls }, { "ppoll", blocked_but_in_ppoll },
	{ "interrupted", interrupted },
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(argv[1], cases[i].name) == 0)
			cases[i].act();
	return 0;
}
