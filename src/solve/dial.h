/* A stored profile whose estimated arcs are turned: counts and aggregate times follow at once; what
 * is turned can be kept in the profile under a name. Waddell & Ashley (1999), section 6. */
#ifndef CGVIEW_SOLVE_DIAL
#define CGVIEW_SOLVE_DIAL

#include <stdbool.h>

#include "db/model/model.h"
#include "flow/flow.h"
#include "util/error.h"

struct dial;

/* Opens the profile at PATH; its pins are in force. NULL and ERR: as model_load(), or no memory. */
struct dial *dial_open(const char *path, struct error *err);
void dial_close(struct dial *d);

/* Returns the profile as it is turned now: procedures, call sites, arcs, pins. D owns it. */
const struct model *dial_model(const struct dial *d);

/* Finds the counts that arc ID (an id of the profile) can be turned to: its exact interval under
 * the other pins in force. */
int dial_interval(struct dial *d, model_id id, uint64_t *lo, uint64_t *hi, struct error *err);

/* Turn an arc and hold it under NAME. 1: not possible under the other pins (or no such arc);
 * nothing has changed. -1 and ERR: no memory; the dial is of no use any more. */
int dial_turn(struct dial *d, const char *name, model_id id, uint64_t count, struct error *err);
/* Release one arc, or all arcs held under NAME (NULL: under any). Returns how many, or -1 and
 * ERR. */
int dial_let_go(struct dial *d, model_id id, struct error *err);
int dial_let_go_all(struct dial *d, const char *name, struct error *err);
/* Estimates by the rule ESTIMATOR all that is not held, for as long as the dial is open. */
int dial_estimator(struct dial *d, enum flow_estimator estimator, struct error *err);

/* The pin that holds arc ID, or NULL. */
const struct model_pin *dial_pin(const struct dial *d, model_id id);
bool dial_changed(const struct dial *d); /* other pins than in the profile? */

/* Write the profile anew with the pins in force: to a temporary name, renamed when complete. -1 and
 * ERR: it cannot be written, or another program has written it since it was opened. */
int dial_save(struct dial *d, struct error *err);

#endif
