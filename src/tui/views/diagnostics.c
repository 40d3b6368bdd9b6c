/* Shows what the profile is made of, how good it is, and what it lacks. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "show/advice.h"
#include "show/human.h"
#include "show/value.h"
#include "tui/views.h"
#include "tui/views/text_view.h"
#include "util/job.h"

static void
add(struct view *v, const char *head, struct strbuf *text)
{
	text_add(v, ROLE_TEXT, head, text->buf);
	strbuf_clear(text);
}

static void
add_text(struct view *v, const char *head, const char *text)
{
	if (text && *text)
		text_add(v, ROLE_TEXT, head, text);
}

static void
add_when(struct view *v, int64_t started_ns)
{
	time_t t = started_ns / 1000000000;
	struct tm tm;
	char when[64];

	if (started_ns > 0 && gmtime_r(&t, &tm) && strftime(when, sizeof(when), "%F %T UTC", &tm))
		add_text(v, "started", when);
}

static void
add_ending(struct view *v, const struct model_run *run, struct strbuf *s)
{
	if (run->exit_signal)
		strbuf_fmt(s, "killed by signal %d (%s)", run->exit_signal,
			   strsignal(run->exit_signal));
	else if (run->exit_status >= 0)
		strbuf_fmt(s, "exit status %d", run->exit_status);
	else
		strbuf_str(s, "unknown: it was still running, or was not started by cgview record");
	add(v, "ended", s);
}

static void
add_times(struct view *v, const struct model_run *run, struct strbuf *s)
{
	bool ascii = draw_ascii();

	human_ns(s, run->cpu_ns, ascii);
	strbuf_str(s, " cpu");
	if (run->wall_ns) {
		strbuf_str(s, ", ");
		human_ns(s, run->wall_ns, ascii);
		strbuf_str(s, " by the clock on the wall");
	}
	add(v, "time", s);
	/* These are unknown of threads that were chosen. */
	if (!run->user_ns && !run->system_ns)
		return;
	strbuf_str(s, "user ");
	human_ns(s, run->user_ns, ascii);
	strbuf_str(s, ", system ");
	human_ns(s, run->system_ns, ascii);
	strbuf_str(s, ": what the kernel says of the whole process, also of its start and its "
		      "end, when the clocks of its threads above do not run");
	add(v, "", s);
}

static void
add_run(struct view *v, const struct profile_totals *t, struct strbuf *s)
{
	const struct model_run *run = &t->run;

	text_add(v, ROLE_STRONG, NULL, t->nr_runs > 1 ? "Runs (figures of all, facts of the first)"
						      : "Run");
	add_text(v, "command", run->command);
	add_text(v, "directory", run->directory);
	add_text(v, "program", run->program);
	add_text(v, "build-id", run->build_id);
	add_text(v, "host", run->host);
	if (run->label)
		add_text(v, "label", run->label);
	if (run->job)
		add_text(v, "job", run->job);
	add_when(v, run->started_ns);
	add_ending(v, run, s);
	add_times(v, run, s);
	if (run->baseline_program) {
		human_baseline(s, t->based_user_ns, run->baseline_user_ns, draw_ascii());
		strbuf_fmt(s, "   (%s)", run->baseline_program);
		add(v, "profiling", s);
	} else {
		add_text(v, "profiling", "how much it costs is not known: record --baseline tells");
	}
	strbuf_fmt(s, "%u run%s, %u process%s, %u thread%s", t->nr_runs, t->nr_runs == 1 ? "" : "s",
		   run->processes, run->processes == 1 ? "" : "es", t->nr_threads,
		   t->nr_threads == 1 ? "" : "s");
	add(v, "made of", s);
	text_add(v, ROLE_TEXT, NULL, "");
}

