/* Profiles compared in the browser: the last one is browsed, and all of its views show the figures
 * of the first one and the value of an expression beside their own. */
#ifndef CGVIEW_TUI_COMPARE_H
#define CGVIEW_TUI_COMPARE_H

#include <stdbool.h>

#include "compare/agreement.h"
#include "compare/comparison.h"
#include "compare/series.h"
#include "compare/verdict.h"
#include "db/lists/arc_ends.h"
#include "db/trees/tree_join.h"
#include "show/doc.h"
#include "show/role.h"
#include "tui/history.h"
#include "tui/keys/prompt.h"
#include "tui/tui.h"
#include "tui/view.h"

struct browser;
struct ledger;
struct list_row;
struct table;
struct target;

/* One kind of rows: its table, and how its values are shown. */
struct compare_kind {
	enum compare_state {
		COMPARE_NEW,     /* nobody has asked for it yet */
		COMPARE_GOES_ON, /* units are known, but not the rows */
		COMPARE_STOPPED, /* by the user; only compare_list() resumes it */
		COMPARE_READY,
	} state;
	struct compared *table;  /* the comparison's; NULL: not there yet, only stored, or none */
	struct compared *next;   /* the table being made */
	enum { PLACES_UNKNOWN, PLACES_WANTED, PLACES_KNOWN } places[2]; /* of the last profile, of
	                                                                 * the first: can rows be
	                                                                 * found by place? */
	struct series series;    /* of a series of runs */
	/* A series has these for each row of the table; NAN: none that can be believed. */
	double *exponents;       /* of the plain power */
	double *degrees;         /* fit_degree() of the model */
	char *expression;        /* heap; NULL: this kind of rows has no values */
	bool instead;            /* not the one that was asked for, which these rows cannot have */
	enum figure figure, of_a, of_b; /* that it is about; in the columns a and b */
	enum column_unit unit;
	double greatest;         /* |value| */
	bool differs;            /* some value is a difference */
	bool sampled, apart;     /* some row has a significance, differs between sides */
	bool few_runs;           /* they are differences of times that too few runs have */
	bool same_work;          /* they are times of one build with equal counts */
	bool alike;              /* some was found by a similar text */
	bool affected;           /* some uses what has changed */
	struct ends ends;        /* of calls: which rows have a given caller or callee */
	struct job *finding;     /* them */
	struct discoveries chance; /* how many rows differ beyond chance; none tested: not known */
	struct job *judging;     /* it; NULL: done, or there is nothing to do */
	struct { struct profile *in; const char *name; } stored; /* where the rows are; IN NULL:
	                                                          * in the table */
	bool listed;             /* listings of the profile read its rows */
};

/* Lines FROM..TO of a file, which are drawn. */
struct compare_source {
	struct subject file;
	uint32_t from, to;
};

/* One value in a window of a source text. */
struct compare_value {
	struct place place;
	double value;            /* NAN: none */
	double heat;             /* what its colour is of: it, in a series the model's degree */
	struct scalar_value a, b;
	bool unsure;             /* sampled, and no significant difference */
	int kind;                /* of ranges: enum range_kind */
};

enum { NR_TREE_SOURCES = 2,
       NR_COMPARE_TREES = NR_TREE_SOURCES + NR_BUILTIN_MEASURES + MEASURES_MAX };

enum compare_mark { SAME_TEXT, CHANGED_TEXT, ONLY_HERE, NOT_KNOWN_YET };

/* The thing that a row stands for, whatever its number. */
struct held_row {
	bool known;
	int things;              /* of the table's kind */
	int64_t owner;
	struct place place, first;
	uint64_t type;           /* of memory: a hash of its name */
	uint64_t size_class;     /* of memory; 0: it is not known */
	uint64_t at;             /* none of the rows before matches */
};

/* The values of one kind of trees of calls. */
struct compare_tree {
	struct expression *expression; /* over the figures of nodes */
	bool failed;             /* there is none, not even the default */
	struct compare_kind kind; /* without a table */
};

