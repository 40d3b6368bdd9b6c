/* Errors that other tools found, in the profile of the same program. */
#ifndef CGVIEW_COLLECT_DEFECTS_H
#define CGVIEW_COLLECT_DEFECTS_H

#include "collect/import/errors/defect_log.h"
#include "db/model/model.h"

struct defects_found {         /* so many rows of a log */
	size_t exact, lines;   /* at an expression; at a line only */
	size_t without;        /* in a program of the profile, but at no place of it */
	size_t elsewhere;      /* in other programs: left out */
	size_t runtime;        /* in the runtime, which counts: left out */
	uint64_t seen;         /* how often they were, without these */
};

/* Adds the errors of LOG to M, which has all else: each with the expressions that it and its stacks
 * are at, or lines where nothing better is known; and to FOUND how many. Notes what hindered that.
 * Returns -1 and ERR when something was there and could not be read. */
int defects_add(struct model *m, const struct defect_log *log, struct defects_found *found,
		struct error *err);

/* Adds D with its NR FRAMES, whose texts are copied, to M; or its figures to those of a defect that
 * is the same in all else. The member `defect` of frames is not read. */
void defects_unite(struct model *m, const struct model_defect *d,
		   const struct model_defect_frame *frames, size_t nr);

#endif
