#include "db/lists/pair_matrix.h"

#include <stdlib.h>

#include "db/model/table.h"
#include "db/store/connection.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/mem.h"
#include "util/order.h"
#include "util/sum.h"

#define QUERY "SELECT id, site, procedure, by_site, by, how, bytes, blocks FROM temp.pair"
enum { ID, SITE, PROCEDURE, BY_SITE, BY, HOW, FIGURES };

/* The statement is given back when the job is dropped, too. */
struct reading {
	struct profile *p;
	sqlite3_stmt *st;
	model_id *only;              /* ids, sorted; NULL: all are wanted */
	size_t nr_only;
};

static void
end_reading(void *what)
{
	struct reading *r = what;

	profile_put_back(r->p, r->st);
	free(r->only);
}

/* ---- those that are wanted ---- */

static int
compare_ids(const void *pa, const void *pb, void *context)
{
	const model_id *a = pa, *b = pb;

	(void)context;
	COMPARE(*a, *b);
	return 0;
}

static void
read_only(struct reading *r, struct listing *only)
{
	size_t nr = listing_rows(only);
	int64_t id;

	r->only = xcalloc(nr + 1, sizeof(*r->only));
	for (size_t i = 0; i < nr && listing_id(only, i, &id); i++)
		r->only[r->nr_only++] = (model_id)id;
	job_sort(r->only, r->nr_only, sizeof(*r->only), compare_ids, NULL);
}

static bool
is_wanted(const struct reading *r, model_id pair)
{
	size_t lo = 0, hi = r->nr_only;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->only[mid] < pair)
			lo = mid + 1;
		else
			hi = mid;
	}
	return !r->only || (lo < r->nr_only && r->only[lo] == pair);
}

/* ---- reading ---- */

static bool
is_line(const void *lines, uint32_t item, const void *key)
{
	const struct pair_line *a = &((const struct pair_lines *)lines)->lines[item], *b = key;

	return a->site == b->site && a->procedure == b->procedure && a->how == b->how;
}

/* Returns the position of the line with the ends of KEY. */
static uint32_t
line_of(struct pair_lines *s, const struct pair_line *key)
{
	uint64_t hash = hash_number(hash_number(hash_number(HASH_START, key->site),
						key->procedure), (uint64_t)key->how);
	uint32_t i = index_find(&s->by_ends, hash, is_line, s, key);

	if (i != INDEX_NONE)
		return i;
	GROW(s->lines, s->nr + 1, s->alloc);
	s->lines[s->nr] = *key;
	index_add(&s->by_ends, hash, (uint32_t)s->nr);
	return (uint32_t)s->nr++;
}

static void
add_pair(struct pair_matrix *m, struct reading *r)
{
	struct profile *p = r->p;
	struct pair_cell cell = { .pair = column_u32(p, r->st, ID) };
	struct pair_line ends[NR_PAIR_SIDES] = {
		{ .site = column_id(p, r->st, SITE, TABLE_SITE),
		  .procedure = column_id(p, r->st, PROCEDURE, TABLE_PROCEDURE) },
		{ .site = column_id(p, r->st, BY_SITE, TABLE_SITE),
		  .procedure = column_id(p, r->st, BY, TABLE_PROCEDURE),
		  .how = column_word(p, r->st, HOW, stored_disposal_hows) },
	};

	for (int f = 0; f < NR_PAIR_FIGURES; f++)
		cell.figures[f] = column_count(p, r->st, FIGURES + f);
	if (column_row_is_damaged(p) || !is_wanted(r, cell.pair))
		return;
	for (int s = 0; s < NR_PAIR_SIDES; s++) {
		ends[s].pair = cell.pair;
		cell.line[s] = line_of(&m->sides[s], &ends[s]);
	}
	GROW(m->cells, m->nr + 1, m->alloc);
	m->cells[m->nr++] = cell;
}

