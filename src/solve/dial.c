#include "solve/dial.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store/load.h"
#include "db/store/new_file.h"
#include "db/store/writer.h"
#include "solve/aggregate.h"
#include "solve/solution.h"
#include "solve/solve.h"

struct dial {
	char *path;
	struct file_seen file;         /* what the model was read from */
	struct model m;
	struct solution *solution;
	struct model_pin *stored; /* the profile's pins */
	size_t nr_stored;
};

/* Each turn takes and frees the same large arrays: to give them back to the system in between costs
 * more than a tenth of it. */
static void
keep_memory(void)
{
	mallopt(M_MMAP_THRESHOLD, 1 << 28);
	mallopt(M_TRIM_THRESHOLD, 1 << 28);
}

/* Pins are of plain arcs: those that lead through a site share the calls of one. */
static size_t
arc_of_pin(const struct model *m, const struct model_pin *p)
{
	size_t i = model_arc_find(m, p->site, p->callee);

	return i < m->nr_arcs && m->arcs[i].through ? m->nr_arcs : i;
}

static int
refresh(struct dial *d, struct error *err)
{
	solution_store_counts(d->solution, &d->m);
	return model_propagate(&d->m, err);
}

/* Notes the pins that the profile holds now, to tell whether those in force are others. */
static void
keep_stored(struct dial *d)
{
	free(d->stored);
	d->nr_stored = d->m.nr_pins;
	d->stored = xcalloc(d->nr_stored, sizeof(*d->stored));
	for (size_t i = 0; i < d->nr_stored; i++)
		d->stored[i] = d->m.pins[i];
}

/* Pins that do not fit are left out; the profile has a note about each. */
static int
apply_pins(struct dial *d, struct error *err)
{
	size_t n = 0;
	int status;

	for (size_t i = 0; i < d->m.nr_pins; i++) {
		size_t arc = arc_of_pin(&d->m, &d->m.pins[i]);

		status = solution_turn(d->solution, arc, d->m.pins[i].count, err);
		if (status < 0)
			return -1;
		if (!status)
			d->m.pins[n++] = d->m.pins[i];
	}
	d->m.nr_pins = n;
	return refresh(d, err);
}

struct dial *
dial_open(const char *path, struct error *err)
{
	struct dial *d = xcalloc(1, sizeof(*d));
	uint64_t excess;

	keep_memory();
	d->path = xstrdup(path);
	model_init(&d->m);
	file_see(&d->file, path); /* if there is none, loading says so */
	if (!model_load_calls(&d->m, path, err))
		d->solution = solution_open(&d->m, &excess, err);
	if (d->solution) {
		solution_store_facts(d->solution, &d->m);
		if (!apply_pins(d, err)) {
			keep_stored(d);
			return d;
		}
	}
	dial_close(d);
	return NULL;
}

void
dial_close(struct dial *d)
{
	if (!d)
		return;
	solution_close(d->solution);
	model_release(&d->m);
	free(d->stored);
	free(d->path);
	free(d);
}

const struct model *
dial_model(const struct dial *d)
{
	return &d->m;
}

/* ---- pins ---- */

static struct model_pin *
find_pin(const struct dial *d, model_id id)
{
	const struct model_arc *a = id && id <= d->m.nr_arcs ? &d->m.arcs[id - 1] : NULL;

	for (size_t i = 0; a && i < d->m.nr_pins; i++)
		if (d->m.pins[i].site == a->site && d->m.pins[i].callee == a->callee)
			return &d->m.pins[i];
	return NULL;
}

/* The pin on the arc itself is released for as long as we ask. */
int
dial_interval(struct dial *d, model_id id, uint64_t *lo, uint64_t *hi, struct error *err)
{
	const struct model_pin *p = find_pin(d, id);

	if (!id || id > d->m.nr_arcs)
		return error_set(err, "there is no arc %u", id);
	if (p && solution_let_go(d->solution, id - 1, err))
		return -1;
	if (solution_interval(d->solution, id - 1, lo, hi, err))
		return -1;
	if (!p)
		return 0;
	return solution_turn(d->solution, id - 1, p->count, err) ? -1 : refresh(d, err);
}

const struct model_pin *
dial_pin(const struct dial *d, model_id id)
{
	return find_pin(d, id);
}

