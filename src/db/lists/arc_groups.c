#include "db/lists/arc_groups.h"

#include <stdlib.h>

#include "db/store/connection.h"

enum { MOST_TABLES = 64 };       /* at a time: two of each pane of the browser are used */

struct arc_groups {
	struct profile *profile;
	unsigned table;
	sqlite3_stmt *add, *want;
};

/* ID is that of one of the arcs, above all of these when there are several; SITE and THROUGH are
 * those of the one that has most. Each stack counts once for the pair of procedures, however many
 * of its arcs it passes. */
#define COLUMNS "key, id, site, caller, callee, how, count, lo, hi, total_samples, total_ns, " \
	"pair_samples, pair_ns, propagated_ns, samples, differs, measured, through, total_work, " \
	"arcs, wanted, most_ns, most_count, shared, lacking /*total_@*/"
#define ADD(column) column " = min(" column " + excluded." column ", 9223372036854775807)"
/* All together are no more than the calls of what is called. */
#define ADD_MOST(column) column " = min(" column " + excluded." column ", 9223372036854775807, " \
	"max(" column ", excluded." column ", ifnull((SELECT p.calls FROM procedure p " \
	"WHERE p.id = excluded.callee), 9223372036854775807)))"
#define OF_MOST(column) column " = iif((excluded.most_ns, excluded.most_count) > " \
	"(most_ns, most_count), excluded." column ", " column ")"
/* What is known least of one of them is known so of all together. */
#define IF_ANY(how) "WHEN '" how "' IN (how, excluded.how) THEN '" how "' "

static const struct { const char *add, *want; } sql[] = {
#define STATEMENTS(key)                                                                          \
	{ " (" COLUMNS ") SELECT " key ", a.id, a.site, a.caller, a.callee, a.how, a.count, "    \
	  "a.lo, a.hi, a.pair_samples, a.pair_ns, a.pair_samples, a.pair_ns, a.propagated_ns, "  \
	  "a.samples, a.differs, a.measured, a.through, a.total_work, 1, ?2, a.total_ns, "       \
	  "a.count, a.shared, " ARC_LACKING " /*a.pair_@*/ "                                      \
	  "FROM arc a WHERE a.id = ?1 AND (a.hi > 0 OR a.how = 'sampled' OR NOT ?3) "            \
	  "ON CONFLICT(key) DO UPDATE SET id = id | 4294967296, " OF_MOST("site") ", "           \
	  OF_MOST("through") ", how = CASE " IF_ANY("sampled") IF_ANY("estimated")               \
	  IF_ANY("pinned") IF_ANY("solved") "ELSE how END, "                                     \
	  ADD("count") ", " ADD("lo") ", " ADD_MOST("hi") ", "                                   \
	  ADD("total_samples") ", " ADD("total_ns") ", " ADD("pair_samples") ", "                \
	  ADD("pair_ns") ", " ADD("propagated_ns") ", " ADD("samples") ", "                      \
	  "differs = max(differs, excluded.differs), "                                           \
	  ADD("measured") ", " ADD("total_work") ", arcs = arcs + 1, " OF_MOST("most_ns") ", "   \
	  OF_MOST("most_count") ", shared = max(shared, excluded.shared), " ADD("lacking")       \
	  "/*total_@ = iif((SELECT combine FROM measure WHERE name = '@') = 'sum', min(total_@ " \
	  "+ excluded.total_@, 9223372036854775807), max(total_@, excluded.total_@))*/",         \
	  " SET wanted = 1 WHERE key = (SELECT " key " FROM arc a WHERE a.id = ?1)" }
	[GROUP_BY_CALLER] = STATEMENTS(CALLER_OF("a")),
	[GROUP_BY_CALLEE] = STATEMENTS(CALLEE_OF("a")),
#undef STATEMENTS
};

/* Prepares BEFORE, the name of the table, AFTER. */
static sqlite3_stmt *
prepare(const struct arc_groups *g, const char *before, const char *after)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, before);
	strbuf_fmt(&sql, " temp.arc_group_%u", g->table);
	profile_with_measures(g->profile, after, &sql);
	st = profile_prepare_again(g->profile, sql.buf);
	strbuf_release(&sql);
	return st;
}

static void
execute(const struct arc_groups *g, const char *before, const char *after)
{
	sqlite3_stmt *st = prepare(g, before, after);

	profile_step(g->profile, st);
	profile_put_back(g->profile, st);
}

struct arc_groups *
arc_groups_new(struct profile *p, enum list_group by, bool only_possible)
{
	struct arc_groups *g = xcalloc(1, sizeof(*g));

	g->profile = p;
	while (p->groups_used >> g->table & 1)
		if (++g->table == MOST_TABLES)
			BUG("%d tables of arcs are in use", MOST_TABLES);
	p->groups_used |= (uint64_t)1 << g->table;
	if (!(p->group_tables >> g->table & 1))
		execute(g, "CREATE TABLE", "(key UNIQUE, id INTEGER PRIMARY KEY, site, caller, "
			"callee, how, count, lo, hi, total_samples, total_ns, pair_samples, "
			"pair_ns, propagated_ns, samples, differs, measured, through, "
			"total_work, arcs, wanted, most_ns, most_count, shared, lacking "
			"/*total_@*/)");
	p->group_tables |= (uint64_t)1 << g->table;
	g->add = prepare(g, "INSERT INTO", sql[by].add);
	g->want = prepare(g, "UPDATE", sql[by].want);
	if (g->add)
		sqlite3_bind_int(g->add, 3, only_possible);
	return g;
}

bool
arc_groups_empty(struct arc_groups *g)
{
	struct strbuf some = STRBUF_INIT;

	strbuf_str(&some, " WHERE id IN (SELECT id FROM temp.arc_group_");
	strbuf_fmt(&some, "%u", g->table);
	strbuf_str(&some, " LIMIT 500)");
	execute(g, "DELETE FROM", some.buf);
	strbuf_release(&some);
	return profile_error(g->profile) ||
	       sqlite3_changes(g->profile->db) < ARC_GROUPS_BATCH;
}

unsigned
arc_groups_table(const struct arc_groups *g)
{
	return g->table;
}

static void
step(struct arc_groups *g, sqlite3_stmt *st, int64_t arc)
{
	if (!st)
		return;
	sqlite3_reset(st);
	profile_step_anew(st);
	sqlite3_bind_int64(st, 1, arc);
	profile_step(g->profile, st);
}

void
arc_groups_add(struct arc_groups *g, int64_t arc, bool wanted)
{
	if (g->add)
		sqlite3_bind_int(g->add, 2, wanted);
	step(g, g->add, arc);
}

void
arc_groups_want(struct arc_groups *g, int64_t arc)
{
	step(g, g->want, arc);
}

void
arc_groups_filled(struct arc_groups *g)
{
	profile_put_back(g->profile, g->add);
	profile_put_back(g->profile, g->want);
	g->add = g->want = NULL;
}

void
arc_groups_free(struct arc_groups *g)
{
	if (!g)
		return;
	arc_groups_filled(g);
	g->profile->groups_used &= ~((uint64_t)1 << g->table);
	free(g);
}
