#include "tui/arc_dial.h"

#include <errno.h>
#include <string.h>

#include "db/store/changed.h"
#include "show/human.h"
#include "show/value.h"
#include "tui/views.h"
#include "util/text/safe.h"

/* The name of pins that are not saved; the user cannot type it. */
static const char no_name[] = "";

static const struct {
	const char *name, *does;
	enum flow_estimator estimator;
} rules[] = {
	{ "likely", "by equal counts, samples, and evenly, as in the profile", FLOW_LIKELY },
	{ "spread", "in proportion to the counts", FLOW_ENTROPY },
	{ "even", "shared out evenly", FLOW_EVEN },
};
enum { NR_RULES = sizeof(rules) / sizeof(rules[0]) };

bool
arc_dial_is_shown(const struct browser *b)
{
	const struct arc_dial *t = &b->arc_dial;

	/* Comparisons are of stored figures. */
	return t->dial && (t->rule || dial_changed(t->dial)) && !compare_is_on(b);
}

/* Rows have other figures, and another order: a listing that was not read whole must begin anew. */
static void
ask_again(struct view *v)
{
	struct table *t = view_table(v);

	if (!t || !(t->listing || t->next))
		return;
	if (table_busy(t) || table_grows(t))
		table_reopen(v, t);
	else if (list_may_change(t->kind->list))
		table_open(v, t);
}

void
arc_dial_show(struct browser *b)
{
	profile_change(b->profile, arc_dial_is_shown(b) ? dial_model(b->arc_dial.dial) : NULL);
	tree_arcs_changed(b);
	for (int i = 0; i < b->depth; i++)
		ask_again(b->stack[i]);
	for (int i = 0; i < PANE_NR; i++)
		ask_again(b->panes[i]);
	arcs_sum_up(b->panes[PANE_CALLERS]);
	arcs_sum_up(b->panes[PANE_CALLEES]);
}

void
arc_dial_release(struct browser *b)
{
	struct arc_dial *t = &b->arc_dial;

	if (!t->dial)
		return;
	dial_close(t->dial);
	t->dial = NULL;
	t->rule = NULL;
	arc_dial_show(b);
}

/* Returns the dial, opened when it is first wanted. NULL after a message. */
static struct dial *
get(struct browser *b)
{
	struct arc_dial *t = &b->arc_dial;
	const struct model *m;
	struct error err = ERROR_INIT;

	if (t->dial)
		return t->dial;
	if (profile_only(b->profile)) {
		browser_say(b, ROLE_MESSAGE, "arcs are changed in the whole profile: T, then A "
			    "shows all threads");
		return NULL;
	}
	t->dial = dial_open(profile_path(b->profile), &err);
	if (!t->dial) {
		browser_say(b, ROLE_ERROR, "%s", err.text);
		return NULL;
	}
	m = dial_model(t->dial);
	if (m->nr_arcs == b->totals->nr_arcs && m->nr_procedures == b->totals->nr_procedures)
		return t->dial;
	arc_dial_release(b);
	browser_say(b, ROLE_ERROR, "the profile is another one now: leave, and open it again");
	return NULL;
}

const struct model *
arc_dial_model(struct browser *b)
{
	struct dial *d = get(b);

	return d ? dial_model(d) : NULL;
}

/* Drops the dial after it returned -1: it is of no use any more. */
static unsigned
lost(struct browser *b, const struct error *err)
{
	arc_dial_release(b);
	browser_say(b, ROLE_ERROR, "%s", err->text);
	return EFFECT_DONE;
}

static void
counts_changed(struct browser *b)
{
	b->arc_dial.warned = false;
	arc_dial_show(b);
}

static bool
is_pinned(const struct arc_dial *t, model_id arc)
{
	return t->dial && dial_pin(t->dial, arc);
}

void
arc_dial_banner(const struct arc_dial *t, struct strbuf *out)
{
	if (!t->dial)
		return;
	if (t->rule)
		strbuf_fmt(out, "estimates: %s", t->rule);
	if (dial_changed(t->dial))
		strbuf_fmt(out, "%schanged, not saved", out->len ? "   " : "");
}

bool
arc_dial_may_leave(struct browser *b)
{
	struct arc_dial *t = &b->arc_dial;

	if (t->warned || !t->dial || !dial_changed(t->dial))
		return true;
	t->warned = true;
	browser_say(b, ROLE_WARNING, "changed arcs are not saved: \":pin NAME\" saves them; "
		    "the same key again leaves");
	return false;
}

/* ---- changing counts ---- */

static const char *
callee_name(const struct model *m, const struct model_arc *a)
{
	return a->callee ? m->procedures[a->callee - 1].name : "outside";
}

