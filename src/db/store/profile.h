/* Reads a profile for the browser and the reports. Everything is opened read-only and hardened
 * (defensive, trusted_schema off, schema checked against ours first). Texts are raw bytes from
 * outside: pass them through util/text/safe.h. */
#ifndef CGVIEW_DB_PROFILE_H
#define CGVIEW_DB_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model/model.h"
#include "util/error.h"
#include "util/progress.h"

struct profile;
struct sqlite3;

/* Opens the profile at PATH. Returns NULL and ERR when it is not there, not a regular file, empty,
 * not a database, not ours, made by a newer version, or damaged. Each message says what to do. */
struct profile *profile_open(const char *path, struct error *err);
/* What a profile for this process only is made of: some parts of the profile at `path`, which users
 * call `name`; `only` says which these are. Of a span of time only samples are left, and counts are
 * those of the whole runs. */
struct made_of { const char *path, *name, *only; bool is_span; };
/* Writes M, which OF describes, to a temporary file without a name, and opens it; it goes with the
 * process. PROGRESS as for profile_write(). Returns NULL and ERR when it cannot be written. */
struct profile *profile_open_model(const struct model *m, const struct made_of *of,
				   const struct progress *progress, struct error *err);
/* The same in two steps, the first of which another thread may do. That returns the connection, to
 * be given to one of the others; NULL and ERR when it cannot be written. */
struct sqlite3 *profile_store_unnamed(const struct model *m, const struct progress *progress,
				      struct error *err);
struct profile *profile_open_stored(struct sqlite3 *stored, const struct made_of *of,
				    struct error *err);
void profile_drop_stored(struct sqlite3 *stored);
void profile_close(struct profile *p);
const char *profile_path(const struct profile *p);
/* Returns what P is called where there may be several: its path, or "all.db:runs=1-20". */
const char *profile_name(const struct profile *p);
/* Returns whose figures these are, as "threads 2, 5 of 8"; NULL: there are no others. */
const char *profile_only(const struct profile *p);

/* Returns the first failure of a query since opening (damaged file, I/O), or NULL. Readers below
 * return empty results after it. */
const char *profile_error(const struct profile *p);

const struct profile_totals *profile_totals(struct profile *p); /* computed once, by the writer */

/* Has it any stacks, of samples or of what waited? */
bool profile_has_stacks(const struct profile *p);
/* Does P tell when samples were taken, or threads waited? */
bool profile_has_times(const struct profile *p);

/* Returns how many samples of equal weight say as much as the SAMPLES of a figure, which stand for
 * NS: none says more than another of them, nor more than the mean of all by weight. */
uint64_t profile_samples(const struct profile_totals *t, uint64_t samples, uint64_t ns);

enum column_unit {
	UNIT_TEXT, UNIT_COUNT, UNIT_NS, UNIT_SAMPLES, UNIT_NUMBER, UNIT_BYTES,
	UNIT_RATIO,             /* made from two others: rounded down, but sorted exactly */
	UNIT_VALUE,             /* of an expression: any number */
	/* Units that only values of expressions have, and no column. */
	UNIT_PERCENT, UNIT_FACTOR, UNIT_GROWTH /* an exponent */, UNIT_DEVIATIONS,
	UNIT_EACH, UNIT_NS_EACH, /* for each execution: parts of one say something */
};

/* Returns the measures of P, by id - 1: the builtin ones first. */
struct measures profile_measures(const struct profile *p);
/* Returns how figures of MEASURE are printed; those with a word as unit are printed as counts. Of a
 * formula times and bytes may have halves, and other units are plain numbers. */
enum column_unit measure_unit(const struct model_measure *measure);
/* Is its unit such a word? */
bool measure_names_unit(const struct model_measure *measure);

/* Does it say what became of the blocks that were allocated? */
bool profile_has_disposals(const struct profile *p);

/* ---- listings: sorted tables; only a window of the rows is fetched ---- */

