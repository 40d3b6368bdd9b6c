/* Writes a made-up but plausible profile of a given size: for tests of the browser, of the reports
 * and of speed. The same arguments give the same profile. The source texts are real C, and the
 * ranges lie on their expressions.
 *
 * Procedures call procedures with higher numbers, so counts and times add up exactly: entries =
 * sum of the arcs in, total = self + share of the callees. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/model.h"
#include "db/store/writer.h"
#include "util/error.h"

enum { INTERVAL_NS = 1000000, HEAD_LINES = 3, TAIL_LINES = 2, MIN_LINES = 8, MAX_DEPTH = 40 };

struct options { uint64_t procedures, ranges, lines, files; int odd; };

struct maker {
	struct options o;
	struct model m;
	struct strbuf *texts;        /* per file */
	uint32_t *line;              /* per file: lines written */
	uint64_t random;
	uint64_t ranges_left, procedures_left;
};

static uint64_t
random_below(struct maker *k, uint64_t n)
{
	k->random = k->random * 6364136223846793005u + 1442695040888963407u;
	return n ? (k->random >> 33) % n : 0;
}

/* Most are small, few are huge, as in programs. */
static uint64_t
random_count(struct maker *k)
{
	uint64_t v = 1 + random_below(k, 9);

	for (uint64_t i = random_below(k, 7); i > 0; i--)
		v *= 1 + random_below(k, 20);
	return random_below(k, 8) == 0 ? 0 : v;
}

static void
add_line(struct maker *k, model_id file, const char *text)
{
	strbuf_str(&k->texts[file - 1], text);
	strbuf_char(&k->texts[file - 1], '\n');
	k->line[file - 1]++;
}

static struct place
place_on(model_id file, uint32_t line, size_t column, size_t length)
{
	return (struct place){ file, line, (uint32_t)column, line,
			       (uint32_t)(column + length - 1) };
}

static model_id
add_block(struct maker *k, model_id procedure, struct place place, uint64_t count)
{
	struct model_block *b = MODEL_ADD(&k->m, blocks);
	static model_id of;
	static uint32_t number;

	number = of == procedure ? number + 1 : 0;
	of = procedure;
	*b = (struct model_block){ .procedure = procedure, .number = number, .place = place,
				   .count = count };
	k->m.procedures[procedure - 1].self_work += count;
	return (model_id)k->m.nr_blocks;
}

static void
add_range(struct maker *k, model_id block, enum range_kind kind, struct place place)
{
	struct model_range *r = MODEL_ADD(&k->m, ranges);

	r->block = block;
	r->kind = kind;
	r->place = place;
	if (k->ranges_left)
		k->ranges_left--;
}

static void
add_arc(struct maker *k, model_id site, model_id callee, enum arc_how how, uint64_t count,
	uint64_t lo, uint64_t hi)
{
	*MODEL_ADD(&k->m, arcs) = (struct model_arc){
		.site = site, .callee = callee, .how = how, .count = count, .lo = lo, .hi = hi,
	};
}

/* A direct call of a later procedure. */
static void
add_direct(struct maker *k, model_id caller, model_id block, struct place place, model_id callee)
{
	struct model_site *s = MODEL_ADD(&k->m, sites);
	uint64_t count = k->m.blocks[block - 1].count;

	s->procedure = caller;
	s->block = block;
	s->kind = SITE_DIRECT;
	s->place = place;
	s->target = k->m.procedures[callee - 1].linkage_name;
	s->count = count;
	add_arc(k, (model_id)k->m.nr_sites, callee, ARC_SOLVED, count, count, count);
}

/* A call through a pointer: three candidates share the count, one of them outside. */
static void
add_indirect(struct maker *k, model_id caller, model_id block, struct place place, model_id callee)
{
	struct model_site *s = MODEL_ADD(&k->m, sites);
	uint64_t count = k->m.blocks[block - 1].count, third = count / 3;
	model_id last = (model_id)k->o.procedures, other = callee < last ? callee + 1 : callee;
	model_id site;

	s->procedure = caller;
	s->block = block;
	s->kind = SITE_INDIRECT;
	s->place = place;
	s->target = "i4(i4)";
	s->count = count;
	site = (model_id)k->m.nr_sites;
	add_arc(k, site, callee, ARC_ESTIMATED, count - 2 * third, 0, count);
	add_arc(k, site, other, ARC_ESTIMATED, third, 0, count);
	add_arc(k, site, 0, ARC_ESTIMATED, third, 0, count);
	k->m.procedures[callee - 1].flags |= PROCEDURE_TAKEN;
	k->m.procedures[other - 1].flags |= PROCEDURE_TAKEN;
}

