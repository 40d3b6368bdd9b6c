/* Signals are needed here that the program may use as well: the sampling timer's, that of the
 * kernel's events, SIGBUS, which comes when somebody cuts the raw file, and with record --space
 * SIGSEGV, which comes when the program gives back what is nowhere. The program's own
 * wishes for them are kept aside and followed for all that is not ours; what it asks is answered as
 * if there were nobody else. A sampling signal is never blocked: pending, it would end the first
 * call that waits. Which one is the timer's, is said at the start, and may change once (sample.c);
 * both are ours then. */
#include "runtime.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

struct owned {
	int signal; /* 0: none yet */
	void (*handle)(int, siginfo_t *, void *);
	_Atomic uint32_t nr; /* of wishes */
	bool installed;
	/* A sampling signal: the signals in whose masks the program has put it, a bit each. It
	 * reads back what it has written. */
	_Atomic uint64_t masking;
};

static void on_bus_error(int signal, siginfo_t *info, void *context);
static void on_invalid_access(int signal, siginfo_t *info, void *context);
static void on_sample_signal(int signal, siginfo_t *info, void *context);

int sample_signal;
static void (*take_sample)(siginfo_t *info, void *context);
static bool (*take_event)(siginfo_t *info, void *context);
static void (*see_invalid_access)(const siginfo_t *info, const ucontext_t *context);
enum { OWNED_BUS, OWNED_ACCESS, OWNED_SAMPLE, OWNED_OTHER, NR_OWNED };
static struct owned owned[NR_OWNED] = {
	[OWNED_BUS] = {.signal = SIGBUS, .handle = on_bus_error},
	[OWNED_ACCESS] = {.signal = SIGSEGV, .handle = on_invalid_access},
	[OWNED_SAMPLE] = {.handle = on_sample_signal}, /* the first sampling signal */
	[OWNED_OTHER] = {.handle = on_sample_signal}, /* the one in its place, or of events */
};
/* What the program wants. A handler may look while a thread writes: each wish has a place of its
 * own, and is long forgotten when the place is used again. The first ones of all signals, which
 * every program has, stand together. All zero: the default. */
enum { WISHES = 16 };
static struct sigaction wishes[WISHES][NR_OWNED];
static _Atomic uint64_t sampling; /* all sampling signals, a bit each */
static _Atomic uint64_t given_up; /* those that are the program's now */
static _Atomic bool handles;	  /* the program has a handler of a signal but those of faults */

static uint64_t
bit(int signal)
{
	return signal > 0 && signal < NSIG ? (uint64_t)1 << (signal - 1) : 0;
}

static uint64_t *
words(sigset_t *set)
{
	return (uint64_t *)set->__val;
}

uint64_t
signals_never_blocked(void)
{
	return atomic_load(&sampling) & ~atomic_load(&given_up);
}

static struct owned *
owned_signal(int signal)
{
	size_t i;

	for (i = 0; i < NR_OWNED; i++)
		if (owned[i].installed && owned[i].signal == signal)
			return &owned[i];
	return NULL;
}

static struct sigaction *
wish(struct owned *o)
{
	return &wishes[atomic_load(&o->nr) % WISHES][o - owned];
}

/* The program is about to have this handler. */
static void
note_handler(int signal, __sighandler_t handler)
{
	if (handler != SIG_DFL && handler != SIG_IGN && !(bit(signal) & FAULT_SIGNALS))
		atomic_store(&handles, true);
}

static void
make_wish(struct owned *o, const struct sigaction *action)
{
	uint32_t next = atomic_load(&o->nr) + 1;

	note_handler(o->signal, action->sa_handler);

	wishes[next % WISHES][o - owned] = *action;
	atomic_store(&o->nr, next);
}

/* While a sample is taken no other handler may run, which could leave by longjmp; nor libc's own,
 * which ends a thread that may be cancelled anywhere and which sigfillset() leaves out. Nor is a
 * sample taken while a fault is mended: if it faulted, with SIGBUS blocked, that would be death. */
