/* The keys in force: those of the table, and those that the user has changed. */
#include <stdio.h>
#include <string.h>

#include "tui/keys/action.h"

/* The first row of a keymap and key counts; the user's come first, so that hints show them. */
static struct {
	struct key_row *rows;
	int nr, alloc;
} live;

static void
make_ready(void)
{
	if (live.rows)
		return;
	live.rows = xcalloc((size_t)key_table_rows, sizeof(*live.rows));
	memcpy(live.rows, key_table, (size_t)key_table_rows * sizeof(*live.rows));
	live.nr = live.alloc = key_table_rows;
}

/* Returns the row of KEY in KEYMAP, or -1. */
static int
look_up(enum keymap keymap, tui_key key)
{
	int i;

	make_ready();
	for (i = 0; i < live.nr; i++)
		if (live.rows[i].keymap == keymap && live.rows[i].key == key)
			return i;
	return -1;
}

static void
forget(int i)
{
	memmove(&live.rows[i], &live.rows[i + 1], (size_t)(live.nr - i - 1) * sizeof(*live.rows));
	live.nr--;
}

void
action_bind(enum keymap keymap, tui_key key, enum action action)
{
	int i = look_up(keymap, key);

	if (i >= 0)
		forget(i);
	GROW(live.rows, live.nr + 1, live.alloc);
	memmove(&live.rows[1], &live.rows[0], (size_t)live.nr++ * sizeof(*live.rows));
	live.rows[0] = (struct key_row){ keymap, key, action };
}

bool
action_unbind(enum keymap keymap, tui_key key)
{
	int i = look_up(keymap, key);

	if (i < 0)
		return false;
	forget(i);
	return true;
}

enum action
action_of_key(enum keymap keymap, tui_key key)
{
	int i = look_up(keymap, key);

	if (i < 0 && keymap != KEYMAP_PROMPT)
		i = look_up(KEYMAP_GENERIC, key);
	return i < 0 ? ACTION_NONE : live.rows[i].action;
}

int
action_keys(struct strbuf *out, enum keymap keymap, enum action action, int max,
	    const char *between)
{
	int i, nr = 0;

	make_ready();
	for (i = 0; i < live.nr && nr < max; i++) {
		if (live.rows[i].action != action)
			continue;
		if (live.rows[i].keymap != keymap && live.rows[i].keymap != KEYMAP_GENERIC)
			continue;
		/* A generic key that this keymap uses for something else does not count. */
		if (action_of_key(keymap, live.rows[i].key) != action)
			continue;
		if (nr++)
			strbuf_str(out, between);
		key_print(out, live.rows[i].key);
	}
	return nr;
}

const char *
action_key(enum keymap keymap, enum action action)
{
	static struct strbuf kept[4] = { STRBUF_INIT, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	static int next;
	struct strbuf *s = &kept[next++ % 4];

	strbuf_clear(s);
	if (!action_keys(s, keymap, action, 1, ""))
		strbuf_fmt(s, ":%s", action_table[action].name);
	return s->buf;
}

/* Is the key of row I told by another row: by one that counts everywhere, or by one before? */
static bool
is_told(int i)
{
	const struct key_row *row = &live.rows[i], *other;

	for (int j = 0; j < live.nr; j++) {
		other = &live.rows[j];
		if (j != i && other->action == row->action && other->key == row->key &&
		    (other->keymap == KEYMAP_GENERIC || (j < i && row->keymap != KEYMAP_GENERIC)))
			return true;
	}
	return false;
}

void
action_all_keys(struct strbuf *out, enum action action)
{
	bool everywhere = false;
	enum action others;
	int nr = 0;

	make_ready();
	for (int i = 0; i < live.nr; i++)
		if (live.rows[i].action == action && live.rows[i].keymap == KEYMAP_GENERIC)
			everywhere = true;
	for (int generic = 1; generic >= 0; generic--)
		for (int i = 0; i < live.nr; i++) {
			const struct key_row *row = &live.rows[i];

			if (row->action != action || (row->keymap == KEYMAP_GENERIC) != generic ||
			    is_told(i))
				continue;
			if (nr++)
				strbuf_char(out, ' ');
			key_print(out, row->key);
			others = action_of_key(KEYMAP_GENERIC, row->key);
			if (everywhere && others != ACTION_NONE && others != action)
				strbuf_fmt(out, "(%s)", keymap_names[row->keymap]);
		}
}

static void
list_key(FILE *out, const char *directive, const struct key_row *row, const char *action)
{
	struct strbuf key = STRBUF_INIT;

	key_print(&key, row->key);
	fprintf(out, "%s %s %s%s%s\n", directive, keymap_names[row->keymap], key.buf,
		*action ? " " : "", action);
	strbuf_release(&key);
}

void
action_list_keys(FILE *out)
{
	int i;

	for (i = 0; i < key_table_rows; i++)
		if (look_up(key_table[i].keymap, key_table[i].key) < 0)
			list_key(out, "unbind", &key_table[i], "");
	for (i = 0; i < live.nr; i++)
		list_key(out, "bind", &live.rows[i], action_table[live.rows[i].action].name);
}
