/* Threads: each gets a slot when it is created and leaves it when it ends, however it ends. */
#include "runtime.h"

#include <pthread.h>
#include <signal.h>

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key;

/* Destructors of the program's own keys may still run profiled code after this one; the slot is not
 * given to another thread before the kernel says that this one is gone. */
static void
thread_ends(void *value)
{
	slot_leave(value);
}

static void
make_key(void)
{
	have_key = pthread_key_create(&key, thread_ends) == 0;
}

static void *
run(void *value)
{
	struct slot *s = value;
	void *(*start)(void *) = s->start;
	void *argument = s->argument;

	s->stack_hi = (uintptr_t)__builtin_frame_address(0);
	runtime_lock();
	slot_enter(s);
	runtime_unlock();
	if (s->unblock)
		pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
	if (have_key)
		pthread_setspecific(key, s);
	return start(argument);
}

static size_t
stack_size(const pthread_attr_t *attr)
{
	pthread_attr_t standard;
	size_t size = 0;

	if (attr) {
		pthread_attr_getstacksize(attr, &size);
	} else if (pthread_getattr_default_np(&standard) == 0) {
		pthread_attr_getstacksize(&standard, &size);
		pthread_attr_destroy(&standard);
	}
	return size;
}

/* Until it has counters of its own, the thread must not run a handler of the program's: it would
 * count in its creator's. A mask that ATTR has stays as it is. */
static int
create_blocked(create_function *create, void *thread, const void *attr, struct slot *s)
{
	sigset_t all, mask;
	int result;

	s->unblock = !attr || pthread_attr_getsigmask_np(attr, &mask) == PTHREAD_ATTR_NO_SIGMASK_NP;
	if (!s->unblock)
		return create(thread, attr, run, s);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	s->mask = mask;
	result = create(thread, attr, run, s);
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return result;
}

int
thread_create(create_function *create, void *thread, const void *attr, void *(*start)(void *),
	      void *arg)
{
	struct slot *s = NULL;
	int result;

	if (runtime.active && !runtime_closed()) {
		pthread_once(&once, make_key);
		runtime_lock();
		s = slot_take();
		runtime_unlock();
	}
	if (!s) { /* the new thread inherits this one's counters: they may come out low */
		if (runtime.active)
			runtime.head->flags |= RAW_SHARED_COUNTERS;
		return create(thread, attr, start, arg);
	}
	s->start = start;
	s->argument = arg;
	s->wanted_stack = stack_size(attr);
	result = create_blocked(create, thread, attr, s);
	if (result)
		slot_cancel(s);
	return result;
}
