/* Memory: allocators that do not return NULL, an arena, growing strings. */
#ifndef CGVIEW_UTIL_MEM_H
#define CGVIEW_UTIL_MEM_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* Return memory, never NULL: without memory the program ends with one line (status 1). The product
 * nr * size is checked. src/flow, which must survive, does not use these. */
void *xmalloc(size_t size);
void *xcalloc(size_t nr, size_t size);
void *xrealloc(void *p, size_t nr, size_t size);
char *xstrdup(const char *s);
char *xstrndup(const char *s, size_t n);
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Make room for at least NR elements in a growing array:
 *   GROW(a.items, a.nr + 1, a.alloc); a.items[a.nr++] = x; */
#define GROW(items, want, alloc)                                                     \
	do {                                                                         \
		if ((size_t)(want) > (size_t)(alloc)) {                              \
			size_t grow_new_ = grow_size((alloc), (want));               \
			(items) = xrealloc((items), grow_new_, sizeof(*(items)));    \
			(alloc) = grow_new_;                                         \
		}                                                                    \
	} while (0)
size_t grow_size(size_t have, size_t want);

/* A string that grows. buf is never NULL and always ends in a NUL; len does not count it. */
struct strbuf {
	char *buf;
	size_t len, alloc;
};
extern char strbuf_empty[];
#define STRBUF_INIT { .buf = strbuf_empty, .len = 0, .alloc = 0 }

void strbuf_init(struct strbuf *sb);
void strbuf_release(struct strbuf *sb);          /* free; usable again */
void strbuf_clear(struct strbuf *sb);            /* empty, keep the room */
void strbuf_room(struct strbuf *sb, size_t more);/* at least MORE bytes can follow */
void strbuf_add(struct strbuf *sb, const void *data, size_t n);
void strbuf_str(struct strbuf *sb, const char *s);
void strbuf_char(struct strbuf *sb, char c);
void strbuf_fmt(struct strbuf *sb, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *strbuf_take(struct strbuf *sb);            /* heap string, caller's; SB is empty again */

/* An arena: many small things that die together. */
struct arena {
	struct arena_chunk *chunks;
	size_t left;
	char *next;
};
#define ARENA_INIT { .chunks = NULL, .left = 0, .next = NULL }
void *arena_alloc(struct arena *a, size_t size); /* zeroed, aligned for anything */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
void arena_release(struct arena *a);

#endif
