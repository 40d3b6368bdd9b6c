/* Sorted tables of which a window is fetched: an array of ids in their order, which grows from both
 * ends as far as it is looked at, and single rows, read by their id. */
#include "db/listing.h"

#include <stdlib.h>
#include <string.h>

#include "db/changed.h"
#include "db/connection.h"
#include "db/list_spec.h"
#include "db/sorter.h"
#include "db/texts.h"
#include "util/job.h"

enum { NR_PLACE = 5 };
struct listing {
	struct profile *p;
	int columns;
	struct strbuf forward_sql, backward_sql;
	struct list_query q;
	struct filter filter;
	char *glob, *directory, *sides; /* copies of what q points to */
	bool indexed;            /* all rows in the order of an index, read when they are wanted */
	bool streams;            /* rows come in their order; otherwise they are sorted */
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
	struct list_row current;
	struct strbuf text;      /* of the current row */
	int place[NR_PLACE];     /* columns; -1: the listing lacks it */
};

/* ---- SQL, made from the tables above; values are bound ---- */

/* The restrictions of a query, in the order of their conditions. */
struct condition {
	bool wanted;
	const char *left, *right;
	bool looks_up;           /* an index finds the rows; otherwise each one is asked */
};
enum { MAX_CONDITIONS = 20 };
#define IN_GLOB " IN (SELECT id FROM file WHERE in_glob(?8, path))"
#define IN_DIRECTORY " IN (SELECT id FROM file WHERE in_directory(?9, path))"
/* A thing that is only in another profile has a path, but no file here. */
#define ELSEWHERE(condition) "CASE WHEN c.file IS NULL THEN " condition " ELSE c.file"

static const struct list_column *
columns_of(const struct list_query *q)
{
	return q->columns ? q->columns : list_columns(q->kind);
}

static const struct list_column *
sorted_by(const struct list_query *q)
{
	return &columns_of(q)[q->sort];
}

static bool
has_index(const struct list_query *q, const struct list_column *c)
{
	return c->flags & LIST_INDEXED && !(q->changed && c->flags & LIST_CHANGES);
}

static struct sort_term
first_term(const struct list_column *c)
{
	struct sort_term term;

	if (!list_sort_term(c, 0, &term))
		BUG("column %s is not sorted", c->name);
	return term;
}

/* The spots of a file are wanted one by one in their order. Most are in few files, and the first
 * ones are found sooner in the order of all spots than all spots of a file can be sorted. */
static bool
by_hottest(const struct list_query *q)
{
	return q->hottest && sorted_by(q)->flags & LIST_INDEXED;
}

static void
conditions_of(const struct list_query *q, struct condition c[MAX_CONDITIONS])
{
	const struct list_spec *s = &list_specs[q->kind];
	bool arc = q->kind == LIST_ARC, files = s->file != NULL;
	bool compared = q->kind == LIST_COMPARISON, sides = compared && q->sides;
	const struct list_column *least = &columns_of(q)[q->least_column];
	bool both = sides && (!strcmp(q->sides, "both") || !strcmp(q->sides, "all"));
	const struct condition all[MAX_CONDITIONS] = {
		{ files && q->file, s->file, " = ?2", !by_hottest(q) },
		{ files && !compared && q->glob && *q->glob, s->file, IN_GLOB, false },
		{ files && !compared && q->directory && *q->directory, s->file, IN_DIRECTORY,
		  false },
		{ compared && q->glob && *q->glob, ELSEWHERE("in_glob(?8, c.path)"),
		  IN_GLOB " END", false },
		{ compared && q->directory && *q->directory,
		  ELSEWHERE("in_directory(?9, c.path)"), IN_DIRECTORY " END", false },
		{ s->procedure && q->procedure, s->procedure, " = ?3", true },
		{ q->cycle && q->kind == LIST_PROCEDURE, "p.cycle", " = ?7", !q->changed },
		{ q->line && q->kind == LIST_PROCEDURE, "p.line", " = ?13", false },
		{ q->line && q->kind == LIST_PROCEDURE, "p.column", " = ?14", false },
		{ arc && q->caller, "a.caller", " = ?4", true },
		{ arc && q->callee, "a.callee", " = ?5", true },
		{ arc && q->site, "(a.site = ?6 OR a.through", " = ?6)", true },
		{ arc && q->only_possible, "a.hi", " > 0", false },
		{ q->least_column > 0, first_term(least).sql, " >= ?10",
		  has_index(q, least) },
		{ compared && q->things, "c.things", " = ?11", true },
		{ sides && !both, "c.sides", " = ?12", false },
		{ both, "c.sides", " IN ('both', 'changed', 'all')", false },
		{ compared && q->caller, "c.caller_entity", " = ?4", true },
		{ compared && q->callee, "c.callee_entity", " = ?5", true },
		{ q->filter && *q->filter, s->filter, "", false }, /* the dearest */
	};

	memcpy(c, all, sizeof(all));
}