/* The bodies: a text, its expressions from the widest to the narrowest, and its call, if any. */
static const struct statement {
	const char *text;
	const char *ranges[5];
	const char *call;
	int indirect;
} statements[] = {
	{ "\ta = table[b & 255] + (a << 3);",
	  { "a = table[b & 255] + (a << 3)", "table[b & 255]", "(a << 3)" }, NULL, 0 },
	{ "\tif (a > b && b != 7)", { "a > b && b != 7", "a > b", "b != 7" }, NULL, 0 },
	{ "\t\tb -= a;", { "b -= a" }, NULL, 0 },
	{ "\tfor (int i = 0; i < a; i++)", { "int i = 0", "i < a", "i++" }, NULL, 0 },
	{ "\t\tb += %s(i, b);", { "b += %s(i, b)", "%s(i, b)" }, "%s(i, b)", 0 },
	{ "\tb = a > 3 ? b + 1 : MAX(a, b);",
	  { "b = a > 3 ? b + 1 : MAX(a, b)", "a > 3", "b + 1", "MAX(a, b)" }, NULL, 0 },
	{ "\ta += handler[b & 7](a);",
	  { "a += handler[b & 7](a)", "handler[b & 7](a)" }, "handler[b & 7](a)", 1 },
	{ "\t/* \xc3\xa9tape suivante */", { NULL }, NULL, 0 },
	{ "\tdo_nothing((a), \"\xe2\x88\x9a\");", { "do_nothing((a), \"\xe2\x88\x9a\")" },
	  NULL, 0 },
};
enum { NR_STATEMENTS = sizeof(statements) / sizeof(statements[0]) };

static char *
with_name(const char *template, const char *name)
{
	const char *gap = strstr(template, "%s");
	struct strbuf sb = STRBUF_INIT;

	if (!gap)
		return xstrdup(template);
	strbuf_add(&sb, template, (size_t)(gap - template));
	strbuf_str(&sb, name);
	strbuf_str(&sb, gap + 2);
	return strbuf_take(&sb);
}

static struct place
find_place(const char *line, model_id file, uint32_t number, const char *template, const char *name)
{
	char *part = with_name(template, name);
	const char *at = strstr(line, part);
	struct place place = place_on(file, number, at ? (size_t)(at - line) + 1 : 1, strlen(part));

	free(part);
	return place;
}

static void
make_line(struct maker *k, model_id file, uint32_t line, uint64_t count)
{
	struct model_line *l = MODEL_ADD(&k->m, lines);

	l->file = file;
	l->line = line;
	l->count = count;
}

/* One line of a body: its text, a block, its call; ranges as long as the quota lasts. */
static void
make_statement(struct maker *k, model_id caller, model_id file, const struct statement *s,
	       uint64_t count, uint64_t *quota)
{
	model_id last = (model_id)k->o.procedures;
	model_id callee = caller < last ? caller + 1 +
		(model_id)random_below(k, last - caller < 50 ? last - caller : 50) : 0;
	const char *name = callee ? k->m.procedures[callee - 1].linkage_name : "do_nothing";
	char *text = with_name(s->text, name);
	uint32_t line;
	model_id block;

	add_line(k, file, text);
	line = k->line[file - 1];
	if (s->ranges[0] && *quota) {
		block = add_block(k, caller, find_place(text, file, line, s->ranges[0], name),
				  count);
		make_line(k, file, line, count);
		for (int i = 0; i < 5 && s->ranges[i] && *quota; i++, --*quota) {
			enum range_kind kind = strncmp(s->ranges[i], "MAX", 3) == 0 ? RANGE_MACRO :
				i ? RANGE_OPERAND : RANGE_STATEMENT;

			if (i && s->ranges[i + 1 < 5 ? i + 1 : 4]) {
				uint64_t part = count - count / (uint64_t)(i + 1);

				block = add_block(k, caller, find_place(text, file, line,
							s->ranges[i], name), part);
			}
			add_range(k, block, kind, find_place(text, file, line, s->ranges[i], name));
		}
		if (s->call && callee)
			(s->indirect ? add_indirect : add_direct)(k, caller, block,
				find_place(text, file, line, s->call, name), callee);
	}
	free(text);
}

