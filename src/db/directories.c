/* The directories of the files, which are no table of the profile: a temporary one is made when
 * somebody asks. */
#include <stdlib.h>
#include <string.h>

#include "db/connection.h"
#include "util/path.h"
#include "util/sum.h"

enum {
	MAX_DEPTH = 32,          /* deeper ones count as this one: a path may be made of slashes */
	MAX_NODES = 1000000,
};

/* What is added up, in the order of the columns of both queries. */
enum figure {
	FIGURE_FILES, FIGURE_LINES, FIGURE_EXECUTED, FIGURE_PROCEDURES, FIGURE_COUNT, FIGURE_SELF,
	FIGURE_SAMPLES, FIGURE_WAIT, NR_FIGURES,
};

struct node {
	const char *path;        /* LENGTH bytes of it, in the arena */
	size_t length;
	size_t parent;           /* index, less than its own; of a root: itself */
	unsigned branches;       /* children in which something was executed */
	uint64_t own[NR_FIGURES];
	uint64_t total_ns, total_count; /* with those below */
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

/* The node of the directory of a file. Files come in the order of their paths: what is in one
 * directory comes together. */
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
	free(path);
}

static void
sum_up(struct tree *t)
{
	for (size_t i = t->nr; i-- > 0;) {
		struct node *n = &t->nodes[i], *parent = &t->nodes[n->parent];

		n->total_ns = sum_capped(n->total_ns, n->own[FIGURE_SELF]);
		n->total_count = sum_capped(n->total_count, n->own[FIGURE_COUNT]);
		if (parent == n)
			continue;
		parent->branches += n->total_ns || n->total_count;
		parent->total_ns = sum_capped(parent->total_ns, n->total_ns);
		parent->total_count = sum_capped(parent->total_count, n->total_count);
	}
}

static int64_t
as_stored(uint64_t n)
{
	return n > INT64_MAX ? INT64_MAX : (int64_t)n;
}

/* The root of all, and a directory without files all of whose figures are those of one that is in
 * it, say nothing. */
static bool
says_something(const struct tree *t, size_t i)
{
	return t->nodes[i].own[FIGURE_FILES] || (i && t->nodes[i].branches > 1);
}

static void
store(struct profile *p, const struct tree *t)
{
	sqlite3_stmt *st = profile_prepare(p, "INSERT INTO temp.directory VALUES "
					      "(NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");

	for (size_t i = 0; st && i < t->nr; i++) {
		const struct node *n = &t->nodes[i];

		if (!says_something(t, i))
			continue;
		sqlite3_reset(st);
		profile_step_anew(st);
		sqlite3_bind_text(st, 1, n->path, (int)n->length, SQLITE_STATIC);
		for (int k = 0; k < NR_FIGURES; k++)
			sqlite3_bind_int64(st, 2 + k, as_stored(n->own[k]));
		sqlite3_bind_int64(st, 2 + NR_FIGURES, as_stored(n->total_ns));
		sqlite3_bind_int64(st, 3 + NR_FIGURES, as_stored(n->total_count));
		profile_step(p, st);
		p->nr_directories++;
	}
	sqlite3_finalize(st);
}

static void
run(struct profile *p, const char *sql)
{
	sqlite3_stmt *st = profile_prepare(p, sql);

	profile_step(p, st);
	sqlite3_finalize(st);
}

void
profile_make_directories(struct profile *p)
{
	struct tree t = { .arena = ARENA_INIT };
	sqlite3_stmt *st;

	if (p->directories_made)
		return;
	p->directories_made = true;
	new_node(&t, "/", 1, 0);
	new_node(&t, ".", 1, 1);
	st = profile_prepare(p, "SELECT 1, code_lines, executed_lines, procedures, count, self_ns, "
				"self_samples, self_wait_ns, path FROM file ORDER BY path");
	while (profile_step(p, st))
		add_file(&t, p, st);
	sqlite3_finalize(st);
	sum_up(&t);
	/* Only the database in memory can be written to: the file was opened for reading. */
	run(p, "PRAGMA query_only = OFF");
	run(p, "CREATE TEMP TABLE directory(id INTEGER PRIMARY KEY, path TEXT, files INTEGER, "
	       "code_lines INTEGER, executed_lines INTEGER, procedures INTEGER, count INTEGER, "
	       "self_ns INTEGER, self_samples INTEGER, self_wait_ns INTEGER, total_ns INTEGER, "
	       "total_count INTEGER)");
	store(p, &t);
	run(p, "PRAGMA query_only = ON");
	free(t.nodes);
	arena_release(&t.arena);
}
