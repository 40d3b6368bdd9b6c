/* The times of samples while a profile is imported: they become the model's tracks. */
#ifndef CGVIEW_COLLECT_IMPORT_TRACK_LOG_H
#define CGVIEW_COLLECT_IMPORT_TRACK_LOG_H

#include "db/model/tracks.h"

/* Entries of a stack, from FIRST on. */
struct logged_stack { size_t first, nr; };

struct track_log {
	struct logged_sample {
		uint64_t at_us, ns;
		uint32_t track, stack, how;
	} *items;
	size_t nr, alloc;
	struct track_entry *entries;
	size_t nr_entries, entries_alloc;
	struct logged_stack *stacks;       /* by number */
	size_t nr_stacks, stacks_alloc;
	size_t open;                       /* the stack whose entries are added, + 1; 0: none */
};

void track_log_release(struct track_log *l);

/* Adds a sample of TRACK, a row of the model's tracks from 0 on, with the stack of that number. AT:
 * ns since the run began. */
void track_log_add(struct track_log *l, size_t track, size_t stack, uint64_t at_ns, uint64_t ns,
		   unsigned how);

/* From now on track_log_entry() adds what STACK counts for: it is told once. */
void track_log_begin(struct track_log *l, size_t stack);
void track_log_entry(struct track_log *l, enum part_column column, model_id id);
void track_log_end(struct track_log *l); /* nothing is added from now on */
/* STACK counts for what OTHER does. */
void track_log_same(struct track_log *l, size_t stack, size_t other);

/* Gives the model's tracks, which are in its array, their data; tracks without samples go. Tells
 * what was too much in a note. */
void track_log_finish(struct track_log *l, struct model *m);
/* The same for samples whose TRACK is that of their part, its id - 1: makes a track for each. */
void track_log_finish_parts(struct track_log *l, struct model *m);

#endif
