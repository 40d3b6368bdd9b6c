/* Procedures that have one name and begin on one line, but are several. */
#ifndef CGVIEW_COLLECT_NAMESAKES_H
#define CGVIEW_COLLECT_NAMESAKES_H

#include <stdbool.h>

#include "db/model/model.h"

/* Are A and B, linkage names of a module that stand for one name at one place, the same procedure?
 * The compiler has several bodies for a constructor, and several versions of what asks for them. */
bool namesakes_same(const char *a, const char *b);

/* Gives those of M that have one name on one line others, which tell them apart. */
void namesakes_tell_apart(struct model *m);

#endif
