#include "util/mem.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/error.h"

static void *
checked(void *p)
{
	if (!p)
		die(1, "out of memory");
	return p;
}

void *
xmalloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *
xcalloc(size_t nr, size_t size)
{
	return checked(calloc(nr ? nr : 1, size ? size : 1));
}

void *
xrealloc(void *p, size_t nr, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(nr, size, &bytes))
		die(1, "out of memory: %zu times %zu bytes", nr, size);
	return checked(realloc(p, bytes ? bytes : 1));
}

char *
xstrdup(const char *s)
{
	return checked(strdup(s));
}

char *
xstrndup(const char *s, size_t n)
{
	return checked(strndup(s, n));
}

char *
xasprintf(const char *format, ...)
{
	va_list ap;
	char *s = NULL;
	int n;

	va_start(ap, format);
	n = vasprintf(&s, format, ap);
	va_end(ap);
	return checked(n < 0 ? NULL : s);
}

size_t
grow_size(size_t have, size_t want)
{
	size_t n = have + have / 2 + 16;

	return n < want ? want : n;
}

char strbuf_empty[1];

void
strbuf_init(struct strbuf *sb)
{
	sb->buf = strbuf_empty;
	sb->len = sb->alloc = 0;
}

void
strbuf_release(struct strbuf *sb)
{
	if (sb->alloc)
		free(sb->buf);
	strbuf_init(sb);
}

void
strbuf_clear(struct strbuf *sb)
{
	sb->len = 0;
	if (sb->alloc)
		sb->buf[0] = '\0';
}

void
strbuf_room(struct strbuf *sb, size_t more)
{
	size_t want;

	if (__builtin_add_overflow(sb->len + 1, more, &want))
		die(1, "out of memory");
	if (want <= sb->alloc)
		return;
	want = grow_size(sb->alloc, want);
	sb->buf = xrealloc(sb->alloc ? sb->buf : NULL, want, 1);
	sb->alloc = want;
	sb->buf[sb->len] = '\0';
}

void
strbuf_add(struct strbuf *sb, const void *data, size_t n)
{
	strbuf_room(sb, n);
	if (n)
		memcpy(sb->buf + sb->len, data, n);
	sb->len += n;
	sb->buf[sb->len] = '\0';
}

void
strbuf_str(struct strbuf *sb, const char *s)
{
	strbuf_add(sb, s, strlen(s));
}

void
strbuf_char(struct strbuf *sb, char c)
{
	strbuf_add(sb, &c, 1);
}

void
strbuf_fmt(struct strbuf *sb, const char *format, ...)
{
	va_list ap;
	int n;

	va_start(ap, format);
	n = vsnprintf(NULL, 0, format, ap);
	va_end(ap);
	if (n < 0)
		return;
	strbuf_room(sb, (size_t)n);
	va_start(ap, format);
	vsnprintf(sb->buf + sb->len, (size_t)n + 1, format, ap);
	va_end(ap);
	sb->len += (size_t)n;
}

char *
strbuf_take(struct strbuf *sb)
{
	char *s = sb->alloc ? sb->buf : xstrdup("");

	strbuf_init(sb);
	return s;
}

struct arena_chunk {
	struct arena_chunk *next;
	size_t room;               /* bytes of data */
	alignas(max_align_t) char data[];
};

/* Each chunk has twice the room of the one before: there may be thousands of arenas that hold next
 * to nothing, and one that holds all names of a program. */
enum { FIRST_CHUNK = 2048, MOST_CHUNK = 64 * 1024 };

static size_t
next_room(const struct arena_chunk *last)
{
	size_t room = last ? 2 * last->room : FIRST_CHUNK;

	return room < MOST_CHUNK ? room : MOST_CHUNK;
}

void *
arena_alloc(struct arena *a, size_t size)
{
	size_t align = alignof(max_align_t);
	struct arena_chunk *c;
	size_t room;
	char *p;

	if (size > SIZE_MAX / 2)
		die(1, "out of memory");
	size = (size + align - 1) / align * align;
	if (size > a->left) {
		room = next_room(a->chunks);
		room = size > room ? size : room;
		c = xcalloc(1, sizeof(*c) + room);
		c->room = room;
		c->next = a->chunks;
		a->chunks = c;
		a->next = c->data;
		a->left = room;
	}
	p = a->next;
	a->next += size;
	a->left -= size;
	return p;
}

char *
arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p;

	n = strnlen(s, n);
	p = arena_alloc(a, n + 1);
	memcpy(p, s, n);
	return p;
}

char *
arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

void
arena_release(struct arena *a)
{
	struct arena_chunk *c, *next;

	for (c = a->chunks; c; c = next) {
		next = c->next;
		free(c);
	}
	*a = (struct arena)ARENA_INIT;
}
