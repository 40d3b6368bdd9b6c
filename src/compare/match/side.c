#include "compare/match/side.h"

#include <stdlib.h>
#include <string.h>

#include "db/store/text_reader.h"
#include "db/store/texts.h"
#include "util/index.h"
#include "util/job.h"
#include "util/order.h"

/* ---- rename rules ---- */

static void
add_replacement(struct strbuf *out, const char *name, const char *replacement,
		const regmatch_t *found)
{
	for (const char *r = replacement; *r; r++) {
		int group = *r == '&' ? 0 : -1;

		if (*r == '\\' && r[1] >= '0' && r[1] <= '9')
			group = *++r - '0';
		else if (*r == '\\' && r[1])
			r++;
		if (group < 0)
			strbuf_char(out, *r);
		else if (found[group].rm_so >= 0)
			strbuf_add(out, name + found[group].rm_so,
				   (size_t)(found[group].rm_eo - found[group].rm_so));
	}
}

static const char *
rename_by(struct side *s, const char *name, const struct rename_rule *rules, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		regmatch_t found[10];
		struct strbuf out = STRBUF_INIT;

		if (regexec(&rules[i].pattern, name, 10, found, 0))
			continue;
		strbuf_add(&out, name, (size_t)found[0].rm_so);
		add_replacement(&out, name, rules[i].replacement, found);
		strbuf_str(&out, name + found[0].rm_eo);
		name = arena_strdup(&s->arena, out.buf);
		strbuf_release(&out);
	}
	return name;
}

/* ---- tables ---- */

struct loading {
	struct side *s;
	const struct rename_rule *rules;
	size_t nr_rules;
};

static void
add_file(void *context, const struct bulk_row *row)
{
	struct loading *l = context;
	struct side *s = l->s;
	struct side_file *f;

	GROW(s->files, s->nr_files + 1, s->files_alloc);
	f = &s->files[s->nr_files++];
	*f = (struct side_file){ .hash = row->hash, .size = row->size };
	f->path = arena_strdup(&s->arena, row->name);
	f->renamed = rename_by(s, f->path, l->rules, l->nr_rules);
}

static void
add_procedure(void *context, const struct bulk_row *row)
{
	struct loading *l = context;
	struct side *s = l->s;
	struct side_procedure *p;

	GROW(s->procedures, s->nr_procedures + 1, s->procedures_alloc);
	p = &s->procedures[s->nr_procedures++];
	*p = (struct side_procedure){
		.place = row->place, .calls = row->figures[FIGURE_CALLS],
		.executions = row->figures[FIGURE_WORK],
		.self_ns = row->figures[FIGURE_SELF_NS], .total_ns = row->figures[FIGURE_TOTAL_NS],
		.copy_of = row->id, .is_static = row->is_static,
		.uncounted = row->uncounted,
	};
	if (s->lead < FIGURES_MAX)
		p->cost = row->figures[s->lead];
	p->name = arena_strdup(&s->arena, row->name);
	p->linkage_name = !*row->linkage_name || !strcmp(row->name, row->linkage_name) ? p->name :
			  arena_strdup(&s->arena, row->linkage_name);
	p->renamed = rename_by(s, p->name, l->rules, l->nr_rules);
	p->renamed_linkage = p->linkage_name == p->name ? p->renamed :
			     rename_by(s, p->linkage_name, l->rules, l->nr_rules);
	if (p->place.file > s->nr_files)
		p->place = (struct place){ 0 };
}

/* ---- blocks ---- */

static void
close_bulk(void *bulk)
{
	bulk_close(*(struct bulk **)bulk);
}

static void
add_block(struct side *s, model_id procedure)
{
	GROW(s->block_procedure, s->nr_blocks + 1, s->block_procedure_alloc);
	s->block_procedure[s->nr_blocks++] = side_procedure(s, procedure) ? procedure : 0;
}

/* The counts are read once more when they were forgotten. */
static void
read_blocks(void *side)
{
	struct side *s = side;
	struct bulk *b = bulk_open(s->p, BULK_COUNT, FIGURE_BIT(FIGURE_COUNT));
	const struct bulk_row *row;
	struct job_hold hold;
	double all = (double)profile_rows(s->p, LIST_BLOCK);

	job_hold(&hold, close_bulk, &b);
	while ((row = bulk_next(b))) {
		narrow_add(&s->block_count, row->figures[FIGURE_COUNT]);
		job_progress((double)s->block_count.nr, all);
		if (!s->has_blocks)
			add_block(s, row->procedure);
		job_pause(1);
	}
	job_let_go(&hold);
	s->has_blocks = s->has_counts = true;
}

