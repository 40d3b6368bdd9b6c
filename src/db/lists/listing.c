/* Sorted tables; only a window is fetched: an array of ids in order, which grows from both ends as
 * far as somebody looks, and single rows, read by their id. */
#include "db/lists/listing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/arc_groups.h"
#include "db/lists/coverage.h"
#include "db/lists/list_spec.h"
#include "db/lists/sorter.h"
#include "db/store/changed.h"
#include "db/store/connection.h"
#include "db/store/texts.h"
#include "util/job.h"

enum { NR_PLACE = 5 };
struct listing {
	struct profile *p;
	int columns;
	struct strbuf forward_sql, backward_sql;
	struct list_query q;
	struct filter filter;
	char *glob, *directory, *sides; /* copies of what q points to */
	bool waits;              /* for temp.imbalance to be filled */
	bool indexed;            /* all rows in the order of an index, read when they are wanted */
	bool in_order;           /* rows come in their order; otherwise they are sorted */
	bool streams;            /* and none follow them: each can be shown when it comes */
	bool checked;            /* each row tells whether it is wanted */
	sqlite3_stmt *forward, *backward, *row;
	struct sorter sorter;
	struct job *job;         /* reads all rows and sorts them; NULL: not begun */
	uint64_t seen;           /* rows that forward has given */
	uint64_t cut;            /* rows left out whose text was too long to search whole */
	bool exhausted;          /* front holds all ids */
	int64_t looked_for;      /* listing_find_soon(): not among the first looked_at */
	size_t looked_at;
	int64_t *front, *back;   /* ids from the first on, and from the last one backwards */
	size_t nr_front, front_alloc, nr_back, back_alloc;
	size_t rows;
	struct arc_groups *groups; /* with groups: what L->q is of, as far as it is filled */
	struct list_query arcs;  /* and what was asked of the arcs */
	struct listing *part;    /* some of these, while they are made to groups, or follow one */
	sqlite3_stmt *group;     /* a row of several arcs */
	struct inner { size_t first, nr; } *inner; /* rows that follow one that is open */
	int64_t *open;
	size_t nr_inner, nr_open, rows_inner;
	struct list_row current;
	struct strbuf text;      /* of the current row */
	int place[NR_PLACE];     /* columns; -1: the listing lacks it */
};

/* ---- queries ---- */

static void
bind_id(sqlite3_stmt *st, int parameter, model_id id)
{
	if (st && id && parameter <= sqlite3_bind_parameter_count(st))
		sqlite3_bind_int64(st, parameter, id);
}

static void
bind_text(sqlite3_stmt *st, int parameter, const char *text)
{
	if (st && text && parameter <= sqlite3_bind_parameter_count(st))
		sqlite3_bind_text(st, parameter, text, -1, SQLITE_STATIC);
}

/* Prepares SQL with the conditions of L bound; L must live longer than the statement. */
static sqlite3_stmt *
prepare_query(struct listing *l, const char *sql)
{
	sqlite3_stmt *st = profile_prepare_again(l->p, sql);

	if (st && l->filter.search.pattern)
		sqlite3_bind_pointer(st, PARAM_FILTER, &l->filter, PROFILE_FILTER, NULL);
	bind_id(st, PARAM_FILE, l->q.file);
	bind_id(st, PARAM_PROCEDURE, l->q.procedure);
	bind_id(st, PARAM_CALLER, l->q.caller);
	bind_id(st, PARAM_CALLEE, l->q.callee);
	bind_id(st, PARAM_SITE, l->q.site);
	bind_id(st, PARAM_CYCLE, l->q.cycle);
	bind_id(st, PARAM_DEFECT, l->q.defect);
	bind_id(st, PARAM_LINE, l->q.line);
	bind_id(st, PARAM_COLUMN, l->q.column);
	if (st && l->q.like && PARAM_LIKE <= sqlite3_bind_parameter_count(st))
		sqlite3_bind_int64(st, PARAM_LIKE, l->q.like);
	bind_text(st, PARAM_GLOB, l->glob);
	bind_text(st, PARAM_DIRECTORY, l->directory);
	bind_id(st, PARAM_THINGS, (model_id)l->q.things);
	bind_text(st, PARAM_SIDES, l->sides);
	if (st && l->q.least_column > 0)
		sqlite3_bind_int64(st, PARAM_LEAST, l->q.least > INT64_MAX
				   ? INT64_MAX : (int64_t)l->q.least);
	return st;
}

