/* CPU profiles as gperftools writes them: words of 8 bytes, and the text of /proc/self/maps.
 *
 *	0 3 0 PERIOD 0                 microseconds
 *	COUNT N ADDRESS...             a stack, the innermost first; callers: behind their calls
 *	0 1 0                          the end; then the maps
 */
#include "collect/import/foreign/foreign_format.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/import/foreign/stacks.h"
#include "collect/import/unpack.h"
#include "util/mem.h"
#include "util/order.h"

enum { HEADER = 5, MOST_PERIOD = 1000000000 };

struct map { uint64_t start, end, offset; uint32_t path; }; /* path: the number of a text */

struct stack { size_t first; uint64_t nr, count; };

struct reader {
	FILE *in;
	struct stacks *stacks;
	struct map *maps;
	size_t nr_maps, maps_alloc;
	struct stack *items;       /* as they come: the maps stand behind them */
	size_t nr, alloc;
	uint64_t *addresses;
	size_t nr_addresses, addresses_alloc;
	struct stacks_frame *frames;
	uint64_t period;
	bool cut;                  /* the end did not come */
};

static bool
read_word(struct reader *r, uint64_t *word)
{
	return fread(word, sizeof(*word), 1, r->in) == 1;
}

/* Reads stacks up to the end; those that are deeper are cut. False: the file ends before. */
static bool
read_stacks(struct reader *r)
{
	uint64_t count, nr, address;

	while (read_word(r, &count) && read_word(r, &nr)) {
		struct stack s = { .first = r->nr_addresses, .nr = 0, .count = count };

		for (uint64_t i = 0; i < nr; i++) {
			if (!read_word(r, &address))
				return false;
			if (i > STACKS_MAX_FRAMES)
				continue;
			GROW(r->addresses, r->nr_addresses + 1, r->addresses_alloc);
			r->addresses[r->nr_addresses++] = address;
			s.nr++;
		}
		if (!count && nr == 1 && !r->addresses[s.first])
			return true;
		GROW(r->items, r->nr + 1, r->alloc);
		r->items[r->nr++] = s;
	}
	return false;
}

/* "55d0-55e0 r-xp 00001000 08:01 123   /path" */
static void
take_map(struct reader *r, const char *line)
{
	char *p;
	struct map m = { .start = strtoull(line, &p, 16) };

	if (*p != '-')
		return;
	m.end = strtoull(p + 1, &p, 16);
	if (*p != ' ' || !memchr(p, 'x', strnlen(p, 5)))
		return;
	p += 1 + strcspn(p + 1, " ");
	m.offset = strtoull(p, &p, 16);
	for (int i = 0; i < 2; i++) { /* device, inode */
		p += strspn(p, " ");
		p += strcspn(p, " ");
	}
	p += strspn(p, " ");
	m.path = stacks_keep(r->stacks, (struct stacks_text){ p, strcspn(p, "\n") });
	GROW(r->maps, r->nr_maps + 1, r->maps_alloc);
	r->maps[r->nr_maps++] = m;
}

static int
compare_maps(const void *a, const void *b)
{
	const struct map *x = a, *y = b;

	COMPARE(x->start, y->start);
	return 0;
}

static void
read_maps(struct reader *r)
{
	char line[8192];

	while (fgets(line, sizeof(line), r->in))
		take_map(r, line);
	if (r->nr_maps)
		qsort(r->maps, r->nr_maps, sizeof(*r->maps), compare_maps);
}

static struct stacks_frame
frame_at(const struct reader *r, uint64_t address)
{
	struct stacks_frame f = { .offset = STACKS_NO_OFFSET, .address = address };
	size_t lo = 0, hi = r->nr_maps;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (r->maps[mid].end <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo < r->nr_maps && address >= r->maps[lo].start) {
		f.module = stacks_kept(r->stacks, r->maps[lo].path);
		f.address = address - r->maps[lo].start + r->maps[lo].offset;
		f.in_file = true;
	}
	return f;
}

/* The innermost address may be there twice: of the signal, and of the unwinder. */
static void
add_stack(struct reader *r, int event, const struct stack *s)
{
	const uint64_t *addresses = r->addresses + s->first;
	struct stacks_value v = { event, s->count, count_product(s->count, r->period * 1000) };
	struct stacks_sample sample = { .values = &v, .nr_values = 1, .frames = r->frames,
					.name = STACKS_TEXT("") };

	for (uint64_t i = 0; i < s->nr; i++)
		if (i != 1 || addresses[1] != addresses[0])
			r->frames[sample.nr_frames++] = frame_at(r, addresses[i] - (i > 0));
	stacks_add(r->stacks, &sample);
}

static int
read_file(struct reader *r, const char *path, struct error *err)
{
	const struct stacks_event cpu = { STACKS_TEXT("cpu"), STACKS_TEXT("ns"), 0 };
	int event = stacks_event(r->stacks, &cpu);
	uint64_t header[HEADER];

	for (int i = 0; i < HEADER; i++)
		if (!read_word(r, &header[i]))
			return error_set(err, "%s is cut: a profile of gperftools has more", path);
	r->period = header[3] < MOST_PERIOD ? header[3] : MOST_PERIOD;
	r->cut = !read_stacks(r);
	if (!r->cut)
		read_maps(r);
	if (ferror(r->in))
		return error_set(err, "%s cannot be read to its end", path);
	r->frames = xcalloc(STACKS_MAX_FRAMES + 1, sizeof(*r->frames));
	for (size_t i = 0; i < r->nr; i++)
		add_stack(r, event, &r->items[i]);
	return 0;
}

static int
gperftools_read(const char *const *paths, size_t nr, struct model *m, struct error *err)
{
	const struct stacks_run run = { .tool = STACKS_TEXT("gperftools") };
	struct reader r = { .stacks = stacks_new() };
	const char *path = paths[nr - 1];
	struct stat st;
	int status = -1;

	r.in = unpack_open(path, &st, err);
	if (r.in) {
		status = read_file(&r, path, err);
		fclose(r.in);
	}
	if (!status)
		status = stacks_finish(r.stacks, &run, path, st.st_uid, m, err);
	if (!status && r.cut)
		model_note(m, "samples", "the file is cut: stacks are missing, and where programs "
			   "and libraries were, so that nothing has a name");
	free(r.maps);
	free(r.items);
	free(r.addresses);
	free(r.frames);
	stacks_free(r.stacks);
	return status;
}

static bool
gperftools_is(const char *head, size_t n)
{
	uint64_t words[HEADER];

	if (n < sizeof(words))
		return false;
	memcpy(words, head, sizeof(words));
	return !words[0] && words[1] == 3 && !words[2] && words[3] && words[3] < MOST_PERIOD &&
	       !words[4];
}

const struct foreign_format gperftools_format = {
	.name = "a CPU profile of gperftools", .is = gperftools_is, .read = gperftools_read,
};
