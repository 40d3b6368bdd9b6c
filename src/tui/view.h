/* A view: one pane with rows, a cursor and a title. Generic code owns cursor, scrolling, search and
 * the drawing of frame and cursor; a kind of view supplies its content through struct view_ops. */
#ifndef CGVIEW_TUI_VIEW_H
#define CGVIEW_TUI_VIEW_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/keys/action.h"
#include "tui/screen/draw.h"
#include "util/mem.h"
#include "util/text/search.h"

struct browser;
struct view;

/* The effects of an action; a set. */
enum effect {
	EFFECT_NONE = 0,
	EFFECT_DONE = 1,     /* something happened: draw */
	EFFECT_MOVED = 2,    /* the cursor moved: panes that follow it do so */
	EFFECT_LAYOUT = 4,   /* panes get their places anew */
	EFFECT_REPAINT = 8,  /* send every cell to the terminal */
	EFFECT_CLOSE = 16,   /* this view wants to be closed */
	EFFECT_QUIT = 32,
	EFFECT_REFUSED = 64, /* not an action of this view: others may know it */
};

struct title {
	struct strbuf left, middle, right;
	bool names;           /* the middle begins with the name of a procedure */
};
/* Appends at the right which row has the cursor, of how many: "3/17". */
void title_place(struct title *title, struct view *v);

enum cursor_style {
	CURSOR_ROW,   /* the whole row stands out */
	CURSOR_MARK,  /* a mark at the edge; the row keeps its colours */
	CURSOR_NONE,  /* the text scrolls, no cursor is visible */
};

enum { NR_HINTS = 14 };

struct view_ops {
	const char *name;
	enum keymap keymap;
	/* NR_HINTS actions for the bottom line, but in a comparison; NULL: those of the keymap. */
	const enum action *hints;
	enum cursor_style cursor;
	bool popup;          /* what is below stays visible; see layout.c */
	bool strip;          /* it is above all others, and as high as its rows need */
	void (*close)(struct view *v);                           /* NULL: nothing to do */
	void (*resize)(struct view *v);                          /* NULL: nothing to do */
	size_t (*rows)(struct view *v);
	int (*head_lines)(struct view *v);                       /* NULL: none */
	void (*draw_head)(struct view *v, int i, const struct line *line);
	int (*foot_lines)(struct view *v);                       /* below the rows; NULL: none */
	void (*draw_foot)(struct view *v, int i, const struct line *line);
	void (*draw_row)(struct view *v, size_t row, const struct line *line);
	void (*title)(struct view *v, struct title *title);
	void (*row_text)(struct view *v, size_t row, struct strbuf *out); /* the text for search */
	void (*empty)(struct view *v, struct strbuf *out);       /* why there are no rows; lines */
	unsigned (*act)(struct view *v, enum action action, size_t count); /* COUNT 0: none given */
	unsigned (*click)(struct view *v, int head, int x);      /* on a head line; may be NULL */
	void (*found)(struct view *v, size_t row,
		      size_t start); /* hit at byte START; may be NULL */
	void (*write)(struct view *v, FILE *out);                /* all of it as text */
	/* In place of write() where it may fail other than by OUT: -1 and ERR. */
	int (*try_write)(struct view *v, FILE *out, struct error *err);
	/* Works for a slice while nobody types. Returns a set as table_work() does, 0: there is no
	 * work. May be NULL. */
	unsigned (*idle)(struct view *v);
	/* Makes the view as it was left, to come back to from where it led; NULL: none is made.
	 * May be NULL. */
	struct view *(*again)(struct browser *b);
	/* Undoes one thing in the view (Esc, Backspace); false: there is none. May be NULL. */
	bool (*undo)(struct view *v);
	/* Handles a click on a row at column X, instead of moving the cursor there; may be NULL. */
	void (*pick)(struct view *v, size_t row, int x);
	/* All three where not rows are searched: returns what the cursor is on; goes back there;
	 * goes to the next hit from there on, HERE: itself included. */
	size_t (*place)(struct view *v);
	void (*return_to)(struct view *v, size_t place);
	bool (*search)(struct view *v, const struct search *search, bool backward, size_t from,
		       bool here);
};

struct view {
	const struct view_ops *ops;
	struct browser *browser;
	struct area area;    /* with its title rule */
	size_t cursor, top;  /* rows */
	int left;            /* first column shown, where the view scrolls sideways */
	void *data;          /* the kind's own, freed by its close() */
};

struct view *view_new(const struct view_ops *ops, struct browser *browser, void *data);
void view_free(struct view *v);

void view_resize(struct view *v, struct area area);
void view_draw(struct view *v, bool focused);

size_t view_rows(struct view *v);
int view_head_lines(struct view *v);
int view_foot_lines(struct view *v);
/* For ops that have one line of heads when there is room for it. */
int view_one_head_line(struct view *v);
int view_body_height(struct view *v);

/* Moves the cursor to ROW (the last one when there are fewer), scrolled into view with as little
 * scrolling as possible, or, when ROW was out of sight, into the middle. */
void view_move_to(struct view *v, size_t row);

/* Keeps cursor and top within the rows, after rows or size changed. */
void view_clamp(struct view *v);

/* Does the view's own act(), then what all views can do. */
unsigned view_act(struct view *v, enum action action, size_t count);

/* Returns what the cursor is on, for the three below: a row, or whatever the view searches. */
size_t view_place(struct view *v);
void view_return(struct view *v, size_t place);

/* Returns the row at screen row Y, or -1. */
ptrdiff_t view_row_at(struct view *v, int y);

#endif
