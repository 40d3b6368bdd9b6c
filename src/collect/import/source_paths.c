#include "collect/import/source_paths.h"

#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/text/path.h"

struct source_path {
	char *old;                 /* NULL: sources are looked for in NEW */
	char *new;
};

struct search {
	const struct source_paths *paths;
	bool (*try)(void *ctx, const char *place, bool guessed);
	void *ctx;
};

static void
cut_slashes(char *path)
{
	size_t n = strlen(path);

	while (n > 1 && path[n - 1] == '/')
		path[--n] = '\0';
}

int
source_paths_add(struct source_paths *p, const char *text)
{
	const char *equals = strchr(text, '=');
	struct source_path *item;

	if (!*text || equals == text || (equals && !equals[1]))
		return -1;
	GROW(p->items, p->nr + 1, p->alloc);
	item = &p->items[p->nr++];
	item->old = equals ? xstrndup(text, (size_t)(equals - text)) : NULL;
	item->new = xstrdup(equals ? equals + 1 : text);
	if (item->old)
		cut_slashes(item->old);
	cut_slashes(item->new);
	return 0;
}

void
source_paths_release(struct source_paths *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		free(p->items[i].old);
		free(p->items[i].new);
	}
	free(p->items);
	*p = (struct source_paths){ .nr = 0 };
}

/* Tries PLACE, first as each OLD=NEW that fits changes it. */
static bool
try_moved(const struct search *s, const char *place, bool guessed)
{
	const struct source_path *item;
	const char *rest;
	bool found;
	char *moved;

	for (size_t i = 0; s->paths && i < s->paths->nr; i++) {
		item = &s->paths->items[i];
		if (!item->old || strncmp(place, item->old, strlen(item->old)))
			continue;
		rest = place + strlen(item->old);
		if (*rest && *rest != '/' && rest[-1] != '/')
			continue;
		moved = xasprintf("%s%s%s", item->new, *rest && *rest != '/' ? "/" : "", rest);
		found = s->try(s->ctx, moved, guessed);
		free(moved);
		if (found)
			return true;
	}
	return s->try(s->ctx, place, guessed);
}

/* Tries NAME in the directory of the first N bytes of BASE. */
static bool
try_in(const struct search *s, const char *base, size_t n, const char *name)
{
	char *place = xasprintf("%.*s%s%s", (int)n, base, n && base[n - 1] == '/' ? "" : "/", name);
	bool found = try_moved(s, place, true);

	free(place);
	return found;
}

/* The end of NAME that leads nowhere up: behind the last "..". */
static const char *
inner(const char *name)
{
	const char *part = name, *end;

	for (; *part; part = end + strspn(end, "/")) {
		end = part + strcspn(part, "/");
		if (end - part == 2 && part[0] == '.' && part[1] == '.')
			name = end + strspn(end, "/");
	}
	while (name[0] == '.' && name[1] == '/')
		name += 1 + strspn(name + 1, "/");
	return name + strspn(name, "/");
}

/* Whoever wrote a name with directories in it may have worked as many directories further up, but
 * hardly more. */
static size_t
count_parents(const char *name)
{
	size_t nr = 0;

	while ((name = strchr(name, '/'))) {
		name += strspn(name, "/");
		nr++;
	}
	return nr ? nr : 1;
}

/* Tries NAME from the directory of the first N bytes of BASE, an absolute path, and its parents. */
static bool
try_from(const struct search *s, const char *base, size_t n, const char *name)
{
	const char *tail = inner(name);
	size_t parents = count_parents(name);

	if (*base != '/' || !*tail)
		return false;
	if (tail != name && try_in(s, base, n, name))
		return true;
	for (; n > 1; parents--) {
		if (try_in(s, base, n, tail))
			return true;
		if (!parents)
			return false;
		while (n && base[n - 1] == '/')
			n--;
		while (n && base[n - 1] != '/')
			n--;
	}
	return false;
}

static bool
try_beside(const struct search *s, const struct source_wanted *w)
{
	enum { MOST = 100 }; /* headers of the system can be very many */
	const char *last = w->directory, *path;
	size_t n_last = strlen(last), n;

	for (size_t i = 0; i < w->nr_beside && i < MOST; i++) {
		path = w->beside[i];
		n = path_directory(path);
		if (!strcmp(path, w->path) || (n == n_last && !strncmp(path, last, n)))
			continue;
		if (try_from(s, path, n, w->name))
			return true;
		last = path;
		n_last = n;
	}
	return false;
}

static bool
try_ends(const struct search *s, const char *path)
{
	const char *tail;

	for (size_t i = 0; s->paths && i < s->paths->nr; i++) {
		const struct source_path *item = &s->paths->items[i];

		for (tail = inner(path); !item->old && *tail;) {
			if (try_in(s, item->new, strlen(item->new), tail))
				return true;
			tail += strcspn(tail, "/");
			tail += strspn(tail, "/");
		}
	}
	return false;
}

bool
source_paths_try(const struct source_paths *p, const struct source_wanted *w,
		 bool (*try)(void *ctx, const char *place, bool guessed), void *ctx)
{
	const struct search s = { p, try, ctx };

	if (w->path[0] == '<') /* <built-in>, <stdin> */
		return try(ctx, w->path, false);
	if (try_moved(&s, w->path, false))
		return true;
	if (w->directory && w->name[0] != '/' &&
	    (try_from(&s, w->directory, strlen(w->directory), w->name) || try_beside(&s, w)))
		return true;
	return try_ends(&s, w->path);
}
