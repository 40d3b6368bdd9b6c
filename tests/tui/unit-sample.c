/* A small made-up profile with everything that the browser can meet. With an argument it is written
 * there (the screens of the tests are drawn from it), with a second one another text: "long", of
 * lines of a megabyte, "macros", of macros and a header; without arguments it is written, read
 * back, and a few of its figures are compared.
 */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "db/model/parts.h"
#include "db/model/model.h"
#include "db/store/profile.h"
#include "db/store/writer.h"

enum { WORDS = 1, ODD, CHANGED, MISSING };
enum { TICK = 1000000 };

static const char words[] =
	"/* Counts words. */\n"                                                 /* 1 */
	"#include \"missing.h\"\n"
	"\n"
	"static unsigned\n"
	"hash(const char *s)\n"                                                 /* 5 */
	"{\n"
	"\tunsigned h = 0;\n"
	"\n"
	"\twhile (*s)\n"
	"\t\th = h * 31 + (unsigned char)*s++;\n"                               /* 10 */
	"\treturn h;\n"
	"}\n"
	"\n"
	"static int\n"
	"by_count(const void *a, const void *b)\n"                              /* 15 */
	"{\n"
	"\treturn less(a, b) ? -1 : less(b, a);\n"
	"}\n"
	"\n"
	"static void\n"                                                         /* 20 */
	"complain(const char *what)\n"
	"{\n"
	"\tfprintf(stderr, \"words: %s\\n\", what);\n"
	"}\n"
	"\n"                                                                    /* 25 */
	"static void\n"
	"each(struct table *t, int (*visit)(const void *, const void *))\n"
	"{\n"
	"\tfor (size_t i = 0; i < t->size; i++)\n"
	"\t\tif (t->slots[i] && t->slots[i]->count > 1)\n"                      /* 30 */
	"\t\t\tvisit(t->slots[i], t);\n"
	"}\n"
	"\n"
	"static struct word *\n"
	"lookup(struct table *t, const char *s)\n"                              /* 35 */
	"{\n"
	"\tstruct word *w = t->slots[hash(s) & t->mask];\n"
	"\n"
	"\tif (!w)\n"
	"\t\tcomplain(\"no room\");\n"                                          /* 40 */
	"\treturn w;\n"
	"}\n"
	"\n"
	"int\n"
	"main(int argc, char **argv)\n"                                         /* 45 */
	"{\n"
	"\tstruct table t;\n"
	"\n"
	"\tread_all(&t, argc > 1 ? argv[1] : \"-\");\n"
	"\teach(&t, argc > 2 ? by_name : by_count);\n"                          /* 50 */
	"\treturn 0;\n"
	"}\n";

static const char odd_head[] =
	"/* tab\there, \033[31mred?\033[0m, bell \a, nul-less */\n"
	"int \346\227\245\346\234\254\350\252\236(void) { return f(\"\346\227\245\346\234\254\"); "
	"}\n"
	"int cafe\314\201(int x) { return x; } /* combining */\n"
	"/* bidi \342\200\256 reversed \342\200\254 and zero\342\200\213width */\n"
	"/* bad \377\376 bytes, C1 \302\233 */\r\n"
	"int crlf(void) { return 1; }\r\n"
	"int lone\rcr;\n";

static const char changed[] =
	"int\n"
	"changed(int x)\n"
	"{\n"
	"\treturn x + 1;\n"
	"}\n";

static struct model m;

static void
add_file(const char *path, const char *text, size_t size, enum file_state state)
{
	struct model_file *f = MODEL_ADD(&m, files);
	size_t i;

	f->path = path;
	f->text = text;
	f->size = text ? size : 0;
	f->state = state;
	f->hash = 0xcbf29ce484222325u;
	for (i = 0; i < f->size; i++) {
		f->hash = (f->hash ^ (unsigned char)text[i]) * 0x100000001b3u;
		f->lines += text[i] == '\n';
	}
}

