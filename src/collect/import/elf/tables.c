#include "collect/import/elf/tables.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "collect/raw.h"

enum {
	UNIT_MAGIC = 0x54564743, UNIT_VERSION = 5, UNIT_OLD_VERSION = 4,
	JOINT_MAGIC = 0x4a564743, JOINT_VERSION = 1, JOINT_HEAD = 16,
	JUMPS_MAGIC = 0x53564743, JUMPS_VERSION = 2, JUMPS_OLD_VERSION = 1,
	UNIT_HEAD = 24, UNIT_ALIGN = 8,
	MAX_POSITION = 0x7fffffff, /* of a line or column */
	MAX_RANGE_KIND = 4, MAX_BRANCH_KIND = 4, KIND_SWITCH = 4,
	FOLLOWS = 32, WRAPPER = 64, /* a procedure's flags */
	TARGET_WORDS = sizeof(struct raw_target_words) / 8,
};

/* Reads everything: after the first error every read gives 0, and the error is reported once, with
 * the place. */
struct reader {
	const char *path;
	size_t unit;               /* number of the unit, for messages */
	const uint8_t *start, *at, *end;
	struct error *err;
	bool failed;

	struct arena *arena;
	const char **strings;
	uint32_t nr_strings;
	const char **types;
	uint32_t nr_types;
	struct unit *u;
	bool old;                  /* it is of the older version */
};

static void
fail(struct reader *r, const char *what)
{
	if (!r->failed)
		error_set(r->err, "%s: its tables are damaged: %s (unit %zu, byte %zu); build it "
			  "anew", r->path, what, r->unit, (size_t)(r->at - r->start));
	r->failed = true;
	r->at = r->end;
}

static uint64_t
number64(struct reader *r)
{
	uint64_t v = 0;
	unsigned shift = 0;
	uint8_t byte;

	do {
		if (r->at == r->end || shift > 63) {
			fail(r, "a number is cut off");
			return 0;
		}
		byte = *r->at++;
		v |= (uint64_t)(byte & 0x7f) << shift;
		shift += 7;
	} while (byte & 0x80);
	return v;
}

/* A number below LIMIT. */
static uint32_t
number(struct reader *r, uint64_t limit, const char *what)
{
	uint64_t v = number64(r);

	if (v >= limit) {
		fail(r, what);
		return 0;
	}
	return (uint32_t)v;
}

/* A number of elements to come: each takes at least SMALLEST bytes of what is left, so that a wrong
 * number cannot make us ask for more memory than the file deserves. */
static uint32_t
count(struct reader *r, size_t smallest, const char *what)
{
	uint64_t v = number64(r);

	if (v > (uint64_t)(r->end - r->at) / smallest || v > UINT32_MAX) {
		fail(r, what);
		return 0;
	}
	return (uint32_t)v;
}

/* The bytes of a text, and how many there are before them. */
static const char *
text(struct reader *r)
{
	uint32_t n = count(r, 1, "a string is cut off");
	const char *s = arena_strndup(r->arena, (const char *)r->at, n);

	r->at += n;
	return s;
}

static const char *
string(struct reader *r)
{
	uint32_t i = number(r, r->nr_strings, "no such string");

	return r->failed ? "" : r->strings[i];
}

/* An index + 1 into the types, 0 unknown. */
static const char *
type(struct reader *r)
{
	uint32_t i = number(r, (uint64_t)r->nr_types + 1, "no such type");

	return i ? r->types[i - 1] : "";
}

static void *
array(struct reader *r, uint32_t nr, size_t size)
{
	return nr ? arena_alloc(r->arena, nr * size) : NULL;
}

static uint32_t
position(struct reader *r)
{
	return number(r, MAX_POSITION, "a line or column is too large");
}

static struct table_place
place(struct reader *r)
{
	struct table_place p = { .file = number(r, r->u->nr_files, "no such file") };

	p.line = position(r);
	p.column = position(r);
	p.end_line = position(r);
	p.end_column = position(r);
	return p;
}

static void
read_strings(struct reader *r)
{
	uint32_t i;

	r->nr_strings = count(r, 1, "too many strings");
	r->strings = array(r, r->nr_strings, sizeof(*r->strings));
	for (i = 0; i < r->nr_strings && !r->failed; i++)
		r->strings[i] = text(r);
	if (r->failed)
		r->nr_strings = 0;
}

