#include "cmd/run/run_again.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collect/events.h"
#include "collect/import/elf/elf.h"
#include "collect/import/space/space.h"

enum { COMMAND_MAX = 4000 }; /* longer ones are not read to their end */

/* ---- the command ---- */

struct words {
	char **words;
	size_t nr, alloc;
};

static void
add_word(struct words *w, char *word)
{
	GROW(w->words, w->nr + 1, w->alloc);
	w->words[w->nr++] = word;
}

/* One word as import_quote() writes it: '...' and \' and plain characters. NULL: it is none. */
static char *
unquote(const char **at)
{
	struct strbuf s = STRBUF_INIT;
	const char *p = *at;
	bool quoted = false;

	for (; *p && (quoted || *p != ' '); p++) {
		if (*p == '\'')
			quoted = !quoted;
		else if (!quoted && *p == '\\' && p[1])
			strbuf_char(&s, *++p);
		else
			strbuf_char(&s, *p);
	}
	*at = p;
	if (!quoted)
		return strbuf_take(&s);
	strbuf_release(&s);
	return NULL;
}

static int
split_command(const char *command, struct words *w, struct error *err)
{
	const char *p = command;
	char *word;

	if (!*command)
		return error_set(err, "the profile does not tell which command was run");
	if (strlen(command) > COMMAND_MAX)
		return error_set(err, "the command is longer than %d bytes: run it yourself with "
				      "cgview record", COMMAND_MAX);
	while (*p) {
		word = unquote(&p);
		if (!word)
			return error_set(err, "the profile's command is damaged: run it yourself "
					      "with cgview record");
		add_word(w, word);
		p += *p == ' ';
	}
	return 0;
}

/* ---- what must be there ---- */

static char *
name_in(const char *directory, const char *name)
{
	return *name == '/' ? xstrdup(name) : xasprintf("%s/%s", directory, name);
}

static int
check_program(const char *directory, const char *name, struct error *err)
{
	char *path;
	int result;

	/* Names without a slash are looked for as a shell does, when they are run. */
	if (!strchr(name, '/'))
		return 0;
	path = name_in(directory, name);
	result = access(path, X_OK) ? error_set_errno(err, errno, "%s cannot be run again", path)
				    : 0;
	free(path);
	return result;
}

static void
build_id_of(const char *path, char text[2 * BUILD_ID_MAX + 1])
{
	struct elf e;
	size_t i;

	*text = '\0';
	if (elf_open(&e, path, NULL))
		return;
	for (i = 0; i < e.build_id_length; i++)
		sprintf(text + 2 * i, "%02x", e.build_id[i]);
	elf_close(&e);
}

static char *
remark_on(const struct model_run *run)
{
	char now[2 * BUILD_ID_MAX + 1];

	if (!*run->program || !*run->build_id)
		return NULL;
	build_id_of(run->program, now);
	if (!*now || !strcmp(now, run->build_id))
		return NULL;
	return xasprintf("%s was rebuilt since: the new profile will be of that build.",
			 run->program);
}

/* ---- is it from here? ---- */

/* A profile can say what it wants about that: it is not what keeps us from running it unread. */
static char *
foreign(const struct profile *p, const struct model_run *run)
{
	struct utsname here;
	struct stat st;

	if (!run->host || !*run->host)
		return xstrdup("the profile does not tell where it was recorded");
	if (!uname(&here) && strcmp(run->host, here.nodename))
		return xasprintf("it was recorded on %s; this is %s", run->host, here.nodename);
	if (!stat(profile_path(p), &st) && st.st_uid != geteuid())
		return xasprintf("the profile is a file of another user (%u)",
				 (unsigned)st.st_uid);
	if (run->program && *run->program == '/' && access(run->program, F_OK))
		return xasprintf("%s, which was profiled, is not here", run->program);
	return NULL;
}

/* ---- all of it ---- */

static bool
has_measure(struct measures have, const char *name)
{
	for (size_t i = NR_BUILTIN_MEASURES; i < have.nr; i++)
		if (!strcmp(have.items[i].name, name))
			return true;
	return false;
}

/* The events that the profile has figures of. */
static void
add_events(struct words *w, struct measures have)
{
	for (size_t i = 0; i < NR_EVENTS; i++)
		if (has_measure(have, events[i].measure)) {
			add_word(w, xstrdup("-e"));
			add_word(w, xstrndup(events[i].names, strcspn(events[i].names, " ")));
		}
}

/* Call paths of as many bytes, or of none. */
static void
add_space(struct words *w, struct measures measures)
{
	if (!has_measure(measures, SPACE_MEASURE))
		return;
	add_word(w, xstrdup("--space"));
	for (size_t i = 0; i < measures.nr; i++)
		if (!strcmp(measures.items[i].name, "bytes"))
			add_word(w, xasprintf("--space-every=%" PRIu64, measures.items[i].period));
}

static void
add_record(struct words *w, const char *output, struct profile *p)
{
	const struct profile_totals *t = profile_totals(p);
	uint64_t asked = t->run.asked_interval_ns;

	add_word(w, xstrdup("/proc/self/exe"));
	add_word(w, xstrdup("record"));
	add_word(w, xstrdup("-o"));
	add_word(w, xstrdup(output));
	add_word(w, xstrdup("-F"));
	add_word(w, xasprintf("%" PRIu64, asked ? (1000000000 + asked / 2) / asked : 0));
	if (t->run.wall_interval_ns)
		add_word(w, xstrdup("--wall"));
	add_space(w, profile_measures(p));
	add_events(w, profile_measures(p));
	if (t->run.label) {
		add_word(w, xstrdup("--label"));
		add_word(w, xstrdup(t->run.label));
	}
	add_word(w, xstrdup("--"));
}

static int
fill(struct profile *p, struct words *w, struct tui_again *again, struct error *err)
{
	const struct profile_totals *t = profile_totals(p);
	char path[PATH_MAX];
	size_t first;

	if (!realpath(profile_path(p), path))
		return error_set_errno(err, errno, "%s", profile_path(p));
	if (access(path, W_OK))
		return error_set_errno(err, errno, "%s cannot be written", path);
	again->directory = xstrdup(*t->run.directory ? t->run.directory : ".");
	again->kept = xasprintf("%s.old", path);
	if (access(again->directory, X_OK))
		return error_set_errno(err, errno, "%s, where it was run", again->directory);
	add_record(w, path, p);
	first = again->first = w->nr;
	if (split_command(t->run.command, w, err) ||
	    check_program(again->directory, w->words[first], err))
		return -1;
	again->remark = remark_on(&t->run);
	again->foreign = foreign(p, &t->run);
	return 0;
}

int
run_again(struct profile *p, struct tui_again *again, struct error *err)
{
	struct words w = { NULL, 0, 0 };
	int result;

	memset(again, 0, sizeof(*again));
	result = fill(p, &w, again, err);
	add_word(&w, NULL);
	again->arguments = w.words;
	if (result < 0)
		tui_again_release(again);
	return result;
}
