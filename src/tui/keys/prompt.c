#include "tui/keys/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "tui/keys/action.h"
#include "tui/screen/paste.h"
#include "util/text/safe.h"

static const struct {
	const char *label, *hint;
} kinds[PROMPT_NR] = {
	[PROMPT_NONE] = { "", "" },
	[PROMPT_SEARCH] = { "search: ", "Enter: done   Esc: back   then n and N" },
	[PROMPT_SEARCH_BACK] = { "search backward: ", "Enter: done   Esc: back   then n and N" },
	[PROMPT_FILTER] = { "only rows with: ", "Enter: keep   Esc: as before   empty: all rows" },
	[PROMPT_LINE] = { "line: ", "Enter: go   empty: the first" },
	[PROMPT_TURN] = { "calls: ", "Enter: set it to that   Esc: as before" },
	[PROMPT_COMPARE] = { "compare by: ", "Enter: keep   Esc: as before   Tab: what fits" },
	[PROMPT_GOTO] = { "go to: ", "part of a name, or FILE:LINE   Enter: go   Esc: back" },
	[PROMPT_REMARK] = { "remark: ", "Enter: into the profile   Esc: as before   empty: none" },
	[PROMPT_COMMAND] = { ":", "a command, a line or an action's name   Tab: which" },
};

void
prompt_init(struct prompt *p)
{
	memset(p, 0, sizeof(*p));
	strbuf_init(&p->text);
	strbuf_init(&p->offer);
}

void
prompt_release(struct prompt *p)
{
	int i, j;

	for (i = 0; i < PROMPT_NR; i++)
		for (j = 0; j < PROMPT_HISTORY; j++)
			free(p->history[i][j]);
	strbuf_release(&p->text);
	strbuf_release(&p->offer);
	prompt_init(p);
}

static void
set_text(struct prompt *p, const char *text)
{
	strbuf_clear(&p->text);
	strbuf_str(&p->text, text);
	p->at = p->text.len;
}

void
prompt_replace(struct prompt *p, size_t from, const char *text)
{
	p->text.len = from;
	p->text.buf[from] = '\0';
	strbuf_str(&p->text, text);
	p->at = p->text.len;
}

void
prompt_offer(struct prompt *p, const char *text)
{
	strbuf_clear(&p->offer);
	strbuf_str(&p->offer, text);
}

void
prompt_open(struct prompt *p, enum prompt_kind kind, const char *text)
{
	p->kind = kind;
	p->from_history = -1;
	p->wrong = -1;
	set_text(p, text);
}

/* Both directions of search share a history. */
static char **
history_of(struct prompt *p)
{
	return p->history[p->kind == PROMPT_SEARCH_BACK ? PROMPT_SEARCH : p->kind];
}

void
prompt_close(struct prompt *p, bool keep)
{
	char **history = history_of(p);

	if (keep && p->text.len && (!history[0] || strcmp(history[0], p->text.buf))) {
		free(history[PROMPT_HISTORY - 1]);
		memmove(history + 1, history, (PROMPT_HISTORY - 1) * sizeof(*history));
		history[0] = xstrdup(p->text.buf);
	}
	p->kind = PROMPT_NONE;
}

/* ---- editing ---- */

static void
erase_bytes(struct prompt *p, size_t from, size_t to)
{
	memmove(p->text.buf + from, p->text.buf + to, p->text.len - to + 1);
	p->text.len -= to - from;
	p->at = from;
}

