/* A thread of a library's own sleeps for 1,500 ms; one of the program for 300, the first for 200,
 * and then it waits for both. */
#include <stddef.h>

void sleep_ms(int n);
void start_helper(int n, void *(*work)(void *));
void end_helper(void);

static void *
work(void *none)
{
	sleep_ms(300);
	return none;
}

int
main(void)
{
	start_helper(1500, work);
	sleep_ms(200);
	end_helper();
	return 0;
}
