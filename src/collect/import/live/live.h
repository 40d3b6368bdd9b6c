/* Looks at programs that run: what they have counted by now, from the raw files that they write
 * through mappings. Nothing is locked, and the programs know nothing of it. The tables of a program
 * are read once; a look reads counters, records of threads, and the samples that are new, and works
 * out only units whose counters have changed. What a look may lack: docs/design/live.md. */
#ifndef CGVIEW_COLLECT_LIVE_H
#define CGVIEW_COLLECT_LIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/error.h"

/* What a procedure has allocated since the programs began, and what is live of that now. */
struct live_memory { uint64_t blocks, bytes, live_blocks, live_bytes; };

/* Since the programs began. */
struct live_figures {
	uint64_t calls;
	uint64_t ns;               /* of CPU time, by samples (an estimate): in its code, with what
	                            * was inlined into it, and with what other code did for it */
	uint64_t total_ns;         /* with all that it calls; 0 in sums */
	struct live_memory memory; /* in sums also of code that is not profiled */
};

struct live_procedure {
	const char *name, *path;   /* of the source file; not known: of the program
	                            * or library, where programs count nothing; else "" */
	uint32_t line;
	bool lacking;              /* a thread is in a loop that keeps counts in registers: calls
	                            * are missing */
	struct live_figures now, before; /* at this look, and at the one before */
};

struct live_sums {
	struct live_figures now, before; /* of all procedures */
	uint64_t cpu_ns;           /* of all threads, when their last sample came, or they ended */
	size_t threads;            /* that have been, as far as they are told of */
	bool lacking;
	bool sampled;              /* nothing is counted; CPU_NS is that of samples, too */
	bool has_memory;           /* allocations are counted, as by record --space */
};

struct live;
struct live *live_new(void);
void live_free(struct live *l);

/* Looks at the raw files PATHS, NR of them; those of the last look are the same files in the same
 * order, new ones stand behind. A file that cannot be read yet is left out. A job pauses. -1 and
 * ERR: none has a program with counts. */
int live_look(struct live *l, const char *const *paths, size_t nr, struct error *err);

/* The same of programs that count nothing, from the samples that our recorder writes into FILE,
 * which is opened at the first look: procedures come when they are first seen in a sample. -1 and
 * ERR: nothing is there yet, or it cannot be read. L looks in one of both ways only. */
struct live_samples {
	const char *file;          /* the rest is what is known of the run */
	const char *command, *program;
	int64_t started_ns;        /* since 1970: the recorder */
	uint32_t hz;
};
int live_look_samples(struct live *l, const struct live_samples *of, struct error *err);

/* Return what the last look found; L's, valid until the next one. *NR procedures, in no order; also
 * those that were never called. */
const struct live_procedure *live_procedures(const struct live *l, size_t *nr);
struct live_sums live_sums(const struct live *l);

/* Returns why some module, or some samples, are not in the looks, once for each; NULL: none is
 * left. */
const char *live_next_problem(struct live *l);

#endif
