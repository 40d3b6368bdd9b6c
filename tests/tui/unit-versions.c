/* Two versions of a small made-up program, old.db and new.db in the directory given, and its runs
 * on inputs of 100, 200, 400 and 800 (n100.db ...), where something grows with the square. Without
 * an argument: written, and compared with what is known of them. */
#include <stdlib.h>
#include <unistd.h>

#include "check.h"
#include "compare/comparison.h"
#include "db/model/model.h"
#include "db/store/profile.h"
#include "db/store/writer.h"

enum { TICK = 1000000 };

static const char old_text[] =
	"/* Sorts numbers. */\n"
	"static int\n"
	"less(int a, int b)\n"
	"{\n"
	"\treturn a < b;\n"
	"}\n"
	"\n"
	"static void\n"
	"sort(int *v, int n)\n"
	"{\n"
	"\tfor (int i = 1; i < n; i++)\n"
	"\t\tfor (int k = i; k && less(v[k], v[k - 1]); k--)\n"
	"\t\t\tswap(v, k);\n"
	"}\n"
	"\n"
	"static void\n"
	"gone(int *v)\n"
	"{\n"
	"\tv[0] = 0;\n"
	"}\n"
	"\n"
	"int\n"
	"main(void)\n"
	"{\n"
	"\tgone(v);\n"
	"\tsort(v, 1000);\n"
	"\treturn check(v);\n"
	"}\n";
/* Another loop, a procedure gone, one new, a comment in the middle. */
static const char new_text[] =
	"/* Sorts numbers. */\n"
	"static int\n"
	"less(int a, int b)\n"
	"{\n"
	"\treturn a < b;\n"
	"}\n"
	"\n"
	"/* Slower than it was. */\n"
	"static void\n"
	"sort(int *v, int n)\n"
	"{\n"
	"\tfor (int i = 1; i < n; i++)\n"
	"\t\tfor (int k = n - 1; k && less(v[k], v[k - 1]); k--)\n"
	"\t\t\tswap(v, k);\n"
	"}\n"
	"\n"
	"static void\n"
	"fresh(int *v)\n"
	"{\n"
	"\tv[1] = 1;\n"
	"}\n"
	"\n"
	"int\n"
	"main(void)\n"
	"{\n"
	"\tfresh(v);\n"
	"\tsort(v, 1000);\n"
	"\treturn check(v);\n"
	"}\n";

struct procedure { const char *name; uint64_t calls, self, total; };
struct statement { int procedure; const char *text; uint64_t count, self; };
struct call { int caller, callee; const char *text; uint64_t count; };

struct version {
	const char *text;
	struct procedure procedures[4];
	struct statement statements[10];
	struct call calls[4];
};

static const struct version old_version = {
	old_text,
	{ { "less", 5000, 20, 20 }, { "sort", 1, 80, 100 }, { "gone", 1, 9, 9 },
	  { "main", 1, 1, 110 } },
	{ { 0, "a < b", 5000, 20 }, { 1, "i < n", 1000, 10 }, { 1, "k && less", 5200, 40 },
	  { 1, "swap(v, k)", 4000, 30 }, { 2, "v[0] = 0", 1, 9 }, { 3, "check(v)", 1, 1 },
	  { 3, "gone(v)", 1, 0 }, { 3, "sort(v, 1000)", 1, 0 } },
	{ { 1, 0, "less(v[k], v[k - 1])", 5000 }, { 3, 2, "gone(v)", 1 },
	  { 3, 1, "sort(v, 1000)", 1 } },
};

static const struct version new_version = {
	new_text,
	{ { "less", 500000, 900, 900 }, { "sort", 1, 2000, 2900 }, { "fresh", 1, 0, 0 },
	  { "main", 1, 2, 2902 } },
	{ { 0, "a < b", 500000, 900 }, { 1, "i < n", 1000, 12 }, { 1, "k && less", 520000, 1400 },
	  { 1, "swap(v, k)", 4000, 588 }, { 2, "v[1] = 1", 1, 0 }, { 3, "check(v)", 1, 2 },
	  { 3, "fresh(v)", 1, 0 }, { 3, "sort(v, 1000)", 1, 0 } },
	{ { 1, 0, "less(v[k], v[k - 1])", 500000 }, { 3, 2, "fresh(v)", 1 },
	  { 3, 1, "sort(v, 1000)", 1 } },
};

static struct model m;

static struct place
place_at(const char *text, const char *at, size_t length)
{
	struct place p = { .file = 1, .line = 1, .column = 1 };

	for (const char *s = text; s < at; s++) {
		p.column = *s == '\n' ? 1 : p.column + 1;
		p.line += *s == '\n';
	}
	p.end_line = p.line;
	p.end_column = p.column + (uint32_t)length - 1;
	return p;
}

/* Where WHAT stands first at the begin of a line (NAME), or first elsewhere. */
static struct place
find(const char *text, const char *what, bool name)
{
	const char *s = text;

	while ((s = strstr(s, what)) && (s > text && s[-1] == '\n') != name)
		s++;
	if (!s)
		BUG("no %s", what);
	return place_at(text, s, strlen(what));
}

static void
add_line(struct place place, uint64_t count, uint64_t self)
{
	struct model_line *l = m.nr_lines ? &m.lines[m.nr_lines - 1] : NULL;

	if (!l || l->line != place.line) {
		l = MODEL_ADD(&m, lines);
		*l = (struct model_line){ .file = 1, .line = place.line, .count = count };
	}
	l->self_samples += self;
	l->self_ns += self * TICK;
}

