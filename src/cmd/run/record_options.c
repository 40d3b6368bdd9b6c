#include "cmd/run/record.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/common_options.h"
#include "cmd/run/event_option.h"
#include "cmd/run/space_option.h"
#include "collect/raw.h"
#include "collect/recorder.h"
#include "util/mem.h"

static void
set_output(void *record, char *pattern)
{
	((struct record *)record)->output = output_option(pattern);
}

static void
add_events(void *record, char *list)
{
	((struct record *)record)->events |= event_option(list);
}

static void
set_space_every(void *record, char *bytes)
{
	((struct record *)record)->space_every = space_every_option(bytes);
	((struct record *)record)->space = true;
}

static void
set_clock(void *record, char *which)
{
	struct record *r = record;

	r->timer = !strcmp(which, "timer");
	r->ring = !strcmp(which, "ring");
	if (!r->timer && !r->ring && strcmp(which, "auto"))
		die(2, "--clock %s: it is auto, timer or ring", which);
}

static void
set_space(void *record, char *what)
{
	struct record *r = record;

	if (what && strcmp(what, "times"))
		die(2, "--space=%s: it is times, or nothing", what);
	r->space = true;
	r->times |= what != NULL;
}

void
record_add_told(struct record *r, const char *word)
{
	GROW(r->told, r->nr_told + 1, r->told_alloc);
	r->told[r->nr_told++] = word;
}

/* Environments hold secrets: only what is asked for is kept. */
static void
keep_variable(void *record, char *name)
{
	struct record *r = record;
	const char *value = getenv(name);

	if (!*name || strchr(name, '='))
		die(2, "--keep-env %s: it is the name of a variable", name);
	if (!value) {
		complain("--keep-env %s: there is no such variable in the environment: nothing is "
			 "kept of it", name);
		return;
	}
	if (!r->nr_told)
		record_add_told(r, "env");
	record_add_told(r, xasprintf("%s=%s", name, value));
}

static void
set_label(void *record, char *text)
{
	if (strlen(text) > RAW_LABEL_MOST)
		die(2, "--label: it has more than %d bytes", RAW_LABEL_MOST);
	((struct record *)record)->label = text;
}

static void
set_sweep(void *record, char *text)
{
	sweep_set(&((struct record *)record)->sweep, text);
}

static void
add_source_path(void *record, char *value)
{
	source_path_option(&((struct record *)record)->source_paths, value);
}

static void
set_budget(void *record, char *text)
{
	struct record *r = record;

	r->against.seconds = against_budget(text);
	if (r->against.seconds == 0)
		die(2, "--budget %s: it is a time, as 60s or 5m", text);
}

