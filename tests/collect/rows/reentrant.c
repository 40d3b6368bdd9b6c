/* An allocator that may be left by a jump, and called again by a handler, at any moment. */
#include <errno.h>
#include <stddef.h>
#include <string.h>

static char area[1 << 30];
static size_t used;

static void *
take(size_t alignment, size_t n)
{
	size_t room = n + 16 + alignment;
	size_t end = __atomic_add_fetch(&used, room, __ATOMIC_RELAXED), begin;

	if (end > sizeof(area))
		return NULL;
	begin = (end - room + 16 + alignment - 1) & ~(alignment - 1);
	((size_t *)(area + begin))[-1] = n;
	return area + begin;
}

void *
malloc(size_t n)
{
	return take(16, n);
}

void *
calloc(size_t n, size_t size)
{
	return take(16, n * size);
}

void
free(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}

size_t
malloc_usable_size(void *p)
{
	return ((size_t *)p)[-1];
}

int
posix_memalign(void **p, size_t alignment, size_t n)
{
	void *q = take(alignment, n);

	if (q)
		*p = q;
	return q ? 0 : ENOMEM;
}

/* Its call of malloc() is its own. */
void *
realloc(void *p, size_t n)
{
	void *q = malloc(n);
	size_t old = p ? malloc_usable_size(p) : 0;

	if (q)
		memcpy(q, p, old < n ? old : n);
	return q;
}
