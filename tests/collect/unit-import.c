/* Hand-made files through the importer: every number that comes out is known. */
#include "collect/import/import.h"

#include "collect/fixture.h"

#define SELF(figures, slot) figures_get(figures, false, slot)
#define TOTAL(figures, slot) figures_get(figures, true, slot)

enum { N = 7, CMP = 9, M = 4 };

static char *program, *raw;

static void
write_program(void)
{
	struct strbuf tab = STRBUF_INIT, elf = STRBUF_INIT;

	put_fixture_unit(&tab);
	put_elf(&elf, &tab, FIXTURE_COUNTERS);
	write_file(program, &elf);
	strbuf_release(&tab);
	strbuf_release(&elf);
}

/* Two processes, two threads: their counts and samples add up. */
static void
put_run(struct strbuf *sb)
{
	static const uint64_t parent[FIXTURE_COUNTERS] = { N - 2, CMP - 1, M, 1, N - 2, M };
	static const uint64_t child[FIXTURE_COUNTERS] = { 2, 1, 0, 0, 2, 0 };
	struct strbuf samples = STRBUF_INIT;

	put_raw_head(sb, program);
	put_module(sb, program, 0xab);
	put_counters(sb, FIXTURE_PID, parent);
	put_counters(sb, FIXTURE_PID + 1, child);
	put_thread(sb, FIXTURE_PID, 30000000);
	put_thread(sb, FIXTURE_PID + 1, 10000000);
	put_sample(&samples, 0, 0);
	put_sample(&samples, 0, 3);  /* main */
	put_sample(&samples, 2, 2);
	put_sample(&samples, 0, 4);  /* no procedure begins with this one */
	put_extent(sb, (struct raw_extent){ .kind = RAW_SAMPLES }, samples.buf, samples.len);
	strbuf_release(&samples);
}

static const struct model_procedure *
procedure(const struct model *m, const char *name)
{
	for (size_t i = 0; i < m->nr_procedures; i++)
		if (!strcmp(m->procedures[i].name, name))
			return &m->procedures[i];
	must(0, name);
	return NULL;
}

static uint64_t
line(const struct model *m, uint32_t number)
{
	for (size_t i = 0; i < m->nr_lines; i++)
		if (m->lines[i].line == number)
			return m->lines[i].count;
	return UINT64_MAX;
}

static bool
candidate(const struct model *m, const struct candidates *c, size_t site, const char *callee)
{
	model_id id = callee ? (model_id)(procedure(m, callee) - m->procedures) + 1 : 0;

	for (size_t i = 0; i < c->nr; i++)
		if (c->items[i].site == site && c->items[i].callee == id)
			return true;
	return false;
}

static bool
noted(const struct model *m, const char *kind, const char *text)
{
	for (size_t i = 0; i < m->nr_notes; i++)
		if (!strcmp(m->notes[i].kind, kind) && strstr(m->notes[i].text, text))
			return true;
	return false;
}

static int
import(struct model *m, struct candidates *c, const struct strbuf *sb, struct error *err)
{
	const char *paths[] = { raw };

	write_file(raw, sb);
	model_init(m);
	*err = (struct error)ERROR_INIT;
	return import_raw(m, paths, 1, NULL, NULL, c, err);
}

static void
check_counts(const struct model *m)
{
	check("procedure counts add up over processes",
	      procedure(m, "twice")->calls == N && procedure(m, "cmp")->calls == CMP &&
	      procedure(m, "odd")->calls == M && procedure(m, "main")->calls == 1);
	check("blocks: those of main follow from three counters",
	      m->nr_blocks == 9 && m->blocks[4].count == 1 + N && m->blocks[5].count == N &&
	      m->blocks[6].count == 1 + M && m->blocks[7].count == M && m->blocks[8].count == 1);
	check("sites have the counts of their blocks", m->nr_sites == 3 && m->sites[0].count == N &&
	      m->sites[1].count == M && m->sites[2].count == 1);
	/* Of the head of a loop the condition is executed most often. */
	check("lines as often as what is executed most often", line(m, 1) == N &&
	      line(m, 2) == CMP &&
	      line(m, 3) == M && line(m, 6) == 1 + N && line(m, 7) == N && line(m, 8) == 1 + M &&
	      line(m, 9) == 1);
}

