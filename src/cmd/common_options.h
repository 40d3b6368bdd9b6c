/* Options that several commands have, as rows of their tables: the arguments are .offset = ... */
#ifndef CGVIEW_CMD_COMMON_OPTIONS_H
#define CGVIEW_CMD_COMMON_OPTIONS_H

#include "util/options.h"

/* The formats of the commands that print. */
enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };
extern const char *const output_formats[];

#define FORMAT_OPTION(...) \
	{ "format", 0, "FORMAT", "text (the default), csv or json", \
	  OPTION_CHOICE, __VA_ARGS__, .choices = output_formats }
#define THREADS_OPTION(...) \
	{ "threads", 0, "LIST", \
	  "only what these threads did: numbers of --by thread, as 1,3-5", \
	  OPTION_LIST, __VA_ARGS__ }
#define RUNS_OPTION(...) \
	{ "runs", 0, "LIST", "only what was done in these runs: numbers of --by run", \
	  OPTION_LIST, __VA_ARGS__ }
#define RANKS_OPTION(...) \
	{ "ranks", 0, "LIST", "only what processes of these ranks did, in a parallel program", \
	  OPTION_LIST, __VA_ARGS__ }

/* bool: without texts. */
extern const char *const source_choices[];
#define SOURCES_OPTION(...) \
	{ "sources", 0, "WHICH", "none: keep no source texts in the profile; all (the\n" \
	  "default): those that can be read", OPTION_FLAG, __VA_ARGS__, .choices = source_choices }

/* Returns the only word behind the options, a profile; when it is not just one, the program ends
 * with 2. FIRST: as options_parse() returned it. */
const char *options_profile(const struct option_table *t, int first, int argc, char **argv);

#endif
