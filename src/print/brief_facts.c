/* The facts of one profile. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "db/lists/wings.h"
#include "db/store/texts.h"
#include "print/brief.h"
#include "show/advice.h"
#include "show/columns.h"
#include "show/human.h"
#include "util/text/path.h"

struct maker {
	struct brief *b;
	struct profile *p;
	const struct profile_totals *t;
	const char *name; /* of the profile, in commands */
	uint64_t samples; /* of equal weight, that all time is made of */
};

/* Rows of a fact, at the most. With a title and a command each, and the head, that makes fewer than
 * BRIEF_LINES. */
enum {
	MOST_HOTTEST = 5,
	MOST_LINES = 4,
	MOST_CALLERS = 3,
	MOST_EXECUTED = 3,
	MOST_EACH = 3,
	MOST_NEVER = 3,
	MOST_PRODUCERS = 2,
	MOST_LIVE = 2,
	MOST_WAITING = 3,
	MOST_NOTES = 5,
	RUN_ROWS = 2,
	SUM_ROWS = 3 /* of what never ran, memory, and waiting */,
};
_Static_assert(2 + 2 * BRIEF_FACTS + RUN_ROWS + MOST_HOTTEST + MOST_LINES + MOST_CALLERS +
			       MOST_EXECUTED + MOST_EACH + MOST_NEVER + MOST_PRODUCERS + MOST_LIVE +
			       MOST_WAITING + MOST_NOTES + SUM_ROWS <=
		       BRIEF_LINES,
	       "it is brief");

#define MORE(...)                                                                                  \
	(const char *const[])                                                                      \
	{                                                                                          \
		"cgview", __VA_ARGS__, m->name, NULL                                               \
	}

/* ---- figures ---- */

/* Did another tool write it? What is not in it cannot be recorded then. */
static bool
is_foreign(const struct maker *m)
{
	const char *tool = m->t->run.tool;

	return tool && *tool && strcmp(tool, "cgview");
}

static struct scalar_value
whole(uint64_t n)
{
	return (struct scalar_value){.type = SCALAR_INTEGER, .integer = count_figure(n)};
}

static struct scalar_value
real(double v)
{
	return (struct scalar_value){.type = SCALAR_REAL, .real = v};
}

static void
put_exact(struct brief_row *row, const char *name, const char *key, enum column_unit unit,
	  uint64_t n)
{
	brief_figure(
		row,
		&(struct brief_figure){
			.name = name, .key = key, .unit = unit, .value = whole(n), .error = NAN});
}

/* A column of a listing, and what tells how sure it is. */
struct figure_spec {
	const char *column, *name;
	const char *samples; /* the column of samples that a time is made of */
	bool share;	     /* its share of all, too */
};

/* The error of a time that this many samples make; false: time was not sampled. */
static bool
is_sampled(const struct maker *m, uint64_t samples, uint64_t ns, double *error)
{
	if (!m->t->self_samples)
		return false;
	*error = human_error_share(profile_samples(m->t, samples, ns), m->samples);
	return true;
}

/* How sure are figures of MEASURE, which another tool or events of the kernel give? */
static enum brief_trust
trust_of_measure(const struct model_measure *measure, int64_t value, double *error)
{
	if (measure_is_least(measure))
		return BRIEF_AT_LEAST;
	if (measure->exact)
		return BRIEF_EXACT;
	if (measure->period && value > 0)
		*error = human_error_share((uint64_t)value / measure->period,
					   measure->total / measure->period);
	return measure->period ? BRIEF_SAMPLED : BRIEF_ESTIMATED;
}

static const struct cell *
cell_of(const struct maker *m, enum list_kind kind, const struct list_row *row, const char *column)
{
	int i = profile_column_find(m->p, kind, column);

	return i < 0 || row->cells[i].null ? NULL : &row->cells[i];
}

static uint64_t
number(const struct maker *m, enum list_kind kind, const struct list_row *row, const char *column)
{
	const struct cell *cell = cell_of(m, kind, row, column);

	return cell && cell->number > 0 ? (uint64_t)cell->number : 0;
}

