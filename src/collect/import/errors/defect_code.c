#include "collect/import/errors/defect_code.h"

#include <stdlib.h>
#include <string.h>

#include "collect/import/dwarf/dwarf.h"
#include "collect/import/elf/elf.h"
#include "util/order.h"
#include "util/text/path.h"

enum { PAGE = 4096, MAX_VOTERS = 200, MAX_BIASES = 512, TRIED = 8 };

struct bias { uint64_t value; size_t votes; };

/* The frames of a module: those that name it, or those that name none. */
struct group {
	const struct defect_log *log;
	struct code_place *places;
	struct arena *arena;
	struct elf elf;
	const char *path;
	struct elf_symbol *symbols;
	size_t nr_symbols;
	size_t *frames;            /* positions in the log */
	size_t nr_frames;
	struct bias *biases;
	size_t nr_biases;
};

/* ---- addresses ---- */

/* Returns the link-time address of frame I: within the call, if it is not the innermost. */
static uint64_t
address_of(const struct group *g, size_t i, uint64_t bias)
{
	const struct logged_frame *f = &g->log->frames[i];
	uint64_t address = f->ip - bias;

	/* What is inlined into the innermost frame has the same address. */
	return f->depth > 1 && f->depth <= i + 1 && f[1 - (int)f->depth].ip != f->ip ? address - 1
										     : address;
}

static int
compare_addresses(const void *a, const void *b)
{
	const struct dwarf_address *x = a, *y = b;

	COMPARE(x->address, y->address);
	return 0;
}

/* Makes D the module with the addresses of the first NR frames, each once. */
static void
ask_for(const struct group *g, uint64_t bias, size_t nr, struct dwarf_module *d)
{
	size_t i, n = 0;

	*d = (struct dwarf_module){ .path = g->path, .elf = &g->elf };
	d->addresses = xcalloc(nr, sizeof(*d->addresses));
	for (i = 0; i < nr; i++)
		d->addresses[i].address = address_of(g, g->frames[i], bias);
	qsort(d->addresses, nr, sizeof(*d->addresses), compare_addresses);
	for (i = 0; i < nr; i++)
		if (!n || d->addresses[i].address != d->addresses[n - 1].address)
			d->addresses[n++] = d->addresses[i];
	d->nr_addresses = n;
}

/* Returns what DWARF has of the line that frame I is said to be in, or, when no line is said, of
 * its address; NULL: nothing. */
static const struct dwarf_frame *
answer_for(const struct group *g, const struct dwarf_module *d, uint64_t bias, size_t i)
{
	const struct logged_frame *f = &g->log->frames[i];
	const struct dwarf_address key = { .address = address_of(g, i, bias) }, *a;

	a = bsearch(&key, d->addresses, d->nr_addresses, sizeof(key), compare_addresses);
	if (!a || !a->frames || !a->nr_frames)
		return NULL;
	if (!f->line)
		return a->frames;
	for (uint32_t k = 0; k < a->nr_frames; k++)
		if (a->frames[k].line == f->line &&
		    !strcmp(path_base(a->frames[k].file), path_base(f->file)))
			return &a->frames[k];
	return NULL;
}

/* ---- where it lay ---- */

static void
vote(struct group *g, uint64_t value)
{
	size_t i;

	for (i = 0; i < g->nr_biases && g->biases[i].value != value; i++)
		;
	if (i == MAX_BIASES)
		return;
	g->biases[i].value = value;
	g->biases[i].votes++;
	g->nr_biases += i == g->nr_biases;
}

/* Frame F is in the procedure S: it was moved by whole pages. */
static void
vote_for_all(struct group *g, const struct logged_frame *f, const struct elf_symbol *s)
{
	uint64_t least = f->ip - s->address - (s->size ? s->size - 1 : 0);
	uint64_t pages = (s->size + PAGE - 1) / PAGE + 1, first = (least + PAGE - 1) / PAGE * PAGE;

	for (uint64_t i = 0; i < pages && i < TRIED; i++)
		if (f->ip - (first + i * PAGE) - s->address <= s->size)
			vote(g, first + i * PAGE);
}

static int
compare_votes(const void *a, const void *b)
{
	const struct bias *x = a, *y = b;

	COMPARE(y->votes, x->votes);
	COMPARE(x->value, y->value);
	return 0;
}

static void
find_biases(struct group *g)
{
	g->biases = xcalloc(MAX_BIASES, sizeof(*g->biases));
	for (size_t i = 0; i < g->nr_frames && i < MAX_VOTERS; i++) {
		const struct logged_frame *f = &g->log->frames[g->frames[i]];

		for (size_t k = 0; *f->name && k < g->nr_symbols; k++)
			if (!strcmp(g->symbols[k].name, f->name) && !g->symbols[k].stub)
				vote_for_all(g, f, &g->symbols[k]);
	}
	if (g->nr_biases)
		qsort(g->biases, g->nr_biases, sizeof(*g->biases), compare_votes);
	if (g->nr_biases > TRIED)
		g->nr_biases = TRIED;
}

