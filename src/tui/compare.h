/* Profiles compared in the browser: what is looked at is the last one, and all of its views have
 * the figures of the first one and the value of an expression beside their own. */
#ifndef CGVIEW_TUI_COMPARE_H
#define CGVIEW_TUI_COMPARE_H

#include <stdbool.h>

#include "compare/comparison.h"
#include "compare/series.h"
#include "db/arc_ends.h"
#include "db/tree_join.h"
#include "show/doc.h"
#include "show/role.h"
#include "tui/history.h"
#include "tui/prompt.h"
#include "tui/tui.h"
#include "tui/view.h"

struct browser;

/* One kind of rows: its table, and how its values are to be read. */
struct compare_kind {
	enum compare_state {
		COMPARE_NEW,     /* nobody has asked for it yet */
		COMPARE_GOES_ON, /* how it is read is known, but not its rows */
		COMPARE_STOPPED, /* by the user; only compare_list() goes on */
		COMPARE_READY,
	} state;
	struct compared *table;  /* the comparison's; NULL: not there yet, only stored, or none */
	struct compared *next;   /* what becomes the table */
	enum { PLACES_UNKNOWN, PLACES_WANTED, PLACES_KNOWN } places[2]; /* of the last profile, of
	                          * the first: are rows found by their places? */
	struct series series;    /* of a series of runs */
	double *exponents;       /* of a series, by row of the table; NAN: none that fits */
	char *expression;        /* heap; NULL: this kind of rows has no values */
	bool instead;            /* not the one that was asked for, which these rows cannot have */
	enum figure figure;      /* in the columns a and b */
	enum column_unit unit;
	double greatest;         /* |value| */
	bool differs;            /* some value tells a difference */
	bool sampled, apart;     /* some row has a significance, is not the same on all sides */
	struct ends ends;        /* of calls: which rows have a caller, a callee */
	bool listed;             /* listings of the profile read its rows */
};

/* Lines FROM..TO of a file: those that are drawn. */
struct compare_source {
	struct subject file;
	uint32_t from, to;
};

/* One value in a window of a source text. */
struct compare_value {
	struct place place;
	double value;            /* NAN: none */
	struct scalar_value a, b;
	bool unsure;             /* sampled, and no significant difference */
	int kind;                /* of ranges: enum range_kind */
};

enum compare_mark { SAME_TEXT, CHANGED_TEXT, ONLY_HERE, NOT_KNOWN_YET };

/* What a row is about, whatever its number. */
struct held_row {
	bool known;
	int64_t owner;
	struct place place, first;
	uint64_t at;             /* it is none of the rows before */
};

/* The values of one kind of trees of calls. */
struct compare_tree {
	/* Over what the nodes have; of a series one for each profile, else only the first. */
	struct expression *expressions[MAX_PROFILES];
	bool failed;             /* there is none, not even the default */
	struct compare_kind kind; /* but for the table */
};

struct compare {
	struct profile *profiles[MAX_PROFILES];
	size_t nr;               /* 0: nothing to compare */
	bool opened[MAX_PROFILES]; /* by us */
	struct comparison_options options;
	double sizes[MAX_PROFILES];
	bool series;
	struct comparison *c;    /* NULL: a stored one whose profiles are not there */
	char *absent;            /* why; heap */
	bool on;                 /* shown */
	enum compare_by begin;   /* the rows to show first: what is stored */
	char *expression;        /* heap; NULL: the default of each kind */
	char *before;            /* the same before it was asked for at the prompt */
	char *normalise;         /* heap; NULL, "total", a procedure */
	bool unscaled;           /* that is impossible with the profile that is looked at now */
	struct compare_kind kinds[NR_COMPARE_BY];
	struct held_row held; /* what the summary's cursor was on when the rows went */
	struct docs docs;        /* texts of the first profile */
	bool first;              /* whose text is shown where there are two */
	struct compare_window {
		struct compare_source of;
		struct compare_value *values;
		size_t nr;
	} windows[2][NR_COMPARE_BY]; /* of the last profile, of the first */
	struct compare_tree trees[3][2]; /* by enum tree_source, of waiting; of all callers */
	double tree_scales[MAX_PROFILES]; /* of times */
	unsigned generation;     /* of expression and scales: another number, other values */
	struct paired_lines {    /* lines of two texts side by side */
		struct {
			model_id file;
			uint32_t *pair;  /* pair + 1 of each line, up to NR */
			uint32_t nr;
		} of[2];         /* the last profile's, the first one's */
		struct line_pair *pairs;
		size_t nr;
		struct side_by_side *work; /* what becomes the pairs; NULL: nothing */
		uint32_t from;           /* line of the text that was shown when the other one
		                          * was asked for too early, which shows this line, too;
		                          * 0: none */
	} lines;
};