static void
block_all(sigset_t *set)
{
	memset(set, 0xff, sizeof(*set));
	*words(set) &= ~FAULT_SIGNALS;
}

/* What is blocked has no handlers that wait for whoever they have interrupted. */
uint64_t
signals_hold(uint64_t except)
{
	uint64_t set = ~(FAULT_SIGNALS | except), before = 0;

	kernel(SYS_rt_sigprocmask, SIG_BLOCK, &set, &before, sizeof(set));
	return before;
}

void
signals_let_go(uint64_t mask)
{
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &mask, NULL, sizeof(mask));
}

__attribute__((noinline, noclone)) void
signals_let_in_own(uint64_t mask)
{
	register long size __asm__("r10") = sizeof(mask);
	long result = SYS_rt_sigprocmask;

	__asm__ volatile("syscall\n"
			 ".hidden signals_let_in\n"
			 ".globl signals_let_in\n"
			 "signals_let_in:"
			 : "+a"(result)
			 : "D"((long)SIG_SETMASK), "S"(&mask), "d"(NULL), "r"(size)
			 : "rcx", "r11", "memory");
}

/* rt_sigaction(2) takes this. */
struct kernel_action {
	__sighandler_t handler;
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

static int
set_by_kernel(int signal, const struct sigaction *action, struct sigaction *old)
{
	struct kernel_action set, before;

	if (action)
		set = (struct kernel_action){action->sa_handler, (unsigned)action->sa_flags,
					     action->sa_restorer, action->sa_mask.__val[0]};
	if (kernel(SYS_rt_sigaction, signal, action ? &set : NULL, old ? &before : NULL,
		   sizeof(set.mask)) < 0)
		return -1;
	if (old)
		*old = (struct sigaction){.sa_handler = before.handler,
					  .sa_flags = (int)before.flags,
					  .sa_restorer = before.restorer,
					  .sa_mask.__val = {before.mask}};
	return 0;
}

/* The thread sanitizer has a handler of its own in place of each, which keeps what comes until the
 * program waits for something. Samples cannot wait, and their handler needs nothing of libc's. */
static void
stand_first(const struct owned *o, struct sigaction *action)
{
	struct sigaction there;

	if (set_by_kernel(o->signal, NULL, &there) < 0 || there.sa_sigaction == o->handle)
		return;
	action->sa_flags |= there.sa_flags & ~(SA_NODEFER | (int)SA_RESETHAND);
	action->sa_restorer = there.sa_restorer;
	set_by_kernel(o->signal, action, NULL);
}

static int
install(struct owned *o, sigaction_function *set)
{
	struct sigaction action = {.sa_sigaction = o->handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	const struct sigaction *w = wish(o);

	block_all(&action.sa_mask);
	if (o->handle == on_sample_signal)
		action.sa_flags |= SA_RESTART;
	else if (w->sa_handler != SIG_DFL && w->sa_handler != SIG_IGN)
		action.sa_flags =
			SA_SIGINFO | (w->sa_flags & (SA_ONSTACK | SA_RESTART | SA_NODEFER));
	if (set(o->signal, &action, NULL) < 0)
		return -1;
	if (o->handle == on_sample_signal &&
	    (w->sa_handler == SIG_DFL || w->sa_handler == SIG_IGN))
		stand_first(o, &action);
	return 0;
}

/* ---- what the program asks for ---- */

/* The sampling signals that the program has put in the mask of SIGNAL. */
static uint64_t
masks_of(int signal)
{
	uint64_t masks = 0;
	size_t i;

	for (i = 0; i < NR_OWNED; i++)
		if (atomic_load(&owned[i].masking) & bit(signal))
			masks |= bit(owned[i].signal);
	return masks;
}

static void
note_masks(int signal, uint64_t masks)
{
	size_t i;

	for (i = 0; i < NR_OWNED; i++)
		if (masks & bit(owned[i].signal))
			atomic_fetch_or(&owned[i].masking, bit(signal));
		else if (atomic_load(&owned[i].masking) & bit(signal))
			atomic_fetch_and(&owned[i].masking, ~bit(signal));
}

/* Takes the signals out of MASK that are never blocked; returns those that were in it. */
static uint64_t
take_out(sigset_t *mask)
{
	uint64_t ours = signals_never_blocked(), named = *words(mask) & ours;

	*words(mask) &= ~ours;
	return named;
}

/* Does what libc's sigaction does; OLD is told as the program has set it. */
static int
set_masked(sigaction_function *set, int signal, const struct sigaction *action,
	   struct sigaction *old)
{
	uint64_t before = masks_of(signal), masks = 0;
	struct sigaction mine;

	if (action) {
		mine = *action;
		masks = take_out(&mine.sa_mask);
		note_handler(signal, action->sa_handler);
	}
	if (set(signal, action ? &mine : NULL, old) < 0)
		return -1;
	if (action)
		note_masks(signal, masks);
	if (old)
		*words(&old->sa_mask) |= before;
	return 0;
}

int
signals_action_here(sigaction_function *set, int signal, const struct sigaction *action,
		    struct sigaction *old)
{
	struct owned *o = owned_signal(signal);
	struct sigaction before, mine = {.sa_handler = SIG_DFL};
	/* What the runtime takes for libc's may be another library's, which comes back here. */
	bool locks = !runtime_holds_lock();
	int result = 0;

	if (!o)
		return set_masked(set, signal, action, old);
	if (action) /* which may lead nowhere: that is not for the lock's holder to find out */
		mine = *action;
	*words(&mine.sa_mask) &= ~(bit(SIGKILL) | bit(SIGSTOP));
	if (locks)
		runtime_lock();
	before = *wish(o);
	if (action) {
		make_wish(o, &mine);
		result = install(o, set);
	}
	if (locks)
		runtime_unlock();
	if (old && !result)
		*old = before;
	return result;
}

int
signals_action(sigaction_function *set, int signal, const struct sigaction *action,
	       struct sigaction *old)
{
	return runtime_door.action(set, signal, action, old);
}

void (*signals_handler(sigaction_function *set, int signal, void (*handler)(int), int flags))(int)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags}, old;

