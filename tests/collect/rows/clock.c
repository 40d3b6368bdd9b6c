/* To be loaded before libc: each time that a program asks, its clocks have jumped by days, forth
 * and back. */
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int
clock_gettime(clockid_t clock, struct timespec *t)
{
	static long jump;
	int result = (int)syscall(SYS_clock_gettime, clock, t);

	t->tv_sec += jump++ % 2 ? 300000 : -300000;
	return result;
}
