#include "solve/foreign.h"

#include <stdlib.h>
#include <string.h>

#include "util/index.h"
#include "util/keys.h"
#include "util/order.h"

/* ---- who is called by name ---- */

static const char *
name_of(const struct model_procedure *p)
{
	return p->linkage_name ? p->linkage_name : "";
}

struct target { const char *name; size_t length; };

static bool
target_equal(const void *ctx, uint32_t item, const void *key)
{
	const char *name = name_of(&((const struct model *)ctx)->procedures[item]);
	const struct target *t = key;

	return !strncmp(name, t->name, t->length) && !name[t->length];
}

/* What stands behind an @ tells namesakes apart. */
static struct target
target_of(const char *text)
{
	return (struct target){ text, strcspn(text, "@") };
}

static uint32_t
find(const struct index *names, const struct model *m, const struct target *t)
{
	return index_find(names, hash_bytes(HASH_START, t->name, t->length), target_equal, m, t);
}

/* Of rows of one name the first is found: that of the library before that of the kernel. */
static void
index_names(struct index *names, const struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++) {
		struct target t = target_of(name_of(&m->procedures[i]));

		if (is_foreign(m, (model_id)i + 1) && t.length &&
		    find(names, m, &t) == INDEX_NONE)
			index_add(names, hash_bytes(HASH_START, t.name, t.length), (uint32_t)i);
	}
}

model_id *
foreign_targets(const struct model *m)
{
	model_id *targets = xcalloc(m->nr_sites + 1, sizeof(*targets));
	struct index names = INDEX_INIT;

	index_names(&names, m);
	for (size_t i = 0; names.nr && i < m->nr_sites; i++) {
		struct target t = target_of(m->sites[i].target ? m->sites[i].target : "");
		uint32_t row = m->sites[i].kind == SITE_DIRECT && t.length ? find(&names, m, &t)
									   : INDEX_NONE;

		targets[i + 1] = row == INDEX_NONE ? 0 : row + 1;
	}
	index_release(&names);
	return targets;
}

/* ---- arcs ---- */

static int
compare_arcs(const void *a, const void *b)
{
	const struct model_arc *x = a, *y = b;

	COMPARE(x->site, y->site);
	COMPARE(x->callee, y->callee);
	return x->through < y->through ? -1 : x->through > y->through;
}

/* Calls are known where each stack came by a call that names the row. */
static void
count_calls(struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (is_foreign(m, (model_id)i + 1))
			m->procedures[i].calls = 0;
	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];

		if (is_foreign(m, a->callee))
			m->procedures[a->callee - 1].calls =
				count_add(m->procedures[a->callee - 1].calls, a->count);
	}
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (m->arcs[i].how == ARC_SAMPLED && is_foreign(m, m->arcs[i].callee))
			m->procedures[m->arcs[i].callee - 1].calls = 0;
}

/* Returns the arc by which stacks got to the foreign row of context C; without a site: from none
 * that is known. What the kernel did for a library leads through the call of that. */
static struct model_arc
arc_to(const struct model *m, const struct model_context *c)
{
	const struct model_context *up = c->parent ? &m->contexts[c->parent - 1] : NULL;
	struct model_arc arc = { .callee = c->procedure, .how = ARC_SAMPLED };

	if (up && is_foreign(m, up->procedure) && is_foreign(m, c->procedure))
		arc.through = up->site;
	else
		arc.site = c->site;
	return arc;
}

/* What was only sampled has an arc from outside as well, where its stacks begin. */
static bool
needs_arc(const struct model *m, const struct model_context *c, const struct model_arc *arc)
{
	if (is_foreign(m, c->procedure))
		return arc->site || arc->through;
	return c->procedure &&
	       (is_uncounted_row(m, c->procedure) ||
		(arc->site && is_uncounted_row(m, m->sites[arc->site - 1].procedure)));
}

void
foreign_add_arcs(struct model *m)
{
	struct keys known = KEYS_INIT;
	size_t nr = m->nr_arcs;
	bool is_new;

	for (size_t i = 0; i < nr; i++)
		keys_number(&known, KEY(m->arcs[i].site, m->arcs[i].callee, m->arcs[i].through),
			    &is_new);
	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		struct model_arc arc = arc_to(m, c);

		if (!needs_arc(m, c, &arc))
			continue;
		keys_number(&known, KEY(arc.site, arc.callee, arc.through), &is_new);
		if (is_new)
			*MODEL_ADD(m, arcs) = arc;
	}
	keys_release(&known);
	if (m->nr_arcs > nr)
		qsort(m->arcs, m->nr_arcs, sizeof(*m->arcs), compare_arcs);
	count_calls(m);
}

/* ---- own times ---- */

/* Returns the procedure whose self time the samples of context C are in; 0: none. */
static model_id
owner_of(const struct model *m, const struct model_context *c)
{
	for (model_id up = c->parent; up; up = m->contexts[up - 1].parent) {
		model_id procedure = m->contexts[up - 1].procedure;

		if (procedure && !is_foreign(m, procedure))
			return procedure;
	}
	return 0;
}

static uint64_t
take(uint64_t *from, uint64_t most)
{
	uint64_t taken = most < *from ? most : *from;

	*from -= taken;
	return taken;
}

/* Move what the foreign row TO did for FROM in context C. */
static void
move(struct model_procedure *from, struct model_procedure *to, const struct model_context *c)
{
	to->own.samples += take(&from->own.samples, c->self.samples);
	to->own.ns += take(&from->own.ns, c->self.ns);
	to->own.wait_ns += take(&from->own.wait_ns, c->self.wait_ns);
}

void
foreign_store_own(struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		m->procedures[i].own = m->procedures[i].self;
	for (size_t i = 0; i < m->nr_contexts; i++) {
		const struct model_context *c = &m->contexts[i];
		model_id owner = is_foreign(m, c->procedure) ? owner_of(m, c) : 0;

		if (owner)
			move(&m->procedures[owner - 1], &m->procedures[c->procedure - 1], c);
	}
}
