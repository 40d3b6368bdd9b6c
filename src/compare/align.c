#include "compare/align.h"

#include <stdlib.h>
#include <string.h>

#include "compare/gap.h"
#include "compare/sequence.h"
#include "compare/token.h"
#include "util/mem.h"

/* An alignment that goes on. */
struct aligning {
	enum { NUMBER_FROM, NUMBER_TO, PAIR, GAPS, TOKENS, NOTE, DONE } stage;
	struct span from, to;
	bool lines_only;
	uint64_t *work;
	struct text_numbers numbers;     /* of lines */
	uint32_t *of_from, *of_to;
	uint32_t nr_from, nr_to, at;     /* lines; those that are done in this stage */
	struct sequence *sequence;
	uint32_t *pair;
	uint32_t f, t;                   /* the lines behind the last pair */
	struct gap *gap;                 /* before line AT of FROM */
	size_t noted;                    /* of its tokens */
	uint32_t used;                   /* the last line that one of its lines became */
};

struct alignment {
	uint32_t first, last;            /* lines of FROM */
	bool identical;                  /* only moved, by so many lines: */
	int64_t shift;
	uint32_t *line;                  /* [line - first]: the same line of TO, or 0 */
	uint32_t *changed;               /* [line - first]: the line that it became, or 0 */
	struct aligned_token *tokens;    /* of the other lines, in order */
	size_t nr_tokens, tokens_alloc;
	struct aligning *aligning;       /* NULL: done */
};

/* ---- lines ---- */

