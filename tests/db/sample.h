/* For the unit tests of src/db: verdicts, and a model in which every column of every table has
 * values that differ. */
#ifndef CGVIEW_TESTS_SAMPLE_H
#define CGVIEW_TESTS_SAMPLE_H

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/store/profile.h"
#include "db/store/writer.h"

static char path[4096];

static inline void
verdict(bool good, const char *name)
{
	printf("%s - %s\n", good ? "ok" : "not ok", name);
	fflush(stdout);
}

#define SAME(a, b) same((uint64_t)(a), (uint64_t)(b), #a, __LINE__)
static bool all_same;

static inline void
same(uint64_t a, uint64_t b, const char *what, int line)
{
	if (a == b)
		return;
	printf("# line %d: %s is %" PRIu64 ", not %" PRIu64 "\n", line, what, a, b);
	all_same = false;
}

static inline void
same_text(const char *a, const char *b, int line)
{
	if (!strcmp(a, b))
		return;
	printf("# line %d: '%s' is not '%s'\n", line, a, b);
	all_same = false;
}
#define SAME_TEXT(a, b) same_text(a, b, __LINE__)

/* ---- the model ---- */

static uint64_t state = 1;

static inline uint32_t
below(uint32_t n)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(state >> 33) % n;
}

/* A small one is for those who read it thousands of times. */
enum {
	FILES = 3, CYCLES = 3,
#ifdef SAMPLE_SMALL
	PROCEDURES = 15, BLOCKS = 60, RANGES = 240, LINES = 300, SITES = 40, ARCS = 60,
#else
	PROCEDURES = 40, BLOCKS = 900, RANGES = 6000, LINES = 9000, SITES = 200, ARCS = 300,
#endif
};

/* Paths in an order that is not theirs; a text that deflate makes longer. */
static inline void
make_files(struct model *m)
{
	static const char *const paths[FILES] = { "/src/z.c", "/src/a.c", "/src/m\xff.h" };
	static char text[5000];

	for (int i = 0; i < FILES; i++) {
		struct model_file *f = MODEL_ADD(m, files);

		f->path = paths[i];
		f->state = (enum file_state)i;
	}
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)(i % 70 == 69 ? '\n' : 'a' + i % 23);
	m->files[0].text = text;
	m->files[0].size = sizeof(text);
	m->files[0].lines = 72;
	m->files[0].hash = 0xfedcba9876543210;
	m->files[1].text = "\x01\xfe\x80";
	m->files[1].size = 3;
	m->files[1].state = FILE_STALE;
}

static inline struct place
random_place(void)
{
	struct place p;
	uint32_t long_one = below(20) == 0 ? 300 : 4;

	p.file = 1 + below(FILES);
	p.line = 1 + below(400);
	p.column = 1 + below(3);
	p.end_line = p.line + below(long_one);
	p.end_column = p.end_line == p.line ? p.column + below(3) : 1 + below(5);
	return p;
}

static inline void
make_code(struct model *m)
{
	for (uint32_t i = 0; i < PROCEDURES; i++) {
		struct model_procedure *p = MODEL_ADD(m, procedures);
		char name[40];

		snprintf(name, sizeof(name), "p%u", i % 17 * 7 % 40);
		p->name = arena_strdup(&m->arena, name);
		p->linkage_name = i % 5 ? p->name : NULL;
		p->module = "/bin/x";
		if (i != 7)
			p->place = (struct place){ 1 + i % 2, i * 10 + 1, 5, i * 10 + 8, 1 };
		p->flags = i * 3;
		p->code_bytes = i * 3;
		p->calls = below(5);
		p->self_ns = below(4) * 1000;
		p->self_samples = below(9);
		p->propagated_ns = p->self_ns + below(1000);
		p->total_samples = below(90);
		p->total_ns = below(8);
		p->differs = below(2);
		p->cycle = below(CYCLES + 1);
		p->calls_without_site = i;
		p->propagated_lo_ns = below(900);
		p->propagated_hi_ns = p->propagated_lo_ns + below(900);
		p->self_calls = below(7);
		p->centre_samples = below(9);
		p->centre_ns = below(6) * 1000;
		p->centre_total_ns = p->centre_ns + below(1000);
		p->self_wait_ns = below(7) * 1000;
		p->total_wait_ns = p->self_wait_ns + below(1000);
		p->own_samples = p->self_samples;
		p->own_ns = p->self_ns / 2;
		p->own_wait_ns = p->self_wait_ns / 3;
		p->self_work = below(5000);
		p->total_work = p->self_work + below(5000);
		p->estimated = i % 3 == 1;
		p->shared = i % 5 == 2;
		p->runs_without = i % 3;
		p->lacking = i % 6;
	}
	/* One inside another. */
	m->procedures[9].place = (struct place){ 2, 93, 2, 95, 7 };
	m->procedures[9].place.file = m->procedures[11].place.file;
	m->procedures[11].place = (struct place){ m->procedures[9].place.file, 91, 1, 99, 1 };
	m->procedures[3].calls = UINT64_MAX;       /* more than SQLite can hold */
	m->procedures[4].calls = INT64_MAX;
	for (uint32_t i = 0; i < BLOCKS; i++) {
		struct model_block *b = MODEL_ADD(m, blocks);

		b->procedure = 1 + i * PROCEDURES / BLOCKS;
		b->number = i % 30;
		if (i % 50)
			b->place = random_place();
		b->count = below(1000) * (1 + below(3) * 100);
		b->self_ns = below(100);
		b->self_samples = below(3);
		b->self_wait_ns = below(70);
		b->runs_without = i % 4;
		b->lacking = i % 7;
	}
	for (uint32_t i = 0; i < RANGES; i++) {
		struct model_range *r = MODEL_ADD(m, ranges);

		r->block = 1 + below(BLOCKS);
		r->kind = (enum range_kind)below(5);
		r->place = random_place();
		r->self_ns = below(50);
		r->self_samples = below(50);
		r->self_wait_ns = below(60);
	}
	/* Many at few places, so that every rule of accumulation meets. */
	for (uint32_t i = RANGES / 30; i < RANGES * 3 / 20; i++) {
		m->ranges[i].place = m->ranges[i % 25].place;
		m->ranges[i].kind = m->ranges[i % 25].kind;
		m->ranges[i].block = 1 + below(BLOCKS / 15);
	}
	m->ranges[RANGES / 60].place = (struct place){ 0 };
}