static void
add_procedure(const struct version *v, const struct procedure *p)
{
	struct model_procedure *to = MODEL_ADD(&m, procedures);
	struct place place = find(v->text, p->name, true);
	const char *end = v->text;

	/* To the line that ends it. */
	for (uint32_t line = 1; line < place.line; line++)
		end = strchr(end, '\n') + 1;
	end = strstr(end, "\n}\n") + 1;
	place.end_line = place_at(v->text, end, 1).line;
	place.end_column = 1;
	*to = (struct model_procedure){
		.name = p->name, .linkage_name = p->name, .place = place, .calls = p->calls,
		.self_work = p->calls, .total_work = p->calls,
		.self_samples = p->self, .self_ns = p->self * TICK,
		.total_ns = p->total * TICK, .total_samples = p->total,
		.propagated_ns = p->total * TICK,
	};
}

static void
add_statement(const struct version *v, const struct statement *s)
{
	struct place place = find(v->text, s->text, false);

	*MODEL_ADD(&m, blocks) = (struct model_block){
		.procedure = (model_id)s->procedure + 1, .number = (uint32_t)m.nr_blocks,
		.place = place, .count = s->count, .self_samples = s->self,
		.self_ns = s->self * TICK,
	};
	*MODEL_ADD(&m, ranges) = (struct model_range){
		.block = (model_id)m.nr_blocks, .kind = RANGE_STATEMENT, .place = place,
		.self_samples = s->self, .self_ns = s->self * TICK,
	};
	add_line(place, s->count, s->self);
}

static void
add_call(const struct version *v, const struct call *c)
{
	const struct model_procedure *callee = &m.procedures[c->callee];

	*MODEL_ADD(&m, sites) = (struct model_site){
		.procedure = (model_id)c->caller + 1, .block = 1, .kind = SITE_DIRECT,
		.place = find(v->text, c->text, false), .target = callee->name,
		.count = c->count,
	};
	*MODEL_ADD(&m, arcs) = (struct model_arc){
		.site = (model_id)m.nr_sites, .callee = (model_id)c->callee + 1,
		.how = ARC_SOLVED, .count = c->count, .lo = c->count, .hi = c->count,
		.propagated_ns = callee->propagated_ns,
	};
}

static void
add_run(uint64_t samples)
{
	*MODEL_ADD(&m, runs) = (struct model_run){
		.command = "./sort", .directory = "/sample", .program = "/sample/sort",
		.build_id = "0123456789abcdef", .host = "sample",
		.started_ns = 1700000000000000000, .wall_ns = samples * TICK,
		.cpu_ns = samples * TICK, .asked_interval_ns = TICK, .interval_ns = TICK,
		.samples = samples, .processes = 1,
	};
	*MODEL_ADD(&m, threads) = (struct model_thread){
		.run = 1, .pid = 77, .tid = 77, .cpu_ns = samples * TICK, .samples = samples,
	};
}

static void
build(const struct version *v)
{
	struct model_file *f;
	uint64_t samples = 0;

	model_init(&m);
	f = MODEL_ADD(&m, files);
	*f = (struct model_file){ .path = "/sample/src/sort.c", .text = v->text,
				  .size = strlen(v->text), .state = FILE_STORED };
	for (int i = 0; i < 4; i++) {
		add_procedure(v, &v->procedures[i]);
		samples += v->procedures[i].self;
	}
	for (int i = 0; i < 10 && v->statements[i].text; i++)
		add_statement(v, &v->statements[i]);
	for (int i = 0; i < 4 && v->calls[i].text; i++)
		add_call(v, &v->calls[i]);
	add_run(samples);
}

static void
write_version(const char *dir, const char *name, const struct version *v)
{
	char *path = xasprintf("%s/%s.db", dir, name);
	struct error err = ERROR_INIT;

	build(v);
	if (profile_write(path, &m, NULL, &err) < 0)
		BUG("%s", err.text);
	model_release(&m);
	free(path);
}

/* The comparisons of sort() are those of n numbers with each other. */
static void
write_runs(const char *dir)
{
	char name[20];

	for (uint64_t n = 100; n <= 800; n *= 2) {
		struct version v = old_version;

		v.procedures[0].calls = n * n;
		v.statements[0].count = n * n;
		v.statements[1].count = n;
		v.statements[2].count = n * n + n;
		v.statements[3].count = 5;
		v.calls[0].count = n * n;
		snprintf(name, sizeof(name), "n%u", (unsigned)n);
		write_version(dir, name, &v);
	}
}

/* What diff makes of them, against what stands above. */
static bool
is_as_known(const char *dir)
{
	struct profile *profiles[2];
	struct comparison_options options = { .normalise = NULL };
	struct expression_error err = EXPRESSION_ERROR_INIT;
	struct comparison *c;
	struct compared *t;
	struct compared_row row;
	bool good;

	for (int i = 0; i < 2; i++) {
		char *path = xasprintf("%s/%s.db", dir, i ? "new" : "old");

		profiles[i] = profile_open(path, &err.error);
		free(path);
		if (!profiles[i])
			return false;
	}
	c = comparison_open(profiles, 2, &options, &err.error);
	t = c ? comparison_table(c, BY_PROCEDURE, "b.calls - a.calls", &err) : NULL;
	good = t && compared_rows(t) == 5;
	if (t)
		compared_row(t, 0, &row);
	good = good && row.value.type == SCALAR_INTEGER && row.value.integer == 495000;
	comparison_close(c);
	profile_close(profiles[0]);
	profile_close(profiles[1]);
	return good;
}

int
main(int argc, char **argv)
{
	const char *dir = argc > 1 ? argv[1] : getenv("TMP_DIR");

	dir = dir ? dir : "/tmp";
	write_version(dir, "old", &old_version);
	write_version(dir, "new", &new_version);
	write_runs(dir);
	if (argc > 1)
		return 0;
	verdict(is_as_known(dir), "two versions are written and compared");
	return failures != 0;
}