static void
check_candidates(const struct model *m, const struct candidates *c)
{
	check("a direct call reaches its static procedure only",
	      candidate(m, c, 1, "twice") && !candidate(m, c, 1, NULL));
	check("a call through a pointer reaches taken procedures of its type, and outside",
	      candidate(m, c, 2, "odd") && candidate(m, c, 2, NULL) && !candidate(m, c, 2, "cmp") &&
	      !candidate(m, c, 2, "twice"));
	check("a call of what was not profiled leads outside", candidate(m, c, 3, NULL));
	check("taken addresses are marked", procedure(m, "cmp")->flags & PROCEDURE_TAKEN &&
	      !(procedure(m, "twice")->flags & PROCEDURE_TAKEN));
}

static void
check_samples(const struct model *m)
{
	const struct model_run *run = &m->runs[0];

	check("the interval is CPU time by samples", run->samples == 4 &&
	      run->interval_ns == 10000000 && run->cpu_ns == 40000000 && run->processes == 2);
	check("self by symbol", procedure(m, "twice")->self_samples == 3 &&
	      procedure(m, "odd")->self_ns == 10000000 && procedure(m, "main")->self_samples == 0);
	check("total once per stack", procedure(m, "main")->total_samples == 4 &&
	      procedure(m, "main")->total_ns == 40000000);
	check("contexts: main and its two callees", m->nr_contexts == 3 &&
	      m->contexts[0].parent == 0 && m->contexts[0].total_samples == 4 &&
	      m->contexts[1].parent == 1 && m->contexts[1].self_samples == 3);
	check("without line numbers, the only direct call of a callee is its site",
	      m->sites[0].total_samples == 3);
	check("code bytes from the symbols", procedure(m, "twice")->code_bytes == 0x10 &&
	      procedure(m, "main")->code_bytes == 0x13);
	check("self by cost centre", procedure(m, "twice")->centre_samples == 1 &&
	      procedure(m, "main")->centre_ns == 10000000 &&
	      procedure(m, "odd")->centre_samples == 1 && run->centre_samples == 4);
	check("what has no centre is unprofiled", run->centre_unprofiled_samples == 1 &&
	      procedure(m, UNPROFILED_NAME)->centre_samples == 1 &&
	      procedure(m, UNPROFILED_NAME)->self_samples == 0 &&
	      !procedure(m, UNPROFILED_NAME)->place.file);
	check("where the chargings differ is noted", noted(m, "samples", "2 of 4 samples") &&
	      noted(m, "samples", "1 of twice to main"));
	check("the reader of debug information says that there is none",
	      noted(m, "dwarf", "debug"));
}

static void
test_whole(void)
{
	struct strbuf sb = STRBUF_INIT;
	struct candidates c;
	struct model m;
	struct error err;

	put_run(&sb);
	check("import", !import(&m, &c, &sb, &err));
	if (err.set)
		printf("# %s\n", err.text);
	check_counts(&m);
	check_candidates(&m, &c);
	check_samples(&m);
	check("facts of the run", !strcmp(m.runs[0].command, "./prog 'an arg'") &&
	      !strcmp(m.runs[0].directory, "/tmp") && !strcmp(m.runs[0].host, "host") &&
	      !strcmp(m.runs[0].label, "a label") && !strcmp(m.runs[0].job, "job 7") &&
	      m.nr_parts == 2 && m.parts[0].rank == 3 && m.parts[1].rank == 3 &&
	      !strncmp(m.runs[0].build_id, "abababab", 8) && m.runs[0].wall_ns == 1000000000);
	check("the missing source is noted", m.files[0].state == FILE_MISSING &&
	      !strcmp(m.files[0].path, "/tmp/fixture.c") && noted(&m, "source", "fixture.c"));
	candidates_release(&c);
	model_release(&m);
	strbuf_release(&sb);
}

