/* The functions that write formats, for the rows of export_formats. */
#ifndef CGVIEW_PRINT_EXPORT_FORMATS
#define CGVIEW_PRINT_EXPORT_FORMATS

#include "print/export/export.h"

/* The tables that stacks are made of (export_stacks.h). */
#define EXPORT_STACK_TABLES                                                                    \
	(EXPORT_TABLE(FILE) | EXPORT_TABLE(PROCEDURE) | EXPORT_TABLE(SITE) | EXPORT_TABLE(BLOCK) | \
	 EXPORT_TABLE(CONTEXT))

int export_folded(struct export *e, FILE *out, struct error *err);
int export_html(struct export *e, FILE *out, struct error *err);

#endif
