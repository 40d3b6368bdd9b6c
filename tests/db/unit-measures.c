/* Measures without columns of their own: written, read, added, taken apart. Two of them: page
 * faults, which add up, and a greatest stack depth. Expected values are worked out by hand. */
#include "db/model/measure.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/import/merge.h"
#include "db/model/parts.h"
#include "db/store/load.h"
#include "db/store/profile.h"
#include "db/store/writer.h"
#include "util/mem.h"

static const struct model_measure faults = {
	.name = "faults", .title = "page faults", .unit = "count", .combine = COMBINE_SUM,
	.inclusive = INCLUSIVE_STACKS, .period = 10,
};
static const struct model_measure depth = {
	.name = "depth_bytes", .title = "stack depth", .unit = "bytes", .combine = COMBINE_MAX,
	.inclusive = INCLUSIVE_NONE, .exact = true,
};

static char path[4096];
static bool all_good;

static void
check(bool good, int line)
{
	if (!good)
		printf("# line %d\n", line);
	all_good &= good;
}
#define SELF(row, slot) figures_get((row).figures, false, slot)
#define TOTAL(row, slot) figures_get((row).figures, true, slot)
#define CHECK(condition) check(condition, __LINE__)

static void
verdict(const char *name)
{
	printf("%s - %s\n", all_good ? "ok" : "not ok", name);
	all_good = true;
}

/* A program of two procedures, main and f with one range each; the first calls the second. In f:
 * FAULTS faults, depth DEEP. ORDER: which measure comes first. */
static void
make(struct model *m, bool faults_first, uint64_t in_f, uint64_t deep)
{
	int a, b;

	model_init(m);
	a = measure_add(m, faults_first ? &faults : &depth);
	b = measure_add(m, faults_first ? &depth : &faults);
	if (!faults_first) {
		int swap = a;

		a = b;
		b = swap;
	}
	MODEL_ADD(m, files)->path = "/x.c";
	for (unsigned i = 0; i < 2; i++) {
		*MODEL_ADD(m, procedures) = (struct model_procedure){
			.name = i ? "f" : "main", .linkage_name = i ? "f" : "main", .module = "x",
			.place = { 1, 10 * i + 1, 1, 10 * i + 9, 1 }, .calls = 1 };
		*MODEL_ADD(m, blocks) = (struct model_block){
			.procedure = i + 1, .place = { 1, 10 * i + 2, 1, 10 * i + 2, 9 },
			.count = 1 };
		*MODEL_ADD(m, ranges) = (struct model_range){
			.block = i + 1, .place = { 1, 10 * i + 2, 1, 10 * i + 2, 9 } };
		*MODEL_ADD(m, lines) = (struct model_line){
			.file = 1, .line = 10 * i + 2, .count = 1 };
		*MODEL_ADD(m, contexts) = (struct model_context){
			.parent = i, .procedure = i + 1, .site = i };
	}
	*MODEL_ADD(m, sites) = (struct model_site){
		.procedure = 1, .block = 1, .place = { 1, 2, 1, 2, 5 }, .target = "f", .count = 1 };
	figure_self(m, &m->procedures[1].figures, (unsigned)a, in_f);
	figure_total(m, &m->procedures[1].figures, (unsigned)a, in_f);
	figure_total(m, &m->procedures[0].figures, (unsigned)a, in_f);
	figure_self(m, &m->blocks[1].figures, (unsigned)a, in_f);
	figure_self(m, &m->ranges[1].figures, (unsigned)a, in_f);
	figure_self(m, &m->lines[1].figures, (unsigned)a, in_f);
	figure_total(m, &m->sites[0].figures, (unsigned)a, in_f);
	figure_self(m, &m->contexts[1].figures, (unsigned)a, in_f);
	figure_total(m, &m->contexts[1].figures, (unsigned)a, in_f);
	figure_total(m, &m->contexts[0].figures, (unsigned)a, in_f);
	figure_self(m, &m->procedures[1].figures, (unsigned)b, deep);
	MODEL_ADD(m, runs)->raws = NULL;
	m->runs[0].command = "./x";
	*MODEL_ADD(m, threads) = (struct model_thread){ .run = 1, .part = 1, .tid = 1 };
	parts_of_whole(m);
}