/* The same inline procedure in two units is one procedure with the sum of the counts. */
static void
test_merge(void)
{
	struct strbuf tab = STRBUF_INIT, elf = STRBUF_INIT, sb = STRBUF_INIT, one = STRBUF_INIT;
	uint64_t counters[2 * FIXTURE_COUNTERS] = { 1, 2, 3, 1, 1, 3, 10, 20, 30, 1, 10, 30 };
	struct candidates c;
	struct model m;
	struct error err;

	put_fixture_unit(&tab);
	put_bytes(&tab, 0, 16); /* as linkers leave between units */
	put_fixture_unit(&one);
	for (int i = 0; i < 8; i++) /* the counters of the second unit follow those of the first */
		one.buf[16 + i] = (char)((uint64_t)(FIXTURE_CNT + 8 * FIXTURE_COUNTERS) >> 8 * i);
	strbuf_add(&tab, one.buf, one.len);
	put_elf(&elf, &tab, 2 * FIXTURE_COUNTERS);
	write_file(program, &elf);
	put_raw_head(&sb, program);
	put_module(&sb, program, 0xab);
	put_extent(&sb, (struct raw_extent){ .kind = RAW_COUNTERS, .nr_counters = 12 }, counters,
		   sizeof(counters));
	check("two units: import", !import(&m, &c, &sb, &err));
	if (err.set)
		printf("# %s\n", err.text);
	check("equal records are one, with the sum of the counts", m.nr_procedures == 4 &&
	      procedure(&m, "twice")->calls == 11 && procedure(&m, "cmp")->calls == 22 &&
	      m.nr_blocks == 9 && line(&m, 6) == 2 + 11);
	check("what is left out is told, once", noted(&m, "uncounted",
	      "1 procedure is not counted: attribute naked: bare (fixture.c:4)"));
	candidates_release(&c);
	model_release(&m);
	strbuf_release(&tab);
	strbuf_release(&elf);
	strbuf_release(&sb);
	strbuf_release(&one);
	write_program();
}

static bool
refused(const struct strbuf *sb, const char *why)
{
	struct candidates c;
	struct model m;
	struct error err;
	int ret = import(&m, &c, sb, &err);
	bool good = ret == -1 && err.set && strstr(err.text, why);

	if (!good)
		printf("# got %d: %s\n", ret, err.text);
	candidates_release(&c);
	model_release(&m);
	return good;
}

static void
test_refusals(void)
{
	struct strbuf sb = STRBUF_INIT;

	check("an empty file is refused", refused(&sb, "empty"));
	strbuf_str(&sb, "something else entirely");
	check("another file is refused", refused(&sb, "not a raw profile"));
	strbuf_clear(&sb);
	put_raw_head(&sb, program);
	check("a raw file without counts is refused", refused(&sb, "no counts"));
	sb.buf[offsetof(struct raw_head, pid)] ^= 1;
	check("a damaged head is refused", refused(&sb, "checksum"));
	strbuf_clear(&sb);
	put_raw_head(&sb, program);
	put_module(&sb, program, 0xcd);
	check("another build is refused", refused(&sb, "rebuilt"));
	strbuf_clear(&sb);
	put_raw_head(&sb, "/nonexistent/program");
	put_module(&sb, "/nonexistent/program", 0xab);
	check("a missing program is refused", refused(&sb, "/nonexistent/program"));
	strbuf_release(&sb);
}

/* Cut at every page: refused, or marked as cut, or nothing that counts is missing. */
static void
test_cuts(void)
{
	struct strbuf sb = STRBUF_INIT, part = STRBUF_INIT;
	struct candidates c;
	struct model m;
	struct error err;
	int wrong = 0, told = 0;
	size_t cut;

	put_run(&sb);
	((struct raw_head *)sb.buf)->end = sb.len;
	for (cut = 0; cut < sb.len; cut += 1000) {
		strbuf_clear(&part);
		strbuf_add(&part, sb.buf, cut);
		if (import(&m, &c, &part, &err))
			told += err.set;
		else if (noted(&m, "counts", "cut off"))
			told++;
		else
			wrong++;
		candidates_release(&c);
		model_release(&m);
	}
	printf("# %d cuts told, %d not\n", told, wrong);
	check("a cut file is refused or marked", !wrong && told > 20);
	strbuf_release(&sb);
	strbuf_release(&part);
}

