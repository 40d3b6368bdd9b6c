#include "cmd/make/merge_check.h"

#include <stdlib.h>
#include <string.h>

#include "util/text/path.h"

void
merge_check_init(struct merge_check *c)
{
	*c = (struct merge_check){ .by_key = INDEX_INIT, .arena = ARENA_INIT };
}

void
merge_check_release(struct merge_check *c)
{
	free(c->builds);
	free(c->runs);
	index_release(&c->by_key);
	arena_release(&c->arena);
	merge_check_init(c);
}

/* ---- builds ---- */

/* Returns how many builds a profile names: its modules, and the programs of its runs. */
static size_t
nr_named(const struct model *m)
{
	return m->nr_modules + m->nr_runs;
}

static struct model_module
named(const struct model *m, size_t i)
{
	const struct model_run *r;

	if (i < m->nr_modules)
		return m->modules[i];
	r = &m->runs[i - m->nr_modules];
	return (struct model_module){ r->program, r->build_id };
}

static const struct known_build *
find_build(const struct merge_check *c, const char *build_id)
{
	size_t i;

	for (i = 0; i < c->nr_builds; i++)
		if (!strcmp(c->builds[i].build_id, build_id))
			return &c->builds[i];
	return NULL;
}

/* Another build of the same thing, or NULL: what has the same path, and among raw files a PROGRAM
 * that has the same name. */
static const struct known_build *
find_other(const struct merge_check *c, const struct model_module *b, bool program)
{
	const struct known_build *k;
	size_t i;

	for (i = 0; i < c->nr_builds && *b->build_id; i++) {
		k = &c->builds[i];
		if (!strcmp(k->build_id, b->build_id))
			continue;
		if (!strcmp(k->path, b->path) || (c->raws && program && k->program &&
						  !strcmp(path_base(k->path), path_base(b->path))))
			return k;
	}
	return NULL;
}

static int
check_build(const struct merge_check *c, const struct model_module *b, bool program,
	    const char *profile, struct error *err)
{
	const struct known_build *other = find_other(c, b, program);

	if (!*b->build_id && !program && !c->raws)
		return error_set(err, "%s: %s has no build id, so that builds cannot be told "
				 "apart: link it with -Wl,--build-id, or use --by-source", profile,
				 b->path);
	if (!other)
		return 0;
	return error_set(err, "%s is of another build of %s (%s) than %s (%s): leave it out, or %s",
			 profile, b->path, b->build_id, other->profile, other->build_id, c->raws
			 ? "import it elsewhere and use cgview merge --by-source"
			 : "match the sources with --by-source");
}

/* Builds that were in one profile belong together. */
static void
unite(struct merge_check *c, size_t a, size_t b)
{
	size_t i;

	for (i = 0; i < c->nr_builds && a != b; i++)
		if (c->builds[i].group == b)
			c->builds[i].group = a;
}

static void
add_build(struct merge_check *c, const struct model_module *b, bool program, const char *profile)
{
	const struct known_build *same = find_build(c, b->build_id);
	size_t i;

	for (i = 0; i < c->nr_builds; i++)
		if (!strcmp(c->builds[i].path, b->path) &&
		    !strcmp(c->builds[i].build_id, b->build_id)) {
			c->builds[i].program |= program;
			return;
		}
	i = same ? same->group : c->nr_builds;
	GROW(c->builds, c->nr_builds + 1, c->builds_alloc);
	c->builds[c->nr_builds++] = (struct known_build){
		arena_strdup(&c->arena, b->path), arena_strdup(&c->arena, b->build_id), profile, i,
		program
	};
}

static void
add_builds(struct merge_check *c, const struct model *m, const char *profile)
{
	const struct known_build *k;
	struct model_module b;
	size_t i, group = 0;
	bool any = false;

	for (i = 0; i < nr_named(m); i++) {
		b = named(m, i);
		if (!*b.build_id)
			continue;
		add_build(c, &b, i >= m->nr_modules, profile);
		k = find_build(c, b.build_id);
		group = any ? group : k->group;
		unite(c, group, k->group);
		any = true;
	}
}

static int
check_builds(const struct merge_check *c, const struct model *m, const char *profile,
	     struct error *err)
{
	struct model_module b;
	size_t i;

	for (i = 0; i < nr_named(m) && !c->any_build; i++) {
		b = named(m, i);
		if (check_build(c, &b, i >= m->nr_modules, profile, err))
			return -1;
	}
	return 0;
}

static const struct known_build *
first_build(const struct merge_check *c, const struct model *m)
{
	const struct known_build *b = NULL;
	size_t i;

	for (i = 0; i < nr_named(m) && !b; i++)
		b = find_build(c, named(m, i).build_id);
	return b;
}

