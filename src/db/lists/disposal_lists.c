/* Listings of blocks: three by calls (pairs of a maker and a disposer, disposers, makers), three of
 * what was got (by call and size class, by type, by size class), and one of what each call got of
 * pools. They are no tables of the profile: temporary ones are made at the first request, as some
 * profiles have no disposals, and rows without blocks are left out. Pairs are a view, as there may
 * be a million. The listing of what was kept in a span of time gets its rows when the span is
 * known. Ranks, which most profiles have not,
 * and what is uneven over them are made the same way. */
#include "db/lists/heaps.h"
#include "db/lists/imbalance.h"
#include "db/model/table.h"
#include "db/store/connection.h"
#include "util/job.h"

#define COLUMNS "id INTEGER PRIMARY KEY, site INTEGER, procedure INTEGER, by_site INTEGER, " \
	"by INTEGER, how TEXT, others INTEGER, blocks INTEGER, bytes INTEGER, " \
	"live_blocks INTEGER, live INTEGER, at_exit INTEGER, life_bytes INTEGER, " \
	"temporary INTEGER, under_4k INTEGER, under_64k INTEGER, under_1m INTEGER, " \
	"under_16m INTEGER, under_256m INTEGER, under_4g INTEGER, longer INTEGER, " \
	"moved INTEGER, copied_bytes INTEGER, grown_bytes INTEGER, timed INTEGER, " \
	"least_ns INTEGER, most_ns INTEGER, lost INTEGER"
#define SUMS "sum(blocks), sum(bytes), sum(iif(how = 'never', blocks, 0)), " \
	"sum(iif(how = 'never', bytes, 0)), sum(iif(how = 'exit', bytes, 0)), sum(life_bytes), " \
	"sum(temporary), sum(under_4k), sum(under_64k), sum(under_1m), sum(under_16m), " \
	"sum(under_256m), sum(under_4g), sum(longer), sum(moved), sum(copied_bytes), " \
	"sum(grown_bytes), sum(timed), sum(least_ns), sum(most_ns), NULL FROM disposal " \
	"WHERE blocks > 0 "
#define GOT_COLUMNS "id INTEGER PRIMARY KEY, site INTEGER, procedure INTEGER, type TEXT, " \
	"size_class INTEGER, calls INTEGER, blocks INTEGER, bytes INTEGER, " \
	"slack_bytes INTEGER, live_blocks INTEGER, live INTEGER, peak INTEGER, " \
	"freed_blocks INTEGER, freed INTEGER, temporary INTEGER, life_bytes INTEGER"
/* Of sums of raw profiles no peak is known but those of pools. */
#define GOT_SUMS "count(DISTINCT ifnull(a.site, -a.procedure)), sum(a.blocks), sum(a.bytes), " \
	"sum(a.slack_bytes), sum(a.live_blocks), sum(a.live_bytes), sum(iif(a.pool IS NOT NULL " \
	"OR EXISTS (SELECT 1 FROM measure WHERE name = 'peak'), a.peak_bytes, NULL)), " \
	"sum(a.freed_blocks), sum(a.freed_bytes), sum(a.temporary), sum(a.life_bytes) " \
	"FROM allocation a LEFT JOIN call_site s ON s.id = a.site " \
	"WHERE (a.blocks > 0 OR a.freed_blocks > 0) AND a.pool IS "
#define GOT(name) "CREATE TEMP TABLE " name "(" GOT_COLUMNS ")"
#define SPAN_COLUMNS "id INTEGER PRIMARY KEY, from_ns INTEGER, to_ns INTEGER, name TEXT, " \
	"what TEXT, size_class INTEGER, made_lo INTEGER, made_hi INTEGER, kept_lo INTEGER, " \
	"kept_hi INTEGER, before_lo INTEGER, before_hi INTEGER, after_lo INTEGER, " \
	"after_hi INTEGER, procedure INTEGER, file INTEGER, " \
	"line INTEGER, column INTEGER, end_line INTEGER, end_column INTEGER"
#define WHOLE(column) ", CAST(total(t." column ") AS INTEGER)"
#define MADE(name) "CREATE TEMP TABLE " name "(" COLUMNS ")"

