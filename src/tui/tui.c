#include "tui/tui.h"

#include "tui/browser.h"
#include "tui/config.h"
#include "tui/draw.h"
#include "tui/script.h"
#include "tui/term.h"

static const enum background backgrounds[] = {
	[TUI_ASK] = BACKGROUND_ASK, [TUI_DARK] = BACKGROUND_DARK, [TUI_LIGHT] = BACKGROUND_LIGHT,
};

int
tui_possible(const struct tui_options *options, struct error *err)
{
	return options->script ? 0 : term_possible(err);
}

/* One loop: a key, what it does, one drawing. */
static void
loop(struct browser *b)
{
	unsigned effect = EFFECT_DONE;

	while (!b->quit) {
		if (effect != EFFECT_NONE) {
			browser_draw(b);
			draw_flush(effect & EFFECT_REPAINT);
		}
		if (term_peek() == K_NONE && browser_idle(b)) {
			browser_draw(b);
			draw_flush(false);
		}
		effect = browser_key(b, term_key());
	}
}

int
tui_browse(struct profile **profile, const struct tui_options *options, struct error *err)
{
	struct term_options term = {
		.script = options->script != NULL,
		.mono = options->mono,
		.background = backgrounds[options->background],
	};
	struct config config;
	struct browser *b;
	int result = 0;

	config_read(&config, options->config);
	if (term.background == BACKGROUND_ASK)
		term.background = config.background;
	if (term_open(&term, err) < 0) {
		config_release(&config);
		return -1;
	}
	b = browser_new(*profile, options->dial, &config);
	b->again = options->again;
	b->threads.ops = options->threads;
	if (options->script)
		result = script_play(b, options->script, err);
	else
		loop(b);
	term_close();
	*profile = b->profile;
	browser_free(b);
	config_release(&config);
	return result;
}

int
tui_print_keys(const char *config, FILE *out)
{
	struct config c;
	size_t i, nr;

	config_read(&c, config);
	nr = c.nr_problems;
	for (i = 0; i < nr; i++)
		complain("%s", c.problems[i]);
	if (c.nr_more)
		complain("%s: %zu more lines are wrong", c.path, c.nr_more);
	action_list_keys(out);
	config_release(&c);
	return nr ? -1 : 0;
}
