/* The directories of the files. They are no table of the profile: a temporary table is made at the
 * first request. */
#include <stdlib.h>
#include <string.h>

#include "db/store/connection.h"
#include "util/sum.h"
#include "util/text/path.h"

enum {
	MAX_DEPTH = 32,          /* directories below this depth count to it */
	MAX_NODES = 1000000,
};

/* The sums, in the order of the columns of both queries. */
enum figure {
	FIGURE_FILES, FIGURE_LINES, FIGURE_EXECUTED, FIGURE_UNCOUNTED, FIGURE_PROCEDURES,
	FIGURE_COUNT, FIGURE_SELF, FIGURE_SAMPLES, FIGURE_WAIT, NR_FIGURES,
};
enum { MOST_FIGURES = NR_FIGURES + MEASURES_MAX /* these plus those of measures behind them */ };

struct node {
	const char *path;        /* LENGTH bytes of it, in the arena */
	size_t length;
	size_t parent;           /* index, less than its own; of a root: itself */
	unsigned branches;       /* children in which something was executed */
	uint64_t own[MOST_FIGURES], total[MOST_FIGURES]; /* total: with those below */
};

struct tree {
	struct node *nodes;      /* first the roots: "/" and "." */
	size_t nr, alloc;
	size_t open[MAX_DEPTH + 1]; /* the node of the last file and those above it, a root first */
	size_t depth;            /* nodes in it */
	struct arena arena;
};

static size_t
new_node(struct tree *t, const char *path, size_t length, size_t parent)
{
	GROW(t->nodes, t->nr + 1, t->alloc);
	memset(&t->nodes[t->nr], 0, sizeof(t->nodes[t->nr]));
	t->nodes[t->nr].path = path;
	t->nodes[t->nr].length = length;
	t->nodes[t->nr].parent = parent;
	return t->nr++;
}

static bool
is_root(const char *path, size_t length)
{
	return length <= 1 && (!length || *path == '/' || *path == '.');
}

static bool
is_in(const struct node *n, const char *path)
{
	return !strncmp(path, n->path, n->length) && path[n->length] == '/';
}

/* Returns the node of a file's directory. As files come in the order of their paths, the files of a
 * directory come together. */
static struct node *
node_of(struct tree *t, const char *path)
{
	size_t root = *path == '/' ? 0 : 1, end = path_directory(path), n, parent;
	char *kept = NULL;

	if (!t->depth || t->open[0] != root) {
		t->open[0] = root;
		t->depth = 1;
	}
	while (t->depth > 1 && !is_in(&t->nodes[t->open[t->depth - 1]], path))
		t->depth--;
	parent = t->open[t->depth - 1];
	n = t->depth > 1 ? t->nodes[parent].length : 0;
	while (n < end && t->depth <= MAX_DEPTH && t->nr < MAX_NODES) {
		n += 1 + strcspn(path + n + 1, "/");
		if (n > end)
			n = end;
		if (is_root(path, n))
			continue;
		if (!kept)
			kept = arena_strndup(&t->arena, path, end);
		parent = new_node(t, kept, n, parent);
		t->open[t->depth++] = parent;
	}
	return &t->nodes[parent];
}

static void
add_file(struct tree *t, struct profile *p, sqlite3_stmt *st)
{
	size_t length;
	struct node *n;
	char *path = xstrdup(column_text(st, NR_FIGURES, &length));

	path[length] = '\0';
	n = node_of(t, path);
	for (int i = 0; i < NR_FIGURES; i++)
		n->own[i] = sum_capped(n->own[i], column_count(p, st, i));
	for (size_t i = 0, column = NR_FIGURES + 1; i < p->others.nr; i++) {
		const struct model_measure *m = &p->others.items[i];

		uint64_t *own = &n->own[NR_FIGURES + i];

		if (!m->formula)
			*own = figure_combine(m->combine, *own,
					      column_count(p, st, (int)column++));
	}
	free(path);
}

static void
add_total(struct node *n, const uint64_t figures[MOST_FIGURES], const struct profile *p)
{
	for (int i = 0; i < NR_FIGURES; i++)
		n->total[i] = sum_capped(n->total[i], figures[i]);
	for (size_t i = 0; i < p->others.nr; i++) {
		uint64_t *total = &n->total[NR_FIGURES + i];

		*total = figure_combine(p->others.items[i].combine, *total,
					figures[NR_FIGURES + i]);
	}
}