/* The only number that SQL gives. */
static int64_t
ask(const char *sql)
{
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;
	int64_t n = -1;

	sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL);
	if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK &&
	    sqlite3_step(st) == SQLITE_ROW)
		n = sqlite3_column_int64(st, 0);
	else
		printf("# %s: %s\n", sql, sqlite3_errmsg(db));
	sqlite3_finalize(st);
	sqlite3_close(db);
	return n;
}

static void
test_names(void)
{
	struct model m;
	struct model_measure bad = faults;
	static const char *const names[] = {
		"", "Faults", "1st", "a b", "x; DROP TABLE run", "_x", "count", "time",
		"a234567890123456789012345678901234567890", "samples", "ns", "wait_ns", "calls",
	};

	model_init(&m);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		bad.name = names[i];
		CHECK(measure_add(&m, &bad) == -1);
	}
	CHECK(measure_add(&m, &faults) == 0 && measure_add(&m, &depth) == 1);
	CHECK(measure_add(&m, &faults) == 0); /* there already */
	bad = faults;
	bad.unit = "bytes";
	CHECK(measure_add(&m, &bad) == -1);   /* another one of that name */
	for (int i = 2; i < MEASURES_MAX; i++) {
		char name[16];

		snprintf(name, sizeof(name), "m%d", i);
		bad.name = name;
		CHECK(measure_add(&m, &bad) == i);
	}
	bad = faults;
	bad.exact = true;
	bad.period = 1;
	CHECK(measure_add(&m, &bad) == 0 && !m.measures[0].exact && !m.measures[0].period);
	bad = depth;
	CHECK(measure_add(&m, &bad) == 1 && m.measures[1].exact);
	bad.exact = false;
	CHECK(measure_add(&m, &bad) == 1 && !m.measures[1].exact);
	bad.name = "onemore";
	CHECK(measure_add(&m, &bad) == -1);
	model_release(&m);
	verdict("names, and how many there can be");
}

static void
test_stored(void)
{
	struct error err = ERROR_INIT;
	struct measures have;
	struct profile *p;
	struct model m, read;

	make(&m, true, 7, 4096);
	CHECK(!profile_write(path, &m, NULL, &err));
	CHECK(ask("SELECT self_faults FROM procedure WHERE name = 'f'") == 7);
	CHECK(ask("SELECT total_faults FROM procedure WHERE name = 'main'") == 7);
	CHECK(ask("SELECT self_faults FROM procedure WHERE name = 'main'") == 0);
	CHECK(ask("SELECT self_depth_bytes FROM procedure WHERE name = 'f'") == 4096);
	CHECK(ask("SELECT sum(self_faults) FROM block") == 7);
	CHECK(ask("SELECT sum(self_faults) FROM range") == 7);
	CHECK(ask("SELECT self_faults FROM line WHERE line = 12") == 7);
	CHECK(ask("SELECT self_faults FROM file") == 7);
	CHECK(ask("SELECT total_faults FROM call_site") == 7);
	CHECK(ask("SELECT total_faults FROM context WHERE parent IS NULL") == 7);
	CHECK(ask("SELECT total FROM measure WHERE name = 'faults'") == 7);
	CHECK(ask("SELECT max_line FROM measure WHERE name = 'faults'") == 7);
	CHECK(ask("SELECT total FROM measure WHERE name = 'depth_bytes'") == 4096);
	CHECK(ask("SELECT count(*) FROM measure") == NR_BUILTIN_MEASURES + 2);
	p = profile_open(path, &err);
	if (p) {
		have = profile_measures(p);
		CHECK(have.nr == NR_BUILTIN_MEASURES + 2);
		CHECK(!strcmp(have.items[MEASURE_WAIT - 1].name, "wait"));
		CHECK(!strcmp(have.items[NR_BUILTIN_MEASURES + 1].unit, "bytes"));
		CHECK(have.items[NR_BUILTIN_MEASURES].period == 10);
	}
	CHECK(p != NULL);
	profile_close(p);
	model_init(&read);
	CHECK(!model_load(&read, path, &err));
	CHECK(read.nr_measures == 2 && SELF(read.procedures[1], 0) == 7 &&
	      SELF(read.procedures[1], 1) == 4096 && !read.lines[0].figures);
	if (err.set)
		printf("# %s\n", err.text);
	model_release(&read);
	model_release(&m);
	verdict("columns of the tables, sums, and read again");
}