void
side_load_blocks(struct side *s, bool counts)
{
	if (!(counts ? s->has_counts : s->has_blocks) && !s->reading_blocks)
		s->reading_blocks = job_new(read_blocks, s);
	job_wait(&s->reading_blocks);
}

void
side_forget_counts(struct side *s)
{
	narrow_release(&s->block_count);
	s->has_counts = false;
}

void
side_share_blocks(struct side *s, const struct side *with)
{
	if (s == with || s->blocks_shared || !s->has_blocks || !with->has_blocks ||
	    !s->nr_blocks || s->nr_blocks != with->nr_blocks ||
	    memcmp(s->block_procedure, with->block_procedure,
		   s->nr_blocks * sizeof(*s->block_procedure)) != 0)
		return;
	free(s->block_procedure);
	s->block_procedure = with->block_procedure;
	s->blocks_shared = true;
}

/* Profiles of the version before do not say how much was executed in a procedure. */
static void
count_executions(struct side *s)
{
	bool known = !profile_totals(s->p)->blocks_executed;

	for (size_t i = 0; i < s->nr_procedures && !known; i++)
		known = s->procedures[i].executions;
	if (known)
		return;
	side_load_blocks(s, true);
	for (size_t i = 0; i < s->nr_blocks; i++) {
		struct side_procedure *p = side_procedure(s, s->block_procedure[i]);

		if (p)
			p->executions += narrow_get(&s->block_count, i);
	}
}

/* ---- spans ---- */

static int
compare_spans(const void *pa, const void *pb)
{
	const struct side_span *a = pa, *b = pb;

	COMPARE(a->file, b->file);
	COMPARE(a->first, b->first);
	COMPARE(b->last, a->last);
	COMPARE(a->procedure, b->procedure);
	return 0;
}

/* A procedure of each place; copies have the same lines. */
static void
make_spans(struct side *s)
{
	s->spans = xcalloc(s->nr_procedures, sizeof(*s->spans));
	for (size_t i = 0; i < s->nr_procedures; i++) {
		const struct place *p = &s->procedures[i].place;

		if (p->file)
			s->spans[s->nr_spans++] = (struct side_span){
				p->line, p->end_line, p->file, (model_id)i + 1, 0 };
	}
	qsort(s->spans, s->nr_spans, sizeof(*s->spans), compare_spans);
	for (size_t i = 0; i < s->nr_spans; i++) {
		struct side_file *f = &s->files[s->spans[i].file - 1];
		uint32_t around = (uint32_t)i;

		if (!f->nr_spans++) {
			f->first_span = i;
			continue;
		}
		while (around && s->spans[around - 1].last < s->spans[i].last)
			around = s->spans[around - 1].parent;
		s->spans[i].parent = around && s->spans[around - 1].file == s->spans[i].file ?
				     around : 0;
	}
}

const struct side_span *
side_span_at(struct side *s, model_id file, uint32_t line)
{
	const struct side_file *f = side_file(s, file);
	size_t low, high;

	if (!f || !f->nr_spans)
		return NULL;
	low = f->first_span;
	high = low + f->nr_spans;
	/* The last one that begins at or above the line; most often the same as last time. */
	if (s->last_span >= low && s->last_span < high && s->spans[s->last_span].first <= line &&
	    (s->last_span + 1 == high || s->spans[s->last_span + 1].first > line))
		low = s->last_span + 1;
	else while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->spans[middle].first <= line)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == f->first_span)
		return NULL;
	s->last_span = low - 1;
	while (s->spans[low - 1].last < line) {
		low = s->spans[low - 1].parent;
		if (!low)
			return NULL;
	}
	return &s->spans[low - 1];
}

/* ---- texts ---- */

enum { MOST_TEXTS = 2 << 20 /* bytes that are kept when others are read */ };

static size_t
text_bytes(const struct text *t)
{
	return t->data ? t->size + (t->nr_lines + 1) * sizeof(*t->start) : 0;
}

/* The one that was not asked for the longest; NULL: none can go. */
static struct side_file *
oldest_text(struct side *s)
{
	struct side_file *oldest = NULL;

	for (size_t i = 0; i < s->nr_files; i++) {
		struct side_file *f = &s->files[i];

		if (f->loaded && f->text.data && !f->text.holders &&
		    (!oldest || f->used < oldest->used))
			oldest = f;
	}
	return oldest;
}