struct compare {
	struct profile *profiles[MAX_PROFILES];
	size_t nr;               /* 0: nothing to compare */
	bool opened[MAX_PROFILES]; /* by us */
	struct comparison_options options;
	double sizes[MAX_PROFILES];
	struct fit_sizes fit_sizes; /* of a series: these */
	bool series;
	struct comparison *c;    /* NULL: a stored one whose profiles are missing */
	char *absent;            /* why they are missing; heap */
	bool same_work;          /* comparison_same_work() */
	struct agreement agreement; /* of costs and counts */
	bool on;                 /* shown */
	enum compare_by begin;   /* the rows to show first: the stored ones */
	char *expression;        /* heap; NULL: the default of each kind */
	char *before;            /* as before the user was asked at the prompt */
	char *normalise;         /* heap; NULL, "total", a procedure */
	bool unscaled;           /* which is impossible with the present profile */
	struct compare_kind kinds[NR_COMPARE_BY];
	struct {                 /* more work, or slower work: ledger_view.c */
		struct ledger *of[2];    /* by enum ledger_of; NULL: not begun, or none */
		size_t nr_done;
		bool ready;              /* nothing is left to do */
		char *error;             /* heap; NULL: there is none */
		size_t row;              /* where its view was left */
	} ledger;
	struct held_row held; /* the cursor's row of compare_rows_view() when the rows went */
	struct docs docs;        /* texts of the first profile */
	bool first;              /* the text shown is the first profile's, where there are two */
	struct compare_window {
		struct compare_source of;
		struct compare_value *values;
		size_t nr;
	} windows[2][NR_COMPARE_BY]; /* of the last profile, of the first */
	struct compare_tree trees[NR_COMPARE_TREES][2]; /* by enum tree_source, then by measure; of
							 * all callers */
	double tree_scales[MAX_PROFILES]; /* of times */
	unsigned generation;     /* number of expression and scales: a new one means new values */
	struct paired_lines {    /* lines of two texts side by side */
		struct {
			model_id file;
			uint32_t *pair;  /* pair + 1 of each line, up to NR */
			uint32_t nr;
		} of[2];         /* the last profile's, the first one's */
		struct line_pair *pairs;
		size_t nr;
		struct side_by_side *work; /* finds the pairs; NULL: nothing to do */
		uint32_t from;           /* line of the text shown when the other one was asked for
		                          * too early, which shows this line, too; 0: none */
	} lines;
};

/* Begins a comparison if there is one: the browser's profile is the last of those that OPTIONS
 * names, or has a comparison stored (OPTIONS NULL). Otherwise nothing is said. */
void compare_open(struct browser *b, const struct tui_compare *options);
void compare_release(struct compare *x);
/* Takes over the browser's new profile. If it cannot be normalised as before the figures are not,
 * which the banner tells; if it cannot be compared the comparison ends, with a message. */
void compare_take(struct browser *b);

/* Do the panes show a comparison? */
bool compare_is_on(const struct browser *b);

/* ---- comparing, in slices: compare_work.c ---- */

/* Returns the kind of rows, and begins the work for it; until it is ready there are no rows. */
struct compare_kind *compare_kind(struct browser *b, enum compare_by by);
/* Prepares the rows for a listing. Returns false as long as they are not ready. */
bool compare_list(struct browser *b, enum compare_by by);
/* Can the rows of a source text be asked for? */
bool compare_has_places(struct browser *b, enum compare_by by, bool first);
/* Goes on while nobody types: WORK_MORE and so on. */
unsigned compare_idle(struct browser *b);
/* Completes everything that was begun. */
void compare_finish(struct browser *b);
/* Stops what the view with the keyboard waits for. Returns false when it waits for nothing. */
bool compare_give_up(struct browser *b);
/* Lets stopped work begin again. */
void compare_resume(struct browser *b);
/* Appends "comparing ranges 40%" while it goes on. */
void compare_describe_work(struct browser *b, enum compare_by by, struct strbuf *out);
/* Appends the text to show in place of rows. */
void compare_explain_work(struct browser *b, enum compare_by by, struct strbuf *out);

/* Gives the listing the rows: compare_rows.c. */
void compare_show_rows(struct browser *b, enum compare_by by);
/* Returns the row of a series that ROW of a listing of things THINGS is about; NULL: none. */
const struct series_row *compare_series_row(struct browser *b, int things,
					    const struct list_row *row);
