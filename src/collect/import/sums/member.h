/* Makes the bytes of a member of a sum: the same for the same share, whatever was added in whatever
 * order. */
#ifndef CGVIEW_COLLECT_MEMBER_H
#define CGVIEW_COLLECT_MEMBER_H

#include "collect/import/sums/share.h"

/* Appends it to OUT, whole pages. -1 and ERR: it cannot be told in this format. */
int member_make(struct strbuf *out, const struct places *p, const struct share *s,
		struct error *err);

#endif
