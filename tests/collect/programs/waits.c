/* Waits, each in a procedure of its own: prints how long it took by the clock, and how long it
 * should have taken (both ns). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int ends[2];
static int interrupted; /* calls that ended early */

static void
must(int condition, const char *what)
{
	if (!condition) {
		fprintf(stderr, "%s: %s\n", what, strerror(errno));
		_exit(99);
	}
}

static uint64_t
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct timespec
in_ms(long ms)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	t.tv_nsec += ms * 1000000;
	t.tv_sec += t.tv_nsec / 1000000000;
	t.tv_nsec %= 1000000000;
	return t;
}

static void
pause_ms(long ms)
{
	struct timespec t = {ms / 1000, ms % 1000 * 1000000};

	interrupted += nanosleep(&t, NULL) != 0;
}

static __attribute__((noinline)) void
in_nanosleep(void)
{
	struct timespec t = {0, 500000000};

	interrupted += nanosleep(&t, NULL) != 0;
}

static __attribute__((noinline)) void
in_poll(void)
{
	struct pollfd p = {.fd = ends[0], .events = POLLIN};

	interrupted += poll(&p, 1, 250) != 0;
}

static __attribute__((noinline)) void
in_select(void)
{
	struct timeval t = {0, 150000};

	interrupted += select(0, NULL, NULL, NULL, &t) != 0;
}

static __attribute__((noinline)) void
in_epoll(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0);

	interrupted += epoll_wait(fd, &event, 1, 160) != 0;
	close(fd);
}

static __attribute__((noinline)) void
in_semaphore(void)
{
	struct timespec until = in_ms(170);
	sem_t s;

	sem_init(&s, 0, 0);
	interrupted += sem_timedwait(&s, &until) == 0 || errno != ETIMEDOUT;
}

static __attribute__((noinline)) void
in_mutex(void)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
}

static __attribute__((noinline)) void
in_read(void)
{
	char c;

	interrupted += read(ends[0], &c, 1) != 1;
}

static __attribute__((noinline)) void
in_join(pthread_t t)
{
	interrupted += pthread_join(t, NULL) != 0;
}

/* Deep, and with frames whose size is only known when it runs. */
static __attribute__((noinline)) void
in_depth(int depth)
{
	volatile char some[depth + 1];

	some[depth] = 1;
	if (depth)
		in_depth(depth - 1);
	else
		pause_ms(200);
	some[0] = 2;
}

/* A thousand waits that are much shorter than the time between two looks. */
static __attribute__((noinline)) void
in_short_ones(void)
{
	struct timespec t = {0, 200000};
	int i;

	for (i = 0; i < 1000; i++)
		interrupted += nanosleep(&t, NULL) != 0;
}

static void *
holder(void *unused)
{
	pthread_mutex_lock(&mutex);
	(void)!write(ends[1], "x", 1);
	pause_ms(300);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static void *
writer(void *unused)
{
	pause_ms(220);
	(void)!write(ends[1], "x", 1);
	return unused;
}

static void *
sleeper(void *unused)
{
	pause_ms(240);
	return unused;
}

static void
tell(const char *name, uint64_t begin, int ms)
{
	printf("%s %llu %d000000\n", name, (unsigned long long)(now() - begin), ms);
	fflush(stdout);
}

static pthread_t
start(void *(*procedure)(void *))
{
	pthread_t t;

	must(pthread_create(&t, NULL, procedure, NULL) == 0, "pthread_create");
	return t;
}

static void
all_sites(void)
{
	static const struct {
		const char *name;
		void (*wait)(void);
		int ms;
	} simple[] = {
		{"in_nanosleep", in_nanosleep, 500},   {"in_poll", in_poll, 250},
		{"in_select", in_select, 150},	       {"in_epoll", in_epoll, 160},
		{"in_semaphore", in_semaphore, 170}, {"in_short_ones", in_short_ones, 200},
	};
	pthread_t t;
	uint64_t begin;
	char c;

	for (size_t i = 0; i < sizeof(simple) / sizeof(*simple); i++) {
		begin = now();
		simple[i].wait();
		tell(simple[i].name, begin, simple[i].ms);
	}
	begin = now();
	in_depth(30);
	tell("in_depth", begin, 200);
	t = start(holder);
	(void)!read(ends[0], &c, 1);
	begin = now();
	in_mutex();
	tell("in_mutex", begin, 300);
	pthread_join(t, NULL);
	t = start(writer);
	begin = now();
	in_read();
	tell("in_read", begin, 220);
	pthread_join(t, NULL);
	t = start(sleeper);
	begin = now();
	in_join(t);
	tell("in_join", begin, 240);
	fprintf(stderr, "%d ended early\n", interrupted);
}

/* ---- the program's own affairs ---- */

static volatile sig_atomic_t nr_alarms;
static volatile pid_t alarmed;

static void
on_alarm(int signal)
{
	(void)signal;
	nr_alarms++;
	alarmed = (pid_t)syscall(SYS_gettid);
}

static void
alarms(void)
{
	struct sigaction a = {.sa_handler = on_alarm};
	struct itimerval t = {{0, 20000}, {0, 20000}};
	int early = 0;

	sigaction(SIGALRM, &a, NULL);
	setitimer(ITIMER_REAL, &t, NULL);
	for (int i = 0; i < 5; i++)
		early += poll(NULL, 0, 10000) < 0 && errno == EINTR;
	t = (struct itimerval){{0, 0}, {0, 0}};
	setitimer(ITIMER_REAL, &t, NULL);
	printf("%d alarms ended a wait, in the main thread: %d\n", early, alarmed == getpid());
}

static void
at_end(void)
{
	puts("the end is seen");
}

static void *
last(void *unused)
{
	pause_ms(100);
	return unused;
}

static void *
forever(void *unused)
{
	for (;;)
		pause_ms(10000);
	return unused;
}

static void *
one_of_many(void *unused)
{
	pause_ms(300);
	return unused;
}

static void
many(void)
{
	pthread_t t[200];
	uint64_t sum = 0, begin = now();

	for (int i = 0; i < 200; i++)
		t[i] = start(one_of_many);
	for (int i = 0; i < 200; i++)
		pthread_join(t[i], NULL);
	sum = now() - begin;
	printf("%llu\n", (unsigned long long)sum);
}

static __attribute__((noinline)) void
child_waits(void)
{
	pause_ms(300);
}

static __attribute__((noinline)) int
parent_waits(pid_t child)
{
	int status = -1;

	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int
forks(void)
{
	pid_t child = fork();

	if (!child) {
		child_waits();
		exit(5);
	}
	return parent_waits(child);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "sites";

	must(pipe(ends) == 0, "pipe");
	if (!strcmp(what, "sites"))
		all_sites();
	else if (!strcmp(what, "alarms"))
		alarms();
	else if (!strcmp(what, "many"))
		many();
	else if (!strcmp(what, "fork"))
		return forks();
	else if (!strcmp(what, "descriptors"))
		printf("%d %d\n", open("/dev/null", O_RDONLY), dup(0));
	else if (!strcmp(what, "unshare"))
		printf("%d %d\n", unshare(CLONE_NEWUSER), unshare(CLONE_NEWNS));
	else if (!strcmp(what, "raw_exit"))
		syscall(SYS_exit, 3);
	else if (!strcmp(what, "leave")) {
		atexit(at_end);
		start(last);
		pthread_exit(NULL);
	} else if (!strcmp(what, "exit")) {
		for (int i = 0; i < 8; i++)
			start(forever);
		pause_ms(argc > 2 ? atoi(argv[2]) : 0);
		exit(7);
	}
	return 0;
}