static void
name_procedures(struct maker *k)
{
	static const char *const odd[] = {
		"escape\x1b[31mred", "bad\xff\xfeutf8", "quote\"comma,name", "line\nbreak",
		"bidi\xe2\x80\xae" "evil", "\xc3\xa9t\xc3\xa9<std::pair<int, char>>", "=1+2",
	};
	char name[60];

	for (uint64_t i = 0; i < k->o.procedures; i++) {
		struct model_procedure *p = MODEL_ADD(&k->m, procedures);

		snprintf(name, sizeof(name), i ? "procedure_%llu" : "main", (unsigned long long)i);
		p->linkage_name = arena_strdup(&k->m.arena, name);
		p->name = p->linkage_name;
		if (k->o.odd && i && i <= sizeof(odd) / sizeof(odd[0]))
			p->name = odd[i - 1];
		p->module = "/tmp/made-up/program";
		p->flags = i ? i % 3 == 0 ? PROCEDURE_STATIC : 0 : PROCEDURE_MAIN;
		p->code_bytes = (uint32_t)(40 + random_below(k, 4000));
		p->self_ns = random_count(k) * 997;
		p->self_samples = (p->self_ns + INTERVAL_NS / 2) / INTERVAL_NS;
	}
}

static void
make_procedure(struct maker *k, model_id id, model_id file, uint32_t lines)
{
	struct model_procedure *p = &k->m.procedures[id - 1];
	const char *name = p->linkage_name;
	uint64_t quota = k->ranges_left / k->procedures_left, count = id == 1 ? 1 : random_count(k);
	uint32_t first, body = lines - HEAD_LINES - TAIL_LINES;
	char *head = xasprintf("%s(int a, int b)", name);
	struct place place;
	model_id block;

	add_line(k, file, id % 3 == 1 && id > 1 ? "static int" : "int");
	add_line(k, file, head);
	first = k->line[file - 1];
	add_line(k, file, "{");
	place = (struct place){ file, first, 1, first + body + 2, 1 };
	k->m.procedures[id - 1].place = place;
	block = add_block(k, id, place_on(file, first, 1, strlen(name)), count);
	make_line(k, file, first, count);
	if (quota) {
		add_range(k, block, RANGE_PROCEDURE, place);
		quota--;
	}
	for (uint32_t i = 0; i < body; i++) {
		const struct statement *s = &statements[(i + id) % NR_STATEMENTS];

		if (random_below(k, 4) == 0)
			count = id == 1 ? random_below(k, 3) : random_count(k);
		make_statement(k, id, file, s, count, &quota);
	}
	add_line(k, file, "}");
	add_line(k, file, "");
	k->procedures_left--;
	free(head);
}

/* Entries from the arcs; who is never called is called from outside. */
static void
count_entries(struct maker *k)
{
	for (size_t i = 0; i < k->m.nr_arcs; i++) {
		const struct model_arc *a = &k->m.arcs[i];

		if (a->callee)
			k->m.procedures[a->callee - 1].calls += a->count;
	}
	for (size_t i = 0; i < k->m.nr_procedures; i++) {
		if (i && k->m.procedures[i].calls)
			continue;
		k->m.procedures[i].calls++;
		add_arc(k, 0, (model_id)i + 1, ARC_SOLVED, 1, 1, 1);
	}
}

static uint64_t
arc_time(const struct model *m, const struct model_arc *a)
{
	const struct model_procedure *p = a->callee ? &m->procedures[a->callee - 1] : NULL;

	return p && p->calls ?
	       (uint64_t)((unsigned __int128)p->propagated_ns * a->count / p->calls) : 0;
}

/* Callees have higher numbers: backwards, every callee is complete when its callers ask. */
static void
propagate_times(struct maker *k)
{
	struct model *m = &k->m;
	size_t *first = xcalloc(m->nr_procedures + 2, sizeof(*first));
	size_t arc = 0;

	for (size_t i = 1; i <= m->nr_procedures; i++) {
		first[i] = arc;
		while (arc < m->nr_arcs && m->arcs[arc].site &&
		       m->sites[m->arcs[arc].site - 1].procedure == i)
			arc++;
	}
	first[m->nr_procedures + 1] = arc;
	for (size_t i = m->nr_procedures; i > 0; i--) {
		struct model_procedure *p = &m->procedures[i - 1];

		p->propagated_ns = p->self_ns;
		for (size_t j = first[i]; j < first[i + 1]; j++) {
			m->arcs[j].propagated_ns = arc_time(m, &m->arcs[j]);
			m->sites[m->arcs[j].site - 1].propagated_ns += m->arcs[j].propagated_ns;
			p->propagated_ns += m->arcs[j].propagated_ns;
		}
		p->propagated_lo_ns = p->propagated_hi_ns = p->propagated_ns;
	}
	for (size_t j = arc; j < m->nr_arcs; j++)
		m->arcs[j].propagated_ns = arc_time(m, &m->arcs[j]);
	free(first);
}

