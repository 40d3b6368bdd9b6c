#include "collect/import/sums/stack_set.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/sums/share.h"
#include "db/store/new_file.h"
#include "util/order.h"
#include "util/sum.h"

enum { MOST_BYTES = 1 << 18 /* in memory */, WIDE = 16 /* runs of a level */, ROOM = 4608 };

void
stack_store_init(struct stack_store *t, const struct places *p, const char *beside)
{
	*t = (struct stack_store){ .places = p, .beside = beside, .file = { .fd = -1 },
				   .most = MOST_BYTES };
}

void
stack_store_release(struct stack_store *t)
{
	spill_close(&t->file);
}

void
stack_set_init(struct stack_set *s, struct stack_store *t)
{
	*s = (struct stack_set){ .store = t, .program = "" };
}

void
stack_set_release(struct stack_set *s)
{
	for (size_t i = 0; i < s->nr_runs; i++)
		spill_forget(&s->store->file, s->runs[i].at, s->runs[i].length);
	free(s->bytes);
	free(s->runs);
	free(s->used);
	index_release(&s->index);
	*s = (struct stack_set){ .store = s->store, .program = s->program };
}

/* ---- equal ones, and their order ---- */

static uint32_t
kind_of(const struct sum_stack *of)
{
	return of->flags | SUM_STACK_WALKED; /* which is a figure */
}

static uint64_t
ranked(uint64_t address, const int *rank)
{
	const uint64_t within = ((uint64_t)1 << SUM_PLACE) - 1;

	return address >> SUM_PLACE ? place_address(rank[(address >> SUM_PLACE) - 1],
						    address & within) : address;
}

int
stack_compare(const struct stack_record *a, const struct stack_record *b, const int *rank)
{
	for (uint32_t i = 0; i < a->of.nr_frames && i < b->of.nr_frames; i++)
		COMPARE(ranked(a->frames[i], rank), ranked(b->frames[i], rank));
	COMPARE(a->of.nr_frames, b->of.nr_frames);
	COMPARE(ranked(a->of.centre, rank), ranked(b->of.centre, rank));
	COMPARE(kind_of(&a->of), kind_of(&b->of));
	return 0;
}

static void
add_figures(struct sum_stack *to, const struct sum_stack *of)
{
	to->flags |= of->flags;
	to->samples = sum_capped(to->samples, of->samples);
	to->long_ns = sum_capped(to->long_ns, of->long_ns);
	to->short_ns = sum_capped(to->short_ns, of->short_ns);
	to->wait_ns = sum_capped(to->wait_ns, of->wait_ns);
	to->events = sum_capped(to->events, of->events);
	to->used = of->used > to->used ? of->used : to->used;
}

/* ---- in memory ---- */

struct stack_key { const struct sum_stack *of; const uint64_t *frames; };

static struct stack_record *
record_at(const struct stack_set *s, uint32_t item)
{
	return (struct stack_record *)(void *)(s->bytes + item * sizeof(uint64_t));
}

static bool
stack_equal(const void *ctx, uint32_t item, const void *key)
{
	const struct stack_record *a = record_at(ctx, item);
	const struct stack_key *k = key;

	return a->of.nr_frames == k->of->nr_frames && a->of.centre == k->of->centre &&
	       kind_of(&a->of) == kind_of(k->of) &&
	       !memcmp(a->frames, k->frames, k->of->nr_frames * sizeof(*k->frames));
}

static void
note_use(struct stack_set *s, uint64_t address)
{
	size_t place = address >> SUM_PLACE;

	if (!place)
		return;
	GROW(s->used, place, s->used_alloc);
	while (s->nr_used < place)
		s->used[s->nr_used++] = false;
	s->used[place - 1] = true;
}

static void put_aside(struct stack_set *s);

void
stack_set_add(struct stack_set *s, const struct sum_stack *of, const uint64_t *frames)
{
	const struct stack_key key = { of, frames };
	size_t bytes = of->nr_frames * sizeof(*frames), size = stack_record_size(of);
	uint64_t h = hash_bytes(HASH_START, frames, bytes);
	struct stack_record *to;
	uint32_t i;

	h = hash_number(hash_number(h, of->centre), kind_of(of));
	i = index_find(&s->index, h, stack_equal, s, &key);
	if (i != INDEX_NONE) {
		add_figures(&record_at(s, i)->of, of);
		return;
	}
	if (s->length && s->length + size > s->store->most)
		put_aside(s);
	if (s->store->problem.set)
		return;
	GROW(s->bytes, s->length + size, s->alloc);
	i = (uint32_t)(s->length / sizeof(uint64_t));
	to = record_at(s, i);
	to->of = *of;
	memcpy(to->frames, frames, bytes);
	for (uint32_t k = 0; k < of->nr_frames; k++)
		note_use(s, frames[k]);
	s->length += size;
	index_add(&s->index, h, i);
}

