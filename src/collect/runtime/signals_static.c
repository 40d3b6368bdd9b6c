/* In a static program the linker (--wrap) sends calls here that concern signals, sandboxes or
 * processes. */
#include "runtime.h"

#include <string.h>

#include "space_host.h"
#include "syscall.h"

int __real_sigaction(int, const struct sigaction *, struct sigaction *);
__sighandler_t __real_signal(int, __sighandler_t);
int __real_prctl(int, ...);
_Noreturn void __real__exit(int);
pid_t __real__Fork(void);
int __real_clone(int (*)(void *), void *, int, void *, ...);

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

void
runtime_find_exit(void)
{
}

clone_function *
runtime_real_clone(void)
{
	return (clone_function *)__real_clone;
}

/* It is linked into the program with the flag space. */
extern space_attach_function __cgview_space_attach __attribute__((weak));

void *
runtime_symbol(const char *name)
{
	return strcmp(name, SPACE_ATTACH) ? NULL : (void *)__cgview_space_attach;
}

bool
runtime_sees_threads(void)
{
	return true;
}

static __sighandler_t
real_signal(int signal, __sighandler_t handler)
{
	return __real_signal(signal, handler);
}

static int
real_prctl(int option, const unsigned long a[4])
{
	return __real_prctl(option, a[0], a[1], a[2], a[3]);
}

/* These libc calls itself, behind us in the linker's order: they are always there. */
EXPORTED _Noreturn void
__wrap__exit(int status)
{
	process_ends();
	__real__exit(status);
}

EXPORTED _Noreturn void
__wrap__Exit(int status)
{
	/* Libc's stands beside its _exit, which a program may have of its own. */
	__wrap__exit(status);
}

#if __GLIBC_PREREQ(2, 34)
EXPORTED pid_t
__wrap__Fork(void)
{
	return thread_bare_fork(__real__Fork);
}
#endif

#define TAKEN EXPORTED
#define TAKEN_NAME(name) __wrap_##name
#include "taken_calls.h"

SYSCALL(__wrap_syscall);
