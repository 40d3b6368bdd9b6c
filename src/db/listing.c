/* Sorted tables of which a window is fetched: an array of ids in their order, which grows from both
 * ends as far as somebody looks, and rows one by one by their id. */
#include "db/listing.h"

#include <stdlib.h>
#include <string.h>

#include "db/connection.h"

/* One column: how its values are sorted, in its natural direction (numbers descending, texts and
 * places ascending), '-' = descending. Equal keys are in the order of ids; the other direction is
 * the exact reverse. */
struct column_sort {
	const char *terms[4];
	bool indexed;            /* an index has this order; the plan test checks it */
	const char *from;        /* NULL: the kind's; else the tables in the order of the loops */
};

struct list_spec {
	const char *id, *from, *row, *filter;
	const char *file, *procedure; /* columns for the restrictions, NULL: cannot be restricted */
	const struct list_column *columns;
	const struct column_sort *sorts;
};

enum { MAX_TERMS = 4 };

/* Parameters of the queries for ids. */
enum { PARAM_FILTER = 1, PARAM_FILE, PARAM_PROCEDURE, PARAM_CALLER, PARAM_CALLEE, PARAM_SITE,
       PARAM_CYCLE };

#define LIKE " LIKE ?1 ESCAPE '\\'"
#define FILE_LIKE "(SELECT id FROM file WHERE path" LIKE ")"
#define PROCEDURE_LIKE "(SELECT id FROM procedure WHERE name" LIKE ")"
#define END { .name = NULL }

static const struct list_column procedure_columns[] = {
	{ "id", UNIT_NUMBER }, { "procedure", UNIT_TEXT }, { "file", UNIT_TEXT },
	{ "line", UNIT_NUMBER }, { "calls", UNIT_COUNT }, { "self_ns", UNIT_NS },
	{ "self_samples", UNIT_SAMPLES }, { "total_ns", UNIT_NS },
	{ "total_sampled_ns", UNIT_NS }, { "total_samples", UNIT_SAMPLES },
	{ "code_bytes", UNIT_BYTES }, { "cycle", UNIT_NUMBER }, { "file_id", UNIT_NUMBER },
	{ "end_line", UNIT_NUMBER }, { "linkage_name", UNIT_TEXT }, { "column", UNIT_NUMBER },
	{ "centre_ns", UNIT_NS }, { "centre_samples", UNIT_SAMPLES },
	{ "centre_total_ns", UNIT_NS }, { "self_wait_ns", UNIT_NS },
	{ "total_wait_ns", UNIT_NS }, { "total_lo_ns", UNIT_NS },
	{ "total_hi_ns", UNIT_NS }, { "root_total_ns", UNIT_NS },
	{ "self_calls", UNIT_COUNT }, END
};
static const struct column_sort procedure_sorts[] = {
	{ { "p.id" }, true, NULL },
	{ { "p.name" }, true, NULL },
	{ { "p.file", "p.line", "p.column", "p.end_line" }, true, NULL },
	{ { "p.line", "p.file" }, false, NULL },
	{ { "-p.calls" }, true, NULL },
	{ { "-p.self_ns", "-p.calls" }, true, NULL },
	{ { "-p.self_samples", "-p.calls" }, false, NULL },
	{ { "-p.total_ns" }, true, NULL },
	{ { "-p.total_sampled_ns" }, true, NULL },
	{ { "-p.total_samples" }, false, NULL },
	{ { "-p.code_bytes" }, false, NULL },
	{ { "-p.cycle" }, false, NULL },
	{ { "p.file" }, false, NULL },
	{ { "p.end_line" }, false, NULL },
	{ { "p.linkage_name" }, false, NULL },
	{ { "p.column" }, false, NULL },
	{ { "-p.centre_ns", "-p.calls" }, false, NULL },
	{ { "-p.centre_samples", "-p.calls" }, false, NULL },
	{ { "-p.centre_total_ns" }, false, NULL },
	{ { "-p.self_wait_ns", "-p.calls" }, false, NULL },
	{ { "-p.total_wait_ns" }, false, NULL },
	{ { "-p.total_lo_ns" }, false, NULL },
	{ { "-p.total_hi_ns" }, false, NULL },
	{ { "-p.root_total_ns" }, false, NULL },
	{ { "-p.self_calls" }, false, NULL },
};

