#include "solve/subset.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/model/parts.h"
#include "db/store/load.h"
#include "solve/solve.h"
#include "util/mem.h"
#include "util/text/numbers.h"

/* ---- solving ---- */

/* The arcs of the whole profile are the candidates: a part of the counts can have no others. Those
 * that stacks tell of are found anew. */
static struct candidate *
take_candidates(const struct model *m, size_t *nr)
{
	struct candidate *c = xcalloc(m->nr_arcs, sizeof(*c));
	const struct model_arc *a;
	size_t i;

	for (i = *nr = 0; i < m->nr_arcs; i++) {
		a = &m->arcs[i];
		if ((a->site || a->callee) && a->how != ARC_SAMPLED)
			c[(*nr)++] = (struct candidate){
				.site = a->through ? a->through : a->site, .callee = a->callee,
				.through = a->through != 0, .unlike = a->unlike,
			};
	}
	return c;
}

static void
keep_measured(struct model *m)
{
	size_t i, n = 0;

	for (i = 0; i < m->nr_arcs; i++)
		if (m->arcs[i].measured)
			m->arcs[n++] = m->arcs[i];
	m->nr_arcs = n;
}

/* "threads 2, 5-7 of 8", "run 2 of 8"; the first of them has the number FIRST. */
static void
add_title(struct strbuf *out, const char *what, const bool *keep, size_t nr, size_t first_number)
{
	size_t i, end;
	bool first = true;

	for (i = end = 0; i < nr; i++)
		end += keep[i];
	strbuf_fmt(out, end == 1 ? "%s " : "%ss ", what);
	for (i = 0; i < nr; i = end) {
		end = i + 1;
		if (!keep[i])
			continue;
		while (end < nr && keep[end])
			end++;
		strbuf_fmt(out, "%s%zu", first ? "" : ", ", i + first_number);
		if (end > i + 1)
			strbuf_fmt(out, "%s%zu", end > i + 2 ? "-" : ", ", end - 1 + first_number);
		first = false;
	}
	strbuf_fmt(out, " of %zu", nr);
}

/* Is it what the thread began with, and short enough for a head? */
static bool
is_short_start(const char *name)
{
	enum { LONGEST = 40 };
	size_t n = strlen(name);

	return n > 2 && n <= LONGEST && !strcmp(name + n - 2, "()");
}

/* The title of the threads in KEEP: one alone is told by what it began with, too. */
static void
add_threads(struct strbuf *out, const struct model *m, const bool *keep)
{
	size_t nr = 0;

	add_title(out, "thread", keep, m->nr_parts, 1);
	for (size_t i = 0; i < m->nr_parts; i++)
		nr += keep[i];
	for (size_t i = 0; i < m->nr_threads && nr == 1; i++) {
		const struct model_thread *t = &m->threads[i];

		if (!t->part || !keep[t->part - 1])
			continue;
		if (is_short_start(t->name))
			strbuf_fmt(out, ", %s", t->name);
		return;
	}
}

static int
solve(struct model *m, struct error *err)
{
	struct candidate *candidates;
	size_t nr;
	int status;

	candidates = take_candidates(m, &nr);
	keep_measured(m);
	model_drop_notes(m, "flow"); /* made anew */
	m->nr_pins = 0;
	m->nr_cycles = 0;
	status = model_solve(m, candidates, nr, err);
	free(candidates);
	return status;
}

static bool
any(const bool *keep, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++)
		if (keep[i])
			return true;
	return false;
}

/* Leaves in M, a whole profile, only what KEEP has. TITLE: what that is called. */
static int
keep_some(struct model *m, const bool *keep, const char *title, struct error *err)
{
	if (parts_keep(m, keep, err) || solve(m, err))
		return -1;
	model_note(m, "subset", "all figures are those of %s only; what was pinned is not in "
		   "force", title);
	return 0;
}

/* ---- choosing ---- */

/* An argument "PATH:runs=1-20", parsed. */
struct chosen {
	char *path;
	struct subset_lists lists;
};

/* Cuts a list off the end of the path. Returns false when there is none. */
static bool
cut_list(struct chosen *c)
{
	static const char *const words[] = { ":threads=", ":runs=", ":ranks=" };
	char *colon = strrchr(c->path, ':');
	const char **lists[] = { &c->lists.threads, &c->lists.runs, &c->lists.ranks };

	for (size_t i = 0; colon && i < sizeof(words) / sizeof(*words); i++) {
		if (*lists[i] || strncmp(colon, words[i], strlen(words[i])))
			continue;
		*lists[i] = colon + strlen(words[i]);
		*colon = '\0';
		return true;
	}
	return false;
}

/* A file of just this name goes before. */
static struct chosen
chosen_of(const char *name)
{
	struct chosen c = { .path = xstrdup(name) };

	while (access(name, F_OK) && cut_list(&c))
		;
	return c;
}

char *
subset_path(const char *name)
{
	return chosen_of(name).path;
}

/* Things that a list may have. */
struct things {
	const char *what;
	size_t first, nr;        /* the number of the first, and how many there are */
	bool *set;               /* each: is it in the list? */
};