/* The counter + 1 of words that note procedures, NR_WORDS of them; 0: none. */
static uint32_t
read_words(struct reader *r, uint32_t nr_words)
{
	uint32_t nr = r->u->nr_counters;

	return number(r, nr < nr_words ? 1 : nr - nr_words + 2, "no such words of targets");
}

static void
read_held(struct reader *r)
{
	struct unit *u = r->u;
	struct table_held *h;
	uint32_t i, k;

	u->nr_held = count(r, 3, "too many variables");
	u->held = array(r, u->nr_held, sizeof(*u->held));
	for (i = 0; i < u->nr_held; i++) {
		h = &u->held[i];
		h->open = number(r, 2, "no such kind of variable");
		h->nr_names = count(r, 1, "too many procedures in a variable");
		h->names = array(r, h->nr_names, sizeof(*h->names));
		for (k = 0; k < h->nr_names; k++)
			h->names[k] = string(r);
		h->nr_words = count(r, 1, "too many stores to a variable");
		h->words = array(r, h->nr_words, sizeof(*h->words));
		for (k = 0; k < h->nr_words; k++)
			h->words[k] = read_words(r, TARGET_WORDS);
	}
}

static void
read_names(struct reader *r)
{
	struct unit *u = r->u;
	uint32_t i;

	u->producer = string(r);
	u->directory = string(r);
	u->nr_files = count(r, 1, "too many files");
	u->files = array(r, u->nr_files, sizeof(*u->files));
	for (i = 0; i < u->nr_files; i++)
		u->files[i] = string(r);
	r->nr_types = count(r, 1, "too many types");
	r->types = array(r, r->nr_types, sizeof(*r->types));
	for (i = 0; i < r->nr_types; i++)
		r->types[i] = string(r);
	u->nr_taken = count(r, 3, "too many taken addresses");
	u->taken = array(r, u->nr_taken, sizeof(*u->taken));
	for (i = 0; i < u->nr_taken; i++) {
		u->taken[i].name = string(r);
		u->taken[i].signature = type(r);
		u->taken[i].local = number(r, TAKEN_PUBLIC_PASSED + 1,
					   "no such kind of taken address");
	}
	u->nr_aliases = count(r, 2, "too many aliases");
	u->aliases = array(r, u->nr_aliases, sizeof(*u->aliases));
	for (i = 0; i < u->nr_aliases; i++) {
		u->aliases[i].name = string(r);
		u->aliases[i].target = string(r);
	}
	if (u->flags & UNIT_HELD)
		read_held(r);
}

static uint32_t
counter(struct reader *r, const struct table_procedure *p)
{
	return number(r, (uint64_t)p->nr_counters + 1 + p->follows, "no such counter");
}

static void
read_block(struct reader *r, const struct table_procedure *p, struct table_block *b)
{
	uint32_t i;

	b->counter = counter(r, p);
	b->nr_lines = count(r, 3, "too many lines in a block");
	b->lines = array(r, b->nr_lines, sizeof(*b->lines));
	for (i = 0; i < b->nr_lines; i++) {
		b->lines[i].file = number(r, r->u->nr_files, "no such file");
		b->lines[i].line = position(r);
		b->lines[i].group = number(r, MAX_POSITION, "a group's number is too large");
	}
	b->nr_ranges = count(r, 6, "too many ranges in a block");
	b->ranges = array(r, b->nr_ranges, sizeof(*b->ranges));
	for (i = 0; i < b->nr_ranges; i++) {
		b->ranges[i].kind = number(r, MAX_RANGE_KIND + 1, "no such kind of range");
		b->ranges[i].place = place(r);
	}
}

static void
read_site(struct reader *r, const struct table_procedure *p, struct table_site *s)
{
	uint32_t words, i;

	s->block = number(r, p->nr_blocks, "a call in no block");
	s->kind = number(r, 2, "no such kind of call");
	s->flags = number(r, UINT32_MAX, "flags are too large");
	s->target = s->kind ? type(r) : string(r);
	s->place = place(r);
	s->nr_passed = count(r, 1, "too many passed procedures");
	s->passed = array(r, s->nr_passed, sizeof(*s->passed));
	for (i = 0; i < s->nr_passed; i++)
		s->passed[i] = string(r);
	s->nr_reads = s->flags & SITE_READS ? count(r, 1, "too many procedures in a table") : 0;
	s->reads = array(r, s->nr_reads, sizeof(*s->reads));
	for (i = 0; i < s->nr_reads; i++)
		s->reads[i] = string(r);
	s->made = s->flags & SITE_MAKES ? string(r) : NULL;
	s->held = s->flags & SITE_HELD ? number(r, r->u->nr_held, "no such variable") : 0;
	if (r->u->flags & UNIT_TARGETS) {
		words = read_words(r, r->old ? 2 : TARGET_WORDS);
		s->words = r->old ? 0 : words;
	}
}

