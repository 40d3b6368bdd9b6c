/* Which columns there is room for, and where. Names are what people read first: whatever figures
 * there are, they stay, and figures come in the order of their use. */
#include "show/columns.h"

enum {
	GAP = 2,         /* before a column; a bar stands closer to what it shows */
	LEAST_LABEL = 20,
	LEAST_OF_MANY = 12,
	LEAST_BESIDE_KEY = 12,
	LEAST_ANY = 4,
};

bool
column_is_label(const struct column *c)
{
	return c->head[0] && !c->rank && cell_is_left(c->cell);
}

static int
gap_before(const struct column *c)
{
	return c->head[0] ? GAP : 1;
}

static int
room_for(const struct column_room *r, const struct column *c)
{
	return r->w + gap_before(c);
}

/* Returns the column of most use among those that sort the rows and fit in LEFT; if none does, the
 * narrowest; -1: there is none. */
static int
sorting_column(const struct column *c, const struct column_room *r, int nr, int left)
{
	int best = -1;

	for (int i = 0; i < nr; i++) {
		bool fits = room_for(&r[i], &c[i]) <= left;

		if (!r[i].sorts || !r[i].wanted)
			continue;
		if (r[i].shown)
			return i;
		if (best < 0 || (fits ? room_for(&r[best], &c[best]) > left ||
					r[i].rank < r[best].rank
				      : r[i].w < r[best].w))
			best = i;
	}
	return best;
}

static int
least_label(int labels, int width)
{
	int w = labels ? width / 2 / labels - GAP : 0;

	return labels < 2 || w > LEAST_LABEL ? LEAST_LABEL : w > LEAST_OF_MANY ? w : LEAST_OF_MANY;
}

/* Makes room for what keys change. */
static void
fill_key(const struct column *c, struct column_room *r, int nr, int *left)
{
	int label = -1, key = -1, lacking;

	for (int i = 0; i < nr; i++) {
		if (r[i].shown && column_is_label(&c[i]))
			label = i;
		if (r[i].wanted && !r[i].shown && c[i].flags & COLUMN_KEY)
			key = i;
	}
	if (label < 0 || key < 0)
		return;
	lacking = room_for(&r[key], &c[key]) - *left;
	if (lacking > r[label].w - LEAST_BESIDE_KEY)
		return;
	r[key].shown = true;
	r[label].w -= lacking > 0 ? lacking : 0;
	*left = lacking > 0 ? 0 : -lacking;
}

/* Shows columns up to RANK while they fit in *LEFT, those with the lowest first. */
static void
fill(const struct column *c, struct column_room *r, int nr, int rank, int *left)
{
	for (int k = 0; k <= rank; k++) {
		for (int i = 0; i < nr; i++) {
			int needs = room_for(&r[i], &c[i]);

			if (!r[i].wanted || r[i].shown || r[i].rank != k || needs > *left)
				continue;
			r[i].shown = true;
			*left -= needs;
		}
	}
}

/* Widens labels as far as their texts need it, to half of the row in all. */
static void
widen_labels(const struct column *c, struct column_room *r, int nr, int width, int *left)
{
	int labels = 0, half = width / 2;

	for (int i = 0; i < nr; i++)
		labels += r[i].shown && column_is_label(&c[i]);
	for (int i = 0; i < nr; i++) {
		int extra;

		if (!r[i].shown || !column_is_label(&c[i]))
			continue;
		extra = half / labels - r[i].w;
		if (r[i].most && extra > r[i].most - r[i].w)
			extra = r[i].most - r[i].w;
		if (extra > *left)
			extra = *left;
		if (extra <= 0)
			continue;
		r[i].w += extra;
		*left -= extra;
	}
}

void
columns_lay_out(const struct column *c, struct column_room *r, int nr, int width)
{
	int labels = 0, left = width - 1, shares = 0, x = 1, least, sorts;

	for (int i = 0; i < nr; i++)
		labels += r[i].wanted && column_is_label(&c[i]);
	least = least_label(labels, width);
	for (int i = 0; i < nr; i++) {
		r[i].shown = r[i].wanted && (r[i].always || column_is_label(&c[i]));
		if (column_is_label(&c[i]) && r[i].w < least)
			r[i].w = least;
		left -= r[i].shown ? room_for(&r[i], &c[i]) : 0;
	}
	sorts = sorting_column(c, r, nr, left);
	if (sorts >= 0 && !r[sorts].shown) {
		r[sorts].shown = true;
		left -= room_for(&r[sorts], &c[sorts]);
	}
	fill_key(c, r, nr, &left);
	fill(c, r, nr, RANK_RESERVED, &left);
	widen_labels(c, r, nr, width, &left);
	fill(c, r, nr, RANK_MOST, &left);
	for (int i = 0; i < nr; i++)
		shares += r[i].shown ? c[i].grow : 0;
	/* What is left over; when even what is always shown has no room, it is what is lacking. */
	for (int i = 0; i < nr; i++) {
		if (!r[i].shown)
			continue;
		if (shares > 0 && c[i].grow) {
			int extra = left * c[i].grow / shares;

			shares -= c[i].grow;
			left -= extra;
			r[i].w = extra && r[i].w + extra < LEAST_ANY ? LEAST_ANY : r[i].w + extra;
		}
		x += gap_before(&c[i]);
		r[i].x = x;
		x += r[i].w;
	}
}