/* ---- reading ---- */

/* A run, or what is in memory, while all are merged. */
struct stack_source {
	const struct stack_record *now; /* NULL: at the end */
	size_t at, nr;             /* of what is in memory: in the order; of ROOM: bytes */
	char *room;                /* a part of a run; NULL: it is what is in memory */
	uint64_t next, left;       /* of the run, not yet read */
};

static void
read_more(struct stack_store *t, struct stack_source *s)
{
	size_t rest = s->nr - s->at, more = ROOM - rest;

	memmove(s->room, s->room + s->at, rest);
	more = s->left < more ? (size_t)s->left : more;
	if (spill_read(&t->file, s->next, s->room + rest, more)) {
		error_set(&t->problem, "cannot read the stacks that were put aside");
		more = rest = 0;
		s->left = 0;
	}
	s->at = 0;
	s->nr = rest + more;
	s->next += more;
	s->left -= more;
}

/* Goes to the next one of a run. */
static void
next_of_run(struct stack_store *t, struct stack_source *s)
{
	_Static_assert(ROOM / 2 > sizeof(struct sum_stack) + RAW_MAX_FRAMES * sizeof(uint64_t),
		       "there is room for one");

	if (s->left && s->nr - s->at < ROOM / 2)
		read_more(t, s);
	s->now = s->nr > s->at ? (struct stack_record *)(void *)(s->room + s->at) : NULL;
	if (s->now)
		s->at += stack_record_size(&s->now->of);
}

static void
advance(struct stack_set_reader *r, struct stack_source *s)
{
	if (s->room)
		next_of_run(r->stacks->store, s);
	else
		s->now = s->at < s->nr ? record_at(r->stacks, r->order[s->at++]) : NULL;
}

/* Moves the source at I down to where none below has a stack before its own. */
static void
sift(struct stack_set_reader *r, size_t i)
{
	struct stack_source *s = r->sources;

	for (size_t low; (low = 2 * i + 1) < r->nr; i = low) {
		struct stack_source other = s[i];

		if (low + 1 < r->nr && stack_compare(s[low + 1].now, s[low].now, r->rank) < 0)
			low++;
		if (stack_compare(s[i].now, s[low].now, r->rank) <= 0)
			return;
		s[i] = s[low];
		s[low] = other;
	}
}

static int
compare_items(const void *a, const void *b, void *reader)
{
	const struct stack_set_reader *r = reader;

	return stack_compare(record_at(r->stacks, *(const uint32_t *)a),
			     record_at(r->stacks, *(const uint32_t *)b), r->rank);
}

static void
sort_memory(struct stack_set_reader *r, struct stack_source *to)
{
	const struct stack_set *s = r->stacks;

	r->order = xcalloc(s->index.nr + 1, sizeof(*r->order));
	*to = (struct stack_source){ .nr = 0 };
	for (size_t at = 0; at < s->length; to->nr++) {
		r->order[to->nr] = (uint32_t)(at / sizeof(uint64_t));
		at += stack_record_size(&record_at(s, r->order[to->nr])->of);
	}
	qsort_r(r->order, to->nr, sizeof(*r->order), compare_items, r);
}

/* Of those in MEMORY, and of the runs FIRST to END. */
static void
begin(struct stack_set_reader *r, struct stack_set *s, bool memory, size_t first, size_t end)
{
	*r = (struct stack_set_reader){ .stacks = s };
	r->rank = places_order(s->store->places, s->program);
	r->now = xcalloc(1, ROOM);
	r->sources = xcalloc(end - first + 1, sizeof(*r->sources));
	if (memory)
		sort_memory(r, &r->sources[r->nr++]);
	for (size_t i = first; i < end; i++)
		r->sources[r->nr++] = (struct stack_source){
			.room = xmalloc(ROOM), .next = s->runs[i].at, .left = s->runs[i].length,
		};
	r->nr_opened = r->nr;
	for (size_t i = r->nr; i-- > 0;)
		advance(r, &r->sources[i]);
	for (size_t i = r->nr; i-- > 0;)
		if (!r->sources[i].now) {
			struct stack_source empty = r->sources[i];

			r->sources[i] = r->sources[--r->nr];
			r->sources[r->nr] = empty;
		}
	for (size_t i = r->nr / 2; i-- > 0;)
		sift(r, i);
}

void
stack_set_read_begin(struct stack_set_reader *r, struct stack_set *s)
{
	begin(r, s, true, 0, s->nr_runs);
}

