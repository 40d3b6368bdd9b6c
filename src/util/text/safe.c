#include "util/text/safe.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

size_t
utf8_decode(const char *s, size_t n, int32_t *c)
{
	const unsigned char *p = (const unsigned char *)s;
	static const int32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
	size_t len, i;
	int32_t v;

	if (p[0] < 0x80) {
		*c = p[0];
		return 1;
	}
	*c = -1 - (int32_t)p[0];
	if (p[0] < 0xc2 || p[0] > 0xf4)
		return 1;
	len = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	if (len > n)
		return 1;
	v = p[0] & (0x7f >> len);
	for (i = 1; i < len; i++) {
		if ((p[i] & 0xc0) != 0x80)
			return 1;
		v = v << 6 | (p[i] & 0x3f);
	}
	if (v < smallest[len] || v > 0x10ffff || (v >= 0xd800 && v < 0xe000))
		return 1;
	*c = v;
	return len;
}

void
utf8_encode(struct strbuf *sb, int32_t c)
{
	if (c < 0x80) {
		strbuf_char(sb, (char)c);
	} else if (c < 0x800) {
		strbuf_char(sb, (char)(0xc0 | c >> 6));
		strbuf_char(sb, (char)(0x80 | (c & 0x3f)));
	} else if (c < 0x10000) {
		strbuf_char(sb, (char)(0xe0 | c >> 12));
		strbuf_char(sb, (char)(0x80 | (c >> 6 & 0x3f)));
		strbuf_char(sb, (char)(0x80 | (c & 0x3f)));
	} else {
		strbuf_char(sb, (char)(0xf0 | c >> 18));
		strbuf_char(sb, (char)(0x80 | (c >> 12 & 0x3f)));
		strbuf_char(sb, (char)(0x80 | (c >> 6 & 0x3f)));
		strbuf_char(sb, (char)(0x80 | (c & 0x3f)));
	}
}

/* Characters that change the order or hide: CVE-2021-42574 and its family. */
bool
safe_deceives(int32_t c)
{
	return c == 0xad || c == 0x34f || c == 0x61c || (c >= 0x115f && c <= 0x1160) ||
	       (c >= 0x17b4 && c <= 0x17b5) || (c >= 0x180b && c <= 0x180f) ||
	       (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2060 && c <= 0x206f) || c == 0x3164 || (c >= 0xe000 && c <= 0xf8ff) ||
	       (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff || (c >= 0xfff0 && c <= 0xfffb) ||
	       (c & 0xfffe) == 0xfffe || c >= 0xe0000;
}

static int
plain_width(int32_t c)
{
	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || safe_deceives(c))
		return -1;
	if (c < 0x7f)
		return 1;
	return wcwidth((wchar_t)c);
}

static int
hex_digits(int32_t c)
{
	return c > 0xfffff ? 6 : c > 0xffff ? 5 : 4;
}

int
safe_width_char(int32_t c)
{
	int w = c < 0 ? -1 : plain_width(c);

	if (w >= 0)
		return w;
	if (c >= 0 && (c < 0x20 || c == 0x7f))
		return 2;
	if (c < 0xa0)
		return 4;
	return 4 + hex_digits(c);
}

void
safe_char(struct strbuf *sb, int32_t c)
{
	if (c >= 0 && plain_width(c) >= 0)
		utf8_encode(sb, c);
	else if (c >= 0 && (c < 0x20 || c == 0x7f))
		strbuf_fmt(sb, "^%c", (char)(c ^ 0x40));
	else if (c < 0)
		strbuf_fmt(sb, "<%02X>", (unsigned)(-1 - c));
	else if (c < 0xa0)
		strbuf_fmt(sb, "<%02X>", (unsigned)c);
	else
		strbuf_fmt(sb, "<U+%04X>", (unsigned)c);
}

void
safe_char_at(struct strbuf *sb, int32_t c, int tab, int *column)
{
	if (c != '\t') {
		safe_char(sb, c);
		*column += safe_width_char(c);
		return;
	}
	do
		strbuf_char(sb, ' ');
	while (++*column % tab);
}

void
safe_text(struct strbuf *sb, const char *s, size_t n)
{
	int32_t c;
	size_t i;

	for (i = 0; i < n;) {
		i += utf8_decode(s + i, n - i, &c);
		safe_char(sb, c);
	}
}

size_t
safe_data_char(struct strbuf *sb, const char *s, size_t n)
{
	int32_t c;
	size_t bytes = utf8_decode(s, n, &c);

	if (c < 0x20 || (c >= 0x7f && c < 0xa0) || safe_deceives(c))
		safe_char(sb, c);
	else
		strbuf_add(sb, s, bytes);
	return bytes;
}

void
safe_data(struct strbuf *sb, const char *s, size_t n)
{
	for (size_t i = 0; i < n;)
		i += safe_data_char(sb, s + i, n - i);
}

void
safe_str(struct strbuf *sb, const char *s)
{
	safe_text(sb, s, strlen(s));
}

int
safe_width(const char *s, size_t n)
{
	int32_t c;
	int w = 0;
	size_t i;

	for (i = 0; i < n;) {
		i += utf8_decode(s + i, n - i, &c);
		w += safe_width_char(c);
	}
	return w;
}

int
safe_fit(struct strbuf *sb, const char *s, size_t n, int width)
{
	bool whole = true;
	int used = 0, w;
	size_t i, step;
	int32_t c;

	if (width <= 0)
		return 0;
	for (i = 0; i < n; i += step) {
		step = utf8_decode(s + i, n - i, &c);
		w = safe_width_char(c);
		if (used + w > width) {
			whole = false;
			break;
		}
		used += w;
	}
	if (whole) {
		safe_text(sb, s, n);
		return used;
	}
	for (i = 0, used = 0; i < n; i += step) {
		step = utf8_decode(s + i, n - i, &c);
		w = safe_width_char(c);
		if (used + w > width - 1)
			break;
		safe_char(sb, c);
		used += w;
	}
	utf8_encode(sb, 0x2026);
	return used + 1;
}

void
safe_put_right(struct strbuf *sb, const char *s, size_t n, int width)
{
	for (int w = n ? safe_width(s, n) : 0; w < width; w++)
		strbuf_char(sb, ' ');
	strbuf_add(sb, s, n);
}
