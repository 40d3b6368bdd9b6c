/* The procedures that stand before libc's. A block is libc's own, and a little larger than was
 * asked for: in what is left at its end stands a record of who asked. A program that writes there
 * loses the record, no more: it is believed only if it is whole. */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include "collect/runtime/kernel.h"
#include "tables.h"

#define EXPORTED __attribute__((visibility("default")))

/* The frame of the procedure that this stands in: its caller's frame pointer, and where the call
 * returns to. */
#define CALLED ((const uint64_t *)__builtin_frame_address(0))

#define AT_ONCE static inline __attribute__((always_inline))

EXPORTED void *malloc(size_t n);
EXPORTED void free(void *p);

/* ---- what comes next ---- */

static struct next {
	void *(*malloc)(size_t n);
	void *(*calloc)(size_t n, size_t size);
	void *(*realloc)(void *p, size_t n);
	void (*free)(void *p);
	void *(*memalign)(size_t alignment, size_t n);
	void *(*aligned_alloc)(size_t alignment, size_t n);
	int (*posix_memalign)(void **p, size_t alignment, size_t n);
	void *(*valloc)(size_t n);
	void *(*pvalloc)(size_t n);
	void *(*reallocarray)(void *p, size_t n, size_t size);
	size_t (*malloc_usable_size)(void *p);
	void *(*new)(size_t n);
	void *(*new_array)(size_t n);
} next;

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

static bool
is_early(const void *p)
{
	return (uintptr_t)p - (uintptr_t)early < sizeof(early);
}

/* Returns false in the midst of it, when it is called by itself. */
static bool
find_next(void)
{
	static bool finding;

	if (next.free)
		return true;
	if (finding)
		return false;
	finding = true;
#define NEXT(type, name) (__typeof__(type) *)dlsym(RTLD_NEXT, name)
	next = (struct next){
		NEXT(void *(size_t), "malloc"),
		NEXT(void *(size_t, size_t), "calloc"),
		NEXT(void *(void *, size_t), "realloc"),
		NULL,
		NEXT(void *(size_t, size_t), "memalign"),
		NEXT(void *(size_t, size_t), "aligned_alloc"),
		NEXT(int(void **, size_t, size_t), "posix_memalign"),
		NEXT(void *(size_t), "valloc"),
		NEXT(void *(size_t), "pvalloc"),
		NEXT(void *(void *, size_t, size_t), "reallocarray"),
		NEXT(size_t(void *), "malloc_usable_size"),
		NEXT(void *(size_t), "_Znwm"),
		NEXT(void *(size_t), "_Znam"),
	};
	next.free = NEXT(void(void *), "free");
#undef NEXT
	return true;
}

/* ---- records ---- */

/* A request of fewer bytes than LONG has a record of a word, the others one of two: the size comes
 * before it. Which it is follows from what is usable. */
enum { LONG = 1024, LONG_USABLE = LONG + 16 };
/* A record: 0..18 producer, 19..29 usable bytes that were not asked for (0 in long ones), 30..35
 * generation, and 28 bits by which it is known. */
enum { SLACK_AT = 19, GENERATION_AT = 30, KNOWN_AT = 36, MOST_SLACK = 2047, GENERATIONS = 64 };

struct block {
	uint64_t *record;
	size_t size; /* that was asked for */
	uint32_t producer, generation;
};

/* Of each MB of the address space, was there ever a record in it? What stands before a pointer may
 * be anything, if it is none of a block: it must not lead where there is nothing. */
enum { MEGABYTE = 20, SEEN_BYTES = 1 << (47 - MEGABYTE - 3) };
static _Atomic uint8_t *seen;

static inline _Atomic uint8_t *
seen_byte(uint64_t at)
{
	return &seen[at >> (MEGABYTE + 3)];
}

static inline uint8_t
seen_bit(uint64_t at)
{
	return (uint8_t)(1 << (at >> MEGABYTE & 7));
}

static void
note_seen(uint64_t at)
{
	if (!(atomic_load_explicit(seen_byte(at), memory_order_relaxed) & seen_bit(at)))
		atomic_fetch_or(seen_byte(at), seen_bit(at));
}

static bool
is_seen(uint64_t at)
{
	return at >> 47 == 0 &&
	       atomic_load_explicit(seen_byte(at), memory_order_relaxed) & seen_bit(at);
}

/* How much to ask for, so that there is room for the record. */
static inline size_t
with_record(size_t n)
{
	if (UNLIKELY(n > PTRDIFF_MAX - 16))
		return n; /* there is no such block */
	return n + (n < LONG ? 8 : 16);
}

/* Bytes usable in a block of glibc's, as the word before it tells; 0: there is no block here. */
static inline size_t
usable_at(const void *p)
{
	enum { MAPPED = 2, FLAGS = 7, LEAST = 32 };
	size_t word = ((const size_t *)p)[-1], size = word & ~(size_t)FLAGS;

	if (UNLIKELY(size < LEAST || size & 15 || (uintptr_t)p & 15))
		return 0;
	return size - (word & MAPPED ? 16 : 8);
}

