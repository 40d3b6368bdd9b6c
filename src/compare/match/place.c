/* Places of one profile in the coordinates of another. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compare/match/definitions.h"
#include "compare/match/match.h"
#include "compare/match/side.h"
#include "util/job.h"
#include "util/text/path.h"

bool
match_same_file(const struct match *m, size_t a_profile, model_id file_a, size_t b_profile,
		model_id file_b)
{
	const struct side_file *a = side_file(&m->sides[a_profile], file_a);
	const struct side_file *b = side_file(&m->sides[b_profile], file_b);

	return a && b && a->size && a->size == b->size && a->hash == b->hash;
}

enum { MAX_MADE = 500 };

static void
remember(struct match *m, size_t at)
{
	size_t kept = 0;

	if (m->nr_made >= MAX_MADE) {
		for (size_t i = 0; i < m->nr_made; i++) {
			size_t made = m->made[i];

			if (alignment_is_waited_for(m->alignments[made])) {
				m->made[kept++] = made;
				continue;
			}
			alignment_free(m->alignments[made]);
			m->alignments[made] = NULL;
			m->state[made] = ALIGN_UNKNOWN;
		}
		m->nr_made = kept;
	}
	GROW(m->made, m->nr_made + 1, m->made_alloc);
	m->made[m->nr_made++] = at;
}

static const struct place *
place_in(const struct match *m, entity_id e, size_t profile)
{
	return &m->sides[profile].procedures[match_procedure(m, e, profile) - 1].place;
}

/* The lines of ENTITY in PROFILE, and in its home. Returns false when not both have a text. */
static bool
spans_of(struct match *m, entity_id e, size_t profile, struct span *here, struct span *home)
{
	const struct place *p = place_in(m, e, profile), *q = place_in(m, e, m->home[e]);

	*here = (struct span){ NULL, p->line, p->end_line };
	*home = (struct span){ NULL, q->line, q->end_line };
	side_texts(&m->sides[profile], p->file, &m->sides[m->home[e]], q->file, &here->text,
		   &home->text);
	return here->text && home->text;
}

/* Can the text of ENTITY in PROFILE be aligned with that of its home, and need it be? */
static enum alignment_state
find_state(struct match *m, entity_id e, size_t profile)
{
	size_t home = m->home[e];
	struct side *s = &m->sides[profile];
	const struct place *p = place_in(m, e, profile), *q = place_in(m, e, home);

	if (!p->file || !q->file)
		return ALIGN_IMPOSSIBLE;
	if (match_same_file(m, profile, p->file, home, q->file) && p->line == q->line)
		return ALIGN_SHIFTED;
	if (side_text(s, p->file) && side_text(&m->sides[home], q->file))
		return ALIGN_POSSIBLE;
	s->report.without_text++;
	return p->end_line - p->line == q->end_line - q->line ? ALIGN_SHIFTED : ALIGN_IMPOSSIBLE;
}

static enum alignment_state
entity_state(struct match *m, entity_id e, size_t profile)
{
	unsigned char *state = &m->state[e * m->nr_sides + profile];

	if (*state == ALIGN_UNKNOWN)
		*state = (unsigned char)find_state(m, e, profile);
	return (enum alignment_state)*state;
}

/* Returns how the text of ENTITY in PROFILE corresponds to that of its home; the first call begins
 * an alignment. */
static enum alignment_state
entity_alignment(struct match *m, entity_id e, size_t profile)
{
	size_t at = e * m->nr_sides + profile;
	enum alignment_state state = entity_state(m, e, profile);
	struct span from, to;

	if (state != ALIGN_POSSIBLE)
		return state;
	if (!m->work) {
		m->sides[profile].report.not_aligned++;
		return m->state[at] = ALIGN_TOO_LONG;
	}
	/* They were there, but perhaps cannot be read again. */
	if (!spans_of(m, e, profile, &from, &to))
		return ALIGN_IMPOSSIBLE;
	/* Meanwhile somebody else may have begun it. */
	if (m->state[at] != ALIGN_POSSIBLE)
		return (enum alignment_state)m->state[at];
	remember(m, at);
	m->alignments[at] = alignment_start(&from, &to, false, &m->work);
	return m->state[at] = ALIGN_MADE;
}

