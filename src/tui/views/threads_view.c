/* The list of runs and their threads, some of them marked; of a parallel program the tree of its
 * jobs, hosts and ranks, and below a rank what it consists of. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "show/human.h"
#include "show/runs.h"
#include "tui/busy.h"
#include "tui/filter.h"
#include "tui/threads.h"
#include "tui/views.h"
#include "tui/views/table.h"
#include "util/job.h"
#include "util/job_sort.h"
#include "util/order.h"

enum row_kind { ROW_RUN, ROW_FACTS, ROW_JOB, ROW_HOST, ROW_RANK, ROW_THREAD, NR_KINDS };
/* What groups threads in the tree, from without. */
enum level { BY_JOB, BY_HOST, BY_RANK, BY_RUN, NR_LEVELS };
/* The figures of threads that add up. */
static const char *const added[] = { "threads", "cpu_ns", "samples", "lost_samples", "wait_ns",
				     "delay_ns", "blocks_executed" };
enum { NR_ADDED = sizeof(added) / sizeof(*added) };

struct row {
	model_id run;
	enum row_kind kind;
	size_t at;               /* in the listing of threads */
	model_id thread;         /* also of a rank that has only one; 0: none */
	size_t end;              /* the first row behind those below it */
	bool open;               /* these are shown */
	/* In the tree: */
	int64_t of[NR_LEVELS];   /* its groups, 0 below its own level; rank -1: none */
	unsigned depth;
	size_t ranks;            /* below a job, a host */
	int64_t sums[NR_ADDED];
};

/* Where a run was. Jobs and hosts are numbered in the order of their names. */
struct where { const char *job, *host; uint32_t at[BY_RANK]; };

struct chooser {
	struct table table;      /* first: view_table() */
	struct profile *profile; /* with all threads */
	struct listing *runs, *threads;
	struct row *rows;
	size_t nr_rows;
	size_t *shown, nr_shown; /* rows that are not below a closed one */
	bool tree;               /* there are ranks */
	int64_t least_rank, most_rank; /* of those that are wanted */
	struct where *where;     /* by run - 1; NULL: not read yet */
	struct arena names;
	uint64_t full[NR_KINDS]; /* the most that a row of the kind has */
	struct list_row made;    /* what row_of() returns in the tree */
	struct strbuf name;      /* in it */
	struct strbuf spread;    /* of the runs */
	bool has_spread;
	/* What is shown next, in another order. */
	struct job *reading;     /* NULL: nothing is */
	struct listing *next_threads;
	struct row *next;
	size_t nr_next, next_alloc;
	size_t nr_threads, last_id; /* the greatest there can be */
	bool *marked;              /* by id - 1 */
	size_t nr_marked;
};

static struct chooser *
chooser_of(const struct table *t)
{
	return (struct chooser *)t;
}

/* ---- reading ---- */

static const struct cell *
cell_of(const struct list_row *row, enum list_kind kind, const char *name)
{
	static const struct cell none = { .null = true, .text = "" };
	const struct cell *c = row ? &row->cells[list_column_find(kind, name)] : &none;

	return c->null ? &none : c;
}

static uint64_t
number(const struct list_row *row, enum list_kind kind, const char *name)
{
	int64_t n = cell_of(row, kind, name)->number;

	return n < 0 ? 0 : (uint64_t)n;
}

static int
compare_rows(const void *pa, const void *pb, void *context)
{
	const struct row *a = pa, *b = pb;

	(void)context;
	COMPARE(a->run, b->run);
	COMPARE(a->kind, b->kind);
	COMPARE(a->at, b->at);
	return 0;
}

static void
add_row(struct chooser *c, struct row row)
{
	GROW(c->next, c->nr_next + 1, c->next_alloc);
	c->next[c->nr_next++] = row;
	job_pause(1);
}

/* ---- the tree of ranks ---- */

static int
compare_where(const void *pa, const void *pb, void *where)
{
	const struct where *all = where;
	const struct where *a = &all[*(const uint32_t *)pa], *b = &all[*(const uint32_t *)pb];
	int order = strcmp(a->job, b->job);

	return order ? order : strcmp(a->host, b->host);
}

