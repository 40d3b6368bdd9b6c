/* The raw profile: what a program leaves while it runs. Shared by the runtime (which writes it with
 * nothing but libc) and by the importer. Described for users in cgview-raw(5).
 *
 * The file is a head page followed by extents. Every extent begins at a multiple of RAW_PAGE, with
 * its head; its data begin behind that, or in the next page. Extents are handed out by an atomic
 * add to raw_head.end, so several processes (fork) and threads append to one file without a lock.
 * A process killed between the add and the writing of the extent's head leaves a hole: a reader
 * that finds no valid extent head at a page goes on with the next page. All numbers are in the
 * machine's byte order (x86-64: little endian).
 */
#ifndef CGVIEW_COLLECT_RAW_H
#define CGVIEW_COLLECT_RAW_H

#include <stddef.h>
#include <stdint.h>

#define RAW_MAGIC	 "cgview-r"
#define RAW_OLD_MAGIC	 "cgviewR1" /* before the format began anew */
#define RAW_VERSION	 1
#define RAW_PAGE	 4096
#define RAW_EXTENT_MAGIC 0x58454743u /* "CGEX" */

enum raw_head_flags {
	RAW_SHARED_COUNTERS = 1 << 0, /* some thread had to share counters: counts may be low */
	RAW_SANDBOXED = 1 << 1, /* no time, and no new threads, since it shut itself in */
	RAW_POINTERS = 1 << 2,	/* copies of the counters hold addresses of code */
	RAW_NO_ROOM = 1 << 3,	/* some child or library counts nowhere */
	RAW_NO_TIMER = 1 << 4,	/* some thread got no timer: its time is not sampled */
	RAW_SIGNAL_TAKEN = 1 << 5, /* the program has taken the sampling signal: part of the time
				    * is not sampled */
	/* These three tell about the kernel's event that samples time (RAW_CLOCK). */
	RAW_CLOCK_MISSING = 1 << 6, /* some thread has none */
	RAW_CLOCK_ENDED = 1 << 7,   /* the program needed its signal: none from then on */
	RAW_CLOCK_OFF = 1 << 8,	    /* nobody wants it */
	RAW_KERNEL_TOLD = 1 << 9,   /* samples of the timers say what was the kernel's */
	RAW_UNSEEN_PROCESS = 1 << 10, /* some process counted with another: RAW_THREAD_UNSEEN */
	RAW_CLOCK_RING = 1 << 11, /* the event's samples are the recorder's, added behind the run */
};
enum { RAW_CLOCK_ERROR = 32 }; /* the upper half of the flags: errno, why there is none at all */

struct raw_head {
	char magic[8];
	uint32_t version;
	uint32_t size;	      /* of this struct */
	uint32_t checksum;    /* raw_checksum() of bytes [static_begin, static_end) and the text */
	uint32_t text_length; /* bytes of text[] in use */
	/* fixed at the start (static_begin = offsetof(started_ns)) */
	uint64_t started_ns;	    /* CLOCK_REALTIME */
	uint64_t started_mono_ns;   /* CLOCK_MONOTONIC */
	uint64_t asked_interval_ns; /* of the sampling timer; 0: no sampling */
	uint32_t pid;
	uint32_t argc;
	/* changes while the program runs (static_end = offsetof(end)) */
	uint64_t end; /* bytes handed out; the file may be shorter if it was cut */
	uint32_t lost_samples;
	uint32_t clock_samples; /* taken by the kernel's event, RAW_CLOCK */
	uint64_t ended_ns; /* CLOCK_REALTIME at the end of the first process, 0 if it was killed */
	uint64_t flags;	   /* enum raw_head_flags */
	uint64_t threads;  /* where the newest table of threads for all processes begins, 0: none;
			    * for the writers only */
	uint32_t sample_cost_ns; /* that a sample of RAW_CLOCK takes of the time; 0: not known */
	uint32_t reserved;
	/* NUL-terminated strings, one behind the other: enum raw_text, then argc arguments. Cut off
	 * when they don't fit. */
	char text[RAW_PAGE - 104];
};

/* Each is there, but may be empty. Nothing can push the first five out: four of them are cut behind
 * RAW_TEXT_MOST bytes, the label behind RAW_LABEL_MOST. */