/* ---- ids ---- */

static uint64_t
all_compared(const struct profile *p)
{
	uint64_t nr = 0;

	for (int i = 1; i <= MAX_COMPARED_THINGS; i++)
		nr += p->compared[i].rows;
	return nr;
}

/* Returns how many rows a query without restrictions gives. */
static uint64_t
whole_rows(const struct listing *l)
{
	return l->q.things ? profile_compared_rows(l->p, l->q.things)
			   : profile_rows(l->p, l->q.kind);
}

/* Returns the most rows there can be: the shortest row of an index or a table takes six bytes. */
static uint64_t
most_rows(const struct listing *l)
{
	return l->q.kind == LIST_COMPARISON ? all_compared(l->p) : l->p->bytes / 6;
}

/* Steps *ST to its next row. Returns false, with *ST put back, when there is none. */
static bool
next_row(struct listing *l, sqlite3_stmt **st, uint64_t nr)
{
	bool endless = nr > most_rows(l);

	if (endless)
		profile_endless(l->p);
	if (!endless && profile_step(l->p, *st))
		return true;
	profile_put_back(l->p, *st);
	*st = NULL;
	return false;
}

/* Reading some thousands at a time takes less than a millisecond, and completes most listings, so
 * that nothing stays locked. */
enum { CHUNK = 4096 };

static void
read_back(struct listing *l, size_t want)
{
	if (l->nr_back >= want)
		return;
	if (!l->backward && !l->nr_back)
		l->backward = prepare_query(l, l->backward_sql.buf);
	want = want > SIZE_MAX - CHUNK ? want : want + CHUNK;
	while (l->backward && l->nr_back < want && next_row(l, &l->backward, l->nr_back)) {
		GROW(l->back, l->nr_back + 1, l->back_alloc);
		l->back[l->nr_back++] = column_integer(l->backward, 0);
	}
}

/* Takes a row of the first query. Returns false after the last one. */
static bool
take_row(struct listing *l)
{
	int64_t id;
	bool wanted;

	if (!next_row(l, &l->forward, l->seen))
		return false;
	l->seen++;
	wanted = !l->checked || column_integer(l->forward, 1);
	l->cut += !wanted && l->filter.cut;
	l->filter.cut = false;
	if (!wanted)
		return true;
	id = column_integer(l->forward, 0);
	if (!l->in_order) {
		sorter_add(&l->sorter, l->forward, 1 + l->checked, id);
		return true;
	}
	GROW(l->front, l->nr_front + 1, l->front_alloc);
	l->front[l->nr_front++] = id;
	return true;
}

/* Notes that all ids are known, and with them the number of rows, which the file only claimed. */
static void
exhausted(struct listing *l)
{
	l->exhausted = true;
	l->rows = l->nr_front;
	profile_put_back(l->p, l->backward);
	l->backward = NULL;
}

/* Writing rows to the disk must not advance the progress of reading. */
static void
put_aside(struct listing *l)
{
	double at = fmin(1, (double)l->seen / (double)whole_rows(l));
	struct job_part all = job_part(at, at);

	sorter_put_aside(&l->sorter);
	job_part_end(all);
}

/* Reads rows until WANT are there. While a job pauses others may read some. */
static void
read_rows(struct listing *l, size_t want)
{
	enum { UNITS = 2 /* for a row */, TEXT = 128 /* bytes of text for one */ };

	while (l->forward && l->nr_front < want && take_row(l)) {
		job_progress((double)l->seen, (double)whole_rows(l));
		if (sorter_is_full(&l->sorter))
			put_aside(l);
		job_pause(UNITS + (unsigned)(l->filter.looked_at / TEXT));
		l->filter.looked_at = 0;
	}
}

static void work(struct listing *l, size_t want);

/* All arcs that Q asks for, as L->part; within the job of L. */
static void
read_part(struct listing *l, const struct list_query *q)
{
	listing_close(l->part);
	l->part = listing_begin(l->p, q);
	work(l->part, SIZE_MAX);
}

