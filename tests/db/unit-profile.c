/* A model written and read back: every member of every table, and the ranges, lines and call sites
 * against a search through all of them. */
#include "db/store/profile.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/store/connection.h"
#include "db/store/schema.h"
#include "db/store/writer.h"
#include "sample.h"

/* ---- table by table: the columns of a row in order, against the model ---- */

struct reader { sqlite3_stmt *st; int column; };

static uint64_t
next_number(struct reader *r)
{
	return (uint64_t)sqlite3_column_int64(r->st, r->column++);
}

static const char *
next_text(struct reader *r)
{
	const char *s = (const char *)sqlite3_column_text(r->st, r->column++);

	return s ? s : "(null)";
}

static const char *
or_null(const char *s)
{
	return s ? s : "(null)";
}

static uint64_t
held(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : v;
}

static void
same_place(struct reader *r, const struct place *p)
{
	bool none = !p->file;

	if (none)
		SAME(sqlite3_column_type(r->st, r->column), SQLITE_NULL);
	SAME(next_number(r), stored_file[p->file]);
	SAME(next_number(r), none ? 0 : p->line);
	SAME(next_number(r), none ? 0 : p->column);
	SAME(next_number(r), none ? 0 : p->end_line);
	SAME(next_number(r), none ? 0 : p->end_column);
}

static void
same_procedure(struct reader *r, const struct model *m, size_t i)
{
	const struct model_procedure *p = &m->procedures[i];

	SAME_TEXT(next_text(r), p->name);
	SAME_TEXT(next_text(r), or_null(p->linkage_name));
	SAME_TEXT(next_text(r), p->module);
	same_place(r, &p->place);
	for (int bit = 0; bit < 9; bit++)
		SAME(next_number(r), p->flags >> bit & 1);
	SAME(next_number(r), p->code_bytes);
	SAME(next_number(r), held(p->calls));
	SAME(next_number(r), p->self_samples);
	SAME(next_number(r), p->self_ns);
	SAME(next_number(r), p->total_samples);
	SAME(next_number(r), p->total_ns);
	SAME(next_number(r), p->propagated_ns);
	SAME(next_number(r), p->propagated_lo_ns);
	SAME(next_number(r), p->propagated_hi_ns);
	SAME(next_number(r), p->differs);
	SAME(next_number(r), p->cycle);
	SAME(next_number(r), p->self_calls);
	SAME(next_number(r), p->calls_without_site);
	SAME(next_number(r), p->centre_samples);
	SAME(next_number(r), p->centre_ns);
	SAME(next_number(r), p->centre_total_ns);
	SAME(next_number(r), p->self_wait_ns);
	SAME(next_number(r), p->total_wait_ns);
	SAME(next_number(r), p->own_samples);
	SAME(next_number(r), p->own_ns);
	SAME(next_number(r), p->own_wait_ns);
	SAME(next_number(r), p->self_work);
	SAME(next_number(r), p->total_work);
	SAME(next_number(r), p->estimated);
	SAME(next_number(r), p->shared);
	/* Two runs have 2 and 5 samples of 4 ms in the third, none in others: 12 ms / sqrt(2). */
	SAME(next_number(r), i == 2 ? 8485281 : 0);
	SAME(next_number(r), p->runs_without);
	SAME(next_number(r), p->lacking);
}

/* By looking through all ranges, one after the other. */
static size_t
hottest_of(const struct model *m, size_t block)
{
	size_t best = 0;

	for (size_t i = m->nr_ranges; i; i--) {
		const struct model_range *r = &m->ranges[i - 1];

		if (r->block == block && r->place.file == m->blocks[block - 1].place.file &&
		    r->self_ns && (!best || r->self_ns >= m->ranges[best - 1].self_ns))
			best = i;
	}
	return best;
}

