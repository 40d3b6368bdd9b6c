#include "tui/filter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "show/human.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "util/text/search.h"

/* Runs the query anew. */
static unsigned
changed(struct view *v, struct table *t)
{
	table_open(v, t);
	return EFFECT_DONE | EFFECT_MOVED;
}

int
filter_set(struct view *v, struct table *t, const char *text, struct error *err)
{
	struct search search = { .pattern = NULL };
	const char *now = t->to.text[RESTRICT_FILTER];

	if (search_compile(&search, text, err) < 0)
		return -1;
	search_release(&search);
	if (!strcmp(text, now ? now : ""))
		return 0;
	restrict_set(&t->to, RESTRICT_FILTER, text);
	changed(v, t);
	return 0;
}

unsigned
filter_least(struct view *v, struct table *t, const char *percent)
{
	const struct list_column *c = table_listed(t, t->query.sort);
	uint32_t ppm = 0;

	if (*percent && list_parse_percent(percent, &ppm) < 0) {
		browser_say(t->browser, ROLE_MESSAGE, "a number of percent, 0 to 100, not %s",
			    percent);
		return EFFECT_DONE;
	}
	if (ppm && !list_has_shares(c)) {
		browser_say(t->browser, ROLE_MESSAGE,
			    "there are no shares of %s: sort by a time or a count first", c->name);
		return EFFECT_DONE;
	}
	restrict_set(&t->to, RESTRICT_LEAST, NULL);
	restrict_set(&t->to, RESTRICT_LEAST, ppm ? percent : NULL);
	free(t->to.column);
	t->to.column = xstrdup(c->name);
	t->to.ppm = ppm;
	return changed(v, t);
}

/* With a count cuts at that many percent; without one at 1 or not at all. */
static unsigned
cut(struct view *v, struct table *t, size_t count)
{
	char percent[32];

	if (!count && t->to.text[RESTRICT_LEAST] &&
	    !strcmp(t->to.column, table_listed(t, t->query.sort)->name))
		return filter_least(v, t, "");
	snprintf(percent, sizeof(percent), "%zu", count ? count : 1);
	return filter_least(v, t, percent);
}

unsigned
filter_glob(struct view *v, struct table *t, const char *glob)
{
	if (!list_has_files(t->kind->list)) {
		browser_say(t->browser, ROLE_MESSAGE, "%s are not in files", t->kind->name);
		return EFFECT_DONE;
	}
	restrict_set(&t->to, RESTRICT_GLOB, glob);
	return changed(v, t);
}

bool
filter_undo(struct view *v, struct table *t)
{
	if (!restrict_undo(&t->to, t->browser->profile, t->kind->list))
		return false;
	changed(v, t);
	return true;
}

/* Restricts the summary to the file, or the directory, of the row. */
static unsigned
only_of_row(struct view *v, struct table *t)
{
	struct view *summary = t->browser->panes[PANE_SUMMARY];
	struct table *to = view_table(summary);
	const struct list_row *row = table_row(t, v->cursor);
	bool directory = t->kind->list == LIST_DIRECTORY;
	const char *text = row ? table_text(t, row, directory ? "directory" : "file") : NULL;
	struct browser *b = t->browser;

	if (!text || !*text) {
		browser_say(b, ROLE_MESSAGE, "this row is in no file");
		return EFFECT_DONE;
	}
	restrict_set(&to->to, directory ? RESTRICT_FILE : RESTRICT_DIRECTORY, NULL);
	restrict_set(&to->to, directory ? RESTRICT_DIRECTORY : RESTRICT_FILE, text);
	while (b->depth)
		browser_pop(b); /* V and T may be gone */
	browser_focus(b, PANE_SUMMARY);
	if (to->kind->list == LIST_FILE || to->kind->list == LIST_DIRECTORY)
		summary_show(summary, SUMMARY_PROCEDURES, -1);
	else
		table_open(summary, to);
	browser_say(b, ROLE_MESSAGE, "only what is there; %s: all again",
		    action_key(KEYMAP_TABLE, ACTION_ESCAPE));
	return EFFECT_DONE | EFFECT_MOVED | EFFECT_LAYOUT;
}

unsigned
filter_act(struct view *v, struct table *t, enum action action, size_t count)
{
	if (action == ACTION_LEAST)
		return cut(v, t, count);
	if (action == ACTION_ONLY)
		return only_of_row(v, t);
	return EFFECT_REFUSED;
}

/* Returns the name on the screen of the column that is cut. */
static const char *
name_of_cut(const struct table *t)
{
	int i;

	for (i = 0; t->to.column && i < t->nr_columns; i++) {
		const struct column *c = &t->columns[i];

		if (c->source && !strcmp(c->source, t->to.column) &&
		    !(c->flags & COLUMN_INVERSE) && !strchr(c->head, '%'))
			return c->head;
	}
	return t->to.column;
}

void
filter_describe(const struct table *t, struct strbuf *out)
{
	uint64_t cut = t->listing ? listing_cut(t->listing) : 0;

	restrict_describe(&t->to, t->browser->profile, t->kind->list, name_of_cut(t), draw_ascii(),
			  out);
	if (!cut)
		return;
	strbuf_str(out, " (of ");
	human_count(out, cut);
	strbuf_fmt(out, " long text%s the first %d bytes)", cut > 1 ? "s" : "", FILTER_TEXT_MAX);
}

void
filter_explain(const struct table *t, struct strbuf *out)
{
	struct strbuf what = STRBUF_INIT;

	filter_describe(t, &what);
	strbuf_fmt(out, "No %s: %s.\n%s takes the last restriction back.\n", t->kind->of_row,
		   what.buf, action_key(KEYMAP_TABLE, ACTION_ESCAPE));
	strbuf_release(&what);
}
