#include "collect/import/counts/noted_calls.h"

#include <stdlib.h>
#include <string.h>

#include "collect/sum.h"

struct map { uint64_t start, end; };

/* The state of reading one raw file. */
struct reading {
	const struct noted_calls *n;
	const struct rawfile *r;
	const int *module_of;
	const struct raw_part *p;
	bool shared; /* by several processes in turn, which may have had other modules */
	struct map *maps; /* code of files */
	size_t nr_maps, maps_alloc;
};

/* ---- whose is an address ---- */

/* [begin, end) of a raw module: its code, or its counters. */
static void
bounds_of(const struct raw_module *m, bool counters, uint64_t *begin, uint64_t *end)
{
	*begin = counters ? m->counters : m->text_start;
	*end = counters ? m->counters + 8 * m->nr_counters : m->text_end;
}

/* The raw module of process PID (OWN), or of the others, that ADDRESS lies in: index + 1; 0 none;
 * NOTED_SEVERAL have been there, one after the other. A library that was opened again where it
 * was is the same one. */
static int
search(const struct rawfile *r, const int *module_of, uint32_t pid, bool own, bool counters,
       uint64_t address)
{
	uint64_t begin, end;
	int found = 0;
	size_t i;

	for (i = 0; i < r->nr_modules; i++) {
		const struct raw_module *m = &r->modules[i];
		const struct raw_module *f = found ? &r->modules[found - 1] : m;

		bounds_of(m, counters, &begin, &end);
		if ((m->pid == pid) != own || address < begin || address >= end)
			continue;
		if (module_of[i] != module_of[f - r->modules] || m->load_bias != f->load_bias)
			return NOTED_SEVERAL;
		found = (int)i + 1;
	}
	return found;
}

/* A child of fork has the modules of its parent without listing them. */
static int
module_at(const struct reading *x, bool counters, uint64_t address)
{
	int own = search(x->r, x->module_of, x->p->pid, true, counters, address), other;

	if (x->r->sum && address == SUM_SEVERAL)
		return NOTED_SEVERAL;
	if (own && !x->shared)
		return own;
	other = search(x->r, x->module_of, x->p->pid, false, counters, address);
	if (!own || !other)
		return own ? own : other;
	return other != NOTED_SEVERAL && x->module_of[other - 1] == x->module_of[own - 1] &&
	       x->r->modules[other - 1].load_bias == x->r->modules[own - 1].load_bias
		? own : NOTED_SEVERAL;
}

static bool
in_maps(const struct reading *x, uint64_t address)
{
	size_t i;

	for (i = 0; i < x->nr_maps; i++)
		if (address >= x->maps[i].start && address < x->maps[i].end)
			return true;
	return false;
}

/* ---- reading ---- */

/* A line of /proc/self/maps: 7f0000-7f1000 r-xp 0 0:0 1 /path. Code that the program made itself
 * belongs to no file. */
static void
add_map(struct reading *x, const char *line)
{
	struct map span = { .start = 0 };
	char *p;

	span.start = strtoull(line, &p, 16);
	if (*p != '-')
		return;
	span.end = strtoull(p + 1, &p, 16);
	if (!strchr(p, '/') && !strstr(p, "[vdso]"))
		return;
	GROW(x->maps, x->nr_maps + 1, x->maps_alloc);
	x->maps[x->nr_maps++] = span;
}

static void
read_maps(struct reading *x)
{
	char *text, *next, *line;
	size_t size = x->p->size < (1 << 20) ? x->p->size : 1 << 20;

	text = xmalloc(size + 1);
	text[rawfile_read(x->r, x->p->offset, text, size)] = '\0';
	for (next = text; (line = strsep(&next, "\n"));)
		add_map(x, line);
	free(text);
}

/* ---- calls ---- */

/* SITE and TARGET are run-time addresses; SITE is of MODULE, a number in the raw file. */
static void
take_call(const struct reading *x, int module, uint64_t site, uint64_t target, uint64_t count)
{
	struct noted_call call = {
		.part = x->p, .site_module = module, .site = site, .module = NOTED_OUTSIDE,
		.target = target, .count = count,
	};
	int at = module_at(x, false, target);

	if (at > 0 && x->module_of[at - 1] >= 0)
		call.module = at - 1;
	else if (at == NOTED_SEVERAL)
		call.module = NOTED_SEVERAL;
	else if (at || !in_maps(x, target))
		call.module = NOTED_UNKNOWN;
	x->n->take(x->n->context, &call);
}