/* The place of NEEDLE on a line of a file. */
static struct place
find(model_id file, uint32_t line, const char *needle)
{
	const char *s = m.files[file - 1].text, *at;
	uint32_t i;

	for (i = 1; s && i < line; i++)
		s = strchr(s, '\n') + 1;
	at = s ? strstr(s, needle) : NULL;
	if (!at) {
		fprintf(stderr, "no %s on line %u\n", needle, line);
		exit(1);
	}
	return (struct place){ file, line, (uint32_t)(at - s) + 1, line,
			       (uint32_t)(at - s + (ptrdiff_t)strlen(needle)) };
}

static model_id
add_procedure(const char *name, struct place name_place, uint32_t end_line, uint64_t calls,
	      uint64_t self, uint64_t total, uint64_t sampled)
{
	struct model_procedure *p = MODEL_ADD(&m, procedures);

	p->name = p->linkage_name = name;
	p->module = "/sample/words";
	p->place = name_place;
	p->place.end_line = end_line;
	p->place.end_column = end_line > p->place.line ? 1 : p->place.end_column;
	p->code_bytes = 16 * (uint32_t)m.nr_procedures + 40;
	p->calls = calls;
	p->self_samples = self;
	p->self_ns = self * TICK;
	p->propagated_ns = total * TICK;
	p->total_samples = sampled;
	p->total_ns = sampled * TICK;
	return (model_id)m.nr_procedures;
}

static model_id
add_block(model_id procedure, struct place place, uint64_t count, uint64_t self)
{
	struct model_block *b = MODEL_ADD(&m, blocks);
	struct model_range *r = MODEL_ADD(&m, ranges);

	b->procedure = procedure;
	b->number = (uint32_t)m.nr_blocks;
	b->place = place;
	b->count = count;
	b->self_samples = self;
	b->self_ns = self * TICK;
	r->block = (model_id)m.nr_blocks;
	r->kind = RANGE_STATEMENT;
	r->place = place;
	r->self_samples = self;
	r->self_ns = self * TICK;
	return (model_id)m.nr_blocks;
}

static void
add_range(model_id block, enum range_kind kind, struct place place, uint64_t self)
{
	struct model_range *r = MODEL_ADD(&m, ranges);

	r->block = block;
	r->kind = kind;
	r->place = place;
	r->self_samples = self;
	r->self_ns = self * TICK;
}

static void
add_line(model_id file, uint32_t line, uint64_t count, uint64_t self)
{
	struct model_line *l = MODEL_ADD(&m, lines);

	l->file = file;
	l->line = line;
	l->count = count;
	l->self_samples = self;
	l->self_ns = self * TICK;
}

static model_id
add_site(model_id procedure, model_id block, struct place place, enum site_kind kind,
	 const char *target, uint64_t count, uint64_t total)
{
	struct model_site *s = MODEL_ADD(&m, sites);

	s->procedure = procedure;
	s->block = block;
	s->kind = kind;
	s->place = place;
	s->target = target;
	s->count = count;
	s->total_samples = total;
	s->total_ns = total * TICK;
	return (model_id)m.nr_sites;
}

static void
add_arc(model_id site, model_id callee, enum arc_how how, uint64_t count, uint64_t lo, uint64_t hi)
{
	struct model_arc *a = MODEL_ADD(&m, arcs);
	uint64_t left = site ? m.sites[site - 1].total_samples : UINT64_MAX;

	a->site = site;
	a->callee = callee;
	a->how = how;
	a->count = count;
	a->lo = lo;
	a->hi = hi;
	if (callee && m.procedures[callee - 1].calls)
		a->propagated_ns = m.procedures[callee - 1].propagated_ns * count /
			     m.procedures[callee - 1].calls;
	/* Arcs of one site stand together. The first one gets all that its callee has. */
	for (size_t i = m.nr_arcs - 1; site && i-- > 0 && m.arcs[i].site == site;)
		left -= m.arcs[i].total_samples;
	if (callee && left > m.procedures[callee - 1].total_samples)
		left = m.procedures[callee - 1].total_samples;
	a->total_samples = a->pair_samples = site || callee ? left : 0;
	a->total_ns = left * TICK;
}

