/* The model of a profile of gprof: procedures are those of the program's symbols, and have the
 * lines of what was inlined into them. A bin may reach over several symbols: it is shared out by
 * bytes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/import/dwarf/dwarf.h"
#include "collect/import/elf/demangle.h"
#include "collect/import/elf/elf.h"
#include "collect/import/foreign/costs/gmon.h"
#include "collect/import/foreign/definition.h"
#include "collect/import/foreign/line_rows.h"
#include "collect/import/owners.h"
#include "collect/import/sources.h"
#include "db/model/parts.h"
#include "util/order.h"
#include "util/text/path.h"

/* Samples of one symbol, or of none. */
struct piece { uint64_t address, samples, ns; };

struct maker {
	const struct gmon *g;
	struct model *m;
	const char *program;
	struct elf elf;
	struct elf_symbol *symbols;
	size_t nr_symbols;
	model_id *procedures;      /* by symbol; the last is that of no symbol; 0: none yet */
	bool *begins_unknown;      /* of procedures */
	size_t begins_alloc;
	struct piece *pieces;
	size_t nr_pieces, pieces_alloc;
	struct dwarf_address *addresses;
	size_t nr_addresses, addresses_alloc;
	uint64_t *calls;           /* addresses, by arc of G */
	struct sources sources;
	struct line_rows rows;
	struct keys arcs;
	struct arena arena;
};

/* ---- addresses ---- */

/* Returns the number of the symbol at ADDRESS; that of no symbol is their number. */
static size_t
symbol_at(const struct maker *k, uint64_t address)
{
	const struct elf_symbol *s = elf_symbol_at(k->symbols, k->nr_symbols, address);

	return s ? (size_t)(s - k->symbols) : k->nr_symbols;
}

