/* Names that compilers of C++ and Rust gave to what they wrote, as the source has them. */
#ifndef CGVIEW_COLLECT_DEMANGLE_H
#define CGVIEW_COLLECT_DEMANGLE_H

#include <stdbool.h>

#include "util/mem.h"

enum demangle_how {
	DEMANGLE_NAME,     /* scopes, name and arguments of a template */
	DEMANGLE_WHOLE,    /* with the types of the parameters */
	DEMANGLE_SHORT     /* with these if all has room on a screen */
};

/* Appends what SYMBOL stands for, without a version behind it ("@"); arguments that the standard
 * library's templates have by default are left out. False: nothing was appended, as it is no such
 * symbol, or stands for a text of more than a thousand bytes. SYMBOL may be anything; time and
 * memory are bounded. */
bool demangle(struct strbuf *out, const char *symbol, enum demangle_how how);

/* Are both symbols the one constructor or destructor, for a whole object and for a part of one? */
bool demangle_same_structor(const char *a, const char *b);

#endif
