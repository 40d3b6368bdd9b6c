/* Reading a profile: what the browser and the reports ask of the database.
 * Everything is opened read-only and hardened (defensive, trusted_schema off, schema checked
 * against ours first). Text that comes out is raw bytes from outside: pass it through
 * util/safe.h. */
#ifndef CGVIEW_DB_PROFILE_H
#define CGVIEW_DB_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model.h"
#include "util/error.h"

struct profile;

/* NULL and ERR filled: not there, not a regular file, empty, not a database, not ours, made by a
 * newer version, damaged. Each message says what to do. */
struct profile *profile_open(const char *path, struct error *err);
/* A profile for this process only, made of another one: FILE, which is unlinked. NAME: what it is
 * called from now on; ONLY: what of that one is in it. */
struct profile *profile_open_temporary(const char *file, const char *name, const char *only,
				       struct error *err);
void profile_close(struct profile *p);
const char *profile_path(const struct profile *p);
/* "threads 2, 5 of 8": whose figures these are; NULL: all that there are. */
const char *profile_only(const struct profile *p);

/* The first query that failed since opening (damaged file, I/O), or NULL. Readers below return
 * empty results then. */
const char *profile_error(const struct profile *p);

struct profile_totals {
	struct model_run run;      /* first run; times, samples, processes summed over all runs */
	uint32_t nr_runs, nr_threads, nr_files;
	uint64_t nr_procedures, nr_blocks, nr_ranges, nr_sites, nr_arcs, nr_cycles;
	uint64_t blocks_executed;  /* sum of block counts */
	uint64_t calls;            /* sum of site counts */
	uint64_t self_ns, self_samples;
	uint64_t max_block_count, max_block_self_ns; /* for heat scales */
	uint64_t max_line_count, max_line_self_ns;
	uint64_t max_procedure_total_ns;
	uint64_t wait_ns;          /* sum of the procedures' self_wait_ns */
	uint64_t max_block_self_wait_ns, max_line_self_wait_ns;
	uint64_t nr_lines, nr_notes; /* rows */
	uint64_t rows_without;     /* procedures, blocks, call sites, lines: with runs_without */
	/* Of the runs that have a baseline, to compare with run.baseline_*. */
	uint64_t based_wall_ns, based_user_ns, based_system_ns;
};
const struct profile_totals *profile_totals(struct profile *p); /* computed once, by the writer */

enum column_unit {
	UNIT_TEXT, UNIT_COUNT, UNIT_NS, UNIT_SAMPLES, UNIT_NUMBER, UNIT_BYTES,
	UNIT_RATIO,             /* made of two others: rounded down, sorted exactly */
	UNIT_VALUE,             /* of an expression: whole or not, positive or not */
	/* What an expression may give besides, which is no column's. */
	UNIT_PERCENT, UNIT_FACTOR, UNIT_GROWTH /* an exponent */, UNIT_DEVIATIONS,
};

/* What it has figures of, by id - 1: the builtin ones first. */
struct measures profile_measures(struct profile *p);
/* How figures of MEASURE are printed: of a word of its own as counts. */
enum column_unit measure_unit(const struct model_measure *measure);
/* Is its unit such a word? */
bool measure_names_unit(const struct model_measure *measure);

/* ---- listings: sorted tables of which a window is fetched ---- */

/* What an id is the id of. */
enum id_of {
	ID_OF_NOTHING, ID_OF_RUN, ID_OF_PART, ID_OF_FILE, ID_OF_PROCEDURE, ID_OF_BLOCK,
	ID_OF_RANGE, ID_OF_SITE, ID_OF_ARC, ID_OF_CYCLE, ID_OF_LINE, ID_OF_NOTE, ID_OF_CONTEXT,
	ID_OF_COMPARISON, ID_OF_METRIC, NR_ID_OF
};

enum list_kind {
	LIST_PROCEDURE, LIST_BLOCK, LIST_SITE, LIST_LINE, LIST_FILE, LIST_DIRECTORY, LIST_ARC,
	LIST_CYCLE, LIST_NOTE, LIST_RUN, LIST_THREAD, LIST_COMPARISON, LIST_NR
};

