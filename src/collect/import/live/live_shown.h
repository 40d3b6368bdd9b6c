/* What is shown of looks at programs that run: all so far, all since a moment, or what each second
 * brought between two looks; and the tables that it is figures of, as a model. Lines, arcs and rows
 * of several compilations are worked out when they are asked for. */
#ifndef CGVIEW_COLLECT_LIVE_SHOWN_H
#define CGVIEW_COLLECT_LIVE_SHOWN_H

#include "collect/import/live/live.h"
#include "db/store/overlay.h"

struct live_shown;

/* Of L, which must stay. BEGAN_NS: when the programs began (CLOCK_MONOTONIC), of which the first
 * rates are; 0: that was before, and the first look has no rates. */
struct live_shown *live_shown_new(struct live *l, uint64_t began_ns);
void live_shown_free(struct live_shown *s);

/* Takes the last look over, made at NOW_NS; nothing while it is frozen. */
void live_shown_take(struct live_shown *s, uint64_t now_ns);

void live_shown_rate(struct live_shown *s, bool rate);
void live_shown_freeze(struct live_shown *s, bool frozen);
/* What is shown now is where figures begin; or that is where the programs began. */
void live_shown_zero(struct live_shown *s, bool zeroed);

struct live_state {
	bool rate, frozen, zeroed;
	uint64_t taken_ns, zero_ns; /* when the figures were read; when they began, if ZEROED */
};
struct live_state live_shown_state(const struct live_shown *s);

/* Returns the tables of the programs, to be shown next, with their sources and the arcs that can
 * be; all figures are 0. PROCEDURES: those alone, which takes a moment. L's, until the next look.
 * Ids stay what they are when modules come, but those of arcs. Another thread may call it while
 * nothing looks: what is shown meanwhile are figures of the tables that were taken last. */
const struct model *live_shown_model(struct live_shown *s, bool procedures);
/* Would the whole of it take so long that the procedures should be shown before? */
bool live_shown_is_large(const struct live_shown *s);
/* From now on figures are those of the last such model, which is returned. */
const struct model *live_shown_take_model(struct live_shown *s);
/* Are there tables that the model that was taken did not have? */
bool live_shown_has_more(struct live_shown *s);

/* Opens what was shown when figures began to stand still, the last time, and what the last look
 * would show, as sums or rates (those of the second one: since the first), as profiles whose
 * figures stay, with the tables of the last model; the caller closes them. -1 and ERR: they never
 * stood still, there was no look since, or there are other tables. */
int live_shown_states(struct live_shown *s, struct profile *states[2], struct error *err);

/* Returns FIGURE (enum overlay_figure) of row ID of the model, as it is shown. */
int64_t live_shown_figure(void *shown, int figure, model_id id);

/* Returns how many threads there are; *THREADS, heap, has them as they are shown. */
size_t live_shown_threads(const struct live_shown *s, struct overlay_thread **threads);

/* Sets the sums in T that are of figures; *CALLS, SPACE: of procedures. */
void live_shown_totals(const struct live_shown *s, struct profile_totals *t, uint64_t *calls,
		       int64_t space[NR_OVERLAY_SPACE]);

#endif
