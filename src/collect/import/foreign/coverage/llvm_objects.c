#include "collect/import/foreign/coverage/llvm_objects.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/elf/elf.h"

/* Files that are looked at. */
enum { MOST = 1000 };

/* Programs and libraries that were found so far. */
struct search { char *found[MOST]; size_t nr; };

/* Takes PATH, if it is there. */
static bool
take(struct search *s, const char *path)
{
	char *whole = access(path, R_OK) ? NULL : realpath(path, NULL);
	size_t i = 0;

	if (!whole)
		return false;
	while (i < s->nr && strcmp(s->found[i], whole) != 0)
		i++;
	if (i == s->nr && i < MOST)
		s->found[s->nr++] = whole;
	else
		free(whole);
	return true;
}

/* Looks for NAME in the directories of LIST, which ':' separates. $ORIGIN: where WHO is. */
static bool
look_in(struct search *s, const char *list, const char *name, const char *who)
{
	const size_t directory = (size_t)(strrchr(who, '/') - who);
	bool there = false;

	while (list && *list && !there) {
		size_t n = strcspn(list, ":"), origin = 0;
		struct strbuf path = STRBUF_INIT;

		if (!strncmp(list, "$ORIGIN", strlen("$ORIGIN")))
			origin = strlen("$ORIGIN");
		else if (!strncmp(list, "${ORIGIN}", strlen("${ORIGIN}")))
			origin = strlen("${ORIGIN}");
		if (origin)
			strbuf_add(&path, who, directory);
		strbuf_add(&path, list + origin, n - origin);
		strbuf_fmt(&path, "/%s", name);
		there = n && take(s, path.buf);
		strbuf_release(&path);
		list += n + (list[n] == ':');
	}
	return there;
}

/* Takes what E, at WHO, needs. */
static void
take_needed(struct search *s, struct elf *e, const char *who)
{
	static const char usual[] =
		"/usr/local/lib:/lib/x86_64-linux-gnu:/usr/lib/x86_64-linux-gnu:"
		"/lib64:/usr/lib64:/lib:/usr/lib";
	const struct elf_section *dynamic = elf_section(e, ".dynamic");
	const struct elf_section *names = elf_section(e, ".dynstr");
	struct error ignored = ERROR_INIT;
	uint8_t *entries = dynamic ? elf_read(e, dynamic, &ignored) : NULL;
	char *texts = names && names->size ? (char *)elf_read(e, names, &ignored) : NULL;
	size_t nr = entries ? dynamic->size / sizeof(Elf64_Dyn) : 0;
	const char *own = NULL;
	Elf64_Dyn d;

	for (int pass = 0; pass < 2 && texts; pass++)
		for (size_t i = 0; i < nr; i++) {
			const char *text;

			memcpy(&d, entries + i * sizeof(d), sizeof(d));
			if (d.d_un.d_val >= names->size || texts[names->size - 1])
				continue;
			text = texts + d.d_un.d_val;
			if (!pass && (d.d_tag == DT_RPATH || d.d_tag == DT_RUNPATH))
				own = text;
			if (!pass || d.d_tag != DT_NEEDED)
				continue;
			if (strchr(text, '/'))
				take(s, text);
			else if (!look_in(s, getenv("LD_LIBRARY_PATH"), text, who) &&
				 !look_in(s, own, text, who))
				look_in(s, usual, text, who);
		}
	free(entries);
	free(texts);
}

void
llvm_objects_find(struct llvm_objects *o, const char *program)
{
	struct search s = { .nr = 0 };

	*o = (struct llvm_objects){ .arena = ARENA_INIT };
	take(&s, program);
	for (size_t i = 0; i < s.nr; i++) {
		struct error ignored = ERROR_INIT;
		struct elf e;

		if (elf_open(&e, s.found[i], &ignored))
			continue;
		if (elf_section(&e, "__llvm_covmap")) {
			GROW(o->paths, o->nr + 1, o->alloc);
			o->paths[o->nr++] = arena_strdup(&o->arena, s.found[i]);
		}
		take_needed(&s, &e, s.found[i]);
		elf_close(&e);
	}
	for (size_t i = 0; i < s.nr; i++)
		free(s.found[i]);
}

void
llvm_objects_release(struct llvm_objects *o)
{
	free(o->paths);
	arena_release(&o->arena);
}