/* The id of the first measure without columns of its own. */
enum { FIRST = NR_BUILTIN_MEASURES + 1 };

/* What the source view asks for. At the place of f's range there is another one, with 3 faults
 * more; of the two depths the greater counts. */
static void
test_rows(void)
{
	struct error err = ERROR_INIT;
	struct range_row *ranges = NULL;
	struct line_row *lines = NULL;
	struct site_row *sites = NULL;
	struct procedure_row procedure;
	struct profile *p;
	struct model m;

	make(&m, true, 7, 4096);
	*MODEL_ADD(&m, ranges) = (struct model_range){
		.block = 2, .place = m.ranges[1].place, .kind = RANGE_MACRO };
	figure_self(&m, &m.ranges[1].figures, 1, 40);
	figure_self(&m, &m.ranges[2].figures, 0, 3);
	figure_self(&m, &m.ranges[2].figures, 1, 100);
	CHECK(!profile_write(path, &m, NULL, &err));
	model_release(&m);
	p = profile_open(path, &err);
	CHECK(p && profile_ranges(p, 1, 12, 12, &ranges) == 1 && ranges->self[FIRST] == 10 &&
	      ranges->self[FIRST + 1] == 100 && !ranges->self[FIRST + 2]);
	CHECK(p && profile_lines(p, 1, 1, 20, &lines) == 2 && !lines[0].self[FIRST] &&
	      lines[1].self[FIRST] == 7);
	CHECK(p && profile_sites(p, 1, 1, 20, &sites) == 1 && sites->total[FIRST] == 7 &&
	      !sites->total[FIRST + 1]);
	CHECK(p && profile_procedure_named(p, "f", &procedure) &&
	      procedure.self[FIRST] == 7 && procedure.total[FIRST] == 7 &&
	      procedure.self[FIRST + 1] == 4096);
	CHECK(p && profile_procedure_named(p, "main", &procedure) &&
	      !procedure.self[FIRST] && procedure.total[FIRST] == 7);
	CHECK(p && !profile_error(p));
	free(ranges);
	free(lines);
	free(sites);
	profile_close(p);
	verdict("rows of ranges, lines, call sites and procedures");
}

/* Runs with 7 and 5 faults, depths 4,096 and 9,000; the measures in another order in each. */
static void
test_merged(void)
{
	struct error err = ERROR_INIT;
	struct candidates c = { .nr = 0 };
	struct model a, b;
	bool keep[2] = { false, true };

	make(&a, true, 7, 4096);
	make(&b, false, 5, 9000);
	CHECK(!model_merge(&a, &b, &c, &err));
	CHECK(a.nr_measures == 2 && a.nr_procedures == 2 && a.nr_parts == 2);
	CHECK(SELF(a.procedures[1], 0) == 12);
	CHECK(TOTAL(a.procedures[0], 0) == 12);
	CHECK(SELF(a.procedures[1], 1) == 9000);
	CHECK(SELF(a.lines[1], 0) == 12 && TOTAL(a.sites[0], 0) == 12);
	CHECK(TOTAL(a.contexts[0], 0) == 12);
	verdict("added: sums and the greatest, whatever their order");

	/* The second part is A's, as runs of what is added come first. */
	CHECK(!parts_keep(&a, keep, &err));
	CHECK(SELF(a.procedures[1], 0) == 7 && SELF(a.procedures[1], 1) == 4096);
	CHECK(TOTAL(a.procedures[0], 0) == 7 && SELF(a.blocks[1], 0) == 7);
	CHECK(TOTAL(a.contexts[0], 0) == 7 && SELF(a.contexts[1], 0) == 7);
	if (err.set)
		printf("# %s\n", err.text);
	verdict("only one thread: its own");
	candidates_release(&c);
	model_release(&a);
	model_release(&b);
}

