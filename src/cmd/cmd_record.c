#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/run/against.h"
#include "cmd/run/attach.h"
#include "cmd/run/clang.h"
#include "cmd/run/event_option.h"
#include "cmd/run/fold_runs.h"
#include "cmd/run/folder.h"
#include "cmd/run/left_behind.h"
#include "cmd/run/record.h"
#include "cmd/make/make_profile.h"
#include "cmd/run/memcheck.h"
#include "cmd/make/raw_directory.h"
#include "cmd/run/sampling.h"
#include "cmd/run/space_option.h"
#include "cmd/run/sweep.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/import.h"
#include "collect/import/running_writers.h"
#include "collect/raw.h"
#include "collect/recorder.h"
#include "collect/import/source_paths.h"
#include "tui/tui.h"
#include "util/child.h"
#include "util/mem.h"
#include "util/text/safe.h"

/* ---- the place of the raw files ---- */

static int
compare_names(const void *a, const void *b)
{
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

/* The number of the run that left this file; they count from 1. */
static size_t
run_of(const char *name)
{
	return strncmp(name, "run", 3) ? 0 : strtoul(name + 3, NULL, 10);
}

/* Adds those whose names end with SUFFIX. */
static void
find_files(struct record *r, const char *suffix)
{
	size_t n, length = strlen(suffix);
	DIR *d = opendir(r->directory);
	struct dirent *e;

	while (d && (e = readdir(d))) {
		n = strlen(e->d_name);
		if (n <= length || strcmp(e->d_name + n - length, suffix))
			continue;
		GROW(r->raws, r->nr_raws + 1, r->raws_alloc);
		r->raws[r->nr_raws++] = xasprintf("%s/%s", r->directory, e->d_name);
	}
	if (d)
		closedir(d);
	if (r->nr_raws)
		qsort(r->raws, r->nr_raws, sizeof(*r->raws), compare_names);
}

static void
find_raws(struct record *r)
{
	size_t n;

	r->suffix = r->clang.wanted ? CLANG_SUFFIX : ".raw";
	find_files(r, r->suffix);
	r->nr_raws = sampling_sort_out(&r->sampling, r->raws, r->nr_raws, &r->from_samples);
	r->format = r->clang.wanted ? &llvm_profile_format
				    : r->from_samples ? &raw_stacks_format : NULL;
	if (!r->nr_raws && !r->clang.wanted) {
		r->suffix = ".perf";
		find_files(r, r->suffix);
		r->from_samples = r->nr_raws > 0;
		r->format = r->nr_raws ? &perf_data_format : NULL;
	}
	for (n = 0; n < r->nr_raws; n++) {
		size_t run = run_of(r->raws[n] + strlen(r->directory) + 1);

		if (run && run <= r->nr_runs)
			r->runs[run - 1].nr_raws++;
	}
	sampling_join(&r->sampling, r->directory, r->raws, r->runs, r->nr_runs);
	if (!r->from_samples)
		sampling_drop(r->directory, r->nr_runs);
}

static void
remove_directory(const struct record *r)
{
	size_t i;

	for (i = 0; i < r->nr_raws; i++)
		unlink(r->raws[i]);
	sampling_drop(r->directory, r->nr_runs);
	memcheck_remove(&r->under);
	raw_directory_let_go(r->directory, r->hold);
	rmdir(r->directory);
}

/* ---- the program ---- */

static volatile sig_atomic_t program, no_more; /* runs after this one */

static void
forward(int signal)
{
	no_more = 1;
	if (program > 0)
		kill(program, signal);
}

/* The program has got it, too. */
static void
finish_run(int signal)
{
	(void)signal;
	no_more = 1;
}

static void
set_handler(int signal, void (*handler)(int))
{
	struct sigaction a = { .sa_handler = handler, .sa_flags = SA_RESTART };

	sigaction(signal, &a, NULL);
}

/* Runs in the child, before another program than the recorded one: its output has been seen, its
 * input begins where it began for the other run. */
static void
redirect(const struct record *r)
{
	int null = open("/dev/null", O_RDWR);

	if (null < 0 || dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0)
		_exit(CANNOT_EXECUTE);
	if (r->input < 0)
		dup2(null, STDIN_FILENO);
	else
		lseek(STDIN_FILENO, r->input, SEEK_SET);
	if (null > STDERR_FILENO)
		close(null);
}

/* See collect/recorder.h; heap. */
static char *
settings_of_run(const struct record *r, bool profiled)
{
	if (!profiled)
		return xstrdup("off");
	return xasprintf("%zu:%d:%u:%d:%zu:%d:%s/run%zu", r->hz, r->wall, r->events,
			 r->timer || r->sampling.ring,
			 !r->space ? 0 : r->space_every ? r->space_every : 1,
			 r->times << 1 | r->hz_asked << 2, r->directory, r->nr_runs);
}

/* Runs in the child and does not return. The user's own variables are for programs that nobody
 * records. The reason of a failure goes into the pipe. */
static void __attribute__((noreturn))
execute(const struct record *r, char **other, const char *settings, int pipe,
	const sigset_t *signals)
{
	char **arguments = other ? other : r->arguments;
	int error;

	if (other)
		redirect(r);
	unsetenv(RECORD_WATCHED);
	unsetenv("CGVIEW_OUT");
	unsetenv("CGVIEW_HZ");
	unsetenv("CGVIEW_WALL");
	unsetenv("CGVIEW_EVENTS");
	unsetenv("CGVIEW_CLOCK");
	unsetenv("CGVIEW_SPACE");
	if (!other && (r->preload || r->sampling.preload))
		setenv("LD_PRELOAD", r->preload ? r->preload : r->sampling.preload, 1);
	setenv(RECORDER_VARIABLE, settings, 1);
	if (!other)
		clang_set_environment(&r->clang, r->nr_runs);
	if (r->label)
		setenv("CGVIEW_LABEL", r->label, 1);
	sigprocmask(SIG_SETMASK, signals, NULL);
	if (!other)
		sampling_wait_at_gate(&r->sampling);
	execvp(arguments[0], arguments);
	error = errno;
	if (write(pipe, &error, sizeof(error)) < 0)
		_exit(NOT_FOUND);
	_exit(NOT_FOUND);
}

static void
cannot_run(const struct record *r, int error)
{
	if (r->nr_runs > 1)
		die(1, "%s: cannot run it any more: %s; the raw data of %zu runs is kept in %s",
		    r->arguments[0], strerror(error), r->nr_runs - 1, r->directory);
	remove_directory(r);
	start_failed(r->arguments[0], error);
}

static uint64_t
now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void
begin_samples(struct record *r, pid_t pid)
{
	char *path = sampling_path(r->directory, r->nr_runs);

	sampling_begin(&r->sampling, pid, path);
	free(path);
}

/* Returns how long it took by the clock. OTHER: run these arguments in place of the program's own.
 * While the program runs, the terminal's signals are its own affair, as under a shell; those that
 * are sent to us are passed on. They are blocked until the handlers are there, so that none is
 * lost. */
static uint64_t
run_program(struct record *r, char **other, int *status, struct rusage *usage)
{
	char *settings = settings_of_run(r, !other), *held;
	const char *label;
	sigset_t all, before;
	int fds[2], error = 0;
	uint64_t started, took;
	pid_t pid;

	if (pipe2(fds, O_CLOEXEC)) {
		error = errno;
		remove_directory(r);
		die(1, "cannot make a pipe: %s", strerror(error));
	}
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &before);
	label = r->label ? r->label : getenv("CGVIEW_LABEL");
	held = xstrndup(label ? label : "", label ? strnlen(label, RAW_LABEL_MOST) : 0);
	recorder_hold(settings, held);
	free(held);
	if (!other)
		sampling_open_gate(&r->sampling);
	started = now_ns(CLOCK_MONOTONIC);
	pid = fork();
	if (!pid)
		execute(r, other, settings, fds[1], &before);
	if (pid < 0) {
		remove_directory(r);
		die(1, "cannot start a process: %s", strerror(errno));
	}
	free(settings);
	if (!other)
		begin_samples(r, pid);
	program = pid;
	set_handler(SIGINT, finish_run);
	set_handler(SIGQUIT, finish_run);
	set_handler(SIGTERM, forward);
	set_handler(SIGHUP, forward);
	sigprocmask(SIG_SETMASK, &before, NULL);
	close(fds[1]);
	if (read(fds[0], &error, sizeof(error)) != sizeof(error))
		error = 0;
	close(fds[0]);
	while (wait4(pid, status, 0, usage) < 0 && errno == EINTR)
		;
	sampling_end(&r->sampling);
	program = 0;
	took = now_ns(CLOCK_MONOTONIC) - started;
	if (error && !other)
		cannot_run(r, error);
	return took;
}

