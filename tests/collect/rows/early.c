/* What runs before main() and after it. */
#include <stdlib.h>

#include "step.h"

static void before_all(void) { steps(1); }
__attribute__((section(".preinit_array"), used)) static void (*const first)(void) = before_all;

__attribute__((constructor(101))) static void earliest(void) { steps(10); }
__attribute__((constructor)) static void early(void) { steps(100); }
__attribute__((destructor)) static void late(void) { steps(1000); }
__attribute__((destructor(101))) static void latest(void) { steps(10000); }
static void at_exit(void) { steps(100000); }

void library_use(void);

int
main(void)
{
	atexit(at_exit);
	library_use();
	return 0;
}
