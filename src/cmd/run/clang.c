#include "cmd/run/clang.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/run/left_behind.h"
#include "collect/import/foreign/coverage/llvm_objects.h"
#include "collect/import/foreign/coverage/llvm_tools.h"
#include "util/error.h"
#include "util/mem.h"

void
clang_check(struct clang *c, const char *const *words, size_t nr, bool more)
{
	enum { MOST = 100 };
	struct llvm_objects objects;

	if (more)
		die(2, "record --clang: clang counts, and nothing is sampled: leave out what is "
		    "for samples and for programs built with cgcc");

	if (!llvm_tools_find(0))
		die(NOT_FOUND, "record --clang: %s", llvm_tools_missing);
	for (size_t i = 0; i < nr && i < MOST && !c->program; i++) {
		c->program = find_program(words[i]);
		if (!c->program)
			continue;
		llvm_objects_find(&objects, c->program);
		if (!objects.nr) {
			free(c->program);
			c->program = NULL;
		}
		llvm_objects_release(&objects);
	}
}

void
clang_set_directory(struct clang *c, const char *directory)
{
	int fd = strchr(directory, '%') ? open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;

	/* It stays open: programs reach it by that. */
	c->directory = fd < 0 ? xstrdup(directory)
			      : xasprintf("/proc/%d/fd/%d", (int)getpid(), fd);
}

void
clang_set_environment(const struct clang *c, size_t number)
{
	char *path;

	if (!c->wanted)
		return;
	/* A file for each program and library, to which processes add their counts in turn:
	 * thousands of processes leave no more than one does. */
	path = xasprintf("%s/run%zu-%%m" CLANG_SUFFIX, c->directory, number);
	setenv("LLVM_PROFILE_FILE", path, 1);
	free(path);
}

char *
clang_nothing(const struct clang *c, const char *program)
{
	if (c->program)
		return xasprintf("%s left no counts (.profraw): clang's runtime writes them when "
				 "the program returns from main() or calls exit(), and it ended in "
				 "another way", c->program);
	return xasprintf("%s left no counts (.profraw): was it built by clang with "
			 "-fprofile-instr-generate -fcoverage-mapping?", program);
}
