#include "cmd/make/raw_check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/make/merge_check.h"
#include "cmd/make/partial_sums.h"
#include "collect/import/elf/elf.h"
#include "collect/import/elf/places.h"
#include "collect/import/owners.h"
#include "collect/import/rawfile.h"
#include "collect/import/sums/sumfile.h"
#include "db/store/load.h"
#include "util/mem.h"

struct work {
	struct merge_check check;
	struct owners owners;      /* of the raw files */
	struct arena arena;        /* texts of all raw files */
	/* The program that was checked last: most files belong to one. */
	const char *program, *build_id;
	struct error problem;      /* with it */
};

/* ---- one raw file, as merge looks at profiles ---- */

static const char *
hex(struct arena *a, const uint8_t *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *text = arena_alloc(a, 2 * n + 1);
	size_t i;

	for (i = 0; i < n; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	text[2 * n] = '\0';
	return text;
}

/* M gets the run and the modules of R; the texts are the arena's. ID: of its files, heap, which is
 * released. */
static void
describe(struct model *m, struct arena *a, const struct rawfile *r, char *id)
{
	struct model_run *run = MODEL_ADD(m, runs);
	struct model_module *to;
	size_t i;

	run->raws = arena_strdup(a, id);
	run->program = arena_strdup(a, r->program);
	run->build_id = "";
	for (i = 0; i < r->nr_modules; i++) {
		to = MODEL_ADD(m, modules);
		to->path = arena_strdup(a, r->modules[i].path);
		to->build_id = hex(a, r->modules[i].build_id, r->modules[i].build_id_length);
		if (!strcmp(to->path, r->program))
			run->build_id = to->build_id;
	}
	free(id);
}

/* A program that is gone, or another one by now, cannot say what its counters are of. */
static int
look_at_program(struct work *w, const struct model_run *run, const struct raw_module *program,
		const char *path, struct error *err)
{
	struct elf e;

	if (!w->program || strcmp(w->program, run->program) || strcmp(w->build_id, run->build_id)) {
		w->program = arena_strdup(&w->arena, run->program);
		w->build_id = run->build_id;
		w->problem = (struct error)ERROR_INIT;
		if (!places_open_build(&e, w->program, program->build_id, program->build_id_length,
				       &w->owners, &w->problem))
			elf_close(&e);
	}
	return w->problem.set ? error_set(err, "%s: %s", path, w->problem.text) : 0;
}

/* Returns R's program itself, if it counts, not only libraries of it. */
static const struct raw_module *
program_of(const struct rawfile *r)
{
	size_t i;

	for (i = 0; i < r->nr_modules; i++)
		if (!strcmp(r->modules[i].path, r->program))
			return &r->modules[i];
	return NULL;
}

/* Describes R in M, and looks at its program. */
static int
look_into(struct work *w, struct model *m, const struct rawfile *r, char *id, struct error *err)
{
	const struct raw_module *program = program_of(r);

	describe(m, &w->arena, r, id);
	return program ? look_at_program(w, &m->runs[m->nr_runs - 1], program, r->path, err) : 0;
}

static int
look_at_sum(struct work *w, struct model *m, const char *path, struct error *err)
{
	struct sumfile sum;
	struct rawfile r;
	int status = 0;

	if (sumfile_open(&sum, path, err))
		return -1;
	sumfile_owners(&sum, &w->owners);
	for (size_t i = 0; i < sum.nr_members && !status; i++) {
		status = sumfile_member(&sum, i, &r, err);
		if (status)
			break;
		status = look_into(w, m, &r, sumfile_ids(&sum, i), err);
		rawfile_close(&r);
	}
	sumfile_close(&sum);
	return status;
}

static int
look_at_raw(struct work *w, struct model *m, const char *path, struct error *err)
{
	struct rawfile r;
	int status;

	if (rawfile_open(&r, path, err))
		return -1;
	owners_add(&w->owners, r.owner);
	status = look_into(w, m, &r, xasprintf("%0*" PRIx64, RAW_ID, rawfile_id(&r)), err);
	rawfile_close(&r);
	return status;
}

static int
look_at(struct work *w, const char *path, struct error *err)
{
	struct model m;
	int status;

	model_init(&m);
	status = sumfile_is(path) ? look_at_sum(w, &m, path, err)
				  : look_at_raw(w, &m, path, err);
	if (!status)
		status = merge_check_add(&w->check, &m, path, err);
	model_release(&m);
	return status;
}

/* ---- all of them ---- */

static int
add_profile(struct work *w, const char *path, struct error *err)
{
	struct model m;
	int status;

	model_init(&m);
	status = model_load_runs(&m, path, err);
	if (!status)
		status = merge_check_add(&w->check, &m, path, err);
	model_release(&m);
	return status;
}

int
raw_check(struct raw_check *c, const char *const *paths, size_t nr, const char *profile,
	  bool keep_going, struct error *err)
{
	struct work w = { .arena = ARENA_INIT };
	struct error e;
	size_t i;

	const char **some = xcalloc(nr + 1, sizeof(*some));

	*c = (struct raw_check){ .paths = xcalloc(nr, sizeof(*c->paths)) };
	memcpy(some, paths, nr * sizeof(*some));
	nr = partial_sums_leave_out(some, nr);
	merge_check_init(&w.check);
	w.check.raws = true;
	if (profile)
		add_profile(&w, profile, err);
	for (i = 0; i < nr && !err->set; i++) {
		e = (struct error)ERROR_INIT;
		if (!look_at(&w, some[i], &e)) {
			c->paths[c->nr++] = some[i];
			continue;
		}
		if (!keep_going) {
			error_set(err, "%s", e.text);
			continue;
		}
		complain("left out: %s", e.text);
		GROW(c->left_out, c->nr_left_out + 1, c->left_out_alloc);
		c->left_out[c->nr_left_out++] = xstrdup(e.text);
	}
	free(some);
	if (!c->nr)
		error_set(err, "none of the raw files can be imported");
	merge_check_release(&w.check);
	owners_release(&w.owners);
	arena_release(&w.arena);
	return err->set ? -1 : 0;
}

void
raw_check_release(struct raw_check *c)
{
	size_t i;

	for (i = 0; i < c->nr_left_out; i++)
		free(c->left_out[i]);
	free(c->left_out);
	free(c->paths);
	*c = (struct raw_check){ .paths = NULL };
}

int
raw_check_runs(const struct model *m, const struct model *old, const char *path, struct error *err)
{
	struct merge_check check;
	int status;

	merge_check_init(&check);
	status = merge_check_add_runs(&check, old, path, err);
	if (!status)
		status = merge_check_add_runs(&check, m, "what is to be added", err);
	merge_check_release(&check);
	return status;
}
