#include "tui/record_again.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "show/human.h"
#include "tui/screen/term.h"
#include "tui/views.h"
#include "tui/views/text_view.h"
#include "tui/walk.h"
#include "util/text/safe.h"

void
tui_again_release(struct tui_again *again)
{
	char **argument;

	for (argument = again->arguments; argument && *argument; argument++)
		free(*argument);
	free(again->arguments);
	free(again->directory);
	free(again->kept);
	free(again->remark);
	free(again->foreign);
	memset(again, 0, sizeof(*again));
}

/* ---- the corresponding place in another profile ---- */

struct move {                /* from one profile to the next */
	struct profile *from, *to;
	bool same;           /* the program is unchanged: numbers stay */
};

static model_id
move_procedure(const struct move *m, model_id id)
{
	struct procedure_row old, new;

	if (!id || !profile_procedure(m->from, id, &old))
		return 0;
	if (m->same && profile_procedure(m->to, id, &new) && !strcmp(old.name, new.name))
		return id;
	return profile_procedure_named(m->to, old.name, &new) ? new.id : 0;
}

static model_id
move_file(const struct move *m, model_id id)
{
	const struct profile_file *old = id ? profile_file(m->from, id) : NULL, *new;
	model_id i;

	for (i = 1; old && i <= profile_totals(m->to)->nr_files; i++) {
		new = profile_file(m->to, i);
		if (new && !strcmp(new->path, old->path))
			return i;
	}
	return 0;
}

static void
move_location(const struct move *m, struct location *l)
{
	if (!l->set)
		return;
	if (l->summary == SUMMARY_PROCEDURES && l->summary_row > 0)
		l->summary_row = (int64_t)move_procedure(m, (model_id)l->summary_row);
	else if (!m->same)
		l->summary_row = -1;
	/* The first profile of a comparison stays. */
	if (!l->file.first)
		l->file.id = move_file(m, l->file.id);
	if (!l->procedure.first)
		l->procedure.id = move_procedure(m, l->procedure.id);
	if (!m->same) {
		l->site = 0;
		memset(&l->selected, 0, sizeof(l->selected));
	}
	l->selected.file = l->file.id;
}

void
again_take(struct browser *b, struct profile *new)
{
	struct move m = { .from = b->profile, .to = new };
	struct location here;
	size_t i;

	m.same = *b->totals->run.build_id &&
		 !strcmp(b->totals->run.build_id, profile_totals(new)->run.build_id);
	walk_here(b, &here);
	move_location(&m, &here);
	for (i = 0; i < b->history.nr; i++)
		move_location(&m, &b->history.places[i]);
	for (i = 0; i < sizeof(b->marks) / sizeof(*b->marks); i++)
		move_location(&m, &b->marks[i]);
	arc_dial_release(b);
	browser_take(b, new);
	threads_forget(b);
	/* A number may stand for another procedure, or have other calls. */
	browser_subject(b, (struct subject){ 0 }, 0);
	walk_to(b, &here);
	profile_close(m.from);
}

/* Opens the profile that is in the file now, at the present place. */
static int
reload(struct browser *b, struct error *err)
{
	struct profile *new = profile_open(profile_path(b->profile), err);

	if (!new)
		return -1;
	again_take(b, new);
	return 0;
}

/* ---- running ---- */

/* Is there another file now than the one with ST? */
static bool
is_new(const char *path, const struct stat *before)
{
	struct stat now;

	return !stat(path, &now) &&
	       (now.st_ino != before->st_ino || now.st_mtim.tv_sec != before->st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != before->st_mtim.tv_nsec);
}

static void
say_outcome(struct browser *b, uint64_t cpu_before, const char *kept)
{
	const struct model_run *run = &b->totals->run;
	const char *slash = strrchr(kept, '/');
	struct strbuf s = STRBUF_INIT;

	if (run->exit_signal)
		strbuf_fmt(&s, "killed by signal %d: ", run->exit_signal);
	else if (run->exit_status > 0)
		strbuf_fmt(&s, "exit status %d: ", run->exit_status);
	human_ns(&s, run->cpu_ns, draw_ascii());
	strbuf_str(&s, " cpu, before ");
	human_ns(&s, cpu_before, draw_ascii());
	browser_say(b, ROLE_MESSAGE, "run again: %s; the old profile is %s", s.buf,
		    slash ? slash + 1 : kept);
	strbuf_release(&s);
}

static void
run(struct browser *b, const struct tui_again *again)
{
	const char *path = profile_path(b->profile);
	uint64_t cpu_before = b->totals->run.cpu_ns;
	struct error err = ERROR_INIT;
	struct stat before;
	int status = 0;

	if (stat(path, &before)) {
		browser_say(b, ROLE_ERROR, "%s is not there any more", path);
		return;
	}
	if (term_run_there(again->arguments, again->directory, &status, &err) < 0)
		browser_say(b, ROLE_ERROR, "%s", err.text);
	else if (!is_new(path, &before))
		browser_say(b, ROLE_ERROR, "status %d, and no new profile: this is still the old "
			    "one", status);
	else if (reload(b, &err) < 0)
		browser_say(b, ROLE_ERROR, "%s; this is still the old one", err.text);
	else
		say_outcome(b, cpu_before, again->kept);
}

