/* cgview watch: what a program does, while it runs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "cmd/make/make_profile.h"
#include "cmd/make/raw_directory.h"
#include "cmd/run/attach.h"
#include "cmd/run/left_behind.h"
#include "cmd/run/record.h"
#include "cmd/run/sampler.h"
#include "cmd/run/watch_browser.h"
#include "cmd/run/watched.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/import.h"
#include "collect/raw.h"
#include "print/look.h"
#include "tui/tui.h"
#include "util/child.h"
#include "util/input.h"
#include "util/mem.h"
#include "util/text/numbers.h"

enum { SHORTEST_MS = 100, LONGEST_S = 86400 };
#define SECOND UINT64_C(1000000000)

struct options {
	const char *output;        /* NULL: not told */
	const char *by;            /* NULL: not told */
	uint64_t delay_ns;
	bool once, rate, lines, space;
	size_t limit;              /* 0: not told */
};
enum { FEW_ROWS = 10 };            /* of a look */
/* Of programs that count nothing: each look unwinds the new samples, for 70 us each. */
enum { SAMPLES_HZ = 100 };
static const char samples_hz[] = "100";

struct watch {
	const struct options *o;
	struct watched watched;
	struct live *live, *past;  /* past: the samples of programs that have counted then; NULL */
	struct live_samples samples; /* of programs that count nothing */
	pid_t recorder;            /* ours, which runs the program, or samples ATTACH.PID; 0: the
				    * program ran before, and counts */
	int pidfd;                 /* of the recorder or the program; -1: the kernel has none */
	int status;                /* of the recorder, when it has ended */
	struct attach attach;      /* the program's command; of one that ran before also its pid */
	uint64_t began_ns, looked_ns; /* CLOCK_MONOTONIC; looked_ns 0: not yet */
	bool told;                 /* why there was no look */
	bool unread;               /* what is printed cannot be written */
	bool has_ended;            /* as the browser was told */
	FILE *said;                /* what the program and the recorder print meanwhile */
};

static void
set_output(void *options, char *pattern)
{
	((struct options *)options)->output = output_option(pattern);
}

/* A number alone is seconds. */
static void
set_delay(void *options, char *text)
{
	char *end, *with_unit = NULL;
	double ns;

	strtod(text, &end);
	if (end != text && !*end)
		with_unit = xasprintf("%ss", text);
	ns = numbers_time(with_unit ? with_unit : text);
	free(with_unit);
	if (!(ns >= SHORTEST_MS * 1e6 && ns <= LONGEST_S * 1e9))
		die(2, "watch: -d %s: it is a time from 0.1 to %d seconds (2, 0.5, 500ms)", text,
		    LONGEST_S);
	((struct options *)options)->delay_ns = (uint64_t)ns;
}

static void
set_by(void *options, char *name)
{
	kind_option("watch", name, true);
	((struct options *)options)->by = name;
}

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "delay", 'd', "SECONDS", "look each so many seconds (1; at least 0.1)",
	  OPTION_CALL, .set = set_delay },
	{ "rate", 0, NULL, "what a second brought since the look before, not all\n"
	  "since the program began", OPTION_FLAG, AT(rate) },
	{ "limit", 0, "N", "N procedures in a look: those with the most time, then\n"
	  "with the most calls (10); --once: N rows (all)",
	  OPTION_NUMBER, AT(limit), .number.what = "a number of rows" },
	{ "lines", 0, NULL, "print looks, as without a terminal, where the browser opens",
	  OPTION_FLAG, AT(lines) },
	{ "space", 0, NULL, "with what is allocated and live, of PROGRAM; that of PID is\n"
	  "shown if cgview record --space runs it", OPTION_FLAG, AT(space) },
	{ "once", 0, NULL, "one look, as cgview report prints a profile", OPTION_FLAG, AT(once) },
	{ "by", 0, "WHAT", "--once: procedure (the default), line, arc, tree ..., as\n"
	  "cgview report --by", OPTION_CALL, .set = set_by },
	{ "output", 'o', "FILE", "the profile that is saved at the end (prof.db; with\n"
	  "--once PID none if it is not told)", OPTION_CALL, .set = set_output },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "watch", .usage = "watch", .width = 21, .in_order = true, .rows = option_rows,
	.head = "usage: cgview watch [-d SECONDS] [--rate] [--lines] [--limit N]\n"
		"                    [--once [--by WHAT]] [-o FILE] [--] PROGRAM [ARG...]\n"
		"       cgview watch [options] PID\n"
		"Look at the counts and times of a program built with cgcc while it runs, or by\n"
		"samples at the times of any other: one that is run, as cgview record does it, or\n"
		"one that runs already, with what it starts: on a terminal in the browser, where\n"
		"? shows all keys, else in lines. At its end, or yours (an interrupt, or you\n"
		"leave), what was seen is saved.\n",
	.tail = "",
};

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* ---- signals ---- */