/* Sets what of T is in LIST. */
static int
read_list(const char *path, const char *list, const struct things *t, struct error *err)
{
	const char *text = list;
	size_t from, to;
	int status;

	while ((status = numbers_next(&list, &from, &to)) > 0) {
		if (!t->nr)
			return error_set(err, "%ss %s: %s has none", t->what, text, path);
		if (from < t->first || to > t->first + t->nr - 1)
			return error_set(err, "%ss %s: %s has %ss %zu to %zu only", t->what, text,
					 path, t->what, t->first, t->first + t->nr - 1);
		memset(t->set + (from - t->first), true, to - from + 1);
	}
	if (status || !*text)
		return error_set(err, "%s: %ss=%s: it is a list of numbers, as 1,3-5", path,
				 t->what, text);
	return 0;
}

static size_t
count_ranks(const struct model *m)
{
	int most = -1;

	for (size_t i = 0; i < m->nr_parts; i++)
		most = m->parts[i].rank > most ? m->parts[i].rank : most;
	return (size_t)(most + 1);
}

enum { THREADS, RUNS, RANKS, NR_THINGS };

static void
init_things(struct things *things, const struct model *m)
{
	things[THREADS] = (struct things){ "thread", 1, m->nr_parts, NULL };
	things[RUNS] = (struct things){ "run", 1, m->nr_runs, NULL };
	things[RANKS] = (struct things){ "rank", 0, count_ranks(m), NULL };
	for (int i = 0; i < NR_THINGS; i++)
		things[i].set = xcalloc(things[i].nr, sizeof(bool));
}

/* Sets what THINGS are in the lists of C; of threads, those that are in all of them. */
static int
choose(const struct model *m, const struct chosen *c, struct things *things, struct error *err)
{
	const char *lists[] = { c->lists.threads, c->lists.runs, c->lists.ranks };
	bool *keep = things[THREADS].set;

	if (!m->nr_parts)
		return error_set(err, "%s does not tell its threads and runs apart", c->path);
	for (int i = 0; i < NR_THINGS; i++)
		if (lists[i] && read_list(c->path, lists[i], &things[i], err))
			return -1;
	for (size_t i = 0; i < m->nr_parts; i++) {
		const struct model_part *p = &m->parts[i];

		keep[i] |= !c->lists.threads;
		keep[i] &= !c->lists.runs || things[RUNS].set[p->run - 1];
		keep[i] &= !c->lists.ranks || (p->rank >= 0 && things[RANKS].set[p->rank]);
	}
	if (!any(keep, m->nr_parts))
		return error_set(err, "no thread is in all of these lists");
	return 0;
}

static bool
has_lists(const struct chosen *c)
{
	return c->lists.threads || c->lists.runs || c->lists.ranks;
}

/* Loads what C chooses; TITLE becomes its title, or stays empty when that is all. */
static int
load_chosen(struct model *m, const struct chosen *c, struct strbuf *title, struct error *err)
{
	struct things things[NR_THINGS], *named;
	int status = model_load(m, c->path, err);

	if (status || !has_lists(c))
		return status;
	init_things(things, m);
	status = choose(m, c, things, err);
	named = &things[c->lists.threads ? THREADS : c->lists.ranks ? RANKS : RUNS];
	if (!status) {
		if (named == &things[THREADS])
			add_threads(title, m, named->set);
		else
			add_title(title, named->what, named->set, named->nr, named->first);
		status = keep_some(m, things[THREADS].set, title->buf, err);
	}
	for (int i = 0; i < NR_THINGS; i++)
		free(things[i].set);
	return status;
}

int
subset_load(struct model *m, const char *name, struct error *err)
{
	struct chosen c = chosen_of(name);
	struct strbuf title = STRBUF_INIT;
	int status = load_chosen(m, &c, &title, err);

	strbuf_release(&title);
	free(c.path);
	return status;
}

static struct profile *
open_chosen(const char *name, const struct chosen *c, struct error *err)
{
	struct strbuf title = STRBUF_INIT;
	struct profile *p = NULL;
	struct model m;

	if (!has_lists(c))
		return profile_open(c->path, err);
	model_init(&m);
	if (!load_chosen(&m, c, &title, err))
		p = profile_open_model(&m, &(struct made_of){ c->path, name, title.buf },
				       NULL, err);
	model_release(&m);
	strbuf_release(&title);
	return p;
}

struct profile *
subset_open_named(const char *name, struct error *err)
{
	struct chosen c = chosen_of(name);
	struct profile *p = open_chosen(name, &c, err);

	free(c.path);
	return p;
}

struct profile *
subset_open_lists(const char *path, const struct subset_lists *lists, struct error *err)
{
	const struct chosen c = { (char *)path, *lists };

	return open_chosen(path, &c, err);
}

struct profile *
subset_open(struct profile *of, const bool *keep, size_t nr, const struct progress *progress,
	    struct error *err)
{
	const char *name = profile_name(of);
	struct strbuf title = STRBUF_INIT;
	struct profile *p = NULL;
	struct model m;

	model_init(&m);
	if (subset_load(&m, name, err))
		goto out;
	if (m.nr_parts != nr) {
		error_set(err, "%s is another profile now: open it again", name);
		goto out;
	}
	add_threads(&title, &m, keep);
	if (!any(keep, nr))
		error_set(err, "none of the threads is chosen");
	else if (!keep_some(&m, keep, title.buf, err))
		p = profile_open_model(&m, &(struct made_of){ profile_path(of), name, title.buf },
				       progress, err);
out:
	strbuf_release(&title);
	model_release(&m);
	return p;
}