/* Finds the ends of the calls of a struct compare_kind; a job. */
void compare_find_ends(void *kind);
/* Returns the row as it is found again among other rows. */
struct held_row compare_row_to_hold(const struct table *t, const struct list_row *row);
/* Sets place and procedure of a row, in the last profile if it is there. */
void compare_row_target(const struct table *t, const struct list_row *row, struct target *target);
/* Returns the id of the row of PROCEDURE among procedures; -1: there is none, or too many are
 * before it. */
int64_t compare_row_of(struct browser *b, struct subject procedure);
/* Goes on moving the cursor to its row from before the rows went, while nobody types. Returns true
 * when it was found, or need not be sought any more. */
bool compare_seek(struct browser *b);

/* Sets another expression (text or name; NULL: the defaults) if it can be compiled over BY. Returns
 * -1 and ERR with nothing changed. */
int compare_set(struct browser *b, enum compare_by by, const char *expression,
		struct expression_error *err);
/* Normalises by WHAT (NULL: not at all). Returns -1 and ERR with nothing changed. */
int compare_normalise(struct browser *b, const char *what, struct error *err);
/* Renews the panes after something changed. */
void compare_refresh(struct browser *b);

/* ---- procedures and files of either profile ---- */

/* Returns the number of the first or the last profile. */
size_t compare_side(const struct compare *x, bool first);
/* Return the texts and the profile of a side. */
struct docs *compare_docs(struct browser *b, bool first);
bool subject_is(struct subject a, struct subject b);
/* Returns the procedure in the last profile, if it is there, else in the first one. */
struct subject compare_procedure(struct browser *b, struct subject procedure);
struct subject compare_of_entity(struct browser *b, uint32_t entity);
/* Returns its number over all profiles; 0: none. */
uint32_t compare_entity(struct browser *b, struct subject procedure);
/* Fills ROW from its profile. Returns false when there is no such procedure. */
bool compare_row(struct browser *b, struct subject procedure, struct procedure_row *row);
/* Returns the file in the last profile; 0: it is not there. */
model_id compare_file(struct browser *b, struct subject file);
/* Returns the file of the other profile that corresponds. */
struct subject compare_other_file(struct browser *b, struct subject file);

/* What has changed that a procedure uses whose own text has not, see match_uses(); else "". */
const char *compare_uses(const struct browser *b, bool first, model_id procedure);
/* Returns the corresponding line of the other text, 0: none; *MARK tells how alike, see
 * compare_lines(). */
uint32_t compare_other_line(struct browser *b, struct subject file, uint32_t line,
			    enum compare_mark *mark);
/* Are both texts equal, byte by byte? */
bool compare_same_text(struct browser *b, model_id first, model_id last);
/* Pairs the lines of file FIRST of the first profile and file LAST of the last one, *NR of them (0:
 * nothing is compared), until two other files are asked for or the comparison begins anew. Returns
 * false when that is not done; texts that differ are aligned while nobody types. */
bool compare_lines(struct browser *b, model_id first, model_id last,
		   const struct line_pair **pairs, size_t *nr);
/* Returns the line of the first text, or of the last one; 0: none. */
uint32_t compare_line_of(const struct line_pair *pair, bool first);
/* Returns how much of the pairing is done, in percent, about. */
int compare_lines_percent(const struct browser *b);
/* Goes on with the pairing: WORK_MORE and so on. */
unsigned compare_lines_idle(struct browser *b);

/* ---- more work, or slower work: ledger_view.c ---- */

/* Drops what was worked out of the profiles. */
void compare_ledger_forget(struct compare *x);

/* ---- values and how they look: compare_heat.c ---- */

/* Returns the values of BY (ranges, lines) that touch the lines of S, outer before inner. Valid
 * until the next call for BY. */
const struct compare_value *compare_values(struct browser *b, enum compare_by by,
					   const struct compare_source *s, size_t *nr);

/* Finds the lines that differ, what may be chance left out, the greatest difference first, as the
 * heap array *LINES; returns how many. */
size_t compare_hot_lines(struct browser *b, const struct compare_source *s, uint32_t **lines);
/* Returns the line that differs most; 0: none is known to. */
uint32_t compare_hottest_line(struct browser *b, const struct compare_source *s);

