/* Threads: each gets a slot when it is created and leaves it when it ends, however it ends. */
#include "runtime.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <threads.h>

static pthread_key_t key;
static bool have_key;

/* Destructors of the program's own keys may still run profiled code after this one; the slot is not
 * given to another thread before the kernel says that this one is gone. */
static void
thread_ends(void *value)
{
	slot_leave(value);
}

/* Returns a slot for a thread that is to come; NULL: there is none. The lock is held. */
static struct slot *
take_slot(void)
{
	if (!have_key)
		have_key = pthread_key_create(&key, thread_ends) == 0;
	return slot_take();
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
	runtime_lock();
	slot_enter(s);
	if (have_key)
		pthread_setspecific(key, s);
	runtime_unlock();
	if (s->unblock)
		signals_let_go(s->mask);
}

void
thread_adopt(void)
{
	struct slot *s = slot_self();

	/* A thread that has ended may have had this one's thread pointer. */
	if ((s && s->tid == (pid_t)kernel(SYS_gettid)) || !runtime.active || runtime_closed())
		return;
	s = take_slot();
	if (!s)
		return;
	s->blocked = runtime_mask() & signals_never_blocked();
	slot_enter(s);
	if (have_key)
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

/* What S's thread is to block, by ATTR or as its creator, which blocks MASK; in ATTR it stays as it
 * is. */
static void
set_mask(struct slot *s, const pthread_attr_t *attr, uint64_t mask)
{
	sigset_t own = {{0}};

	s->unblock = !attr || pthread_attr_getsigmask_np(attr, &own) == PTHREAD_ATTR_NO_SIGMASK_NP;
	s->blocked = s->unblock ? signals_blocked() : 0;
	if (!s->unblock)
		mask = own.__val[0];
	s->blocked |= mask & signals_never_blocked();
	s->mask = mask & ~signals_never_blocked();
}

/* Until it has counters of its own, the thread must not run a handler of the program's: it would
 * count in its creator's. */
static int
create_blocked(create_function *create, void *thread, const void *attr, struct slot *s)
{
	uint64_t mask = signals_hold(0);
	int result = create(thread, attr, run, s);

	if (result)
		slot_cancel(s);
	signals_let_go(mask);
	return result;
}

/* The new thread inherits this one's counters: they may come out low. */
static int
create_uncounted(create_function *create, void *thread, const void *attr, void *(*start)(void *),
		 void *arg)
{
	if (runtime.active && start != run)
		runtime.head->flags |= RAW_SHARED_COUNTERS;
	return create(thread, attr, start, arg);
}

/* A handler of the program's that jumped away would leave a slot that is nobody's, so none comes
 * until the thread is there. */
int
thread_create_here(create_function *create, void *thread, const void *attr,
		   void *(*start)(void *), void *arg)
{
	uintptr_t wanted = stack_size(attr);
	struct slot *s;
	uint64_t mask;
	int result;

	/* The next pthread_create() may be that of a library's own runtime, which calls this one
	 * again. */
	if (start == run || !runtime.active || runtime_closed())
		return create_uncounted(create, thread, attr, start, arg);
	mask = signals_hold(signals_never_blocked());
	runtime_lock();
	s = take_slot();
	runtime_unlock();
	if (s) {
		s->start = start;
		s->argument = arg;
		s->wanted_stack = wanted;
		set_mask(s, attr, mask);
		result = create_blocked(create, thread, attr, s);
	}
	signals_let_go(mask);
	return s ? result : create_uncounted(create, thread, attr, start, arg);
}

int
thread_create(create_function *create, void *thread, const void *attr, void *(*start)(void *),
	      void *arg)
{
	return runtime_door.create(create, thread, attr, start, arg);
}

/* ---- threads of C11 ---- */

struct c11_start {
	int (*start)(void *);
	void *argument;
};

static void *
run_c11(void *value)
{
	struct c11_start s = *(struct c11_start *)value;

	free(value);
	slot_note_start(slot_self(), (uintptr_t)s.start);
	return (void *)(intptr_t)s.start(s.argument);
}

/* In glibc both kinds of threads are the same thing. */
int
thread_create_c11(create_function *create, void *thread, int (*start)(void *), void *arg)
{
	struct c11_start *s = malloc(sizeof(*s));
	int error;

	if (!s)
		return thrd_nomem;
	s->start = start;
	s->argument = arg;
	error = create(thread, NULL, run_c11, s);
	if (error)
		free(s);
	return error == 0 ? thrd_success : error == EAGAIN ? thrd_nomem : thrd_error;
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
		s = take_slot();
		runtime_unlock();
	}
	if (s) {
		s->unblock = false;
		s->start = (void *(*)(void *))(uintptr_t)n->function;
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
	runtime_lock();
	copy = keep_notified(&n);
	runtime_unlock();
	if (!copy)
		return;
	event->sigev_notify_function = run_notified;
	event->sigev_value.sival_ptr = copy;
}

/* ---- processes and threads that libc does not know ---- */

/* Is what FLAGS of clone(2) ask for a process that goes on with a copy of all there is? Not with
 * thread-local variables of its own, as nothing of the runtime's would be known there. Who shares
 * memory without waiting, unseen, shares the counters, too. */
static bool
copies_all(uint64_t flags)
{
	if (!runtime.active)
		return false;
	if (flags & CLONE_VM ? !(flags & CLONE_VFORK) : (flags & CLONE_SETTLS) != 0)
		atomic_fetch_or((_Atomic uint64_t *)&runtime.head->flags, RAW_SHARED_COUNTERS);
	return !(flags & (CLONE_VM | CLONE_SETTLS));
}

bool
thread_syscall_begins(long number, const void *a, size_t size)
{
	enum { LEAST_SIZE = 64 }; /* CLONE_ARGS_SIZE_VER0; the flags are its first word */
	int saved = errno;
	uint64_t flags = CLONE_VM | CLONE_VFORK;

	if (number == SYS_fork)
		flags = 0;
	else if (number == SYS_clone)
		flags = (uintptr_t)a;
	else if (number == SYS_clone3 && a && size >= LEAST_SIZE)
		flags = *(const uint64_t *)a;
	if (!copies_all(flags))
		return false;
	runtime_before_fork();
	errno = saved;
	return true;
}

void
thread_syscall_ends(bool child)
{
	int saved = errno;

	runtime_after_fork(child);
	errno = saved;
}

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
	signals_let_go(s->mask);
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
	uint64_t mask = signals_hold(signals_never_blocked());
	struct slot *s;
	int result = -1;

	runtime_lock();
	s = slot_take();
	runtime_unlock();
	if (s) {
		s->start = (void *(*)(void *))(uintptr_t)c->start;
		s->argument = c->argument;
		set_mask(s, NULL, mask);
		signals_hold(0);
		result = next(run_clone, c->stack, c->flags, s, c->parent_tid, c->tls,
			      c->child_tid);
		if (result < 0)
			slot_cancel(s);
	}
	signals_let_go(mask);
	return s ? result
		 : next(c->start, c->stack, c->flags, c->argument, c->parent_tid, c->tls,
			c->child_tid);
}

int
thread_clone(clone_function *next, const struct clone_call *c)
{
	const int thread = CLONE_VM | CLONE_THREAD;

	if (!runtime_closed() && c->start && c->stack) {
		if (runtime.active && (c->flags & thread) == thread)
			return clone_thread(next, c);
		if (copies_all((uint64_t)c->flags))
			return clone_process(next, c);
	} else {
		copies_all((uint64_t)c->flags);
	}
	return next(c->start, c->stack, c->flags, c->argument, c->parent_tid, c->tls, c->child_tid);
}

pid_t
thread_bare_fork(pid_t (*next)(void))
{
	pid_t pid;

	if (runtime_is_forking()) /* libc's own fork() calls it, in a static program */
		return next();
	runtime_before_fork();
	pid = next();
	runtime_after_fork(pid == 0);
	return pid;
}
