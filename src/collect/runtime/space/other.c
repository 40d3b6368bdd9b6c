/* An allocator that is not libc's: jemalloc, tcmalloc, mimalloc, or the user's own. Of its blocks
 * only that is known which malloc_usable_size() says, so all records are long ones. It may call
 * malloc() and its kin by name, in its first call or as its realloc() does: that is its own. */
#include "blocks.h"

#include <dlfcn.h>
#include <elf.h>

__thread uintptr_t other_inside __attribute__((tls_model("initial-exec")));

static struct next other;
static uintptr_t other_begin, other_length; /* the library that it is; 0: not known */

/* What counted code asks for while the allocator is at work is asked for by a handler, or the
 * allocator was left by a jump. */
bool
other_may_call(uint64_t pc)
{
	return !other_length || pc - other_begin < other_length ||
	       !atomic_load(&space.host)->module(pc - 1);
}

/* So is what other code asks for (libc's strdup) that stands further out than the allocator did, or
 * is called by counted code further in. */
bool
other_calls(const uint64_t *frame)
{
	const struct space_call call = {frame[1], (uintptr_t)(frame + 2), frame[0]};
	struct space_link links[SPACE_LINKS];
	uint32_t nr;

	if ((uintptr_t)frame >= other_inside || !other_may_call(frame[1]))
		return false;
	if (!other_length || frame[1] - other_begin < other_length)
		return true;
	tables_hold();
	nr = atomic_load(&space.host)->counted(&call, links);
	tables_let_go();
	return !nr || links[0].sp > other_inside;
}

/* Without a frame pointer, which would cost more. */
AT_ONCE uintptr_t
stack_pointer(void)
{
	uintptr_t sp;

	__asm__ volatile("movq %%rsp, %0" : "=r"(sp));
	return sp;
}

/* What stood further in was left by a jump. */
AT_ONCE uintptr_t
still_inside(uintptr_t before)
{
	return LIKELY(before == 0) || before > stack_pointer() ? before : 0;
}

/* Calls NAME of the allocator with ARGUMENTS. */
#define INSIDE(type, name, parameters, arguments)                                                  \
	static type inside_##name parameters                                                       \
	{                                                                                          \
		uintptr_t before = other_inside;                                                   \
		type result;                                                                       \
		                                                                                   \
		other_inside = stack_pointer();                                                    \
		result = other.name arguments;                                                     \
		other_inside = still_inside(before);                                               \
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
	uintptr_t before = other_inside;

	other_inside = stack_pointer();
	other.free(p);
	other_inside = still_inside(before);
}

/* Finds out where the library is that the allocator is of. */
static void
find_library(void)
{
#ifndef SPACE_STATIC
	const Elf64_Phdr *p;
	const Elf64_Ehdr *e;
	Dl_info info;

	if (!dladdr((void *)other.malloc, &info))
		return;
	e = info.dli_fbase;
	p = (const Elf64_Phdr *)((const char *)e + e->e_phoff);
	other_begin = (uintptr_t)e;
	for (int i = 0; i < e->e_phnum; i++)
		if (p[i].p_type == PT_LOAD && p[i].p_vaddr + p[i].p_memsz > other_length)
			other_length = p[i].p_vaddr + p[i].p_memsz;
#endif
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
	find_library();
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
