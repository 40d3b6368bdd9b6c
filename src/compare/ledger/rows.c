/* Rows: what begins in each procedure, carried to all that it calls; and what became dearer. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/ledger/parts.h"

/* Functions whose time is that of the bytes they get. */
static const char *const by_bytes[] = {
	"mem", "str", "stp", "wcs", "wmem", "bcopy", "bzero", "read", "pread", "fread", "write",
	"pwrite", "fwrite", "recv", "send", "realloc", "calloc", "__mem", "__str",
};

static bool
takes_bytes(const char *name)
{
	for (size_t i = 0; name && i < sizeof(by_bytes) / sizeof(*by_bytes); i++)
		if (!strncmp(name, by_bytes[i], strlen(by_bytes[i])))
			return true;
	return false;
}

/* ---- making ---- */

struct making {
	struct ledger *l;
	double *prices[2];       /* [procedure]: of one more call; as measured, at equal speed */
	size_t *cycle_row;       /* [cycle]: position + 1 */
	size_t *cycle_size;      /* [cycle]: procedures */
};

static struct ledger_made *
add_row(struct ledger *l, entity_id e)
{
	struct ledger_made *r;

	GROW(l->rows, l->nr_rows + 1, l->rows_alloc);
	r = &l->rows[l->nr_rows++];
	*r = (struct ledger_made){ .procedure = e };
	r->row = (struct ledger_row){
		.name = e ? match_name(l->m, e) : "outside", .changed = l->changed[e],
		.uses = l->procedures[e].affected ? match_uses(l->m, e, 1) : "",
		.under = SIZE_MAX, .hint = "", .runs = NAN,
		.procedure = { l->procedures[e].id[0], l->procedures[e].id[1] },
	};
	return r;
}

static void
add_term(struct ledger_made *r, enum term_kind kind, size_t cell, double n)
{
	GROW(r->terms, r->nr_terms + 1, r->terms_alloc);
	r->terms[r->nr_terms++] = (struct ledger_term){ kind, (uint32_t)cell, n };
}

static struct ledger_item *
add_item(struct ledger_made *r, enum ledger_item_kind kind, const double n[2])
{
	struct ledger_item *item;

	GROW(r->row.items, r->row.nr_items + 1, r->items_alloc);
	item = &r->row.items[r->row.nr_items++];
	*item = (struct ledger_item){ .kind = kind, .n = { n[0], n[1] }, .ns = { NAN, NAN } };
	return item;
}

static void
add_cell_item(struct ledger *l, struct ledger_made *r, const struct ledger_term *t)
{
	const struct ledger_cell *c = &l->cells[t->cell];
	struct ledger_item *item = add_item(r, c->kind, l->counts[t->cell].n);

	item->name = c->name;
	item->price = t->kind != TERM_WORK;
	item->estimated = c->kind == LEDGER_POINTER;
	item->amount = ledger_amount(l, t, false);
	item->raw = ledger_amount(l, t, true);
	for (size_t k = 0; k < 2; k++) {
		item->ns[k] = ledger_cell_time(l, t->cell, k, true);
		if (!c->known)
			item->n[k] = NAN;
	}
	item->larger_data = t->kind == TERM_PRICE && item->amount > 0 && takes_bytes(c->name) &&
			    item->n[0] == item->n[1];
}

/* ---- work ---- */

static void
add_arc_item(struct making *k, struct ledger_made *r, size_t arc, double origin)
{
	struct ledger *l = k->l;
	const struct carry_arc *a = &l->arcs[arc];
	struct ledger_item *item = add_item(r, a->inner ? LEDGER_DEEPER : LEDGER_CALLS, a->n);

	item->name = match_name(l->m, a->callee);
	item->estimated = l->estimated[arc];
	for (size_t side = 0; side < 2; side++)
		item->callee[side] = l->procedures[a->callee].id[side];
	item->raw = origin * k->prices[0][a->callee];
	item->amount = origin * k->prices[1][a->callee];
}

/* Does an arc's change begin in its cycle, not in its caller? There members' changes cancel out. */
static bool
is_of_cycle(const struct making *k, const struct carry_arc *a)
{
	return a->inner && !k->l->changed[a->caller] &&
	       k->cycle_size[k->l->carry.cycle[a->caller]] > 1;
}

/* The row in which an arc's change begins. */
static size_t
row_of_arc(struct making *k, entity_id e, const struct carry_arc *a, size_t *own)
{
	struct ledger *l = k->l;
	size_t *row = own;

	if (is_of_cycle(k, a))
		row = &k->cycle_row[l->carry.cycle[e]];
	if (*row)
		return *row - 1;
	add_row(l, e)->cycle = row != own;
	*row = l->nr_rows;
	return *row - 1;
}