int
merge_check_related(const struct merge_check *c, const struct model *m, const char *profile,
		    const struct model *first, const char *first_profile, struct error *err)
{
	const struct known_build *a = first_build(c, first), *b = first_build(c, m);

	if (c->any_build || !a || !b || a->group == b->group)
		return 0;
	return error_set(err, "%s is of another program (%s) than %s (%s)", profile, b->path,
			 first_profile, a->path);
}

static const char *
common_path(const struct merge_check *c, const char *path)
{
	const struct known_build *known = NULL;
	const char *best = path;
	size_t i;

	for (i = 0; i < c->nr_builds && !known; i++)
		if (!strcmp(c->builds[i].path, path))
			known = &c->builds[i];
	for (i = 0; known && i < c->nr_builds; i++)
		if (!strcmp(c->builds[i].build_id, known->build_id) &&
		    strcmp(c->builds[i].path, best) < 0)
			best = c->builds[i].path;
	return best;
}

void
merge_check_rename(const struct merge_check *c, struct model *m)
{
	const char *last = NULL, *path = NULL;
	size_t i;

	for (i = 0; i < m->nr_modules && !c->any_build; i++)
		m->modules[i].path = common_path(c, m->modules[i].path);
	for (i = 0; i < m->nr_procedures && !c->any_build; i++) {
		if (!m->procedures[i].module)
			continue;
		if (!last || strcmp(last, m->procedures[i].module)) {
			last = m->procedures[i].module;
			path = common_path(c, last);
		}
		m->procedures[i].module = path;
	}
}

bool
merge_check_same(const struct model *a, const struct model *b)
{
	size_t i, k;

	for (i = 0; i < b->nr_modules; i++) {
		for (k = 0; k < a->nr_modules; k++)
			if (!strcmp(a->modules[k].path, b->modules[i].path) &&
			    !strcmp(a->modules[k].build_id, b->modules[i].build_id))
				break;
		if (k == a->nr_modules || !*b->modules[i].build_id)
			return false;
	}
	return true;
}

/* ---- runs ---- */

static uint64_t
run_key(const struct model_run *r)
{
	uint64_t h = hash_text(hash_text(HASH_START, r->host), r->command);

	return hash_number(hash_number(h, (uint64_t)r->started_ns), r->wall_ns);
}

static bool
equal_run(const void *ctx, uint32_t i, const void *key)
{
	return ((const struct known_run *)ctx)[i].key == *(const uint64_t *)key;
}

/* The next of the keys that tell run R from others: one for each of its raw files; where these are
 * not known one for what is. *AT: NULL at first. false: there is none left. */
static bool
next_key(const struct model_run *r, const char **at, uint64_t *key)
{
	char *end;

	if (!r->raws) { /* when it began is not known of all */
		*key = run_key(r);
		return r->started_ns && !*at && (*at = "");
	}
	if (!*at)
		*at = r->raws;
	*key = strtoull(*at, &end, 16);
	if (end == *at)
		return false;
	*at = end;
	return true;
}

static int
check_runs(const struct merge_check *c, const struct model *m, const char *profile,
	   struct error *err)
{
	const char *at;
	uint32_t found;
	uint64_t key;
	size_t i;

	for (i = 0; i < m->nr_runs; i++) {
		for (at = NULL; next_key(&m->runs[i], &at, &key);) {
			found = index_find(&c->by_key, key, equal_run, c->runs, &key);
			if (found != INDEX_NONE)
				return error_set(err, "%s has a run that %s has, too: it would "
						 "count twice; leave one of them out", profile,
						 c->runs[found].profile);
		}
	}
	return 0;
}

static void
add_runs(struct merge_check *c, const struct model *m, const char *profile)
{
	const char *at;
	uint64_t key;
	size_t i;

	for (i = 0; i < m->nr_runs; i++) {
		for (at = NULL; next_key(&m->runs[i], &at, &key);) {
			GROW(c->runs, c->nr_runs + 1, c->runs_alloc);
			c->runs[c->nr_runs] = (struct known_run){ key, profile };
			index_add(&c->by_key, key, (uint32_t)c->nr_runs);
			c->nr_runs++;
		}
	}
}

int
merge_check_add_runs(struct merge_check *c, const struct model *m, const char *profile,
		     struct error *err)
{
	if (check_runs(c, m, profile, err))
		return -1;
	add_runs(c, m, profile);
	return 0;
}

int
merge_check_add(struct merge_check *c, const struct model *m, const char *profile,
		struct error *err)
{
	if (check_builds(c, m, profile, err) || check_runs(c, m, profile, err))
		return -1;
	add_builds(c, m, profile);
	add_runs(c, m, profile);
	return 0;
}
