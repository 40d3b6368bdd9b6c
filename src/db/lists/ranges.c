/* Reads source ranges, and makes those of one place one. */
#include <stdlib.h>

#include "db/model/table.h"
#include "db/store/connection.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/order.h"
#include "util/sum.h"

struct found_range {
	struct range_row row;
	uint32_t number;     /* of the block in its procedure */
};

struct found {
	struct found_range *ranges;
	size_t nr, alloc;
	sqlite3_stmt *st;        /* own one of what pauses; else NULL */
};

static void
release(void *found)
{
	struct found *f = found;

	sqlite3_finalize(f->st);
	free(f->ranges);
}

static int
compare_places(const struct place *a, const struct place *b)
{
	COMPARE(a->file, b->file);
	COMPARE(a->line, b->line);
	COMPARE(a->column, b->column);
	COMPARE(b->end_line, a->end_line);
	COMPARE(b->end_column, a->end_column);
	return 0;
}

static int
compare_found(const void *pa, const void *pb, void *context)
{
	const struct found_range *a = pa, *b = pb;
	int c = compare_places(&a->row.place, &b->row.place);

	(void)context;
	if (c)
		return c;
	COMPARE(a->row.kind, b->row.kind);
	COMPARE(a->row.procedure, b->row.procedure);
	COMPARE(a->number, b->number);
	COMPARE(a->row.block, b->row.block);
	return 0;
}

/* The figures of one place. Of several kinds (a statement that is a whole macro use) the first one
 * counts. Within a procedure the blocks at one place are parts of one thing, which is executed as
 * often as its most frequent part; but the text of a macro has a range for each of its uses. Over
 * procedures (inline ones in headers, templates) counts add up. */
struct sum {
	uint64_t before;         /* of the procedures before the last range's */
	uint64_t here;           /* of the procedure of the last range */
};

static void
add_range(struct range_row *row, struct sum *sum, const struct found_range *last,
	  const struct found_range *next)
{
	uint64_t count = next->row.self[MEASURE_COUNT];

	if (next->row.procedure != last->row.procedure) {
		sum->before = sum_capped(sum->before, sum->here);
		sum->here = count;
		row->procedures++;
	} else if (next->row.kind == RANGE_MACRO_DEFINITION) {
		sum->here = sum_capped(sum->here, count);
	} else if (count > sum->here) {
		sum->here = count;
	}
	row->self[MEASURE_COUNT] = sum_capped(sum->before, sum->here);
}

/* Adds the figures of another range at the place of ROW, but for its count. */
static void
add_figures(const struct profile *p, struct range_row *row, const struct range_row *next)
{
	row->lacking |= next->lacking;
	row->uncounted &= next->uncounted;
	for (unsigned id = 1; id < NR_ROW_FIGURES; id++) {
		enum measure_combine how = id <= p->measures.nr ? p->measures.items[id - 1].combine
								: COMBINE_SUM;

		if (id != MEASURE_COUNT)
			row->self[id] = figure_combine(how, row->self[id], next->self[id]);
	}
}

/* Computes the formulas from the figures of ROW, when all of them are added up. */
static void
compute_formulas(struct profile *p, struct range_row *row)
{
	sqlite3_stmt *st = profile_query(p, QUERY_FORMULAS);
	const uint64_t ids = column_figure_ids(p, TABLE_RANGE, false);

	/* What a range does not have is NULL. */
	for (unsigned id = 1; st && id < NR_ROW_FIGURES; id++)
		if (id == MEASURE_COUNT || ids >> id & 1)
			sqlite3_bind_int64(st, (int)id, row->self[id]);
	if (profile_step(p, st))
		column_values(p, st, 1, row->self);
}

static bool
has_formulas(const struct profile *p)
{
	size_t i = 0;

	while (i < p->others.nr && !p->others.items[i].formula)
		i++;
	return i < p->others.nr;
}

/* Makes one row of each place. A job pauses. */
static size_t
accumulate(struct profile *p, struct found *found, struct range_row **rows)
{
	const bool formulas = has_formulas(p);
	struct sum sum = { 0, 0 };
	size_t out = 0;

	job_sort(found->ranges, found->nr, sizeof(*found->ranges), compare_found, NULL);
	*rows = xcalloc(found->nr, sizeof(**rows));
	for (size_t i = 0; i < found->nr; i++, job_pause(1)) {
		const struct found_range *next = &found->ranges[i];
		struct range_row *row = out ? &(*rows)[out - 1] : NULL;

		if (!row || compare_places(&row->place, &next->row.place)) {
			(*rows)[out++] = next->row;
			sum = (struct sum){ 0, next->row.self[MEASURE_COUNT] };
			continue;
		}
		add_figures(p, row, &next->row);
		if (next->row.kind == row->kind)
			add_range(row, &sum, next - 1, next);
	}
	for (size_t i = 0; i < out; i++, job_pause(1)) {
		(*rows)[i].self[MEASURE_WORK] = (*rows)[i].self[MEASURE_COUNT];
		if (formulas)
			compute_formulas(p, &(*rows)[i]);
	}
	return out;
}