static void
sum_up(struct tree *t, const struct profile *p)
{
	for (size_t i = t->nr; i-- > 0;) {
		struct node *n = &t->nodes[i], *parent = &t->nodes[n->parent];

		add_total(n, n->own, p);
		if (parent == n)
			continue;
		parent->branches += n->total[FIGURE_SELF] || n->total[FIGURE_COUNT];
		add_total(parent, n->total, p);
	}
}

static int64_t
as_stored(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* The root of all says nothing, nor does a directory without files whose figures are all those of
 * one directory in it. */
static bool
says_something(const struct tree *t, size_t i)
{
	return t->nodes[i].own[FIGURE_FILES] || (i && t->nodes[i].branches > 1);
}

/* Appends the columns of measures, each name between BEFORE and BEHIND. */
static void
add_names(struct strbuf *sql, const struct profile *p, const char *before, const char *behind)
{
	for (size_t i = 0; i < p->others.nr; i++) {
		if (p->others.items[i].formula)
			continue;
		strbuf_str(sql, before);
		strbuf_str(sql, p->others.items[i].name);
		strbuf_str(sql, behind);
	}
}

static void
bind(const struct profile *p, sqlite3_stmt *st, const struct node *n)
{
	const uint64_t *const of[] = { n->own, n->total };
	int column = 1;

	sqlite3_bind_text(st, column++, n->path, (int)n->length, SQLITE_STATIC);
	for (int k = 0; k < NR_FIGURES; k++)
		sqlite3_bind_int64(st, column++, as_stored(n->own[k]));
	sqlite3_bind_int64(st, column++, as_stored(n->total[FIGURE_SELF]));
	sqlite3_bind_int64(st, column++, as_stored(n->total[FIGURE_COUNT]));
	for (size_t i = 0; i < 2 * p->others.nr; i++) {
		size_t k = i % p->others.nr;

		if (!p->others.items[k].formula)
			sqlite3_bind_int64(st, column++,
					   as_stored(of[i / p->others.nr][NR_FIGURES + k]));
	}
}

static void
store(struct profile *p, const struct tree *t)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "INSERT INTO temp.directory VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
			 "?, ?");
	for (size_t i = 0; i < p->others.nr; i++)
		strbuf_str(&sql, p->others.items[i].formula ? "" : ", ?, ?");
	strbuf_char(&sql, ')');
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	for (size_t i = 0; st && i < t->nr; i++) {
		if (!says_something(t, i))
			continue;
		sqlite3_reset(st);
		profile_step_anew(st);
		bind(p, st, &t->nodes[i]);
		profile_step(p, st);
		p->nr_directories++;
	}
	sqlite3_finalize(st);
}

static void
read_files(struct profile *p, struct tree *t)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "SELECT 1, code_lines, executed_lines, uncounted_lines, procedures, "
			 "count, self_ns, self_samples, self_wait_ns, path");
	add_names(&sql, p, ", self_", "");
	strbuf_str(&sql, " FROM file ORDER BY path");
	st = profile_prepare(p, sql.buf);
	strbuf_release(&sql);
	while (profile_step(p, st))
		add_file(t, p, st);
	sqlite3_finalize(st);
}

void
profile_make_directories(struct profile *p)
{
	struct tree t = { .arena = ARENA_INIT };
	struct strbuf table = STRBUF_INIT;

	if (p->directories_made)
		return;
	p->directories_made = true;
	new_node(&t, "/", 1, 0);
	new_node(&t, ".", 1, 1);
	read_files(p, &t);
	sum_up(&t, p);
	strbuf_str(&table, "CREATE TEMP TABLE directory(id INTEGER PRIMARY KEY, path TEXT, files "
			   "INTEGER, code_lines INTEGER, executed_lines INTEGER, "
			   "uncounted_lines INTEGER, procedures INTEGER, count INTEGER, "
			   "self_ns INTEGER, self_samples INTEGER, "
			   "self_wait_ns INTEGER, total_ns INTEGER, total_count INTEGER");
	add_names(&table, p, ", self_", " INTEGER");
	add_names(&table, p, ", total_", " INTEGER");
	strbuf_char(&table, ')');
	profile_execute(p, table.buf);
	store(p, &t);
	strbuf_release(&table);
	free(t.nodes);
	arena_release(&t.arena);
}
