/* Measures: what a profile has figures of. Four have columns of their own in the tables:
 * executions, time, waiting, and time by cost centre. Any other one is a row of the table
 * "measure", from which its columns self_NAME and total_NAME are made; its values stand in the
 * rows' figures. */
#ifndef CGVIEW_DB_MEASURE_H
#define CGVIEW_DB_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct model;

/* How the values of a thing in two runs, threads or copies become one. */
enum measure_combine { COMBINE_SUM, COMBINE_MAX, COMBINE_LAST, COMBINE_NONE };
/* How the total of a procedure with all it calls is known. */
enum measure_inclusive { INCLUSIVE_NONE, INCLUSIVE_ARCS, INCLUSIVE_STACKS };

struct model_measure {
	const char *name;      /* as in columns and expressions: see measure_name_is_good() */
	const char *title;     /* as people are told */
	const char *unit;      /* "count", "ns", "bytes", "samples", or any other word */
	enum measure_combine combine;
	enum measure_inclusive inclusive;
	const char *formula;   /* over other measures, computed when shown; NULL: it is stored */
	bool exact;            /* else from samples */
	uint64_t period;       /* what one sample stands for; 0: varies, or there are none */
	/* Filled by the writer, of what is stored: the procedures' self figures as one, and the
	 * greatest there are, for heat. */
	uint64_t total, max_block, max_line;
};

/* The ids of those with columns of their own. */
enum builtin_measure { MEASURE_COUNT = 1, MEASURE_TIME, MEASURE_WAIT, MEASURE_CENTRE };
enum {
	NR_BUILTIN_MEASURES = MEASURE_CENTRE,
	MEASURES_MAX = 16,     /* others */
	MEASURE_NAME_MAX = 32,
};

extern const struct model_measure builtin_measures[NR_BUILTIN_MEASURES];

/* The values of the other measures for one thing, in the order of the model's array: a measure's
 * position there is its slot. In a profile its id is NR_BUILTIN_MEASURES more than the position
 * from 1 on. */
struct figures { uint64_t self[MEASURES_MAX], total[MEASURES_MAX]; };

/* Those of a profile but the builtin ones; their names are good. */
struct measures {
	const struct model_measure *items;
	size_t nr;
};

/* Lower-case letters, digits and '_', a letter first, not longer than MEASURE_NAME_MAX: part of the
 * names of columns, which may not be there in every profile. */
bool measure_name_is_good(const char *name);

/* Add a measure unless there is one of that name, unit and way to combine, which then is exact only
 * if both are, and has a period only if it is that of both. Returns its slot; -1: there are
 * MEASURES_MAX already, one of that name is another one, or the name is not good. Texts are
 * copied. */
int measure_add(struct model *m, const struct model_measure *measure);

uint64_t measure_combine(enum measure_combine how, uint64_t a, uint64_t b);
/* Likewise of two figures of one thing: 0 says nothing. */
uint64_t figure_combine(enum measure_combine how, uint64_t a, uint64_t b);

/* Combine VALUE of measure number SLOT into *AT, of a row of M: the figures are made when they are
 * first wanted. A value of 0 says nothing. */
void figure_self(struct model *m, struct figures **at, unsigned slot, uint64_t value);
void figure_total(struct model *m, struct figures **at, unsigned slot, uint64_t value);

/* Combine all of FROM (or NULL), figures of another model whose slot S is slot SLOTS[S] in M, into
 * *AT. */
void figures_combine(struct model *m, struct figures **at, const struct figures *from,
		     const unsigned slots[MEASURES_MAX]);

/* Where FROM's measures are in INTO, which gets those that it lacks. False: it has no room, or has
 * another one of that name, *NAME. */
bool measures_unite(struct model *into, const struct model *from, unsigned slots[MEASURES_MAX],
		    const char **name);

#endif
