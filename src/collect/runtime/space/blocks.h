/* The record of a block, and what the procedures that stand before the allocator's (calls.c,
 * objects.c) do with it. A block is the allocator's own, and a little larger than was asked for: in
 * what is left at its end stands a record of who asked. A program that writes there loses the
 * record, no more: it is believed only if it is whole. */
#ifndef CGVIEW_SPACE_BLOCKS_H
#define CGVIEW_SPACE_BLOCKS_H

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <ucontext.h>

#include "tables.h"

#define EXPORTED __attribute__((visibility("default")))

/* The frame of the procedure that this stands in: its caller's frame pointer, and where the call
 * returns to. */
#define CALLED ((const uint64_t *)__builtin_frame_address(0))

/* In a static program the linker (--wrap) sends calls to ours. */
#ifdef SPACE_STATIC
#define OURS(name) __wrap_##name
#else
#define OURS(name) name
#endif

/* The allocator that comes next; NULL: it has no such procedure. Those that are not libc's have all
 * or may have none but the first four. */
struct next {
	void *(*malloc)(size_t n);
	void *(*calloc)(size_t n, size_t size);
	void *(*realloc)(void *p, size_t n);
	void (*free)(void *p);
	void *(*memalign)(size_t alignment, size_t n);
	void *(*aligned_alloc)(size_t alignment, size_t n);
	int (*posix_memalign)(void **p, size_t alignment, size_t n);
	void *(*valloc)(size_t n);
	void *(*pvalloc)(size_t n);
	size_t (*malloc_usable_size)(void *p);
	bool tells_size; /* it is not libc's, and is asked for the size of each block */
	/* Requests of fewer bytes than this may go the short way, with a record of a word. */
	size_t short_size;
	/* Requests of fewer bytes than LONG_SIZE have a record of a word, the others one of two:
	 * the size comes before it. Which it is follows from what is usable. */
	size_t long_size, long_usable;
	size_t short_object_size; /* SHORT_SIZE of operator new; 0: it is not ours */
};
extern HIDDEN struct next next; /* (calls.c) */

/* Returns false in the midst of finding it, when an allocator is called for that. */
HIDDEN bool calls_find_next(void);
HIDDEN bool calls_is_early(const void *p);
/* Looks whose operator new and delete the program uses, and returns whether they are ours; a static
 * C program has none. */
HIDDEN bool objects_begin(const struct space_host *host) __attribute__((weak));
/* A procedure of this name behind ours; NULL: there is none, or there are no names. */
HIDDEN void *calls_following(const char *name);

/* Returns P, a block that nobody counts; it is no fault that it has no record. (faults.c) */
HIDDEN void *faults_uncounted(void *p);
/* Was it handed out like that? It is forgotten, as it is given back. */
HIDDEN OUT_OF_THE_WAY bool faults_was_uncounted(void *p);
/* P, which has no record, is given back by the call of the procedure with FRAME. */
HIDDEN OUT_OF_THE_WAY void faults_note(void *p, const uint64_t *frame);
/* See struct space_guest. */
HIDDEN void faults_signalled(const siginfo_t *info, const ucontext_t *context);

/* Serves an allocator that is not libc's from now on. (other.c) */
HIDDEN void other_serve(void);
HIDDEN size_t other_size(void *p);
/* Where this thread's stack is if it is at work in it, or was when it left it by a jump; else 0. */
extern HIDDEN __thread uintptr_t other_inside __attribute__((tls_model("initial-exec")));
/* Is the call of the procedure with FRAME the allocator's own then? */
HIDDEN OUT_OF_THE_WAY bool other_calls(const uint64_t *frame);
/* May one that returns to PC be? */
HIDDEN OUT_OF_THE_WAY bool other_may_call(uint64_t pc);

struct block {
	uint64_t *record;
	size_t size; /* that was asked for */
	uint64_t born; /* the heap clock then, in units */
	uint32_t producer;
	bool sampled;	/* its path is known, and wants to know what becomes of it */
	bool inherited; /* made by a process that this one is a child of */
};

