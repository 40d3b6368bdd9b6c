/* Words among the counters that programs add to themselves: figures of measures, say bytes sent,
 * that belong to the procedure that adds. The section cgview_msr tells what they are
 * (docs/formats.md). */
#ifndef CGVIEW_COLLECT_MEASURED_H
#define CGVIEW_COLLECT_MEASURED_H

#include "collect/import/counts/build.h"
#include "db/model/parts.h"

struct measured_word {
	uint64_t number;           /* among the module's counters */
	const char *procedure;     /* linkage name */
	const char *measure, *title, *unit;
	int slot;                  /* the following by measured_add(); -1: none */
	model_id row, range, line; /* 0: none */
};

/* Sets MOD's words from DATA, SIZE bytes of its section; texts are ARENA's. -1 and ERR: damaged. */
int measured_read(struct module *mod, const uint8_t *data, size_t size, struct arena *arena,
		  struct error *err);

/* Adds what MOD's words have in its counters to M, which was built from MOD and others. */
void measured_add(struct module *mod, struct model *m);

/* Adds to E what they have in COUNTERS, those of one part. */
void measured_add_part(const struct module *mod, const uint64_t *counters,
		       struct part_entries *e);

#endif