	if (handler == SIG_ERR) {
		errno = EINVAL;
		return SIG_ERR;
	}
	if (!(flags & SA_NODEFER))
		sigaddset(&action.sa_mask, signal);
	return signals_action(set, signal, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
}

/* Sets nothing. */
static int
set_nothing(int signal, const struct sigaction *action, struct sigaction *old)
{
	(void)signal, (void)action, (void)old;
	return 0;
}

void
signals_note_signal(int signal, void (*handler)(int))
{
	const struct sigaction action = {.sa_handler = handler};

	if (handler != SIG_ERR)
		signals_action(set_nothing, signal, &action, NULL);
}

const _Atomic bool *
signals_handled(void)
{
	struct sigaction there;

	if (!runtime_sees_threads()) /* nor what is asked for here */
		atomic_store(&handles, true);
	for (int i = 1; i < NSIG; i++)
		if (!owned_signal(i) && set_by_kernel(i, NULL, &there) == 0)
			note_handler(i, there.sa_handler);
	return &handles;
}

/* ---- the mask ---- */

/* A thread without a slot has no samples: it blocks what it likes. */
int
signals_mask_here(int how, const uint64_t *set, uint64_t *old)
{
	struct slot *s = slot_base();
	uint64_t mine = set ? *set & ~(s ? signals_never_blocked() : 0) : 0;
	uint64_t named = set ? *set & atomic_load(&sampling) : 0, before = s ? s->blocked : 0;

	if (s && set) /* what was pending comes at once */
		s->blocked = how == SIG_BLOCK	  ? before | named
			     : how == SIG_UNBLOCK ? before & ~named
						  : named;
	if (kernel(SYS_rt_sigprocmask, how, set ? &mine : NULL, old, sizeof(mine)) < 0) {
		if (s)
			s->blocked = before;
		return -1;
	}
	if (old)
		*old |= before;
	return 0;
}

static int
change_mask(int how, const uint64_t *set, uint64_t *old)
{
	return runtime_door.mask(how, set, old);
}

int
signals_libc_mask(int how, const sigset_t *set, sigset_t *old)
{
	/* The two signals that libc needs itself cannot be blocked by its procedures. */
	uint64_t mine = set ? set->__val[0] & ~((uint64_t)3 << 31) : 0;

	return change_mask(how, set ? &mine : NULL, old ? words(old) : NULL);
}

uint64_t
signals_blocked(void)
{
	const struct slot *s = slot_base();

	return s ? s->blocked : 0;
}

__sighandler_t
signals_system_v(int signal, __sighandler_t handler)
{
	const int interrupt = 0x20000000; /* says nothing to the kernel, but is read back */

	return signals_handler(signals_real_action, signal, handler,
			       (int)SA_RESETHAND | SA_NODEFER | interrupt);
}

__sighandler_t
signals_set(int signal, __sighandler_t handler)
{
	uint64_t one = bit(signal), before = 0;
	__sighandler_t old;
	struct sigaction action;

	if (handler == SIG_HOLD) {
		if (change_mask(SIG_BLOCK, &one, &before) < 0 ||
		    signals_action(signals_real_action, signal, NULL, &action) < 0)
			return SIG_ERR;
		return before & one ? SIG_HOLD : action.sa_handler;
	}
	old = signals_handler(signals_real_action, signal, handler, 0);
	if (old == SIG_ERR || change_mask(SIG_UNBLOCK, &one, &before) < 0)
		return SIG_ERR;
	return before & one ? SIG_HOLD : old;
}

/* ---- syscall(2) ---- */

static long
action_by_number(int signal, const struct kernel_action *action, struct kernel_action *old)
{
	struct sigaction set, before;

	if (action)
		set = (struct sigaction){.sa_handler = action->handler,
					 .sa_flags = (int)action->flags,
					 .sa_restorer = action->restorer,
					 .sa_mask.__val = {action->mask}};
	if (signals_action(signals_owned(signal) ? signals_real_action : set_by_kernel, signal,
			   action ? &set : NULL, old ? &before : NULL) < 0)
		return -1;
	if (old)
		*old = (struct kernel_action){before.sa_handler, (unsigned)before.sa_flags,
					      before.sa_restorer, before.sa_mask.__val[0]};
	return 0;
}

long
signals_syscall_here(long number, long a, void *b, void *c, size_t size)
{
	if (number == SYS_rt_sigaction && b)
		note_handler((int)a, ((const struct kernel_action *)b)->handler);
	if (size != sizeof(uint64_t) || !sample_signal)
		return kernel(number, a, b, c, size);
	if (number == SYS_rt_sigaction)
		return action_by_number((int)a, b, c);
	return signals_mask_here((int)a, b, c);
}

long
signals_syscall(long number, long a, void *b, void *c, size_t size)
{
	return runtime_door.call(number, a, b, c, size);
}

bool
signals_owned_here(int signal)
{
	return owned_signal(signal) != NULL;
}

bool
signals_owned(int signal)
{
	return runtime_door.owns(signal);
}

/* ---- what comes ---- */

/* Ends the program as if it had been alone with the signal. */
static void
die_of(int signal, const siginfo_t *info)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};

	signals_real_action(signal, &standard, NULL);
	if (info->si_code <= 0 || (signal != SIGBUS && signal != SIGSEGV))
		kernel(SYS_tgkill, kernel(SYS_getpid), kernel(SYS_gettid), signal);
	/* A fault comes again. */
}

