/* The columns of each kind of rows, for the browser and for reports: their names, what they show,
 * how wide they are, when they are empty. */
#ifndef CGVIEW_SHOW_COLUMNS_H
#define CGVIEW_SHOW_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "compare/comparison.h"
#include "db/store/profile.h"
#include "show/role.h"
#include "util/mem.h"

/* How a cell is made from the listing's columns SOURCE and SECOND. */
enum cell_style {
	CELL_TEXT,
	CELL_NAME,        /* of a procedure */
	CELL_PROCEDURE,   /* of a procedure, with its cycle */
	CELL_END,         /* of an end of an arc; SECOND: its id */
	CELL_COMPARED_END,
	CELL_PLACE,       /* a path; SECOND: its line */
	CELL_DIRECTORY,
	CELL_SOURCE,      /* the text of a line; SECOND (the last line): of a range */
	CELL_CALL,        /* the text of a call; without it what is called */
	CELL_STATE,       /* of a file's text */
	CELL_SAVED,       /* a name; without it nothing is saved */
	CELL_SIDES,       /* a compared thing: where it is */
	CELL_SPARK,
	CELL_WHEN,
	CELL_BAR,         /* of SECOND */
	CELL_DIRECTION,
	CELL_VALUE,       /* in its unit */
	CELL_KNOWN,       /* in its unit; 0: not known */
	CELL_LEAST,       /* the same; it may be more: marked so */
	CELL_COST,        /* of a tree, in the context's unit */
	CELL_PROPAGATED,  /* in its unit; with a mark where SECOND says that samples differ */
	CELL_NUMBER,      /* 0: none */
	CELL_LINE,        /* of a line; 0: none */
	CELL_EXIT,        /* exit status; SECOND: the signal */
	CELL_TIDS,        /* numbers of threads; SECOND: how many they are */
	CELL_WITHOUT,     /* of how many runs */
	CELL_EACH,        /* SECOND, for each execution */
	CELL_FORMULA,     /* any number; of a measure in its unit */
	CELL_PERCENT,     /* of all time */
	CELL_TIME_PERCENT, /* the same, where the context's whole is of something else */
	CELL_COUNT_PERCENT, /* of the sum of all rows there are */
	CELL_WHOLE_PERCENT, /* of the context's whole */
	CELL_PART_PERCENT, /* of SECOND over all lines */
	CELL_COVERED_OF,  /* SOURCE is so many of SECOND */
	CELL_COVERED,     /* executed_WHAT in percent of what is known; SECOND: WHAT */
	CELL_ERROR,       /* of a figure of this many samples; SECOND: its time */
	CELL_BOUNDS,      /* up to SECOND */
	CELL_WITHIN,      /* up to SECOND, or in its unit where both are the same */
	CELL_ESTIMATE,    /* a count of an arc, with its mark */
	CELL_SHARED,      /* in its unit, with the mark of estimates; SECOND: only where that is */
	CELL_SHARED_LEAST, /* the same; where it is no estimate it may be more: marked so */
	CELL_INTERVAL,    /* the interval of such a count */
	CELL_FIGURE,      /* of one profile of a comparison */
	CELL_DIFFERENCE,  /* the value of its expression */
	CELL_CHANGE,      /* from the first profile to the last, in percent */
	CELL_PATHS_ERROR, /* of a share that this many call paths make; SECOND: of so many */
	CELL_ERRORS,      /* a difference in standard errors */
	CELL_HALF,        /* half of the interval of one */
	NR_CELL_STYLES,
};

enum column_flag {
	COLUMN_OFF = 1,         /* there only if the user chooses it */
	COLUMN_INVERSE = 2,     /* grows when the listing's column shrinks */
	COLUMN_IN_SOURCE = 4,   /* sorted in the order of the source, whatever it shows */
	COLUMN_MEASURES = 8,    /* columns of measures stand behind the last one of these */
	COLUMN_KEY = 16,        /* what keys change: labels get narrower for it */
};

/* What a profile must have for a column to be there. */
enum column_needs {
	NEEDS_NOTHING,
	NEEDS_ROWS,             /* rows that have something in it */
	NEEDS_WAITING,
	NEEDS_CENTRES,
	NEEDS_COUNTER,          /* time by program counter */
	NEEDS_BOUNDS,           /* the same, and times that the counts leave open */
	NEEDS_RUNS,             /* time by program counter, and several runs */
	NEEDS_CYCLES,
	NEEDS_RECURSION,
	NEEDS_BUILDS,
	NEEDS_FOREIGN,
	NEEDS_ERRORS,
	NEEDS_SEVERAL,          /* ranks or runs that are told apart */
	NEEDS_PEAKS,            /* of live memory; a sum of raw profiles has none */
};