static void
add_samples(struct view *v, const struct profile_totals *t, struct strbuf *s)
{
	const struct model_run *run = &t->run;

	text_add(v, ROLE_STRONG, NULL, "Time (sampled)");
	if (!run->samples) {
		text_add(v, ROLE_TEXT, "samples",
			 "none: the run was too short for the timer, or time "
			 "was not recorded. Counts are exact all the same.");
		text_add(v, ROLE_TEXT, NULL, "");
		return;
	}
	if (run->clock) {
		strbuf_str(s, run->clock);
		add(v, "clock", s);
	}
	human_count(s, run->samples);
	strbuf_str(s, ", one each ");
	human_ns(s, run->interval_ns, draw_ascii());
	strbuf_str(s, " of cpu time");
	if (run->asked_interval_ns) {
		strbuf_str(s, " (asked for: ");
		human_ns(s, run->asked_interval_ns, draw_ascii());
		strbuf_str(s, ")");
	}
	add(v, "samples", s);
	if (run->asked_interval_ns &&
	    run->interval_ns > run->asked_interval_ns + run->asked_interval_ns / 2)
		text_add(v, ROLE_DIM, "  what to do", "samples take much here, the kernel's clock "
			 "ticks more slowly, or the program hardly ran: nothing is wrong; record "
			 "-F, or a longer run, makes more samples");
	human_count(s, run->lost_samples);
	add(v, "lost", s);
	human_count(s, run->unprofiled_samples);
	strbuf_str(s, " outside of profiled code");
	add(v, "unprofiled", s);
	human_ns(s, t->self_ns, draw_ascii());
	strbuf_fmt(s, " %s", draw_glyph(GLYPH_PLUS_MINUS));
	human_error(s, profile_samples(t, t->self_samples, t->self_ns),
		    profile_samples(t, t->self_samples, t->self_ns));
	add(v, "self time", s);
	strbuf_str(s, "the true figure is within it in 95 of 100 cases; of 100 samples 20%");
	add(v, draw_glyph(GLYPH_PLUS_MINUS), s);
	text_add(v, ROLE_TEXT, NULL, "");
}

static void
add_waiting(struct view *v, const struct profile_totals *t, struct strbuf *s)
{
	const struct model_run *run = &t->run;

	if (!run->wall_interval_ns)
		return;
	text_add(v, ROLE_STRONG, NULL, "Waiting");
	human_ns(s, run->wait_ns, draw_ascii());
	strbuf_str(s, " in all threads, looked at each ");
	human_ns(s, run->wall_interval_ns, draw_ascii());
	add(v, "waited", s);
	human_ns(s, run->unprofiled_wait_ns, draw_ascii());
	strbuf_str(s, " outside of profiled code");
	add(v, "unprofiled", s);
	human_ns(s, run->delay_ns, draw_ascii());
	strbuf_str(s, " able to run, but without a processor");
	add(v, "delayed", s);
	text_add(v, ROLE_TEXT, NULL, "");
}

static void
add_number(struct view *v, const char *head, uint64_t n, struct strbuf *s)
{
	human_count(s, n);
	add(v, head, s);
}

static void
close_listing(void *listing)
{
	listing_close(listing);
}

static void
release_text(void *text)
{
	strbuf_release(text);
}

/* Adds how many source files have each state, unless all are "stored". */
static void
add_sources(struct view *v, struct strbuf *s)
{
	static const struct { const char *state, *what; } states[] = {
		{ "stored", "as they were compiled" },
		{ "stale", "newer than the program: lines may be wrong" },
		{ "missing", "not there when the profile was made" },
		{ "unreadable", "could not be read" },
		{ "large", "left out, too large" },
		{ "withheld", "left out: not wanted, or not the program's user's to read" },
	};
	enum { NR_STATES = sizeof(states) / sizeof(*states) };
	struct list_query q = { .kind = LIST_FILE };
	struct listing *l = listing_open(v->browser->profile, &q);
	int state = list_column_find(LIST_FILE, "state");
	uint64_t nr[NR_STATES] = { 0 };
	const struct list_row *row;
	struct job_hold hold;
	size_t i, k;

	job_hold(&hold, close_listing, l);
	for (i = 0; l && (row = listing_row(l, i)); i++, job_pause(1))
		for (k = 0; k < NR_STATES; k++)
			nr[k] += !row->cells[state].null &&
				 !strcmp(row->cells[state].text, states[k].state);
	job_let_go(&hold);
	text_add(v, ROLE_STRONG, NULL, "Source texts");
	for (k = 0; k < NR_STATES; k++) {
		if (!nr[k])
			continue;
		human_count(s, nr[k]);
		strbuf_fmt(s, " %s", states[k].what);
		add(v, k ? states[k].state : "in profile", s);
	}
	text_add(v, ROLE_TEXT, NULL, "");
}

