#include "tui/history.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"

void
history_release(struct history *h)
{
	free(h->places);
	memset(h, 0, sizeof(*h));
}

static void
make_room(struct history *h)
{
	if (!h->places)
		h->places = xcalloc(HISTORY_MAX + 1, sizeof(*h->places));
	if (h->now < HISTORY_MAX)
		return;
	memmove(h->places, h->places + 1, (HISTORY_MAX - 1) * sizeof(*h->places));
	h->now--;
}

void
history_leave(struct history *h, const struct location *from)
{
	make_room(h);
	h->places[h->now++] = *from;
	h->nr = h->now;
}

/* places[now] is free or ahead of us: the present place takes its slot, to be found by going
 * back. */
bool
history_back(struct history *h, const struct location *here, struct location *to)
{
	if (!h->now)
		return false;
	if (h->now == h->nr)
		h->nr++;
	h->places[h->now] = *here;
	*to = h->places[--h->now];
	return true;
}

bool
history_forward(struct history *h, const struct location *here, struct location *to)
{
	if (h->now + 1 >= h->nr)
		return false;
	h->places[h->now++] = *here;
	*to = h->places[h->now];
	return true;
}
