/* cgview pin: set counts of arcs that the counts of the program leave open. */
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "print/report.h"
#include "show/human.h"
#include "solve/dial.h"
#include "util/error.h"
#include "util/options.h"
#include "util/order.h"
#include "util/text/safe.h"

struct options {
	const char *name;
	bool remove;
};

#define AT(member) .offset = offsetof(struct options, member)
static const struct option_row option_rows[] = {
	{ "name", 0, "NAME", "of the pins that belong together (default: \"pin\")",
	  OPTION_TEXT, AT(name) },
	{ "remove", 0, NULL, "release the pins of that name; all of them, without --name",
	  OPTION_FLAG, AT(remove) },
	{ .name = NULL },
};

static const struct option_table command = {
	.command = "pin", .usage = "pin", .width = 16, .rows = option_rows,
	.in_order = true, /* an arc may begin with "->" */
	.head = "usage: cgview pin [--name NAME] DB [CALLER[:LINE]]->CALLEE=COUNT...\n"
		"       cgview pin [--name NAME] --remove DB\n"
		"       cgview pin [DB]\n"
		"Set how often a call through a pointer reached a procedure, where the counts\n"
		"leave that open; what hangs together with it is estimated anew, and kept in the\n"
		"profile.\n"
		"Without an arc: list the pins.\n"
		"\n"
		"  CALLER:LINE   the call; all calls of CALLER, or all there are, when left out.\n"
		"                A COUNT other than 0 needs one arc\n",
	.tail = "\n"
		"Example: cgview pin --name 'no errors' prof.db '->complain=0'\n",
};

/* An arc as the user names it. */
struct wanted {
	char *caller;   /* "": any */
	uint32_t line;  /* 0: any */
	char *callee;
	uint64_t count;
};

static bool
read_number(const char *text, uint64_t most, uint64_t *number)
{
	char *end;

	errno = 0;
	*number = strtoull(text, &end, 10);
	return *text >= '0' && *text <= '9' && !*end && !errno && *number <= most;
}

/* Operators of C++ have "->", "=" and ":" in their names: the last "=" counts, the first "->" that
 * leaves something, and a ":" before digits at the end. */
static void
read_wanted(struct wanted *w, const char *text)
{
	char *copy = xstrdup(text), *arrow = strstr(copy, "->"), *equals = strrchr(copy, '=');
	char *colon;
	uint64_t line;

	if (!strncmp(text, "--", 2))
		die(2, "%s stands behind the profile; options of pin come before it", text);
	if (!arrow || !equals || equals < arrow + 3 ||
	    !read_number(equals + 1, UINT64_MAX, &w->count))
		die(2, "'%s' is no arc with a count: [CALLER[:LINE]]->CALLEE=COUNT", text);
	*arrow = *equals = '\0';
	colon = strrchr(copy, ':');
	w->line = 0;
	if (colon && read_number(colon + 1, UINT32_MAX, &line)) {
		w->line = (uint32_t)line;
		*colon = '\0';
	}
	w->caller = copy;
	w->callee = arrow + 2;
}

static const char *
caller_of(const struct model *m, const struct model_arc *a)
{
	return a->site ? m->procedures[m->sites[a->site - 1].procedure - 1].name : "outside";
}

static const char *
callee_of(const struct model *m, const struct model_arc *a)
{
	return a->callee ? m->procedures[a->callee - 1].name : "outside";
}

static bool
is_wanted(const struct model *m, const struct model_arc *a, const struct wanted *w)
{
	uint32_t line = a->site ? m->sites[a->site - 1].place.line : 0;

	return (!*w->caller || !strcmp(caller_of(m, a), w->caller)) &&
	       (!w->line || line == w->line) && !strcmp(callee_of(m, a), w->callee);
}

static void
add_arc(struct strbuf *out, const struct model *m, const struct model_arc *a)
{
	safe_str(out, caller_of(m, a));
	if (a->site)
		strbuf_fmt(out, ":%u", m->sites[a->site - 1].place.line);
	strbuf_str(out, "->");
	safe_str(out, callee_of(m, a));
}

static void
fail_closed(const struct model *m, const struct model_arc *a, const struct wanted *w, uint64_t lo,
	    uint64_t hi)
{
	struct strbuf text = STRBUF_INIT;

	add_arc(&text, m, a);
	die(1, "%s cannot be %" PRIu64 ": the counts and the other pins leave %" PRIu64
	    " to %" PRIu64, text.buf, w->count, lo, hi);
}

static void
turn(struct dial *d, const char *name, model_id id, const struct wanted *w)
{
	const struct model *m = dial_model(d);
	struct error err = ERROR_INIT;
	uint64_t lo, hi;
	int status = dial_turn(d, name, id, w->count, &err);

	if (status < 0 || (status && dial_interval(d, id, &lo, &hi, &err)))
		die(1, "%s", err.text);
	if (status)
		fail_closed(m, &m->arcs[id - 1], w, lo, hi);
}

