/* Profiles compared: corresponding things side by side, with the value of an expression, the
 * greatest first. Things on one side only are kept and marked. */
#ifndef CGVIEW_COMPARE_COMPARISON_H
#define CGVIEW_COMPARE_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/expression.h"
#include "compare/match/match.h"
#include "db/model/model.h"
#include "db/model/significance.h"
#include "db/store/profile.h"

enum compare_by {
	BY_PROCEDURE, BY_BLOCK, BY_RANGE, BY_LINE, BY_SITE, BY_ARC, BY_FILE,
	BY_PAIR, /* all arcs between two procedures */
	/* Of memory that was recorded with --space: what each call got of each size, of each type,
	 * of each size; who gave it back; what each call got of each pool. */
	BY_PRODUCER, BY_TYPE, BY_SIZE, BY_DISPOSER, BY_POOL,
	NR_COMPARE_BY
};
const char *compare_by_name(enum compare_by by);   /* "procedure" */
const char *compare_by_things(enum compare_by by); /* "procedures" */
int compare_by_find(const char *name);             /* -1: none */
bool compare_by_is_arcs(enum compare_by by);       /* have they a caller and a callee? */
bool compare_by_is_called(enum compare_by by);     /* have they a callee? */
bool compare_by_is_space(enum compare_by by);      /* are they of memory? */
bool compare_by_has_type(enum compare_by by);      /* is their type, or size, told? */
bool compare_by_has_size(enum compare_by by);
bool compare_by_has_owner(enum compare_by by);     /* are they procedures, or in some? */
/* Figures that things have, as a mask: those of every profile, and of MEASURES (a mask). */
uint64_t compare_figures(enum compare_by by, uint64_t measures);

struct comparison_options {
	struct match_options match;
	double sizes[MAX_PROFILES];  /* of the inputs, for growth(); 0: run.count is taken */
	const char *size_name;       /* what these are, "bytes of argument 1"; NULL: not told */
	/* NULL, "total", or a procedure's name: figures of b, c .. are scaled so that those of this
	 * are the same as in a: times by its time, counts by its count. */
	const char *normalise;
};

struct comparison;

/* PROFILES (2 to MAX_PROFILES; 1 is possible) stay open as long as the comparison. NULL: ERR. */
struct comparison *comparison_open(struct profile *const *profiles, size_t nr,
				   const struct comparison_options *options, struct error *err);
void comparison_close(struct comparison *c);

struct match *comparison_match(struct comparison *c);
size_t comparison_profiles(const struct comparison *c);
struct profile *comparison_profile(const struct comparison *c, size_t i);

/* Returns what the sizes are, as it was told; NULL: it was not. */
const char *comparison_size_name(const struct comparison *c);

/* Returns what the figures of profile I were multiplied with: 1 when not normalised. */
struct comparison_scale { double count, time; };
struct comparison_scale comparison_scale(const struct comparison *c, size_t i);

/* Where the profiles are of unequal numbers of runs, all sums over runs are divided by these, so
 * that figures are those of a run. These return whether it is so, and of how many runs each figure
 * is the sum: 1, or the number that all profiles have. */
bool comparison_per_run(const struct comparison *c);
uint32_t comparison_runs(const struct comparison *c);
/* Returns what times of profile I were multiplied with for both reasons. */
double comparison_times(const struct comparison *c, size_t i);

/* Returns N, figure F of something in profile I, of a run if figures are, and multiplied with the
 * scale unless it is of a measure: no value when the profile does not have this one. */
struct scalar_value comparison_scaled(const struct comparison *c, size_t i, enum figure f,
				      int64_t n);

/* Returns what all of profile I has of figure F, scaled: of times the CPU time of its runs; no
 * value when there is no such total. */
struct scalar_value comparison_total(const struct comparison *c, size_t i, enum figure f);

/* Returns a sensible expression for things when none is given: the difference of self times when
 * the things have some, and all profiles have samples and runs enough to judge them; else of
 * counts, of procedures of their work; of memory that of what was
 * got, or given back. */
const char *comparison_default(const struct comparison *c, enum compare_by by);

/* Fills CONTEXT with what an expression over BY is compiled with. */
void comparison_context(const struct comparison *c, enum compare_by by,
			struct expression_context *context);

/* Loads FIGURES (a mask), which compared_value() must have besides those of the expression: to be
 * called before comparison_table(). -1: ERR. */