/* ---- fetching ---- */

enum { ANY_KIND = -1 };

/* Reads all rows of ST that have KIND. A job pauses if the statement is FOUND's. */
static void
fetch(struct profile *p, sqlite3_stmt *st, int kind, struct found *found)
{
	struct found_range *f;
	enum range_kind is;

	while (profile_step(p, st)) {
		if (st == found->st)
			job_pause(1);
		is = (enum range_kind)column_word(p, st, 5, stored_range_kinds);
		if (kind != ANY_KIND && (int)is != kind)
			continue;
		GROW(found->ranges, found->nr + 1, found->alloc);
		f = &found->ranges[found->nr];
		f->row = (struct range_row){ .kind = is, .procedures = 1 };
		column_place(p, st, 0, &f->row.place);
		f->row.block = column_id(p, st, 6, TABLE_BLOCK);
		f->row.procedure = column_id(p, st, 7, TABLE_PROCEDURE);
		f->number = column_u32(p, st, 9);
		f->row.lacking = column_count(p, st, 10) != 0;
		column_figures(p, st, 11, TABLE_RANGE, false, f->row.self);
		f->row.self[MEASURE_COUNT] = column_count(p, st, 8);
		f->row.uncounted = is_uncounted(f->row.self[MEASURE_COUNT],
						column_count(p, st, 10));
		found->nr += !column_row_is_damaged(p);
	}
}

static void
fetch_lines(struct profile *p, sqlite3_stmt *st, model_id file, uint32_t first, uint32_t last,
	    int kind, struct found *found)
{
	if (!st)
		return;
	sqlite3_bind_int64(st, 1, file);
	sqlite3_bind_int64(st, 2, first);
	sqlite3_bind_int64(st, 3, last);
	fetch(p, st, kind, found);
}

size_t
profile_ranges(struct profile *p, model_id file, uint32_t first, uint32_t last,
	       struct range_row **rows)
{
	struct found found = { 0 };
	bool still = job_still(true); /* the statement is anybody's */
	size_t nr;

	fetch_lines(p, profile_query(p, QUERY_RANGES), file, first, last, ANY_KIND, &found);
	nr = accumulate(p, &found, rows);
	job_still(still);
	release(&found);
	return nr;
}

size_t
profile_ranges_of_kind(struct profile *p, model_id file, uint32_t first, uint32_t last,
		       enum range_kind kind, struct range_row **rows)
{
	struct found found = { .st = profile_own_query(p, QUERY_RANGES) };
	struct job_hold hold;
	size_t nr;

	job_hold(&hold, release, &found);
	fetch_lines(p, found.st, file, first, last, (int)kind, &found);
	nr = accumulate(p, &found, rows);
	job_let_go(&hold);
	return nr;
}

size_t
profile_macros(struct profile *p, const model_id *procedures, size_t nr, enum range_kind kind,
	       struct range_row **rows)
{
	struct found found = { .st = profile_own_query(p, QUERY_MACROS) };
	struct job_hold hold;
	size_t out;

	job_hold(&hold, release, &found);
	for (size_t i = 0; i < nr && found.st; i++, job_pause(1)) {
		sqlite3_reset(found.st);
		profile_step_anew(found.st);
		sqlite3_bind_int64(found.st, 1, procedures[i]);
		fetch(p, found.st, (int)kind, &found);
	}
	out = accumulate(p, &found, rows);
	job_let_go(&hold);
	return out;
}

static int
compare_ids(const void *a, const void *b, void *context)
{
	const model_id *x = a, *y = b;

	(void)context;
	return (*x > *y) - (*x < *y);
}

size_t
profile_macro_users(struct profile *p, model_id file, uint32_t first, uint32_t last,
		    model_id **procedures)
{
	struct found found = { .st = profile_own_query(p, QUERY_RANGES) };
	struct job_hold hold;
	size_t i, nr = 0;

	job_hold(&hold, release, &found);
	fetch_lines(p, found.st, file, first, last, RANGE_MACRO_DEFINITION, &found);
	*procedures = xcalloc(found.nr, sizeof(**procedures));
	for (i = 0; i < found.nr; i++)
		(*procedures)[i] = found.ranges[i].row.procedure;
	job_sort(*procedures, found.nr, sizeof(**procedures), compare_ids, NULL);
	for (i = 0; i < found.nr; i++)
		if (!nr || (*procedures)[nr - 1] != (*procedures)[i])
			(*procedures)[nr++] = (*procedures)[i];
	job_let_go(&hold);
	return nr;
}