/* Older plugins do not tell them. */
static void
read_branches(struct reader *r, struct table_procedure *p)
{
	struct table_branch_edge *e;
	struct table_branch *b;

	if (!(r->u->flags & UNIT_BRANCHES))
		return;
	p->nr_branches = count(r, 8, "too many conditions");
	p->branches = array(r, p->nr_branches, sizeof(*p->branches));
	for (uint32_t i = 0; i < p->nr_branches && !r->failed; i++) {
		b = &p->branches[i];
		b->kind = number(r, MAX_BRANCH_KIND + 1, "no such kind of condition");
		b->number = number(r, MAX_POSITION, "too many conditions at one place");
		b->place = place(r);
		b->nr_edges = count(r, 2, "too many ways");
		b->edges = array(r, b->nr_edges, sizeof(*b->edges));
		for (uint32_t k = 0; k < b->nr_edges; k++) {
			e = &b->edges[k];
			e->way = number(r, b->nr_edges, "no such way");
			e->edge = number(r, p->nr_edges, "a way by no edge");
			e->line = b->kind == KIND_SWITCH ? position(r) : 0;
			e->column = b->kind == KIND_SWITCH ? position(r) : 0;
			b->nr_ways = e->way >= b->nr_ways ? e->way + 1 : b->nr_ways;
		}
	}
	if (r->failed)
		p->nr_branches = 0;
}

static void
read_procedure(struct reader *r, struct table_procedure *p)
{
	uint64_t vertices;
	uint32_t i;

	p->name = string(r);
	p->linkage_name = string(r);
	p->flags = number(r, UINT32_MAX, "flags are too large");
	p->follows = p->flags & FOLLOWS;
	p->wrapper = p->flags & WRAPPER;
	p->flags &= ~(uint32_t)(FOLLOWS | WRAPPER);
	p->signature = type(r);
	p->place = place(r);
	p->first_counter = number(r, (uint64_t)r->u->nr_counters + 1, "no such counter");
	p->nr_counters = number(r, (uint64_t)r->u->nr_counters - p->first_counter + 1,
				"too many counters");
	p->nr_blocks = count(r, 3, "too many blocks");
	p->blocks = array(r, p->nr_blocks, sizeof(*p->blocks));
	for (i = 0; i < p->nr_blocks; i++)
		read_block(r, p, &p->blocks[i]);
	vertices = 1 + 2 * (uint64_t)p->nr_blocks;
	p->nr_edges = count(r, 3, "too many edges");
	p->edges = array(r, p->nr_edges, sizeof(*p->edges));
	for (i = 0; i < p->nr_edges; i++) {
		p->edges[i].from = number(r, vertices, "an edge from nowhere");
		p->edges[i].to = number(r, vertices, "an edge to nowhere");
		p->edges[i].counter = counter(r, p);
	}
	p->nr_sites = count(r, 10, "too many calls");
	p->sites = array(r, p->nr_sites, sizeof(*p->sites));
	for (i = 0; i < p->nr_sites; i++)
		read_site(r, p, &p->sites[i]);
	read_branches(r, p);
}

/* Older plugins wrote no list; then the unit ends here, or with zeros. */
static void
read_left_out(struct reader *r)
{
	struct unit *u = r->u;
	uint32_t i;

	if (r->at == r->end)
		return;
	u->nr_left_out = count(r, 5, "too many procedures left out");
	u->left_out = array(r, u->nr_left_out, sizeof(*u->left_out));
	for (i = 0; i < u->nr_left_out && !r->failed; i++) {
		u->left_out[i].name = string(r);
		u->left_out[i].linkage_name = string(r);
		u->left_out[i].reason = number(r, LEFT_OUT_LAST + 1, "no such reason");
		u->left_out[i].file = number(r, u->nr_files, "no such file");
		u->left_out[i].line = position(r);
	}
	if (r->failed)
		u->nr_left_out = 0;
}

static void
read_patterns(struct reader *r)
{
	struct unit *u = r->u;
	uint32_t i;

	u->nr_patterns = count(r, 2, "too many patterns");
	u->patterns = array(r, u->nr_patterns, sizeof(*u->patterns));
	for (i = 0; i < u->nr_patterns && !r->failed; i++) {
		u->patterns[i].text = string(r);
		u->patterns[i].use = number(r, PATTERN_USED + 1, "no such use of a pattern");
	}
	if (r->failed)
		u->nr_patterns = 0;
}

