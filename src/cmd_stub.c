/* Commands that are not there yet. */
#include "commands.h"
#include "util/error.h"

__attribute__((weak)) int
cmd_browse(int argc, char **argv)
{
	(void)argc, (void)argv;
	die(1, "the browser is not built in");
}

__attribute__((weak)) int
cmd_report(int argc, char **argv)
{
	(void)argc, (void)argv;
	die(1, "the report is not built in");
}
