/* record --clang: programs that clang compiled with counters of its own. */
#ifndef CGVIEW_CMD_CLANG_H
#define CGVIEW_CMD_CLANG_H

#include <stdbool.h>
#include <stddef.h>

struct clang {
	bool wanted;
	char *program;             /* the word of the command that has such counters, or a library
				    * that has; or NULL */
	char *directory;           /* for counts, by a path without a '%' */
};
#define CLANG_SUFFIX ".profraw"

/* Ends this program with one line unless LLVM's tools are there, or if MORE is asked for. The
 * command has NR words. */
void clang_check(struct clang *c, const char *const *words, size_t nr, bool more);

/* Counts go into DIRECTORY, which is there. Clang's runtime has patterns, and no way to write a '%'
 * that is none: then the path leads over a descriptor of this process. */
void clang_set_directory(struct clang *c, const char *directory);
/* In the child, before the program: its counts are those of run NUMBER. */
void clang_set_environment(const struct clang *c, size_t number);

/* Why PROGRAM left no counts; heap. */
char *clang_nothing(const struct clang *c, const char *program);

#endif
