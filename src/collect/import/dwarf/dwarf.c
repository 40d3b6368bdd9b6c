#include "collect/import/dwarf/dwarf.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/dwarf/debug_file.h"
#include "collect/import/dwarf/dwarf_wire.h"
#include "collect/import/elf/places.h"
#include "collect/import/limited.h"

struct answer {
	struct dwarf_module *modules;
	size_t nr_modules;
	struct arena *arena;
	const char **texts;
	size_t nr_texts, texts_alloc;
	uint64_t **left;         /* of each module's extents, bytes that nothing was told of yet */
	bool done;
	struct error *err;
};

static const char *
text(const struct answer *a, uint32_t number)
{
	return number && number <= a->nr_texts ? a->texts[number - 1] : "";
}

static bool
take_text(struct answer *a, const char *data, size_t size)
{
	GROW(a->texts, a->nr_texts + 1, a->texts_alloc);
	a->texts[a->nr_texts++] = arena_strndup(a->arena, data, size);
	return true;
}

static bool
take_address(struct answer *a, const char *data, size_t size)
{
	struct wire_address w;
	struct wire_frame f;
	struct dwarf_address *address;
	struct dwarf_frame *frames;
	uint32_t i;

	if (size < sizeof(w))
		return false;
	memcpy(&w, data, sizeof(w));
	if (w.module >= a->nr_modules || w.address >= a->modules[w.module].nr_addresses ||
	    w.nr_frames > WIRE_MAX_FRAMES || size != sizeof(w) + w.nr_frames * sizeof(f))
		return false;
	address = &a->modules[w.module].addresses[w.address];
	frames = arena_alloc(a->arena, w.nr_frames * sizeof(*frames));
	for (i = 0; i < w.nr_frames; i++) {
		memcpy(&f, data + sizeof(w) + i * sizeof(f), sizeof(f));
		frames[i] = (struct dwarf_frame){
			.name = text(a, f.name), .linkage_name = text(a, f.linkage_name),
			.declared_file = text(a, f.declared_file),
			.declared_line = f.declared_line, .declared_column = f.declared_column,
			.file = text(a, f.file), .line = f.line, .column = f.column,
		};
	}
	address->frames = frames;
	address->nr_frames = w.nr_frames;
	return true;
}

/* Whatever else a file says, its code is no longer than its symbols are. */
static bool
take_code(struct answer *a, const char *data, size_t size)
{
	struct dwarf_module *m;
	struct wire_code w;
	uint64_t *left;

	if (size != sizeof(w))
		return false;
	memcpy(&w, data, sizeof(w));
	if (w.module >= a->nr_modules || w.extent >= a->modules[w.module].nr_extents)
		return false;
	m = &a->modules[w.module];
	left = &a->left[w.module][w.extent];
	w.bytes = w.bytes < *left ? w.bytes : *left;
	*left -= w.bytes;
	GROW(m->code, m->nr_code + 1, m->code_alloc);
	m->code[m->nr_code++] = (struct dwarf_code){
		w.extent, w.line, text(a, w.file), w.bytes,
	};
	return true;
}

static bool
take_problem(struct answer *a, const char *data, size_t size)
{
	error_set(a->err, "%.*s", size < 500 ? (int)size : 500, data);
	return true;
}

/* It goes before what was told of other modules. */
static bool
take_unread(struct answer *a, const char *data, size_t size)
{
	*a->err = (struct error)ERROR_INIT;
	error_set(a->err, "%.*s", size < 900 ? (int)size : 900, data);
	a->err->unread = true;
	return true;
}

static bool
take_done(struct answer *a, const char *data, size_t size)
{
	(void)data;
	a->done = true;
	return !size;
}

static bool (*const take[])(struct answer *, const char *, size_t) = {
	[WIRE_TEXT] = take_text, [WIRE_ADDRESS] = take_address, [WIRE_CODE] = take_code,
	[WIRE_PROBLEM] = take_problem, [WIRE_UNREAD] = take_unread, [WIRE_DONE] = take_done,
};

