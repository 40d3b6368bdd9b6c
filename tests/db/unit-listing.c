/* Listings: in every order, from both ends, restricted and filtered; the plans of all queries. */
#include "db/lists/listing.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/list_spec.h"
#include "db/store/connection.h"
#include "sample.h"

/* All rows of a listing, asked for in an order that jumps: the ends first. */
static int64_t *
ids_of(struct profile *p, const struct list_query *q, size_t *nr)
{
	struct listing *l = listing_open(p, q);
	int64_t *ids;

	*nr = listing_rows(l);
	ids = xcalloc(*nr, sizeof(*ids));
	for (size_t k = 0; k < *nr; k++) {
		size_t i = k % 2 ? *nr - 1 - k / 2 : k / 2;
		const struct list_row *row = listing_row(l, i);

		ids[i] = row ? row->cells[0].number : -1;
		if (row && k % 37 == 0)
			SAME(listing_find(l, ids[i]), i);
	}
	SAME(listing_row(l, *nr) == NULL, true);
	SAME(listing_find(l, 1 << 30), (ptrdiff_t)-1);
	listing_close(l);
	return ids;
}

/* Sorted both ways: one is the reverse of the other, nothing is twice, neighbours are in order. */
static void
test_sorting(struct profile *p, enum list_kind kind, int column)
{
	struct list_query q = { .kind = kind, .sort = column, .descending = true };
	bool text = list_columns(kind)[column].unit == UNIT_TEXT;
	const char *name = list_columns(kind)[column].name;
	size_t nr, nr_up;
	int64_t *down = ids_of(p, &q, &nr), *up;
	struct listing *l;
	char *seen = xcalloc(nr + 1, 1);
	struct cell before = { 0 };
	char before_text[200] = "";
	bool own_last = kind == LIST_ARC && !strcmp(name, "total_ns");
	int64_t caller = -1, callee = -1;

	q.descending = false;
	up = ids_of(p, &q, &nr_up);
	SAME(nr, nr_up);
	for (size_t i = 0; i < nr && i < nr_up; i++) {
		SAME(down[i], up[nr - 1 - i]);
		SAME(up[i] < 1 || (size_t)up[i] > nr || seen[up[i]], false);
		if (up[i] >= 1 && (size_t)up[i] <= nr)
			seen[up[i]] = 1;
	}
	l = listing_open(p, &q);
	/* By file means by place; files are in the order of their paths. */
	for (size_t i = 0; i < nr; i++) {
		const struct list_row *row = listing_row(l, i);
		const struct cell *c = &row->cells[column];

		/* What a procedure calls of itself comes last, whatever time it has. */
		if (own_last) {
			bool before_own = i && callee == caller && callee > 0;

			callee = row->cells[list_column_find(kind, "callee_id")].number;
			caller = row->cells[list_column_find(kind, "caller_id")].number;
			if (i && before_own != (callee == caller && callee > 0)) {
				SAME(before_own, true);
				before = (struct cell){ 0 };
			}
		}
		if (i && text && strcmp(before_text, c->null ? "" : c->text) > 0) {
			printf("# by %s: '%s' before '%s'\n", name, before_text, c->text);
			all_same = false;
		}
		if (i && !text && !before.null && before.number > c->number) {
			printf("# by %s: %" PRId64 " before %" PRId64 "\n", name, before.number,
			       c->number);
			all_same = false;
		}
		before = *c;
		snprintf(before_text, sizeof(before_text), "%s", c->null ? "" : c->text);
	}
	listing_close(l);
	free(up);
	free(down);
	free(seen);
}

static void
test_listings(struct profile *p)
{
	all_same = true;
	for (int kind = LIST_PROCEDURE; kind < LIST_NR; kind++) {
		for (int c = 0; list_columns((enum list_kind)kind)[c].name; c++)
			test_sorting(p, (enum list_kind)kind, c);
	}
	verdict(all_same, "listings in the order of every column, both ways, from both ends");
}

static size_t
rows_of(struct profile *p, const struct list_query *q)
{
	size_t nr;

	free(ids_of(p, q, &nr));
	return nr;
}