static bool
is_stored(const struct dial *d, const struct model_pin *p)
{
	for (size_t i = 0; i < d->nr_stored; i++) {
		const struct model_pin *s = &d->stored[i];

		if (s->site == p->site && s->callee == p->callee)
			return s->count == p->count && !strcmp(s->name, p->name);
	}
	return false;
}

bool
dial_changed(const struct dial *d)
{
	bool changed = d->nr_stored != d->m.nr_pins;

	for (size_t i = 0; i < d->m.nr_pins && !changed; i++)
		changed = !is_stored(d, &d->m.pins[i]);
	return changed;
}

int
dial_turn(struct dial *d, const char *name, model_id id, uint64_t count, struct error *err)
{
	struct model_pin *p;
	int status;

	if (!id || id > d->m.nr_arcs)
		return 1;
	status = solution_turn(d->solution, id - 1, count, err);
	if (status)
		return status;
	p = find_pin(d, id);
	if (!p)
		p = MODEL_ADD(&d->m, pins);
	*p = (struct model_pin){ arena_strdup(&d->m.arena, name), d->m.arcs[id - 1].site,
				 d->m.arcs[id - 1].callee, count };
	return refresh(d, err);
}

static int
let_go(struct dial *d, size_t pin, struct error *err)
{
	size_t arc = arc_of_pin(&d->m, &d->m.pins[pin]);

	if (solution_let_go(d->solution, arc, err))
		return -1;
	d->m.nr_pins--;
	memmove(&d->m.pins[pin], &d->m.pins[pin + 1],
		(d->m.nr_pins - pin) * sizeof(*d->m.pins));
	return 0;
}

int
dial_let_go(struct dial *d, model_id id, struct error *err)
{
	struct model_pin *p = find_pin(d, id);

	if (!p)
		return 0;
	return let_go(d, (size_t)(p - d->m.pins), err) || refresh(d, err) ? -1 : 1;
}

int
dial_let_go_all(struct dial *d, const char *name, struct error *err)
{
	int nr = 0;

	for (size_t i = d->m.nr_pins; i--;) {
		if (name && strcmp(d->m.pins[i].name, name))
			continue;
		if (let_go(d, i, err))
			return -1;
		nr++;
	}
	return refresh(d, err) ? -1 : nr;
}

int
dial_estimator(struct dial *d, enum flow_estimator estimator, struct error *err)
{
	return solution_estimator(d->solution, estimator, err) ? -1 : refresh(d, err);
}

/* ---- saving ---- */

/* The ids of the calls are the same in the whole profile. */
static void
replace_pins(struct model *whole, const struct dial *d)
{
	whole->nr_pins = 0;
	for (size_t i = 0; i < d->m.nr_pins; i++)
		*MODEL_ADD(whole, pins) = d->m.pins[i];
}

static bool
is_replaced(const struct dial *d)
{
	return !d->file.there || !file_is_as_seen(&d->file, d->path);
}

static int
save_whole(struct dial *d, struct error *err)
{
	struct model whole;
	int status;

	model_init(&whole);
	status = model_load(&whole, d->path, err);
	if (!status) {
		replace_pins(&whole, d);
		status = model_solve_again(&whole, err);
	}
	if (!status)
		status = profile_write(d->path, &whole, NULL, err);
	model_release(&whole);
	return status;
}

/* Who comes later finds it replaced. */
int
dial_save(struct dial *d, struct error *err)
{
	struct file_lock lock = { .name = NULL };
	char *target;
	int status;

	/* It is replaced, which its directory might allow where the file itself does not. */
	if (access(d->path, W_OK) < 0)
		return error_set_errno(err, errno, "%s cannot be written", d->path);
	target = file_meant(d->path, err);
	status = target ? file_lock_take(&lock, target, NULL, err) : -1;

	if (status) {
		; /* ERR says why */
	} else if (is_replaced(d)) {
		status = error_set(err, "%s was written by another program meanwhile: open it "
				   "again", d->path);
	} else {
		status = save_whole(d, err);
		if (!status) {
			file_see(&d->file, d->path);
			keep_stored(d);
		}
	}
	file_lock_release(&lock);
	free(target);
	return status;
}
