/* Texts, their lines and the tokens of C. */
#include <stdlib.h>
#include <string.h>

#include "compare/match/align.h"
#include "compare/match/token.h"
#include "util/mem.h"

void
text_begin(struct text *t, char *data, size_t size)
{
	*t = (struct text){ .data = data, .size = size };
}

bool
text_cut(struct text *t, size_t most)
{
	if (!t->data)
		return true;
	for (; t->cut < t->size && t->nr_lines < UINT32_MAX - 1; most--) {
		const char *end;

		if (!most)
			return false;
		end = memchr(t->data + t->cut, '\n', t->size - t->cut);
		GROW(t->start, t->nr_lines + 2, t->alloc);
		t->start[t->nr_lines++] = (uint32_t)t->cut;
		t->cut = end ? (size_t)(end - t->data) + 1 : t->size;
	}
	GROW(t->start, t->nr_lines + 1, t->alloc);
	t->start[t->nr_lines] = (uint32_t)t->size;
	return true;
}

void
text_init(struct text *t, char *data, size_t size)
{
	text_begin(t, data, size);
	text_cut(t, SIZE_MAX);
}

void
text_release(struct text *t)
{
	free(t->data);
	free(t->start);
	*t = (struct text){ .data = NULL };
}

struct slice
text_line(const struct text *t, uint32_t line)
{
	if (!line || line > t->nr_lines)
		return (struct slice){ "", 0 };
	return (struct slice){ t->data + t->start[line - 1],
			       t->start[line] - t->start[line - 1] };
}

/* Bytes from the begin of a place to its end. */
static struct slice
text_between(const struct text *t, const struct text_place *p)
{
	size_t from, to;

	if (!p->line || p->line > t->nr_lines || p->end_line < p->line ||
	    p->end_line > t->nr_lines)
		return (struct slice){ "", 0 };
	from = (size_t)t->start[p->line - 1] + p->column - 1;
	to = (size_t)t->start[p->end_line - 1] + p->end_column;
	if (to > t->start[p->end_line])
		to = t->start[p->end_line];
	if (from >= to)
		return (struct slice){ "", 0 };
	return (struct slice){ t->data + from, to - from };
}

/* ---- equal but for white space ---- */

static bool
is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static bool
slices_equal(struct slice a, struct slice b)
{
	size_t i = 0, k = 0;

	for (;;) {
		while (i < a.n && is_space(a.s[i]))
			i++;
		while (k < b.n && is_space(b.s[k]))
			k++;
		if (i == a.n || k == b.n)
			return i == a.n && k == b.n;
		if (a.s[i++] != b.s[k++])
			return false;
	}
}

bool
text_equal(const struct text *a, const struct text_place *pa, const struct text *b,
	   const struct text_place *pb)
{
	return slices_equal(text_between(a, pa), text_between(b, pb));
}

bool
span_equal(const struct span *a, const struct span *b)
{
	struct text_place pa = { a->first, 1, a->last, UINT32_MAX };
	struct text_place pb = { b->first, 1, b->last, UINT32_MAX };

	if (pa.end_line > a->text->nr_lines)
		pa.end_line = a->text->nr_lines;
	if (pb.end_line > b->text->nr_lines)
		pb.end_line = b->text->nr_lines;
	return text_equal(a->text, &pa, b->text, &pb);
}

/* ---- tokens ---- */

static bool
is_word(char c)
{
	static const bool words[256] = {
		['0' ... '9'] = true, ['A' ... 'Z'] = true, ['a' ... 'z'] = true, ['_'] = true,
		['$'] = true, [0x80 ... 0xff] = true,
	};

	return words[(unsigned char)c];
}

static size_t
literal_length(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && s[i] != s[0] && s[i] != '\n')
		i += s[i] == '\\' && i + 1 < n ? 2 : 1;
	return i < n && s[i] == s[0] ? i + 1 : i > n ? n : i;
}

/* Behind a comment that S begins in. */
static size_t
comment_length(const char *s, size_t n, bool *inside)
{
	size_t i = 0;

	for (; i + 1 < n; i++) {
		if (s[i] == '*' && s[i + 1] == '/') {
			*inside = false;
			return i + 2;
		}
	}
	*inside = true;
	return n;
}

