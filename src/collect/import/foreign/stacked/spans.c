#include "collect/import/foreign/stacked/spans.h"

#include <inttypes.h>
#include <stdlib.h>

#include "util/mem.h"

struct span {
	uint32_t node, name;
	bool silent;               /* too deep to have a node of its own */
	int64_t begin, end;
	uint64_t inner;            /* what its calls took */
};

void
spans_release(struct spans *s)
{
	free(s->open);
}

/* The innermost call ends. */
static void
close_top(struct spans *s, int64_t at)
{
	const struct span top = s->open[--s->nr];
	uint64_t all = at > top.begin ? (uint64_t)at - (uint64_t)top.begin : 0;
	struct stacks_value self = { .event = s->event,
				     .weight = all > top.inner ? count_figure(all - top.inner)
							       : 0 };

	if (self.weight)
		stacks_value(s->stacks, top.node, s->thread, &self);
	if (s->nr)
		s->open[s->nr - 1].inner = count_add(s->open[s->nr - 1].inner, all);
}

/* Positions do not go back. */
static int64_t
move_to(struct spans *s, int64_t at)
{
	return s->at = at > s->at ? at : s->at;
}

static void
close_past(struct spans *s, int64_t at)
{
	while (s->nr && s->open[s->nr - 1].end <= at)
		close_top(s, s->open[s->nr - 1].end);
}

void
spans_begin(struct spans *s, const struct stacks_frame *frame, uint32_t name, int64_t at,
	    int64_t end)
{
	struct span new = { .end = end, .name = name };
	const struct span *top;

	at = move_to(s, at);
	close_past(s, at);
	top = s->nr ? &s->open[s->nr - 1] : NULL;
	new.begin = at;
	if (end != SPAN_OPEN && top && end > top->end) {
		new.end = top->end;
		s->crossed++;
	}
	new.silent = s->nr >= STACKS_MAX_FRAMES;
	s->deep += new.silent;
	new.node = new.silent ? top->node : stacks_below(s->stacks, top ? top->node : 0, frame);
	if (!new.silent)
		stacks_call(s->stacks, new.node, 1);
	GROW(s->open, s->nr + 1, s->alloc);
	s->open[s->nr++] = new;
	s->begun++;
}

void
spans_end(struct spans *s, uint32_t name, int64_t at)
{
	size_t i;

	at = move_to(s, at);
	close_past(s, at);
	for (i = s->nr; i > 0 && s->nr - i < STACKS_MAX_FRAMES; i--)
		if (s->open[i - 1].end == SPAN_OPEN && (!name || s->open[i - 1].name == name))
			break;
	if (!i || s->nr - i >= STACKS_MAX_FRAMES) {
		s->unmatched++;
		return;
	}
	for (; s->nr > i; close_top(s, at)) {
		/* It has a later end, which was not true; or none. */
		if (s->open[s->nr - 1].end != SPAN_OPEN)
			s->crossed++;
		else
			s->unended++;
	}
	close_top(s, at);
}

void
spans_finish(struct spans *s)
{
	int64_t last = s->at;

	for (size_t i = 0; i < s->nr; i++)
		if (s->open[i].end != SPAN_OPEN && s->open[i].end > last)
			last = s->open[i].end;
	while (s->nr) {
		bool told = s->open[s->nr - 1].end != SPAN_OPEN;

		s->unended += !told;
		close_top(s, told ? s->open[s->nr - 1].end : last);
	}
	s->at = INT64_MIN;
}

void
spans_tell(const struct spans *s, struct model *m)
{
	if (s->unmatched)
		model_note(m, "samples", "%" PRIu64 " ends of calls have no begin: they are left "
			   "out", s->unmatched);
	if (s->unended)
		model_note(m, "samples", "%" PRIu64 " calls had not ended: they end with their "
			   "callers or threads", s->unended);
	if (s->crossed)
		model_note(m, "samples", "%" PRIu64 " calls end behind what they are in: they are "
			   "cut there", s->crossed);
	if (s->deep)
		model_note(m, "stacks", "%" PRIu64 " calls are deeper than %d: they are in what "
			   "called them", s->deep, STACKS_MAX_FRAMES);
}
