#include "collect/import/counts/lines.h"

#include <stdlib.h>
#include <string.h>

#include "util/order.h"

/* Procedures of one place are copies of one text: instances of a template, a header's in several
 * units, a file's that is included several times. Their counts of a line add up, and so do those of
 * all procedures whose own text is elsewhere: each constructor has a copy of a member's
 * initialiser. When several texts are on the line (a lambda's is part of another one's) one
 * counts. */
struct line_share {
	uint32_t line;               /* index into m->lines */
	struct table_place place;    /* of the procedures, with the model's file; or 0 */
	uint64_t count;
	bool counts;                 /* lines_finish() */
};

struct line_item {                   /* a block of a procedure that stands on a line */
	uint32_t line, group;
	uint64_t count;
	struct table_line *note;
};

struct line_key { model_id file; uint32_t line; };
struct share_key { uint32_t line; const struct table_place *place; };

static uint64_t
line_hash(model_id file, uint32_t line)
{
	return hash_number(hash_number(HASH_START, file), line);
}

static bool
line_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct model_line *u = &((const struct line_counts *)ctx)->m->lines[item];
	const struct line_key *k = key;

	return u->file == k->file && u->line == k->line;
}

static uint64_t
share_hash(uint32_t line, const struct table_place *place)
{
	return hash_number(hash_number(line_hash(place->file, line), place->line), place->column);
}

static bool
share_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct line_share *s = &((const struct line_counts *)ctx)->shares[item];
	const struct share_key *k = key;

	return s->line == k->line && s->place.file == k->place->file &&
	       s->place.line == k->place->line && s->place.column == k->place->column;
}

void
lines_init(struct line_counts *l, struct model *m)
{
	*l = (struct line_counts){ .m = m };
}

void
lines_release(struct line_counts *l)
{
	free(l->shares);
	free(l->items);
	free(l->executions);
	index_release(&l->by_share);
	index_release(&l->by_place);
	*l = (struct line_counts){ .m = NULL };
}

struct model_line *
lines_find(const struct line_counts *l, model_id file, uint32_t line)
{
	struct line_key key = { file, line };
	uint32_t i = index_find(&l->by_place, line_hash(file, line), line_equal, l, &key);

	return i == INDEX_NONE ? NULL : &l->m->lines[i];
}

static uint32_t
line_number(struct line_counts *l, model_id file, uint32_t number)
{
	struct model_line *line = lines_find(l, file, number);

	if (!line) {
		index_add(&l->by_place, line_hash(file, number), (uint32_t)l->m->nr_lines);
		line = MODEL_ADD(l->m, lines);
		line->file = file;
		line->line = number;
	}
	return (uint32_t)(line - l->m->lines);
}

static uint32_t
share_number(struct line_counts *l, uint32_t line, const struct table_place *place)
{
	struct share_key key = { line, place };
	uint64_t h = share_hash(line, place);
	uint32_t i = index_find(&l->by_share, h, share_equal, l, &key);

	if (i != INDEX_NONE)
		return i;
	GROW(l->shares, l->nr_shares + 1, l->shares_alloc);
	i = (uint32_t)l->nr_shares++;
	l->shares[i] = (struct line_share){ .line = line, .place = *place };
	index_add(&l->by_share, h, i);
	return i;
}

/* The share of a procedure at PLACE in a line of the model. */
static uint32_t
share_of(struct line_counts *l, uint32_t line, const struct table_place *place)
{
	static const struct table_place elsewhere;
	const struct model_line *at = &l->m->lines[line];
	bool here = place->file == at->file && place->line <= at->line &&
		    at->line <= place->end_line;

	return share_number(l, line, here ? place : &elsewhere);
}

/* The call in block B comes back more often than it was made: take that off N of the block
 * behind it, which tests what came back. */
static void
forget_returns(const struct table_procedure *p, const struct counts *c, uint32_t b, uint64_t *n)
{
	uint32_t e, behind;
	uint64_t more;

	for (e = 0; e < p->nr_edges; e++) {
		if (p->edges[e].from != 2 + 2 * b || !p->edges[e].to ||
		    c->edges[e] <= c->blocks[b])
			continue;
		behind = (p->edges[e].to - 1) / 2;
		more = c->edges[e] - c->blocks[b];
		n[behind] -= more < n[behind] ? more : n[behind];
	}
}

/* Returns how often each block was executed, as far as lines are concerned: that of setjmp() was
 * not executed once more when longjmp() came back to it, only what is behind it. vfork() is another
 * matter: two processes go on from there. */