int comparison_load(struct comparison *c, enum compare_by by, uint64_t figures, struct error *err);

/* Returns the rows of BY, with the value of EXPRESSION (a text, or the name of a named expression).
 * The table is the comparison's, and valid until it is asked for BY again. NULL: ERR. */
struct compared *comparison_table(struct comparison *c, enum compare_by by,
				  const char *expression, struct expression_error *err);

/* As comparison_table(), in slices: comparison_work() goes on with the table until ENOUGH(CONTEXT)
 * (NULL: to the end) or until all is done (1; 0: not yet; -1: ERR). FIGURES: see comparison_load().
 * Nothing else may be asked of the table before. */
struct compared *comparison_begin(struct comparison *c, enum compare_by by,
				  const char *expression, uint64_t figures,
				  struct expression_error *err);
int comparison_work(struct compared *t, bool (*enough)(void *context), void *context,
		    struct error *err);
/* Returns how much is done, in percent, about. */
int compared_percent(const struct compared *t);

/* Does E use a sampled figure? */
bool comparison_sampled(const struct expression *e);
/* Is E a difference whose values have a significance, see comparison_significance()? */
bool comparison_differs(const struct comparison *c, struct expression *e);
/* Is it a difference of times without one, as a profile that it is of has fewer than FEWEST_RUNS
 * runs? Then it is not known whether they differ beyond chance. */
enum { FEWEST_RUNS = 3 };
bool comparison_few_runs(const struct comparison *c, struct expression *e);
/* Are all profiles of one build, with as many calls and executions in each procedure, a run? */
bool comparison_same_work(const struct comparison *c);
/* The share of claims that may be false: one in twenty, or less where the recording stopped at a
 * look, which spends some of it (docs/design/comparing.md). */
double comparison_level(const struct comparison *c);
/* Returns the value of E over FIGURES (one for each reference, scaled) in standard errors, with its
 * sign, if E is a difference: a sum of sampled figures, some added, some subtracted, as b.self_ns
 * - a.self_ns, or b.self_ns / b.calls - a.self_ns / a.calls. For one figure less another one this
 * is significance(), with what runs of one program differ by; with standard deviations between
 * these runs (NULL: unknown), and three or more on either side it is significance_of_runs(). NAN: E
 * is no difference, as a ratio is none; all is exact; too few runs; or it has no value. ERROR (or
 * NULL) is one standard error. */
struct run_deviations {
	enum figure of;              /* the figure that they are of */
	double by_profile[MAX_PROFILES]; /* 0: unknown */
};
double comparison_significance(const struct comparison *c, struct expression *e,
			       const struct scalar_value *figures,
			       const struct run_deviations *deviations, double *error);
/* Reads what the runs of each profile differ among themselves in times F, so that these are judged
 * by it from now on: total times of procedures, normalised times, the total of all. But for the
 * last it takes as long as all parts of the profiles are large. -1: ERR. */
int comparison_know_runs(struct comparison *c, enum figure f, struct error *err);
/* Is there a profile without the time that the others are to be normalised by? Then E, if it uses a
 * time, is impossible: -1 and ERR. */
bool comparison_no_time(const struct comparison *c);
int comparison_check_time(const struct comparison *c, const struct expression *e,
			  struct error *err);

/* Is there a profile without what things of memory are made of? -1 and ERR. */
int comparison_check_space(const struct comparison *c, enum compare_by by, struct error *err);

/* One row. */
struct compared_row {
	struct scalar_value value;
	double significance;     /* comparison_significance() */
	struct sides sides;      /* the profiles that have it */
	bool changed;            /* on all sides, but its text differs */
	int alike;               /* of procedures found by their similar text: match_found() */
	bool estimated;          /* arcs: a count that is an estimate */
	entity_id entity;        /* procedure, or the one it is in; 0: none, outside */
	entity_id callee;        /* of arcs; 0: outside */
	int kind;                /* enum range_kind, site_kind, arc_how, disposal_how; else 0 */
	uint32_t arcs;           /* of a pair; else 0 */
	const char *type;        /* of blocks; "": it is not known, or they have none */
	uint64_t size_class;     /* of blocks; 0: it is not known, or they have none */
};

