#include "collect/import/sums/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/order.h"

enum { MOST_MAPS = 1 << 20 }; /* bytes that a reader takes of them */

/* The state of making one member. */
struct making {
	struct summed_file *out;
	const struct places *places;
	struct share *s;
	int *used;                 /* numbers of places: modules, then libraries, sorted */
	size_t nr_used, nr_modules;
	int *number_of;            /* per place: number in USED, -1 none */
};

void
summed_file_add(struct summed_file *f, const void *data, size_t length)
{
	fwrite(data, 1, length, f->out);
	f->checksum = raw_checksum(f->checksum, data, length);
	f->length += length;
}

/* ---- places ---- */

static void
note_use(const struct making *x, uint64_t address)
{
	if (address >> SUM_PLACE)
		x->number_of[(address >> SUM_PLACE) - 1] = 0;
}

static void
find_places(struct making *x)
{
	const struct share *s = x->s;
	size_t nr = x->places->nr, i;
	int *rank = places_order(x->places, s->texts[RAW_TEXT_PROGRAM]);
	int *sorted = xcalloc(nr, sizeof(*sorted));

	x->used = xcalloc(nr, sizeof(*x->used));
	x->number_of = xcalloc(nr, sizeof(*x->number_of));
	for (i = 0; i < nr; i++) {
		x->number_of[i] = (i < s->nr_counters && s->counters[i]) ||
				  (i < s->stacks.nr_used && s->stacks.used[i]) ? 0 : -1;
		sorted[rank[i]] = (int)i;
	}
	for (i = 0; i < s->nr_targets; i++)
		note_use(x, s->targets[i].target);
	for (i = 0; i < nr; i++)
		if (!x->number_of[sorted[i]]) {
			x->number_of[sorted[i]] = (int)x->nr_used;
			x->used[x->nr_used++] = sorted[i];
			x->nr_modules += !x->places->items[sorted[i]].library;
		}
	free(sorted);
	free(rank);
}

/* ADDRESS, in places, as it is in the member. */
static uint64_t
member_address(const struct making *x, uint64_t address)
{
	const uint64_t within = ((uint64_t)1 << SUM_PLACE) - 1;

	return address >> SUM_PLACE ? place_address(x->number_of[(address >> SUM_PLACE) - 1],
						    address & within) : address;
}

/* ---- head and extents ---- */

static void
add_text(struct raw_head *h, const char *text)
{
	size_t n = strlen(text) + 1;

	if (n > sizeof(h->text) - h->text_length)
		n = sizeof(h->text) - h->text_length;
	memcpy(h->text + h->text_length, text, n);
	h->text_length += (uint32_t)n;
}

static void
make_head(const struct making *x)
{
	const struct share *s = x->s;
	struct raw_head *h = xcalloc(1, sizeof(*h));

	memcpy(h->magic, RAW_MAGIC, sizeof(h->magic));
	h->version = RAW_VERSION;
	h->size = sizeof(*h);
	h->started_ns = s->started_ns;
	h->started_mono_ns = s->started_mono_ns;
	h->ended_ns = s->ended_ns;
	h->asked_interval_ns = s->asked_interval_ns;
	h->pid = s->pid;
	h->flags = s->flags;
	for (size_t i = 0; i < RAW_TEXTS; i++)
		add_text(h, s->texts[i]);
	for (size_t i = 0; i < s->nr_arguments && h->text_length < sizeof(h->text); i++) {
		add_text(h, s->arguments[i]);
		h->argc++;
	}
	h->checksum = raw_head_checksum(h);
	summed_file_add(x->out, h, sizeof(*h));
	free(h);
}

/* E has what its kind needs besides lengths; LENGTH bytes are to follow. */
static void
begin_extent(const struct making *x, struct raw_extent e, uint64_t length)
{
	e.magic = RAW_EXTENT_MAGIC;
	e.pid = x->s->pid;
	e.data_offset = sizeof(e);
	e.data_length = e.used = length;
	e.length = (sizeof(e) + length + RAW_PAGE - 1) / RAW_PAGE * RAW_PAGE;
	e.checksum = raw_extent_checksum(&e);
	summed_file_add(x->out, &e, sizeof(e));
}

static void
end_extent(const struct making *x)
{
	static const char zeros[RAW_PAGE];

	summed_file_add(x->out, zeros, (RAW_PAGE - x->out->length % RAW_PAGE) % RAW_PAGE);
}

static void
add_extent(const struct making *x, struct raw_extent e, const void *data, size_t length)
{
	begin_extent(x, e, length);
	summed_file_add(x->out, data, length);
	end_extent(x);
}

