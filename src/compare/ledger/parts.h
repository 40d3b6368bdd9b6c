/* Inside src/compare/ledger: what a ledger is made of. Sides are in the canonical order, which does
 * not depend on which profile was named first; what is asked of a ledger is mirrored at the end. */
#ifndef CGVIEW_COMPARE_LEDGER_PARTS_H
#define CGVIEW_COMPARE_LEDGER_PARTS_H

#include "compare/ledger/carry.h"
#include "compare/ledger/ledger.h"
#include "compare/match/side.h"
#include "db/model/model.h"
#include "util/index.h"
#include "util/job.h"
#include "util/mem.h"

/* A procedure in both profiles, by its entity; 0 is what is outside. */
struct ledger_procedure {
	bool foreign, counted, changed, affected;
	model_id id[2];
	double work[2], matched[2], single[2]; /* blocks a run; lines in both, lines in one */
	double bytes[2];         /* got in a run */
	size_t first_cell, nr_cells;
};

/* What a procedure does; the counts are those of the carry's cell of the same number. */
struct ledger_cell {
	entity_id procedure;
	enum ledger_item_kind kind; /* OWN, LIBRARY, POINTER */
	const char *name;        /* of the library function; of POINTER: the one with most time */
	bool known;              /* its counts are */
	uint32_t timed;          /* its column in times, + 1; 0: no time */
	double most;             /* of POINTER: the time of that one */
};

struct ledger_site {
	model_id id;
	entity_id procedure, callee; /* 0: not profiled */
	uint32_t cell;           /* + 1, of direct calls of such; of pointers: POINTER_CELL */
	model_id file;
	uint32_t line;
	double count;
};
#define POINTER_CELL UINT32_MAX

struct ledger_line {
	entity_id procedure;
	model_id file;
	uint32_t line, pair;     /* in the other profile: position + 1; 0: none there */
	double count, ns;        /* a run */
};

struct ledger_side {
	struct profile *p;
	double runs;
	size_t nr_vectors;       /* runs whose times are told apart; 1: the mean of all */
	bool timed;
	double *times;           /* [vector * nr_timed + column]: of a run, ns */
	double *rest;            /* [vector]: CPU time beyond */
	double *scale;           /* [vector]: to be multiplied with at equal speed */
	double *mean, *scaled;   /* [column]: over the vectors; at equal speed */
	double sample_ns;
	struct ledger_line *lines; /* by procedure, file, line */
	size_t nr_lines, lines_alloc;
	size_t *first_line;      /* [procedure]; [nr]: the end */
	struct ledger_site *sites; /* by procedure */
	size_t nr_sites, sites_alloc;
	size_t *first_site;
	struct model m;          /* runs, parts, contexts */
	uint32_t *cell_of_context; /* + 1, by id - 1 */
};

/* A part of a row's amount. */
enum term_kind {
	TERM_WORK,               /* n more executions, or calls, of a cell, at its price */
	TERM_PRICE,              /* the change of its price, for those that both have */
	TERM_TIME,               /* all that it takes more */
	TERM_BEYOND,             /* the runs' time beyond their samples */
};
struct ledger_term { enum term_kind kind; uint32_t cell; double n; };

struct ledger_made {
	struct ledger_row row;
	struct ledger_term *terms;
	size_t nr_terms, terms_alloc, items_alloc;
	entity_id procedure;
	size_t was;              /* its position before rows were sorted */
	bool cycle, price, time, beyond; /* of price rows: what has no counts */
};

struct ledger {
	struct ledger_side sides[2];
	bool flip;               /* sides[0] is B */
	enum ledger_of of;
	struct match *m;
	bool own_match, has_bytes;
	struct ledger_head head;
	struct arena arena;
	size_t nr;               /* procedures */
	struct ledger_procedure *procedures;
	double (*calls)[2];
	bool *changed;
	struct ledger_cell *cells;
	size_t nr_cells, cells_alloc, counts_alloc, nr_timed;
	struct carry_cell *counts; /* of the cells */
	struct carry_arc *arcs;
	bool *estimated;         /* by arc */
	size_t nr_arcs, arcs_alloc, estimated_alloc;
	struct index cell_index;
	struct carry carry;
	double (*price)[2];      /* [cell]: 1 / n on the side whose price it is, 0 on the other */
	struct ledger_made *rows;
	size_t nr_rows, rows_alloc;
	const char **notes;
	size_t nr_notes, notes_alloc;
	struct ledger_definition *definitions;
	size_t nr_definitions, definitions_alloc;
	double *weights[2];      /* scratch: [column] */
	bool *weighed;
	struct job *job;
	struct error error;
	bool done;
};

void ledger_note(struct ledger *l, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Reads what both profiles have: procedures, lines, sites, arcs, cells, times. -1: l->error. */
int ledger_gather(struct ledger *l);
/* Reads lines, and joins those of what has changed (ledger_join_lines() those of any). */
int ledger_read_lines(struct ledger *l);
void ledger_join_lines(struct ledger *l, entity_id e);
/* Finds the cell, or makes it. KIND: see struct ledger_cell; NAME up to an @. */
uint32_t ledger_cell(struct ledger *l, entity_id e, enum ledger_item_kind kind, const char *name);
/* Reads the times of both profiles' runs. */
int ledger_read_times(struct ledger *l);

/* Sets the speed of the runs, and whether all did the same work. */
void ledger_control(struct ledger *l);
/* Makes the rows, without an order; judges them. */
void ledger_make_rows(struct ledger *l);
/* Adds the bytes that a procedure got, where they differ: to a row of it that is claimed, or a new
 * one. */
void ledger_add_bytes(struct ledger *l);
void ledger_judge(struct ledger *l);

/* Fills V of the sum of NR terms. */
void ledger_value(const struct ledger *l, const struct ledger_term *terms, size_t nr,
		  struct ledger_value *v);
/* The same of all terms that TAKE(row) lets through; NULL: of all rows. */
void ledger_sum(const struct ledger *l, bool (*take)(const struct ledger_made *row),
		struct ledger_value *v);
double ledger_amount(const struct ledger *l, const struct ledger_term *t, bool raw);
/* What a run of a side takes in a cell. */
double ledger_cell_time(const struct ledger *l, uint32_t cell, size_t side, bool raw);
/* How many samples tell of these cells, on both sides. */
double ledger_samples(const struct ledger *l, const struct ledger_term *terms, size_t nr);
/* Returns about how many runs a side would resolve V; NAN: no number would. */
double ledger_runs_for(const struct ledger *l, const struct ledger_value *v);
/* Finds the line of a row. */
void ledger_find_line(struct ledger *l, struct ledger_made *row);

#endif