/* Each procedure's time on its own lines, blocks and ranges: all on one, so that sums agree. */
static void
place_times(struct maker *k)
{
	struct model *m = &k->m;
	size_t block = 0, range = 0, line = 0;

	for (size_t i = 0; i < m->nr_procedures; i++) {
		const struct model_procedure *p = &m->procedures[i];

		while (block < m->nr_blocks && m->blocks[block].procedure <= i)
			block++;
		while (range < m->nr_ranges && m->blocks[m->ranges[range].block - 1].procedure <= i)
			range++;
		while (line < m->nr_lines && (m->lines[line].file != p->place.file ||
					      m->lines[line].line < p->place.line))
			line++;
		if (block < m->nr_blocks && m->blocks[block].procedure == i + 1) {
			m->blocks[block].self_ns = p->self_ns;
			m->blocks[block].self_samples = p->self_samples;
		}
		if (range < m->nr_ranges &&
		    m->blocks[m->ranges[range].block - 1].procedure == i + 1) {
			m->ranges[range].self_ns = p->self_ns;
			m->ranges[range].self_samples = p->self_samples;
		}
		if (line < m->nr_lines && m->lines[line].file == p->place.file) {
			m->lines[line].self_ns = p->self_ns;
			m->lines[line].self_samples = p->self_samples;
		}
	}
}

/* A calling-context tree in which every procedure stands once, below the caller of its first
 * arc. */
static void
make_contexts(struct maker *k)
{
	struct model *m = &k->m;
	uint32_t *depth = xcalloc(m->nr_procedures, sizeof(*depth));

	for (size_t i = 0; i < m->nr_procedures; i++) {
		struct model_context *c = MODEL_ADD(m, contexts);

		c->procedure = (model_id)i + 1;
		c->self_samples = c->total_samples = m->procedures[i].self_samples;
		c->self_ns = c->total_ns = c->self_samples * INTERVAL_NS;
	}
	for (size_t i = 0; i < m->nr_arcs; i++) {
		const struct model_arc *a = &m->arcs[i];
		model_id caller = a->site ? m->sites[a->site - 1].procedure : 0;
		struct model_context *c = a->callee ? &m->contexts[a->callee - 1] : NULL;

		if (!c || c->parent || !caller || depth[caller - 1] >= MAX_DEPTH)
			continue;
		depth[a->callee - 1] = depth[caller - 1] + 1;
		c->parent = caller;
		c->site = a->site;
	}
	for (size_t i = m->nr_contexts; i-- > 0;) {
		const struct model_context *c = &m->contexts[i];

		if (c->parent) {
			m->contexts[c->parent - 1].total_samples += c->total_samples;
			m->contexts[c->parent - 1].total_ns += c->total_ns;
		}
		m->procedures[i].total_samples = c->total_samples;
		m->procedures[i].total_ns = c->total_samples * INTERVAL_NS;
	}
	free(depth);
}

static void
make_run(struct maker *k)
{
	struct model_run *r = MODEL_ADD(&k->m, runs);
	struct model_thread *t;

	for (size_t i = 0; i < k->m.nr_procedures; i++) {
		r->cpu_ns += k->m.procedures[i].self_ns;
		r->samples += k->m.procedures[i].self_samples;
	}
	r->command = "./program --size 3 'a file'";
	r->directory = "/tmp/made-up";
	r->program = "/tmp/made-up/program";
	r->build_id = "0123456789abcdef0123456789abcdef01234567";
	r->host = "example";
	r->started_ns = 1700000000000000000;
	r->user_ns = r->cpu_ns;
	r->wall_ns = r->cpu_ns + r->cpu_ns / 10;
	r->asked_interval_ns = r->interval_ns = INTERVAL_NS;
	r->processes = 1;
	for (uint32_t i = 0; i < 2; i++) {
		t = MODEL_ADD(&k->m, threads);
		t->run = 1;
		t->pid = 4242;
		t->tid = 4242 + i;
		t->cpu_ns = i ? r->cpu_ns - r->cpu_ns / 2 : r->cpu_ns / 2;
		t->samples = i ? r->samples - r->samples / 2 : r->samples / 2;
	}
	model_note(&k->m, "samples", "this profile is made up: %llu procedures, %llu lines",
		   (unsigned long long)k->o.procedures, (unsigned long long)k->o.lines);
}

