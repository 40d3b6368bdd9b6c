#include "db/store/figure.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/mem.h"

struct figure_facts {
	const char *name;        /* NULL: the column of ID */
	unsigned id;             /* of builtin_columns */
	bool total;
	enum column_unit unit;
	/* Set for measures only: */
	const char *word;        /* the unit as the profile has it */
	const char *label;       /* what its tool calls it; NULL: the same */
	enum measure_combine combine;
};

/* Measures keep their first number: profiles come and go, but expressions name figures. */
static struct figure_facts figures[FIGURES_MAX] = {
	[FIGURE_COUNT] = { .id = MEASURE_COUNT, .unit = UNIT_COUNT },
	[FIGURE_CALLS] = { .id = MEASURE_CALLS, .unit = UNIT_COUNT },
	[FIGURE_SELF_NS] = { .id = MEASURE_TIME, .unit = UNIT_NS },
	[FIGURE_SELF_SAMPLES] = { .id = MEASURE_SAMPLES, .unit = UNIT_SAMPLES },
	[FIGURE_TOTAL_NS] = { .id = MEASURE_TIME, .total = true, .unit = UNIT_NS },
	[FIGURE_PROPAGATED_NS] = { .name = "propagated_ns", .unit = UNIT_NS },
	[FIGURE_TOTAL_SAMPLES] = { .id = MEASURE_SAMPLES, .total = true, .unit = UNIT_SAMPLES },
	[FIGURE_SELF_WAIT_NS] = { .id = MEASURE_WAIT, .unit = UNIT_NS },
	[FIGURE_TOTAL_WAIT_NS] = { .id = MEASURE_WAIT, .total = true, .unit = UNIT_NS },
	[FIGURE_CODE_BYTES] = { .id = MEASURE_CODE, .unit = UNIT_COUNT },
	[FIGURE_SELF_SD_NS] = { .name = "self_sd_ns", .unit = UNIT_NS },
	[FIGURE_WORK] = { .name = "work", .unit = UNIT_COUNT },
	[FIGURE_TOTAL_WORK] = { .id = MEASURE_WORK, .total = true, .unit = UNIT_COUNT },
};
static int nr_figures = NR_FIGURES;

const char *
figure_name(enum figure f)
{
	const struct figure_facts *of = &figures[f];

	return of->name ? of->name : of->id ? builtin_columns[of->id][of->total] : NULL;
}

void
figure_put_name(struct strbuf *out, enum figure f)
{
	const char *name = figure_name(f), *label = figures[f].label;
	size_t skip = figures[f].total && label ? strlen("total_") : 0;

	if (label && !strcasecmp(name + skip, label))
		strbuf_fmt(out, "%.*s%s", (int)skip, name, label);
	else if (label && !skip)
		strbuf_fmt(out, "\"%s\"", label);
	else
		strbuf_str(out, name);
}

enum column_unit
figure_unit(enum figure f)
{
	return figures[f].unit;
}

bool
figure_is_time(enum figure f)
{
	return f < NR_FIGURES && (figures[f].unit == UNIT_NS || figures[f].unit == UNIT_SAMPLES);
}

bool
figure_is_sampled(enum figure f)
{
	return figure_is_time(f) && f != FIGURE_SELF_SD_NS;
}

bool
figure_is_total(enum figure f)
{
	return figures[f].total;
}

enum measure_combine
figure_how(enum figure f)
{
	return figures[f].combine;
}

enum figure
figure_find(const char *name, size_t length, uint64_t mask)
{
	static const char self[] = "self_";

	for (int f = 0; f < nr_figures; f++) {
		if (mask & FIGURE_BIT(f) && strlen(figure_name(f)) == length &&
		    !strncasecmp(figure_name(f), name, length))
			return (enum figure)f;
	}
	if (length > strlen(self) && !strncasecmp(name, self, strlen(self))) {
		enum figure f = figure_find(name + strlen(self), length - strlen(self), mask);

		if (f >= FIGURE_WORK && f < FIGURES_MAX && !figures[f].total)
			return f;
	}
	return FIGURES_MAX;
}

enum figure
figure_find_label(const char *label, size_t length, uint64_t mask)
{
	for (int f = NR_FIGURES; f < nr_figures; f++) {
		const char *of = figures[f].label;

		if (of && !figures[f].total && mask & FIGURE_BIT(f) && strlen(of) == length &&
		    !strncmp(of, label, length))
			return (enum figure)f;
	}
	return figure_find(label, length, mask);
}

enum figure
figure_of_measure(const struct model_measure *m, bool total)
{
	char *name = xasprintf("%s%s", total ? "total_" : "", m->name);
	struct figure_facts *new = &figures[nr_figures];
	int f = NR_FIGURES;

	while (f < nr_figures && (figures[f].total != total || figures[f].combine != m->combine ||
				  strcmp(figures[f].name, name) ||
				  strcmp(figures[f].word, m->unit)))
		f++;
	if (f < nr_figures || f == FIGURES_MAX) {
		free(name);
		return (enum figure)f;
	}
	*new = (struct figure_facts){ .name = name, .total = total, .unit = measure_unit(m),
				      .word = xstrdup(m->unit), .combine = m->combine,
				      .label = m->label ? xstrdup(m->label) : NULL };
	return (enum figure)nr_figures++;
}

uint64_t
profile_figures(struct profile *p)
{
	struct measures all = profile_measures(p);
	uint64_t mask = 0;

	for (size_t i = 2 * NR_BUILTIN_MEASURES; i < 2 * all.nr; i++) {
		const struct model_measure *m = &all.items[i / 2];
		bool total = i % 2;
		enum figure f;

		if (m->formula || (total && m->inclusive == INCLUSIVE_NONE))
			continue;
		f = figure_of_measure(m, total);
		mask |= f < FIGURES_MAX ? FIGURE_BIT(f) : 0;
	}
	return mask;
}
