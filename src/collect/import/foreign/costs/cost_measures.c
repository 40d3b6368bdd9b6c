#include "collect/import/foreign/costs/cost_measures.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 3, MOST_FORMULA = 1000, MOST_DEPTH = 8 };

/* What valgrind's tools name so. */
static const struct { const char *name, *title; } titles[] = {
	{ "Ir", "instructions" }, { "Dr", "data reads" }, { "Dw", "data writes" },
	{ "I1mr", "L1 instruction misses" }, { "D1mr", "L1 data read misses" },
	{ "D1mw", "L1 data write misses" }, { "ILmr", "LL instruction misses" },
	{ "DLmr", "LL data read misses" }, { "DLmw", "LL data write misses" },
	{ "Bc", "conditional branches" }, { "Bcm", "mispredicted conditional branches" },
	{ "Bi", "indirect branches" }, { "Bim", "mispredicted indirect branches" },
	{ "Ge", "global bus events" }, { "sysCount", "system calls" },
	{ "sysTime", "time in system calls" }, { "sysCpuTime", "CPU time in system calls" },
};

/* What KCachegrind adds to these; of events that are not there it has none. */
static const struct cost_event usual[] = {
	{ "L1m", "L1 misses", "I1mr + D1mr + D1mw" },
	{ "LLm", "LL misses", "ILmr + DLmr + DLmw" },
	{ "Bm", "mispredicted branches", "Bcm + Bim" },
	{ "CEst", "estimated cycles", "Ir + 10 Bm + 10 L1m + 100 LLm" },
};
enum { NR_USUAL = sizeof(usual) / sizeof(*usual) };

static const char *
title_of(const struct cost_event *e)
{
	for (size_t i = 0; !e->title && i < sizeof(titles) / sizeof(*titles); i++)
		if (!strcmp(titles[i].name, e->name))
			return titles[i].title;
	return e->title ? e->title : e->name;
}

/* ---- units ---- */

/* A name may end with its unit: "cpu(ms)", "Time_(10ns)", "Memory_(bytes)". */
static const char *
unit_of(const char *name, uint64_t *scale)
{
	static const struct { const char *word, *unit; uint64_t scale; } units[] = {
		{ "ns", "ns", 1 }, { "us", "ns", 1000 }, { "ms", "ns", 1000000 },
		{ "s", "ns", 1000000000 }, { "sec", "ns", 1000000000 },
		{ "nanoseconds", "ns", 1 }, { "microseconds", "ns", 1000 },
		{ "milliseconds", "ns", 1000000 }, { "seconds", "ns", 1000000000 },
		{ "bytes", "bytes", 1 }, { "B", "bytes", 1 }, { "kB", "bytes", 1 << 10 },
		{ "KB", "bytes", 1 << 10 }, { "MB", "bytes", 1 << 20 },
	};
	const char *open = strrchr(name, '('), *word;
	uint64_t times = 0;
	size_t n;

	*scale = 1;
	for (word = open ? open + 1 : ""; isdigit((unsigned char)*word) && times < 1000; word++)
		times = times * 10 + (uint64_t)(*word - '0');
	n = strcspn(word, ")");
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		if (strlen(units[i].word) != n || strncmp(units[i].word, word, n) != 0 ||
		    strcmp(word + n, ")") != 0)
			continue;
		*scale = units[i].scale * (times ? times : 1);
		return units[i].unit;
	}
	return "count";
}

/* ---- formulas ---- */

struct names {
	const struct costs *c;
	const struct model *m;
	const struct cost_slots *slots;
	enum measure_inclusive inclusive;
	int depth;
};

static int add_terms(struct names *n, const struct cost_event *e, struct strbuf *out);

static bool
is(const struct cost_event *e, const char *name, size_t length)
{
	return e->formula && !strncmp(e->name, name, length) && !e->name[length];
}

static const struct cost_event *
find_formula(const struct costs *c, const char *name, size_t length)
{
	for (unsigned i = 0; i < c->nr_formulas; i++)
		if (is(&c->formulas[i], name, length))
			return &c->formulas[i];
	for (size_t i = 0; i < NR_USUAL; i++)
		if (is(&usual[i], name, length))
			return &usual[i];
	return NULL;
}

/* Appends what NAME stands for: a measure, or a formula of such. False: nothing that is there. */
static bool
add_name(struct names *n, const char *name, size_t length, struct strbuf *out)
{
	const struct cost_event *formula;
	bool good;

	for (unsigned i = 0; i < n->c->nr_events; i++) {
		const char *known = n->c->events[i].name;

		if (strncmp(known, name, length) != 0 || known[length])
			continue;
		if (n->slots->slot[i] >= 0)
			strbuf_str(out, n->m->measures[n->slots->slot[i]].name);
		return n->slots->slot[i] >= 0;
	}
	formula = find_formula(n->c, name, length);
	if (!formula || n->depth == MOST_DEPTH)
		return false;
	n->depth++;
	strbuf_char(out, '(');
	good = add_terms(n, formula, out) > 0;
	strbuf_char(out, ')');
	n->depth--;
	return good;
}

