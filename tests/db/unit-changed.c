/* Other counts of arcs than the stored ones: what listings, sums, filters and single rows say is
 * compared with the model that they come from, sorted here. */
#include "db/store/changed.h"

#include <sqlite3.h>

#include "db/lists/arc_sums.h"
#include "db/lists/list_spec.h"
#include "db/lists/listing.h"
#include "db/model/table.h"
#include "db/store/connection.h"
#include "db/store/load.h"
#include "sample.h"

/* What a column of a kind must say of row I (from 0). */
static const struct figure {
	enum list_kind kind;
	const char *column;
	uint64_t (*of)(const struct model *m, size_t i);
} figures[];

static uint64_t arc_count(const struct model *m, size_t i) { return m->arcs[i].count; }
static uint64_t arc_time(const struct model *m, size_t i) { return m->arcs[i].propagated_ns; }
static uint64_t total(const struct model *m, size_t i) { return m->procedures[i].propagated_ns; }
static uint64_t cycle(const struct model *m, size_t i) { return m->procedures[i].cycle; }
static uint64_t recursive(const struct model *m, size_t i) { return m->procedures[i].self_calls; }
static uint64_t propagated(const struct model *m, size_t i) { return m->sites[i].propagated_ns; }
static uint64_t cycle_total(const struct model *m, size_t i) { return m->cycles[i].propagated_ns; }
static uint64_t inner(const struct model *m, size_t i) { return m->cycles[i].inner_calls; }

static const struct figure figures[] = {
	{ LIST_ARC, "count", arc_count }, { LIST_ARC, "propagated_ns", arc_time },
	{ LIST_PROCEDURE, "propagated_ns", total }, { LIST_PROCEDURE, "cycle", cycle },
	{ LIST_PROCEDURE, "self_calls", recursive }, { LIST_SITE, "propagated_ns", propagated },
	{ LIST_CYCLE, "propagated_ns", cycle_total }, { LIST_CYCLE, "inner_calls", inner },
};
enum { NR_FIGURES_HERE = sizeof(figures) / sizeof(figures[0]) };

static size_t
rows_in(const struct model *m, enum list_kind kind)
{
	return kind == LIST_ARC ? m->nr_arcs : kind == LIST_SITE ? m->nr_sites :
	       kind == LIST_CYCLE ? m->nr_cycles : m->nr_procedures;
}

/* Each row once, with the model's figure, the greatest first. */
static void
check_order(struct profile *p, const struct model *m, const struct figure *f, uint64_t least)
{
	int column = list_column_find(f->kind, f->column);
	struct list_query q = { .kind = f->kind, .sort = column, .descending = true,
				.least_column = least ? column : 0, .least = least };
	struct listing *l = listing_open(p, &q);
	size_t expected = 0, nr = rows_in(m, f->kind);
	uint64_t before = UINT64_MAX, sum = 0;
	char *seen = xcalloc(nr + 1, 1);
	struct list_sums sums;

	for (size_t i = 0; i < nr; i++)
		if (f->of(m, i) >= least) {
			expected++;
			sum += f->of(m, i);
		}
	if (listing_rows(l) != expected)
		printf("# %s\n", f->column);
	SAME(listing_rows(l), expected);
	for (size_t i = 0; i < listing_rows(l); i++) {
		const struct list_row *row = listing_row(l, i);
		size_t id = row ? (size_t)row->cells[0].number : 0;
		uint64_t n = row ? (uint64_t)row->cells[column].number : 0;

		if (!id || id > nr || seen[id] || n != f->of(m, id - 1) || n > before) {
			printf("# %s: row %zu is %zu with %" PRIu64 "\n", f->column, i, id, n);
			all_same = false;
			break;
		}
		seen[id] = 1;
		before = n;
	}
	SAME(listing_sums(l, &sums), true);
	if (list_adds_up(&list_columns(f->kind)[column]))
		SAME(sums.of[column], sum);
	listing_close(l);
	free(seen);
}

static void
check_rows(struct profile *p, const struct model *m)
{
	int how = list_column_find(LIST_ARC, "how");
	struct listing *l = listing_open(p, &(struct list_query){ .kind = LIST_ARC });
	struct procedure_row row;

	for (size_t i = 0; i < m->nr_arcs; i++)
		same_text(listing_row(l, i)->cells[how].text, stored_arc_hows[m->arcs[i].how],
			  __LINE__);
	listing_close(l);
	for (size_t i = 0; i < m->nr_procedures; i++) {
		SAME(profile_procedure(p, (model_id)i + 1, &row), true);
		SAME(row.cycle, m->procedures[i].cycle);
	}
}