/* A record: 12 bits by which it is known, together with the generation of the process; 12..30
 * producer, 31..36 usable bytes that were not asked for, less the 8 of the record (0 in long ones),
 * 37..63 the heap clock when it was made, in units, modulo. */
enum {
	KNOWN_BITS = 12,
	PRODUCER_AT = KNOWN_BITS,
	PRODUCER_BITS = 19,
	SLACK_AT = 31,
	CLOCK_AT = 37,
	MOST_SLACK = 63,
	GENERATIONS = 64
};
#define CLOCK_MASK (~UINT64_C(0) >> CLOCK_AT)

/* The block has been given back: the bits by which a record is known are the other way round. */
#define GIVEN_BACK ((UINT64_C(1) << KNOWN_BITS) - 1)

/* glibc's blocks give away their sizes: those with room for LONG have long records. */
enum { LONG = 1024, LONG_USABLE = LONG + 16, LONG_RECORD = 16 };
/* Blocks of fewer bytes than SHORT have short ones, whatever glibc gives beyond what is asked. */
enum { SHORT = LONG - MOST_SLACK };

/* Of each page, has there been a part of a record in it whose block begins on another page, or of
 * an allocator that is not libc's the begin of a block? What stands before a pointer may be
 * anything, if it is none of a block: it must not lead where there is nothing. The first word of a
 * page has a bit of its own, which is taken away with the record there: a block that was given back
 * may be part of the end of libc's heap by now, and lead to just behind it, where there need not be
 * a page any more. Pages 512 GB apart share their bits. */
enum { PAGE_SHIFT = 12, SEEN_PAGES = 1 << 27, SEEN_BYTES = 2 * SEEN_PAGES / 8 };
extern HIDDEN _Atomic uint8_t *blocks_seen;

static inline _Atomic uint8_t *
seen_byte(uint64_t at)
{
	return &blocks_seen[(at >> PAGE_SHIFT & (SEEN_PAGES - 1)) / 4];
}

static inline uint8_t
seen_bit(uint64_t at)
{
	return (uint8_t)((at % RAW_PAGE ? 1 : 2) << (at >> PAGE_SHIFT & 3) * 2);
}

static inline void
note_seen(uint64_t at)
{
	if (!(atomic_load_explicit(seen_byte(at), memory_order_relaxed) & seen_bit(at)))
		atomic_fetch_or(seen_byte(at), seen_bit(at));
}

static inline bool
is_seen(uint64_t at)
{
	return at >> 47 == 0 &&
	       atomic_load_explicit(seen_byte(at), memory_order_relaxed) & seen_bit(at);
}

/* There is no record at AT any more. */
static inline void
forget_seen(uint64_t at)
{
	if (UNLIKELY(at % RAW_PAGE == 0))
		atomic_fetch_and(seen_byte(at), (uint8_t)~seen_bit(at));
}

/* Of the blocks that libc mapped by themselves: P was given back, and where it was is nothing. */
HIDDEN OUT_OF_THE_WAY void blocks_note_gone(const void *p);
HIDDEN OUT_OF_THE_WAY bool blocks_is_noted_gone(const void *p);

/* Such a block begins behind the two words of its pages. */
static inline bool
is_mapped(const void *p)
{
	enum { MAPPED = 2 };

	return UNLIKELY((uintptr_t)p % RAW_PAGE == 16) && !next.tells_size &&
	       ((const size_t *)p)[-1] & MAPPED;
}

/* How much to ask for, so that there is room for the record. */
static inline size_t
with_record(size_t n)
{
	if (UNLIKELY(n > PTRDIFF_MAX - LONG_RECORD))
		return n; /* there is no such block */
	return n + (n < next.long_size ? 8 : LONG_RECORD);
}

static inline enum raw_space_how
how_of_free(void)
{
	return (enum raw_space_how)(space.how >> HOW_AT);
}

/* Bytes usable in a block, of glibc's as the word before it tells; 0: there is no block here. */
static inline size_t
usable_at(void *p)
{
	enum { MAPPED = 2, FLAGS = 7, LEAST = 32 };
	size_t word, size;

	if (UNLIKELY(next.tells_size))
		return other_size(p);
	word = ((const size_t *)p)[-1];
	size = word & ~(size_t)FLAGS;
	if (UNLIKELY(size < LEAST || size & 15 || (uintptr_t)p & 15))
		return 0;
	return size - (word & MAPPED ? 16 : 8);
}

