/* Profiles of other tools that are made of sampled stacks. A reader adds one stack after another;
 * stacks_finish() finds what the addresses are, by the programs' symbols and debug information, and
 * makes a model of them, in which nothing is counted (COUNT_LACKS_ALL). Memory is bounded by the
 * number of different stacks. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_STACKS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_STACKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "db/model/model.h"
#include "util/error.h"

enum {
	/* Of a stack; what is farther out is left out, and the stack is one that was cut. */
	STACKS_MAX_FRAMES = 10000,
	STACKS_MAX_EVENTS = 8,
};
#define STACKS_NO_OFFSET UINT64_MAX

/* A frame as the tool tells of it. Texts need not be terminated and may hold anything. */
struct stacks_text { const char *at; size_t length; };
struct stacks_frame {
	struct stacks_text module; /* path of the program or library, "[kernel.kallsyms]"; "" */
	struct stacks_text symbol; /* "": unknown */
	uint64_t address;          /* in the module, or at run time: the symbol decides */
	uint64_t offset;           /* behind the symbol; or STACKS_NO_OFFSET */
	bool inlined;              /* into the frame behind it, at whose address it is */
};

struct stacks;
struct stacks *stacks_new(void);
void stacks_free(struct stacks *s);

/* Returns the number of an event; -1: there are STACKS_MAX_EVENTS others. NS: its weights are
 * nanoseconds. */
int stacks_event(struct stacks *s, struct stacks_text name, bool ns);

/* Adds a sample of EVENT that stands for WEIGHT, of the thread TID, called NAME, of process PID (0:
 * not known). FRAMES: innermost first. CUT: the stack goes on, but nobody knows how. */
struct stacks_sample {
	int event;
	uint64_t weight;
	uint32_t pid, tid;
	struct stacks_text name;
	const struct stacks_frame *frames;
	size_t nr_frames;
	bool cut;
};
void stacks_add(struct stacks *s, const struct stacks_sample *sample);

/* What is known of the run; texts may be empty. */
struct stacks_run {
	struct stacks_text tool, host, command;
};

/* Makes a model of all: procedures, lines, calls, contexts, one run. PATH: the profile, for
 * messages; UID: its owner, who must be able to read the programs and sources. -1 and ERR: it has
 * no sample. */
int stacks_finish(struct stacks *s, const struct stacks_run *run, const char *path, uid_t uid,
		  struct model *m, struct error *err);

#endif