/* Rows of one kind of things count as a table of their own: THINGS is no restriction. */
static bool
is_restricted(const struct list_query *q)
{
	struct condition c[MAX_CONDITIONS];
	struct list_query all = *q;

	all.things = 0;
	conditions_of(&all, c);
	for (int i = 0; i < MAX_CONDITIONS; i++) {
		if (c[i].wanted)
			return true;
	}
	return false;
}

void
listing_row_sql(const struct list_query *q, struct strbuf *sql)
{
	const struct list_spec *s = &list_specs[q->kind];
	const struct list_column *columns = columns_of(q);

	for (int i = 0; columns[i].name; i++) {
		strbuf_str(sql, i ? ", " : "SELECT ");
		strbuf_str(sql, columns[i].sql);
	}
	strbuf_str(sql, " FROM ");
	strbuf_str(sql, s->from);
	strbuf_str(sql, s->joins ? " " : "");
	strbuf_str(sql, s->joins ? s->joins : "");
	strbuf_str(sql, " WHERE ");
	strbuf_str(sql, s->id);
	strbuf_str(sql, " = ?1");
}

enum which { EVERY, LOOKED_UP, ASKED };

/* Appends condition C if it is wanted and of the sort WHICH; returns whether it did. */
static bool
add_condition(struct strbuf *sql, const struct condition *c, enum which which, const char *before)
{
	if (!c->wanted || (which != EVERY && c->looks_up != (which == LOOKED_UP)))
		return false;
	strbuf_str(sql, before);
	strbuf_str(sql, c->left);
	strbuf_str(sql, c->right);
	return true;
}

static void
add_where(struct strbuf *sql, const struct list_query *q, enum which which)
{
	struct condition c[MAX_CONDITIONS];
	bool any = false;

	conditions_of(q, c);
	for (int i = 0; i < MAX_CONDITIONS; i++)
		any |= add_condition(sql, &c[i], which, any ? " AND " : " WHERE ");
}

/* Appends a column that tells whether a row is wanted, unless all are. A condition is computed only
 * where those before it hold, which AND does not guarantee. */
static void
add_asked(struct strbuf *sql, const struct list_query *q)
{
	struct condition c[MAX_CONDITIONS];
	int nr = 0;

	conditions_of(q, c);
	for (int i = 0; i < MAX_CONDITIONS; i++)
		nr += add_condition(sql, &c[i], ASKED, ", iif(");
	for (int i = 0; i < nr; i++)
		strbuf_str(sql, i ? ", 0)" : ", 1, 0)");
}

/* Do rows come in their order without sorting? Only an index can give it, if no other is needed. */
static bool
comes_in_order(const struct list_query *q)
{
	const struct list_column *sort = sorted_by(q);
	struct condition c[MAX_CONDITIONS];
	bool same;

	if (!has_index(q, sort) || q->by_id)
		return false;
	/* Compared rows of one kind come by their rank, whatever is looked up among them. */
	if (q->kind == LIST_COMPARISON)
		return q->things || !q->sort;
	conditions_of(q, c);
	for (int i = 0; i < MAX_CONDITIONS; i++) {
		same = !strcmp(c[i].left ? c[i].left : "", first_term(sort).sql);
		if (c[i].wanted && c[i].looks_up && !same)
			return false;
	}
	return true;
}

bool
listing_is_indexed(const struct list_query *q)
{
	return !is_restricted(q) && comes_in_order(q);
}

/* Is it the natural direction: numbers from the greatest down, texts from A on? */
static bool
is_natural(const struct list_query *q)
{
	return first_term(sorted_by(q)).down == q->descending;
}

