/* Base64 (RFC 4648). */
#ifndef CGVIEW_UTIL_BASE64_H
#define CGVIEW_UTIL_BASE64_H

#include "util/mem.h"

/* Appends the N bytes at DATA, with "=" at the end where need be. */
void base64_put(struct strbuf *out, const void *data, size_t n);

#endif