static const uint64_t *
executions(struct line_counts *l, const struct table_procedure *p, const struct counts *c)
{
	uint64_t *n = NULL;
	uint32_t i;

	for (i = 0; i < p->nr_sites; i++) {
		if (!(p->sites[i].flags & SITE_RETURNS_TWICE) ||
		    strstr(p->sites[i].target, "vfork"))
			continue;
		if (!n) {
			GROW(l->executions, p->nr_blocks, l->executions_alloc);
			n = memcpy(l->executions, c->blocks, p->nr_blocks * sizeof(*n));
		}
		forget_returns(p, c, p->sites[i].block, n);
	}
	return n ? n : c->blocks;
}

static size_t
collect_items(struct line_counts *l, const struct table_procedure *p, const struct counts *c,
	      const model_id *files)
{
	const uint64_t *count = executions(l, p, c);
	size_t n = 0;
	uint32_t b, i;

	for (b = 0; b < p->nr_blocks; b++)
		for (i = 0; i < p->blocks[b].nr_lines; i++) {
			struct table_line *note = &p->blocks[b].lines[i];

			note->share = 0;
			if (!note->line)
				continue;
			GROW(l->items, n + 1, l->items_alloc);
			l->items[n++] = (struct line_item){
				line_number(l, files[note->file], note->line), note->group,
				count[b], note,
			};
		}
	return n;
}

static int
compare_items(const void *a, const void *b)
{
	const struct line_item *x = a, *y = b;

	COMPARE(x->line, y->line);
	return x->group < y->group ? -1 : x->group > y->group;
}

/* ITEMS[0..N) are one line's. The first of its groups with the greatest count is what counts. */
static void
add_line(struct line_counts *l, const struct line_item *items, size_t n,
	 const struct table_place *place)
{
	uint32_t share = share_of(l, items->line, place);
	size_t i, k, best = 0, end = 0;
	uint64_t sum, most = 0;

	for (i = 0; i < n; i = k) {
		sum = 0;
		for (k = i; k < n && items[k].group == items[i].group; k++)
			sum = count_add(sum, items[k].count);
		if (!end || sum > most) {
			best = i;
			end = k;
			most = sum;
		}
	}
	for (i = best; i < end; i++)
		items[i].note->share = share + 1;
	l->shares[share].count = count_add(l->shares[share].count, most);
}

void
lines_add(struct line_counts *l, const struct table_procedure *p, const struct counts *c,
	  const model_id *files)
{
	struct table_place place = p->place;
	size_t i, k, n = collect_items(l, p, c, files);

	place.file = place.line ? files[place.file] : 0;
	if (n)
		qsort(l->items, n, sizeof(*l->items), compare_items);
	for (i = 0; i < n; i = k) {
		for (k = i + 1; k < n && l->items[k].line == l->items[i].line; k++)
			;
		add_line(l, &l->items[i], k - i, &place);
	}
}

void
lines_lack(struct line_counts *l, const struct table_procedure *p, const uint64_t *blocks,
	   const model_id *files)
{
	const struct table_line *note;
	struct model_line *line;
	uint32_t b, i;

	for (b = 0; b < p->nr_blocks; b++)
		for (i = 0; blocks[b] && i < p->blocks[b].nr_lines; i++) {
			note = &p->blocks[b].lines[i];
			line = note->line ? lines_find(l, files[note->file], note->line) : NULL;
			if (line && line->lacking < blocks[b])
				line->lacking = blocks[b];
		}
}

void
lines_finish(struct line_counts *l)
{
	uint32_t *most = xcalloc(l->m->nr_lines, sizeof(*most)); /* number + 1 */
	struct line_share *s;
	size_t i;

	for (i = 0; i < l->nr_shares; i++) {
		s = &l->shares[i];
		if (!most[s->line] || s->count > l->shares[most[s->line] - 1].count)
			most[s->line] = (uint32_t)i + 1;
	}
	for (i = 0; i < l->m->nr_lines; i++) {
		if (!most[i])
			continue;
		s = &l->shares[most[i] - 1];
		s->counts = true;
		l->m->lines[i].count = s->count;
	}
	free(most);
}

void
lines_add_part(struct line_counts *l, const struct table_procedure *p,
	       const struct counts *c, struct part_entries *e)
{
	const uint64_t *count = executions(l, p, c);
	const struct line_share *share;
	uint32_t b, i;

	for (b = 0; b < p->nr_blocks; b++)
		for (i = 0; i < p->blocks[b].nr_lines; i++) {
			if (!p->blocks[b].lines[i].share)
				continue;
			share = &l->shares[p->blocks[b].lines[i].share - 1];
			if (share->counts)
				part_add(e, PART_LINE_COUNT, share->line + 1, count[b]);
		}
}
