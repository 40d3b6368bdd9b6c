#include "collect/import/perf/perf_unwind.h"

#include <stdlib.h>
#include <string.h>

struct perf_module {
	const char *path;
	struct object_id id;
	bool tried;
	struct elf elf;
	struct cfi *cfi;           /* NULL: nothing is known of its frames */
};

void
perf_modules_release(struct perf_modules *m)
{
	for (size_t i = 0; i < m->nr; i++) {
		cfi_free(m->items[i].cfi);
		if (m->items[i].cfi)
			elf_close(&m->items[i].elf);
	}
	free(m->items);
	index_release(&m->index);
	arena_release(&m->arena);
}

struct text { const char *at; size_t length; };

static bool
path_equal(const void *context, uint32_t item, const void *key)
{
	const char *path = ((const struct perf_modules *)context)->items[item].path;
	const struct text *k = key;

	return strlen(path) == k->length && !memcmp(path, k->at, k->length);
}

uint32_t
perf_module_of(struct perf_modules *m, const char *path, size_t length)
{
	enum { MOST_PATH = 4096 };
	struct text key = { path, length < MOST_PATH ? length : MOST_PATH };
	uint64_t hash = hash_bytes(HASH_START, key.at, key.length);
	uint32_t i = index_find(&m->index, hash, path_equal, m, &key);

	if (i != INDEX_NONE)
		return i;
	GROW(m->items, m->nr + 1, m->alloc);
	m->items[m->nr] = (struct perf_module){
		.path = arena_strndup(&m->arena, key.at, key.length),
	};
	index_add(&m->index, hash, (uint32_t)m->nr);
	return (uint32_t)m->nr++;
}

const char *
perf_module_path(const struct perf_modules *m, uint32_t module)
{
	return m->items[module].path;
}

void
perf_module_set_build(struct perf_modules *m, uint32_t module, const uint8_t *id, size_t length)
{
	struct object_id *of = &m->items[module].id;

	if (of->length || length > sizeof(of->bytes))
		return;
	memcpy(of->bytes, id, length);
	of->length = length;
}

const struct object_id *
perf_module_build(const struct perf_modules *m, uint32_t module)
{
	return &m->items[module].id;
}

/* Only what has frames to tell of stays open. */
static const struct cfi *
cfi_of(struct perf_modules *m, uint32_t number)
{
	struct perf_module *mod = &m->items[number];

	if (mod->tried)
		return mod->cfi;
	mod->tried = true;
	if (object_open(&mod->elf, mod->path, &mod->id, m->owners) == OBJECT_FOUND) {
		mod->cfi = cfi_read(&mod->elf);
		if (!mod->cfi)
			elf_close(&mod->elf);
	}
	return mod->cfi;
}

/* Where nothing is told of frames, most programs keep a frame pointer: it leads to the caller's,
 * with the return address behind it. */
static bool
step_by_pointer(const struct perf_processes *p, uint32_t pid, struct cfi_frame *f,
		const struct cfi_stack *stack)
{
	uint64_t fp = f->regs[CFI_FP], up, pc;

	if (!(f->known >> CFI_FP & 1) || fp < f->regs[CFI_SP] || !cfi_load(stack, fp, &up) ||
	    !cfi_load(stack, fp + 8, &pc) || (up && up <= fp) || !perf_map_at(p, pid, pc - 1))
		return false;
	*f = (struct cfi_frame){ .known = 1u << CFI_FP | 1u << CFI_SP | 1u << CFI_RA,
				 .is_return = true };
	f->regs[CFI_FP] = up;
	f->regs[CFI_SP] = fp + 16;
	f->regs[CFI_RA] = pc;
	return true;
}

/* The code with which a process begins has no caller. The dynamic linker's does not say so. */
static bool
is_begin(const struct elf *e, uint64_t address)
{
	enum { CODE = 32 };

	return e->entry && address - e->entry < CODE;
}

static enum cfi_result
step(struct perf_modules *m, const struct perf_processes *p, uint32_t pid, struct cfi_frame *f,
     const struct cfi_stack *stack)
{
	uint64_t pc = f->regs[CFI_RA] - f->is_return, link = 0;
	const struct perf_map *map = perf_map_at(p, pid, pc);
	const struct cfi *c = map ? cfi_of(m, map->module) : NULL;
	enum cfi_result result = CFI_UNKNOWN;

	if (c && elf_address_of(&m->items[map->module].elf, pc - map->begin + map->offset, &link))
		result = cfi_step(c, pc - link, f, stack);
	if (result == CFI_UNKNOWN && c && is_begin(&m->items[map->module].elf, link))
		result = CFI_END;
	if (result == CFI_UNKNOWN && map && step_by_pointer(p, pid, f, stack))
		result = CFI_OK;
	return result;
}

size_t
perf_unwind(struct perf_modules *m, const struct perf_processes *p, uint32_t pid,
	    struct cfi_frame *f, const struct cfi_stack *stack, struct perf_caller *places,
	    size_t most, bool *cut)
{
	enum cfi_result result = CFI_OK;
	size_t n = 0;

	while (result == CFI_OK && n < most) {
		places[n++] = (struct perf_caller){ f->regs[CFI_RA], f->is_return };
		result = step(m, p, pid, f, stack);
	}
	*cut = result != CFI_END;
	return n;
}