static void
same_block(struct reader *r, const struct model *m, size_t i)
{
	const struct model_block *b = &m->blocks[i];

	SAME(next_number(r), b->procedure);
	SAME(next_number(r), b->number);
	same_place(r, &b->place);
	SAME(next_number(r), b->count);
	SAME(next_number(r), b->self_samples);
	SAME(next_number(r), b->self_ns);
	SAME(next_number(r), b->self_wait_ns);
	SAME(next_number(r), hottest_of(m, i + 1));
	SAME(next_number(r), b->runs_without);
	SAME(next_number(r), b->lacking);
}

static void
same_range(struct reader *r, const struct model *m, size_t i)
{
	static const char *const kinds[] = { "statement", "operand", "macro", "definition",
					     "procedure" };
	const struct model_range *x = &m->ranges[i];

	SAME(next_number(r), x->block);
	SAME_TEXT(next_text(r), kinds[x->kind]);
	same_place(r, &x->place);
	SAME(next_number(r), x->self_samples);
	SAME(next_number(r), x->self_ns);
	SAME(next_number(r), x->self_wait_ns);
}

static void
same_site(struct reader *r, const struct model *m, size_t i)
{
	const struct model_site *s = &m->sites[i];

	SAME(next_number(r), s->procedure);
	SAME(next_number(r), s->block);
	SAME_TEXT(next_text(r), s->kind == SITE_DIRECT ? "direct" : "indirect");
	same_place(r, &s->place);
	SAME_TEXT(next_text(r), s->target);
	SAME(next_number(r), s->count);
	SAME(next_number(r), s->total_samples);
	SAME(next_number(r), s->total_ns);
	SAME(next_number(r), s->calls_without_entry);
	SAME(next_number(r), s->total_wait_ns);
	SAME(next_number(r), s->propagated_ns);
	SAME(next_number(r), s->total_work);
	SAME(next_number(r), s->shared);
	SAME(next_number(r), s->runs_without);
	SAME(next_number(r), s->lacking);
	SAME_TEXT(next_text(r), or_null(s->type));
}

static void
same_arc(struct reader *r, const struct model *m, size_t i)
{
	static const char *const hows[] = { "measured", "solved", "estimated", "pinned" };
	const struct model_arc *a = &m->arcs[i];

	SAME(next_number(r), a->site);
	SAME(next_number(r), a->site ? m->sites[a->site - 1].procedure :
	     a->through ? m->sites[a->through - 1].procedure : 0);
	SAME(next_number(r), a->callee);
	SAME_TEXT(next_text(r), hows[a->how]);
	SAME(next_number(r), a->count);
	SAME(next_number(r), a->lo);
	SAME(next_number(r), a->hi);
	SAME(next_number(r), a->total_samples);
	SAME(next_number(r), a->total_ns);
	SAME(next_number(r), a->pair_samples);
	SAME(next_number(r), a->pair_ns);
	SAME(next_number(r), a->propagated_ns);
	SAME(next_number(r), a->samples);
	SAME(next_number(r), a->differs);
	SAME(next_number(r), a->measured);
	SAME(next_number(r), a->through);
	SAME(next_number(r), a->total_work);
	SAME(next_number(r), a->unlike);
	SAME(next_number(r), a->shared);
}

static void
same_pin(struct reader *r, const struct model *m, size_t i)
{
	const struct model_pin *p = &m->pins[i];

	SAME_TEXT(next_text(r), p->name);
	SAME(next_number(r), p->site);
	SAME(next_number(r), p->callee);
	SAME(next_number(r), p->count);
}

static void
same_cycle(struct reader *r, const struct model *m, size_t i)
{
	const struct model_cycle *c = &m->cycles[i];

	SAME_TEXT(next_text(r), or_null(c->members));
	SAME(next_number(r), c->procedures);
	SAME(next_number(r), c->self_ns);
	SAME(next_number(r), c->total_samples);
	SAME(next_number(r), c->total_ns);
	SAME(next_number(r), c->propagated_ns);
	SAME(next_number(r), c->inner_calls);
	SAME(next_number(r), c->self_calls);
	SAME(next_number(r), c->outer_calls);
}

