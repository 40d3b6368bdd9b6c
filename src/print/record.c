#include "print/record.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/columns.h"
#include "util/text/json.h"
#include "util/text/safe.h"

bool
report_can_write(void)
{
	return !ferror(stdout);
}

static void
flush(struct record *r)
{
	if (report_can_write())
		fwrite(r->out.buf, 1, r->out.len, stdout);
	strbuf_clear(&r->out);
}

/* ---- texts ---- */

void
record_csv_text(struct strbuf *out, const char *s, size_t n)
{
	size_t start = out->len;

	strbuf_char(out, '"');
	for (size_t i = 0, step; i < n; i += step) {
		step = safe_data_char(out, s + i, n - i);
		if (s[i] == '"')
			strbuf_char(out, '"');
	}
	if (strpbrk(out->buf + start + 1, "\",")) {
		strbuf_char(out, '"');
		return;
	}
	memmove(out->buf + start, out->buf + start + 1, out->len - start - 1);
	out->buf[--out->len] = '\0';
}

static void
add_text(struct record *r, const char *s, size_t n)
{
	if (r->json)
		json_quote(&r->out, s, n);
	else
		record_csv_text(&r->out, s, n);
}

/* ---- rows and lists ---- */

static void
add_name(struct record *r, const char *name)
{
	json_quote(&r->out, name, strlen(name));
	strbuf_char(&r->out, ':');
}

/* Fields may be added to a version. */
#define SCHEMA "{\"schema\":\"cgview\",\"version\":1,\"document\":"

void
record_open(struct record *r, const char *document, const char *format)
{
	*r = (struct record){ .json = !strcmp(format, "json"), .out = STRBUF_INIT };
	r->told = r->json;
	if (!r->json)
		return;
	strbuf_str(&r->out, SCHEMA);
	json_quote(&r->out, document, strlen(document));
}

/* Ends what was begun; NAME (NULL: nothing that is printed) is next. */
static void
change(struct record *r, int in, const char *name, bool in_csv)
{
	bool rows = r->in == RECORD_ROWS;

	if (r->told && r->in != RECORD_FACTS && (r->json || r->in == RECORD_HEADS))
		strbuf_str(&r->out, r->json ? "]" : "\r\n");
	if (r->json && name) {
		strbuf_str(&r->out, rows ? ",\n" : ",");
		add_name(r, name);
		strbuf_char(&r->out, '[');
	}
	r->in = in;
	r->told = r->json ? name != NULL : in_csv;
	r->began = false;
	r->nr = 0;
}

void
record_heads(struct record *r, const char *name)
{
	change(r, RECORD_HEADS, name, true);
}

void
record_items(struct record *r, const char *name)
{
	change(r, RECORD_ITEMS, name, false);
}

void
record_list(struct record *r, const char *name)
{
	change(r, RECORD_ROWS, name, !strcmp(name, "rows"));
	flush(r);
}

void
record_close(struct record *r)
{
	strbuf_str(&r->out, r->json ? "\n]}\n" : "");
	flush(r);
	strbuf_release(&r->out);
}

bool
record_begin(struct record *r)
{
	if (r->json) {
		strbuf_str(&r->out, r->nr++ ? ",\n" : "\n");
		strbuf_char(&r->out, r->arrays ? '[' : '{');
	}
	r->began = false;
	return report_can_write();
}

bool
record_end(struct record *r)
{
	if (r->json)
		strbuf_char(&r->out, r->arrays ? ']' : '}');
	else if (r->told)
		strbuf_str(&r->out, "\r\n");
	flush(r);
	return report_can_write();
}

/* ---- fields ---- */

/* Prints what stands before the value of a field. Returns false when no value is wanted. */
static bool
begin_field(struct record *r, const char *name)
{
	if (!r->told)
		return false;
	if (r->began || r->in == RECORD_FACTS)
		strbuf_char(&r->out, ',');
	r->began = true;
	if (r->in == RECORD_HEADS) {
		add_text(r, name, strlen(name));
		return false;
	}
	if (r->json && r->in != RECORD_ITEMS && !(r->arrays && r->in == RECORD_ROWS))
		add_name(r, name);
	return true;
}

void
record_bytes(struct record *r, const char *name, const char *s, size_t n)
{
	if (begin_field(r, name))
		add_text(r, s, n);
}

void
record_digits(struct record *r, const char *name, const char *s, size_t n)
{
	if (begin_field(r, name))
		strbuf_add(&r->out, s, n);
}

void
record_none(struct record *r, const char *name)
{
	if (begin_field(r, name) && r->json)
		strbuf_str(&r->out, "null");
}

void
record_text(struct record *r, const char *name, const char *text)
{
	if (text)
		record_bytes(r, name, text, strlen(text));
	else
		record_none(r, name);
}

static void
put_integer(struct record *r, const char *name, int64_t n)
{
	if (begin_field(r, name))
		strbuf_fmt(&r->out, "%" PRId64, n);
}

void
record_cell(struct record *r, const char *name, enum column_unit unit, const struct cell *cell)
{
	struct scalar_value value = cell_value(cell);

	if (cell->null)
		record_none(r, name);
	else if (unit == UNIT_TEXT)
		record_text(r, name, cell->text);
	else if (unit == UNIT_VALUE)
		record_scalar(r, name, &value);
	else
		put_integer(r, name, cell->number);
}

void
record_bool(struct record *r, const char *name, bool v)
{
	record_digits(r, name, v ? "true" : "false", v ? 4 : 5);
}

void
record_whole(struct record *r, const char *name, uint64_t n)
{
	if (begin_field(r, name))
		strbuf_fmt(&r->out, "%" PRIu64, n);
}

void
record_real(struct record *r, const char *name, double v)
{
	char text[40];
	int digits = 15;

	if (isnan(v)) {
		record_none(r, name);
		return;
	}
	if (isinf(v)) {
		strcpy(text, v < 0 ? "-1e999" : "1e999");
	} else {
		do {
			snprintf(text, sizeof(text), "%.*g", digits, v);
		} while (strtod(text, NULL) != v && ++digits <= 17);
	}
	record_digits(r, name, text, strlen(text));
}

void
record_scalar(struct record *r, const char *name, const struct scalar_value *v)
{
	if (v->type == SCALAR_INTEGER)
		put_integer(r, name, v->integer);
	else if (v->type == SCALAR_REAL)
		record_real(r, name, v->real);
	else
		record_none(r, name);
}
