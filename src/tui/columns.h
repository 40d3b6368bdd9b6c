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

/* The same of a comparison, whose last kind is calls; and its callers and callees. */
const struct table_kind *compare_table_kind(enum summary_kind kind);
extern const struct table_kind compare_callers_kind, compare_callees_kind;

/* Cells that several kinds have. */
column_print column_print_name, column_print_place, column_print_source;

/* All kinds there are, one by one; NULL: no more. Several may have one name. */
const struct table_kind *table_kind_at(int i);

/* Of tables of a comparison: the heading, which tells the profile; is there such a profile? */
const char *compare_column_head(const struct browser *b, const struct column *c);
bool compare_column_known(const struct browser *b, const struct column *c);
/* "a", "b" .. */
const char *compare_letter(size_t profile);

#endif
