#include "collect/import/sums/spread_rows.h"

#include <math.h>
#include <string.h>

#include "collect/import/sums/derive.h"
#include "util/deviation.h"

static struct spread_at
at_of(struct model *m, const struct sumfile *s, uint32_t number)
{
	const struct sum_process *p = &s->processes[number];

	return (struct spread_at){
		.rank = p->rank, .pid = p->pid,
		.host = arena_strdup(&m->arena, s->texts + p->host),
		.job = arena_strdup(&m->arena, s->texts + p->job),
	};
}

static void
add_row(struct model *m, const struct sumfile *s, const struct sum_spread *of,
	const struct sum_spread_row *r, model_id procedure, uint64_t all)
{
	const struct deviation d = {
		.nr = of->processes, .sum = (long double)r->sum,
		.squares = (long double)r->squares[0] + 0x1p64L * (long double)r->squares[1],
	};

	*MODEL_ADD(m, spreads) = (struct model_spread){
		.procedure = procedure, .figure = (enum spread_figure)r->figure,
		.processes = of->processes, .all = all, .some = r->some,
		.mean = deviation_mean(&d), .sd = d.nr < 2 ? NAN : deviation_of(&d),
		.least = r->least, .most = r->most,
		.least_at = at_of(m, s, r->least_at), .most_at = at_of(m, s, r->most_at),
	};
}
_Static_assert((int)SPREAD_SELF == (int)SUM_SPREAD_SELF &&
	       (int)SPREAD_CALLS == (int)SUM_SPREAD_CALLS &&
	       (int)SPREAD_WORK == (int)SUM_SPREAD_WORK, "figures have one number");

/* Returns which module is OF; -1: none, or one that cannot be used. */
static int
module_of(const struct sumfile *s, const struct sum_spread *of, const struct module *modules,
	  size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct module *mod = &modules[i];

		if (mod->usable && !strcmp(mod->path, s->texts + of->path) &&
		    mod->build_id_length == of->build_id_length &&
		    !memcmp(mod->build_id, of->build_id, mod->build_id_length))
			return (int)i;
	}
	return -1;
}

/* Returns how many processes have MODULE. */
static uint64_t
processes_with(const struct inputs *x, int module)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < x->nr; i++)
		for (size_t k = 0; k < x->items[i].raw.nr_modules; k++)
			if (x->items[i].module_of[k] == module) {
				nr += x->items[i].facts.files;
				break;
			}
	return nr;
}

static void
add_spread(struct model *m, const struct inputs *x, const struct sumfile *s,
	   const struct sum_spread *of, const struct sum_spread_row *rows,
	   const struct module *modules, size_t nr)
{
	const int module = module_of(s, of, modules, nr);
	struct module_procedures here;
	uint64_t all;

	if (module < 0)
		return; /* why it cannot be used is told elsewhere */
	here = module_procedures(&modules[module], m);
	if (here.hash != of->hash || here.nr != of->nr_procedures) {
		model_note(m, "counts", "the spread over processes of %s is left out: it was made "
			   "by another cgview: reduce the raw profiles again",
			   modules[module].path);
		return;
	}
	all = processes_with(x, module);
	for (uint64_t i = 0; i < of->nr_rows; i++)
		add_row(m, s, of, &rows[i], here.first + rows[i].procedure,
			all < of->processes ? of->processes : all);
}

void
spread_rows_add(struct model *m, const struct inputs *x, const struct module *modules, size_t nr)
{
	const struct sum_spread *of;
	const struct sum_spread_row *rows;
	bool left_out = false;

	for (size_t i = 0; i < x->nr_sums; i++)
		for (size_t at = 0; sumfile_spread(x->sums[i], &at, &of, &rows);)
			if (x->nr == x->sums[i]->nr_members)
				add_spread(m, x, x->sums[i], of, rows, modules, nr);
			else
				left_out = true;
	if (left_out)
		model_note(m, "counts", SPREADS_LEFT_OUT);
}
