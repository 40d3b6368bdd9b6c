#include "compare/match/gap.h"

#include <stdlib.h>
#include <string.h>

#include "compare/match/sequence.h"
#include "compare/match/token.h"
#include "util/job.h"
#include "util/mem.h"

/* Tokens for a unit of work. */
enum { UNIT = 8 };

struct token { uint32_t line, begin, end; };

struct tokens {
	struct token *items;
	uint32_t *numbers;
	size_t nr, alloc, numbers_alloc;
};

/* The state of the work. */
struct gap {
	struct text_numbers numbers;
	struct tokens from, to;
	uint32_t *pair;                  /* see sequence_pair() */
	struct aligned_token *out;       /* as many as FROM has */
};

static void
read_tokens(struct tokens *t, const struct span *s, struct text_numbers *x)
{
	struct token_reader reader = { .text = s->text, .line = s->first, .last = s->last };
	struct token_text token;

	while (token_next(&reader, &token)) {
		GROW(t->items, t->nr + 1, t->alloc);
		GROW(t->numbers, t->nr + 1, t->numbers_alloc);
		t->items[t->nr] = (struct token){ token.line, token.begin, token.end };
		t->numbers[t->nr++] = text_number(x, token.text);
		if (t->nr % UNIT == 0)
			job_pause(1);
	}
}

static void
tokens_release(struct tokens *t)
{
	free(t->items);
	free(t->numbers);
}

static void
set_begin(struct aligned_token *a, const struct token *to)
{
	a->to_line = to->line;
	a->to_begin = to->begin;
}

static void
set_end(struct aligned_token *a, const struct token *to)
{
	a->to_end_line = to->line;
	a->to_end = to->end;
}

/* Between two pairs the tokens K..K_END of TO replace the tokens I..I_END of FROM. */
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
correspond(struct gap *g)
{
	size_t i = 0, k = 0; /* behind the last pair */

	for (size_t n = 0; n <= g->from.nr; n++) {
		uint32_t to = n < g->from.nr ? g->pair[n] : (uint32_t)g->to.nr;

		if (n % UNIT == 0)
			job_pause(1);
		if (n < g->from.nr) {
			g->out[n].line = g->from.items[n].line;
			g->out[n].begin = g->from.items[n].begin;
			g->out[n].end = g->from.items[n].end;
		}
		if (to == SEQUENCE_NONE)
			continue;
		pair_replaced(g->out, &g->to, i, n, k, to);
		if (n == g->from.nr)
			break;
		set_begin(&g->out[n], &g->to.items[to]);
		set_end(&g->out[n], &g->to.items[to]);
		i = n + 1;
		k = to + 1;
	}
}

static void
release(void *gap)
{
	struct gap *g = gap;

	text_numbers_release(&g->numbers);
	tokens_release(&g->from);
	tokens_release(&g->to);
	free(g->pair);
	free(g->out);
}

struct aligned_token *
gap_tokens(const struct span *from, const struct span *to, uint64_t *work, size_t *nr)
{
	struct gap g = { .pair = NULL };
	struct aligned_token *out;
	struct job_hold hold;
	size_t both;

	job_hold(&hold, release, &g);
	read_tokens(&g.from, from, &g.numbers);
	read_tokens(&g.to, to, &g.numbers);
	both = g.from.nr + g.to.nr;
	*work -= *work < both ? *work : both;
	g.pair = xcalloc(g.from.nr, sizeof(*g.pair));
	g.out = xcalloc(g.from.nr, sizeof(*g.out));
	sequence_pair(g.from.numbers, g.from.nr, g.to.numbers, g.to.nr, g.numbers.nr, g.pair, work);
	correspond(&g);
	out = g.out;
	*nr = g.from.nr;
	g.out = NULL;
	job_let_go(&hold);
	return out;
}
