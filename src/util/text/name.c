#include "util/text/name.h"

#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/safe.h"

enum { MAX_NESTING = 60 };

/* A name, and how deep in brackets each of its bytes is. */
struct name {
	const char *s;
	size_t n;
	uint8_t *level;
	int deepest;
	const char *dots;
	int dots_width;
};

/* The brackets that are open. */
struct brackets {
	char open[MAX_NESTING];
	bool counts[MAX_NESTING]; /* what is in it is one level deeper */
	int nr, level;
};

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* The bytes of "operator" and what it is of, so that no bracket in it is taken for one; 0: it does
 * not stand at I. */
static size_t
operator_at(const struct name *name, size_t i)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1, end = i + n;
	const char *s = name->s;

	if (name->n - i < n || strncmp(s + i, word, n) || (i && is_word(s[i - 1])) ||
	    (end < name->n && is_word(s[end])))
		return 0;
	if (name->n - end >= 2 && (!strncmp(s + end, "()", 2) || !strncmp(s + end, "[]", 2)))
		return n + 2;
	while (end < name->n && strchr("<>=!+-*/%^&|~,", s[end]))
		end++;
	return end - i;
}

/* "f<int>" and "f(int)" have arguments; "<lambda(int)>" is a name. */
static void
open_bracket(struct name *name, struct brackets *b, size_t i, bool arguments)
{
	name->level[i] = (uint8_t)b->level;
	if (b->nr == MAX_NESTING)
		return;
	b->open[b->nr] = name->s[i];
	b->counts[b->nr++] = arguments;
	b->level += arguments;
	if (b->level > name->deepest)
		name->deepest = b->level;
}

static void
close_bracket(struct name *name, struct brackets *b, size_t i)
{
	char opens = name->s[i] == '>' ? '<' : '(';

	if (b->nr && b->open[b->nr - 1] == opens && b->counts[--b->nr])
		b->level--;
	name->level[i] = (uint8_t)b->level;
}

static void
find_levels(struct name *name)
{
	struct brackets b = { .nr = 0 };
	const char *s = name->s;
	size_t skip;

	for (size_t i = 0; i < name->n; i++) {
		bool behind_operator = false;

		skip = operator_at(name, i);
		if (skip) {
			memset(name->level + i, b.level, skip);
			i += skip;
			behind_operator = true;
		}
		if (i < name->n && behind_operator && s[i] == ' ')
			name->level[i++] = (uint8_t)b.level;
		if (i >= name->n)
			break;
		if (s[i] == '<' || s[i] == '(')
			open_bracket(name, &b, i, s[i] == '(' || behind_operator ||
				     (i && is_word(s[i - 1])));
		else if (s[i] == '>' || s[i] == ')')
			close_bracket(name, &b, i);
		else
			name->level[i] = (uint8_t)b.level;
	}
}

static void
cut(struct strbuf *sb, size_t length)
{
	if (sb->len == length)
		return;
	sb->len = length;
	sb->buf[length] = '\0';
}

/* Append as many characters of S as WIDTH has room for. */
static int
put_begin(struct strbuf *sb, const char *s, size_t n, int width)
{
	int used = 0, w;
	size_t step;
	int32_t c;

	for (size_t i = 0; i < n; i += step, used += w) {
		step = utf8_decode(s + i, n - i, &c);
		w = safe_width_char(c);
		if (used + w > width)
			break;
		safe_char(sb, c);
	}
	return used;
}

/* Append as many of the last characters of S as WIDTH has room for. */
static int
put_end(struct strbuf *sb, const char *s, size_t n, int width)
{
	int left = safe_width(s, n);
	size_t i = 0;
	int32_t c;

	/* Combining characters go with the one they combine with. */
	while (i < n && left > width) {
		i += utf8_decode(s + i, n - i, &c);
		left -= safe_width_char(c);
		while (i < n && left <= width) {
			size_t step = utf8_decode(s + i, n - i, &c);

			if (safe_width_char(c))
				break;
			i += step;
		}
	}
	safe_text(sb, s + i, n - i);
	return left;
}

static int
put_dots(struct strbuf *sb, const struct name *name)
{
	strbuf_str(sb, name->dots);
	return name->dots_width;
}

/* Returns where the stretch from I on ends that is all deeper than LEVEL, or all not; when not,
 * some bytes are enough, as they are written as they are. */
static size_t
end_of_stretch(const struct name *name, size_t i, int level)
{
	enum { ENOUGH = 64 };
	bool deep = name->level[i] > level;
	size_t end = i;

	while (end < name->n && (name->level[end] > level) == deep && (deep || end - i < ENOUGH))
		end++;
	while (end < name->n && (name->s[end] & 0xc0) == 0x80 && (name->level[end] > level) == deep)
		end++;
	return end;
}

