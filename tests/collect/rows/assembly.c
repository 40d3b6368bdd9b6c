/* assembly CASE [LIBRARY]: signals that are set by assembly of the program's own, or of LIBRARY's.
 * What it prints must not depend on profiling. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef BY_LIBRARY
#include "enter.h"
#endif
#include "step.h"

#ifndef WANTED /* the signal that the program uses */
#define WANTED SIGURG
#endif

#ifndef STEPS
#define STEPS 20000000
#endif

enum { MANY = 100000000, SOME = STEPS };
static const char *library;
static volatile sig_atomic_t calls;

#ifdef BY_LIBRARY
static void
reset_by_assembly(void)
{
	void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	void (*reset)(void) = handle ? (void (*)(void))dlsym(handle, "library_reset") : NULL;

	if (!reset) {
		printf("%s\n", dlerror());
		exit(1);
	}
	reset();
}
#endif

static void
on_wanted(int signal)
{
	calls += signal == WANTED;
}

static void *
work(void *nr)
{
	steps((long)nr);
	return NULL;
}

static void
reset(void)
{
	steps(MANY);
	reset_by_assembly();
	steps(MANY);
	puts("done");
}

static void
threads_and_process(bool resets)
{
	pthread_t threads[4];
	pid_t child;
	int status = 0;

	if (resets)
		reset_by_assembly();
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work, (void *)SOME);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	if (resets)
		reset_by_assembly();
	child = fork();
	steps(SOME);
	if (child == 0)
		exit(3);
	waitpid(child, &status, 0);
	printf("%d\n", WEXITSTATUS(status));
}

/* They have their samples, also when the signal was reset before. */
static void
reset_then_threads(void)
{
	threads_and_process(true);
}

static void
threads_only(void)
{
	threads_and_process(false);
}

/* Other threads, of which one has blocked all signals, are there when the signals are reset. */
static pthread_barrier_t barrier;

static void *
work_around(void *blocks)
{
	sigset_t all;

	sigfillset(&all);
	if (blocks)
		pthread_sigmask(SIG_BLOCK, &all, NULL);
	steps(SOME);
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	steps(SOME);
	if (blocks)
		printf("%s is pending\n", sigtimedwait(&all, NULL, &(struct timespec){ 0 }) < 0 ?
			"nothing" : "something");
	return NULL;
}

static void
reset_among_threads(void)
{
	pthread_t threads[4];

	pthread_barrier_init(&barrier, NULL, 5);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, work_around, i ? NULL : &barrier);
	pthread_barrier_wait(&barrier);
	reset_by_assembly();
	pthread_barrier_wait(&barrier);
	steps(SOME);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

#ifndef BY_LIBRARY
static void
block(void)
{
	steps(MANY);
	mask_by_assembly(SIG_BLOCK);
	steps(SOME);
	reset_by_assembly();
	steps(SOME);
	mask_by_assembly(SIG_UNBLOCK);
	steps(SOME);
	puts("done");
}
#endif

/* Is a call that blocks interrupted by a handler that wants it, and only by such a one? The signals
 * come from a timer: one may come before the call. */
static void *
write_later(void *fd)
{
	nanosleep(&(struct timespec){ .tv_nsec = 200000000 }, NULL);
	if (write(*(int *)fd, "x", 1) != 1)
		abort();
	return NULL;
}

