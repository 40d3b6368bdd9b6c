/* The ledger of two profiles against the same worked out with dense matrices; its sums; the ledger
 * of B and A; cycles, also such that no system can be solved for. Profiles are random ones:
 * procedures with own code, calls among all of them, backwards, too. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/ledger/carry.h"
#include "compare/ledger/ledger.h"
#include "compare/make.h"
#include "db/model/model.h"
#include "db/store/profile.h"
#include "tui/check.h"
#include "util/mem.h"

enum { MOST = 40, PAIRS = 12, SECOND = 1000000000 };

static uint64_t seed = 1;

static uint64_t
random_below(uint64_t n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return (seed >> 33) % n;
}

/* ---- made-up programs ---- */

struct program {
	size_t nr;
	double calls[MOST], work[MOST], ns[MOST]; /* [0]: outside */
	double arcs[MOST][MOST];
	bool cyclic;
};

/* Each procedure is called from outside, too, and each call of it makes so many of others that all
 * of them end. */
static void
make_program(struct program *p, size_t nr, bool cyclic)
{
	*p = (struct program){ .nr = nr, .cyclic = cyclic };
	for (size_t i = 1; i < nr; i++) {
		p->calls[i] = (double)(1 + random_below(5000));
		p->work[i] = p->calls[i] * (double)(1 + random_below(9));
		p->ns[i] = (double)random_below(SECOND / 20);
	}
	for (size_t i = 1; i < nr; i++)
		for (size_t k = 0; k < 3; k++) {
			size_t to = 1 + random_below(nr - 1);

			if (cyclic || to > i)
				p->arcs[i][to] += floor(p->calls[to] / 8 *
							(double)random_below(3));
		}
	for (size_t i = 1; i < nr; i++) {
		double in = 0;

		for (size_t k = 1; k < nr; k++)
			in += p->arcs[k][i];
		p->calls[i] = fmax(p->calls[i], in);
	}
}

/* Some procedures do something else a call, some are called otherwise. */
static void
change_program(struct program *p)
{
	for (size_t n = 0; n < p->nr / 2; n++) {
		size_t i = 1 + random_below(p->nr - 1), to = 1 + random_below(p->nr - 1);
		double more = (double)(1 + random_below(4000));

		switch (random_below(4)) {
		case 0:
			p->work[i] += more;
			p->ns[i] += more * 1000;
			break;
		case 1:
			if (!p->cyclic && to <= i)
				break;
			p->arcs[i][to] += more;
			p->calls[to] += more;
			p->work[to] += 3 * more;
			break;
		case 2:
			p->calls[i] += more;
			p->work[i] += 2 * more;
			for (to = i + 1; to < p->nr; to++)
				if (p->arcs[i][to] > 0) {
					p->arcs[i][to] += more;
					p->calls[to] += more;
				}
			break;
		default:
			p->ns[i] *= 1.2;
		}
	}
}

static struct profile *
open_program(const struct program *p, const char *name)
{
	struct model m;
	struct error err = ERROR_INIT;
	struct made_of of = { .path = name, .name = name, .only = "made up" };
	struct profile *opened;
	struct model_run *run;

	model_init(&m);
	MODEL_ADD(&m, files)->path = "/tmp/made-up.c";
	m.files[0].state = FILE_MISSING;
	for (uint32_t i = 1; i < p->nr; i++) {
		struct model_procedure *q = MODEL_ADD(&m, procedures);
		struct model_block *b = MODEL_ADD(&m, blocks);
		char text[20];

		snprintf(text, sizeof(text), "p%u", i);
		q->name = q->linkage_name = arena_strdup(&m.arena, text);
		q->module = "made-up";
		q->place = (struct place){ 1, 100 * i, 1, 100 * i + 99, 1 };
		q->calls = (uint64_t)p->calls[i];
		q->self_work = (uint64_t)p->work[i];
		q->self_ns = q->own_ns = (uint64_t)p->ns[i];
		q->self_samples = q->own_samples = q->self_ns / 1000000;
		*b = (struct model_block){ .procedure = i, .count = q->self_work };
		b->place = (struct place){ 1, 100 * i, 1, 100 * i, 2 };
	}
	for (uint32_t i = 1; i < p->nr; i++)
		for (uint32_t k = 1; k < p->nr; k++) {
			struct model_site *s;
			uint64_t count = (uint64_t)p->arcs[i][k];

			if (!count)
				continue;
			s = MODEL_ADD(&m, sites);
			s->procedure = s->block = i;
			s->place = (struct place){ 1, 100 * i + k, 1, 100 * i + k, 2 };
			s->target = m.procedures[k - 1].linkage_name;
			s->count = count;
			*MODEL_ADD(&m, arcs) = (struct model_arc){
				.site = (model_id)m.nr_sites, .callee = k, .how = ARC_SOLVED,
				.count = count, .lo = count, .hi = count,
			};
		}
	run = MODEL_ADD(&m, runs);
	run->command = name;
	run->directory = run->program = run->build_id = run->host = "";
	run->asked_interval_ns = run->interval_ns = run->sample_ns = 1000000;
	for (size_t i = 0; i < m.nr_procedures; i++) {
		run->cpu_ns += m.procedures[i].self_ns + 1000;
		run->samples += m.procedures[i].self_samples;
	}
	opened = profile_open_model(&m, &of, NULL, &err);
	if (!opened) {
		printf("not ok - %s: %s\n", name, err.text);
		exit(1);
	}
	model_release(&m);
	return opened;
}

