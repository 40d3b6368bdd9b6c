/* The functions that write formats, for the rows of export_formats. */
#ifndef CGVIEW_PRINT_EXPORT_FORMATS
#define CGVIEW_PRINT_EXPORT_FORMATS

#include "print/export/export.h"

/* The tables that stacks are made of (export_stacks.h). */
#define EXPORT_STACK_TABLES                                                                    \
	(EXPORT_TABLE(FILE) | EXPORT_TABLE(PROCEDURE) | EXPORT_TABLE(SITE) | EXPORT_TABLE(BLOCK) | \
	 EXPORT_TABLE(CONTEXT))
/* The same with what tracks are made of. */
#define EXPORT_TRACK_TABLES (EXPORT_STACK_TABLES | EXPORT_TABLE(LINE))
/* Those of procedures and their calls. */
#define EXPORT_CALL_TABLES                                                                     \
	(EXPORT_TABLE(FILE) | EXPORT_TABLE(PROCEDURE) | EXPORT_TABLE(BLOCK) | EXPORT_TABLE(SITE) | \
	 EXPORT_TABLE(ARC))

int export_callgrind(struct export *e, FILE *out, struct error *err);
int export_chrome(struct export *e, FILE *out, struct error *err);
int export_cobertura(struct export *e, FILE *out, struct error *err);
int export_cpuprofile(struct export *e, FILE *out, struct error *err);
int export_csv(struct export *e, FILE *out, struct error *err);
int export_firefox(struct export *e, FILE *out, struct error *err);
int export_folded(struct export *e, FILE *out, struct error *err);
int export_html(struct export *e, FILE *out, struct error *err);
int export_gcov(struct export *e, FILE *out, struct error *err);
int export_lcov(struct export *e, FILE *out, struct error *err);
int export_lcov2(struct export *e, FILE *out, struct error *err);
int export_pprof(struct export *e, FILE *out, struct error *err);
int export_speedscope(struct export *e, FILE *out, struct error *err);

#endif