static unsigned
accepted(struct browser *b)
{
	struct error err = ERROR_INIT;
	struct tui_again again = { .arguments = NULL };

	browser_pop(b);
	if (b->again(b->profile, &again, &err) < 0)
		browser_say(b, ROLE_ERROR, "%s", err.text);
	else
		run(b, &again);
	tui_again_release(&again);
	draw_begin();
	return EFFECT_DONE | EFFECT_LAYOUT | EFFECT_REPAINT;
}

/* ---- asking ---- */

/* Tells where the command comes from. */
static void
add_origin(struct view *v, const struct tui_again *again)
{
	const struct model_run *run = &v->browser->totals->run;
	struct strbuf s = STRBUF_INIT;

	text_add(v, ROLE_TEXT, "profile", profile_path(v->browser->profile));
	human_when(&s, run->started_ns);
	if (s.len)
		strbuf_str(&s, " UTC");
	text_add(v, ROLE_TEXT, "recorded", s.len ? s.buf : "not told when");
	text_add(v, ROLE_TEXT, "on host", run->host && *run->host ? run->host : "not told");
	text_add(v, ROLE_TEXT, "directory", again->directory);
	text_add(v, ROLE_TEXT, "old profile", again->kept);
	if (again->foreign)
		text_add(v, ROLE_WARNING, "not from here", again->foreign);
	if (again->remark)
		text_add(v, ROLE_WARNING, "note", again->remark);
	if (v->browser->totals->nr_runs > 1) {
		strbuf_clear(&s);
		strbuf_fmt(&s, "This profile is the sum of %u runs; the new one is of the first "
			   "one alone.", v->browser->totals->nr_runs);
		text_add(v, ROLE_WARNING, "note", s.buf);
	}
	strbuf_release(&s);
}

/* Shows all of it, and tells its end: nothing can be pushed out of sight. */
static void
add_command(struct view *v, const struct tui_again *again)
{
	const char *command = v->browser->totals->run.command;
	struct strbuf s = STRBUF_INIT;
	size_t words = 0;

	while (again->arguments[again->first + words])
		words++;
	strbuf_fmt(&s, "The command, ");
	human_count(&s, words);
	strbuf_fmt(&s, " word%s, ", words == 1 ? "" : "s");
	human_count(&s, strlen(command));
	strbuf_str(&s, " bytes:");
	text_add(v, ROLE_TEXT, NULL, "");
	text_add(v, ROLE_STRONG, NULL, s.buf);
	text_add_whole(v, ROLE_TEXT, command);
	text_add(v, ROLE_DIM, NULL, "That is all of it.");
	strbuf_release(&s);
}

static void
build_question(struct view *v)
{
	struct browser *b = v->browser;
	struct strbuf s = STRBUF_INIT;
	struct tui_again again;

	if (b->again(b->profile, &again, NULL) < 0)
		return;
	strbuf_fmt(&s, "%s runs the command below again and looks at the new profile; %s leaves "
		   "it. %s and %s scroll.",
		   action_key(KEYMAP_QUESTION, again.foreign ? ACTION_YES : ACTION_OPEN),
		   action_key(KEYMAP_QUESTION, again.foreign ? ACTION_OPEN : ACTION_QUIT),
		   action_key(KEYMAP_QUESTION, ACTION_PAGE_DOWN),
		   action_key(KEYMAP_QUESTION, ACTION_PAGE_UP));
	text_add(v, ROLE_STRONG, NULL, s.buf);
	text_add(v, ROLE_TEXT, NULL, "");
	add_origin(v, &again);
	add_command(v, &again);
	strbuf_release(&s);
	tui_again_release(&again);
}

unsigned
again_ask(struct browser *b)
{
	struct error err = ERROR_INIT;
	struct tui_again again = { .arguments = NULL };
	struct view *question;

	if (!b->again) {
		browser_say(b, ROLE_MESSAGE, "nothing can be run from here");
		return EFFECT_DONE;
	}
	if (b->arc_dial.dial && dial_changed(b->arc_dial.dial)) {
		browser_say(b, ROLE_WARNING, "changed arcs would be lost: \":pin NAME\" saves "
			    "them, \":unpin\" releases them");
		return EFFECT_DONE;
	}
	/* Obstacles are better told now than after the answer. */
	if (b->again(b->profile, &again, &err) < 0) {
		browser_say(b, ROLE_ERROR, "%s", err.text);
		return EFFECT_DONE;
	}
	question = text_new(b, "run again?", 15, build_question);
	text_ask(question, !again.foreign, accepted);
	tui_again_release(&again);
	return browser_push(b, question);
}
