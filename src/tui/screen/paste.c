#include "tui/screen/paste.h"

#include <string.h>

#include "util/text/safe.h"

static const char end[] = PASTE_END;
enum { END = sizeof(end) - 1 };

void
paste_init(struct paste *p)
{
	memset(p, 0, sizeof(*p));
	strbuf_init(&p->text);
	strbuf_init(&p->behind);
}

void
paste_release(struct paste *p)
{
	strbuf_release(&p->text);
	strbuf_release(&p->behind);
	paste_init(p);
}

static void
keep(struct strbuf *out, const char *s, size_t n)
{
	size_t room = PASTE_KEPT - out->len;

	strbuf_add(out, s, n < room ? n : room);
}

/* The bytes behind an end were text, and so was that end. */
static void
take_behind(struct paste *p)
{
	if (!p->ended)
		return;
	keep(&p->text, end, END);
	keep(&p->text, p->behind.buf, p->behind.len);
	p->bytes += END + p->behind.len;
	strbuf_clear(&p->behind);
}

static void
feed(struct paste *p, char c)
{
	struct strbuf *to = p->ended ? &p->behind : &p->text;

	if (c == end[p->matched]) {
		if (++p->matched < END)
			return;
		p->matched = 0;
		take_behind(p);
		p->ended = true;
		return;
	}
	/* Only its first byte is an ESC: no end begins within another one. */
	keep(to, end, p->matched);
	p->bytes += p->ended ? 0 : p->matched;
	p->matched = c == *end;
	if (p->matched)
		return;
	keep(to, &c, 1);
	p->bytes += !p->ended;
}

void
paste_feed(struct paste *p, const char *s, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		feed(p, s[i]);
}

bool
paste_goes_on(const struct paste *p)
{
	return p->ended && (p->matched || memchr(p->behind.buf, *end, p->behind.len));
}

static bool
is_shown(int32_t c)
{
	return c >= ' ' && c != 0x7f && !(c >= 0x80 && c < 0xa0) && !safe_deceives(c);
}

bool
paste_line(const struct paste *p, struct strbuf *out, size_t most)
{
	const char *s = p->text.buf;
	size_t n = p->text.len, begin = out->len, step;
	int32_t c;

	while (n && (s[n - 1] == '\n' || s[n - 1] == '\r'))
		n--;
	for (; n; s += step, n -= step) {
		step = utf8_decode(s, n, &c);
		/* This line end has two bytes. */
		if (c == '\r' && n > 1 && s[1] == '\n')
			continue;
		if (out->len - begin + (is_shown(c) ? step : 1) > most)
			return false;
		if (is_shown(c))
			strbuf_add(out, s, step);
		else
			strbuf_char(out, ' ');
	}
	return p->bytes == p->text.len;
}
