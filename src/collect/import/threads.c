#include "collect/import/threads.h"

#include <inttypes.h>
#include <string.h>

void
threads_begin(struct threads *t, const struct rawfile *r, const struct names *n,
	      const struct module *modules, const int *module_of)
{
	const char *slash = strrchr(r->program, '/');
	struct raw_thread record;
	size_t i;
	uint64_t k;

	*t = (struct threads){ .raw = r, .names = n, .modules = modules, .module_of = module_of,
			       .program = slash ? slash + 1 : r->program,
			       .unseen = STRBUF_INIT };
	for (i = 0; i < r->nr_parts; i++)
		for (k = 0; rawfile_thread(r, &r->parts[i], k, &record); k++)
			if (record.pid == r->head.pid && record.tid == record.pid)
				memcpy(t->first, record.name, sizeof(t->first) - 1);
}

/* ---- names ---- */

static bool
is_named(const struct threads *t, const char *name)
{
	return *name && strcmp(name, t->first) && strncmp(name, t->program, sizeof(t->first) - 1);
}

/* The module that ADDRESS is in, and *BIAS; NULL: none that can be used. */
static const struct module *
module_at(const struct threads *t, uint64_t address, uint64_t *bias)
{
	size_t i;

	for (i = 0; i < t->raw->nr_modules; i++) {
		const struct raw_module *m = &t->raw->modules[i];

		if (address < m->text_start || address >= m->text_end || t->module_of[i] < 0)
			continue;
		*bias = m->load_bias;
		return &t->modules[t->module_of[i]];
	}
	return NULL;
}

const char *
threads_name(const struct threads *t, const struct raw_thread *record, struct arena *a)
{
	const char *own = arena_strndup(a, record->name, strnlen(record->name,
								 sizeof(record->name)));
	const struct elf_symbol *symbol;
	const struct module *mod;
	uint64_t bias;
	struct strbuf text = STRBUF_INIT;
	model_id p;

	mod = record->start && !is_named(t, own) ? module_at(t, record->start, &bias) : NULL;
	symbol = mod ? elf_symbol_at(mod->symbols, mod->nr_symbols, record->start - bias) : NULL;
	if (!symbol)
		return own;
	p = names_symbol(t->names, mod, symbol);
	strbuf_fmt(&text, "%s()", p ? t->names->m->procedures[p - 1].name : symbol->name);
	own = arena_strdup(a, text.buf);
	strbuf_release(&text);
	return own;
}

/* ---- processes that nobody saw come ---- */

void
threads_note(struct threads *t, const struct raw_thread *record)
{
	enum { MOST_TOLD = 3 };

	if (!record->pid || !(record->flags & RAW_THREAD_UNSEEN))
		return;
	if (t->nr_unseen++ < MOST_TOLD)
		strbuf_fmt(&t->unseen, "%s%" PRIu32, t->nr_unseen > 1 ? ", " : "", record->pid);
}

void
threads_end(struct threads *t, struct model *m)
{
	if (t->raw->head.flags & RAW_UNSEEN_PROCESS)
		model_note(m, "counts", "processes were made by system calls in assembly, past "
			   "libc (%zu%s%s): their time was not sampled, and they counted together "
			   "with their creators: counts may be too low", t->nr_unseen,
			   t->nr_unseen ? ": " : "", t->unseen.buf);
	strbuf_release(&t->unseen);
}
