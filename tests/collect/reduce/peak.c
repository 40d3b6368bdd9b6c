/* peak COMMAND...: runs it, prints the most memory that it had, in kB. What python would print for
 * a child has python's own memory in it, from between fork and exec. */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct rusage usage;
	pid_t child = fork();
	int status = 1;

	if (!child && argc > 1) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	wait4(child, &status, 0, &usage);
	printf("%ld\n", usage.ru_maxrss);
	return status != 0;
}
