#include "compare/sequence.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

enum {
	MAX_DEPTH = 30,          /* of anchors within anchors */
	MAX_EDITS = 1000,        /* that Myers looks for: D * D steps, and words of memory */
};

struct anchor { uint32_t a, b, before; };

struct pairing {
	const uint32_t *a, *b;
	uint32_t *pair;
	uint64_t *work;
	uint32_t *in_a, *in_b;   /* [id]: occurrences in the part that is looked at (0, 1, 2) */
	uint32_t *at_b;          /* [id]: its place in B */
};

struct part { uint32_t a, a_end, b, b_end; };

static bool
spend(struct pairing *p, uint64_t steps)
{
	if (*p->work < steps) {
		*p->work = 0;
		return false;
	}
	*p->work -= steps;
	return true;
}

static void
trim(struct pairing *p, struct part *t)
{
	while (t->a < t->a_end && t->b < t->b_end && p->a[t->a] == p->b[t->b])
		p->pair[t->a++] = t->b++;
	while (t->a < t->a_end && t->b < t->b_end && p->a[t->a_end - 1] == p->b[t->b_end - 1])
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
trace_back(struct pairing *p, const struct part *t, const int32_t *rows, int32_t d, int32_t x,
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

static void
pair_shortest(struct pairing *p, const struct part *t)
{
	int32_t n = (int32_t)(t->a_end - t->a), m = (int32_t)(t->b_end - t->b), max = n + m;
	const uint32_t *a = p->a + t->a, *b = p->b + t->b;
	int32_t *rows = NULL;
	size_t alloc = 0;

	if (max > MAX_EDITS)
		max = MAX_EDITS;
	for (int32_t d = 0; d <= max; d++) {
		int32_t *row;

		GROW(rows, (size_t)(d + 1) * (size_t)(d + 1), alloc);
		row = rows + (int64_t)d * d + d;
		for (int32_t k = -d; k <= d; k++)
			row[k] = -1;
		if (!spend(p, (uint64_t)d + 1))
			break;
		for (int32_t k = -d; k <= d; k += 2) {
			const int32_t *before = rows + (int64_t)(d - 1) * (d - 1) + (d - 1);
			int32_t x = d ? furthest(before, d, k) : 0, y = x - k, begin = x;

			while (x < n && y < m && y >= 0 && a[x] == b[y])
				x++, y++;
			row[k] = x;
			if (x > n || y > m)
				row[k] = INT32_MIN / 2; /* beyond the edge: nothing leads on */
			if (!spend(p, (uint64_t)(x > begin ? x - begin : 0))) {
				free(rows);
				return;
			}
			if (x == n && y == m) {
				trace_back(p, t, rows, d, x, y);
				free(rows);
				return;
			}
		}
	}
	free(rows);
}

/* ---- patience: what occurs once in both ---- */

static void
count_ids(struct pairing *p, const struct part *t, bool clear)
{
	for (uint32_t i = t->a; i < t->a_end; i++) {
		uint32_t *n = &p->in_a[p->a[i]];

		*n = clear ? 0 : *n + (*n < 2);
	}
	for (uint32_t i = t->b; i < t->b_end; i++) {
		uint32_t *n = &p->in_b[p->b[i]];

		*n = clear ? 0 : *n + (*n < 2);
		p->at_b[p->b[i]] = i;
	}
}

/* The longest chain of anchors that ascend in B, too; they are moved to the front. */
static size_t
longest_chain(struct anchor *anchors, size_t nr)
{
	uint32_t *tops = xcalloc(nr + 1, sizeof(*tops)); /* [length - 1]: the lowest last anchor */
	size_t length = 0, k;
	uint32_t at;

	for (size_t i = 0; i < nr; i++) {
		size_t low = 0, high = length;

		while (low < high) {
			size_t middle = (low + high) / 2;

			if (anchors[tops[middle]].b < anchors[i].b)
				low = middle + 1;
			else
				high = middle;
		}
		anchors[i].before = low ? tops[low - 1] : UINT32_MAX;
		tops[low] = (uint32_t)i;
		if (low == length)
			length++;
	}
	/* Each is at or behind the place that it is moved to, when the last goes first. */
	at = length ? tops[length - 1] : 0;
	for (k = length; k-- > 0;) {
		tops[k] = at;
		at = anchors[at].before;
	}
	for (k = 0; k < length; k++)
		anchors[k] = anchors[tops[k]];
	free(tops);
	return length;
}

static size_t
find_anchors(struct pairing *p, const struct part *t, struct anchor **anchors)
{
	size_t nr = 0, alloc = 0;

	*anchors = NULL;
	count_ids(p, t, false);
	for (uint32_t i = t->a; i < t->a_end; i++) {
		uint32_t id = p->a[i];

		if (p->in_a[id] != 1 || p->in_b[id] != 1)
			continue;
		GROW(*anchors, nr + 1, alloc);
		(*anchors)[nr++] = (struct anchor){ i, p->at_b[id], 0 };
	}
	count_ids(p, t, true);
	return nr ? longest_chain(*anchors, nr) : 0;
}

static void
pair_part(struct pairing *p, struct part t, int depth)
{
	struct anchor *anchors;
	size_t nr;

	trim(p, &t);
	if (t.a == t.a_end || t.b == t.b_end)
		return;
	if (!spend(p, (uint64_t)(t.a_end - t.a) + (t.b_end - t.b)))
		return;
	nr = find_anchors(p, &t, &anchors);
	if (!nr || depth == MAX_DEPTH) {
		free(anchors);
		pair_shortest(p, &t);
		return;
	}
	for (size_t i = 0; i <= nr; i++) {
		uint32_t a = i ? anchors[i - 1].a + 1 : t.a, b = i ? anchors[i - 1].b + 1 : t.b;
		struct part gap = { a, i < nr ? anchors[i].a : t.a_end,
				    b, i < nr ? anchors[i].b : t.b_end };

		if (i < nr)
			p->pair[anchors[i].a] = anchors[i].b;
		pair_part(p, gap, depth + 1);
	}
	free(anchors);
}

void
sequence_pair(const uint32_t *a, size_t nr_a, const uint32_t *b, size_t nr_b, size_t nr_ids,
	      uint32_t *pair, uint64_t *work)
{
	struct pairing p = { .a = a, .b = b, .pair = pair, .work = work };
	struct part all = { 0, (uint32_t)nr_a, 0, (uint32_t)nr_b };

	memset(pair, 0xff, nr_a * sizeof(*pair));
	p.in_a = xcalloc(nr_ids, sizeof(*p.in_a));
	p.in_b = xcalloc(nr_ids, sizeof(*p.in_b));
	p.at_b = xcalloc(nr_ids, sizeof(*p.at_b));
	pair_part(&p, all, 0);
	free(p.in_a);
	free(p.in_b);
	free(p.at_b);
}
