#include "cmd/run/against.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/run/left_behind.h"
#include "db/model/looks.h"
#include "util/error.h"
#include "util/mem.h"

enum { OTHER, PROGRAM, NR_BOTH, MOST_PAIRS = 10000 };

/* What the recorders are told, and what they tell. */
struct turn {
	enum { TURN_RUN, TURN_KEEP } what;
	uint32_t keep;             /* so many runs; 0: none */
	uint32_t look;             /* + 1; 0: it was not looked */
};
struct told { double cpu_seconds; bool stopped; };

struct recorder { pid_t pid; int in, out; /* of the pipes: what it tells, what it is told */ };

/* The process that tells the turns. */
struct pairs {
	const struct against *a;
	struct recorder of[NR_BOTH];
	double *seconds[NR_BOTH];  /* of each run */
	size_t nr, look;           /* pairs that are complete; look + 1 that it ended at */
	bool watched;              /* there is a terminal */
	double started;
};

static volatile sig_atomic_t stopped;
static volatile pid_t recorders[NR_BOTH];

static void
stop(int signal)
{
	stopped = signal;
	for (int k = 0; k < NR_BOTH && signal != SIGINT; k++)
		if (recorders[k] > 0)
			kill(recorders[k], signal);
}

static double
now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

double
against_budget(const char *text)
{
	char *end;
	double n = strtod(text, &end);

	if (!strcmp(end, "m"))
		n *= 60;
	else if (*end && strcmp(end, "s"))
		return 0;
	return *text >= '0' && *text <= '9' && n > 0 && n < 1e6 ? n : 0;
}

char *
against_output(const char *output)
{
	size_t n = strlen(output);
	bool ends = n > 3 && !strcmp(output + n - 3, ".db");

	return xasprintf("%.*s.base%s", (int)(ends ? n - 3 : n), output, ends ? ".db" : "");
}

/* ---- pipes ---- */

static bool
read_all(int fd, void *to, size_t size)
{
	ssize_t n;

	while ((n = read(fd, to, size)) < 0 && errno == EINTR)
		;
	return n == (ssize_t)size;
}

static bool
write_all(int fd, const void *from, size_t size)
{
	return write(fd, from, size) == (ssize_t)size;
}

/* ---- in a recorder ---- */

bool
against_turn(struct against *a)
{
	struct turn turn;

	/* Who told the turns was killed: nobody waits for a profile. */
	if (!read_all(a->in, &turn, sizeof(turn)))
		turn = (struct turn){ .what = TURN_KEEP, .keep = 0 };
	if (turn.what == TURN_RUN)
		return true;
	a->pairs = turn.keep;
	/* At the last look, too: what is spent before is spent. */
	if (turn.look)
		a->note = xasprintf("recorded against another program; look %zu of %d, after %zu "
				    "runs, made clear how they differ: differences are judged at "
				    "%.5f in place of 0.05, so that looking makes no claims",
				    (size_t)turn.look, NR_LOOKS, look_after(turn.look - 1),
				    look_level(turn.look - 1));
	return false;
}

void
against_ran(struct against *a, double cpu_seconds, bool no_more)
{
	struct told told = { .cpu_seconds = cpu_seconds, .stopped = no_more };

	/* Who told the turns may have been killed. The program must not inherit that it is
	 * ignored. */
	signal(SIGPIPE, SIG_IGN);
	write_all(a->out, &told, sizeof(told));
	signal(SIGPIPE, SIG_DFL);
}

size_t
against_kept(struct against *a)
{
	return a->pairs;
}

void
against_written(struct against *a)
{
	against_ran(a, 0, false);
}

/* ---- turns ---- */

static bool
tell(struct pairs *p, int which, const struct turn *turn)
{
	return write_all(p->of[which].out, turn, sizeof(*turn));
}

/* Waits for what a recorder tells. False: it has ended. */
static bool
hear(struct pairs *p, int which, struct told *told)
{
	return read_all(p->of[which].in, told, sizeof(*told));
}

