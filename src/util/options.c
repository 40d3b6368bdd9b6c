#include "util/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/mem.h"
#include "util/text/nearest.h"
#include "util/text/numbers.h"

enum { OPTION_LONG = 256 }; /* getopt's value of the first row of a table */

static bool
takes_value(const struct option_row *o)
{
	return o->value || o->choices;
}

const struct option_row *
options_find(const struct option_row *rows, const char *name)
{
	for (const struct option_row *o = rows; o->name; o++) {
		if (!strcmp(o->name, name))
			return o;
	}
	return NULL;
}

/* ---- help ---- */

static void
add_value(struct strbuf *text, const struct option_table *t, const struct option_row *o)
{
	if (o->optional)
		strbuf_str(text, "[=");
	else if (takes_value(o))
		strbuf_char(text, t->bare ? '=' : ' ');
	if (o->value)
		strbuf_str(text, o->value);
	for (int i = 0; !o->value && o->choices && o->choices[i]; i++)
		strbuf_fmt(text, "%s%s", i ? "|" : "", o->choices[i]);
	if (o->optional)
		strbuf_char(text, ']');
}

static void
print_row(const struct option_table *t, const struct option_row *o)
{
	struct strbuf name = STRBUF_INIT;
	const char *line = o->help;

	if (o->above)
		fputs(o->above, stdout);
	strbuf_str(&name, "  ");
	if (o->letter)
		strbuf_fmt(&name, "-%c, ", o->letter);
	strbuf_fmt(&name, "%s%s", t->bare ? "" : "--", o->name);
	add_value(&name, t, o);
	if (name.len >= (size_t)t->width)
		printf("%s\n%*s", name.buf, t->width, "");
	else
		printf("%-*s", t->width, name.buf);
	for (size_t n; n = strcspn(line, "\n"), line[n]; line += n + 1)
		printf("%.*s\n%*s", (int)n, line, t->width, "");
	puts(line);
	strbuf_release(&name);
}

void
options_help(const struct option_table *t)
{
	fputs(t->head, stdout);
	for (const struct option_row *o = t->rows; o->name; o++) {
		if (o->help)
			print_row(t, o);
	}
	if (!t->bare)
		printf("  %-*s%s\n", t->width - 2, "--help", "this text");
	fputs(t->tail, stdout);
}

/* ---- values ---- */

/* Are there more choices than one wants to read in a message? */
static bool
has_many(const char *const *choices)
{
	enum { FEW = 8 };
	size_t nr = 0;

	while (choices[nr] && nr <= FEW)
		nr++;
	return nr > FEW;
}

/* The place of VALUE among the choices, -1. */
static int
choose(const struct option_row *o, const char *value, struct error *err)
{
	struct strbuf all = STRBUF_INIT;
	char *question;

	for (int i = 0; o->choices[i]; i++) {
		if (!strcmp(o->choices[i], value))
			return i;
	}
	question = nearest_of(value, o->choices);
	if (question && has_many(o->choices)) {
		error_set(err, "it is unknown%s --help", question);
		free(question);
		return -1;
	}
	free(question);
	for (int i = 0; o->choices[i]; i++) {
		strbuf_str(&all, !i ? "" : o->choices[i + 1] ? ", " : " or ");
		strbuf_str(&all, o->choices[i]);
	}
	error_set(err, "it is %s", all.buf);
	strbuf_release(&all);
	return -1;
}

static int
read_number(const struct option_row *o, const char *value, size_t *number, struct error *err)
{
	size_t most = o->number.most ? o->number.most : SIZE_MAX;
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(value, &end, 10);
	*number = (size_t)n;
	if (*value >= '0' && *value <= '9' && !*end && !errno && n >= o->number.least && n <= most)
		return 0;
	if (o->number.what)
		return error_set(err, "it is %s", o->number.what);
	return error_set(err, "it is a number from %zu to %zu", o->number.least, most);
}

static int
check_list(const char *value, struct error *err)
{
	const char *rest = value;
	size_t from, to;
	int status;

	while ((status = numbers_next(&rest, &from, &to)) > 0)
		;
	return status || !*value ? error_set(err, "it is a list of numbers, as 1,3-5") : 0;
}

