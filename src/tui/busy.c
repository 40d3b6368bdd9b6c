#include "tui/busy.h"

#include <time.h>

#include "tui/browser.h"
#include "tui/screen/term.h"
#include "util/job.h"

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Called from within the database. */
static bool
poll_terminal(void *context)
{
	struct browser *b = context;

	return b->busy.idle && term_peek() != K_NONE;
}

void
busy_watch(struct browser *b, struct profile *p)
{
	profile_poll(p, poll_terminal, b);
}

void
busy_slice(struct browser *b, unsigned milliseconds)
{
	b->busy.until_ns = milliseconds ? now_ns() + milliseconds * 1000000ull : 0;
	if (b->busy.key_until_ns && b->busy.until_ns > b->busy.key_until_ns)
		b->busy.until_ns = b->busy.key_until_ns;
	b->busy.left = b->busy.looks;
}

void
busy_begin_key(struct browser *b)
{
	b->busy.key_until_ns = now_ns() + SLICES_KEY * 1000000ull;
}

void
busy_end_key(struct browser *b)
{
	b->busy.key_until_ns = 0;
}

bool
busy_over(void *browser)
{
	struct browser *b = browser;

	if (!b->busy.until_ns || b->busy.patient)
		return false;
	if (b->busy.looks)
		return !b->busy.left || !--b->busy.left;
	return now_ns() >= b->busy.until_ns;
}

bool
busy_run(struct browser *b, struct job **j)
{
	if (*j && !job_run(*j, busy_over, b))
		return false;
	busy_drop(j);
	return true;
}

void
busy_drop(struct job **j)
{
	job_free(*j);
	*j = NULL;
}

void
busy_begin_idle(struct browser *b)
{
	b->busy.idle = true;
}

void
busy_end(struct browser *b)
{
	b->busy.idle = false;
}