static volatile sig_atomic_t stopped;
static sigset_t outside;               /* what was blocked before */
static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

static void
stop(int signal)
{
	stopped = signal;
}

/* They come only while somebody waits. */
static void
set_handlers(void)
{
	struct sigaction a = { .sa_handler = stop };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		sigaddset(&set, ends[i]);
		sigaction(ends[i], &a, NULL);
	}
	sigprocmask(SIG_BLOCK, &set, &outside);
}

/* Whoever interrupts again means it, but timeout(1) sends its signal twice at once: what comes in
 * the first 0.1 s is forgotten. */
static void
reset_handlers(void)
{
	if (stopped)
		nanosleep(&(struct timespec){ .tv_nsec = 100000000 }, NULL);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		signal(ends[i], SIG_IGN);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		signal(ends[i], SIG_DFL);
	sigprocmask(SIG_SETMASK, &outside, NULL);
}

/* ---- this program, once more ---- */

/* APART: signals that keys make are not for it, and it ends with this process. Its output goes to
 * SAID, unless that is NULL. */
static pid_t
start_self(char *const *arguments, bool apart, FILE *said)
{
	const pid_t parent = getpid();
	pid_t pid = fork();

	if (pid < 0)
		die(1, "watch: cannot start a process: %s", strerror(errno));
	if (pid)
		return pid;
	if (apart) {
		/* A terminal that is closed ends the browser, and its group alone: as leaving it
		 * does, that ends the program, which would run on unseen. */
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != parent)
			child_end(1);
		setpgid(0, 0);
	}
	if (said) {
		dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
		dup2(fileno(said), STDOUT_FILENO);
		dup2(fileno(said), STDERR_FILENO);
	}
	sigprocmask(SIG_SETMASK, &outside, NULL);
	execv("/proc/self/exe", arguments);
	complain("watch: cannot start itself once more: %s", strerror(errno));
	child_end(1);
}

