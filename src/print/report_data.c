/* The formats for programs: comma-separated values (RFC 4180) and JSON. */
#include "print/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "print/diff.h"
#include "util/mem.h"
#include "util/safe.h"

/* Is NAME in LIST, "a,b,c"? */
static bool
is_listed(const char *list, const char *name)
{
	size_t length = strlen(name), n;

	for (; *list; list += n + (list[n] == ',')) {
		n = strcspn(list, ",");
		if (n == length && !memcmp(list, name, n))
			return true;
	}
	return false;
}

bool
report_is_public(const struct report_view *view, const struct list_column *c)
{
	size_t n = strlen(c->name);

	if (view->data)
		return is_listed(view->data, c->name);
	return strcmp(c->name, "id") && (n < 3 || strcmp(c->name + n - 3, "_id"));
}

/* The columns of the listing that are printed, in their order; returns how many. */
static int
fields_of(const struct report *r, int fields[LIST_MAX_COLUMNS])
{
	int nr = 0, i;

	for (i = 0; i < r->nr_chosen; i++)
		fields[nr++] = list_column_find(r->view->kind, r->chosen[i].column);
	for (i = 0; !r->nr_chosen && r->columns[i].name; i++) {
		if (report_is_public(r->view, &r->columns[i]))
			fields[nr++] = i;
	}
	return nr;
}

/* The text of a field; NULL: it has none, or is a number. */
static const char *
text_of(const struct report *r, const struct list_row *row, int i)
{
	const struct cell *cell = &row->cells[i];
	const char *name = r->columns[i].name;

	if (r->compared && (!strcmp(name, "procedure") || !strcmp(name, "callee"))) {
		name = report_compared_name(r->compared, cell);
		return *name ? name : NULL;
	}
	return cell->null || r->columns[i].unit != UNIT_TEXT ? NULL : cell->text;
}

static void
add_number(const struct report *r, const struct list_row *row, int i, struct strbuf *out)
{
	struct scalar_value value;

	if (r->columns[i].unit != UNIT_VALUE) {
		strbuf_fmt(out, "%" PRId64, row->cells[i].number);
		return;
	}
	value = report_value(&row->cells[i]);
	diff_number(out, &value);
}

/* ---- CSV ---- */

/* Visible escapes for what could harm a terminal or make two names look alike; otherwise the bytes
 * stay, whatever the locale. */
void
report_csv_text(struct strbuf *out, const char *s, size_t n)
{
	size_t start = out->len;
	int32_t c;

	strbuf_char(out, '"');
	for (size_t i = 0, step; i < n; i += step) {
		step = utf8_decode(s + i, n - i, &c);
		if (c < 0x20 || (c >= 0x7f && c < 0xa0) || safe_deceives(c))
			safe_char(out, c);
		else if (c == '"')
			strbuf_str(out, "\"\"");
		else
			strbuf_add(out, s + i, step);
	}
	if (!strpbrk(out->buf + start + 1, "\",")) {
		memmove(out->buf + start, out->buf + start + 1, out->len - start - 1);
		out->len--;
		out->buf[out->len] = '\0';
		return;
	}
	strbuf_char(out, '"');
}

/* One field of ROW, or its heading for NULL. */
static void
csv_field(const struct report *r, const struct list_row *row, int i, struct strbuf *out)
{
	const char *text = row ? text_of(r, row, i) : r->columns[i].name;

	if (text)
		report_csv_text(out, text, strlen(text));
	else if (row && !row->cells[i].null)
		add_number(r, row, i, out);
}

static void
csv_row(const struct report *r, const struct list_row *row, struct strbuf *out)
{
	int fields[LIST_MAX_COLUMNS], nr = fields_of(r, fields);

	strbuf_clear(out);
	for (int k = 0; k < nr; k++) {
		if (k)
			strbuf_char(out, ',');
		csv_field(r, row, fields[k], out);
	}
	strbuf_str(out, "\r\n");
	fwrite(out->buf, 1, out->len, stdout);
}

void
report_csv(const struct report *r)
{
	struct strbuf out = STRBUF_INIT;
	const struct list_row *row;
	size_t i = 0, shown = 0;

	csv_row(r, NULL, &out);
	while (shown++ < r->limit && report_can_write() && (row = report_next(r, &i)))
		csv_row(r, row, &out);
	strbuf_release(&out);
}

/* ---- JSON ---- */

/* ASCII only: the same in every locale, and valid UTF-8. */
static void
json_char(struct strbuf *out, int32_t c)
{
	if (c < 0)
		safe_char(out, c); /* not UTF-8: <9B> */
	else if (c == '"' || c == '\\')
		strbuf_fmt(out, "\\%c", (char)c);
	else if (c >= 0x20 && c < 0x7f)
		strbuf_char(out, (char)c);
	else if (c < 0x10000)
		strbuf_fmt(out, "\\u%04x", (unsigned)c);
	else
		strbuf_fmt(out, "\\u%04x\\u%04x", 0xd800 + (((unsigned)c - 0x10000) >> 10),
			   0xdc00 + ((unsigned)c & 0x3ff));
}

void
report_json_text(struct strbuf *out, const char *s, size_t n)
{
	int32_t c;

	strbuf_char(out, '"');
	for (size_t i = 0; i < n;) {
		i += utf8_decode(s + i, n - i, &c);
		json_char(out, c);
	}
	strbuf_char(out, '"');
}

static void
json_row(const struct report *r, const struct list_row *row, struct strbuf *out)
{
	int fields[LIST_MAX_COLUMNS], nr = fields_of(r, fields);

	for (int k = 0; k < nr; k++) {
		int i = fields[k];
		const char *text = text_of(r, row, i);

		strbuf_fmt(out, "%c\"%s\":", k ? ',' : '{', r->columns[i].name);
		if (text)
			report_json_text(out, text, strlen(text));
		else if (row->cells[i].null)
			strbuf_str(out, "null");
		else
			add_number(r, row, i, out);
	}
	strbuf_char(out, '}');
}

void
report_json(const struct report *r)
{
	struct strbuf out = STRBUF_INIT;
	const struct list_row *row;
	size_t i = 0, shown = 0;

	printf("{\"version\":1,\"by\":\"%s\",\"rows\":[", r->view->name);
	while (shown < r->limit && report_can_write() && (row = report_next(r, &i))) {
		strbuf_clear(&out);
		strbuf_str(&out, shown++ ? ",\n" : "\n");
		json_row(r, row, &out);
		fwrite(out.buf, 1, out.len, stdout);
	}
	fputs("\n]}\n", stdout);
	strbuf_release(&out);
}