static void
add_counts(struct view *v, const struct profile_totals *t, struct strbuf *s)
{
	if (profile_is_uncounted(v->browser->profile)) {
		text_add(v, ROLE_STRONG, NULL, "Nothing was counted: samples are all there is");
	} else {
		text_add(v, ROLE_STRONG, NULL, "Counts (exact)");
		if (!profile_counts_only_calls(v->browser->profile))
			add_number(v, "blocks executed", t->blocks_executed, s);
		human_count(s, t->calls);
		strbuf_str(s, " at call sites, also those of code outside (as libc's), which the "
			      "listing of procedures does not have");
		add(v, "calls", s);
	}
	add_number(v, "files", t->nr_files, s);
	add_number(v, "procedures", t->nr_procedures, s);
	add_number(v, "blocks", t->nr_blocks, s);
	add_number(v, "source ranges", t->nr_ranges, s);
	add_number(v, "call sites", t->nr_sites, s);
	add_number(v, "arcs", t->nr_arcs, s);
	text_add(v, ROLE_TEXT, NULL, "");
}

/* Explains the marks beside counts; added when there are any. */
static void
add_marks(struct view *v)
{
	const struct browser *b = v->browser;

	text_add(v, ROLE_STRONG, NULL, "Marks beside calls");
	text_add(v, ROLE_TEXT, draw_glyph(GLYPH_APPROX),
		 "estimated: the counts leave open how often this caller called this procedure; "
		 "the interval is what is possible. + - = change it.");
	text_add(v, ROLE_TEXT, draw_glyph(GLYPH_PINNED),
		 "held: you have set it, or it has moved with those that you have set. P lists "
		 "them, :pin NAME saves them.");
	text_add(v, ROLE_TEXT, draw_glyph(GLYPH_DIFFERS),
		 "before what is propagated: the samples, whose times are measured, contradict "
		 "that all calls of the procedure take equally long.");
	if (b->totals->nr_cycles)
		text_add(v, ROLE_TEXT, "<cycle 1>",
			 "one of the procedures that call each other in a circle; its total time "
			 "is its own, and the time of its calls out of the cycle. C lists the "
			 "cycles.");
	text_add(v, ROLE_TEXT, NULL, "");
}

/* Adds, behind the notes of a kind, what to do about them. */
static void
end_kind(struct view *v, const char *kind)
{
	struct advice a = advice_of(kind);

	if (!*kind)
		return;
	if (*a.what)
		text_add(v, ROLE_DIM, "  what to do", a.what);
	text_add(v, ROLE_TEXT, NULL, "");
}

