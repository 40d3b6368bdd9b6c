/* Inside live*.c only: what is known of programs that are looked at. */
#ifndef CGVIEW_COLLECT_LIVE_STATE_H
#define CGVIEW_COLLECT_LIVE_STATE_H

#include "collect/import/counts/names.h"
#include "collect/import/counts/targets.h"
#include "collect/import/live/live.h"
#include "collect/import/modules.h"
#include "collect/import/samples/spans.h"
#include "db/store/overlay.h"

/* A timer's sample that fell into the kernel is in TIMER, too. */
enum ticks { TIMER, TIMER_IN_KERNEL, EVENT, NR_TICKS };

struct live_compiled {             /* a procedure in one unit */
	uint64_t calls, followed;  /* followed: what entries_find() told */
	size_t first_slot;         /* of its blocks */
	bool lacking, lacks;       /* calls of it; anything */
};

struct live_slot {                 /* a block in one unit */
	uint64_t count;
	model_id block;
	uint32_t next;             /* of the same block in another unit; number + 1, 0 none */
	bool lacking;
};

struct live_module {               /* as the module of the same number */
	uint64_t *counters, *lacking; /* at the last look */
	struct live_compiled **units; /* per unit and procedure, at the last look */
	model_id *symbols;         /* the procedure of each symbol; NOT_ASKED */
};

struct live_counted {              /* as the model's procedures */
	uint64_t calls;
	uint64_t ticks[NR_TICKS];  /* ns that the samples stand for */
	uint64_t below[NR_TICKS];  /* the same with all that it calls, once a stack */
	uint64_t stack;            /* the last one that it was found in */
	unsigned lacking;          /* so many of its compilations do */
};

struct live_part {                 /* an extent with samples */
	uint64_t offset, done;     /* bytes of it that were read */
	struct spans spans;        /* its items are not kept */
};

struct live_file {
	struct live_part *parts;
	size_t nr_parts, parts_alloc;
	bool owned;                /* its owner is known */
};

struct live_thread {               /* a record of a thread, and of those that used it before */
	size_t file;               /* number of that */
	uint64_t offset, number;   /* of its part, and in that */
	struct raw_thread now;     /* at the last look */
};

struct live_space {                /* of a procedure, at this look */
	uint64_t blocks, bytes, freed_blocks, freed_bytes;
};

/* Calls that a site through pointers is known to have made. */
struct live_noted { model_id site, callee; uint64_t count; };

struct live_sampled;
void live_sampled_free(struct live_sampled *s); /* NULL is nothing */
/* The tables are shown as they are: reads the texts of their sources. Returns whether those that
 * were shown last want to be made again. */
void live_sampled_shown(struct live *l);
bool live_sampled_has_more(struct live *l);
/* Returns the line of a block, both from 0. The slot of a block's number is its time. */
uint32_t live_sampled_line(const struct live *l, size_t block);
/* Makes rows of the procedures of the model that have none. */
void live_add_rows(struct live *l);
void live_add_problem(struct live *l, const char *text);

struct live {
	struct model m;
	struct sources sources;
	struct builder builder;
	struct owners owners;
	struct names names;
	struct module *modules;
	struct live_module *of;
	size_t nr_modules;
	size_t nr_named;           /* modules that NAMES knows */
	struct counts_room counts;
	struct lacking_room lacking;
	struct targets targets;
	struct live_noted *noted;  /* by site and callee */
	size_t nr_noted, noted_alloc;
	struct live_slot *slots;
	uint32_t *first_slots;     /* per block of the model: number + 1 */
	size_t nr_slots, slots_alloc, first_slots_alloc, nr_slotted; /* blocks with first_slots */
	struct live_counted *counted;
	size_t counted_alloc;
	struct live_procedure *rows;
	size_t nr_rows, rows_alloc;
	struct live_sums sums;
	struct live_file *files;
	size_t nr_files, files_alloc;
	struct live_thread *threads; /* new ones are added behind */
	size_t nr_threads, threads_alloc, next_thread; /* next: that the look comes to */
	struct span *spans;        /* room */
	size_t spans_alloc;
	struct live_space *space;  /* by id of the procedure; nr_space may be less than there are */
	size_t nr_space, space_alloc;
	unsigned space_slots[NR_OVERLAY_SPACE]; /* of the measures */
	struct live_memory others; /* of code without procedures */
	bool has_space;            /* allocations are counted */
	uint64_t ticks[NR_TICKS], events; /* of all, and samples of the event */
	uint64_t stacks;           /* how many were read */
	struct live_sampled *sampled; /* NULL: they are not looked at by samples */
	char **problems;
	size_t nr_problems, problems_alloc, next_problem;
};

/* Which procedure has the code at ADDRESS (link-time) of MODULE; 0: none. */
model_id live_procedure_at(struct live *l, size_t module, uint64_t address);

#endif
