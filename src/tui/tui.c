#include "tui/tui.h"

#include <malloc.h>
#include <signal.h>
#include <time.h>

#include "tui/browser.h"
#include "tui/busy.h"
#include "tui/keys/config.h"
#include "tui/keys/script.h"
#include "tui/live.h"
#include "tui/screen/draw.h"
#include "tui/screen/term.h"
#include "tui/views/table.h"

enum { TELL_MS = 150 };

static const enum background backgrounds[] = {
	[TUI_ASK] = BACKGROUND_ASK, [TUI_DARK] = BACKGROUND_DARK, [TUI_LIGHT] = BACKGROUND_LIGHT,
};

int
tui_possible(const struct tui_options *options, struct error *err)
{
	return options->script ? 0 : term_possible(err);
}

/* Slow work is reported now and then. */
static bool
is_time_to_tell(struct timespec *told)
{
	struct timespec now;
	int64_t ms;

	clock_gettime(CLOCK_MONOTONIC, &now);
	ms = (now.tv_sec - told->tv_sec) * 1000 + (now.tv_nsec - told->tv_nsec) / 1000000;
	if (ms < TELL_MS)
		return false;
	*told = now;
	return true;
}

/* Works while nobody types. */
static void
idle(struct browser *b)
{
	struct timespec told;
	unsigned what = WORK_MORE;

	clock_gettime(CLOCK_MONOTONIC, &told);
	while ((what & WORK_MORE) && term_peek() == K_NONE) {
		what = browser_idle(b);
		if ((what & WORK_NEW) || ((what & WORK_MORE) && is_time_to_tell(&told))) {
			browser_draw(b);
			draw_flush(false);
		}
	}
}

/* One loop: a key (or a look at what is watched), its action, one drawing. */
static void
loop(struct browser *b)
{
	unsigned effect = EFFECT_DONE;
	tui_key key;

	while (!b->quit) {
		if (effect != EFFECT_NONE) {
			browser_draw(b);
			draw_flush(effect & EFFECT_REPAINT);
		}
		busy_end_key(b);
		idle(b);
		key = live_key(b);
		busy_begin_key(b);
		effect = key == K_NONE ? EFFECT_DONE : browser_key(b, key);
	}
}

/* Large blocks go back to the system as soon as they are freed: listings and trees come and go. */
enum { LARGE = 256 << 10 };

int
tui_browse(struct profile **profile, const struct tui_options *options, struct error *err)
{
	struct term_options term = {
		.script = options->script != NULL,
		.mono = options->mono,
		.background = backgrounds[options->background],
	};
	struct browser *b;
	bool interrupted;
	int result = 0;

	mallopt(M_MMAP_THRESHOLD, LARGE);
	if (term.background == BACKGROUND_ASK)
		term.background = options->config->background;
	if (term_open(&term, err) < 0)
		return -1;
	b = browser_new(*profile, options, options->config);
	if (options->script) {
		live_wait(b);
		result = script_play(b, options->script, err);
	} else {
		loop(b);
	}
	term_close();
	*profile = b->profile;
	interrupted = b->interrupted && !options->script && !options->live;
	browser_free(b);
	/* A shell wants to know that, so that its loops end, too. */
	if (interrupted) {
		signal(SIGINT, SIG_DFL);
		raise(SIGINT);
	}
	return result;
}

void
tui_browse_within(const struct browser *outer, struct profile **profile,
		  const struct tui_compare *compare)
{
	const struct tui_options options = { .compare = compare };
	struct browser *b = browser_new(*profile, &options, outer->config);

	browser_say(b, ROLE_MESSAGE, "%s goes back to where you were",
		    action_key(KEYMAP_TABLE, ACTION_QUIT_ALL));
	loop(b);
	*profile = b->profile;
	browser_free(b);
}

int
tui_print_keys(const struct config *config, FILE *out)
{
	config_tell(config);
	action_list_keys(out);
	return config->nr_problems ? -1 : 0;
}
