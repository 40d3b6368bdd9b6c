#include "tui/keys/preference.h"

#include <string.h>
#include <strings.h>

#include "tui/views/table.h"
#include "util/mem.h"

struct wish {
	char *table, *column;
	enum { WISH_SORT, WISH_COLUMN, WISH_ONLY } what;
	bool reverse;
};

static struct {
	struct wish *wishes; /* the last one counts */
	size_t nr, alloc;
} all;

/* A blank in a table's name is a hyphen in a configuration file. */
static bool
same_name(const char *typed, const char *name)
{
	for (; *typed && *name; typed++, name++)
		if (*typed != *name && !(*typed == '-' && *name == ' '))
			return false;
	return !*typed && !*name;
}

static bool
wish(const char *table, const char *column, int what, bool reverse)
{
	const struct table_kind *kind;
	int i;

	for (i = 0; (kind = table_kind_at(i)); i++)
		if (!kind->printed && same_name(table, kind->name) &&
		    columns_may_have(kind, column, what == WISH_SORT))
			break;
	if (!kind)
		return false;
	GROW(all.wishes, all.nr + 1, all.alloc);
	all.wishes[all.nr++] = (struct wish){ xstrdup(table), xstrdup(column), what, reverse };
	return true;
}

bool
preference_sort(const char *table, const char *column, bool reverse)
{
	return wish(table, column, WISH_SORT, reverse);
}

bool
preference_column(const char *table, const char *column)
{
	return wish(table, column, WISH_COLUMN, false);
}

bool
preference_only_column(const char *table, const char *column)
{
	return wish(table, column, WISH_ONLY, false);
}

static void
sort_by(struct table *t, const struct wish *w)
{
	int i = table_column(t, w->column, true), column;

	column = i < 0 ? -1 : table_find(t, t->columns[i].source);
	if (column < 0)
		return;
	t->query.sort = column;
	t->query.descending = unit_descends(table_listed(t, column)->unit) != w->reverse;
	t->sort = i;
}

void
preference_sort_apply(struct table *t)
{
	size_t i;

	for (i = 0; i < all.nr; i++)
		if (all.wishes[i].what == WISH_SORT &&
		    same_name(all.wishes[i].table, t->kind->name))
			sort_by(t, &all.wishes[i]);
}

/* Moves column I (of the kind) to place NR of the order. */
static void
move_to(struct column_choice *choice, int i, int nr)
{
	int from = 0;

	while (from < choice->columns.nr - 1 && choice->order[from] != i)
		from++;
	if (from < nr)
		return;
	memmove(&choice->order[nr + 1], &choice->order[nr], (size_t)(from - nr));
	choice->order[nr] = (unsigned char)i;
}

void
preference_columns_apply(struct column_choice *choice)
{
	size_t i;
	int k, nr = 0, column;

	for (i = 0; i < all.nr; i++) {
		const struct wish *w = &all.wishes[i];

		if (w->what == WISH_SORT || !same_name(w->table, choice->kind->name))
			continue;
		column = columns_called(choice->columns.items, choice->columns.nr, w->column,
					false);
		if (column < 0)
			continue;
		/* The named columns are shown, and no others. */
		for (k = 0; w->what == WISH_ONLY && !nr && k < choice->columns.nr; k++)
			choice->show[k] = SHOW_NEVER;
		choice->show[column] = SHOW_ALWAYS;
		if (w->what == WISH_ONLY)
			move_to(choice, column, nr++);
	}
}