/* ---- the same with dense matrices ---- */

/* Calls that are passed on, of the definition; every text is as it was. */
static double
passed(double a, double b, double calls_a, double calls_b, bool inner)
{
	double more = calls_b - calls_a, change = b - a;
	bool of_b = !(calls_a > 0) || (calls_b > 0 && calls_b < calls_a);
	double each = of_b ? b / calls_b : a / calls_a, expected = each * more;

	if (more == 0 || expected * change <= 0)
		return 0;
	if (!inner && fabs(more) >= 0.1 * (of_b ? calls_b : calls_a))
		return change;
	return (change > 0 ? 1 : -1) * fmin(fabs(expected), fabs(change));
}

/* Solves A x = b in place by elimination. */
static void
eliminate(size_t n, long double a[MOST][MOST], long double *b)
{
	for (size_t k = 1; k < n; k++) {
		size_t best = k;

		for (size_t i = k + 1; i < n; i++)
			if (fabsl(a[i][k]) > fabsl(a[best][k]))
				best = i;
		for (size_t j = 1; j < n; j++) {
			long double t = a[k][j];

			a[k][j] = a[best][j];
			a[best][j] = t;
		}
		long double t = b[k];

		b[k] = b[best];
		b[best] = t;
		for (size_t i = 1; i < n; i++) {
			long double f = i == k ? 0 : a[i][k] / a[k][k];

			for (size_t j = k; f != 0 && j < n; j++)
				a[i][j] -= f * a[k][j];
			b[i] -= f * b[k];
		}
	}
	for (size_t k = 1; k < n; k++)
		b[k] /= a[k][k];
}

/* Which procedures reach each other, by Warshall's algorithm. */
static void
find_cycles(const struct program *a, const struct program *b, bool reach[MOST][MOST])
{
	memset(reach, 0, MOST * sizeof(*reach));
	for (size_t i = 1; i < a->nr; i++)
		for (size_t k = 1; k < a->nr; k++)
			reach[i][k] = a->arcs[i][k] > 0 || b->arcs[i][k] > 0;
	for (size_t via = 1; via < a->nr; via++)
		for (size_t i = 1; i < a->nr; i++)
			for (size_t k = 1; k < a->nr; k++)
				reach[i][k] |= reach[i][via] && reach[via][k];
}

static double
price_of(const struct program *a, const struct program *b, size_t i)
{
	return b->work[i] > a->work[i] ? b->ns[i] / b->work[i]
	       : a->work[i] > 0 ? a->ns[i] / a->work[i] : 0;
}

