/* A view of rows, fetched as they are drawn, with columns as data. */
#ifndef CGVIEW_TUI_TABLE_H
#define CGVIEW_TUI_TABLE_H

#include <stdbool.h>

#include "db/store/profile.h"
#include "show/columns.h"
#include "tui/restrict.h"
#include "tui/screen/draw.h"
#include "tui/view.h"

/* The columns of a kind that are shown, and their order; kept as long as the browser runs. */
enum column_show { SHOW_WITH_ROOM, SHOW_ALWAYS, SHOW_NEVER };
struct column_choice {
	const struct table_kind *kind;
	struct column_set columns;         /* of the kind, in the browser's profile */
	unsigned char order[COLUMNS_MAX]; /* indexes in columns */
	unsigned char show[COLUMNS_MAX];  /* enum column_show, by index in columns */
};

struct table;
/* Where the rows of a table come from: mostly a listing of the profile (listing_source). A view
 * that makes its rows has a source of its own, and sets it before the first table_open(). */
struct row_source {
	size_t (*rows)(struct table *t);
	/* Returns row I, valid until the next call; NULL: it has no cells but a text. */
	const struct list_row *(*row)(struct table *t, size_t i);
	/* Appends that. NULL: all rows have cells. */
	void (*text)(struct table *t, size_t i, struct strbuf *out, enum role *role);
	/* Is there a mark before the row? NULL: there is none before any. */
	bool (*marked)(struct table *t, size_t i);
	/* Asks for the rows again, in the order and with the restrictions of T. NULL: their order
	 * is one, all are there, and the three below are NULL, too. */
	void (*open)(struct view *v, struct table *t);
	bool (*busy)(const struct table *t);
	/* Reads rows in the slice that has begun, and returns as table_work() does. */
	unsigned (*work)(struct view *v, struct table *t);
	void (*describe)(const struct table *t, struct strbuf *out);
};
extern const struct row_source listing_source; /* table_work.c */

struct table {
	struct browser *browser;
	const struct table_kind *kind;
	const struct row_source *source;
	struct list_query query;   /* without the restrictions */
	struct listing *listing;   /* NULL: not opened yet */
	struct listing *next;      /* replaces it when it is ready; NULL: none is made ready */
	int waits;                 /* for these things of a comparison, see compare_list(); or 0 */
	int64_t seek;              /* id of the row to be found for the cursor; -1: none */
	struct {
		int column, sort;
		bool descending, uneven;
	} settled;                 /* order of the listing that is shown, and has it all columns */
	bool aside;                /* it follows another pane, whose key has the time */
	bool uneven;               /* the listing opened last has the columns of imbalance */
	struct restrict_to to;
	int sort;                  /* index of the column, -1: a hidden one */
	struct column columns[COLUMNS_MAX]; /* the kind's, in their order, with times by one way */
	int nr_columns;
	struct column_choice *choice;
	const char *needed;        /* head of a column that is of more use than usual; NULL: none */
	uint64_t most;             /* calls: no row has more; 0: not known */
	uint64_t whole;            /* what shares refer to; 0: the profile */
	uint64_t full;             /* what a full bar is in the row asked for last; 0: the same */
	uint64_t entered;          /* arcs into a procedure: how often it was entered; else 0 */
	struct list_sums sums;     /* of the rows that there are */
	bool summed_up;
	bool sums_are_old;         /* figures went on since */
	struct column_room layout[COLUMNS_MAX];
};

void table_init(struct table *t, struct browser *browser, const struct table_kind *kind);
void table_release(struct table *t);

/* ---- asking: table_work.c ---- */

/* Opens the listing anew after kind, sort or restriction changed. V's cursor stays on its row when
 * that is still there, else it goes to the first one. Only what a key has time for is done; the
 * rest is for table_work(), and the old rows may stay until then. */
void table_open(struct view *v, struct table *t);
/* Of a V that is a table: figures are other ones. Rows come anew, in their order, unless they are
 * just coming; the cursor stays on its row, and that where it is on the screen. */
