#include "collect/import/sums/space_sum.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/sums/share.h"
#include "util/sum.h"

/* As in import: larger numbers are damage. */
#define MOST ((uint64_t)1 << 53)

void
space_sum_release(struct space_sum *s)
{
	free(s->cells);
	free(s->pairs);
	index_release(&s->cell_index);
	index_release(&s->pair_index);
	*s = (struct space_sum){ .nr_cells = 0 };
}

static void
add_most(uint64_t *to, uint64_t more, uint64_t most)
{
	uint64_t sum = sum_capped(*to, more);

	*to = sum < most ? sum : most;
}

static void
add_word(uint32_t *to, uint32_t more)
{
	*to = *to + more < more ? UINT32_MAX : *to + more;
}

/* ---- cells ---- */

static bool
cell_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct summed_cell *a = &((const struct space_sum *)ctx)->cells[item], *b = key;

	return a->of.pc == b->of.pc && a->of.through == b->of.through && a->root == b->root;
}

static struct summed_cell *
find_cell(struct space_sum *s, const struct summed_cell *key)
{
	uint64_t h = hash_number(hash_number(hash_number(HASH_START, key->of.pc), key->root),
				 key->of.through);
	uint32_t i = index_find(&s->cell_index, h, cell_equal, s, key);

	if (i != INDEX_NONE)
		return &s->cells[i];
	GROW(s->cells, s->nr_cells + 1, s->cells_alloc);
	s->cells[s->nr_cells] = (struct summed_cell){
		.of = { .pc = key->of.pc, .through = key->of.through }, .root = key->root,
	};
	index_add(&s->cell_index, h, (uint32_t)s->nr_cells);
	return &s->cells[s->nr_cells++];
}

static void
add_cell(struct summed_cell *to, const struct summed_cell *from)
{
	add_most(&to->of.blocks, from->of.blocks, MOST);
	add_most(&to->of.bytes, from->of.bytes, MOST);
	add_most(&to->of.freed_blocks, from->of.freed_blocks, MOST);
	add_most(&to->of.freed_bytes, from->of.freed_bytes, MOST);
	add_most(&to->of.slack, from->of.slack, MOST);
	add_word(&to->of.empty, from->of.empty);
	add_word(&to->of.strange, from->of.strange);
	add_most(&to->pool_peak, from->pool_peak, MOST);
	add_most(&to->left_blocks, from->left_blocks, MOST);
}

/* ---- pairs ---- */

static bool
pair_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct raw_space_pair *a = &((const struct space_sum *)ctx)->pairs[item], *b = key;

	return a->pc == b->pc && a->producer_pc == b->producer_pc;
}

static void
add_pair(struct space_sum *s, const struct raw_space_pair *from)
{
	static const size_t added[] = {
#define AT(member) offsetof(struct raw_space_pair, member)
		AT(bytes), AT(moved), AT(copied), AT(grown), AT(timed),
#undef AT
	};
	uint64_t h = hash_number(hash_number(HASH_START, from->pc), from->producer_pc);
	uint32_t i = index_find(&s->pair_index, h, pair_equal, s, from);
	struct raw_space_pair *to;

	if (i == INDEX_NONE) {
		GROW(s->pairs, s->nr_pairs + 1, s->pairs_alloc);
		index_add(&s->pair_index, h, (uint32_t)s->nr_pairs);
		s->pairs[s->nr_pairs++] = *from;
		return;
	}
	to = &s->pairs[i];
	for (size_t k = 0; k < sizeof(added) / sizeof(*added); k++)
		add_most((uint64_t *)((char *)to + added[k]),
			 *(const uint64_t *)((const char *)from + added[k]), MOST);
	for (int k = 0; k < RAW_SPACE_LIVES; k++)
		add_most(&to->lives[k], from->lives[k], MOST);
	add_most(&to->life, from->life, INT64_MAX);
	add_most(&to->least_ns, from->least_ns, INT64_MAX);
	add_most(&to->most_ns, from->most_ns, INT64_MAX);
}

