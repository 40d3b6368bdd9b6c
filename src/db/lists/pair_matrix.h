/* Blocks as a matrix: a row for each call that got them, a column for each call that gave them
 * back, and how. Only cells that are not empty are stored. */
#ifndef CGVIEW_DB_PAIR_MATRIX_H
#define CGVIEW_DB_PAIR_MATRIX_H

#include "db/store/profile.h"
#include "util/index.h"

enum pair_figure { PAIR_BYTES, PAIR_BLOCKS, NR_PAIR_FIGURES };
enum pair_side { PAIR_ROWS, PAIR_COLUMNS, NR_PAIR_SIDES };

/* A call that got blocks, or gave them back, with what all of its pairs have. */
struct pair_line {
	model_id site, procedure;    /* 0: not profiled; never given back */
	int how;                     /* of columns: enum disposal_how; else 0 */
	model_id pair;               /* the id of one of its pairs in LIST_PAIR */
	uint64_t figures[NR_PAIR_FIGURES];
};

struct pair_cell {
	uint32_t line[NR_PAIR_SIDES]; /* positions in these */
	model_id pair;                /* its id in LIST_PAIR */
	uint64_t figures[NR_PAIR_FIGURES];
};

struct pair_matrix {
	struct pair_cell *cells;      /* by row, then by column */
	size_t nr, alloc;
	struct pair_lines {
		struct pair_line *lines;
		size_t nr, alloc;
		uint32_t *order[NR_PAIR_FIGURES]; /* positions, the most of the figure first */
		uint32_t *place[NR_PAIR_FIGURES]; /* of each line in the order */
		struct index by_ends;
	} sides[NR_PAIR_SIDES];
	size_t *first;                /* cells of row r: first[r] .. first[r + 1] */
	uint64_t sums[NR_PAIR_FIGURES]; /* of all; UINT64_MAX: or more */
	uint64_t least[NR_PAIR_FIGURES], most[NR_PAIR_FIGURES]; /* of a cell, where it has any */
};

/* Reads the pairs of P that ONLY has (a listing of LIST_PAIR that is ready; NULL: all) into M,
 * which is zeroed. Nothing but pair_matrix_release() may be done with it before that is over: a job
 * pauses. What is damaged is left out, see profile_error(). */
void pair_matrix_read(struct profile *p, struct listing *only, struct pair_matrix *m);
void pair_matrix_release(struct pair_matrix *m);

/* Returns the cell of these lines; NULL: it is empty. */
const struct pair_cell *pair_matrix_cell(const struct pair_matrix *m, uint32_t row,
					 uint32_t column);

#endif
