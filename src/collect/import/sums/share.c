#include "collect/import/sums/share.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/elf/elf.h"
#include "collect/import/elf/places.h"
#include "collect/import/elf/tables.h"
#include "util/order.h"
#include "util/sum.h"

enum { MOST_COUNTERS = 1 << 27 };  /* of a module: 1 GB of them */

/* ---- places ---- */

void
places_init(struct places *p)
{
	*p = (struct places){ .arena = ARENA_INIT };
	places_library(p, "[vdso]", 0, NULL);
}

void
places_release(struct places *p)
{
	for (size_t i = 0; i < p->nr; i++)
		free(p->items[i].sites);
	free(p->items);
	free(p->texts);
	index_release(&p->index);
	index_release(&p->text_index);
	arena_release(&p->arena);
	*p = (struct places){ .arena = ARENA_INIT };
}

static bool
text_equal(const void *ctx, uint32_t item, const void *key)
{
	return !strcmp(((const struct places *)ctx)->texts[item], key);
}

const char *
places_text(struct places *p, const char *text)
{
	uint64_t h = hash_text(HASH_START, text);
	uint32_t i = index_find(&p->text_index, h, text_equal, p, text);

	if (i != INDEX_NONE)
		return p->texts[i];
	GROW(p->texts, p->nr_texts + 1, p->texts_alloc);
	index_add(&p->text_index, h, (uint32_t)p->nr_texts);
	return p->texts[p->nr_texts++] = arena_strdup(&p->arena, text);
}

size_t
places_text_number(const struct places *p, const char *text)
{
	return index_find(&p->text_index, hash_text(HASH_START, text), text_equal, p, text);
}

static bool
place_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct sum_place *a = &((const struct places *)ctx)->items[item], *b = key;

	return a->library == b->library && a->inode == b->inode && !strcmp(a->path, b->path) &&
	       a->build_id_length == b->build_id_length &&
	       !memcmp(a->build_id, b->build_id, a->build_id_length);
}

/* Returns the number of KEY, which is added when it is new. */
static int
find_place(struct places *p, const struct sum_place *key, struct error *err)
{
	uint64_t h = hash_number(hash_text(HASH_START, key->path), key->inode);
	uint32_t i;

	h = hash_bytes(h, key->build_id, key->build_id_length);
	i = index_find(&p->index, h, place_equal, p, key);
	if (i != INDEX_NONE)
		return (int)i;
	if (p->nr >= SUM_MOST_PLACES)
		return error_set(err, "more than %d programs and libraries: add up fewer",
				 SUM_MOST_PLACES);
	GROW(p->items, p->nr + 1, p->alloc);
	p->items[p->nr] = *key;
	p->items[p->nr].path = places_text(p, key->path);
	index_add(&p->index, h, (uint32_t)p->nr);
	return (int)p->nr++;
}

int
places_module(struct places *p, const struct raw_module *m, const char *path, struct error *err)
{
	const uint64_t most = (uint64_t)1 << SUM_PLACE;
	struct sum_place key = {
		.path = m->path, .build_id_length = m->build_id_length,
		.nr_counters = m->nr_counters, .counters = m->counters - m->load_bias,
		.text_start = m->text_start - m->load_bias,
		.text_end = m->text_end - m->load_bias,
	}, *there;
	int number;

	memcpy(key.build_id, m->build_id, m->build_id_length);
	if (key.text_end >= most || key.text_start > key.text_end || key.counters >= most ||
	    key.nr_counters > MOST_COUNTERS || key.nr_counters >= (most - key.counters) / 8)
		return error_set(err, "%s: damaged: %s stands where it cannot", path, m->path);
	number = find_place(p, &key, err);
	if (number < 0)
		return -1;
	there = &p->items[number];
	if (there->nr_counters != key.nr_counters || there->counters != key.counters)
		return error_set(err, "%s: damaged: counters of %s are others than in the files "
				 "before", path, m->path);
	there->text_start = key.text_start < there->text_start ? key.text_start
								: there->text_start;
	there->text_end = key.text_end > there->text_end ? key.text_end : there->text_end;
	return number;
}

int
places_library(struct places *p, const char *path, uint64_t inode, struct error *err)
{
	const struct sum_place key = { .path = path, .library = true, .inode = inode };

	return find_place(p, &key, err);
}

struct place_order { const struct places *places; const char *program; };

