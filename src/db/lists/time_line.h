/* The run along time, thread by thread, in cells: what took the CPU, what waited. */
#ifndef CGVIEW_DB_TIME_LINE_H
#define CGVIEW_DB_TIME_LINE_H

#include "db/model/tracks.h"
#include "db/store/profile.h"

/* The procedures with most self time, which have colours of their own. */
enum { TIME_LINE_HOT = 8 };

struct lane_sample {
	uint64_t at_us, ns;
	uint8_t hot;               /* which of these; TIME_LINE_HOT: another procedure */
	uint8_t how;               /* enum track_how */
};

/* What a lane did in one cell. */
struct time_cell {
	uint64_t ns[TIME_LINE_HOT + 1]; /* CPU time by procedure, the kernel's not in it */
	uint64_t kernel_ns, wait_ns;
};

/* TIME_LINE_CHUNK samples, one behind the other, added up: few cells end in the middle of one. */
enum { TIME_LINE_CHUNK = 256 };
struct lane_chunk {
	uint64_t from_us, to_us;   /* from the first to the last us that any of it is in */
	struct time_cell sum;
};

struct lane {
	model_id run;
	uint32_t pid, tid;
	const char *name;
	struct lane_sample *samples; /* their times ascend */
	size_t nr;
	struct lane_chunk *chunks;
	uint64_t cpu_ns;
};

struct time_line {
	struct lane *lanes;          /* those of a run together, the one with most time first */
	size_t nr;
	uint64_t end_us;             /* nothing is behind it */
	struct { model_id procedure; uint64_t ns; } hot[TIME_LINE_HOT]; /* the hottest first */
	unsigned nr_hot;
	uint64_t cpu_ns;             /* of all samples */
	struct arena arena;
};

/* Reads the tracks of P. -1 and ERR: it has none, or they are damaged. The caller releases T, which
 * is empty then. A job may pause meanwhile, and be dropped: T has then what was read. */
int time_line_read(struct time_line *t, struct profile *p, struct error *err);
void time_line_release(struct time_line *t);

/* Fills the NR cells that SPAN is divided into with what LANE did. */
void time_line_cells(const struct lane *lane, const struct time_span *span, int nr,
		     struct time_cell *cells);

/* Returns the time, in us, at which cell X of NR begins; the cell that a time lies in. */
uint64_t time_line_begin(const struct time_span *span, int x, int nr);
int time_line_column(const struct time_span *span, uint64_t us, int nr);

enum time_kind { TIME_NONE, TIME_CPU, TIME_KERNEL, TIME_WAITS };
/* Returns what most of the cell is; for CPU time *HOT is the procedure with most of it, and
 * *EIGHTHS how much of the cell, which is US long, was CPU time: at least one. */
enum time_kind time_cell_kind(const struct time_cell *c, uint64_t us, unsigned *hot, int *eighths);

#endif