void
arc_dial_arc_name(struct strbuf *out, const struct model *m, model_id id)
{
	const struct model_arc *a = &m->arcs[id - 1];
	const struct model_site *s = a->site ? &m->sites[a->site - 1] : NULL;

	if (s && s->procedure)
		strbuf_fmt(out, "%s:%u", m->procedures[s->procedure - 1].name, s->place.line);
	else
		strbuf_str(out, "outside");
	strbuf_fmt(out, " %s %s", draw_ascii() ? "->" : "\342\206\222", callee_name(m, a));
}

/* Shows "main:50 -> by_name: 3,200 of 0..7,200 [### ]". */
static void
say_where(struct browser *b, model_id id, uint64_t lo, uint64_t hi)
{
	enum { BAR = 12 };
	const struct model *m = dial_model(b->arc_dial.dial);
	const struct model_arc *a = &m->arcs[id - 1];
	struct strbuf text = STRBUF_INIT, bar = STRBUF_INIT;

	arc_dial_arc_name(&text, m, id);
	strbuf_str(&text, ": ");
	human_count(&text, a->count);
	strbuf_str(&text, " of ");
	value_between(&text, UNIT_COUNT, lo, hi, VALUE_WIDE, draw_ascii());
	if (hi > lo)
		human_bar(&bar, (double)(a->count - lo) / (double)(hi - lo), BAR, draw_ascii());
	strbuf_fmt(&text, draw_ascii() ? "  [%s" : "  \342\226\225%s", bar.buf);
	for (int i = safe_width(bar.buf, bar.len); i < BAR; i++)
		strbuf_char(&text, ' ');
	strbuf_str(&text, draw_ascii() ? "]" : "\342\226\217");
	strbuf_str(&text, is_pinned(&b->arc_dial, id) ? "  held" : "  released");
	browser_say(b, ROLE_MESSAGE, "%s", text.buf);
	strbuf_release(&text);
	strbuf_release(&bar);
}

static unsigned
say_closed(struct browser *b, model_id id, uint64_t lo, uint64_t hi)
{
	const struct model *m = dial_model(b->arc_dial.dial);
	const struct model_arc *a = &m->arcs[id - 1];
	struct strbuf text = STRBUF_INIT;

	arc_dial_arc_name(&text, m, id);
	if (a->lo == a->hi) {
		strbuf_str(&text, " is exact: the counts leave no choice");
	} else {
		strbuf_str(&text, ": the counts and the other pins leave ");
		value_between(&text, UNIT_COUNT, lo, hi, VALUE_WIDE, draw_ascii());
		strbuf_str(&text, "; P lists the pins");
	}
	browser_say(b, ROLE_MESSAGE, "%s", text.buf);
	strbuf_release(&text);
	return EFFECT_DONE;
}

static unsigned
set_count(struct browser *b, model_id id, uint64_t count, uint64_t lo, uint64_t hi)
{
	struct arc_dial *t = &b->arc_dial;
	const struct model_pin *pin = dial_pin(t->dial, id);
	struct error err = ERROR_INIT;
	int status = dial_turn(t->dial, pin ? pin->name : no_name, id, count, &err);

	if (status < 0)
		return lost(b, &err);
	if (status)
		return say_closed(b, id, lo, hi);
	counts_changed(b);
	say_where(b, id, lo, hi);
	return EFFECT_DONE;
}

static unsigned
toggle(struct browser *b, model_id id, uint64_t lo, uint64_t hi)
{
	struct arc_dial *t = &b->arc_dial;
	struct error err = ERROR_INIT;

	if (!dial_pin(t->dial, id))
		return set_count(b, id, dial_model(t->dial)->arcs[id - 1].count, lo, hi);
	if (dial_let_go(t->dial, id, &err) < 0 ||
	    dial_interval(t->dial, id, &lo, &hi, &err) < 0)
		return lost(b, &err);
	counts_changed(b);
	say_where(b, id, lo, hi);
	return EFFECT_DONE;
}

/* Returns COUNT moved by N twentieths of the interval. */
static uint64_t
stepped(uint64_t count, uint64_t lo, uint64_t hi, bool up, size_t n)
{
	uint64_t step = (hi - lo) / 20, by;

	if (!step)
		step = 1;
	if (__builtin_mul_overflow(step, n ? n : 1, &by))
		by = hi - lo;
	if (up)
		return count < hi && by < hi - count ? count + by : hi;
	return count > lo && by < count - lo ? count - by : lo;
}

