/* The stacks of a profile, and their figures, for the formats that are made of them. */
#ifndef CGVIEW_PRINT_EXPORT_STACKS
#define CGVIEW_PRINT_EXPORT_STACKS

#include "db/model/tracks.h"
#include "print/export/export.h"

/* A figure of stacks: its id is MEASURE_SAMPLES, MEASURE_TIME, MEASURE_WAIT or that of a measure
 * that is stored. */
struct export_measure {
	unsigned id;
	const char *name;          /* as --measure and the profile's columns have it: "time" */
	const char *label;         /* as the tool that measured it calls it; or NAME */
	const char *unit;          /* "samples", "ns", "bytes", "count", or any other word */
};
enum { EXPORT_MOST_MEASURES = 3 + MEASURES_MAX };

/* Finds the figures that stacks of E have other than 0; samples come first, then time. Returns how
 * many there are. */
size_t export_stack_measures(const struct export *e, struct export_measure *found);

/* Finds the one that the user wants (--measure); else the one with the id FIRST, if stacks have it;
 * else the first of all. -1 and ERR: they do not have it. */
int export_choose_measure(const struct export *e, unsigned first, struct export_measure *chosen,
			  struct error *err);

/* Returns what context C has of it itself. */
int64_t export_context_self(const struct model_context *c, unsigned id);

/* The frames of a stack, the innermost first. */
struct export_frame {
	model_id procedure;
	uint32_t line;             /* in the procedure's own file; 0: it is in another one */
	bool inlined;              /* in the next one */
};
struct export_frames { struct export_frame *items; size_t nr, alloc; };
/* Puts those of context C of E in place of what F has, and returns them. The caller frees the
 * items. */
const struct export_frame *export_frames_read(struct export_frames *f, const struct export *e,
					      const struct model_context *c);

/* Paths of procedures: contexts that differ by lines only are one node here. */
struct export_paths {
	size_t nr;                 /* nodes; parents stand before children */
	uint32_t *parent;          /* of node I; its number + 1, 0: it is a root */
	model_id *procedure;
	uint32_t *of_context;      /* node of context I */
};
void export_paths_make(struct export_paths *t, const struct export *e);
void export_paths_release(struct export_paths *t);

/* Returns for each node what it has of a measure itself; heap, the caller's. */
int64_t *export_paths_self(const struct export_paths *t, const struct export *e, unsigned id);

/* The procedures of a node, the outermost first. */
struct export_path { model_id *procedures; size_t nr, alloc; };
void export_path_of(struct export_path *path, const struct export_paths *t, uint32_t node);

/* ---- with their times ---- */

/* What was sampled in one thread, or in the threads of one part of the counts, in the order of
 * their times. */
struct export_track {
	const struct model_track *row;
	struct track track;
	model_id *contexts;        /* of E, by stack of the track; 0: not known */
	uint32_t *lines;           /* by stack: of the leaf, in its procedure's own file; 0: not
				    * known. Stacks of what was recorded do not have it else. */
};
/* Reads track I of TRACKS, which model_load_tracks() filled. E has EXPORT_TRACK_TABLES. -1 and ERR:
 * it is damaged. The caller releases T in any case. */
int export_track_read(struct export_track *t, const struct export *e, const struct model *tracks,
		      size_t i, struct error *err);
void export_track_release(struct export_track *t);

#endif
