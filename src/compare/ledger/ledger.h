/* More work, or slower work? The difference of two profiles as a ledger: where its time comes from,
 * as exact counts and measured times of both tell it, and what of it is beyond chance.
 *
 * A cell is a procedure's own code, or a function of a library that it calls, with the times that
 * it was executed, or called, in a run. What a cell takes more is more work (its count changed, at
 * the price of the side with the larger count) and a dearer price. Work is charged to the procedure
 * that causes it: one that is called more often passes it on to its callers. All rows together are
 * the difference of the runs' CPU time; the ledger of B and A is that of A and B with the other
 * sign. Definition and reasons: docs/design/ledger.md. */
#ifndef CGVIEW_COMPARE_LEDGER_H
#define CGVIEW_COMPARE_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "compare/match/match.h"
#include "db/store/profile.h"
#include "util/error.h"

/* What is shared out: CPU time, or time waited (of profiles recorded with --wall). */
enum ledger_of { LEDGER_CPU, LEDGER_WAIT };

enum ledger_kind {
	LEDGER_MORE_WORK, LEDGER_LESS_WORK,
	LEDGER_NEW, LEDGER_GONE,     /* work that only one side has at all */
	LEDGER_DEARER, LEDGER_CHEAPER,
	LEDGER_MORE_TIME, LEDGER_LESS_TIME, /* of what has no counts */
	LEDGER_BEYOND,               /* the runs' CPU time beyond that of their samples */
	LEDGER_MORE_BYTES, LEDGER_LESS_BYTES, /* where nothing else is claimed; of no amount */
};
/* "MORE WORK", "DEARER EACH"; "more_work", "dearer" for programs. */
const char *ledger_kind_words(enum ledger_kind k);
const char *ledger_kind_name(enum ledger_kind k);

/* B less A, a run, in nanoseconds, or in block executions: see ledger_head.in_blocks. */
struct ledger_value {
	double amount;       /* at equal speed, if the head says so, else as measured */
	double raw;          /* as measured */
	double error;        /* of the amount: half of the interval that holds it with 95 %; NAN */
	double least;        /* the least amount that would have been seen; NAN */
	double chance;       /* probability of such an amount where nothing differs; NAN */
};

enum ledger_item_kind {
	LEDGER_OWN,          /* executions of own blocks; of changed text of lines in both */
	LEDGER_LINES,        /* ... of lines that only one side has */
	LEDGER_LIBRARY,      /* calls of a function that is not profiled */
	LEDGER_POINTER,      /* calls through pointers that reach such functions */
	LEDGER_CALLS,        /* calls of a procedure */
	LEDGER_DEEPER,       /* calls within a cycle of procedures: it recurses deeper */
	LEDGER_BYTES,        /* bytes that it got, of runs with --space; it has no amount */
};

/* What has changed in a row. */
struct ledger_item {
	enum ledger_item_kind kind;
	bool price;          /* what each takes has changed, not how many there are */
	bool estimated;      /* its counts are, as of calls through pointers */
	bool larger_data;    /* as many calls of what takes longer for more bytes */
	const char *name;    /* of what is called; NULL */
	model_id callee[2];  /* in A and in B; 0: not there, or not profiled */
	double n[2];         /* a run; NAN: not known */
	double ns[2];        /* that the cell took in a run, as measured; NAN: it is no cell */
	double amount, raw;
};

/* A row: what one procedure does more, or less; or what it does dearer, or cheaper. */
struct ledger_row {
	enum ledger_kind kind;
	const char *name;    /* of the procedure; "outside"; "fib and 3 that call it" */
	model_id procedure[2]; /* in A and in B; 0: not there, or none */
	model_id cycle_of[2]; /* of a cycle: a procedure of it; else 0 */
	bool changed;        /* its text has changed, or what it uses: */
	const char *uses;    /* "SIZE (macro, box.h:4)"; "": its own text, or nothing */
	bool claimed;        /* beyond chance: see the head */
	struct ledger_value value;
	double samples;      /* of both sides in what the row is made of */
	double runs;         /* about so many runs a side would resolve it; NAN: no number would */
	struct ledger_item *items; /* the greatest first */
	size_t nr_items;
	struct place at[2];  /* the line that changed most, in A and in B; file 0: none */
	size_t under;        /* the row whose work has changed its mix; SIZE_MAX: none */
	const char *hint;    /* what to think of; "": nothing */
};

/* A definition that has changed (a macro, a type, data), and the price of what uses it. */
struct ledger_definition {
	const char *name;
	size_t procedures;
	struct ledger_value value; /* their dearer and cheaper rows together */
};

/* Where less of the time is in unchanged cells the machine's speed is not taken from it. */
#define LEDGER_LEAST_CONTROL 0.3

struct ledger_head {
	enum ledger_of of;
	uint32_t runs[2];
	double each[2];      /* what a run took: CPU time, or what it waited; blocks */
	double bytes[2];     /* that a run got, where both were recorded with --space; else NAN */
	struct ledger_value raw, total; /* b - a; and at equal speed, if controlled */
	bool in_blocks;      /* there are no times: amounts are executions of blocks */
	bool controlled;     /* amounts are at equal speed: */
	double factor, share; /* b's times against a's where nothing changed; how much that is */
	bool same_work;      /* one build and equal counts: what differs is the machine */
	bool judged;         /* FEWEST_RUNS on both sides, so prices can be claimed */
	const char *const *notes; /* what could not be had, and why: a line each */
	size_t nr_notes;
	size_t nr_rows, nr_claimed; /* claimed rows stand first, each by |amount| */
	struct ledger_value unresolved; /* of all others together */
	double unresolved_runs; /* as in rows */
	const struct ledger_definition *definitions;
	size_t nr_definitions;
};

struct ledger;

/* A and B stay open as long as the ledger, and MATCH (of A and B, in this order; NULL: it makes its
 * own with OPTIONS). Matches A and B at once; all else is ledger_work()'s. NULL: ERR. */
struct ledger *ledger_begin(struct profile *a, struct profile *b, enum ledger_of of,
			    const struct match_options *options, struct match *match,
			    struct error *err);
/* Goes on until ENOUGH(CONTEXT) (NULL: to the end). 1: done; 0: not yet; -1: ERR. Nothing else may
 * be asked before it is done. */
int ledger_work(struct ledger *l, bool (*enough)(void *context), void *context, struct error *err);
int ledger_percent(const struct ledger *l);
/* May be called at any time; NULL: nothing. */
void ledger_close(struct ledger *l);

const struct ledger_head *ledger_head(const struct ledger *l);
/* Row I, below head->nr_rows. */
const struct ledger_row *ledger_row(const struct ledger *l, size_t i);
/* The profiles as they were given: A is 0. */
struct profile *ledger_profile(const struct ledger *l, size_t side);
const struct match *ledger_match(const struct ledger *l);
/* Which profile of the match is that side. */
size_t ledger_side(const struct ledger *l, size_t side);

#endif
