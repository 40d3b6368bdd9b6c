#include "db/trees/tree_links.h"

#include <stdlib.h>
#include <string.h>

#include "util/job_sort.h"
#include "util/mem.h"
#include "util/order.h"

/* The callers or callees of a procedure or a cycle. They are kept, as they are asked for again. */
struct links {
	uint64_t key;
	struct link *links;      /* as large as it must be: there are very many short ones */
	size_t nr;
};

static int
compare_links(const void *pa, const void *pb, void *context)
{
	const struct link *a = pa, *b = pb;

	(void)context;
	COMPARE(a->other, b->other);
	return 0;
}

/* Makes one link for each procedure at the other end; returns how many of NR are left. */
static size_t
merge_links(struct link *links, size_t nr)
{
	struct link *to = links;

	if (!nr)
		return 0;
	for (size_t i = 1; i < nr; i++) {
		const struct link *from = &links[i];

		if (from->other != to->other) {
			*++to = *from;
			continue;
		}
		if (from->count > to->most) {
			to->most = from->count;
			to->site = from->site;
		}
		to->count = sum_capped(to->count, from->count);
		to->time = sum_capped(to->time, from->time);
		to->estimated |= from->estimated;
	}
	return (size_t)(to - links) + 1;
}

static struct link
read_link(const struct tree *t, sqlite3_stmt *st)
{
	struct link k = {
		.other = column_id(t->profile, st, 1, TABLE_PROCEDURE),
		.site = column_id(t->profile, st, 2, TABLE_SITE),
		.count = column_count(t->profile, st, 3), .time = column_count(t->profile, st, 4),
		.estimated = column_integer(st, 5),
		.cycle = column_id(t->profile, st, 6, TABLE_CYCLE),
	};

	k.most = k.count;
	return k;
}

static bool
same_links(const void *ctx, uint32_t item, const void *key)
{
	return ((const struct link_cache *)ctx)->links[item].key == *(const uint64_t *)key;
}

static void
forget_links(struct link_cache *c)
{
	for (size_t i = 0; i < c->nr_links; i++)
		free(c->links[i].links);
	free(c->links);
	c->links = NULL;
	c->nr_links = c->links_alloc = c->kept = 0;
	index_release(&c->index);
}

/* Even a walk through all of a tree keeps no more than this. Long lists are as well read again. */
enum { MOST_KEPT = 50000, MOST_KEPT_OF_ONE = 1000 };

static void
keep_links(struct link_cache *c, uint64_t key, const struct link *links, size_t nr)
{
	struct links l = { .key = key, .nr = nr };

	if (nr > MOST_KEPT_OF_ONE)
		return;
	if (c->kept + c->nr_links > MOST_KEPT)
		forget_links(c);
	c->kept += nr;
	if (nr) {
		l.links = xmalloc(nr * sizeof(*links));
		memcpy(l.links, links, nr * sizeof(*links));
	}
	index_add(&c->index, hash_number(HASH_START, key), (uint32_t)c->nr_links);
	GROW(c->links, c->nr_links + 1, c->links_alloc);
	c->links[c->nr_links++] = l;
}

/* ---- queries ---- */

/* What a tool has measured of arcs ("~" stands for the measure's name). Of two of one cycle nobody
 * knows what one has from the other: as with times, such an arc has nothing; a member has its own,
 * and what it calls outside of the cycle. */
#define WITHIN "a.caller = a.callee OR nullif(p.cycle, 0) = nullif(q.cycle, 0)"
#define PASSED "CASE WHEN " WITHIN " THEN 0 ELSE a.total_~ END"
#define OF_MEMBER                                                                                 \
	"CASE WHEN nullif(p.cycle, 0) IS NULL THEN p.total_~ ELSE p.self_~ + "                    \
	"(SELECT coalesce(sum(a.total_~), 0) FROM arc a JOIN procedure q ON q.id = a.callee "     \
	"WHERE a.caller = p.id AND q.cycle IS NOT p.cycle) END"
#define GUESSED "a.how IN ('estimated', 'pinned')"
static const char *const measured_queries[] = {
	[QUERY_ALL_ARCS - QUERY_ALL_ARCS] =
		"SELECT a.id, a.caller, a.callee, a.count, " PASSED ", " GUESSED " FROM arc a "
		"LEFT JOIN procedure p ON p.id = a.caller LEFT JOIN procedure q ON q.id = a.callee",
	[QUERY_ALL_CALLED - QUERY_ALL_ARCS] =
		"SELECT p.id, " OF_MEMBER ", p.self_~, p.calls, p.self_calls, p.cycle "
		"FROM procedure p",
	[QUERY_CYCLE - QUERY_ALL_ARCS] =
		"SELECT coalesce(sum(" OF_MEMBER "), 0), coalesce(sum(p.self_~), 0), "
		"c.outer_calls, c.inner_calls, c.self_calls "
		"FROM cycle c JOIN procedure p ON p.cycle = c.id WHERE c.id = ?1",
	[QUERY_CALLED - QUERY_ALL_ARCS] =
		"SELECT p.id, " OF_MEMBER ", p.self_~, p.calls, p.self_calls, p.cycle "
		"FROM procedure p WHERE p.id = ?1",
	[QUERY_ARCS_IN - QUERY_ALL_ARCS] =
		"SELECT a.id, a.caller, coalesce(a.site, a.through), a.count, " PASSED ", " GUESSED
		", p.cycle FROM arc a LEFT JOIN procedure p ON p.id = a.caller "
		"LEFT JOIN procedure q ON q.id = a.callee WHERE a.callee = ?1",
	[QUERY_ARCS_OUT - QUERY_ALL_ARCS] =
		"SELECT a.id, a.callee, coalesce(a.site, a.through), a.count, " PASSED ", " GUESSED
		", p.cycle FROM arc a CROSS JOIN procedure p ON p.id = a.callee "
		"LEFT JOIN procedure q ON q.id = a.caller WHERE a.caller = ?1",
};