static void
add_notes(struct view *v)
{
	struct list_query q = { .kind = LIST_NOTE, .sort = list_column_find(LIST_NOTE, "rank") };
	struct listing *l = listing_open(v->browser->profile, &q);
	int kind = list_column_find(LIST_NOTE, "kind"), text = list_column_find(LIST_NOTE, "text");
	struct strbuf last = STRBUF_INIT;
	struct job_hold listing, text_of_last;
	const struct list_row *row;
	size_t i;

	job_hold(&listing, close_listing, l);
	job_hold(&text_of_last, release_text, &last);
	for (i = 0; l && (row = listing_row(l, i)); i++) {
		const char *of = row->cells[kind].null ? "" : row->cells[kind].text;

		if (!i || strcmp(last.buf, of)) {
			end_kind(v, last.buf);
			text_add(v, ROLE_STRONG, NULL, advice_of(of).heading);
			strbuf_clear(&last);
			strbuf_str(&last, of);
		}
		text_add(v, ROLE_TEXT, of, row->cells[text].null ? "" : row->cells[text].text);
	}
	end_kind(v, last.buf);
	if (!i && !v->browser->totals->nr_procedures) {
		text_add(v, ROLE_STRONG, NULL, "There is nothing in this profile");
		text_add(v, ROLE_TEXT, NULL, "No part of the program was compiled with cgcc, or it "
			 "ended before it began.");
		text_add(v, ROLE_TEXT, NULL, "");
	} else if (!i) {
		text_add(v, ROLE_STRONG, NULL, "Nothing is missing");
		text_add(v, ROLE_TEXT, NULL, "");
	}
	if (profile_error(v->browser->profile))
		text_add(v, ROLE_ERROR, NULL, profile_error(v->browser->profile));
	job_let_go(&text_of_last);
	job_let_go(&listing);
}

/* Adds the measures besides counts and times: calls, work, and what else there is. */
static void
add_measures(struct view *v, struct strbuf *s)
{
	struct profile *p = v->browser->profile;
	struct measures all = profile_measures(p);

	text_add(v, ROLE_STRONG, NULL, "Measures");
	for (size_t i = MEASURE_CALLS - 1; i < all.nr; i++) {
		const struct model_measure *m = &all.items[i];

		if (i < NR_BUILTIN_MEASURES && !m->total)
			continue;
		strbuf_str(s, m->title);
		strbuf_str(s, ": ");
		if (m->formula)
			strbuf_str(s, m->formula);
		else
			value_whole(s, measure_unit(m), m->total, VALUE_WIDE, draw_ascii());
		if (!m->formula && measure_names_unit(m))
			strbuf_fmt(s, " %s", m->unit);
		add(v, m->name, s);
	}
	if (profile_without_formula(p)) {
		strbuf_fmt(s, "A formula is not understood, so there are no columns of: %s",
			   profile_without_formula(p));
		text_add(v, ROLE_ERROR, NULL, s->buf);
		strbuf_clear(s);
	}
	text_add(v, ROLE_TEXT, NULL, "");
}

/* Adds lines of the user's own configuration that had no effect. */
static void
add_config(struct view *v, struct strbuf *s)
{
	const struct config *c = v->browser->config;
	size_t i;

	if (!c->nr_problems)
		return;
	text_add(v, ROLE_STRONG, NULL, "Configuration (cgview-config(5))");
	for (i = 0; i < c->nr_problems; i++)
		text_add(v, ROLE_ERROR, NULL, c->problems[i]);
	if (c->nr_more) {
		strbuf_fmt(s, "and %zu more", c->nr_more);
		add(v, NULL, s);
	}
	text_add(v, ROLE_TEXT, NULL, "");
}

static void
build_diagnostics(struct view *v)
{
	const struct profile_totals *t = v->browser->totals;
	struct strbuf s = STRBUF_INIT;
	struct job_hold hold;

	job_hold(&hold, release_text, &s);
	add_config(v, &s);
	add_notes(v);
	text_add(v, ROLE_STRONG, NULL, "Profile");
	add_text(v, "file", profile_path(v->browser->profile));
	text_add(v, ROLE_TEXT, NULL, "");
	add_run(v, t, &s);
	add_samples(v, t, &s);
	add_waiting(v, t, &s);
	add_measures(v, &s);
	add_counts(v, t, &s);
	add_sources(v, &s);
	add_marks(v);
	job_let_go(&hold);
}

struct view *
diagnostics_new(struct browser *b)
{
	struct view *v = text_new(b, "diagnostics", 18, build_diagnostics);

	text_in_slices(v);
	return v;
}