static inline uint64_t
known_by(const void *p, uint64_t bits, size_t size)
{
	uint64_t h = ((uintptr_t)p ^ bits << 7) * UINT64_C(0x9e3779b97f4a7c15) +
		     (bits ^ size) * UINT64_C(0xd6e8feb86659fd93);

	return (h ^ h >> 29) << KNOWN_AT;
}

static inline bool
crosses_page(const void *p, const uint64_t *record)
{
	return ((uintptr_t)p ^ (uintptr_t)record) >= RAW_PAGE;
}

AT_ONCE void
write_record(void *p, size_t size, uint32_t producer)
{
	size_t usable = usable_at(p);
	uint64_t *record = (uint64_t *)((char *)p + usable) - 1;
	uint64_t bits = producer | (uint64_t)(space.generation % GENERATIONS) << GENERATION_AT;

	if (UNLIKELY(usable >= LONG_USABLE))
		record[-1] = size;
	else
		bits |= (uint64_t)(usable - size) << SLACK_AT;
	if (UNLIKELY(crosses_page(p, record))) {
		note_seen((uintptr_t)(record - 1));
		note_seen((uintptr_t)record);
	}
	*record = bits | known_by(p, bits, size);
}

/* Returns false if P, which is not NULL, has no record of ours. */
AT_ONCE bool
read_record(void *p, struct block *b)
{
	size_t usable = usable_at(p);
	uint64_t *record = (uint64_t *)((char *)p + usable) - 1, bits;

	if (UNLIKELY(!usable))
		return false;
	if (UNLIKELY(crosses_page(p, record)) &&
	    !(is_seen((uintptr_t)(record - 1)) && is_seen((uintptr_t)record)))
		return false;
	bits = *record & ((UINT64_C(1) << KNOWN_AT) - 1);
	*b = (struct block){
		.record = record,
		.size = usable >= LONG_USABLE ? record[-1]
					      : usable - (bits >> SLACK_AT & MOST_SLACK),
		.producer = bits & ((1 << SLACK_AT) - 1),
		.generation = bits >> GENERATION_AT & (GENERATIONS - 1),
	};
	return LIKELY((*record ^ bits) == known_by(p, bits, b->size) && b->size <= usable &&
		      b->producer < NR_PRODUCERS);
}

/* ---- what happens to a block ---- */

static inline bool
counts(void)
{
	return LIKELY(atomic_load_explicit(&space.host, memory_order_acquire) != NULL);
}

/* P, with room for a record, has been made for the caller of the procedure with FRAME. */
AT_ONCE void *
born(void *p, size_t n, const uint64_t *frame)
{
	if (UNLIKELY(!p))
		tables_note(frame, SPACE_EMPTY, 0);
	else
		write_record(p, n, tables_made(frame, n));
	return p;
}

/* What a child of fork has inherited is its parent's. */
static inline void
died(const struct block *b)
{
	if (LIKELY(b->generation == space.generation % GENERATIONS))
		tables_freed(b->producer, b->size);
	else
		series_disinherit(b->size);
}

/* A block that nobody counts. */
static void *
uncounted(void *p)
{
	space.early += p != NULL;
	return p;
}

/* ---- the procedures ---- */

EXPORTED void *
malloc(size_t n)
{
	if (counts())
		return born(next.malloc(with_record(n)), n, CALLED);
	return find_next() ? uncounted(next.malloc(n)) : early_block(n);
}

EXPORTED void *
calloc(size_t n, size_t size)
{
	size_t bytes;

	if (!counts())
		return find_next() ? uncounted(next.calloc(n, size)) : early_block(n * size);
	if (__builtin_mul_overflow(n, size, &bytes))
		return born(next.calloc(n, size), 0, CALLED);
	return born(next.calloc(1, with_record(bytes)), bytes, CALLED);
}

EXPORTED void
free(void *p)
{
	struct block b;

	if (UNLIKELY(!p))
		return;
	if (UNLIKELY(!counts())) {
		if (!is_early(p) && find_next())
			next.free(p);
		return;
	}
	if (LIKELY(read_record(p, &b))) {
		*b.record = 0; /* given back twice, it is none of ours the second time */
		died(&b);
	} else if (is_early(p)) {
		return;
	} else {
		tables_note(CALLED, SPACE_STRANGE, 0);
	}
	next.free(p);
}

/* The old block is read, and its record taken away, before libc has it; if there is no new one it
 * lives on. */