/* Takes "2 a" off the begin of *P and appends "2 * a", in the names of the measures. */
static bool
add_term(struct names *n, const char **p, struct strbuf *out)
{
	size_t length = strspn(*p, "0123456789.");

	strbuf_add(out, *p, length);
	*p += length;
	*p += strspn(*p, " \t*");
	strbuf_str(out, length ? " * " : "");
	length = strcspn(*p, " \t+-*");
	*p += length;
	return length && out->len <= MOST_FORMULA && add_name(n, *p - length, length, out);
}

/* Appends E's formula. Returns the number of its terms that are there; -1: it is none. */
static int
add_terms(struct names *n, const struct cost_event *e, struct strbuf *out)
{
	bool optional = e >= usual && e < usual + NR_USUAL, good = true;
	const char *p = e->formula + strspn(e->formula, " \t");
	int nr = 0;

	for (bool first = true; *p && good; p += strspn(p, " \t"), first = false) {
		struct strbuf term = STRBUF_INIT;
		char sign = *p == '+' || *p == '-' ? *p++ : '\0';
		bool there;

		p += strspn(p, " \t");
		there = add_term(n, &p, &term);
		good = (first || sign) && (there || optional);
		if (there && (nr || sign == '-'))
			strbuf_fmt(out, nr ? " %c " : "%c", sign);
		if (there)
			strbuf_str(out, term.buf);
		nr += there;
		strbuf_release(&term);
	}
	return good && out->len <= MOST_FORMULA ? nr : -1;
}

/* ---- measures ---- */

static bool
is_in_use(const struct model *m, const char *id)
{
	for (size_t i = 0; i < m->nr_measures; i++)
		if (!strcmp(m->measures[i].name, id))
			return true;
	return !measure_name_is_good(id);
}

/* Adds MEASURE by the name that its label makes. Returns the slot, or -1. */
static int
add(struct model *m, struct model_measure *measure)
{
	char id[MEASURE_NAME_MAX + 1];

	measure_identifier(measure->label, id);
	for (char last = '2'; is_in_use(m, id) && last <= '9'; last++) {
		measure_identifier(measure->label, id);
		id[MEASURE_NAME_MAX - 2] = '\0';
		snprintf(id + strlen(id), 3, "_%c", last);
	}
	measure->name = id;
	return measure_add(m, measure);
}

/* LEAST: so many terms must be there. */
static void
add_formula(struct names *n, struct model *m, const struct cost_event *e, int least)
{
	struct strbuf formula = STRBUF_INIT;
	struct model_measure measure = {
		.title = title_of(e), .label = e->name, .unit = "count", .exact = true,
		.combine = COMBINE_SUM, .inclusive = n->inclusive,
		.detail = least > 1 && strcmp(e->name, "CEst"),
	};
	bool good = add_terms(n, e, &formula) >= least;

	measure.formula = formula.buf;
	if (good && add(m, &measure) < 0)
		good = false;
	if (!good && least == 1)
		model_note(m, "counts", "%s is not there: what it is computed of is not in the "
			   "profile, or there are too many events (%s)", e->name, e->formula);
	strbuf_release(&formula);
}

static bool
has_event(const struct costs *c, const char *name)
{
	unsigned i = 0;

	while (i < c->nr_events && strcmp(c->events[i].name, name))
		i++;
	return i < c->nr_events;
}

/* Does the file have it, or say what it is? */
static bool
is_told(const struct costs *c, const char *name)
{
	const struct cost_event *formula = find_formula(c, name, strlen(name));

	return has_event(c, name) ||
	       (formula && (formula < usual || formula >= usual + NR_USUAL));
}

void
cost_measures_add(const struct costs *c, bool inclusive, struct model *m, struct cost_slots *slots)
{
	struct names n = { .c = c, .m = m, .slots = slots,
			   .inclusive = inclusive ? INCLUSIVE_MEASURED : INCLUSIVE_NONE };

	for (unsigned i = 0; i < c->nr_events; i++) {
		const struct cost_event *e = &c->events[i];
		struct model_measure measure = {
			.title = title_of(e), .label = e->name, .exact = true,
			.unit = unit_of(e->name, &slots->scale[i]), .combine = COMBINE_SUM,
			.inclusive = n.inclusive,
			.detail = i && c->nr_events > MOST_SHOWN,
		};

		slots->slot[i] = add(m, &measure);
	}
	for (unsigned i = 0; i < c->nr_formulas; i++)
		if (c->formulas[i].formula && !has_event(c, c->formulas[i].name))
			add_formula(&n, m, &c->formulas[i], 1);
	for (size_t i = 0; i < NR_USUAL; i++)
		if (!is_told(c, usual[i].name))
			add_formula(&n, m, &usual[i], 2);
}