static void
add_figures(struct pair_matrix *m, const struct pair_cell *cell)
{
	for (int f = 0; f < NR_PAIR_FIGURES; f++) {
		uint64_t n = cell->figures[f];

		m->sums[f] = sum_capped(m->sums[f], n);
		if (n > m->most[f])
			m->most[f] = n;
		if (n && (!m->least[f] || n < m->least[f]))
			m->least[f] = n;
		for (int s = 0; s < NR_PAIR_SIDES; s++) {
			uint64_t *sum = &m->sides[s].lines[cell->line[s]].figures[f];

			*sum = sum_capped(*sum, n);
		}
	}
}

static int
compare_cells(const void *pa, const void *pb, void *context)
{
	const struct pair_cell *a = pa, *b = pb;

	(void)context;
	COMPARE(a->line[PAIR_ROWS], b->line[PAIR_ROWS]);
	COMPARE(a->line[PAIR_COLUMNS], b->line[PAIR_COLUMNS]);
	return 0;
}

/* What is sorted, and by which figure. */
struct line_order { const struct pair_lines *of; enum pair_figure by; };

static int
compare_lines_by(const void *context, uint32_t a, uint32_t b)
{
	const struct line_order *o = context;

	COMPARE(o->of->lines[b].figures[o->by], o->of->lines[a].figures[o->by]);
	COMPARE(a, b);
	return 0;
}

static void
order_lines(struct pair_lines *s)
{
	for (int f = 0; f < NR_PAIR_FIGURES; f++) {
		struct line_order by = { s, (enum pair_figure)f };

		job_sort_order(&s->order[f], s->nr, compare_lines_by, &by);
		s->place[f] = xcalloc(s->nr, sizeof(*s->place[f]));
		for (size_t i = 0; i < s->nr; i++)
			s->place[f][s->order[f][i]] = (uint32_t)i;
	}
}

static void
index_rows(struct pair_matrix *m)
{
	size_t row = 0, nr = m->sides[PAIR_ROWS].nr;

	m->first = xcalloc(nr + 1, sizeof(*m->first));
	for (size_t i = 0; i < m->nr; i++)
		while (row < m->cells[i].line[PAIR_ROWS])
			m->first[++row] = i;
	while (row < nr)
		m->first[++row] = m->nr;
}

void
pair_matrix_read(struct profile *p, struct listing *only, struct pair_matrix *m)
{
	struct reading r = { .p = p };
	struct job_hold hold;
	struct job_part part = job_part(0, 0.6);
	uint64_t rows = profile_rows(p, LIST_PAIR), nr = 0;

	job_hold(&hold, end_reading, &r);
	if (only)
		read_only(&r, only);
	r.st = profile_prepare_again(p, QUERY);
	while (r.st && profile_step(p, r.st)) {
		add_pair(m, &r);
		job_progress((double)++nr, (double)rows);
		job_pause(1);
	}
	job_let_go(&hold);
	job_part_end(part);
	part = job_part(0.6, 1);
	job_sort(m->cells, m->nr, sizeof(*m->cells), compare_cells, NULL);
	for (size_t i = 0; i < m->nr; i++) {
		add_figures(m, &m->cells[i]);
		if (i % 16 == 0)
			job_pause(1);
	}
	for (int s = 0; s < NR_PAIR_SIDES; s++)
		order_lines(&m->sides[s]);
	index_rows(m);
	job_part_end(part);
}

void
pair_matrix_release(struct pair_matrix *m)
{
	for (int s = 0; s < NR_PAIR_SIDES; s++) {
		for (int f = 0; f < NR_PAIR_FIGURES; f++) {
			free(m->sides[s].order[f]);
			free(m->sides[s].place[f]);
		}
		free(m->sides[s].lines);
		index_release(&m->sides[s].by_ends);
	}
	free(m->first);
	free(m->cells);
	*m = (struct pair_matrix){ .nr = 0 };
}

const struct pair_cell *
pair_matrix_cell(const struct pair_matrix *m, uint32_t row, uint32_t column)
{
	size_t lo = m->first[row], hi = m->first[row + 1], mid;

	while (lo < hi) {
		mid = lo + (hi - lo) / 2;
		if (m->cells[mid].line[PAIR_COLUMNS] < column)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->first[row + 1] && m->cells[lo].line[PAIR_COLUMNS] == column ? &m->cells[lo]
										  : NULL;
}