static void
read_where(struct chooser *c)
{
	size_t nr = listing_rows(c->runs);
	struct where *where = arena_alloc(&c->names, (nr + 1) * sizeof(*where));
	uint32_t *order = xcalloc(nr + 1, sizeof(*order)), at[BY_RANK] = { 0 };
	struct job_hold hold;

	job_hold(&hold, free, order);
	for (size_t i = 0; i < nr; i++) {
		const struct list_row *row = listing_row(c->runs, i);

		order[i] = (uint32_t)i;
		where[i].job = arena_strdup(&c->names, cell_of(row, LIST_RUN, "job")->text);
		where[i].host = arena_strdup(&c->names, cell_of(row, LIST_RUN, "host")->text);
		job_pause(1);
	}
	job_sort(order, nr, sizeof(*order), compare_where, where);
	for (size_t i = 0; i < nr; i++) {
		const struct where *before = &where[order[i ? i - 1 : 0]];

		at[BY_JOB] += strcmp(where[order[i]].job, before->job) != 0;
		at[BY_HOST] += compare_where(&order[i], &order[i ? i - 1 : 0], where) != 0;
		memcpy(where[order[i]].at, at, sizeof(at));
	}
	c->where = where;
	job_let_go(&hold);
}

/* A thread while they are put in order. KEYS sort its groups among their siblings. */
struct item { struct row row; int64_t keys[BY_RUN]; };
struct items { struct item *of; size_t nr; };

static int
compare_items(const void *pa, const void *pb, void *context)
{
	const struct item *a = pa, *b = pb;

	(void)context;
	for (int l = 0; l < BY_RUN; l++) {
		COMPARE(a->keys[l], b->keys[l]);
		COMPARE(a->row.of[l], b->row.of[l]);
	}
	COMPARE(a->row.of[BY_RUN], b->row.of[BY_RUN]);
	COMPARE(a->row.at, b->row.at);
	return 0;
}

/* Returns where the group of item I at LEVEL ends. */
static size_t
group_end(const struct items *items, size_t i, enum level level)
{
	size_t size = ((size_t)level + 1) * sizeof(*items->of->row.of), end = i + 1;

	while (end < items->nr && !memcmp(items->of[i].row.of, items->of[end].row.of, size))
		end++;
	return end;
}

/* Groups are sorted by the sum of what sorts threads; where that does not add up, by number. */
static void
set_keys(const struct chooser *c, const struct items *items)
{
	const char *by = table_listed(&c->table, c->table.query.sort)->name;
	int f = 0;

	while (f < NR_ADDED && strcmp(added[f], by))
		f++;
	for (enum level l = BY_JOB; l < BY_RUN; l++) {
		for (size_t i = 0, end; i < items->nr; i = end) {
			int64_t key = f < NR_ADDED ? 0 : items->of[i].row.of[l];

			end = group_end(items, i, l);
			for (size_t k = i; k < end && f < NR_ADDED; k++)
				key += items->of[k].row.sums[f];
			for (size_t k = i; k < end; k++)
				items->of[k].keys[l] = c->table.query.descending ? -key : key;
			job_pause(1);
		}
	}
}

static struct item
item_of(const struct chooser *c, const struct list_row *row, size_t at)
{
	const struct cell *rank = &row->cells[list_column_find(LIST_THREAD, "rank")];
	struct item item = { .row = {
		.run = (model_id)number(row, LIST_THREAD, "run"), .kind = ROW_THREAD, .at = at,
		.thread = (model_id)number(row, LIST_THREAD, "id"),
		.of = { [BY_RANK] = rank->null ? -1 : rank->number },
	} };

	if (item.row.run > listing_rows(c->runs))
		item.row.run = 0;
	item.row.of[BY_RUN] = item.row.run;
	for (int l = 0; item.row.run && l < BY_RANK; l++)
		item.row.of[l] = c->where[item.row.run - 1].at[l];
	for (int f = 0; f < NR_ADDED; f++)
		item.row.sums[f] = (int64_t)number(row, LIST_THREAD, added[f]);
	return item;
}

