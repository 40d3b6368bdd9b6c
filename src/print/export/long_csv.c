/* A long table: a row for each figure of a procedure, a line or a call, with what it is of and how
 * it is known, for databases and data frames (RFC 4180). */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "print/export/formats.h"
#include "print/record.h"

static const char *const columns[] = {
	"build_id", "started_ns", "host", "label", "of", "procedure", "linkage_name", "module",
	"file", "line", "callee", "measure", "unit", "self", "total", "how", "least", "most",
};

struct writer {
	const struct export *e;
	FILE *out;
	struct strbuf run, thing, s; /* the first cells of a row: of the run, of the thing */
};

/* What is known of one figure. A cell without a number is empty. */
struct fact {
	const char *measure, *unit, *how;
	bool has_self, has_total, has_range;
	int64_t self, total;
	uint64_t least, most;
};

static void
put_text(struct strbuf *s, const char *text)
{
	record_csv_text(s, text ? text : "", text ? strlen(text) : 0);
	strbuf_char(s, ',');
}

static void
put_number(struct strbuf *s, bool has, int64_t n)
{
	if (has)
		strbuf_fmt(s, "%" PRId64, n);
	strbuf_char(s, ',');
}

static void
put_fact(struct writer *w, const struct fact *f)
{
	strbuf_add(&w->s, w->run.buf, w->run.len);
	strbuf_add(&w->s, w->thing.buf, w->thing.len);
	put_text(&w->s, f->measure);
	put_text(&w->s, f->unit);
	put_number(&w->s, f->has_self, f->self);
	put_number(&w->s, f->has_total, f->total);
	put_text(&w->s, f->how);
	put_number(&w->s, f->has_range, count_figure(f->least));
	put_number(&w->s, f->has_range, count_figure(f->most));
	w->s.len--; /* the last comma */
	strbuf_str(&w->s, "\r\n");
	export_flush(&w->s, w->out);
}

/* ---- what rows are of ---- */

static void
put_thing(struct writer *w, const char *of, model_id procedure, const struct place *place,
	  model_id callee)
{
	const struct model_procedure *p = export_procedure(w->e, procedure);

	strbuf_clear(&w->thing);
	put_text(&w->thing, of);
	put_text(&w->thing, p ? p->name : "");
	put_text(&w->thing, p ? p->linkage_name : "");
	put_text(&w->thing, p ? p->module : "");
	put_text(&w->thing, place->file ? export_path(w->e, place->file) : "");
	put_number(&w->thing, place->file != 0, place->line);
	put_text(&w->thing, callee ? export_name(w->e, callee) : "");
}

static void
put_count(struct writer *w, const char *measure, uint64_t count, uint64_t lacking)
{
	const struct fact f = { .measure = measure, .unit = "count", .has_self = true,
				.self = count_figure(count),
				.how = lacking ? "at least" : "counted" };

	if (!is_uncounted(count, lacking))
		put_fact(w, &f);
}

static void
put_sampled(struct writer *w, const struct sampled *self, const struct sampled *total)
{
	const struct { const char *name, *unit; uint64_t self, total; } of[] = {
		{ "samples", "samples", self->samples, total ? total->samples : 0 },
		{ "time", "ns", self->ns, total ? total->ns : 0 },
		{ "wait", "ns", self->wait_ns, total ? total->wait_ns : 0 },
	};
	const char *how = w->e->totals->self_samples ? "sampled" : "measured";

	for (size_t i = 0; i < sizeof(of) / sizeof(*of); i++) {
		const struct fact f = { of[i].name, of[i].unit, how, true, total != NULL, false,
					count_figure(of[i].self), count_figure(of[i].total), 0, 0 };

		if (of[i].self || of[i].total)
			put_fact(w, &f);
	}
}

