/* Inside record: what the command line asks for, and what is known of the runs. */
#ifndef CGVIEW_CMD_RECORD_H
#define CGVIEW_CMD_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cmd/make/make_profile.h"
#include "cmd/run/against.h"
#include "cmd/run/attach.h"
#include "cmd/run/clang.h"
#include "cmd/run/memcheck.h"
#include "cmd/run/sampling.h"
#include "cmd/run/sweep.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/source_paths.h"
#include "util/options.h"

enum { DEFAULT_HZ = 1000, MOST_HZ = 10000, MOST_RUNS = 10000 };
#define NOT_ASKED SIZE_MAX
#define RECORD_WATCHED "CGVIEW_WATCHED"

struct record {
	const char *output;
	size_t hz;                 /* samples a second */
	uint32_t events;           /* as in collect/events.h */
	bool append, wall, space, times, without_texts;
	bool hz_asked;             /* -F, and not 0 */
	struct source_paths source_paths;
	size_t space_every;        /* bytes; as in collect/recorder.h */
	bool timer, ring;          /* --clock timer, ring */
	char **arguments;
	int nr_arguments;
	const char **told;         /* these; behind `env NAME=VALUE` if any are kept */
	size_t nr_told, told_alloc;
	char *directory;           /* private, for the raw files */
	int hold;                  /* that tells that its recorder lives */
	char **raws;
	size_t nr_raws, raws_alloc;
	bool keep;                 /* the raw files may still grow */
	bool watched;              /* by cgview watch, which has set RECORD_WATCHED */
	size_t nr_wanted;          /* -n, of each size */
	struct sweep sweep;
	const char **run_told;     /* of the next run of a sweep; NULL: TOLD, of all */
	size_t nr_run_told;
	size_t nr_kept;            /* of TOLD: what stands before the program's own words */
	struct recorded *runs;     /* those that were made */
	size_t nr_runs;
	struct recorded *run;      /* the one at hand */
	const char *plain;         /* --baseline, NULL */
	const char *label;         /* of the runs; NULL: that of the environment */
	bool memcheck, open;       /* open: browse the profile then */
	int terminal;              /* to read from then; -1: the standard input is one */
	struct memcheck under;     /* what --memcheck runs, and its reports */
	struct sampling sampling;
	size_t pid;                /* -p; 0: a program is started */
	struct attach attach;
	struct against against;    /* --against: this process records one of both */
	struct clang clang;
	bool from_samples;         /* RAWS are those, of this format: nobody counted */
	const struct foreign_format *format;
	const char *suffix;        /* of the names of RAWS */
	const char *preload;       /* --space: what LD_PRELOAD is to be; NULL */
	off_t input;               /* where standard input was, -1: cannot be read again */
};

extern const struct option_table record_command;
void record_add_told(struct record *r, const char *word);

#endif
