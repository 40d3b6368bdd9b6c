/* Reading a profile: what the browser and the reports ask of the database.
 * Everything is opened read-only and hardened (defensive, trusted_schema off, schema checked
 * against ours first). Text that comes out is raw bytes from outside: pass it through
 * util/safe.h. */
#ifndef CGVIEW_DB_PROFILE_H
#define CGVIEW_DB_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "db/model.h"
#include "util/error.h"

struct profile;

/* NULL and ERR filled: not there, not a regular file, empty, not a database, not ours, made by a
 * newer version, damaged. Each message says what to do. */
struct profile *profile_open(const char *path, struct error *err);
void profile_close(struct profile *p);
const char *profile_path(const struct profile *p);

/* The first query that failed since opening (damaged file, I/O), or NULL. Readers below return
 * empty results then. */
const char *profile_error(const struct profile *p);

struct profile_totals {
	struct model_run run;      /* first run; times, samples, processes summed over all runs */
	uint32_t nr_runs, nr_threads, nr_files;
	uint64_t nr_procedures, nr_blocks, nr_ranges, nr_sites, nr_arcs, nr_cycles;
	uint64_t blocks_executed;  /* sum of block counts */
	uint64_t calls;            /* sum of site counts */
	uint64_t self_ns, self_samples;
	uint64_t max_block_count, max_block_self_ns; /* for heat scales */
	uint64_t max_line_count, max_line_self_ns;
	uint64_t max_procedure_total_ns;
	uint64_t wait_ns;          /* sum of the procedures' self_wait_ns */
	uint64_t max_block_self_wait_ns, max_line_self_wait_ns;
	/* Of the runs that have a baseline, to compare with run.baseline_*. */
	uint64_t based_wall_ns, based_user_ns, based_system_ns;
};
const struct profile_totals *profile_totals(struct profile *p); /* computed once, by the writer */

/* ---- listings: sorted tables of which a window is fetched ---- */

enum list_kind {
	LIST_PROCEDURE, LIST_BLOCK, LIST_SITE, LIST_LINE, LIST_FILE, LIST_ARC, LIST_CYCLE, LIST_NOTE
};
enum column_unit { UNIT_TEXT, UNIT_COUNT, UNIT_NS, UNIT_SAMPLES, UNIT_NUMBER, UNIT_BYTES };

struct list_column {
	const char *name;       /* as in report's CSV header and in cgview-db(5) */
	enum column_unit unit;
};

/* The columns of a kind; the array ends with a NULL name. The first column is always "id", hidden.
 * procedure: id,procedure,file,line,calls,self_ns,self_samples,total_ns,total_sampled_ns,
 *            total_samples,code_bytes,cycle,file_id,end_line,linkage_name,column,centre_ns,
 *            centre_samples,centre_total_ns,self_wait_ns,total_wait_ns
 * block: id,file,line,column,end_line,end_column,procedure,count,self_ns,self_samples,
 *        procedure_id,file_id,self_wait_ns
 * site: id,file,line,column,end_line,end_column,procedure,kind,count,total_ns,total_samples,
 *       target,procedure_id,file_id,total_wait_ns
 * line: id,file,line,count,self_ns,self_samples,file_id,self_wait_ns
 * file: id,file,lines,executed,self_ns,count,procedures,self_wait_ns
 *       (lines: with code; executed: of those)
 * arc: id,caller,file,line,column,callee,count,lo,hi,how,site_id,caller_id,callee_id,file_id,
 *      end_line,end_column,time_ns,target,samples,differs,measured,through   (time_ns: what it
 *      brings of the callee's total_ns, 0 within a cycle; through: of calls from outside by way of
 *      a site that handed the callee's address out, whom that site called; target: linkage name
 *      that a direct call calls, without the mark "@outside")
 * cycle: id,members,procedures,self_ns,total_ns,outer_calls,inner_calls,self_calls   (members: the
 *      names of the first few, by total_ns)
 * note: id,kind,text */
const struct list_column *list_columns(enum list_kind kind);
int list_column_find(enum list_kind kind, const char *name); /* index, or -1 */

