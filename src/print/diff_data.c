/* cgview diff for programs: comma-separated values and JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compare/store.h"
#include "print/diff.h"
#include "print/report.h"

void
diff_place(const struct diff *d, size_t row, struct diff_place *out)
{
	const struct match *m = comparison_match(d->c);
	enum compare_by by = compared_by(d->t);
	bool files = by == BY_LINE || by == BY_FILE, calls = by == BY_SITE || by == BY_ARC;
	struct compared_row r;

	compared_row(d->t, row, &r);
	*out = (struct diff_place){ .profile = 0 };
	for (size_t k = comparison_profiles(d->c); k-- > 0;) {
		if (compared_place(d->t, row, k, &out->place)) {
			out->profile = k;
			break;
		}
	}
	out->path = match_path(m, out->profile, out->place.file);
	out->procedure = r.entity ? match_name(m, r.entity) : files ? "" : "outside";
	out->callee = r.callee ? match_name(m, r.callee) : calls ? "outside" : "";
	out->kind = compared_kind(d->t, &r);
}

void
diff_real(struct strbuf *out, double v)
{
	char text[40];
	int digits = 15;

	if (isnan(v))
		return;
	if (isinf(v)) {
		strbuf_str(out, v < 0 ? "-1e999" : "1e999");
		return;
	}
	do {
		snprintf(text, sizeof(text), "%.*g", digits, v);
	} while (strtod(text, NULL) != v && ++digits <= 17);
	strbuf_str(out, text);
}

void
diff_number(struct strbuf *out, const struct scalar_value *v)
{
	if (v->type == SCALAR_INTEGER)
		strbuf_fmt(out, "%" PRId64, v->integer);
	else if (v->type == SCALAR_REAL)
		diff_real(out, v->real);
}

/* ---- one row, as fields ---- */

enum { FIRST_FIGURE = 7, LAST_FIELDS = 4, MAX_FIELDS = FIRST_FIGURE + MAX_PROFILES + LAST_FIELDS };

struct field {
	char name[16];
	const char *text;        /* NULL: the number */
	struct scalar_value number;
};

static struct scalar_value
integer_or_null(uint32_t v)
{
	return (struct scalar_value){ .type = v ? SCALAR_INTEGER : SCALAR_NULL, .integer = v };
}

static size_t
add_text(struct field *f, const char *name, const char *text)
{
	strcpy(f->name, name);
	f->text = text;
	return 1;
}

static size_t
add_number(struct field *f, const char *name, struct scalar_value v)
{
	strcpy(f->name, name);
	f->text = NULL;
	f->number = v;
	return 1;
}

/* The fields of a row, at most MAX_FIELDS. */
static size_t
make_fields(const struct diff *d, size_t i, struct field *f)
{
	struct compared_row row;
	struct diff_place at;
	struct scalar_value sigma = { .type = SCALAR_NULL };
	bool lines, columns;
	size_t n = 0;

	compared_row(d->t, i, &row);
	diff_place(d, i, &at);
	if (!isnan(row.significance))
		sigma = (struct scalar_value){ .type = SCALAR_REAL, .real = row.significance };
	lines = compared_by(d->t) != BY_FILE;
	columns = lines && compared_by(d->t) != BY_LINE;
	n += add_text(&f[n], "procedure", at.procedure);
	n += add_text(&f[n], "file", at.path);
	n += add_number(&f[n], "line", integer_or_null(lines ? at.place.line : 0));
	n += add_number(&f[n], "column", integer_or_null(columns ? at.place.column : 0));
	n += add_number(&f[n], "end_line", integer_or_null(lines ? at.place.end_line : 0));
	n += add_number(&f[n], "end_column", integer_or_null(columns ? at.place.end_column : 0));
	n += add_text(&f[n], "kind", at.kind);
	for (size_t k = 0; k < comparison_profiles(d->c); k++) {
		char letter[] = { (char)('a' + k), '\0' };
		struct scalar_value v = compared_value(d->t, i, k, compared_figure(d->t));

		if (!(row.sides & 1u << k))
			v.type = SCALAR_NULL;
		n += add_number(&f[n], letter, v);
	}
	n += add_number(&f[n], "value", row.value);
	n += add_text(&f[n], "sides", compared_sides(d->t, row.sides, row.changed));
	n += add_number(&f[n], "significance", sigma);
	n += add_text(&f[n], "callee", at.callee);
	return n;
}

