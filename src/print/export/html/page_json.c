#include "print/export/html/page_json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "util/text/safe.h"

static void
before_value(struct page_json *j)
{
	if (j->behind)
		strbuf_char(&j->out, ',');
	j->behind = true;
}

void
page_json_begin(struct page_json *j, char bracket)
{
	before_value(j);
	strbuf_char(&j->out, bracket);
	j->behind = false;
}

void
page_json_end(struct page_json *j, char bracket)
{
	strbuf_char(&j->out, bracket);
	j->behind = true;
}

void
page_json_name(struct page_json *j, const char *name)
{
	page_json_str(j, name);
	strbuf_char(&j->out, ':');
	j->behind = false;
}

/* "<" could begin a tag, "&" a character by its name where the page is read as XML; U+2028 and
 * U+2029 end lines in old scripts. */
static bool
is_escaped(int32_t c)
{
	return c < 0x20 || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' ||
	       c == 0x2028 || c == 0x2029;
}

void
page_json_text(struct page_json *j, const char *s, size_t n)
{
	int32_t c;

	before_value(j);
	strbuf_char(&j->out, '"');
	for (size_t i = 0, step; i < n; i += step) {
		step = utf8_decode(s + i, n - i, &c);
		if (!is_escaped(c))
			strbuf_add(&j->out, s + i, step);
		else if (c == '\t')
			strbuf_str(&j->out, "\\t");
		else if (c == '"' || c == '\\')
			strbuf_fmt(&j->out, "\\%c", (char)c);
		else
			strbuf_fmt(&j->out, "\\u%04x", c < 0 ? 0xfffdu : (unsigned)c);
	}
	strbuf_char(&j->out, '"');
}

void
page_json_str(struct page_json *j, const char *s)
{
	page_json_text(j, s, strlen(s));
}

void
page_json_whole(struct page_json *j, int64_t n)
{
	before_value(j);
	strbuf_fmt(&j->out, "%" PRId64, n);
}

void
page_json_real(struct page_json *j, double v)
{
	if (!isfinite(v)) {
		page_json_null(j);
		return;
	}
	before_value(j);
	strbuf_fmt(&j->out, "%.15g", v);
}

void
page_json_null(struct page_json *j)
{
	before_value(j);
	strbuf_str(&j->out, "null");
}