/* Is anything but the ends asked of the arcs? */
static bool
asks_for_some(const struct list_query *arcs)
{
	struct list_query ends = *arcs;

	ends.caller = ends.callee = ends.site = 0;
	ends.only_possible = false;
	return listing_is_restricted(&ends);
}

enum { FILLING = 10 /* units of work: an arc becomes part of its group */ };

/* Some at a time are one transaction, which is over when the job pauses. */
static void
add_groups(struct listing *l, bool wanted)
{
	enum { TOGETHER = 50 };
	const size_t nr = l->part->nr_front;

	for (size_t i = 0; i < nr; i += TOGETHER) {
		profile_execute(l->p, "BEGIN");
		for (size_t k = i; k < nr && k < i + TOGETHER; k++)
			arc_groups_add(l->groups, l->part->front[k], wanted);
		profile_execute(l->p, "COMMIT");
		job_pause(TOGETHER * FILLING);
	}
}

/* All arcs become groups; what is asked for besides says which of these are wanted. */
static void
fill_groups(struct listing *l)
{
	bool some = asks_for_some(&l->arcs);
	const struct list_query all = {
		.kind = LIST_ARC, .caller = l->arcs.caller, .callee = l->arcs.callee,
		.site = l->arcs.site,
	};

	while (!arc_groups_empty(l->groups))
		job_pause(ARC_GROUPS_BATCH * FILLING);
	read_part(l, &all);
	add_groups(l, !some);
	if (some)
		read_part(l, &l->arcs);
	for (size_t i = 0; some && i < l->part->nr_front; i++) {
		arc_groups_want(l->groups, l->part->front[i]);
		job_pause(FILLING);
	}
	arc_groups_filled(l->groups);
}

/* Asks for what follows row AT. */
static struct list_query
query_below(const struct listing *l, size_t at)
{
	struct list_query q = l->groups ? l->arcs : l->q;

	q.group = l->q.group;
	q.things = l->q.opens;
	q.opens = 0;
	q.nr_open = 0;
	q.like = l->groups ? l->front[at] & UINT32_MAX : l->front[at];
	q.sort = l->q.sort;
	q.descending = l->q.descending;
	return q;
}

/* The arcs of row AT behind it. */
static void
open_row(struct listing *l, size_t at)
{
	struct list_query q = query_below(l, at);
	size_t nr;

	read_part(l, &q);
	nr = l->part->nr_front;
	GROW(l->front, l->nr_front + nr, l->front_alloc);
	memmove(l->front + at + 1 + nr, l->front + at + 1,
		(l->nr_front - at - 1) * sizeof(*l->front));
	memcpy(l->front + at + 1, l->part->front, nr * sizeof(*l->front));
	l->nr_front += nr;
	l->rows_inner += nr;
	l->inner[l->nr_inner++] = (struct inner){ at + 1, nr };
}

static bool
is_to_open(const struct listing *l, int64_t id)
{
	for (size_t i = 0; id > UINT32_MAX && i < l->nr_open; i++) {
		if (l->open[i] == id)
			return true;
	}
	return false;
}

static void
open_rows(struct listing *l)
{
	for (size_t i = 0; l->nr_open && i < l->nr_front; i++) {
		job_pause(1);
		if (!is_to_open(l, l->front[i]))
			continue;
		open_row(l, i);
		i += l->inner[l->nr_inner - 1].nr;
	}
	listing_close(l->part);
	l->part = NULL;
}

static void
work(struct listing *l, size_t want)
{
	const double waiting = l->waits ? 0.9 : 0, reading = l->in_order ? 1 : 0.8 + waiting / 5;
	struct job_part all = job_part(0, waiting); /* about these parts of the time */

	if (l->waits)
		profile_make_imbalance(l->p);
	l->waits = false;
	job_part_end(all);
	all = job_part(waiting, reading);
	if (l->groups && l->forward && !l->part)
		fill_groups(l);
	read_rows(l, want);
	job_part_end(all);
	if (l->forward || l->exhausted)
		return;
	if (!l->in_order) {
		all = job_part(reading, 1);
		l->nr_front = sorter_sort(&l->sorter, &l->front);
		job_part_end(all);
		if (l->sorter.failed)
			error_set(&l->p->error, "cannot read what was put aside to sort it");
		sorter_release(&l->sorter);
	}
	open_rows(l);
	exhausted(l);
}