/* Returns where what is at ADDRESS ends, or what is not in any symbol. */
static uint64_t
end_of(const struct maker *k, uint64_t address)
{
	const struct elf_symbol *s = elf_symbol_at(k->symbols, k->nr_symbols, address);
	size_t lo = 0, hi = k->nr_symbols;

	if (s && s->size)
		return s->address + s->size;
	while (lo < hi) { /* the first one behind it */
		size_t mid = lo + (hi - lo) / 2;

		if (k->symbols[mid].address <= address)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < k->nr_symbols ? k->symbols[lo].address : UINT64_MAX;
}

/* Reads the code before and behind AT, of 2 * ROOM bytes; false: it has none there. */
static bool
read_code(const struct maker *k, uint64_t at, uint8_t *code, size_t room)
{
	struct error ignored = ERROR_INIT;

	for (size_t i = 0; i < k->elf.nr_segments; i++) {
		const struct elf_segment *s = &k->elf.segments[i];

		if (at >= s->address + room && at - s->address <= s->size &&
		    s->size - (at - s->address) >= room)
			return !elf_read_at(&k->elf, s->offset + (at - s->address) - room, code,
					    2 * room, &ignored);
	}
	return false;
}

/* Does a direct call of the procedure from TARGET on end at END, which has the address AT? */
static bool
is_direct(const uint8_t *end, uint64_t at, uint64_t target)
{
	int32_t distance;

	memcpy(&distance, end - 4, sizeof(distance));
	return end[-5] == 0xe8 && at + (uint64_t)(int64_t)distance == target;
}

/* Does a call through a register end there? */
static bool
is_indirect(const uint8_t *end)
{
	return (end[-2] == 0xff && (end[-1] & 0xf8) == 0xd0) ||
	       (end[-2] == 0xff && (end[-1] & 0xf8) == 0x10 && (end[-1] & 6) != 4) ||
	       (end[-3] == 0xff && (end[-2] & 0xf8) == 0x50 && end[-2] != 0x54) ||
	       (end[-6] == 0xff && (end[-5] & 0xf8) == 0x90 && end[-5] != 0x94);
}

/* Returns an address within the call A: the code tells which of those near by it is. */
static uint64_t
call_of(const struct maker *k, const struct gmon_arc *a)
{
	enum { ROOM = 32 };
	uint8_t code[2 * ROOM];
	size_t callee = symbol_at(k, a->to);
	uint64_t target = callee < k->nr_symbols ? k->symbols[callee].address : a->to;

	if (!read_code(k, a->from, code, ROOM))
		return a->from;
	for (uint64_t i = 0; i <= GMON_ROUNDED; i++)
		if (is_direct(code + ROOM + i, a->from + i, target))
			return a->from + i - 1;
	for (uint64_t i = 0; i <= GMON_ROUNDED; i++)
		if (is_indirect(code + ROOM + i))
			return a->from + i - 1;
	return a->from;
}

static void
add_address(struct maker *k, uint64_t address)
{
	GROW(k->addresses, k->nr_addresses + 1, k->addresses_alloc);
	k->addresses[k->nr_addresses++] = (struct dwarf_address){ .address = address };
}

/* The gaps between procedures are filled with what is never executed: a piece there is added to
 * the others of its bin. */
static void
split_bin(struct maker *k, const struct gmon_bin *b)
{
	size_t first = k->nr_pieces, i;
	uint64_t at, end, covered = 0, ns = count_product(b->samples, 1000000000 / k->g->hz);
	uint64_t left = ns;

	for (at = b->from; at < b->to; at = end) {
		end = end_of(k, at);
		end = end < b->to ? end : b->to;
		if (symbol_at(k, at) == k->nr_symbols && (end < b->to || k->nr_pieces > first))
			continue;
		GROW(k->pieces, k->nr_pieces + 1, k->pieces_alloc);
		k->pieces[k->nr_pieces++] = (struct piece){ .address = at, .ns = end - at };
		covered += end - at;
	}
	if (k->nr_pieces == first) { /* bins of no bytes, and gaps alone */
		GROW(k->pieces, k->nr_pieces + 1, k->pieces_alloc);
		k->pieces[k->nr_pieces++] = (struct piece){ .address = b->from, .ns = 1 };
		covered = 1;
	}
	for (i = first; i < k->nr_pieces; i++) {
		struct piece *p = &k->pieces[i];

		p->ns = i + 1 < k->nr_pieces
			? (uint64_t)((__uint128_t)ns * p->ns / covered) : left;
		left -= p->ns;
	}
	/* A sample is a whole one: all are where most of the time is. */
	for (at = first, i = first; i < k->nr_pieces; i++)
		if (k->pieces[i].ns > k->pieces[at].ns)
			at = i;
	k->pieces[at].samples = b->samples;
}

static int
compare_addresses(const void *a, const void *b)
{
	const struct dwarf_address *x = a, *y = b;

	COMPARE(x->address, y->address);
	return 0;
}

static void
find_places(struct maker *k)
{
	struct dwarf_module module = { .path = k->elf.path, .elf = &k->elf };
	struct error err = ERROR_INIT;
	size_t n = 0, i;

	k->calls = xcalloc(k->g->nr_arcs + 1, sizeof(*k->calls));
	for (i = 0; i < k->nr_pieces; i++)
		add_address(k, k->pieces[i].address);
	for (i = 0; i < k->g->nr_arcs; i++) {
		add_address(k, k->calls[i] = call_of(k, &k->g->arcs[i]));
		add_address(k, k->g->arcs[i].to);
	}
	for (i = 0; i < k->g->nr_blocks; i++)
		add_address(k, k->g->blocks[i].address);
	qsort(k->addresses, k->nr_addresses, sizeof(*k->addresses), compare_addresses);
	for (i = 0; i < k->nr_addresses; i++)
		if (!n || k->addresses[n - 1].address != k->addresses[i].address)
			k->addresses[n++] = k->addresses[i];
	k->nr_addresses = n;
	module.addresses = k->addresses;
	module.nr_addresses = n;
	if (dwarf_resolve(&module, 1, &k->arena, &err))
		model_note(k->m, "dwarf", "%s", err.text);
}

/* Returns what debug information says of ADDRESS; NULL: nothing. */
static const struct dwarf_address *
told_of(const struct maker *k, uint64_t address)
{
	const struct dwarf_address key = { .address = address }, *found;

	found = bsearch(&key, k->addresses, k->nr_addresses, sizeof(key), compare_addresses);
	return found && found->nr_frames ? found : NULL;
}

static model_id
file_of(struct maker *k, const char *name)
{
	return *name ? sources_add(&k->sources, "", name, k->elf.mtime_ns) : 0;
}

/* ---- procedures ---- */

static const char *
shown_name(struct maker *k, const char *name)
{
	struct strbuf shown = STRBUF_INIT;
	const char *kept;

	if (!*name)
		strbuf_fmt(&shown, "(%s)", path_base(k->program));
	else if (!demangle(&shown, name, DEMANGLE_SHORT))
		strbuf_str(&shown, name);
	kept = arena_strdup(&k->m->arena, shown.buf);
	strbuf_release(&shown);
	return kept;
}

/* Returns the procedure at ADDRESS. TOLD: what is known of it, or of another address in it. */
static model_id
procedure_of(struct maker *k, uint64_t address, const struct dwarf_address *told)
{
	size_t symbol = symbol_at(k, address);
	const char *name = symbol < k->nr_symbols ? k->symbols[symbol].name : "";
	const struct dwarf_frame *outer = told ? &told->frames[told->nr_frames - 1] : NULL;
	struct model_procedure *p;
	model_id file = 0;
	uint32_t line = 0;

	if (k->procedures[symbol])
		return k->procedures[symbol];
	if (outer && symbol < k->nr_symbols) {
		file = file_of(k, *outer->declared_file ? outer->declared_file : outer->file);
		line = *outer->declared_file ? outer->declared_line : 0;
	}
	p = MODEL_ADD(k->m, procedures);
	*p = (struct model_procedure){
		.name = shown_name(k, name),
		.linkage_name = arena_strdup(&k->m->arena, name),
		.module = arena_strdup(&k->m->arena, k->program),
		.lacking = COUNT_LACKS_ALL,
	};
	if (file)
		p->place = (struct place){ file, line, line > 0, line, line > 0 };
	GROW(k->begins_unknown, k->m->nr_procedures, k->begins_alloc);
	k->begins_unknown[k->m->nr_procedures - 1] = file && !line;
	return k->procedures[symbol] = (model_id)k->m->nr_procedures;
}

/* Where ADDRESS is: the innermost line, and the procedure that has the code. */
struct spot { model_id procedure, file; uint32_t line; };

static struct spot
spot_of(struct maker *k, uint64_t address)
{
	const struct dwarf_address *told = told_of(k, address);
	struct spot s = { .procedure = procedure_of(k, address, told) };
	struct place *place = &k->m->procedures[s.procedure - 1].place;

	if (!told)
		return s;
	s.file = file_of(k, told->frames[0].file);
	s.line = told->frames[0].line;
	if (!s.file || !s.line || place->file != s.file)
		return s;
	if (k->begins_unknown[s.procedure - 1] && (!place->line || s.line < place->line))
		*place = (struct place){ s.file, s.line, 1, place->end_line, 1 };
	if (place->end_line < s.line)
		place->end_line = s.line;
	return s;
}

/* A place has a line: what has none has no place, either. */
static void
drop_places(struct model *m)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (!m->procedures[i].place.line)
			m->procedures[i].place.file = 0;
}