/* Does with a sampling signal what it came for, if it is ours. */
static bool
take_ours(siginfo_t *info, void *context)
{
	if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &runtime)
		take_sample(info, context);
	else if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &runtime)
		slots_take_base();
	else
		return take_event && take_event(info, context);
	return true;
}

/* Sends SIGNAL once more. */
static void
send_again(int signal, siginfo_t *info)
{
	long pid = kernel(SYS_getpid);

	if (info->si_code == SI_TKILL) {
		kernel(SYS_rt_tgsigqueueinfo, pid, kernel(SYS_gettid), signal, info);
	} else if (kernel(SYS_rt_sigqueueinfo, pid, signal, info) < 0) {
		info->si_code = SI_QUEUE; /* others only the first thread may send */
		kernel(SYS_rt_sigqueueinfo, pid, signal, info);
	}
}

/* Takes those of ours that are pending for this thread, which would be the first that the program's
 * call gets. */
static void
take_pending(int signal, ucontext_t *context)
{
	enum { SOME = 8 };
	const struct timespec at_once = {0, 0};
	uint64_t set = bit(signal);
	siginfo_t others[SOME];
	int nr = 0;

	while (nr < SOME &&
	       kernel(SYS_rt_sigtimedwait, &set, &others[nr], &at_once, sizeof(set)) > 0)
		nr += !take_ours(&others[nr], context);
	for (int i = 0; i < nr; i++)
		send_again(signal, &others[i]);
}