static void
test_filters(struct profile *p, const struct model *m)
{
	size_t callers = 0, of_file = 0, named = 0, of_site = 0, callees = 0;
	struct list_query q = { .kind = LIST_ARC, .callee = 5, .sort = 6, .descending = true };
	model_id site = m->arcs[1].site;

	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];

		callers += a->callee == 5 && a->hi;
		of_site += a->site == site || a->through == site;
		callees += (a->site || a->through) &&
			   m->sites[(a->site ? a->site : a->through) - 1].procedure == 3;
	}
	for (size_t i = 0; i < m->nr_blocks; i++)
		of_file += m->blocks[i].place.file == 2 && m->blocks[i].procedure == 4;
	for (size_t i = 0; i < m->nr_procedures; i++)
		named += strchr(m->procedures[i].name, '3') || m->procedures[i].place.file == 30;
	all_same = true;
	q.only_possible = true;
	SAME(rows_of(p, &q), callers);
	q = (struct list_query){ .kind = LIST_ARC, .site = site };
	SAME(rows_of(p, &q), of_site);
	q = (struct list_query){ .kind = LIST_ARC, .caller = 3 };
	SAME(rows_of(p, &q), callees);
	q = (struct list_query){ .kind = LIST_BLOCK, .file = stored_file[2], .procedure = 4 };
	SAME(rows_of(p, &q), of_file);
	q = (struct list_query){ .kind = LIST_PROCEDURE, .filter = "3" };
	SAME(rows_of(p, &q), named);
	q.filter = "P3"; /* capitals matter when there are any */
	SAME(rows_of(p, &q), 0);
	q.filter = "^p[0-9]*3$";
	SAME(rows_of(p, &q) > 0 && rows_of(p, &q) < named, true);
	q.filter = "%"; /* not a pattern */
	SAME(rows_of(p, &q), 0);
	q.filter = "'";
	SAME(rows_of(p, &q), 0);
	q.filter = "";
	SAME(rows_of(p, &q), PROCEDURES);
	q = (struct list_query){ .kind = LIST_LINE, .filter = "src/a[.]c" };
	SAME(rows_of(p, &q), rows_of(p, &(struct list_query){ .kind = LIST_LINE,
							       .file = stored_file[2] }));
	q = (struct list_query){ .kind = LIST_NOTE, .filter = "0%" };
	SAME(rows_of(p, &q), 1);
	q.filter = "0_";
	SAME(rows_of(p, &q), 0);
	q = (struct list_query){ .kind = LIST_ARC, .filter = "outside" };
	SAME(rows_of(p, &q) > 0, true);
	verdict(all_same, "listings restricted and filtered");
}

/* Sums, the restriction by least value, and by file, against a walk over all rows. */
static void
test_sums_of(struct profile *p, const struct list_query *wanted)
{
	struct list_query all = { .kind = wanted->kind };
	struct listing *l = listing_open(p, &all), *few = listing_open(p, wanted);
	int file = list_column_find(wanted->kind, "file");
	struct list_sums sums = { .rows = 0 }, expected = { .rows = 0 };
	const struct list_row *row;

	for (size_t i = 0; (row = listing_row(l, i)); i++) {
		const char *path = file < 0 || row->cells[file].null ? "" : row->cells[file].text;

		if (wanted->glob && strcmp(path, "/src/a.c"))
			continue;
		if (wanted->directory && strncmp(path, "/src/", 5))
			continue;
		if (wanted->least_column &&
		    (uint64_t)row->cells[wanted->least_column].number < wanted->least)
			continue;
		expected.rows++;
		for (int c = 1; list_columns(wanted->kind)[c].name; c++)
			if (__builtin_add_overflow(expected.of[c], row->cells[c].number,
						   &expected.of[c]))
				expected.of[c] = INT64_MAX;
	}
	SAME(listing_sums(few, &sums), true);
	SAME(sums.rows, expected.rows);
	SAME(listing_rows(few), expected.rows);
	for (int c = 1; list_columns(wanted->kind)[c].name; c++)
		SAME(sums.of[c], list_adds_up(&list_columns(wanted->kind)[c]) ? expected.of[c] : 0);
	listing_close(few);
	listing_close(l);
}