static void
same_context(struct reader *r, const struct model *m, size_t i)
{
	const struct model_context *c = &m->contexts[i];

	SAME(next_number(r), c->parent);
	SAME(next_number(r), c->procedure);
	SAME(next_number(r), c->site);
	SAME(next_number(r), c->block);
	SAME(next_number(r), c->self_samples);
	SAME(next_number(r), c->self_ns);
	SAME(next_number(r), c->total_samples);
	SAME(next_number(r), c->total_ns);
	SAME(next_number(r), c->self_wait_ns);
	SAME(next_number(r), c->total_wait_ns);
}

static void
same_run(struct reader *r, const struct model *m, size_t i)
{
	const struct model_run *x = &m->runs[i];

	SAME_TEXT(next_text(r), x->command);
	SAME_TEXT(next_text(r), x->directory);
	SAME_TEXT(next_text(r), x->program);
	SAME_TEXT(next_text(r), x->build_id);
	SAME_TEXT(next_text(r), x->host);
	SAME_TEXT(next_text(r), or_null(x->tool));
	SAME_TEXT(next_text(r), or_null(x->label));
	SAME_TEXT(next_text(r), or_null(x->job));
	SAME(next_number(r), x->started_ns);
	SAME(next_number(r), x->wall_ns);
	SAME(next_number(r), x->user_ns);
	SAME(next_number(r), x->system_ns);
	SAME(next_number(r), x->cpu_ns);
	SAME(next_number(r), (uint64_t)(int64_t)x->exit_status);
	SAME(next_number(r), x->exit_signal);
	SAME(next_number(r), x->asked_interval_ns);
	SAME(next_number(r), x->interval_ns);
	SAME(next_number(r), x->sample_ns);
	SAME_TEXT(next_text(r), or_null(x->clock));
	SAME(next_number(r), x->samples);
	SAME(next_number(r), x->lost_samples);
	SAME(next_number(r), x->unprofiled_samples);
	SAME(next_number(r), x->processes);
	SAME(next_number(r), x->centre_samples);
	SAME(next_number(r), x->centre_unprofiled_samples);
	SAME(next_number(r), x->wall_interval_ns);
	SAME(next_number(r), x->wait_ns);
	SAME(next_number(r), x->unprofiled_wait_ns);
	SAME(next_number(r), x->delay_ns);
	SAME_TEXT(next_text(r), or_null(x->baseline_program));
	SAME(next_number(r), x->baseline_wall_ns);
	SAME(next_number(r), x->baseline_user_ns);
	SAME(next_number(r), x->baseline_system_ns);
	SAME_TEXT(next_text(r), or_null(x->raws));
}

static void
same_thread(struct reader *r, const struct model *m, size_t i)
{
	const struct model_thread *t = &m->threads[i];

	SAME(next_number(r), t->run);
	SAME(next_number(r), t->part);
	SAME(next_number(r), t->pid);
	SAME(next_number(r), t->tid);
	SAME(next_number(r), t->cpu_ns);
	SAME(next_number(r), t->samples);
	SAME(next_number(r), t->lost_samples);
	SAME(next_number(r), t->wait_ns);
	SAME(next_number(r), t->delay_ns);
	SAME_TEXT(next_text(r), t->name);
	SAME(next_number(r), t->more_threads);
}

/* The figures of its thread, and its own. */
static void
same_part(struct reader *r, const struct model *m, size_t i)
{
	const struct model_part *x = &m->parts[i];

	SAME(next_number(r), x->run);
	SAME(next_number(r), 100 + i);
	SAME(next_number(r), 101);
	SAME_TEXT(next_text(r), "worker");
	SAME(next_number(r), x->rank);
	SAME(next_number(r), i ? 4 : 1);
	SAME_TEXT(next_text(r), i ? "101, ..." : "101");
	SAME(next_number(r), 57);
	SAME(next_number(r), x->samples);
	SAME(next_number(r), 2);
	SAME(next_number(r), 30);
	SAME(next_number(r), 40);
	SAME(next_number(r), x->blocks_executed);
	SAME(next_number(r), x->data.size);
	SAME_TEXT(next_text(r), (const char *)x->data.blob.data);
}