static uint32_t
span_lines(const struct span *s)
{
	uint32_t last = s->last < s->text->nr_lines ? s->last : s->text->nr_lines;

	return s->first && s->first <= last ? last - s->first + 1 : 0;
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

/* ---- in slices ---- */

enum { STRIDE = 512 /* lines between two looks at the clock */ };

/* Some more lines of a text. True: that were all. */
static bool
number_lines(struct aligning *g, const struct span *s, uint32_t *ids, uint32_t nr)
{
	uint32_t end = nr - g->at < STRIDE ? nr : g->at + STRIDE;

	for (; g->at < end; g->at++)
		ids[g->at] = text_number(&g->numbers, text_line(s->text, s->first + g->at));
	if (g->at < nr)
		return false;
	g->at = 0;
	return true;
}

static void
begin_pairing(struct alignment *a, struct aligning *g)
{
	uint32_t nr = g->nr_from + g->nr_to;

	*g->work -= *g->work < nr ? *g->work : nr;
	g->pair = xcalloc(g->nr_from, sizeof(*g->pair));
	a->line = xcalloc(g->nr_from, sizeof(*a->line));
	a->changed = xcalloc(g->nr_from, sizeof(*a->changed));
	a->last = a->first + g->nr_from - 1;
	g->sequence = sequence_begin(g->of_from, g->nr_from, g->of_to, g->nr_to, g->numbers.nr,
				     g->pair, g->work);
	g->stage = PAIR;
}

static void
begin_gap(struct aligning *g, uint32_t to)
{
	struct span from = g->from, in = g->to;

	from.first += g->f;
	from.last = g->from.first + g->at - 1;
	in.first += g->t;
	in.last = g->to.first + to - 1;
	g->gap = gap_begin(&from, &in, g->work);
	g->noted = 0;
	g->used = 0;
	g->stage = TOKENS;
}

/* To the next line that has its own, with a gap before it or not; some at a time. */
static void
go_on(struct alignment *a, struct aligning *g)
{
	for (int n = 0; n < STRIDE; n++, g->at++) {
		bool all = g->at == g->nr_from;
		uint32_t to = all ? g->nr_to : g->pair[g->at];

		if (to == SEQUENCE_NONE)
			continue;
		if (g->at > g->f && to > g->t && *g->work && !g->gap) {
			begin_gap(g, to);
			return;
		}
		gap_free(g->gap);
		g->gap = NULL;
		if (all) {
			g->stage = DONE;
			return;
		}
		a->line[g->at] = g->to.first + to;
		g->f = g->at + 1;
		g->t = to + 1;
	}
}

/* Which line became which. True: all tokens have been looked at. */
static bool
note_lines(struct alignment *a, struct aligning *g)
{
	size_t nr, end;
	const struct aligned_token *tokens = gap_tokens(g->gap, &nr);

	end = nr - g->noted < STRIDE ? nr : g->noted + STRIDE;
	for (; g->noted < end; g->noted++) {
		const struct aligned_token *token = &tokens[g->noted];
		uint32_t *became = &a->changed[token->line - a->first];

		if (!*became && token->to_line > g->used)
			g->used = *became = token->to_line;
		if (g->lines_only)
			continue;
		GROW(a->tokens, a->nr_tokens + 1, a->tokens_alloc);
		a->tokens[a->nr_tokens++] = *token;
	}
	return g->noted == nr;
}

/* False: there is enough. */
static bool
step(struct alignment *a, struct aligning *g, bool (*enough)(void *context), void *context)
{
	switch (g->stage) {
	case NUMBER_FROM:
		if (number_lines(g, &g->from, g->of_from, g->nr_from))
			g->stage = NUMBER_TO;
		break;
	case NUMBER_TO:
		if (number_lines(g, &g->to, g->of_to, g->nr_to))
			begin_pairing(a, g);
		break;
	case PAIR:
		if (!sequence_work(g->sequence, enough, context))
			return false;
		sequence_free(g->sequence);
		g->sequence = NULL;
		g->stage = GAPS;
		break;
	case GAPS:
		go_on(a, g);
		break;
	case TOKENS:
		if (!gap_work(g->gap, enough, context))
			return false;
		g->stage = NOTE;
		break;
	default:
		if (note_lines(a, g))
			g->stage = GAPS;
		break;
	}
	return !enough || !enough(context);
}

static void
end_aligning(struct alignment *a)
{
	struct aligning *g = a->aligning;

	if (!g)
		return;
	g->from.text->holders--;
	g->to.text->holders--;
	sequence_free(g->sequence);
	text_numbers_release(&g->numbers);
	gap_free(g->gap);
	free(g->of_from);
	free(g->of_to);
	free(g->pair);
	free(g);
	a->aligning = NULL;
}

bool
alignment_work(struct alignment *a, bool (*enough)(void *context), void *context)
{
	struct aligning *g = a->aligning;
	bool more = true;

	while (g && g->stage != DONE && more)
		more = step(a, g, enough, context);
	if (g && g->stage != DONE)
		return false;
	end_aligning(a);
	return true;
}

int
alignment_percent(const struct alignment *a)
{
	const struct aligning *g = a->aligning;

	if (!g || g->stage < GAPS)
		return g ? 0 : 100;
	return (int)(100 * (uint64_t)g->at / (g->nr_from + 1));
}

struct alignment *
alignment_start(const struct span *from, const struct span *to, bool lines_only, uint64_t *work)
{
	struct alignment *a = xcalloc(1, sizeof(*a));
	struct aligning *g;

	a->first = from->first;
	a->last = from->last;
	a->shift = (int64_t)to->first - from->first;
	a->identical = same_bytes(from, to);
	if (a->identical)
		return a;
	g = a->aligning = xcalloc(1, sizeof(*g));
	g->from = *from;
	g->to = *to;
	g->from.text->holders++;
	g->to.text->holders++;
	g->lines_only = lines_only;
	g->work = work;
	g->nr_from = span_lines(from);
	g->nr_to = span_lines(to);
	g->of_from = xcalloc(g->nr_from, sizeof(*g->of_from));
	g->of_to = xcalloc(g->nr_to, sizeof(*g->of_to));
	index_reserve(&g->numbers.index, (size_t)g->nr_from + g->nr_to);
	return a;
}

void
alignment_free(struct alignment *a)
{
	if (!a)
		return;
	end_aligning(a);
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
