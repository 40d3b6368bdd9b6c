/* Profiles that other tools wrote: a format is a row of the table in foreign_format.c. */
#ifndef CGVIEW_COLLECT_IMPORT_FOREIGN_FORMAT_H
#define CGVIEW_COLLECT_IMPORT_FOREIGN_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "db/model/model.h"
#include "util/error.h"

struct foreign_format {
	const char *name;          /* as in messages: "perf script's text" */
	/* Does a file begin so? HEAD: its first N bytes, as unpack_head() gives them, a NUL behind
	 * them. */
	bool (*is)(const char *head, size_t n);
	/* Reads the NR files PATHS, one unless SEVERAL, into M, an empty model. -1 and ERR: nothing
	 * can be made of them. */
	int (*read)(const char *const *paths, size_t nr, struct model *m, struct error *err);
	bool several;              /* one run leaves several files, which make one profile */
	bool runs_tool;            /* READ starts the tool, then calls confine_without_tools() */
};

/* Of raw profiles of ours whose programs count nothing: not one of those that content tells. */
extern const struct foreign_format raw_stacks_format;
/* Does the raw profile PATH have anything that counted? */
bool raw_stacks_has_counts(const char *path);

/* Returns the format of PATH; NULL: none of these, or it cannot be read. */
const struct foreign_format *foreign_format_of(const char *path);

extern const struct foreign_format callgrind_format,
	chrome_format,
	dhat_format,
	firefox_format,
	folded_format,
	gcda_format,
	gcov_json_format,
	gmon_format,
	gperftools_format,
	heaptrack_format,
	lcov_format,
	llvm_cov_format,
	llvm_profile_format,
	massif_format,
	otlp_format,
	perf_data_format,
	perf_script_format,
	pprof_format,
	speedscope_format;

#endif