#define AT(member) .offset = offsetof(struct record, member)
static const struct option_row option_rows[] = {
	{ "append", 'a', NULL, "add to the profile that is there: several runs of one\n"
	  "build",
	  OPTION_FLAG, AT(append) },
	{ "output", 'o', "FILE",
	  "write the profile to FILE (prof.db; one that is there is\n"
	  "kept as FILE.old); in it %p is the process, %h the host,\n"
	  "%r the rank, %q{NAME} a variable, %% a percent sign", OPTION_CALL, .set = set_output },
	{ "runs", 'n', "RUNS",
	  "run it so many times, one after the other; each run is\n"
	  "kept, and times have a spread; the exit status is\n"
	  "the one of the first run that failed",
	  OPTION_NUMBER, AT(nr_wanted), .number = { .least = 1, .most = MOST_RUNS } },
	{ "against", 0, "OTHER",
	  "run OTHER and PROGRAM by turns, in random order, into two\n"
	  "profiles: FILE, and FILE.base of OTHER (prof.base.db), to\n"
	  "compare them; -n pairs of runs, or until it is clear how\n"
	  "they differ (3, 5, 10 or 20)", OPTION_TEXT, AT(against.other) },
	{ "budget", 0, "TIME",
	  "--against for so long (60s, 5m)", OPTION_CALL, .set = set_budget },
	{ "sweep", 0, "NAME=N,M...",
	  "run it with each of these sizes for {NAME} in its arguments,\n"
	  "and in the variable NAME: a series in one profile, which\n"
	  "cgview diff --series and the browser tell the growth of",
	  OPTION_CALL, .set = set_sweep },
	{ "frequency", 'F', "HZ",
	  "samples a second of CPU time, whatever they take (if not\n"
	  "given up to 1000, see cgview-measures(7)); 0: counts only",
	  OPTION_NUMBER, AT(hz), .number = { .most = MOST_HZ } },
	{ "event", 'e', "EVENTS",
	  "also events of the kernel, with commas between them:\n"
	  "page-faults, ... (list: tell which there are)",
	  OPTION_CALL, .set = add_events },
	{ "pid", 'p', "PID", "sample a process that runs already, all its threads and\n"
	  "what they start, until it ends or an interrupt comes",
	  OPTION_NUMBER, AT(pid), .number = { .least = 1, .most = INT_MAX } },
	{ "seconds", 0, "N", "-p for so many seconds", OPTION_NUMBER, AT(attach.seconds),
	  .number = { .least = 1, .most = 1000000 } },
	{ "clock", 0, "WHICH",
	  "timer: sample time by timers only; auto, the default: also\n"
	  "by a perf event, if the kernel permits that, and use\n"
	  "the one that is right; ring: record takes the event's\n"
	  "samples, which costs the program less", OPTION_CALL, .set = set_clock },
	{ "wall", 0, NULL, "also where threads wait", OPTION_FLAG, AT(wall) },
	{ "space", 0, "times",
	  "also who allocates memory: each call of malloc and its\n"
	  "kin, bytes, and what is never freed; times: and how\n"
	  "long blocks live, in time",
	  OPTION_CALL, .set = set_space, .optional = true },
	{ "space-every", 0, "BYTES",
	  "--space with a call path for each so many bytes, on\n"
	  "average (524288); 0: without call paths", OPTION_CALL, .set = set_space_every },
	SOURCES_OPTION(AT(without_texts)),
	SOURCE_PATH_OPTION(.set = add_source_path),
	DEBUG_DIR_OPTION,
	{ "keep-env", 0, "NAME", "keep this variable of the environment beside the command\n"
	  "(a size of the input, say); nothing else of it is kept",
	  OPTION_CALL, .set = keep_variable },
	{ "label", 0, "TEXT", "what the runs are called (a variant, a load)",
	  OPTION_CALL, .set = set_label },
	{ "baseline", 0, "PLAIN",
	  "then run PLAIN, the same program built without cgcc, with\n"
	  "the same arguments and its output thrown away, to tell\n"
	  "what profiling costs", OPTION_TEXT, AT(plain) },
	{ "memcheck", 0, NULL,
	  "then run it once more under valgrind, with its output\n"
	  "thrown away, for the errors that memcheck finds",
	  OPTION_FLAG, AT(memcheck) },
	{ "clang", 0, NULL, "take the counts of a program that clang built with\n"
	  "-fprofile-instr-generate -fcoverage-mapping", OPTION_FLAG, AT(clang.wanted) },
	{ "open", 0, NULL, "then browse the profile", OPTION_FLAG, AT(open) },
	{ .name = NULL },
};

const struct option_table record_command = {
	.command = "record", .usage = "record", .width = 22, .in_order = true, .rows = option_rows,
	.head = "usage: cgview record [-a] [-o FILE] [-n RUNS] [-F HZ] [-e EVENTS]\n"
		"                     [--against OTHER] [--budget TIME] [--sweep NAME=N,M...]\n"
		"                     [--clock WHICH] [--wall] [--space[=times]]\n"
		"                     [--space-every BYTES] [--sources WHICH]\n"
		"                     [--source-path OLD=NEW|DIR] [--debug-dir DIR]\n"
		"                     [--keep-env NAME]\n"
		"                     [--label TEXT] [--baseline PLAIN] [--memcheck]\n"
		"                     [--clang] [--open] [--] PROGRAM [ARG...]\n"
		"       cgview record -p PID [--seconds N] [-a] [-o FILE] [-F HZ] [--open]\n"
		"Run a program and profile it. If it was built with cgcc it is counted exactly;\n"
		"of any other one the time is sampled. The exit status is the program's.\n",
	.tail = "",
};
