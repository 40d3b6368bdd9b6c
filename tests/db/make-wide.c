/* Writes a profile in which everything is many that is few in most programs: main calls N
 * procedures, each of them calls `hub`, and that calls N others, each by the macro TO(). Stacks
 * were sampled through all of them. Besides: a cycle of many, many small cycles, threads, runs,
 * files, notes, and a line of many expressions. For tests of what a key costs. The same arguments
 * give the same profile; counts and times add up exactly. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/model/model.h"
#include "db/store/writer.h"
#include "util/error.h"

enum { INTERVAL_NS = 1000000, MAIN = 1, HUB = 2 };

struct options { uint64_t wide, ring, pairs, threads, runs, files, notes, expressions; };

struct maker {
	struct options o;
	struct model m;
	struct strbuf text;          /* of the one file that has any */
	uint32_t line;               /* lines written */
	uint32_t number;             /* of blocks of the procedure that is written */
};

/* ---- parts ---- */

/* TEXT (after a tab, unless it is at the margin) becomes a line; returns its place without tab. */
static struct place
add_line(struct maker *k, const char *text)
{
	uint32_t column = text[0] == '\t' ? 2 : 1;

	strbuf_str(&k->text, text);
	strbuf_char(&k->text, '\n');
	k->line++;
	return (struct place){ 1, k->line, column, k->line,
			       (uint32_t)strlen(text) };
}

static model_id
add_block(struct maker *k, model_id procedure, struct place place, uint64_t count)
{
	*MODEL_ADD(&k->m, blocks) = (struct model_block){
		.procedure = procedure, .number = k->number++, .place = place, .count = count,
	};
	return (model_id)k->m.nr_blocks;
}

static void
add_range(struct maker *k, model_id block, enum range_kind kind, struct place place)
{
	*MODEL_ADD(&k->m, ranges) = (struct model_range){ .block = block, .kind = kind,
							  .place = place };
}

static void
count_line(struct maker *k, uint32_t line, uint64_t count)
{
	*MODEL_ADD(&k->m, lines) = (struct model_line){ .file = 1, .line = line, .count = count };
}

static model_id
add_procedure(struct maker *k, const char *name, uint64_t calls, uint64_t self_samples)
{
	struct model_procedure *p = MODEL_ADD(&k->m, procedures);

	p->name = p->linkage_name = arena_strdup(&k->m.arena, name);
	p->module = "/tmp/made-up/wide";
	p->flags = k->m.nr_procedures == MAIN ? PROCEDURE_MAIN : 0;
	p->code_bytes = 64;
	p->calls = calls;
	p->self_samples = self_samples;
	p->self_ns = p->propagated_ns = self_samples * INTERVAL_NS;
	return (model_id)k->m.nr_procedures;
}

/* The head of a procedure; its body follows. */
static void
begin_body(struct maker *k, model_id id)
{
	struct model_procedure *p = &k->m.procedures[id - 1];
	char head[80];
	model_id block;

	snprintf(head, sizeof(head), "int %s(int x) {", p->name);
	k->number = 0;
	p->place = add_line(k, head);
	p->place.column = 5;
	block = add_block(k, id, p->place, p->calls);
	k->m.blocks[block - 1].self_ns = p->self_ns;
	k->m.blocks[block - 1].self_samples = p->self_samples;
	add_range(k, block, RANGE_PROCEDURE, p->place);
	k->m.ranges[k->m.nr_ranges - 1].self_ns = p->self_ns;
	k->m.ranges[k->m.nr_ranges - 1].self_samples = p->self_samples;
	count_line(k, k->line, p->calls);
	k->m.lines[k->m.nr_lines - 1].self_ns = p->self_ns;
	k->m.lines[k->m.nr_lines - 1].self_samples = p->self_samples;
}

