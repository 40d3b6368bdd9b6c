/* threads CASE: threads of all kinds, each calls step() a known number of times. */
#define _GNU_SOURCE
#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "step.h"

enum { THREADS = 8 };

static void *
count(void *nr)
{
	steps((long)nr);
	return NULL;
}

static int
count_c11(void *nr)
{
	steps((long)nr);
	return 0;
}

static void
together(long each)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, count, (void *)each) != 0)
			abort();
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void eight(void) { together(1000000); }

static void
c11(void)
{
	thrd_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (thrd_create(&threads[i], count_c11, (void *)100000L) != thrd_success)
			abort();
	for (int i = 0; i < THREADS; i++)
		thrd_join(threads[i], NULL);
}

static void
short_ones(void)
{
	for (int i = 0; i < 10000 / THREADS; i++)
		together(1);
}

static sem_t done;

/* Ended from outside, at a time of their own, and by nobody. */
static void *
count_and_wait(void *nr)
{
	steps((long)nr);
	sem_post(&done);
	for (;;)
		pause();
	return NULL;
}

static void *
count_and_exit(void *nr)
{
	steps((long)nr);
	pthread_exit(nr);
}

static void
odd_ends(void)
{
	pthread_t thread;
	pthread_attr_t detached;

	sem_init(&done, 0, 0);
	for (int i = 0; i < 100; i++) {
		pthread_create(&thread, NULL, count_and_wait, (void *)10L);
		sem_wait(&done);
		pthread_cancel(thread);
		pthread_join(thread, NULL);
		pthread_create(&thread, NULL, count_and_exit, (void *)10L);
		pthread_join(thread, NULL);
	}
	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 10; i++)
		pthread_create(&thread, &detached, count_and_wait, (void *)10L);
	for (int i = 0; i < 10; i++)
		sem_wait(&done);
}

/* The counts of 8 threads that are at work when the process ends, noted beside in shared memory. */
static volatile long *noted;

static void *
count_for_ever(void *place)
{
	for (;;) {
		step(0);
		++*(volatile long *)place;
	}
	return NULL;
}

static void
exit_among_threads(void)
{
	long sum = 0;

	noted = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fork() == 0) {
		pthread_t thread;

		for (int i = 0; i < THREADS; i++)
			pthread_create(&thread, NULL, count_for_ever, (void *)&noted[i * 8]);
		usleep(100000);
		exit(0);
	}
	wait(NULL);
	for (int i = 0; i < THREADS; i++)
		sum += noted[i * 8];
	printf("%ld\n", sum);
}

/* Threads that libc starts. */
static void
notified(union sigval value)
{
	steps(value.sival_int);
	sem_post(&done);
}

static void
by_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = notified, .sigev_value.sival_int = 100000 };
	struct itimerspec once = { { 0, 0 }, { 0, 100000 } };
	timer_t timer;

	sem_init(&done, 0, 0);
	timer_create(CLOCK_MONOTONIC, &event, &timer);
	for (int i = 0; i < 20; i++) {
		timer_settime(timer, 0, &once, NULL);
		steps(50000);
		sem_wait(&done);
	}
	timer_delete(timer);
}

static void
by_aio(void)
{
	char data[8];
	struct aiocb control = { .aio_fildes = open("/dev/zero", O_RDONLY), .aio_buf = data,
		.aio_nbytes = sizeof(data), .aio_sigevent = { .sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = notified, .sigev_value.sival_int = 1000000 } };

	sem_init(&done, 0, 0);
	aio_read(&control);
	steps(1000000);
	sem_wait(&done);
}

static void
by_mq(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = notified, .sigev_value.sival_int = 1000000 };
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 8 };
	mqd_t queue = mq_open("/cgview-test", O_CREAT | O_RDWR, 0600, &attributes);

	sem_init(&done, 0, 0);
	mq_unlink("/cgview-test");
	if (queue == (mqd_t)-1 || mq_notify(queue, &event) < 0)
		exit(77);
	mq_send(queue, "x", 1, 0);
	steps(1000000);
	sem_wait(&done);
}

static void
by_name(void)
{
	struct gaicb request = { .ar_name = "localhost" }, *requests[] = { &request };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD,
		.sigev_notify_function = notified, .sigev_value.sival_int = 1000000 };

	sem_init(&done, 0, 0);
	if (getaddrinfo_a(GAI_NOWAIT, requests, 1, &event) != 0)
		exit(77);
	steps(1000000);
	sem_wait(&done);
}

/* A thread without libc's knowledge. */
static volatile int cloned;

static int
clone_main(void *nr)
{
	while (cloned == 0)
		;
	for (long i = 0; i < (long)nr; i++)
		step(i);
	__atomic_store_n(&cloned, 2, __ATOMIC_RELEASE);
	return 0;
}

static void
by_clone(void)
{
	static char stack[65536] __attribute__((aligned(16)));

	if (clone(clone_main, stack + sizeof(stack), CLONE_VM | CLONE_FS | CLONE_FILES |
		  CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM, (void *)1000000L) < 0)
		exit(77);
	cloned = 1;
	steps(1000000);
	while (__atomic_load_n(&cloned, __ATOMIC_ACQUIRE) != 2)
		usleep(100);
	usleep(10000);
}

/* A process without libc's knowledge. */
static int
clone_count(void *nr)
{
	steps((long)nr);
	return 3;
}

static void
by_clone_process(void)
{
	static char stack[65536] __attribute__((aligned(16)));
	int status = 0;

	clone(clone_count, stack + sizeof(stack), SIGCHLD, (void *)1000000L);
	steps(1000000);
	wait(&status);
	printf("child %d\n", WEXITSTATUS(status));
}

static void
by_underscore_fork(void)
{
	if (_Fork() == 0) {
		steps(1000000);
		_exit(0);
	}
	steps(1000000);
	wait(NULL);
}

/* For those who look on while it runs; half-way it waits for the file "enough". */
static void
slowly(void)
{
	pthread_t threads[THREADS];

	puts("ready");
	fflush(stdout);
	for (int half = 0; half < 2; half++) {
		for (int i = 0; i < THREADS; i++)
			pthread_create(&threads[i], NULL, count, (void *)20000000L);
		for (int i = 0; i < THREADS; i++)
			pthread_join(threads[i], NULL);
		while (access("enough", F_OK))
			usleep(5000);
	}
}

static const struct {
	const char *name;
	void (*act)(void);
} cases[] = {
	{ "eight", eight }, { "c11", c11 }, { "short", short_ones }, { "odd_ends", odd_ends },
	{ "exit", exit_among_threads }, { "timer", by_timer }, { "aio", by_aio },
	{ "mq", by_mq }, { "name", by_name }, { "clone", by_clone },
	{ "clone_process", by_clone_process }, { "_Fork", by_underscore_fork },
	{ "slowly", slowly },
};

int
main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(argv[1], cases[i].name) == 0)
			cases[i].act();
	return 0;
}
