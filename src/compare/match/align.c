#include "compare/match/align.h"

#include <stdlib.h>
#include <string.h>

#include "compare/match/gap.h"
#include "compare/match/sequence.h"
#include "compare/match/token.h"
#include "util/job.h"
#include "util/mem.h"

struct alignment {
	uint32_t first, last;            /* lines of FROM */
	bool identical;                  /* only moved, by so many lines: */
	int64_t shift;
	uint32_t *line;                  /* [line - first]: the same line of TO, or 0 */
	uint32_t *changed;               /* [line - first]: the line that it became, or 0 */
	struct aligned_token *tokens;    /* of the other lines, in order */
	size_t nr_tokens, tokens_alloc;
	struct job *job;                 /* makes it; NULL: done */
	unsigned waiting;                /* for that, and need it to stay */
	/* the arguments */
	struct span from, to;
	bool lines_only;
	uint64_t *work;
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

/* ---- making one ---- */

/* Lines for a unit of work. */
enum { UNIT = 8 };

/* The state of the work. */
struct aligning {
	struct alignment *a;
	struct text_numbers numbers;     /* of lines */
	uint32_t *of_from, *of_to;
	uint32_t nr_from, nr_to;
	uint32_t *pair;
	struct aligned_token *tokens;    /* of a gap */
	size_t nr_tokens;
};

/* Lines that only TO has need not be told apart, and have one number. */
static void
number_lines(struct aligning *g, const struct span *s, uint32_t *ids, uint32_t nr)
{
	bool from = s == &g->a->from;

	for (uint32_t i = 0; i < nr; i++) {
		struct slice line = text_line(s->text, s->first + i);

		ids[i] = from ? text_number(&g->numbers, line)
			      : text_number_known(&g->numbers, line);
		if (i % UNIT == 0)
			job_pause(1);
	}
}

static void
pair_lines(struct aligning *g)
{
	struct alignment *a = g->a;
	uint32_t nr = g->nr_from + g->nr_to;

	g->of_from = xcalloc(g->nr_from, sizeof(*g->of_from));
	g->of_to = xcalloc(g->nr_to, sizeof(*g->of_to));
	index_reserve(&g->numbers.index, g->nr_from);
	number_lines(g, &a->from, g->of_from, g->nr_from);
	number_lines(g, &a->to, g->of_to, g->nr_to);
	*a->work -= *a->work < nr ? *a->work : nr;
	g->pair = xcalloc(g->nr_from, sizeof(*g->pair));
	a->line = xcalloc(g->nr_from, sizeof(*a->line));
	a->changed = xcalloc(g->nr_from, sizeof(*a->changed));
	a->last = a->first + g->nr_from - 1;
	sequence_pair(g->of_from, g->nr_from, g->of_to, g->nr_to, g->numbers.nr + 1,
		      g->pair, a->work);
}

/* Notes which line of a gap became which. */
static void
note_lines(struct alignment *a, const struct aligning *g)
{
	uint32_t used = 0; /* the last line that one of its lines became */

	for (size_t i = 0; i < g->nr_tokens; i++) {
		const struct aligned_token *token = &g->tokens[i];
		uint32_t *became = &a->changed[token->line - a->first];

		if (i % UNIT == 0)
			job_pause(1);
		if (!*became && token->to_line > used)
			used = *became = token->to_line;
		if (a->lines_only)
			continue;
		GROW(a->tokens, a->nr_tokens + 1, a->tokens_alloc);
		a->tokens[a->nr_tokens++] = *token;
	}
}

/* Lines AT and NR of FROM, and of TO. */
static void
fill_gap(struct aligning *g, uint32_t at, uint32_t nr, uint32_t to, uint32_t nr_to)
{
	struct alignment *a = g->a;
	struct span from = a->from, in = a->to;

	from.first += at;
	from.last = from.first + nr - 1;
	in.first += to;
	in.last = in.first + nr_to - 1;
	g->tokens = gap_tokens(&from, &in, a->work, &g->nr_tokens);
	note_lines(a, g);
	free(g->tokens);
	g->tokens = NULL;
}

/* Goes from each line that is paired already to the next, with a gap before it or not. */
static void
fill_gaps(struct aligning *g)
{
	struct alignment *a = g->a;
	uint32_t f = 0, t = 0, to; /* the lines behind the last pair */

	for (uint32_t at = 0; at <= g->nr_from; at++) {
		if (at % UNIT == 0)
			job_pause(1);
		job_progress(at, g->nr_from + 1.0);
		to = at == g->nr_from ? g->nr_to : g->pair[at];
		if (to == SEQUENCE_NONE)
			continue;
		if (at > f && to > t && *a->work)
			fill_gap(g, f, at - f, t, to - t);
		if (at == g->nr_from)
			break;
		a->line[at] = a->to.first + to;
		f = at + 1;
		t = to + 1;
	}
}

static void
release(void *aligning)
{
	struct aligning *g = aligning;

	text_numbers_release(&g->numbers);
	free(g->of_from);
	free(g->of_to);
	free(g->pair);
	free(g->tokens);
}

/* They were held, so that they stay where they are. */
static void
let_texts_go(struct alignment *a)
{
	if (!a->from.text)
		return;
	a->from.text->holders--;
	a->to.text->holders--;
	a->from.text = NULL;
}

static void
align(void *alignment)
{
	struct alignment *a = alignment;
	struct aligning g = { .a = a, .nr_from = span_lines(&a->from),
			      .nr_to = span_lines(&a->to) };
	struct job_hold hold;

	job_hold(&hold, release, &g);
	pair_lines(&g);
	fill_gaps(&g);
	job_let_go(&hold);
	let_texts_go(a);
}

static void
wait_no_more(void *alignment)
{
	((struct alignment *)alignment)->waiting--;
}

void
alignment_make(struct alignment *a)
{
	struct job_hold hold;

	a->waiting++;
	job_hold(&hold, wait_no_more, a);
	job_wait(&a->job);
	job_let_go(&hold);
}

bool
alignment_is_waited_for(const struct alignment *a)
{
	return a->waiting;
}

struct alignment *
alignment_start(const struct span *from, const struct span *to, bool lines_only, uint64_t *work)
{
	struct alignment *a = xcalloc(1, sizeof(*a));

	a->first = from->first;
	a->last = from->last;
	a->shift = (int64_t)to->first - from->first;
	a->identical = same_bytes(from, to);
	if (a->identical)
		return a;
	a->from = *from;
	a->to = *to;
	a->from.text->holders++;
	a->to.text->holders++;
	a->lines_only = lines_only;
	a->work = work;
	a->job = job_new(align, a);
	return a;
}

void
alignment_free(struct alignment *a)
{
	if (!a)
		return;
	job_free(a->job);
	let_texts_go(a);
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

/* Moves LINE; returns true when the line as a whole is there. */
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
