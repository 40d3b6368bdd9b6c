/* The run along time, thread by thread, in cells: what took the CPU, what waited. */
#ifndef CGVIEW_DB_TIME_LINE_H
#define CGVIEW_DB_TIME_LINE_H

#include "db/model/tracks.h"
#include "db/store/profile.h"

/* So many procedures have colours of their own. */
enum { TIME_LINE_HOT = 8 };

struct lane_sample {
	uint64_t at_us, ns;
	model_id procedure;        /* whose own time it is; 0: not told */
	uint8_t how;               /* enum track_how */
};

/* What a lane did in one cell. */
struct time_cell {
	uint64_t ns[TIME_LINE_HOT + 1]; /* CPU time by letter, the kernel's not in it */
	uint64_t kernel_ns, wait_ns;
};

/* TIME_LINE_CHUNK samples, one behind the other, added up: few cells end in the middle of one. */
enum { TIME_LINE_CHUNK = 256 };
struct lane_part { uint64_t ns; model_id procedure; }; /* CPU time, the kernel's not in it */
struct lane_chunk {
	uint64_t from_us, to_us;   /* from the first to the last us that any of it is in */
	uint64_t kernel_ns, wait_ns;
	size_t first_part, nr_parts;
};

struct lane {
	model_id run;
	uint32_t pid, tid;
	const char *name;
	struct lane_sample *samples; /* their times ascend */
	size_t nr;
	struct lane_chunk *chunks;
	struct lane_part *parts;   /* of the chunks, each procedure once in one */
	size_t nr_parts, parts_alloc;
	uint64_t cpu_ns;
};

struct time_line {
	struct lane *lanes;          /* those of a run together, the one with most time first */
	size_t nr;
	uint64_t end_us;             /* nothing is behind it */
	/* Of the span that was asked for last; before, of all: */
	struct time_hot { model_id procedure; uint64_t ns; unsigned letter; } hot[TIME_LINE_HOT];
	unsigned nr_hot;             /* those with most CPU time, the kernel's not in it, first */
	uint64_t span_ns;            /* CPU time in that span, the kernel's, too */
	uint8_t *letters;            /* by procedure; TIME_LINE_HOT: none of its own */
	uint64_t *procedure_ns;      /* room */
	model_id first_hot[TIME_LINE_HOT]; /* of all: these have the same letter in each span */
	size_t nr_procedures;
	struct arena arena;
};

/* Reads the tracks of P. -1 and ERR: it has none, or they are damaged. The caller releases T, which
 * is empty then. A job may pause meanwhile, and be dropped: T has then what was read. */
int time_line_read(struct time_line *t, struct profile *p, struct error *err);
void time_line_release(struct time_line *t);

/* Sets what is hot in SPAN. A procedure that is among the hottest of the run and of SPAN has the
 * same letter in both. */
void time_line_heat(struct time_line *t, const struct time_span *span);

/* Fills the NR cells that SPAN is divided into with what LANE did. */
void time_line_cells(const struct time_line *t, const struct lane *lane,
		     const struct time_span *span, int nr, struct time_cell *cells);

/* Returns the time, in us, at which cell X of NR begins; the cell that a time lies in. */
uint64_t time_line_begin(const struct time_span *span, int x, int nr);
int time_line_column(const struct time_span *span, uint64_t us, int nr);

enum time_kind { TIME_NONE, TIME_CPU, TIME_KERNEL, TIME_WAITS };
/* Returns what most of the cell is; for CPU time *LETTER is that of the procedure with most of it,
 * and *EIGHTHS how much of the cell, which is US long, was CPU time: at least one. */
enum time_kind time_cell_kind(const struct time_cell *c, uint64_t us, unsigned *letter,
			      int *eighths);

#endif