static void
work_on_all(void *listing)
{
	work(listing, SIZE_MAX);
}

/* When most rows are left out, those that stay are not searched for ahead of time. */
static void
read_front(struct listing *l, size_t want)
{
	size_t ahead = l->checked ? 0 : CHUNK;

	if (l->nr_front >= want)
		return;
	/* There is one sort: a caller that cannot wait completes it. */
	if (!l->streams)
		listing_work(l, NULL, NULL);
	else
		work(l, want > SIZE_MAX - ahead ? want : want + ahead);
}

/* Reads the id of row I, from the nearer end. */
static bool
id_at(struct listing *l, size_t i, int64_t *id)
{
	if (i >= l->rows)
		return false;
	if (i >= l->nr_front && l->indexed && i > l->rows / 2) {
		read_back(l, l->rows - i);
		if (l->rows - i > l->nr_back)
			return false;
		*id = l->back[l->rows - i - 1];
		return true;
	}
	read_front(l, i + 1);
	if (i >= l->nr_front)
		return false;
	*id = l->front[i];
	return true;
}

uint64_t
profile_rows(struct profile *p, enum list_kind kind)
{
	const struct never_region *regions;
	uint64_t rows;

	if (kind == LIST_DIRECTORY) {
		profile_make_directories(p);
		return p->nr_directories;
	}
	if (kind == LIST_NEVER) {
		profile_never(p, &regions);
		return p->never.rows;
	}
	if (kind == LIST_COVERAGE)
		return coverage_make(p, NULL);
	if (kind == LIST_COVERED)
		return covered_make(p);
	if (kind == LIST_BRANCH)
		return conditions_make(p);
	if (kind == LIST_COMPARISON)
		return all_compared(p);
	if (profile_make_disposals(p, kind, &rows))
		return rows;
	/* Changed calls can leave fewer cycles than ids. */
	if (kind == LIST_CYCLE)
		return p->totals.nr_cycles;
	return column_last_id(p, list_columns(kind)->id);
}

/* In the order of counts files follow one another at random: their texts would be unpacked for each
 * row anew if they cannot all be kept. */
static bool
unpacks_again(struct profile *p, const struct list_query *q)
{
	bool in_files = q->kind == LIST_BLOCK || q->kind == LIST_SITE || q->kind == LIST_LINE;

	return in_files && q->filter && *q->filter && !texts_fit(profile_texts(p));
}

/* Finds the columns of a row's place; rows of a comparison have places in several profiles, those
 * of errors only a line at times. */
static void
find_place(struct listing *l)
{
	static const char *const place[NR_PLACE] = {
		"file_id", "line", "column", "end_line", "end_column",
	};
	bool partial = l->q.kind == LIST_COMPARISON || l->q.kind == LIST_DEFECT ||
		       l->q.kind == LIST_FRAME || l->q.kind == LIST_REMARK;

	for (int i = 0; i < NR_PLACE; i++)
		l->place[i] = partial ? -1 : list_column_find(l->q.kind, place[i]);
}

static void
prepare(struct listing *l)
{
	bool down[LIST_MAX_TERMS + 1];
	struct strbuf row_sql = STRBUF_INIT;
	int nr_terms = listing_terms(&l->q, false, down);

	l->in_order = listing_comes_in_order(&l->q);
	l->streams = l->in_order && !l->nr_open && !l->waits;
	l->checked = listing_checks(&l->q);
	sorter_init(&l->sorter, nr_terms, down);
	listing_ids_sql(&l->q, false, &l->forward_sql);
	listing_ids_sql(&l->q, true, &l->backward_sql);
	find_place(l);
	l->forward = prepare_query(l, l->forward_sql.buf);
	listing_row_sql(&l->q, &row_sql);
	*(l->groups ? &l->group : &l->row) = profile_prepare_again(l->p, row_sql.buf);
	strbuf_clear(&row_sql);
	listing_row_sql(&l->arcs, &row_sql);
	if (l->groups)
		l->row = profile_prepare_again(l->p, row_sql.buf);
	strbuf_release(&row_sql);
}

/* Notes which rows are open. */
static void
begin_open(struct listing *l)
{
	size_t bytes = l->q.nr_open * sizeof(*l->open);

	if (!l->q.nr_open || l->q.like)
		return;
	l->nr_open = l->q.nr_open;
	l->open = memcpy(xmalloc(bytes), l->q.open, bytes);
	l->inner = xcalloc(l->nr_open, sizeof(*l->inner));
}

