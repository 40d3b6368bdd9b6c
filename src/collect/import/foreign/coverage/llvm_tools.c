#include "collect/import/foreign/coverage/llvm_tools.h"

#include <stdbool.h>
#include <stdlib.h>

#include "collect/import/foreign/printer.h"
#include "util/mem.h"

const char llvm_tools_missing[] =
	"there is no llvm-profdata with its llvm-cov in PATH, which read what clang counts: "
	"install them (apt install llvm)";

char *
llvm_tool(const char *name, int release)
{
	return release == LLVM_PLAIN ? xstrdup(name) : xasprintf("%s-%d", name, release);
}

static bool
is_there(const char *name, int release)
{
	char *tool = llvm_tool(name, release);
	bool is = printer_is_there(tool);

	free(tool);
	return is;
}

int
llvm_tools_find(int after)
{
	for (int release = after ? after - 1 : LLVM_PLAIN; release >= LLVM_OLDEST; release--)
		if (is_there("llvm-profdata", release) && is_there("llvm-cov", release))
			return release;
	return 0;
}
