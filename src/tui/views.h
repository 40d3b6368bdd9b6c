/* The kinds of view, and what the browser asks of each beyond struct view_ops. */
#ifndef CGVIEW_TUI_VIEWS_H
#define CGVIEW_TUI_VIEWS_H

#include "db/store/profile.h"
#include "tui/browser.h"
#include "tui/view.h"
#include "tui/views/table.h"

/* ---- those that an action opens; NULL after a message: there is nothing to show ---- */

#define VIEW(action, function) struct view *function(struct browser *b);
#include "tui/keys/action_rows.h"

/* ---- summary: a table of what the program consists of ---- */

struct view *summary_new(struct browser *b);
/* Shows another kind of table; the cursor goes to the row with ROW_ID if it is there (-1: none). */
void summary_show(struct view *v, int kind, int64_t row_id);
/* Moves the cursor to PROCEDURE, if rows are procedures. Returns false when it is not there. */
bool summary_show_procedure(struct view *v, struct subject procedure);
/* Shows the procedures as browser.self_by says now; the cursor stays on its row. */
void summary_self_by(struct view *v);
int summary_kind(const struct view *v);
/* Returns the id of the selected row, -1 when there is none. */
int64_t summary_selected(struct view *v);
/* Finds the source of the selected row (file 0: none); false: there is no row. */
bool summary_target(struct view *v, struct target *target);

/* Goes to the source of the selected row. */
unsigned summary_follow(struct view *v);

/* ---- how the selected row of a series grows ---- */

/* NULL: the summary shows no series. */
struct view *growth_new(struct browser *b);

/* ---- what the columns, marks and words of the view with the keyboard mean ---- */

struct view *legend_new(struct browser *b);
bool is_legend(const struct view *v);

/* ---- columns: which of those of T, which UNDER shows ---- */

struct view *columns_new(struct view *under, struct table *t);

/* ---- what was never executed ---- */

/* Goes to the next stretch of lines that were never executed, or the one before, from where the
 * cursor of the source is; behind the last one is the first. */
unsigned never_step(struct browser *b, enum action action, size_t count);

/* ---- ranks ---- */

/* All ranks as cells, coloured by time. */
struct view *strip_new(struct browser *b);
/* threads_new() with only these ranks; -1: also of what has none. */
struct view *threads_of_ranks(struct browser *b, int64_t least, int64_t most);

/* Lists the ranks, with what each did in PROCEDURE (0: of none). */
struct view *ranks_new(struct browser *b, model_id procedure);
/* Lists procedures by how evenly ranks, or runs, have what they did. */
struct view *imbalance_new(struct browser *b);

/* ---- pairs of calls: one made blocks, one gave them back ---- */

/* Shows the pairs, this one selected, where the matrix was. */
unsigned disposals_show_pair(struct browser *b, model_id pair);
/* Closes the list if it has the keyboard. */
void disposals_leave(struct browser *b);
/* The same as a matrix, on the cell of PAIR; 0: on the first one. */
struct view *matrix_new(struct browser *b, const struct restrict_to *to, model_id pair);

/* ---- the tree of calls ---- */

struct tree_state;
void tree_state_free(struct tree_state *s);
/* Makes an open tree one of this measure (0: time), if stacks have it. */
void tree_show_measure(struct browser *b, unsigned measure);
/* The same as tree_new(), as an icicle. */
struct view *tree_new_icicle(struct browser *b);
/* Shows it as it was left; NULL: it has not been shown. */
struct view *tree_again(struct browser *b);
/* Is V a tree, as rows or icicle? The other finds its cursor's source; false: there is none. */
bool is_tree(const struct view *v);
/* Shows in the tree that has the keyboard how evenly ranks, or runs, have it, or no longer. False:
 * it is no tree. */
bool tree_switch_uneven(struct browser *b);
/* Drops what was made of arcs that are changed now, or about to be the stored ones again. */
void tree_arcs_changed(struct browser *b);
/* Stays with the tree that is shown; returns false when no other is read, or there is none. */
bool tree_give_up(struct browser *b);
bool tree_target(struct view *v, struct target *target);
/* Renews the tree after a change of the comparison. */
void tree_refresh(struct browser *b);

