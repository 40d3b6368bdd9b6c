#include "tui/screen/term_signals.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "util/child.h"

/* Handlers need only write(), tcsetattr() and raise(), which are safe there. */
static struct {
	volatile sig_atomic_t open, interrupts, continued;
	struct termios before;
	char goodbye[512];
	size_t goodbye_len;
	struct sigaction stop;   /* curses' own */
	sigset_t mask;           /* before us */
	const char *before_stop, *after_stop;
	timer_t timer;
	bool has_timer;
	volatile sig_atomic_t busy, looked, working; /* working: those modes are set */
	struct termios modes_waiting, modes_working;
} own;

enum { PATIENCE_MS = 300 };

/* Signals that end a program which does not catch them; SIGINT and SIGXFSZ are separate. */
static const int fatal[] = { SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL,
			     SIGXCPU, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGPIPE,
			     SIGTRAP, SIGSYS, SIGSTKFLT, SIGIO, SIGPWR };
enum { NR_FATAL = sizeof(fatal) / sizeof(*fatal) };

static void
put(const char *text, size_t n)
{
	ssize_t put = write(STDOUT_FILENO, text, n);

	(void)put;
}

static void
on_fatal(int sig)
{
	if (own.open) {
		put(own.goodbye, own.goodbye_len);
		tcsetattr(STDIN_FILENO, TCSANOW, &own.before);
	}
	own.open = 0;
	keep_counts();
	/* With SA_RESETHAND the second signal has its default effect. */
	raise(sig);
}

static void
on_interrupt(int sig)
{
	if (own.open && !own.interrupts) {
		own.interrupts = 1;
		return;
	}
	signal(sig, SIG_DFL);
	on_fatal(sig);
}

static void
on_continue(int sig)
{
	(void)sig;
	own.continued = 1;
}

static void
on_stop(int sig)
{
	int before = errno;

	own.busy = 0;
	put(own.before_stop, strlen(own.before_stop));
	own.stop.sa_handler(sig);
	put(own.after_stop, strlen(own.after_stop));
	own.continued = 1;
	errno = before;
}

static void
start_timer(void)
{
	struct itimerspec in = { .it_value.tv_nsec = PATIENCE_MS * 1000000L };

	if (own.has_timer)
		timer_settime(own.timer, 0, &in, NULL);
}

static void
on_timer(int sig)
{
	int before = errno;

	(void)sig;
	if (!own.open || !own.busy)
		return;
	if (own.looked) {
		own.looked = 0;
		start_timer();
	} else {
		own.working = 1;
		tcsetattr(STDIN_FILENO, TCSANOW, &own.modes_working);
	}
	errno = before;
}

/* A stack that overflowed cannot run its own handler. */
static void
use_alternate_stack(void)
{
	static char stack[64 * 1024];
	stack_t ss = { .ss_sp = stack, .ss_size = sizeof(stack) };

	sigaltstack(&ss, NULL);
}

static void
catch_fatal(int sig)
{
	struct sigaction sa = { .sa_handler = on_fatal,
				.sa_flags = (int)(SA_RESETHAND | SA_NODEFER | SA_ONSTACK) };
	struct sigaction old;

	sigemptyset(&sa.sa_mask);
	/* Ignored signals stay so; a real-time signal may belong to a profiler of this program. */
	if (sigaction(sig, NULL, &old) || old.sa_handler == SIG_IGN ||
	    (sig >= SIGRTMIN && old.sa_handler != SIG_DFL))
		return;
	sigaction(sig, &sa, NULL);
}

static void
catch_with(int sig, void (*handler)(int sig))
{
	struct sigaction sa = { .sa_handler = handler,
				.sa_flags = (int)(SA_RESTART | SA_NODEFER | SA_ONSTACK) };
	struct sigaction old;

	sigemptyset(&sa.sa_mask);
	if (!sigaction(sig, NULL, &old) && old.sa_handler != SIG_IGN)
		sigaction(sig, &sa, NULL);
}

/* Blocks signals outside of waits for input, so that none is missed between look and wait. */
static void
block(sigset_t *open)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGCONT);
	sigprocmask(SIG_BLOCK, &set, &own.mask);
	*open = own.mask;
	sigdelset(open, SIGWINCH);
	sigdelset(open, SIGCONT);
	sigdelset(open, SIGINT);
	sigaddset(open, SIGURG);
}

void
term_signals_catch(const struct termios *before, sigset_t *open)
{
	int i;

	own.before = *before;
	own.open = 1;
	use_alternate_stack();
	block(open);
	for (i = 0; i < NR_FATAL; i++)
		catch_fatal(fatal[i]);
	for (i = SIGRTMIN; i <= SIGRTMAX; i++)
		catch_fatal(i);
	catch_with(SIGINT, on_interrupt);
	catch_with(SIGCONT, on_continue);
}

/* SIGURG means nothing to a program without sockets, and does no harm when others send it. */
static void
make_timer(void)
{
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGURG };

	catch_with(SIGURG, on_timer);
	own.has_timer = !timer_create(CLOCK_MONOTONIC, &event, &own.timer);
}

void
term_signals_modes(const struct termios *waiting, const struct termios *working)
{
	if (!own.has_timer)
		make_timer();
	own.modes_waiting = *waiting;
	own.modes_working = *working;
	own.working = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, waiting);
}

void
term_signals_look(void)
{
	own.looked = 1;
	if (!own.working)
		return;
	own.working = 0;
	tcsetattr(STDIN_FILENO, TCSANOW, &own.modes_waiting);
}

void
term_signals_busy(bool busy)
{
	own.looked = 0;
	own.busy = busy;
	if (busy)
		start_timer();
}

void
term_signals_goodbye(const char *text, size_t n)
{
	if (own.goodbye_len + n > sizeof(own.goodbye))
		return;
	memcpy(own.goodbye + own.goodbye_len, text, n);
	own.goodbye_len += n;
}

void
term_signals_wrap_stop(const char *before, const char *after)
{
	struct sigaction sa;

	own.before_stop = before;
	own.after_stop = after;
	if (sigaction(SIGTSTP, NULL, &own.stop) || (own.stop.sa_flags & SA_SIGINFO) ||
	    own.stop.sa_handler == SIG_IGN || own.stop.sa_handler == SIG_DFL)
		return;
	sa = own.stop;
	sa.sa_handler = on_stop;
	sigaction(SIGTSTP, &sa, NULL);
}

void
term_signals_let_go(void)
{
	own.open = 0;
}

void
term_signals_default(void)
{
	int i;

	for (i = 0; i < NR_FATAL; i++)
		signal(fatal[i], SIG_DFL);
	signal(SIGINT, SIG_DFL);
	signal(SIGURG, SIG_DFL);
	if (own.open)
		sigprocmask(SIG_SETMASK, &own.mask, NULL);
}

bool
term_signals_interrupted(void)
{
	bool was = own.interrupts;

	own.interrupts = 0;
	return was;
}

bool
term_signals_interrupt_waits(void)
{
	return own.interrupts;
}

bool
term_signals_continued(void)
{
	bool was = own.continued;

	own.continued = 0;
	return was;
}
