/* Profiles of other tools that are made of stacks. A reader adds one stack after another;
 * stacks_finish() finds what the addresses are, by the programs' symbols and debug information, and
 * makes a model of them. Nothing is counted in it (COUNT_LACKS_ALL) but calls, where a reader tells
 * of them. Memory is bounded by the number of different stacks. */
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
#define STACKS_TEXT(literal) ((struct stacks_text){ "" literal, sizeof(literal) - 1 })
struct stacks_frame {
	struct stacks_text module; /* path of the program or library, "[kernel.kallsyms]"; "" */
	struct stacks_text symbol; /* "": unknown */
	struct stacks_text name;   /* how the tool shows it; "": as the symbol */
	/* Where it is, and where its function begins. With a line, debug information is not asked.
	 * "", 0: the tool does not say. */
	struct stacks_text file;
	uint32_t line, start_line;
	uint64_t address;          /* in the module, or at run time: the symbol decides */
	uint64_t offset;           /* behind the symbol; or STACKS_NO_OFFSET */
	bool inlined;              /* into the frame behind it, at whose address it is */
	bool in_file;              /* ADDRESS is an offset in the module's file, within the call */
	bool next;                 /* in_file: it runs next, unless a procedure begins there */
};

struct stacks;
struct stacks *stacks_new(void);
void stacks_free(struct stacks *s);

/* What is sampled. UNIT: "ns", "bytes", "count", "samples" or any other word; the first event in
 * "ns" is the profile's time, if no stack has less than 0 of it. PERIOD: what one sample stands
 * for, 0: the mean. Texts need not be terminated. */
struct stacks_event { struct stacks_text name, unit; uint64_t period; };
/* Returns the number of an event; -1: there are STACKS_MAX_EVENTS others. */
int stacks_event(struct stacks *s, const struct stacks_event *event);
/* It was counted, and not sampled, and is shown as TITLE; a DETAIL only if it is asked for. */
void stacks_counted(struct stacks *s, int event, const char *title, bool detail);

/* SAMPLES of an event stand for WEIGHT together; 0: how many, or whether any, is not known. In the
 * difference of two profiles WEIGHT can be below 0. */
struct stacks_value { int event; uint64_t samples; int64_t weight; };

/* When a sample was taken, in ns of any clock (struct stacks_run), and whether the kernel was at
 * work. */
struct stacks_when { uint64_t ns; bool kernel; };

/* Adds a stack with what it has of events, of the thread TID, called NAME, of process PID (0: not
 * known). FRAMES: innermost first. CUT: the stack goes on, but nobody knows how. */
struct stacks_sample {
	const struct stacks_value *values;
	size_t nr_values;
	uint32_t pid, tid;
	struct stacks_text name;
	const struct stacks_frame *frames;
	size_t nr_frames;
	bool cut;
	const struct stacks_when *when; /* NULL: it is not known */
};
void stacks_add(struct stacks *s, const struct stacks_sample *sample);

/* Does B, the caller of A, the innermost frame, only repeat it? That is the unwinder's doing, as a
 * call has another address than what it calls. Of callers, and of names where a format has no
 * addresses, it is recursion. */
bool stacks_repeats(const struct stacks_frame *a, const struct stacks_frame *b);

/* The same by steps, for profiles that tell each call. A node is a stack, 0 is the empty one. */
uint32_t stacks_below(struct stacks *s, uint32_t node, const struct stacks_frame *frame);
/* The same by numbers, for profiles that tell each frame once: the number of a frame, which is the
 * innermost one or a CALLER (its address is behind a call), and inlined INTO that of another
 * number, if it is inlined; the node of a stack and one frame more; and a stack that is a node,
 * whose sample has no frames. */
uint32_t stacks_frame(struct stacks *s, const struct stacks_frame *frame, bool caller,
		      uint32_t into);
uint32_t stacks_onto(struct stacks *s, uint32_t node, uint32_t frame);
void stacks_add_to(struct stacks *s, uint32_t node, const struct stacks_sample *sample);
uint32_t stacks_thread(struct stacks *s, uint32_t pid, uint32_t tid, struct stacks_text name);
/* The thread is called NAME, whatever it was called before. */
void stacks_name_thread(struct stacks *s, uint32_t thread, struct stacks_text name);
/* What the stack had itself. */
void stacks_value(struct stacks *s, uint32_t node, uint32_t thread, const struct stacks_value *v);
/* It had it then. */
void stacks_value_at(struct stacks *s, uint32_t node, uint32_t thread,
		     const struct stacks_value *v, const struct stacks_when *when);
/* Its innermost frame was called so often from what is above. Calls of a profile that tells this of
 * any node are counted, only its lines are not; unless stacks_without_calls() says that there are
 * others, too. */
void stacks_call(struct stacks *s, uint32_t node, uint64_t calls);
void stacks_without_calls(struct stacks *s);

/* Stacks that have no value, and lead to none that has, get no rows, but stacks_spot() knows
 * them. */
void stacks_spots_only(struct stacks *s);

/* All stacks are to be added again; events, frames and texts keep their numbers. */
void stacks_forget(struct stacks *s);

/* Keeps a text, each once, and gives it a number; and gives it back. */
uint32_t stacks_keep(struct stacks *s, struct stacks_text text);
struct stacks_text stacks_kept(const struct stacks *s, uint32_t number);

/* Sets the build-id of MODULE. The first one that is told stands. */
void stacks_build(struct stacks *s, struct stacks_text module, const uint8_t *id, size_t length);

/* The PROGRAM was loaded at LOADED, if it can be loaded anywhere. Frames without module that say a
 * line, and their address when it ran, are told by its debug information where that has the same
 * line of a file of the same name at the address: it knows the whole path and the column. */
void stacks_program(struct stacks *s, struct stacks_text program, uint64_t loaded);

/* What is known of the run; texts may be empty. */
struct stacks_run {
	struct stacks_text tool, host, command;
	int64_t started_ns;        /* since 1970; 0: not known */
	bool from_first;           /* times of samples are those since the first of them; else they
				    * are told as those since the run began */
	uint64_t wall_ns;
};

/* Makes a model of all: procedures, lines, calls, contexts, one run. PATH: the profile, for
 * messages; UID: its owner, who must be able to read the programs and sources. -1 and ERR: it has
 * no sample. */
int stacks_finish(struct stacks *s, const struct stacks_run *run, const char *path, uid_t uid,
		  struct model *m, struct error *err);

/* When the model has been made: where the innermost frame of a stack is. */
struct stacks_spot { model_id procedure, file; uint32_t line; };
struct stacks_spot stacks_spot(const struct stacks *s, uint32_t node);

#endif