static const char *
text(const struct maker *m, enum list_kind kind, const struct list_row *row, const char *column)
{
	const struct cell *cell = cell_of(m, kind, row, column);

	return cell && cell->text && *cell->text ? cell->text : NULL;
}

/* Fills TRUST and ERROR of what is in the column of SPEC. */
static void
judge(const struct maker *m, enum list_kind kind, const struct list_row *row,
      const struct figure_spec *spec, struct brief_figure *f)
{
	const struct list_column *c =
		&profile_columns(m->p, kind)[profile_column_find(m->p, kind, spec->column)];
	const char *how = kind == LIST_ARC ? text(m, kind, row, "how") : NULL;
	uint64_t interval = m->t->run.wall_interval_ns;

	f->error = NAN;
	if (spec->samples && is_sampled(m, number(m, kind, row, spec->samples),
					(uint64_t)f->value.integer, &f->error))
		f->trust = BRIEF_SAMPLED;
	else if (strstr(spec->column, "wait_ns") && interval) {
		f->trust = BRIEF_SAMPLED;
		f->error = human_error_share((uint64_t)f->value.integer / interval,
					     m->t->run.wait_ns / interval);
	} else if (c->measure)
		f->trust = trust_of_measure(c->measure, f->value.integer, &f->error);
	else if (how && (!strcmp(how, "estimated") || !strcmp(how, "pinned")))
		f->trust = BRIEF_ESTIMATED;
	else if (c->flags & LIST_COUNTED && number(m, kind, row, "lacking"))
		f->trust = BRIEF_AT_LEAST;
}

static void
put_column(struct maker *m, enum list_kind kind, const struct list_row *row,
	   const struct figure_spec *spec, struct brief_row *out)
{
	int i = profile_column_find(m->p, kind, spec->column);
	const struct list_column *c = i < 0 ? NULL : &profile_columns(m->p, kind)[i];
	struct brief_figure f = {.name = spec->name};
	uint64_t all;

	if (!c || row->cells[i].null || (!row->cells[i].number && c->unit != UNIT_COUNT))
		return;
	f.key = c->name;
	f.unit = c->unit;
	f.value = c->unit == UNIT_VALUE ? cell_value(&row->cells[i])
					: whole((uint64_t)row->cells[i].number);
	judge(m, kind, row, spec, &f);
	brief_figure(out, &f);
	all = spec->share && c->unit != UNIT_VALUE ? profile_whole(m->p, kind, i) : 0;
	if (!all)
		return;
	f.name = "";
	f.key = BRIEF_SHARE;
	f.unit = UNIT_PERCENT;
	f.value = real(100. * (double)row->cells[i].number / (double)all);
	brief_figure(out, &f);
}

/* ---- rows of listings ---- */

/* Sets the place of OUT, and its text where rows have their own. */
static void
put_place(struct maker *m, enum list_kind kind, const struct list_row *row, struct brief_row *out)
{
	struct strbuf excerpt = STRBUF_INIT;
	const char *path = text(m, kind, row, "file");
	struct place at = {
		.file = (model_id)number(m, kind, row, "file_id"),
		.line = (uint32_t)number(m, kind, row, "line"),
		.column = (uint32_t)number(m, kind, row, "column"),
		.end_line = (uint32_t)number(m, kind, row, "end_line"),
		.end_column = (uint32_t)number(m, kind, row, "end_column"),
	};

	if (!path)
		return;
	out->path = brief_text_of(m->b, path);
	out->line = at.line;
	out->column = at.column;
	if (!at.file || (kind != LIST_LINE && kind != LIST_BLOCK))
		return;
	if (kind == LIST_LINE) {
		at.end_line = at.line;
		at.end_column = UINT32_MAX;
	}
	texts_excerpt(profile_texts(m->p), &excerpt, &at, 60);
	if (excerpt.len)
		out->source = brief_text_of(m->b, excerpt.buf);
	strbuf_release(&excerpt);
}