enum raw_text {
	RAW_TEXT_HOST,
	RAW_TEXT_RANK,	/* of a process of a parallel program, as its launcher told it */
	RAW_TEXT_RANKS, /* how many there are */
	RAW_TEXT_JOB,	/* the number that the batch system gave it */
	RAW_TEXT_LABEL, /* the user's */
	RAW_TEXT_PROGRAM,   /* absolute path */
	RAW_TEXT_DIRECTORY, /* in which it started */
	RAW_TEXTS
};
enum { RAW_TEXT_MOST = 64, RAW_LABEL_MOST = 255 };

enum raw_kind {
	RAW_MODULE = 1, /* data: path NUL, then build-id bytes (build_id_length) */
	RAW_COUNTERS,	/* data: uint64_t counters[] of one module in one slot */
	RAW_SAMPLES,	/* data: samples, one behind the other, `used` bytes of them */
	RAW_THREADS,	/* data: struct raw_thread[], `used` bytes of them */
	RAW_MAPS,	/* data: the executable lines of /proc/self/maps, `used` bytes */
	RAW_TARGETS,	/* data: struct raw_target[], a hash table; unused ones are 0 */
	RAW_SHARES,	/* data: struct raw_share[], `used` bytes of them */
	RAW_WALL,	/* data: struct raw_wall, when it was asked where threads wait */
	RAW_EVENTS,	/* data: struct raw_events, when events of the kernel were asked for */
	RAW_TARGET_ROOM, /* data: struct raw_target_room */
	RAW_SPACE,	/* data: struct raw_space, when allocations were to be counted */
	RAW_SPACE_CELLS, /* data: struct raw_space_cell[] of a slot, `used` bytes of them */
	RAW_SPACE_SERIES, /* data: moments, struct raw_moment, one behind the other, `used` bytes */
	RAW_SPACE_PAIRS, /* data: struct raw_space_pair[] of a slot, `used` bytes of them */
	/* 15 and 16 were of blocks that were watched. */
	RAW_SPACE_POOLS = 17, /* data: struct raw_space_pool[], `used` bytes of them */
};

struct raw_extent {
	uint32_t magic;
	uint32_t checksum; /* raw_checksum() of this head from `kind` up to and excluding `used` */
	uint32_t kind;	   /* enum raw_kind */
	uint32_t pid;	   /* process that wrote it */
	uint64_t length;   /* whole extent, a multiple of RAW_PAGE */
	uint64_t data_offset; /* from the begin of the extent */
	uint64_t data_length;
	uint32_t module;      /* MODULE, COUNTERS: number of the module: where its MODULE extent
			       * begins in the file, in pages */
	uint32_t slot;	      /* COUNTERS: which copy of the counters */
	uint64_t load_bias;   /* MODULE: run-time address minus link-time address */
	uint64_t counters;    /* MODULE: run-time address of the section cgview_cnt */
	uint64_t nr_counters; /* MODULE, COUNTERS */
	uint64_t text_start, text_end; /* MODULE: run-time executable range */
	uint32_t build_id_length;      /* MODULE */
	uint32_t reserved;
	uint64_t used; /* changes while the program runs */
};

struct raw_thread {
	uint32_t pid, tid;
	uint64_t started_ns; /* CLOCK_MONOTONIC */
	uint64_t cpu_ns;     /* thread CPU time when last seen (end of thread, or last sample) */
	uint64_t nr_samples; /* of time, by either clock */
	uint64_t lost_samples;
	/* When there are many threads or processes, those that come later go on in the records of
	 * those that have ended. */
	uint32_t owner;		 /* process that writes it */
	uint32_t more_threads;	 /* that have used it before, processes included */
	uint32_t more_processes; /* that have used it before */
	/* When somebody looks (RAW_WALL): */
	uint32_t delay_ms; /* able to run but without a processor */
	uint64_t wait_ns;  /* waiting in the kernel */
	uint32_t slot;	   /* which copy of the counters of its process it counts in */
	uint32_t flags;	   /* enum raw_thread_flags */
	char name[16]; /* as the kernel knew it when it was last seen, NUL-terminated */
	uint64_t start; /* run-time address of the procedure that it began with; 0: not known */
};

enum raw_thread_flags {
	/* All of a process that was made past the runtime: it counted in its creator's copy, at
	 * the same time, and none of its time was sampled. */
	RAW_THREAD_UNSEEN = 1 << 0,
};

/* An extent of a child process that later children go on with; for the writers only. */
struct raw_share {
	uint64_t offset; /* of the extent in the file */
	uint64_t key;	 /* tells extents of one kind apart */
	uint32_t kind;	 /* enum raw_kind; 0: not yet written */
	uint32_t owner;	 /* process that has it, or had it last */
	uint32_t nr_processes;
	uint32_t reserved;
};

