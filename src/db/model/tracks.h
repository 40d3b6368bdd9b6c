/* Tracks: when samples of time were taken, and waits seen, with the stack of each. The samples of a
 * span of time make figures of their own, as those of a thread do; what was counted has no time.
 *
 * A stack is the list of rows that it counts for, each with the column of their samples. */
#ifndef CGVIEW_DB_TRACKS_H
#define CGVIEW_DB_TRACKS_H

#include "db/model/parts.h"

/* A track has no more samples: those behind are in no span. */
enum { TRACK_SAMPLES_MAX = 1 << 24 };
/* Times of samples are below: 285 years in us. */
#define TRACK_US_MAX ((uint64_t)1 << 53)

enum track_how { TRACK_KERNEL = 1, TRACK_WAIT = 2 };

struct track_sample {
	uint64_t at_us;            /* since its run began, rounded down; a wait begins then */
	uint64_t ns;               /* CPU time that it stands for; of a wait how long it was */
	uint32_t stack;            /* of its track, from 0 on */
	uint32_t how;              /* enum track_how */
};

struct track_entry {
	enum part_column column;   /* PART_..._SAMPLES */
	model_id id;
};

struct track {
	struct track_entry *entries; /* of all stacks, one behind the other */
	size_t nr_entries, entries_alloc;
	size_t *ends;                /* by stack: where its entries end */
	size_t nr_stacks, ends_alloc;
	struct track_sample *samples; /* their times ascend */
	size_t nr_samples, samples_alloc;
};
void track_release(struct track *t);

static inline size_t
track_begin(const struct track *t, size_t stack)
{
	return stack ? t->ends[stack - 1] : 0;
}

/* Packs T, whose samples it sorts by time, into ROW: its data, in the arena, and how many there
 * are. */
void track_pack(struct model_track *row, struct track *t, struct arena *a);
/* The same with the data in M's spill, if it has one. Returns -1 and ERR on failure. */
int track_store(struct model *m, struct model_track *row, struct track *t, struct error *err);

/* Reads ROW, of M, into T, which is empty and which the caller releases. Returns -1 and ERR when
 * its data are damaged. A job may pause meanwhile, and be dropped. */
int track_unpack(const struct model_track *row, const struct model *m, struct track *t,
		 struct error *err);

/* Gives the rows their ids elsewhere, as part_entries_map() does. */
void track_map(struct track *t, const struct row_ids *ids);

/* Reads ROW, of FROM, and stores it, with other ids, in TO, of INTO. -1 and ERR. */
int track_move(const struct model_track *row, const struct model *from, struct model_track *to,
	       struct model *into, const struct row_ids *ids, struct error *err);

/* Returns -1 and ERR when the data of some track cannot be unpacked. */
int tracks_check(const struct model *m, struct error *err);

/* A span of time since the begin of each run, in us; TO is behind it. */
struct time_span { uint64_t from_us, to_us; };

/* Keeps of samples and waits of M, in its tracks and in what they sum up to, only those of SPAN.
 * Counts and other measures stay those of the whole runs. Arcs and propagated times are to be
 * solved again. *LEFT gets how many samples of time have no time that is known. Returns -1 and ERR
 * when M has no tracks, or damaged ones. */
int tracks_keep(struct model *m, const struct time_span *span, uint64_t *left, struct error *err);

#endif
