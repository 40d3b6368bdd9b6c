/* Code that is not profiled: the only code of the test that takes time. Every unit of work is the
 * same machine code, so the shares of the procedures that call it are known. */
#include "centres.h"

#include <signal.h>

/* In a register only: what it takes to read what was just written differs by a factor of four on
 * some processors, by where the stack is. */
void
burn(int units)
{
	unsigned long burnt = 1;

	for (long i = 0; i < units * 20000L; i++)
		asm volatile("imul %0, %0" : "+r"(burnt));
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
