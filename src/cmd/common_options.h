/* Options that several commands have, as rows of their tables: the arguments are .offset = ... */
#ifndef CGVIEW_CMD_COMMON_OPTIONS_H
#define CGVIEW_CMD_COMMON_OPTIONS_H

#include "db/store/profile.h"
#include "util/options.h"

/* The formats of the commands that print. */
enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON, FORMAT_LINES };
extern const char *const output_formats[];
extern const char *const report_formats[]; /* and FORMAT_LINES */

#define FORMAT_OPTION(...) \
	{ "format", 0, "FORMAT", "text (the default), csv or json", \
	  OPTION_CHOICE, __VA_ARGS__, .choices = output_formats }
#define REPORT_FORMAT_OPTION(...) \
	{ "format", 0, "FORMAT", \
	  "text (the default), csv, json; or lines, which editors read:\n" \
	  "FILE:LINE:COLUMN: and figures of each row that has a place", \
	  OPTION_CHOICE, __VA_ARGS__, .choices = report_formats }
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
#define SPAN_OPTION(...) \
	{ "span", 0, "FROM,TO", \
	  "only samples, times and waiting from FROM to TO since the run\n" \
	  "began (1.5s, 20ms, begin, end); counts stay those of all of it", \
	  OPTION_TEXT, __VA_ARGS__ }

/* bool: without texts. */
extern const char *const source_choices[];
#define SOURCES_OPTION(...) \
	{ "sources", 0, "WHICH", "none: keep no source texts in the profile; all (the\n" \
	  "default): those that can be read", OPTION_FLAG, __VA_ARGS__, .choices = source_choices }

/* .set = what gives the value to source_path_option(). */
#define SOURCE_PATH_OPTION(...) \
	{ "source-path", 0, "OLD=NEW|DIR", \
	  "sources that are not where the compiler read them: those\n" \
	  "of OLD are in NEW now; or, look for them in DIR; may be\n" \
	  "given several times", OPTION_CALL, __VA_ARGS__ }

/* The program ends with 2 when DIRECTORY, the value of OPTION, is none. */
void directory_option(const char *option, const char *directory);

#define DEBUG_DIR_OPTION \
	{ "debug-dir", 0, "DIR", "look for separate debug files below DIR, too, as below\n" \
	  "/usr/lib/debug; may be given several times", OPTION_CALL, .set = debug_dir_option }
void debug_dir_option(void *ignored, char *directory);

/* Adds the value of --source-path; the program ends with 2 when it is none. */
struct source_paths;
void source_path_option(struct source_paths *p, const char *value);

/* Returns what report --by NAME lists. COMMAND ends with 2 when it is unknown; `tree`, which is no
 * list, is LIST_NR if COMMAND is TREES. */
enum list_kind kind_option(const char *command, const char *name, bool trees);

/* Returns what -o PATTERN says, its words replaced (collect/pattern.h); heap. */
const char *output_option(const char *pattern);

/* What record writes when nobody says where, and what is read when nobody says what. */
#define DEFAULT_PROFILE "prof.db"

/* Is there a profile that is meant when none is named? It is DEFAULT_PROFILE, and standard error is
 * told so; COMMAND is the command that asks, NULL: cgview itself. */
bool profile_by_default(const char *command);

/* Is there any profile in the working directory? */
bool profile_is_here(void);

/* Ends the program with 2: no profile is named, and DEFAULT_PROFILE is not there. Names the newest
 * other one of the working directory. USAGE: whose --help is named. */
void profile_none(const char *command, const char *usage) __attribute__((noreturn));

/* Returns the only word behind the options, a profile (or what private_profile() makes of it);
 * DEFAULT_PROFILE, if it is there, when there is no word. The program ends with 2 when there is
 * none, or more than one. FIRST: as options_parse() returned it. */
const char *options_profile(const struct option_table *t, int first, int argc, char **argv);

/* Ends the program with 1: P has no procedure NAME; those with a name that is near are named. */
void refuse_procedure(struct profile *p, const char *name) __attribute__((noreturn));

#endif