static void
same_track(struct reader *r, const struct model *m, size_t i)
{
	const struct model_track *t = &m->tracks[i];

	SAME(next_number(r), t->run);
	SAME(next_number(r), t->part);
	SAME(next_number(r), t->pid);
	SAME(next_number(r), t->tid);
	SAME_TEXT(next_text(r), t->name);
	SAME(next_number(r), t->samples);
	SAME(next_number(r), t->waits);
	SAME(next_number(r), t->data.size);
	SAME_TEXT(next_text(r), (const char *)t->data.blob.data);
}

static void
same_module(struct reader *r, const struct model *m, size_t i)
{
	SAME_TEXT(next_text(r), m->modules[i].path);
	SAME_TEXT(next_text(r), m->modules[i].build_id);
}

static void
same_note(struct reader *r, const struct model *m, size_t i)
{
	SAME_TEXT(next_text(r), m->notes[i].kind);
	SAME_TEXT(next_text(r), m->notes[i].text);
}

static const struct {
	const char *sql;
	size_t nr;               /* offset in struct model */
	void (*same)(struct reader *r, const struct model *m, size_t i);
} stored_tables[] = {
	{ "SELECT * FROM procedure", offsetof(struct model, nr_procedures), same_procedure },
	{ "SELECT * FROM block", offsetof(struct model, nr_blocks), same_block },
	{ "SELECT * FROM range", offsetof(struct model, nr_ranges), same_range },
	{ "SELECT * FROM call_site", offsetof(struct model, nr_sites), same_site },
	{ "SELECT * FROM arc", offsetof(struct model, nr_arcs), same_arc },
	{ "SELECT * FROM pin", offsetof(struct model, nr_pins), same_pin },
	{ "SELECT * FROM cycle", offsetof(struct model, nr_cycles), same_cycle },
	{ "SELECT * FROM context", offsetof(struct model, nr_contexts), same_context },
	{ "SELECT * FROM run", offsetof(struct model, nr_runs), same_run },
	{ "SELECT * FROM module", offsetof(struct model, nr_modules), same_module },
	{ "SELECT * FROM part", offsetof(struct model, nr_parts), same_part },
	{ "SELECT * FROM thread", offsetof(struct model, nr_threads), same_thread },
	{ "SELECT * FROM track", offsetof(struct model, nr_tracks), same_track },
	{ "SELECT * FROM note", offsetof(struct model, nr_notes), same_note },
};

static void
test_tables(struct profile *p, const struct model *m)
{
	all_same = true;
	for (size_t t = 0; t < sizeof(stored_tables) / sizeof(stored_tables[0]); t++) {
		struct reader r = { .st = profile_prepare(p, stored_tables[t].sql) };
		size_t rows = *(const size_t *)((const char *)m + stored_tables[t].nr), i;

		for (i = 0; profile_step(p, r.st) && i < rows; i++) {
			r.column = 0;
			SAME(next_number(&r), i + 1);
			stored_tables[t].same(&r, m, i);
			SAME(r.column, sqlite3_column_count(r.st));
		}
		SAME(i, rows);
		sqlite3_finalize(r.st);
	}
	verdict(all_same, "every column of every table comes back");
}

static void
test_files(struct profile *p, const struct model *m)
{
	all_same = true;
	for (model_id id = 1; id <= FILES; id++) {
		const struct profile_file *f = profile_file(p, stored_file[id]);
		const struct model_file *x = &m->files[id - 1];
		size_t size;
		char *text;

		if (!f) {
			all_same = false;
			continue;
		}
		text = profile_file_text(p, f->id, &size);
		SAME(f->id, stored_file[id]);
		SAME_TEXT(f->path, x->path);
		SAME(f->lines, x->lines);
		SAME(f->size, x->size);
		SAME(f->state, x->state);
		SAME(f->hash, x->hash);
		SAME(text != NULL, x->text != NULL);
		SAME(size, x->size);
		SAME(text && memcmp(text, x->text, size), 0);
		SAME(text && text[size], 0);
		free(text);
	}
	SAME(profile_file(p, 0) == NULL && profile_file(p, FILES + 1) == NULL, true);
	verdict(all_same, "files, their states and their texts");
}

