/* Linked into whatever is dynamic: the procedures that create threads and unload libraries are
 * ours, also for libraries. Not part of the archive: a static program has no next ones to call. */
#include "unwind.h"

#include "syscall.h"

#include <dlfcn.h>
#include <mqueue.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

INTERPOSED int
pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*start)(void *), void *arg)
{
	static create_function *next;

	if (!next)
		next = (create_function *)dlsym(RTLD_NEXT, "pthread_create");
	return thread_create(next, thread, attr, start, arg);
}

INTERPOSED int
thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	return thread_create_c11((create_function *)pthread_create, thread, start, arg);
}

INTERPOSED int
timer_create(clockid_t clock, struct sigevent *event, timer_t *timer)
{
	static int (*next)(clockid_t, struct sigevent *, timer_t *);
	struct sigevent copy;

	if (!next)
		next = (int (*)(clockid_t, struct sigevent *, timer_t *))dlsym(RTLD_NEXT,
									       "timer_create");
	if (!event || event->sigev_notify != SIGEV_THREAD)
		return next(clock, event, timer);
	copy = *event;
	thread_notify(&copy);
	return next(clock, &copy, timer);
}

INTERPOSED int
mq_notify(mqd_t queue, const struct sigevent *event)
{
	static int (*next)(mqd_t, const struct sigevent *);
	struct sigevent copy;

	if (!next)
		next = (int (*)(mqd_t, const struct sigevent *))dlsym(RTLD_NEXT, "mq_notify");
	if (!event || event->sigev_notify != SIGEV_THREAD)
		return next(queue, event);
	copy = *event;
	thread_notify(&copy);
	return next(queue, &copy);
}

INTERPOSED int
getaddrinfo_a(int mode, struct gaicb *list[restrict], int nr, struct sigevent *restrict event)
{
	static int (*next)(int, struct gaicb **, int, struct sigevent *);
	struct sigevent copy;

	if (!next)
		next = (int (*)(int, struct gaicb **, int, struct sigevent *))dlsym(
			RTLD_NEXT, "getaddrinfo_a");
	if (!event || event->sigev_notify != SIGEV_THREAD)
		return next(mode, list, nr, event);
	copy = *event;
	thread_notify(&copy);
	return next(mode, list, nr, &copy);
}

/* A sample in another thread must not look any more at what is unloaded. */
INTERPOSED int
dlclose(void *handle)
{
	static int (*next)(void *);
	int result;

	if (!next)
		next = (int (*)(void *))dlsym(RTLD_NEXT, "dlclose");
	runtime_door.unload(false);
	result = next(handle);
	runtime_door.unload(true);
	return result;
}

/* Some name spaces are only for processes with one thread. */
INTERPOSED int
unshare(int flags)
{
	static int (*next)(int);
	int result;

	if (!next)
		next = (int (*)(int))dlsym(RTLD_NEXT, "unshare");
	runtime_lock();
	wall_stop();
	result = next(flags);
	wall_start();
	runtime_unlock();
	return result;
}

INTERPOSED int
setns(int fd, int type)
{
	static int (*next)(int, int);
	int result;

	if (!next)
		next = (int (*)(int, int))dlsym(RTLD_NEXT, "setns");
	runtime_lock();
	wall_stop();
	result = next(fd, type);
	wall_start();
	runtime_unlock();
	return result;
}

/* ---- the runtime in a library ---- */

void
runtime_pin(void)
{
	Dl_info info;

	if (dladdr(&runtime, &info) && info.dli_fname)
		dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

void *
runtime_symbol(const char *name)
{
	return dlsym(RTLD_DEFAULT, name);
}

bool
runtime_sees_threads(void)
{
	Dl_info ours, theirs;
	void *used = dlsym(RTLD_DEFAULT, "pthread_create");

	return used && dladdr(&runtime, &ours) && dladdr(used, &theirs) &&
	       ours.dli_fbase == theirs.dli_fbase;
}

/* ---- threads and processes that libc does not know ---- */

clone_function *
runtime_real_clone(void)
{
	static clone_function *next;

	if (!next)
		next = (clone_function *)dlsym(RTLD_NEXT, "clone");
	return next;
}

/* Nobody calls what pthread_atfork() was given. */
INTERPOSED pid_t
_Fork(void)
{
	static pid_t (*next)(void);

	if (!next)
		next = (pid_t(*)(void))dlsym(RTLD_NEXT, "_Fork");
	return thread_bare_fork(next);
}

typedef void exit_function(int status);
static exit_function *real_exit, *real_Exit;

void
runtime_find_exit(void)
{
	real_exit = (exit_function *)dlsym(RTLD_NEXT, "_exit");
	real_Exit = (exit_function *)dlsym(RTLD_NEXT, "_Exit");
}

static _Noreturn void
end(exit_function *next, int status)
{
	process_ends();
	if (next)
		next(status);
	for (;;)
		kernel(SYS_exit_group, status);
}

INTERPOSED _Noreturn void
_exit(int status)
{
	end(real_exit, status);
}

INTERPOSED _Noreturn void
_Exit(int status)
{
	end(real_Exit, status);
}

/* ---- signals ---- */

int
signals_real_action(int signal, const struct sigaction *action, struct sigaction *old)
{
	static sigaction_function *next;

	if (!next)
		next = (sigaction_function *)dlsym(RTLD_NEXT, "sigaction");
	return next(signal, action, old);
}

typedef __sighandler_t signal_function(int signal, __sighandler_t handler);

static __sighandler_t
real_signal(int signal, __sighandler_t handler)
{
	static signal_function *next;

	if (!next)
		next = (signal_function *)dlsym(RTLD_NEXT, "signal");
	return next(signal, handler);
}

static int
real_prctl(int option, const unsigned long a[4])
{
	static int (*next)(int, ...);

	if (!next)
		next = (int (*)(int, ...))dlsym(RTLD_NEXT, "prctl");
	return next(option, a[0], a[1], a[2], a[3]);
}

#define TAKEN INTERPOSED
#define TAKEN_NAME(name) name
#include "taken_calls.h"

SYSCALL(syscall);
