/* The columns of all tables: what stands where, as data. */
#ifndef CGVIEW_TUI_COLUMNS_H
#define CGVIEW_TUI_COLUMNS_H

#include "tui/table.h"

enum summary_kind {
	SUMMARY_PROCEDURES, SUMMARY_BLOCKS, SUMMARY_SITES, SUMMARY_LINES, SUMMARY_FILES,
	SUMMARY_DIRECTORIES, SUMMARY_NR,
};
const struct table_kind *summary_table_kind(enum summary_kind kind);
/* The column with the interval of estimated arcs. */
#define HOW_SURE "how sure"

extern const struct table_kind callers_kind, callees_kind, files_kind, cycles_kind, outline_kind;

/* All kinds there are, one by one; NULL: no more. Several may have one name. */
const struct table_kind *table_kind_at(int i);

#endif
