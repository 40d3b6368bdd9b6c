/* endings HOW: calls step() 1,000 times and ends in one of many ways. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile int sink;
static jmp_buf back;

__attribute__((noinline)) static void
step(int i)
{
	sink += i;
}

__attribute__((noinline)) static void
jump(int depth)
{
	if (depth == 0)
		longjmp(back, 1);
	jump(depth - 1);
	sink++; /* never reached */
}

static void
steps(int nr)
{
	for (int i = 0; i < nr; i++)
		step(i);
}

static void
ready_and_wait(void)
{
	puts("ready");
	fflush(stdout);
	for (;;)
		pause();
}

static void end_return(void) { }
static void end_exit(void) { exit(3); }
static void end_exit_now(void) { _exit(4); }
static void end_abort(void) { abort(); }
static void end_segv(void) { raise(SIGSEGV); }
static void end_term(void) { raise(SIGTERM); }
static void end_kill(void) { raise(SIGKILL); }
static void end_exec(void) { execl("/bin/true", "true", (char *)NULL); }

static void
end_longjmp(void)
{
	if (setjmp(back) == 0)
		jump(5);
}

/* A program may forbid itself to write files; then samples have nowhere to go. */
static void
end_limit(void)
{
	struct rlimit none = { 0, 0 };

	setrlimit(RLIMIT_FSIZE, &none);
	while (clock() < CLOCKS_PER_SEC / 10)
		sink++;
}

static void
end_fork(void)
{
	pid_t child = fork();

	if (child == 0) {
		steps(500);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	steps(250);
}

static const struct {
	const char *name;
	void (*end)(void);
} endings[] = {
	{ "return", end_return }, { "exit", end_exit }, { "_exit", end_exit_now },
	{ "abort", end_abort }, { "segv", end_segv }, { "term", end_term }, { "kill", end_kill },
	{ "exec", end_exec }, { "longjmp", end_longjmp }, { "limit", end_limit },
	{ "fork", end_fork },
	{ "wait", ready_and_wait },
};

int
main(int argc, char **argv)
{
	steps(1000);
	for (size_t i = 0; argc > 1 && i < sizeof(endings) / sizeof(endings[0]); i++)
		if (strcmp(argv[1], endings[i].name) == 0)
			endings[i].end();
	return 0;
}