/* Finds for which of the biases most of the frames are in the lines that the log names. Returns
 * false when it is so for none. */
static bool
choose_bias(struct group *g, uint64_t *bias, struct error *err)
{
	size_t nr = g->nr_frames < MAX_VOTERS ? g->nr_frames : MAX_VOTERS, most = 0, fit;
	struct dwarf_module modules[TRIED];

	for (size_t i = 0; i < g->nr_biases; i++)
		ask_for(g, g->biases[i].value, nr, &modules[i]);
	if (g->nr_biases)
		dwarf_resolve(modules, g->nr_biases, g->arena, err);
	for (size_t i = 0; i < g->nr_biases; i++) {
		fit = 0;
		for (size_t k = 0; k < nr; k++)
			fit += g->log->frames[g->frames[k]].line &&
			       answer_for(g, &modules[i], g->biases[i].value, g->frames[k]);
		if (fit > most)
			*bias = g->biases[i].value;
		most = fit > most ? fit : most;
		free(modules[i].addresses);
	}
	return most > 0;
}

static void
resolve(struct group *g, uint64_t bias, struct error *err)
{
	struct dwarf_module d;

	ask_for(g, bias, g->nr_frames, &d);
	dwarf_resolve(&d, 1, g->arena, err);
	for (size_t i = 0; i < g->nr_frames; i++) {
		const struct dwarf_frame *f = answer_for(g, &d, bias, g->frames[i]);

		if (f && f->line && *f->file)
			g->places[g->frames[i]] =
				(struct code_place){ f->file, f->line, f->column };
	}
	free(d.addresses);
}

/* ---- modules ---- */

static bool
is_build(const struct elf *e, const char *id)
{
	char hex[2 * BUILD_ID_MAX + 1] = "";

	for (size_t i = 0; i < e->build_id_length && i < BUILD_ID_MAX; i++)
		sprintf(hex + 2 * i, "%02x", e->build_id[i]);
	return !strcmp(hex, id);
}

/* May frame F be in MODULE? NAMED: only if it says so, else only if it does not say where it is. */
static bool
is_in(const struct logged_frame *f, const struct model_module *module, bool named)
{
	if (!f->ip || (*f->object != '\0') != named)
		return false;
	return !named || !strcmp(f->object, module->path) ||
	       (!strchr(f->object, '/') && !strcmp(f->object, path_base(module->path)));
}

static void
find_group(struct group *g, const struct model_module *module, bool named)
{
	g->nr_frames = 0;
	for (size_t i = 0; i < g->log->nr_frames; i++)
		if (!g->places[i].file && is_in(&g->log->frames[i], module, named))
			g->frames[g->nr_frames++] = i;
}

static void
find_in(struct group *g, const struct model_module *module, struct error *err)
{
	uint64_t bias = 0;

	for (int named = 1; named >= 0; named--) {
		find_group(g, module, named);
		g->nr_biases = 0;
		find_biases(g);
		if (g->nr_frames && choose_bias(g, &bias, err))
			resolve(g, bias, err);
		free(g->biases);
	}
}

/* Does any frame need it? */
static bool
is_wanted(struct group *g, const struct model_module *module)
{
	find_group(g, module, true);
	if (!g->nr_frames)
		find_group(g, module, false);
	return g->nr_frames;
}

static int
look_at(struct group *g, struct model *m, const struct model_module *module, struct error *err)
{
	struct error problem = ERROR_INIT;
	ptrdiff_t nr = 0;

	if (!is_wanted(g, module))
		return 0;
	g->path = module->path;
	if (elf_open(&g->elf, module->path, &problem)) {
		if (problem.unread)
			return error_copy(err, &problem);
		model_note(m, "dwarf", "errors have lines only: %s", problem.text);
		return 0;
	}
	if (!is_build(&g->elf, module->build_id))
		model_note(m, "dwarf", "errors have lines only: %s is another build by now",
			   module->path);
	else if ((nr = elf_symbols(&g->elf, &g->symbols, &problem)) > 0) {
		g->nr_symbols = (size_t)nr;
		find_in(g, module, &problem);
		free(g->symbols);
	}
	elf_close(&g->elf);
	if (problem.unread)
		return error_copy(err, &problem);
	if (problem.set)
		model_note(m, "dwarf", "errors have lines only: %s", problem.text);
	return 0;
}

int
defect_code_find(struct code_place *places, const struct defect_log *log, struct model *m,
		 struct arena *arena, struct error *err)
{
	struct group g = { .log = log, .places = places, .arena = arena };

	g.frames = xcalloc(log->nr_frames, sizeof(*g.frames));
	for (size_t i = 0; i < m->nr_modules && !err->set; i++)
		look_at(&g, m, &m->modules[i], err);
	free(g.frames);
	return err->set ? -1 : 0;
}
