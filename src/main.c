/* cgview: the table of commands. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd/cmd_output.h"
#include "cmd/commands.h"
#include "cmd/common_options.h"
#include "util/error.h"
#include "util/installed.h"
#include "util/text/nearest.h"

struct command {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *arguments, *help;
};

static int cmd_help(int argc, char **argv);
static int cmd_version(int argc, char **argv);

static const struct command commands[] = {
	{ "browse", cmd_browse, "FILE", "look at a profile (the default: cgview FILE)" },
	{ "run", cmd_run, "FILE.c... [ARG...]", "compile, record and browse in one go" },
	{ "record", cmd_record, "[-a] [-o FILE] -- PROGRAM [ARG...]",
	  "run a program and profile it" },
	{ "watch", cmd_watch, "[--once] [-- PROGRAM... | PID]",
	  "look at a program while it runs" },
	{ "import", cmd_import, "[-a] [-o FILE] RAW...",
	  "make a profile from raw profiles left behind" },
	{ "report", cmd_report, "[--by WHAT] FILE", "print a profile as text, csv or json" },
	{ "brief", cmd_brief, "[A] [B]", "the ten facts that matter, of a profile or of two" },
	{ "guide", cmd_guide, "", "how to ask: commands, SQL, questions" },
	{ "annotate", cmd_annotate, "[--procedure NAME] FILE",
	  "print the source with its figures" },
	{ "bands", cmd_bands, "[-o FILE.svg] FILE", "draw live memory over time" },
	{ "export", cmd_export, "--format FORMAT [-o OUT] FILE",
	  "write a profile in the format of another tool" },
	{ "diff", cmd_diff, "[-e EXPR] [--by WHAT] A B...", "compare profiles" },
	{ "merge", cmd_merge, "-o FILE PROFILE...", "add up profiles" },
	{ "reduce", cmd_reduce, "-o OUT RAW...", "add up raw profiles of many processes" },
	{ "pin", cmd_pin, "[--name NAME] FILE ARC=COUNT...",
	  "set counts of calls that are open, and keep them" },
	{ "help", cmd_help, "[COMMAND]", "this list, or how to use a command" },
	{ "version", cmd_version, "", "print the version" },
};

enum { NR_COMMANDS = sizeof(commands) / sizeof(*commands) };

static const struct command *
find_command(const char *name)
{
	size_t i;

	for (i = 0; i < NR_COMMANDS; i++)
		if (!strcmp(commands[i].name, name))
			return &commands[i];
	return NULL;
}

static void
print_commands(FILE *to)
{
	size_t i;

	fputs("cgview: profiles of C programs, seen on their source\n\n"
	      "  make CC=cgcc                 compile the program with cgcc\n"
	      "  cgview record -- ./prog      run it\n"
	      "  cgview prof.db               look where it spent its time\n\n"
	      "commands:\n", to);
	for (i = 0; i < NR_COMMANDS; i++)
		fprintf(to, "  %-8s %-34s  %s\n", commands[i].name, commands[i].arguments,
			commands[i].help);
	fputs("\nMore: cgview help COMMAND, man cgview\n", to);
}

static void __attribute__((noreturn))
refuse_command(const char *name, const char *is)
{
	struct nearest n;
	char *question;

	nearest_init(&n, name);
	for (size_t i = 0; i < NR_COMMANDS; i++)
		nearest_try(&n, commands[i].name);
	question = nearest_question(&n);
	die(2, "'%s' is %s%s cgview help", name, is, question ? question : "; see");
}

static int
cmd_help(int argc, char **argv)
{
	static char option[] = "--help";
	const struct command *c = argc > 1 ? find_command(argv[1]) : NULL;

	if (argc > 1 && strncmp(argv[1], "-", 1) && !c)
		refuse_command(argv[1], "no command");
	if (c && c->run != cmd_help && c->run != cmd_version)
		return c->run(2, (char *[]){ argv[1], option, NULL });
	print_commands(stdout);
	return output_finish("help");
}

static int
cmd_version(int argc, char **argv)
{
	(void)argc, (void)argv;
	printf("cgview %s\n", installed_version);
	return output_finish("version");
}

/* Names without "/" and "." that are no file were meant as commands. */
static bool
is_typo(const char *name)
{
	return name[0] != '-' && !strpbrk(name, "/.") && access(name, F_OK);
}

static int
run(int argc, char **argv)
{
	const struct command *c = find_command(argv[1]);

	if (c)
		return c->run(argc - 1, argv + 1);
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return cmd_help(1, argv);
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V"))
		return cmd_version(1, argv);
	if (is_typo(argv[1]))
		refuse_command(argv[1], "neither a command nor a profile");
	return cmd_browse(argc, argv);
}

/* A file of ours must not get the number of one of the standard descriptors, where messages would
 * be written into it. A descriptor that was closed can still not be read or written, and is closed
 * for programs that are started. */
static void
occupy_standard(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int flags = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", flags | O_CLOEXEC) != fd)
			_exit(1);
	}
}

static void
do_nothing(int signal)
{
	(void)signal;
}

/* Writing beyond the limit of file sizes, or to a reader that has gone, is an error that the status
 * tells, not the end. With a handler it is so for us alone: programs that are started find what we
 * found. */
static void
outlive_writing(void)
{
	static const int signals[] = { SIGXFSZ, SIGPIPE };
	struct sigaction a, before;

	memset(&a, 0, sizeof(a));
	a.sa_handler = do_nothing;
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		if (!sigaction(signals[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(signals[i], &a, NULL);
}

int
main(int argc, char **argv)
{
	int status;

	occupy_standard();
	outlive_writing();
	setlocale(LC_CTYPE, "");
	if (argc < 2 && !profile_is_here()) {
		fputs("cgview: there is no profile here\n\n", stderr);
		print_commands(stderr);
		return 2;
	}
	status = argc < 2 ? cmd_browse(argc, argv) : run(argc, argv);
	if (fflush(stdout) || ferror(stdout))
		die(1, "cannot write to standard output");
	return status;
}
