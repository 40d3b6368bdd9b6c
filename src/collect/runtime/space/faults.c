/* What is given back and has no record: what may be said about it. */
#include "blocks.h"

/* Blocks that were handed out before the counting began have none, and that is no fault. */
enum { MOST_EARLY = 256, MANY = 4096 };
static void *_Atomic early_blocks[MOST_EARLY];

/* When so many were not kept it is no use to look for others: it may be that counting never begins,
 * as in a program without the runtime. */
static bool
are_too_many(void)
{
	return UNLIKELY(space.early > MANY);
}

/* Puts NEW where OLD is known; returns false if it is not. */
static bool
replace_early(void *old, void *new)
{
	for (uint32_t i = 0; i < MOST_EARLY; i++) {
		void *expected = old;

		if (early_blocks[i] == old &&
		    atomic_compare_exchange_strong(&early_blocks[i], &expected, new))
			return true;
	}
	return false;
}

static void
widen_early(uint64_t p)
{
	uint64_t begin = space.early_begin, end = begin + space.early_length;

	if (!space.early_length || p < begin)
		space.early_begin = p;
	space.early_length = (space.early_length && end > p ? end : p + 1) - space.early_begin;
}

void *
faults_uncounted(void *p)
{
	if (p)
		widen_early((uintptr_t)p);
	space.early += p && (are_too_many() || !replace_early(NULL, p));
	return p;
}

/* Was it handed out then? It is forgotten, as it is given back. */
OUT_OF_THE_WAY bool
faults_was_uncounted(void *p)
{
	return p && !are_too_many() && replace_early(p, NULL);
}

/* Does a record with these bits, of a block of SIZE bytes at P, name a producer that there is? */
static bool
is_of_producer(const void *p, uint64_t record, size_t size)
{
	return (producer_in(record) & (PATHS_SAMPLED - 1)) < nr_producers &&
	       (is_known_by(p, record, size, space.known) ||
		(space.generation && blocks_is_inherited(p, record, size)));
}

/* Suppose that only the size before P was overwritten: is its record that of some size that glibc
 * has such a block for? */
static bool
is_of_some_size(const void *p, const uint64_t *record, size_t usable)
{
	enum { MOST_MORE = 32 };

	for (size_t more = 0; usable >= next.long_usable && more < MOST_MORE; more++)
		if (is_of_producer(p, *record, usable - 16 - more))
			return true;
	return false;
}

/* Has libc put the block among its free ones? It writes the size behind it, and says so in the
 * word of the block that follows. Also asked of what may be no block: does what follows look like
 * one? */
enum neighbour { NEIGHBOUR_NONE, NEIGHBOUR_OF_FREE, NEIGHBOUR_OF_USED };
static enum neighbour
neighbour_of(const void *p, const uint64_t *record)
{
	enum { USED = 1, MAPPED = 2, FLAGS = 7, LEAST = 16, BITS = 44 };
	const uint64_t *behind = record + 1;
	uint64_t word = ((const uint64_t *)p)[-1];

	if (next.tells_size)
		return NEIGHBOUR_NONE;
	if (word & MAPPED)
		return (uintptr_t)p % RAW_PAGE == 16 && (uintptr_t)behind % RAW_PAGE == 0
			       ? NEIGHBOUR_OF_USED : NEIGHBOUR_NONE;
	if (crosses_page(record, behind) && !is_seen((uintptr_t)behind))
		return NEIGHBOUR_NONE;
	if (*behind & (8 | MAPPED) || (*behind & ~(uint64_t)FLAGS) < LEAST || *behind >> BITS)
		return NEIGHBOUR_NONE;
	if (*behind & USED)
		return NEIGHBOUR_OF_USED;
	return *record == (word & ~(uint64_t)FLAGS) ? NEIGHBOUR_OF_FREE : NEIGHBOUR_NONE;
}

/* What is wrong with P, which has no record? *PRODUCER: whose it was; 0: that is not known. */
static OUT_OF_THE_WAY enum raw_space_fault
fault_of(void *p, uint32_t *producer)
{
	size_t usable = usable_if_block(p), size;
	uint64_t *record = (uint64_t *)((char *)p + usable) - 1, before;
	enum neighbour neighbour;

	*producer = 0;
	if ((uintptr_t)p & (next.tells_size ? 7 : 15)) /* the others' may have 8 bytes */
		return RAW_SPACE_NO_BLOCK;
	if (!usable || (crosses_page(p, record) &&
			!(is_seen((uintptr_t)(record - 1)) && is_seen((uintptr_t)record))))
		return RAW_SPACE_UNKNOWN;
	before = *record ^ GIVEN_BACK;
	size = usable >= next.long_usable ? record[-1]
					  : usable - 8 - slack_in(before);
	if (size <= usable && is_of_producer(p, before, size)) {
		*producer = producer_in(before) & (PATHS_SAMPLED - 1);
		return RAW_SPACE_TWICE;
	}
	if (is_of_some_size(p, record, usable)) {
		*producer = producer_in(*record) & (PATHS_SAMPLED - 1);
		return RAW_SPACE_OVERWRITTEN;
	}
	neighbour = neighbour_of(p, record);
	return neighbour == NEIGHBOUR_OF_FREE ? RAW_SPACE_TWICE
	       : neighbour == NEIGHBOUR_OF_USED ? RAW_SPACE_OVERWRITTEN : RAW_SPACE_UNKNOWN;
}

OUT_OF_THE_WAY void
faults_note(void *p, const uint64_t *frame)
{
	uint32_t producer;
	enum raw_space_fault fault;

	if (faults_was_uncounted(p))
		return;
	fault = fault_of(p, &producer);
	tables_note_fault(frame, fault, producer);
}

/* ---- where nothing is ---- */

extern HIDDEN const struct read_in_list __start_cgview_space_reads[];
extern HIDDEN const struct read_in_list __stop_cgview_space_reads[];

void
faults_signalled(const siginfo_t *info, const ucontext_t *context)
{
	const greg_t *regs = context->uc_mcontext.gregs;
	const struct read_in_list *r = __start_cgview_space_reads;
	const void *block = (const char *)info->si_addr + 8;

	while (r < __stop_cgview_space_reads && (greg_t)(uintptr_t)r + r->pc != regs[REG_RIP])
		r++;
	if (r < __stop_cgview_space_reads)
		tables_note_fault((const uint64_t *)regs[r->frame],
				  blocks_is_noted_gone(block) ? RAW_SPACE_TWICE
							      : RAW_SPACE_NO_BLOCK,
				  0);
}