static void
test_sums(struct profile *p)
{
	int self = list_column_find(LIST_BLOCK, "self_ns");
	struct list_sums sums;

	all_same = true;
	for (int kind = LIST_PROCEDURE; kind < LIST_NR; kind++)
		test_sums_of(p, &(struct list_query){ .kind = (enum list_kind)kind });
	for (int kind = LIST_PROCEDURE; kind <= LIST_FILE; kind++) {
		test_sums_of(p, &(struct list_query){ .kind = (enum list_kind)kind,
						      .glob = "a.c" });
		test_sums_of(p, &(struct list_query){ .kind = (enum list_kind)kind,
						      .directory = "/src" });
	}
	for (uint64_t least = 1; least < 1000000000; least *= 10)
		test_sums_of(p, &(struct list_query){ .kind = LIST_BLOCK, .least_column = self,
						      .least = least });
	SAME(profile_sums(p, LIST_PROCEDURE, &sums), true);
	SAME(sums.of[list_column_find(LIST_PROCEDURE, "self_ns")], profile_totals(p)->self_ns);
	verdict(all_same, "sums, of all rows and of those that a restriction leaves");
}

/* ---- in slices ---- */

static bool
stop_at_once(void *context)
{
	++*(int *)context;
	return true;
}

/* The ids as SQLite itself sorts them, of what the conditions leave. */
static size_t
ids_by_sqlite(struct profile *p, const struct list_query *q, const char *where, int64_t **ids)
{
	const struct list_spec *s = &list_specs[q->kind];
	const struct list_column *sort = &list_columns(q->kind)[q->sort];
	struct strbuf sql = STRBUF_INIT;
	size_t nr = 0, alloc = 0;
	sqlite3_stmt *st;
	struct sort_term term;
	bool natural = list_sort_term(sort, 0, &term) && term.down == q->descending;

	strbuf_fmt(&sql, "SELECT %s FROM %s %s ORDER BY ", s->id,
		   sort->sort_from ? sort->sort_from : s->from, where);
	for (int i = 0; list_sort_term(sort, i, &term); i++)
		strbuf_fmt(&sql, "%s %s, ", term.sql, term.down == natural ? "DESC" : "ASC");
	strbuf_fmt(&sql, "%s %s", s->id, natural ? "ASC" : "DESC");
	st = profile_prepare(p, sql.buf);
	*ids = NULL;
	while (profile_step(p, st)) {
		GROW(*ids, nr + 1, alloc);
		(*ids)[nr++] = sqlite3_column_int64(st, 0);
	}
	sqlite3_finalize(st);
	strbuf_release(&sql);
	return nr;
}

/* Stopped wherever it can be, with other questions in between. True: it was stopped. */
static bool
test_slices_of(struct profile *p, const struct list_query *q, const char *where)
{
	int64_t *ids;
	size_t nr = ids_by_sqlite(p, q, where, &ids), before = 0;
	struct listing *l = listing_begin(p, q), *other;
	int stops = 0, percent = 0, calls = 0;

	while (!listing_work(l, stop_at_once, &stops) && ++calls < 100000) {
		SAME(listing_ready(l), false);
		SAME(listing_rows(l) < before || listing_percent(l) < percent, false);
		SAME(listing_rows(l) && !listing_streams(l), false);
		before = listing_rows(l);
		percent = listing_percent(l);
		if (before && listing_row(l, before - 1))
			SAME(listing_row(l, before - 1)->cells[0].number, ids[before - 1]);
		if (calls % 16)
			continue;
		other = listing_open(p, &(struct list_query){ .kind = q->kind });
		listing_close(other);
	}
	SAME(listing_ready(l), true);
	SAME(percent <= 100, true);
	SAME(listing_rows(l), nr);
	for (size_t i = 0; i < nr; i++) {
		const struct list_row *row = listing_row(l, i);

		SAME(row ? row->cells[0].number : -1, ids[i]);
	}
	listing_close(l);
	free(ids);
	return stops > 0;
}