struct column {
	const char *head;       /* "": a bar, which has none */
	const char *source;     /* the listing's column that it shows, and is sorted by; or NULL */
	const char *second;     /* another one that the style uses, or NULL */
	const char *unit;       /* of the figures, where the cells do not tell it; NULL: they do */
	enum cell_style cell;
	int width;              /* on the screen; WIDTH_COUNT: as the largest count needs,
	                         * WIDTH_SIDES: as words for its sides do */
	int grow;               /* its share of the room left over */
	int rank;               /* in the order of use: columns with less come first */
	const char *help;       /* one line */
	unsigned flags;         /* enum column_flag */
	enum column_needs needs;
};
enum { WIDTH_COUNT = -1, WIDTH_SIDES = -2 };
/* Columns up to this rank get their room before labels grow. */
enum { RANK_RESERVED = 5, RANK_MOST = 99 + MEASURES_MAX };

/* The columns of a kind with those of a profile's measures, whose texts are made safe to show. */
enum { COLUMNS_MAX = 56 + 3 * MEASURES_MAX };
struct column_set {
	struct column items[COLUMNS_MAX + 1]; /* ends with a NULL head */
	int nr;
	struct arena texts;
};
struct table_kind;
/* Makes C, which is zeroed or was made before; texts stay until its release. P NULL: no profile. */
void column_set_make(struct column_set *c, const struct table_kind *kind, struct profile *p);
void column_set_release(struct column_set *c);
/* Has KIND a column called NAME, as columns_called() has it, in some profile? Any measure may be
 * there by its names in listings (self_NAME, total_NAME) and as the head NAME%; as the head NAME
 * those that record makes. */
bool columns_may_have(const struct table_kind *kind, const char *name, bool sort);

/* The width of names and source texts where nobody sees it. */
enum { WIDTH_WHOLE = 2000 };

struct table_kind {
	const char *name;       /* "procedures" */
	enum list_kind list;
	const struct column *columns; /* ends with a NULL head */
	const char *sort;       /* the listing's column to begin with */
	bool descending;
	const char *of_row, *of_rows; /* "procedure", "procedures": what rows are */
	bool sums;              /* a line at the foot sums up */
	int things;             /* LIST_COMPARISON: the things of its rows */
	bool printed;           /* only in reports */
};

/* The kinds whose rows have all columns of their listing, by enum list_kind. Arcs, notes, runs,
 * threads and the rows of a comparison have theirs only in reports: the browser shows these in
 * several tables or views. Rows of LIST_PIN and LIST_TREE are made and not listed. */
extern const struct table_kind table_kinds[];

enum summary_kind {
	SUMMARY_PROCEDURES = LIST_PROCEDURE, SUMMARY_BLOCKS = LIST_BLOCK,
	SUMMARY_SITES = LIST_SITE, SUMMARY_LINES = LIST_LINE, SUMMARY_FILES = LIST_FILE,
	SUMMARY_DIRECTORIES = LIST_DIRECTORY,
	SUMMARY_NR,
};
/* The kinds of comparisons, the last one for calls; the callers and callees of these. */
extern const struct table_kind compared_kinds[SUMMARY_NR];
/* Those of memory, which have no place in the summary. */
extern const struct table_kind compared_producers_kind, compared_types_kind, compared_sizes_kind;
extern const struct table_kind compared_disposers_kind;
extern const struct table_kind compared_pools_kind;
extern const struct table_kind compare_callers_kind, compare_callees_kind;
extern const struct table_kind stored_callers_kind, stored_callees_kind;
extern const struct table_kind callers_kind, callees_kind, files_kind, outline_kind;
extern const struct table_kind never_files_kind;
/* The threads in the view where some are chosen, run by run; and where nobody took samples. */
extern const struct table_kind chosen_threads_kind, counted_threads_kind;
/* The same as a tree of ranks. */
extern const struct table_kind chosen_ranks_kind, counted_ranks_kind;
/* Ranks where no procedure was asked for. */
extern const struct table_kind plain_ranks_kind;
/* The tree of a comparison. Columns of trees are WIDTH wide, on wide screens by GROW more, and are
 * there on screens of RANK columns and more; the one with no WIDTH has the rest. */
extern const struct table_kind joined_tree_kind;

/* Returns the listing's column by which rows of KIND are sorted at first. */
const char *table_kind_sort(const struct table_kind *kind, const struct profile *p);

/* Returns the kinds one by one; NULL: there are no more. Several may have one name. */
const struct table_kind *table_kind_at(int i);

/* The column with the interval of estimated arcs. */
#define COLUMN_INTERVAL "interval"
/* That with the difference in standard errors. */
#define COLUMN_NOISE "diff/noise"

