#include "tui/keys/config.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "compare/expression.h"
#include "db/model/measure.h"
#include "show/role.h"
#include "tui/keys/action.h"
#include "tui/keys/preference.h"
#include "tui/screen/colour.h"
#include "util/input.h"
#include "util/mem.h"
#include "util/options.h"
#include "util/text/safe.h"

enum { MAX_BYTES = 256 << 10, MAX_WORDS = 24 };

struct reading {
	struct config *c;
	unsigned line;
	char *words[MAX_WORDS];
	int nr_words;
};

/* ---- errors ---- */

static int wrong(struct reading *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Always returns -1. */
static int
wrong(struct reading *r, const char *format, ...)
{
	struct config *c = r->c;
	char text[300];
	va_list ap;

	if (c->nr_problems == CONFIG_MAX_PROBLEMS) {
		c->nr_more++;
		return -1;
	}
	va_start(ap, format);
	vsnprintf(text, sizeof(text), format, ap);
	va_end(ap);
	c->problems[c->nr_problems++] = r->line ? xasprintf("%s:%u: %s", c->path, r->line, text)
						: xasprintf("%s: %s", c->path, text);
	return -1;
}

/* ---- keys ---- */

static int
keymap_of_word(struct reading *r, int i, enum keymap *keymap)
{
	int k;

	for (k = 0; k < KEYMAP_NR; k++) {
		if (strcmp(r->words[i], keymap_names[k]))
			continue;
		*keymap = (enum keymap)k;
		return 0;
	}
	return wrong(r, "no such keymap: %s", r->words[i]);
}

static int
key_of_word(struct reading *r, int i, enum keymap keymap, tui_key *key)
{
	*key = key_named(r->words[i]);
	if (*key == K_NONE || *key == K_RESIZE || *key == K_HANGUP || *key == K_MOUSE ||
	    *key == K_UNKNOWN || (*key < KEYS_SPECIAL && safe_deceives(*key)))
		return wrong(r, "no such key: %s", r->words[i]);
	if (*key >= '0' && *key <= '9')
		return wrong(r, "digits are counts: %s", r->words[i]);
	if (keymap == KEYMAP_PROMPT && *key >= ' ' && *key < KEYS_SPECIAL && *key != 0x7f)
		return wrong(r, "in a prompt this key is what is typed: %s", r->words[i]);
	return 0;
}

static int
read_bind(struct reading *r)
{
	enum action action = action_named(r->words[3]);
	enum keymap keymap = KEYMAP_GENERIC;
	tui_key key;

	if (keymap_of_word(r, 1, &keymap) || key_of_word(r, 2, keymap, &key))
		return -1;
	if (action == ACTION_NONE && strcmp(r->words[3], action_table[ACTION_NONE].name))
		return wrong(r, "no such action: %s", r->words[3]);
	if (action != ACTION_NONE &&
	    (action_table[action].group == GROUP_PROMPT) != (keymap == KEYMAP_PROMPT))
		return wrong(r, keymap == KEYMAP_PROMPT ? "not for a prompt: %s"
							: "only for prompts: %s", r->words[3]);
	action_bind(keymap, key, action);
	return 0;
}

static int
read_unbind(struct reading *r)
{
	enum keymap keymap = KEYMAP_GENERIC;
	tui_key key;

	if (keymap_of_word(r, 1, &keymap) || key_of_word(r, 2, keymap, &key))
		return -1;
	if (!action_unbind(keymap, key))
		return wrong(r, "%s has no meaning of its own in %s", r->words[2], r->words[1]);
	return 0;
}

/* ---- colours ---- */

static const struct {
	const char *name;
	enum palette palette;
} palettes[] = {
	{ "dark", PALETTE_DARK }, { "light", PALETTE_LIGHT }, { "dark-16", PALETTE_DARK_16 },
	{ "light-16", PALETTE_LIGHT_16 }, { "few", PALETTE_FEW }, { "mono", PALETTE_MONO },
};
enum { NR_PALETTES = sizeof(palettes) / sizeof(*palettes) };

static int
colour_of_word(struct reading *r, int i, int *colour)
{
	if (colour_parse(r->words[i], colour))
		return 0;
	return wrong(r, "no such colour: %s (a name, 0 to 255, #rrggbb, or default)", r->words[i]);
}

/* Reads: color [PALETTE] ROLE FOREGROUND BACKGROUND [ATTRIBUTE...] */
static int
read_color(struct reading *r)
{
	struct look look = { COLOUR_OWN, COLOUR_OWN, 0 };
	enum overlay overlay;
	enum role role;
	int i = 1, p, only = -1;
	unsigned attribute;

	for (p = 0; p < NR_PALETTES; p++)
		if (!strcmp(r->words[1], palettes[p].name))
			only = p;
	i += only >= 0;
	if (r->nr_words < i + 3)
		return wrong(r, "color [dark|light|dark-16|light-16|few|mono] ROLE "
			     "FOREGROUND BACKGROUND [ATTRIBUTE...]");
	if (!role_named(r->words[i], &role, &overlay))
		return wrong(r, "no such role: %s", r->words[i]);
	if (colour_of_word(r, i + 1, &look.fg) || colour_of_word(r, i + 2, &look.bg))
		return -1;
	for (i += 3; i < r->nr_words; i++) {
		attribute = role_attribute(r->words[i]);
		if (!attribute)
			return wrong(r, "no such attribute: %s (bold, dim, underline, reverse, "
				     "italic)", r->words[i]);
		look.attributes |= attribute;
	}
	for (p = 0; p < NR_PALETTES; p++)
		if (p == only || only < 0)
			role_change(palettes[p].palette, role, overlay, look);
	return 0;
}

/* ---- tables ---- */

static int
read_sort(struct reading *r)
{
	bool reverse = r->nr_words == 4;

	if (reverse && strcmp(r->words[3], "reverse"))
		return wrong(r, "sort TABLE COLUMN [reverse], not %s", r->words[3]);
	if (preference_sort(r->words[1], r->words[2], reverse))
		return 0;
	return wrong(r, "no table %s with a column %s", r->words[1], r->words[2]);
}

static int
read_each(struct reading *r, bool (*prefer)(const char *table, const char *column))
{
	for (int i = 2; i < r->nr_words; i++)
		if (!prefer(r->words[1], r->words[i]))
			return wrong(r, "no table %s with a column %s", r->words[1], r->words[i]);
	return 0;
}

/* Reads: column TABLE COLUMN...: these too. */
static int
read_column(struct reading *r)
{
	return read_each(r, preference_column);
}

/* Reads: columns TABLE COLUMN...: these only. */
static int
read_columns(struct reading *r)
{
	return read_each(r, preference_only_column);
}

/* ---- options ---- */

static const char *const backgrounds[] = {
	[BACKGROUND_ASK] = "ask", [BACKGROUND_DARK] = "dark", [BACKGROUND_LIGHT] = "light", NULL
};
static const char *const switches[] = { "off", "on", NULL };
static const char *const scales[] = { "log", "even", NULL };
static const char *const seconds[] = { "1", "2", "5", "10", "30", "60", "600", NULL };

#define AT(member) .offset = offsetof(struct config, member)
static const struct option_row settings[] = {
	{ "background", .type = OPTION_CHOICE, AT(background), .choices = backgrounds },
	{ "mouse", .type = OPTION_FLAG, AT(mouse), .choices = switches },
	{ "scale", .type = OPTION_FLAG, AT(linear), .choices = scales },
	{ "clipboard", .type = OPTION_FLAG, AT(clipboard), .choices = switches },
	{ "sql-seconds", .type = OPTION_NUMBER, AT(sql_seconds), .choices = seconds },
	{ "metric", .value = "NAME", .type = OPTION_TEXT, AT(metric) },
	{ .name = NULL },
};

static int
read_set(struct reading *r)
{
	const struct option_row *o = options_find(settings, r->words[1]);
	struct error err = ERROR_INIT;

	if (!o)
		return wrong(r, "no such option: %s", r->words[1]);
	if (option_set(o, r->c, r->words[2], &err))
		return wrong(r, "set %s %s: %s", r->words[1], r->words[2], err.text);
	if (!r->c->metric || measure_name_is_good(r->c->metric))
		return 0;
	r->c->metric = NULL;
	return wrong(r, "set metric %s: it is self, count, total, wait or the name of a measure",
		     r->words[2]);
}

/* Takes all that stands behind the name, whatever the blanks in it were. */
static int
read_expression(struct reading *r)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int status;

	for (int i = 2; i < r->nr_words; i++)
		strbuf_fmt(&text, "%s%s", i > 2 ? " " : "", r->words[i]);
	status = expression_add(r->words[1], text.buf, "", &err);
	if (status)
		wrong(r, "%s", err.text);
	strbuf_release(&text);
	return status;
}