static void
begin_cell(struct making *k, size_t cell, size_t *own)
{
	struct ledger *l = k->l;
	const struct carry_cell *c = &l->counts[cell];
	double origin = c->n[1] - c->n[0] - c->passed;
	struct ledger_term t = { TERM_WORK, (uint32_t)cell, origin };
	struct ledger_made *r;

	if (origin == 0)
		return;
	if (!*own) {
		add_row(l, c->procedure);
		*own = l->nr_rows;
	}
	r = &l->rows[*own - 1];
	add_term(r, t.kind, t.cell, t.n);
	add_cell_item(l, r, &t);
}

/* What begins in E. Arcs of its cycle are noted for later, as others add to that row. */
static void
begin_work(struct making *k, entity_id e)
{
	struct ledger *l = k->l;
	const struct ledger_procedure *p = &l->procedures[e];
	size_t own = 0;

	carry_begin(&l->carry);
	for (size_t i = 0; i < p->nr_cells; i++)
		begin_cell(k, p->first_cell + i, &own);
	for (size_t i = l->carry.first[e]; i < l->carry.first[e + 1]; i++) {
		const struct carry_arc *a = &l->arcs[i];
		double origin = a->n[1] - a->n[0] - a->passed;
		size_t row;

		if (origin == 0)
			continue;
		row = row_of_arc(k, e, a, &own);
		add_arc_item(k, &l->rows[row], i, origin);
		if (!l->rows[row].cycle)
			carry_add(&l->carry, a->callee, origin);
	}
}

/* Adds to a row what has been carried. */
static void
take_carried(struct ledger *l, size_t row)
{
	const struct carry *c = &l->carry;

	for (size_t i = 0; i < c->nr_reached; i++) {
		uint32_t e = c->reached[i];
		const struct ledger_procedure *p = &l->procedures[e];
		double more = l->calls[e][1] - l->calls[e][0];

		for (size_t k = p->first_cell; k < p->first_cell + p->nr_cells; k++)
			if (l->counts[k].passed != 0)
				add_term(&l->rows[row], TERM_WORK, k,
					 c->y[e] * (l->counts[k].passed / more));
	}
}

static void
carry_cycles(struct making *k)
{
	struct ledger *l = k->l;

	for (size_t cycle = 0; cycle < l->nr; cycle++) {
		size_t row = k->cycle_row[cycle];

		if (!row)
			continue;
		carry_begin(&l->carry);
		for (size_t i = 0; i < l->nr_arcs; i++) {
			const struct carry_arc *a = &l->arcs[i];

			if (is_of_cycle(k, a) && l->carry.cycle[a->caller] == cycle)
				carry_add(&l->carry, a->callee,
					  a->n[1] - a->n[0] - a->passed);
		}
		carry_spread(&l->carry);
		take_carried(l, row - 1);
	}
}

/* ---- prices ---- */

/* Executions of lines that only one side has: what they took is in no count that both have. Their
 * time is work where they are what has changed. */
static bool
is_of_lines(const struct ledger *l, const struct ledger_term *t)
{
	const struct ledger_cell *c = &l->cells[t->cell];
	const struct ledger_procedure *p = &l->procedures[c->procedure];
	double more = p->single[1] - p->single[0], amount = ledger_amount(l, t, false);

	return c->kind == LEDGER_OWN && l->changed[c->procedure] && more * amount > 0 &&
	       fabs(more) >= 0.5 * fmax(p->single[0], p->single[1]) &&
	       fabs(more) >= 0.01 * fmax(p->work[0], p->work[1]);
}

static size_t
row_of_work(struct ledger *l, entity_id e, size_t first)
{
	for (size_t i = first; i < l->nr_rows; i++)
		if (l->rows[i].procedure == e && !l->rows[i].cycle && !l->rows[i].price)
			return i;
	add_row(l, e);
	return l->nr_rows - 1;
}