/* ---- figures ---- */

static void
count_time(struct maker *k)
{
	for (size_t i = 0; i < k->nr_pieces; i++) {
		const struct piece *p = &k->pieces[i];
		const struct sampled of = { .samples = p->samples, .ns = p->ns };
		struct spot s = spot_of(k, p->address);
		model_id block = line_rows_block(&k->rows, s.procedure, s.file, s.line);

		sampled_add(&k->m->procedures[s.procedure - 1].self, &of);
		if (!block)
			continue;
		sampled_add(&k->m->blocks[block - 1].self, &of);
		sampled_add(&k->m->ranges[block - 1].self, &of);
		sampled_add(&line_rows_line(&k->rows, s.file, s.line)->self, &of);
	}
}

/* Adds calls of CALLEE: from SITE, or, where that is 0, from outside. */
static void
add_calls(struct maker *k, model_id site, model_id callee, uint64_t calls)
{
	struct model_procedure *p = &k->m->procedures[callee - 1];
	bool is_new;
	uint32_t arc = keys_number(&k->arcs, KEY(site, callee), &is_new);

	if (is_new)
		*MODEL_ADD(k->m, arcs) = (struct model_arc){ .site = site, .callee = callee };
	k->m->arcs[arc].measured = count_add(k->m->arcs[arc].measured, calls);
	p->calls = count_add(p->calls, calls);
	p->lacking = 0;
	if (site) {
		struct model_site *s = &k->m->sites[site - 1];

		s->count = count_add(s->count, calls);
		s->lacking = 0;
	}
}

