#include "collect/lines.h"

#include <stdlib.h>
#include <string.h>

/* gcov's rule (gcov.c, add_line_counts and accumulate_line_info). A block adds its count to each
 * line that it stands on. But a line that is the last one of some blocks is counted anew: as often
 * as control came into these blocks from others, plus the turns of the cycles that lie on the line
 * entirely. gcov does this for a unit at once, so a line that several procedures share is counted
 * anew when it ends a block of one of them. */
struct unit_line {
	model_id file;
	uint32_t line;
	uint64_t sum;        /* of all its blocks */
	uint64_t entered;    /* counted anew */
	bool ends;           /* some block ends here */
};

struct line_end { uint32_t line, block; }; /* line: index into lines->unit */

struct lines_room {
	struct line_end *ends;
	size_t nr_ends, ends_alloc;
	uint32_t *first_in, *in;     /* edges into block b: in[first_in[b]..first_in[b + 1]) */
	uint32_t *first_out, *out;
	size_t first_in_alloc, in_alloc, first_out_alloc, out_alloc;
	uint32_t *group;             /* per block: number of the group it is in, 0 none */
	uint32_t *seen;              /* per block: number of the search that saw it */
	uint64_t *left;              /* per edge: count that is not yet part of a cycle */
	size_t group_alloc, seen_alloc, left_alloc;
	uint32_t *path, *position;   /* a search: edges taken; per block, edge to try next */
	size_t path_alloc, position_alloc;
	uint32_t nr_groups, nr_searches;
};

struct line_key { model_id file; uint32_t line; };

static uint64_t
line_hash(model_id file, uint32_t line)
{
	return hash_number(hash_number(HASH_START, file), line);
}

static bool
unit_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct unit_line *u = &((const struct line_counts *)ctx)->unit[item];
	const struct line_key *k = key;

	return u->file == k->file && u->line == k->line;
}

static bool
model_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct model_line *u = &((const struct line_counts *)ctx)->m->lines[item];
	const struct line_key *k = key;

	return u->file == k->file && u->line == k->line;
}

void
lines_init(struct line_counts *l, struct model *m)
{
	*l = (struct line_counts){ .m = m, .room = xcalloc(1, sizeof(*l->room)) };
}

void
lines_release(struct line_counts *l)
{
	struct lines_room *r = l->room;

	if (r) {
		free(r->ends);
		free(r->first_in);
		free(r->in);
		free(r->first_out);
		free(r->out);
		free(r->group);
		free(r->seen);
		free(r->left);
		free(r->path);
		free(r->position);
		free(r);
	}
	free(l->unit);
	index_release(&l->unit_index);
	index_release(&l->by_place);
	*l = (struct line_counts){ .m = NULL };
}

static uint32_t
unit_line(struct line_counts *l, model_id file, uint32_t line)
{
	struct line_key key = { file, line };
	uint64_t h = line_hash(file, line);
	uint32_t i = index_find(&l->unit_index, h, unit_equal, l, &key);

	if (i != INDEX_NONE)
		return i;
	GROW(l->unit, l->nr_unit + 1, l->unit_alloc);
	i = (uint32_t)l->nr_unit++;
	l->unit[i] = (struct unit_line){ .file = file, .line = line };
	index_add(&l->unit_index, h, i);
	return i;
}

struct model_line *
lines_find(const struct line_counts *l, model_id file, uint32_t line)
{
	struct line_key key = { file, line };
	uint32_t i = index_find(&l->by_place, line_hash(file, line), model_equal, l, &key);

	return i == INDEX_NONE ? NULL : &l->m->lines[i];
}

static uint64_t
add(uint64_t a, uint64_t b)
{
	return a + b < a || a + b > INT64_MAX ? INT64_MAX : a + b;
}

/* Sum up the blocks of P (C is NULL: they were not executed), and note which line is the last of
 * each: the greatest, as gcov sorts the lines of each stretch in one file before it takes the last.
 */
