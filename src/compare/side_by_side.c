/* Two texts side by side: which line stands beside which. */
#include <stdlib.h>

#include "compare/match.h"
#include "compare/side.h"
#include "util/job.h"

struct side_by_side {
	struct job *job;
	struct match *m;
	size_t a, b;             /* profiles */
	model_id file_a, file_b;
	struct alignment *x;     /* NULL: not needed, or there is no text */
	struct line_pair *pairs;
	size_t nr, alloc;
};

static void
add(struct side_by_side *s, uint32_t a, uint32_t b, bool changed)
{
	enum { UNIT = 64 /* lines for a unit of work */ };

	GROW(s->pairs, s->nr + 1, s->alloc);
	s->pairs[s->nr++] = (struct line_pair){ a, b, changed };
	if (s->nr % UNIT == 0)
		job_pause(1);
}

/* Lines that are only in the one text stand before the next one that is in both. EQUAL: byte by
 * byte. */
static void
pair_lines(struct side_by_side *s, bool equal, uint32_t nr_a, uint32_t nr_b)
{
	uint32_t next = 1, to;
	bool same = equal;

	for (uint32_t line = 1; line <= nr_a; line++) {
		to = s->x ? alignment_line(s->x, line, &same) : equal ? line : 0;
		while (next < to)
			add(s, 0, next++, true);
		add(s, line, to, !same);
		next = to ? to + 1 : next;
	}
	while (next <= nr_b)
		add(s, 0, next++, true);
}

static bool
at_once(void *context)
{
	(void)context;
	return true;
}

static void
read_text(struct side *side, model_id file)
{
	while (!side_read(side, file, at_once, NULL))
		job_pause(JOB_LOOK);
}

static void
work(void *side_by_side)
{
	struct side_by_side *s = side_by_side;
	struct side *sa = &s->m->sides[s->a], *sb = &s->m->sides[s->b];
	bool equal = match_same_file(s->m, s->a, s->file_a, s->b, s->file_b);
	struct span from = { .first = 1 }, to = { .first = 1 };

	read_text(sa, s->file_a);
	read_text(sb, s->file_b);
	from.text = side_text(sa, s->file_a);
	to.text = equal ? from.text : side_text(sb, s->file_b);
	from.last = from.text ? from.text->nr_lines : 0;
	to.last = to.text ? to.text->nr_lines : 0;
	if (from.text && to.text && !equal) {
		s->x = alignment_start(&from, &to, true, &s->m->work);
		alignment_make(s->x);
	}
	pair_lines(s, equal, from.last, to.last);
}

struct side_by_side *
side_by_side_begin(struct match *m, size_t a, model_id file_a, size_t b, model_id file_b)
{
	struct side_by_side *s = xcalloc(1, sizeof(*s));

	*s = (struct side_by_side){
		.job = job_new(work, s), .m = m, .a = a, .b = b, .file_a = file_a,
		.file_b = file_b,
	};
	return s;
}

bool
side_by_side_work(struct side_by_side *s, bool (*enough)(void *context), void *context)
{
	return job_run(s->job, enough, context);
}

int
side_by_side_percent(const struct side_by_side *s)
{
	return (int)job_percent(s->job);
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
	job_free(s->job);
	alignment_free(s->x);
	free(s->pairs);
	free(s);
}
