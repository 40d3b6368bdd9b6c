/* The tables of actions, keys and columns: complete and without contradiction. */
#include "check.h"
#include "show/columns.h"
#include "tui/keys/action.h"

static int
every_action_is_told(void)
{
	int i, ok = 1;

	for (i = 1; i < ACTION_NR; i++) {
		const struct action_row *a = &action_table[i];

		if (a->name && *a->name && a->help && strlen(a->help) > 3)
			continue;
		printf("# action %d has no name or help\n", i);
		ok = 0;
	}
	return ok;
}

static int
every_action_has_a_key(void)
{
	int i, k, ok = 1;

	for (i = 1; i < ACTION_NR; i++) {
		for (k = 0; k < key_table_rows && (int)key_table[k].action != i; k++)
			;
		if (k < key_table_rows)
			continue;
		printf("# no key for %s\n", action_table[i].name);
		ok = 0;
	}
	return ok;
}

static int
no_two_clash(void)
{
	int i, j, ok = 1;

	for (i = 0; i < key_table_rows; i++)
		for (j = 0; j < i; j++)
			if (key_table[i].keymap == key_table[j].keymap &&
			    key_table[i].key == key_table[j].key) {
				printf("# rows %d and %d have the same key\n", i, j);
				ok = 0;
			}
	return ok;
}

static int
names_are_unique(void)
{
	int i, j, ok = 1;

	for (i = 1; i < ACTION_NR; i++)
		for (j = 1; j < i; j++)
			if (!strcmp(action_table[i].name, action_table[j].name)) {
				printf("# two actions are called %s\n", action_table[i].name);
				ok = 0;
			}
	return ok;
}

/* What the help shows can be typed into a script. */
static int
names_of_keys_lead_back(void)
{
	struct strbuf name = STRBUF_INIT;
	int i, ok = 1;

	for (i = 0; i < key_table_rows; i++) {
		strbuf_clear(&name);
		key_print(&name, key_table[i].key);
		if (key_named(name.buf) == key_table[i].key)
			continue;
		printf("# the name %s does not lead back\n", name.buf);
		ok = 0;
	}
	strbuf_release(&name);
	return ok;
}

/* Searching types letters: a prompt must not have taken any printable one. */
static int
prompts_take_no_letters(void)
{
	tui_key key;
	int ok = 1;

	for (key = ' '; key < 0x7f; key++)
		if (action_of_key(KEYMAP_PROMPT, key) != ACTION_NONE) {
			printf("# a prompt acts on '%c'\n", (char)key);
			ok = 0;
		}
	return ok;
}

static int
look_up_goes_from_map_to_generic(void)
{
	return action_of_key(KEYMAP_SOURCE, 'g') == ACTION_GOTO_LINE &&
	       action_of_key(KEYMAP_TABLE, 'g') == ACTION_FIRST &&
	       action_of_key(KEYMAP_TABLE, 's') == ACTION_SORT &&
	       action_of_key(KEYMAP_SOURCE, 's') == ACTION_NONE &&
	       action_of_key(KEYMAP_PROMPT, 'q') == ACTION_NONE;
}

/* ---- columns ---- */

static bool
is_listed(const struct table_kind *kind, const char *name)
{
	return !name || list_column_find(kind->list, name) >= 0;
}

/* A bar has no heading and nothing that sorts it. */
static int
columns_are_complete(void)
{
	struct column_set set = { .nr = 0 };
	const struct table_kind *kind;
	int ok = 1, nr = 0;

	for (int i = 0; (kind = table_kind_at(i)); i++) {
		column_set_make(&set, kind, NULL);
		for (const struct column *c = set.items; c->head; c++, nr++) {
			if (c->help && strlen(c->help) > 3 && c->width &&
			    !c->head[0] == !c->source &&
			    is_listed(kind, c->source) && is_listed(kind, c->second))
				continue;
			printf("# %s: %s has no help, width or column of the listing\n", kind->name,
			       column_name(c));
			ok = 0;
		}
		column_set_release(&set);
	}
	return ok && nr > 200;
}

static int
headings_are_unique(void)
{
	struct column_set set = { .nr = 0 };
	const struct table_kind *kind;
	int ok = 1;

	for (int i = 0; (kind = table_kind_at(i)); i++) {
		column_set_make(&set, kind, NULL);
		for (int k = 0; k < set.nr; k++) {
			const char *name = column_name(&set.items[k]);

			if (columns_headed(set.items, set.nr, name, false) == k)
				continue;
			printf("# %s has %s twice\n", kind->name, name);
			ok = 0;
		}
		column_set_release(&set);
	}
	return ok;
}

/* What a listing has words for is behind all that the table names, and waits to be chosen. */
static int
words_of_a_listing_make_a_column(void)
{
	struct column_set set = { .nr = 0 };
	int clock = list_column_find(LIST_RUN, "clock");
	const struct list_column *listed = &list_columns(LIST_RUN)[clock];
	const struct column *c;
	int ok;

	column_set_make(&set, &table_kinds[LIST_RUN], NULL);
	c = &set.items[set.nr - 1];
	ok = listed->head && !strcmp(c->source, "clock") && !strcmp(c->head, listed->head) &&
	     !strcmp(c->help, listed->help) && c->cell == CELL_TEXT && c->flags == COLUMN_OFF;
	column_set_release(&set);
	return ok;
}