/* The arcs that W means and that are open; settled ones with just that count are no mistake. */
static void
turn_wanted(struct dial *d, const char *name, const struct wanted *w, const char *text)
{
	const struct model *m = dial_model(d);
	model_id *ids = NULL;
	size_t nr = 0, alloc = 0, nr_settled = 0;

	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];

		if (!is_wanted(m, a, w))
			continue;
		if (a->lo == a->hi && a->hi != w->count)
			fail_closed(m, a, w, a->lo, a->hi);
		nr_settled += a->lo == a->hi;
		if (a->lo == a->hi)
			continue;
		GROW(ids, nr + 1, alloc);
		ids[nr++] = (model_id)(i + 1);
	}
	if (!nr && !nr_settled)
		die(1, "there is no arc '%s'; cgview report --by arc lists them", text);
	if (nr > 1 && w->count)
		die(1, "'%s' means %zu arcs: name the line of the call", text, nr);
	for (size_t i = 0; i < nr; i++)
		turn(d, name, ids[i], w);
	free(ids);
}

/* ---- what is printed ---- */

static void
list_pins(const struct dial *d)
{
	const struct model *m = dial_model(d);
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < m->nr_pins; i++) {
		const struct model_pin *p = &m->pins[i];
		const struct model_arc arc = { .site = p->site, .callee = p->callee };

		strbuf_clear(&out);
		safe_str(&out, p->name);
		strbuf_str(&out, ": ");
		add_arc(&out, m, &arc);
		strbuf_fmt(&out, "=%" PRIu64, p->count);
		puts(out.buf);
	}
	if (!m->nr_pins)
		puts("nothing is pinned");
	strbuf_release(&out);
}

struct moved { model_id procedure; uint64_t before, by; };

static int
compare_moved(const void *a, const void *b)
{
	const struct moved *x = a, *y = b;

	COMPARE(y->by, x->by);
	return x->procedure < y->procedure ? -1 : 1;
}

/* The total times that have moved the most. */
static void
print_moved(const struct model *m, const uint64_t *before)
{
	enum { SHOWN = 10 };
	struct moved *moved = xcalloc(m->nr_procedures, sizeof(*moved));
	struct strbuf out = STRBUF_INIT;

	for (size_t i = 0; i < m->nr_procedures; i++) {
		uint64_t now = m->procedures[i].propagated_ns;

		moved[i] = (struct moved){ (model_id)(i + 1), before[i],
					   now > before[i] ? now - before[i] : before[i] - now };
	}
	qsort(moved, m->nr_procedures, sizeof(*moved), compare_moved);
	for (size_t i = 0; i < m->nr_procedures && i < SHOWN && moved[i].by; i++) {
		strbuf_clear(&out);
		strbuf_str(&out, "total of ");
		safe_str(&out, m->procedures[moved[i].procedure - 1].name);
		strbuf_str(&out, ": ");
		human_ns(&out, moved[i].before, report_ascii());
		strbuf_str(&out, " -> ");
		human_ns(&out, m->procedures[moved[i].procedure - 1].propagated_ns, report_ascii());
		puts(out.buf);
	}
	strbuf_release(&out);
	free(moved);
}

static uint64_t *
totals_of(const struct model *m)
{
	uint64_t *totals = xcalloc(m->nr_procedures, sizeof(*totals));

	for (size_t i = 0; i < m->nr_procedures; i++)
		totals[i] = m->procedures[i].propagated_ns;
	return totals;
}

/* ---- the command ---- */

static void
save(struct dial *d)
{
	struct error err = ERROR_INIT;

	if (dial_changed(d) && dial_save(d, &err))
		die(1, "%s", err.text);
}

static void
remove_pins(struct dial *d, const char *name)
{
	struct error err = ERROR_INIT;
	int nr = dial_let_go_all(d, name, &err);

	if (nr < 0)
		die(1, "%s", err.text);
	if (!nr && name)
		die(1, "nothing is pinned as '%s'; cgview pin DB lists the pins", name);
}

static void
work(struct dial *d, const struct options *o, char **arcs)
{
	uint64_t *before = totals_of(dial_model(d));
	struct wanted w;

	if (o->remove)
		remove_pins(d, o->name);
	for (; *arcs; arcs++) {
		read_wanted(&w, *arcs);
		turn_wanted(d, o->name ? o->name : "pin", &w, *arcs);
		free(w.caller);
	}
	save(d);
	print_moved(dial_model(d), before);
	free(before);
}

int
cmd_pin(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct options o = { .name = NULL };
	int first = options_parse(&command, &o, argc, argv);
	struct dial *d;

	if (!first)
		return output_finish("pin");
	if (first == argc && !profile_by_default("pin"))
		profile_none("pin", "pin");
	if (o.remove && first + 1 < argc)
		die(2, "--remove takes no arcs: the names of pins, with --name");
	d = dial_open(first == argc ? DEFAULT_PROFILE : argv[first], &err);
	if (!d)
		die(1, "%s", err.text);
	if (!o.remove && first + 1 >= argc)
		list_pins(d);
	else
		work(d, &o, argv + first + 1);
	dial_close(d);
	return 0;
}
