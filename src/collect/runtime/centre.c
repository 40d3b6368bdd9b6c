/* The current cost centre of the calling thread. Code that keeps cost centres (plugin/centre.c)
 * sets the word; only such code brings this file into a library: a library that is loaded late must
 * not take from the little thread-local room that is left for such ones without need. */
#include "runtime.h"

EXPORTED __thread uint64_t __cgview_current __attribute__((tls_model("initial-exec")));

static uint64_t
current(void)
{
	return *(volatile uint64_t *)&__cgview_current;
}

void
centre_install(void)
{
	centre_read = current;
}

/* In a library whose program has no runtime. The entry has no priority: the program's code is
 * sampled before any constructor has run, the library's only after. */
__attribute__((section(".init_array.00000"),
	       used)) static void (*const install)(void) = centre_install;
