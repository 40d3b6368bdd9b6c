/* Its first process ends at once. A child lives on, and calls work() 1000 times when the file
 * argv[1] is there. */
#include <unistd.h>

static volatile int n;

static void __attribute__((noinline))
work(void)
{
	n++;
}

int
main(int argc, char **argv)
{
	(void)argc;
	if (fork())
		return 0;
	while (access(argv[1], F_OK))
		usleep(20000);
	for (int i = 0; i < 1000; i++)
		work();
	return 0;
}
