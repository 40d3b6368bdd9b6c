#include "tui/unrecorded.h"

#include "db/lists/heaps.h"
#include "tui/browser.h"
#include "tui/views.h"
#include "util/text/safe.h"

static bool
has_heaps(struct browser *b)
{
	return heaps_count(b->profile) > 0;
}

static bool
has_disposals(struct browser *b)
{
	return profile_has_disposals(b->profile);
}

static bool
has_errors(struct browser *b)
{
	return b->errors.nr > 0;
}

static bool
has_runs(struct browser *b)
{
	return profile_rows(b->profile, LIST_RUN) || profile_rows(b->profile, LIST_THREAD);
}

static bool
has_procedures(struct browser *b)
{
	return b->totals->nr_procedures > 0;
}

/* OPTIONS are those of cgview record. */
static const struct {
	enum action action;
	bool (*is_there)(struct browser *b);
	const char *why, *options;
} kinds[] = {
	{ ACTION_BANDS, has_heaps, "memory over time was not recorded", " --space" },
	{ ACTION_DISPOSALS, has_disposals, "allocations were not counted", " --space" },
	{ ACTION_ERRORS, has_errors, "no errors are known", " --memcheck" },
	{ ACTION_ERROR_NEXT, has_errors, "no errors are known", " --memcheck" },
	{ ACTION_ERROR_PREVIOUS, has_errors, "no errors are known", " --memcheck" },
	{ ACTION_THREADS, has_runs, "no run is known", "" },
	{ ACTION_TREE, has_procedures, "nothing of the program was compiled with cgcc", "" },
	{ ACTION_CYCLES, has_procedures, "nothing of the program was compiled with cgcc", "" },
};

bool
unrecorded(struct browser *b, enum action action)
{
	enum { MOST = sizeof(kinds) / sizeof(*kinds) };
	struct strbuf text = STRBUF_INIT;
	size_t i = 0, length;

	while (i < MOST && kinds[i].action != action)
		i++;
	if (i == MOST || profile_error(b->profile) || kinds[i].is_there(b))
		return false;
	strbuf_fmt(&text, "%s: cgview record%s", kinds[i].why, kinds[i].options);
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