/* The arcs into each procedure: as a list, and as a sum. */
static void
check_callers(struct profile *p, const struct model *m)
{
	int column = list_column_find(LIST_ARC, "count");

	for (model_id callee = 1; callee <= m->nr_procedures; callee++) {
		struct list_query q = { .kind = LIST_ARC, .callee = callee, .sort = column,
					.descending = true };
		struct listing *l = listing_open(p, &q);
		struct arc_sum *s = arc_sum_begin(p, &q);
		struct arc_sums sums = { .count = 0 };
		uint64_t sum = 0, before = UINT64_MAX;

		for (size_t i = 0; i < listing_rows(l); i++) {
			const struct list_row *row = listing_row(l, i);

			SAME((uint64_t)row->cells[column].number > before, false);
			before = (uint64_t)row->cells[column].number;
		}
		for (size_t i = 0; i < m->nr_arcs; i++)
			sum += m->arcs[i].callee == callee ? m->arcs[i].count : 0;
		SAME(arc_sum_work(s, NULL, NULL, &sums), true);
		SAME(sums.count, sum);
		arc_sum_end(s);
		listing_close(l);
	}
}

static void
check(struct profile *p, const struct model *m, const char *what)
{
	all_same = true;
	for (int i = 0; i < NR_FIGURES_HERE; i++) {
		check_order(p, m, &figures[i], 0);
		check_order(p, m, &figures[i], figures[i].of(m, rows_in(m, figures[i].kind) / 2));
	}
	check_rows(p, m);
	check_callers(p, m);
	SAME(profile_rows(p, LIST_CYCLE), m->nr_cycles);
	verdict(all_same && !profile_error(p), what);
}

/* One of EVERY rows gets other figures. */
static void
turn(struct model *m, uint32_t every)
{
	for (size_t i = 0; i < m->nr_arcs; i++) {
		struct model_arc *a = &m->arcs[i];

		if (below(every))
			continue;
		a->count = below(100000);
		a->propagated_ns = below(1000000);
		a->how = (enum arc_how)below(4);
	}
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (!below(every))
			m->procedures[i].propagated_ns = below(1000000000);
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (!below(every))
			m->procedures[i].self_calls = below(1000);
	for (size_t i = 0; i < m->nr_sites; i++)
		if (!below(every))
			m->sites[i].propagated_ns = below(1000000000);
}

/* Also which procedures are in cycles, of which there are NR now. */
static void
turn_cycles(struct model *m, uint32_t nr)
{
	m->nr_cycles = 0;
	for (uint32_t i = 0; i < nr; i++)
		*MODEL_ADD(m, cycles) = (struct model_cycle){
			.members = "a, b", .procedures = 2, .propagated_ns = below(1000000),
			.inner_calls = below(1000),
		};
	for (size_t i = 0; i < m->nr_procedures; i++)
		m->procedures[i].cycle = below(3) ? 0 : below(nr + 1);
}

/* Every figure of every row of the kinds that can change, as a text. */
static void
dump(struct profile *p, struct strbuf *out)
{
	static const enum list_kind kinds[] = { LIST_ARC, LIST_PROCEDURE, LIST_SITE, LIST_CYCLE };

	strbuf_clear(out);
	for (int k = 0; k < 4; k++) {
		struct listing *l = listing_open(p, &(struct list_query){ .kind = kinds[k] });

		for (size_t i = 0; i < listing_rows(l); i++) {
			const struct list_row *row = listing_row(l, i);

			for (int c = 0; row && list_columns(kinds[k])[c].name; c++)
				strbuf_fmt(out, "%d %" PRId64 " %s;", row->cells[c].null,
					   row->cells[c].number, row->cells[c].text);
			strbuf_char(out, '\n');
		}
		listing_close(l);
	}
}