static void add_groups(struct chooser *c, const struct items *items, size_t i, size_t end,
		       enum level level, unsigned depth);

/* Adds the group of [I, END) at LEVEL, and what is below it. */
static void
add_group(struct chooser *c, const struct items *items, size_t i, size_t end, enum level level,
	  unsigned depth)
{
	static const enum row_kind kinds[] = { ROW_JOB, ROW_HOST, ROW_RANK, ROW_RUN };
	struct row group = items->of[i].row;
	size_t at = c->nr_next;

	group.kind = kinds[level];
	group.depth = depth;
	group.open = level != BY_RANK;
	memset(&group.of[level + 1], 0, (NR_LEVELS - 1 - level) * sizeof(*group.of));
	for (size_t k = i + 1; k < end; k++)
		for (int f = 0; f < NR_ADDED; f++)
			group.sums[f] += items->of[k].row.sums[f];
	if (level != BY_RANK || end - i > 1)
		group.thread = 0;
	add_row(c, group);
	if (!group.thread)
		add_groups(c, items, i, end, level + 1, depth + 1);
	c->next[at].end = c->nr_next;
	for (size_t k = at; k < c->nr_next; k++)
		c->next[at].ranks += c->next[k].kind == ROW_RANK && c->next[k].of[BY_RANK] >= 0;
}

/* Adds what LEVEL divides [I, END) into: ranks, but jobs, hosts and runs only if they are several.
 */
static void
add_groups(struct chooser *c, const struct items *items, size_t i, size_t end, enum level level,
	   unsigned depth)
{
	size_t begin = i, end_of;

	for (; i < end; i = end_of) {
		end_of = level < NR_LEVELS ? group_end(items, i, level) : i + 1;
		if (level == NR_LEVELS) {
			add_row(c, items->of[i].row);
			c->next[c->nr_next - 1].depth = depth;
			c->next[c->nr_next - 1].end = c->nr_next;
		} else if (level == BY_RANK || i != begin || end_of != end) {
			add_group(c, items, i, end_of, level, depth);
		} else {
			add_groups(c, items, i, end_of, level + 1, depth);
		}
	}
}

static void
read_tree(struct chooser *c)
{
	size_t nr = listing_rows(c->next_threads);
	struct items items = { xcalloc(nr + 1, sizeof(*items.of)), 0 };
	const struct list_row *row;
	struct job_hold hold;

	job_hold(&hold, free, items.of);
	if (!c->where)
		read_where(c);
	for (size_t i = 0; i < nr; i++) {
		job_progress((double)i, (double)nr);
		row = listing_row(c->next_threads, i);
		if (!row)
			continue;
		items.of[items.nr] = item_of(c, row, i);
		items.nr += items.of[items.nr].row.of[BY_RANK] >= c->least_rank &&
			    items.of[items.nr].row.of[BY_RANK] <= c->most_rank;
		job_pause(1);
	}
	job_sort(items.of, items.nr, sizeof(*items.of), compare_items, NULL);
	set_keys(c, &items);
	job_sort(items.of, items.nr, sizeof(*items.of), compare_items, NULL);
	add_groups(c, &items, 0, items.nr, BY_JOB, 0);
	job_let_go(&hold);
}

/* ---- runs ---- */

