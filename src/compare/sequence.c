#include "compare/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum {
	MAX_DEPTH = 30,          /* of anchors within anchors */
	MAX_EDITS = 1000,        /* that Myers looks for: D * D steps, and words of memory */
};

/* Elements that are looked at between two looks at the clock. */
enum { STRIDE = 2048 };

struct anchor { uint32_t a, b, before; };

struct part { uint32_t a, a_end, b, b_end; };

enum stage {
	TRIM_BEGIN, TRIM_END, COUNT_A, COUNT_B, FIND_ANCHORS, CLEAR_A, CLEAR_B, CHAIN, GAPS, EDITS
};

/* A part that is being paired; those within it are above it on the stack. */
struct frame {
	struct part part;
	enum stage stage;
	uint32_t at;             /* what is done in this stage: elements, anchors, gaps */
	struct anchor *anchors;
	size_t nr, alloc;
	uint32_t *tops;          /* [length - 1]: the lowest last anchor of a chain so long */
	size_t length;
};

struct sequence {
	const uint32_t *a, *b;
	uint32_t *pair;
	uint64_t *work;
	uint32_t *in_a, *in_b;   /* [id]: occurrences in the part that is looked at (0, 1, 2) */
	uint32_t *at_b;          /* [id]: its place in B */
	struct frame *frames;
	size_t depth, frames_alloc;
	int32_t *rows;           /* of EDITS: see furthest(); row D begins at D * D */
	size_t rows_alloc;
	int32_t d, k;            /* the row that is made, and how far it is */
	unsigned looked_at;      /* elements since the last look at the clock */
};

static bool
spend(struct sequence *p, uint64_t steps)
{
	if (*p->work < steps) {
		*p->work = 0;
		return false;
	}
	*p->work -= steps;
	return true;
}

/* ---- stages: each is called until it is over, and does a part of it at a time ---- */

static bool
trim_begin(struct sequence *p, struct frame *f)
{
	struct part *t = &f->part;

	for (int n = 0; n < STRIDE; n++, p->looked_at++) {
		if (t->a == t->a_end || t->b == t->b_end || p->a[t->a] != p->b[t->b])
			return true;
		p->pair[t->a++] = t->b++;
	}
	return false;
}

static bool
trim_end(struct sequence *p, struct frame *f)
{
	struct part *t = &f->part;

	for (int n = 0; n < STRIDE; n++, p->looked_at++) {
		if (t->a == t->a_end || t->b == t->b_end ||
		    p->a[t->a_end - 1] != p->b[t->b_end - 1])
			return true;
		p->pair[--t->a_end] = --t->b_end;
	}
	return false;
}

/* ---- Myers: the shortest edit script of a small part ---- */

/* The furthest point of D edits on diagonal K, from the row V of D - 1 edits; V[k + offset]. */
static int32_t
furthest(const int32_t *v, int32_t d, int32_t k)
{
	bool down = k == -d || (k != d && v[k - 1] < v[k + 1]);

	return down ? v[k + 1] : v[k - 1] + 1;
}

/* Back from the end, through the rows: what was the same becomes pairs. Row D begins at D * D. */
static void
trace_back(struct sequence *p, const struct part *t, const int32_t *rows, int32_t d, int32_t x,
	   int32_t y)
{
	for (; d >= 0; d--) {
		const int32_t *before = rows + (int64_t)(d - 1) * (d - 1) + (d - 1);
		int32_t k = x - y, from, begin = 0;

		if (d) {
			bool down = k == -d || (k != d && before[k - 1] < before[k + 1]);

			from = down ? before[k + 1] : before[k - 1];
			begin = down ? from : from + 1;
			while (x > begin)
				p->pair[t->a + (uint32_t)--x] = t->b + (uint32_t)--y;
			x = from;
			y = from - (down ? k + 1 : k - 1);
		} else {
			while (x > 0)
				p->pair[t->a + (uint32_t)--x] = t->b + (uint32_t)--y;
		}
	}
}

static int32_t *
row_of(struct sequence *p, int32_t d)
{
	return p->rows + (int64_t)d * d + d;
}

/* False: that would take too long. */
static bool
begin_row(struct sequence *p, const struct part *t)
{
	uint64_t most = (uint64_t)(t->a_end - t->a) + (t->b_end - t->b);
	int32_t *row;

	if ((uint64_t)p->d > (most < MAX_EDITS ? most : MAX_EDITS))
		return false;
	GROW(p->rows, (size_t)(p->d + 1) * (size_t)(p->d + 1), p->rows_alloc);
	row = row_of(p, p->d);
	for (int32_t k = -p->d; k <= p->d; k++)
		row[k] = -1;
	p->k = -p->d;
	return spend(p, (uint64_t)p->d + 1);
}

