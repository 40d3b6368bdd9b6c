/* Profiles in which each line has costs of several events, and each call what it cost with all that
 * it led to, as callgrind's have. A reader adds one line after another; costs_finish() makes a
 * model of them. Memory is bounded by what is told apart, and not by the file. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_COSTS_COSTS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_COSTS_COSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "db/model/model.h"
#include "util/error.h"
#include "util/keys.h"

/* Rows of costs: VALUES has as many for each row as there is room for events. */
struct cost_values { uint64_t *values; size_t nr, alloc; };

/* A function as the file names it: each level of its recursion, and each context that it was called
 * in, is one of its own. Its key: the numbers of its object, file and name; so is a procedure's. */
struct cost_function {
	uint32_t procedure;        /* that it is a level or context of */
	bool deeper;               /* a level of recursion below the first */
	uint64_t calls;
};

struct cost_event {
	const char *name;          /* the tool's */
	const char *title;         /* NULL: it has none */
	const char *formula;       /* in terms of other events; NULL: it was measured */
};
struct cost_thread { uint64_t pid, thread; };

struct costs {
	struct arena arena;
	const char **texts;        /* 0: unknown */
	size_t nr_texts, texts_alloc;
	struct index text_index;
	struct keys functions, procedures;
	struct keys lines;         /* procedure, file, line (0: not known) */
	struct keys calls;         /* calling function, file, line, called function */
	struct cost_event events[MEASURES_MAX], formulas[MEASURES_MAX];
	unsigned nr_events, nr_formulas, room;
	struct cost_function *function;
	size_t function_alloc;
	uint32_t *first_line;      /* of procedures: that calls go to; 0: not known */
	size_t first_line_alloc;
	uint64_t *count;           /* of calls */
	size_t count_alloc;
	struct cost_values of_functions, of_lines, of_calls;
	struct cost_thread *threads;
	size_t nr_threads, threads_alloc;
	const char *tool, *command; /* NULL: not known */
	bool saturated;            /* a number was too great */
};

void costs_init(struct costs *c);
void costs_release(struct costs *c);

/* Returns the number of a text of LENGTH bytes, which ends at a NUL in it; "???" is unknown. */
uint32_t costs_text(struct costs *c, const char *text, size_t length);

/* Returns the number of the event NAME; -1: there are MEASURES_MAX others. */
int costs_event(struct costs *c, const char *name, size_t length);
/* Notes what the event NAME is, with copies of the texts. */
struct cost_description { const char *formula, *title; /* NULL: none */ };
void costs_describe(struct costs *c, const char *name, size_t length,
		    const struct cost_description *as);

uint32_t costs_function(struct costs *c, uint32_t object, uint32_t file, uint32_t name);

/* These return the values to which the costs are to be added, by event; valid until more is
 * added. LINE 0: not known. */
uint64_t *costs_of_function(struct costs *c, uint32_t function);
uint64_t *costs_of_line(struct costs *c, uint32_t function, uint32_t file, uint32_t line);
/* COUNT calls are added to what is there. LINE of the called: where it begins. */
struct cost_called { uint32_t function, line; uint64_t count; };
uint64_t *costs_of_call(struct costs *c, uint32_t caller, uint32_t file, uint32_t line,
			const struct cost_called *called);

void costs_thread(struct costs *c, uint64_t pid, uint64_t thread);

/* Adds up to INT64_MAX, and notes what does not fit. */
void costs_add(struct costs *c, uint64_t *to, uint64_t value);

/* What procedures and calls cost once for each stack, though calls within recursion are within
 * others. */
struct cost_totals {
	uint64_t *of_procedures;   /* with all that they called: C->room values each */
	bool *nested;              /* of calls: others of the two may be within it */
};
struct cost_totals *costs_totals(struct costs *c);
void cost_totals_free(struct cost_totals *t);

/* Makes a model of all. PATH: the profile, for messages; ST: of it. -1 and ERR: there is nothing
 * to show. */
int costs_finish(struct costs *c, const char *path, const struct stat *st, struct model *m,
		 struct error *err);

#endif
