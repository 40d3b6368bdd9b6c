#include "tui/preference.h"

#include <string.h>
#include <strings.h>

#include "tui/columns.h"
#include "tui/table.h"
#include "util/mem.h"

struct wish {
	char *table, *column;
	bool sort;           /* else: to be shown */
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

/* Index of the column with this head or source, or -1. */
static int
column_called(const struct table_kind *kind, const char *name, bool sort)
{
	const struct column *c = kind->columns;
	int i;

	for (i = 0; c[i].head && i < TABLE_MAX_COLUMNS; i++) {
		if (sort ? !c[i].source : !c[i].head[0])
			continue;
		if (!strcasecmp(c[i].head, name) || (c[i].source && !strcasecmp(c[i].source, name)))
			return i;
	}
	return -1;
}

static bool
wish(const char *table, const char *column, bool sort, bool reverse)
{
	const struct table_kind *kind;
	int i;

	for (i = 0; (kind = table_kind_at(i)); i++)
		if (same_name(table, kind->name) && column_called(kind, column, sort) >= 0)
			break;
	if (!kind)
		return false;
	GROW(all.wishes, all.nr + 1, all.alloc);
	all.wishes[all.nr++] = (struct wish){ xstrdup(table), xstrdup(column), sort, reverse };
	return true;
}

bool
preference_sort(const char *table, const char *column, bool reverse)
{
	return wish(table, column, true, reverse);
}

bool
preference_column(const char *table, const char *column)
{
	return wish(table, column, false, false);
}

static void
apply(struct table *t, const struct wish *w)
{
	int i = column_called(t->kind, w->column, w->sort), column;
	enum column_unit unit;

	if (i < 0)
		return;
	if (!w->sort) {
		t->kept |= 1u << i;
		return;
	}
	column = list_column_find(t->kind->list, t->kind->columns[i].source);
	if (column < 0)
		return;
	unit = list_columns(t->kind->list)[column].unit;
	t->query.sort = column;
	t->query.descending = (unit != UNIT_TEXT && unit != UNIT_NUMBER) != w->reverse;
	t->sort = i;
}

void
preference_apply(struct table *t)
{
	size_t i;

	for (i = 0; i < all.nr; i++)
		if (same_name(all.wishes[i].table, t->kind->name))
			apply(t, &all.wishes[i]);
}