/* PRICE: of one more call of each with all that it calls. */
static void
dense_prices(const struct program *a, const struct program *b, bool reach[MOST][MOST],
	     double *price)
{
	static long double m[MOST][MOST], x[MOST];

	for (size_t i = 1; i < a->nr; i++) {
		double more = b->calls[i] - a->calls[i];
		double own = passed(a->work[i], b->work[i], a->calls[i], b->calls[i], false);

		x[i] = more != 0 ? own * price_of(a, b, i) / more : 0;
		for (size_t k = 1; k < a->nr; k++) {
			bool inner = reach[i][k] && reach[k][i];
			double arc = passed(a->arcs[i][k], b->arcs[i][k], a->calls[i], b->calls[i],
					    inner);

			m[i][k] = (i == k) - (more != 0 ? arc / more : 0);
		}
	}
	eliminate(a->nr, m, x);
	for (size_t i = 1; i < a->nr; i++)
		price[i] = (double)x[i];
}

/* The work of each row: by procedure, 0 is outside; of cycles by MOST + the least procedure. */
static void
dense_work(const struct program *a, const struct program *b, double *work)
{
	static bool reach[MOST][MOST];
	double price[MOST] = { 0 };

	find_cycles(a, b, reach);
	dense_prices(a, b, reach, price);
	for (size_t i = 0; i < 2 * MOST; i++)
		work[i] = 0;
	for (size_t i = 1; i < a->nr; i++) {
		double outside = b->calls[i] - a->calls[i];
		size_t least = i;

		for (size_t k = a->nr; k-- > 1;)
			least = reach[i][k] && reach[k][i] ? k : least;
		work[i] += (b->work[i] - a->work[i] -
			    passed(a->work[i], b->work[i], a->calls[i], b->calls[i], false)) *
			   price_of(a, b, i);
		for (size_t k = 1; k < a->nr; k++) {
			bool inner = reach[i][k] && reach[k][i];
			double change = b->arcs[i][k] - a->arcs[i][k];
			double origin = change - passed(a->arcs[i][k], b->arcs[i][k], a->calls[i],
							b->calls[i], inner);
			bool alone = true;

			for (size_t j = 1; j < a->nr; j++)
				alone &= j == i || !(reach[i][j] && reach[j][i]);
			work[inner && !alone ? MOST + least : i] += origin * price[k];
		}
		for (size_t k = 1; k < a->nr; k++)
			outside -= b->arcs[k][i] - a->arcs[k][i];
		work[0] += outside * price[i];
	}
}

/* ---- ledgers ---- */

static struct ledger *
open_ledger(struct profile *a, struct profile *b)
{
	struct error err = ERROR_INIT;
	struct ledger *l = ledger_begin(a, b, LEDGER_CPU, NULL, NULL, &err);

	if (!l || ledger_work(l, NULL, NULL, &err) < 0) {
		printf("not ok - a ledger: %s\n", err.text);
		exit(1);
	}
	return l;
}

static bool
is_near(double x, double y, const char *what)
{
	if (fabs(x - y) <= 1000) /* 1 us */
		return true;
	printf("# %s: %.3f, not %.3f\n", what, x, y);
	return false;
}

static int
check_sums(const struct ledger *l, double want)
{
	const struct ledger_head *h = ledger_head(l);
	double rows = 0, raw = 0;
	bool good = true;

	for (size_t i = 0; i < h->nr_rows; i++) {
		const struct ledger_row *r = ledger_row(l, i);
		double items = 0;

		rows += r->value.amount;
		raw += r->value.raw;
		for (size_t k = 0; k < r->nr_items; k++)
			items += r->items[k].amount;
		if (r->nr_items)
			good &= is_near(items, r->value.amount, r->name);
	}
	good &= is_near(rows, h->total.amount, "rows");
	good &= is_near(raw, h->raw.raw, "rows as measured");
	return good & is_near(raw, want, "the runs' CPU time");
}

static int
check_mirror(const struct ledger *l, const struct ledger *m)
{
	const struct ledger_head *h = ledger_head(l), *g = ledger_head(m);
	bool good = h->nr_rows == g->nr_rows && h->total.amount == -g->total.amount &&
		    h->raw.amount == -g->raw.amount && h->nr_claimed == g->nr_claimed;

	for (size_t i = 0; i < h->nr_rows && good; i++) {
		const struct ledger_row *r = ledger_row(l, i), *s = ledger_row(m, i);

		good = r->value.amount == -s->value.amount && r->claimed == s->claimed &&
		       !strcmp(r->name, s->name) && r->nr_items == s->nr_items &&
		       r->procedure[0] == s->procedure[1] && r->value.error == s->value.error;
		for (size_t k = 0; k < r->nr_items && good; k++)
			good = r->items[k].amount == -s->items[k].amount;
	}
	return good;
}

