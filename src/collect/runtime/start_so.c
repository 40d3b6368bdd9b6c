/* Linked into every shared library: makes it known before its constructors run, and hears when the
 * last of its destructors has run. */
#define CGVIEW_START_FILE
#include "note.h"
#include "runtime.h"

static void
start(int argc, char **argv, char **envp)
{
	(void)argc, (void)argv, (void)envp;
	__cgview_register();
}

extern uint64_t __start_cgview_cnt[] HIDDEN;

static void
end(void)
{
	runtime_leave(__start_cgview_cnt);
}

__attribute__((section(".fini_array.00000"), used)) static void (*const fini)(void) = end;
__attribute__((section(".init_array.00000"), used)) static void (*const init)(int, char **,
									      char **) = start;
