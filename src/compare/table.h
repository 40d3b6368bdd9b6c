/* Inside src/compare: a comparison and the tables of its rows. */
#ifndef CGVIEW_COMPARE_TABLE_H
#define CGVIEW_COMPARE_TABLE_H

#include "compare/items.h"
#include "util/error.h"
#include "util/job.h"

/* Rows of a profile by their places, for a window of the source. */
enum { REACH_STEP = 64 };
struct by_place { const struct compared *t; size_t profile; };
struct place_index {
	uint32_t *rows;          /* positions in the order */
	uint32_t *reach;         /* for each REACH_STEP rows: the last line that any row up to their
	                          * end touches in the file of the last of them */
	size_t nr;
	bool indexed;            /* all of this is there */
	uint32_t *row_of;        /* [item]: position + 1; until then */
	struct by_place context;
	struct job *job;         /* makes it; NULL: not begun */
};

/* The amount of a row's value and the largest of its figures, roughly. */
struct sort_key { uint32_t value, figure, row; };

struct compared {
	struct comparison *c;
	struct items x;
	uint64_t loaded;         /* mask of figures; 0: nothing */
	struct job *loading;     /* them; NULL: they are there */
	const char *unread;      /* why they could not be loaded; NULL: they could */
	struct expression *e;
	bool sampled;            /* its rows have a significance */
	struct expression *plain; /* the difference that verdicts are about, if it is one of times:
	                          * E, or one of its own; NULL */
	size_t ends[2];          /* the profiles that these are of: the two that E names, else the
	                          * first and the last */
	struct discoveries found; /* by PLAIN, once it is JUDGED */
	bool judged;
	bool few_runs;           /* comparison_few_runs() */
	uint32_t *order;         /* rows, the greatest value first; see magnitude() */
	double whole;            /* the largest figures of all rows together */
	struct place_index *at;  /* by profile */
	bool apart;              /* some of them are not the same on all sides */
	struct sort_key *keys;   /* of these; the order is made of them */
	struct job *job;         /* makes all this; NULL: not begun */
	struct error error;      /* of the job */
};

/* What the runs of a profile differ among themselves. */
struct run_spread {
	size_t runs;             /* 0: nothing is known */
	double cpu;              /* standard deviation of a run's CPU time */
	double *total, *self;    /* of its times by entity; NULL: not known. Of normalised times:
	                          * from the same share of that which they are normalised by */
};

struct comparison {
	const char *size_name;   /* see comparison_size_name() */
	struct profile *profiles[MAX_PROFILES];
	size_t nr;
	struct match *m;
	struct expression_context context; /* but for figures and things */
	struct expression_profile *totals; /* by profile */
	struct match_options match_options; /* that M was made with */
	char *defaults[NR_COMPARE_BY]; /* the expressions when none is given */
	struct comparison_scale scales[MAX_PROFILES];
	uint32_t runs[MAX_PROFILES]; /* that sums are divided by: 1, or all of the profile */
	uint64_t measures[MAX_PROFILES], measures_of_any; /* masks: figures of measures */
	bool arcs[MAX_PROFILES]; /* have measures totals of arcs? */
	bool uncounted[MAX_PROFILES]; /* see profile_is_uncounted() */
	const char *tools[MAX_PROFILES]; /* that made their rows; "": cgcc */
	const char *no_time_in;  /* path of a profile that cannot be normalised by time */
	bool normalised;
	bool same_work;          /* comparison_same_work() */
	double level;            /* comparison_level() */
	entity_id base;          /* procedure that it is normalised by; 0: the total */
	uint64_t base_ns[MAX_PROFILES]; /* and its time */
	struct run_spread spreads[MAX_PROFILES]; /* see comparison_know_runs() */
	struct compared tables[NR_COMPARE_BY];
	void **unused;           /* large arrays: to give one back takes about a millisecond */
	size_t nr_unused, unused_alloc;
};

/* Returns the expression over BY when none is given, heap. FIGURE: of memory; NULL: time, or
 * counts, or what another tool has measured. */
char *default_expression(const struct comparison *c, enum compare_by by, const char *figure);

/* Finds out what comparison_same_work() and comparison_level() return. */
void comparison_look_at_runs(struct comparison *c);
/* The value of a row, whatever the order. */
struct scalar_value row_value(const struct items *x, size_t row);
/* NAN: exact. */
double row_significance(const struct compared *t, size_t row);
/* The same by another expression, and the standard error; that of the whole, NULL gives NAN. ERROR
 * may be NULL. */
double row_judged(const struct compared *t, struct expression *e, size_t row, double *error);
double total_judged(const struct compared *t, struct expression *e, double *error);
/* A figure of a row in PROFILE, scaled; 0 where it is not. */
struct scalar_value figure_of(const struct compared *t, size_t row, size_t profile, enum figure f);

/* Sets the profiles that E, a difference, is between. */
void verdict_set_ends(const struct comparison *c, const struct expression *e, size_t ends[2]);
/* Returns the difference between the profiles ENDS of the time F: E (or NULL), if it is that. NULL:
 * F is no time, or nobody can judge it. */
struct expression *verdict_difference(const struct comparison *c,
				      const struct expression_context *context, enum figure f,
				      struct expression *e, const size_t ends[2]);
/* What verdicts are about: figure F in the profiles ENDS; PLAIN is their difference, if it is one
 * of times that can be judged, and FOUND what of it is beyond chance. */
struct judged_difference {
	enum figure f;
	const size_t *ends;
	struct expression *plain;
	const struct discoveries *found;
};
struct row_verdict verdict_of_row(const struct compared *t, size_t row,
				  const struct judged_difference *d);
struct row_verdict verdict_of_total(const struct compared *t, const struct judged_difference *d);
/* Returns which rows differ beyond chance by E, a difference. A job pauses. */
struct discoveries discoveries_by(const struct compared *t, struct expression *e);

#endif