static uint64_t
hash_text(const char *s, size_t n)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (unsigned char)s[i]) * 1099511628211u;
	return h;
}

/* Four fifths of the procedures in the first file, the rest spread over the others. */
static void
make_sources(struct maker *k)
{
	uint64_t main_share = k->o.files > 1 ? k->o.procedures * 4 / 5 : k->o.procedures;

	main_share += !main_share;
	for (uint64_t i = 0; i < k->o.procedures; i++) {
		model_id file = i < main_share ? 1 :
			2 + (model_id)((i - main_share) * (k->o.files - 1) /
				       (k->o.procedures - main_share));
		uint64_t begin = k->o.lines * i / k->o.procedures;
		uint64_t lines = k->o.lines * (i + 1) / k->o.procedures - begin;

		make_procedure(k, (model_id)i + 1, file,
			       lines < MIN_LINES ? MIN_LINES : (uint32_t)lines);
	}
	for (uint64_t i = 0; i < k->o.files; i++) {
		struct model_file *f = &k->m.files[i];

		f->text = k->texts[i].buf;
		f->size = k->texts[i].len;
		f->lines = k->line[i];
		f->hash = hash_text(f->text, f->size);
		f->state = FILE_STORED;
	}
	/* One whose source was not found. */
	MODEL_ADD(&k->m, files)->path = "/tmp/made-up/lost.c";
	k->m.files[k->m.nr_files - 1].state = FILE_MISSING;
}

static void
name_files(struct maker *k)
{
	static const char *const names[] = { "big.c", "util/list.c", "parse.c" };
	char name[80];

	for (uint64_t i = 0; i < k->o.files; i++) {
		if (i < 3)
			snprintf(name, sizeof(name), "/tmp/made-up/%s", names[i]);
		else
			snprintf(name, sizeof(name), "/tmp/made-up/part%llu.c",
				 (unsigned long long)i);
		MODEL_ADD(&k->m, files)->path = arena_strdup(&k->m.arena, name);
	}
}

static int
make(const char *path, const struct options *o)
{
	struct maker k = { .o = *o, .random = 20240229, .ranges_left = o->ranges,
			   .procedures_left = o->procedures };
	struct error err = ERROR_INIT;

	model_init(&k.m);
	k.texts = xcalloc(o->files, sizeof(*k.texts));
	k.line = xcalloc(o->files, sizeof(*k.line));
	for (uint64_t i = 0; i < o->files; i++)
		strbuf_init(&k.texts[i]);
	name_files(&k);
	name_procedures(&k);
	make_sources(&k);
	count_entries(&k);
	propagate_times(&k);
	place_times(&k);
	make_contexts(&k);
	make_run(&k);
	if (profile_write(path, &k.m, NULL, &err))
		die(1, "%s", err.text);
	for (uint64_t i = 0; i < o->files; i++)
		strbuf_release(&k.texts[i]);
	free(k.texts);
	free(k.line);
	model_release(&k.m);
	return 0;
}

static uint64_t
number(const char *text)
{
	char *end;
	uint64_t v = strtoull(text, &end, 10);

	if (!v || *end || v > 20000000)
		die(2, "not a number from 1 to 20,000,000: %s", text);
	return v;
}

int
main(int argc, char **argv)
{
	static const struct option table[] = {
		{ "procedures", required_argument, NULL, 'p' },
		{ "ranges", required_argument, NULL, 'r' },
		{ "lines", required_argument, NULL, 'l' },
		{ "files", required_argument, NULL, 'f' },
		{ "odd", no_argument, NULL, 'o' }, /* names that hurt terminals and parsers */
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .procedures = 50, .ranges = 1000, .lines = 1000, .files = 3 };
	int c;

	error_program("make-profile");
	while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
		switch (c) {
		case 'p': o.procedures = number(optarg); break;
		case 'r': o.ranges = number(optarg); break;
		case 'l': o.lines = number(optarg); break;
		case 'f': o.files = number(optarg); break;
		case 'o': o.odd = 1; break;
		default: die(2, "usage: make-profile OUT.db [--procedures N] [--ranges N] "
				"[--lines N] [--files N] [--odd]");
		}
	}
	if (optind != argc - 1)
		die(2, "usage: make-profile OUT.db [--procedures N] [--ranges N] [--lines N]");
	return make(argv[optind], &o);
}