static inline void
make_calls(struct model *m)
{
	for (uint32_t i = 0; i < SITES; i++) {
		struct model_site *s = MODEL_ADD(m, sites);

		s->procedure = 1 + below(PROCEDURES);
		s->block = 1 + below(BLOCKS);
		s->kind = i % 3 ? SITE_DIRECT : SITE_INDIRECT;
		s->place = random_place();
		s->target = i % 3 ? "linkage" : "i4(p)";
		s->count = below(3000);
		s->total_samples = below(100);
		s->total_ns = below(100000);
		s->calls_without_entry = below(2);
		s->total_wait_ns = below(90000);
		s->total_work = below(7000);
		s->shared = i % 2;
		s->runs_without = i % 5;
		s->lacking = i % 8;
		s->propagated_ns = below(50000);
	}
	for (uint32_t i = 0; i < ARCS; i++) {
		struct model_arc *a = MODEL_ADD(m, arcs);

		a->site = i % 10 ? 1 + below(SITES) : 0;
		a->callee = i % 7 || !a->site ? 1 + below(PROCEDURES) : 0;
		a->how = (enum arc_how)below(4);
		a->count = below(4) ? below(100) : 0;
		a->lo = a->count / 2;
		a->hi = a->count * 2;
		a->total_samples = below(50);
		a->pair_samples = below(50);
		a->total_ns = below(5000);
		a->propagated_ns = below(5000);
		a->samples = below(40);
		a->differs = below(2);
		a->shared = i % 3 == 1;
		a->measured = below(2);
		a->through = !a->site && i % 4 ? 1 + below(SITES) : 0;
	}
	*MODEL_ADD(m, pins) = (struct model_pin){ "none fails", 3, 4, 5 };
	*MODEL_ADD(m, pins) = (struct model_pin){ "none fails", 0, 4, 500 };
	for (uint32_t i = 0; i < CYCLES; i++)
		*MODEL_ADD(m, cycles) = (struct model_cycle){
			i % 2 ? "p1, p2" : NULL, 2 + below(9), below(99), below(999),
			below(30), below(3000), below(50), below(9), below(70),
		};
}

