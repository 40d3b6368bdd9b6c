#include "cmd/run/watch_browser.h"

#include <time.h>

#include "collect/import/live/live_shown.h"
#include "tui/keys/config.h"
#include "tui/tui.h"
#include "util/text/path.h"

struct session {
	const struct watch_browser *w;
	struct tui_live tui;
	struct live *live;
	struct live_shown *shown, *past; /* past: before it was looked at in another way; NULL */
	struct sqlite3 *stored;    /* tables that were not taken yet */
	bool alive;                /* something ran that counts, or is sampled, at the last look */
};

static uint64_t
now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* The tables that are open still ask the past one, until others are opened. */
static void
change(struct session *s, struct live *live)
{
	live_shown_free(s->past);
	s->past = s->shown;
	s->live = live;
	s->shown = live_shown_new(live, 0);
	live_shown_rate(s->shown, live_shown_state(s->past).rate);
	s->tui.shown = s->shown;
}

/* What has ended is looked at once more: its counts stay as they are then. */
static bool
look(void *context)
{
	struct session *s = context;
	struct watched *files = s->w->watched;
	struct error ignored = ERROR_INIT; /* others of them may still be looked at */
	bool ended = s->w->ended(s->w->context), before = s->alive;
	struct live *live = s->live;
	uint64_t now;

	watched_search(files, &ignored);
	s->alive = files->nr_files ? files->nr_alive > 0 : files->samples != NULL;
	now = now_ns();
	if (ended) {
		live_shown_freeze(s->shown, false);
		live_shown_rate(s->shown, false);
	}
	if ((s->alive || before) && !s->w->look(s->w->context, &live, &ignored)) {
		if (live != s->live)
			change(s, live);
		live_shown_take(s->shown, now);
	}
	return !ended;
}

static int
store_some(struct session *s, bool procedures, struct error *err)
{
	s->stored = profile_store_unnamed(live_shown_model(s->shown, procedures), NULL, err);
	return s->stored ? 0 : -1;
}

static int
store_tables(void *context, struct error *err)
{
	return store_some(context, false, err);
}

static struct profile *
take_tables(void *context, struct error *err)
{
	struct session *s = context;
	const struct model *m = live_shown_take_model(s->shown);
	const struct made_of of = {
		.path = s->w->output, .name = m->nr_runs ? path_base(m->runs[0].program) : "",
	};
	struct profile *p = profile_open_stored(s->stored, &of, err);

	s->stored = NULL;
	if (p)
		profile_overlay(p, &(struct overlay_source){
			live_shown_figure, s->shown, live_sums(s->live).sampled });
	return p;
}

static const char *
leaving(void *context)
{
	return ((struct session *)context)->w->leaving;
}

int
watch_browse(const struct watch_browser *w, struct error *err)
{
	struct session s = {
		.w = w, .live = w->live, .shown = live_shown_new(w->live, w->began_ns),
		.alive = true,
	};
	struct config config;
	const struct tui_options options = { .config = &config, .live = &s.tui };
	struct profile *p;
	int status = -1;

	s.tui = (struct tui_live){
		.shown = s.shown, .delay_ns = w->delay_ns, .has_begun = w->began_ns != 0,
		.context = &s, .look = look, .store = store_tables, .take = take_tables,
		.leaving = leaving,
	};
	live_shown_rate(s.shown, w->rate);
	live_shown_take(s.shown, now_ns());
	p = store_some(&s, live_shown_is_large(s.shown), err) ? NULL : take_tables(&s, err);
	if (p) {
		config_read(&config, NULL);
		status = tui_browse(&p, &options, err);
		config_release(&config);
		profile_close(p);
	}
	profile_drop_stored(s.stored);
	live_shown_free(s.shown);
	live_shown_free(s.past);
	return status;
}
