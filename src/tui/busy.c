#include "tui/busy.h"

#include <time.h>

#include "tui/browser.h"
#include "tui/layout.h"
#include "tui/term.h"

enum { PATIENCE_MS = 150 };

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Called from within the database: only the bottom line is drawn, which asks it nothing. */
static bool
poll_terminal(void *context)
{
	struct browser *b = context;
	tui_key key;

	if (!b->busy.since_ns)
		return false;
	key = term_peek();
	if (b->busy.any_key)
		return key != K_NONE;
	if (!b->busy.told && now_ns() - b->busy.since_ns > PATIENCE_MS * 1000000ull) {
		b->busy.told = true;
		layout_draw_busy("sorting...   Esc: stop, and leave it as it was");
	}
	if (key != K_ESC)
		return false;
	term_key(); /* it was for us */
	return true;
}

void
busy_watch(struct browser *b, struct profile *p)
{
	profile_poll(p, poll_terminal, b);
}

void
busy_begin(struct browser *b)
{
	b->busy = (struct busy){ .since_ns = now_ns(), .any_key = b->prompt.kind != PROMPT_NONE };
}

void
busy_begin_idle(struct browser *b)
{
	b->busy = (struct busy){ .since_ns = now_ns(), .any_key = true };
}

void
busy_end(struct browser *b)
{
	b->busy.since_ns = 0;
}
