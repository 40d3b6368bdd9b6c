/* The browser as the commands see it. */
#ifndef CGVIEW_TUI_TUI_H
#define CGVIEW_TUI_TUI_H

#include <stdbool.h>
#include <stdio.h>

#include "compare/comparison.h"
#include "db/model.h"
#include "db/profile.h"
#include "flow/flow.h"
#include "util/error.h"

struct config;

enum tui_background { TUI_ASK, TUI_DARK, TUI_LIGHT };

/* How arcs that the counts leave open are turned; the caller's. Contracts as in dial.h: -1 and the
 * error, and the dial can only be closed; turn: 1 when that count is not possible. */
struct dial;
struct tui_dial_ops {
	struct dial *(*open)(const char *path, struct error *err);
	void (*close)(struct dial *d);
	const struct model *(*model)(const struct dial *d);
	int (*interval)(struct dial *d, model_id arc, uint64_t *lo, uint64_t *hi,
			struct error *err);
	int (*turn)(struct dial *d, const char *name, model_id arc, uint64_t count,
		    struct error *err);
	int (*let_go)(struct dial *d, model_id arc, struct error *err);
	int (*let_go_all)(struct dial *d, const char *name, struct error *err);
	int (*estimator)(struct dial *d, enum flow_estimator estimator, struct error *err);
	const struct model_pin *(*pin)(const struct dial *d, model_id arc);
	bool (*changed)(const struct dial *d);
	/* Write the pins into the profile at PATH; on -1 the dial is still good. */
	int (*save)(struct dial *d, const char *path, struct error *err);
};

/* What would record the first run of a profile once more, in the same place. */
struct tui_again {
	char **arguments;    /* to be executed; heap, ends with NULL */
	char *directory;     /* heap */
	char *kept;          /* what the old profile will be called; heap */
	char *remark;        /* what should be known before; heap or NULL */
	char *foreign;       /* why it does not seem to be from here; heap, NULL: it does */
	size_t first;        /* of ARGUMENTS, which is the command's first word */
};
void tui_again_release(struct tui_again *again);
/* -1 and ERR: it cannot be run again, *AGAIN is empty. */
typedef int tui_again_function(struct profile *p, struct tui_again *again, struct error *err);

/* Only some threads of a profile, as another one; the caller's. As subset_open() in subset.h. */
struct tui_thread_ops {
	struct profile *(*open)(const char *path, const bool *keep, size_t nr,
				void (*progress)(double), struct error *err);
};

/* Profiles that are compared with the one that is browsed, which is the last of them. */
struct tui_compare {
	struct profile *const *profiles; /* stay open */
	size_t nr;
	struct comparison *comparison;   /* of these; the browser closes it */
	const char *expression;          /* NULL: the default */
	struct comparison_options options; /* what it points to stays */
	bool series;                     /* runs on larger and larger inputs: options.sizes */
};

struct tui_options {
	enum tui_background background;
	bool mono;
	const struct config *config;     /* see tui/config.h: of the user */
	const char *script;  /* file of keys to play instead of a terminal, or NULL */
	tui_again_function *again;       /* NULL: nothing can be run again */
	const struct tui_dial_ops *dial; /* NULL: nothing can be turned */
	const struct tui_thread_ops *threads; /* NULL: all are always shown */
	const struct tui_compare *compare; /* NULL: nothing but what is stored in the profile */
};

/* Can the browser run here? -1 and ERR: no terminal, or one that it cannot use. Called before the
 * profile is opened, so that the answer comes at once. */
int tui_possible(const struct tui_options *options, struct error *err);

/* Browse *PROFILE until the user leaves; it is another one then if pins were saved. -1 and ERR: the
 * terminal could not be set up, or a step of the script failed. */
int tui_browse(struct profile **profile, const struct tui_options *options, struct error *err);

/* Print the keys in force, as a configuration file has them; complain of each line that is wrong.
 * -1 if there is one. */
int tui_print_keys(const struct config *config, FILE *out);

#endif