/* Moves R behind white space and comments of its line; true: to a token. */
static bool
skip_to_token(struct token_reader *r)
{
	const char *s = r->here.s;
	size_t at = r->at, n = r->here.n;

	while (at < n) {
		if (r->in_comment) {
			at += comment_length(s + at, n - at, &r->in_comment);
		} else if (is_space(s[at])) {
			at++;
		} else if (s[at] != '/' || at + 1 == n || (s[at + 1] != '/' && s[at + 1] != '*')) {
			break;
		} else {
			r->in_comment = s[at + 1] == '*';
			at = r->in_comment ? at + 2 : n;
		}
	}
	r->at = at;
	return at < n;
}

static bool
next_line(struct token_reader *r)
{
	if (r->line > r->last || r->line > r->text->nr_lines)
		return false;
	r->here = text_line(r->text, r->line++);
	return true;
}

bool
token_next(struct token_reader *r, struct token_text *t)
{
	const char *s;
	size_t n, length = 1;

	while (!skip_to_token(r)) {
		if (!next_line(r))
			return false;
		r->at = r->begin;
		r->begin = 0;
	}
	s = r->here.s + r->at;
	n = r->here.n - r->at;
	if (*s == '"' || *s == '\'')
		length = literal_length(s, n);
	else if (is_word(*s))
		while (length < n && is_word(s[length]))
			length++;
	*t = (struct token_text){ { s, length }, r->line - 1, (uint32_t)r->at + 1,
				  (uint32_t)(r->at + length) };
	r->at += length;
	return true;
}

void
token_go_to(struct token_reader *r, uint32_t line)
{
	r->line = line;
	r->here.n = 0;
	r->at = 0;
}

static uint64_t
load(const char *s, size_t n)
{
	uint64_t v = 0;

	memcpy(&v, s, n);
	return v;
}

uint64_t
slice_hash(struct slice s)
{
	uint64_t h = HASH_START ^ s.n;

	for (; s.n > 8; s.s += 8, s.n -= 8)
		h = hash_number(h, load(s.s, 8));
	/* Pieces that overlap are read faster than one of any length. */
	if (s.n >= 4)
		h = hash_number(h, load(s.s, 4) << 32 | load(s.s + s.n - 4, 4));
	else if (s.n >= 2)
		h = hash_number(h, load(s.s, 2) << 32 | load(s.s + s.n - 2, 2));
	else if (s.n)
		h = hash_number(h, load(s.s, 1));
	h *= 0xbf58476d1ce4e5b9ull;
	return h ^ h >> 32;
}

bool
slice_is(struct slice s, const char *text)
{
	return s.n == strlen(text) && !memcmp(s.s, text, s.n);
}

bool
slice_is_name(struct slice s)
{
	return s.n && (s.s[0] == '_' || ((s.s[0] | 32) >= 'a' && (s.s[0] | 32) <= 'z'));
}

/* ---- numbers ---- */

static bool
is_text(const void *context, uint32_t item, const void *key)
{
	const struct text_numbers *x = context;
	const struct slice *s = key;

	return x->texts[item].n == s->n && !memcmp(x->texts[item].s, s->s, s->n);
}

uint32_t
text_number(struct text_numbers *x, struct slice s)
{
	uint64_t hash = slice_hash(s);
	uint32_t number = index_find(&x->index, hash, is_text, x, &s);

	if (number != INDEX_NONE)
		return number;
	GROW(x->texts, x->nr + 1, x->alloc);
	x->texts[x->nr] = s;
	index_add(&x->index, hash, (uint32_t)x->nr);
	return (uint32_t)x->nr++;
}

uint32_t
text_number_known(const struct text_numbers *x, struct slice s)
{
	uint32_t number = index_find(&x->index, slice_hash(s), is_text, x, &s);

	return number == INDEX_NONE ? (uint32_t)x->nr : number;
}

void
text_numbers_release(struct text_numbers *x)
{
	free(x->texts);
	index_release(&x->index);
}