enum list_kind {
	LIST_PROCEDURE, LIST_BLOCK, LIST_SITE, LIST_LINE, LIST_FILE, LIST_DIRECTORY, LIST_ARC,
	LIST_CYCLE, LIST_NOTE, LIST_RUN, LIST_THREAD, LIST_COMPARISON, LIST_MOMENT, LIST_BAND,
	/* Blocks by pair of makers and disposers, by disposer, by maker. */
	LIST_PAIR, LIST_DISPOSER, LIST_LIFETIME,
	/* What was got: by a call, of a type, of a size class. */
	LIST_PRODUCER, LIST_TYPE, LIST_SIZE,
	LIST_POOL,               /* what calls got of pools, which are parts of other blocks */
	LIST_SPAN,               /* what was made and kept; see profile_put_span() */
	LIST_DEFECT, LIST_FRAME, /* errors that other tools found, their stacks */
	LIST_REMARK,             /* what users have written beside the source */
	LIST_NEVER,              /* procedures with lines that were never executed */
	LIST_COVERAGE,           /* files and directories: how much of them was executed */
	LIST_COVERED,            /* procedures: how much of them was executed */
	LIST_BRANCH,             /* conditions with ways that were never taken, see coverage.h */
	LIST_RANK,               /* processes of a parallel program, by their rank */
	LIST_IMBALANCE,          /* procedures: how evenly ranks, or runs, have what they did */
	LIST_NR,
	/* Rows that their users make, which have columns but are in no listing. */
	LIST_PIN = LIST_NR, LIST_TREE
};

enum list_column_flag {
	LIST_INDEXED = 1,       /* an index has the order of this column; the plan test checks it */
	LIST_NO_SUM = 2,        /* the figure of one row is part of those of other rows */
	LIST_CHANGES = 4,       /* may differ from what the index has: see changed.h */
	LIST_SHARED = 8,        /* an estimate: the callee's total shared out by counts of calls */
	LIST_DATA = 16,         /* of rows that are in no listing: csv and json have it */
	LIST_COUNTED = 32,      /* a count, or what follows from counts */
	LIST_UNEVEN = 64,       /* of temp.imbalance, which takes long: only if it is asked for */
};

/* A column of a listing. list_spec.c describes each in one row. */
enum { LIST_MAX_TERMS = 4 };
struct list_column {
	const char *name;       /* as in report's CSV header and in cgview-db(5) */
	enum column_unit unit;
	const char *sql;        /* its value in the query for a row */
	const char *of_groups;  /* in that for several arcs together; NULL: SQL */
	/* The keys of rows in its natural direction (numbers descending, texts and places
	 * ascending), '-': descending; none: by SQL. Equal rows are in the order of ids; the other
	 * direction is the exact reverse. */
	const char *sort[LIST_MAX_TERMS];
	const char *sum;        /* what adds up; NULL: the first key of rows */
	const char *sort_from;  /* NULL: the kind's; else the tables in the order of the loops */
	unsigned flags;         /* enum list_column_flag */
	enum table_id id;          /* the table of its ids */
	const struct model_measure *measure; /* whose figures it has; NULL: none's */
	/* For people: its heading, and one line. NULL: tables have it by show/columns.c, or not. */
	const char *head, *help;
};
/* Is the greatest value the first that people want of this unit? */
static inline bool
unit_descends(enum column_unit unit)
{
	return unit != UNIT_TEXT && unit != UNIT_NUMBER;
}

/* Returns the columns of a kind in P (NULL: in any profile); the array ends with a NULL name. The
 * first column is always "id", hidden. The columns of every profile come first, then self_NAME and
 * total_NAME of each measure that has them. Columns of a measure with a formula are UNIT_VALUE, and
 * there only if all that it names is. */
const struct list_column *profile_columns(const struct profile *p, enum list_kind kind);
int profile_column_find(const struct profile *p, enum list_kind kind, const char *name); /* or -1 */
/* Returns what report --by calls a listing: "procedure". */
const char *list_name(enum list_kind kind);
/* Returns the columns that every profile has; their indexes are the same in each. */
const struct list_column *list_columns(enum list_kind kind);
int list_column_find(enum list_kind kind, const char *name);
/* Returns the measures whose formulas give no column, "a, b"; NULL: there are none. */
const char *profile_without_formula(const struct profile *p);