/* The program blocks SIGNAL, so it thinks, and now there is one of its own, which is to wait until
 * somebody asks for it: now it is blocked indeed, and there are no samples by it any more. One that
 * was sent to the process goes round until all threads that are told to block it do. */
static void
leave_pending(int signal, siginfo_t *info, ucontext_t *context)
{
	atomic_fetch_or(&given_up, bit(signal));
	sampling_end(signal);
	take_pending(signal, context);
	*words(&context->uc_sigmask) |= bit(signal);
	send_again(signal, info);
}

/* The kernel begins a call anew that was interrupted, as our handler wants it, but the program's
 * handler does not: the call fails. (One that is just about to begin fails, too, as if it had.) */
static void
interrupt(ucontext_t *context)
{
	static const short calls[] = {
		SYS_read, SYS_readv, SYS_write, SYS_writev, SYS_open, SYS_openat, SYS_ioctl,
		SYS_fcntl, SYS_flock, SYS_accept, SYS_accept4, SYS_connect, SYS_recvfrom,
		SYS_recvmsg, SYS_recvmmsg, SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_wait4,
		SYS_waitid, SYS_futex, SYS_mq_timedsend, SYS_mq_timedreceive, SYS_getrandom,
	};
	greg_t *regs = context->uc_mcontext.gregs;
	const unsigned char *pc = (const unsigned char *)regs[REG_RIP];
	size_t i;

	if (pc[0] != 0x0f || pc[1] != 0x05) /* syscall */
		return;
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (regs[REG_RAX] == calls[i]) {
			regs[REG_RAX] = -EINTR;
			regs[REG_RIP] += 2;
			return;
		}
}

static void
forward(int signal, siginfo_t *info, void *context)
{
	struct sigaction standard = {.sa_handler = SIG_DFL}, w = standard;
	struct owned *o = owned_signal(signal);
	bool fault = info->si_code > 0 && ((signal == SIGBUS && info->si_code != SI_KERNEL) ||
					   signal == SIGSEGV);
	sigset_t before, mask = ((const ucontext_t *)context)->uc_sigmask;

	if (signals_blocked() & bit(signal) & ~*words(&mask)) {
		leave_pending(signal, info, context);
		return;
	}
	if (o)
		w = *wish(o);
	if (w.sa_handler == SIG_IGN && !fault)
		return;
	if (w.sa_handler == SIG_DFL && signal == SIGURG)
		return;
	if (w.sa_handler == SIG_DFL || w.sa_handler == SIG_IGN) {
		die_of(signal, info);
		return;
	}
	if (o && o->handle == on_sample_signal && !(w.sa_flags & SA_RESTART))
		interrupt(context);
	if (o && w.sa_flags & (int)SA_RESETHAND)
		make_wish(o, &standard);
	*(uint64_t *)&mask |= *(const uint64_t *)&w.sa_mask;
	if (!(w.sa_flags & SA_NODEFER))
		sigaddset(&mask, signal);
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &before, NSIG / 8);
	if (w.sa_flags & SA_SIGINFO)
		w.sa_sigaction(signal, info, context);
	else
		w.sa_handler(signal);
	kernel(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, NSIG / 8);
}