/* ---- what it left in the background ---- */

static volatile sig_atomic_t stopped;

static void
stop_waiting(int signal)
{
	(void)signal;
	stopped = 1;
}

static void
sleep_ms(long ms)
{
	struct timespec t = { .tv_nsec = ms * 1000000 };

	nanosleep(&t, NULL);
}

/* A daemon's start is its parent's end: what counts is what it does afterwards. */
static void
wait_for_others(struct record *r)
{
	uint64_t ended = now_ns(CLOCK_MONOTONIC);
	size_t nr;
	int polls;

	set_handler(SIGINT, stop_waiting);
	set_handler(SIGTERM, stop_waiting);
	set_handler(SIGHUP, stop_waiting);
	stopped = 0;
	for (polls = 0; !stopped && (nr = living_processes(r->directory)); polls += polls < 2) {
		if (polls == 1) /* not those that are just about to end */
			complain("%zu process%s of %s still run%s in the background: waiting for "
				 "%s (interrupt to import what there is)", nr, nr > 1 ? "es" : "",
				 r->arguments[0], nr > 1 ? "" : "s", nr > 1 ? "them" : "it");
		sleep_ms(100);
	}
	no_more |= stopped;
	r->keep = stopped && living_processes(r->directory);
	if (polls)
		r->run->wall_ns += now_ns(CLOCK_MONOTONIC) - ended;
}