static void
end_body(struct maker *k, model_id id)
{
	struct model_procedure *p = &k->m.procedures[id - 1];

	add_line(k, "}");
	p->place.end_line = k->line;
	p->place.end_column = 1;
	for (size_t i = k->m.nr_ranges; i-- > 0;) {
		if (k->m.ranges[i].kind == RANGE_PROCEDURE) {
			k->m.ranges[i].place = p->place;
			return;
		}
	}
}

/* A line of the body that calls CALLEE. */
static void
add_call(struct maker *k, model_id caller, model_id callee, uint64_t count, const char *format)
{
	struct model_site *s;
	struct place place;
	char text[80];
	model_id block;

	snprintf(text, sizeof(text), format, k->m.procedures[callee - 1].name);
	place = add_line(k, text);
	place.end_column--; /* the semicolon */
	block = add_block(k, caller, place, count);
	add_range(k, block, strstr(text, "TO(") ? RANGE_MACRO : RANGE_STATEMENT, place);
	count_line(k, k->line, count);
	s = MODEL_ADD(&k->m, sites);
	*s = (struct model_site){
		.procedure = caller, .block = block, .kind = SITE_DIRECT, .place = place,
		.target = k->m.procedures[callee - 1].linkage_name, .count = count,
	};
	*MODEL_ADD(&k->m, arcs) = (struct model_arc){
		.site = (model_id)k->m.nr_sites, .callee = callee, .how = ARC_SOLVED,
		.count = count, .lo = count, .hi = count,
	};
}

/* ---- the program ---- */

static uint64_t
calls_of(uint64_t i)
{
	return 1 + i % 5;
}

static model_id
from(uint64_t i)
{
	return (model_id)(HUB + 1 + i);
}

static model_id
to(const struct maker *k, uint64_t i)
{
	return (model_id)(HUB + 1 + k->o.wide + i);
}

static model_id
ring(const struct maker *k, uint64_t i)
{
	return (model_id)(HUB + 1 + 2 * k->o.wide + i % k->o.ring);
}

static model_id
pair(const struct maker *k, uint64_t i)
{
	return (model_id)(HUB + 1 + 2 * k->o.wide + k->o.ring + i);
}

static void
name_procedures(struct maker *k)
{
	uint64_t n = k->o.wide, sum = 0;
	char name[40];

	for (uint64_t i = 0; i < n; i++)
		sum += calls_of(i);
	add_procedure(k, "main", 1, 3);
	add_procedure(k, "hub", sum, 5);
	for (uint64_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "from_%llu", (unsigned long long)i);
		add_procedure(k, name, 1, i % 3);
	}
	for (uint64_t i = 0; i < n; i++) {
		snprintf(name, sizeof(name), "to_%llu", (unsigned long long)i);
		add_procedure(k, name, calls_of(i), 1 + i % 97);
	}
	for (uint64_t i = 0; i < k->o.ring; i++) {
		snprintf(name, sizeof(name), "ring_%llu", (unsigned long long)i);
		add_procedure(k, name, i ? 1 : 2, 1 + i % 7);
	}
	for (uint64_t i = 0; i < 2 * k->o.pairs; i++) {
		snprintf(name, sizeof(name), "pair_%llu", (unsigned long long)i);
		add_procedure(k, name, i % 2 ? 1 : 2, 1);
	}
}

/* Expressions side by side on one line of main. */
static void
add_long_line(struct maker *k)
{
	struct strbuf s = STRBUF_INIT;
	struct place place;
	model_id block;

	strbuf_char(&s, '\t');
	for (uint64_t i = 0; i < k->o.expressions; i++)
		strbuf_str(&s, "x += 1;");
	place = add_line(k, s.buf);
	strbuf_release(&s);
	count_line(k, k->line, 1);
	for (uint64_t i = 0; i < k->o.expressions; i++) {
		place.column = (uint32_t)(2 + 7 * i);
		place.end_column = place.column + 5;
		block = add_block(k, MAIN, place, 1 + i);
		add_range(k, block, RANGE_STATEMENT, place);
	}
}

