#include "cmd/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/error.h"
#include "util/mem.h"
#include "util/numbers.h"

enum { OPTION_LONG = 256 }; /* getopt's value of the first row of a table */

const char *const output_formats[] = {
	[FORMAT_TEXT] = "text", [FORMAT_CSV] = "csv", [FORMAT_JSON] = "json", NULL
};

static size_t
count_options(const struct command_option *table)
{
	size_t nr = 0;

	while (table[nr].name)
		nr++;
	return nr;
}

/* ---- help ---- */

static void
print_help(const struct command_options *c)
{
	struct strbuf name = STRBUF_INIT;

	fputs(c->head, stdout);
	for (const struct command_option *o = c->table; o->name; o++) {
		const char *line = o->help;

		if (!line)
			continue;
		strbuf_clear(&name);
		strbuf_str(&name, "  ");
		if (o->letter)
			strbuf_fmt(&name, "-%c, ", o->letter);
		strbuf_fmt(&name, "--%s%s%s", o->name, o->value ? " " : "",
			   o->value ? o->value : "");
		if (name.len >= (size_t)c->width)
			printf("%s\n%*s", name.buf, c->width, "");
		else
			printf("%-*s", c->width, name.buf);
		for (size_t n; n = strcspn(line, "\n"), line[n]; line += n + 1)
			printf("%.*s\n%*s", (int)n, line, c->width, "");
		puts(line);
	}
	printf("  %-*s%s\n%s", c->width - 2, "--help", "this text", c->tail);
	strbuf_release(&name);
}

/* ---- values ---- */

/* The place of VALUE among the choices. */
static int
choose(const struct command_options *c, const struct command_option *o, const char *value)
{
	struct strbuf all = STRBUF_INIT;
	int i;

	for (i = 0; o->choices[i]; i++) {
		if (!strcmp(o->choices[i], value))
			return i;
	}
	for (i = 0; o->choices[i]; i++) {
		strbuf_str(&all, !i ? "" : o->choices[i + 1] ? ", " : " or ");
		strbuf_str(&all, o->choices[i]);
	}
	die(2, "%s: --%s %s: it is %s", c->command, o->name, value, all.buf);
}

static size_t
read_number(const struct command_options *c, const struct command_option *o, const char *value)
{
	size_t most = o->number.most ? o->number.most : SIZE_MAX;
	unsigned long long n;
	char *end;

	errno = 0;
	n = strtoull(value, &end, 10);
	if (*value < '0' || *value > '9' || *end || errno || n < o->number.least || n > most)
		die(2, "%s: --%s %s: it is %s", c->command, o->name, value, o->number.what);
	return (size_t)n;
}

static const char *
check_list(const struct command_options *c, const struct command_option *o, const char *value)
{
	const char *rest = value;
	size_t from, to;
	int status;

	while ((status = numbers_next(&rest, &from, &to)) > 0)
		;
	if (status || !*value)
		die(2, "%s: --%s %s: it is a list of numbers, as 1,3-5", c->command, o->name,
		    value);
	return value;
}

static void
set(const struct command_options *c, const struct command_option *o, void *options)
{
	char *member = (char *)options + o->offset;

	switch (o->type) {
	case OPTION_FLAG:
		*(bool *)member = true;
		break;
	case OPTION_TEXT:
		*(const char **)member = optarg;
		break;
	case OPTION_CHOICE:
		*(int *)member = choose(c, o, optarg);
		break;
	case OPTION_NUMBER:
		*(size_t *)member = read_number(c, o, optarg);
		break;
	case OPTION_LIST:
		*(const char **)member = check_list(c, o, optarg);
		break;
	case OPTION_CALL:
		o->set(options, optarg);
		break;
	}
}

/* ---- words ---- */

/* What getopt says about the word before optind, or about a letter in it, which is then optopt:
 * in a cluster of letters optind stays at the word. */
static void __attribute__((noreturn))
refuse(const struct command_options *c, int key, char **argv)
{
	const char letter[] = { '-', (char)optopt, '\0' };
	const char *word = optopt && optopt < OPTION_LONG ? letter : argv[optind - 1];

	if (key == ':')
		die(2, "%s: %s wants a value; see cgview %s --help", c->command, word, c->usage);
	if (c->stranger)
		die(2, "%s: %s %s; see cgview %s --help", c->command, word, c->stranger, c->usage);
	die(2, "%s: unknown option %s; see cgview %s --help", c->command, word, c->usage);
}

/* The table for getopt: the row of KEY is KEY - OPTION_LONG; the last is --help. LETTERS gets those
 * of the options. Heap. */
static struct option *
make_table(const struct command_options *c, size_t nr, struct strbuf *letters)
{
	struct option *all = xcalloc(nr + 2, sizeof(*all));

	strbuf_str(letters, ":h");
	for (size_t i = 0; i < nr; i++) {
		const struct command_option *o = &c->table[i];

		all[i] = (struct option){ o->name, o->value ? required_argument : no_argument,
					  NULL, OPTION_LONG + (int)i };
		if (o->letter)
			strbuf_fmt(letters, "%c%s", o->letter, o->value ? ":" : "");
	}
	all[nr] = (struct option){ "help", no_argument, NULL, OPTION_LONG + (int)nr };
	return all;
}

static size_t
row_of(const struct command_options *c, int key)
{
	size_t i = 0;

	if (key >= OPTION_LONG)
		return (size_t)(key - OPTION_LONG);
	while (c->table[i].name && c->table[i].letter != key)
		i++;
	return i; /* -h: behind the last, as --help is */
}

int
options_parse(const struct command_options *c, void *options, int argc, char **argv)
{
	size_t nr = count_options(c->table), row;
	struct strbuf letters = STRBUF_INIT;
	struct option *all = make_table(c, nr, &letters);
	bool help = false;
	int key;

	optind = 0; /* start anew: the command before us may have used getopt */
	while (!help && (key = getopt_long(argc, argv, letters.buf, all, NULL)) != -1) {
		if (key == ':' || key == '?')
			refuse(c, key, argv);
		row = row_of(c, key);
		help = row == nr;
		if (!help)
			set(c, &c->table[row], options);
	}
	if (help)
		print_help(c);
	strbuf_release(&letters);
	free(all);
	return help ? 0 : optind;
}

const char *
options_profile(const struct command_options *c, int first, int argc, char **argv)
{
	if (first == argc)
		die(2, "%s: which profile? See cgview %s --help", c->command, c->usage);
	if (first < argc - 1)
		die(2, "%s: one profile at a time, not also %s", c->command, argv[first + 1]);
	return argv[first];
}