static void
test_totals(struct profile *p, const struct model *m)
{
	const struct profile_totals *t = profile_totals(p);
	uint64_t blocks = 0, calls = 0, ns = 0, samples = 0, count = 0, total = 0;

	for (size_t i = 0; i < m->nr_blocks; i++) {
		blocks += m->blocks[i].count;
		count = m->blocks[i].count > count ? m->blocks[i].count : count;
	}
	for (size_t i = 0; i < m->nr_sites; i++)
		calls += m->sites[i].count;
	for (size_t i = 0; i < m->nr_procedures; i++) {
		ns += m->procedures[i].self_ns;
		samples += m->procedures[i].self_samples;
		total = m->procedures[i].total_ns > total ? m->procedures[i].total_ns : total;
	}
	all_same = true;
	SAME(t->nr_runs, 2);
	SAME(t->nr_threads, 5);
	SAME(t->nr_files, FILES);
	SAME(t->nr_procedures, PROCEDURES);
	SAME(t->nr_blocks, BLOCKS);
	SAME(t->nr_ranges, RANGES);
	SAME(t->nr_sites, SITES);
	SAME(t->nr_arcs, ARCS);
	SAME(t->nr_cycles, CYCLES);
	SAME(t->blocks_executed, blocks);
	SAME(t->calls, calls);
	SAME(t->self_ns, ns);
	SAME(t->self_samples, samples);
	SAME(t->max_block_count, count);
	SAME(t->max_procedure_total_ns, total);
	SAME_TEXT(t->run.command, "./x 'a b'");
	SAME(t->run.exit_status, -1);
	SAME(t->run.wall_ns, 201);
	SAME(t->run.cpu_ns, 114);
	SAME(t->run.samples, 40);
	SAME(t->run.processes, 8);
	SAME(t->run.interval_ns, 4000000);
	verdict(all_same, "totals; runs are summed up");
}

/* ---- ranges, lines, sites: against a search through the model ---- */

static int
compare_range(const void *pa, const void *pb)
{
	const struct range_row *a = pa, *b = pb;
	const struct place *x = &a->place, *y = &b->place;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->column != y->column)
		return x->column < y->column ? -1 : 1;
	if (x->end_line != y->end_line)
		return x->end_line > y->end_line ? -1 : 1;
	if (x->end_column != y->end_column)
		return x->end_column > y->end_column ? -1 : 1;
	return 0;
}

/* The count of all ranges of M at PLACE, by the rule of profile_ranges(): those of the lowest kind;
 * over procedures the sum, within one the greatest, in the text of macros the sum. */
static uint64_t
count_at(const struct model *m, const struct place *place, enum range_kind *kind, uint64_t *ns)
{
	uint64_t of[PROCEDURES + 1] = { 0 }, count = 0;

	*kind = RANGE_PROCEDURE;
	*ns = 0;
	for (size_t i = 0; i < m->nr_ranges; i++) {
		if (!memcmp(&m->ranges[i].place, place, sizeof(*place))) {
			*kind = m->ranges[i].kind < *kind ? m->ranges[i].kind : *kind;
			*ns += m->ranges[i].self_ns;
		}
	}
	for (size_t i = 0; i < m->nr_ranges; i++) {
		const struct model_range *r = &m->ranges[i];
		const struct model_block *b = &m->blocks[r->block - 1];

		if (memcmp(&r->place, place, sizeof(*place)) || r->kind != *kind)
			continue;
		if (*kind == RANGE_MACRO_DEFINITION)
			of[b->procedure] += b->count;
		else if (b->count > of[b->procedure])
			of[b->procedure] = b->count;
	}
	for (int i = 0; i <= PROCEDURES; i++)
		count += of[i];
	return count;
}

