/* What a cell means, and how that looks on each kind of terminal. */
#ifndef CGVIEW_SHOW_ROLE
#define CGVIEW_SHOW_ROLE

#include <stdbool.h>

enum { HEAT_LEVELS = 8, COMPARE_LEVELS = 4 };

enum role {
	ROLE_TEXT,      /* anything without a meaning of its own: the terminal's colours */
	ROLE_DIM,       /* there, but not to be noticed first */
	ROLE_STRONG,
	ROLE_TITLE,     /* the bar at the top */
	ROLE_TITLE_NAME,
	ROLE_RULE,      /* lines between panes */
	ROLE_RULE_ON,   /* the lines of the pane that has the keyboard */
	ROLE_HEAD,      /* column heads */
	ROLE_HEAD_SORT, /* head of the column that sorts */
	ROLE_NAME,      /* procedures */
	ROLE_PLACE,     /* files and lines */
	ROLE_LINENO,
	ROLE_ESTIMATE,  /* a figure that is not exact */
	ROLE_BAR,
	ROLE_KEY,       /* a key in hints and help */
	ROLE_MESSAGE,
	ROLE_WARNING,
	ROLE_ERROR,
	ROLE_PROMPT,
	ROLE_NO_CODE,   /* source without code: comments, declarations */
	ROLE_NEVER,     /* code that was never executed */
	ROLE_COLD,      /* executed, but nothing of the metric shown */
	ROLE_HEAT_1,    /* .. ROLE_HEAT_1 + HEAT_LEVELS - 1 */
	ROLE_LESS_1 = ROLE_HEAT_1 + HEAT_LEVELS,  /* .. compared: less, the most last */
	ROLE_LESS_2,
	ROLE_MORE_1 = ROLE_LESS_1 + COMPARE_LEVELS, /* .. and more */
	ROLE_MORE_2,
	ROLE_UNSURE = ROLE_MORE_1 + COMPARE_LEVELS, /* a difference that may be chance */
	ROLE_NR,
};

/* Laid over a role. */
enum overlay {
	OVERLAY_NONE,
	OVERLAY_CURSOR,      /* cursor row of the pane that has the keyboard */
	OVERLAY_CURSOR_IDLE, /* cursor row of another pane */
	OVERLAY_SELECT,      /* the expression that was jumped to or is selected */
	OVERLAY_MATCH,       /* a search hit */
	OVERLAY_CALL,        /* calls by the procedure whose source is shown */
	OVERLAY_NR,
};

enum palette {
	PALETTE_MONO,
	PALETTE_FEW,      /* 8 colours */
	PALETTE_DARK_16,  /* 16 (and 88) colours on a dark background */
	PALETTE_LIGHT_16,
	PALETTE_DARK,     /* 256 colours and more on a dark background */
	PALETTE_LIGHT,
	PALETTE_NR,
};

struct look {
	int fg, bg;          /* as in colour.h; -1: the terminal's own */
	unsigned attributes; /* enum look_attribute */
};
enum look_attribute { LOOK_BOLD = 1, LOOK_DIM = 2, LOOK_UNDERLINE = 4, LOOK_REVERSE = 8,
		      LOOK_ITALIC = 16 };

/* Returns how ROLE looks under OVERLAY. */
struct look role_look(enum palette palette, enum role role, enum overlay overlay);

/* Finds the place of a procedure, or of the call by which a caller has it. */
bool role_named(const char *name, enum role *role, enum overlay *overlay);

/* Makes ROLE, or OVERLAY if it is not OVERLAY_NONE, look like this. PALETTE_MONO takes the
 * attributes only. Called before anything is drawn. */
void role_change(enum palette palette, enum role role, enum overlay overlay, struct look look);

/* Returns the attribute of this name (bold, dim, underline, reverse, italic), or 0. */
unsigned role_attribute(const char *name);

/* Returns the letter that stands for it in saved screens of roles. */
char role_letter(enum role role, enum overlay overlay);

/* Returns the name of a role, for the legend of saved screens. */
const char *role_name(enum role role);

#endif