static const struct {
	enum list_kind kind;
	const char *make, *fill, *count;
	const char *view;        /* in place of both where there are disposals; NULL: none is */
} lists[] = {
	{ LIST_PAIR, MADE("pair"), NULL, "SELECT count(*) FROM temp.pair",
	  "CREATE TEMP VIEW pair AS SELECT *, 1 AS others, "
	  "iif(how = 'never', blocks, 0) AS live_blocks, iif(how = 'never', bytes, 0) AS live, "
	  "iif(how = 'exit', bytes, 0) AS at_exit, NULL AS lost FROM disposal WHERE blocks > 0" },
	{ LIST_DISPOSER, MADE("disposer"), "INSERT INTO temp.disposer SELECT NULL, NULL, NULL, "
	  "by_site, by, how, count(*), " SUMS "AND how <> 'never' GROUP BY by_site, by, how",
	  "SELECT count(*) FROM temp.disposer", NULL },
	{ LIST_LIFETIME, MADE("lifetime"), "INSERT INTO temp.lifetime SELECT NULL, site, "
	  "procedure, NULL, NULL, NULL, sum(how <> 'never'), " SUMS "GROUP BY site, procedure",
	  "SELECT count(*) FROM temp.lifetime", NULL },
	{ LIST_PRODUCER, GOT("got"), "INSERT INTO temp.got SELECT NULL, a.site, a.procedure, "
	  "s.type, a.size_class, " GOT_SUMS "NULL GROUP BY a.id",
	  "SELECT count(*) FROM temp.got", NULL },
	/* The pool stands where others have the type. */
	{ LIST_POOL, GOT("got_pool"), "INSERT INTO temp.got_pool SELECT NULL, a.site, "
	  "a.procedure, a.pool, NULL, " GOT_SUMS "NOT NULL GROUP BY a.id",
	  "SELECT count(*) FROM temp.got_pool", NULL },
	{ LIST_TYPE, GOT("got_type"), "INSERT INTO temp.got_type SELECT NULL, NULL, NULL, s.type, "
	  "NULL, " GOT_SUMS "NULL GROUP BY s.type", "SELECT count(*) FROM temp.got_type", NULL },
	{ LIST_SIZE, GOT("got_size"), "INSERT INTO temp.got_size SELECT NULL, NULL, NULL, NULL, "
	  "a.size_class, " GOT_SUMS "NULL GROUP BY a.size_class",
	  "SELECT count(*) FROM temp.got_size", NULL },
	{ LIST_SPAN, "CREATE TEMP TABLE span(" SPAN_COLUMNS ")", NULL,
	  "SELECT count(*) FROM temp.span", NULL },
	/* A rank has a run of its own, or is a process of one. */
	{ LIST_RANK, "CREATE TEMP TABLE rank(id INTEGER PRIMARY KEY, rank INTEGER, host TEXT, "
	  "wall_ns INTEGER, runs INTEGER, threads INTEGER, cpu_ns INTEGER, samples INTEGER, "
	  "lost_samples INTEGER, wait_ns INTEGER, delay_ns INTEGER, blocks_executed INTEGER, "
	  "it_calls INTEGER, it_work INTEGER, it_ns INTEGER)",
	  "INSERT INTO temp.rank SELECT t.rank + 1, t.rank, max(r.host), max(r.wall_ns), "
	  "count(DISTINCT t.run)" WHOLE("threads") WHOLE("cpu_ns") WHOLE("samples")
	  WHOLE("lost_samples") WHOLE("wait_ns") WHOLE("delay_ns") WHOLE("blocks_executed")
	  ", NULL, NULL, NULL"
	  " FROM part t LEFT JOIN run r ON r.id = t.run WHERE t.rank >= 0 GROUP BY t.rank",
	  "SELECT count(*) FROM temp.rank", NULL },
	{ LIST_IMBALANCE, "CREATE TEMP TABLE imbalance(" IMBALANCE_COLUMNS ")", NULL,
	  "SELECT count(*) FROM temp.imbalance", NULL },
};
_Static_assert(sizeof(lists) / sizeof(*lists) == NR_DISPOSAL_LISTS,
	       "they are counted in struct profile");

/* Memcheck's definite leaks are charged to the innermost call on the stack that wants blocks.
 * Within a wrapper of an allocator, the call of the allocator is none. */
#define LEAK "tool = 'memcheck' AND kind = 'Leak_DefinitelyLost'"
static const char *const find_lost[] = {
	"CREATE TEMP TABLE lost(lifetime INTEGER, bytes INTEGER)",
	"INSERT INTO temp.lost SELECT (SELECT l.id FROM defect_frame a JOIN call_site s ON "
	"s.file = a.file AND s.line <= a.line AND (s.line, s.column) <= (a.line, a.column) AND "
	"(s.end_line, s.end_column) >= (a.end_line, a.end_column) "
	"JOIN temp.lifetime l ON l.site = s.id WHERE a.defect = d.id AND a.stack = 1 "
	"ORDER BY a.depth, s.end_line - s.line, s.end_column - s.column, l.id LIMIT 1), bytes "
	"FROM defect d WHERE " LEAK,
	"UPDATE temp.lifetime SET lost = (SELECT coalesce(sum(bytes), 0) FROM temp.lost o "
	"WHERE o.lifetime = temp.lifetime.id) WHERE EXISTS (SELECT 1 FROM defect WHERE " LEAK ")",
};