void table_renew_figures(struct view *v);
/* Opens the listing after the profile changed: nothing of the old one is kept. */
void table_reopen(struct view *v, struct table *t);
/* Is there anything left to do? */
bool table_busy(const struct table *t);
/* May there be more rows than are known so far? */
bool table_grows(const struct table *t);
/* Does some of it. */
enum {
	WORK_MORE = 1,     /* there is more to do */
	WORK_NEW = 2,      /* the screen shows something else */
	WORK_MOVED = 4,    /* the cursor is on another row */
};
unsigned table_work(struct view *v, struct table *t);
/* Reads all rows, however long it takes: only then is it known that there is none. */
void table_finish(struct view *v, struct table *t);
/* Moves the cursor to the row with this id, at once or when it is found. */
void table_seek(struct view *v, struct table *t, int64_t id);
/* Moves the cursor to that row of the listing opened last. */
void table_return(struct view *v, struct table *t, size_t row);
/* Stops sorting, and keeps the old order; or what the columns of imbalance wait for, and hides
 * these. Returns what people are told; NULL: nothing goes on. */
const char *table_give_up(struct view *v, struct table *t);
/* Lays the columns out after others were chosen, and asks for rows that have them all. */
void table_columns_chosen(struct view *v, struct table *t);
/* Closes the listings. */
void table_forget(struct table *t);
/* Appends "sorting 40%" while it goes on. */
void table_describe_work(const struct table *t, struct strbuf *out);

/* Takes another kind, with its sort order. */
void table_set_kind(struct table *t, const struct table_kind *kind);

const struct list_row *table_row(struct table *t, size_t row);
bool table_is_restricted(const struct table *t);
/* Returns how many rows there are without restrictions. */
uint64_t table_all_rows(const struct table *t);
/* Return a cell by the name of the listing's column; NULL/0 when null. */
const char *table_text(const struct table *t, const struct list_row *row, const char *name);
/* Returns a cell of UNIT_VALUE; NAN when null. */
double table_real(const struct table *t, const struct list_row *row, const char *name);
int64_t table_number(const struct table *t, const struct list_row *row, const char *name);
/* Returns the place of a row that has one; of a comparison's row that in the first profile. */
struct place table_place(const struct table *t, const struct list_row *row);
struct place table_first_place(const struct table *t, const struct list_row *row);
/* Returns the place where blocks were given back. */
struct place table_disposer_place(const struct table *t, const struct list_row *row);
int64_t table_id(const struct list_row *row);

/* ---- columns: table_columns.c ---- */

/* Makes the columns that kind, choice and the way to measure time give. */
void table_take_columns(struct table *t);
/* Returns the listing's column that is shown for SOURCE, a time by program counter. */
const char *table_self_by(const struct table *t, const char *source);
/* Return the listing's column called NAME, or -1; and its column number COLUMN. */
int table_find(const struct table *t, const char *name);
const struct list_column *table_listed(const struct table *t, int column);
/* Returns the first column with this head or source, or -1. SORT: only columns that can sort. */
int table_column(const struct table *t, const char *name, bool sort);
/* Has this profile anything to show in the column? */
bool table_column_known(const struct table *t, int i);
/* Is a column of those shown that only a listing with query.uneven has? */
bool table_wants_uneven(const struct table *t);
void table_hide_uneven(struct table *t);
/* Returns what its cells are printed with. */
struct cell_context table_context(const struct table *t);
/* A comparison's, in compare_columns.c: adds what its cells are printed with; tells whether the
 * rows have anything to show in C; returns the width of a column that says on which sides they are;
 * returns the role of a cell that was printed. */
void compare_add_context(const struct table *t, struct cell_context *x);
bool compare_column_known(const struct table *t, const struct column *c);
/* Has the foot of the table a figure in the column: that of the whole program? */
bool compare_adds_up(const struct table *t, const struct column *c);
/* Makes a row of these figures. */
void compare_sums(const struct table *t, struct list_row *row);
int compare_sides_width(const struct table *t);
void compare_colour_cell(const struct table *t, const struct column *c, const struct list_row *row,
			 struct strbuf *out, enum role *role);