static bool
continues(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static size_t
before(const struct prompt *p, size_t at)
{
	if (at)
		at--;
	while (at && continues(p->text.buf[at]))
		at--;
	return at;
}

static size_t
after(const struct prompt *p, size_t at)
{
	if (at < p->text.len)
		at++;
	while (at < p->text.len && continues(p->text.buf[at]))
		at++;
	return at;
}

static enum prompt_event
erase(struct prompt *p)
{
	/* Erasing from nothing leaves, as in less and vim. */
	if (!p->text.len)
		return PROMPT_CANCELLED;
	erase_bytes(p, before(p, p->at), p->at);
	return PROMPT_CHANGED;
}

static enum prompt_event
erase_word(struct prompt *p)
{
	size_t from = p->at;

	while (from && p->text.buf[from - 1] == ' ')
		from--;
	while (from && p->text.buf[from - 1] != ' ')
		from--;
	erase_bytes(p, from, p->at);
	return PROMPT_CHANGED;
}

static enum prompt_event
walk_history(struct prompt *p, int by)
{
	int to = p->from_history + by;
	char **history = history_of(p);

	if (to < -1 || to >= PROMPT_HISTORY || (to >= 0 && !history[to]))
		return PROMPT_NOTHING;
	p->from_history = to;
	set_text(p, to < 0 ? "" : history[to]);
	return PROMPT_CHANGED;
}

static enum prompt_event
act(struct prompt *p, enum action action)
{
	switch (action) {
	case ACTION_PROMPT_ACCEPT:
		return PROMPT_ACCEPTED;
	case ACTION_PROMPT_CANCEL:
		return PROMPT_CANCELLED;
	case ACTION_PROMPT_ERASE:
		return erase(p);
	case ACTION_PROMPT_DELETE:
		erase_bytes(p, p->at, after(p, p->at));
		return PROMPT_CHANGED;
	case ACTION_PROMPT_ERASE_WORD:
		return erase_word(p);
	case ACTION_PROMPT_ERASE_ALL:
		set_text(p, "");
		return PROMPT_CHANGED;
	case ACTION_PROMPT_LEFT:
		p->at = before(p, p->at);
		return PROMPT_NOTHING;
	case ACTION_PROMPT_RIGHT:
		p->at = after(p, p->at);
		return PROMPT_NOTHING;
	case ACTION_PROMPT_HOME:
		p->at = 0;
		return PROMPT_NOTHING;
	case ACTION_PROMPT_END:
		p->at = p->text.len;
		return PROMPT_NOTHING;
	case ACTION_PROMPT_COMPLETE:
		return PROMPT_COMPLETED;
	case ACTION_PROMPT_OLDER:
		return p->kind == PROMPT_GOTO ? PROMPT_PREVIOUS : walk_history(p, 1);
	case ACTION_PROMPT_NEWER:
		return p->kind == PROMPT_GOTO ? PROMPT_NEXT : walk_history(p, -1);
	default:
		return PROMPT_NOTHING;
	}
}

static enum prompt_event
insert(struct prompt *p, const struct strbuf *s)
{
	struct strbuf rest = STRBUF_INIT;

	strbuf_str(&rest, p->text.buf + p->at);
	p->text.len = p->at;
	strbuf_add(&p->text, s->buf, s->len);
	p->at = p->text.len;
	strbuf_add(&p->text, rest.buf, rest.len);
	strbuf_release(&rest);
	return PROMPT_CHANGED;
}

static enum prompt_event
type(struct prompt *p, tui_key key)
{
	struct strbuf c = STRBUF_INIT;

	utf8_encode(&c, key);
	insert(p, &c);
	strbuf_release(&c);
	return PROMPT_CHANGED;
}

enum prompt_event
prompt_paste(struct prompt *p, const struct paste *paste)
{
	size_t room = p->text.len < PROMPT_LONGEST ? PROMPT_LONGEST - p->text.len : 0;
	struct strbuf s = STRBUF_INIT;
	bool fits = paste_line(paste, &s, room);
	enum prompt_event event = s.len ? insert(p, &s) : PROMPT_NOTHING;

	strbuf_clear(&p->offer);
	if (!fits)
		strbuf_fmt(&p->offer, "pasted in part: no more than %d bytes fit", PROMPT_LONGEST);
	strbuf_release(&s);
	return event;
}

enum prompt_event
prompt_key(struct prompt *p, tui_key key, unsigned *actions_done)
{
	enum action action = action_of_key(KEYMAP_PROMPT, key);

	strbuf_clear(&p->offer);
	if (action != ACTION_NONE) {
		actions_done[action]++;
		return act(p, action);
	}
	if (key >= 0x20 && key < KEYS_SPECIAL && key != 0x7f && p->text.len < PROMPT_LONGEST)
		return type(p, key);
	return PROMPT_NOTHING;
}

/* Returns the first byte to show so that the cursor, too, fits into WIDTH columns. */
static size_t
first_shown(const struct prompt *p, int width)
{
	size_t first = p->at, previous;

	while (first) {
		previous = before(p, first);
		if (safe_width(p->text.buf + previous, p->at - previous) > width - 1)
			break;
		first = previous;
	}
	return first;
}

/* Marks the text from the error to the end of the word. */
static void
mark_wrong(const struct prompt *p, const struct line *line, int x, size_t first)
{
	size_t from = p->wrong < 0 ? p->text.len : (size_t)p->wrong, end;
	const char *s = p->text.buf;

	if (from < first || from >= p->text.len)
		return;
	end = from + strcspn(s + from, " ()+-*/,<>=");
	end = end == from ? from + 1 : end;
	line_text(line, x + safe_width(s + first, from - first), line->w, ALIGN_LEFT, ROLE_ERROR,
		  s + from, (ptrdiff_t)(end - from));
}

void
prompt_draw(const struct prompt *p, const struct line *line)
{
	const char *hint = p->offer.len ? p->offer.buf : kinds[p->kind].hint;
	int x, w, room, hint_width = safe_width(hint, strlen(hint));
	size_t first;

	x = 1 + line_text(line, 1, line->w - 1, ALIGN_LEFT, ROLE_KEY, kinds[p->kind].label, -1);
	room = line->w - x;
	/* A long text leaves some of the line to the offer. */
	if (p->offer.len)
		room = hint_width + 5 < room / 2 ? room - hint_width - 5 : room - room / 2;
	first = first_shown(p, room - 1);
	w = line_text(line, x, room, ALIGN_LEFT, ROLE_PROMPT, p->text.buf + first, -1);
	mark_wrong(p, line, x, first);
	line_overlay(line, x + safe_width(p->text.buf + first, p->at - first), 1, OVERLAY_SELECT);
	if (p->offer.len)
		line_text(line, x + w + 3, line->w - x - w - 5, ALIGN_LEFT, ROLE_DIM, hint, -1);
	else if (x + w + hint_width + 5 < line->w)
		line_text(line, line->w - hint_width - 2, hint_width, ALIGN_LEFT, ROLE_DIM, hint,
			  -1);
}
