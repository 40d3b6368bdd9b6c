/* Linked into every shared library: makes it known before its constructors run. */
#define CGVIEW_START_FILE
#include "note.h"
#include "runtime.h"

static void
start(int argc, char **argv, char **envp)
{
	(void)argc, (void)argv, (void)envp;
	__cgview_register();
}

__attribute__((section(".init_array.00000"), used)) static void (*const init)(int, char **,
									      char **) = start;
