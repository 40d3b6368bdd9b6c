/* Where in the machine code samples were taken, and what is to be known of it to show that code. */
#ifndef CGVIEW_DB_INSTRUCTIONS_H
#define CGVIEW_DB_INSTRUCTIONS_H

#include "db/store/profile.h"

struct instruction_row {
	uint64_t address;          /* link-time, within the instruction */
	model_id procedure;        /* the innermost one there */
	struct sampled self;
};

/* Whose code it is; texts are "" where they are not known, and the caller's (heap). */
struct procedure_code { char *name, *linkage_name, *module, *build_id; };

/* Fills C. False: there is no such procedure. */
bool profile_procedure_code(struct profile *p, model_id procedure, struct procedure_code *c);
void procedure_code_release(struct procedure_code *c);

/* Reads the rows of MODULE by address, those of one address one behind the other. Heap array, the
 * caller's. */
size_t profile_instructions(struct profile *p, const char *module, struct instruction_row **rows);

/* Has it any? Profiles of the first version have none. */
bool profile_has_instructions(struct profile *p);

#endif
