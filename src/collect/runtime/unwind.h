/* From one frame to its caller by the call frame information (.eh_frame) that the compiler wrote:
 * right at every instruction, in procedures without frame pointer, in libraries, through signal
 * handlers. DWARF 5, section 6.4; Linux Standard Base, "Exception Frames". Async-signal-safe. */
#ifndef CGVIEW_RUNTIME_UNWIND_H
#define CGVIEW_RUNTIME_UNWIND_H

#include "runtime.h"

enum {
	REG_AX = 0,
	REG_BX = 3,
	REG_FP = 6,
	REG_SP = 7,
	REG_RA = 16,
	NR_REGS = 17
}; /* DWARF's numbers */

struct frame {
	uint64_t regs[NR_REGS]; /* regs[REG_RA] is the pc */
	uint32_t known;		/* bit per register */
	bool is_return;		/* the pc is a return address: the call lies before it */
	bool all;		/* what unwind_enter() said */
	bool throwing;		/* called what throws an exception (__builtin_eh_return) */
	bool probe;		/* not on the thread's own stack: ask the kernel about each page */
	uintptr_t lo, hi;	/* stack that may be read */
	uintptr_t thread_lo, thread_hi; /* the thread's own stack */
	intptr_t moved;			/* a word of it is read at its address + this: a copy */
};

enum unwind_result { UNWIND_OK, UNWIND_END, UNWIND_UNKNOWN };

/* Note the objects that are loaded and stay: all of them AT_PROGRAM_START, else only the program
 * itself. Not async-signal-safe; once. */
HIDDEN void unwind_start(bool at_program_start);
/* Other code may stand now where something was unloaded. */
HIDDEN void unwind_forget(void);
/* Around the unloading of an object. The first waits until no thread reads in it. */
HIDDEN void unwind_suspend(void);
HIDDEN void unwind_resume(void);
HIDDEN void unwind_after_fork(void); /* in the child: the other threads are gone */

/* Around a walk: true, nothing is unloaded until unwind_leave(); false, something is being unloaded
 * now: only what stays may be looked at, and unwind_leave() is not called. */
HIDDEN bool unwind_enter(void);
HIDDEN void unwind_leave(void);

/* Which stack the frame is on, by its stack pointer: sets probe, lo, hi. */
HIDDEN void unwind_find_stack(struct frame *f);

/* The word at ADDRESS of the stack. False: it may not be read. */
HIDDEN bool unwind_load(struct frame *f, uint64_t address, uint64_t *value);

/* May the page of ADDRESS be read? The kernel is asked. */
HIDDEN bool unwind_readable(uintptr_t address);
/* May the instructions at PC be read? */
HIDDEN bool unwind_can_read_code(const struct frame *f, uint64_t pc);

/* F becomes its caller's frame. UNWIND_END: it has none. UNWIND_UNKNOWN: nothing is known about
 * this pc, or the stack makes no sense; F is unchanged but for the bounds of what was probed. */
HIDDEN enum unwind_result unwind_step(struct frame *f);
/* The same in a twentieth of the time, where that was worked out before and all of it is on the
 * part of the stack that may be read. False: nothing is done, ask unwind_step(). */
HIDDEN bool unwind_step_known(struct frame *f);

/* Where the procedure that PC is in begins. */
HIDDEN bool unwind_procedure(const struct frame *f, uint64_t pc, uint64_t *begin);

/* ---- sample.c: a whole stack ---- */
struct walk {
	uint64_t *frames; /* room for RAW_MAX_FRAMES */
	unsigned nr, steps;
	unsigned most;	  /* steps, then the outer frames stay unknown; 0: as many as there are */
	unsigned scanned; /* words that were searched for a return address */
	bool guessed;
};
/* Note the addresses from F outwards; F is used up. Between unwind_enter() and unwind_leave(). */
HIDDEN void walk_stack(struct walk *w, struct frame *f);

/* Stores a path of the calling thread, S: where FRAME is, which is used up, and who called; the
 * rest as in WHAT. Returns where it is for as long as the process lives; NULL: there is no room. No
 * signal's handler may call it. */
struct raw_sample;
HIDDEN struct raw_sample *sample_store_path(struct slot *s, struct frame *frame,
					    const struct raw_sample *what, uint64_t cell);

/* ---- prologue.c ---- */
/* F lacks nothing but the frame pointer that its procedure works with: find it by how the procedure
 * begins. False: it cannot be told. */
HIDDEN bool find_frame_pointer(struct frame *f);

/* Does the procedure at BEGIN push the frame pointer first? Then its caller's is just
 * below the return address. */
HIDDEN bool pushes_frame_pointer(uint64_t begin);

#endif