/* The filter looks at this much of a text: all of a long procedure takes long. */
enum { FILTER_TEXT_MAX = 16384 /* bytes */ };

struct list_query {
	enum list_kind kind;
	/* Column index; 0: id order. Equal rows are in the order of their ids when numbers descend
	 * and texts ascend; the other direction is the exact reverse. */
	int sort;
	bool descending;
	/* NULL, or what util/text/search.h finds in a text column, the name of the procedure, the
	 * path of the file; in rows whose source text is shown (not procedures and files) also
	 * there, as lines_excerpt() gives it: in the first FILTER_TEXT_MAX bytes. The text of an
	 * arc is that of its call. */
	const char *filter;
	/* Read rows in the order of their ids, which is that of their files, whatever sorts them;
	 * listings set it when their texts are more than are kept unpacked. */
	bool by_id;
	bool uneven;            /* with the columns that are LIST_UNEVEN, which else are NULL */
	bool changed;           /* figures are changed ones; listings set it */
	bool overlaid;          /* figures are not those of the file (overlay.h); listings set it */
	const struct list_column *columns; /* profile_columns(); listings set it */
	const char *glob;       /* NULL, or only what is in files that path_matches() */
	const char *directory;  /* NULL, or only what is in files of this directory or below */
	int least_column;       /* 0, or the column that must be LEAST or more */
	uint64_t least;
	/* LIST_ARC: restrict; 0 = no restriction. site_id may be used for "callees of a site" */
	model_id caller, callee, site;
	bool only_possible;     /* LIST_ARC: leave out arcs that were certainly never taken */
	/* LIST_ARC, with CALLER, CALLEE or SITE: one row for all arcs that have their caller, or
	 * their callee, in common. Its figures are those of all of them; what else is asked for is
	 * that one of them fits, and LEAST that they have it together. It has the place of the one
	 * with the most time (of equal ones, the most calls). The id of a row of several arcs is
	 * above UINT32_MAX; these follow it when that is one of NR_OPEN ids in OPEN. In
	 * LIST_COMPARISON the rows of OPENS (0: nothing) follow the rows of the same ends. */
	enum list_group { GROUP_NOTHING, GROUP_BY_CALLER, GROUP_BY_CALLEE } group;
	const int64_t *open;
	size_t nr_open;
	int opens;
	int64_t like;           /* not grouped, but those of the same row as this one */
	unsigned groups;        /* the table of groups, see arc_groups.h; listings set it */
	/* LIST_LINE, LIST_PROCEDURE, LIST_BLOCK, LIST_SITE, LIST_FILE: of this file only */
	model_id file;
	model_id procedure;     /* LIST_BLOCK, LIST_SITE: of this procedure only */
	uint32_t cycle;         /* LIST_PROCEDURE: of this cycle only */
	uint32_t line, column;  /* LIST_PROCEDURE: only those that begin there; line 0: anywhere */
	model_id defect;        /* LIST_FRAME: of this one only */
	/* With FILE: the first rows are wanted soon, the others perhaps never. The number of rows
	 * is not known then. */
	bool hottest;
	/* LIST_COMPARISON: rows of these things, see compared.h (0: all); caller and callee are
	 * ends of arcs numbered over all profiles. */
	int things;
	bool certain;           /* without rows of a significance of less than CERTAIN */
	const char *sides;      /* NULL, or only: "a", "b", "both" (also changed), "changed" */
};

struct cell {
	bool null;
	int64_t number;         /* for units other than UNIT_TEXT */
	double real;            /* UNIT_VALUE */
	bool whole;             /* UNIT_VALUE: NUMBER is the exact value */
	const char *text;       /* UNIT_TEXT: NUL-terminated */
};

enum { LIST_MAX_COLUMNS = 64 + 2 * MEASURES_MAX };
struct list_row {
	struct cell cells[LIST_MAX_COLUMNS];
	uint64_t arcs;          /* that the row stands for; 0: it is a row of its own */
	bool open, inner;       /* they follow it; it is one of them */
};