/* Diagonal K of the row: 1 when the end is reached, -1 when there is no more work to spend. */
static int
go_diagonal(struct sequence *p, const struct part *t)
{
	const uint32_t *a = p->a + t->a, *b = p->b + t->b;
	int32_t n = (int32_t)(t->a_end - t->a), m = (int32_t)(t->b_end - t->b);
	int32_t x = p->d ? furthest(row_of(p, p->d - 1), p->d, p->k) : 0, y = x - p->k;
	int32_t begin = x, *row = row_of(p, p->d);

	while (x < n && y < m && y >= 0 && a[x] == b[y])
		x++, y++;
	row[p->k] = x;
	if (x > n || y > m)
		row[p->k] = INT32_MIN / 2; /* beyond the edge: nothing leads on */
	p->looked_at += 1 + (x > begin ? (unsigned)(x - begin) : 0);
	if (!spend(p, (uint64_t)(x > begin ? x - begin : 0)))
		return -1;
	if (x != n || y != m)
		return 0;
	trace_back(p, t, p->rows, p->d, x, y);
	return 1;
}

static bool
pair_shortest(struct sequence *p, struct frame *f)
{
	for (unsigned begin = p->looked_at; p->looked_at - begin < STRIDE;) {
		if (p->k > p->d) {
			p->d++;
			if (!begin_row(p, &f->part))
				return true;
		}
		if (go_diagonal(p, &f->part))
			return true;
		p->k += 2;
	}
	return false;
}

/* ---- patience: what occurs once in both ---- */

static bool
count_a(struct sequence *p, struct frame *f, bool clear)
{
	for (int n = 0; n < STRIDE && f->at < f->part.a_end; n++, p->looked_at++) {
		uint32_t *nr = &p->in_a[p->a[f->at++]];

		*nr = clear ? 0 : *nr + (*nr < 2);
	}
	return f->at == f->part.a_end;
}

static bool
count_b(struct sequence *p, struct frame *f, bool clear)
{
	for (int n = 0; n < STRIDE && f->at < f->part.b_end; n++, p->looked_at++) {
		uint32_t *nr = &p->in_b[p->b[f->at]];

		*nr = clear ? 0 : *nr + (*nr < 2);
		p->at_b[p->b[f->at]] = f->at;
		f->at++;
	}
	return f->at == f->part.b_end;
}

static bool
find_anchors(struct sequence *p, struct frame *f)
{
	for (int n = 0; n < STRIDE && f->at < f->part.a_end; n++, p->looked_at++) {
		uint32_t i = f->at++, id = p->a[i];

		if (p->in_a[id] != 1 || p->in_b[id] != 1)
			continue;
		GROW(f->anchors, f->nr + 1, f->alloc);
		f->anchors[f->nr++] = (struct anchor){ i, p->at_b[id], 0 };
	}
	return f->at == f->part.a_end;
}

/* The anchor joins the longest chain that it ascends from in B, too. */
static void
join_chain(struct frame *f, uint32_t i)
{
	size_t low = 0, high = f->length;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (f->anchors[f->tops[middle]].b < f->anchors[i].b)
			low = middle + 1;
		else
			high = middle;
	}
	f->anchors[i].before = low ? f->tops[low - 1] : UINT32_MAX;
	f->tops[low] = i;
	if (low == f->length)
		f->length++;
}

/* The longest chain is moved to the front. */
static void
keep_chain(struct frame *f)
{
	uint32_t at = f->length ? f->tops[f->length - 1] : 0;

	/* Each is at or behind the place that it is moved to, when the last goes first. */
	for (size_t k = f->length; k-- > 0;) {
		f->tops[k] = at;
		at = f->anchors[at].before;
	}
	for (size_t k = 0; k < f->length; k++)
		f->anchors[k] = f->anchors[f->tops[k]];
	f->nr = f->length;
	free(f->tops);
	f->tops = NULL;
}

static bool
chain(struct sequence *p, struct frame *f)
{
	if (!f->tops)
		f->tops = xcalloc(f->nr + 1, sizeof(*f->tops));
	for (int n = 0; n < STRIDE / 8 && f->at < f->nr; n++, p->looked_at += 8)
		join_chain(f, f->at++);
	if (f->at < f->nr)
		return false;
	keep_chain(f);
	return true;
}