/* A sample: this head, then nr_frames addresses: [0] is the pc, the others return addresses of the
 * callers, innermost first. Consecutive, 8-byte aligned. */
enum raw_sample_flags {
	RAW_STACK_CUT = 1 << 0, /* deeper than RAW_MAX_FRAMES: a 0 stands for what was left out */
	RAW_STACK_GUESS =
		1 << 1, /* pc in foreign code: its profiled caller was found by scanning */
	RAW_WAITING = 1 << 2, /* not a tick of CPU time: the thread waited here */
	/* No sample. In place of frames: the numbers of the modules that are loaded from here on,
	 * as one may stand now where another was. As many as fit. Before the first of these an
	 * address is that of the module that stood there first. */
	RAW_MODULES = 1 << 3,
	/* An event of the kernel, not a tick of CPU time: it happened at the pc, and stands for
	 * `amount` of them. Its source (events.h) is in the upper byte, which has none of
	 * the flags below. */
	RAW_EVENT = 1 << 4,
	/* It is a sample of time by the kernel's event. That and the timer sample the same time:
	 * for what the program did itself, only the samples of one of them count. */
	RAW_CLOCK = 1 << 5,
	/* A block of `amount` bytes was allocated, not a tick of CPU time: the first address is
	 * where the call of the allocator returns to. `cpu_ns`: how many bytes were allocated, on
	 * average, from one such sample to the next. */
	RAW_ALLOCATED = 1 << 6,
	/* One more word stands behind the frames: how many bytes of the thread's own stack were in
	 * use, from its first frame, or the environment, to the stack pointer. */
	RAW_STACK_USED = 1 << 7,
	RAW_ALLOCATED_FIRST = 1 << 8, /* not by chance, but as the first of its producer */
	RAW_ALLOCATED_FREED = 1 << 9, /* it has been given back; set meanwhile */
	/* By the timer: the kernel was at work when it was due. Without it the program was, or it
	 * is not known (RAW_KERNEL_TOLD). The kernel's event never comes while that is at work. */
	RAW_IN_KERNEL = 1 << 10,
	/* One more word stands behind the frames, before that of RAW_STACK_USED: for a sample of
	 * time the cost centre, the run-time address of the first counter of a procedure (in the
	 * section cgview_cnt, not in the thread's copy); for RAW_ALLOCATED where the cell
	 * (raw_space_cell) that counts the block begins in the file. */
	RAW_CENTRE = 1 << 11,
};
enum { RAW_SOURCE_SHIFT = 8 };
enum { RAW_MAX_FRAMES = 256 };

struct raw_sample {
	uint32_t tid;
	uint16_t nr_frames;
	uint16_t flags;
	/* CLOCK_MONOTONIC less raw_head.started_mono_ns: when it was taken, of RAW_WAITING when it
	 * was first seen to wait there; 0: not known. */
	uint64_t time_ns;
	uint64_t cpu_ns; /* thread CPU time at the sample */
	/* RAW_WAITING: ns waited, grows meanwhile; RAW_EVENT: events; else ns of CPU time between
	 * two samples of this clock, as was asked for. */
	uint64_t amount;
};

/* Calls through a pointer: how often SITE called TARGET in one thread. There may be several of one
 * site and target, here and in the site's tables. */
struct raw_target {
	uint64_t site;	 /* run-time address of the site's first word in cgview_cnt, 0 unused */
	uint64_t target; /* run-time address of the procedure, 0: just being set, count is 0 */
	uint64_t count;
};

/* The first of them, and how often it was called, are in the site's words, together with the calls
 * that could not be noted: struct raw_target_words. The others are in tables. */
struct raw_target_words {
	uint64_t first, first_count, others;
	uint64_t mask, table; /* for the thread only */
};

/* Tables of sites in one thread, one behind the other; what was to become one may be zeros. A site
 * may have several, which add up. */
struct raw_target_room {
	uint64_t used; /* bytes handed out */
	uint64_t reserved;
	char bytes[];
};

struct raw_target_table {
	uint64_t site;
	uint64_t number; /* of entries, a power of two from 4 to 512 */
	struct raw_target_entry {
		uint64_t target, count;
	} entries[];
};

/* Facts about the watch over waiting threads, in all processes. */
struct raw_wall {
	uint64_t looks;	     /* how often */
	uint64_t elapsed_ns; /* time between the looks */
	uint64_t lost;	     /* waits that could not be noted for want of room */
	uint64_t longest_ns; /* of the times between the looks */
	uint64_t error;	     /* errno: why nothing is known about waiting; 0: all is well */
};

