/* processes CASE: processes of all kinds, each calls step() a known number of times. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "step.h"

static char *program;

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
static void end_quick_exit(void) { quick_exit(5); }
static void end_abort(void) { abort(); }
static void end_segv(void) { *(volatile int *)8 = 1; }
static void end_term(void) { raise(SIGTERM); }
static void end_kill(void) { raise(SIGKILL); }

/* A helper process of the same group. */
static void
group(void)
{
	if (fork() == 0) {
		steps(500);
		ready_and_wait();
	}
	ready_and_wait();
}

static void
fork_both(void)
{
	pid_t child = fork();

	if (child == 0) {
		steps(500);
		exit(0);
	}
	waitpid(child, NULL, 0);
	steps(250);
}

static void
fork_exit_now(void)
{
	pid_t child = fork();

	if (child == 0) {
		steps(500);
		_exit(0);
	}
	waitpid(child, NULL, 0);
	steps(250);
}

static void
fork_eight(void)
{
	for (int i = 0; i < 8; i++)
		if (fork() == 0) {
			steps(1000000);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
}

static void
vfork_exit(void)
{
	pid_t child = vfork();

	if (child == 0) {
		step(0);
		_exit(7);
	}
	int status = 0;
	waitpid(child, &status, 0);
	steps(9);
	printf("child %d\n", WEXITSTATUS(status));
}

static void
vfork_exec(void)
{
	pid_t child = vfork();

	if (child == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(127);
	}
	int status = 0;
	waitpid(child, &status, 0);
	steps(10);
	printf("child %d\n", WEXITSTATUS(status));
}

static void exec_true(void) { execl("/bin/true", "true", (char *)NULL); }
static void exec_self(void) { execl(program, program, "return", (char *)NULL); }

static void
spawn(void)
{
	extern char **environ;
	char *arguments[] = { program, "return", NULL };
	pid_t child;
	int status = 0;

	for (int i = 0; i < 3; i++)
		if (posix_spawn(&child, program, NULL, NULL, arguments, environ) == 0)
			waitpid(child, &status, 0);
	printf("child %d\n", WEXITSTATUS(status));
}

/* Whoever waits for the end of the pipe waits for the daemon, too. */
static void
daemonize(void)
{
	if (daemon(1, 1) == 0)
		steps(500);
}

static void
double_fork(void)
{
	if (fork() == 0) {
		setsid();
		if (fork() == 0) {
			steps(500);
			exit(0);
		}
		steps(20);
		exit(0);
	}
	steps(3);
	wait(NULL);
}

/* Many children, one after the other. */
static void
many(long nr)
{
	for (long i = 0; i < nr; i++) {
		pid_t child = fork();

		if (child == 0) {
			step(i);
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

/* The same, and all live at once; prints who they are. */
static void
many_live(long nr)
{
	int ends[2];
	char c;

	if (pipe(ends))
		return;
	for (long i = 0; i < nr; i++) {
		pid_t child = fork();

		if (child == 0) {
			close(ends[1]);
			step(i);
			if (read(ends[0], &c, 1) != 0)
				abort();
			_exit(0);
		}
		printf("%d\n", (int)child);
		fflush(stdout);
	}
	close(ends[1]);
	while (wait(NULL) > 0)
		;
}

/* Many children at the same time, each of which has children; some are killed. */
static void
bushes(void)
{
	for (int i = 0; i < 20; i++) {
		for (int k = 0; k < 20; k++)
			if (fork() == 0) {
				step(0);
				many(4);
				raise(k % 2 ? SIGKILL : SIGTERM);
			}
		while (wait(NULL) > 0)
			;
	}
}

static void live_300(void) { many_live(300); }
static void many_500(void) { many(500); }
static void many_2500(void) { many(2500); }
static void many_100000(void) { many(100000); }

static const struct {
	const char *name;
	void (*act)(void);
} cases[] = {
	{ "return", end_return }, { "exit", end_exit }, { "_exit", end_exit_now },
	{ "quick_exit", end_quick_exit }, { "abort", end_abort }, { "SEGV", end_segv },
	{ "TERM", end_term }, { "KILL", end_kill }, { "wait", ready_and_wait },
	{ "group", group }, { "fork", fork_both }, { "fork_exit_now", fork_exit_now },
	{ "eight", fork_eight }, { "vfork", vfork_exit }, { "vfork_exec", vfork_exec },
	{ "exec", exec_true }, { "exec_self", exec_self }, { "spawn", spawn },
	{ "daemon", daemonize }, { "double_fork", double_fork }, { "many_500", many_500 },
	{ "live_300", live_300 },
	{ "many_2500", many_2500 }, { "many_100000", many_100000 }, { "bushes", bushes },
};

int
main(int argc, char **argv)
{
	program = argv[0];
	steps(1000);
	for (size_t i = 0; argc > 1 && i < sizeof(cases) / sizeof(*cases); i++)
		if (strcmp(argv[1], cases[i].name) == 0)
			cases[i].act();
	return 0;
}
