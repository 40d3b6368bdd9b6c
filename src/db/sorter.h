/* Rows put in order a slice at a time, which SQLite's own sorter cannot do: it does all its work
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
	bool down[SORTER_MAX_TERMS + 1]; /* the last: of the ids, which decide between equals */
	enum sorter_type { SORTER_UNKNOWN, SORTER_INTEGER, SORTER_REAL, SORTER_TEXT }
		types[SORTER_MAX_TERMS];
	uint64_t *keys;          /* by row: its terms, then its id */
	size_t nr, alloc;        /* words */
	struct strbuf texts;     /* what keys of text are offsets into, from 1 */
	uint64_t *recent;        /* by their hash: offsets of texts, so that most are there once */
	/* merging, where it was left */
	uint64_t *left;          /* a copy of the left run; NULL: none is being merged */
	size_t width, at;        /* rows in a run; where the pair begins */
	size_t nr_left, i, j, k, end;
	int64_t *ids;            /* what comes out of the last merge */
};

/* An order by NR_TERMS terms and the id; DOWN: which of these descend, NR_TERMS + 1 of them. */
void sorter_init(struct sorter *o, int nr_terms, const bool *down);
void sorter_release(struct sorter *o);

/* Take a row of ST: its terms are from COLUMN on. */
void sorter_add(struct sorter *o, sqlite3_stmt *st, int column, int64_t id);

/* Go on sorting until ENOUGH(CONTEXT) (NULL: to the end). True: done, and *IDS (heap, the caller's
 * from then on) has them in order, *NR of them. Nothing can be added once this was called. */
bool sorter_sort(struct sorter *o, bool (*enough)(void *context), void *context, int64_t **ids,
		size_t *nr);

/* How much of the sorting is done, 0 to 100. */
int sorter_percent(const struct sorter *o);

#endif