static int
check_work(const struct ledger *l, const struct program *a, const struct program *b)
{
	double work[2 * MOST], got[2 * MOST] = { 0 };
	bool good = true;

	dense_work(a, b, work);
	for (size_t i = 0; i < ledger_head(l)->nr_rows; i++) {
		const struct ledger_row *r = ledger_row(l, i);
		bool cycle = r->cycle_of[0] || r->cycle_of[1];
		size_t at = r->procedure[0];

		if (r->kind > LEDGER_GONE)
			continue;
		/* A cycle is named by another one of its members. */
		if (cycle) {
			static bool reach[MOST][MOST];
			model_id of = r->cycle_of[0];

			find_cycles(a, b, reach);
			for (at = 1; !(at == of || (reach[at][of] && reach[of][at])); at++)
				;
			at += MOST;
		}
		got[at] += r->value.raw;
	}
	for (size_t i = 0; i < 2 * MOST; i++)
		good &= is_near(got[i], work[i], "work");
	return good;
}

static void
check_pair(size_t n)
{
	static struct program a, b;
	struct profile *p, *q;
	struct ledger *l, *m;
	double want = 0;
	char name[80];

	make_program(&a, 4 + random_below(MOST - 4), n % 3 != 0);
	b = a;
	change_program(&b);
	for (size_t i = 1; i < a.nr; i++) {
		a.ns[i] = floor(a.ns[i]);
		b.ns[i] = floor(b.ns[i]);
		want += b.ns[i] - a.ns[i];
	}
	p = open_program(&a, "a");
	q = open_program(&b, "b");
	l = open_ledger(p, q);
	m = open_ledger(q, p);
	snprintf(name, sizeof(name), "pair %zu, %zu procedures: terms and rows add up", n,
		 a.nr - 1);
	verdict(check_sums(l, want) && check_sums(m, -want), name);
	verdict(check_mirror(l, m), "... the other way round it is the same with the other sign");
	verdict(check_work(l, &a, &b), "... and work is that of dense matrices");
	ledger_close(l);
	ledger_close(m);
	profile_close(p);
	profile_close(q);
}

/* ---- cycles by hand ---- */

/* Calls itself CALLS - 1 times, and once from outside. */
static void
check_deeper(double calls_a, double calls_b, const char *name)
{
	static struct program a, b;
	struct profile *p, *q;
	struct ledger *l;
	const struct ledger_row *r;

	a = (struct program){ .nr = 2 };
	a.calls[1] = calls_a;
	a.work[1] = 4 * calls_a;
	a.arcs[1][1] = calls_a - 1;
	a.ns[1] = calls_a * 10;
	b = a;
	b.calls[1] = calls_b;
	b.work[1] = 4 * calls_b;
	b.arcs[1][1] = calls_b - 1;
	b.ns[1] = calls_b * 10;
	p = open_program(&a, "a");
	q = open_program(&b, "b");
	l = open_ledger(p, q);
	r = ledger_row(l, 0);
	verdict(r->kind == LEDGER_MORE_WORK && !strcmp(r->name, "p1") && r->nr_items &&
		r->items[0].kind == LEDGER_DEEPER &&
		is_near(r->value.amount, 10 * (calls_b - calls_a), "deeper") &&
		check_sums(l, 10 * (calls_b - calls_a)), name);
	ledger_close(l);
	profile_close(p);
	profile_close(q);
}

/* ---- the machine's speed, by hand ---- */

static const char *
note_of(const struct ledger *l, const char *text)
{
	const struct ledger_head *h = ledger_head(l);

	for (size_t i = 0; i < h->nr_notes; i++)
		if (strstr(h->notes[i], text))
			return h->notes[i];
	return NULL;
}

/* Four procedures of 40, 30, 20 and 10 ms on a machine that is slower by a quarter in B, where the
 * first SLOW do twice the work, in twice the time if it is one. */
