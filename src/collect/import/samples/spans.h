/* Spans: where the modules of a process stand while its samples are read. */
#ifndef CGVIEW_COLLECT_SPANS_H
#define CGVIEW_COLLECT_SPANS_H

#include "collect/import/rawfile.h"

/* Half a year of one wait: more is damage. */
#define MOST_WAIT_NS ((uint64_t)1 << 54)
/* No x86-64 stack has more bytes than addresses. */
#define MOST_STACK_USED (UINT64_C(1) << 47)

struct span { uint64_t start, end, bias; int module; };

struct spans {                           /* all zero: none yet; the items are the caller's */
	struct span *items;
	size_t nr, alloc;
	uint32_t pid;
	uint64_t loaded[RAW_MAX_FRAMES]; /* numbers of the modules, if they were told */
	size_t nr_loaded;                /* 0: they were not */
};

/* Finds the modules of process PID; a child of fork has those of its parent without listing them.
 * Where two stood one after the other it is the first, as long as nothing else has been told.
 * MODULE_OF: what each module of R is called; below 0, it is left out. */
void spans_find(struct spans *s, const struct rawfile *r, const int *module_of, uint32_t pid);
/* Takes the modules that are loaded from FROM on, which has the flag RAW_MODULES; then they are to
 * be found again. */
void spans_load(struct spans *s, const struct raw_sample_reader *from);
/* Returns the one that the run-time ADDRESS is in; NULL: none. */
const struct span *spans_at(const struct spans *s, uint64_t address);

/* Samples that do not tell all. */
struct sample_faults {
	uint64_t cut;              /* stacks deeper than the runtime follows */
	uint64_t ends;             /* ... of those, without the outermost frames */
	uint64_t copies_cut;       /* stacks that the recorder copied in part */
	uint64_t guessed;          /* stacks with a caller that was guessed */
};
void sample_faults_note(struct sample_faults *f, const struct raw_sample_reader *from);

#endif
