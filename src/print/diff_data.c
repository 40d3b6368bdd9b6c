/* cgview diff for programs: prints comma-separated values and JSON. */
#include <math.h>
#include <stdio.h>

#include "compare/agreement.h"
#include "compare/store.h"
#include "print/diff.h"

void
diff_place(const struct diff *d, size_t row, struct diff_place *out)
{
	const struct match *m = comparison_match(d->c);
	enum compare_by by = compared_by(d->t);
	bool owned = compare_by_has_owner(by), calls = compare_by_is_called(by);
	struct compared_row r;
	const char *outside;

	compared_row(d->t, row, &r);
	outside = d->texts ? compared_callee(d->t, row, &r, d->texts) : NULL;
	*out = (struct diff_place){ .profile = 0 };
	out->profile = compared_holder(d->t, row, &out->place);
	/* Several calls have several places. */
	if (r.arcs > 1)
		out->place = (struct place){ .file = 0 };
	out->path = match_path(m, out->profile, out->place.file);
	out->procedure = r.entity ? match_name(m, r.entity) : owned ? "outside" : "";
	out->callee = r.callee ? match_name(m, r.callee) : outside ? outside
		    : calls ? "outside" : "";
	out->kind = compared_kind(d->t, &r);
	out->type = r.type;
	out->size_class = r.size_class;
}

/* Writes a line or column; 0: there is none. */
void
diff_put_place(struct record *out, const char *name, uint32_t n)
{
	if (n)
		record_whole(out, name, n);
	else
		record_none(out, name);
}

void
diff_put_text(struct record *out, const char *name, const char *text)
{
	record_text(out, name, out->json && !*text ? NULL : text);
}

void
diff_put_size(struct record *out, const char *name, uint64_t size)
{
	if (size)
		record_whole(out, name, size);
	else
		record_none(out, name);
}

static const size_t HEADS = SIZE_MAX; /* no row: only the names of the fields */

/* The place in the first profile; that of several calls is NOWHERE. */
static void
put_first(struct record *out, const struct diff *d, size_t i, bool nowhere)
{
	enum compare_by by = compared_by(d->t);
	bool lines = by != BY_FILE, columns = lines && by != BY_LINE;
	struct place p = { .file = 0 };

	if (i == HEADS || nowhere || !compared_place(d->t, i, 0, &p))
		p = (struct place){ .file = 0 };
	diff_put_text(out, "a_file", p.file ? match_path(comparison_match(d->c), 0, p.file) : "");
	diff_put_place(out, "a_line", lines ? p.line : 0);
	diff_put_place(out, "a_column", columns ? p.column : 0);
	diff_put_place(out, "a_end_line", lines ? p.end_line : 0);
	diff_put_place(out, "a_end_column", columns ? p.end_column : 0);
}

static void
put_row(struct record *out, const struct diff *d, size_t i)
{
	enum compare_by by = compared_by(d->t);
	bool lines = by != BY_FILE, columns = lines && by != BY_LINE;
	struct compared_row row = { .changed = false };
	struct diff_place at = { .path = "", .procedure = "", .callee = "", .kind = "",
				 .type = "" };
	struct row_verdict verdict = { .verdict = VERDICT_NONE, .least = NAN };
	struct strbuf sides = STRBUF_INIT;

	if (i != HEADS) {
		verdict = compared_verdict(d->t, i);
		compared_row(d->t, i, &row);
		diff_place(d, i, &at);
	}
	diff_put_text(out, "procedure", at.procedure);
	diff_put_text(out, "file", at.path);
	diff_put_place(out, "line", lines ? at.place.line : 0);
	diff_put_place(out, "column", columns ? at.place.column : 0);
	diff_put_place(out, "end_line", lines ? at.place.end_line : 0);
	diff_put_place(out, "end_column", columns ? at.place.end_column : 0);
	diff_put_text(out, "kind", at.kind);
	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		struct scalar_value v = { .type = SCALAR_NULL };

		if (sides_have(&row.sides, k))
			v = compared_value(d->t, i, k, compared_figure_of(d->t, k));
		record_scalar(out, sides_name(k), &v);
	}
	record_scalar(out, "value", &row.value);
	compared_sides(d->t, &row, &sides);
	diff_put_text(out, "sides", sides.buf);
	strbuf_release(&sides);
	record_real(out, "significance", row.significance);
	diff_put_text(out, "callee", at.callee);
	put_first(out, d, i, row.arcs > 1);
	diff_put_text(out, "type", at.type);
	diff_put_size(out, "size_class", at.size_class);
	record_real(out, "error", i == HEADS ? NAN : compared_rate_error(d->t, i));
	diff_put_text(out, "verdict", verdict_word(verdict.verdict));
	record_real(out, "least", verdict.least);
}