static inline void
make_rest(struct model *m)
{
	for (uint32_t i = 0; i < LINES; i++) {
		struct model_line *l = MODEL_ADD(m, lines);

		l->file = 1 + (i * 7) % FILES; /* not in order */
		l->line = 1 + (i * 263) % LINES;
		l->count = below(50);
		l->self_ns = below(5);
		l->self_samples = below(5);
		l->total_samples = below(80);
		l->total_ns = below(8000);
		l->self_wait_ns = below(6);
		l->runs_without = 7;
		l->lacking = i % 3;
	}
	for (uint32_t i = 0; i < 20; i++) {
		struct model_context *c = MODEL_ADD(m, contexts);

		c->parent = i ? below(i) : 0;
		c->procedure = below(PROCEDURES);
		c->site = below(SITES);
		c->self_samples = i;
		c->total_samples = 2 * i;
		c->self_wait_ns = 3 * i;
		c->total_wait_ns = 4 * i;
	}
	*MODEL_ADD(m, remarks) = (struct model_remark){
		.text = "of a line", .written_ns = 11, .place = { 2, 3, 0, 3, 0 },
	};
	*MODEL_ADD(m, remarks) = (struct model_remark){
		.text = "of one that is gone", .written_ns = 12, .procedure = 2,
		.path = "/gone.c", .path_line = 13,
	};
	for (uint32_t i = 0; i < 3; i++)
		*MODEL_ADD(m, spreads) = (struct model_spread){
			.procedure = 1 + i / 2, .figure = (enum spread_figure)i, .processes = 5,
			.all = 6, .some = 3, .mean = 2.5, .sd = i ? 0.5 : NAN, .least = i,
			.most = 9 + i, .least_at = { -1, 71, "h", "" },
			.most_at = { 4, 72, "g", "77.server" },
		};
	for (uint32_t i = 0; i < 2; i++) {
		struct model_run *r = MODEL_ADD(m, runs);
		struct model_thread *t = MODEL_ADD(m, threads);

		*r = (struct model_run){
			.command = "./x 'a b'", .directory = "/tmp", .program = "/bin/x",
			.build_id = "abcd", .host = "h", .label = i ? "a label" : NULL,
			.job = i ? NULL : "77.server", .started_ns = 1234567890123456789 + i,
			.wall_ns = 100 + i, .user_ns = 50, .system_ns = 7, .cpu_ns = 57,
			.exit_status = i ? 0 : -1, .exit_signal = 9, .asked_interval_ns = 1000000,
			.interval_ns = 4000000, .sample_ns = 5000000 + i,
			.clock = i ? "timers, each 4 ms" : NULL, .samples = 20, .lost_samples = 2,
			.unprofiled_samples = 3, .processes = 4, .centre_samples = 19,
			.centre_unprofiled_samples = 5, .wall_interval_ns = 1500000 + i,
			.wait_ns = 60 + i, .delay_ns = 70 + i, .unprofiled_wait_ns = 8 + i,
			.baseline_program = i ? "./plain" : NULL, .baseline_wall_ns = 95 * i,
			.baseline_user_ns = 41 * i, .baseline_system_ns = 6 * i,
			.raws = i ? "0123456789abcdef fedcba9876543210" : NULL,
		};
		*t = (struct model_thread){
			.run = i + 1, .part = i + 1, .pid = 100 + i, .tid = 101, .name = "worker",
			.more_threads = 3 * i, .cpu_ns = 57, .samples = 20, .lost_samples = 2,
			.wait_ns = 30, .delay_ns = 40,
		};
		*MODEL_ADD(m, parts) = (struct model_part){
			.run = i + 1, .rank = (int)i - 1,
			.samples = 20 + i, .blocks_executed = 12 + i,
			/* Five samples that stand for 20 ms, two for 8. */
			.data = {
				.blob = { i ? "\006\001\003\005\024\001\003\200\332\304\011"
					    : "\006\001\003\002\024\001\003\200\244\350\003",
					  11 },
				.size = 11,
			},
		};
		*MODEL_ADD(m, tracks) = (struct model_track){
			.run = i + 1, .part = i + 1, .pid = 100 + i, .tid = 101, .name = "worker",
			.samples = 1,
			/* One in procedure 3, in the kernel, after 5 us, of 4 ns. */
			.data = { .blob = { "\001\001\006\003\001\001\005\010", 8 }, .size = 8 },
		};
	}
	*MODEL_ADD(m, modules) = (struct model_module){ "/bin/x", "abcd" };
	*MODEL_ADD(m, modules) = (struct model_module){ "/lib/y.so", "" };
	model_note(m, "dwarf", "a note: %d%%", 100);
}

/* Files are stored in the order of their paths: a.c, m?.h, z.c. */
__attribute__((unused)) static const model_id stored_file[FILES + 1] = { 0, 3, 1, 2 };

/* The whole of it, written to `path` below TMP_DIR and opened. NULL: a verdict was printed. */
static inline struct profile *
sample_open(struct model *m, const char *name)
{
	const char *dir = getenv("TMP_DIR");
	struct error err = ERROR_INIT;
	struct profile *p = NULL;

	snprintf(path, sizeof(path), "%s/%s", dir ? dir : "/tmp", name);
	model_init(m);
	make_files(m);
	make_code(m);
	make_calls(m);
	make_rest(m);
	if (!profile_write(path, m, NULL, &err))
		p = profile_open(path, &err);
	if (!p)
		printf("not ok - the sample: %s\n", err.text);
	return p;
}

#endif