/* As a shell tells it. */
static int
exit_status(int status)
{
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int
wait_for(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return exit_status(status);
}

/* ---- waiting ---- */

/* Has what is waited for ended? */
static bool
has_ended(struct watch *w)
{
	struct error ignored = ERROR_INIT;

	if (w->recorder)
		return waitpid(w->recorder, &w->status, WNOHANG) == w->recorder;
	return watched_check(&w->watched, &ignored) != 0;
}

/* An interrupt from the terminal is the program's, too, and the recorder's, unless it was started
 * apart; one that is sent to us is passed on, as record does. The end of both is ours. */
static void
pass_on(struct watch *w)
{
	bool apart = w->said || w->attach.pid;

	if (w->recorder && (apart || stopped != SIGINT))
		kill(w->recorder, apart ? SIGTERM : stopped);
	stopped = 0;
}

/* Waits until UNTIL. Returns false when the program, or the user, made an end before. */
static bool
wait_until(struct watch *w, uint64_t until)
{
	enum { STEP_MS = 100 };        /* without a descriptor */
	uint64_t now;

	while (!has_ended(w)) {
		struct pollfd p = { .fd = w->pidfd, .events = POLLIN };
		struct timespec t;
		uint64_t left;

		if (stopped && !w->recorder)
			return false;
		if (stopped)
			pass_on(w);
		now = now_ns();
		if (now >= until)
			return true;
		left = until - now;
		if (w->pidfd < 0 && left > STEP_MS * UINT64_C(1000000))
			left = STEP_MS * UINT64_C(1000000);
		t = (struct timespec){ (time_t)(left / SECOND), (long)(left % SECOND) };
		ppoll(&p, 1, &t, &outside);
	}
	return false;
}

/* ---- saving ---- */

/* Since 1970, when the first program began that counts. */
static int64_t
began_ns(const struct watched *w)
{
	struct raw_head head;

	if (!w->nr_files ||
	    input_read_at(w->files[0].fd, 0, &head, sizeof(head)) != sizeof(head))
		return 0;
	return head.started_ns < INT64_MAX ? (int64_t)head.started_ns : 0;
}

/* Makes the profile OUTPUT of what there is by now, as one run. QUIET: of a look, where nothing is
 * told. Returns as make_profile(). */
static int
save(struct watch *w, const char *output, bool quiet, struct error *err)
{
	struct recorded run = {
		.nr_raws = w->watched.nr_files, .attached = true,
		.arguments = (const char *const *)w->attach.words,
		.nr_arguments = w->attach.nr_words, .started_ns = began_ns(&w->watched),
	};
	struct destination to;
	struct make_options o = {
		.to = &to, .recorded = &run, .nr_recorded = 1, .quiet = quiet,
		.format = w->watched.nr_files ? NULL : &perf_data_format,
	};
	struct timespec now;
	char **copies = NULL, *directory;
	int status, held;

	if (destination_open(&to, output, err))
		return -1;
	if (!w->watched.nr_files) {
		run.nr_raws = 1;
		run.started_ns = w->samples.started_ns;
	}
	clock_gettime(CLOCK_REALTIME, &now);
	run.wall_ns = (uint64_t)(now.tv_sec * (int64_t)SECOND + now.tv_nsec - run.started_ns);
	directory = raw_directory_make(output, &held);
	status = watched_copy(&w->watched, directory, &copies, err);
	if (!status)
		status = make_profile((const char *const *)copies, run.nr_raws, &o, err);
	destination_close(&to);
	for (size_t i = 0; copies[i]; i++) {
		unlink(copies[i]);
		free(copies[i]);
	}
	free(copies);
	raw_directory_let_go(directory, held);
	rmdir(directory);
	free(directory);
	return status;
}

/* ---- a look ---- */

/* Tells why there is no look; once. */
static void
tell(struct watch *w, const struct error *err)
{
	if (!w->told)
		complain("%s", err->text);
	w->told = true;
}

/* Prints a profile of what there is by now. */
static int
look_once(struct watch *w)
{
	const char *by = w->o->by ? w->o->by : "procedure";
	const char *output = w->o->output ? w->o->output : DEFAULT_PROFILE;
	struct error err = ERROR_INIT;
	int held, status;
	char *directory = raw_directory_make(output, &held);
	char *path = xasprintf("%s/look.db", directory);
	char *limit = xasprintf("--limit=%zu", w->o->limit);
	char *report[] = { (char *)"cgview", (char *)"report", (char *)"--by", (char *)by, path,
			   w->o->limit ? limit : NULL, NULL };

	status = save(w, path, true, &err);
	if (status >= 0)
		status = wait_for(start_self(report, false, NULL));
	free(limit);
	unlink(path);
	free(path);
	raw_directory_let_go(directory, held);
	rmdir(directory);
	free(directory);
	if (err.pointless && !w->watched.nr_files) {
		err.set = false;
		error_set(&err, "watch: it has used no CPU time so far");
	}
	if (err.set)
		tell(w, &err);
	return status < 0 ? 1 : status;
}

/* Returns false when there is nothing to look at. A program that counts may start others, as sudo,
 * that are nobody's to look at. */
static bool
find(struct watch *w)
{
	struct error err = ERROR_INIT;

	if (watched_search(&w->watched, &err) && !w->watched.nr_files)
		tell(w, &err);
	if (w->watched.nr_files)
		return w->watched.nr_alive > 0;
	return w->recorder && watched_find_samples(&w->watched);
}

/* As long as nothing counts it is looked at by samples. -1 and ERR. */
static int
look_at(struct watch *w, struct error *err)
{
	const struct watched *of = &w->watched;

	if (of->nr_files && live_sums(w->live).sampled) {
		w->past = w->live;
		w->live = live_new();
	}
	w->samples.file = of->samples;
	return of->nr_files ? live_look(w->live, (const char *const *)of->paths, of->nr_files, err)
			    : live_look_samples(w->live, &w->samples, err);
}

static void
look(struct watch *w)
{
	struct error err = ERROR_INIT;
	const char *problem;
	uint64_t now = now_ns();
	int failed = look_at(w, &err);

	if (failed)
		tell(w, &err);
	while ((problem = live_next_problem(w->live)))
		if (!failed)
			complain("%s", problem);
	/* The first rates of a program that ran before would be those since it began. */
	if (!failed && (w->looked_ns || w->recorder || !w->o->rate)) {
		look_print(w->live, &(struct look_wanted){
			.ns = now - w->began_ns,
			.since_ns = now - (w->looked_ns ? w->looked_ns : w->began_ns),
			.rate = w->o->rate, .limit = w->o->limit ? w->o->limit : FEW_ROWS,
		});
		w->unread = output_finish("watch");
	}
	w->looked_ns = now;
}

/* Looks until the program ends, or the user wants no more. */
static int
look_on(struct watch *w)
{
	uint64_t next = w->began_ns + (w->recorder ? w->o->delay_ns : 0);
	int status = 0;

	while (!w->unread && wait_until(w, next)) {
		bool there = find(w);

		if (there && w->o->once) {
			status = look_once(w);
			next = UINT64_MAX; /* a program that we run goes on to its end */
			if (w->recorder && w->attach.pid)
				kill(w->recorder, SIGTERM);
			if (!w->recorder)
				return status;
			continue;
		}
		if (there)
			look(w);
		next += w->o->delay_ns;
		if (next < now_ns()) /* looks take longer than that */
			next = now_ns();
	}
	return status;
}

/* ---- the browser ---- */

static bool
shall_browse(const struct options *o)
{
	return !o->once && !o->lines && isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
	       !tui_possible(&(struct tui_options){ .mono = false }, NULL);
}

static int
look_again(void *watch, struct live **live, struct error *err)
{
	struct watch *w = watch;
	int status = look_at(w, err);

	*live = w->live;
	return status;
}

static bool
programs_ended(void *watch)
{
	struct watch *w = watch;

	return w->has_ended || (w->has_ended = has_ended(w));
}

/* Waits until there is something to be seen. Returns false when there will be nothing. */
static bool
wait_for_counts(struct watch *w)
{
	enum { FIRST_MS = 20, LAST_MS = 200, PATIENCE = 5 /* of the last ones */ };
	uint64_t step = FIRST_MS;
	int waits = 0;

	do {
		struct error err = ERROR_INIT;

		if (find(w) && !look_at(w, &err))
			return true;
		step = step * 5 / 4 < LAST_MS ? step * 5 / 4 : LAST_MS;
		waits += step == LAST_MS;
		if (waits == PATIENCE && !w->watched.nr_files && w->watched.samples)
			complain("watch: it has used no CPU time so far: the browser opens when "
				 "there is something to be seen; C-c ends this");
	} while (wait_until(w, now_ns() + step * UINT64_C(1000000)));
	return false;
}

/* Returns false when the programs ended before. */
static bool
browse(struct watch *w)
{
	struct watch_browser browser = {
		.watched = &w->watched, .look = look_again, .delay_ns = w->o->delay_ns,
		.output = w->o->output ? w->o->output : DEFAULT_PROFILE,
		.began_ns = w->recorder ? w->began_ns : 0, .rate = w->o->rate,
		.leaving = w->recorder && !w->attach.pid ? "ends the program" : NULL,
		.ended = programs_ended, .context = w,
	};
	struct error err = ERROR_INIT;
	bool there = wait_for_counts(w);

	browser.live = w->live;
	w->has_ended = !there && w->recorder;
	reset_handlers();
	if (there && watch_browse(&browser, &err))
		complain("%s", err.text);
	return there;
}

/* Prints what the program and the recorder have said. */
static void
repeat_said(struct watch *w, FILE *to)
{
	char bytes[4096];
	size_t n;

	rewind(w->said);
	while ((n = fread(bytes, 1, sizeof(bytes), w->said)) > 0)
		fwrite(bytes, 1, n, to);
	fclose(w->said);
	w->said = NULL;
}

/* The recorder saves the profile when its program has ended, which leaving makes it do. */
static void
end_program(struct watch *w)
{
	if (!programs_ended(w)) {
		kill(w->recorder, SIGTERM);
		while (waitpid(w->recorder, &w->status, 0) < 0 && errno == EINTR)
			;
		w->has_ended = true;
	}
	repeat_said(w, w->attach.pid ? stderr : stdout);
}

/* ---- a recorder beside it ---- */

static void
open_said(struct watch *w)
{
	w->said = tmpfile();
	if (!w->said)
		die(1, "watch: cannot make a temporary file: %s", strerror(errno));
}

/* The recorder may still sample PROGRAM, but where nobody can look. */
static void
warn_of_samples(const char *program)
{
	struct sampler_kind ignored;
	struct error err = ERROR_INIT;

	if (sampler_possible(&ignored, &err))
		complain("watch: %s was not built with cgcc, and this user may not sample it (%s): "
			 "there is nothing to look at, unless what it starts counts; sysctl "
			 "kernel.perf_event_paranoid=2, or CAP_PERFMON, lets it be sampled",
			 program, err.text);
}

/* Starts the recorder by WORDS, and watches what it runs, or samples. Returns its status. */
static int
watch_recorder(struct watch *w, char **words)
{
	const char *const *command = (const char *const *)w->attach.words;
	char *quoted = import_quote(command, w->attach.nr_words);
	struct timespec now;
	int status, looked = 0;

	clock_gettime(CLOCK_REALTIME, &now);
	w->samples = (struct live_samples){
		.command = quoted, .program = command[0], .hz = SAMPLES_HZ,
		.started_ns = now.tv_sec * (int64_t)SECOND + now.tv_nsec,
	};
	if (shall_browse(w->o))
		open_said(w);
	set_handlers();
	setenv(RECORD_WATCHED, "1", 1);
	w->recorder = start_self(words, w->said || w->attach.pid, w->said);
	w->watched.pid = w->recorder;
	w->watched.beside = true;
	w->pidfd = (int)syscall(SYS_pidfd_open, w->recorder, 0);
	if (shall_browse(w->o)) {
		browse(w);
		end_program(w);
	} else {
		looked = look_on(w);
	}
	if (w->unread && w->attach.pid)
		kill(w->recorder, SIGTERM);
	if (w->unread) /* but the program goes on */
		waitpid(w->recorder, &w->status, 0);
	status = exit_status(w->status);
	if (!w->has_ended)
		reset_handlers();
	free(quoted);
	return w->attach.pid && looked ? looked : status;
}

static int
watch_program(struct watch *w, char **arguments, int nr)
{
	const char *output = w->o->output ? w->o->output : DEFAULT_PROFILE;
	char **words = xcalloc((size_t)nr + 9, sizeof(*words));
	size_t n = 0;
	int status;

	words[n++] = (char *)"cgview";
	words[n++] = (char *)"record";
	words[n++] = (char *)"-o";
	words[n++] = (char *)output;
	if (w->o->space)
		words[n++] = (char *)"--space";
	if (!counts_something((const char *const *)arguments, (size_t)nr)) {
		warn_of_samples(arguments[0]);
		words[n++] = (char *)"-F";
		words[n++] = (char *)samples_hz;
	}
	words[n++] = (char *)"--";
	memcpy(words + n, arguments, (size_t)nr * sizeof(*words));
	w->attach.words = arguments;
	w->attach.nr_words = (size_t)nr;
	status = watch_recorder(w, words);
	free(words);
	return status;
}

/* A process that does not count. With --once nobody asks for a profile, unless it has a name. */
static int
watch_samples(struct watch *w, bool saves)
{
	const char *output = w->o->output ? w->o->output : DEFAULT_PROFILE;
	int held, status;
	char *directory = saves ? NULL : raw_directory_make(output, &held);
	char *path = saves ? xstrdup(output) : xasprintf("%s/look.db", directory);
	char *number = xasprintf("%d", w->attach.pid);
	char *words[] = { (char *)"cgview", (char *)"record", (char *)"-o", path, (char *)"-F",
			  (char *)samples_hz, (char *)"-p", number, NULL };

	if (!saves)
		open_said(w);
	status = watch_recorder(w, words);
	if (!saves) {
		if (status && !w->told)
			repeat_said(w, stderr);
		unlink(path);
		raw_directory_let_go(directory, held);
		rmdir(directory);
	}
	free(directory);
	free(path);
	free(number);
	return status;
}


/* ---- a program that runs ---- */

/* One that has just begun may not have its raw file yet. Returns false when nothing counts. */
static bool
find_first(struct watch *w, pid_t pid)
{
	enum { TRIES = 20, STEP_NS = 50000000 };
	char *program = xasprintf("/proc/%d/exe", pid);
	bool counts = has_counters(program);
	struct error err = ERROR_INIT;

	for (int i = 0; !w->watched.nr_files && i < TRIES; i++) {
		if (i)
			nanosleep(&(struct timespec){ .tv_nsec = STEP_NS }, NULL);
		if (watched_check(&w->watched, &err) ||
		    (watched_search(&w->watched, &err) && !w->watched.nr_files))
			die(1, "%s", err.text);
		if (!counts)
			break;
	}
	free(program);
	if (!w->watched.nr_files && counts)
		die(1, "watch %d: it was built with cgcc, but counts into no file", pid);
	if (!w->watched.nr_files && watched_elsewhere(pid))
		die(1, "watch %d: it has another root directory, as in a container: run cgview in "
		    "there", pid);
	return w->watched.nr_files > 0;
}

/* Starts a process that saves what there is when this one is gone without a word: a terminal that
 * is closed, or a signal, ends the browser. Returns the end of a pipe that is told otherwise; -1:
 * it could not be started. */
static int
start_saver(struct watch *w, const char *output, pid_t *saver)
{
	struct error err = ERROR_INIT;
	int pipe[2];
	char word;

	*saver = -1;
	if (pipe2(pipe, O_CLOEXEC))
		return -1;
	*saver = fork();
	if (*saver) {
		close(pipe[0]);
		return pipe[1];
	}
	close(pipe[1]);
	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++)
		signal(ends[i], SIG_IGN);
	signal(SIGQUIT, SIG_IGN);
	if (read(pipe[0], &word, 1) <= 0) {
		watched_search(&w->watched, &err);
		save(w, output, true, &err);
	}
	_exit(0);
}

