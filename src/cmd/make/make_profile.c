#include "cmd/make/make_profile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/make/apart.h"
#include "cmd/make/error_logs.h"
#include "cmd/make/raw_check.h"
#include "collect/import/foreign/foreign_format.h"
#include "collect/import/import.h"
#include "collect/import/merge.h"
#include "db/model/order.h"
#include "db/store/load.h"
#include "db/store/writer.h"
#include "print/report.h"
#include "show/human.h"
#include "show/runs.h"
#include "show/value.h"
#include "solve/solve.h"
#include "util/mem.h"
#include "util/text/path.h"
#include "util/text/safe.h"

/* ---- what it needs ---- */

int
make_profile_check_room(struct error *err)
{
	enum { NEEDED = 9 };
	int fds[NEEDED], nr = 0, error = 0;
	struct rlimit limit = { .rlim_cur = 0 };

	while (nr < NEEDED && (fds[nr] = open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0)
		nr++;
	error = nr < NEEDED ? errno : 0;
	while (nr > 0)
		close(fds[--nr]);
	if (error != EMFILE)
		return 0;
	getrlimit(RLIMIT_NOFILE, &limit);
	return error_set(err, "this process may have %llu files open, which is not enough: raise "
			      "the limit (ulimit -n)", (unsigned long long)limit.rlim_cur);
}

/* ---- progress ---- */

static void
show_progress(void *shown, double share)
{
	struct make_shown *s = shown;
	int percent = (int)(share * 100);

	if (percent == s->percent)
		return;
	s->percent = percent;
	fprintf(stderr, "\r\033[Kcgview: %s %3d%%", s->what, percent);
}

const struct progress *
make_shown_begin(struct make_shown *s, const char *what, bool is_long)
{
	*s = (struct make_shown){ .what = what, .percent = -1, .progress = { show_progress, s } };
	return is_long && isatty(STDERR_FILENO) ? &s->progress : NULL;
}

void
make_shown_end(struct make_shown *s)
{
	if (s->percent >= 0)
		fputs("\r\033[K", stderr);
	s->percent = -1;
}

/* ---- the run ---- */

static uint64_t
microseconds(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_usec;
}

static void
set_run(struct model *m, struct model_run *run, const struct recorded *r)
{
	char *command;

	command = import_quote(r->arguments, r->nr_arguments);
	run->command = arena_strdup(&m->arena, command);
	free(command);
	run->started_ns = r->started_ns;
	run->wall_ns = r->wall_ns;
	if (r->attached)
		return;
	run->user_ns = microseconds(r->usage.ru_utime) * 1000;
	run->system_ns = microseconds(r->usage.ru_stime) * 1000;
	if (!run->cpu_ns)
		run->cpu_ns = run->user_ns + run->system_ns;
	run->exit_status = WIFEXITED(r->status) ? WEXITSTATUS(r->status) : -1;
	run->exit_signal = WIFSIGNALED(r->status) ? WTERMSIG(r->status) : 0;
}

/* A run that ended in another way did something else: its time says nothing. */
static void
set_baseline(struct model *m, struct model_run *run, const struct recorded *r)
{
	const struct baseline *b = &r->baseline;

	if (!b->program)
		return;
	if (b->status != r->status) {
		model_note(m, "baseline", "%s ended in another way (%s %d) than the profiled "
			   "program: how much profiling costs is not known", b->program,
			   WIFSIGNALED(b->status) ? "signal" : "status",
			   WIFSIGNALED(b->status) ? WTERMSIG(b->status) : WEXITSTATUS(b->status));
		return;
	}
	run->baseline_program = arena_strdup(&m->arena, b->program);
	run->baseline_wall_ns = b->wall_ns;
	run->baseline_user_ns = microseconds(b->usage.ru_utime) * 1000;
	run->baseline_system_ns = microseconds(b->usage.ru_stime) * 1000;
}

/* ---- the summary ---- */

/* Adds the baseline of those of the last NR runs that have one. */
static void
add_baseline(struct strbuf *sb, const struct model *m, size_t nr)
{
	uint64_t user = 0, plain = 0;
	size_t i;

	for (i = m->nr_runs - nr; i < m->nr_runs; i++) {
		if (!m->runs[i].baseline_program)
			continue;
		user += m->runs[i].user_ns;
		plain += m->runs[i].baseline_user_ns;
	}
	human_baseline(sb, user, plain, report_ascii());
}

/* Adds how long one of the last NR runs, those made now, took. */
static void
add_spread(struct strbuf *sb, const struct model *m, size_t nr)
{
	struct deviation cpu = { .nr = 0 }, wall = { .nr = 0 };
	size_t i;

	for (i = m->nr_runs - nr; i < m->nr_runs; i++) {
		deviation_add(&cpu, (double)m->runs[i].cpu_ns);
		deviation_add(&wall, (double)m->runs[i].wall_ns);
	}
	if (nr < m->nr_runs)
		strbuf_fmt(sb, "of the last %zu ", nr);
	strbuf_str(sb, "each ");
	human_deviation(sb, &wall, report_ascii());
	strbuf_str(sb, " wall, ");
	human_deviation(sb, &cpu, report_ascii());
}

/* Appends by what the samples were taken, if that is the same in all runs. */
static void
add_clock(struct strbuf *sb, const struct model *m)
{
	const char *clock = m->runs[0].clock;
	size_t length = clock ? strcspn(clock, ",") : 0;

	for (size_t i = 1; i < m->nr_runs && length; i++)
		if (!m->runs[i].clock || strncmp(m->runs[i].clock, clock, length + 1))
			length = 0;
	if (length) {
		strbuf_str(sb, " by ");
		strbuf_add(sb, clock, length);
	}
}

/* Appends what is measured in place of time. */
static void
add_measure(struct strbuf *sb, const struct model *m)
{
	const struct model_measure *measure = &m->measures[0];
	int64_t all = 0;

	for (size_t i = 0; i < m->nr_procedures; i++)
		all = measure_combine(measure->combine, all,
				      figures_get(m->procedures[i].figures, false, 0));
	value_whole(sb, measure_unit(measure), all, VALUE_WIDE, report_ascii());
	strbuf_fmt(sb, " %s", measure->title);
}

static void
collect_line(struct make_told *t, const struct model *m, const struct make_options *o)
{
	uint64_t executions = 0, samples = 0, cpu = 0, wait = 0, calls = 0;
	bool asked = false, lacks = false, timed;
	const struct model_run *run = &m->runs[0], *recorded;
	struct strbuf sb = STRBUF_INIT;
	size_t i;

	/* The runs of the profile that it was added to stand before. */
	recorded = o->recorded ? &m->runs[m->nr_runs - 1] : NULL;

	for (i = 0; i < m->nr_blocks; i++) {
		if (__builtin_add_overflow(executions, m->blocks[i].count, &executions))
			executions = UINT64_MAX;
		lacks |= m->blocks[i].lacking != 0;
	}
	for (i = 0; i < m->nr_procedures; i++)
		lacks |= !procedure_is_counted(&m->procedures[i]) &&
			 !(m->procedures[i].flags & PROCEDURE_FOREIGN);
	for (i = 0; i < m->nr_runs; i++) {
		samples += m->runs[i].samples;
		cpu += m->runs[i].cpu_ns;
		wait += m->runs[i].wait_ns;
		asked |= m->runs[i].wall_interval_ns != 0;
	}
	for (i = 0; i < m->nr_procedures; i++)
		calls = count_add(calls, m->procedures[i].calls);
	timed = cpu || samples || !run->tool; /* gcov and others tell of no time */
	strbuf_fmt(&sb, "%s: ", path_base(run->program && *run->program ? run->program
							       : run->command));
	if (m->nr_runs > 1)
		strbuf_fmt(&sb, "%zu runs, ", m->nr_runs);
	if (o->nr_recorded > 1)
		add_spread(&sb, m, o->nr_recorded);
	else if (!cpu && m->nr_measures)
		add_measure(&sb, m);
	else if (timed)
		human_ns(&sb, cpu, report_ascii());
	if (cpu || (timed && !m->nr_measures))
		strbuf_fmt(&sb, " %s", runs_time_word(run));
	if (timed || m->nr_measures)
		strbuf_str(&sb, ", ");
	if (asked) {
		human_ns(&sb, wait, report_ascii());
		strbuf_str(&sb, " waiting, ");
	}
	if (calls && !executions) {
		human_count(&sb, calls);
		strbuf_str(&sb, " calls, ");
	} else if (!lacks || executions) {
		strbuf_str(&sb, lacks ? "at least " : "");
		human_count(&sb, executions);
		strbuf_str(&sb, " block executions, ");
	}
	sb.len -= 2; /* the last ", " */
	if (!run->tool || (samples && (cpu || !m->nr_measures))) {
		strbuf_str(&sb, ", ");
		human_count(&sb, samples);
		strbuf_str(&sb, samples == 1 ? " sample" : " samples");
	}
	add_clock(&sb, m);
	if (run->exit_signal)
		strbuf_fmt(&sb, ", ended by signal %d (%s)", run->exit_signal,
			   strsignal(run->exit_signal));
	else if (run->exit_status >= 0 && o->nr_recorded < 2)
		strbuf_fmt(&sb, ", exit %d", run->exit_status);
	t->line = sb;
	if (recorded && recorded->baseline_program)
		add_baseline(&t->baseline, m, o->nr_recorded);
}

/* Notes that say that a count or a time may be wrong, or that there is none; the browser shows all
 * of them. */
static void
collect_notes(struct make_told *t, const struct model *m)
{
	static const char *const serious[] = { "counts", "tables", "dwarf", "samples",
					       "stacks", "baseline", "unread", "heap" };
	size_t i, k;

	for (i = 0; i < m->nr_notes; i++)
		for (k = 0; k < sizeof(serious) / sizeof(*serious); k++)
			if (!strcmp(m->notes[i].kind, serious[k]))
				strbuf_add(&t->notes, m->notes[i].text,
					   strlen(m->notes[i].text) + 1);
}

void
make_profile_collect(struct make_told *t, const struct model *m, const struct make_options *o)
{
	collect_notes(t, m);
	collect_line(t, m, o);
}

void
make_told_print(const struct make_told *t, const struct make_options *o)
{
	struct strbuf safe = STRBUF_INIT;
	size_t at;

	for (at = 0; at < t->notes.len; at += strlen(t->notes.buf + at) + 1)
		complain("%s", t->notes.buf + at);
	safe_text(&safe, t->line.buf, t->line.len);
	strbuf_str(&safe, "  ->  ");
	safe_text(&safe, o->to->put, strlen(o->to->put));
	fprintf(stderr, "%s\n", safe.buf);
	if (t->baseline.len)
		fprintf(stderr, "cgview: %s\n", t->baseline.buf);
	strbuf_release(&safe);
}

void
make_told_release(struct make_told *t)
{
	strbuf_release(&t->notes);
	strbuf_release(&t->line);
	strbuf_release(&t->baseline);
}

void
make_profile_tell(const struct model *m, const struct make_options *o)
{
	struct make_told t = MAKE_TOLD_INIT;

	make_profile_collect(&t, m, o);
	make_told_print(&t, o);
	make_told_release(&t);
}

/* ---- adding to a profile ---- */

static const struct model_run *
run_of(const struct model *m, const char *program)
{
	size_t i;

	for (i = 0; i < m->nr_runs; i++)
		if (!strcmp(m->runs[i].program, program))
			return &m->runs[i];
	return NULL;
}

/* A module that OLD does not have at all is no other build. */
static bool
is_build_of(const struct model *old, const struct model_module *b)
{
	size_t i;

	for (i = 0; i < old->nr_modules; i++)
		if (!strcmp(old->modules[i].path, b->path) &&
		    strcmp(old->modules[i].build_id, b->build_id))
			return false;
	return true;
}

/* Counts of different builds cannot be added up: lines and blocks have other meanings. */
static int
check_builds(const struct model *m, const struct model *old, const char *path, struct error *err)
{
	const struct model_run *run;
	bool same = false;
	size_t i;

	for (i = 0; i < m->nr_runs; i++) {
		run = run_of(old, m->runs[i].program);
		if (run && strcmp(run->build_id, m->runs[i].build_id))
			return error_set(err, "%s: its runs are of another build of %s: leave out "
					 "-a, or choose another file with -o", path, run->program);
		same |= run != NULL;
	}
	for (i = 0; i < m->nr_modules; i++)
		if (!is_build_of(old, &m->modules[i]))
			return error_set(err, "%s: its runs are of another build of %s: leave out "
					 "-a, or choose another file with -o", path,
					 m->modules[i].path);
	if (!same)
		return error_set(err, "%s: its runs are of another program (%s): leave out -a, or "
				 "choose another file with -o", path,
				 old->nr_runs ? old->runs[0].program : "none");
	return 0;
}

int
make_profile_order(struct model *m, struct spill *to, struct candidates *c, struct error *err)
{
	struct row_ids ids;
	int status = model_put_in_order(m, to, &ids, err);
	size_t i;

	for (i = 0; i < c->nr; i++) {
		c->items[i].site = ids.of[TABLE_SITE][c->items[i].site];
		c->items[i].callee = ids.of[TABLE_PROCEDURE][c->items[i].callee];
	}
	row_ids_release(&ids);
	return status;
}

static int
append(struct model *m, struct model *old, const struct make_options *o, struct candidates *c,
       struct error *err)
{
	const char *path = o->to->path;

	if (destination_lock(o->to, err))
		return -1;
	if (!o->to->seen.there)
		return 0;
	if (model_load(old, path, err))
		return -1;
	if (m->nr_runs && (check_builds(m, old, path, err) || raw_check_runs(m, old, path, err)))
		return -1;
	return model_merge_onto(m, old, c, err);
}

/* ---- all of it ---- */

bool
make_profile_is_large(const struct model *m)
{
	return m->nr_ranges > 20000;
}

int
make_profile_write(const struct model *m, const struct make_options *o, struct error *err)
{
	struct make_shown shown;
	const struct progress *progress = make_shown_begin(&shown, "writing",
							   make_profile_is_large(m));
	int ret;

	if (o->hold)
		sigprocmask(SIG_BLOCK, o->hold, NULL);
	ret = destination_put(o->to, m, o->append, progress, err);
	make_shown_end(&shown);
	return ret;
}

/* NR_RUNS runs of a program that were RECORDED (of a format one), or some that nobody saw (0). */
static int
import_some(struct model *m, const char *const *raws, size_t nr, const struct recorded *recorded,
	    size_t nr_runs, const struct foreign_format *format, const struct short_runs *among,
	    struct candidates *c, struct error *err)
{
	size_t *nr_raws = xcalloc(nr_runs + 1, sizeof(*nr_raws));
	const struct import_runs runs = { nr_raws, nr_runs };
	int status;

	for (size_t i = 0; i < nr_runs; i++)
		nr_raws[i] = recorded[i].nr_raws;
	status = format ? format->read(raws, nr, m, err)
		: import_raw(m, raws, nr, nr_runs ? &runs : NULL, among, c, err);
	for (size_t i = 0; i < nr_runs && !status; i++) {
		set_run(m, &m->runs[i], &recorded[i]);
		set_baseline(m, &m->runs[i], &recorded[i]);
	}
	free(nr_raws);
	return status ? -1 : 0;
}

static int
import_foreign(struct model *m, const char *const *paths, size_t nr, const struct make_options *o,
	       struct candidates *c, struct error *err)
{
	int status = import_some(m, paths, nr, o->recorded, o->recorded ? 1 : 0, o->format, NULL, c,
				 err);

	return status ? status : make_profile_order(m, NULL, c, err);
}

/* Adds them as arcs of M that nothing is known of, which model_merge() takes. */
static void
arcs_of_candidates(struct model *m, const struct candidates *c)
{
	struct model_arc *a;
	size_t i;

	for (i = 0; i < c->nr; i++) {
		a = MODEL_ADD(m, arcs);
		a->site = c->items[i].through ? 0 : c->items[i].site;
		a->through = c->items[i].through ? c->items[i].site : 0;
		a->callee = c->items[i].callee;
	}
}

/* Returns how many of NR runs are imported at once, and how many files they have left: the tables
 * of the program are then read once, but there is no limit to the number of runs. */
static size_t
choose_batch(const struct recorded *r, size_t nr, const char *const *raws, bool foreign,
	     size_t *nr_raws)
{
	enum { MOST_RAWS = 64, MOST_BYTES = 256 << 20 };
	off_t bytes = 0;
	size_t i = 0;

	*nr_raws = 0;
	while (i < nr && (!i || !foreign)) {
		struct stat st;

		for (size_t k = 0; k < r[i].nr_raws; k++)
			bytes += stat(raws[*nr_raws + k], &st) ? 0 : st.st_size;
		if (i && (*nr_raws + r[i].nr_raws > MOST_RAWS || bytes > MOST_BYTES))
			break;
		*nr_raws += r[i++].nr_raws;
	}
	return i;
}

static int
import_batch(struct model *m, const char *const *raws, size_t nr_raws, const struct recorded *r,
	     size_t nr, const struct make_options *o, const struct short_runs *among,
	     struct candidates *all, struct error *err)
{
	struct candidates c = { .nr = 0 };
	struct model some;
	int status;

	model_init(&some);
	some.without_texts = o->without_texts;
	some.source_paths = o->source_paths;
	some.program = o->program;
	status = import_some(&some, raws, nr_raws, r, nr, o->format, among, &c, err);
	if (!status) {
		arcs_of_candidates(&some, &c);
		status = model_merge(m, &some, all, err);
	}
	candidates_release(&c);
	model_release(&some);
	return status;
}

static int
import_runs(struct model *m, const char *const *raws, const struct make_options *o,
	    struct candidates *all, struct error *err)
{
	const struct recorded *r = o->recorded, *end = r + o->nr_recorded;
	struct short_runs among = { .cpu_ns = 0 };
	const char *const *of = raws;
	size_t nr, nr_raws;
	int status = 0;

	for (; r < end && !o->format; of += r->nr_raws, r++)
		short_runs_read(&among, of, r->nr_raws);
	for (r = o->recorded; r < end && !status; raws += nr_raws, r += nr) {
		nr = choose_batch(r, (size_t)(end - r), raws, o->format, &nr_raws);
		status = import_batch(m, raws, nr_raws, r, nr, o, &among, all, err);
	}
	return status ? status : make_profile_order(m, NULL, all, err);
}

static void
note_left_out(struct model *m, const struct raw_check *c)
{
	size_t i;

	for (i = 0; i < c->nr_left_out; i++)
		model_note(m, "merge", "left out: %s", c->left_out[i]);
}

int
make_profile_model(struct model *m, const char *const *raws, size_t nr,
		   const struct make_options *o, const struct raw_check *left_out,
		   struct error_logs *logs, struct error *err)
{
	struct candidates candidates = { .nr = 0 };
	struct model old;
	int ret = -1;

	model_init(&old);
	m->without_texts = o->without_texts;
	m->source_paths = o->source_paths;
	m->program = o->program;
	if (nr && (o->nr_recorded > 1
		   ? import_runs(m, raws, o, &candidates, err)
		   : o->format ? import_foreign(m, raws, nr, o, &candidates, err)
		   : import_some(m, raws, nr, o->recorded, o->recorded ? 1 : 0, NULL, NULL,
				 &candidates, err)))
		goto out;
	note_left_out(m, left_out);
	if (o->level_note)
		model_note(m, "looks", "%s", o->level_note);
	if (o->append && append(m, &old, o, &candidates, err))
		goto out;
	if (model_solve(m, candidates.items, candidates.nr, err))
		goto out;
	ret = error_logs_add(logs, m, o->logs, o->nr_logs, o->keep_going, err);
out:
	candidates_release(&candidates);
	model_release(&old);
	return ret;
}

/* The raw files of one or more runs become the profile. */
static int
import_all(const char *const *raws, size_t nr, const struct make_options *o,
	   const struct raw_check *left_out, struct error *err)
{
	struct error_logs logs = { .read = 0 };
	struct model m;
	int ret;

	model_init(&m);
	ret = make_profile_model(&m, raws, nr, o, left_out, &logs, err);
	if (!ret)
		ret = make_profile_write(&m, o, err);
	if (ret >= 0 && nr && !o->quiet)
		make_profile_tell(&m, o);
	if (ret >= 0)
		error_logs_tell(&logs, o->to->put);
	if (!ret && logs.left_out)
		ret = 1;
	model_release(&m);
	return ret;
}

int
make_profile(const char *const *raws, size_t nr, const struct make_options *o, struct error *err)
{
	const char *profile = o->append && o->to->seen.there ? o->to->path : NULL;
	struct raw_check check = { .paths = NULL };
	int status;

	/* Each of several runs has its own tools run, and what has gone apart runs none. */
	if (o->format && !(o->recorded && o->format->runs_tool))
		return make_apart(raws, nr, o, err);
	if (o->recorded || !nr)
		return import_all(raws, nr, o, &check, err);
	status = raw_check(&check, raws, nr, profile, o->keep_going, err);
	if (!status)
		status = import_all(check.paths, check.nr, o, &check, err);
	if (!status && check.nr_left_out)
		status = 1;
	raw_check_release(&check);
	return status;
}
