/* Linked into every program: starts the runtime before any constructor runs. */
#define CGVIEW_START_FILE
#include "note.h"
#include "runtime.h"

static void
start(int argc, char **argv, char **envp)
{
	centre_install();
	runtime_start(argc, argv, envp);
}

__attribute__((section(".preinit_array"), used)) static void (*const preinit)(int, char **,
									      char **) = start;
