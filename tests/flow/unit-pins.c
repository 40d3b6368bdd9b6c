/* A stored profile that is turned, pinned, let go and saved. Two sites call two procedures through
 * pointers, 10 times each; the first procedure was entered 12 times, the second 8 times. So one
 * number is open: x calls of the first procedure by the first site, 2 to 10. With 4 calls measured
 * on that arc, x is 4 to 10. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/load.h"
#include "db/store/writer.h"
#include "solve/dial.h"
#include "solve/solution.h"
#include "solve/solve.h"

enum { MAIN = 1, FIRST, SECOND };

static char path[4096];

static bool
report(bool good, const char *name)
{
	printf("%s - pins: %s\n", good ? "ok" : "not ok", name);
	return good;
}

static bool
write_profile(uint64_t measured)
{
	static const struct candidate all[] = {
		{ .site = 1, .callee = FIRST }, { .site = 1, .callee = SECOND },
		{ .site = 2, .callee = FIRST },
		{ .site = 2, .callee = SECOND },
	};
	static const uint64_t entries[] = { 1, 12, 8 };
	static const char *const names[] = { "main", "first", "second" };
	struct error err = ERROR_INIT;
	struct model m;
	bool good;

	model_init(&m);
	for (int i = 0; i < 3; i++) {
		struct model_procedure *p = MODEL_ADD(&m, procedures);

		p->name = p->linkage_name = names[i];
		p->module = "program";
		p->calls = entries[i];
		p->self_ns = 1000;
		p->flags = i ? PROCEDURE_STATIC : PROCEDURE_MAIN;
	}
	for (int i = 0; i < 2; i++) {
		struct model_site *s = MODEL_ADD(&m, sites);

		s->procedure = MAIN;
		s->kind = SITE_INDIRECT;
		s->target = "v(i)";
		s->count = 10;
	}
	if (measured)
		*MODEL_ADD(&m, arcs) = (struct model_arc){ .site = 1, .callee = FIRST,
							   .measured = measured };
	good = !model_solve(&m, all, 4, &err) && !profile_write(path, &m, NULL, &err);
	if (!good)
		printf("# %s\n", err.set ? err.text : "?");
	model_release(&m);
	return good;
}

static model_id
arc_id(const struct model *m, model_id site, model_id callee)
{
	for (size_t i = 0; i < m->nr_arcs; i++)
		if (m->arcs[i].site == site && m->arcs[i].callee == callee)
			return (model_id)i + 1;
	return 0;
}

/* All four arcs follow from X; the intervals are facts and stay. */
static bool
counts_are(const struct model *m, uint64_t x, uint64_t lo)
{
	const uint64_t want[] = { x, 10 - x, 12 - x, x - 2 };
	const uint64_t lows[] = { lo, 0, 2, lo - 2 }, highs[] = { 10, 10 - lo, 12 - lo, 8 };
	bool good = true;

	for (unsigned i = 0; i < 4; i++) {
		model_id id = arc_id(m, i / 2 + 1, i % 2 ? SECOND : FIRST);
		const struct model_arc *a = id ? &m->arcs[id - 1] : NULL;

		if (a && a->count == want[i] && a->lo == lows[i] && a->hi == highs[i])
			continue;
		printf("# arc %u: %llu in %llu..%llu\n", i, a ? (unsigned long long)a->count : 0,
		       a ? (unsigned long long)a->lo : 0, a ? (unsigned long long)a->hi : 0);
		good = false;
	}
	return good;
}

static bool
interval_is(struct dial *d, model_id id, uint64_t lo, uint64_t hi)
{
	struct error err = ERROR_INIT;
	uint64_t got_lo, got_hi;

	return !dial_interval(d, id, &got_lo, &got_hi, &err) && got_lo == lo && got_hi == hi;
}

/* LO: the least x. */
static bool
check_turns(struct dial *d, uint64_t lo)
{
	struct error err = ERROR_INIT;
	const struct model *m = dial_model(d);
	model_id a = arc_id(m, 1, FIRST), b = arc_id(m, 2, SECOND);
	bool good = interval_is(d, a, lo, 10) && !dial_changed(d);

	for (uint64_t x = lo; x <= 10; x += 2)
		good = good && !dial_turn(d, "p", a, x, &err) && counts_are(m, x, lo) &&
		       m->nr_pins == 1 && dial_pin(d, a)->count == x &&
		       interval_is(d, b, x - 2, x - 2);
	/* Too far, under a pin that holds, or of an arc that is not there: nothing changes. */
	good = good && dial_turn(d, "p", a, 11, &err) == 1 &&
	       dial_turn(d, "p", a, lo - 1, &err) == 1 && dial_turn(d, "q", b, 0, &err) == 1 &&
	       dial_turn(d, "q", 0, 1, &err) == 1 && dial_turn(d, "q", 1000, 1, &err) == 1 &&
	       counts_are(m, 10, lo) && m->nr_pins == 1;
	/* A second pin that says the same is possible; each is let go by itself. */
	good = good && !dial_turn(d, "q", b, 8, &err) && m->nr_pins == 2 &&
	       dial_let_go(d, a, &err) == 1 && m->nr_pins == 1 && interval_is(d, a, 10, 10) &&
	       counts_are(m, 10, lo) && dial_let_go(d, a, &err) == 0;
	good = good && dial_let_go_all(d, "p", &err) == 0 && dial_let_go_all(d, "q", &err) == 1 &&
	       interval_is(d, a, lo, 10) && !m->nr_pins && !dial_pin(d, b);
	return good;
}

