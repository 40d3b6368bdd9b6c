/* Two texts side by side: which line stands beside which. */
#include <stdlib.h>

#include "compare/match.h"
#include "compare/side.h"

enum { STRIDE = 4096 /* lines between two looks at the clock */ };

struct side_by_side {
	enum { READ_A, READ_B, ALIGN, PAIR, DONE } stage;
	struct match *m;
	size_t a, b;             /* profiles */
	model_id file_a, file_b;
	bool equal;              /* byte by byte */
	struct alignment *x;     /* NULL: not needed, or there is no text */
	struct line_pair *pairs;
	size_t nr, alloc;
	uint32_t line, next;     /* of a, of b: the first that has not been paired */
	uint32_t nr_a, nr_b;     /* lines */
};

struct side_by_side *
side_by_side_begin(struct match *m, size_t a, model_id file_a, size_t b, model_id file_b)
{
	struct side_by_side *s = xcalloc(1, sizeof(*s));

	*s = (struct side_by_side){
		.m = m, .a = a, .b = b, .file_a = file_a, .file_b = file_b,
		.equal = match_same_file(m, a, file_a, b, file_b), .line = 1, .next = 1,
	};
	return s;
}

static void
begin_aligning(struct side_by_side *s)
{
	struct text *ta = side_text(&s->m->sides[s->a], s->file_a);
	struct text *tb = s->equal ? ta : side_text(&s->m->sides[s->b], s->file_b);
	struct span from = { ta, 1, ta ? ta->nr_lines : 0 }, to = { tb, 1, tb ? tb->nr_lines : 0 };

	s->nr_a = from.last;
	s->nr_b = to.last;
	if (ta && tb && !s->equal)
		s->x = alignment_start(&from, &to, true, &s->m->work);
	s->stage = ALIGN;
}

static void
add(struct side_by_side *s, uint32_t a, uint32_t b, bool changed)
{
	GROW(s->pairs, s->nr + 1, s->alloc);
	s->pairs[s->nr++] = (struct line_pair){ a, b, changed };
}

/* The next row. */
static void
pair_next(struct side_by_side *s)
{
	bool same = s->equal;
	uint32_t to = 0;

	if (s->line <= s->nr_a)
		to = s->x ? alignment_line(s->x, s->line, &same) : s->equal ? s->line : 0;
	else
		to = s->nr_b + 1;
	if (to && s->next < to) {
		add(s, 0, s->next++, true);
	} else if (s->line > s->nr_a) {
		s->stage = DONE;
	} else {
		add(s, s->line++, to, !same);
		s->next = to ? to + 1 : s->next;
	}
}

bool
side_by_side_work(struct side_by_side *s, bool (*enough)(void *context), void *context)
{
	while (s->stage != DONE) {
		switch (s->stage) {
		case READ_A:
			if (!side_read(&s->m->sides[s->a], s->file_a, enough, context))
				return false;
			s->stage = READ_B;
			break;
		case READ_B:
			if (!side_read(&s->m->sides[s->b], s->file_b, enough, context))
				return false;
			begin_aligning(s);
			break;
		case ALIGN:
			if (s->x && !alignment_work(s->x, enough, context))
				return false;
			s->stage = PAIR;
			break;
		default:
			for (int n = 0; n < STRIDE && s->stage != DONE; n++)
				pair_next(s);
			break;
		}
		if (enough && enough(context))
			return s->stage == DONE;
	}
	return true;
}

int
side_by_side_percent(const struct side_by_side *s)
{
	if (s->stage < ALIGN)
		return 0;
	return s->stage > ALIGN || !s->x ? 100 : alignment_percent(s->x);
}

size_t
side_by_side_take(struct side_by_side *s, struct line_pair **pairs)
{
	*pairs = s->pairs;
	s->pairs = NULL;
	return s->nr;
}

void
side_by_side_free(struct side_by_side *s)
{
	if (!s)
		return;
	alignment_free(s->x);
	free(s->pairs);
	free(s);
}
