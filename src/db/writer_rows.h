/* The rows that the writer of profiles stores: of each table one function that binds a row. Private
 * to writer.c and writer_rows.c. */
#ifndef CGVIEW_WRITER_ROWS_H
#define CGVIEW_WRITER_ROWS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model.h"
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

	model_id *file_id;       /* [model's id] -> id stored; in the order of the paths */
	model_id *file_order;    /* [id stored - 1] -> position in the model */
	size_t *line_order;      /* lines by file and line */
	model_id *line_id;       /* [model's id] -> id stored; NULL: the same */
	struct file_sums *file_sums; /* per file of the model */
	struct part_sums *part_sums; /* per part */
	int64_t *spread;         /* self_sd_ns of procedures; -1: not known */
	model_id *hottest;       /* ranges of blocks; 0: none has any time */
	struct strbuf packed;
	struct arena arena;      /* of the row at hand */
};

struct file_sums { uint64_t lines, executed, procedures, count, samples, ns, wait_ns; };

struct part_sums {               /* what its threads say about a part */
	const struct model_thread *first;
	uint64_t threads, records, cpu_ns, lost_samples, wait_ns, delay_ns;
	struct strbuf tids;
};

/* Bind the next column of the insert that runs now. */
static inline void
put_int(struct writer *w, int64_t v)
{
	sqlite3_bind_int64(w->st, ++w->column, v);
}

/* SQLite's integers are signed. */
static inline void
put_count(struct writer *w, uint64_t v)
{
	put_int(w, v > INT64_MAX ? INT64_MAX : (int64_t)v);
}

/* The id with which a file of the model is stored; 0: none. */
static inline model_id
writer_file_id(const struct writer *w, model_id file)
{
	return file <= w->m->nr_files ? w->file_id[file] : 0;
}

struct writer_table {
	const char *name;
	size_t nr;      /* offset of its number of rows in struct model */
	/* Bind row I (from 0): all columns behind the id. */
	void (*bind)(struct writer *w, size_t i);
};
/* In the order in which they are written. */
extern const struct writer_table writer_tables[];
extern const size_t writer_nr_tables;

#endif