static int
compare_places(const void *a, const void *b, void *order)
{
	const struct place_order *o = order;
	const struct sum_place *x = &o->places->items[*(const int *)a];
	const struct sum_place *y = &o->places->items[*(const int *)b];
	int by_path = strcmp(x->path, y->path);

	COMPARE(x->library, y->library);
	COMPARE(strcmp(x->path, o->program) != 0, strcmp(y->path, o->program) != 0);
	if (by_path)
		return by_path;
	COMPARE(x->inode, y->inode);
	COMPARE(x->build_id_length, y->build_id_length);
	return memcmp(x->build_id, y->build_id, x->build_id_length);
}

int *
places_order(const struct places *p, const char *program)
{
	struct place_order order = { p, program };
	int *sorted = xcalloc(p->nr, sizeof(*sorted)), *rank = xcalloc(p->nr, sizeof(*rank));

	for (size_t i = 0; i < p->nr; i++)
		sorted[i] = (int)i;
	qsort_r(sorted, p->nr, sizeof(*sorted), compare_places, &order);
	for (size_t i = 0; i < p->nr; i++)
		rank[sorted[i]] = (int)i;
	free(sorted);
	return rank;
}

static int
read_sites(struct sum_place *p, const struct elf *e, struct error *err)
{
	const struct elf_section *tab = elf_section(e, "cgview_tab");
	const struct elf_section *counters = elf_section(e, "cgview_cnt");
	struct tables tables = { .arena = ARENA_INIT };
	uint8_t *data;
	int status;

	if (!tab || !counters)
		return 0;
	data = elf_read(e, tab, err);
	if (!data)
		return -1;
	status = tables_parse(&tables, data, tab->size, p->path, err);
	if (!status)
		p->nr_sites = tables_words(&tables, counters->address, &p->sites);
	tables_release(&tables);
	free(data);
	return status;
}

int
places_find_sites(struct places *p, int number, struct owners *owners, struct error *err)
{
	struct sum_place *place = &p->items[number];
	struct elf e;
	int status;

	if (place->has_sites)
		return 0;
	if (places_open_build(&e, place->path, place->build_id, place->build_id_length, owners,
			      err))
		return -1;
	status = read_sites(place, &e, err);
	elf_close(&e);
	place->has_sites = !status;
	return status;
}

/* ---- a share ---- */

struct share *
share_new(struct stack_store *stacks)
{
	struct share *s = xcalloc(1, sizeof(*s));

	stack_set_init(&s->stacks, stacks);
	s->arena = (struct arena)ARENA_INIT;
	return s;
}

void
share_free(struct share *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr_counters; i++)
		free(s->counters[i]);
	free(s->counters);
	stack_set_release(&s->stacks);
	free(s->targets);
	index_release(&s->target_index);
	space_sum_release(&s->space);
	arena_release(&s->arena);
	free(s);
}

uint64_t *
share_counters(struct share *s, const struct places *p, int place)
{
	GROW(s->counters, p->nr, s->counters_alloc);
	while (s->nr_counters < p->nr)
		s->counters[s->nr_counters++] = NULL;
	if (!s->counters[place])
		s->counters[place] = xcalloc(p->items[place].nr_counters + 1, sizeof(uint64_t));
	return s->counters[place];
}

static bool
target_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct raw_target *a = &((const struct share *)ctx)->targets[item], *b = key;

	return a->site == b->site && a->target == b->target;
}

size_t
share_find_target(const struct share *s, uint64_t site, uint64_t target)
{
	const struct raw_target key = { site, target, 0 };
	uint64_t h = hash_number(hash_number(HASH_START, site), target);
	uint32_t i = index_find(&s->target_index, h, target_equal, s, &key);

	return i == INDEX_NONE ? s->nr_targets : i;
}

void
share_add_target(struct share *s, uint64_t site, uint64_t target, uint64_t count)
{
	const struct raw_target key = { site, target, count };
	uint64_t h = hash_number(hash_number(HASH_START, site), target);
	size_t i = share_find_target(s, site, target);

	if (i < s->nr_targets) {
		s->targets[i].count = sum_capped(s->targets[i].count, count);
		return;
	}
	GROW(s->targets, s->nr_targets + 1, s->targets_alloc);
	s->targets[s->nr_targets] = key;
	index_add(&s->target_index, h, (uint32_t)s->nr_targets++);
}

/* ---- shares added up ---- */

void
share_add_squares(uint64_t to[2], const uint64_t more[2])
{
	uint64_t low = to[0] + more[0];

	to[1] = sum_capped(to[1], sum_capped(more[1], low < more[0]));
	to[0] = low;
}

static uint64_t
least(uint64_t a, uint64_t b)
{
	return a && (!b || a < b) ? a : b;
}