/* Makes ROW, of a kind that is in no listing, empty; sets a cell of it. Texts are the caller's. */
void list_row_empty(struct list_row *row);
void list_row_put_number(struct list_row *row, enum list_kind kind, const char *column, int64_t n);
void list_row_put_real(struct list_row *row, enum list_kind kind, const char *column, double v);
void list_row_put_text(struct list_row *row, enum list_kind kind, const char *column,
		   const char *text);

/* Does the sum over rows mean anything? Counts and self times add up, total times do not: the time
 * of a callee is in those of its callers, too. */
bool list_adds_up(const struct list_column *column);
/* Can it be restricted by file, glob and directory? */
bool list_has_files(enum list_kind kind);

/* Sets a function that is called with CONTEXT now and then while rows are summed up; true: stop. */
void profile_poll(struct profile *p, bool (*poll)(void *context), void *context);

struct listing;
struct listing *listing_open(struct profile *p, const struct list_query *q);
/* Begins a listing that listing_work() completes in slices: it goes on until all is done (returns
 * true) or ENOUGH(CONTEXT) says so (false). In between other listings can be used. */
struct listing *listing_begin(struct profile *p, const struct list_query *q);
bool listing_work(struct listing *l, bool (*enough)(void *context), void *context);
/* Is all done? Then listing_rows() is the number of all rows. */
bool listing_ready(const struct listing *l);
/* Do rows come in their order? Then those read so far can be shown; otherwise none before all
 * are. */
bool listing_streams(const struct listing *l);
/* Returns what it does until then: "sorting". */
const char *listing_task(const struct listing *l);
/* Returns how many of the rows looked at so far are left out although there is more source text
 * than the filter looks at. */
uint64_t listing_cut(const struct listing *l);
/* Returns how much of it is done, 0 to 100; about. */
int listing_percent(const struct listing *l);
void listing_close(struct listing *l);
size_t listing_rows(const struct listing *l);
/* How many of them are arcs of a row that is open; the row that row I is an arc of, else I. */
size_t listing_inner_rows(const struct listing *l);
size_t listing_outer_row(const struct listing *l, size_t i);
/* Tells the id of row I; false: there is none. */
bool listing_id(struct listing *l, size_t i, int64_t *id);
/* Returns row I, valid until the next call on this listing; NULL when there is none, or when it is
 * damaged (profile_error()). Its ids are at most column_last_id(), its lines fit their type. */
const struct list_row *listing_row(struct listing *l, size_t i);
/* Returns the row with this id as listing_row() does, wherever it is, wanted or not; but no row of
 * a group. */
const struct list_row *listing_row_of(struct listing *l, int64_t id);
/* Returns the position of the row with this id, or -1: keeps the cursor on it after sorting. */
ptrdiff_t listing_find(struct listing *l, int64_t id);
/* Looks for a row in slices, in a listing that is ready. LISTING_LATER: ENOUGH(CONTEXT) came first,
 * and asking again goes on. */
enum { LISTING_LATER = -2 };
ptrdiff_t listing_find_soon(struct listing *l, int64_t id, bool (*enough)(void *context),
			    void *context);

struct list_sums {
	uint64_t rows;
	int64_t of[LIST_MAX_COLUMNS]; /* of the columns that add up; INT64_MAX: or more */
};
/* Sums up all rows of the listing. Takes time; returns false when stopped. */
bool listing_sums(struct listing *l, struct list_sums *sums);
/* Returns how many rows a kind has. */
uint64_t profile_rows(struct profile *p, enum list_kind kind);
/* Sums up all rows of a kind; the sums are kept. Returns false when stopped. */
bool profile_sums(struct profile *p, enum list_kind kind, struct list_sums *sums);

/* Has this column shares? Times and what adds up have them. */
bool list_has_shares(const struct list_column *column);
/* Returns what shares of this column (an index) refer to: all self time, all waiting, all of a
 * measure, or the sum over all rows. */
