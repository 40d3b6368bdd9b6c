/* The procedures that stand before those of the allocator: libc's, one that was linked or
 * preloaded, or what a static program has. What they do with a block is in blocks.h. */
#include "blocks.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include "collect/runtime/kernel.h"
#include "pools.h"
#include "times.h"

EXPORTED void *OURS(malloc)(size_t n);
EXPORTED void OURS(free)(void *p);

/* ---- what comes next ---- */

#ifdef SPACE_STATIC

void *__real_malloc(size_t n);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t n);
void __real_free(void *p);
/* An allocator that is linked instead of libc's need not have these; libc's must not come along
 * with them. */
#define WEAK __attribute__((weak))
void *__real_memalign(size_t alignment, size_t n) WEAK;
void *__real_aligned_alloc(size_t alignment, size_t n) WEAK;
int __real_posix_memalign(void **p, size_t alignment, size_t n) WEAK;
void *__real_valloc(size_t n) WEAK;
void *__real_pvalloc(size_t n) WEAK;
size_t __real_malloc_usable_size(void *p) WEAK;
void *__libc_malloc(size_t n) WEAK;
int malloc_info(int options, void *file) WEAK;

struct next next = {
	__real_malloc, __real_calloc, __real_realloc, __real_free, __real_memalign,
	__real_aligned_alloc, __real_posix_memalign, __real_valloc, __real_pvalloc,
	__real_malloc_usable_size, false, 0, LONG, LONG_USABLE, 0,
};

bool
calls_find_next(void)
{
	return true;
}

bool
calls_is_early(const void *p)
{
	(void)p;
	return false;
}

static void *
early_block(size_t n)
{
	(void)n;
	return NULL;
}

static void *
move_early(void *p, size_t n)
{
	(void)n;
	return p;
}

void *
calls_following(const char *name)
{
	(void)name;
	return NULL;
}

/* Is libc's the next one? Others have a __libc_malloc(), too. */
static bool
stands_before_libc(void)
{
	return __real_malloc == __libc_malloc && malloc_info;
}

static void
forget_libcs(void)
{
}

/* Is there one at all whose blocks tell their size? */
static bool
stands_before_any(void)
{
	return __real_malloc_usable_size != NULL;
}

#define FOLLOWING(name) __real_##name

#else

struct next next = {.long_size = LONG, .long_usable = LONG_USABLE};

/* The loader may want blocks while it looks for the next procedures. These are never given back. */
static _Alignas(16) char early[16384];
static size_t early_used;

static void *
early_block(size_t n)
{
	size_t size = (n + 31) & ~(size_t)15;
	char *p = early + early_used + 16;

	if (n > sizeof(early) || early_used + size > sizeof(early)) {
		errno = ENOMEM;
		return NULL;
	}
	early_used += size;
	return p;
}

bool
calls_is_early(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof(early);
}

/* What the loader had before anything else could be had. */
static void *
move_early(void *p, size_t n)
{
	void *q = malloc(n);
	size_t left = (size_t)(early + sizeof(early) - (char *)p);

	if (q)
		memcpy(q, p, n < left ? n : left);
	return q;
}

/* A program with this library in it may be run by one that preloads it: the allocator is the one
 * that comes after both. */
EXPORTED void *__cgview_space_following(const char *name);
EXPORTED void *
__cgview_space_following(const char *name)
{
	static void *(*other)(const char *);
	static bool looked;
	void *found;

	if (!looked)
		other = (void *(*)(const char *))dlsym(RTLD_NEXT, "__cgview_space_following");
	looked = true;
	found = other ? other(name) : dlsym(RTLD_NEXT, name);
	__asm__ volatile("" : "+r"(found)); /* no jump: dlsym() looks from where it is called */
	return found;
}

void *
calls_following(const char *name)
{
	return __cgview_space_following(name);
}

bool
calls_find_next(void)
{
	static bool finding;

	if (next.free)
		return true;
	if (finding)
		return false;
	finding = true;
#define FIND(member) next.member = (__typeof__(next.member))calls_following(#member)
	FIND(malloc);
	FIND(calloc);
	FIND(realloc);
	FIND(memalign);
	FIND(aligned_alloc);
	FIND(posix_memalign);
	FIND(valloc);
	FIND(pvalloc);
	FIND(malloc_usable_size);
	FIND(free);
#undef FIND
	return true;
}

/* Their addresses here, whatever the program calls by these names. */
extern HIDDEN __typeof__(malloc) own_malloc __attribute__((alias("malloc")));
extern HIDDEN __typeof__(free) own_free __attribute__((alias("free")));