/* Leaves the first of all behind. */
static void
leave(struct stack_set_reader *r)
{
	struct stack_source *s = r->sources;

	advance(r, s);
	if (!s->now) {
		struct stack_source empty = *s;

		*s = s[--r->nr];
		s[r->nr] = empty;
	}
	sift(r, 0);
}

bool
stack_set_next(struct stack_set_reader *r)
{
	if (!r->nr || r->stacks->store->problem.set)
		return false;
	memcpy(r->now, r->sources->now, stack_record_size(&r->sources->now->of));
	leave(r);
	while (r->nr && !stack_compare(r->sources->now, r->now, r->rank)) {
		add_figures(&r->now->of, &r->sources->now->of);
		leave(r);
	}
	return true;
}

void
stack_set_read_end(struct stack_set_reader *r)
{
	for (size_t i = 0; i < r->nr_opened; i++)
		free(r->sources[i].room);
	free(r->sources);
	free(r->order);
	free(r->rank);
	free(r->now);
}

/* ---- in the file ---- */

static int
open_file(struct stack_store *t)
{
	char *name;

	if (t->file.fd >= 0)
		return 0;
	name = t->beside ? xstrdup(t->beside) : new_file_temporary(&t->problem);
	if (name)
		spill_open(&t->file, name, &t->problem);
	if (name && !t->beside)
		unlink(name);
	free(name);
	return t->file.fd < 0 ? -1 : 0;
}

/* Writes all that R has as a run behind the others. */
static void
write_run(struct stack_set_reader *r, unsigned level)
{
	struct stack_set *s = r->stacks;
	struct stack_store *t = s->store;
	struct stack_run run = { .at = t->file.size, .level = level };
	struct strbuf room = STRBUF_INIT;
	struct error err = ERROR_INIT;
	bool more = true;
	uint64_t at;

	while (more) {
		more = stack_set_next(r);
		if (more)
			strbuf_add(&room, r->now, stack_record_size(&r->now->of));
		if (room.len < ROOM && more)
			continue;
		if (!t->problem.set && spill_add(&t->file, room.buf, room.len, &at, &err))
			error_set(&t->problem, "%s: stacks that are too many for the memory are "
				  "put beside it: %s", t->beside ? t->beside : "$TMPDIR", err.text);
		run.length += room.len;
		strbuf_clear(&room);
	}
	strbuf_release(&room);
	GROW(s->runs, s->nr_runs + 1, s->runs_alloc);
	s->runs[s->nr_runs++] = run;
}

static int
compare_runs(const void *a, const void *b)
{
	const struct stack_run *x = a, *y = b;

	COMPARE(x->level, y->level);
	COMPARE(x->at, y->at);
	return 0;
}

/* Many runs of one level become one of the next, so that there are never many. */
static void
merge_runs(struct stack_set *s)
{
	struct stack_set_reader r;
	size_t first = 0, end;

	while (first < s->nr_runs && !s->store->problem.set) {
		qsort(s->runs, s->nr_runs, sizeof(*s->runs), compare_runs);
		end = first;
		while (end < s->nr_runs && s->runs[end].level == s->runs[first].level)
			end++;
		if (end - first < WIDE) {
			first = end;
			continue;
		}
		begin(&r, s, false, first, end);
		write_run(&r, s->runs[first].level + 1);
		stack_set_read_end(&r);
		for (size_t i = first; i < end; i++)
			spill_forget(&s->store->file, s->runs[i].at, s->runs[i].length);
		memmove(s->runs + first, s->runs + end, (s->nr_runs - end) * sizeof(*s->runs));
		s->nr_runs -= end - first;
	}
}

static void
put_aside(struct stack_set *s)
{
	struct stack_set_reader r;

	if (s->store->problem.set || open_file(s->store))
		return;
	begin(&r, s, true, 0, 0);
	write_run(&r, 0);
	stack_set_read_end(&r);
	s->length = 0;
	index_release(&s->index);
	merge_runs(s);
}

void
stack_set_take(struct stack_set *s, struct stack_set *from)
{
	for (size_t i = 0; i < from->nr_runs; i++) {
		GROW(s->runs, s->nr_runs + 1, s->runs_alloc);
		s->runs[s->nr_runs++] = from->runs[i];
	}
	from->nr_runs = 0;
	for (size_t i = 0; i < from->nr_used; i++)
		if (from->used[i])
			note_use(s, (uint64_t)(i + 1) << SUM_PLACE);
	for (size_t at = 0; at < from->length;) {
		const struct stack_record *a = record_at(from, (uint32_t)(at / sizeof(uint64_t)));

		stack_set_add(s, &a->of, a->frames);
		at += stack_record_size(&a->of);
	}
	merge_runs(s);
}
