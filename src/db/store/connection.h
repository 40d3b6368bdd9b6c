/* Inside src/db only: the open connection of struct profile and its statements. */
#ifndef CGVIEW_DB_CONNECTION_H
#define CGVIEW_DB_CONNECTION_H

#include <sqlite3.h>
#include <stdbool.h>

#include "db/lists/compared.h"
#include "db/model/table.h"
#include "db/store/column.h"
#include "db/store/overlay.h"
#include "db/store/profile.h"
#include "util/mem.h"
#include "util/text/search.h"

/* The fixed queries, each prepared at its first use and kept. */
enum profile_query {
	QUERY_RANGES, QUERY_MACROS, QUERY_LINES, QUERY_FORMULAS,
	QUERY_SITES, QUERY_SITE, QUERY_SITE_CALLS, QUERY_SITE_CAN_CALL, QUERY_SITE_CALLED,
	QUERY_ARC_CALLED,
	QUERY_PROCEDURE,
	QUERY_NAMES,
	QUERY_PROCEDURE_AT, QUERY_PROCEDURE_COPIES, QUERY_PROCEDURE_NAMED, QUERY_FILES,
	QUERY_FILE_TEXT, QUERY_OPTIONAL, QUERY_HOTTEST_NAMES,
	QUERY_ALL_ARCS, QUERY_ALL_CALLED, QUERY_CYCLE,
	QUERY_CALLED, QUERY_MEMBERS, QUERY_ARCS_IN, QUERY_ARCS_OUT,
	NR_QUERIES
};
extern const char *const profile_queries[NR_QUERIES];

enum { NR_DISPOSAL_LISTS = 10, KEPT_STATEMENTS = 48 };

struct profile {
	char *path;
	const char *only;        /* see profile_only() */
	const char *name;        /* see profile_name(); NULL: the path */
	sqlite3 *db;
	struct error error;      /* the first failure after opening */
	uint64_t bytes;          /* size of the file */
	model_id last_id[NR_TABLES]; /* see column_last_id() */
	bool row_is_damaged;     /* see column_row_is_damaged() */
	int64_t slices_left;     /* of the step that runs now; see profile_step() */
	struct profile_totals totals;
	struct measures measures, others; /* all measures; the not builtin ones; in the arena */
	const struct list_column *columns[LIST_NR]; /* see profile_columns() */
	const char *without_formula;
	struct arena arena;      /* texts of totals and files */
	struct profile_file *files; /* by id, ascending */
	size_t nr_files, files_alloc;
	bool files_read;
	uint64_t nr_directories;
	bool directories_made;
	struct {
		bool made;
		uint64_t rows;
	} disposal_lists[NR_DISPOSAL_LISTS]; /* see profile_make_disposals() */
	struct {
		bool filled;
		struct job *job; /* fills it; NULL: not begun, or done */
	} imbalance;             /* see profile_make_imbalance() */
	uint64_t group_tables, groups_used; /* bits: those that there are, and are in use */
	struct {
		bool made;
		uint64_t rows;   /* of temp.never */
		struct never_region *regions;
		size_t nr;
	} never;                 /* see profile_never() */
	struct {
		bool read, made;
		unsigned looks;  /* for some, while not all were read */
		struct condition *items; /* by place */
		struct condition_way *ways;
		size_t nr;
		uint64_t rows;   /* of temp.condition */
	} conditions;            /* see db/lists/coverage.h */
	struct {
		bool made;
		uint64_t rows;   /* of temp.coverage, temp.covered */
	} coverage, covered;
	bool compared_made;      /* the table for rows of comparisons exists; see compared.h */
	struct compared_source compared[MAX_COMPARED_THINGS + 1];
	struct stored_rows *stored[MAX_COMPARED_THINGS + 1]; /* read by some of these */
	struct list_sums *sums[LIST_NR]; /* of all rows; NULL: none yet; in arena */
	bool sums_known[LIST_NR]; /* and they are up to date */
	struct {
		bool any;        /* figures that follow from changed calls; see changed.h */
		uint64_t nr_cycles;  /* as they are stored */
		model_id last_cycle;
	} changed;
	struct overlay_source overlay;  /* of which figures are; see overlay.h */
	struct texts *texts;     /* see profile_texts(); NULL: not asked for yet */
	bool (*poll)(void *context);
	void *poll_context;
	bool may_stop, stopped;  /* of the work that goes on now; see profile_may_stop() */
	sqlite3_stmt *statements[NR_QUERIES];
	sqlite3_stmt *kept[KEPT_STATEMENTS]; /* see profile_put_back(): the last one first */
};

/* Prepares SQL. Returns a statement that the caller finalizes; NULL: profile_error() is set. */
sqlite3_stmt *profile_prepare(struct profile *p, const char *sql);

/* The same, but returns a statement from profile_put_back() if one has the same SQL: preparing a
 * statement costs more than reading some rows with it. */