static const struct list_column block_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "line", UNIT_NUMBER },
	{ "column", UNIT_NUMBER }, { "end_line", UNIT_NUMBER }, { "end_column", UNIT_NUMBER },
	{ "procedure", UNIT_TEXT }, { "count", UNIT_COUNT }, { "self_ns", UNIT_NS },
	{ "self_samples", UNIT_SAMPLES }, { "procedure_id", UNIT_NUMBER },
	{ "file_id", UNIT_NUMBER }, { "self_wait_ns", UNIT_NS }, END
};
#define BLOCKS_OF_PROCEDURES "procedure p CROSS JOIN block b ON b.procedure = p.id"
static const struct column_sort block_sorts[] = {
	{ { "b.id" }, true, NULL },
	{ { "b.file", "b.line", "b.column" }, true, NULL },
	{ { "b.line", "b.file", "b.column" }, false, NULL },
	{ { "b.column" }, false, NULL },
	{ { "b.end_line" }, false, NULL },
	{ { "b.end_column" }, false, NULL },
	{ { "p.name", "p.id" }, true, BLOCKS_OF_PROCEDURES },
	{ { "-b.count" }, true, NULL },
	{ { "-b.self_ns", "-b.count" }, false, NULL },
	{ { "-b.self_samples", "-b.count" }, false, NULL },
	{ { "b.procedure" }, true, NULL },
	{ { "b.file" }, false, NULL },
	{ { "-b.self_wait_ns", "-b.count" }, false, NULL },
};

static const struct list_column site_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "line", UNIT_NUMBER },
	{ "column", UNIT_NUMBER }, { "end_line", UNIT_NUMBER }, { "end_column", UNIT_NUMBER },
	{ "procedure", UNIT_TEXT }, { "kind", UNIT_TEXT }, { "count", UNIT_COUNT },
	{ "total_ns", UNIT_NS }, { "total_samples", UNIT_SAMPLES }, { "target", UNIT_TEXT },
	{ "procedure_id", UNIT_NUMBER }, { "file_id", UNIT_NUMBER },
	{ "total_wait_ns", UNIT_NS }, { "propagated_ns", UNIT_NS }, END
};
#define SITES_OF_PROCEDURES "procedure p CROSS JOIN call_site s ON s.procedure = p.id"
static const struct column_sort site_sorts[] = {
	{ { "s.id" }, true, NULL },
	{ { "s.file", "s.line", "s.column" }, true, NULL },
	{ { "s.line", "s.file", "s.column" }, false, NULL },
	{ { "s.column" }, false, NULL },
	{ { "s.end_line" }, false, NULL },
	{ { "s.end_column" }, false, NULL },
	{ { "p.name", "p.id" }, true, SITES_OF_PROCEDURES },
	{ { "s.kind" }, false, NULL },
	{ { "-s.count" }, true, NULL },
	{ { "-s.total_ns" }, false, NULL },
	{ { "-s.total_samples" }, false, NULL },
	{ { "s.target" }, false, NULL },
	{ { "s.procedure" }, true, NULL },
	{ { "s.file" }, false, NULL },
	{ { "-s.total_wait_ns", "-s.count" }, false, NULL },
	{ { "-s.propagated_ns" }, false, NULL },
};

static const struct list_column line_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "line", UNIT_NUMBER },
	{ "count", UNIT_COUNT }, { "self_ns", UNIT_NS }, { "self_samples", UNIT_SAMPLES },
	{ "file_id", UNIT_NUMBER }, { "self_wait_ns", UNIT_NS }, END
};
static const struct column_sort line_sorts[] = {
	{ { "l.id" }, true, NULL },
	{ { "l.file", "l.line" }, true, NULL },
	{ { "l.line", "l.file" }, false, NULL },
	{ { "-l.count" }, true, NULL },
	{ { "-l.self_ns", "-l.count" }, true, NULL },
	{ { "-l.self_samples", "-l.count" }, false, NULL },
	{ { "l.file", "l.line" }, true, NULL },
	{ { "-l.self_wait_ns", "-l.count" }, false, NULL },
};