static struct brief_row *
add_row(struct maker *m, enum list_kind kind, const struct list_row *row, const char *name_column,
	const struct figure_spec *specs)
{
	const char *name = name_column ? text(m, kind, row, name_column) : NULL;
	struct brief_row *out = brief_row(m->b, name ? brief_text_of(m->b, name) : NULL);

	put_place(m, kind, row, out);
	for (; specs->column; specs++)
		put_column(m, kind, row, specs, out);
	return out;
}

static struct list_query
sorted_by(const struct maker *m, enum list_kind kind, const char *column)
{
	return (struct list_query){
		.kind = kind, .descending = true, .sort = profile_column_find(m->p, kind, column)};
}

/* Adds at most MOST rows of Q that have something in the column that sorts them. Returns how
 * many. */
static size_t
add_rows(struct maker *m, const struct list_query *q, size_t most, const char *name_column,
	 const struct figure_spec *specs)
{
	struct listing *list = q->sort < 0 ? NULL : listing_open(m->p, q);
	const struct list_row *row;
	size_t nr = 0;

	while (list && nr < most && (row = listing_row(list, nr)) && !row->cells[q->sort].null &&
	       row->cells[q->sort].number) {
		add_row(m, q->kind, row, name_column, specs);
		nr++;
	}
	listing_close(list);
	return nr;
}

/* ---- the facts ---- */

static void
add_run(struct maker *m)
{
	const struct model_run *run = &m->t->run;
	struct brief_row *row;

	brief_fact(m->b, "run", m->t->nr_runs > 1 ? "The runs, together" : "The run",
		   MORE("report", "--by", "run"));
	row = brief_row(m->b, run->command && *run->command ? run->command : "(no command)");
	if (run->cpu_ns)
		put_exact(row, "CPU", "cpu_ns", UNIT_NS, run->cpu_ns);
	if (run->wall_ns)
		put_exact(row, "elapsed", "wall_ns", UNIT_NS, run->wall_ns);
	put_exact(row, "runs", "runs", UNIT_COUNT, m->t->nr_runs);
	if (m->t->nr_threads)
		put_exact(row, "threads", "threads", UNIT_COUNT, m->t->nr_threads);
	row = brief_row(m->b, "measured");
	if (m->t->self_samples)
		put_exact(row, "samples", "samples", UNIT_COUNT, m->t->self_samples);
	if (!profile_lines_are_uncounted(m->p) && m->t->blocks_executed) {
		const struct model_measure *work = &profile_measures(m->p).items[MEASURE_WORK - 1];

		brief_figure(row,
			     &(struct brief_figure){.name = "blocks executed",
						    .key = "blocks_executed",
						    .unit = UNIT_COUNT,
						    .value = whole(m->t->blocks_executed),
						    .error = NAN,
						    .trust = measure_is_least(work) ? BRIEF_AT_LEAST
										    : BRIEF_EXACT});
	}
	if (is_foreign(m))
		row->note = run->tool;
	else if (run->clock && m->t->self_samples)
		row->note = arena_strndup(&m->b->texts, run->clock, strcspn(run->clock, ";"));
	if (!row->nr && !row->note)
		row->note = "neither samples nor counts";
}

/* What rows of KIND are ranked by: time, or what leads in its place. */
static struct figure_spec
leading(const struct maker *m, enum list_kind kind)
{
	const char *column = table_kind_sort(&table_kinds[kind], m->p);
	int i = profile_column_find(m->p, kind, column);
	const struct list_column *c = i < 0 ? NULL : &profile_columns(m->p, kind)[i];

	if (totals_have_time(m->t) || !c)
		return (struct figure_spec){"self_ns", "own", "self_samples", true};
	return (struct figure_spec){column, c->measure ? c->measure->title : column, NULL, true};
}

/* Why there is nothing to rank. */
static const char *
no_time(const struct maker *m)
{
	return totals_have_time(m->t) ? "no sample is in it"
	       : is_foreign(m)	      ? "the profile has no times"
				      : "no samples: the run was too short, or recorded with -F 0";
}