/* The further measures; SHARED: totals that arcs carry up are estimates. */
static void
put_measures(struct writer *w, const struct figures *figures, bool total, bool shared)
{
	const struct model *m = &w->e->m;

	for (unsigned i = 0; figures && i < m->nr_measures; i++) {
		const struct model_measure *it = &m->measures[i];
		struct fact f = { .measure = it->name, .unit = it->unit, .has_self = true,
				  .self = figures_get(figures, false, i),
				  .total = figures_get(figures, true, i) };

		f.has_total = total && it->inclusive != INCLUSIVE_NONE;
		f.how = measure_is_least(it) ? "at least"
		      : shared && it->inclusive == INCLUSIVE_ARCS ? "total estimated"
		      : it->exact ? "counted" : "sampled";
		if (!it->formula && (f.self || f.total))
			put_fact(w, &f);
	}
}

/* ---- the tables ---- */

static void
put_procedure(struct writer *w, model_id id)
{
	const struct model_procedure *p = &w->e->m.procedures[id - 1];

	put_thing(w, "procedure", id, &p->place, 0);
	if (p->calls || !(p->flags & PROCEDURE_ARTIFICIAL))
		put_count(w, "calls", p->calls, p->lacking);
	put_sampled(w, &p->self, &p->total);
	put_measures(w, p->figures, true, p->shared);
}

static void
put_line(struct writer *w, const struct model_line *l)
{
	const struct place place = { .file = l->file, .line = l->line };
	const struct sampled total = { l->total_samples, l->total_ns, 0 };

	put_thing(w, "line", 0, &place, 0);
	put_count(w, "count", l->count, l->lacking);
	put_sampled(w, &l->self, &total);
	put_measures(w, l->figures, false, false);
}

static void
put_arc(struct writer *w, const struct model_arc *a)
{
	static const struct place nowhere;
	static const struct model_site outside;
	model_id at = a->site ? a->site : a->through;
	const struct model_site *site = at ? &w->e->m.sites[at - 1] : &outside;
	static const char *const hows[] = {
		[ARC_MEASURED] = "counted", [ARC_SOLVED] = "counted",
		[ARC_ESTIMATED] = "estimated", [ARC_PINNED] = "estimated",
	};
	const struct fact f = { .measure = "calls", .unit = "count", .has_self = true,
				.self = count_figure(a->count), .has_range = true,
				.least = a->lo, .most = a->hi,
				.how = a->how == ARC_SAMPLED ? NULL : hows[a->how] };
	const struct fact time = { .measure = "time", .unit = "ns", .has_total = true,
				   .total = count_figure(a->total_ns), .how = "sampled" };

	put_thing(w, a->site ? "call" : "call from outside", site->procedure,
		  at ? &site->place : &nowhere, a->callee);
	if (f.how && !(is_uncounted(site->count, site->lacking) && a->site))
		put_fact(w, &f);
	if (a->total_ns)
		put_fact(w, &time);
}

int
export_csv(struct export *e, FILE *out, struct error *err)
{
	struct writer w = { e, out, STRBUF_INIT, STRBUF_INIT, STRBUF_INIT };
	const struct model_run *run = &e->totals->run;

	(void)err;
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		strbuf_fmt(&w.s, "%s%s", i ? "," : "", columns[i]);
	strbuf_str(&w.s, "\r\n");
	export_flush(&w.s, out);
	put_text(&w.run, run->build_id);
	put_number(&w.run, run->started_ns != 0, run->started_ns);
	put_text(&w.run, run->host);
	put_text(&w.run, run->label);
	for (size_t i = 0; i < e->m.nr_procedures && !ferror(out); i++)
		put_procedure(&w, (model_id)i + 1);
	for (size_t i = 0; i < e->m.nr_lines && !ferror(out); i++)
		put_line(&w, &e->m.lines[i]);
	for (size_t i = 0; i < e->m.nr_arcs && !ferror(out); i++)
		put_arc(&w, &e->m.arcs[i]);
	strbuf_release(&w.run);
	strbuf_release(&w.thing);
	strbuf_release(&w.s);
	return 0;
}
