/* Variables of a unit that hold pointers to procedures and that nothing but the unit's own
 * statements can change: what calls through them can have reached. */
#ifndef CGVIEW_COLLECT_HELD_H
#define CGVIEW_COLLECT_HELD_H

#include "collect/import/elf/tables.h"
#include "db/model/model.h"

struct module;
struct candidates;
struct names;

struct held_variable {
	const struct module *mod;
	uint32_t unit;
	const struct table_held *table;
	bool open;                 /* it may have held something that is not known */
};

/* SITE calls what it reads from VARIABLE (number + 1); 0: from elsewhere, in one of the units that
 * have the site. */
struct held_reading { model_id site; uint32_t variable; };
struct held_callee { uint32_t variable; model_id procedure; };

struct held {
	struct held_variable *variables;
	size_t nr_variables, variables_alloc;
	struct held_reading *readings;
	size_t nr_readings, readings_alloc;
	struct held_callee *callees;
	size_t nr_callees, callees_alloc;
};

/* Returns the number + 1 of the first variable of the unit, whose others follow. */
uint32_t held_add_unit(struct held *h, const struct module *mod, uint32_t unit);
void held_release(struct held *h);

/* What call sites read from: S, of a unit whose first variable is FIRST. */
void held_add_reading(struct held *h, model_id site, const struct table_site *s, uint32_t first);
/* VARIABLE (number + 1) held PROCEDURE; 0: one outside. */
void held_add_callee(struct held *h, uint32_t variable, model_id procedure);
/* VARIABLE (number + 1) may have held anything. */
void held_open(struct held *h, uint32_t variable);

/* Takes from C, candidates of NR_SITES call sites, what the variables have never held. */
void held_narrow(struct held *h, struct candidates *c, size_t nr_sites, const struct names *n);

#endif
