#include "collect/import/helpers.h"

#include <stdlib.h>

#include "util/mem.h"

/* What is counted stays below; above are addresses, as the runtime's own word has one, which tells
 * the copy from others. */
#define MOST_COUNTED (UINT64_C(1) << 40)

/* Has the copy of counters SLOT of process PID counted anything? */
static bool
has_counted(const struct rawfile *r, uint32_t pid, uint32_t slot)
{
	enum { CHUNK = 4096 };
	uint64_t buffer[CHUNK];

	for (size_t i = 0; i < r->nr_parts; i++) {
		const struct raw_part *p = &r->parts[i];
		uint64_t at = 0;
		size_t got;

		if (p->kind != RAW_COUNTERS || p->pid != pid || p->slot != slot)
			continue;
		for (; at < p->size; at += got) {
			size_t want = p->size - at < sizeof(buffer) ? p->size - at : sizeof(buffer);

			got = rawfile_read(r, p->offset + at, buffer, want);
			for (size_t k = 0; k < got / 8; k++)
				if (buffer[k] && buffer[k] < MOST_COUNTED)
					return true;
			if (got < want)
				return true; /* who knows */
		}
	}
	return false;
}

/* Records that went on to others tell of none of them. */
static bool
is_helper(const struct rawfile *r, const struct raw_thread *t)
{
	return t->pid && t->tid != t->pid && t->wait_ns && !t->more_threads &&
	       !t->more_processes && !has_counted(r, t->pid, t->slot);
}

void
helpers_find(struct helpers *h, const struct rawfile *r)
{
	struct raw_thread t;
	bool any = false;

	*h = (struct helpers){ .nr = 0 };
	if (!rawfile_part(r, RAW_WALL))
		return;
	for (size_t i = 0; i < r->nr_parts; i++)
		for (uint64_t k = 0; rawfile_thread(r, &r->parts[i], k, &t); k++) {
			if (!is_helper(r, &t)) {
				any |= t.pid && has_counted(r, t.pid, t.slot);
				continue;
			}
			GROW(h->tids, h->nr + 1, h->alloc);
			h->tids[h->nr++] = t.tid;
			h->wait_ns += t.wait_ns < UINT64_MAX - h->wait_ns ? t.wait_ns : 0;
		}
	if (!any)
		helpers_release(h);
}

bool
helpers_waits(const struct helpers *h, const struct raw_sample *sample)
{
	if (!(sample->flags & RAW_WAITING))
		return false;
	for (size_t i = 0; i < h->nr; i++)
		if (h->tids[i] == sample->tid)
			return true;
	return false;
}

void
helpers_release(struct helpers *h)
{
	free(h->tids);
	*h = (struct helpers){ .nr = 0 };
}
