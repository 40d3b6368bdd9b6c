/* Finds a macro of the profiled program: its definition, its pieces' figures, all its uses. */
#ifndef CGVIEW_SHOW_MACRO
#define CGVIEW_SHOW_MACRO

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "show/doc.h"

enum { MACRO_NAME = 128 };

struct macro_use {
	struct range_row range;  /* its count: how often this use was executed */
	char by[MACRO_NAME];     /* the macro used there, which leads to this one; "": none */
};

struct macro {
	char name[MACRO_NAME];
	model_id file;           /* of the definition; 0: its text is not in the profile */
	uint32_t first, last;    /* its lines */
	struct range_row *pieces; /* expressions of the definition, each the sum of all uses */
	size_t nr_pieces;
	struct macro_use *uses;  /* in the order of files and lines */
	size_t nr_uses;
	/* No piece has code of its own (all of it is arguments and other macros): then only the
	 * uses in the file that was asked for are known. */
	bool one_file;
	model_id asked;          /* the file that it was asked for in */
	model_id user;           /* the procedure whose use of it was meant */
};

/* Tells which macro is meant: the one used at LINE of FILE, in the innermost use around COLUMN (0:
 * the first of the line), or else the one defined there. False: there is none. All but its name is
 * known after macro_find(), in which a job pauses (util/job.h); what it has found so far is in M
 * all the time. The caller releases M. */
bool macro_at(struct docs *docs, model_id file, uint32_t line, uint32_t column, struct macro *m);
void macro_find(struct docs *docs, struct macro *m);

/* Finds the macro called NAME that FILE defines; false: it does not. */
bool macro_defined(struct docs *docs, model_id file, const char *name, struct macro *m);

void macro_release(struct macro *m);

#endif
