/* Two signals are needed here that the program may use as well: the sampling timer's, and SIGBUS,
 * which comes when somebody cuts the raw file. The program's own wishes for them are kept aside and
 * followed for all that is not ours; what it asks is answered as if there were nobody else. The
 * sampling signal is never blocked: pending, it would end the first call that waits. */
#include "runtime.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
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

/* While a sample is taken no other handler may run, which could leave by longjmp. */
static void
block_all(sigset_t *set)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	size_t i;

	sigfillset(set);
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

void
signals_unmask(sigset_t *set)
{
	if (sample_signal)
		sigdelset(set, sample_signal);
}

int
signals_action(sigaction_function *set, int signal, const struct sigaction *action,
	       struct sigaction *old)
{
	struct owned *o = owned_signal(signal);
	struct sigaction before, mine;

	if (action) {
		mine = *action;
		signals_unmask(&mine.sa_mask);
		action = &mine;
	}
	if (!o)
		return set(signal, action, old);
	before = *wish(o);
	if (action) {
		make_wish(o, action);
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

	if (!(flags & SA_NODEFER))
		sigaddset(&action.sa_mask, signal);
	return signals_action(set, signal, &action, &old) < 0 ? SIG_ERR : old.sa_handler;
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
		syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), signal);
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
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, &before, NSIG / 8);
	if (w.sa_flags & SA_SIGINFO)
		w.sa_sigaction(signal, info, context);
	else
		w.sa_handler(signal);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &before, NULL, NSIG / 8);
}

static void
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
static void
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