/* Returns the id of the hottest procedure, and its name; 0: there is none. */
static model_id
add_hottest(struct maker *m, const char **name)
{
	const struct figure_spec lead = leading(m, LIST_PROCEDURE);
	const struct figure_spec specs[] = {lead,
					    {"total_ns", "with callees", "total_samples", false},
					    {"calls", "calls", NULL, false},
					    {NULL, NULL, NULL, false}};
	struct list_query q = sorted_by(m, LIST_PROCEDURE, lead.column);
	struct brief_fact *f =
		brief_fact(m->b, "hottest_procedures", "Hottest procedures", MORE("report"));
	struct listing *list;
	const struct list_row *row;
	model_id id = 0;

	if (!add_rows(m, &q, MOST_HOTTEST, "procedure", specs)) {
		f->none = m->t->nr_procedures ? no_time(m) : "no procedures";
		return 0;
	}
	*name = f->rows[0].name;
	list = listing_open(m->p, &q);
	row = listing_row(list, 0);
	id = row ? (model_id)row->cells[0].number : 0;
	listing_close(list);
	return id;
}

static void
add_lines(struct maker *m)
{
	const struct figure_spec lead = leading(m, LIST_LINE);
	const struct figure_spec specs[] = {
		lead, {"count", "reached", NULL, false}, {NULL, NULL, NULL, false}};
	struct list_query q = sorted_by(m, LIST_LINE, lead.column);
	struct brief_fact *f = brief_fact(m->b, "hottest_lines", "Hottest lines",
					  MORE("report", "--by", "line", "--sort", lead.column));

	if (!add_rows(m, &q, MOST_LINES, NULL, specs))
		f->none = m->t->nr_lines ? no_time(m) : "the profile knows no lines";
}

static void
add_callers(struct maker *m, model_id hottest, const char *name)
{
	static const struct figure_spec specs[] = {{"count", "calls", NULL, false},
						   {"total_ns", "time", "total_samples", false},
						   {NULL, NULL, NULL, false}};
	const char *tool = profile_without_callers(m->p);
	struct list_query q = sorted_by(m, LIST_ARC, "count");
	struct brief_fact *f;
	struct strbuf title = STRBUF_INIT;

	strbuf_fmt(&title, "Who calls %s", hottest ? name : "the hottest procedure");
	f = brief_fact(m->b, "callers", brief_text_of(m->b, title.buf),
		       hottest ? MORE("report", "--callee", name) : NULL);
	strbuf_release(&title);
	q.callee = hottest;
	q.only_possible = true;
	/* Calls that nobody counted are known by their stacks. */
	if (hottest && !add_rows(m, &q, MOST_CALLERS, "caller", specs)) {
		q.sort = profile_column_find(m->p, LIST_ARC, "total_ns");
		add_rows(m, &q, MOST_CALLERS, "caller", specs);
	}
	if (!f->nr)
		f->none = !hottest ? "it is not known which that is"
			  : tool   ? "the tool that wrote the profile does not tell callers"
				   : "no calls of it are known";
}

/* Why there are no counts. */
static const char *
no_counts(const struct maker *m)
{
	return is_foreign(m) ? "the tool that wrote the profile counts none"
			     : "nothing was counted: compile with cgcc";
}

static void
add_executed(struct maker *m)
{
	static const struct figure_spec specs[] = {{"count", "times", NULL, true},
						   {"self_ns", "own", "self_samples", false},
						   {NULL, NULL, NULL, false}};
	bool blocks = m->t->nr_blocks && !is_foreign(m);
	enum list_kind kind = blocks ? LIST_BLOCK : LIST_LINE;
	struct list_query q = sorted_by(m, kind, "count");
	struct brief_fact *f = brief_fact(
		m->b, "most_executed", blocks ? "Most executed expressions" : "Most executed lines",
		MORE("report", "--by", list_name(kind), "--sort", "count"));

	if (profile_lines_are_uncounted(m->p) ||
	    !add_rows(m, &q, MOST_EXECUTED, blocks ? "procedure" : NULL, specs))
		f->none = no_counts(m);
}