static void
test_contradiction(void)
{
	struct model_measure other = faults;
	struct error err = ERROR_INIT;
	struct candidates c = { .nr = 0 };
	struct model a, b;

	make(&a, true, 7, 4096);
	model_init(&b);
	other.combine = COMBINE_MAX;
	measure_add(&b, &other);
	CHECK(model_merge(&a, &b, &c, &err) == -1 && strstr(err.text, "faults"));
	candidates_release(&c);
	model_release(&a);
	model_release(&b);
	verdict("another measure of the same name is refused");
}

/* What the table says of its measures is not believed when it cannot be. */
static void
test_damage(void)
{
	static const char *const changes[] = {
		"UPDATE measure SET name = 'x; DROP' WHERE name = 'faults'",
		"UPDATE measure SET name = 'depth_bytes' WHERE name = 'faults'",
		"UPDATE measure SET name = 'other' WHERE name = 'faults'",
		"UPDATE measure SET name = 'other' WHERE name = 'count'",
		"DELETE FROM measure WHERE name = 'wait'",
		"DELETE FROM measure WHERE name = 'depth_bytes'",
		"INSERT INTO measure SELECT 99, 'new', NULL, title, unit, combine, "
		"inclusive, formula, exact, detail, period, total, max_block, max_line, max_value "
		"FROM measure WHERE id = 1",
	};
	struct model m;

	for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++) {
		struct error err = ERROR_INIT;
		struct profile *p;
		sqlite3 *db;

		make(&m, true, 7, 4096);
		CHECK(!profile_write(path, &m, NULL, &err));
		model_release(&m);
		sqlite3_open(path, &db);
		CHECK(sqlite3_exec(db, changes[i], NULL, NULL, NULL) == SQLITE_OK);
		sqlite3_close(db);
		p = profile_open(path, &err);
		if (p)
			printf("# opened after %s\n", changes[i]);
		CHECK(!p && err.set);
		profile_close(p);
	}
	verdict("measures that cannot be are refused");
}

/* Figures that are set in any order are those of plain arrays. */
static void
test_figures(void)
{
	int64_t wanted[2][MEASURES_MAX] = { { 0 } };
	struct arena arena = ARENA_INIT;
	struct figures *f = NULL;
	uint32_t random = 1;

	for (int turn = 0; turn < 500; turn++) {
		bool total = (random = random * 1103515245 + 12345) >> 16 & 1;
		unsigned slot = (random = random * 1103515245 + 12345) / 65536 % MEASURES_MAX;
		int64_t value = turn % 7 ? turn % 2 ? -turn : INT64_MAX - turn : 0;

		wanted[total][slot] = value;
		figures_set(&arena, &f, total, slot, value);
		for (unsigned i = 0; i < 2 * MEASURES_MAX; i++)
			CHECK(figures_get(f, i % 2, i / 2) == wanted[i % 2][i / 2]);
	}
	CHECK(!figures_get(NULL, true, 0));
	CHECK(measure_combine(COMBINE_SUM, -5, 3) == -2);
	CHECK(measure_combine(COMBINE_SUM, INT64_MAX, 1) == INT64_MAX);
	CHECK(measure_combine(COMBINE_SUM, -INT64_MAX, -1) == -INT64_MAX);
	CHECK(figure_combine(COMBINE_MAX, -5, -3) == -3);
	CHECK(figure_combine(COMBINE_MAX, 0, -3) == -3);
	arena_release(&arena);
	verdict("a row's figures, with signs");
}

int
main(void)
{
	const char *directory = getenv("TMP_DIR");

	all_good = true;
	snprintf(path, sizeof(path), "%s/measures.db", directory ? directory : "/tmp");
	test_names();
	test_figures();
	test_stored();
	test_rows();
	test_merged();
	test_contradiction();
	test_damage();
	unlink(path);
	return 0;
}