static bool
differs_from_home(struct match *m, entity_id e, size_t profile)
{
	enum alignment_state state = entity_state(m, e, profile);
	struct span a, b;

	if (state == ALIGN_SHIFTED || state == ALIGN_IMPOSSIBLE)
		return false;
	return spans_of(m, e, profile, &a, &b) && !span_equal(&a, &b);
}

void
match_text_changed(struct match *m, entity_id e, size_t profile)
{
	size_t home = m->home[e];

	if (!match_same_file(m, profile, place_in(m, e, profile)->file, home,
			     place_in(m, e, home)->file))
		m->found[e * m->nr_sides + profile].text = TEXT_CHANGED;
}

bool
match_changed(struct match *m, entity_id e, size_t profile)
{
	struct found *found = &m->found[e * m->nr_sides + profile];

	if (m->home[e] == profile || !match_procedure(m, e, profile))
		return false;
	if (found->text == TEXT_UNKNOWN)
		found->text = differs_from_home(m, e, profile) ? TEXT_CHANGED : TEXT_EQUAL;
	return found->text == TEXT_CHANGED;
}

static const char *
uses_text(struct match *m, size_t profile, const struct changed_uses *u)
{
	static const char *const kinds[] = { "macro", "type", "enumerator", "variable" };
	struct strbuf out = STRBUF_INIT;
	const char *text;

	strbuf_fmt(&out, "%s (%s, %s:%" PRIu32 ")", u->first.name, kinds[u->first.kind],
		   path_base(match_path(m, profile, u->first.file)), u->first.line);
	if (*u->by)
		strbuf_fmt(&out, " through %s", u->by);
	if (u->nr > 1)
		strbuf_fmt(&out, " and %zu%s more", u->nr - 1,
			   u->nr == MOST_CHANGED_USES ? " or" : "");
	text = arena_strdup(&m->arena, out.buf);
	strbuf_release(&out);
	return text;
}

/* The names are looked for at the first question. */
static const char *
find_uses(struct match *m, entity_id e, size_t profile)
{
	struct changed_names **names = &m->names[m->home[e] * m->nr_sides + profile];
	struct changed_uses uses;

	if (!*names) {
		bool still = job_still(true); /* nobody else finds them, too */

		*names = changed_names_find(m, m->home[e], profile);
		job_still(still);
	}
	if (!changed_names_used(m, *names, match_procedure(m, e, profile), &uses))
		return "";
	return uses_text(m, profile, &uses);
}

bool
match_affected(struct match *m, entity_id e, size_t profile)
{
	const char **known = &m->uses[e * m->nr_sides + profile], *uses;

	if (m->home[e] == profile || !match_procedure(m, e, profile))
		return false;
	if (match_changed(m, e, profile))
		return true;
	if (!*known) {
		uses = find_uses(m, e, profile); /* meanwhile somebody else may ask */
		*known = uses;
	}
	return **known;
}

const char *
match_uses(const struct match *m, entity_id e, size_t profile)
{
	const char *uses = m->uses[e * m->nr_sides + profile];

	return uses ? uses : "";
}

static bool
shift_place(struct place *place, int64_t by, model_id file)
{
	if ((int64_t)place->line + by < 1 || (int64_t)place->end_line + by > UINT32_MAX)
		return false;
	place->line = (uint32_t)(place->line + by);
	place->end_line = (uint32_t)(place->end_line + by);
	place->file = file;
	return true;
}

static bool
through_alignment(const struct alignment *a, const struct text *from, const struct text *to,
		  model_id file, const struct place *place, struct matched_place *out)
{
	struct text_place pa = { place->line, place->column, place->end_line, place->end_column };
	struct text_place pb = pa;

	if (!from || !to || !alignment_begin(a, &pb.line, &pb.column) ||
	    !alignment_end(a, &pb.end_line, &pb.end_column) || pb.end_line < pb.line ||
	    (pb.end_line == pb.line && pb.end_column < pb.column))
		return false;
	out->place = (struct place){ file, pb.line, pb.column, pb.end_line, pb.end_column };
	out->changed = !text_equal(from, &pa, to, &pb);
	return true;
}

