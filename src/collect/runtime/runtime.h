/* The runtime: what is linked into a profiled program. Nothing but libc, no malloc, no stdio.
 *
 * Counters. A module's own counters (section cgview_cnt) are only used before the runtime starts.
 * Each thread has a slot; a slot has a displacement D, and for each module a shared mapping of the
 * raw file at (address of the module's counters + D). The thread's %gs base is D, and the code says
 * `addq $1, %gs:counter(%rip)`. So counts are in the file at once, threads do not share counters,
 * and with %gs = 0 (before the start, in a program whose raw file could not be made) all still
 * works.
 */
#ifndef CGVIEW_RUNTIME_H
#define CGVIEW_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collect/raw.h"

#define HIDDEN	 __attribute__((visibility("hidden")))
#define EXPORTED __attribute__((visibility("default")))

enum { MAX_MODULES = 1024, MAX_SLOTS = 16384 };

/* A closed library keeps its place and its copies: it is mostly opened again where it was. */
enum module_state { MODULE_UNUSED, MODULE_LIVE, MODULE_CLOSED };

struct module {
	uint64_t *counters;
	uint64_t nr_counters;
	uint64_t load_bias, text_start, text_end;
	unsigned char build_id[32];
	uint32_t build_id_length;
	uint32_t number; /* in the file */
	enum module_state state;
};

#define FOR_EACH_MODULE(i)                                                                         \
	for ((i) = 0; (i) < runtime.nr_modules; (i)++)                                             \
		if (runtime.modules[i].state != MODULE_UNUSED)

enum slot_state { SLOT_NEVER, SLOT_FREE, SLOT_USED, SLOT_ENDING };

struct slot {
	enum slot_state state;
	pid_t tid;
	intptr_t displacement;
	uintptr_t stack_lo, stack_hi;	       /* where frames may be read; 0, 0: unknown */
	int timer;			       /* kernel id, -1 none */
	struct raw_thread *record;	       /* in the file */
	struct raw_extent *samples;	       /* the chunk being filled, NULL none yet */
	struct raw_target *_Atomic targets[2]; /* tables, see targets.c; NULL none yet */
	bool no_targets;		       /* there was no room for a table */
	void *(*start)(void *);		       /* what the thread is to run */
	void *argument;
	uintptr_t wanted_stack; /* bytes, from the creator */
};

/* Everything there is once. */
struct runtime {
	bool active;
	int fd;
	dev_t device;
	ino_t inode;
	char path[4096];
	struct raw_head *head;
	struct module modules[MAX_MODULES];
	_Atomic uint32_t nr_modules;
	struct slot slots[MAX_SLOTS];
	uint32_t nr_slots, next_module_number;
	intptr_t next_displacement; /* 0: begin with the first of DISPLACEMENT_WAY */
	uint32_t displacement_way;  /* in which displacements are looked for: slots.c */
	long interval_ns;
	bool can_set_gs;
	struct raw_extent *threads; /* table of raw_thread being filled */
};
extern HIDDEN struct runtime runtime;

/* ---- core.c ---- */
HIDDEN void runtime_start(int argc, char **argv, char **envp);
/* Note all modules that are loaded and not yet known. Called by each module's constructor. */
EXPORTED void __cgview_register(void);
/* Something may have been unloaded: forget the modules that are gone. */
HIDDEN void runtime_closed(void);
HIDDEN void runtime_lock(void);
HIDDEN void runtime_unlock(void);
/* A new extent of KIND with room for DATA_LENGTH bytes beginning OFFSET bytes into its data pages.
 * Its data pages are mapped at ADDRESS (a page; NULL: anywhere); the head only if MAP_HEAD (then it
 * is returned with the data behind it). NULL: no room, or ADDRESS is taken. Async-signal-safe. */
struct extent_request {
	enum raw_kind kind;
	uint64_t data_length, offset;
	void *address;
	bool map_head;
	uint32_t module, slot;
	uint64_t load_bias, counters, nr_counters, text_start, text_end;
	uint32_t build_id_length;
};
HIDDEN struct raw_extent *extent_new(const struct extent_request *request);
HIDDEN void complain(const char *what, int error);
/* mmap(2) and munmap(2), past whatever a sanitizer has put in their place. */
HIDDEN void *sys_mmap(void *address, size_t length, int protection, int flags, int fd,
		      off_t offset);
HIDDEN void sys_munmap(void *address, size_t length);

/* ---- slots.c ---- */
HIDDEN struct slot *slot_take(void); /* with counters mapped for all modules; NULL: none left */
HIDDEN void
slot_enter(struct slot *s); /* the calling thread counts and is sampled there from now on */
HIDDEN void slot_leave(struct slot *s);	 /* the calling thread ends */
HIDDEN void slot_cancel(struct slot *s); /* it was taken but its thread was not started */
HIDDEN void slot_move_own_counts(const struct module *m, const struct slot *s);
HIDDEN bool slots_map_module(uint32_t module);	 /* new module: a copy for each slot in use */
HIDDEN void slots_unmap_module(uint32_t module); /* it is gone, so are its copies */
HIDDEN void slots_after_fork(void);		 /* in the child */
HIDDEN struct slot *slot_self(void);
HIDDEN void slots_give_up(void); /* one slot for all: counts may be low */

/* ---- sample.c ---- */
HIDDEN void sampling_install(void);
HIDDEN void sampling_start(struct slot *s);
HIDDEN void sampling_stop(struct slot *s);

/* The calling thread's cost centre, 0 none; NULL: nothing that is loaded keeps any. */
extern HIDDEN uint64_t (*centre_read)(void);

/* ---- centre.c ---- */
extern EXPORTED __thread uint64_t __cgview_current
	__attribute__((tls_model("initial-exec"))); /* address of a procedure's first counter */
HIDDEN void centre_install(void);

/* ---- targets.c ---- */
/* The code calls this before each call through a pointer that it was told to note. WORDS: the call
 * site's two in the module's own counters. Async-signal-safe. */
EXPORTED void __cgview_target(uint64_t *words, const void *target);
HIDDEN void targets_forget(struct slot *s); /* after fork: its thread is not in this process */
HIDDEN void targets_renew(struct slot *s);  /* after fork: it is, and counts anew */

/* ---- thread.c ---- */
typedef int create_function(void *thread, const void *attr, void *(*start)(void *), void *arg);
HIDDEN int thread_create(create_function *create, void *thread, const void *attr,
			 void *(*start)(void *), void *arg);

static inline uintptr_t
page_down(uintptr_t a)
{
	return a & ~(uintptr_t)(RAW_PAGE - 1);
}

static inline uintptr_t
page_up(uintptr_t a)
{
	return page_down(a + RAW_PAGE - 1);
}

#endif
