/* A look at a program that runs, as text. */
#ifndef CGVIEW_PRINT_LOOK
#define CGVIEW_PRINT_LOOK

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collect/import/live/live.h"

struct look_wanted {
	uint64_t ns, since_ns;     /* how long it is watched, and since the look before */
	bool rate;                 /* what a second brought since then; else all so far */
	size_t limit;              /* of procedures: those with the most time, then calls */
};

/* Prints the last look of L to standard output. */
void look_print(const struct live *l, const struct look_wanted *look);

#endif