/* Lists each run, and below it its threads, if it has any, as they are sorted. */
static void
read_runs(struct chooser *c)
{
	size_t nr_runs = listing_rows(c->runs), nr = listing_rows(c->next_threads);
	const struct list_row *row;

	for (model_id run = 1; run <= nr_runs; run++) {
		add_row(c, (struct row){ run, ROW_RUN, .open = true });
		add_row(c, (struct row){ run, ROW_FACTS, .open = true });
	}
	for (size_t i = 0; i < nr; i++) {
		job_progress((double)i, (double)nr);
		row = listing_row(c->next_threads, i);
		if (row)
			add_row(c, (struct row){
				(model_id)number(row, LIST_THREAD, "run"), ROW_THREAD, i,
				(model_id)number(row, LIST_THREAD, "id"), .open = false });
	}
	job_sort(c->next, c->nr_next, sizeof(*c->next), compare_rows, NULL);
	for (size_t i = c->nr_next, end = i; i-- > 0;) {
		c->next[i].end = c->next[i].kind == ROW_THREAD ? i + 1 : end;
		end = c->next[i].kind == ROW_RUN ? i : end;
	}
}

/* Lists the rows anew. */
static void
read_rows(void *chooser)
{
	struct chooser *c = chooser;
	struct list_query q = c->table.query;

	restrict_query(&c->table.to, c->profile, &q);
	c->next_threads = listing_open(c->profile, &q);
	if (c->tree)
		read_tree(c);
	else
		read_runs(c);
	if (!c->has_spread)
		runs_spread(&c->spread, c->runs, draw_ascii());
	c->has_spread = true;
}

/* Finds out which rows are shown. */
static void
show_rows(struct chooser *c)
{
	free(c->shown);
	c->shown = xcalloc(c->nr_rows + 1, sizeof(*c->shown));
	c->nr_shown = 0;
	for (size_t i = 0; i < c->nr_rows; i = c->rows[i].open ? i + 1 : c->rows[i].end)
		c->shown[c->nr_shown++] = i;
}

/* Finds out what full bars stand for. */
static void
find_most(struct chooser *c)
{
	int f = 0;

	while (f + 1 < NR_ADDED && strcmp(added[f], c->table.kind->sort))
		f++;
	memset(c->full, 0, sizeof(c->full));
	for (size_t i = 0; i < c->nr_rows; i++) {
		const struct row *r = &c->rows[i];

		if (r->sums[f] > 0 && (uint64_t)r->sums[f] > c->full[r->kind])
			c->full[r->kind] = (uint64_t)r->sums[f];
	}
}

/* Orders rows by what they are, wherever they stand. */
static int
compare_same(const void *pa, const void *pb)
{
	const struct row *a = pa, *b = pb;

	COMPARE(a->kind, b->kind);
	for (int l = 0; l < NR_LEVELS; l++)
		COMPARE(a->of[l], b->of[l]);
	if (a->kind == ROW_RUN || a->kind == ROW_FACTS || a->kind == ROW_THREAD)
		COMPARE(a->run, b->run);
	COMPARE(a->thread, b->thread);
	return 0;
}

/* The rows of the next order are open where those of this one are, which it puts in some order. */
static void
keep_open(struct chooser *c)
{
	if (!c->tree || !c->nr_rows)
		return;
	qsort(c->rows, c->nr_rows, sizeof(*c->rows), compare_same);
	for (size_t i = 0; i < c->nr_next; i++) {
		const struct row *was = bsearch(&c->next[i], c->rows, c->nr_rows, sizeof(*c->rows),
						compare_same);

		c->next[i].open = was ? was->open : c->next[i].open;
	}
}

static void
drop_next(struct chooser *c)
{
	busy_drop(&c->reading);
	listing_close(c->next_threads);
	c->next_threads = NULL;
	free(c->next);
	c->next = NULL;
	c->nr_next = c->next_alloc = 0;
}

static const struct row *
shown_row(const struct chooser *c, size_t i)
{
	return &c->rows[c->shown[i]];
}