/* ---- the file ---- */

static const struct {
	const char *name;
	int least, most;           /* words, with the name */
	int (*read)(struct reading *r);
	const char *form;
} directives[] = {
	{ "bind", 4, 4, read_bind, "bind KEYMAP KEY ACTION" },
	{ "unbind", 3, 3, read_unbind, "unbind KEYMAP KEY" },
	{ "color", 2, MAX_WORDS, read_color, "color [PALETTE] ROLE FOREGROUND BACKGROUND" },
	{ "colour", 2, MAX_WORDS, read_color, "colour [PALETTE] ROLE FOREGROUND BACKGROUND" },
	{ "set", 3, 3, read_set, "set OPTION VALUE" },
	{ "expression", 3, MAX_WORDS, read_expression, "expression NAME EXPR" },
	{ "sort", 3, 4, read_sort, "sort TABLE COLUMN [reverse]" },
	{ "column", 3, MAX_WORDS, read_column, "column TABLE COLUMN..." },
	{ "columns", 3, MAX_WORDS, read_columns, "columns TABLE COLUMN..." },
};
enum { NR_DIRECTIVES = sizeof(directives) / sizeof(*directives) };

static void
read_words(struct reading *r)
{
	int i;

	for (i = 0; i < NR_DIRECTIVES; i++) {
		if (strcmp(directives[i].name, r->words[0]))
			continue;
		if (r->nr_words < directives[i].least || r->nr_words > directives[i].most)
			wrong(r, "the line must be: %s", directives[i].form);
		else
			directives[i].read(r);
		return;
	}
	wrong(r, "no such directive: %s (bind, unbind, color, set, sort, column, columns, "
	      "expression)",
	      r->words[0]);
}

