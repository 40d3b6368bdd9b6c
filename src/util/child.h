/* Child processes that go on in a copy of this one. */
#ifndef CGVIEW_UTIL_CHILD_H
#define CGVIEW_UTIL_CHILD_H

#include <unistd.h>

#ifdef CGVIEW_COVERAGE
void __gcov_dump(void);
#endif

/* Ends a child at once: what atexit() holds and what lies in stdio's buffers belong to its parent.
 * Where `make coverage` counts, the counts of the child are kept. */
static inline void __attribute__((noreturn))
child_end(int status)
{
#ifdef CGVIEW_COVERAGE
	__gcov_dump();
#endif
	_exit(status);
}

#endif