static void
dispatch(int signal, siginfo_t *info, void *context)
{
	siginfo_t next;

	if (!take_ours(info, context)) {
		forward(signal, info, context);
		return;
	}
	if (take_event && events_settle(&next))
		dispatch(next.si_signo, &next, context);
}

static ALIGNING void
on_sample_signal(int signal, siginfo_t *info, void *context)
{
	int saved = errno;

	dispatch(signal, info, context);
	errno = saved;
}

/* The file is shorter than what is mapped of it: from now on the counts of this page are in memory,
 * and will be lost, but the program goes on. */
static ALIGNING void
on_bus_error(int signal, siginfo_t *info, void *context)
{
	uintptr_t page = page_down((uintptr_t)info->si_addr);
	int saved = errno;

	if (info->si_code == BUS_ADRERR && (slots_own(page) || extent_owns(page)) &&
	    sys_mmap((void *)page, RAW_PAGE, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == (void *)page) {
		slots_mend(page);
		file_was_cut();
		errno = saved;
		return;
	}
	errno = saved;
	forward(signal, info, context); /* whose errno is the program's */
}

/* Memory that is there may be a block's which the program's handler is about to let be used, as one
 * that waits for writes to it does. */
static bool
may_be_block(const siginfo_t *info)
{
	const struct sigaction *w = wish(&owned[OWNED_ACCESS]);

	return (info->si_code == SEGV_ACCERR || info->si_code == SEGV_PKUERR) &&
	       w->sa_handler != SIG_DFL && w->sa_handler != SIG_IGN;
}

static ALIGNING void
on_invalid_access(int signal, siginfo_t *info, void *context)
{
	int saved = errno;

	if (info->si_code > 0 && !may_be_block(info))
		see_invalid_access(info, context);
	errno = saved;
	forward(signal, info, context);
}

/* ---- start ---- */

static void
own(struct owned *o)
{
	struct sigaction before;

	if (signals_real_action(o->signal, NULL, &before) < 0)
		return;
	make_wish(o, &before);
	o->installed = install(o, signals_real_action) == 0;
}

void
signals_own_bus_error(void)
{
	own(&owned[OWNED_BUS]);
}

void
signals_own_invalid_access(void (*see)(const siginfo_t *info, const ucontext_t *context))
{
	see_invalid_access = see;
	own(&owned[OWNED_ACCESS]);
}

static void
own_sampling(int signal)
{
	struct owned *o = &owned[owned[OWNED_SAMPLE].signal ? OWNED_OTHER : OWNED_SAMPLE];

	if (atomic_fetch_or(&sampling, bit(signal)) & bit(signal))
		return;
	o->signal = signal;
	own(o);
}

void
signals_own_sample(int signal, void (*take)(siginfo_t *info, void *context))
{
	take_sample = take;
	own_sampling(signal);
	sample_signal = signal;
}

void
signals_own_event(int signal, bool (*take)(siginfo_t *info, void *context))
{
	take_event = take;
	own_sampling(signal);
}

bool
signals_lost(bool take_back)
{
	struct owned *o = owned_signal(sample_signal);
	struct sigaction now;

	if (!o || signals_real_action(o->signal, NULL, &now) < 0 ||
	    (now.sa_flags & SA_SIGINFO && now.sa_sigaction == o->handle))
		return false;
	if (take_back) {
		make_wish(o, &now);
		install(o, signals_real_action);
	}
	return true;
}