enum list_column_flag {
	LIST_INDEXED = 1,       /* an index has the order of this column; the plan test checks it */
	LIST_NO_SUM = 2,        /* what is in that of one row is in those of others, too */
	LIST_CHANGES = 4,       /* may be another than the index has: see changed.h */
};

/* A column of a listing: all that is known of it stands in its row of list_spec.c. */
enum { LIST_MAX_TERMS = 4 };
struct list_column {
	const char *name;       /* as in report's CSV header and in cgview-db(5) */
	enum column_unit unit;
	const char *sql;        /* its value in the query for a row */
	/* How rows are sorted in its natural direction (numbers descending, texts and places
	 * ascending), '-': descending; none: by SQL. Equal keys are in the order of ids; the other
	 * direction is the exact reverse. */
	const char *sort[LIST_MAX_TERMS];
	const char *sort_from;  /* NULL: the kind's; else the tables in the order of the loops */
	unsigned flags;         /* enum list_column_flag */
	enum id_of id;          /* what it is the id of */
	const struct model_measure *measure; /* whose figures it has; NULL: of none like that */
};
/* Sorted by what has this unit people want the greatest first. */
static inline bool
unit_descends(enum column_unit unit)
{
	return unit != UNIT_TEXT && unit != UNIT_NUMBER;
}

/* The columns of a kind in P (NULL: in any); the array ends with a NULL name. The first column is
 * always "id", hidden. First stand those that every profile has, then self_NAME and total_NAME of
 * each measure that has them. Of a measure with a formula they are UNIT_VALUE, and only there when
 * all that it names is. */
const struct list_column *profile_columns(const struct profile *p, enum list_kind kind);
int profile_column_find(const struct profile *p, enum list_kind kind, const char *name); /* or -1 */
/* The same of those that every profile has; their indexes are the same in each. */
const struct list_column *list_columns(enum list_kind kind);
int list_column_find(enum list_kind kind, const char *name);
/* Measures whose formulas give no column, "a, b"; NULL: none. */
const char *profile_without_formula(const struct profile *p);

/* Of a whole procedure more would take long, and nobody sees it. */
enum { FILTER_TEXT_MAX = 16384 /* bytes */ };

struct list_query {
	enum list_kind kind;
	/* Column index; 0: id order. Equal keys are in the order of their ids when numbers descend
	 * and texts ascend; the other direction is the exact reverse. */
	int sort;
	bool descending;
	/* NULL, or what util/search.h finds in a text column, the name of the procedure, the path
	 * of the file; of what has a source text that is shown (not of procedures and files) also
	 * there, as lines_excerpt() gives it: in the first FILTER_TEXT_MAX bytes. Of arcs it is
	 * that of the call. */
	const char *filter;
	/* Look at rows in the order of their ids, which is that of their files, whatever they are
	 * sorted by; listings set it when their texts are more than are kept unpacked. */
	bool by_id;
	bool changed;           /* figures are not the stored ones; listings set it */
	const struct list_column *columns; /* profile_columns(); listings set it */
	const char *glob;       /* NULL, or only what is in files that path_matches() */
	const char *directory;  /* NULL, or only what is in files of this directory or below */
	int least_column;       /* 0, or the column that must be LEAST or more */
	uint64_t least;
	/* LIST_ARC: restrict; 0 = no restriction. site_id may be used for "callees of a site" */
	model_id caller, callee, site;
	bool only_possible;     /* LIST_ARC: leave out arcs that were certainly never taken */
	/* LIST_LINE, LIST_PROCEDURE, LIST_BLOCK, LIST_SITE, LIST_FILE: of this file only */
	model_id file;
	model_id procedure;     /* LIST_BLOCK, LIST_SITE: of this procedure only */
	uint32_t cycle;         /* LIST_PROCEDURE: of this cycle only */
	uint32_t line, column;  /* LIST_PROCEDURE: that begin there only; line 0: anywhere */
	/* With FILE: the first rows are wanted soon, the others perhaps never. How many there are
	 * is not known then. */
	bool hottest;
	/* LIST_COMPARISON: rows of this kind, see compared.h (0: all); caller and callee are ends
	 * of arcs numbered over all profiles. */
	int things;
	const char *sides;      /* NULL, or only: "a", "b", "both" (also changed), "changed" */
};