/* ---- reading ---- */

struct reading {
	struct space_sum *s;
	const struct rawfile *r;
	const int *place_of;
	struct cell_at { uint64_t where; uint32_t cell; } *at; /* of the file, as they come */
	size_t nr, alloc;
};

/* PC, of MODULE, as an address in places; what stands above an address stays. 0: nobody's. */
static uint64_t
in_places(const struct reading *x, uint64_t pc, uint32_t module)
{
	uint64_t address = pc & RAW_SPACE_PC_MASK;
	int m = address ? rawfile_module(x->r, module) : -1;

	address -= m < 0 ? address : x->r->modules[m].load_bias;
	if (m < 0 || address >> SUM_PLACE)
		return pc & ~RAW_SPACE_PC_MASK;
	return (pc & ~RAW_SPACE_PC_MASK) | place_address(x->place_of[m], address);
}

static bool
read_at(const struct reading *x, const struct raw_part *p, uint64_t at, void *to, size_t size)
{
	return at + size <= p->size && rawfile_read(x->r, p->offset + at, to, size) == size;
}

/* Returns the outermost call of the wrapper that cell NUMBER of P, *C, is in; as import does. */
static uint64_t
root_of(const struct reading *x, const struct raw_part *p, uint64_t number,
	const struct raw_space_cell *c)
{
	struct raw_space_cell above = *c;

	while (above.through >> 1 && above.through >> 1 <= number) {
		number = (above.through >> 1) - 1;
		if (!read_at(x, p, number * sizeof(above), &above, sizeof(above)))
			break;
	}
	return in_places(x, above.pc & RAW_SPACE_PC_MASK, above.module);
}

static bool
is_sound_cell(const struct raw_space_cell *c)
{
	return c->blocks <= MOST && c->bytes <= MOST && c->freed_blocks <= MOST &&
	       c->freed_bytes <= MOST && c->slack <= MOST;
}

static void
read_cells(struct reading *x, const struct raw_part *p)
{
	struct summed_cell c = { .root = 0 }, *to;

	for (uint64_t at = 0; read_at(x, p, at, &c.of, sizeof(c.of)); at += sizeof(c.of)) {
		if (!is_sound_cell(&c.of))
			break;
		c.root = root_of(x, p, at / sizeof(c.of), &c.of);
		c.of.pc = in_places(x, c.of.pc, c.of.module);
		c.of.through &= 1;
		to = find_cell(x->s, &c);
		add_cell(to, &c);
		GROW(x->at, x->nr + 1, x->alloc);
		x->at[x->nr++] = (struct cell_at){ p->offset + at, (uint32_t)(to - x->s->cells) };
	}
}

static bool
is_sound_pair(const struct raw_space_pair *p)
{
	uint64_t most = p->bytes | p->moved | p->copied | p->grown | p->timed;

	for (int i = 0; i < RAW_SPACE_LIVES; i++)
		most |= p->lives[i];
	return most <= MOST && p->life <= INT64_MAX && p->least_ns <= p->most_ns &&
	       p->most_ns <= INT64_MAX;
}

static void
read_pairs(const struct reading *x, const struct raw_part *part)
{
	struct raw_space_pair p;

	for (uint64_t at = 0; read_at(x, part, at, &p, sizeof(p)); at += sizeof(p)) {
		uint64_t blocks = 0;

		if (!is_sound_pair(&p))
			break;
		for (int i = 0; i < RAW_SPACE_LIVES; i++)
			blocks |= p.lives[i];
		p.pc = in_places(x, p.pc, p.module);
		p.producer_pc = in_places(x, p.producer_pc, p.producer_module);
		p.module = p.producer_module = 0;
		if (blocks)
			add_pair(x->s, &p);
	}
}