struct list_query {
	enum list_kind kind;
	/* Column index; 0: id order. Equal keys are in the order of their ids when numbers descend
	 * and texts ascend; the other direction is the exact reverse. */
	int sort;
	bool descending;
	const char *filter;     /* NULL, or text that must occur (without case) in a text column */
	/* LIST_ARC: restrict; 0 = no restriction. site_id may be used for "callees of a site" */
	model_id caller, callee, site;
	bool only_possible;     /* LIST_ARC: leave out arcs that were certainly never taken */
	/* LIST_LINE, LIST_PROCEDURE, LIST_BLOCK, LIST_SITE, LIST_FILE: of this file only */
	model_id file;
	model_id procedure;     /* LIST_BLOCK, LIST_SITE: of this procedure only */
	uint32_t cycle;         /* LIST_PROCEDURE: of this cycle only */
};

struct cell {
	bool null;
	int64_t number;         /* for units other than UNIT_TEXT */
	const char *text;       /* UNIT_TEXT: NUL-terminated */
};

enum { LIST_MAX_COLUMNS = 32 };
struct list_row { struct cell cells[LIST_MAX_COLUMNS]; };

struct listing;
struct listing *listing_open(struct profile *p, const struct list_query *q);
void listing_close(struct listing *l);
size_t listing_rows(const struct listing *l);
/* Row I, valid until the next call on this listing; NULL when there is none. */
const struct list_row *listing_row(struct listing *l, size_t i);
/* Position of the row with this id, or -1: keeps the cursor on its row after sorting again. */
ptrdiff_t listing_find(struct listing *l, int64_t id);

/* What not every profile has. */
struct profile_optional {
	bool bounds;            /* total times that the counts leave open */
	bool recursion;         /* procedures that call themselves */
};
void profile_optional(struct profile *p, struct profile_optional *optional);

/* Of the sampled stacks: how many enter a procedure by an arc that is known. */
uint64_t profile_samples_into(struct profile *p, model_id procedure);

/* ---- source ---- */

struct profile_file {
	model_id id;
	const char *path;
	uint64_t size, hash;
	uint32_t lines;
	enum file_state state;
};
/* Owned by the profile. NULL: no such file. */
const struct profile_file *profile_file(struct profile *p, model_id id);
/* The stored text, heap, the caller's, NUL-terminated beyond *SIZE; NULL when not stored. */
char *profile_file_text(struct profile *p, model_id id, size_t *size);

struct range_row {
	struct place place;
	enum range_kind kind;
	model_id block, procedure;  /* of one of them, when several accumulate */
	uint64_t count, self_ns, self_samples, self_wait_ns;
};
/* Ranges of FILE that touch lines FIRST..LAST, equal ranges accumulated (over procedures: the sum;
 * within one: the greatest, but for the text of macros the sum), outer before inner (by begin
 * ascending, end descending). Heap array, the caller's. Through the R*Tree. */
size_t profile_ranges(struct profile *p, model_id file, uint32_t first, uint32_t last,
		      struct range_row **rows);

struct line_row { uint32_t line; uint64_t count, self_ns, self_samples, self_wait_ns; };
size_t profile_lines(struct profile *p, model_id file, uint32_t first, uint32_t last,
		     struct line_row **rows);

struct site_row {
	model_id id, procedure;
	enum site_kind kind;
	struct place place;
	uint64_t count;
	uint64_t total_ns, total_samples; /* sampled below this site */
	uint64_t total_wait_ns;     /* waited below it */
	char target[256];           /* direct: callee's name as shown, else type signature */
};
size_t profile_sites(struct profile *p, model_id file, uint32_t first, uint32_t last,
		     struct site_row **rows);

struct procedure_row {
	model_id id;
	struct place place;
	char name[256];
	uint64_t calls, self_ns, self_samples, total_ns, total_sampled_ns, total_samples;
	uint64_t self_wait_ns, total_wait_ns;
	uint32_t cycle;
};
bool profile_procedure(struct profile *p, model_id id, struct procedure_row *row);
/* The innermost procedure whose lines hold LINE; false: none. */
bool profile_procedure_at(struct profile *p, model_id file, uint32_t line,
			  struct procedure_row *row);
/* First procedure with exactly this name; false: none. */
bool profile_procedure_named(struct profile *p, const char *name, struct procedure_row *row);
bool profile_site(struct profile *p, model_id id, struct site_row *row);

#endif
