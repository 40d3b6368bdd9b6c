/* The SQL of a listing: put together from the tables of list_spec.c; values are bound. */
#include <string.h>

#include "db/lists/arc_groups.h"
#include "db/lists/list_spec.h"
#include "db/lists/listing.h"
#include "db/model/significance.h"

/* The restrictions of a query, in the order of their conditions. */
struct condition {
	bool wanted;
	const char *left, *right;
	bool looks_up;           /* an index finds the rows; otherwise each one is asked */
};
enum { MAX_CONDITIONS = 26 };
#define IN_GLOB " IN (SELECT id FROM file WHERE in_glob(?8, path))"
#define IN_DIRECTORY " IN (SELECT id FROM file WHERE in_directory(?9, path))"
/* The ends of a compared arc: a procedure, or the name of what is called outside. */
/* Stored rows know only the ends that are in this profile, and the pair. */
#define ENDS_OF(c) c ".caller_entity, " c ".callee_entity, " c ".callee_name, " c ".pair"
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
	return c->flags & LIST_INDEXED && !(q->changed && c->flags & LIST_CHANGES) &&
	       !(q->overlaid && unit_descends(c->unit));
}

static struct sort_term
first_term(const struct list_column *c)
{
	struct sort_term term;

	if (!list_sort_term(c, 0, &term))
		BUG("column %s is not sorted", c->name);
	return term;
}

bool
listing_by_hottest(const struct list_query *q)
{
	return q->hottest && sorted_by(q)->flags & LIST_INDEXED;
}

#define TEXT_OF(macro) TEXT_OF_IT(macro)
#define TEXT_OF_IT(text) #text

/* A procedure that was found by its text, or uses what has changed, is on both sides, and has
 * changed. */
#define IS_LIKE " LIKE 'like (%' OR c.sides LIKE 'uses %')"

static void
conditions_of(const struct list_query *q, struct condition c[MAX_CONDITIONS])
{
	const struct list_spec *s = &list_specs[q->kind];
	bool arc = q->kind == LIST_ARC, files = s->file != NULL;
	bool compared = q->kind == LIST_COMPARISON, sides = compared && q->sides;
	bool of_caller = q->group == GROUP_BY_CALLER;
	const struct list_column *least = &columns_of(q)[q->least_column];
	bool both = sides && (!strcmp(q->sides, "both") || !strcmp(q->sides, "all"));
	bool changed = sides && !strcmp(q->sides, "changed");
	const struct condition all[MAX_CONDITIONS] = {
		{ files && q->file, s->file, " = ?2", !listing_by_hottest(q) },
		{ files && !compared && q->glob && *q->glob, s->file, IN_GLOB, false },
		{ files && !compared && q->directory && *q->directory, s->file, IN_DIRECTORY,
		  false },
		{ compared && q->glob && *q->glob, ELSEWHERE("in_glob(?8, c.path)"),
		  IN_GLOB " END", false },
		{ compared && q->directory && *q->directory,
		  ELSEWHERE("in_directory(?9, c.path)"), IN_DIRECTORY " END", false },
		{ s->procedure && q->procedure, s->procedure, " = ?3", true },
		{ q->cycle && q->kind == LIST_PROCEDURE, "p.cycle", " = ?7", !q->changed },
		{ q->defect && q->kind == LIST_FRAME, "a.defect", " = ?16", true },
		{ q->line && q->kind == LIST_PROCEDURE, "p.line", " = ?13", false },
		{ q->line && q->kind == LIST_PROCEDURE, "p.column", " = ?14", false },
		{ arc && q->caller, "a.caller", " = ?4", true },
		{ arc && q->callee, "a.callee", " = ?5", true },
		{ arc && q->site, "(a.site = ?6 OR a.through", " = ?6)", true },
		{ arc && q->only_possible, "(a.hi > 0 OR a.how", " = 'sampled')", false },
		{ q->groups, "a.wanted", "", true },
		{ arc && q->like, of_caller ? CALLER_OF("a") " = (SELECT " CALLER_OF("x")
				     : CALLEE_OF("a") " = (SELECT " CALLEE_OF("x"),
		  " FROM arc x WHERE x.id = ?15)", false },
		{ q->least_column > 0, first_term(least).sql, " >= ?10",
		  has_index(q, least) },
		{ compared && q->things, "c.things", " = ?11", true },
		{ sides && !both && !changed, "c.sides", " = ?12", false },
		{ compared && q->certain, "coalesce(abs(c.significance) >= " TEXT_OF(CERTAIN) ",",
		  " true)", false },
		{ both, "(c.sides IN ('both', 'changed', 'all') OR c.sides", IS_LIKE, false },
		{ changed, "(c.sides = 'changed' OR c.sides", IS_LIKE, false },
		{ compared && q->caller, "c.caller_entity", " = ?4", true },
		{ compared && q->callee, "c.callee_entity", " = ?5", true },
		{ compared && q->like, "(" ENDS_OF("c") ") IS ", "(SELECT " ENDS_OF("x")
		  " FROM compared_row x WHERE x.id = ?15)", false },
		{ q->filter && *q->filter, s->filter, "", false }, /* the dearest */
	};

	memcpy(c, all, sizeof(all));
}

