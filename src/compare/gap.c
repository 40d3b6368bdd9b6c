#include "compare/gap.h"

#include <stdlib.h>
#include <string.h>

#include "compare/sequence.h"
#include "compare/token.h"
#include "util/mem.h"

enum { STRIDE = 512 /* tokens between two looks at the clock */ };

struct token { uint32_t line, begin, end; };

struct tokens {
	struct token *items;
	uint32_t *numbers;
	size_t nr, alloc, numbers_alloc;
	struct token_reader reader;
};

struct gap {
	enum { READ_FROM, READ_TO, PAIR, CORRESPOND, DONE } stage;
	struct text_numbers numbers;
	struct tokens from, to;
	uint64_t *work;
	struct sequence *sequence;
	uint32_t *pair;                  /* see sequence_begin() */
	struct aligned_token *out;       /* as many as FROM has */
	size_t n, i, k;                  /* the next one; behind the last pair */
};

/* True: all of them are read. */
static bool
read_tokens(struct tokens *t, struct text_numbers *x)
{
	struct token_text token;

	for (int n = 0; n < STRIDE; n++) {
		if (!token_next(&t->reader, &token))
			return true;
		GROW(t->items, t->nr + 1, t->alloc);
		GROW(t->numbers, t->nr + 1, t->numbers_alloc);
		t->items[t->nr] = (struct token){ token.line, token.begin, token.end };
		t->numbers[t->nr++] = text_number(x, token.text);
	}
	return false;
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

/* Some more tokens of FROM. True: that were all. */
static bool
correspond(struct gap *g)
{
	for (int count = 0; count < STRIDE && g->n <= g->from.nr; count++, g->n++) {
		size_t n = g->n;
		uint32_t to = n < g->from.nr ? g->pair[n] : (uint32_t)g->to.nr;

		if (n < g->from.nr) {
			g->out[n].line = g->from.items[n].line;
			g->out[n].begin = g->from.items[n].begin;
			g->out[n].end = g->from.items[n].end;
		}
		if (to == SEQUENCE_NONE)
			continue;
		pair_replaced(g->out, &g->to, g->i, n, g->k, to);
		if (n == g->from.nr)
			return true;
		set_begin(&g->out[n], &g->to.items[to]);
		set_end(&g->out[n], &g->to.items[to]);
		g->i = n + 1;
		g->k = to + 1;
	}
	return false;
}

static void
begin_pairing(struct gap *g)
{
	size_t nr = g->from.nr + g->to.nr;

	*g->work -= *g->work < nr ? *g->work : nr;
	g->pair = xcalloc(g->from.nr, sizeof(*g->pair));
	g->out = xcalloc(g->from.nr, sizeof(*g->out));
	g->sequence = sequence_begin(g->from.numbers, g->from.nr, g->to.numbers, g->to.nr,
				     g->numbers.nr, g->pair, g->work);
}

struct gap *
gap_begin(const struct span *from, const struct span *to, uint64_t *work)
{
	struct gap *g = xcalloc(1, sizeof(*g));

	g->work = work;
	g->from.reader = (struct token_reader){ from->text, from->first, from->last, 0, false };
	g->to.reader = (struct token_reader){ to->text, to->first, to->last, 0, false };
	return g;
}

bool
gap_work(struct gap *g, bool (*enough)(void *context), void *context)
{
	while (g->stage != DONE) {
		switch (g->stage) {
		case READ_FROM:
			if (read_tokens(&g->from, &g->numbers))
				g->stage = READ_TO;
			break;
		case READ_TO:
			if (read_tokens(&g->to, &g->numbers)) {
				begin_pairing(g);
				g->stage = PAIR;
			}
			break;
		case PAIR:
			if (!sequence_work(g->sequence, enough, context))
				return false;
			sequence_free(g->sequence);
			g->sequence = NULL;
			g->stage = CORRESPOND;
			break;
		default:
			if (correspond(g))
				g->stage = DONE;
			break;
		}
		if (enough && enough(context))
			return g->stage == DONE;
	}
	return true;
}

const struct aligned_token *
gap_tokens(const struct gap *g, size_t *nr)
{
	*nr = g->from.nr;
	return g->out;
}

void
gap_free(struct gap *g)
{
	if (!g)
		return;
	sequence_free(g->sequence);
	text_numbers_release(&g->numbers);
	tokens_release(&g->from);
	tokens_release(&g->to);
	free(g->pair);
	free(g->out);
	free(g);
}