/* STAY: others may still have it. */
static void
release_text(struct side *s, struct side_file *f, bool stay)
{
	s->text_bytes -= text_bytes(&f->text);
	if (f->kept) {
		f->text.data = NULL;
		f->text.start = NULL;
		texts_let_go(f->kept);
		if (f->put && !stay)
			texts_forget(profile_texts(s->p), (model_id)(f - s->files) + 1);
		f->kept = NULL;
	}
	text_release(&f->text);
	f->loaded = f->put = false;
}

static void
make_room(struct side *s)
{
	struct side_file *f;

	while (s->text_bytes > MOST_TEXTS && (f = oldest_text(s)))
		release_text(s, f, false);
}

/* Stops reading the present text. */
static void
forget_reading(struct side *s)
{
	size_t size;

	if (s->reader)
		free(text_reader_end(s->reader, &size));
	else if (s->read)
		text_release(&s->read->text);
	s->reader = NULL;
	s->read = NULL;
}

/* Takes the text that somebody looks at. Returns false if nobody does. */
static bool
take_kept(struct side *s, struct side_file *f, model_id file)
{
	const struct lines *lines;

	f->kept = texts_hold_kept(profile_texts(s->p), file);
	if (!f->kept)
		return false;
	lines = &f->kept->lines;
	f->text = (struct text){ .data = lines->text, .size = lines->size, .nr_lines = lines->nr,
				 .start = lines->starts };
	s->text_bytes += text_bytes(&f->text);
	return f->loaded = true;
}

/* What is too large to stay is read once for all who want it meanwhile. */
static void
share(struct side *s, struct side_file *f, model_id file)
{
	const struct lines lines = { f->text.data, f->text.size, f->text.start, f->text.nr_lines };

	if (f->text.data && f->text.size > MOST_TEXTS) {
		texts_put(profile_texts(s->p), file, &lines);
		f->put = take_kept(s, f, file);
	} else {
		s->text_bytes += text_bytes(&f->text);
		f->loaded = true;
	}
}

/* Returns true if it need not be read. */
static bool
begin_reading(struct side *s, model_id file)
{
	forget_reading(s);
	make_room(s);
	if (take_kept(s, side_file(s, file), file))
		return true;
	s->read = side_file(s, file);
	s->reader = text_reader_new(s->p, file);
	return false;
}

bool
side_read(struct side *s, model_id file, bool (*enough)(void *context), void *context)
{
	enum { STRIDE = 4096 /* lines between two looks at the clock */ };
	struct side_file *f = side_file(s, file);
	size_t size;
	char *data;

	if (!f || f->loaded || (s->read != f && begin_reading(s, file)))
		return true;
	if (s->reader) {
		if (!text_reader_work(s->reader, enough, context))
			return false;
		data = text_reader_end(s->reader, &size);
		text_begin(&f->text, data, size);
		s->reader = NULL;
	}
	while (!text_cut(&f->text, STRIDE))
		if (enough && enough(context))
			return false;
	s->read = NULL;
	share(s, f, file);
	return true;
}

static bool
at_once(void *context)
{
	(void)context;
	return true;
}

struct text *
side_text(struct side *s, model_id file)
{
	struct side_file *f = side_file(s, file);

	if (!f)
		return NULL;
	while (!side_read(s, file, at_once, NULL))
		job_pause(JOB_LOOK);
	f->used = ++s->clock;
	return f->text.data ? &f->text : NULL;
}

bool
side_has_text(const struct side *s, model_id file)
{
	const struct side_file *f = side_file(s, file);

	return !f || f->loaded;
}

/* While the second one is read somebody else may read a third one. */
void
side_texts(struct side *a, model_id file_a, struct side *b, model_id file_b, struct text **text_a,
	   struct text **text_b)
{
	do {
		*text_a = side_text(a, file_a);
		*text_b = side_text(b, file_b);
	} while (!side_has_text(a, file_a));
}

void
side_forget_texts(struct side *s)
{
	make_room(s);
}

void
side_hand_over(struct side *s, model_id file)
{
	struct side_file *f = side_file(s, file);

	if (f && f->loaded && f->kept && !f->text.holders && s->text_bytes > MOST_TEXTS)
		release_text(s, f, true);
	make_room(s);
}

/* ---- all of it ---- */

static int
compare_keyed(const void *pa, const void *pb)
{
	const struct keyed *a = pa, *b = pb;

	COMPARE(a->key, b->key);
	COMPARE(a->index, b->index);
	return 0;
}

