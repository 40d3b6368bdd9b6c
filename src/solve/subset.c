#include "solve/subset.h"

#include <stdlib.h>
#include <string.h>

#include "db/load.h"
#include "db/parts.h"
#include "db/writer.h"
#include "solve/solve.h"
#include "util/mem.h"
#include "util/numbers.h"

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

/* "threads 2, 5-7 of 8", "thread 2 of 8" */
static void
add_title(struct strbuf *out, const bool *keep, size_t nr)
{
	size_t i, end;
	bool first = true;

	for (i = end = 0; i < nr; i++)
		end += keep[i];
	strbuf_str(out, end == 1 ? "thread " : "threads ");
	for (i = 0; i < nr; i = end) {
		end = i + 1;
		if (!keep[i])
			continue;
		while (end < nr && keep[end])
			end++;
		strbuf_fmt(out, "%s%zu", first ? "" : ", ", i + 1);
		if (end > i + 1)
			strbuf_fmt(out, "%s%zu", end > i + 2 ? "-" : ", ", end);
		first = false;
	}
	strbuf_fmt(out, " of %zu", nr);
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

struct profile *
subset_open(const char *path, const bool *keep, size_t nr, const struct progress *progress,
	    struct error *err)
{
	struct strbuf title = STRBUF_INIT;
	struct profile *p = NULL;
	struct model m;
	char *file;

	model_init(&m);
	if (model_load(&m, path, err))
		goto out;
	if (m.nr_parts != nr) {
		error_set(err, "%s is another profile now: open it again", path);
		goto out;
	}
	if (!any(keep, nr)) {
		error_set(err, "none of the threads is chosen");
		goto out;
	}
	if (parts_keep(&m, keep, err) || solve(&m, err))
		goto out;
	add_title(&title, keep, nr);
	model_note(&m, "subset", "all figures are those of %s only; what was pinned is not in "
		   "force", title.buf);
	if (!profile_write_temporary(&file, &m, progress, err)) {
		p = profile_open_temporary(file, path, title.buf, err);
		free(file);
	}
out:
	strbuf_release(&title);
	model_release(&m);
	return p;
}

/* ---- choosing ---- */

/* A list that options_parse() took: sets SET, of MOST. */
static int
read_list(const char *path, const char *list, const char *what, bool *set, size_t most,
	  struct error *err)
{
	const char *text = list;
	size_t from, to;

	while (numbers_next(&list, &from, &to) > 0) {
		if (!from || to > most)
			return error_set(err, "%ss %s: %s has %ss 1 to %zu only", what, text, path,
					 what, most);
		memset(set + from - 1, true, to - from + 1);
	}
	return 0;
}

static int
choose(struct profile *p, const char *threads, const char *runs, bool **keep, size_t *nr,
       struct error *err)
{
	struct list_query q = { .kind = LIST_THREAD };
	int column = list_column_find(LIST_THREAD, "run");
	uint32_t nr_runs = profile_totals(p)->nr_runs;
	struct listing *l = listing_open(p, &q);
	bool *run = xcalloc(nr_runs, sizeof(*run));
	const struct list_row *row;
	size_t i, number;
	int status = 0;

	*nr = listing_rows(l);
	*keep = xcalloc(*nr, sizeof(**keep));
	if (!*nr)
		status = error_set(err, "%s does not tell its threads and runs apart",
				   profile_path(p));
	if (threads && !status)
		status = read_list(profile_path(p), threads, "thread", *keep, *nr, err);
	if (runs && !status)
		status = read_list(profile_path(p), runs, "run", run, nr_runs, err);
	for (i = 0; !status && i < *nr && (row = listing_row(l, i)); i++) {
		if (!threads)
			(*keep)[i] = true;
		number = (size_t)row->cells[column].number - 1;
		if (runs && (number >= nr_runs || !run[number]))
			(*keep)[i] = false;
	}
	if (!status && !any(*keep, *nr))
		status = error_set(err, "none of these threads is in these runs");
	listing_close(l);
	free(run);
	if (status) {
		free(*keep);
		*keep = NULL;
	}
	return status;
}

struct profile *
subset_open_lists(const char *path, const char *threads, const char *runs, struct error *err)
{
	struct profile *p = profile_open(path, err), *some = NULL;
	bool *keep;
	size_t nr;

	if (!p || (!threads && !runs))
		return p;
	if (choose(p, threads, runs, &keep, &nr, err))
		keep = NULL;
	profile_close(p);
	if (keep)
		some = subset_open(path, keep, nr, NULL, err);
	free(keep);
	return some;
}
