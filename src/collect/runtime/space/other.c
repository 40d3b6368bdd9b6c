/* An allocator that is not libc's: jemalloc, tcmalloc, mimalloc, or the user's own. Of its blocks
 * only that is known which malloc_usable_size() says, so all records are long ones. It may call
 * malloc() and its kin by name, in its first call or as its realloc() does: that is its own. */
#include "blocks.h"

__thread bool other_inside __attribute__((tls_model("initial-exec")));

static struct next other;

/* Calls NAME of the allocator with ARGUMENTS, which is not left by other ways than its end. */
#define INSIDE(type, name, parameters, arguments)                                                  \
	static type inside_##name parameters                                                       \
	{                                                                                          \
		bool before = other_inside;                                                        \
		type result;                                                                       \
		                                                                                   \
		other_inside = true;                                                               \
		result = other.name arguments;                                                     \
		other_inside = before;                                                             \
		return result;                                                                     \
	}

INSIDE(void *, malloc, (size_t n), (n))
INSIDE(void *, calloc, (size_t n, size_t size), (n, size))
INSIDE(void *, realloc, (void *p, size_t n), (p, n))
INSIDE(void *, memalign, (size_t alignment, size_t n), (alignment, n))
INSIDE(void *, aligned_alloc, (size_t alignment, size_t n), (alignment, n))
INSIDE(int, posix_memalign, (void **p, size_t alignment, size_t n), (p, alignment, n))
INSIDE(void *, valloc, (size_t n), (n))
INSIDE(void *, pvalloc, (size_t n), (n))
INSIDE(size_t, malloc_usable_size, (void *p), (p))

static void
inside_free(void *p)
{
	bool before = other_inside;

	other_inside = true;
	other.free(p);
	other_inside = before;
}

size_t
other_size(void *p)
{
	size_t size = next.malloc_usable_size(p);

	return size < LONG_RECORD ? 0 : size;
}

void
other_serve(void)
{
	other = next;
#define TAKE(name) next.name = other.name ? inside_##name : NULL
	TAKE(malloc);
	TAKE(calloc);
	TAKE(realloc);
	TAKE(free);
	TAKE(memalign);
	TAKE(aligned_alloc);
	TAKE(posix_memalign);
	TAKE(valloc);
	TAKE(pvalloc);
	TAKE(malloc_usable_size);
#undef TAKE
	next.tells_size = true;
	next.long_size = next.long_usable = 0;
}