/* The profile of the browser is the last of those that OPTIONS names, or has a comparison stored
 * (OPTIONS NULL). Nothing is told when there is nothing to compare. */
void compare_open(struct browser *b, const struct tui_compare *options);
void compare_release(struct compare *x);
/* The browser's profile is another one now. If that cannot be normalised as it was it is not, which
 * the banner tells; if it cannot be compared nothing is any more, which is told. */
void compare_take(struct browser *b);

/* Are the panes those of a comparison? */
bool compare_is_on(const struct browser *b);

/* ---- comparing, in slices: compare_work.c ---- */

/* The kind of rows. What must be done for it begins if need be; until it is ready there are no
 * rows. */
struct compare_kind *compare_kind(struct browser *b, enum compare_by by);
/* See to it that a listing finds its rows. False: not yet. */
bool compare_list(struct browser *b, enum compare_by by);
/* The rows of a source text can be asked for. */
bool compare_has_places(struct browser *b, enum compare_by by, bool first);
/* Go on while nobody types: WORK_MORE and so on. */
unsigned compare_idle(struct browser *b);
/* Everything that was begun, to its end. */
void compare_finish(struct browser *b);
/* Stop what the view with the keyboard waits for. False: it waits for nothing. */
bool compare_give_up(struct browser *b);
/* What was stopped may begin again. */
void compare_resume(struct browser *b);
/* Append "comparing ranges 40%" while it goes on. */
void compare_describe_work(struct browser *b, enum compare_by by, struct strbuf *out);
/* The same in place of rows. */
void compare_explain_work(struct browser *b, enum compare_by by, struct strbuf *out);

/* The rows for the listing: compare_rows.c. */
void compare_show_rows(struct browser *b, enum compare_by by);
/* Begin to find the ends of calls. */
void compare_find_ends(struct compare_kind *k);
/* The cursor to where it was before the rows went: begun, and gone on with while nobody types.
 * True: it was found, or need not be sought any more. */
bool compare_seek(struct browser *b);

/* Another expression (text or name; NULL: the defaults) from now on, if it can be compiled over BY.
 * -1: ERR, and nothing changed. */
int compare_set(struct browser *b, enum compare_by by, const char *expression,
		struct expression_error *err);
/* Normalise by WHAT (NULL: not). -1 and ERR: nothing changed. */
int compare_normalise(struct browser *b, const char *what, struct error *err);
/* The panes anew after something changed. */
void compare_refresh(struct browser *b);

/* ---- procedures and files of either profile ---- */

/* The number of the first or the last profile. */
size_t compare_side(const struct compare *x, bool first);
/* The texts and the profile that something is of. */
struct docs *compare_docs(struct browser *b, bool first);
bool subject_is(struct subject a, struct subject b);
/* The procedure in the profile that is looked at, if it is there, else in the first one. */
struct subject compare_procedure(struct browser *b, struct subject procedure);
struct subject compare_of_entity(struct browser *b, uint32_t entity);
/* What it is over all profiles; 0: nothing. */
uint32_t compare_entity(struct browser *b, struct subject procedure);
/* Fills ROW with what its profile says of it. False: it is none. */
bool compare_row(struct browser *b, struct subject procedure, struct procedure_row *row);
/* The file in the profile that is looked at; 0: it is not there. */
model_id compare_file(struct browser *b, struct subject file);
/* The file of the other profile that corresponds. */
struct subject compare_other_file(struct browser *b, struct subject file);

/* The line of the other text, 0: none; how much the same it is: see compare_lines(). */
uint32_t compare_other_line(struct browser *b, struct subject file, uint32_t line,
			    enum compare_mark *mark);
/* Are both texts the same, byte by byte? */
bool compare_same_text(struct browser *b, model_id first, model_id last);
/* Lines side by side of file FIRST of the first profile and file LAST of the last one, *NR of them
 * (0: nothing is compared), until two other files are asked for or the comparison begins anew.
 * False: not yet; texts that differ are aligned while nobody types. */
bool compare_lines(struct browser *b, model_id first, model_id last,
		   const struct line_pair **pairs, size_t *nr);
