/* In a static program the linker (--wrap) sends calls here that concern signals or sandboxes. */
#include "runtime.h"

#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "syscall.h"

int __real_sigaction(int, const struct sigaction *, struct sigaction *);
__sighandler_t __real_signal(int, __sighandler_t);
int __real_prctl(int, ...);

int
signals_real_action(int signal, const struct sigaction *action, struct sigaction *old)
{
	return __real_sigaction(signal, action, old);
}

/* A static program is one piece. */
void
runtime_pin(void)
{
}

clone_function *
runtime_real_clone(void)
{
	return (clone_function *)clone;
}

void *
runtime_symbol(const char *name)
{
	(void)name;
	return NULL;
}

bool
runtime_sees_threads(void)
{
	return true;
}

EXPORTED int
__wrap_sigaction(int signal, const struct sigaction *action, struct sigaction *old)
{
	return signals_action(signals_real_action, signal, action, old);
}

static __sighandler_t
handle(int signal, __sighandler_t handler)
{
	if (signals_owned(signal))
		return signals_handler(signals_real_action, signal, handler, SA_RESTART);
	return __real_signal(signal, handler);
}

#define SIGNAL(name, procedure)                                                                    \
	EXPORTED __sighandler_t __wrap_##name(int signal, __sighandler_t handler)                  \
	{                                                                                          \
		return procedure(signal, handler);                                                 \
	}
SIGNAL(signal, handle)
SIGNAL(bsd_signal, handle)
SIGNAL(ssignal, handle)
SIGNAL(__sysv_signal, signals_system_v)
SIGNAL(sysv_signal, signals_system_v)
SIGNAL(sigset, signals_set)

EXPORTED int
__wrap_sigignore(int signal)
{
	return signals_handler(signals_real_action, signal, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

EXPORTED int
__wrap_sigprocmask(int how, const sigset_t *set, sigset_t *old)
{
	return signals_libc_mask(how, set, old);
}

EXPORTED int
__wrap_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	int saved = errno, error = signals_libc_mask(how, set, old) < 0 ? errno : 0;

	errno = saved;
	return error;
}

EXPORTED int
__wrap_prctl(int option, ...)
{
	unsigned long a[4];
	va_list list;
	int i;

	va_start(list, option);
	for (i = 0; i < 4; i++)
		a[i] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_SECCOMP && (a[0] == SECCOMP_MODE_STRICT || a[1]))
		runtime_enter_sandbox();
	return __real_prctl(option, a[0], a[1], a[2], a[3]);
}

SYSCALL(__wrap_syscall);