static void
sort_keys(struct keyed *k, size_t nr)
{
	if (nr)
		qsort(k, nr, sizeof(*k), compare_keyed);
}

static size_t
run_length(const struct keyed *k, size_t nr)
{
	size_t n = 1;

	while (n < nr && k[n].key == k[0].key)
		n++;
	return n;
}

void
keyed_match(struct keyed *a, size_t nr_a, struct keyed *b, size_t nr_b,
	    void (*pair)(void *context, uint32_t a, uint32_t b), void *context)
{
	size_t i = 0, k = 0;

	sort_keys(a, nr_a);
	sort_keys(b, nr_b);
	while (i < nr_a && k < nr_b) {
		size_t run_a = run_length(a + i, nr_a - i), run_b = run_length(b + k, nr_b - k);

		if (a[i].key == b[k].key && run_a == 1 && run_b == 1)
			pair(context, a[i].index, b[k].index);
		if (a[i].key < b[k].key) {
			i += run_a;
		} else if (a[i].key > b[k].key) {
			k += run_b;
		} else {
			i += run_a;
			k += run_b;
		}
	}
}

static void
sum_up(struct side *s)
{
	struct match_report *r = &s->report;

	s->by_linkage = xcalloc(s->nr_procedures, sizeof(*s->by_linkage));
	for (size_t i = 0; i < s->nr_procedures; i++) {
		const struct side_procedure *p = &s->procedures[i];

		s->by_linkage[i].key = hash_text(HASH_START, p->linkage_name);
		s->by_linkage[i].index = (uint32_t)i;
		r->executions += p->executions;
		r->self_ns += p->self_ns;
		r->cost += p->cost;
	}
	r->procedures = s->nr_procedures;
	sort_keys(s->by_linkage, s->nr_procedures);
}

/* Returns the figure that leads, and sets what it is called. */
static enum figure
find_lead(struct side *s)
{
	unsigned lead = profile_lead(s->p);
	const struct model_measure *m;

	if (!lead)
		return FIGURES_MAX;
	m = &profile_measures(s->p).items[lead - 1];
	s->report.cost_name = m->label ? m->label : m->name;
	return figure_of_measure(m, false);
}

int
side_load(struct side *s, struct profile *p, const struct rename_rule *rules, size_t nr_rules)
{
	struct loading l = { s, rules, nr_rules };
	uint64_t figures = FIGURE_BIT(FIGURE_CALLS) | FIGURE_BIT(FIGURE_SELF_NS) |
			   FIGURE_BIT(FIGURE_TOTAL_NS) | FIGURE_BIT(FIGURE_WORK);

	s->p = p;
	s->arena = (struct arena)ARENA_INIT;
	s->lead = find_lead(s);
	if (s->lead < FIGURES_MAX)
		figures |= FIGURE_BIT(s->lead);
	if (profile_bulk(p, BULK_FILE, 0, add_file, &l) ||
	    profile_bulk(p, BULK_PROCEDURE, figures, add_procedure, &l))
		return -1;
	count_executions(s);
	if (profile_error(p))
		return -1;
	make_spans(s);
	sum_up(s);
	return 0;
}

struct digest *
side_digest(struct side *s, model_id procedure, size_t most, uint64_t *work)
{
	const struct place *p = &s->procedures[procedure - 1].place;
	struct digest *d;
	struct span span;

	if (!s->digests)
		s->digests = xcalloc(s->nr_procedures, sizeof(*s->digests));
	d = &s->digests[procedure - 1];
	if (d->read || !*work)
		return d;
	span = (struct span){ side_text(s, p->file), p->line, p->end_line };
	if (!span.text)
		return d;
	digest_read(d, &span, p->column, most);
	*work -= *work < d->tokens ? *work : d->tokens;
	return d;
}

void
side_forget_digests(struct side *s)
{
	for (size_t i = 0; s->digests && i < s->nr_procedures; i++)
		digest_release(&s->digests[i]);
	free(s->digests);
	s->digests = NULL;
}

void
side_release(struct side *s)
{
	side_forget_digests(s);
	forget_reading(s);
	job_free(s->reading_blocks);
	for (size_t i = 0; i < s->nr_files; i++)
		release_text(s, &s->files[i], true);
	free(s->files);
	free(s->procedures);
	free(s->spans);
	if (!s->blocks_shared)
		free(s->block_procedure);
	narrow_release(&s->block_count);
	free(s->by_linkage);
	arena_release(&s->arena);
}