/* Restricted listings, and what the trees ask, look their rows up still. */
static bool
looks_up(struct profile *p, const char *sql)
{
	struct strbuf explain = STRBUF_INIT;
	bool good = true;
	sqlite3_stmt *st;

	strbuf_fmt(&explain, "EXPLAIN QUERY PLAN %s", sql);
	st = profile_prepare(p, explain.buf);
	while (profile_step(p, st)) {
		const char *line = (const char *)sqlite3_column_text(st, 3);

		if (strncmp(line, "SCAN ", 5) && strncmp(line, "MATERIALIZE", 11) &&
		    !strstr(line, "TEMP B-TREE") && !strstr(line, "AUTOMATIC"))
			continue;
		printf("# %s: %s\n", sql, line);
		good = false;
	}
	sqlite3_finalize(st);
	strbuf_release(&explain);
	return good;
}

static void
check_plans(struct profile *p)
{
	static const enum profile_query queries[] = {
		QUERY_SITES, QUERY_SITE, QUERY_SITE_CALLS, QUERY_PROCEDURE, QUERY_CYCLE,
		QUERY_CALLED, QUERY_MEMBERS, QUERY_ARCS_IN, QUERY_ARCS_OUT,
	};
	const struct list_query restricted[] = {
		{ .kind = LIST_ARC, .callee = 1, .sort = 6, .changed = true },
		{ .kind = LIST_ARC, .caller = 1, .sort = 6, .changed = true },
		{ .kind = LIST_PROCEDURE, .file = 1, .sort = 9, .changed = true },
		{ .kind = LIST_SITE, .procedure = 1, .sort = 8, .changed = true },
	};
	struct strbuf sql = STRBUF_INIT;
	bool good = true;

	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
		good &= looks_up(p, profile_queries[queries[i]]);
	for (size_t i = 0; i < sizeof(restricted) / sizeof(restricted[0]); i++) {
		strbuf_clear(&sql);
		listing_ids_sql(&restricted[i], false, &sql);
		good &= looks_up(p, sql.buf);
		strbuf_clear(&sql);
		listing_row_sql(&restricted[i], &sql);
		good &= looks_up(p, sql.buf);
	}
	strbuf_release(&sql);
	verdict(good, "what is changed is looked up, too");
}

int
main(void)
{
	struct strbuf before = STRBUF_INIT, after = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct model m, other;
	struct profile *p = sample_open(&m, "changed.db");

	model_init(&other);
	if (!p || model_load(&other, path, &err) < 0)
		return 1;
	model_release(&other);
	model_init(&other);
	if (model_load_calls(&other, path, &err) < 0)
		return 1;
	/* What the whole model has and its calls have not. */
	for (size_t i = 0; i < other.nr_procedures; i++) {
		other.procedures[i].self_calls = m.procedures[i].self_calls;
		other.procedures[i].total_work = m.procedures[i].total_work;
		other.procedures[i].shared = m.procedures[i].shared;
	}
	for (size_t i = 0; i < other.nr_sites; i++) {
		other.sites[i].propagated_ns = m.sites[i].propagated_ns;
		other.sites[i].total_work = m.sites[i].total_work;
		other.sites[i].shared = m.sites[i].shared;
	}
	for (size_t i = 0; i < m.nr_cycles; i++)
		*MODEL_ADD(&other, cycles) = m.cycles[i];
	for (size_t i = 0; i < other.nr_arcs; i++) {
		other.arcs[i].propagated_ns = m.arcs[i].propagated_ns;
		other.arcs[i].shared = m.arcs[i].shared;
	}
	check(p, &other, "as it is stored");
	dump(p, &before);
	profile_change(p, &other);
	verdict(!profile_changes(p, LIST_ARC), "the same figures change nothing");
	turn(&other, 20);
	profile_change(p, &other);
	check(p, &other, "a few rows");
	check_plans(p);
	turn(&other, 1);
	profile_change(p, &other);
	check(p, &other, "all rows, after a few");
	turn_cycles(&other, CYCLES + 4);
	profile_change(p, &other);
	check(p, &other, "more cycles");
	turn_cycles(&other, 1);
	profile_change(p, &other);
	check(p, &other, "fewer");
	profile_change(p, NULL);
	dump(p, &after);
	verdict(!strcmp(before.buf, after.buf) && !profile_error(p), "and back to what is stored");
	strbuf_release(&before);
	strbuf_release(&after);
	profile_close(p);
	model_release(&other);
	model_release(&m);
	return 0;
}