/* What was asked of arcs is asked of their groups. */
static void
begin_groups(struct listing *l)
{
	l->groups = arc_groups_new(l->p, l->q.group, l->q.only_possible);
	l->arcs = l->q;
	l->arcs.group = GROUP_NOTHING;
	l->arcs.sort = l->arcs.least_column = 0;
	l->arcs.nr_open = 0;
	l->q = (struct list_query){
		.kind = LIST_ARC, .sort = l->q.sort, .descending = l->q.descending,
		.group = l->q.group, .groups = arc_groups_table(l->groups) + 1,
		.least_column = l->q.least_column, .least = l->q.least,
		.changed = l->q.changed, .columns = l->q.columns,
	};
}

struct listing *
listing_begin(struct profile *p, const struct list_query *q)
{
	struct listing *l = xcalloc(1, sizeof(*l));
	const struct never_region *regions;
	uint64_t rows;

	if (q->kind == LIST_DIRECTORY)
		profile_make_directories(p);
	if (q->kind == LIST_NEVER)
		profile_never(p, &regions);
	if (q->kind == LIST_COVERAGE)
		coverage_make(p, q->glob);
	if (q->kind == LIST_COVERED)
		covered_make(p);
	if (q->kind == LIST_BRANCH)
		conditions_make(p);
	if (q->kind == LIST_COMPARISON)
		profile_make_compared(p);
	profile_make_disposals(p, q->kind, &rows);
	l->p = p;
	l->q = *q;
	l->q.columns = profile_columns(p, q->kind);
	while (l->q.columns[l->columns].name)
		l->columns++;
	if (q->sort < 0 || q->sort >= l->columns)
		BUG("column %d of %d", q->sort, l->columns);
	l->q.uneven |= q->kind == LIST_IMBALANCE || l->q.columns[q->sort].flags & LIST_UNEVEN;
	if (l->q.uneven)
		profile_make_disposals(p, LIST_IMBALANCE, &rows);
	l->waits = l->q.uneven && !p->imbalance.filled;
	l->filter.profile = p;
	strbuf_init(&l->filter.excerpt);
	search_set(&l->filter.search, q->filter);
	/* The sums of what it matches are rows, too. */
	l->glob = q->glob && q->kind != LIST_COVERAGE ? xstrdup(q->glob) : NULL;
	l->directory = q->directory ? xstrdup(q->directory) : NULL;
	l->sides = q->sides ? xstrdup(q->sides) : NULL;
	l->q.filter = l->filter.search.pattern; /* not the caller's */
	l->q.glob = l->glob;
	l->q.directory = l->directory;
	l->q.sides = l->sides;
	l->q.by_id = unpacks_again(p, q);
	l->q.changed = profile_changes(p, q->kind);
	l->q.overlaid = p->overlay.figure != NULL;
	begin_open(l);
	if (q->group && !q->like)
		begin_groups(l);
	l->indexed = !l->waits && listing_is_indexed(&l->q);
	strbuf_init(&l->forward_sql);
	strbuf_init(&l->backward_sql);
	strbuf_init(&l->text);
	prepare(l);
	l->looked_for = -1;
	l->rows = l->indexed || listing_by_hottest(q) ? SIZE_MAX : 0;
	if (l->rows)
		read_front(l, 1);
	if (l->rows && !l->exhausted)
		l->rows = whole_rows(l);
	return l;
}

struct listing *
listing_open(struct profile *p, const struct list_query *q)
{
	struct listing *l = listing_begin(p, q);

	listing_work(l, NULL, NULL);
	return l;
}

bool
listing_ready(const struct listing *l)
{
	return l->exhausted || l->indexed || listing_by_hottest(&l->q);
}

bool
listing_streams(const struct listing *l)
{
	return l->streams;
}

bool
listing_work(struct listing *l, bool (*enough)(void *context), void *context)
{
	bool done = listing_ready(l);

	if (!done && !l->job)
		l->job = job_new(work_on_all, l);
	done = done || job_run(l->job, enough, context);
	if (!done && l->streams)
		l->rows = l->nr_front;
	return done;
}

