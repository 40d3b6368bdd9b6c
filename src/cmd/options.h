/* Options of commands as tables, from which they are parsed and --help is printed. */
#ifndef CGVIEW_CMD_OPTIONS
#define CGVIEW_CMD_OPTIONS

#include <stdbool.h>
#include <stddef.h>

enum option_type {
	OPTION_FLAG,     /* bool: true */
	OPTION_TEXT,     /* const char *: the value */
	OPTION_CHOICE,   /* int: which of the choices it is */
	OPTION_NUMBER,   /* size_t */
	OPTION_LIST,     /* const char *: a list of numbers, see util/numbers.h */
	OPTION_CALL,     /* set() gets the value, and dies if it does not like it */
};

struct command_option {
	const char *name;        /* without "--"; NULL ends the table */
	char letter;             /* 0: none */
	const char *value;       /* as --help calls it; NULL: it takes none */
	const char *help;        /* lines, without '\n' at the end; NULL: not in --help */
	enum option_type type;
	size_t offset;           /* of what is set, in the options of the command */
	const char *const *choices;               /* of OPTION_CHOICE; ends with NULL */
	struct {
		const char *what;                 /* "a number of rows" */
		size_t least;                     /* at most SIZE_MAX, when .most is 0 */
		size_t most;
	} number;                                 /* of OPTION_NUMBER */
	void (*set)(void *options, char *value);  /* of OPTION_CALL */
};

struct command_options {
	const char *command;     /* "report": in messages */
	const char *usage;       /* "report --by tree": that whose --help they name */
	const char *stranger;    /* what is said of options that are none; NULL: unknown */
	const char *head, *tail; /* of --help, before and behind the options */
	int width;               /* of the names of options in --help */
	const struct command_option *table;
};

/* The formats of the commands that print. */
enum output_format { FORMAT_TEXT, FORMAT_CSV, FORMAT_JSON };
extern const char *const output_formats[];

/* Options that several commands have; the arguments are .offset = ... */
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

/* Parse ARGV into OPTIONS. Returns where in ARGV the other words begin (they are moved to the end);
 * 0: --help was asked for, and was printed. Ends the program with 2 when the options are wrong. */
int options_parse(const struct command_options *c, void *options, int argc, char **argv);

/* The only word behind the options, a profile; not just one ends the program with 2. FIRST: as
 * options_parse() returned it. */
const char *options_profile(const struct command_options *c, int first, int argc, char **argv);

#endif