/* Does column I show what sorts the rows? */
bool table_is_sorted_by(const struct table *t, int i);
/* Lays columns out over WIDTH. */
void table_layout(struct table *t, int width);
/* Returns the side at which its cells and its head begin. */
enum align column_align(const struct column *c);
void column_choice_reset(struct column_choice *choice);
/* Fits the choice to another profile P. Columns stay chosen by their heads. */
void column_choice_renew(struct column_choice *choice, struct profile *p);
void column_choice_free(struct column_choice *choice);
/* Fits T, which showed OLD, to another profile; call this after the choices are renewed. */
void table_change_profile(struct table *t, const struct profile *old);

/* ---- columns of trees: see joined_tree_kind ---- */

struct fixed_columns {
	const struct column *columns;
	int nr;
	int x, gap;                /* where the first one begins; between two */
	int wide;                  /* columns of a wide screen */
	int apart;                 /* more room around the one that has the rest */
};
/* Puts into *WIDTH how wide column I is on a screen of so many columns (0: it is not there);
 * returns where it begins. */
int fixed_place(const struct fixed_columns *f, int screen, int i, int *width);
void fixed_draw_head(const struct fixed_columns *f, const struct line *line);

/* ---- drawing ---- */

/* Appends the row in one line, the fields of its visible columns separated by "\n". */
void table_row_line(struct table *t, size_t row, struct strbuf *out);

/* Computes the sums at the foot, if they are not there yet. Takes time. False: nothing new. */
bool table_sum_up(struct table *t);

/* ---- sorting ---- */

/* Handles actions about sorting and restrictions; EFFECT_REFUSED for others. */
unsigned table_act(struct view *v, struct table *t, enum action action, size_t count);
/* Sorts by column I; the other way round when it is sorted by that. */
unsigned table_sort(struct view *v, struct table *t, int i);
/* Sorts by the column named NAME (its head or the listing's name). */
bool table_sort_by(struct view *v, struct table *t, const char *name);
/* Shows the column named NAME whatever the room, or, the second time, when there is some; tells the
 * result. Returns false when there is no such column. */
bool table_keep(struct view *v, struct table *t, const char *name);

/* ---- the parts of a view whose data begins with a table ---- */

/* Makes a view whose data is a table of KIND and nothing else. It is not opened yet. */
struct view *table_view_new(const struct view_ops *ops, struct browser *b,
			    const struct table_kind *kind, const struct row_source *source);
/* Releases the table, and frees the data. */
void table_view_close(struct view *v);
/* Adds to TITLE what the rows are restricted to, and which of how many has the cursor. */
void table_view_title(struct view *v, struct title *title);
/* Explains in OUT why there are no rows; false: it has nothing to do with the table. */
bool table_view_explain(struct view *v, struct strbuf *out);
void table_view_resize(struct view *v);
size_t table_view_rows(struct view *v);
void table_view_draw_head(struct view *v, int i, const struct line *line);
void table_view_draw_row(struct view *v, size_t row, const struct line *line);
int table_view_foot_lines(struct view *v);
void table_view_draw_foot(struct view *v, int i, const struct line *line);
void table_view_row_text(struct view *v, size_t row, struct strbuf *out);
unsigned table_view_click(struct view *v, int head, int x);
/* Writes all rows as text, as they are drawn at a comfortable width. */
void table_view_write(struct view *v, FILE *out);

/* All but name, keymap, title, empty, act. TABLE_PANE_OPS: and close(), where data has more than
 * the table to release. */
#define TABLE_VIEW_OPS TABLE_PANE_OPS, .close = table_view_close
#define TABLE_PANE_OPS                                                                        \
	.resize = table_view_resize, .rows = table_view_rows,                                 \
	.head_lines = view_one_head_line, .draw_head = table_view_draw_head,               \
	.foot_lines = table_view_foot_lines, .draw_foot = table_view_draw_foot,               \
	.draw_row = table_view_draw_row, .row_text = table_view_row_text,                     \
	.click = table_view_click, .write = table_view_write

#endif
