/* Somebody who wants to know how far a long piece of work has come. */
#ifndef CGVIEW_UTIL_PROGRESS_H
#define CGVIEW_UTIL_PROGRESS_H

/* TELL gets CONTEXT and the part that is done, from 0.0 to 1.0, which never falls. Functions take
 * a pointer to one; NULL means that nobody asks. */
struct progress {
	void (*tell)(void *context, double share);
	void *context;
};

#endif
