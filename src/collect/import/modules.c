#include "collect/import/modules.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/counts/joint.h"
#include "collect/import/counts/measured.h"
#include "collect/import/elf/places.h"

int
module_find(const struct module *modules, size_t nr, const struct raw_module *raw)
{
	for (size_t i = 0; i < nr; i++) {
		const struct module *mod = &modules[i];

		if (!strcmp(mod->path, raw->path) && mod->build_id_length == raw->build_id_length &&
		    !memcmp(mod->build_id, raw->build_id, raw->build_id_length))
			return (int)i;
	}
	return -1;
}

/* Bytes of the runtime's own word among a module's counters: note.h. */
enum { RUNTIME_COUNTERS = 8 };

/* Reads what is in MOD's file. ERR tells why it cannot be used. */
static int
read_module(struct module *mod, struct owners *owners, struct arena *arena, struct error *err)
{
	const struct elf_section *tab, *counters, *measured;
	uint8_t *data;
	int failed;

	if (places_open_build(&mod->elf, mod->path, mod->build_id, mod->build_id_length, owners,
			      err))
		return -1;
	tab = elf_section(&mod->elf, "cgview_tab");
	counters = elf_section(&mod->elf, "cgview_cnt");
	if (!tab && counters && counters->size <= RUNTIME_COUNTERS) {
		err->pointless = true;
		return error_set(err, "%s: nothing of it was compiled with cgcc, it was only "
				 "linked with it: compile with it, too (make clean; make CC=cgcc "
				 "CXX=cgg++), and record again", mod->path);
	}
	if (!tab || !counters)
		return error_set(err, "%s: has no tables of cgcc: build it with cgcc, without "
				 "removing the section cgview_tab", mod->path);
	mod->counters_address = counters->address;
	mod->nr_counters = counters->size / 8;
	if (mod->nr_counters > (1 << 30))
		return error_set(err, "%s: damaged: too many counters", mod->path);
	data = elf_read(&mod->elf, tab, err);
	if (!data)
		return -1;
	failed = tables_parse(&mod->tables, data, tab->size, mod->path, err);
	free(data);
	measured = elf_section(&mod->elf, "cgview_msr");
	if (failed || !measured)
		return failed;
	data = elf_read(&mod->elf, measured, err);
	failed = !data || measured_read(mod, data, measured->size, arena, err);
	free(data);
	return failed ? -1 : 0;
}

int
module_load(struct module *mod, const struct raw_module *raw, struct owners *owners,
	    struct arena *arena, struct error *err)
{
	*mod = (struct module){
		.path = arena_strdup(arena, raw->path),
		.build_id_length = raw->build_id_length,
		.elf = { .fd = -1, .arena = ARENA_INIT },
	};
	memcpy(mod->build_id, raw->build_id, raw->build_id_length);
	if (read_module(mod, owners, arena, err))
		return -1;
	mod->usable = true;
	mod->counters = xcalloc(mod->nr_counters, sizeof(*mod->counters));
	mod->lacking = xcalloc(mod->nr_counters, sizeof(*mod->lacking));
	return 0;
}

void
module_release(struct module *mod)
{
	elf_close(&mod->elf);
	tables_release(&mod->tables);
	free(mod->counters);
	free(mod->lacking);
	free(mod->symbols);
	free(mod->measured);
}

void
module_add_counters(const struct module *mod, const struct rawfile *r,
		    const struct raw_part *p, uint64_t *counters)
{
	enum { CHUNK = 8192 };
	uint64_t buffer[CHUNK], offset = p->offset;
	size_t done = 0, want, got, i, nr = p->size / 8;

	if (nr > mod->nr_counters)
		nr = mod->nr_counters;
	for (; done < nr; done += got, offset += got * 8) {
		want = nr - done < CHUNK ? nr - done : CHUNK;
		got = rawfile_read(r, offset, buffer, want * 8) / 8;
		for (i = 0; i < got; i++)
			counters[done + i] += buffer[i];
		if (got < want)
			return;
	}
}

int
module_add_joint(const struct module *mod, uint64_t *counters, uint64_t *lacking,
		 struct error *err)
{
	const struct joint_counters c = {
		.values = counters, .lacking = lacking, .nr = mod->nr_counters,
		.address = mod->counters_address,
	};

	return joint_apply(&mod->tables, &c, mod->path, err);
}