/* Of what may be no block. Others end the program when they are asked about that, so they are asked
 * only where they have handed out blocks. */
static inline size_t
usable_if_block(void *p)
{
	return UNLIKELY(next.tells_size) && !is_seen((uintptr_t)p) ? 0 : usable_at(p);
}

/* Where is nothing no word can be read before P, which ends the program as libc's read of it would:
 * where that may be it is read by this. The reads are in a list, by which the signal is known as an
 * error of the call of the procedure with FRAME, before the program has it (faults.c). */
struct read_in_list {
	int32_t pc;    /* less the address of this */
	int32_t frame; /* the number of the register, in a ucontext_t, that it is in */
};
#define READ_IN_LIST                                                                               \
	"0:	mov -8(%[p]), %[word]\n"                                                           \
	"	.pushsection cgview_space_reads, \"a\"\n"                                          \
	"	.long 0b - ., %c[frame_in]\n"                                                      \
	"	.popsection"

/* Part of the procedure with FRAME. */
AT_ONCE size_t
word_before(const void *p, const uint64_t *frame)
{
	size_t word;

	__asm__ volatile(READ_IN_LIST
			 : [word] "=r"(word)
			 : [p] "r"(p), [frame_in] "i"(REG_RBP), "m"(*frame),
			   "m"(((size_t *)p)[-1]));
	return word;
}

/* Part of one that it calls. */
AT_ONCE size_t
word_before_inside(const void *p, const uint64_t *frame)
{
	size_t word;

	__asm__ volatile(READ_IN_LIST
			 : [word] "=r"(word)
			 : [p] "r"(p), [frame_in] "i"(REG_RSI), "S"(frame),
			   "m"(((size_t *)p)[-1]));
	return word;
}

/* Producers stand in records with these bits the other way round. Neither 0, which most memory has
 * that was not written, nor a small number or -1 names one that there is: one of 4,096 of them has
 * the bits by which a record is known. */
#define PRODUCER_MASK 0x2aaaa
_Static_assert(PRODUCER_MASK >= (int)NR_PRODUCERS && PRODUCER_MASK < (int)PATHS_SAMPLED,
	       "above all that there are");

/* What a record tells. */
static inline uint32_t
producer_in(uint64_t record)
{
	return ((uint32_t)(record >> PRODUCER_AT) & ((1 << PRODUCER_BITS) - 1)) ^ PRODUCER_MASK;
}

static inline uint64_t
slack_in(uint64_t record)
{
	return record >> SLACK_AT & MOST_SLACK;
}

/* A record but for the bits by which it is known. CLOCK: of the heap, in bytes. */
static inline uint64_t
record_of(uint32_t producer, uint64_t slack, uint64_t clock)
{
	return (uint64_t)(producer ^ PRODUCER_MASK) << PRODUCER_AT | slack << SLACK_AT |
	       clock / RAW_SPACE_LIFE_UNIT << CLOCK_AT;
}

/* The bits by which a RECORD is known. Every bit of what goes in changes the upper bits of the
 * product; blocks with one end, which may find each other's records, have other addresses. OF:
 * tables_known_of() a generation. */
static inline uint64_t
known_by(const void *p, uint64_t record, size_t size, uint64_t of)
{
	uint64_t h = (((uintptr_t)p + 2 * size) << (17 - KNOWN_BITS) ^ record >> KNOWN_BITS) *
		     (UINT64_C(0x9e3779b97f4a7c15) << KNOWN_BITS);

	return (h ^ of) >> (64 - KNOWN_BITS);
}

static inline bool
is_known_by(const void *p, uint64_t record, size_t size, uint64_t of)
{
	return ((record ^ known_by(p, record, size, of)) & GIVEN_BACK) == 0;
}

static inline bool
crosses_page(const void *p, const uint64_t *record)
{
	return ((uintptr_t)p ^ (uintptr_t)record) >= RAW_PAGE;
}