/* Lines with the costliest call that is on them. */
static void
add_line_totals(void)
{
	for (size_t i = 0; i < m.nr_lines; i++) {
		struct model_line *l = &m.lines[i];
		uint64_t most = 0;

		for (size_t k = 0; k < m.nr_sites; k++) {
			const struct model_site *s = &m.sites[k];

			if (s->place.file == l->file && s->place.line == l->line &&
			    s->total_samples > most)
				most = s->total_samples;
		}
		l->total_samples = l->self_samples + most;
		l->total_ns = l->total_samples * TICK;
	}
}

/* hash: 1,204,331 calls, the hottest; its loop has a hot expression within a warm statement. */
static model_id
add_hash(void)
{
	model_id p = add_procedure("hash", find(WORDS, 5, "hash"), 12, 1204331, 1323, 1323, 1323);
	model_id b = add_block(p, find(WORDS, 7, "h = 0"), 1204331, 8);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_line(WORDS, 5, 1204331, 5);
	add_line(WORDS, 7, 1204331, 8);
	b = add_block(p, find(WORDS, 9, "*s"), 10837649, 300);
	add_line(WORDS, 9, 10837649, 300);
	b = add_block(p, find(WORDS, 10, "h = h * 31 + (unsigned char)*s++"), 9633318, 410);
	add_range(b, RANGE_OPERAND, find(WORDS, 10, "h * 31"), 600);
	add_line(WORDS, 10, 9633318, 1010);
	add_block(p, find(WORDS, 11, "return h"), 1204331, 0);
	add_line(WORDS, 11, 1204331, 0);
	return p;
}

static model_id
add_by_count(void)
{
	model_id p = add_procedure("by_count", find(WORDS, 15, "by_count"), 18, 5000, 40, 40, 60);
	model_id b = add_block(p, find(WORDS, 17, "less(a, b)"), 5000, 30);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_line(WORDS, 15, 5000, 0);
	add_line(WORDS, 17, 5000, 40);
	add_site(p, b, find(WORDS, 17, "less(a, b)"), SITE_DIRECT, "less", 5000, 25);
	add_arc((model_id)m.nr_sites, 0, ARC_SOLVED, 5000, 5000, 5000);
	b = add_block(p, find(WORDS, 17, "-1"), 2000, 0);
	b = add_block(p, find(WORDS, 17, "less(b, a)"), 3000, 10);
	add_site(p, b, find(WORDS, 17, "less(b, a)"), SITE_DIRECT, "less@outside", 3000, 10);
	add_arc((model_id)m.nr_sites, 0, ARC_SOLVED, 3000, 3000, 3000);
	return p;
}

static model_id
add_complain(void)
{
	model_id p = add_procedure("complain", find(WORDS, 21, "complain"), 24, 0, 0, 0, 0);
	model_id b = add_block(p, find(WORDS, 23, "fprintf(stderr, \"words: %s\\n\", what)"), 0, 0);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_line(WORDS, 21, 0, 0);
	add_line(WORDS, 23, 0, 0);
	add_site(p, b, m.blocks[b - 1].place, SITE_DIRECT, "fprintf", 0, 0);
	return p;
}

static model_id
add_each(model_id by_count, model_id by_name)
{
	model_id p = add_procedure("each", find(WORDS, 27, "each"), 32, 1, 120, 200, 180), s;
	model_id b = add_block(p, find(WORDS, 29, "i = 0"), 1, 0);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_line(WORDS, 27, 1, 0);
	add_line(WORDS, 29, 65537, 20);
	add_line(WORDS, 30, 65536, 100);
	add_line(WORDS, 31, 8200, 0);
	add_block(p, find(WORDS, 29, "i < t->size"), 65537, 15);
	add_block(p, find(WORDS, 29, "i++"), 65536, 5);
	add_block(p, find(WORDS, 30, "t->slots[i]"), 65536, 70);
	add_block(p, find(WORDS, 30, "t->slots[i]->count > 1"), 30000, 30);
	b = add_block(p, find(WORDS, 31, "visit(t->slots[i], t)"), 8200, 0);
	s = add_site(p, b, m.blocks[b - 1].place, SITE_INDIRECT, "i4(pp)", 8200, 65);
	add_arc(s, by_count, ARC_ESTIMATED, 5000, 1000, 8200);
	add_arc(s, by_name, ARC_ESTIMATED, 3200, 0, 7200);
	return p;
}