static void
test_slices(struct profile *p)
{
	size_t stopped = 0;

	all_same = true;
	for (int kind = LIST_PROCEDURE; kind < LIST_NR; kind++) {
		struct list_query q = { .kind = (enum list_kind)kind };

		for (; list_columns(q.kind)[q.sort].name; q.sort++) {
			q.descending = !q.descending;
			stopped += test_slices_of(p, &q, "");
			q.descending = !q.descending;
			test_slices_of(p, &q, "");
			if (q.kind == LIST_PROCEDURE) {
				q.filter = "3";
				test_slices_of(p, &q, "WHERE p.name LIKE '%3%' OR p.linkage_name "
					       "LIKE '%3%' OR p.file IN (SELECT id FROM file "
					       "WHERE path LIKE '%3%')");
				q.filter = NULL;
			}
		}
	}
	SAME(stopped > 20, true);
	verdict(all_same && !profile_error(p),
		"sorting and filtering in slices, as SQLite would have sorted");
}

static int64_t
line_number(struct listing *l, size_t i)
{
	const struct list_row *row = listing_row(l, i);

	return row ? row->cells[0].number : -1;
}

/* Whoever asks only for the first ones gets the same. */
static void
test_hottest(struct profile *p)
{
	struct list_query q = { .kind = LIST_LINE, .descending = true, .file = stored_file[2],
				.sort = list_column_find(LIST_LINE, "count") };
	struct listing *all = listing_open(p, &q), *few;
	int stops = 0;
	ptrdiff_t at = LISTING_LATER;

	all_same = true;
	q.hottest = true;
	few = listing_open(p, &q);
	SAME(listing_rows(all) > 1, true);
	for (size_t i = 0; i <= listing_rows(all); i++)
		SAME(line_number(few, i), line_number(all, i));
	listing_close(few);
	listing_close(all);
	q = (struct list_query){ .kind = LIST_LINE, .sort = q.sort };
	all = listing_open(p, &q);
	while (at == LISTING_LATER && stops < 1000)
		at = listing_find_soon(all, line_number(all, LINES - 1), stop_at_once, &stops);
	SAME(at, (ptrdiff_t)LINES - 1);
	listing_close(all);
	verdict(all_same && !profile_error(p), "the hottest lines of a file, one by one");
}

/* ---- plans ---- */

static bool
plan_of(struct profile *p, const char *sql, struct strbuf *plan)
{
	struct strbuf explain = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_clear(plan);
	strbuf_str(&explain, "EXPLAIN QUERY PLAN ");
	strbuf_str(&explain, sql);
	st = profile_prepare(p, explain.buf);
	while (profile_step(p, st)) {
		strbuf_str(plan, (const char *)sqlite3_column_text(st, 3));
		strbuf_str(plan, "; ");
	}
	strbuf_release(&explain);
	sqlite3_finalize(st);
	return st != NULL;
}

static void
plan_is(const char *what, const struct strbuf *plan, bool good)
{
	if (good)
		return;
	printf("# %s: %s\n", what, plan->buf);
	all_same = false;
}

/* Rows of a subquery are found by it, and it has a limit; halving needs few steps; there are eight
 * size classes, which later versions of SQLite name otherwise. */
static bool
scans_table(const char *plan)
{
	static const char *const few[] = { "(subquery", "CONSTANT ROW;", "halves;", "first;",
					   "8 CONSTANT ROWS;", "8-ROW VALUES", "sizes;" };
	const size_t nr = sizeof(few) / sizeof(few[0]);
	size_t i;

	while ((plan = strstr(plan, "SCAN "))) {
		plan += strlen("SCAN ");
		for (i = 0; i < nr && strncmp(plan, few[i], strlen(few[i])); i++)
			;
		if (i == nr)
			return true;
	}
	return false;
}

