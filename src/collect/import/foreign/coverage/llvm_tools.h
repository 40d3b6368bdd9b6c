/* llvm-profdata and llvm-cov: what reads profiles of clang must be of its release. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_COVERAGE_LLVM_TOOLS_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_COVERAGE_LLVM_TOOLS_H

/* Releases to be tried in turn; the first one is what is called without a number. */
enum { LLVM_PLAIN = 31, LLVM_NEWEST = 30, LLVM_OLDEST = 11 };

/* Returns the first release behind AFTER (0: the first of all) that has both tools in PATH; 0:
 * there is none. */
int llvm_tools_find(int after);
/* How a tool of RELEASE is called; heap. */
char *llvm_tool(const char *name, int release);

/* What to tell then. */
extern const char llvm_tools_missing[];

#endif