struct cell {
	bool null;
	int64_t number;         /* for units other than UNIT_TEXT */
	double real;            /* UNIT_VALUE */
	bool whole;             /* UNIT_VALUE: NUMBER is exactly it */
	const char *text;       /* UNIT_TEXT: NUL-terminated */
};

enum { LIST_MAX_COLUMNS = 40 + 2 * MEASURES_MAX };
struct list_row { struct cell cells[LIST_MAX_COLUMNS]; };

/* Does the sum over rows mean anything? Counts and self times do, total times do not: what is in
 * that of a callee is in those of its callers, too. */
bool list_adds_up(const struct list_column *column);
/* Can it be restricted by file, glob and directory? */
bool list_has_files(enum list_kind kind);

/* CONTEXT's function is called now and then while rows are summed up; true: stop. */
void profile_poll(struct profile *p, bool (*poll)(void *context), void *context);

struct listing;
struct listing *listing_open(struct profile *p, const struct list_query *q);
/* The same in slices: after listing_begin() listing_work() goes on until all is done (true), or
 * until ENOUGH(CONTEXT) says that it is (false). In between other listings can be used. */
struct listing *listing_begin(struct profile *p, const struct list_query *q);
bool listing_work(struct listing *l, bool (*enough)(void *context), void *context);
/* Is all done? Then listing_rows() is the number of all rows. */
bool listing_ready(const struct listing *l);
/* Do rows come in their order? Then those that are there so far can be shown; else there are none
 * before all is done. */
bool listing_streams(const struct listing *l);
/* Of the rows looked at so far: how many are left out although there is more source text than the
 * filter looks at. */
uint64_t listing_cut(const struct listing *l);
/* How much of it is done, 0 to 100; about. */
int listing_percent(const struct listing *l);
void listing_close(struct listing *l);
size_t listing_rows(const struct listing *l);
/* Row I, valid until the next call on this listing; NULL when there is none, or when it is damaged
 * (profile_error()). Ids in it are at most those of column_last_id(), lines fit their type. */
const struct list_row *listing_row(struct listing *l, size_t i);
/* Position of the row with this id, or -1: keeps the cursor on its row after sorting again. */
ptrdiff_t listing_find(struct listing *l, int64_t id);
/* The same in slices; LISTING_LATER: ENOUGH(CONTEXT) came first, asking again goes on. Of a listing
 * that is ready. */
enum { LISTING_LATER = -2 };
ptrdiff_t listing_find_soon(struct listing *l, int64_t id, bool (*enough)(void *context),
			    void *context);

struct list_sums {
	uint64_t rows;
	uint64_t of[LIST_MAX_COLUMNS]; /* of the columns that add up; UINT64_MAX: or more */
};
/* Over all rows of the listing. Takes time; false: stopped. */
bool listing_sums(struct listing *l, struct list_sums *sums);
/* How many rows a kind has. */
uint64_t profile_rows(struct profile *p, enum list_kind kind);
/* Over all there is of a kind; kept. */
bool profile_sums(struct profile *p, enum list_kind kind, struct list_sums *sums);

/* Are there shares of this column? Of times and of what adds up. */
bool list_has_shares(const struct list_column *column);
/* What shares of this column (an index) are of: all self time, all waiting, all of a measure, or
 * the sum over all rows. */
uint64_t profile_whole(struct profile *p, enum list_kind kind, int column);
/* The least that is PPM millionths of WHOLE. */
uint64_t list_least(uint64_t whole, uint32_t ppm);
/* "0.5" or "0.5%": percent as millionths. -1: it is no number from 0 to 100. */
int list_parse_percent(const char *text, uint32_t *ppm);

/* What not every profile has. */
struct profile_optional {
	bool bounds;            /* total times that the counts leave open */
	bool recursion;         /* procedures that call themselves */
	bool builds;            /* rows of which only some of the runs have anything */
};
void profile_optional(struct profile *p, struct profile_optional *optional);

/* ---- source ---- */