/* Whoever called others, as main() did, ran at least once, though nobody counted that. */
static void
begin_somewhere(struct maker *k)
{
	for (size_t i = 0; i < k->m->nr_sites; i++) {
		model_id procedure = k->m->sites[i].procedure;

		if (k->m->procedures[procedure - 1].calls)
			continue;
		add_calls(k, 0, procedure, 1);
		k->m->procedures[procedure - 1].lacking = 1;
	}
}

/* Calls from outside of all symbols have no site. */
static void
count_calls(struct maker *k)
{
	for (size_t i = 0; i < k->g->nr_arcs; i++) {
		const struct gmon_arc *a = &k->g->arcs[i];
		model_id callee = procedure_of(k, a->to, told_of(k, a->to)), site = 0;

		if (symbol_at(k, k->calls[i]) < k->nr_symbols) {
			struct spot s = spot_of(k, k->calls[i]);

			site = line_rows_site(&k->rows, s.procedure, s.file, s.line, 0,
					      SITE_UNKNOWN);
		}
		add_calls(k, site, callee, a->calls);
	}
	begin_somewhere(k);
}

/* A line is executed as often as that of its blocks which was most. */
static void
count_blocks(struct maker *k)
{
	for (size_t i = 0; i < k->g->nr_blocks; i++) {
		const struct gmon_block *b = &k->g->blocks[i];
		struct spot s = spot_of(k, b->address);
		model_id id = line_rows_block(&k->rows, s.procedure, s.file, s.line);
		struct model_block *block = id ? &k->m->blocks[id - 1] : NULL;
		struct model_line *l;

		if (!block)
			continue;
		l = line_rows_line(&k->rows, s.file, s.line);
		block->lacking = l->lacking = 0;
		block->count = block->count < b->executions ? b->executions : block->count;
		l->count = l->count < block->count ? block->count : l->count;
	}
}

/* ---- the run ---- */

static void
make_run(struct maker *k)
{
	struct model *m = k->m;
	struct strbuf id = STRBUF_INIT;
	struct model_run *run = MODEL_ADD(m, runs);

	for (size_t i = 0; i < k->elf.build_id_length; i++)
		strbuf_fmt(&id, "%02x", k->elf.build_id[i]);
	*run = (struct model_run){
		.command = arena_strdup(&m->arena, k->program), .directory = "", .host = "",
		.program = arena_strdup(&m->arena, k->program), .tool = "gprof",
		.build_id = arena_strdup(&m->arena, id.buf), .exit_status = -1,
		.processes = k->g->files,
	};
	for (size_t i = 0; i < k->nr_pieces; i++) {
		run->samples = count_add(run->samples, k->pieces[i].samples);
		run->cpu_ns = count_add(run->cpu_ns, k->pieces[i].ns);
	}
	if (k->g->hz && run->samples) {
		run->interval_ns = run->sample_ns = 1000000000 / k->g->hz;
		run->clock = arena_strdup(&m->arena, "profil");
	}
	*MODEL_ADD(m, modules) = (struct model_module){
		.path = run->program, .build_id = run->build_id,
	};
	strbuf_release(&id);
	parts_of_whole(m);
	model_note(m, "flow", "gprof counts calls by code of %s, of what was compiled with -pg; "
		   "calls that came from elsewhere, as of main(), and the time of libraries it "
		   "does not tell", path_base(k->program));
	if (k->g->saturated)
		model_note(m, "samples", "%" PRIu64 " counters of samples are full: there the "
			   "program took longer", k->g->saturated);
	if (k->g->wrapped)
		model_note(m, "counts", "%" PRIu64 " counts of calls are near 4294967296, where "
			   "they begin anew: there may have been more", k->g->wrapped);
}