enum role compare_role(const struct browser *b, const struct compare_kind *k, double value,
		       bool unsure);
/* Returns the role of a value that is shown as text: no difference is dim. */
enum role compare_text_role(const struct browser *b, const struct compare_kind *k, double value,
			    bool unsure);
/* Appends the arrow that tells more from less where only brightness would do so. */
void compare_arrow(const struct browser *b, const struct compare_kind *k, double value, bool unsure,
		   struct strbuf *out, enum role *role);
/* May a difference of so many standard errors (NAN: it has none) be chance? */
bool compare_is_unsure(const struct compare_kind *k, double significance);
/* Returns the value, as a distance from "no difference", at which LEVEL begins. */
double compare_step(const struct browser *b, const struct compare_kind *k, int level);

/* Appends ": b.count - a.count", and a remark if the expression that was asked for cannot be had OF
 * these rows; nothing when K has none. */
void compare_add_expression(const struct compare *x, const struct compare_kind *k, const char *of,
			    struct strbuf *out);
/* Appends "; 3 of 12 beyond chance, expect 1 false of 20", if that is known. */
void compare_add_chance(struct browser *b, enum compare_by by, struct strbuf *out);
/* Append the text behind "compared procedures"; the reason why there are no rows. */
void compare_title(struct browser *b, enum compare_by by, struct strbuf *out);
void compare_explain(struct browser *b, enum compare_by by, struct strbuf *out);
/* Appends "a old.db, 110 ms b new.db, 2.9 s"; without TIMES only the names. */
void compare_names(struct browser *b, bool times, struct strbuf *out);
/* Appends what must be known in every view. */
void compare_banner(struct browser *b, struct strbuf *out);

/* ---- the tree of calls: compare_tree.c ---- */

/* Do trees of calls join those of all profiles? */
bool compare_has_tree(const struct browser *b);
/* Can all profiles make a tree from that source? */
bool compare_tree_possible(const struct browser *b, enum tree_source source);
/* Have the stacks of all profiles figures of MEASURE of the last one? */
bool compare_tree_has_measure(const struct browser *b, unsigned measure);
/* Begins a tree of all profiles, as tree_begin() does: its procedures are entities, as is that of
 * WANT. NULL: compare_tree_error(). */
struct tree *compare_tree_begin(struct browser *b, const struct tree_want *want);
const char *compare_tree_error(const struct browser *b);
/* Makes the trees' values out of date: increases their generation. */
void compare_tree_forget(struct compare *x);
void compare_tree_rescale(struct compare *x);

/* Returns how the values of a joined tree are shown. */
const struct compare_kind *compare_tree_kind(struct browser *b, const struct tree *t);

struct compare_tree_row {
	double figures[MAX_PROFILES]; /* of the expression's first figure, scaled; NAN: not there */
	double value;                 /* NAN: none */
	double heat;                  /* as in struct compare_value */
	double significance;          /* NAN: exact */
	struct sides sides;           /* the profiles that have it */
	bool exact;                   /* the figures are no estimates */
	struct row_verdict verdict;
};
void compare_tree_row(struct browser *b, const struct tree *t, uint32_t id,
		      struct compare_tree_row *row);

/* Append ": b.total_ns - a.total_ns"; "only a" or "acd", nothing for what is in all profiles. */
void compare_tree_title(struct browser *b, const struct tree *t, struct strbuf *out);
void compare_tree_in(const struct compare *x, const struct sides *sides, struct strbuf *out);

/* ---- actions: compare_act.c ---- */

unsigned compare_act(struct browser *b, enum action action, size_t count);
/* Handles the prompt for an expression. */
unsigned compare_prompt(struct browser *b, enum prompt_event event);
unsigned compare_command(struct browser *b, const char *expression);
unsigned compare_normalise_command(struct browser *b, const char *what);
const char *compare_named(struct browser *b, size_t i);

/* Returns the view with the rows that the expression is asked for, one over the panes or the
 * summary, and the kind of these; BY_PROCEDURE when they are no comparison's. */
struct view *compare_rows_view(struct browser *b);
enum compare_by compare_by_shown(struct browser *b);

#endif