static const struct list_column file_columns[] = {
	{ "id", UNIT_NUMBER }, { "file", UNIT_TEXT }, { "lines", UNIT_COUNT },
	{ "executed", UNIT_COUNT }, { "self_ns", UNIT_NS }, { "count", UNIT_COUNT },
	{ "procedures", UNIT_COUNT }, { "self_wait_ns", UNIT_NS }, END
};
static const struct column_sort file_sorts[] = {
	{ { "f.id" }, true, NULL },
	{ { "f.path" }, false, NULL },
	{ { "-f.code_lines" }, false, NULL },
	{ { "-f.executed_lines" }, false, NULL },
	{ { "-f.self_ns", "-f.count" }, false, NULL },
	{ { "-f.count" }, false, NULL },
	{ { "-f.procedures" }, false, NULL },
	{ { "-f.self_wait_ns", "-f.count" }, false, NULL },
};

static const struct list_column arc_columns[] = {
	{ "id", UNIT_NUMBER }, { "caller", UNIT_TEXT }, { "file", UNIT_TEXT },
	{ "line", UNIT_NUMBER }, { "column", UNIT_NUMBER }, { "callee", UNIT_TEXT },
	{ "count", UNIT_COUNT }, { "lo", UNIT_COUNT }, { "hi", UNIT_COUNT }, { "how", UNIT_TEXT },
	{ "site_id", UNIT_NUMBER }, { "caller_id", UNIT_NUMBER }, { "callee_id", UNIT_NUMBER },
	{ "file_id", UNIT_NUMBER }, { "end_line", UNIT_NUMBER }, { "end_column", UNIT_NUMBER },
	{ "time_ns", UNIT_NS }, { "target", UNIT_TEXT },
	{ "samples", UNIT_SAMPLES }, { "differs", UNIT_NUMBER },
	{ "measured", UNIT_COUNT }, { "through", UNIT_TEXT }, END
};
#define ARCS_AND_SITES "arc a LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through)"
/* What a direct call calls; the mark is of those that call a namesake outside of the program. */
#define NAMED "CASE WHEN substr(s.target, -8) = '@outside' " \
	"THEN substr(s.target, 1, length(s.target) - 8) ELSE s.target END"
#define CALLED "CASE WHEN s.kind <> 'direct' OR a.site IS NULL THEN NULL ELSE " NAMED " END"
/* What got the address of the callee, as "qsort". */
#define THROUGH "CASE WHEN a.through IS NULL THEN NULL ELSE " NAMED " END"
#define ARCS_AND_CALLERS "arc a LEFT JOIN procedure p ON p.id = a.caller"
#define ARCS_AND_CALLEES "arc a LEFT JOIN procedure p ON p.id = a.callee"
static const struct column_sort arc_sorts[] = {
	{ { "a.id" }, true, NULL },
	{ { "coalesce(p.name, 'outside')", "a.caller" }, false, ARCS_AND_CALLERS },
	{ { "s.file", "s.line", "s.column" }, false, ARCS_AND_SITES },
	{ { "s.line", "s.file", "s.column" }, false, ARCS_AND_SITES },
	{ { "s.column" }, false, ARCS_AND_SITES },
	{ { "coalesce(p.name, 'outside')", "a.callee" }, false, ARCS_AND_CALLEES },
	{ { "-a.count" }, true, NULL },
	{ { "-a.lo" }, false, NULL },
	{ { "-a.hi" }, false, NULL },
	{ { "a.how" }, false, NULL },
	{ { "a.site" }, true, NULL },
	{ { "a.caller" }, true, NULL },
	{ { "a.callee" }, true, NULL },
	{ { "s.file" }, false, ARCS_AND_SITES },
	{ { "s.end_line" }, false, ARCS_AND_SITES },
	{ { "s.end_column" }, false, ARCS_AND_SITES },
	{ { "-a.time_ns", "-a.count" }, false, NULL },
	{ { CALLED }, false, ARCS_AND_SITES },
	{ { "-a.samples" }, false, NULL },
	{ { "-a.differs", "-a.count" }, false, NULL },
	{ { "-a.measured" }, false, NULL },
	{ { THROUGH }, false, ARCS_AND_SITES },
};

