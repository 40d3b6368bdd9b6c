/* Rows of a model's tables, handled by what table.h says of their columns: so a column is mapped,
 * compared and hashed wherever rows are, and nobody else names it. */
#ifndef CGVIEW_DB_ROWS_H
#define CGVIEW_DB_ROWS_H

#include "db/model/model.h"

/* The array that a table's rows are in: of size NR, with room for ALLOC. */
struct row_array {
	char **items;
	size_t *nr, *alloc, size; /* SIZE: of a row */
};
struct row_array row_array(struct model *m, enum table_id table);
size_t rows_count(const struct model *m, enum table_id table);

/* By table: [old id] -> new id, [0] is 0. NULL: the ids of that table stay. */
struct row_ids { model_id *of[NR_TABLES]; };
void row_ids_release(struct row_ids *ids);

/* The members of a table's rows that get other ids. */
enum { ROW_REFERENCES_MAX = 6 };
struct row_references {
	int nr;
	struct { size_t at; const model_id *to; } members[ROW_REFERENCES_MAX];
};
/* Returns those that IDS has new ids for, files of places among them; IDS must stay. */
struct row_references row_references(enum table_id table, const struct row_ids *ids);
/* Gives the members of ROW their new ids. */
void row_map(const struct row_references *references, void *row);
/* Does so in all rows of M. */
void rows_map(struct model *m, const struct row_ids *ids);

/* What tells the rows of a table apart: some of its columns. */
enum { ROW_KEY_MAX = 6 };
struct row_key {
	enum table_id table;
	int nr;
	struct { unsigned holds, at, refers; } columns[ROW_KEY_MAX]; /* of struct table_column */
};

/* Returns the key of the columns with NAMES, which end with NULL: those in the database; "place"
 * is all of a place. */
struct row_key row_key(enum table_id table, const char *const names[]);

/* Compares A and B by KEY, as if IDS (NULL: none) had been mapped. Texts that are NULL are "". */
int row_compare(const struct row_key *key, const void *a, const void *b,
		const struct row_ids *ids);
bool row_same(const struct row_key *key, const void *a, const void *b);
uint64_t row_hash(const struct row_key *key, const void *row);

/* Copies the texts of ROW into ARENA; NULL stays. */
void row_own(enum table_id table, void *row, struct arena *arena);

/* Adds the counts of FROM to those of TO, both rows of TABLE, but for what follows when a profile
 * is solved; of what may be missing (HOLDS_SOME) TO gets the greater. Figures of measures are
 * figures_combine()'s. */
void model_add_row(enum table_id table, void *to, const void *from);

#endif