/* Adds the time of each call, of SAMPLES. */
static void
put_each(const struct maker *m, struct brief_row *out, const char *name, const char *key,
	 uint64_t ns, uint64_t samples, uint64_t calls)
{
	struct brief_figure f = {.name = name,
				 .key = key,
				 .unit = UNIT_NS_EACH,
				 .error = NAN,
				 .value = real((double)ns / (double)calls)};

	if (is_sampled(m, samples, ns, &f.error))
		f.trust = BRIEF_SAMPLED;
	brief_figure(out, &f);
}

/* What is called once is its run, and a time of few samples is chance. */
static void
add_dearest(struct maker *m)
{
	enum { LOOKED_AT = 2000, FEWEST_CALLS = 2 };
	static const double most_error = 0.5;
	static const struct figure_spec none = {NULL, NULL, NULL, false};
	struct list_query q = sorted_by(m, LIST_PROCEDURE, "self_each_ns");
	struct brief_fact *f =
		brief_fact(m->b, "dearest_per_call", "Dearest for each call, by own time",
			   MORE("report", "--sort", "self/call"));
	bool counted = !profile_is_uncounted(m->p) && q.sort >= 0;
	struct listing *list = counted ? listing_open(m->p, &q) : NULL;
	const struct list_row *row;

	for (size_t i = 0;
	     list && i < LOOKED_AT && f->nr < MOST_EACH && (row = listing_row(list, i)); i++) {
		uint64_t calls = number(m, LIST_PROCEDURE, row, "calls");
		uint64_t ns = number(m, LIST_PROCEDURE, row, "self_ns");
		uint64_t samples = number(m, LIST_PROCEDURE, row, "self_samples");
		struct brief_row *out;
		double error = 0;

		if (!ns)
			break;
		if (calls < FEWEST_CALLS ||
		    (is_sampled(m, samples, ns, &error) && !(error <= most_error)))
			continue;
		out = add_row(m, LIST_PROCEDURE, row, "procedure", &none);
		put_each(m, out, "own", "self_each_ns", ns, samples, calls);
		put_each(m, out, "with callees", "total_each_ns",
			 number(m, LIST_PROCEDURE, row, "total_ns"),
			 number(m, LIST_PROCEDURE, row, "total_samples"), calls);
		put_column(m, LIST_PROCEDURE, row,
			   &(struct figure_spec){"calls", "calls", NULL, false}, out);
	}
	listing_close(list);
	if (!f->nr)
		f->none = !counted ? no_counts(m)
			  : !totals_have_time(m->t)
				  ? no_time(m)
				  : "no procedure that is called more than once has samples enough";
}

static void
add_never(struct maker *m)
{
	static const struct figure_spec specs[] = {{"never", "lines", NULL, false},
						   {"lines", "of", NULL, false},
						   {"calls", "calls", NULL, false},
						   {NULL, NULL, NULL, false}};
	struct list_query q = sorted_by(m, LIST_NEVER, "never");
	struct brief_fact *f = brief_fact(m->b, "never_executed", "What never ran",
					  MORE("report", "--by", "never"));
	int never = list_column_find(LIST_FILE, "never"),
	    lines = list_column_find(LIST_FILE, "lines");
	int uncounted = list_column_find(LIST_FILE, "uncounted");
	struct list_sums sums;
	struct brief_row *row;

	if (profile_lines_are_uncounted(m->p) || !profile_sums(m->p, LIST_FILE, &sums) ||
	    !sums.of[lines]) {
		f->none = no_counts(m);
		return;
	}
	row = brief_row(m->b, "in all");
	put_exact(row, "lines never executed", "never", UNIT_COUNT, (uint64_t)sums.of[never]);
	put_exact(row, "lines with code", "lines", UNIT_COUNT, (uint64_t)sums.of[lines]);
	if (sums.of[uncounted])
		put_exact(row, "not counted", "uncounted", UNIT_COUNT,
			  (uint64_t)sums.of[uncounted]);
	add_rows(m, &q, MOST_NEVER, "procedure", specs);
}