static const struct list_column cycle_columns[] = {
	{ "id", UNIT_NUMBER }, { "members", UNIT_TEXT }, { "procedures", UNIT_COUNT },
	{ "self_ns", UNIT_NS }, { "total_ns", UNIT_NS }, { "outer_calls", UNIT_COUNT },
	{ "inner_calls", UNIT_COUNT }, { "self_calls", UNIT_COUNT }, END
};
static const struct column_sort cycle_sorts[] = {
	{ { "c.id" }, true, NULL },
	{ { "c.members" }, false, NULL },
	{ { "-c.procedures" }, false, NULL },
	{ { "-c.self_ns" }, false, NULL },
	{ { "-c.total_ns" }, false, NULL },
	{ { "-c.outer_calls" }, false, NULL },
	{ { "-c.inner_calls" }, false, NULL },
	{ { "-c.self_calls" }, false, NULL },
};

static const struct list_column note_columns[] = {
	{ "id", UNIT_NUMBER }, { "kind", UNIT_TEXT }, { "text", UNIT_TEXT }, END
};
static const struct column_sort note_sorts[] = {
	{ { "n.id" }, true, NULL },
	{ { "n.kind" }, false, NULL },
	{ { "n.text" }, false, NULL },
};

static const struct list_spec specs[] = {
	[LIST_PROCEDURE] = {
		.id = "p.id", .from = "procedure p", .file = "p.file",
		.row = "SELECT p.id, p.name, f.path, p.line, p.calls, p.self_ns, p.self_samples, "
		       "p.total_ns, p.total_sampled_ns, p.total_samples, p.code_bytes, p.cycle, "
		       "p.file, p.end_line, p.linkage_name, p.column, p.centre_ns, "
		       "p.centre_samples, p.centre_total_ns, p.self_wait_ns, p.total_wait_ns, "
		       "p.total_lo_ns, p.total_hi_ns, "
		       "p.root_total_ns, p.self_calls "
		       "FROM procedure p LEFT JOIN file f ON f.id = p.file WHERE p.id = ?1",
		.filter = "(p.name" LIKE " OR p.linkage_name" LIKE " OR p.file IN " FILE_LIKE ")",
		.columns = procedure_columns, .sorts = procedure_sorts,
	},
	[LIST_BLOCK] = {
		.id = "b.id", .from = "block b", .file = "b.file", .procedure = "b.procedure",
		.row = "SELECT b.id, f.path, b.line, b.column, b.end_line, b.end_column, p.name, "
		       "b.count, b.self_ns, b.self_samples, b.procedure, b.file, b.self_wait_ns "
		       "FROM block b LEFT JOIN file f ON f.id = b.file "
		       "LEFT JOIN procedure p ON p.id = b.procedure WHERE b.id = ?1",
		.filter = "(b.procedure IN " PROCEDURE_LIKE " OR b.file IN " FILE_LIKE ")",
		.columns = block_columns, .sorts = block_sorts,
	},
	[LIST_SITE] = {
		.id = "s.id", .from = "call_site s", .file = "s.file", .procedure = "s.procedure",
		.row = "SELECT s.id, f.path, s.line, s.column, s.end_line, s.end_column, p.name, "
		       "s.kind, s.count, s.total_ns, s.total_samples, s.target, s.procedure, "
		       "s.file, s.total_wait_ns, s.propagated_ns FROM call_site s "
		       "LEFT JOIN file f ON f.id = s.file "
		       "LEFT JOIN procedure p ON p.id = s.procedure WHERE s.id = ?1",
		.filter = "(s.target" LIKE " OR s.kind" LIKE " OR s.procedure IN " PROCEDURE_LIKE
			  " OR s.file IN " FILE_LIKE ")",
		.columns = site_columns, .sorts = site_sorts,
	},
	[LIST_LINE] = {
		.id = "l.id", .from = "line l", .file = "l.file",
		.row = "SELECT l.id, f.path, l.line, l.count, l.self_ns, l.self_samples, l.file, "
		       "l.self_wait_ns FROM line l LEFT JOIN file f ON f.id = l.file "
		       "WHERE l.id = ?1",
		.filter = "l.file IN " FILE_LIKE,
		.columns = line_columns, .sorts = line_sorts,
	},
	[LIST_FILE] = {
		.id = "f.id", .from = "file f", .file = "f.id",
		.row = "SELECT f.id, f.path, f.code_lines, f.executed_lines, f.self_ns, f.count, "
		       "f.procedures, f.self_wait_ns FROM file f WHERE f.id = ?1",
		.filter = "f.path" LIKE,
		.columns = file_columns, .sorts = file_sorts,
	},
	[LIST_ARC] = {
		.id = "a.id", .from = "arc a",
		.row = "SELECT a.id, coalesce(r.name, 'outside'), f.path, s.line, s.column, "
		       "coalesce(e.name, 'outside'), a.count, a.lo, a.hi, a.how, a.site, a.caller, "
		       "a.callee, s.file, s.end_line, s.end_column, a.time_ns, " CALLED
		       ", a.samples, a.differs, a.measured, " THROUGH
		       " FROM arc a LEFT JOIN procedure r ON r.id = a.caller "
		       "LEFT JOIN procedure e ON e.id = a.callee "
		       "LEFT JOIN call_site s ON s.id = coalesce(a.site, a.through) "
		       "LEFT JOIN file f ON f.id = s.file WHERE a.id = ?1",
		.filter = "(a.how" LIKE " OR a.caller IN " PROCEDURE_LIKE " OR a.callee IN "
			  PROCEDURE_LIKE " OR (a.caller IS NULL AND 'outside'" LIKE
			  ") OR (a.callee IS NULL AND 'outside'" LIKE ") OR (SELECT s.file FROM "
			  "call_site s WHERE s.id = coalesce(a.site, a.through)) IN " FILE_LIKE
			  " OR (SELECT " CALLED " FROM call_site s WHERE s.id = a.site)" LIKE ")",
		.columns = arc_columns, .sorts = arc_sorts,
	},
	[LIST_CYCLE] = {
		.id = "c.id", .from = "cycle c",
		.row = "SELECT c.id, c.members, c.procedures, c.self_ns, c.total_ns, "
		       "c.outer_calls, c.inner_calls, c.self_calls FROM cycle c WHERE c.id = ?1",
		.filter = "c.id IN (SELECT cycle FROM procedure WHERE name" LIKE ")",
		.columns = cycle_columns, .sorts = cycle_sorts,
	},
	[LIST_NOTE] = {
		.id = "n.id", .from = "note n",
		.row = "SELECT n.id, n.kind, n.text FROM note n WHERE n.id = ?1",
		.filter = "(n.kind" LIKE " OR n.text" LIKE ")",
		.columns = note_columns, .sorts = note_sorts,
	},
};