const char *
listing_task(const struct listing *l)
{
	return l->waits ? "comparing ranks" : l->streams ? "looking for more" : "sorting";
}

uint64_t
listing_cut(const struct listing *l)
{
	return l->cut;
}

int
listing_percent(const struct listing *l)
{
	return l->exhausted ? 100 : (int)job_percent(l->job);
}

void
listing_close(struct listing *l)
{
	if (!l)
		return;
	job_free(l->job);
	listing_close(l->part);
	arc_groups_free(l->groups);
	free(l->inner);
	free(l->open);
	profile_put_back(l->p, l->group);
	profile_put_back(l->p, l->forward);
	profile_put_back(l->p, l->backward);
	profile_put_back(l->p, l->row);
	strbuf_release(&l->forward_sql);
	strbuf_release(&l->backward_sql);
	strbuf_release(&l->text);
	filter_release(&l->filter);
	sorter_release(&l->sorter);
	free(l->glob);
	free(l->directory);
	free(l->sides);
	free(l->front);
	free(l->back);
	free(l);
}

size_t
listing_rows(const struct listing *l)
{
	return l->rows;
}

size_t
listing_inner_rows(const struct listing *l)
{
	return l->rows_inner;
}

size_t
listing_outer_row(const struct listing *l, size_t i)
{
	for (size_t k = 0; k < l->nr_inner; k++) {
		if (i - l->inner[k].first < l->inner[k].nr)
			return l->inner[k].first - 1;
	}
	return i;
}

/* Can its values be below 0, as those of a measure without columns of its own? */
static bool
is_signed(const struct profile *p, const struct list_column *c)
{
	return c->measure && c->measure >= p->others.items;
}

/* ---- sums ---- */

static void
add_up(struct profile *p, sqlite3_stmt *st, const struct list_column *columns,
       struct list_sums *sums)
{
	int from = 1;

	sums->rows++;
	for (int i = 1; columns[i].name; i++) {
		if (!list_adds_up(&columns[i]))
			continue;
		sums->of[i] = measure_combine(COMBINE_SUM, sums->of[i],
					      is_signed(p, &columns[i])
						      ? column_figure(p, st, from)
						      : (int64_t)column_count(p, st, from));
		from++;
	}
}

static bool
sum_up(struct listing *l, struct list_sums *sums)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	memset(sums, 0, sizeof(*sums));
	listing_sums_sql(&l->q, &sql);
	st = prepare_query(l, sql.buf);
	profile_may_stop(l->p, true);
	while (profile_step(l->p, st) && sums->rows <= most_rows(l))
		add_up(l->p, st, l->q.columns, sums);
	profile_put_back(l->p, st);
	strbuf_release(&sql);
	return !profile_may_stop(l->p, false);
}

static bool
anything_adds_up(const struct list_column *columns)
{
	for (int i = 1; columns[i].name; i++) {
		if (list_adds_up(&columns[i]))
			return true;
	}
	return false;
}

bool
listing_sums(struct listing *l, struct list_sums *sums)
{
	struct list_sums **whole = &l->p->sums[l->q.kind], new;

	if (listing_ready(l) && !anything_adds_up(l->q.columns)) {
		*sums = (struct list_sums){ .rows = l->rows };
		return true;
	}
	if (!listing_is_restricted(&l->q) && l->p->sums_known[l->q.kind]) {
		*sums = **whole;
		return true;
	}
	if (!sum_up(l, &new))
		return false;
	*sums = new;
	if (!listing_is_restricted(&l->q)) {
		*whole = *whole ? *whole : arena_alloc(&l->p->arena, sizeof(new));
		**whole = new;
		l->p->sums_known[l->q.kind] = true;
	}
	return true;
}

bool
profile_sums(struct profile *p, enum list_kind kind, struct list_sums *sums)
{
	const struct list_query q = { .kind = kind };
	struct listing *l;
	bool done;

	if (p->sums_known[kind]) {
		*sums = *p->sums[kind];
		return true;
	}
	l = listing_open(p, &q);
	done = l && listing_sums(l, sums);
	listing_close(l);
	return done;
}

/* ---- rows ---- */

