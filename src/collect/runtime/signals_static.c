/* In a static program the linker (--wrap) sends calls here that concern signals or sandboxes. */
#include "runtime.h"

#include <sched.h>
#include <string.h>

#include "space_host.h"
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

#define TAKEN EXPORTED
#define TAKEN_NAME(name) __wrap_##name
#include "taken_calls.h"

SYSCALL(__wrap_syscall);