static model_id
add_lookup(model_id hash, model_id complain)
{
	model_id p = add_procedure("lookup", find(WORDS, 35, "lookup"), 42, 1204331, 260, 1583,
				   1590),
		 s;
	model_id b = add_block(p, find(WORDS, 37, "w = t->slots[hash(s) & t->mask]"), 1204331, 240);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_range(b, RANGE_OPERAND, find(WORDS, 37, "hash(s)"), 0);
	add_line(WORDS, 35, 1204331, 0);
	add_line(WORDS, 37, 1204331, 240);
	s = add_site(p, b, find(WORDS, 37, "hash(s)"), SITE_DIRECT, "hash", 1204331, 1323);
	add_arc(s, hash, ARC_SOLVED, 1204331, 1204331, 1204331);
	add_block(p, find(WORDS, 39, "!w"), 1204331, 20);
	add_line(WORDS, 39, 1204331, 20);
	b = add_block(p, find(WORDS, 40, "complain(\"no room\")"), 0, 0);
	add_line(WORDS, 40, 0, 0);
	s = add_site(p, b, m.blocks[b - 1].place, SITE_DIRECT, "complain", 0, 0);
	add_arc(s, complain, ARC_SOLVED, 0, 0, 0);
	add_block(p, find(WORDS, 41, "return w"), 1204331, 0);
	add_line(WORDS, 41, 1204331, 0);
	return p;
}

static void
add_main(model_id each, model_id read_all)
{
	model_id p = add_procedure("main", find(WORDS, 45, "main"), 52, 1, 2, 1890, 1889), s;
	model_id b =
		add_block(p, find(WORDS, 49, "read_all(&t, argc > 1 ? argv[1] : \"-\")"), 1, 2);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_line(WORDS, 45, 1, 0);
	add_line(WORDS, 49, 1, 2);
	add_line(WORDS, 50, 1, 0);
	add_line(WORDS, 51, 1, 0);
	s = add_site(p, b, m.blocks[b - 1].place, SITE_DIRECT, "read_all", 1, 1700);
	add_arc(s, read_all, ARC_SOLVED, 1, 1, 1);
	add_block(p, find(WORDS, 49, "argv[1]"), 0, 0);
	add_block(p, find(WORDS, 49, "\"-\""), 1, 0);
	b = add_block(p, find(WORDS, 50, "each(&t, argc > 2 ? by_name : by_count)"), 1, 0);
	s = add_site(p, b, m.blocks[b - 1].place, SITE_DIRECT, "each", 1, 180);
	add_arc(s, each, ARC_MEASURED, 1, 1, 1);
	add_arc(0, p, ARC_SOLVED, 1, 1, 1);
}

/* A procedure whose source is not in the profile. */
static model_id
add_missing(model_id lookup)
{
	struct place place = { MISSING, 10, 1, 30, 1 };
	model_id p = add_procedure("read_all", place, 30, 1, 100, 1683, 1700), b, s;

	place.end_line = place.line;
	place.end_column = 20;
	b = add_block(p, place, 1204331, 100);
	add_line(MISSING, 10, 1204331, 100);
	s = add_site(p, b, place, SITE_DIRECT, "lookup", 1204331, 1590);
	add_arc(s, lookup, ARC_SOLVED, 1204331, 1204331, 1204331);
	return p;
}