static void
add_modules(const struct making *x)
{
	struct strbuf data = STRBUF_INIT;

	for (size_t i = 0; i < x->nr_modules; i++) {
		const struct sum_place *p = &x->places->items[x->used[i]];
		const struct raw_extent e = {
			.kind = RAW_MODULE, .module = (uint32_t)i,
			.load_bias = place_address((int)i, 0),
			.counters = place_address((int)i, p->counters),
			.nr_counters = p->nr_counters,
			.text_start = place_address((int)i, p->text_start),
			.text_end = place_address((int)i, p->text_end),
			.build_id_length = p->build_id_length,
		};

		strbuf_clear(&data);
		strbuf_add(&data, p->path, strlen(p->path) + 1);
		strbuf_add(&data, p->build_id, p->build_id_length);
		add_extent(x, e, data.buf, data.len);
	}
	strbuf_release(&data);
	for (size_t i = 0; i < x->nr_modules; i++) {
		const struct sum_place *p = &x->places->items[x->used[i]];
		const struct raw_extent e = { .kind = RAW_COUNTERS, .module = (uint32_t)i,
					      .nr_counters = p->nr_counters };

		if (p->nr_counters)
			add_extent(x, e, x->s->counters[x->used[i]], p->nr_counters * 8);
	}
}

/* As the kernel tells where the code of files is. */
static int
add_maps(const struct making *x, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	int status = 0;

	for (size_t i = x->nr_modules; i < x->nr_used; i++) {
		const struct sum_place *p = &x->places->items[x->used[i]];

		strbuf_fmt(&text, "%" PRIx64 "-%" PRIx64 " r-xp 00000000 00:00 %" PRIu64 " %s\n",
			   place_address((int)i, 0), place_address((int)i + 1, 0), p->inode,
			   p->path);
	}
	if (text.len > MOST_MAPS)
		status = error_set(err, "the names of its libraries are too long for a sum: %zu "
				   "bytes", text.len);
	else if (text.len)
		add_extent(x, (struct raw_extent){ .kind = RAW_MAPS }, text.buf, text.len);
	strbuf_release(&text);
	return status;
}

/* ---- targets ---- */

static int
compare_targets(const void *a, const void *b)
{
	const struct raw_target *x = a, *y = b;

	COMPARE(x->site, y->site);
	COMPARE(x->target, y->target);
	return 0;
}

static void
add_targets(const struct making *x)
{
	const struct share *s = x->s;
	struct raw_target *targets = xcalloc(s->nr_targets, sizeof(*targets));

	for (size_t i = 0; i < s->nr_targets; i++)
		targets[i] = (struct raw_target){
			member_address(x, s->targets[i].site),
			member_address(x, s->targets[i].target), s->targets[i].count,
		};
	if (s->nr_targets) {
		qsort(targets, s->nr_targets, sizeof(*targets), compare_targets);
		add_extent(x, (struct raw_extent){ .kind = RAW_TARGETS }, targets,
			   s->nr_targets * sizeof(*targets));
	}
	free(targets);
}

/* ---- stacks ---- */

/* They are merged twice, so that they need not be held: how many bytes they have is written before
 * them. */
static uint64_t
length_of_stacks(struct stack_set *s)
{
	struct stack_set_reader r;
	uint64_t length = 0;

	stack_set_read_begin(&r, s);
	while (stack_set_next(&r))
		length += stack_record_size(&r.now->of);
	stack_set_read_end(&r);
	return length;
}

static int
add_stacks(const struct making *x, struct error *err)
{
	const struct error *problem = &x->s->stacks.store->problem;
	uint64_t length = length_of_stacks(&x->s->stacks);
	struct stack_set_reader r;

	if (length)
		begin_extent(x, (struct raw_extent){ .kind = SUM_STACKS }, length);
	stack_set_read_begin(&r, &x->s->stacks);
	while (stack_set_next(&r)) {
		r.now->of.centre = member_address(x, r.now->of.centre);
		for (uint32_t i = 0; i < r.now->of.nr_frames; i++)
			r.now->frames[i] = member_address(x, r.now->frames[i]);
		summed_file_add(x->out, r.now, stack_record_size(&r.now->of));
	}
	stack_set_read_end(&r);
	end_extent(x);
	return problem->set ? error_copy(err, problem) : 0;
}

int
member_write(struct summed_file *out, const struct places *p, struct share *s, struct error *err)
{
	struct making x = { .out = out, .places = p, .s = s };
	int status;

	find_places(&x);
	make_head(&x);
	add_modules(&x);
	status = add_maps(&x, err);
	add_targets(&x);
	if (s->events.asked)
		add_extent(&x, (struct raw_extent){ .kind = RAW_EVENTS }, &s->events,
			   sizeof(s->events));
	if (s->wall.looks || s->wall.error || s->wall.lost)
		add_extent(&x, (struct raw_extent){ .kind = RAW_WALL }, &s->wall,
			   sizeof(s->wall));
	add_extent(&x, (struct raw_extent){ .kind = SUM_FACTS }, &s->facts, sizeof(s->facts));
	if (!status)
		status = add_stacks(&x, err);
	free(x.used);
	free(x.number_of);
	return status;
}
