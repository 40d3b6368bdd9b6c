/* Annotations of a change at lines of its repository, for who builds it: commands of a GitHub
 * workflow, or a Code Quality report of GitLab. Only what is claimed is told. */
#ifndef CGVIEW_PRINT_ANNOTATIONS
#define CGVIEW_PRINT_ANNOTATIONS

#include "print/diff.h"
#include "print/ledger.h"

struct annotations_print {
	const char *format;      /* "github", "gitlab" */
	const char *root;        /* of the repository: paths are told from there */
	size_t limit;            /* at most so many; SIZE_MAX: ANNOTATIONS_MOST */
};
/* GitHub shows so many warnings of a step. */
enum { ANNOTATIONS_MOST = 10 };

/* Returns the directory of the repository that the working directory is in, or that itself when it
 * is in none. Heap. */
char *annotations_root(void);

/* Print to stdout rows of D that are slower or more work, or that fail its condition; rows of the
 * ledgers that are claimed to take more. What is left out, beyond the limit or as GitLab wants a
 * place in the repository, is said: in a notice of GitHub, else on the standard error output. */
void annotations_diff(const struct annotations_print *p, const struct diff *d);
void annotations_ledger(const struct annotations_print *p, const struct ledger_print *l);

#endif
