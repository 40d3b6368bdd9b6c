/* Two signals are needed here that the program may use as well: the sampling timer's, and SIGBUS,
 * which comes when somebody cuts the raw file. The program's own wishes for them are kept aside and
 * followed for all that is not ours; what it asks is answered as if there were nobody else. The
 * sampling signal is never blocked: pending, it would end the first call that waits. */
#include "runtime.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

/* What the program wants. A handler may look while a thread writes: each wish has a place of its
 * own, and is long forgotten when the place is used again. */
enum { WISHES = 16 };
struct owned {
	const int *signal;
	void (*handle)(int, siginfo_t *, void *);
	struct sigaction wishes[WISHES]; /* all zero: the default */
	_Atomic uint32_t nr;
	bool installed;
};

static void on_bus_error(int signal, siginfo_t *info, void *context);
static void on_sample_signal(int signal, siginfo_t *info, void *context);

static const int bus_signal = SIGBUS;
int sample_signal;
static void (*take_sample)(siginfo_t *info, void *context);
static struct owned owned[] = {
	{.signal = &bus_signal, .handle = on_bus_error},
	{.signal = &sample_signal, .handle = on_sample_signal},
};

static struct owned *
owned_signal(int signal)
{
	size_t i;

	for (i = 0; i < sizeof(owned) / sizeof(owned[0]); i++)
		if (owned[i].installed && *owned[i].signal == signal)
			return &owned[i];
	return NULL;
}

static struct sigaction *
wish(struct owned *o)
{
	return &o->wishes[atomic_load(&o->nr) % WISHES];
}

static void
make_wish(struct owned *o, const struct sigaction *action)
{
	uint32_t next = atomic_load(&o->nr) + 1;

	o->wishes[next % WISHES] = *action;
	atomic_store(&o->nr, next);
}

/* While a sample is taken no other handler may run, which could leave by longjmp; nor libc's own,
 * which ends a thread that may be cancelled anywhere and which sigfillset() leaves out. */
static void
block_all(sigset_t *set)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	size_t i;

	memset(set, 0xff, sizeof(*set));
	for (i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		sigdelset(set, faults[i]);
}