/* The rules in turn, with nothing held: what they tell is a solution. Maximum entropy: as 12 to 8
 * in both rows; with 4 calls known, 8 of 16 in
 * the rest. */
static bool
check_presets(struct dial *d, uint64_t lo)
{
	static const enum flow_estimator rules[] = { FLOW_EVEN, FLOW_ENTROPY,
						    FLOW_LIKELY };
	struct error err = ERROR_INIT;
	const struct model *m = dial_model(d);
	model_id a = arc_id(m, 1, FIRST);
	bool good = true;

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		good = good && !dial_estimator(d, rules[i], &err) &&
		       counts_are(m, m->arcs[a - 1].count, lo) && !m->nr_pins;
	good = good && m->arcs[a - 1].count == (lo == 2 ? 6 : 7);
	/* What is held stays. */
	good = good && !dial_turn(d, "p", a, 5, &err);
	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		good = good && !dial_estimator(d, rules[i], &err) && counts_are(m, 5, lo);
	return good && dial_let_go_all(d, NULL, &err) == 1;
}

static bool
check_saved(uint64_t lo)
{
	struct error err = ERROR_INIT;
	struct dial *d = dial_open(path, &err);
	model_id a;
	bool good;

	if (!d)
		return false;
	a = arc_id(dial_model(d), 1, FIRST);
	good = !dial_turn(d, "tried", a, 9, &err) && dial_changed(d) &&
	       dial_let_go(d, a, &err) == 1 && !dial_changed(d);
	good = good && !dial_turn(d, "errors are rare", a, 9, &err) && dial_changed(d) &&
	       !dial_save(d, &err) && !dial_changed(d);
	dial_close(d);
	d = dial_open(path, &err);
	good = good && d && counts_are(dial_model(d), 9, lo) && dial_model(d)->nr_pins == 1 &&
	       !strcmp(dial_pin(d, a)->name, "errors are rare") && !dial_changed(d) &&
	       dial_model(d)->arcs[a - 1].how == ARC_PINNED &&
	       dial_let_go_all(d, "errors are rare", &err) == 1 && dial_changed(d) &&
	       interval_is(d, a, lo, 10) && !dial_save(d, &err);
	dial_close(d);
	d = dial_open(path, &err);
	good = good && d && !dial_model(d)->nr_pins &&
	       dial_model(d)->arcs[a - 1].how == ARC_ESTIMATED &&
	       counts_are(dial_model(d), dial_model(d)->arcs[a - 1].count, lo);
	dial_close(d);
	return good;
}

/* MEASURED calls are known of the arc that is turned. */
static bool
check_profile(uint64_t measured)
{
	uint64_t lo = measured ? measured : 2;
	const char *with = measured ? ", some of its calls measured" : "";
	struct error err = ERROR_INIT;
	struct dial *d;
	char name[100];
	bool good;

	if (!report(write_profile(measured), "a profile"))
		return false;
	d = dial_open(path, &err);
	if (!report(d != NULL, "it opens"))
		return false;
	snprintf(name, sizeof(name), "an arc is turned and let go%s", with);
	good = report(check_turns(d, lo), name);
	snprintf(name, sizeof(name), "presets%s", with);
	good = report(check_presets(d, lo), name) && good;
	dial_close(d);
	snprintf(name, sizeof(name), "pins are saved and taken back%s", with);
	return report(check_saved(lo), name) && good;
}

static bool
check_missing(void)
{
	struct error err = ERROR_INIT;

	return report(!dial_open("there is no such profile", &err) && err.set,
		      "a profile that is not there");
}

int
main(void)
{
	const char *dir = getenv("TMP_DIR");
	bool good;

	snprintf(path, sizeof(path), "%s/pins.db", dir ? dir : "/tmp");
	good = check_profile(0);
	good = check_profile(4) && good;
	good = check_missing() && good;
	remove(path);
	return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
