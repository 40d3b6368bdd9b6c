/* Which calls through pointers the sampled stacks prove: a frame stands at the call site, and right
 * below it is that of the procedure; unless another procedure can have been called there, and have
 * jumped to this one as its last act. */
#ifndef CGVIEW_COLLECT_SEEN_CALLS_H
#define CGVIEW_COLLECT_SEEN_CALLS_H

#include "collect/import/counts/candidates.h"

struct jump { model_id from; const struct table_jump *to; };

struct seen_calls {
	const struct model *m;
	const struct names *names;
	struct candidates *c;
	size_t *first;             /* per site: its first candidate; one more at the end */
	struct jump *jumps;        /* by procedure */
	size_t nr_jumps, jumps_alloc;
	const char **foreign;      /* signatures of addresses of code that was not profiled */
	size_t nr_foreign, foreign_alloc;
	bool unknown_code;         /* a module has code that tells nothing of its jumps, or asks
				    * for procedures by name */
};

/* The modules' symbols must have been read. C's candidates are those of candidates_find(). */
void seen_calls_init(struct seen_calls *s, const struct names *n, const struct module *modules,
		     size_t nr, const struct model *m, struct candidates *c);
void seen_calls_release(struct seen_calls *s);

/* A stack has CALLEE called at SITE, which is sure to be the one. If that proves a call, notes so
 * in the candidate. */
void seen_calls_note(struct seen_calls *s, model_id site, model_id callee);

/* Returns what FROM can jump to, heap, NR of them; if CALLEE is among them maybe not all others. */
model_id *seen_calls_jumps(const struct seen_calls *s, model_id from, model_id callee, size_t *nr);
/* Can SITE, a direct call of a profiled procedure, have become a jump? */
bool seen_calls_may_be_jump(const struct seen_calls *s, model_id site);
/* Can FROM get to CALLEE, another one, by jumps between profiled procedures? */
bool seen_calls_can_jump(const struct seen_calls *s, model_id from, model_id callee);

#endif