static void
check_speed(size_t slow)
{
	static struct program a, b;
	struct profile *p, *q;
	struct ledger *l, *m;
	const struct ledger_head *h;

	a = (struct program){ .nr = 5 };
	for (size_t i = 1; i < a.nr; i++) {
		a.calls[i] = 10;
		a.work[i] = 100;
		a.ns[i] = (double)(5 - i) * SECOND / 100;
	}
	b = a;
	for (size_t i = 1; i < b.nr; i++) {
		b.ns[i] *= i == 1 ? 2.5 : 1.25;
		b.work[i] *= i <= slow ? 2 : 1;
	}
	p = open_program(&a, "a");
	q = open_program(&b, "b");
	l = open_ledger(p, q);
	m = open_ledger(q, p);
	h = ledger_head(l);
	if (slow == 1) {
		/* 60 ms of a and 75 of b are in the others: both become 67.5, so the first takes
		 * 40 * 1.125 = 45, and then 100 * 0.9 = 90 for twice the work. */
		verdict(h->controlled && fabs(h->share - 135 / 275.) < 1e-9 &&
			fabs(h->factor - 1.25) < 1e-9 && !note_of(l, "speed"),
			"the speed is that of code that did the same");
		verdict(is_near(h->total.amount, 45e6 - 900, "at equal speed") &&
			is_near(h->raw.raw, 75e6, "as measured"),
			"... and is taken out of the difference");
		verdict(ledger_row(l, 0)->kind == LEDGER_MORE_WORK &&
			!strcmp(ledger_row(l, 0)->name, "p1") &&
			is_near(ledger_row(l, 0)->value.amount, 45e6, "p1"),
			"... and of each row");
		verdict(fabs(ledger_head(m)->factor - 0.8) < 1e-9, "... the other way round, too");
	} else {
		/* 10 ms of 100 and 12.5 of 175. */
		const char *note = note_of(l, "the machine's speed is not taken out");

		verdict(!h->controlled && note && strstr(note, ": 8 % of the time") &&
			is_near(h->total.amount, 75e6, "as measured"),
			"of too little code it is not taken out, and that is told");
	}
	ledger_close(l);
	ledger_close(m);
	profile_close(p);
	profile_close(q);
}

/* ---- large programs, whose calls through pointers are estimates ---- */

static bool
now_and_then(void *left)
{
	return !--*(unsigned *)left;
}

static void
check_made(void)
{
	struct profile *a = make("a.db", "--procedures 300 --ranges 9000 --lines 8000");
	struct profile *b = make("b.db", "--procedures 310 --ranges 9100 --lines 8050");
	struct ledger *l = open_ledger(a, b), *m = open_ledger(b, a);
	struct error err = ERROR_INIT;
	struct ledger *slices;
	unsigned left = 1, nr = 0;

	verdict(check_sums(l, (double)profile_totals(b)->run.cpu_ns -
			   (double)profile_totals(a)->run.cpu_ns), "a large one adds up");
	verdict(check_mirror(l, m), "... and the other way round");
	slices = ledger_begin(a, b, LEDGER_CPU, NULL, NULL, &err);
	while (!ledger_work(slices, now_and_then, &left, &err)) {
		left = 2;
		nr++;
	}
	m = (ledger_close(m), slices);
	verdict(nr > 3 && ledger_head(m)->nr_rows == ledger_head(l)->nr_rows &&
		ledger_head(m)->total.amount == ledger_head(l)->total.amount &&
		ledger_row(m, 0)->value.amount == ledger_row(l, 0)->value.amount,
		"... in slices as at once");
	ledger_close(m);
	for (unsigned n = 1; n < nr; n += 1 + nr / 10) {
		slices = ledger_begin(a, b, LEDGER_CPU, NULL, NULL, &err);
		for (unsigned i = 0; i < n; i++) {
			left = 2;
			ledger_work(slices, now_and_then, &left, &err);
		}
		ledger_close(slices);
	}
	verdict(!err.set, "... and it can be dropped");
	ledger_close(l);
	profile_close(a);
	profile_close(b);
}

int
main(void)
{
	check_made();
	for (size_t n = 0; n < PAIRS; n++)
		check_pair(n);
	check_deeper(2692537, 4356617, "fib 30 to 31 recurses deeper");
	check_deeper(2e10, 3e10, "... where rounding leaves no system to be solved, too");
	check_speed(1);
	check_speed(3);
	return failures != 0;
}