static void
add_odd(void)
{
	static const char *const names[] = {"\346\227\245\346\234\254\350\252\236", "cafe\314\201"};
	model_id p, b;
	uint32_t line;

	for (line = 2; line <= 3; line++) {
		p = add_procedure(names[line - 2], find(ODD, line, names[line - 2]), line, 17, 3, 3,
				  3);
		b = add_block(p,
			      find(ODD, line, line == 2 ? "f(\"\346\227\245\346\234\254\")" : "x;"),
			      17, 3);
		add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
		add_line(ODD, line, 17, 3);
		add_arc(0, p, ARC_SOLVED, 17, 17, 17);
	}
	add_line(ODD, 8, 4, 0);
}

static model_id
add_changed(void)
{
	model_id p = add_procedure("by_name", find(CHANGED, 2, "changed"), 5, 3200, 60, 60, 60);
	model_id b = add_block(p, find(CHANGED, 4, "x + 1"), 3200, 60);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_line(CHANGED, 2, 3200, 0);
	add_line(CHANGED, 4, 3200, 60);
	return p;
}

static void
add_run(void)
{
	struct model_run *r = MODEL_ADD(&m, runs);
	struct model_thread *t = MODEL_ADD(&m, threads);

	*r = (struct model_run){
		.command = "./words -v 'a file'",
		.directory = "/sample",
		.program = "/sample/words",
		.build_id = "0123456789abcdef",
		.host = "sample",
		.started_ns = 1700000000000000000,
		.wall_ns = 2100000000,
		.user_ns = 1800000000,
		.system_ns = 111000000,
		.cpu_ns = 1911000000,
		.asked_interval_ns = TICK,
		.interval_ns = TICK,
		.samples = 1911,
		.lost_samples = 2,
		.unprofiled_samples = 1,
		.processes = 1,
	};
	*t = (struct model_thread){ .run = 1, .pid = 77, .tid = 77, .cpu_ns = 1911000000,
				    .samples = 1911, .lost_samples = 2 };
}

/* A half of all that was done to the second part, a quarter to the third, the rest to the first. */
static void
add_parts(void)
{
	struct part_entries whole = { .items = NULL }, e = { .items = NULL };
	uint64_t part;

	part_of_model(&m, &whole);
	for (model_id i = 1; i <= 3; i++) {
		MODEL_ADD(&m, parts)->run = i == 3 ? 2 : 1;
		e.nr = 0;
		for (size_t k = 0; k < whole.nr; k++) {
			part = whole.items[k].value;
			part = i == 1 ? part - part / 2 - part / 4 : i == 2 ? part / 2 : part / 4;
			part_add(&e, whole.items[k].column, whole.items[k].id, part);
			if (part)
				e.items[e.nr - 1].other = whole.items[k].other;
		}
		part_pack(&m.parts[i - 1], &e, &m, &m.arena);
	}
	part_entries_release(&whole);
	part_entries_release(&e);
}

/* Two runs; a thousand short threads have shared a copy of the counters. */
static void
add_threads(void)
{
	struct model_run *r = MODEL_ADD(&m, runs);

	*r = m.runs[0];
	r->command = "./words -v 'another file'";
	r->started_ns += 60000000000;
	r->wall_ns = 700000000;
	r->cpu_ns = 478000000;
	r->exit_status = -1;
	r->exit_signal = 9;
	m.threads[0].part = 1;
	m.threads[0].name = "words";
	m.threads[0].cpu_ns = 478000000;
	for (uint32_t i = 0; i < 3; i++)
		*MODEL_ADD(&m, threads) = (struct model_thread){
			.run = 1, .part = 2, .pid = 77, .tid = 80 + i, .name = "reader \033[7m",
			.cpu_ns = 318500000, .more_threads = i == 2 ? 997 : 0,
		};
	*MODEL_ADD(&m, threads) = (struct model_thread){
		.run = 2, .part = 3, .pid = 99, .tid = 99, .name = "words", .cpu_ns = 477750000,
	};
	add_parts();
}

