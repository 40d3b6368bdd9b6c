/* The stacks that the program has its signals handled on. The handler of samples runs there, too,
 * also on top of one of the program's own, and the kernel looks only whether its own frame fits: a
 * stack that is just large enough for the program would be too small, and what lies below it be
 * overwritten. So where a thread asks for a small one the kernel gets a larger one of ours, and the
 * thread is told what it has set. */
#include "runtime.h"

#include <sys/auxv.h>
#include <sys/mman.h>

#include "unwind.h"

/* Of ours, in bytes; what a sample may need, above what the kernel stores; and of fewer bytes the
 * kernel takes none. */
enum { LARGE = 64 * 1024, SAMPLE = 4 * 1024, LEAST = 2048 };

/* Has the program room on STACK for a handler of its own, but perhaps not for a sample as well? One
 * that is taken away while it is used has none of our samples on it. */
static bool
is_small(const stack_t *stack)
{
	const unsigned int disarms = 1u << 31;
	unsigned long frame = getauxval(AT_MINSIGSTKSZ);

	if (frame < LEAST)
		frame = LEAST;
	return !((unsigned int)stack->ss_flags & (SS_DISABLE | disarms)) &&
	       stack->ss_size >= LEAST && stack->ss_size < 2 * frame + 2 * SAMPLE &&
	       stack->ss_size + frame + SAMPLE <= LARGE;
}

/* The stack of a slot stays where it is: the next thread there may have it. NULL: there is none. */
static void *
large_stack(struct slot *s)
{
	void *p;

	if (s && !s->signal_stack) {
		p = sys_mmap(NULL, LARGE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		s->signal_stack = p == MAP_FAILED ? NULL : p;
	}
	return s ? s->signal_stack : NULL;
}

/* Is what the program wants of its stack at STACK, and may it be looked at? */
static bool
is_there(const stack_t *stack)
{
	return stack && !runtime_closed() && unwind_readable((uintptr_t)stack) &&
	       unwind_readable((uintptr_t)(stack + 1) - sizeof(uint64_t));
}

/* STACK and OLD may be the same, or lead nowhere, which the kernel tells. */
int
altstack_set(const stack_t *stack, stack_t *old)
{
	struct slot *s = sample_signal ? slot_self() : NULL;
	stack_t mine = {.ss_sp = NULL}, set = mine, before = s ? s->wanted_signal_stack : mine;

	if (is_there(stack))
		set = *stack;
	if (is_small(&set))
		mine = (stack_t){large_stack(s), set.ss_flags, LARGE};
	if (kernel(SYS_sigaltstack, mine.ss_sp ? &mine : stack, old) < 0)
		return -1;
	if (s && stack)
		s->wanted_signal_stack = mine.ss_sp ? set : (stack_t){.ss_sp = NULL};
	if (old && before.ss_sp && !(old->ss_flags & SS_DISABLE)) {
		old->ss_sp = before.ss_sp;
		old->ss_size = before.ss_size;
	}
	return 0;
}