/* What a clock that was moved, or a damaged file, makes of a thread's time. */
static void
test_absurd_time(void)
{
	static const uint64_t counters[FIXTURE_COUNTERS] = { N, CMP, M, 1, N, M };
	struct strbuf sb = STRBUF_INIT;
	struct candidates c;
	struct model m;
	struct error err;

	put_raw_head(&sb, program);
	put_module(&sb, program, 0xab);
	put_counters(&sb, FIXTURE_PID, counters);
	put_thread(&sb, FIXTURE_PID, 30000000);
	put_thread(&sb, FIXTURE_PID + 1, (uint64_t)1 << 53);
	must(!import(&m, &c, &sb, &err), err.text);
	check("a processor time of months is no time", m.nr_threads == 2 &&
	      m.threads[0].cpu_ns + m.threads[1].cpu_ns == 30000000 &&
	      m.runs[0].cpu_ns == 30000000);
	check("... and a note tells it",
	      noted(&m, "samples", "1 threads have a processor time of months"));
	candidates_release(&c);
	model_release(&m);
	strbuf_release(&sb);
}

/* Imports a run with two ticks and events: of source 0 two single ones in twice, of source 1 a
 * hundred in odd, and some that cannot be. */
static void
import_events(struct model *m, const struct raw_events *told)
{
	static const uint64_t counters[FIXTURE_COUNTERS] = { N, CMP, M, 1, N, M };
	struct strbuf sb = STRBUF_INIT, samples = STRBUF_INIT;
	struct candidates c;
	struct error err;

	put_raw_head(&sb, program);
	put_module(&sb, program, 0xab);
	put_counters(&sb, FIXTURE_PID, counters);
	put_thread(&sb, FIXTURE_PID, 30000000);
	put_sample(&samples, 1, 0);
	put_event(&samples, 0, 0, 1);
	put_event(&samples, 0, 0, 1);
	put_event(&samples, 2, 1, 100);
	put_event(&samples, 2, 5, 1);
	put_event(&samples, 2, 0, UINT64_C(1) << 62);
	put_sample(&samples, 1, 0);
	put_extent(&sb, (struct raw_extent){ .kind = RAW_SAMPLES }, samples.buf, samples.len);
	if (told)
		put_events(&sb, *told);
	must(!import(m, &c, &sb, &err), err.text);
	candidates_release(&c);
	strbuf_release(&samples);
	strbuf_release(&sb);
}

/* A word more behind the frames of some samples: how much stack was in use. */
static void
test_stack_used(void)
{
	static const uint64_t counters[FIXTURE_COUNTERS] = { N, CMP, M, 1, N, M };
	static const struct { unsigned symbol; uint64_t used; } given[] = {
		{ 0, 320 }, { 2, 64 }, { 0, 4000 }, { 0, 0 }, { 2, UINT64_C(1) << 47 }, { 0, 336 },
	};
	struct strbuf sb = STRBUF_INIT, samples = STRBUF_INIT;
	const struct figures *twice, *odd, *all;
	struct candidates c;
	struct error err;
	struct model m;

	put_raw_head(&sb, program);
	put_module(&sb, program, 0xab);
	put_counters(&sb, FIXTURE_PID, counters);
	put_thread(&sb, FIXTURE_PID, 30000000);
	for (size_t i = 0; i < sizeof(given) / sizeof(*given); i++) {
		put_sample_like(&samples, given[i].symbol, (struct raw_sample){
			.flags = given[i].used ? RAW_STACK_USED : 0 }, 0);
		if (given[i].used)
			strbuf_add(&samples, &given[i].used, sizeof(given[i].used));
	}
	put_extent(&sb, (struct raw_extent){ .kind = RAW_SAMPLES }, samples.buf, samples.len);
	must(!import(&m, &c, &sb, &err), err.text);
	twice = procedure(&m, "twice")->figures;
	odd = procedure(&m, "odd")->figures;
	all = procedure(&m, "main")->figures;
	check("stack in use: all samples are read", m.runs[0].samples == 6);
	check("... a measure of the greatest", m.nr_measures == 1 && !m.measures[0].exact &&
	      !strcmp(m.measures[0].name, "stack") && m.measures[0].combine == COMBINE_MAX &&
	      measure_is_least(&m.measures[0]));
	check("... by symbol, and for who called; what cannot be is left out", twice && odd &&
	      all && SELF(twice, 0) == 4000 && SELF(odd, 0) == 64 && TOTAL(all, 0) == 4000 &&
	      !SELF(all, 0));
	model_release(&m);
	candidates_release(&c);
	strbuf_release(&samples);
	strbuf_release(&sb);
}

