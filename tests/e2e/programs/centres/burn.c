/* Code that is not profiled: the only code of the test that takes time. Every unit of work is the
 * same machine code, so the shares of the procedures that call it are known. */
#include "centres.h"

#include <signal.h>

/* The sum is each call's own: threads that shared it would slow each other down. */
void
burn(int units)
{
	volatile unsigned long burnt = 0;

	for (long i = 0; i < units * 10000L; i++)
		burnt += (unsigned long)i;
}

void
burn_around(void (*callback)(void), int units)
{
	for (int i = 0; i < units; i++) {
		callback();
		burn(1);
	}
}

void
burn_with_signal(int units)
{
	burn(units / 2);
	raise(SIGUSR1);
	burn(units - units / 2);
}