static bool
are_of_one_piece(const void *a, const void *b)
{
	Dl_info of_a, of_b;

	return a && b && dladdr(a, &of_a) && dladdr(b, &of_b) && of_a.dli_fbase == of_b.dli_fbase;
}

/* Does the program use ours, and is there one next whose blocks tell their size? */
static bool
stands_before_any(void)
{
	return dlsym(RTLD_DEFAULT, "malloc") == (void *)own_malloc &&
	       dlsym(RTLD_DEFAULT, "free") == (void *)own_free &&
	       are_of_one_piece((void *)next.malloc, (void *)next.malloc_usable_size) &&
	       are_of_one_piece((void *)next.malloc, (void *)next.free);
}

static bool
stands_before_libc(void)
{
	return are_of_one_piece((void *)next.malloc, dlsym(RTLD_DEFAULT, "gnu_get_libc_version"));
}

/* What the allocator has not got, libc's would serve, whose blocks it does not know. */
static void
forget_libcs(void)
{
#define FORGET(member) \
	if (!are_of_one_piece((void *)next.malloc, (void *)next.member)) \
		next.member = NULL
	FORGET(memalign);
	FORGET(aligned_alloc);
	FORGET(posix_memalign);
	FORGET(valloc);
	FORGET(pvalloc);
#undef FORGET
}

#define FOLLOWING(name) ((__typeof__(OURS(name)) *)calls_following(#name))

#endif

/* ---- the procedures ---- */

static APART void *
new_block(size_t n, const uint64_t *frame)
{
	return blocks_born(next.malloc(with_record(n)), n, frame);
}

EXPORTED void *
OURS(malloc)(size_t n)
{
	void *p;

	if (LIKELY(n < next.short_size)) {
		p = next.malloc(n + 8);
		return born_short(p, n, CALLED);
	}
	if (counts(CALLED))
		return stays(new_block(n, CALLED));
	return calls_find_next() ? faults_uncounted(next.malloc(n)) : early_block(n);
}

EXPORTED void *OURS(calloc)(size_t n, size_t size);
/* Returns a new block of N times SIZE zeros, which may not be to be counted. */
static APART void *
make_zeros(size_t n, size_t size, const uint64_t *frame)
{
	size_t bytes;

	if (!counts(frame))
		return calls_find_next() ? faults_uncounted(next.calloc(n, size))
					 : early_block(n * size);
	if (__builtin_mul_overflow(n, size, &bytes))
		return blocks_born(next.calloc(n, size), 0, frame);
	return blocks_born(next.calloc(1, with_record(bytes)), bytes, frame);
}

EXPORTED void *
OURS(calloc)(size_t n, size_t size)
{
	size_t bytes;
	void *p;

	if (UNLIKELY(__builtin_mul_overflow(n, size, &bytes) || bytes >= next.short_size))
		return stays(make_zeros(n, size, CALLED));
	p = next.calloc(1, bytes + 8);
	return born_short(p, bytes, CALLED);
}

EXPORTED void
OURS(free)(void *p)
{
	if (LIKELY(p != NULL))
		give_back(p, CALLED);
}

/* Returns what is known of P, given to the caller of the procedure with FRAME; a record of NULL: it
 * has none. */
static APART struct block
read_any(void *p, const uint64_t *frame)
{
	struct block b;

	if (!next.tells_size)
		word_before_inside(p, frame);
	return blocks_read(p, &b) ? b : (struct block){.record = NULL};
}

/* The old block lives on. */
static APART void
put_back(const struct block *old, uint64_t record)
{
	*old->record = record;
	if ((uintptr_t)old->record % RAW_PAGE == 0)
		note_seen((uintptr_t)old->record);
}

/* The old block is read, and its record taken away, before libc has it; if there is no new one it
 * lives on. Part of its callers, whose frame must be there until the end. */
AT_ONCE void *
reallocate(void *p, size_t n, const uint64_t *frame)
{
	struct block old;
	uint64_t record = 0;
	struct space_freed f;
	bool mapped;
	void *q;

	if (UNLIKELY(!read_most(p, frame, &old)))
		old = read_any(p, frame);
	mapped = old.record && is_mapped(p);
	if (LIKELY(old.record)) {
		record = *old.record;
		*old.record ^= GIVEN_BACK;
		forget_seen((uintptr_t)old.record);
	} else {
		faults_note(p, frame);
	}
	if (old.record && old.sampled && !old.inherited) /* another thread may get its address */
		paths_freed(p);
	q = next.realloc(p, n ? with_record(n) : 0);
	if (UNLIKELY(!q && n)) {
		if (old.record)
			put_back(&old, record);
		tables_note(frame, SPACE_EMPTY, 0, 0);
		return NULL;
	}
	if (UNLIKELY(mapped) && q != p)
		blocks_note_gone(p);
	if (old.record && old.inherited)
		series_disinherit(old.size);
	if (LIKELY(old.record && !old.inherited)) {
		if (times_on)
			times_end(old.born);
		f = freed(space_self, &old, p, RAW_SPACE_REALLOC);
		f.moved = q && q != p;
		f.copied = f.moved ? (n < old.size ? n : old.size) : 0;
		f.grown = n > old.size ? n - old.size : 0;
		tables_freed(frame, &f);
	}
	return born(q, n, frame);
}

