/* The frames of a log as DWARF has them: the addresses that a tool noted are those of another run,
 * in which the program lay elsewhere. */
#ifndef CGVIEW_COLLECT_DEFECT_CODE_H
#define CGVIEW_COLLECT_DEFECT_CODE_H

#include "collect/import/errors/defect_log.h"
#include "db/model/model.h"

struct code_place {            /* of a frame */
	const char *file;      /* NULL: only what the log says is known */
	uint32_t line, column;
};

/* Fills PLACES, one for each frame of LOG: those of M's modules, where the files of these are still
 * those that M tells of. Texts go to ARENA. Notes in M what hindered it. Returns -1 and ERR when
 * something was there and could not be read. */
int defect_code_find(struct code_place *places, const struct defect_log *log, struct model *m,
		     struct arena *arena, struct error *err);

#endif
