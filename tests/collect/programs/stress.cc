/* stress SECONDS: threads that allocate, load and unload a library, fork, throw and start threads
 * without pause, while each gets the sampling signal 4000 times a second. Prints how often each
 * procedure was called; its status is 1 when something came out wrong. */
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define APART __attribute__((noipa))

static std::atomic<bool> stop, wrong;

/* The kernel's CPU clocks look at their timers only 100 to 1000 times a second. This one is exact,
 * and looks to the runtime like its own. */
extern "C" char __cgview_rt_runtime[];

static void
sample_often()
{
	struct sigevent event = {};
	struct itimerspec when = { { 0, 250000 }, { 0, 250000 } };
	timer_t timer;

	event.sigev_notify = SIGEV_THREAD_ID;
	event.sigev_signo = SIGRTMAX - 3;
	event.sigev_value.sival_ptr = __cgview_rt_runtime;
	event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) ||
	    timer_settime(timer, 0, &when, nullptr))
		wrong = true;
}

APART static unsigned
allocate(unsigned seed)
{
	static thread_local struct {
		unsigned char *p;
		size_t n;
		unsigned char mark;
	} kept[64];
	auto &k = kept[seed % 64];

	for (size_t i = 0; i < k.n; i += 509)
		if (k.p[i] != k.mark)
			wrong = true;
	free(k.p);
	k.n = seed % 997 ? seed % 5000 : 1 << 20;
	k.mark = (unsigned char)seed;
	k.p = (unsigned char *)malloc(k.n);
	memset(k.p, k.mark, k.n);
	return seed * 1664525 + 1013904223;
}

APART static void
load()
{
	void *library = dlopen("./libstress.so", RTLD_NOW);
	int (*call)(int) = library ? (int (*)(int))dlsym(library, "in_library") : nullptr;

	if (!call || call(20) != 41 || dlclose(library))
		wrong = true;
}

APART static void
in_child(int n)
{
	unsigned seed = (unsigned)n;

	for (int i = 0; i < 20; i++)
		seed = allocate(seed);
}

APART static void
fork_one(int n)
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		in_child(n);
		_exit(n % 100);
	}
	while (waitpid(child, &status, 0) < 0)
		if (child < 0) {
			wrong = true;
			return;
		}
	if (!WIFEXITED(status) || WEXITSTATUS(status) != n % 100)
		wrong = true;
}

struct guard {
	int *n;
	APART ~guard() { ++*n; }
};

APART static int
throw_from(int depth, int *unwound)
{
	guard g{ unwound };

	if (depth == 0)
		throw std::runtime_error("bottom");
	return throw_from(depth - 1, unwound) + 1;
}

APART static void
catch_one(int n)
{
	int unwound = 0, depth = n % 40;

	try {
		throw_from(depth, &unwound);
		wrong = true;
	} catch (const std::exception &e) {
		if (strcmp(e.what(), "bottom") || unwound != depth + 1)
			wrong = true;
	}
}

APART static void *
in_thread(void *p)
{
	return (char *)p + 1;
}

APART static void
start_one(int n)
{
	pthread_t thread;
	void *result;

	if (pthread_create(&thread, nullptr, in_thread, (void *)(long)n) ||
	    pthread_join(thread, &result) || result != (void *)(long)(n + 1))
		wrong = true;
}

struct job {
	void (*act)(int);
	long done;
};

static void
allocate_many(int n)
{
	unsigned seed = (unsigned)n;

	for (int i = 0; i < 100; i++)
		seed = allocate(seed);
}

static void
load_one(int)
{
	load();
}

static void *
work(void *p)
{
	job *j = (job *)p;

	sample_often();
	while (!stop) {
		j->act((int)(j->done % 1000000));
		j->done++;
	}
	return nullptr;
}

int
main(int argc, char **argv)
{
	static job jobs[] = { { allocate_many, 0 }, { load_one, 0 }, { fork_one, 0 },
			      { catch_one, 0 }, { start_one, 0 } };
	pthread_t threads[5];
	time_t end = time(nullptr) + (argc > 1 ? atoi(argv[1]) : 1);

	for (int i = 0; i < 5; i++)
		pthread_create(&threads[i], nullptr, work, &jobs[i]);
	/* Where others have the processor, too: until there was time for that many samples. */
	while (time(nullptr) < end || clock() < CLOCKS_PER_SEC * (argc > 1 ? atoi(argv[1]) : 1))
		usleep(20000);
	stop = true;
	for (pthread_t thread : threads)
		pthread_join(thread, nullptr);
	printf("allocate %ld\nload %ld\nin_library %ld\nfork_one %ld\nin_child %ld\ncatch_one %ld\n"
	       "in_thread %ld\n", jobs[0].done * 100 + jobs[2].done * 20, jobs[1].done, jobs[1].done,
	       jobs[2].done, jobs[2].done, jobs[3].done, jobs[4].done);
	return wrong;
}