static int
exit_status(const struct recorded *r)
{
	return WIFSIGNALED(r->status) ? 128 + WTERMSIG(r->status) : WEXITSTATUS(r->status);
}

/* ---- several runs ---- */

/* OPTION asks for several runs, but input through a pipe can be read only once. */
static void
check_input(struct record *r, const char *option)
{
	r->input = lseek(STDIN_FILENO, 0, SEEK_CUR);
	if (r->input < 0 && errno == ESPIPE && !isatty(STDIN_FILENO))
		die(2, "%s: what comes through a pipe cannot be read twice: redirect the "
		    "standard input from a file, or from /dev/null", option);
}

static void
run_baseline(struct record *r)
{
	struct baseline *b = &r->run->baseline;
	char **other = xcalloc((size_t)r->nr_arguments + 1, sizeof(*other));

	memcpy(other, r->arguments, (size_t)r->nr_arguments * sizeof(*other));
	other[0] = (char *)r->plain;
	b->wall_ns = run_program(r, other, &b->status, &b->usage);
	b->program = r->plain;
	free(other);
}

/* Once for all runs: it finds the same in each. */
static void
run_memcheck(struct record *r)
{
	struct rusage usage;
	int status;

	if (no_more) {
		complain("stopped before memcheck");
		return;
	}
	memcheck_begin(&r->under, r->directory, r->arguments, (size_t)r->nr_arguments);
	run_program(r, r->under.arguments, &status, &usage);
	memcheck_end(&r->under, r->directory);
}

/* Makes the next run one of the next size. Sizes take turns, so that a machine that becomes slower
 * is no growth. */
