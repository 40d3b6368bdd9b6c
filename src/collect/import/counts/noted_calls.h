/* Reads the calls through pointers that a program noted in its raw file (collect/raw.h): those in
 * the words of their sites, among the counters, and those in tables. */
#ifndef CGVIEW_COLLECT_NOTED_CALLS_H
#define CGVIEW_COLLECT_NOTED_CALLS_H

#include "collect/import/counts/areas.h"
#include "collect/import/rawfile.h"

/* In place of a module's number: it is in the code of a file that has none, in nothing known, or
 * where several modules have been, one after the other. */
enum { NOTED_OUTSIDE = -1, NOTED_UNKNOWN = -2, NOTED_SEVERAL = -3 };

struct noted_call {
	const struct raw_part *part; /* where it was noted */
	int site_module;             /* number in the raw file, or NOTED_SEVERAL */
	uint64_t site;               /* bytes from the module's first counter to the site's words */
	int module;                  /* of the target: number in the raw file, or NOTED_... */
	uint64_t target;             /* run-time address */
	uint64_t count;
};

struct noted_calls {
	const struct rawfile *raw;
	const int *module_of;        /* per module of RAW what it is called; below 0: nobody asks */
	const struct areas *areas;   /* whose latest file is RAW */
	/* Sets *SITE to where the words number I of what is called MODULE are, bytes from its first
	 * counter; ascending. Returns false when there are no more. */
	bool (*words)(const void *context, int module, size_t i, uint64_t *site);
	void (*take)(void *context, const struct noted_call *call);
	void *context;
};

/* Calls TAKE for each of them. */
void noted_calls_read(const struct noted_calls *n);

#endif