static void
put_profile(struct record *out, const struct diff *d, size_t k)
{
	const struct match_report *r = match_report(comparison_match(d->c), k);
	struct comparison_scale scale = comparison_scale(d->c, k);

	record_begin(out);
	record_text(out, "name", sides_name(k));
	record_text(out, "figure", figure_name(compared_figure_of(d->t, k)));
	record_text(out, "path", profile_name(comparison_profile(d->c, k)));
	record_whole(out, "runs", profile_totals(comparison_profile(d->c, k))->nr_runs);
	record_real(out, "count_scale", scale.count);
	record_real(out, "time_scale", scale.time);
	record_whole(out, "procedures", r->procedures);
	record_whole(out, "matched", r->matched);
	record_whole(out, "changed", r->changed);
	record_whole(out, "affected", r->affected);
	record_whole(out, "executions", r->executions);
	record_whole(out, "matched_executions", r->matched_executions);
	record_whole(out, "self_ns", r->self_ns);
	record_whole(out, "matched_self_ns", r->matched_self_ns);
	record_end(out);
}

/* What all of each profile has of the figure. */
static void
put_total(struct record *out, const struct diff *d)
{
	struct row_verdict verdict;

	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		struct scalar_value v = compared_total(d->t, k, compared_figure_of(d->t, k));
		char name[20];

		snprintf(name, sizeof(name), "total_%s", sides_name(k));
		record_scalar(out, name, &v);
	}
	record_real(out, "total_significance", compared_total_significance(d->t));
	verdict = compared_total_verdict(d->t);
	diff_put_text(out, "total_verdict", verdict_word(verdict.verdict));
	record_real(out, "total_least", verdict.least);
}

void
diff_data(const struct diff *d, const char *format)
{
	const struct agreement found = comparison_agreement(d->c);
	struct record out;

	record_open(&out, "diff", format);
	record_text(&out, "by", compare_by_name(compared_by(d->t)));
	record_text(&out, "expression", expression_text(compared_expression(d->t)));
	record_text(&out, "figure", figure_name(compared_figure(d->t)));
	record_bool(&out, "per_run", comparison_per_run(d->c));
	record_bool(&out, "same_work", comparison_same_work(d->c));
	if (found.known) {
		record_real(&out, "rank_correlation", found.rank);
		record_whole(&out, "rank_procedures", found.procedures);
		record_bool(&out, "workloads_match", !found.doubtful);
	}
	if (d->fail_if) {
		record_text(&out, "fail_if", d->fail_if);
		record_bool(&out, "fails", d->nr_rows || d->all_fails);
		record_bool(&out, "total_fails", d->all_fails);
	}
	if (d->tells_chance) {
		record_whole(&out, "rows_sampled", d->chance.tested);
		record_whole(&out, "rows_beyond_chance", d->chance.beyond);
		record_real(&out, "significance_beyond_chance",
			    d->chance.beyond ? d->chance.least : NAN);
	}
	put_total(&out, d);
	record_heads(&out, NULL);
	put_row(&out, d, HEADS);
	record_list(&out, "profiles");
	for (size_t k = 0; k < comparison_profiles(d->c); k++)
		put_profile(&out, d, k);
	record_list(&out, "rows");
	for (size_t i = 0; i < d->nr_rows && i < d->limit && record_begin(&out); i++) {
		put_row(&out, d, d->rows[i]);
		record_end(&out);
	}
	record_close(&out);
}