static void
choose_size(struct record *r, char *const *given)
{
	const char *value = r->sweep.values[r->nr_runs % r->sweep.nr];
	const char **told = xcalloc(r->nr_kept + (size_t)r->nr_arguments + 2, sizeof(*told));
	char **arguments = xcalloc((size_t)r->nr_arguments + 1, sizeof(*arguments));
	size_t nr = 0;

	told[nr++] = "env";
	for (size_t i = 1; i < r->nr_kept; i++)
		told[nr++] = r->told[i];
	told[nr++] = xasprintf("%s=%s", r->sweep.name, value);
	for (int i = 0; i < r->nr_arguments; i++)
		told[nr++] = arguments[i] = sweep_replace(given[i], r->sweep.name, value);
	setenv(r->sweep.name, value, 1);
	r->arguments = arguments;
	r->run_told = told;
	r->nr_run_told = nr;
}

static double
seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/* How many raw files of a run are not added up. */
static size_t
most_raws(const struct record *r)
{
	return r->space ? FOLD_SPACE_FROM : FOLD_FROM;
}

/* Of a ring the samples are added to the raw files at the end; who looks on counts what each file
 * has. */
static struct folder *
start_folder(const struct record *r)
{
	const struct folder_task t = { r->directory, r->nr_runs, most_raws(r),
				       r->sampling.preload != NULL };
	bool possible = !r->clang.wanted && !r->sampling.ring && !r->watched;

	return possible ? folder_start(&t) : NULL;
}

static void
run_once(struct record *r)
{
	struct folder *folder;

	if ((r->nr_runs || r->against.other) && r->input >= 0)
		lseek(STDIN_FILENO, r->input, SEEK_SET);
	r->run = &r->runs[r->nr_runs++];
	r->run->arguments = r->run_told ? r->run_told : r->told;
	r->run->nr_arguments = r->run_told ? r->nr_run_told : r->nr_told;
	r->run->started_ns = (int64_t)now_ns(CLOCK_REALTIME);
	folder = start_folder(r);
	r->run->wall_ns = run_program(r, NULL, &r->run->status, &r->run->usage);
	wait_for_others(r);
	folder_end(folder);
	if (r->plain)
		run_baseline(r);
}

/* What was run after the last pair is left out. */
static void
run_by_turns(struct record *r)
{
	size_t kept;

	against_ran(&r->against, 0, false);
	while (against_turn(&r->against)) {
		const struct rusage *u;

		run_once(r);
		u = &r->run->usage;
		against_ran(&r->against, seconds_of(&u->ru_utime) + seconds_of(&u->ru_stime),
			    no_more);
	}
	kept = against_kept(&r->against);
	if (!kept) {
		find_raws(r);
		remove_directory(r);
		exit(1);
	}
	r->nr_runs = kept;
}

/* An interrupt, which the program gets as well, ends the series. */
static void
run_all(struct record *r)
{
	char *const *given = r->arguments;

	r->runs = xcalloc(r->nr_wanted, sizeof(*r->runs));
	if (r->against.other) {
		run_by_turns(r);
		return;
	}
	do {
		if (r->sweep.nr)
			choose_size(r, given);
		run_once(r);
	} while (!no_more && r->nr_runs < r->nr_wanted);
	if (r->nr_runs < r->nr_wanted)
		complain("stopped after %zu of %zu runs", r->nr_runs, r->nr_wanted);
}

/* Returns the status of the first run that failed; 0 when all went well. */
static int
status_of_all(const struct record *r)
{
	const struct recorded *first = NULL;
	size_t i, nr = 0;

	for (i = 0; i < r->nr_runs; i++) {
		if (!r->runs[i].status)
			continue;
		if (!nr++)
			first = &r->runs[i];
	}
	if (nr && r->nr_wanted > 1)
		complain("%zu of %zu runs failed; the first of them is run %td: %s %d", nr,
			 r->nr_runs, first - r->runs + 1,
			 WIFSIGNALED(first->status) ? "signal" : "exit",
			 WIFSIGNALED(first->status) ? WTERMSIG(first->status)
						    : WEXITSTATUS(first->status));
	return nr ? exit_status(first) : 0;
}

