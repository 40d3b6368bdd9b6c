/* From one frame to its caller by the call frame information (.eh_frame) that the compiler wrote:
 * right at every instruction, in procedures without frame pointer, in libraries, through signal
 * handlers. DWARF 5, section 6.4; Linux Standard Base, "Exception Frames". Async-signal-safe. */
#ifndef CGVIEW_RUNTIME_UNWIND_H
#define CGVIEW_RUNTIME_UNWIND_H

#include "runtime.h"

enum { REG_FP = 6, REG_SP = 7, REG_RA = 16, NR_REGS = 17 }; /* DWARF's numbers */

struct frame {
	uint64_t regs[NR_REGS]; /* regs[REG_RA] is the pc */
	uint32_t known;		/* bit per register */
	bool is_return;		/* the pc is a return address: the call lies before it */
	uintptr_t lo, hi;	/* stack that may be read */
};

enum unwind_result { UNWIND_OK, UNWIND_END, UNWIND_UNKNOWN };

/* Note the objects that are loaded now. Not async-signal-safe; the lock is held. */
HIDDEN void unwind_note_objects(void);
/* While an object is being unloaded nothing of it is looked at; returns when nobody does. */
HIDDEN void unwind_suspend(void);
HIDDEN void unwind_resume(void);
/* Around all looking at frames. False: nothing may be looked up, no text be read but that of the
 * first module, which is never unloaded. unwind_leave() in any case. */
HIDDEN bool unwind_enter(void);
HIDDEN void unwind_leave(void);
HIDDEN void unwind_after_fork(void); /* in the child, where other threads are no more */

/* F becomes its caller's frame. UNWIND_END: it has none. UNWIND_UNKNOWN: nothing is known about
 * this pc, or the stack makes no sense; F is unchanged. */
HIDDEN enum unwind_result unwind_step(struct frame *f);

#endif