/* Seven odd lines, then one of 5,000 columns. */
static void
add_odd_file(void)
{
	struct strbuf text = STRBUF_INIT;
	int i;

	strbuf_add(&text, odd_head, sizeof(odd_head) - 1);
	strbuf_str(&text, "int a[] = { ");
	for (i = 0; text.len < sizeof(odd_head) + 5000; i++)
		strbuf_fmt(&text, "%d, ", i);
	strbuf_str(&text, "END };\n");
	add_file("/sample/src/odd.c", arena_strndup(&m.arena, text.buf, text.len), text.len,
		 FILE_STORED);
	strbuf_release(&text);
}

static void
build(void)
{
	model_id hash, by_count, by_name, complain, each, lookup;

	model_init(&m);
	add_file("/sample/src/words.c", words, sizeof(words) - 1, FILE_STORED);
	add_odd_file();
	add_file("changed.c", changed, sizeof(changed) - 1, FILE_STORED);
	add_file("/sample/include/missing.h", NULL, 0, FILE_MISSING);
	hash = add_hash();
	by_count = add_by_count();
	complain = add_complain();
	by_name = add_changed();
	each = add_each(by_count, by_name);
	lookup = add_lookup(hash, complain);
	add_main(each, add_missing(lookup));
	add_odd();
	add_line_totals();
	add_run();
	model_note(&m, "source", "missing.h was not found; record where the sources are");
}

/* Two lines of a megabyte of wide characters, one of letters, with a procedure at their ends. */
static void
build_long(void)
{
	struct strbuf text = STRBUF_INIT;
	model_id p, b;
	int i, line;

	model_init(&m);
	for (line = 1; line <= 3; line++) {
		for (i = 0; i < (line == 3 ? 1000000 : 333333); i++)
			strbuf_str(&text, line == 3 ? "x" : "\346\227\245");
		strbuf_fmt(&text, " end%d\n", line);
	}
	add_file("/sample/src/long.c", text.buf, text.len, FILE_STORED);
	p = add_procedure("end2", find(WORDS, 2, "end2"), 2, 7, 5, 5, 5);
	b = add_block(p, find(WORDS, 2, "end2"), 7, 5);
	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	for (line = 1; line <= 3; line++)
		add_line(WORDS, (uint32_t)line, 7, 5);
	add_run();
}

/* Macros, one within another, and a procedure of a header that two units have each for itself. */
enum { LIST_C = 1, LIST_H, OTHER_C };

static const char list_h[] =
	"#define LIMIT(x, most) ((x) > (most) ? (most) : (x))\n"
	"#define CHECKED(x) check(LIMIT(x, 100))\n"
	"\n"
	"static inline int\n"
	"check(int x)\n"                                                        /* 5 */
	"{\n"
	"\treturn x < 0 ? -x : x;\n"
	"}\n";
static const char list_c[] =
	"#include \"list.h\"\n"
	"\n"
	"int main(int argc, char **argv)\n"
	"{\n"
	"\tint n = LIMIT(argc, 9);\n"                                           /* 5 */
	"\n"
	"\tfor (int i = 0; i < 1000; i++)\n"
	"\t\tn += CHECKED(i) + LIMIT(n, 50);\n"
	"\treturn n > 5 ? LIMIT(n, 2) : 0;\n"
	"}\n";
static const char other_c[] =
	"#include \"list.h\"\n"
	"\n"
	"int other(int n) { return check(LIMIT(n, 7)); }\n";

static model_id
add_check(uint64_t calls, uint64_t self)
{
	model_id p = add_procedure("check", find(LIST_H, 5, "check"), 8, calls, self, self, self);
	model_id b = add_block(p, find(LIST_H, 7, "x < 0"), calls, self);

	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	add_block(p, find(LIST_H, 7, "-x"), 0, 0);
	add_block(p, find(LIST_H, 7, "x;"), calls, 0);
	return p;
}

/* A use of a macro with LIMIT in it, and what that makes of LIMIT's definition. */
static model_id
add_use(model_id procedure, struct place place, uint64_t count)
{
	model_id b = add_block(procedure, place, count, 0);

	add_range(b, RANGE_MACRO, place, 0);
	add_range(b, RANGE_MACRO_DEFINITION,
		  find(LIST_H, 1, "((x) > (most) ? (most) : (x))"), 0);
	return b;
}

