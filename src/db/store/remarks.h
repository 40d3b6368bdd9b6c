/* What users have written beside the source: reading it, and writing it into the profile. */
#ifndef CGVIEW_DB_REMARKS_H
#define CGVIEW_DB_REMARKS_H

#include "db/model/model.h"
#include "db/store/profile.h"

enum { REMARK_MAX = 1000 /* bytes of one that is written */ };

struct remarks {
	struct model_remark *items; /* by file, line, column; of no source first */
	size_t nr;
	struct model m;             /* has their texts */
};

/* Reads those of P (NULL: none) into R, in place of those it has (all zero: none). A damaged
 * profile has none; profile_error() tells. */
void remarks_read(struct remarks *r, struct profile *p);
void remarks_release(struct remarks *r);
/* Returns the first of NR on LINE of FILE. */
const struct model_remark *remarks_on(const struct remarks *r, model_id file, uint32_t line,
				      size_t *nr);

/* Writes REMARK into the file that P, a whole profile, was read from: a copy with it takes the
 * file's place, as every profile that is written. What others have written there meanwhile stays.
 * WAS is the text that it has now (NULL: it is new); an empty text removes it. Of the text control
 * characters become blanks, and what is behind REMARK_MAX bytes is left out. P stays as it is.
 * -1 and ERR: nothing was written, as the file cannot be, or is another profile now, or one without
 * WAS there. */
int remark_write(struct profile *p, const struct model_remark *remark, const char *was,
		 struct error *err);

#endif