/* The events that were asked for, in all processes, and what hindered them. */
struct raw_events {
	uint32_t asked; /* bits, by the number of the event (events.h) */
	uint32_t nr_sources;
	struct raw_source {
		uint32_t error;	  /* errno: why there are none at all; 0: there may be */
		uint32_t ended;	  /* 1: the program needed the signal; none from then on */
		uint64_t taken;	  /* samples */
		uint64_t missing; /* threads without */
		uint64_t lost;	  /* samples for which there was no room */
	} sources[2];
};

/* Are allocations counted? If not, why. */
enum raw_space_state {
	RAW_SPACE_COUNTED,
	RAW_SPACE_NOT_LOADED, /* the library is not in the process */
	RAW_SPACE_OTHER,      /* the program has an allocator that is not libc's */
	RAW_SPACE_NO_ROOM,
	RAW_SPACE_RELEASE,    /* the library is of another release than the program's runtime */
	RAW_SPACE_STATES
};

/* Facts about allocations, in all processes. */
struct raw_space {
	uint32_t state; /* enum raw_space_state, of the first process */
	uint32_t reserved;
	uint64_t early; /* blocks handed out before the counting began that are not known by now */
	uint64_t lost;	/* calls of allocators that could not be noted */
};

/* What one producer, a call site that asks for blocks, has got in one slot; and what was given
 * back there of what it has got anywhere in the process. There may be several of one producer. */
struct raw_space_cell {
	/* The call's return address; 0: calls that are nobody's. Above RAW_SPACE_PC_MASK: its
	 * blocks are of at most 1 << RAW_SPACE_CLASS() bytes, and of no smaller class; 0: of any
	 * size, or there are none. RAW_SPACE_POOL: they are parts of a pool's blocks, which
	 * other cells tell of. */
	uint64_t pc;
	uint32_t module;  /* number of the module that it is in */
	/* Bit 0: it called other code, which wanted the blocks for it. The other bits: the call is
	 * in a wrapper, which was called by that of the cell with this number, from 1 on, which
	 * stands before it in the extent; 0: it is in none. */
	uint32_t through;
	uint64_t blocks, bytes; /* handed out; bytes are those asked for */
	uint64_t freed_blocks, freed_bytes;
	uint32_t empty;	  /* calls that brought no block */
	uint32_t strange; /* what was given back here and had no record */
	uint64_t slack;	  /* bytes usable in its blocks beyond those asked for and the record; of a
			   * pool's blocks: bytes of those whose end would be seen */
};

/* Live bytes of a producer in pools: of blocks whose end is visible. Record 0 of an extent is a
 * header: its PEAK is the number of the process's last peak, from 1 on, by the bytes of all. */
struct raw_space_pool {
	uint64_t cell;	  /* where one of the producer's (raw_space_cell) begins in the file */
	uint64_t live;	  /* bytes */
	uint64_t at_peak; /* LIVE at the peak with the number PEAK; at a later one it was LIVE */
	uint64_t peak;
	uint64_t before;  /* of processes that had this record before: the sum at their peaks */
	uint64_t left_blocks; /* that are there, or were in the end, of all its processes */
};

#define RAW_SPACE_PC_MASK (UINT64_C(0xffffffffffff)) /* of addresses */
/* The smallest power of two, from 16 on, that what was asked for fits in. */
enum { RAW_SPACE_CLASS_AT = 48, RAW_SPACE_LEAST_CLASS = 4, RAW_SPACE_CLASSES = 64 };
#define RAW_SPACE_POOL (UINT64_C(1) << 56)
#define RAW_SPACE_CLASS(pc) ((unsigned)((pc) >> RAW_SPACE_CLASS_AT & (RAW_SPACE_CLASSES - 1)))

/* How a block was given back: to free(), to realloc(), to free() after the end of main() or a call
 * of exit(). FAULT: it had no record, so it was no end of a block. */
enum raw_space_how {
	RAW_SPACE_FREE, RAW_SPACE_REALLOC, RAW_SPACE_EXIT, RAW_SPACE_FAULT, RAW_SPACE_HOWS
};

/* What was wrong when it had none. */
enum raw_space_fault {
	RAW_SPACE_OVERWRITTEN, /* a block, but something wrote behind it */
	RAW_SPACE_TWICE,       /* it was given back already */
	RAW_SPACE_NO_BLOCK,    /* no block can begin there */
	RAW_SPACE_UNKNOWN,     /* it is no block, or what stands around it was overwritten */
	RAW_SPACE_FAULTS
};