static void
test_plans(struct profile *p)
{
	struct strbuf plan = STRBUF_INIT, sql = STRBUF_INIT, row = STRBUF_INIT;
	/* Small tables that are wanted whole. */
	const char *const whole[NR_QUERIES] = {
		[QUERY_FILES] = "SCAN file; ",
		/* The row is made of parameters. */
		[QUERY_FORMULAS] = "CO-ROUTINE l; SCAN CONSTANT ROW; SCAN l; ",
		/* Row by row, in slices. */
		[QUERY_ALL_ARCS] = "SCAN arc; ",
		[QUERY_ALL_CALLED] = "SCAN procedure; ",
		[QUERY_NAMES] = "SCAN procedure; ",
		/* Once, and stops at the first hit. */
		[QUERY_OPTIONAL] = "SCAN CONSTANT ROW; SCALAR SUBQUERY 1; SCAN procedure; "
				   "SCALAR SUBQUERY 2; SCAN procedure; "
				   "SCALAR SUBQUERY 3; SCAN totals; "
				   "SCALAR SUBQUERY 4; SEARCH procedure USING INDEX "
				   "procedure_by_place (file=?); "
				   "SCALAR SUBQUERY 5; SEARCH file; ",
		[QUERY_HOTTEST_NAMES] = "SCAN procedure USING INDEX procedure_by_self; ",
	};

	all_same = plan_of(p, profile_queries[QUERY_RANGES], &plan);
	plan_is("ranges", &plan, strstr(plan.buf, "SEARCH r USING INDEX range_by_place "
					"(file=? AND <expr>=? AND line>? AND line<?); "
					"SEARCH b USING INTEGER PRIMARY KEY") != NULL);
	verdict(all_same, "the query for ranges reads a part of the index for each size class");
	all_same = true;
	for (int i = 0; i < NR_QUERIES; i++) {
		all_same &= plan_of(p, profile_queries[i], &plan);
		if (whole[i])
			plan_is(profile_queries[i], &plan, !strcmp(plan.buf, whole[i]));
		else
			plan_is(profile_queries[i], &plan, !scans_table(plan.buf) &&
				!strstr(plan.buf, "TEMP B-TREE"));
	}
	verdict(all_same, "no fixed query reads a whole table or sorts");
	all_same = true;
	for (int kind = LIST_PROCEDURE; kind < LIST_NR; kind++) {
		bool compared = kind == LIST_COMPARISON;
		struct list_query q = { .kind = (enum list_kind)kind, .things = compared };

		/* Of a virtual table plans tell what its own decision was: by id. */
		strbuf_clear(&row);
		listing_row_sql(&q, &row);
		all_same &= plan_of(p, row.buf, &plan);
		plan_is("row", &plan, compared ? strstr(plan.buf, "VIRTUAL TABLE INDEX 1:") != NULL
					       : !scans_table(plan.buf));
		for (; list_columns(q.kind)[q.sort].name; q.sort++) {
			if (!listing_is_indexed(&q))
				continue;
			for (int way = 0; way < 4; way++) {
				strbuf_clear(&sql);
				q.descending = way & 1;
				listing_ids_sql(&q, way & 2, &sql);
				all_same &= plan_of(p, sql.buf, &plan);
				plan_is(sql.buf, &plan, !strstr(plan.buf, "TEMP B-TREE"));
			}
		}
	}
	verdict(all_same, "rows come by key, sorted listings from an index");
	all_same = true;
	const struct list_query restricted[] = {
		{ .kind = LIST_ARC, .callee = 1, .sort = 6 },
		{ .kind = LIST_ARC, .caller = 1, .sort = 6 },
		{ .kind = LIST_ARC, .site = 1, .sort = 6 },
		{ .kind = LIST_LINE, .file = 1, .sort = 3 },
		{ .kind = LIST_PROCEDURE, .file = 1, .sort = 4 },
		{ .kind = LIST_BLOCK, .procedure = 1, .sort = 7 },
		{ .kind = LIST_BLOCK, .file = 1, .sort = 7 },
		{ .kind = LIST_SITE, .procedure = 1, .sort = 8 },
		{ .kind = LIST_SITE, .file = 1, .sort = 8 },
	};
	for (size_t i = 0; i < sizeof(restricted) / sizeof(restricted[0]); i++) {
		strbuf_clear(&sql);
		listing_ids_sql(&restricted[i], false, &sql);
		all_same &= plan_of(p, sql.buf, &plan);
		plan_is(sql.buf, &plan, strstr(plan.buf, "SEARCH ") && !strstr(plan.buf, "SCAN "));
	}
	verdict(all_same, "restricted listings look their rows up");
	strbuf_release(&plan);
	strbuf_release(&row);
	strbuf_release(&sql);
}