static void
sum_blocks(struct line_counts *l, const struct table_procedure *p, const struct counts *c,
	   const model_id *files)
{
	struct lines_room *r = l->room;
	uint32_t b, i, at, last = 0;

	r->nr_ends = 0;
	for (b = 0; b < p->nr_blocks; b++) {
		const struct table_block *block = &p->blocks[b];
		uint32_t greatest = 0;

		for (i = 0; i < block->nr_lines; i++) {
			if (!block->lines[i].line)
				continue;
			at = unit_line(l, files[block->lines[i].file], block->lines[i].line);
			if (c)
				l->unit[at].sum = add(l->unit[at].sum, c->blocks[b]);
			if (block->lines[i].line > greatest) {
				greatest = block->lines[i].line;
				last = at;
			}
			if (i + 1 < block->nr_lines &&
			    block->lines[i + 1].file == block->lines[i].file)
				continue;
			l->unit[last].ends = true;
			GROW(r->ends, r->nr_ends + 1, r->ends_alloc);
			r->ends[r->nr_ends++] = (struct line_end){ last, b };
			greatest = 0;
		}
	}
}

static uint32_t
block_of(uint32_t vertex)
{
	return vertex ? (vertex - 1) / 2 : UINT32_MAX;
}

/* Sort the edges by the block they enter, and by the block they leave. */
static void
sort_edges(struct lines_room *r, const struct table_procedure *p, const struct counts *c)
{
	size_t n = (size_t)p->nr_blocks + 2;
	uint32_t e, b, from, to;

	GROW(r->first_in, n, r->first_in_alloc);
	GROW(r->first_out, n, r->first_out_alloc);
	GROW(r->in, p->nr_edges, r->in_alloc);
	GROW(r->out, p->nr_edges, r->out_alloc);
	GROW(r->left, p->nr_edges, r->left_alloc);
	memset(r->first_in, 0, n * sizeof(*r->first_in));
	memset(r->first_out, 0, n * sizeof(*r->first_out));
	for (e = 0; e < p->nr_edges; e++) {
		r->left[e] = c->edges[e];
		if ((to = block_of(p->edges[e].to)) != UINT32_MAX)
			r->first_in[to + 2]++;
		if ((from = block_of(p->edges[e].from)) != UINT32_MAX)
			r->first_out[from + 2]++;
	}
	for (b = 2; b < n; b++) {
		r->first_in[b] += r->first_in[b - 1];
		r->first_out[b] += r->first_out[b - 1];
	}
	for (e = 0; e < p->nr_edges; e++) {
		if ((to = block_of(p->edges[e].to)) != UINT32_MAX)
			r->in[r->first_in[to + 1]++] = e;
		if ((from = block_of(p->edges[e].from)) != UINT32_MAX)
			r->out[r->first_out[from + 1]++] = e;
	}
}

/* Find one cycle through START within its group, over edges that have count left and blocks not
 * before START; returns the length of room->path, 0 none. Depth first without recursion. */
static size_t
find_cycle(struct lines_room *r, const struct table_procedure *p, uint32_t start)
{
	uint32_t at = start, e, to, search = ++r->nr_searches;
	size_t depth = 0;

	r->seen[start] = search;
	r->position[start] = r->first_out[start];
	for (;;) {
		if (r->position[at] == r->first_out[at + 1]) {
			if (!depth)
				return 0;
			at = block_of(p->edges[r->path[--depth]].from);
			continue;
		}
		e = r->out[r->position[at]++];
		to = block_of(p->edges[e].to);
		if (to == UINT32_MAX || to < start || !r->left[e] ||
		    r->group[to] != r->group[start])
			continue;
		r->path[depth] = e;
		if (to == start)
			return depth + 1;
		if (r->seen[to] == search)
			continue;
		r->seen[to] = search;
		r->position[to] = r->first_out[to];
		at = to;
		depth++;
	}
}

/* Take all cycles through START away; returns how often they were gone round. */
static uint64_t
take_cycles(struct lines_room *r, const struct table_procedure *p, uint32_t start)
{
	uint64_t turns = 0, least;
	size_t n, i;

	while ((n = find_cycle(r, p, start))) {
		least = r->left[r->path[0]];
		for (i = 1; i < n; i++)
			least = r->left[r->path[i]] < least ? r->left[r->path[i]] : least;
		for (i = 0; i < n; i++)
			r->left[r->path[i]] -= least;
		turns += least;
	}
	return turns;
}

static bool
only_leaves(const struct lines_room *r, const struct table_procedure *p, uint32_t block)
{
	uint32_t k;

	for (k = r->first_out[block]; k < r->first_out[block + 1]; k++)
		if (block_of(p->edges[r->out[k]].to) != UINT32_MAX)
			return false;
	return true;
}

/* The block that edge E comes from. To a return, control comes through blocks without a line where
 * variables end their lives: it has not left the line of the return then. */