static void
build_macros(void)
{
	model_id first, second, p, b, s;

	model_init(&m);
	add_file("/sample/src/list.c", list_c, sizeof(list_c) - 1, FILE_STORED);
	add_file("/sample/src/list.h", list_h, sizeof(list_h) - 1, FILE_STORED);
	add_file("/sample/src/other.c", other_c, sizeof(other_c) - 1, FILE_STORED);
	first = add_check(1000, 30);
	second = add_check(40, 10);
	add_line(LIST_H, 5, 1040, 0);
	add_line(LIST_H, 7, 1040, 40);
	p = add_procedure("main", find(LIST_C, 3, "main"), 10, 1, 20, 50, 50);
	b = add_use(p, find(LIST_C, 5, "LIMIT(argc, 9)"), 1);
	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	b = add_use(p, find(LIST_C, 8, "CHECKED(i)"), 1000);
	add_range(b, RANGE_MACRO_DEFINITION, find(LIST_H, 2, "check(LIMIT(x, 100))"), 0);
	s = add_site(p, b, find(LIST_C, 8, "CHECKED(i)"), SITE_DIRECT, "check", 1000, 30);
	add_arc(s, first, ARC_SOLVED, 1000, 1000, 1000);
	add_use(p, find(LIST_C, 8, "LIMIT(n, 50)"), 1000);
	add_use(p, find(LIST_C, 9, "LIMIT(n, 2)"), 0);
	add_line(LIST_C, 3, 1, 0);
	add_line(LIST_C, 5, 1, 0);
	add_line(LIST_C, 7, 1001, 0);
	add_line(LIST_C, 8, 1000, 20);
	add_line(LIST_C, 9, 1, 0);
	add_arc(0, p, ARC_SOLVED, 1, 1, 1);
	p = add_procedure("other", find(OTHER_C, 3, "other"), 3, 40, 1, 11, 11);
	b = add_block(p, find(OTHER_C, 3, "check(LIMIT(n, 7))"), 40, 1);
	add_range(b, RANGE_PROCEDURE, m.procedures[p - 1].place, 0);
	s = add_site(p, b, m.blocks[b - 1].place, SITE_DIRECT, "check", 40, 10);
	add_arc(s, second, ARC_SOLVED, 40, 40, 40);
	add_use(p, find(OTHER_C, 3, "LIMIT(n, 7)"), 40);
	add_line(OTHER_C, 3, 40, 1);
	add_arc(0, p, ARC_SOLVED, 40, 40, 40);
	add_line_totals();
	add_run();
}

static int
read_back(const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *p = profile_open(path, &err);
	struct procedure_row row;
	int ok;

	if (!p) {
		printf("# %s\n", err.text);
		return 0;
	}
	ok = profile_procedure_named(p, "lookup", &row) && row.self[MEASURE_CALLS] == 1204331 &&
	     row.self[MEASURE_TIME] == 260 * (uint64_t)TICK && row.place.line == 35 &&
	     profile_totals(p)->nr_procedures == 10;
	profile_close(p);
	return ok;
}

int
main(int argc, char **argv)
{
	const char *dir = getenv("TMP_DIR");
	struct error err = ERROR_INIT;
	char *path;

	if (argc > 2 && !strcmp(argv[2], "macros"))
		build_macros();
	else if (argc > 2 && strcmp(argv[2], "threads"))
		build_long();
	else
		build();
	if (argc > 2 && !strcmp(argv[2], "threads"))
		add_threads();
	path = argc > 1 ? xstrdup(argv[1]) : xasprintf("%s/sample.db", dir ? dir : "/tmp");
	if (profile_write(path, &m, NULL, &err) < 0) {
		printf("not ok - the sample is written: %s\n", err.text);
		return 1;
	}
	if (argc > 1)
		return 0;
	verdict(read_back(path), "the sample is written and read back");
	unlink(path);
	free(path);
	model_release(&m);
	return failures != 0;
}