/* Is it of another program? Then its calls go to where nothing begins. */
static int
check_program(const struct maker *k, const char *path, const struct stat *st, struct error *err)
{
	int64_t written_ns = (int64_t)st->st_mtim.tv_sec * 1000000000 + st->st_mtim.tv_nsec;
	size_t good = 0, all = k->g->nr_arcs + k->g->nr_bins + k->g->nr_blocks, i;

	for (i = 0; i < k->g->nr_arcs; i++)
		good += symbol_at(k, k->g->arcs[i].to) < k->nr_symbols;
	for (i = 0; i < k->g->nr_bins; i++)
		good += symbol_at(k, k->g->bins[i].from) < k->nr_symbols ||
			symbol_at(k, k->g->bins[i].to - 1) < k->nr_symbols;
	for (i = 0; i < k->g->nr_blocks; i++)
		good += symbol_at(k, k->g->blocks[i].address) < k->nr_symbols;
	if (2 * good < all)
		return error_set(err, "%s has addresses where %s has no code: it is of another "
				 "program, or of another build: --program", path, k->program);
	if (k->elf.mtime_ns > written_ns)
		model_note(k->m, "counts", "%s is newer than %s: if it was built anew since then, "
			   "names and lines are wrong", k->program, path);
	return 0;
}

static void
release(struct maker *k)
{
	elf_close(&k->elf);
	free(k->symbols);
	free(k->procedures);
	free(k->begins_unknown);
	free(k->pieces);
	free(k->addresses);
	free(k->calls);
	sources_release(&k->sources);
	line_rows_release(&k->rows);
	keys_release(&k->arcs);
	arena_release(&k->arena);
}

int
gmon_make(const struct gmon *g, const char *program, const char *path, const struct stat *st,
	  struct model *m, struct error *err)
{
	struct maker k = { .g = g, .m = m, .program = program, .rows = LINE_ROWS_INIT(m),
			   .arena = ARENA_INIT };
	struct owners owners = { .nr = 0 };
	ptrdiff_t nr;
	int status;

	owners_add(&owners, st->st_uid);
	if (elf_open_for(&k.elf, program, &owners, err)) {
		owners_release(&owners);
		return -1;
	}
	sources_init(&k.sources, m);
	nr = elf_symbols(&k.elf, &k.symbols, err);
	status = nr < 0 ? -1 : 0;
	k.nr_symbols = nr < 0 ? 0 : (size_t)nr;
	if (!status && !nr)
		status = error_set(err, "%s has no symbols: whose time and calls %s has is not "
				   "known", program, path);
	status = status ? status : check_program(&k, path, st, err);
	if (!status) {
		k.procedures = xcalloc(k.nr_symbols + 1, sizeof(*k.procedures));
		for (size_t i = 0; i < g->nr_bins; i++)
			split_bin(&k, &g->bins[i]);
		find_places(&k);
		count_time(&k);
		count_calls(&k);
		count_blocks(&k);
		drop_places(m);
		make_run(&k);
		sources_read(&k.sources, &owners);
		definitions_find(m, k.begins_unknown);
		line_rows_set_columns(m);
	}
	release(&k);
	owners_release(&owners);
	return status;
}