static void
write_program(struct maker *k)
{
	uint64_t n = k->o.wide;
	struct place place = add_line(k, "#define TO(f) f(x)");
	model_id id;
	size_t hub;

	place.column = 15;
	begin_body(k, MAIN);
	add_long_line(k);
	for (uint64_t i = 0; i < n; i++)
		add_call(k, MAIN, from(i), 1, "\t%s(x);");
	if (k->o.ring)
		add_call(k, MAIN, ring(k, 0), 1, "\t%s(x);");
	for (uint64_t i = 0; i < k->o.pairs; i++)
		add_call(k, MAIN, pair(k, 2 * i), 1, "\t%s(x);");
	end_body(k, MAIN);
	begin_body(k, HUB);
	hub = k->m.nr_ranges;
	for (uint64_t i = 0; i < n; i++)
		add_call(k, HUB, to(k, i), calls_of(i), "\tTO(%s);");
	end_body(k, HUB);
	for (uint64_t i = 0; i < n; i++) {
		begin_body(k, from(i));
		add_call(k, from(i), HUB, calls_of(i), "\t%s(x);");
		end_body(k, from(i));
	}
	for (uint64_t i = 0; i < n; i++) {
		begin_body(k, to(k, i));
		end_body(k, to(k, i));
	}
	for (uint64_t i = 0; i < k->o.ring; i++) {
		begin_body(k, ring(k, i));
		add_call(k, ring(k, i), ring(k, i + 1), 1, "\t%s(x);");
		end_body(k, ring(k, i));
	}
	for (uint64_t i = 0; i < 2 * k->o.pairs; i++) {
		id = pair(k, i);
		begin_body(k, id);
		add_call(k, id, pair(k, i ^ 1), 1, "\t%s(x);");
		end_body(k, id);
	}
	/* The definition's pieces are ranges of whoever uses it. */
	add_range(k, k->m.ranges[hub].block, RANGE_MACRO_DEFINITION, place);
}

/* ---- cycles and times ---- */

static uint64_t
add_cycle(struct maker *k, model_id first, uint64_t nr)
{
	struct model_cycle *c = MODEL_ADD(&k->m, cycles);
	uint32_t number = (uint32_t)k->m.nr_cycles;

	c->procedures = (uint32_t)nr;
	c->members = k->m.procedures[first - 1].name;
	c->inner_calls = nr;
	c->outer_calls = 1;
	for (uint64_t i = 0; i < nr; i++) {
		k->m.procedures[first - 1 + i].cycle = number;
		c->self_ns += k->m.procedures[first - 1 + i].self_ns;
	}
	c->propagated_ns = c->self_ns;
	return c->propagated_ns;
}

static void
bring(struct maker *k, size_t arc, uint64_t ns)
{
	struct model_arc *a = &k->m.arcs[arc];

	a->propagated_ns = ns;
	k->m.sites[a->site - 1].propagated_ns = ns;
	k->m.procedures[k->m.sites[a->site - 1].procedure - 1].propagated_ns += ns;
}

/* Arcs of main, those of hub, and then those of the others, as they were written. */
static void
propagate(struct maker *k)
{
	uint64_t n = k->o.wide, hub_calls = k->m.procedures[HUB - 1].calls, given = 0, calls = 0;
	uint64_t hub, part;
	size_t of_main = n + !!k->o.ring + k->o.pairs, arc = 0;

	for (uint64_t i = 0; i < n; i++)
		bring(k, of_main + i, k->m.procedures[to(k, i) - 1].self_ns);
	hub = k->m.procedures[HUB - 1].propagated_ns;
	for (uint64_t i = 0; i < n; i++) {
		calls += calls_of(i);
		part = (uint64_t)((unsigned __int128)hub * calls / hub_calls) - given;
		given += part;
		bring(k, of_main + n + i, part);
	}
	for (uint64_t i = 0; i < n; i++)
		bring(k, arc++, k->m.procedures[from(i) - 1].propagated_ns);
	if (k->o.ring)
		bring(k, arc++, add_cycle(k, ring(k, 0), k->o.ring));
	for (uint64_t i = 0; i < k->o.pairs; i++)
		bring(k, arc++, add_cycle(k, pair(k, 2 * i), 2));
	*MODEL_ADD(&k->m, arcs) = (struct model_arc){
		.callee = MAIN, .how = ARC_SOLVED, .count = 1, .lo = 1, .hi = 1,
		.propagated_ns = k->m.procedures[0].propagated_ns,
	};
	for (size_t i = 0; i < k->m.nr_procedures; i++) {
		struct model_procedure *p = &k->m.procedures[i];

		p->propagated_lo_ns = p->propagated_hi_ns = p->propagated_ns;
	}
}