static void
read_body(struct reader *r)
{
	struct unit *u = r->u;
	uint32_t i;

	read_strings(r);
	read_names(r);
	u->nr_procedures = count(r, 15, "too many procedures");
	u->procedures = array(r, u->nr_procedures, sizeof(*u->procedures));
	for (i = 0; i < u->nr_procedures && !r->failed; i++)
		read_procedure(r, &u->procedures[i]);
	read_left_out(r);
	if (u->flags & UNIT_PATTERNS)
		read_patterns(r);
}

static uint64_t
little_endian(const uint8_t *p, unsigned n)
{
	uint64_t v = 0;

	while (n--)
		v = v << 8 | p[n];
	return v;
}

/* The size that the head at r->start tells, if that can be true with ROOM bytes left; r->at and
 * r->end become the body's. 0: it cannot. */
static uint32_t
read_size(struct reader *r, size_t head, size_t room)
{
	uint32_t size = room < head ? 0 : (uint32_t)little_endian(r->start + 8, 4);

	if (size < head || size > room || size % UNIT_ALIGN) {
		fail(r, "a unit has an impossible size");
		return 0;
	}
	r->at = r->start + head;
	r->end = r->start + size;
	return size;
}

static int
wrong_version(struct reader *r, uint32_t version, int known)
{
	return error_set(r->err, "%s: its tables have version %u, this cgview reads version %d; "
			 "use the cgcc and cgview of one release", r->path, version, known);
}

/* One unit at r->start, of at most ROOM bytes; returns its size, 0 on failure. */
static size_t
read_unit(struct tables *t, struct reader *r, size_t room)
{
	uint32_t version = (uint32_t)little_endian(r->start + 4, 2), size;

	r->old = version == UNIT_OLD_VERSION;
	if (!r->old && version != UNIT_VERSION) {
		wrong_version(r, version, UNIT_VERSION);
		return 0;
	}
	size = read_size(r, UNIT_HEAD, room);
	if (!size)
		return 0;
	GROW(t->units, t->nr + 1, t->alloc);
	r->u = &t->units[t->nr++];
	*r->u = (struct unit){
		.flags = (uint32_t)little_endian(r->start + 6, 2),
		.nr_counters = (uint32_t)little_endian(r->start + 12, 4),
		.counters_address = little_endian(r->start + 16, 8),
	};
	read_body(r);
	return r->failed ? 0 : size;
}

static void
read_joint_counter(struct reader *r, const struct joint_table *j, uint32_t number_of_it)
{
	struct joint_counter *c = &j->counters[number_of_it];
	struct joint_part *p;
	uint32_t i, factor;

	c->nr_parts = count(r, 3, "too many parts of a joint counter");
	c->parts = array(r, c->nr_parts, sizeof(*c->parts));
	for (i = 0; i < c->nr_parts; i++) {
		p = &c->parts[i];
		p->array = number(r, j->nr_arrays, "no such array of counters");
		p->number = number(r, p->array ? UINT32_MAX : number_of_it,
				   "a joint counter has one behind it as a part");
		factor = number(r, UINT32_MAX, "a factor is too large");
		p->factor = factor & 1 ? -(int32_t)(factor / 2) - 1 : (int32_t)(factor / 2);
	}
}

static uint32_t
version_at(const struct reader *r)
{
	return (uint32_t)little_endian(r->start + 4, 2);
}

/* Reads the head that tables of joint counters and of jumps have, at r->start, of a table of this
 * VERSION or the OLDEST that is known, and at most ROOM bytes; returns the table's size, 0 on
 * failure. */
static uint32_t
read_head(struct reader *r, uint32_t oldest, uint32_t version, size_t room)
{
	uint32_t its = version_at(r);

	if (oldest <= its && its <= version)
		return read_size(r, JOINT_HEAD, room);
	wrong_version(r, its, version);
	return 0;
}

/* Reads a table of joint counters at r->start, of at most ROOM bytes; returns its size, 0 on
 * failure. */