uint64_t profile_whole(struct profile *p, enum list_kind kind, int column);
/* Returns the least value that is PPM millionths of WHOLE. */
uint64_t list_least(uint64_t whole, uint32_t ppm);
/* Reads a percentage, "0.5" or "0.5%", as millionths. Returns -1 when it is not from 0 to 100. */
int list_parse_percent(const char *text, uint32_t *ppm);

/* Data that only some profiles have. */
struct profile_optional {
	bool bounds;            /* total times that the counts leave open */
	bool recursion;         /* procedures that call themselves */
	bool builds;            /* rows that some of the runs have nothing of */
	bool foreign;           /* rows of foreign code */
	bool errors;            /* that other tools found */
	bool several;           /* ranks, or runs, that can be compared */
	bool uneven;            /* there are columns of imbalance: see LIST_UNEVEN */
	int names;              /* characters of the longest name of the hottest procedures */
	int paths;              /* of the longest path of a file */
};
void profile_optional(struct profile *p, struct profile_optional *optional);
/* Was nothing of it counted, as of a profile that only has samples? Only its calls, if anything? */
bool profile_is_uncounted(const struct profile *p);
bool profile_lines_are_uncounted(const struct profile *p);
/* Did another tool count calls, and nothing else, as in traces of calls? */
bool profile_counts_only_calls(const struct profile *p);
/* Is there time? Ours is made of samples; another tool may have measured it. */
static inline bool
totals_have_time(const struct profile_totals *t)
{
	return t->self_samples || (t->run.tool && *t->run.tool && t->self_ns);
}
/* Did another tool write it, which measures no time? */
bool profile_is_untimed(const struct profile *p);
/* ... which does not know who calls what? Returns its name then, else NULL. */
const char *profile_without_callers(const struct profile *p);
/* Returns the id of the measure that leads where time does elsewhere, in a profile of another tool
 * that has none; 0: time does. */
unsigned profile_lead(const struct profile *p);

/* ---- source ---- */

struct profile_file {
	model_id id;
	const char *path;
	uint64_t size, hash;
	uint32_t lines;
	enum file_state state;
};
/* Returns the file, which the profile owns. NULL: there is no such file. */
const struct profile_file *profile_file(struct profile *p, model_id id);
/* Returns the file of exactly this path; 0: there is none. */
model_id profile_file_named(struct profile *p, const char *path);
/* Makes P keep few pages from now on: it is one of NR profiles that are open. */
void profile_save_memory(struct profile *p, size_t nr);
/* Returns the stored text, heap, NUL-terminated beyond *SIZE; NULL when it is not stored. */
char *profile_file_text(struct profile *p, model_id id, size_t *size);

/* Figures of rows are by the id of the measure, MEASURE_SAMPLES or MEASURE_CODE; 0 is also that it
 * is not known. Only those of measures without columns of their own can be below 0. */
struct range_row {
	struct place place;
	enum range_kind kind;
	model_id block, procedure;  /* of one of them, when several accumulate */
	uint32_t procedures;        /* number of procedures with code there */
	bool lacking;               /* the count may be too low */
	bool uncounted;             /* it says nothing */
	int64_t self[NR_ROW_FIGURES];
};
/* Reads the ranges of FILE that touch lines FIRST..LAST. Equal ranges accumulate (over procedures:
 * the sum; within one: the greatest, for the text of macros the sum). Outer before inner (by begin
 * ascending, end descending). Heap array, the caller's. */
size_t profile_ranges(struct profile *p, model_id file, uint32_t first, uint32_t last,
		      struct range_row **rows);

/* The same, but only ranges of KIND, also where another kind has the same place. In this and the
 * two functions below a job pauses (util/job.h). If it may be dropped, the caller holds what they
 * put into *ROWS, or *PROCEDURES. */
size_t profile_ranges_of_kind(struct profile *p, model_id file, uint32_t first, uint32_t last,
			      enum range_kind kind, struct range_row **rows);

/* Reads the text of macros (RANGE_MACRO: the uses, RANGE_MACRO_DEFINITION: pieces of the
 * definitions) that belongs to code of PROCEDURES (NR of them, each once), in any file; in the
 * order of the files, otherwise as profile_ranges(). */
