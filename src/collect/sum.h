/* The sum file: many raw profiles added up (cgview reduce). Described for users in docs/formats.md;
 * why it is so: docs/design/many.md.
 *
 * A head page, then members, each of which is a raw profile (collect/raw.h) that tells of several
 * processes: one for each program, and one for each process that was kept alone. Its modules stand
 * where none of them could: the n-th thing that has addresses, module or library, from
 * (n + 1) << SUM_PLACE on. It has no samples but stacks (SUM_STACKS), and no threads but SUM_FACTS.
 * Behind the members stand three tables, or four. Equal inputs give equal bytes, in whatever
 * order. */
#ifndef CGVIEW_COLLECT_SUM_H
#define CGVIEW_COLLECT_SUM_H

#include <stdint.h>

#include "collect/raw.h"

#define SUM_MAGIC "cgviewS1"
enum { SUM_VERSION = 2, SUM_PLACE = 36, SUM_MOST_PLACES = 4000 };
enum { SUM_WITHOUT_SPREADS = 1 };  /* the version of a sum that has none */
#define SUM_KEEP_ALL UINT64_MAX

struct sum_section { uint64_t offset, length; uint32_t checksum, reserved; }; /* bytes */

struct sum_head {                  /* the rest of its page is 0 */
	char magic[8];
	uint32_t version;
	uint32_t checksum;         /* raw_checksum() of all that follows of this struct */
	uint32_t raw_version;      /* of the members */
	uint32_t reserved;
	uint64_t keep;             /* the first KEEP processes have a member each */
	struct sum_section members;   /* struct sum_section[]; those that were kept come last */
	struct sum_section processes; /* struct sum_process[], in their order */
	struct sum_section texts;     /* each ends in NUL; the first one is empty */
	/* From version 2 on: struct sum_spread[], each with its rows behind it. */
	struct sum_section spreads;
};

/* A raw profile that was added. Their order: job, rank, host, pid, start, id. */
struct sum_process {
	uint64_t id;               /* rawfile_id() */
	uint64_t started_ns;
	uint32_t pid;
	int32_t rank;              /* -1: none */
	uint32_t host, job;        /* where they begin in the texts */
	uint32_t uid;              /* owner of the file */
	uint32_t member;
};

/* Kinds of extents that members have besides those of enum raw_kind. */
enum sum_kind {
	SUM_FACTS = 64, /* data: struct sum_facts */
	SUM_STACKS,	/* data: struct sum_stack, each with its frames behind it */
	SUM_SPACE = 76, /* data: struct sum_space, if allocations were to be counted */
	SUM_KINDS
};

/* In place of an address: of a target that belongs to nothing known; of a site, or a target, where
 * several modules have been. */
enum { SUM_UNKNOWN = 1, SUM_SEVERAL = 2 };

/* Sums over the processes of a member, if it is not said otherwise. Short ones have too few samples
 * to tell what each of them stands for (samples/short_runs.h). */
struct sum_facts {
	uint64_t files;            /* raw profiles */
	uint64_t processes, threads; /* all of them, children too */
	uint64_t cpu_ns, samples, lost_samples, wait_ns, delay_ns;
	uint64_t long_ns;          /* the time of those samples that no short process has */
	uint64_t long_squares[2];  /* of the times of these samples; low and high word */
	uint64_t short_cpu_ns, short_asked_ns; /* asked: samples times the interval asked for */
	uint64_t short_squares[2]; /* as if that were their time */
	uint64_t by_event, by_timers; /* raw profiles whose time was sampled so */
	uint64_t least_period_ns, most_period_ns; /* of what sampled; 0: nothing did */
	uint64_t cut, ends, copies_cut, guessed; /* samples, as struct sample_faults has them */
	uint64_t sampled_events;   /* bits: sources of which not each event was noted */
	uint64_t left_space;       /* raw profiles whose allocations were left out (--since) */
};

/* Of the allocations of its processes; what they are of stands in extents as those of raw profiles,
 * which are of one slot. No moments and no call paths are there. */
struct sum_space {
	uint64_t states[RAW_SPACE_STATES]; /* raw profiles, by enum raw_space_state */
	uint64_t early, lost;      /* as struct raw_space has them */
	uint64_t killed;           /* threads of those that did not come to their end */
};

enum sum_stack_flags {
	SUM_STACK_WALKED = 1,      /* no caller was guessed, in one of its samples at least */
	SUM_STACK_EVENT = 2,       /* of events, whose source is above SUM_SOURCE_SHIFT */
	SUM_SOURCE_SHIFT = 8,
};

struct sum_stack {
	uint32_t nr_frames, flags; /* enum sum_stack_flags */
	uint64_t centre;           /* as RAW_CENTRE tells it; 0: none */
	uint64_t samples;
	uint64_t long_ns;          /* time of those samples that no short process has */
	uint64_t short_ns;         /* of the others, as if the intervals asked for were true */
	uint64_t wait_ns, events;
	uint64_t used;             /* bytes of the thread's stack, the most; 0: not known */
};

/* How evenly processes have what each procedure of a program, or of a library, did. Procedures are
 * numbered from 0 on, in the order of the program's tables, those of one name and place once.
 * Processes are numbers in the table of them. */
enum sum_spread_figure {
	SUM_SPREAD_SELF,           /* self time, ns */
	SUM_SPREAD_CALLS, SUM_SPREAD_WORK, /* work: executions of its blocks */
	SUM_SPREAD_FIGURES
};
enum { SUM_MOST_PROCEDURES = 1 << 22 };

struct sum_spread {
	uint32_t path;             /* the program's: where it begins in the texts */
	uint32_t build_id_length;
	uint8_t build_id[64];
	uint64_t hash;             /* of its procedures */
	uint64_t processes;        /* whose figures are known, also those that are 0 */
	uint32_t first;            /* of them, in their order */
	uint32_t nr_procedures;
	uint64_t nr_rows;
};

struct sum_spread_row {            /* sorted; a figure without a row is 0 in all of them */
	uint32_t procedure, figure;
	uint64_t some;             /* processes in which it is not 0 */
	uint64_t sum, least, most;
	uint64_t squares[2];       /* their sum; low and high word */
	uint32_t least_at, most_at; /* process; of equal ones the first */
};

#endif
