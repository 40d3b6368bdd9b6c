/* Two texts side by side: which line stands beside which. */
#include <stdlib.h>

#include "compare/match/match.h"
#include "compare/match/side.h"
#include "util/job.h"

/* Steps for an alignment: a second, about. */
#define WORK ((uint64_t)100000000)

struct side_by_side {
	struct job *job;
	struct match *m;
	size_t a, b;             /* profiles */
	model_id file_a, file_b;
	struct alignment *x;     /* NULL: not needed, or there is no text */
	uint64_t *work;          /* left for that */
	uint64_t own;            /* who looks at one text after the other does not run out of it */
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

static void
work(void *side_by_side)
{
	struct side_by_side *s = side_by_side;
	struct side *sa = &s->m->sides[s->a], *sb = &s->m->sides[s->b];
	bool equal = match_same_file(s->m, s->a, s->file_a, s->b, s->file_b);
	struct span from = { .first = 1 }, to = { .first = 1 };

	if (equal)
		from.text = to.text = side_text(sa, s->file_a);
	else
		side_texts(sa, s->file_a, sb, s->file_b, &from.text, &to.text);
	from.last = from.text ? from.text->nr_lines : 0;
	to.last = to.text ? to.text->nr_lines : 0;
	if (from.text && to.text && !equal) {
		s->x = alignment_start(&from, &to, true, s->work);
		alignment_make(s->x);
	}
	pair_lines(s, equal, from.last, to.last);
	side_hand_over(sa, s->file_a);
	side_hand_over(sb, s->file_b);
}

struct side_by_side *
side_by_side_begin(struct match *m, size_t a, model_id file_a, size_t b, model_id file_b)
{
	struct side_by_side *s = xcalloc(1, sizeof(*s));

	*s = (struct side_by_side){
		.job = job_new(work, s), .m = m, .a = a, .b = b, .file_a = file_a,
		.file_b = file_b, .work = &s->own, .own = WORK,
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

/* ---- how much differs ---- */

/* Notes a line that differs, or what is no more before it. */
static void
note_line(struct differing_lines *d, model_id file, uint32_t line)
{
	enum { MOST = sizeof(d->at) / sizeof(*d->at) };
	bool goes_on = d->nr && d->at[d->nr - 1].file == file && line - d->at[d->nr - 1].last <= 1;

	if (goes_on) {
		d->at[d->nr - 1].last = line;
	} else if (d->nr < MOST) {
		d->at[d->nr].file = file;
		d->at[d->nr].first = d->at[d->nr].last = line;
		d->nr++;
	}
}

static void
add_lines(struct match *m, size_t a, model_id file_a, size_t b, model_id file_b,
	  struct differing_lines *d)
{
	struct side_by_side *s = side_by_side_begin(m, a, file_a, b, file_b);
	struct line_pair *pairs;
	uint32_t behind = 1, gone = 0, new = 0; /* since the last line that is the same */
	size_t nr;

	s->work = &m->work;
	side_by_side_work(s, NULL, NULL);
	nr = side_by_side_take(s, &pairs);
	for (size_t i = 0; i < nr; i++) {
		const struct line_pair *p = &pairs[i];
		bool differs = !p->a || !p->b || p->changed;

		if (differs)
			note_line(d, file_b, p->b ? p->b : behind);
		gone += differs && p->a;
		new += differs && p->b;
		behind = p->b ? p->b + 1 : behind;
		if (differs && i + 1 < nr)
			continue;
		/* Lines in the place of others are as many as there are more of. */
		d->lines += gone > new ? gone : new;
		gone = new = 0;
	}
	free(pairs);
	side_by_side_free(s);
}

void
match_differing(struct match *m, size_t a, size_t b, struct differing_lines *d)
{
	enum { MOST_TEXT = 8 << 20 /* bytes that are read for this */ };
	struct side *s = &m->sides[b];
	uint64_t bytes = 0;

	*d = (struct differing_lines){ .lines = 0 };
	for (int pass = 0; pass < 2 && !d->not_looked_at; pass++) {
		for (model_id id = 1; id <= s->nr_files; id++) {
			model_id other = match_file_in(m, s->files[id - 1].number, a);

			if (!other || !s->files[id - 1].size ||
			    !m->sides[a].files[other - 1].size ||
			    match_same_file(m, a, other, b, id))
				continue;
			if (pass)
				add_lines(m, a, other, b, id, d);
			d->files += !pass;
			bytes += s->files[id - 1].size;
		}
		d->not_looked_at = bytes > MOST_TEXT;
	}
}
