#include "db/model/run_deviation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/job.h"
#include "util/mem.h"
#include "util/order.h"

/* OF: its run, or its rank + 1, and 0 if it has none. */
struct run_parts { uint32_t of; size_t part; };

static int
compare_parts(const void *a, const void *b)
{
	const struct run_parts *x = a, *y = b;

	COMPARE(x->of, y->of);
	return x->part < y->part ? -1 : x->part > y->part;
}

/* Returns the parts in the order of their runs, or ranks. */
static struct run_parts *
order_parts(const struct model *m, bool ranks)
{
	struct run_parts *order = xcalloc(m->nr_parts, sizeof(*order));
	size_t i;

	for (i = 0; i < m->nr_parts; i++)
		order[i] = (struct run_parts){
			ranks ? (uint32_t)(m->parts[i].rank + 1) : m->parts[i].run, i
		};
	qsort(order, m->nr_parts, sizeof(*order), compare_parts);
	return order;
}

/* Times of the runs, and the sum of each multiplied with what it is a share of. */
struct shares { struct deviation times; long double products; };

/* Where the times of procedures are added up. */
struct gathered {
	const struct spread_of *of;
	uint64_t *times;         /* of this run, by group */
	uint32_t *seen;          /* groups that have some */
	size_t nr_seen;
	struct shares *shares;   /* by group */
	struct evenness *evenness; /* in place of these, over ranks if there are some; or NULL */
};

/* Adds what P has of the figure G, of the NR entries E. */
static void
add_entries(struct gathered *g, const struct part_entry *e, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint32_t k = e[i].id - 1;

		if (e[i].column != g->of->column)
			continue;
		k = g->of->group ? g->of->group[k] : k;
		if (!g->times[k])
			g->seen[g->nr_seen++] = k;
		g->times[k] = count_add(g->times[k], e[i].value);
	}
}

enum { ENTRIES = 64 /* are a unit of work */ };

/* Pauses for what is held: evenness. */
static int
add_part(const struct model *m, const struct model_part *p, struct gathered *g, size_t nr)
{
	struct part_entries e = { .items = NULL };
	struct error ignored = ERROR_INIT;
	int status = part_unpack(p, m, &e, &ignored);
	size_t entries = e.nr;

	for (size_t i = 0; i < nr && !status; i++)
		add_entries(&g[i], e.items, e.nr);
	part_entries_release(&e);
	if (g->evenness)
		job_pause((unsigned)(1 + nr * entries / ENTRIES));
	return status;
}

static void
add_share(struct gathered *g, uint32_t k, uint32_t run)
{
	const double *base = g->of->base;

	deviation_add(&g->shares[k].times, (double)g->times[k]);
	if (base)
		g->shares[k].products += (long double)g->times[k] * base[run - 1];
}

/* AT: its rank or run; it is the Nth, from 0, as of all that had some of it those before. */
static void
add_evenly(struct evenness *e, uint64_t value, uint32_t at, uint32_t n)
{
	if (e->gap == n)
		e->gap++;
	if (!e->seen || value > e->most) {
		e->most = value;
		e->most_at = at;
	}
	if (!e->seen || value < e->least) {
		e->least = value;
		e->least_at = at;
	}
	e->seen++;
	deviation_add(&e->of, (double)value);
}

/* What all that had none of it say. WHICH: rank or run of each, in order. */
static void
complete_evenness(struct evenness *e, const uint32_t *which, size_t nr)
{
	if (e->seen == nr)
		return;
	e->of.nr = nr;
	e->least = 0;
	e->least_at = which[e->gap];
	if (!e->seen)
		e->most_at = which[0];
}

/* Adds what each group has to the one above it. */
static void
add_up(struct gathered *g)
{
	const uint32_t *up = g->of->up;

	for (size_t k = up ? g->of->nr - 1 : 0; k; k--) {
		if (!g->times[k])
			continue;
		if (!g->times[up[k]])
			g->seen[g->nr_seen++] = up[k];
		g->times[up[k]] = count_add(g->times[up[k]], g->times[k]);
	}
}