/* Appends from byte FROM on, with the first EACH columns of what is deeper than LEVEL, until more
 * than MOST columns are used. *RUNS: how often something is left out. */
static int
put_level(struct strbuf *sb, const struct name *name, size_t from, int level, int each, int most,
	  int *runs)
{
	size_t i, end;
	int used = 0;

	*runs = 0;
	for (i = from; i < name->n && used <= most; i = end) {
		bool deep = name->level[i] > level;

		end = end_of_stretch(name, i, level);
		if (!deep || safe_width(name->s + i, end - i) <= each + name->dots_width) {
			safe_text(sb, name->s + i, end - i);
			used += safe_width(name->s + i, end - i);
			continue;
		}
		++*runs;
		used += put_begin(sb, name->s + i, end - i, each);
		used += put_dots(sb, name);
	}
	return used;
}

/* Appends the arguments as deep as they fit; the rest of the room goes to the begins of those that
 * are left out. Returns -1 when there is no room even without all arguments. */
static int
put_arguments(struct strbuf *sb, const struct name *name, size_t from, int width)
{
	enum { LEAST = 3 };
	size_t start = sb->len;
	int level = name->deepest ? name->deepest : 1, used, runs, each;

	do {
		cut(sb, start);
		used = put_level(sb, name, from, --level, 0, width, &runs);
	} while (used > width && level > 0);
	each = runs && used < width ? (width - used) / runs : 0;
	if (each >= LEAST) {
		cut(sb, start);
		used = put_level(sb, name, from, level, each, width, &runs);
	}
	if (used <= width)
		return used;
	cut(sb, start);
	return -1;
}

/* Returns where the next component begins behind FROM; the name's length: there is none. */
static size_t
next_component(const struct name *name, size_t from)
{
	size_t i;
	int depth = 0;

	for (i = from; i + 1 < name->n; i++) {
		if (name->level[i])
			continue;
		depth += name->s[i] == '<' && !is_word(i ? name->s[i - 1] : ' ');
		depth -= name->s[i] == '>' && depth;
		if (!depth && name->s[i] == ':' && name->s[i + 1] == ':')
			return i + 2;
	}
	return name->n;
}

static int
put_middle(struct strbuf *sb, const struct name *name, int width)
{
	int room = width - name->dots_width, used;

	if (room < 2)
		return put_begin(sb, name->s, name->n, width);
	used = put_begin(sb, name->s, name->n, (room + 1) / 2);
	used += put_dots(sb, name);
	return used + put_end(sb, name->s, name->n, width - used);
}

/* The name from its component at FROM on, behind as much of its begin as there is room for. -1: it
 * does not fit. */
static int
put_from(struct strbuf *sb, const struct name *name, size_t from, int width)
{
	enum { LEAST = 4 };
	struct strbuf rest = STRBUF_INIT;
	int used = put_arguments(&rest, name, from, width - name->dots_width), room;

	if (used >= 0) {
		room = width - used - name->dots_width - 2;
		if (room >= LEAST)
			used += put_begin(sb, name->s, from - 2, room) + 2;
		used += put_dots(sb, name);
		strbuf_str(sb, room >= LEAST ? "::" : "");
		strbuf_add(sb, rest.buf, rest.len);
	}
	strbuf_release(&rest);
	return used;
}

static int
put_cut(struct strbuf *sb, const struct name *name, int width)
{
	struct strbuf last = STRBUF_INIT;
	size_t from = 0, next;
	int used = put_arguments(sb, name, 0, width), runs;

	while (used < 0 && (next = next_component(name, from)) < name->n) {
		from = next;
		used = put_from(sb, name, from, width);
	}
	if (used >= 0)
		return used;
	/* One component alone is too long: its middle goes, after its arguments. */
	put_level(&last, name, from, 0, 0, INT_MAX, &runs);
	used = put_middle(sb, &(struct name){ .s = last.buf, .n = last.len, .dots = name->dots,
					      .dots_width = name->dots_width }, width);
	strbuf_release(&last);
	return used;
}

int
name_fit(struct strbuf *sb, const char *name, size_t n, int width, const char *dots)
{
	struct name whole = { .s = name, .n = n, .dots = dots };
	int used = safe_width(name, n);

	if (used <= width) {
		safe_text(sb, name, n);
		return used;
	}
	if (width <= 0)
		return 0;
	for (const char *c = dots; *c; c++)
		whole.dots_width += (*c & 0xc0) != 0x80;
	whole.level = xcalloc(n, 1);
	find_levels(&whole);
	used = put_cut(sb, &whole, width);
	free(whole.level);
	return used;
}

void
name_cut(struct strbuf *name, int width, const char *dots)
{
	struct strbuf s = STRBUF_INIT;

	if (safe_width(name->buf, name->len) <= width)
		return;
	name_fit(&s, name->buf, name->len, width, dots);
	strbuf_release(name);
	*name = s;
}