/* Sets DOWN to the terms that descend: those of the column, then the id. Returns their number. */
static int
terms_of(const struct list_query *q, bool backward, bool down[LIST_MAX_TERMS + 1])
{
	const char *id = list_specs[q->kind].id;
	bool reverse = is_natural(q) == backward;
	struct sort_term term;
	int n = 0;

	for (; list_sort_term(sorted_by(q), n, &term) && strcmp(term.sql, id); n++)
		down[n] = term.down != reverse;
	down[n] = reverse;
	return n;
}

/* Appends the terms separated by commas; SORTED: each with its direction, and the id after them. */
static void
add_terms(struct strbuf *sql, const struct list_query *q, bool backward, bool sorted)
{
	struct sort_term term = { .sql = NULL };
	bool down[LIST_MAX_TERMS + 1];
	int n = terms_of(q, backward, down);

	for (int i = 0; i < n + sorted; i++) {
		strbuf_str(sql, i || !sorted ? ", " : "");
		list_sort_term(sorted_by(q), i, &term);
		strbuf_str(sql, i < n ? term.sql : list_specs[q->kind].id);
		if (sorted && down[i])
			strbuf_str(sql, " DESC");
	}
}

void
listing_ids_sql(const struct list_query *q, bool backward, struct strbuf *sql)
{
	const struct list_spec *s = &list_specs[q->kind];
	const char *from = sorted_by(q)->sort_from;
	bool in_order = comes_in_order(q);

	strbuf_str(sql, "SELECT ");
	strbuf_str(sql, s->id);
	add_asked(sql, q);
	if (!in_order)
		add_terms(sql, q, backward, false);
	strbuf_str(sql, " FROM ");
	strbuf_str(sql, from ? from : s->from);
	add_where(sql, q, LOOKED_UP);
	if (!in_order)
		return;
	strbuf_str(sql, " ORDER BY ");
	add_terms(sql, q, backward, true);
}

static void
bind_id(sqlite3_stmt *st, int parameter, model_id id)
{
	if (st && id && parameter <= sqlite3_bind_parameter_count(st))
		sqlite3_bind_int64(st, parameter, id);
}