/* Adds up what was seen of a rank or run, which is AT, the Nth. */
static void
add_seen(struct gathered *g, uint32_t at, uint32_t n)
{
	while (g->nr_seen) {
		uint32_t k = g->seen[--g->nr_seen];

		if (g->evenness)
			add_evenly(&g->evenness[k], g->times[k], at, n);
		else
			add_share(g, k, at);
		g->times[k] = 0;
	}
}

/* What is to be given back when all is gathered, or nobody wants it any more. */
struct gathering {
	struct gathered *g;
	size_t nr;               /* figures */
	struct run_parts *order;
	uint32_t *which;         /* rank or run of each, in order */
};

static void
release_gathering(void *gathering)
{
	struct gathering *a = gathering;

	for (size_t f = 0; f < a->nr; f++) {
		free(a->g[f].times);
		free(a->g[f].seen);
	}
	free(a->order);
	free(a->which);
}

/* Gathers NR figures, in one pass over the parts. Returns how many ranks or runs there are; 0: a
 * part is damaged. */
static size_t
add_runs(const struct model *m, struct gathered *g, size_t nr)
{
	bool ranks = g->evenness && evenness_is_of_ranks(m);
	struct gathering a = {
		.g = g, .nr = nr, .order = order_parts(m, ranks),
		.which = xcalloc(m->nr_parts + 1, sizeof(*a.which)),
	};
	struct job_hold hold;
	size_t nr_runs = 0;
	uint32_t at;
	int status = 0;

	for (size_t f = 0; f < nr; f++) {
		g[f].times = xcalloc(g[f].of->nr, sizeof(*g->times));
		g[f].seen = xcalloc(g[f].of->nr, sizeof(*g->seen));
	}
	job_hold(&hold, release_gathering, &a);
	for (size_t i = 0; i < m->nr_parts && !status;) {
		at = a.order[i].of;
		if (!at && ranks) {
			i++;
			continue;
		}
		for (; i < m->nr_parts && a.order[i].of == at && !status; i++) {
			status = add_part(m, &m->parts[a.order[i].part], g, nr);
			if (g->evenness)
				job_progress((double)i, (double)m->nr_parts);
		}
		a.which[nr_runs] = at - ranks;
		for (size_t f = 0; f < nr; f++) {
			add_up(&g[f]);
			add_seen(&g[f], a.which[nr_runs], (uint32_t)nr_runs);
			if (g[f].of->up)
				job_pause((unsigned)(1 + g[f].of->nr / ENTRIES));
		}
		nr_runs++;
	}
	for (size_t f = 0; f < nr; f++)
		for (size_t k = 0; g[f].evenness && k < g[f].of->nr && !status; k++)
			complete_evenness(&g[f].evenness[k], a.which, nr_runs);
	job_let_go(&hold);
	return status ? 0 : nr_runs;
}

double
evenness_imbalance(const struct evenness *e)
{
	double over = (double)e->most - deviation_mean(&e->of);

	return round(1e4 * fmax(0, over) / (double)e->most) / 100;
}

bool
evenness_is_of_ranks(const struct model *m)
{
	for (size_t i = 0; i < m->nr_parts; i++)
		if (m->parts[i].rank >= 0)
			return true;
	return false;
}

size_t
evenness_of(const struct model *m, const struct spread_of *of, size_t nr,
	    struct evenness *const *evenness)
{
	struct gathered *g = xcalloc(nr + 1, sizeof(*g));
	struct job_hold hold;
	size_t runs;

	job_hold(&hold, free, g);
	for (size_t f = 0; f < nr; f++) {
		memset(evenness[f], 0, of[f].nr * sizeof(*evenness[f]));
		g[f] = (struct gathered){ .of = &of[f], .evenness = evenness[f] };
	}
	runs = m->nr_parts < 2 ? 0 : add_runs(m, g, nr);
	job_let_go(&hold);
	return runs;
}

