/* Threads: each gets a slot when it is created and leaves it when it ends, however it ends. */
#include "runtime.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>

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

/* FRAME is the base of the thread's first procedure of ours, which may jump to the program's: that
 * one returns to what stands above, too, behind the frame pointer's old value. */
static void
enter(struct slot *s, void *frame)
{
	enum { DESCRIPTOR = 8192 }; /* with what rounds it up */
	uintptr_t own = (uintptr_t)pthread_self();

	s->stack_hi = (uintptr_t)frame + 2 * sizeof(void *);
	/* What libc keeps above the first frame, thread-local variables and its own, is of the same
	 * memory; as much below is another's. */
	if (own > s->stack_hi && own - s->stack_hi + DESCRIPTOR < s->wanted_stack)
		s->wanted_stack -= own - s->stack_hi + DESCRIPTOR;
	/* Before the first signal is let in, as one of the program's may be waiting. */
	signals_inherit_blocked(s->blocked);
	runtime_lock();
	slot_enter(s);
	runtime_unlock();
	signals_inherit_blocked(s->blocked); /* entering has found all of them blocked */
	if (s->unblock)
		kernel(SYS_rt_sigprocmask, SIG_SETMASK, &s->mask, NULL, NSIG / 8);
	if (have_key)
		pthread_setspecific(key, s);
}

void
thread_adopt(void)
{
	struct slot *s;

	if (slot_self() || !runtime.active || runtime_closed())
		return;
	pthread_once(&once, make_key);
	runtime_lock();
	s = slot_take();
	if (s)
		slot_enter(s);
	runtime_unlock();
	if (s && have_key)
		pthread_setspecific(key, s);
}

static void *
run(void *value)
{
	struct slot *s = value;
	void *(*start)(void *) = s->start;
	void *argument = s->argument;

	enter(s, __builtin_frame_address(0));
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

	s->blocked = signals_blocked();
	s->unblock = !attr || pthread_attr_getsigmask_np(attr, &mask) == PTHREAD_ATTR_NO_SIGMASK_NP;
	if (!s->unblock)
		return create(thread, attr, run, s);
	sigfillset(&all);
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &all, &mask, NSIG / 8);
	s->mask = mask;
	s->blocked |= signals_take_out(&s->mask);
	result = create(thread, attr, run, s);
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, NSIG / 8);
	return result;
}

/* The next pthread_create() may be that of a library's own runtime, which calls this one again. */
static __thread bool creating __attribute__((tls_model("initial-exec")));

int
thread_create_here(create_function *create, void *thread, const void *attr,
		   void *(*start)(void *), void *arg)
{
	struct slot *s = NULL;
	int result;

	if (creating)
		return create(thread, attr, start, arg);
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
	creating = true;
	result = create_blocked(create, thread, attr, s);
	creating = false;
	if (result)
		slot_cancel(s);
	return result;
}

int
thread_create(create_function *create, void *thread, const void *attr, void *(*start)(void *),
	      void *arg)
{
	return runtime_door.create(create, thread, attr, start, arg);
}

/* ---- threads that libc starts to call something ---- */

struct notified {
	void (*function)(union sigval);
	union sigval value;
};

static void
run_notified(union sigval value)
{
	const struct notified *n = value.sival_ptr;
	struct slot *s = NULL;

	if (runtime.active && !runtime_closed()) {
		runtime_lock();
		s = slot_take();
		runtime_unlock();
	}
	if (s) {
		s->unblock = false;
		s->blocked = 0;
		s->wanted_stack = stack_size(NULL);
		enter(s, __builtin_frame_address(0));
	} else if (runtime.active) {
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_SHARED_COUNTERS);
	}
	n->function(n->value);
}

/* Never given back, as nobody says when the last thread has read it. Equal ones are kept once. */
static struct notified *
keep_notified(const struct notified *n)
{
	enum { SIZE = 64 * 1024, LOOKED_AT = 256 };
	static struct notified *kept;
	static size_t nr = SIZE / sizeof(*n);
	size_t i;
	void *p;

	for (i = nr; kept && i-- > 0 && nr - i < LOOKED_AT;)
		if (kept[i].function == n->function &&
		    kept[i].value.sival_ptr == n->value.sival_ptr)
			return &kept[i];
	if (nr == SIZE / sizeof(*n)) {
		p = sys_mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			     0);
		if (p == MAP_FAILED)
			return NULL;
		kept = p;
		nr = 0;
	}
	kept[nr] = *n;
	return &kept[nr++];
}

void
thread_notify(struct sigevent *event)
{
	struct notified n = {event->sigev_notify_function, event->sigev_value}, *copy;

	if (event->sigev_notify != SIGEV_THREAD || !runtime.active)
		return;
	pthread_once(&once, make_key);
	runtime_lock();
	copy = keep_notified(&n);
	runtime_unlock();
	if (!copy)
		return;
	event->sigev_notify_function = run_notified;
	event->sigev_value.sival_ptr = copy;
}

/* ---- clone(2) ---- */

/* Such a thread may have its creator's thread-local variables: it has its own counters, but nothing
 * that needs to know who it is, as samples do. */
static int
run_clone(void *value)
{
	struct slot *s = value;
	int (*start)(void *) = (int (*)(void *))(uintptr_t)s->start;
	void *argument = s->argument;

	runtime_lock();
	slot_enter_clone(s);
	runtime_unlock();
	return start(argument);
}

struct forked {
	int (*start)(void *);
	void *argument;
};

static int
run_fork(void *value)
{
	struct forked f = *(struct forked *)value;

	runtime_after_fork(true);
	return f.start(f.argument);
}

static int
clone_process(clone_function *next, const struct clone_call *c)
{
	struct forked f = {c->start, c->argument};
	int result;

	runtime_before_fork();
	result = next(run_fork, c->stack, c->flags, &f, c->parent_tid, c->tls, c->child_tid);
	runtime_after_fork(false);
	return result;
}

static int
clone_thread(clone_function *next, const struct clone_call *c)
{
	struct slot *s;
	int result;

	runtime_lock();
	s = slot_take();
	runtime_unlock();
	if (!s)
		return next(c->start, c->stack, c->flags, c->argument, c->parent_tid, c->tls,
			    c->child_tid);
	s->start = (void *(*)(void *))(uintptr_t)c->start;
	s->argument = c->argument;
	result = next(run_clone, c->stack, c->flags, s, c->parent_tid, c->tls, c->child_tid);
	if (result < 0)
		slot_cancel(s);
	return result;
}

int
thread_clone(clone_function *next, const struct clone_call *c)
{
	const int thread = CLONE_VM | CLONE_THREAD;

	if (runtime.active && !runtime_closed() && c->start && c->stack) {
		if (!(c->flags & CLONE_VM))
			return clone_process(next, c);
		if ((c->flags & thread) == thread)
			return clone_thread(next, c);
	}
	if (runtime.active && (c->flags & (CLONE_VM | CLONE_VFORK)) == CLONE_VM)
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_SHARED_COUNTERS);
	return next(c->start, c->stack, c->flags, c->argument, c->parent_tid, c->tls, c->child_tid);
}