static void
test_range_window(struct profile *p, const struct model *m, model_id file, uint32_t first,
		  uint32_t last)
{
	struct range_row *rows, *expected = xcalloc(m->nr_ranges, sizeof(*expected));
	size_t n = profile_ranges(p, stored_file[file], first, last, &rows), nr = 0, out = 0;

	for (size_t i = 0; i < m->nr_ranges; i++) {
		const struct place *x = &m->ranges[i].place;

		if (x->file == file && x->line <= last && x->end_line >= first)
			expected[nr++].place = *x;
	}
	qsort(expected, nr, sizeof(*expected), compare_range);
	for (size_t i = 0; i < nr; i++) {
		if (!out || compare_range(&expected[out - 1], &expected[i]))
			expected[out++] = expected[i];
	}
	SAME(n, out);
	for (size_t i = 0; i < n && i < out; i++) {
		enum range_kind kind;
		uint64_t ns, count = count_at(m, &expected[i].place, &kind, &ns);

		SAME(compare_range(&rows[i], &expected[i]), 0);
		SAME(rows[i].place.file, stored_file[file]);
		SAME(rows[i].kind, kind);
		SAME(rows[i].self[MEASURE_TIME], ns);
		SAME(rows[i].self[MEASURE_COUNT], count);
	}
	free(rows);
	free(expected);
}

static void
test_ranges(struct profile *p, const struct model *m)
{
	struct range_row *rows;

	all_same = true;
	for (int i = 0; i < 12; i++) {
		uint32_t first = 1 + below(420);

		test_range_window(p, m, 1 + below(FILES), first, first + below(60));
	}
	test_range_window(p, m, 2, 1, 1);
	test_range_window(p, m, 3, 1, UINT32_MAX);
	SAME(profile_ranges(p, FILES + 1, 1, 100, &rows), 0);
	free(rows);
	SAME(profile_ranges(p, 1, 5000, 6000, &rows), 0);
	free(rows);
	verdict(all_same, "ranges of a window, accumulated, as a search through all finds them");
}

static void
test_lines_and_sites(struct profile *p, const struct model *m)
{
	struct line_row *lines;
	struct site_row *sites, one;
	size_t nr, expected = 0, n;
	uint32_t before = 0;

	all_same = true;
	nr = profile_lines(p, stored_file[2], 100, 300, &lines);
	for (size_t i = 0; i < m->nr_lines; i++) {
		const struct model_line *l = &m->lines[i];

		if (l->file != 2 || l->line < 100 || l->line > 300)
			continue;
		expected++;
		for (n = 0; n < nr && lines[n].line != l->line; n++)
			;
		SAME(n < nr && (uint64_t)lines[n].self[MEASURE_COUNT] == l->count &&
		     (uint64_t)lines[n].self[MEASURE_TIME] == l->self_ns, true);
		SAME(n < nr && lines[n].lacking == (l->lacking != 0), true);
	}
	SAME(nr, expected);
	for (n = 0; n < nr; before = lines[n++].line)
		SAME(lines[n].line > before, true);
	free(lines);
	nr = profile_sites(p, stored_file[1], 50, 90, &sites);
	expected = 0;
	for (size_t i = 0; i < m->nr_sites; i++) {
		const struct model_site *s = &m->sites[i];

		if (s->place.file != 1 || s->place.line > 90 || s->place.end_line < 50)
			continue;
		expected += s->place.line + 100 >= 50; /* all of them here */
		for (n = 0; n < nr && sites[n].id != i + 1; n++)
			;
		SAME(n < nr && (uint64_t)sites[n].total[MEASURE_COUNT] == s->count &&
		     sites[n].kind == s->kind, true);
	}
	SAME(nr, expected);
	for (n = 0; n < nr; n++) {
		SAME(profile_site(p, sites[n].id, &one), true);
		SAME(memcmp(&one.place, &sites[n].place, sizeof(one.place)), 0);
		SAME_TEXT(one.target, sites[n].target);
	}
	SAME(profile_site(p, SITES + 1, &one), false);
	free(sites);
	verdict(all_same, "lines and call sites of a window");
}