static void
add_memory(struct maker *m)
{
	static const struct figure_spec got[] = {{"bytes", "got", NULL, true},
						 {"blocks", "blocks", NULL, false},
						 {NULL, NULL, NULL, false}};
	static const struct figure_spec live[] = {{"live", "never freed", NULL, false},
						  {"live_blocks", "blocks", NULL, false},
						  {NULL, NULL, NULL, false}};
	struct brief_fact *f =
		brief_fact(m->b, "memory", "Memory: who got it, what was never freed",
			   MORE("report", "--by", "lifetime", "--sort", "live"));
	struct list_query by_bytes = sorted_by(m, LIST_LIFETIME, "bytes");
	struct list_query by_live = sorted_by(m, LIST_LIFETIME, "live");
	struct list_sums sums;
	struct brief_row *row;

	if (!wing_is_there(m->p, WING_BLOCKS) || !profile_sums(m->p, LIST_LIFETIME, &sums)) {
		f->none = is_foreign(m) ? "the profile has none"
					: "not recorded: cgview record --space";
		return;
	}
	row = brief_row(m->b, "in all");
	put_exact(row, "got", "bytes", UNIT_BYTES, (uint64_t)sums.of[by_bytes.sort]);
	put_exact(row, "blocks", "blocks", UNIT_COUNT,
		  (uint64_t)sums.of[list_column_find(LIST_LIFETIME, "blocks")]);
	put_exact(row, "never freed", "live", UNIT_BYTES, (uint64_t)sums.of[by_live.sort]);
	add_rows(m, &by_bytes, MOST_PRODUCERS, "procedure", got);
	add_rows(m, &by_live, MOST_LIVE, "procedure", live);
}

static void
add_waiting(struct maker *m)
{
	const char *own = builtin_columns[MEASURE_WAIT][0];
	const struct figure_spec specs[] = {{own, "waited", NULL, true}, {NULL, NULL, NULL, false}};
	struct list_query q = sorted_by(m, LIST_PROCEDURE, own);
	struct brief_fact *f =
		brief_fact(m->b, "waiting", "Waiting", MORE("report", "--sort", own));
	struct brief_row *row;

	if (!m->t->run.wall_interval_ns && !m->t->run.wait_ns) {
		f->none = is_foreign(m) ? "the profile has none"
					: "not recorded: cgview record --wall";
		return;
	}
	row = brief_row(m->b, "all threads");
	brief_figure(row, &(struct brief_figure){.name = "waited",
						 .key = "wait_ns",
						 .unit = UNIT_NS,
						 .error = NAN,
						 .value = whole(m->t->run.wait_ns),
						 .trust = BRIEF_ESTIMATED});
	add_rows(m, &q, MOST_WAITING, "procedure", specs);
}

/* ---- what limits trust ---- */

static void
add_note(struct maker *m, const char *name, const char *note)
{
	brief_row(m->b, name)->note = brief_text_of(m->b, note);
}

/* What samples are good for: the error of something with a tenth of the time. */
static void
note_samples(struct maker *m)
{
	struct strbuf note = STRBUF_INIT;

	if (m->samples) {
		human_count(&note, m->t->self_samples);
		if (m->samples < m->t->self_samples) {
			strbuf_str(&note, ", as good as ");
			human_count(&note, m->samples);
			strbuf_str(&note, " of equal weight");
		}
		strbuf_str(&note, ": a tenth of the time is known to ");
		human_share(&note,
			    human_error_share(m->samples / 10 ? m->samples / 10 : 1, m->samples));
		strbuf_str(&note, " of it");
		if (m->samples >= 100) {
			strbuf_str(&note, ", a hundredth to ");
			human_share(&note, human_error_share(m->samples / 100, m->samples));
		}
		if (m->samples < 1000)
			strbuf_str(&note, "; few: run longer, or record -F with a higher rate");
	} else {
		strbuf_str(&note, totals_have_time(m->t) ? "none: times are those of the tool"
							 : no_time(m));
	}
	add_note(m, "samples", note.buf);
	strbuf_release(&note);
}