static uint32_t
comes_from(const struct lines_room *r, const struct table_procedure *p, uint32_t e)
{
	uint32_t from = block_of(p->edges[e].from), steps = 0;

	if (!only_leaves(r, p, block_of(p->edges[e].to)))
		return from;
	while (from != UINT32_MAX && !p->blocks[from].nr_lines && steps++ < p->nr_blocks &&
	       r->first_in[from + 1] - r->first_in[from] == 1)
		from = block_of(p->edges[r->in[r->first_in[from]]].from);
	return from;
}

/* Count the line of ends[0..n) anew. */
static uint64_t
count_entries(struct lines_room *r, const struct table_procedure *p, const struct counts *c,
	      const struct line_end *ends, size_t n)
{
	uint64_t total = 0;
	uint32_t e, from, k, group = ++r->nr_groups;
	size_t i;

	for (i = 0; i < n; i++)
		r->group[ends[i].block] = group;
	for (i = 0; i < n; i++) {
		for (k = r->first_in[ends[i].block]; k < r->first_in[ends[i].block + 1]; k++) {
			e = r->in[k];
			from = comes_from(r, p, e);
			if (from == UINT32_MAX || r->group[from] != group)
				total = add(total, c->edges[e]);
		}
		/* Another line may have used the edge for its cycles. */
		for (k = r->first_out[ends[i].block]; k < r->first_out[ends[i].block + 1]; k++)
			r->left[r->out[k]] = c->edges[r->out[k]];
	}
	for (i = 0; i < n; i++)
		total = add(total, take_cycles(r, p, ends[i].block));
	return total;
}

static int
compare_ends(const void *a, const void *b)
{
	const struct line_end *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->block < y->block ? -1 : x->block > y->block;
}

void
lines_add(struct line_counts *l, const struct table_procedure *p, const struct counts *c,
	  const model_id *files)
{
	struct lines_room *r = l->room;
	struct unit_line *line;
	size_t i, k, n = 0;

	sum_blocks(l, p, c, files);
	if (!r->nr_ends)
		return;
	qsort(r->ends, r->nr_ends, sizeof(*r->ends), compare_ends);
	for (i = 0; i < r->nr_ends; i++) /* a block that ends on a line twice counts once */
		if (!n || compare_ends(&r->ends[n - 1], &r->ends[i]))
			r->ends[n++] = r->ends[i];
	sort_edges(r, p, c);
	GROW(r->path, (size_t)p->nr_blocks + 1, r->path_alloc);
	GROW(r->position, p->nr_blocks, r->position_alloc);
	GROW(r->group, p->nr_blocks, r->group_alloc);
	GROW(r->seen, p->nr_blocks, r->seen_alloc);
	memset(r->group, 0, p->nr_blocks * sizeof(*r->group));
	memset(r->seen, 0, p->nr_blocks * sizeof(*r->seen));
	r->nr_groups = r->nr_searches = 0;
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && r->ends[k].line == r->ends[i].line; k++)
			;
		line = &l->unit[r->ends[i].line];
		line->entered = add(line->entered,
				    count_entries(r, p, c, &r->ends[i], k - i));
	}
}

void
lines_skip(struct line_counts *l, const struct table_procedure *p, const model_id *files)
{
	sum_blocks(l, p, NULL, files);
}

static uint64_t
count_of(const struct unit_line *u)
{
	return u->ends ? u->entered : u->sum;
}

void
lines_end_part(struct line_counts *l, struct part_entries *e)
{
	const struct model_line *line;
	size_t i;

	for (i = 0; i < l->nr_unit; i++) {
		line = lines_find(l, l->unit[i].file, l->unit[i].line);
		if (line)
			part_add(e, PART_LINE_COUNT, (model_id)(line - l->m->lines) + 1,
				 count_of(&l->unit[i]));
	}
	l->nr_unit = 0;
	index_release(&l->unit_index);
}

void
lines_end_unit(struct line_counts *l)
{
	struct unit_line *u = l->unit;
	struct model_line *line;
	size_t i;

	for (i = 0; i < l->nr_unit; i++) {
		line = lines_find(l, u[i].file, u[i].line);
		if (!line) {
			index_add(&l->by_place, line_hash(u[i].file, u[i].line),
				  (uint32_t)l->m->nr_lines);
			line = MODEL_ADD(l->m, lines);
			line->file = u[i].file;
			line->line = u[i].line;
		}
		line->count = add(line->count, count_of(&u[i]));
	}
	l->nr_unit = 0;
	index_release(&l->unit_index);
}