/* Returns the alignment for what lies in no procedure of a matched file: macros, data. */
static struct alignment *
file_alignment(struct match *m, size_t profile, struct side_file *f, model_id file, size_t home,
	       model_id home_file)
{
	struct span from = { NULL, 1, UINT32_MAX }, to = from;

	if (!f->aligned)
		side_texts(&m->sides[profile], file, &m->sides[home], home_file, &from.text,
			   &to.text);
	if (f->aligned)
		return f->home;
	f->aligned = true;
	if (!from.text || !to.text || !m->work)
		return NULL;
	from.last = from.text->nr_lines;
	to.last = to.text->nr_lines;
	f->home = alignment_start(&from, &to, false, &m->work);
	return f->home;
}

static size_t
file_home(const struct match *m, uint32_t number)
{
	size_t k = 0;

	while (!m->file[number * m->nr_sides + k])
		k++;
	return k;
}

/* A place of a file is moved by this: an alignment (NULL: a shift by SHIFT lines) with the file
 * HOME_FILE of the profile HOME. */
struct frame {
	size_t home;
	model_id home_file;
	struct alignment *alignment; /* perhaps only begun */
	int64_t shift;
};

/* Returns false when there is nothing to compare the place with; it stays where it is. */
static bool
find_frame(struct match *m, size_t profile, model_id file, uint32_t line, struct frame *f)
{
	struct side *s = &m->sides[profile];
	const struct side_span *span = side_span_at(s, file, line);
	struct side_file *sf = side_file(s, file);

	*f = (struct frame){ .home = profile };
	if (span) {
		entity_id e = s->procedures[span->procedure - 1].entity;
		enum alignment_state state;
		const struct place *q;

		f->home = m->home[e];
		if (f->home == profile)
			return false;
		state = entity_alignment(m, e, profile);
		q = place_in(m, e, f->home);
		f->home_file = q->file;
		f->shift = (int64_t)q->line - span->first;
		if (state == ALIGN_MADE)
			f->alignment = m->alignments[e * m->nr_sides + profile];
		return state == ALIGN_SHIFTED || state == ALIGN_MADE;
	}
	if (!sf)
		return false;
	f->home = file_home(m, sf->number);
	if (f->home == profile)
		return false;
	f->home_file = match_file_in(m, sf->number, f->home);
	if (match_same_file(m, profile, file, f->home, f->home_file))
		return true;
	f->alignment = file_alignment(m, profile, sf, file, f->home, f->home_file);
	return f->alignment != NULL;
}

/* Returns false when they had to be read, as then the alignment may be gone. */
static bool
texts_at_hand(struct match *m, size_t profile, model_id file, const struct frame *f)
{
	struct side *here = &m->sides[profile], *home = &m->sides[f->home];
	struct text *from, *to;

	if (side_has_text(here, file) && side_has_text(home, f->home_file))
		return true;
	side_texts(here, file, home, f->home_file, &from, &to);
	return false;
}

void
match_place(struct match *m, size_t profile, const struct place *place, struct matched_place *out)
{
	struct frame f;

	*out = (struct matched_place){ .place = *place, .home = (uint32_t)profile };
	if (!place->file) {
		out->home = 0;
		return;
	}
	/* What is read meanwhile may take the place of what was there. */
	do {
		if (!find_frame(m, profile, place->file, place->line, &f))
			return;
		if (f.alignment)
			alignment_make(f.alignment);
	} while (f.alignment && !texts_at_hand(m, profile, place->file, &f));
	if (f.alignment ? through_alignment(f.alignment,
					    side_text(&m->sides[profile], place->file),
					    side_text(&m->sides[f.home], f.home_file),
					    f.home_file, place, out) :
			  shift_place(&out->place, f.shift, f.home_file))
		out->home = (uint32_t)f.home;
}

void
match_line(struct match *m, size_t profile, model_id file, uint32_t line,
	   struct matched_place *out)
{
	struct place place = { file, line, 1, line, 1 };
	struct frame f;
	bool same;
	uint32_t to;

	*out = (struct matched_place){ .place = place, .home = (uint32_t)profile };
	if (!find_frame(m, profile, file, line, &f))
		return;
	if (!f.alignment) {
		if (shift_place(&out->place, f.shift, f.home_file))
			out->home = (uint32_t)f.home;
		return;
	}
	alignment_make(f.alignment);
	to = alignment_line(f.alignment, line, &same);
	if (!to)
		return;
	out->place = (struct place){ f.home_file, to, 1, to, 1 };
	out->home = (uint32_t)f.home;
	out->changed = !same;
}