/* Returns its exit status. */
static int
end_of(struct pairs *p, int which)
{
	int status = 0;

	while (waitpid(p->of[which].pid, &status, 0) < 0 && errno == EINTR)
		;
	recorders[which] = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Nothing is written. STATUS 0: that of the recorder that ended by itself. */
static void __attribute__((noreturn))
give_up(struct pairs *p, int status)
{
	const struct turn turn = { .what = TURN_KEEP };

	for (int k = 0; k < NR_BOTH; k++)
		tell(p, k, &turn);
	for (int k = 0; k < NR_BOTH; k++) {
		int end = end_of(p, k);

		status = status ? status : end;
	}
	exit(status ? status : 1);
}

static void
show_progress(const struct pairs *p)
{
	double took = now() - p->started, left = -1;
	bool shared = isatty(STDOUT_FILENO); /* the programs may write there */

	if (!p->watched)
		return;
	if (p->a->pairs)
		left = took / (double)p->nr * (double)(p->a->pairs - p->nr);
	if (p->a->seconds > 0 && (left < 0 || p->a->seconds - took < left))
		left = p->a->seconds > took ? p->a->seconds - took : 0;
	fprintf(stderr, "%scgview: %zu pair%s: %.3f s and %.3f s of CPU time", shared ? "" :
		"\r\033[K", p->nr, p->nr == 1 ? "" : "s", p->seconds[OTHER][p->nr - 1],
		p->seconds[PROGRAM][p->nr - 1]);
	if (left >= 0)
		fprintf(stderr, ", about %.0f s left", left);
	fputs(shared ? "\n" : "", stderr);
}

static bool
coin(void)
{
	unsigned char c = 0;

	return getrandom(&c, 1, 0) == 1 && c & 1;
}

/* Returns false if the pair is not complete, as somebody stopped it. */
static bool
run_pair(struct pairs *p)
{
	bool swapped = coin();

	for (int i = 0; i < NR_BOTH && !stopped; i++) {
		int k = swapped ? NR_BOTH - 1 - i : i;
		struct told told;

		if (!tell(p, k, &(struct turn){ .what = TURN_RUN }) || !hear(p, k, &told))
			give_up(p, 0);
		if (told.stopped && !stopped)
			stopped = SIGINT;
		p->seconds[k][p->nr] = told.cpu_seconds;
	}
	p->nr += !stopped;
	return !stopped;
}

/* Is it enough? */
static bool
is_enough(struct pairs *p)
{
	const struct against *a = p->a;

	if (a->pairs && p->nr >= a->pairs)
		return true;
	if (a->seconds > 0 && now() - p->started >= a->seconds)
		return true;
	if (a->pairs || a->seconds > 0)
		return p->nr == MOST_PAIRS;
	for (size_t i = 0; i < NR_LOOKS; i++) {
		if (p->nr != look_after(i))
			continue;
		p->look = i + 1;
		return i + 1 == NR_LOOKS ||
		       look_at(p->seconds[OTHER], p->seconds[PROGRAM], p->nr, look_level(i));
	}
	return false;
}

/* Tells how it ended. */
static void
tell_end(const struct pairs *p)
{
	static const char *const said[] = {
		[LOOK_GO_ON] = "that they differ is not beyond chance",
		[LOOK_DIFFERS] = "their CPU times differ beyond chance",
		[LOOK_PRECISE] = "a change of 2 % of the CPU time would have been seen",
	};
	char *other = against_output(p->a->output);

	if (p->watched && !isatty(STDOUT_FILENO))
		fputs("\r\033[K", stderr);
	if (stopped)
		complain("stopped after %zu pairs of runs", p->nr);
	else if (p->look)
		complain("%zu pairs of runs: %s", p->nr,
			 said[look_at(p->seconds[OTHER], p->seconds[PROGRAM], p->nr,
				      look_level(p->look - 1))]);
	if (p->nr < 3)
		complain("times are judged from 3 pairs on: give it more time, or -n 10");
	free(other);
}

/* Each writes its profile, one after the other. Returns the exit status. */
static int
finish(struct pairs *p)
{
	struct turn turn = { .what = TURN_KEEP, .keep = (uint32_t)p->nr,
			     .look = (uint32_t)p->look };
	int status[NR_BOTH];
	char *other;

	if (!p->nr) {
		complain("stopped before both programs had run: nothing is written");
		give_up(p, 128 + stopped);
	}
	tell_end(p);
	for (int k = 0; k < NR_BOTH; k++) {
		struct told told;
		bool written = tell(p, k, &turn) && hear(p, k, &told);

		status[k] = end_of(p, k);
		if (!written)
			turn.keep = 0; /* so that there is not one of them alone */
	}
	if (!turn.keep)
		return status[OTHER] ? status[OTHER] : status[PROGRAM] ? status[PROGRAM] : 1;
	other = against_output(p->a->output);
	complain("compare them: cgview diff %s %s", other, p->a->output);
	free(other);
	return status[PROGRAM] ? status[PROGRAM] : status[OTHER];
}

/* ---- the beginning ---- */

static void
check_program(const char *option, const char *name)
{
	char *path = find_program(name);

	if (!path || access(path, F_OK))
		die(NOT_FOUND, "%s%s: no such program", option, name);
	if (access(path, X_OK))
		die(CANNOT_EXECUTE, "%s%s: it may not be executed (chmod +x)", option, name);
	free(path);
}

static void
make_pipe(int fds[2])
{
	if (pipe2(fds, O_CLOEXEC))
		die(1, "cannot make a pipe: %s", strerror(errno));
}

/* Returns true in the new process. */
static bool
start(struct pairs *p, struct against *a, int which)
{
	struct recorder *of = &p->of[which];
	int to[2], from[2];

	make_pipe(to);
	make_pipe(from);
	of->pid = fork();
	if (of->pid < 0)
		die(1, "cannot start a process: %s", strerror(errno));
	if (!of->pid) {
		for (int k = 0; k < which; k++) {
			close(p->of[k].in);
			close(p->of[k].out);
		}
		close(to[1]);
		close(from[0]);
		a->in = to[0];
		a->out = from[1];
		return true;
	}
	close(to[0]);
	close(from[1]);
	of->in = from[0];
	of->out = to[1];
	recorders[which] = of->pid;
	return false;
}

bool
against_begin(struct against *a)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP };
	size_t most = a->pairs ? a->pairs : a->seconds > 0 ? MOST_PAIRS
				: look_after(NR_LOOKS - 1);
	struct sigaction on_stop = { .sa_handler = stop };
	struct pairs p = { .a = a, .watched = isatty(STDERR_FILENO) };
	struct told ready;

	check_program("--against ", a->other);
	check_program("", a->program[0]);
	for (int k = 0; k < NR_BOTH; k++) {
		if (start(&p, a, k))
			return k == OTHER;
		p.seconds[k] = xcalloc(most, sizeof(*p.seconds[k]));
		/* It looks at its output and its input before anything runs, or says what is
		 * wrong. */
		if (hear(&p, k, &ready))
			continue;
		if (k)
			give_up(&p, 0);
		exit(end_of(&p, k));
	}
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		sigaction(ends[i], &on_stop, NULL);
	p.started = now();
	while (run_pair(&p)) {
		show_progress(&p);
		if (is_enough(&p))
			break;
	}
	exit(finish(&p));
}