struct listing {
	struct profile *p;
	const struct list_spec *spec;
	int columns;
	struct strbuf forward_sql, backward_sql;
	struct list_query q;
	char *pattern;           /* LIKE pattern of the filter, or NULL */
	bool indexed;
	sqlite3_stmt *forward, *backward, *row;
	bool exhausted;          /* front holds all ids */
	int64_t *front, *back;   /* ids from the first on, and from the last one backwards */
	size_t nr_front, front_alloc, nr_back, back_alloc;
	size_t rows;
	struct list_row current;
	struct strbuf text;      /* of the current row */
};

const struct list_column *
list_columns(enum list_kind kind)
{
	return specs[kind].columns;
}

int
list_column_find(enum list_kind kind, const char *name)
{
	const struct list_column *c = specs[kind].columns;

	for (int i = 0; c[i].name; i++) {
		if (!strcmp(c[i].name, name))
			return i;
	}
	return -1;
}

static int
nr_columns(enum list_kind kind)
{
	int n = 0;

	while (specs[kind].columns[n].name)
		n++;
	return n;
}

/* ---- SQL: put together from the tables above; values are bound ---- */

static bool
is_restricted(const struct list_query *q)
{
	const struct list_spec *s = &specs[q->kind];

	if (q->filter && *q->filter)
		return true;
	if (q->kind == LIST_ARC)
		return q->caller || q->callee || q->site || q->only_possible;
	return (q->file && s->file) || (q->procedure && s->procedure) ||
	       (q->cycle && q->kind == LIST_PROCEDURE);
}

bool
listing_is_indexed(const struct list_query *q)
{
	return !is_restricted(q) && specs[q->kind].sorts[q->sort].indexed;
}

const char *
listing_row_sql(enum list_kind kind)
{
	return specs[kind].row;
}

static void
add_condition(struct strbuf *sql, bool *first, bool wanted, const char *left, const char *right)
{
	if (!wanted || !left)
		return;
	strbuf_str(sql, *first ? " WHERE " : " AND ");
	strbuf_str(sql, left);
	strbuf_str(sql, right);
	*first = false;
}