static void
end_saver(int pipe, pid_t saver)
{
	ssize_t told = pipe < 0 ? 0 : write(pipe, "q", 1);

	(void)told;
	if (pipe >= 0)
		close(pipe);
	if (saver > 0)
		waitpid(saver, NULL, 0);
}

static int
watch_process(struct watch *w, pid_t pid)
{
	const char *output = w->o->output ? w->o->output : DEFAULT_PROFILE;
	bool saves = w->o->output || !w->o->once;
	struct error err = ERROR_INIT;
	struct destination to;
	int status, made, told = -1;
	pid_t saver = -1;
	bool counts;

	if (make_profile_check_room(&err) || (saves && destination_open(&to, output, &err)))
		die(1, "%s", err.text);
	if (saves)
		destination_close(&to);
	w->watched.pid = pid;
	w->attach.pid = pid;
	counts = find_first(w, pid);
	attach_look(&w->attach);
	if (!counts)
		return watch_samples(w, saves);
	set_handlers();
	w->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (shall_browse(w->o)) {
		status = 0;
		told = start_saver(w, output, &saver);
		browse(w);
	} else {
		status = look_on(w);
		reset_handlers();
	}
	if (!saves)
		return status;
	made = save(w, output, false, &err);
	/* Not before: the browser sees that the terminal is closed, and then the signal comes. */
	end_saver(told, saver);
	if (made < 0)
		die(1, "%s", err.text);
	return status ? status : made;
}