/* The default order of the summary: time, then calls. */
static void
test_default_order(struct profile *p)
{
	struct list_query q = { .kind = LIST_PROCEDURE, .descending = true,
				.sort = list_column_find(LIST_PROCEDURE, "self_ns") };
	struct listing *l = listing_open(p, &q);
	int64_t ns = INT64_MAX, calls = INT64_MAX;

	all_same = true;
	for (size_t i = 0; i < listing_rows(l); i++) {
		const struct list_row *row = listing_row(l, i);

		SAME(row->cells[5].number <= ns, true);
		SAME(row->cells[5].number < ns || row->cells[4].number <= calls, true);
		ns = row->cells[5].number;
		calls = row->cells[4].number;
	}
	listing_close(l);
	verdict(all_same, "procedures by self time, then calls");
}

/* ---- arcs that have an end in common ---- */

/* Of the model: all arcs between an end and another one. */
struct expected {
	uint64_t arcs, count, lo, hi, samples, most_ns, most_count;
	bool estimated;
};

static model_id
caller_of(const struct model *m, const struct model_arc *a)
{
	return a->site || a->through
		       ? m->sites[(a->site ? a->site : a->through) - 1].procedure : 0;
}

static struct expected
expect(const struct model *m, model_id caller, model_id callee)
{
	struct expected e = { 0 };
	uint64_t most = 0;

	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];

		if (caller_of(m, a) != caller || a->callee != callee || !a->hi)
			continue;
		e.arcs++;
		e.count += a->count;
		e.lo += a->lo;
		e.hi += a->hi;
		most = a->hi > most ? a->hi : most;
		e.samples += a->pair_samples;
		e.estimated |= a->how == ARC_ESTIMATED;
	}
	/* All of them together are no more calls than the callee has. */
	if (callee && m->procedures[callee - 1].calls > most)
		most = m->procedures[callee - 1].calls;
	e.hi = e.hi > most ? most : e.hi;
	return e;
}

/* The arcs that follow row I, which is open, are those of its ends. Returns how many. */
static size_t
check_inner(struct listing *l, size_t i, model_id caller, model_id callee, uint64_t arcs)
{
	int callers = list_column_find(LIST_ARC, "caller_id");
	int callees = list_column_find(LIST_ARC, "callee_id");
	const struct list_row *row;
	size_t nr = 0;

	for (; (row = listing_row(l, i + 1 + nr)) && row->inner; nr++) {
		SAME(row->arcs, 0);
		SAME(row->cells[callers].number, caller);
		SAME(row->cells[callees].number, callee);
		SAME(listing_outer_row(l, i + 1 + nr), i);
	}
	SAME(nr, arcs);
	return nr;
}

/* All rows of Q against the model. Returns the sum of the arcs they stand for. */
static uint64_t
check_rows(struct profile *p, const struct model *m, const struct list_query *q)
{
	static const char *const names[] = { "caller_id", "callee_id", "count", "lo", "hi",
					     "total_samples", "how" };
	struct listing *l = listing_open(p, q);
	const struct list_row *row;
	uint64_t arcs = 0, before = UINT64_MAX;
	size_t inner = 0;
	int c[7];

	for (int i = 0; i < 7; i++)
		c[i] = list_column_find(LIST_ARC, names[i]);
	for (size_t i = 0; (row = listing_row(l, i)); i++) {
		model_id ends[2] = { (model_id)row->cells[c[0]].number,
				     (model_id)row->cells[c[1]].number };
		struct expected e = expect(m, ends[0], ends[1]);

		arcs += row->arcs ? row->arcs : 1;
		if (!ends[0] || !ends[1]) { /* what is outside is not one procedure */
			inner += row->open ? row->arcs : 0;
			i += row->open ? row->arcs : 0;
			continue;
		}
		SAME(row->arcs ? row->arcs : 1, e.arcs);
		SAME(row->cells[0].number > UINT32_MAX, row->arcs > 1);
		SAME(row->cells[c[2]].number, e.count);
		SAME(row->cells[c[3]].number, e.lo);
		SAME(row->cells[c[4]].number, e.hi);
		if (row->arcs)
			SAME(row->cells[c[5]].number, e.samples);
		SAME(!strcmp(row->cells[c[6]].text, "estimated"), e.estimated);
		SAME((uint64_t)row->cells[q->sort].number <= before, true);
		before = (uint64_t)row->cells[q->sort].number;
		SAME(listing_find(l, row->cells[0].number), i);
		if (row->open) {
			inner += check_inner(l, i, ends[0], ends[1], e.arcs);
			i += e.arcs;
		}
	}
	SAME(inner, listing_inner_rows(l));
	listing_close(l);
	return arcs;
}