size_t profile_macros(struct profile *p, const model_id *procedures, size_t nr,
		      enum range_kind kind, struct range_row **rows);

/* Reads the procedures that use pieces of macros defined on lines FIRST..LAST of FILE, each once.
 * Heap array, the caller's. */
size_t profile_macro_users(struct profile *p, model_id file, uint32_t first, uint32_t last,
			   model_id **procedures);

struct line_row {
	uint32_t line;
	bool lacking, uncounted;    /* as of ranges */
	int64_t self[NR_ROW_FIGURES];
};
size_t profile_lines(struct profile *p, model_id file, uint32_t first, uint32_t last,
		     struct line_row **rows);

/* A stretch of lines with code that were never executed, within one procedure; between them is
 * nothing that was. */
struct never_region {
	model_id file, procedure;   /* 0: in none */
	uint32_t line, end_line;    /* the first and the last of them */
	uint32_t lines;             /* that have code */
};
/* Returns how many there are, and them, in the order of files and lines; P's. It reads all lines at
 * its first call. */
size_t profile_never(struct profile *p, const struct never_region **regions);

struct site_row {
	model_id id, procedure;
	enum site_kind kind;
	struct place place;
	bool uncounted;             /* the count says nothing */
	bool shared;                /* totals that arcs carry up are estimates */
	int64_t total[NR_ROW_FIGURES]; /* its count, and what is below it */
	char target[256];           /* direct: callee's name as shown, else type signature */
};
/* May SITE call PROCEDURE, as far as is known? A direct call does, even if never executed; one
 * through a pointer when the counts allow it. */
bool profile_site_calls(struct profile *p, const struct site_row *site, model_id procedure);
/* Appends the callee of a site, or of an arc (ARC), where it is not one known procedure: a function
 * outside of the profile with MARK_OUTSIDE behind its name; the first few targets of a pointer.
 * Appends nothing if nothing is known. */
#define MARK_OUTSIDE "@outside"
void profile_called_name(struct profile *p, bool arc, model_id id, struct strbuf *out);
size_t profile_sites(struct profile *p, model_id file, uint32_t first, uint32_t last,
		     struct site_row **rows);

struct procedure_row {
	model_id id;
	struct place place;
	char name[1024];
	bool shared, uncounted;     /* as of sites */
	int64_t self[NR_ROW_FIGURES], total[NR_ROW_FIGURES];
	uint32_t cycle;
};
bool profile_procedure(struct profile *p, model_id id, struct procedure_row *row);
/* A procedure in a list of names. */
struct name_row {
	model_id id;
	struct place place;
	const char *name;           /* LENGTH bytes, valid until the next one */
	size_t length;
	uint64_t calls, self_ns;
};
/* Calls TAKE(CONTEXT, ROW) for each procedure, in the order of ids. A job pauses (util/job.h). */
void profile_names(struct profile *p, void (*take)(void *context, const struct name_row *row),
		   void *context);
/* Finds the innermost procedure whose lines hold LINE; false: there is none. */
bool profile_procedure_at(struct profile *p, model_id file, uint32_t line,
			  struct procedure_row *row);
/* Procedures that have their name at one place: instances of a template, or the copies of a
 * header's procedure that units compiled differently. */
struct procedure_copies {
	uint32_t nr;
	uint32_t at;      /* position of the one asked for, hottest first, from 1; 0: none */
	model_id hottest; /* by self time, or else by total, or else by calls; 0: nr is 0 */
};
/* Finds the procedures at PLACE, and the position of ID among them. */
void profile_procedure_copies(struct profile *p, const struct place *place, model_id id,
			      struct procedure_copies *copies);
/* Finds the first procedure with exactly this name; false: there is none. */
bool profile_procedure_named(struct profile *p, const char *name, struct procedure_row *row);
/* Makes the rows of LIST_RANK tell what each rank did in PROCEDURE; before it is NULL. Returns the
 * most self time of a rank there. Failures set profile_error(). */
uint64_t profile_ranks_of(struct profile *p, model_id procedure);
bool profile_site(struct profile *p, model_id id, struct site_row *row);

#endif
