/* usage FILE COMMAND...: run it, write its user CPU time in us and its largest resident set in kB
 * to FILE. (A process that a large one started has that one's memory in its account.) */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	struct rusage u;
	int status;
	pid_t pid = argc > 2 ? fork() : -1;
	FILE *f;

	if (pid == 0) {
		execvp(argv[2], argv + 2);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &u) < 0 || !(f = fopen(argv[1], "w")))
		return 126;
	fprintf(f, "%ld %ld\n", u.ru_utime.tv_sec * 1000000L + u.ru_utime.tv_usec, u.ru_maxrss);
	fclose(f);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
