#include "compare/match/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "util/job.h"
#include "util/mem.h"

enum {
	MAX_DEPTH = 30,          /* of anchors within anchors */
	MAX_EDITS = 1000,        /* that Myers looks for: D * D steps, and words of memory */
};

/* Elements that are looked at for a unit of work. */
enum { UNIT = 32 };

struct part { uint32_t a, a_end, b, b_end; };

/* Elements that occur once in both sequences, in a part of them; then a chain of these. */
struct anchor { uint32_t a, b, before; };
struct anchors {
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
	int32_t *rows;           /* of edits: see furthest(); row D begins at D * D */
	size_t rows_alloc;
	unsigned looked_at;      /* elements since the last pause */
};

static void
looked_at(struct sequence *p, unsigned elements)
{
	p->looked_at += elements;
	if (p->looked_at < UNIT)
		return;
	job_pause(p->looked_at / UNIT);
	p->looked_at %= UNIT;
}

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

static void
trim(struct sequence *p, struct part *t)
{
	for (; t->a < t->a_end && t->b < t->b_end && p->a[t->a] == p->b[t->b]; looked_at(p, 1))
		p->pair[t->a++] = t->b++;
	for (; t->a < t->a_end && t->b < t->b_end && p->a[t->a_end - 1] == p->b[t->b_end - 1];
	     looked_at(p, 1))
		p->pair[--t->a_end] = --t->b_end;
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

/* Returns false when that would take too long. */
static bool
begin_row(struct sequence *p, const struct part *t, int32_t d)
{
	uint64_t most = (uint64_t)(t->a_end - t->a) + (t->b_end - t->b);
	int32_t *row;

	if ((uint64_t)d > (most < MAX_EDITS ? most : MAX_EDITS))
		return false;
	GROW(p->rows, (size_t)(d + 1) * (size_t)(d + 1), p->rows_alloc);
	row = row_of(p, d);
	for (int32_t k = -d; k <= d; k++)
		row[k] = -1;
	return spend(p, (uint64_t)d + 1);
}

/* Diagonal K of row D. True: the end is reached, or there is no more work to spend. */
static bool
go_diagonal(struct sequence *p, const struct part *t, int32_t d, int32_t k)
{
	const uint32_t *a = p->a + t->a, *b = p->b + t->b;
	int32_t n = (int32_t)(t->a_end - t->a), m = (int32_t)(t->b_end - t->b);
	int32_t x = d ? furthest(row_of(p, d - 1), d, k) : 0, y = x - k;
	int32_t begin = x, *row = row_of(p, d);

	while (x < n && y < m && y >= 0 && a[x] == b[y])
		x++, y++;
	row[k] = x;
	if (x > n || y > m)
		row[k] = INT32_MIN / 2; /* beyond the edge: nothing leads on */
	looked_at(p, 1 + (x > begin ? (unsigned)(x - begin) : 0));
	if (!spend(p, (uint64_t)(x > begin ? x - begin : 0)))
		return true;
	if (x != n || y != m)
		return false;
	trace_back(p, t, p->rows, d, x, y);
	return true;
}

static void
pair_shortest(struct sequence *p, const struct part *t)
{
	for (int32_t d = 0; begin_row(p, t, d); d++)
		for (int32_t k = -d; k <= d; k += 2)
			if (go_diagonal(p, t, d, k))
				return;
}

/* ---- patience: what occurs once in both ---- */

static void
count(struct sequence *p, const struct part *t)
{
	for (uint32_t i = t->a; i < t->a_end; i++, looked_at(p, 1)) {
		uint32_t *nr = &p->in_a[p->a[i]];

		*nr += *nr < 2;
	}
	for (uint32_t i = t->b; i < t->b_end; i++, looked_at(p, 1)) {
		uint32_t *nr = &p->in_b[p->b[i]];

		*nr += *nr < 2;
		p->at_b[p->b[i]] = i;
	}
}

static void
find_anchors(struct sequence *p, const struct part *t, struct anchors *f)
{
	count(p, t);
	for (uint32_t i = t->a; i < t->a_end; i++, looked_at(p, 1)) {
		uint32_t id = p->a[i];

		if (p->in_a[id] != 1 || p->in_b[id] != 1)
			continue;
		GROW(f->anchors, f->nr + 1, f->alloc);
		f->anchors[f->nr++] = (struct anchor){ i, p->at_b[id], 0 };
	}
	for (uint32_t i = t->a; i < t->a_end; i++, looked_at(p, 1))
		p->in_a[p->a[i]] = 0;
	for (uint32_t i = t->b; i < t->b_end; i++, looked_at(p, 1))
		p->in_b[p->b[i]] = 0;
}

/* The anchor joins the longest chain that it ascends from in B, too. */
static void
join_chain(struct anchors *f, uint32_t i)
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

/* The longest chain is all that remains. */
static void
keep_chain(struct sequence *p, struct anchors *f)
{
	uint32_t at;

	f->tops = xcalloc(f->nr, sizeof(*f->tops));
	for (uint32_t i = 0; i < f->nr; i++, looked_at(p, 8))
		join_chain(f, i);
	at = f->tops[f->length - 1];
	/* Each is at or behind the place that it is moved to, when the last goes first. */
	for (size_t k = f->length; k-- > 0;) {
		f->tops[k] = at;
		at = f->anchors[at].before;
	}
	for (size_t k = 0; k < f->length; k++)
		f->anchors[k] = f->anchors[f->tops[k]];
	f->nr = f->length;
}

/* ---- all of it ---- */

static void pair_part(struct sequence *p, struct part t, int depth);

/* Each gap between two anchors is a part by itself. */
static void
pair_gaps(struct sequence *p, const struct part *t, const struct anchors *f, int depth)
{
	struct part gap = { t->a, 0, t->b, 0 };

	for (size_t i = 0; i <= f->nr; i++, looked_at(p, 1)) {
		gap.a_end = i < f->nr ? f->anchors[i].a : t->a_end;
		gap.b_end = i < f->nr ? f->anchors[i].b : t->b_end;
		if (i < f->nr)
			p->pair[gap.a_end] = gap.b_end;
		if (gap.a < gap.a_end && gap.b < gap.b_end)
			pair_part(p, gap, depth + 1);
		gap.a = gap.a_end + 1;
		gap.b = gap.b_end + 1;
	}
}

static void
release_anchors(void *anchors)
{
	struct anchors *f = anchors;

	free(f->anchors);
	free(f->tops);
}

static void
pair_part(struct sequence *p, struct part t, int depth)
{
	struct anchors f = { .anchors = NULL };
	struct job_hold hold;

	trim(p, &t);
	if (t.a == t.a_end || t.b == t.b_end ||
	    !spend(p, (uint64_t)(t.a_end - t.a) + (t.b_end - t.b)))
		return;
	job_hold(&hold, release_anchors, &f);
	find_anchors(p, &t, &f);
	if (f.nr && depth < MAX_DEPTH) {
		keep_chain(p, &f);
		pair_gaps(p, &t, &f, depth);
	} else {
		pair_shortest(p, &t);
	}
	job_let_go(&hold);
}

static void
release(void *sequence)
{
	struct sequence *p = sequence;

	free(p->in_a);
	free(p->in_b);
	free(p->at_b);
	free(p->rows);
}

void
sequence_pair(const uint32_t *a, size_t nr_a, const uint32_t *b, size_t nr_b, size_t nr_ids,
	      uint32_t *pair, uint64_t *work)
{
	struct sequence p = { .a = a, .b = b, .pair = pair, .work = work,
			      .in_a = xcalloc(nr_ids, sizeof(*p.in_a)),
			      .in_b = xcalloc(nr_ids, sizeof(*p.in_b)),
			      .at_b = xcalloc(nr_ids, sizeof(*p.at_b)) };
	struct job_hold hold;

	memset(pair, 0xff, nr_a * sizeof(*pair));
	job_hold(&hold, release, &p);
	pair_part(&p, (struct part){ 0, (uint32_t)nr_a, 0, (uint32_t)nr_b }, 0);
	job_let_go(&hold);
}