static int
compare_at(const void *a, const void *b)
{
	const struct cell_at *x = a, *y = b;

	return x->where < y->where ? -1 : x->where > y->where;
}

/* The first record of a process tells which peak was its last. */
static void
read_pools(const struct reading *x, const struct raw_part *part)
{
	struct raw_space_pool first, p;

	if (!x->nr || !read_at(x, part, 0, &first, sizeof(first)))
		return;
	qsort(x->at, x->nr, sizeof(*x->at), compare_at);
	for (uint64_t at = sizeof(p); read_at(x, part, at, &p, sizeof(p)); at += sizeof(p)) {
		const struct cell_at key = { p.cell, 0 };
		const struct cell_at *found = bsearch(&key, x->at, x->nr, sizeof(key), compare_at);
		uint64_t peak = p.peak == first.peak ? p.at_peak : p.live;

		if (!found || peak > MOST || p.before > MOST || p.left_blocks > MOST)
			continue;
		add_most(&x->s->cells[found->cell].pool_peak, peak + p.before, MOST);
		add_most(&x->s->cells[found->cell].left_blocks, p.left_blocks, MOST);
	}
}

bool
space_sum_facts(const struct rawfile *r, struct sum_space *facts)
{
	const struct raw_part *p = rawfile_part(r, SUM_SPACE);
	uint64_t files = 0;

	if (!p || p->size < sizeof(*facts) ||
	    rawfile_read(r, p->offset, facts, sizeof(*facts)) < sizeof(*facts))
		return false;
	for (int i = 0; i < RAW_SPACE_STATES; i++) {
		if (facts->states[i] > UINT32_MAX)
			return false;
		files += facts->states[i];
	}
	return files > 0;
}

static void
add_facts(struct sum_space *to, const struct sum_space *from)
{
	for (int i = 0; i < RAW_SPACE_STATES; i++)
		add_most(&to->states[i], from->states[i], UINT32_MAX);
	add_most(&to->early, from->early, MOST);
	add_most(&to->lost, from->lost, MOST);
	add_most(&to->killed, from->killed, MOST);
}

static void
read_facts(struct space_sum *s, const struct rawfile *r, uint64_t threads)
{
	const struct raw_part *p = rawfile_part(r, RAW_SPACE);
	struct sum_space facts = { .early = 0 };
	struct raw_space raw;

	if (r->sum) {
		if (space_sum_facts(r, &facts))
			add_facts(&s->facts, &facts);
		return;
	}
	if (!p || p->size < sizeof(raw) ||
	    rawfile_read(r, p->offset, &raw, sizeof(raw)) < sizeof(raw) ||
	    raw.state >= RAW_SPACE_STATES)
		return;
	facts.states[raw.state] = 1;
	facts.early = raw.early;
	facts.lost = raw.lost;
	facts.killed = r->head.ended_ns ? 0 : threads;
	add_facts(&s->facts, &facts);
}

void
space_sum_read(struct space_sum *s, const struct rawfile *r, const int *place_of, uint64_t threads)
{
	struct reading x = { .s = s, .r = r, .place_of = place_of };

	read_facts(s, r, threads);
	for (size_t i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_SPACE_CELLS)
			read_cells(&x, &r->parts[i]);
		else if (r->parts[i].kind == RAW_SPACE_PAIRS)
			read_pairs(&x, &r->parts[i]);
	for (size_t i = 0; i < r->nr_parts; i++)
		if (r->parts[i].kind == RAW_SPACE_POOLS)
			read_pools(&x, &r->parts[i]);
	free(x.at);
}

void
space_sum_add(struct space_sum *s, const struct space_sum *from)
{
	add_facts(&s->facts, &from->facts);
	for (size_t i = 0; i < from->nr_cells; i++)
		add_cell(find_cell(s, &from->cells[i]), &from->cells[i]);
	for (size_t i = 0; i < from->nr_pairs; i++)
		add_pair(s, &from->pairs[i]);
}