static uint64_t
most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void
add_facts(struct sum_facts *to, const struct sum_facts *from)
{
	static const size_t added[] = {
#define AT(member) offsetof(struct sum_facts, member)
		AT(files), AT(processes), AT(threads), AT(cpu_ns), AT(samples), AT(lost_samples),
		AT(wait_ns), AT(delay_ns), AT(long_ns), AT(short_cpu_ns), AT(short_asked_ns),
		AT(by_event), AT(by_timers), AT(cut), AT(ends), AT(copies_cut), AT(guessed),
		AT(left_space),
#undef AT
	};

	for (size_t i = 0; i < sizeof(added) / sizeof(*added); i++) {
		uint64_t *sum = (uint64_t *)((char *)to + added[i]);

		*sum = sum_capped(*sum, *(const uint64_t *)((const char *)from + added[i]));
	}
	share_add_squares(to->long_squares, from->long_squares);
	share_add_squares(to->short_squares, from->short_squares);
	to->least_period_ns = least(to->least_period_ns, from->least_period_ns);
	to->most_period_ns = most(to->most_period_ns, from->most_period_ns);
	to->sampled_events |= from->sampled_events;
}

static void
add_events(struct raw_events *to, const struct raw_events *from)
{
	to->asked |= from->asked;
	to->nr_sources = (uint32_t)most(to->nr_sources, from->nr_sources);
	for (size_t i = 0; i < sizeof(to->sources) / sizeof(*to->sources); i++) {
		struct raw_source *a = &to->sources[i];
		const struct raw_source *b = &from->sources[i];

		a->error = (uint32_t)most(a->error, b->error);
		a->ended |= b->ended;
		a->taken = sum_capped(a->taken, b->taken);
		a->missing = sum_capped(a->missing, b->missing);
		a->lost = sum_capped(a->lost, b->lost);
	}
}

static void
add_wall(struct raw_wall *to, const struct raw_wall *from)
{
	to->looks |= from->looks;
	to->elapsed_ns = most(to->elapsed_ns, from->elapsed_ns);
	to->longest_ns = most(to->longest_ns, from->longest_ns);
	to->lost = sum_capped(to->lost, from->lost);
	to->error = most(to->error, from->error);
}

/* What the heads say: where they differ nothing, or as much as they have in common. */
static void
add_head(struct share *s, const struct share *from)
{
	size_t same = 0;

	for (size_t i = 0; i < RAW_TEXTS; i++)
		if (!s->any)
			s->texts[i] = from->texts[i];
		else if (strcmp(s->texts[i], from->texts[i]))
			s->texts[i] = "";
	s->stacks.program = s->texts[RAW_TEXT_PROGRAM];
	if (!s->any) {
		s->arguments = arena_alloc(&s->arena, (from->nr_arguments + 1) * sizeof(char *));
		for (size_t i = 0; i < from->nr_arguments; i++)
			s->arguments[i] = arena_strdup(&s->arena, from->arguments[i]);
		s->nr_arguments = from->nr_arguments;
	}
	while (same < s->nr_arguments && same < from->nr_arguments &&
	       !strcmp(s->arguments[same], from->arguments[same]))
		same++;
	s->nr_arguments = same;
	s->pid = s->any && s->pid < from->pid ? s->pid : from->pid;
	s->started_ns = s->any ? least(s->started_ns, from->started_ns) : from->started_ns;
	s->started_mono_ns = s->any ? least(s->started_mono_ns, from->started_mono_ns)
				    : from->started_mono_ns;
	s->ended_ns = most(s->ended_ns, from->ended_ns);
	s->asked_interval_ns = most(s->asked_interval_ns, from->asked_interval_ns);
	s->flags |= from->flags;
	s->any = true;
}

void
share_add(struct share *s, const struct places *p, struct share *from)
{
	add_head(s, from);
	add_facts(&s->facts, &from->facts);
	add_events(&s->events, &from->events);
	add_wall(&s->wall, &from->wall);
	for (size_t i = 0; i < from->nr_counters; i++) {
		uint64_t *to;

		if (!from->counters[i])
			continue;
		to = share_counters(s, p, (int)i);
		for (size_t k = 0; k < p->items[i].nr_counters; k++)
			to[k] += from->counters[i][k]; /* as import adds them up */
	}
	stack_set_take(&s->stacks, &from->stacks);
	space_sum_add(&s->space, &from->space);
	for (size_t i = 0; i < from->nr_targets; i++)
		share_add_target(s, from->targets[i].site, from->targets[i].target,
				 from->targets[i].count);
}