/* The cursor stays on its row; it begins on the first thread or rank. */
static void
show_next(struct view *v)
{
	struct chooser *c = v->data;
	bool there = v->cursor < c->nr_shown;
	struct row at = there ? *shown_row(c, v->cursor) : (struct row){ .run = 0 };

	keep_open(c);
	listing_close(c->threads);
	free(c->rows);
	c->threads = c->next_threads;
	c->nr_threads = listing_rows(c->threads);
	c->rows = c->next;
	c->nr_rows = c->nr_next;
	c->next_threads = NULL;
	c->next = NULL;
	drop_next(c);
	find_most(c);
	show_rows(c);
	for (size_t i = 0; i < c->nr_shown; i++) {
		const struct row *r = shown_row(c, i);
		bool found = there ? !compare_same(r, &at)
				   : r->kind == ROW_THREAD || r->kind == ROW_RANK;

		if (found || !there)
			v->cursor = i;
		if (found)
			break;
	}
	if (v->area.h)
		view_move_to(v, v->cursor);
}

/* Goes on in the slice that has begun. */
static unsigned
read_on(struct view *v, struct table *t)
{
	struct chooser *c = chooser_of(t);

	if (c->reading && !busy_run(v->browser, &c->reading))
		return WORK_MORE;
	if (c->next_threads)
		show_next(v);
	return WORK_NEW;
}

/* Figures of runs and sums, and how many threads there are, have changed. */
static void
renew(struct chooser *c)
{
	const struct list_query runs = { .kind = LIST_RUN };

	listing_close(c->runs);
	c->runs = listing_open(c->profile, &runs);
	strbuf_clear(&c->spread);
	c->has_spread = false;
	profile_sums(c->profile, LIST_THREAD, &c->table.sums);
	c->table.whole = c->table.sums.of[list_column_find(LIST_THREAD, c->table.kind->sort)];
}

static void
list_rows(struct view *v, struct table *t)
{
	struct chooser *c = chooser_of(t);

	drop_next(c);
	if (live_renew_threads(t->browser))
		renew(c);
	c->reading = job_new(read_rows, c);
	busy_slice(v->browser, SLICE_KEY);
	read_on(v, t);
}

static bool
is_reading(const struct table *t)
{
	return chooser_of(t)->reading;
}

static void
describe_reading(const struct table *t, struct strbuf *out)
{
	const struct chooser *c = chooser_of(t);

	if (c->reading)
		strbuf_fmt(out, "%sreading %u%%", out->len ? "  " : "", job_percent(c->reading));
}

/* ---- rows ---- */

static size_t
nr_rows(struct table *t)
{
	return chooser_of(t)->nr_shown;
}

/* Begins the name of a row of the tree. */
static void
add_depth(const struct row *r, struct strbuf *out)
{
	bool ascii = draw_ascii(), below = r->kind != ROW_THREAD && !r->thread;

	strbuf_fmt(out, "%*s%s", (int)r->depth * 2, "",
		   !below ? "  " : r->open ? ascii ? "- " : "▾ " : ascii ? "+ " : "▸ ");
}

static void
add_place(struct strbuf *out, const char *what, const char *name)
{
	if (*name)
		strbuf_fmt(out, "%s %s", what, name);
	else
		strbuf_fmt(out, "%s unknown", what);
}

static void
add_group_name(const struct chooser *c, const struct row *r, struct strbuf *out)
{
	const struct where *where = &c->where[r->run ? r->run - 1 : 0];

	if (r->kind == ROW_RANK && r->of[BY_RANK] < 0)
		strbuf_str(out, "no rank");
	else if (r->kind == ROW_RANK)
		strbuf_fmt(out, "rank %" PRId64, r->of[BY_RANK]);
	else
		add_place(out, r->kind == ROW_JOB ? "job" : "host",
			  r->kind == ROW_JOB ? where->job : where->host);
	if (r->kind == ROW_RANK)
		return;
	strbuf_str(out, ": ");
	human_count(out, r->ranks);
	strbuf_str(out, r->ranks == 1 ? " rank" : " ranks");
}