/* By how many bytes the process had allocated meanwhile (LIFE_UNIT of them are told apart): blocks
 * that the thread that made them gave back with no allocation in between (not to realloc); then
 * less than 4 kB, 64 kB, 1 MB, 16 MB, 256 MB, 4 GB, and more. */
enum { RAW_SPACE_LIVES = 8, RAW_SPACE_LIFE_UNIT = 1024 };

/* What a call gave back in one slot of what a producer had got anywhere in the process. There may
 * be several of one such pair. FAULT: `lives` begins with how often each fault occurred, all else
 * is 0, but `producer_pc` if the block's record still told it. */
/* Both addresses are RAW_SPACE_PC_MASKed, the producer's has the class of its blocks; above: */
#define RAW_SPACE_THROUGH (UINT64_C(1) << 63)	     /* it called other code, which did it */
#define RAW_SPACE_HOW(pc) ((pc) >> 61 & 3)	     /* of the disposer's: enum raw_space_how */
struct raw_space_pair {
	uint64_t pc, producer_pc; /* return addresses, as in cells; 0: nobody's */
	uint32_t module, producer_module;
	uint64_t bytes;
	uint64_t life; /* sum of lifetimes, in bytes allocated */
	uint64_t lives[RAW_SPACE_LIVES]; /* blocks; all of them together */
	uint64_t moved, copied, grown; /* by realloc: blocks, bytes copied for that, bytes more */
	/* Sums of the least and the most that lifetimes can be, in ns, of so many blocks. */
	uint64_t least_ns, most_ns, timed;
};

enum raw_moment_flags {
	RAW_MOMENT_FIRST = 1, /* of its process: peak, threads and off are of the whole of it */
	RAW_MOMENT_ALL = 2,   /* it tells of all cells that are not at 0 */
	RAW_MOMENT_FULL = 4,  /* FIRST: there was no room for more moments */
};

/* What was live at a moment: this head, then three numbers for each of `nr` cells, those that have
 * changed since the moment before of this process: where the cell begins in the file, in
 * RAW_MOMENT_UNITs, less that of the cell before (the first: 0); how many of its bytes are live,
 * below 0 if its thread has given back what others have got; and how many it has been handed out
 * since a moment told of it the last time. A number n is 2n, or -2n-1 if it is below 0, in bytes of
 * 7 bits, the low ones first; all but the last have the bit 128. */
enum { RAW_MOMENT_UNIT = 64 };
struct raw_moment {
	uint32_t size;	/* bytes, a multiple of 8 */
	uint32_t flags; /* enum raw_moment_flags */
	uint32_t pid, nr;
	uint64_t mono_ns;  /* CLOCK_MONOTONIC */
	uint64_t cpu_ns;   /* of the process */
	uint64_t resident; /* bytes of the process; 0: not known */
	uint64_t made;	   /* bytes that the process has been handed out */
	uint64_t live;	   /* bytes, all of them */
	uint64_t inherited; /* of these: what it got by fork */
	/* FIRST; these change while the process runs. PEAK: the most that was live, as its threads
	 * have told of it; each of them may have moved OFF bytes since. */
	uint64_t peak;
	uint32_t threads, off;
};

/* FNV-1a over N bytes, continued from H (start with RAW_CHECKSUM_START). */
#define RAW_CHECKSUM_START 2166136261u
static inline uint32_t
raw_checksum(uint32_t h, const void *data, size_t n)
{
	const unsigned char *p = data;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 16777619u;
	return h;
}

static inline uint32_t
raw_head_checksum(const struct raw_head *h)
{
	uint32_t sum = RAW_CHECKSUM_START;
	size_t text = h->text_length <= sizeof(h->text) ? h->text_length : sizeof(h->text);

	sum = raw_checksum(sum, &h->started_ns,
			   offsetof(struct raw_head, end) - offsetof(struct raw_head, started_ns));
	return raw_checksum(sum, h->text, text);
}

static inline uint32_t
raw_extent_checksum(const struct raw_extent *e)
{
	return raw_checksum(RAW_CHECKSUM_START, &e->kind,
			    offsetof(struct raw_extent, used) - offsetof(struct raw_extent, kind));
}

_Static_assert(sizeof(struct raw_head) == RAW_PAGE, "the head fills its page");

#endif