/* ---- stacks ---- */

static model_id
add_context(struct maker *k, model_id parent, model_id procedure, uint64_t samples)
{
	*MODEL_ADD(&k->m, contexts) = (struct model_context){
		.parent = parent, .procedure = procedure, .self_samples = samples,
		.self_ns = samples * INTERVAL_NS,
	};
	return (model_id)k->m.nr_contexts;
}

/* main, from i, hub, to i; below the first of them hub calls all others, too, which shares the
 * samples of each: the first has one of them. Whatever is in a cycle is right below main. */
static void
make_contexts(struct maker *k)
{
	struct model *m = &k->m;
	model_id root, x, first_hub = 0;

	root = add_context(k, 0, MAIN, m->procedures[MAIN - 1].self_samples);
	for (uint64_t i = 0; i < k->o.wide; i++) {
		uint64_t samples = m->procedures[to(k, i) - 1].self_samples;

		x = add_context(k, root, from(i), m->procedures[from(i) - 1].self_samples);
		x = add_context(k, x, HUB, i ? 0 : m->procedures[HUB - 1].self_samples);
		first_hub = i ? first_hub : x;
		add_context(k, x, to(k, i), i ? samples - 1 : samples);
		if (i)
			add_context(k, first_hub, to(k, i), 1);
	}
	for (model_id id = ring(k, 0); id <= m->nr_procedures; id++)
		add_context(k, root, id, m->procedures[id - 1].self_samples);
	for (size_t i = m->nr_contexts; i-- > 0;) {
		struct model_context *c = &m->contexts[i];

		c->total_samples += c->self_samples;
		c->total_ns = c->total_samples * INTERVAL_NS;
		if (c->parent)
			m->contexts[c->parent - 1].total_samples += c->total_samples;
		m->procedures[c->procedure - 1].total_samples += c->total_samples;
		m->procedures[c->procedure - 1].total_ns +=
			c->total_samples * INTERVAL_NS;
	}
}

/* ---- all the rest ---- */

static void
make_runs(struct maker *k)
{
	struct model_run *r;
	struct model_thread *t;
	uint64_t samples = 0;

	for (size_t i = 0; i < k->m.nr_procedures; i++)
		samples += k->m.procedures[i].self_samples;
	for (uint64_t i = 0; i < k->o.runs; i++) {
		r = MODEL_ADD(&k->m, runs);
		r->command = "./wide";
		r->directory = "/tmp/made-up";
		r->program = "/tmp/made-up/wide";
		r->build_id = "0123456789abcdef0123456789abcdef01234567";
		r->host = "example";
		r->started_ns = 1700000000000000000 + (int64_t)i * 1000000000;
		r->samples = samples * (i + 1) / k->o.runs - samples * i / k->o.runs;
		r->cpu_ns = r->user_ns = r->wall_ns = r->samples * INTERVAL_NS;
		r->asked_interval_ns = r->interval_ns = INTERVAL_NS;
		r->processes = 1;
	}
	for (uint64_t i = 0; i < k->o.threads; i++) {
		t = MODEL_ADD(&k->m, threads);
		t->run = (model_id)(1 + i * k->o.runs / k->o.threads);
		MODEL_ADD(&k->m, parts)->run = t->run;
		t->part = (model_id)k->m.nr_parts;
		t->pid = 1000 + t->run;
		t->tid = 5000 + (uint32_t)i;
		t->name = i % 2 ? "worker" : "reader";
		t->samples = i % 100;
		t->cpu_ns = t->samples * INTERVAL_NS;
	}
	for (uint64_t i = 0; i < k->o.notes; i++)
		model_note(&k->m, i % 2 ? "source" : "uncounted",
			   "made-up note %llu: what could not be found, and what to do about it",
			   (unsigned long long)i);
}