/* Makes the row of a group, or of a thread in the tree. */
static const struct list_row *
make_row(struct chooser *c, const struct row *r)
{
	const struct list_row *of = r->thread ? listing_row(c->threads, r->at) : NULL;

	if (of)
		c->made = *of;
	else
		list_row_empty(&c->made);
	strbuf_clear(&c->name);
	add_depth(r, &c->name);
	if (r->kind == ROW_THREAD)
		strbuf_str(&c->name, cell_of(of, LIST_THREAD, "name")->text);
	else
		add_group_name(c, r, &c->name);
	list_row_put_text(&c->made, LIST_THREAD, "name", c->name.buf);
	for (int f = 0; f < NR_ADDED && !of; f++)
		list_row_put_number(&c->made, LIST_THREAD, added[f], r->sums[f]);
	c->table.full = c->full[r->kind == ROW_THREAD ? ROW_RANK : r->kind];
	return &c->made;
}

static const struct list_row *
row_of(struct table *t, size_t i)
{
	struct chooser *c = chooser_of(t);
	const struct row *r = shown_row(c, i);

	if (r->kind == ROW_RUN || r->kind == ROW_FACTS)
		return NULL;
	return c->tree ? make_row(c, r) : listing_row(c->threads, r->at);
}

/* Is all marked that the row stands for? */
static bool
all_marked(const struct chooser *c, size_t first, size_t end)
{
	bool all = first < end;

	for (; all && first < end; first++)
		all = !c->rows[first].thread ||
		      (c->rows[first].thread <= c->last_id &&
		       c->marked[c->rows[first].thread - 1]);
	return all;
}

static bool
is_marked(struct table *t, size_t i)
{
	const struct chooser *c = chooser_of(t);
	const struct row *r = shown_row(c, i);

	return r->kind != ROW_RUN && r->kind != ROW_FACTS && c->nr_marked &&
	       all_marked(c, c->shown[i], r->end);
}

static void
add_exit(const struct chooser *c, const struct list_row *row, struct strbuf *out)
{
	const struct browser *b = c->table.browser;

	if (b->live.from && !b->live.ended)
		strbuf_str(out, "it runs");
	else if (!cell_of(row, LIST_RUN, "exit_signal")->null)
		strbuf_fmt(out, "signal %" PRIu64, number(row, LIST_RUN, "exit_signal"));
	else if (!cell_of(row, LIST_RUN, "exit_status")->null)
		strbuf_fmt(out, "exit %" PRIu64, number(row, LIST_RUN, "exit_status"));
	else
		strbuf_str(out, "end unknown");
}

static void
add_command(const struct chooser *c, model_id run, struct strbuf *out)
{
	strbuf_fmt(out, "run %u   %s", run,
		   cell_of(listing_row(c->runs, run - 1), LIST_RUN, "command")->text);
}

static void
add_facts(const struct chooser *c, model_id run, struct strbuf *out)
{
	const struct list_row *row = listing_row(c->runs, run - 1);
	bool ascii = draw_ascii();
	const struct cell *label;

	if (!row)
		return;
	strbuf_str(out, "  ");
	label = cell_of(row, LIST_RUN, "label");
	if (!label->null)
		strbuf_fmt(out, "%s: ", label->text);
	add_exit(c, row, out);
	strbuf_str(out, ", wall ");
	human_ns(out, number(row, LIST_RUN, "wall_ns"), ascii);
	strbuf_str(out, ", cpu ");
	human_ns(out, number(row, LIST_RUN, "cpu_ns"), ascii);
	if (number(row, LIST_RUN, "processes") > 1)
		strbuf_fmt(out, ", %" PRIu64 " processes", number(row, LIST_RUN, "processes"));
	strbuf_str(out, ", ");
	human_when(out, (int64_t)number(row, LIST_RUN, "started_ns"));
}

/* Of a run: its command, and below that how it went. */
static void
add_run(struct table *t, size_t i, struct strbuf *out, enum role *role)
{
	const struct chooser *c = chooser_of(t);
	const struct row *r = shown_row(c, i);

	if (c->tree)
		add_depth(r, out);
	*role = r->kind == ROW_RUN ? ROLE_STRONG : ROLE_DIM;
	if (r->kind == ROW_RUN)
		add_command(c, r->run, out);
	else if (r->kind == ROW_FACTS)
		add_facts(c, r->run, out);
}