static bool
has_controls(const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		if (((unsigned char)s[i] < ' ' && s[i] != '\t') || s[i] == 0x7f)
			return true;
	return false;
}

/* Reads LINE, which has N bytes and a NUL behind them. */
static void
read_line(struct reading *r, char *line, size_t n)
{
	char *save = NULL, *word;

	if (n && line[n - 1] == '\r')
		line[--n] = '\0';
	if (has_controls(line, n)) {
		wrong(r, "there is a control character in this line");
		return;
	}
	r->nr_words = 0;
	for (word = strtok_r(line, " \t", &save); word; word = strtok_r(NULL, " \t", &save)) {
		if (!r->nr_words && *word == '#')
			return;
		if (r->nr_words == MAX_WORDS) {
			wrong(r, "too many words");
			return;
		}
		r->words[r->nr_words++] = word;
	}
	if (r->nr_words)
		read_words(r);
}

static void
read_text(struct reading *r, char *text, size_t n)
{
	char *end, *line;

	for (line = text; line < text + n; line = end + 1) {
		end = memchr(line, '\n', (size_t)(text + n - line));
		if (!end)
			end = text + n;
		*end = '\0';
		r->line++;
		read_line(r, line, (size_t)(end - line));
	}
}

/* Returns the bytes of the file, heap; NULL after a message, or when the file may be missing. Never
 * waits for a FIFO. */
static char *
read_file(struct reading *r, bool must, size_t *n)
{
	struct error err = ERROR_INIT;
	struct stat st;
	int fd = input_open(r->c->path, &st, &err);
	char *text;
	ssize_t got;

	if (fd < 0) {
		if (err.errnum == EINVAL)
			wrong(r, "not a regular file");
		else if (must || (err.errnum != ENOENT && err.errnum != ENOTDIR))
			wrong(r, "%s", strerror(err.errnum));
		return NULL;
	}
	text = xmalloc(MAX_BYTES + 1);
	got = input_read(fd, text, MAX_BYTES);
	if (got < 0)
		wrong(r, "%s", strerror(errno));
	else if (got == MAX_BYTES)
		wrong(r, "larger than %d KiB: what is behind that is not read", MAX_BYTES >> 10);
	*n = got < 0 ? 0 : (size_t)got;
	close(fd);
	return text;
}

/* Returns the path, heap, or NULL: there is no home. */
static char *
default_path(void)
{
	const char *dir = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	/* The specification ignores a path that is not absolute. */
	if (dir && *dir == '/')
		return xasprintf("%s/cgview/config", dir);
	return home && *home ? xasprintf("%s/.config/cgview/config", home) : NULL;
}

void
config_read(struct config *c, const char *path)
{
	struct reading r = { .c = c };
	size_t n = 0;

	memset(c, 0, sizeof(*c));
	c->sql_seconds = 5;
	c->mouse = true;
	c->path = path ? xstrdup(path) : default_path();
	if (!c->path || !strcmp(c->path, "/dev/null"))
		return;
	c->text = read_file(&r, path != NULL, &n);
	if (c->text)
		read_text(&r, c->text, n);
}

void
config_tell(const struct config *c)
{
	for (size_t i = 0; i < c->nr_problems; i++)
		complain("%s", c->problems[i]);
	if (c->nr_more)
		complain("%s: %zu more lines are wrong", c->path, c->nr_more);
}

void
config_release(struct config *c)
{
	size_t i;

	for (i = 0; i < c->nr_problems; i++)
		free(c->problems[i]);
	free(c->path);
	free(c->text);
	memset(c, 0, sizeof(*c));
}