static void
make_files(struct maker *k)
{
	struct model_file *f;

	for (uint64_t i = 0; i < k->o.files; i++) {
		char path[60];

		f = MODEL_ADD(&k->m, files);
		snprintf(path, sizeof(path), "/tmp/made-up/%llu/file%llu.c",
			 (unsigned long long)(i / 50), (unsigned long long)i);
		f->path = i ? arena_strdup(&k->m.arena, path) : "/tmp/made-up/wide.c";
		f->state = i ? FILE_MISSING : FILE_STORED;
	}
	f = &k->m.files[0];
	f->text = k->text.buf;
	f->size = k->text.len;
	f->lines = k->line;
	f->hash = 14695981039346656037u;
	for (size_t i = 0; i < f->size; i++)
		f->hash = (f->hash ^ (unsigned char)f->text[i]) * 1099511628211u;
}

static int
make(const char *path, const struct options *o)
{
	struct maker k = { .o = *o, .text = STRBUF_INIT };
	struct error err = ERROR_INIT;

	model_init(&k.m);
	name_procedures(&k);
	write_program(&k);
	propagate(&k);
	make_contexts(&k);
	make_files(&k);
	make_runs(&k);
	if (profile_write(path, &k.m, NULL, &err))
		die(1, "%s", err.text);
	strbuf_release(&k.text);
	model_release(&k.m);
	return 0;
}

static uint64_t
number(const char *text)
{
	char *end;
	uint64_t v = strtoull(text, &end, 10);

	if (!v || *end || v > 1000000)
		die(2, "not a number from 1 to 1,000,000: %s", text);
	return v;
}

int
main(int argc, char **argv)
{
	static const struct option table[] = {
		{ "wide", required_argument, NULL, 'w' },
		{ "ring", required_argument, NULL, 'r' },
		{ "pairs", required_argument, NULL, 'p' },
		{ "threads", required_argument, NULL, 't' },
		{ "runs", required_argument, NULL, 'R' },
		{ "files", required_argument, NULL, 'f' },
		{ "notes", required_argument, NULL, 'n' },
		{ "expressions", required_argument, NULL, 'e' },
		{ NULL, 0, NULL, 0 },
	};
	struct options o = { .wide = 3000, .ring = 500, .pairs = 200, .threads = 500, .runs = 20,
			     .files = 200, .notes = 200, .expressions = 500 };
	uint64_t *const numbers[] = {
		['w'] = &o.wide, ['r'] = &o.ring, ['p'] = &o.pairs, ['t'] = &o.threads,
		['R'] = &o.runs, ['f'] = &o.files, ['n'] = &o.notes, ['e'] = &o.expressions,
	};
	int c;

	error_program("make-wide");
	while ((c = getopt_long(argc, argv, "", table, NULL)) != -1) {
		if (c == '?')
			die(2, "usage: make-wide OUT.db [--wide N] [--ring N] [--pairs N] "
			    "[--threads N] [--runs N] [--files N] [--notes N] "
			    "[--expressions N]");
		*numbers[c] = number(optarg);
	}
	if (optind != argc - 1)
		die(2, "usage: make-wide OUT.db [--wide N] ...");
	return make(argv[optind], &o);
}