static size_t
read_joint(struct tables *t, struct reader *r, size_t room)
{
	uint32_t size = read_head(r, JOINT_VERSION, JOINT_VERSION, room), i;
	struct joint_table *j;

	if (!size)
		return 0;
	GROW(t->joint, t->nr_joint + 1, t->joint_alloc);
	j = &t->joint[t->nr_joint++];
	*j = (struct joint_table){
		.flags = (uint32_t)little_endian(r->start + 6, 2),
		.nr_arrays = (uint32_t)little_endian(r->start + 12, 4),
	};
	if (!j->nr_arrays || j->nr_arrays > (size - JOINT_HEAD) / 8) {
		fail(r, "too many arrays of counters");
		return 0;
	}
	j->arrays = array(r, j->nr_arrays, sizeof(*j->arrays));
	for (i = 0; i < j->nr_arrays; i++, r->at += 8)
		j->arrays[i] = little_endian(r->at, 8);
	j->nr_counters = count(r, 1, "too many joint counters");
	j->counters = array(r, j->nr_counters, sizeof(*j->counters));
	for (i = 0; i < j->nr_counters; i++)
		read_joint_counter(r, j, i);
	return r->failed ? 0 : size;
}

/* Reads a table of calls that may have become jumps. Returns its size, 0 on failure. */
static size_t
read_jumps(struct tables *t, struct reader *r, size_t room)
{
	uint32_t size = read_head(r, JUMPS_OLD_VERSION, JUMPS_VERSION, room), nr;
	struct table_jump *j;

	if (!size)
		return 0;
	nr = (uint32_t)little_endian(r->start + 12, 4);
	for (uint32_t i = 0; i < nr && !r->failed; i++) {
		GROW(t->jumps, t->nr_jumps + 1, t->jumps_alloc);
		j = &t->jumps[t->nr_jumps++];
		j->from = text(r);
		j->through_pointer = number(r, 2, "no such kind of jump");
		j->to = text(r);
		j->line = j->column = 0;
		if (version_at(r) == JUMPS_OLD_VERSION)
			continue;
		j->line = number(r, MAX_POSITION, "a line is too large");
		j->column = number(r, MAX_POSITION, "a column is too large");
	}
	return r->failed ? 0 : size;
}

static size_t
read_table(struct tables *t, struct reader *r, size_t room)
{
	uint64_t magic = room < JOINT_HEAD ? 0 : little_endian(r->start, 4);

	r->at = r->start;
	r->end = r->start + room;
	if (magic == UNIT_MAGIC)
		return read_unit(t, r, room);
	if (magic == JOINT_MAGIC)
		return read_joint(t, r, room);
	if (magic == JUMPS_MAGIC)
		return read_jumps(t, r, room);
	fail(r, "no head of a unit where one must be");
	return 0;
}

int
tables_parse(struct tables *t, const uint8_t *data, size_t size, const char *path,
	     struct error *err)
{
	struct reader r;
	size_t at = 0, n;

	*t = (struct tables){ .arena = ARENA_INIT };
	while (at < size) {
		if (!data[at]) { /* between units */
			at++;
			continue;
		}
		r = (struct reader){
			.path = path, .unit = t->nr + t->nr_joint + 1, .start = data + at,
			.err = err, .arena = &t->arena,
		};
		n = read_table(t, &r, size - at);
		if (!n)
			return -1;
		at += n;
	}
	return 0;
}

void
tables_release(struct tables *t)
{
	free(t->units);
	free(t->joint);
	free(t->jumps);
	arena_release(&t->arena);
	*t = (struct tables){ .arena = ARENA_INIT };
}

struct words { uint64_t *offsets; size_t nr, alloc; };

static void
add_words(struct words *w, const struct unit *u, uint64_t address, uint32_t counter)
{
	if (!counter)
		return;
	GROW(w->offsets, w->nr + 1, w->alloc);
	w->offsets[w->nr++] = u->counters_address - address + 8 * ((uint64_t)counter - 1);
}

static int
compare_offsets(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

size_t
tables_words(const struct tables *t, uint64_t address, uint64_t **offsets)
{
	struct words w = { .nr = 0 };

	for (size_t i = 0; i < t->nr; i++) {
		const struct unit *u = &t->units[i];

		for (uint32_t k = 0; k < u->nr_held; k++)
			for (uint32_t n = 0; n < u->held[k].nr_words; n++)
				add_words(&w, u, address, u->held[k].words[n]);
		for (uint32_t k = 0; k < u->nr_procedures; k++)
			for (uint32_t n = 0; n < u->procedures[k].nr_sites; n++)
				add_words(&w, u, address, u->procedures[k].sites[n].words);
	}
	if (w.nr)
		qsort(w.offsets, w.nr, sizeof(*w.offsets), compare_offsets);
	*offsets = w.offsets;
	return w.nr;
}
