#include "tui/unrecorded.h"

#include "db/lists/wings.h"
#include "tui/browser.h"
#include "util/text/safe.h"

static const struct { enum action action; enum wing_id wing; } needs[] = {
	{ ACTION_BANDS, WING_MOMENTS }, { ACTION_DISPOSALS, WING_BLOCKS },
	{ ACTION_ERRORS, WING_ERRORS }, { ACTION_ERROR_NEXT, WING_ERRORS },
	{ ACTION_ERROR_PREVIOUS, WING_ERRORS }, { ACTION_THREADS, WING_RUNS },
	{ ACTION_TREE, WING_PROCEDURES }, { ACTION_CYCLES, WING_PROCEDURES },
};

bool
unrecorded(struct browser *b, enum action action)
{
	enum { MOST = sizeof(needs) / sizeof(*needs) };
	struct strbuf text = STRBUF_INIT;
	size_t i = 0, length;

	while (i < MOST && needs[i].action != action)
		i++;
	if (i == MOST || profile_error(b->profile) || wing_is_there(b->profile, needs[i].wing))
		return false;
	strbuf_fmt(&text, "the profile has no %s: %s", wings[needs[i].wing].what,
		   wings[needs[i].wing].how);
	length = text.len;
	if (b->totals->run.command)
		strbuf_fmt(&text, " -- %s", b->totals->run.command);
	/* Half a command would be none. */
	if (safe_width(text.buf, text.len) > draw_columns() - 2)
		text.buf[length] = '\0';
	browser_say(b, ROLE_MESSAGE, "%s", text.buf);
	strbuf_release(&text);
	return true;
}