/* Does what realloc() does with a block, or with what is to be a large one. */
static APART void *
reallocate_any(void *p, size_t n, const uint64_t *frame)
{
	if (UNLIKELY(calls_is_early(p)))
		return move_early(p, n);
	if (counts(frame) && p)
		return reallocate(p, n, frame);
	if (counts(frame))
		return new_block(n, frame);
	faults_was_uncounted(p);
	return calls_find_next() ? faults_uncounted(next.realloc(p, n)) : early_block(n);
}

EXPORTED void *OURS(realloc)(void *p, size_t n);
EXPORTED void *
OURS(realloc)(void *p, size_t n)
{
	if (!p && LIKELY(n < next.short_size))
		return born_short(next.malloc(n + 8), n, CALLED);
	return stays(reallocate_any(p, n, CALLED));
}

EXPORTED void *OURS(reallocarray)(void *p, size_t n, size_t size);
EXPORTED void *
OURS(reallocarray)(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes)) {
		if (counts(CALLED))
			tables_note(CALLED, SPACE_EMPTY, 0, 0);
		errno = ENOMEM;
		return NULL;
	}
	if (UNLIKELY(calls_is_early(p)))
		return move_early(p, bytes);
	if (!counts(CALLED)) {
		faults_was_uncounted(p);
		return calls_find_next() ? faults_uncounted(next.realloc(p, bytes)) : NULL;
	}
	if (!p)
		return stays(new_block(bytes, CALLED));
	return reallocate(p, bytes, CALLED);
}

/* What the allocator has of this kind makes it: MAKE, if it is not NULL. */
static void *
aligned_block(void *(*make)(size_t alignment, size_t n), size_t alignment, size_t n)
{
	void *p = NULL;
	int error = ENOMEM;

	if (make || next.memalign)
		return (make ? make : next.memalign)(alignment, n);
	if (next.posix_memalign)
		error = next.posix_memalign(&p, alignment, n);
	if (error)
		errno = error;
	return error ? NULL : p;
}

static void *
page_block(void *(*make)(size_t n), size_t n)
{
	return make ? make(n) : aligned_block(NULL, RAW_PAGE, n);
}

/* Some want a size that is a multiple of the alignment, as the standard of C did. */
static size_t
aligned_with_record(size_t alignment, size_t n)
{
	size_t size = with_record(n);

	if (!next.tells_size || !alignment || alignment & (alignment - 1) ||
	    n & (alignment - 1) || size > PTRDIFF_MAX - alignment)
		return size;
	return (size + alignment - 1) & ~(alignment - 1);
}

#define ALIGNED(name)                                                                              \
	EXPORTED void *OURS(name)(size_t alignment, size_t n);                                     \
	EXPORTED void *OURS(name)(size_t alignment, size_t n)                                      \
	{                                                                                          \
		if (counts(CALLED))                                                                \
			return born(aligned_block(next.name, alignment,                            \
						  aligned_with_record(alignment, n)),              \
				    n, CALLED);                                                    \
		return calls_find_next()                                                           \
			       ? faults_uncounted(aligned_block(next.name, alignment, n)) : NULL;  \
	}
ALIGNED(memalign)
ALIGNED(aligned_alloc)

/* All of the pages that pvalloc() rounds up to are the program's. */
static size_t
whole_pages(size_t n)
{
	return n > PTRDIFF_MAX - RAW_PAGE ? n : (n + RAW_PAGE - 1) & ~(size_t)(RAW_PAGE - 1);
}

#define PAGES(name, room)                                                                          \
	EXPORTED void *OURS(name)(size_t n);                                                       \
	EXPORTED void *OURS(name)(size_t n)                                                        \
	{                                                                                          \
		if (counts(CALLED))                                                                \
			return born(page_block(next.name, with_record(room)), n, CALLED);          \
		return calls_find_next() ? faults_uncounted(page_block(next.name, n)) : NULL;      \
	}
PAGES(valloc, n)
PAGES(pvalloc, whole_pages(n))

