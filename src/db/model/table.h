/* The tables of a profile. Each column is described once; the schema, the inserts and the reading
 * of whole rows (table_row.h) are made from that. */
#ifndef CGVIEW_DB_TABLE_H
#define CGVIEW_DB_TABLE_H

#include <stddef.h>

#include "db/model/model.h"

/* The kinds of columns, each with the type of the member that it is written from and read into. */
enum holds {
	HOLDS_ID,               /* model_id: of a row of REFERS; 0 is NULL */
	HOLDS_TEXT,             /* const char * */
	HOLDS_WORD,             /* an enum: one of WORDS */
	HOLDS_COUNT,            /* uint64_t; greater ones than INT64_MAX are stored as that */
	HOLDS_KNOWN,            /* uint64_t; COUNT_UNKNOWN is NULL */
	HOLDS_U32,              /* uint32_t */
	HOLDS_SOME,             /* uint32_t; 0 is NULL */
	HOLDS_INT,              /* int */
	HOLDS_TIME,             /* int64_t: since 1970 */
	HOLDS_BOOL,             /* bool */
	HOLDS_FLAG,             /* uint32_t: its BIT */
	HOLDS_REAL,             /* double; NAN is NULL */
	HOLDS_SOME_REAL,        /* double; 0 is NULL */
	HOLDS_SCALAR,           /* struct scalar_value, of any type */
	HOLDS_PLACE,            /* struct place: five columns */
	HOLDS_COMPARED_PLACE,   /* struct place; a part of it may be missing */
	HOLDS_BLOB,             /* struct blob */
	HOLDS_SELF, HOLDS_TOTAL,/* struct figures *: a column for each measure that has none */
};

enum table_column_flag {
	COLUMN_NULL = 1,        /* may be NULL; a text is read as "" then */
	COLUMN_NONE = 2,        /* may be NULL, and is read as NULL */
	COLUMN_NEEDED = 4,      /* an id that is never NULL */
	COLUMN_BEFORE = 8,      /* an id of a row of the same table that stands before it */
	/* Follows from other columns when a profile is solved: not read with the whole model. */
	COLUMN_SOLVED = 16,
	/* Follows from other tables when a profile is written: a member of the side row below. */
	COLUMN_SIDE = 32,
	/* Follows from the counts of arcs, which users pin: see changed.h. */
	COLUMN_CHANGES = 64,
};

struct table_column {
	const char *name;       /* NULL: a place */
	enum holds holds;
	size_t at, size;        /* of the member in the row */
	unsigned flags;         /* enum table_column_flag */
	unsigned bit;           /* HOLDS_FLAG */
	enum table_id refers;      /* HOLDS_ID */
	const char *const *words;
	const char *comment;    /* in the stored schema; NULL: none */
};

struct table {
	const char *name;
	const char *id_comment; /* in the stored schema; NULL: none */
	const struct table_column *columns; /* see table_ends() */
	size_t row;             /* bytes of a row in the model */
	size_t items, nr, alloc; /* offsets in struct model; 0: one row that is in no array */
	size_t figures;         /* offset of a row's figures; 0: it has none */
	const char *with;       /* only profiles with this measure have the table; NULL: all */
	uint32_t since;         /* the first version of the format that has it; 0: all */
};

extern const struct table tables[NR_TABLES];

/* The texts stored for the enums of model.h; index = value, NULL at the end. */
extern const char *const stored_file_states[], *const stored_range_kinds[],
	*const stored_site_kinds[], *const stored_arc_hows[],
	*const stored_combines[], *const stored_inclusives[], *const stored_disposal_hows[],
	*const stored_defect_roles[], *const stored_branch_kinds[],
	*const stored_spread_figures[];

/* Has a profile with these measures, of their version, the table? */
bool table_is_there(const struct table *t, struct measures others);

/* Is C behind the last column? */
bool table_ends(const struct table_column *c);

/* ---- side rows: what the writer works out for a row ---- */

struct part_side {              /* facts about a part that follow from its threads */
	uint32_t pid, tid;      /* of the first thread */
	const char *name, *tids;
	uint64_t threads, cpu_ns, lost_samples, wait_ns, delay_ns;
};
struct file_side {              /* sums over the rows of a file; its text */
	uint64_t code_lines, executed_lines, uncounted_lines, procedures, count;
	SAMPLED_FIGURES(self);
	uint64_t size_bytes;
	const char *hash;
	struct blob text;
	struct figures *figures;
};
struct procedure_side { uint64_t self_sd_ns; };
struct block_side { model_id hottest; };
struct arc_side { model_id caller; };

union table_side {
	struct part_side part;
	struct file_side file;
	struct procedure_side procedure;
	struct block_side block;
	struct arc_side arc;
};

#endif