/* May a record at RECORD, of a block at P, be read? */
static inline bool
may_be_record(const void *p, const uint64_t *record)
{
	return LIKELY(!crosses_page(p, record)) ||
	       (is_seen((uintptr_t)(record - 1)) && is_seen((uintptr_t)record));
}

/* Is it known as a block that was made in a generation before? */
HIDDEN OUT_OF_THE_WAY bool blocks_is_inherited(const void *p, uint64_t record, size_t size);

/* Returns false if P, which is not NULL, has no record of ours. */
HIDDEN bool blocks_read(void *p, struct block *b);

/* What RECORD, of a word, tells of the block of libc's at P. */
AT_ONCE struct block
tell_short(const void *p, uint64_t *record)
{
	return (struct block){
		.record = record,
		.size = (size_t)((const char *)record - (const char *)p) - slack_in(*record),
		.producer = producer_in(*record),
		.born = *record >> CLOCK_AT,
	};
}

/* Returns false if P, of libc's, with WORD before it, is no block with a record of a word; its
 * producer, if it was made in this generation and its path is not known, is yet to be looked at. If
 * ACROSS, the record may be in another page than P. */
AT_ONCE bool
read_short(void *p, size_t word, struct block *b, const bool across)
{
	enum { FLAGS = 7, LEAST = 32, MOST = LONG_USABLE + 8 }; /* mapped ones are larger */
	size_t size = word & ~(size_t)FLAGS;
	uint64_t *record = (uint64_t *)((char *)p + size) - 2;

	if (UNLIKELY(size - LEAST >= MOST - LEAST) || UNLIKELY((uintptr_t)record & 15) ||
	    UNLIKELY(across ? !may_be_record(p, record) : crosses_page(p, record)))
		return false;
	*b = tell_short(p, record);
	return LIKELY(b->size < LONG) && LIKELY(is_known_by(p, *record, b->size, space.known));
}

/* As blocks_read() does, of most blocks that are given to the caller of the procedure with FRAME;
 * returns false for the others, too. */
AT_ONCE bool
read_most(void *p, const uint64_t *frame, struct block *b)
{
	return LIKELY(next.short_size) &&
	       LIKELY(read_short(p, word_before_inside(p, frame), b, true)) &&
	       LIKELY(b->producer < atomic_load_explicit(&nr_producers, memory_order_relaxed));
}

/* ---- what happens to a block ---- */

/* Is the call of the procedure with FRAME to be counted? */
static inline bool
counts(const uint64_t *frame)
{
	return LIKELY(atomic_load_explicit(&space.host, memory_order_acquire) != NULL) &&
	       (LIKELY(!next.tells_size || !other_inside) || !other_calls(frame));
}

/* Returns what is to be noted of block B, at P, that thread T gives back. By the clock of the one
 * that made it, which others see late, it may be younger than nothing. */
AT_ONCE struct space_freed
freed(const struct space_thread *t, const struct block *b, const void *p, enum raw_space_how how)
{
	enum { LATE = MAX_THREADS * (CLOCK_STEP / RAW_SPACE_LIFE_UNIT) };
	uint64_t life = (tables_clock(t) / RAW_SPACE_LIFE_UNIT - b->born) & CLOCK_MASK;

	return (struct space_freed){
		.block = p, .bytes = b->size, .producer = b->producer, .how = how,
		.life = UNLIKELY(life > CLOCK_MASK - LATE) ? 0 : life * RAW_SPACE_LIFE_UNIT,
	};
}

/* ---- the short way ---- */

/* Most blocks are short ones of libc's, and are asked for and given back by calls that this thread
 * has seen before. These are noted here, with no call, and with no store unless all of it can be
 * noted; what cannot is left to those in blocks.c, which know every case. What is noted is the
 * same. */

/* Returns the calling thread if that may be tried. */
AT_ONCE struct space_thread *
short_way(void)
{
	struct space_thread *t = space_quick;
	uint32_t layout = atomic_load_explicit(&space.layout, memory_order_relaxed);

	return LIKELY(t->layout == layout) ? t : NULL;
}