static const struct row_source threads_source = {
	.rows = nr_rows, .row = row_of, .text = add_run, .marked = is_marked, .open = list_rows,
	.busy = is_reading, .work = read_on, .describe = describe_reading,
};

static void
threads_title(struct view *v, struct title *title)
{
	const struct chooser *c = v->data;

	strbuf_str(&title->left, c->tree ? "ranks and threads" : "runs and threads");
	if (c->least_rank >= 0) {
		strbuf_fmt(&title->left, ": ranks %" PRId64 " to %" PRId64, c->least_rank,
			   c->most_rank);
	}
	if (c->nr_marked) {
		human_count(&title->middle, c->nr_marked);
		strbuf_str(&title->middle, " marked: Enter shows only these");
	} else {
		filter_describe(&c->table, &title->middle);
		if (!title->middle.len)
			strbuf_str(&title->middle, c->spread.buf);
	}
	human_count(&title->right, c->nr_threads);
	strbuf_fmt(&title->right, " thread%s", c->nr_threads == 1 ? "" : "s");
}

static void
threads_empty(struct view *v, struct strbuf *out)
{
	if (!table_view_explain(v, out))
		strbuf_str(out, "This profile does not say which run or thread anything was done "
			   "in.\n");
}

static void
threads_close(struct view *v)
{
	struct chooser *c = v->data;

	drop_next(c);
	listing_close(c->runs);
	listing_close(c->threads);
	free(c->rows);
	free(c->shown);
	free(c->marked);
	arena_release(&c->names);
	strbuf_release(&c->name);
	strbuf_release(&c->spread);
	table_view_close(v);
}

/* ---- choosing ---- */

/* Returns the rows that have the threads of the row shown at I: [*first, end). */
static size_t
threads_of(const struct chooser *c, size_t i, size_t *first)
{
	*first = c->shown[i];
	return c->rows[*first].end;
}

/* A run or a rank is marked when all of it is; a partly marked one becomes marked. */
static unsigned
mark(struct view *v, size_t count)
{
	struct chooser *c = v->data;
	size_t first, end;
	bool all;

	for (count = count ? count : 1; count && v->cursor < c->nr_shown; count--) {
		end = threads_of(c, v->cursor, &first);
		all = all_marked(c, first, end);
		for (; first < end; first++) {
			model_id thread = c->rows[first].thread;

			if (!thread || thread > c->last_id)
				continue;
			c->nr_marked += !all - (size_t)c->marked[thread - 1];
			c->marked[thread - 1] = !all;
		}
		if (v->cursor + 1 == c->nr_shown)
			break;
		view_move_to(v, v->cursor + 1);
	}
	return EFFECT_DONE;
}

/* Shows the marked threads, else those of the row under the cursor. */
static unsigned
show(struct view *v)
{
	struct chooser *c = v->data;
	struct browser *b = v->browser;
	bool *keep = xcalloc(c->last_id + 1, sizeof(*keep)), some = c->nr_marked;
	size_t nr = c->last_id, first = 0, end = 0;
	unsigned effect = EFFECT_DONE;

	memcpy(keep, c->marked, nr * sizeof(*keep));
	if (!c->nr_marked && v->cursor < c->nr_shown)
		end = threads_of(c, v->cursor, &first);
	for (; first < end; first++) {
		if (c->rows[first].thread && c->rows[first].thread <= nr)
			some = keep[c->rows[first].thread - 1] = true;
	}
	if (some) {
		browser_pop(b); /* V is gone */
		effect = threads_show(b, keep, nr) | EFFECT_LAYOUT;
	} else {
		browser_say(b, ROLE_MESSAGE, "there is nothing to choose from");
	}
	free(keep);
	return effect;
}

static unsigned
show_all(struct view *v)
{
	struct browser *b = v->browser;

	browser_pop(b); /* V is gone */
	return threads_show(b, NULL, 0) | EFFECT_LAYOUT;
}