size_t compared_rows(const struct compared *t);
struct match *compared_match(const struct compared *t);
struct profile *compared_profile(const struct compared *t, size_t i);
const struct expression *compared_expression(const struct compared *t);
enum compare_by compared_by(const struct compared *t);
/* The figure that it is mostly about: expression_figure(), and the one in the column of a profile:
 * expression_figure_of(). */
enum figure compared_figure(const struct compared *t);
enum figure compared_figure_of(const struct compared *t, size_t profile);

/* Fills ROW with row I in the order of |value|, the greatest first, among equal ones that with the
 * larger figure; rows without a value come behind all others. */
void compared_row(const struct compared *t, size_t i, struct compared_row *row);
/* Does what compared_row() does, but for value and significance, which take longer. */
void compared_what(const struct compared *t, size_t i, struct compared_row *row);
/* These tell about row I in PROFILE: its place there (file 0: none), the id in its table (ranges:
 * of one of the blocks), a figure (scaled; 0 where it is not). False: it is not in this profile. */
bool compared_place(const struct compared *t, size_t i, size_t profile, struct place *place);
/* Returns the last profile that has row I, but for one with a point where another has the range
 * around it, and sets its place there (file 0: none). */
size_t compared_holder(const struct compared *t, size_t i, struct place *place);
model_id compared_id(const struct compared *t, size_t i, size_t profile);
struct scalar_value compared_value(const struct compared *t, size_t i, size_t profile,
				   enum figure f);
/* Is it in all profiles? */
bool compared_everywhere(const struct compared *t, const struct compared_row *row);
/* What has changed that a procedure uses whose own text has not: see match_uses(); else "". */
const char *compared_uses(const struct compared *t, const struct compared_row *row);
/* Appends "a", "b", "both", "changed", "like (77 %)", "uses NAME (macro, box.h:4)"; with more
 * profiles also "all", "ac" as sides_text() has it. */
void compared_sides(const struct compared *t, const struct compared_row *row, struct strbuf *out);

/* Return what all of PROFILE has of figure F of these things, and the value of the expression over
 * such totals; no value where there are none. */
struct scalar_value compared_total(const struct compared *t, size_t profile, enum figure f);
struct scalar_value compared_total_value(struct compared *t);
/* That of this value; of times by the runs' CPU times, see comparison_know_runs(). */
double compared_total_significance(const struct compared *t);

/* The greatest finite |value|, for heat. */
double compared_greatest(const struct compared *t);

/* Is there a row whose value tells a difference: not 0, or of ratios and exponents not 1? */
bool compared_differs(const struct compared *t);

/* Is there a row that is only on some sides, or has changed? And one with a significance? */
bool compared_apart(const struct compared *t);
/* May there be a row that was found by a similar text? */
bool compared_alike(const struct compared *t);
/* Are there procedures that use what has changed? */
bool compared_affected(const struct compared *t);
bool compared_sampled(const struct compared *t);
/* comparison_few_runs() of its expression. */
bool compared_few_runs(const struct compared *t);

/* Returns half of the interval that holds the value of row I with 95 %, as a share of it, if it is
 * a rate of times: by what its runs differ, else by its samples, which comparison_load() must have.
 * NAN: it is none, or there are no samples. */
double compared_rate_error(const struct compared *t, size_t i);

/* Returns half of the interval that holds the time of row I in PROFILE with 95 %, by what its runs
 * differ among themselves, as a share of it; NAN: that is not known, or it is no such time. */
double compared_error(const struct compared *t, size_t i, size_t profile);

/* Which of the rows that have samples differ beyond chance: all are looked at. Rows without
 * significance are not counted. A job pauses (util/job.h). */
struct discoveries compared_discoveries(struct compared *t);

/* Finds the rows (BY_RANGE, BY_LINE, BY_SITE, BY_BLOCK) that touch lines FIRST..LAST of FILE in
 * PROFILE, as positions for compared_row(), outer before inner; returns how many. Heap array, the
 * caller's. */
size_t compared_at(struct compared *t, size_t profile, model_id file, uint32_t first,
		   uint32_t last, size_t **rows);

/* Makes what compared_at() needs, in slices. True: done. Without it the first question does so. */
bool compared_index(struct compared *t, size_t profile, bool (*enough)(void *context),
		    void *context);

/* The value as a number for sorting and colours: NAN when there is none. */
double scalar_number(const struct scalar_value *v);

#endif
