#include "collect/import/reading.h"

#include <stddef.h>

static const struct progress *watcher;
static double furthest;

void
reading_watch(const struct progress *p)
{
	watcher = p;
	furthest = 0;
}

void
reading_at(uint64_t done, uint64_t all)
{
	double share = all ? (double)done / (double)all : 0;

	if (!watcher || share <= furthest || share > 1)
		return;
	furthest = share;
	watcher->tell(watcher->context, share);
}
