/* Profiles in the formats of other tools. A format is one file of this room and one row of
 * export_formats, which has what it needs and the function that writes it. A figure is exact, or
 * marked in the way that the format has for that, or left out; docs/design/exporting.md says what
 * each can hold. */
#ifndef CGVIEW_PRINT_EXPORT
#define CGVIEW_PRINT_EXPORT

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "db/model/model.h"
#include "db/store/profile.h"
#include "util/error.h"
#include "util/mem.h"

/* What is exported, and how the user wants it. */
struct export {
	struct profile *p;
	const struct profile_totals *totals;
	struct model m;            /* the tables that the format reads; export_write() fills it */
	const char *measure;       /* of formats with one figure; NULL: export_measure_default() */
	const char *root;          /* names of files are relative to it; NULL: to the run's
				    * directory */
	bool without_sources;      /* texts of sources are not to be in the output */
	struct profile *before;    /* what P is compared with, in a format that can; NULL */
	bool all;                  /* also what a format leaves out to be short */
};

/* What a profile must have. export_lacks() says it in words. */
enum export_need {
	EXPORT_STACKS = 1,
	EXPORT_COUNTED_LINES = 2,  /* not only their samples */
	EXPORT_TIMES = 4,          /* when each sample was taken */
};

struct export_format {
	const char *name;          /* as --format has it; NULL: the end of the table */
	const char *extension;     /* as files of the format are usually called: ".folded" */
	const char *help;          /* one line: who reads it */
	unsigned needs;            /* enum export_need, or-ed */
	uint64_t tables;           /* that the model is to have: EXPORT_TABLE(), or-ed */
	bool binary;               /* nothing for a terminal */
	bool one_measure;          /* has one figure, which --measure chooses */
	bool compares;             /* can tell the difference of two profiles */
	bool leaves_out;           /* what --all wants to have in it */
	bool relative;             /* has names of files that --root makes relative */
	/* Writes all to OUT, and nothing if E cannot be written so: -1 and ERR, in words that go
	 * behind the profile's name. The caller looks at ferror(OUT) and profile_error(). */
	int (*write)(struct export *e, FILE *out, struct error *err);
};
#define EXPORT_TABLE(name) ((uint64_t)1 << TABLE_##name)

extern const struct export_format export_formats[];

/* Returns the format called NAME; NULL: there is none. */
const struct export_format *export_format_find(const char *name);

/* Returns what E->p does not have and F needs, "stacks"; NULL: it has all. */
const char *export_lacks(const struct export_format *f, struct profile *p);

/* Writes E, of which P is set, in the format F to OUT. -1 and ERR, one line: P cannot be written so
 * or is damaged. */
int export_write(struct export *e, const struct export_format *f, FILE *out, struct error *err);

/* ---- what formats share ---- */

/* Returns the procedure, 1 to nr_procedures; NULL for 0, code that was not profiled. */
static inline const struct model_procedure *
export_procedure(const struct export *e, model_id id)
{
	return id ? &e->m.procedures[id - 1] : NULL;
}

/* Returns its name, never NULL; UNPROFILED_NAME for 0. */
const char *export_name(const struct export *e, model_id procedure);
/* Returns the path of a file; NULL for 0. */
const char *export_path(const struct export *e, model_id file);

/* Appends S as safe_data() does, with the characters in NOT (NULL: none) replaced by INSTEAD. */
void export_text(struct strbuf *out, const char *s, const char *not, char instead);

/* Writes and empties what OUT holds. */
void export_flush(struct strbuf *out, FILE *to);
/* The same once there is enough. */
void export_flush_some(struct strbuf *out, FILE *to);

#endif