sqlite3_stmt *
tree_prepare(struct tree *t, enum profile_query query)
{
	const struct model_measure *m = tree_measure(t);
	const char *text = m ? measured_queries[query - QUERY_ALL_ARCS] : NULL;
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	if (!text)
		return profile_prepare(t->profile, profile_queries[query]);
	for (; *text; text++) {
		if (*text == '~')
			strbuf_str(&sql, m->name);
		else
			strbuf_char(&sql, *text);
	}
	st = profile_prepare(t->profile, sql.buf);
	strbuf_release(&sql);
	return st;
}

sqlite3_stmt *
tree_row_query(struct tree *t, struct link_cache *c, enum profile_query query)
{
	sqlite3_stmt **st = &c->rows[query == QUERY_CYCLE];

	if (!tree_measure(t))
		return profile_query(t->profile, query);
	if (*st)
		sqlite3_reset(*st);
	else
		*st = tree_prepare(t, query);
	return *st;
}

/* ---- reading ---- */

/* Returns a statement for one reader alone: others may ask the same query while it pauses. */
static sqlite3_stmt *
take_statement(struct tree *t, struct link_cache *c, enum profile_query query, uint32_t parameter)
{
	sqlite3_stmt **spare = &c->spare[query - QUERY_MEMBERS], *st = *spare;

	*spare = NULL;
	if (!st)
		st = tree_prepare(t, query);
	if (st)
		sqlite3_bind_int64(st, 1, parameter);
	return st;
}

static void
give_statement(struct link_cache *c, enum profile_query query, sqlite3_stmt *st)
{
	sqlite3_stmt **spare = &c->spare[query - QUERY_MEMBERS];

	sqlite3_reset(st);
	if (*spare)
		sqlite3_finalize(st);
	else
		*spare = st;
}

struct members
members_begin(struct tree *t, struct link_cache *c, uint32_t cycle)
{
	return (struct members){ .st = take_statement(t, c, QUERY_MEMBERS, cycle) };
}

model_id
members_next(struct tree *t, struct members *m)
{
	return profile_step(t->profile, m->st)
		       ? column_id(t->profile, m->st, 0, TABLE_PROCEDURE) : 0;
}

void
members_end(struct link_cache *c, struct members *m)
{
	if (m->st)
		give_statement(c, QUERY_MEMBERS, m->st);
	m->st = NULL;
}

/* Reads the links of one procedure, which the statement has bound. */
static void
read_links(struct tree *t, struct link_list *l)
{
	struct link k;

	for (; profile_step(t->profile, l->st); job_pause(1)) {
		k = read_link(t, l->st);
		if (!k.count && !k.time)
			continue;
		GROW(l->links, l->nr + 1, l->alloc);
		l->links[l->nr++] = k;
	}
}

static void
read_members(struct tree *t, struct link_cache *c, struct link_list *l, uint32_t cycle)
{
	model_id member;

	l->members = members_begin(t, c, cycle);
	while (l->st && (member = members_next(t, &l->members))) {
		sqlite3_reset(l->st);
		sqlite3_bind_int64(l->st, 1, member);
		read_links(t, l);
		job_pause(1);
	}
}

void
links_read(struct tree *t, struct link_cache *c, struct link_list *l, bool up, model_id procedure,
	   uint32_t cycle)
{
	uint64_t key = (uint64_t)(procedure ? procedure : cycle) << 2 | !procedure << 1 | up;
	uint32_t i = index_find(&c->index, hash_number(HASH_START, key), same_links, c, &key);

	if (i != INDEX_NONE) {
		l->nr = c->links[i].nr;
		GROW(l->links, l->nr + 1, l->alloc);
		if (l->nr)
			memcpy(l->links, c->links[i].links, l->nr * sizeof(*l->links));
		return;
	}
	l->query = up ? QUERY_ARCS_IN : QUERY_ARCS_OUT;
	l->st = take_statement(t, c, l->query, procedure);
	if (procedure)
		read_links(t, l);
	else
		read_members(t, c, l, cycle);
	job_sort(l->links, l->nr, sizeof(*l->links), compare_links, NULL);
	l->nr = merge_links(l->links, l->nr);
	keep_links(c, key, l->links, l->nr);
}

void
links_free(struct link_cache *c, struct link_list *l)
{
	if (l->st)
		give_statement(c, l->query, l->st);
	members_end(c, &l->members);
	free(l->links);
	*l = (struct link_list){ .links = NULL };
}

/* ---- the cache ---- */

void
links_release(struct link_cache *c)
{
	forget_links(c);
	sqlite3_finalize(c->rows[0]);
	sqlite3_finalize(c->rows[1]);
	for (size_t i = 0; i < sizeof(c->spare) / sizeof(c->spare[0]); i++)
		sqlite3_finalize(c->spare[i]);
}

size_t
links_bytes(const struct link_cache *c)
{
	return c->kept * sizeof(struct link) + c->nr_links * sizeof(struct links);
}