static bool
take_message(void *answer, uint32_t kind, const char *data, size_t size)
{
	return kind < sizeof(take) / sizeof(*take) && take[kind] && take[kind](answer, data, size);
}

struct question { const struct dwarf_module *modules; size_t nr; };

static void
run_child(const void *question, int fd)
{
	const struct question *q = question;

	dwarf_child_run(q->modules, q->nr, fd);
}

static uint64_t **
left_of(const struct dwarf_module *modules, size_t nr)
{
	uint64_t **left = xcalloc(nr, sizeof(*left));

	for (size_t i = 0; i < nr; i++) {
		left[i] = xcalloc(modules[i].nr_extents, sizeof(**left));
		for (size_t k = 0; k < modules[i].nr_extents; k++)
			left[i][k] = modules[i].extents[k].size;
	}
	return left;
}

/* Fills MODULES with what the child says of them; -1 and ERR. */
static int
ask_child(struct dwarf_module *modules, size_t nr, struct arena *arena, struct error *err)
{
	struct answer a = { .modules = modules, .nr_modules = nr, .arena = arena, .err = err };
	struct question q = { modules, nr };
	struct limited child = { .what = "the debug information", .run = run_child, .context = &q };
	struct strbuf bytes = STRBUF_INIT;
	struct error limits = ERROR_INIT;
	int *keep = xcalloc(2 * nr, sizeof(*keep)), status;

	for (size_t i = 0; i < nr; i++)
		if (modules[i].debug)
			keep[child.nr_keep++] = modules[i].debug->fd;
	for (size_t i = 0; i < nr; i++)
		if (modules[i].common)
			keep[child.nr_keep++] = modules[i].common->fd;
	child.keep = keep;
	status = limited_ask(&child, &bytes, &limits, err);
	free(keep);
	if (err->set)
		return -1;
	a.left = left_of(modules, nr);
	limited_messages(&bytes, &a, take_message);
	for (size_t i = 0; i < nr; i++)
		free(a.left[i]);
	free(a.left);
	if (limits.unread)
		*err = (struct error)ERROR_INIT; /* what was told comes from a part of it */
	if (limits.set)
		error_copy(err, &limits);
	if (!a.done)
		limited_tell_end(&child, status, err);
	strbuf_release(&bytes);
	free(a.texts);
	return err->set ? -1 : 0;
}

/* The files of one module, which stay open as long as the child reads. */
struct files { struct elf own, debug, common; };

/* Returns the one that is read; NULL: none, for a reason in ERR or where the module was read. */
static const struct elf *
open_files(const struct dwarf_module *m, struct files *f, struct error *err)
{
	const struct elf *elf = m->elf;
	int found;

	if (!elf) {
		elf = &f->own;
		if (places_open(&f->own, m->path, NULL, err))
			return NULL;
	}
	if (elf->fd < 0)
		return NULL;
	found = debug_file_open(&f->debug, elf, err);
	return found > 0 ? &f->debug : found ? NULL : elf;
}

int
dwarf_resolve(struct dwarf_module *modules, size_t nr, struct arena *arena, struct error *err)
{
	struct files *files = xcalloc(nr, sizeof(*files));
	struct error problem = ERROR_INIT;
	size_t i;

	for (i = 0; i < nr; i++) {
		files[i].own.fd = files[i].debug.fd = files[i].common.fd = -1;
		if (!problem.unread)
			modules[i].debug = open_files(&modules[i], &files[i], &problem);
		if (modules[i].debug && debug_file_open_common(&files[i].common, modules[i].debug,
							       &problem) > 0)
			modules[i].common = &files[i].common;
	}
	if (!problem.unread)
		ask_child(modules, nr, arena, err);
	if (problem.set)
		error_copy(err, &problem);
	for (i = 0; i < nr; i++) {
		modules[i].debug = modules[i].common = NULL;
		elf_close(&files[i].own);
		elf_close(&files[i].debug);
		elf_close(&files[i].common);
	}
	free(files);
	return err->set ? -1 : 0;
}