static int
install(struct owned *o, sigaction_function *set)
{
	struct sigaction action = {.sa_sigaction = o->handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	const struct sigaction *w = wish(o);

	if (o->signal == &sample_signal) {
		action.sa_flags |= SA_RESTART;
		block_all(&action.sa_mask);
	} else if (w->sa_handler != SIG_DFL && w->sa_handler != SIG_IGN)
		action.sa_flags =
			SA_SIGINFO | (w->sa_flags & (SA_ONSTACK | SA_RESTART | SA_NODEFER));
	return set(*o->signal, &action, NULL);
}

/* ---- what the program asks for ---- */

/* Signals in whose mask the program has put the sampling signal, a bit each: it reads back what it
 * has written. */
static _Atomic uint64_t masking;

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

/* What libc's sigaction does, OLD told as the program has set it. */
static int
set_masked(sigaction_function *set, int signal, const struct sigaction *action,
	   struct sigaction *old)
{
	uint64_t sampling = bit(sample_signal), before = atomic_load(&masking) & bit(signal);
	bool masks = action && *words((sigset_t *)&action->sa_mask) & sampling;
	struct sigaction mine;

	if (action) {
		mine = *action;
		*words(&mine.sa_mask) &= ~sampling;
		action = &mine;
	}
	if (set(signal, action, old) < 0)
		return -1;
	if (action && masks)
		atomic_fetch_or(&masking, bit(signal));
	else if (action && before)
		atomic_fetch_and(&masking, ~bit(signal));
	if (old && before)
		*words(&old->sa_mask) |= sampling;
	return 0;
}

int
signals_action(sigaction_function *set, int signal, const struct sigaction *action,
	       struct sigaction *old)
{
	struct owned *o = owned_signal(signal);
	struct sigaction before, mine;

	if (!o)
		return set_masked(set, signal, action, old);
	before = *wish(o);
	if (action) {
		mine = *action;
		*words(&mine.sa_mask) &= ~(bit(SIGKILL) | bit(SIGSTOP));
		make_wish(o, &mine);
		if (install(o, set) < 0)
			return -1;
	}
	if (old)
		*old = before;
	return 0;
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

/* ---- the mask ---- */

/* Has the program blocked the sampling signal in this thread? It thinks so. */
static __thread bool sample_blocked __attribute__((tls_model("initial-exec")));

int
signals_mask(int how, const uint64_t *set, uint64_t *old)
{
	uint64_t sampling = bit(sample_signal), mine = set ? *set & ~sampling : 0;
	bool named = set && *set & sampling, before = sample_blocked;

	if (kernel(SYS_rt_sigprocmask, how, set ? &mine : NULL, old, sizeof(mine)) < 0)
		return -1;
	if (set && (named || how == SIG_SETMASK))
		sample_blocked = how != SIG_UNBLOCK && named;
	if (old && before)
		*old |= sampling;
	return 0;
}

int
signals_libc_mask(int how, const sigset_t *set, sigset_t *old)
{
	/* The two signals that libc needs itself cannot be blocked by its procedures. */
	uint64_t mine = set ? set->__val[0] & ~((uint64_t)3 << 31) : 0;

	return signals_mask(how, set ? &mine : NULL, old ? words(old) : NULL);
}

bool
signals_blocked(void)
{
	return sample_blocked;
}

void
signals_inherit_blocked(bool blocked)
{
	sample_blocked = blocked;
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
		if (signals_mask(SIG_BLOCK, &one, &before) < 0 ||
		    signals_action(signals_real_action, signal, NULL, &action) < 0)
			return SIG_ERR;
		return before & one ? SIG_HOLD : action.sa_handler;
	}
	old = signals_handler(signals_real_action, signal, handler, 0);
	if (old == SIG_ERR || signals_mask(SIG_UNBLOCK, &one, &before) < 0)
		return SIG_ERR;
	return before & one ? SIG_HOLD : old;
}

/* ---- syscall(2) ---- */

/* What rt_sigaction(2) takes. */
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
signals_syscall(long number, long a, void *b, void *c, size_t size)
{
	if (size != sizeof(uint64_t) || !sample_signal)
		return kernel(number, a, b, c, size);
	if (number == SYS_rt_sigaction)
		return action_by_number((int)a, b, c);
	return signals_mask((int)a, b, c);
}

bool
signals_owned(int signal)
{
	return owned_signal(signal) != NULL;
}

/* ---- what comes ---- */

/* As if the program had been alone with the signal. */
static void
die_of(int signal, const siginfo_t *info)
{
	struct sigaction standard = {.sa_handler = SIG_DFL};

	signals_real_action(signal, &standard, NULL);
	if (info->si_code <= 0 || info->si_code == SI_TIMER)
		kernel(SYS_tgkill, kernel(SYS_getpid), kernel(SYS_gettid), signal);
	/* A fault comes again. */
}

static void
forward(int signal, siginfo_t *info, void *context)
{
	struct sigaction standard = {.sa_handler = SIG_DFL}, w = standard;
	struct owned *o = owned_signal(signal);
	bool fault = info->si_code > 0 && info->si_code != SI_KERNEL;
	sigset_t before, mask = ((const ucontext_t *)context)->uc_sigmask;

	if (o)
		w = *wish(o);
	if (w.sa_handler == SIG_IGN && !fault)
		return;
	if (w.sa_handler == SIG_DFL || w.sa_handler == SIG_IGN) {
		die_of(signal, info);
		return;
	}
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

static ALIGNING void
on_sample_signal(int signal, siginfo_t *info, void *context)
{
	int saved = errno;

	if (info->si_code == SI_TIMER && info->si_value.sival_ptr == &runtime)
		take_sample(info, context);
	else if (info->si_code == SI_QUEUE && info->si_value.sival_ptr == &runtime)
		slots_take_base();
	else
		forward(signal, info, context);
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
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == (void *)page)
		file_was_cut();
	else
		forward(signal, info, context);
	errno = saved;
}

/* ---- start ---- */

static void
own(struct owned *o)
{
	struct sigaction before;

	if (signals_real_action(*o->signal, NULL, &before) < 0)
		return;
	make_wish(o, &before);
	o->installed = install(o, signals_real_action) == 0;
}

void
signals_own_bus_error(void)
{
	own(&owned[0]);
}

void
signals_own_sample(int signal, void (*take)(siginfo_t *info, void *context))
{
	sample_signal = signal;
	take_sample = take;
	own(&owned[1]);
}