/* Returns the number of runs that took samples, and in *SAME whether all ran one command: times of
 * different work say nothing about how certain a time is. */
static size_t
sampled_runs(const struct model *m, bool *same)
{
	const char *command = NULL;
	size_t i, nr = 0;

	*same = true;
	for (i = 0; i < m->nr_runs; i++) {
		if (!m->runs[i].asked_interval_ns)
			continue;
		*same &= !command || !strcmp(command, m->runs[i].command);
		command = m->runs[i].command;
		nr++;
	}
	return nr;
}

/* The deviation of S over RUNS runs (some may have spent nothing there): of the times, or of how
 * much these differ from their share of BASE. */
static double
deviation_of_shares(const struct shares *s, size_t runs, const struct deviation *base)
{
	struct deviation d = s->times;
	long double share = base->sum > 0 ? d.sum / base->sum : 0;

	d.nr = runs;
	if (share == 0)
		return deviation_of(&d);
	d.squares += share * (share * base->squares - 2 * s->products);
	d.sum = 0;
	return deviation_of(&d);
}

/* Adds up what the runs have in all, to be shared. */
static struct deviation
sum_of_runs(const struct model *m, const double *base)
{
	struct deviation sum = { 0 };

	for (size_t i = 0; base && i < m->nr_runs; i++)
		deviation_add(&sum, base[i]);
	return sum;
}

size_t
spread_of_times(const struct model *m, const struct spread_of *of, double *spread)
{
	struct shares *shares = xcalloc(of->nr, sizeof(*shares));
	struct gathered g = { .of = of, .shares = shares };
	struct deviation base = sum_of_runs(m, of->base);
	bool same;
	size_t runs = sampled_runs(m, &same);

	if (!same || runs < 2 || m->nr_parts < 2 || !add_runs(m, &g, 1))
		runs = 0;
	for (size_t i = 0; i < of->nr; i++)
		spread[i] = runs ? deviation_of_shares(&shares[i], runs, &base) : 0;
	free(shares);
	return runs;
}

int64_t *
spread_of_procedures(const struct model *m)
{
	struct spread_of of = { .column = PART_SELF_NS, .nr = m->nr_procedures };
	int64_t *rounded = xcalloc(of.nr, sizeof(*rounded));
	double *spread = xcalloc(of.nr, sizeof(*spread));
	size_t runs = spread_of_times(m, &of, spread);

	for (size_t i = 0; i < of.nr; i++)
		rounded[i] = runs ? (int64_t)(spread[i] + 0.5) : -1;
	free(spread);
	return rounded;
}

size_t
spread_of_cpu(const struct model *m, const double *base, double *cpu)
{
	struct deviation sum = sum_of_runs(m, base);
	struct shares shares = { .products = 0 };
	bool same;
	size_t runs = sampled_runs(m, &same);

	for (size_t i = 0; i < m->nr_runs; i++) {
		double ns = (double)m->runs[i].cpu_ns;

		deviation_add(&shares.times, ns);
		shares.products += base ? (long double)ns * base[i] : 0;
	}
	*cpu = same && runs > 1 ? deviation_of_shares(&shares, m->nr_runs, &sum) : 0;
	return same && runs > 1 ? runs : 0;
}

double *
times_of_runs(const struct model *m, const struct spread_of *of, uint32_t group)
{
	double *times = xcalloc(m->nr_runs + 1, sizeof(*times));

	for (size_t i = 0; i < m->nr_parts; i++) {
		const struct model_part *p = &m->parts[i];
		struct part_entries e = { .items = NULL };
		struct error ignored = ERROR_INIT;
		bool good = p->run && !part_unpack(p, m, &e, &ignored);

		for (size_t k = 0; good && k < e.nr; k++) {
			if (e.items[k].column == of->column &&
			    (!group || of->group[e.items[k].id - 1] == group))
				times[p->run - 1] += (double)e.items[k].value;
		}
		part_entries_release(&e);
	}
	return times;
}