static void
add_term(struct strbuf *sql, const char *term, bool reverse, bool first)
{
	bool descending = *term == '-';

	if (!first)
		strbuf_str(sql, ", ");
	strbuf_str(sql, term + descending);
	if (descending != reverse)
		strbuf_str(sql, " DESC");
}

/* Numbers are wanted from the greatest down, texts from A on. */
static bool
is_natural(const struct list_query *q)
{
	return (specs[q->kind].sorts[q->sort].terms[0][0] == '-') == q->descending;
}

void
listing_ids_sql(const struct list_query *q, bool backward, struct strbuf *sql)
{
	const struct list_spec *s = &specs[q->kind];
	const struct column_sort *sort = &s->sorts[q->sort];
	bool reverse = is_natural(q) == backward, first = true, arc = q->kind == LIST_ARC;

	strbuf_str(sql, "SELECT ");
	strbuf_str(sql, s->id);
	strbuf_str(sql, " FROM ");
	strbuf_str(sql, sort->from ? sort->from : s->from);
	add_condition(sql, &first, q->filter && *q->filter, s->filter, "");
	add_condition(sql, &first, q->file, s->file, " = ?2");
	add_condition(sql, &first, q->procedure, s->procedure, " = ?3");
	add_condition(sql, &first, q->cycle && q->kind == LIST_PROCEDURE, "p.cycle", " = ?7");
	add_condition(sql, &first, arc && q->caller, "a.caller", " = ?4");
	add_condition(sql, &first, arc && q->callee, "a.callee", " = ?5");
	add_condition(sql, &first, arc && q->site, "(a.site = ?6 OR a.through",
		      " = ?6)");
	add_condition(sql, &first, arc && q->only_possible, "a.hi", " > 0");
	strbuf_str(sql, " ORDER BY ");
	for (int i = 0; i < MAX_TERMS && sort->terms[i]; i++)
		add_term(sql, sort->terms[i], reverse, i == 0);
	if (strcmp(sort->terms[0], s->id))
		add_term(sql, s->id, reverse, false);
}

static void
bind_id(sqlite3_stmt *st, int parameter, model_id id)
{
	if (st && id && parameter <= sqlite3_bind_parameter_count(st))
		sqlite3_bind_int64(st, parameter, id);
}

static sqlite3_stmt *
prepare_ids(struct listing *l, const char *sql)
{
	sqlite3_stmt *st = profile_prepare(l->p, sql);

	if (st && l->pattern)
		sqlite3_bind_text(st, PARAM_FILTER, l->pattern, -1, SQLITE_STATIC);
	bind_id(st, PARAM_FILE, l->q.file);
	bind_id(st, PARAM_PROCEDURE, l->q.procedure);
	bind_id(st, PARAM_CALLER, l->q.caller);
	bind_id(st, PARAM_CALLEE, l->q.callee);
	bind_id(st, PARAM_SITE, l->q.site);
	bind_id(st, PARAM_CYCLE, l->q.cycle);
	return st;
}

/* ---- ids ---- */

/* Grow one of the two arrays to at least WANT ids. Some thousands at a time cost less than a
 * millisecond, and most listings are complete then: nothing stays locked. */
static void
read_ids(struct listing *l, sqlite3_stmt **st, int64_t **ids, size_t *nr, size_t *alloc,
	 size_t want)
{
	enum { CHUNK = 4096 };

	want = want > SIZE_MAX - CHUNK ? want : want + CHUNK;
	while (*nr < want) {
		/* The shortest row of an index or a table takes six bytes. */
		bool endless = *nr > l->p->bytes / 6;

		if (endless)
			profile_endless(l->p);
		if (endless || !profile_step(l->p, *st)) {
			sqlite3_finalize(*st);
			*st = NULL;
			return;
		}
		GROW(*ids, *nr + 1, *alloc);
		(*ids)[(*nr)++] = sqlite3_column_int64(*st, 0);
	}
}

static void
read_front(struct listing *l, size_t want)
{
	if (l->exhausted || l->nr_front >= want)
		return;
	read_ids(l, &l->forward, &l->front, &l->nr_front, &l->front_alloc, want);
	if (l->forward)
		return;
	/* The number of rows was what the file said; now it is known. */
	l->exhausted = true;
	l->rows = l->nr_front;
	sqlite3_finalize(l->backward);
	l->backward = NULL;
}