/* Those of the runs that are kept stand first. */
static size_t
kept_raws(const struct record *r)
{
	size_t nr = 0;

	for (size_t i = 0; i < r->nr_runs; i++)
		nr += r->runs[i].nr_raws;
	return r->against.other ? nr : r->nr_raws;
}

/* Runs that left nothing are none; they come behind the others. */
static void
drop_empty_runs(struct record *r)
{
	size_t i, n = 0;

	for (i = 0; i < r->nr_runs; i++)
		if (r->runs[i].nr_raws)
			r->runs[n++] = r->runs[i];
	if (n && n < r->nr_runs)
		complain("%zu of %zu runs left no profile", r->nr_runs - n, r->nr_runs);
	r->nr_runs = n;
}

/* ---- afterwards ---- */

static char *interrupted_text;

static void
interrupted(int signal)
{
	if (write(STDERR_FILENO, interrupted_text, strlen(interrupted_text)) < 0)
		child_end(1);
	child_end(128 + signal);
}

/* The command that makes OUTPUT of the raw files, or adds them to it; heap. */
static char *
import_command(const struct record *r, const char *output, bool adds)
{
	const char *const names[] = { output, r->directory };
	char *to = import_quote(names, 1), *from = import_quote(names + 1, 1);
	char *command = xasprintf("cgview import %s-o %s %s/*%s", adds ? "-a " : "", to, from,
				  r->suffix);

	free(to);
	free(from);
	return command;
}

/* From here on an interrupt costs nothing but the conversion. */
static void
keep_on_interrupt(const struct record *r, sigset_t *signals)
{
	static const int ends[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
	struct strbuf safe = STRBUF_INIT;
	char *command = import_command(r, r->output, r->append), *text;
	size_t i;

	text = xasprintf("cgview: interrupted; the raw data is kept, finish with: %s", command);
	free(command);
	safe_str(&safe, text);
	strbuf_char(&safe, '\n');
	interrupted_text = strbuf_take(&safe);
	free(text);
	sigemptyset(signals);
	for (i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		sigaddset(signals, ends[i]);
		set_handler(ends[i], interrupted);
	}
}

/* ---- the same without profiling ---- */

/* Better to know it before the first run than after. */
static void
check_baseline(struct record *r)
{
	char *path = find_program(r->plain);

	if (!path || access(path, X_OK))
		die(NOT_FOUND, "--baseline %s: no such program", r->plain);
	if (has_counters(path))
		die(2, "--baseline %s: it was built with cgcc, too: build it with gcc", r->plain);
	free(path);
	check_input(r, "--baseline");
}

/* ---- the browser afterwards ---- */

/* What the program reads need not be the terminal, from which the browser does. */
static int
use_terminal(const struct record *r)
{
	return r->terminal < 0 ? STDIN_FILENO : dup2(r->terminal, STDIN_FILENO);
}

/* Better to know before the first run that it has none. */
static void
check_open(struct record *r, const struct tui_options *screen)
{
	struct error err = ERROR_INIT;
	int input = -1, failed;

	if (!isatty(STDIN_FILENO))
		r->terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
	if (r->terminal >= 0) {
		input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
		use_terminal(r);
	}
	failed = tui_possible(screen, &err);
	if (input >= 0) {
		dup2(input, STDIN_FILENO);
		close(input);
	} else if (r->terminal >= 0) { /* it was closed */
		close(STDIN_FILENO);
	}
	if (failed)
		die(2, "record --open: %s", err.text);
}

/* With -a the profile has the runs as far as they got, beside those that it had: adding them again
 * would count them twice, and replacing it would lose the others. */
static void
tell_kept(const struct record *r)
{
	char *output = r->append ? xasprintf("%s.db", r->directory) : xstrdup(r->output);
	char *command = import_command(r, output, false);

	complain("the raw data is kept, %s when all has ended with: %s",
		 r->append ? "make a profile of this recording alone" : "import it again", command);
	free(command);
	free(output);
}

/* Why no profile can be made; heap. */
static char *
nothing_left(const struct record *r, int64_t started_ns)
{
	const char *const *arguments = (const char *const *)r->arguments;

	if (r->clang.wanted)
		return clang_nothing(&r->clang, r->arguments[0]);
	if (r->sampling.wanted && !raws_appeared(started_ns))
		return sampling_nothing(&r->sampling, r->pid ? NULL : r->arguments[0]);
	return left_nothing(arguments, (size_t)r->nr_arguments, started_ns, r->output);
}

/* What the kernel took in all runs. */
static uint64_t
kernel_ns(const struct record *r)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < r->nr_runs; i++)
		ns += (uint64_t)r->runs[i].usage.ru_stime.tv_sec * 1000000000 +
		      (uint64_t)r->runs[i].usage.ru_stime.tv_usec * 1000;
	return ns;
}

