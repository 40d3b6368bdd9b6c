/* Options as rows of a table, from which they are parsed and --help is printed: those of commands,
 * and what else is set by name: flags in a list, lines of a file. */
#ifndef CGVIEW_UTIL_OPTIONS_H
#define CGVIEW_UTIL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "util/error.h"

enum option_type {
	OPTION_FLAG,     /* bool: true; with choices: whether it is the second */
	OPTION_CONSTANT, /* int: .constant */
	OPTION_TEXT,     /* const char *: the value */
	OPTION_CHOICE,   /* int: which of the choices it is */
	OPTION_NUMBER,   /* size_t */
	OPTION_LIST,     /* const char *: a list of numbers, see util/text/numbers.h */
	OPTION_CALL,     /* set() gets the value, and dies if it does not like it */
};

struct option_row {
	const char *name;        /* without "--"; NULL ends the table */
	char letter;             /* 0: none */
	const char *value;       /* as --help calls it; NULL: its choices; if none, no value */
	const char *help;        /* lines, without '\n' at the end; NULL: not in --help */
	enum option_type type;
	size_t offset;           /* of what is set, in the options of the command */
	const char *const *choices;               /* the values there are, then NULL; NULL: any */
	int constant;                             /* of OPTION_CONSTANT */
	struct {
		const char *what;                 /* "a number of rows"; NULL: "a number from..." */
		size_t least;                     /* at most SIZE_MAX, when .most is 0 */
		size_t most;
	} number;                                 /* of OPTION_NUMBER */
	void (*set)(void *options, char *value);  /* of OPTION_CALL */
	bool optional;                            /* the value, which --NAME=VALUE gives */
	const char *above;                        /* printed above it in --help; NULL: nothing */
};

struct option_table {
	const char *command;     /* "report": in messages */
	const char *usage;       /* "report --by tree": that whose --help they name */
	const char *stranger;    /* what is said of options that are none; NULL: unknown */
	const char *head, *tail; /* of --help, before and behind the options */
	int width;               /* of the names of options in --help */
	bool in_order;           /* the first other word ends the options, also when more follow */
	bool bare;               /* in --help they are NAME=VALUE, and --help is none of them */
	const struct option_row *rows;
};

/* Parse ARGV into OPTIONS. Returns where in ARGV the other words begin (they are moved to the end);
 * 0: --help was asked for, and was printed. Ends the program with 2 when the options are wrong: for
 * command code only. */
int options_parse(const struct option_table *t, void *options, int argc, char **argv);

/* Prints what --help prints, to standard output. */
void options_help(const struct option_table *t);

/* The row of NAME in full; NULL: there is none. */
const struct option_row *options_find(const struct option_row *rows, const char *name);

/* Sets the field of OPTIONS that O describes by VALUE (NULL: none is given). -1: it may not be
 * that; ERR has neither the name nor the value and begins with "it is", "it takes" or "it
 * wants". */
int option_set(const struct option_row *o, void *options, char *value, struct error *err);

#endif
