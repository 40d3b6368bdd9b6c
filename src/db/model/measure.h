/* Measures: what a profile has figures of. Some have columns of their own in the tables, those of
 * enum builtin_measure. Any other one is a row of the table "measure", from which its columns
 * self_NAME and total_NAME are made; its values stand in the rows' figures. */
#ifndef CGVIEW_DB_MEASURE_H
#define CGVIEW_DB_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct model;

/* How the values that a thing has in two runs, threads or copies become one. */
enum measure_combine { COMBINE_SUM, COMBINE_MAX, COMBINE_LAST, COMBINE_NONE };
/* How the total of a procedure with all that it calls is known. Measured: a tool told it, and that
 * of each arc; nothing is computed here. */
enum measure_inclusive { INCLUSIVE_NONE, INCLUSIVE_ARCS, INCLUSIVE_STACKS, INCLUSIVE_MEASURED };

struct model_measure {
	const char *name;      /* as in columns and expressions: see measure_name_is_good() */
	const char *title;     /* as shown */
	const char *unit;      /* "count", "ns", "bytes", "samples", or any other word */
	enum measure_combine combine;
	enum measure_inclusive inclusive;
	const char *formula;   /* over other measures, computed when shown; NULL: it is stored */
	bool exact;            /* else from samples */
	bool detail;           /* not among what is shown unless it is asked for */
	uint64_t period;       /* what one sample stands for; 0: varies, or there are none. With
	                        * INCLUSIVE_ARCS: what one call path stands for, at the most */
	const char *label;     /* what the tool that measured it calls it; NULL: the same */
	/* Filled by the writer from the stored figures: the sum of the procedures' self figures,
	 * and the greatest of a block and a line, for heat. */
	uint64_t total, max_block, max_line;
	double max_value;      /* greatest value of the formula over lines; 0: none is above it */
};

/* The ids of the measures with columns of their own. */
enum builtin_measure {
	MEASURE_COUNT = 1, MEASURE_TIME, MEASURE_WAIT, MEASURE_CENTRE,
	MEASURE_CALLS,         /* of procedures; their executions in expressions and formulas */
	MEASURE_WORK,          /* blocks that a procedure executed; with those of what it called */
};
enum {
	NR_BUILTIN_MEASURES = MEASURE_WORK,
	MEASURES_MAX = 24,     /* of the others */
	MEASURE_NAME_MAX = 32,
};

extern const struct model_measure builtin_measures[NR_BUILTIN_MEASURES];

/* Figures of rows that are no measures, with ids behind those of all measures. */
enum {
	MEASURE_SAMPLES = NR_BUILTIN_MEASURES + MEASURES_MAX + 1,
	MEASURE_CODE,          /* bytes of machine code */
	NR_ROW_FIGURES,        /* 0 is none's */
};

/* By id, the names of the columns of these and of builtin measures: of self and of total figures,
 * in the tables that have them; NULL: no table has. */
extern const char *const builtin_columns[NR_ROW_FIGURES][2];

/* The values of the other measures for one row, which has a pointer to them: NULL, until the first
 * one is set. The position of a measure in the model's array is its slot; its id in a profile is
 * its position, from 1 on, plus NR_BUILTIN_MEASURES. Only what was set takes room: bit SLOT of HAS
 * says that there is a self figure, bit MEASURES_MAX + SLOT a total, and the values stand in the
 * order of the bits. Where one more has no room, all move to where there is room for twice as many,
 * in the same arena. */
struct figures {
	uint64_t has;
	int64_t values[];
};
_Static_assert(2 * MEASURES_MAX <= 64, "all figures of a row have bits");

/* Returns the self, or TOTAL, figure of the measure in SLOT; 0: F (or NULL) has none. */
static inline int64_t
figures_get(const struct figures *f, bool total, unsigned slot)
{
	uint64_t bit = (uint64_t)1 << (total ? MEASURES_MAX + slot : slot);

	return f && f->has & bit ? f->values[__builtin_popcountll(f->has & (bit - 1))] : 0;
}

/* Sets it, in ARENA. A figure of 0 takes no room, unless there was another one. */
void figures_set(struct arena *arena, struct figures **at, bool total, unsigned slot,
		 int64_t value);

/* The measures of a profile except the builtin ones; their names are good. */
struct measures {
	const struct model_measure *items;
	size_t nr;
	uint32_t version;      /* of the profile's format: it tells, too, which tables there are */
};

/* A formula's value as a figure: figures are in the order of their values. 0 says that there is no
 * value, or none above 0. */
int64_t figure_of_value(double value);
double value_of_figure(int64_t figure);

/* Returns a figure without its sign: rows are sorted and coloured by that. */
static inline uint64_t
figure_size(int64_t figure)
{
	return figure < 0 ? -(uint64_t)figure : (uint64_t)figure;
}

/* Is NAME good? It has lower-case letters, digits and '_', a letter first, at most MEASURE_NAME_MAX
 * bytes, and makes no column that every profile has. */
bool measure_name_is_good(const char *name);

/* Makes a good name of the one that a tool has: "L1-dcache-loads:u" is l1_dcache_loads_u, "samples"
 * event_samples. */
void measure_identifier(const char *label, char name[MEASURE_NAME_MAX + 1]);

/* Do sampled call paths divide its figures, which are counted? Then contexts have shares of them,
 * and its period is what a path stands for. */
bool measure_has_paths(const struct model_measure *measure);

/* Are its figures lower bounds? They are if they are the greatest seen at samples, or if some work
 * was not counted (blocks that lack runs of loops). */
bool measure_is_least(const struct model_measure *measure);

/* Adds a measure, with copies of its texts, unless one of that name, unit and way to combine is
 * there; that one is then exact only if both are, and keeps its period only if both have it.
 * Returns the slot; -1: there are MEASURES_MAX, or one of that name differs, or the name is bad. */
int measure_add(struct model *m, const struct model_measure *measure);

/* Sums stop at INT64_MAX, and at what is as far below 0. */
int64_t measure_combine(enum measure_combine how, int64_t a, int64_t b);
/* The same for two figures of one thing, where 0 says nothing. */
int64_t figure_combine(enum measure_combine how, int64_t a, int64_t b);

/* Combines VALUE of the measure in SLOT into *AT, of a row of M. A value of 0 says nothing. */
void figure_self(struct model *m, struct figures **at, unsigned slot, int64_t value);
void figure_total(struct model *m, struct figures **at, unsigned slot, int64_t value);

/* Combines all of FROM (or NULL), figures of a model whose slot S is slot SLOTS[S] in M, into
 * *AT. */
void figures_combine(struct model *m, struct figures **at, const struct figures *from,
		     const unsigned slots[MEASURES_MAX]);

/* The same of two rows of M, where INTO (or NULL) takes over FROM (or NULL). */
void figures_unite(struct model *m, struct figures **into, struct figures *from);

/* Adds the measures that INTO lacks from FROM, and sets SLOTS to where FROM's are in INTO. Returns
 * false when INTO has no room, or another measure of the name *NAME. */
bool measures_unite(struct model *into, const struct model *from, unsigned slots[MEASURES_MAX],
		    const char **name);

#endif