/* ---- all of it ---- */

static void
push(struct sequence *p, struct part part)
{
	GROW(p->frames, p->depth + 1, p->frames_alloc);
	p->frames[p->depth++] = (struct frame){ .part = part };
}

static void
pop(struct sequence *p)
{
	struct frame *f = &p->frames[--p->depth];

	free(f->anchors);
	free(f->tops);
}

static void
next(struct frame *f, enum stage stage, uint32_t at)
{
	f->stage = stage;
	f->at = at;
}

/* The next gap between two anchors is a part by itself. */
static void
pair_gap(struct sequence *p, struct frame *f)
{
	const struct part *t = &f->part;
	uint32_t i = f->at++, last = (uint32_t)f->nr;
	struct part gap;

	p->looked_at++;
	if (i > last) {
		pop(p);
		return;
	}
	gap = (struct part){ i ? f->anchors[i - 1].a + 1 : t->a,
			     i < last ? f->anchors[i].a : t->a_end,
			     i ? f->anchors[i - 1].b + 1 : t->b,
			     i < last ? f->anchors[i].b : t->b_end };
	if (i < last)
		p->pair[f->anchors[i].a] = f->anchors[i].b;
	if (gap.a < gap.a_end && gap.b < gap.b_end)
		push(p, gap); /* F is elsewhere now */
}

static void
end_trimming(struct sequence *p, struct frame *f)
{
	const struct part *t = &f->part;

	if (t->a == t->a_end || t->b == t->b_end ||
	    !spend(p, (uint64_t)(t->a_end - t->a) + (t->b_end - t->b)))
		pop(p);
	else
		next(f, COUNT_A, t->a);
}

static void
end_anchors(struct sequence *p, struct frame *f)
{
	if (f->nr && p->depth <= MAX_DEPTH) {
		next(f, CHAIN, 0);
		return;
	}
	next(f, EDITS, 0);
	p->d = 0;
	if (!begin_row(p, &f->part))
		pop(p);
}

static void
step(struct sequence *p)
{
	struct frame *f = &p->frames[p->depth - 1];

	switch (f->stage) {
	case TRIM_BEGIN:
		if (trim_begin(p, f))
			next(f, TRIM_END, 0);
		break;
	case TRIM_END:
		if (trim_end(p, f))
			end_trimming(p, f);
		break;
	case COUNT_A:
		if (count_a(p, f, false))
			next(f, COUNT_B, f->part.b);
		break;
	case COUNT_B:
		if (count_b(p, f, false))
			next(f, FIND_ANCHORS, f->part.a);
		break;
	case FIND_ANCHORS:
		if (find_anchors(p, f))
			next(f, CLEAR_A, f->part.a);
		break;
	case CLEAR_A:
		if (count_a(p, f, true))
			next(f, CLEAR_B, f->part.b);
		break;
	case CLEAR_B:
		if (count_b(p, f, true))
			end_anchors(p, f);
		break;
	case CHAIN:
		if (chain(p, f))
			next(f, GAPS, 0);
		break;
	case GAPS:
		pair_gap(p, f);
		break;
	case EDITS:
		if (pair_shortest(p, f))
			pop(p);
		break;
	}
}

struct sequence *
sequence_begin(const uint32_t *a, size_t nr_a, const uint32_t *b, size_t nr_b, size_t nr_ids,
	       uint32_t *pair, uint64_t *work)
{
	struct sequence *p = xcalloc(1, sizeof(*p));

	*p = (struct sequence){ .a = a, .b = b, .pair = pair, .work = work };
	memset(pair, 0xff, nr_a * sizeof(*pair));
	p->in_a = xcalloc(nr_ids, sizeof(*p->in_a));
	p->in_b = xcalloc(nr_ids, sizeof(*p->in_b));
	p->at_b = xcalloc(nr_ids, sizeof(*p->at_b));
	push(p, (struct part){ 0, (uint32_t)nr_a, 0, (uint32_t)nr_b });
	return p;
}

bool
sequence_work(struct sequence *p, bool (*enough)(void *context), void *context)
{
	while (p->depth) {
		step(p);
		if (p->looked_at < STRIDE || !enough)
			continue;
		p->looked_at = 0;
		if (enough(context))
			return !p->depth;
	}
	return true;
}

void
sequence_free(struct sequence *p)
{
	if (!p)
		return;
	while (p->depth)
		pop(p);
	free(p->in_a);
	free(p->in_b);
	free(p->at_b);
	free(p->frames);
	free(p->rows);
	free(p);
}