/* Returns the name of a column, even of a bar. */
const char *column_name(const struct column *c);
/* Returns its heading among NR profiles that are compared (0: there is no comparison). */
const char *column_heading(const struct column *c, size_t nr, bool ascii);
/* Returns the unit that stands behind headings of M, safe to show, in TEXTS; NULL: its cells tell
 * it. */
const char *measure_head_unit(const struct model_measure *m, struct arena *texts);
/* Appends HEAD, the heading of C, and the unit: "size B". */
void column_put_head(struct strbuf *out, const struct column *c, const char *head);
/* Returns the index of the first of COLUMNS (up to a NULL head, at most NR) that is called NAME;
 * -1: none. SORT: only columns that can sort. */
int columns_headed(const struct column *columns, int nr, const char *name, bool sort);
/* The same; if there is none, the one that shows the listing's column NAME, a figure before a
 * share. */
int columns_called(const struct column *columns, int nr, const char *name, bool sort);

/* Whose the self time of a procedure is: by program counter, with what foreign code did for it or
 * without; or by cost centre. */
enum self_by { SELF_BY_PC, SELF_BY_CENTRE, SELF_BY_OWN, NR_SELF_BY };
extern const char *const self_by_names[NR_SELF_BY + 1]; /* NULL-terminated */

/* Returns the listing's column of procedures that has SOURCE's time by BY; where two columns
 * show both, they change places. */
const char *column_self_by(const char *source, enum self_by by);
/* Changes C, a column of procedures, to show time by BY. */
void column_set_self_by(struct column *c, enum self_by by);

/* Returns the number of the profile, between first and last, whose figures SOURCE has; else 0. */
size_t compare_middle(const char *source);

/* ---- layout: column_layout.c ---- */

struct column_room {
	bool wanted, always;    /* may it be shown? Whatever the room? */
	bool sorts;             /* does it show what sorts the rows? One of these is always shown */
	int rank;               /* as in the column, or another one */
	int most;               /* cells that the texts of a label fill; 0: not known */
	int w;                  /* cells that it needs; then, that it gets */
	int x;                  /* then: where it begins */
	bool shown;             /* then: is there room? */
};
/* Does the column say what the row is? These texts of rank 0 are always shown. */
bool column_is_label(const struct column *c);
/* Lays NR columns out over WIDTH: first those that are always shown, a label in at least 20 cells
 * (12 if that makes room for COLUMN_KEY); then those that are reserved; then labels grow to half of
 * the row, if their texts need it; then the others, by rank. What is left over is shared out. */
void columns_lay_out(const struct column *columns, struct column_room *rooms, int nr, int width);

/* ---- cells: cell.c ---- */

struct cell_context {
	struct profile *profile;
	const struct profile_totals *totals;
	const struct profile_optional *optional;
	struct profile *first;  /* of a comparison: the first one, or NULL */
	enum list_kind kind;
	uint64_t whole;         /* what shares refer to; 0: the profile */
	uint64_t full;          /* what a full bar is; 0: the same */
	const char *directory;  /* is left out of paths */
	bool columns;           /* places have columns, too */
	enum self_by self_by;     /* of procedures */
	bool ascii;
	enum column_unit unit;  /* of the comparison's value; of a tree's costs */
	enum figure figure, of_a, of_b; /* of its profiles: in the middle, of the first, the last */
	bool calls;             /* it compares calls */
};

/* Appends the cell of COLUMN, in WIDTH columns if it can be cut well: it is not yet fit for a
 * terminal, and may be wider. *ROLE gets its meaning, except for the value of a comparison. */
void cell_print(struct strbuf *out, const struct cell_context *x, const struct column *column,
		const struct list_row *row, int width, enum role *role);
bool cell_is_left(enum cell_style style);
/* Is nothing in it that anybody wants to know? */
bool cell_is_nothing(const struct cell_context *x, const struct column *column,
		     const struct list_row *row, const struct strbuf *cell);
/* Has the profile what the column needs, as far as that can be told without the rows? */
bool column_known(const struct cell_context *x, const struct column *column);
/* Do its figures add up over rows of KIND in P? */
bool column_adds_up(const struct profile *p, enum list_kind kind, const struct column *column);
/* Makes a row of SUMS. */
void columns_sums(const struct profile *p, enum list_kind kind, const struct list_sums *sums,
		  struct list_row *row);

/* Returns the value of a cell of UNIT_VALUE. */
struct scalar_value cell_value(const struct cell *cell);
/* Appends the callee of a compared row: "puts (outside)" where NAME has MARK_OUTSIDE. */
void cell_called(struct strbuf *out, const char *name);
/* Appends where a compared row is: "both", "a", "changed" in listings; nothing for all. */
void cell_sides(struct strbuf *out, const char *sides);

/* Returns the directory, with its slash, that all files of P are in; "": none. Heap. */
char *profile_directory(struct profile *p);

#endif
