/* The directories of the files. They are no table of the profile: a temporary table is made at the
 * first request. */
#include <stdlib.h>
#include <string.h>

#include "db/store/connection.h"
#include "util/text/path.h"

enum {
	MAX_DEPTH = 32,          /* directories below this depth count to it */
	MAX_NODES = 1000000,
};

/* The sums behind those of rows. Columns have the order of all these. */
enum {
	FIGURE_FILES = NR_ROW_FIGURES, FIGURE_LINES, FIGURE_EXECUTED, FIGURE_UNCOUNTED,
	FIGURE_PROCEDURES, NR_FIGURES,
};
static const char *const names[NR_FIGURES - NR_ROW_FIGURES] = {
	"files", "code_lines", "executed_lines", "uncounted_lines", "procedures"
};

struct node {
	const char *path;        /* LENGTH bytes of it, in the arena */
	size_t length;
	size_t parent;           /* index, less than its own; of a root: itself */
	unsigned branches;       /* children in which something was executed */
	int64_t own[NR_FIGURES], total[NR_FIGURES]; /* total: with those below */
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

/* Has a directory the sum ID? Totals that no listing has would need more parameters than there may
 * be. */
static bool
is_there(const struct profile *p, unsigned id, bool total)
{
	bool has = id >= NR_ROW_FIGURES || column_figure_ids(p, TABLE_FILE, false) >> id & 1;

	return has && (!total || id == MEASURE_TIME || id == MEASURE_COUNT ||
		       (id > NR_BUILTIN_MEASURES && id <= p->measures.nr));
}

static void
add(const struct profile *p, int64_t to[NR_FIGURES], const int64_t from[NR_FIGURES])
{
	for (unsigned id = 1; id < NR_FIGURES; id++)
		to[id] = figure_combine(id <= p->measures.nr ? p->measures.items[id - 1].combine
							     : COMBINE_SUM, to[id], from[id]);
}

static void
add_file(struct tree *t, struct profile *p, sqlite3_stmt *st)
{
	int64_t figures[NR_FIGURES];
	size_t length;
	char *path = xstrdup(column_text(st, 0, &length));
	int column = column_figures(p, st, 1, TABLE_FILE, false, figures);

	for (unsigned id = NR_ROW_FIGURES; id < NR_FIGURES; id++)
		figures[id] = column_count(p, st, column++);
	path[length] = '\0';
	add(p, node_of(t, path)->own, figures);
	free(path);
}

static void
sum_up(struct tree *t, const struct profile *p)
{
	for (size_t i = t->nr; i-- > 0;) {
		struct node *n = &t->nodes[i], *parent = &t->nodes[n->parent];

		add(p, n->total, n->own);
		if (parent == n)
			continue;
		parent->branches += n->total[MEASURE_TIME] || n->total[MEASURE_COUNT];
		add(p, parent->total, n->total);
	}
}

/* The root of all says nothing, nor does a directory without files whose figures are all those of
 * one directory in it. */
static bool
says_something(const struct tree *t, size_t i)
{
	return t->nodes[i].own[FIGURE_FILES] || (i && t->nodes[i].branches > 1);
}

/* Appends a column of the table for each sum: its name, or INSTEAD. */
static void
add_columns(struct strbuf *sql, const struct profile *p, bool total, const char *instead)
{
	for (unsigned id = 1; id < NR_FIGURES; id++) {
		if (!is_there(p, id, total))
			continue;
		strbuf_fmt(sql, ", %s", instead ? instead :
			   total && id == MEASURE_COUNT ? "total_" : "");
		if (!instead && id < NR_ROW_FIGURES)
			column_figure_name(p, total, id, sql);
		else if (!instead)
			strbuf_str(sql, names[id - NR_ROW_FIGURES]);
	}
}

static void
bind(const struct profile *p, sqlite3_stmt *st, const struct node *n)
{
	const int64_t *const of[] = { n->own, n->total };
	int column = 1;

	sqlite3_bind_text(st, column++, n->path, (int)n->length, SQLITE_STATIC);
	for (int total = 0; total < 2; total++)
		for (unsigned id = 1; id < NR_FIGURES; id++)
			if (is_there(p, id, total))
				sqlite3_bind_int64(st, column++, of[total][id]);
}

static void
store(struct profile *p, const struct tree *t)
{
	struct strbuf sql = STRBUF_INIT;
	sqlite3_stmt *st;

	strbuf_str(&sql, "INSERT INTO temp.directory VALUES (NULL, ?");
	add_columns(&sql, p, false, "?");
	add_columns(&sql, p, true, "?");
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

	strbuf_str(&sql, "SELECT path");
	add_columns(&sql, p, false, NULL);
	strbuf_str(&sql, " FROM (SELECT *, 1 AS files FROM file) ORDER BY path");
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
	strbuf_str(&table, "CREATE TEMP TABLE directory(id INTEGER PRIMARY KEY, path");
	add_columns(&table, p, false, NULL);
	add_columns(&table, p, true, NULL);
	strbuf_char(&table, ')');
	profile_execute(p, table.buf);
	store(p, &t);
	strbuf_release(&table);
	free(t.nodes);
	arena_release(&t.arena);
}