unsigned
arc_dial_act(struct browser *b, model_id id, enum action action, size_t count)
{
	struct dial *d = get(b);
	const struct model *m = d ? dial_model(d) : NULL;
	struct error err = ERROR_INIT;
	uint64_t lo, hi;

	if (!m || !id || id > m->nr_arcs)
		return EFFECT_DONE;
	if (m->arcs[id - 1].through) {
		browser_say(b, ROLE_MESSAGE, "these calls are made by code outside, and cannot be "
			    "changed");
		return EFFECT_DONE;
	}
	if (m->arcs[id - 1].how == ARC_SAMPLED) {
		browser_say(b, ROLE_MESSAGE, "how often foreign code was called here is not known: "
			    "its time is from the sampled stacks");
		return EFFECT_DONE;
	}
	if (dial_interval(d, id, &lo, &hi, &err) < 0)
		return lost(b, &err);
	if (lo == hi && !dial_pin(d, id))
		return say_closed(b, id, lo, hi);
	if (action == ACTION_PIN)
		return toggle(b, id, lo, hi);
	if (action == ACTION_ARC_SET && !count) {
		b->arc_dial.asked = id;
		prompt_open(&b->prompt, PROMPT_TURN, "");
		return EFFECT_DONE;
	}
	if (action == ACTION_ARC_SET)
		return set_count(b, id, count, lo, hi);
	return set_count(b, id, stepped(m->arcs[id - 1].count, lo, hi, action == ACTION_ARC_MORE,
					count), lo, hi);
}

/* Reads digits, with or without the commas that we show. */
static bool
read_count(const char *s, uint64_t *n)
{
	*n = 0;
	if (!*s)
		return false;
	for (; *s; s++) {
		if (*s == ',')
			continue;
		if (*s < '0' || *s > '9' || __builtin_mul_overflow(*n, 10, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(*s - '0'), n))
			return false;
	}
	return true;
}

unsigned
arc_dial_typed(struct browser *b, const char *text)
{
	struct arc_dial *t = &b->arc_dial;
	struct error err = ERROR_INIT;
	uint64_t count, lo, hi;

	if (!read_count(text, &count)) {
		browser_say(b, ROLE_MESSAGE, "that is not a count: %s", text);
		return EFFECT_DONE;
	}
	if (!t->dial)
		return EFFECT_DONE;
	if (dial_interval(t->dial, t->asked, &lo, &hi, &err) < 0)
		return lost(b, &err);
	return set_count(b, t->asked, count, lo, hi);
}

/* ---- commands ---- */

unsigned
arc_dial_estimate(struct browser *b, const char *rule)
{
	struct error err = ERROR_INIT;
	int i = 0;

	while (i < NR_RULES && strcmp(rules[i].name, rule))
		i++;
	if (i == NR_RULES) {
		browser_say(b, ROLE_MESSAGE, "estimate how? likely, spread or even");
		return EFFECT_DONE;
	}
	if (!get(b))
		return EFFECT_DONE;
	if (dial_estimator(b->arc_dial.dial, rules[i].estimator, &err) < 0)
		return lost(b, &err);
	b->arc_dial.rule = i ? rules[i].name : NULL;
	counts_changed(b);
	browser_say(b, ROLE_MESSAGE, "what the counts leave open is now estimated %s",
		    rules[i].does);
	return EFFECT_DONE;
}

unsigned
arc_dial_release_pins(struct browser *b, const char *name)
{
	struct error err = ERROR_INIT;
	int nr;

	if (!get(b))
		return EFFECT_DONE;
	nr = dial_let_go_all(b->arc_dial.dial, *name ? name : NULL, &err);
	if (nr < 0)
		return lost(b, &err);
	counts_changed(b);
	if (nr)
		browser_say(b, ROLE_MESSAGE, "%d pin%s released", nr, nr == 1 ? "" : "s");
	else
		browser_say(b, ROLE_MESSAGE, "nothing is pinned%s%s; P lists the pins",
			    *name ? " as " : "", name);
	return EFFECT_DONE;
}

/* Gives NAME to pins without a name. */
static int
give_name(struct arc_dial *t, const char *name, struct error *err)
{
	const struct model *m = dial_model(t->dial);
	const struct model_pin *p;

	for (size_t i = 0; i < m->nr_arcs; i++) {
		p = m->arcs[i].through ? NULL : dial_pin(t->dial, (model_id)(i + 1));
		if (p && !*p->name &&
		    dial_turn(t->dial, name, (model_id)(i + 1), p->count, err) < 0)
			return -1;
	}
	return 0;
}

unsigned
arc_dial_save(struct browser *b, const char *name)
{
	struct arc_dial *t = &b->arc_dial;
	struct error err = ERROR_INIT;

	if (!t->dial || !dial_changed(t->dial)) {
		browser_say(b, ROLE_MESSAGE, "nothing has been changed: + and - change an arc that "
			    "is estimated");
		return EFFECT_DONE;
	}
	if (give_name(t, *name ? name : "pin", &err) < 0)
		return lost(b, &err);
	if (dial_save(t->dial, &err) < 0) {
		browser_say(b, ROLE_ERROR, "%s", err.text);
		return EFFECT_DONE;
	}
	if (!t->rule)
		arc_dial_release(b);
	if (browser_reopen(b, &err) < 0)
		browser_say(b, ROLE_ERROR, "saved, but: %s", err.text);
	else
		browser_say(b, ROLE_MESSAGE, "saved in %s", profile_path(b->profile));
	/* The rule is not in the profile: its estimates are still the dial's. */
	arc_dial_show(b);
	return EFFECT_DONE | EFFECT_MOVED;
}
