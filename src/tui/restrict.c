#include "tui/restrict.h"

#include <stdlib.h>
#include <string.h>

void
restrict_release(struct restrict_to *to)
{
	int i;

	for (i = 0; i < RESTRICT_NR; i++)
		free(to->text[i]);
	free(to->column);
	memset(to, 0, sizeof(*to));
}

static void
forget(struct restrict_to *to, enum restriction what)
{
	int i, nr = 0;

	for (i = 0; i < to->nr; i++)
		if (to->order[i] != what)
			to->order[nr++] = to->order[i];
	to->nr = nr;
	free(to->text[what]);
	to->text[what] = NULL;
}

void
restrict_set(struct restrict_to *to, enum restriction what, const char *text)
{
	char *copy = text && *text ? xstrdup(text) : NULL;

	/* A restriction that is being typed keeps its position in the order. */
	if (copy && to->text[what]) {
		free(to->text[what]);
		to->text[what] = copy;
		return;
	}
	forget(to, what);
	to->text[what] = copy;
	if (copy)
		to->order[to->nr++] = what;
}

static bool
has_effect(const struct restrict_to *to, enum restriction what, const struct profile *p,
	   enum list_kind kind)
{
	if (!to->text[what])
		return false;
	if (what == RESTRICT_FILTER)
		return true;
	if (what == RESTRICT_LEAST)
		return profile_column_find(p, kind, to->column) > 0;
	if (what == RESTRICT_SIDES || what == RESTRICT_CERTAIN)
		return kind == LIST_COMPARISON;
	return list_has_files(kind);
}

bool
restrict_any(const struct restrict_to *to, const struct profile *p, enum list_kind kind)
{
	int i;

	for (i = 0; i < RESTRICT_NR; i++)
		if (has_effect(to, (enum restriction)i, p, kind))
			return true;
	return false;
}

void
restrict_copy(struct restrict_to *to, const struct restrict_to *from)
{
	for (int i = 0; i < from->nr; i++)
		restrict_set(to, from->order[i], from->text[from->order[i]]);
	to->column = from->column ? xstrdup(from->column) : NULL;
	to->ppm = from->ppm;
}

bool
restrict_undo(struct restrict_to *to, const struct profile *p, enum list_kind kind)
{
	int i;

	for (i = to->nr - 1; i >= 0; i--) {
		if (!has_effect(to, to->order[i], p, kind))
			continue;
		forget(to, to->order[i]);
		return true;
	}
	return false;
}

void
restrict_query(const struct restrict_to *to, struct profile *p, struct list_query *q)
{
	bool least = has_effect(to, RESTRICT_LEAST, p, q->kind);

	q->filter = to->text[RESTRICT_FILTER];
	q->glob = to->text[RESTRICT_GLOB];
	/* Finds it by its path: another profile may have been opened since. */
	if (to->text[RESTRICT_FILE])
		q->file = profile_file_named(p, to->text[RESTRICT_FILE]);
	if (to->text[RESTRICT_FILE] && !q->file)
		q->file = (model_id)-1;
	q->directory = to->text[RESTRICT_DIRECTORY];
	q->sides = to->text[RESTRICT_SIDES];
	q->certain = to->text[RESTRICT_CERTAIN];
	q->least_column = least ? profile_column_find(p, q->kind, to->column) : 0;
	if (least)
		q->least = list_least(profile_whole(p, q->kind, q->least_column), to->ppm);
}

void
restrict_describe(const struct restrict_to *to, const struct profile *p, enum list_kind kind,
		  const char *head, bool ascii, struct strbuf *out)
{
	int i;

	for (i = 0; i < to->nr; i++) {
		const char *text = to->text[to->order[i]];

		if (!has_effect(to, to->order[i], p, kind))
			continue;
		strbuf_str(out, out->len ? "  " : "only ");
		if (to->order[i] == RESTRICT_FILTER)
			strbuf_fmt(out, "/%s/", text);
		else if (to->order[i] == RESTRICT_LEAST)
			strbuf_fmt(out, "%s %s %s%%", head, ascii ? ">=" : "\342\211\245", text);
		else if (to->order[i] == RESTRICT_CERTAIN)
			strbuf_str(out, "beyond chance");
		else if (to->order[i] == RESTRICT_SIDES)
			strbuf_fmt(out, "%s", !strcmp(text, "both") ? "in both"
					      : !strcmp(text, "all") ? "in all"
					      : !strcmp(text, "changed") ? "changed text" : text);
		else
			strbuf_fmt(out, "in %s", text);
	}
}