/* -p: what is for a program that is started cannot be asked of one that runs. */
static void
check_attach(struct record *r, bool program)
{
	if (program)
		die(2, "record -p: a process or a program, not both");
	if (r->nr_wanted > 1 || r->sweep.nr || r->plain || r->memcheck || r->space || r->wall ||
	    r->events || !r->hz)
		die(2, "record -p: of a process that runs already only the time is sampled: "
		    "leave out what is for programs that record starts");
	r->attach.pid = (pid_t)r->pid;
	attach_look(&r->attach);
	r->arguments = r->attach.words;
	r->nr_arguments = (int)r->attach.nr_words;
}

static void
run_attached(struct record *r)
{
	char *path = sampling_path(r->directory, 1);
	struct error err = ERROR_INIT;

	r->runs = xcalloc(1, sizeof(*r->runs));
	r->nr_runs = 1;
	r->attach.hz = r->hz;
	r->attach.watched = r->watched;
	if (attach_run(&r->attach, path, r->runs, &err)) {
		remove_directory(r);
		die(1, "%s", err.text);
	}
	free(path);
}

static int
make_of_raws(const struct record *r, const struct make_options *o, struct error *err)
{
	const char *const *raws = (const char *const *)r->raws;
	struct folded_runs folded;
	int made;

	if (r->format)
		return make_profile(raws, kept_raws(r), o, err);
	folded_runs_make(&folded, raws, r->runs, r->nr_runs, most_raws(r), r->directory);
	made = make_profile(folded.paths, folded.nr, o, err);
	folded_runs_release(&folded);
	return made;
}

/* From here on this process is one of both recorders. */
static void
begin_against(struct record *r)
{
	struct against *a = &r->against;

	if (!a->other)
		die(2, "record --budget: it goes with --against");
	if (r->pid || r->sweep.nr || r->plain || r->memcheck || r->append || r->open)
		die(2, "record --against: not with -a, -p, --sweep, --baseline, --memcheck or "
		    "--open");
	a->program = r->arguments;
	a->output = r->output;
	a->pairs = r->nr_wanted;
	check_input(r, "--against");
	if (against_begin(a)) {
		r->output = against_output(r->output);
		r->arguments[0] = (char *)a->other;
	}
	r->nr_wanted = MOST_RUNS;
}