static void *
reallocate(void *p, size_t n, const uint64_t *frame)
{
	struct block old = {.record = NULL};
	bool known = read_record(p, &old);
	uint64_t record = known ? *old.record : 0;
	void *q;

	if (known)
		*old.record = 0;
	else
		tables_note(frame, SPACE_STRANGE, 0);
	q = next.realloc(p, n ? with_record(n) : 0);
	if (!q && n) {
		if (known)
			*old.record = record;
		tables_note(frame, SPACE_EMPTY, 0);
		return NULL;
	}
	if (known)
		died(&old);
	return born(q, n, frame);
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

EXPORTED void *
realloc(void *p, size_t n)
{
	if (UNLIKELY(is_early(p)))
		return move_early(p, n);
	if (counts() && p)
		return reallocate(p, n, CALLED);
	if (counts())
		return born(next.malloc(with_record(n)), n, CALLED);
	return find_next() ? uncounted(next.realloc(p, n)) : early_block(n);
}

EXPORTED void *
reallocarray(void *p, size_t n, size_t size)
{
	size_t bytes;

	if (!counts() || is_early(p))
		return find_next() ? uncounted(next.reallocarray(p, n, size)) : NULL;
	if (__builtin_mul_overflow(n, size, &bytes)) {
		tables_note(CALLED, SPACE_EMPTY, 0);
		errno = ENOMEM;
		return NULL;
	}
	if (!p)
		return born(next.malloc(with_record(bytes)), bytes, CALLED);
	return reallocate(p, bytes, CALLED);
}

#define ALIGNED(name)                                                                              \
	EXPORTED void *name(size_t alignment, size_t n)                                            \
	{                                                                                          \
		if (counts())                                                                      \
			return born(next.name(alignment, with_record(n)), n, CALLED);              \
		return find_next() ? uncounted(next.name(alignment, n)) : NULL;                    \
	}
ALIGNED(memalign)
ALIGNED(aligned_alloc)

#define PAGES(name)                                                                                \
	EXPORTED void *name(size_t n)                                                              \
	{                                                                                          \
		if (counts())                                                                      \
			return born(next.name(with_record(n)), n, CALLED);                         \
		return find_next() ? uncounted(next.name(n)) : NULL;                               \
	}
PAGES(valloc)
PAGES(pvalloc)

EXPORTED int
posix_memalign(void **p, size_t alignment, size_t n)
{
	void *made = NULL;
	int error;

	if (!counts())
		return find_next() ? next.posix_memalign(p, alignment, n) : ENOMEM;
	error = next.posix_memalign(&made, alignment, with_record(n));
	if (error)
		tables_note(CALLED, SPACE_EMPTY, 0);
	else
		*p = born(made, n, CALLED);
	return error;
}

/* Programs use all that this says. */
EXPORTED size_t
malloc_usable_size(void *p)
{
	struct block b;

	if (!p || !find_next() || is_early(p))
		return 0;
	return counts() && read_record(p, &b) ? b.size : next.malloc_usable_size(p);
}

/* ---- C++ ---- */

/* By libstdc++'s own, a stack would be walked for each object. Where there is no memory the next
 * one says so. */
#define NEW(name, member)                                                                          \
	EXPORTED void *name(size_t n);                                                             \
	EXPORTED void *name(size_t n)                                                              \
	{                                                                                          \
		void *p;                                                                           \
		                                                                                   \
		if (UNLIKELY(!counts() || !news_are_ours))                                         \
			return find_next() ? next.member(n) : NULL;                                \
		p = born(next.malloc(with_record(n)), n, CALLED);                                  \
		return LIKELY(p != NULL) ? p : next.new(n); /* as new[] does, but by ours */       \
	}
static bool news_are_ours; /* the program has none of its own that libstdc++'s would call */
NEW(_Znwm, new)
NEW(_Znam, new_array)

/* ---- the start ---- */

static void
moved(void)
{
	atomic_fetch_add(&space.layout, 1);
}

/* Does the program use OURS, and is libc's, called PRIVATE there, the next one? */
static bool
stands_before_libc(const char *name, const void *ours, const void *following, const char *private)
{
	return dlsym(RTLD_DEFAULT, name) == ours && following &&
	       dlsym(RTLD_NEXT, private) == following;
}

EXPORTED enum raw_space_state __cgview_space_attach(const struct space_host *host,
						    struct space_guest *guest);
EXPORTED enum raw_space_state
__cgview_space_attach(const struct space_host *host, struct space_guest *guest)
{
	if (host->version != SPACE_VERSION)
		return RAW_SPACE_RELEASE;
	if (!find_next() ||
	    !stands_before_libc("malloc", (void *)malloc, (void *)next.malloc, "__libc_malloc") ||
	    !stands_before_libc("free", (void *)free, (void *)next.free, "__libc_free"))
		return RAW_SPACE_OTHER;
	seen = (void *)kernel(SYS_mmap, NULL, SEEN_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (seen == MAP_FAILED)
		return RAW_SPACE_NO_ROOM;
	news_are_ours = dlsym(RTLD_DEFAULT, "_Znwm") == (void *)_Znwm &&
			dlsym(RTLD_DEFAULT, "_Znam") == (void *)_Znam;
	host->facts->early = space.early;
	*guest = (struct space_guest){moved, tables_forked, series_end};
	atomic_store_explicit(&space.host, host, memory_order_release);
	return RAW_SPACE_COUNTED;
}
