/* Sorts rows with pauses (util/job.h), which SQLite's sorter does not make: it does all its work
 * before its first row. Keys come from a statement, and are compared as SQLite compares them. */
#ifndef CGVIEW_DB_SORTER_H
#define CGVIEW_DB_SORTER_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/mem.h"

enum { SORTER_MAX_TERMS = 4 };

struct sorter {
	int nr_terms;
	bool down[SORTER_MAX_TERMS + 1]; /* the last is for the ids, which decide between equals */
	enum sorter_type { SORTER_UNKNOWN, SORTER_INTEGER, SORTER_REAL, SORTER_TEXT }
		types[SORTER_MAX_TERMS];
	uint64_t *keys;          /* by row: its terms, then its id */
	size_t nr, alloc;        /* words */
	struct strbuf texts;     /* keys of text are offsets into it, from 1 */
	uint64_t *recent;        /* offsets of texts, by hash, so that most are stored once */
};

/* Begins an order by NR_TERMS terms and the id; DOWN: which of these NR_TERMS + 1 descend. */
void sorter_init(struct sorter *o, int nr_terms, const bool *down);
void sorter_release(struct sorter *o);

/* Takes a row of ST: its terms are from COLUMN on. */
void sorter_add(struct sorter *o, sqlite3_stmt *st, int column, int64_t id);

/* Sorts the rows, once. *IDS (heap, the caller's; set at the end) gets them in order; returns their
 * number. */
size_t sorter_sort(struct sorter *o, int64_t **ids);

#endif