sqlite3_stmt *profile_prepare_again(struct profile *p, const char *sql);
/* In place of sqlite3_finalize(): the last ones are kept, as they were when they were prepared. ST
 * may be NULL. */
void profile_put_back(struct profile *p, sqlite3_stmt *st);

/* Appends TEXT with each comment replaced: "self range r." by the columns of self figures that the
 * table range has, with "r." before each; "self line ?" by parameters with the names of those of
 * lines, numbered by their ids, "total line NULL AS " so by NULL; "=" by what each formula gives
 * for a row of the table line, which is called "l"; any other one by itself, in which '@' is the
 * name, for each of the stored measures without columns of their own. A comma stands before
 * each. */
void profile_with_measures(const struct profile *p, const char *text, struct strbuf *sql);

/* Returns a fixed query, reset and without bindings; NULL: profile_error() is set. */
sqlite3_stmt *profile_query(struct profile *p, enum profile_query query);
/* Prepares QUERY for the caller alone, who finalizes it: others may use the fixed one while a job
 * pauses. */
sqlite3_stmt *profile_own_query(struct profile *p, enum profile_query query);

/* Goes one step; returns true when there is a row. Failures set profile_error(). A statement may
 * not work longer than the size of the file can explain: pages that contain each other would keep
 * it busy for ever. */
bool profile_step(struct profile *p, sqlite3_stmt *st);

/* Longer values than SCHEMA_VALUE_MAX are an error before they are read: a damaged file's would
 * fill the memory, once for each row that they are joined to. Only steps between this with true and
 * with false read what is long by its nature: compressed texts, and counts of parts. */
void profile_large_values(struct profile *p, bool yes);

/* Reports that there are more rows than the file has room for. */
void profile_endless(struct profile *p);

/* Begins (YES) or ends work that profile_poll() may stop. Returns whether it was stopped. */
bool profile_may_stop(struct profile *p, bool yes);

/* Functions for conditions, with what is bound to a parameter first:
 *   has(filter, text)       search.h finds it; FILTER is bound as a pointer PROFILE_FILTER
 *   is_named(filter, id)    it is found in the name of that procedure
 *   is_in_text(filter, file, range, line, column, end_line, end_column)
 *                           it is found in the source text of the place, or of the range when
 *                           there is one of that id, as lines_excerpt() gives it
 *   is_in_text_of(filter, profile, file, line, column, end_line, end_column)
 *                           the same of a place in another profile, bound as PROFILE_HOLDER;
 *                           with no end_column: in the line
 *   in_glob(glob, path)     path_matches()
 *   in_directory(directory, path)   the file is in it, or in one below; "." has all relative paths
 */
#define PROFILE_FILTER "filter"
#define PROFILE_HOLDER "holder"
struct filter {
	struct search search;
	struct profile *profile;
	sqlite3_stmt *name;      /* reads the name of a procedure; NULL: not needed yet */
	unsigned char *known;    /* by procedure; NULL: none is known */
	sqlite3_stmt *range;     /* reads the place of a range; NULL: not needed yet */
	struct strbuf excerpt;
	size_t looked_at;        /* bytes of source text since the last look at the clock */
	bool cut;                /* the text looked at last was longer than FILTER_TEXT_MAX */
};
void filter_release(struct filter *f);
int profile_functions(sqlite3 *db);

/* Executes SQL that gives no rows. */
void profile_execute(struct profile *p, const char *sql);

/* Makes the temporary table of a listing of disposals, or of a span, once; *ROWS: how many it has.
 * Returns false if KIND is no such listing. That of imbalance, which may take long, stays empty
 * until profile_make_imbalance(). */
bool profile_make_disposals(struct profile *p, enum list_kind kind, uint64_t *rows);

/* Makes and fills the table of imbalance, once. A job pauses; what it has done is kept when it is
 * dropped, and the next one goes on. */
void profile_make_imbalance(struct profile *p);

/* Makes the temporary table of the directories, once. */
void profile_make_directories(struct profile *p);

/* Makes the virtual table "compared_row" for rows of comparisons, once. A row's id is the first id
 * of its things plus its position among them. */
#define COMPARED_ID(things) ((int64_t)(things) << 40)
void profile_make_compared(struct profile *p);

/* Resets the work counted for ST, a statement that is executed again and again. */
void profile_step_anew(sqlite3_stmt *st);

/* Makes the columns of all kinds, once, when the measures are known. */
void profile_make_columns(struct profile *p);

/* Limits the work of statements. Called once, when the connection is open. */
void profile_limit_work(struct profile *p);

/* Returns the byte of a statement that the last error is about; -1: none, or SQLite is older than
 * 3.38, which tells only the words. */
static inline int
sql_error_place(sqlite3 *db)
{
#if SQLITE_VERSION_NUMBER >= 3038000
	return sqlite3_error_offset(db);
#else
	(void)db;
	return -1;
#endif
}

#endif
