#include "cmd/make/merge.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/make/make_profile.h"
#include "cmd/make/merge_check.h"
#include "cmd/make/merge_source.h"
#include "collect/import/merge.h"
#include "db/model/tracks.h"
#include "db/store/load.h"
#include "solve/solve.h"
#include "util/mem.h"
#include "util/spill.h"

struct merge {
	const struct merge_options *o;
	const char *const *paths;
	bool *out;                 /* per path: it was left out */
	size_t nr, nr_out, first;  /* first: that was not left out */
	bool adds;                 /* the output is one of them */
	size_t newest;             /* of these, the one with the last run */
	int64_t newest_ns;
	struct merge_check check;
	struct model sum;
	struct candidates candidates;
	struct spill spills[2];    /* of sum's parts: as they came, in order */
};

/* A profile cannot be added: ERR says why. Returns whether to go on without it. */
static bool
leave_out(struct merge *g, size_t i, struct error *err)
{
	if (!g->o->keep_going)
		return false;
	complain("left out: %s", err->text);
	model_note(&g->sum, "merge", "left out: %s", err->text);
	*err = (struct error)ERROR_INIT;
	g->out[i] = true;
	g->nr_out++;
	return true;
}

static int
load_all(struct model *m, const char *path, struct error *err)
{
	struct error damage = ERROR_INIT;

	if (model_load(m, path, err))
		return -1;
	return parts_check(m, &damage) || tracks_check(m, &damage)
		       ? error_set(err, "%s: %s", path, damage.text) : 0;
}

/* ---- first: which of them can be added ---- */

/* By source, all others are added to the newest build. */
static void
note_newest(struct merge *g, size_t i, const struct model *m)
{
	size_t k;

	for (k = 0; k < m->nr_runs; k++) {
		if (g->newest < g->nr && m->runs[k].started_ns <= g->newest_ns)
			continue;
		g->newest = i;
		g->newest_ns = m->runs[k].started_ns;
	}
}

/* A profile that is damaged deep inside must not keep out another with the same run: so with
 * --keep-going it is read as a whole. */
static int
look_at(struct merge *g, size_t i, struct error *err)
{
	struct model m;
	int status;

	model_init(&m);
	if (g->o->keep_going)
		status = load_all(&m, g->paths[i], err);
	else
		status = model_load_runs(&m, g->paths[i], err);
	if (!status)
		status = merge_check_add(&g->check, &m, g->paths[i], err);
	if (!status)
		note_newest(g, i, &m);
	model_release(&m);
	return status && leave_out(g, i, err) ? 0 : status;
}

static int
check_related(struct merge *g, size_t i, const struct model *first, struct error *err)
{
	struct model m;
	int status;

	model_init(&m);
	status = model_load_runs(&m, g->paths[i], err);
	if (!status)
		status = merge_check_related(&g->check, &m, g->paths[i], first,
					     g->paths[g->first], err);
	model_release(&m);
	return status && leave_out(g, i, err) ? 0 : status;
}

/* Some belong together only by others. */
static int
check_programs(struct merge *g, struct error *err)
{
	struct model first;
	int status;
	size_t i;

	model_init(&first);
	status = model_load_runs(&first, g->paths[g->first], err);
	for (i = g->first + 1; i < g->nr && !status; i++)
		if (!g->out[i])
			status = check_related(g, i, &first, err);
	model_release(&first);
	return status;
}

static int
check_all(struct merge *g, struct error *err)
{
	size_t i;

	for (i = 0; i < g->nr; i++)
		if (look_at(g, i, err))
			return -1;
	while (g->first < g->nr && g->out[g->first])
		g->first++;
	if (g->first == g->nr)
		return error_set(err, "none of the profiles can be added");
	return check_programs(g, err);
}

/* ---- then: adding ---- */

static void
drop(struct merge *g, struct model *m, const char *path)
{
	if (m->nr_pins) {
		complain("%s: its pins are left out: set them again with cgview pin", path);
		model_note_once(&g->sum, "merge", "pins of profiles that were added are left out: "
				"set them again with cgview pin");
	}
	if (m->nr_metrics)
		complain("%s: its comparison is left out", path);
	m->nr_pins = m->nr_metrics = m->nr_comparisons = m->nr_compared = 0;
}

static int
add(struct merge *g, size_t i, struct error *err)
{
	struct model m;
	int status;

	model_init(&m);
	if (load_all(&m, g->paths[i], err)) {
		status = leave_out(g, i, err) ? 0 : -1;
	} else {
		drop(g, &m, g->paths[i]);
		if (!m.nr_parts)
			parts_of_whole(&m);
		merge_check_rename(&g->check, &m);
		if (g->o->by_source && i != g->newest && !merge_check_same(&g->sum, &m))
			status = merge_by_source(&g->sum, g->paths[g->newest], &m, g->paths[i],
						 &g->o->match, &g->candidates, err);
		else
			status = model_merge(&g->sum, &m, &g->candidates, err);
	}
	model_release(&m);
	return status;
}

static int
add_all(struct merge *g, struct error *err)
{
	size_t i;

	if (g->o->by_source && g->newest < g->nr && add(g, g->newest, err))
		return -1;
	for (i = 0; i < g->nr; i++)
		if (!g->out[i] && !(g->o->by_source && i == g->newest) && add(g, i, err))
			return -1;
	return g->nr_out < g->nr ? 0 : error_set(err, "none of the profiles can be added");
}

/* ---- and at last ---- */

static void
tell_full(struct model *m)
{
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < m->nr_procedures; i++) {
		const struct model_procedure *p = &m->procedures[i];

		if (p->calls > most)
			most = p->calls;
		if (p->self_ns > most)
			most = p->self_ns;
	}
	for (i = 0; i < m->nr_blocks; i++)
		if (m->blocks[i].count > most)
			most = m->blocks[i].count;
	if (most >= INT64_MAX)
		model_note_once(m, "counts", "some counts are too low: they stop at "
			   "9223372036854775807, the greatest that a profile can hold");
}

static int
finish(struct merge *g, struct error *err)
{
	const struct make_options o = { .to = g->o->to, .append = g->adds };
	int status;

	if (make_profile_order(&g->sum, &g->spills[1], &g->candidates, err))
		return -1;
	tell_full(&g->sum);
	if (model_solve(&g->sum, g->candidates.items, g->candidates.nr, err))
		return -1;
	status = make_profile_write(&g->sum, &o, err);
	if (status >= 0)
		make_profile_tell(&g->sum, &o);
	return status;
}

int
merge_profiles(const char *const *paths, size_t nr, const struct merge_options *o,
	       size_t *left_out, struct error *err)
{
	struct merge g = { .o = o, .paths = paths, .nr = nr, .newest = nr,
			   .spills = { { -1, 0 }, { -1, 0 } } };
	int status = -1;

	g.adds = destination_among(o->to, paths, nr);
	g.out = xcalloc(nr, sizeof(*g.out));
	merge_check_init(&g.check);
	g.check.any_build = o->by_source;
	model_init(&g.sum);
	g.sum.spill = &g.spills[0];
	if (!spill_open(&g.spills[0], o->to->target, err) &&
	    !spill_open(&g.spills[1], o->to->target, err) &&
	    (!g.adds || !destination_lock(o->to, err)) && !check_all(&g, err) && !add_all(&g, err))
		status = finish(&g, err);
	*left_out = g.nr_out;
	spill_close(&g.spills[0]);
	spill_close(&g.spills[1]);
	model_release(&g.sum);
	candidates_release(&g.candidates);
	merge_check_release(&g.check);
	free(g.out);
	return status;
}