static void
price_cell(struct ledger *l, size_t cell, size_t first_work, size_t rows[2])
{
	const double *n = l->counts[cell].n;
	bool known = l->cells[cell].known;
	struct ledger_term t = { known ? TERM_PRICE : TERM_TIME, (uint32_t)cell, 0 };
	struct ledger_made *r;
	bool lines;

	if (!l->cells[cell].timed || (known && (!(n[0] > 0) || !(n[1] > 0))))
		return;
	lines = known && is_of_lines(l, &t);
	if (lines) {
		r = &l->rows[row_of_work(l, l->cells[cell].procedure, first_work)];
	} else {
		if (!rows[known]) {
			add_row(l, l->cells[cell].procedure)->price = true;
			rows[known] = l->nr_rows;
		}
		r = &l->rows[rows[known] - 1];
	}
	add_term(r, t.kind, t.cell, 0);
	add_cell_item(l, r, &t);
	if (lines) {
		struct ledger_item *item = &r->row.items[r->row.nr_items - 1];
		const double *single = l->procedures[l->cells[cell].procedure].single;

		item->kind = LEDGER_LINES;
		item->price = false;
		item->n[0] = single[0];
		item->n[1] = single[1];
	}
}

static void
price_cells(struct ledger *l, entity_id e, size_t first_work)
{
	const struct ledger_procedure *p = &l->procedures[e];
	size_t rows[2] = { 0, 0 };

	for (size_t i = 0; i < p->nr_cells && !l->head.in_blocks; i++)
		price_cell(l, p->first_cell + i, first_work, rows);
	/* What has no counts is no price. */
	if (rows[0])
		l->rows[rows[0] - 1].time = true;
}

/* ---- kinds ---- */

/* Is it all of what only one side has? */
static bool
is_only(const struct ledger_made *r, size_t side)
{
	double all = 0, only = 0;

	for (size_t i = 0; i < r->row.nr_items; i++) {
		const struct ledger_item *item = &r->row.items[i];

		all += fabs(item->amount);
		only += item->n[!side] == 0 && item->n[side] > 0 ? fabs(item->amount) : 0;
	}
	return r->row.nr_items && only >= 0.9 * all && only > 0;
}

static void
set_kind(const struct ledger *l, struct ledger_made *r)
{
	const struct ledger_item *top = r->row.items;
	bool more = r->row.value.amount > 0;

	if (r->row.value.amount == 0 && top)
		more = top->n[1] > top->n[0];
	if (r->beyond)
		r->row.kind = LEDGER_BEYOND;
	else if (r->time)
		r->row.kind = more ? LEDGER_MORE_TIME : LEDGER_LESS_TIME;
	else if (r->price)
		r->row.kind = more ? LEDGER_DEARER : LEDGER_CHEAPER;
	else if (!l->head.in_blocks && is_only(r, 1) && more)
		r->row.kind = LEDGER_NEW;
	else if (!l->head.in_blocks && is_only(r, 0) && !more)
		r->row.kind = LEDGER_GONE;
	else
		r->row.kind = more ? LEDGER_MORE_WORK : LEDGER_LESS_WORK;
}

static int
compare_items(const void *pa, const void *pb)
{
	const struct ledger_item *a = pa, *b = pb;
	double x = fabs(a->amount), y = fabs(b->amount);

	if (x != y)
		return x < y ? 1 : -1;
	x = fabs(a->n[1] - a->n[0]);
	y = fabs(b->n[1] - b->n[0]);
	if (x != y && !isnan(x) && !isnan(y))
		return x < y ? 1 : -1;
	return a->name && b->name ? strcmp(a->name, b->name) : (int)a->kind - (int)b->kind;
}

static void
name_cycle(struct ledger *l, struct ledger_made *r)
{
	uint32_t cycle = l->carry.cycle[r->procedure];
	entity_id best = r->procedure;
	size_t nr = 0;

	for (entity_id e = 1; e < l->nr; e++) {
		if (l->carry.cycle[e] != cycle)
			continue;
		nr++;
		if (l->calls[e][0] + l->calls[e][1] > l->calls[best][0] + l->calls[best][1])
			best = e;
	}
	r->row.name = match_name(l->m, best);
	if (nr > 1) {
		char *name = xasprintf("%s and %zu in a cycle with it", r->row.name, nr - 1);

		r->row.name = arena_strdup(&l->arena, name);
		free(name);
	}
	r->procedure = best;
	for (size_t k = 0; k < 2; k++) {
		r->row.cycle_of[k] = l->procedures[best].id[k];
		r->row.procedure[k] = 0;
	}
}

static void
finish_row(struct ledger *l, struct ledger_made *r)
{
	ledger_value(l, r->terms, r->nr_terms, &r->row.value);
	r->row.samples = ledger_samples(l, r->terms, r->nr_terms);
	r->row.runs = ledger_runs_for(l, &r->row.value);
	if (r->cycle)
		name_cycle(l, r);
	if (r->row.nr_items)
		qsort(r->row.items, r->row.nr_items, sizeof(*r->row.items), compare_items);
	set_kind(l, r);
}

