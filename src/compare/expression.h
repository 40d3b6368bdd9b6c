/* Expressions are computed of corresponding things in several profiles: SQL scalar ones over the
 * figures of the profiles a, b, .. z, p27 .., as in `b.count - 2 * a.count`.
 *
 *   a.count  b.self_ns     figures of the thing: enum figure, by the names of cgview-db(5); without
 *                          a value (NULL) in a profile that does not have the measure
 *   b."cpu(ms)"            one that another tool has measured, by its name there
 *   a.run.count            totals of the profile: enum run_figure
 *   ratio(x, y)  share(x, total)  growth(x, y)  significance(x, y)
 *
 * Conditions also know thresholds: slower(5%, 1ms), dearer(5%), more_work(2%), more_bytes(1kB),
 * unresolved(5%).
 *
 * x / y is a real number, also of whole ones. growth() takes the sizes of the profiles that its
 * arguments are from; significance() takes two plain sampled figures. All scalar functions of
 * SQLite may be called. */
#ifndef CGVIEW_COMPARE_EXPRESSION_H
#define CGVIEW_COMPARE_EXPRESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/sides.h"
#include "compare/threshold.h"
#include "db/store/bulk.h"
#include "db/store/scalar.h"
#include "util/error.h"

enum { MAX_EXPRESSION = 1000, MAX_REFERENCES = 60 };

enum run_figure {
	RUN_COUNT, RUN_CALLS, RUN_SELF_NS, RUN_SELF_SAMPLES, RUN_CPU_NS, RUN_USER_NS,
	RUN_SYSTEM_NS, RUN_WALL_NS, RUN_WAIT_NS, RUN_RUNS, RUN_SIZE, NR_RUN_FIGURES
};

/* Names as they stand behind `a.run.`, as those of figure_name() behind `a.`. */
const char *run_figure_name(enum run_figure f);

/* One profile as an expression sees it. */
struct expression_profile {
	struct scalar_value run[NR_RUN_FIGURES]; /* size: of its input; NULL: run.count is taken */
	double interval_ns;      /* CPU time that a sample stands for (scaled as the figures are) */
	double wait_interval_ns; /* waiting that a sample stands for (scaled) */
	double variance;         /* of the logarithm of its figures, besides that of samples;
	                          * INFINITY: nobody knows */
};

struct expression_context {
	const struct expression_profile *profiles; /* NULL: nothing is known of them */
	size_t nr_profiles;
	uint64_t figures;        /* mask: those that the things have in any profile */
	const char *things;      /* for messages: "lines" */
	bool has_value;          /* `value`, `significance`, `sides` and thresholds may be used */
};

struct expression_error {
	struct error error;
	int place, length;       /* bytes in the text that it is about; place -1: all of it */
};
#define EXPRESSION_ERROR_INIT { .error = ERROR_INIT, .place = -1, .length = 0 }

struct reference { uint16_t profile, figure; };

struct expression;

/* Compiles TEXT. NULL: ERR says what is wrong, and where. Nothing of C is kept. */
struct expression *expression_compile(const char *text, const struct expression_context *c,
				      struct expression_error *err);
void expression_free(struct expression *e);

const char *expression_text(const struct expression *e);
/* Returns the unit of the value, in which it should be shown. UNIT_VALUE: the expression does not
 * tell. */
enum column_unit expression_unit(const struct expression *e);
/* The figures that it uses, each once, in the order of their first use. */
const struct reference *expression_references(const struct expression *e, size_t *nr);
/* The figure that it is mostly about: that of its first reference, else FIGURE_COUNT. */
enum figure expression_figure(const struct expression *e);
/* The one that stands in PROFILE's column: this one, unless the expression uses others of it only,
 * as b.self_ns / a.count does. */
enum figure expression_figure_of(const struct expression *e, size_t profile);
/* Returns the figure that is divided if E is a rate: one figure over another, which is something
 * else, as b.self_ns / a.count is. NULL: it is none. Rates are no differences: they have no sign,
 * and what costs most in all stands first. */
const struct reference *expression_rate(const struct expression *e);

/* Those that it uses, in their order: who evaluates them says whether they are met. */
enum { MAX_THRESHOLDS = 8 };
const struct threshold *expression_thresholds(const struct expression *e, size_t *nr);
/* Does it use `value`, `significance` or `sides`? */
bool expression_uses_value(const struct expression *e);
bool expression_uses_significance(const struct expression *e);

/* Takes totals, sizes and intervals from PROFILES from now on, in place of those that it was
 * compiled with. */
void expression_take(struct expression *e, const struct expression_profile *profiles);

/* Sets the CPU milliseconds for all evaluations from now on; 10,000 when it is not called. */
void expression_deadline(struct expression *e, unsigned ms);

/* The values of what has_value allows. */
struct expression_extra {
	struct scalar_value value, significance, sides;
	signed char met[MAX_THRESHOLDS]; /* 0: no, 1: yes, -1: nobody knows */
};

/* Computes VALUE. FIGURES: one for each reference. EXTRA: NULL without has_value. -1: ERR. */
int expression_evaluate(struct expression *e, const struct scalar_value *figures,
			const struct expression_extra *extra, struct scalar_value *value,
			struct error *err);

/* Expressions that have a name: ready-made ones, and those of a configuration. */
struct named_expression {
	const char *name, *expression, *help;
	const char *of_procedures; /* instead of it, for these; NULL: the same */
};
/* Number I, or NULL behind the last one. */
const struct named_expression *expression_named(size_t i);
/* Returns the expression of this name; NULL: there is none. */
const struct named_expression *expression_find(const char *name);
/* Returns what TEXT stands for, of PROCEDURES or other things, when it is a name; else TEXT. */
const char *expression_meant(const char *text, bool procedures);
/* Adds one (texts are copied), or replaces that of the same name. Returns -1 and ERR when the name
 * is not letters, digits, '-' and '_', with a letter first and at most 40 of them. The expression
 * is not checked here. */
int expression_add(const char *name, const char *expression, const char *help,
		   struct error *err);

#endif