/* Opens the row of the cursor, or closes it; where it is so, goes down into it, or up out of it. */
static unsigned
open_row(struct view *v, bool open)
{
	struct chooser *c = v->data;
	size_t to = v->cursor;
	struct row *r;

	if (!c->tree || to >= c->nr_shown)
		return EFFECT_REFUSED;
	r = &c->rows[c->shown[to]];
	if (r->end > c->shown[to] + 1 && r->open != open) {
		r->open = open;
		show_rows(c);
	} else if (open) {
		to += r->end > c->shown[to] + 1;
	} else {
		while (to && shown_row(c, to)->depth >= r->depth)
			to--;
		to = shown_row(c, to)->depth < r->depth ? to : v->cursor;
	}
	view_move_to(v, to);
	return EFFECT_DONE;
}

static unsigned
threads_act(struct view *v, enum action action, size_t count)
{
	switch (action) {
	case ACTION_SHOW:
		return show(v);
	case ACTION_MARK_ROW:
		return mark(v, count);
	case ACTION_ALL:
		return show_all(v);
	case ACTION_TREE_EXPAND:
	case ACTION_TREE_COLLAPSE:
		return open_row(v, action == ACTION_TREE_EXPAND);
	default:
		return table_act(v, v->data, action, count);
	}
}

#define THREADS_OPS                                                                              \
	.name = "threads", .keymap = KEYMAP_THREADS, TABLE_PANE_OPS, .close = threads_close,     \
	.title = threads_title, .empty = threads_empty, .act = threads_act
static const struct view_ops threads_ops = { THREADS_OPS };

static const enum action tree_hints[NR_HINTS] = {
	ACTION_SHOW, ACTION_TREE_EXPAND, ACTION_MARK_ROW, ACTION_ALL, ACTION_SORT, ACTION_SEARCH,
	ACTION_HELP, ACTION_QUIT,
};
static const struct view_ops tree_ops = { THREADS_OPS, .hints = tree_hints };

/* Shares refer to the time of all threads; without time, to the blocks executed. What took most is
 * first. The threads shown now are marked, unless these are all. */
struct view *
threads_of_ranks(struct browser *b, int64_t least, int64_t most)
{
	struct profile *p = threads_whole(b);
	bool tree = !b->live.from && profile_rows(p, LIST_RANK) > 1;
	struct list_query runs = { .kind = LIST_RUN };
	struct chooser *c = xcalloc(1, sizeof(*c));
	struct view *v = view_new(tree ? &tree_ops : &threads_ops, b, c);
	const struct table_kind *kind = tree ? &chosen_ranks_kind : &chosen_threads_kind;
	struct list_sums sums = { .rows = 0 };

	live_renew_threads(b);
	profile_sums(p, LIST_THREAD, &sums);
	if (!b->live.from && !sums.of[list_column_find(LIST_THREAD, kind->sort)])
		kind = tree ? &counted_ranks_kind : &counted_threads_kind;
	table_init(&c->table, b, kind);
	c->table.source = &threads_source;
	c->table.sums = sums;
	c->table.whole = sums.of[list_column_find(LIST_THREAD, kind->sort)];
	c->profile = p;
	c->tree = tree;
	c->least_rank = least;
	c->most_rank = most;
	strbuf_init(&c->name);
	strbuf_init(&c->spread);
	c->has_spread = least >= 0; /* some ranks: the spread of all runs would mislead */
	c->runs = listing_open(p, &runs);
	c->last_id = (size_t)profile_rows(p, LIST_THREAD);
	c->marked = xcalloc(c->last_id, sizeof(*c->marked));
	table_open(v, &c->table);
	for (size_t i = 0; i < c->last_id && i < b->threads.nr; i++) {
		c->marked[i] = b->threads.keep[i];
		c->nr_marked += c->marked[i];
	}
	return v;
}

/* Many ranks are a strip at first. */
struct view *
threads_new(struct browser *b)
{
	enum { MANY = 500 };

	if (!b->live.from && profile_rows(threads_whole(b), LIST_RANK) > MANY)
		return strip_new(b);
	return threads_of_ranks(b, -1, INT64_MAX);
}
