/* Stores the rows of a profile, bound as table.h describes them. Private to writer.c and
 * writer_rows.c. */
#ifndef CGVIEW_WRITER_ROWS_H
#define CGVIEW_WRITER_ROWS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model/table.h"
#include "db/store/schema.h"
#include "util/mem.h"
#include "util/progress.h"

struct writer {
	const struct model *m;
	sqlite3 *db;
	sqlite3_stmt *st;        /* the insert that runs now */
	int column;              /* last one bound */
	int rc;                  /* sticky: after a failure nothing more is done */
	const struct progress *progress;
	size_t done, work;       /* rows */

	model_id *file_id;       /* [model's id] -> id stored; it follows the order of the paths */
	model_id *file_order;    /* [id stored - 1] -> position in the model */
	model_id *line_order;    /* the same of lines */
	model_id *line_id;       /* [model's id] -> id stored; NULL: the same */
	struct schema schema;
	struct model_measure *measures; /* with the builtin ones */
	struct file_side *files; /* per file of the model; without its text */
	struct part_sums *parts; /* per part */
	int64_t *deviation;      /* self_sd_ns of procedures; -1: not known */
	model_id *hottest;       /* ranges of blocks; 0: none has any time */
	struct strbuf packed;
	struct arena arena;      /* for the row at hand */
	struct arena sums;       /* for the files' figures */
};

struct part_sums {
	struct part_side side;
	uint64_t records;        /* of threads */
	struct strbuf tids, names;
	const char *named[3];    /* the first of these, each another; NULL behind them */
	bool named_more;
};

/* Binds the next column of the insert that runs now. */
static inline void
put_int(struct writer *w, int64_t v)
{
	sqlite3_bind_int64(w->st, ++w->column, v);
}

static inline struct measures
writer_others(const struct writer *w)
{
	return (struct measures){ w->m->measures, w->m->nr_measures, SCHEMA_VERSION };
}

/* Returns the id with which a file of the model is stored; 0: none. */
static inline model_id
writer_file_id(const struct writer *w, model_id file)
{
	return file <= w->m->nr_files ? w->file_id[file] : 0;
}

/* Binds all columns of a row of TABLE behind the id: ROW of the model, SIDE (see table.h). */
void writer_put(struct writer *w, enum table_id table, const void *row,
		const union table_side *side);
/* Writes row I (from 0) of TABLE, with the id it is stored by. */
void writer_put_row(struct writer *w, enum table_id table, size_t i);

#endif