/* Opens each row of several arcs. */
static uint64_t
check_open(struct profile *p, const struct model *m, struct list_query *q)
{
	struct listing *l = listing_open(p, q);
	int64_t *open = xcalloc(listing_rows(l) + 1, sizeof(*open));
	uint64_t arcs;

	for (size_t i = 0; i < listing_rows(l); i++) {
		const struct list_row *row = listing_row(l, i);

		if (row->arcs)
			open[q->nr_open++] = row->cells[0].number;
	}
	listing_close(l);
	q->open = open;
	arcs = check_rows(p, m, q);
	free(open);
	q->open = NULL;
	q->nr_open = 0;
	return arcs;
}

static uint64_t
possible_arcs(const struct model *m, model_id caller, model_id callee)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < m->nr_arcs; i++)
		nr += m->arcs[i].hi && (!callee || m->arcs[i].callee == callee) &&
		      (!caller || caller_of(m, &m->arcs[i]) == caller);
	return nr;
}

static void
test_groups(struct profile *p, const struct model *m)
{
	struct list_query q = { .kind = LIST_ARC, .only_possible = true, .descending = true,
				.sort = list_column_find(LIST_ARC, "count") };

	all_same = true;
	for (model_id id = 1; id <= m->nr_procedures; id++) {
		q.caller = 0;
		q.callee = id;
		q.group = GROUP_BY_CALLER;
		SAME(check_rows(p, m, &q), possible_arcs(m, 0, id));
		SAME(check_open(p, m, &q), possible_arcs(m, 0, id));
		q.caller = id;
		q.callee = 0;
		q.group = GROUP_BY_CALLEE;
		SAME(check_rows(p, m, &q), possible_arcs(m, id, 0));
		SAME(check_open(p, m, &q), possible_arcs(m, id, 0));
	}
	verdict(all_same, "arcs that have an end in common as one row, and open");
}

static int
count_compiled(void *compiled, int code, const char *a, const char *b, const char *c,
	       const char *d)
{
	(void)a, (void)b, (void)c, (void)d;
	*(unsigned *)compiled += code == SQLITE_SELECT || code == SQLITE_DELETE ||
				 code == SQLITE_INSERT || code == SQLITE_PRAGMA;
	return SQLITE_OK;
}

static void
read_groups(struct profile *p, model_id procedure)
{
	struct list_query q = { .kind = LIST_ARC, .only_possible = true, .group = GROUP_BY_CALLER,
				.sort = list_column_find(LIST_ARC, "count"), .callee = procedure };
	struct listing *l = listing_open(p, &q);

	for (size_t i = 0; i < listing_rows(l); i++)
		SAME(listing_row(l, i) != NULL, true);
	listing_close(l);
}

/* A row down in the browser asks for others of the same: it costs rows, and no SQL is compiled. */
static void
test_compiled(struct profile *p, const struct model *m)
{
	unsigned compiled = 0;

	all_same = true;
	sqlite3_set_authorizer(p->db, count_compiled, &compiled);
	for (model_id id = 1; id <= m->nr_procedures; id++)
		read_groups(p, id);
	SAME(compiled > 0, true);
	compiled = 0;
	for (model_id id = 1; id <= m->nr_procedures; id++)
		read_groups(p, id);
	SAME(compiled, 0);
	sqlite3_set_authorizer(p->db, NULL, NULL);
	verdict(all_same, "listings of the same kind compile nothing twice");
}

int
main(void)
{
	struct model m;
	struct profile *p = sample_open(&m, "listing.db");

	if (!p)
		return 1;
	test_listings(p);
	test_filters(p, &m);
	test_sums(p);
	test_groups(p, &m);
	test_compiled(p, &m);
	test_slices(p);
	test_hottest(p);
	test_default_order(p);
	test_plans(p);
	verdict(!profile_error(p), "no query failed");
	profile_close(p);
	model_release(&m);
	return 0;
}
