#include "collect/import/sums/member.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/order.h"

enum { MOST_MAPS = 1 << 20 }; /* bytes that a reader takes of them */

/* The state of making one member. */
struct making {
	struct strbuf *out;
	const struct places *places;
	const struct share *s;
	int *used;                 /* numbers of places: modules, then libraries, sorted */
	size_t nr_used, nr_modules;
	int *number_of;            /* per place: number in USED, -1 none */
};

/* ---- places ---- */

/* The program itself comes first, as in a raw profile. */
static int
compare_places(const void *a, const void *b, void *making)
{
	const struct making *m = making;
	const struct sum_place *x = &m->places->items[*(const int *)a];
	const struct sum_place *y = &m->places->items[*(const int *)b];
	const char *program = m->s->texts[RAW_TEXT_PROGRAM];
	int by_path = strcmp(x->path, y->path);

	COMPARE(x->library, y->library);
	COMPARE(strcmp(x->path, program) != 0, strcmp(y->path, program) != 0);
	if (by_path)
		return by_path;
	COMPARE(x->inode, y->inode);
	COMPARE(x->build_id_length, y->build_id_length);
	return memcmp(x->build_id, y->build_id, x->build_id_length);
}

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
	size_t i;

	x->used = xcalloc(x->places->nr, sizeof(*x->used));
	x->number_of = xcalloc(x->places->nr, sizeof(*x->number_of));
	for (i = 0; i < x->places->nr; i++)
		x->number_of[i] = i < s->nr_counters && s->counters[i] ? 0 : -1;
	for (i = 0; i < s->nr_frames; i++)
		note_use(x, s->frames[i]);
	for (i = 0; i < s->nr_targets; i++)
		note_use(x, s->targets[i].target);
	for (i = 0; i < x->places->nr; i++)
		if (!x->number_of[i]) {
			x->used[x->nr_used++] = (int)i;
			x->nr_modules += !x->places->items[i].library;
		}
	qsort_r(x->used, x->nr_used, sizeof(*x->used), compare_places, x);
	for (i = 0; i < x->nr_used; i++)
		x->number_of[x->used[i]] = (int)i;
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
	strbuf_add(x->out, h, sizeof(*h));
	free(h);
}

static void
add_zeros(struct strbuf *out, size_t n)
{
	strbuf_room(out, n + 1);
	memset(out->buf + out->len, 0, n + 1);
	out->len += n;
}

/* E has what its kind needs besides lengths. */
static void
add_extent(const struct making *x, struct raw_extent e, const void *data, size_t length)
{
	e.magic = RAW_EXTENT_MAGIC;
	e.pid = x->s->pid;
	e.data_offset = sizeof(e);
	e.data_length = e.used = length;
	e.length = (sizeof(e) + length + RAW_PAGE - 1) / RAW_PAGE * RAW_PAGE;
	e.checksum = raw_extent_checksum(&e);
	strbuf_add(x->out, &e, sizeof(e));
	strbuf_add(x->out, data, length);
	add_zeros(x->out, e.length - sizeof(e) - length);
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

struct made_stack { struct sum_stack of; const uint64_t *frames; };

static int
compare_stacks(const void *a, const void *b)
{
	const struct made_stack *x = a, *y = b;

	for (uint32_t i = 0; i < x->of.nr_frames && i < y->of.nr_frames; i++)
		COMPARE(x->frames[i], y->frames[i]);
	COMPARE(x->of.nr_frames, y->of.nr_frames);
	COMPARE(x->of.centre, y->of.centre);
	COMPARE(x->of.flags | SUM_STACK_WALKED, y->of.flags | SUM_STACK_WALKED);
	return 0;
}

static void
add_stacks(const struct making *x)
{
	const struct share *s = x->s;
	uint64_t *frames = xcalloc(s->nr_frames, sizeof(*frames));
	struct made_stack *stacks = xcalloc(s->nr_stacks, sizeof(*stacks));
	struct strbuf data = STRBUF_INIT;

	for (size_t i = 0; i < s->nr_frames; i++)
		frames[i] = member_address(x, s->frames[i]);
	for (size_t i = 0; i < s->nr_stacks; i++) {
		stacks[i] = (struct made_stack){ s->stacks[i].of, frames + s->stacks[i].first };
		stacks[i].of.centre = member_address(x, stacks[i].of.centre);
	}
	if (s->nr_stacks)
		qsort(stacks, s->nr_stacks, sizeof(*stacks), compare_stacks);
	for (size_t i = 0; i < s->nr_stacks; i++) {
		strbuf_add(&data, &stacks[i].of, sizeof(stacks[i].of));
		strbuf_add(&data, stacks[i].frames, stacks[i].of.nr_frames * sizeof(*frames));
	}
	if (data.len)
		add_extent(x, (struct raw_extent){ .kind = SUM_STACKS }, data.buf, data.len);
	strbuf_release(&data);
	free(stacks);
	free(frames);
}

int
member_make(struct strbuf *out, const struct places *p, const struct share *s, struct error *err)
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
	add_stacks(&x);
	free(x.used);
	free(x.number_of);
	return status;
}
