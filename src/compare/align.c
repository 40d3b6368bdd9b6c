#include "compare/align.h"

#include <stdlib.h>
#include <string.h>

#include "compare/sequence.h"
#include "compare/token.h"
#include "util/index.h"
#include "util/mem.h"

struct aligned_token {
	uint32_t line, begin, end;       /* in FROM */
	uint32_t to_line, to_begin;      /* to_line 0: it does not begin anywhere there */
	uint32_t to_end_line, to_end;
};

struct alignment {
	uint32_t first, last;            /* lines of FROM */
	bool identical;                  /* only moved, by so many lines: */
	int64_t shift;
	uint32_t *line;                  /* [line - first]: the same line of TO, or 0 */
	uint32_t *changed;               /* [line - first]: the line that it became, or 0 */
	struct aligned_token *tokens;    /* of the other lines, in order */
	size_t nr_tokens, tokens_alloc;
};

/* ---- numbers for texts: equal texts, equal numbers ---- */

struct numbers {
	struct slice *texts;             /* by number */
	size_t nr, alloc;
	struct index index;
};
#define NUMBERS_INIT { .texts = NULL, .index = INDEX_INIT }

static bool
is_text(const void *context, uint32_t item, const void *key)
{
	const struct numbers *x = context;
	const struct slice *s = key;

	return x->texts[item].n == s->n && !memcmp(x->texts[item].s, s->s, s->n);
}

static uint32_t
number_of(struct numbers *x, struct slice s)
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

static void
numbers_release(struct numbers *x)
{
	free(x->texts);
	index_release(&x->index);
}

/* ---- tokens of changed lines ---- */

struct tokens {
	struct token_text *items;
	uint32_t *numbers;
	size_t nr, alloc, numbers_alloc;
};

static void
read_tokens(struct tokens *t, const struct text *text, uint32_t first, uint32_t last,
	    struct numbers *x)
{
	struct token_reader r = { text, first, last, 0, false };
	struct token_text token;

	while (token_next(&r, &token)) {
		GROW(t->items, t->nr + 1, t->alloc);
		GROW(t->numbers, t->nr + 1, t->numbers_alloc);
		t->items[t->nr] = token;
		t->numbers[t->nr++] = number_of(x, token.text);
	}
}

static void
tokens_release(struct tokens *t)
{
	free(t->items);
	free(t->numbers);
}

static void
set_begin(struct aligned_token *a, const struct token_text *to)
{
	a->to_line = to->line;
	a->to_begin = to->begin;
}

static void
set_end(struct aligned_token *a, const struct token_text *to)
{
	a->to_end_line = to->line;
	a->to_end = to->end;
}

/* Between two pairs FROM has the tokens I..I_END and TO has K..K_END: one replaces the other. */
static void
pair_replaced(struct aligned_token *out, const struct tokens *to, size_t i, size_t i_end, size_t k,
	      size_t k_end)
{
	if (i == i_end || k == k_end)
		return;
	if (i_end - i == k_end - k) {
		for (; i < i_end; i++, k++) {
			set_begin(&out[i], &to->items[k]);
			set_end(&out[i], &to->items[k]);
		}
		return;
	}
	set_begin(&out[i], &to->items[k]);
	set_end(&out[i_end - 1], &to->items[k_end - 1]);
}

static void
align_tokens(struct alignment *a, const struct tokens *from, const struct tokens *to,
	     size_t nr_numbers, uint64_t *work)
{
	uint32_t *pair = xcalloc(from->nr, sizeof(*pair));
	struct aligned_token *out;
	size_t i = 0, k = 0;

	sequence_pair(from->numbers, from->nr, to->numbers, to->nr, nr_numbers, pair, work);
	GROW(a->tokens, a->nr_tokens + from->nr, a->tokens_alloc);
	out = a->tokens + a->nr_tokens;
	memset(out, 0, from->nr * sizeof(*out));
	for (size_t n = 0; n <= from->nr; n++) {
		if (n < from->nr) {
			out[n].line = from->items[n].line;
			out[n].begin = from->items[n].begin;
			out[n].end = from->items[n].end;
		}
		if (n < from->nr && pair[n] == SEQUENCE_NONE)
			continue;
		pair_replaced(out, to, i, n, k, n < from->nr ? pair[n] : to->nr);
		if (n == from->nr)
			break;
		set_begin(&out[n], &to->items[pair[n]]);
		set_end(&out[n], &to->items[pair[n]]);
		i = n + 1;
		k = pair[n] + 1;
	}
	a->nr_tokens += from->nr;
	free(pair);
}

/* Lines F..F_END of FROM became T..T_END of TO. */
static void
align_changed(struct alignment *a, const struct span *from, const struct span *to, uint32_t f,
	      uint32_t f_end, uint32_t t, uint32_t t_end, uint64_t *work)
{
	struct numbers x = NUMBERS_INIT;
	struct tokens tf = { .items = NULL }, tt = { .items = NULL };
	uint32_t used = 0;
	size_t first = a->nr_tokens;

	if (f > f_end || t > t_end || !*work)
		return;
	read_tokens(&tf, from->text, f, f_end, &x);
	read_tokens(&tt, to->text, t, t_end, &x);
	*work -= *work < tf.nr + tt.nr ? *work : tf.nr + tt.nr;
	align_tokens(a, &tf, &tt, x.nr, work);
	for (size_t i = first; i < a->nr_tokens; i++) {
		const struct aligned_token *token = &a->tokens[i];
		uint32_t *became = &a->changed[token->line - a->first];

		if (!*became && token->to_line > used)
			used = *became = token->to_line;
	}
	tokens_release(&tf);
	tokens_release(&tt);
	numbers_release(&x);
}