bool
listing_is_restricted(const struct list_query *q)
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

bool
listing_checks(const struct list_query *q)
{
	struct condition c[MAX_CONDITIONS];
	bool checks = false;

	conditions_of(q, c);
	for (int i = 0; i < MAX_CONDITIONS; i++)
		checks |= c[i].wanted && !c[i].looks_up;
	return checks;
}

/* The tables FROM; of groups, which are named "a" as arcs are, with these in place of the arcs. */
static void
add_from(struct strbuf *sql, const struct list_query *q, const char *from)
{
	strbuf_str(sql, " FROM ");
	if (q->groups)
		strbuf_fmt(sql, "temp.arc_group_%u", q->groups - 1);
	strbuf_str(sql, q->groups ? from + strlen("arc") : from);
}

void
listing_row_sql(const struct list_query *q, struct strbuf *sql)
{
	const struct list_spec *s = &list_specs[q->kind];
	const struct list_column *columns = columns_of(q);

	for (int i = 0; columns[i].name; i++) {
		bool left_out = columns[i].flags & LIST_UNEVEN && !q->uneven;

		strbuf_str(sql, i ? ", " : "SELECT ");
		strbuf_str(sql, left_out ? "NULL"
				: q->groups && columns[i].of_groups ? columns[i].of_groups
								    : columns[i].sql);
	}
	strbuf_str(sql, q->groups ? ", a.arcs" : "");
	add_from(sql, q, s->from);
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

bool
listing_comes_in_order(const struct list_query *q)
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
	return !listing_is_restricted(q) && listing_comes_in_order(q);
}

/* Is it the natural direction: numbers from the greatest down, texts from A on? */
static bool
is_natural(const struct list_query *q)
{
	return first_term(sorted_by(q)).down == q->descending;
}

int
listing_terms(const struct list_query *q, bool backward, bool down[LIST_MAX_TERMS + 1])
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
	int n = listing_terms(q, backward, down);

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
	bool in_order = listing_comes_in_order(q);

	strbuf_str(sql, "SELECT ");
	strbuf_str(sql, s->id);
	add_asked(sql, q);
	if (!in_order)
		add_terms(sql, q, backward, false);
	add_from(sql, q, from ? from : s->from);
	add_where(sql, q, LOOKED_UP);
	if (!in_order)
		return;
	strbuf_str(sql, " ORDER BY ");
	add_terms(sql, q, backward, true);
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
		strbuf_str(sql, columns[i].sum ? columns[i].sum : first_term(&columns[i]).sql);
	}
	add_from(sql, q, s->from);
	add_where(sql, q, EVERY);
}
