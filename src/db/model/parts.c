#include "db/model/parts.h"

#include <stdlib.h>
#include <string.h>

#include "db/model/table.h"
#include "util/order.h"

/* ---- entries ---- */

void
part_add(struct part_entries *e, enum part_column column, model_id id, uint64_t value)
{
	if (!value)
		return;
	GROW(e->items, e->nr + 1, e->alloc);
	e->items[e->nr++] = (struct part_entry){ column, id, 0, value };
}

void
part_add_arc(struct part_entries *e, model_id site, model_id callee, uint64_t value)
{
	part_add(e, PART_MEASURED, site, value);
	if (value)
		e->items[e->nr - 1].other = callee;
}

#define MEMBER(id, row, member, ...) \
	{ .table = TABLE_##id, .at = offsetof(struct model_##row, member), __VA_ARGS__ }
#define STACKS(column, id, row, member) \
	[PART_##column##_SAMPLES] = MEMBER(id, row, member.samples, .ns = PART_##column##_NS, \
					   .wait = PART_##column##_WAIT), \
	[PART_##column##_NS] = MEMBER(id, row, member.ns), \
	[PART_##column##_WAIT] = MEMBER(id, row, member.wait_ns)
#define BLOCKS(member) .of_block = offsetof(struct model_block, member)
const struct part_member part_members[PART_NR] = {
	[PART_CALLS] = MEMBER(PROCEDURE, procedure, calls),
	[PART_COUNT] = MEMBER(BLOCK, block, count),
	[PART_LINE_COUNT] = MEMBER(LINE, line, count),
	[PART_SITE_COUNT] = MEMBER(SITE, site, count),
	[PART_BRANCH_COUNT] = MEMBER(BRANCH, branch, count),
	[PART_MEASURED] = { .table = TABLE_SITE },
	STACKS(SELF, PROCEDURE, procedure, self), STACKS(TOTAL, PROCEDURE, procedure, total),
	STACKS(LINE, LINE, line, self), STACKS(SITE, SITE, site, total),
	STACKS(CONTEXT, CONTEXT, context, self),
	[PART_RANGE_SAMPLES] = MEMBER(RANGE, range, self.samples, BLOCKS(self.samples),
				      .ns = PART_RANGE_NS, .wait = PART_RANGE_WAIT),
	[PART_RANGE_NS] = MEMBER(RANGE, range, self.ns, BLOCKS(self.ns)),
	[PART_RANGE_WAIT] = MEMBER(RANGE, range, self.wait_ns, BLOCKS(self.wait_ns)),
	[PART_LINE_TOTAL_SAMPLES] = MEMBER(LINE, line, total_samples, .ns = PART_LINE_TOTAL_NS),
	[PART_LINE_TOTAL_NS] = MEMBER(LINE, line, total_ns),
	[PART_CENTRE_SAMPLES] = MEMBER(PROCEDURE, procedure, centre_samples,
				       .ns = PART_CENTRE_NS),
	[PART_CENTRE_NS] = MEMBER(PROCEDURE, procedure, centre_ns),
};

void
part_add_sampled(struct part_entries *e, enum part_column samples, model_id id,
		 const struct sampled *of)
{
	part_add(e, samples, id, of->samples);
	part_add(e, part_members[samples].ns, id, of->ns);
	if (part_members[samples].wait)
		part_add(e, part_members[samples].wait, id, of->wait_ns);
}

static const size_t disposal_members[] = {
	offsetof(struct model_disposal, blocks), offsetof(struct model_disposal, bytes),
	offsetof(struct model_disposal, life_bytes),
	offsetof(struct model_disposal, lives[0]), offsetof(struct model_disposal, lives[1]),
	offsetof(struct model_disposal, lives[2]), offsetof(struct model_disposal, lives[3]),
	offsetof(struct model_disposal, lives[4]), offsetof(struct model_disposal, lives[5]),
	offsetof(struct model_disposal, lives[6]), offsetof(struct model_disposal, lives[7]),
	offsetof(struct model_disposal, moved), offsetof(struct model_disposal, copied_bytes),
	offsetof(struct model_disposal, grown_bytes),
	offsetof(struct model_disposal, timed), offsetof(struct model_disposal, least_ns),
	offsetof(struct model_disposal, most_ns),
};
enum { NR_DISPOSAL_MEMBERS = sizeof(disposal_members) / sizeof(*disposal_members) };

static const size_t allocation_members[] = {
	offsetof(struct model_allocation, blocks), offsetof(struct model_allocation, bytes),
	offsetof(struct model_allocation, slack_bytes),
	offsetof(struct model_allocation, live_blocks),
	offsetof(struct model_allocation, live_bytes),
	offsetof(struct model_allocation, peak_bytes),
	offsetof(struct model_allocation, freed_blocks),
	offsetof(struct model_allocation, freed_bytes),
	offsetof(struct model_allocation, temporary),
	offsetof(struct model_allocation, life_bytes),
};
enum { NR_ALLOCATION_MEMBERS = sizeof(allocation_members) / sizeof(*allocation_members) };

size_t
part_count_member(uint64_t column)
{
	if (column >= PART_ALLOCATION)
		return column - PART_ALLOCATION < NR_ALLOCATION_MEMBERS
			       ? allocation_members[column - PART_ALLOCATION] : SIZE_MAX;
	return column < PART_DISPOSAL || column - PART_DISPOSAL >= NR_DISPOSAL_MEMBERS
		       ? SIZE_MAX : disposal_members[column - PART_DISPOSAL];
}

void
part_add_disposal(struct part_entries *e, model_id id, const struct model_disposal *d)
{
	for (unsigned i = 0; i < NR_DISPOSAL_MEMBERS; i++)
		part_add(e, (enum part_column)(PART_DISPOSAL + i), id,
			 *(const uint64_t *)((const char *)d + disposal_members[i]));
}

void
part_add_allocation(struct part_entries *e, model_id id, const struct model_allocation *a)
{
	for (unsigned i = 0; i < NR_ALLOCATION_MEMBERS; i++)
		part_add(e, (enum part_column)(PART_ALLOCATION + i), id,
			 *(const uint64_t *)((const char *)a + allocation_members[i]));
}

void
part_entries_release(struct part_entries *e)
{
	free(e->items);
	*e = (struct part_entries){ .items = NULL };
}

static int
compare_entries(const void *a, const void *b)
{
	const struct part_entry *x = a, *y = b;

	COMPARE(x->column, y->column);
	COMPARE(x->id, y->id);
	return x->other < y->other ? -1 : x->other > y->other;
}

/* Returns what two values of COLUMN become together. */
static uint64_t
combined(const struct model *m, enum part_column column, uint64_t a, uint64_t b)
{
	size_t slot = part_is_figure(column) ? (column - PART_FIGURE) / NR_PART_FIGURES
					: m->nr_measures;

	return slot >= m->nr_measures ? count_add(a, b) :
	       (uint64_t)measure_combine(m->measures[slot].combine, (int64_t)a, (int64_t)b);
}

void
part_sum(struct part_entries *e, const struct model *m)
{
	size_t i, n = 0;

	if (e->nr)
		qsort(e->items, e->nr, sizeof(*e->items), compare_entries);
	for (i = 0; i < e->nr; i++)
		if (n && !compare_entries(&e->items[n - 1], &e->items[i]))
			e->items[n - 1].value = combined(m, e->items[i].column,
							 e->items[n - 1].value,
							 e->items[i].value);
		else
			e->items[n++] = e->items[i];
	e->nr = n;
}

enum table_id
part_table(enum part_column column)
{
	/* 0: procedures */
	static const unsigned char figures[NR_PART_FIGURES] = {
		[FIGURE_OF_RANGE] = TABLE_RANGE, [FIGURE_OF_LINE] = TABLE_LINE,
		[FIGURE_BELOW_SITE] = TABLE_SITE, [FIGURE_OF_CONTEXT] = TABLE_CONTEXT,
	};
	unsigned table;

	if (column < PART_NR)
		return part_members[column].table;
	if (column >= PART_DISPOSAL)
		return column < PART_ALLOCATION ? TABLE_DISPOSAL : TABLE_ALLOCATION;
	table = figures[(column - PART_FIGURE) % NR_PART_FIGURES];
	return table ? (enum table_id)table : TABLE_PROCEDURE;
}
_Static_assert(TABLE_TOTALS == 0, "no part has entries of it");

static enum part_column
map_column(enum part_column column, const unsigned *slots)
{
	unsigned figure = column - PART_FIGURE;

	return !part_is_figure(column) || !slots ? column :
	       part_figure(slots[figure / NR_PART_FIGURES],
			   (enum part_figure)(figure % NR_PART_FIGURES));
}

void
part_entries_map(struct part_entries *e, const struct row_ids *ids, const unsigned *slots)
{
	size_t i, nr = 0;

	for (i = 0; i < e->nr; i++) {
		struct part_entry was = e->items[i], is = was;

		is.column = map_column(was.column, slots);
		is.id = ids->of[part_table(was.column)][was.id];
		is.other = ids->of[TABLE_PROCEDURE][was.other];
		if (is.id && !is.other == !was.other)
			e->items[nr++] = is;
	}
	e->nr = nr;
}

/* ---- packing ---- */

/* Appends for each column its number and that of its entries; for each entry how much greater its
 * id is than the one before, for arcs the callee, and the value. */
static void
put_entries(struct strbuf *sb, const struct part_entries *e)
{
	size_t i, k, end;
	model_id last;

	for (i = 0; i < e->nr; i = end) {
		for (end = i; end < e->nr && e->items[end].column == e->items[i].column; end++)
			;
		packed_put(sb, e->items[i].column);
		packed_put(sb, end - i);
		for (k = i, last = 0; k < end; k++) {
			packed_put(sb, e->items[k].id - last);
			if (e->items[k].column == PART_MEASURED)
				packed_put(sb, e->items[k].other);
			packed_put(sb, e->items[k].value);
			last = e->items[k].id;
		}
	}
}

void
part_pack(struct model_part *p, struct part_entries *e, const struct model *m,
	  struct arena *a)
{
	struct strbuf plain = STRBUF_INIT;
	size_t i;

	part_sum(e, m);
	p->samples = p->blocks_executed = 0;
	for (i = 0; i < e->nr; i++) {
		if (e->items[i].column == PART_COUNT)
			p->blocks_executed = count_add(p->blocks_executed, e->items[i].value);
		else if (e->items[i].column == PART_SELF_SAMPLES)
			p->samples = count_add(p->samples, e->items[i].value);
	}
	put_entries(&plain, e);
	packed_make(&p->data, &plain, a);
	strbuf_release(&plain);
}

int
part_store(struct model *m, struct model_part *p, struct part_entries *e, struct error *err)
{
	struct arena a = ARENA_INIT;
	int status;

	part_pack(p, e, m, m->spill ? &a : &m->arena);
	status = packed_spill(&p->data, m, err);
	arena_release(&a);
	return status;
}

static bool
is_column(const struct model *m, uint64_t column)
{
	return (column && column < PART_NR) ||
	       (column >= PART_FIGURE && column - PART_FIGURE < m->nr_measures * NR_PART_FIGURES) ||
	       part_count_member(column) != SIZE_MAX;
}

static void
get_entries(struct packed_reader *b, const struct model *m, struct part_entries *e)
{
	uint64_t column, nr, id, other, value, most;
	size_t rows;

	while (!b->bad && b->p < b->end) {
		column = packed_number(b);
		nr = packed_number(b);
		/* Each takes two bytes at least. */
		b->bad |= !is_column(m, column) || nr > (size_t)(b->end - b->p) / 2;
		if (b->bad)
			return;
		rows = rows_count(m, part_table((enum part_column)column));
		most = part_is_figure(column) ? UINT64_MAX : INT64_MAX;
		GROW(e->items, e->nr + nr, e->alloc);
		for (id = 0; nr; nr--) {
			id += packed_number(b);
			other = column == PART_MEASURED ? packed_number(b) : 0;
			value = packed_number(b);
			b->bad |= !id || id > rows || other > m->nr_procedures || !value ||
				  value > most ||
				  (most == UINT64_MAX && (int64_t)value == INT64_MIN);
			if (b->bad)
				return;
			e->items[e->nr++] = (struct part_entry){
				(enum part_column)column, (model_id)id, (model_id)other, value
			};
		}
	}
}

/* Each sample stood for the same time in profiles of before. */
static void
add_times(struct part_entries *e, size_t from, uint64_t interval_ns)
{
	size_t nr = e->nr, i;

	for (i = from; i < nr; i++) {
		struct part_entry of = e->items[i];
		uint64_t ns = count_product(of.value, interval_ns);

		if (of.column < PART_NR && part_members[of.column].ns)
			part_add(e, part_members[of.column].ns, of.id, ns);
	}
}

static bool
has_times(const struct part_entries *e, size_t from)
{
	for (; from < e->nr; from++)
		if (e->items[from].column == PART_SELF_NS)
			return true;
	return false;
}

int
part_unpack(const struct model_part *p, const struct model *m, struct part_entries *e,
	    struct error *err)
{
	size_t from = e->nr;
	struct packed_reader b;

	packed_begin(&b, &p->data, m);
	if (!b.bad)
		get_entries(&b, m, e);
	if (!b.bad && p->run && p->run <= m->nr_runs && !has_times(e, from))
		add_times(e, from, m->runs[p->run - 1].interval_ns);
	packed_end(&b);
	return b.bad ? error_set(err, "the profile is damaged: the counts of its threads "
				      "contradict its tables") : 0;
}

int
parts_check(const struct model *m, struct error *err)
{
	struct part_entries e = { .items = NULL };
	int status = 0;
	size_t i;

	for (i = 0; i < m->nr_parts && !status; i++) {
		e.nr = 0;
		if (packed_is_there(&m->parts[i].data))
			status = part_unpack(&m->parts[i], m, &e, err);
	}
	part_entries_release(&e);
	return status;
}

void
parts_settle(struct model *m)
{
	if (m->nr_parts != 1)
		return;
	m->parts[0].data = (struct packed){ .size = 0 };
}

/* ---- a model as one part ---- */

/* Adds a figure of the rows of its table. */
static void
add_figures(struct model *m, struct part_entries *e, enum part_figure figure)
{
	enum table_id table = part_table(part_figure(0, figure));
	struct row_array rows = row_array(m, table);
	bool below = figure == FIGURE_BELOW_PROCEDURE || figure == FIGURE_BELOW_SITE;

	for (size_t i = 0; i < *rows.nr; i++) {
		const struct figures *f = *(struct figures **)(*rows.items + i * rows.size +
							       tables[table].figures);

		for (unsigned slot = 0; f && slot < m->nr_measures; slot++) {
			bool follows = m->measures[slot].inclusive == INCLUSIVE_ARCS;

			if (figure != FIGURE_BELOW_PROCEDURE || !follows)
				part_add(e, part_figure(slot, figure), (model_id)i + 1,
					 (uint64_t)figures_get(f, below && !follows, slot));
		}
	}
}

/* Does the member that COLUMN counts follow from others in row I? */
static bool
follows(const struct model *m, enum part_column column, size_t i)
{
	return (column == PART_CALLS && m->procedures[i].flags & PROCEDURE_FOREIGN) ||
	       (column == PART_SITE_COUNT && m->sites[i].block);
}

void
part_of_model(const struct model *m, struct part_entries *e)
{
	size_t i;

	for (enum part_column c = PART_CALLS; c < PART_NR; c++) {
		struct row_array rows = row_array((struct model *)m, part_members[c].table);

		for (i = 0; part_members[c].at && i < *rows.nr; i++)
			if (!follows(m, c, i))
				part_add(e, c, (model_id)i + 1,
					 *(const uint64_t *)(*rows.items + i * rows.size +
							     part_members[c].at));
	}
	for (int f = 0; f < NR_PART_FIGURES; f++)
		add_figures((struct model *)m, e, (enum part_figure)f);
	for (i = 0; i < m->nr_arcs; i++)
		if (m->arcs[i].site)
			part_add_arc(e, m->arcs[i].site, m->arcs[i].callee, m->arcs[i].measured);
	for (i = 0; i < m->nr_disposals; i++)
		part_add_disposal(e, (model_id)i + 1, &m->disposals[i]);
	for (i = 0; i < m->nr_allocations; i++)
		part_add_allocation(e, (model_id)i + 1, &m->allocations[i]);
}

void
parts_of_whole(struct model *m)
{
	struct model_part *p;
	size_t i;
	int rank;

	if (m->nr_parts > 1 || m->nr_runs != 1)
		return;
	rank = m->nr_parts ? m->parts[0].rank : -1;
	p = m->nr_parts ? m->parts : MODEL_ADD(m, parts);
	*p = (struct model_part){ .run = 1, .rank = rank, .samples = m->runs[0].samples };
	for (i = 0; i < m->nr_blocks; i++)
		p->blocks_executed = count_add(p->blocks_executed, m->blocks[i].count);
	for (i = 0; i < m->nr_threads; i++)
		m->threads[i].part = 1;
}