static void
note_counts(struct maker *m)
{
	const struct model_measure *work = &profile_measures(m->p).items[MEASURE_WORK - 1];

	add_note(m, "counts",
		 profile_is_uncounted(m->p)	   ? no_counts(m)
		 : profile_counts_only_calls(m->p) ? "calls alone were counted"
		 : measure_is_least(work)	   ? "some are too low, and marked so"
						   : "exact, but for calls with a mark");
}

/* Errors that were found make all else doubtful; without a look for them nothing is known. */
static void
note_errors(struct maker *m)
{
	struct list_query q = {.kind = LIST_DEFECT};
	struct listing *list = listing_open(m->p, &q);
	const struct list_row *row = listing_row(list, 0);
	struct strbuf note = STRBUF_INIT;

	if (row) {
		const char *file = text(m, LIST_DEFECT, row, "file");

		strbuf_fmt(&note, "%zu found by tools, the first: %s", listing_rows(list),
			   text(m, LIST_DEFECT, row, "kind") ?: "?");
		if (file)
			strbuf_fmt(&note, " at %s:%" PRIu64, path_base(file),
				   number(m, LIST_DEFECT, row, "line"));
		strbuf_str(&note, ": see --by error");
		add_note(m, "errors", note.buf);
	}
	listing_close(list);
	strbuf_release(&note);
}

/* Texts of files with code that are missing, or not those that were compiled. */
static void
note_sources(struct maker *m)
{
	struct list_query q = {.kind = LIST_FILE};
	struct listing *list = listing_open(m->p, &q);
	const struct list_row *row;
	struct strbuf note = STRBUF_INIT;
	size_t nr = 0;

	for (size_t i = 0; (row = listing_row(list, i)); i++) {
		const char *state = text(m, LIST_FILE, row, "state");

		if (!state || !strcmp(state, "stored") || !number(m, LIST_FILE, row, "lines"))
			continue;
		if (!nr++)
			strbuf_fmt(&note, "%s is %s",
				   path_base(text(m, LIST_FILE, row, "file") ?: "?"), state);
	}
	if (nr > 1)
		strbuf_fmt(&note, ", and so %zu more", nr - 1);
	if (nr)
		add_note(m, "source texts", note.buf);
	listing_close(list);
	strbuf_release(&note);
}

static void
add_trust(struct maker *m)
{
	struct list_query q = {.kind = LIST_NOTE, .sort = list_column_find(LIST_NOTE, "rank")};
	struct brief_fact *f =
		brief_fact(m->b, "trust", "What limits trust", MORE("report", "--by", "note"));
	struct listing *list;
	const struct list_row *row;

	note_samples(m);
	note_counts(m);
	note_errors(m);
	note_sources(m);
	list = listing_open(m->p, &q);
	/* Missing sources have been told. */
	for (size_t i = 0; f->nr < MOST_NOTES && (row = listing_row(list, i)); i++) {
		const char *kind = text(m, LIST_NOTE, row, "kind"),
			   *note = text(m, LIST_NOTE, row, "text");

		if (kind && note && strcmp(kind, "source"))
			add_note(m, brief_text_of(m->b, advice_of(kind).heading), note);
	}
	listing_close(list);
}

void
brief_make(struct brief *b, struct profile *p, const char *name)
{
	struct maker m = {.b = b, .p = p, .t = profile_totals(p), .name = name};
	const char *hottest_name = NULL;
	model_id hottest;

	*b = (struct brief){.names = {name, NULL}, .texts = ARENA_INIT};
	m.samples = profile_samples(m.t, m.t->self_samples, m.t->self_ns);
	add_run(&m);
	hottest = add_hottest(&m, &hottest_name);
	add_lines(&m);
	add_callers(&m, hottest, hottest_name);
	add_executed(&m);
	add_dearest(&m);
	add_never(&m);
	add_memory(&m);
	add_waiting(&m);
	add_trust(&m);
}
