/* Sorts rows with pauses (util/job.h), which SQLite's sorter does not make: it does all its work
 * before its first row. Keys come from a statement, and are compared as SQLite compares them. */
#ifndef CGVIEW_DB_SORTER_H
#define CGVIEW_DB_SORTER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/mem.h"
#include "util/spill.h"

enum { SORTER_MAX_TERMS = 4 };

struct sorter {
	int nr_terms;
	bool down[SORTER_MAX_TERMS + 1]; /* the last is for the ids, which decide between equals */
	enum sorter_type { SORTER_UNKNOWN, SORTER_INTEGER, SORTER_REAL, SORTER_TEXT }
		types[SORTER_MAX_TERMS];
	uint64_t *keys;          /* by row: its terms, then its id; only rows that are not aside */
	size_t nr, alloc;        /* words */
	struct spill file;       /* rows that are: one sorted run behind the other */
	struct sorter_run { uint64_t at; size_t rows; } *runs;
	size_t nr_runs, runs_alloc, rows_aside;
	bool stays;              /* in memory: no file can be written */
	struct sorter_source *sources; /* these, while they are merged */
	bool failed;             /* the file could not be read */
	struct strbuf texts;     /* keys of text are offsets into it, from 1 */
	uint64_t *recent;        /* offsets of texts, by hash, so that most are stored once */
};

/* Begins an order by NR_TERMS terms and the id; DOWN: which of these NR_TERMS + 1 descend. */
void sorter_init(struct sorter *o, int nr_terms, const bool *down);
void sorter_release(struct sorter *o);

/* Takes a row of ST: its terms are from COLUMN on. */
void sorter_add(struct sorter *o, sqlite3_stmt *st, int column, int64_t id);

/* Very many rows are put aside in a file, sorted, some at a time. Is it time to? A row has 16 to 40
 * bytes here, for as long as the sort takes. */
bool sorter_is_full(const struct sorter *o);
void sorter_put_aside(struct sorter *o);

/* Sorts the rows, once. *IDS (heap, the caller's; set at the end) gets them in order; returns their
 * number. O->failed: the file cannot be read, and there are none. */
size_t sorter_sort(struct sorter *o, int64_t **ids);

#endif