static void
read_cell(struct listing *l, sqlite3_stmt *st, int i, size_t *offset)
{
	struct cell *cell = &l->current.cells[i];
	const char *text;
	size_t n;

	cell->null = sqlite3_column_type(st, i) == SQLITE_NULL;
	cell->number = 0;
	cell->text = "";
	if (l->q.columns[i].unit == UNIT_VALUE) {
		cell->number = column_integer(st, i);
		cell->real = column_real(st, i);
		cell->whole = sqlite3_column_type(st, i) == SQLITE_INTEGER;
		return;
	}
	if (!i && st == l->group) {
		cell->number = column_integer(st, i);
		return;
	}
	if (l->q.columns[i].id) {
		cell->number = column_id(l->p, st, i, l->q.columns[i].id);
		return;
	}
	if (l->q.columns[i].unit != UNIT_TEXT) {
		cell->number = is_signed(l->p, &l->q.columns[i])
				       ? column_figure(l->p, st, i)
				       : (int64_t)column_count(l->p, st, i);
		return;
	}
	text = column_text(st, i, &n);
	*offset = l->text.len;
	strbuf_add(&l->text, text, n);
	strbuf_char(&l->text, '\0');
}

/* Whether the row is a group, or one of an open one. */
static void
tell_group(struct listing *l, sqlite3_stmt *st, size_t i, int64_t id)
{
	bool many = l->groups && id > UINT32_MAX;

	l->current.arcs = many ? column_count(l->p, st, l->columns) : 0;
	if (l->q.opens) {
		l->current.arcs = column_count(l->p, st, list_column_find(l->q.kind, "arcs"));
		many = l->current.arcs > 1;
		l->current.arcs = many ? l->current.arcs : 0;
	}
	l->current.open = many && is_to_open(l, id);
	l->current.inner = listing_outer_row(l, i) != i;
}

/* Reads the row with this id, which is number I of the listing. */
static const struct list_row *
read_row(struct listing *l, size_t i, int64_t id)
{
	size_t offsets[LIST_MAX_COLUMNS] = { 0 };
	sqlite3_stmt *st;

	st = l->groups && id > UINT32_MAX ? l->group : l->row;
	sqlite3_bind_int64(st, 1, id);
	profile_step_anew(st);
	if (!profile_step(l->p, st))
		return NULL;
	tell_group(l, st, i, id);
	strbuf_clear(&l->text);
	for (int c = 0; c < l->columns; c++)
		read_cell(l, st, c, &offsets[c]);
	if (l->place[0] >= 0)
		column_check_place(l->p, st, l->place);
	sqlite3_reset(st);
	if (column_row_is_damaged(l->p))
		return NULL;
	/* Offsets become pointers only now: the buffer may have moved. */
	for (int c = 0; c < l->columns; c++) {
		if (l->q.columns[c].unit == UNIT_TEXT)
			l->current.cells[c].text = l->text.buf + offsets[c];
	}
	return &l->current;
}

bool
listing_id(struct listing *l, size_t i, int64_t *id)
{
	return id_at(l, i, id);
}

const struct list_row *
listing_row(struct listing *l, size_t i)
{
	int64_t id;

	return l->row && id_at(l, i, &id) ? read_row(l, i, id) : NULL;
}

const struct list_row *
listing_row_of(struct listing *l, int64_t id)
{
	return l->row ? read_row(l, SIZE_MAX, id) : NULL;
}

ptrdiff_t
listing_find_soon(struct listing *l, int64_t id, bool (*enough)(void *context), void *context)
{
	bool read = false;

	if (l->looked_for != id) {
		l->looked_for = id;
		l->looked_at = 0;
		for (size_t i = 0; i < l->nr_back; i++) {
			if (l->back[i] == id && i < l->rows)
				return (ptrdiff_t)(l->rows - i - 1);
		}
	}
	for (;; l->looked_at++) {
		/* At least one row is read each time, or short slices would never get further. */
		if (l->looked_at >= l->nr_front && read && enough && enough(context))
			return LISTING_LATER;
		read |= l->looked_at >= l->nr_front;
		read_front(l, l->looked_at + 1);
		if (l->looked_at >= l->nr_front)
			return -1;
		if (l->front[l->looked_at] == id)
			return (ptrdiff_t)l->looked_at;
	}
}

ptrdiff_t
listing_find(struct listing *l, int64_t id)
{
	return listing_find_soon(l, id, NULL, NULL);
}