/* ---- bytes ---- */

static bool
has_other_bytes(const struct ledger *l, entity_id e)
{
	const double *n = l->procedures[e].bytes;

	return l->has_bytes && n[0] != n[1] && fabs(n[1] - n[0]) >= 0.01 * fmax(n[0], n[1]);
}

void
ledger_add_bytes(struct ledger *l)
{
	size_t *of = xcalloc(l->nr, sizeof(*of)); /* rows, + 1 */

	for (size_t i = 0; i < l->nr_rows; i++) {
		const struct ledger_made *r = &l->rows[i];

		if (r->row.claimed && !r->cycle && !of[r->procedure])
			of[r->procedure] = i + 1;
	}
	for (entity_id e = 1; e < l->nr; e++) {
		const double *n = l->procedures[e].bytes;

		if (!has_other_bytes(l, e))
			continue;
		if (!of[e]) {
			struct ledger_row *row = &add_row(l, e)->row;

			row->kind = n[1] > n[0] ? LEDGER_MORE_BYTES : LEDGER_LESS_BYTES;
			row->claimed = true;
			row->value = (struct ledger_value){
				.error = NAN, .least = NAN, .chance = NAN,
			};
			of[e] = l->nr_rows;
		}
		add_item(&l->rows[of[e] - 1], LEDGER_BYTES, n);
	}
	free(of);
}

/* ---- all of them ---- */

static void
find_prices(struct ledger *l)
{
	l->price = xcalloc(l->nr_cells + 1, sizeof(*l->price));
	for (size_t i = 0; i < l->nr_cells; i++) {
		double *n = l->counts[i].n;
		bool b = n[1] > n[0];

		if (!l->cells[i].known)
			n[0] = n[1] = 0;
		else if (n[b] > 0)
			l->price[i][b] = 1 / n[b];
	}
}

/* The prices of one more call of each procedure. */
static double *
price_calls(struct ledger *l, bool raw)
{
	double *phi = xcalloc(l->nr, sizeof(*phi)), *price = xcalloc(l->nr, sizeof(*price));

	for (size_t i = 0; i < l->nr_cells; i++) {
		entity_id e = l->cells[i].procedure;
		struct ledger_term t = { TERM_WORK, (uint32_t)i, l->counts[i].passed };

		if (t.n != 0)
			phi[e] += ledger_amount(l, &t, raw) / (l->calls[e][1] - l->calls[e][0]);
	}
	carry_prices(&l->carry, phi, price);
	free(phi);
	return price;
}

void
ledger_make_rows(struct ledger *l)
{
	struct making k = { .l = l };
	size_t own, *works;

	find_prices(l);
	l->carry = (struct carry){
		.nr = l->nr, .calls = (const double (*)[2])l->calls, .changed = l->changed,
		.cells = l->counts, .nr_cells = l->nr_cells, .arcs = l->arcs,
		.nr_arcs = l->nr_arcs,
	};
	carry_open(&l->carry);
	k.prices[0] = price_calls(l, true);
	k.prices[1] = price_calls(l, false);
	k.cycle_row = xcalloc(l->nr + 1, sizeof(*k.cycle_row));
	k.cycle_size = xcalloc(l->nr + 1, sizeof(*k.cycle_size));
	for (size_t e = 1; e < l->nr; e++)
		k.cycle_size[l->carry.cycle[e]]++;
	works = xcalloc(l->nr + 1, sizeof(*works));
	for (entity_id e = 0; e < l->nr; e++) {
		size_t before = l->nr_rows;

		begin_work(&k, e);
		carry_spread(&l->carry);
		for (own = before; own < l->nr_rows && l->rows[own].cycle; own++)
			;
		if (own < l->nr_rows)
			take_carried(l, own);
		works[e] = own < l->nr_rows ? own + 1 : 0;
	}
	carry_cycles(&k);
	for (entity_id e = 1; e < l->nr; e++)
		price_cells(l, e, works[e] ? works[e] - 1 : l->nr_rows);
	free(works);
	free(k.prices[0]);
	free(k.prices[1]);
	free(k.cycle_row);
	free(k.cycle_size);
	if (!l->head.in_blocks) {
		struct ledger_made *r = add_row(l, 0);

		r->row.name = "";
		r->beyond = true;
		add_term(r, TERM_BEYOND, 0, 0);
	}
	for (size_t i = 0; i < l->nr_rows; i++) {
		finish_row(l, &l->rows[i]);
		job_pause(1);
	}
}