EXPORTED int OURS(posix_memalign)(void **p, size_t alignment, size_t n);
EXPORTED int
OURS(posix_memalign)(void **p, size_t alignment, size_t n)
{
	void *made = NULL;
	int error;

	if (!calls_find_next() || !next.posix_memalign)
		return ENOMEM;
	if (!counts(CALLED)) {
		error = next.posix_memalign(p, alignment, n);
		if (!error)
			faults_uncounted(*p);
		return error;
	}
	error = next.posix_memalign(&made, alignment, aligned_with_record(alignment, n));
	if (error)
		tables_note(CALLED, SPACE_EMPTY, 0, 0);
	else
		*p = born(made, n, CALLED);
	return error;
}

/* Programs use all that this says: what stands before the record. */
static APART size_t
usable_size(void *p, uint64_t pc)
{
	struct block b;
	size_t usable;

	if (!p || !calls_find_next() || calls_is_early(p) || !next.malloc_usable_size)
		return 0;
	if (!atomic_load(&space.host) || (UNLIKELY(other_inside) && other_may_call(pc)) ||
	    !blocks_read(p, &b))
		return next.malloc_usable_size(p);
	usable = (size_t)((char *)b.record - (char *)p);
	return usable + sizeof(*b.record) >= next.long_usable ? usable - 8 : usable;
}

EXPORTED size_t OURS(malloc_usable_size)(void *p);
/* What libc has handed out since the counting began has room for a record, whatever stands there
 * now. */
EXPORTED size_t
OURS(malloc_usable_size)(void *p)
{
	enum { FLAGS = 7, LEAST = 32, MOST = LONG_USABLE + 8 };
	size_t size;

	if (UNLIKELY(!p || !next.short_size) ||
	    UNLIKELY((uintptr_t)p - space.early_begin < space.early_length))
		return usable_size(p, (uintptr_t)__builtin_return_address(0));
	size = ((const size_t *)p)[-1] & ~(size_t)FLAGS;
	return LIKELY(size - LEAST < MOST - LEAST)
		       ? size - 16 : usable_size(p, (uintptr_t)__builtin_return_address(0));
}

/* ---- the end ---- */

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
			   void (*fini)(void), void (*loader)(void), void *stack);
EXPORTED start_function OURS(__libc_start_main);
EXPORTED _Noreturn void OURS(exit)(int status);
#ifdef SPACE_STATIC
start_function __real___libc_start_main;
_Noreturn void __real_exit(int status);
#endif
static main_function *program;

static int
run_program(int argc, char **argv, char **environment)
{
	int status = program(argc, argv, environment);

	space.how = (uint32_t)RAW_SPACE_EXIT << HOW_AT;
	return status;
}

/* What is given back from here on is given back only because the program ends. */
EXPORTED int
OURS(__libc_start_main)(main_function *main, int argc, char **argv, void (*init)(void),
		  void (*fini)(void), void (*loader)(void), void *stack)
{
	program = main;
	return FOLLOWING(__libc_start_main)(run_program, argc, argv, init, fini, loader, stack);
}

EXPORTED _Noreturn void
OURS(exit)(int status)
{
	space.how = (uint32_t)RAW_SPACE_EXIT << HOW_AT;
	FOLLOWING(exit)(status);
	__builtin_unreachable();
}

/* ---- the start ---- */

static void
moved(void)
{
	atomic_fetch_add(&space.layout, LAYOUT_STEP);
}

static void
open_short_way(bool objects)
{
	next.short_size = SHORT;
	next.short_object_size = objects ? SHORT : 0;
	atomic_fetch_and(&space.layout, ~(uint32_t)LONG_WAY);
}

EXPORTED enum raw_space_state __cgview_space_attach(const struct space_host *host,
						    struct space_guest *guest);
EXPORTED enum raw_space_state
__cgview_space_attach(const struct space_host *host, struct space_guest *guest)
{
	bool objects;

	if (host->version != SPACE_VERSION)
		return RAW_SPACE_RELEASE;
	if (!calls_find_next() || !stands_before_any())
		return RAW_SPACE_OTHER;
	if (!stands_before_libc()) {
		forget_libcs();
		other_serve();
	}
	blocks_seen = (void *)kernel(SYS_mmap, NULL, SEEN_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (blocks_seen == MAP_FAILED)
		return RAW_SPACE_NO_ROOM;
	objects = objects_begin && objects_begin(host);
	host->facts->early = space.early;
	*guest = (struct space_guest){
		moved, tables_forked, series_end, pools_note, faults_signalled};
	space.handles = host->handles;
	atomic_store_explicit(&space.host, host, memory_order_release);
	if (host->times)
		times_start();
	else if (!next.tells_size)
		open_short_way(objects);
	return RAW_SPACE_COUNTED;
}
