#include "collect/import/counts/left_out.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/path.h"

enum { MOST_NAMES = 12 }; /* in one note */

/* A note in the making: "N procedures are not counted: WHAT: a, b and N more". */
struct list {
	struct strbuf names;
	uint64_t nr;
	struct index seen;         /* in TEXTS: a header is in many units */
	const char **texts;
	size_t texts_alloc;
};

static bool
seen_equal(const void *ctx, uint32_t item, const void *key)
{
	return !strcmp(((const struct list *)ctx)->texts[item], key);
}

static void
list_add(struct list *l, const char *linkage_name, const char *name, const char *file,
	 uint32_t line)
{
	uint64_t h = hash_text(HASH_START, linkage_name);

	if (index_find(&l->seen, h, seen_equal, l, linkage_name) != INDEX_NONE)
		return;
	GROW(l->texts, l->nr + 1, l->texts_alloc);
	l->texts[l->nr] = linkage_name;
	index_add(&l->seen, h, (uint32_t)l->nr++);
	if (l->nr > MOST_NAMES)
		return;
	strbuf_fmt(&l->names, "%s%s", l->nr > 1 ? ", " : "", name);
	if (line)
		strbuf_fmt(&l->names, " (%s:%" PRIu32 ")", file, line);
}

static void
list_tell(struct list *l, struct model *m, const char *kind, const char *what,
	  const char *where)
{
	if (l->nr > MOST_NAMES)
		strbuf_fmt(&l->names, " and %" PRIu64 " more", l->nr - MOST_NAMES);
	if (l->nr)
		model_note(m, kind, "%" PRIu64 " procedure%s not counted: %s%s: %s", l->nr,
			   l->nr == 1 ? " is" : "s are", what, where, l->names.buf);
	strbuf_release(&l->names);
	index_release(&l->seen);
	free(l->texts);
}

/* ---- by the plugin ---- */

static void
tell_reason(struct model *m, const struct module *modules, size_t nr, uint32_t reason)
{
	static const char *const what[] = {
		[LEFT_OUT_OPTION] = "left out by --cgview-flags=exclude",
		[LEFT_OUT_NAKED] = "attribute naked",
		[LEFT_OUT_ATTRIBUTE] = "attribute no_instrument_function or "
				       "no_profile_instrument_function",
		[LEFT_OUT_LIBRARY] = "a library's body runs, where it is not inlined",
	};
	struct list l = { .names = STRBUF_INIT };
	const struct unit *u;
	size_t i, j, k;

	for (i = 0; i < nr; i++)
		for (j = 0; modules[i].usable && j < modules[i].tables.nr; j++) {
			u = &modules[i].tables.units[j];
			for (k = 0; k < u->nr_left_out; k++)
				if (u->left_out[k].reason == reason)
					list_add(&l, u->left_out[k].linkage_name,
						 u->left_out[k].name,
						 path_base(u->files[u->left_out[k].file]),
						 u->left_out[k].line);
		}
	list_tell(&l, m, reason == LEFT_OUT_LIBRARY ? "library" : "uncounted", what[reason], "");
}

/* ---- compiled without cgcc ---- */

/* Is it one of those that the compiler and the C library put into every program? */
static bool
belongs_to_all(const char *name)
{
	static const char *const names[] = {
		"_start", "_init", "_fini", "_dl_relocate_static_pie", "deregister_tm_clones",
		"register_tm_clones", "__do_global_dtors_aux", "frame_dummy", "atexit",
		"at_quick_exit", "__pthread_atfork", "pthread_atfork", "__libc_csu_init",
		"__libc_csu_fini",
	};
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* Is it one that the compiler adds to a unit of C++, between the procedures of the source? */
static bool
made_by_compiler(const char *name)
{
	static const char *const prefixes[] = {
		"_GLOBAL__", "_ZTh", "_ZTv", "_ZTc", "_ZTW", "_ZTH",
	};
	size_t i;

	for (i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

static bool
left_out(const struct module *mod, const char *name)
{
	const struct unit *u;
	size_t i, j;

	for (i = 0; i < mod->tables.nr; i++) {
		u = &mod->tables.units[i];
		for (j = 0; j < u->nr_left_out; j++)
			if (!strcmp(u->left_out[j].linkage_name, name))
				return true;
	}
	return false;
}

static char *
source_name(struct model *m, const struct elf_symbol *s)
{
	return arena_strndup(&m->arena, s->name, strcspn(s->name + (*s->name == '.'), ".@"));
}

/* An address may have several names: aliases, and versions of a symbol that are other procedures in
 * the source. One that is known is enough. */
static bool
known(struct model *m, const struct names *names, const struct module *mod, size_t first,
      size_t end)
{
	for (size_t i = first; i < end; i++) {
		char *name = arena_strndup(&m->arena, mod->symbols[i].name,
					   strcspn(mod->symbols[i].name, "@"));

		do {
			if (names_find(names, name) || belongs_to_all(name) ||
			    made_by_compiler(name) || left_out(mod, name))
				return true;
		} while (names_shorten(name));
	}
	return false;
}

static void
tell_module(struct model *m, const struct names *names, struct module *mod)
{
	struct list l = { .names = STRBUF_INIT };

	for (size_t i = 0, end; i < mod->nr_symbols; i = end) {
		const struct elf_symbol *s = NULL;
		const char *name;

		for (end = i; end < mod->nr_symbols &&
		     mod->symbols[end].address == mod->symbols[i].address; end++)
			if (!s && mod->symbols[end].size && *mod->symbols[end].name)
				s = &mod->symbols[end];
		if (!s || elf_is_ours(&mod->elf, s) || known(m, names, mod, i, end))
			continue;
		name = source_name(m, s);
		list_add(&l, name, name, "", 0);
	}
	mod->has_foreign = l.nr || !elf_section(&mod->elf, ".symtab");
	list_tell(&l, m, "uncounted", "compiled without cgcc in ", path_base(mod->path));
}

void
left_out_tell(struct model *m, const struct names *names, struct module *modules, size_t nr)
{
	uint32_t reason;
	size_t i;

	for (reason = 1; reason <= LEFT_OUT_LAST; reason++)
		tell_reason(m, modules, nr, reason);
	for (i = 0; i < nr; i++)
		if (modules[i].usable)
			tell_module(m, names, &modules[i]);
}
