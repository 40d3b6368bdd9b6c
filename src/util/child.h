/* The end of processes that do not call exit(): children that go on in a copy of this one, and
 * those that a signal ends. */
#ifndef CGVIEW_UTIL_CHILD_H
#define CGVIEW_UTIL_CHILD_H

#include <unistd.h>

#ifdef CGVIEW_COVERAGE
void __gcov_dump(void);
#endif

/* Writes the counts of `make coverage` for a process that is about to end without exit(). */
static inline void
keep_counts(void)
{
#ifdef CGVIEW_COVERAGE
	__gcov_dump();
#endif
}

/* Ends a child at once: what atexit() holds and what lies in stdio's buffers is its parent's. */
static inline void __attribute__((noreturn))
child_end(int status)
{
	keep_counts();
	_exit(status);
}

#endif
