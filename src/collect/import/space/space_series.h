/* Live memory over time: the moments that programs wrote into their raw files. Of each process few
 * are kept, such that what was live between them is little else. */
#ifndef CGVIEW_COLLECT_SPACE_SERIES_H
#define CGVIEW_COLLECT_SPACE_SERIES_H

#include "collect/import/rawfile.h"
#include "db/model/model.h"

struct space_cell;

struct space_change {              /* of a cell: so much of it is live from now on */
	uint64_t where;            /* of the cell, in its file */
	int64_t live;              /* below 0: its thread gives back what others have got */
	uint64_t made;             /* bytes that it has been handed out until now */
};

struct space_moment {
	uint64_t at_ns, cpu_ns, made, live, inherited, resident;
	size_t begin, end;         /* of its changes; while it is being read, of its bytes */
	bool all;                  /* all cells that it does not tell of are at 0 */
	uint32_t nr;               /* cells that these bytes tell of */
};

struct space_process {
	uint32_t input, pid;
	model_id run;
	bool first;                /* of its raw file: the others are its children */
	bool ended;                /* it came to its end, and it was the only thread */
	bool full;                 /* there was no room for more moments */
	uint64_t peak, lo, hi, nr_written;
	struct space_moment *moments;
	size_t nr, alloc;
	size_t top;                /* the moment with most */
};

struct space_series {
	struct space_process *processes;
	size_t nr, alloc;
	struct space_change *changes;
	size_t nr_changes, changes_alloc;
	bool damaged;              /* some moments contradict themselves */
};

void space_series_release(struct space_series *s);

/* Takes in the moments in R, the raw file of INPUT, which belongs to RUN. */
void space_series_read(struct space_series *s, const struct rawfile *r, uint32_t input,
		       model_id run);

/* When all has been read: adds the ends, and sets at_peak of the CELLS (NR) to what was live of
 * them at the peak of their run, in its process with the greatest one. */
void space_series_settle(struct space_series *s, const struct model *m, struct space_cell *cells,
			 size_t nr);

/* When the cells know their producers: adds heaps, moments and bands to M. */
void space_series_store(const struct space_series *s, struct model *m,
			const struct space_cell *cells, size_t nr);

#endif