struct profile_file {
	model_id id;
	const char *path;
	uint64_t size, hash;
	uint32_t lines;
	enum file_state state;
};
/* Owned by the profile. NULL: no such file. */
const struct profile_file *profile_file(struct profile *p, model_id id);
/* The file of exactly this path; 0: none. */
model_id profile_file_named(struct profile *p, const char *path);
/* Few pages of P are kept from now on: there are others beside it. */
void profile_save_memory(struct profile *p);
/* The stored text, heap, the caller's, NUL-terminated beyond *SIZE; NULL when not stored. */
char *profile_file_text(struct profile *p, model_id id, size_t *size);

struct range_row {
	struct place place;
	enum range_kind kind;
	model_id block, procedure;  /* of one of them, when several accumulate */
	uint32_t procedures;        /* how many have code there */
	uint64_t count, self_ns, self_samples, self_wait_ns;
	uint64_t self[MEASURES_MAX]; /* of other measures, by slot; so it is below */
};
/* Ranges of FILE that touch lines FIRST..LAST, equal ranges accumulated (over procedures: the sum;
 * within one: the greatest, but for the text of macros the sum), outer before inner (by begin
 * ascending, end descending). Heap array, the caller's. */
size_t profile_ranges(struct profile *p, model_id file, uint32_t first, uint32_t last,
		      struct range_row **rows);

/* The same of KIND alone, also where another kind has the same place. */
size_t profile_ranges_of_kind(struct profile *p, model_id file, uint32_t first, uint32_t last,
			      enum range_kind kind, struct range_row **rows);

/* Text of macros (RANGE_MACRO: the uses, RANGE_MACRO_DEFINITION: pieces of the definitions) that
 * belongs to code of PROCEDURES (NR of them, each once), in whatever files; in the order of the
 * files, else as profile_ranges(). */
size_t profile_macros(struct profile *p, const model_id *procedures, size_t nr,
		      enum range_kind kind, struct range_row **rows);

/* The procedures that have pieces of macros defined on lines FIRST..LAST of FILE, each once. Heap
 * array, the caller's. */
size_t profile_macro_users(struct profile *p, model_id file, uint32_t first, uint32_t last,
			   model_id **procedures);

struct line_row {
	uint32_t line;
	uint64_t count, self_ns, self_samples, self_wait_ns;
	uint64_t self[MEASURES_MAX];
};
size_t profile_lines(struct profile *p, model_id file, uint32_t first, uint32_t last,
		     struct line_row **rows);

struct site_row {
	model_id id, procedure;
	enum site_kind kind;
	struct place place;
	uint64_t count;
	uint64_t total_ns, total_samples; /* sampled below this site */
	uint64_t total_wait_ns;     /* waited below it */
	uint64_t total[MEASURES_MAX];
	char target[256];           /* direct: callee's name as shown, else type signature */
};
/* Does SITE call PROCEDURE, as far as is known? A direct call does, were it never executed; one
 * through a pointer when it may have. */
bool profile_site_calls(struct profile *p, const struct site_row *site, model_id procedure);
size_t profile_sites(struct profile *p, model_id file, uint32_t first, uint32_t last,
		     struct site_row **rows);

struct procedure_row {
	model_id id;
	struct place place;
	char name[1024];
	uint64_t calls, self_ns, self_samples, total_ns, total_samples;
	uint64_t self_wait_ns, total_wait_ns;
	struct figures figures;
	uint32_t cycle;
};
bool profile_procedure(struct profile *p, model_id id, struct procedure_row *row);
/* The innermost procedure whose lines hold LINE; false: none. */
bool profile_procedure_at(struct profile *p, model_id file, uint32_t line,
			  struct procedure_row *row);
/* Procedures that have their name at one place: instances of a template; of a header, one for each
 * unit that made other code of it. */
struct procedure_copies {
	uint32_t nr;
	uint32_t at;      /* which of them, the hottest first, from 1; 0: none of them */
	model_id hottest; /* by its own time, or else by all of it, or else by calls; 0: nr is 0 */
};
/* Those at PLACE, and which of them is ID. */
void profile_procedure_copies(struct profile *p, const struct place *place, model_id id,
			      struct procedure_copies *copies);
/* First procedure with exactly this name; false: none. */
bool profile_procedure_named(struct profile *p, const char *name, struct procedure_row *row);
bool profile_site(struct profile *p, model_id id, struct site_row *row);

#endif
