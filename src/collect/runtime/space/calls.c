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
/* A record: 0..18 producer, 19..24 usable bytes that were not asked for, less the 8 of the record
 * (0 in long ones), 25..51 the heap clock when it was made, in units, modulo; and 12 bits by which
 * it is known, together with the generation of the process. */
enum { SLACK_AT = 19, CLOCK_AT = 25, KNOWN_AT = 52, MOST_SLACK = 63, GENERATIONS = 64 };
#define CLOCK_MASK ((UINT64_C(1) << (KNOWN_AT - CLOCK_AT)) - 1)

struct block {
	uint64_t *record;
	size_t size; /* that was asked for */
	uint64_t born; /* the heap clock then, in units */
	uint32_t producer;
	bool inherited; /* made by a process that this one is a child of */
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

/* Every bit of what goes in changes the upper bits of the sum. */
static inline uint64_t
known_by(const void *p, uint64_t bits, size_t size, uint32_t generation)
{
	uint64_t h = ((uintptr_t)p ^ bits << 7) * UINT64_C(0x9e3779b97f4a7c15) +
		     (bits ^ size) * UINT64_C(0xd6e8feb86659fd93) +
		     generation * UINT64_C(0xa0761d6478bd642f);

	return h >> KNOWN_AT << KNOWN_AT;
}

static inline bool
crosses_page(const void *p, const uint64_t *record)
{
	return ((uintptr_t)p ^ (uintptr_t)record) >= RAW_PAGE;
}

AT_ONCE void
write_record(void *p, size_t usable, size_t size, uint32_t producer)
{
	uint64_t *record = (uint64_t *)((char *)p + usable) - 1;
	uint64_t slack = usable - size - sizeof(*record), bits;

	bits = producer | (tables_clock() / RAW_SPACE_LIFE_UNIT & CLOCK_MASK) << CLOCK_AT;
	if (UNLIKELY(crosses_page(p, record))) {
		note_seen((uintptr_t)(record - 1));
		note_seen((uintptr_t)record);
	}
	if (UNLIKELY(usable >= LONG_USABLE))
		record[-1] = size;
	else if (UNLIKELY(slack > MOST_SLACK)) /* glibc never gives so much */
		producer = NR_PRODUCERS;
	else
		bits |= slack << SLACK_AT;
	*record = UNLIKELY(producer == NR_PRODUCERS)
			  ? 0 : bits | known_by(p, bits, size, space.generation);
}

/* Is it known as a block that was made in a generation before? */
static OUT_OF_THE_WAY bool
is_inherited(const void *p, uint64_t record, size_t size)
{
	uint64_t bits = record & ((UINT64_C(1) << KNOWN_AT) - 1);

	for (uint32_t back = 1; back <= space.generation && back < GENERATIONS; back++)
		if ((record ^ bits) == known_by(p, bits, size, space.generation - back))
			return true;
	return false;
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
					      : usable - 8 - (bits >> SLACK_AT & MOST_SLACK),
		.producer = bits & ((1 << SLACK_AT) - 1),
		.born = bits >> CLOCK_AT,
	};
	if (UNLIKELY(b->size > usable || b->producer >= atomic_load_explicit(
					       &nr_producers, memory_order_relaxed)))
		return false;
	if (LIKELY((*record ^ bits) == known_by(p, bits, b->size, space.generation)))
		return true;
	b->inherited = space.generation && is_inherited(p, *record, b->size);
	return b->inherited;
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
	size_t usable;

	if (UNLIKELY(!p)) {
		tables_note(frame, SPACE_EMPTY, 0, 0);
		return p;
	}
	usable = usable_at(p);
	write_record(p, usable, n, tables_made(frame, n, usable - with_record(n)));
	if (LIKELY(space_self != NULL))
		space_self->last_block = p;
	return p;
}

/* Returns what is to be noted of block B, at P, that is given back. By the clock of the thread that
 * made it, which others see late, it may be younger than nothing. */
AT_ONCE struct space_freed
freed(const struct block *b, const void *p, enum raw_space_how how)
{
	enum { LATE = MAX_THREADS * (CLOCK_STEP / RAW_SPACE_LIFE_UNIT) };
	uint64_t life = (tables_clock() / RAW_SPACE_LIFE_UNIT - b->born) & CLOCK_MASK;

	return (struct space_freed){
		.block = p, .bytes = b->size, .producer = b->producer, .how = how,
		.life = UNLIKELY(life > CLOCK_MASK - LATE) ? 0 : life * RAW_SPACE_LIFE_UNIT,
	};
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
		struct space_freed f = freed(&b, p, space.ending ? RAW_SPACE_EXIT : RAW_SPACE_FREE);

		*b.record = 0; /* given back twice, it is none of ours the second time */
		if (LIKELY(!b.inherited)) /* that is its parent's */
			tables_freed(CALLED, &f);
		else
			series_disinherit(b.size);
	} else if (is_early(p)) {
		return;
	} else {
		tables_note(CALLED, SPACE_STRANGE, 0, 0);
	}
	next.free(p);
}

/* The old block is read, and its record taken away, before libc has it; if there is no new one it
 * lives on. Part of its callers, whose frame must be there until the end. */
AT_ONCE void *
reallocate(void *p, size_t n, const uint64_t *frame)
{
	struct block old = {.record = NULL};
	bool known = read_record(p, &old);
	uint64_t record = known ? *old.record : 0;
	struct space_freed f = {.block = p};
	void *q;

	if (known)
		*old.record = 0;
	else
		tables_note(frame, SPACE_STRANGE, 0, 0);
	q = next.realloc(p, n ? with_record(n) : 0);
	if (!q && n) {
		if (known)
			*old.record = record;
		tables_note(frame, SPACE_EMPTY, 0, 0);
		return NULL;
	}
	if (known && old.inherited)
		series_disinherit(old.size);
	if (known && !old.inherited) {
		f = freed(&old, f.block, RAW_SPACE_REALLOC);
		f.moved = q && q != f.block;
		f.copied = f.moved ? (n < old.size ? n : old.size) : 0;
		f.grown = n > old.size ? n - old.size : 0;
		tables_freed(frame, &f);
	}
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
		tables_note(CALLED, SPACE_EMPTY, 0, 0);
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
		tables_note(CALLED, SPACE_EMPTY, 0, 0);
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

/* ---- the end ---- */

typedef int main_function(int argc, char **argv, char **environment);
typedef int start_function(main_function *main, int argc, char **argv, void (*init)(void),
			   void (*fini)(void), void (*loader)(void), void *stack);
EXPORTED start_function __libc_start_main;
static main_function *program;

static int
run_program(int argc, char **argv, char **environment)
{
	int status = program(argc, argv, environment);

	space.ending = true;
	return status;
}

/* What is given back from here on is given back only because the program ends. */
EXPORTED int
__libc_start_main(main_function *main, int argc, char **argv, void (*init)(void),
		  void (*fini)(void), void (*loader)(void), void *stack)
{
	start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");

	program = main;
	return start(run_program, argc, argv, init, fini, loader, stack);
}

EXPORTED _Noreturn void exit(int status);
EXPORTED _Noreturn void
exit(int status)
{
	void (*end)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");

	space.ending = true;
	end(status);
	__builtin_unreachable();
}

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
