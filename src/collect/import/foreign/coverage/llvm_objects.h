/* What of a program clang built with -fcoverage-mapping: the program itself, and libraries. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_COVERAGE_LLVM_OBJECTS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_COVERAGE_LLVM_OBJECTS_H

#include <stddef.h>

#include "util/mem.h"

struct llvm_objects {
	const char **paths;        /* the program first, if it is one of them */
	size_t nr, alloc;
	struct arena arena;        /* owns texts */
};

/* Looks at PROGRAM and at the libraries that it and they need, where the dynamic linker would find
 * them: by their own paths, LD_LIBRARY_PATH, and in the usual directories. Nothing is executed, and
 * what the program opens itself (dlopen) is not found. */
void llvm_objects_find(struct llvm_objects *o, const char *program);
void llvm_objects_release(struct llvm_objects *o);

#endif