static void
test_procedures(struct profile *p, const struct model *m)
{
	struct procedure_row row;
	model_id file = stored_file[m->procedures[9].place.file];

	all_same = true;
	for (model_id i = 1; i <= PROCEDURES; i++) {
		SAME(profile_procedure(p, i, &row), true);
		SAME(row.id, i);
		SAME_TEXT(row.name, m->procedures[i - 1].name);
		SAME(row.self[MEASURE_CALLS], held(m->procedures[i - 1].calls));
	}
	SAME(profile_procedure(p, 0, &row), false);
	SAME(profile_procedure_named(p, m->procedures[20].name, &row), true);
	SAME_TEXT(row.name, m->procedures[20].name);
	SAME(profile_procedure_named(p, "p1'; --", &row), false);
	SAME(profile_procedure_at(p, file, 94, &row), true);
	SAME(row.id, 10);
	SAME(profile_procedure_at(p, file, 97, &row), true);
	SAME(row.id, 12);
	SAME(profile_procedure_at(p, file, 91, &row), true);
	SAME(row.id, 12);
	SAME(profile_procedure_at(p, stored_file[1], 9, &row), false); /* behind the first */
	SAME(profile_procedure_at(p, file, 4000, &row), false);
	verdict(all_same, "procedures by id, name and place");
}

/* ---- the file ---- */

static void
test_file(void)
{
	sqlite3 *db;
	sqlite3_stmt *st;
	unsigned char header[100] = { 0 };
	int fd = open(path, O_RDONLY);

	all_same = fd >= 0 && read(fd, header, sizeof(header)) == sizeof(header);
	close(fd);
	SAME(header[18] == 1 && header[19] == 1, true); /* rollback journal */
	SAME((header[16] << 8 | header[17]) >= 1024, true);
	SAME(!memcmp(header + 68, "CGVP", 4) && header[63] == SCHEMA_VERSION, true);
	SAME(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	SAME(sqlite3_prepare_v2(db, "PRAGMA integrity_check", -1, &st, NULL), SQLITE_OK);
	SAME(sqlite3_step(st), SQLITE_ROW);
	SAME_TEXT(or_null((const char *)sqlite3_column_text(st, 0)), "ok");
	sqlite3_finalize(st);
	sqlite3_close(db);
	verdict(all_same, "the file is whole, and its indexes agree with their tables");
}

/* Ranges around each power of 16 in lines, and windows that begin around where these end: all that
 * touch a window, and no other. */
static void
test_range_sizes(void)
{
	enum { LAST = INT32_MAX };
	char *name = xasprintf("%s.size", path);
	struct error err = ERROR_INIT;
	struct range_row *rows;
	struct profile *p;
	struct model m;

	all_same = true;
	model_init(&m);
	MODEL_ADD(&m, files)->path = "/x.c";
	MODEL_ADD(&m, procedures)->name = "f";
	MODEL_ADD(&m, blocks)->procedure = 1;
	for (uint64_t size = 1; size <= LAST; size *= 16) {
		for (uint32_t i = 0; i < 90; i++) {
			uint64_t line = 1 + below(i % 3 ? 300 : LAST), end = line + size + i % 5;
			struct place *place;

			*MODEL_ADD(&m, ranges) = (struct model_range){ .block = 1 };
			place = &m.ranges[m.nr_ranges - 1].place;
			place->file = 1;
			place->end_line = end > LAST + UINT64_C(2) ? LAST : (uint32_t)end - 2;
			place->end_line += place->end_line == 0;
			place->line = line > place->end_line ? place->end_line : (uint32_t)line;
		}
	}
	/* None is at the place of another. */
	for (size_t i = 0; i < m.nr_ranges; i++)
		m.ranges[i].place.column = m.ranges[i].place.end_column = (uint32_t)i + 1;
	SAME(profile_write(name, &m, NULL, &err), 0);
	p = profile_open(name, &err);
	SAME(p != NULL, true);
	for (size_t i = 0; p && i < 3 * m.nr_ranges; i++) {
		uint32_t first = m.ranges[i / 3].place.end_line + (uint32_t)(i % 3) - 1;
		uint32_t last = first + below(3) * below(1000);
		size_t nr = profile_ranges(p, 1, first, last, &rows), expected = 0;

		for (size_t j = 0; j < m.nr_ranges; j++)
			expected += m.ranges[j].place.line <= last &&
				    m.ranges[j].place.end_line >= first;
		SAME(nr, expected);
		for (size_t j = 0; j < nr; j++)
			SAME(rows[j].place.line <= last && rows[j].place.end_line >= first, true);
		free(rows);
	}
	SAME(p && !profile_error(p), true);
	profile_close(p);
	model_release(&m);
	unlink(name);
	free(name);
	verdict(all_same, "ranges of all sizes, as a search through all finds them");
}

/* Texts that claim another length than they have: a terabyte, less, more than a packed text of that
 * size can be; and 300 megabytes of nothing, packed honestly. */
static void
test_bombs(const struct model *m)
{
	static const char *const lies[] = {
		"UPDATE file SET size_bytes = 1 << 40", "UPDATE file SET size_bytes = 4999",
		"UPDATE file SET size_bytes = 250000000", "UPDATE file SET size_bytes = -1",
		"UPDATE file SET text_zlib = zeroblob(300000000), size_bytes = 300000000",
	};
	struct error err = ERROR_INIT;

	all_same = true;
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		struct profile *p;
		sqlite3 *db;
		size_t size;

		SAME(profile_write(path, m, NULL, &err), 0);
		SAME(sqlite3_open(path, &db), SQLITE_OK);
		SAME(sqlite3_exec(db, lies[i], NULL, NULL, NULL), SQLITE_OK);
		sqlite3_close(db);
		p = profile_open(path, &err);
		SAME(p != NULL, true);
		SAME(p && profile_file_text(p, stored_file[1], &size) == NULL, true);
		SAME(p && profile_error(p) && strstr(profile_error(p), "damaged"), true);
		profile_close(p);
	}
	verdict(all_same, "texts that claim a wrong length are refused");
}

