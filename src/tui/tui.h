/* The browser as the commands see it. */
#ifndef CGVIEW_TUI_TUI_H
#define CGVIEW_TUI_TUI_H

#include <stdbool.h>
#include <stdio.h>

#include "collect/import/live/live_shown.h"
#include "compare/comparison.h"
#include "db/store/profile.h"
#include "util/error.h"

struct config;

enum tui_background { TUI_ASK, TUI_DARK, TUI_LIGHT };

/* The command that would record the first run of a profile once more, in the same place. */
struct tui_again {
	char **arguments;    /* to be executed; heap, ends with NULL */
	char *directory;     /* heap */
	char *kept;          /* what the old profile will be called; heap */
	char *remark;        /* what should be known before; heap or NULL */
	char *foreign;       /* why it seems to be from elsewhere; heap, NULL: it does not */
	size_t first;        /* index in ARGUMENTS of the command's first word */
};
void tui_again_release(struct tui_again *again);
/* Fills *AGAIN. Returns -1 and ERR, with *AGAIN empty, when P cannot be run again. */
typedef int tui_again_function(struct profile *p, struct tui_again *again, struct error *err);

/* Profiles that are compared with the one that is browsed, which is the last of them. */
struct tui_compare {
	struct profile *const *profiles; /* which stay open */
	size_t nr;
	struct comparison *comparison;   /* of these; the browser closes it */
	const char *expression;          /* NULL: the default */
	struct comparison_options options; /* what it points to stays */
	bool series;                     /* runs on larger and larger inputs: options.sizes */
};

/* Programs that are watched: the profile has their tables, figures come with each look. */
struct tui_live {
	struct live_shown *shown;
	uint64_t delay_ns;               /* between two looks */
	bool has_begun;                  /* just now: that it took no time says nothing */
	void *context;
	/* Looks, and takes the look over. Returns false when the programs have ended; that look is
	 * the last one. Runs as a job. */
	bool (*look)(void *context);
	/* Stores the tables as they are after that, in a thread of its own, while nothing looks. -1
	 * and ERR. */
	int (*store)(void *context, struct error *err);
	/* Opens what was stored; figures are of these tables from now on. NULL and ERR. */
	struct profile *(*take)(void *context, struct error *err);
	/* What leaving does, that should be known before ("ends the program"); NULL: nothing. */
	const char *(*leaving)(void *context);
};

struct tui_options {
	enum tui_background background;
	bool mono;
	const struct config *config;     /* the user's, see tui/keys/config.h */
	const char *script;  /* file of keys to play instead of a terminal, or NULL */
	tui_again_function *again;       /* NULL: nothing can be run again */
	const struct tui_compare *compare; /* NULL: only what is stored in the profile */
	const struct tui_live *live;     /* NULL: the profile's figures stay what they are */
};

/* Can the browser run here? Returns -1 and ERR when there is no terminal that it can use. Called
 * before the profile is opened, so that the answer comes at once. */
int tui_possible(const struct tui_options *options, struct error *err);

/* Browses *PROFILE until the user leaves; it is another one then if pins were saved. Returns -1 and
 * ERR when the terminal could not be set up, or a step of the script failed. */
int tui_browse(struct profile **profile, const struct tui_options *options, struct error *err);

struct browser;
/* The same for COMPARE, on the screen of OUTER and with its keys. */
void tui_browse_within(const struct browser *outer, struct profile **profile,
		       const struct tui_compare *compare);

/* A screen to be printed. */
struct tui_print {
	const char *screen;  /* an action that shows something, and of what: "source:NAME" */
	int rows, columns;
	bool svg;            /* else text with colours */
};
/* Writes it to OUT, without a terminal. Returns -1 and ERR when there is no such screen, or the
 * profile has not what it shows; nothing is written then. */
int tui_print(struct profile **profile, const struct tui_options *options,
	      const struct tui_print *print, FILE *out, struct error *err);

/* Browses *PROFILE without a terminal: lines of IN are keys, actions and commands, and after each
 * one the view is written to OUT as it is on a screen of SIZE, in ASCII. Until the user leaves, IN
 * ends, or OUT cannot be written. Returns as tui_print(). */
int tui_lines(struct profile **profile, const struct tui_options *options,
	      const struct tui_print *size, FILE *in, FILE *out, struct error *err);

/* Prints the keys in force, as a configuration file has them; complains of each wrong line. Returns
 * -1 if there is one. */
int tui_print_keys(const struct config *config, FILE *out);

#endif
