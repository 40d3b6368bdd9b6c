#include "solve/subset.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/model/tracks.h"
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
	if (parts_keep(m, keep, err))
		return -1;
	model_note(m, "subset", "all figures are those of %s only; what was pinned is not in "
		   "force", title);
	return 0;
}

/* ---- a span ---- */

/* Reads a time of the span TEXT, which ends at END, into *US; what is less is cut off. */
static bool
read_time(const char *text, const char *end, uint64_t *us)
{
	static const struct { const char *name; uint64_t us; } names[] = {
		{ "begin", 0 }, { "end", TRACK_US_MAX },
	};
	char *copy = xstrndup(text, (size_t)(end - text));
	double ns = numbers_time(copy);
	bool is_time = ns >= 0 && ns / 1e3 < (double)TRACK_US_MAX;

	if (is_time)
		*us = (uint64_t)(ns / 1e3);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(copy, names[i].name)) {
			*us = names[i].us;
			is_time = true;
		}
	free(copy);
	return is_time;
}

int
subset_read_span(const char *text, struct time_span *span, struct error *err)
{
	const char *comma = strchr(text, ',');

	if (!comma || !read_time(text, comma, &span->from_us) ||
	    !read_time(comma + 1, text + strlen(text), &span->to_us))
		return error_set(err, "span %s: it is FROM,TO: times since the run began (1.5s, "
				 "20ms), begin or end", text);
	if (span->to_us <= span->from_us)
		return error_set(err, "span %s: its end is not behind its begin", text);
	return 0;
}

static void
add_time(struct strbuf *out, uint64_t us)
{
	if (us >= 1000000)
		strbuf_fmt(out, "%.10g s", (double)us / 1e6);
	else
		strbuf_fmt(out, "%.10g ms", (double)us / 1e3);
}

static void
add_span(struct strbuf *out, const struct time_span *span)
{
	if (span->from_us)
		add_time(out, span->from_us);
	else
		strbuf_str(out, "the begin");
	strbuf_str(out, " to ");
	if (span->to_us < TRACK_US_MAX)
		add_time(out, span->to_us);
	else
		strbuf_str(out, "the end");
}

/* Appends it to the TITLE of what else is chosen. */
static void
add_span_title(struct strbuf *title, const struct time_span *span)
{
	strbuf_str(title, title->len ? ", " : "");
	add_span(title, span);
	strbuf_str(title, "; counts of the whole run");
}

static bool
is_empty(const struct model *m)
{
	uint64_t wait_ns = 0, samples = 0;

	for (size_t i = 0; i < m->nr_runs; i++) {
		samples = count_add(samples, m->runs[i].samples);
		wait_ns = count_add(wait_ns, m->runs[i].wait_ns);
	}
	return !samples && !wait_ns;
}

/* Leaves in M only the samples of SPAN. */
static int
keep_span(struct model *m, const char *path, const struct time_span *span, struct error *err)
{
	struct strbuf title = STRBUF_INIT;
	struct error why = ERROR_INIT;
	uint64_t left;
	int status = 0;

	add_span(&title, span);
	if (tracks_keep(m, span, &left, &why))
		status = error_set(err, "%s: %s", path, why.text);
	else if (is_empty(m))
		status = error_set(err, "%s: nothing was sampled from %s: times are those since "
				   "a run began", path, title.buf);
	else
		model_note(m, "subset", "samples, times and waiting are those of %s of each run; "
			   "counts, calls, memory and other measures are those of all of it, and "
			   "times that are propagated along the arcs go by these counts",
			   title.buf);
	if (!status && left)
		model_note(m, "subset", "of %llu samples it is not known when they were taken: "
			   "they are in no span", (unsigned long long)left);
	strbuf_release(&title);
	return status;
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
	static const char *const words[] = { ":threads=", ":runs=", ":ranks=", ":span=" };
	char *colon = strrchr(c->path, ':');
	const char **lists[] = { &c->lists.threads, &c->lists.runs, &c->lists.ranks,
				 &c->lists.span };

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

/* Leaves in M what the lists of C have. TITLE becomes what that is called. */
static int
keep_chosen(struct model *m, const struct chosen *c, struct strbuf *title, struct error *err)
{
	struct things things[NR_THINGS], *named;
	int status;

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

/* Loads what C chooses; TITLE becomes its title, or stays empty when that is all. */
static int
load_chosen(struct model *m, const struct chosen *c, struct strbuf *title, struct error *err)
{
	struct time_span span;
	bool some = has_lists(c);

	if (c->lists.span && subset_read_span(c->lists.span, &span, err))
		return -1;
	if (model_load(m, c->path, err) || (some && keep_chosen(m, c, title, err)))
		return -1;
	if (c->lists.span) {
		if (keep_span(m, c->path, &span, err))
			return -1;
		add_span_title(title, &span);
	}
	return some || c->lists.span ? solve(m, err) : 0;
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

	if (!has_lists(c) && !c->lists.span)
		return profile_open(c->path, err);
	model_init(&m);
	if (!load_chosen(&m, c, &title, err))
		p = profile_open_model(&m, &(struct made_of){ c->path, name, title.buf,
							      c->lists.span != NULL }, NULL, err);
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

/* Leaves in M, all of what is called NAME, only what ONLY has. TITLE becomes what that is. */
static int
keep_only(struct model *m, const char *name, const struct subset *only, struct strbuf *title,
	  struct error *err)
{
	if (only->keep && m->nr_parts != only->nr)
		return error_set(err, "%s is another profile now: open it again", name);
	if (only->keep && !any(only->keep, only->nr))
		return error_set(err, "none of the threads is chosen");
	if (only->keep) {
		add_threads(title, m, only->keep);
		if (keep_some(m, only->keep, title->buf, err))
			return -1;
	}
	if (!only->span)
		return 0;
	if (keep_span(m, name, only->span, err))
		return -1;
	add_span_title(title, only->span);
	return 0;
}

struct profile *
subset_open(struct profile *of, const struct subset *only, const struct progress *progress,
	    struct error *err)
{
	const char *name = profile_name(of);
	struct chosen c = chosen_of(name);
	struct strbuf title = STRBUF_INIT;
	struct profile *p = NULL;
	struct model m;

	model_init(&m);
	if (!load_chosen(&m, &c, &title, err) && !keep_only(&m, name, only, &title, err) &&
	    !solve(&m, err))
		p = profile_open_model(&m, &(struct made_of){ profile_path(of), name, title.buf,
							      only->span || c.lists.span },
				       progress, err);
	strbuf_release(&title);
	model_release(&m);
	free(c.path);
	return p;
}