int
option_set(const struct option_row *o, void *options, char *value, struct error *err)
{
	char *member = (char *)options + o->offset;
	int choice = 0;

	if (takes_value(o) != (value != NULL) && !(o->optional && !value))
		return error_set(err, value ? "it takes no value" : "it wants a value");
	if (o->choices && (choice = choose(o, value, err)) < 0)
		return -1;
	switch (o->type) {
	case OPTION_FLAG:
		*(bool *)member = !o->choices || choice;
		break;
	case OPTION_CONSTANT:
		*(int *)member = o->constant;
		break;
	case OPTION_CHOICE:
		*(int *)member = choice;
		break;
	case OPTION_NUMBER:
		return read_number(o, value, (size_t *)member, err);
	case OPTION_LIST:
		if (check_list(value, err))
			return -1;
		/* fall through */
	case OPTION_TEXT:
		*(const char **)member = value;
		break;
	case OPTION_CALL:
		o->set(options, value);
		break;
	}
	return 0;
}

/* ---- words ---- */

static size_t
count_rows(const struct option_row *rows)
{
	size_t nr = 0;

	while (rows[nr].name)
		nr++;
	return nr;
}

/* As nearest_question(): the options whose names are near to WORD, "--NAME" or "--NAME=VALUE". */
static char *
nearest_option(const struct option_table *t, const char *word)
{
	char *wanted = xstrndup(word, strcspn(word, "=")), *option, *question;
	struct nearest n;

	nearest_init(&n, wanted);
	for (const struct option_row *o = t->rows; o->name && !strncmp(word, "--", 2); o++) {
		option = xasprintf("--%s", o->name);
		nearest_try(&n, option);
		free(option);
	}
	question = nearest_question(&n);
	nearest_release(&n);
	free(wanted);
	return question;
}

/* Dies of what getopt refused: the word before optind, or a letter in it, which is then optopt: in
 * a cluster of letters optind stays at the word. */
static void __attribute__((noreturn))
refuse(const struct option_table *t, int key, char **argv)
{
	const char letter[] = { '-', (char)optopt, '\0' };
	const char *word = optopt && optopt < OPTION_LONG ? letter : argv[optind - 1];
	char *question;

	if (key == ':')
		die(2, "%s: %s wants a value; see cgview %s --help", t->command, word, t->usage);
	if (t->stranger)
		die(2, "%s: %s %s; see cgview %s --help", t->command, word, t->stranger, t->usage);
	question = nearest_option(t, word);
	die(2, "%s: unknown option %s%s cgview %s --help", t->command, word,
	    question ? question : "; see", t->usage);
}

/* The table for getopt: the row of KEY is KEY - OPTION_LONG; the last is --help. LETTERS gets those
 * of the options. Heap. */
static struct option *
make_table(const struct option_table *t, size_t nr, struct strbuf *letters)
{
	struct option *all = xcalloc(nr + 2, sizeof(*all));

	strbuf_str(letters, t->in_order ? "+:h" : ":h");
	for (size_t i = 0; i < nr; i++) {
		const struct option_row *o = &t->rows[i];

		all[i] = (struct option){ o->name, o->optional ? optional_argument :
					  takes_value(o) ? required_argument : no_argument,
					  NULL, OPTION_LONG + (int)i };
		if (o->letter)
			strbuf_fmt(letters, "%c%s", o->letter, takes_value(o) ? ":" : "");
	}
	all[nr] = (struct option){ "help", no_argument, NULL, OPTION_LONG + (int)nr };
	return all;
}

static size_t
row_of(const struct option_table *t, int key)
{
	size_t i = 0;

	if (key >= OPTION_LONG)
		return (size_t)(key - OPTION_LONG);
	while (t->rows[i].name && t->rows[i].letter != key)
		i++;
	return i; /* -h: behind the last, as --help is */
}

static void
set(const struct option_table *t, const struct option_row *o, void *options)
{
	struct error err = ERROR_INIT;

	if (option_set(o, options, optarg, &err))
		die(2, "%s: --%s %s: %s", t->command, o->name, optarg, err.text);
}

int
options_parse(const struct option_table *t, void *options, int argc, char **argv)
{
	size_t nr = count_rows(t->rows), row;
	struct strbuf letters = STRBUF_INIT;
	struct option *all = make_table(t, nr, &letters);
	bool help = false;
	int key;

	optind = 0; /* start anew: the command before us may have used getopt */
	while (!help && (key = getopt_long(argc, argv, letters.buf, all, NULL)) != -1) {
		if (key == ':' || key == '?')
			refuse(t, key, argv);
		row = row_of(t, key);
		help = row == nr;
		if (!help)
			set(t, &t->rows[row], options);
	}
	if (help)
		options_help(t);
	strbuf_release(&letters);
	free(all);
	return help ? 0 : optind;
}