static void
count_rows(struct profile *p, enum list_kind kind)
{
	sqlite3_stmt *st;
	int i = 0;

	while (lists[i].kind != kind)
		i++;
	st = profile_prepare(p, lists[i].count);
	if (st && profile_step(p, st))
		p->disposal_lists[i].rows = (uint64_t)column_integer(st, 0);
	sqlite3_finalize(st);
}

static void
make(struct profile *p, int i)
{
	bool there = profile_has_disposals(p);

	p->disposal_lists[i].made = true;
	profile_execute(p, lists[i].view && there ? lists[i].view : lists[i].make);
	if (lists[i].fill && (there || lists[i].kind == LIST_RANK))
		profile_execute(p, lists[i].fill);
	for (size_t k = 0; lists[i].kind == LIST_LIFETIME && k < sizeof(find_lost) /
	     sizeof(*find_lost); k++)
		profile_execute(p, find_lost[k]);
	count_rows(p, lists[i].kind);
}

bool
profile_has_disposals(const struct profile *p)
{
	return table_is_there(&tables[TABLE_DISPOSAL], p->others);
}

bool
profile_make_disposals(struct profile *p, enum list_kind kind, uint64_t *rows)
{
	for (int i = 0; i < NR_DISPOSAL_LISTS; i++) {
		if (lists[i].kind != kind)
			continue;
		if (!p->disposal_lists[i].made)
			make(p, i);
		*rows = p->disposal_lists[i].rows;
		return true;
	}
	return false;
}

static void
fill_imbalance(void *profile)
{
	struct profile *p = profile;

	imbalance_fill(p);
	count_rows(p, LIST_IMBALANCE);
	p->imbalance.filled = true;
}

void
profile_make_imbalance(struct profile *p)
{
	uint64_t rows;

	profile_make_disposals(p, LIST_IMBALANCE, &rows);
	if (p->imbalance.filled)
		return;
	if (!p->imbalance.job)
		p->imbalance.job = job_new(fill_imbalance, p);
	job_wait(&p->imbalance.job);
}

/* ---- a span ---- */

static void
bind_text(sqlite3_stmt *st, int at, const char *text)
{
	if (text)
		sqlite3_bind_text(st, at, text, -1, SQLITE_TRANSIENT);
}

/* 0: NULL. */
static void
bind_number(sqlite3_stmt *st, int at, uint64_t number)
{
	if (number)
		sqlite3_bind_int64(st, at, (sqlite3_int64)number);
}

static void
bind_row(sqlite3_stmt *st, const struct live_heap *h, const struct span_row *row)
{
	static const struct live_band others = { .name = "others" };
	const struct live_band *g = row->group == HEAP_OTHERS ? &others : &h->groups[row->group];
	const struct bytes_within *figures[] = { &row->made, &row->kept, &row->before,
						 &row->after };
	const struct place *p = &g->place;

	bind_text(st, 3, g->size_class ? NULL : g->name);
	bind_text(st, 4, g->what);
	bind_number(st, 5, g->size_class);
	for (int i = 0; i < 4; i++) {
		sqlite3_bind_int64(st, 6 + 2 * i, (sqlite3_int64)figures[i]->lo);
		sqlite3_bind_int64(st, 7 + 2 * i, (sqlite3_int64)figures[i]->hi);
	}
	bind_number(st, 14, g->procedure);
	if (!g->at_place)
		return;
	bind_number(st, 15, p->file);
	bind_number(st, 16, p->line);
	bind_number(st, 17, p->column);
	bind_number(st, 18, p->end_line);
	bind_number(st, 19, p->end_column);
}

void
profile_put_span(struct profile *p, const struct live_heap *h, const struct heap_span *span,
		 size_t from, size_t to)
{
	sqlite3_stmt *st;
	uint64_t rows;

	profile_make_disposals(p, LIST_SPAN, &rows);
	st = profile_prepare(p, "INSERT INTO temp.span VALUES(NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, "
			     "?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)");
	for (size_t i = 0; st && i < span->nr; i++) {
		uint64_t from_ns = from == SIZE_MAX ? 0 : h->moments[from].at_ns;

		sqlite3_clear_bindings(st);
		sqlite3_bind_int64(st, 1, (sqlite3_int64)from_ns);
		sqlite3_bind_int64(st, 2, (sqlite3_int64)h->moments[to].at_ns);
		bind_row(st, h, &span->rows[i]);
		profile_step(p, st);
		sqlite3_reset(st);
	}
	sqlite3_finalize(st);
	count_rows(p, LIST_SPAN);
}
