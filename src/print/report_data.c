/* cgview report for programs: prints csv and json. */
#include "print/report.h"

#include <string.h>

#include "print/record.h"

/* Is NAME in LIST, "a,b,c"? */
static bool
is_listed(const char *list, const char *name)
{
	size_t length = strlen(name), n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == length && !memcmp(list, name, n))
			return true;
	}
	return false;
}

const char report_compared_data[] =
	"procedure,file,line,column,end_line,end_column,kind,a,b,value,sides,significance,callee,"
	"type,size_class";

bool
report_is_public(enum list_kind kind, const struct list_column *c)
{
	size_t n = strlen(c->name);

	if (kind == LIST_COMPARISON)
		return is_listed(report_compared_data, c->name);
	return strcmp(c->name, "id") && (n < 3 || strcmp(c->name + n - 3, "_id"));
}

/* Finds the columns of the listing that are printed, in their order; returns how many. */
static int
fields_of(const struct report *r, int fields[LIST_MAX_COLUMNS])
{
	int nr = 0, i;

	for (i = 0; i < r->nr_chosen; i++)
		fields[nr++] = profile_column_find(r->p, r->kind, r->chosen[i].source);
	for (i = 0; !r->nr_chosen && r->columns[i].name; i++) {
		if (report_is_public(r->kind, &r->columns[i]) &&
		    !(r->columns[i].flags & LIST_UNEVEN))
			fields[nr++] = i;
	}
	return nr;
}

/* Is it a column of names, which stored comparisons have in a form of their own? */
static bool
is_compared_name(const struct report *r, const char *name)
{
	return r->compared && (!strcmp(name, "procedure") || !strcmp(name, "callee"));
}

static void
put_field(struct record *out, const struct report *r, const struct list_row *row, int i)
{
	const struct list_column *c = &r->columns[i];
	const char *name;

	if (is_compared_name(r, c->name)) {
		name = report_compared_name(r->compared, &row->cells[i]);
		record_text(out, c->name, *name ? name : NULL);
	} else {
		record_cell(out, c->name, c->unit, &row->cells[i]);
	}
}

/* Prints the rows up to the limit, in either format. */
void
report_data(const struct report *r, const char *format)
{
	int fields[LIST_MAX_COLUMNS], nr = fields_of(r, fields);
	const struct list_row *row;
	struct record out;
	size_t i = 0, shown = 0;

	record_open(&out, "report", format);
	record_text(&out, "by", list_name(r->kind));
	if (profile_only(r->p))
		record_text(&out, "only", profile_only(r->p));
	record_heads(&out, NULL);
	for (int k = 0; k < nr; k++)
		record_none(&out, r->columns[fields[k]].name);
	record_list(&out, "rows");
	while (shown++ < r->limit && report_can_write() && (row = report_next(r, &i))) {
		record_begin(&out);
		for (int k = 0; k < nr; k++)
			put_field(&out, r, row, fields[k]);
		record_end(&out);
	}
	record_close(&out);
}
