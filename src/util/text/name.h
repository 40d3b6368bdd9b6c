/* Names of procedures where there is no room for them. */
#ifndef CGVIEW_UTIL_NAME_H
#define CGVIEW_UTIL_NAME_H

#include <stddef.h>

#include "util/mem.h"

/* Append NAME (N bytes from outside) through util/text/safe.h in at most WIDTH columns. DOTS ("~"
 * or an ellipsis, each character a column wide) stand for what does not fit, so that the
 * procedure's own name stays: the innermost template arguments and parameters go first, then all
 * but their begins, then namespaces and classes but for their begin, at last the middle of the
 * name. Returns the columns used. */
int name_fit(struct strbuf *sb, const char *name, size_t n, int width, const char *dots);

/* Cuts NAME itself as name_fit() would write it; it stays as it is when it fits. */
void name_cut(struct strbuf *name, int width, const char *dots);

#endif
