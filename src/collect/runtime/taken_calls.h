/* The calls about signals, sandboxes and clone(2) that the runtime takes over: in a static program
 * under the linker's names (--wrap), else under their own. Included by the file that has
 * real_signal() and real_prctl(), with TAKEN, their visibility, and TAKEN_NAME, what they are
 * called. */
#include <errno.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/prctl.h>

TAKEN int
TAKEN_NAME(sigaction)(int signal, const struct sigaction *action, struct sigaction *old)
{
	return signals_action(signals_real_action, signal, action, old);
}

static __sighandler_t
handle(int signal, __sighandler_t handler)
{
	if (signals_owned(signal))
		return signals_handler(signals_real_action, signal, handler, SA_RESTART);
	signals_note_signal(signal, handler);
	return real_signal(signal, handler);
}

#define SIGNAL(name, procedure)                                                                    \
	TAKEN __sighandler_t TAKEN_NAME(name)(int signal, __sighandler_t handler)                  \
	{                                                                                          \
		return procedure(signal, handler);                                                 \
	}
SIGNAL(signal, handle)
SIGNAL(bsd_signal, handle)
SIGNAL(ssignal, handle)
SIGNAL(__sysv_signal, signals_system_v)
SIGNAL(sysv_signal, signals_system_v)
SIGNAL(sigset, signals_set)

TAKEN int
TAKEN_NAME(sigignore)(int signal)
{
	return signals_handler(signals_real_action, signal, SIG_IGN, 0) == SIG_ERR ? -1 : 0;
}

TAKEN int
TAKEN_NAME(sigaltstack)(const stack_t *stack, stack_t *old)
{
	return altstack_set(stack, old);
}

TAKEN int
TAKEN_NAME(sigprocmask)(int how, const sigset_t *set, sigset_t *old)
{
	return signals_libc_mask(how, set, old);
}

TAKEN int
TAKEN_NAME(pthread_sigmask)(int how, const sigset_t *set, sigset_t *old)
{
	int saved = errno, error = signals_libc_mask(how, set, old) < 0 ? errno : 0;

	errno = saved;
	return error;
}

TAKEN int
TAKEN_NAME(prctl)(int option, ...)
{
	unsigned long a[4];
	va_list list;

	va_start(list, option);
	for (int i = 0; i < 4; i++)
		a[i] = va_arg(list, unsigned long);
	va_end(list);
	if (option == PR_SET_SECCOMP && (a[0] == SECCOMP_MODE_STRICT || a[1]))
		runtime_enter_sandbox();
	return real_prctl(option, a);
}

TAKEN int
TAKEN_NAME(clone)(int (*start)(void *), void *stack, int flags, void *argument, ...)
{
	struct clone_call c = {start, stack, flags, argument, NULL, NULL, NULL};
	va_list list;

	va_start(list, argument);
	c.parent_tid = va_arg(list, void *);
	c.tls = va_arg(list, void *);
	c.child_tid = va_arg(list, void *);
	va_end(list);
	return thread_clone(runtime_real_clone(), &c);
}