/* The number of a process; 0: WORD is a program. */
static pid_t
process_number(const char *word)
{
	unsigned long number = strtoul(word, NULL, 10);

	return !word[0] || word[strspn(word, "0123456789")] ? 0
	       : number && number <= INT_MAX ? (pid_t)number : -1;
}

int
cmd_watch(int argc, char **argv)
{
	struct options o = { .delay_ns = SECOND };
	int first = options_parse(&command, &o, argc, argv), status;
	struct watch w = { .o = &o, .pidfd = -1 };
	pid_t pid;

	if (!first)
		return output_finish("watch");
	if (first == argc)
		die(2, "watch: which program, or which process? See cgview watch --help");
	if (o.by && !o.once)
		die(2, "watch: --by goes with --once; looks that go on are by procedure");
	if (o.once && o.rate)
		die(2, "watch: --once or --rate: one look has no rate");
	pid = first + 1 == argc ? process_number(argv[first]) : 0;
	if (pid < 0)
		die(1, "watch %s: there is no such process", argv[first]);
	if (pid && o.space)
		die(2, "watch: --space goes with a program that is run; the memory of a process is "
		    "shown if cgview record --space runs it");
	w.live = live_new();
	w.began_ns = now_ns();
	status = pid ? watch_process(&w, pid) : watch_program(&w, argv + first, argc - first);
	live_free(w.live);
	if (w.past)
		live_free(w.past);
	watched_release(&w.watched);
	if (w.pidfd >= 0)
		close(w.pidfd);
	return output_finish("watch") || w.unread ? 1 : status;
}