/* The line of the first text, or of the last one; 0: none. */
uint32_t compare_line_of(const struct line_pair *pair, bool first);
/* How much of that is done, about. */
int compare_lines_percent(const struct browser *b);
/* What of that is to be done now: WORK_MORE and so on. */
unsigned compare_lines_idle(struct browser *b);

/* ---- values and how they look: compare_heat.c ---- */

/* Values of BY (ranges, lines) that touch the lines of S, outer before inner. Valid until the next
 * call for BY. */
const struct compare_value *compare_values(struct browser *b, enum compare_by by,
					   const struct compare_source *s, size_t *nr);

/* The line that differs most; 0: none is known to. */
uint32_t compare_hottest_line(struct browser *b, const struct compare_source *s);

/* More than nothing, less than nothing, how much: -COMPARE_LEVELS .. COMPARE_LEVELS. */
int compare_level(const struct browser *b, const struct compare_kind *k, double value);
enum role compare_role(const struct browser *b, const struct compare_kind *k, double value,
		       bool unsure);
/* The role of a value that is a text: no difference is dim. */
enum role compare_text_role(const struct browser *b, const struct compare_kind *k, double value,
			    bool unsure);
/* Append the arrow that tells more from less where nothing but brightness does. */
void compare_arrow(const struct browser *b, const struct compare_kind *k, double value, bool unsure,
		   struct strbuf *out, enum role *role);
/* Is a difference of so many standard errors (NAN: of exact figures) nothing that counts? */
bool compare_is_unsure(double significance);
/* Does a power describe a series well enough to be believed? */
bool compare_fits(const struct fit *f);
/* The distance from "no difference" at which LEVEL begins, as a value. */
double compare_step(const struct browser *b, const struct compare_kind *k, int level);

/* Append ": b.count - a.count", and that it is not the one that was asked for, as it cannot be had
 * OF these rows; nothing when K has none. */
void compare_add_expression(const struct compare *x, const struct compare_kind *k, const char *of,
			    struct strbuf *out);
/* Append what stands behind "compared procedures"; why there are none. */
void compare_title(struct browser *b, enum compare_by by, struct strbuf *out);
void compare_explain(struct browser *b, enum compare_by by, struct strbuf *out);
/* Append "a old.db, 110 ms   b new.db, 2.9 s"; without TIMES only the names. */
void compare_names(struct browser *b, bool times, struct strbuf *out);
/* Append what must be known whatever is looked at. */
void compare_banner(struct browser *b, struct strbuf *out);

/* ---- the tree of calls: compare_tree.c ---- */

/* Are trees of calls those of all profiles together? */
bool compare_has_tree(const struct browser *b);
/* Can all of them be made a tree from that? */
bool compare_tree_possible(const struct browser *b, enum tree_source source);
/* As tree_begin(), of all profiles: its procedures are entities, as is that of WANT. NULL:
 * compare_tree_error(). */
struct tree *compare_tree_begin(struct browser *b, const struct tree_want *want);
const char *compare_tree_error(const struct browser *b);
/* The trees' values are out of date: their generation is another one now. */
void compare_tree_forget(struct compare *x);
void compare_tree_rescale(struct compare *x);

/* How the values of a joined tree are to be read. */
const struct compare_kind *compare_tree_kind(struct browser *b, const struct tree *t);

struct compare_tree_row {
	double figures[MAX_PROFILES]; /* of the expression's first figure, scaled; NAN: not there */
	double value;                 /* NAN: none */
	double significance;          /* NAN: exact */
	uint32_t sides;               /* mask of 1 << PROFILE */
	bool exact;                   /* the figures are no estimates */
};
void compare_tree_row(struct browser *b, const struct tree *t, uint32_t id,
		      struct compare_tree_row *row);

/* Append ": b.total_ns - a.total_ns"; "only a" or "acd", of what is in all profiles nothing. */
void compare_tree_title(struct browser *b, const struct tree *t, struct strbuf *out);
void compare_tree_in(const struct compare *x, uint32_t sides, struct strbuf *out);

/* ---- what the user does: compare_act.c ---- */

unsigned compare_act(struct browser *b, enum action action, size_t count);
/* The prompt for an expression. */
unsigned compare_prompt(struct browser *b, enum prompt_event event);
unsigned compare_command(struct browser *b, const char *expression);
unsigned compare_normalise_command(struct browser *b, const char *what);
const char *compare_named(struct browser *b, size_t i);

/* The kind of rows that the summary shows. */
enum compare_by compare_by_of_summary(struct browser *b);

#endif