static void
test_events(void)
{
	struct raw_events told = { .asked = 3 }; /* page faults, minor faults */
	const struct figures *twice, *odd, *all;
	struct model m;

	import_events(&m, &told);
	twice = procedure(&m, "twice")->figures;
	odd = procedure(&m, "odd")->figures;
	all = procedure(&m, "main")->figures;
	check("events: a measure for each that was asked for", m.nr_measures == 2 &&
	      !strcmp(m.measures[0].name, "faults") && !m.measures[0].exact &&
	      !m.measures[0].period && !strcmp(m.measures[1].name, "minor_faults") &&
	      m.measures[1].exact && m.measures[1].period == 1);
	check("... by symbol, and for who called", twice && odd && all && SELF(twice, 0) == 2 &&
	      SELF(twice, 1) == 2 && SELF(odd, 0) == 100 && !SELF(odd, 1) &&
	      TOTAL(all, 0) == 102 && TOTAL(all, 1) == 2 && !SELF(all, 0));
	check("... they are no time", m.runs[0].samples == 2 &&
	      procedure(&m, "cmp")->self_samples == 2 && !procedure(&m, "twice")->self_samples);
	model_release(&m);

	told.sources[0].error = told.sources[1].error = UINT32_MAX;
	told.sources[0].lost = 7;
	import_events(&m, &told);
	check("... a number that is no error", noted(&m, "samples", "(perf_event_open: unknown"));
	check("... what was lost", noted(&m, "samples", "7 samples of page faults were lost") &&
	      !m.measures[0].exact && !m.measures[1].exact);
	model_release(&m);

	import_events(&m, NULL);
	check("... that nobody asked for", !m.nr_measures && m.runs[0].samples == 2 &&
	      !procedure(&m, "twice")->figures);
	model_release(&m);
}

static void
test_signatures(void)
{
	static const struct {
		const char *call, *procedure;
		bool fits;
		enum unlike unlike;
	} known[] = {
		{ "i4(p,i4)", "i4(p,i4)", true, UNLIKE_NOT },
		{ "i4(p,i4)", "i4(p)", false, UNLIKE_NOT },
		{ "i4(p)", "i4(i8)", false, UNLIKE_NOT },
		{ "i4()", "i4(p)", false, UNLIKE_NOT },
		{ "f8(p)", "i4(p)", false, UNLIKE_NOT },
		{ "v(p)", "i4(p)", true, UNLIKE_OTHER },
		{ "i4(*)", "i4(p,p,i8)", true, UNLIKE_NOT },
		{ "i4(p,*)", "i4(p,f8)", true, UNLIKE_NOT },
		{ "i4(p,*)", "i4(i4)", false, UNLIKE_NOT },
		{ "i4(?)", "i4(S16)", true, UNLIKE_NOT },
		{ "i4(S16)", "i4(S1)", false, UNLIKE_NOT },
		{ "", "v()", true, UNLIKE_NOT },
		{ "i4(p{a})", "i4(p{a})", true, UNLIKE_NOT },
		{ "i4(p{a})", "i4(p{b})", true, UNLIKE_OTHER },
		{ "i4(p{a})", "i4(p)", true, UNLIKE_VOID },
		{ "i4(p{a},i4)", "i4(p,i8)", false, UNLIKE_NOT },
		{ "p{a}()", "p{b}()", true, UNLIKE_OTHER },
		{ "p{a}()", "v()", true, UNLIKE_OTHER },
		{ "i4(p{},p{a})", "i4(p{b},p{*a})", true, UNLIKE_OTHER },
		{ "i4(p{},p{a})", "i4(p{b},p)", true, UNLIKE_VOID },
		{ "i4(p{a(b)},*)", "i4(p{a(b)},p{c})", true, UNLIKE_NOT },
		{ "p{a", "p{a", true, UNLIKE_NOT },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		enum unlike unlike;
		bool fits = signatures_compatible(known[i].call, known[i].procedure, &unlike);

		if (fits != known[i].fits || (fits && unlike != known[i].unlike))
			printf("%s and %s\n", known[i].call, known[i].procedure);
		check("signatures", fits == known[i].fits && (!fits || unlike == known[i].unlike));
	}
}

int
main(void)
{
	program = scratch("fixture-program");
	raw = scratch("fixture.raw");
	write_program();
	test_whole();
	test_merge();
	test_refusals();
	test_cuts();
	test_absurd_time();
	test_stack_used();
	test_events();
	test_signatures();
	unlink(program);
	unlink(raw);
	return 0;
}