static void
take_entry(const struct reading *x, const struct raw_target *e)
{
	int at = module_at(x, true, e->site);

	if (at == NOTED_SEVERAL)
		take_call(x, NOTED_SEVERAL, 0, e->target, e->count);
	else if (at > 0 && x->module_of[at - 1] >= 0)
		take_call(x, at - 1, e->site - x->r->modules[at - 1].counters, e->target, e->count);
}

/* A site's first target is with its counters. */
static void
read_words(struct reading *x)
{
	int m = rawfile_module(x->r, x->p->module);
	struct raw_target_words w;
	uint64_t chunk[1024], at, begin = 0, end = 0;
	size_t i;

	if (m < 0 || x->module_of[m] < 0)
		return;
	for (i = 0; x->n->words(x->n->context, x->module_of[m], i, &at); i++) {
		if (at >= x->p->size || x->p->size - at < sizeof(w))
			return;
		if (at + sizeof(w) > end) {
			begin = at;
			end = at + (x->p->size - at < sizeof(chunk) ? x->p->size - at
								    : sizeof(chunk));
			end = at + rawfile_read(x->r, x->p->offset + at, chunk, end - at);
		}
		if (at + sizeof(w) > end)
			return;
		memcpy(&w, chunk + (at - begin) / 8, sizeof(w));
		if (w.first && w.first_count)
			take_call(x, m, at, w.first, w.first_count);
	}
}

/* The table at AT, which is not read beyond END. Returns where the next one may begin. */
static uint64_t
read_site_table(const struct reading *x, uint64_t at, uint64_t end)
{
	struct raw_target_entry entries[512];
	struct raw_target_table head;
	uint64_t i;

	if (rawfile_read(x->r, x->p->offset + at, &head, sizeof(head)) < sizeof(head))
		return end;
	at += sizeof(head);
	if (head.number < 4 || head.number > 512 || (head.number & (head.number - 1)) ||
	    head.number * sizeof(*entries) > end - at)
		return at;
	rawfile_read(x->r, x->p->offset + at, entries, head.number * sizeof(*entries));
	for (i = 0; i < head.number; i++) {
		struct raw_target e = { head.site, entries[i].target, entries[i].count };

		if (e.site && e.target && e.count)
			take_entry(x, &e);
	}
	return at + head.number * sizeof(*entries);
}

static void
read_room(struct reading *x)
{
	struct raw_target_room head;
	uint64_t at = sizeof(head), end;

	if (rawfile_read(x->r, x->p->offset, &head, sizeof(head)) < sizeof(head))
		return;
	end = head.used < x->p->size - at ? at + head.used : x->p->size;
	while (end - at >= sizeof(struct raw_target_table))
		at = read_site_table(x, at, end);
}

static void
read_table(struct reading *x)
{
	const struct raw_part *p = x->p;
	struct raw_target entries[512];
	uint64_t at;
	size_t got, i;

	for (at = 0; at < p->size; at += got * sizeof(*entries)) {
		got = p->size - at < sizeof(entries) ? p->size - at : sizeof(entries);
		got = rawfile_read(x->r, p->offset + at, entries, got) / sizeof(*entries);
		for (i = 0; i < got; i++)
			if (entries[i].site && entries[i].target && entries[i].count)
				take_entry(x, &entries[i]);
		if (!got)
			return;
	}
}

void
noted_calls_read(const struct noted_calls *n)
{
	static void (*const readers[])(struct reading *) = {
		[RAW_COUNTERS] = read_words, [RAW_TARGETS] = read_table,
		[RAW_TARGET_ROOM] = read_room,
	};
	const struct rawfile *r = n->raw;
	struct reading x = { .n = n, .r = r, .module_of = n->module_of };
	size_t i;

	for (i = 0; i < r->nr_parts; i++) {
		x.p = &r->parts[i];
		if (x.p->kind == RAW_MAPS)
			read_maps(&x);
	}
	for (i = 0; i < r->nr_parts; i++) {
		x.p = &r->parts[i];
		x.shared = n->areas->mixed && x.p->pid != n->areas->main_pid;
		if (x.p->kind < sizeof(readers) / sizeof(*readers) && readers[x.p->kind])
			readers[x.p->kind](&x);
	}
	free(x.maps);
}
