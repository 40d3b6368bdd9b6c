/* The threads of a raw file: their names, and which processes nobody saw come. */
#ifndef CGVIEW_COLLECT_THREADS_H
#define CGVIEW_COLLECT_THREADS_H

#include "collect/import/counts/names.h"
#include "collect/import/rawfile.h"

struct threads {
	const struct rawfile *raw;
	const struct names *names;
	const struct module *modules;
	const int *module_of;      /* per module of RAW: number in MODULES, -1 unusable */
	const char *program;       /* what the kernel calls a thread of it that nobody named */
	char first[16];            /* what its first thread was called in the end */
	struct strbuf unseen;      /* numbers of processes that nobody saw come */
	size_t nr_unseen;
};

/* MODULES have their symbols; all that is named must outlive T. */
void threads_begin(struct threads *t, const struct rawfile *r, const struct names *n,
		   const struct module *modules, const int *module_of);

/* Returns the name of the thread RECORD, in A: as the kernel knew it, or "NAME()", the procedure
 * that it began with, if nobody gave it one. */
const char *threads_name(const struct threads *t, const struct raw_thread *record, struct arena *a);

/* Tells in M if RECORD was of processes that nobody saw come, when all have been given to
 * threads_note(). */
void threads_note(struct threads *t, const struct raw_thread *record);
void threads_end(struct threads *t, struct model *m);

#endif
