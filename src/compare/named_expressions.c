/* Expressions that have a name. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "compare/expression.h"
#include "util/mem.h"

#define N(n, e, h, ...) { .name = n, .expression = e, .help = h, __VA_ARGS__ }
static const struct named_expression ready_made[] = {
	N("count", "b.count - a.count", "how much oftener b did it"),
	N("time", "b.self_ns - a.self_ns", "how much more own time b spent in it"),
	N("total", "b.total_ns - a.total_ns", "the same with all that it called"),
	N("ratio", "ratio(b.count, a.count)", "how many times as often"),
	N("time-ratio", "ratio(b.self_ns, a.self_ns)", "how many times the own time"),
	N("growth", "growth(a.count, b.count)",
	  "the exponent: 1 grows as the input does, 2 as its square",
	  .of_procedures = "growth(a.work, b.work)"),
	N("time-growth", "growth(a.self_ns, b.self_ns)", "the exponent of the own time"),
	N("excess", "b.count - a.count * ratio(b.run.size, a.run.size)",
	  "what b did beyond what the larger input explains",
	  .of_procedures = "b.work - a.work * ratio(b.run.size, a.run.size)"),
	N("count-share", "share(b.count, b.run.count) - share(a.count, a.run.count)",
	  "the difference of the shares in all counts, in percentage points"),
	N("share", "share(b.self_ns, b.run.self_ns) - share(a.self_ns, a.run.self_ns)",
	  "the difference of the shares in the time, in percentage points"),
	N("ns-each", "b.self_ns / a.count",
	  "own time in b for each execution in a: samples of a plain program on counts"),
	N("significance", "significance(a.self_ns, b.self_ns)",
	  "the difference of the own times in standard errors"),
};
enum { NR_READY_MADE = sizeof(ready_made) / sizeof(ready_made[0]), MAX_NAME = 40 };

static struct named_expression *added;
static size_t nr_added, added_alloc;

static struct named_expression *
find_added(const char *name)
{
	for (size_t i = 0; i < nr_added; i++) {
		if (!strcmp(added[i].name, name))
			return &added[i];
	}
	return NULL;
}

const struct named_expression *
expression_named(size_t i)
{
	if (i < NR_READY_MADE) {
		const struct named_expression *instead = find_added(ready_made[i].name);

		return instead ? instead : &ready_made[i];
	}
	/* Behind them come the added ones that do not stand for a ready-made one. */
	i -= NR_READY_MADE;
	for (size_t k = 0; k < nr_added; k++) {
		bool replaces = false;

		for (size_t r = 0; r < NR_READY_MADE; r++)
			replaces |= !strcmp(ready_made[r].name, added[k].name);
		if (!replaces && i-- == 0)
			return &added[k];
	}
	return NULL;
}

const struct named_expression *
expression_find(const char *name)
{
	const struct named_expression *n;

	for (size_t i = 0; (n = expression_named(i)); i++) {
		if (!strcmp(n->name, name))
			return n;
	}
	return NULL;
}

const char *
expression_meant(const char *text, bool procedures)
{
	const struct named_expression *n = expression_find(text);

	if (!n)
		return text;
	return procedures && n->of_procedures ? n->of_procedures : n->expression;
}

static bool
is_fit(const char *name)
{
	size_t n = 0;

	for (; name[n]; n++) {
		if (!isalnum((unsigned char)name[n]) && !strchr("-_", name[n]))
			return false;
	}
	return n && n <= MAX_NAME && isalpha((unsigned char)name[0]);
}

int
expression_add(const char *name, const char *expression, const char *help, struct error *err)
{
	struct named_expression *n = find_added(name);

	if (!is_fit(name))
		return error_set(err, "'%.60s' is no name for an expression: letters, digits, '-' "
				      "and '_', a letter first, at most %d", name, MAX_NAME);
	if (strlen(expression) > MAX_EXPRESSION)
		return error_set(err, "the expression %s is longer than %d bytes", name,
				 MAX_EXPRESSION);
	if (!n) {
		GROW(added, nr_added + 1, added_alloc);
		n = &added[nr_added++];
		*n = (struct named_expression){ .name = xstrdup(name) };
	} else {
		free((char *)n->expression);
		free((char *)n->help);
	}
	n->expression = xstrdup(expression);
	n->help = xstrdup(help ? help : "");
	return 0;
}