/* Notes block P of N < SHORT bytes, with room for a record, that the call E of T has got. Returns
 * false if nothing was done. If ACROSS, the record may be in another page than P. */
AT_ONCE bool
note_born(struct space_thread *t, void *p, size_t n, const struct space_entry *e,
	  const bool across)
{
	size_t size = ((const size_t *)p)[-1] & ~(size_t)7;
	uint64_t *record = (uint64_t *)((char *)p + size) - 2;
	uint64_t slack = size - 16 - n, unseen = t->unseen + n, bits;

	if (UNLIKELY(slack > MOST_SLACK) || UNLIKELY(unseen >= t->due) ||
	    UNLIKELY(across ? !may_be_record(p, record) : crosses_page(p, record)) ||
	    UNLIKELY(!series_made_untold(&t->series, n)))
		return false;
	t->unseen = unseen;
	t->last_block = p;
	tables_count_made(e, n, slack);
	bits = record_of(e->producer, slack, tables_clock(t));
	*record = bits | known_by(p, bits, n, space.known);
	return true;
}

/* Notes that T gives back B, at P, which is one of E. False: nothing is done. */
AT_ONCE bool
note_end(struct space_thread *t, const void *p, const struct block *b, const struct space_end *e)
{
	struct space_freed f;

	if (UNLIKELY(!series_freed_untold(&t->series, b->size)))
		return false;
	f = freed(t, b, p, RAW_SPACE_FREE);
	*b->record ^= GIVEN_BACK;
	tables_count_end(e->pair, e->cell, &f, t->last_block);
	return true;
}

/* ---- all ways ---- */

/* P, with room for a record, or NULL, has been made for the caller of the procedure with FRAME.
 * Returns it. */
HIDDEN void *blocks_born(void *p, size_t n, const uint64_t *frame);
/* P, which is not NULL, is given back by the caller of the procedure with FRAME. If there is a
 * RECORD, read_short() has found it, and T is what short_way() returned. */
HIDDEN void blocks_give_back(void *p, const uint64_t *frame);
HIDDEN void blocks_give_back_short(void *p, const uint64_t *frame, uint64_t *record,
				   struct space_thread *t);

/* P is given back by a call that returns to T->wrapped; T is what short_way() returned. */
HIDDEN void blocks_give_back_wrapped(void *p, const uint64_t *frame, struct space_thread *t);

/* Is part of the caller of a procedure whose frame is looked at, and must be there until then: the
 * last call in it becomes no jump. */
AT_ONCE void *
stays(void *p)
{
	__asm__ volatile("" : "+r"(p));
	return p;
}

/* What blocks_born() does with a block of N < SHORT bytes. */
AT_ONCE void *
born_short(void *p, size_t n, const uint64_t *frame)
{
	struct space_thread *t = short_way();
	const struct space_entry *e = NULL;

	if (LIKELY(p && t))
		e = tables_entry(t, frame, tables_short_class(n));
	return LIKELY(e && note_born(t, p, n, e, false)) ? p : stays(blocks_born(p, n, frame));
}

AT_ONCE void *
born(void *p, size_t n, const uint64_t *frame)
{
	return LIKELY(n < SHORT) ? born_short(p, n, frame) : stays(blocks_born(p, n, frame));
}

/* What blocks_give_back() does. */
AT_ONCE void
give_back(void *p, const uint64_t *frame)
{
	struct space_thread *t = short_way();
	const struct space_end *e;
	struct block b;

	if (LIKELY(t != NULL) && UNLIKELY(t->wrapped == frame[1])) {
		blocks_give_back_wrapped(p, frame, t);
		stays(NULL);
		return;
	}
	if (UNLIKELY(!t || !read_short(p, word_before(p, frame), &b, false))) {
		blocks_give_back(p, frame);
		stays(NULL);
		return;
	}
	e = tables_end(t, frame[1], b.producer | space.how);
	if (LIKELY(e && note_end(t, p, &b, e))) {
		next.free(p);
		return;
	}
	blocks_give_back_short(p, frame, b.record, t);
	stays(NULL);
}

#endif