/* ---- comparing: expressions with a name; both texts ---- */

struct view *expressions_new(struct browser *b);
/* Shows both texts of the source's file; NULL after a message: there is only one text. */
struct view *beside_new(struct browser *b);

/* Is V what makes the difference of two profiles? It finds its cursor's source; false: there is
 * none. */
bool is_ledger(const struct view *v);
bool ledger_target(struct view *v, struct target *target);

/* ---- callers, callees ---- */

enum arcs_side { ARCS_CALLERS, ARCS_CALLEES };
struct view *arcs_new(struct browser *b, enum arcs_side side);
/* Shows callees of SITE, or if 0 of PROCEDURE; or callers of PROCEDURE. */
void arcs_show(struct view *v, struct subject procedure, model_id site);
/* Callers: finds the call site of the selected row. False: outside. */
bool arcs_target(struct view *v, struct target *target);
/* Moves the cursor to the first row that leads away from the trail, if there is one. */
void arcs_lead_away(struct view *v);
/* Moves the cursor to ROW, at once or when there are rows. */
void arcs_return(struct view *v, size_t row);
/* Is the count of the row under the cursor an estimate, which the dial can change? */
bool arcs_may_turn(struct view *v);

/* Makes the next arcs_show() begin anew, whatever it shows. */
void arcs_forget(struct view *v);

/* Computes sums and shares anew, after counts changed or the profile was opened again. */
void arcs_sum_up(struct view *v);

/* Returns the table of a view made of one, for filters and commands. NULL for other views, and
 * where rows have only one order. */
struct table *view_table(struct view *v);

/* ---- source ---- */

struct view *source_new(struct browser *b);
/* Shows FILE (or nothing) with the cursor on LINE (from 1). FILE stays when it is shown already.
 * SELECTED: the expression to highlight, line 0 for none. */
void source_show(struct view *v, struct subject file, uint32_t line, const struct place *selected);
/* Chooses PROCEDURE where the text belongs to several. */
void source_of(struct view *v, struct subject procedure);
/* Finds the procedure whose lines hold LINE: of several copies the current one, else the hottest.
 * Returns false when there is none. */
bool source_procedure_at(struct view *v, uint32_t line, struct procedure_row *row);
/* Scrolls from the head of the cursor's procedure to its hottest line: just so far that it is seen
 * below the head, or, when they do not fit together, with the cursor on it. */
void source_show_hottest(struct view *v);
struct subject source_file(const struct view *v);
struct place source_selected(const struct view *v);
void source_unselect(struct view *v);
/* Called after the cursor moved: drops a selection on another line; finds what callers and callees
 * should belong to. Returns false when no code is here. */
bool source_subject(struct view *v, struct subject *procedure, model_id *site);
/* Returns the hottest line of FILE, 1 when nothing is known, or it would take long. */
uint32_t source_hottest_line(struct browser *b, model_id file);
/* Called after the metric changed, or an editor ran. */
void source_refresh(struct view *v);
/* The profile's figures are other ones; the text is as it was. */
void source_renew_figures(struct view *v);
/* Returns where the name is in a procedure's PLACE, whose text is one of DOCS. */
struct place source_name_place(struct docs *docs, const struct place *place);

/* Returns the columns of the margin, a set of MARGIN_BIT. */
uint64_t source_margins(const struct view *v);
void source_set_margins(struct view *v, uint64_t set);
/* Shows or hides the column NAME; returns false when there is none. */
bool source_toggle_margin(struct view *v, const char *name);
/* Shows the legend of the heat with all its steps, or only what fits on one row. */
void source_toggle_legend(struct view *v);

/* ---- query: the rows of ":sql" ---- */

/* Runs SQL; the view tells errors. "": all tables and their columns. */
struct view *query_new(struct browser *b, const char *sql);

/* ---- the columns of the source's margin: choose them ---- */

struct view *margin_new(struct browser *b);

#endif