void
listing_sums_sql(const struct list_query *q, struct strbuf *sql)
{
	const struct list_spec *s = &list_specs[q->kind];
	const struct list_column *columns = columns_of(q);

	strbuf_str(sql, "SELECT ");
	strbuf_str(sql, s->id);
	for (int i = 1; columns[i].name; i++) {
		if (!list_adds_up(&columns[i]))
			continue;
		strbuf_str(sql, ", ");
		strbuf_str(sql, first_term(&columns[i]).sql);
	}
	strbuf_str(sql, " FROM ");
	strbuf_str(sql, s->from);
	add_where(sql, q, EVERY);
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
	sqlite3_stmt *st = profile_prepare(l->p, sql);

	if (st && l->filter.search.pattern)
		sqlite3_bind_pointer(st, PARAM_FILTER, &l->filter, PROFILE_FILTER, NULL);
	bind_id(st, PARAM_FILE, l->q.file);
	bind_id(st, PARAM_PROCEDURE, l->q.procedure);
	bind_id(st, PARAM_CALLER, l->q.caller);
	bind_id(st, PARAM_CALLEE, l->q.callee);
	bind_id(st, PARAM_SITE, l->q.site);
	bind_id(st, PARAM_CYCLE, l->q.cycle);
	bind_id(st, PARAM_LINE, l->q.line);
	bind_id(st, PARAM_COLUMN, l->q.column);
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

/* Steps *ST to its next row. Returns false, with *ST finalized, when there is none. */
static bool
next_row(struct listing *l, sqlite3_stmt **st, uint64_t nr)
{
	bool endless = nr > most_rows(l);

	if (endless)
		profile_endless(l->p);
	if (!endless && profile_step(l->p, *st))
		return true;
	sqlite3_finalize(*st);
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
		l->back[l->nr_back++] = sqlite3_column_int64(l->backward, 0);
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
	wanted = !l->checked || sqlite3_column_int(l->forward, 1);
	l->cut += !wanted && l->filter.cut;
	l->filter.cut = false;
	if (!wanted)
		return true;
	id = sqlite3_column_int64(l->forward, 0);
	if (!l->streams) {
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
	sqlite3_finalize(l->backward);
	l->backward = NULL;
}

/* Reads rows until WANT are there. While a job pauses others may read some. */
static void
read_rows(struct listing *l, size_t want)
{
	enum { UNITS = 2 /* for a row */, TEXT = 128 /* bytes of text for one */ };

	while (l->forward && l->nr_front < want && take_row(l)) {
		job_progress((double)l->seen, (double)whole_rows(l));
		job_pause(UNITS + (unsigned)(l->filter.looked_at / TEXT));
		l->filter.looked_at = 0;
	}
}

static void
work(struct listing *l, size_t want)
{
	const double reading = l->streams ? 1 : 0.8; /* about this part of the time */
	struct job_part all = job_part(0, reading);

	read_rows(l, want);
	job_part_end(all);
	if (l->forward || l->exhausted)
		return;
	if (!l->streams) {
		all = job_part(reading, 1);
		l->nr_front = sorter_sort(&l->sorter, &l->front);
		job_part_end(all);
		sorter_release(&l->sorter);
	}
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
	switch (kind) {
	case LIST_PROCEDURE:
		return p->totals.nr_procedures;
	case LIST_BLOCK:
		return p->totals.nr_blocks;
	case LIST_SITE:
		return p->totals.nr_sites;
	case LIST_LINE:
		return p->totals.nr_lines;
	case LIST_FILE:
		return p->totals.nr_files;
	case LIST_DIRECTORY:
		profile_make_directories(p);
		return p->nr_directories;
	case LIST_ARC:
		return p->totals.nr_arcs;
	case LIST_CYCLE:
		return p->totals.nr_cycles;
	case LIST_NOTE:
		return p->totals.nr_notes;
	case LIST_RUN:
		return p->totals.nr_runs;
	case LIST_THREAD:
		return column_last_id(p, ID_OF_PART);
	case LIST_COMPARISON:
		return all_compared(p);
	case LIST_NR:
		break;
	}
	BUG("kind %d", kind);
}

/* In the order of counts files follow one another at random: their texts would be unpacked for each
 * row anew if they cannot all be kept. */
static bool
unpacks_again(struct profile *p, const struct list_query *q)
{
	bool in_files = q->kind == LIST_BLOCK || q->kind == LIST_SITE || q->kind == LIST_LINE;

	return in_files && q->filter && *q->filter && !texts_fit(profile_texts(p));
}

/* Finds the columns of a row's place; rows of a comparison have places in several profiles. */
static void
find_place(struct listing *l)
{
	static const char *const place[NR_PLACE] = {
		"file_id", "line", "column", "end_line", "end_column",
	};
	bool foreign = l->q.kind == LIST_COMPARISON;

	for (int i = 0; i < NR_PLACE; i++)
		l->place[i] = foreign ? -1 : list_column_find(l->q.kind, place[i]);
}

static void
prepare(struct listing *l)
{
	bool down[LIST_MAX_TERMS + 1];
	struct condition c[MAX_CONDITIONS];
	struct strbuf row_sql = STRBUF_INIT;
	int nr_terms = terms_of(&l->q, false, down);

	l->streams = comes_in_order(&l->q);
	conditions_of(&l->q, c);
	for (int i = 0; i < MAX_CONDITIONS; i++)
		l->checked |= c[i].wanted && !c[i].looks_up;
	sorter_init(&l->sorter, nr_terms, down);
	listing_ids_sql(&l->q, false, &l->forward_sql);
	listing_ids_sql(&l->q, true, &l->backward_sql);
	find_place(l);
	l->forward = prepare_query(l, l->forward_sql.buf);
	listing_row_sql(&l->q, &row_sql);
	l->row = profile_prepare(l->p, row_sql.buf);
	strbuf_release(&row_sql);
}

struct listing *
listing_begin(struct profile *p, const struct list_query *q)
{
	struct listing *l = xcalloc(1, sizeof(*l));

	if (q->kind == LIST_DIRECTORY)
		profile_make_directories(p);
	if (q->kind == LIST_COMPARISON)
		profile_make_compared(p);
	l->p = p;
	l->q = *q;
	l->q.columns = profile_columns(p, q->kind);
	while (l->q.columns[l->columns].name)
		l->columns++;
	if (q->sort < 0 || q->sort >= l->columns)
		BUG("column %d of %d", q->sort, l->columns);
	l->filter.profile = p;
	strbuf_init(&l->filter.excerpt);
	search_set(&l->filter.search, q->filter);
	l->glob = q->glob ? xstrdup(q->glob) : NULL;
	l->directory = q->directory ? xstrdup(q->directory) : NULL;
	l->sides = q->sides ? xstrdup(q->sides) : NULL;
	l->q.filter = l->filter.search.pattern; /* not the caller's */
	l->q.glob = l->glob;
	l->q.directory = l->directory;
	l->q.sides = l->sides;
	l->q.by_id = unpacks_again(p, q);
	l->q.changed = profile_changes(p, q->kind);
	l->indexed = listing_is_indexed(&l->q);
	strbuf_init(&l->forward_sql);
	strbuf_init(&l->backward_sql);
	strbuf_init(&l->text);
	prepare(l);
	l->looked_for = -1;
	l->rows = l->indexed || by_hottest(q) ? SIZE_MAX : 0;
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
	return l->exhausted || l->indexed || by_hottest(&l->q);
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
	sqlite3_finalize(l->forward);
	sqlite3_finalize(l->backward);
	sqlite3_finalize(l->row);
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

/* ---- sums ---- */

static void
add_up(struct profile *p, sqlite3_stmt *st, const struct list_column *columns,
       struct list_sums *sums)
{
	int from = 1;

	sums->rows++;
	for (int i = 1; columns[i].name; i++) {
		if (list_adds_up(&columns[i]) &&
		    __builtin_add_overflow(sums->of[i], column_count(p, st, from++), &sums->of[i]))
			sums->of[i] = UINT64_MAX;
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
	sqlite3_finalize(st);
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
	if (!is_restricted(&l->q) && *whole) {
		*sums = **whole;
		return true;
	}
	if (!sum_up(l, &new))
		return false;
	*sums = new;
	if (!is_restricted(&l->q)) {
		*whole = arena_alloc(&l->p->arena, sizeof(new));
		**whole = new;
	}
	return true;
}

bool
profile_sums(struct profile *p, enum list_kind kind, struct list_sums *sums)
{
	const struct list_query q = { .kind = kind };
	struct listing *l;
	bool done;

	if (p->sums[kind]) {
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
read_cell(struct listing *l, int i, size_t *offset)
{
	struct cell *cell = &l->current.cells[i];
	const char *text;
	size_t n;

	cell->null = sqlite3_column_type(l->row, i) == SQLITE_NULL;
	cell->number = 0;
	cell->text = "";
	if (l->q.columns[i].unit == UNIT_VALUE) {
		cell->number = sqlite3_column_int64(l->row, i);
		cell->real = sqlite3_column_double(l->row, i);
		cell->whole = sqlite3_column_type(l->row, i) == SQLITE_INTEGER;
		return;
	}
	if (l->q.columns[i].id) {
		cell->number = column_id(l->p, l->row, i, l->q.columns[i].id);
		return;
	}
	if (l->q.columns[i].unit != UNIT_TEXT) {
		cell->number = (int64_t)column_count(l->p, l->row, i);
		return;
	}
	text = column_text(l->row, i, &n);
	*offset = l->text.len;
	strbuf_add(&l->text, text, n);
	strbuf_char(&l->text, '\0');
}

const struct list_row *
listing_row(struct listing *l, size_t i)
{
	size_t offsets[LIST_MAX_COLUMNS] = { 0 };
	int64_t id;

	if (!l->row || !id_at(l, i, &id))
		return NULL;
	sqlite3_bind_int64(l->row, 1, id);
	profile_step_anew(l->row);
	if (!profile_step(l->p, l->row))
		return NULL;
	strbuf_clear(&l->text);
	for (int c = 0; c < l->columns; c++)
		read_cell(l, c, &offsets[c]);
	if (l->place[0] >= 0)
		column_check_place(l->p, l->row, l->place);
	sqlite3_reset(l->row);
	if (column_row_is_damaged(l->p))
		return NULL;
	/* Offsets become pointers only now: the buffer may have moved. */
	for (int c = 0; c < l->columns; c++) {
		if (l->q.columns[c].unit == UNIT_TEXT)
			l->current.cells[c].text = l->text.buf + offsets[c];
	}
	return &l->current;
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
