/* Between the runtime and the library that record --space preloads (space/). The library stands
 * before the program's malloc() and its kin; the runtime finds it when it starts, and each lends
 * the other what it cannot do by itself. */
#ifndef CGVIEW_RUNTIME_SPACE_HOST_H
#define CGVIEW_RUNTIME_SPACE_HOST_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

#include "collect/raw.h"

/* A call of an allocator: where it returns to, and the stack and frame pointers there. */
struct space_call {
	uint64_t pc, sp, fp;
};

/* A call on the way from a wrapper of an allocator (xmalloc) out to who wants the block. */
struct space_link {
	uint64_t pc, sp, fp; /* as of space_call; FP 0: not known */
	bool next;	     /* there is no frame between it and the link before */
};
enum { SPACE_LINKS = 16 };

/* Programs and library may be of different releases: grows with each change of what stands here. */
enum { SPACE_VERSION = 10 };

/* What the runtime lends. All of it may be called at any time, and keeps nobody waiting. */
struct space_host {
	uint64_t version;
	/* The number of the calling thread's copy of the counters; -1: it has none. */
	int (*slot)(void);
	/* A part of the raw file of this kind with LENGTH bytes for figures of SLOT; in a child of
	 * fork it may be one that a dead child has left. *WHERE: where its data are in the file.
	 * NULL: there is no room. */
	struct raw_extent *(*room)(enum raw_kind kind, int slot, uint64_t length, uint64_t *where);
	/* A part of the raw file for LENGTH bytes of moments; NULL: there is no room. */
	struct raw_extent *(*series)(uint64_t length);
	void (*drop)(struct raw_extent *extent);
	/* SIZE bytes of zeros, for good; NULL: there are none, or the kernel must not be asked. */
	void *(*memory)(uint64_t size);
	/* Which module counts the code at PC, by its number in the raw file; 0: none does. */
	uint32_t (*module)(uint64_t pc);
	/* Finds the innermost call in counted code, from CALL outwards; as long as that is in a
	 * wrapper, then the next one further out. Returns how many; 0: there is none, or it cannot
	 * be found. */
	uint32_t (*counted)(const struct space_call *call, struct space_link links[SPACE_LINKS]);
	/* Does the call in counted code that returns to PC stand in a wrapper? */
	bool (*wraps)(uint64_t pc);
	/* Sets the times of a moment, and what is resident; false: the kernel must not be asked. */
	bool (*now)(struct raw_moment *moment);
	struct raw_space *facts; /* in the raw file, of all its processes */
	/* Stores who called the allocator by CALL, with the rest of WHAT. Returns what was stored,
	 * which stays there; NULL: there is no room. */
	struct raw_sample *(*path)(const struct space_call *call, const struct raw_sample *what,
				   uint64_t cell);
	/* Of these: bytes from one to the next, 0: none is wanted; and what their distances begin
	 * with. */
	uint64_t every, seed;
	bool times; /* are lifetimes to be told in time, too? */
	/* Has the program a handler of a signal that may come at any time? It stays so. */
	const _Atomic bool *handles;
	/* Blocks those signals, and sets what was blocked before; false: the kernel must not be
	 * asked. */
	bool (*hold)(uint64_t *mask);
	void (*let_go)(uint64_t mask);
};

/* What a call of a pool's procedure (alloc=, free=, pool= of cgcc) did. */
enum space_pool_event {
	SPACE_POOL_COUNTED, /* it returned BLOCK (NULL: none), whose end nobody will see */
	SPACE_POOL_MADE,    /* it returned BLOCK in place of OLD: it ends with POOL, or by itself */
	SPACE_POOL_GONE,    /* it gave back BLOCK, or all of the pool at that address */
	SPACE_POOL_CUT,     /* ... BLOCK and what POOL gave out later; BLOCK NULL: all of POOL */
	SPACE_POOL_HELD     /* BLOCK is a pool that ends with POOL from now on (SIZE: it is a block
			     * as well, and ends as a block does) */
};
struct space_pool {
	enum space_pool_event event;
	const void *block;
	uint64_t size;
	const void *pool, *old; /* MADE; NULL: it has none, there was none */
};

/* What the library lends. */
struct space_guest {
	void (*moved)(void);  /* other code may stand now where there was some */
	void (*forked)(void); /* in the child, which has no thread but the calling one */
	void (*ended)(void);  /* the process is about to end */
	/* FRAME: of the procedure that the program has called with it. */
	void (*pool)(const uint64_t *frame, const struct space_pool *what);
	/* The calling thread has got this SIGSEGV, which is the program's. */
	void (*signalled)(const siginfo_t *info, const ucontext_t *context);
};

/* Returns 0 and *GUEST when allocations are counted from now on; else why they are not. */
typedef enum raw_space_state space_attach_function(const struct space_host *host,
						   struct space_guest *guest);
#define SPACE_ATTACH "__cgview_space_attach"

#endif