static void
read_back(struct listing *l, size_t want)
{
	if (l->nr_back >= want)
		return;
	if (!l->backward && !l->nr_back)
		l->backward = prepare_ids(l, l->backward_sql.buf);
	if (l->backward)
		read_ids(l, &l->backward, &l->back, &l->nr_back, &l->back_alloc, want);
}

/* The id of row I, from the nearer end. */
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

static uint64_t
table_rows(const struct profile *p, enum list_kind kind)
{
	switch (kind) {
	case LIST_PROCEDURE:
		return p->totals.nr_procedures;
	case LIST_BLOCK:
		return p->totals.nr_blocks;
	case LIST_SITE:
		return p->totals.nr_sites;
	case LIST_LINE:
		return p->nr_lines;
	case LIST_FILE:
		return p->totals.nr_files;
	case LIST_ARC:
		return p->totals.nr_arcs;
	case LIST_CYCLE:
		return p->totals.nr_cycles;
	case LIST_NOTE:
		return p->nr_notes;
	}
	BUG("kind %d", kind);
}

static char *
like_pattern(const char *filter)
{
	struct strbuf sb = STRBUF_INIT;

	strbuf_char(&sb, '%');
	for (; *filter && sb.len < 900; filter++) {
		if (strchr("%_\\", *filter))
			strbuf_char(&sb, '\\');
		strbuf_char(&sb, *filter);
	}
	strbuf_char(&sb, '%');
	return strbuf_take(&sb);
}

struct listing *
listing_open(struct profile *p, const struct list_query *q)
{
	struct listing *l = xcalloc(1, sizeof(*l));

	l->p = p;
	l->q = *q;
	l->columns = nr_columns(q->kind);
	if (q->sort < 0 || q->sort >= l->columns)
		BUG("column %d of %d", q->sort, l->columns);
	l->spec = &specs[q->kind];
	l->pattern = q->filter && *q->filter ? like_pattern(q->filter) : NULL;
	l->q.filter = NULL; /* the caller's */
	l->indexed = listing_is_indexed(q);
	strbuf_init(&l->forward_sql);
	strbuf_init(&l->backward_sql);
	strbuf_init(&l->text);
	listing_ids_sql(q, false, &l->forward_sql);
	listing_ids_sql(q, true, &l->backward_sql);
	l->forward = prepare_ids(l, l->forward_sql.buf);
	l->row = profile_prepare(p, l->spec->row);
	l->rows = SIZE_MAX;
	read_front(l, l->indexed ? 1 : SIZE_MAX);
	if (!l->exhausted)
		l->rows = table_rows(p, q->kind);
	return l;
}

void
listing_close(struct listing *l)
{
	if (!l)
		return;
	sqlite3_finalize(l->forward);
	sqlite3_finalize(l->backward);
	sqlite3_finalize(l->row);
	strbuf_release(&l->forward_sql);
	strbuf_release(&l->backward_sql);
	strbuf_release(&l->text);
	free(l->pattern);
	free(l->front);
	free(l->back);
	free(l);
}

size_t
listing_rows(const struct listing *l)
{
	return l->rows;
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
	if (l->spec->columns[i].unit != UNIT_TEXT) {
		cell->number = (int64_t)column_count(l->row, i);
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
	size_t offsets[LIST_MAX_COLUMNS];
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
	sqlite3_reset(l->row);
	/* Only now: the buffer may have moved. */
	for (int c = 0; c < l->columns; c++) {
		if (l->spec->columns[c].unit == UNIT_TEXT)
			l->current.cells[c].text = l->text.buf + offsets[c];
	}
	return &l->current;
}

ptrdiff_t
listing_find(struct listing *l, int64_t id)
{
	for (size_t i = 0; i < l->nr_back; i++) {
		if (l->back[i] == id && i < l->rows)
			return (ptrdiff_t)(l->rows - i - 1);
	}
	for (size_t i = 0;; i++) {
		read_front(l, i + 1);
		if (i >= l->nr_front)
			return -1;
		if (l->front[i] == id)
			return (ptrdiff_t)i;
	}
}
