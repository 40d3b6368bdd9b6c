/* The kinds of view, and what the browser asks of each beyond struct view_ops. */
#ifndef CGVIEW_TUI_VIEWS_H
#define CGVIEW_TUI_VIEWS_H

#include "db/profile.h"
#include "tui/browser.h"
#include "tui/table.h"
#include "tui/view.h"

/* ---- summary: a table of what the program consists of ---- */

struct view *summary_new(struct browser *b);
/* Another kind of table; the cursor goes to the row with ROW_ID if there is one (-1: none). */
void summary_show(struct view *v, int kind, int64_t row_id);
/* Show the procedures as browser.by_centre says now; the cursor stays on its row. */
void summary_charge(struct view *v);
int summary_kind(const struct view *v);
/* Id of the selected row, -1 when there is none. */
int64_t summary_selected(struct view *v);
/* Where the selected row is in the source (file 0: nowhere); false: there is no row. */
bool summary_target(struct view *v, struct target *target);

/* ---- files: choose one ---- */

struct view *files_new(struct browser *b);

/* ---- outline: the procedures of the file that is looked at ---- */

/* NULL, and told why: no source is shown. */
struct view *outline_new(struct browser *b);

/* The same of the copies of the procedure here: instances of a template, code of a header in
 * several units. NULL, and told why: there is but one. */
struct view *copies_new(struct browser *b);

/* ---- the macro that the cursor of the source is on ---- */

/* NULL, and told why: there is none. */
struct view *macro_new(struct browser *b);

/* ---- columns: which of those of T, which UNDER shows ---- */

struct view *columns_new(struct view *under, struct table *t);

/* ---- cycles, and the members of one ---- */

struct view *cycles_new(struct browser *b);

/* ---- the tree of calls ---- */

struct tree_state;
void tree_state_free(struct tree_state *s);
/* Top-down, the cursor on the procedure that is looked at. */
struct view *tree_new(struct browser *b);
/* The tree that is looked at is of this measure (0: time), if stacks have it. */
void tree_show_measure(struct browser *b, unsigned measure);
/* As it was left; NULL: it has not been shown. */
struct view *tree_again(struct browser *b);
/* Is V this, rows or icicle? And where what its cursor is on is in the source: false, nowhere. */
bool is_tree(const struct view *v);
/* Arcs are turned, or are about not to be any more: what was made of them is made anew. */
void tree_turned(struct browser *b);
/* Stay with the tree that is shown; false: it is no other that is read, or there is none. */
bool tree_give_up(struct browser *b);
bool tree_target(struct view *v, struct target *target);
/* What is compared, or how, has changed. */
void tree_refresh(struct browser *b);

/* ---- comparing: expressions with a name; both texts ---- */

struct view *expressions_new(struct browser *b);
/* Of the file that the source shows; NULL, and told why: there is only one text. */
struct view *beside_new(struct browser *b);

/* ---- pins: the arcs that are held ---- */

/* NULL, and told why: nothing can be turned. */
struct view *pins_new(struct browser *b);

/* ---- callers, callees ---- */

enum arcs_side { ARCS_CALLERS, ARCS_CALLEES };
struct view *arcs_new(struct browser *b, enum arcs_side side);
/* Callees: of SITE, or if 0 of PROCEDURE. Callers: of PROCEDURE. */
void arcs_show(struct view *v, struct subject procedure, model_id site);
/* Callers: the call site of the selected row. False: outside. */
bool arcs_target(struct view *v, struct target *target);
/* The cursor to ROW, at once or when there are rows. */
void arcs_return(struct view *v, size_t row);
/* Is the count of the row under the cursor an estimate, that the dial turns? */
bool arcs_may_turn(struct view *v);

/* Whatever is asked for next is shown anew. */
void arcs_forget(struct view *v);

/* Sums and shares anew, after counts were turned or the profile was opened again. */
void arcs_sum_up(struct view *v);

/* Filter, table commands: every view made of a table. NULL for other views. */
struct table *view_table(struct view *v);

/* ---- source ---- */

struct view *source_new(struct browser *b);
/* Show FILE (or nothing) with the cursor on LINE (from 1). FILE stays when it is shown already.
 * SELECTED: the expression to highlight, line 0 for none. */
void source_show(struct view *v, struct subject file, uint32_t line, const struct place *selected);
/* Where the text is that of several procedures, it is PROCEDURE that is looked at. */
void source_of(struct view *v, struct subject procedure);
/* The procedure whose lines hold LINE: of several copies the one that was looked at last, else the
 * hottest. False: none. */
bool source_procedure_at(struct view *v, uint32_t line, struct procedure_row *row);
/* Scroll from the head of the procedure that the cursor is on to its hottest line: just so far that
 * it is seen below the head, or, when they do not fit together, with the cursor on it. */
void source_show_hottest(struct view *v);
struct subject source_file(const struct view *v);
struct place source_selected(const struct view *v);
void source_unselect(struct view *v);
/* After the cursor moved: a selection on another line is given up; what callers and callees should
 * be of. False: no code here. */
bool source_subject(struct view *v, struct subject *procedure, model_id *site);
/* The hottest line of FILE, 1 when nothing is known. */
uint32_t source_hottest_line(struct browser *b, model_id file);
/* After the metric changed, or an editor ran. */
void source_refresh(struct view *v);
/* The place of a procedure's name within the procedure's PLACE, whose text is one of DOCS. */
struct place source_name_place(struct docs *docs, const struct place *place);

/* The columns of the margin, a set of MARGIN_BIT. */
uint64_t source_margins(const struct view *v);
void source_set_margins(struct view *v, uint64_t set);
/* Show the column NAME, or no more; false: there is none. */
bool source_toggle_margin(struct view *v, const char *name);
/* The legend of the heat with all its steps, or only what fits on one row. */
void source_toggle_legend(struct view *v);

/* ---- query: the rows of ":sql" ---- */

/* Runs SQL; what is wrong with it is told in the view. "": all tables and their columns. */
struct view *query_new(struct browser *b, const char *sql);

/* ---- the columns of the source's margin: choose them ---- */

struct view *margin_new(struct browser *b);

/* ---- text: help, diagnostics ---- */

struct view *help_new(struct browser *b);
struct view *diagnostics_new(struct browser *b);

#endif