static int
kinds_are_sorted_by_a_column(void)
{
	const struct table_kind *kind;
	int ok = 1;

	for (int i = 0; (kind = table_kind_at(i)); i++) {
		if (is_listed(kind, kind->sort))
			continue;
		printf("# %s: there is no %s to sort by\n", kind->name, kind->sort);
		ok = 0;
	}
	return ok;
}

/* ---- their layout ---- */

enum { MANY = 64 };

/* Lays out KIND, sorted by its first column of that source, with names of NAMES characters and
 * counts of COUNT digits. Returns how many columns it has. */
static int
lay_out(const struct table_kind *kind, struct column_room *r, int width, int names, int count)
{
	const struct column *c = kind->columns;
	int nr = 0;

	for (; c[nr].head; nr++) {
		bool left_out = c[nr].flags & COLUMN_OFF || c[nr].needs != NEEDS_NOTHING;

		r[nr] = (struct column_room){
			.wanted = !left_out, .rank = c[nr].rank, .most = names,
			.sorts = c[nr].source && !strcmp(c[nr].source, kind->sort),
			.w = c[nr].width == WIDTH_COUNT ? count
			     : c[nr].width == WIDTH_SIDES ? 9 : c[nr].width,
		};
	}
	columns_lay_out(c, r, nr, width);
	return nr;
}

/* Has the table of procedures, WIDTH wide, the columns HEADS, and NAME cells for the name? */
static int
has_columns(int width, int names, int count, const char *heads, int name)
{
	const struct table_kind *kind = &table_kinds[LIST_PROCEDURE];
	struct column_room r[MANY];
	struct strbuf s = STRBUF_INIT;
	int nr = lay_out(kind, r, width, names, count), cells = 0, ok;

	for (int i = 0; i < nr; i++) {
		const struct column *c = &kind->columns[i];

		if (!r[i].shown)
			continue;
		strbuf_fmt(&s, "%s%s", s.len ? " " : "", column_name(c));
		if (!strcmp(c->head, "procedure"))
			cells = r[i].w;
	}
	ok = !strcmp(s.buf, heads) && cells == name;
	if (!ok)
		printf("# %d wide, names of %d: %s, %d for the name\n", width, names, s.buf, cells);
	strbuf_release(&s);
	return ok;
}

/* Added up by hand: 1 at the edge, self% 5, self and total 8, where 14, the bar 8, each with a gap
 * of 2, the bar's 1; what is left over is shared out 3 to 2. */
static int
names_have_room(void)
{
	return has_columns(20, 12, 9, "self% procedure", 10) &
	       has_columns(30, 12, 9, "self% procedure", 20) &
	       has_columns(30, 90, 15, "self% procedure", 20) &
	       has_columns(40, 12, 9, "self% self procedure", 20) &
	       has_columns(60, 12, 9, "self \302\261 total calls procedure", 20) &
	       has_columns(60, 12, 15, "self total calls procedure", 20) &
	       has_columns(80, 12, 9, "self% self total calls procedure where", 21) &
	       has_columns(80, 90, 9, "self% self total calls procedure where", 23) &
	       has_columns(80, 90, 15, "self total calls procedure where", 24) &
	       has_columns(120, 12, 9, "self% bar self \302\261 total% total calls self/call "
			   "procedure where", 25) &
	       has_columns(120, 45, 9, "self% bar self total% total calls procedure "
			   "where", 45) &
	       has_columns(120, 90, 9, "self% self total calls procedure where", 61) &
	       has_columns(200, 70, 9, "self% bar self \302\261 total% total propagated calls "
			   "self/call procedure where", 86);
}

/* Whatever is chosen and however it is sorted. */
static int
columns_do_not_overlap(void)
{
	const struct table_kind *kind;
	int ok = 1, laid_out = 0;

	for (int k = 0; (kind = table_kind_at(k)); k++) {
		for (int width = 1; width <= 250; width++) {
			struct column_room r[MANY];
			int nr = lay_out(kind, r, width, width % 3 ? 30 : 0, 7 + width % 9);
			int end = 0, labels = 0, sorts = 0;

			if (kind->list == LIST_TREE)
				continue;
			for (int i = 0; i < nr; i++) {
				ok &= !r[i].shown || (r[i].x > end && r[i].w > 0);
				end = r[i].shown ? r[i].x + r[i].w : end;
				labels += r[i].shown && column_is_label(&kind->columns[i]);
				sorts += r[i].shown && r[i].sorts;
			}
			laid_out++;
			if (ok && (width < 75 || end <= width) && labels + sorts)
				continue;
			printf("# %s, %d wide: %d\n", kind->name, width, end);
			return 0;
		}
	}
	return laid_out > 5000;
}

int
main(void)
{
	verdict(every_action_is_told(), "every action has a name and a help text");
	verdict(every_action_has_a_key(), "every action has a key");
	verdict(no_two_clash(), "no two keys clash in a keymap");
	verdict(names_are_unique(), "names of actions are unique");
	verdict(names_of_keys_lead_back(), "names of keys lead back to them");
	verdict(prompts_take_no_letters(), "prompts leave all letters to what is typed");
	verdict(look_up_goes_from_map_to_generic(), "a keymap is looked up before the generic one");
	verdict(columns_are_complete(), "columns have a help text and are in the listing");
	verdict(headings_are_unique(), "no table has a heading twice");
	verdict(words_of_a_listing_make_a_column(), "words of a listing make a column");
	verdict(kinds_are_sorted_by_a_column(), "tables are sorted by a column of the listing");
	verdict(names_have_room(), "names have room, figures come in the order of their use");
	verdict(columns_do_not_overlap(), "columns do not overlap, nor leave the row");
	return failures != 0;
}
