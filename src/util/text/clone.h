/* Names of what compilers have cloned. */
#ifndef CGVIEW_UTIL_TEXT_CLONE_H
#define CGVIEW_UTIL_TEXT_CLONE_H

#include <stddef.h>

/* Returns how much of NAME is from the source: "sweep" of "sweep.constprop.0.isra.1", all of what
 * no compiler has cloned. */
size_t clone_base(const char *name);

#endif