int
cmd_record(int argc, char **argv)
{
	struct record r = { .output = "prof.db", .hz = NOT_ASKED, .terminal = -1,
			    .watched = getenv(RECORD_WATCHED) };
	struct destination to;
	struct make_options o = { .to = &to };
	struct tui_options screen = { .script = getenv("CGVIEW_SCRIPT") };
	struct error err = ERROR_INIT;
	int64_t started_ns;
	sigset_t hold;
	int first = options_parse(&record_command, &r, argc, argv), status, made;

	if (!first)
		return output_finish("record");
	if (first == argc && !r.pid)
		die(2, "record: which program? See cgview record --help");
	r.arguments = argv + first;
	r.nr_arguments = argc - first;
	if (r.against.other || r.against.seconds > 0)
		begin_against(&r);
	r.nr_wanted += !r.nr_wanted;
	if (r.attach.seconds && !r.pid)
		die(2, "record --seconds: for -p only: which process is to be sampled?");
	if (r.pid)
		check_attach(&r, first < argc);
	r.nr_kept = r.nr_told;
	for (int i = 0; i < r.nr_arguments; i++)
		record_add_told(&r, r.arguments[i]);
	if (r.sweep.nr) {
		sweep_check(&r.sweep, r.arguments, r.nr_arguments);
		r.nr_wanted *= r.sweep.nr;
	}
	if (r.open)
		check_open(&r, &screen);
	if (make_profile_check_room(&err) || destination_open(&to, r.output, &err))
		die(1, "%s", err.text);
	if (r.plain)
		check_baseline(&r);
	r.hz_asked = r.hz != NOT_ASKED && r.hz;
	if (r.hz == NOT_ASKED)
		r.hz = DEFAULT_HZ;
	if (r.nr_wanted > 1)
		check_input(&r, "-n");
	if (r.memcheck) {
		memcheck_check();
		check_input(&r, "--memcheck");
	}
	if (r.space)
		r.preload = space_preload(r.arguments[0]);
	if (r.clang.wanted)
		clang_check(&r.clang, (const char *const *)r.arguments, (size_t)r.nr_arguments,
			    r.pid || r.space || r.wall || r.events || r.hz_asked);
	sampling_decide(&r.sampling, (const char *const *)r.arguments,
			r.pid ? 0 : (size_t)r.nr_arguments, r.clang.wanted ? 0 : r.hz, !r.space,
			r.ring);
	r.sampling.watched = r.watched;
	raw_directory_tell_left(r.output, NULL, 0);
	r.directory = raw_directory_make(r.output, &r.hold);
	if (r.clang.wanted)
		clang_set_directory(&r.clang, r.directory);
	if (r.pid)
		run_attached(&r);
	else
		run_all(&r);
	if (r.memcheck)
		run_memcheck(&r);
	find_raws(&r);
	status = status_of_all(&r);
	started_ns = r.runs[0].started_ns;
	drop_empty_runs(&r);
	if (!r.nr_runs) {
		remove_directory(&r);
		die(status ? status : 1, "%s", nothing_left(&r, started_ns));
	}
	keep_on_interrupt(&r, &hold);
	o.append = r.append;
	o.without_texts = r.without_texts;
	o.source_paths = &r.source_paths;
	o.recorded = r.runs;
	o.nr_recorded = r.nr_runs;
	o.logs = (const char *const *)r.under.reports;
	o.nr_logs = r.under.nr_reports;
	o.hold = &hold;
	o.format = r.format;
	o.program = r.clang.program;
	o.level_note = r.against.note;
	made = make_of_raws(&r, &o, &err);
	destination_close(&to);
	if (made < 0 && err.pointless && !r.keep) {
		remove_directory(&r);
		die(status ? status : 1, "%s", r.from_samples
		    ? sampling_nothing(&r.sampling, r.pid ? NULL : r.arguments[0]) : err.text);
	}
	if (made < 0)
		die(1, "%s; the raw data is kept in %s", err.text, r.directory);
	if (r.keep)
		tell_kept(&r);
	else
		remove_directory(&r);
	if (r.from_samples)
		sampling_tell(&r.sampling, r.pid ? NULL : r.arguments[0], kernel_ns(&r));
	left_behind_tell(started_ns, r.output);
	if (r.against.other && made >= 0)
		against_written(&r.against);
	if (r.open && made <= 1 && use_terminal(&r) >= 0)
		cmd_browse(2, (char *[]){ (char *)"browse", (char *)r.output, NULL });
	return status ? status : made;
}
