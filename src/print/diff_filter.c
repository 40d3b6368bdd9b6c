/* Finds the rows of a comparison to be printed, by a listing over them, as the browser does. */
#include "compare/store.h"
#include "print/diff.h"
#include "print/report.h"

/* The things of these rows in the profile's listings. */
enum { THINGS = 1 };

static void
read_row(void *context, uint64_t i, struct arena *arena, struct compared_record *r)
{
	compared_listed(context, (size_t)i, false, arena, r);
}

static struct profile *
last_profile(const struct diff *d)
{
	return comparison_profile(d->c, comparison_profiles(d->c) - 1);
}

void
diff_filter_open(struct diff_filter *f, struct diff *d, const char *filter, const char *glob)
{
	const struct compared_source source = {
		.rows = compared_rows(d->t), .read = read_row, .context = d->t,
	};
	const struct list_query q = {
		.kind = LIST_COMPARISON, .sort = list_column_find(LIST_COMPARISON, "value"),
		.descending = true, .things = THINGS, .filter = filter, .glob = glob,
	};

	*f = (struct diff_filter){ .d = d };
	if (!filter && !glob)
		return;
	profile_compared_set(last_profile(d), THINGS, &source);
	f->list = listing_open(last_profile(d), &q);
}

bool
diff_filter_next(struct diff_filter *f, size_t *i)
{
	const struct list_row *row;
	int64_t first = profile_compared_id(THINGS, 0);

	if (!f->list)
		return *i < compared_rows(f->d->t);
	row = listing_row(f->list, f->at++);
	if (row)
		*i = (size_t)(row->cells[0].number - first);
	return row != NULL;
}

void
diff_filter_close(struct diff_filter *f)
{
	if (!f->list)
		return;
	report_tell_cut("diff", listing_cut(f->list));
	listing_close(f->list);
	profile_compared_set(last_profile(f->d), THINGS, NULL);
}
