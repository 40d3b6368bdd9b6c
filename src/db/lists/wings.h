/* What only some recordings have. */
#ifndef CGVIEW_DB_WINGS_H
#define CGVIEW_DB_WINGS_H

#include "db/store/profile.h"

enum wing_id {
	WING_NONE,
	WING_MOMENTS, WING_BLOCKS, WING_POOLS, WING_FAULTS, WING_ERRORS, WING_WAITING,
	WING_CENTRES, WING_RUNS, WING_PROCEDURES, WING_COUNTS, WING_BRANCHES, WING_RANKS,
	WING_SEVERAL,
	WING_IMBALANCE,          /* that, or figures of all processes of a sum */
	NR_WINGS
};

struct wing {
	const char *what;        /* "memory over time" */
	const char *how;         /* "cgview record --space": how a profile comes to it */
	const char *figures;     /* names of its measures, each between spaces; or NULL */
};
extern const struct wing wings[NR_WINGS];

bool wing_is_there(struct profile *p, enum wing_id wing);

/* Returns the first wing that a profile needs for KIND and does not have; WING_NONE: it has all. */
enum wing_id wing_missing(struct profile *p, enum list_kind kind);

#endif