/* ---- writing ---- */

struct seen_progress {
	double last;
	bool falls;
};

static void
see_progress(void *context, double share)
{
	struct seen_progress *seen = context;

	seen->falls |= share < seen->last || share > 1.0;
	seen->last = share;
}

static void
test_writing(const struct model *m)
{
	struct error err = ERROR_INIT;
	struct profile *p, *q;
	struct stat before, after;
	char *link = xasprintf("%s.link", path);
	struct seen_progress seen = { .last = 0 };

	all_same = true;
	SAME(profile_write(path, m, &(struct progress){ see_progress, &seen }, &err), 0);
	SAME(seen.last == 1.0 && !seen.falls, true);
	SAME(stat(path, &before), 0);
	p = profile_open(path, &err);
	/* Written over while open: the reader keeps what it has, the name is the new file. */
	SAME(symlink(strrchr(path, '/') + 1, link), 0);
	SAME(profile_write(link, m, NULL, &err), 0);
	SAME(stat(path, &after), 0);
	SAME(before.st_ino != after.st_ino, true);
	SAME(lstat(link, &after) == 0 && S_ISLNK(after.st_mode), true);
	q = profile_open(link, &err);
	SAME(p && q, true);
	if (p && q) {
		SAME(profile_totals(p)->nr_blocks, BLOCKS);
		SAME(profile_totals(q)->nr_blocks, BLOCKS);
	}
	profile_close(p);
	profile_close(q);
	unlink(link);
	free(link);
	verdict(all_same, "written, written over through a link while it is read");
}

int
main(void)
{
	struct model m;
	struct profile *p = sample_open(&m, "unit.db");

	if (!p)
		return 1;
	test_file();
	test_tables(p, &m);
	test_files(p, &m);
	test_totals(p, &m);
	test_ranges(p, &m);
	test_lines_and_sites(p, &m);
	test_procedures(p, &m);
	verdict(!profile_error(p), "no query failed");
	if (profile_error(p))
		printf("# %s\n", profile_error(p));
	profile_close(p);
	test_writing(&m);
	test_range_sizes();
	test_bombs(&m);
	model_release(&m);
	return 0;
}