static void
interrupt(void)
{
	struct sigaction action = { .sa_handler = on_wanted };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = WANTED };
	struct itimerspec often = { { 0, 10000000 }, { 0, 10000000 } };
	pthread_t thread;
	timer_t timer;
	sigset_t all;
	int fds[2], interruptions = 0;
	char c;

	sigaction(WANTED, &action, NULL);
	if (pipe(fds) != 0 || timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
		abort();
	timer_settime(timer, 0, &often, NULL);
	while (interruptions < 5)
		interruptions += read(fds[0], &c, 1) < 0 && errno == EINTR;
	puts("interrupted");
	action.sa_flags = SA_RESTART;
	sigaction(WANTED, &action, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_create(&thread, NULL, write_later, &fds[1]);
	pthread_sigmask(SIG_UNBLOCK, &all, NULL);
	printf("not interrupted: %d\n", (int)read(fds[0], &c, 1));
	timer_delete(timer);
	pthread_join(thread, NULL);
}

/* The signal is the program's. */
static void
handle(void)
{
	struct sigaction action = { .sa_handler = on_wanted, .sa_flags = SA_RESTART }, old;
	int expected = 0, wrong = 0;

	sigaction(WANTED, &action, NULL);
	for (int i = 0; i < 1000; i++) {
		steps(20000);
		kill(getpid(), WANTED);
		wrong += calls != ++expected;
		steps(20000);
		raise(WANTED);
		wrong += calls != ++expected;
	}
	sigaction(WANTED, NULL, &old);
	printf("%d wrong, %d calls, %s\n", wrong, (int)calls,
	       old.sa_handler == on_wanted ? "its handler" : "another");
	signal(WANTED, SIG_IGN);
	raise(WANTED);
	signal(WANTED, SIG_DFL);
	if (WANTED == SIGURG) /* others would kill */
		raise(WANTED);
	steps(SOME);
	printf("%d calls\n", (int)calls);
}

static void *
wait_for_it(void *set)
{
	int got = 0, error;

	steps(SOME / 4);
	error = sigwait(set, &got);
	printf("sigwait: %s, %s\n", strerror(error), got == WANTED ? "the signal" : "another");
	return NULL;
}

/* It is blocked, and waited for in each way that there is. */
static void
wait_for_wanted(void)
{
	struct signalfd_siginfo info;
	siginfo_t told;
	pthread_t thread;
	sigset_t wanted, none, pending;
	int fd, result;

	sigemptyset(&none);
	sigemptyset(&wanted);
	sigaddset(&wanted, WANTED);
	signal(WANTED, on_wanted);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	steps(SOME);
	kill(getpid(), WANTED);
	steps(SOME);
	sigpending(&pending);
	printf("%d calls, pending: %d\n", (int)calls, sigismember(&pending, WANTED));
	result = sigwaitinfo(&wanted, &told);
	printf("sigwaitinfo: %d, %d\n", result == WANTED, told.si_code == SI_USER);
	raise(WANTED);
	fd = signalfd(-1, &wanted, 0);
	result = (int)read(fd, &info, sizeof(info));
	printf("signalfd: %d, %d\n", result == (int)sizeof(info), info.ssi_signo == WANTED);
	raise(WANTED);
	result = ppoll(NULL, 0, &(struct timespec){ 60, 0 }, &none);
	printf("ppoll: %s, %d calls\n", result < 0 ? strerror(errno) : "0", (int)calls);
	pthread_create(&thread, NULL, wait_for_it, &wanted);
	kill(getpid(), WANTED);
	pthread_join(thread, NULL);
	raise(WANTED);
	sigprocmask(SIG_UNBLOCK, &wanted, NULL);
	printf("%d calls\n", (int)calls);
}

/* Two threads that both block it: it goes to the one that waits. */
static void
wait_in_thread(void)
{
	pthread_t thread;
	sigset_t wanted;

	sigemptyset(&wanted);
	sigaddset(&wanted, WANTED);
	sigprocmask(SIG_BLOCK, &wanted, NULL);
	pthread_create(&thread, NULL, wait_for_it, &wanted);
	kill(getpid(), WANTED);
	steps(SOME);
	pthread_join(thread, NULL);
}

static const struct {
	const char *name;
	void (*act)(void);
} cases[] = {
	{ "reset", reset }, { "threads", reset_then_threads }, { "among", reset_among_threads },
#ifndef BY_LIBRARY
	{ "block", block },
#endif
	{ "untouched", threads_only }, { "handle", handle },
	{ "interrupt", interrupt }, { "wait", wait_for_wanted },
	{ "waiter", wait_in_thread },
};

int
main(int argc, char **argv)
{
	library = argc > 2 ? argv[2] : NULL;
	alarm(200); /* nothing is waited for if all is well */
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(argv[1], cases[i].name) == 0)
			cases[i].act();
	return 0;
}