/* ---- lines ---- */

static uint32_t *
number_lines(struct numbers *x, const struct span *s, uint32_t nr)
{
	uint32_t *ids = xcalloc(nr, sizeof(*ids));

	for (uint32_t i = 0; i < nr; i++)
		ids[i] = number_of(x, text_line(s->text, s->first + i));
	return ids;
}

static uint32_t
span_lines(const struct span *s)
{
	uint32_t last = s->last < s->text->nr_lines ? s->last : s->text->nr_lines;

	return s->first && s->first <= last ? last - s->first + 1 : 0;
}

static void
align_lines(struct alignment *a, const struct span *from, const struct span *to, uint64_t *work)
{
	uint32_t nf = span_lines(from), nt = span_lines(to), f = 0, t = 0;
	struct numbers x = NUMBERS_INIT;
	uint32_t *ids_f = number_lines(&x, from, nf), *ids_t = number_lines(&x, to, nt);
	uint32_t *pair = xcalloc(nf, sizeof(*pair));

	*work -= *work < nf + nt ? *work : nf + nt;
	sequence_pair(ids_f, nf, ids_t, nt, x.nr, pair, work);
	a->line = xcalloc(nf, sizeof(*a->line));
	a->changed = xcalloc(nf, sizeof(*a->changed));
	a->last = a->first + nf - 1;
	for (uint32_t i = 0; i <= nf; i++) {
		uint32_t k = i < nf ? pair[i] : nt;

		if (k == SEQUENCE_NONE)
			continue;
		if (i > f && k > t)
			align_changed(a, from, to, from->first + f, from->first + i - 1,
				      to->first + t, to->first + k - 1, work);
		if (i < nf)
			a->line[i] = to->first + k;
		f = i + 1;
		t = k + 1;
	}
	free(ids_f);
	free(ids_t);
	free(pair);
	numbers_release(&x);
}

static bool
same_bytes(const struct span *a, const struct span *b)
{
	uint32_t na = span_lines(a), nb = span_lines(b);
	struct slice sa, sb;

	if (na != nb || !na)
		return na == nb;
	sa = text_line(a->text, a->first);
	sb = text_line(b->text, b->first);
	sa.n = a->text->start[a->first + na - 1] - a->text->start[a->first - 1];
	sb.n = b->text->start[b->first + nb - 1] - b->text->start[b->first - 1];
	return sa.n == sb.n && !memcmp(sa.s, sb.s, sa.n);
}

struct alignment *
alignment_new(const struct span *from, const struct span *to, uint64_t *work)
{
	struct alignment *a = xcalloc(1, sizeof(*a));

	a->first = from->first;
	a->last = from->last;
	a->shift = (int64_t)to->first - from->first;
	a->identical = same_bytes(from, to);
	if (!a->identical)
		align_lines(a, from, to, work);
	return a;
}

void
alignment_free(struct alignment *a)
{
	if (!a)
		return;
	free(a->line);
	free(a->changed);
	free(a->tokens);
	free(a);
}

/* ---- asking ---- */

uint32_t
alignment_line(const struct alignment *a, uint32_t line, bool *same)
{
	uint32_t to;

	*same = false;
	if (line < a->first || line > a->last)
		return 0;
	if (a->identical) {
		*same = true;
		return (uint32_t)(line + a->shift);
	}
	to = a->line[line - a->first];
	*same = to != 0;
	return to ? to : a->changed[line - a->first];
}

/* The first token that ends at or behind the place. */
static const struct aligned_token *
find_token(const struct alignment *a, uint32_t line, uint32_t column)
{
	size_t low = 0, high = a->nr_tokens;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct aligned_token *t = &a->tokens[middle];

		if (t->line < line || (t->line == line && t->end < column))
			low = middle + 1;
		else
			high = middle;
	}
	return low < a->nr_tokens && a->tokens[low].line == line ? &a->tokens[low] : NULL;
}

/* True when the line as a whole is there. */
static bool
move_line(const struct alignment *a, uint32_t *line)
{
	if (*line < a->first || *line > a->last)
		return false;
	if (a->identical)
		*line = (uint32_t)(*line + a->shift);
	else if (a->line[*line - a->first])
		*line = a->line[*line - a->first];
	else
		return false;
	return true;
}

bool
alignment_begin(const struct alignment *a, uint32_t *line, uint32_t *column)
{
	const struct aligned_token *t;

	if (move_line(a, line))
		return true;
	t = find_token(a, *line, *column);
	if (!t || t->begin != *column || !t->to_line)
		return false;
	*line = t->to_line;
	*column = t->to_begin;
	return true;
}

bool
alignment_end(const struct alignment *a, uint32_t *line, uint32_t *column)
{
	const struct aligned_token *t;

	if (move_line(a, line))
		return true;
	t = find_token(a, *line, *column);
	if (!t || t->end != *column || !t->to_end_line)
		return false;
	*line = t->to_end_line;
	*column = t->to_end;
	return true;
}
