/* Inside live*.c only: the tables of programs that are looked at, as a model to be shown, and what
 * finds the counters of their lines, files and arcs. Once made they stay as they are; when modules
 * come others are made. */
#ifndef CGVIEW_COLLECT_LIVE_TABLES_H
#define CGVIEW_COLLECT_LIVE_TABLES_H

#include "collect/import/live/live_state.h"

/* A block on a line, see lines.h: the groups of one compilation compete, compilations of one share
 * add up, shares compete. */
struct line_entry {
	uint32_t line;             /* of the model, from 0 */
	model_id file;             /* the share: a place, or 0 */
	uint32_t at_line, at_column;
	uint32_t compiled, group;
	uint32_t slot;
};

struct live_tables {
	const struct live *l;
	struct model m;            /* L's rows, with arcs of its own and without branches */
	size_t nr_modules;         /* of L, that it has */
	size_t nr_noted;           /* of L, that it has arcs for */
	struct line_entry *entries; /* by line, share, compilation and group */
	size_t nr_entries, entries_alloc;
	size_t *first_entries;     /* per line, and behind the last one */
	uint32_t *by_callee;       /* numbers of arcs */
	uint32_t *words, *next_words; /* per site and its words: the (next) words, number + 1 */
	model_id *files, *lines;   /* as they are stored: positions in the model */
	uint32_t *by_file;         /* numbers of lines */
	uint32_t *blocks_by_file;
};

/* Notes in L's model what looks lack, reads the texts of the sources there, and returns its tables,
 * which are valid as long as L. All figures are 0. Calls nothing that pauses a job. */
struct live_tables *live_tables_make(struct live *l);
/* Returns the procedures alone, with neither blocks nor arcs nor texts. */
struct live_tables *live_tables_of_procedures(const struct live *l);
/* Of programs that count nothing, whose rows L has moved when it found others: T has its own
 * again. */
void live_tables_renew(struct live_tables *t);
void live_tables_free(struct live_tables *t);

/* Has T no arc for something that L has seen called? What was noted once stays noted. */
bool live_tables_lack_arcs(struct live_tables *t, const struct live *l);

/* Return the numbers of the arcs to CALLEE, of the blocks and of the lines (from 0) in FILE, and
 * how many there are. */
const uint32_t *live_tables_arcs_to(const struct live_tables *t, model_id callee, size_t *nr);
const uint32_t *live_tables_blocks_in(const struct live_tables *t, model_id file, size_t *nr);
const uint32_t *live_tables_lines_in(const struct live_tables *t, model_id file, size_t *nr);

#endif