static void
csv_names(const struct diff *d, struct strbuf *out)
{
	strbuf_str(out, "procedure,file,line,column,end_line,end_column,kind");
	for (size_t k = 0; k < comparison_profiles(d->c); k++)
		strbuf_fmt(out, ",%c", (char)('a' + k));
	strbuf_str(out, ",value,sides,significance,callee\r\n");
}

void
diff_csv(const struct diff *d)
{
	struct field fields[MAX_FIELDS];
	struct strbuf out = STRBUF_INIT;

	csv_names(d, &out);
	fwrite(out.buf, 1, out.len, stdout);
	for (size_t i = 0; i < d->nr_rows && i < d->limit && report_can_write(); i++) {
		size_t n = make_fields(d, d->rows[i], fields);

		strbuf_clear(&out);
		for (size_t k = 0; k < n; k++) {
			strbuf_str(&out, k ? "," : "");
			if (fields[k].text)
				report_csv_text(&out, fields[k].text, strlen(fields[k].text));
			else
				diff_number(&out, &fields[k].number);
		}
		strbuf_str(&out, "\r\n");
		fwrite(out.buf, 1, out.len, stdout);
	}
	strbuf_release(&out);
}

/* ---- JSON ---- */

static void
json_text(struct strbuf *out, const char *s)
{
	report_json_text(out, s, strlen(s));
}

static void
json_field(struct strbuf *out, const struct field *f)
{
	strbuf_fmt(out, "\"%s\":", f->name);
	if (f->text && !*f->text)
		strbuf_str(out, "null");
	else if (f->text)
		json_text(out, f->text);
	else if (f->number.type == SCALAR_NULL)
		strbuf_str(out, "null");
	else
		diff_number(out, &f->number);
}

static void
json_profile(struct strbuf *out, const struct diff *d, size_t k)
{
	const struct match_report *r = match_report(comparison_match(d->c), k);
	struct comparison_scale scale = comparison_scale(d->c, k);

	strbuf_fmt(out, "%s\n{\"name\":\"%c\",\"path\":", k ? "," : "", (char)('a' + k));
	json_text(out, profile_path(comparison_profile(d->c, k)));
	strbuf_str(out, ",\"count_scale\":");
	diff_real(out, scale.count);
	strbuf_str(out, ",\"time_scale\":");
	diff_real(out, scale.time);
	strbuf_fmt(out, ",\"procedures\":%zu,\"matched\":%zu,\"changed\":%zu,"
			"\"executions\":%" PRIu64 ",\"matched_executions\":%" PRIu64 ","
			"\"self_ns\":%" PRIu64 ",\"matched_self_ns\":%" PRIu64 "}",
		   r->procedures, r->matched, r->changed, r->executions, r->matched_executions,
		   r->self_ns, r->matched_self_ns);
}

void
diff_json(const struct diff *d)
{
	struct field fields[MAX_FIELDS];
	struct strbuf out = STRBUF_INIT;

	strbuf_fmt(&out, "{\"version\":1,\"by\":\"%s\",\"expression\":",
		   compare_by_name(compared_by(d->t)));
	json_text(&out, expression_text(compared_expression(d->t)));
	strbuf_fmt(&out, ",\"figure\":\"%s\",\"profiles\":[", figure_name(compared_figure(d->t)));
	for (size_t k = 0; k < comparison_profiles(d->c); k++)
		json_profile(&out, d, k);
	strbuf_str(&out, "],\n\"rows\":[");
	fwrite(out.buf, 1, out.len, stdout);
	for (size_t i = 0; i < d->nr_rows && i < d->limit && report_can_write(); i++) {
		size_t n = make_fields(d, d->rows[i], fields);

		strbuf_clear(&out);
		strbuf_str(&out, i ? ",\n{" : "\n{");
		for (size_t k = 0; k < n; k++) {
			strbuf_str(&out, k ? "," : "");
			json_field(&out, &fields[k]);
		}
		strbuf_char(&out, '}');
		fwrite(out.buf, 1, out.len, stdout);
	}
	fputs("\n]}\n", stdout);
	strbuf_release(&out);
}
